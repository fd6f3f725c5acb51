//! `Share of females among Adelie`, `доля самок на Dream`: of the rows that the last words name, the part
//! that the first ones do.

use super::{Asked, Made, begins, one_of};
use crate::error::Text;
use crate::planner::follow::{all, conditions};
use crate::planner::{Context, Status, attempt};
use crate::query::ast::Expr;
use crate::query::{Query, Selected, format};

const SHARE: [&str; 8] =
    ["share", "percent", "percentage", "proportion", "fraction", "доля", "долю", "процент"];
const MONEY: [&str; 6] = ["sales", "revenue", "money", "spend", "продаж", "выручк"];
const AMONG: &str = "among amongst среди";
const PLACE: &str = "in on at from в во на из у";
const BE: &str = "are is was were";

impl Asked<'_> {
    /// As far as the rows can be named alone, and what is asked of them is of no group.
    pub(super) fn among(&self) -> Option<Made> {
        let word = |at: usize| self.tokens.get(at).map_or("", |t| t.folded.as_str());
        let end = self.tokens.len();
        let share = (0..end.min(5)).find(|&at| begins(&SHARE, word(at)))?;
        // `share of Books in sales` is of money
        if (0..end).any(|at| begins(&MONEY, word(at))) {
            return None;
        }
        // `what percentage of chinstraps are male`
        let be = (share + 2..end).find(|&at| word(share + 1) == "of" && one_of(BE, word(at)));
        let last = |list: &str| (share + 2..end).rfind(|&at| one_of(list, word(at)));
        let whole = match (be, last(AMONG)) {
            (Some(be), _) => self.said(share + 2, be),
            (None, Some(at)) => self.said(at + 1, end),
            (None, None) => self.said(last(PLACE)? + 1, end),
        };
        let whole = whole.trim_end_matches('?').trim();
        let rows = if self.is_russian() { "строки" } else { "rows" };
        let rows = self.ready(&format!("{rows} {whole}"))?;
        let of = rows.filter.as_deref()?;
        let narrowed =
            Query { filter: rows.filter.clone(), table: rows.table.clone(), ..Query::default() };
        if rows != narrowed {
            return None;
        }
        let of: Vec<String> = conditions(of)?.iter().map(format::expr).collect();
        let mut made = self.shares().into_iter().filter_map(|query| {
            let [Selected { alias, text }] = &query.select[..] else { return None };
            let both = conditions(text.strip_prefix("pct(")?.strip_suffix(')')?)?;
            let named = both.len();
            let others = both.into_iter().filter(|e| !of.contains(&format::expr(e)));
            let rest: Vec<Expr> = others.collect();
            let splits = rest.len() + of.len() == named && !rest.is_empty();
            let filter = all(rest)?;
            let text = format!("pct({filter})");
            let part = Query { filter: Some(filter), ..narrowed.clone() };
            let alias = alias.clone();
            let bare = Query { select: Vec::new(), table: None, ..query };
            let select = vec![Selected { alias, text }];
            (splits && bare == Query::default())
                .then(|| (Query { select, ..narrowed.clone() }, part))
        });
        let (query, part) = made.next()?;
        let (whole, part) = (self.conditions_told(&rows)?, self.conditions_told(&part)?);
        let en = format!("share of rows with {}, in %, where {}", part.en, whole.en);
        let ru = format!("доля строк, где {}, в %, среди строк, где {}", part.ru, whole.ru);
        Some(Made::Query(query, Text { en, ru }))
    }

    /// What rows are told to be.
    fn conditions_told(&self, rows: &Query) -> Option<Text> {
        let Text { en, ru } = self.told(rows)?;
        let (en, ru) = (en.split_once(", where ")?.1, ru.split_once(", где ")?.1);
        Some(Text { en: en.to_owned(), ru: ru.to_owned() })
    }

    /// What the question is read as, asked for itself.
    fn shares(&self) -> Vec<Query> {
        let alone = Context { previous: None, ..*self.context };
        let said = self.said(0, self.tokens.len());
        let made = attempt(&said, self.tables, &alone);
        let plan = made.plan;
        if !made.unknown.is_empty() {
            return Vec::new();
        }
        let ready = plan.query.filter(|_| plan.status == Status::Ready);
        ready.into_iter().chain(plan.readings.into_iter().map(|r| r.query)).collect()
    }
}
