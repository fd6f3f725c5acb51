//! Claims without a digit: which group is the highest, and which of two is higher.

use super::bind::{Binder, Links, StatedParam, is_adverb, names_aggregate, of_a_measure};
use super::both::{elided, is_dear_month};
use super::link::{Item, Reach};
use super::names::{Axis, Name, name_of, part_of, same, without_possessive, write_like};
use super::places::is_of_age;
use super::rank::{all_below_zero, better, ends, largest, of_shown, ranked, takes_time};
use super::read::{End, Mark, Mention, Place, Reading, Superlative};
use super::resolve::{About, Need, Rows, cell, measures, select, shown};
use super::spelled::{alias, spelled};
use super::words::{self, Agg, has};
use super::world::{Measure, View, World};
use crate::query::check::ResultKind;
use crate::validate::{FactRef, Verdict};
use crate::value::Value;

/// What was found of a claim about the order.
#[derive(Debug, Clone)]
pub(super) struct Ordered {
    /// The words that are right or wrong.
    pub place: Place,
    /// The mention they are, for superlatives.
    pub mention: Option<usize>,
    /// The finding.
    pub verdict: Verdict,
    /// The right words.
    pub actual: Option<String>,
    /// The right name, where the claim names a wrong group.
    pub right: Option<Name>,
    /// The fact behind it.
    pub fact: Option<FactRef>,
    /// What is said of it in the feedback.
    pub said: String,
    /// The words that make the claim: the first and the last.
    pub scope: (Place, Place),
    /// What is ordered, where the clause says by what.
    pub by: Option<Vec<String>>,
    /// It is one of several names that are said to be the first.
    pub listed: bool,
    /// The group holds the place, or that at the other end, by some measure.
    pub placed: bool,
    /// The words say by what it is ordered, and whatever of that is meant, one group holds the place.
    pub firm: bool,
}

/// Judges every superlative of `marks` that is tied to a group.
pub(super) fn superlatives(
    text: &str,
    from: usize,
    world: &World,
    reading: &Reading,
    (marks, params): (&[Mark<Superlative>], &[StatedParam]),
) -> Vec<Ordered> {
    let items: Vec<Item> =
        marks.iter().map(|m| Item { place: m.place, tail: m.place.last }).collect();
    let links = Links::new(reading, &items);
    let mut out: Vec<Ordered> = Vec::new();
    let binder = Binder { world, reading, params, claims: &[], links: Links::new(reading, &[]) };
    for (i, mark) in marks.iter().enumerate() {
        let agg = if mark.what.most { Agg::Max } else { Agg::Min };
        // `the most passengers` is no aggregate of the longest delay.
        let of = reading
            .bases
            .iter()
            .find(|b| b.place.first > mark.place.last && b.place.first <= mark.place.last + 2);
        let extremes = world
            .views
            .iter()
            .flat_map(|v| &v.measures)
            .any(|m| m.agg == Some(agg) && of.is_none_or(|b| b.what.contains(&m.base)));
        let tied = tied(world, extremes, reading, marks, &links, i);
        // The question's own superlative is said of what answers it in a word.
        let asked = reading.tokens[mark.place.first].span.start < from;
        if tied.is_empty() || asked && !short_answer(reading, from) {
            continue;
        }
        let mut need = need(&binder, &links, i, mark);
        // `The largest expense`: by what was spent, and not by how often.
        if need.agg.is_none_or(|(_, r)| r == Reach::Before) && all_below_zero(world, reading, mark)
        {
            need.agg = Some((Agg::Sum, Reach::Clause));
        }
        // `Kuper's best day was Saturday`: the best of Kuper's.
        let scopes: Vec<usize> = tied
            .iter()
            .map(|(m, _)| *m)
            .filter(|m| {
                tied.len() > 1 && is_scope(text, reading, &reading.mentions[*m], mark.place)
            })
            .collect();
        for &(m, _) in tied.iter().filter(|(m, _)| !scopes.contains(m)) {
            let others: Vec<About> = tied
                .iter()
                .filter(|(o, _)| *o != m)
                .map(|(o, reach)| about(&reading.mentions[*o], *reach))
                .collect();
            let Some(found) =
                judge(text, world, reading, &need, mark, m, (&others, !scopes.is_empty()))
            else {
                continue;
            };
            if !out.iter().any(|o| o.mention == Some(m) && o.place == found.place) {
                out.push(found);
            }
        }
    }
    out
}

