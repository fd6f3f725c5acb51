//! Names of groups in a text: text values, dates, weekdays, months, years, whole-number keys.

use super::{Mention, Place, Reader};
use crate::validate::claims::lex::{Kind, Token, base_of, bases_of, is_cyrillic};
use crate::validate::claims::names::{Axis, Name, month, month_adjective, needs_capital, weekday};
use crate::validate::claims::number::DateText;
use crate::validate::claims::words::{self, find, has};
use crate::validate::claims::world::{TextName, View, plain_characters};

/// Words before a bare number that make it a year.
const YEAR_LEADS: &[&str] = &[
    "in", "between", "since", "during", "year", "from", "until", "through", "of", "for", "в", "за",
    "с", "год", "году", "по",
];

/// Words that are names of groups only with a capital, long as they are.
const ONLY_CAPITAL: &[&str] = &[
    "other",
    "others",
    "total",
    "north",
    "south",
    "east",
    "west",
    "first",
    "second",
    "third",
    "there",
    "these",
    "today",
    "large",
    "small",
    "middle",
    "center",
    "centre",
    "general",
    "average",
    "standard",
    "normal",
    "regular",
    "active",
    "online",
    "store",
    "shop",
    "group",
    "union",
    "target",
    "apple",
    "orange",
    "amazon",
    "другие",
    "другое",
    "прочее",
    "прочие",
    "итого",
    "всего",
    "север",
    "юг",
    "запад",
    "восток",
    "центр",
    "магазин",
    "лента",
    "магнит",
    "дикси",
];

/// `продавцов` of `продавец`, `рынка` of `рынок`: the last vowel falls out as the word is declined.
fn without_vowel(word: &str, said: &str) -> bool {
    let start = ["ец", "ок", "ек"].iter().find_map(|end| {
        let last = end.chars().last()?;
        Some(format!("{}{last}", word.strip_suffix(end)?))
    });
    start.is_some_and(|start| {
        start.chars().count() > 3
            && said.strip_prefix(&start).is_some_and(|ending| ending.chars().count() <= 3)
    })
}

/// `Ашане` of `Ашан`, `Уфой` of `Уфа`.
fn in_a_case(word: &str, said: &str) -> bool {
    base_of(word).is_some_and(|base| bases_of(said).any(|other| other == base))
}

/// Whether a value that is written with a capital in the data may stand without one in a text:
/// common nouns (`Кафе`, `High dose`), not names.
fn may_be_small(value: &TextName) -> bool {
    let long = |w: &str| w.chars().count() >= 4;
    let [(first, _), rest @ ..] = value.words.as_slice() else { return false };
    !rest.is_empty() || long(first) && !ONLY_CAPITAL.contains(&first.as_str())
}

/// The number of an ordinal word, in any case; roman figures with capitals.
fn ordinal_word(lower: &str, capital: bool) -> Option<i64> {
    let words: [(&str, i64); 8] = [
        ("first", 1),
        ("second", 2),
        ("third", 3),
        ("fourth", 4),
        ("перв", 1),
        ("втор", 2),
        ("трет", 3),
        ("четверт", 4),
    ];
    let roman = [("i", 1), ("ii", 2), ("iii", 3), ("iv", 4)];
    words
        .iter()
        .find(|(w, _)| if w.is_ascii() { lower == *w } else { lower.starts_with(w) })
        .or_else(|| roman.iter().find(|(w, _)| capital && lower == *w))
        .map(|(_, n)| *n)
}

