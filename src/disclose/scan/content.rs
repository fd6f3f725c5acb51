//! What values look like.

use super::ids;
use super::{Detector, Personal, Proof};
use crate::disclose::names::{Likeness, likeness};
use std::net::IpAddr;

/// The forms in the order they are looked for.
pub(super) const DETECTORS: &[Detector] = &[
    (Personal::Email, Proof::Strong, holds_email),
    (Personal::Iban, Proof::Strong, holds_iban),
    (Personal::NationalId, Proof::Strong, ids::is_marked),
    (Personal::Phone, Proof::Strong, is_written_phone),
    (Personal::Card, Proof::Fair, is_card),
    (Personal::Ip, Proof::Fair, is_ip),
    (Personal::NationalId, Proof::Fair, ids::is_checked),
    (Personal::Phone, Proof::Fair, is_plain_phone),
    (Personal::Name, Proof::Fair, is_russian_name),
];

/// What at least half of the values must look like where only the header says what they are.
pub(super) fn fits(holds: Personal) -> fn(&str) -> bool {
    match holds {
        Personal::Email => |v| v.contains('@'),
        Personal::Phone => |v| (5..=15).contains(&digits(v).len()),
        Personal::Card | Personal::NationalId => |v| digits(v).len() >= 4 && !v.contains('@'),
        Personal::Iban => |v| digits(v).len() >= 8,
        Personal::Ip => |v| v.contains(['.', ':']),
        Personal::Name => is_like_name,
    }
}

/// The digits of a value.
pub(super) fn digits(value: &str) -> Vec<u32> {
    value.chars().filter_map(|c| c.to_digit(10)).collect()
}

/// True when a value is made of digits and the marks in `marks` alone.
pub(super) fn is_of(value: &str, marks: &[char]) -> bool {
    value.chars().all(|c| c.is_ascii_digit() || marks.contains(&c))
}

/// An address anywhere in the value.
fn holds_email(value: &str) -> bool {
    value.match_indices('@').any(|(at, _)| {
        let local = value.get(..at).unwrap_or_default();
        let domain = value.get(at + 1..).unwrap_or_default();
        let inside = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | '+');
        let local = local.chars().next_back().is_some_and(|c| inside(c) && c != '.');
        let end = domain.find(|c: char| !inside(c)).unwrap_or(domain.len());
        let domain = domain.get(..end).unwrap_or_default().trim_end_matches('.');
        let top = domain.rsplit_once('.');
        let top = top.is_some_and(|(name, top)| {
            !name.is_empty() && top.chars().count() >= 2 && top.chars().all(char::is_alphabetic)
        });
        local && top
    })
}

/// ISO 13616: two letters, two check digits, up to 30 more; the whole is 1 modulo 97.
fn holds_iban(value: &str) -> bool {
    let together: String = value.chars().filter(|c| !matches!(c, ' ' | '-')).collect();
    let start = together.find("IBAN:").map_or(0, |at| at + 5);
    let iban = together.get(start..).unwrap_or_default().to_ascii_uppercase();
    let plain = iban.chars().all(|c| c.is_ascii_alphanumeric());
    let country = iban.chars().take(2).all(|c| c.is_ascii_uppercase());
    let check = iban.chars().skip(2).take(2).all(|c| c.is_ascii_digit());
    if !plain || !country || !check || !(15..=34).contains(&iban.len()) {
        return false;
    }
    let (head, tail) = iban.split_at(4);
    let rest = tail.chars().chain(head.chars()).try_fold(0_u32, |rest, c| {
        let n = c.to_digit(36)?;
        Some(if n < 10 { (rest * 10 + n) % 97 } else { (rest * 100 + n) % 97 })
    });
    rest == Some(1)
}

/// ISO/IEC 7812: 13 to 19 digits that pass the check of Luhn, of a payment system's range.
fn is_card(value: &str) -> bool {
    let digits = digits(value);
    is_of(value, &[' ', '-'])
        && (13..=19).contains(&digits.len())
        && of_a_system(&digits)
        && luhn(&digits)
}

