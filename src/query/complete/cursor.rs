//! What the text before a place says of what can stand there.

use crate::error::Span;
use crate::query::lexer::{Tok, Token, continues_name, ends_operand, lex, starts_name};

/// What can stand at the place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Want {
    /// A column, a call, a constant.
    Operand,
    /// What joins the operand before with another.
    Operator {
        /// That operand is already part of a comparison.
        compared: bool,
    },
    /// `in`, after `x not`.
    In,
    /// The bracket of a list, after `in`.
    List,
    /// Nothing: a number, a dot, a string of one's own.
    Nothing,
}

/// What a value beside the place is compared with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Beside {
    /// A column.
    Column(String),
    /// A call of this function.
    Call(String),
}

/// An open bracket around the place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Open {
    /// The function whose arguments it holds.
    pub function: Option<String>,
    /// The number of the argument that the place is in.
    pub argument: usize,
    /// Where its token stands.
    token: usize,
}

/// The place: what is written there already and what stands around it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Cursor {
    /// The word, name or string at the place, which a completion replaces.
    pub span: Span,
    /// Its text up to the place, without quotes.
    pub typed: String,
    pub want: Want,
    /// Inside `'...'` or `"..."`.
    pub in_string: bool,
    /// Inside back-quotes.
    pub in_quotes: bool,
    /// What the place is compared with by `==`, `!=` or `in`.
    pub beside: Option<Beside>,
    /// The brackets around it, outermost first.
    pub open: Vec<Open>,
}

impl Cursor {
    /// `offset` is where a character starts, or the end.
    pub fn at(text: &str, offset: usize) -> Self {
        let before = text.get(..offset).unwrap_or_default();
        let after = text.get(offset..).unwrap_or_default();
        let lexed = lex(before);
        let mut tokens = lexed.tokens;
        tokens.pop_if(|last| last.tok == Tok::End);
        let mut span = Span::new(offset, offset);
        let (mut typed, mut in_string, mut in_quotes) = (String::new(), false, false);
        let mut stuck = false;
        let tail = after.chars().next();
        if let Some(start) = lexed.open {
            let mut inner = before.get(start..).unwrap_or_default().chars();
            in_quotes = inner.next() == Some('`');
            in_string = !in_quotes;
            typed = inner.as_str().replace("``", "`");
            span = Span::new(start, token_end(text, start).unwrap_or(offset));
        } else if let Some(word) = tokens.pop_if(|t| is_word(before, t, offset)) {
            let rest: usize =
                after.chars().take_while(|c| continues_name(*c)).map(char::len_utf8).sum();
            typed.push_str(before.get(word.span.start..).unwrap_or_default());
            span = Span::new(word.span.start, offset + rest);
        } else if before.ends_with('!') && tokens.pop_if(|t| t.span.end == offset).is_some() {
            // the beginning of `!=`
            typed.push('!');
            span.start = offset - 1;
        } else if before.chars().next_back().is_some_and(continues_name) {
            // a number: it goes on, or it is no number at all
            let number = tokens.last().is_some_and(|t| t.span.end == offset);
            stuck = !number || tail.is_some_and(|c| continues_name(c) || c == '.');
        }
        let (want, beside, open) = around(&tokens);
        let want = if stuck { Want::Nothing } else { want };
        Self { span, typed, want, in_string, in_quotes, beside, open }
    }

    /// The innermost bracket that holds arguments of a function, if it is the innermost at all.
    pub fn call(&self) -> Option<(&str, usize)> {
        let open = self.open.last()?;
        open.function.as_deref().map(|name| (name, open.argument))
    }
}

/// A name or keyword that ends at the place.
fn is_word(text: &str, token: &Token, offset: usize) -> bool {
    let first = text.get(token.span.start..).and_then(|t| t.chars().next());
    token.span.end == offset && first.is_some_and(starts_name)
}

