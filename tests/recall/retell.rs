//! The words of a model's answer, told again of a later result.

use pinhole::engine::ingest::{Loader, Options as Reading};
use pinhole::engine::{Engine, Execution, Options};
use pinhole::error::Locale;
use pinhole::facts::Outcome;
use pinhole::query::check_json;
use pinhole::recall::{Later, referring, retold};
use pinhole::validate::Verdict;
use serde_json::{Value as Json, json};
use std::sync::Arc;

const BEFORE: &str = "Kuper,100\nVkusno,500.5\nSever,45\nKuper,210.5\nVkusno,411.5\n";

/// What a query gives over shops and amounts.
fn outcome(rows: &str, query: &Json) -> Arc<Outcome> {
    let mut engine = Engine::new(Options::default()).unwrap();
    let how = Reading::from_json(&json!({"time": false})).unwrap();
    let mut loader = Loader::new("sales", how).unwrap();
    loader.push(format!("shop,amount\n{rows}").as_bytes()).unwrap();
    engine.insert(loader.finish().unwrap().table).unwrap();
    // Its id is another one than that of the words.
    engine.take_id();
    let checked = Arc::new(check_json(query, &engine.tables()).unwrap());
    engine.start(&checked).and_then(Execution::finish).unwrap()
}

fn totals() -> Json {
    json!({"group_by": "shop", "select": "sum(amount)"})
}

/// What is kept of an answer, and what it says of other rows.
fn again(answer: &str, query: &Json, rows: &str) -> (Option<String>, Option<String>) {
    let (question, locale) = ("the totals?", Locale::En);
    let words = referring(answer, question, &[&outcome(BEFORE, query)], locale, Later::Any);
    let told = words.as_ref().and_then(|words| {
        let outcome = outcome(rows, query);
        let told = retold(words, question, &[&outcome], locale, Later::Any)?;
        let proved = |v: Verdict| matches!(v, Verdict::Verified | Verdict::Derived);
        assert!(told.claims.iter().all(|claim| proved(claim.verdict)), "{told:?}");
        let facts = told.claims.iter().filter_map(|claim| claim.fact.as_ref());
        assert!(facts.map(|fact| &fact.result).all(|id| *id == outcome.id), "{told:?}");
        Some(told.text)
    });
    (words, told)
}

#[test]
fn the_same_words_take_the_numbers_of_now() {
    let answer = "Vkusno has the highest total, 912, before Kuper with 310.5.";
    let (words, told) = again(answer, &totals(), BEFORE);
    let words = words.unwrap();
    assert!(!words.contains("912") && !words.contains("310"), "{words}");
    assert_eq!(told.as_deref(), Some(answer));
    let (_, told) = again(answer, &totals(), &format!("{BEFORE}Vkusno,8\nKuper,9.25\n"));
    let now = "Vkusno has the highest total, 920, before Kuper with 319.8.";
    assert_eq!(told.as_deref(), Some(now));
}

#[test]
fn words_that_do_not_hold_any_more_are_not_told() {
    let answer = "Vkusno has the highest total, 912.";
    // Another one is the highest.
    let (words, told) = again(answer, &totals(), &format!("{BEFORE}Kuper,5000\n"));
    assert!(words.is_some() && told.is_none(), "{told:?}");
    // What they name is gone.
    let (words, told) = again(answer, &totals(), "Kuper,100\nSever,45\n");
    assert!(words.is_some() && told.is_none(), "{told:?}");
    // A number that follows from others stands as it was written, and is checked anew.
    let answer = "Vkusno has 912, which is 601.5 more than Kuper with 310.5.";
    let (_, told) = again(answer, &totals(), BEFORE);
    assert_eq!(told.as_deref(), Some(answer));
    let (_, told) = again(answer, &totals(), &format!("{BEFORE}Vkusno,1\n"));
    assert_eq!(told, None);
}

