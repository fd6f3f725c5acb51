//! `and which is second?`, `а кто третий?`, `who is last?` after groups: the one at that place of those
//! that were told.

use super::{Asked, Made, one_of};
use crate::error::Text;
use crate::planner::build::result_name;
use crate::planner::dictionary::same_noun;
use crate::planner::stem::{parts, stem};
use crate::query::{Query, format};

/// Words for a place.
const PLACES: [(&str, u64); 4] = [
    ("second вторая второй второе втором", 2),
    ("third третья третий третье третьем", 3),
    ("fourth четвертая четвертый четвертое четвертом", 4),
    ("fifth пятая пятый пятое пятом", 5),
];
const LAST: &str = "last последняя последний последнее последнем";
/// Words beside them; one of those that ask has to be there, or the question begins with `and`.
const ASK: &str = "which what who какой какая какое кто что где";
const BESIDE: &str = "and but then in on at the is was comes came place one а и но на в у месте место идет \
                      был была было стоит оказался оказалась";
/// Columns that parts of time are made in: their second one is that of the calendar.
const OF_TIME: [&str; 9] =
    ["year", "quarter", "month", "monthname", "week", "dow", "dayname", "hour", "day"];

impl Asked<'_> {
    pub(super) fn place(&self) -> Option<Made> {
        let words = self.words()?;
        let before = &plain(self.previous?);
        let ([key], [told]) = (&before.group_by[..], &before.select[..]) else { return None };
        let by_time = OF_TIME.contains(&key.as_str())
            || self.table.column(key).is_some_and(|column| column.kind.is_time());
        if !before.steps.is_empty()
            || by_time
            || !words.iter().any(|w| one_of(ASK, w) || *w == words[0] && one_of("and а и", w))
        {
            return None;
        }
        let (mut place, mut last) = (None, false);
        for (at, word) in words.iter().enumerate() {
            let found = PLACES.iter().find(|(list, _)| one_of(list, word)).map(|(_, n)| *n);
            let named = || {
                let stem = self.tokens.iter().find(|t| t.folded == *word).map(|t| t.stem.as_str());
                let own = |part: &String| {
                    stem.is_some_and(|said| {
                        *said == self::stem(part) || same_noun(&self::stem(part), said)
                    })
                };
                parts(key).iter().any(own)
            };
            if found.is_some() || one_of(LAST, word) {
                if place.is_some() || last {
                    return None;
                }
                place = found;
                last = found.is_none();
            } else if !(one_of(ASK, word) || one_of(BESIDE, word) || at > 0 && named()) {
                return None;
            }
        }
        let measure = result_name(told);
        let column = format::name(&measure);
        let order = before.sort.first().filter(|_| before.limit.is_some());
        // of rows in another order the places are others
        let descending = order.is_none_or(|key| key.ends_with(" desc"));
        if order.is_some_and(|key| !key.starts_with(&column)) {
            return None;
        }
        let groups = Query { sort: Vec::new(), limit: None, ..before.clone() };
        let Text { en, ru } = self.told(&groups)?;
        let (down, up) = (format!("{column} desc"), format!("{column} asc"));
        let (first, then) = if descending == last { (up, down) } else { (down, up) };
        let Some(place) = place else {
            let query = Query { sort: vec![first], limit: Some(1), ..groups };
            return Some(Made::Query(
                query,
                if descending {
                    Text { en: en + ", the smallest", ru: ru + ", наименьшее" }
                } else {
                    Text { en: en + ", the largest", ru: ru + ", наибольшее" }
                },
            ));
        };
        // there may be fewer of them
        let known = self.table.column(key).and_then(|column| column.values.as_ref());
        if known.is_some_and(|values| (values.len() as u64) < place) {
            return None;
        }
        // of a tie each has its own place
        let name = format::name(key);
        let step =
            Query { sort: vec![then, format!("{name} desc")], limit: Some(1), ..Query::default() };
        let sort = vec![first, format!("{name} asc")];
        let query = Query { sort, limit: Some(place), steps: vec![step], ..groups };
        let said = if descending {
            Text {
                en: format!("{en}, number {place} from the largest"),
                ru: format!("{ru}, место {place}, считая от наибольшего"),
            }
        } else {
            Text {
                en: format!("{en}, number {place} from the smallest"),
                ru: format!("{ru}, место {place}, считая от наименьшего"),
            }
        };
        Some(Made::Query(query, said))
    }
}

/// The query of one place, as one for all of them in that order down to it.
fn plain(query: &Query) -> Query {
    let one = |step: &Query| {
        let made = [step.map.len(), step.group_by.len(), step.select.len(), step.columns.len()];
        !step.sort.is_empty() && step.limit == Some(1) && step.filter.is_none() && made == [0; 4]
    };
    match &query.steps[..] {
        [step] if query.limit.is_some() && one(step) => {
            Query { steps: Vec::new(), ..query.clone() }
        }
        _ => query.clone(),
    }
}
