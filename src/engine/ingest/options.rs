//! How a file is to be read, where the guesses shall not decide.

use super::column::Settings;
use crate::error::{Code, Diagnostic, Error, Locale, Result, closest};
use crate::schema::{self, Kind, Market, Member, Rule};
use serde_json::{Map, Value as Json};
use std::collections::HashSet;

mod like;
#[cfg(test)]
mod tests;

/// What the caller knows about a file. Everything left out is guessed, and the guess reported.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Options {
    /// The file's format.
    pub format: Option<Format>,
    /// How the text is cut into fields.
    pub csv: CsvOptions,
    /// Only these columns are read, in the order of the file; by default all.
    pub columns: Option<Vec<String>>,
    /// Exactly these words are null, in text columns too; by default a list for typed columns.
    pub nulls: Option<Vec<String>>,
    /// The time column.
    pub time: TimeColumn,
    /// The column that tells several series in one table apart.
    pub series: Option<String>,
    /// The zone of the table's clock, sessions, trading days.
    pub market: Market,
    /// What clock shows the times that are written without a zone.
    pub times_in: TimesIn,
    /// Kinds of columns, by name.
    pub types: Vec<(String, Kind)>,
    /// Kinds of columns that need not be there, by name.
    pub expected: Vec<(String, Kind)>,
    /// Units of columns, by name.
    pub units: Vec<(String, String)>,
    /// Names for people, by column.
    pub labels: Vec<(String, String)>,
    /// Other words for the table and its columns.
    pub synonyms: Synonyms,
    /// How numeric columns outside OHLCV are resampled.
    pub resample: Vec<(String, Rule)>,
    /// What happens to rows that do not have as many fields as the table has columns.
    pub on_bad_row: OnBadRow,
    /// Names of options that the table, to which the rows go, does not hear.
    pub unheard: Vec<&'static str>,
    /// Whose order of day and month holds where a column of dates allows both.
    pub locale: Locale,
}

/// Formats that can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Delimited text.
    Csv,
    /// An array of objects, an object with one array inside, or GeoJSON.
    Json,
    /// One object a line.
    Ndjson,
    /// Arrow IPC, as a file or a stream.
    Arrow,
}

impl Format {
    /// The name in options and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Json => "json",
            Self::Ndjson => "ndjson",
            Self::Arrow => "arrow",
        }
    }
}

/// How the text is cut into fields.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CsvOptions {
    /// One of `,`, `;`, tab, `|`, or another ASCII character.
    pub delimiter: Option<u8>,
    /// What stands around fields; found out where it is not named.
    pub quote: Option<Quote>,
    /// An ASCII character that takes the meaning of the one after it; found out where neither it
    /// nor the quote is named. Without one a quote inside a quoted field is doubled.
    pub escape: Option<u8>,
    /// How many lines stand before the table.
    pub skip: Option<usize>,
    /// Whether the first line names the columns.
    pub header: Option<bool>,
    /// The character before the fraction of a number.
    pub decimal: Option<Decimal>,
    /// The order of day, month and year in dates.
    pub dates: Option<DateOrder>,
    /// The character encoding.
    pub encoding: Option<Encoding>,
}

/// What stands around fields with a delimiter or a line break in them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quote {
    /// No character has this meaning.
    None,
    /// This ASCII character.
    Mark(u8),
}

/// What most files have.
const DOUBLE: Quote = Quote::Mark(b'"');

/// The character before the fraction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decimal {
    /// `1,234.5`
    Point,
    /// `1.234,5`
    Comma,
}

/// The order of day, month and year.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DateOrder {
    /// Year first.
    Ymd,
    /// Day first.
    Dmy,
    /// Month first.
    Mdy,
}

/// Encodings that can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8.
    Utf8,
    /// UTF-16, low byte first.
    Utf16Le,
    /// UTF-16, high byte first.
    Utf16Be,
    /// Cyrillic.
    Windows1251,
    /// Western European.
    Windows1252,
}

impl Encoding {
    const ALL: [Self; 5] =
        [Self::Utf8, Self::Utf16Le, Self::Utf16Be, Self::Windows1251, Self::Windows1252];

    /// The WHATWG name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "utf-8",
            Self::Utf16Le => "utf-16le",
            Self::Utf16Be => "utf-16be",
            Self::Windows1251 => "windows-1251",
            Self::Windows1252 => "windows-1252",
        }
    }
}

