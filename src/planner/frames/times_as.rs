//! `How many times heavier is Gentoo than Adelie`, `во сколько раз самцы тяжелее самок`: both of them, with
//! the first that is said divided by the other.

use super::{Asked, Made};
use crate::planner::naming::{DIFFERENCE, RATIO};
use crate::planner::token::tokenise;

impl Asked<'_> {
    /// As far as by how much the one is more than the other is understood.
    pub(super) fn times_as(&self) -> Option<Made> {
        let word = |at: usize| self.tokens.get(at).map_or("", |t| t.folded.as_str());
        let much = match (word(0), word(1), word(2)) {
            ("how", "many", "times") => "how much",
            ("во", "сколько", "раз") => "насколько",
            _ => return None,
        };
        let question = format!("{much} {}", self.said(3, self.tokens.len()));
        let tokens = tokenise(&question);
        let asked = Asked { tokens: &tokens, ..*self };
        let made = asked.difference().or_else(|| asked.how_much_more())?;
        let Made::Query(mut query, said) = made else { return None };
        let [step] = &mut query.steps[..] else { return None };
        let [(name, made)] = &mut step.map[..] else { return None };
        let (of, before) = made.split_once(" - ")?;
        if name != DIFFERENCE || before != format!("prev({of})") {
            return None;
        }
        (*name, *made) = (RATIO.to_owned(), format!("{of} / {before}"));
        let en = said.en.rsplit_once(", with the difference")?.0;
        let ru = said.ru.rsplit_once(", с разницей")?.0;
        let said = text!(
            "{en}, with the ratio (the second group divided by the first)",
            "{ru}, с отношением (вторая группа, делённая на первую)"
        );
        Some(Made::Query(query, said))
    }
}
