//! Cells that nothing else can be meant by: that of a result of one row, or of the one group that a
//! sentence names, by the one measure that it speaks of. There a number may be corrected, or a count
//! found right, where the sentence is not understood to its last word.

use super::bind::Binder;
use super::combine::operate;
use super::judge::{Finding, Why};
use super::lex::Token;
use super::link::Reach;
use super::meant::{moves, named};
use super::nouns::of_another;
use super::read::{Counted, Mention, Num, Place};
use super::resolve::{Fact, Need, Rows, cell, select};
use super::sure::Sure;
use super::swapped::{bare, digits, relates};
use super::told::view_of;
use super::uncounted::uncounted;
use super::verify::{Fit, fit, units_agree};
use super::words::{self, Agg, has};
use super::world::{Measure, View};
use crate::validate::Verdict;

/// Fewer digits than these are met by chance.
const DIGITS: usize = 2;

/// Starts of words of what was wanted, guessed or left out, and of parts: no value of a cell.
const NO_FACT: &[&str] = &[
    "plan",
    "target",
    "goal",
    "budget",
    "forecast",
    "expect",
    "predict",
    "project",
    "would",
    "could",
    "should",
    "might",
    "if",
    "aim",
    "per",
    "half",
    "part",
    "quota",
    "план",
    "цел",
    "прогноз",
    "бюджет",
    "ожида",
    "предполаг",
    "должн",
    "могл",
    "если",
    "бы",
    "часть",
    "половин",
];

/// What the number should be: the cell that the sentence names, whatever the number is.
pub(super) fn cell_of(binder: &Binder, sure: &Sure, item: usize, num: &Num) -> Option<Fact> {
    let reading = binder.reading;
    let (clause, sentence) = (reading.clause(num.place), reading.sentence(num.place));
    let here = |place: Place| reading.sentence(place) == sentence;
    let plain = bare(&Num { about: false, ..num.clone() }) && digits(num) >= DIGITS;
    let alone = binder.claims.iter().filter(|&&n| here(reading.numbers[n].place)).count() == 1;
    let ordered = reading.superlatives.iter().any(|s| here(s.place));
    if !plain || !alone || ordered || relates(binder, num, None) || moves(binder, num) {
        return None;
    }
    if fancied(binder, num) || !sure.loosely(reading, clause) {
        return None;
    }
    let mut needs = binder.needs(item);
    let (mut need, _) = needs.pop().filter(|_| needs.is_empty())?;
    need.names.retain(|n| n.reach != Reach::Before);
    let mentions = reading.mentions.iter().filter(|m| here(m.place)).count();
    let view = view_of(binder, binder.reading.sentence(num.place))?;
    let row = row_of(view, &need)?;
    let one_row = view.outcome.rows.len() == 1;
    if mentions != need.names.len() || !one_row && mentions != 1 {
        return None;
    }
    let only = match view.measures.as_slice() {
        [m] => Some(m),
        _ => None,
    };
    // A per cent may be a share of something.
    let spoken = named(binder, num, &need, view).filter(|_| !num.number.percent);
    let m = spoken.or(only.filter(|_| one_row && said(&need, num)))?;
    let fact = cell(view, m, row)?;
    let agg = reading
        .aggs
        .iter()
        .any(|a| reading.clause(a.place) == clause && m.agg.is_some_and(|own| own != a.what));
    let size = (num.number.value / fact.value).abs();
    let sized = (0.1..10.0).contains(&size) || one_row && spoken.is_some() && !num.about;
    let counts = num.counted.is_some_and(|c| c != Counted::Perhaps) && !fact.count;
    let percent = num.number.percent == (fact.percent || fact.share);
    let other = agg || !sized || counts || !percent || !units_agree(num, &fact);
    let other = other || uncounted(binder, num, &need, &fact);
    (!other && !foreign_noun(binder, sure, num) && fit(num, &fact, None) == Fit::No).then_some(fact)
}

/// The one row that the names choose.
fn row_of(view: &View, need: &Need) -> Option<usize> {
    match select(view, &need.names)? {
        (Rows::Some(rows), _) if rows.len() == 1 => Some(rows[0]),
        (Rows::All, _) if view.outcome.rows.len() == 1 => Some(0),
        _ => None,
    }
}

