//! The text of a summary, one rendering for models and people, within its budget of tokens.

use super::display::{add, clean, english, inline, name, russian};
use super::{
    BUDGET, BUDGET_ALL_GROUPS, Cell, Common, Extreme, Grouped, MOST_GROUPS, Measure, Summary,
    TEXT_LENGTH, TableSummary,
};
use crate::error::Locale;

/// Lists are cut and texts shortened until a text is within its budget; this much is always said.
#[derive(Debug, Clone, Copy)]
struct Caps {
    /// Lines: statistics of columns, extremes of measures.
    lines: usize,
    /// `name=value` pairs of one row.
    pairs: usize,
    /// Characters of a name or a text value.
    text: usize,
    /// Groups, where every group is asked for.
    groups: usize,
}

/// The widest and the next narrower lengths of names and text values.
const LENGTHS: [usize; 4] = [TEXT_LENGTH, 40, 20, 12];

/// The text of `summary`, with as much as its budget holds. Warnings are always whole.
pub(super) fn render(summary: &Summary, locale: Locale) -> String {
    let all = matches!(summary, Summary::Grouped(Grouped { groups: Some(_), .. }));
    let budget = if all { BUDGET_ALL_GROUPS } else { BUDGET };
    let widest = widest(summary);
    let mut caps = Caps { lines: widest, pairs: widest, text: TEXT_LENGTH, groups: MOST_GROUPS };
    let mut text = body(summary, caps, locale);
    while estimate_tokens(&text) > budget {
        let Some(next) = tighter(caps, all) else { break };
        caps = next;
        text = body(summary, caps, locale);
    }
    for warning in &summary.common().warnings {
        text.push_str(match locale {
            Locale::En => "\n  warning: ",
            Locale::Ru => "\n  предупреждение: ",
        });
        text.push_str(&clean(warning.message.get(locale)));
    }
    text
}

/// Lists go down to four entries, then texts are shortened, then lists go down to one. Where every
/// group is asked for, one measure of all groups says more than several of few, and names must stay
/// apart: lists go down to one first, and groups are left out at last.
fn tighter(caps: Caps, all: bool) -> Option<Caps> {
    let lengths = if all { &LENGTHS[..3] } else { &LENGTHS[..] };
    let shorter = lengths.iter().copied().find(|&n| n < caps.text);
    let least = if all || shorter.is_none() { 1 } else { 4 };
    if caps.lines.max(caps.pairs) > least {
        let mut next = caps;
        if caps.lines >= caps.pairs {
            next.lines = narrower(caps.lines, least);
        } else {
            next.pairs = narrower(caps.pairs, least);
        }
        return Some(next);
    }
    match shorter {
        Some(text) => Some(Caps { text, ..caps }),
        None if all && caps.groups > 1 => Some(Caps { groups: caps.groups - 1, ..caps }),
        None => None,
    }
}

/// One less; far above `least`, a quarter less.
fn narrower(n: usize, least: usize) -> usize {
    (n - (n / 4).max(1)).max(least)
}

/// The length of the longest list in it.
fn widest(summary: &Summary) -> usize {
    match summary {
        Summary::Scalar(_) => 1,
        Summary::Dict(s) => s.values.len(),
        Summary::Table(s) => s.stats.len().max(s.first.len()),
        Summary::Grouped(s) => s.measures.len(),
    }
}

fn body(summary: &Summary, caps: Caps, locale: Locale) -> String {
    match summary {
        Summary::Scalar(s) => {
            format!("{}{} {}", result(locale), inline(&s.value, caps.text), from(&s.common, locale))
        }
        Summary::Dict(s) => {
            format!(
                "{}{} {}",
                result(locale),
                pairs(&s.values, caps, locale),
                from(&s.common, locale)
            )
        }
        Summary::Table(s) => table(s, caps, locale),
        Summary::Grouped(s) => grouped(s, caps, locale),
    }
}

