//! The first step of a query: which rows of the table it is about, and as which bars.

use super::typed::Warning;
use crate::error::{Code, Diagnostic, closest};
use crate::query::period::{Dates, Period};
use crate::query::raw::Query;
use crate::query::timeframe::Timeframe;
use crate::schema::{DAY, Kind, Session, TableSchema};
use crate::value::Value;
use serde_json::{Value as Json, json};

/// Session, period, timeframe and look-back, checked.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Frame {
    session: Option<Session>,
    period: Option<(Period, Dates)>,
    from: Option<Timeframe>,
    strict: bool,
}

impl Frame {
    /// The session that bars must fall in.
    pub fn session(&self) -> Option<&Session> {
        self.session.as_ref()
    }
    /// The period as written.
    pub fn period(&self) -> Option<&Period> {
        self.period.as_ref().map(|(period, _)| period)
    }
    /// The trading dates that come out; of bars, by their labels.
    pub fn dates(&self) -> Option<Dates> {
        self.period.as_ref().map(|(_, dates)| *dates)
    }
    /// The timeframe bars are resampled to.
    pub fn from(&self) -> Option<Timeframe> {
        self.from
    }
    /// Windows may look at rows outside the period.
    pub fn lookback(&self) -> bool {
        !self.strict
    }

    /// There are rows outside the period, and no window may look at them.
    pub(super) fn is_strict(&self) -> bool {
        self.strict && self.period.is_some()
    }

    /// Its fields in the canonical form but `lookback`, which comes last.
    pub(super) fn canonical(&self) -> impl Iterator<Item = (&'static str, Json)> {
        let session = self.session.as_ref().map(|s| ("session", json!(s.name)));
        let period = self.period().map(|p| ("period", json!(p.text())));
        let from = self.from.map(|t| ("from", json!(t.name())));
        [session, period, from].into_iter().flatten()
    }
}

/// Reads the fields of the first step. What is wrong with one leaves it out.
pub(super) fn frame(
    query: &Query,
    schema: &TableSchema,
    problems: &mut Vec<Diagnostic>,
    warnings: &mut Vec<Warning>,
) -> Frame {
    let name = query.session.as_deref();
    let session = name.and_then(|name| kept(session(name, schema), problems));
    let text = query.period.as_deref();
    let period = text.and_then(|text| kept(period(text, schema), problems));
    let period = period.map(|period| {
        let dates = period.dates(schema.dates().map(|(_, last)| last));
        warnings.extend(clipped(&period, dates, schema));
        (period, dates)
    });
    let name = query.from.as_deref();
    let from = name.and_then(|name| kept(timeframe(name, schema), problems));
    Frame { session, period, from, strict: query.lookback == Some(false) }
}

/// What was made; a problem goes to the others.
fn kept<T>(made: Result<T, Box<Diagnostic>>, problems: &mut Vec<Diagnostic>) -> Option<T> {
    made.map_err(|problem| problems.push(*problem)).ok()
}

/// The table has rows within a day, which sessions tell apart.
pub(in crate::query) fn intraday(schema: &TableSchema) -> bool {
    time_kind(schema) == Some(Kind::Timestamp) && schema.interval.is_none_or(|s| s < DAY)
}

/// Bars of the table make bars of this length.
pub(in crate::query) fn makes(schema: &TableSchema, timeframe: Timeframe) -> bool {
    let bars = schema.ohlcv.is_some() || !schema.resample.is_empty();
    bars && time_kind(schema).is_some_and(|kind| fits(schema, kind, timeframe))
}

fn fits(schema: &TableSchema, time: Kind, timeframe: Timeframe) -> bool {
    schema.interval.is_none_or(|s| s <= timeframe.longest())
        && !(time == Kind::Date && timeframe.is_intraday())
}

/// Finds a session of the table.
fn session(name: &str, schema: &TableSchema) -> Result<Session, Box<Diagnostic>> {
    let table = &schema.name;
    let problem = |code, message| Box::new(Diagnostic::new(code, message).at("/session"));
    if !intraday(schema) {
        let message = crate::text!(
            "table `{table}` has no bars within a day, so that no session tells them apart",
            "в таблице `{table}` нет баров внутри дня, и сессии их не различают"
        );
        return Err(problem(Code::NotIntraday, message));
    }
    if let Some(session) = schema.market.session(name) {
        return Ok(session.clone());
    }
    let names = schema.market.sessions.iter().map(|s| s.name.as_str());
    if schema.market.sessions.is_empty() {
        let message = crate::text!(
            "table `{table}` has no sessions: name them when it is loaded (`market`)",
            "у таблицы `{table}` нет сессий: задайте их при загрузке (`market`)"
        );
        return Err(problem(Code::UnknownSession, message));
    }
    let list = names.clone().collect::<Vec<_>>().join("`, `");
    let message = crate::text!(
        "unknown session `{name}`; table `{table}` has `{list}`",
        "неизвестная сессия `{name}`; у таблицы `{table}` есть `{list}`"
    );
    let mut found = problem(Code::UnknownSession, message);
    found.choices = closest(name, names.clone(), schema.market.sessions.len());
    found.fix = super::near_match(name, names).map(str::to_owned);
    Err(found)
}

/// Reads a period of a table that has a time column.
fn period(text: &str, schema: &TableSchema) -> Result<Period, Box<Diagnostic>> {
    let period = Period::parse(text)?;
    if time_kind(schema).is_none() {
        let table = &schema.name;
        let message = crate::text!(
            "table `{table}` has no time column to take a period of",
            "в таблице `{table}` нет столбца времени, период не выбрать"
        );
        return Err(Diagnostic::new(Code::NoTimeColumn, message).at("/period").into());
    }
    Ok(period)
}

