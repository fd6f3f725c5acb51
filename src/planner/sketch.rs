//! What a question says, in the terms of one table, before it is a query.

use super::token::Unit;
use super::words::{Agg, Cmp, Derived, Indicator, Part, Pattern, Run};
use crate::query::ast::Arith;
use crate::query::timeframe::Timeframe;
use chrono::NaiveDate;

/// Something that has a number in every row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Measure {
    /// The column with this number.
    Column(usize),
    /// A measure of bars; in per cent when true.
    Derived(Derived, bool),
    /// An indicator of bars, with its length where one is said.
    Indicator(Indicator, Option<u16>),
    /// How many bars in a row have gone this way.
    Streak(Run),
    /// Two columns put together.
    Math(Arith, usize, usize),
    /// Days from one column of times to another.
    Days(usize, usize),
}

impl Measure {
    /// It is made from bars.
    pub fn is_of_bars(self) -> bool {
        matches!(self, Self::Derived(..) | Self::Indicator(..) | Self::Streak(_))
    }
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
    /// What it is called by (`average daily range`).
    pub every: Option<Part>,
}

/// The right side of a comparison.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Operand {
    Number(f64),
    Measure(Measure),
    /// So many times an aggregate of it over all rows (`twice the average`).
    Whole(Agg, Measure, f64),
    /// So many times what it is in the row before (`yesterday's high`).
    Before(Measure, f64),
    /// So many times its mean over the last so many rows.
    Trailing(Measure, u16, f64),
}

impl Operand {
    /// The measure that it reads.
    pub fn measure(self) -> Option<Measure> {
        match self {
            Self::Number(_) => None,
            Self::Measure(m)
            | Self::Whole(_, m, _)
            | Self::Before(m, _)
            | Self::Trailing(m, ..) => Some(m),
        }
    }

    /// It looks at other rows by their order.
    pub fn looks_back(self) -> bool {
        matches!(self, Self::Before(..) | Self::Trailing(..))
    }
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
    /// From the first of these dates to the last; an open end is not there.
    Period(Option<NaiveDate>, Option<NaiveDate>),
    /// The end of the data.
    Recent(Recent),
    /// The clock compared with a time of day, `HH:MM`.
    Clock(Cmp, String),
    /// The bar closes above its open (true) or below it.
    Colour(bool),
    /// A shape of bars.
    Pattern(Pattern),
    /// So many bars in a row have gone this way.
    Streak(Run, Cmp, u64),
    /// The text holds another one, in any case.
    Contains { column: usize, text: String, negated: bool },
    /// All of them.
    All(Vec<Cond>),
    /// The column has no value in the row, or has one when negated.
    Missing { column: usize, negated: bool },
    /// Any of them.
    Any(Vec<Cond>),
    /// It held in the row before.
    After(Box<Cond>),
    /// The measure comes to lie above the other (true), or below it.
    Cross(Measure, Operand, bool),
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
            Self::Clock(cmp, time) => Self::Clock(cmp.negated(), time),
            Self::Contains { column, text, negated } => {
                Self::Contains { column, text, negated: !negated }
            }
            Self::Missing { column, negated } => Self::Missing { column, negated: !negated },
            Self::Period(..)
            | Self::Recent(_)
            | Self::Colour(_)
            | Self::Pattern(_)
            | Self::Streak(..)
            | Self::After(_)
            | Self::Cross(..)
            | Self::All(_)
            | Self::Any(_) => return None,
        })
    }

    /// The conditions that hold no others.
    pub fn leaves(&self) -> Vec<&Self> {
        match self {
            Self::All(list) | Self::Any(list) => list.iter().flat_map(Self::leaves).collect(),
            leaf => vec![leaf],
        }
    }

    /// It bounds something that it does not name.
    pub fn is_implied(&self) -> bool {
        self.leaves().iter().all(|c| matches!(c, Self::Implied { .. }))
    }

    /// It is on time alone.
    pub fn is_moment(&self) -> bool {
        self.leaves().iter().all(|c| {
            matches!(
                c,
                Self::Part(..)
                    | Self::Weekdays { .. }
                    | Self::Months { .. }
                    | Self::Period(..)
                    | Self::Recent(_)
                    | Self::Clock(..)
            )
        })
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

/// The end of the data, as the language names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Recent {
    Year,
    Month,
    Week,
    /// The last dates that are there.
    Days(u32),
}