/// The text after the question is a name, perhaps with its number.
fn short_answer(reading: &Reading, from: usize) -> bool {
    let answer = reading.tokens.iter().filter(|t| t.span.start >= from);
    answer.filter(|t| !matches!(t.kind, super::lex::Kind::Punct(_))).count() <= 4
}

pub(super) fn about(m: &Mention, reach: Reach) -> About {
    About { axes: m.axes.clone(), name: m.name.clone(), reach }
}

/// A name that the superlative stays within: a possessive, or after `for`.
fn is_scope(text: &str, reading: &Reading, m: &Mention, mark: Place) -> bool {
    let words = reading.text(text, m.place);
    // `France is the largest market in 2024`: but `had its largest sales in 2024` is said of 2024.
    let time = matches!(m.axes.as_slice(), [Axis::Year | Axis::Month | Axis::Quarter]);
    let verb = ["is", "was", "are", "were", "remains", "remained", "still", "стал", "остается"];
    if time
        && ["in", "during", "в", "за"].contains(&reading.word_before(m.place.first))
        && (mark.first.saturating_sub(3)..mark.first)
            .any(|i| verb.contains(&reading.tokens[i].lower.as_str()))
        && reading.mentions.iter().any(|o| {
            o.axes != m.axes
                && o.place.last < mark.first
                && reading.clause(o.place) == reading.clause(mark)
        })
    {
        return true;
    }
    without_possessive(words).len() < words.len()
        || ["for", "within", "among", "у", "для", "среди"]
            .contains(&reading.word_before(m.place.first))
}

/// The groups that a superlative is said of.
fn tied(
    world: &World,
    extremes: bool,
    reading: &Reading,
    marks: &[Mark<Superlative>],
    links: &Links,
    number: usize,
) -> Vec<(usize, Reach)> {
    let mark = &marks[number];
    let clause = reading.clause(mark.place);
    let sentence = reading.sentence(mark.place);
    let mut out = Vec::new();
    for (targets, reach) in links.mentions(number) {
        // `The two highest are Monday and Friday` says something else.
        let [m] = targets.as_slice() else { continue };
        let mention = &reading.mentions[*m];
        // What the whole result is of (`Chips are cheapest at Lidl`) holds no place in it.
        let fixed = !world.views.is_empty()
            && world.views.iter().all(|v| {
                mention.axes.iter().all(|a| v.on_axis(a).is_none())
                    && mention.axes.iter().any(|a| v.lies_within(a, &mention.name) == Some(true))
            });
        if fixed {
            continue;
        }
        let at = reading.clause(mention.place);
        let own_superlative = marks
            .iter()
            .enumerate()
            .any(|(j, s)| j != number && reading.clause(s.place) == at && at != clause);
        let keep = match reach {
            Reach::Clause => true,
            Reach::Sentence => !own_superlative,
            Reach::Before => {
                reading.sentence(mention.place) + 1 == sentence
                    && (0..reading.tokens.len()).any(|t| {
                        reading.tokens[t].clause == clause
                            && t < mark.place.first
                            && ["it", "this", "that", "он", "она", "оно", "это"]
                                .contains(&reading.tokens[t].lower.as_str())
                    })
            }
        };
        // `the heaviest returned parcel`: the best within the group.
        let inner = mention.place.first == mark.place.last + 1
            && reading.tokens.get(mention.place.last + 1).is_some_and(|t| {
                t.is_word()
                    && !has(words::COPULAS, &reading.tokens, mention.place.last + 1)
                    && t.sentence == sentence
                    && t.lower.chars().count() > 3
            });
        if inner {
            continue;
        }
        // `The largest gap on Monday was 156.2`: the name of an aggregate, unless a verb ties it.
        let (from, to) = if mention.place.last < mark.place.first {
            (mention.place.last + 1, mark.place.first)
        } else {
            (mark.place.last + 1, mention.place.first)
        };
        let verb = (from..to).any(|t| has(words::COPULAS, &reading.tokens, t))
            || mark.what.adjective
                && (from..to).any(|t| reading.tokens[t].is('—') || reading.tokens[t].is(':'))
            || takes_most(reading, mark.place, mention.place);
        // A verb of its own between the group and the superlative ties them too, where no column is
        // that aggregate.
        let told = mention.place.last < mark.place.first
            && (from..to).any(|t| {
                let token = &reading.tokens[t];
                token.is_word() && token.lower.chars().count() > 3
            })
            // `Максимум у Kuper`: no number is said of it.
            || mention.place.first > mark.place.last
                && !reading.numbers.iter().any(|n| reading.sentence(n.place) == sentence);
        let aggregate = names_aggregate(reading, mark.place, mark.what) && (!told || extremes);
        // `Больше всего выручки в 2024 году у France`: of which of them it is said nobody knows.
        let busy = (mark.place.last + 2..mention.place.first).any(|t| {
            let token = &reading.tokens[t];
            let within = |p: Place| (p.first..=p.last).contains(&t);
            token.is_word()
                && token.lower.chars().count() > 3
                && !reading.bases.iter().any(|b| within(b.place))
                && !reading.mentions.iter().any(|m| within(m.place))
        });
        if is_adverb(reading, mark.place)
            && of_a_measure(reading, mark.place, mark.what)
            && mention.place.first > mark.place.last
            && !(verb || busy && !reading.clause_has(clause, words::DIRECTIONS))
            && reading.mentions.iter().filter(|o| reading.clause(o.place) == clause).count() > 1
        {
            continue;
        }
        if keep && (!aggregate || verb && reach == Reach::Clause) {
            out.push((*m, reach));
        }
    }
    out
}

