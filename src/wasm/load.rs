//! Loads under way: options in, chunks in, a table out.

use crate::engine::LoadedTable;
use crate::engine::ingest::{Loader, Options, Report};
use crate::error::{Code, Diagnostic, Error, Locale, Result};
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
    loader: Loader,
    /// Column classes of the policy that the caller named for this table.
    classes: Json,
}

/// A finished load.
pub(super) struct Loaded {
    pub(super) table: LoadedTable,
    pub(super) report: Report,
    pub(super) name: String,
    pub(super) classes: Json,
}

impl Loads {
    /// Starts one.
    pub(super) fn begin(&mut self, name: &str, mut options: Json) -> Result<u32> {
        let classes = options
            .as_object_mut()
            .and_then(|fields| {
                if let Some(format) = fields.shift_remove("format")
                    && format != "csv"
                {
                    fields.insert("format".to_owned(), format);
                }
                if let Some(choice) = fields.shift_remove("on_bad_row") {
                    fields.insert("onBadRow".to_owned(), choice);
                }
                fields.shift_remove("classes")
            })
            .unwrap_or(Json::Null);
        let loader = Loader::new(name, Options::from_json(&options)?)?;
        self.last += 1;
        self.open.insert(self.last, Load { name: name.to_owned(), loader, classes });
        Ok(self.last)
    }

    /// Takes the next bytes: how many bytes and rows there are by now.
    pub(super) fn push(&mut self, number: u32, bytes: &[u8]) -> Result<(u64, u64)> {
        let load = self.open.get_mut(&number).ok_or_else(gone)?;
        let progress = load.loader.push(bytes)?;
        Ok((progress.bytes, progress.rows))
    }

    /// Ends one and gives its table.
    pub(super) fn finish(&mut self, number: u32) -> Result<Loaded> {
        let load = self.open.remove(&number).ok_or_else(gone)?;
        let crate::engine::ingest::Loaded { table, report } = load.loader.finish()?;
        Ok(Loaded { table, report, name: load.name, classes: load.classes })
    }

    /// Drops one; nothing of it is left.
    pub(super) fn abort(&mut self, number: u32) {
        self.open.remove(&number);
    }
}

/// The report as the page sees it, its notes in one language.
pub(super) fn report_json(report: &Report, locale: Locale) -> Json {
    let mut json = serde_json::to_value(report).unwrap_or_default();
    if let Some(notes) = json.get_mut("notes").and_then(Json::as_array_mut) {
        for (note, own) in notes.iter_mut().zip(&report.notes) {
            note["text"] = own.text.get(locale).into();
        }
    }
    json
}

fn gone() -> Error {
    Diagnostic::new(
        Code::Cancelled,
        text!("this load was ended before", "эта загрузка уже закончена"),
    )
    .into()
}
