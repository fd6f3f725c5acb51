//! One result as the check reads it: its names, its measures and what was computed of them.

use super::columns::{measures, name_columns};
use super::params::Param;
use super::{Measure, NameColumn, name_words};
use crate::facts::Outcome;
use crate::query::check::ResultKind;
use crate::validate::claims::names::{Axis, Name, name_of, same};
use crate::validate::claims::words::Agg;
use crate::value::{Stats, Value};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// The rows that names were found in, by name column.
type Found = HashMap<(usize, Name), Rc<Vec<usize>>>;

/// The rows at a place of an order, and their value.
type Ranked = Option<(Vec<usize>, f64)>;

/// What was computed of a measure over rows, so that no claim goes through them again.
#[derive(Default)]
struct Memory {
    /// By column and rows: the sum and how many numbers it is of.
    totals: HashMap<(usize, u64), Option<(f64, usize)>>,
    /// By column, rows, end and place: the rows there, and their value.
    places: HashMap<(usize, u64, bool, usize), Ranked>,
    /// By column.
    stats: HashMap<usize, Rc<Stats>>,
    /// By column.
    numbers: HashMap<usize, Rc<Vec<f64>>>,
    /// The lists of rows that are kept as long as the result is read, by where they lie: they are told
    /// apart without a look at what is in them.
    kept: HashMap<(*const usize, usize), u64>,
    /// The list of all rows, once it was asked for.
    all: Option<Rc<Vec<usize>>>,
    /// By column of names: whether they are all different.
    keys: HashMap<usize, bool>,
}

/// Starts of words of the names of measures whose sign tells a gain from a loss.
const SIGNED: &[&str] = &[
    "profit",
    "revenue",
    "sales",
    "income",
    "earning",
    "return",
    "ret",
    "gain",
    "pnl",
    "net",
    "margin",
    "balance",
    "change",
    "delta",
    "diff",
    "move",
    "growth",
    "flow",
    "result",
    "прибыл",
    "выручк",
    "доход",
    "баланс",
    "сальдо",
    "разниц",
    "изменени",
    "итог",
    "результат",
];

/// Starts of words that speak of what came in.
const INCOMING: &[&str] = &[
    "earn",
    "income",
    "profit",
    "gain",
    "receiv",
    "revenue",
    "salary",
    "refund",
    "прибыл",
    "доход",
    "заработ",
    "получ",
    "зарплат",
    "вернул",
    "поступ",
];

/// A text speaks of what came in.
pub(super) fn speaks_of_income(text: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_alphabetic());
    words.any(|w| INCOMING.iter().any(|start| w.starts_with(start)))
}

/// Starts of words that speak of what went out.
const OUTGOING: &[&str] = &["expen", "spend", "spent", "cost", "paid", "расход", "трат", "потрач"];

/// A text speaks of what went out.
pub(super) fn speaks_of_spending(text: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_alphabetic());
    words.any(|w| OUTGOING.iter().any(|start| w.starts_with(start)))
}

/// The number of all rows, which no list of rows has to be made for.
const ALL: u64 = 0;

/// A number that stands for a list of rows.
fn key_of(rows: &[usize]) -> u64 {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    rows.len().hash(&mut hasher);
    // Several polynomials side by side: one would wait for each of its steps.
    let (parts, rest) = rows.as_chunks::<8>();
    let mut sums = [0_u64; 8];
    for part in parts {
        for (sum, row) in sums.iter_mut().zip(part) {
            *sum = sum.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(*row as u64 + 1);
        }
    }
    (sums, rest).hash(&mut hasher);
    hasher.finish().max(ALL + 1)
}

