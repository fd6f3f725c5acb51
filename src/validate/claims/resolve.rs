//! From what a number is about to the facts it may be: rows by names, measures by words, and the
//! value over those rows. Nothing is searched by value.

use super::link::Reach;
use super::names::{Axis, Name, part_of};
use super::number::plain;
use super::rank::{largest, ranked};
use super::read::{Counted, Superlative};
use super::words::Agg;
use super::world::{Measure, View, World, name_words};
use crate::query::check::ResultKind;
use crate::validate::FactRef;
use crate::value::Value;
use std::rc::Rc;

/// A fact that a number may be bound to.
#[derive(Debug, Clone)]
pub(super) struct Fact {
    /// Its value as a number.
    pub value: f64,
    /// Where it comes from.
    pub source: FactRef,
    /// The formula, where it is computed and not read.
    pub formula: Option<String>,
    /// What it is computed of, where that is not too much to name.
    pub operands: Vec<FactRef>,
    /// In per cent.
    pub percent: bool,
    /// A share from 0 to 1.
    pub share: bool,
    /// The unit, where known.
    pub unit: Option<String>,
    /// A number of rows.
    pub count: bool,
    /// A sum below zero among sums below zero: told without its sign.
    pub spent: bool,
    /// How much of what was carried from earlier sentences had to be dropped.
    pub penalty: u32,
}

/// Most facts that are named as those a formula is made of.
const MOST_OPERANDS: usize = 40;

impl Fact {
    /// A part of the sum of a column, in per cent.
    pub fn share_of_sum(&self) -> bool {
        self.percent && self.formula.as_ref().is_some_and(|f| f.contains("/ sum("))
    }

    /// The same, computed of these facts.
    pub fn made_of(mut self, operands: impl IntoIterator<Item = FactRef>) -> Self {
        self.operands = operands.into_iter().take(MOST_OPERANDS + 1).collect();
        if self.operands.len() > MOST_OPERANDS {
            self.operands.clear();
        }
        self
    }
}

/// The cells of a measure in these rows, as far as they are worth naming.
pub(super) fn cells(view: &View, m: &Measure, rows: &[usize]) -> Vec<FactRef> {
    if rows.len() > MOST_OPERANDS {
        return Vec::new();
    }
    rows.iter().filter_map(|&row| Some(cell(view, m, row)?.source)).collect()
}

/// The sum of a measure over every row of a result, as a reference names it.
pub(super) fn sum_of_all(view: &View, m: &Measure, sum: f64) -> FactRef {
    FactRef {
        result: view.outcome.id.clone(),
        row: None,
        key: Vec::new(),
        column: format!("stats.{}.sum", m.name),
        value: Value::float(sum),
    }
}

/// A name that the number is about.
#[derive(Debug, Clone)]
pub(super) struct About {
    /// The axes it may lie on.
    pub axes: Vec<Axis>,
    /// The name.
    pub name: Name,
    /// How far from the number it stands.
    pub reach: Reach,
}

/// What a number is about.
#[derive(Debug, Clone, Default)]
pub(super) struct Need {
    /// Names of groups.
    pub names: Vec<About>,
    /// The aggregate named.
    pub agg: Option<(Agg, Reach)>,
    /// The thing measured: the bases its words may mean.
    pub base: Option<(Vec<String>, Reach)>,
    /// The superlative that chooses the row.
    pub superlative: Option<Superlative>,
    /// The superlative may also name the aggregate (`largest gap`).
    pub superlative_names: bool,
    /// Low or high end of a range.
    pub range: Option<bool>,
    /// What is counted.
    pub counted: Option<Counted>,
    /// `of 500`: of the searched rows (true), of the found ones (false).
    pub denominator: Option<bool>,
    /// Written in per cent.
    pub percent: bool,
    /// First or last row.
    pub position: Option<bool>,
    /// `overall`: no group.
    pub overall: bool,
    /// `in total`: the sum of what is named.
    pub total: bool,
    /// The rows shown, not found.
    pub shown: bool,
    /// The rows searched.
    pub scanned: bool,
    /// Said of everything, not of the rows shown.
    pub whole: bool,
    /// Said of the rows that are shown (`the top five`), of which a limit leaves no more.
    pub of_shown: bool,
    /// A verb of the clause says what was paid or earned in all (`you spent`).
    pub paid: bool,
    /// Also the columns that were only carried along.
    pub any: bool,
    /// The results that the text speaks of: their numbers.
    pub views: Option<(Vec<usize>, Reach)>,
}

