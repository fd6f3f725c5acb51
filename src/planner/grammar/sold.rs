//! Productions for what sells best: by how many, or by the money that comes in.

use super::super::lattice::Lattice;
use super::super::restated::product::is_of_one;
use super::super::sketch::{Item, Measure, Rank};
use super::super::token::TokenKind;
use super::super::words::{Concept, Quality};
use super::Way;
use crate::query::ast::Arith;

/// How sure a sale is measured by one of several things; none of them runs unasked.
pub(super) const ONE_OF_SEVERAL: f64 = 0.74;

/// Forms of the verb.
const SELLS: [&str; 18] = [
    "продано",
    "продана",
    "проданы",
    "продан",
    "sells",
    "sell",
    "sold",
    "selling",
    "продается",
    "продаются",
    "продавался",
    "продавалась",
    "продавалось",
    "продавались",
    "продал",
    "продала",
    "продали",
    "продает",
];

impl Lattice<'_> {
    /// `which drink sells best`, `best-selling drinks`, `кто продал больше всех`.
    pub(super) fn sells_most(&self, at: usize) -> Vec<Way<Item>> {
        let most = |at: usize| {
            self.concepts(at).find_map(|(concept, end)| match concept {
                Concept::Best(most) | Concept::MostMany(most) => Some((most, end)),
                _ => None,
            })
        };
        // `what sells best` leaves open what of
        if at > 0 && ["what", "что"].contains(&self.word(at - 1)) {
            return Vec::new();
        }
        // `самый продаваемый товар`
        if self.word(at).starts_with("сам")
            && self.is_much_sold(at + 1)
            && self.quantities().len() == 1
        {
            let rank = Rank {
                number: None,
                descending: true,
                superlative: true,
                many: false,
                best: false,
            };
            let sold = self.sold(at).into_iter();
            return sold.map(|m| (Item::Sells(rank, m), at + 2, ONE_OF_SEVERAL)).collect();
        }
        let dash = |at: usize| self.tokens.get(at).is_some_and(|t| t.is_symbol("-"));
        let found = if self.is_sold(at) {
            most(at + 1)
        } else {
            most(at)
                .map(|(most, end)| (most, if dash(end) { end + 1 } else { end }))
                .filter(|&(_, end)| self.is_sold(end))
                .map(|(most, end)| (most, end + 1))
        };
        let Some((descending, end)) = found else { return Vec::new() };
        let rank = Rank { number: None, descending, superlative: true, many: false, best: false };
        self.sold(at).into_iter().map(|m| (Item::Sells(rank, m), end, ONE_OF_SEVERAL)).collect()
    }

    /// Columns of how many. The price of a unit is none.
    fn quantities(&self) -> Vec<(usize, f64)> {
        let of_one = |column: usize| {
            self.schema.columns.get(column).is_some_and(|column| is_of_one(&column.name))
        };
        self.columns_of("quantity").into_iter().filter(|(column, _)| !of_one(*column)).collect()
    }

    /// What `sold` may be measured by: money, its price times how many, or how many.
    pub(super) fn sold(&self, at: usize) -> Vec<Measure> {
        if self.column_ways(at).next().is_some() {
            return Vec::new();
        }
        let quantities = self.quantities();
        let prices = self.columns_of("price");
        let mut measures: Vec<Measure> = Vec::new();
        let of_one = |&column: &usize| {
            quantities.len() == 1
                && self.schema.columns.get(column).is_some_and(|c| is_of_one(&c.name))
        };
        if let Some(column) = self.taken(false).filter(|column| !of_one(column)) {
            measures.push(Measure::Column(column));
        } else if let ([(price, _)], [(quantity, _)]) = (&prices[..], &quantities[..]) {
            measures.push(Measure::Math(Arith::Mul, *price, *quantity));
        }
        measures.extend(quantities.iter().map(|&(column, _)| Measure::Column(column)));
        measures
    }

    /// The money of a whole order or purchase, where rows have the price of one thing and how many of
    /// them: `most expensive order` asks for that.
    pub(super) fn price_of_order(&self, quality: Quality, at: usize) -> Option<usize> {
        const ORDERS: [&str; 7] =
            ["order", "purchas", "receipt", "transact", "заказ", "покупк", "чек"];
        const ASKED: [&str; 6] = ["which", "what", "какой", "какая", "какое", "какие"];
        let is_order = |at: usize| ORDERS.iter().any(|begin| self.word(at).starts_with(begin));
        // `most expensive order`, `which order was the most expensive`
        let order = is_order(self.glue(at)) || ASKED.contains(&self.word(0)) && is_order(1);
        let parts = quality == Quality::Price && order && !self.quantities().is_empty();
        let prices = self.columns_of("price");
        self.taken(false).filter(|money| parts && prices.iter().all(|(price, _)| price != money))
    }

    /// Columns of the price of one thing, where rows have how many of them and the money of all too:
    /// `cheapest product` is not the one that came to least.
    pub(super) fn prices_of_one(&self, quality: Quality) -> Option<Vec<usize>> {
        let parts = quality == Quality::Price && !self.quantities().is_empty();
        let prices: Vec<usize> = self.columns_of("price").into_iter().map(|(c, _)| c).collect();
        (parts && !prices.is_empty()).then_some(prices)
    }

    /// `how many desks were sold`, `units sold`: how many is said, and sold is what the rows are.
    pub(in super::super) fn is_counted_sale(&self, at: usize) -> bool {
        if !self.is_sold(at) || self.quantities().len() != 1 {
            return false;
        }
        let before = at.saturating_sub(1);
        let units = ["units", "pieces", "items", "штук", "единиц"].contains(&self.word(before));
        let many = (0..self.tokens.len()).any(|i| {
            self.word(i) == "сколько" || self.word(i) == "how" && self.word(i + 1) == "many"
        });
        // `в мае 2024` is a month and no so many of them
        let month = |i: usize| self.find(i, |c| matches!(c, Concept::Month(_)).then_some(()));
        let dated = |i: usize| {
            !month(i).is_empty()
                || self
                    .tokens
                    .get(i)
                    .is_some_and(|t| matches!(t.kind, TokenKind::Number { year: true, .. }))
        };
        let ranked = (0..self.tokens.len()).any(|i| !dated(i) && !self.ranks(i).is_empty());
        at > 0 && (units || many) && !ranked
    }

    /// `income vs spending` of an account.
    pub(super) fn sets_sides(&self, at: usize) -> bool {
        let signed = self.schema.columns.iter().any(|c| c.signed);
        signed && ["vs", "versus", "against", "против"].contains(&self.word(at))
    }

    /// `продаваемый`: what is sold much.
    fn is_much_sold(&self, at: usize) -> bool {
        ["продаваем", "покупаем"].iter().any(|begin| self.word(at).starts_with(begin))
    }

    /// What is sold most may be so by how many of it, where rows have that.
    pub(super) fn is_most_sold(&self, at: usize) -> bool {
        self.quantities().len() == 1 && self.is_much_sold(at + 1)
    }

    /// A form of `to sell` stands here.
    pub(in super::super) fn is_sold(&self, at: usize) -> bool {
        SELLS.contains(&self.word(at))
    }
}