/// The number has the unit of what is measured, or the sentence or its question says what that is.
fn said(need: &Need, num: &Num) -> bool {
    num.number.unit.is_some() || need.base.is_some()
}

/// The clause speaks of a plan, a guess or a part.
fn fancied(binder: &Binder, num: &Num) -> bool {
    let reading = binder.reading;
    let clause = reading.clause(num.place);
    let fancy = |t: &Token| {
        let word = t.lower.as_str();
        NO_FACT.iter().any(|w| if w.chars().count() < 4 { *w == word } else { word.starts_with(w) })
    };
    reading.tokens.iter().filter(|t| t.clause == clause).any(fancy)
}

/// The number counts a noun that nobody knows: it is of something else.
fn foreign_noun(binder: &Binder, sure: &Sure, num: &Num) -> bool {
    let next = num.tail.max(num.place.last) + 1;
    let noun = binder.reading.tokens.get(next);
    let noun = noun.filter(|t| t.is_word() && t.clause == binder.reading.clause(num.place));
    noun.is_some() && num.number.unit.is_none() && !num.number.percent && !sure.knows(next)
}

/// A column of numbers of things: counts, and sums without a unit.
pub(super) fn counts(m: &Measure) -> bool {
    m.unit.is_none()
        && !m.percent()
        && !m.share()
        && matches!(m.agg, None | Some(Agg::Count | Agg::Sum))
}

/// `97 ships were handled in Rostock`: a whole number of things that nobody knows by that name is right
/// where the group that is named has it in exactly one column, and that counts.
pub(super) fn counted_right(binder: &Binder, sure: &Sure, out: &mut [(Place, Finding)]) {
    for (item, &n) in binder.claims.iter().enumerate() {
        let num = &binder.reading.numbers[n];
        let open = |(place, found): &&mut (Place, Finding)| {
            place.last == num.place.last && found.claim.verdict == Verdict::Unverifiable
        };
        let Some((_, found)) = out.iter_mut().find(open) else { continue };
        if let Some(fact) = count_of(binder, sure, item, num) {
            found.claim.verdict = Verdict::Verified;
            found.claim.actual = None;
            found.claim.formula = None;
            found.claim.operands = Vec::new();
            found.claim.fact = Some(fact.source);
            found.why = Why::Fine;
        }
    }
}

fn count_of(binder: &Binder, sure: &Sure, item: usize, num: &Num) -> Option<Fact> {
    let reading = binder.reading;
    let tokens = &reading.tokens;
    let clause = reading.clause(num.place);
    let whole = bare(num) && num.number.decimals == 0 && num.number.scale == 1.0;
    let next = num.tail.max(num.place.last) + 1;
    let noun = num.tail > num.place.last
        || tokens.get(next).is_some_and(|t| t.is_word() && t.clause == clause);
    let here = |place: Place| reading.clause(place) == clause;
    let told = reading.bases.iter().any(|b| here(b.place))
        || reading.aggs.iter().any(|a| here(a.place) && !matches!(a.what, Agg::Count | Agg::Sum));
    let other = num.number.unit.is_some() || num.number.percent || sure.is_strange(clause);
    if !whole || !noun || told || other || relates(binder, num, None) || moves(binder, num) {
        return None;
    }
    let mut needs = binder.needs(item);
    let (mut need, _) = needs.pop().filter(|_| needs.is_empty())?;
    need.names.retain(|n| n.reach != Reach::Before);
    let mut found: Option<Fact> = None;
    for view in binder.world.views.iter().filter(|_| !need.names.is_empty()) {
        let Some(row) = row_of(view, &need) else { continue };
        for m in &view.measures {
            let Some(fact) = cell(view, m, row) else { continue };
            if fit(num, &fact, None) != Fit::Yes {
                continue;
            }
            // What the rows are is counted by what counts them.
            let rows = num.counted == Some(Counted::Rows) && m.agg != Some(Agg::Count);
            if rows && view.measures.iter().any(|m| m.agg == Some(Agg::Count)) {
                return None;
            }
            // `80 bicycles` are no orders, where units are added up.
            let unknown = num.counted.is_none() && of_another(binder.world, &fact);
            if found.is_some() || unknown || !counts(m) || fact.value != num.number.value {
                return None;
            }
            found = Some(fact);
        }
    }
    found
}

