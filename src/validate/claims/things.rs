//! A number of one thing said of another: `97 orders`, where the group had 97 customers. The noun behind
//! the number, or the only name of a column in its clause, says which column it is of.

use super::bind::Binder;
use super::judge::{Finding, Why, finding, rewrite};
use super::meant::moves;
use super::read::{Num, Place};
use super::resolve::{Fact, cell};
use super::swapped::{plain, relates};
use super::told::{things, view_of, whole_name};
use super::verify::{Fit, fit, units_agree};
use super::words::Agg;
use super::world::{Measure, View};
use crate::query::check::ResultKind;
use crate::validate::Verdict;

/// In more rows than these some column has a number by chance.
const ROWS: usize = 10_000;

/// Corrects numbers that the group has in another column than the one that is named.
pub(super) fn of_things(text: &str, binder: &Binder, out: &mut [(Place, Finding)]) {
    let reading = binder.reading;
    for &n in binder.claims {
        let num = &reading.numbers[n];
        let view = view_of(binder, reading.sentence(num.place));
        let Some(view) = view.filter(|v| v.outcome.rows.len() <= ROWS) else { continue };
        let Some(at) = out.iter().position(|(place, _)| place.last == num.place.last) else {
            continue;
        };
        let claim = &out[at].1.claim;
        let open = claim.verdict == Verdict::Unverifiable
            || claim.verdict == Verdict::Verified && claim.formula.is_none();
        let named = measure(binder, num, view).filter(|_| open);
        let Some(fact) = named.and_then(|m| wrong(binder, num, view, m)) else { continue };
        let (place, actual) = rewrite(text, binder, num, &fact, Fit::No);
        let wrong = Verdict::Contradicted;
        let found = finding(text, reading, place, wrong, Some(actual), Some(&fact), Why::Value);
        out[at] = (place, found);
    }
}

/// The one column that the words say the number is of.
fn measure<'v>(binder: &Binder, num: &Num, view: &'v View) -> Option<&'v Measure> {
    let reading = binder.reading;
    let clause = reading.clause(num.place);
    let here = |place: Place| reading.clause(place) == clause;
    if !plain(binder, num) || moves(binder, num) || relates(binder, num, None) {
        return None;
    }
    if reading.superlatives.iter().any(|s| here(s.place))
        || reading.column_head(num.place).is_some()
    {
        return None;
    }
    let m = match things(binder, view, num).as_slice() {
        [m] => *m,
        [] if reading.numbers.iter().filter(|n| here(n.place)).count() == 1 => {
            whole_name(binder, view, clause)?
        }
        _ => return None,
    };
    // `conceded 29 goals`: the verb says by what, too.
    let base = reading.bases.iter().any(|b| {
        here(b.place) && !b.what.contains(&m.base) && !reading.is_of_another(b.place, num)
    });
    let other = |a: Agg| m.agg.is_some_and(|own| own != a);
    let aggs = reading.aggs.iter().any(|a| here(a.place) && other(a.what));
    (!aggs && !base).then_some(m)
}

/// What the number should be, where the group that is named has it in another column.
fn wrong(binder: &Binder, num: &Num, view: &View, m: &Measure) -> Option<Fact> {
    let reading = binder.reading;
    let sentence = reading.sentence(num.place);
    let clause = reading.clause(num.place);
    let named = |clauses: bool| {
        let mut rows: Vec<usize> = Vec::new();
        for mention in &reading.mentions {
            let near = if clauses {
                reading.clause(mention.place) == clause
            } else {
                reading.sentence(mention.place) == sentence
            };
            let at = mention.axes.iter().find_map(|a| view.on_axis(a));
            if let Some(at) = at.filter(|_| near) {
                rows.extend(view.rows_named(at, &mention.name).iter());
            }
        }
        rows.sort_unstable();
        rows.dedup();
        rows
    };
    let row = match (view.kind, view.outcome.rows.len()) {
        (ResultKind::Scalar, _) | (_, 1) => 0,
        _ if view.names.len() == 1 => {
            let own = named(true);
            let rows = if own.is_empty() { named(false) } else { own };
            *rows.first().filter(|_| rows.len() == 1)?
        }
        _ => return None,
    };
    let fact = cell(view, m, row).filter(|f| units_agree(num, f))?;
    let says = |m: &Measure| cell(view, m, row).is_some_and(|f| fit(num, &f, None) == Fit::Yes);
    let another = view.measures.iter().any(|o| o.column != m.column && says(o));
    (another && fit(num, &fact, None) == Fit::No).then_some(fact)
}
