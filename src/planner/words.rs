//! The common words of both languages for aggregates, grouping, comparison, time and bars.
//!
//! Forms are listed, not stemmed: `meaning` must not be read as `mean`. A word that ends in `*`
//! stands for every word with that beginning.

use super::token::{Token, TokenKind, Unit};
use std::collections::HashMap;
use std::sync::LazyLock;

/// An aggregate that words can name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Agg {
    Mean,
    Sum,
    Min,
    Max,
    Median,
    Std,
    Var,
    First,
    Last,
    Pct,
    Correlation,
}

/// A part of a date or timestamp.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Part {
    Year,
    Quarter,
    Month,
    Day,
    Weekday,
    Hour,
}

/// A comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Cmp {
    Gt,
    Ge,
    Lt,
    Le,
    Eq,
    Ne,
}

impl Cmp {
    /// The operator of the query language.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Gt => ">",
            Self::Ge => ">=",
            Self::Lt => "<",
            Self::Le => "<=",
            Self::Eq => "==",
            Self::Ne => "!=",
        }
    }

    /// What holds when this does not.
    pub fn negated(self) -> Self {
        match self {
            Self::Gt => Self::Le,
            Self::Ge => Self::Lt,
            Self::Lt => Self::Ge,
            Self::Le => Self::Gt,
            Self::Eq => Self::Ne,
            Self::Ne => Self::Eq,
        }
    }

    /// The same comparison of the values with opposite signs.
    pub fn mirrored(self) -> Self {
        match self {
            Self::Gt => Self::Lt,
            Self::Ge => Self::Le,
            Self::Lt => Self::Gt,
            Self::Le => Self::Ge,
            same => same,
        }
    }
}

/// A measure of bars that the query language derives from open, high, low and close.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Derived {
    Gap,
    Change,
    Return,
    Range,
    Body,
}

/// What a word or phrase stands for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Concept {
    /// An aggregate.
    Agg(Agg),
    /// How many.
    Count,
    /// Different ones only.
    Distinct,
    /// Introduces a grouping, or the measure of a ranking.
    By,
    /// Introduces a grouping.
    Each,
    /// A part of the time column.
    Part(Part),
    /// A grouping in one word (`monthly`).
    PartAdjective(Part),
    /// Bars of a day.
    Daily,
    /// A comparison.
    Cmp(Cmp),
    /// A comparison of moments (`since`).
    TimeCmp(Cmp),
    /// Introduces a range of two numbers.
    Between,
    /// Introduces the first of two numbers.
    From,
    /// Introduces the second of two numbers.
    To,
    And,
    Or,
    Not,
    /// After a number: it is included, and so is what lies above (`or more`).
    OrMore,
    /// After a number: it is included, and so is what lies below.
    OrLess,
    /// The first ones of an order, largest first when true.
    Top(bool),
    /// The extreme one, largest when true.
    Most(bool),
    /// The extreme one, by how many there are (`most`), or by a measure that is named.
    MostMany(bool),
    /// Asks for one of them.
    Which,
    /// Asks for a moment, or introduces a condition.
    When,
    /// Rows of the table.
    Rows,
    /// Bars of the table.
    Bars,
    /// Occasions: rows that fulfil a condition.
    Times,
    /// A measure of bars.
    Derived(Derived),
    /// The same in per cent, by the name of its function.
    DerivedPercent(Derived),
    /// A price went up (true) or down.
    Move(bool),
    /// Up (true) or down, of a day or a gap.
    Direction(bool),
    /// A bar that closes above (true) or below its open.
    Colour(bool),
    /// A price of a bar, which one is not said.
    Price,
    /// Stands for the instrument itself.
    Market,
    /// A unit after a number.
    Unit(Unit),
    /// A factor after a number.
    Scale(f64),
    /// A day of the week, Monday is 0.
    Weekday(usize),
    /// A month, January is 0.
    Month(usize),
    /// A quarter by its number.
    Quarter(i64),
    /// A number in words.
    Number(f64),
    /// A word that binds neighbours and means nothing itself.
    Glue,
    /// A word that means nothing here.
    Stop,
}

use Concept as C;

