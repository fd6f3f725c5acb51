//! Names of columns: every one unique in its table, made up where the file has none.

use super::report::{Note, NoteCode};
use std::collections::{HashMap, HashSet};

/// Names with a note of their own.
const MOST_TOLD: usize = 100;

/// The name of a column.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Name {
    /// Unique in its table.
    pub name: String,
    /// The file has none; this one was made up.
    pub made: bool,
}

/// Names that columns have.
struct Taken<'a> {
    names: HashSet<String>,
    /// The numbers that were not tried yet, by name.
    next: HashMap<&'a str, usize>,
}

impl<'a> Taken<'a> {
    /// The name, or where it is taken the name with the first number from 2 on that is not.
    fn unused(&mut self, name: &str) -> String {
        self.numbered(name, &mut 2)
    }

    /// The same for a name that may come often.
    fn again(&mut self, name: &'a str) -> String {
        let mut number = self.next.get(name).copied().unwrap_or(2);
        let unique = self.numbered(name, &mut number);
        self.next.insert(name, number);
        unique
    }

    fn numbered(&mut self, name: &str, number: &mut usize) -> String {
        let mut candidate = name.to_owned();
        while !self.names.insert(candidate.clone()) {
            candidate = format!("{name}_{number}");
            *number += 1;
        }
        candidate
    }
}

/// Makes names unique, and makes them up where there are none.
pub(super) fn unique(header: &[&str], notes: &mut Vec<Note>) -> Vec<Name> {
    let names = header.iter().map(|name| (*name).to_owned()).collect();
    let mut taken = Taken { names, next: HashMap::new() };
    let mut seen = HashSet::new();
    let mut out = Vec::with_capacity(header.len());
    let mut told = 0;
    for (i, &name) in header.iter().enumerate() {
        let number = i + 1;
        let made = name.is_empty();
        if !made && seen.insert(name) {
            out.push(Name { name: name.to_owned(), made });
            continue;
        }
        let unique =
            if made { taken.unused(&format!("column_{number}")) } else { taken.again(name) };
        told += 1;
        if told > MOST_TOLD {
            out.push(Name { name: unique, made });
            continue;
        }
        notes.push(if made {
            Note::new(
                NoteCode::NameMade,
                text!(
                    "column {number} has no name; it is called `{unique}`",
                    "у столбца {number} нет имени; он назван `{unique}`"
                ),
            )
        } else {
            Note::new(
                NoteCode::NameMadeUnique,
                text!(
                    "the name `{name}` occurs more than once; column {number} is called `{unique}`",
                    "имя `{name}` встречается не раз; столбец {number} назван `{unique}`"
                ),
            )
        }
        .column(&unique));
        out.push(Name { name: unique, made });
    }
    if told > MOST_TOLD {
        let more = told - MOST_TOLD;
        notes.push(Note::new(
            NoteCode::NameMadeUnique,
            text!(
                "more columns whose name is missing or not the only one: {more}",
                "ещё столбцов без имени или с повторным именем: {more}"
            ),
        ));
    }
    out
}
