//! The value of another group. A number that its own group has in no column, and that another group
//! has in the column which is spoken of, is that group's: there the sentence need not be understood to
//! the last word to say what the number should be.

use super::bind::Binder;
use super::judge::{Finding, Why, finding, rewrite};
use super::known::{cell_of, counts, ratio_of};
use super::lex::Token;
use super::link::Reach;
use super::meant::{meant, moves};
use super::names::{name_of, without_possessive, write_like};
use super::order::Ordered;
use super::rank::{largest, ranked};
use super::read::{Counted, End, Mention, Num, Place, Reading, Superlative};
use super::resolve::{Fact, Need, Rows, cell, facts, select, shown};
use super::sure::Sure;
use super::verify::{Fit, fit, units_agree};
use super::wholes::of_all;
use super::words::{self, Agg, has};
use super::world::{Measure, View};
use crate::query::check::ResultKind;
use crate::validate::{FactRef, Verdict};

/// Fewer digits than these are met by chance.
const DIGITS: usize = 2;

/// And fewer than these, where no word says what is measured.
const ENOUGH: usize = 3;

/// In more rows than these some other row has a number by chance.
const ROWS: usize = 10_000;

/// Starts of words that lead from one group to another.
const NEIGHBOURS: &[&str] = &[
    "after",
    "before",
    "next",
    "follow",
    "previous",
    "earlier",
    "later",
    "другой",
    "других",
    "остальн",
    "следующ",
    "предыдущ",
    "после",
    "перед",
    "other",
    "another",
    "rest",
];

/// Contradicts what was only marked, where the number is another group's.
pub(super) fn swapped(text: &str, binder: &Binder, sure: &Sure, out: &mut [(Place, Finding)]) {
    let reading = binder.reading;
    let mut changed: Vec<(usize, (Place, Finding))> = Vec::new();
    for (item, &n) in binder.claims.iter().enumerate() {
        let num = &reading.numbers[n];
        let at = out.iter().position(|(place, _)| place.last == num.place.last);
        let Some(at) = at.filter(|&at| {
            let found = &out[at].1;
            let open = matches!(found.why, Why::Unknown) && found.claim.fact.is_none();
            found.claim.verdict == Verdict::Unverifiable
                && (open || matches!(found.why, Why::Doubt | Why::Ambiguous))
        }) else {
            continue;
        };
        // Where something else of the sentence was not understood, this was not either.
        let sentence = reading.sentence(num.place);
        let others = out.iter().enumerate().any(|(i, (place, found))| {
            i != at
                && reading.sentence(*place) == sentence
                && !matches!(found.claim.verdict, Verdict::Verified | Verdict::Derived)
        });
        if others && its_name(binder, num).is_none() {
            continue;
        }
        let own = of_its_own(binder, sure, item, num, out)
            .or_else(|| of_its_measure(binder, item, num))
            .or_else(|| meant(binder, sure, item, num))
            .or_else(|| of_all(binder, sure, item, num))
            .or_else(|| ratio_of(binder, num))
            .or_else(|| cell_of(binder, sure, item, num));
        let Some(fact) = own else { continue };
        // What the sentence has said already it does not say again.
        let said = out.iter().enumerate().any(|(i, (place, found))| {
            let same =
                |own: &FactRef| own.row == fact.source.row && own.column == fact.source.column;
            i != at
                && reading.sentence(*place) == sentence
                && found.claim.formula.is_none()
                && found.claim.fact.as_ref().is_some_and(same)
                && reading.numbers.iter().any(|n| n.place.first == place.first)
        });
        if said {
            continue;
        }
        let (place, actual) = rewrite(text, binder, num, &fact, Fit::No);
        let wrong = Verdict::Contradicted;
        let found = finding(text, reading, place, wrong, Some(actual), Some(&fact), Why::Value);
        changed.push((at, (place, found)));
    }
    for (at, found) in changed {
        out[at] = found;
    }
}

