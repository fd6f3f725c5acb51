//! Mutations that need the result: of a number the value of another row, of another column, another
//! scale, another whole; and of the words around it.

use crate::corpus::{Part, Section, Sentence};
use crate::rates::Rng;
use pinhole::validate::{Check, Claim, Verdict};
use std::ops::Range;

/// The mutations of part `at`, which `found` judged at `place`: kind and new words.
pub fn mutations(
    section: &Section,
    sentence: &Sentence,
    at: usize,
    found: &Check,
    place: &Range<usize>,
    rng: &mut Rng,
) -> Vec<(String, String)> {
    let Part::Number(text, false) = &sentence.parts[at] else { return Vec::new() };
    let Some(style) = Style::of(text) else { return Vec::new() };
    let mut out: Vec<(&str, String)> = Vec::new();
    if let Some((row, column)) = cell(section, found, place, &style) {
        let outcome = &section.outcome;
        let value = |row: usize, column: usize| outcome.value(row, column).as_f64();
        let rows: Vec<usize> = (0..outcome.rows.len()).filter(|r| *r != row).collect();
        if !rows.is_empty() {
            let other = rows[rng.below(rows.len())];
            out.extend(value(other, column).map(|x| ("entity", style.write(x))));
        }
        let columns: Vec<usize> = (0..outcome.columns.len())
            .filter(|c| *c != column && outcome.columns[*c].column.kind.is_numeric())
            .filter(|c| outcome.columns[*c].role != pinhole::query::check::Role::Key)
            .collect();
        // Only a sentence that says which column it means is wrong with the value of another.
        let words = sentence.text(None).0.to_lowercase();
        let named =
            |column: usize| names(section, column).iter().any(|n| words.contains(n.as_str()));
        let others: Vec<usize> = columns.into_iter().filter(|c| !named(*c)).collect();
        if !others.is_empty() && named(column) {
            let other = others[rng.below(others.len())];
            out.extend(value(row, other).map(|x| ("column", style.write(x))));
        }
    }
    let after: String = sentence.parts[at + 1..].iter().map(Part::words).collect();
    let free = after.trim_start().chars().next().is_none_or(|c| ".,;:)|".contains(c));
    if free && !text.contains(|c: char| c.is_alphabetic() || c == '%') {
        let russian = sentence.text(None).0.contains(|c| ('а'..='я').contains(&c));
        out.push(("scale", format!("{text} {}", if russian { "тыс." } else { "thousand" })));
    }
    let before = at.checked_sub(2).map(|i| (&sentence.parts[i], &sentence.parts[i + 1]));
    if let Some((Part::Number(..), Part::Plain(words))) = before
        && [" of ", " of the ", " из ", " out of "].contains(&words.as_str())
    {
        let counts = [
            Some(section.outcome.rows_scanned),
            Some(section.outcome.rows_matched),
            section.outcome.rows_before_limit,
        ];
        let other = counts
            .into_iter()
            .flatten()
            .map(|n| n as f64)
            .find(|n| *n != style.value)
            .unwrap_or(style.value * 2.0 + 1.0);
        out.push(("denominator", style.write(other)));
    }
    // A value of another size, shown in the digits of this one, may be true (`0` of 0.034).
    out.retain(|(kind, words)| {
        words != text && (*kind == "scale" || Style::of(words).is_some_and(|s| s.value != 0.0))
    });
    out.into_iter().map(|(kind, words)| (kind.to_owned(), words)).collect()
}

/// A change of the words beside a number, or anywhere in a sentence.
pub struct Around {
    /// The kind of mutation.
    pub kind: &'static str,
    /// The part that changes, and its new words.
    pub part: usize,
    pub words: String,
    /// The number that is wrong then; none where it is the sentence.
    pub number: Option<usize>,
}

/// Units, and another one of the same kind; the longest first.
const UNITS: &[(&str, &str)] = &[
    ("dollars", "euros"),
    ("долларов", "евро"),
    ("доллара", "евро"),
    ("евро", "долларов"),
    ("euros", "dollars"),
    ("years", "months"),
    ("года", "месяца"),
    ("кВт", "Вт"),
    ("kW", "W"),
    ("мс", "с"),
    ("ms", "s"),
    ("км", "м"),
    ("km", "m"),
    ("°C", "°F"),
    ("€", "$"),
];

