//! `what period does this cover`, `за какой период данные`: the first and the last date of a table.

use super::{Asked, Made, WHOLE, begins, one_of};
use crate::planner::grammar::year_column;
use crate::planner::stem::parts;
use crate::query::{Query, format};
use crate::schema::Column;

/// Words beside those that ask.
const BESIDE: &str = "what which is are was were the a of in this that these it its here there does \
    do did we have has from to and for by how far back go goes until till up long time show tell me \
    give please when included available present inside \
    за какой какие какая какое какого какому каким каком какую с со по до от на в во эта эти этот \
    это этой этих тут здесь есть у нас имеются имеется мне и все число числа покажи скажи \
    представлены собраны взяты они она он";
const DATES: &str = "date dates дата даты дат дату дате датам датами датах датой";
const PERIOD: &str = "период периода периоду периоде периодом периоды";
/// What the table does with its dates.
const COVER: [&str; 7] = ["cover", "span", "охват", "покры", "покрыв", "включ", "reach"];
/// Columns of dates that are told at most.
const MOST: usize = 4;

impl Asked<'_> {
    /// `сколько дней без продаж`: days that have no rows are in no table.
    pub(super) fn days_without(&self) -> Option<Made> {
        const DAYS: &str =
            "days months weeks hours дней дни месяцев месяцы недель недели часов часы";
        const SALES: [&str; 9] = [
            "sale",
            "purchase",
            "order",
            "record",
            "продаж",
            "покупок",
            "заказов",
            "записей",
            "чеков",
        ];
        let words = self.words()?;
        let at = words.iter().position(|word| one_of("without без", word))?;
        let days = at > 0 && one_of(DAYS, words.get(at - 1)?);
        let any = usize::from(words.get(at + 1).is_some_and(|word| one_of("any единой", word)));
        let [noun] = words.get(at + 1 + any..)? else { return None };
        let stem = self.tokens.iter().find(|t| t.folded == *noun).map_or("", |t| t.stem.as_str());
        if !days || !(begins(&SALES, noun) || self.is_of_rows(stem)) {
            return None;
        }
        self.table.time.as_ref()?;
        Some(Made::Told(text!(
            "The table has rows of the dates on which something happened, and none of the others: a query \
             cannot count those. “how many days are there” counts the dates that have rows.",
            "В таблице есть строки только тех дат, когда что-то было, а остальных дат в ней нет: запросом их \
             не сосчитать. «сколько разных дат» покажет, у скольких дат есть строки."
        )))
    }

    pub(super) fn covers(&self) -> Option<Made> {
        let words = self.words()?;
        let has = |word: &str| words.contains(&word);
        let dates = words.iter().any(|w| one_of(DATES, w));
        let cover = words.iter().any(|w| begins(&COVER, w));
        let timed = has("time") || words.iter().any(|w| w.starts_with("временн"));
        let period = ["period", "timespan", "timeframe"].iter().any(|w| has(w))
            || timed && (has("range") || has("span") || has("диапазон"))
            || words.iter().any(|w| one_of(PERIOD, w));
        // a range of something else is none of dates
        let range =
            (dates || timed) && (has("range") || words.iter().any(|w| w.starts_with("диапазон")));
        let ends = (has("first") || has("earliest")) && (has("last") || has("latest"));
        let back = has("far") && has("back");
        let from = words.windows(5).any(|w| w == ["с", "какого", "по", "какое", "число"])
            || words.windows(4).any(|w| w == ["с", "какой", "по", "какую"]);
        let about = words.iter().any(|word| one_of(WHOLE, word));
        let begin = about && has("when") && (has("start") || has("begin") || has("end"));
        let asks = period || dates && (cover || range || ends) || back || from || begin;
        let known = |word: &&str| {
            one_of(BESIDE, word)
                || one_of(WHOLE, word)
                || begins(&COVER, word)
                || one_of(DATES, word)
                || one_of(PERIOD, word)
                || begins(&["временн"], word)
                || range && begins(&["range", "диапазон"], word)
                || one_of("period timespan timeframe first last earliest latest", word)
                || one_of("start starts begin begins end ends", word) && begin
        };
        // a bare `period` is a word of many tables
        let says = cover || about || range || from || back || ends || words.len() > 1;
        if !asks || !says || !words.iter().all(known) || self.leans() && !about {
            return None;
        }
        // a column of that name is asked for, not the dates
        let own = |c: &Column| {
            !c.kind.is_time()
                && parts(&c.name).iter().any(|part| {
                    words.contains(&part.as_str()) && !one_of(BESIDE, part) && !one_of(WHOLE, part)
                })
        };
        if self.table.columns.iter().any(own) && !dates {
            return None;
        }
        let times = || self.table.columns.iter().filter(|c| c.kind.is_time());
        let columns: Vec<&Column> = match &self.table.time {
            Some(time) => times().filter(|c| c.name == *time).collect(),
            None => times().take(MOST).collect(),
        };
        let years = || {
            let (column, _) = year_column(self.table)?;
            Some(vec![self.table.columns.get(column)?])
        };
        let columns = if columns.is_empty() { years() } else { Some(columns) };
        let Some(columns) = columns else {
            return Some(Made::Told(text!(
                "This table has no column of dates, so nothing says which period it covers.",
                "В этой таблице нет столбца с датами, поэтому неизвестно, какой период она охватывает."
            )));
        };
        let select = columns.iter().flat_map(|c| {
            let name = format::name(&c.name);
            [format!("min({name})").as_str().into(), format!("max({name})").as_str().into()]
        });
        let query = Query { select: select.collect(), ..Query::default() };
        let names: Vec<String> = columns.iter().map(|c| c.name.clone()).collect();
        let (en, ru) = (names.join(", "), names.join("», «"));
        let said = text!(
            "the lowest and the highest of {en} in all rows of the table",
            "наименьшее и наибольшее значение «{ru}» во всех строках таблицы"
        );
        let of_dates = text!(
            "the first and the last {en} in all rows of the table",
            "самое раннее и самое позднее значение «{ru}» во всех строках таблицы"
        );
        let timed = columns.iter().all(|c| c.kind.is_time());
        Some(Made::Query(query, if timed { of_dates } else { said }))
    }
}
