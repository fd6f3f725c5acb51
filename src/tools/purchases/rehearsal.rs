//! Calls that nobody made, before anyone does: what they leave is what the first call of each tool
//! would make and keep, so that it finds it made. Of the calls themselves nothing is left: they take
//! no ids, give no results, and what goes wrong in them is told to nobody.

use super::mapping::PURCHASES;
use super::{PurchaseCall, PurchaseRun, names};
use crate::engine::{Engine, Step};
use crate::tools::{Context, Prepared, prepare};
use serde_json::{Value as Json, json};
use std::collections::VecDeque;

/// Calls that are about to be rehearsed. Call [`step`](Rehearsal::step) while nothing else is to be
/// done.
pub struct Rehearsal {
    /// Those to come; the first may be under way.
    calls: VecDeque<PurchaseCall>,
    run: Option<PurchaseRun>,
    /// How often the first was broken off.
    broken: usize,
    /// The changes of tables that it is about.
    changes: u64,
    /// The number of the next result, as long as nobody asks for one.
    next: u64,
}

/// What a step of a rehearsal came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rehearsed {
    /// There is more to do.
    Working,
    /// Somebody asked for a result: it goes on after [`Rehearsal::go_on`].
    Paused,
    /// There is nothing to do any more.
    Done,
}

/// So often each call is made.
const ROUNDS: usize = 3;

/// A call that is broken off so often is given up.
const MOST_BROKEN: usize = 4;

impl Rehearsal {
    /// Over the tables as they are; nothing where they are no tables of purchases.
    pub fn new(context: &Context, engine: &Engine) -> Option<Self> {
        let names = names(context, (&PURCHASES, &[])).ok()?;
        // A name that is there, so that what looks for one finds it.
        let category = names.known("products", "name");
        let category = category.and_then(|column| column.values.as_ref()?.first().cloned());
        let call = |(tool, arguments): (&str, Json)| match prepare(
            tool,
            &arguments.to_string(),
            context,
        ) {
            Prepared::Purchases(call) => Some(*call),
            _ => None,
        };
        let made: Vec<PurchaseCall> =
            asked(category.as_deref()).into_iter().filter_map(call).collect();
        // What the first round keeps, the calls of later ones begin with: that is other code, and by
        // then the browser has optimised what they share.
        let calls = std::iter::repeat_n(&made, ROUNDS).flatten().cloned().collect();
        let (changes, next) = (engine.changes(), engine.next_result());
        Some(Self { calls, run: None, broken: 0, changes, next })
    }

    /// Does some of the work, as much as a step of a call does.
    pub fn step(&mut self, engine: &mut Engine) -> Rehearsed {
        if engine.changes() != self.changes {
            self.run = None;
            self.calls.clear();
        } else if engine.next_result() != self.next {
            self.pause();
            return Rehearsed::Paused;
        }
        let Some(call) = self.calls.front() else { return Rehearsed::Done };
        let run = self.run.get_or_insert_with(|| PurchaseRun::unheard(call.clone()));
        // Where nothing can be kept there is nothing to rehearse.
        if run.lacks_room() || run.between() && !engine.has_room() {
            self.run = None;
            self.calls.clear();
            return Rehearsed::Done;
        }
        // What fails fails again where somebody asks for it, and is told there.
        if !matches!(run.advance(engine), Ok(Step::Working { .. })) {
            self.run = None;
            self.broken = 0;
            self.calls.pop_front();
        }
        Rehearsed::Working
    }

    /// Breaks off the call that is under way, with all that it holds; what was kept stays.
    pub fn pause(&mut self) {
        if self.run.take().is_none() {
            return;
        }
        self.broken += 1;
        if self.broken == MOST_BROKEN {
            self.calls.pop_front();
            self.broken = 0;
        }
    }

    /// Goes on after whatever was done meanwhile.
    pub fn go_on(&mut self, engine: &Engine) {
        self.next = engine.next_result();
    }
}

/// The calls: those first that most is kept of, then those whose code is another.
fn asked(category: Option<&str>) -> Vec<(&'static str, Json)> {
    let mut calls = vec![
        ("get_receipts", json!({})),
        ("get_receipt_items", json!({})),
        ("generate_shopping_list", json!({})),
        ("get_purchase_statistics", json!({"include_prediction": true})),
        ("get_items", json!({"include_purchase_stats": true, "limit": 20})),
        ("get_products", json!({"include_children": true})),
        ("get_labels", json!({})),
        ("get_purchase_statistics", json!({"group_by": "shop"})),
        ("get_purchase_statistics", json!({"group_by": "product"})),
        ("get_receipts", json!({"shop": "a", "date_from": "2000-01-01"})),
    ];
    if let Some(name) = category {
        let items = json!({"product_name": name, "group_by_item": true});
        calls.push(("get_receipt_items", items));
    }
    calls
}