/// `uses the most energy at 14:00`: a verb before the words, and the group behind a preposition.
fn takes_most(reading: &Reading, mark: Place, mention: Place) -> bool {
    let word = |at: usize| reading.tokens.get(at).map_or("", |t| t.lower.as_str());
    let most = ["most", "least", "fewest"].contains(&word(mark.first));
    let led = ["at", "in", "on"].contains(&reading.word_before(mention.first));
    let Some(verb) = mark.first.checked_sub(2).filter(|_| most && led && mention.first > mark.last)
    else {
        return false;
    };
    let token = &reading.tokens[verb];
    word(verb + 1) == "the"
        && token.is_word()
        && token.clause == reading.clause(mark)
        && !["with", "of", "by", "for", "at", "in", "on", "and"].contains(&token.lower.as_str())
}

/// Aggregate and measure of a superlative: the words right after it, else those around.
fn need(binder: &Binder, links: &Links, i: usize, mark: &Mark<Superlative>) -> Need {
    let reading = binder.reading;
    let mut need = binder.common(i, mark.place, links);
    let clause = reading.clause(mark.place);
    // What follows another number is of that number.
    let near = |p: Place| {
        !reading.numbers.iter().any(|n| n.place.first > mark.place.last && n.place.last < p.first)
    };
    let not_self = |p: Place| near(p) && (p.last < mark.place.first || p.first > mark.place.last);
    let own: Vec<_> = reading
        .aggs
        .iter()
        .filter(|a| {
            reading.clause(a.place) == clause && (not_self(a.place) || a.what == Agg::Count)
        })
        .collect();
    let nearest = own.iter().find(|a| a.place.first > mark.place.last).or(own.last());
    need.agg = match nearest {
        Some(a) => Some((a.what, Reach::Clause)),
        // The superlative itself is no aggregate here.
        None => carried(reading, mark.place).map(|a| (a, Reach::Before)),
    };
    let bases: Vec<_> = reading
        .bases
        .iter()
        .filter(|b| reading.clause(b.place) == clause && near(b.place))
        .collect();
    if let Some(b) = bases.iter().find(|b| b.place.first > mark.place.last).or(bases.last()) {
        need.base = Some((b.what.clone(), Reach::Clause));
    }
    if let Some(what) = elided(binder, mark).filter(|_| bases.is_empty() && own.is_empty()) {
        need.base = Some((what, Reach::Clause));
    }
    // `the cheapest`: its own word says by what, unless a measure follows it.
    let follows = bases
        .iter()
        .any(|b| b.place.first > mark.place.last && b.place.first <= mark.place.last + 2);
    let hint =
        reading.hints.iter().find(|(at, _)| (mark.place.first..=mark.place.last).contains(at));
    if let Some((_, hinted)) = hint.filter(|_| !follows) {
        let both = |b: &Vec<String>| hinted.iter().filter(|h| b.contains(h)).cloned().collect();
        let narrowed: Vec<String> = need.base.as_ref().map_or_else(Vec::new, |(b, _)| both(b));
        let chosen = if narrowed.is_empty() { hinted.clone() } else { narrowed };
        need.base = Some((chosen, Reach::Clause));
        // A price is one's own, not a sum; a month has none, and is dear by what was paid in all.
        if need.agg.is_none() {
            let agg = if is_dear_month(binder, links, i, mark) { Agg::Sum } else { Agg::Mean };
            need.agg = Some((agg, Reach::Before));
        }
    }
    need.superlative = Some(mark.what);
    need.superlative_names = names_aggregate(reading, mark.place, mark.what);
    need.overall = false;
    need
}