/// Phrases and what they stand for. A phrase may stand in several lines.
const PHRASES: &[(&str, Concept)] = &[
    // aggregates
    ("average|averages|averaged|avg|mean|means|on average|средн*|в среднем|авг", C::Agg(Agg::Mean)),
    (
        "total|totals|sum|sums|overall|combined|altogether|in total|сумма|сумму|суммы|сумме|суммой|суммарн*|всего|итог|итого|общая|общий|общее|общую|общей|общего|общие|в сумме",
        C::Agg(Agg::Sum),
    ),
    ("max|maximum|maximal|peak|макс|максимум*|максимальн*", C::Agg(Agg::Max)),
    ("min|minimum|minimal|мин|минимум*|минимальн*", C::Agg(Agg::Min)),
    ("median|medians|медиан*", C::Agg(Agg::Median)),
    (
        "standard deviation|std|stdev|stddev|std dev|стандартное отклонение|стандартного отклонения|среднеквадратичное отклонение|среднеквадратическое отклонение|ско",
        C::Agg(Agg::Std),
    ),
    ("variance|дисперси*", C::Agg(Agg::Var)),
    ("first|earliest|перв*", C::Agg(Agg::First)),
    ("last|latest|most recent|последн*", C::Agg(Agg::Last)),
    (
        "percentage of|percent of|share of|proportion of|fraction of|what percentage of|what percent of|what share of|доля|долю|доли|процент|какой процент|какая доля",
        C::Agg(Agg::Pct),
    ),
    ("correlation|correlations|correlation between|корреляци*", C::Agg(Agg::Correlation)),
    (
        "how many|number of|count|counts|count of|the number of|quantity of|how often|как часто|сколько|количество|количества|количеству|количеством|число|числа|числу|числом|кол-во|сколько всего|сколько было",
        C::Count,
    ),
    ("different|distinct|unique|разных|разные|различн*|уникальн*", C::Distinct),
    ("how much|на сколько|насколько", C::Agg(Agg::Sum)),
    // grouping
    (
        "by|grouped by|broken down by|split by|group by|по|в разбивке по|с разбивкой по|сгруппировать по|сгруппируй по",
        C::By,
    ),
    (
        "per|each|for each|in each|for every|every|on each|across|for all|каждый|каждая|каждое|каждого|каждой|каждому|каждую|каждым|за каждый|за каждую|на каждый|на каждую|для каждого|для каждой|в каждом|в каждой|по каждому|по каждой|по каждым|в разрезе",
        C::Each,
    ),
    ("year|years|год|года|году|годам|годах|годы|лет", C::Part(Part::Year)),
    (
        "quarter|quarters|квартал|квартала|квартале|кварталам|кварталы|кварталах",
        C::Part(Part::Quarter),
    ),
    (
        "month|months|month of the year|месяц|месяца|месяце|месяцам|месяцы|месяцев|месяцах",
        C::Part(Part::Month),
    ),
    (
        "day|days|date|dates|trading day|trading days|день|дня|дню|дней|дни|дням|днях|днем|сутки|суток|торговый день|торговых дней|торговые дни|торговым дням|торговых дня",
        C::Part(Part::Day),
    ),
    (
        "weekday|weekdays|day of week|day of the week|days of the week|days of week|dow|день недели|дня недели|дню недели|дни недели|дней недели|дням недели|днях недели",
        C::Part(Part::Weekday),
    ),
    (
        "hour|hours|hour of day|hour of the day|time of day|час|часа|часу|часам|часы|часов|часах|час дня|часам дня|время суток|времени суток",
        C::Part(Part::Hour),
    ),
    ("monthly|помесячно|ежемесячн*|месячн*", C::PartAdjective(Part::Month)),
    ("hourly|почасов*|по часам|ежечасн*|часов*", C::PartAdjective(Part::Hour)),
    ("yearly|annual|annually|ежегодн*|годов*", C::PartAdjective(Part::Year)),
    ("quarterly|поквартально|ежеквартальн*|квартальн*", C::PartAdjective(Part::Quarter)),
    ("daily|дневн*|ежедневн*|суточн*", C::Daily),
    // comparison
    (
        ">|above|over|more than|greater than|larger than|bigger than|higher than|exceeds|exceed|exceeding|exceeded|more|greater|higher|beyond|выше|больше|более|свыше|превыша*|превыси*|больше чем|более чем|выше чем|дороже|старше",
        C::Cmp(Cmp::Gt),
    ),
    (
        "<|below|under|less than|lower than|smaller than|fewer than|less|lower|fewer|beneath|ниже|меньше|менее|меньше чем|менее чем|ниже чем|дешевле|младше",
        C::Cmp(Cmp::Lt),
    ),
    (
        ">=|=>|≥|at least|greater than or equal to|more than or equal to|больше или равно|больше или равен|от|from|no less than|not less than|minimum of|не менее|не меньше|не ниже|как минимум|по меньшей мере|минимум",
        C::Cmp(Cmp::Ge),
    ),
    (
        "<=|=<|≤|at most|less than or equal to|меньше или равно|меньше или равен|до|no more than|not more than|up to|maximum of|не более|не больше|не выше|не превыша*|максимум",
        C::Cmp(Cmp::Le),
    ),
    (
        "=|==|equals|equal to|equal|exactly|is exactly|равен|равно|равна|равны|равняется|ровно",
        C::Cmp(Cmp::Eq),
    ),
    ("!=|≠|<>|not equal to|not equal|не равен|не равно|не равна|не равны", C::Cmp(Cmp::Ne)),
    ("after|later than|после|позже", C::TimeCmp(Cmp::Gt)),
    ("before|earlier than|prior to|до|раньше|ранее", C::TimeCmp(Cmp::Lt)),
    ("since|starting from|starting in|from|начиная с|с|со", C::TimeCmp(Cmp::Ge)),
    ("until|till|through|по", C::TimeCmp(Cmp::Le)),
    ("between|ranging from|между|в диапазоне от|в диапазоне|в пределах", C::Between),
    ("from|от|с", C::From),
    ("to|and|through|до|по|и|..|-|–|—", C::To),
    ("and|plus|as well as|&|и|а также|,", C::And),
    ("or|или|либо", C::Or),
    (
        "not|except|excluding|without|other than|isn't|aren't|isnt|apart from|не|кроме|без|исключая|за исключением",
        C::Not,
    ),
    (
        "or more|and more|or higher|or above|or greater|and above|and up|or over|plus|+|и более|и больше|или более|или больше|и выше|или выше",
        C::OrMore,
    ),
    (
        "or less|or fewer|or lower|or below|and below|or under|и менее|и меньше|или менее|или меньше|и ниже|или ниже",
        C::OrLess,
    ),
    // order
    ("top|топ", C::Top(true)),
    ("bottom", C::Top(false)),
    (
        "highest|best|лучш*|largest|biggest|greatest|наибольш*|самый большой|самая большая|самое большое|самые большие|самым большим|самой большой|самую большую|самый высокий|самая высокая|самое высокое|самые высокие|самым высоким|самой высокой|крупнейш*|самый крупный|самая крупная|самые крупные|самую крупную|самая дорогая|самый дорогой|самые дорогие|высш*",
        C::Most(true),
    ),
    (
        "lowest|worst|худш*|smallest|наименьш*|самый маленький|самая маленькая|самое маленькое|самые маленькие|самую маленькую|самый низкий|самая низкая|самое низкое|самые низкие|самым низким|самой низкой|самая дешевая|самый дешевый|самые дешевые",
        C::Most(false),
    ),
    ("most|the most|больше всего|наибольшее число|наибольшее количество", C::MostMany(true)),
    (
        "least|fewest|the fewest|меньше всего|наименьшее число|наименьшее количество",
        C::MostMany(false),
    ),
    (
        "which|what|какой|какая|какое|какие|каком|какую|каких|в какой|в каком|в какие|у какого|у какой|кто",
        C::Which,
    ),
    ("when|on what day|on which day|когда|в какой день", C::When),
    (
        "rows|row|records|record|entries|entry|observations|lines|строк|строки|строка|строку|строкам|запис*|наблюдени*",
        C::Rows,
    ),
    (
        "bars|bar|candles|candle|candlesticks|свечей|свечи|свеча|свечам|бар|бары|баров|барам",
        C::Bars,
    ),
    ("times|occasions|раз|раза|случаев|случаи", C::Times),
    // bars
    (
        "gap|gaps|gapped|gapping|гэп*|геп*|гап|гапа|гапы|гапов|гапу|разрыв*",
        C::Derived(Derived::Gap),
    ),
    ("change|changes|move|moves|изменени*|движени*", C::Derived(Derived::Change)),
    ("return|returns|доходност*", C::Derived(Derived::Return)),
    ("range|ranges|диапазон*|размах*", C::Derived(Derived::Range)),
    ("gap_pct", C::DerivedPercent(Derived::Gap)),
    ("change_pct", C::DerivedPercent(Derived::Change)),
    ("range_pct", C::DerivedPercent(Derived::Range)),
    ("body|bodies|candle body|тело|тела|тело свечи|тела свечи|тел", C::Derived(Derived::Body)),
    (
        "rise|rises|rose|risen|rising|gain|gained|gains|grow|grew|grown|climb|climbed|increase|increased|rally|rallied|go up|goes up|went up|jump|jumped|вырос*|выраст*|рос|росл*|расте*|поднял*|подним*|подорожал*|увеличи*|рост|роста|прибавил*",
        C::Move(true),
    ),
    (
        "fall|falls|fell|fallen|falling|drop|dropped|drops|decline|declined|lose|lost|decrease|decreased|plunge|plunged|go down|goes down|went down|sink|sank|упал*|падал*|падае*|падени*|снизил*|снижал*|просел*|проседал*|потерял*|подешевел*|уменьши*|опустил*",
        C::Move(false),
    ),
    ("up|вверх|наверх", C::Direction(true)),
    ("down|вниз", C::Direction(false)),
    ("green|bullish|зелен*|растущ*|бычь*", C::Colour(true)),
    ("red|bearish|красн*|падающ*|медвеж*", C::Colour(false)),
    ("price|prices|цена|цены|цену|цене|ценой|цен|ценам", C::Price),
    (
        "market|markets|index|instrument|the market|stock|рынок|рынка|рынке|рынку|индекс|индекса|индексу|инструмент|инструмента|котировк*",
        C::Market,
    ),
    // numbers
    (
        "%|percent|per cent|pct|percentage|percents|in percent|in per cent|in percentage terms|процент*|в процентах",
        C::Unit(Unit::Percent),
    ),
    ("points|point|pts|ticks|пункт*|п", C::Unit(Unit::Points)),
    (
        "dollars|dollar|usd|euros|euro|eur|rub|rubles|roubles|руб|рубл*|доллар*|евро|$|€|£|₽",
        C::Unit(Unit::Money),
    ),
    ("thousand|thousands|тыс|тысяч*", C::Scale(1e3)),
    ("million|millions|mln|mio|млн|миллион*", C::Scale(1e6)),
    ("billion|billions|млрд|миллиард*", C::Scale(1e9)),
    ("one|один|одна|одно|одну", C::Number(1.0)),
    ("two|два|две|двух", C::Number(2.0)),
    ("three|три|трех", C::Number(3.0)),
    ("four|четыре|четырех", C::Number(4.0)),
    ("five|пять|пяти", C::Number(5.0)),
    ("six|шесть|шести", C::Number(6.0)),
    ("seven|семь|семи", C::Number(7.0)),
    ("eight|восемь|восьми", C::Number(8.0)),
    ("nine|девять|девяти", C::Number(9.0)),
    ("ten|десять|десяти|десятка|десятку", C::Number(10.0)),
    ("twenty|двадцать|двадцати", C::Number(20.0)),
    ("zero|ноль|нуля|нулю", C::Number(0.0)),
    ("positive|положительн*", C::Direction(true)),
    ("negative|отрицательн*", C::Direction(false)),
    // names in time
    ("monday|mondays|mon|понедельник*", C::Weekday(0)),
    ("tuesday|tuesdays|tue|tues|вторник*", C::Weekday(1)),
    ("wednesday|wednesdays|wed|среда|среды|среде|среду|средам|средой|средах", C::Weekday(2)),
    ("thursday|thursdays|thu|thurs|четверг*", C::Weekday(3)),
    ("friday|fridays|fri|пятниц*", C::Weekday(4)),
    ("saturday|saturdays|sat|суббот*", C::Weekday(5)),
    ("sunday|sundays|sun|воскресен*", C::Weekday(6)),
    ("january|jan|январ*", C::Month(0)),
    ("february|feb|феврал*", C::Month(1)),
    ("march|mar|март|марта|марте|мартам|мартом", C::Month(2)),
    ("april|apr|апрел*", C::Month(3)),
    ("may|май|мая|мае|маю|маем", C::Month(4)),
    ("june|jun|июн*", C::Month(5)),
    ("july|jul|июл*", C::Month(6)),
    ("august|aug|август|августа|августе|августу|августом", C::Month(7)),
    ("september|sep|sept|сентябр*", C::Month(8)),
    ("october|oct|октябр*", C::Month(9)),
    ("november|nov|ноябр*", C::Month(10)),
    ("december|dec|декабр*", C::Month(11)),
    ("q1|first quarter|первый квартал|первого квартала|первом квартале", C::Quarter(1)),
    ("q2|second quarter|второй квартал|второго квартала|втором квартале", C::Quarter(2)),
    ("q3|third quarter|третий квартал|третьего квартала|третьем квартале", C::Quarter(3)),
    ("q4|fourth quarter|четвертый квартал|четвертого квартала|четвертом квартале", C::Quarter(4)),
    // words without a meaning of their own
    (
        "of|the|a|an|is|was|were|are|be|been|did|does|do|than|has|had|have|its|is the|was the|на|чем|был|была|было|были|есть|быть|составля*|же|ли|,",
        C::Glue,
    ),
    (
        "in|on|at|for|with|where|if|that|whose|having|during|only|just|there|me|show|please|give|tell|list|find|get|display|i|want|to|see|know|would|like|can|you|us|we|all|any|it|this|these|those|what's|whats|which|what|our|my|their|calculate|compute|as|so|then|data|from|table|us|values|value|и|в|во|с|со|за|для|у|при|если|которых|которые|которая|который|которым|котором|том|только|покажи|покажите|дай|дайте|выведи|найди|посчитай|скажи|мне|пожалуйста|нам|это|этот|все|всех|всем|из|об|о|к|ко|от|данные|данных|таблиц*|таких|те|значени*|там|каков|какова|каково|каковы|какой|какая|какое|какие|хочу|знать|узнать|можно|а|ну|теперь|тоже|же самое|то же|то же самое|now|what about|how about|the same|same|ведь|происход*|случ*|наблюдал*|оказал*|где",
        C::Stop,
    ),
    (".|?|!|;|:|(|)|,|\"|'|`|…|-|–|—|«|»", C::Stop),
];

