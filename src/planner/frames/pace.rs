//! `average speed` of a table with distances and times: what was covered in all, by the time of all.

use super::{Asked, Made, begins, one_of};
use crate::error::Locale;
use crate::planner::explain;
use crate::planner::stem::parts;
use crate::query::{Selected, check, format};
use crate::schema::Column;

/// Words beside the one for speed.
const BESIDE: &str = "what is was the average mean avg overall show me how a of trip trips ride rides \
                      какая какова средняя среднюю средней была покажи поездок поездки";
/// Units of time as a whole name of a column, and how many of them make an hour.
const TIMES: [(&str, u32); 3] = [
    ("minutes mins minute min duration_min duration_minutes trip_minutes минуты минут", 60),
    ("hours hour hrs duration_hours часы часов", 1),
    ("seconds secs second sec duration_sec duration_seconds секунды секунд", 3600),
];

impl Asked<'_> {
    pub(super) fn pace(&self) -> Option<Made> {
        let word = |at: usize| self.tokens.get(at).map_or("", |t| t.folded.as_str());
        let fits = |at: &usize| begins(&["speed", "pace", "скорост"], word(*at));
        let at = (0..self.tokens.len()).find(fits)?;
        let own = |c: &Column| {
            parts(&c.name).iter().any(|part| begins(&["speed", "velocity", "скорост"], part))
        };
        let plain = (0..at).all(|i| one_of(BESIDE, word(i)));
        if !plain || self.table.columns.iter().any(own) {
            return None;
        }
        // `in km per hour`, which it is told in
        let unit = |at: usize| one_of("in km kmh kph mph miles h per hour в км час ч", word(at));
        let from = match word(at + 1) {
            "in" | "в" if one_of("km kmh kph miles км", word(at + 2)) => {
                (at + 1..self.tokens.len()).find(|&i| !unit(i) && word(i) != "/")
            }
            _ => None,
        };
        let unit_last = matches!(word(at + 1), "in" | "в")
            && (at + 2..self.tokens.len()).all(|i| unit(i) || one_of("/ ?", word(i)));
        let from = if unit_last { self.tokens.len() } else { from.unwrap_or(at + 1) };
        let rest = self.said(from, self.tokens.len());
        let numbers = || self.table.columns.iter().filter(|c| c.kind.is_numeric());
        let mut long = numbers().filter_map(|c| {
            let parts = parts(&c.name);
            let unit = ["km", "miles", "mi", "км"].iter().find(|unit| {
                parts.iter().any(|part| part == *unit) || c.unit.as_deref() == Some(**unit)
            })?;
            Some((c, *unit))
        });
        let (Some((way, unit)), None) = (long.next(), long.next()) else { return None };
        let mut took = numbers().filter_map(|c| {
            let (_, per_hour) =
                TIMES.iter().find(|(list, _)| one_of(list, &c.name.to_lowercase()))?;
            Some((c, *per_hour))
        });
        let (Some((time, per_hour)), None) = (took.next(), took.next()) else { return None };
        let total = if self.is_russian() { "сумма" } else { "total" };
        let [distance, duration] = [&way.name, &time.name].map(|name| format::name(name));
        let mut query = self.ready(&format!("{total} {distance} {rest}"))?;
        let sum = format!("sum({distance})");
        if query.select != [sum.as_str().into()]
            || !query.steps.is_empty()
            || !query.sort.is_empty()
        {
            return None;
        }
        let checked = check(&query, self.tables).ok()?;
        let [en, ru] = [Locale::En, Locale::Ru].map(|l| explain::of_query(&checked, false, l));
        let (en, ru, by) = (en?, ru?, &time.name);
        let hours = match per_hour {
            1 => String::new(),
            many => format!(" * {many}"),
        };
        let alias = Some(format!("{unit}_per_hour"));
        query.select = vec![Selected { alias, text: format!("{sum} / sum({duration}){hours}") }];
        let there: Vec<String> = [way, time]
            .into_iter()
            .filter(|c| c.nulls.is_some_and(|nulls| nulls > 0))
            .map(|c| format!("not isnull({})", format::name(&c.name)))
            .collect();
        for condition in there {
            query.filter =
                Some(crate::planner::follow::put_back(query.filter.as_deref(), &condition)?);
        }
        // the mean of the speeds of single rows is another number
        Some(Made::Offered(
            query,
            text!(
                "{en}, divided by the total of {by}: {unit} per hour of all rows together",
                "{ru}, делённая на сумму {by}: {unit} в час по всем строкам вместе"
            ),
        ))
    }
}
