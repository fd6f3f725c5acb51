//! Text to tokens: words, numbers, dates, punctuation, each with its place in bytes, its sentence
//! and its clause.

use super::number::{CURRENCIES, DateText, Literal, Number, Sign, scan, scan_of};
use crate::error::Span;
use frostem::{Algorithm, Stemmer};

/// What a token is.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Kind {
    /// Letters, perhaps with digits and underscores after them.
    Word,
    /// A number.
    Number(Number),
    /// A date in figures.
    Date(DateText),
    /// A time of day.
    Time(u32, u32),
    /// `1st`
    Ordinal(u32),
    /// A version or an identifier.
    Label,
    /// Anything else that is not a space.
    Punct(char),
    /// The end of a line.
    Line,
}

/// One token.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Token {
    /// What it is.
    pub kind: Kind,
    /// Where it stands.
    pub span: Span,
    /// Lower case, `ё` as `е`, without a possessive ending; empty for what is no word.
    pub lower: String,
    /// The stem of a word.
    pub stem: String,
    /// Starts with a capital.
    pub capital: bool,
    /// Nothing stands between it and the token before.
    pub glued: bool,
    /// Number of its sentence.
    pub sentence: usize,
    /// Number of its clause, counted through the text.
    pub clause: usize,
    /// It stands in brackets.
    pub inside: bool,
    /// It names what the rows are (`flights`): a number before it counts them.
    pub counts: bool,
}

impl Token {
    /// A punctuation mark equal to `c`.
    pub fn is(&self, c: char) -> bool {
        self.kind == Kind::Punct(c)
    }

    /// A word.
    pub fn is_word(&self) -> bool {
        self.kind == Kind::Word
    }
}

/// Stems words of both languages.
pub(super) struct Stems {
    english: Stemmer,
    russian: Stemmer,
}

impl Stems {
    /// Both stemmers.
    pub fn new() -> Self {
        Self {
            english: Stemmer::new(Algorithm::English),
            russian: Stemmer::new(Algorithm::Russian),
        }
    }

    /// The stem of a word as [`lower`] gives it.
    pub fn stem(&self, lower: &str) -> String {
        let stemmer = if is_cyrillic(lower) { &self.russian } else { &self.english };
        stemmer.stem(lower).into_owned()
    }
}

/// Lower case for comparing: `ё` is `е`, a possessive ending is dropped.
pub(super) fn lower(word: &str) -> String {
    let mut out = word.to_lowercase().replace('ё', "е").replace('\u{2019}', "'");
    for ending in ["'s", "s'"] {
        if out.len() > ending.len() + 1 && out.ends_with(ending) {
            let keep = out.len() - if ending == "'s" { 2 } else { 1 };
            out.truncate(keep);
        }
    }
    out
}

/// Any Cyrillic letter.
pub(super) fn is_cyrillic(s: &str) -> bool {
    s.chars().any(|c| ('\u{400}'..='\u{4ff}').contains(&c))
}

/// Endings of Russian nouns in their cases.
const CASES: &[&str] = &[
    "", "а", "я", "о", "е", "у", "ю", "ы", "и", "ь", "й", "ой", "ою", "ей", "ею", "ью", "ом", "ем",
    "ам", "ям", "ах", "ях", "ами", "ями", "ов", "ев",
];

/// What of a Russian name stays in all cases, where a stemmer takes it for another word: `Ашан` is no verb,
/// `Уфа` and `Уфой` are one city. Nothing for other words.
pub(super) fn base_of(word: &str) -> Option<&str> {
    let base = word.strip_suffix(['а', 'я', 'о', 'е', 'ы', 'и', 'ь', 'й']).unwrap_or(word);
    (is_cyrillic(word) && base.chars().count() > 1).then_some(base)
}

/// What may stay of a word of a text when the ending of a case is taken away.
pub(super) fn bases_of(said: &str) -> impl Iterator<Item = &str> {
    let cases = CASES.iter().filter(|_| is_cyrillic(said));
    cases.filter_map(|end| said.strip_suffix(end)).filter(|base| base.chars().count() > 1)
}

/// Words that end with a dot inside a sentence.
const ABBREVIATIONS: &[&str] = &[
    "e.g", "i.e", "vs", "approx", "ca", "etc", "no", "avg", "max", "min", "incl", "тыс", "млн",
    "млрд", "трлн", "руб", "т.е", "т.ч", "г", "гг", "ср", "др", "п.п", "п", "шт", "ок", "макс",
    "мин", "напр", "см",
];

