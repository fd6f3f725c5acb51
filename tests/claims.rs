//! The claims check on corpora written by hand: rates on sentences set aside and on the others.
#![cfg(not(target_arch = "wasm32"))]
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a broken corpus stops the test; the rates are printed"
)]

#[path = "claims/actual.rs"]
mod actual;
#[path = "claims/corpus.rs"]
mod corpus;
#[path = "claims/kinds.rs"]
mod kinds;
#[path = "claims/mutate.rs"]
mod mutate;
#[path = "claims/properties.rs"]
mod properties;
#[path = "claims/rates.rs"]
mod rates;

use sha2::{Digest, Sha256};

const HELD_OUT: &str = include_str!("claims/heldout.txt");
const AFRESH: &str = include_str!("claims/afresh.txt");

/// The sentences set aside are those that were written before the check was tuned.
#[test]
fn the_sentences_set_aside_are_unchanged() {
    let hash = format!("{:x}", Sha256::digest(HELD_OUT));
    assert_eq!(hash, "4bd6d76b5870b6b17172b5ec21f75c880fce31b9a424a72786fc365d13953347");
}

#[test]
fn rates_on_the_sentences_set_aside() {
    let rates = measured("set aside", HELD_OUT);
    hold_corrected(&rates, 0.75);
    hold(&rates, 0.09, 0.93, 0.965);
    hold_kinds(
        &rates,
        &[
            ("column", 0.954),
            ("digit", 0.986),
            ("direction", 0.636),
            ("entity", 0.974),
            ("percent and points", 1.0),
            ("rounding", 1.0),
            ("scale", 1.0),
            ("stale filter", 1.0),
            ("superlative", 0.8),
            ("truncated total", 1.0),
            ("unit", 1.0),
        ],
    );
}

#[test]
fn rates_on_the_sentences_used_for_tuning() {
    let rates = measured("tuning", include_str!("claims/corpus.txt"));
    misses(&rates);
    hold_corrected(&rates, 0.89);
    hold(&rates, 0.01, 0.99, 0.975);
    hold_kinds(
        &rates,
        &[
            ("column", 0.935),
            ("digit", 0.997),
            ("direction", 1.0),
            ("entity", 0.99),
            ("percent and points", 1.0),
            ("rounding", 0.991),
            ("scale", 1.0),
            ("stale filter", 1.0),
            ("superlative", 0.827),
            ("truncated total", 1.0),
            ("unit", 1.0),
        ],
    );
}

#[test]
fn rates_on_sentences_of_other_styles() {
    let rates = measured("other styles", include_str!("claims/styles.txt"));
    misses(&rates);
    hold_corrected(&rates, 0.95);
    hold(&rates, 0.01, 0.99, 0.98);
    hold_kinds(
        &rates,
        &[
            ("column", 0.964),
            ("digit", 0.995),
            ("direction", 0.933),
            ("entity", 1.0),
            ("percent and points", 1.0),
            ("rounding", 0.984),
            ("scale", 1.0),
            ("superlative", 1.0),
            ("truncated total", 1.0),
            ("unit", 1.0),
        ],
    );
}

/// What the sentences of an assistant say, in other words and nearly all in Russian.
#[test]
fn rates_on_paraphrases() {
    let rates = measured("paraphrases", include_str!("claims/paraphrases.txt"));
    misses(&rates);
    hold(&rates, 0.08, 0.0, 0.97);
    hold_kinds(
        &rates,
        &[
            ("column", 0.974),
            ("digit", 0.989),
            ("direction", 0.952),
            ("entity", 0.979),
            ("percent and points", 1.0),
            ("rounding", 1.0),
            ("scale", 1.0),
            ("superlative", 0.725),
            ("truncated total", 1.0),
            ("unit", 1.0),
        ],
    );
}

#[test]
fn rates_on_sentences_meant_to_mislead() {
    let rates = measured("meant to mislead", include_str!("claims/adversarial.txt"));
    misses(&rates);
    hold_corrected(&rates, 0.655);
    hold(&rates, 0.39, 0.9, 0.97);
    hold_kinds(&rates, &[("digit", 1.0), ("entity", 1.0), ("rounding", 1.0), ("scale", 1.0)]);
}