/// The aggregate named last before a superlative, other than by a superlative.
fn carried(reading: &Reading, place: Place) -> Option<Agg> {
    reading
        .aggs
        .iter()
        .rfind(|a| {
            a.place.first < place.first && !reading.superlatives.iter().any(|s| s.place == a.place)
        })
        .map(|a| a.what)
}

/// The names that hold a place of the order by one measure.
struct Winners {
    /// At the largest value.
    most: bool,
    names: Vec<(Name, Value)>,
    fact: Option<FactRef>,
    label: String,
}

impl Winners {
    /// Those of another measure, and others.
    fn other_than(&self, other: &Self) -> bool {
        let held = |(name, _): &(Name, Value)| self.names.iter().any(|(own, _)| own == name);
        self.label != other.label
            && !(self.names.len() == other.names.len() && other.names.iter().all(held))
    }
}

fn judge(
    text: &str,
    world: &World,
    reading: &Reading,
    need: &Need,
    mark: &Mark<Superlative>,
    m: usize,
    others: (&[About], bool),
) -> Option<Ordered> {
    let mention = &reading.mentions[m];
    let mut all: Vec<Winners> = Vec::new();
    let mut spare: Vec<Winners> = Vec::new();
    let mut axis: Option<Axis> = None;
    for (i, view) in world.views.iter().enumerate() {
        if need.views.as_ref().is_some_and(|(v, r)| !v.contains(&i) && *r != Reach::Before) {
            continue;
        }
        let Some((at, of)) = name_column(view, mention) else { continue };
        axis = Some(of.clone());
        let listed = of_shown(reading, reading.sentence(mark.place), view);
        let at_ends = |out: &mut Vec<Winners>, measure: &Measure, ends: &[bool]| {
            for &most in ends {
                let what = Superlative { most, ..mark.what };
                out.extend(winners(view, (at, &of), measure, what, (others.0, others.1, listed)));
            }
        };
        let clause = reading.clause(mark.place);
        let named = spelled(reading, clause, view).or_else(|| alias(reading, mark.place, view));
        let led: Vec<&Measure> = match named {
            Some(measure) => vec![measure],
            None => {
                counted_by_name(measures(view, need).into_iter().map(|(m, _)| m).collect(), need)
            }
        };
        for measure in led {
            at_ends(&mut all, measure, &ends(view, measure, mark.what)[..1]);
        }
        if named.is_some() {
            continue;
        }
        // Where no word says by what, every measure is one; `best` leaves open which end is meant.
        // `the most people (21,300)`: of a thing that no word of the schema names.
        let word = reading.tokens[mark.place.first].lower.as_str();
        let any = view.kind != ResultKind::Table || ["most", "fewest", "least"].contains(&word);
        let wide = Need { agg: None, base: None, any, ..need.clone() };
        let free = need.agg.is_none_or(|(_, r)| r != Reach::Clause)
            && need.base.as_ref().is_none_or(|(_, r)| *r != Reach::Clause);
        let list = if free { measures(view, &wide) } else { measures(view, need) };
        for (measure, _) in list {
            at_ends(&mut spare, measure, &ends(view, measure, mark.what));
        }
    }
    let known = axis.is_some();
    // No word of the clause says by what: any measure may be meant.
    let hard = |r: Option<Reach>| r == Some(Reach::Clause);
    let open = !hard(need.agg.map(|(_, r)| r)) && !hard(need.base.as_ref().map(|(_, r)| *r));
    // `the widest`, `the dearest`: an adjective says by what, if not which value of it.
    let hinted =
        reading.hints.iter().any(|(at, _)| (mark.place.first..=mark.place.last).contains(at));
    // `the longest average delay`: the words say it themselves.
    let clause = reading.clause(mark.place);
    let behind = |p: Place| p.first > mark.place.last && p.first <= mark.place.last + 3;
    let told = reading.bases.iter().any(|b| reading.clause(b.place) == clause && behind(b.place));
    let right =
        |w: &Winners| w.names.iter().any(|(n, _)| same(&mention.name, n)) != mark.what.negated;
    let first = all.first();
    let one_answer = first.is_some_and(|f| {
        f.names.len() == 1 && all.iter().all(|w| w.names.len() == 1 && w.names[0].0 == f.names[0].0)
    });
    // `The best day`: what the question measures is ordered, where it is one column.
    let asked = mark.what.end == End::Good && all.len() == 1 && need.base.is_some();
    // Whatever is ordered, the same group is first; not where the words are of age, of speed or of a
    // change, which no column may hold.
    let alike = !mark.what.speed
        && !mark.what.fall
        && mark.what.end != End::Leads
        && !is_of_age(reading, mark.place)
        && !reading.clause_has(clause, words::DIRECTIONS)
        && !spare.iter().any(|w| first.is_some_and(|f| w.most == f.most && f.other_than(w)));
    // The second from below is no second place.
    let turns = mark.what.rank == 1
        || mark.what.end != End::Leads
        || all.first().is_none_or(|w| both_ends(world, w, mark.what));
    let placed = [true, false].into_iter().filter(|most| turns || *most == mark.what.most);
    let placed = placed.into_iter().any(|most| {
        let what = Superlative { most, fall: false, speed: false, ..mark.what };
        by_any(world, need, mention, &Mark { what, ..*mark }, others, None)
    });
    // `Дороже всего обошлась аренда`: what was paid in all.
    let paid = || {
        const PAID: [&str; 5] = ["cost", "обош", "обход", "вышл", "встал"];
        let mut tokens = reading.tokens.iter().filter(|t| t.clause == clause);
        tokens.any(|t| PAID.iter().any(|start| t.lower.starts_with(start)))
    };
    let verdict = if mark.what.odd {
        Verdict::Unverifiable
    } else if all.is_empty() && open && spare.iter().any(right) {
        Verdict::Verified
    } else if all.is_empty() {
        Verdict::Unverifiable
    } else if all.iter().all(right)
        || (open || mark.what.end != End::Said) && spare.iter().any(right)
    {
        Verdict::Verified
    } else if all.iter().any(right) || !all.is_empty() && !one_answer && all.len() > 1 {
        Verdict::Unverifiable
    } else if (open || hinted && !told)
        && by_any(world, need, mention, mark, others, hinted.then(|| (&all, paid())))
    {
        // It is so by another measure than the one that the words seem to name.
        Verdict::Unverifiable
    } else if open
        && !(asked || alike)
        && spare.iter().any(|w| first.is_some_and(|f| f.label != w.label))
    {
        // `The youngest`: no word says by what, and there are several measures that differ.
        Verdict::Unverifiable
    } else if mark.what.end == End::Either
        && (placed || first.is_none_or(|f| !leans(world, f, mark.what)))
    {
        // Nobody knows by what the adjective orders; but who is at no end is not the most of anything.
        Verdict::Unverifiable
    } else {
        Verdict::Contradicted
    };
    // What no result can order is no claim where an adverb only leads to the group.
    let adverb = is_adverb(reading, mark.place)
        && of_a_measure(reading, mark.place, mark.what)
        && mention.place.first > mark.place.last;
    if !known && world.views.is_empty() || adverb && all.is_empty() && spare.is_empty() {
        return None;
    }
    let mut place = mention.place;
    let before = reading.word_before(place.first).to_owned();
    // The Russian preposition changes with the name.
    if matches!(before.as_str(), "в" | "во") && mention.axes == [Axis::Weekday] {
        place.first -= 1;
    }
    let said = first.map_or_else(String::new, |w| w.label.clone());
    let mut found = Ordered {
        place,
        scope: (mark.place, mention.place),
        by: (!open).then(|| {
            let need = Need { agg: need.agg.filter(|_| !hinted), ..need.clone() };
            let views = world.views.iter();
            views
                .flat_map(|view| measures(view, &need))
                .map(|(measure, _)| measure.name.clone())
                .collect()
        }),
        mention: Some(m),
        placed,
        listed: false,
        firm: (!open || hinted) && one_answer && mark.what.end == End::Said,
        verdict,
        actual: None,
        right: None,
        fact: first.and_then(|w| w.fact.clone()),
        said,
    };
    if verdict == Verdict::Contradicted
        && !mark.what.negated
        && let (Some(w), Some(axis)) = (first, &axis)
        && let Some((name, value)) = w.names.first()
    {
        let words = without_possessive(reading.text(text, place));
        found.actual = Some(write_like(axis, words, &before, name, &shown(value)));
        found.right = Some(name.clone());
    }
    Some(found)
}

