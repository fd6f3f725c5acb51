//! `На сколько поездок в июле больше, чем в июне`: both of them with the difference, of what adds up the
//! sums and of anything else the means.

use super::{Asked, Made, one_of};
use crate::planner::assemble::Table;
use crate::planner::sketch::Measure;
use crate::planner::token::TokenKind;
use crate::query::{Query, Selected, format};

const MORE: &str = "больше меньше выше ниже";
const PLACE: &str = "в во у на из с за по среди";

impl Asked<'_> {
    /// As far as both are values of a column, or months, or days of the week.
    pub(super) fn more_in_russian(&self) -> Option<Made> {
        let word = |at: usize| self.tokens.get(at).map_or("", |t| t.folded.as_str());
        let asks = match (word(0), word(1)) {
            ("насколько", _) => 1,
            ("на", "сколько") => 2,
            _ => return None,
        };
        let than = (asks..self.tokens.len()).find(|&at| word(at) == "чем")?;
        let more = (asks..than).rfind(|&at| one_of(MORE, word(at)))?;
        let sign = |at: usize| self.tokens.get(at).is_none_or(|t| t.kind == TokenKind::Symbol);
        let place = (asks + 1..more).find(|&at| one_of(PLACE, word(at)))?;
        if !(more + 1..than).all(sign) {
            return None;
        }
        let bare = |from: usize, to: usize| (from..to).find(|&at| !one_of(PLACE, word(at)));
        let measure = self.said(asks, place);
        let one = self.said(bare(place, more)?, more);
        let other = self.said(bare(than + 1, self.tokens.len())?, self.tokens.len());
        let other = other.trim_end_matches('?').trim();
        let groups = self
            .two_groups(&format!("среднее {measure} {one} против {other}"))
            .or_else(|| self.two_groups(&format!("число {measure} {one} против {other}")))
            .or_else(|| {
                ["по дням недели в", "по месяцам в"].into_iter().find_map(|by| {
                    let query = self.ready(&format!("среднее {measure} {by} {one} и {other}"))?;
                    let [key] = &query.group_by[..] else { return None };
                    query.filter.as_deref()?.starts_with(&format!("{key} in [")).then_some(query)
                })
            })?;
        let all = self.ready(&format!("сколько {measure}"))?;
        let bare = Query { select: Vec::new(), table: None, ..all.clone() } == Query::default();
        let [told] = &all.select[..] else { return None };
        let column = told.text.strip_prefix("sum(").and_then(|rest| rest.strip_suffix(')'));
        let select = match column {
            Some(column) if !self.adds_up(column) => {
                Selected::from(format!("mean({column})").as_str())
            }
            _ => told.clone(),
        };
        let query = Query { select: vec![select], sort: Vec::new(), ..groups };
        bare.then(|| self.with_difference(query))?
    }

    /// What each row has is a part of a whole, and no share or rate.
    fn adds_up(&self, column: &str) -> bool {
        let table = Table::new(self.table);
        let mut all = self.table.columns.iter().enumerate();
        all.find(|(_, c)| format::name(&c.name) == column)
            .is_some_and(|(at, c)| table.adds_up(Measure::Column(at)) && !c.fraction)
    }
}
