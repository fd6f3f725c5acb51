//! Numbers that follow from two facts: difference, ratio and share, where words name the
//! operation. Nothing is tried that no word asks for.

use super::bind::Binder;
use super::bounds::{every, excepted};
use super::link::Reach;
use super::read::{Counted, Mention, Num};
use super::resolve::{About, Fact, Need, Rows, cell, cells, measures, select, sum_of_all};
use super::words::{self, find, has};
use super::world::{Measure, View};

/// The operation that the words name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Op {
    /// First minus second; its amount alone where the words say no direction.
    Difference(Option<bool>),
    /// The difference in per cent of the second.
    Percent(Option<bool>),
    /// First divided by second.
    Ratio(Option<bool>),
    /// Part of the total, in per cent.
    Share,
}

/// The facts that a derived number may be: `None` where no word names an operation, empty where
/// one does and the evidence does not give it.
pub(super) fn derived(binder: &Binder, num: &Num, need: &Need) -> Option<Vec<Fact>> {
    let excepting = |v: &View| num.bound.is_some() && excepted(binder, num, v).is_some();
    if binder.world.views.iter().any(excepting) {
        let every = |v| {
            measures(v, &Need { names: Vec::new(), ..need.clone() })
                .into_iter()
                .filter_map(|(m, _)| every(binder, num, need, v, m))
                .collect::<Vec<_>>()
        };
        return Some(binder.world.views.iter().flat_map(every).collect());
    }
    let (op, first, second) = operation(binder, num)?;
    let mut out = Vec::new();
    for (i, view) in binder.world.views.iter().enumerate() {
        if need.views.as_ref().is_some_and(|(v, r)| !v.contains(&i) && *r != Reach::Before) {
            continue;
        }
        if op == Op::Share {
            out.extend(share(view, need));
            continue;
        }
        let (Some(a), Some(b)) = (first, second) else { continue };
        let mut need = need.clone();
        need.percent = false;
        for (m, penalty) in measures(view, &need) {
            let axes = |x: &Mention| x.axes.clone();
            let others: Vec<About> =
                need.names.iter().filter(|n| n.axes != a.axes).cloned().collect();
            let one = |x: &Mention| {
                let mut names = others.clone();
                names.push(About { axes: axes(x), name: x.name.clone(), reach: Reach::Clause });
                match select(view, &names)? {
                    (Rows::Some(rows), _) if rows.len() == 1 => cell(view, m, rows[0]),
                    _ => None,
                }
            };
            let (Some(x), Some(y)) = (one(a), one(b)) else { continue };
            if let Some(mut fact) = apply(op, m, &x, &y) {
                fact.penalty = penalty;
                out.push(fact);
            }
        }
    }
    let least = out.iter().map(|f| f.penalty).min().unwrap_or(0);
    out.retain(|f| f.penalty == least);
    // `9.9 % of its flights were late`: no share of the rows, and a measure in per cent may be meant.
    (op != Op::Share || !out.is_empty()).then_some(out)
}

fn apply(op: Op, m: &Measure, x: &Fact, y: &Fact) -> Option<Fact> {
    let key = |f: &Fact| {
        f.source.key.iter().map(|(k, v)| format!("{k}={v}")).collect::<Vec<_>>().join(", ")
    };
    let (first, second) = (format!("{}[{}]", m.name, key(x)), format!("{}[{}]", m.name, key(y)));
    let (amount, up, formula) = match op {
        Op::Difference(up) => (x.value - y.value, up, format!("{first} - {second}")),
        Op::Percent(up) if y.value != 0.0 => (
            (x.value / y.value - 1.0) * 100.0,
            up,
            format!("({first} - {second}) / {second} * 100"),
        ),
        Op::Ratio(up) if x.value != 0.0 && y.value != 0.0 => {
            // `1.7 times lower` is the other way round.
            if up == Some(false) {
                (y.value / x.value, None, format!("{second} / {first}"))
            } else {
                (x.value / y.value, None, format!("{first} / {second}"))
            }
        }
        _ => return None,
    };
    // `33 higher`: a rise. `difference of 33`: its amount. `33 lower`: a fall said without a sign.
    let value = match (op, up) {
        (Op::Ratio(_), _) => amount,
        (_, None) => amount.abs(),
        (_, Some(up)) if up == (amount >= 0.0) => amount.abs(),
        (_, Some(_)) => -amount.abs(),
    };
    let mut fact = x.clone().made_of([x.source.clone(), y.source.clone()]);
    fact.value = value;
    fact.formula = Some(formula);
    fact.source.row = None;
    fact.source.key = Vec::new();
    fact.source.value = crate::value::Value::float(value);
    fact.count = false;
    if !matches!(op, Op::Difference(_)) {
        fact.percent = matches!(op, Op::Percent(_));
        fact.unit = None;
        fact.share = false;
    }
    Some(fact)
}

