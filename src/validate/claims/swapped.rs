//! The value of another group. A number that its own group has in no column, and that another group
//! has in the column which is spoken of, is that group's: there the sentence need not be understood to
//! the last word to say what the number should be.

use super::bind::Binder;
use super::judge::{Finding, Why, finding, rewrite};
use super::lex::Token;
use super::link::Reach;
use super::read::{Num, Place};
use super::resolve::{Fact, Need, Rows, cell, facts, select};
use super::verify::{Fit, fit};
use super::words::{self, has};
use super::world::{Measure, View};
use crate::query::check::ResultKind;
use crate::validate::{FactRef, Verdict};

/// Fewer digits than these are met by chance.
const DIGITS: usize = 3;

/// Starts of words that lead from one group to another.
const NEIGHBOURS: &[&str] = &[
    "after",
    "before",
    "next",
    "follow",
    "previous",
    "earlier",
    "later",
    "другой",
    "других",
    "остальн",
    "следующ",
    "предыдущ",
    "прошл",
    "после",
    "перед",
    "other",
    "another",
    "rest",
];

/// Contradicts what was only marked, where the number is another group's.
pub(super) fn swapped(text: &str, binder: &Binder, out: &mut [(Place, Finding)]) {
    let reading = binder.reading;
    let mut changed: Vec<(usize, (Place, Finding))> = Vec::new();
    for (item, &n) in binder.claims.iter().enumerate() {
        let num = &reading.numbers[n];
        let at = out.iter().position(|(place, _)| place.last == num.place.last);
        let Some(at) = at.filter(|&at| {
            let found = &out[at].1;
            found.claim.verdict == Verdict::Unverifiable
                && matches!(found.why, Why::Doubt | Why::Ambiguous)
        }) else {
            continue;
        };
        // Where something else of the sentence was not understood, this was not either.
        let sentence = reading.sentence(num.place);
        let others = out.iter().enumerate().any(|(i, (place, found))| {
            i != at
                && reading.sentence(*place) == sentence
                && !matches!(found.claim.verdict, Verdict::Verified | Verdict::Derived)
        });
        if others {
            continue;
        }
        let Some(fact) = of_its_own(binder, item, num) else { continue };
        // What the sentence has said already it does not say again.
        let said = out.iter().enumerate().any(|(i, (place, found))| {
            let same =
                |own: &FactRef| own.row == fact.source.row && own.column == fact.source.column;
            i != at
                && reading.sentence(*place) == sentence
                && found.claim.formula.is_none()
                && found.claim.fact.as_ref().is_some_and(same)
                && reading.numbers.iter().any(|n| n.place.first == place.first)
        });
        if said {
            continue;
        }
        let (place, actual) = rewrite(text, binder, num, &fact, Fit::No);
        let wrong = Verdict::Contradicted;
        let found = finding(text, reading, place, wrong, Some(actual), Some(&fact), Why::Value);
        changed.push((at, (place, found)));
    }
    for (at, found) in changed {
        out[at] = found;
    }
}

/// What the number should be: the cell of the group that is named, in the one column in which another
/// group has the number.
fn of_its_own(binder: &Binder, item: usize, num: &Num) -> Option<Fact> {
    let reading = binder.reading;
    let plain = num.bound.is_none()
        && !num.about
        && !num.times
        && !num.negated
        && !num.number.points
        && num.part.is_none()
        && num.range.is_none();
    if !plain || digits(num) < DIGITS || relates(binder, num) {
        return None;
    }
    let mut needs = binder.needs(item);
    let (mut need, _) = needs.pop().filter(|_| needs.is_empty())?;
    need.names.retain(|n| n.reach != Reach::Before);
    let mut found: Option<Fact> = None;
    for view in &binder.world.views {
        if view.kind == ResultKind::Scalar || need.names.is_empty() {
            continue;
        }
        let Some((Rows::Some(rows), _)) = select(view, &need.names) else { continue };
        let &[row] = rows.as_slice() else { continue };
        let says = |m: &Measure, row: usize| {
            cell(view, m, row).is_some_and(|fact| fit(num, &fact, None) == Fit::Yes)
        };
        // Its own value in any column may be what is meant.
        if view.measures.iter().any(|m| says(m, row)) {
            return None;
        }
        let sentence = reading.sentence(num.place);
        let named = |row: usize| {
            reading.mentions.iter().any(|m| {
                let of = reading.sentence(m.place);
                (of == sentence || of + 1 == sentence)
                    && m.axes.iter().find_map(|a| view.on_axis(a)).is_some_and(|at| {
                        let rows = view.rows_named(at, &m.name);
                        rows.len() < view.outcome.rows.len()
                            && rows.contains(&row)
                            && !need.names.iter().any(|n| n.name == m.name)
                    })
            })
        };
        for m in spoken_of(binder, num, &need, view) {
            let others = 0..view.outcome.rows.len();
            let mut others = others.filter(|&r| r != row && says(m, r)).peekable();
            if others.peek().is_none() {
                continue;
            }
            let fact = cell(view, m, row)?;
            if found.is_some() || others.any(named) {
                return None;
            }
            found = Some(fact);
        }
    }
    found
}

/// The columns that the number may be of: those that the words lead to, and those that its clause
/// names; every one, where it names none.
fn spoken_of<'v>(binder: &Binder, num: &Num, need: &Need, view: &'v View) -> Vec<&'v Measure> {
    let reading = binder.reading;
    let led: Vec<String> = facts(binder.world, need)
        .into_iter()
        .filter(|f| f.formula.is_none() && f.source.result == view.outcome.id)
        .map(|f| f.source.column)
        .collect();
    let clause = reading.clause(num.place);
    let named: Vec<&String> = reading
        .bases
        .iter()
        .filter(|b| reading.clause(b.place) == clause)
        .flat_map(|b| &b.what)
        .collect();
    let agg = need.agg.filter(|(_, reach)| *reach != Reach::Before).map(|(agg, _)| agg);
    let of_agg = |m: &Measure| agg.is_none_or(|a| m.agg.is_none_or(|own| own == a));
    view.measures
        .iter()
        .filter(|m| {
            let open = named.is_empty();
            led.contains(&m.name) || (open || named.contains(&&m.base)) && of_agg(m)
        })
        .collect()
}

/// How many digits the number shows.
fn digits(num: &Num) -> usize {
    let value = num.number.value.abs() / num.number.scale;
    let whole = if value >= 1.0 { value.log10().floor() as usize + 1 } else { 0 };
    whole + num.number.decimals as usize
}

/// The clause holds groups against each other, shares them out or takes them together.
fn relates(binder: &Binder, num: &Num) -> bool {
    let reading = binder.reading;
    let tokens = &reading.tokens;
    let (clause, sentence) = (reading.clause(num.place), reading.sentence(num.place));
    let onward = |t: &Token| {
        t.sentence == sentence && NEIGHBOURS.iter().any(|start| t.lower.starts_with(start))
    };
    if tokens.iter().any(onward) {
        return true;
    }
    (0..tokens.len()).filter(|&i| tokens[i].clause == clause).any(|i| {
        [words::DIFFERENCE, words::SHARE, words::TOGETHER, words::EARLIER]
            .into_iter()
            .any(|table| has(table, tokens, i))
            || has(words::COMPARED, tokens, i)
            || has(words::RATIOS, tokens, i)
            || has(words::NONE, tokens, i)
            || has(words::NOT, tokens, i)
            || has(words::EVERY, tokens, i)
    })
}
