//! GeoJSON: rows that are features.

use super::scan::Walk;
use crate::engine::ingest::report::{Note, NoteCode};

/// Whether an object is a GeoJSON feature.
pub(super) fn is_feature(element: &[u8]) -> bool {
    let mut walk = Walk::new(element);
    if !walk.take(b'{') {
        return false;
    }
    let (mut kind, mut properties, mut geometry) = (false, false, false);
    while let Some(key) = walk.key() {
        let first = walk.peek();
        let value = walk.value();
        match key {
            b"\"type\"" => kind = value == b"\"Feature\"",
            b"\"properties\"" => properties = matches!(first, Some(b'{' | b'n')),
            b"\"geometry\"" => geometry = matches!(first, Some(b'{' | b'n')),
            _ => {}
        }
    }
    kind && properties && geometry
}

/// Tells what is not read of features.
pub(super) fn geometry_left_out() -> Note {
    Note::new(
        NoteCode::GeometryLeftOut,
        text!(
            "the properties of the GeoJSON features are read, their geometry is left out",
            "свойства объектов GeoJSON прочитаны, их геометрия пропущена"
        ),
    )
}
