//! Says in a sentence how a question was understood: "mean of gap, by weekday, where gap > 50".

mod query;

pub(super) use query::of_query;

use super::build::number;
use super::grammar::period_text;
use super::naming::{
    Called, agg_of, agg_words, called, counted_back, dates, end_of_time, made_of_bars, none_word,
    number_of_different,
};
use super::sketch::{Cond, Dim, Measure, Operand, Recent, Select, Sketch, Then};
use super::stem::is_cyrillic;
use super::words::{Agg, Cmp, Part, Pattern, Run};
use crate::error::Locale;
use crate::query::check::Domain;
use crate::query::timeframe::Timeframe;
use crate::schema::TableSchema;

/// The sentence of a sketch, without a full stop; `years` where groups of its query hold different
/// years.
pub(super) fn explain(
    sketch: &Sketch,
    schema: &TableSchema,
    table: bool,
    years: bool,
    locale: Locale,
) -> String {
    // without a time column dates are conditions as others are
    let period = |c: &Cond| matches!(c, Cond::Period(..) | Cond::Recent(_));
    let dated = schema.time.is_some()
        && (sketch.session.is_some() || sketch.filters.iter().flat_map(Cond::leaves).any(period));
    let speaker = Speaker { schema, locale, days: sketch.days, dated };
    let shown = sketch.limit.filter(|_| sketch.ranked || sketch.order.is_some());
    let mut parts: Vec<String> = Vec::new();
    let what: Vec<String> = sketch.select.iter().map(|s| speaker.select(s)).collect();
    parts.push(if what.is_empty() {
        if sketch.days {
            speaker.say("days", "дни")
        } else if sketch.frame.is_some() {
            speaker.say("bars", "бары")
        } else {
            speaker.say("rows", "строки")
        }
    } else {
        speaker.together(&what)
    });
    if let Some(Then::Agg(agg)) = sketch.then
        && let Some(first) = parts.first_mut()
    {
        *first = agg_of(agg, first, locale);
    }
    if sketch.then == Some(Then::Count) {
        parts.insert(0, speaker.say("how many groups there are", "сколько групп"));
    }
    if !sketch.columns.is_empty() {
        let shown: Vec<String> =
            sketch.columns.iter().map(|&c| speaker.measure(Measure::Column(c))).collect();
        parts.push(format!("{}: {}", speaker.pick("columns", "столбцы"), shown.join(", ")));
    }
    if !sketch.groups.is_empty() {
        let keys: Vec<String> = sketch.groups.iter().map(|d| speaker.dim(*d)).collect();
        let years = speaker.years(years);
        parts.push(format!("{} {}{years}", speaker.pick("by", "по"), speaker.together(&keys)));
    }
    if !sketch.filters.is_empty() {
        let list: Vec<String> = sketch.filters.iter().map(|c| speaker.condition(c)).collect();
        parts.push(format!(
            "{} {}",
            speaker.pick("where", "где"),
            list.join(speaker.pick(" and ", " и "))
        ));
    }
    if let Some(measure) = sketch.order {
        parts.push(format!(
            "{} {}",
            speaker.pick("ordered by", "по величине"),
            speaker.size_of(measure)
        ));
    }
    if let Some((cmp, bound)) = sketch.having {
        let words = speaker.pick("only groups where it is", "только группы, где это");
        parts.push(format!("{words} {} {}", sign(cmp), number(bound)));
    }
    if sketch.order.is_some() && sketch.limit.is_none() {
        parts.push(if sketch.descending {
            speaker.say("descending", "по убыванию")
        } else {
            speaker.say("ascending", "по возрастанию")
        });
    }
    match (sketch.latest, sketch.limit) {
        (Some(true), Some(n)) => {
            parts.push(format!("{}: {n}", speaker.pick("the latest", "последние")));
        }
        (Some(false), Some(n)) => {
            parts.push(format!("{}: {n}", speaker.pick("the earliest", "самые ранние")));
        }
        (None, Some(n)) if shown.is_none() && sketch.select.is_empty() => {
            parts.push(format!("{}: {n}", speaker.pick("the first of them", "первые из них")));
        }
        (Some(true), None) => parts.push(speaker.say("latest first", "сначала поздние")),
        (Some(false), None) => parts.push(speaker.say("earliest first", "сначала ранние")),
        _ => {}
    }
    match (sketch.ranked && sketch.limit.is_none(), sketch.descending) {
        (true, true) => parts.push(speaker.say("largest first", "по убыванию")),
        (true, false) => parts.push(speaker.say("smallest first", "по возрастанию")),
        (false, _) => {}
    }
    let told = shown.is_none() && sketch.latest.is_none() && sketch.select.is_empty();
    if let Some(n) = sketch.limit.filter(|_| sketch.is_listing() && !told) {
        parts.push(match locale {
            Locale::En => format!("only {n} of them"),
            Locale::Ru => format!("не больше {n}"),
        });
    }
    if let Some(limit) = shown.filter(|_| sketch.nth) {
        parts.push(match (sketch.descending, locale) {
            (true, Locale::En) => format!("number {limit} from the largest"),
            (false, Locale::En) => format!("number {limit} from the smallest"),
            (true, Locale::Ru) => format!("место {limit}, считая от наибольшего"),
            (false, Locale::Ru) => format!("место {limit}, считая от наименьшего"),
        });
    } else if let Some(limit) = shown {
        let one = limit == 1;
        parts.push(match (sketch.descending, locale) {
            (true, Locale::En) if one => "the largest".to_owned(),
            (false, Locale::En) if one => "the smallest".to_owned(),
            (true, Locale::Ru) if one => "наибольшее".to_owned(),
            (false, Locale::Ru) if one => "наименьшее".to_owned(),
            (true, Locale::En) => format!("the {limit} largest"),
            (false, Locale::En) => format!("the {limit} smallest"),
            (true, Locale::Ru) => format!("наибольшие: {limit}"),
            (false, Locale::Ru) => format!("наименьшие: {limit}"),
        });
    }
    if !sketch.of_each.is_empty() {
        let keys: Vec<String> = sketch.of_each.iter().map(|d| speaker.dim(*d)).collect();
        let keys = speaker.together(&keys);
        parts.push(match locale {
            Locale::En => format!("of each {keys}"),
            Locale::Ru => format!("отдельно по {keys}"),
        });
    }
    match sketch.then {
        Some(Then::Change(false)) => {
            parts.push(speaker.say(
                "with the change against the group before",
                "с изменением к предыдущей группе",
            ));
        }
        Some(Then::Change(true)) => parts.push(speaker.say(
            "with the change against the group before, in %",
            "с изменением к предыдущей группе, в %",
        )),
        Some(Then::Both) => parts.push(
            speaker.say("with the change from one to the other", "с изменением одного к другому"),
        ),
        Some(Then::Share) => {
            parts.push(
                speaker.say("with the share of each in the total", "с долей каждой группы в сумме"),
            );
        }
        Some(Then::Agg(_) | Then::Count) | None => {}
    }
    if let Some(frame) = sketch.frame.or(sketch.days.then_some(Timeframe::Daily)) {
        parts.push(speaker.bars(frame));
    }
    if let Some(session) = &sketch.session {
        parts.push(format!("{} {session}", speaker.pick("in the session", "в сессию")));
    }
    if table {
        parts.push(format!("{} {}", speaker.pick("in", "в таблице"), schema.name));
    }
    parts.join(", ")
}

