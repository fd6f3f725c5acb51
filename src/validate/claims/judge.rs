//! Puts the parts together: from a text and results to findings.

use super::bind::{Binder, StatedParam, renamed};
use super::bounds::negated_bound;
use super::derive::derived;
use super::lex::Stems;
use super::names::{Axis, Name, without_possessive, write_like};
use super::number::{Sign, plain};
use super::order::{Ordered, comparisons, superlatives, turns};
use super::other::readings;
use super::rank::stale;
use super::read::{Counted, Mark, Num, Place, Reading};
use super::resolve::{Fact, Need, facts, shown};
use super::threshold::{Stated, stated, states_period};
use super::verify::{Fit, fit, units_agree};
use super::words::{Agg, DIRECTIONS, find};
use super::world::World;
use crate::error::Span;
use crate::facts::Outcome;
use crate::validate::{Claim, FactRef, Verdict};

/// A claim with what the feedback says of it.
pub(super) struct Finding {
    /// The claim.
    pub claim: Claim,
    /// Why, for the feedback.
    pub why: Why,
}

/// The reason of a bad verdict.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Why {
    /// It is fine.
    Fine,
    /// The fact is another.
    Value,
    /// Another group holds that place by this measure.
    Order(String),
    /// The query had another condition.
    Stale,
    /// Several facts fit the words.
    Ambiguous,
    /// The results do not say.
    Unknown,
}

/// Checks `text` from byte `from` on; what stands before is only carried into it. Spans count from
/// `from`.
pub(super) fn judge(text: &str, from: usize, outcomes: &[&Outcome]) -> Vec<Finding> {
    let stems = Stems::new();
    let world = World::new(outcomes, text, &stems);
    let mut reading = Reading::new(text, &world, &stems);
    let mut out: Vec<(Place, Finding)> = Vec::new();

    // What only repeats the question.
    let mut params: Vec<StatedParam> = Vec::new();
    let mut claims: Vec<usize> = Vec::new();
    for (n, num) in reading.numbers.iter().enumerate() {
        match stated(&world, &reading, text, num) {
            None => claims.push(n),
            Some(Stated::Param(views)) => params.push((num.place, views)),
            Some(Stated::Stale { first, actual }) => {
                params.push((num.place, (0..world.views.len()).collect()));
                let place = Place { first, last: num.place.last };
                out.push((
                    place,
                    finding(text, &reading, place, Verdict::Contradicted, actual, None, Why::Stale),
                ));
            }
        }
    }
    forget_conditions(&mut reading, &params);
    let stale = periods(text, &world, &mut reading, &mut out);

    let ordered = superlatives(text, from, &world, &reading, &params);
    let mut corrected: Vec<(usize, Name)> = stale;
    for o in &ordered {
        if let (Some(m), Some(right)) = (o.mention, &o.right) {
            corrected.push((m, right.clone()));
        }
    }
    for o in ordered.into_iter().chain(comparisons(&world, &reading, &params)) {
        let place = o.place;
        out.push((place, order_finding(text, &reading, o)));
    }

    for o in turns(&reading) {
        out.push((o.place, order_finding(text, &reading, o)));
    }

    let binder = Binder::new(&world, &reading, &params, &claims);
    for (item, &n) in claims.iter().enumerate() {
        let num = &reading.numbers[n];
        let (place, found) = number_finding(text, &binder, item, num, &corrected);
        let bad = matches!(found.claim.verdict, Verdict::Contradicted | Verdict::Unverifiable);
        if !(num.soft && bad) {
            out.push((place, found));
        }
    }

    out.sort_by_key(|(p, f)| (p.first, f.claim.span.start, std::cmp::Reverse(f.claim.span.end)));
    let mut end = from;
    let mut findings: Vec<Finding> = Vec::new();
    for (_, mut f) in out {
        if f.claim.span.start < end {
            continue;
        }
        end = f.claim.span.end;
        f.claim.span = Span::new(f.claim.span.start - from, f.claim.span.end - from);
        findings.push(f);
    }
    findings
}

fn finding(
    text: &str,
    reading: &Reading,
    place: Place,
    verdict: Verdict,
    actual: Option<String>,
    fact: Option<&Fact>,
    why: Why,
) -> Finding {
    let span = match (reading.tokens.get(place.first), reading.tokens.get(place.last)) {
        (Some(a), Some(b)) => Span::new(a.span.start, b.span.end),
        _ => Span::default(),
    };
    let words = text.get(span.start..span.end).map_or("", without_possessive);
    let span = Span::new(span.start, span.start + words.len());
    Finding {
        claim: Claim {
            span,
            text: words.to_owned(),
            verdict,
            actual,
            fact: fact.map(|f| f.source.clone()),
            formula: fact.and_then(|f| f.formula.clone()),
            replaced: None,
        },
        why,
    }
}

