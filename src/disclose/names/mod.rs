//! What names of people look like, and the forms in which they are written.

mod forms;
mod words;

pub(super) use forms::{Ways, bases, coarse, cut};

/// How much a value looks like the name of a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Likeness {
    /// Not at all.
    None,
    /// It has the form: two or three words with a capital each.
    Form,
    /// An ending, a given name or initials tell.
    Sure,
}

/// How ordinary a word is that a name says, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Commonness {
    /// A name, or nothing known.
    Rare,
    /// A word and a name.
    Ordinary,
    /// A word of questions about tables.
    Asked,
}

/// Lower case, with `ё` as `е`.
pub(super) fn fold(word: &str) -> String {
    word.chars().flat_map(char::to_lowercase).map(|c| if c == 'ё' { 'е' } else { c }).collect()
}

/// Whether a folded word is a case of another one, which a name has.
pub(crate) fn is_case_of(typed: &str, of: &str) -> bool {
    let mut known = Vec::new();
    bases(of, |base, ways| known.push((base.to_owned(), ways)));
    cut(typed, |base, ways| known.iter().any(|(known, w)| known == base && w & ways != 0))
}

/// How ordinary a folded word is.
pub(super) fn commonness(word: &str) -> Commonness {
    let of = |listed: &words::Words, bases: &words::Words| {
        listed.contains(word) || cut(word, |base, _| bases.contains(base))
    };
    if of(&words::ASKED, &words::ASKED_BASES) {
        return Commonness::Asked;
    }
    if of(&words::ORDINARY, &words::ORDINARY_BASES) {
        return Commonness::Ordinary;
    }
    Commonness::Rare
}

/// Whether a folded word makes a company of a value.
pub(super) fn is_organisation(word: &str) -> bool {
    words::ORGANISATIONS.contains(word)
}

/// How much a value looks like the name of one person.
pub(super) fn likeness(value: &str) -> Likeness {
    let (mut full, mut initials, mut sure, mut common) = (0, 0, false, false);
    let mut cyrillic = true;
    for part in value.split([' ', ',', '.', '\u{a0}']).filter(|part| !part.is_empty()) {
        let letters = |c: char| c.is_alphabetic() || matches!(c, '-' | '\'' | '’');
        let capital = part.chars().next().is_some_and(char::is_uppercase);
        if !capital || !part.chars().all(letters) {
            return Likeness::None;
        }
        if part.chars().count() == 1 {
            initials += 1;
            continue;
        }
        full += 1;
        for word in part.split(['-', '\'', '’']).filter(|word| !word.is_empty()) {
            let word = fold(word);
            if is_organisation(&word) {
                return Likeness::None;
            }
            cyrillic &= word.chars().all(forms::is_cyrillic);
            sure |= is_surname(&word) || words::GIVEN.contains(word.as_str());
            // `Red Lion` is nobody, `Robert Miller` is
            common |= full == 1 && !sure && commonness(&word) != Commonness::Rare;
        }
    }
    let lower = cyrillic || value.chars().any(char::is_lowercase);
    match (full, initials) {
        (1..=4, 0..=2) if sure => Likeness::Sure,
        (1..=2, 1..=2) if lower => Likeness::Sure,
        (2..=3, 0) if lower && !common => Likeness::Form,
        _ => Likeness::None,
    }
}

/// Whether a folded word ends as surnames and patronymics do.
fn is_surname(word: &str) -> bool {
    const RUSSIAN: [&str; 24] = [
        "ов",
        "ова",
        "ев",
        "ева",
        "ин",
        "ина",
        "ын",
        "ына",
        "ский",
        "ская",
        "цкий",
        "цкая",
        "ской",
        "ко",
        "ук",
        "юк",
        "ян",
        "дзе",
        "швили",
        "вич",
        "ьич",
        "вна",
        "ична",
        "ых",
    ];
    const LATIN: [&str; 11] =
        ["ov", "ova", "ev", "eva", "sky", "skiy", "skaya", "enko", "ovich", "evich", "ovna"];
    let enough = word.chars().count() >= 4;
    enough && RUSSIAN.iter().chain(&LATIN).any(|ending| word.ends_with(ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_people_are_told_from_other_values() {
        use Likeness::{Form, None, Sure};
        for (value, expected) in [
            ("Иванов", Sure),
            ("Кузнецова", Sure),
            ("Соколовская", Sure),
            ("Шевченко", Sure),
            ("Ковальчук", Sure),
            ("Зайцев С.П.", Sure),
            ("И. Ким", Sure),
            ("Ольга", Sure),
            ("Салтыков-Щедрин Михаил", Sure),
            ("Ivanova Anna", Sure),
            ("J. Smith", Sure),
            ("Ли Чан", Form),
            ("Mary Johnson", Form),
            ("Acme Ltd", None),
            ("ООО Иванов и Ко", None),
            ("ИП Петров", None),
            ("Red Apple", None),
            ("Best Price", None),
            ("A1", None),
            ("иванов", None),
            ("Магазин", None),
            ("USA", None),
            ("IT HR", None),
            ("Терапевт", None),
            ("", None),
        ] {
            assert_eq!(likeness(value), expected, "{value}");
        }
    }

    #[test]
    fn ordinary_words_are_known_in_their_forms() {
        use Commonness::{Asked, Ordinary, Rare};
        for (word, expected) in [
            ("price", Asked),
            ("цены", Asked),
            ("любой", Asked),
            ("тому", Asked),
            ("марке", Asked),
            ("rose", Ordinary),
            ("роза", Ordinary),
            ("света", Ordinary),
            ("smith", Rare),
            ("ивану", Rare),
            ("зайцева", Rare),
        ] {
            assert_eq!(commonness(word), expected, "{word}");
        }
    }
}