impl DateOrder {
    /// The name in options and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ymd => "ymd",
            Self::Dmy => "dmy",
            Self::Mdy => "mdy",
        }
    }
}

/// Which column is the table's time.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum TimeColumn {
    /// Look for it.
    #[default]
    Detect,
    /// The table has none.
    None,
    /// This one.
    Named(String),
}

/// What clock shows the times that are written without a zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TimesIn {
    /// That of the table's time zone.
    #[default]
    Local,
    /// UTC.
    Utc,
}

/// Words for what has a name of its own, by that name.
type Words = Vec<(String, Vec<String>)>;

/// Other words for a table and its columns, in any language.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Synonyms {
    /// Of the table.
    pub table: Vec<String>,
    /// Of its columns, by name.
    pub columns: Vec<(String, Vec<String>)>,
    /// Of values of its text columns, by the name of the column and by the value.
    pub values: Vec<(String, Words)>,
}

/// What happens to rows of the wrong length.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OnBadRow {
    /// The load fails and names the line.
    #[default]
    Error,
    /// They are counted, listed and left out.
    Skip,
}

const FIELDS: [&str; 16] = [
    "format", "csv", "columns", "nulls", "time", "series", "timezone", "market", "timesIn",
    "types", "units", "labels", "synonyms", "resample", "onBadRow", "locale",
];
const CSV_FIELDS: [&str; 8] =
    ["delimiter", "quote", "escape", "skip", "header", "decimal", "dates", "encoding"];
/// More lines than this do not stand before a table.
const MOST_SKIPPED: u64 = 1000;
const FORMATS: [(&str, Format); 4] = [
    ("csv", Format::Csv),
    ("json", Format::Json),
    ("ndjson", Format::Ndjson),
    ("arrow", Format::Arrow),
];
const KINDS: [(&str, Kind); 11] = [
    ("integer", Kind::Int),
    ("number", Kind::Float),
    ("decimal(2)", Kind::Decimal(2)),
    ("boolean", Kind::Bool),
    ("text", Kind::Text),
    ("date", Kind::Date),
    ("timestamp", Kind::Timestamp),
    ("list of text", Kind::List(Member::Text)),
    ("list of integer", Kind::List(Member::Int)),
    ("list of number", Kind::List(Member::Float)),
    ("list of boolean", Kind::List(Member::Bool)),
];
const RULES: [(&str, Rule); 6] = [
    ("first", Rule::First),
    ("last", Rule::Last),
    ("sum", Rule::Sum),
    ("mean", Rule::Mean),
    ("min", Rule::Min),
    ("max", Rule::Max),
];
const DECIMALS: [(&str, Decimal); 2] = [(".", Decimal::Point), (",", Decimal::Comma)];
const DATES: [(&str, DateOrder); 3] =
    [("ymd", DateOrder::Ymd), ("dmy", DateOrder::Dmy), ("mdy", DateOrder::Mdy)];
const BAD_ROWS: [(&str, OnBadRow); 2] = [("error", OnBadRow::Error), ("skip", OnBadRow::Skip)];
const TIMES_IN: [(&str, TimesIn); 2] = [("local", TimesIn::Local), ("utc", TimesIn::Utc)];
const LOCALES: [(&str, Locale); 2] = [("en", Locale::En), ("ru", Locale::Ru)];

impl Options {
    /// Reads the options object of the JavaScript interface: camelCase fields, absent, null or
    /// empty ones stand for the default. Fields of other layers are not expected here.
    ///
    /// # Errors
    /// Every unknown field and every wrong value, each with a JSON pointer, all at once.
    pub fn from_json(json: &Json) -> Result<Self> {
        let mut read = Reader::default();
        let options = read.options(json);
        if read.problems.is_empty() { Ok(options) } else { Err(Error::Input(read.problems)) }
    }

    /// The kinds that columns are to have, the first one of a name.
    pub(super) fn kinds(&self) -> Vec<(String, Kind)> {
        self.types.iter().chain(&self.expected).cloned().collect()
    }

    /// The kind that a column is to have.
    pub(super) fn kind(&self, name: &str) -> Option<Kind> {
        let mut all = self.types.iter().chain(&self.expected);
        all.find(|(n, _)| n == name).map(|(_, kind)| *kind)
    }

    /// What holds for the columns of a file of any format.
    pub(super) fn settings(&self) -> Settings {
        Settings {
            null_words: self.nulls.is_none(),
            decimal: None,
            likely_decimal: None,
            dates: self.csv.dates,
            times_in_utc: self.times_in == TimesIn::Utc,
            timezone: self
                .market
                .timezone
                .as_deref()
                .and_then(|zone| schema::timezone(zone, "").ok()),
            locale: self.locale,
        }
    }

