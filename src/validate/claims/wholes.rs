//! What everything together should be, where the number that is given for it is another one of the result:
//! the total of another column, a group's value, how many rows there are.

use super::bind::Binder;
use super::link::Reach;
use super::meant::moves;
use super::read::{Counted, Num, Reading};
use super::resolve::{Fact, Need, cell, computed, sum_of_all, whole};
use super::sure::Sure;
use super::swapped::{bare, digits, leads_on};
use super::totals::total;
use super::verify::{Fit, fit, units_agree};
use super::words::{self, Agg};
use super::world::{Measure, View};
use crate::query::check::ResultKind;

/// In more rows than these some row has a number by chance.
const ROWS: usize = 200;

/// Fewer digits than these are met by chance.
const ENOUGH: usize = 3;

/// `Total sales came to 94,000`, where that is the total of the bottles: the total of the sales.
pub(super) fn of_all(binder: &Binder, sure: &Sure, item: usize, num: &Num) -> Option<Fact> {
    let reading = binder.reading;
    let (clause, sentence) = (reading.clause(num.place), reading.sentence(num.place));
    let other = [words::DIFFERENCE, words::EARLIER, words::NONE, words::NOT];
    let other = other.into_iter().any(|table| reading.clause_has(clause, table))
        || reading.clause_has(clause, words::RATIOS)
        || leads_on(reading, sentence)
        || moves(binder, num)
        || !bare(num);
    let named = reading.mentions.iter().any(|m| reading.sentence(m.place) == sentence);
    let mut needs = binder.needs(item);
    let (mut need, _) = needs.pop().filter(|_| needs.is_empty())?;
    need.names.retain(|n| n.reach != Reach::Before);
    let ordered = reading.superlatives.iter().any(|s| reading.sentence(s.place) == sentence);
    let known = sure.loosely(reading, clause) && digits(num) >= ENOUGH;
    if other || named || ordered || !need.names.is_empty() || num.number.percent || !known {
        return None;
    }
    let mut found: Option<Fact> = None;
    for view in binder.world.views.iter().filter(|v| !v.cut()) {
        let Some(fact) = in_view(reading, num, &need, view) else { continue };
        let differs = units_agree(num, &fact) && fit(num, &fact, None) == Fit::No;
        if found.is_some() || !differs || !shows(view, num) {
            return None;
        }
        found = Some(fact);
    }
    found
}

/// The whole that the clause speaks of.
fn in_view(reading: &Reading, num: &Num, need: &Need, view: &View) -> Option<Fact> {
    let clause = reading.clause(num.place);
    let agg = need.agg.filter(|(_, reach)| *reach == Reach::Clause).map(|(agg, _)| agg);
    let table = view.kind == ResultKind::Table;
    let together = need.total
        || need.overall
        || agg == Some(Agg::Sum)
        || reading.clause_has(clause, words::TOGETHER);
    if num.counted == Some(Counted::Rows) {
        let count = together && agg.is_none_or(|a| matches!(a, Agg::Sum | Agg::Count));
        let grouped = view.kind == ResultKind::Grouped;
        return (count && grouped).then(|| whole(view, "rows_matched", view.outcome.rows_matched));
    }
    if num.counted == Some(Counted::Groups) || view.outcome.rows.len() < 2 {
        return None;
    }
    let mean = agg == Some(Agg::Mean) && table;
    let mut aggs = reading.aggs.iter().filter(|a| reading.clause(a.place) == clause);
    let sum = together && aggs.all(|a| a.what == Agg::Sum);
    if !mean && !sum {
        return None;
    }
    let m = measure(reading, num, view)?;
    if mean {
        let value = view.stats(m.column).mean.as_f64()?;
        let mut fact = computed(view, m, value, "mean")?;
        fact.source.column = format!("stats.{}.mean", m.name);
        return Some(Fact { formula: None, ..fact });
    }
    let rows = view.all_rows();
    let mut fact = total(view, m, &rows)?;
    if fact.operands.is_empty() {
        fact = fact.clone().made_of([sum_of_all(view, m, fact.value)]);
    }
    Some(fact)
}

/// The one measure that adds up, or may have a mean, and that the clause names or whose unit is written;
/// where neither is, the only one.
fn measure<'v>(reading: &Reading, num: &Num, view: &'v View) -> Option<&'v Measure> {
    let clause = reading.clause(num.place);
    let bases: Vec<&String> = reading
        .bases
        .iter()
        .filter(|b| reading.clause(b.place) == clause && !reading.is_of_another(b.place, num))
        .flat_map(|b| &b.what)
        .collect();
    let adds = |m: &Measure| match view.kind {
        ResultKind::Table => !m.percent(),
        ResultKind::Grouped => m.agg == Some(Agg::Sum),
        _ => false,
    };
    let with_unit =
        |m: &Measure| cell(view, m, 0).is_some_and(|f| f.unit.is_some() && units_agree(num, &f));
    let mut list: Vec<&Measure> = view
        .measures
        .iter()
        .filter(|m| adds(m) && (bases.is_empty() || bases.contains(&&m.base)))
        .collect();
    if num.number.unit.is_some() && list.iter().any(|m| with_unit(m)) {
        list.retain(|m| with_unit(m));
    } else if bases.is_empty() && view.measures.iter().filter(|m| m.main).count() > 1 {
        // `8,400 in total` may be of the one or of how many there are.
        return None;
    }
    match list.as_slice() {
        [m] => Some(m),
        _ => None,
    }
}

/// Some cell, a total or a number of rows is the number.
fn shows(view: &View, num: &Num) -> bool {
    let rows = view.outcome.rows.len();
    if rows > ROWS {
        return false;
    }
    let near = |x: f64| (x.abs() - num.number.value.abs()).abs() <= num.number.half_unit() + 1e-9;
    let o = view.outcome;
    let all = view.all_rows();
    near(o.rows_matched as f64)
        || near(o.rows_scanned as f64)
        || view.measures.iter().any(|m| {
            view.totals(m.column, &all).is_some_and(|(sum, n)| near(sum) || near(sum / n as f64))
                || view.numbers(m.column).iter().any(|x| near(*x))
        })
}
