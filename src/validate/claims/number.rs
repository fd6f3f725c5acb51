//! Numbers as people write them: reading a literal with its style, and writing another value in
//! that style.

mod scales;

pub(super) use scales::scale_of;

/// What an explicit sign says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    /// No sign was written.
    None,
    /// `+5`
    Plus,
    /// `−5`, `-5`
    Minus,
}

/// How a number was written, so that another can be written the same way.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Style {
    /// Between groups of three digits.
    pub group: Option<char>,
    /// Before the decimals.
    pub point: char,
    /// The minus sign.
    pub minus: char,
    /// Between sign and digits (`$`).
    pub prefix: String,
    /// After the digits (`%`, ` млн`).
    pub suffix: String,
}

impl Default for Style {
    fn default() -> Self {
        Self { group: None, point: '.', minus: '-', prefix: String::new(), suffix: String::new() }
    }
}

/// A number of the text.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Number {
    /// Its value, sign and scale included.
    pub value: f64,
    /// The other reading of `1,234` where the language leaves it open.
    pub other: Option<f64>,
    /// Digits after the point.
    pub decimals: u32,
    /// 1000 for `k`, and so on.
    pub scale: f64,
    /// The explicit sign.
    pub sign: Sign,
    /// `%` or its word.
    pub percent: bool,
    /// Percentage points.
    pub points: bool,
    /// The unit written with it, in one spelling (`USD`, `kg`).
    pub unit: Option<&'static str>,
    /// How it was written.
    pub style: Style,
}

impl Number {
    /// A whole number without a style of its own (a spelled one).
    pub fn whole(value: f64) -> Self {
        Self {
            value,
            other: None,
            decimals: 0,
            scale: 1.0,
            sign: Sign::None,
            percent: false,
            points: false,
            unit: None,
            style: Style::default(),
        }
    }

    /// Half a unit of the last digit shown.
    pub fn half_unit(&self) -> f64 {
        0.5 * 10f64.powi(-(self.decimals as i32)) * self.scale
    }

    /// One unit of the last digit that is not a trailing zero of a whole number (`60` → 10).
    pub fn coarse_unit(&self) -> f64 {
        let mut unit = 2.0 * self.half_unit();
        if self.decimals == 0 && self.value != 0.0 {
            while (self.value / (unit * 10.0)).fract() == 0.0 {
                unit *= 10.0;
            }
        }
        unit
    }

    /// `actual` written as this number is; with more digits where the style would hide the value.
    pub fn write_like(&self, actual: f64) -> String {
        // `98,000` beside 98,500 are thousands, whatever the language of the text.
        let far = |x: f64| (actual / x).abs().ln().abs();
        if self.decimals == 3
            && let Some(whole) = self.other.filter(|x| far(*x) < far(self.value))
        {
            let style = Style { group: Some(self.style.point), ..self.style.clone() };
            let (value, other) = (whole, None);
            return Self { value, other, decimals: 0, style, ..self.clone() }.write_like(actual);
        }
        let scaled = actual / self.scale;
        let step = 10f64.powi(self.decimals as i32);
        let shown = (scaled * step).round() / step;
        let fits = (shown - scaled).abs() <= 0.05 * scaled.abs();
        let mut style = self.style.clone();
        let digits = if fits {
            format!("{:.*}", self.decimals as usize, shown.abs())
        } else {
            // The scale or the rounding would say something else: write the value out.
            if self.scale != 1.0 {
                style.suffix = if self.percent { "%".into() } else { String::new() };
            }
            plain(actual.abs())
        };
        let negative = actual < 0.0 && digits.bytes().any(|b| (b'1'..=b'9').contains(&b));
        let mut out = String::new();
        if negative {
            out.push(style.minus);
        } else if self.sign == Sign::Plus {
            out.push('+');
        }
        out.push_str(&style.prefix);
        out.push_str(&regroup(&digits, style.group, style.point));
        out.push_str(&style.suffix);
        out
    }
}

