//! The schema of Arrow IPC: checked for what the `arrow` crate would stop the program at.

use super::{broken, unsupported};
use crate::error::{Error, Result};
use arrow::datatypes::{DataType, Field, Fields, Schema, SchemaRef};
use arrow::ipc::convert::fb_to_schema;
use arrow::ipc::{
    DateUnit, Endianness, Field as Written, IntervalUnit, Precision, Schema as WrittenSchema,
    TimeUnit, Type, UnionMode,
};
use std::sync::Arc;

/// Reads a schema.
pub(super) fn read(written: WrittenSchema) -> Result<SchemaRef> {
    if written.endianness() != Endianness::Little {
        return Err(unsupported(text!(
            "the numbers of the Arrow data begin with their high byte, which is not read",
            "числа в данных Arrow начинаются со старшего байта; такие не читаются"
        )));
    }
    let fields = written.fields().ok_or_else(broken)?;
    if !fields.iter().all(|field| is_known(field, true).is_some()) {
        return Err(types());
    }
    let schema = fb_to_schema(written);
    if !schema.fields().iter().all(|field| is_sound(field.data_type(), true)) {
        return Err(types());
    }
    // what files say of missing values is not always so
    let fields = schema.fields().iter().map(|field| field.as_ref().clone().with_nullable(true));
    Ok(Arc::new(Schema::new(fields.collect::<Vec<Field>>())))
}

/// The format that the stream was made of and the bytes of that file, where its writer noted them.
pub(super) fn origin(written: WrittenSchema) -> Option<(&'static str, u64)> {
    let notes = written.custom_metadata()?;
    let note = |key: &str| notes.iter().find(|note| note.key() == Some(key))?.value();
    let bytes = note("pinhole:bytes")?.parse().ok()?;
    (note("pinhole:format") == Some("parquet")).then_some(("parquet", bytes))
}

fn types() -> Error {
    unsupported(text!(
        "the Arrow data has columns of types that are not read",
        "в данных Arrow есть столбцы типов, которые не читаются"
    ))
}

/// Whether there are dictionaries among the fields, or inside of them.
pub(super) fn has_dictionaries(fields: &Fields) -> bool {
    fn has(arrow: &DataType) -> bool {
        matches!(arrow, DataType::Dictionary(_, _))
            || children(arrow).iter().any(|f| has(f.data_type()))
    }
    fields.iter().any(|field| has(field.data_type()))
}

/// The fields inside of a type.
pub(super) fn children(arrow: &DataType) -> Vec<&Field> {
    use DataType as T;
    match arrow {
        T::List(item)
        | T::LargeList(item)
        | T::ListView(item)
        | T::LargeListView(item)
        | T::FixedSizeList(item, _)
        | T::Map(item, _) => vec![item],
        T::Struct(members) => members.iter().map(AsRef::as_ref).collect(),
        T::RunEndEncoded(ends, values) => vec![ends, values],
        T::Union(members, _) => members.iter().map(|(_, field)| field.as_ref()).collect(),
        _ => Vec::new(),
    }
}

/// Whether a type can be decoded; unions only where their column is left out as a whole.
fn is_sound(arrow: &DataType, top: bool) -> bool {
    use DataType as T;
    let decimal = |most: u8, precision: u8, scale: i8| {
        (1..=most).contains(&precision) && i16::from(scale).unsigned_abs() <= u16::from(precision)
    };
    let own = match arrow {
        T::Union(_, _) => return top,
        T::FixedSizeBinary(width) => *width > 0,
        T::FixedSizeList(_, length) => *length > 0,
        T::Decimal32(precision, scale) => decimal(9, *precision, *scale),
        T::Decimal64(precision, scale) => decimal(18, *precision, *scale),
        T::Decimal128(precision, scale) => decimal(38, *precision, *scale),
        T::Decimal256(precision, scale) => decimal(76, *precision, *scale),
        T::Map(entries, _) => {
            matches!(entries.data_type(), T::Struct(members) if members.len() == 2)
        }
        T::RunEndEncoded(ends, _) => {
            !ends.is_nullable() && matches!(ends.data_type(), T::Int16 | T::Int32 | T::Int64)
        }
        T::Dictionary(_, values) => is_sound(values, false),
        _ => true,
    };
    own && children(arrow).iter().all(|field| is_sound(field.data_type(), false))
}

