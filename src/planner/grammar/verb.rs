//! Verbs that say no more than that there are such rows: those of the table's own noun, and those
//! that tie rows to what is named behind them.

use super::super::lattice::{BY_DICTIONARY, Lattice, Match, Tag};
use super::super::stem::{is_cyrillic, parts, stem};
use super::super::token::TokenKind;
use super::super::words::Concept;
use crate::schema::Kind;

/// Before these a word in `-ing` is no verb.
const BEFORE_THINGS: [&str; 10] =
    ["with", "without", "in", "of", "for", "at", "by", "from", "on", "about"];

/// The stem of a verb is that of a noun, or in Russian goes on from it.
fn is_form(verb: &str, noun: &str) -> bool {
    verb == noun || (noun.chars().all(is_cyrillic) && verb.starts_with(noun))
}

/// Letters that a verb has in common with the noun of what happens.
const ROOT: usize = 4;
/// Letters of a noun that the verb may lack (`показ` of `показывают` has none).
const ENDING: usize = 3;
/// Endings of verbs and of participles, Russian and English.
const VERBAL: [&str; 48] = [
    "вших",
    "вшие",
    "ли",
    "ла",
    "ло",
    "ал",
    "ил",
    "ел",
    "ют",
    "ут",
    "ят",
    "ат",
    "ает",
    "яет",
    "ует",
    "ит",
    "аем",
    "уем",
    "им",
    "лось",
    "лась",
    "лись",
    "лся",
    "ется",
    "ются",
    "ится",
    "ятся",
    "ено",
    "ены",
    "ена",
    "ано",
    "аны",
    "ана",
    "ято",
    "яты",
    "ить",
    "ать",
    "ять",
    "ировать",
    "енных",
    "анных",
    "енные",
    "анные",
    "ed",
    "ing",
    "ировали",
    "ivered",
    "pped",
];

/// What is done to make the rows of a table, by how it begins.
const MAKES: [&str; 27] = [
    "directed",
    "wrote",
    "written",
    "published",
    "publishes",
    "posted",
    "posts",
    "released",
    "releases",
    "hosted",
    "hosts",
    "shot",
    "built",
    "painted",
    "staged",
    "снял",
    "выпустил",
    "разместил",
    "опубликовал",
    "написал",
    "построил",
    "создал",
    "издал",
    "поставил",
    "reviewed",
    "рассмотрел",
    "принял",
];
/// What is done with as many as a column counts, by how it begins.
const GAINS: [&str; 33] = [
    "won",
    "wins",
    "win",
    "scored",
    "scores",
    "earned",
    "earns",
    "sold",
    "sells",
    "bought",
    "buys",
    "ordered",
    "delivered",
    "delivers",
    "served",
    "serves",
    "attracted",
    "attracts",
    "drew",
    "draws",
    "gathered",
    "collected",
    "issued",
    "processed",
    "produced",
    "выиграл",
    "завоевал",
    "заработал",
    "продал",
    "купил",
    "заказал",
    "привлек",
    "обслужил",
];

