//! The function table: the only list of functions. The checker, the planner of the engine, the
//! prompt, the reference and the completions all derive from it. One file per family.

mod aggregate;
mod candle;
mod cumulative;
mod internal;
mod lag;
mod oscillator;
mod pattern;
mod price;
mod scalar;
mod session;
mod text;
mod time;
mod trend;
mod volatility;
mod volume;
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
    /// From the first row to this one.
    Cumulative,
    /// Runs, crossings, pivots, ranks.
    Pattern,
    /// Price and gap of bars.
    Price,
    /// Shapes of bars.
    Candle,
    /// Speed of prices.
    Oscillator,
    /// Direction of prices.
    Trend,
    /// Bands and true ranges.
    Volatility,
    /// Price and volume together.
    Volume,
    /// The trading day of a bar.
    Session,
    /// Many rows to one value.
    Aggregate,
}

/// What an argument takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Takes {
    /// Any kind but lists.
    Any,
    /// Integer or float.
    Number,
    /// Integer.
    Int,
    /// True or false.
    Bool,
    /// Text.
    Text,
    /// A regular expression, constant.
    Pattern,
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
    /// The table's closing prices. Such a parameter comes first, and it was left out where the first
    /// argument is a number: `rsi(7)` is `rsi(close, 7)`.
    Close,
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
    /// That of the table's closing prices.
    Price,
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
    /// The first argument may be a list, too; what follows it is then like its members.
    pub lists: bool,
    /// The kind of its values.
    pub gives: Gives,
    /// The unit of its values.
    pub unit: UnitRule,
    /// Values that are names with an order of their own.
    pub domain: Option<super::check::Domain>,
    /// A definition in the language itself, expanded by the checker (`open - prev(close)`): names
    /// of parameters in it stand for the arguments, OHLCV names for the table's own columns, and
    /// functions of `internal` may stand in it. The engine never sees such a function.
    pub expands: Option<&'static str>,
    /// The formula, where the definition is not in the language and the meaning does not say it.
    pub formula: Option<&'static str>,
    /// Where the definition comes from, and how others (TA-Lib) differ from it.
    pub source: Option<&'static str>,
    /// Its meaning in one line, English then Russian.
    pub meaning: [&'static str; 2],
    /// An example expression.
    pub example: &'static str,
}

/// What most entries have in common.
const BASE: Function = Function {
    name: "",
    family: Family::Scalar,
    stand: Stand::Row,
    params: &[],
    variadic: false,
    lists: false,
    gives: Gives::Kind(Kind::Float),
    unit: UnitRule::None,
    domain: None,
    expands: None,
    formula: None,
    source: None,
    meaning: ["", ""],
    example: "",
};

/// A parameter without a default.
const fn required(name: &'static str, takes: Takes) -> Param {
    Param { name, takes, default: Default::Required }
}

/// A series of numbers that is the closing prices where it is left out.
const SERIES: Param = Param { name: "x", takes: Takes::Number, default: Default::Close };

/// A number of rows, at least one.
const fn rows(name: &'static str, default: i64) -> Param {
    Param { name, takes: Takes::IntConst(1), default: Default::Int(default) }
}

/// A number constant.
const fn number(name: &'static str, default: f64) -> Param {
    Param { name, takes: Takes::NumberConst, default: Default::Float(default) }
}

impl Function {
    /// The fewest and, where there is such, the most arguments.
    pub fn arity(&self) -> (usize, Option<usize>) {
        let least = self.params.iter().filter(|p| p.default == Default::Required).count();
        (least, (!self.variadic).then_some(self.params.len()))
    }

    /// The name with its parameters: `round(x, n=0)`, `coalesce(a, b, ...)`,
    /// `rsi([x=close,] n=14)`.
    pub fn signature(&self) -> String {
        let mut out = format!("{}(", self.name);
        let mut between = "";
        for param in self.params {
            out.push_str(between);
            between = if param.default == Default::Close { " " } else { ", " };
            // writing to a string cannot fail
            let _ = match param.default {
                Default::Required => write!(out, "{}", param.name),
                Default::Int(n) => write!(out, "{}={n}", param.name),
                Default::Float(x) => write!(out, "{}={x}", param.name),
                Default::Absent | Default::TimeColumn => write!(out, "{}?", param.name),
                Default::Close => write!(out, "[{}=close,]", param.name),
            };
        }
        if self.variadic {
            out.push_str(", ...");
        }
        out.push(')');
        out
    }

    /// The kind of its values where they have that of an argument, and that is a decimal. What
    /// looks at the rows around computes in doubles, unless it only picks a value; rounding leaves
    /// no digits behind the point but those that are asked for.
    pub fn of_decimals(&self, argument: usize, scale: u8, digits: Option<i64>) -> Kind {
        let picks = self.params.get(argument).is_some_and(|p| p.takes == Takes::Any);
        match self.name {
            _ if self.stand == Stand::Window && !picks => Kind::Float,
            "sign" | "floor" | "ceil" => Kind::Decimal(0),
            "round" => Kind::Decimal(digits.unwrap_or(0).clamp(0, scale.into()) as u8),
            _ => Kind::Decimal(scale),
        }
    }

