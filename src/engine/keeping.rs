//! Tables that leave an engine as Arrow IPC and come back as they were, and tables that get more
//! rows. What is kept stays on the device: nothing here is anything that can be sent.

use super::Engine;
use super::errors::from_arrow;
use super::ingest::{Room, goes_below_zero, is_fraction};
use super::tables::LoadedTable;
use crate::error::{Code, Diagnostic, Error, Result, closest};
use crate::schema::{Column, Kind, TableSchema};
use arrow::array::RecordBatch;
use arrow::buffer::Buffer;
use arrow::datatypes::Schema;
use arrow::ipc::reader::StreamDecoder;
use arrow::ipc::writer::StreamWriter;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use std::sync::Arc;

/// The key of what is said of a kept table, in the metadata of its Arrow schema.
const KEY: &str = "pinhole";

/// The version of what is said there.
const VERSION: u32 = 1;

/// What is said of a kept table beside its rows.
#[derive(Serialize, Deserialize)]
struct Said {
    version: u32,
    schema: TableSchema,
    folds: Vec<u64>,
    /// The distinct values of each column that has few: a schema on its own does not tell them.
    values: Vec<Option<Vec<String>>>,
    /// What the host wants to find again.
    note: Json,
}

/// A table on its way out, batch by batch: an Arrow IPC stream that any program can read.
pub struct Keeping {
    batches: std::vec::IntoIter<RecordBatch>,
    writer: StreamWriter<Vec<u8>>,
    ended: bool,
}

impl Keeping {
    /// The next bytes of the stream; none at its end.
    ///
    /// # Errors
    /// A mistake of ours.
    pub fn next_bytes(&mut self) -> Result<Option<Vec<u8>>> {
        if self.ended {
            return Ok(None);
        }
        if let Some(batch) = self.batches.next() {
            self.writer.write(&batch).map_err(from_arrow)?;
        } else {
            self.writer.finish().map_err(from_arrow)?;
            self.ended = true;
        }
        Ok(Some(std::mem::take(self.writer.get_mut())))
    }
}

/// A kept table on its way in: the bytes of its stream in pieces of any size.
#[derive(Default)]
pub struct Reopening {
    decoder: StreamDecoder,
    batches: Vec<RecordBatch>,
    bytes: u64,
    rows: u64,
    room: Room,
}

impl Reopening {
    /// One for which an engine has this much room.
    pub fn within(room: Room) -> Self {
        Self { room, ..Self::default() }
    }

    /// Takes the next bytes: how many bytes and rows there are by now.
    ///
    /// # Errors
    /// The bytes are no table that was kept; memory ends.
    pub fn push(&mut self, bytes: &[u8]) -> Result<(u64, u64)> {
        self.bytes += bytes.len() as u64;
        self.room.more(bytes.len())?;
        let mut buffer = Buffer::from(bytes);
        while !buffer.is_empty() {
            let batch = self.decoder.decode(&mut buffer).map_err(|_| not_kept())?;
            self.rows += batch.as_ref().map_or(0, |b| b.num_rows() as u64);
            self.batches.extend(batch);
        }
        Ok((self.bytes, self.rows))
    }

    /// The end of the bytes: the table under `name`, and what the host noted of it.
    ///
    /// # Errors
    /// The bytes are no table that was kept, or end too early.
    pub fn finish(mut self, name: &str) -> Result<(LoadedTable, Json)> {
        self.decoder.finish().map_err(|_| not_kept())?;
        let arrow = self.decoder.schema().ok_or_else(not_kept)?;
        let said = arrow.metadata().get(KEY).and_then(|said| serde_json::from_str(said).ok());
        let Said { version, mut schema, folds, values, note } = said.ok_or_else(not_kept)?;
        if version != VERSION || schema.rows != self.rows {
            return Err(not_kept());
        }
        name.clone_into(&mut schema.name);
        for (column, values) in schema.columns.iter_mut().zip(values) {
            column.values = values;
        }
        let arrow = Arc::new(Schema::new(arrow.fields().clone()));
        let batches = self.batches.into_iter().map(|batch| {
            RecordBatch::try_new(arrow.clone(), batch.columns().to_vec()).map_err(from_arrow)
        });
        let batches = batches.collect::<Result<Vec<_>>>()?;
        for (i, column) in schema.columns.iter_mut().enumerate() {
            let arrays = || batches.iter().filter_map(|batch| batch.columns().get(i));
            column.signed = arrays().any(goes_below_zero);
            column.fraction = arrays().next().is_some() && arrays().all(is_fraction);
        }
        Ok((LoadedTable::settled(schema, arrow, batches, folds).within(self.room), note))
    }
}

