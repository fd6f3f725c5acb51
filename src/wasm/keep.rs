//! Tables on their way to the device: Arrow IPC bytes, piece by piece.

use super::convert::fault;
use super::session::Session;
use crate::engine::Keeping;
use crate::error::{Code, Diagnostic};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use wasm_bindgen::prelude::*;

/// The tables under way by number.
#[derive(Default)]
pub(super) struct Keeps {
    open: RefCell<HashMap<u32, Keeping>>,
    last: Cell<u32>,
}

#[wasm_bindgen]
impl Session {
    /// Starts taking a table out; its number.
    pub fn keep_begin(&self, name: &str) -> Result<u32, JsValue> {
        let keeping = self.keep(name).map_err(|e| fault(&e, self.language()))?;
        let number = self.keeps().last.get() + 1;
        self.keeps().last.set(number);
        self.keeps().open.borrow_mut().insert(number, keeping);
        Ok(number)
    }

    /// The next bytes of a table; nothing at the end.
    pub fn keep_next(&self, keep: u32) -> Result<Option<Vec<u8>>, JsValue> {
        let mut open = self.keeps().open.borrow_mut();
        let Some(keeping) = open.get_mut(&keep) else {
            let message = text!("this table is not being kept", "эта таблица не сохраняется");
            let gone = Diagnostic::new(Code::Cancelled, message);
            return Err(fault(&gone.into(), self.language()));
        };
        keeping.next_bytes().map_err(|e| fault(&e, self.language()))
    }

    /// Ends it, at its end or before.
    pub fn keep_end(&self, keep: u32) {
        self.keeps().open.borrow_mut().remove(&keep);
    }
}
