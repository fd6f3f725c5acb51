//! The results that a text is checked against, as named things: axes with the names on them,
//! measures with the words for them, the parameters of the queries.

mod columns;

use super::lex::{Stems, Token, lower};
use super::names::{Axis, Name, month, name_of, same, weekday};
use super::words::{self, Agg};
use crate::facts::Outcome;
use crate::query::ast::Compare;
use crate::query::check::{CheckedQuery, Node, ResultKind, Typed};
use crate::value::{Stats, Value};
use chrono::Datelike;
pub(super) use columns::name_words;
use columns::{axis_of, measures, name_columns, translations};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

/// A column whose cells name the rows.
#[derive(Debug, Clone)]
pub(super) struct NameColumn {
    /// What its names are.
    pub axis: Axis,
    /// Its number in the result.
    pub column: usize,
    /// Its name.
    pub name: String,
}

/// A numeric column of a result that a number can be bound to.
#[derive(Debug, Clone)]
pub(super) struct Measure {
    /// Its number in the result.
    pub column: usize,
    /// Its name.
    pub name: String,
    /// The aggregate it is.
    pub agg: Option<Agg>,
    /// What is measured: a key of [`World::bases`]; empty for a count of rows.
    pub base: String,
    /// The unit of its values.
    pub unit: Option<String>,
    /// Made by the query (aggregate, map, sort) and not just carried along.
    pub main: bool,
}

impl Measure {
    /// Its values add up over groups.
    pub fn additive(&self) -> bool {
        matches!(self.agg, Some(Agg::Sum | Agg::Count))
    }

    /// Its values are per cent.
    pub fn percent(&self) -> bool {
        let name = self.name.to_lowercase();
        match &self.unit {
            Some(unit) => unit == "%" || unit.eq_ignore_ascii_case("percent"),
            None => {
                name.split(|c: char| !c.is_alphanumeric()).any(|w| ["pct", "percent"].contains(&w))
            }
        }
    }

    /// Its values are shares between 0 and 1, which people say in per cent.
    pub fn share(&self) -> bool {
        let name = self.name.to_lowercase();
        self.unit.is_none()
            && ["share", "ratio", "fraction", "rate"].iter().any(|w| name.contains(w))
    }
}

/// A constant of a query.
#[derive(Debug, Clone)]
pub(super) struct Param {
    /// The constant.
    pub value: f64,
    /// The bases of the columns it is compared with, where it is a threshold.
    pub columns: Vec<String>,
    /// The comparison, column on the left.
    pub op: Option<Compare>,
}

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
pub(super) struct View<'a> {
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
    /// The dates that its filter names.
    pub dates: Vec<chrono::NaiveDate>,
    /// The names that the filter keeps on an axis.
    pub fixed: Vec<(Axis, Vec<(Name, Value)>)>,
    rows: RefCell<Found>,
    memory: RefCell<Memory>,
}

/// A text value that a text may name: its words, and the axes it is on.
#[derive(Debug, Clone)]
pub(super) struct TextName {
    /// The words in lower case, each with its stem.
    pub words: Vec<(String, String)>,
    /// Starts with a capital.
    pub capital: bool,
    /// The value in lower case.
    pub name: String,
    /// The columns it occurs in.
    pub axes: Vec<Axis>,
}

/// Everything a text is checked against.
pub(super) struct World<'a> {
    /// The results, oldest first.
    pub views: Vec<View<'a>>,
    /// Word stem → bases it may mean.
    pub bases: HashMap<String, Vec<String>>,
    /// Bases that some result holds.
    pub held: HashSet<String>,
    /// First word's stem → text values.
    pub texts: HashMap<String, Vec<TextName>>,
    /// Stems of the words that name an axis (`shop`), with the axis.
    pub axis_words: HashMap<String, Axis>,
    /// Stems of the words that name the rows: of the tables, and of counts (`flights`).
    pub count_words: HashSet<String>,
}

