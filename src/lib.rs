//! Ask questions about tables without giving the tables away.
#![doc = ""]
#![doc = include_str!("../ARCHITECTURE.md")]

#[cfg(test)]
extern crate self as pinhole;

#[macro_use]
pub mod error;

pub mod chat;
pub mod disclose;
pub mod engine;
pub mod facts;
pub mod planner;
pub mod query;
pub mod recall;
pub mod schema;
pub mod summary;
pub mod tools;
pub mod validate;
pub mod value;
#[cfg(target_arch = "wasm32")]
pub mod wasm;