/// What is counted or listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Entity {
    /// Rows, by a word for rows or the table's own name.
    Rows,
    /// Days.
    Days,
    /// Weeks, months, years: bars of that length.
    Frames(Timeframe),
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
    /// Said by `best`: of some measures the least is the best.
    pub best: bool,
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
    /// The one that there are most of, or fewest of.
    Popular(Rank),
    /// How many of them (`5 days`).
    Amount(u64),
    /// A way to group, mentioned barely (`shops`).
    Dim(Dim),
    /// A part of time is named as an adjective alone (`daily`).
    Every(Part),
    /// Bars of this length are meant.
    Bars(Timeframe),
    /// Only this session.
    Session(String),
    /// What comes out is to be in this order, largest first when true.
    Sorted(bool),
    /// How it changed against the group before; in per cent when true.
    Change { percent: bool, part: Option<Part> },
    /// A change is named apart from what it is against.
    Differ { percent: bool },
    /// The share that each group has in the sum of all, or in the number of rows.
    ShareOf { dim: Dim, measure: Option<Measure> },
    /// The share that the rows for which this holds have in the sum of a measure, or in the rows.
    ShareIn(Cond, Option<Measure>),
    /// In per cent, of nothing that is named.
    Percent,
    /// For one day, month (`a day on average`).
    Each(Part),
    /// One of them is asked for.
    Which,
    /// A moment is asked for.
    When,
    /// A day is asked for.
    WhichDay,
    /// The share of rows for which the conditions hold.
    Share,
    /// How often the first ones hold where the second do.
    Chance(Vec<Cond>, Cond),
    /// A correlation of two measures.
    Correlation(Measure, Measure),
    /// Only groups for which this holds: an aggregate, or how many rows there are.
    Having { of: Option<(Agg, Measure)>, cmp: Cmp, number: f64 },
    /// The first ones of an order by what an adjective is about.
    RankBy(Rank, Measure),
    /// What sells best: by the sum of this.
    Sells(Rank, Measure),
    /// The one that it happens to most often, or least often.
    Often(Rank),
    /// Of an order, the one at this place (`second highest`).
    Nth(u64),
    /// The one that has the most rows for which this holds, or the fewest (`most alarms`).
    ManyOf(Rank, Cond),
    /// What is named is set side by side (`compare`).
    Compared,
    /// Two stretches of time that are named beside it are compared; how much something changed
    /// between them is asked for, where it is told.
    Moved { told: bool },
    /// Two stretches of time are: grouped by these, where either of them is. Each is one group, where
    /// they are apart.
    Abreast { dim: Dim, cond: Cond, apart: bool },
    /// The latest rows (true), or the earliest ones.
    Ends { number: Option<u64>, last: bool },
    /// What comes out is sorted by this.
    SortedBy(Metric),
    /// What comes out is in the order of this column, largest or newest first when true.
    InOrder(usize, bool),
    /// By the move of the price: the greatest rise first when true, or the greatest fall.
    ByMove(bool),
    /// Values of a column that are told apart.
    Apart { column: usize, values: Vec<String> },
    /// The greatest less the least of a measure.
    Spread(Measure),
    /// How many rows there are of each.
    Distribution(Dim),
    /// Rows that are put in the order of a column (`sort orders by name`).
    SortedRows(Metric),
    /// Groups that are put in an order (`rank shops by`).
    Ranked(Dim),
    /// The columns to be shown of each row.
    Columns(Vec<usize>),
    /// A number by itself.
    Bare(u64),
    /// The rows of the question before.
    Listing,
    /// The rows of the table, or so many of them, and nothing else.
    Rows(Option<u64>),
    /// The other end of its order.
    Reverse,
    /// Sorted, the best first when true, or the worst.
    BestFirst(bool),
    /// In the order of time, the latest first when true.
    ByTime(bool),
}

/// What is selected.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Select {
    Count,
    CountDistinct(Dim),
    Agg(Agg, Measure),
    /// Share of rows for which all of these hold, in per cent.
    Share(Vec<Cond>),
    /// Share of the sum of a measure that such rows have, in per cent.
    Part(Measure, Cond),
    Correlation(Measure, Measure),
    /// The greatest less the least.
    Spread(Measure),
    /// The column of the row that has the most of the measure, or the least.
    At {
        column: usize,
        measure: Measure,
        descending: bool,
    },
}

/// What is done with the groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Then {
    /// An aggregate of what was selected.
    Agg(Agg),
    /// The change against the group before; in per cent when true.
    Change(bool),
    /// How many groups there are.
    Count,
    /// The change of the second of two groups against the first, in per cent too.
    Both,
    /// The share in the sum of all groups, in per cent.
    Share,
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
    /// So many of each of these, which are among the groups or sort the rows.
    pub of_each: Vec<Dim>,
    /// Only the last of them is meant (`second highest`).
    pub nth: bool,
    /// Days were named.
    pub days: bool,
    /// Bars of another length were named.
    pub frame: Option<Timeframe>,
    /// The session.
    pub session: Option<String>,
    /// What is done with the groups.
    pub then: Option<Then>,
    /// Only groups whose first aggregate compares so.
    pub having: Option<(Cmp, f64)>,
    /// The latest rows first when true, the earliest when false.
    pub latest: Option<bool>,
    /// The columns to be shown of each row; all where there is none.
    pub columns: Vec<usize>,
    /// What the assembly assumed costs confidence.
    pub quality: f64,
}

impl Sketch {
    /// Rows for which something holds, in no order.
    pub fn is_listing(&self) -> bool {
        self.select.is_empty()
            && self.groups.is_empty()
            && self.order.is_none()
            && self.latest.is_none()
    }

    /// Every condition, those of a share included.
    pub fn conditions(&self) -> impl Iterator<Item = &Cond> {
        self.filters.iter().chain(self.select.iter().flat_map(|s| match s {
            Select::Share(conds) => conds.as_slice(),
            Select::Part(_, cond) => std::slice::from_ref(cond),
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
                Select::Agg(_, m)
                | Select::Part(m, _)
                | Select::Spread(m)
                | Select::At { measure: m, .. } => add(*m),
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
        let leaves = self.conditions().flat_map(Cond::leaves).flat_map(|c| match c {
            Cond::After(held) => held.leaves(),
            leaf => vec![leaf],
        });
        for cond in leaves {
            if let Cond::Compare(left, _, right) | Cond::Cross(left, right, _) = cond {
                add(*left);
                if let Some(right) = right.measure() {
                    add(right);
                }
            }
        }
        measures
    }
}
