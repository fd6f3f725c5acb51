//! The facade to JavaScript: each function decodes, makes one call, encodes. Nothing here decides.

mod blocks;
mod calls;
mod chat;
mod checks;
mod convert;
mod disk;
mod keep;
mod load;
mod protection;
mod recall;
mod result;
mod run;
mod script;
mod session;

pub use session::Session;