fn time_kind(schema: &TableSchema) -> Option<Kind> {
    let column = schema.time.as_ref().and_then(|t| schema.column(t))?;
    column.kind.is_time().then_some(column.kind)
}

/// What is wrong with a `from` that is no timeframe; `table` is the one that is asked.
pub(super) fn unknown_timeframe(name: &str, table: Option<&str>) -> Diagnostic {
    let message = if table == Some(name) {
        crate::text!(
            "unknown timeframe `{name}`: a table is named by `table`, `from` makes bars",
            "неизвестный таймфрейм `{name}`: таблицу называет `table`, а `from` делает бары"
        )
    } else {
        crate::text!("unknown timeframe `{name}`", "неизвестный таймфрейм `{name}`")
    };
    let known = Timeframe::ALL.iter().map(|t| t.name());
    let mut diagnostic =
        Diagnostic::new(Code::UnknownTimeframe, message).at("/from").choices(known);
    diagnostic.fix = Timeframe::meant(name).map(|t| t.name().to_owned());
    diagnostic
}

/// Reads `from` and checks that the table's bars can be resampled to it.
fn timeframe(name: &str, schema: &TableSchema) -> Result<Timeframe, Box<Diagnostic>> {
    let problem = |code, message| Diagnostic::new(code, message).at("/from");
    let Some(timeframe) = Timeframe::of(name) else {
        return Err(unknown_timeframe(name, Some(&schema.name)).into());
    };
    let table = &schema.name;
    if schema.ohlcv.is_none() && schema.resample.is_empty() {
        let message = crate::text!(
            "table `{table}` has no open, high, low and close columns to make bars of: use `group_by`",
            "в таблице `{table}` нет столбцов open, high, low и close, бары не построить: нужен `group_by`"
        );
        return Err(problem(Code::NotResamplable, message).into());
    }
    let Some(kind) = time_kind(schema) else {
        let message = crate::text!(
            "table `{table}` has no time column to make bars by",
            "в таблице `{table}` нет столбца времени для баров"
        );
        return Err(problem(Code::NoTimeColumn, message).into());
    };
    if !fits(schema, kind, timeframe) {
        let message = crate::text!(
            "the bars of `{table}` are longer than `{name}`: leave `from` out",
            "бары таблицы `{table}` длиннее, чем `{name}`: уберите `from`"
        );
        let fit = Timeframe::ALL.iter().filter(|t| fits(schema, kind, **t));
        return Err(problem(Code::TimeframeTooFine, message).choices(fit.map(|t| t.name())).into());
    }
    Ok(timeframe)
}

/// Days that may be missing at the ends of a period before it is worth a word: holidays.
const SLACK: i64 = 7;

/// The warning that the data cover a part of the period only; none where they cover nothing of it,
/// which the run says.
fn clipped(period: &Period, dates: Dates, schema: &TableSchema) -> Option<Warning> {
    let (Dates::Between(from, to), Some((first, last))) = (dates, schema.dates()) else {
        return None;
    };
    let (from, to) = (from.map(i64::from), to.map(i64::from));
    let (first, last) = (i64::from(first), i64::from(last));
    let outside = from.is_some_and(|from| from > last) || to.is_some_and(|to| to < first);
    let bar = schema.interval.map_or(0, |s| (s / DAY) as i64);
    let slack = SLACK.max(bar * 2);
    let cut =
        from.is_some_and(|from| from + slack < first) || to.is_some_and(|to| to > last + slack);
    (cut && !outside).then(|| {
        // a stretch of years as people write it
        let text = period.text().replace(':', "–");
        let (first, last) = covered(schema)?;
        let message = crate::text!(
            "the data cover only a part of `{text}`: they go from {first} to {last}",
            "данные покрывают `{text}` не целиком: они идут с {first} по {last}"
        );
        Some(Warning { code: "period_clipped", message })
    })?
}

impl Frame {
    /// The warning that no row is in the period, or in the session.
    pub(crate) fn empty(&self, schema: &TableSchema) -> Option<Warning> {
        let text = self.period()?.text();
        let within = self.session.as_ref().map(|s| (s.name.as_str(), s.start, s.end));
        let (en, ru) = match within {
            Some((name, start, end)) => (
                format!(" in session `{name}` ({start} to {end})"),
                format!(" в сессии `{name}` ({start}–{end})"),
            ),
            None => (String::new(), String::new()),
        };
        let message = match (covered(schema), self.from.filter(|_| self.meets(schema))) {
            (Some((first, last)), Some(timeframe)) => {
                let name = timeframe.name();
                crate::text!(
                    "no `{name}` bar{en} starts in `{text}`, and a bar is of the period in which it starts: the data go from {first} to {last}",
                    "ни один бар `{name}`{ru} не начинается в `{text}`, а бар относится к периоду своего начала: данные идут с {first} по {last}"
                )
            }
            (Some((first, last)), None) => crate::text!(
                "there are no rows in `{text}`{en}: the data go from {first} to {last}",
                "в `{text}`{ru} нет строк: данные идут с {first} по {last}"
            ),
            (None, _) => crate::text!("the table has no dates", "в таблице нет дат"),
        };
        Some(Warning { code: "period_empty", message })
    }

    /// The period has dates that the data cover.
    fn meets(&self, schema: &TableSchema) -> bool {
        let (Some(Dates::Between(from, to)), Some((first, last))) = (self.dates(), schema.dates())
        else {
            return false;
        };
        from.is_none_or(|from| from <= last) && to.is_none_or(|to| to >= first)
    }
}

/// First and last trading date of the data.
fn covered(schema: &TableSchema) -> Option<(String, String)> {
    let (first, last) = schema.dates()?;
    Some((Value::Date(first).to_string(), Value::Date(last).to_string()))
}