impl Engine {
    /// Starts taking the table `name` out, with a `note` of the host that comes back with it.
    ///
    /// # Errors
    /// There is no such table.
    pub fn keep(&self, name: &str, note: Json) -> Result<Keeping> {
        let table = self.taken(name)?;
        let values = table.schema.columns.iter().map(|c| c.values.clone()).collect();
        let said =
            Said { version: VERSION, schema: table.schema, folds: table.folds, values, note };
        let said = serde_json::to_string(&said).map_err(|e| Error::Internal(e.to_string()))?;
        let fields = table.arrow.fields().clone();
        let arrow = Schema::new(fields).with_metadata([(KEY.to_owned(), said)].into());
        let writer = StreamWriter::try_new(Vec::new(), &arrow).map_err(from_arrow)?;
        Ok(Keeping { batches: table.batches.into_iter(), writer, ended: false })
    }

    /// The table of the same name with the rows of `more` after its own, for [`Engine::insert`].
    /// Columns are matched by name; whole numbers and numbers with a fraction go together.
    ///
    /// # Errors
    /// There is no such table; every column that one of the two lacks or that is of another kind.
    pub fn joined(&self, more: LoadedTable) -> Result<LoadedTable> {
        let table = self.taken(&more.schema.name)?;
        let problems = differences(&table.schema, &more);
        if !problems.is_empty() {
            return Err(Error::Input(problems));
        }
        table.joined(more)
    }

    /// There is no table of this name.
    pub(super) fn no_table(&self, name: &str) -> Error {
        let tables = self.shared.tables.borrow();
        let names = tables.iter().map(|t| t.schema.name.as_str());
        let message = text!("there is no table `{name}`", "нет таблицы `{name}`");
        Diagnostic::new(Code::UnknownTable, message).choices(closest(name, names, 5)).into()
    }

    /// A table as it was taken in.
    fn taken(&self, name: &str) -> Result<LoadedTable> {
        let tables = self.shared.tables.borrow();
        let stored = tables.iter().find(|t| t.schema.name == name);
        let stored = stored.ok_or_else(|| self.no_table(name))?;
        // The virtual columns stand after the table's own.
        let own = stored.data.schema().fields().iter().take(stored.schema.columns.len());
        let arrow = Arc::new(Schema::new(own.cloned().collect::<Vec<_>>()));
        let batches = stored.data.batches().to_vec();
        let (schema, folds) = ((*stored.schema).clone(), stored.folds.clone());
        Ok(LoadedTable::settled(schema, arrow, batches, folds))
    }
}