    /// Whether all columns that are spoken of exist.
    ///
    /// # Errors
    /// Every unknown column, with the closest names.
    pub(super) fn check_columns(&self, names: &[&str]) -> Result<()> {
        let known: HashSet<&str> = names.iter().copied().collect();
        let chosen = self.columns.iter().flatten().enumerate();
        let chosen = chosen.map(|(i, name)| (format!("/columns/{i}"), name.as_str()));
        unknown(chosen.filter(|(_, name)| !known.contains(name)), names)?;
        let names: Vec<&str> = names.iter().copied().filter(|name| self.keeps(name)).collect();
        let known: HashSet<&str> = names.iter().copied().collect();
        fn keys<'a, T>(at: &str, list: &'a [(String, T)]) -> Vec<(String, &'a str)> {
            list.iter().map(|(n, _)| (format!("{at}/{}", escape(n)), n.as_str())).collect()
        }
        let mut used = keys("/types", &self.types);
        used.extend(keys("/units", &self.units));
        used.extend(keys("/labels", &self.labels));
        used.extend(keys("/synonyms/columns", &self.synonyms.columns));
        used.extend(keys("/synonyms/values", &self.synonyms.values));
        used.extend(keys("/resample", &self.resample));
        if let TimeColumn::Named(name) = &self.time {
            used.push(("/time".to_owned(), name));
        }
        if let Some(name) = &self.series {
            used.push(("/series".to_owned(), name));
        }
        unknown(used.into_iter().filter(|(_, name)| !known.contains(name)), &names)
    }

    /// Whether a column is to be read.
    pub(super) fn keeps(&self, name: &str) -> bool {
        self.columns.as_ref().is_none_or(|chosen| chosen.iter().any(|other| other == name))
    }
}

/// Names that no column has, with the closest of those that are there.
fn unknown<'a>(found: impl Iterator<Item = (String, &'a str)>, names: &[&str]) -> Result<()> {
    let problems: Vec<Diagnostic> = found
        .map(|(at, name)| {
            Diagnostic::new(
                Code::BadOption,
                text!("unknown column `{name}`", "неизвестный столбец `{name}`"),
            )
            .at(at)
            .choices(closest(name, names.iter().copied(), 5))
        })
        .collect();
    if problems.is_empty() { Ok(()) } else { Err(Error::Input(problems)) }
}

/// Reads options and collects what is wrong with them.
#[derive(Default)]
struct Reader {
    problems: Vec<Diagnostic>,
}

impl Reader {
    fn options(&mut self, json: &Json) -> Options {
        let mut out = Options::default();
        let mut timezone = None;
        for (name, value) in self.fields(json, "", &FIELDS) {
            let at = format!("/{name}");
            match name.as_str() {
                "format" => out.format = self.format(value, &at),
                "csv" => out.csv = self.csv(value, &at),
                "columns" => out.columns = self.columns(value, &at),
                "nulls" => out.nulls = Some(self.words(value, &at)),
                "time" => {
                    out.time = match value {
                        Json::Bool(false) => TimeColumn::None,
                        other => self
                            .string(other, &at)
                            .map_or(TimeColumn::Detect, |s| TimeColumn::Named(s.to_owned())),
                    };
                }
                "series" => out.series = self.string(value, &at).map(str::to_owned),
                "timezone" => timezone = self.timezone(value, &at),
                "market" => match Market::from_json(value, &at) {
                    Ok(market) => out.market = market,
                    Err(problems) => self.problems.extend(problems),
                },
                "timesIn" => {
                    out.times_in = self.choice(value, &at, &TIMES_IN).unwrap_or_default();
                }
                "types" => out.types = self.map(value, &at, Self::kind),
                "units" => out.units = self.map(value, &at, Self::owned),
                "labels" => out.labels = self.map(value, &at, Self::owned),
                "synonyms" => out.synonyms = self.synonyms(value, &at),
                "resample" => {
                    out.resample = self.map(value, &at, |r, v, at| r.choice(v, at, &RULES));
                }
                "onBadRow" => {
                    out.on_bad_row = self.choice(value, &at, &BAD_ROWS).unwrap_or_default();
                }
                _ => out.locale = self.choice(value, &at, &LOCALES).unwrap_or_default(),
            }
        }
        if timezone.is_some() {
            out.market.timezone = timezone;
        }
        out
    }

