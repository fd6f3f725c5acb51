//! Follow-ups: a question that names only a filter, a grouping, an aggregate, a measure or an order
//! changes the query before it and leaves the rest as it was.

use super::build::{Builder, result_name, then_step};
use super::grammar::{Parse, of_part};
use super::sketch::{Cond, Dim, Entity, Item, Measure, Metric, Operand, Rank, Target, Then};
use super::token::{Token, Unit};
use super::words::{Agg, Derived};
use crate::query::ast::{Compare, Expr, Node};
use crate::query::{Query, Selected, format, parse};
use crate::schema::TableSchema;

/// How sure a change of the query before is, next to a question that stands by itself.
pub(super) const CHANGED: f64 = 0.9;

/// Words that a follow-up begins with.
const OPENERS: [&str; 22] = [
    "and",
    "only",
    "just",
    "same",
    "now",
    "but",
    "then",
    "also",
    "а",
    "и",
    "только",
    "лишь",
    "теперь",
    "тоже",
    "но",
    "without",
    "except",
    "without",
    "кроме",
    "без",
    "instead",
    "то",
];

/// The question begins as one that goes on from another.
pub(super) fn goes_on(tokens: &[Token]) -> bool {
    let word = |i: usize| tokens.get(i).map(|t| t.folded.as_str()).unwrap_or_default();
    let pair = [("the", "same"), ("what", "about"), ("how", "about"), ("все", "то")];
    // `the sum instead of the count`
    let instead = tokens.iter().any(|t| ["instead", "вместо"].contains(&t.folded.as_str()));
    instead || OPENERS.contains(&word(0)) || pair.contains(&(word(0), word(1)))
}

/// The query before, changed by a parse that says nothing else; `None` where the parse is a question
/// of its own or the query before has no place for it.
pub(super) fn follow(
    parsed: &Parse,
    previous: &Query,
    schema: &TableSchema,
    goes_on: bool,
) -> Option<Query> {
    if previous.table.as_ref().is_some_and(|t| *t != schema.name) {
        return None;
    }
    let mut change = Change { builder: Builder::over(schema, previous.clone()), schema, goes_on };
    let mut changed = false;
    let mut groups = Vec::new();
    let change_of = |i: &Item| matches!(i, Item::Change { .. });
    let in_percent = parsed.items.contains(&Item::Percent) && parsed.items.iter().any(change_of);
    for item in &parsed.items {
        match item {
            Item::Percent if in_percent => continue,
            Item::Change { part, .. } if in_percent => {
                change.item(&Item::Change { percent: true, part: *part })?;
            }
            Item::Unknown(_) => continue,
            // `only days with a gap`, but not `days with a gap`
            Item::Entity(_) if goes_on => continue,
            Item::Group(dims) => groups.extend(dims.iter().copied()),
            Item::Each(part) | Item::Every(part) => match of_part(*part) {
                Some(frame) if matches!(item, Item::Every(_)) && schema.ohlcv.is_some() => {
                    change.builder.query.from = Some(frame.name().to_owned());
                }
                _ => groups.push(Dim::Part(*part)),
            },
            other => change.item(other)?,
        }
        changed = true;
    }
    change.group(groups)?;
    let mut query = change.builder.query;
    drop_unused(&mut query);
    changed.then_some(query)
}

/// The question names nothing that it could be about: `how many per month`, `сколько раз`.
pub(super) fn is_elliptic(parsed: &Parse) -> bool {
    let counts =
        |i: &Item| matches!(i, Item::Count(Target::Unsaid | Target::Entity(Entity::Times)));
    parsed.items.iter().any(counts)
        && parsed.items.iter().all(|i| {
            counts(i)
                || matches!(
                    i,
                    Item::Group(_) | Item::Each(_) | Item::Every(_) | Item::Filter(_) | Item::Noise
                )
        })
}

