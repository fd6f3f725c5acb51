//! Indicators against TA-Lib, pandas, numpy and plain loops, natively.
#![cfg(not(target_arch = "wasm32"))]
#![allow(missing_docs, reason = "a test")]

#[path = "reference/indicators.rs"]
mod reference;

#[test]
fn indicators_agree_with_other_libraries() {
    let (right, wrong) = reference::compare();
    assert!(wrong.is_empty(), "{right} values agree, and not\n{wrong}");
    assert!(right > 28_000, "{right} values");
}
