//! Everyday questions for prices of bars: the one of a day, the one of now, the deepest fall.

use super::super::token::TokenKind;
use super::wording::Asked;

/// When most is traded.
const TRADED: [&str; 8] = [
    "торгуется больше всего",
    "больше всего торгуется",
    "торгуют больше всего",
    "торгуют активнее всего",
    "больше всего торгуют",
    "активнее всего торгуют",
    "самые активные торги",
    "торговля самая активная",
];

impl Asked<'_> {
    /// `close on 4 March 2024`, `opening price on 2024-03-04`, `цена закрытия 4 марта 2024`: of that day the
    /// last or the first, where bars are of less.
    pub(super) fn price_on_a_day(&self) -> Option<String> {
        const FRAME: [&str; 12] = [
            "what",
            "was",
            "is",
            "the",
            "show",
            "me",
            "какая",
            "была",
            "какой",
            "был",
            "покажи",
            "сколько",
        ];
        const LEADS: [&str; 8] = ["on", "at", "for", "of", "в", "на", "за", "от"];
        const MONTHS: [&str; 23] = [
            "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
            "янв", "фев", "март", "апр", "мая", "июн", "июл", "авг", "сент", "окт", "нояб",
        ];
        const KINDS: [(&[&str], [&str; 2]); 15] = [
            (&["opening", "price"], ["first", "open"]),
            (&["closing", "price"], ["last", "close"]),
            (&["open", "price"], ["first", "open"]),
            (&["close", "price"], ["last", "close"]),
            (&["open"], ["first", "open"]),
            (&["close"], ["last", "close"]),
            (&["цена", "открытия"], ["первое", "open"]),
            (&["цена", "закрытия"], ["последнее", "close"]),
            (&["закрытие"], ["последнее", "close"]),
            (&["цена"], ["последнее", "close"]),
            (&["price"], ["last", "close"]),
            (&["price", "close"], ["last", "close"]),
            (&["открытие"], ["первое", "open"]),
            (&["закрытие", "дня"], ["последнее", "close"]),
            (&["цена", "была"], ["последнее", "close"]),
        ];
        let bars = self.table.ohlcv.as_ref()?;
        let from = (0..self.tokens.len()).find(|&at| !FRAME.contains(&self.word(at)))?;
        let says = |words: &[&str]| (from..).zip(words).all(|(at, word)| self.word(at) == *word);
        let said = KINDS.iter().filter(|(words, _)| says(words));
        let (words, [which, of]) = said.max_by_key(|(words, _)| words.len())?;
        let mut to = from + words.len();
        if LEADS.contains(&self.word(to)) {
            to += 1;
        }
        // what is left is one day
        let rest = self.tokens.get(to..)?;
        let of_date = |at: usize| {
            let token = &self.tokens[at];
            matches!(token.kind, TokenKind::Date(_) | TokenKind::Number { .. } | TokenKind::Symbol)
                || self.begins(at, &MONTHS)
                || ["dec", "дек", "год", "г"].iter().any(|begin| token.folded.starts_with(begin))
                || ["the", "of"].contains(&token.folded.as_str())
        };
        let date = rest.iter().any(|t| matches!(t.kind, TokenKind::Date(_)));
        let written = (to..self.tokens.len())
            .any(|at| self.begins(at, &MONTHS) || self.begins(at, &["dec", "дек"]))
            && rest.iter().filter(|t| matches!(t.kind, TokenKind::Number { .. })).count() == 2;
        let ends =
            rest.iter().filter(|t| matches!(t.kind, TokenKind::Number { year: true, .. })).count()
                <= 1;
        if !(date || written && ends) || !(to..self.tokens.len()).all(of_date) {
            return None;
        }
        let column = if *of == "open" { &bars.open } else { &bars.close };
        let lead = if self.is_russian() { "за" } else { "on" };
        let day = self.question.get(self.tokens.get(to)?.span.start..)?;
        Some(format!("{which} `{column}` {lead} {day}"))
    }

    /// `which month was the most profitable`, `самый прибыльный год` of bars: the best by what it
    /// returned.
    pub(super) fn best_time(&self) -> Option<String> {
        self.table.ohlcv.as_ref()?;
        if let Some(at) = (0..self.tokens.len()).find(|&at| self.word(at) == "busiest") {
            return self.put(at, at + 1, "most active");
        }
        if let Some((from, to)) = self.phrase(&TRADED) {
            let volume = self.table.ohlcv.as_ref()?.volume.as_ref()?;
            let whole = self.tokens.iter().skip(to).all(|t| t.kind == TokenKind::Symbol);
            let at = ["в какой час", "в какой день недели", "в каком часу"];
            let when = at.iter().find(|when| self.phrase(&[*when]) == Some((0, from)));
            let (when, true) = (when?, whole) else { return None };
            return Some(format!("{when} самое большое среднее `{volume}`"));
        }
        let at = (1..self.tokens.len())
            .find(|&at| self.begins(at, &["profitab", "прибыльн", "доходн", "убыточн"]))?;
        let least = self.word(at - 1) == "least";
        let most = least || self.word(at - 1) == "most" || self.begins(at - 1, &["сам"]);
        let low = least || self.begins(at, &["убыточн"]);
        // parts of a week or a day are many of each: by what they return on average
        let said = |phrase: &[&str]| self.phrase(phrase).is_some();
        let part = if said(&["weekday", "day of the week", "day of week"]) {
            Some("weekday")
        } else if said(&["hour"]) {
            Some("hour")
        } else if said(&["день недели", "дне недели"]) {
            Some("какого дня недели")
        } else {
            said(&["час"]).then_some("какого часа")
        };
        if let (Some(part), true) = (part, most) {
            return Some(match (self.is_russian(), low) {
                (false, false) => format!("which {part} has the highest mean change in percent"),
                (false, true) => format!("which {part} has the lowest mean change in percent"),
                (true, false) => format!("у {part} самое большое среднее изменение в процентах"),
                (true, true) => {
                    format!("у {part} самое маленькое среднее изменение в процентах")
                }
            });
        }
        let best = match (self.is_russian(), low) {
            (false, _) => "best",
            (true, false) => "лучший",
            (true, true) => "худший",
        };
        let said = if self.begins(at, &["прибыльным", "доходным", "убыточным"])
        {
            best.replace("ий", "им")
        } else {
            best.to_owned()
        };
        if most { self.put(at - 1, at + 1, &said) } else { None }
    }

    /// `how much was traded per year` of bars is the sum of their volume.
    pub(super) fn traded(&self) -> Option<String> {
        const SAID: [&str; 4] = [
            "how much was traded",
            "how much did trade",
            "how much is traded",
            "сколько наторговали",
        ];
        let volume = self.table.ohlcv.as_ref()?.volume.as_ref()?;
        let (from, to) = self.phrase(&SAID)?;
        let total = if self.is_russian() { "сумма" } else { "total" };
        self.put(from, to, &format!("{total} `{volume}`"))
    }

    /// `difference between high and low` of bars is their range.
    pub(super) fn high_less_low(&self) -> Option<String> {
        const BETWEEN: [&str; 8] = [
            "difference between high and low",
            "difference between the high and the low",
            "difference between highs and lows",
            "difference of high and low",
            "разница между high и low",
            "разница между максимумом и минимумом",
            "разницу между максимумом и минимумом",
            "разница между максимумом и минимумом дня",
        ];
        self.table.ohlcv.as_ref()?;
        let (from, to) = self.phrase(&BETWEEN)?;
        self.put(from, to, if self.is_russian() { "диапазон" } else { "range" })
    }

    /// `максимум и минимум цены`, `highest and lowest price`: of a bar its high and its low.
    pub(super) fn both_ends(&self) -> Option<String> {
        const BOTH: [(&str, bool); 9] = [
            ("highest and lowest price", true),
            ("maximum and minimum price", true),
            ("max and min price", true),
            ("lowest and highest price", false),
            ("minimum and maximum price", false),
            ("min and max price", false),
            ("максимум и минимум цены", true),
            ("максимальная и минимальная цена", true),
            ("минимальная и максимальная цена", false),
        ];
        let bars = self.table.ohlcv.as_ref()?;
        let (high, (from, to)) =
            BOTH.iter().find_map(|(phrase, high)| Some((*high, self.phrase(&[phrase])?)))?;
        let (high_name, low_name) = (&bars.high, &bars.low);
        let said = match (self.is_russian(), high) {
            (false, true) => format!("max `{high_name}` and min `{low_name}`"),
            (false, false) => format!("min `{low_name}` and max `{high_name}`"),
            (true, true) => format!("максимальный `{high_name}` и минимальный `{low_name}`"),
            (true, false) => format!("минимальный `{low_name}` и максимальный `{high_name}`"),
        };
        self.put(from, to, &said)
    }

    /// `what is the price now`, `текущая цена`: the last one there is.
    pub(super) fn price_now(&self) -> Option<String> {
        const NOW: [&str; 16] = [
            "what is the price now",
            "what is the current price",
            "what is the latest price",
            "what is the last price",
            "current price",
            "latest price",
            "last price",
            "price now",
            "the price now",
            "текущая цена",
            "последняя цена",
            "цена сейчас",
            "какая сейчас цена",
            "какая цена сейчас",
            "какая текущая цена",
            "какая последняя цена",
        ];
        let bars = self.table.ohlcv.as_ref()?;
        let (from, to) = self.phrase(&NOW)?;
        let all = self.tokens.iter().filter(|t| t.kind != TokenKind::Symbol).count();
        let which = if self.is_russian() { "последнее" } else { "last" };
        (from == 0 && to == all).then(|| format!("{which} `{}`", bars.close))
    }

    /// `максимальное падение за день`: the deepest, not the largest value of what is below zero.
    pub(super) fn deepest_fall(&self) -> Option<String> {
        self.table.ohlcv.as_ref()?;
        let falls = |at: usize| {
            self.begins(at, &["паден", "сниж", "просад", "drop", "fall", "decline", "loss"])
        };
        let daily = |at: usize| self.begins(at, &["daily", "дневн"]);
        let at = (0..self.tokens.len()).find(|&at| {
            let largest =
                self.begins(at, &["максимальн"]) || ["maximum", "max"].contains(&self.word(at));
            largest && (falls(at + 1) || daily(at + 1) && falls(at + 2))
        })?;
        self.put(at, at + 1, if self.is_russian() { "самое большое" } else { "largest" })
    }
}