/// `The fewest loans were in August: 1,940`, where that is the number of July, which has the fewest: the
/// place in the order and the number say the same group, and the name is another's.
pub(super) fn misplaced(
    text: &str,
    binder: &Binder,
    o: &Ordered,
    out: &mut [(Place, Finding)],
) -> Option<()> {
    let reading = binder.reading;
    let mention = reading.mentions.get(o.mention?)?;
    let mark = reading.superlatives.iter().find(|s| s.place == o.scope.0)?.what;
    let sentence = reading.sentence(mention.place);
    let here = |p: Place| reading.sentence(p) == sentence;
    let several = reading.mentions.iter().any(|m| here(m.place) && m.name != mention.name);
    let marks = reading.superlatives.iter().filter(|s| here(s.place)).count();
    if mark.negated || mark.odd || mark.end != End::Said || several || marks != 1 {
        return None;
    }
    let mut numbers = binder.claims.iter().map(|&n| &reading.numbers[n]);
    let num = numbers.find(|num| here(num.place))?;
    if numbers.any(|num| here(num.place)) || !plain(binder, num) {
        return None;
    }
    let mut found: Option<(&View, usize, Fact)> = None;
    for view in &binder.world.views {
        let Some(at) = mention.axes.iter().find_map(|a| view.on_axis(a)) else { continue };
        let own = view.rows_named(at, &mention.name);
        let many = view.outcome.rows.len() > ROWS;
        if many || view.cut() || view.names.len() != 1 || own.is_empty() {
            return None;
        }
        // Where it holds an end of the order by whatever measure, the number may be what is wrong; where
        // the words say by what, by that.
        let said = |m: &&Measure| o.by.as_ref().is_none_or(|by| by.contains(&m.name));
        let ends = view.measures.iter().filter(said).any(|m| {
            [true, false].into_iter().any(|most| {
                ranked(view, m, None, most, mark.rank)
                    .is_some_and(|(rows, _)| rows.iter().any(|row| own.contains(row)))
            })
        });
        if ends {
            return None;
        }
        for m in view.measures.iter().filter(said) {
            let most = largest(view, m, None, mark);
            let Some((rows, _)) = ranked(view, m, None, most, mark.rank) else { continue };
            let &[row] = rows.as_slice() else { continue };
            let fact = cell(view, m, row)?;
            if fit(num, &fact, None) != Fit::Yes || own.contains(&row) {
                continue;
            }
            if found.as_ref().is_some_and(|(_, other, _)| *other != row) {
                return None;
            }
            found = Some((view, at, fact));
        }
        let says = |row: usize, m: &Measure| {
            cell(view, m, row).is_some_and(|fact| fit(num, &fact, None) == Fit::Yes)
        };
        if own.iter().any(|&row| view.measures.iter().any(|m| says(row, m))) {
            return None;
        }
    }
    let (view, at, fact) = found?;
    let name = view.names.get(at)?;
    let value = view.outcome.value(fact.source.row?, name.column);
    let right = name_of(&name.axis, &value)?;
    let before = reading.word_before(o.place.first).to_owned();
    let words = without_possessive(reading.text(text, o.place));
    let actual = write_like(&name.axis, words, &before, &right, &shown(&value));
    for (place, finding) in out.iter_mut().filter(|(place, _)| here(*place)) {
        if *place == o.place {
            finding.claim.verdict = Verdict::Contradicted;
            finding.claim.actual = Some(actual.clone());
            finding.claim.fact = Some(fact.source.clone());
            finding.why = Why::Order(fact.source.column.clone());
        } else if place.last == num.place.last {
            finding.claim.verdict = Verdict::Verified;
            finding.claim.actual = None;
            finding.claim.formula = None;
            finding.claim.operands = Vec::new();
            finding.claim.fact = Some(fact.source.clone());
            finding.why = Why::Fine;
        }
    }
    Some(())
}

