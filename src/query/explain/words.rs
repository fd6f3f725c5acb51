//! The words of one expression: arithmetic, comparisons, conditions.

use super::functions::{self, Wording};
use crate::error::Locale;
use crate::query::ast::{Arith, Compare};
use crate::query::check::{Node, Typed};
use crate::query::format;
use crate::query::functions::{Function, Stand};
use crate::schema::Kind;
use crate::value::Value;

/// How tightly the words of an expression hold together, tightest first. What is looser than its
/// place asks for gets parentheses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Tight {
    /// A name, a number, something in parentheses.
    Atom,
    /// `previous Close`: reads as one word in arithmetic.
    Word,
    /// `mean of Close`
    Phrase,
    /// `a × b`
    Product,
    /// `a + b`
    Sum,
    /// `a is above b`
    Comparison,
    /// `... and ...`, `... or ...`, `if ...`
    Clause,
}

/// Words with how tightly they hold together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Said {
    pub text: String,
    pub tight: Tight,
}

impl Said {
    pub fn new(text: impl Into<String>, tight: Tight) -> Self {
        Self { text: text.into(), tight }
    }

    /// In parentheses where it is looser than `most`.
    pub fn within(self, most: Tight) -> String {
        if self.tight <= most { self.text } else { format!("({})", self.text) }
    }
}

/// A comparison in two parts, so that `x is above 1 and is at most 3` names `x` once.
struct Compared {
    subject: String,
    predicate: String,
}

/// The length of a moment with whole seconds, `2024-01-31 09:30:00`.
const SECONDS: usize = 19;

/// The most constants of a list that are told one by one.
const MOST_LISTED: usize = 12;

/// Puts expressions into words of one language.
pub(super) struct Speaker {
    locale: Locale,
    /// An aggregate is one value for all rows of its series.
    pub shared: bool,
    /// The column that keeps series apart.
    pub series: Option<String>,
    /// Functions that were told by their call, whose meaning the sentence still has to say.
    unexplained: Vec<&'static Function>,
    /// Functions whose meaning was said.
    explained: Vec<&'static str>,
}

impl Speaker {
    pub fn new(locale: Locale) -> Self {
        Self { locale, shared: false, series: None, unexplained: Vec::new(), explained: Vec::new() }
    }

    pub fn pick<'a>(&self, en: &'a str, ru: &'a str) -> &'a str {
        match self.locale {
            Locale::En => en,
            Locale::Ru => ru,
        }
    }

    /// ` (ema: exponential moving average)` for every function of the sentence that has no words of
    /// its own and was not explained before.
    pub fn notes(&mut self) -> String {
        let notes: Vec<String> = std::mem::take(&mut self.unexplained)
            .into_iter()
            .map(|function| {
                self.explained.push(function.name);
                let meaning = function.meaning(self.locale);
                let first = meaning.split_once(';').map_or(meaning, |(first, _)| first);
                format!("{}: {first}", function.name)
            })
            .collect();
        if notes.is_empty() { String::new() } else { format!(" ({})", notes.join("; ")) }
    }

    /// The words of a value.
    pub fn expr(&mut self, x: &Typed) -> Said {
        match &x.node {
            Node::Literal(value) => self.literal(value, None),
            // a Russian name in a Russian sentence would be one of its words, undeclined
            Node::Column(name)
                if self.locale == Locale::Ru
                    && name.chars().any(|c| matches!(c, 'а'..='я' | 'А'..='Я' | 'ё' | 'Ё')) =>
            {
                Said::new(format!("«{name}»"), Tight::Atom)
            }
            Node::Column(name) => Said::new(format::name(name), Tight::Atom),
            Node::Neg(inner) => Said::new(format!("−{}", self.atom(inner)), Tight::Phrase),
            Node::Not(inner) => self.negation(inner),
            Node::Arith(op, a, b) => self.arith(*op, a, b),
            Node::Compare(op, a, b) => {
                let Compared { subject, predicate } = self.comparison(*op, a, b);
                Said::new(format!("{subject} {predicate}"), Tight::Comparison)
            }
            Node::In { value, list, negated } => self.membership(value, list, *negated),
            Node::And(list) => self.junction(list, true),
            Node::Or(list) => self.junction(list, false),
            Node::Call { function, args } => self.call(function, args),
        }
    }

    /// The words of a value, in parentheses unless they are one word.
    pub fn atom(&mut self, x: &Typed) -> String {
        self.expr(x).within(Tight::Atom)
    }

    /// The words of a condition: a plain flag says that it is true.
    pub fn condition(&mut self, x: &Typed) -> Said {
        match &x.node {
            Node::Column(_) => {
                let name = self.atom(x);
                let (en, ru) = (format!("{name} is true"), format!("{name} = истина"));
                Said::new(self.pick(&en, &ru), Tight::Comparison)
            }
            _ => self.expr(x),
        }
    }

