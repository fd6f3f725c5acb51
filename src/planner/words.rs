//! The common words of both languages for aggregates, grouping, comparison, time and bars.
//!
//! Forms are listed (in [`super::phrases`]), not stemmed: `meaning` must not be read as `mean`. A
//! word that ends in `*` stands for every word with that beginning.

mod forms;

use super::phrases::{ENGLISH, ORDERS, PHRASES};
use super::russian::RUSSIAN;
use super::sketch::Recent;
use super::token::{Token, TokenKind, Unit};
use super::traders::TRADERS;
use crate::query::ast::Arith;
use forms::declined;
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
    /// The value below which so many of a thousand lie.
    Percentile(u16),
}

/// What an adjective is about, by which a column is found (`older`, `самый дорогой`, `how long`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Quality {
    Length,
    Price,
    Age,
    Speed,
    Weight,
    Distance,
    Warmth,
    Height,
    Width,
    Depth,
    Thickness,
    Pay,
}

impl Quality {
    /// Nouns of the columns that have it, the likeliest first; true where more of the noun is less
    /// of the quality (the faster, the less time).
    pub fn nouns(self) -> &'static [(&'static str, bool)] {
        match self {
            Self::Length => {
                &[("duration", false), ("time", false), ("length", false), ("distance", false)]
            }
            Self::Price => &[("price", false), ("cost", false), ("amount", false), ("fare", false)],
            Self::Age => &[("age", false)],
            Self::Speed => &[("speed", false), ("time", true), ("duration", true)],
            Self::Weight => &[("weight", false)],
            Self::Distance => &[("distance", false)],
            Self::Warmth => &[("temperature", false)],
            Self::Height => &[("height", false)],
            Self::Width => &[("width", false), ("breadth", false)],
            Self::Depth => &[("depth", false)],
            Self::Thickness => &[("thickness", false), ("diameter", false), ("girth", false)],
            Self::Pay => &[("salary", false)],
        }
    }
}

/// A part of a date or timestamp.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Part {
    Year,
    Quarter,
    Month,
    Week,
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
    Wick(Wick),
}

/// A side of a bar beyond its body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Wick {
    Upper,
    Lower,
}

/// An indicator of bars, by its function in the query language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Indicator {
    Rsi,
    Atr,
    Adx,
    Cci,
    Mfi,
    MacdLine,
    WilliamsR,
    TrueRange,
    /// A mean of closes, which has no usual length.
    Sma,
    Ema,
}

/// A shape of bars.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Pattern {
    Inside,
    Outside,
    Doji,
}

/// The way that bars can go one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Run {
    /// The close above (true) or below the one before.
    Moved(bool),
    /// The close above (true) or below the open.
    Coloured(bool),
}

/// Usual names of sessions of a market.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hours {
    Regular,
    Overnight,
    Asian,
    European,
    Morning,
    Afternoon,
    /// The first or the last hour of the regular ones.
    FirstHour,
    LastHour,
    /// Before the regular hours, and after them.
    Before,
    After,
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
    /// A part of time as an adjective (`monthly`, `daily`): a grouping, or the length of bars.
    Every(Part),
    /// Introduces a grouping by a part of time and names it (`подневно`, `month after month`).
    ByPart(Part),
    /// For one of them (`a day`, `в месяц`).
    PerPart(Part),
    /// Minutes, for the length of bars.
    Minutes,
    /// The length of bars in one word (`5m`, `пятиминутных`): seconds.
    Length(u32),
    /// A session.
    Hours(Hours),
    /// A word for a session, which says nothing beside its name.
    SessionWord,
    /// A shape of bars.
    Pattern(Pattern),
    /// An indicator of bars.
    Indicator(Indicator),
    /// One after the other (`in a row`).
    InARow,
    /// A run of bars (`streak`).
    Streak,
    /// The longest one.
    Longest,
    /// An operator between two columns.
    Math(Arith),
    /// A text holds another one.
    Contains,
    /// Saturdays and Sundays (true), or the other days.
    Weekend(bool),
    /// A half of a year, 1 or 2.
    Half(u32),
    /// The end of the data, by a whole period.
    Recent(Recent),
    /// Before a number of days: the end of the data.
    LastFew,
    /// An order of what comes out.
    Sorted(bool),
    /// In the order of names.
    Alphabet,
    /// Against the group before.
    Previous,
    /// Against the group before, with the part of time named.
    Over(Part),
    /// A change of whatever is selected; in per cent when true.
    Difference(bool),
    /// The clock: `o'clock`.
    OClock,
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
    /// The one that there are most of (true), or fewest of.
    Popular(bool),
    /// The best one (true), or the worst one.
    Best(bool),
    /// The extreme one by what an adjective is about, the one with the most of it when true.
    Superlative(Quality, bool),
    /// More of what an adjective is about when true; a comparison too.
    Comparative(Quality, bool),
    /// How much of what an adjective is about (`how long`).
    How(Quality),
    /// After a number: the value below which that share lies.
    Percentile,
    /// No value is there.
    Missing,
    /// A value is there.
    Present,
    /// Three months, by the number of the first; January is 0.
    Season(usize),
    /// After an hour: before noon (false) or after it.
    HalfDay(bool),
    /// The latest ones (true), or the earliest ones.
    Ends(bool),
    /// `first`, `второй`, of a number that rows have.
    Ordinal(u64),
    /// Rows, where they are people.
    People,
    /// Introduces what comes out sorted by.
    SortBy,
    /// The rows of the question before.
    Listing,
    /// How often one thing holds where another does.
    Chance,
    /// On the day after what follows.
    DayAfter,
    /// The other end of an order.
    Reverse,
    /// In the order of time, the latest (true) or the earliest first.
    TimeOrder(bool),
    /// In order, the best (true) or the worst first.
    BestFirst(bool),
    /// What data cannot tell.
    Future,
    /// Between two that are set against each other.
    Versus,
    /// Introduces those that are told apart.
    Apart,
    /// The one that it happens to most often (true), or least often.
    Often(bool),
    /// Money, where one column is of it.
    Money,
    /// How often, after a name of what happens (`return rate`).
    Rate,
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
    /// A verb that says no more than that there are such rows, where nothing of the table is called
    /// by it (`used`, `issued`).
    Light,
    /// Asks, where nothing but such words stands before it (`pull up the average delay`).
    Opening,
    /// The same before what cannot be called by it (`run the numbers`, not `return flights`).
    OpeningWith,
    /// Between values of which each will do (`either of`).
    EitherOf,
    /// The second of an order.
    RunnerUp,
    /// Rows, where no column or value is called so (`cases`, `items`).
    RowWord,
    /// All rows, where nothing else is asked.
    Everything,
    /// From the start of a part of time to the end of the data.
    ToDate(Part),
    /// A verb that ties rows to the value or the flag named behind it (`закончились возвратом`), and
    /// means something by itself.
    Tie,
}

