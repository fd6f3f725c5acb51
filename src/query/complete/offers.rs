//! What can stand at a place, ranked: what begins like the typed text, then what holds it, then what
//! is close to it.

use super::cursor::{Beside, Cursor, Want};
use super::scope::{Seen, Sights, sights};
use super::{Completions, Context, Field, Item, MOST_ITEMS, Sight, What};
use crate::error::Span;
use crate::query::check::Domain;
use crate::query::format;
use crate::query::functions::{self, Function, Stand, Takes};
use crate::query::lexer::continues_name;
use crate::schema::Kind;

/// How a candidate matches what is typed, best first.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
enum Match {
    /// Begins with it.
    Begins,
    /// Another word for it begins with it.
    Synonym,
    /// Holds it.
    Holds,
    /// Is close to it, by one less the similarity.
    Near(f64),
}

/// A completion with what it is ranked by.
pub(super) struct Candidate<V> {
    item: Item<V>,
    /// Other words that find it.
    pub synonyms: Vec<String>,
    /// Its kind is not what the place takes.
    unfit: bool,
}

impl<V> Candidate<V> {
    pub fn new(label: &str, insert: impl Into<String>, what: What<V>) -> Self {
        let item = Item { label: label.to_owned(), insert: insert.into(), what };
        Self { item, synonyms: Vec::new(), unfit: false }
    }
}

/// The least similarity of a name that is only close.
const NEAR: f64 = 0.82;

fn matches(typed: &str, label: &str, synonyms: &[String]) -> Option<Match> {
    let label = label.to_lowercase();
    if label.starts_with(typed) {
        return Some(Match::Begins);
    }
    if synonyms.iter().any(|s| s.to_lowercase().starts_with(typed)) {
        return Some(Match::Synonym);
    }
    if label.contains(typed) {
        return Some(Match::Holds);
    }
    let similarity = strsim::jaro_winkler(typed, &label);
    (typed.chars().count() >= 3 && similarity >= NEAR).then_some(Match::Near(1.0 - similarity))
}

/// The longest text that is compared letter by letter with every name.
const LONGEST_TYPED: usize = 200;

/// The candidates that what is typed is the beginning, a part or nearly the whole of, best first.
pub(super) fn ranked<V>(span: Span, typed: &str, candidates: Vec<Candidate<V>>) -> Completions<V> {
    let typed = typed.to_lowercase();
    if typed.len() > LONGEST_TYPED {
        return Completions { span, items: Vec::new() };
    }
    let mut found: Vec<(Match, bool, Item<V>)> = candidates
        .into_iter()
        .filter_map(|c| Some((matches(&typed, &c.item.label, &c.synonyms)?, c.unfit, c.item)))
        .collect();
    if found.iter().any(|(how, ..)| *how == Match::Begins) {
        found.retain(|(how, ..)| !matches!(how, Match::Near(_)));
    }
    // stable: what matches alike keeps the order of the candidates
    found.sort_by(|a, b| {
        a.0.partial_cmp(&b.0).unwrap_or(std::cmp::Ordering::Equal).then(a.1.cmp(&b.1))
    });
    let items = found.into_iter().take(MOST_ITEMS).map(|(.., item)| item).collect();
    Completions { span, items }
}

/// What can stand at a place in an expression.
pub(super) fn expression<S: Sight>(
    text: &str,
    cursor: &Cursor,
    context: &Context,
) -> Completions<S::Value> {
    let sights = sights(context);
    let place = Place { cursor, field: context.field, sights: &sights };
    let mut candidates = Vec::new();
    match cursor.want {
        _ if cursor.in_string => place.values::<S>(&mut candidates),
        _ if cursor.in_quotes => {
            if cursor.want == Want::Operand {
                place.columns(&mut candidates);
            }
        }
        Want::Operand => {
            place.values::<S>(&mut candidates);
            place.columns(&mut candidates);
            place.functions(&mut candidates);
            place.constants(&mut candidates);
        }
        Want::Operator { compared } => place.operators(compared, &mut candidates),
        Want::In => candidates.push(operator("in", OPERATORS)),
        Want::List => candidates.push(operator("[", &[("[", ["a list", "список"])])),
        Want::Nothing => {}
    }
    if matches!(cursor.want, Want::Operator { .. } | Want::In | Want::List) {
        // signs and words this short are not looked for
        candidates.retain(|c| c.item.label.starts_with(&cursor.typed.to_lowercase()));
    }
    let mut done = ranked(cursor.span, &cursor.typed, candidates);
    let gap = Gap::around(text, cursor);
    for item in &mut done.items {
        gap.fit(item);
    }
    done
}

