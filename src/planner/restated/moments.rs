//! Everyday questions for moments and how long something takes.

use super::super::stem::{parts, stem};
use super::super::token::TokenKind;
use super::wording::Asked;
use crate::schema::Column;

impl Asked<'_> {
    /// `who was hired most recently`, `newest hires`, `кого приняли последним`: the latest rows of a
    /// table whose date is of that.
    pub(super) fn most_recent(&self) -> Option<String> {
        const EVENT: [&str; 12] = [
            "hire",
            "hired",
            "joined",
            "join",
            "hires",
            "joiners",
            "signed",
            "registered",
            "принят",
            "нанят",
            "пришел",
            "пришла",
        ];
        // a date of something else says nothing of when they came
        const DATED: [&str; 10] = [
            "hir",
            "join",
            "sign",
            "regist",
            "start",
            "принят",
            "прием",
            "найм",
            "нанят",
            "регистр",
        ];
        const LATE: [&str; 8] =
            ["recently", "newest", "latest", "last", "recent", "последним", "последней", "недавно"];
        const EARLY: [&str; 6] = ["first", "earliest", "longest", "первым", "первой", "раньше"];
        const FRAME: [&str; 22] = [
            "who",
            "was",
            "is",
            "were",
            "the",
            "most",
            "our",
            "person",
            "people",
            "employee",
            "employees",
            "show",
            "list",
            "to",
            "be",
            "?",
            "кто",
            "кого",
            "был",
            "была",
            "всех",
            "самым",
        ];
        let time = parts(self.table.time.as_ref()?);
        if !time.iter().any(|part| DATED.iter().any(|begin| part.starts_with(begin))) {
            return None;
        }
        let at = (0..self.tokens.len()).find(|&at| EVENT.contains(&self.word(at)))?;
        let any = |list: &[&str]| (0..self.tokens.len()).any(|i| list.contains(&self.word(i)));
        let (late, early) = (any(&LATE), any(&EARLY));
        // whatever else it says is none of this
        let lists: [&[&str]; 4] = [&EVENT, &LATE, &EARLY, &FRAME];
        let known = |i: usize| lists.iter().any(|list| list.contains(&self.word(i)));
        if late == early || !(0..self.tokens.len()).all(known) {
            return None;
        }
        let many =
            ["hires", "joiners"].contains(&self.word(at)) || any(&["employees", "people", "were"]);
        Some(
            match (self.is_russian(), late, many) {
                (false, true, true) => "last 10 rows",
                (false, true, false) => "last row",
                (false, false, true) => "first 10 rows",
                (false, false, false) => "first row",
                (true, true, _) => "последняя строка",
                (true, false, _) => "первая строка",
            }
            .to_owned(),
        )
    }

    /// `how long does it take to close a ticket`: the mean time from one of the table's dates to the
    /// other.
    pub(super) fn how_long(&self) -> Option<String> {
        const ASKS: [&str; 12] = [
            "how long does it take to",
            "how long did it take to",
            "how long do we take to",
            "how long does",
            "how long do",
            "how long did",
            "how many days does it take to",
            "сколько времени занимает",
            "сколько времени уходит на",
            "как долго",
            "сколько дней занимает",
            "сколько дней уходит на",
        ];
        let (from, to) = self.phrase(&ASKS)?;
        let mut times = self.table.columns.iter().filter(|c| c.kind.is_time());
        let (Some(first), Some(second), None) = (times.next(), times.next(), times.next()) else {
            return None;
        };
        // what is done in that time says no more, whatever else is said keeps its place
        const LEFT_OUT: [&str; 16] = [
            "a",
            "an",
            "the",
            "to",
            "take",
            "takes",
            "it",
            "on",
            "average",
            "order",
            "orders",
            "usually",
            "занимает",
            "уходит",
            "в",
            "среднем",
        ];
        const DONE: [&str; 20] = [
            "ship",
            "deliver",
            "clos",
            "resol",
            "solv",
            "fix",
            "process",
            "dispatch",
            "complet",
            "finish",
            "answer",
            "handl",
            "arriv",
            "доставк",
            "закры",
            "решен",
            "обработ",
            "отправ",
            "отгруз",
            "выполн",
        ];
        let said = |i: &usize| {
            let word = self.word(*i);
            let kept = LEFT_OUT.contains(&word) || self.begins(*i, &DONE) || self.is_row(*i);
            !kept && !self.tokens.get(*i).is_some_and(|t| t.is_symbol("?"))
        };
        let rest: Vec<&str> = (to..self.tokens.len())
            .filter(said)
            .filter_map(|i| self.tokens.get(i).map(|t| t.raw.as_str()))
            .collect();
        let rest = rest.join(" ");
        let head = self.question.get(..self.tokens.get(from)?.span.start)?;
        let russian = self.is_russian();
        let joined = rest.is_empty()
            || ["by", "for", "in", "per", "по", "для", "at"]
                .iter()
                .any(|w| rest.starts_with(&format!("{w} ")));
        let joint = match (joined, russian) {
            (true, _) => "",
            (false, false) => "for ",
            (false, true) => "для ",
        };
        let mean = if russian {
            "среднее число дней между"
        } else {
            "average days from"
        };
        let with = if russian { "и" } else { "to" };
        let asked = format!("{head}{mean} {} {with} {} {joint}{rest}", first.name, second.name);
        Some(asked.trim().to_owned())
    }

    /// `в каком месяце выручка была максимальной`: the month with most of it, not that of one row.
    pub(super) fn of_the_most(&self) -> Option<String> {
        let at = (0..self.tokens.len()).find(|&at| {
            [
                "максимальной",
                "максимальным",
                "наибольшей",
                "наибольшим",
                "самой большой",
                "минимальной",
                "минимальным",
                "наименьшей",
                "наименьшим",
                "самой высокой",
            ]
            .contains(&self.word(at))
        })?;
        let low = self.begins(at, &["мин", "наимен"]);
        let was = at.checked_sub(1).filter(|&i| ["была", "был", "было"].contains(&self.word(i)))?;
        let asks = ["в", "во"].contains(&self.word(0)) && self.begins(1, &["как"]);
        let of = self
            .question
            .get(self.tokens.get(was - 1)?.span.start..self.tokens.get(was - 1)?.span.end)?;
        if !asks || was < 4 {
            return None;
        }
        let words = format!("{} {of}", if low { "самая маленькая" } else { "самая большая" });
        self.put(was - 1, at + 1, &words)
    }

    /// `longest open ticket`: those that are not closed, from the first; `longest ticket`: by the time
    /// from one date to the other.
    pub(super) fn longest(&self) -> Option<String> {
        const OPEN: [&str; 9] = [
            "open",
            "unresolved",
            "pending",
            "unclosed",
            "unshipped",
            "undelivered",
            "unpaid",
            "открытый",
            "открытые",
        ];
        let mut times = self.table.columns.iter().filter(|c| c.kind.is_time());
        let (Some(first), Some(second), None) = (times.next(), times.next(), times.next()) else {
            return None;
        };
        let gaps = |c: &Column| c.nulls.is_some_and(|nulls| nulls > 0);
        if self.table.time.is_some() || gaps(first) || !gaps(second) {
            return None;
        }
        let (first, second) = (&first.name, &second.name);
        // `which tickets took the longest`, `slowest ticket`
        let extreme = |at: usize| match self.word(at) {
            "longest" | "slowest" => Some(true),
            "shortest" | "fastest" | "quickest" => Some(false),
            _ => None,
        };
        let extremes = (0..self.tokens.len()).find_map(|at| Some((at, extreme(at)?)));
        let old = |at: &usize| self.begins(*at, &["oldest", "старейш"]);
        let at = extremes.map(|(at, _)| at).or_else(|| (0..self.tokens.len()).find(old))?;
        let is_word = |at: usize| self.tokens.get(at).is_some_and(|t| t.kind == TokenKind::Word);
        if OPEN.contains(&self.word(at + 1)) {
            let to = if is_word(at + 2) { at + 3 } else { at + 2 };
            let rest = self.question.get(self.tokens.get(to - 1)?.span.end..)?;
            let plain = rest.trim().trim_end_matches('?').is_empty();
            return plain.then(|| {
                if self.is_russian() {
                    format!("строки, где {second} пусто, по возрастанию {first}")
                } else {
                    format!("rows where {second} is empty sorted by {first}")
                }
            });
        }
        let (_, long) = extremes?;
        // the longest of something else is not that time
        let took = (0..at).any(|i| ["took", "take", "takes"].contains(&self.word(i)));
        let one = self.is_row(at + 1) && !is_word(at + 2);
        let highest = if long { "highest" } else { "lowest" };
        (one || took && !is_word(at + 1))
            .then(|| format!("rows with the {highest} days from {first} to {second}"))
    }

    /// `с 18 до 20 часов`: hours of the clock; `от 2 до 4 часов` is a length.
    pub(super) fn hours_of_clock(&self) -> Option<String> {
        const LENGTH: [&str; 5] = ["длительн", "продолжительн", "длин", "дольше", "длит"];
        let long = (0..self.tokens.len()).any(|at| self.begins(at, &LENGTH));
        if !self.table.timed || long {
            return None;
        }
        let said: Vec<&str> = self.question.split(' ').collect();
        let hour = |word: &str| {
            let number = word.parse::<u32>().ok().filter(|hour| *hour <= 24)?;
            Some(format!("{number:02}:00"))
        };
        let ends = |word: &str| ["часов", "часа", "ч", "часов?", "ч."].contains(&word);
        let at = said.windows(5).position(|w| {
            ["с", "со", "между"].contains(&w[0].to_lowercase().as_str())
                && ["до", "и"].contains(&w[2])
                && hour(w[1]).is_some()
                && hour(w[3]).is_some()
                && ends(w[4])
        })?;
        let [lead, from, and, to, ..] = said.get(at..at + 5)? else { return None };
        let (from, to) = (hour(from)?, hour(to)?);
        let before = said.get(..at)?.join(" ");
        let behind = said.get(at + 5..)?.join(" ");
        Some(format!("{before} {lead} {from} {and} {to} {behind}").trim().to_owned())
    }

    /// `в какое время дня объём самый большой`: in which hour.
    pub(super) fn time_of_the_day(&self) -> Option<String> {
        const SAID: [(&str, &str); 6] = [
            ("в какое время дня", "в какой час"),
            ("в какое время суток", "в какой час"),
            ("какое время дня", "какой час"),
            ("what time of the day", "which hour"),
            ("what time of day", "which hour"),
            ("which time of day", "which hour"),
        ];
        self.table.timed.then_some(())?;
        SAID.iter().find_map(|(said, hour)| {
            let (from, to) = self.phrase(&[said])?;
            self.put(from, to, hour)
        })
    }

    /// The word names the table's rows.
    pub(super) fn is_row(&self, at: usize) -> bool {
        let said = self.tokens.get(at).map_or("", |t| t.stem.as_str());
        let names =
            || parts(&self.table.name).into_iter().chain(self.table.synonyms.iter().cloned());
        names().any(|part| stem(&part) == said)
    }

    /// `are Mondays more volatile than Fridays`: how volatile each of both is.
    pub(super) fn more_volatile(&self) -> Option<String> {
        self.table.ohlcv.as_ref()?;
        let than = self.phrase(&["volatile than"]).map(|(at, _)| at)?;
        let asks = ["is", "are", "was", "were"].contains(&self.word(0));
        if !asks || than != 3 || !["more", "less"].contains(&self.word(2)) {
            return None;
        }
        let (one, other) = (self.tokens.get(1)?, self.tokens.get(than + 2)?);
        let ends = self.tokens.get(than + 3).is_none_or(|t| t.is_symbol("?"));
        let days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
        let part = if one.folded.ends_with("days") || one.folded.ends_with("day") {
            if !days.iter().any(|day| one.folded.starts_with(day)) {
                return None;
            }
            "weekday"
        } else {
            "month"
        };
        ends.then(|| format!("volatility by {part} in {} and {}", one.raw, other.raw))
    }

    /// `most volatile hour`, `самый волатильный час`: by the range of its bars, since a change has the gap
    /// before it in it; `most active hour` by volume.
    pub(super) fn most_volatile(&self) -> Option<String> {
        let bars = self.table.ohlcv.as_ref()?;
        let at = (1..self.tokens.len())
            .find(|&at| self.begins(at, &["volatile", "волатильн", "active", "активн"]))?;
        let said = ["most", "least"].contains(&self.word(at - 1))
            || self.begins(at - 1, &["сам", "наиб", "наим"]);
        // `какой час самый активный`, `which hour is the most active`
        let part = |at: usize| {
            let known = ["hour", "weekday", "month", "day", "час", "месяц", "день"];
            let day = self.word(at) == "день" && self.begins(at + 1, &["недел"]);
            match (known.contains(&self.word(at)), day) {
                (_, true) => Some("день недели".to_owned()),
                (true, _) => self.tokens.get(at).map(|t| t.raw.clone()),
                _ => None,
            }
        };
        let of = part(at + 1).or_else(|| (0..at).find_map(part)).filter(|_| said)?;
        // `in March` keeps its place behind it
        let tail = (at + 1..self.tokens.len())
            .find(|&i| ["in", "during", "since", "в", "во", "за", "с"].contains(&self.word(i)));
        let end = tail.unwrap_or(self.tokens.len());
        let rest = match tail.and_then(|tail| self.tokens.get(tail)) {
            Some(first) => self.question.get(first.span.start..)?.trim_end_matches('?'),
            None => "",
        };
        let asks = [
            "which",
            "what",
            "is",
            "was",
            "the",
            "most",
            "least",
            "какой",
            "был",
            "в",
            "день",
            "недели",
        ];
        let plain = (0..end).all(|i| {
            self.tokens.get(i).is_some_and(|t| t.kind == TokenKind::Symbol)
                || i == at
                || asks.contains(&self.word(i))
                || self.begins(i, &["сам", "наиб", "наим"])
                || part(i).is_some()
        });
        if !plain {
            return None;
        }
        let low = self.word(at - 1) == "least" || self.begins(at - 1, &["наим"]);
        let active = self.begins(at, &["active", "активн"]);
        let volume = bars.volume.as_deref();
        let measure = match (active, self.is_russian()) {
            (true, _) => volume?,
            (false, true) => "диапазоном",
            (false, false) => "range",
        };
        // of one day it is its own, of the hours of all days their mean
        let day = ["day", "день"].contains(&of.to_lowercase().as_str());
        if day {
            let end = match (self.is_russian(), low) {
                (false, false) => "highest",
                (false, true) => "lowest",
                (true, false) => "наибольшим",
                (true, true) => "наименьшим",
            };
            return Some(match (self.is_russian(), active) {
                (false, _) => format!("day with the {end} {measure} {rest}"),
                (true, true) => format!("день с {end} объемом {rest}"),
                (true, false) => format!("день с {end} диапазоном {rest}"),
            });
        }
        let asked = match (self.is_russian(), low, active) {
            (false, false, _) => format!("{of} with the highest average {measure}"),
            (false, true, _) => format!("{of} with the lowest average {measure}"),
            (true, false, true) => format!("{of} с наибольшим средним объемом"),
            (true, true, true) => format!("{of} с наименьшим средним объемом"),
            (true, false, false) => format!("{of} с наибольшим средним {measure}"),
            (true, true, false) => format!("{of} с наименьшим средним {measure}"),
        };
        Some(format!("{asked} {rest}"))
    }
}
