//! Bounds that are said of all groups, of none, or only of some: `every shop sold over 100`, `no month was
//! below 50`, `only A and B are above 60`. They are held against every value of the one measure that the
//! sentence, its question or the result is about.

use super::bind::Binder;
use super::judge::{Finding, Why, finding};
use super::lex::is_cyrillic;
use super::names::without_possessive;
use super::read::{Mention, Num, Place, Reading};
use super::resolve::{Fact, cell, shown};
use super::told::{asked, told};
use super::verify::{conversion, units_agree};
use super::words::{self, has};
use super::world::{Measure, View};
use crate::query::check::ResultKind;
use crate::validate::Verdict;

/// In longer results nobody says what all have.
const ROWS: usize = 10_000;

/// So many names are written out.
const NAMES: usize = 8;

/// Of how many groups a bound is said.
enum Of<'r> {
    All,
    None,
    Only(Vec<&'r Mention>),
}

/// Judges the bounds on all groups.
pub(super) fn limits(text: &str, binder: &Binder, from: usize, out: &mut Vec<(Place, Finding)>) {
    let reading = binder.reading;
    let [view] = binder.world.views.as_slice() else { return };
    let rows = view.outcome.rows.len();
    let several = view.kind == ResultKind::Grouped || view.kind == ResultKind::Table;
    if !several || view.cut() || view.names.len() != 1 || !(2..=ROWS).contains(&rows) {
        return;
    }
    for &n in binder.claims {
        let num = &reading.numbers[n];
        let Some((above, first)) = bound(reading, num) else { continue };
        let Some(of) = said_of(binder, view, num, first) else { continue };
        let Some(m) = measure(binder, from, view, num) else { continue };
        let limit = Limit { text, binder, view, m, num, above, first };
        let found = match &of {
            Of::All => limit.all(above),
            // `Ни в одном месяце не превысили`: two negations are one.
            Of::None if reading.tokens[first].lower == "не" => limit.all(above),
            Of::None => limit.none(above),
            Of::Only(list) => limit.only(list),
        };
        let Some(found) = found else { continue };
        for (place, made) in found {
            let within = |p: &Place| p.first <= place.last && p.last >= place.first;
            out.retain(|(p, _)| !within(p));
            out.push((place, made));
        }
    }
}

/// A bound before a number: whether what is said of lies above it, and its first token. `deeper than 50`
/// is one as well, and so is `глубже 50`.
fn bound(reading: &Reading, num: &Num) -> Option<(bool, usize)> {
    let tokens = &reading.tokens;
    if num.bound.is_some() {
        return num.bound;
    }
    let at = num.place.first.checked_sub(1)?;
    let than = tokens[at].lower == "than";
    let word = if than { at.checked_sub(1)? } else { at };
    let listed = words::find(words::COMPARATIVES, tokens, word).map(|((more, _), _)| more);
    let lower = tokens[word].lower.as_str();
    let russian = is_cyrillic(lower) && ["ее", "же", "ше", "че"].iter().any(|e| lower.ends_with(e));
    let adverb = ["уже", "даже", "тоже", "также", "еще"].contains(&lower);
    let graded = than && lower.ends_with("er") || russian && !adverb;
    listed.filter(|_| than || russian).or(graded.then_some(true)).map(|above| (above, word))
}

