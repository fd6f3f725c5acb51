//! Cuts a question into words, numbers, quoted values, dates and symbols, with stems of both
//! languages. It knows nothing of a table.

use super::stem::{fold, stem};
use crate::error::Span;
use chrono::NaiveDate;

/// What a number is measured in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    /// Per cent.
    Percent,
    /// Points of a price.
    Points,
    /// A currency.
    Money,
    /// The unit that the column with this number declares.
    Declared(usize),
}

/// What a token is.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum TokenKind {
    /// A word: letters, digits and underscores, beginning with a letter.
    Word,
    /// A finite number, its glued unit, and whether it can be read as a year.
    Number { value: f64, unit: Option<Unit>, year: bool },
    /// Text between quotes.
    Quoted,
    /// `2024-03-15`, `15.03.2024`.
    Date(NaiveDate),
    /// `2024-03`.
    YearMonth(i32, u32),
    /// `18:30`.
    Clock(u32, u32),
    /// Written as a date that no calendar has (`2024-02-30`).
    NoDate,
    /// A comparison, `,`, `-`, `+` and other signs.
    Symbol,
}

/// One token.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// As written; without the quotes for quoted text.
    pub raw: String,
    /// Lower case, `ё` as `е`.
    pub folded: String,
    /// Stem of a word, in the language of its letters.
    pub stem: String,
    /// Where it stands, in bytes.
    pub span: Span,
}

/// Words as they are often misspelled.
fn spelled(folded: String) -> String {
    match folded.as_str() {
        "скока" | "скоко" | "сколька" => "сколько".to_owned(),
        _ if folded.starts_with("обьем") => folded.replacen('ь', "ъ", 1),
        _ => folded,
    }
}

/// `у кого самый большой оклад` asks who has it, as `кто` does.
fn with_who(tokens: &mut Vec<Token>) {
    let word = |at: usize, word: &str| tokens.get(at).is_some_and(|t| t.folded == word);
    let ends = ["больш", "высок", "маленьк", "низк", "максимальн", "минимальн"];
    let most = word(2, "самый") || word(2, "самая") || word(2, "самое");
    let extreme = tokens.get(3).is_some_and(|t| ends.iter().any(|end| t.folded.starts_with(end)));
    if word(0, "у") && word(1, "кого") && most && extreme {
        tokens.remove(0);
        if let Some(who) = tokens.first_mut() {
            *who =
                Token { raw: who.raw.clone(), ..Token::new(TokenKind::Word, "кто", who.span) };
        }
    }
}

impl Token {
    fn new(kind: TokenKind, raw: &str, span: Span) -> Self {
        let folded = spelled(fold(raw));
        let stem = if kind == TokenKind::Word { stem(&folded) } else { folded.clone() };
        Self { kind, raw: raw.to_owned(), folded, stem, span }
    }

    /// A sign with exactly this text.
    pub fn is_symbol(&self, text: &str) -> bool {
        self.kind == TokenKind::Symbol && self.raw == text
    }
}

/// Cuts `text` into tokens. White space and control characters separate and are dropped.
pub(super) fn tokenise(text: &str) -> Vec<Token> {
    let chars: Vec<(usize, char)> = text.char_indices().collect();
    let mut scanner = Scanner { text, chars, at: 0, tokens: Vec::new(), unclosed: Vec::new() };
    scanner.run();
    with_who(&mut scanner.tokens);
    scanner.tokens
}

/// Signs of two characters, tried before single ones.
const PAIRS: &[&str] = &[">=", "<=", "==", "!=", "<>", "..", "=>", "=<"];

struct Scanner<'a> {
    text: &'a str,
    chars: Vec<(usize, char)>,
    at: usize,
    tokens: Vec<Token>,
    /// Closing quotes that do not come any more.
    unclosed: Vec<char>,
}

