//! The reader for JavaScript. Failures are thrown as their codes.

use crate::{Failure, Reader, Step};
use js_sys::{Float64Array, Uint8Array};
use std::ops::Range;
use wasm_bindgen::prelude::*;

/// Reads one file; see the crate's `Reader`.
#[wasm_bindgen]
pub struct ParquetReader(Reader);

#[wasm_bindgen]
impl ParquetReader {
    /// A reader of a file of `size` bytes, of all columns or of those with these names.
    #[wasm_bindgen(constructor)]
    pub fn new(size: f64, columns: Option<Vec<String>>) -> Self {
        Self(Reader::new(size as u64, columns))
    }

    /// Takes bytes of the file from the place `start`.
    pub fn push(&mut self, start: f64, bytes: Vec<u8>) -> Result<(), JsValue> {
        self.0.push(start as u64, bytes).map_err(thrown)
    }

    /// The next piece of the stream (a `Uint8Array`), the places that it needs (a `Float64Array` of
    /// beginnings and ends in turn), or nothing at the end.
    pub fn step(&mut self) -> Result<JsValue, JsValue> {
        Ok(match self.0.step().map_err(thrown)? {
            Step::Needs(ranges) => {
                let places: Vec<f64> = ranges
                    .into_iter()
                    .flat_map(|Range { start, end }| [start as f64, end as f64])
                    .collect();
                Float64Array::from(places.as_slice()).into()
            }
            Step::Piece(bytes) => Uint8Array::from(bytes.as_slice()).into(),
            Step::Done => JsValue::UNDEFINED,
        })
    }
}

fn thrown(failure: Failure) -> JsValue {
    failure.code().into()
}
