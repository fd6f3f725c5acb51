//! Whether a claim is read beyond doubt. Only then may what differs be called wrong and be replaced
//! in a delivered text; where a word is left over that the check does not know, or that asks for an
//! operation nobody computed, the claim is unverifiable and stays as it was written.

mod compared;

use super::bind::{Binder, is_adverb};
use super::lex::{Kind, Stems, Token};
use super::link::Reach;
use super::number::Sign;
use super::order::Ordered;
use super::places::is_of_age;
use super::read::{Counted, Num, Place, Reading};
use super::resolve::{Fact, Need, Rows, facts, select};
use super::strangers::strangers;
use super::swapped::leads_on;
use super::uncounted::uncounted;
use super::verify::units_agree;
use super::words::{self, has};
use super::world::World;
use std::collections::HashSet;

/// So many unknown words may stand between a place in an order and the group that does not hold it.
const FEW: usize = 3;

/// Words that lead to where, when and of whom something is said.
const LEADING: &[&str] = &[
    "in",
    "at",
    "for",
    "on",
    "of",
    "by",
    "with",
    "among",
    "during",
    "per",
    "from",
    "to",
    "в",
    "во",
    "на",
    "у",
    "с",
    "со",
    "за",
    "из",
    "от",
    "до",
    "для",
    "среди",
    "при",
    "по",
    "к",
];

/// Which tokens of a text are understood.
pub(super) struct Sure {
    /// A name, a number, a word of the schema or of the question, a word that steers the reading.
    known: Vec<bool>,
    /// It asks for more than the value of a fact: a comparison, a change, a share, a negation.
    operates: Vec<bool>,
    /// The clauses with a name that nobody knows.
    strangers: HashSet<usize>,
}

impl Sure {
    /// Goes through the tokens. Words before byte `from` are the question's.
    pub fn new(text: &str, world: &World, reading: &Reading, stems: &Stems, from: usize) -> Self {
        let tokens = &reading.tokens;
        let asked: HashSet<&str> = tokens
            .iter()
            .filter(|t| t.span.start < from && t.is_word())
            .map(|t| t.stem.as_str())
            .collect();
        let tables: HashSet<String> = world
            .views
            .iter()
            .flat_map(|v| super::world::name_words(&v.outcome.query.schema().name))
            .collect();
        let mut known: Vec<bool> = tokens
            .iter()
            .map(|t| match t.kind {
                Kind::Word => {
                    world.bases.contains_key(&t.stem)
                        || world.axis_words.contains_key(&t.stem)
                        || tables.iter().any(|w| *w == t.lower || w.trim_end_matches('s') == t.stem)
                }
                Kind::Punct(c) => ".,;:!()[]-–—−*_|/%$€£₽¥\"'«»“”`=~≈<>≥≤+→#".contains(c),
                Kind::Label => false,
                _ => true,
            })
            .collect();
        let mut mark = |place: Place| {
            for k in known.iter_mut().take(place.last + 1).skip(place.first) {
                *k = true;
            }
        };
        reading.mentions.iter().for_each(|m| mark(m.place));
        reading.aggs.iter().for_each(|m| mark(m.place));
        reading.bases.iter().for_each(|m| mark(m.place));
        reading.superlatives.iter().for_each(|m| mark(m.place));
        reading.results.iter().for_each(|m| mark(m.place));
        let mut operates = vec![false; tokens.len()];
        for i in 0..tokens.len() {
            if let Some(len) = steering(tokens, i) {
                mark(Place { first: i, last: i + len - 1 });
            }
            if let Some(len) = operation(tokens, i) {
                mark(Place { first: i, last: i + len - 1 });
                operates[i..i + len].fill(true);
            }
        }
        for n in &reading.numbers {
            let first = n.bound.map_or(n.place.first, |(_, at)| at);
            mark(Place { first, last: n.tail.max(n.place.last) });
            // The bound of a number is part of it.
            operates[first..n.place.first].fill(false);
        }
        let strangers = strangers(text, world, reading, stems, &known, &asked);
        for (known, token) in known.iter_mut().zip(tokens) {
            *known |= token.is_word() && asked.contains(token.stem.as_str());
        }
        Self { known, operates, strangers }
    }

    /// Whether a token is understood.
    pub fn knows(&self, at: usize) -> bool {
        self.known.get(at).copied().unwrap_or(false)
    }

