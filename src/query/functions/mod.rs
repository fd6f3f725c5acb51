//! The function table: the only list of functions. The checker, the planner of the engine, the
//! prompt, the reference and the completions all derive from it. One file per family.

mod aggregate;
mod candle;
mod lag;
mod price;
mod scalar;
mod time;
mod window;

use crate::error::Locale;
use crate::schema::Kind;
use std::fmt::Write as _;

/// Where a function may stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stand {
    /// One value per row from that row alone.
    Row,
    /// One value per row from that row and its neighbours in the series.
    Window,
    /// One value from many rows.
    Aggregate,
}

/// The family of a function: its section in the reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Family {
    /// Numbers, conditions, nulls, text.
    Scalar,
    /// Parts of dates and timestamps.
    Time,
    /// Neighbours.
    Lag,
    /// Trailing windows.
    Window,
    /// Price and gap of bars.
    Price,
    /// Shapes of bars.
    Candle,
    /// Many rows to one value.
    Aggregate,
}

/// What an argument takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Takes {
    /// Any kind.
    Any,
    /// Integer or float.
    Number,
    /// True or false.
    Bool,
    /// Text.
    Text,
    /// A date or a timestamp.
    Time,
    /// A timestamp: a date has no time of day.
    Clock,
    /// A whole-number constant, at least this.
    IntConst(i64),
    /// A whole-number constant from the first to the second.
    IntRange(i64, i64),
    /// A number constant.
    NumberConst,
    /// A number constant from 0 to 1.
    Fraction,
}

/// What an argument is when it is left out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Default {
    /// It may not be left out.
    Required,
    /// Left out it stays out: the call then has one argument fewer (`count()`).
    Absent,
    /// A whole number.
    Int(i64),
    /// A float.
    Float(f64),
    /// The table's time column.
    TimeColumn,
}

/// One parameter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Param {
    /// Name in the signature.
    pub name: &'static str,
    /// What it takes.
    pub takes: Takes,
    /// What it is when left out.
    pub default: Default,
}

/// The kind of a function's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gives {
    /// Always this.
    Kind(Kind),
    /// That of the argument with this number.
    Same(usize),
    /// The common kind of the arguments from this number on (numbers widen to float).
    Common(usize),
}

/// The unit of a function's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnitRule {
    /// None that follows plainly.
    None,
    /// That of the argument with this number.
    Same(usize),
    /// That of the arguments from this number on, where they agree.
    Common(usize),
    /// Per cent.
    Percent,
    /// That of the definition it expands to.
    Definition,
}

/// One entry of the table.
#[derive(Debug, Clone, PartialEq)]
pub struct Function {
    /// Name in expressions.
    pub name: &'static str,
    /// Its section in the reference.
    pub family: Family,
    /// Where it may stand.
    pub stand: Stand,
    /// Its parameters.
    pub params: &'static [Param],
    /// The last parameter may be repeated.
    pub variadic: bool,
    /// The kind of its values.
    pub gives: Gives,
    /// The unit of its values.
    pub unit: UnitRule,
    /// Values that are names with an order of their own.
    pub domain: Option<super::check::Domain>,
    /// A definition in the language itself, expanded by the checker (`open - prev(close)`); OHLCV
    /// names in it stand for the table's own columns. The engine never sees such a function.
    pub expands: Option<&'static str>,
    /// Its meaning in one line, English then Russian.
    pub meaning: [&'static str; 2],
    /// An example expression.
    pub example: &'static str,
}

impl Function {
    /// The fewest and, where there is such, the most arguments.
    pub fn arity(&self) -> (usize, Option<usize>) {
        let least = self.params.iter().filter(|p| p.default == Default::Required).count();
        (least, (!self.variadic).then_some(self.params.len()))
    }

    /// The name with its parameters: `round(x, n=0)`, `coalesce(a, b, ...)`.
    pub fn signature(&self) -> String {
        let mut out = format!("{}(", self.name);
        for (i, param) in self.params.iter().enumerate() {
            if i > 0 {
                out.push_str(", ");
            }
            // writing to a string cannot fail
            let _ = match param.default {
                Default::Required => write!(out, "{}", param.name),
                Default::Int(n) => write!(out, "{}={n}", param.name),
                Default::Float(x) => write!(out, "{}={x}", param.name),
                Default::Absent | Default::TimeColumn => write!(out, "{}?", param.name),
            };
        }
        if self.variadic {
            out.push_str(", ...");
        }
        out.push(')');
        out
    }

    /// Its meaning in one line.
    pub fn meaning(&self, locale: Locale) -> &'static str {
        match locale {
            Locale::En => self.meaning[0],
            Locale::Ru => self.meaning[1],
        }
    }
}