/// Words that say where to, or which of two is more.
const DIRECTIONS: &[(&str, &str)] = &[
    ("rose", "fell"),
    ("fell", "rose"),
    ("dropped", "rose"),
    ("declined", "increased"),
    ("increased", "decreased"),
    ("higher than", "lower than"),
    ("lower than", "higher than"),
    ("more than", "less than"),
    ("fewer than", "more than"),
    ("cheaper than", "dearer than"),
    ("выросла", "упала"),
    ("выросли", "упали"),
    ("вырос", "упал"),
    ("упала", "выросла"),
    ("упали", "выросли"),
    ("упал", "вырос"),
    ("снизились", "выросли"),
    ("снизилась", "выросла"),
    ("снизилось", "выросло"),
    ("больше, чем", "меньше, чем"),
    ("меньше, чем", "больше, чем"),
    ("выше, чем", "ниже, чем"),
    ("ниже, чем", "выше, чем"),
];

/// Words for one end of an order, and for the other.
const SUPERLATIVES: &[(&str, &str)] = &[
    ("highest", "lowest"),
    ("lowest", "highest"),
    ("largest", "smallest"),
    ("smallest", "largest"),
    ("longest", "shortest"),
    ("shortest", "longest"),
    ("strongest", "weakest"),
    ("the most", "the fewest"),
    ("больше всего", "меньше всего"),
    ("меньше всего", "больше всего"),
    ("чаще всего", "реже всего"),
    ("реже всего", "чаще всего"),
    ("самая высокая", "самая низкая"),
    ("самая низкая", "самая высокая"),
    ("самый высокий", "самый низкий"),
    ("самый низкий", "самый высокий"),
    ("самая большая", "самая маленькая"),
    ("самый большой", "самый маленький"),
    ("наибольш", "наименьш"),
    ("наименьш", "наибольш"),
];

/// Places of an order.
const RANKS: &[(&str, &str)] = &[
    ("second", "third"),
    ("third", "fourth"),
    ("второе место", "третье место"),
    ("третье место", "второе место"),
];

/// Changes of the words of a true sentence: unit, per cent, direction, superlative, rank, condition.
pub fn around(section: &Section, sentence: &Sentence, found: &Check) -> Vec<Around> {
    let places = sentence.text(None).1;
    let mut out = Vec::new();
    for (at, part) in sentence.parts.iter().enumerate() {
        if let Part::Number(..) = part {
            let style = Style::of(part.words());
            let of = style.and_then(|style| cell(section, found, &places[at], &style));
            if let Some((_, column)) = of {
                out.extend(beside(section, sentence, at, column));
            }
        }
        let Part::Plain(words) = part else { continue };
        for (kind, pairs) in
            [("direction", DIRECTIONS), ("superlative", SUPERLATIVES), ("rank", RANKS)]
        {
            let new = pairs.iter().find_map(|(a, b)| swapped(words, a, b));
            out.extend(new.map(|words| Around { kind, part: at, words, number: None }));
        }
        out.extend(stale(section, words).map(|words| Around {
            kind: "stale filter",
            part: at,
            words,
            number: None,
        }));
    }
    out
}

/// The unit or the per cent sign beside a number, changed.
fn beside(section: &Section, sentence: &Sentence, at: usize, column: usize) -> Vec<Around> {
    let mut out = Vec::new();
    let column = &section.outcome.columns[column].column;
    let plain = |i: Option<usize>| match i.map(|i| (i, sentence.parts.get(i))) {
        Some((i, Some(Part::Plain(words)))) => Some((i, words.as_str())),
        _ => None,
    };
    let (before, after) = (plain(at.checked_sub(1)), plain(Some(at + 1)));
    let percent = column.name.split('_').any(|w| w == "pct") || column.unit.as_deref() == Some("%");
    if let Some((part, words)) = after.filter(|_| percent)
        && let Some(rest) = words.trim_start().strip_prefix('%')
    {
        let russian = sentence.text(None).0.contains(|c| ('а'..='я').contains(&c));
        let points =
            if russian { "процентных пункта" } else { "percentage points" };
        let words = format!(" {points}{rest}");
        out.push(Around { kind: "percent and points", part, words, number: Some(at) });
    }
    if column.unit.is_none() || percent {
        return out;
    }
    for (a, b) in UNITS {
        let ends = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '/');
        if let Some((part, words)) = after
            && let Some(rest) = words.trim_start().strip_prefix(a).filter(|rest| ends(rest))
        {
            let words = format!(" {b}{rest}");
            out.push(Around { kind: "unit", part, words, number: Some(at) });
            break;
        }
        if let Some((part, words)) = before
            && let Some(rest) = words.strip_suffix(a).filter(|_| *a == "€" || *a == "$")
        {
            let words = format!("{rest}{b}");
            out.push(Around { kind: "unit", part, words, number: Some(at) });
            break;
        }
    }
    out
}