/// One result.
pub(in crate::validate::claims) struct View<'a> {
    /// The result.
    pub outcome: &'a Outcome,
    /// Scalar, dict, groups or rows.
    pub kind: ResultKind,
    /// The columns that name its rows.
    pub names: Vec<NameColumn>,
    /// The columns that hold its numbers.
    pub measures: Vec<Measure>,
    /// The constants of its query.
    pub params: Vec<Param>,
    /// The conditions inside its measures (`pct(delay > 15)`).
    pub inside: Vec<Param>,
    /// The dates that its filter names.
    pub dates: Vec<chrono::NaiveDate>,
    /// The names that the filter keeps on an axis.
    pub fixed: Vec<(Axis, Vec<(Name, Value)>)>,
    /// The aggregates of the rows behind a list that was cut, where they are known.
    pub whole: Option<&'a Outcome>,
    /// The text speaks of what came in, so that no sum is read as what went out.
    pub earned: bool,
    /// It speaks of what went out, so that a flow below zero is one of that.
    pub paid: bool,
    rows: RefCell<Found>,
    memory: RefCell<Memory>,
}

impl<'a> View<'a> {
    pub(super) fn new(outcome: &'a Outcome) -> Self {
        let query = outcome.query.as_ref();
        let kind = outcome.kind();
        let names = name_columns(outcome, query, kind);
        let measures = measures(outcome, query, kind, &names);
        let mut view = View {
            outcome,
            kind,
            names,
            measures,
            params: Vec::new(),
            inside: Vec::new(),
            dates: Vec::new(),
            fixed: Vec::new(),
            whole: None,
            earned: false,
            paid: false,
            rows: RefCell::new(HashMap::new()),
            memory: RefCell::new(Memory::default()),
        };
        view.read_params(query);
        view
    }

    /// The rows that `said` names in the name column number `at`.
    pub fn rows_named(&self, at: usize, said: &Name) -> Rc<Vec<usize>> {
        let key = (at, said.clone());
        if let Some(found) = self.rows.borrow().get(&key) {
            return found.clone();
        }
        let mut found = Vec::new();
        if let Some(n) = self.names.get(at) {
            for row in 0..self.outcome.rows.len() {
                if name_of(&n.axis, &self.outcome.value(row, n.column))
                    .is_some_and(|name| same(said, &name))
                {
                    found.push(row);
                }
            }
        }
        let found = Rc::new(found);
        self.keep(&found);
        self.rows.borrow_mut().insert(key, found.clone());
        found
    }

    /// The list of all rows.
    pub fn all_rows(&self) -> Rc<Vec<usize>> {
        let known = self.memory.borrow().all.clone();
        known.unwrap_or_else(|| {
            let all = Rc::new((0..self.outcome.rows.len()).collect::<Vec<_>>());
            self.keep(&all);
            self.memory.borrow_mut().all = Some(all.clone());
            all
        })
    }

    /// Numbers a list that stays where it is for as long as this is read.
    fn keep(&self, rows: &Rc<Vec<usize>>) {
        let kept = &mut self.memory.borrow_mut().kept;
        // Lists that are made on the way have a number of what is in them, which is a large one.
        let number = ALL + 1 + kept.len() as u64;
        kept.insert((rows.as_ptr(), rows.len()), number);
    }

    /// The number of a list of rows.
    fn number_of(&self, rows: &[usize]) -> u64 {
        let known = self.memory.borrow().kept.get(&(rows.as_ptr(), rows.len())).copied();
        known.unwrap_or_else(|| key_of(rows))
    }

    /// The sum of a column over rows, and how many numbers it is of.
    pub fn totals(&self, column: usize, rows: &[usize]) -> Option<(f64, usize)> {
        let key = (column, self.number_of(rows));
        if let Some(known) = self.memory.borrow().totals.get(&key) {
            return *known;
        }
        let (mut sum, mut n) = (0.0, 0_usize);
        let numbers = self.numbers(column);
        for x in rows.iter().filter_map(|r| numbers.get(*r)).filter(|x| !x.is_nan()) {
            sum += x;
            n += 1;
        }
        let found = (n > 0).then_some((sum, n));
        self.memory.borrow_mut().totals.insert(key, found);
        found
    }

