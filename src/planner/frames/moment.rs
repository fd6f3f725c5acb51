//! `when was it?`, `в каком городе?` after a highest value or the row that has it: that row.

use super::{Asked, Made, one_of};
use crate::planner::stem::{parts, stem};
use crate::query::{Query, format};

/// Questions for the moment of what was answered.
const WHEN: [&str; 23] = [
    "when was it",
    "when was that",
    "when was this",
    "when is it",
    "when is that",
    "when did it happen",
    "when did that happen",
    "when did this happen",
    "and when was it",
    "and when was that",
    "and when",
    "when",
    "what date was it",
    "what day was it",
    "what date was that",
    "what day was that",
    "on what date",
    "on which day",
    "когда это было",
    "когда это произошло",
    "а когда это было",
    "а когда",
    "когда",
];
/// Words beside a column that is asked of the row.
const BESIDE: &str = "and which what was it that this in from is the of did happen а в на из какой каком какая \
                      какое какого каких это был была было он она оно произошло случилось";

impl Asked<'_> {
    pub(super) fn moment(&self) -> Option<Made> {
        let words = self.words()?;
        let said = words.join(" ");
        let was = |lead: &str| {
            said == format!("когда {lead} было") || {
                ["она была", "он был", "оно было"]
                    .iter()
                    .any(|end| said == format!("{lead}когда {end}"))
            }
        };
        let when = WHEN.contains(&said.as_str()) || was("") || was("а ");
        if !when && !self.of_a_column(&words) || when && !self.has_times() {
            return None;
        }
        let query = self.row_of(self.previous?)?;
        let said = self.told(&query)?;
        Some(Made::Query(query, said))
    }

    fn has_times(&self) -> bool {
        self.table.columns.iter().any(|c| c.kind.is_time())
    }

    /// `which city was it in`, `в каком городе`.
    fn of_a_column(&self, words: &[&str]) -> bool {
        let asks = words.iter().any(|w| one_of("which what какой каком какая какое какого", w));
        let mut named = words.iter().filter(|w| !one_of(BESIDE, w));
        let (Some(noun), None) = (named.next(), named.next()) else { return false };
        let Some(token) = self.tokens.iter().find(|t| t.folded == **noun) else { return false };
        let called = |part: &String| {
            let part = stem(part);
            part == token.stem || crate::planner::dictionary::same_noun(&part, &token.stem)
        };
        asks && self.table.columns.iter().any(|c| {
            std::iter::once(&c.name)
                .chain(&c.label)
                .chain(&c.synonyms)
                .any(|name| parts(name).iter().any(called))
        })
    }

    /// The row that has the highest or lowest value that a query told, or that the query gave.
    fn row_of(&self, query: &Query) -> Option<Query> {
        let own = query.table.as_ref().is_none_or(|name| *name == self.table.name);
        if !own || !query.group_by.is_empty() || !query.steps.is_empty() {
            return None;
        }
        let [only] = &query.select[..] else {
            // what was answered is such a row
            let one = query.select.is_empty() && query.limit == Some(1) && !query.sort.is_empty();
            return one.then(|| query.clone());
        };
        let of = |function: &str| only.text.strip_prefix(function)?.strip_suffix(')');
        let (what, order) = match (of("max("), of("min(")) {
            (Some(what), _) => (what, " desc"),
            (_, Some(what)) => (what, ""),
            _ => return None,
        };
        let column = query.map.iter().any(|(name, _)| name == what)
            || self.table.columns.iter().any(|c| format::name(&c.name) == what);
        column.then(|| Query {
            select: Vec::new(),
            sort: vec![format!("{what}{order}")],
            limit: Some(1),
            ..query.clone()
        })
    }
}
