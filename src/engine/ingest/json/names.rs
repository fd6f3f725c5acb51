//! Names of columns: no two the same, none empty.

use crate::engine::ingest::report::{Note, NoteCode};
use std::collections::HashMap;

/// All names together may be this long: nested objects repeat the names of those around them.
const LONGEST: usize = 16 << 20;

/// The names given out.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// With the number that a copy of each name gets.
    taken: HashMap<String, u64>,
    length: usize,
}

impl Names {
    /// The name of the column with this number.
    pub(super) fn unique(&mut self, path: Vec<u8>, number: usize, notes: &mut Vec<Note>) -> String {
        let path = String::from_utf8(path).unwrap_or_default();
        let made = path.trim().is_empty();
        let wanted = if made { format!("column_{number}") } else { path };
        self.length += wanted.len();
        let mut name = wanted.clone();
        let mut copy = self.taken.get(&name).copied().unwrap_or(2);
        while self.taken.contains_key(&name) {
            name = format!("{wanted}_{copy}");
            copy += 1;
        }
        if made {
            notes.push(
                Note::new(
                    NoteCode::NameMade,
                    text!(
                        "a field has no name; its column is called `{name}`",
                        "у поля нет имени; его столбец назван `{name}`"
                    ),
                )
                .column(&name),
            );
        } else if name != wanted {
            notes.push(
                Note::new(
                    NoteCode::NameMadeUnique,
                    text!(
                        "the name `{wanted}` occurs more than once; column {number} is called `{name}`",
                        "имя `{wanted}` встречается не раз; столбец {number} назван `{name}`"
                    ),
                )
                .column(&name),
            );
        }
        self.taken.insert(wanted, copy);
        self.taken.entry(name.clone()).or_insert(2);
        name
    }

    /// True when the names take more memory than names should.
    pub(super) fn too_long(&self) -> bool {
        self.length > LONGEST
    }
}
