//! Forms of a word: cases of Russian names, English possessives and plurals.
//!
//! A word of a cell gives the bases of its forms, each with the ways in which it is declined; a word
//! that is typed is cut at each ending that one of these ways has. Both know words folded alone: lower
//! case, `ё` as `е`.

use std::collections::HashMap;
use std::sync::LazyLock;

/// Ways in which a base is declined, as bits.
pub(in crate::disclose) type Ways = u16;

/// Nouns that end in a consonant: `иван`, `мельник`.
const MASCULINE: Ways = 1;
/// Surnames of both genders: `зайцев`, `пушкин`.
const SURNAME: Ways = 1 << 1;
/// What is declined as adjectives are: `соколовск`, `толст`.
const ADJECTIVE: Ways = 1 << 2;
/// Without their `й`: `серге`, `дмитри`.
const SHORT_I: Ways = 1 << 3;
/// Without their soft sign: `игор`, `любов`.
const SOFT: Ways = 1 << 4;
/// Without their `а`: `анн`, `никит`.
const IN_A: Ways = 1 << 5;
/// Without their `я`: `мари`, `иль`.
const IN_YA: Ways = 1 << 6;
/// Without their `о`: `шевченк`, `михайл`.
const IN_O: Ways = 1 << 7;
/// Words that are not declined: `черных`, `гюго`.
const FIXED: Ways = 1 << 8;
/// Words of Latin letters.
const LATIN: Ways = 1 << 9;

/// The endings and the ways that have them.
const ENDINGS: &[(&str, Ways)] = &[
    ("", MASCULINE | SURNAME | FIXED | LATIN),
    ("а", MASCULINE | SURNAME | IN_A | IN_O),
    ("у", MASCULINE | SURNAME | IN_A | IN_O),
    ("е", MASCULINE | SURNAME | SHORT_I | SOFT | IN_A | IN_YA | IN_O),
    ("ы", MASCULINE | SURNAME | IN_A),
    ("и", MASCULINE | SHORT_I | SOFT | IN_A | IN_YA | IN_O),
    ("о", IN_O),
    ("й", SHORT_I),
    ("ь", SOFT),
    ("я", SHORT_I | SOFT | IN_YA),
    ("ю", SHORT_I | SOFT | IN_YA),
    ("ом", MASCULINE | SURNAME | ADJECTIVE | IN_O),
    ("ем", MASCULINE | ADJECTIVE | SHORT_I | SOFT),
    ("ым", SURNAME | ADJECTIVE),
    ("им", ADJECTIVE),
    ("ой", SURNAME | ADJECTIVE | IN_A | IN_O),
    ("ою", SURNAME | ADJECTIVE | IN_A),
    ("ей", MASCULINE | ADJECTIVE | SOFT | IN_A | IN_YA),
    ("ею", IN_A | IN_YA),
    ("ью", SOFT),
    ("ов", MASCULINE),
    ("ев", MASCULINE | SHORT_I),
    ("ам", MASCULINE | SURNAME | IN_A),
    ("ах", MASCULINE | IN_A),
    ("ами", MASCULINE | IN_A),
    ("ям", SHORT_I | SOFT | IN_YA),
    ("ях", SHORT_I | SOFT | IN_YA),
    ("ями", SHORT_I | SOFT | IN_YA),
    ("ий", ADJECTIVE),
    ("ый", ADJECTIVE),
    ("ого", ADJECTIVE),
    ("его", ADJECTIVE),
    ("ому", ADJECTIVE),
    ("ему", ADJECTIVE),
    ("ая", ADJECTIVE),
    ("яя", ADJECTIVE),
    ("ую", ADJECTIVE),
    ("юю", ADJECTIVE),
    ("ое", ADJECTIVE),
    ("ее", ADJECTIVE),
    ("ые", ADJECTIVE),
    ("ие", ADJECTIVE),
    ("ых", SURNAME | ADJECTIVE),
    ("их", ADJECTIVE),
    ("ыми", SURNAME | ADJECTIVE),
    ("ими", ADJECTIVE),
    ("s", LATIN),
    ("es", LATIN),
];

/// The same, looked up by the ending.
static WAYS: LazyLock<HashMap<&str, Ways>> = LazyLock::new(|| ENDINGS.iter().copied().collect());

