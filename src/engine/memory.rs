//! The engine's memory: first come, first served, up to a limit; what is refused is told by size.

use datafusion::common::Result;
use datafusion::error::DataFusionError;
use datafusion::execution::memory_pool::{
    GreedyMemoryPool, MemoryLimit, MemoryPool, MemoryReservation,
};
use std::fmt;

/// What marks a refusal as ours: the text of another may quote anything.
const MARK: &str = "pinhole";

/// A pool whose refusals say how much was wanted and how much there is.
#[derive(Debug)]
pub(crate) struct Pool {
    greedy: GreedyMemoryPool,
    limit: usize,
}

/// What was refused, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Refused {
    /// What all together would have come to.
    pub(crate) wanted: usize,
    /// What there is.
    pub(crate) limit: usize,
}

impl Refused {
    /// What the text of an error says, where it is one of ours.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let mut numbers = text.strip_prefix(MARK)?.split_whitespace().map(str::parse);
        let (wanted, limit) = (numbers.next()?.ok()?, numbers.next()?.ok()?);
        Some(Self { wanted, limit })
    }
}

impl Pool {
    /// A pool of `limit` bytes.
    pub(crate) fn new(limit: usize) -> Self {
        Self { greedy: GreedyMemoryPool::new(limit), limit }
    }
}

impl MemoryPool for Pool {
    fn name(&self) -> &'static str {
        MARK
    }

    fn grow(&self, reservation: &MemoryReservation, additional: usize) {
        self.greedy.grow(reservation, additional);
    }

    fn shrink(&self, reservation: &MemoryReservation, shrink: usize) {
        self.greedy.shrink(reservation, shrink);
    }

    fn try_grow(&self, reservation: &MemoryReservation, additional: usize) -> Result<()> {
        self.greedy.try_grow(reservation, additional).map_err(|_| {
            let wanted = self.greedy.reserved().saturating_add(additional);
            DataFusionError::ResourcesExhausted(format!("{MARK} {wanted} {}", self.limit))
        })
    }

    fn reserved(&self) -> usize {
        self.greedy.reserved()
    }

    fn memory_limit(&self) -> MemoryLimit {
        self.greedy.memory_limit()
    }
}

impl fmt::Display for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{MARK} of {} bytes", self.limit)
    }
}