impl<'a> World<'a> {
    /// Reads the results. `text` is what will be checked: of large results only the values that
    /// can occur in it are kept.
    pub fn new(outcomes: &[&'a Outcome], text: &str, stems: &Stems) -> Self {
        let mut world = World {
            views: outcomes.iter().map(|o| View::new(o)).collect(),
            bases: HashMap::new(),
            held: HashSet::new(),
            texts: HashMap::new(),
            axis_words: HashMap::new(),
            count_words: HashSet::new(),
        };
        world.read_bases(stems);
        world.read_count_words(stems);
        world.read_texts(&text.to_lowercase().replace('ё', "е"), stems);
        world
    }

    fn read_bases(&mut self, stems: &Stems) {
        let mut add = |base: &str, words: &str| {
            for word in name_words(words) {
                if Agg::of_name(&word).is_some() && words.contains('_')
                    || ["pct", "percent", "usd", "id", "of", "the", "x"].contains(&word.as_str())
                {
                    continue;
                }
                let mut all = vec![word.clone()];
                all.extend(translations(&word).iter().map(|w| (*w).to_owned()));
                for w in all {
                    let list = self.bases.entry(stems.stem(&w)).or_default();
                    if !list.iter().any(|b| b == base) {
                        list.push(base.to_owned());
                    }
                }
            }
        };
        for view in &self.views {
            let schema = view.outcome.query.schema();
            for column in schema.columns.iter().filter(|c| c.kind.is_numeric()) {
                let base = column.name.to_lowercase();
                if view.names.iter().any(|n| n.name == column.name) {
                    continue;
                }
                add(&base, &column.name);
                for words in column.label.iter().chain(&column.synonyms) {
                    add(&base, words);
                }
            }
            for measure in &view.measures {
                self.held.insert(measure.base.clone());
                add(&measure.base, &measure.base);
                if measure.agg != Some(Agg::Count) || !measure.base.is_empty() {
                    add(&measure.base, &measure.name);
                }
                for words in view
                    .outcome
                    .columns
                    .get(measure.column)
                    .iter()
                    .flat_map(|c| c.column.label.iter().chain(&c.column.synonyms))
                {
                    add(&measure.base, words);
                }
            }
        }
        for view in &self.views {
            for n in &view.names {
                for word in name_words(&n.name) {
                    self.axis_words.insert(stems.stem(&word), n.axis.clone());
                }
                let schema = view.outcome.query.schema();
                if let Some(c) = schema.column(&n.name) {
                    for word in c.label.iter().chain(&c.synonyms).flat_map(|w| name_words(w)) {
                        self.axis_words.insert(stems.stem(&word), n.axis.clone());
                    }
                }
            }
        }
    }

    /// The measured things that the adjective at a token compares by.
    pub fn hinted(&self, tokens: &[Token], at: usize, stems: &Stems) -> Vec<String> {
        let words = words::hint(tokens, at).unwrap_or_default();
        let mut out: Vec<String> = words
            .iter()
            .filter_map(|w| self.bases.get(&stems.stem(&lower(w))))
            .flatten()
            .filter(|b| self.held.contains(*b) && !b.is_empty())
            .cloned()
            .collect();
        out.sort();
        out.dedup();
        out
    }

    fn read_count_words(&mut self, stems: &Stems) {
        for view in &self.views {
            let table = name_words(&view.outcome.query.schema().name);
            let counts = view.measures.iter().filter(|m| m.agg == Some(Agg::Count));
            for word in table.into_iter().chain(counts.flat_map(|m| name_words(&m.name))) {
                let stem = stems.stem(&word);
                let other = Agg::of_name(&word).is_some()
                    || self.bases.contains_key(&stem)
                    || self.axis_words.contains_key(&stem);
                if word.chars().count() > 2 && !other {
                    self.count_words.insert(stem);
                }
            }
        }
    }

    fn read_texts(&mut self, text: &str, stems: &Stems) {
        // The first letters of the words of the text: a quick way to skip most values.
        let starts: HashSet<String> = text
            .split(|c: char| !c.is_alphanumeric())
            .filter(|w| !w.is_empty())
            .map(|w| w.chars().take(3).collect())
            .collect();
        let mut add = |value: &Arc<str>, axis: &Axis| -> bool {
            let name = value.to_lowercase();
            let start: String = name
                .replace('ё', "е")
                .chars()
                .skip_while(|c| !c.is_alphanumeric())
                .take_while(|c| c.is_alphanumeric())
                .take(3)
                .collect();
            // A short value may be declined into a longer word.
            let short = start.chars().count() < 3;
            if !(starts.contains(&start) || short && starts.iter().any(|s| s.starts_with(&start))) {
                return false;
            }
            let words: Vec<(String, String)> = value
                .split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '\''))
                .filter(|w| !w.is_empty())
                .map(lower)
                .map(|w| (w.clone(), stems.stem(&w)))
                .collect();
            let Some((_, first)) = words.first() else { return false };
            let list = self.texts.entry(first.clone()).or_default();
            match list.iter_mut().find(|t| t.name == name) {
                Some(known) if known.axes.contains(axis) => {}
                Some(known) => known.axes.push(axis.clone()),
                None => list.push(TextName {
                    capital: value.starts_with(char::is_uppercase),
                    words,
                    name,
                    axes: vec![axis.clone()],
                }),
            }
            true
        };
        for view in &self.views {
            for (at, n) in view.names.iter().enumerate() {
                if !matches!(n.axis, Axis::Named(_)) {
                    continue;
                }
                // One pass: the values that the text may name, each with its rows.
                let mut lists: Vec<(String, Vec<usize>)> = Vec::new();
                let labels = view.outcome.rows.labels(n.column);
                let of_label = labels.texts.iter().map(|text| {
                    let name = text.to_lowercase();
                    add(text, &n.axis).then(|| {
                        lists.iter().position(|(l, _)| *l == name).unwrap_or_else(|| {
                            lists.push((name, Vec::new()));
                            lists.len() - 1
                        })
                    })
                });
                let of_label: Vec<Option<usize>> = of_label.collect();
                for (row, code) in labels.codes.iter().enumerate() {
                    let list = of_label.get(*code as usize).copied().flatten();
                    if let Some((_, rows)) = list.and_then(|l| lists.get_mut(l)) {
                        rows.push(row);
                    }
                }
                for (name, rows) in lists {
                    view.note(at, name, rows);
                }
            }
            for (axis, names) in &view.fixed {
                for (_, value) in names {
                    if let (Axis::Named(_), Value::Text(s)) = (axis, value) {
                        add(s, axis);
                    }
                }
            }
            for c in &view.outcome.query.schema().columns {
                let axis = Axis::Named(c.name.to_lowercase());
                for value in c.values.iter().flatten() {
                    if weekday(&value.to_lowercase()).is_none()
                        && month(&value.to_lowercase()).is_none()
                    {
                        add(&Arc::from(value.as_str()), &axis);
                    }
                }
            }
        }
    }
}