impl Scanner<'_> {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).map(|&(_, c)| c)
    }

    fn byte(&self, index: usize) -> usize {
        self.chars.get(index).map_or(self.text.len(), |&(b, _)| b)
    }

    fn slice(&self, from: usize, to: usize) -> &str {
        self.text.get(self.byte(from)..self.byte(to)).unwrap_or_default()
    }

    fn push(&mut self, kind: TokenKind, from: usize, to: usize) {
        let span = Span::new(self.byte(from), self.byte(to));
        let token = Token::new(kind, self.slice(from, to), span);
        self.tokens.push(token);
    }

    fn run(&mut self) {
        while let Some(c) = self.peek(0) {
            if c.is_whitespace() || c.is_control() {
                self.at += 1;
            } else if c.is_ascii_digit() || (is_minus(c) && self.minus_is_sign()) {
                self.number(None);
            } else if matches!(c, '$' | '€' | '£' | '₽')
                && self.peek(1).is_some_and(|d| d.is_ascii_digit())
            {
                self.at += 1;
                self.number(Some(Unit::Money));
            } else if let Some(close) = closing(c)
                && self.quoted(close)
            {
                // taken
            } else if c.is_alphabetic() || c == '_' {
                let start = self.at;
                while self.peek(0).is_some_and(|c| c.is_alphanumeric() || c == '_')
                    || (self.at > start && self.apostrophe())
                {
                    self.at += 1;
                }
                let end = self.at - self.possessive(start);
                // `топ5`, `top10`
                let word = self.slice(start, end).to_lowercase();
                let glued = ["топ", "top"].into_iter().find_map(|top| word.strip_prefix(top));
                if glued.is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit())) {
                    self.push(TokenKind::Word, start, start + 3);
                    self.at = start + 3;
                    continue;
                }
                self.push(TokenKind::Word, start, end);
            } else {
                let pair = self.slice(self.at, (self.at + 2).min(self.chars.len()));
                let length = if PAIRS.contains(&pair) { 2 } else { 1 };
                self.push(TokenKind::Symbol, self.at, self.at + length);
                self.at += length;
            }
        }
    }

    /// Characters of the `'s` that ends the word from `start` on (`AAPL's`).
    fn possessive(&self, start: usize) -> usize {
        let word = self.slice(start, self.at).to_lowercase().replace('’', "'");
        let whole = ["what's", "it's", "that's", "let's", "who's", "there's", "o's"];
        if word.ends_with("'s") && !whole.contains(&word.as_str()) { 2 } else { 0 }
    }

    /// An apostrophe inside a word (`what's`).
    fn apostrophe(&self) -> bool {
        matches!(self.peek(0), Some('\'' | '’')) && self.peek(1).is_some_and(char::is_alphabetic)
    }

    /// A minus belongs to the number after it unless something stands right before it (`top-5`).
    fn minus_is_sign(&self) -> bool {
        self.peek(1).is_some_and(|c| c.is_ascii_digit())
            && self.at.checked_sub(1).and_then(|i| self.chars.get(i)).is_none_or(|&(_, before)| {
                before.is_whitespace() || matches!(before, '(' | '<' | '>' | '=' | '≥' | '≤')
            })
    }

    /// Takes a quoted text that is closed; leaves a lone quote alone.
    fn quoted(&mut self, close: char) -> bool {
        let start = self.at + 1;
        // one that was not found is not looked for again
        if self.unclosed.contains(&close) {
            return false;
        }
        let rest = self.chars.get(start..).unwrap_or_default();
        let Some(length) = rest.iter().position(|&(_, c)| c == close) else {
            self.unclosed.push(close);
            return false;
        };
        if length == 0 {
            return false;
        }
        self.push(TokenKind::Quoted, start, start + length);
        self.at = start + length + 1;
        true
    }

    fn digits(&mut self) -> usize {
        let start = self.at;
        while self.peek(0).is_some_and(|c| c.is_ascii_digit()) {
            self.at += 1;
        }
        self.at - start
    }

    fn number(&mut self, unit: Option<Unit>) {
        let start = self.at;
        if unit.is_none() && (self.date() || self.clock()) {
            return;
        }
        let negative = self.peek(0).is_some_and(is_minus);
        if negative {
            self.at += 1;
        }
        let mut digits = String::new();
        let first = self.at;
        let mut group = self.digits();
        digits.push_str(self.slice(first, self.at));
        let leading_zero = digits.starts_with('0');
        let mut plain = true;
        // groups of three: `1,000` `1 000 000`
        if group <= 3 && !leading_zero {
            while let Some(c) = self.peek(0)
                && (c == ',' || c == '\'' || is_group_space(c))
                && self.group_of_three()
            {
                plain = false;
                self.at += 1;
                let from = self.at;
                group = self.digits();
                digits.push_str(self.slice(from, self.at));
            }
        }
        // a decimal point or comma with digits right after it
        if matches!(self.peek(0), Some('.' | ','))
            && self.peek(1).is_some_and(|c| c.is_ascii_digit())
        {
            plain = false;
            self.at += 1;
            let from = self.at;
            self.digits();
            digits.push('.');
            digits.push_str(self.slice(from, self.at));
        }
        let (scale, mut unit) = (self.scale(), unit);
        if matches!(self.peek(0), Some('%')) {
            self.at += 1;
            unit = Some(Unit::Percent);
        } else if matches!(self.peek(0), Some('$' | '€' | '£' | '₽')) {
            self.at += 1;
            unit = Some(Unit::Money);
        }
        let value =
            digits.parse::<f64>().unwrap_or(f64::NAN) * scale * if negative { -1.0 } else { 1.0 };
        let year = plain
            && !negative
            && scale == 1.0
            && unit.is_none()
            && group == 4
            && (1900.0..2100.0).contains(&value);
        // digits glued to letters (`3rd`, `5x`) are a word, not a number
        if self.peek(0).is_some_and(|c| c.is_alphabetic() || c == '_') {
            while self.peek(0).is_some_and(|c| c.is_alphanumeric() || c == '_') {
                self.at += 1;
            }
            self.push(TokenKind::Word, start, self.at);
        } else if value.is_finite() {
            self.push(TokenKind::Number { value, unit, year }, start, self.at);
        } else {
            self.push(TokenKind::Word, start, self.at);
        }
    }

    /// `18:30`, `9:00`.
    fn clock(&mut self) -> bool {
        let text: String =
            self.chars.get(self.at..).unwrap_or_default().iter().take(6).map(|&(_, c)| c).collect();
        let Some((hour, rest)) = text.split_once(':') else { return false };
        let minute: String = rest.chars().take_while(char::is_ascii_digit).collect();
        let (Ok(h), Ok(m)) = (hour.parse::<u32>(), minute.parse::<u32>()) else { return false };
        if hour.len() > 2 || minute.len() != 2 || h > 24 || m > 59 {
            return false;
        }
        let length = hour.len() + 3;
        self.push(TokenKind::Clock(h, m), self.at, self.at + length);
        self.at += length;
        true
    }

    /// After a separator: exactly three digits.
    fn group_of_three(&self) -> bool {
        (1..=3).all(|i| self.peek(i).is_some_and(|c| c.is_ascii_digit()))
            && !self.peek(4).is_some_and(|c| c.is_ascii_digit())
    }

    /// A scale glued to the number: `1.5k`, `2M`, `3bn`.
    fn scale(&mut self) -> f64 {
        const SCALES: &[(&str, f64)] =
            &[("bn", 1e9), ("mn", 1e6), ("k", 1e3), ("к", 1e3), ("m", 1e6), ("м", 1e6), ("b", 1e9)];
        for &(suffix, scale) in SCALES {
            let length = suffix.chars().count();
            if self.at + length <= self.chars.len()
                && self.slice(self.at, self.at + length).to_lowercase() == suffix
                && !self.peek(length).is_some_and(char::is_alphanumeric)
            {
                self.at += length;
                return scale;
            }
        }
        1.0
    }

    /// `2024-03-15`, `2024-03`, `15.03.2024`; leaves anything else to [`Scanner::number`].
    fn date(&mut self) -> bool {
        let rest: String = self
            .chars
            .get(self.at..)
            .unwrap_or_default()
            .iter()
            .take(11)
            .map(|&(_, c)| c)
            .take_while(|c| c.is_ascii_digit() || matches!(c, '-' | '.' | '/'))
            .collect();
        let rest = rest.trim_end_matches(['.', '-', '/']);
        let length = rest.len();
        let form = |sign: char| {
            let parts: Vec<&str> = rest.split(sign).collect();
            match parts[..] {
                [a, b, c] if [a, b, c].iter().all(|p| p.bytes().all(|b| b.is_ascii_digit())) => {
                    Some([a.len(), b.len(), c.len()])
                }
                _ => None,
            }
        };
        let read = |pattern| NaiveDate::parse_from_str(rest, pattern).ok();
        let date = match (form('-'), form('.'), form('/')) {
            (Some([4, 2, 2]), ..) => read("%Y-%m-%d"),
            (_, Some([1 | 2, 1 | 2, 4]), _) => read("%d.%m.%Y"),
            (_, _, Some([1 | 2, 1 | 2, 4])) if rest.starts_with("31/") => read("%d/%m/%Y"),
            (.., Some([4, 2, 2])) => read("%Y/%m/%d"),
            // `03.2024`, `03/2024`
            _ if length == 7
                && rest.starts_with(['0', '1'])
                && let Some((month, year)) = rest.split_once(['.', '/'])
                && year.len() == 4
                && (year.starts_with("19") || year.starts_with("20"))
                && let (Ok(month @ 1..=12), Ok(year)) =
                    (month.parse::<u32>(), year.parse::<i32>())
                // `10.2045` is a number: only near years are written so
                && (rest.starts_with('0') || rest.contains('/') || (1980..2040).contains(&year)) =>
            {
                self.push(TokenKind::YearMonth(year, month), self.at, self.at + length);
                self.at += length;
                return true;
            }
            _ if length == 7
                && let Some(date) =
                    NaiveDate::parse_from_str(&format!("{rest}-01"), "%Y-%m-%d").ok() =>
            {
                use chrono::Datelike;
                self.push(
                    TokenKind::YearMonth(date.year(), date.month()),
                    self.at,
                    self.at + length,
                );
                self.at += length;
                return true;
            }
            _ => return false,
        };
        let kind = date.map_or(TokenKind::NoDate, TokenKind::Date);
        self.push(kind, self.at, self.at + length);
        self.at += length;
        true
    }
}

