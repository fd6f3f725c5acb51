//! What may leave the page, and the record of what did.
//!
//! Everything that is sent to a model is put together from [`Disclosed`] pieces, and only a [`Gate`]
//! can make one, as its [`Policy`] allows. No function here takes rows: a table has no way into a
//! [`Disclosure`]. The [`Ledger`] keeps the exact bytes of every request in a chain of hashes.

mod audit;
mod cells;
mod feedback;
mod gaps;
mod gate;
mod guard;
mod ledger;
mod mask;
mod names;
mod piece;
mod policy;
mod reads;
mod request;
mod scan;
mod schema;
#[cfg(test)]
mod tests;
mod view;
mod withheld;

pub use cells::Cells;
pub use feedback::Finding;
pub use gate::Gate;
pub use guard::Guard;
pub use ledger::{Body, Broken, CannotKeep, Draft, Entry, Keeper, Ledger, Memory, Recorded, Stale};
pub(crate) use names::is_case_of;
pub use piece::{Disclosed, Provenance};
pub use policy::{Class, Level, Policy, Stricter};
pub use reads::depends_on;
pub use request::{Call, Disclosure, Message, ToolDefinition};
pub use scan::{By, Flag, Personal, Sample, names_people, scan};
pub use withheld::{What, Why, Withheld};

/// SHA-256 in lower-case hexadecimal.
fn sha256(bytes: &[u8]) -> String {
    use sha2::{Digest, Sha256};
    hex(&Sha256::digest(bytes))
}

/// Bytes in lower-case hexadecimal.
fn hex(bytes: &[u8]) -> String {
    let digit = |n: u8| char::from_digit(u32::from(n), 16).unwrap_or('0');
    bytes.iter().flat_map(|b| [digit(b >> 4), digit(b & 15)]).collect()
}
