//! Text to tokens with spans. What is plainly meant (`&&`, `<>`, `≥`) is reported and read on, so
//! that one pass tells every problem.

use crate::error::{Code, Diagnostic, Span};
use crate::value::Decimal;

/// A token's form.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Tok {
    Int(i64),
    Float(f64),
    /// A number that neither of the two holds as it is written.
    Decimal(Decimal),
    Text(String),
    /// An identifier as written.
    Name(String),
    /// A back-quoted column name.
    Quoted(String),
    And,
    Or,
    Not,
    In,
    True,
    False,
    Null,
    LParen,
    RParen,
    LBracket,
    RBracket,
    Comma,
    Dot,
    Assign,
    Plus,
    Minus,
    Star,
    StarStar,
    Slash,
    SlashSlash,
    Percent,
    Lt,
    Le,
    Gt,
    Ge,
    EqEq,
    Ne,
    End,
}

/// A token and its place, in bytes.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Token {
    pub tok: Tok,
    pub span: Span,
}

/// What the lexer made of a text.
#[derive(Debug)]
pub(super) struct Lexed {
    /// Ends with [`Tok::End`].
    pub tokens: Vec<Token>,
    /// Problems with a token each; the tokens are what was meant.
    pub problems: Vec<Diagnostic>,
    /// Something could not be read at all: parsing would only add noise.
    pub broken: bool,
    /// Where the quote stands that is never closed.
    pub open: Option<usize>,
}

/// The words that are no column names unless back-quoted.
const KEYWORDS: [(&str, Tok); 7] = [
    ("and", Tok::And),
    ("or", Tok::Or),
    ("not", Tok::Not),
    ("in", Tok::In),
    ("true", Tok::True),
    ("false", Tok::False),
    ("null", Tok::Null),
];

/// Words of other languages that the parser recognises in order to say what to write instead.
pub(super) const FOREIGN: [&str; 8] =
    ["is", "between", "like", "as", "asc", "desc", "else", "then"];

/// True for a name that needs no back-quotes anywhere.
pub(super) fn is_plain_name(name: &str) -> bool {
    let mut chars = name.chars();
    let lower = name.to_lowercase();
    chars.next().is_some_and(starts_name)
        && chars.all(continues_name)
        && !KEYWORDS.iter().any(|(word, _)| *word == lower)
        && !FOREIGN.contains(&lower.as_str())
}

pub(super) fn starts_name(c: char) -> bool {
    c == '_' || c.is_alphabetic()
}

