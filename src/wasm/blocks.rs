//! Tables of kept conversations: Arrow IPC bytes that are shown page by page. They are no tables of
//! the engine, so nothing can be asked of them and no policy has to cover them.

use super::convert::fault;
use super::result::page;
use super::session::Session;
use crate::engine::read_block;
use crate::error::{Code, Diagnostic, Locale};
use crate::query::check::{OutputColumn, Role};
use crate::schema::Kind;
use crate::value::Rows;
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;
use wasm_bindgen::prelude::*;

/// The open blocks by number.
#[derive(Default)]
pub(super) struct Blocks {
    open: RefCell<HashMap<u32, Block>>,
    last: std::cell::Cell<u32>,
}

/// The columns and the rows of a block.
type Block = (Vec<OutputColumn>, Arc<dyn Rows>);

#[wasm_bindgen]
impl Session {
    /// Opens a block; its number.
    pub fn block_open(&self, bytes: &[u8]) -> Result<u32, JsValue> {
        let (columns, rows) = read_block(bytes).map_err(|e| fault(&e, self.language()))?;
        let shown = columns.into_iter().map(|column| {
            let date_only = column.kind == Kind::Date;
            OutputColumn { column, role: Role::Source, domain: None, date_only }
        });
        let blocks = self.blocks();
        let number = blocks.last.get() + 1;
        blocks.last.set(number);
        blocks.open.borrow_mut().insert(number, (shown.collect(), rows));
        Ok(number)
    }

    /// Some rows of a block.
    pub fn block_rows(&self, block: u32, offset: usize, limit: usize) -> Result<JsValue, JsValue> {
        let open = self.blocks().open.borrow();
        let Some((columns, rows)) = open.get(&block) else {
            return Err(closed(self.language()));
        };
        let end = rows.len().min(offset.saturating_add(limit));
        let total = rows.len() as u64;
        Ok(page(columns, &**rows, offset.min(end)..end, total, self.decimals()))
    }

    /// Lets a block go.
    pub fn block_close(&self, block: u32) {
        self.blocks().open.borrow_mut().remove(&block);
    }
}

fn closed(locale: Locale) -> JsValue {
    let message = text!("this kept table is closed", "эта сохранённая таблица закрыта");
    fault(&Diagnostic::new(Code::UnknownResult, message).into(), locale)
}
