//! Decimals: whole numbers of up to 38 digits with a point somewhere among them, exact.

use std::cmp::Ordering;
use std::fmt;

/// The most digits that a decimal has, those behind the point included.
pub const MOST_DIGITS: u8 = 38;

/// The first whole number that has more digits than that.
const LIMIT: i128 = 10_i128.pow(MOST_DIGITS as u32);

/// From here on a double does not hold every whole number.
const EXACT: u128 = 1 << 53;

/// A number of at most [`MOST_DIGITS`] digits, so many of them behind the point. `1.50` and `1.5` are
/// two values that compare as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Decimal {
    unscaled: i128,
    scale: u8,
}

impl Decimal {
    /// `unscaled` / 10^`scale`; `None` where that has too many digits.
    pub fn new(unscaled: i128, scale: u8) -> Option<Self> {
        let fits = unscaled.unsigned_abs() < LIMIT.unsigned_abs() && scale <= MOST_DIGITS;
        fits.then_some(Self { unscaled, scale })
    }

    /// The number without its point.
    pub fn unscaled(self) -> i128 {
        self.unscaled
    }

    /// The number of digits behind the point.
    pub fn scale(self) -> u8 {
        self.scale
    }

    /// Reads `-12.50`, `3e-4`: digits with a point among them and an exponent behind, with a `.` and
    /// nothing else. `None` also for a number that has too many digits.
    pub fn parse(text: &str) -> Option<Self> {
        let (text, exponent) = match text.split_once(['e', 'E']) {
            Some((text, exponent)) => (text, exponent.parse::<i32>().ok()?),
            None => (text, 0),
        };
        let (negative, digits) = match text.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let all = || whole.bytes().chain(fraction.bytes());
        if all().next().is_none() || !all().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let mut unscaled = 0_i128;
        for digit in all() {
            unscaled = unscaled.checked_mul(10)?.checked_add(i128::from(digit - b'0'))?;
        }
        let mut scale = i32::try_from(fraction.len()).ok()?.checked_sub(exponent)?;
        if unscaled == 0 {
            scale = scale.clamp(0, i32::from(MOST_DIGITS));
        }
        if scale < 0 {
            unscaled = unscaled.checked_mul(power(u8::try_from(-scale).ok()?)?)?;
            scale = 0;
        }
        Self::new(if negative { -unscaled } else { unscaled }, u8::try_from(scale).ok()?)
    }

    /// The decimal that a double is written as: its shortest text. `None` where that has too many
    /// digits.
    pub fn of_f64(x: f64) -> Option<Self> {
        Self::parse(&format!("{x:e}"))
    }

    /// The same number with `scale` digits behind the point; `None` where it has more of them, or
    /// too many digits then.
    pub fn rescale(self, scale: u8) -> Option<Self> {
        if scale >= self.scale {
            return Self::new(scaled(self.unscaled, scale - self.scale)?, scale);
        }
        let unit = power(self.scale - scale)?;
        (self.unscaled % unit == 0).then(|| self.unscaled / unit).and_then(|u| Self::new(u, scale))
    }

    /// The same number without superfluous zeros behind the point.
    #[must_use]
    pub fn shortest(mut self) -> Self {
        while self.scale > 0 && self.unscaled % 10 == 0 {
            self.unscaled /= 10;
            self.scale -= 1;
        }
        self
    }

    /// The nearest double.
    pub fn to_f64(self) -> f64 {
        // One division of two exact numbers is rounded once.
        if self.unscaled.unsigned_abs() < EXACT && self.scale <= 22 {
            return self.unscaled as f64 / 10_f64.powi(i32::from(self.scale));
        }
        self.to_string().parse().unwrap_or(f64::NAN)
    }

    /// The whole number that it is, where it is one that fits 64 bits.
    pub fn to_i64(self) -> Option<i64> {
        i64::try_from(self.rescale(0)?.unscaled).ok()
    }

    /// The order by value.
    pub fn compare(self, other: Self) -> Ordering {
        let scale = self.scale.max(other.scale);
        match (
            scaled(self.unscaled, scale - self.scale),
            scaled(other.unscaled, scale - other.scale),
        ) {
            (Some(a), Some(b)) => a.cmp(&b),
            // The one that has too many digits at this scale is further from zero; the other has
            // this scale as it is.
            (None, _) => self.unscaled.cmp(&0),
            (_, None) => 0.cmp(&other.unscaled),
        }
    }
}

impl From<i64> for Decimal {
    fn from(x: i64) -> Self {
        Self { unscaled: x.into(), scale: 0 }
    }
}

impl std::ops::Neg for Decimal {
    type Output = Self;

    fn neg(self) -> Self {
        Self { unscaled: -self.unscaled, ..self }
    }
}

/// 10^`n`, where it fits.
pub(crate) fn power(n: u8) -> Option<i128> {
    10_i128.checked_pow(u32::from(n))
}

/// `unscaled` with `n` more digits behind the point, where it fits.
pub(crate) fn scaled(unscaled: i128, n: u8) -> Option<i128> {
    if n == 0 || unscaled == 0 {
        return Some(unscaled);
    }
    unscaled.checked_mul(power(n)?)
}

