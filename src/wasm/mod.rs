//! The facade to JavaScript: each function decodes, makes one call, encodes. Nothing here decides.

mod blocks;
mod chat;
mod convert;
mod load;
mod result;
mod run;
mod session;

pub use session::Session;
