//! Questions that change one about purchases that was answered before: `what about November?`,
//! `а на молоко?`.

use super::when::points_at_a_period;
use super::{Reader, Said, among, in_full};
use crate::error::Locale;
use crate::planner::token::{Token, TokenKind, tokenise};

/// Words that say that a question changes the one before.
const LEADS: [&[&str]; 12] = [
    &["and", "what", "about"],
    &["and", "how", "about"],
    &["what", "about"],
    &["how", "about"],
    &["а", "что", "насчет"],
    &["а", "как", "насчет"],
    &["а", "если"],
    &["and"],
    &["а"],
    &["и"],
    &["то", "же"],
    &["same"],
];
/// Words before what the last answer is held against.
const COMPARED: [&[&str]; 8] = [
    &["compared", "with"],
    &["compared", "to"],
    &["and", "compared", "with"],
    &["and", "compared", "to"],
    &["по", "сравнению", "с"],
    &["а", "по", "сравнению", "с"],
    &["vs"],
    &["versus"],
];
/// Words around a year.
const YEAR: &str = "in for during the year в за год году годом года";
/// One of these begins what is changed, too.
const BEGINS: &str = "in for during on at by в во за на по";

/// The question that `question` makes of `previous`, in full; nothing where it is one of its own.
pub fn follow(previous: &str, question: &str) -> Option<String> {
    let mut tokens = tokenise(question.trim_end_matches(['?', '!', '.', ' ']));
    // `and only in 2023?`
    tokens.retain(|t| !among(&t.folded, "only just только лишь"));
    if let Some(both) = compared(previous, &tokens) {
        return Some(both);
    }
    let lead = LEADS.iter().find(|lead| begins(&tokens, lead));
    let changed =
        tokens.get(lead.map_or(0, |lead| lead.len())..).filter(|rest| !rest.is_empty())?;
    if lead.is_none() && !changed.first().is_some_and(|t| among(&t.folded, BEGINS)) {
        return None;
    }
    let full = in_full(previous);
    let before =
        tokenise(full.as_deref().unwrap_or(previous).trim_end_matches(['?', '!', '.', ' ']));
    let (old, words) = parts(&before)?;
    if let Some(pointing) = pointing(changed) {
        let at = old.iter().position(|t| points_at_a_period(&t.folded))?;
        let (until, after) = (old.get(..at)?, old.get(at + 1..)?);
        return Some(written(words.iter().chain(until).chain([&pointing]).chain(after)));
    }
    let (new, change) = parts(changed)?;
    let period = if new.is_empty() { old } else { new };
    if change.is_empty() {
        return Some(written(words.iter().chain(&period)));
    }
    if change.first().is_some_and(|t| among(&t.folded, "by per по")) {
        return by_groups(&words, &change, &period);
    }
    // another thing or shop, of a question for money
    let (old, new) = (Reader::said(&words)?, Reader::said(&change)?);
    if !(old.spent || old.bought) || new.spent || new.bought {
        return None;
    }
    let Said { thing, shop, .. } = new;
    let thing = if thing.is_empty() { old.thing } else { thing };
    let shop = if shop.is_empty() { old.shop } else { shop };
    let russian = |t: &&Token| t.folded.chars().any(|c| ('а'..='я').contains(&c));
    let locale = if words.iter().any(russian) { Locale::Ru } else { Locale::En };
    let [spent, on, at] = match locale {
        Locale::En => ["how much did I spend", "on", "at"],
        Locale::Ru => ["сколько потрачено", "на", "в"],
    };
    let mut full = vec![spent.to_owned()];
    for (word, named) in [(on, &thing), (at, &shop)] {
        if !named.is_empty() {
            full.extend([word.to_owned(), written(named.iter())]);
        }
    }
    full.push(written(period.iter()));
    Some(full.join(" "))
}

/// `compared with 2023`, `по сравнению с мартом`, after what was spent in another year or month: both.
fn compared(previous: &str, tokens: &[Token]) -> Option<String> {
    let lead = COMPARED.iter().find(|lead| begins(tokens, lead))?;
    let changed = tokens.get(lead.len()..)?;
    let before = tokenise(previous.trim_end_matches(['?', '!', '.', ' ']));
    let (old, words) = parts(&before)?;
    let (new, rest) = parts(changed)?;
    let said = Reader::said(&words)?;
    if !said.spent || !said.thing.is_empty() || !said.shop.is_empty() || !rest.is_empty() {
        return None;
    }
    let ((old_month, old_year), (new_month, new_year)) =
        (month_and_year(&old)?, month_and_year(&new)?);
    // `compared with June`, in the same year; `with 2023`, the same month
    if old_month.is_none() && new_month.is_some() {
        return None;
    }
    let stretch = |month: Option<&str>, year: Option<&str>| {
        let words = [month, year];
        words.into_iter().flatten().collect::<Vec<_>>().join(" ")
    };
    let new_month = new_month.or(old_month);
    let (old, new) = (stretch(old_month, old_year), stretch(new_month, new_year.or(old_year)));
    if old == new {
        return None;
    }
    let russian = before.iter().any(|t| t.folded.chars().any(|c| ('а'..='я').contains(&c)));
    Some(if russian {
        format!("сравни траты за {old} и {new}")
    } else {
        format!("compare spending in {old} and {new}")
    })
}

