//! Puts the parts together: from a text and results to findings.

use super::among::{
    by_its_number, holds_by_number, misread, of_another_whole, of_one_column, said_already,
};
use super::beside::wrongly_paired;
use super::between::between;
use super::bind::{Binder, StatedParam, renamed};
use super::both::both_ends;
use super::bounds::negated_bound;
use super::compare::{comparisons, turns};
use super::derive::derived;
use super::exchanged::exchanged;
use super::holders::holders;
use super::known::{counted_right, ratio_in_words};
use super::lex::{Stems, is_cyrillic};
use super::limits::limits;
use super::lists::lists;
use super::misnamed::misnamed;
use super::moves::{moves, turned};
use super::names::{Axis, Name, without_possessive, write_like};
use super::nouns::{counts_unknown, of_another, restates, told, unread_suffix};
use super::number::{Sign, plain};
use super::order::{Ordered, superlatives};
use super::other::readings;
use super::places::belied;
use super::rank::{all_below_zero, stale};
use super::read::{Counted, Mark, Num, Part, Place, Reading};
use super::resolve::{Fact, Need, cell, facts, shown};
use super::rungs::rungs;
use super::shares::shares;
use super::sides::turned_words;
use super::spared::spared;
use super::spelled::named_otherwise;
use super::standing::standing;
use super::stated::from_two;
use super::sure::Sure;
use super::swapped::{misplaced, swapped};
use super::things::of_things;
use super::threshold::{
    Stated, other_periods, period_mentions, period_text, stated, states_period,
};
use super::tops::{members, places};
use super::uncounted::extreme;
use super::verify::{Fit, conversion, fit, told_bare, units_agree};
use super::words::{self, Agg, DIRECTIONS, find};
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
    /// The fact is another, if the sentence is read rightly; it may mean something else.
    Doubt,
    /// The results do not say.
    Unknown,
}

