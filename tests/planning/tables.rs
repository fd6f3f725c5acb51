//! Generated tables: columns of every kind, bars, series, clocks and market settings as it comes.

use pinhole::engine::LoadedTable;
use pinhole::schema::{Column, Kind, Market, Member, Rule, TableSchema};
use pinhole::value::{Decimal, Table, Value};
use serde_json::{Map, Value as Json, json};

/// A small generator of numbers (splitmix64): a failure names its seed.
pub struct Dice(pub u64);

impl Dice {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }

    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}

pub const KINDS: [Kind; 8] = [
    Kind::Int,
    Kind::Float,
    Kind::Bool,
    Kind::Text,
    Kind::Date,
    Kind::Timestamp,
    Kind::Decimal(2),
    Kind::Decimal(30),
];

pub const NUMBERS: [Kind; 4] = [Kind::Int, Kind::Float, Kind::Decimal(2), Kind::Decimal(30)];

/// Microseconds from the first row on, and between rows.
struct Clock {
    start: i64,
    step: i64,
}

/// Rows from a minute to more than a week apart; some begin where a clock is changed.
fn clock(dice: &mut Dice) -> Clock {
    let day = *dice.pick(&[19_000, 19_000, 19_064, 19_078, 19_296, 19_302, 19_355]);
    let step = *dice.pick(&[60, 300, 1_800, 1_800, 7_200, 20_000, 43_200, 86_400, 700_000]);
    let start = day * 86_400 + dice.below(86_400) as i64 / 60 * 60;
    Clock { start: start * 1_000_000, step: step * 1_000_000 }
}

fn cell(dice: &mut Dice, column: &Column, row: i64, clock: &Clock) -> Value {
    // Nearly all rows of a real table have a time.
    let missing = if column.name == "when" { 40 } else { 6 };
    if dice.one_in(missing) {
        return Value::Null;
    }
    match column.kind {
        Kind::Int if dice.one_in(60) => {
            Value::Int(i64::from(*dice.pick(&[i32::MIN, i32::MAX, i32::MAX - 1])))
        }
        Kind::Int => Value::Int(dice.below(9) as i64 - 3),
        Kind::Float => Value::Float(dice.below(40) as f64 / 4.0 - 2.0),
        Kind::Decimal(scale) => {
            let digits = i128::from(dice.next() % 1000) - 300;
            Value::Decimal(Decimal::new(digits, 2).and_then(|d| d.rescale(scale)).expect("fits"))
        }
        Kind::Bool => Value::Bool(dice.one_in(2)),
        Kind::Text => Value::text(*dice.pick(&["a", "b", "Ёлка", "", "a b"])),
        Kind::Date => {
            let first = (clock.start / 86_400_000_000) as i32;
            // A day a row, or as many rows a day as there are moments.
            let days = if clock.step < 86_400_000_000 { row / 3 } else { row };
            Value::Date(first + days as i32)
        }
        Kind::Timestamp => Value::Timestamp(clock.start + row * clock.step),
        Kind::List(member) => {
            let of = Column::new("member", member.kind());
            Value::List((0..dice.below(4)).map(|_| cell(dice, &of, row, clock)).collect())
        }
    }
}

/// A time of the day, mostly round.
fn hour(dice: &mut Dice) -> String {
    let minute = *dice.pick(&[0, 0, 30, 1, 59]);
    format!("{:02}:{minute:02}", dice.below(24))
}

/// A preset or settings of any kind; a session in every other one runs over midnight.
fn market(dice: &mut Dice) -> Market {
    let settings = match dice.below(5) {
        0 => return Market::default(),
        1 => json!(dice.pick(&["futures-us-index", "equities-us", "crypto"])),
        _ => {
            let mut settings = Map::new();
            if !dice.one_in(3) {
                let zones = [
                    "America/New_York",
                    "Europe/Berlin",
                    "America/Sao_Paulo",
                    "Australia/Lord_Howe",
                    "Asia/Kathmandu",
                    "UTC",
                ];
                settings.insert("timezone".into(), json!(dice.pick(&zones)));
            }
            if !dice.one_in(4) {
                settings.insert("day_start".into(), json!(hour(dice)));
            }
            if dice.one_in(2) {
                let days = ["mon", "wed", "sat", "sun"];
                settings.insert("week_start".into(), json!(dice.pick(&days)));
            }
            let mut sessions = Map::new();
            for name in ["Day", "ночь", "a b"] {
                let (start, end) = (hour(dice), hour(dice));
                if start != end && !dice.one_in(4) {
                    sessions.insert(name.into(), json!([start, end]));
                }
            }
            settings.insert("sessions".into(), sessions.into());
            Json::Object(settings)
        }
    };
    Market::from_json(&settings, "").expect("market settings")
}

/// A table of none to forty rows; bars, a time column and series as it comes.
pub fn table(dice: &mut Dice) -> LoadedTable {
    let mut columns = Vec::new();
    for (i, kind) in KINDS.into_iter().enumerate() {
        for n in 0..dice.below(3) {
            columns.push(Column::new(format!("c{i}{n}"), kind));
        }
    }
    for (i, member) in Member::ALL.into_iter().enumerate() {
        if dice.one_in(3) {
            columns.push(Column::new(format!("list{i}"), Kind::List(member)));
        }
    }
    if dice.one_in(4) {
        columns.push(Column::new("a `b`", *dice.pick(&KINDS)));
    }
    if !dice.one_in(3) {
        let kind = *dice.pick(&[Kind::Float, Kind::Float, Kind::Decimal(2), Kind::Int]);
        for name in ["open", "high", "low", "close"] {
            columns.push(Column::new(name, kind));
        }
        if !dice.one_in(3) {
            let kind = *dice.pick(&NUMBERS);
            columns.push(Column::new("volume", kind));
        }
    }
    let time = dice.pick(&[None, Some(Kind::Date), Some(Kind::Timestamp), Some(Kind::Timestamp)]);
    if let Some(kind) = time {
        columns.push(Column::new("when", *kind));
    }
    let series = dice.one_in(2);
    if series {
        columns.push(Column::new("name", Kind::Text));
    }
    if columns.is_empty() {
        columns.push(Column::new("only", Kind::Int));
    }
    let clock = clock(dice);
    let rows: Vec<Vec<Value>> = (0..dice.below(41) as i64)
        .map(|row| columns.iter().map(|c| cell(dice, c, row, &clock)).collect())
        .collect();
    let mut schema = TableSchema::new("t", columns.clone());
    schema.time = time.map(|_| "when".into());
    schema.series = series.then(|| "name".into());
    schema.market = market(dice);
    for column in &columns {
        if column.kind.is_numeric() && dice.one_in(2) {
            let rules = [Rule::First, Rule::Last, Rule::Sum, Rule::Mean, Rule::Min, Rule::Max];
            schema.resample.push((column.name.clone(), *dice.pick(&rules)));
        }
    }
    let utc = vec![dice.one_in(2); columns.len()];
    let table = LoadedTable::from_rows(schema, &Table { columns, rows }).expect("a table");
    let table = if dice.one_in(2) { table.narrow().expect("the same table") } else { table };
    table.in_utc(utc)
}
