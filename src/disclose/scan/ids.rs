//! Numbers that states give to people, by form and check digits.

use super::content::{digits, is_of};

/// Forms that hardly anything else has.
pub(super) fn is_marked(value: &str) -> bool {
    [ssn, snils_written, nino, dni, cpf_written, china, codice_fiscale]
        .iter()
        .any(|test| test(value))
}

/// Digits whose check digits are right; other numbers pass now and then.
pub(super) fn is_checked(value: &str) -> bool {
    [inn, snils, pesel, nir, steuer_id, cpf, passport_ru].iter().any(|test| test(value))
}

/// The sum of products of digits and weights.
fn weighted(digits: &[u32], weights: &[u32]) -> u32 {
    digits.iter().zip(weights).map(|(d, w)| d * w).sum()
}

/// United States: `AAA-GG-SSSS`, none of the parts zero, no area 666 or from 900 (SSA, since 2011).
fn ssn(value: &str) -> bool {
    let parts: Vec<&str> = value.split('-').collect();
    let number = |part: &str| part.parse::<u32>().unwrap_or(0);
    match parts.as_slice() {
        [area, group, serial] if is_of(value, &['-']) => {
            [area.len(), group.len(), serial.len()] == [3, 2, 4]
                && !matches!(number(area), 0 | 666 | 900..)
                && number(group) > 0
                && number(serial) > 0
        }
        _ => false,
    }
}

/// Russia, ИНН: ten digits of a company, twelve of a person.
fn inn(value: &str) -> bool {
    const WEIGHTS: [u32; 11] = [3, 7, 2, 4, 10, 3, 5, 9, 4, 6, 8];
    let digits = digits(value);
    let check = |n: usize| {
        let (Some(body), Some(weights)) = (digits.get(..n), WEIGHTS.get(11 - n..)) else {
            return false;
        };
        digits.get(n) == Some(&(weighted(body, weights) % 11 % 10))
    };
    is_of(value, &[])
        && match digits.len() {
            10 => check(9),
            12 => check(10) && check(11),
            _ => false,
        }
}

/// Russia, СНИЛС: `123-456-789 01`, the last two digits a weighted sum modulo 101.
fn snils_written(value: &str) -> bool {
    let marks: Vec<usize> = value.split(['-', ' ']).map(str::len).collect();
    marks == [3, 3, 3, 2] && snils(value)
}

fn snils(value: &str) -> bool {
    let digits = digits(value);
    let (Some(body), Some([a, b])) = (digits.get(..9), digits.get(9..)) else { return false };
    let sum = weighted(body, &[9, 8, 7, 6, 5, 4, 3, 2, 1]) % 101 % 100;
    is_of(value, &['-', ' ']) && sum == a * 10 + b
}

/// Russia, passport: series and number, `45 08 123456` or `4508 123456`; the series is that of a
/// region and a year.
fn passport_ru(value: &str) -> bool {
    let groups: Vec<usize> = value.split(' ').map(str::len).collect();
    let digits = digits(value);
    let region = digits.first().zip(digits.get(1)).is_some_and(|(a, b)| a * 10 + b > 0);
    is_of(value, &[' ']) && matches!(groups.as_slice(), [2, 2, 6] | [4, 6]) && region
}

/// United Kingdom, National Insurance: two letters, six digits, a letter from A to D (HMRC NIM39110).
fn nino(value: &str) -> bool {
    let together: Vec<char> = value.chars().filter(|c| *c != ' ').collect();
    let [a, b, number @ .., last] = together.as_slice() else { return false };
    let prefix = format!("{a}{b}");
    number.len() == 6
        && number.iter().all(char::is_ascii_digit)
        && a.is_ascii_uppercase()
        && !"DFIQUV".contains(*a)
        && b.is_ascii_uppercase()
        && !"DFIOQUV".contains(*b)
        && !["BG", "GB", "NK", "KN", "TN", "NT", "ZZ"].contains(&prefix.as_str())
        && matches!(last, 'A'..='D')
}

