//! Tables of purchases out of files of other formats than CSV: every answer is the same.

use super::hold_to_duckdb;
use super::world::World;
use pinhole::engine::Execution;
use pinhole::engine::ingest::{Loader, Options as Reading};
use pinhole::query::check_json;
use serde_json::{Map, Value as Json, json};
use std::sync::Arc;

/// A table as a list of objects.
fn as_json(world: &mut World, name: &str) -> Vec<u8> {
    let checked = check_json(&json!({ "table": name }), &world.engine.tables()).expect("a query");
    let started = world.engine.start(&Arc::new(checked));
    let outcome = started.and_then(Execution::finish).expect("rows");
    let row = |at: usize| -> Json {
        let cells = outcome.columns.iter().enumerate();
        let cells = cells.map(|(i, c)| (c.column.name.clone(), outcome.value(at, i).to_json()));
        cells.collect::<Map<_, _>>().into()
    };
    Json::Array((0..outcome.rows.len()).map(row).collect()).to_string().into_bytes()
}

/// A table as a stream of Arrow IPC.
fn as_ipc(world: &mut World, name: &str) -> Vec<u8> {
    let mut keeping = world.engine.keep(name, Json::Null).expect("a table");
    let mut bytes = Vec::new();
    while let Some(piece) = keeping.next_bytes().expect("bytes") {
        bytes.extend(piece);
    }
    bytes
}

#[test]
fn purchases_are_loaded_from_any_format() {
    for write in [as_json, as_ipc] {
        let (mut from, mut to) = (World::new(), World::new());
        let names: Vec<String> = from.engine.tables().iter().map(|t| t.name.clone()).collect();
        assert_eq!(names.len(), 6);
        for name in names {
            let bytes = write(&mut from, &name);
            to.engine.drop_table(&name);
            let mut loader = Loader::new(&*name, Reading::default()).expect("a loader");
            loader.push(&bytes).expect("its format");
            to.engine.insert(loader.finish().expect("a table").table).expect("a table");
        }
        assert!(to.fit().is_ok());
        hold_to_duckdb(&mut to);
    }
}