    fn literal(&self, value: &Value, unit: Option<&str>) -> Said {
        let text = match value {
            Value::Null => self.pick("nothing", "пусто").to_owned(),
            Value::Bool(true) => self.pick("true", "истина").to_owned(),
            Value::Bool(false) => self.pick("false", "ложь").to_owned(),
            Value::Text(text) => format::string(text),
            Value::Timestamp(_) => {
                let text = value.to_string().replacen('T', " ", 1);
                // no seconds where there are none: `2024-01-31 09:30`
                let minutes = text.strip_suffix(":00").filter(|_| text.len() == SECONDS);
                minutes.map_or(text.clone(), str::to_owned)
            }
            Value::Int(_) | Value::Float(_) | Value::Decimal(_) => {
                let number = match value {
                    Value::Decimal(x) => x.shortest().to_string(),
                    _ => value.to_string(),
                };
                match unit {
                    Some("%") => format!("{number}%"),
                    Some(unit) => format!("{number} {unit}"),
                    None => number,
                }
            }
            Value::Date(_) | Value::List(_) => value.to_string(),
        };
        // a sign of its own would run into the operator before it
        let tight = if text.starts_with('-') { Tight::Phrase } else { Tight::Atom };
        Said::new(text, tight)
    }

    fn arith(&mut self, op: Arith, a: &Typed, b: &Typed) -> Said {
        let (sign, own) = match op {
            Arith::Add => ("+", Tight::Sum),
            Arith::Sub => ("−", Tight::Sum),
            Arith::Mul => ("×", Tight::Product),
            Arith::Div => ("/", Tight::Product),
            Arith::FloorDiv => {
                let ratio = format!("({} / {})", self.operand(a), self.operand(b));
                let text = self.pick("rounded down", "с округлением вниз");
                return Said::new(format!("{ratio} {text}"), Tight::Phrase);
            }
            Arith::Mod => {
                let ratio = format!("{} / {}", self.operand(a), self.operand(b));
                let text = self.pick("remainder of", "остаток от");
                return Said::new(format!("{text} {ratio}"), Tight::Phrase);
            }
            Arith::Pow => {
                let (a, b) = (self.operand(a), self.operand(b));
                let text = self.pick("to the power", "в степени");
                return Said::new(format!("{a} {text} {b}"), Tight::Phrase);
            }
        };
        let left = self.expr(a);
        // `a − b + c` needs none on the left, whatever holds as tightly as the operator itself
        let left = match left.tight {
            Tight::Product | Tight::Sum if left.tight <= own => left.text,
            _ => left.within(Tight::Word),
        };
        let right = self.expr(b);
        let right = match right.tight {
            Tight::Product if own == Tight::Sum => right.text,
            _ => right.within(Tight::Word),
        };
        Said::new(format!("{left} {sign} {right}"), own)
    }

    /// An operand that stands in arithmetic without more.
    fn operand(&mut self, x: &Typed) -> String {
        self.expr(x).within(Tight::Word)
    }

    fn negation(&mut self, inner: &Typed) -> Said {
        match &inner.node {
            Node::Not(x) => self.condition(x),
            Node::Compare(op, a, b) => {
                // three-valued logic: a comparison and its opposite are null together
                let Compared { subject, predicate } = self.comparison(opposite(*op), a, b);
                Said::new(format!("{subject} {predicate}"), Tight::Comparison)
            }
            Node::In { value, list, negated } => self.membership(value, list, !negated),
            Node::Column(_) => {
                let name = self.atom(inner);
                let (en, ru) = (format!("{name} is false"), format!("{name} = ложь"));
                Said::new(self.pick(&en, &ru), Tight::Comparison)
            }
            Node::Call { function, args } => match functions::denied(function) {
                Some(wording) => self.worded(&wording, args),
                None => self.not(inner),
            },
            _ => self.not(inner),
        }
    }

    fn not(&mut self, inner: &Typed) -> Said {
        let inner = self.condition(inner).text;
        let text = self.pick("not", "неверно, что");
        Said::new(format!("{text} ({inner})"), Tight::Comparison)
    }

    // ── comparisons ──

    fn comparison(&mut self, op: Compare, a: &Typed, b: &Typed) -> Compared {
        // what is compared comes first: `50 < gap` tells of the gap
        let literal = |x: &Typed| matches!(x.node, Node::Literal(_));
        let (op, a, b) = if literal(a) && !literal(b) { (mirrored(op), b, a) } else { (op, a, b) };
        let subject = self.expr(a).within(Tight::Sum);
        let other = match &b.node {
            Node::Literal(Value::Text(name)) if a.domain.is_some() => {
                Said::new(name.as_ref(), Tight::Atom)
            }
            Node::Literal(value) => {
                let said = self.literal(value, a.unit.as_deref());
                Said::new(said.text, Tight::Atom)
            }
            _ => self.expr(b),
        };
        let simple = other.tight == Tight::Atom;
        let other = other.within(Tight::Sum);
        let words = match self.locale {
            Locale::En => english(op, a.kind.or(b.kind), literal(b)),
            Locale::Ru => russian(op, a.kind.or(b.kind), simple),
        };
        Compared { subject, predicate: format!("{words} {other}") }
    }