/// What the number should be: the cell of the group that is named, in the one column in which another
/// group has the number.
fn of_its_own(
    binder: &Binder,
    sure: &Sure,
    item: usize,
    num: &Num,
    out: &[(Place, Finding)],
) -> Option<Fact> {
    let reading = binder.reading;
    if !plain(binder, num) {
        return None;
    }
    let mut needs = binder.needs(item);
    let (mut need, _) = needs.pop().filter(|_| needs.is_empty())?;
    need.names.retain(|n| n.reach != Reach::Before);
    let mut found: Option<Fact> = None;
    for view in &binder.world.views {
        let many = view.outcome.rows.len() > ROWS;
        if many || view.kind == ResultKind::Scalar || need.names.is_empty() {
            continue;
        }
        let Some((Rows::Some(rows), _)) = select(view, &need.names) else { continue };
        let &[row] = rows.as_slice() else { continue };
        let up = binder.direction(num).map(|(up, _)| up);
        let says = |m: &Measure, row: usize| {
            cell(view, m, row).is_some_and(|fact| fit(num, &fact, up) == Fit::Yes)
        };
        // Its own value in any column may be what is meant.
        if view.measures.iter().any(|m| says(m, row)) {
            return None;
        }
        let sentence = reading.sentence(num.place);
        // Where each name has its number behind it, none has that of another.
        let tied = its_name(binder, num).is_some_and(|own| names_row(view, own, row));
        let named = |row: usize| {
            reading.mentions.iter().any(|m| {
                let of = reading.sentence(m.place);
                let busy = tied
                    && reading.numbers.iter().any(|n| {
                        n.place != num.place
                            && its_name(binder, n).is_some_and(|own| own.place == m.place)
                    });
                !busy
                    && (of == sentence || of + 1 == sentence)
                    && m.axes.iter().find_map(|a| view.on_axis(a)).is_some_and(|at| {
                        let rows = view.rows_named(at, &m.name);
                        rows.len() < view.outcome.rows.len()
                            && rows.contains(&row)
                            && !need.names.iter().any(|n| n.name == m.name)
                    })
            })
        };
        let mut spoken = spoken_of(binder, num, &need, view);
        // `6,200 wagons`: what nobody knows the name of may be any column.
        let next = num.tail.max(num.place.last) + 1;
        let unnamed = digits(num) >= ENOUGH
            && reading.tokens.get(next).is_some_and(|t| {
                t.is_word() && t.clause == reading.clause(num.place) && !sure.knows(next)
            })
            && num.number.unit.is_none()
            && !num.number.percent
            && !names_one(binder, num)
            && need.agg.is_none_or(|(_, reach)| reach == Reach::Before);
        if unnamed {
            // Three digits only where things are counted.
            let few = digits(num) == ENOUGH;
            let added = |m: &Measure| m.agg == Some(Agg::Sum) && m.unit.is_none();
            let sums = view.measures.iter().any(added);
            let thing = |m: &Measure| counts(m) && !(sums && m.agg == Some(Agg::Count));
            let all = view.measures.iter();
            spoken = all.filter(|m| !m.percent() && (!few || thing(m))).collect();
        }
        // A list goes on with what its other numbers are of.
        if let Some(column) =
            of_the_list(binder, num, (view, row), out).filter(|_| !names_one(binder, num))
            && spoken.iter().any(|m| m.name == column)
        {
            spoken.retain(|m| m.name == column);
        }
        // `24 times` counts rows, whatever else the group has.
        let counted = num.counted == Some(Counted::Rows) && !moves(binder, num);
        if counted && spoken.is_empty() {
            spoken = view.measures.iter().filter(|m| counts(m)).collect();
        }
        if counted && spoken.iter().any(|m| m.agg == Some(Agg::Count)) {
            spoken.retain(|m| m.agg == Some(Agg::Count));
        }
        let told = spoken.len() == 1 || names_one(binder, num);
        if digits(num) < ENOUGH && !told {
            continue;
        }
        for m in spoken {
            let others = 0..view.outcome.rows.len();
            let mut others = others.filter(|&r| r != row && says(m, r)).peekable();
            if others.peek().is_none() {
                continue;
            }
            let fact = cell(view, m, row)?;
            // Where the sentence gives the other group its number, this one is not that again.
            let told = |row: usize| {
                out.iter().any(|(place, found)| {
                    reading.sentence(*place) == sentence
                        && reading.numbers.iter().any(|n| n.place.last == place.last)
                        && found.claim.verdict == Verdict::Verified
                        && found.claim.formula.is_none()
                        && found.claim.fact.as_ref().is_some_and(|own| {
                            own.row == Some(row) && own.column == fact.source.column
                        })
                })
            };
            if found.is_some() || others.any(|row| named(row) && !told(row)) {
                return None;
            }
            found = Some(fact);
        }
    }
    found
}

