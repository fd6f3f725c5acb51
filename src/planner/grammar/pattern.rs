//! Productions for bars: runs of days, shapes, indicators, lengths of bars, sessions.

use super::super::lattice::Lattice;
use super::super::sketch::{Cond, Item, Measure, Metric};
use super::super::token::TokenKind;
use super::super::words::{Agg, Cmp, Concept, Hours, Indicator, Part, Run};
use super::{Quantity, Way};
use crate::query::timeframe::Timeframe;
use crate::schema::DAY;

/// Words between the parts of a run (`three days in a row were red`).
const RUN_PARTS: usize = 8;

/// Beginnings of words for a part of the day, which may as well be no session.
const PARTS_OF_DAY: [&str; 8] =
    ["morning", "afternoon", "night", "утр", "ночн", "ночь", "после", "вторая"];

/// Beginnings of words for bars of one length, which need no word for bars beside them.
const BARS_OF: [&str; 9] = [
    "минутк",
    "пятиминутк",
    "пятнадцатиминутк",
    "получасовк",
    "часовик",
    "часовк",
    "дневк",
    "недельк",
    "четырехчасовк",
];

/// Words after a length of bars that stand for bars.
const CHARTS: [&str; 12] = [
    "chart",
    "charts",
    "timeframe",
    "timeframes",
    "tf",
    "basis",
    "графике",
    "график",
    "графика",
    "таймфрейме",
    "таймфрейм",
    "тф",
];

/// What has been read of a run.
#[derive(Debug, Clone, Copy, Default)]
struct RunParts {
    number: Option<u64>,
    run: Option<Run>,
    in_a_row: bool,
    longest: bool,
    days: bool,
}

