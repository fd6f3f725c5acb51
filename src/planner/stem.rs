//! Words made comparable: case and `ё` folded, the stem in the language of the letters, names cut
//! into their parts.

use frostem::{Algorithm, Stemmer};
use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// What was made of texts before: of the names of a schema the same is asked at every step.
type Known<T> = RefCell<HashMap<String, T, BuildHasherDefault<Fnv>>>;

/// FNV-1a: words are short, and the usual hash of them took a tenth of a question.
pub(super) struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// Texts that are kept at most.
const KEPT: usize = 1 << 15;

thread_local! {
    static STEMS: Known<String> = RefCell::default();
    static PARTS: Known<Vec<String>> = RefCell::default();
}

/// What `make` gives of a text, made once.
fn once<T: Clone>(known: &Known<T>, text: &str, make: fn(&str) -> T) -> T {
    let mut known = known.borrow_mut();
    if let Some(made) = known.get(text) {
        return made.clone();
    }
    if known.len() == KEPT {
        known.clear();
    }
    let made = make(text);
    known.insert(text.to_owned(), made.clone());
    made
}

/// Lower case, with `ё` as `е`.
pub(super) fn fold(word: &str) -> String {
    word.to_lowercase().replace('ё', "е")
}

/// True for a letter of the Russian alphabet's block.
pub(super) fn is_cyrillic(c: char) -> bool {
    ('\u{400}'..='\u{4ff}').contains(&c)
}

/// The stem of a folded word: Russian for Cyrillic letters, English otherwise.
pub(super) fn stem(folded: &str) -> String {
    STEMS.with(|known| once(known, folded, stem_of))
}

fn stem_of(folded: &str) -> String {
    let algorithm =
        if folded.chars().any(is_cyrillic) { Algorithm::Russian } else { Algorithm::English };
    if let Some((_, base)) = IRREGULAR.iter().find(|(forms, _)| forms.contains(&folded)) {
        return Stemmer::new(algorithm).stem(base).into_owned();
    }
    Stemmer::new(algorithm).stem(folded).into_owned()
}

/// The word of which a folded one may be the genitive of many, by the vowel that is put in there:
/// `поездок` of `поездка`, `задержек` of `задержка`.
pub(super) fn without_vowel(folded: &str) -> Option<String> {
    let rest = folded.strip_suffix("ок").or_else(|| folded.strip_suffix("ек"))?;
    (rest.chars().count() >= 3).then(|| format!("{rest}ка"))
}

/// The stem of the cases of a folded noun that loses its last vowel in them: `уголк` of `уголок`,
/// `продавц` of `продавец`.
pub(super) fn oblique(folded: &str) -> Option<String> {
    let (rest, last) = ["ок", "ек", "ец"]
        .iter()
        .find_map(|ending| Some((folded.strip_suffix(ending)?, ending.chars().next_back()?)))?;
    (rest.chars().count() >= 3).then(|| format!("{rest}{last}"))
}

/// Forms that no ending shows, and the word they are of.
const IRREGULAR: [(&[&str], &str); 3] = [
    (&["времени", "временем", "времена", "времен", "временам"], "время"),
    (&["имени", "именем", "имена", "имен", "именам"], "имя"),
    (&["детей", "детям", "детьми"], "дети"),
];

/// True when two folded words are likely forms of one, where their stems do not show it
/// (`принят`, `принятые`): they begin alike and differ in a short ending.
pub(super) fn alike(a: &str, b: &str) -> bool {
    const ENDING: usize = 3;
    let common = a.chars().zip(b.chars()).take_while(|(x, y)| x == y).count();
    let (a, b) = (a.chars().count(), b.chars().count());
    common >= 5 && a - common <= ENDING && b - common <= ENDING && common * 5 >= a.max(b) * 3
}

/// True when two folded words that are [`alike`] differ in endings of one word alone: cases of a noun
/// or an adjective (`канал`, `каналам`, whose stems differ), a verb and its nouns (`directed`,
/// `director`, `delivered`, `delivery`). `страниц` is no form of `страна`, nor `contractor` of `contract`.
pub(super) fn differ_in_ending(a: &str, b: &str) -> bool {
    const CASES: [&str; 55] = [
        "", "й", "а", "ам", "ами", "ах", "ов", "у", "ом", "е", "ы", "и", "ой", "ей", "ю", "я", "ь",
        "ям", "ями", "ях", "ев", "ем", "ец", "ца", "цу", "цем", "це", "цы", "цев", "цам", "цами",
        "цах", "ый", "ий", "ая", "яя", "ое", "ее", "ые", "ие", "ого", "его", "ому", "ему", "ым",
        "им", "ую", "юю", "ых", "их", "ыми", "ими", "ия", "ии", "ию",
    ];
    const DONE: [&str; 2] = ["ed", "ing"];
    const DOERS: [&str; 8] = ["or", "ors", "er", "ers", "y", "ion", "al", "ment"];
    let common = a.chars().zip(b.chars()).take_while(|(x, y)| x == y).map(|(x, _)| x.len_utf8());
    let common = common.sum::<usize>();
    let (a, b) = (a.get(common..).unwrap_or_default(), b.get(common..).unwrap_or_default());
    let verb = |x, y| DONE.contains(&x) && DOERS.contains(&y);
    (CASES.contains(&a) && CASES.contains(&b)) || verb(a, b) || verb(b, a)
}

