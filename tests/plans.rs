//! Questions without a model: a corpus of questions with the queries that they mean, and a part of
//! it set aside. The expected queries are written from the meaning of the questions.
//!
//! `PINHOLE_PLANS=1 cargo test --test plans -- --nocapture` lists what is not right yet (never of
//! the part set aside).
#![cfg(not(target_arch = "wasm32"))]
#![allow(
    missing_docs,
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test that reads an option and prints a score"
)]

#[path = "plans/calls.rs"]
mod calls;
#[path = "plans/corpus.rs"]
mod corpus;
#[path = "plans/meaning.rs"]
mod meaning;
#[path = "plans/parts.rs"]
mod parts;
#[path = "plans/same.rs"]
mod same;
#[path = "plans/score.rs"]
mod score;
#[path = "plans/variations.rs"]
mod variations;

use corpus::{Answer, Case, Set, read};
use parts::TUNING;
use pinhole::error::Locale;
use pinhole::planner::{Context, Plan, Status, plan, suggest};
use pinhole::query::check;
use score::{Result, Score, score};
use sha2::{Digest, Sha256};

/// The least share of right queries, and the greatest share of wrong ones that run unasked.
type Floor = (f64, f64);
const TUNING_FLOOR: Floor = (0.945, 0.002);

/// A part that nothing is tuned on: its name, its text, its SHA-256, and its floor.
const HELD_OUT: [(&str, &str, &str, Floor); 2] = [
    (
        "held out",
        parts::HELD_OUT,
        "30717e1e50778dbed0ec25662d2222c3236335107c92777898dc23add146f02c",
        (0.885, 0.02),
    ),
    (
        "set aside",
        parts::SET_ASIDE,
        "9f24682ead3cef5d5afcb1224b0278bde7d79c5c72368a1e207b1febd68954aa",
        (0.76, 0.017),
    ),
];

fn hex(bytes: &[u8]) -> String {
    bytes
        .iter()
        .flat_map(|b| [b >> 4, b & 15])
        .filter_map(|n| char::from_digit(n.into(), 16))
        .collect()
}

#[test]
fn the_set_aside_parts_are_as_they_were_written() {
    for (name, text, sha256, _) in HELD_OUT {
        assert_eq!(hex(&Sha256::digest(text)), sha256, "{name}");
    }
}

#[test]
fn the_corpus_is_what_it_says() {
    let sets = all_sets();
    let cases: Vec<&Case> = sets.iter().flat_map(|s| &s.cases).collect();
    let count = |f: fn(&Case) -> bool| cases.iter().filter(|c| f(c)).count();
    let russian = |c: &Case| c.question.chars().any(|c| ('а'..='я').contains(&c));
    let unrun = |c: &Case| matches!(c.answers.first(), Some(Answer::Unrun));
    assert!(sets.len() >= 8, "{} tables", sets.len());
    assert!(cases.len() >= 600, "{} questions", cases.len());
    assert!(count(russian) * 100 >= cases.len() * 48, "{} in Russian", count(russian));
    assert!(count(|c| c.paraphrase) >= 150);
    assert!(count(|c| c.previous.is_some()) >= 60);
    assert!(count(unrun) >= 60);
    let held: usize = held_out().iter().map(|s| s.cases.len()).sum();
    assert!(held >= 1000, "{held} set aside");
    // The third of the corpus as it was when it was written: more was added to tune with since.
    const AT_FIRST: usize = 1104;
    let third: usize = read(parts::HELD_OUT).iter().map(|s| s.cases.len()).sum();
    assert!(third * 100 >= AT_FIRST * 32, "{third} of {AT_FIRST}");
    for case in &cases {
        assert!(!case.answers.is_empty(), "line {}: {}", case.line, case.question);
    }
}