    /// The clause names something that nobody knows.
    pub fn is_strange(&self, clause: usize) -> bool {
        self.strangers.contains(&clause)
    }

    /// The clause of the number names something that nobody knows, and the fact is of everything.
    pub fn of_a_stranger(&self, reading: &Reading, num: &Num, fact: &Fact) -> bool {
        let whole = fact.source.key.is_empty()
            && fact.formula.as_ref().is_none_or(|formula| !formula.contains('['));
        whole && self.strangers.contains(&reading.clause(num.place))
    }

    /// Whether every word of the clauses from one place to another is understood.
    pub fn between(&self, reading: &Reading, a: Place, b: Place) -> bool {
        let (a, b) = (reading.clause(a), reading.clause(b));
        let (low, high) = (a.min(b), a.max(b));
        (0..reading.tokens.len())
            .filter(|&i| (low..=high).contains(&reading.tokens[i].clause))
            .all(|i| self.known[i])
    }

    /// Whether a claim about an order or a change is read beyond doubt. The ends of a span (`from March
    /// to April`) are known here, while a number may be of all that lies between them.
    pub fn order(&self, reading: &Reading, o: &Ordered) -> bool {
        let (a, b) = (reading.clause(o.scope.0), reading.clause(o.scope.1));
        let ends = |i: usize| {
            let within = |p: Place| (p.first..=p.last).contains(&i);
            reading.spans.iter().any(|(a, b)| within(a.place) || within(b.place))
        };
        let known = |i: usize| self.known[i] || ends(i);
        let mut tokens = (0..reading.tokens.len())
            .filter(|&i| (a.min(b)..=a.max(b)).contains(&reading.tokens[i].clause));
        tokens.all(known)
            || self.but_a_noun(reading, o)
            || self.but_a_verb(reading, o)
            || o.listed && self.but_a_few(reading, o)
            || self.compared(reading, o)
    }

    /// `A, B and C make up the top three`: names in a row and how many are the first, without a word that
    /// says where, when or of whom, or turns the sentence.
    fn but_a_few(&self, reading: &Reading, o: &Ordered) -> bool {
        let (a, b) = (reading.clause(o.scope.0), reading.clause(o.scope.1));
        let sentence = reading.sentence(o.scope.0);
        (a.min(b)..=a.max(b))
            .all(|clause| self.loosely(reading, clause) && !self.strangers.contains(&clause))
            && !leads_on(reading, sentence)
            && ![words::NOT, words::NONE, words::EXCEPT]
                .into_iter()
                .any(|table| reading.sentence_has(sentence, table))
    }

    /// `Most tests were written in Biology`: what is not known between a place in an order and a group
    /// ties them, and does not say where, when or of whom. Either the group holds that place by no
    /// measure, or the words say by what it is ordered.
    fn but_a_verb(&self, reading: &Reading, o: &Ordered) -> bool {
        let tokens = &reading.tokens;
        let (a, b) = (reading.clause(o.scope.0), reading.clause(o.scope.1));
        let sentence = reading.sentence(o.scope.0);
        let clauses = a.min(b)..=a.max(b);
        let here = |i: &usize| clauses.contains(&tokens[*i].clause);
        let own = |i: usize| (o.scope.0.first..=o.scope.0.last).contains(&i);
        let unknown: Vec<usize> =
            (0..tokens.len()).filter(here).filter(|&i| !self.known[i]).collect();
        let bound = |&i: &usize| led(tokens, i);
        let named = o.firm || o.by.as_ref().is_some_and(|by| by.len() == 1);
        // `Крупнейший чек июня`: what is the largest within a group is no order of the groups.
        let within = o.place.first > o.scope.0.last
            && !is_adverb(reading, o.scope.0)
            && !(o.scope.0.last + 1..o.place.first)
                .any(|i| has(words::COPULAS, tokens, i) || tokens[i].is('—') || tokens[i].is(':'));
        let numbers = reading.numbers.iter().any(|n| reading.sentence(n.place) == sentence);
        let several = reading.mentions.iter().filter(|m| reading.sentence(m.place) == sentence);
        if o.placed && !named || within && numbers || is_of_age(reading, o.scope.0) {
            return false;
        }
        unknown.len() <= if o.placed { 1 } else { FEW }
            && !unknown.iter().any(bound)
            && several.count() == 1
            && !(0..tokens.len()).filter(here).any(|i| self.operates[i] && !own(i))
            && !clauses.clone().any(|clause| self.strangers.contains(&clause))
            && !leads_on(reading, sentence)
            && ![words::NOT, words::NONE, words::EXCEPT]
                .into_iter()
                .any(|table| reading.sentence_has(sentence, table))
    }

