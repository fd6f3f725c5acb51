//! The wasm module of the package: the library's exports to JavaScript, linked.

#[cfg(target_arch = "wasm32")]
use pinhole as _;