impl Reader<'_> {
    /// `first quarter`, `III квартал`, `4 квартале`; `the third` after another quarter.
    fn quarter(&self, at: usize) -> Option<(Vec<Axis>, Name, usize)> {
        let t = self.tokens().get(at)?;
        let hyphen = usize::from(self.tokens().get(at + 1).is_some_and(|t| t.is('-')));
        let noun = self.tokens().get(at + 1 + hyphen).is_some_and(|t| {
            t.lower.starts_with("квартал") || ["quarter", "quarters"].contains(&t.lower.as_str())
        });
        let n = match self.bare(at) {
            Some(n) => noun.then_some(n),
            None if t.is_word() => ordinal_word(&t.lower, t.capital),
            None => None,
        }
        .filter(|n| (1..=4).contains(n))?;
        if noun {
            return Some((vec![Axis::Quarter], Name::Index(n), 2 + hyphen));
        }
        let alone = self.tokens().get(at + 1).is_none_or(|t| !t.is_word());
        let keyed = self.world.views.iter().any(|v| v.on_axis(&Axis::Quarter).is_some());
        let other = self.out.mentions.last().is_some_and(|m| {
            m.axes == [Axis::Quarter] && self.tokens()[m.place.first].sentence == t.sentence
        }) || (t.sentence == self.tokens()[at.saturating_sub(4)].sentence
            && (at.saturating_sub(4)..at).any(|i| self.tokens()[i].lower == "quarter"));
        (alone && keyed && other).then(|| (vec![Axis::Quarter], Name::Index(n), 1))
    }

    /// `13 часов`, `5 pm`, where hours are keys.
    fn hour(&self, at: usize) -> Option<(Vec<Axis>, Name, usize)> {
        let n = self.bare(at).filter(|n| (0..24).contains(n))?;
        let after = self.tokens().get(at + 1)?;
        let clock = |word: &str| {
            matches!(word, "am" | "часов" | "час" | "часа" | "утра" | "o'clock" | "oclock")
        };
        // `с 9 до 12 часов`: the word stands behind the second.
        let first = ["до", "to", "and", "и"].contains(&after.lower.as_str())
            && self.bare(at + 2).is_some()
            && self.tokens().get(at + 3).is_some_and(|t| clock(&t.lower));
        if first && self.world.views.iter().any(|v| v.on_axis(&Axis::Hour).is_some()) {
            return Some((vec![Axis::Hour], Name::Index(n), 1));
        }
        let n = match after.lower.as_str() {
            word if clock(word) => n,
            "pm" | "вечера" if n < 12 => n + 12,
            _ => return None,
        };
        let keyed = self.world.views.iter().any(|v| {
            v.on_axis(&Axis::Hour).is_some_and(|a| !v.rows_named(a, &Name::Index(n)).is_empty())
        });
        keyed.then(|| (vec![Axis::Hour], Name::Index(n), 2))
    }

    pub(super) fn mentions(&mut self) {
        let mut i = 0;
        while i < self.tokens().len() {
            if self.used[i] {
                i += 1;
                continue;
            }
            let found = self
                .signed_name(i)
                .or_else(|| self.text_name(i))
                .or_else(|| self.quarter(i))
                .or_else(|| self.hour(i))
                .or_else(|| self.date(i))
                .or_else(|| self.calendar(i))
                .or_else(|| self.number_key(i));
            if let Some((axes, name, len)) = found {
                let place = self.take(i, len);
                self.out.mentions.push(Mention { place, axes, name });
                i += len;
            } else {
                i += 1;
            }
        }
    }

    /// `Monday through Friday` names neither the one nor the other.
    pub(super) fn spans_of_names(&mut self) {
        let tokens = &self.out.tokens;
        let list = &self.out.mentions;
        let joined = |a: &Mention, b: &Mention| {
            a.axes == b.axes
                && a.axes != [Axis::Year]
                && a.axes != [Axis::Date]
                && !a.axes.iter().any(|x| matches!(x, Axis::Named(_)))
                && a.place.last + 2 == b.place.first
                && (["through", "thru", "to", "till", "until", "по", "до"]
                    .contains(&tokens[a.place.last + 1].lower.as_str())
                    || ["and", "и"].contains(&tokens[a.place.last + 1].lower.as_str())
                        && a.axes == [Axis::Hour]
                        && a.place.first > 0
                        && ["between", "между"].contains(&tokens[a.place.first - 1].lower.as_str())
                    || tokens[a.place.last + 1].is('–')
                    || tokens[a.place.last + 1].is('-'))
        };
        let drop: Vec<bool> = (0..list.len())
            .map(|i| {
                i > 0 && joined(&list[i - 1], &list[i])
                    || i + 1 < list.len() && joined(&list[i], &list[i + 1])
            })
            .collect();
        let spans: Vec<(Mention, Mention)> = list
            .windows(2)
            .filter(|pair| joined(&pair[0], &pair[1]))
            .map(|pair| (pair[0].clone(), pair[1].clone()))
            .collect();
        let mut i = 0;
        self.out.mentions.retain(|_| {
            i += 1;
            !drop[i - 1]
        });
        self.out.spans = spans;
    }

    /// A text value with digits and signs, as it is written in the data: `4–4.9`, `7+`, `PM2.5`.
    fn signed_name(&self, at: usize) -> Option<(Vec<Axis>, Name, usize)> {
        if self.world.signed.is_empty() {
            return None;
        }
        let start = self.tokens().get(at)?.span.start;
        let glued = |c: char| c.is_alphanumeric() || c == '_';
        let before = self.text.get(..start)?.chars().next_back();
        if before.is_some_and(|c| glued(c) || c == '.' || c == ',') {
            return None;
        }
        let longest = self.world.signed.iter().filter_map(|v| v.spelled.as_ref()).map(String::len);
        let longest = longest.max()?;
        let mut best: Option<(Vec<Axis>, Name, usize)> = None;
        for last in at..self.tokens().len() {
            let end = self.tokens()[last].span.end;
            let written = self.text.get(start..end)?;
            if written.len() > longest + 12 {
                break;
            }
            let after = self.text.get(end..)?.chars().next();
            // `7` is no `7+`, and `4–4.9` no `4–4.95`.
            if after.is_some_and(glued) {
                continue;
            }
            let written = plain_characters(written);
            let found = self.world.signed.iter().find(|v| v.spelled.as_ref() == Some(&written));
            if let Some(value) = found {
                best = Some((value.axes.clone(), Name::Text(value.name.clone()), last + 1 - at));
            }
        }
        best
    }

    fn text_name(&self, at: usize) -> Option<(Vec<Axis>, Name, usize)> {
        let token = self.tokens().get(at)?;
        let key = if token.is_word() { token.stem.clone() } else { self.slice(at).to_lowercase() };
        let mut best: Option<(Vec<Axis>, Name, usize)> = None;
        for value in self.texts_of(&key, &token.lower) {
            let quoted =
                at > 0 && ['"', '«', '“', '`', '\''].iter().any(|q| self.tokens()[at - 1].is(*q));
            // A proper name is written with a capital; a lone letter is a name only with one.
            // `low-priority`: the word of the column says that it is one of its values.
            let of_axis = (at + 1..at + 3).any(|i| {
                self.tokens().get(i).is_some_and(|t| {
                    let axis = self.world.axis_words.get(&t.stem);
                    axis.is_some_and(|axis| value.axes.contains(axis))
                })
            });
            if !quoted
                && !of_axis
                && value.capital
                && !token.capital
                && token.is_word()
                && !may_be_small(value)
            {
                continue;
            }
            if value.beside && !quoted && !of_axis && !self.beside_its_column(at, value) {
                continue;
            }
            let single = value.words.len() == 1;
            if single && !quoted && !of_axis && self.is_common(at, &value.name, value.capital) {
                continue;
            }
            let mut i = at;
            let mut ok = true;
            for (word, stem) in &value.words {
                // Punctuation inside a name (`S&P`, `A-12`).
                while i > at
                    && self.tokens().get(i).is_some_and(|t| {
                        matches!(t.kind, Kind::Punct('&' | '-' | '.' | '\'' | '/'))
                    })
                {
                    i += 1;
                }
                let Some(t) = self.tokens().get(i) else {
                    ok = false;
                    break;
                };
                let lower =
                    if t.is_word() { t.lower.clone() } else { self.slice(i).to_lowercase() };
                let plural = lower.strip_suffix('s').is_some_and(|w| w == word && w.len() > 2);
                let declined = is_cyrillic(word)
                    && (t.stem == *stem
                        || without_vowel(word, &lower)
                        || value.capital && t.capital && in_a_case(word, &lower));
                if !(lower == *word || plural || declined) {
                    ok = false;
                    break;
                }
                i += 1;
            }
            if ok && best.as_ref().is_none_or(|b| i - at > b.2) {
                best = Some((value.axes.clone(), Name::Text(value.name.clone()), i - at));
            }
        }
        best
    }

    /// The text values whose first word has this stem, or had it before its last vowel fell out
    /// (`продавцов` of `Продавец`).
    fn texts_of(&self, stem: &str, said: &str) -> impl Iterator<Item = &TextName> {
        let ends = |last: char, full: &[&str]| -> Vec<String> {
            let start = stem.strip_suffix(last).unwrap_or_default();
            full.iter().map(|end| format!("{start}{end}")).collect()
        };
        let mut keys = match stem.chars().next_back() {
            Some('ц') => ends('ц', &["ец"]),
            Some('к') => ends('к', &["ок", "ек"]),
            _ => Vec::new(),
        };
        keys.push(stem.to_owned());
        // The ending of a name is not always that which the stemmer takes away.
        keys.extend(bases_of(said).filter(|base| *base != stem).map(str::to_owned));
        keys.into_iter().flat_map(|key| self.world.texts.get(&key).into_iter().flatten())
    }

    /// An everyday word stands for a value where the sentence has the word of its column, and no
    /// superlative is made of it.
    fn beside_its_column(&self, at: usize, value: &TextName) -> bool {
        let tokens = self.tokens();
        let sentence = tokens[at].sentence;
        let graded = ["самый", "самая", "самое", "самые", "самого", "самой", "самом", "самых"]
            .contains(&self.out.word_before(at));
        !graded
            && tokens.iter().filter(|t| t.sentence == sentence).any(|t| {
                self.world.axis_words.get(&t.stem).is_some_and(|axis| value.axes.contains(axis))
            })
    }

    /// Function words are no names, unless they are written as one (`IT`).
    fn is_common(&self, at: usize, name: &str, capital: bool) -> bool {
        let written = self.slice(at);
        if capital && name.chars().count() > 1 && written.chars().all(char::is_uppercase) {
            return false;
        }
        let starts = at == 0
            || self.tokens()[at - 1].kind == Kind::Line
            || self.tokens()[at].sentence != self.tokens()[at - 1].sentence;
        let function = [
            "a",
            "i",
            "the",
            "in",
            "on",
            "at",
            "of",
            "or",
            "and",
            "is",
            "it",
            "no",
            "total",
            "all",
            "high",
            "low",
            "up",
            "down",
            "и",
            "а",
            "в",
            "с",
            "к",
            "о",
            "у",
            "я",
            "на",
            "по",
            "за",
            "из",
            "не",
            "все",
            "всего",
        ]
        .contains(&name);
        function && (starts || !capital)
    }

    fn date(&self, at: usize) -> Option<(Vec<Axis>, Name, usize)> {
        let made = |date, len| Some((vec![Axis::Date], Name::Date(date), len));
        if let Kind::Date(date) = self.tokens().get(at)?.kind {
            return made(date, 1);
        }
        let month_at = |i: usize| {
            let t = self.tokens().get(i).filter(|t| t.is_word())?;
            let m = month(&t.lower)?;
            (t.capital || !needs_capital(&t.lower)).then_some(u32::try_from(m).ok()?)
        };
        let day = |i: usize| {
            self.bare(i).filter(|d| (1..=31).contains(d)).and_then(|d| u32::try_from(d).ok())
        };
        let year = |i: usize| {
            self.bare(i).filter(|y| (1900..=2100).contains(y)).and_then(|y| i32::try_from(y).ok())
        };
        let trailing = |i: usize| {
            usize::from(
                self.tokens().get(i).is_some_and(|t| t.lower.starts_with("год") || t.lower == "г"),
            )
        };
        // 8 April 2025, 8 апреля
        if let (Some(d), Some(m)) = (day(at), month_at(at + 1)) {
            return match year(at + 2) {
                Some(y) => {
                    made(DateText { year: Some(y), month: m, day: Some(d) }, 3 + trailing(at + 3))
                }
                None => made(DateText { year: None, month: m, day: Some(d) }, 2),
            };
        }
        let m = month_at(at)?;
        let ordinal = |i: usize| match self.tokens().get(i).map(|t| &t.kind) {
            Some(Kind::Ordinal(d)) if (1..=31).contains(d) => Some(*d),
            _ => day(i),
        };
        let comma = |i: usize| usize::from(self.tokens().get(i).is_some_and(|t| t.is(',')));
        let english = !is_cyrillic(&self.tokens()[at].lower);
        if let Some(y) = year(at + 1) {
            // `January 2024` of months of 2024 alone.
            let months = self.world.views.iter().any(|v| {
                v.on_axis(&Axis::Month).is_some()
                    && v.lies_within(&Axis::Year, &Name::Index(i64::from(y))) == Some(true)
            });
            if months {
                let len = 2 + trailing(at + 2);
                return Some((vec![Axis::Month], Name::Index(i64::from(m)), len));
            }
            return made(DateText { year: Some(y), month: m, day: None }, 2 + trailing(at + 2));
        }
        if english && let Some(d) = ordinal(at + 1) {
            // `April 8, 2025`, but `March 17, April 20` and `May: 8` are months with numbers.
            let skip = comma(at + 2);
            if let Some(y) = year(at + 2 + skip) {
                return made(DateText { year: Some(y), month: m, day: Some(d) }, 3 + skip);
            }
            let by_month = self.world.views.iter().any(|v| v.on_axis(&Axis::Month).is_some());
            if !by_month {
                return made(DateText { year: None, month: m, day: Some(d) }, 2);
            }
        }
        None
    }

    fn calendar(&self, at: usize) -> Option<(Vec<Axis>, Name, usize)> {
        let t = self.tokens().get(at)?;
        if let Kind::Ordinal(q) = t.kind
            && self
                .tokens()
                .get(at + 1)
                .is_some_and(|t| t.lower.starts_with("квартал") || t.lower == "quarter")
        {
            return Some((vec![Axis::Quarter], Name::Index(i64::from(q)), 2));
        }
        // `between 9:00 and 15:59`: the second names its hour as well.
        let second = at >= 2
            && matches!(self.tokens()[at - 2].kind, Kind::Time(..))
            && !self.tokens()[at - 1].is(',');
        if let Kind::Time(h, minutes) = t.kind
            && (minutes == 0 || second)
            && self.world.views.iter().any(|v| v.on_axis(&Axis::Hour).is_some())
        {
            return Some((vec![Axis::Hour], Name::Index(i64::from(h)), 1));
        }
        if !t.is_word() {
            return None;
        }
        let noon = ["noon", "midday", "полдень", "полдня", "полудню"].contains(&t.lower.as_str());
        if noon && self.world.views.iter().any(|v| v.on_axis(&Axis::Hour).is_some()) {
            return Some((vec![Axis::Hour], Name::Index(12), 1));
        }
        if let Some(q) = t.lower.strip_prefix('q').and_then(|q| q.parse::<i64>().ok())
            && (1..=4).contains(&q)
        {
            return Some((vec![Axis::Quarter], Name::Index(q), 1));
        }
        let proper = t.capital || !needs_capital(&t.lower);
        // `ср.` is also short for `средний`.
        let short = t.lower == "ср" && self.tokens().get(at + 1).is_some_and(|n| n.is('.'));
        if let Some(day) = weekday(&t.lower).filter(|_| (proper || t.lower.len() > 5) && !short) {
            return Some((vec![Axis::Weekday], Name::Index(day), 1));
        }
        let month = month(&t.lower).filter(|_| proper).or_else(|| month_adjective(&t.lower))?;
        Some((vec![Axis::Month], Name::Index(month), 1))
    }

    /// Years, and whole-number keys after the name of their column (`region 5`).
    fn number_key(&self, at: usize) -> Option<(Vec<Axis>, Name, usize)> {
        // `2022-й`
        if let Some(Kind::Ordinal(n)) = self.tokens().get(at).map(|t| &t.kind) {
            let year = (1900..=2100).contains(n).then(|| i64::from(*n))?;
            let key = |v: &View| {
                v.on_axis(&Axis::Year)
                    .is_some_and(|a| !v.rows_named(a, &Name::Index(year)).is_empty())
            };
            let known = self.world.views.iter().any(key);
            return known.then(|| (vec![Axis::Year], Name::Index(year), 1));
        }
        let n = self.bare(at)?;
        let before = self.out.word_before(at);
        let after = self.tokens().get(at + 1).map_or("", |t| t.lower.as_str());
        if (1900..=2100).contains(&n) {
            // `between 2023 and 2025`
            let second = ["and", "to", "и", "по", "до"].contains(&before)
                && self
                    .out
                    .mentions
                    .last()
                    .is_some_and(|m| m.axes == [Axis::Year] && m.place.last + 2 == at);
            // `The best year was 2023`
            let noun = (at.saturating_sub(3)..at).any(|i| {
                let word = self.tokens()[i].lower.as_str();
                ["year", "год", "годом"].contains(&word)
                    && self.tokens()[i].sentence == self.tokens()[at].sentence
            });
            let said = noun
                || YEAR_LEADS.contains(&before)
                || second
                || after.starts_with("год")
                || after == "г";
            let introduced = at > 0
                && (self.tokens()[at - 1].is(':')
                    || self.tokens()[at - 1].is('=')
                    || has(words::COPULAS, self.tokens(), at - 1)
                    || ["at", "to", "about", "составил", "составило", "составила"]
                        .contains(&before));
            let key = self.world.views.iter().any(|v| {
                v.on_axis(&Axis::Year).is_some_and(|a| !v.rows_named(a, &Name::Index(n)).is_empty())
            });
            // `founded in 1962`: a value and no period.
            let value = !key
                && self.world.views.iter().any(|v| {
                    v.measures.iter().any(|m| {
                        let rows = v.outcome.rows.len().min(50);
                        rows > 0
                            && (0..rows).all(|r| {
                                let x = v.outcome.value(r, m.column).as_f64();
                                x.is_some_and(|x| {
                                    x.fract() == 0.0 && (1800.0..=2100.0).contains(&x)
                                })
                            })
                    })
                });
            let counts = value
                || words::counted(self.tokens(), at + 1).is_some()
                || find(words::UNITS, self.tokens(), at + 1).is_some_and(|(u, _)| u != "year");
            // `Q2 2024`, `started 2024 with a decline`: the year of the query.
            let quarter = self
                .out
                .mentions
                .last()
                .is_some_and(|m| m.axes == [Axis::Quarter] && m.place.last + 1 == at);
            let whole = self
                .world
                .views
                .iter()
                .any(|v| v.lies_within(&Axis::Year, &Name::Index(n)) == Some(true));
            let asked = whole && !introduced && at > 0 && self.tokens()[at - 1].is_word();
            let asked = asked && ["with", "and", "", "the", "с", "и"].contains(&after);
            if !counts && (said && before != "of" || key && !introduced || quarter || asked) {
                let len = 1 + usize::from(after.starts_with("год") || after == "г");
                return Some((vec![Axis::Year], Name::Index(n), len));
            }
        }
        let calendar = |t: &Token| match t.lower.as_str() {
            "hour" | "hours" | "час" | "часы" => Some(Axis::Hour),
            "month" | "months" | "месяц" | "месяцы" => Some(Axis::Month),
            "quarter" | "quarters" | "квартал" | "кварталы" => Some(Axis::Quarter),
            "year" | "years" | "год" | "годы" => Some(Axis::Year),
            _ => None,
        };
        let axis_of = |t: &Token| {
            t.is_word()
                .then(|| self.world.axis_words.get(&t.stem).cloned().or_else(|| calendar(t)))?
        };
        // `| Hour | … |`: the head of the column says it, else the word before.
        // A head of several words is that of a measure (`Orders per hour`).
        let head = self.out.column_head(Place { first: at, last: at });
        let axis = head
            .and_then(|head| {
                let mut words = head.filter(|&i| self.tokens()[i].is_word());
                let only = words.next()?;
                words.next().is_none().then(|| axis_of(&self.tokens()[only]))?
            })
            .or_else(|| axis_of(at.checked_sub(1).and_then(|i| self.tokens().get(i))?))?;
        let fits = self.world.views.iter().any(|v| {
            v.on_axis(&axis).is_some_and(|a| !v.rows_named(a, &Name::Index(n)).is_empty())
        });
        fits.then(|| (vec![axis], Name::Index(n), 1))
    }
}