/// All digits, those behind the point as many as the scale says: `-0.50`.
impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.unscaled < 0 { "-" } else { "" };
        let digits = self.unscaled.unsigned_abs();
        if self.scale == 0 {
            return write!(f, "{sign}{digits}");
        }
        let unit = 10_u128.pow(u32::from(self.scale.min(MOST_DIGITS)));
        let width = usize::from(self.scale);
        write!(f, "{sign}{}.{:0width$}", digits / unit, digits % unit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn texts() {
        let most = "9".repeat(38);
        let behind = format!("0.{most}");
        let nothing = format!("0.{}", "0".repeat(38));
        for (text, expected) in [
            ("0", Some("0")),
            ("-0", Some("0")),
            ("12.50", Some("12.50")),
            ("-0.05", Some("-0.05")),
            (".5", Some("0.5")),
            ("5.", Some("5")),
            ("+1.5", Some("1.5")),
            ("1e3", Some("1000")),
            ("1.25e-3", Some("0.00125")),
            ("1.25e1", Some("12.5")),
            ("0e-99", Some(nothing.as_str())),
            (&most, Some(most.as_str())),
            (&behind, Some(behind.as_str())),
            (&format!("{most}9"), None),
            (&format!("{most}.0"), None),
            ("1e38", None),
            ("1e-39", None),
            ("1e99999999999", None),
            ("", None),
            (".", None),
            ("-", None),
            ("1,5", None),
            ("1.2.3", None),
            ("0x10", None),
            ("1_000", None),
            ("NaN", None),
            ("inf", None),
        ] {
            let found = Decimal::parse(text).map(|d| d.to_string());
            assert_eq!(found.as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn doubles_are_what_they_are_written_as() {
        for (x, expected) in [
            (0.1, Some("0.1")),
            (-2.5, Some("-2.5")),
            (1e-5, Some("0.00001")),
            (12_345_678.0, Some("12345678")),
            (1e30, Some("1000000000000000000000000000000")),
            (1e38, None),
            (1e-300, None),
            (f64::NAN, None),
            (f64::INFINITY, None),
        ] {
            assert_eq!(Decimal::of_f64(x).map(|d| d.to_string()).as_deref(), expected, "{x}");
        }
    }

    #[test]
    fn scales() {
        let decimal = |text: &str| Decimal::parse(text).unwrap();
        let nothing = format!("0.{}", "0".repeat(38));
        for (text, scale, expected) in [
            ("1.5", 3, Some("1.500")),
            ("1.500", 1, Some("1.5")),
            ("1.55", 1, None),
            ("0", 38, Some(nothing.as_str())),
            ("1", 38, None),
            ("1", 39, None),
        ] {
            let found = decimal(text).rescale(scale).map(|d| d.to_string());
            assert_eq!(found.as_deref(), expected, "{text} {scale}");
        }
        assert_eq!(decimal("1.500").shortest().to_string(), "1.5");
        assert_eq!(decimal("100").shortest().to_string(), "100");
        assert_eq!(decimal("7.00").to_i64(), Some(7));
        assert_eq!(decimal("7.01").to_i64(), None);
        assert_eq!(decimal("9223372036854775808").to_i64(), None);
    }

    fn some() -> impl Strategy<Value = Decimal> {
        let digits = prop_oneof![
            any::<i128>().prop_map(|x| x % LIMIT),
            (-1000_i128..1000),
            any::<i64>().prop_map(i128::from),
        ];
        (digits, 0..=MOST_DIGITS).prop_map(|(u, scale)| Decimal::new(u, scale).unwrap())
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_again(x in some()) {
            prop_assert_eq!(Decimal::parse(&x.to_string()), Some(x));
            prop_assert_eq!((-x).to_string().parse::<f64>().unwrap(), -x.to_f64());
            prop_assert_eq!(x.shortest().compare(x), Ordering::Equal);
            prop_assert_eq!(x.shortest().rescale(x.scale()), Some(x));
        }

        #[test]
        fn the_nearest_double_is_that_of_the_text(x in some()) {
            prop_assert_eq!(x.to_f64(), x.to_string().parse::<f64>().unwrap());
        }

        #[test]
        fn order_is_that_of_the_digits(a in some(), b in some()) {
            // As texts of one width with 38 digits behind the point.
            let text = |x: Decimal| {
                let text = (if x.unscaled() < 0 { -x } else { x }).to_string();
                let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
                format!("{whole:0>40}{fraction:0<40}")
            };
            let negative = |x: Decimal| x.unscaled() < 0;
            let expected = match (negative(a), negative(b)) {
                (true, false) => Ordering::Less,
                (false, true) => Ordering::Greater,
                (false, false) => text(a).cmp(&text(b)),
                (true, true) => text(b).cmp(&text(a)),
            };
            prop_assert_eq!(a.compare(b), expected);
            prop_assert_eq!(b.compare(a), expected.reverse());
        }

        #[test]
        fn any_text_is_read_or_refused(text in "[-+]?[0-9]{0,42}[.]?[0-9]{0,42}(e-?[0-9]{1,3})?") {
            if let Some(x) = Decimal::parse(&text) {
                prop_assert_eq!(x.to_f64(), text.parse::<f64>().unwrap() + 0.0);
            }
        }
    }
}