/// A value for reading: whole numbers exact, others to 4 decimals, or to 4 significant digits
/// below 0.1.
pub(super) fn plain(x: f64) -> String {
    if x.fract() == 0.0 && x.abs() < 1e15 {
        return format!("{x:.0}");
    }
    let decimals = if x.abs() < 0.1 && x != 0.0 {
        (3.0 - x.abs().log10().floor()).clamp(4.0, 17.0) as usize
    } else {
        4
    };
    let text = format!("{x:.decimals$}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The value that [`plain`] shows.
pub(super) fn rounded(x: f64) -> f64 {
    plain(x).parse().unwrap_or(x)
}

fn regroup(digits: &str, group: Option<char>, point: char) -> String {
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let mut out = String::new();
    for (i, c) in whole.chars().enumerate() {
        if i > 0
            && (whole.len() - i).is_multiple_of(3)
            && let Some(g) = group
        {
            out.push(g);
        }
        out.push(c);
    }
    if !fraction.is_empty() {
        out.push(point);
        out.push_str(fraction);
    }
    out
}

/// A date of the text. Without a year it stands for every year, without a day for the month.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct DateText {
    /// Year, where written.
    pub year: Option<i32>,
    /// 1–12; anything else matches no date.
    pub month: u32,
    /// Day of the month, where written.
    pub day: Option<u32>,
}

/// What starts at a digit.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Literal {
    /// A number.
    Number(Number),
    /// `2025-04-08`, `08.04.2025`, `2025-04`
    Date(DateText),
    /// `09:30`: hour and minute.
    Time(u32, u32),
    /// `1st`, `2-й`
    Ordinal(u32),
    /// A version or an address: digits that claim nothing.
    Label,
}

fn digits(s: &str) -> usize {
    s.bytes().take_while(u8::is_ascii_digit).count()
}

fn starts_with_letter(s: &str) -> bool {
    s.chars().next().is_some_and(|c| c.is_alphanumeric() || c == '_')
}

/// Reads the literal at the start of `s`, which begins with a digit; gives its length in bytes.
/// `russian` decides what a lone comma or a space between digits is.
pub(super) fn scan(s: &str, russian: bool) -> (Literal, usize) {
    scan_of(s, russian, false)
}

/// The same after a currency, where `4.82m` are millions.
pub(super) fn scan_of(s: &str, russian: bool, money: bool) -> (Literal, usize) {
    if let Some(found) = date_or_time(s) {
        return found;
    }
    let whole = digits(s);
    if let Some(len) = version(s, whole) {
        return (Literal::Label, len);
    }
    if let Some((n, len)) = ordinal(s, whole) {
        return (Literal::Ordinal(n), len);
    }
    plain_number(s, whole, russian, money)
}

fn date_or_time(s: &str) -> Option<(Literal, usize)> {
    let part = |from: usize, min: usize, max: usize| -> Option<(u32, usize)> {
        let rest = s.get(from..)?;
        let n = digits(rest);
        (min..=max).contains(&n).then_some(())?;
        Some((rest.get(..n)?.parse().ok()?, from + n))
    };
    let sep = |at: usize, c: u8| s.as_bytes().get(at) == Some(&c);
    let (first, at) = part(0, 1, 4)?;
    let ends = |at: usize| !s.get(at..).is_some_and(starts_with_letter);
    if at == 4 && sep(at, b'-') {
        let (month, at) = part(at + 1, 2, 2)?;
        if !(1..=12).contains(&month) {
            return None;
        }
        let year = i32::try_from(first).ok();
        let Some((day, mut end)) = (sep(at, b'-')).then(|| part(at + 1, 2, 2)).flatten() else {
            return (ends(at) && !sep(at, b'-'))
                .then_some((Literal::Date(DateText { year, month, day: None }), at));
        };
        // A time of day after the date belongs to it.
        if let Some(rest) = s.get(end..)
            && (rest.starts_with('T') || rest.starts_with(' '))
            && let Some((_, h)) = part(end + 1, 2, 2)
            && sep(h, b':')
            && let Some((_, m)) = part(h + 1, 2, 2)
        {
            end = m;
            if sep(end, b':')
                && let Some((_, sec)) = part(end + 1, 2, 2)
            {
                end = sec;
            }
        }
        return Some((Literal::Date(DateText { year, month, day: Some(day) }), end));
    }
    if at <= 2 && (sep(at, b'.') || sep(at, b'/')) {
        let mark = s.as_bytes()[at];
        let (second, at2) = part(at + 1, 1, 2)?;
        if sep(at2, mark)
            && let Some((year, end)) = part(at2 + 1, 4, 4)
            && ends(end)
        {
            // Dots and impossible months put the day first; slashes the month.
            let (day, month) =
                if mark == b'.' || first > 12 { (first, second) } else { (second, first) };
            let year = i32::try_from(year).ok();
            return Some((Literal::Date(DateText { year, month, day: Some(day) }), end));
        }
    }
    if at <= 2 && sep(at, b':') {
        let (minute, end) = part(at + 1, 2, 2)?;
        if first < 24
            && minute < 60
            && !s.get(end..).is_some_and(|r| r.starts_with(|c: char| c.is_ascii_digit()))
        {
            let end = match (sep(end, b':')).then(|| part(end + 1, 2, 2)).flatten() {
                Some((_, seconds)) => seconds,
                None => end,
            };
            return Some((Literal::Time(first, minute), end));
        }
    }
    None
}