/// Said of groups in which the same part of different years comes together.
const YEARS: [&str; 2] = ["all years together", "все годы вместе"];

/// The sentence with the column of times that it is by.
pub(super) fn by_time(sentence: &str, schema: &TableSchema, time: &str, locale: Locale) -> String {
    let place = schema.columns.iter().position(|c| c.name == time).unwrap_or_default();
    let speaker = Speaker { schema, locale, days: false, dated: false };
    let title = speaker.column(place);
    let years = speaker.pick(YEARS[0], YEARS[1]);
    // `by month (all years together)`
    let together = format!(" ({years})");
    if sentence.contains(&together) {
        return sentence.replacen(&together, &format!(" ({title}; {years})"), 1);
    }
    format!("{sentence} ({title})")
}

struct Speaker<'a> {
    schema: &'a TableSchema,
    locale: Locale,
    /// Rows are days.
    days: bool,
    /// Rows are those of a period or a session alone.
    dated: bool,
}

impl Speaker<'_> {
    fn pick(&self, en: &'static str, ru: &'static str) -> &'static str {
        match self.locale {
            Locale::En => en,
            Locale::Ru => ru,
        }
    }

    /// Said behind groups that hold different years.
    fn years(&self, together: bool) -> String {
        let said = || format!(" ({})", self.pick(YEARS[0], YEARS[1]));
        together.then(said).unwrap_or_default()
    }

    fn say(&self, en: &'static str, ru: &'static str) -> String {
        self.pick(en, ru).to_owned()
    }

    /// `a`, `a and b`, `a, b and c`.
    fn together(&self, list: &[String]) -> String {
        match list {
            [_, .., _, last] => {
                let before = list.get(..list.len() - 1).unwrap_or_default().join(", ");
                format!("{before}{}{last}", self.pick(" and ", " и "))
            }
            _ => list.join(self.pick(" and ", " и ")),
        }
    }

    /// A Russian name of several words stands in quotes: `сумма «Сумма заказа»`.
    fn column(&self, column: usize) -> String {
        let name = self.schema.columns.get(column);
        let name = name.map_or_else(String::new, |c| c.label.as_ref().unwrap_or(&c.name).clone());
        let title = |c: char| c.is_uppercase() && is_cyrillic(c);
        let apart = name.starts_with(title) || name.contains(char::is_whitespace);
        if self.locale == Locale::Ru && apart { format!("«{name}»") } else { name }
    }

    fn measure(&self, measure: Measure) -> String {
        match measure {
            Measure::Column(column) => self.column(column),
            Measure::Derived(derived, percent) => {
                let function = derived.function(percent);
                made_of_bars(function, self.locale).map_or(function, |[name, _]| name).to_owned()
            }
            Measure::Indicator(indicator, length) => {
                let name = indicator.function().to_uppercase();
                length.map_or_else(|| name.clone(), |n| format!("{name}({n})"))
            }
            Measure::Streak(run) => {
                format!("{} {}", self.pick("run of", "серия:"), self.run(run))
            }
            Measure::Days(a, b) => {
                let (a, b) = (self.column(a), self.column(b));
                match self.locale {
                    Locale::En => format!("days from {a} to {b}"),
                    Locale::Ru => format!("число дней от {a} до {b}"),
                }
            }
            Measure::Math(op, a, b) => {
                format!("{} {} {}", self.column(a), op.symbol(), self.column(b))
            }
        }
    }

    /// A measure after its aggregate: in Russian in the genitive, where the word is a regular one.
    fn of(&self, measure: Measure) -> String {
        match (self.locale, measure) {
            (Locale::Ru, Measure::Column(column)) => self.declined(column, |c| c.of),
            (Locale::Ru, Measure::Derived(derived, percent)) => {
                let function = derived.function(percent);
                made_of_bars(function, self.locale).map_or(function, |[_, of]| of).to_owned()
            }
            _ => self.measure(measure),
        }
    }

    /// A measure after `по величине`: `суммы`, `цены`.
    fn size_of(&self, measure: Measure) -> String {
        let native = |c: &&crate::schema::Column| {
            c.label.as_ref().unwrap_or(&c.name).chars().all(is_cyrillic)
        };
        match (self.locale, measure) {
            (Locale::Ru, Measure::Column(column)) => {
                let known = self.schema.columns.get(column).filter(native);
                known.map_or_else(|| self.measure(measure), |c| called(c, self.locale).of)
            }
            (Locale::Ru, Measure::Derived(..)) => self.of(measure),
            _ => self.measure(measure),
        }
    }

    /// A column as it stands in a sentence, in a case; its name where no case of it is known.
    fn declined(&self, column: usize, case: impl Fn(Called) -> String) -> String {
        let known = self.schema.columns.get(column);
        let native = known.filter(|c| {
            let shown = c.label.as_ref().unwrap_or(&c.name);
            // a total of `сумма` names the column
            let sum = shown.to_lowercase().starts_with("сумм");
            self.locale == Locale::Ru && shown.chars().all(is_cyrillic) && !sum
        });
        native.map_or_else(|| self.column(column), |c| case(called(c, self.locale)))
    }

    fn operand(&self, operand: Operand) -> String {
        let (text, times) = match operand {
            Operand::Number(x) => return number(x),
            Operand::Measure(m) => return self.measure(m),
            Operand::Whole(agg, m, times) => {
                let words = agg_words(agg);
                (format!("{} {} {}", words.get(self.locale), self.of(m), self.whole()), times)
            }
            Operand::Before(m, times) => {
                let words = if self.days {
                    self.pick("on the day before", "днём раньше")
                } else {
                    self.pick("in the row before", "в предыдущей строке")
                };
                (format!("{} {words}", self.measure(m)), times)
            }
            Operand::Trailing(m, rows, times) => {
                (format!("SMA({}, {rows})", self.measure(m)), times)
            }
        };
        if times == 1.0 { text } else { format!("{} × {text}", number(times)) }
    }

    /// The rows that an aggregate is of, where each row is compared with it: those of its series,
    /// in the period; other conditions do not narrow them.
    fn whole(&self) -> String {
        let rows = match (self.days, self.dated) {
            (false, false) => self.pick("of all rows", "по всем строкам"),
            (true, false) => self.pick("of all days", "по всем дням"),
            (false, true) => self.pick("of all rows of that time", "по всем строкам этого времени"),
            (true, true) => self.pick("of all days of that time", "по всем дням этого времени"),
        };
        match &self.schema.series {
            Some(series) => {
                let same = self.pick("with the same", "с тем же значением:");
                format!("{rows} {same} {series}")
            }
            None => rows.to_owned(),
        }
    }

    fn dim(&self, dim: Dim) -> String {
        match dim {
            Dim::Column(column) => self.declined(column, |c| c.by),
            Dim::Part(part) => self.say(by_part(part).0, by_part(part).1),
        }
    }

    fn select(&self, select: &Select) -> String {
        match select {
            Select::Count if self.days => self.say("number of days", "число дней"),
            Select::Count => self.say("number of rows", "число строк"),
            Select::CountDistinct(dim) => {
                let what = match dim {
                    Dim::Column(column) => self.column(*column),
                    Dim::Part(part) => self.say(by_part(*part).0, part_genitive(*part)),
                };
                number_of_different(&what, self.locale)
            }
            Select::Agg(agg @ (Agg::Min | Agg::Max), Measure::Column(column))
                if self.schema.columns.get(*column).is_some_and(|c| c.kind.is_time()) =>
            {
                end_of_time(*agg, &self.column(*column), self.locale)
            }
            Select::Agg(agg, measure) => agg_of(*agg, &self.of(*measure), self.locale),
            Select::Share(conds) => {
                let list: Vec<String> = conds.iter().map(|c| self.condition(c)).collect();
                let list = list.join(self.pick(" and ", " и "));
                match self.locale {
                    Locale::En => format!("share of rows with {list}, in %"),
                    Locale::Ru => format!("доля строк, где {list}, в %"),
                }
            }
            Select::Part(measure, cond) => {
                let (of, cond) = (self.measure(*measure), self.condition(cond));
                match self.locale {
                    Locale::En => format!("share of rows with {cond} in the total of {of}, in %"),
                    Locale::Ru => format!("доля строк, где {cond}, в сумме: {of}, в %"),
                }
            }
            Select::At { column, measure, descending } => {
                let words = if *descending {
                    self.pick("with the highest", "с наибольшим значением:")
                } else {
                    self.pick("with the lowest", "с наименьшим значением:")
                };
                format!("{} {words} {}", self.column(*column), self.measure(*measure))
            }
            Select::Spread(measure) => {
                let words = self.pick("highest less lowest", "разница максимума и минимума:");
                format!("{words} {}", self.measure(*measure))
            }
            Select::Correlation(a, b) => {
                let (a, b) = (self.measure(*a), self.measure(*b));
                match self.locale {
                    Locale::En => format!("correlation of {a} and {b}"),
                    Locale::Ru => format!("корреляция {a} и {b}"),
                }
            }
        }
    }

    fn condition(&self, cond: &Cond) -> String {
        let names = |domain: Domain, list: &[usize]| -> Vec<String> {
            list.iter()
                .filter_map(|&i| super::naming::name_in(domain, i, self.locale))
                .map(str::to_owned)
                .collect()
        };
        match cond {
            Cond::Compare(left, cmp, right) => {
                let right = self.operand(*right);
                format!("{} {} {right}", self.measure(*left), sign(*cmp))
            }
            Cond::Implied { cmp, number: x, .. } => format!("{} {}", sign(*cmp), number(*x)),
            Cond::Values { column, values, negated } => {
                self.member(&self.column(*column), values, *negated)
            }
            Cond::Flag { column, wanted: true } => self.column(*column),
            Cond::Flag { column, wanted: false } => {
                format!("{} {}", self.pick("not", "не"), self.column(*column))
            }
            Cond::Part(part, cmp, value) => {
                let words = self.pick(by_part(*part).0, part_nominative(*part));
                format!("{words} {} {value}", sign(*cmp))
            }
            Cond::Weekdays { days, negated } => self.member(
                self.pick("weekday", "день недели"),
                &names(Domain::Weekday, days),
                *negated,
            ),
            Cond::Months { months, negated } => {
                self.member(self.pick("month", "месяц"), &names(Domain::Month, months), *negated)
            }
            Cond::Period(first, last) => {
                let text = dates(&period_text(*first, *last), self.locale);
                format!("{} {text}", self.pick("dates", "даты"))
            }
            Cond::Recent(recent) => {
                let (words, period) = match recent {
                    Recent::Year => (self.pick("the last year", "последний год"), "last_year"),
                    Recent::Month => (self.pick("the last month", "последний месяц"), "last_month"),
                    Recent::Week => (self.pick("the last week", "последняя неделя"), "last_week"),
                    Recent::Days(n) => {
                        return format!("{} {n}", self.pick("last dates:", "последние даты:"));
                    }
                };
                let told = counted_back(period, self.schema, self.locale).unwrap_or_default();
                format!("{words}{told}")
            }
            Cond::Clock(cmp, time) => {
                format!("{} {} {time}", self.pick("time", "время"), sign(*cmp))
            }
            Cond::Pattern(Pattern::Inside) => self.say("inside bar", "внутренний бар"),
            Cond::Pattern(Pattern::Outside) => self.say("outside bar", "внешний бар"),
            Cond::Pattern(Pattern::Doji) => self.say("doji", "доджи"),
            Cond::Streak(run, cmp, n) => {
                format!("{} {} {} {n}", self.run(*run), self.pick("in a row", "подряд"), sign(*cmp))
            }
            Cond::Contains { column, text, negated } => {
                let contains = match negated {
                    false => self.pick("contains", "содержит"),
                    true => self.pick("does not contain", "не содержит"),
                };
                format!("{} {contains} {text}", self.column(*column))
            }
            Cond::Colour(true) => self.say("close above open", "закрытие выше открытия"),
            Cond::Colour(false) => self.say("close below open", "закрытие ниже открытия"),
            Cond::Missing { column, negated } => {
                let words = match negated {
                    false => self.pick("is empty", "не заполнено"),
                    true => self.pick("is not empty", "заполнено"),
                };
                let none = self.schema.columns.get(*column).and_then(none_word);
                let none = none.map(|none| match (self.locale, negated) {
                    (Locale::En, false) => format!(" or “{none}”"),
                    (Locale::En, true) => format!(" and not “{none}”"),
                    (Locale::Ru, false) => format!(" или «{none}»"),
                    (Locale::Ru, true) => format!(" и не «{none}»"),
                });
                format!("{} {words}{}", self.column(*column), none.unwrap_or_default())
            }
            Cond::Cross(line, other, up) => {
                let words = if *up {
                    self.pick("crosses above", "пересекает снизу вверх")
                } else {
                    self.pick("crosses below", "пересекает сверху вниз")
                };
                format!("{} {words} {}", self.measure(*line), self.operand(*other))
            }
            Cond::After(held) => {
                format!(
                    "{} {}",
                    self.pick("the row before:", "строкой раньше:"),
                    self.condition(held)
                )
            }
            Cond::All(list) => {
                let list: Vec<String> = list.iter().map(|c| self.condition(c)).collect();
                list.join(self.pick(" and ", " и "))
            }
            Cond::Any(list) => {
                let list: Vec<String> = list.iter().map(|c| self.condition(c)).collect();
                format!("({})", list.join(self.pick(" or ", " или ")))
            }
        }
    }

    fn run(&self, run: Run) -> &'static str {
        match run {
            Run::Moved(true) => self.pick("rises", "рост"),
            Run::Moved(false) => self.pick("falls", "падение"),
            Run::Coloured(true) => self.pick("closes above the open", "закрытие выше открытия"),
            Run::Coloured(false) => self.pick("closes below the open", "закрытие ниже открытия"),
        }
    }

    fn bars(&self, frame: Timeframe) -> String {
        match frame {
            Timeframe::Daily => self.say("on daily bars", "по дневным барам"),
            Timeframe::Weekly => self.say("on weekly bars", "по недельным барам"),
            Timeframe::Monthly => self.say("on monthly bars", "по месячным барам"),
            Timeframe::Quarterly => self.say("on quarterly bars", "по квартальным барам"),
            Timeframe::Yearly => self.say("on yearly bars", "по годовым барам"),
            other => match (self.locale, crate::query::explain::bars(other.name())) {
                (Locale::En, [name, _]) => format!("on {name} bars"),
                (Locale::Ru, [_, name]) => match name.strip_suffix("ые") {
                    Some(stem) => format!("по {stem}ым барам"),
                    None => format!("по барам {name}"),
                },
            },
        }
    }

    fn member(&self, column: &str, values: &[String], negated: bool) -> String {
        let list = values.join(", ");
        match (values.len() == 1, negated) {
            (true, false) => format!("{column} = {list}"),
            (true, true) => format!("{column} ≠ {list}"),
            (false, false) => format!("{column} {} {list}", self.pick("is one of", "из списка:")),
            (false, true) => {
                format!("{column} {} {list}", self.pick("is none of", "не из списка:"))
            }
        }
    }
}