/// Of several numbers of rows that whose thing is named (`lost the most parcels`), else that of all rows.
fn counted_by_name<'v>(mut list: Vec<&'v Measure>, need: &Need) -> Vec<&'v Measure> {
    let named = |m: &Measure| {
        need.base.as_ref().is_some_and(|(b, r)| *r == Reach::Clause && b.contains(&m.base))
    };
    if list.iter().all(|m| m.agg == Some(Agg::Count)) {
        if list.iter().any(|m| named(m)) {
            list.retain(|m| named(m));
        } else if list.iter().any(|m| m.base.is_empty()) {
            list.retain(|m| m.base.is_empty());
        }
    }
    list
}

/// Whether the most that an adjective says is likely the largest value: not of what is better the less
/// of it there is, of what goes below zero, or of a result that was sorted from the smallest.
fn leans(world: &World, first: &Winners, what: Superlative) -> bool {
    world.views.iter().any(|view| {
        let up = view.outcome.query.sort().first().is_some_and(|k| !k.descending);
        view.measures.iter().filter(|m| m.name == first.label).any(|m| {
            let low = view.stats(m.column).min.as_f64().is_none_or(|x| x < 0.0);
            let other = better(m) == Some(false) || takes_time(m) || low;
            !other && (!up || !what.most)
        })
    })
}