/// `words` with `b` in place of the only `a` in it, which stands as a word (or begins one where it is
/// a stem).
fn swapped(words: &str, a: &str, b: &str) -> Option<String> {
    let lower = words.to_lowercase();
    // Lower case of other lengths is not looked into.
    if lower.len() != words.len() || lower.matches(a).count() != 1 {
        return None;
    }
    let start = lower.find(a)?;
    let end = start + a.len();
    let letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let stem = ["наибольш", "наименьш"].contains(&a);
    if letter(words[..start].chars().next_back()) || !stem && letter(words[end..].chars().next()) {
        return None;
    }
    let capital = words[start..].starts_with(char::is_uppercase);
    let first = b.chars().next()?;
    let new = if capital {
        first.to_uppercase().collect::<String>() + &b[first.len_utf8()..]
    } else {
        b.to_owned()
    };
    Some(format!("{}{new}{}", &words[..start], &words[end..]))
}

/// A number of the query's condition that stands in the words, changed.
fn stale(section: &Section, words: &str) -> Option<String> {
    let canonical = section.outcome.query.canonical();
    let condition = ["where", "period"]
        .iter()
        .filter_map(|field| canonical.get(*field)?.as_str())
        .collect::<Vec<_>>()
        .join(" ");
    let numbers = |text: &str| -> Vec<(usize, String)> {
        let mut out: Vec<(usize, String)> = Vec::new();
        for (i, c) in text.char_indices().filter(|(_, c)| c.is_ascii_digit()) {
            match out.last_mut() {
                Some((start, digits)) if *start + digits.len() == i => digits.push(c),
                _ => out.push((i, c.to_string())),
            }
        }
        out
    };
    let asked = numbers(&condition);
    let (start, digits) =
        numbers(words).into_iter().find(|(_, d)| asked.iter().any(|(_, a)| a == d))?;
    let end = start + digits.len();
    // Part of a longer number, or of a name.
    let near = [words[..start].chars().next_back(), words[end..].chars().next()];
    if near.into_iter().flatten().any(|c| c.is_alphanumeric() || c == '.' || c == ',' || c == '-') {
        return None;
    }
    let other = digits.parse::<u64>().ok()?;
    let other = if other >= 1000 { other - 1 } else { other * 2 + 1 };
    Some(format!("{}{other}{}", &words[..start], &words[end..]))
}

/// Sentences that state the sum of the rows which a limit left as that of everything.
pub fn truncated(section: &Section) -> Vec<String> {
    use pinhole::query::check::{ResultKind, Role};
    let outcome = &section.outcome;
    if outcome.rows_before_limit.is_none_or(|n| n <= outcome.rows.len() as u64) {
        return Vec::new();
    }
    let mut out = Vec::new();
    for (place, column) in outcome.columns.iter().enumerate() {
        let added = matches!(column.role, Role::Measure { aggregate: Some("sum" | "count"), .. });
        let table = outcome.kind() == ResultKind::Table && column.column.kind.is_numeric();
        if !added && !table {
            continue;
        }
        let values = (0..outcome.rows.len()).filter_map(|r| outcome.value(r, place).as_f64());
        let values: Vec<f64> = values.collect();
        let sum: f64 = values.iter().sum();
        let name = column.column.name.replace('_', " ");
        if table {
            let mean = sum / values.len() as f64;
            out.push(format!("The average {name} is {mean:.2}."));
            out.push(format!("Средний {name} – {mean:.2}."));
        }
        out.push(format!("The total {name} is {sum}."));
        out.push(format!("In all there were {sum} {name}."));
        out.push(format!("Всего {name} – {sum}."));
    }
    out
}

fn good(claim: &Claim) -> bool {
    claim.verdict == Verdict::Verified && claim.formula.is_none()
}