#[test]
fn rates_on_sentences_as_an_assistant_writes_them() {
    let rates = measured("as an assistant writes", include_str!("claims/wide.txt"));
    misses(&rates);
    hold_corrected(&rates, 0.95);
    hold(&rates, 0.03, 0.92, 0.97);
    hold_kinds(
        &rates,
        &[
            ("column", 0.928),
            ("digit", 0.995),
            ("direction", 0.912),
            ("entity", 0.989),
            ("percent and points", 1.0),
            ("rounding", 1.0),
            ("scale", 1.0),
            ("stale filter", 1.0),
            ("superlative", 0.934),
            ("truncated total", 1.0),
            ("unit", 0.923),
        ],
    );
}

/// Written by others who had not seen the check, and harder than those set aside; the check was then
/// tuned with them, too.
#[test]
fn rates_on_sentences_of_a_chat() {
    let rates = measured("of a chat", include_str!("claims/chat.txt"));
    misses(&rates);
    hold_corrected(&rates, 0.45);
    hold(&rates, 0.45, 0.72, 0.94);
    hold_kinds(
        &rates,
        &[
            ("column", 0.881),
            ("digit", 0.979),
            ("direction", 0.612),
            ("entity", 0.96),
            ("percent and points", 1.0),
            ("rounding", 0.996),
            ("scale", 1.0),
            ("stale filter", 0.931),
            ("superlative", 0.741),
            ("truncated total", 1.0),
            ("unit", 0.947),
        ],
    );
}

#[test]
fn rates_on_sentences_of_reports() {
    let rates = measured("of reports", include_str!("claims/reports.txt"));
    misses(&rates);
    hold_corrected(&rates, 0.62);
    hold(&rates, 0.3, 0.77, 0.945);
    hold_kinds(
        &rates,
        &[
            ("column", 0.857),
            ("digit", 0.962),
            ("direction", 0.764),
            ("entity", 0.988),
            ("percent and points", 0.987),
            ("rounding", 1.0),
            ("scale", 0.93),
            ("stale filter", 1.0),
            ("superlative", 0.666),
            ("truncated total", 1.0),
            ("unit", 1.0),
        ],
    );
}

#[test]
fn rates_on_superlatives_and_other_measures() {
    let rates = measured("superlatives", include_str!("claims/extremes.txt"));
    misses(&rates);
    hold_corrected(&rates, 0.94);
    hold(&rates, 0.01, 0.98, 0.95);
    let order = rates.written_kinds.get("order").map(|(_, corrected)| corrected.share());
    assert!(order.is_some_and(|share| share >= 0.9), "{order:?}");
}

/// Written before the check was tuned with any of them.
#[test]
fn rates_on_numbers_and_names_that_fool() {
    let rates = measured("that fool", include_str!("claims/fooled.txt"));
    misses(&rates);
    hold_corrected(&rates, 0.87);
    hold(&rates, 0.06, 0.97, 0.97);
}

/// Written before the check was tuned with any of them.
#[test]
fn rates_on_cells_ends_and_several_groups() {
    let rates = measured("cells and ends", include_str!("claims/cells.txt"));
    misses(&rates);
    hold_corrected(&rates, 0.94);
    hold(&rates, 0.01, 0.99, 0.97);
}

/// Written before the check was tuned with any of them.
#[test]
fn rates_on_places_orders_and_bounds() {
    let rates = measured("places and bounds", include_str!("claims/ranks.txt"));
    misses(&rates);
    hold_corrected(&rates, 0.98);
    hold(&rates, 0.01, 0.98, 0.98);
}

/// Written before the check was tuned with any of them.
#[test]
fn rates_on_leaders_followers_and_swaps() {
    let rates = measured("leaders and swaps", include_str!("claims/leaders.txt"));
    misses(&rates);
    hold_corrected(&rates, 0.94);
    hold(&rates, 0.028, 0.98, 0.98);
    let order = rates.written_kinds.get("order").map(|(_, corrected)| corrected.share());
    assert!(order.is_some_and(|share| share >= 0.94), "{order:?}");
}

/// Free text as an assistant or an analyst writes it, by others who had not seen the check.
#[test]
fn rates_on_sentences_written_blind() {
    let rates = measured("written blind", include_str!("claims/blind.txt"));
    misses(&rates);
    hold_free(&rates, 0.34, 0.89, 0.55);
}

