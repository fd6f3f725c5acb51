//! What a model hears of the bars that a table lacks.

use super::mask::listed;
use super::schema::quoted;
use super::{Gate, Level, Provenance};
use crate::error::Locale;
use crate::schema::{Missing, TableSchema};
use crate::summary::display;

/// What was counted.
#[derive(Clone, Copy)]
enum Counted {
    /// Bars shorter than a day.
    Short,
    /// Bars longer than a day.
    Long,
    Dates,
}

impl Gate<'_> {
    /// A line on what of a table's bars is missing. It is counted by the time and the series of the
    /// rows, and between rows: it is told where both columns are open and the level tells of rows.
    pub(super) fn gaps(
        &self,
        table: &TableSchema,
        locale: Locale,
        provenance: &mut Provenance,
    ) -> Option<String> {
        let policy = self.policy();
        let mut by = table.time.iter().chain(&table.series);
        let open = by.all(|column| !policy.protects(&table.name, column));
        if policy.level() < Level::Summary || table.computed || !open {
            return None;
        }
        let gaps = self.shown(table).gaps?;
        let by = table.time.iter().chain(&table.series);
        provenance.columns.extend(by.map(|column| format!("{}.{column}", table.name)));
        let series = table.series.as_deref().and_then(|name| table.column(name));
        let named = series.is_some_and(|series| listed(policy, &table.name, series).is_some());
        let bars = if gaps.dates.is_some() { Counted::Short } else { Counted::Long };
        let told = |missing: &Option<Missing>, what| {
            missing.as_ref().map(|missing| told(missing, what, named, locale))
        };
        let parts = [told(&gaps.bars, bars), told(&gaps.dates, Counted::Dates)];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        let title = match (locale, series) {
            (Locale::En, None) => "gaps",
            (Locale::En, Some(_)) => "gaps within a series",
            (Locale::Ru, None) => "пропуски",
            (Locale::Ru, Some(_)) => "пропуски внутри ряда",
        };
        Some(format!("  {title}: {}", parts.join("; ")))
    }
}

fn told(missing: &Missing, what: Counted, named: bool, locale: Locale) -> String {
    let n = missing.count;
    let (counted, before, but) = match (locale, what) {
        (Locale::En, Counted::Short) => (
            format!("bars missing between the first and the last of a trading day: {n}"),
            "after",
            " (leaving out times of day at which most days have none)",
        ),
        (Locale::En, Counted::Long) => {
            (format!("bars missing where two are further apart than usual: {n}"), "after", "")
        }
        (Locale::En, Counted::Dates) => (
            format!("dates without bars, of days of the week that mostly have them: {n}"),
            "from",
            " (holidays count)",
        ),
        (Locale::Ru, Counted::Short) => (
            format!("не хватает баров между первым и последним за торговый день: {n}"),
            "после",
            " (кроме времени суток, в которое их обычно нет)",
        ),
        (Locale::Ru, Counted::Long) => {
            (format!("не хватает баров там, где соседние дальше обычного: {n}"), "после", "")
        }
        (Locale::Ru, Counted::Dates) => (
            format!("дат без баров в те дни недели, в которые они обычно есть: {n}"),
            "с",
            " (праздники в счёт)",
        ),
    };
    let at = missing.at.as_ref().map(|at| {
        let (most, at) = (missing.most, display(at, false));
        let series = missing.series.as_deref().filter(|_| named).map(quoted);
        let series = series.map(|name| match locale {
            Locale::En => format!(" of {name}"),
            Locale::Ru => format!(" в {name}"),
        });
        let series = series.unwrap_or_default();
        match locale {
            Locale::En => format!(", at most {most} in a row, {before} {at}{series}"),
            Locale::Ru => format!(", больше всего подряд – {most}, {before} {at}{series}"),
        }
    });
    counted + &at.unwrap_or_default() + but
}
