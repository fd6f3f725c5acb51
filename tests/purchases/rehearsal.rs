//! Rehearsals: what first calls would make is there before them, and nothing else tells of it.

use super::kept;
use super::world::World;
use pinhole::engine::Options;
use pinhole::tools::ToolResult;
use pinhole::tools::purchases::{Rehearsal, Rehearsed};

const CALLS: [(&str, &str); 8] = [
    ("get_receipts", "{}"),
    ("get_receipt_items", "{}"),
    ("generate_shopping_list", "{}"),
    ("get_purchase_statistics", "{\"include_prediction\": true}"),
    ("get_items", "{\"include_purchase_stats\": true}"),
    ("get_products", "{\"include_children\": true}"),
    ("get_labels", "{}"),
    ("get_receipts", "{\"shop\": \"пят\"}"),
];

fn begin(world: &mut World) -> Rehearsal {
    world.offered();
    Rehearsal::new(&world.context(None), &world.engine).expect("tables of purchases")
}

/// Goes on to the end; after how many steps that is.
fn see_through(rehearsal: &mut Rehearsal, world: &mut World) -> usize {
    for step in 0..100_000 {
        match rehearsal.step(&mut world.engine) {
            Rehearsed::Working => {}
            Rehearsed::Done => return step,
            Rehearsed::Paused => panic!("nobody asked"),
        }
    }
    panic!("no end")
}

fn rehearsed() -> World {
    let mut world = World::new();
    let mut rehearsal = begin(&mut world);
    see_through(&mut rehearsal, &mut world);
    world
}

/// All that a call gives: to the person, and what a model hears.
fn heard(world: &World, result: &ToolResult) -> String {
    let found: Vec<_> =
        result.found().iter().map(|(o, _)| (&o.id, o.rows.len(), o.rows_matched)).collect();
    let content = result.content(&world.context(None));
    format!("{:?} {:?} {found:?} {}", result.result_id, result.output, content.as_str())
}

fn answers(world: &mut World) -> Vec<String> {
    let results = CALLS.map(|(tool, arguments)| world.call(tool, arguments));
    results.iter().map(|result| heard(world, result)).collect()
}

#[test]
fn first_calls_find_all_made_that_they_would_keep() {
    let mut world = rehearsed();
    let stats = world.engine.stats();
    assert!(stats.results.is_empty());
    assert_eq!(world.engine.next_result(), 1);
    let made = kept(&world);
    assert!(made > 20_000, "{made} bytes");
    let found = answers(&mut world);
    assert_eq!(kept(&world), made, "calls made more");
    // Without a rehearsal: the same ids, answers and words, and as much that is kept.
    let mut plain = World::new();
    assert_eq!(found, answers(&mut plain));
    assert_eq!(kept(&plain), made, "no more was made than calls keep");
    assert_eq!(world.engine.stats().results, plain.engine.stats().results);
}

#[test]
fn whoever_asks_in_the_middle_pauses_it() {
    let all = {
        let mut world = World::new();
        let mut rehearsal = begin(&mut world);
        see_through(&mut rehearsal, &mut world)
    };
    let wanted = answers(&mut World::new());
    for steps in (0..all).step_by(all / 12) {
        let mut world = World::new();
        let mut rehearsal = begin(&mut world);
        for _ in 0..steps {
            assert_eq!(rehearsal.step(&mut world.engine), Rehearsed::Working);
        }
        let found = answers(&mut world);
        assert_eq!(found, wanted, "after {steps} steps");
        assert_eq!(rehearsal.step(&mut world.engine), Rehearsed::Paused);
        assert_eq!(rehearsal.step(&mut world.engine), Rehearsed::Paused);
        let held = kept(&world);
        rehearsal.go_on(&world.engine);
        see_through(&mut rehearsal, &mut world);
        assert_eq!(kept(&world), held, "all was made by the calls");
    }
}

#[test]
fn a_pause_gives_back_what_was_under_way_and_ends_in_the_end() {
    let mut world = World::new();
    let mut rehearsal = begin(&mut world);
    for _ in 0..5 {
        rehearsal.step(&mut world.engine);
    }
    rehearsal.pause();
    let held = kept(&world);
    drop(rehearsal);
    assert_eq!(kept(&world), held);
    // One that is broken off again and again comes to its end all the same: each of its calls is
    // given up after four times.
    let mut rehearsal = begin(&mut world);
    let paused = (0..1_000).find(|_| {
        let step = rehearsal.step(&mut world.engine);
        rehearsal.pause();
        step == Rehearsed::Done
    });
    assert!(paused.is_some_and(|times| times < 200), "{paused:?}");
}