/// The rows a number is about.
pub(super) enum Rows {
    /// All of them: no name was given.
    All,
    /// These.
    Some(Rc<Vec<usize>>),
}

/// The facts that fit what a number is about, those with the least dropped.
pub(super) fn facts(world: &World, need: &Need) -> Vec<Fact> {
    let mut out = Vec::new();
    for (i, view) in world.views.iter().enumerate() {
        let mut penalty = 0;
        if let Some((views, reach)) = &need.views
            && !views.contains(&i)
        {
            if *reach != Reach::Before {
                continue;
            }
            penalty = 1;
        }
        for mut fact in view_facts(view, need) {
            fact.penalty += penalty;
            out.push(fact);
        }
    }
    let least = out.iter().map(|f| f.penalty).min().unwrap_or(0);
    out.retain(|f| f.penalty == least);
    out
}

/// The facts of one result.
pub(super) fn view_facts(view: &View, need: &Need) -> Vec<Fact> {
    let Some((rows, penalty)) = select(view, &need.names) else { return Vec::new() };
    let counted = need.counted.or_else(|| {
        need.agg
            .is_some_and(|(a, reach)| a == Agg::Count && reach != Reach::Before)
            .then_some(Counted::Rows)
    });
    let mut out = match counted {
        Some(what) => counts(view, need, &rows, what),
        None => Vec::new(),
    };
    if out.is_empty() && counted.is_none_or(|c| c == Counted::Perhaps) {
        for (measure, dropped) in measures(view, need) {
            if let Some(mut fact) = over(view, measure, &rows, need) {
                fact.penalty += dropped;
                out.push(fact);
            }
        }
    }
    for fact in &mut out {
        fact.penalty += penalty;
    }
    out
}

/// The rows that the names leave, and how many carried names had to be dropped. `None` where a
/// name is about something else than this result.
pub(super) fn select(view: &View, names: &[About]) -> Option<(Rows, u32)> {
    let mut rows: Option<Rc<Vec<usize>>> = None;
    let mut dropped = 0;
    for about in names {
        let soft = about.reach == Reach::Before;
        let at = about.axes.iter().find_map(|axis| view.on_axis(axis));
        let found: Option<Rc<Vec<usize>>> = match at {
            Some(at) => Some(view.rows_named(at, &about.name)).filter(|r| !r.is_empty()),
            None => match within(view, about) {
                Within::All => continue,
                Within::Some(rows) => Some(Rc::new(rows)),
                Within::No => None,
            },
        };
        let kept = found.map(|found| match &rows {
            // Both in the order of the table.
            Some(rows) => {
                let both = rows.iter().copied().filter(|r| found.binary_search(r).is_ok());
                Rc::new(both.collect())
            }
            None => found,
        });
        match kept.filter(|k| !k.is_empty()) {
            Some(kept) => rows = Some(kept),
            None if soft => dropped += 1,
            None => return None,
        }
    }
    Some((rows.map_or(Rows::All, Rows::Some), dropped))
}

enum Within {
    /// Everything in the result is of that name.
    All,
    /// These rows are.
    Some(Vec<usize>),
    /// Nothing, or one cannot know.
    No,
}

/// A name on an axis that no column of the result has.
fn within(view: &View, about: &About) -> Within {
    if about.axes.iter().any(|axis| view.lies_within(axis, &about.name) == Some(true)) {
        return Within::All;
    }
    // A quarter of months.
    if let (Some(at), Some(Axis::Quarter), Name::Index(q)) =
        (view.on_axis(&Axis::Month), about.axes.first(), &about.name)
    {
        let mut rows: Vec<usize> = (q * 3 - 2..=q * 3)
            .flat_map(|m| view.rows_named(at, &Name::Index(m)).to_vec())
            .collect();
        rows.sort_unstable();
        return if rows.is_empty() { Within::No } else { Within::Some(rows) };
    }
    // Parts of the date column of a table.
    if let Some(at) = view.on_axis(&Axis::Date)
        && let (Some(n), Name::Index(index)) = (view.names.get(at), &about.name)
    {
        let part = |d: chrono::NaiveDate| part_of(about.axes.first()?, d);
        let rows: Vec<usize> = (0..view.outcome.rows.len())
            .filter(|&row| view.outcome.value(row, n.column).date().and_then(part) == Some(*index))
            .collect();
        if !rows.is_empty() {
            return Within::Some(rows);
        }
    }
    Within::No
}