/// The ranges of Mir and Mastercard begin with 2, those of American Express, Diners and JCB with 3.
fn of_a_system(digits: &[u32]) -> bool {
    let prefix = digits.iter().take(4).fold(0, |n, d| n * 10 + d);
    match prefix {
        2200..=2204 | 2221..=2720 => digits.len() == 16,
        3400..=3499 | 3700..=3799 => digits.len() == 15,
        3000..=3099 | 3528..=3699 | 3800..=3999 | 4000..=6999 => digits.len() != 15,
        _ => false,
    }
}

/// The check of Luhn: every second digit from the right doubled, the sum of digits a multiple of 10.
pub(super) fn luhn(digits: &[u32]) -> bool {
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(i, &d)| match (i % 2, d * 2) {
            (0, _) => d,
            (_, twice) => twice / 10 + twice % 10,
        })
        .sum();
    sum.is_multiple_of(10)
}

/// Written as phones are: a plus or brackets, or groups apart.
fn is_written_phone(value: &str) -> bool {
    let digits = digits(value).len();
    let marks = is_of(value.trim_start_matches('+'), &[' ', '-', '(', ')', '.', '\u{a0}']);
    let plus = value.starts_with('+') && (8..=15).contains(&digits);
    let bracket = value.contains('(') && value.contains(')') && (7..=15).contains(&digits);
    marks && (plus || bracket)
}

/// Digits alone, or in groups: 7 or 8 and ten more (Russia, Kazakhstan), or three, three and four.
fn is_plain_phone(value: &str) -> bool {
    let found = digits(value);
    let eleven = is_of(value, &[' ', '-'])
        && matches!(found.as_slice(), [7 | 8, 3..=9, ..])
        && found.len() == 11;
    let groups: Vec<usize> = value.split(['-', '.', ' ']).map(str::len).collect();
    eleven
        || (is_of(value, &['-', '.', ' ']) && matches!(groups.as_slice(), [3, 3, 4] | [1, 3, 3, 4]))
}

/// An IPv4 or IPv6 address, with or without a port or a prefix length.
fn is_ip(value: &str) -> bool {
    let address = value.split('/').next().unwrap_or_default();
    let bare = match address.split_once(':') {
        Some((host, port)) if is_of(port, &[]) => host,
        _ => address,
    };
    bare.parse::<IpAddr>().is_ok() || address.parse::<IpAddr>().is_ok()
}

/// The name of a person, by its ending, its initials or its form.
pub(super) fn is_person(value: &str) -> bool {
    likeness(value) > Likeness::None
}

/// Two to four words, each with a capital first.
fn is_like_name(value: &str) -> bool {
    let words: Vec<&str> = value.split([' ', ',', '.']).filter(|w| !w.is_empty()).collect();
    let name = |w: &&str| {
        w.chars().next().is_some_and(char::is_uppercase)
            && w.chars().all(|c| c.is_alphabetic() || matches!(c, '-' | '\'' | '’'))
    };
    (1..=4).contains(&words.len()) && words.iter().all(name)
}

/// Surname, name and patronymic: the patronymic tells.
fn is_russian_name(value: &str) -> bool {
    const ENDINGS: [&str; 3] = ["вич", "вна", "ьич"];
    let words: Vec<&str> = value.split(' ').filter(|w| !w.is_empty()).collect();
    let (particles, names): (Vec<&str>, Vec<&str>) =
        words.into_iter().partition(|w| matches!(*w, "оглы" | "кызы"));
    let patronymic = names.iter().any(|w| {
        let lower = w.to_lowercase();
        lower.chars().count() >= 5 && ENDINGS.iter().any(|end| lower.ends_with(end))
    });
    (2..=4).contains(&names.len())
        && is_like_name(&names.join(" "))
        && (patronymic || !particles.is_empty())
}
