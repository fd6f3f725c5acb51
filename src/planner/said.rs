//! What a question says, place by place, for those that compare questions with one another: its
//! tokens, and what the phrases that begin at each stand for. Nothing here knows a table.

use super::token::{TokenKind, Unit, tokenise};
use super::words::{Cmp, Concept, Part, phrases};
use std::borrow::Cow;

/// What a place of a question holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// A word or a quoted value.
    Word,
    /// A number, a date or a time, in one spelling.
    Number,
    /// A sign.
    Sign,
}

/// What a phrase does to the meaning of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Role {
    /// It turns a condition round.
    Negation,
    /// It says which end, or which way.
    Direction,
    /// It names a time, or a length of time.
    Period,
    /// It says how many values become one.
    Aggregate,
    /// It is a number in words.
    Number,
    /// It multiplies the number before it.
    Scale,
    /// It introduces groups.
    Group,
    /// It means nothing by itself.
    Filler,
    /// Anything else.
    Other,
}

/// A phrase that begins at a place.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Phrase {
    /// How many places it takes.
    pub length: usize,
    /// What it does.
    pub role: Role,
    /// What it says, the same for all phrases that say the same in the large (`high`, `month`).
    pub broad: Cow<'static, str>,
    concept: Concept,
}

impl Phrase {
    /// What it says exactly (`more than` is not `at least`).
    pub fn exact(&self) -> String {
        match self.concept {
            // both introduce groups, and say the same in it
            Concept::By | Concept::Each => "By".to_owned(),
            concept => format!("{concept:?}"),
        }
    }
}

/// One place of a question.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Said {
    /// What it holds.
    pub place: Place,
    /// Lower case, `ё` as `е`; numbers and dates in one spelling.
    pub text: String,
    /// The stem of a word.
    pub stem: String,
    /// The value of a plain number.
    pub value: Option<f64>,
    /// The longest phrases that begin here.
    pub phrases: Vec<Phrase>,
}

/// What `question` says.
pub(crate) fn said(question: &str) -> Vec<Said> {
    let tokens = tokenise(question);
    let mut places = Vec::with_capacity(tokens.len());
    for (at, token) in tokens.iter().enumerate() {
        let mut found = phrases(&tokens, at);
        let longest = found.iter().map(|f| f.length).max().unwrap_or_default();
        found.retain(|f| f.length == longest);
        let mut here: Vec<Phrase> = found.iter().map(|f| phrase(f.length, f.concept)).collect();
        here.sort_by(|a, b| (a.role, &a.broad).cmp(&(b.role, &b.broad)));
        here.dedup();
        let (place, text, value) = match token.kind {
            TokenKind::Word | TokenKind::Quoted => (Place::Word, token.folded.clone(), None),
            TokenKind::Number { value, unit, .. } => {
                let unit = if unit == Some(Unit::Percent) { "%" } else { "" };
                (Place::Number, format!("{value}{unit}"), unit.is_empty().then_some(value))
            }
            TokenKind::Date(date) => (Place::Number, date.to_string(), None),
            TokenKind::YearMonth(year, month) => {
                (Place::Number, format!("{year}-{month:02}"), None)
            }
            TokenKind::Clock(hour, minute) => {
                (Place::Number, format!("{hour:02}:{minute:02}"), None)
            }
            TokenKind::NoDate => (Place::Number, token.folded.clone(), None),
            TokenKind::Symbol => (Place::Sign, token.folded.clone(), None),
        };
        places.push(Said { place, text, stem: token.stem.clone(), value, phrases: here });
    }
    places
}

fn phrase(length: usize, concept: Concept) -> Phrase {
    use Concept as C;
    let end = |high: bool| (Role::Direction, Cow::Borrowed(if high { "high" } else { "low" }));
    let way = |up: bool| (Role::Direction, Cow::Borrowed(if up { "up" } else { "down" }));
    let named = || Cow::Owned(format!("{concept:?}"));
    let (role, broad) = match concept {
        C::Not | C::Missing | C::Cmp(Cmp::Ne) => (Role::Negation, Cow::Borrowed("not")),
        C::Cmp(Cmp::Gt | Cmp::Ge) | C::OrMore => end(true),
        C::Cmp(Cmp::Lt | Cmp::Le) | C::OrLess => end(false),
        C::TimeCmp(Cmp::Gt | Cmp::Ge) => (Role::Direction, Cow::Borrowed("after")),
        C::TimeCmp(Cmp::Lt | Cmp::Le) => (Role::Direction, Cow::Borrowed("before")),
        C::Top(high)
        | C::Most(high)
        | C::MostMany(high)
        | C::Popular(high)
        | C::Best(high)
        | C::Superlative(_, high)
        | C::Comparative(_, high)
        | C::BestFirst(high)
        | C::TimeOrder(high)
        | C::Sorted(high) => end(high),
        C::Move(up) | C::Direction(up) | C::Colour(up) => way(up),
        C::Part(Part::Day) | C::Glue | C::Stop | C::Light | C::Which => {
            (Role::Filler, Cow::Borrowed(""))
        }
        C::Part(part) | C::Every(part) | C::PerPart(part) => {
            (Role::Period, Cow::Owned(format!("{part:?}")))
        }
        C::Weekday(_)
        | C::Month(_)
        | C::Quarter(_)
        | C::Season(_)
        | C::Weekend(_)
        | C::Half(_)
        | C::HalfDay(_)
        | C::Ends(_)
        | C::Recent(_)
        | C::LastFew
        | C::Length(_)
        | C::Minutes
        | C::Hours(_) => (Role::Period, named()),
        C::Agg(_) | C::Count | C::Distinct | C::Percentile => (Role::Aggregate, named()),
        C::Number(value) => (Role::Number, Cow::Owned(value.to_string())),
        C::Scale(by) => (Role::Scale, Cow::Owned(by.to_string())),
        C::By | C::Each => (Role::Group, Cow::Borrowed("by")),
        _ => (Role::Other, named()),
    };
    Phrase { length, role, broad, concept }
}

/// Changes when the phrases change, so that what was made from them is made again.
pub(crate) fn phrases_hash() -> u32 {
    super::words::all_phrases().fold(0x811c_9dc5, |hash, (forms, concept)| {
        let text = format!("{forms}={concept:?};");
        text.bytes().fold(hash, |h: u32, b| (h ^ u32::from(b)).wrapping_mul(0x0100_0193))
    })
}