impl Concept {
    /// It is meant only where a table has no such word of its own.
    fn is_faint(self) -> bool {
        matches!(self, Self::Light | Self::Opening | Self::OpeningWith | Self::RowWord)
    }

    /// It is said of bars of a market alone.
    pub fn is_of_bars(self) -> bool {
        matches!(
            self,
            Self::Derived(_)
                | Self::DerivedPercent(_)
                | Self::Move(_)
                | Self::Colour(_)
                | Self::Price
                | Self::Market
                | Self::Bars
                | Self::Pattern(_)
                | Self::Indicator(_)
                | Self::Hours(_)
                | Self::SessionWord
                | Self::Length(_)
        )
    }
}

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
    /// By their first letter.
    prefixes: HashMap<char, Vec<(&'static str, Phrase)>>,
}

impl Lexicon {
    /// The beginnings of words that `folded` has.
    fn beginnings(&self, folded: &str) -> impl Iterator<Item = &Phrase> {
        let list = folded.chars().next().and_then(|first| self.prefixes.get(&first));
        let list = list.into_iter().flatten();
        list.filter(move |(prefix, _)| folded.starts_with(prefix)).map(|(_, phrase)| phrase)
    }
}

/// All phrases and what they stand for.
pub(super) fn all_phrases() -> impl Iterator<Item = &'static (&'static str, Concept)> {
    PHRASES.iter().chain(ORDERS).chain(ENGLISH).chain(TRADERS).chain(RUSSIAN)
}

static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| {
    let mut lexicon = Lexicon { exact: HashMap::new(), prefixes: HashMap::new() };
    for &(forms, concept) in all_phrases() {
        for form in forms.split('|').flat_map(declined) {
            let mut words = form.into_iter();
            let Some(first) = words.next() else { continue };
            let phrase = Phrase { rest: words.collect(), concept };
            match first.strip_suffix('*').and_then(|p| Some((p, p.chars().next()?))) {
                Some((prefix, letter)) => {
                    lexicon.prefixes.entry(letter).or_default().push((prefix, phrase));
                }
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
    let prefixed = LEXICON.beginnings(&first.folded);
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

/// True when the word stands in the lexicon at all, and not only as a way to ask.
///
/// The verb of `sold the most` and the noun of `cheap first` are words of tables all the same.
pub(super) fn is_known(token: &Token) -> bool {
    let exact = LEXICON.exact.get(token.folded.as_str()).into_iter().flatten();
    exact.chain(LEXICON.beginnings(&token.folded)).any(|phrase| {
        let order = matches!(
            phrase.concept,
            Concept::MostMany(_)
                | Concept::Sorted(_)
                | Concept::TimeOrder(_)
                | Concept::BestFirst(_)
                | Concept::Alphabet
        );
        !phrase.concept.is_faint() && (phrase.rest.is_empty() || !order)
    })
}

/// A long form of a Russian participle (`оформленных`), which may be one of a value.
pub(super) fn is_participle(folded: &str) -> bool {
    ["нный", "нная", "нное", "нные", "нных", "нного", "нной", "нную", "нным", "нными"]
        .iter()
        .any(|ending| folded.ends_with(ending))
}

/// True when the word stands in the lexicon for more than a light verb: a value of the table is not
/// meant by it, unless it is written as one.
pub(super) fn is_common(token: &Token, bars: bool) -> bool {
    let exact = LEXICON.exact.get(token.folded.as_str()).into_iter().flatten();
    // `used` alone is one, though `used the most` begins with it
    exact.chain(LEXICON.beginnings(&token.folded)).any(|phrase| {
        phrase.rest.is_empty()
            && !phrase.concept.is_faint()
            && phrase.concept != Concept::Tie
            && !(phrase.concept == Concept::Stop && is_participle(&token.folded))
            && (bars || !phrase.concept.is_of_bars())
    })
}

#[cfg(test)]
mod tests {
    use super::super::token::tokenise;
    use super::*;
    use Concept as C;

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
