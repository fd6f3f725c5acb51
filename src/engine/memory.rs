//! The engine's memory: first come, first served, up to a limit; what is refused is told by size.

use datafusion::common::Result;
use datafusion::error::DataFusionError;
use datafusion::execution::memory_pool::{
    GreedyMemoryPool, MemoryConsumer, MemoryLimit, MemoryPool, MemoryReservation,
};
use std::fmt;
use std::sync::Arc;

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

/// What a step that can go on on a disk may hold at once: it sorts and writes all of it in one go, in
/// which no cancel is heard.
const RUN: usize = 128 << 20;

/// A pool in which whoever can go on on a disk does so early.
#[derive(Debug)]
pub(crate) struct Short(pub(crate) Arc<dyn MemoryPool>);

impl MemoryPool for Short {
    fn name(&self) -> &'static str {
        MARK
    }

    fn register(&self, consumer: &MemoryConsumer) {
        self.0.register(consumer);
    }

    fn unregister(&self, consumer: &MemoryConsumer) {
        self.0.unregister(consumer);
    }

    fn grow(&self, reservation: &MemoryReservation, additional: usize) {
        self.0.grow(reservation, additional);
    }

    fn shrink(&self, reservation: &MemoryReservation, shrink: usize) {
        self.0.shrink(reservation, shrink);
    }

    fn try_grow(&self, reservation: &MemoryReservation, additional: usize) -> Result<()> {
        let wanted = reservation.size().saturating_add(additional);
        // the first of a run has to have its place
        if reservation.consumer().can_spill() && reservation.size() > 0 && wanted > RUN {
            return Err(DataFusionError::ResourcesExhausted(format!("{MARK} {wanted} {RUN}")));
        }
        self.0.try_grow(reservation, additional)
    }

    fn reserved(&self) -> usize {
        self.0.reserved()
    }

    fn memory_limit(&self) -> MemoryLimit {
        self.0.memory_limit()
    }
}

impl fmt::Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_on_the_disk_is_short() {
        let pool: Arc<dyn MemoryPool> = Arc::new(Short(Arc::new(Pool::new(4 * RUN))));
        let sort = MemoryConsumer::new("sort").with_can_spill(true).register(&pool);
        sort.try_grow(RUN).unwrap();
        assert!(sort.try_grow(1).is_err());
        let result = MemoryConsumer::new("result").register(&pool);
        result.try_grow(2 * RUN).unwrap();
        assert_eq!(pool.reserved(), 3 * RUN);
        sort.free();
        // A batch that is larger by itself is taken all the same.
        sort.try_grow(2 * RUN).unwrap();
        assert!(result.try_grow(1).is_err());
    }
}
