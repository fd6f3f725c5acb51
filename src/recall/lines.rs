//! Records as text, one JSON object a line, to keep elsewhere and to bring back.

use super::{Recall, Record};
use crate::error::{Code, Diagnostic};
use serde_json::Value as Json;

/// A line that is not a record.
#[derive(Debug, Clone, PartialEq)]
pub struct BadLine {
    /// Its number, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub problem: Diagnostic,
}

/// What became of the lines of an import.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Imported {
    /// Questions that were not known.
    pub added: usize,
    /// Questions that were known, with an older record.
    pub updated: usize,
    /// Questions whose own record is newer, which stayed.
    pub kept: usize,
    /// Lines that are not records, which were passed over.
    pub bad: Vec<BadLine>,
}

impl Recall {
    /// The records of a data set, or all of them, by number.
    pub fn export(&self, context_code: Option<&str>) -> String {
        let mut records: Vec<&Record> = self
            .contexts
            .iter()
            .filter(|(code, _)| context_code.is_none_or(|wanted| wanted == code.as_str()))
            .flat_map(|(_, context)| context.records())
            .collect();
        records.sort_by_key(|r| r.id);
        let mut lines = String::new();
        for record in records {
            lines.push_str(&record.to_json().to_string());
            lines.push('\n');
        }
        lines
    }

    /// Takes in lines of [`Recall::export`]. Of two records of one question the later one stays, and
    /// that of the import where they are of the same time. A bad line takes nothing else with it.
    pub fn import(&mut self, bytes: &[u8]) -> Imported {
        let mut imported = Imported::default();
        let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
        for (at, line) in bytes.split(|b| *b == b'\n').enumerate() {
            if line.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            match read(line) {
                Ok(record) => self.take_newer(record, &mut imported),
                Err(problem) => imported.bad.push(BadLine { line: at + 1, problem: *problem }),
            }
        }
        imported
    }

    fn take_newer(&mut self, mut record: Record, imported: &mut Imported) {
        let before = self.of_key(&record.context_code, &record.key());
        match before.map(|r| (r.id, r.updated_at > record.updated_at)) {
            Some((_, true)) => imported.kept += 1,
            Some((id, false)) => {
                imported.updated += 1;
                record.id = id;
                self.keep(record);
            }
            None => {
                imported.added += 1;
                record.id = self.free_id(&record);
                self.keep(record);
            }
        }
    }
}

fn read(line: &[u8]) -> Result<Record, Box<Diagnostic>> {
    let json: Json = serde_json::from_slice(line).map_err(|error| {
        let column = error.column();
        let told =
            text!("not JSON from character {column} on", "не JSON начиная с символа {column}");
        Box::new(Diagnostic::new(Code::BadRow, told))
    })?;
    Record::from_json(&json)
}