fn order_finding(text: &str, reading: &Reading, o: Ordered) -> Finding {
    let why = match o.verdict {
        Verdict::Contradicted => Why::Order(o.said),
        Verdict::Unverifiable => Why::Unknown,
        Verdict::Verified | Verdict::Derived => Why::Fine,
    };
    let mut f = finding(text, reading, o.place, o.verdict, o.actual, None, why);
    f.claim.fact = o.fact;
    f
}

/// The words of a condition name no measure of another number.
fn forget_conditions(reading: &mut Reading, params: &[StatedParam]) {
    let conditions: Vec<(usize, usize)> = params
        .iter()
        .map(|(p, _)| {
            let sentence = reading.sentence(*p);
            let start = (p.first.saturating_sub(8)..p.first)
                .rev()
                .take_while(|&i| {
                    reading.tokens[i].sentence == sentence
                        && !reading.tokens[i].is(',')
                        && !reading.mentions.iter().any(|m| m.place.last == i)
                        && !reading.numbers.iter().any(|n| n.place.last == i)
                })
                .find(|&i| super::words::has(super::words::CONDITIONS, &reading.tokens, i))
                .or_else(|| {
                    reading
                        .bases
                        .iter()
                        .rfind(|b| b.place.last < p.first && b.place.last + 5 > p.first)
                        .map(|b| b.place.first)
                })
                .unwrap_or(p.first);
            (start, p.last)
        })
        .collect();
    let outside = |p: Place| !conditions.iter().any(|(a, b)| p.first >= *a && p.last <= *b);
    // A measure named nowhere else is still the measure.
    let left: Vec<_> = reading.bases.iter().filter(|b| outside(b.place)).cloned().collect();
    if !left.is_empty() {
        reading.bases = left;
    }
    // `above 50 count`: a verb.
    let verb = |a: &Mark<Agg>| {
        a.what == Agg::Count && params.iter().any(|(p, _)| p.last + 1 == a.place.first)
    };
    reading.aggs.retain(|a| outside(a.place) && !verb(a));
    reading.superlatives.retain(|s| outside(s.place));
}

/// Dates and names that repeat the period or the filter: no longer mentions. Those that say another
/// filter: corrected.
fn periods(
    text: &str,
    world: &World,
    reading: &mut Reading,
    out: &mut Vec<(Place, Finding)>,
) -> Vec<(usize, Name)> {
    let keep: Vec<bool> = reading
        .mentions
        .iter()
        .map(|m| !states_period(world, reading, m.place, &m.axes, &m.name))
        .collect();
    let mut i = 0;
    reading.mentions.retain(|_| {
        i += 1;
        keep[i - 1]
    });
    let mut corrected = Vec::new();
    for (i, m) in reading.mentions.iter().enumerate() {
        if let Some((axis, right, value)) = stale(world, &m.axes, &m.name) {
            let mut place = m.place;
            let before = reading.word_before(place.first).to_owned();
            if matches!(before.as_str(), "в" | "во") && *axis == Axis::Weekday {
                place.first -= 1;
            }
            let words = without_possessive(reading.text(text, place));
            let actual = write_like(axis, words, &before, right, &shown(value));
            out.push((
                place,
                finding(
                    text,
                    reading,
                    place,
                    Verdict::Contradicted,
                    Some(actual),
                    None,
                    Why::Stale,
                ),
            ));
            corrected.push((i, right.clone()));
            continue;
        }
        // A date that no result knows.
        let exact = matches!(&m.name, Name::Date(d) if d.day.is_some());
        let known = world.views.iter().any(|v| {
            m.axes
                .iter()
                .filter_map(|a| v.on_axis(a))
                .any(|at| !v.rows_named(at, &m.name).is_empty())
        });
        if exact && !known {
            out.push((
                m.place,
                finding(text, reading, m.place, Verdict::Unverifiable, None, None, Why::Unknown),
            ));
        }
    }
    corrected
}