/// The endings of a word, the longest first, each with what stands before it and its ways.
fn cuts(word: &str) -> impl Iterator<Item = (&str, &str, Ways)> {
    const LONGEST: usize = 3;
    let mut places = [word.len(); LONGEST + 1];
    for (place, (at, _)) in places.iter_mut().skip(1).zip(word.char_indices().rev()) {
        *place = at;
    }
    let shorter = word.chars().count().min(LONGEST);
    (0..=shorter).rev().filter_map(move |letters| {
        let (base, ending) = word.split_at(*places.get(letters)?);
        Some((base, ending, *WAYS.get(ending)?))
    })
}

/// How surnames end that are declined by a way of their own.
const SURNAMES: [&str; 4] = ["ов", "ев", "ин", "ын"];

pub(super) fn is_cyrillic(c: char) -> bool {
    ('\u{400}'..='\u{4ff}').contains(&c)
}

/// Calls `give` with each base of a folded word of a cell and how it is declined.
pub(in crate::disclose) fn bases(word: &str, mut give: impl FnMut(&str, Ways)) {
    let Some(last) = word.chars().next_back() else { return };
    if !is_cyrillic(last) {
        give(word, LATIN);
        return;
    }
    let without = |ending: &str| word.strip_suffix(ending).unwrap_or(word);
    let long = word.chars().count() >= 5;
    let of_surname = |base: &str| long && SURNAMES.iter().any(|end| base.ends_with(end));
    match last {
        'а' => {
            give(without("а"), if of_surname(without("а")) { SURNAME | IN_A } else { IN_A });
        }
        'я' => {
            give(without("я"), IN_YA);
            for ending in ["ая", "яя"].into_iter().filter(|end| long && word.ends_with(end)) {
                give(without(ending), ADJECTIVE);
            }
        }
        'й' => {
            give(without("й"), SHORT_I);
            for ending in ["ий", "ый", "ой"].into_iter().filter(|end| long && word.ends_with(end))
            {
                give(without(ending), ADJECTIVE);
            }
        }
        'ь' => give(without("ь"), SOFT),
        'о' => give(without("о"), IN_O),
        'ы' | 'и' => {
            give(word, FIXED);
            let base = without(if last == 'ы' { "ы" } else { "и" });
            give(base, MASCULINE | IN_A | if of_surname(base) { SURNAME } else { 0 });
        }
        'е' if long && (word.ends_with("ие") || word.ends_with("ые")) => {
            give(word, FIXED);
            give(word.get(..word.len() - 4).unwrap_or(word), ADJECTIVE);
        }
        'е' | 'э' | 'у' | 'ю' => give(word, FIXED),
        _ => {
            give(word, if of_surname(word) { MASCULINE | SURNAME } else { MASCULINE });
            without_vowel(word, |base| give(base, MASCULINE));
        }
    }
}

/// The base of cases that lose the last vowel: `павл` of `павел`, `кравц` of `кравец`, `льв` of `лев`.
fn without_vowel(word: &str, mut give: impl FnMut(&str)) {
    for (ending, instead) in [
        ("аец", "айц"),
        ("яец", "яйц"),
        ("лец", "льц"),
        ("ец", "ц"),
        ("ок", "к"),
        ("лек", "льк"),
        ("ек", "к"),
        ("ел", "л"),
    ] {
        match word.strip_suffix(ending) {
            Some(rest) if rest.chars().count() >= 2 => {
                give(&format!("{rest}{instead}"));
            }
            _ => {}
        }
    }
    match word {
        "лев" => give("льв"),
        "заяц" => give("зайц"),
        _ => {}
    }
}

/// Calls `take` with each way to cut a folded word into a base and an ending, until it answers `true`:
/// the base, and the ways of which the ending is.
pub(in crate::disclose) fn cut(word: &str, mut take: impl FnMut(&str, Ways) -> bool) -> bool {
    cuts(word).any(|(base, _, ways)| !base.is_empty() && take(base, ways))
}