fn sign(cmp: Cmp) -> &'static str {
    match cmp {
        Cmp::Gt => ">",
        Cmp::Ge => "≥",
        Cmp::Lt => "<",
        Cmp::Le => "≤",
        Cmp::Eq => "=",
        Cmp::Ne => "≠",
    }
}

/// A part of time after `by` and `по`.
fn by_part(part: Part) -> (&'static str, &'static str) {
    match part {
        Part::Year => ("year", "годам"),
        Part::Quarter => ("quarter", "кварталам"),
        Part::Month => ("month", "месяцам"),
        Part::Week => ("week", "неделям"),
        Part::Day => ("day", "дням"),
        Part::Weekday => ("weekday", "дням недели"),
        Part::Hour => ("hour", "часам"),
    }
}

fn part_nominative(part: Part) -> &'static str {
    match part {
        Part::Year => "год",
        Part::Quarter => "квартал",
        Part::Month => "месяц",
        Part::Week => "неделя",
        Part::Day => "день",
        Part::Weekday => "день недели",
        Part::Hour => "час",
    }
}

fn part_genitive(part: Part) -> &'static str {
    match part {
        Part::Year => "годы",
        Part::Quarter => "кварталы",
        Part::Month => "месяцы",
        Part::Week => "недели",
        Part::Day => "дни",
        Part::Weekday => "дни недели",
        Part::Hour => "часы",
    }
}
