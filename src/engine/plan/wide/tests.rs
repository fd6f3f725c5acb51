//! Rows of many columns: fetched wherever they lie, the same as few at a time.

use super::*;
use crate::engine::rows::cell;
use crate::engine::{Engine, LoadedTable, Options};
use crate::facts::Outcome;
use crate::query::{Query, check};
use crate::schema::{Column, Kind, TableSchema};
use crate::value::{Table, Value};
use arrow::array::{DictionaryArray, Int32Array, StringArray, UInt64Array};
use arrow::datatypes::DataType;
use serde_json::{Value as Json, json};

/// Batches of three, four and two rows.
fn data() -> Arc<TableData> {
    let fields = vec![
        Field::new("number", DataType::Int32, true),
        Field::new("text", DataType::Utf8, true),
        Field::new(
            "word",
            DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8)),
            true,
        ),
    ];
    let schema = Arc::new(Schema::new(fields));
    let word = |row: i32| (row % 4 != 2).then(|| ["b", "a", "c"][row as usize % 3]);
    let batch = |rows: std::ops::Range<i32>| {
        let numbers: Int32Array = rows.clone().map(|r| (r != 4).then_some(r * 10)).collect();
        let texts: StringArray = rows.clone().map(|r| (r != 1).then(|| format!("t{r}"))).collect();
        let words: DictionaryArray<arrow::datatypes::Int32Type> = rows.map(word).collect();
        let columns: Vec<ArrayRef> = vec![Arc::new(numbers), Arc::new(texts), Arc::new(words)];
        RecordBatch::try_new(schema.clone(), columns).unwrap()
    };
    Arc::new(TableData::new(&schema, vec![batch(0..3), batch(3..7), batch(7..9)]).unwrap())
}

#[test]
fn rows_are_fetched_wherever_they_lie() {
    let data = data();
    let (code, names) = data.codes(2).unwrap();
    let parts = vec![Part::Scan(1), Part::Made(1), Part::Scan(0), Part::Scan(code), Part::Scan(2)];
    let fetch = Fetch { data: data.clone(), parts };
    for numbers in [
        vec![],
        vec![0, 1, 2],
        vec![4, 5],
        vec![2, 3],
        vec![3, 4, 5, 6, 7],
        vec![6, 4, 3],
        vec![0, 2, 4, 8],
        vec![8, 0, 5, 1, 5],
    ] {
        let made = Int32Array::from_iter_values(0..numbers.len() as i32);
        let columns: Vec<ArrayRef> =
            vec![Arc::new(UInt64Array::from(numbers.clone())), Arc::new(made)];
        let schema = Arc::new(Schema::new(vec![
            Field::new("o0", DataType::UInt64, false),
            Field::new("o1", DataType::Int32, false),
        ]));
        let rows = fetch.rows(&RecordBatch::try_new(schema, columns).unwrap()).unwrap();
        assert_eq!(rows.num_rows(), numbers.len());
        for (row, &number) in numbers.iter().enumerate() {
            let (batch, start) = data.place(number).unwrap();
            let own = |column: usize| {
                cell(data.batches()[batch].column(column), (number - start) as usize)
            };
            let code = match cell(rows.column(3), row) {
                Value::Int(code) => Value::text(names.value(code as usize)),
                other => other,
            };
            let found = [0, 1, 2, 4].map(|column| cell(rows.column(column), row));
            assert_eq!(found, [own(1), Value::Int(row as i64), own(0), own(2)], "{numbers:?}");
            assert_eq!(code, own(2), "{numbers:?}");
        }
    }
}

#[test]
fn a_row_beyond_the_table_is_an_error() {
    let fetch = Fetch { data: data(), parts: vec![Part::Scan(0)] };
    let schema = Arc::new(Schema::new(vec![Field::new("o0", DataType::UInt64, false)]));
    for numbers in [vec![9], vec![0, 9], vec![8, 9]] {
        let columns: Vec<ArrayRef> = vec![Arc::new(UInt64Array::from(numbers))];
        assert!(fetch.rows(&RecordBatch::try_new(schema.clone(), columns).unwrap()).is_err());
    }
}

#[test]
fn names_of_the_scan_are_told_from_those_that_a_plan_makes() {
    assert_eq!(place("c12"), Some(12));
    for name in ["m1", "c", "c+1", "c01", "count", "cc1"] {
        assert_eq!(place(name), None, "{name}");
    }
}