#[test]
fn nothing_is_kept_that_nobody_could_check_later() {
    for answer in [
        // A name without its number, in a sentence with another's.
        "Vkusno has the highest total, 912, and Kuper is next.",
        "Vkusno has 912. Sever leads in nothing, and Kuper has 310.5.",
        // A sentence of which nothing is checked.
        "Vkusno has the highest total, 912. Sales go up from day to day.",
        "Here is what was found. Vkusno has a total of 912.",
    ] {
        assert_eq!(again(answer, &totals(), BEFORE).0, None, "{answer}");
    }
    // The name of a single row is no key: later the row may be another's.
    let largest = json!({"columns": ["shop", "amount"], "sort": "amount desc", "limit": 1});
    for answer in ["Vkusno has the largest, 500.5.", "The largest amount is 500.5, at Vkusno."] {
        assert_eq!(again(answer, &largest, BEFORE).0, None, "{answer}");
    }
    // What stands under its own key is as good as before, in whatever order.
    let answer = "Kuper comes to 310.5. Vkusno comes to 912.";
    assert_eq!(again(answer, &totals(), BEFORE).1.as_deref(), Some(answer));
}

#[test]
fn nothing_is_kept_of_words_that_code_cannot_fill_in() {
    for answer in
        ["It is in the table.", "The total of Vkusno is 913.", "The total of {{r1.x}} is 912.", ""]
    {
        assert_eq!(again(answer, &totals(), BEFORE).0, None, "{answer}");
    }
    // One number, and one of several.
    for (query, answer, now) in [
        (json!({"select": "sum(amount)"}), "The total is 1,267.5.", "The total is 1,268.5."),
        (
            json!({"select": "max(amount), count()"}),
            "There are 5 rows, and the largest amount is 500.5.",
            "There are 6 rows, and the largest amount is 500.5.",
        ),
    ] {
        let (words, told) = again(answer, &query, &format!("{BEFORE}Sever,1\n"));
        assert!(words.is_some(), "{answer}");
        assert_eq!(told.as_deref(), Some(now));
    }
}

#[test]
fn words_of_several_results_refer_to_each_and_hold_over_the_same_rows() {
    let (question, locale) = ("the highest?", Locale::En);
    let of = |rows: &str| {
        let one = json!({"where": "shop == 'Vkusno'", "select": "count()"});
        let (totals, mut one) = (outcome(rows, &totals()), outcome(rows, &one));
        Arc::make_mut(&mut one).id = "r9".into();
        [totals, one]
    };
    let refer = |outcomes: &[Arc<Outcome>], answer: &str, later| {
        let outcomes: Vec<&Outcome> = outcomes.iter().map(Arc::as_ref).collect();
        referring(answer, question, &outcomes, locale, later)
    };
    let tell = |outcomes: &[Arc<Outcome>], words: &str| {
        let outcomes: Vec<&Outcome> = outcomes.iter().map(Arc::as_ref).collect();
        retold(words, question, &outcomes, locale, Later::Same)
    };
    // A sentence that nothing proves was said of the very same rows.
    let answer = "Vkusno is ahead. Its total is 912, from 2 purchases.";
    let before = of(BEFORE);
    assert_eq!(refer(&before, answer, Later::Any), None);
    let words = refer(&before, answer, Later::Same).unwrap();
    assert!(words.contains("{{r1[shop=Vkusno]") && words.contains("{{r2"), "{words}");
    let told = tell(&before, &words).unwrap();
    assert_eq!(told.text, answer);
    let ids: Vec<String> =
        told.claims.iter().filter_map(|claim| Some(claim.fact.as_ref()?.result.clone())).collect();
    assert!(ids.contains(&before[0].id) && ids.contains(&"r9".to_owned()), "{ids:?}");
    // What does not pass the check is not kept, over whatever rows.
    assert_eq!(refer(&before, "Vkusno has 913, from 2 purchases.", Later::Same), None);
    assert_eq!(tell(&before[..1], &words), None);
}
