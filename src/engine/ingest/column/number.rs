//! Numbers as people write them: a quick reader of plainly written decimals that loses nothing of
//! how they were written, and a lenient one for separators, signs, exponents and units.

use crate::engine::ingest::options::Decimal;
use crate::value;

/// Powers of ten that a double holds exactly.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];

/// The largest mantissa that a double holds exactly, with all below it.
const EXACT: u64 = 1 << 53;

/// The most digits a plainly written decimal can have.
const DIGITS: usize = 19;

/// Reads a plainly written decimal (`-12`, `0.50`; no plus, no exponent, no superfluous zero in
/// front) as mantissa and number of fraction digits. [`write_plain`] gives back the same bytes.
#[inline]
pub(super) fn plain(text: &[u8]) -> Option<(i64, u8)> {
    let (negative, digits) = match text {
        [b'-', rest @ ..] => (true, rest),
        _ => (false, text),
    };
    if digits.len() > DIGITS + 1 {
        return None;
    }
    let mut mantissa = 0u64;
    let mut point = None;
    for (i, byte) in digits.iter().enumerate() {
        let digit = byte.wrapping_sub(b'0');
        if digit <= 9 {
            mantissa = mantissa.wrapping_mul(10).wrapping_add(u64::from(digit));
        } else if *byte == b'.' && point.is_none() {
            point = Some(i);
        } else {
            return None;
        }
    }
    let (whole, scale) = match point {
        None => (digits.len(), 0),
        Some(at) => (at, digits.len() - at - 1),
    };
    let unusual = whole == 0
        || (whole > 1 && digits.first() == Some(&b'0'))
        || (point.is_some() && scale == 0)
        || whole + scale > DIGITS
        || (negative && mantissa == 0);
    // nineteen digits fit an unsigned integer, not always a signed one
    let value = i64::try_from(mantissa).ok().filter(|_| !unusual)?;
    Some((if negative { -value } else { value }, scale as u8))
}

/// Appends a decimal as [`plain`] read it.
pub(super) fn write_plain(mantissa: i64, scale: u8, out: &mut String) {
    use std::fmt::Write;
    if scale == 0 {
        let _ = write!(out, "{mantissa}");
        return;
    }
    let sign = if mantissa < 0 { "-" } else { "" };
    let unit = 10u64.pow(u32::from(scale));
    let size = mantissa.unsigned_abs();
    let _ = write!(out, "{sign}{}.{:0width$}", size / unit, size % unit, width = scale.into());
}

/// The digits of a decimal as [`plain`] read it, with `scale` of them behind the point where it has
/// no more.
pub(super) fn at_scale(mantissa: i64, own: u8, scale: u8) -> Option<i128> {
    let exact = value::Decimal::new(mantissa.into(), own)?;
    exact.rescale(scale).map(value::Decimal::unscaled)
}

/// The double nearest to `mantissa / 10^scale`; `scale` is at most 19.
#[inline]
pub(super) fn to_f64(mantissa: i64, scale: u8) -> f64 {
    let size = mantissa.unsigned_abs();
    if size <= EXACT {
        // both are exact, so the quotient is rounded once
        let power = POWERS.get(usize::from(scale)).copied().unwrap_or(f64::NAN);
        return mantissa as f64 / power;
    }
    let value = nearest(size, scale);
    if mantissa < 0 { -value } else { value }
}

/// Long division with at least 63 bits of quotient, the last of which stands for all that follow,
/// so that the conversion to a double rounds once.
fn nearest(size: u64, scale: u8) -> f64 {
    let power = u128::from(10u64.pow(u32::from(scale)));
    let shift = 64 + size.leading_zeros();
    let dividend = u128::from(size) << shift;
    let quotient = (dividend / power) | u128::from(!dividend.is_multiple_of(power));
    quotient as f64 * f64::from_bits(u64::from(1023 - shift) << 52)
}

/// The longest text that can be a number: the smallest doubles have this many digits.
const LONGEST: usize = 400;

