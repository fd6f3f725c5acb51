//! Arrow IPC, as a file or a stream.

use super::options::Options;
use super::{Parsed, internal};
use crate::error::Result;

/// Reads Arrow IPC from pieces of a file.
pub(super) struct IpcReader {
    options: Options,
    rows: u64,
}

impl IpcReader {
    /// A reader of one file.
    pub(super) fn new(options: Options) -> Self {
        Self { options, rows: 0 }
    }

    /// Rows read so far.
    pub(super) fn rows(&self) -> u64 {
        self.rows
    }

    /// Takes the next bytes of the file.
    pub(super) fn push(&mut self, bytes: &[u8]) -> Result<()> {
        let _ = (bytes, &self.options);
        Err(internal("Arrow"))
    }

    /// Reads what is left.
    pub(super) fn finish(self) -> Result<Parsed> {
        Err(internal("Arrow"))
    }
}