struct Change<'a> {
    builder: Builder<'a>,
    schema: &'a TableSchema,
    goes_on: bool,
}

impl Change<'_> {
    fn query(&mut self) -> &mut Query {
        &mut self.builder.query
    }

    fn item(&mut self, item: &Item) -> Option<()> {
        match item {
            Item::Filter(cond) => self.narrow(cond),
            Item::Metrics(metrics) => match metrics[..] {
                [Metric { agg: Some(agg), measure: None, .. }] => self.swap_agg(agg),
                [Metric { agg: None, measure: Some(measure), .. }] => self.swap_measure(measure),
                [Metric { agg: Some(agg), measure: Some(measure), .. }] if self.goes_on => {
                    self.swap_measure(measure)?;
                    self.swap_agg(agg)
                }
                _ => None,
            },
            Item::Rank(Rank { number: None, descending, superlative: true, .. }) => {
                self.swap_agg(if *descending { Agg::Max } else { Agg::Min })
            }
            Item::Sorted(descending) => {
                let column = result_name(self.query().select.first()?);
                let direction = if *descending { "desc" } else { "asc" };
                self.query().sort = vec![format!("{} {direction}", format::name(&column))];
                Some(())
            }
            // `how many?` of a list
            Item::Count(
                Target::Unsaid | Target::Entity(Entity::Rows | Entity::Days | Entity::Times),
            ) if self.query().select.is_empty() => {
                self.count();
                Some(())
            }
            // `and how many in May`: as before
            Item::Count(Target::Unsaid | Target::Entity(Entity::Times))
                if self.query().select.iter().all(|s| s.text == "count()") =>
            {
                Some(())
            }
            Item::Listing => self.list(),
            Item::Bare(number) => self.limit(*number),
            Item::Ends { number: Some(number), .. }
            | Item::Rank(Rank { number: Some(number), descending: true, .. }) => {
                self.limit(*number)
            }
            Item::Apart { column, values } => {
                if !values.is_empty() {
                    let (column, values) = (*column, values.clone());
                    self.narrow(&Cond::Values { column, values, negated: false })?;
                }
                self.group(vec![Dim::Column(*column)])
            }
            Item::SortedBy(Metric { agg: None, measure: Some(measure), .. })
                if self.query().select.is_empty() =>
            {
                let column = self.builder.measure(*measure)?;
                self.query().sort = vec![column];
                Some(())
            }
            Item::Change { percent, .. } => {
                if self.query().group_by.is_empty() || !self.query().steps.is_empty() {
                    return None;
                }
                let step = then_step(Then::Change(*percent), self.query().select.last()?);
                self.query().sort.clear();
                self.query().steps.push(step);
                Some(())
            }
            Item::Session(session) => {
                self.query().session = Some(session.clone());
                Some(())
            }
            Item::Bars(frame) => {
                self.query().from = Some(frame.name().to_owned());
                Some(())
            }
            Item::Percent => self.in_percent(),
            _ => None,
        }
    }

    /// The rows that were counted or added up, where they are fewer than all.
    fn list(&mut self) -> Option<()> {
        let query = self.query();
        let narrowed = query.filter.is_some() || query.period.is_some();
        if query.select.is_empty() || !query.group_by.is_empty() || !query.steps.is_empty() {
            return None;
        }
        query.select.clear();
        query.sort.clear();
        narrowed.then_some(())
    }

    /// So many of them: of rows in their order, or of groups, the largest first.
    fn limit(&mut self, number: u64) -> Option<()> {
        let query = self.query();
        // `second highest` goes on from the first ones that were kept
        if !query.steps.is_empty() {
            return None;
        }
        if query.sort.is_empty() {
            if query.group_by.is_empty() || query.select.len() != 1 {
                return None;
            }
            let column = result_name(query.select.first()?);
            query.sort = vec![format!("{} desc", format::name(&column))];
        }
        query.limit = Some(number);
        Some(())
    }

    fn count(&mut self) {
        let query = self.query();
        query.select = vec!["count()".into()];
        query.sort.clear();
        query.limit = None;
        query.columns.clear();
    }

    fn group(&mut self, dims: Vec<Dim>) -> Option<()> {
        if dims.is_empty() {
            return Some(());
        }
        if self.query().select.is_empty() {
            self.count();
        }
        let keys = dims.into_iter().map(|d| self.builder.dim(d)).collect::<Option<Vec<_>>>()?;
        self.query().group_by = keys;
        Some(())
    }

    /// Adds a condition; one that fixes or bounds the same thing gives way to it.
    fn narrow(&mut self, cond: &Cond) -> Option<()> {
        let compared = |c: &&Cond| match c {
            Cond::Compare(_, _, operand) => self.compares_otherwise(*operand),
            _ => false,
        };
        if cond.leaves().iter().any(compared) {
            return None;
        }
        if let Cond::Implied { number, unit, cmp } = cond {
            let old = self.query().filter.clone()?;
            let sign = matches!(cmp.symbol(), "<" | "<=");
            self.query().filter = Some(rebound(&old, *number, sign, *unit)?);
            return Some(());
        }
        // `and in August` of the year that was asked for
        if let Some(period) = self.builder.of_the_year(cond) {
            self.query().period = Some(period);
            return Some(());
        }
        let rest = self.builder.narrow_period(cond)?;
        for cond in rest {
            let new = self.builder.condition(&cond)?;
            let old = self.query().filter.take();
            let made = self.query().map.clone();
            self.query().filter = Some(joined(old.as_deref(), &new, &made)?);
        }
        // a year that was a condition gives way to a period
        if matches!(cond, Cond::Period(..) | Cond::Recent(_))
            && let Some(old) = self.query().filter.take()
        {
            let tree = parse(&old).ok()?;
            let kept: Vec<Expr> =
                conjuncts(&tree).into_iter().filter(|e| !is_about_dates(e)).cloned().collect();
            self.query().filter = all(kept);
        }
        Some(())
    }

    /// The row before is the day before on daily bars alone, and groups are compared with each
    /// other, not with all rows.
    fn compares_otherwise(&self, operand: Operand) -> bool {
        let query = &self.builder.query;
        let daily = match query.from.as_deref() {
            None => !self.schema.is_intraday(),
            Some(frame) => frame == "daily",
        };
        (operand.looks_back() && !daily)
            || (matches!(operand, Operand::Whole(..)) && !query.group_by.is_empty())
    }

    fn swap_agg(&mut self, agg: Agg) -> Option<()> {
        let [selected] = &self.builder.query.select[..] else { return None };
        let argument = argument(selected)?;
        select(self.query(), &format!("{}({argument})", agg.function()));
        Some(())
    }

    fn swap_measure(&mut self, measure: Measure) -> Option<()> {
        let [selected] = &self.builder.query.select[..] else { return None };
        let function = match parse(&selected.text).ok()?.node {
            Node::Call { name, args, .. } if args.len() == 1 && name != "pct" => name,
            _ => return None,
        };
        let column = self.builder.measure(measure)?;
        select(self.query(), &format!("{function}({column})"));
        Some(())
    }

    /// The selected measure of bars in per cent.
    fn in_percent(&mut self) -> Option<()> {
        let [selected] = &self.builder.query.select[..] else { return None };
        let column = argument(selected)?;
        let made =
            self.builder.query.map.iter().find(|(n, _)| *n == column).map(|(_, e)| e.clone());
        let derived = match made.as_deref().unwrap_or(&column) {
            "gap()" => Derived::Gap,
            "change()" => Derived::Change,
            "range()" => Derived::Range,
            _ => return None,
        };
        self.schema.ohlcv.as_ref()?;
        self.swap_measure(Measure::Derived(derived, true))
    }
}

