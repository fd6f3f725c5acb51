//! What tells the rows of a table from others.

use super::super::Options;
use super::super::ingest::{Loader, Options as Reading};
use super::*;
use serde_json::json;

const SALES: &str = "day,shop,note,n,amount,paid,exact\n\
    2024-01-01,Kuper,a long note of its own,1,10.5,true,1.10\n\
    2024-01-02,Sever,another note,2,0,false,2.20\n\
    2024-01-03,Kuper,,3,,true,3.30\n\
    2024-01-04,Sever,x,4,7,false,4.40\n";

/// An engine with these rows, which came in pieces of so many bytes.
fn engine(csv: &str, piece: usize) -> Engine {
    let mut engine = Engine::new(Options::default()).unwrap();
    load(&mut engine, "sales", csv, piece);
    engine
}

fn load(engine: &mut Engine, name: &str, csv: &str, piece: usize) {
    let how =
        if csv.contains("exact") { json!({"types": {"exact": "decimal(2)"}}) } else { json!({}) };
    let how = Reading::from_json(&how).unwrap();
    let mut loader = Loader::new(name, how).unwrap();
    for bytes in csv.as_bytes().chunks(piece) {
        loader.push(bytes).unwrap();
    }
    engine.insert(loader.finish().unwrap().table).unwrap();
}

fn print(csv: &str) -> Vec<String> {
    engine(csv, 4_096).print_all()
}

#[test]
fn the_same_bytes_are_the_same_rows_however_they_come() {
    let own = print(SALES);
    assert_eq!(own.len(), 1);
    assert!(own.iter().all(|print| print.starts_with("sales:") && print.len() == 6 + 32));
    for piece in [1, 7, 64] {
        assert_eq!(engine(SALES, piece).print_all(), own, "{piece}");
    }
    // Loaded again under the same name it has another version, and the same rows.
    let mut again = engine(SALES, 64);
    load(&mut again, "sales", SALES, 64);
    assert_eq!(again.prints(), None);
    assert_eq!(again.print_all(), own);
}

#[test]
fn one_cell_makes_others() {
    let own = print(SALES);
    for (was, is) in [
        ("2024-01-02", "2024-01-05"),
        ("1,10.5", "1,10.6"),
        ("another note", "another nota"),
        ("2,0,", "2,,"),
        ("3,,true", "3,0,true"),
        ("Kuper,,3", "Sever,,3"),
        ("x,4,7,false", "x,4,7,true"),
        ("x,4,7", "x,-4,7"),
        ("4.40", "4.41"),
        ("x,4", ",4"),
    ] {
        let other = SALES.replacen(was, is, 1);
        assert_ne!(other, SALES, "{was}");
        assert_ne!(print(&other), own, "{was} is {is}");
    }
    // The order of rows counts, and another name, and one row more.
    let mut lines: Vec<&str> = SALES.lines().collect();
    lines.swap(2, 4);
    let swapped = lines.join("\n").replace("2024-01-04", "2024-01-02");
    assert_ne!(print(&swapped), own);
    assert_ne!(print(&format!("{SALES}2024-01-05,Sever,x,4,7,false,4.40\n")), own);
    assert_ne!(print(&SALES.replace("note,n,", "note,m,")), own);
}

#[test]
fn long_tables_are_read_in_pieces_to_their_last_cell() {
    let rows = |last: &str| {
        let rows: Vec<String> = (0..70_000).map(|n| format!("{n},shop {}\n", n % 3)).collect();
        let rows = rows.concat();
        format!("n,shop\n{rows}{last}\n")
    };
    let long = engine(&rows("1,shop 1"), 1 << 16);
    let mut printing = long.printing().unwrap();
    let mut steps = 0;
    while !printing.step() {
        steps += 1;
    }
    assert!(steps >= 4, "{steps}");
    long.printed(&printing);
    let own = long.prints().unwrap();
    assert!(long.printing().is_none());
    assert_eq!(engine(&rows("1,shop 1"), 999).print_all(), own);
    assert_ne!(print(&rows("1,shop 2")), own);
    assert_ne!(print(&rows("2,shop 1")), own);
}

#[test]
fn a_table_that_is_kept_and_comes_back_is_the_same_and_one_that_grew_is_not() {
    let found = |engine: &Engine, name: &str| {
        if engine.print_of(name).unwrap().is_none() {
            let mut printing = engine.printing_of(name).unwrap();
            while !printing.step() {}
            engine.printed(&printing);
        }
        engine.print_of(name).unwrap().unwrap()
    };
    let mut engine = engine(SALES, 64);
    load(&mut engine, "other", "n\n1\n", 64);
    let own = found(&engine, "sales");
    assert!(own.len() == 32 && own.bytes().all(|b| b.is_ascii_hexdigit()), "{own}");
    assert_eq!(engine.print_of("other"), Ok(None), "only what was asked for is read");
    let unknown = engine.print_of("sale").unwrap_err();
    assert!(unknown.to_string().contains("there is no table `sale`"), "{unknown}");
    let mut keeping = engine.keep("sales", json!(null)).unwrap();
    let mut reopening = crate::engine::Reopening::within(engine.room());
    while let Some(bytes) = keeping.next_bytes().unwrap() {
        reopening.push(&bytes).unwrap();
    }
    engine.insert(reopening.finish("sales").unwrap().0).unwrap();
    assert_eq!(engine.print_of("sales"), Ok(None));
    assert_eq!(found(&engine, "sales"), own);
    let schema = engine.tables().into_iter().find(|t| t.name == "sales").unwrap();
    let how = Reading::from_json(&json!({})).unwrap().like(&schema);
    let mut loader = Loader::new("sales", how).unwrap();
    loader.push(SALES.as_bytes()).unwrap();
    let joined = engine.joined(loader.finish().unwrap().table).unwrap();
    engine.insert(joined).unwrap();
    assert_ne!(found(&engine, "sales"), own);
}

#[test]
fn a_table_that_goes_takes_what_is_known_of_it_along() {
    let mut two = engine(SALES, 64);
    load(&mut two, "other", "n\n1\n", 64);
    let printing = two.printing().unwrap();
    assert_eq!(two.prints(), None);
    two.drop_table("sales");
    // It was of a table that is not there any more.
    two.printed(&printing);
    assert_eq!(two.print_all().len(), 1);
    two.drop_table("other");
    assert_eq!(two.prints(), Some(Vec::new()));
}