/// A number that was not written plainly.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Number {
    /// What it is.
    pub value: Size,
    /// The percent or currency sign that came with it.
    pub unit: Option<&'static str>,
    /// Written like a code: superfluous zeros in front, or a plus and the length of a telephone
    /// number.
    pub code: bool,
    /// Has a separator that the other decimal character would read differently.
    pub comma: bool,
}

/// The value of a number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Size {
    /// A whole number.
    Int(i64),
    /// A whole number beyond 64 bits, as the nearest double.
    Big(f64),
    /// Anything with a fraction or an exponent.
    Float(f64),
}

impl Size {
    /// The nearest double.
    pub(super) fn as_f64(self) -> f64 {
        match self {
            Self::Int(i) => i as f64,
            Self::Big(x) | Self::Float(x) => x,
        }
    }
}

/// Signs and words that stand before or after a number, and the unit they name; what another one
/// begins with comes after it.
const UNITS: [(&str, &str); 15] = [
    ("%", "%"),
    ("$", "USD"),
    ("€", "EUR"),
    ("£", "GBP"),
    ("₽", "RUB"),
    ("¥", "JPY"),
    ("₹", "INR"),
    ("USD", "USD"),
    ("EUR", "EUR"),
    ("GBP", "GBP"),
    ("RUB", "RUB"),
    ("руб.", "RUB"),
    ("руб", "RUB"),
    ("р.", "RUB"),
    ("р", "RUB"),
];
const SPACES: [char; 4] = [' ', '\u{a0}', '\u{202f}', '\''];

/// A number in the signs that every program reads: a minus, digits, a point, an exponent.
struct Plainly {
    digits: String,
    /// It has a point or an exponent.
    fraction: bool,
    unit: Option<&'static str>,
    code: bool,
    comma: bool,
}

/// Reads a number with a given decimal character: thousands separators, any sign, exponent,
/// percent or currency sign, white space around it.
pub(super) fn read(text: &str, decimal: Decimal) -> Option<Number> {
    let Plainly { digits, fraction, unit, code, comma } = plainly(text, decimal)?;
    let value = match digits.parse::<i64>() {
        Ok(i) if !fraction => Size::Int(i),
        _ => {
            let x = digits.parse::<f64>().ok().filter(|x| x.is_finite())?;
            if fraction { Size::Float(x) } else { Size::Big(x) }
        }
    };
    Some(Number { value, unit, code, comma })
}

/// The same number with all its digits, where it has no more than a decimal may have.
pub(super) fn exact(text: &str, decimal: Decimal) -> Option<value::Decimal> {
    value::Decimal::parse(&plainly(text, decimal)?.digits)
}

fn plainly(text: &str, decimal: Decimal) -> Option<Plainly> {
    let mut rest = text.trim();
    if rest.len() > LONGEST {
        return None;
    }
    let mut sign = take_sign(&mut rest);
    let mut unit = take_unit(&mut rest);
    if unit == Some("%") {
        return None;
    }
    if unit.is_some() && sign.is_none() {
        sign = take_sign(&mut rest);
    }
    let (point, group) = match decimal {
        Decimal::Point => ('.', ','),
        Decimal::Comma => (',', '.'),
    };
    let mut digits = String::with_capacity(rest.len() + 1);
    if sign == Some('-') {
        digits.push('-');
    }
    let start = digits.len();
    let comma = rest.contains(',') || rest.matches('.').count() > 1;
    take_whole(&mut rest, group, &mut digits)?;
    let whole = digits.len() - start;
    let code = (whole > 1 && digits.get(start..=start) == Some("0"))
        || (sign == Some('+') && whole >= 10 && unit.is_none());
    let mut fraction = false;
    if let Some(after) = rest.strip_prefix(point) {
        let n = after.bytes().take_while(u8::is_ascii_digit).count();
        let (part, after) = after.split_at(n);
        if whole == 0 {
            if part.is_empty() {
                return None;
            }
            digits.push('0');
        }
        digits.push('.');
        digits.push_str(part);
        rest = after;
        fraction = true;
    } else if whole == 0 {
        return None;
    }
    if let Some(after) = rest.strip_prefix(['e', 'E']) {
        let signs = usize::from(after.starts_with(['+', '-']));
        let n = after.bytes().skip(signs).take_while(u8::is_ascii_digit).count();
        if n == 0 || n > 4 {
            return None;
        }
        let (part, after) = after.split_at(signs + n);
        digits.push('e');
        digits.push_str(part);
        rest = after;
        fraction = true;
    }
    if unit.is_none() && !rest.is_empty() {
        rest = rest.trim_start();
        unit = take_unit(&mut rest);
    }
    if !rest.is_empty() {
        return None;
    }
    Some(Plainly { digits, fraction, unit, code, comma })
}