    /// What is said of a whole column, found once.
    pub fn stats(&self, column: usize) -> Rc<Stats> {
        let found = self.memory.borrow().stats.get(&column).cloned();
        found.unwrap_or_else(|| {
            let stats = Rc::new(self.outcome.rows.stats(column));
            self.memory.borrow_mut().stats.insert(column, stats.clone());
            stats
        })
    }

    /// The numbers of a column, NaN where there is none, read once.
    pub fn numbers(&self, column: usize) -> Rc<Vec<f64>> {
        let found = self.memory.borrow().numbers.get(&column).cloned();
        found.unwrap_or_else(|| {
            let numbers = Rc::new(self.outcome.rows.numbers(column));
            self.memory.borrow_mut().numbers.insert(column, numbers.clone());
            numbers
        })
    }

    /// What `find` gives for a place in the order of rows by a column, found once. Without a list,
    /// all rows are meant.
    pub fn remembered(
        &self,
        column: usize,
        rows: Option<&[usize]>,
        (most, rank): (bool, usize),
        find: impl FnOnce() -> Option<(Vec<usize>, f64)>,
    ) -> Option<(Vec<usize>, f64)> {
        let key = (column, rows.map_or(ALL, |rows| self.number_of(rows)), most, rank);
        if let Some(known) = self.memory.borrow().places.get(&key) {
            return known.clone();
        }
        let found = find();
        self.memory.borrow_mut().places.insert(key, found.clone());
        found
    }

    /// Notes the rows that a name of a text column was found in.
    pub(super) fn note(&self, at: usize, name: String, rows: Vec<usize>) {
        let key = (at, Name::Text(name));
        // A list that is there stays, since it is told by its place.
        if !self.rows.borrow().contains_key(&key) {
            let rows = Rc::new(rows);
            self.keep(&rows);
            self.rows.borrow_mut().insert(key, rows);
        }
    }

    /// The number of the name column on `axis`.
    pub fn on_axis(&self, axis: &Axis) -> Option<usize> {
        self.names.iter().position(|n| n.axis == *axis)
    }

    /// The rows have different names in the name column number `at`; found once, and only of so many.
    pub fn is_key(&self, at: usize, most: usize) -> bool {
        let known = self.memory.borrow().keys.get(&at).copied();
        known.unwrap_or_else(|| {
            let rows = self.outcome.rows.len();
            let mut seen = std::collections::HashSet::new();
            let own = self.names.get(at).filter(|_| rows <= most).is_some_and(|name| {
                (0..rows).all(|row| seen.insert(self.outcome.value(row, name.column).to_string()))
            });
            self.memory.borrow_mut().keys.insert(at, own);
            own
        })
    }

    /// Every sum of a measure is below zero, as what was spent is in the books of an account: it is told
    /// without its sign. What a balance or a gain is below zero is a loss.
    pub fn spent(&self, m: &Measure) -> bool {
        let signed = || {
            let words = name_words(&format!("{} {}", m.name, m.base));
            let flows = |start: &str| self.paid && start == "flow";
            words.iter().any(|w| SIGNED.iter().any(|s| w.starts_with(s) && !flows(s)))
        };
        m.agg == Some(Agg::Sum)
            && !self.earned
            && !(m.percent() || m.share() || signed())
            && self.stats(m.column).max.as_f64().is_some_and(|x| x < 0.0)
    }

    /// Limit cut the result: it is not everything.
    pub fn cut(&self) -> bool {
        self.outcome.rows_before_limit.is_some_and(|n| n > self.outcome.rows.len() as u64)
    }

    /// Whether what the query read is what `said` names: by the filter's constants, or by its period
    /// and the range of the table.
    pub fn lies_within(&self, axis: &Axis, said: &Name) -> Option<bool> {
        if let Some((_, allowed)) = self.fixed.iter().find(|(a, _)| a == axis) {
            return match allowed.as_slice() {
                [(only, _)] => Some(same(said, only)),
                many if many.iter().any(|(n, _)| same(said, n)) => None,
                _ => Some(false),
            };
        }
        let named = self.days_of(axis, said, None)?;
        self.is_of(named)?.then_some(true)
    }
}