fn operation<'r>(
    binder: &Binder<'r>,
    num: &Num,
) -> Option<(Op, Option<&'r Mention>, Option<&'r Mention>)> {
    let reading = binder.reading;
    let tokens = &reading.tokens;
    let sentence = reading.sentence(num.place);
    let here: Vec<&Mention> =
        reading.mentions.iter().filter(|m| reading.sentence(m.place) == sentence).collect();
    let starts = |at: usize| here.iter().find(|m| m.place.first == at).copied();
    let after = num.tail + 1;

    // `1.7 times Friday's 45`
    if num.times
        && let Some(second) = starts(after)
    {
        return Some((Op::Ratio(None), Some(before(&here, num, second)?), Some(second)));
    }
    // `33 higher than Friday`, `на 33 больше, чем в пятницу`, `1.7 times as high as Friday`
    for at in after..after + 4 {
        if tokens.get(at).is_none_or(|t| t.clause != tokens[num.place.first].clause) {
            break;
        }
        let compared = find(words::COMPARATIVES, tokens, at).map(|((up, _), len)| (Some(up), len));
        let as_high = (num.times && tokens[at].lower == "as").then_some((None, 1));
        let of = (num.times && ["that", "the"].contains(&tokens[at].lower.as_str()))
            .then_some((None, 1));
        let Some((up, len)) = compared.or(as_high).or(of) else { continue };
        let Some(second) = (at + len..at + len + 6).find_map(starts) else { continue };
        // Only small words may stand between the comparison and the second group.
        let small = [
            "than", "as", "чем", "в", "во", "on", "in", "of", "high", "large", "much", "many",
            "the", "for", "that", "value", "average", "у", "по",
        ];
        let clear = (at + len..second.place.first).all(|i| {
            let t = &tokens[i];
            t.is(',')
                || small.contains(&t.lower.as_str())
                || binder.reading.bases.iter().any(|b| b.place.first == i)
        });
        if !clear {
            continue;
        }
        let first = before(&here, num, second)?;
        let op = match (num.times, num.number.percent) {
            (true, _) => Op::Ratio(up),
            (_, true) => Op::Percent(up),
            _ => Op::Difference(up),
        };
        return Some((op, Some(first), Some(second)));
    }
    // `exceeds Friday by 33`, `превышает пятницу на 33`
    let by = num.bound.map_or(num.place.first, |(_, at)| at);
    if ["by", "на"].contains(&reading.word_before(by))
        && let Some(second) = here.iter().rev().find(|m| m.place.last + 2 == by).copied()
        && let Some(verb) = second.place.first.checked_sub(1)
        && let Some(((up, _), _)) = find(words::COMPARATIVES, tokens, verb)
            .or_else(|| tokens[verb].lower.starts_with("превы").then_some(((true, ""), 1)))
    {
        let first = before(&here, num, second)?;
        let op = if num.number.percent { Op::Percent(Some(up)) } else { Op::Difference(Some(up)) };
        return Some((op, Some(first), Some(second)));
    }
    // `the difference between Monday and Friday is 33`
    let clause_words = |table| {
        (0..num.place.first).any(|i| tokens[i].sentence == sentence && has(table, tokens, i))
    };
    if clause_words(words::DIFFERENCE) && !num.number.percent {
        let mut pair = here.iter().copied();
        return match (
            pair.next(),
            pair.find(|m| Some(&m.axes) == here.first().map(|h| &h.axes) && m.name != here[0].name),
        ) {
            (Some(a), Some(b)) => Some((Op::Difference(None), Some(a), Some(b))),
            _ => Some((Op::Difference(None), None, None)),
        };
    }
    if num.times {
        let mut same = here.iter().copied();
        let first = same.next();
        let second = same.find(|m| Some(&m.axes) == first.map(|f| &f.axes));
        return Some((Op::Ratio(None), first.filter(|_| second.is_some()), second));
    }
    // `21% of all days`, `accounts for 21%`, `доля понедельника — 21%`
    let of = has(words::OF, tokens, after)
        && (after + 1..after + 5).any(|i| {
            i < tokens.len()
                && (words::counted(tokens, i).is_some()
                    || matches!(tokens[i].kind, super::lex::Kind::Number(_))
                    || ["all", "total", "rows", "всех", "всего", "общего", "общей", "их"]
                        .contains(&tokens[i].lower.as_str())
                    || reading.bases.iter().any(|b| b.place.first == i))
        });
    let counted = words::counted(tokens, after).is_some();
    // `16 of the 80 days, or 20%`
    let parts = reading.numbers.iter().any(|n| {
        n.part.is_some() && n.place.first < num.place.first && reading.sentence(n.place) == sentence
    });
    let shared = (0..tokens.len()).any(|i| {
        tokens[i].clause == tokens[num.place.first].clause && has(words::SHARE, tokens, i)
    });
    (num.number.percent && (of || counted || shared || parts)).then_some((Op::Share, None, None))
}