/// What keeps the rows of `more` out of `table`.
fn differences(table: &TableSchema, rows: &LoadedTable) -> Vec<Diagnostic> {
    let more = rows.schema();
    let names = |schema: &TableSchema| schema.columns.iter().map(|c| c.name.clone()).collect();
    let (own, others): (Vec<String>, Vec<String>) = (names(table), names(more));
    let missing = own.iter().filter(|name| !others.contains(name)).map(|name| {
        let message = text!(
            "the rows to append have no column `{name}`",
            "в добавляемых строках нет столбца `{name}`"
        );
        let close = closest(name, others.iter().map(String::as_str), 5);
        Diagnostic::new(Code::UnknownColumn, message).choices(close)
    });
    let extra = others.iter().filter(|name| !own.contains(name)).map(|name| {
        let message = text!("the table has no column `{name}`", "в таблице нет столбца `{name}`");
        let close = closest(name, own.iter().map(String::as_str), 5);
        Diagnostic::new(Code::UnknownColumn, message).choices(close)
    });
    let unlike = table.columns.iter().filter_map(|column| {
        let other = more.column(&column.name)?;
        let (name, is, was) = (&column.name, other.kind.name(), column.kind.name());
        // exact numbers stay exact
        let exact = |kind| matches!(kind, Kind::Decimal(_));
        let rough = |kind| kind == Kind::Float;
        let (a, b) = (other.kind, column.kind);
        let mixed = (exact(a) && rough(b)) || (rough(a) && exact(b));
        let alike = is == was || (a.is_numeric() && b.is_numeric() && !mixed);
        let message = text!(
            "column `{name}` is {is} in the rows to append and {was} in the table",
            "столбец `{name}` в добавляемых строках {is}, а в таблице {was}"
        );
        let alike = alike || rows.is_blank(other);
        if alike && column.unit != other.unit && column.unit.is_some() && other.unit.is_some() {
            let unit = |c: &Column| c.unit.clone().unwrap_or_default();
            let (is, was) = (unit(other), unit(column));
            let message = text!(
                "column `{name}` is in {is} in the rows to append and in {was} in the table",
                "столбец `{name}` в добавляемых строках в {is}, а в таблице в {was}"
            );
            return Some(Diagnostic::new(Code::TypeMismatch, message));
        }
        (!alike).then(|| Diagnostic::new(Code::TypeMismatch, message))
    });
    missing.chain(extra).chain(unlike).collect()
}