/// Whether a place in the order by the measure of the winners may be one from either end.
fn both_ends(world: &World, first: &Winners, what: Superlative) -> bool {
    world.views.iter().any(|view| {
        let mut measures = view.measures.iter().filter(|m| m.name == first.label);
        measures.any(|m| ends(view, m, what).len() > 1)
    })
}

/// Whether the group holds that place, or its opposite, by some measure of a result; where an adjective
/// says by what (`the windiest`, of a speed), by no number of rows and by nothing in another unit.
fn by_any(
    world: &World,
    need: &Need,
    mention: &Mention,
    mark: &Mark<Superlative>,
    (others, scoped): (&[About], bool),
    hinted: Option<(&Vec<Winners>, bool)>,
) -> bool {
    let any =
        Need { agg: None, base: None, any: true, views: need.views.clone(), ..Need::default() };
    world.views.iter().any(|view| {
        let Some((at, of)) = name_column(view, mention) else { return false };
        let unit = |label: &str| view.measures.iter().find(|m| m.name == label)?.unit.as_ref();
        let agg = |label: &str| view.measures.iter().find(|m| m.name == label)?.agg;
        let alike = |m: &Measure| {
            hinted.and_then(|(all, paid)| Some((all.first()?, paid))).is_none_or(|(first, paid)| {
                let told = m.unit.is_some() || unit(&first.label).is_some();
                let other = told && m.unit.as_ref() != unit(&first.label);
                // What something is like no sum tells.
                let sum = m.agg == Some(Agg::Sum) && agg(&first.label) == Some(Agg::Mean) && !paid;
                m.name == first.label || !(other || sum || m.agg == Some(Agg::Count))
            })
        };
        measures(view, &any).iter().filter(|(m, _)| alike(m)).any(|(measure, _)| {
            let won = winners(view, (at, &of), measure, mark.what, (others, scoped, false));
            won.is_some_and(|w| w.names.iter().any(|(n, _)| same(&mention.name, n)))
        })
    })
}