/// What stands directly beside the replaced text.
struct Gap {
    before: Option<char>,
    after: Option<char>,
    /// The next character that is no white space.
    then: Option<char>,
}

impl Gap {
    fn around(text: &str, cursor: &Cursor) -> Self {
        let rest = text.get(cursor.span.end..).unwrap_or_default();
        Self {
            before: text.get(..cursor.span.start).and_then(|t| t.chars().next_back()),
            after: rest.chars().next(),
            then: rest.trim_start().chars().next(),
        }
    }

    /// Keeps the insertion from running into its neighbours.
    fn fit<V>(&self, item: &mut Item<V>) {
        let insert = &mut item.insert;
        if matches!(item.what, What::Function(_)) && self.then == Some('(') {
            insert.truncate(item.label.len());
            return;
        }
        let operator = matches!(item.what, What::Operator(_));
        if operator && self.before.is_some_and(|c| !c.is_whitespace() && c != '(') {
            insert.insert(0, ' ');
        }
        let runs_on = |c: char| continues_name(c) || "`'\"“”„‘’«.".contains(c);
        let spaced = if operator {
            !insert.ends_with('[') && self.after.is_none_or(|c| !c.is_whitespace())
        } else {
            !insert.ends_with('(') && self.after.is_some_and(runs_on)
        };
        if spaced {
            insert.push(' ');
        }
    }
}

/// Operators and words with their meaning.
type Words = [(&'static str, [&'static str; 2])];

const OPERATORS: &Words = &[
    ("==", ["equals", "равно"]),
    ("!=", ["differs from", "не равно"]),
    ("<", ["below", "меньше"]),
    ("<=", ["at most", "не больше"]),
    (">", ["above", "больше"]),
    (">=", ["at least", "не меньше"]),
    ("in", ["one of a list", "одно из списка"]),
    ("not in", ["none of a list", "ни одно из списка"]),
];

const ARITHMETIC: &Words = &[
    ("+", ["plus", "плюс"]),
    ("-", ["minus", "минус"]),
    ("*", ["times", "умножить"]),
    ("/", ["divided by", "разделить"]),
    ("//", ["divided by, rounded down", "разделить с округлением вниз"]),
    ("%", ["remainder of the division", "остаток от деления"]),
    ("**", ["to the power", "в степени"]),
];

const JOINS: &Words =
    &[("and", ["both conditions", "оба условия"]), ("or", ["either condition", "любое условие"])];

const DIRECTIONS: &Words =
    &[("desc", ["largest first", "по убыванию"]), ("asc", ["smallest first", "по возрастанию"])];

const NOT: &Words = &[("not", ["the opposite of a condition", "отрицание условия"])];

fn operator<V>(sign: &str, among: &Words) -> Candidate<V> {
    let meaning = among.iter().find(|(s, _)| *s == sign).map_or(["", ""], |(_, m)| *m);
    Candidate::new(sign, sign, What::Operator(meaning))
}

struct Place<'a> {
    cursor: &'a Cursor,
    field: Field,
    sights: &'a Sights,
}

