//! The types that a file is read with.

use crate::Failure;
use arrow_schema::{DataType, Field, FieldRef, Fields, Schema};
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions};
use parquet::file::metadata::ParquetMetaData;
use std::sync::Arc;

/// A text column keeps the file's own dictionary where that takes at most these bytes in the file.
const DICTIONARY_BYTES: i64 = 64 << 10;

/// The keys in the stream's schema for what it was made of: the format, the bytes of the file.
const FORMAT: &str = "pinhole:format";
const BYTES: &str = "pinhole:bytes";

/// What the file's footer says, with the Arrow types that its columns are read as: those of its
/// writer, but text by codes where the file has it by codes, and no views, whose buffers a stream
/// would repeat with every batch.
pub(crate) fn arrow(footer: Arc<ParquetMetaData>) -> Result<ArrowReaderMetadata, Failure> {
    let options = ArrowReaderOptions::new;
    // types that a writer noted and that do not fit the file are no reason not to read it
    let own = ArrowReaderMetadata::try_new(footer.clone(), options()).or_else(|_| {
        ArrowReaderMetadata::try_new(footer.clone(), options().with_skip_arrow_metadata(true))
    })?;
    let fields: Fields = own.schema().fields().iter().map(|field| root(field, &own)).collect();
    if fields == *own.schema().fields() {
        return Ok(own);
    }
    let wanted = Schema::new_with_metadata(fields, own.schema().metadata().clone());
    let wanted = options().with_skip_arrow_metadata(true).with_schema(Arc::new(wanted));
    Ok(ArrowReaderMetadata::try_new(footer, wanted).unwrap_or(own))
}

/// The schema of the stream, with a note of where it comes from. What else is noted in it, such as
/// pandas' description of its columns, is left behind.
pub(crate) fn marked(schema: Schema, size: u64) -> Schema {
    let notes = [(FORMAT.to_owned(), "parquet".to_owned()), (BYTES.to_owned(), size.to_string())];
    schema.with_metadata(notes.into())
}

/// A column of the table.
fn root(field: &FieldRef, file: &ArrowReaderMetadata) -> FieldRef {
    let field = without_views(field);
    let text = matches!(field.data_type(), DataType::Utf8 | DataType::LargeUtf8);
    if !(text && has_small_dictionary(field.name(), file)) {
        return field;
    }
    let codes = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
    Arc::new(field.as_ref().clone().with_data_type(codes))
}

/// Whether every row group has a dictionary of the column, and a small one.
fn has_small_dictionary(name: &str, file: &ArrowReaderMetadata) -> bool {
    let groups = file.metadata().row_groups();
    !groups.is_empty()
        && groups.iter().all(|group| {
            let mut columns = group
                .columns()
                .iter()
                .filter(|column| matches!(column.column_path().parts(), [only] if only == name));
            columns.next().is_some_and(|column| {
                column.dictionary_page_offset().is_some_and(|start| {
                    let bytes = column.data_page_offset().saturating_sub(start);
                    (0..=DICTIONARY_BYTES).contains(&bytes)
                })
            })
        })
}

fn without_views(field: &FieldRef) -> FieldRef {
    use DataType as T;
    let plain = match field.data_type() {
        T::Utf8View => T::Utf8,
        T::BinaryView => T::Binary,
        T::List(item) => T::List(without_views(item)),
        T::LargeList(item) => T::LargeList(without_views(item)),
        T::FixedSizeList(item, length) => T::FixedSizeList(without_views(item), *length),
        T::Map(entries, sorted) => T::Map(without_views(entries), *sorted),
        T::Struct(fields) => T::Struct(fields.iter().map(without_views).collect()),
        _ => return field.clone(),
    };
    if plain == *field.data_type() {
        return field.clone();
    }
    Arc::new(Field::clone(field).with_data_type(plain))
}
