//! Conversations replayed from transcripts, for every wire, and what becomes of them when the bytes
//! are split, late, doubled, cut short and spoilt.
//! `UPDATE_GOLDEN=1 cargo test --test replay` rewrites the expectations.
#![cfg(not(target_arch = "wasm32"))]
#![allow(
    missing_docs,
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test that rewrites its own files"
)]

#[path = "replay/runner.rs"]
mod runner;

use pinhole::chat::wire::Wire;
use runner::{Case, FILES, Trace, Way, cases, play};
use std::fmt::Write;

/// Places of each reply that are tried; the decoders' own tests try every byte, and with
/// `PINHOLE_PLACES=all` so do these.
const PLACES: usize = 3;

/// Some places of a reply, others for every reply, its ends among them.
fn places(length: usize, seed: usize) -> Vec<usize> {
    if std::env::var_os("PINHOLE_PLACES").is_some_and(|places| places == "all") {
        return (0..length).collect();
    }
    let ends = [0, length.saturating_sub(1)];
    let some = (0..PLACES).map(move |k| (k * length / PLACES + seed * 31) % length.max(1));
    some.chain(ends).filter(move |at| *at < length).collect()
}

fn all() -> impl Iterator<Item = (Wire, Case)> {
    FILES.iter().flat_map(|(name, text)| {
        let wire = Wire::named(name).expect("a wire");
        cases(text).1.into_iter().map(move |case| (wire, case))
    })
}

#[test]
fn transcripts_come_out_as_written() {
    let mut wrong = String::new();
    for (name, text) in FILES {
        let wire = Wire::named(name).expect("a wire");
        let (head, cases) = cases(text);
        let mut actual = head;
        for case in &cases {
            let lines = play(wire, case, Way::default()).lines;
            if lines != case.expected {
                let (name, expected) = (&case.name, &case.expected);
                writeln!(wrong, "{name}: expected\n{expected}actual\n{lines}").expect("a string");
            }
            let script = case.script.trim_end_matches('\n');
            write!(actual, "{script}\n{lines}\n").expect("a string");
        }
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            let path = format!("tests/replay/{name}.txt");
            std::fs::write(path, actual.trim_end().to_owned() + "\n").expect("it can be written");
            wrong.clear();
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn every_wire_has_the_same_cases() {
    let names = |text| cases(text).1.into_iter().map(|case| case.name).collect::<Vec<_>>();
    for (name, text) in FILES {
        assert_eq!(names(text), names(FILES[0].1), "{name}");
    }
}

/// Nothing runs twice, every question ends once, whatever came.
fn sound(trace: &Trace, case: &Case, what: &str) {
    assert!(trace.runs.values().all(|n| *n == 1), "a query ran twice: {what}");
    assert!(trace.calls.values().all(|n| *n == 1), "a call came twice: {what}");
    assert_eq!(trace.finished, case.questions.len(), "{what}\n{}", trace.lines);
}

#[test]
fn how_the_bytes_arrive_does_not_matter() {
    for (wire, case) in all() {
        let whole = play(wire, &case, Way::default());
        sound(&whole, &case, &case.name);
        let ways = [
            Way { piece: 1, ..Way::default() },
            Way { piece: 2, ..Way::default() },
            Way { piece: 3, twice: true, ..Way::default() },
            Way { piece: 64, late: true, ..Way::default() },
            Way { twice: true, late: true, ..Way::default() },
        ];
        for way in ways {
            assert_eq!(play(wire, &case, way), whole, "{way:?} in {}", case.name);
        }
    }
}

#[test]
fn streams_cut_short_lose_and_double_nothing() {
    for (wire, case) in all() {
        let whole = play(wire, &case, Way::default());
        for (n, reply) in case.replies.iter().enumerate() {
            for at in places(reply.body.len(), n) {
                let mut short = case.clone();
                short.replies.truncate(n + 1);
                short.replies[n].body.truncate(at);
                short.replies[n].cut = at % 2 == 0;
                let trace = play(wire, &short, Way::default());
                let what = format!("reply {n} of {} short at {at}", case.name);
                sound(&trace, &short, &what);
                assert!(trace.runs.len() <= whole.runs.len(), "{what}");
                // With several questions the shorter run shows errors in place of answers.
                if case.questions.len() == 1 && reply.status == 200 {
                    assert!(is_prefix(&trace.shown, &whole.shown), "{what}: {}", trace.lines);
                }
            }
        }
    }
}

/// True where `shown` is how `whole` begins; what the program itself says at an early end aside.
fn is_prefix(shown: &str, whole: &str) -> bool {
    whole.starts_with(shown) || shown.contains("I could not answer")
}

#[test]
fn spoilt_bytes_run_nothing_twice() {
    for (wire, case) in all() {
        let whole = play(wire, &case, Way::default());
        for (n, reply) in case.replies.iter().enumerate() {
            for at in places(reply.body.len(), n) {
                let mut spoilt = case.clone();
                spoilt.replies[n].body[at] = [0, b'\n', b'"', b'}', b':', b'7', 0xff][at % 7];
                let trace = play(wire, &spoilt, Way { piece: 5, ..Way::default() });
                let what = format!("reply {n} of {} spoilt at {at}", case.name);
                sound(&trace, &spoilt, &what);
                // A spoilt call may be repeated by the script, but never beyond the replies.
                assert!(trace.runs.len() <= whole.runs.len() + case.replies.len(), "{what}");
            }
        }
    }
}