    /// `The longest ride was Schmidt's`: of the clauses only the noun right behind a superlative is not
    /// known, which says by what it orders.
    fn but_a_noun(&self, reading: &Reading, o: &Ordered) -> bool {
        let (a, b) = (reading.clause(o.scope.0), reading.clause(o.scope.1));
        let noun = o.scope.0.last + 1;
        let word = reading.tokens.get(noun).is_some_and(Token::is_word);
        // A verb stands behind `больше всех`, and an exception may stand in another clause.
        let last = reading.tokens.get(o.scope.0.last).map_or("", |t| t.lower.as_str());
        if ["всех", "всего"].contains(&last)
            || reading.sentence_has(reading.sentence(o.scope.0), words::NOT)
        {
            return false;
        }
        o.by.as_ref().is_some_and(|by| !by.is_empty())
            && word
            && self.only_unknown(reading, a.min(b)..=a.max(b), noun)
    }

    /// Of the words of a clause only a few are not understood, and none of them says where, when or of
    /// whom.
    pub fn loosely(&self, reading: &Reading, clause: usize) -> bool {
        let tokens = &reading.tokens;
        let mut unknown = 0;
        for i in (0..tokens.len()).filter(|&i| tokens[i].clause == clause && !self.known[i]) {
            unknown += 1;
            if unknown > FEW || led(tokens, i) {
                return false;
            }
        }
        !self.strangers.contains(&clause)
    }

    /// Every word of some clauses is understood but for the one at a token.
    pub fn only_unknown(
        &self,
        reading: &Reading,
        clauses: std::ops::RangeInclusive<usize>,
        at: usize,
    ) -> bool {
        (0..reading.tokens.len())
            .filter(|&i| i != at && clauses.contains(&reading.tokens[i].clause))
            .all(|i| self.known[i])
    }

    /// Whether a number that differs from `fact` can only be meant as that fact.
    pub fn number(
        &self,
        binder: &Binder,
        num: &Num,
        (need, used): (&Need, &[usize]),
        fact: &Fact,
    ) -> bool {
        let reading = binder.reading;
        let tokens = &reading.tokens;
        if joint(reading, num, used, fact)
            || open(binder, num, need, fact)
            || other_thing(binder, num, need, fact)
            || other_operation(reading, num, fact)
            || of_the_rows(binder, num, fact)
            || uncounted(binder, num, need, fact)
        {
            return false;
        }
        // `more than twice`, `half of the orders`: words that no number can stand in for.
        let in_words = tokens[num.place.first].is_word();
        if num.about && in_words && (num.times || num.number.percent) {
            return false;
        }
        // `58 % of that`: a share of rows only where nothing else is shared.
        let of = num.tail + 1;
        let of_rows = has(words::OF, tokens, of)
            && (of + 1..of + 4).any(|i| {
                tokens.get(i).is_some_and(|t| t.counts) || words::counted(tokens, i).is_some()
            });
        if fact.formula.as_ref().is_some_and(|f| f.starts_with("rows_")) && fact.percent && !of_rows
        {
            return false;
        }
        // Names that choose several rows name no cell; another number of the sentence may be what
        // a range is of.
        if of_several(binder, num, need, fact) {
            return false;
        }
        let sentence = reading.sentence(num.place);
        let others = reading.numbers.iter().filter(|n| reading.sentence(n.place) == sentence);
        if need.range.is_some() && others.count() > 2 {
            return false;
        }
        // A wrong unit of the right number is wrong; with another number it may be of another fact.
        let near = (num.number.value.abs() - fact.value.abs()).abs() <= num.number.half_unit();
        if !units_agree(num, fact) && !near {
            return false;
        }
        // `2 purchases` is no sum of them.
        let counts = num.counted.is_some_and(|c| c != Counted::Perhaps) || num.part.is_some();
        if counts && !fact.count && !fact.percent {
            return false;
        }
        let names = used.iter().filter_map(|&m| reading.mentions.get(m)).map(|m| m.place);
        let sentence = reading.sentence(num.place);
        if carried(binder, need, fact) && !points_back(reading, sentence) {
            return false;
        }
        let own = names
            .filter(|p| reading.sentence(*p) == sentence)
            .all(|p| self.between(reading, p, num.place));
        let head = reading.column_head(num.place).is_none_or(|mut h| h.all(|i| self.known[i]));
        if !own || !head || !self.between(reading, num.place, num.place) {
            return false;
        }
        // An operation that the fact does not carry out.
        let clause = reading.clause(num.place);
        let moved = binder.direction(num).is_some();
        fact.formula.is_some()
            || (0..tokens.len())
                .filter(|&i| tokens[i].clause == clause && self.operates[i])
                .all(|i| moved && words::find(words::DIRECTIONS, tokens, i).is_some())
    }
}

