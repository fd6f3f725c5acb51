//! `how many days were up and how many down`: days of both kinds beside each other, where a condition
//! that asks for both at once is met by none.

use super::{Asked, Made, begins, one_of};
use crate::error::Locale;
use crate::planner::explain;
use crate::planner::follow::taken_out;
use crate::planner::naming::{FALLS, RISES, UNCHANGED};
use crate::query::{Selected, check};

/// Words of what rose or fell against the row before, and of what closed above or below its open.
const UP: &str = "up rose rise rises rising gained advanced advancing";
const DOWN: &str = "down fell fall falls falling lost declined declining";
const GREEN: &str = "green bullish";
const RED: &str = "red bearish";
const UP_RU: &str =
    "рост роста росте ростом рос росла росло росли вырос выросла выросло выросли растет";
const DOWN_RU: &str = "падение падения падений падением падении падал падала падало падали упал упала упало упали \
                       снижение снижения снижений снижением снизился снизилась снизилось снизились падает";
const GREEN_RU: [&str; 3] = ["зелены", "растущ", "бычь"];
const RED_RU: [&str; 3] = ["красны", "падающ", "медвежь"];
/// What is counted.
const UNITS: &str = "day days week weeks month months день дни дней дня недель недели неделя месяцев \
                     месяца месяц";
/// Words that count, or set beside each other.
const COUNT: &str = "many number count vs versus сколько число количество против";
/// Words beside them.
const BESIDE: &str = "how were was are is there have been and or the of did market price closed close \
                      trading against compare compared и а или было были из с со на рынок рынка цена \
                      закрылось закрылись сравни торговых";
/// What narrows or groups them begins so.
const TAIL: &str = "in by per since during between from on for within each в во за по с со до на";

impl Asked<'_> {
    pub(super) fn both(&self) -> Option<Made> {
        self.table.ohlcv.as_ref()?;
        let word = |at: usize| self.tokens.get(at).map_or("", |t| t.folded.as_str());
        let find = |is: &dyn Fn(&str) -> bool| (0..self.tokens.len()).rfind(|&at| is(word(at)));
        let up = find(&|w| one_of(UP, w) || one_of(UP_RU, w));
        let down = find(&|w| one_of(DOWN, w) || one_of(DOWN_RU, w));
        let green = find(&|w| one_of(GREEN, w) || begins(&GREEN_RU, w));
        let red = find(&|w| one_of(RED, w) || begins(&RED_RU, w));
        let (rose, fell, colours) = match (up, down, green, red) {
            (Some(up), Some(down), None, None) => (up, down, false),
            (None, None, Some(green), Some(red)) => (green, red, true),
            _ => return None,
        };
        // `by day` behind them is a group
        let grouped = |at: usize| at > 0 && one_of("by per по", word(at - 1));
        let unit = (0..self.tokens.len()).find(|&at| one_of(UNITS, word(at)) && !grouped(at))?;
        let last = rose.max(fell).max(unit);
        let last = if one_of(UNITS, word(last + 1)) { last + 1 } else { last };
        let known = |at: usize| {
            let word = word(at);
            [rose, fell].contains(&at)
                || one_of(UNITS, word)
                || one_of(COUNT, word)
                || one_of(BESIDE, word)
                || self.tokens.get(at).is_some_and(|t| t.is_symbol(",") || t.is_symbol("-"))
        };
        let core: Vec<usize> = (0..=last).collect();
        let counts = core.iter().any(|&at| one_of(COUNT, word(at)));
        if !counts || !core.iter().all(|&at| known(at)) {
            return None;
        }
        let tail = self.tokens.get(core.len()..).unwrap_or_default();
        let asked: Vec<&str> =
            tail.iter().filter(|t| !t.is_symbol("?")).map(|t| t.raw.as_str()).collect();
        if asked.first().is_some_and(|first| !one_of(TAIL, &first.to_lowercase())) {
            return None;
        }
        let (unit, rest) = (word(unit), asked.join(" "));
        let russian = self.is_russian();
        let alone = match (russian, colours) {
            (false, false) => format!("how many {unit} up {rest}"),
            (false, true) => format!("how many green {unit} {rest}"),
            (true, false) => format!("сколько {} роста {rest}", many(unit)),
            (true, true) => format!("сколько зеленых {} {rest}", many(unit)),
        };
        // the question for the one kind, with the condition taken out
        let mut query = self.ready(&alone)?;
        let condition = if colours { "green()" } else { "change > 0" };
        let (_, kept) = taken_out(query.filter.as_deref()?, |part| part == condition)?;
        if query.select != ["count()".into()] || !query.steps.is_empty() || query.limit.is_some() {
            return None;
        }
        query.filter = kept;
        let checked = check(&query, self.tables).ok()?;
        let [en, ru] = [Locale::En, Locale::Ru].map(|l| explain::of_query(&checked, false, l));
        let (en, ru) = (en?, ru?);
        let [rises, falls, same] = if colours {
            ["green()", "red()", "close == open"]
        } else {
            ["change > 0", "change < 0", "change == 0"]
        };
        let counted = |name: &str, condition: &str| Selected {
            alias: Some(name.to_owned()),
            text: format!("sum(if({condition}, 1, 0))"),
        };
        query.select = vec![counted(RISES, rises), counted(FALLS, falls), counted(UNCHANGED, same)];
        query.sort.clear();
        let against = if colours {
            text!("close against open", "закрытие к открытию")
        } else {
            text!("close against the close before", "закрытие к прошлому закрытию")
        };
        let (against_en, against_ru) = (against.en, against.ru);
        let said = text!(
            "{en}: with a rise, with a fall and unchanged ({against_en})",
            "{ru}: с ростом, с падением и без изменения ({against_ru})",
        );
        Some(Made::Query(query, said))
    }
}

/// The noun after `сколько`.
fn many(unit: &str) -> &'static str {
    match unit.chars().next() {
        Some('н') => "недель",
        Some('м') => "месяцев",
        _ => "дней",
    }
}
