//! `how many customers ordered only once`, `which riders made more than 5 trips`, `customers with revenue
//! over 5000`: groups by how many rows they have, or by what a measure of theirs comes to.

use super::{Asked, Made, one_of};
use crate::error::Text;
use crate::planner::assemble::Table;
use crate::planner::build::result_name;
use crate::planner::dictionary::same_noun;
use crate::planner::sketch::Measure;
use crate::planner::stem::{parts, stem};
use crate::planner::token::TokenKind;
use crate::query::{Query, format};
use crate::schema::{Column, Kind};

const HOW_MANY: [&str; 4] = ["how many", "number of", "сколько", "число"];
const WHICH: &str = "which what who list show какие какой кто покажи";
/// Words for what is done in a row.
const DONE: &str = "made make took take taken had have has did done rode placed ordered bought booked used \
                    went visited came that who which with сделали сделал сделавшие совершили совершил \
                    заказывали заказали заказал ездили купили покупали были было у которых кто с";
/// Words beside a number, with the sign that they stand for.
const SIGNS: [(&str, &str); 24] = [
    ("no more than", "<="),
    ("no fewer than", ">="),
    ("no less than", ">="),
    ("more than", ">"),
    ("fewer than", "<"),
    ("less than", "<"),
    ("at least", ">="),
    ("at most", "<="),
    ("only", "=="),
    ("just", "=="),
    ("exactly", "=="),
    ("over", ">"),
    ("above", ">"),
    ("under", "<"),
    ("below", "<"),
    ("не более", "<="),
    ("не больше", "<="),
    ("не менее", ">="),
    ("не меньше", ">="),
    ("более", ">"),
    ("больше", ">"),
    ("менее", "<"),
    ("меньше", "<"),
    ("только ровно лишь", "=="),
];
const NUMBERS: [(&str, u32); 5] = [
    ("one a single один одну одна одной", 1),
    ("two два две двух", 2),
    ("three три трех", 3),
    ("once однажды", 1),
    ("twice дважды", 2),
];
const TIMES: &str = "time times раз раза";

/// A bound on what is counted or added up, and the words that it takes.
struct Bound {
    sign: &'static str,
    number: f64,
    from: usize,
    to: usize,
}