/// A fact about the whole result.
pub(super) fn whole(view: &View, column: &str, count: u64) -> Fact {
    Fact {
        value: count as f64,
        source: FactRef {
            result: view.outcome.id.clone(),
            row: None,
            key: Vec::new(),
            column: column.to_owned(),
            value: Value::Int(i64::try_from(count).unwrap_or(i64::MAX)),
        },
        formula: None,
        operands: Vec::new(),
        percent: false,
        share: false,
        unit: None,
        count: true,
        spent: false,
        penalty: 0,
    }
}

fn counts(view: &View, need: &Need, rows: &Rows, what: Counted) -> Vec<Fact> {
    let outcome = view.outcome;
    let shown = outcome.rows.len() as u64;
    if what == Counted::Groups {
        if view.kind != ResultKind::Grouped {
            return Vec::new();
        }
        return match outcome.rows_before_limit {
            Some(all) if !need.shown => vec![whole(view, "rows_before_limit", all)],
            _ => vec![whole(view, "rows", shown)],
        };
    }
    if let Some(searched) = need.denominator {
        return vec![if searched {
            whole(view, "rows_scanned", outcome.rows_scanned)
        } else {
            whole(view, "rows_matched", outcome.rows_matched)
        }];
    }
    if need.scanned {
        return vec![whole(view, "rows_scanned", outcome.rows_scanned)];
    }
    // `8,400 bottles`, where bottles are added up: no number of rows.
    let added = |m: &Measure| {
        let named = need
            .base
            .as_ref()
            .is_some_and(|(b, reach)| *reach == Reach::Clause && b.contains(&m.base));
        named && m.agg == Some(Agg::Sum) && m.unit.is_none()
    };
    if what == Counted::Perhaps && view.measures.iter().any(added) {
        return Vec::new();
    }
    let base =
        need.base.as_ref().filter(|(_, reach)| *reach != Reach::Before && need.counted.is_none());
    let of_base = |m: &&Measure| base.is_none_or(|(b, _)| m.base.is_empty() || b.contains(&m.base));
    let named = |m: &&Measure| base.is_some_and(|(b, _)| b.contains(&m.base));
    let counts = || view.measures.iter().filter(|m| m.agg == Some(Agg::Count));
    let count = counts().find(named).or_else(|| counts().find(of_base));
    match rows {
        Rows::All if view.kind == ResultKind::Grouped => {
            if need.superlative.is_some()
                && let Some(m) = count
            {
                return over(view, m, rows, need).into_iter().collect();
            }
            vec![whole(view, "rows_matched", outcome.rows_matched)]
        }
        Rows::All if view.kind == ResultKind::Table => {
            if need.shown {
                vec![whole(view, "rows", shown)]
            } else {
                vec![whole(view, "rows_matched", outcome.rows_matched)]
            }
        }
        Rows::All => match count {
            Some(m) => cell(view, m, 0).into_iter().collect(),
            None => vec![whole(view, "rows_matched", outcome.rows_matched)],
        },
        Rows::Some(some) if view.kind == ResultKind::Table => {
            // `items_count` of a row that a tool gave says how many it has.
            let of_count = |m: &&Measure| {
                name_words(&m.name).iter().any(|w| Agg::of_name(w) == Some(Agg::Count))
            };
            let mut own = view.measures.iter().filter(of_count);
            if let (Some(m), None, [row]) = (own.next(), own.next(), some.as_slice()) {
                return cell(view, m, *row).into_iter().collect();
            }
            let mut fact = whole(view, "rows", some.len() as u64);
            fact.formula = Some(format!("count of {} rows", some.len()));
            if view.cut() { Vec::new() } else { vec![fact] }
        }
        Rows::Some(_) => count.and_then(|m| over(view, m, rows, need)).into_iter().collect(),
    }
}