impl Family {
    /// Every family, in the order of the reference.
    pub const ALL: &[Self] = &[
        Self::Scalar,
        Self::Time,
        Self::Lag,
        Self::Window,
        Self::Price,
        Self::Candle,
        Self::Aggregate,
    ];

    /// Its heading in the reference.
    pub fn title(self, locale: Locale) -> &'static str {
        let [en, ru] = match self {
            Self::Scalar => ["numbers, conditions and text", "числа, условия и текст"],
            Self::Time => ["parts of the time", "части времени"],
            Self::Lag => ["rows before and after", "строки до и после"],
            Self::Window => ["trailing windows", "скользящие окна"],
            Self::Price => ["prices of bars", "цены баров"],
            Self::Candle => ["shapes of bars", "формы баров"],
            Self::Aggregate => ["aggregates, only in `select`", "агрегаты, только в `select`"],
        };
        match locale {
            Locale::En => en,
            Locale::Ru => ru,
        }
    }
}

/// Every function, family by family.
pub fn all() -> impl Iterator<Item = &'static Function> + Clone {
    [scalar::ALL, time::ALL, lag::ALL, window::ALL, price::ALL, candle::ALL, aggregate::ALL]
        .into_iter()
        .flatten()
}

/// The function with exactly this name.
pub fn lookup(name: &str) -> Option<&'static Function> {
    all().find(|f| f.name == name)
}

/// Every name.
pub fn names() -> impl Iterator<Item = &'static str> + Clone {
    all().map(|f| f.name)
}

/// What other languages call a function of ours: for "did you mean" alone.
const OTHER_NAMES: &[(&str, &str)] = &[
    ("avg", "mean"),
    ("average", "mean"),
    ("stddev", "std"),
    ("stdev", "std"),
    ("stddev_samp", "std"),
    ("variance", "var"),
    ("var_samp", "var"),
    ("corr", "correlation"),
    ("nunique", "count_distinct"),
    ("distinct", "count_distinct"),
    ("size", "count"),
    ("total", "sum"),
    ("maximum", "max"),
    ("minimum", "min"),
    ("greatest", "max_of"),
    ("least", "min_of"),
    ("lag", "prev"),
    ("shift", "prev"),
    ("previous", "prev"),
    ("lead", "next"),
    ("ln", "log"),
    ("iff", "if"),
    ("iif", "if"),
    ("where", "if"),
    ("ifnull", "coalesce"),
    ("nvl", "coalesce"),
    ("isna", "isnull"),
    ("is_null", "isnull"),
    ("len", "length"),
    ("strip", "trim"),
    ("startswith", "starts_with"),
    ("endswith", "ends_with"),
    ("weekday", "dayofweek"),
    ("day_of_week", "dayofweek"),
    ("day_name", "dayname"),
    ("weekday_name", "dayname"),
    ("month_name", "monthname"),
    ("to_date", "date"),
    ("moving_average", "rolling_mean"),
    ("percent", "pct"),
];

/// The name here of what another language calls `name`.
pub fn also_known_as(name: &str) -> Option<&'static str> {
    let name = name.to_lowercase();
    let known = OTHER_NAMES.iter().find(|(other, _)| *other == name).map(|(_, ours)| *ours);
    known.or_else(|| names().find(|ours| *ours == name))
}

/// What other languages call our function.
pub fn other_names(name: &str) -> impl Iterator<Item = &'static str> {
    OTHER_NAMES.iter().filter(move |(_, ours)| *ours == name).map(|(other, _)| *other)
}

/// The function reference for a prompt: a line per family heading and function.
pub fn reference(locale: Locale) -> String {
    let mut out = String::new();
    for family in Family::ALL {
        let _ = writeln!(out, "{}:", family.title(locale));
        for f in all().filter(|f| f.family == *family) {
            let _ = writeln!(out, "  {}: {}", f.signature(), f.meaning(locale));
        }
    }
    out
}

/// The reference for people, as Markdown: a table per family.
pub fn markdown() -> String {
    let mut out = String::new();
    for family in Family::ALL {
        let _ = writeln!(out, "### {}\n", family.title(Locale::En));
        out.push_str("| function | stands in | meaning | example |\n|---|---|---|---|\n");
        for f in all().filter(|f| f.family == *family) {
            let _ = writeln!(
                out,
                "| `{}` | {} | {} | `{}` |",
                f.signature(),
                f.stand.name(),
                f.meaning(Locale::En),
                f.example
            );
        }
        out.push('\n');
    }
    out
}

impl Stand {
    /// The name in references: `row`, `window`, `aggregate`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Row => "row",
            Self::Window => "window",
            Self::Aggregate => "aggregate",
        }
    }
}
