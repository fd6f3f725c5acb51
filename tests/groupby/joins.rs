//! The five questions of joins of the db-benchmark: a table of 20,000 rows with tables of 20, 200 and
//! 20,000, by whole numbers and by texts. `reference.py` makes the same tables and the answers.

use super::{Numbers, ask, load, section, value};
use pinhole::engine::{Engine, Options};
use serde_json::json;

const LEFT: usize = 20_000;
const SMALL: usize = 20;
const MEDIUM: usize = 200;

/// As [`super::compare`].
pub fn compare() -> (usize, String) {
    let mut engine = engine();
    let answers = include_str!("joins.txt");
    let (mut right, mut wrong) = (0, String::new());
    for name in ["q1", "q2", "q3", "q4", "q5"] {
        let sql = section(include_str!("joins.sql"), name);
        // `id3` of `x` has every number once; the benchmark adds the answer up to check it
        let ordered = format!("{sql} ORDER BY x.id3");
        let added =
            format!("SELECT count(*) AS n, sum(v1) AS v1, sum(v2) AS v2 FROM ({sql}) AS ans");
        for (name, sql) in [(name.to_owned(), ordered), (format!("{name} added up"), added)] {
            let answer = ask(&mut engine, &json!(sql));
            super::judge(&name, section(answers, &name), answer, &mut right, &mut wrong);
        }
    }
    (right, wrong)
}

/// Of the keys of a pair of tables nine tenths are in both, and a tenth in each alone.
fn engine() -> Engine {
    let mut engine = Engine::new(Options::default()).expect("an engine");
    let mut numbers = Numbers(108);
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for n in [SMALL, MEDIUM, LEFT] {
        let mut keys: Vec<u64> = (1..).take(n + n / 10).collect();
        numbers.shuffle(&mut keys);
        let (alone, both) = (keys.split_off(n), keys.get(..n - n / 10).unwrap());
        right.push([both, &alone].concat());
        left.push(keys);
    }
    for (name, sides, rows, last) in [
        ("x", &left[..], LEFT, "v1"),
        ("small", &right[..1], SMALL, "v2"),
        ("medium", &right[..2], MEDIUM, "v2"),
        ("big", &right[..], LEFT, "v2"),
    ] {
        let columns: Vec<Vec<u64>> =
            sides.iter().map(|keys| drawn(keys, rows, &mut numbers)).collect();
        let names = |from: usize| (from..from + sides.len()).map(|i| format!("id{i}"));
        let header: Vec<String> = names(1).chain(names(4)).chain([last.to_owned()]).collect();
        let lines = (0..rows).map(|row| {
            let ids = columns.iter().map(|column| column[row].to_string());
            let texts = columns.iter().map(|column| format!("id{}", column[row]));
            let cells: Vec<String> =
                ids.chain(texts).chain([value(numbers.pick(100_000_000))]).collect();
            cells.join(",")
        });
        load(&mut engine, name, [header.join(",")].into_iter().chain(lines));
    }
    engine
}

/// So many keys in no order, every one at least once.
fn drawn(keys: &[u64], rows: usize, numbers: &mut Numbers) -> Vec<u64> {
    let mut out = keys.to_vec();
    for _ in keys.len()..rows {
        out.push(keys[numbers.pick(keys.len() as u64) as usize - 1]);
    }
    numbers.shuffle(&mut out);
    out
}
