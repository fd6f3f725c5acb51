//! Superlatives of adjectives that no list has: `the friendliest`, `самый бурный`, `наименее
//! загруженный`.

use super::super::lex::Token;

/// Words in `-est` that are none.
const NO_GRADE: &[&str] = &[
    "interest",
    "honest",
    "forest",
    "harvest",
    "request",
    "invest",
    "reinvest",
    "protest",
    "contest",
    "modest",
    "guest",
    "west",
    "northwest",
    "southwest",
    "midwest",
    "test",
    "latest",
    "rest",
    "suggest",
    "digest",
    "arrest",
    "chest",
    "quest",
    "conquest",
    "manifest",
    "budapest",
    "bucharest",
    "priest",
    "earnest",
    "tempest",
    "crest",
    "nest",
    "pest",
    "vest",
    "zest",
    "nearest",
    "closest",
    "everest",
    "attest",
    "detest",
    "ingest",
    "divest",
    "retest",
    "unrest",
    "behest",
    "trieste",
    "ernest",
    "simplest",
    "easiest",
    "honest",
];

/// Starts of Russian adjectives that speak of the sentence and not of a group.
const OF_SPEECH: &[&str] = &[
    "главн",
    "важн",
    "интересн",
    "последн",
    "перв",
    "прост",
    "обычн",
    "разн",
    "различн",
    "общ",
    "настоящ",
    "начал",
    "конец",
    "конц",
    "дел",
    "больш",
    "лучш",
    "худш",
    "низ",
    "верх",
];

const ENDINGS: &[&str] = &[
    "ый", "ий", "ой", "ая", "яя", "ое", "ее", "ые", "ие", "ого", "его", "ому", "ему", "ым", "им",
    "ом", "ем", "ей", "ую", "юю", "ых", "их", "ыми", "ими",
];

/// The root of an adjective in a superlative that no list has: `windi` of `windiest`, `шумн` of `самый
/// шумный` and `шумнее всего`.
pub(in super::super) fn root(tokens: &[Token], at: usize) -> Option<&str> {
    let word = tokens.get(at)?.lower.as_str();
    let listed = |at: usize| super::find(super::SUPERLATIVES, tokens, at).is_some();
    if word.is_ascii() {
        graded(tokens, at).filter(|_| !listed(at))?;
        return word.strip_suffix("est");
    }
    if graded(tokens, at).is_some_and(|(_, len)| len == 2) && !word.starts_with("сам") {
        return word.strip_suffix("ее").filter(|_| !listed(at));
    }
    let before = at.checked_sub(1).filter(|&i| graded(tokens, i).is_some() && !listed(i))?;
    let adjective =
        !["всего", "всех"].contains(&word) && tokens[before].sentence == tokens[at].sentence;
    ENDINGS
        .iter()
        .filter(|_| adjective)
        .filter_map(|end| word.strip_suffix(end))
        .min_by_key(|w| w.len())
}

/// Whether a superlative of an unknown adjective starts at a token: whether it says the most, and how
/// many tokens it has.
pub(in super::super) fn graded(tokens: &[Token], at: usize) -> Option<(bool, usize)> {
    let token = tokens.get(at).filter(|t| t.is_word())?;
    let word = token.lower.as_str();
    if word.is_ascii() {
        // A name with a capital in the middle of a sentence is none.
        let starts = at.checked_sub(1).is_none_or(|i| tokens[i].sentence != token.sentence);
        let grade = word.ends_with("est")
            && word.len() > 5
            && !NO_GRADE.contains(&word)
            && (!token.capital || starts);
        return grade.then_some((true, 1));
    }
    // `тише всего`, `громче всех`
    let all = tokens.get(at + 1).is_some_and(|t| t.lower == "всего" || t.lower == "всех");
    if all
        && word.chars().count() > 3
        && ["ее", "ше", "че", "же"].iter().any(|end| word.ends_with(end))
    {
        let other = ["даже", "также", "тоже", "хуже", "лучше"].contains(&word);
        return (!other).then_some((true, 2));
    }
    let most = match word {
        "самый" | "самая" | "самое" | "самые" | "самого" | "самой" | "самом" | "самых"
        | "самым" | "самую" | "самыми" | "самому" | "наиболее" => {
            true
        }
        "наименее" => false,
        _ => return None,
    };
    // `тот же самый`, `в то же самое время`
    let same = at.checked_sub(1).is_some_and(|i| tokens[i].lower == "же");
    let next = tokens.get(at + 1).filter(|t| t.is_word() && t.sentence == token.sentence)?;
    let adjective = next.lower.chars().count() > 4
        && ENDINGS.iter().any(|end| next.lower.ends_with(end))
        && !OF_SPEECH.iter().any(|w| next.lower.starts_with(w));
    (adjective && !same).then_some((most, 2))
}
