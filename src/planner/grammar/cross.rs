//! Productions for one line of bars that crosses another: `crossed above its 20-day average`,
//! `пересекла снизу вверх`.

use super::super::lattice::Lattice;
use super::super::sketch::{Cond, Measure, Operand};
use super::super::words::Concept;
use super::Way;

/// Words that may stand between the line and what it does.
const BETWEEN: [&str; 8] = ["has", "have", "had", "was", "is", "did", "ever", "last"];

impl Lattice<'_> {
    /// `the close crossed above its 20-day average`, `RSI crosses below 30`.
    pub(super) fn crossings(&self, at: usize) -> Vec<Way<Cond>> {
        let mut ways = Vec::new();
        let Some(close) = self.close() else { return ways };
        let mut lines: Vec<Way<Measure>> = self.measures(at);
        // `it crossed above …` is the close
        let close = Measure::Column(close);
        lines.push((close, at, 0.9));
        let market = self.take(at, Concept::Market).or_else(|| self.take(at, Concept::Price));
        lines.extend(market.map(|end| (close, end, 0.95)));
        for (line, end, quality) in lines {
            let mut verb = self.glue(end);
            while BETWEEN.contains(&self.word(verb)) {
                verb += 1;
            }
            let Some((up, next)) = self.crosses(verb) else { continue };
            for (other, end, q) in self.crossed(next, line) {
                let turned = up.is_none().then(|| self.way(end)).flatten();
                let Some((up, end)) = up.map(|up| (up, end)).or(turned) else { continue };
                ways.push((Cond::Cross(line, other, up), end, quality * q));
            }
        }
        ways
    }

    /// The verb: which way it crosses where that is said next to it, and the end.
    fn crosses(&self, at: usize) -> Option<(Option<bool>, usize)> {
        let word = self.word(at);
        let crosses = ["cross", "crosses", "crossed", "crossing"].contains(&word);
        let cut = ["пересек", "пересеч", "пробил", "пробит", "пробив"]
            .iter()
            .any(|verb| word.starts_with(verb));
        if !crosses && !cut {
            return None;
        }
        let next = if self.word(at + 1) == "back" { at + 2 } else { at + 1 };
        if let Some((up, end)) = self.way(next) {
            return Some((Some(up), end));
        }
        cut.then_some((None, next))
    }

    /// `above`, `снизу вверх`.
    fn way(&self, at: usize) -> Option<(bool, usize)> {
        Some(match (self.word(at), self.word(at + 1)) {
            ("снизу", "вверх") | ("up", "through") => (true, at + 2),
            ("сверху", "вниз") | ("down", "through") => (false, at + 2),
            ("above" | "over" | "вверх" | "выше" | "снизу", _) => (true, at + 1),
            ("below" | "under" | "beneath" | "вниз" | "ниже" | "сверху", _) => {
                (false, at + 1)
            }
            _ => return None,
        })
    }

    /// What is crossed: a mean of the last days of the line, another line, a number.
    fn crossed(&self, at: usize, line: Measure) -> Vec<Way<Operand>> {
        let next = self.past(at);
        let mut ways = self.trailing(next, line, 1.0);
        let other = |(measure, end, quality): Way<Measure>| {
            (measure != line).then_some((Operand::Measure(measure), end, quality))
        };
        ways.extend(self.measures(next).into_iter().filter_map(other));
        if !matches!(line, Measure::Column(_))
            && let Some((number, end)) = self.number(next)
            && number.unit.is_none()
        {
            ways.push((Operand::Number(number.value), end, 1.0));
        }
        ways
    }
}
