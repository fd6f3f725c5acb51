//! A place in an order with the name that holds it and the number that it has there: `Lazio leads with 412,
//! followed by Veneto with 355`. A sentence is cut into rungs of one place, one name and one number each; of
//! the three the order of the groups bears out all, or shows which of them is wrong.

use super::bind::{Binder, names_aggregate};
use super::judge::{Finding, Why, finding, rewrite};
use super::lex::{Token, is_cyrillic};
use super::marks::{is_of_several, next, shared, than_all};
use super::nouns::unread_suffix;
use super::places::is_of_age;
use super::rank::{better, ends, largest, of_shown, ranked, takes_time};
use super::read::{End, Mark, Num, Place, Superlative};
use super::resolve::{Fact, cell};
use super::standing::renamed;
use super::swapped::{bare, digits};
use super::told::{asked, holds_end, row_of, told, view_of};
use super::tops::ranks;
use super::verify::{Fit, fit};
use super::words::{self, Agg, has};
use super::world::{Measure, View};
use crate::query::check::ResultKind;
use crate::validate::{FactRef, Verdict};
use std::ops::Range;

/// In longer results nobody says places one after the other.
const ROWS: usize = 2_000;

/// Fewer digits than these are met by chance, where no word says what is ordered.
const ENOUGH: usize = 3;

/// So many groups at most share a place that another is said to hold.
const SHARED: usize = 3;

/// One place of an order.
struct Rung<'r> {
    /// The group, or the groups that share it.
    names: Vec<usize>,
    mark: Option<Mark<Superlative>>,
    /// It is the place behind the one before.
    next: bool,
    numbers: Vec<&'r Num>,
    /// The tokens between its neighbours.
    range: Range<usize>,
}

enum Item {
    Name(usize),
    Mark(Mark<Superlative>),
    Next,
    Number(usize),
}

/// What a rung is found to say.
enum Said {
    /// All of it is right: the facts of its numbers, and that of its place.
    Right(Vec<(Place, FactRef)>, FactRef),
    /// Another group holds the place, and has the number: the name, and the row.
    Name(usize, Vec<usize>, Fact),
    /// The place is another: its words, and the right ones.
    Place(Place, String, FactRef),
    /// The number is not that of the group, which holds the place.
    Number(Place, Fact),
}

/// Judges the rungs of every sentence that says places.
pub(super) fn rungs(text: &str, binder: &Binder, from: usize, out: &mut Vec<(Place, Finding)>) {
    let reading = binder.reading;
    if binder.world.views.iter().all(|view| !is_ladder(view)) {
        return;
    }
    // The oldest has the least year of birth; who comes last is no matter of age.
    let mut marks = reading.superlatives.clone();
    for mark in &mut marks {
        mark.what.odd |= is_of_age(reading, mark.place) || is_of_several(reading, mark.place);
    }
    marks.extend(ranks(reading));
    marks.extend(shared(reading));
    marks.extend(than_all(reading));
    marks.sort_by_key(|m| m.place.first);
    marks.dedup_by(|b, a| b.place.first <= a.place.last);
    let mut sentences: Vec<usize> = marks.iter().map(|m| reading.sentence(m.place)).collect();
    sentences.dedup();
    for sentence in sentences {
        let first = reading.tokens.iter().find(|t| t.sentence == sentence);
        let spans = reading.spans.iter().any(|(a, _)| reading.sentence(a.place) == sentence);
        if first.is_none_or(|t| t.span.start < from || t.is('|')) || spans {
            continue;
        }
        let Some(view) = view_of(binder, sentence).filter(|view| is_ladder(view)) else { continue };
        if let Some(rungs) = cut((binder, view), sentence, &marks) {
            Ladder { binder, view, text, from, sentence }.judge(&rungs, out);
        }
    }
}

/// Groups or rows of one name each, few enough to be told one after the other.
pub(super) fn is_ladder(view: &View) -> bool {
    let one_each = view.kind == ResultKind::Grouped && view.names.len() == 1
        || view.kind == ResultKind::Table && !view.names.is_empty();
    one_each && (2..=ROWS).contains(&view.outcome.rows.len())
}