/// Of which groups the bound is said, where that is of all, of none or of some only.
fn said_of<'r>(binder: &Binder<'r>, view: &View, num: &Num, first: usize) -> Option<Of<'r>> {
    let reading = binder.reading;
    let tokens = &reading.tokens;
    let sentence = reading.sentence(num.place);
    let here = |i: usize| tokens[i].sentence == sentence;
    let says =
        |table: words::Table<()>| (0..tokens.len()).any(|i| here(i) && has(table, tokens, i));
    let bounds = binder.claims.iter().map(|&n| &reading.numbers[n]);
    let others = bounds.filter(|n| {
        here(n.place.first)
            && n.place != num.place
            && n.number.value != view.outcome.rows.len() as f64
            && bound(reading, n).is_some()
    });
    if others.count() > 0
        || says(words::EXCEPT) && !says(&[("but", ())])
        || num.negated && says(&[("not", ())])
    {
        return None;
    }
    let names: Vec<&Mention> = reading
        .mentions
        .iter()
        .filter(|m| here(m.place.first) && m.axes.iter().any(|a| view.on_axis(a).is_some()))
        .collect();
    let other = reading
        .mentions
        .iter()
        .any(|m| here(m.place.first) && !m.axes.iter().any(|a| view.on_axis(a).is_some()));
    let only = (0..tokens.len())
        .any(|i| here(i) && ["only", "только", "лишь"].contains(&tokens[i].lower.as_str()));
    if other {
        return None;
    }
    if !names.is_empty() {
        // `these two are the only ones`: others than those that are named.
        let back = ["these", "those", "both", "top", "they", "эти", "оба", "обе", "они"];
        let back =
            tokens.iter().any(|t| t.sentence == sentence && back.contains(&t.lower.as_str()));
        let only = only && !back;
        return (only && !says(words::NONE)).then_some(Of::Only(names));
    }
    let word = |i: usize| tokens.get(i).map_or("", |t| t.lower.as_str());
    let none = (0..first).any(|i| {
        here(i)
            && (["none", "никто", "нигде", "nobody"].contains(&word(i))
                || word(i) == "no" && word(i + 1) != "more" && word(i + 1) != "less"
                || word(i) == "ни" && (i + 1..i + 3).any(|j| word(j).starts_with("од")))
    });
    let negated = says(&[("not all", ()), ("not every", ()), ("не все", ()), ("не каждый", ())]);
    if none {
        return Some(Of::None);
    }
    let all = (0..first).any(|i| {
        here(i)
            && (["all", "every", "each", "все"].contains(&word(i)) || word(i).starts_with("кажд"))
            && names_groups(binder, view, i)
    });
    (all && !negated && !only).then_some(Of::All)
}

/// `every region`, `all five lakes`, `все регионы`: what the groups are called stands behind the word.
fn names_groups(binder: &Binder, view: &View, at: usize) -> bool {
    let tokens = &binder.reading.tokens;
    (at + 1..tokens.len().min(at + 5)).any(|i| {
        let axis = binder.world.axis_words.get(&tokens[i].stem);
        let group = axis.is_some_and(|a| view.on_axis(a).is_some());
        group || has(words::GROUPS, tokens, i)
    })
}

/// What the bound is of.
fn measure<'v>(binder: &Binder, from: usize, view: &'v View, num: &Num) -> Option<&'v Measure> {
    let tokens = &binder.reading.tokens;
    let sentence = binder.reading.sentence(num.place);
    let begin = tokens.iter().position(|t| t.sentence == sentence)?;
    let end = begin + tokens[begin..].iter().take_while(|t| t.sentence == sentence).count();
    let list = told(binder, view, begin..end, Some(num));
    match list.as_slice() {
        [m] => Some(m),
        [] => {
            asked(binder, view, from).filter(|_| num.number.unit.is_none() && !num.number.percent)
        }
        several => {
            asked(binder, view, from).filter(|m| several.iter().any(|o| o.column == m.column))
        }
    }
}

struct Limit<'a, 'b> {
    text: &'b str,
    binder: &'b Binder<'a>,
    view: &'b View<'a>,
    m: &'b Measure,
    num: &'b Num,
    above: bool,
    first: usize,
}

impl Limit<'_, '_> {
    /// The bound in the unit of the measure.
    fn bound(&self) -> Option<f64> {
        let fact = cell(self.view, self.m, 0).filter(|f| units_agree(self.num, f))?;
        Some(self.num.number.value / conversion(self.num, &fact).unwrap_or(1.0))
    }

    /// The group with the largest or the smallest value.
    fn end(&self, most: bool) -> Option<Fact> {
        let (rows, _) = super::rank::ranked(self.view, self.m, None, most, 1)?;
        let mut fact = cell(self.view, self.m, *rows.first()?)?;
        fact.formula = Some(format!("{} of {}", if most { "max" } else { "min" }, self.m.name));
        Some(fact)
    }

    /// All are above the bound: the smallest is.
    fn all(&self, above: bool) -> Option<Vec<(Place, Finding)>> {
        let fact = self.end(!above)?;
        let x = self.bound()?;
        let (v, equal) = (fact.value, self.num.inclusive);
        let holds = if above { v > x || equal && v == x } else { v < x || equal && v == x };
        if holds {
            return self.fine(&fact, v, x);
        }
        // `over 70,000` becomes `at least 62,150`.
        let russian = is_cyrillic(&self.binder.reading.tokens[self.first].lower);
        let bound = match (above, russian) {
            (true, false) => "at least",
            (false, false) => "at most",
            (true, true) => "не меньше",
            (false, true) => "не больше",
        };
        let value = v * conversion(self.num, &fact).unwrap_or(1.0);
        // With as many decimals as the bound needs to hold.
        let mut number = self.num.number.clone();
        let past = |decimals: u32, scale: f64| {
            let unit = 10f64.powi(-(decimals as i32)) * scale;
            let shown = (value / unit).round() * unit;
            if above { shown > value + 1e-9 } else { shown < value - 1e-9 }
        };
        while number.decimals < 4 && past(number.decimals, number.scale) {
            number.decimals += 1;
        }
        let actual = format!("{bound} {}", number.write_like(value));
        let place = Place { first: self.first, last: self.num.place.last };
        Some(vec![self.wrong(place, actual, &fact)])
    }