pub(super) fn continues_name(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

/// Operators of other languages and signs of typography, with what to write instead. Longest first.
const INSTEAD: [(&str, &str, Tok); 17] = [
    ("!==", "!=", Tok::Ne),
    ("===", "==", Tok::EqEq),
    ("&&", "and", Tok::And),
    ("||", "or", Tok::Or),
    ("<>", "!=", Tok::Ne),
    ("=>", ">=", Tok::Ge),
    ("=<", "<=", Tok::Le),
    ("&", "and", Tok::And),
    ("|", "or", Tok::Or),
    ("!", "not ", Tok::Not),
    ("~", "not ", Tok::Not),
    ("^", "**", Tok::StarStar),
    ("≥", ">=", Tok::Ge),
    ("≤", "<=", Tok::Le),
    ("≠", "!=", Tok::Ne),
    ("×", "*", Tok::Star),
    ("÷", "/", Tok::Slash),
];

/// Dashes that text editors make of a minus.
const DASHES: [char; 3] = ['−', '–', '—'];

/// The operators of the language. Longest first.
const SIGNS: [(&str, Tok); 20] = [
    ("**", Tok::StarStar),
    ("//", Tok::SlashSlash),
    ("==", Tok::EqEq),
    ("!=", Tok::Ne),
    ("<=", Tok::Le),
    (">=", Tok::Ge),
    ("(", Tok::LParen),
    (")", Tok::RParen),
    ("[", Tok::LBracket),
    ("]", Tok::RBracket),
    (",", Tok::Comma),
    (".", Tok::Dot),
    ("=", Tok::Assign),
    ("+", Tok::Plus),
    ("-", Tok::Minus),
    ("*", Tok::Star),
    ("/", Tok::Slash),
    ("%", Tok::Percent),
    ("<", Tok::Lt),
    (">", Tok::Gt),
];

/// Reads the whole text; never fails, never panics.
pub(super) fn lex(text: &str) -> Lexed {
    let mut lexer =
        Lexer { text, at: 0, tokens: Vec::new(), problems: Vec::new(), broken: false, open: None };
    while lexer.step() {}
    lexer.push(Tok::End, text.len());
    let Lexer { tokens, problems, broken, open, .. } = lexer;
    Lexed { tokens, problems, broken, open }
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    tokens: Vec<Token>,
    problems: Vec<Diagnostic>,
    broken: bool,
    open: Option<usize>,
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Adds a token that starts at `start` and ends here.
    fn push(&mut self, tok: Tok, start: usize) {
        self.tokens.push(Token { tok, span: Span::new(start, self.at) });
    }

    fn problem(&mut self, diagnostic: Diagnostic, start: usize) {
        self.problems.push(diagnostic.span(Span::new(start, self.at)));
    }

    /// Reads one token or one piece of white space; false at the end.
    fn step(&mut self) -> bool {
        let rest = self.rest();
        let Some(c) = rest.chars().next() else { return false };
        if c.is_whitespace() || c == '\u{feff}' {
            self.at += c.len_utf8();
        } else if c.is_ascii_digit() || (c == '.' && self.dot_starts_number()) {
            self.number();
        } else if starts_name(c) {
            self.word();
        } else if c == '"' || c == '\'' {
            self.string(c, c);
        } else if let Some(close) = typographic_close(c) {
            self.string(c, close);
        } else if c == '`' {
            self.quoted();
        } else {
            self.sign(c);
        }
        true
    }

    fn word(&mut self) {
        let start = self.at;
        let rest = self.rest();
        let word = &rest[..rest.find(|c| !continues_name(c)).unwrap_or(rest.len())];
        self.at += word.len();
        if let Some((_, tok)) = KEYWORDS.iter().find(|(k, _)| *k == word) {
            return self.push(tok.clone(), start);
        }
        // after an operand no name can follow, so `AND` is meant as the keyword
        let lower = word.to_lowercase();
        let operator = KEYWORDS.iter().take(4).find(|(k, _)| *k == lower);
        let after_operand = self.tokens.last().is_some_and(|t| match &t.tok {
            // `x IS NOT NULL` is one mistake
            Tok::Name(name) if lower == "not" => !name.eq_ignore_ascii_case("is"),
            tok => ends_operand(tok),
        });
        let after_not = self.tokens.last().is_some_and(|t| t.tok == Tok::Not) && lower == "in";
        if let Some((_, tok)) = operator.filter(|_| after_operand || after_not) {
            let message = crate::text!(
                "`{word}` is written in lower case: `{lower}`",
                "`{word}` пишется строчными: `{lower}`"
            );
            self.problem(Diagnostic::new(Code::Syntax, message).fix(lower), start);
            self.push(tok.clone(), start);
        } else {
            self.push(Tok::Name(word.to_owned()), start);
        }
    }

    /// `.5` is a number, `a.5` is not.
    fn dot_starts_number(&self) -> bool {
        let digit = self.rest().chars().nth(1).is_some_and(|c| c.is_ascii_digit());
        let after_operand =
            self.tokens.last().is_some_and(|t| t.span.end == self.at && ends_operand(&t.tok));
        digit && !after_operand
    }

    fn number(&mut self) {
        let start = self.at;
        let bytes = self.rest().as_bytes();
        let digits = |mut i: usize| {
            while bytes.get(i).is_some_and(|b| b.is_ascii_digit() || *b == b'_') {
                i += 1;
            }
            i
        };
        let mut length = digits(0);
        let mut whole = true;
        if bytes.get(length) == Some(&b'.') {
            whole = false;
            length = digits(length + 1);
        }
        if matches!(bytes.get(length), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(bytes.get(length + 1), Some(b'+' | b'-')));
            if bytes.get(length + 1 + sign).is_some_and(u8::is_ascii_digit) {
                whole = false;
                length = digits(length + 1 + sign);
            }
        }
        // what is glued to a number belongs to the mistake: `12abc`, `1_000`
        let glued = self.rest()[length..].chars().take_while(|c| continues_name(*c));
        let tail: usize = glued.map(char::len_utf8).sum();
        let written = &self.rest()[..length + tail];
        self.at += length + tail;
        if tail > 0 {
            let message = crate::text!(
                "`{written}` is neither a number nor a name",
                "`{written}` — не число и не имя"
            );
            self.problem(Diagnostic::new(Code::Syntax, message), start);
            self.broken = true;
            return;
        }
        let plain = written.replace('_', "");
        if plain != written {
            let message = crate::text!("a number is written without `_`", "число пишется без `_`");
            self.problem(Diagnostic::new(Code::Syntax, message).fix(plain.as_str()), start);
        }
        if let Some(tok) = number(&plain, whole) {
            self.push(tok, start);
        } else {
            let message =
                crate::text!("number `{written}` is too large", "число `{written}` слишком велико");
            self.problem(Diagnostic::new(Code::Syntax, message), start);
            self.push(Tok::Int(0), start);
        }
    }

    /// A string in quotes. Escapes: `\\ \" \' \n \r \t`; another backslash stands for itself.
    fn string(&mut self, open: char, close: char) {
        let start = self.at;
        let mut value = String::new();
        let mut chars = self.rest().char_indices().skip(1);
        while let Some((i, c)) = chars.next() {
            if c == close {
                self.at += i + c.len_utf8();
                if open != '"' && open != '\'' {
                    let fix = super::format::string(&value);
                    let message = crate::text!(
                        "a string is written in `\"` or `'`",
                        "строка пишется в `\"` или `'`"
                    );
                    self.problem(Diagnostic::new(Code::Syntax, message).fix(fix), start);
                }
                self.push(Tok::Text(value), start);
                return;
            }
            if c != '\\' {
                value.push(c);
                continue;
            }
            match chars.next() {
                Some((_, 'n')) => value.push('\n'),
                Some((_, 'r')) => value.push('\r'),
                Some((_, 't')) => value.push('\t'),
                Some((_, c @ ('\\' | '"' | '\''))) => value.push(c),
                Some((_, c)) => value.extend(['\\', c]),
                None => break,
            }
        }
        self.at = self.text.len();
        self.unterminated(open, close, start);
    }

    /// A back-quoted name; a doubled back-quote stands for one.
    fn quoted(&mut self) {
        let start = self.at;
        let mut name = String::new();
        let mut chars = self.rest().char_indices().skip(1).peekable();
        while let Some((i, c)) = chars.next() {
            if c != '`' {
                name.push(c);
            } else if chars.next_if(|(_, next)| *next == '`').is_some() {
                name.push('`');
            } else {
                self.at += i + 1;
                self.push(Tok::Quoted(name), start);
                return;
            }
        }
        self.at = self.text.len();
        self.unterminated('`', '`', start);
    }

    fn unterminated(&mut self, open: char, close: char, start: usize) {
        let message = crate::text!(
            "the {open} that opens here is never closed",
            "открытая здесь кавычка {open} не закрыта"
        );
        let fix = format!("{}{close}", &self.text[start..]);
        let diagnostic = Diagnostic::new(Code::Syntax, message);
        self.problem(if open == close { diagnostic.fix(fix) } else { diagnostic }, start);
        self.broken = true;
        self.open = Some(start);
    }

    /// What to say of a character that stands for nothing.
    fn stray(&self, c: char, at: usize) -> crate::error::Text {
        let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
        let before = self.text.get(..at).and_then(|t| t.chars().next_back());
        let after = self.rest().chars().next();
        match c {
            ':' if digit(before) && digit(after) => crate::text!(
                "a time of day is text: `\"09:30\"`",
                "время суток — это текст: `\"09:30\"`"
            ),
            ':' if after == Some(':') => crate::text!(
                "there are no casts: kinds of numbers mix by themselves",
                "приведений типов нет: числа смешиваются сами"
            ),
            ';' => crate::text!(
                "`;` has no meaning here: arguments stand between commas",
                "`;` здесь ничего не значит: аргументы разделяет запятая"
            ),
            c => stray(c),
        }
    }

    /// A text that is compared with nothing stands directly before or after.
    fn beside_text(&self) -> bool {
        let before = matches!(self.tokens.as_slice(), [Token { tok: Tok::Text(_), .. }]);
        before || self.rest().trim_start().starts_with(['"', '\''])
    }

    fn sign(&mut self, c: char) {
        let start = self.at;
        let rest = self.rest();
        // `!=` is ours, `!==` and `!` are not; `==` is ours, `===` is not
        let foreign = INSTEAD.iter().find(|(sign, ..)| rest.starts_with(sign));
        let ours = SIGNS.iter().find(|(sign, _)| rest.starts_with(sign));
        match (ours, foreign) {
            (Some((sign, tok)), other) if other.is_none_or(|(o, ..)| o.len() <= sign.len()) => {
                self.at += sign.len();
                self.push(tok.clone(), start);
            }
            (_, Some((sign, instead, tok))) => {
                self.at += sign.len();
                let word = instead.trim();
                let message = crate::text!(
                    "`{sign}` is not an operator here: use `{word}`",
                    "оператора `{sign}` здесь нет: нужен `{word}`"
                );
                let diagnostic = if *sign == "||" && self.beside_text() {
                    let message = crate::text!(
                        "`{sign}` joins texts in SQL; nothing does here, and conditions are joined by `or`",
                        "`{sign}` соединяет тексты в SQL; здесь этого нет, а условия соединяет `or`"
                    );
                    Diagnostic::new(Code::Syntax, message)
                } else {
                    Diagnostic::new(Code::Syntax, message).fix(*instead)
                };
                self.problem(diagnostic, start);
                self.push(tok.clone(), start);
            }
            _ if DASHES.contains(&c) => {
                self.at += c.len_utf8();
                let message = crate::text!(
                    "`{c}` is a dash: use the minus `-`",
                    "`{c}` — тире: нужен минус `-`"
                );
                self.problem(Diagnostic::new(Code::Syntax, message).fix("-"), start);
                self.push(Tok::Minus, start);
            }
            _ if "$€£₽¥".contains(c) && rest.chars().nth(1).is_some_and(|n| n.is_ascii_digit()) =>
            {
                self.at += c.len_utf8();
                let message =
                    crate::text!("a number is written without `{c}`", "число пишется без `{c}`");
                self.problem(Diagnostic::new(Code::Syntax, message).fix(""), start);
            }
            _ if c == ';' && rest.trim_end().len() == 1 => {
                self.at += 1;
                let message = crate::text!(
                    "nothing ends an expression: `;` is left out",
                    "выражение ничем не кончается: `;` не нужна"
                );
                self.problem(Diagnostic::new(Code::Syntax, message).fix(""), start);
            }
            _ => {
                self.at += c.len_utf8();
                // `c ? a : b` is one mistake
                let second = c == ':' && self.text.get(..start).is_some_and(|t| t.contains('?'));
                let said = self.stray(c, start);
                self.at += usize::from(rest.starts_with("::"));
                if !(self.broken && second) {
                    self.problem(Diagnostic::new(Code::Syntax, said), start);
                }
                self.broken = true;
            }
        }
    }
}

