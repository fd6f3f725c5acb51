//! The words that steer a reading: aggregates, superlatives, comparisons, hedges, directions,
//! counts, in English and Russian. A pattern is one or more words; `*` ends a prefix.

mod counts;
mod grades;
mod hints;
mod order;
mod plain;
mod ranks;

use super::lex::{Kind, Token};
pub(super) use counts::*;
pub(super) use grades::{graded, root};
pub(super) use hints::hint;
pub(super) use order::*;
pub(super) use plain::{PLAIN, paid};
pub(super) use ranks::{is_part, one_in, rank, rank_like, scale};

/// Aggregates that a text can name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Agg {
    /// Mean.
    Mean,
    /// Median.
    Median,
    /// Sum.
    Sum,
    /// Count.
    Count,
    /// Largest value.
    Max,
    /// Smallest value.
    Min,
    /// Standard deviation.
    Std,
}

impl Agg {
    /// The aggregate of a function name or of a word of a column's name.
    pub fn of_name(name: &str) -> Option<Self> {
        Some(match name {
            "mean" | "avg" | "average" | "wavg" => Self::Mean,
            "median" => Self::Median,
            "sum" | "total" => Self::Sum,
            "count" | "count_distinct" | "cnt" | "num" => Self::Count,
            "max" | "maximum" => Self::Max,
            "min" | "minimum" => Self::Min,
            "std" | "stddev" => Self::Std,
            _ => return None,
        })
    }
}

/// Whether the lists have a unit, or it is no word by which anything could be found.
pub(super) fn is_unit(unit: &str) -> bool {
    let lower = unit.to_lowercase();
    let listed = |(pattern, of): &(&str, &str)| *pattern == lower || of.to_lowercase() == lower;
    unit.chars().count() < 2
        || !unit.chars().all(char::is_alphabetic)
        || UNITS.iter().any(listed)
        || super::number::CURRENCIES.iter().any(|(_, of)| of.eq_ignore_ascii_case(unit))
}

/// A table of patterns and what each means.
pub(super) type Table<T> = &'static [(&'static str, T)];

/// Words that name an aggregate and nothing else.
pub(super) const AGGS: Table<Agg> = &[
    ("mean", Agg::Mean),
    ("means", Agg::Mean),
    ("average*", Agg::Mean),
    ("averaging", Agg::Mean),
    ("avg", Agg::Mean),
    ("apiece", Agg::Mean),
    ("typical*", Agg::Mean),
    ("средн*", Agg::Mean),
    ("в среднем", Agg::Mean),
    ("median*", Agg::Median),
    ("медиан*", Agg::Median),
    ("sum", Agg::Sum),
    ("sums", Agg::Sum),
    ("summed", Agg::Sum),
    ("total", Agg::Sum),
    ("totals", Agg::Sum),
    ("totaled", Agg::Sum),
    ("totalled", Agg::Sum),
    ("сумм*", Agg::Sum),
    ("суммарн*", Agg::Sum),
    ("итог*", Agg::Sum),
    ("всего", Agg::Sum),
    ("count", Agg::Count),
    ("counts", Agg::Count),
    ("number of", Agg::Count),
    ("total number of", Agg::Count),
    ("how many", Agg::Count),
    ("количеств*", Agg::Count),
    ("число", Agg::Count),
    ("числу", Agg::Count),
    ("сколько", Agg::Count),
    ("max", Agg::Max),
    ("maximum*", Agg::Max),
    ("maxima", Agg::Max),
    ("peak", Agg::Max),
    ("up to", Agg::Max),
    ("максим*", Agg::Max),
    ("пиков*", Agg::Max),
    ("пик", Agg::Max),
    ("пика", Agg::Max),
    ("min", Agg::Min),
    ("minimum*", Agg::Min),
    ("minima", Agg::Min),
    ("миним*", Agg::Min),
    ("standard deviation", Agg::Std),
    ("std", Agg::Std),
    ("стандартн* отклонен*", Agg::Std),
];

