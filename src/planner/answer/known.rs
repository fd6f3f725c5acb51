//! Which rows a measure is of: those in which what it reads is known. `pct(change() > 0)` is a share of
//! all days but the first, which has no change; `pct(a and b)` leaves a row out only where what is missing
//! leaves the condition open.

use crate::facts::Outcome;
use crate::query::ast::Arith;
use crate::query::check::{CheckedStep, Named, Node, Role, Typed};
use crate::query::functions::Stand;
use crate::schema::TableSchema;
use crate::value::Value;

/// What the steps of a query make, and what their filters let through.
pub(super) struct Known<'a> {
    schema: &'a TableSchema,
    /// Columns that steps make, in order; a name is that of the last one before it.
    made: Vec<&'a Named>,
    /// What has a value in every row that the filters let through, with how many columns are made before.
    there: Vec<(&'a Typed, usize)>,
}

/// Columns of the table without a value in some rows.
#[derive(Debug, Default)]
pub(super) struct Gaps<'a> {
    /// What is computed has no value in a row without one of these.
    pub always: Vec<&'a str>,
    /// It may have one there, as the rest of it decides.
    pub perhaps: Vec<&'a str>,
}

impl<'a> Known<'a> {
    pub(super) fn new(outcome: &'a Outcome) -> Self {
        let query = &outcome.query;
        let mut known = Self { schema: query.schema(), made: Vec::new(), there: Vec::new() };
        let steps: Vec<&CheckedStep> = query.steps().collect();
        for (at, step) in steps.iter().enumerate() {
            known.made.extend(step.map());
            if let Some(filter) = step.filter() {
                known.holds(&filter.expr, known.made.len());
            }
            // the measures of the last one are what is asked
            if at + 1 < steps.len() && step.aggregates() {
                known.made.extend(step.keys().iter().chain(step.measures()));
            }
        }
        known
    }

    /// A measure is of fewer rows than the filters let through, or may be.
    pub(super) fn is_of_fewer(&self, measure: &'a Typed) -> bool {
        let mut fewer = false;
        measure.visit(&mut |part| {
            if let Node::Call { function, args } = &part.node
                && function.stand == Stand::Aggregate
            {
                fewer |= args.iter().any(|arg| self.is_open(arg, self.made.len()));
            }
        });
        fewer
    }