/// The one comparison with a number of a condition, with another number: `and more than 3%?` after
/// a fall of more than 2%.
fn rebound(old: &str, number: f64, below: bool, unit: Option<Unit>) -> Option<String> {
    let tree = parse(old).ok()?;
    let parts = conjuncts(&tree);
    let bounds: Vec<usize> = parts
        .iter()
        .enumerate()
        .filter_map(|(i, e)| match &e.node {
            Node::Compare(_, rest) => match &rest[..] {
                [(Compare::Lt | Compare::Le | Compare::Gt | Compare::Ge, right)] => {
                    constant(right).map(|_| i)
                }
                _ => None,
            },
            _ => None,
        })
        .collect();
    let [at] = bounds[..] else { return None };
    let mut texts: Vec<String> = Vec::new();
    for (i, part) in parts.iter().enumerate() {
        let Node::Compare(left, rest) = &part.node else {
            texts.push(format::expr(part));
            continue;
        };
        let (Some((op, right)), true) = (rest.first(), i == at) else {
            texts.push(format::expr(part));
            continue;
        };
        let left = format::expr(left);
        let percent = left.contains("pct");
        if (unit == Some(Unit::Percent)) && !percent {
            return None;
        }
        // a fall is measured downwards: `more than 3%` is below -3
        let fell = constant(right)? < 0.0 && number > 0.0;
        let down = matches!(op, Compare::Lt | Compare::Le);
        let strict = matches!(op, Compare::Lt | Compare::Gt);
        let (down, value) = if fell { (down != below, -number) } else { (below, number) };
        let sign = match (down, strict) {
            (true, true) => "<",
            (true, false) => "<=",
            (false, true) => ">",
            (false, false) => ">=",
        };
        texts.push(format!("{left} {sign} {}", super::build::number(value)));
    }
    Some(texts.join(" and "))
}

