//! Loads under way: options in, chunks in, a table out. Files, rows for a table that is there, and
//! tables that were kept on the device.

use super::protection::Load as Said;
use crate::engine::ingest::{self, Ending, Loader, Options, Report, Room};
use crate::engine::{LoadedTable, Reopening};
use crate::error::{Code, Diagnostic, Error, Locale, Result};
use crate::schema::TableSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use std::collections::HashMap;

/// Loads under way, by number.
#[derive(Default)]
pub(super) struct Loads {
    last: u32,
    open: HashMap<u32, Load>,
    /// Those that only have to be put in their place.
    settled: HashMap<u32, Loaded>,
}

struct Load {
    name: String,
    reading: Reading,
    /// Those of its options that say what values mean.
    values: Json,
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

/// A load whose bytes are all there.
pub(super) struct Ended {
    name: String,
    reading: EndedReading,
    values: Json,
    said: Said,
    append: bool,
}

enum EndedReading {
    File(Box<Ending>),
    Kept(Box<Reopening>),
}

/// A finished load.
pub(super) struct Loaded {
    pub(super) table: LoadedTable,
    pub(super) about: About,
    pub(super) name: String,
    pub(super) said: Said,
    /// Its rows go to the table of this name that is there.
    pub(super) append: bool,
}

impl Loads {
    /// Starts one within the engine's room; `there` is the table that has its name.
    pub(super) fn begin(
        &mut self,
        name: &str,
        mut options: Json,
        there: Option<(&TableSchema, &About)>,
        room: Room,
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
        let mut values = Json::Null;
        let reading = if kept {
            Reading::Kept(Box::new(Reopening::within(room)))
        } else if append {
            let (schema, about) = there.ok_or_else(|| nothing_to_append_to(name))?;
            fill(&mut options, &about.values);
            let options = Options::from_json(&options)?.like(schema);
            Reading::File(Box::new(Loader::new(name, options)?.within(room)))
        } else {
            values = values_of(&options);
            let loader = Loader::new(name, Options::from_json(&options)?)?;
            Reading::File(Box::new(loader.within(room)))
        };
        self.last += 1;
        let load = Load { name: name.to_owned(), reading, values, said, append };
        self.open.insert(self.last, load);
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

    /// Keeps one that only has to be put in its place.
    pub(super) fn keep(&mut self, number: u32, settled: Loaded) {
        self.settled.insert(number, settled);
    }

    /// One that only has to be put in its place.
    pub(super) fn take(&mut self, number: u32) -> Result<Loaded> {
        self.settled.remove(&number).ok_or_else(gone)
    }

    /// Ends one, which gives its table in steps.
    pub(super) fn end(&mut self, number: u32) -> Result<Ended> {
        let Load { name, reading, values, said, append } =
            self.open.remove(&number).ok_or_else(gone)?;
        let reading = match reading {
            Reading::File(loader) => EndedReading::File(Box::new(loader.end()?)),
            Reading::Kept(reopening) => EndedReading::Kept(reopening),
        };
        Ok(Ended { name, reading, values, said, append })
    }

    /// Drops one; nothing of it is left.
    pub(super) fn abort(&mut self, number: u32) {
        self.open.remove(&number);
        self.settled.remove(&number);
    }
}

impl Ended {
    /// Does the next step; whether there was another.
    pub(super) fn step(&mut self) -> Result<bool> {
        match &mut self.reading {
            EndedReading::File(ending) => ending.step(),
            EndedReading::Kept(_) => Ok(false),
        }
    }

    /// Its table.
    pub(super) fn loaded(self, locale: Locale) -> Result<Loaded> {
        let Self { name, reading, mut values, mut said, append } = self;
        match reading {
            EndedReading::File(ending) => {
                let ingest::Loaded { table, report } = ending.table()?;
                // How its values turned out to be written holds for rows to come.
                let found = json!({"csv": {"dates": report.dates, "decimal": report.decimal}});
                fill(&mut values, &found);
                let about = About { report: report_json(&report, locale), values };
                Ok(Loaded { table, about, name, said, append })
            }
            EndedReading::Kept(reopening) => {
                let (table, note) = reopening.finish(&name)?;
                let kept: Note = serde_json::from_value(note).unwrap_or_default();
                fill(&mut said.classes, &kept.said.classes);
                let said = kept.said.with(said.classes);
                Ok(Loaded { table, about: kept.about, name, said, append: false })
            }
        }
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
    pub(super) about: About,
    pub(super) said: Said,
}

/// How a table was read.
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct About {
    /// What the page sees of it.
    pub(super) report: Json,
    /// Options that say what its values mean: they hold for rows that are appended.
    pub(super) values: Json,
}

/// The options that say what values mean, whatever the file looks like.
fn values_of(options: &Json) -> Json {
    let mut values = json!({});
    for name in ["nulls", "timesIn", "columns"] {
        fill(&mut values, &json!({ name: options.get(name) }));
    }
    let csv = |name: &str| options.get("csv").and_then(|csv| csv.get(name));
    fill(&mut values, &json!({"csv": {"dates": csv("dates"), "decimal": csv("decimal")}}));
    values
}

/// Adds what `own` lacks of `more`, in objects inside as well.
fn fill(own: &mut Json, more: &Json) {
    if own.is_null() {
        own.clone_from(more);
    } else if let (Some(own), Some(more)) = (own.as_object_mut(), more.as_object()) {
        for (name, value) in more.iter().filter(|(_, value)| !value.is_null()) {
            fill(own.entry(name.clone()).or_insert(Json::Null), value);
        }
    }
}

/// There is no table of this name.
pub(super) fn nothing_to_append_to(name: &str) -> Error {
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
