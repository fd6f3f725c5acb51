//! The ledger keeps the exact bytes, and every change of it shows.

use super::{assert_clean, eighty, guarded, outcome, people, policy, request, told};
use crate::disclose::{
    Broken, CannotKeep, Cells, Finding, Gate, Keeper, Ledger, Level, Memory, Message, Policy,
    Stale, sha256,
};
use crate::error::{Code, Locale};
use crate::facts::Outcome;
use proptest::prelude::*;
use serde_json::{Value as Json, json};

fn ledger(bodies: &[&[u8]]) -> Ledger {
    let policy = Policy::default();
    let made = request(&policy, &eighty());
    let mut ledger = Ledger::new();
    for (i, body) in bodies.iter().enumerate() {
        let at = 1_700_000_000_000 + i as u64;
        let entry = ledger.append(at, "https://page.example/chat", body, &made, &policy);
        assert_eq!((entry.seq, entry.body.bytes()), (i as u64 + 1, *body));
    }
    ledger
}

#[test]
fn the_ledger_holds_the_exact_bytes() {
    let bodies: [&[u8]; 4] = [b"{\"a\":1}", "тело\n\"".as_bytes(), b"\xff\x00", b""];
    let made = ledger(&bodies);
    assert_eq!(made.verify(), Ok(()));
    assert_eq!(made, ledger(&bodies));
    let lines = made.export();
    assert_eq!(lines.lines().count(), 4);
    assert_eq!(Ledger::verify_lines(&lines), Ok(()));
    assert_eq!(Ledger::from_lines(&lines), Ok(made.clone()));
    let first: Json = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
    assert_eq!(first["body"], "{\"a\":1}");
    assert_eq!(first["sha256"], sha256(b"{\"a\":1}"));
    assert_eq!(first["previous"], "0".repeat(64));
    assert_eq!(first["columns"], json!(["bars.close", "bars.timestamp"]));
    assert_eq!(first["results"], json!(["r1"]));
    let third: Json = serde_json::from_str(lines.lines().nth(2).unwrap()).unwrap();
    assert_eq!(third["body"], json!({"hex": "ff00"}));
    assert_eq!(made.head(), made.entries()[3].hash);
    assert_eq!(Ledger::verify_lines(""), Ok(()));
}