/// Cuts a text into sentences. The spans tile the text: each holds the space after its sentence.
pub fn sentences(text: &str) -> Vec<Span> {
    let mut out = Vec::new();
    let mut start = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((i, c)) = chars.next() {
        let end = i + c.len_utf8();
        let rest = &text[end..];
        let cut = match c {
            '\n' => true,
            '.' | '!' | '?' | '…' => ends_sentence(&text[start..i], c, rest),
            _ => false,
        };
        if cut {
            let closing: usize =
                rest.chars().take_while(|c| "\"»”)*_.!?".contains(*c)).map(char::len_utf8).sum();
            let mut to = end + closing;
            to += text[to..]
                .chars()
                .take_while(|c| c.is_whitespace())
                .map(char::len_utf8)
                .sum::<usize>();
            if text[start..to].trim().is_empty() {
                continue;
            }
            out.push(Span::new(start, to));
            start = to;
            while chars.peek().is_some_and(|(j, _)| *j < to) {
                chars.next();
            }
        }
    }
    if start < text.len() {
        out.push(Span::new(start, text.len()));
    }
    out
}

fn ends_sentence(before: &str, mark: char, rest: &str) -> bool {
    let after = rest.trim_start_matches(['"', '»', '”', ')', '*', '_', '.', '!', '?']);
    let Some(next) = after.chars().next() else { return true };
    if !next.is_whitespace() {
        return false;
    }
    let opens = after
        .trim_start()
        .trim_start_matches(['*', '_', '"', '«', '“', '(', '-', '[', '−', '–', '+', '$'])
        .chars()
        .next();
    let Some(opens) = opens else { return true };
    if after.chars().take_while(|c| c.is_whitespace()).any(|c| c == '\n') {
        return true;
    }
    if mark != '.' {
        return true;
    }
    // A list number at the start of a line.
    let line = before.trim_start_matches(['\n', ' ', '*', '#']);
    if !line.is_empty() && line.len() <= 3 && line.bytes().all(|b| b.is_ascii_digit()) {
        return false;
    }
    let word = before
        .rsplit(|c: char| c.is_whitespace() || c == '(')
        .next()
        .unwrap_or_default()
        .to_lowercase();
    if ABBREVIATIONS.contains(&word.as_str()) {
        // A scale or a unit may end a sentence too: a capital after it says so.
        let unit = ["тыс", "млн", "млрд", "трлн", "руб", "п.п", "шт", "г", "etc", "мин"];
        return unit.contains(&word.as_str()) && opens.is_uppercase();
    }
    !opens.is_lowercase()
}

/// Words that open a new clause. The second list coordinates: it may also join a list.
const BREAKS: &[&str] = &[
    "but",
    "while",
    "whereas",
    "vs",
    "versus",
    "against",
    "although",
    "though",
    "compared",
    "followed",
    "но",
    "тогда",
    "против",
    "хотя",
    "зато",
    "однако",
    "затем",
    "then",
];
const ANDS: &[&str] = &["and", "or", "и", "а", "или", "plus"];

/// Joins the members of a list, or two clauses.
pub(super) fn is_and(token: &Token) -> bool {
    token.is('&') || token.is_word() && ANDS.contains(&token.lower.as_str())
}

/// Cuts a text into tokens.
pub(super) fn tokens(text: &str, stems: &Stems) -> Vec<Token> {
    let mut out: Vec<Token> = Vec::new();
    let spans = sentences(text);
    let mut clause = 0;
    let mut table = false;
    for (sentence, span) in spans.iter().enumerate() {
        clause += 1;
        let part = &text[span.start..span.end];
        // The lines of a table are of one hand: a row of names and numbers says no language.
        table = part.trim_start().starts_with('|') && (table || is_cyrillic(part));
        let russian = table || is_cyrillic(part);
        let mut at = span.start;
        let mut depth = 0_i32;
        while at < span.end {
            let (kind, len) = next(text, at, span.end, russian);
            let Some(kind) = kind else {
                at += len;
                continue;
            };
            let word = if kind == Kind::Word { lower(&text[at..at + len]) } else { String::new() };
            let token = Token {
                stem: if word.is_empty() { String::new() } else { stems.stem(&word) },
                capital: text[at..at + len].starts_with(char::is_uppercase),
                lower: word,
                glued: out.last().is_some_and(|t| t.span.end == at),
                kind,
                span: Span::new(at, at + len),
                sentence,
                clause,
                inside: depth > 0,
                counts: false,
            };
            depth += i32::from(token.is('(')) - i32::from(token.is(')'));
            let opens = depth <= 0
                && (token.is(',')
                    || token.is(';')
                    || token.is('|')
                    || is_and(&token)
                    || BREAKS.contains(&token.lower.as_str()));
            // `96 times: 41 at Lidl, 24 at Rewe`: what follows the colon has its own numbers.
            let opens = opens
                || depth <= 0
                    && token.is(':')
                    && out
                        .iter()
                        .rev()
                        .take_while(|t| t.clause == clause && t.sentence == sentence)
                        .any(|t| matches!(&t.kind, Kind::Number(n) if !may_be_date(n)));
            at += len;
            out.push(token);
            if opens {
                clause += 1;
                if let Some(last) = out.last_mut() {
                    last.clause = clause;
                }
            }
        }
    }
    out
}