impl<'a> View<'a> {
    fn new(outcome: &'a Outcome) -> Self {
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
            dates: Vec::new(),
            fixed: Vec::new(),
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
        self.rows.borrow_mut().insert(key, found.clone());
        found
    }

    /// The sum of a column over rows, and how many numbers it is of.
    pub fn totals(&self, column: usize, rows: &[usize]) -> Option<(f64, usize)> {
        let key = (column, key_of(rows));
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
        let key = (column, rows.map_or(ALL, key_of), most, rank);
        if let Some(known) = self.memory.borrow().places.get(&key) {
            return known.clone();
        }
        let found = find();
        self.memory.borrow_mut().places.insert(key, found.clone());
        found
    }

    /// Notes the rows that a name of a text column was found in.
    fn note(&self, at: usize, name: String, rows: Vec<usize>) {
        self.rows.borrow_mut().insert((at, Name::Text(name)), Rc::new(rows));
    }

    /// The number of the name column on `axis`.
    pub fn on_axis(&self, axis: &Axis) -> Option<usize> {
        self.names.iter().position(|n| n.axis == *axis)
    }

    /// Limit cut the result: it is not everything.
    pub fn cut(&self) -> bool {
        self.outcome.rows_before_limit.is_some_and(|n| n > self.outcome.rows.len() as u64)
    }