/// The group that is compared: the nearest before the number, else before the second group.
fn before<'r>(here: &[&'r Mention], num: &Num, second: &Mention) -> Option<&'r Mention> {
    let fits = |m: &&&Mention| m.axes == second.axes && m.name != second.name;
    here.iter()
        .rev()
        .filter(|m| m.place.last < num.place.first)
        .find(fits)
        .or_else(|| here.iter().filter(|m| m.place.first > second.place.last).find(fits))
        .copied()
}

/// A group's part of the total, or the part of the rows that the filter kept.
fn share(view: &View, need: &Need) -> Vec<Fact> {
    let percent = |part: f64, all: f64, mut fact: Fact, formula: String| {
        (all != 0.0).then(|| {
            fact.value = part / all * 100.0;
            fact.source.value = crate::value::Value::float(fact.value);
            fact.formula = Some(formula);
            (fact.percent, fact.share, fact.count, fact.unit) = (true, false, false, None);
            fact
        })
    };
    let mut counting = need.clone();
    counting.percent = false;
    // A column that holds per cent already says it itself.
    let direct: Vec<Fact> = measures(view, need)
        .into_iter()
        .filter(|(m, _)| m.percent() || m.share())
        .filter_map(|(m, _)| super::resolve::over(view, m, &select(view, &need.names)?.0, need))
        .collect();
    if !direct.is_empty() {
        return direct;
    }
    let Some((rows, _)) = select(view, &need.names) else { return Vec::new() };
    let Rows::Some(rows) = rows else {
        let mut whole = Need { counted: Some(Counted::Rows), ..Need::default() };
        whole.views.clone_from(&need.views);
        let scanned = view.outcome.rows_scanned as f64;
        let matched = view.outcome.rows_matched as f64;
        return super::resolve::view_facts(view, &whole)
            .into_iter()
            .filter_map(|f| {
                let of = ["rows_matched", "rows_scanned"].map(|name| {
                    let n = if name == "rows_matched" { matched } else { scanned };
                    super::resolve::whole(view, name, n as u64).source
                });
                let formula = "rows_matched / rows_scanned * 100".into();
                Some(percent(matched, scanned, f, formula)?.made_of(of))
            })
            .collect();
    };
    if view.cut() {
        return Vec::new();
    }
    // A share is of something that adds up: of the sum named, else of the number of rows.
    let named = need.base.is_some() || need.agg.is_some();
    let mut found: Vec<&Measure> =
        measures(view, &counting).into_iter().map(|(m, _)| m).filter(|m| m.additive()).collect();
    if found.is_empty() || !named {
        let additive: Vec<&Measure> = view.measures.iter().filter(|m| m.additive()).collect();
        found = if additive.len() == 1 { additive } else { found };
    }
    found
        .into_iter()
        .filter_map(|m| {
            let at = |row: &usize| view.outcome.value(*row, m.column).as_f64();
            let part: f64 = rows.iter().filter_map(at).sum();
            let all: f64 = (0..view.outcome.rows.len()).filter_map(|r| at(&r)).sum();
            let fact = cell(view, m, *rows.first()?)?;
            let of = cells(view, m, &rows).into_iter().chain([sum_of_all(view, m, all)]);
            Some(
                percent(part, all, fact, format!("{} / sum({}) * 100", m.name, m.name))?
                    .made_of(of),
            )
        })
        .collect()
}