/// A number that may be a year or a day of a month.
fn may_be_date(n: &Number) -> bool {
    n.decimals == 0
        && n.scale == 1.0
        && !n.percent
        && n.unit.is_none()
        && (n.value <= 31.0 || (1900.0..=2100.0).contains(&n.value))
}

/// The token at `at`, or no token and how many bytes to skip.
fn next(text: &str, at: usize, end: usize, russian: bool) -> (Option<Kind>, usize) {
    let s = &text[at..end];
    let Some(c) = s.chars().next() else { return (None, 1) };
    let before = text[..at].chars().next_back();
    if c == '\n' {
        return (Some(Kind::Line), 1);
    }
    if c.is_whitespace() {
        return (None, c.len_utf8());
    }
    if let Some(found) = coded(s, before, russian) {
        return found;
    }
    if c.is_alphabetic() || c == '_' {
        return word(s);
    }
    if let Some(found) = signed(s, before, russian) {
        return found;
    }
    if c.is_ascii_digit() {
        // `30-49 760`: the space after a range groups no digits.
        let mut back = text[..at].chars().rev();
        let ranged = back.next().is_some_and(|c| c == '-' || c == '–')
            && back.next().is_some_and(|c| c.is_ascii_digit());
        let end = s.find(|c: char| !c.is_ascii_digit()).unwrap_or(s.len());
        let s = if ranged && s[end..].starts_with(' ') { &s[..end] } else { s };
        let (literal, len) = scan(s, russian);
        let odd: usize = s[len..].chars().take_while(|c| is_odd(*c)).map(char::len_utf8).sum();
        if odd > 0 {
            return (Some(Kind::Number(Number::whole(f64::NAN))), len + odd);
        }
        let kind = match literal {
            Literal::Number(n) => Kind::Number(n),
            Literal::Date(d) => Kind::Date(d),
            Literal::Time(h, m) => Kind::Time(h, m),
            Literal::Ordinal(n) => Kind::Ordinal(n),
            Literal::Label => Kind::Label,
        };
        return (Some(kind), len);
    }
    let odd: usize = s.chars().take_while(|c| is_odd(*c)).map(char::len_utf8).sum();
    if odd > 0 {
        return (Some(Kind::Number(Number::whole(f64::NAN))), odd);
    }
    (Some(Kind::Punct(c)), c.len_utf8())
}

/// Fractions and digits of other scripts: part of a number that is not read, and so equals no fact.
fn is_odd(c: char) -> bool {
    matches!(c, '¼'..='¾' | '⅐'..='⅞' | '０'..='９' | '٠'..='٩' | '۰'..='۹' | '०'..='९')
}

/// Letters, digits and underscores after a letter; an apostrophe between letters. A word with
/// digits is an identifier.
fn word(s: &str) -> (Option<Kind>, usize) {
    let mut len = 0;
    let mut chars = s.char_indices().peekable();
    while let Some((i, c)) = chars.next() {
        let joins = (c == '\'' || c == '\u{2019}')
            && i > 0
            && chars.peek().is_some_and(|(_, n)| n.is_alphabetic());
        if !(c.is_alphanumeric() || c == '_' || joins || c == '\u{301}') {
            break;
        }
        len = i + c.len_utf8();
    }
    // `v1.2.3`
    while s[..len].ends_with(|c: char| c.is_ascii_digit())
        && s[len..].strip_prefix('.').is_some_and(|r| r.starts_with(|c: char| c.is_ascii_digit()))
    {
        let rest = &s[len + 1..];
        len += 1 + rest.bytes().take_while(u8::is_ascii_digit).count();
    }
    (Some(Kind::Word), len)
}

/// Currencies that are written with letters, and the code of each.
const CODES: &[(&str, &str)] = &[
    ("USD", "USD"),
    ("EUR", "EUR"),
    ("GBP", "GBP"),
    ("RUB", "RUB"),
    ("RUR", "RUB"),
    ("JPY", "JPY"),
    ("CHF", "CHF"),
    ("CNY", "CNY"),
    ("INR", "INR"),
    ("Rs.", "INR"),
    ("Rs", "INR"),
];

