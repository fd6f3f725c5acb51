//! Words without which a question asks the same. The list is short on purpose: a word that could
//! say who, where, when or how many is not on it.

/// Articles, words of politeness, forms of `be`, and words that only open a question.
const FILLERS: &[&str] = &[
    "a",
    "an",
    "the",
    "please",
    "show",
    "give",
    "tell",
    "find",
    "display",
    "get",
    "me",
    "us",
    "let",
    "see",
    "know",
    "can",
    "could",
    "you",
    "would",
    "like",
    "i",
    "we",
    "want",
    "is",
    "are",
    "was",
    "were",
    "be",
    "been",
    "did",
    "does",
    "do",
    "what",
    "which",
    "what's",
    "whats",
    "there",
    // Russian
    "покажи",
    "покажите",
    "показать",
    "выведи",
    "выведите",
    "вывести",
    "дай",
    "дайте",
    "скажи",
    "скажите",
    "найди",
    "найдите",
    "посчитай",
    "посчитайте",
    "пожалуйста",
    "мне",
    "нам",
    "хочу",
    "узнать",
    "какой",
    "какая",
    "какое",
    "какие",
    "каков",
    "какова",
    "каково",
    "каковы",
    "был",
    "была",
    "было",
    "были",
    "есть",
    "же",
    "ли",
    "это",
];

/// True for a folded word without which a question asks the same.
pub(super) fn is_filler(folded: &str) -> bool {
    FILLERS.contains(&folded)
}

/// A folded English word without the `s` of the plural or of the third person, which both leave the
/// order of words to say who does what. Other words stay as they are.
pub(super) fn singular(folded: &str) -> String {
    let plain = folded.len() > 3 && folded.is_ascii() && !folded.ends_with("ss");
    let cut = folded.strip_suffix('s').filter(|_| plain);
    cut.unwrap_or(folded).to_owned()
}
