//! `trips at night`, `сколько поездок было вечером`: hours that a word means, offered with them; `close
//! by month`: the close of each month.

use super::{Asked, Made, one_of};
use crate::planner::follow::put_back;
use crate::query::Query;

/// Words for a part of the day, its first hour, and the one behind its last.
const PARTS: [(&str, u32, u32); 14] = [
    ("in the morning", 6, 12),
    ("in the mornings", 6, 12),
    ("in the afternoon", 12, 18),
    ("in the evening", 18, 24),
    ("in the evenings", 18, 24),
    ("at night", 0, 6),
    ("during the night", 0, 6),
    ("утром", 6, 12),
    ("по утрам", 6, 12),
    ("днем", 12, 18),
    ("вечером", 18, 24),
    ("по вечерам", 18, 24),
    ("ночью", 0, 6),
    ("по ночам", 0, 6),
];

impl Asked<'_> {
    pub(super) fn time_of_day(&self) -> Option<Made> {
        if self.table.time.is_none() || !self.table.timed || self.table.ohlcv.is_some() {
            return None;
        }
        let words: Vec<&str> = self.tokens.iter().map(|t| t.folded.as_str()).collect();
        let (from, to, first, last) = PARTS.iter().find_map(|(phrase, first, last)| {
            let said: Vec<&str> = phrase.split(' ').collect();
            let at = words.windows(said.len()).position(|window| window == said)?;
            Some((at, at + said.len(), *first, *last))
        })?;
        // a shift may be called so
        if self.goes_well() {
            return None;
        }
        let end = words.len() - usize::from(words.last() == Some(&"?"));
        let behind = self.said(to, end);
        let mut before = self.said(0, from);
        for was in [" было", " была", " были", " were there", " are there"] {
            before = before.trim_end_matches(was).to_owned();
        }
        let (mut query, _) = self.understood(format!("{before} {behind}").trim())?;
        if query.filter.as_ref().is_some_and(|f| f.contains("hour(")) || !query.steps.is_empty() {
            return None;
        }
        let hours = match (first, last) {
            (0, last) => format!("hour() < {last}"),
            (first, 24) => format!("hour() >= {first}"),
            (first, last) => format!("hour() >= {first} and hour() < {last}"),
        };
        query.filter = Some(match &query.filter {
            Some(_) => put_back(query.filter.as_deref(), &hours)?,
            None => hours,
        });
        let said = self.told(&query)?;
        Some(Made::Offered(query, said))
    }

    /// `close by month`, `цена закрытия по годам`: the last one of each, not their mean; `price chart`: those
    /// of the days.
    pub(super) fn closes(&self) -> Option<Made> {
        const CLOSE: &str = "close closing price prices monthly yearly weekly daily show me the цена цены закрытия \
                             закрытие месячное of a";
        const CHART: &str =
            "chart graph plot draw line candlestick график графике покажи построй нарисуй";
        const BY: [(&str, &str); 14] = [
            ("daily", "daily"),
            ("weekly", "weekly"),
            ("day", "daily"),
            ("week", "weekly"),
            ("month", "monthly"),
            ("quarter", "quarterly"),
            ("year", "yearly"),
            ("дням", "daily"),
            ("неделям", "weekly"),
            ("месяцам", "monthly"),
            ("кварталам", "quarterly"),
            ("годам", "yearly"),
            ("monthly", "monthly"),
            ("yearly", "yearly"),
        ];
        let bars = self.table.ohlcv.as_ref()?;
        let words = self.words()?;
        let charted = words.iter().any(|w| one_of("chart graph plot график графике", w));
        let close = words.iter().any(|w| one_of("close closing закрытия закрытие", w))
            || charted && words.iter().any(|w| one_of("price prices цена цены цен", w));
        let length = BY.iter().find(|(by, _)| words.contains(by)).map(|(_, length)| length);
        let length = length.or(charted.then_some(&"daily"))?;
        let by = |w: &str| one_of("by per по", w) || BY.iter().any(|(name, _)| *name == w);
        let known = |w: &str| one_of(CLOSE, w) || by(w) || charted && one_of(CHART, w);
        if !close || !words.iter().all(|w| known(w)) {
            return None;
        }
        let time = self.table.time.clone()?;
        let query = Query {
            from: Some((*length).to_owned()),
            columns: vec![time, bars.close.clone()],
            ..Query::default()
        };
        let name = match *length {
            "daily" => ["days", "дней"],
            "weekly" => ["weeks", "недель"],
            "monthly" => ["months", "месяцев"],
            "quarterly" => ["quarters", "кварталов"],
            _ => ["years", "лет"],
        };
        let [en, ru] = name;
        let said = text!(
            "the last close of all {en}, one by one",
            "последние закрытия всех {ru} по порядку"
        );
        // without a chart it may be meant otherwise
        Some(if charted { Made::Query(query, said) } else { Made::Offered(query, said) })
    }
}