/// One phrase that begins at a place: how many tokens it takes and what it stands for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Found {
    /// Number of tokens.
    pub length: usize,
    /// Meaning.
    pub concept: Concept,
}

struct Phrase {
    rest: Vec<&'static str>,
    concept: Concept,
}

struct Lexicon {
    exact: HashMap<&'static str, Vec<Phrase>>,
    prefixes: Vec<(&'static str, Phrase)>,
}

static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| {
    let mut lexicon = Lexicon { exact: HashMap::new(), prefixes: Vec::new() };
    for &(forms, concept) in PHRASES {
        for form in forms.split('|') {
            let mut words = form.split(' ');
            let Some(first) = words.next() else { continue };
            let phrase = Phrase { rest: words.collect(), concept };
            match first.strip_suffix('*') {
                Some(prefix) if !prefix.is_empty() => lexicon.prefixes.push((prefix, phrase)),
                _ => lexicon.exact.entry(first).or_default().push(phrase),
            }
        }
    }
    lexicon
});

/// Every phrase that begins at token `at`.
pub(super) fn phrases(tokens: &[Token], at: usize) -> Vec<Found> {
    let Some(first) = tokens.get(at) else { return Vec::new() };
    if !matches!(first.kind, TokenKind::Word | TokenKind::Symbol) {
        return Vec::new();
    }
    let exact = LEXICON.exact.get(first.folded.as_str()).into_iter().flatten();
    let prefixed = LEXICON
        .prefixes
        .iter()
        .filter(|(prefix, _)| first.folded.starts_with(prefix))
        .map(|(_, phrase)| phrase);
    exact
        .chain(prefixed)
        .filter_map(|phrase| {
            let mut next = at + 1;
            for &word in &phrase.rest {
                // `кол-во`, `больше, чем`: signs inside a phrase are passed over
                if tokens.get(next).is_some_and(|t| t.is_symbol(",")) {
                    next += 1;
                }
                if !tokens.get(next).is_some_and(|t| matches(&t.folded, word)) {
                    return None;
                }
                next += 1;
            }
            Some(Found { length: next - at, concept: phrase.concept })
        })
        .collect()
}