#[test]
fn a_table_that_comes_or_goes_ends_it() {
    for steps in [0, 1, 7, 20, 60] {
        for replaced in [false, true] {
            let mut world = World::new();
            let mut rehearsal = begin(&mut world);
            for _ in 0..steps {
                rehearsal.step(&mut world.engine);
            }
            let lines = include_str!("receipt_items.csv");
            let fewer: String = lines.split_inclusive('\n').take(40).collect();
            if replaced {
                world.load("receipt_items", &fewer);
            } else {
                world.engine.drop_table("receipt_items");
            }
            assert_eq!(rehearsal.step(&mut world.engine), Rehearsed::Done);
            assert_eq!(kept(&world), 0, "after {steps} steps");
            if !replaced {
                world.load("receipt_items", &fewer);
            }
            let mut fresh = World::new();
            fresh.load("receipt_items", &fewer);
            assert_eq!(answers(&mut world), answers(&mut fresh), "after {steps} steps");
        }
    }
}

#[test]
fn it_takes_no_room_from_anybody() {
    let mut world = World::within(Options { memory_limit: 16 << 20 });
    let numbers = (0..20_000).fold("n\n".to_owned(), |text, n| text + &format!("{n}.5\n"));
    while world.engine.stats().reserved < 8 << 20 {
        let place = world.engine.tables().len();
        world.load(&format!("other {place}"), &numbers);
    }
    let listed = world.call("get_products", "{}");
    assert!(listed.ok, "{:?}", listed.error);
    let before = world.engine.stats();
    let mut rehearsal = begin(&mut world);
    see_through(&mut rehearsal, &mut world);
    assert_eq!(world.engine.stats(), before, "half of the memory is in use");
    world.engine.drop_table("other 6");
    let before = world.engine.stats();
    let mut rehearsal = begin(&mut world);
    see_through(&mut rehearsal, &mut world);
    assert!(kept(&world) > 0);
    assert_eq!(world.engine.stats().results, before.results, "results stay");
}

#[test]
fn what_has_no_room_is_not_made_for_nobody() {
    let mut world = World::within(Options { memory_limit: 8 << 20 });
    // Lines of no receipt: they count nowhere, and take room.
    let lines = include_str!("receipt_items.csv").trim_end();
    let lost = (0..40_000).fold(String::new(), |lost, _| lost + "\n999999,m1,1,1,1");
    world.load("receipt_items", &format!("{lines}{lost}\n"));
    assert!(world.engine.stats().reserved < 4 << 20);
    let mut rehearsal = begin(&mut world);
    see_through(&mut rehearsal, &mut world);
    assert_eq!(rehearsal.step(&mut world.engine), Rehearsed::Done);
    let made = kept(&world);
    assert!(made < 1_000_000, "{made} bytes");
    // Receipts with their totals fit, lines do not: it ended there.
    let receipts = world.call("get_receipts", "{}");
    assert!(receipts.ok && kept(&world) == made, "{:?}", receipts.error);
    assert!(world.call("get_labels", "{}").ok && kept(&world) > made);
}

#[test]
fn what_fails_is_told_to_whoever_asks() {
    let repeated = format!("{}1,Kuper,2024-12-14,17.3,N\n", include_str!("receipts.csv"));
    let mut world = World::new();
    world.load("receipts", &repeated);
    let mut rehearsal = begin(&mut world);
    see_through(&mut rehearsal, &mut world);
    let mut plain = World::new();
    plain.load("receipts", &repeated);
    assert_eq!(answers(&mut world), answers(&mut plain));
    world.engine.drop_table("items");
    world.offered();
    assert!(Rehearsal::new(&world.context(None), &world.engine).is_none());
}

#[test]
fn lines_are_joined_once_for_all_tools() {
    // Lists with prices and statistics without them read the same lines.
    let growth = |first: (&str, &str), second: (&str, &str)| {
        let mut world = World::new();
        assert!(world.call(first.0, first.1).ok);
        let before = kept(&world);
        assert!(world.call(second.0, second.1).ok);
        kept(&world) - before
    };
    let lines = ("get_receipt_items", "{\"receipt_id\": 707}");
    let stats = ("get_purchase_statistics", "{}");
    let alone = {
        let mut world = World::new();
        assert!(world.call(stats.0, stats.1).ok);
        kept(&world)
    };
    assert!(growth(lines, stats) < alone / 4, "{} of {alone}", growth(lines, stats));
    assert!(growth(stats, lines) < alone / 4, "{} of {alone}", growth(stats, lines));
}