/// The measures that the words fit, each with how much had to be dropped.
pub(super) fn measures<'v>(view: &'v View, need: &Need) -> Vec<(&'v Measure, u32)> {
    let polarity = |most: bool| if most { Agg::Max } else { Agg::Min };
    let soft = |reach: Reach| reach == Reach::Before;
    let base = need.base.as_ref();
    // `45–78` may be the minimum and the maximum, `largest gap` the maximum.
    let hard_agg = need.agg.filter(|(_, r)| *r == Reach::Clause).map(|(a, _)| a);
    let named = match (need.range, need.superlative) {
        (Some(high), _) => Some(polarity(high)),
        (None, Some(s))
            if need.superlative_names
                || matches!(view.kind, ResultKind::Scalar | ResultKind::Dict) =>
        {
            Some(polarity(s.most))
        }
        _ => None,
    };
    if view.kind != ResultKind::Table
        && let Some(agg) = named
        && hard_agg.is_none_or(|a| matches!(a, Agg::Max | Agg::Min))
    {
        let found: Vec<_> = view
            .measures
            .iter()
            .filter(|m| {
                m.agg == Some(agg) && base.is_none_or(|(b, r)| soft(*r) || b.contains(&m.base))
            })
            .map(|m| (m, 0))
            .collect();
        if !found.is_empty() {
            return found;
        }
    }
    let mut agg = need.agg;
    if matches!(agg, Some((Agg::Max | Agg::Min, _)))
        && need.superlative.is_some()
        && view.kind != ResultKind::Table
    {
        let exists = view.measures.iter().any(|m| m.agg == agg.map(|(a, _)| a));
        if !exists {
            agg = None;
        }
    }
    // A percentage may leave a measure named in another clause that holds none.
    if need.percent
        && let Some((b, reach)) = base
        && *reach != Reach::Clause
        && !view.measures.iter().any(|m| b.contains(&m.base) && (m.percent() || m.share()))
    {
        let found: Vec<_> = view
            .measures
            .iter()
            .filter(|m| (m.percent() || m.share()) && fits(view, m, agg.map(|(a, _)| a), None))
            .map(|m| (m, 0))
            .collect();
        if !found.is_empty() {
            return found;
        }
    }
    // Carried words are dropped one after the other until something fits.
    let mut tries = vec![(agg, base, 0)];
    if agg.is_some_and(|(_, r)| soft(r)) {
        tries.push((None, base, 1));
    }
    if base.is_some_and(|(_, r)| soft(*r)) {
        tries.push((agg, None, 1));
    }
    if agg.is_some_and(|(_, r)| soft(r)) && base.is_some_and(|(_, r)| soft(*r)) {
        tries.push((None, None, 2));
    }
    for (agg, base, dropped) in tries {
        let mut found: Vec<&Measure> = view
            .measures
            .iter()
            .filter(|m| fits(view, m, agg.map(|(a, _)| a), base.map(|(b, _)| b.as_slice())))
            .collect();
        if !need.any && found.iter().any(|m| m.main) {
            found.retain(|m| m.main);
        }
        if !need.any && found.iter().any(|m| m.agg != Some(Agg::Count)) && agg.is_none() {
            found.retain(|m| m.agg != Some(Agg::Count));
        }
        if need.percent && found.iter().any(|m| m.percent() || m.share()) {
            found.retain(|m| m.percent() || m.share());
        }
        // `In June you spent 41,860`: no mean of what was spent, and not the largest of it.
        let whole = |m: &&Measure| m.agg == Some(Agg::Sum) && m.unit.is_some();
        if need.paid && agg.is_none() && found.iter().any(whole) {
            found.retain(whole);
        }
        if !found.is_empty() {
            return found.into_iter().map(|m| (m, dropped)).collect();
        }
    }
    Vec::new()
}

fn fits(view: &View, m: &Measure, agg: Option<Agg>, base: Option<&[String]>) -> bool {
    let base_fits = base.is_none_or(|b| b.contains(&m.base));
    match agg {
        None => base_fits,
        // In a table of rows an aggregate is a statistic over them.
        Some(a) if view.kind == ResultKind::Table => {
            base_fits && !matches!(a, Agg::Count | Agg::Std | Agg::Median)
        }
        Some(a) => match m.agg {
            Some(own) if own == a => base_fits || m.base.is_empty(),
            Some(_) => false,
            None => a != Agg::Count && base.is_some() && base_fits,
        },
    }
}

/// The cell of a measure.
pub(super) fn cell(view: &View, m: &Measure, row: usize) -> Option<Fact> {
    let value = view.outcome.value(row, m.column);
    Some(Fact {
        value: value.as_f64()?,
        source: FactRef {
            result: view.outcome.id.clone(),
            row: Some(row),
            key: view
                .names
                .iter()
                .map(|n| (n.name.clone(), shown(&view.outcome.value(row, n.column))))
                .collect(),
            column: m.name.clone(),
            value,
        },
        formula: None,
        operands: Vec::new(),
        percent: m.percent(),
        share: m.share(),
        unit: m.unit.clone(),
        count: m.agg == Some(Agg::Count),
        spent: view.spent(m),
        penalty: 0,
    })
}