/// A token is no word, or stands behind a preposition.
fn led(tokens: &[Token], at: usize) -> bool {
    let article = |i: usize| ["the", "a", "an"].contains(&tokens[i].lower.as_str());
    let before = (0..at).rev().find(|&i| !article(i));
    !tokens[at].is_word() || before.is_some_and(|i| LEADING.contains(&tokens[i].lower.as_str()))
}

/// A name that was carried from an earlier sentence, or from the question, has a part in the choice
/// of the fact.
fn carried(binder: &Binder, need: &Need, fact: &Fact) -> bool {
    if need.names.iter().all(|n| n.reach != Reach::Before) {
        return false;
    }
    let mut own = need.clone();
    own.names.retain(|n| n.reach != Reach::Before);
    fact.source.row.is_none() || !facts(binder.world, &own).iter().any(|f| f.source == fact.source)
}

/// A pronoun, or an item of a list, that stands for what was named before.
fn points_back(reading: &Reading, sentence: usize) -> bool {
    let tokens = &reading.tokens;
    let first = tokens.iter().find(|t| t.sentence == sentence);
    first.is_some_and(|t| t.is('-') || t.is('*') || t.is('•') || t.is('|'))
        || reading.sentence_has(sentence, words::BACK)
}

/// A sentence of several groups may mean them together: where the number stands apart from all of
/// them, and where it is a share or a sum.
fn joint(reading: &Reading, num: &Num, used: &[usize], fact: &Fact) -> bool {
    let sentence = reading.sentence(num.place);
    let here = || reading.mentions.iter().filter(|m| reading.sentence(m.place) == sentence);
    let several = here().any(|a| here().any(|b| a.axes == b.axes && a.name != b.name));
    // `the highest total, 921, and …`: a clause of the number alone goes with the one before.
    let clause = reading.clause(num.place);
    let alone = !reading.tokens.iter().any(|t| t.clause == clause && t.is_word());
    let own = used
        .iter()
        .filter_map(|&m| reading.mentions.get(m))
        .map(|m| reading.clause(m.place))
        .any(|of| of == clause || alone && of + 1 == clause);
    let whole = fact.formula.as_ref().is_some_and(|f| !f.contains('['));
    let table = reading.column_head(num.place).is_some();
    several && (whole || !own) && !table
}

/// The names that the number is about choose more rows than the one of the fact.
fn of_several(binder: &Binder, num: &Num, need: &Need, fact: &Fact) -> bool {
    let clause = binder.reading.clause(num.place);
    let mut marks = binder.reading.superlatives.iter();
    let chosen =
        need.superlative.is_some() && marks.any(|s| binder.reading.clause(s.place) == clause);
    if need.names.is_empty() || chosen || fact.formula.is_some() {
        return false;
    }
    let mut views = binder.world.views.iter().filter(|v| v.outcome.id == fact.source.result);
    views.any(|v| match select(v, &need.names) {
        Some((Rows::Some(rows), _)) => fact.source.row.is_some() && rows.len() > 1,
        _ => false,
    })
}