impl Asked<'_> {
    pub(super) fn so_many(&self) -> Option<Made> {
        let (counted, at) = self.lead();
        let group = self.told_apart_by(at)?;
        let bound = self.bound(at + 1)?;
        let behind = self.tokens.get(bound.to);
        let rows = behind.is_some_and(|t| self.is_of_rows(&t.stem) || one_of(TIMES, &t.folded));
        let adverb = bound
            .to
            .checked_sub(1)
            .is_some_and(|i| one_of("once twice однажды дважды", self.word(i)));
        if rows || adverb {
            let to = bound.to + usize::from(rows);
            let done = (at + 1..bound.from).all(|i| one_of(DONE, self.word(i)));
            return done.then(|| self.with_so_many(group, &bound, to, counted))?;
        }
        self.with_so_much(group, at, &bound, counted)
    }

    /// `average revenue per customer` of many of them: of the totals of each, or of the rows of each.
    pub(super) fn mean_per(&self) -> Option<Made> {
        let per = (1..self.tokens.len()).find(|&at| one_of("per на", self.word(at)))?;
        let end = self.tokens.len() - usize::from(self.tokens.last()?.is_symbol("?"));
        let mean = (0..per).find(|&at| {
            one_of("average avg mean", self.word(at)) || self.word(at).starts_with("средн")
        })?;
        let asks = "what is the show me какая какова покажи";
        if per + 2 != end || (0..mean).any(|at| !one_of(asks, self.word(at))) {
            return None;
        }
        // of few groups each is told
        let group = self.told_apart_by(per + 1).filter(|column| column.values.is_none())?;
        let key = format::name(&group.name);
        let measure = self.said(mean + 1, per);
        let (total, by) = if self.is_russian() { ("сумма", "по") } else { ("total", "by") };
        let sums = self.ready(&format!("{total} {measure} {by} {key}"))?;
        let means = self.ready(&format!("{} {measure} {by} {key}", self.word(mean)))?;
        let [told] = &sums.select[..] else { return None };
        let plain = |query: &Query| {
            query.steps.is_empty() && query.limit.is_none() && query.group_by == [key.clone()]
        };
        let name = told.text.strip_prefix("sum(").and_then(|text| text.strip_suffix(')'))?;
        let column = self.table.columns.iter().position(|c| format::name(&c.name) == name)?;
        if !plain(&sums)
            || !plain(&means)
            || !Table::new(self.table).adds_up(Measure::Column(column))
        {
            return None;
        }
        let by_each = (means.clone(), self.told(&means)?);
        let Text { en, ru } = self.told(&sums)?;
        let mean = format!("mean({})", format::name(&result_name(told)));
        let step = Query { select: vec![mean.into()], ..Query::default() };
        let said = Text {
            en: format!("mean of these: {en}"),
            ru: format!("среднее из этого: {ru}"),
        };
        let of_each = (Query { steps: vec![step], ..sums }, said);
        Some(Made::Several(vec![of_each, by_each]))
    }

    /// `how many orders does a customer make on average`: as `average orders per customer`.
    pub(super) fn each_makes(&self) -> Option<Made> {
        const BETWEEN: &str = "do does did a an the each average typical";
        const BEHIND: &str = "make makes place places have has take takes made placed on average";
        const MEAN: &str = "average";
        let words = self.words()?;
        let [how, many, _, rest @ ..] = &words[..] else { return None };
        let of = self.tokens.get(2).is_some_and(|t| self.is_of_rows(&t.stem));
        if (*how, *many) != ("how", "many") || !of || !rest.iter().any(|w| one_of(MEAN, w)) {
            return None;
        }
        let at = rest.iter().position(|word| !one_of(BETWEEN, word))?;
        let (noun, behind) = (rest.get(at)?, rest.get(at + 1..)?);
        let noun = self.tokens.iter().find(|t| t.folded == *noun)?;
        behind.iter().all(|word| one_of(BEHIND, word)).then(|| self.rows_of_each(noun))?
    }

    fn word(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |t| t.folded.as_str())
    }

    /// Whether it asks how many, and where the noun stands.
    fn lead(&self) -> (bool, usize) {
        let two = [self.word(0), self.word(1)].join(" ");
        match HOW_MANY.iter().find(|said| two.starts_with(**said)) {
            Some(said) => (true, said.split(' ').count()),
            None => (false, usize::from(one_of(WHICH, self.word(0)))),
        }
    }

    /// The column whose values the noun stands for; it is no name for the rows.
    fn told_apart_by(&self, at: usize) -> Option<&Column> {
        let noun = self.tokens.get(at).filter(|t| t.kind == TokenKind::Word)?;
        if self.is_of_rows(&noun.stem) {
            return None;
        }
        let named = |column: &&Column| {
            let called = std::iter::once(&column.name).chain(&column.label).chain(&column.synonyms);
            (column.kind == Kind::Text || crate::planner::lattice::is_id(&column.name))
                && called.flat_map(|name| parts(name)).any(|part| {
                    let part = stem(&part);
                    part == noun.stem || same_noun(&part, &noun.stem)
                })
        };
        let mut named = self.table.columns.iter().filter(named);
        let column = named.next().filter(|_| named.next().is_none())?;
        // one row each: the rows are what is asked for
        let each = column.values.as_ref().is_some_and(|v| v.len() as u64 >= self.table.rows);
        (!each).then_some(column)
    }

    fn bound(&self, from: usize) -> Option<Bound> {
        (from..self.tokens.len()).find_map(|at| {
            let sign = SIGNS.iter().find_map(|(said, sign)| {
                let words: Vec<&str> = said.split(' ').collect();
                if *sign == "==" && one_of(said, self.word(at)) {
                    return Some((*sign, 1));
                }
                let here = words.iter().enumerate().all(|(i, word)| self.word(at + i) == *word);
                here.then_some((*sign, words.len()))
            });
            let (mut sign, taken) = sign.unwrap_or(("==", 0));
            let at_number = at + taken;
            let token = self.tokens.get(at_number)?;
            let number = match token.kind {
                TokenKind::Number { value, unit: None, .. } => value,
                _ => NUMBERS.iter().find(|(list, _)| one_of(list, &token.folded))?.1.into(),
            };
            let mut to = at_number + 1;
            match [self.word(to), self.word(to + 1)] {
                ["or", "more"] | ["и", "более" | "больше"] => {
                    (sign, to) = (">=", to + 2);
                }
                ["or", "less" | "fewer"] | ["и", "менее" | "меньше"] => {
                    (sign, to) = ("<=", to + 2);
                }
                _ => {}
            }
            Some(Bound { sign, number, from: at, to })
        })
    }

    fn with_so_many(
        &self,
        group: &Column,
        bound: &Bound,
        to: usize,
        counted: bool,
    ) -> Option<Made> {
        let key = format::name(&group.name);
        let rest = self.said(to, self.tokens.len());
        let base = self.ready(format!("number of rows by {key} {rest}").trim())?;
        let plain = base.steps.is_empty() && base.limit.is_none() && base.group_by == [key];
        (plain && base.select == ["count()".into()]).then(|| self.only(base, bound, counted))?
    }

    /// `with revenue over 5000`: what adds up is added up.
    fn with_so_much(
        &self,
        group: &Column,
        at: usize,
        bound: &Bound,
        counted: bool,
    ) -> Option<Made> {
        let with = (at + 1..bound.from).find(|&i| one_of("with whose having с", self.word(i)))?;
        if with != at + 1 || bound.from <= with + 1 || bound.sign == "==" {
            return None;
        }
        let key = format::name(&group.name);
        let measure = self.said(with + 1, bound.from);
        let rest = self.said(bound.to, self.tokens.len());
        let total = if self.is_russian() { "сумма" } else { "total" };
        let by = if self.is_russian() { "по" } else { "by" };
        let base = self.ready(format!("{total} {measure} {by} {key} {rest}").trim())?;
        let [told] = &base.select[..] else { return None };
        let name = told.text.strip_prefix("sum(").and_then(|text| text.strip_suffix(')'))?;
        let column = self.table.columns.iter().position(|c| format::name(&c.name) == name)?;
        let adds_up = Table::new(self.table).adds_up(Measure::Column(column));
        let plain = base.steps.is_empty() && base.limit.is_none() && base.group_by == [key];
        (plain && adds_up).then(|| self.only(base, bound, counted))?
    }

    /// The groups of a query for which the bound holds, or how many of them there are.
    fn only(&self, base: Query, bound: &Bound, counted: bool) -> Option<Made> {
        let Text { en, ru } = self.told(&base)?;
        let made = format::name(&result_name(base.select.first()?));
        let (sign, number) = (bound.sign, bound.number);
        let shown = match sign {
            "==" => "=",
            ">=" => "≥",
            "<=" => "≤",
            other => other,
        };
        let (how_many, number_of) = if counted {
            ("how many groups there are, ", "сколько групп, ")
        } else {
            ("", "")
        };
        let en = format!("{how_many}{en}, only groups where it is {shown} {number}");
        let ru = format!("{number_of}{ru}, только группы, где это {shown} {number}");
        let filter = Some(format!("{made} {sign} {number}"));
        let mut steps = vec![Query { filter, ..Query::default() }];
        if counted {
            steps.push(Query { select: vec!["count()".into()], ..Query::default() });
        }
        Some(Made::Query(Query { steps, ..base }, Text { en, ru }))
    }
}