/// The name that a number is of whatever else is said: it stands in brackets right behind it (`Kuper (145)
/// outsold Zarya (78.25)`), or `respectively` puts so many names and numbers in one order.
fn its_name<'r>(binder: &Binder<'r>, num: &Num) -> Option<&'r Mention> {
    let reading = binder.reading;
    let tokens = &reading.tokens;
    let open = num.place.first.checked_sub(1).filter(|&i| tokens[i].is('('));
    let closed = tokens.get(num.tail.max(num.place.last) + 1).is_some_and(|t| t.is(')'));
    if let Some(open) = open.filter(|_| closed) {
        // `литейный цех (312 000)`: what the groups are may stand between.
        let next = |m: &&Mention| {
            m.place.last + 1 == open
                || m.place.last + 2 == open
                    && binder.world.axis_words.contains_key(&tokens[open - 1].stem)
        };
        return reading.mentions.iter().find(next);
    }
    let sentence = reading.sentence(num.place);
    let word = |t: &Token| t.lower == "respectively" || t.lower.starts_with("соответственно");
    if !tokens.iter().any(|t| t.sentence == sentence && word(t)) {
        return None;
    }
    let here = |place: Place| reading.sentence(place) == sentence;
    let names: Vec<_> = reading.mentions.iter().filter(|m| here(m.place)).collect();
    let numbers: Vec<_> = reading.numbers.iter().filter(|n| here(n.place)).collect();
    let at = numbers.iter().position(|n| n.place == num.place)?;
    let alike = names.len() == numbers.len() && names.iter().all(|m| m.axes == names[0].axes);
    names.get(at).copied().filter(|_| alike)
}

/// A name is that of a row alone.
fn names_row(view: &View, m: &Mention, row: usize) -> bool {
    let at = m.axes.iter().find_map(|a| view.on_axis(a));
    at.is_some_and(|at| view.rows_named(at, &m.name).as_slice() == [row])
}

