//! Calls whose memory ends go on on a disk of the host, like any query.

use super::world::World;
use pinhole::engine::{Disk, Options, Step};
use pinhole::error::Code;
use pinhole::tools::ToolResult;
use pinhole::tools::purchases::PurchaseRun;
use serde_json::json;
use std::fmt::Write;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

/// A disk in memory, and how many bytes were written to it.
#[derive(Clone, Default)]
struct Memory(Arc<Mutex<(Vec<u8>, usize)>>);

impl Memory {
    fn written(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).1
    }
}

impl Disk for Memory {
    fn read(&self, at: u64, into: &mut [u8]) -> io::Result<()> {
        let held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = usize::try_from(at).map_err(io::Error::other)?;
        let bytes = held.0.get(at..at + into.len()).ok_or(io::ErrorKind::UnexpectedEof)?;
        into.copy_from_slice(bytes);
        Ok(())
    }

    fn write(&self, at: u64, bytes: &[u8]) -> io::Result<()> {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = usize::try_from(at).map_err(io::Error::other)?;
        let size = held.0.len().max(at + bytes.len());
        held.0.resize(size, 0);
        held.0[at..at + bytes.len()].copy_from_slice(bytes);
        held.1 += bytes.len();
        Ok(())
    }

    fn clear(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).0.clear();
    }
}

/// Many receipts of a line each, of many items.
fn world(memory_limit: usize) -> World {
    let mut world = World::within(Options { memory_limit });
    let (mut receipts, mut lines, mut items) = (
        "id,receipt_date\n".to_owned(),
        "receipt_id,item_id,quantity,amount\n".to_owned(),
        "id,name,product_id\n".to_owned(),
    );
    for n in 0..40_000 {
        let item = n * 7919 % 20_011;
        let _ = writeln!(receipts, "{n},2024-{:02}-{:02}", n % 12 + 1, n % 28 + 1);
        let _ = writeln!(lines, "{n},{item},1,{}", n % 97);
    }
    for n in 0..20_011 {
        let _ = writeln!(items, "{n},item {n},p1");
    }
    for (name, csv) in [("receipts", receipts), ("receipt_items", lines), ("items", items)] {
        world.load(name, &csv);
    }
    world
}

/// A call as a host makes it; where the host has a disk it gives that when it is wanted.
fn call(world: &mut World, disk: Option<&Memory>) -> ToolResult {
    let asked = json!({"period_days": 400, "min_purchase_count": 1}).to_string();
    let call = world.prepared("get_purchase_statistics", &asked).expect("a call");
    let mut run = PurchaseRun::start(*call, &mut world.engine);
    loop {
        if let Step::Done(result) = run.step(&mut world.engine) {
            return result;
        }
        if let Some(disk) = disk.filter(|_| run.wants_disk()) {
            world.engine.spill_to(Box::new(disk.clone())).expect("an engine");
        }
    }
}

#[test]
fn a_call_over_its_memory_goes_on_on_the_disk() {
    let mut wide = world(1 << 30);
    let tables = wide.engine.stats().reserved;
    let expected = call(&mut wide, None).output;
    assert!(expected.is_some());
    let (mut saved, mut written) = (0, 0);
    for extra in 15..21 {
        let limit = tables + (extra << 19);
        let refused = call(&mut world(limit), None);
        if refused.ok {
            assert_eq!(refused.output, expected);
            continue;
        }
        assert_eq!(refused.error[0].code, Code::MemoryLimit);
        let disk = Memory::default();
        let mut narrow = world(limit);
        let found = call(&mut narrow, Some(&disk));
        if found.ok {
            assert_eq!(found.output, expected);
            assert!(disk.written() > 0);
            saved += 1;
        } else {
            assert_eq!(found.error[0].code, Code::MemoryLimit);
        }
        written += disk.written();
    }
    assert!(saved > 0, "{written} bytes were written");
}