impl Lattice<'_> {
    /// `directed the most films`, `завоевали больше всего наград`: the verb says who, and what there
    /// is most of is named behind it. A verb that may say which rows are meant (`won`) is passed over
    /// only where a column counts what is named.
    pub(super) fn does_most(&self, at: usize) -> bool {
        let word = self.word(at);
        let said =
            |verb: &&str| if verb.is_ascii() { word == *verb } else { word.starts_with(*verb) };
        let (makes, gains) = (MAKES.iter().any(said), GAINS.iter().any(said));
        let says = |m: &Match| match m.tag {
            Tag::Concept(_) => false,
            // `рассмотрел` is no `срок рассмотрения`
            Tag::Column(_) => gains || m.quality >= BY_DICTIONARY,
            _ => true,
        };
        if !(makes || gains) || self.at(at).iter().any(says) {
            return false;
        }
        self.concepts(at + 1).any(|(concept, end)| {
            let next = self.glue(end);
            matches!(concept, Concept::MostMany(_))
                && (self.number_columns(next).next().is_some()
                    || (makes && !self.entities(next).is_empty()))
        })
    }

    /// A verb of what the table's rows are (`показывают` of showings, `booked` of bookings).
    pub(super) fn is_own_verb(&self, at: usize) -> bool {
        let Some(token) = self.tokens.get(at) else { return false };
        let word = token.folded.as_str();
        if token.kind != TokenKind::Word
            || !VERBAL.iter().any(|ending| word.ends_with(ending))
            || self.at(at).iter().any(|m| !matches!(m.tag, Tag::Concept(_)))
            || self.is_denied(at)
            || self.concepts(at).any(|(c, _)| c == Concept::Future)
        {
            return false;
        }
        // `parks with parking`: a thing, as all is behind a preposition
        let before = at.checked_sub(1).map(|before| self.word(before)).unwrap_or_default();
        if word.ends_with("ing") && BEFORE_THINGS.contains(&before) {
            return false;
        }
        let verb = stem(word);
        let names = std::iter::once(&self.schema.name).chain(&self.schema.synonyms);
        names.flat_map(|name| parts(name)).any(|noun| {
            let noun = stem(&noun);
            let letters = noun.chars().count();
            let common = noun.chars().zip(verb.chars()).take_while(|(a, b)| a == b).count();
            let same = noun.chars().all(is_cyrillic) == word.chars().all(is_cyrillic);
            // four letters in common are few, but where they are the whole of the noun and of the
            // verb (`planned` is not of `plants`)
            let enough = common > ROOT || (letters == ROOT && is_form(&verb, &noun));
            same && enough && common + ENDING > letters && common * 3 >= letters * 2
        })
    }

    /// `под флагом Турции`: a column of names and its value stand behind it.
    pub(super) fn is_under(&self, at: usize) -> bool {
        self.word(at) == "под"
            && self.at(at + 1).iter().any(|m| match m.tag {
                Tag::Column(column) => {
                    self.kind(column) == Some(Kind::Text)
                        && self
                            .at(m.end)
                            .iter()
                            .any(|value| matches!(value.tag, Tag::Value(of, _) if of == column))
                }
                _ => false,
            })
    }

    /// What is said at `at` is said not to be.
    fn is_denied(&self, at: usize) -> bool {
        at.checked_sub(1)
            .is_some_and(|before| ["не", "ни", "not", "never"].contains(&self.word(before)))
    }

    /// A value or a column of yes and no is named right behind a verb that ends at `end`.
    pub(super) fn ties(&self, end: usize) -> bool {
        let named = |at: usize| {
            self.at(at).iter().any(|m| match m.tag {
                Tag::Value(..) => true,
                Tag::Column(column) => self.kind(column) == Some(Kind::Bool),
                _ => false,
            })
        };
        let bound = ["в", "во", "на", "к", "ко", "с", "со", "без", "из", "от", "по", "под"];
        named(end) || (bound.contains(&self.word(end)) && named(end + 1))
    }

    /// `what may be asked` of a question word without an order: a comparative that has nothing to be
    /// compared with (`у кого больше продаж`).
    pub(super) fn more_of_which(&self, at: usize, end: usize) -> bool {
        let asked = (0..at).any(|i| {
            self.concepts(i).any(|(c, _)| c == Concept::Which)
                || ["где", "кто", "who", "where"].contains(&self.word(i))
        });
        let compared = (0..self.tokens.len())
            .any(|i| ["чем", "than", "нежели", "или", "or", "либо"].contains(&self.word(i)));
        asked && !compared && self.number(self.glue(end)).is_none() && !self.has_order()
    }

    /// `what happens`, `что бывает`: the question is about whatever that is.
    pub(super) fn is_unsaid_event(&self, at: usize) -> bool {
        const HAPPENS: [&str; 10] = [
            "happens",
            "happened",
            "happen",
            "occurs",
            "follows",
            "происходит",
            "произошло",
            "бывает",
            "случается",
            "случилось",
        ];
        let before = at.checked_sub(1).map(|before| self.word(before));
        HAPPENS.contains(&self.word(at)) && before.is_some_and(|w| ["what", "что"].contains(&w))
    }
}