/// A cell for reading: a timestamp at midnight is a date.
pub(super) fn shown(value: &Value) -> String {
    match value {
        Value::Float(x) => plain(*x),
        Value::Decimal(x) => plain(x.to_f64()),
        Value::Timestamp(_) => {
            let text = value.to_string();
            text.strip_suffix("T00:00:00").map_or(text.clone(), str::to_owned)
        }
        other => other.to_string(),
    }
}

/// A value computed over the rows of a measure.
pub(super) fn computed(view: &View, m: &Measure, value: f64, what: &str) -> Option<Fact> {
    value.is_finite().then(|| Fact {
        value,
        source: FactRef {
            result: view.outcome.id.clone(),
            row: None,
            key: Vec::new(),
            column: m.name.clone(),
            value: Value::float(value),
        },
        formula: Some(format!("{what} of {}", m.name)),
        operands: Vec::new(),
        percent: m.percent(),
        share: m.share(),
        unit: m.unit.clone(),
        count: m.agg == Some(Agg::Count),
        spent: view.spent(m),
        penalty: 0,
    })
}

/// The value of a measure over rows: the cell of the only row, the extreme, a statistic, a total.
pub(super) fn over(view: &View, m: &Measure, rows: &Rows, need: &Need) -> Option<Fact> {
    let all = view.outcome.rows.len();
    if matches!(view.kind, ResultKind::Scalar | ResultKind::Dict) {
        return matches!(rows, Rows::All).then(|| cell(view, m, 0)).flatten();
    }
    let some: Option<&[usize]> = match rows {
        Rows::All => None,
        Rows::Some(some) => Some(some),
    };
    let count = some.map_or(all, <[usize]>::len);
    if count == 1 {
        return cell(view, m, some.map_or(0, |s| s[0]));
    }
    let is_table = view.kind == ResultKind::Table;
    if is_table
        && some.is_none()
        && let Some(first) = need.position
        && all > 0
    {
        return cell(view, m, if first { 0 } else { all - 1 });
    }
    let stat = match (need.agg, need.range, need.superlative) {
        (_, Some(high), _) => Some(if high { Agg::Max } else { Agg::Min }),
        (Some((a @ (Agg::Mean | Agg::Sum), reach)), _, s)
            if is_table && (reach == Reach::Clause || s.is_none()) =>
        {
            Some(a)
        }

        (_, _, Some(s)) => Some(if largest(view, m, some, s) { Agg::Max } else { Agg::Min }),
        (Some((a, _)), _, _) if is_table => Some(a),
        _ => None,
    };
    match stat {
        Some(agg @ (Agg::Max | Agg::Min)) => {
            let rank = need.superlative.map_or(1, |s| s.rank);
            let (row, _) = ranked(view, m, some, agg == Agg::Max, rank)?;
            let mut fact = cell(view, m, *row.first()?)?;
            if is_table && some.is_none() {
                fact.source.column =
                    format!("stats.{}.{}", m.name, if agg == Agg::Max { "max" } else { "min" });
            }
            Some(fact)
        }
        // What a limit left bears out only what is said of that.
        Some(Agg::Mean | Agg::Sum) if is_table && view.cut() && !need.of_shown => None,
        Some(agg @ (Agg::Mean | Agg::Sum)) if is_table => {
            let stats = match some {
                None => {
                    let stats = view.stats(m.column);
                    (stats.sum.as_f64()?, stats.mean.as_f64()?)
                }
                Some(rows) => {
                    let (sum, count) = view.totals(m.column, rows)?;
                    (sum, sum / count as f64)
                }
            };
            let (value, name) = if agg == Agg::Sum { (stats.0, "sum") } else { (stats.1, "mean") };
            let mut fact =
                computed(view, m, value, name)?.made_of(cells(view, m, some.unwrap_or_default()));
            fact.source.column = format!("stats.{}.{name}", m.name);
            if some.is_none() && agg == Agg::Mean {
                fact.formula = None;
            }
            Some(fact)
        }
        None if !is_table && m.additive() && !view.cut() => {
            // A part of the groups, or all of them where the words ask for the total.
            let sum_asked = need.overall
                || need.total
                || need.agg.is_some_and(|(a, r)| a == Agg::Sum && r != Reach::Before);
            if some.is_none() && !sum_asked {
                return None;
            }
            let every: Vec<usize>;
            let rows = if let Some(rows) = some {
                rows
            } else {
                every = (0..all).collect();
                &every
            };
            let value = view.totals(m.column, rows)?.0;
            Some(computed(view, m, value, "sum")?.made_of(cells(view, m, rows)))
        }
        _ => None,
    }
}