/// Checks `text` from byte `from` on; what stands before is only carried into it. Spans count from
/// `from`.
/// `wholes` are what lies behind results that were cut, under their ids.
pub(super) fn judge(
    text: &str,
    from: usize,
    outcomes: &[&Outcome],
    wholes: &[&Outcome],
) -> Vec<Finding> {
    let stems = Stems::new();
    let mut world = World::new(outcomes, text, &stems);
    for view in &mut world.views {
        view.whole = wholes.iter().copied().find(|whole| whole.id == view.outcome.id);
    }
    let mut reading = Reading::new(text, &world, &stems);
    let spent: Vec<bool> =
        reading.superlatives.iter().map(|mark| all_below_zero(&world, &reading, mark)).collect();
    for (mark, spent) in reading.superlatives.iter_mut().zip(spent) {
        mark.what.fall |= spent;
    }
    let sure = Sure::new(text, &world, &reading, &stems, from);
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
                let plain = actual.is_some() && sure.between(&reading, place, place);
                let found =
                    finding(text, &reading, place, Verdict::Contradicted, actual, None, Why::Stale);
                out.push((place, if plain { found } else { doubted(found) }));
            }
        }
    }
    forget_conditions(&mut reading, &params);
    let stale = periods(text, &world, &sure, &mut reading, &mut out);

    let mut ordered = members(&world, &reading, &params, from);
    ordered.extend(superlatives(text, from, &world, &reading, (&reading.superlatives, &params)));
    ordered.extend(superlatives(text, from, &world, &reading, (&places(&reading), &params)));
    ordered.extend(comparisons(&world, &reading, &params));
    ordered.extend(moves(&world, &reading, &params));
    for o in &mut ordered {
        if o.verdict == Verdict::Contradicted && !sure.order(&reading, o) {
            (o.verdict, o.actual, o.right) = (Verdict::Unverifiable, None, None);
        }
    }
    for o in &mut ordered {
        if o.verdict == Verdict::Contradicted && holds_by_number(&world, &reading, &claims, o) {
            (o.verdict, o.actual, o.right) = (Verdict::Unverifiable, None, None);
        }
    }
    let mut marks = reading.superlatives.clone();
    marks.extend(places(&reading));
    both_ends(text, (&world, &reading, &sure), &marks, &mut ordered);
    let mut corrected: Vec<(usize, Name)> = stale;
    for o in &ordered {
        if let (Some(m), Some(right)) = (o.mention, &o.right) {
            corrected.push((m, right.clone()));
        }
    }
    let open: Vec<Ordered> =
        ordered.iter().filter(|o| o.verdict == Verdict::Unverifiable).cloned().collect();
    for o in ordered {
        let place = o.place;
        out.push((place, order_finding(text, &reading, o)));
    }

    for o in turns(&reading) {
        out.push((o.place, order_finding(text, &reading, o)));
    }

    let binder = Binder::new(&world, &reading, &params, &claims);
    for (item, &n) in claims.iter().enumerate() {
        let num = &reading.numbers[n];
        let (place, found) = number_finding(text, &binder, &sure, item, num, &corrected);
        let bad = matches!(found.claim.verdict, Verdict::Contradicted | Verdict::Unverifiable);
        if !(num.soft && bad) {
            out.push((place, found));
        } else if told(&reading, num, &found) {
            out.push((place, doubted(found)));
        }
    }

    let again: Vec<Place> =
        reading.numbers.iter().filter(|n| restates(&reading, n, &out)).map(|n| n.place).collect();
    out.retain(|(place, f)| {
        f.claim.verdict != Verdict::Unverifiable || !again.iter().any(|p| p.last == place.last)
    });

    for o in &open {
        if let Some(fact) = by_its_number(&world, &reading, o, &out) {
            let own = out
                .iter_mut()
                .filter(|(place, f)| *place == o.place && f.claim.verdict == Verdict::Unverifiable);
            for (_, found) in own {
                found.claim.verdict = Verdict::Verified;
                found.claim.fact = Some(fact.clone());
                found.why = Why::Fine;
            }
        } else {
            misplaced(text, &binder, o, &mut out);
        }
    }
    misnamed(text, &binder, &mut out);
    misread(&reading, &corrected, &mut out);
    said_already(&reading, &mut out);
    of_one_column(&reading, &mut out);
    from_two(&world, &reading, &mut out);
    of_another_whole(&world, &reading, &mut out);
    belied(text, &world, &reading, &mut out);
    turned_words(text, &world, &reading, &mut out);
    named_otherwise(text, &binder, &mut out);
    counted_right(&binder, &sure, &mut out);
    swapped(text, &binder, &sure, &mut out);
    exchanged(text, &binder, &mut out);
    rungs(text, &binder, from, &mut out);
    standing(text, &binder, from, &mut out);
    of_things(text, &binder, &mut out);
    between(text, &binder, from, &mut out);
    shares(text, &binder, from, &mut out);
    lists(text, &binder, from, &mut out);
    limits(text, &binder, from, &mut out);
    holders(text, &binder, &sure, from, &mut out);
    spared(&binder, &mut out);
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

pub(super) fn finding(
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
            operands: fact.map(|f| f.operands.clone()).unwrap_or_default(),
            replaced: None,
        },
        why,
    }
}