/// The rungs of a sentence: each goes on until a second name, place or number begins the next.
fn cut<'r>(
    (binder, view): (&Binder<'r>, &View),
    sentence: usize,
    marks: &[Mark<Superlative>],
) -> Option<Vec<Rung<'r>>> {
    let reading = binder.reading;
    let tokens = &reading.tokens;
    let here = |p: Place| reading.sentence(p) == sentence;
    let mut items: Vec<(Place, Item)> = Vec::new();
    for (i, m) in reading.mentions.iter().enumerate().filter(|(_, m)| here(m.place)) {
        items.push((m.place, Item::Name(i)));
    }
    for mark in marks.iter().filter(|m| here(m.place)) {
        items.push((mark.place, Item::Mark(mark.clone())));
    }
    // `of the five`: how many groups there are.
    let rows = view.outcome.rows.len();
    let counts = |num: &Num| tokens[num.place.first].is_word() && num.number.value == rows as f64;
    let numbers = binder.claims.iter().filter(|&&n| here(reading.numbers[n].place));
    for &n in numbers.filter(|&&n| !counts(&reading.numbers[n])) {
        items.push((reading.numbers[n].place, Item::Number(n)));
    }
    let mut i = tokens.iter().position(|t| t.sentence == sentence)?;
    while tokens.get(i).is_some_and(|t| t.sentence == sentence) {
        let len = next(tokens, i);
        if let Some(len) = len {
            items.push((Place { first: i, last: i + len - 1 }, Item::Next));
        }
        i += len.unwrap_or(1);
    }
    items.sort_by_key(|(place, _)| place.first);
    let apart = items.windows(2).all(|pair| pair[0].0.last < pair[1].0.first);
    let first = tokens.iter().position(|t| t.sentence == sentence)?;
    let end = first + tokens[first..].iter().take_while(|t| t.sentence == sentence).count();
    let empty = |from: usize| Rung {
        names: Vec::new(),
        mark: None,
        next: false,
        numbers: Vec::new(),
        range: from..end,
    };
    let mut out = vec![empty(first)];
    let mut before = first;
    for (place, item) in items.iter().filter(|_| apart) {
        let last = out.last_mut()?;
        let begins = match item {
            // `Lindqvist and Moreau share`: several names of one place.
            Item::Name(i) => last.names.last().is_some_and(|&other| {
                let m = &reading.mentions[other];
                m.axes != reading.mentions[*i].axes
                    || last.next
                    || !last.numbers.is_empty()
                    || !(m.place.last + 1..place.first).all(|i| joins(&tokens[i]))
            }),
            Item::Mark(_) => last.mark.is_some() || last.next,
            Item::Next => !last.numbers.is_empty() || last.mark.is_some() || last.next,
            // A second number is one more of the same group, unless a name follows it.
            Item::Number(_) => false,
        };
        // `You spent 209.85, most of it at Lidl (84.6)`: a number before all else is of something else.
        let lone = last.names.is_empty() && last.mark.is_none() && !last.next;
        let apart = |num: &&Num| reading.clause(num.place) != reading.clause(*place);
        if begins || lone && last.numbers.last().is_some_and(apart) {
            // What stands between two rungs is of the first up to the end of its clause.
            let own = tokens[before.saturating_sub(1)].clause;
            let end = (before..place.first).find(|&i| tokens[i].clause != own);
            last.range.end = end.unwrap_or(place.first);
            let next = end.unwrap_or(before);
            out.push(empty(next));
        }
        let last = out.last_mut()?;
        match item {
            Item::Name(i) => last.names.push(*i),
            Item::Mark(mark) => last.mark = Some(mark.clone()),
            Item::Next => last.next = true,
            Item::Number(n) => last.numbers.push(&reading.numbers[*n]),
        }
        before = place.last + 1;
    }
    apart.then_some(out)
}

fn joins(token: &Token) -> bool {
    token.is(',') || super::lex::is_and(token)
}

struct Ladder<'a, 'b> {
    binder: &'b Binder<'a>,
    view: &'b View<'a>,
    text: &'b str,
    from: usize,
    sentence: usize,
}