/// The words for a column: of its name, its label and its synonyms, and of its aggregate.
pub fn names(section: &Section, column: usize) -> Vec<String> {
    let column = &section.outcome.columns[column].column;
    let mut out: Vec<String> = column.name.split('_').map(str::to_owned).collect();
    out.extend(column.label.iter().chain(&column.synonyms).cloned());
    let aggregates: [(&str, &[&str]); 6] = [
        ("mean", &["average", "avg", "средн"]),
        ("max", &["largest", "highest", "most", "максим"]),
        ("min", &["smallest", "lowest", "least", "миним"]),
        ("sum", &["total", "всего", "итого", "сумм"]),
        ("median", &["медиан"]),
        ("pct", &["%"]),
    ];
    for (name, words) in aggregates {
        if out.iter().any(|n| n == name) {
            out.extend(words.iter().map(|w| (*w).to_owned()));
        }
    }
    out.into_iter().map(|n| n.to_lowercase()).filter(|n| !n.is_empty()).collect()
}

/// The cell that a number is: the only one that shows it, whatever the check made of it. Where
/// several do, or none, that which the check found it to be.
fn cell(
    section: &Section,
    found: &Check,
    place: &Range<usize>,
    style: &Style,
) -> Option<(usize, usize)> {
    let outcome = &section.outcome;
    let half = 0.5 * 10f64.powi(-(style.decimals as i32)) + 1e-9;
    let numeric = (0..outcome.columns.len()).filter(|&c| {
        outcome.columns[c].column.kind.is_numeric()
            && outcome.columns[c].role != pinhole::query::check::Role::Key
    });
    let mut shown =
        numeric.flat_map(|c| (0..outcome.rows.len()).map(move |r| (r, c))).filter(|&(r, c)| {
            outcome.value(r, c).as_f64().is_some_and(|x| (x.abs() - style.value).abs() <= half)
        });
    if let (Some(only), None) = (shown.next(), shown.next()) {
        return Some(only);
    }
    let claim = found
        .claims
        .iter()
        .find(|c| c.span.start < place.end && c.span.end > place.start && good(c))?;
    let fact = claim.fact.as_ref()?;
    let column = outcome.columns.iter().position(|c| c.column.name == fact.column)?;
    Some((fact.row?, column))
}

/// How a number is written.
pub struct Style {
    before: String,
    after: String,
    group: Option<char>,
    point: char,
    pub decimals: usize,
    pub value: f64,
}

impl Style {
    /// `None` for what is no plain number.
    pub fn of(text: &str) -> Option<Self> {
        let first = text.find(|c: char| c.is_ascii_digit())?;
        let last = text.rfind(|c: char| c.is_ascii_digit())?;
        let core = text.get(first..=last)?;
        let marks: Vec<(usize, char)> =
            core.char_indices().filter(|(_, c)| !c.is_ascii_digit()).collect();
        if marks.iter().any(|(_, c)| !", .\u{a0}\u{202f}".contains(*c)) {
            return None;
        }
        let tail = |(at, c): (usize, char)| core.len() - at - c.len_utf8();
        // The last mark is the decimal point, unless three digits follow a comma or a space.
        let point = marks.last().copied().filter(|m| m.1 == '.' || m.1 == ',' && tail(*m) != 3);
        let decimals = point.map_or(0, tail);
        let group = marks.iter().find(|m| Some(**m) != point).map(|m| m.1);
        let whole = core.get(..point.map_or(core.len(), |p| p.0))?;
        let digits: String = whole.chars().filter(char::is_ascii_digit).collect();
        let fraction = core.get(core.len() - decimals..)?;
        Some(Self {
            before: text.get(..first)?.to_owned(),
            after: text.get(last + 1..)?.to_owned(),
            group,
            point: point.map_or('.', |p| p.1),
            decimals,
            value: format!("{digits}.{fraction}0").parse().ok()?,
        })
    }

    /// Another value, written so.
    fn write(&self, value: f64) -> String {
        let plain = format!("{:.*}", self.decimals, value.abs());
        let (whole, fraction) = plain.split_once('.').unwrap_or((&plain, ""));
        let mut out = self.before.clone();
        for (i, c) in whole.chars().enumerate() {
            if let Some(group) = self.group.filter(|_| i > 0 && (whole.len() - i) % 3 == 0) {
                out.push(group);
            }
            out.push(c);
        }
        if !fraction.is_empty() {
            out.push(self.point);
            out.push_str(fraction);
        }
        out + &self.after
    }
}
