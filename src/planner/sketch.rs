//! What a question says, in the terms of one table, before it is a query.

use super::token::Unit;
use super::words::{Agg, Cmp, Derived, Part};

/// Something that has a number in every row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Measure {
    /// The column with this number.
    Column(usize),
    /// A measure of bars; in per cent when true.
    Derived(Derived, bool),
}

/// Something that sorts rows into groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Dim {
    /// The column with this number.
    Column(usize),
    /// A part of the time column.
    Part(Part),
}

/// An aggregate and its measure, either of which may be left unsaid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Metric {
    pub agg: Option<Agg>,
    pub measure: Option<Measure>,
    /// Called daily (`average daily range`).
    pub daily: bool,
}

/// The right side of a comparison.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Operand {
    Number(f64),
    Measure(Measure),
}

/// A condition on rows.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Cond {
    /// A measure compared with a number or with another measure.
    Compare(Measure, Cmp, Operand),
    /// A comparison whose measure is unsaid.
    Implied { cmp: Cmp, number: f64, unit: Option<Unit> },
    /// The column has one of the values, or none of them when negated.
    Values { column: usize, values: Vec<String>, negated: bool },
    /// A boolean column.
    Flag { column: usize, wanted: bool },
    /// A part of the time column compared with a number.
    Part(Part, Cmp, i64),
    /// Days of the week, Monday is 0.
    Weekdays { days: Vec<usize>, negated: bool },
    /// Months, January is 0.
    Months { months: Vec<usize>, negated: bool },
    /// The date compared with an ISO date.
    Date(Cmp, String),
    /// The bar closes above its open (true) or below it.
    Colour(bool),
    /// All of them.
    All(Vec<Cond>),
    /// Any of them.
    Any(Vec<Cond>),
}

impl Cond {
    /// The opposite, where it can be said.
    pub fn negate(self) -> Option<Self> {
        Some(match self {
            Self::Compare(measure, cmp, operand) => Self::Compare(measure, cmp.negated(), operand),
            Self::Implied { cmp, number, unit } => {
                Self::Implied { cmp: cmp.negated(), number, unit }
            }
            Self::Values { column, values, negated } => {
                Self::Values { column, values, negated: !negated }
            }
            Self::Flag { column, wanted } => Self::Flag { column, wanted: !wanted },
            Self::Part(part, cmp, number) => Self::Part(part, cmp.negated(), number),
            Self::Weekdays { days, negated } => Self::Weekdays { days, negated: !negated },
            Self::Months { months, negated } => Self::Months { months, negated: !negated },
            Self::Date(cmp, date) => Self::Date(cmp.negated(), date),
            Self::Colour(_) | Self::All(_) | Self::Any(_) => return None,
        })
    }

    /// The conditions that hold no others.
    pub fn leaves(&self) -> Vec<&Self> {
        match self {
            Self::All(list) | Self::Any(list) => list.iter().flat_map(Self::leaves).collect(),
            leaf => vec![leaf],
        }
    }

    /// This condition with every leaf replaced.
    pub fn map(self, f: &impl Fn(Self) -> Self) -> Self {
        match self {
            Self::All(list) => Self::All(list.into_iter().map(|c| c.map(f)).collect()),
            Self::Any(list) => Self::Any(list.into_iter().map(|c| c.map(f)).collect()),
            leaf => f(leaf),
        }
    }
}

/// What is counted or listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Entity {
    /// Rows, by a word for rows or the table's own name.
    Rows,
    /// Days.
    Days,
    /// Whatever fulfils the condition (`how many times`).
    Times,
}

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Target {
    /// Rows or days.
    Entity(Entity),
    /// Different values.
    Distinct(Dim),
    /// Unsaid.
    Unsaid,
}

/// The first ones of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Rank {
    /// How many of them.
    pub number: Option<u64>,
    /// Largest first.
    pub descending: bool,
    /// Said by `highest`, not by `top`.
    pub superlative: bool,
    /// Said by `most`: by how many there are, where no measure is named.
    pub many: bool,
}

/// A part of a question that the grammar made out.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Item {
    /// Says nothing.
    Noise,
    /// A token that was not understood.
    Unknown(usize),
    /// Aggregates of measures.
    Metrics(Vec<Metric>),
    /// How many of what.
    Count(Target),
    /// Grouped by these.
    Group(Vec<Dim>),
    /// Ordered by this.
    OrderBy(Metric),
    /// Only rows for which this holds.
    Filter(Cond),
    /// The first ones of an order.
    Rank(Rank),
    /// Rows, days.
    Entity(Entity),
    /// How many of them (`5 days`).
    Amount(u64),
    /// A way to group, mentioned barely (`shops`).
    Dim(Dim),
    /// Bars of a day are meant.
    Daily,
    /// One of them is asked for.
    Which,
    /// A moment is asked for.
    When,
    /// The share of rows for which the conditions hold.
    Share,
    /// A correlation of two measures.
    Correlation(Measure, Measure),
}

/// What is selected.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Select {
    Count,
    CountDistinct(Dim),
    Agg(Agg, Measure),
    /// Share of rows for which all of these hold, in per cent.
    Share(Vec<Cond>),
    Correlation(Measure, Measure),
}

/// A question that is understood: one reading of it.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Sketch {
    /// Aggregates; none for a list of rows.
    pub select: Vec<Select>,
    /// Groups.
    pub groups: Vec<Dim>,
    /// Conditions, all of which must hold.
    pub filters: Vec<Cond>,
    /// Order of rows, where rows are listed.
    pub order: Option<Measure>,
    /// Largest first, where there is an order (of rows, or of groups by the first aggregate).
    pub descending: bool,
    /// Groups are ordered by the first aggregate.
    pub ranked: bool,
    /// Number of rows or groups.
    pub limit: Option<u64>,
    /// Days were named.
    pub days: bool,
    /// What the assembly assumed costs confidence.
    pub quality: f64,
}

impl Sketch {
    /// Every condition, those of a share included.
    pub fn conditions(&self) -> impl Iterator<Item = &Cond> {
        self.filters.iter().chain(self.select.iter().flat_map(|s| match s {
            Select::Share(conds) => conds.as_slice(),
            _ => &[],
        }))
    }

    /// Every measure it reads.
    pub fn measures(&self) -> Vec<Measure> {
        let mut measures: Vec<Measure> = Vec::new();
        let mut add = |m: Measure| {
            if !measures.contains(&m) {
                measures.push(m);
            }
        };
        for select in &self.select {
            match select {
                Select::Agg(_, m) => add(*m),
                Select::Correlation(a, b) => {
                    add(*a);
                    add(*b);
                }
                Select::Count | Select::CountDistinct(_) | Select::Share(_) => {}
            }
        }
        if let Some(m) = self.order {
            add(m);
        }
        for cond in self.conditions().flat_map(Cond::leaves) {
            if let Cond::Compare(left, _, right) = cond {
                add(*left);
                if let Operand::Measure(right) = right {
                    add(*right);
                }
            }
        }
        measures
    }
}