fn matches(folded: &str, word: &str) -> bool {
    match word.strip_suffix('*') {
        Some(prefix) => folded.starts_with(prefix),
        None => folded == word,
    }
}

/// True when the word stands in the lexicon at all.
pub(super) fn is_known(token: &Token) -> bool {
    LEXICON.exact.contains_key(token.folded.as_str())
        || LEXICON.prefixes.iter().any(|(prefix, _)| token.folded.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::super::token::tokenise;
    use super::*;

    fn check(text: &str, expected: (usize, Concept)) {
        let found = phrases(&tokenise(text), 0);
        assert!(found.iter().any(|f| (f.length, f.concept) == expected), "{text}: {found:?}");
    }

    #[test]
    fn finds_phrases() {
        for (text, expected) in [
            ("more than 50", (2, C::Cmp(Cmp::Gt))),
            ("больше, чем на 2%", (3, C::Cmp(Cmp::Gt))),
            ("не менее 5", (2, C::Cmp(Cmp::Ge))),
            ("дням недели", (2, C::Part(Part::Weekday))),
            ("day of the week", (4, C::Part(Part::Weekday))),
            ("средний гэп", (1, C::Agg(Agg::Mean))),
            ("гэпов", (1, C::Derived(Derived::Gap))),
            ("How many", (2, C::Count)),
            ("пятницам", (1, C::Weekday(4))),
            ("> 5", (1, C::Cmp(Cmp::Gt))),
        ] {
            check(text, expected);
        }
    }

    #[test]
    fn a_stem_is_not_enough() {
        let found = phrases(&tokenise("meaning"), 0);
        assert_eq!(found, []);
    }
}