fn take_sign(rest: &mut &str) -> Option<char> {
    let mut chars = rest.chars();
    let sign = match chars.next()? {
        '+' => '+',
        '-' | '\u{2212}' => '-',
        _ => return None,
    };
    *rest = chars.as_str();
    Some(sign)
}

fn take_unit(rest: &mut &str) -> Option<&'static str> {
    let (after, unit) =
        UNITS.iter().find_map(|(sign, unit)| Some((rest.strip_prefix(sign)?, *unit)))?;
    *rest = after.trim_start();
    Some(unit)
}

/// Takes the digits before the fraction, grouped by threes or not at all.
fn take_whole(rest: &mut &str, group: char, digits: &mut String) -> Option<()> {
    let run = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let first = run(rest);
    let (part, mut after) = rest.split_at(first);
    digits.push_str(part);
    let separator = after.chars().next().filter(|c| *c == group || SPACES.contains(c));
    if let Some(separator) = separator.filter(|_| (1..=3).contains(&first)) {
        while let Some(next) = after.strip_prefix(separator).filter(|next| run(next) == 3) {
            if part.starts_with('0') {
                return None;
            }
            let (part, next) = next.split_at(3);
            digits.push_str(part);
            after = next;
        }
    }
    *rest = after;
    Some(())
}

/// Words that stand for a missing number, date or truth value.
pub(super) fn is_null_word(text: &str) -> bool {
    const ENGLISH: [&str; 8] = ["NA", "N/A", "#N/A", "NaN", "null", "None", "-", "n.a."];
    // in lower case
    const OTHERS: [&str; 6] = ["–", "—", "н/д", "#н/д", "н.д.", "нет данных"];
    let text = text.trim();
    match text.len() {
        0 => true,
        ..=4 if text.is_ascii() => ENGLISH.iter().any(|word| text.eq_ignore_ascii_case(word)),
        ..=20 if !text.is_ascii() => OTHERS.contains(&text.to_lowercase().as_str()),
        _ => false,
    }
}

