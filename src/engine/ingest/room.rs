//! What a load holds while its file is read, told to the engine's memory as it grows.

use crate::engine::errors::load_limit;
use crate::error::Result;
use datafusion::execution::memory_pool::{MemoryConsumer, MemoryPool, MemoryReservation};
use std::sync::Arc;

/// The part of the engine's memory that a load may take; without an engine there is no end to it.
/// What was taken goes back when the last copy is dropped.
#[derive(Debug, Clone, Default)]
pub struct Room(Option<Arc<MemoryReservation>>);

impl Room {
    /// Room in a pool.
    pub(crate) fn of(pool: &Arc<dyn MemoryPool>) -> Self {
        Self(Some(Arc::new(MemoryConsumer::new("load").register(pool))))
    }

    /// Room in the same pool for something else.
    pub(crate) fn apart(&self) -> Self {
        Self(self.0.as_ref().map(|held| Arc::new(held.new_empty())))
    }

    /// Holds so many bytes in all.
    ///
    /// # Errors
    /// There are not as many.
    pub(crate) fn hold(&self, bytes: usize) -> Result<()> {
        self.asked(|held| held.try_resize(bytes))
    }

    /// Holds some bytes more.
    ///
    /// # Errors
    /// There are not as many.
    pub(crate) fn more(&self, bytes: usize) -> Result<()> {
        self.asked(|held| held.try_grow(bytes))
    }

    /// Whether there is room for what is about to be made and let go again.
    ///
    /// # Errors
    /// There is none.
    pub(crate) fn has(&self, bytes: usize) -> Result<()> {
        self.asked(|held| held.new_empty().try_grow(bytes))
    }

    fn asked(
        &self,
        ask: impl FnOnce(&MemoryReservation) -> datafusion::common::Result<()>,
    ) -> Result<()> {
        let Some(held) = &self.0 else { return Ok(()) };
        ask(held).map_err(|error| load_limit(&error))
    }
}