/// True when a folded Russian word is a verb, or a participle, of what a folded noun names:
/// `задержали` of `задержка`.
pub(super) fn is_verb_of(verb: &str, noun: &str) -> bool {
    const NOUNS: [&str; 12] =
        ["ировка", "овка", "ение", "ание", "яние", "ание", "ия", "ие", "ка", "та", "а", "ь"];
    const VERBS: [&str; 24] = [
        "ли", "лся", "лась", "лись", "лось", "ил", "ал", "ял", "ела", "ила", "ала", "яла", "ило",
        "ало", "ют", "ут", "ят", "ат", "ет", "ит", "ются", "ется", "ены", "ено",
    ];
    const ROOT: usize = 5;
    VERBS.iter().any(|ending| verb.ends_with(ending))
        && NOUNS.iter().any(|ending| {
            noun.strip_suffix(ending).is_some_and(|root| {
                root.chars().count() >= ROOT
                    && verb.strip_prefix(root).is_some_and(|rest| rest.chars().count() <= ROOT)
            })
        })
}

/// True when a word is the noun of an English participle: `readmission` of `readmitted`.
pub(super) fn is_noun_of(noun: &str, participle: &str) -> bool {
    const NOUNS: [&str; 12] = [
        "ation", "ition", "ution", "ssion", "tion", "sion", "ion", "ment", "ance", "ence", "ure",
        "al",
    ];
    const PARTICIPLES: [&str; 4] = ["tted", "ved", "ted", "ed"];
    const ROOT: usize = 4;
    let roots = |word: &str, endings: &[&str]| -> Vec<String> {
        let found = endings.iter().filter_map(|e| word.strip_suffix(e));
        found
            .map(|root| {
                let mut letters: Vec<char> = root.chars().collect();
                // `cancell` of `cancelled`
                if matches!(letters[..], [.., a, b] if a == b) {
                    letters.pop();
                }
                letters.into_iter().collect::<String>()
            })
            .filter(|root| root.chars().count() >= ROOT)
            .collect()
    };
    let of = roots(participle, &PARTICIPLES);
    roots(noun, &NOUNS).iter().any(|root| of.contains(root))
}

/// The folded parts of a name or phrase: `totalAmount_usd` gives `total`, `amount`, `usd`.
pub(super) fn parts(name: &str) -> Vec<String> {
    PARTS.with(|known| once(known, name, parts_of))
}

fn parts_of(name: &str) -> Vec<String> {
    let mut parts = Vec::new();
    let mut part = String::new();
    let mut before_lower = false;
    for c in name.chars() {
        let boundary = c.is_uppercase() && before_lower;
        if (!c.is_alphanumeric() || boundary) && !part.is_empty() {
            parts.push(std::mem::take(&mut part));
        }
        if c.is_alphanumeric() {
            part.push(c);
        } else if c == '№' {
            parts.push("номер".to_owned());
        }
        before_lower = c.is_lowercase() || c.is_ascii_digit();
    }
    if !part.is_empty() {
        parts.push(part);
    }
    parts.iter().map(|p| fold(p)).collect()
}

/// A column of this name numbers rows, orders or people: `order_id`, `№ заказа`, `invoice no`.
pub(super) fn is_number_of(name: &str) -> bool {
    const LAST: [&str; 6] = ["id", "no", "nr", "num", "number", "bib"];
    let parts = parts(name);
    let last = parts.last().is_some_and(|last| LAST.contains(&last.as_str()));
    last || parts.first().is_some_and(|first| ["номер", "ид"].contains(&first.as_str()))
        || parts.last().is_some_and(|last| ["номер", "ид"].contains(&last.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_names() {
        for (name, expected) in [
            ("totalAmount_usd", &["total", "amount", "usd"][..]),
            ("Unit Price (kg)", &["unit", "price", "kg"]),
            ("объём_продаж", &["объем", "продаж"]),
            ("OHLC", &["ohlc"]),
            ("", &[]),
        ] {
            assert_eq!(parts(name), expected, "{name}");
        }
    }

    #[test]
    fn endings_tell_forms_from_other_words() {
        for (a, b, forms) in [
            ("канал", "каналам", true),
            ("питомец", "питомцы", true),
            ("directed", "director", true),
            ("visitors", "visited", true),
            ("delivery", "delivered", true),
            ("страниц", "страна", false),
            ("площадок", "площадь", false),
            ("заказчик", "заказ", false),
            ("contractor", "contract", false),
            ("county", "country", false),
        ] {
            assert!(differ_in_ending(a, b) == forms && differ_in_ending(b, a) == forms, "{a} {b}");
        }
    }

    #[test]
    fn vowels_are_lost_in_cases() {
        for (noun, case) in [
            ("уголок", "уголке"),
            ("рынок", "рынка"),
            ("продавец", "продавцу"),
            ("цветочек", "цветочками"),
        ] {
            assert_eq!(oblique(noun), Some(stem(case)), "{noun} {case}");
        }
        assert_eq!(oblique("срок"), None);
    }

    #[test]
    fn verbs_meet_their_nouns() {
        for (verb, noun, same) in [
            ("задержали", "задержка", true),
            ("опоздал", "опоздание", true),
            ("отменили", "отмена", true),
            ("показали", "отмена", false),
            ("цены", "цена", false),
        ] {
            assert_eq!(is_verb_of(verb, noun), same, "{verb} {noun}");
        }
    }

    #[test]
    fn forms_of_a_word_meet() {
        for (a, b) in [
            ("categories", "category"),
            ("магазинам", "магазин"),
            ("суммы", "сумма"),
            ("gaps", "gap"),
        ] {
            assert_eq!(stem(a), stem(b), "{a} {b}");
        }
    }
}