    fn membership(&mut self, value: &Typed, list: &[Value], negated: bool) -> Said {
        let subject = self.expr(value).within(Tight::Sum);
        let named = value.domain.is_some();
        let item = |v: &Value| match v {
            Value::Text(name) if named => name.to_string(),
            v => self.literal(v, value.unit.as_deref()).text,
        };
        if let [only] = list {
            let words = match (self.locale, negated) {
                (Locale::En, negated) => {
                    english(if negated { Compare::Ne } else { Compare::Eq }, value.kind, true)
                }
                (Locale::Ru, true) => "≠",
                (Locale::Ru, false) => "=",
            };
            return Said::new(format!("{subject} {words} {}", item(only)), Tight::Comparison);
        }
        let shown = if list.len() <= MOST_LISTED { list.len() } else { MOST_LISTED - 2 };
        let mut items: Vec<String> = list.iter().take(shown).map(item).collect();
        let rest = list.len().saturating_sub(shown);
        if rest > 0 {
            items.push(match self.locale {
                Locale::En => format!("{rest} more"),
                Locale::Ru => format!("ещё {rest}"),
            });
        }
        let words = match (self.locale, negated) {
            (Locale::En, false) => "is one of",
            (Locale::En, true) => "is none of",
            (Locale::Ru, false) => "входит в",
            (Locale::Ru, true) => "не входит в",
        };
        Said::new(format!("{subject} {words} ({})", items.join(", ")), Tight::Comparison)
    }

    /// `a and b`; comparisons of one thing name it once.
    fn junction(&mut self, list: &[Typed], and: bool) -> Said {
        let mut flat = Vec::new();
        flatten(list, and, &mut flat);
        let mut parts: Vec<String> = Vec::with_capacity(flat.len());
        let mut before: Option<String> = None;
        for part in flat {
            if let Node::Compare(op, a, b) = &part.node {
                let Compared { subject, predicate } = self.comparison(*op, a, b);
                if before.as_ref() == Some(&subject) {
                    parts.push(predicate);
                } else {
                    parts.push(format!("{subject} {predicate}"));
                }
                before = Some(subject);
            } else {
                parts.push(self.condition(part).within(Tight::Comparison));
                before = None;
            }
        }
        let word = if and { self.pick(" and ", " и ") } else { self.pick(" or ", " или ") };
        let tight = if parts.len() > 1 { Tight::Clause } else { Tight::Comparison };
        Said::new(parts.join(word), tight)
    }

    // ── calls ──

    fn call(&mut self, function: &'static Function, args: &[Typed]) -> Said {
        if function.stand == Stand::Aggregate && self.shared {
            self.shared = false;
            let said = self.call(function, args).within(Tight::Phrase);
            self.shared = true;
            let rows = match (&self.series, self.locale) {
                (None, Locale::En) => " over all rows".to_owned(),
                (None, Locale::Ru) => " по всем строкам".to_owned(),
                (Some(series), Locale::En) => {
                    format!(" over all rows of the same {}", format::name(series))
                }
                (Some(series), Locale::Ru) => {
                    format!(" по всем строкам того же {}", format::name(series))
                }
            };
            return Said::new(format!("{said}{rows}"), Tight::Phrase);
        }
        if let Some(wording) = functions::wording(function, args) {
            return match functions::whatever_the_case(function, args) {
                Some(args) => self.worded(&wording, &args),
                None => self.worded(&wording, args),
            };
        }
        if !self.explained.contains(&function.name)
            && self.unexplained.iter().all(|f| f.name != function.name)
        {
            self.unexplained.push(function);
        }
        let list: Vec<String> = args.iter().map(|x| self.expr(x).text).collect();
        Said::new(format!("{}({})", function.name, list.join(", ")), Tight::Atom)
    }

    /// Fills the places of a wording: `{0}` an argument, `{?0}` a condition, `{#0}` a number of
    /// rows, `{*}` all arguments.
    fn worded(&mut self, wording: &Wording, args: &[Typed]) -> Said {
        let template = self.pick(wording.en, wording.ru).to_owned();
        let mut text = String::new();
        let mut rest = template.as_str();
        while let Some((before, after)) = rest.split_once('{') {
            text.push_str(before);
            let (place, after) = after.split_once('}').unwrap_or((after, ""));
            text.push_str(&self.place(place, args));
            rest = after;
        }
        text.push_str(rest);
        Said::new(text, wording.tight)
    }