/// Where the token that starts at `start` ends in the whole text.
fn token_end(text: &str, start: usize) -> Option<usize> {
    lex(text).tokens.iter().find(|t| t.span.start == start && t.tok != Tok::End).map(|t| t.span.end)
}

fn around(tokens: &[Token]) -> (Want, Option<Beside>, Vec<Open>) {
    let open = brackets(tokens);
    let want = match tokens.last().map(|t| &t.tok) {
        Some(tok) if ends_operand(tok) => Want::Operator { compared: compared(tokens, &open) },
        Some(Tok::Dot) => Want::Nothing,
        Some(Tok::In) => Want::List,
        Some(Tok::Not) => {
            let before = tokens.len().checked_sub(2).and_then(|i| tokens.get(i));
            if before.is_some_and(|t| ends_operand(&t.tok)) { Want::In } else { Want::Operand }
        }
        _ => Want::Operand,
    };
    (want, beside(tokens, &open), open)
}

/// The brackets that are open at the end.
fn brackets(tokens: &[Token]) -> Vec<Open> {
    let mut open: Vec<Open> = Vec::new();
    let mut before: Option<&Tok> = None;
    for (token, Token { tok, .. }) in tokens.iter().enumerate() {
        match tok {
            Tok::LParen | Tok::LBracket => {
                let function = match before {
                    Some(Tok::Name(name)) if *tok == Tok::LParen => Some(name.clone()),
                    _ => None,
                };
                open.push(Open { function, argument: 0, token });
            }
            Tok::RParen | Tok::RBracket => drop(open.pop()),
            Tok::Comma => {
                if let Some(last) = open.last_mut() {
                    last.argument += 1;
                }
            }
            _ => {}
        }
        before = Some(tok);
    }
    open
}

/// True when the operand at the end is part of a comparison already.
fn compared(tokens: &[Token], open: &[Open]) -> bool {
    let start = open.last().map_or(0, |o| o.token + 1);
    let mut depth = 0usize;
    for token in tokens.get(start..).unwrap_or_default().iter().rev() {
        match token.tok {
            Tok::RParen | Tok::RBracket => depth += 1,
            Tok::LParen | Tok::LBracket => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            Tok::And | Tok::Or | Tok::Comma => return false,
            Tok::EqEq | Tok::Ne | Tok::Lt | Tok::Le | Tok::Gt | Tok::Ge | Tok::Assign | Tok::In => {
                return true;
            }
            _ => {}
        }
    }
    false
}

/// What the place is compared with.
fn beside(tokens: &[Token], open: &[Open]) -> Option<Beside> {
    let operand_end = match tokens.last().map(|t| &t.tok)? {
        Tok::EqEq | Tok::Ne | Tok::Assign => tokens.len().checked_sub(2)?,
        Tok::LParen | Tok::LBracket | Tok::Comma => {
            let list = open.last().filter(|o| o.function.is_none())?.token;
            let mut at = list.checked_sub(1)?;
            if tokens.get(at)?.tok != Tok::In {
                return None;
            }
            at = at.checked_sub(1)?;
            if tokens.get(at)?.tok == Tok::Not {
                at = at.checked_sub(1)?;
            }
            at
        }
        _ => return None,
    };
    match &tokens.get(operand_end)?.tok {
        Tok::Name(name) | Tok::Quoted(name) => Some(Beside::Column(name.clone())),
        Tok::RParen => {
            let mut depth = 0usize;
            for at in (0..=operand_end).rev() {
                match tokens.get(at)?.tok {
                    Tok::RParen | Tok::RBracket => depth += 1,
                    Tok::LParen | Tok::LBracket => depth = depth.saturating_sub(1),
                    _ => {}
                }
                if depth == 0 {
                    return match &tokens.get(at.checked_sub(1)?)?.tok {
                        Tok::Name(name) => Some(Beside::Call(name.clone())),
                        _ => None,
                    };
                }
            }
            None
        }
        _ => None,
    }
}