    /// What it computes, as a formula or in the language itself.
    pub fn definition(&self) -> Option<&'static str> {
        self.formula.or(self.expands)
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
        Self::Cumulative,
        Self::Pattern,
        Self::Price,
        Self::Candle,
        Self::Oscillator,
        Self::Trend,
        Self::Volatility,
        Self::Volume,
        Self::Session,
        Self::Aggregate,
    ];

    /// The word that it is asked for by.
    pub fn name(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
            Self::Time => "time",
            Self::Lag => "lag",
            Self::Window => "window",
            Self::Cumulative => "cumulative",
            Self::Pattern => "pattern",
            Self::Price => "price",
            Self::Candle => "candle",
            Self::Oscillator => "oscillator",
            Self::Trend => "trend",
            Self::Volatility => "volatility",
            Self::Volume => "volume",
            Self::Session => "session",
            Self::Aggregate => "aggregate",
        }
    }

    /// Its heading in the reference.
    pub fn title(self, locale: Locale) -> &'static str {
        let [en, ru] = match self {
            Self::Scalar => ["numbers, conditions and text", "числа, условия и текст"],
            Self::Time => ["parts of the time", "части времени"],
            Self::Lag => ["rows before and after", "строки до и после"],
            Self::Window => ["trailing windows", "скользящие окна"],
            Self::Cumulative => ["from the first row on", "с первой строки"],
            Self::Pattern => ["runs, crossings and pivots", "серии, пересечения и развороты"],
            Self::Price => ["prices of bars", "цены баров"],
            Self::Candle => ["shapes of bars", "формы баров"],
            Self::Oscillator => ["oscillators", "осцилляторы"],
            Self::Trend => ["trend", "тренд"],
            Self::Volatility => ["volatility", "волатильность"],
            Self::Volume => ["volume", "объём"],
            Self::Session => ["the trading day", "торговый день"],
            Self::Aggregate => ["aggregates", "агрегаты"],
        };
        match locale {
            Locale::En => en,
            Locale::Ru => ru,
        }
    }
}

/// Every function, family by family.
pub fn all() -> impl Iterator<Item = &'static Function> + Clone {
    const FAMILIES: &[&[Function]] = &[
        scalar::ALL,
        text::ALL,
        time::ALL,
        lag::ALL,
        window::ALL,
        cumulative::ALL,
        pattern::ALL,
        price::ALL,
        candle::ALL,
        oscillator::ALL,
        trend::ALL,
        volatility::ALL,
        volume::ALL,
        session::ALL,
        aggregate::ALL,
    ];
    FAMILIES.iter().copied().flatten()
}

/// The function with exactly this name.
pub fn lookup(name: &str) -> Option<&'static Function> {
    all().find(|f| f.name == name)
}

/// The function that definitions may use besides those of the table.
pub(super) fn lookup_internal(name: &str) -> Option<&'static Function> {
    internal::ALL.iter().find(|f| f.name == name)
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
    ("array_length", "length"),
    ("array_contains", "contains"),
    ("list_contains", "contains"),
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
    ("quantile", "percentile"),
    ("percentile_cont", "percentile"),
    ("idxmin", "argmin"),
    ("arg_min", "argmin"),
    ("min_by", "argmin"),
    ("idxmax", "argmax"),
    ("arg_max", "argmax"),
    ("max_by", "argmax"),
    ("weighted_avg", "wavg"),
    ("weighted_average", "wavg"),
    ("row_number", "cumcount"),
    ("cumulative_sum", "cumsum"),
    ("percent_rank", "rank"),
    ("ewm", "ema"),
    ("ewma", "ema"),
    ("smma", "rma"),
    ("wilder", "rma"),
    ("mom", "momentum"),
    ("willr", "williams_r"),
    ("psar", "sar"),
    ("true_range", "tr"),
    ("vwap", "vwap_day"),
    ("substring", "substr"),
    ("regexp_like", "matches"),
    ("regexp_matches", "matches"),
    ("datediff", "days_between"),
    ("date_diff", "days_between"),
    ("weekofyear", "week"),
    ("isoweek", "week"),
    ("percent", "pct"),
    ("highest", "rolling_max"),
    ("lowest", "rolling_min"),
    ("isnan", "isnull"),
    ("ifelse", "if"),
    ("if_else", "if"),
    ("fillna", "coalesce"),
    ("fill_null", "coalesce"),
    ("ceiling", "ceil"),
    ("ucase", "upper"),
    ("lcase", "lower"),
    ("char_length", "length"),
    ("dayofmonth", "day"),
    ("day_of_month", "day"),
    ("running_total", "cumsum"),
    ("first_value", "first"),
    ("last_value", "last"),
    ("stoch", "stoch_k"),
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

/// The whole function reference as text: a line per family heading and function.
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

/// The reference for people, as Markdown: a table per family, then the definitions that the meaning
/// does not say.
pub fn markdown() -> String {
    let mut out = String::new();
    for family in Family::ALL {
        let _ = writeln!(out, "### {}\n", family.title(Locale::En));
        out.push_str("| function | stands in | meaning | example |\n|---|---|---|---|\n");
        let members = || all().filter(|f| f.family == *family);
        for f in members() {
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
        let mut defined = false;
        for f in members() {
            let Some(definition) = f.definition() else { continue };
            let _ = write!(out, "- `{}` = `{definition}`", f.name);
            if let Some(source) = f.source {
                let _ = write!(out, ". {source}");
            }
            out.push('\n');
            defined = true;
        }
        if defined {
            out.push('\n');
        }
    }
    out.push_str("### steps that stand in definitions alone\n\n");
    for f in internal::ALL {
        let definition = f.definition().unwrap_or(f.meaning(Locale::En));
        let _ = writeln!(out, "- `{}` = `{definition}`", f.signature());
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