    /// The columns without which a condition is not known.
    pub(super) fn gaps(&self, condition: &'a Typed) -> Gaps<'a> {
        let mut gaps = Gaps::default();
        self.read(condition, self.made.len(), true, &mut gaps);
        let Gaps { always, perhaps } = &mut gaps;
        perhaps.retain(|name| !always.contains(name));
        gaps
    }

    /// The column that a name stands for, where a step makes it.
    fn made(&self, name: &str, before: usize) -> Option<usize> {
        self.made.iter().take(before).rposition(|made| made.name == name)
    }

    /// The condition is true in every row that is left.
    fn holds(&mut self, condition: &'a Typed, before: usize) {
        match &condition.node {
            Node::And(list) => list.iter().for_each(|one| self.holds(one, before)),
            Node::Compare(_, a, b) => {
                self.has_value(a, before);
                self.has_value(b, before);
            }
            Node::In { value, .. } => self.has_value(value, before),
            Node::Not(of) => match &of.node {
                Node::Call { function, args } if function.name == "isnull" => {
                    for arg in args {
                        self.has_value(arg, before);
                    }
                }
                Node::Compare(..) | Node::In { .. } => self.holds(of, before),
                _ => self.has_value(of, before),
            },
            Node::Column(name) => {
                self.there.push((condition, before));
                if let Some(at) = self.made(name, before) {
                    let made = self.made[at];
                    self.holds(&made.expr, at);
                }
            }
            _ => self.there.push((condition, before)),
        }
    }

    /// What is computed has a value, and with it all that it cannot do without.
    fn has_value(&mut self, of: &'a Typed, before: usize) {
        self.there.push((of, before));
        match &of.node {
            Node::Neg(x) => self.has_value(x, before),
            Node::Arith(_, a, b) => {
                self.has_value(a, before);
                self.has_value(b, before);
            }
            Node::Column(name) => {
                if let Some(at) = self.made(name, before) {
                    let made = self.made[at];
                    self.has_value(&made.expr, at);
                }
            }
            _ => {}
        }
    }

    fn is_there(&self, of: &Typed, before: usize) -> bool {
        self.there.iter().any(|(other, at)| match (&of.node, &other.node) {
            (Node::Column(a), Node::Column(b)) => {
                a == b && self.made(a, before) == self.made(b, *at)
            }
            _ => *at == before && *other == of,
        })
    }

    /// It may have no value in some row.
    fn is_open(&self, of: &'a Typed, before: usize) -> bool {
        let any = |list: &'a [Typed]| list.iter().any(|one| self.is_open(one, before));
        let open = || match &of.node {
            Node::Literal(value) => value.is_null(),
            Node::Column(name) => match self.made(name, before) {
                Some(at) => self.is_open(&self.made[at].expr, at),
                None => self.lacks(name),
            },
            Node::Neg(x) | Node::Not(x) => self.is_open(x, before),
            Node::Arith(op, a, b) => {
                let divides = matches!(op, Arith::Div | Arith::FloorDiv | Arith::Mod);
                let zero = match &b.node {
                    Node::Literal(by) => by.as_f64() == Some(0.0),
                    _ => true,
                };
                divides && zero || self.is_open(a, before) || self.is_open(b, before)
            }
            Node::Compare(_, a, b) => self.is_open(a, before) || self.is_open(b, before),
            Node::In { value, list, .. } => {
                self.is_open(value, before) || list.iter().any(Value::is_null)
            }
            Node::And(list) | Node::Or(list) => any(list),
            Node::Call { function, args } => match (function.name, function.stand) {
                ("isnull" | "count" | "count_distinct", _) => false,
                // the first rows have none before them
                ("sqrt" | "log" | "log10" | "std" | "var" | "correlation", _)
                | (_, Stand::Window) => true,
                ("coalesce" | "min_of" | "max_of", _) => {
                    args.iter().all(|arg| self.is_open(arg, before))
                }
                // a condition that is not known is not met
                ("if", _) => any(args.get(1..).unwrap_or_default()),
                (_, Stand::Row | Stand::Aggregate) => any(args),
            },
        };
        !self.is_there(of, before) && open()
    }

    /// The table has rows without a value in a column.
    fn lacks(&self, name: &str) -> bool {
        self.schema.column(name).is_some_and(|column| column.nulls.unwrap_or(0) > 0)
    }

    fn read(&self, of: &'a Typed, before: usize, always: bool, gaps: &mut Gaps<'a>) {
        if self.is_there(of, before) {
            return;
        }
        match &of.node {
            Node::Literal(_) => {}
            Node::Column(name) => match self.made(name, before) {
                Some(at) => self.read(&self.made[at].expr, at, always, gaps),
                None if self.lacks(name) => {
                    let list = if always { &mut gaps.always } else { &mut gaps.perhaps };
                    if !list.contains(&name.as_str()) {
                        list.push(name);
                    }
                }
                None => {}
            },
            Node::Neg(x) | Node::Not(x) => self.read(x, before, always, gaps),
            Node::Arith(_, a, b) | Node::Compare(_, a, b) => {
                self.read(a, before, always, gaps);
                self.read(b, before, always, gaps);
            }
            Node::In { value, .. } => self.read(value, before, always, gaps),
            Node::And(list) | Node::Or(list) => self.read_some(list, before, always, gaps),
            Node::Call { function, args } => match (function.name, function.stand) {
                // what is missing of a window is missing in other rows, too
                ("isnull" | "count" | "count_distinct", _) | (_, Stand::Window) => {}
                ("coalesce" | "min_of" | "max_of", _) if !self.is_open(of, before) => {}
                ("coalesce" | "min_of" | "max_of", _) => {
                    self.read_some(args, before, always, gaps);
                }
                ("if", _) => {
                    self.read_some(args.get(1..).unwrap_or_default(), before, always, gaps);
                }
                (_, Stand::Row | Stand::Aggregate) => {
                    for arg in args {
                        self.read(arg, before, always, gaps);
                    }
                }
            },
        }
    }

    /// Each of these may decide alone: only what all of them need is always needed.
    fn read_some(&self, list: &'a [Typed], before: usize, always: bool, gaps: &mut Gaps<'a>) {
        let each: Vec<Gaps> = list
            .iter()
            .map(|one| {
                let mut own = Gaps::default();
                self.read(one, before, true, &mut own);
                own
            })
            .collect();
        for name in each.iter().flat_map(|own| own.always.iter().chain(&own.perhaps)) {
            let all = each.iter().all(|own| own.always.contains(name));
            let list = if always && all { &mut gaps.always } else { &mut gaps.perhaps };
            if !list.contains(name) {
                list.push(name);
            }
        }
    }
}

/// The last step counts what the step before made.
pub(super) fn counts_groups(outcome: &Outcome) -> bool {
    let counted = outcome
        .columns
        .iter()
        .all(|c| matches!(c.role, Role::Measure { aggregate: Some("count"), column: None }));
    counted && outcome.query.steps().count() > 1
}
