//! Loads under way: options in, chunks in, a table out. Files, rows for a table that is there, and
//! tables that were kept on the device.

use super::protection::Load as Said;
use crate::engine::ingest::{Loader, Options, Report};
use crate::engine::{LoadedTable, Reopening};
use crate::error::{Code, Diagnostic, Error, Locale, Result};
use crate::schema::TableSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use std::collections::HashMap;

/// Loads under way, by number.
#[derive(Default)]
pub(super) struct Loads {
    last: u32,
    open: HashMap<u32, Load>,
}

struct Load {
    name: String,
    reading: Reading,
    /// What the caller named of the policy for this table.
    said: Said,
    append: bool,
}

/// What the bytes are.
enum Reading {
    /// A file of some format.
    File(Box<Loader>),
    /// A table that was kept on the device.
    Kept(Box<Reopening>),
}

/// A finished load.
pub(super) struct Loaded {
    pub(super) table: LoadedTable,
    /// What the page sees of how it was read.
    pub(super) report: Json,
    pub(super) name: String,
    pub(super) said: Said,
    /// Its rows go to the table of this name that is there.
    pub(super) append: bool,
}

impl Loads {
    /// Starts one; `there` is the table that has its name.
    pub(super) fn begin(
        &mut self,
        name: &str,
        mut options: Json,
        there: Option<&TableSchema>,
    ) -> Result<u32> {
        let mut take = |name: &str| options.as_object_mut().and_then(|o| o.shift_remove(name));
        let said = Said::with_classes(take("classes").unwrap_or_default());
        let append = take("append").is_some_and(|append| append == true);
        let kept = take("kept").is_some_and(|kept| kept == true);
        if let Some(choice) = take("on_bad_row")
            && let Some(fields) = options.as_object_mut()
        {
            fields.insert("onBadRow".to_owned(), choice);
        }
        let reading = if kept {
            Reading::Kept(Box::default())
        } else {
            let mut options = Options::from_json(&options)?;
            if append {
                options = options.like(there.ok_or_else(|| nothing_to_append_to(name))?);
            }
            Reading::File(Box::new(Loader::new(name, options)?))
        };
        self.last += 1;
        self.open.insert(self.last, Load { name: name.to_owned(), reading, said, append });
        Ok(self.last)
    }

    /// Takes the next bytes: how many bytes and rows there are by now.
    pub(super) fn push(&mut self, number: u32, bytes: &[u8]) -> Result<(u64, u64)> {
        let load = self.open.get_mut(&number).ok_or_else(gone)?;
        match &mut load.reading {
            Reading::File(loader) => {
                let progress = loader.push(bytes)?;
                Ok((progress.bytes, progress.rows))
            }
            Reading::Kept(reopening) => reopening.push(bytes),
        }
    }

    /// Ends one and gives its table.
    pub(super) fn finish(&mut self, number: u32, locale: Locale) -> Result<Loaded> {
        let Load { name, reading, said, append } = self.open.remove(&number).ok_or_else(gone)?;
        match reading {
            Reading::File(loader) => {
                let crate::engine::ingest::Loaded { table, report } = loader.finish()?;
                let report = report_json(&report, locale);
                Ok(Loaded { table, report, name, said, append })
            }
            Reading::Kept(reopening) => {
                let (table, note) = reopening.finish(&name)?;
                let kept: Note = serde_json::from_value(note).unwrap_or_default();
                let (report, mut kept) = (kept.report, kept.said);
                if !said.classes.is_null() {
                    kept.classes = said.classes;
                }
                let said = kept;
                Ok(Loaded { table, report, name, said, append: false })
            }
        }
    }

    /// Drops one; nothing of it is left.
    pub(super) fn abort(&mut self, number: u32) {
        self.open.remove(&number);
    }
}

/// The report as the page sees it, its notes in one language.
fn report_json(report: &Report, locale: Locale) -> Json {
    let mut json = serde_json::to_value(report).unwrap_or_default();
    if let Some(notes) = json.get_mut("notes").and_then(Json::as_array_mut) {
        for (note, own) in notes.iter_mut().zip(&report.notes) {
            note["text"] = own.text.get(locale).into();
        }
    }
    json
}

/// What is kept of a table beside what the engine keeps.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Note {
    pub(super) report: Json,
    pub(super) said: Said,
}

fn nothing_to_append_to(name: &str) -> Error {
    Diagnostic::new(
        Code::UnknownTable,
        text!("there is no table `{name}` to append to", "нет таблицы `{name}`, некуда добавлять"),
    )
    .into()
}

fn gone() -> Error {
    Diagnostic::new(
        Code::Cancelled,
        text!("this load was ended before", "эта загрузка уже закончена"),
    )
    .into()
}