/// The column that has a name, and the axis that it is a name on: a month, too, names rows by their date.
pub(super) fn name_column(view: &View, mention: &Mention) -> Option<(usize, Axis)> {
    if let Some(at) = mention.axes.iter().find_map(|a| view.on_axis(a)) {
        return Some((at, view.names.get(at)?.axis.clone()));
    }
    let parts = [Axis::Month, Axis::Quarter, Axis::Year, Axis::Weekday];
    let of = mention.axes.iter().find(|a| parts.contains(a))?;
    let table = view.kind == ResultKind::Table;
    view.on_axis(&Axis::Date).filter(|_| table).map(|at| (at, of.clone()))
}

/// The name of a cell on an axis, with a cell for it: of a date, its month, quarter, year or weekday.
pub(super) fn name_on(axis: &Axis, own: &Axis, value: Value) -> Option<(Name, Value)> {
    if axis == own {
        return name_of(axis, &value).map(|name| (name, value));
    }
    let part = part_of(axis, value.date()?)?;
    Some((Name::Index(part), Value::Int(part)))
}

fn winners(
    view: &View,
    (at, axis): (usize, &Axis),
    m: &Measure,
    what: Superlative,
    (others, scoped, listed): (&[About], bool, bool),
) -> Option<Winners> {
    let name = view.names.get(at)?;
    let most = largest(view, m, None, what);
    // A cut table holds the extreme only at the end that it was sorted by.
    if view.cut() && !listed {
        let key = view.outcome.query.sort().first()?;
        if key.text != m.name || key.descending != most {
            return None;
        }
    }
    let names_of = |rows: &[usize]| {
        let mut out: Vec<(Name, Value)> = Vec::new();
        for &row in rows {
            let value = view.outcome.value(row, name.column);
            if let Some((n, value)) = name_on(axis, &name.axis, value)
                && !out.iter().any(|(o, _)| *o == n)
            {
                out.push((n, value));
            }
        }
        out
    };
    let made = |names: Vec<(Name, Value)>, row: Option<usize>| Winners {
        most: what.most,
        fact: row.and_then(|r| cell(view, m, r)).map(|f| f.source),
        label: m.name.clone(),
        names,
    };
    let keys = view.names.iter().filter(|n| n.key).count();
    let other_axes = keys > 1 && view.kind == ResultKind::Grouped;
    if scoped {
        let (Rows::Some(scope), _) = select(view, others)? else { return None };
        let (rows, _) = ranked(view, m, Some(&scope), most, what.rank)?;
        return Some(made(names_of(&rows), rows.first().copied()));
    }
    // Of all rows; the other names of the sentence belong to the same row.
    let (rows, _) = ranked(view, m, None, most, what.rank)?;
    let matching: Vec<usize> = match select(view, others) {
        Some((Rows::Some(scope), _)) => {
            rows.iter().copied().filter(|r| scope.contains(r)).collect()
        }
        _ => rows.clone(),
    };
    if !other_axes || !matching.is_empty() && !others.is_empty() {
        let rows = if matching.is_empty() { rows } else { matching };
        return Some(made(names_of(&rows), rows.first().copied()));
    }
    // Within the group that the other names give.
    if let Some((Rows::Some(scope), _)) = select(view, others).filter(|_| !others.is_empty()) {
        let (rows, _) = ranked(view, m, Some(&scope), most, what.rank)?;
        return Some(made(names_of(&rows), rows.first().copied()));
    }
    // One of several keys: by totals where they add up and the text asks for no single row.
    if m.additive() {
        let mut sums: Vec<(Name, Value, f64)> = Vec::new();
        for row in 0..view.outcome.rows.len() {
            let value = view.outcome.value(row, name.column);
            let (Some(n), Some(x)) =
                (name_of(&name.axis, &value), view.outcome.value(row, m.column).as_f64())
            else {
                continue;
            };
            match sums.iter_mut().find(|s| s.0 == n) {
                Some(s) => s.2 += x,
                None => sums.push((n, value, x)),
            }
        }
        sums.sort_by(|a, b| if most { b.2.total_cmp(&a.2) } else { a.2.total_cmp(&b.2) });
        let by_total = sums.get(what.rank.checked_sub(1)?)?;
        let by_row = names_of(&rows);
        // Both readings must agree.
        if by_row.iter().any(|(n, _)| *n == by_total.0) {
            return Some(made(vec![(by_total.0.clone(), by_total.1.clone())], None));
        }
        return None;
    }
    Some(made(names_of(&rows), rows.first().copied()))
}
