//! Time zones and market settings of files.

use super::{Loaded, NoteCode, Options, has_note, load_with};
use crate::error::{Code, Error};
use crate::schema::Market;
use crate::value::{Rows, Value};
use serde_json::{Value as Json, json};
use std::fmt::Write;

/// The time column of a file with these times, as the engine settles the table.
fn shown(times: &[&str], options: &Json) -> (Loaded, Vec<String>) {
    let mut text = String::from("time,x\n");
    for (row, time) in times.iter().enumerate() {
        let _ = writeln!(text, "{time},{row}");
    }
    let loaded = load_with(&text, options);
    let table = loaded.table.clone().settle().expect("a table");
    let rows =
        crate::engine::rows::ArrowRows::new(table.schema.columns.clone(), table.batches.clone());
    let cell = |row| format!("{} {}", rows.value(row, 0), rows.value(row, 1));
    let range = table.schema.range.as_ref().map(|(a, b)| [a.to_string(), b.to_string()]);
    assert_eq!(range, loaded.report.range, "{options}");
    let cells = (0..rows.len()).map(cell).collect();
    (loaded, cells)
}

#[test]
fn a_zone_makes_instants_that_the_clock_shows() {
    let new_york = json!({"timezone": "America/New_York"});
    let zoned = [
        "2024-11-03T05:30:00Z",
        "2024-11-03T06:00:00Z",
        "2024-11-03T06:30:00Z",
        "2024-11-03T07:00:00Z",
    ];
    let wanted = [
        "2024-11-03T01:30:00 0",
        "2024-11-03T01:00:00 1",
        "2024-11-03T01:30:00 2",
        "2024-11-03T02:00:00 3",
    ];
    let (loaded, cells) = shown(&zoned, &new_york);
    assert_eq!(cells, wanted);
    assert_eq!(loaded.table.schema.interval, Some(1800));
    assert!(has_note(&loaded, NoteCode::TimesInZone));
    let mut reversed = zoned;
    reversed.reverse();
    let (_, cells) = shown(&reversed, &new_york);
    let times =
        |cells: &[String]| -> Vec<String> { cells.iter().map(|c| c[..19].to_owned()).collect() };
    assert_eq!(times(&cells), times(&wanted.map(str::to_owned)));

    let (loaded, cells) = shown(&zoned, &json!({}));
    assert_eq!(cells.first().map(String::as_str), Some("2024-11-03T05:30:00 0"));
    assert!(has_note(&loaded, NoteCode::TimesInUtc));
}

#[test]
fn a_trading_day_begins_once() {
    let settled = |times: [&str; 3], start: &str| {
        let text = times.map(|t| format!("{t},1\n")).concat();
        let market = json!({"timezone": "America/New_York", "day_start": start});
        load_with(&format!("time,x\n{text}"), &json!({"market": market})).table.settle()
    };
    // 01:15, 01:45 and 01:15 again, by the clock of New York
    let doubled = ["2024-11-03T05:15:00Z", "2024-11-03T05:45:00Z", "2024-11-03T06:15:00Z"];
    let refused = settled(doubled, "01:30").expect_err("an error");
    let Error::Input(diagnostics) = &refused else { panic!("{refused}") };
    assert_eq!(diagnostics[0].code, Code::BadOption);
    assert_eq!(diagnostics[0].pointer, "/market/day_start");
    for start in ["00:00", "01:00", "02:00", "18:00"] {
        assert!(settled(doubled, start).is_ok(), "{start}");
    }
    let summer = ["2024-07-03T05:15:00Z", "2024-07-03T05:45:00Z", "2024-07-03T06:15:00Z"];
    assert!(settled(summer, "01:30").is_ok());
}

/// Daily bars of two exchanges that close an hour and a half apart are daily bars.
#[test]
fn the_distance_of_rows_is_that_of_their_series() {
    let mut text = String::from("time,exchange,open,high,low,close\n");
    for day in 2..12 {
        let _ = writeln!(text, "2024-01-{day:02} 16:00,XNYS,1,2,1,2");
        let _ = writeln!(text, "2024-01-{day:02} 17:30,XLON,1,2,1,2");
    }
    let check = |options: Json, seconds: u64| {
        let loaded = load_with(&text, &options);
        assert_eq!(loaded.report.interval, Some(seconds), "{options}");
        let table = loaded.table.settle().expect("a table");
        assert_eq!(table.schema.interval, Some(seconds), "{options}");
        let more = load_with(&text.replace("2024-01", "2024-02"), &options).table;
        let both = table.joined(more).expect("one table");
        assert_eq!(both.schema.interval, Some(seconds), "{options}");
    };
    check(json!({"series": "exchange"}), 86_400);
    check(json!({}), 5_400);
}