fn not_kept() -> Error {
    let message = text!(
        "these bytes are no table that pinhole kept, or not all of it",
        "это не таблица, сохранённая pinhole, или не вся"
    );
    Diagnostic::new(Code::BrokenFile, message).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::ingest::{Loader, Options as Reading};
    use crate::engine::{Execution, Options};
    use crate::query::check_json;
    use crate::value::Value;
    use serde_json::json;

    fn engine() -> Engine {
        Engine::new(Options::default()).expect("an engine")
    }

    fn load(csv: &str, options: &Json) -> LoadedTable {
        let reading = Reading::from_json(options).expect("options");
        let mut loader = Loader::new("t", reading).expect("a loader");
        loader.push(csv.as_bytes()).expect("text");
        loader.finish().expect("a table").table
    }

    /// Every row of the table, its cells as text.
    fn rows(engine: &mut Engine, query: &Json) -> Vec<String> {
        let checked = check_json(query, &engine.tables()).expect("a query");
        let outcome = engine.start(&Arc::new(checked)).and_then(Execution::finish);
        let outcome = outcome.expect("a result");
        let row = |row| {
            let cells = (0..outcome.columns.len()).map(|c| match outcome.rows.value(row, c) {
                Value::Null => "-".to_owned(),
                value => value.to_string(),
            });
            cells.collect::<Vec<_>>().join(" ")
        };
        (0..outcome.rows.len()).map(row).collect()
    }

    /// Rows are read as those of the table, which are found again among all.
    fn append(engine: &mut Engine, csv: &str) -> Result<Arc<TableSchema>> {
        let schema = engine.tables().remove(0);
        let before = rows(engine, &json!({}));
        let mut loader = Loader::new("t", Reading::default().like(&schema))?;
        loader.push(csv.as_bytes())?;
        let joined = engine.joined(loader.finish()?.table)?;
        let grown = joined.grown().cloned().expect("appended rows");
        let settled = engine.insert(joined)?;
        let after = rows(engine, &json!({}));
        assert_eq!((grown.from, settled.grown_from), (schema.version, Some(schema.version)));
        assert_eq!((grown.before, grown.rows), (before.len(), after.len()));
        for (row, text) in before.iter().enumerate() {
            assert_eq!(&after[grown.place(row)], text, "{csv:?}");
        }
        Ok(settled)
    }

    #[test]
    fn a_kept_table_comes_back_as_it_was() {
        let csv = "time,x,word,day,yes\n\
            2024-10-27T00:30:00Z,1,a,2024-01-01,true\n\
            2024-10-27T01:30:00Z,,b,,false\n\
            2024-10-27T02:30:00Z,3.5,,2024-01-03,\n";
        let options = json!({
            "timezone": "Europe/Berlin", "units": {"x": "EUR"}, "labels": {"x": "Price"},
            "synonyms": {"columns": {"x": ["цена"]}, "values": {"word": {"a": ["альфа"]}}}, "resample": {"x": "mean"},
        });
        let mut first = engine();
        let before = first.insert(load(csv, &options)).expect("taken in");
        let mut keeping = first.keep("t", json!({"any": ["note"]})).expect("kept");
        let mut bytes = Vec::new();
        while let Some(piece) = keeping.next_bytes().expect("bytes") {
            bytes.extend(piece);
        }
        for step in [1, 7, bytes.len()] {
            let mut reopening = Reopening::default();
            for piece in bytes.chunks(step) {
                reopening.push(piece).expect("a piece");
            }
            let (table, note) = reopening.finish("t").expect("a table");
            assert_eq!(note, json!({"any": ["note"]}));
            let mut second = engine();
            let after = second.insert(table).expect("taken in");
            assert_eq!(*after, *before);
            for query in [json!({}), json!({"from": "1h", "select": "mean(x)"})] {
                assert_eq!(rows(&mut second, &query), rows(&mut first, &query), "{query}");
            }
        }
    }

    #[test]
    fn what_was_not_kept_does_not_come_back() {
        let mut first = engine();
        first.insert(load("a\n1\n2\n", &json!({}))).expect("taken in");
        let mut keeping = first.keep("t", Json::Null).expect("kept");
        let mut bytes = Vec::new();
        while let Some(piece) = keeping.next_bytes().expect("bytes") {
            bytes.extend(piece);
        }
        let reopened = |bytes: &[u8]| {
            let mut reopening = Reopening::default();
            reopening.push(bytes)?;
            reopening.finish("t").map(|(table, _)| table.rows())
        };
        assert_eq!(reopened(&bytes), Ok(2));
        for end in 0..bytes.len() - 8 {
            assert!(reopened(&bytes[..end]).is_err(), "{end} of {} bytes", bytes.len());
        }
        assert!(reopened(b"a,b\n1,2\n").is_err());
        assert!(first.keep("nothing", Json::Null).is_err());
    }

    #[test]
    fn appended_rows_come_after_or_in_time_order() {
        let check = |first: &str, more: &str, expected: &[&str]| {
            let mut engine = engine();
            let before = engine.insert(load(first, &json!({}))).expect("taken in");
            let after = append(&mut engine, more).expect("appended");
            assert_eq!(rows(&mut engine, &json!({})), expected, "{more:?}");
            assert_eq!((after.rows, after.version), (expected.len() as u64, before.version + 1));
        };
        check("a,b\n1,x\n2,y\n", "a,b\n3,z\n", &["1 x", "2 y", "3 z"]);
        check("a,b\n1,x\n2,y\n", "b,a\nz,\n", &["1 x", "2 y", "- z"]);
        check("a\n1\n", "a\n5000000000\n", &["1", "5000000000"]);
        check("a\n1.5\n", "a\n2\n", &["1.5", "2"]);
        check("zip,n\n01067,1\n", "zip,n\n80331,2\n", &["01067 1", "80331 2"]);
        check(
            "day,x\n2024-01-02,1\n2024-01-04,2\n",
            "day,x\n2024-01-05,4\n2024-01-03,3\n",
            &["2024-01-02 1", "2024-01-03 3", "2024-01-04 2", "2024-01-05 4"],
        );
        let many = |from: u32| {
            (from..from + 3000).fold("w\n".to_owned(), |s, i| s + &format!("w{}\n", i % 7))
        };
        let (first, more) = (many(0), many(3));
        let all: Vec<String> =
            first.lines().skip(1).chain(more.lines().skip(1)).map(str::to_owned).collect();
        check(&first, &more, &all.iter().map(String::as_str).collect::<Vec<_>>());
    }

    #[test]
    fn appending_keeps_the_doubled_hour_apart() {
        let zone = json!({"timezone": "Europe/Berlin", "resample": {"x": "sum"}});
        let lines = |hours: std::ops::Range<u32>| {
            hours.fold("time,x\n".to_owned(), |s, h| {
                s + &format!("2024-10-26T{h:02}:15:00Z,{h}\n2024-10-26T{h:02}:45:00Z,{h}\n")
            })
        };
        // 24 to 26 are the hours around the change, on the day after.
        let shift = |text: String| {
            (24..28).fold(text, |t, h| {
                t.replace(&format!("2024-10-26T{h}"), &format!("2024-10-27T{:02}", h - 24))
            })
        };
        let of = |hours| shift(lines(hours));
        let whole = of(22..27);
        let bars = json!({"from": "1h"});
        let mut once = engine();
        once.insert(load(&whole, &zone)).expect("taken in");
        for (first, more) in [(22..25, 25..27), (22..24, 24..27), (24..27, 22..24)] {
            let mut twice = engine();
            twice.insert(load(&of(first), &zone)).expect("taken in");
            append(&mut twice, &of(more)).expect("appended");
            assert_eq!(rows(&mut twice, &json!({})), rows(&mut once, &json!({})));
            assert_eq!(rows(&mut twice, &bars), rows(&mut once, &bars));
        }
    }

    #[test]
    fn decimals_come_back_and_take_only_what_they_hold() {
        let mut first = engine();
        let types = json!({"types": {"price": "decimal(2)"}});
        let before = first.insert(load("price,n\n1.50,1\n-0.1,2\n", &types)).expect("taken in");
        assert_eq!(before.column("price").map(|c| c.kind), Some(Kind::Decimal(2)));
        let mut keeping = first.keep("t", Json::Null).expect("kept");
        let mut reopening = Reopening::default();
        while let Some(piece) = keeping.next_bytes().expect("bytes") {
            reopening.push(&piece).expect("a piece");
        }
        let (table, _) = reopening.finish("t").expect("a table");
        let mut second = engine();
        let after = second.insert(table).expect("taken in");
        assert_eq!((after.column("price"), after.rows), (before.column("price"), 2));
        append(&mut second, "price,n\n7,3\n2.5,4\n").expect("appended");
        assert_eq!(rows(&mut second, &json!({})), ["1.50 1", "-0.10 2", "7.00 3", "2.50 4"]);
        assert!(append(&mut second, "price,n\n0.125,5\n").is_err());
        let other = |text: &str, kind: &str| load(text, &json!({"types": {"price": kind}}));
        assert!(second.joined(other("price,n\n0.5,5\n", "number")).is_err());
        let wider = second.joined(other("price,n\n0.125,5\n", "decimal(3)")).expect("joined");
        second.insert(wider).expect("taken in");
        assert_eq!(rows(&mut second, &json!({"where": "n in [1, 5]"})), ["1.500 1", "0.125 5"]);
        let most = format!("price,n\n{},6\n", "9".repeat(38));
        let error = second.joined(other(&most, "decimal(0)")).expect_err("too long");
        let codes: Vec<Code> = error.diagnostics().iter().map(|d| d.code).collect();
        assert_eq!(codes, [Code::DecimalOverflow]);
    }

    #[test]
    fn rows_that_do_not_fit_are_refused_with_every_reason() {
        let mut engine = engine();
        engine.insert(load("a,b,c\n1,x,2024-01-01\n", &json!({}))).expect("taken in");
        let refused = append(&mut engine, "a,d,c\nq,y,2024-01-02\n");
        let codes: Vec<Code> = match refused {
            Err(error) => error.diagnostics().iter().map(|d| d.code).collect(),
            Ok(_) => Vec::new(),
        };
        assert_eq!(codes, [Code::BadOption]);
        let texts = engine.joined(load("a,d,c\nq,y,2024-01-02\n", &json!({})));
        let codes: Vec<Code> = match texts {
            Err(error) => error.diagnostics().iter().map(|d| d.code).collect(),
            Ok(_) => Vec::new(),
        };
        assert_eq!(codes, [Code::UnknownColumn, Code::UnknownColumn, Code::TypeMismatch]);
        assert_eq!(rows(&mut engine, &json!({})), ["1 x 2024-01-01"]);
    }
}