#[test]
fn questions_become_the_queries_they_mean() {
    let listed = std::env::var("PINHOLE_PLANS").is_ok();
    let mut tuning = Score::default();
    for set in TUNING.iter().copied().flat_map(read) {
        let one = score(&set, |case, result, plan| {
            if listed && !matches!(result, Result::Right | Result::Unrun) {
                let shown =
                    |q: &pinhole::query::Query, c: f64| format!("\n      {c:.2} {}", q.to_json());
                let got: String = match &plan.query {
                    Some(query) => shown(query, plan.confidence),
                    None => plan.readings.iter().map(|r| shown(&r.query, r.confidence)).collect(),
                };
                let why =
                    plan.message.as_deref().unwrap_or_default().lines().next().unwrap_or_default();
                println!("  {result:?} {}: {} · {why}{got}", case.line, case.question);
            }
        });
        println!("{:10} {one}", set.schema.name);
        tuning = tuning.and(one);
    }
    println!("{:10} {tuning}", "tuning");
    let mut parts = vec![("tuning", tuning, TUNING_FLOOR)];
    for (name, text, _, floor) in HELD_OUT {
        let mut whole = Score::default();
        for set in read(text) {
            whole = whole.and(score(&set, |_, _, _| {}));
        }
        println!("{name:10} {whole}");
        parts.push((name, whole, floor));
    }
    for (name, score, floor) in parts {
        assert!(score.right_share() >= floor.0, "{name}: {score}");
        assert!(score.wrong_share() <= floor.1, "{name}: {score}");
    }
}

fn held_out() -> Vec<Set> {
    HELD_OUT.into_iter().flat_map(|(_, text, ..)| read(text)).collect()
}

fn all_sets() -> Vec<Set> {
    TUNING.iter().copied().flat_map(read).chain(held_out()).collect()
}

#[test]
fn what_is_suggested_is_answered() {
    for set in all_sets() {
        for locale in [Locale::En, Locale::Ru] {
            let list = suggest(&set.schema, locale);
            assert!((3..=6).contains(&list.len()), "{}: {list:?}", set.schema.name);
            for question in list {
                let plan = plan(&question, std::slice::from_ref(&set.schema), &Context::default());
                assert_eq!(plan.status, Status::Ready, "{question}: {plan:#?}");
            }
        }
    }
}

/// Every query of a plan passes the check; what is not run is explained.
fn sound(plan: &Plan, set: &Set, question: &str) {
    let tables = std::slice::from_ref(&set.schema);
    let queries = plan.query.iter().chain(plan.readings.iter().map(|r| &r.query));
    for query in queries {
        assert!(check(query, tables).is_ok(), "{question}: {}", query.to_json());
    }
    match plan.status {
        Status::Ready => assert!(plan.query.is_some() && plan.readings.is_empty(), "{question}"),
        Status::Readings => {
            assert!(plan.query.is_none() && !plan.readings.is_empty(), "{question}");
            assert!(plan.readings.iter().all(|r| !r.explanation.is_empty()), "{question}");
            for (number, reading) in plan.readings.iter().enumerate() {
                let mut others = plan.readings.iter().skip(number + 1);
                let told = others.all(|r| r.explanation != reading.explanation);
                assert!(told, "{question}: {}", reading.explanation);
            }
        }
        Status::Declined => assert!(plan.message.is_some() && plan.query.is_none(), "{question}"),
    }
}

/// Words of all questions in any order, over any table, after any query: readings, a refusal or a
/// query that passes the check. `PINHOLE_SALADS=20000` for a long run.
#[test]
fn any_words_are_planned() {
    let wanted = std::env::var("PINHOLE_SALADS").ok().and_then(|n| n.parse().ok()).unwrap_or(150);
    let sets = all_sets();
    let words: Vec<&str> =
        sets.iter().flat_map(|s| &s.cases).flat_map(|c| c.question.split(' ')).collect();
    let before: Vec<_> =
        sets.iter().flat_map(|s| &s.cases).filter_map(|c| c.previous.as_ref()).collect();
    // splitmix64: a failure names its seed
    let mut state = 7_u64;
    let mut below = |n: usize| {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    };
    for _ in 0..wanted {
        let question: Vec<&str> = (0..=below(12)).map(|_| words[below(words.len())]).collect();
        let question = question.join(" ");
        let set = &sets[below(sets.len())];
        let previous = (below(2) == 0).then(|| before[below(before.len())]);
        let context = Context { previous, ..Context::default() };
        sound(&plan(&question, std::slice::from_ref(&set.schema), &context), set, &question);
    }
}
