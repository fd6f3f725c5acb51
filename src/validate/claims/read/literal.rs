//! Numbers of a text that may be claims: figures and spelled ones, without labels and list numbers.

use super::{Num, Reader};
use crate::query::CheckedQuery;
use crate::query::functions::{Family, lookup};
use crate::validate::claims::lex::{Kind, is_cyrillic};
use crate::validate::claims::number::Number;
use crate::validate::claims::rank::takes_time;
use crate::validate::claims::words::{self, find, has};
use crate::validate::claims::world::{Measure, View, name_words};

/// Names with digits that everybody knows.
const FIXED_NAMES: &[(&str, f64)] = &[
    ("p", 500.0),
    ("nasdaq", 100.0),
    ("russell", 2000.0),
    ("ftse", 100.0),
    ("dax", 40.0),
    ("cac", 40.0),
    ("dow", 30.0),
    ("boeing", 737.0),
];

/// Starts of the names of columns that may be in metres or bytes.
const LENGTHS: &[&str] = &[
    "length",
    "distance",
    "height",
    "width",
    "depth",
    "altitude",
    "elevation",
    "range",
    "size",
    "длин",
    "расстоян",
    "высот",
    "ширин",
    "глубин",
    "размер",
];

impl Reader<'_> {
    /// Spelled numbers, where the words around say that they count.
    pub(super) fn spelled(&mut self) {
        self.fractions();
        let mut i = 0;
        while i < self.tokens().len() {
            let Some((number, len)) = self.spelled_at(i) else {
                i += 1;
                continue;
            };
            let next = i + len;
            let such = self
                .tokens()
                .get(next)
                .is_some_and(|t| ["such", "таких"].contains(&t.lower.as_str()));
            let of_them =
                i >= 2 && self.tokens()[i - 1].lower == "них" && self.tokens()[i - 2].lower == "из";
            let noun = self.tokens().get(next).is_some_and(|t| {
                t.is_word()
                    && t.lower.chars().count() > 3
                    && !has(words::COPULAS, self.tokens(), next)
                    && !has(words::COMPARATIVES, self.tokens(), next)
            });
            let counts = such
                || of_them
                || words::counted(self.tokens(), next).is_some()
                || has(words::GROUPS, self.tokens(), next)
                || has(words::UNITS, self.tokens(), next)
                || has(words::PERCENT, self.tokens(), next)
                || self.tokens().get(next).is_some_and(|t| {
                    self.world.axis_words.contains_key(&t.stem)
                        || self.is_held_base(&t.stem)
                        || ["times", "раза", "trading"].contains(&t.lower.as_str())
                });
            // `за один раз`: no count.
            let once = number == 1.0
                && self
                    .tokens()
                    .get(next)
                    .is_some_and(|t| t.lower.starts_with("раз") || t.lower.starts_with("time"));
            let counts = counts && !once || number >= 100.0;
            let one = number == 1.0;
            let ends = self
                .tokens()
                .get(next)
                .is_none_or(|t| matches!(t.kind, Kind::Punct('.' | ',' | ';' | ')') | Kind::Line));
            let determined = i > 0 && has(words::DETERMINERS, self.tokens(), i - 1);
            if counts && !(one && determined) || ends && !one && !determined {
                // Millions in words are round.
                let about = self.round(i).is_some_and(|(_, taken)| taken == len)
                    || number >= 1e6 && number % 1e5 == 0.0;
                let place = self.take(i, len);
                // `one visit`: mostly an article.
                let num = Num { soft: one, about, ..Num::new(place, Number::whole(number)) };
                self.out.numbers.push(num);
            } else if noun && !one && !determined {
                let place = self.take(i, len);
                let soft = Num { soft: true, ..Num::new(place, Number::whole(number)) };
                self.out.numbers.push(soft);
            }
            i = next;
        }
        for i in 0..self.tokens().len() {
            if let Some((ratio, len)) = find(words::RATIOS, self.tokens(), i)
                && !self.used[i]
            {
                let place = self.take(i, len);
                let mut num = Num::new(place, Number::whole(ratio));
                num.times = true;
                num.about = true;
                self.out.numbers.push(num);
            }
        }
    }

    /// `a hundred`, `a dozen`, `сотня`: as many, or nearly.
    fn round(&self, at: usize) -> Option<(u32, usize)> {
        let free = |i: usize| !self.used.get(i).copied().unwrap_or(true);
        let word = |i: usize| self.tokens().get(i).map_or("", |t| t.lower.as_str());
        let article = usize::from(word(at) == "a");
        let value = match (article, word(at + article)) {
            (1, "hundred") | (0, "сотня" | "сотню" | "сотней") => 100,
            (1, "thousand") | (0, "тысяча" | "тысячу" | "тысячей") => 1000,
            (1, "million") | (0, "миллион") => 1_000_000,
            (1, "billion") | (0, "миллиард") => 1_000_000_000,
            (1, "dozen") | (0, "дюжина" | "дюжину" | "дюжиной") => 12,
            _ => return None,
        };
        // `half a dozen`, `сотня-другая`: how many is not said.
        let vague = ["half", "many", "quite", "пол", "не", "целая", "целую"];
        let before = at.checked_sub(1).map_or("", word);
        let joined = self.tokens().get(at + article + 1).is_some_and(|t| t.is('-'));
        (free(at) && free(at + article) && !joined && !vague.contains(&before))
            .then_some((value, article + 1))
    }

    /// `twenty-one`, `three hundred and eleven`, `девятьсот двадцать`, `two thousand`, `a hundred and
    /// five`.
    fn spelled_at(&self, at: usize) -> Option<(f64, usize)> {
        let value = |i: usize| {
            if self.used.get(i).copied().unwrap_or(true) {
                return None;
            }
            find(words::SPELLED, self.tokens(), i).map(|(v, _)| v)
        };
        let word = |i: usize| self.tokens().get(i).map_or("", |t| t.lower.as_str());
        let (mut total, mut group, mut end) = match value(at) {
            Some(value) => (0.0, f64::from(value), at + 1),
            None => self.round(at).map(|(value, len)| (0.0, f64::from(value), at + len))?,
        };
        // What may still follow is smaller than the last word.
        let (mut last, mut scale) = (group, f64::INFINITY);
        loop {
            if word(end) == "hundred" && last < 100.0 {
                (group, last, end) = (group * 100.0, 100.0, end + 1);
                continue;
            }
            if let Some(of) = words::scale(word(end)).filter(|of| *of < scale && group > 0.0) {
                (total, group, scale) = (total + group * of, 0.0, of);
                (last, end) = (1000.0, end + 1);
                continue;
            }
            let joint = usize::from(
                self.tokens().get(end).is_some_and(|t| t.is('-')) && last >= 20.0
                    || word(end) == "and" && last >= 100.0,
            );
            let fits = |v: f64| {
                v < 10.0 && last >= 20.0
                    || v < 100.0 && last >= 100.0
                    || v < 1000.0 && last >= 1000.0
            };
            match value(end + joint).map(f64::from).filter(|v| fits(*v)) {
                Some(v) => (group, last, end) = (group + v, v, end + joint + 1),
                None => break,
            }
        }
        Some((total + group, end - at))
    }

    /// `half of`, `a third of`: a share where the clause speaks of one, else a claim only where it
    /// turns out to be one.
    fn fractions(&mut self) {
        for i in 0..self.tokens().len() {
            let Some((percent, len)) = find(words::FRACTIONS, self.tokens(), i)
                .or_else(|| words::one_in(self.tokens(), i))
            else {
                continue;
            };
            // `half-year`, `the second half of the year`: a noun.
            let compound = self.tokens().get(i + len).is_some_and(|t| t.is('-') && t.glued);
            let part = i.checked_sub(1).is_some_and(|b| {
                let before = self.tokens()[b].lower.as_str();
                words::rank(self.tokens(), b).is_some()
                    || ["other", "latter", "last", "by", "this", "that"].contains(&before)
                    || before.starts_with("друг")
                    || before.starts_with("последн")
            });
            if compound || part || self.used[i..i + len].iter().any(|u| *u) {
                continue;
            }
            let clause = self.tokens()[i].clause;
            let of = has(words::OF, self.tokens(), i + len)
                || self
                    .tokens()
                    .get(i + len)
                    .is_some_and(|t| t.is_word() && t.clause == clause && is_cyrillic(&t.lower));
            let shared = (0..i)
                .any(|k| self.tokens()[k].clause == clause && has(words::SHARE, self.tokens(), k));
            let one_in = words::one_in(self.tokens(), i).is_some();
            if !of && !shared && !one_in {
                continue;
            }
            let known = self.known_part(i + len);
            let russian = is_cyrillic(&self.tokens()[i].lower);
            let place = self.take(i, len);
            let mut num = Num::new(place, Number::whole(percent));
            (num.number.percent, num.about, num.soft) = (true, true, !(shared || known));
            if russian { "\u{a0}%" } else { "%" }.clone_into(&mut num.number.style.suffix);
            self.out.numbers.push(num);
        }
    }

    /// What a fraction is of is known: `half of the gaps`, `треть всех заказов`.
    fn known_part(&self, at: usize) -> bool {
        let tokens = self.tokens();
        let small = [
            "of",
            "the",
            "all",
            "your",
            "our",
            "their",
            "its",
            "my",
            "a",
            "из",
            "от",
            "всех",
            "всей",
            "всего",
            "ваших",
            "наших",
            "своих",
            "моих",
            "таких",
            "such",
            "общей",
            "общего",
        ];
        let Some(at) = (at..at + 5)
            .find(|&i| tokens.get(i).is_none_or(|t| !small.contains(&t.lower.as_str())))
        else {
            return false;
        };
        let Some(token) = tokens.get(at).filter(|t| t.is_word()) else { return false };
        // `half of them` is of what was said before.
        words::counted(tokens, at).is_some()
            || has(words::GROUPS, tokens, at)
            || self.is_held_base(&token.stem)
            || self.world.axis_words.contains_key(&token.stem)
            || token.lower == "total"
    }

    pub(super) fn numbers(&mut self) {
        for i in 0..self.tokens().len() {
            let Kind::Number(number) = self.tokens()[i].kind.clone() else { continue };
            if self.used[i] || self.is_label(i, &number) {
                continue;
            }
            let mut number = number;
            let scaled = self.millions(i, &mut number);
            let place = self.take(i, 1 + usize::from(scaled));
            self.out.numbers.push(Num::new(place, number));
        }
    }

    /// `4.82m` where no column is a length: millions. The letter belongs to the number.
    fn millions(&self, at: usize, number: &mut Number) -> bool {
        let Some(next) = self.tokens().get(at + 1).filter(|t| t.glued && t.is_word()) else {
            return false;
        };
        let scale = match next.lower.as_str() {
            "m" | "м" => 1e6,
            "b" => 1e9,
            _ => return false,
        };
        let plain = number.scale == 1.0 && !number.percent && number.unit.is_none();
        let long = |m: &Measure| {
            let unit = m.unit.as_deref().unwrap_or_default().to_lowercase();
            let sized = ["m", "м", "km", "км", "cm", "см", "mm", "мм", "mi", "b", "kb", "mb", "gb"];
            let words = name_words(&m.base);
            takes_time(m)
                || sized.contains(&unit.as_str())
                || ["met", "mile", "byte", "метр"].iter().any(|w| unit.starts_with(w))
                || words.iter().any(|w| LENGTHS.iter().any(|l| w.starts_with(l)))
        };
        let mut measures = self.world.views.iter().flat_map(|v| &v.measures);
        if !plain || measures.any(long) {
            return false;
        }
        number.value *= scale;
        number.scale *= scale;
        number.style.suffix.push_str(self.slice(at + 1));
        true
    }

    /// The first cell of a line of a Markdown table whose column counts the lines.
    fn numbers_a_line(&self, at: usize, value: f64) -> bool {
        let place = super::Place { first: at, last: at };
        let Some(head) = self.out.column_head(place) else { return false };
        let counts = head.clone().any(|i| {
            let t = &self.tokens()[i];
            t.is('#')
                || t.is('№')
                || ["no", "rank", "place", "место", "n"].contains(&t.lower.as_str())
        });
        let sentence = self.out.sentence(place);
        let first = self.out.sentence(super::Place { first: head.start, last: head.start });
        // The line of dashes is no line of the table's.
        let dashes = (first..=sentence)
            .filter(|s| {
                let mut line = self.tokens().iter().filter(|t| t.sentence == *s);
                line.all(|t| !t.is_word() && !matches!(t.kind, Kind::Number(_)))
            })
            .count();
        counts && (sentence - first).saturating_sub(dashes) as f64 == value
    }

    /// `RSI 14`, `SMA(20)`: how many bars an indicator looks at, where its values are another number's
    /// or stand in a column of that name.
    fn is_setting(&self, at: usize) -> bool {
        let bracketed = self.tokens()[at - 1].is('(')
            && self.tokens()[at - 1].glued
            && self.tokens().get(at + 1).is_some_and(|t| t.is(')'));
        let Some(name) = at.checked_sub(1 + usize::from(bracketed)).map(|i| &self.tokens()[i])
        else {
            return false;
        };
        let function = lookup(&name.lower);
        let windowed = function.is_some_and(|f| {
            use Family::{Oscillator, Trend, Volatility, Volume};
            matches!(f.family, Oscillator | Trend | Volatility | Volume)
                || f.family == Family::Window && f.name.ends_with("ma")
        });
        let shouted = name.span.end - name.span.start <= 5
            && self.text[name.span.start..name.span.end].chars().all(char::is_uppercase);
        if !windowed || !(shouted || bracketed) {
            return false;
        }
        let digits = self.slice(at);
        let column = format!("{}_{digits}", name.lower);
        let views = &self.world.views;
        let in_column =
            |v: &View| v.measures.iter().any(|m| m.name.to_lowercase().contains(&column));
        let measured =
            |v: &View| v.measures.iter().any(|m| name_words(&m.name).contains(&name.lower));
        // How the queries call it, whatever the column is called.
        let calls: Vec<Vec<String>> =
            views.iter().flat_map(|v| windows(&v.outcome.query, &name.lower)).collect();
        views.iter().any(in_column)
            || calls.iter().flatten().any(|window| window == digits)
            || calls.is_empty() && !views.iter().any(measured)
            || bracketed && calls.iter().all(Vec::is_empty)
    }

    /// The number that opens a line, with a dot or a bracket behind it.
    fn opens_a_line(&self, at: usize) -> Option<f64> {
        let Kind::Number(number) = &self.tokens().get(at)?.kind else { return None };
        let opens = (0..at)
            .rev()
            .map(|i| &self.tokens()[i])
            .find(|t| !t.is('#') && !t.is('*') && !t.is('_'))
            .is_none_or(|t| t.kind == Kind::Line);
        let marked = self.tokens().get(at + 1).is_some_and(|t| t.glued && (t.is('.') || t.is(')')));
        let plain = number.decimals == 0 && number.value <= 99.0;
        (opens && marked && plain).then_some(number.value)
    }

    /// `1. Monday: 78`: the number of a line. A first line or one that goes on from another is
    /// numbered; `17.` by itself is an answer.
    fn counts_lines(&self, at: usize) -> bool {
        let Some(value) = self.opens_a_line(at) else { return false };
        let line = |i: usize| self.tokens()[i..].iter().take_while(|t| t.kind != Kind::Line);
        let said =
            line((at + 2).min(self.tokens().len())).any(|t| !matches!(t.kind, Kind::Punct(_)));
        let goes_on = || {
            (0..self.tokens().len())
                .any(|i| self.opens_a_line(i).is_some_and(|other| (other - value).abs() == 1.0))
        };
        said && (value == 1.0 || goes_on())
    }

    /// Digits that claim nothing: list numbers, parts of names.
    fn is_label(&self, at: usize, number: &Number) -> bool {
        let before = at.checked_sub(1).and_then(|i| self.tokens().get(i));
        let glued = self.tokens()[at].glued;
        if self.counts_lines(at) {
            return true;
        }
        let Some(before) = before else { return false };
        // `id 4512`, `№ 17`
        let whole = number.decimals == 0 && number.scale == 1.0 && !number.percent;
        if whole && (before.is('№') || ["id", "ид"].contains(&before.lower.as_str())) {
            return true;
        }
        if whole && self.is_setting(at) {
            return true;
        }
        let numbered = [
            "step",
            "part",
            "item",
            "option",
            "figure",
            "section",
            "шаг",
            "пункт",
            "часть",
            "вариант",
        ];
        if numbered.contains(&before.lower.as_str()) && number.decimals == 0 && number.value <= 99.0
        {
            return true;
        }
        if before.is('#') && glued {
            return true;
        }
        if number.decimals == 0 && self.numbers_a_line(at, number.value) {
            return true;
        }
        if before.is_word() && FIXED_NAMES.contains(&(before.lower.as_str(), number.value)) {
            return true;
        }
        // `A-12`, unless the word before the hyphen is one that we know.
        if before.is('-') && glued && before.glued && at >= 2 {
            let word = &self.tokens()[at - 2];
            let known = self.used[at - 2]
                || has(words::AGGS, self.tokens(), at - 2)
                || self.is_held_base(&word.stem);
            return word.is_word() && !known && !["top", "топ"].contains(&word.lower.as_str());
        }
        false
    }
}

/// The whole numbers in each call of a function in a query.
fn windows(query: &CheckedQuery, function: &str) -> Vec<Vec<String>> {
    let text = query.canonical().to_string().to_lowercase();
    let open = format!("{function}(");
    text.match_indices(&open)
        .filter(|(at, _)| !text[..*at].ends_with(|c: char| c.is_alphanumeric() || c == '_'))
        .map(|(at, _)| {
            let inside = &text[at + open.len()..];
            let end = inside.find(')').unwrap_or(inside.len());
            let numbers = inside[..end].split(|c: char| !(c.is_alphanumeric() || "_.".contains(c)));
            let whole = |word: &&str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
            numbers.filter(whole).map(str::to_owned).collect()
        })
        .collect()
}