/// Words that speak of everything, not of one group.
pub(super) const OVERALL: Table<()> = &[
    ("overall", ()),
    ("altogether", ()),
    ("combined", ()),
    ("as a whole", ()),
    ("all groups", ()),
    ("all days", ()),
    ("all weekdays", ()),
    ("across all", ()),
    ("в целом", ()),
    ("в общем", ()),
    ("общ* сложност*", ()),
    ("по всем", ()),
    ("за все", ()),
    ("за весь", ()),
];

/// Words that ask for a total, of everything or of what is named.
pub(super) const TOTAL: Table<()> =
    &[("in total", ()), ("in all", ()), ("в сумме", ()), ("всего", ()), ("итого", ())];

/// Words that put several groups together.
pub(super) const TOGETHER: Table<()> = &[
    ("together", ()),
    ("combined", ()),
    ("both", ()),
    ("jointly", ()),
    ("between them", ()),
    ("add up", ()),
    ("adds up", ()),
    ("added up", ()),
    ("totalling", ()),
    ("totaling", ()),
    ("over the", ()),
    ("over all", ()),
    ("across", ()),
    ("full year", ()),
    ("annual*", ()),
    ("for the year", ()),
    ("за год", ()),
    ("за неделю", ()),
    ("за месяц", ()),
    ("за период", ()),
    ("for the week", ()),
    ("for the month", ()),
    ("годов*", ()),
    ("company", ()),
    ("everyone", ()),
    ("вместе", ()),
    ("совместно", ()),
    ("суммарн*", ()),
    ("в сумме", ()),
    ("оба", ()),
    ("обе", ()),
    ("обоих", ()),
    ("обеих", ()),
    ("за все", ()),
    ("за три", ()),
    ("за два", ()),
    ("общ*", ()),
];

/// Words that speak of each group.
pub(super) const EVERY: Table<()> = &[
    ("all", ()),
    ("every", ()),
    ("each", ()),
    ("both", ()),
    ("everywhere", ()),
    ("always", ()),
    ("все", ()),
    ("всех", ()),
    ("всем", ()),
    ("кажд*", ()),
    ("оба", ()),
    ("обе", ()),
    ("любой", ()),
    ("всегда", ()),
    ("везде", ()),
];

/// Words that leave a group out.
pub(super) const EXCEPT: Table<()> = &[
    ("but", ()),
    ("except", ()),
    ("excluding", ()),
    ("besides", ()),
    ("apart from", ()),
    ("other than", ()),
    ("кроме", ()),
    ("за исключением", ()),
];

/// Words that speak of no group.
pub(super) const NONE: Table<()> = &[
    ("no", ()),
    ("none", ()),
    ("never", ()),
    ("not", ()),
    ("neither", ()),
    ("nowhere", ()),
    ("ни", ()),
    ("нигде", ()),
    ("никогда", ()),
    ("никто", ()),
    ("не", ()),
];

/// Words of what a per cent leaves.
pub(super) const WITHOUT: Table<()> = &[
    ("without", ()),
    ("remaining", ()),
    ("rest", ()),
    ("other", ()),
    ("un*", ()),
    ("failed", ()),
    ("без", ()),
    ("остальн*", ()),
    ("оста*", ()),
];

/// Words of what was before.
pub(super) const EARLIER: Table<()> = &[
    ("earlier", ()),
    ("before", ()),
    ("previous", ()),
    ("previously", ()),
    ("prior", ()),
    ("ago", ()),
    ("last", ()),
    ("ранее", ()),
    ("раньше", ()),
    ("назад", ()),
    ("прошлый", ()),
    ("прошлого", ()),
    ("прошлому", ()),
    ("прошлом", ()),
    ("прошлым", ()),
    ("прошлая", ()),
    ("прошлой", ()),
    ("прошлую", ()),
    ("прошлое", ()),
    ("прошлые", ()),
    ("прошлых", ()),
    ("предыдущ*", ()),
    ("прежде", ()),
];