/// Whether the type of a field is one that there is, with all that belongs to it.
fn is_known(field: Written, may_be_keys: bool) -> Option<()> {
    let whole = |width: i32| matches!(width, 8 | 16 | 32 | 64).then_some(());
    let unit =
        |unit: TimeUnit| (TimeUnit::SECOND..=TimeUnit::NANOSECOND).contains(&unit).then_some(());
    if let Some(dictionary) = field.dictionary().filter(|_| may_be_keys) {
        whole(dictionary.indexType()?.bitWidth())?;
        return is_known(field, false);
    }
    let inside = |count: Option<usize>| {
        let Some(children) = field.children() else {
            return count.is_none_or(|count| count == 0).then_some(());
        };
        let known = children.iter().all(|child| is_known(child, true).is_some());
        (known && count.is_none_or(|count| count == children.len())).then_some(())
    };
    match field.type_type() {
        Type::Null
        | Type::Bool
        | Type::Binary
        | Type::BinaryView
        | Type::LargeBinary
        | Type::Utf8
        | Type::Utf8View
        | Type::LargeUtf8 => Some(()),
        Type::Int => whole(field.type_as_int()?.bitWidth()),
        Type::FixedSizeBinary => field.type_as_fixed_size_binary().map(|_| ()),
        Type::FloatingPoint => {
            let precision = field.type_as_floating_point()?.precision();
            (Precision::HALF..=Precision::DOUBLE).contains(&precision).then_some(())
        }
        Type::Date => {
            let unit = field.type_as_date()?.unit();
            (DateUnit::DAY..=DateUnit::MILLISECOND).contains(&unit).then_some(())
        }
        Type::Time => {
            let time = field.type_as_time()?;
            let narrow = matches!(time.unit(), TimeUnit::SECOND | TimeUnit::MILLISECOND);
            unit(time.unit())?;
            (time.bitWidth() == if narrow { 32 } else { 64 }).then_some(())
        }
        Type::Timestamp => unit(field.type_as_timestamp()?.unit()),
        Type::Duration => unit(field.type_as_duration()?.unit()),
        Type::Interval => {
            let unit = field.type_as_interval()?.unit();
            (IntervalUnit::YEAR_MONTH..=IntervalUnit::MONTH_DAY_NANO).contains(&unit).then_some(())
        }
        Type::Decimal => {
            let decimal = field.type_as_decimal()?;
            u8::try_from(decimal.precision()).ok()?;
            i8::try_from(decimal.scale()).ok()?;
            matches!(decimal.bitWidth(), 32 | 64 | 128 | 256).then_some(())
        }
        Type::List | Type::LargeList | Type::ListView | Type::LargeListView => inside(Some(1)),
        Type::FixedSizeList => field.type_as_fixed_size_list().and_then(|_| inside(Some(1))),
        Type::Map => field.type_as_map().and_then(|_| inside(Some(1))),
        Type::RunEndEncoded => inside(Some(2)),
        Type::Struct_ => inside(None),
        Type::Union => {
            let union = field.type_as_union()?;
            let count = field.children().map_or(0, |children| children.len());
            if let Some(ids) = union.typeIds() {
                let mut ids: Vec<i32> = ids.iter().collect();
                ids.sort_unstable();
                ids.dedup();
                let fits = ids.iter().all(|id| (0..128).contains(id));
                (fits && ids.len() == count).then_some(())?;
            }
            (count <= 127).then_some(())?;
            (UnionMode::Sparse..=UnionMode::Dense).contains(&union.mode()).then_some(())?;
            inside(None)
        }
        _ => None,
    }
}