/// What the number should be: the value by the aggregate that its clause names, where the number is that
/// by another aggregate of the same group, which no word of the sentence names.
fn of_its_measure(binder: &Binder, item: usize, num: &Num) -> Option<Fact> {
    let reading = binder.reading;
    let mut needs = binder.needs(item);
    let (mut need, _) = needs.pop().filter(|_| needs.is_empty() && plain(binder, num))?;
    need.names.retain(|n| n.reach != Reach::Before);
    let near = |reach: Option<Reach>| reach == Some(Reach::Clause);
    let told = near(need.agg.filter(|(agg, _)| *agg != Agg::Count).map(|(_, reach)| reach));
    let end = need.superlative.filter(|s| s.rank == 1 && !s.fall && !s.speed);
    if !told && end.is_none() {
        return None;
    }
    let mut led = facts(binder.world, &need);
    led.dedup_by(|a, b| a.source == b.source);
    // Of several maxima one has the size of the number.
    if led.len() > 1 {
        led.retain(|f| (0.1..10.0).contains(&(f.value / num.number.value).abs()));
    }
    let [fact] = led.as_slice() else { return None };
    let row = fact.source.row.filter(|_| fact.formula.is_none() && units_agree(num, fact))?;
    let view = binder.world.views.iter().find(|v| v.outcome.id == fact.source.result)?;
    let own = view.measures.iter().find(|m| m.name == fact.source.column)?;
    // `the smallest one`: the superlative is the name of the aggregate.
    let of_end = |s: Superlative| own.agg == Some(if s.most { Agg::Max } else { Agg::Min });
    if !told && !end.is_some_and(of_end) {
        return None;
    }
    let says = |m: &&Measure| {
        m.name != own.name && cell(view, m, row).is_some_and(|f| fit(num, &f, None) == Fit::Yes)
    };
    let mut others = view.measures.iter().filter(says).peekable();
    others.peek()?;
    let sentence = reading.sentence(num.place);
    let here = |p: Place| reading.sentence(p) == sentence;
    let named = |m: &Measure| {
        let agg = |agg| m.agg == Some(agg);
        let ends = reading.superlatives.iter().filter(|s| here(s.place)).any(|s| {
            let turned = s.what.fall || s.what.speed;
            agg(Agg::Max) && (s.what.most || turned) || agg(Agg::Min) && (!s.what.most || turned)
        });
        let of_agg = ends || reading.aggs.iter().any(|a| here(a.place) && m.agg == Some(a.what));
        of_agg || own.agg == m.agg
    };
    (!others.any(named)).then(|| fact.clone())
}

/// A number as it is, of enough digits, in a clause that holds nothing against anything.
pub(super) fn plain(binder: &Binder, num: &Num) -> bool {
    let says = |table| binder.reading.clause_has(binder.reading.clause(num.place), table);
    // `На Produce пришлось 268 покупок`: what is no per cent is no share.
    let percent = num.number.percent || num.number.value.abs() <= 1.0;
    let shared = percent && says(words::SHARE);
    bare(num) && !shared && !relates(binder, num, None) && !says(words::TOGETHER)
}

/// A number as it is, of enough digits.
pub(super) fn bare(num: &Num) -> bool {
    let plain = num.bound.is_none()
        && !num.about
        && !num.times
        && !num.negated
        && !num.number.points
        && num.part.is_none()
        && num.range.is_none();
    // The zero of `0.9` is shown as well.
    let zero = usize::from(num.number.value.abs() < 1.0 && num.number.decimals > 0);
    plain && digits(num) + zero >= DIGITS
}

/// The columns that the number may be of: those that the words lead to, and those that its clause
/// names; every one, where it names none.
fn spoken_of<'v>(binder: &Binder, num: &Num, need: &Need, view: &'v View) -> Vec<&'v Measure> {
    let reading = binder.reading;
    let led: Vec<String> = facts(binder.world, need)
        .into_iter()
        .filter(|f| f.formula.is_none() && f.source.result == view.outcome.id)
        .map(|f| f.source.column)
        .collect();
    let clause = reading.clause(num.place);
    let named: Vec<&String> = reading
        .bases
        .iter()
        .filter(|b| reading.clause(b.place) == clause && !reading.is_of_another(b.place, num))
        .flat_map(|b| &b.what)
        .collect();
    let agg = need.agg.filter(|(_, reach)| *reach != Reach::Before).map(|(agg, _)| agg);
    let of_agg = |m: &Measure| agg.is_none_or(|a| m.agg.is_none_or(|own| own == a));
    // A per cent is of a measure in per cent, and nothing else is.
    let of_unit = |m: &&Measure| {
        cell(view, m, 0)
            .is_none_or(|fact| units_agree(num, &fact) && (num.number.percent || !fact.percent))
    };
    let meant = |m: &&Measure| {
        led.contains(&m.name) || (named.is_empty() || named.contains(&&m.base)) && of_agg(m)
    };
    let all: Vec<&Measure> = view.measures.iter().filter(of_unit).collect();
    let some: Vec<&Measure> = all.iter().copied().filter(meant).collect();
    let told = num.number.percent || num.number.unit.is_some();
    if some.is_empty() && told { all } else { some }
}

