//! What has a number in every row: columns, and what bars have.

use super::super::assemble::{TOTALS, is_total};
use super::super::dictionary::{Nature, head_nature, nature, same_noun};
use super::super::lattice::{BY_DICTIONARY, Lattice, MONEY_OR_ROWS, Tag};
use super::super::restated::product::is_of_one;
use super::super::sketch::Measure;
use super::super::stem::{parts, stem};
use super::super::token::Unit;
use super::super::words::{Agg, Concept, Derived, Part};
use super::sold::ONE_OF_SEVERAL;
use super::{Way, in_points, unit_fits};
use crate::schema::{Column, Kind};

impl Lattice<'_> {
    /// Something with a number in every row.
    pub(super) fn measures(&self, at: usize) -> Vec<Way<Measure>> {
        let known = self.measures.get(at).map(|cell| cell.get_or_init(|| self.measures_at(at)));
        known.cloned().unwrap_or_default()
    }

    /// `операций` of `Сумма операции`: the words say what the sums of a column are of, and no word of
    /// money among them says that these are meant.
    pub(super) fn is_what_sums_are_of(&self, column: usize, at: usize, end: usize) -> bool {
        let of_money = |part: &str| nature(&stem(part)) == Some(Nature::Money);
        let Some(name) = self.schema.columns.get(column).map(|c| &c.name) else { return false };
        let said = parts(name);
        said.len() > 1
            && said.iter().any(|part| of_money(part))
            && (at..end).all(|i| !of_money(self.word(i)))
            && (at..end).any(|i| {
                let word = stem(self.word(i));
                said.iter().any(|part| stem(part) == word || same_noun(&stem(part), &word))
            })
    }

    /// `days between order date and ship date`, `дней от даты заказа до даты отгрузки`.
    fn days_between(&self, at: usize) -> Vec<Way<Measure>> {
        // `от заказа до отгрузки больше 7 дней`: the days stand behind
        let days = |i| matches!(self.part(i), Some((Part::Day, _)));
        let behind = self.take(at, Concept::From).is_some() && (at..self.tokens.len()).any(days);
        let end = match self.part(at) {
            Some((Part::Day, end)) => end,
            _ if behind => at,
            _ => return Vec::new(),
        };
        let passed = ["pass", "passed", "прошло", "проходит"].contains(&self.word(end));
        let end = if passed { end + 1 } else { end };
        let times = |at: usize| {
            self.column_ways(self.glue(at))
                .filter(|&(column, _, q)| {
                    q >= BY_DICTIONARY && self.kind(column).is_some_and(Kind::is_time)
                })
                .chain(self.dates_of(self.word(self.glue(at))).into_iter().map(|column| {
                    // `from order to ship`
                    let end = self.glue(at) + 1;
                    let dated = self.column_ways(end).find(|w| w.0 == column);
                    (column, dated.map_or(end, |(_, end, _)| end), 0.95)
                }))
                .collect::<Vec<_>>()
        };
        let mut ways = Vec::new();
        for (first, second) in [(Concept::Between, Concept::And), (Concept::From, Concept::To)] {
            let Some(next) = self.take(end, first) else { continue };
            for (a, end, q) in times(next) {
                let Some(next) = self.take(end, second) else { continue };
                let to = times(next).into_iter().filter(|w| w.0 != a);
                ways.extend(to.map(|(b, end, r)| (Measure::Days(a, b), end, q * r)));
            }
        }
        ways
    }

    pub(super) fn measures_at(&self, at: usize) -> Vec<Way<Measure>> {
        let mut ways: Vec<Way<Measure>> = Vec::new();
        for (column, end, quality) in self.column_ways(at) {
            if self.kind(column).is_some_and(Kind::is_numeric) {
                // `how many sales` of a table of sales are its rows, not what they brought
                if quality < 1.0
                    && self.are_rows(at, end)
                    && self.concepts_before(at).any(|(_, c)| c == Concept::Count)
                {
                    continue;
                }
                ways.push((Measure::Column(column), end, quality));
                // `amount spent`, `затраты на запчасти`: one column by two words
                let on = self.word(end) == "на";
                for (again, end, q) in self.column_ways(if on { end + 1 } else { end }) {
                    if again == column {
                        let both = if on { quality.max(q) * 0.95 } else { quality * q };
                        ways.push((Measure::Column(column), end, both));
                    }
                }
                // `close price`
                if let Some(end) = self.take(end, Concept::Price) {
                    ways.push((Measure::Column(column), end, quality));
                }
            }
        }
        ways.extend(self.days_between(at));
        ways.extend(self.time_taken(at));
        self.doubt_other_qualities(at, &mut ways);
        // `revenue`, `сколько заработал`: the one column of money, which is called otherwise
        let of_money =
            |noun: &str| self.tokens.get(at).is_some_and(|t| same_noun(&t.stem, &stem(noun)));
        let spent = of_money("cost");
        if (spent || of_money("revenue"))
            && !self.concepts(at).any(|(c, _)| c == Concept::Future)
            && self.column_ways(at).next().is_none()
            && !self.at(at).iter().any(|m| match m.tag {
                // the `уровень продаж` is no share of their sum
                Tag::Table if at > 0 && self.word(at - 1).starts_with("уров") => true,
                Tag::Table => !self.is_spending(at) && m.quality > MONEY_OR_ROWS,
                Tag::Value(..) => true,
                _ => false,
            })
            && let Some(column) = self.taken(spent)
        {
            ways.push((Measure::Column(column), at + 1, 0.88));
        }
        // of what is sold by the piece: its price times how many, which is not sure
        if of_money("revenue")
            && !self.at(at).iter().any(|m| matches!(m.tag, Tag::Table | Tag::Value(..)))
            && let Some(&made @ Measure::Math(..)) = self.sold(at).first()
        {
            ways.push((made, at + 1, ONE_OF_SEVERAL));
        }
        ways.extend(self.value_of_order(at));
        // `how much did we sell`
        if self.is_sold(at) && !of_money("revenue") && !self.is_counted_sale(at) {
            ways.extend(self.sold(at).into_iter().map(|m| (m, at + 1, ONE_OF_SEVERAL)));
        }
        // `what did surgery bring in`
        if let Some(end) = self.brought(at)
            && let [column] = self.of_money()[..]
        {
            ways.push((Measure::Column(column), end, 0.95));
        }
        // `the most money`, `больше денег`
        if self.take(at, Concept::Money).is_some()
            && let [column] = self.of_money()[..]
        {
            ways.push((Measure::Column(column), at + 1, 0.95));
        }
        if let Some(end) = self.take(at, Concept::Price) {
            // `цена закрытия`
            let next = self.glue(end);
            for (column, end, quality) in self.column_ways(next) {
                if self.is_bar_price(column) {
                    ways.push((Measure::Column(column), end, quality));
                }
            }
            if let Some(extreme) = self.extreme_price(at) {
                ways.push((extreme, end, 0.97));
            }
            if let Some(close) = self.close() {
                ways.push((Measure::Column(close), end, 0.74));
            }
        }
        ways.extend(self.derived(at));
        ways.extend(self.indicators(at));
        // `percentage change`, `процентное изменение`
        if let Some((Unit::Percent, end)) = self.unit(at) {
            for (measure, end, quality) in self.derived(end) {
                if let Measure::Derived(derived, _) = measure
                    && derived.has_percent()
                {
                    ways.push((Measure::Derived(derived, true), end, quality));
                }
            }
        }
        // `gap in percent`
        let more: Vec<Way<Measure>> = ways
            .iter()
            .filter_map(|&(measure, end, quality)| {
                let (unit, end) = self.unit(end)?;
                match (measure, unit) {
                    (Measure::Derived(d, _), Unit::Percent) if d.has_percent() => {
                        Some((Measure::Derived(d, true), end, quality))
                    }
                    (Measure::Derived(d, _), Unit::Points) => {
                        Some((Measure::Derived(in_points(d), false), end, quality))
                    }
                    (Measure::Column(c), unit) if unit_fits(self.schema, c, unit) => {
                        Some((measure, end, quality))
                    }
                    _ => None,
                }
            })
            .collect();
        ways.extend(more);
        // `price times quantity`
        let made: Vec<Way<Measure>> = ways
            .iter()
            .flat_map(|&(left, end, quality)| {
                self.find(self.glue(end), |c| match c {
                    Concept::Math(op) => Some(op),
                    _ => None,
                })
                .into_iter()
                .flat_map(move |(op, end)| {
                    let Measure::Column(a) = left else { return Vec::new() };
                    self.number_columns(self.glue(end))
                        .filter(|&(b, ..)| a != b)
                        .map(|(b, end, q)| (Measure::Math(op, a, b), end, quality * q))
                        .collect()
                })
            })
            .collect();
        ways.extend(made);
        ways
    }

    /// The column of what is taken in: the only one of money, or the one that is called the total.
    pub(in super::super) fn taken(&self, spent: bool) -> Option<usize> {
        let mut list = self.of_money();
        // of what goes out and what comes in, in columns of their own, one is asked for
        if list.len() > 1 {
            let side = stem(if spent { "cost" } else { "revenue" });
            let called = |&column: &usize| {
                let name = self.schema.columns.get(column).map(|c| &c.name);
                name.is_some_and(|n| parts(n).iter().any(|p| same_noun(&stem(p), &side)))
            };
            let of_side: Vec<usize> = list.iter().copied().filter(called).collect();
            if of_side.len() == 1 {
                list = of_side;
            }
        }
        let column = if let [only] = list[..] {
            only
        } else {
            let total = |&c: &usize| self.schema.columns.get(c).is_some_and(is_total);
            let mut totals = list.into_iter().filter(total);
            totals.next().filter(|_| totals.next().is_none())?
        };
        if spent {
            // nor is what is taken in spent
            let name = &self.schema.columns.get(column)?.name;
            let taken = ["revenue", "profit", "income"].map(stem);
            let called = |part: &String| taken.iter().any(|n| same_noun(&stem(part), n));
            return (!parts(name).iter().any(called)).then_some(column);
        }
        // money that is spent is not taken in; `стоимость` of an order is, though it is a cost of things
        let spent = ["cost", "fine", "tax", "salary", "fee"].map(stem);
        let name = &self.schema.columns.get(column)?.name;
        let called =
            |part: &String| part != "стоимость" && spent.iter().any(|n| same_noun(&stem(part), n));
        (!parts(name).iter().any(called)).then_some(column)
    }

    /// Columns of money that adds up.
    pub(in super::super) fn of_money(&self) -> Vec<usize> {
        let money =
            |name: &String| head_nature(name, |part| nature(&stem(part))) == Some(Nature::Money);
        let numeric = || {
            let all = self.schema.columns.iter().enumerate();
            all.filter(|(_, column)| column.kind.is_numeric())
        };
        let called =
            |c: &Column| std::iter::once(&c.name).chain(&c.label).chain(&c.synonyms).any(money);
        // the price of one does not, where rows have how many of them
        let many = self.columns_of("quantity").len() == 1;
        let adds_up = |c: &Column| !(many && is_of_one(&c.name));
        let list: Vec<usize> =
            numeric().filter(|(_, c)| called(c) && adds_up(c)).map(|(i, _)| i).collect();
        if !list.is_empty() || self.columns_of("price").is_empty() {
            return list;
        }
        // beside a price the total is what all of it came to
        let totals = numeric().filter(|(_, c)| TOTALS.contains(&c.name.to_lowercase().as_str()));
        totals.map(|(i, _)| i).collect()
    }

    /// `order value`, `средний чек`: the money of a row, where it has no column of that name.
    fn value_of_order(&self, at: usize) -> Option<(Measure, usize, f64)> {
        const ORDERS: [&str; 9] =
            ["order", "basket", "cart", "ticket", "receipt", "purchase", "чек", "заказ", "покупка"];
        const VALUES: [&str; 4] = ["value", "size", "amount", "total"];
        let mean = self.concepts_before(at).any(|(_, c)| c == Concept::Agg(Agg::Mean));
        if !mean || !ORDERS.contains(&self.word(at)) || self.column_ways(at).next().is_some() {
            return None;
        }
        let column = self.taken(false)?;
        let valued = VALUES.contains(&self.word(at + 1));
        Some((Measure::Column(column), if valued { at + 2 } else { at + 1 }, 0.95))
    }

    /// A word for what comes in (`revenue`, `денег`), where the column of it is called otherwise and
    /// is no price of many things: all of it together is meant.
    pub(super) fn is_income(&self, at: usize) -> bool {
        let income = self.take(at, Concept::Money).is_some()
            || self.tokens.get(at).is_some_and(|t| same_noun(&t.stem, &stem("revenue")));
        let by_the_piece =
            || !self.columns_of("quantity").is_empty() && self.taken(false).is_none();
        income && self.column_ways(at).next().is_none() && !by_the_piece()
    }

    pub(super) fn number_columns(
        &self,
        at: usize,
    ) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
        self.column_ways(at).filter(|&(c, ..)| self.kind(c).is_some_and(Kind::is_numeric))
    }

    pub(super) fn derived(&self, at: usize) -> Vec<Way<Measure>> {
        self.find(at, |c| match c {
            Concept::Derived(d) => Some(Measure::Derived(d, d == Derived::Return)),
            Concept::DerivedPercent(d) => Some(Measure::Derived(d, true)),
            _ => None,
        })
        .into_iter()
        .map(|(measure, end)| (measure, end, 1.0))
        .collect()
    }

    /// The close of bars.
    pub(super) fn close(&self) -> Option<usize> {
        let close = &self.schema.ohlcv.as_ref()?.close;
        self.schema.columns.iter().position(|c| c.name == *close)
    }

    pub(super) fn is_bar_price(&self, column: usize) -> bool {
        let Some(bars) = &self.schema.ohlcv else { return false };
        self.schema
            .columns
            .get(column)
            .is_some_and(|c| [&bars.open, &bars.high, &bars.low, &bars.close].contains(&&c.name))
    }
}