impl Place<'_> {
    /// The place is among the arguments of an aggregate.
    fn in_aggregate(&self) -> bool {
        let names = self.cursor.open.iter().filter_map(|open| open.function.as_deref());
        names.filter_map(functions::lookup).any(|f| f.stand == Stand::Aggregate)
    }

    /// What the argument takes that the place is in.
    fn takes(&self) -> Option<Takes> {
        let (name, number) = self.cursor.call()?;
        let function = functions::lookup(name)?;
        let last = if function.variadic { function.params.last() } else { None };
        function.params.get(number).or(last).map(|param| param.takes)
    }

    /// A constant is wanted: neither columns nor functions.
    fn takes_constant(&self) -> bool {
        matches!(
            self.takes(),
            Some(Takes::IntConst(_) | Takes::IntRange(..) | Takes::NumberConst | Takes::Fraction)
        )
    }

    /// Columns that the place reads.
    fn in_sight(&self) -> &[Seen] {
        if self.field == Field::Select && !self.in_aggregate() {
            &self.sights.keys
        } else {
            &self.sights.columns
        }
    }

    fn columns<V>(&self, out: &mut Vec<Candidate<V>>) {
        if self.takes_constant() {
            return;
        }
        let takes = self.takes();
        let call = self.cursor.call().and_then(|(name, n)| Some((functions::lookup(name)?, n)));
        let fits = |kind: Kind| match call {
            Some((function, number)) if kind.is_list() => function.lists && number == 0,
            None if kind.is_list() => !matches!(self.field, Field::GroupBy | Field::Sort),
            _ => fits(takes, kind),
        };
        out.extend(self.in_sight().iter().map(|column| {
            let what = What::Column {
                kind: column.kind,
                unit: column.unit.clone(),
                label: column.label.clone(),
            };
            let mut made = Candidate::new(&column.name, format::name(&column.name), what);
            made.synonyms.clone_from(&column.synonyms);
            made.synonyms.extend(column.label.clone());
            made.unfit = column.kind.is_some_and(|kind| !fits(kind));
            made
        }));
    }

    fn functions<V>(&self, out: &mut Vec<Candidate<V>>) {
        if self.takes_constant() {
            return;
        }
        let allowed = functions::all().filter(|f| self.may_stand(f));
        out.extend(allowed.map(|function| {
            let name = function.name;
            let call = match function.arity().0 {
                0 => format!("{name}()"),
                _ => format!("{name}("),
            };
            let mut made = Candidate::new(name, call, What::Function(function));
            made.synonyms = functions::other_names(name).map(str::to_owned).collect();
            // an aggregate is what `select` is for, and an exception elsewhere
            let aggregate = function.stand == Stand::Aggregate;
            made.unfit = !self.in_aggregate() && aggregate != (self.field == Field::Select);
            made
        }));
    }

    /// May the function be called at the place? As the check has it.
    fn may_stand(&self, function: &Function) -> bool {
        match function.stand {
            Stand::Row => true,
            Stand::Window => matches!(self.field, Field::Map(_) | Field::Where),
            Stand::Aggregate => {
                matches!(self.field, Field::Select | Field::Map(_) | Field::Where)
                    && !self.in_aggregate()
            }
        }
    }

    fn constants<V>(&self, out: &mut Vec<Candidate<V>>) {
        if self.takes_constant() {
            return;
        }
        if matches!(self.takes(), None | Some(Takes::Bool | Takes::Any)) {
            out.push(operator("not", NOT));
            out.extend(["true", "false"].map(|word| Candidate::new(word, word, What::Constant)));
        }
        if self.takes() == Some(Takes::Any) {
            out.push(Candidate::new("null", "null", What::Constant));
        }
    }

    /// Values that the place is compared with: names of days and months are no data, those of a
    /// column are for the person's own page.
    fn values<S: Sight>(&self, out: &mut Vec<Candidate<S::Value>>) {
        let named = |domain: Domain| domain.values().iter();
        match &self.cursor.beside {
            Some(Beside::Call(name)) => {
                let domain = functions::lookup(name).and_then(|f| f.domain);
                out.extend(
                    domain
                        .into_iter()
                        .flat_map(named)
                        .map(|v| Candidate::new(v, format::string(v), What::Constant)),
                );
            }
            Some(Beside::Column(name)) => {
                let Some(column) = self.sights.columns.iter().find(|c| c.name == *name) else {
                    return;
                };
                out.extend(
                    column
                        .domain
                        .into_iter()
                        .flat_map(named)
                        .map(|v| Candidate::new(v, format::string(v), What::Constant)),
                );
                out.extend(column.values.iter().filter_map(|text| {
                    // all that is said of a value is said by what may hold one
                    let value = S::value(text)?;
                    let (label, insert) =
                        (value.as_ref().to_owned(), format::string(value.as_ref()));
                    Some(Candidate::new(&label, insert, What::Value(value)))
                }));
            }
            None => {}
        }
    }

    fn operators<V>(&self, compared: bool, out: &mut Vec<Candidate<V>>) {
        let mut push = |list: &'static Words| {
            out.extend(list.iter().map(|(sign, _)| operator(sign, list)));
        };
        if self.field == Field::Sort && self.cursor.open.is_empty() {
            push(DIRECTIONS);
        }
        if compared {
            [JOINS, ARITHMETIC, OPERATORS].into_iter().for_each(push);
        } else {
            [OPERATORS, ARITHMETIC, JOINS].into_iter().for_each(push);
        }
    }
}

/// A column of the kind is what the argument takes.
fn fits(takes: Option<Takes>, kind: Kind) -> bool {
    match takes {
        Some(Takes::Number) => kind.is_numeric(),
        Some(Takes::Bool) => kind == Kind::Bool,
        Some(Takes::Text) => kind == Kind::Text,
        Some(Takes::Time) => kind.is_time(),
        Some(Takes::Clock) => kind == Kind::Timestamp,
        _ => true,
    }
}