    fn place(&mut self, place: &str, args: &[Typed]) -> String {
        if place == "*" {
            let list: Vec<String> = args.iter().map(|x| self.expr(x).text).collect();
            return list.join(", ");
        }
        let number = place.trim_start_matches(['?', '#']);
        let Some(x) = number.parse().ok().and_then(|i: usize| args.get(i)) else {
            return String::new();
        };
        if place.starts_with('?') {
            return self.condition(x).text;
        }
        match (&x.node, place.starts_with('#')) {
            (Node::Literal(Value::Int(n)), true) => self.rows(*n),
            // a word of its own reads on: `mean of absolute value of gap`
            _ => self.expr(x).within(match self.locale {
                Locale::En => Tight::Phrase,
                Locale::Ru => Tight::Atom,
            }),
        }
    }

    /// `5 rows`, in Russian in the accusative.
    fn rows(&self, n: i64) -> String {
        let word = match (self.locale, n % 10, n % 100) {
            (Locale::En, ..) if n == 1 => "row",
            (Locale::En, ..) => "rows",
            (Locale::Ru, _, 11..=14) => "строк",
            (Locale::Ru, 1, _) => "строку",
            (Locale::Ru, 2..=4, _) => "строки",
            (Locale::Ru, ..) => "строк",
        };
        format!("{n} {word}")
    }
}

/// The members of nested `and`s, or of nested `or`s.
fn flatten<'a>(list: &'a [Typed], and: bool, out: &mut Vec<&'a Typed>) {
    for x in list {
        match &x.node {
            Node::And(inner) if and => flatten(inner, and, out),
            Node::Or(inner) if !and => flatten(inner, and, out),
            _ => out.push(x),
        }
    }
}

fn english(op: Compare, kind: Option<Kind>, constant: bool) -> &'static str {
    match (kind, op) {
        (Some(Kind::Int | Kind::Float | Kind::Decimal(_)), op) => match op {
            Compare::Lt => "is below",
            Compare::Le => "is at most",
            Compare::Gt => "is above",
            Compare::Ge => "is at least",
            Compare::Eq => "equals",
            Compare::Ne => "is not",
        },
        (Some(Kind::Bool), Compare::Eq) if !constant => "is the same as",
        (Some(Kind::Bool), Compare::Ne) if !constant => "differs from",
        (_, Compare::Eq) => "is",
        (_, Compare::Ne) => "is not",
        (Some(Kind::Date), op) => match op {
            Compare::Lt => "is before",
            Compare::Le => "is on or before",
            Compare::Gt => "is after",
            _ => "is on or after",
        },
        (Some(Kind::Timestamp), op) => match op {
            Compare::Lt => "is before",
            Compare::Le => "is at or before",
            Compare::Gt => "is after",
            _ => "is at or after",
        },
        (_, op) => op.symbol(),
    }
}

/// `simple`: a name or a constant follows, which needs no `чем` before it.
fn russian(op: Compare, kind: Option<Kind>, simple: bool) -> &'static str {
    let time = kind.is_some_and(Kind::is_time);
    match (op, simple) {
        (Compare::Eq, _) => "=",
        (Compare::Ne, _) => "≠",
        (op, _) if !time && !kind.is_some_and(Kind::is_numeric) => op.symbol(),
        (Compare::Lt, true) if time => "раньше",
        (Compare::Le, true) if time => "не позже",
        (Compare::Gt, true) if time => "позже",
        (Compare::Ge, true) if time => "не раньше",
        (Compare::Lt, false) if time => "раньше, чем",
        (Compare::Le, false) if time => "не позже, чем",
        (Compare::Gt, false) if time => "позже, чем",
        (Compare::Ge, false) if time => "не раньше, чем",
        (Compare::Lt, true) => "меньше",
        (Compare::Le, true) => "не больше",
        (Compare::Gt, true) => "больше",
        (Compare::Ge, true) => "не меньше",
        (Compare::Lt, false) => "меньше, чем",
        (Compare::Le, false) => "не больше, чем",
        (Compare::Gt, false) => "больше, чем",
        (Compare::Ge, false) => "не меньше, чем",
    }
}

fn mirrored(op: Compare) -> Compare {
    match op {
        Compare::Lt => Compare::Gt,
        Compare::Le => Compare::Ge,
        Compare::Gt => Compare::Lt,
        Compare::Ge => Compare::Le,
        same => same,
    }
}

fn opposite(op: Compare) -> Compare {
    match op {
        Compare::Lt => Compare::Ge,
        Compare::Le => Compare::Gt,
        Compare::Gt => Compare::Le,
        Compare::Ge => Compare::Lt,
        Compare::Eq => Compare::Ne,
        Compare::Ne => Compare::Eq,
    }
}
