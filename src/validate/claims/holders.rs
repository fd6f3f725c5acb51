//! A place in an order beside the right number of the group that is said to hold it: `The largest region is
//! Veneto, with 355 orders`. What is ordered is what the words at the place name, else what that number is
//! of, and never what another column happens to bear out.

use super::bind::{Binder, names_aggregate};
use super::judge::{Finding, Why, finding, rewrite};
use super::lex::Token;
use super::marks::is_of_several;
use super::misnamed::from_below;
use super::number::CURRENCIES;
use super::places::is_of_age;
use super::rank::{better, ends, largest, of_shown, ranked, takes_time};
use super::read::{End, Mark, Num, Place, Superlative};
use super::resolve::cell;
use super::rungs::is_ladder;
use super::standing::renamed;
use super::sure::Sure;
use super::swapped::{bare, leads_on};
use super::told::{holds_end, row_of, things, told, view_of};
use super::tops::ranks;
use super::verify::{Fit, units_agree};
use super::words::{self, Agg, has};
use super::world::{Measure, View};
use crate::validate::Verdict;

/// Words between a place or a name and the number that is said of it.
const LINKS: &[&str] = &[
    "with",
    "at",
    "on",
    "by",
    "a",
    "an",
    "the",
    "of",
    "its",
    "their",
    "in",
    "for",
    "just",
    "only",
    "about",
    "nearly",
    "some",
    "around",
    "over",
    "с",
    "со",
    "в",
    "во",
    "на",
    "у",
    "по",
    "всего",
    "лишь",
    "только",
    "около",
    "почти",
    "где",
];

/// Starts of words of a last place that may as well be that of the most of what is bad.
const OUTSIDERS: &[&str] = &["аутсайдер", "хвост", "дне", "bottom"];

/// Starts of adjectives of prices and of how often something is.
const DEAR: &[&str] = &["expensive", "costl", "pric", "дорог", "дорож"];
const CHEAP: &[&str] = &["cheap", "дешев"];
const OFTEN: &[&str] = &["common", "frequent", "often", "част", "чаще"];
const RARE: &[&str] = &["rare", "редк", "реже"];

/// Superlatives and those of the other end.
const OPPOSITES: &[(&str, &str)] = &[
    ("highest", "lowest"),
    ("largest", "smallest"),
    ("biggest", "smallest"),
    ("greatest", "smallest"),
    ("longest", "shortest"),
    ("busiest", "quietest"),
    ("most", "least"),
    ("warmest", "coldest"),
    ("cheapest", "priciest"),
    ("больше всего", "меньше всего"),
    ("больше всех", "меньше всех"),
    ("чаще всего", "реже всего"),
    ("дороже всего", "дешевле всего"),
    ("дольше всего", "быстрее всего"),
    ("выше всего", "ниже всего"),
];

/// A place, the one group that is said to hold it, and its number.
struct Held<'r, 'v> {
    mark: &'r Mark<Superlative>,
    mention: usize,
    row: usize,
    num: &'r Num,
    m: &'v Measure,
}

/// Judges the places of sentences of one group and one number of it.
pub(super) fn holders(
    text: &str,
    binder: &Binder,
    sure: &Sure,
    from: usize,
    out: &mut Vec<(Place, Finding)>,
) {
    let reading = binder.reading;
    if binder.world.views.iter().all(|view| !is_ladder(view)) {
        return;
    }
    let mut marks = reading.superlatives.clone();
    marks.extend(ranks(reading));
    marks.sort_by_key(|m| m.place.first);
    marks.dedup_by(|b, a| b.place.first <= a.place.last);
    for (i, mark) in marks.iter().enumerate() {
        let sentence = reading.sentence(mark.place);
        let beside = |m: Option<&Mark<Superlative>>| {
            m.is_some_and(|m| reading.sentence(m.place) == sentence)
        };
        let first = &reading.tokens[mark.place.first];
        let alone =
            !beside(marks.get(i + 1)) && !beside(i.checked_sub(1).and_then(|i| marks.get(i)));
        let spans = reading.spans.iter().any(|(a, _)| reading.sentence(a.place) == sentence);
        if !alone || spans || first.span.start < from {
            continue;
        }
        let Some(view) = view_of(binder, sentence).filter(|view| is_ladder(view)) else { continue };
        let judge = Holders { text, binder, sure, view, sentence };
        if let Some(held) = judge.held(mark, out) {
            judge.judge(&held, out);
        }
    }
}

