//! What a batch of Arrow IPC says of itself: lengths and places are checked against its bytes
//! before they are trusted.

use super::schema::children;
use super::{broken, too_long};
use crate::error::Result;
use arrow::datatypes::{DataType, Schema, UnionMode};
use arrow::ipc::{CompressionType, FieldNode, Message, MetadataVersion, RecordBatch};

/// Packed data does not unpack to more than this many times its length.
const MOST_UNPACKED: u64 = 32_768;
/// The most bytes that a message may have once unpacked, and the most values in one array.
const LONGEST: u64 = i32::MAX as u64;
/// Bytes before packed data that tell its length once unpacked.
const PREFIX: usize = 8;

/// Checks a batch of rows; tells how many there are and their bytes once unpacked.
pub(super) fn check(message: &Message, schema: &Schema, body: &[u8]) -> Result<(u64, u64)> {
    let batch = message.header_as_record_batch().ok_or_else(broken)?;
    let types: Vec<&DataType> = schema.fields().iter().map(|field| field.data_type()).collect();
    let bytes = check_arrays(batch, &types, message.version(), body)?;
    Ok((u64::try_from(batch.length()).map_err(|_| broken())?, bytes))
}

/// Checks the values of a dictionary; tells their bytes once unpacked.
pub(super) fn check_dictionary(message: &Message, schema: &Schema, body: &[u8]) -> Result<u64> {
    let dictionary = message.header_as_dictionary_batch().ok_or_else(broken)?;
    let batch = dictionary.data().ok_or_else(broken)?;
    #[expect(deprecated, reason = "the only way to the types of dictionaries")]
    let fields = schema.fields_with_dict_id(dictionary.id());
    let Some(DataType::Dictionary(_, values)) = fields.first().map(|field| field.data_type())
    else {
        return Err(broken());
    };
    check_arrays(batch, &[values.as_ref()], message.version(), body)
}

fn check_arrays(
    batch: RecordBatch,
    types: &[&DataType],
    version: MetadataVersion,
    body: &[u8],
) -> Result<u64> {
    let length = u64::try_from(batch.length()).map_err(|_| broken())?;
    let nodes: Vec<FieldNode> = batch.nodes().ok_or_else(broken)?.iter().copied().collect();
    let node = |node: &FieldNode| (0..=node.length()).contains(&node.null_count());
    if !nodes.iter().all(node) {
        return Err(broken());
    }
    if length > LONGEST || nodes.iter().any(|node| node.length() as u64 > LONGEST) {
        return Err(too_long());
    }
    let compression = batch.compression().map(|compression| compression.codec());
    let mut sizes = Vec::new();
    let mut all = 0u64;
    for buffer in batch.buffers().ok_or_else(broken)? {
        let size = size(buffer.offset(), buffer.length(), compression, body).ok_or_else(broken)?;
        all = all.saturating_add(size);
        sizes.push(size);
    }
    if all > LONGEST || Vec::<u8>::new().try_reserve_exact(all as usize).is_err() {
        return Err(too_long());
    }
    let counts = batch.variadicBufferCounts();
    let mut walk = Walk {
        nodes: nodes.iter(),
        sizes: sizes.iter(),
        counts: counts.map(|counts| counts.iter().collect()).unwrap_or_default(),
        used: 0,
        version,
    };
    for arrow in types {
        walk.array(arrow).ok_or_else(broken)?;
    }
    if walk.used == walk.counts.len() { Ok(all) } else { Err(broken()) }
}

/// The bytes of a buffer once unpacked; `None` where it lies outside of the body or cannot unpack
/// to what it says.
fn size(offset: i64, length: i64, codec: Option<CompressionType>, body: &[u8]) -> Option<u64> {
    let start = usize::try_from(offset).ok()?;
    let end = start.checked_add(usize::try_from(length).ok()?)?;
    let bytes = body.get(start..end)?;
    if codec.is_none() || bytes.is_empty() {
        return Some(bytes.len() as u64);
    }
    let (declared, packed) = bytes.split_first_chunk::<PREFIX>()?;
    match i64::from_le_bytes(*declared) {
        -1 => Some(packed.len() as u64),
        declared => {
            let declared = u64::try_from(declared).ok()?;
            let most = (packed.len() as u64).saturating_mul(MOST_UNPACKED);
            (declared <= most).then_some(declared)
        }
    }
}

/// Bytes of one value in the buffer behind the validity of an array.
fn width(arrow: &DataType) -> u64 {
    use DataType as T;
    match arrow {
        T::Utf8 | T::Binary | T::List(_) | T::ListView(_) | T::Map(_, _) => 4,
        T::LargeUtf8 | T::LargeBinary | T::LargeList(_) | T::LargeListView(_) => 8,
        T::Utf8View | T::BinaryView => 16,
        T::Dictionary(keys, _) => width(keys),
        arrow => arrow.primitive_width().map_or(1, |width| width as u64),
    }
}

/// Goes through the types of a batch along with what the batch has for them.
struct Walk<'a> {
    nodes: std::slice::Iter<'a, FieldNode>,
    /// Of buffers.
    sizes: std::slice::Iter<'a, u64>,
    /// Of the data buffers of views.
    counts: Vec<i64>,
    used: usize,
    version: MetadataVersion,
}

impl Walk<'_> {
    /// `None` where something is missing.
    fn array(&mut self, arrow: &DataType) -> Option<()> {
        use DataType as T;
        let node = self.nodes.next()?;
        let more = match arrow {
            T::Null | T::RunEndEncoded(_, _) => return self.children(arrow),
            T::Union(_, mode) => {
                let validity = usize::from(self.version < MetadataVersion::V5);
                self.skip(1 + validity + usize::from(*mode == UnionMode::Dense))?;
                return self.children(arrow);
            }
            T::Struct(_) | T::FixedSizeList(_, _) => 0,
            T::Utf8
            | T::LargeUtf8
            | T::Binary
            | T::LargeBinary
            | T::ListView(_)
            | T::LargeListView(_) => 2,
            T::Utf8View | T::BinaryView => {
                let count = usize::try_from(*self.counts.get(self.used)?).ok()?;
                self.used += 1;
                count.checked_add(1)?
            }
            _ => 1,
        };
        let validity = *self.sizes.next()?;
        let needed = (node.length() as u64).div_ceil(8);
        (node.null_count() == 0 || validity >= needed).then_some(())?;
        // those that come behind are taken as whole values, save bytes and views' data
        let whole = width(arrow);
        let wide = if matches!(arrow, T::ListView(_) | T::LargeListView(_)) { 2 } else { 1 };
        let next = self.sizes.as_slice();
        next.iter().take(more.min(wide)).all(|size| size % whole == 0).then_some(())?;
        self.skip(more)?;
        self.children(arrow)
    }

    fn children(&mut self, arrow: &DataType) -> Option<()> {
        children(arrow).into_iter().try_for_each(|field| self.array(field.data_type()))
    }

    fn skip(&mut self, buffers: usize) -> Option<()> {
        (0..buffers).try_for_each(|_| self.sizes.next().map(|_| ()))
    }
}