/// The one column that the right numbers of the sentence are of. Those of the same group are no list:
/// what is said of it once is not said again (`March sold 4 units for 545`).
fn of_the_list(
    binder: &Binder,
    num: &Num,
    (view, row): (&View, usize),
    out: &[(Place, Finding)],
) -> Option<String> {
    let reading = binder.reading;
    let sentence = reading.sentence(num.place);
    let mut columns = out
        .iter()
        .filter(|(place, found)| {
            reading.sentence(*place) == sentence
                && reading.numbers.iter().any(|n| n.place.last == place.last)
                && found.claim.verdict == Verdict::Verified
                && found.claim.formula.is_none()
        })
        .filter_map(|(_, found)| found.claim.fact.as_ref())
        .filter(|fact| fact.row.is_some_and(|r| r != row) && fact.result == view.outcome.id)
        .map(|fact| &fact.column);
    let first = columns.next()?;
    columns.all(|column| column == first).then(|| first.clone())
}

/// Whether the clause names what is measured.
fn names_one(binder: &Binder, num: &Num) -> bool {
    let clause = binder.reading.clause(num.place);
    let reading = binder.reading;
    let named = |p: Place| reading.clause(p) == clause && !reading.is_of_another(p, num);
    reading.bases.iter().any(|b| named(b.place))
}

/// How many digits the number shows.
pub(super) fn digits(num: &Num) -> usize {
    let value = num.number.value.abs() / num.number.scale;
    let whole = if value >= 1.0 { value.log10().floor() as usize + 1 } else { 0 };
    whole + num.number.decimals as usize
}

/// A sentence leads from one group to another.
pub(super) fn leads_on(reading: &Reading, sentence: usize) -> bool {
    let tokens = &reading.tokens;
    let here = |i: &usize| tokens[*i].sentence == sentence;
    // `прошлый` is of what was before, `прошло` is a verb.
    // `another 20 %` is one more number.
    let more = |i: usize| {
        tokens[i].lower == "another"
            && tokens.get(i + 1).is_some_and(|t| matches!(t.kind, super::lex::Kind::Number(_)))
    };
    let onward = |i: usize| {
        // `передают` is no `перед`.
        let word = tokens[i].lower.as_str();
        let begins = |start: &str| word.starts_with(start) && (start != "перед" || word == start);
        !more(i) && NEIGHBOURS.iter().any(|start| begins(start))
            || tokens[i].lower.starts_with("прошл") && has(words::EARLIER, tokens, i)
    };
    (0..tokens.len()).filter(here).any(onward)
}

/// The clause holds groups against each other, or leads from one to another.
///
/// The words of a place in an order (`last`) that the sentence states do neither.
pub(super) fn relates(binder: &Binder, num: &Num, mark: Option<Place>) -> bool {
    let reading = binder.reading;
    let tokens = &reading.tokens;
    let (clause, sentence) = (reading.clause(num.place), reading.sentence(num.place));
    if leads_on(reading, sentence) {
        return true;
    }
    let own = |i: usize| mark.is_some_and(|p| (p.first..=p.last).contains(&i));
    (0..tokens.len()).filter(|&i| tokens[i].clause == clause && !own(i)).any(|i| {
        [words::DIFFERENCE, words::EARLIER].into_iter().any(|table| has(table, tokens, i))
            || has(words::RATIOS, tokens, i)
            || has(words::NONE, tokens, i)
            || has(words::NOT, tokens, i)
            || has(words::EVERY, tokens, i)
    })
}