/// What is alike in all forms of a folded word, and in some other words: for comparing words one after
/// another.
pub(in crate::disclose) fn coarse(word: &str) -> String {
    let least = |letters: usize| move |text: &str| text.chars().count() >= letters;
    let (some, long) = (least(2), least(3));
    let mut text = word.to_owned();
    if !word.chars().next_back().is_some_and(is_cyrillic) {
        while let Some(rest) = text.strip_suffix(['s', 'e']) {
            if !long(rest) {
                break;
            }
            text.truncate(rest.len());
        }
        return text;
    }
    let shortest = cuts(word)
        .find(|(rest, ending, _)| !SURNAMES.contains(ending) && some(rest))
        .map(|(rest, ..)| rest);
    text.truncate(shortest.map_or(word.len(), str::len));
    let suffixes = SURNAMES.iter().filter_map(|end| text.strip_suffix(end));
    if let Some(rest) = suffixes.filter(|rest| long(rest)).min_by_key(|rest| rest.len()) {
        text.truncate(rest.len());
    }
    while let Some(rest) = text.strip_suffix(['а', 'е', 'и', 'й', 'о', 'у', 'ы', 'ь', 'ю', 'я'])
    {
        if !some(rest) {
            break;
        }
        text.truncate(rest.len());
    }
    let mut letters: Vec<char> = text.chars().collect();
    if let [_, .., 'е' | 'о', 'л' | 'к' | 'ц'] = letters[..]
        && letters.len() > 3
    {
        letters.remove(letters.len() - 2);
    }
    letters.into_iter().filter(|c| *c != 'ь').collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a typed word is a form of a word of a cell.
    fn is_form(cell: &str, typed: &str) -> bool {
        let mut known = Vec::new();
        bases(cell, |base, ways| known.push((base.to_owned(), ways)));
        cut(typed, |base, ways| known.iter().any(|(b, w)| b == base && w & ways != 0))
    }

    #[test]
    fn cases_of_names_meet() {
        for (cell, forms) in [
            (
                "зайцев",
                "зайцев зайцева зайцеву зайцевым зайцеве зайцевой зайцевы зайцевых зайцевыми",
            ),
            ("новикова", "новикова новиковой новикову новиковою новиков новиковым"),
            ("пушкин", "пушкина пушкину пушкиным пушкине пушкины"),
            (
                "соколовский",
                "соколовского соколовскому соколовским соколовском соколовская соколовские",
            ),
            ("соколовская", "соколовской соколовскую соколовский соколовских"),
            ("толстой", "толстого толстому толстым толстом толстая"),
            ("белый", "белого белому белая белых"),
            ("мария", "мария марии марию марией"),
            ("анна", "анны анне анну анной анною"),
            ("ольга", "ольги ольге ольгу ольгой"),
            ("юля", "юли юле юлю юлей"),
            ("илья", "ильи илье илью ильей"),
            ("сергей", "сергея сергею сергеем сергее сергеи"),
            ("дмитрий", "дмитрия дмитрию дмитрием дмитрии"),
            ("игорь", "игоря игорю игорем игоре"),
            ("любовь", "любови любовью"),
            ("иван", "ивана ивану иваном иване иваны иванов"),
            ("петр", "петра петру петром петре"),
            ("павел", "павла павлу павлом павле"),
            ("лев", "льва льву львом льве"),
            ("кравец", "кравца кравцу кравцом кравце"),
            ("петрович", "петровича петровичу петровичем петровиче петровичи"),
            ("сергеевна", "сергеевны сергеевне сергеевну сергеевной"),
            ("шевченко", "шевченко шевченки шевченку"),
            ("цой", "цоя цою цоем цое"),
            ("ким", "кима киму кимом киме"),
            ("черных", "черных"),
            ("ивановы", "иванов иванова ивановых ивановым"),
            ("москва", "москвы москве москву москвой"),
            ("smith", "smith smiths"),
            ("jones", "jones joneses"),
        ] {
            for form in forms.split(' ') {
                assert!(is_form(cell, form), "{cell} {form}");
                let seldom = ["шевченк", "ле", "льв"].iter().any(|s| form.starts_with(s));
                assert!(seldom || coarse(cell) == coarse(form), "{cell} {form}");
            }
        }
        for (cell, other) in [
            ("зайцев", "зайка"),
            ("иван", "ивановка"),
            ("лия", "ли"),
            ("майя", "май"),
            ("петр", "петрушка"),
            ("smith", "smithy"),
            ("anna", "annual"),
            ("ким", "кинуть"),
        ] {
            assert!(!is_form(cell, other), "{cell} {other}");
        }
    }
}