/// Spain, DNI and NIE: eight digits (X, Y, Z stand for the first) and a letter by the rest of 23.
fn dni(value: &str) -> bool {
    const LETTERS: [char; 23] = [
        'T', 'R', 'W', 'A', 'G', 'M', 'Y', 'F', 'P', 'D', 'X', 'B', 'N', 'J', 'Z', 'S', 'Q', 'V',
        'H', 'L', 'C', 'K', 'E',
    ];
    let together: String = value.chars().filter(|c| !matches!(c, '-' | ' ')).collect();
    let Some((number, letter)) = together.split_at_checked(8) else { return false };
    let number = match number.strip_prefix(['X', 'Y', 'Z']) {
        Some(rest) => {
            let first = match number.chars().next() {
                Some('Y') => '1',
                Some('Z') => '2',
                _ => '0',
            };
            format!("{first}{rest}")
        }
        None => number.to_owned(),
    };
    let rest = number.parse::<usize>().ok().filter(|_| is_of(&number, &[])).map(|n| n % 23);
    let mut letter = letter.chars();
    let expected = rest.and_then(|rest| LETTERS.get(rest).copied());
    expected.is_some() && letter.next() == expected && letter.next().is_none()
}

/// Brazil, CPF: `111.444.777-35`.
fn cpf_written(value: &str) -> bool {
    let marks: Vec<usize> = value.split(['.', '-']).map(str::len).collect();
    marks == [3, 3, 3, 2] && value.contains('.') && cpf(value)
}

fn cpf(value: &str) -> bool {
    let digits = digits(value);
    let check = |n: usize| {
        let body = digits.get(..n).unwrap_or_default();
        let sum: u32 = body.iter().zip((2..=n as u32 + 1).rev()).map(|(d, w)| d * w).sum();
        digits.get(n) == Some(&(sum * 10 % 11 % 10))
    };
    let same = digits.windows(2).all(|pair| matches!(pair, [a, b] if a == b));
    is_of(value, &['.', '-']) && digits.len() == 11 && !same && check(9) && check(10)
}

/// China, resident identity card: GB 11643, seventeen digits and a check digit or X.
fn china(value: &str) -> bool {
    const WEIGHTS: [u32; 17] = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
    let (Some(body), Some(last)) = (value.get(..17), value.get(17..)) else { return false };
    let digits = digits(body);
    let year = body.get(6..10).and_then(|y| y.parse::<u32>().ok()).unwrap_or(0);
    let expected = match (12 - weighted(&digits, &WEIGHTS) % 11) % 11 {
        10 => "X".to_owned(),
        digit => digit.to_string(),
    };
    digits.len() == 17 && (1880..2100).contains(&year) && last.eq_ignore_ascii_case(&expected)
}

/// Italy, codice fiscale: letters and digits in fixed places (the check letter is not recomputed).
fn codice_fiscale(value: &str) -> bool {
    value.len() == 16
        && value.chars().zip("LLLLLLDDLDDLDDDL".chars()).all(|(c, form)| match form {
            'L' => c.is_ascii_uppercase(),
            _ => c.is_ascii_digit(),
        })
}

/// Poland, PESEL: eleven digits, the last by weights 1, 3, 7, 9; the month in one of five centuries.
fn pesel(value: &str) -> bool {
    let digits = digits(value);
    let (Some(body), Some(last)) = (digits.get(..10), digits.get(10)) else { return false };
    let month = digits.get(2).zip(digits.get(3)).map_or(0, |(a, b)| (a * 10 + b) % 20);
    let sum = weighted(body, &[1, 3, 7, 9, 1, 3, 7, 9, 1, 3]);
    is_of(value, &[])
        && digits.len() == 11
        && (1..=12).contains(&month)
        && (10 - sum % 10) % 10 == *last
}

/// France, NIR: thirteen digits and a key, 97 minus the rest of 97.
fn nir(value: &str) -> bool {
    let digits = digits(value);
    let (Some(body), Some([a, b])) = (digits.get(..13), digits.get(13..)) else { return false };
    let number = body.iter().fold(0_u64, |n, d| n * 10 + u64::from(*d));
    let sex = body.first().is_some_and(|first| matches!(first, 1 | 2));
    is_of(value, &[' ']) && sex && 97 - number % 97 == u64::from(a * 10 + b)
}

/// Germany, Steuer-ID: eleven digits, the last by ISO 7064 MOD 11,10; one digit of the first ten
/// occurs twice or thrice.
fn steuer_id(value: &str) -> bool {
    let digits = digits(value);
    let (Some(body), Some(last)) = (digits.get(..10), digits.get(10)) else { return false };
    let product = body.iter().fold(10, |product, d| {
        let sum = (d + product) % 10;
        (if sum == 0 { 10 } else { sum }) * 2 % 11
    });
    let most = (0..10).map(|d| body.iter().filter(|x| **x == d).count()).max().unwrap_or(0);
    is_of(value, &[' '])
        && digits.len() == 11
        && body.first() != Some(&0)
        && matches!(most, 2 | 3)
        && (11 - product) % 10 == *last
}