    /// Whether everything the query read lies in what `said` names: by the filter's constants or
    /// by the range of the table.
    pub fn lies_within(&self, axis: &Axis, said: &Name) -> Option<bool> {
        if let Some((_, allowed)) = self.fixed.iter().find(|(a, _)| a == axis) {
            return match allowed.as_slice() {
                [(only, _)] => Some(same(said, only)),
                many if many.iter().any(|(n, _)| same(said, n)) => None,
                _ => Some(false),
            };
        }
        let schema = self.outcome.query.schema();
        let (first, last) = schema.range.as_ref()?;
        let (first, last) = (first.date()?, last.date()?);
        let inside = match (axis, said) {
            (Axis::Year, Name::Index(y)) => {
                i64::from(first.year()) == *y && i64::from(last.year()) == *y
            }
            (Axis::Date, Name::Date(d)) if d.day.is_none() => [first, last]
                .iter()
                .all(|x| x.month() == d.month && d.year.is_none_or(|y| y == x.year())),
            _ => false,
        };
        inside.then_some(true)
    }

    fn read_params(&mut self, query: &CheckedQuery) {
        let mut params = Vec::new();
        let mut fixed = Vec::new();
        let mut dates = Vec::new();
        let mut literals = |e: &Typed| {
            e.visit(&mut |x| {
                if let Node::Literal(v) = &x.node
                    && let Some(value) = v.as_f64()
                {
                    params.push(Param { value, columns: Vec::new(), op: None });
                }
            });
        };
        for named in query.map().iter().chain(query.keys()).chain(query.measures()) {
            literals(&named.expr);
        }
        for key in query.sort() {
            literals(&key.expr);
        }
        if let Some(filter) = query.filter() {
            filter.expr.visit(&mut |x| match &x.node {
                Node::Literal(value) => dates.extend(value.date()),
                Node::Compare(op, a, b) => {
                    for (value, other, op) in [(b, a, *op), (a, b, flip(*op))] {
                        if let Some(value) = constant(value) {
                            let columns =
                                other.columns().iter().map(|c| c.to_lowercase()).collect();
                            params.push(Param { value, columns, op: Some(op) });
                        }
                    }
                }
                Node::In { list, .. } => {
                    params.extend(list.iter().filter_map(Value::as_f64).map(|value| Param {
                        value,
                        columns: Vec::new(),
                        op: None,
                    }));
                }
                Node::Call { args, .. } => {
                    params.extend(args.iter().filter_map(constant).map(|value| Param {
                        value,
                        columns: Vec::new(),
                        op: None,
                    }));
                }
                _ => {}
            });
            let all: Vec<&Typed> = match &filter.expr.node {
                Node::And(list) => list.iter().collect(),
                _ => vec![&filter.expr],
            };
            for part in all {
                let (x, values) = match &part.node {
                    Node::Compare(Compare::Eq, a, b) => match (&a.node, &b.node) {
                        (_, Node::Literal(v)) => (a.as_ref(), vec![v.clone()]),
                        (Node::Literal(v), _) => (b.as_ref(), vec![v.clone()]),
                        _ => continue,
                    },
                    Node::In { value, list, negated: false } => (value.as_ref(), list.clone()),
                    _ => continue,
                };
                let Some(axis) = axis_of(x, query) else { continue };
                let names: Vec<(Name, Value)> =
                    values.into_iter().filter_map(|v| Some((name_of(&axis, &v)?, v))).collect();
                fixed.push((axis, names));
            }
        }
        if let Some(limit) = query.limit() {
            params.push(Param { value: limit as f64, columns: Vec::new(), op: None });
        }
        self.params = params;
        self.dates = dates;
        self.fixed = fixed;
    }
}

/// A numeric constant, with its sign.
fn constant(e: &Typed) -> Option<f64> {
    match &e.node {
        Node::Literal(v) => v.as_f64(),
        Node::Neg(x) => constant(x).map(|v| -v),
        _ => None,
    }
}

fn flip(op: Compare) -> Compare {
    match op {
        Compare::Lt => Compare::Gt,
        Compare::Le => Compare::Ge,
        Compare::Gt => Compare::Lt,
        Compare::Ge => Compare::Le,
        same => same,
    }
}