const WIDE: usize = FEW + 40;
const AT_A_TIME: usize = 50;
const ROWS: usize = 90;

/// Whole numbers, text and doubles, some of them missing, in time order.
fn engine() -> Engine {
    let columns: Vec<Column> = (0..WIDE)
        .map(|i| match i % 3 {
            _ if i == 0 => Column::new("day", Kind::Timestamp),
            0 => Column::new(format!("n{i}"), Kind::Int),
            1 => Column::new(format!("t{i}"), Kind::Text),
            _ => Column::new(format!("f{i}"), Kind::Float),
        })
        .collect();
    let value = |row: usize, i: usize| match i % 3 {
        _ if i == 0 => Value::Timestamp(row as i64 * 3_600_000_000),
        _ if (row * 7 + i).is_multiple_of(11) => Value::Null,
        0 => Value::Int(((row * 37 + i) % 23) as i64),
        1 => Value::text(["ash", "oak", "elm", "yew"][(row + i) % 4]),
        _ => Value::Float(((row * 31 + i * 5) % 100) as f64 / 8.0),
    };
    let mut schema = TableSchema::new("wide", columns.clone());
    schema.time = Some("day".into());
    let rows = (0..ROWS).map(|row| (0..WIDE).map(|i| value(row, i)).collect()).collect();
    let mut engine = Engine::new(Options::default()).unwrap();
    let table = LoadedTable::from_rows(schema, &Table { columns, rows }).unwrap();
    engine.insert(table).unwrap();
    engine
}

fn run(engine: &mut Engine, query: &Json) -> Arc<Outcome> {
    let query = check(&Query::from_json(query).unwrap(), &engine.tables()).unwrap();
    engine.start(&Arc::new(query)).unwrap().finish().unwrap()
}

#[test]
fn many_columns_come_as_few_at_a_time_do() {
    let mut engine = engine();
    for query in [
        json!({}),
        json!({"limit": 7}),
        json!({"where": "n3 > 11"}),
        json!({"where": "n3 > 11 and t4 != 'oak'", "limit": 5}),
        json!({"where": "n3 > 100"}),
        json!({"sort": ["t4", "f5 desc"]}),
        json!({"where": "n6 > 3", "sort": "f5 desc", "limit": 12}),
        json!({"map": {"twice": "n3 * 2", "t4": "upper(t7)", "same": "t10"}, "where": "twice > 20"}),
        json!({"map": {"before": "prev(n3)"}, "where": "n3 > before", "sort": "before", "limit": 9}),
        json!({"period": "1970-01-02", "where": "f5 > 3"}),
    ] {
        let whole = run(&mut engine, &query);
        assert!(whole.columns.len() >= WIDE, "{query}");
        let names: Vec<&str> = whole.columns.iter().map(|c| c.column.name.as_str()).collect();
        for (part, names) in names.chunks(AT_A_TIME).enumerate() {
            let mut few = query.clone();
            few["columns"] = json!(names);
            let few = run(&mut engine, &few);
            let counts = |o: &Outcome| (o.rows.len(), o.rows_scanned, o.rows_matched);
            assert_eq!(counts(&whole), counts(&few), "{query}");
            for (at, column) in few.columns.iter().enumerate() {
                let place = part * AT_A_TIME + at;
                assert_eq!(whole.columns[place].column, column.column, "{query}");
                for row in 0..whole.rows.len() {
                    let (a, b) = (whole.value(row, place), few.value(row, at));
                    assert_eq!(a, b, "{query}: {row} {place}");
                }
            }
        }
    }
}

#[test]
fn the_rows_behind_a_group_have_all_their_columns() {
    let mut engine = engine();
    let groups =
        run(&mut engine, &json!({"where": "n3 > 2", "group_by": "t4", "select": "count()"}));
    let group = [("t4".to_owned(), Value::text("oak"))];
    let source = engine.source_rows(&groups.id, Some(&group), 2, 6).unwrap().finish().unwrap();
    let rows = run(&mut engine, &json!({"where": "n3 > 2 and t4 == 'oak'"}));
    assert_eq!((source.columns.len(), source.rows.len()), (WIDE, 6));
    assert_eq!(source.total, rows.rows.len() as u64);
    for row in 0..6 {
        for column in 0..WIDE {
            assert_eq!(source.rows.value(row, column), rows.value(row + 2, column));
        }
    }
}