/// The month and the year that some words name, where they name nothing else.
fn month_and_year<'a>(tokens: &[&'a Token]) -> Option<(Option<&'a str>, Option<&'a str>)> {
    const MONTHS: &str =
        "january february march april may june july august september october november december";
    const STEMS: [&str; 12] = [
        "январ",
        "феврал",
        "март",
        "апрел",
        "ма",
        "июн",
        "июл",
        "август",
        "сентябр",
        "октябр",
        "ноябр",
        "декабр",
    ];
    let (mut month, mut year) = (None, None);
    for token in tokens {
        let word = token.folded.as_str();
        let of_month = among(word, MONTHS)
            || STEMS.iter().any(|stem| {
                word.strip_prefix(stem).is_some_and(|end| among(end, " ь я е ю й а у ом ем"))
            });
        let place = if token.raw.len() == 4 && token.raw.starts_with(['1', '2']) {
            &mut year
        } else if of_month {
            &mut month
        } else if among(word, YEAR) {
            continue;
        } else {
            return None;
        };
        if place.replace(token.raw.as_str()).is_some() {
            return None;
        }
    }
    (month.is_some() || year.is_some()).then_some((month, year))
}

fn begins(tokens: &[Token], lead: &[&str]) -> bool {
    let mut said = tokens.iter().map(|t| t.folded.as_str());
    lead.iter().all(|word| said.next() == Some(word))
}

/// `by month`, `по магазинам`, of what was spent: that by those groups.
fn by_groups(words: &[&Token], change: &[&Token], period: &[&Token]) -> Option<String> {
    const MOST: usize = 3;
    // other groups than those of before
    let grouped = words.iter().position(|t| among(&t.folded, "by per по"));
    let words = words.get(..grouped.unwrap_or(words.len())).unwrap_or_default();
    if !(2..=MOST).contains(&change.len()) {
        return None;
    }
    let Said { thing, shop, spent, bought, .. } = Reader::said(words)?;
    if !(spent || bought) || !shop.is_empty() {
        return None;
    }
    let russian = change.iter().any(|t| t.folded.chars().any(|c| ('а'..='я').contains(&c)));
    let everything = matches!(thing[..], [only] if among(&only.folded, super::EVERYTHING));
    let spending = match (thing.is_empty() || everything, russian) {
        (true, false) => "spending".to_owned(),
        (true, true) => "траты".to_owned(),
        (false, false) => format!("how much did I spend on {}", written(thing.iter())),
        (false, true) => format!("сколько потрачено на {}", written(thing.iter())),
    };
    Some([spending, written(change.iter()), written(period.iter())].join(" ").trim_end().to_owned())
}

/// `в этом`, `and the last`: the one word that says which period it is, of the kind named before.
fn pointing(changed: &[Token]) -> Option<&Token> {
    let rest = changed.iter().filter(|t| !among(&t.folded, BEGINS) && t.folded != "the");
    let [only] = rest.collect::<Vec<_>>()[..] else { return None };
    points_at_a_period(&only.folded).then_some(only)
}

/// The words of the period of a question, and the others.
fn parts(tokens: &[Token]) -> Option<(Vec<&Token>, Vec<&Token>)> {
    // which day is today says where periods begin, not which words name them
    let today = chrono::NaiveDate::from_ymd_opt(2024, 12, 31)?;
    let (_, words) = Reader { tokens, today, language: Locale::En, categories: &[] }.period()?;
    let named = |token: &&Token| !words.iter().any(|word| word.span == token.span);
    Some((tokens.iter().filter(named).collect(), words))
}

fn written<'a>(tokens: impl Iterator<Item = &'a &'a Token>) -> String {
    let of = |t: &&Token| match t.kind {
        TokenKind::Quoted => format!("\"{}\"", t.raw),
        _ => t.raw.clone(),
    };
    tokens.map(of).collect::<Vec<_>>().join(" ")
}