fn table(s: &TableSummary, caps: Caps, locale: Locale) -> String {
    let rows = counted(
        s.rows,
        s.rows_before_limit,
        locale,
        ["row", "rows"],
        ["строка", "строки", "строк", "строки"],
    );
    let mut text = format!("{}{rows} {}", result(locale), from(&s.common, locale));
    for (column, stats) in s.stats.iter().take(caps.lines) {
        let column = name(column, caps.text);
        let [min, max, mean] = [&stats.min, &stats.max, &stats.mean].map(|v| inline(v, caps.text));
        add(&mut text, format_args!("\n  {column}: min={min}, max={max}, mean={mean}"));
        if stats.nulls > 0 {
            add(&mut text, format_args!(", nulls={}", stats.nulls));
        }
    }
    if s.stats.len() > caps.lines {
        add(&mut text, format_args!("\n  {}", more(s.stats.len() - caps.lines, locale)));
    }
    let (first, last) = match locale {
        Locale::En => ("first", "last"),
        Locale::Ru => ("первая", "последняя"),
    };
    for (which, cells) in [(first, &s.first), (last, &s.last)] {
        if !cells.is_empty() {
            add(&mut text, format_args!("\n  {which}: {}", pairs(cells, caps, locale)));
        }
    }
    text
}

fn grouped(s: &Grouped, caps: Caps, locale: Locale) -> String {
    let rows = counted(
        s.rows,
        s.rows_before_limit,
        locale,
        ["group", "groups"],
        ["группа", "группы", "групп", "группы"],
    );
    let by = s.by.iter().map(|key| name(key, caps.text)).collect::<Vec<_>>().join(", ");
    // A statement of SQL need not show what it groups by.
    let by = match locale {
        _ if by.is_empty() => String::new(),
        Locale::En => format!("by {by} "),
        Locale::Ru => format!("по {by} "),
    };
    let mut text = format!("{}{rows} {by}{}", result(locale), from(&s.common, locale));
    if let [one] = s.measures.as_slice() {
        for (side, extreme) in sides(one) {
            add(&mut text, format_args!("\n  {side}: {}", group(extreme, caps, locale)));
        }
    } else {
        for measure in s.measures.iter().take(caps.lines) {
            let found: Vec<String> = sides(measure)
                .map(|(side, extreme)| format!("{side}: {}", group(extreme, caps, locale)))
                .collect();
            if !found.is_empty() {
                let measure = name(&measure.name, caps.text);
                add(&mut text, format_args!("\n  {measure}: {}", found.join("; ")));
            }
        }
        if s.measures.len() > caps.lines {
            add(&mut text, format_args!("\n  {}", more(s.measures.len() - caps.lines, locale)));
        }
    }
    if let Some(groups) = s.groups.as_ref().filter(|g| !g.is_empty()) {
        add(&mut text, format_args!("\n  {}", every(s, groups, caps, locale)));
    }
    text
}

/// `all (shop, dow: sum_amount, count): Kuper, Tue: 310.5, 3; …`
fn every(s: &Grouped, groups: &[Vec<Cell>], caps: Caps, locale: Locale) -> String {
    let line = |cells: &[Cell], part: &dyn Fn(&Cell) -> String| {
        let (keys, values) = cells.split_at(s.keys.min(cells.len()));
        let [keys, values] = [keys, values.get(..caps.lines).unwrap_or(values)]
            .map(|cells| cells.iter().map(part).collect::<Vec<_>>().join(", "));
        format!("{keys}: {values}")
    };
    let mut heading =
        groups.first().map(|g| line(g, &|(n, _)| name(n, caps.text))).unwrap_or_default();
    if s.measures.len() > caps.lines {
        add(&mut heading, format_args!(", {}", more(s.measures.len() - caps.lines, locale)));
    }
    let mut listed: Vec<String> =
        groups.iter().take(caps.groups).map(|g| line(g, &|(_, v)| inline(v, caps.text))).collect();
    if groups.len() > listed.len() {
        listed.push(more(groups.len() - listed.len(), locale));
    }
    let all = match locale {
        Locale::En => "all",
        Locale::Ru => "все",
    };
    format!("{all} ({heading}): {}", listed.join("; "))
}

fn sides(measure: &Measure) -> impl Iterator<Item = (&'static str, &Extreme)> {
    [("min", &measure.min), ("max", &measure.max)]
        .into_iter()
        .filter_map(|(side, extreme)| Some((side, extreme.as_ref()?)))
}