/// The SHA-256 of "abc" as FIPS 180-2 gives it.
#[test]
fn sha256_is_the_standard_one() {
    assert_eq!(sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

#[test]
fn every_change_of_every_field_shows() {
    let lines = ledger(&[b"one", b"two", b"three"]).export();
    for broken in 0..3 {
        let entry: Json = serde_json::from_str(lines.lines().nth(broken).unwrap()).unwrap();
        for field in entry.as_object().unwrap().keys() {
            let mut changed = entry.clone();
            changed[field] = match &entry[field] {
                Json::Number(n) => json!(n.as_u64().unwrap() + 1),
                Json::Array(list) => json!([&list[..], &[json!("more")]].concat()),
                Json::String(s) if field == "level" => {
                    json!(if s == "schema" { "summary" } else { "schema" })
                }
                Json::String(s) if s.len() == 64 => {
                    json!(format!("{}{}", if s.starts_with('1') { '2' } else { '1' }, &s[1..]))
                }
                Json::String(s) => json!(format!("{s} ")),
                other => panic!("{other}"),
            };
            let found = Ledger::verify_lines(&replace(&lines, broken, &changed.to_string()));
            assert_eq!(found, Err(Broken { seq: broken as u64 + 1 }), "{field}");
        }
    }
}

#[test]
fn an_entry_with_its_hash_made_anew_breaks_the_next() {
    let mut made = ledger(&[b"one", b"two", b"three"]);
    let mut forged = serde_json::to_value(&made.entries()[1]).unwrap();
    forged["endpoint"] = json!("https://elsewhere.example/");
    let fields = json!([
        forged["seq"],
        forged["at"],
        forged["endpoint"],
        forged["sha256"],
        forged["previous"],
        forged["policy_hash"],
        forged["level"],
        forged["columns"],
        forged["results"],
    ]);
    forged["hash"] = json!(sha256(fields.to_string().as_bytes()));
    let lines = replace(&made.export(), 1, &forged.to_string());
    assert_eq!(Ledger::verify_lines(&lines), Err(Broken { seq: 3 }));
    made.entries_mut()[1] = serde_json::from_value(forged).unwrap();
    assert_eq!(made.verify(), Err(Broken { seq: 3 }));
}

#[test]
fn lines_added_dropped_moved_or_rewritten_show() {
    let lines = ledger(&[b"one", b"two", b"three"]).export();
    let all: Vec<&str> = lines.lines().collect();
    let cases: [(Vec<&str>, u64); 6] = [
        (vec![all[1], all[2]], 1),
        (vec![all[0], all[2]], 2),
        (vec![all[1], all[0], all[2]], 1),
        (vec![all[0], all[0], all[1], all[2]], 2),
        (vec![all[0], "", all[1]], 2),
        (vec![all[0], "{}", all[1]], 2),
    ];
    for (lines, seq) in cases {
        assert_eq!(Ledger::verify_lines(&lines.join("\n")), Err(Broken { seq }));
    }
    let spaced = lines.replacen("{\"seq\":1", "{ \"seq\":1", 1);
    assert_eq!(Ledger::verify_lines(&spaced), Err(Broken { seq: 1 }));
    let extra = lines.replacen("{\"seq\":1", "{\"note\":0,\"seq\":1", 1);
    assert_eq!(Ledger::verify_lines(&extra), Err(Broken { seq: 1 }));
}

/// Keeps lines until it is full.
struct Full {
    lines: Vec<String>,
    room: usize,
}

impl Keeper for Full {
    fn name(&self) -> &'static str {
        "full"
    }

    fn keep(&mut self, seq: u64, line: &str) -> Result<(), CannotKeep> {
        assert_eq!(seq as usize, self.lines.len() + 1);
        if self.lines.len() == self.room {
            return Err(CannotKeep);
        }
        self.lines.push(line.to_owned());
        Ok(())
    }
}

#[test]
fn nothing_is_sent_when_the_ledger_cannot_write() {
    let policy = Policy::default();
    let made = request(&policy, &eighty());
    let (mut ledger, mut keeper) = (Ledger::new(), Full { lines: Vec::new(), room: 2 });
    for body in [b"one", b"two"] {
        let recorded = ledger.record(7, "e", body, (&made, &policy), &mut keeper).expect("kept");
        assert_eq!(recorded.bytes(), body);
        assert_eq!(ledger.since(ledger.entries().len() as u64 - 1), [recorded.entry().clone()]);
    }
    // Bytes to send come out of a kept entry alone: there are none.
    let problem = ledger.record(7, "e", b"three", (&made, &policy), &mut keeper).unwrap_err();
    assert_eq!(problem.diagnostics()[0].code, Code::LedgerUnavailable);
    assert_eq!(ledger.entries().len(), 2);
    assert_eq!(Ledger::verify_lines(&keeper.lines.join("\n")), Ok(()));
    assert_eq!(ledger.export(), keeper.lines.join("\n") + "\n");
    assert!(ledger.record(7, "e", b"three", (&made, &policy), &mut Memory).is_ok());
    assert_eq!((Memory.name(), ledger.since(0).len(), ledger.since(9).len()), ("memory", 3, 0));
}

#[test]
fn a_draft_counts_for_nothing_until_it_is_committed() {
    let policy = Policy::default();
    let made = request(&policy, &eighty());
    let mut ledger = ledger(&[b"one"]);
    let (refused, sent, late) = (
        ledger.draft(8, "e", b"refused", &made, &policy),
        ledger.draft(8, "e", b"sent", &made, &policy),
        ledger.draft(9, "e", b"late", &made, &policy),
    );
    assert_eq!(refused.entry().body.text(), Some("refused"));
    drop(refused);
    assert_eq!(ledger.entries().len(), 1);
    let line = sent.line();
    assert_eq!(ledger.commit(sent).expect("in order").bytes(), b"sent");
    assert_eq!(ledger.export().lines().last(), Some(line.as_str()));
    assert_eq!(ledger.commit(late), Err(Stale));
    assert_eq!(ledger.verify(), Ok(()));
}

fn replace(lines: &str, which: usize, by: &str) -> String {
    let lines: Vec<&str> =
        lines.lines().enumerate().map(|(i, line)| if i == which { by } else { line }).collect();
    lines.join("\n")
}

proptest! {
    #[test]
    fn any_body_survives_the_export(bodies in prop::collection::vec(any::<Vec<u8>>(), 0..4)) {
        let bodies: Vec<&[u8]> = bodies.iter().map(Vec::as_slice).collect();
        let made = ledger(&bodies);
        prop_assert_eq!(Ledger::from_lines(&made.export()), Ok(made));
    }

    #[test]
    fn any_lines_are_verified_without_a_panic(lines in any::<String>()) {
        let verdict = Ledger::verify_lines(&lines);
        prop_assert!(verdict.is_err() || lines.is_empty());
    }
}

/// What an entry says of what its request keeps back.
fn kept_back(policy: &Policy, messages: Vec<Message>) -> Json {
    let gate = Gate::new(policy);
    let system = gate.schema(&[people()], Locale::En);
    let made = gate.request(system, vec![], messages);
    let entry = Ledger::new().append(1, "https://page.example/chat", b"body", &made, policy);
    let lines = format!("{}\n", serde_json::to_string(&entry).unwrap());
    assert_eq!(Ledger::verify_lines(&lines), Ok(()));
    serde_json::to_value(&entry.withheld).unwrap()
}

#[test]
fn the_ledger_says_what_is_kept_back_by_kind_and_number() {
    let guarded = guarded();
    let mut cells = Cells::new();
    cells.insert("zq-ann@x.org");
    let gate = Gate::new(&guarded).with_cells(&cells);
    let typed = gate.typed_by_person("what does zq-ann@x.org pay, and zq-ann@x.org's city?");
    let again = gate.typed_by_person(typed.as_str());
    let hidden = json!({"what": "columns", "why": "hidden", "of": "people", "count": 2});
    let words = json!({"what": "words", "why": "cell", "count": 4});
    let said = kept_back(&guarded, vec![Message::User(typed), Message::User(again)]);
    assert_eq!(said, json!([hidden, words]));
    // A piece that was made under another policy is replaced.
    let other = policy(json!({"level": "schema", "columns": {"people.zqmail": "aggregate"}}));
    let earlier = Message::User(Gate::new(&guarded).schema(&[people()], Locale::En));
    let said = kept_back(&other, vec![earlier]);
    let expected = json!([
        {"what": "values", "why": "aggregate", "of": "people.zqmail"},
        {"what": "values", "why": "level", "of": "people"},
        {"what": "earlier", "why": "policy_changed", "count": 1},
    ]);
    assert_eq!(said, expected);
    let open = Policy::default();
    assert_eq!(kept_back(&open, vec![]), json!([]));
}

/// Lines from before entries said what is kept back are as good as those of requests that keep
/// nothing back.
#[test]
fn an_entry_that_keeps_nothing_back_does_not_speak_of_it() {
    let lines = ledger(&[b"one"]).export();
    assert!(!lines.contains("withheld"));
    let with = lines.replacen("\"results\":[\"r1\"]", "\"results\":[\"r1\"],\"withheld\":[]", 1);
    assert_eq!(Ledger::verify_lines(&with), Err(Broken { seq: 1 }));
    let some = r#""results":["r1"],"withheld":[{"what":"rows","why":"level","of":"r1"}]"#;
    let some = lines.replacen("\"results\":[\"r1\"]", some, 1);
    assert_eq!(Ledger::verify_lines(&some), Err(Broken { seq: 1 }));
}

#[test]
fn results_say_why_they_are_kept_back() {
    let query = json!({"select": "count()"});
    let count = outcome(&people(), query, json!([[3]]), (3, 42), None);
    let hidden = json!({"select": "max(zqmail)"});
    let hidden = outcome(&people(), hidden, json!([["zq-ann@x.org"]]), (42, 42), None);
    let because = |policy: &Policy, outcome: &Outcome| {
        let gate = Gate::new(policy);
        let piece = told(&gate, outcome, Locale::Ru);
        // In the ledger no less is silent than in the text.
        assert_clean(&piece);
        serde_json::to_value(piece.provenance().withheld()).unwrap()
    };
    let result = |why: &str| json!([{"what": "result", "why": why, "of": "r1"}]);
    assert_eq!(because(&guarded(), &hidden), result("hidden"));
    assert_eq!(because(&guarded(), &count), json!([]));
    let schema = guarded().with_level(Level::Schema);
    assert_eq!(because(&schema, &count), result("level"));
    let aggregate = guarded().with_level(Level::Aggregate);
    assert_eq!(because(&aggregate, &count), result("unknown"));
    // The finding about a withheld fact is counted; what it would be is not said.
    let own = guarded();
    let gate = Gate::new(&own);
    for fact in [None, Some((&hidden, Some(0), "max_zqmail"))] {
        let finding = Finding { words: "it is 7", fact, computed: None, condition: None };
        let piece = gate.feedback(&[finding, finding], Locale::En);
        let claims = json!([{"what": "claims", "why": "policy", "count": 2}]);
        assert_eq!(serde_json::to_value(piece.provenance().withheld()).unwrap(), claims);
    }
}
