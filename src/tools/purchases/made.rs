//! Tables that statements of the tools read in place of the person's: each joins once what every
//! question about it would join again. The engine keeps them until a table comes or goes; where one
//! has no room there, its statement stands in its place.

use super::mapping::Names;

/// All that one of these reads, whichever tool it is made for: the next tool finds it made. What a
/// statement reads of it is the same without it, so that what a tool may read stays what it declares.
const READ: [&str; 11] = [
    "r.id",
    "r.receipt_date",
    "r.shop",
    "r.total",
    "l.receipt_id",
    "l.item_id",
    "l.quantity",
    "l.amount",
    "l.price",
    "i.id",
    "i.product_id",
];

/// The names of what these may read.
pub(super) fn names(call: &Names) -> Names {
    call.clone().reading(&READ)
}

/// Lines of receipts as `b`, with the days of their receipts and the categories of their items.
/// Names come to what is listed, of which there is less.
const BOUGHT: &str = "SELECT l.pack_line AS line, {l.receipt_id} AS receipt_id, \
     {l.item_id} AS item_id, {num l.quantity} AS quantity, {num l.amount} AS amount,PRICE \
     {date r.receipt_date} AS day, {i.product_id} AS product_id, {i.id} IS NULL AS orphan, \
     {r.id} IS NULL AS lost \
     FROM (SELECT {l.receipt_id}, {l.item_id}, {l.quantity}, {l.amount},OWN \
     CAST(row_number() OVER () AS INT) AS pack_line FROM {receipt_items} l) l \
     LEFT JOIN {receipts} r ON {same l.receipt_id r.id} \
     LEFT JOIN {items} i ON {same l.item_id i.id}";

/// Receipts as `v`, with their totals and the number of their lines.
const VISITS: &str = "SELECT {r.id} AS id, {date r.receipt_date} AS day, {r.shop} AS shop, \
     coalesce({num r.total}, a.added, 0) AS total, coalesce(a.counted, 0) AS counted, \
     {num r.total} IS NULL AND a.added IS NOT NULL AS filled \
     FROM {receipts} r LEFT JOIN (SELECT {l.receipt_id} AS receipt, count(*) AS counted, \
     sum({num l.amount}) AS added FROM {receipt_items} l GROUP BY {l.receipt_id}) a \
     ON {same l.receipt_id r.id a.receipt}";

/// What the lines of each receipt come to, as `t`.
const TRIPS: &str = "SELECT b.receipt_id AS receipt_id, min(b.day) AS day, count(*) AS lines, \
     sum(b.quantity) AS quantity, sum(b.amount) AS amount, \
     sum(CASE WHEN b.orphan THEN 1 ELSE 0 END) AS orphans FROM {bought} b GROUP BY b.receipt_id";

/// A table that a statement reads: its place in a template, its name, its own statement.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Made {
    Trips,
    Bought,
    Visits,
}

impl Made {
    /// What is made of others comes before them.
    const ALL: [Self; 3] = [Self::Trips, Self::Bought, Self::Visits];

    fn place(self) -> &'static str {
        match self {
            Self::Trips => "{trips}",
            Self::Bought => "{bought}",
            Self::Visits => "{visits}",
        }
    }

    /// No name of a table is likely to be the same.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Trips => "pack trips",
            Self::Bought => "pack bought",
            Self::Visits => "pack visits",
        }
    }

    fn template(self, names: &Names) -> String {
        match self {
            Self::Bought => {
                let priced = names.reads_column("receipt_items", "price");
                let [price, own] =
                    if priced { [" {num l.price} AS price,", " {l.price},"] } else { ["", ""] };
                BOUGHT.replace("PRICE", price).replace("OWN", own)
            }
            Self::Trips => TRIPS.to_owned(),
            Self::Visits => VISITS.to_owned(),
        }
    }

    /// The statement that makes it of the person's tables alone, by which it is known; of [`names`].
    pub(super) fn in_full(self, names: &Names) -> String {
        names.fill(&in_full(names, &self.template(names)))
    }

    /// The statement that makes it.
    pub(super) fn sql(self, names: &Names) -> String {
        names.fill(&by_name(&self.template(names)))
    }

    /// Those that it is made of.
    pub(super) fn needs(self, names: &Names) -> Vec<Self> {
        Self::of(&self.template(names))
    }

    /// The columns of it beyond what a tool of these names may read.
    pub(super) fn beyond(self, names: &Names) -> &'static [&'static str] {
        let priced = names.reads_column("receipt_items", "price");
        if self == Self::Bought && !priced { &["price"] } else { &[] }
    }

    /// Those that a template reads.
    pub(super) fn of(template: &str) -> Vec<Self> {
        Self::ALL.into_iter().filter(|made| template.contains(made.place())).collect()
    }
}

/// A template with these tables by their names.
pub(super) fn by_name(template: &str) -> String {
    let name =
        |text: String, made: &Made| text.replace(made.place(), &format!("\"{}\"", made.name()));
    Made::ALL.iter().fold(template.to_owned(), name)
}

/// A template with their statements in their places.
pub(super) fn in_full(names: &Names, template: &str) -> String {
    let whole = |text: String, made: &Made| {
        text.replace(made.place(), &format!("({})", made.template(names)))
    };
    Made::ALL.iter().fold(template.to_owned(), whole)
}