/// `1.2.3` and longer; `1.234.567` is a grouped number and not one.
fn version(s: &str, whole: usize) -> Option<usize> {
    let mut at = whole;
    let mut parts = 1;
    let mut triples = true;
    while s.as_bytes().get(at) == Some(&b'.') {
        let n = digits(s.get(at + 1..)?);
        if n == 0 {
            break;
        }
        triples &= n == 3;
        parts += 1;
        at += 1 + n;
    }
    (parts >= 3 && !(triples && whole <= 3)).then_some(at)
}

fn ordinal(s: &str, whole: usize) -> Option<(u32, usize)> {
    let rest = s.get(whole..)?;
    for suffix in [
        "st", "nd", "rd", "th", "-й", "-м", "-я", "-е", "-го", "-му", "-ый", "-ая", "-ое", "-ом",
        "-ой",
    ] {
        if let Some(after) = rest.strip_prefix(suffix)
            && !starts_with_letter(after)
        {
            return Some((s.get(..whole)?.parse().ok()?, whole + suffix.len()));
        }
    }
    None
}

const SPACES: [char; 3] = ['\u{a0}', '\u{202f}', '\u{2009}'];

fn plain_number(s: &str, whole: usize, russian: bool, money: bool) -> (Literal, usize) {
    let mut at = whole;
    let mut text: String = s[..whole].to_owned();
    let mut style = Style::default();
    let next_is = |at: usize, c: char| s.get(at..).is_some_and(|r| r.starts_with(c));
    let run = |at: usize| s.get(at..).map_or(0, digits);
    let mut other = None;

    // Groups of three digits: the same separator all through.
    if whole <= 3 && !(text.starts_with('0')) {
        let candidates = [',', ' ', '\u{a0}', '\u{202f}', '\u{2009}', '\'', '\u{2019}', '.'];
        for c in candidates {
            let (mut end, mut groups, mut joined) = (at, 0, text.clone());
            while next_is(end, c) && run(end + c.len_utf8()) == 3 {
                let from = end + c.len_utf8();
                joined.push_str(&s[from..from + 3]);
                end = from + 3;
                groups += 1;
            }
            let decimal_follows = |p: char| next_is(end, p) && run(end + 1) > 0;
            let accept = match c {
                ',' => groups > 1 || groups == 1 && (!russian || decimal_follows('.')),
                '.' => groups > 1,
                ' ' => groups > 0 && russian,
                _ => groups > 0,
            };
            if accept {
                text = joined;
                at = end;
                style.group = Some(c);
                if c == '.' || (SPACES.contains(&c) || c == ' ') && decimal_follows(',') {
                    style.point = ',';
                }
                break;
            }
            if c == ',' && groups == 1 {
                // One comma and three digits in Russian: decimals, or thousands of an English hand.
                other = joined.parse().ok();
            }
        }
    }
    // Decimals.
    let mut decimals = 0;
    for point in ['.', ','] {
        let n = if next_is(at, point) { run(at + 1) } else { 0 };
        if n == 0 || decimals > 0 || style.group == Some(point) {
            continue;
        }
        // A comma is a decimal point with one or two digits, in Russian with any number.
        if point == ',' && !(russian || n <= 2 || text == "0" || style.point == ',') {
            continue;
        }
        text.push('.');
        text.push_str(&s[at + 1..=at + n]);
        at += 1 + n;
        decimals = n as u32;
        style.point = point;
    }
    if decimals == 0 && russian && style.group.is_none_or(|c| c != ',') {
        style.point = ',';
    }
    // An exponent.
    let mut scale = 1.0;
    if let Some(rest) = s.get(at..).and_then(|r| r.strip_prefix(['e', 'E'])) {
        let sign = usize::from(rest.starts_with(['-', '+']));
        let n = rest.get(sign..).map_or(0, digits);
        if (1..=3).contains(&n)
            && !rest.get(sign + n..).is_some_and(starts_with_letter)
            && let Ok(exponent) = rest[..sign + n].parse::<i32>()
        {
            scale = 10f64.powi(exponent);
            s[at..=at + sign + n].clone_into(&mut style.suffix);
            at += 1 + sign + n;
        }
    }
    let value: f64 = text.parse().unwrap_or(f64::MAX);
    let mut number = Number { decimals, scale, style, ..Number::whole(value * scale) };
    if decimals == 3 {
        number.other = other;
    }
    at += suffix(&mut number, &s[at..], money);
    (Literal::Number(number), at)
}