impl<'v> Ladder<'_, 'v> {
    fn judge(&self, rungs: &[Rung], out: &mut Vec<(Place, Finding)>) {
        let mut before: Option<(Vec<(&Measure, bool)>, Superlative)> = None;
        let mut names: Vec<usize> = Vec::new();
        let mut chain = false;
        let open = self.by_question(rungs);
        for rung in rungs {
            let carried = rung.names.is_empty();
            if !carried {
                names.clone_from(&rung.names);
            }
            let follows = rung.mark.is_none() && (rung.next || chain && !rung.numbers.is_empty());
            chain = follows;
            let what = match (&rung.mark, &before) {
                (Some(mark), _) => mark.what,
                (None, Some((_, what))) if follows && !carried => {
                    Superlative { rank: what.rank + 1, ..*what }
                }
                _ => {
                    before = None;
                    continue;
                }
            };
            let (by, told) = self.by(rung, what, before.as_ref(), open);
            let mut found = self.said(rung, &names, what, (&by, told));
            // What the sentence has named before has its name from there.
            if let (true, Some(Said::Name(_, _, fact)), Some(mark)) =
                (carried && rung.numbers.is_empty(), &found, &rung.mark)
            {
                let own: Vec<usize> = names.iter().filter_map(|&m| self.row(m)).collect();
                found = self.place(mark.place, self.measure(fact), &own);
            }
            // The holder stands in the sentence without a place of its own.
            let named = |row: usize| {
                let mut others = rungs.iter().filter(|r| r.mark.is_none() && !r.next);
                others.any(|r| r.names.iter().any(|&m| self.row(m) == Some(row)))
            };
            let known = out.iter().any(|(place, f)| {
                f.claim.verdict == Verdict::Contradicted
                    && rung.numbers.first().is_some_and(|n| n.place.last == place.last)
            });
            // `36.8 W`: a unit that nobody knows.
            let strange = out.iter().any(|(place, f)| {
                f.claim.verdict == Verdict::Unverifiable
                    && rung.numbers.iter().any(|n| n.tail.max(n.place.last) + 1 == place.first)
            });
            let few = rung.numbers.first().is_some_and(|n| digits(n) < ENOUGH);
            let said = match &found {
                Some(Said::Name(_, rows, _)) => {
                    !(carried
                        || rows.iter().any(|&row| named(row))
                        || known && few && before.is_none())
                }
                Some(Said::Right(_, fact)) => {
                    let shown = of_shown(self.binder.reading, self.sentence, self.view);
                    let held = |(m, most): &(&Measure, bool)| {
                        m.name == fact.column && (shown || holds_end(self.view, m, *most))
                    };
                    !strange && (!carried || !rung.numbers.is_empty()) && by.iter().any(held)
                }
                Some(Said::Number(..) | Said::Place(..)) => true,
                None => false,
            };
            if let Some(found) = found.as_ref().filter(|_| said) {
                self.write(rung, found, out);
            }
            // `За ней идет A`: behind one that is first by what nobody says, it is by any of those.
            if let (None, true, false) = (&found, rung.mark.is_some(), carried)
                && rung.numbers.is_empty()
                && !self.is_odd(rung, what)
            {
                let own: Vec<usize> = names.iter().filter_map(|&m| self.row(m)).collect();
                let holds = |(m, most): &&(&'v Measure, bool)| {
                    let rows = ranked(self.view, m, None, *most, what.rank);
                    rows.is_some_and(|(rows, _)| own.iter().all(|row| rows.contains(row)))
                };
                let all: Vec<_> = by.iter().filter(holds).copied().collect();
                before = (!all.is_empty()).then_some((all, what));
                continue;
            }
            // What is behind goes on from a first place that is right.
            let goes_on = found.is_some() && (rung.next || rung.mark.is_some());
            before = goes_on.then(|| {
                let measured = |(m, _): &&(&Measure, bool)| match &found {
                    Some(Said::Right(_, fact) | Said::Place(_, _, fact)) => fact.column == m.name,
                    Some(Said::Name(_, _, fact) | Said::Number(_, fact)) => {
                        fact.source.column == m.name
                    }
                    None => false,
                };
                (by.iter().filter(measured).copied().collect(), what)
            });
        }
    }

    /// What several places without a word or a number for it are of, where no measure bears them all out:
    /// what the question asks for, or what the result is sorted by.
    fn by_question(&self, rungs: &[Rung]) -> Option<&'v Measure> {
        let tokens = &self.binder.reading.tokens;
        let bare = |r: &Rung| {
            let ordinal = r.mark.as_ref().filter(|m| {
                let said = m.what.end == End::Leads && !m.what.odd && !m.what.negated;
                words::rank(tokens, m.place.first).is_some() || said
            });
            let named = told(self.binder, self.view, r.range.clone(), None);
            let bare = r.numbers.is_empty() && r.names.len() == 1 && named.is_empty();
            ordinal.is_some() && bare && !self.says_by(r)
        };
        if !rungs.iter().all(bare) {
            return None;
        }
        let holds = |m: &Measure, rung: &Rung| {
            let rows = rung.mark.as_ref().map(|mark| mark.what);
            let rows = rows.and_then(|s| ranked(self.view, m, None, s.most, s.rank));
            let own = rung.names.first().and_then(|&name| self.row(name));
            rows.zip(own).is_some_and(|((rows, _), own)| rows.contains(&own))
        };
        let mut all = self.view.measures.iter();
        let borne = all.any(|m| rungs.iter().all(|rung| holds(m, rung)));
        asked(self.binder, self.view, self.from).filter(|_| !borne)
    }

    /// `Первое место по качеству`: the order is of something that nobody knows.
    fn says_by(&self, rung: &Rung) -> bool {
        let reading = self.binder.reading;
        let tokens = &reading.tokens;
        let within = |p: Place, i: usize| (p.first..=p.last).contains(&i);
        let own = |i: usize| {
            rung.names.iter().any(|&m| within(reading.mentions[m].place, i))
                || rung.mark.as_ref().is_some_and(|mark| within(mark.place, i))
        };
        let leads = ["по", "by", "on", "in", "for", "за", "в"];
        rung.range.clone().any(|i| {
            let next = rung
                .range
                .clone()
                .skip_while(|&at| at <= i)
                .find(|&at| !["the", "its", "our"].contains(&tokens[at].lower.as_str()));
            let led = leads.contains(&tokens[i].lower.as_str()) && !own(i);
            led && next.is_some_and(|at| tokens[at].is_word() && !own(at))
        })
    }

    /// The measures, and the ends of their orders, that a rung may be of.
    fn by(
        &self,
        rung: &Rung,
        what: Superlative,
        before: Option<&(Vec<(&'v Measure, bool)>, Superlative)>,
        open: Option<&'v Measure>,
    ) -> (Vec<(&'v Measure, bool)>, bool) {
        let number = rung.numbers.first().copied();
        // What a second number is of is named in its own clause.
        let tokens = &self.binder.reading.tokens;
        let own = number.filter(|_| rung.numbers.len() > 1).and_then(|num| {
            let after = num.place.last..rung.range.end;
            after.into_iter().find(|&i| tokens[i].clause != tokens[num.place.last].clause)
        });
        let range = rung.range.start..own.unwrap_or(rung.range.end);
        let named = told(self.binder, self.view, range, number);
        let follows = rung.mark.is_none();
        let carried = before.filter(|_| follows || named.is_empty());
        let named = if let Some(m) = open { vec![m] } else { named };
        let is_told = !named.is_empty();
        let list: Vec<&Measure> = match (carried, named.is_empty()) {
            (Some((list, _)), _) => list.iter().map(|(m, _)| *m).collect(),
            (None, false) => named,
            (None, true) => self.view.measures.iter().collect(),
        };
        let one = list.iter().all(|m| m.column == list[0].column);
        let is_told = is_told || carried.is_some() && one;
        let shown = of_shown(self.binder.reading, self.sentence, self.view);
        let ends = list.into_iter().flat_map(|m| {
            let spent = what.fall || what.end == End::Leads && self.view.spent(m);
            ends(self.view, m, what).into_iter().map(move |most| {
                let turned = Superlative { most, fall: spent, ..what };
                (m, largest(self.view, m, None, turned))
            })
        });
        // What a limit left out may be more; a number beside the place shows whose it is.
        let numbered = !rung.numbers.is_empty();
        let held = ends.filter(|(m, most)| shown || numbered || holds_end(self.view, m, *most));
        (held.collect(), is_told)
    }

    fn said(
        &self,
        rung: &Rung,
        names: &[usize],
        what: Superlative,
        (by, told): (&[(&'v Measure, bool)], bool),
    ) -> Option<Said> {
        if self.is_odd(rung, what) || names.is_empty() || by.is_empty() {
            return None;
        }
        let own: Vec<usize> = names.iter().map(|&m| self.row(m)).collect::<Option<_>>()?;
        let number = rung.numbers.first().copied();
        let says = |m: &Measure, row: usize| {
            let (Some(num), Some(fact)) = (number, cell(self.view, m, row)) else { return false };
            let up = self.binder.direction(num).map(|(up, _)| up);
            [None, up].into_iter().any(|up| fit(num, &fact, up) == Fit::Yes)
        };
        let one = by.iter().all(|(m, _)| m.column == by[0].0.column);
        let mut wrong_names: Vec<(usize, Vec<usize>, Fact)> = Vec::new();
        let mut wrong_numbers: Vec<Fact> = Vec::new();
        let mut misplaced: Option<Said> = None;
        for &(m, most) in by {
            if self.of_an_end(rung, m) {
                continue;
            }
            let Some((rows, _)) = ranked(self.view, m, None, most, what.rank) else { continue };
            let holds = own.iter().all(|row| rows.contains(row));
            let right = own.iter().all(|&row| says(m, row));
            let fact = cell(self.view, m, *rows.first()?)?;
            if holds && (right || number.is_none() && told && one) {
                let row = *own.first()?;
                let fact = cell(self.view, m, row)?.source;
                let numbers = number.into_iter().map(|num| (num.place, fact.clone())).collect();
                return (told || number.is_some_and(|n| digits(n) >= ENOUGH))
                    .then_some(Said::Right(numbers, fact));
            }
            // Where either end may be meant, only a group at neither end is wrong.
            let either = by.iter().filter(|(other, _)| other.column == m.column).count() > 1;
            let placed = |most: bool| {
                let ends = ranked(self.view, m, None, most, what.rank);
                ends.is_some_and(|(rows, _)| own.iter().any(|row| rows.contains(row)))
            };
            if either && (holds || placed(!most) || rung.mark.is_none()) {
                return None;
            }
            if holds {
                wrong_numbers.extend(cell(self.view, m, *own.first()?));
                continue;
            }
            // The one of several names that does not belong there.
            let missing: Vec<usize> = rows.iter().copied().filter(|r| !own.contains(r)).collect();
            let strange: Vec<usize> = names
                .iter()
                .zip(&own)
                .filter(|(_, row)| !rows.contains(row))
                .map(|x| *x.0)
                .collect();
            let bears = number.is_none() && told && one || says(m, *rows.first()?);
            let fits = names.len() == rows.len() && missing.len() == 1
                || names.len() == 1 && missing.len() <= SHARED;
            if let (&[name], true, true) = (strange.as_slice(), bears, fits) {
                wrong_names.push((name, missing, fact));
            } else if let Some(mark) = rung
                .mark
                .as_ref()
                .filter(|_| right && !self.is_placed(&own, what) || bears && number.is_none())
            {
                misplaced = misplaced.or(self.place(mark.place, m, &own));
            }
        }
        // A number that the group has itself is no other group's.
        let any = |row: usize| self.view.measures.iter().any(|m| says(m, row));
        if let Some((name, row, fact)) = wrong_names.first()
            && wrong_names.iter().all(|(n, r, _)| n == name && r == row)
        {
            let own = self.row(*name)?;
            let enough = told || number.is_some_and(|num| digits(num) >= ENOUGH);
            let said = number.is_some_and(|_| any(own));
            return (enough && !said).then(|| Said::Name(*name, row.clone(), fact.clone()));
        }
        if misplaced.is_some() && told && one {
            return misplaced;
        }
        let num = number.filter(|_| wrong_names.is_empty() && told)?;
        let [fact] = wrong_numbers.as_slice() else { return None };
        let size = (num.number.value / fact.value).abs();
        let has_own = own.iter().any(|&row| any(row));
        let plain = bare(num)
            && !self.turns(rung)
            && fit(num, fact, None) == Fit::No
            && (has_own || (0.01..100.0).contains(&size));
        let several = rung.numbers.len() > 1;
        (plain && !(has_own && several)).then(|| Said::Number(num.place, fact.clone()))
    }

    /// The groups have the place by some measure.
    fn is_placed(&self, own: &[usize], what: Superlative) -> bool {
        self.view.measures.iter().any(|m| {
            ends(self.view, m, what).into_iter().any(|most| {
                let rows = ranked(self.view, m, None, most, what.rank);
                rows.is_some_and(|(rows, _)| own.iter().all(|row| rows.contains(row)))
            })
        })
    }

    /// The place of groups that a rung says to hold another, in the words of an ordinal.
    fn place(&self, place: Place, m: &Measure, own: &[usize]) -> Option<Said> {
        let reading = self.binder.reading;
        let token = reading.tokens.get(place.first).filter(|_| place.first == place.last)?;
        words::rank(&reading.tokens, place.first)?;
        let numbers = self.view.numbers(m.column);
        let value = *numbers.get(*own.first()?)?;
        let alike = own.iter().all(|row| numbers.get(*row) == Some(&value));
        let above = numbers.iter().filter(|x| **x > value).count();
        let actual = words::rank_like(&token.lower, above + 1).filter(|w| *w != token.lower)?;
        let fact = cell(self.view, m, *own.first()?)?.source;
        (alike && better(m) != Some(false) && !takes_time(m) && !self.view.spent(m))
            .then_some(Said::Place(place, actual, fact))
    }

    /// The row of a name that has one alone.
    fn row(&self, mention: usize) -> Option<usize> {
        row_of(self.view, &self.binder.reading.mentions[mention])
    }

    /// `The largest gap on Friday was 156.2` is said of Friday's own.
    fn of_an_end(&self, rung: &Rung, m: &Measure) -> bool {
        let Some(mark) = &rung.mark else { return false };
        let single = matches!(m.agg, Some(Agg::Max | Agg::Min));
        let names = rung.names.iter().map(|&m| self.binder.reading.mentions[m].place.first).min();
        let before = |num: &&Num| {
            mark.place.last < num.place.first && names.is_some_and(|at| num.place.last < at)
        };
        if self.says_whose(rung) {
            return false;
        }
        single && (rung.numbers.is_empty() || !rung.numbers.iter().all(before))
    }

    /// `Самый дорогой товар — в категории Meat, 1240`: the dash says whose it is.
    fn says_whose(&self, rung: &Rung) -> bool {
        let reading = self.binder.reading;
        let Some(mark) = &rung.mark else { return false };
        let names = rung.names.iter().map(|&m| reading.mentions[m].place.first).min();
        let dash = |i: usize| reading.tokens[i].is('—') || reading.tokens[i].is('–');
        let led = names.is_some_and(|at| (mark.place.last + 1..at).any(dash));
        led && !rung.numbers.is_empty()
    }

    /// Words of a change beside the place.
    fn turns(&self, rung: &Rung) -> bool {
        let reading = self.binder.reading;
        let named = |i: usize| {
            let within = |p: Place| (p.first..=p.last).contains(&i);
            rung.mark.as_ref().is_some_and(|m| within(m.place))
                || reading.bases.iter().any(|b| within(b.place))
        };
        rung.range
            .clone()
            .any(|i| !named(i) && words::find(words::DIRECTIONS, &reading.tokens, i).is_some())
    }

    /// Words of the rung say more than a place, a name and a number.
    fn is_odd(&self, rung: &Rung, what: Superlative) -> bool {
        let reading = self.binder.reading;
        let tokens = &reading.tokens;
        let place = rung.mark.as_ref().map(|m| m.place);
        let own = |i: usize| place.is_some_and(|p| (p.first..=p.last).contains(&i));
        let leads = |i: usize| {
            (i.saturating_sub(2)..=i).any(|at| next(tokens, at).is_some_and(|len| at + len > i))
        };
        let relates = rung.range.clone().filter(|&i| !own(i) && !leads(i)).any(|i| {
            has(words::COMPARED, tokens, i)
                || has(words::DIFFERENCE, tokens, i)
                || has(words::RATIOS, tokens, i)
                || has(words::NONE, tokens, i)
                || has(words::EXCEPT, tokens, i) && !tokens[i].lower.starts_with("but")
                || has(words::TOGETHER, tokens, i) && tokens[i].lower != "both"
                || ["bottom", "снизу", "конца", "after", "после"]
                    .contains(&tokens[i].lower.as_str())
        });
        let aggregate = place.is_some_and(|p| {
            let ends = [Agg::Max, Agg::Min];
            let held = self.view.measures.iter().any(|m| m.agg.is_some_and(|a| ends.contains(&a)));
            held && names_aggregate(reading, p, what) && !self.says_whose(rung)
        });
        let number = rung.numbers.iter().any(|num| {
            let next = num.place.last + 1;
            let unit = num.tail < next
                && tokens.get(next).is_some_and(|t| {
                    t.is_word() && t.capital && t.lower.chars().count() < 4 && is_cyrillic(&t.lower)
                });
            num.bound.is_some()
                || unit
                || unread_suffix(reading, num)
                || num.times
                || num.negated
                || num.part.is_some()
                || num.number.points
        });
        what.negated || what.odd || relates || aggregate || number
    }

    fn write(&self, rung: &Rung, said: &Said, out: &mut Vec<(Place, Finding)>) {
        let reading = self.binder.reading;
        let fine = |found: &mut Finding, fact: &FactRef| {
            found.claim.verdict = Verdict::Verified;
            found.claim.actual = None;
            found.claim.formula = None;
            found.claim.operands = Vec::new();
            found.claim.fact = Some(fact.clone());
            found.why = Why::Fine;
        };
        let names = || rung.names.iter().map(|&m| reading.mentions[m].place);
        let open = |found: &Finding| !matches!(found.claim.verdict, Verdict::Verified);
        match said {
            Said::Right(numbers, fact) => {
                // Who is first without a number may be so by what other words say.
                let kept =
                    |f: &Finding| numbers.is_empty() && f.claim.verdict == Verdict::Contradicted;
                for (place, found) in out.iter_mut().filter(|(_, f)| open(f) && !kept(f)) {
                    if let Some((_, fact)) = numbers.iter().find(|(p, _)| p.last == place.last) {
                        fine(found, fact);
                    } else if names().any(|p| p == *place)
                        || rung.mark.as_ref().is_some_and(|mark| mark.place == *place)
                    {
                        fine(found, fact);
                    }
                }
            }
            Said::Place(place, actual, fact) => {
                let why = Why::Order(fact.column.clone());
                let (wrong, actual) = (Verdict::Contradicted, Some(actual.clone()));
                let mut made = finding(self.text, reading, *place, wrong, actual, None, why);
                made.claim.fact = Some(fact.clone());
                out.retain(|(p, _)| p.last < place.first || p.first > place.last);
                out.push((*place, made));
            }
            Said::Name(name, rows, fact) => {
                let made =
                    renamed(self.text, (self.binder, self.view), *name, rows, self.measure(fact));
                let Some((place, made)) = made else { return };
                out.retain(|(p, _)| p.last < place.first || p.first > place.last);
                let numbers = rung.numbers.first();
                for (p, found) in out.iter_mut() {
                    if numbers.is_some_and(|num| num.place.last == p.last) {
                        fine(found, &fact.source);
                    }
                }
                out.push((place, made));
            }
            Said::Number(at, fact) => {
                let Some(num) = rung.numbers.iter().find(|n| n.place == *at) else { return };
                let (place, actual) = rewrite(self.text, self.binder, num, fact, Fit::No);
                let wrong = Verdict::Contradicted;
                let made =
                    finding(self.text, reading, place, wrong, Some(actual), Some(fact), Why::Value);
                out.retain(|(p, _)| p.last != at.last);
                out.push((place, made));
            }
        }
    }

    fn measure(&self, fact: &Fact) -> &'v Measure {
        let mut all = self.view.measures.iter();
        all.find(|m| m.name == fact.source.column).unwrap_or(&self.view.measures[0])
    }
}