#[test]
fn without_a_zone_times_are_local_unless_said_otherwise() {
    let times = ["2024-07-01 09:30", "2024-07-01 09:31"];
    let market = json!({"market": "futures-us-index"});
    let (loaded, cells) = shown(&times, &market);
    assert_eq!(cells, ["2024-07-01T09:30:00 0", "2024-07-01T09:31:00 1"]);
    assert_eq!(loaded.table.schema.market, Market::preset("futures-us-index").expect("a preset"));
    assert!(has_note(&loaded, NoteCode::TimesTakenAsLocal));
    let (_, cells) = shown(&times, &json!({"market": "futures-us-index", "timesIn": "utc"}));
    assert_eq!(cells, ["2024-07-01T05:30:00 0", "2024-07-01T05:31:00 1"]);
    let (loaded, cells) = shown(&times, &json!({"market": "crypto", "timezone": "asia/tokyo"}));
    assert_eq!(cells.first().map(String::as_str), Some("2024-07-01T09:30:00 0"));
    assert_eq!(loaded.table.schema.market.timezone.as_deref(), Some("Asia/Tokyo"));
}

#[test]
fn a_local_file_keeps_its_order_where_the_clock_goes_back() {
    let times = [
        "2024-10-27 02:00",
        "2024-10-27 02:30",
        "2024-10-27 02:00",
        "2024-10-27 02:30",
        "2024-10-27 03:00",
    ];
    let order = |options: &Json| -> String {
        shown(&times, options).1.iter().filter_map(|c| c.chars().last()).collect()
    };
    assert_eq!(order(&json!({"timezone": "Europe/Berlin"})), "01234");
    // no zone: nothing tells the two passes apart, and time order holds
    assert_eq!(order(&json!({})), "02134");
}

#[test]
fn epochs_are_instants_and_dates_are_not() {
    let zone = json!({"timezone": "America/New_York", "time": "time"});
    let (_, cells) = shown(&["1704205800", "1704205860"], &zone);
    assert_eq!(cells, ["2024-01-02T09:30:00 0", "2024-01-02T09:31:00 1"]);
    let (loaded, cells) = shown(
        &["2024-01-02", "2024-01-03"],
        &json!({"timezone": "America/New_York", "timesIn": "utc"}),
    );
    assert_eq!(cells, ["2024-01-02 0", "2024-01-03 1"]);
    assert_eq!(loaded.table.schema.range, Some((Value::Date(19_724), Value::Date(19_725))));
}

#[test]
fn bad_settings_are_all_told() {
    let options = json!({"timezone": "Newyork", "market": {"day_start": 18, "week": "mon"}, "timesIn": "gmt"});
    let Err(Error::Input(problems)) = Options::from_json(&options) else {
        panic!("settings that should not pass");
    };
    let seen: Vec<_> = problems.iter().map(|p| (p.code, p.pointer.as_str())).collect();
    let wanted = ["/timezone", "/market/day_start", "/market/week", "/timesIn"];
    assert_eq!(seen, wanted.map(|at| (Code::BadOption, at)));
}

#[test]
fn settings_belong_to_the_fingerprint() {
    let print = |options: &Json| shown(&["2024-01-02 09:30"], options).0.table.schema.fingerprint();
    let all = [
        print(&json!({})),
        print(&json!({"market": "crypto"})),
        print(&json!({"market": "crypto", "timezone": "Asia/Tokyo"})),
        print(&json!({"market": "equities-us"})),
        print(&json!({"resample": {"x": "last"}})),
    ];
    let distinct: std::collections::HashSet<_> = all.iter().collect();
    assert_eq!(distinct.len(), all.len());
    assert_eq!(print(&json!({})), all[0]);
}