/// `shop=Kuper, dow=Tue, sum_amount=310.5 (2 tie)`: every key, whatever their number.
fn group(extreme: &Extreme, caps: Caps, locale: Locale) -> String {
    let mut text = pairs(&extreme.cells, Caps { pairs: usize::MAX, ..caps }, locale);
    if extreme.ties > 1 {
        let ties = extreme.ties;
        match locale {
            Locale::En => add(&mut text, format_args!(" ({ties} tie)")),
            Locale::Ru => add(&mut text, format_args!(" (поровну: {ties})")),
        }
    }
    text
}

fn pairs(cells: &[Cell], caps: Caps, locale: Locale) -> String {
    let mut shown: Vec<String> = cells
        .iter()
        .take(caps.pairs)
        .map(|(column, value)| format!("{}={}", name(column, caps.text), inline(value, caps.text)))
        .collect();
    if cells.len() > caps.pairs {
        shown.push(more(cells.len() - caps.pairs, locale));
    }
    shown.join(", ")
}

fn result(locale: Locale) -> &'static str {
    match locale {
        Locale::En => "Result: ",
        Locale::Ru => "Результат: ",
    }
}

fn more(n: usize, locale: Locale) -> String {
    match locale {
        Locale::En => format!("+{n} more"),
        Locale::Ru => format!("+ещё {n}"),
    }
}

/// `(from 80 of 500 rows)`
fn from(common: &Common, locale: Locale) -> String {
    let (matched, scanned) = (common.rows_matched, common.rows_scanned);
    match locale {
        Locale::En => format!("(from {matched} of {})", english(scanned, "row", "rows")),
        Locale::Ru => {
            format!("(по {matched} из {})", russian(scanned, ["строки", "строк", "строк"]))
        }
    }
}

/// `13 rows`, or `5 of 37 groups` where `limit` cut some. The last Russian form is the genitive
/// singular, for `5 из 21 группы`.
fn counted(
    n: u64,
    before: Option<u64>,
    locale: Locale,
    [one, many]: [&str; 2],
    [ru_one, ru_few, ru_many, ru_of_one]: [&str; 4],
) -> String {
    match (locale, before) {
        (Locale::En, None) => english(n, one, many),
        (Locale::En, Some(all)) => format!("{n} of {}", english(all, one, many)),
        (Locale::Ru, None) => russian(n, [ru_one, ru_few, ru_many]),
        (Locale::Ru, Some(all)) => {
            format!("{n} из {}", russian(all, [ru_of_one, ru_many, ru_many]))
        }
    }
}

/// An upper estimate of the tokens of `text` under `o200k_base`, without its vocabulary. Runs of
/// small Latin letters and of digits are taken by threes, of small Cyrillic ones and of Latin capitals
/// by twos; every other letter and every mark counts for itself, and so do a space before a digit and
/// a run of spaces.
pub fn estimate_tokens(text: &str) -> usize {
    #[derive(Clone, Copy, PartialEq)]
    enum Class {
        Upper,
        Lower,
        Digit,
        Cyrillic,
        CyrillicUpper,
        Space,
        Other,
    }
    let mut tokens = 0;
    let mut before = Class::Other;
    let mut length = 0_usize;
    for c in text.chars() {
        let class = match c {
            'A'..='Z' => Class::Upper,
            'a'..='z' => Class::Lower,
            '0'..='9' => Class::Digit,
            'а'..='я' | 'ё' => Class::Cyrillic,
            'А'..='Я' | 'Ё' => Class::CyrillicUpper,
            ' ' => Class::Space,
            _ => Class::Other,
        };
        length = if class == before { length + 1 } else { 1 };
        tokens += match class {
            Class::Lower | Class::Digit => {
                let after_space = class == Class::Digit && before == Class::Space;
                usize::from(length % 3 == 1) + usize::from(after_space)
            }
            Class::Cyrillic | Class::Upper => usize::from(length % 2 == 1),
            Class::CyrillicUpper => 1,
            Class::Space => usize::from(length == 2),
            Class::Other if c.is_ascii() || c.is_alphabetic() => 1,
            Class::Other => 2,
        };
        before = class;
    }
    // Letters without sense take a little more than that.
    tokens + tokens / 40
}
