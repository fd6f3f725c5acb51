//! What is predicted of every item, for the shopping list: it depends on the tables and on the day
//! alone, and is made in parts, between which the host has its turn.

use super::output::cents;
use super::predict::{Prediction, in_pieces, predict, unit_price, usual_quantity};
use super::statistics::Histories;
use super::{Done, Making, Row};
use crate::facts::Outcome;
use chrono::NaiveDate;
use std::any::Any;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

/// What is known of the next purchase of each item, whatever a call asks for.
pub(super) struct Foreseen {
    pub items: HashMap<String, Seen>,
    /// How many purchase dates of items it is made of.
    pub dates: u64,
}

/// Of an item that was bought.
pub(super) struct Seen {
    pub prediction: Option<Prediction>,
    pub quantity: Option<f64>,
    pub price: Option<f64>,
    pub last: Option<NaiveDate>,
}

impl Foreseen {
    fn bytes(&self) -> usize {
        let ids: usize = self.items.keys().map(String::len).sum();
        ids + self.items.capacity() * size_of::<(String, Seen)>()
    }
}

/// So many purchase dates are read in one part, and so many items predicted.
const DATES: usize = 16_384;
const ITEMS: usize = 2_048;

/// Predictions on their way.
pub(super) struct Foreseeing {
    /// The purchase dates, and how many of them were read.
    history: Option<Arc<Outcome>>,
    read: usize,
    histories: Histories,
    /// The items, and how many of them were predicted.
    names: Option<Arc<Outcome>>,
    predicted: usize,
    today: Option<NaiveDate>,
    made: Foreseen,
}

impl Foreseeing {
    pub(super) fn new(done: &Done, today: Option<NaiveDate>) -> Self {
        Self {
            history: done.get("history").cloned(),
            read: 0,
            histories: Histories::default(),
            names: done.get("names").cloned(),
            predicted: 0,
            today,
            made: Foreseen { items: HashMap::new(), dates: done.matched("history") },
        }
    }

    fn foresee(&mut self, row: Row<'_>) -> Option<()> {
        let id = row.text("id")?;
        let history = &self.histories.get(&id)?.purchases;
        let pieces = in_pieces(row.text("unit").as_deref());
        let prediction = self.today.and_then(|today| predict(history, today, pieces));
        let quantity = match &prediction {
            Some(made) => made.quantity,
            None => usual_quantity(history, pieces),
        };
        let price = quantity.zip(unit_price(history)).map(|(n, unit)| cents(n * unit));
        let last = history.last().map(|last| last.date);
        self.made.items.insert(id, Seen { prediction, quantity, price, last });
        Some(())
    }
}

impl Making for Foreseeing {
    fn step(&mut self) -> Option<(Rc<dyn Any>, usize)> {
        if let Some(history) = &self.history {
            let rows = history.rows.len();
            let end = rows.min(self.read + DATES);
            self.histories.read(history, self.read..end);
            self.read = end;
            if end == rows {
                self.history = None;
            }
            return None;
        }
        if let Some(names) = self.names.take() {
            let rows = names.rows.len();
            let end = rows.min(self.predicted + ITEMS);
            for row in self.predicted..end {
                self.foresee(Row { outcome: &names, row });
            }
            self.predicted = end;
            self.names = Some(names).filter(|_| end < rows);
            return None;
        }
        let none = Foreseen { items: HashMap::new(), dates: 0 };
        let made = std::mem::replace(&mut self.made, none);
        let bytes = made.bytes();
        Some((Rc::new(made), bytes))
    }
}