/// Ways to write an infinite number; it is read as missing.
pub(super) fn is_infinite_word(text: &str) -> bool {
    let text = text.trim();
    let text = text.strip_prefix(['+', '-']).unwrap_or(text);
    text.eq_ignore_ascii_case("inf") || text.eq_ignore_ascii_case("infinity")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn plain_decimals() {
        for (text, expected) in [
            ("0", Some((0, 0))),
            ("-12", Some((-12, 0))),
            ("1.50", Some((150, 2))),
            ("-0.05", Some((-5, 2))),
            ("9223372036854775807", Some((i64::MAX, 0))),
            ("9223372036854775808", None),
            ("0.000000000000000001", Some((1, 18))),
            ("0.0000000000000000001", None),
            ("007", None),
            ("00", None),
            ("-0", None),
            ("-0.0", None),
            ("+1", None),
            ("1.", None),
            (".5", None),
            ("1e5", None),
            ("1.2.3", None),
            ("-", None),
            (".", None),
            ("", None),
            ("1,5", None),
            (" 1", None),
        ] {
            assert_eq!(plain(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn lenient_numbers() {
        use Decimal::{Comma, Point};
        use Size::{Big, Float, Int};
        let check = |text: &str, decimal, expected: Option<(Size, Option<&str>)>| {
            assert_eq!(read(text, decimal).map(|n| (n.value, n.unit)), expected, "{text}");
        };
        check(" 12 ", Point, Some((Int(12), None)));
        check("+1.5", Point, Some((Float(1.5), None)));
        check("-0", Point, Some((Int(0), None)));
        check(".5", Point, Some((Float(0.5), None)));
        check("5.", Point, Some((Float(5.0), None)));
        check("1e-05", Point, Some((Float(1e-5), None)));
        check("1e999", Point, None);
        check("1,234,567.5", Point, Some((Float(1_234_567.5), None)));
        check("1,234", Point, Some((Int(1234), None)));
        check("1,234", Comma, Some((Float(1.234), None)));
        check("1.234", Comma, Some((Int(1234), None)));
        check("1.234,5", Comma, Some((Float(1234.5), None)));
        check("1 234,5", Comma, Some((Float(1234.5), None)));
        check("1\u{a0}234", Point, Some((Int(1234), None)));
        check("1'234.5", Point, Some((Float(1234.5), None)));
        check("12,5", Point, None);
        check("12.5", Comma, None);
        check("1,2345", Point, None);
        check("0,123", Point, None);
        check("1234,567", Point, None);
        check("12.5%", Point, Some((Float(12.5), Some("%"))));
        check("12 %", Point, Some((Int(12), Some("%"))));
        check("%12", Point, None);
        check("$1,234.50", Point, Some((Float(1234.5), Some("USD"))));
        check("-$5", Point, Some((Int(-5), Some("USD"))));
        check("$-5", Point, Some((Int(-5), Some("USD"))));
        check("12,50 €", Comma, Some((Float(12.5), Some("EUR"))));
        check("−3", Point, Some((Int(-3), None)));
        check("18446744073709551616", Point, Some((Big(18_446_744_073_709_551_616.0), None)));
        check("-9223372036854775808", Point, Some((Int(i64::MIN), None)));
        for text in ["", "-", "+", ".", "$", "e5", "1e", "1 2", "12abc", "0x10", "1--", "NaN", "١"]
        {
            check(text, Point, None);
        }
        for text in ["007", "-01", "00.5", "+79161234567"] {
            assert!(read(text, Point).is_some_and(|n| n.code), "{text}");
        }
        assert!(!read("0.5", Point).is_some_and(|n| n.code));
    }

    #[test]
    fn words_for_nothing() {
        for word in ["NA", "n/a", "NaN", "null", "None", "-", " ", "#N/A"] {
            assert!(is_null_word(word), "{word}");
        }
        assert!(!is_null_word("NAM") && !is_null_word("0") && !is_null_word("nil"));
        assert!(is_infinite_word("-Infinity") && is_infinite_word("inf"));
        assert!(!is_infinite_word("info"));
    }

    proptest! {
        #[test]
        fn plain_gives_back_what_was_written(text in "-?(0|[1-9][0-9]{0,18})(\\.[0-9]{1,18})?") {
            if let Some((mantissa, scale)) = plain(text.as_bytes()) {
                let mut back = String::new();
                write_plain(mantissa, scale, &mut back);
                prop_assert_eq!(&back, &text);
                prop_assert_eq!(Ok(to_f64(mantissa, scale)), text.parse::<f64>());
            }
        }

        #[test]
        fn doubles_are_the_nearest(mantissa in any::<i64>(), scale in 0u8..=19) {
            let text = format!("{mantissa}e-{scale}");
            prop_assert_eq!(Ok(to_f64(mantissa, scale)), text.parse::<f64>());
        }

        #[test]
        fn short_doubles_read_plainly(x in -1e6f64..1e6) {
            let text = format!("{x}");
            let read = read(&text, Decimal::Point).map(|n| n.value.as_f64());
            prop_assert_eq!(read, Some(x));
        }

        #[test]
        fn never_panics(text in "\\PC{0,12}") {
            let _ = plain(text.as_bytes());
            let _ = read(&text, Decimal::Point);
            let _ = read(&text, Decimal::Comma);
        }
    }
}