    fn format(&mut self, json: &Json, at: &str) -> Option<Format> {
        let name = self.string(json, at)?;
        let known = FORMATS.iter().find(|(known, _)| *known == name);
        if known.is_none() {
            let problem = Diagnostic::new(
                Code::UnsupportedFormat,
                text!("files of the format `{name}` are not read", "формат `{name}` не читается"),
            );
            // Parquet comes as Arrow: its reader stands before the engine.
            let names = FORMATS.iter().map(|(name, _)| *name).chain(["parquet"]);
            let names = names.filter(|known| *known != name);
            self.problems.push(problem.at(at).choices(closest(name, names, FORMATS.len() + 1)));
        }
        known.map(|(_, format)| *format)
    }

    /// The name of a kind; the digits behind the point of a decimal are any that it may have.
    fn kind(&mut self, json: &Json, at: &str) -> Option<Kind> {
        match json.as_str().map(str::parse) {
            Some(Ok(decimal @ Kind::Decimal(_))) => Some(decimal),
            _ => self.choice(json, at, &KINDS),
        }
    }

    fn timezone(&mut self, json: &Json, at: &str) -> Option<String> {
        let name = self.string(json, at)?;
        match schema::timezone(name, at) {
            Ok(name) => Some(name.to_owned()),
            Err(problem) => {
                self.problems.push(*problem);
                None
            }
        }
    }

    fn csv(&mut self, json: &Json, at: &str) -> CsvOptions {
        let mut out = CsvOptions::default();
        for (name, value) in self.fields(json, at, &CSV_FIELDS) {
            let at = format!("{at}/{name}");
            match name.as_str() {
                "delimiter" => out.delimiter = self.delimiter(value, &at),
                "quote" if *value == false => out.quote = Some(Quote::None),
                "quote" => out.quote = self.mark(value, &at).map(Quote::Mark),
                "escape" => out.escape = self.mark(value, &at),
                "skip" => {
                    let lines = value.as_u64().filter(|n| *n <= MOST_SKIPPED);
                    out.skip = lines.and_then(|n| usize::try_from(n).ok());
                    if out.skip.is_none() {
                        let most = MOST_SKIPPED;
                        self.wrong(
                            &at,
                            text!(
                                "expected a whole number from 0 to {most}",
                                "нужно целое число от 0 до {most}"
                            ),
                        );
                    }
                }
                "header" => {
                    out.header = value.as_bool();
                    if out.header.is_none() {
                        self.wrong(&at, text!("expected true or false", "нужно true или false"));
                    }
                }
                "decimal" => out.decimal = self.choice(value, &at, &DECIMALS),
                "dates" => out.dates = self.choice(value, &at, &DATES),
                _ => {
                    let known = Encoding::ALL.map(|e| (e.name(), e));
                    out.encoding = self.choice(value, &at, &known);
                }
            }
        }
        let marks = [
            ("delimiter", out.delimiter),
            ("escape", out.escape),
            ("quote", if let Some(Quote::Mark(mark)) = out.quote { Some(mark) } else { None }),
        ];
        for (first, second) in [(0, 1), (0, 2)] {
            if let (Some((_, Some(a))), Some((name, Some(b)))) =
                (marks.get(first), marks.get(second))
                && a == b
            {
                let message = text!(
                    "the delimiter cannot have another meaning",
                    "у разделителя не может быть другого значения"
                );
                self.wrong(&format!("{at}/{name}"), message);
            }
        }
        // the quote that takes its own meaning is the doubled one
        out.escape = out.escape.filter(|mark| out.quote.unwrap_or(DOUBLE) != Quote::Mark(*mark));
        out
    }

    fn columns(&mut self, json: &Json, at: &str) -> Option<Vec<String>> {
        let before = self.problems.len();
        let names = self.words(json, at);
        if names.is_empty() && self.problems.len() == before {
            self.wrong(at, text!("name at least one column", "назовите хотя бы один столбец"));
        }
        (!names.is_empty()).then_some(names)
    }

    /// A character around or inside fields.
    fn mark(&mut self, json: &Json, at: &str) -> Option<u8> {
        match self.string(json, at)?.as_bytes() {
            [mark] if mark.is_ascii_punctuation() => Some(*mark),
            _ => {
                self.wrong(
                    at,
                    text!("expected one punctuation character", "нужен один знак препинания"),
                );
                None
            }
        }
    }

