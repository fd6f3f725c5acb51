//! An attacker against the disclosure policy: tables held as plain vectors, a small evaluator that is
//! no part of the library, and everything that a model would be told.
#![cfg(not(target_arch = "wasm32"))]
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

mod attacks;
mod evaluate;
mod properties;
mod world;
