//! The sentence of a query that was changed by a follow-up, in the words of a sketch's.

use super::super::naming::{
    AGGREGATES, agg_of, counted_back, dates, made_of_bars, number_of_different,
};
use super::super::sketch::{Dim, Measure};
use super::super::words::Part;
use super::{Speaker, by_part};
use crate::error::Locale;
use crate::query::check::{CheckedQuery, CheckedStep, Named, Node, OutputColumn, Role};
use crate::query::explain::{condition, words, years_together};

/// The sentence of a query, without a full stop; `None` where it has a part that no sketch makes.
pub(in super::super) fn of_query(
    query: &CheckedQuery,
    table: bool,
    locale: Locale,
) -> Option<String> {
    let frame = query.frame();
    let schema = query.schema();
    let days = frame.from().is_some_and(|f| f.name() == "daily");
    let speaker = Speaker { schema, locale, days, dated: false };
    let mut steps = query.steps();
    let first = steps.next()?;
    let rest: Vec<&CheckedStep> = steps.collect();
    let measures: Vec<&OutputColumn> =
        first.output().iter().filter(|c| matches!(c.role, Role::Measure { .. })).collect();
    let mut parts: Vec<String> = Vec::new();
    let named = |c: &OutputColumn| first.measures().iter().find(|m| m.name == c.column.name);
    let what: Vec<String> =
        measures.iter().map(|c| speaker.measured(c, named(c))).collect::<Option<_>>()?;
    parts.push(match (what.is_empty(), frame.from()) {
        (false, _) => speaker.together(&what),
        (true, None) => speaker.say("rows", "строки"),
        (true, Some(_)) if days => speaker.say("days", "дни"),
        (true, Some(_)) => speaker.say("bars", "бары"),
    });
    if first.columns().is_some() {
        return None;
    }
    if !first.keys().is_empty() {
        let keys: Vec<String> =
            first.keys().iter().map(|key| speaker.key(key, first)).collect::<Option<_>>()?;
        let years = speaker.years(years_together(query));
        parts.push(format!("{} {}{years}", speaker.pick("by", "по"), speaker.together(&keys)));
    }
    let mut narrowed: Vec<String> = Vec::new();
    if let Some(period) = frame.period() {
        let text = dates(period.text(), locale);
        let told = counted_back(period.text(), schema, locale).unwrap_or_default();
        let told = if period.text().starts_with("last_") { told } else { String::new() };
        narrowed.push(format!("{} {text}{told}", speaker.pick("dates", "даты")));
    }
    narrowed.extend(first.filter().map(|filter| condition(&filter.expr, locale)));
    if !narrowed.is_empty() {
        let all = narrowed.join(speaker.pick(" and ", " и "));
        parts.push(format!("{} {all}", speaker.pick("where", "где")));
    }
    match (first.sort(), first.limit()) {
        ([], None) => {}
        ([key], limit) => {
            if what.is_empty() {
                let by = speaker.title(&key.text);
                parts.push(format!("{} {by}", speaker.pick("ordered by", "по величине")));
            }
            parts.push(match (limit, key.descending) {
                (None, true) => speaker.say("largest first", "по убыванию"),
                (None, false) => speaker.say("smallest first", "по возрастанию"),
                (Some(1), true) => speaker.say("the largest", "наибольшее"),
                (Some(1), false) => speaker.say("the smallest", "наименьшее"),
                (Some(n), true) => match locale {
                    Locale::En => format!("the {n} largest"),
                    Locale::Ru => format!("наибольшие: {n}"),
                },
                (Some(n), false) => match locale {
                    Locale::En => format!("the {n} smallest"),
                    Locale::Ru => format!("наименьшие: {n}"),
                },
            });
        }
        _ => return None,
    }
    for step in rest {
        parts.push(speaker.then(step)?);
    }
    parts.extend(frame.from().map(|timeframe| speaker.bars(timeframe)));
    if let Some(session) = frame.session() {
        parts.push(format!("{} {}", speaker.pick("in the session", "в сессию"), session.name));
    }
    if table {
        parts.push(format!("{} {}", speaker.pick("in", "в таблице"), schema.name));
    }
    Some(parts.join(", "))
}

impl Speaker<'_> {
    /// A column of the table by its title, another one by its name.
    fn title(&self, name: &str) -> String {
        let plain = name.trim_matches('`');
        let place = self.schema.columns.iter().position(|c| c.name == plain);
        place.map_or_else(|| plain.to_owned(), |column| self.column(column))
    }

    /// The same after an aggregate: in Russian in the genitive.
    fn title_of(&self, name: &str) -> String {
        let plain = name.trim_matches('`');
        match self.schema.columns.iter().position(|c| c.name == plain) {
            Some(column) => self.of(Measure::Column(column)),
            None => made_of_bars(plain, self.locale).map_or(plain, |[_, of]| of).to_owned(),
        }
    }

    fn measured(&self, column: &OutputColumn, made: Option<&Named>) -> Option<String> {
        let known = |function: &str| AGGREGATES.iter().find(|agg| agg.function() == function);
        Some(match &column.role {
            Role::Measure { aggregate: Some("count"), column: None } if self.days => {
                self.say("number of days", "число дней")
            }
            Role::Measure { aggregate: Some("count"), column: None } => {
                self.say("number of rows", "число строк")
            }
            Role::Measure { aggregate: Some("count_distinct"), column: Some(name) } => {
                number_of_different(&self.title(name), self.locale)
            }
            Role::Measure { aggregate: Some(function), column: Some(name) } => {
                agg_of(*known(function)?, &self.title_of(name), self.locale)
            }
            Role::Measure { .. } => {
                let Node::Call { function, args } = &made?.expr.node else { return None };
                let [of] = &args[..] else { return None };
                let text = words(of, self.locale).replace('`', "");
                agg_of(*known(function.name)?, &text, self.locale)
            }
            _ => return None,
        })
    }

    /// A group's key: a column, or a part of time that `map` makes.
    fn key(&self, key: &Named, step: &CheckedStep) -> Option<String> {
        if self.schema.column(&key.name).is_some() {
            let place = self.schema.columns.iter().position(|c| c.name == key.name)?;
            return Some(self.dim(Dim::Column(place)));
        }
        let made = step.map().iter().find(|made| made.name == key.name);
        let Node::Call { function, .. } = &made.map_or(&key.expr, |made| &made.expr).node else {
            return None;
        };
        let part = match function.name {
            "year" => Part::Year,
            "quarter" => Part::Quarter,
            "month" | "monthname" => Part::Month,
            "week" => Part::Week,
            "date" => Part::Day,
            "dayname" | "dayofweek" => Part::Weekday,
            "hour" => Part::Hour,
            _ => return None,
        };
        Some(self.say(by_part(part).0, by_part(part).1))
    }

    /// What a later step does with the groups.
    fn then(&self, step: &CheckedStep) -> Option<String> {
        let bare = step.filter().is_none() && step.measures().is_empty() && step.sort().is_empty();
        let made = step.map().first().filter(|_| bare && step.limit().is_none())?;
        Some(match made.name.as_str() {
            "share_pct" => {
                self.say("with the share of each in the total", "с долей каждой группы в сумме")
            }
            "change" => self.say(
                "with the change against the group before",
                "с изменением к предыдущей группе",
            ),
            "change_pct" => self.say(
                "with the change against the group before, in %",
                "с изменением к предыдущей группе, в %",
            ),
            _ => return None,
        })
    }
}
