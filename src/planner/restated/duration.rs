//! `average trip duration` of a table that has minutes: the one column that is called by a unit of time.

use super::super::stem::parts;
use super::wording::Asked;

/// Words for how long something takes, by how they begin.
const DURATION: [&str; 4] = ["duration", "длительност", "продолжительност", "длится"];
/// Names of units of time.
const UNITS: [&str; 16] = [
    "minutes",
    "minute",
    "mins",
    "min",
    "hours",
    "hour",
    "hrs",
    "seconds",
    "second",
    "secs",
    "sec",
    "минуты",
    "минут",
    "часы",
    "часов",
    "секунды",
];

impl Asked<'_> {
    pub(super) fn duration(&self) -> Option<String> {
        let at = (0..self.tokens.len()).find(|&at| self.begins(at, &DURATION))?;
        let said = |name: &String| {
            parts(name).iter().any(|part| DURATION.iter().any(|begin| part.starts_with(begin)))
        };
        let numeric = || self.table.columns.iter().filter(|c| c.kind.is_numeric());
        if numeric().any(|c| std::iter::once(&c.name).chain(&c.synonyms).any(said)) {
            return None;
        }
        // `delay_min` is a delay, and a lowest one perhaps
        let unit = |name: &str| {
            let parts = parts(name);
            parts.len() == 1 && parts.iter().all(|part| UNITS.contains(&part.as_str()))
        };
        let mut of_time = numeric().filter(|c| unit(&c.name));
        let column = of_time.next().filter(|_| of_time.next().is_none())?;
        self.put(at, at + 1, &format!("`{}`", column.name))
    }
}