/// The number that is written: a double where that is written alike.
fn number(text: &str, whole: bool) -> Option<Tok> {
    let exact = Decimal::parse(text);
    if whole {
        return text.parse().ok().map(Tok::Int).or(exact.map(Tok::Decimal));
    }
    let x = text.parse().ok().filter(|x: &f64| x.is_finite())?;
    let same = |exact: Decimal| Decimal::of_f64(x).is_some_and(|d| d.compare(exact).is_eq());
    Some(exact.filter(|exact| !same(*exact)).map_or(Tok::Float(x), Tok::Decimal))
}

/// True for a token that an operand can end with.
pub(super) fn ends_operand(tok: &Tok) -> bool {
    matches!(
        tok,
        Tok::Name(_)
            | Tok::Quoted(_)
            | Tok::Text(_)
            | Tok::Int(_)
            | Tok::Float(_)
            | Tok::Decimal(_)
            | Tok::True
            | Tok::False
            | Tok::Null
            | Tok::RParen
            | Tok::RBracket
    )
}

/// What to say of a character that stands for nothing.
fn stray(c: char) -> crate::error::Text {
    match c {
        '?' | ':' => crate::text!(
            "`{c}` is not an operator: a choice is written `if(condition, a, b)`",
            "оператора `{c}` нет: выбор пишется `if(условие, a, b)`"
        ),
        '{' | '}' => crate::text!(
            "`{c}` has no meaning here: a list is written `[a, b]`",
            "`{c}` здесь ничего не значит: список пишется `[a, b]`"
        ),
        '$' | '#' | '@' => crate::text!(
            "`{c}` has no meaning here: write such a column name in back-quotes",
            "`{c}` здесь ничего не значит: такое имя столбца пишется в обратных кавычках"
        ),
        c if c.is_control() => crate::text!(
            "a control character has no meaning here",
            "управляющий символ здесь ничего не значит"
        ),
        c => crate::text!("`{c}` has no meaning here", "`{c}` здесь ничего не значит"),
    }
}

/// The closing partner of a typographic opening quote.
fn typographic_close(open: char) -> Option<char> {
    Some(match open {
        '“' | '”' => '”',
        '„' => '“',
        '‘' | '’' => '’',
        '«' => '»',
        _ => return None,
    })
}