/// No word says which of several measured things is meant.
fn open(binder: &Binder, num: &Num, need: &Need, fact: &Fact) -> bool {
    let share = fact.formula.as_ref().is_some_and(|f| f.contains("/ sum("));
    let counts = num.counted.is_some() || num.part.is_some();
    if need.base.is_some() || fact.formula.is_some() && !share || fact.count && counts {
        return false;
    }
    let views = binder.world.views.iter().filter(|v| v.outcome.id == fact.source.result);
    let mut things: Vec<&str> = views
        .flat_map(|v| &v.measures)
        .filter(|m| m.main && (share || need.agg.is_none_or(|(agg, _)| m.agg == Some(agg))))
        .filter(|m| fact.count || m.agg != Some(words::Agg::Count))
        .map(|m| m.base.as_str())
        .collect();
    things.sort_unstable();
    things.dedup();
    things.len() > 1
}

/// The words at the number name another thing than the one that the fact measures.
fn other_thing(binder: &Binder, num: &Num, need: &Need, fact: &Fact) -> bool {
    let reading = binder.reading;
    let tokens = &reading.tokens;
    let clause = reading.clause(num.place);
    let sentence = reading.sentence(num.place);
    let own = |m: &super::world::Measure| m.name == fact.source.column;
    // `29 goals` is no number of matches.
    let counted = num.place.last + 1..(num.place.last + 3).min(tokens.len());
    let measured = counted.into_iter().filter(|&i| tokens[i].clause == clause).any(|i| {
        binder.world.bases.get(&tokens[i].stem).is_some_and(|bases| {
            let of = |b: &String| !b.is_empty() && binder.world.held.contains(b);
            let fits = |b: &String| {
                binder.world.views.iter().flat_map(|v| &v.measures).any(|m| own(m) && m.base == *b)
            };
            bases.iter().any(of) && !bases.iter().any(fits)
        })
    });
    if fact.count && measured {
        return true;
    }
    // `42 of the students of this school` are not all rows.
    let named = reading.mentions.iter().any(|m| reading.sentence(m.place) == sentence);
    if named && fact.source.column.starts_with("rows_") {
        return true;
    }
    // The head of the column is a name and says no measure.
    let head = reading.column_head(num.place);
    let named = |at: usize| head.as_ref().is_some_and(|head| head.contains(&at));
    let of_name = reading.mentions.iter().any(|m| named(m.place.first))
        && !reading.bases.iter().any(|b| named(b.place.first));
    if of_name || !binder.beside_base(num, need).is_empty() {
        return true;
    }
    // `The oldest is Tanaka at 33`: the adjective says what is measured.
    let base = binder
        .world
        .views
        .iter()
        .filter(|v| v.outcome.id == fact.source.result)
        .flat_map(|v| &v.measures)
        .find(|m| own(m))
        .map(|m| m.base.as_str());
    let hint = reading.hints.iter().rfind(|(at, bases)| {
        *at < num.place.first && tokens[*at].sentence == sentence && !bases.is_empty()
    });
    let named = need.base.as_ref().is_some_and(|(_, reach)| *reach == Reach::Clause);
    if let (Some((_, bases)), Some(base)) = (hint, base)
        && !named
        && !bases.iter().any(|b| b == base)
    {
        return true;
    }
    // A sign that the fact has not, or quite another size that is no slip of scale.
    let (said, value) = (num.number.value, fact.value);
    let near = (said.abs() - value.abs()).abs() <= num.number.half_unit();
    if num.number.sign == Sign::Minus && value > 0.0 && !near {
        return true;
    }
    let ratio = (said / value).abs();
    let scale = [1e-6, 1e-3, 1e-2, 1e2, 1e3, 1e6].iter().any(|s| (ratio / s - 1.0).abs() < 0.02);
    // Unless the question or the sentence says what is measured.
    let named = need.base.as_ref().is_some_and(|(_, reach)| *reach != Reach::Before);
    if !named && !fact.count && fact.formula.is_none() && !(0.1..10.0).contains(&ratio) && !scale {
        return true;
    }
    // What an earlier sentence or the question measures, where this one measures something else.
    need.base.as_ref().is_some_and(|(_, reach)| *reach == Reach::Before)
        && reading.numbers.iter().any(|n| {
            n.place != num.place
                && reading.sentence(n.place) == sentence
                && n.counted.is_some()
                && num.counted.is_none()
        })
}

