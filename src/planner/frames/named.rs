//! `average price of bikes and cars`: the mean of each of them, where one mean of both says of neither.

use super::{Asked, Made, one_of};
use crate::planner::follow::{goes_on, taken_out};
use crate::query::{Query, format};
use crate::schema::Kind;

/// Words for one value in the middle; a sum of both is what `and` says.
const MIDDLE: &str = "average avg mean median typical typically средний средняя среднее средние \
                      среднюю средней среднего среднем медианный медианная медианное медианную медиана";
/// Words that ask for both at once, or for either.
const AT_ONCE: &str = "or или together combined overall both jointly вместе вместо обоих обеих общий \
                       общая общее совокупный совместно";

impl Asked<'_> {
    pub(super) fn named(&self, question: &str) -> Option<Made> {
        let said = |list: &str| self.tokens.iter().any(|t| one_of(list, &t.folded));
        if !said(MIDDLE) || !said("and и") || said(AT_ONCE) || goes_on(self.tokens) {
            return None;
        }
        let query = self.ready(question)?;
        let [only] = &query.select[..] else { return None };
        if !only.text.starts_with("mean(") && !only.text.starts_with("median(") {
            return None;
        }
        let texts = self.table.columns.iter().filter(|c| c.kind == Kind::Text);
        let names: Vec<String> = texts.map(|c| format::name(&c.name)).collect();
        let of = |e: &str| names.iter().find(|name| e.starts_with(&format!("{name} in [")));
        let (values, rest) = taken_out(query.filter.as_deref()?, |e| of(e).is_some())?;
        let key = of(&values)?.clone();
        let plain = Query {
            select: Vec::new(),
            filter: None,
            period: None,
            session: None,
            table: None,
            ..query.clone()
        };
        if plain != Query::default() || rest.is_some_and(|rest| rest.contains(&values)) {
            return None;
        }
        self.explained(Query { group_by: vec![key], ..query })
    }
}
