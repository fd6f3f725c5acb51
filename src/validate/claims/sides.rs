//! Words of direction and comparison, held against the right numbers beside them: a rise of what is
//! a fall, `more` before a smaller number than that it is held against. What they are said of may be
//! read otherwise, so that they are marked and never replaced.

use super::judge::{Finding, Why, finding};
use super::lex::Kind;
use super::names::{Axis, calendar_order};
use super::number::Sign;
use super::read::{End, Num, Place, Reading};
use super::words::{self, Agg, find, has};
use super::world::{View, World, name_words};
use crate::validate::{FactRef, Verdict};

/// Marks words of direction and comparison that a right number belies.
pub(super) fn turned_words(
    text: &str,
    world: &World,
    reading: &Reading,
    out: &mut Vec<(Place, Finding)>,
) {
    let sides = Sides { world, reading };
    let mut places: Vec<Place> = sides.held_against();
    for (place, found) in out.iter() {
        let Some(num) = reading.numbers.iter().find(|n| n.place.first == place.first) else {
            continue;
        };
        places.extend(sides.signed(num));
        let right = matches!(found.claim.verdict, Verdict::Verified | Verdict::Derived);
        let Some(fact) = found.claim.fact.as_ref().filter(|_| right) else { continue };
        if found.claim.formula.is_none() {
            places.extend(sides.one_way(num, fact));
            places.extend(sides.never(num, fact));
            places.extend(sides.onward(num, fact, out));
        } else if let [x, y] = found.claim.operands.as_slice() {
            places.extend(sides.compared(num, x, y, out));
        }
    }
    places.sort_by_key(|p| p.first);
    places.dedup_by_key(|p| p.first);
    for place in places {
        // What is marked already needs no second mark.
        let known = out.iter().any(|(p, f)| {
            p.first <= place.first && place.first <= p.last && f.claim.verdict != Verdict::Verified
        });
        if !known {
            let found =
                finding(text, reading, place, Verdict::Unverifiable, None, None, Why::Ambiguous);
            out.push((place, found));
        }
    }
}

/// Words of change that are the name of something, not a verb.
const NOUNS: &[&str] = &[
    "growth",
    "gain",
    "gains",
    "rise",
    "rises",
    "drop",
    "drops",
    "fall",
    "falls",
    "loss",
    "losses",
    "increase",
    "increases",
    "decrease",
    "decreases",
    "cut",
    "cuts",
    "rally",
    "up",
    "down",
    "minus",
    "plus",
    "плюс",
    "минус",
];

/// Starts of the same.
const NOUN_STARTS: &[&str] = &["рост", "паден", "убыт", "reduct", "потер", "снижен"];

/// Whether a word of change is the name of something.
pub(super) fn is_noun(word: &str) -> bool {
    NOUNS.contains(&word) || NOUN_STARTS.iter().any(|s| word.starts_with(s))
}

/// Words that turn a sentence to something else.
const TURNS: &[&str] = &["but", "while", "whereas", "and", "then", "yet", "а", "но", "и", "зато"];

/// Words that hold one number against another.
const VERSUS: &[&str] = &["vs", "versus", "against", "compared", "instead", "против", "вместо"];

/// Small words that may stand between two numbers that are held against each other.
const SMALL: &[&str] = &["with", "to", "of", "just", "only", "лишь", "всего", "at"];

/// Words of comparison whose number is not the larger where they say more.
const OTHERWISE: &[&str] = &["faster", "slower", "better", "worse", "earlier", "later"];

struct Sides<'a> {
    world: &'a World<'a>,
    reading: &'a Reading,
}