/// What a ratio of two groups should be: `twice as much cargo as Gdansk`, by the one measure that the clause
/// names, of the group before it to the one behind it.
pub(super) fn ratio_of(binder: &Binder, num: &Num) -> Option<Fact> {
    let reading = binder.reading;
    let tokens = &reading.tokens;
    let sentence = reading.sentence(num.place);
    let here = |place: Place| reading.sentence(place) == sentence;
    let alone = binder.claims.iter().filter(|&&n| here(reading.numbers[n].place)).count() == 1;
    if !num.times || !alone || num.bound.is_some() || num.negated || num.number.value <= 1.0 {
        return None;
    }
    let says = |table| reading.sentence_has(sentence, table);
    let less = |i: usize| {
        words::find(words::COMPARATIVES, tokens, i).is_some_and(|((more, _), _)| !more)
            || words::find(words::DIRECTIONS, tokens, i).is_some()
    };
    let mut own = (0..tokens.len()).filter(|&i| tokens[i].sentence == sentence);
    if own.any(less) || says(words::NOT) || says(words::NONE) || says(words::EARLIER) {
        return None;
    }
    let list: Vec<&Mention> = reading.mentions.iter().filter(|m| here(m.place)).collect();
    let [first, second] = list.as_slice() else { return None };
    let between = first.place.last < num.place.first && num.place.last < second.place.first;
    let view = view_of(binder, binder.reading.sentence(num.place))?;
    if !between || view.names.len() != 1 || fancied(binder, num) {
        return None;
    }
    let m = compared(binder, num, view)?;
    let fact = |mention: &Mention| {
        let at = mention.axes.iter().find_map(|a| view.on_axis(a))?;
        let rows = view.rows_named(at, &mention.name);
        (rows.len() == 1).then(|| cell(view, m, rows[0]))?
    };
    let (x, y) = (fact(first)?, fact(second)?);
    let (ratio, _) = operate(num, m, &x, &y).into_iter().next()?;
    (ratio.value > 1.05 && fit(num, &ratio, None) == Fit::No).then_some(ratio)
}

/// The one measure that the sentence of a ratio speaks of.
fn compared<'v>(binder: &Binder, num: &Num, view: &'v View) -> Option<&'v Measure> {
    let reading = binder.reading;
    let sentence = reading.sentence(num.place);
    let bases: Vec<&String> = reading
        .bases
        .iter()
        .filter(|b| reading.sentence(b.place) == sentence)
        .flat_map(|b| &b.what)
        .collect();
    let rows = reading.tokens.iter().any(|t| t.sentence == sentence && t.counts);
    let meant = |m: &&Measure| match (bases.is_empty(), rows) {
        (false, _) => bases.contains(&&m.base),
        (true, true) => m.agg == Some(Agg::Count),
        (true, false) => m.main,
    };
    let aggs = reading.aggs.iter().filter(|a| reading.sentence(a.place) == sentence);
    let aggs: Vec<Agg> = aggs.map(|a| a.what).collect();
    let of_agg = |m: &&Measure| aggs.is_empty() || m.agg.is_some_and(|own| aggs.contains(&own));
    let mut list = view.measures.iter().filter(|m| meant(m) && of_agg(m) && !m.percent());
    list.next().filter(|_| list.next().is_none())
}

/// A ratio in words that a number may stand for: `twice`, `вдвое`.
pub(super) fn ratio_in_words(binder: &Binder, num: &Num, ratio: f64) -> Option<String> {
    let tokens = &binder.reading.tokens;
    let word = num.times && tokens.get(num.place.first).is_some_and(Token::is_word);
    let text = if ratio < 9.95 { format!("{ratio:.1}") } else { format!("{ratio:.0}") };
    let text = text.trim_end_matches(".0");
    let first = tokens.get(num.place.first).filter(|_| word)?;
    let russian = super::lex::is_cyrillic(&first.lower);
    let text = if russian { text.replace('.', ",") } else { text.to_owned() };
    // `three times`: the words behind the number stay.
    Some(match (has(words::RATIOS, tokens, num.place.first), russian) {
        (false, _) => text,
        (true, true) => format!("в {text} раза"),
        (true, false) => format!("{text} times"),
    })
}