/// Takes scale and per cent sign from `rest`, the text after the digits; gives the bytes taken.
fn suffix(number: &mut Number, rest: &str, money: bool) -> usize {
    let mut at = 0;
    let space = |at: usize| {
        rest[at..]
            .chars()
            .next()
            .filter(|c| *c == ' ' || SPACES.contains(c))
            .map_or(0, char::len_utf8)
    };
    let gap = space(0);
    if let Some((scale, len)) = scales::read(&rest[gap..], gap == 0, money) {
        at = gap + len;
        number.scale *= scale;
        number.value *= scale;
    }
    let gap = space(at);
    if rest[at + gap..].starts_with('%') {
        at += gap + 1;
        number.percent = true;
    }
    number.style.suffix.push_str(&rest[..at]);
    for (symbol, unit) in CURRENCIES {
        let gap = space(at);
        if rest[at + gap..].starts_with(symbol) && number.unit.is_none() && !number.percent {
            number.unit = Some(unit);
            number.style.suffix.push_str(&rest[at..at + gap + symbol.len()]);
            at += gap + symbol.len();
            break;
        }
    }
    at
}

/// Currency symbols and the code each stands for.
pub(super) const CURRENCIES: &[(&str, &str)] =
    &[("$", "USD"), ("€", "EUR"), ("£", "GBP"), ("₽", "RUB"), ("¥", "JPY")];

#[cfg(test)]
mod tests {
    use super::{Literal, plain, scan};

    fn check(text: &str, value: f64, decimals: u32, len: usize) {
        let russian = text.chars().any(|c| ('а'..='я').contains(&c)) || text.ends_with('|');
        let (literal, taken) = scan(text.trim_end_matches('|'), russian);
        let Literal::Number(n) = literal else { panic!("{text}: {literal:?}") };
        assert!((n.value - value).abs() < 1e-9 * value.abs().max(1.0), "{text}: {}", n.value);
        assert_eq!((n.decimals, taken), (decimals, len), "{text}");
    }

    #[test]
    fn numbers() {
        for (text, value, decimals, len) in [
            ("67.3", 67.3, 1, 4),
            ("1,234.5 x", 1234.5, 1, 7),
            ("1,234,567", 1_234_567.0, 0, 9),
            ("1 234,5|", 1234.5, 1, 7),
            ("1\u{a0}234,5", 1234.5, 1, 8),
            ("1\u{202f}234", 1234.0, 0, 7),
            ("5,2 тыс. штук", 5200.0, 1, 11),
            ("5,2 тыс.", 5200.0, 1, 10),
            ("3.1 bn", 3.1e9, 1, 6),
            ("2.5k", 2500.0, 1, 4),
            ("2,5к|", 2500.0, 1, 5),
            ("4.82 millions", 4.82e6, 2, 13),
            ("4,8 миллионами", 4.8e6, 1, 24),
            ("4,8М|", 4.8e6, 1, 5),
            ("3.1bln", 3.1e9, 1, 6),
            ("4.82m$", 4.82e6, 2, 6),
            ("4.82m EUR", 4.82e6, 2, 5),
            ("4.82m", 4.82, 2, 4),
            ("4.82 m$", 4.82, 2, 4),
            ("5T", 5.0, 0, 1),
            ("4.82M.", 4.82e6, 2, 5),
            ("45–78", 45.0, 0, 2),
            ("45, 78", 45.0, 0, 2),
            ("12 %", 12.0, 0, 4),
            ("1e6", 1e6, 0, 3),
            ("0,234", 0.234, 3, 5),
            ("78 156", 78.0, 0, 2),
            ("1.234.567", 1_234_567.0, 0, 9),
        ] {
            check(text, value, decimals, len);
        }
    }

    #[test]
    fn other_literals() {
        for (text, len) in [("1.2.3", 5), ("2025-04-08", 10), ("09:30", 5), ("2nd", 3), ("3-й", 4)]
        {
            let (literal, taken) = scan(text, false);
            assert!(!matches!(literal, Literal::Number(_)), "{text}: {literal:?}");
            assert_eq!(taken, len, "{text}");
        }
    }

    #[test]
    fn writes_in_the_same_style() {
        for (like, actual, expected) in [
            ("67.9", 67.31, "67.3"),
            ("1,234.5", 9876.54, "9,876.5"),
            ("1\u{a0}234,5", 9876.54, "9\u{a0}876,5"),
            ("12%", -5.06, "-5%"),
            ("4.82M", 9_120_000.0, "9.12M"),
            ("4.82M", 310.5, "310.5"),
            ("0", 0.35, "0.35"),
            ("98,008", 92_500.0, "92,500"),
        ] {
            let (Literal::Number(n), _) = scan(like, false) else { panic!("{like}") };
            assert_eq!(n.write_like(actual), expected, "{like}");
        }
        assert_eq!(plain(0.012_345_6), "0.01235");
    }
}