    fn delimiter(&mut self, json: &Json, at: &str) -> Option<u8> {
        match self.string(json, at)?.as_bytes() {
            [d] if d.is_ascii() && !d.is_ascii_alphanumeric() && !b"\"\r\n\0".contains(d) => {
                Some(*d)
            }
            _ => {
                self.wrong(
                    at,
                    text!(
                        "a delimiter is one character, neither a letter, a digit nor a quote",
                        "разделитель — один знак, не буква, не цифра и не кавычка"
                    ),
                );
                None
            }
        }
    }

    fn synonyms(&mut self, json: &Json, at: &str) -> Synonyms {
        let mut out = Synonyms::default();
        for (name, value) in self.fields(json, at, &["table", "columns", "values"]) {
            let at = format!("{at}/{name}");
            match name.as_str() {
                "table" => out.table = self.words(value, &at),
                "columns" => out.columns = self.map(value, &at, |r, v, at| Some(r.words(v, at))),
                _ => {
                    out.values = self.map(value, &at, |r, v, at| {
                        Some(r.map(v, at, |r, v, at| Some(r.words(v, at))))
                    });
                }
            }
        }
        out
    }

    /// The fields of an object that are given and known.
    fn fields<'a>(
        &mut self,
        json: &'a Json,
        at: &str,
        known: &[&str],
    ) -> Vec<(&'a String, &'a Json)> {
        let Some(object) = self.object(json, at) else { return Vec::new() };
        let mut out = Vec::new();
        for (name, value) in object {
            if !known.contains(&name.as_str()) {
                self.problems.push(
                    Diagnostic::new(
                        Code::BadOption,
                        text!("unknown option `{name}`", "неизвестный параметр `{name}`"),
                    )
                    .at(format!("{at}/{}", escape(name)))
                    .choices(closest(name, known.iter().copied(), known.len())),
                );
            } else if !value.is_null() {
                out.push((name, value));
            }
        }
        out
    }

    fn object<'a>(&mut self, json: &'a Json, at: &str) -> Option<&'a Map<String, Json>> {
        if json.is_null() {
            return None;
        }
        let object = json.as_object();
        if object.is_none() {
            self.wrong(at, text!("expected an object", "нужен объект"));
        }
        object
    }

    fn map<T>(
        &mut self,
        json: &Json,
        at: &str,
        read: impl Fn(&mut Self, &Json, &str) -> Option<T>,
    ) -> Vec<(String, T)> {
        let Some(object) = self.object(json, at) else { return Vec::new() };
        let mut out = Vec::new();
        for (name, value) in object {
            if let Some(value) = read(self, value, &format!("{at}/{}", escape(name))) {
                out.push((name.clone(), value));
            }
        }
        out
    }

    fn words(&mut self, json: &Json, at: &str) -> Vec<String> {
        let list = json.as_array().map(|list| list.iter().map(Json::as_str).collect::<Vec<_>>());
        match list {
            Some(list) if list.iter().all(Option::is_some) => {
                list.into_iter().flatten().map(str::to_owned).collect()
            }
            _ => {
                self.wrong(at, text!("expected a list of texts", "нужен список строк"));
                Vec::new()
            }
        }
    }

    fn string<'a>(&mut self, json: &'a Json, at: &str) -> Option<&'a str> {
        let string = json.as_str();
        if string.is_none() {
            self.wrong(at, text!("expected a text", "нужна строка"));
        }
        string
    }

    fn owned(&mut self, json: &Json, at: &str) -> Option<String> {
        self.string(json, at).map(str::to_owned)
    }

    fn choice<T: Copy>(&mut self, json: &Json, at: &str, known: &[(&str, T)]) -> Option<T> {
        let given = self.string(json, at)?;
        let found = known.iter().find(|(name, _)| name.eq_ignore_ascii_case(given));
        if found.is_none() {
            self.problems.push(
                Diagnostic::new(
                    Code::BadOption,
                    text!("unknown value `{given}`", "неизвестное значение `{given}`"),
                )
                .at(at)
                .choices(closest(
                    given,
                    known.iter().map(|(name, _)| *name),
                    known.len(),
                )),
            );
        }
        found.map(|(_, value)| *value)
    }

    fn wrong(&mut self, at: &str, message: crate::error::Text) {
        self.problems.push(Diagnostic::new(Code::BadOption, message).at(at));
    }
}

/// A name as a segment of a JSON pointer.
pub(super) fn escape(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}