/// What is not beyond doubt is marked, and stays as it was written.
fn doubted(mut found: Finding) -> Finding {
    if found.claim.verdict == Verdict::Contradicted {
        found.claim.verdict = Verdict::Unverifiable;
        found.claim.actual = None;
        found.why = Why::Doubt;
    }
    found
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
    sure: &Sure,
    reading: &mut Reading,
    out: &mut Vec<(Place, Finding)>,
) -> Vec<(usize, Name)> {
    let period = period_mentions(world, reading);
    let keep: Vec<bool> = reading
        .mentions
        .iter()
        .zip(period)
        .map(|(m, period)| !period && !states_period(world, reading, m.place, &m.axes, &m.name))
        .collect();
    let mut i = 0;
    reading.mentions.retain(|_| {
        i += 1;
        keep[i - 1]
    });
    let mut gone = Vec::new();
    for (i, asked) in other_periods(world, reading) {
        let place = reading.mentions[i].place;
        let words = reading.text(text, place);
        let mut actual = period_text(asked, is_cyrillic(text));
        // `в 2023 году`: the noun stays.
        if let Some((_, noun)) = words.split_once(' ').filter(|(y, _)| y.len() == actual.len())
            && noun.starts_with("год")
        {
            actual = format!("{actual} {noun}");
        }
        let wrong = Verdict::Contradicted;
        let found = finding(text, reading, place, wrong, Some(actual), None, Why::Stale);
        // The number beside it is of the period that was asked for.
        if sure.between(reading, place, place) && !words.is_empty() {
            out.push((place, found));
            gone.push(place);
        } else {
            out.push((place, doubted(found)));
        }
    }
    reading.mentions.retain(|m| !gone.contains(&m.place));
    let mut corrected = Vec::new();
    let hours = reading.spans.iter().flat_map(|(a, b)| [a, b]).filter(|m| m.axes == [Axis::Hour]);
    let ends: Vec<_> = hours.cloned().collect();
    for (i, m) in reading.mentions.iter().chain(&ends).enumerate() {
        let mention = i < reading.mentions.len();
        if let Some((axis, right, value)) = stale(world, &m.axes, &m.name).filter(|_| mention) {
            let mut place = m.place;
            let before = reading.word_before(place.first).to_owned();
            if matches!(before.as_str(), "в" | "во") && *axis == Axis::Weekday {
                place.first -= 1;
            }
            let words = without_possessive(reading.text(text, place));
            let actual = write_like(axis, words, &before, right, &shown(value));
            let found = finding(
                text,
                reading,
                place,
                Verdict::Contradicted,
                Some(actual),
                None,
                Why::Stale,
            );
            if sure.between(reading, place, place) {
                out.push((place, found));
                corrected.push((i, right.clone()));
            } else {
                out.push((place, doubted(found)));
            }
            continue;
        }
        // A date or an hour that no result knows.
        let exact = matches!(&m.name, Name::Date(d) if d.day.is_some())
            || m.axes == [Axis::Hour]
                && world.views.iter().any(|v| v.on_axis(&Axis::Hour).is_some());
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
    sure: &Sure,
    item: usize,
    num: &Num,
    corrected: &[(usize, Name)],
) -> (Place, Finding) {
    let reading = binder.reading;
    let needs = binder.needs(item);
    let find_facts =
        |need: &Need| derived(binder, num, need).unwrap_or_else(|| facts(binder.world, need));
    // A group that the sentence names wrongly: the number has to be that of the right one.
    let mut right: Vec<(Fact, usize)> = Vec::new();
    for (i, (need, used)) in needs.iter().enumerate() {
        for (m, name) in corrected.iter().filter(|(m, _)| used.contains(m)) {
            let facts = find_facts(&renamed(need, &reading.mentions[*m].name, name));
            right.extend(facts.into_iter().map(|f| (f, i)));
        }
    }
    // Where a measure has the unit that is written, one without a unit is not meant.
    let measured = num.number.unit.is_some()
        && binder.world.views.iter().any(|v| {
            v.measures
                .iter()
                .any(|m| cell(v, m, 0).is_some_and(|f| f.unit.is_some() && units_agree(num, &f)))
        });
    // Another number than the fact: replaced where nothing else can be meant, else marked.
    let differs = |fact: &Fact, need: usize, how: Fit| {
        let (place, actual) = rewrite(text, binder, num, fact, how);
        let found = finding(
            text,
            reading,
            place,
            Verdict::Contradicted,
            Some(actual),
            Some(fact),
            Why::Value,
        );
        let need = needs.get(need).or(needs.last());
        // The unit that is written is that of another measure.
        let foreign =
            measured && fact.formula.is_none() && !(fact.unit.is_some() && units_agree(num, fact));
        // The right amount with the wrong word of direction can mean nothing else.
        let turned = how == Fit::Direction && fact.formula.is_none();
        let plain = needs.len() == 1 && turned
            || needs.len() == 1
                && need.is_some_and(|(need, used)| sure.number(binder, num, (need, used), fact));
        (place, if plain && !foreign { found } else { doubted(found) })
    };
    if let Some((fact, need)) = right.first().filter(|_| !unread_suffix(reading, num)) {
        return differs(fact, *need, Fit::No);
    }
    let of_unit = |fact: &Fact| {
        let other = fact.formula.is_some() && fact.unit.is_some() && !units_agree(num, fact);
        !measured || !other && (fact.unit.is_some() || fact.formula.is_some())
    };
    let mut found: Vec<Fact> = needs.iter().flat_map(|(need, _)| find_facts(need)).collect();
    if found.iter().any(of_unit) {
        found.retain(of_unit);
    }
    // What is said of a name that nobody knows is said of no whole.
    // Neither is a number of rows one of a noun that nobody knows.
    let other_noun = counts_unknown(binder.world, reading, sure, num);
    let extreme =
        |fact: &Fact| needs.first().is_some_and(|(need, _)| extreme(binder, num, need, fact));
    let strange = |fact: &Fact| {
        extreme(fact)
            || sure.of_a_stranger(reading, num, fact)
            || other_noun && of_another(binder.world, fact)
    };
    found.retain(|fact| !strange(fact));
    let place = num.place;
    // `9,316 stops`: what the rows are called is no amount.
    let rows = num.counted == Some(Counted::Rows)
        && num.part.is_none()
        && (num.place.last..=num.tail).any(|i| reading.tokens.get(i).is_some_and(|t| t.counts));
    // Neither is a number of rows `8,400 bottles`, where bottles are added up.
    let amount = num.counted == Some(Counted::Perhaps) && adds_up(binder, num);
    let ends_of_range =
        ["from", "to", "с", "со", "от", "до"].contains(&reading.word_before(place.first));
    // What the nearest words do not bear out another reading of the sentence may.
    let otherwise = || {
        let needs: Vec<Need> = needs.iter().map(|(need, _)| need.clone()).collect();
        let mut read = num.clone();
        if negated_bound(binder, num)
            && let Some((above, _)) = &mut read.bound
        {
            *above = !*above;
        }
        let fits_one = |need: &Need| {
            let found = readings(binder, item, num, std::slice::from_ref(need));
            found.iter().any(|(fact, up)| fit(&read, fact, *up) == Fit::Yes)
        };
        // Said of several groups, it is true of each, or of all together.
        let one_by_one = needs.len() == 1 || ends_of_range || needs.iter().all(fits_one);
        let (fact, _) = readings(binder, item, num, &needs)
            .into_iter()
            .filter(|(fact, _)| of_unit(fact) && !strange(fact))
            .filter(
                |(fact, _)| if fact.count { !amount } else { !rows || of_a_count(binder, fact) },
            )
            .filter(|(fact, _)| one_by_one || fact.formula.is_some() || fact.source.row.is_none())
            .find(|(fact, up)| fit(&read, fact, *up) == Fit::Yes)
            .filter(|(fact, _)| !turned(binder, num, fact))?;
        let verdict = if fact.formula.is_some() { Verdict::Derived } else { Verdict::Verified };
        Some((place, finding(text, reading, place, verdict, None, Some(&fact), Why::Fine)))
    };
    let unknown = |why: Why| {
        (place, finding(text, reading, place, Verdict::Unverifiable, None, found.first(), why))
    };
    if unread_suffix(reading, num) {
        return unknown(Why::Doubt);
    }
    if needs.first().is_some_and(|(need, _)| wrongly_paired(binder, num, need)) {
        return unknown(Why::Doubt);
    }
    // `80 of 80` where more were searched: the whole is not that of which it is a part.
    if let Some(Part::Denominator(of)) = num.part
        && let Some(part) = reading.numbers.get(of).filter(|p| !p.number.percent)
        && part.number.value == num.number.value
        && !binder.world.views.iter().any(|v| v.outcome.rows_scanned as f64 == num.number.value)
    {
        return unknown(Why::Value);
    }
    let Some(first) = found.first() else {
        return otherwise().unwrap_or_else(|| unknown(Why::Unknown));
    };
    if num.negated {
        return unknown(Why::Ambiguous);
    }
    // A number of rows has no direction, and the name of a measure may be one (`reduction`).
    let undirected = |f: &Fact| f.count || words::names_a_fall(&f.source.column);
    let direction = if first.formula.as_ref().is_some_and(|f| f.contains('[')) {
        None
    } else {
        binder.direction(num)
    };
    let up = direction.map(|(up, _)| up);
    let fits: Vec<Fit> = found.iter().map(|f| fit(num, f, up.filter(|_| !undirected(f)))).collect();
    if fits.iter().all(|f| *f == Fit::Yes) {
        if turned(binder, num, first) {
            return unknown(Why::Unknown);
        }
        let verdict = if first.formula.is_some() { Verdict::Derived } else { Verdict::Verified };
        return (place, finding(text, reading, place, verdict, None, Some(first), Why::Fine));
    }
    // The direction is wrong, the amount is right, or one of several groups fits: no other reading
    // helps.
    let each = needs.len() > 1 && found.len() == needs.len();
    // `Between January and April it fell from 18 to 10`: each number is of one end.
    let split = !ends_of_range
        && each
        && fits.contains(&Fit::Yes)
        && fits.iter().any(|f| matches!(f, Fit::No | Fit::Bound));
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
    let clause = reading.clause(num.place);
    let all = reading.clause_has(clause, words::TOTAL)
        || reading.clause_has(clause, words::OVERALL)
        || ["are", "were"].contains(&reading.word_before(num.place.first));
    let some = num.counted == Some(Counted::Groups) && num.number.value < first.value && !all;
    if fits[at] == Fit::Loose || some {
        return unknown(Why::Value);
    }
    differs(&found[at], if each { at } else { 0 }, fits[at])
}

/// A fact is made of a column that counts, or that no query made and may do so (`purchase_count`).
fn of_a_count(binder: &Binder, fact: &Fact) -> bool {
    let mut measures = binder.world.views.iter().flat_map(|v| &v.measures);
    measures.any(|m| m.name == fact.source.column && m.agg.is_none_or(|agg| agg == Agg::Count))
}

/// The noun behind a number is what a column adds up, and no column counts it.
fn adds_up(binder: &Binder, num: &Num) -> bool {
    let behind = |b: &&Mark<Vec<String>>| b.place.first == num.place.last + 1;
    let Some(noun) = binder.reading.bases.iter().find(behind) else { return false };
    let of = |agg: Agg| {
        let measures = binder.world.views.iter().flat_map(|v| &v.measures);
        measures
            .filter(|m| noun.what.contains(&m.base))
            .any(|m| m.agg == Some(agg) && m.unit.is_none())
    };
    of(Agg::Sum) && !of(Agg::Count)
}

/// The actual value in the words of the claim, and the tokens that it replaces.
pub(super) fn rewrite(
    text: &str,
    binder: &Binder,
    num: &Num,
    fact: &Fact,
    how: Fit,
) -> (Place, String) {
    let reading = binder.reading;
    let mut place = num.place;
    let mut number = num.number.clone();
    let size = if number.percent && !fact.percent && fact.share { 100.0 } else { 1.0 };
    // In the unit that is written.
    let value = fact.value * conversion(num, fact).unwrap_or(size);
    let up = binder.direction(num).map(|(up, _)| up);
    let value = if told_bare(num, fact, up) { value.abs() } else { value };
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
    if let Some(words) = ratio_in_words(binder, num, value).filter(|_| num.bound.is_none()) {
        return (place, words);
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
