//! Where a query goes on that needs more memory than it may use: a disk of the host.
//!
//! A query runs in memory first. Where its memory is refused and the host has a disk, it runs once
//! more, by DataFusion's own sorts and groupings, which write what they cannot hold to files and merge
//! those. All files lie in one space of the host's, in blocks: a browser opens files only
//! asynchronously, and DataFusion wants them at once.

mod order;

pub(super) use order::SortOnDisk;

use bytes::Bytes;
use datafusion::common::Result;
use datafusion::error::DataFusionError;
use datafusion::execution::spill_file::{SpillFile, SpillWriter, TempFileFactory};
use futures::{Stream, stream};
use std::io::{self, Write};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Room for bytes that outlast no query: read and written at once, by place.
pub trait Disk: Send + Sync {
    /// Fills `into` with the bytes from `at` on.
    ///
    /// # Errors
    /// The bytes are not there, or cannot be read.
    fn read(&self, at: u64, into: &mut [u8]) -> io::Result<()>;

    /// Puts bytes to `at`, behind the end too.
    ///
    /// # Errors
    /// There is no room for them, or they cannot be written.
    fn write(&self, at: u64, bytes: &[u8]) -> io::Result<()>;

    /// Nothing that was written is needed any more.
    fn clear(&self);
}

/// Bytes that a file takes at a time.
const BLOCK: usize = 256 << 10;

/// The disk, in blocks that files have.
pub(super) struct Swap {
    disk: Box<dyn Disk>,
    blocks: Mutex<Blocks>,
}

#[derive(Default)]
struct Blocks {
    /// How many the disk has.
    count: u64,
    /// Those that no file has.
    free: Vec<u64>,
}

impl Swap {
    pub(super) fn new(disk: Box<dyn Disk>) -> Arc<Self> {
        Arc::new(Self { disk, blocks: Mutex::default() })
    }

    /// A block for a file.
    fn take(&self) -> u64 {
        let mut blocks = locked(&self.blocks);
        blocks.free.pop().unwrap_or_else(|| {
            blocks.count += 1;
            blocks.count - 1
        })
    }

    /// The blocks of a file that went.
    fn give_back(&self, of_file: &[u64]) {
        let mut blocks = locked(&self.blocks);
        blocks.free.extend(of_file);
        if blocks.free.len() as u64 == blocks.count && blocks.count > 0 {
            *blocks = Blocks::default();
            drop(blocks);
            self.disk.clear();
        }
    }
}

/// The files of a swap, for DataFusion.
pub(super) struct Files(pub(super) Arc<Swap>);

impl TempFileFactory for Files {
    fn create_temp_file(&self, _: &str) -> Result<Arc<dyn SpillFile>> {
        Ok(Arc::new(File(Arc::new(Content { swap: self.0.clone(), written: Mutex::default() }))))
    }
}

struct File(Arc<Content>);

/// What a file holds; its blocks are free once nobody reads or writes it any more.
struct Content {
    swap: Arc<Swap>,
    written: Mutex<Written>,
}

#[derive(Default)]
struct Written {
    blocks: Vec<u64>,
    /// The bytes behind the last whole block.
    rest: Vec<u8>,
}

impl Drop for Content {
    fn drop(&mut self) {
        let written = self.written.get_mut().unwrap_or_else(PoisonError::into_inner);
        self.swap.give_back(&written.blocks);
    }
}

impl SpillFile for File {
    fn size(&self) -> Option<u64> {
        let written = locked(&self.0.written);
        Some(written.blocks.len() as u64 * BLOCK as u64 + written.rest.len() as u64)
    }

    fn read_stream(&self) -> Result<Pin<Box<dyn Stream<Item = Result<Bytes>> + Send>>> {
        Ok(Box::pin(stream::iter(Pieces { content: self.0.clone(), next: 0 })))
    }

    fn open_writer(&self) -> Result<Box<dyn SpillWriter>> {
        Ok(Box::new(Writer(self.0.clone())))
    }
}

/// The bytes of a file, a block at a time.
struct Pieces {
    content: Arc<Content>,
    next: usize,
}

impl Iterator for Pieces {
    type Item = Result<Bytes>;

    fn next(&mut self) -> Option<Self::Item> {
        let written = locked(&self.content.written);
        let at = self.next;
        self.next += 1;
        let Some(block) = written.blocks.get(at) else {
            let rest = (at == written.blocks.len() && !written.rest.is_empty())
                .then(|| Ok(Bytes::copy_from_slice(&written.rest)));
            return rest;
        };
        let mut bytes = vec![0; BLOCK];
        let read = self.content.swap.disk.read(block * BLOCK as u64, &mut bytes);
        Some(read.map(|()| bytes.into()).map_err(DataFusionError::IoError))
    }
}

struct Writer(Arc<Content>);

impl Write for Writer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut written = locked(&self.0.written);
        let some = bytes.len().min(BLOCK - written.rest.len());
        written.rest.extend(bytes.iter().take(some));
        if written.rest.len() == BLOCK {
            let block = self.0.swap.take();
            // Before it can fail: the block is the file's from now on.
            written.blocks.push(block);
            self.0.swap.disk.write(block * BLOCK as u64, &written.rest)?;
            written.rest.clear();
        }
        Ok(some)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl SpillWriter for Writer {
    fn finish(&mut self) -> Result<()> {
        Ok(())
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