/// The same by somebody else, of which only the rates are looked at.
#[test]
fn rates_on_sentences_written_afresh() {
    let hash = format!("{:x}", Sha256::digest(AFRESH));
    assert_eq!(hash, "cefc8856262d96b7e357d3fdc190c59427623b6768c84d5bc8ca7ee517bdddf1");
    hold_free(&measured("written afresh", AFRESH), 0.36, 0.76, 0.48);
}

/// At least 400 true sentences over at least 12 results.
#[test]
fn the_corpora_are_large_enough() {
    let all = [
        HELD_OUT,
        include_str!("claims/corpus.txt"),
        include_str!("claims/styles.txt"),
        include_str!("claims/adversarial.txt"),
        include_str!("claims/wide.txt"),
        include_str!("claims/chat.txt"),
        include_str!("claims/reports.txt"),
        include_str!("claims/paraphrases.txt"),
    ];
    let sections: Vec<_> = all.iter().flat_map(|text| corpus::read(text)).collect();
    let sentences = sections.iter().flat_map(|s| &s.sentences).filter(|s| s.truth).count();
    assert!(sections.len() >= 12 && sentences >= 400, "{sentences} over {}", sections.len());
    let russian = |s: &&corpus::Sentence| {
        s.text(None).0.to_lowercase().contains(|c| ('а'..='я').contains(&c))
    };
    let true_ones = || sections.iter().flat_map(|s| &s.sentences).filter(|s| s.truth);
    let russian = true_ones().filter(russian).count();
    assert!(russian * 2 >= sentences, "{russian} of {sentences} are Russian");
}

fn measured(title: &str, text: &str) -> rates::Rates {
    let sections = corpus::read(text);
    let rates = rates::measure(&sections, 500);
    println!("{}", rates::print(title, &rates));
    // What is exported for another program is whole.
    assert!(rates.cases.iter().all(|c| {
        c.section < sections.len() && !c.kind.is_empty() && c.text.get(c.place.clone()).is_some()
    }));
    rates
}

/// Prints what was missed, where the environment asks for it; never of the sentences set aside.
fn misses(rates: &rates::Rates) {
    if std::env::var_os("CLAIMS_MISSES").is_some() {
        println!("{}", rates.misses.join("\n"));
    }
}

/// What was reached is kept: at most this share of true sentences called wrong, at least these of
/// false sentences and of mutations caught.
fn hold(rates: &rates::Rates, alarms: f64, written: f64, mutated: f64) {
    assert!(rates.false_alarms.share() <= alarms, "true sentences called wrong");
    assert!(rates.changed.share() <= 0.01, "true sentences changed when delivered");
    assert!(rates.written_false.share() >= written, "false sentences caught");
    let (good, all) =
        rates.caught.values().fold((0, 0), |(g, a), (ours, _)| (g + ours.good, a + ours.all));
    assert!(good as f64 >= mutated * all as f64, "mutations caught");
    assert!(rates.coincidence.0.share() <= 0.01, "random numbers accepted");
    // What is given in place of a wrong number is that of the same entity and the same measure.
    let (good, all) =
        rates.actual.values().fold((0, 0), |(g, a), rate| (g + rate.good, a + rate.all));
    assert!(good as f64 >= 0.97 * all as f64, "actual values that are the right ones");
}

/// What was reached on free text: at most this share of true sentences called wrong, none of the true sentences
/// changed, at least these shares of the false sentences caught and contradicted.
fn hold_free(rates: &rates::Rates, alarms: f64, written: f64, corrected: f64) {
    assert!(rates.false_alarms.share() <= alarms, "true sentences called wrong");
    assert!(rates.changed.good == 0, "true sentences changed when delivered");
    assert!(rates.written_false.share() >= written, "false sentences caught");
    hold_corrected(rates, corrected);
}

/// At least this share of the false sentences is contradicted with the value of what they name.
fn hold_corrected(rates: &rates::Rates, least: f64) {
    let share = rates.written_corrected.share();
    assert!(share >= least, "false sentences contradicted: {share}, not {least}");
}

/// At least these shares of the mutations of each kind caught, where a corpus has enough of them.
fn hold_kinds(rates: &rates::Rates, kinds: &[(&str, f64)]) {
    for (kind, least) in kinds {
        let caught = rates.caught.get(*kind).map(|(ours, _)| ours.share());
        assert!(caught.is_some_and(|share| share >= *least), "{kind}: {caught:?}, not {least}");
    }
}