fn constant(expr: &Expr) -> Option<f64> {
    match &expr.node {
        Node::Int(n) => Some(*n as f64),
        Node::Float(x) => Some(*x),
        Node::Decimal(x) => Some(x.to_f64()),
        Node::Neg(inner) => constant(inner).map(|x| -x),
        _ => None,
    }
}

fn is_about_dates(expr: &Expr) -> bool {
    match &expr.node {
        Node::Compare(left, _) | Node::In { value: left, .. } => {
            matches!(&left.node, Node::Call { name, .. } if name == "year" || name == "date")
        }
        _ => false,
    }
}

/// Puts another aggregate in the place of the only one, and in the order where it stood there.
fn select(query: &mut Query, text: &str) {
    let new = Selected::from(text);
    if let Some(old) = query.select.first() {
        let (old, new) = (result_name(old), result_name(&new));
        let reads = |text: &str| text.contains(old.as_str());
        for key in &mut query.sort {
            if reads(key) {
                *key = key.replace(&old, &new);
            }
        }
        for step in &mut query.steps {
            for (_, text) in &mut step.map {
                *text = text.replace(&old, &new);
            }
            for selected in &mut step.select {
                selected.text = selected.text.replace(&old, &new);
            }
        }
    }
    query.select = vec![new];
}

/// The only argument of a single aggregate.
fn argument(selected: &Selected) -> Option<String> {
    match parse(&selected.text).ok()?.node {
        Node::Call { name, args, .. } if name != "pct" => match &args[..] {
            [argument] => Some(format::expr(argument)),
            _ => None,
        },
        _ => None,
    }
}

