//! The parts of the corpus: what the planner is tuned on, and what it is not.

pub const TUNING: &[&str] = &[
    include_str!("market.txt"),
    include_str!("stocks.txt"),
    include_str!("receipts.txt"),
    include_str!("lines.txt"),
    include_str!("people.txt"),
    include_str!("varied.txt"),
    include_str!("domains.txt"),
    include_str!("unasked.txt"),
    include_str!("everyday.txt"),
    include_str!("en.txt"),
    include_str!("exchange.txt"),
    include_str!("russian.txt"),
    include_str!("offer.txt"),
    include_str!("samples.txt"),
    include_str!("rank.txt"),
    include_str!("claims.txt"),
    include_str!("files.txt"),
    include_str!("walk.txt"),
    include_str!("periods.txt"),
    include_str!("words.txt"),
    include_str!("desk.txt"),
    include_str!("newcomers.txt"),
];

pub const HELD_OUT: &str = include_str!("held_out.txt");
pub const SET_ASIDE: &str = include_str!("set_aside.txt");