/// The words ask for another operation than the formula carries out.
fn other_operation(reading: &Reading, num: &Num, fact: &Fact) -> bool {
    let Some(formula) = &fact.formula else { return false };
    let tokens = &reading.tokens;
    let sentence = reading.sentence(num.place);
    let before = |words: &[&str]| words.contains(&reading.word_before(num.place.first));
    if formula.starts_with("sum of") {
        // A change, its ends and a middle are no sum.
        let clause = reading.clause(num.place);
        let moved = (0..tokens.len())
            .any(|i| tokens[i].clause == clause && has(words::DIRECTIONS, tokens, i));
        let other = reading
            .aggs
            .iter()
            .any(|a| reading.clause(a.place) == clause && a.what != words::Agg::Sum);
        return moved || other || before(&["from", "to", "с", "со", "от", "до"]);
    }
    // Brackets after a name hold its value.
    let bracket = num.place.first.checked_sub(1).is_some_and(|i| tokens[i].is('('));
    if bracket && formula.contains("] - ") {
        return true;
    }
    // `Kuper with sales of 310 beat Sever`: a number right behind its measure is no difference.
    let of = num.place.first.saturating_sub(2)..num.place.first;
    let named = reading.bases.iter().any(|b| of.contains(&b.place.last));
    let compares = has(words::COMPARATIVES, tokens, num.tail + 1);
    if named && !compares && formula.contains("] - ") && !before(&["by", "на", "в", "of"]) {
        return true;
    }
    // `Of 2024's revenue, North has …`: a share of a part of the rows.
    let here = || reading.mentions.iter().filter(|m| reading.sentence(m.place) == sentence);
    formula.contains("/ sum(") && here().any(|a| here().any(|b| a.axes != b.axes))
}

/// `Отелей всего 3580`: a clause that names what the rows are and no measure may count them, and a sum is
/// of something else.
fn of_the_rows(binder: &Binder, num: &Num, fact: &Fact) -> bool {
    let reading = binder.reading;
    let clause = reading.clause(num.place);
    // `a rise of 43 % or 890 loans` is none of all loans.
    let all = fact.source.column == "rows_matched";
    if all && reading.sentence_has(reading.sentence(num.place), words::DIRECTIONS) {
        return true;
    }
    let sum = !fact.count && fact.formula.as_ref().is_some_and(|f| f.starts_with("sum of"));
    sum && num.number.unit.is_none()
        && reading.tokens.iter().any(|t| t.clause == clause && t.counts)
        && !reading.bases.iter().any(|b| reading.clause(b.place) == clause)
}

/// How many tokens from `at` are words of the reading that change no value.
fn steering(tokens: &[Token], at: usize) -> Option<usize> {
    fn len<T: Copy>(table: words::Table<T>, tokens: &[Token], at: usize) -> Option<usize> {
        words::find(table, tokens, at).map(|(_, len)| len)
    }
    [
        len(words::AGGS, tokens, at),
        len(words::SUPERLATIVES, tokens, at),
        len(words::COPULAS, tokens, at),
        words::counted(tokens, at),
        len(words::GROUPS, tokens, at),
        len(words::UNITS, tokens, at),
        len(words::PERCENT, tokens, at),
        len(words::ABOUT, tokens, at),
        len(words::TOTAL, tokens, at),
        len(words::OVERALL, tokens, at),
        len(words::SHOWN, tokens, at),
        len(words::POSITIONS, tokens, at),
        words::rank(tokens, at).map(|_| 1),
        len(words::CONDITIONS, tokens, at),
        len(words::PLAIN, tokens, at),
    ]
    .into_iter()
    .flatten()
    .max()
}

/// How many tokens from `at` ask for more than the value of a fact.
fn operation(tokens: &[Token], at: usize) -> Option<usize> {
    fn len<T: Copy>(table: words::Table<T>, tokens: &[Token], at: usize) -> Option<usize> {
        words::find(table, tokens, at).map(|(_, len)| len)
    }
    // `fell`, `falls` and `came` tie a group to a value as well.
    let change = len(words::DIRECTIONS, tokens, at);
    [
        change,
        len(words::COMPARATIVES, tokens, at),
        len(words::COMPARED, tokens, at),
        len(words::DIFFERENCE, tokens, at),
        len(words::SHARE, tokens, at),
        len(words::TOGETHER, tokens, at),
        len(words::RATIOS, tokens, at),
        len(words::EARLIER, tokens, at),
        len(words::NONE, tokens, at),
        len(words::NOT, tokens, at),
        len(words::BOUNDS, tokens, at),
        has(words::EVERY, tokens, at).then_some(1),
    ]
    .into_iter()
    .flatten()
    .max()
}