impl Sides<'_> {
    fn word(&self, at: usize) -> &str {
        self.reading.tokens.get(at).map_or("", |t| t.lower.as_str())
    }

    fn has_number(&self, mut range: std::ops::Range<usize>) -> bool {
        range.any(|i| self.reading.numbers.iter().any(|n| n.place.first == i))
    }

    fn negated(&self, at: usize) -> bool {
        (at.saturating_sub(2)..at).any(|i| {
            has(words::NOT, &self.reading.tokens, i) || ["never", "не"].contains(&self.word(i))
        })
    }

    /// Where a number is said to come from or to arrive.
    fn is_level(&self, num: &Num) -> bool {
        let first = num.bound.map_or(num.place.first, |(_, at)| at);
        ["to", "at", "from", "до", "с", "со", "от"].contains(&self.reading.word_before(first))
    }

    /// The first token of the number with its sign in words.
    fn start(&self, num: &Num) -> usize {
        let first = num.bound.map_or(num.place.first, |(_, at)| at);
        let signed = ["minus", "минус", "plus", "плюс"].contains(&self.reading.word_before(first));
        first - usize::from(signed)
    }

    fn sign(&self, num: &Num) -> Option<bool> {
        match (num.number.sign, self.reading.word_before(num.place.first)) {
            (Sign::Minus, _) | (_, "minus" | "минус") => Some(false),
            (Sign::Plus, _) | (_, "plus" | "плюс") => Some(true),
            _ => None,
        }
    }

    /// A word of change at a token, and whether it is a rise.
    fn change(&self, at: usize, nouns: bool) -> Option<(Place, bool)> {
        let ((up, _), len) = find(words::DIRECTIONS, &self.reading.tokens, at)?;
        let word = self.word(at);
        let noun = is_noun(word);
        let measure =
            self.reading.bases.iter().any(|b| (b.place.first..=b.place.last).contains(&at));
        let said = !measure && (nouns || !noun) && !self.negated(at);
        said.then_some((Place { first: at, last: at + len - 1 }, up))
    }

    /// A comparison at a token, and whether it says more.
    fn comparison(&self, at: usize) -> Option<(Place, bool)> {
        let ((more, _), len) = find(words::COMPARATIVES, &self.reading.tokens, at)?;
        // `реже всего` compares with all, not with what stands beside it.
        let of_all = self.reading.superlatives.iter().any(|s| s.place.first == at);
        let said = !of_all && !OTHERWISE.contains(&self.word(at)) && !self.negated(at);
        said.then_some((Place { first: at, last: at + len - 1 }, more))
    }

    /// `lost: +0.05%`, `rose on April 4: −6.2%`.
    fn signed(&self, num: &Num) -> Option<Place> {
        let up = self.sign(num)?;
        let tokens = &self.reading.tokens;
        let first = self.start(num);
        if self.is_level(num)
            || ["to", "at", "from", "до", "с"].contains(&self.reading.word_before(first))
        {
            return None;
        }
        let sentence = tokens[first].sentence;
        let bracket = first.checked_sub(1).is_some_and(|i| tokens[i].is('('));
        let from = first.saturating_sub(if bracket { 16 } else { 12 });
        for at in (from..first).rev() {
            let stop = tokens[at].sentence != sentence
                || tokens[at].is(',')
                || tokens[at].is(';')
                || tokens[at].is(')')
                || TURNS.contains(&self.word(at))
                || !bracket && self.has_number(at..at + 1);
            if stop {
                return None;
            }
            if let Some((place, said)) = self.change(at, false) {
                return (said != up).then_some(place);
            }
        }
        None
    }

    /// `pressure rose by 17.3` of a column of falls; `fell on 143 days` of the days that rose.
    fn one_way(&self, num: &Num, fact: &FactRef) -> Option<Place> {
        let up = one_way(&fact.column)?;
        let tokens = &self.reading.tokens;
        if self.is_level(num) {
            return None;
        }
        let first = self.start(num);
        let (sentence, clause) = (tokens[first].sentence, tokens[first].clause);
        let own = |i: usize| {
            find(words::DIRECTIONS, tokens, i).is_some_and(|((u, _), _)| u == up)
                || WAYS.iter().any(|(w, u)| *u == up && tokens[i].lower.starts_with(w))
        };
        if (0..tokens.len()).any(|i| tokens[i].sentence == sentence && own(i)) {
            return None;
        }
        let other = |i: usize| {
            let way = WAYS.iter().find(|(w, _)| tokens[i].lower.starts_with(w));
            let found = self.change(i, true);
            found.or_else(|| way.map(|(_, u)| (Place { first: i, last: i }, *u)))
        };
        let before = (first.saturating_sub(10)..first)
            .rev()
            .take_while(|&i| tokens[i].sentence == sentence && !self.has_number(i..i + 1))
            .find_map(other);
        let after = (num.tail + 1..(num.tail + 8).min(tokens.len()))
            .take_while(|&i| tokens[i].clause == clause && !self.has_number(i..i + 1))
            .find_map(other);
        before.or(after).filter(|(_, said)| *said != up).map(|(place, _)| place)
    }

    /// `never less than 88.8`, which is the largest.
    fn never(&self, num: &Num, fact: &FactRef) -> Option<Place> {
        let view = self.view(fact)?;
        let agg = view.measures.iter().find(|m| m.name == fact.column)?.agg?;
        let most = match agg {
            Agg::Max => true,
            Agg::Min => false,
            _ => return None,
        };
        let first = num.place.first;
        let tokens = &self.reading.tokens;
        let at = (first.saturating_sub(3)..first)
            .find(|&i| find(words::BOUNDS, tokens, i).is_some_and(|(above, _)| above != most))?;
        let never = (at.saturating_sub(3)..at)
            .any(|i| ["never", "nothing", "никогда", "ни"].contains(&self.word(i)));
        let inclusive = find(words::INCLUSIVE, tokens, at).is_some();
        // A fall goes down: what it never exceeds is the lowest value.
        let falls = num.number.value < 0.0 || fact.value.as_f64().is_some_and(|x| x < 0.0);
        (never && !inclusive && !falls).then_some(Place { first: at, last: at })
    }

    /// `fell from 61 to 37, then fell to 38`.
    fn onward(&self, num: &Num, fact: &FactRef, out: &[(Place, Finding)]) -> Option<Place> {
        if !["to", "до"].contains(&self.reading.word_before(num.place.first)) {
            return None;
        }
        let sentence = self.reading.sentence(num.place);
        let first = num.place.first;
        let (place, up) = (first.saturating_sub(5)..first)
            .rev()
            .take_while(|&i| self.reading.tokens[i].sentence == sentence)
            .take_while(|&i| !self.has_number(i..i + 1))
            .find_map(|i| self.change(i, false))?;
        let before =
            self.reading.numbers.iter().rfind(|n| n.place.last < place.first).filter(|n| {
                self.reading.sentence(n.place) == sentence
                    && ["to", "до"].contains(&self.reading.word_before(n.place.first))
            })?;
        let found = out.iter().find(|(p, _)| p.first == before.place.first)?;
        let same = found.1.claim.formula.is_none()
            && found.1.claim.fact.as_ref().is_some_and(|f| {
                f.column == fact.column && f.result == fact.result && f.row != fact.row
            });
        let (x, y) = (num.number.value, before.number.value);
        (same && x != y && (x > y) != up).then_some(place)
    }

    /// `fewer: 1,600 against 1,450`; `the mean (79,600) is above the median (81,000)`.
    fn held_against(&self) -> Vec<Place> {
        let tokens = &self.reading.tokens;
        let numbers = &self.reading.numbers;
        let opened = |at: usize| at.checked_sub(1).is_some_and(|i| tokens[i].is('('));
        let mut out = Vec::new();
        for (a, b) in numbers.iter().zip(numbers.iter().skip(1)) {
            let sentence = self.reading.sentence(a.place);
            let alike = a.number.percent == b.number.percent
                && (a.number.unit == b.number.unit
                    || a.number.unit.is_none()
                    || b.number.unit.is_none());
            let plain = !a.times && !b.times && a.bound.is_none() && b.bound.is_none();
            let (x, y) = (a.number.value, b.number.value);
            if self.reading.sentence(b.place) != sentence || !alike || !plain || x == y {
                continue;
            }
            let gap = a.tail + 1..b.place.first;
            let first = a.place.first;
            let versus = gap.len() <= 4
                && gap.clone().any(|i| VERSUS.contains(&self.word(i)))
                && gap.clone().all(|i| {
                    VERSUS.contains(&self.word(i))
                        || SMALL.contains(&self.word(i))
                        || matches!(tokens[i].kind, Kind::Punct(_))
                });
            if versus {
                let mut back = (first.saturating_sub(16)..first)
                    .rev()
                    .take_while(|&i| tokens[i].sentence == sentence)
                    .take_while(|&i| !self.has_number(i..i + 1));
                let said = back.find_map(|i| {
                    let end = self.reading.superlatives.iter().find(|s| s.place.first == i);
                    match end {
                        Some(s) => {
                            let plain = s.what.end == End::Said
                                && s.what.rank == 1
                                && !(s.what.negated || s.what.speed || x < 0.0 || y < 0.0);
                            Some(plain.then_some((s.place, s.what.most)))
                        }
                        None => self.comparison(i).map(Some),
                    }
                });
                out.extend(said.flatten().filter(|(_, more)| (x > y) != *more).map(|(p, _)| p));
            } else if gap.len() <= 12
                && opened(first)
                && tokens.get(a.tail + 1).is_some_and(|t| t.is(')'))
                && opened(b.place.first)
            {
                let mut said = gap.filter_map(|i| self.comparison(i));
                if let (Some((place, more)), None) = (said.next(), said.next())
                    && (x > y) != more
                {
                    out.push(place);
                }
            }
        }
        out
    }

    fn view(&self, fact: &FactRef) -> Option<&View<'_>> {
        self.world.views.iter().find(|v| v.outcome.id == fact.result)
    }

    /// `8.1 points lower than on Thursdays`, `fell by 135 compared with April`: the first of two is
    /// above the second, or below it.
    fn compared(
        &self,
        num: &Num,
        x: &FactRef,
        y: &FactRef,
        out: &[(Place, Finding)],
    ) -> Option<Place> {
        if x.column != y.column || x.result != y.result {
            return None;
        }
        let (a, b) = (x.value.as_f64()?, y.value.as_f64()?);
        let view = self.view(x)?;
        let rows = (x.row?, y.row?);
        if a == b || rows.0 == rows.1 {
            return None;
        }
        let tokens = &self.reading.tokens;
        let first = self.start(num);
        let sentence = tokens[first].sentence;
        let here = |i: &usize| tokens.get(*i).is_some_and(|t| t.sentence == sentence);
        // Of the two the one that a mention names.
        let named = |at: usize| {
            let mention = self.reading.mentions.iter().find(|m| m.place.first == at)?;
            let axis = mention.axes.iter().find_map(|a| view.on_axis(a))?;
            let of = view.rows_named(axis, &mention.name);
            match (of.contains(&rows.0), of.contains(&rows.1)) {
                (true, false) => Some(a),
                (false, true) => Some(b),
                _ => None,
            }
        };
        let other = |reference: f64| if reference == a { b } else { a };
        // `Of 61 and 38 the second is 23 fewer`: what was stated first is what the next is held against.
        let stated = |fact: &FactRef| {
            let of = |f: &&(Place, Finding)| f.1.claim.fact.as_ref() == Some(fact);
            let before =
                out.iter().filter(|f| f.0.last < first && tokens[f.0.first].sentence == sentence);
            before.filter(of).map(|f| f.0.first).min()
        };
        let earlier = |(a, x): (f64, &FactRef), (b, y): (f64, &FactRef)| {
            let (left, right) = stated(x).zip(stated(y))?;
            let former = (left.max(right)..first)
                .any(|i| ["former", "первый", "первая", "первое"].contains(&self.word(i)));
            Some(if (left < right) == former { b } else { a })
        };
        let after = (num.tail + 1..num.tail + 5).take_while(here).find_map(|i| self.comparison(i));
        let led = ["by", "на"].contains(&self.reading.word_before(first));
        let before = || {
            (first.saturating_sub(6)..first)
                .rev()
                .take_while(|i| here(i) && !self.has_number(*i..i + 1))
                .find_map(|i| self.comparison(i))
        };
        if let Some((place, more)) = after.or_else(|| led.then(before).flatten()) {
            let than = (place.last + 1..place.last + 8)
                .take_while(here)
                .find(|&i| ["than", "чем"].contains(&self.word(i)));
            let reference = match than {
                Some(than) => (than + 1..than + 6).take_while(here).find_map(named),
                None => named(place.last + 1).or_else(|| earlier((a, x), (b, y))),
            }?;
            return ((other(reference) > reference) != more).then_some(place);
        }
        if self.is_level(num) {
            return None;
        }
        let (place, up) = (first.saturating_sub(8)..first)
            .rev()
            .take_while(|i| here(i) && !self.has_number(*i..i + 1))
            .find_map(|i| self.change(i, true))?;
        let against = (0..tokens.len()).filter(here).find_map(|i| {
            let long = |next: &str| self.word(i + 1) == next;
            let len = match self.word(i) {
                "сравнению" if long("с") || long("со") => 2,
                "compared" if long("with") || long("to") => 2,
                "relative" if long("to") => 2,
                "against" | "versus" | "vs" | "против" => 1,
                _ => return None,
            };
            (i + len..i + len + 3).find_map(named)
        });
        let reference = against.or_else(|| {
            let calendar = view.names.iter().find(|n| {
                matches!(n.axis, Axis::Month | Axis::Year | Axis::Quarter | Axis::Date)
                    && view.outcome.value(rows.0, n.column) != view.outcome.value(rows.1, n.column)
            })?;
            let at = |r: usize| view.outcome.value(r, calendar.column);
            let earlier = calendar_order(&calendar.axis, &at(rows.0), &at(rows.1)).is_lt();
            Some(if earlier { a } else { b })
        })?;
        ((other(reference) > reference) != up).then_some(place)
    }
}

/// Starts of words that say where to, beside those of change.
const WAYS: &[(&str, bool)] = &[
    ("upward", true),
    ("higher", true),
    ("вверх", true),
    ("выше", true),
    ("плюс", true),
    ("раст", true),
    ("up", true),
    ("green", true),
    ("downward", false),
    ("lower", false),
    ("вниз", false),
    ("ниже", false),
    ("минус", false),
    ("red", false),
];

/// Where to a column goes whose name says so.
fn one_way(column: &str) -> Option<bool> {
    const UP: &[&str] = &["up", "rise", "gain", "growth", "increase", "рост", "прирост"];
    const DOWN: &[&str] =
        &["down", "drop", "fall", "decline", "reduction", "decrease", "снижени", "падени"];
    let words = name_words(column);
    let any = |list: &[&str]| {
        words.iter().any(|w| list.iter().any(|x| w == x || x.len() > 6 && w.starts_with(x)))
    };
    match (any(UP), any(DOWN)) {
        (true, false) => Some(true),
        (false, true) => Some(false),
        _ => None,
    }
}
