//! Whether a number says what a fact says: rounding, hedges, bounds, signs, units.

use super::number::{Sign, rounded};
use super::read::Num;
use super::resolve::Fact;
use super::words::UNITS;

/// How a number stands to a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fit {
    /// It says the same.
    Yes,
    /// The amount is right, the direction is not (`fell` for a rise).
    Direction,
    /// The bound is on the wrong side.
    Bound,
    /// The bound is true and says too little to check the number by.
    Loose,
    /// It says something else.
    No,
}

/// Compares. `up` is the direction that the words around state.
pub(super) fn fit(num: &Num, fact: &Fact, up: Option<bool>) -> Fit {
    if !units_agree(num, fact) {
        return Fit::No;
    }
    let value = if num.number.percent && !fact.percent && fact.share {
        fact.value * 100.0
    } else {
        fact.value * conversion(num, fact).unwrap_or(1.0)
    };
    let value = if told_bare(num, fact, up) { value.abs() } else { value };
    let readings = [Some(num.number.value), num.number.other];
    let mut best = Fit::No;
    for x in readings.into_iter().flatten() {
        let found = one(num, value, x, up);
        if found == Fit::Yes {
            return Fit::Yes;
        }
        if best == Fit::No {
            best = found;
        }
    }
    best
}

/// An amount without a sign, of what was spent.
pub(super) fn told_bare(num: &Num, fact: &Fact, up: Option<bool>) -> bool {
    fact.spent && num.number.sign == Sign::None && up.is_none()
}

fn one(num: &Num, value: f64, x: f64, up: Option<bool>) -> Fit {
    // An unsigned amount with a word of direction.
    if num.number.sign == Sign::None
        && let Some(up) = up
    {
        let (amount, rises) = (value.abs(), value >= 0.0);
        let fits = if num.bound.is_some() { bounded(num, amount, x) } else { near(num, amount, x) };
        return match fits {
            Fit::Yes if value != 0.0 && rises != up => Fit::Direction,
            other => other,
        };
    }
    if num.bound.is_some() { bounded(num, value, x) } else { near(num, value, x) }
}

fn near(num: &Num, value: f64, x: f64) -> Fit {
    let slack = 1e-9 * value.abs().max(1e-9);
    let half = num.number.half_unit() + slack;
    let exact = (value - x).abs() <= half || (rounded(value) - x).abs() <= half;
    let about = num.about && (value - x).abs() <= 0.05 * value.abs() + slack;
    if exact || about { Fit::Yes } else { Fit::No }
}

fn bounded(num: &Num, value: f64, x: f64) -> Fit {
    let Some((above, _)) = num.bound else { return Fit::No };
    let slack = 1e-9 * value.abs().max(1e-9);
    let right_side = if above { value >= x - slack } else { value <= x + slack };
    if !right_side {
        return Fit::Bound;
    }
    let unit = num.number.coarse_unit();
    // Cut down (or up) to the digits that are shown, or to a five of them.
    let cut_to = |unit: f64| {
        let cut = if above { (value / unit).floor() } else { (value / unit).ceil() } * unit;
        (cut - x).abs() <= slack + unit * 1e-9
    };
    let tight =
        (value - x).abs() <= 0.05 * value.abs() + slack || cut_to(unit) || cut_to(5.0 * unit);
    if tight { Fit::Yes } else { Fit::Loose }
}

/// Whether the unit that is written can be that of the fact.
pub(super) fn units_agree(num: &Num, fact: &Fact) -> bool {
    let number = &num.number;
    if number.points {
        // Points are a difference of percentages, never a percentage.
        return fact.percent && fact.formula.as_ref().is_some_and(|f| f.contains(" - "));
    }
    if number.percent {
        return fact.percent || fact.share;
    }
    let Some(said) = number.unit else { return true };
    if fact.count || fact.percent {
        return false;
    }
    match fact.unit.as_deref().and_then(unit_of) {
        Some(unit) => {
            // Degrees are of one scale or of the other.
            let degrees = |a: &str, b: &str| a == "°" && b.starts_with('°');
            unit == said
                || degrees(unit, said)
                || degrees(said, unit)
                || conversion(num, fact).is_some()
        }
        None => true,
    }
}

/// Units that measure the same: the size of each in the first of its family.
const FAMILIES: &[&[(&str, f64)]] = &[
    &[("ms", 1.0), ("s", 1e3), ("min", 6e4), ("h", 3.6e6), ("day", 8.64e7), ("week", 6.048e8)],
    &[("g", 1.0), ("kg", 1e3), ("t", 1e6)],
    &[("mm", 1.0), ("cm", 10.0), ("m", 1e3), ("km", 1e6), ("mile", 1_609_344.0)],
    &[("Wh", 1.0), ("kWh", 1e3), ("MWh", 1e6)],
    &[("B", 1.0), ("KB", 1e3), ("MB", 1e6), ("GB", 1e9)],
];

/// What a fact is multiplied by to be in the unit of the number: where both are of one family.
pub(super) fn conversion(num: &Num, fact: &Fact) -> Option<f64> {
    let said = num.number.unit?;
    let unit = unit_of(fact.unit.as_deref()?)?;
    let size = |family: &[(&str, f64)], u: &str| family.iter().find(|(n, _)| *n == u).map(|x| x.1);
    FAMILIES.iter().find_map(|f| Some(size(f, unit)? / size(f, said)?))
}

/// The one spelling of a declared unit, where it is known.
fn unit_of(declared: &str) -> Option<&'static str> {
    let lower = declared.to_lowercase();
    super::number::CURRENCIES
        .iter()
        .find(|(symbol, code)| *symbol == declared || code.to_lowercase() == lower)
        .map(|(_, code)| *code)
        .or_else(|| {
            UNITS
                .iter()
                .find(|(word, _)| {
                    word.strip_suffix('*').map_or(*word == lower, |w| lower.starts_with(w))
                })
                .or_else(|| UNITS.iter().find(|(_, unit)| unit.to_lowercase() == lower))
                .map(|(_, unit)| *unit)
        })
}