impl Lattice<'_> {
    /// `3 red days in a row`, `три дня подряд падал`.
    pub(super) fn streaks(&self, at: usize) -> Vec<Way<Cond>> {
        if self.schema.ohlcv.is_none() {
            return Vec::new();
        }
        // `the price fell three days in a row`
        let mut starts = vec![at];
        starts.extend(self.take(at, Concept::Price));
        starts.extend(self.take(at, Concept::Market));
        starts
            .into_iter()
            .flat_map(|start| self.runs_of_bars(start))
            .filter_map(|(parts, end)| {
                let (number, run) = (parts.number?, parts.run?);
                (parts.in_a_row && !parts.longest).then_some((
                    Cond::Streak(run, Cmp::Ge, number),
                    end,
                    1.0,
                ))
            })
            .collect()
    }

    /// `longest streak of green days`, `сколько максимум дней подряд росла`.
    pub(super) fn longest_streaks(&self, at: usize) -> Vec<Way<Item>> {
        // `how many days in a row did it fall at most`
        let opens = self.take(at, Concept::Longest).or_else(|| self.take(at, Concept::Count));
        if self.schema.ohlcv.is_none() || opens.is_none() {
            return Vec::new();
        }
        let counted = self.take(at, Concept::Longest).is_none();
        let start = if counted { opens.unwrap_or(at) } else { at };
        self.runs_of_bars(start)
            .into_iter()
            .filter_map(|(parts, end)| {
                let run = parts.run?;
                let ready = parts.longest && parts.in_a_row && parts.number.is_none();
                let measure = Some(Measure::Streak(run));
                let metric = Metric { agg: Some(Agg::Max), measure, every: None };
                ready.then(|| (Item::Metrics(vec![metric]), end, 1.0))
            })
            .collect()
    }

    /// The parts of a run in any order, each at most once; every place where it could end.
    fn runs_of_bars(&self, at: usize) -> Vec<(RunParts, usize)> {
        let mut found = Vec::new();
        let mut parts = RunParts::default();
        let mut place = at;
        for step in 0..RUN_PARTS {
            let before = place;
            if let Some(end) = self.take(place, Concept::Longest).filter(|_| !parts.longest) {
                parts.longest = true;
                place = end;
            } else if let Some(end) =
                self.take(place, Concept::InARow).or_else(|| self.take(place, Concept::Streak))
            {
                // `streak of 3 days in a row` says it twice
                parts.in_a_row = true;
                place = end;
            } else if let Some((number, end)) = self.whole(place).filter(|_| parts.number.is_none())
            {
                parts.number = Some(number);
                // `five or more`
                place = self.take(end, Concept::OrMore).unwrap_or(end);
            } else if let Some((run, end)) = self.run(place).filter(|_| parts.run.is_none()) {
                parts.run = Some(run);
                place = end;
            } else if let Some(end) = self.day_word(place).filter(|_| !parts.days) {
                parts.days = true;
                place = end;
            } else if step > 0 {
                let glue = self.glue(place);
                let market = self.take(glue, Concept::Market).unwrap_or(glue);
                let close = self.measures(market).into_iter().find_map(|(m, end, _)| {
                    (self.close().map(Measure::Column) == Some(m)).then_some(end)
                });
                place = close.filter(|_| parts.run.is_none()).unwrap_or(market);
            }
            if place == before {
                break;
            }
            if parts.run.is_some() && parts.in_a_row {
                found.push((parts, place));
            }
        }
        found
    }

    /// A bare whole number from 2.
    fn whole(&self, at: usize) -> Option<(u64, usize)> {
        let (Quantity { value, unit: None, year: false, .. }, end) = self.number(at)? else {
            return None;
        };
        ((2.0..=1000.0).contains(&value) && value.fract() == 0.0).then_some((value as u64, end))
    }

    fn run(&self, at: usize) -> Option<(Run, usize)> {
        self.find(at, |c| match c {
            Concept::Colour(up) => Some(Run::Coloured(up)),
            Concept::Move(up) | Concept::Direction(up) => Some(Run::Moved(up)),
            _ => None,
        })
        .into_iter()
        .max_by_key(|&(_, end)| end)
    }

    fn day_word(&self, at: usize) -> Option<usize> {
        self.concepts(at)
            .filter(|(c, _)| matches!(c, Concept::Part(Part::Day) | Concept::Bars))
            .map(|(_, end)| end)
            .max()
    }

    /// `inside days`, `doji`.
    pub(super) fn shapes(&self, at: usize) -> Vec<Way<Cond>> {
        self.find(at, |c| match c {
            Concept::Pattern(pattern) => Some(pattern),
            _ => None,
        })
        .into_iter()
        .map(|(pattern, end)| (Cond::Pattern(pattern), end, 1.0))
        .collect()
    }

    /// `RSI`, `RSI(7)`, `50 day moving average`.
    pub(super) fn indicators(&self, at: usize) -> Vec<Way<Measure>> {
        let mut ways = Vec::new();
        let mean = |i: Indicator| matches!(i, Indicator::Sma | Indicator::Ema);
        let named = |at: usize| {
            self.find(at, |c| match c {
                Concept::Indicator(indicator) => Some(indicator),
                _ => None,
            })
        };
        for (indicator, end) in named(at) {
            if !mean(indicator) {
                ways.push((Measure::Indicator(indicator, None), end, 1.0));
            }
            let open = self.tokens.get(end).is_some_and(|t| t.is_symbol("("));
            if let Some((length, end)) = self.whole(if open { end + 1 } else { end }) {
                let close = self.tokens.get(end).is_some_and(|t| t.is_symbol(")"));
                let end = if open && close { end + 1 } else { end };
                if (open == close || !open) && length <= 500 {
                    // `RSI 30` may as well be a level
                    let quality = if open || mean(indicator) { 1.0 } else { 0.5 };
                    ways.push((Measure::Indicator(indicator, Some(length as u16)), end, quality));
                }
            }
        }
        // `200-day moving average`
        if let Some((length, end)) = self.whole(at) {
            let end = self.range_sign(end).unwrap_or(end);
            if let Some(end) =
                self.day_word(end).or_else(|| self.take(end, Concept::Every(Part::Day)))
            {
                for (indicator, end) in named(end) {
                    if length <= 500 {
                        ways.push((Measure::Indicator(indicator, Some(length as u16)), end, 1.0));
                    }
                }
            }
        }
        ways
    }

    /// `5-minute bars`, `hourly candles`, `weekly bars`, `пятиминутных свечей`.
    pub(super) fn lengths(&self, at: usize) -> Vec<Way<Item>> {
        if self.schema.ohlcv.is_none() || self.schema.time.is_none() {
            return Vec::new();
        }
        let mut found: Vec<(Timeframe, usize)> = self
            .find(at, |c| match c {
                Concept::Length(seconds) => of_seconds(u64::from(seconds)),
                Concept::Every(part) => of_part(part),
                _ => None,
            })
            .into_iter()
            .collect();
        let token = self.tokens.get(at).map(|t| t.folded.as_str()).unwrap_or_default();
        if let Some(frame) =
            ["1m", "5m", "15m", "30m"].contains(&token).then(|| Timeframe::of(token))
        {
            found.extend(frame.map(|f| (f, at + 1)));
        }
        if let Some(&TokenKind::Number { value, unit: None, .. }) =
            self.tokens.get(at).map(|t| &t.kind)
        {
            let end = self.range_sign(at + 1).unwrap_or(at + 1);
            let minute = self.take(end, Concept::Minutes).map(|end| (60.0, end));
            let hour = self.concepts(end).find_map(|(c, end)| {
                matches!(c, Concept::Part(Part::Hour) | Concept::Every(Part::Hour))
                    .then_some((3600.0, end))
            });
            for (unit, end) in minute.into_iter().chain(hour) {
                found.extend(of_seconds((value * unit) as u64).map(|f| (f, end)));
            }
        }
        found
            .into_iter()
            .filter_map(|(frame, end)| {
                let noun = |at: usize| BARS_OF.iter().any(|noun| self.word(at).starts_with(noun));
                let alone = noun(at) || (end > at && noun(end - 1));
                let chart = CHARTS.contains(&self.word(end)).then_some(end + 1);
                let end = self.take(end, Concept::Bars).or(chart).or(alone.then_some(end))?;
                Some((Item::Bars(frame), end, 1.0))
            })
            .collect()
    }

    /// `RTH`, `during the overnight session`, `в основную сессию`.
    pub(super) fn sessions(&self, at: usize) -> Vec<Way<Item>> {
        let market = &self.schema.market;
        let mut ways: Vec<Way<Item>> = Vec::new();
        if !self.schema.is_intraday() {
            return ways;
        }
        let Some(token) = self.tokens.get(at) else { return ways };
        if let Some(session) = market.session(&token.raw) {
            let end = self.take(at + 1, Concept::SessionWord).unwrap_or(at + 1);
            ways.push((Item::Session(session.name.clone()), end, 1.0));
        }
        for (hours, end) in self.find(at, |c| match c {
            Concept::Hours(hours) => Some(hours),
            _ => None,
        }) {
            let name = match hours {
                Hours::Regular => "RTH",
                Hours::Overnight => "OVERNIGHT",
                Hours::Asian => "ASIAN",
                Hours::European => "EUROPEAN",
                Hours::Morning => "MORNING",
                Hours::Afternoon => "AFTERNOON",
                Hours::FirstHour => "RTH_OPEN",
                Hours::LastHour => "RTH_CLOSE",
                Hours::Before => "PRE",
                Hours::After => "POST",
            };
            if let Some(session) = market.session(name) {
                // `in the morning`, `ночной объём`: likely the session of that name
                let said =
                    matches!(self.concepts_before(end).next(), Some((_, Concept::SessionWord)))
                        || !PARTS_OF_DAY.iter().any(|part| self.word(at).starts_with(part));
                let quality = if said { 1.0 } else { 0.93 };
                let end = self.of_trading(end);
                ways.push((Item::Session(session.name.clone()), end, quality));
            }
        }
        ways
    }
}

fn of_seconds(seconds: u64) -> Option<Timeframe> {
    Timeframe::of(match seconds {
        60 => "1m",
        300 => "5m",
        900 => "15m",
        1800 => "30m",
        3600 => "1h",
        7200 => "2h",
        14400 => "4h",
        604_800 => "weekly",
        DAY => "daily",
        _ => return None,
    })
}

/// Bars that last for a part of time.
pub(in super::super) fn of_part(part: Part) -> Option<Timeframe> {
    Timeframe::of(match part {
        Part::Year => "yearly",
        Part::Quarter => "quarterly",
        Part::Month => "monthly",
        Part::Week => "weekly",
        Part::Day => "daily",
        Part::Hour => "1h",
        Part::Weekday => return None,
    })
}