/// `EUR500`: a number with a currency before it, and no word.
fn coded(s: &str, before: Option<char>, russian: bool) -> Option<(Option<Kind>, usize)> {
    if before.is_some_and(|c| c.is_alphanumeric() || c == '_') {
        return None;
    }
    let (code, unit) = CODES.iter().find(|(code, _)| s.starts_with(code))?;
    let rest = &s[code.len()..];
    if !rest.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let (Literal::Number(mut n), len) = scan_of(rest, russian, true) else { return None };
    n.unit = Some(unit);
    (*code).clone_into(&mut n.style.prefix);
    Some((Some(Kind::Number(n)), code.len() + len))
}

/// A number with a sign or a currency before it.
fn signed(s: &str, before: Option<char>, russian: bool) -> Option<(Option<Kind>, usize)> {
    let mut rest = s;
    let mut sign = Sign::None;
    let mut minus = '-';
    // After a letter, a digit or a closing bracket it is a hyphen or a range.
    if !before.is_some_and(|c| c.is_alphanumeric() || "%)$€£₽¥_".contains(c)) {
        for (c, s) in
            [('-', Sign::Minus), ('−', Sign::Minus), ('–', Sign::Minus), ('+', Sign::Plus)]
        {
            if let Some(after) = rest.strip_prefix(c) {
                (rest, sign, minus) = (after, s, if c == '+' { '-' } else { c });
                break;
            }
        }
    }
    let mut unit = None;
    let mut prefix = String::new();
    for (symbol, name) in CURRENCIES {
        if let Some(after) = rest.strip_prefix(symbol) {
            let trimmed = after.trim_start_matches([' ', '\u{a0}']);
            if trimmed.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '−') {
                rest[..rest.len() - trimmed.len()].clone_into(&mut prefix);
                (rest, unit) = (trimmed, Some(*name));
                if sign == Sign::None
                    && let Some(after) = rest.strip_prefix(['-', '−'])
                {
                    (rest, sign) = (after, Sign::Minus);
                }
            }
            break;
        }
    }
    if sign == Sign::None && unit.is_none() || !rest.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let (Literal::Number(mut n), len) = scan_of(rest, russian, unit.is_some()) else {
        return None;
    };
    n.sign = sign;
    n.unit = unit.or(n.unit);
    n.style.prefix = prefix;
    n.style.minus = minus;
    if sign == Sign::Minus {
        n.value = -n.value;
        n.other = n.other.map(|x| -x);
    }
    Some((Some(Kind::Number(n)), s.len() - rest.len() + len))
}

#[cfg(test)]
mod tests {
    use super::{Kind, Stems, sentences, tokens};

    fn numbers(text: &str) -> Vec<f64> {
        tokens(text, &Stems::new())
            .iter()
            .filter_map(|t| if let Kind::Number(n) = &t.kind { Some(n.value) } else { None })
            .collect()
    }

    #[test]
    fn literals_in_text() {
        for (text, expected) in [
            ("It fell −5.06% to $4.82M.", vec![-5.06, 4.82e6]),
            ("ranges 45–78, 45-78", vec![45.0, 78.0, 45.0, 78.0]),
            ("-$5 and +3", vec![-5.0, 3.0]),
            ("EUR500, RUB4.82 and Rs1,500", vec![500.0, 4.82, 1500.0]),
            ("EURX500 xEUR500", vec![]),
            ("mean_gap r1 id3 v1.2.3 1.2.3", vec![]),
            ("В среду 1 234,5 руб.", vec![1234.5]),
            ("5,2 тыс. В среду 3", vec![5200.0, 3.0]),
            ("78 €", vec![78.0]),
            ("(−5.06)", vec![-5.06]),
        ] {
            assert_eq!(numbers(text), expected, "{text}");
        }
    }

    #[test]
    fn sentences_tile_the_text() {
        for (text, n) in [
            ("One. Two three! Four?", 3),
            ("approx. 5 vs. 6. End", 2),
            ("Было 5 тыс. Потом 6.", 2),
            ("5,2 тыс. штук.", 1),
            ("1. First item\n2. Second item", 2),
            ("67.3 is it. 45 was Friday.", 2),
            ("", 0),
            ("\n\nHi\n\nthere", 2),
        ] {
            let spans = sentences(text);
            assert_eq!(spans.len(), n, "{text}: {spans:?}");
            assert_eq!(spans.iter().map(|s| &text[s.start..s.end]).collect::<String>(), text);
        }
    }
}