/// Both conditions; one of the old ones gives way to a new one of the same thing.
fn joined(old: Option<&str>, new: &str, made: &[(String, String)]) -> Option<String> {
    let Some(old) = old else { return Some(new.to_owned()) };
    let (old, new) = (parse(old).ok()?, parse(new).ok()?);
    let fixed: Vec<String> =
        conjuncts(&new).into_iter().filter_map(|e| fixes(&written_out(e, made))).collect();
    let empty = |e: &Expr| {
        let e = written_out(e, made);
        conjuncts(&new).into_iter().any(|n| leaves_nothing(&e, &written_out(n, made)))
    };
    let gives_way =
        |e: &Expr| fixes(&written_out(e, made)).is_some_and(|lhs| fixed.contains(&lhs)) || empty(e);
    let mut list: Vec<Expr> =
        conjuncts(&old).into_iter().filter(|e| !gives_way(e)).cloned().collect();
    list.extend(conjuncts(&new).into_iter().cloned());
    all(list)
}

/// A comparison with the column of `map` that it reads as it was made.
fn written_out(expr: &Expr, made: &[(String, String)]) -> Expr {
    let column = |e: &Expr| match &e.node {
        Node::Column(name) => {
            made.iter().find(|(n, _)| n == name).and_then(|(_, text)| parse(text).ok())
        }
        _ => None,
    };
    let node = match &expr.node {
        Node::Compare(left, rest) => match column(left) {
            Some(left) => Node::Compare(Box::new(left), rest.clone()),
            None => return expr.clone(),
        },
        _ => return expr.clone(),
    };
    Expr { node, span: expr.span }
}

fn all(list: Vec<Expr>) -> Option<String> {
    let span = list.first()?.span;
    Some(match <[Expr; 1]>::try_from(list) {
        Ok([one]) => format::expr(&one),
        Err(list) => format::expr(&Expr { node: Node::And(list), span }),
    })
}

fn conjuncts(expr: &Expr) -> Vec<&Expr> {
    match &expr.node {
        Node::And(list) => list.iter().collect(),
        _ => vec![expr],
    }
}

/// What an equality or a membership fixes, or a comparison bounds from one side.
fn fixes(expr: &Expr) -> Option<String> {
    match &expr.node {
        Node::Compare(left, rest) => match &rest[..] {
            [(Compare::Eq, _)] => Some(format::expr(left)),
            [(Compare::Lt | Compare::Le, right)] if constant(right).is_some() => {
                Some(format!("{} below", format::expr(left)))
            }
            [(Compare::Gt | Compare::Ge, right)] if constant(right).is_some() => {
                Some(format!("{} above", format::expr(left)))
            }
            _ => None,
        },
        Node::In { value, negated: false, .. } => Some(format::expr(value)),
        _ => None,
    }
}

/// Two bounds of one thing that nothing lies between: over 40, then under 30.
fn leaves_nothing(a: &Expr, b: &Expr) -> bool {
    let bound = |e: &Expr| match &e.node {
        Node::Compare(left, rest) => match &rest[..] {
            [(op @ (Compare::Lt | Compare::Le | Compare::Gt | Compare::Ge), right)] => {
                let down = matches!(op, Compare::Lt | Compare::Le);
                constant(right).map(|x| (format::expr(left), down, x))
            }
            _ => None,
        },
        _ => None,
    };
    match (bound(a), bound(b)) {
        (Some((l, true, high)), Some((r, false, low)))
        | (Some((l, false, low)), Some((r, true, high))) => l == r && high <= low,
        _ => false,
    }
}

/// Takes out columns of `map` that nothing reads any more.
fn drop_unused(query: &mut Query) {
    let read = |query: &Query, name: &str| {
        let plain = format::name(name);
        let texts = query
            .filter
            .iter()
            .chain(&query.group_by)
            .chain(&query.sort)
            .chain(&query.columns)
            .chain(query.select.iter().map(|s| &s.text))
            .chain(query.map.iter().filter(|(n, _)| n != name).map(|(_, e)| e));
        texts.into_iter().any(|t| t.contains(&plain))
    };
    // rows show every column they have
    if query.select.is_empty() {
        return;
    }
    let unused: Vec<String> =
        query.map.iter().map(|(name, _)| name.clone()).filter(|name| !read(query, name)).collect();
    query.map.retain(|(name, _)| !unused.contains(name));
}