/// Openers of a condition.
pub(super) const CONDITIONS: Table<()> = &[
    ("where", ()),
    ("when", ()),
    ("whose", ()),
    ("with", ()),
    ("only", ()),
    ("filter*", ()),
    ("threshold*", ()),
    ("condition*", ()),
    ("где", ()),
    ("когда", ()),
    ("при", ()),
    ("с", ()),
    ("со", ()),
    ("только", ()),
    ("котор*", ()),
    ("порог*", ()),
    ("фильтр*", ()),
    ("услови*", ()),
];

/// Words between a subject and what is said of it.
pub(super) const COPULAS: Table<()> = &[
    ("is", ()),
    ("was", ()),
    ("are", ()),
    ("were", ()),
    ("be", ()),
    ("has", ()),
    ("had", ()),
    ("have", ()),
    ("saw", ()),
    ("shows", ()),
    ("showed", ()),
    ("occurred", ()),
    ("came", ()),
    ("falls", ()),
    ("fell", ()),
    ("был", ()),
    ("была", ()),
    ("было", ()),
    ("были", ()),
    ("приход*", ()),
    ("приш*", ()),
    ("наблюда*", ()),
    ("показа*", ()),
];

/// Negations.
pub(super) const NOT: Table<()> =
    &[("not", ()), ("never", ()), ("isn't", ()), ("wasn't", ()), ("не", ()), ("no", ())];

/// Words that point back to the sentence before.
pub(super) const BACK: Table<()> = &[
    ("it", ()),
    ("its", ()),
    ("that", ()),
    ("this", ()),
    ("there", ()),
    ("these", ()),
    ("those", ()),
    ("это*", ()),
    ("эта", ()),
    ("этот", ()),
    ("этой", ()),
    ("он", ()),
    ("она", ()),
    ("оно", ()),
    ("его", ()),
    ("ее", ()),
    ("там", ()),
    ("тогда", ()),
];

/// The longest pattern of `table` that starts at token `at`: its meaning and how many tokens.
pub(super) fn find<T: Copy>(table: Table<T>, tokens: &[Token], at: usize) -> Option<(T, usize)> {
    let mut best: Option<(T, usize)> = None;
    let first = tokens.get(at).filter(|t| t.is_word())?.lower.chars().next();
    for &(pattern, meaning) in table {
        if pattern.chars().next() != first {
            continue;
        }
        if let Some(n) = matches(pattern, tokens, at)
            && best.is_none_or(|(_, most)| n > most)
        {
            best = Some((meaning, n));
        }
    }
    best
}

/// Whether some pattern of `table` starts at `at`.
pub(super) fn has<T: Copy>(table: Table<T>, tokens: &[Token], at: usize) -> bool {
    find(table, tokens, at).is_some()
}

/// How many tokens from `at` name what is counted: a word for rows, or what these rows are.
pub(super) fn counted(tokens: &[Token], at: usize) -> Option<usize> {
    find(COUNTED, tokens, at)
        .map(|((), len)| len)
        .or_else(|| tokens.get(at).is_some_and(|t| t.counts).then_some(1))
}

/// How many tokens `pattern` takes from `at`; `п.п.` and `more, than` read as their words.
fn matches(pattern: &str, tokens: &[Token], at: usize) -> Option<usize> {
    let mut i = at;
    for (n, word) in pattern.split(' ').enumerate() {
        if n > 0
            && tokens
                .get(i)
                .is_some_and(|t| matches!(t.kind, Kind::Punct(',' | '.' | '-' | '/' | '·')))
        {
            i += 1;
        }
        let token = tokens.get(i).filter(|t| t.is_word())?;
        let fits = match word.strip_suffix('*') {
            Some(prefix) => token.lower.starts_with(prefix),
            None => token.lower == word,
        };
        if !fits {
            return None;
        }
        i += 1;
    }
    Some(i - at)
}
