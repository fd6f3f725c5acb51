//! `Rider with the most trips`, `year with the fewest Gentoo`: which of them has the most, not the highest
//! of their numbers.

use super::wording::Asked;
use crate::planner::stem::{parts, stem};
use crate::planner::token::TokenKind;
use crate::schema::{Column, Kind};

impl Asked<'_> {
    /// Of a column whose whole numbers name something: `rider_id`, `year`.
    pub(super) fn with_the_most(&self) -> Option<String> {
        let article = usize::from(self.word(0) == "the");
        // `which year has the fewest Gentoo`
        let which = ["which", "what"].contains(&self.word(article));
        let at = article + usize::from(which);
        let column = self.names_others(at)?;
        let verbs: &[&str] = if which { &["has", "had"] } else { &["with", "having"] };
        if !verbs.contains(&self.word(at + 1)) {
            return None;
        }
        let most = at + 2 + usize::from(self.word(at + 2) == "the");
        let said = self.word(most);
        let (said, next) = match said {
            "most" | "fewest" => (said, most + 1),
            "least" => ("fewest", most + 1),
            "highest" | "largest" | "greatest" | "biggest" | "lowest" | "smallest"
                if self.word(most + 1) == "number" && self.word(most + 2) == "of" =>
            {
                let low = ["lowest", "smallest"].contains(&said);
                (if low { "fewest" } else { "most" }, most + 3)
            }
            _ => return None,
        };
        let of = self.tokens.get(next).filter(|t| t.kind != TokenKind::Symbol)?;
        let rest = self.question.get(of.span.start..)?.trim_end_matches('?').trim();
        let most = said == "most";
        let name = &column.name;
        Some(if self.is_row(next) {
            format!("which `{name}` has the {said} {rest}")
        } else if let Some(measure) = self.added_up(&of.stem) {
            let end = if most { "highest" } else { "lowest" };
            let rest = self.question.get(of.span.end..)?.trim_end_matches('?').trim();
            format!("which `{name}` has the {end} total `{}` {rest}", measure.name)
        } else {
            let end = if most { "largest" } else { "smallest" };
            format!("number of rows by `{name}` where {rest}, the {end} 1")
        })
    }

    /// The column of whole numbers that a word names, each of which stands for something else.
    fn names_others(&self, at: usize) -> Option<&Column> {
        let word = &self.tokens.get(at).filter(|t| t.kind == TokenKind::Word)?.stem;
        let mut all = self.table.columns.iter().filter(|c| match &parts(&c.name)[..] {
            [noun, id] if id == "id" => c.kind == Kind::Int && stem(noun) == *word,
            [year] => year == "year" && c.kind == Kind::Int && stem(year) == *word,
            _ => false,
        });
        all.next().filter(|_| all.next().is_none() && !self.is_row(at))
    }

    /// The only column of numbers with such a word in its name, which is no number of another thing.
    fn added_up(&self, word: &str) -> Option<&Column> {
        let mut all = self.table.columns.iter().filter(|c| {
            let names = parts(&c.name);
            c.kind.is_numeric()
                && names.iter().any(|part| stem(part) == word)
                && !names.iter().any(|part| part == "id")
        });
        all.next().filter(|_| all.next().is_none())
    }
}

#[cfg(test)]
mod tests {
    use crate::planner::restated::meant;
    use crate::schema::{Column, Kind, TableSchema};

    #[test]
    fn which_of_them_has_the_most() {
        let columns = vec![
            Column::new("rider_id", Kind::Int),
            Column::new("trip_id", Kind::Int),
            Column::new("year", Kind::Int),
            Column::new("tip", Kind::Float),
        ];
        let table = TableSchema::new("trips", columns);
        for (question, wanted) in [
            ("rider with the most trips", Some("which `rider_id` has the most trips")),
            (
                "riders with the most trips in May?",
                Some("which `rider_id` has the most trips in May"),
            ),
            ("the year with the fewest trips", Some("which `year` has the fewest trips")),
            (
                "rider with the lowest number of trips",
                Some("which `rider_id` has the fewest trips"),
            ),
            ("rider with most tips", Some("which `rider_id` has the highest total `tip` ")),
            (
                "which year has the least Gentoo",
                Some("number of rows by `year` where Gentoo, the smallest 1"),
            ),
            ("rider with the highest tip", None),
            ("trip with the most tips", None),
        ] {
            assert_eq!(meant(question, &table).as_deref(), wanted, "{question}");
        }
    }
}