fn number_finding(
    text: &str,
    binder: &Binder,
    item: usize,
    num: &Num,
    corrected: &[(usize, Name)],
) -> (Place, Finding) {
    let reading = binder.reading;
    let needs = binder.needs(item);
    let find_facts =
        |need: &Need| derived(binder, num, need).unwrap_or_else(|| facts(binder.world, need));
    // A group that the sentence names wrongly: the number has to be that of the right one.
    let mut right: Vec<Fact> = Vec::new();
    for (need, used) in &needs {
        for (m, name) in corrected.iter().filter(|(m, _)| used.contains(m)) {
            right.extend(find_facts(&renamed(need, &reading.mentions[*m].name, name)));
        }
    }
    if let Some(fact) = right.first() {
        let (place, actual) = rewrite(text, binder, num, fact, Fit::No);
        return (
            place,
            finding(
                text,
                reading,
                place,
                Verdict::Contradicted,
                Some(actual),
                Some(fact),
                Why::Value,
            ),
        );
    }
    let found: Vec<Fact> = needs.iter().flat_map(|(need, _)| find_facts(need)).collect();
    let place = num.place;
    // What the nearest words do not bear out another reading of the sentence may.
    let otherwise = || {
        let needs: Vec<Need> = needs.iter().map(|(need, _)| need.clone()).collect();
        let mut read = num.clone();
        if negated_bound(binder, num)
            && let Some((above, _)) = &mut read.bound
        {
            *above = !*above;
        }
        let (fact, _) = readings(binder, item, num, &needs)
            .into_iter()
            .find(|(fact, up)| fit(&read, fact, *up) == Fit::Yes)?;
        let verdict = if fact.formula.is_some() { Verdict::Derived } else { Verdict::Verified };
        Some((place, finding(text, reading, place, verdict, None, Some(&fact), Why::Fine)))
    };
    let unknown = |why| {
        (place, finding(text, reading, place, Verdict::Unverifiable, None, found.first(), why))
    };
    let Some(first) = found.first() else {
        return otherwise().unwrap_or_else(|| unknown(Why::Unknown));
    };
    if num.negated {
        return unknown(Why::Ambiguous);
    }
    let direction = if first.formula.as_ref().is_some_and(|f| f.contains('[')) {
        None
    } else {
        binder.direction(num)
    };
    let up = direction.map(|(up, _)| up);
    let fits: Vec<Fit> = found.iter().map(|f| fit(num, f, up)).collect();
    if fits.iter().all(|f| *f == Fit::Yes) {
        let verdict = if first.formula.is_some() { Verdict::Derived } else { Verdict::Verified };
        return (place, finding(text, reading, place, verdict, None, Some(first), Why::Fine));
    }
    // The direction is wrong, the amount is right, or one of several groups fits: no other reading
    // helps.
    let each = needs.len() > 1 && found.len() == needs.len();
    let split =
        each && fits.contains(&Fit::Yes) && fits.iter().any(|f| matches!(f, Fit::No | Fit::Bound));
    if !fits.contains(&Fit::Direction)
        && !split
        && let Some(found) = otherwise()
    {
        return found;
    }
    // The same for several groups: the first that differs is the actual one.
    let at = fits.iter().position(|f| *f != Fit::Yes).unwrap_or(0);
    let same = found.iter().all(|f| f.value == first.value);
    if !each && (fits.contains(&Fit::Yes) || !same) {
        return unknown(Why::Ambiguous);
    }
    // A number of groups may be that of some of them, which no fact says.
    let some = num.counted == Some(Counted::Groups) && num.number.value < first.value;
    if fits[at] == Fit::Loose || some {
        return unknown(Why::Value);
    }
    let fact = &found[at];
    let (place, actual) = rewrite(text, binder, num, fact, fits[at]);
    (
        place,
        finding(text, reading, place, Verdict::Contradicted, Some(actual), Some(fact), Why::Value),
    )
}

/// The actual value in the words of the claim, and the tokens that it replaces.
fn rewrite(text: &str, binder: &Binder, num: &Num, fact: &Fact, how: Fit) -> (Place, String) {
    let reading = binder.reading;
    let mut place = num.place;
    let mut number = num.number.clone();
    let value =
        if number.percent && !fact.percent && fact.share { fact.value * 100.0 } else { fact.value };
    // Another unit: the number stands without the wrong one.
    if !units_agree(num, fact) {
        place.last = num.tail.max(place.last);
        number.style.suffix = if fact.percent { "%".into() } else { String::new() };
        number.style.prefix = String::new();
        number.scale = 1.0;
        if fact.count {
            number.decimals = 0;
        }
    }
    // A bound that does not hold goes with the number.
    if let Some((above, first)) = num.bound {
        let x = number.write_like(value);
        let holds = if above { value >= num.number.value } else { value <= num.number.value };
        if how == Fit::Bound || !holds || how == Fit::No {
            place.first = first;
        }
        return (place, x);
    }
    let Some((up, word)) = binder.direction(num).filter(|_| number.sign == Sign::None) else {
        return (place, number.write_like(value));
    };
    let rises = value >= 0.0;
    if rises == up {
        return (place, number.write_like(value.abs()));
    }
    // The word of direction is wrong: it changes with the number.
    let swap = word.and_then(|at| {
        let ((_, opposite), len) = find(DIRECTIONS, &reading.tokens, at)?;
        let opposite = opposite?;
        let from = reading.tokens.get(at + len - 1)?.span.end;
        let middle = text.get(from..reading.tokens.get(place.first)?.span.start)?;
        Some((at, format!("{opposite}{middle}{}", number.write_like(value.abs()))))
    });
    if let Some((first, words)) = swap {
        return (Place { first, last: place.last }, words);
    }
    let mut signed = number.write_like(value);
    if rises && !signed.starts_with('+') {
        signed.insert(0, '+');
    }
    (place, signed)
}

/// A fact in words: `mean_gap for dow=Fri is 67.3`.
pub(super) fn fact_key(fact: &FactRef) -> String {
    fact.key.iter().map(|(k, v)| format!("{k}={v}")).collect::<Vec<_>>().join(", ")
}

/// The value of a fact for reading.
pub(super) fn fact_value(fact: &FactRef) -> String {
    fact.value.as_f64().map_or_else(|| shown(&fact.value), plain)
}
