//! `average trips per rider`, `trips per hour on average`: how many rows each group has, and the mean of
//! that.

use super::{Asked, Made, one_of};
use crate::error::Text;
use crate::planner::dictionary::same_noun;
use crate::planner::stem::{parts, stem};
use crate::planner::token::{Token, TokenKind};
use crate::query::{Query, format};
use crate::schema::{Kind, TableSchema};
use std::sync::Arc;

const MEAN: &str = "average avg mean";
const NUMBER: &str = "number count";
/// Words before all of it that only ask.
const ASKS: &str = "what is was the are were how many much show me do does did have we there a \
                    какое каково сколько покажи было бывает приходится";
/// Words between the two.
const PER: &str = "per each every";

/// What stands on both sides of `per`.
struct Each<'a> {
    things: &'a str,
    group: &'a [Token],
    /// The mean of a number of things is asked for.
    mean: bool,
    /// Their number is, of each.
    counted: bool,
}

/// Places of the words that are left when what only asks is taken away.
fn sides(tokens: &[Token]) -> Option<Each<'_>> {
    let word = |at: usize| tokens.get(at).map_or("", |t| t.folded.as_str());
    let end = tokens.len() - usize::from(tokens.last()?.is_symbol("?"));
    // `в среднем в чеке`
    let within = |at: usize| word(at) == "в" && word(at + 1) != "среднем";
    let mut pers = (1..end).filter(|&at| one_of(PER, word(at)) || word(at) == "на" || within(at));
    let (Some(per), None) = (pers.next(), pers.next()) else { return None };
    let russian = ["на", "в"].contains(&word(per));
    let (mut mean, mut things) = (false, None);
    let mut at = 0;
    while at < per {
        match word(at) {
            "on" | "in" | "в" if ["average", "среднем"].contains(&word(at + 1)) => {
                mean = true;
                at += 1;
            }
            word if one_of(MEAN, word) || word.starts_with("средн") => mean = true,
            word if one_of(NUMBER, word) || word == "of" || one_of(ASKS, word) => {}
            word if russian && ["число", "количество"].contains(&word) => {}
            _ if things.is_none() => things = Some(at),
            _ => return None,
        }
        at += 1;
    }
    let mut group = tokens.get(per + 1..end)?;
    // `per hour on average`, `на город в среднем`
    if let [rest @ .., by, average] = group
        && ["on", "в"].contains(&by.folded.as_str())
        && ["average", "среднем"].contains(&average.folded.as_str())
    {
        mean = true;
        group = rest;
    }
    if let [first, rest @ ..] = group
        && ["each", "every", "каждый", "каждую", "каждое", "одного", "одну", "один"]
            .contains(&first.folded.as_str())
    {
        group = rest;
    }
    let things = tokens.get(things?).filter(|t| t.kind == TokenKind::Word)?;
    let number = ["many", "number", "count", "сколько", "число", "количество"];
    let counted =
        ["per", "в", "на"].contains(&word(per)) && (0..per).any(|at| number.contains(&word(at)));
    (!group.is_empty()).then_some(Each { things: &things.stem, group, mean, counted })
}