struct Holders<'a, 'b> {
    text: &'b str,
    binder: &'b Binder<'a>,
    sure: &'b Sure,
    view: &'b View<'a>,
    sentence: usize,
}

impl<'b> Holders<'_, 'b> {
    /// The group and the number of a place, where its sentence has no other.
    fn held<'r>(
        &self,
        mark: &'r Mark<Superlative>,
        out: &[(Place, Finding)],
    ) -> Option<Held<'r, 'b>>
    where
        'b: 'r,
    {
        let reading = self.binder.reading;
        let tokens = &reading.tokens;
        let what = mark.what;
        let here = |p: Place| reading.sentence(p) == self.sentence;
        let own = |i: usize| (mark.place.first..=mark.place.last).contains(&i);
        if what.negated
            || what.odd
            || what.fall
            || is_of_age(reading, mark.place) && mark.what.end != End::Leads
            || is_of_several(reading, mark.place)
            || from_below(reading, mark)
            || leads_on(reading, self.sentence) && !is_last(tokens, mark)
        {
            return None;
        }
        // `the most of all`
        let whole = |i: usize| ["of", "all", "из", "всех"].contains(&tokens[i].lower.as_str());
        let relates = (0..tokens.len())
            .filter(|&i| tokens[i].sentence == self.sentence && !own(i))
            .any(|i| {
                let tables = [words::NONE, words::NOT, words::EXCEPT, words::DIFFERENCE];
                tables.into_iter().any(|table| has(table, tokens, i))
                    || has(words::EVERY, tokens, i) && !whole(i)
                    || has(words::COMPARED, tokens, i)
                    || has(words::RATIOS, tokens, i)
                    || has(words::TOGETHER, tokens, i) && !whole(i)
            });
        let mut mentions = (0..reading.mentions.len()).filter(|&m| here(reading.mentions[m].place));
        let mention = mentions.next().filter(|_| mentions.next().is_none() && !relates)?;
        let row = row_of(self.view, &reading.mentions[mention])?;
        // One number of a cell; what else there is counts rows or groups.
        let mut cells: Option<(&Num, &'b Measure)> = None;
        for &n in self.binder.claims {
            let num = &reading.numbers[n];
            let Some((_, found)) = out.iter().find(|(p, _)| here(*p) && p.last == num.place.last)
            else {
                continue;
            };
            let fact = found.claim.fact.as_ref();
            let right = found.claim.verdict == Verdict::Verified && found.claim.formula.is_none();
            let fact = fact.filter(|f| right && f.result == self.view.outcome.id)?;
            match fact.row {
                None => {}
                Some(of) if of == row && cells.is_none() => {
                    cells = Some((num, self.view.measures.iter().find(|m| m.name == fact.column)?));
                }
                Some(_) => return None,
            }
        }
        let (num, m) = cells?;
        let single = matches!(m.agg, Some(Agg::Max | Agg::Min));
        let extreme = single
            || self
                .view
                .measures
                .iter()
                .any(|m| m.agg == Some(if what.most { Agg::Max } else { Agg::Min }))
                && names_aggregate(reading, mark.place, what);
        let plain = num.bound.is_none()
            && !(num.about || num.times || num.negated || num.number.points)
            && num.part.is_none()
            && num.range.is_none();
        if extreme || !plain || !self.attached(mark, mention, num) {
            return None;
        }
        Some(Held { mark, mention, row, num, m })
    }

    /// Nothing but punctuation, prepositions and what is measured leads to the number.
    fn attached(&self, mark: &Mark<Superlative>, mention: usize, num: &Num) -> bool {
        let reading = self.binder.reading;
        let tokens = &reading.tokens;
        let name = reading.mentions[mention].place;
        let within = |p: Place, i: usize| (p.first..=p.last).contains(&i);
        // What stands last before the number: a name, a place, a mark that ends a clause or a preposition.
        if name.last > num.place.first && mark.place.last > num.place.first {
            return false;
        }
        let clause = tokens[num.place.first].clause;
        let sentence = self.sentence;
        let before = (0..num.place.first).rev().take_while(|&i| tokens[i].sentence == sentence);
        let ends = |i: usize| {
            within(name, i)
                || within(mark.place, i)
                || tokens[i].clause != clause
                || [':', '—', '–', '(', ','].into_iter().any(|c| tokens[i].is(c))
                || ["with", "at", "on"].contains(&tokens[i].lower.as_str())
        };
        let from = before.into_iter().find(|&i| ends(i)).unwrap_or(num.place.first);
        let leads = |i: usize| {
            let token: &Token = &tokens[i];
            !token.is_word()
                || LINKS.contains(&token.lower.as_str())
                || token.counts
                || has(words::COPULAS, tokens, i)
                || words::counted(tokens, i).is_some()
                || self.binder.world.axis_words.contains_key(&token.stem)
                || self.binder.world.bases.contains_key(&token.stem)
                || reading.bases.iter().any(|b| within(b.place, i))
                || reading.aggs.iter().any(|a| within(a.place, i))
                || num.bound.is_some_and(|(_, at)| i >= at)
        };
        (from + 1..num.place.first).all(leads)
    }

    /// The measures that words of the sentence name, but for those of the number itself.
    fn named(&self, num: &Num) -> Vec<&'b Measure> {
        let tokens = &self.binder.reading.tokens;
        let here = |i: &usize| tokens[*i].sentence == self.sentence;
        let begin = (0..tokens.len()).find(here).unwrap_or_default();
        let end = (begin..tokens.len()).take_while(here).last().map_or(begin, |i| i + 1);
        let behind = num.tail.max(num.place.last) + 1;
        let mut all = told(self.binder, self.view, begin..num.place.first, None);
        if all.is_empty() && behind < end {
            let last = tokens[num.place.last].clause;
            let own = (behind..end).take_while(|&i| tokens[i].clause == last).last();
            all = told(self.binder, self.view, behind..own.map_or(behind, |i| i + 1), None);
        }
        all
    }

    /// The words of a place, and the one behind, begin so.
    fn says(&self, mark: &Mark<Superlative>, list: &[&str]) -> bool {
        let tokens = &self.binder.reading.tokens;
        (mark.place.first..=mark.place.last + 1)
            .filter_map(|i| tokens.get(i))
            .any(|t| list.iter().any(|start| t.lower.starts_with(start)))
    }

    fn of_form(&self, m: &Measure, num: &Num) -> bool {
        cell(self.view, m, 0).is_none_or(|fact| {
            units_agree(num, &fact)
                && num.number.percent == (fact.percent || fact.share && num.number.percent)
        })
    }

    /// The number is a per cent, of the one column that is, and its sentence speaks of a share.
    fn is_share(&self, held: &Held) -> bool {
        const SHARES: &[&str] =
            &["share", "rate", "percent", "доля", "доле", "долей", "долю", "доли", "процент"];
        let tokens = &self.binder.reading.tokens;
        let mut list = self.view.measures.iter().filter(|m| self.of_form(m, held.num));
        let one = list.next().is_some() && list.next().is_none();
        let said = |t: &Token| SHARES.iter().any(|start| t.lower.starts_with(start));
        one && held.num.number.percent
            && tokens.iter().filter(|t| t.sentence == self.sentence).any(said)
    }

    /// `the smallest channel`: by how many there are, and not by how long something takes.
    fn of_size(&self, held: &Held) -> bool {
        const SIZES: &[&str] = &["large", "big", "small", "крупн", "больш", "мелк", "маленьк"];
        let sums = |m: &Measure| matches!(m.agg, Some(Agg::Count | Agg::Sum));
        sums(held.m) && self.says(held.mark, SIZES)
    }

    /// The ends of the order that a place may mean by a measure, and whether one of them is meant beyond
    /// doubt.
    fn ends(&self, mark: &Mark<Superlative>, m: &Measure) -> (Vec<bool>, bool) {
        let tokens = &self.binder.reading.tokens;
        let what = mark.what;
        let starts = |list: &[&str]| self.says(mark, list);
        let least = ["least", "наименее"].contains(&tokens[mark.place.first].lower.as_str());
        if m.agg == Some(Agg::Count) && (starts(OFTEN) || starts(RARE)) {
            return (vec![starts(OFTEN) != least], true);
        }
        if is_money(m) && (starts(DEAR) || starts(CHEAP)) {
            return (vec![starts(DEAR) != least], true);
        }
        let spent = what.fall || what.end == End::Leads && self.view.spent(m);
        let turned =
            |most: bool| largest(self.view, m, None, Superlative { most, fall: spent, ..what });
        let list: Vec<bool> = ends(self.view, m, what).into_iter().map(turned).collect();
        let time = takes_time(m);
        let open = list.len() > 1
            || what.end == End::Either
            || what.speed && !time
            || what.end == End::Leads && (time || better(m) == Some(false))
            || starts(OUTSIDERS) && better(m) != Some(true);
        (if open { vec![true, false] } else { list }, !open)
    }

    fn holds(&self, m: &Measure, most: bool, held: &Held) -> bool {
        let rows = ranked(self.view, m, None, most, held.mark.what.rank);
        rows.is_some_and(|(rows, _)| rows.contains(&held.row))
    }

    fn judge(&self, held: &Held, out: &mut Vec<(Place, Finding)>) {
        let reading = self.binder.reading;
        let name = reading.mentions[held.mention].place;
        let known = |p: Place| {
            let overlaps = |q: Place| p.first <= q.last && p.last >= q.first;
            overlaps(name) || overlaps(held.mark.place)
        };
        let wrong = |f: &Finding| f.claim.verdict == Verdict::Contradicted;
        if let Some((p, f)) = out.iter().find(|(p, f)| known(*p) && wrong(f)) {
            // With another name the number is that one's.
            let fact =
                f.claim.fact.as_ref().filter(|f| p.last == name.last && f.column == held.m.name);
            if let Some(row) = fact.and_then(|fact| fact.row).filter(|row| *row != held.row) {
                let made = self.number(held, row);
                out.retain(|(p, _)| made.is_none() || p.last != held.num.place.last);
                out.extend(made);
            }
            return;
        }
        // A number of this form is of none of another form.
        let mut named = self.named(held.num);
        named.retain(|m| self.of_form(m, held.num));
        let hints = reading
            .hints
            .iter()
            .filter(|(at, _)| (held.mark.place.first..=held.mark.place.last + 1).contains(at));
        let hinted: Vec<&String> = hints.flat_map(|(_, what)| what).collect();
        let of = |m: &Measure| named.iter().any(|n| n.column == m.column);
        let other = !hinted.is_empty() && !hinted.contains(&&held.m.base);
        if !named.is_empty() && !of(held.m) || other {
            return;
        }
        let (list, closed) = self.ends(held.mark, held.m);
        if list.iter().any(|&most| self.holds(held.m, most, held)) {
            return;
        }
        // `Riga is third: 120 calls`, where the list is in the order of something else.
        let sorted = self.view.outcome.query.sort().first();
        let sorted = sorted.and_then(|key| self.view.measures.iter().find(|m| m.name == key.text));
        let led = (held.mark.place.last..held.num.place.first)
            .any(|i| ["with", "at", "on", "с", "со"].contains(&reading.tokens[i].lower.as_str()));
        if named.is_empty()
            && !led
            && held.mark.what.end == End::Leads
            && sorted.is_some_and(|m| {
                self.ends(held.mark, m).0.iter().any(|&most| self.holds(m, most, held))
            })
        {
            return;
        }
        // By what else the same words name it may be so.
        let by =
            |m: &Measure| self.ends(held.mark, m).0.iter().any(|&most| self.holds(m, most, held));
        if named.iter().copied().any(&by) {
            return;
        }
        let one = named.len() == 1 || self.is_share(held);
        let noun =
            things(self.binder, self.view, held.num).iter().any(|m| m.column == held.m.column);
        let unit =
            held.num.number.unit.is_some() || held.num.number.percent || held.num.counted.is_some();
        let size = self.of_size(held);
        let sums = |m: &Measure| matches!(m.agg, Some(Agg::Count | Agg::Sum));
        let dear = is_money(held.m) && self.says(held.mark, &[DEAR, CHEAP].concat());
        let alike = |m: &&Measure| (sums(m) || !size) && (is_money(m) || !dear);
        let elsewhere = self.view.measures.iter().filter(alike).any(&by);
        let (a, b) = (reading.clause(held.mark.place), reading.clause(held.num.place));
        let c = reading.clause(name);
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        let firm = closed
            && (one || bare(held.num))
            && (one || !elsewhere && (noun || unit))
            && (low..=high).all(|clause| self.sure.loosely(reading, clause));
        let made = firm.then(|| self.right(held, list[0])).flatten();
        let Some(made) = made else {
            let open = |p: Place| {
                finding(self.text, reading, p, Verdict::Unverifiable, None, None, Why::Ambiguous)
            };
            out.retain(|(p, _)| !known(*p));
            let place = self.place(held.mark);
            out.push((name, open(name)));
            out.push((place, open(place)));
            return;
        };
        for (place, _) in &made {
            out.retain(|(p, _)| p.last < place.first || p.first > place.last);
        }
        out.retain(|(p, f)| !known(*p) || f.claim.verdict == Verdict::Verified);
        let renamed = made.iter().any(|(p, _)| *p == name);
        for (_, f) in out.iter_mut().filter(|(p, _)| !renamed && p.last == name.last) {
            f.claim.fact = cell(self.view, held.m, held.row).map(|f| f.source);
        }
        out.extend(made);
    }

    /// The words of a place with the ordinal before them.
    fn place(&self, mark: &Mark<Superlative>) -> Place {
        let first = mark.place.first;
        let ordinal = |back: usize| {
            first
                .checked_sub(back)
                .filter(|&i| words::rank(&self.binder.reading.tokens, i).is_some())
        };
        let hyphen = first.checked_sub(1).is_some_and(|i| self.binder.reading.tokens[i].is('-'));
        let own = (mark.what.rank > 1).then(|| ordinal(1 + usize::from(hyphen))).flatten();
        Place { first: own.unwrap_or(first), last: mark.place.last }
    }

    /// What makes the sentence true: the word of the other end, the place that the group has, or the group
    /// that has the place, with its number.
    fn right(&self, held: &Held, most: bool) -> Option<Vec<(Place, Finding)>> {
        let reading = self.binder.reading;
        let place = self.place(held.mark);
        let shown = of_shown(reading, self.sentence, self.view);
        let whole = |most: bool| shown || holds_end(self.view, held.m, most);
        let wrong = |place: Place, actual: String, row: usize| {
            let why = Why::Order(held.m.name.clone());
            let contradicted = Verdict::Contradicted;
            let mut made =
                finding(self.text, reading, place, contradicted, Some(actual), None, why);
            made.claim.fact = cell(self.view, held.m, row).map(|f| f.source);
            (place, made)
        };
        if held.mark.what.rank == 1 && self.holds(held.m, !most, held) {
            let words = reading.text(self.text, place).to_lowercase();
            let swapped = OPPOSITES.iter().find_map(|(a, b)| {
                let rest = |x: &str| {
                    let rest = words.strip_prefix(x)?;
                    (rest.is_empty() || rest.starts_with(' ')).then(|| rest.to_owned())
                };
                rest(a)
                    .map(|rest| format!("{b}{rest}"))
                    .or_else(|| rest(b).map(|rest| format!("{a}{rest}")))
            });
            if let Some(swapped) = swapped.filter(|_| whole(!most)) {
                return Some(vec![wrong(place, swapped, held.row)]);
            }
        }
        if !whole(most) {
            return None;
        }
        let numbers = self.view.numbers(held.m.column);
        let value = *numbers.get(held.row)?;
        let ahead = numbers.iter().filter(|x| if most { **x > value } else { **x < value }).count();
        let alike = numbers.iter().filter(|x| **x == value).count();
        let ordinal = &reading.tokens[place.first];
        let of_rank = words::rank(&reading.tokens, place.first).is_some();
        if of_rank && alike == 1 {
            let superlative = place != held.mark.place;
            if superlative && ahead == 0 {
                let word = reading.text(self.text, held.mark.place).to_owned();
                return Some(vec![wrong(place, word, held.row)]);
            }
            let actual = words::rank_like(&ordinal.lower, ahead + 1)?;
            return Some(vec![wrong(Place { last: place.first, ..place }, actual, held.row)]);
        }
        let (rows, _) = ranked(self.view, held.m, None, most, held.mark.what.rank)?;
        let &[row] = rows.as_slice() else { return None };
        let named = renamed(self.text, (self.binder, self.view), held.mention, &[row], held.m)?;
        Some(vec![named, self.number(held, row)?])
    }

    /// The number that another group has.
    fn number(&self, held: &Held, row: usize) -> Option<(Place, Finding)> {
        let reading = self.binder.reading;
        let fact = cell(self.view, held.m, row)?;
        let (at, actual) = rewrite(self.text, self.binder, held.num, &fact, Fit::No);
        let (wrong, why) = (Verdict::Contradicted, Why::Value);
        Some((at, finding(self.text, reading, at, wrong, Some(actual), Some(&fact), why)))
    }
}

/// `The last place` is no matter of age, and leads to no other group.
fn is_last(tokens: &[Token], mark: &Mark<Superlative>) -> bool {
    let token = &tokens[mark.place.first];
    mark.what.end == End::Leads && (token.lower == "last" || token.lower.starts_with("последн"))
}

/// A measure in a currency.
fn is_money(m: &Measure) -> bool {
    CURRENCIES.iter().any(|(_, unit)| m.unit.as_deref() == Some(unit))
}
