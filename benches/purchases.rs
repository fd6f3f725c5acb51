//! How far predictions of purchases are off, beside the naive rule (last purchase + mean gap), over
//! folders of receipts: `cargo xtask bench-purchases` makes twenty households and runs this. Each
//! folder has receipts.csv, receipt_items.csv and items.csv; those of real receipts will do as well.
#![allow(
    missing_docs,
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a program that measures and prints"
)]

use chrono::NaiveDate;
use pinhole::engine::ingest::{Loader, Options as Reading};
use pinhole::engine::{Engine, Options};
use pinhole::tools::purchases::{BackTest, Errors, back_test};
use serde_json::json;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Purchase dates at the end of every series that are predicted.
const HELD_OUT: usize = 5;

/// What is predicted: the next purchase of an item, or of anything of a category.
const SERIES: [(&str, &str); 2] = [("items", "i.id"), ("categories", "i.product_id")];

fn main() {
    let given = std::env::args().skip(1).filter(|arg| !arg.starts_with("--"));
    let folders: Vec<PathBuf> = given.flat_map(|folder| households(Path::new(&folder))).collect();
    assert!(!folders.is_empty(), "name folders with receipts.csv, receipt_items.csv, items.csv");
    println!(
        "the last {HELD_OUT} purchases of each, predicted from those before; days off, mean\n"
    );
    let mut found: BTreeMap<&str, Vec<BackTest>> = BTreeMap::new();
    for folder in &folders {
        let mut engine = load(folder);
        for (name, key) in SERIES {
            let series = series(&mut engine, key);
            let tested = back_test(series.iter().map(Vec::as_slice), HELD_OUT);
            let at = folder.file_name().map(|n| n.to_string_lossy()).unwrap_or_default();
            println!("{at} {name:10} {}", line(tested.all));
            found.entry(name).or_default().push(tested);
        }
    }
    for (name, tested) in &found {
        println!("\n{name}, mean ± standard deviation over {} households", tested.len());
        for (confidence, of) in PARTS {
            let all: Vec<Errors> = tested.iter().map(of).collect();
            let means: Vec<(f64, f64)> = all.iter().filter_map(Errors::means).collect();
            let predicted: u64 = all.iter().map(|errors| errors.predictions).sum();
            let ours = spread(&means.iter().map(|(days, _)| *days).collect::<Vec<_>>());
            let naive = spread(&means.iter().map(|(_, naive)| *naive).collect::<Vec<_>>());
            let less = spread(&means.iter().map(|(days, naive)| naive - days).collect::<Vec<_>>());
            println!(
                "  {confidence:7} {predicted:6} predictions: {ours} days, naive {naive}, better by {less}"
            );
        }
    }
}

type Part = (&'static str, fn(&BackTest) -> Errors);

const PARTS: [Part; 4] = [
    ("all", |tested| tested.all),
    ("high", |tested| tested.high),
    ("medium", |tested| tested.medium),
    ("low", |tested| tested.low),
];

fn line(errors: Errors) -> String {
    let n = errors.predictions;
    let (days, naive) = errors.means().unwrap_or((f64::NAN, f64::NAN));
    format!("{n:5} predictions: {days:6.2}, naive {naive:6.2}")
}

fn spread(values: &[f64]) -> String {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let square = values.iter().map(|x| (x - mean).powi(2)).sum::<f64>();
    let deviation = if values.len() > 1 { (square / (n - 1.0)).sqrt() } else { f64::NAN };
    format!("{mean:.2} ± {deviation:.2}")
}

/// The folder itself where receipts are in it, else the folders in it.
fn households(folder: &Path) -> Vec<PathBuf> {
    if folder.join("receipts.csv").exists() {
        return vec![folder.to_owned()];
    }
    let inside = std::fs::read_dir(folder).expect("a folder").filter_map(Result::ok);
    let mut folders: Vec<PathBuf> = inside.map(|entry| entry.path()).collect();
    folders.retain(|path| path.join("receipts.csv").exists());
    folders.sort();
    folders
}

fn load(folder: &Path) -> Engine {
    let mut engine = Engine::new(Options::default()).expect("an engine");
    for name in ["receipts", "receipt_items", "items"] {
        let bytes = std::fs::read(folder.join(format!("{name}.csv"))).expect("a file");
        let mut loader = Loader::new(name, Reading::default()).expect("a loader");
        loader.push(&bytes).expect("text");
        engine.insert(loader.finish().expect("a table").table).expect("a table");
    }
    engine
}

/// The purchase dates of every item or category.
fn series(engine: &mut Engine, key: &str) -> Vec<Vec<NaiveDate>> {
    let text = format!(
        "SELECT DISTINCT {key} AS key, CAST(r.receipt_date AS DATE) AS day FROM receipt_items l \
         JOIN receipts r ON r.id = l.receipt_id JOIN items i ON i.id = l.item_id ORDER BY key, day"
    );
    let checked = engine.check_sql(&text, &json!([])).expect("a statement");
    let outcome = engine.start(&Arc::new(checked)).expect("a start").finish().expect("rows");
    let mut out: BTreeMap<String, Vec<NaiveDate>> = BTreeMap::new();
    for row in 0..outcome.rows.len() {
        if let Some(day) = outcome.value(row, 1).date() {
            out.entry(outcome.value(row, 0).to_string()).or_default().push(day);
        }
    }
    out.into_values().collect()
}