impl Asked<'_> {
    pub(super) fn each(&self) -> Option<Made> {
        let Each { things, group: [group], mean: true, .. } = sides(self.tokens)? else {
            return None;
        };
        if !self.is_of_rows(things) || self.goes_well() {
            return None;
        }
        self.rows_of_each(group)
    }

    /// How many rows each value of what the word names has, on average.
    pub(super) fn rows_of_each(&self, group: &Token) -> Option<Made> {
        let means = |part: &String, said: &str| {
            let part = stem(part);
            part == said || same_noun(&part, said)
        };
        let steps = vec![Query { select: vec!["mean(count)".into()], ..Query::default() }];
        let counted = |map: Vec<(String, String)>, group_by: Vec<String>| Query {
            map,
            group_by,
            select: vec!["count()".into()],
            steps: steps.clone(),
            ..Query::default()
        };
        if ["hour", "час"].contains(&group.folded.as_str()) {
            self.table.time.as_ref()?;
            let [day, hour] = ["day", "hour"].map(str::to_owned);
            let map = vec![(day.clone(), "date()".to_owned()), (hour.clone(), "hour()".to_owned())];
            let said = text!(
                "mean number of rows of an hour, of the hours that have any",
                "среднее число строк в час по тем часам, в которых они есть"
            );
            return Some(Made::Query(counted(map, vec![day, hour]), said));
        }
        let mut named = self.table.columns.iter().filter(|c| {
            let called = std::iter::once(&c.name).chain(&c.label).chain(&c.synonyms);
            !c.kind.is_time()
                && c.kind != Kind::Float
                && called.flat_map(|name| parts(name)).any(|part| means(&part, &group.stem))
        });
        let (Some(of), None) = (named.next(), named.next()) else { return None };
        let key = format::name(&of.name);
        let (en, ru) = (&of.name, of.label.as_ref().unwrap_or(&of.name));
        let said = text!(
            "mean number of rows of each {en}",
            "среднее число строк на каждое значение «{ru}»"
        );
        // rows without a value are no group
        let mut query = counted(Vec::new(), vec![key.clone()]);
        if of.nulls.is_some_and(|nulls| nulls > 0) {
            query.filter = Some(format!("not isnull({key})"));
        }
        Some(Made::Query(query, said))
    }
}

/// `average number of items per receipt`, `how many items per receipt` of receipts and their lines: the
/// lines of each.
pub(super) fn lines_of_each(
    tokens: &[Token],
    tables: &[Arc<TableSchema>],
) -> Option<(Query, Text)> {
    const RUSSIAN: [(&str, &str); 4] =
        [("товар", "items"), ("позиц", "items"), ("строк", "items"), ("чек", "receipt")];
    let Each { things, group: [group], mean, counted } = sides(tokens)? else { return None };
    if !(mean || counted) {
        return None;
    }
    let called = |said: &str, part: &str| {
        let part = stem(part);
        part == said || RUSSIAN.iter().any(|(ru, en)| said.starts_with(ru) && stem(en) == part)
    };
    tables.iter().find_map(|table| {
        let [of, lines] = &parts(&table.name)[..] else { return None };
        if !called(things, lines) || !called(&group.stem, of) {
            return None;
        }
        let key = table.columns.iter().find(|c| {
            c.kind != Kind::Float && parts(&c.name)[..] == [of.clone(), "id".to_owned()]
        })?;
        let query = Query {
            table: Some(table.name.clone()),
            group_by: vec![format::name(&key.name)],
            select: vec!["count()".into()],
            steps: vec![Query { select: vec!["mean(count)".into()], ..Query::default() }],
            ..Query::default()
        };
        let name = &table.name;
        let said = text!(
            "mean number of lines of each {of}, of those in {name}",
            "среднее число строк на каждый {of} в таблице {name}"
        );
        Some((query, said))
    })
}

#[cfg(test)]
mod tests {
    use super::lines_of_each;
    use crate::planner::token::tokenise;
    use crate::schema::{Column, Kind, TableSchema};
    use std::sync::Arc;

    #[test]
    fn lines_of_receipts() {
        let of = |name: &str, key: &str| TableSchema::new(name, vec![Column::new(key, Kind::Int)]);
        let tables = [of("receipts", "id"), of("receipt_items", "receipt_id")].map(Arc::new);
        for question in [
            "average number of items per receipt",
            "how many items per receipt?",
            "сколько товаров в чеке?",
        ] {
            let (query, _) = lines_of_each(&tokenise(question), &tables).expect(question);
            assert_eq!(query.table.as_deref(), Some("receipt_items"), "{question}");
            assert_eq!(query.group_by, ["receipt_id"], "{question}");
        }
        // those of each are a list
        for question in ["items per receipt", "how many items in each receipt"] {
            assert_eq!(lines_of_each(&tokenise(question), &tables), None, "{question}");
        }
    }
}