fn is_minus(c: char) -> bool {
    matches!(c, '-' | '−')
}

fn is_group_space(c: char) -> bool {
    matches!(c, ' ' | '\u{a0}' | '\u{202f}' | '\u{2009}')
}

fn closing(open: char) -> Option<char> {
    Some(match open {
        '"' => '"',
        '\'' => '\'',
        '`' => '`',
        '«' => '»',
        '“' => '”',
        '„' => '“',
        '‘' => '’',
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let shown: Vec<String> = tokenise(text)
            .iter()
            .map(|t| match &t.kind {
                TokenKind::Word => t.folded.clone(),
                TokenKind::Number { value, unit, year } => format!(
                    "#{value}{}{}",
                    match unit {
                        Some(Unit::Percent) => "%",
                        Some(Unit::Points | Unit::Declared(_)) => "pt",
                        Some(Unit::Money) => "$",
                        None => "",
                    },
                    if *year { "y" } else { "" }
                ),
                TokenKind::Quoted => format!("'{}'", t.raw),
                TokenKind::Date(d) => format!("@{d}"),
                TokenKind::YearMonth(y, m) => format!("@{y}-{m:02}"),
                TokenKind::Clock(h, m) => format!("@{h:02}:{m:02}"),
                TokenKind::NoDate => format!("@no {}", t.raw),
                TokenKind::Symbol => t.raw.clone(),
            })
            .collect();
        assert_eq!(shown, expected, "{text}");
    }

    #[test]
    fn cuts_questions() {
        for (text, expected) in [
            ("Average gap > 50?", &["average", "gap", ">", "#50", "?"][..]),
            ("топ-5 дней", &["топ", "-", "#5", "дней"]),
            ("gap < -20", &["gap", "<", "#-20"]),
            ("упал на 2,5%", &["упал", "на", "#2.5%"]),
            ("over 1,000 or 1 000 000", &["over", "#1000", "or", "#1000000"]),
            ("0,125 and 12,345", &["#0.125", "and", "#12345"]),
            ("1.5k 2M $3bn 7₽", &["#1500", "#2000000", "#3000000000$", "#7$"]),
            ("in 2024, since 2024-03-15", &["in", "#2024y", ",", "since", "@2024-03-15"]),
            ("в 2024-03 и 15.03.2024", &["в", "@2024-03", "и", "@2024-03-15"]),
            ("2024-13-45, 30.02.2024", &["@no 2024-13-45", ",", "@no 30.02.2024"]),
            ("from 9:00 to 21:30", &["from", "@09:00", "to", "@21:30"]),
            ("shop \"Big Store\" «Лента»", &["shop", "'Big Store'", "'Лента'"]),
            ("what's the 3rd объём", &["what's", "the", "3rd", "объем"]),
            ("45–78 >= 5", &["#45", "–", "#78", ">=", "#5"]),
            ("a lone \" quote", &["a", "lone", "\"", "quote"]),
        ] {
            check(text, expected);
        }
    }

    #[test]
    fn spans_are_the_source() {
        let text = "средний гэп — «Лента» 1 000";
        for token in tokenise(text) {
            assert_eq!(&text[token.span.start..token.span.end], token.raw);
        }
    }
}