    /// None is above the bound: the largest is not.
    fn none(&self, above: bool) -> Option<Vec<(Place, Finding)>> {
        let fact = self.end(above)?;
        let x = self.bound()?;
        let v = fact.value;
        let holds = if above { v <= x } else { v >= x };
        if holds {
            return self.fine(&fact, v, x);
        }
        let value = v * conversion(self.num, &fact).unwrap_or(1.0);
        let actual = self.num.number.write_like(value);
        Some(vec![self.wrong(self.num.place, actual, &fact)])
    }

    /// What holds by far says too little to be held against a value.
    fn fine(&self, fact: &Fact, v: f64, x: f64) -> Option<Vec<(Place, Finding)>> {
        let near = x != 0.0 && (0.5..=2.0).contains(&(v / x));
        let place = self.num.place;
        let reading = self.binder.reading;
        let verdict = Verdict::Derived;
        near.then(|| {
            vec![(place, finding(self.text, reading, place, verdict, None, Some(fact), Why::Fine))]
        })
    }

    fn wrong(&self, place: Place, actual: String, fact: &Fact) -> (Place, Finding) {
        let reading = self.binder.reading;
        let wrong = Verdict::Contradicted;
        (place, finding(self.text, reading, place, wrong, Some(actual), Some(fact), Why::Value))
    }

    /// Those beyond the bound are those that are named.
    fn only(&self, list: &[&Mention]) -> Option<Vec<(Place, Finding)>> {
        let reading = self.binder.reading;
        let x = self.bound()?;
        let mut named: Vec<usize> = Vec::new();
        for m in list {
            let at = m.axes.iter().find_map(|a| self.view.on_axis(a))?;
            let rows = self.view.rows_named(at, &m.name);
            named.push(*rows.first().filter(|_| rows.len() == 1)?);
        }
        named.sort_unstable();
        named.dedup();
        let numbers = self.view.numbers(self.m.column);
        let past =
            |v: f64| (if self.above { v > x } else { v < x }) || self.num.inclusive && v == x;
        let beyond: Vec<usize> = (0..numbers.len()).filter(|&r| past(numbers[r])).collect();
        let mut fact = cell(self.view, self.m, *named.first()?)?;
        let sign = if self.above { ">" } else { "<" };
        fact.formula = Some(format!("{} {sign} {x}", self.m.name));
        let place = self.num.place;
        let fine =
            finding(self.text, reading, place, Verdict::Derived, None, Some(&fact), Why::Fine);
        let mut out = vec![(place, fine)];
        if named == beyond {
            return Some(out);
        }
        let (first, last) = (list.first()?.place, list.last()?.place);
        let joined = (first.last + 1..last.first).all(|i| {
            let token = &reading.tokens[i];
            let within = |m: &&&Mention| (m.place.first..=m.place.last).contains(&i);
            token.is(',') || super::lex::is_and(token) || list.iter().any(|m| within(&m))
        });
        if !joined || beyond.is_empty() || beyond.len() > NAMES {
            return None;
        }
        let names: Vec<String> = beyond
            .iter()
            .map(|&row| shown(&self.view.outcome.value(row, self.view.names[0].column)))
            .collect();
        let and = if is_cyrillic(self.text) { "и" } else { "and" };
        let actual = match names.split_last() {
            Some((last, rest)) if !rest.is_empty() => format!("{} {and} {last}", rest.join(", ")),
            _ => names.concat(),
        };
        let place = Place { first: first.first, last: last.last };
        let why = Why::Order(self.m.name.clone());
        let wrong = Verdict::Contradicted;
        let mut made = finding(self.text, reading, place, wrong, Some(actual), None, why);
        let words = without_possessive(reading.text(self.text, place)).len();
        made.claim.span.end = made.claim.span.start + words;
        made.claim.fact = cell(self.view, self.m, *beyond.first()?).map(|f| f.source);
        out.push((place, made));
        Some(out)
    }
}
