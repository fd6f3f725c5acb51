//! What holds for any records and any bytes.

use super::meaning::sequence;
use super::*;
use proptest::prelude::*;
use serde_json::json;

const NOW: &str = "2026-01-01T00:00:00.000Z";

fn kept<'a>(context_code: &'a str, question: &'a str) -> Kept<'a> {
    Kept { context_code, question, script: "{}", is_valid: true, ..Kept::default() }
}

fn asked<'a>(context_code: &'a str, question: &'a str) -> Asked<'a> {
    Asked { context_code, question, vector: None, after: None }
}

fn scope() -> Scope {
    Scope::new(&[], "")
}

/// Words as people type them, signs included.
fn question() -> impl Strategy<Value = String> {
    let words = prop_oneof![
        "[a-zа-яё]{1,8}",
        "[0-9]{1,4}(\\.[0-9])?",
        Just("not".to_owned()),
        Just("above".to_owned()),
        Just("по".to_owned()),
        Just(">".to_owned()),
        "\\PC{1,3}",
    ];
    prop::collection::vec(words, 1..8).prop_map(|words| words.join(" "))
}

fn record() -> impl Strategy<Value = Record> {
    let result = prop::option::of((any::<i32>(), "\\PC{0,12}"));
    let vector = prop::option::of(prop::collection::vec(-1.0_f32..1.0, 1..20));
    ("[ab]", question(), "\\PC{0,20}", 0..4_usize, any::<bool>(), 0..99_u64, result, vector)
        .prop_map(
            |(context_code, question, script, kind, is_valid, usage_count, result, vector)| {
                Record {
                    context_code,
                    question,
                    script,
                    kind: [Kind::Query, Kind::Sql, Kind::Script, Kind::Tool][kind],
                    of_day: (kind == 3).then(|| "2024-12-31".to_owned()),
                    is_valid,
                    usage_count,
                    created_at: NOW.into(),
                    updated_at: NOW.into(),
                    last_result: result.map(|(number, human)| LastResult {
                        raw: json!({ "number": number, "list": [null, true, 0.5] }),
                        words: human.get(..1).map(str::to_owned),
                        human,
                        executed_at: NOW.into(),
                    }),
                    embedding: vector.and_then(|v| Embedding::new("other", &v)),
                    more: [("later".to_owned(), json!({ "a": 1 }))].into_iter().collect(),
                    ..Record::default()
                }
            },
        )
}

proptest! {
    #[test]
    fn the_normal_form_is_its_own(question in prop_oneof![question(), "\\PC{0,40}", any::<String>()]) {
        let once = normalise(&question);
        prop_assert_eq!(normalise(&once), once);
    }

    #[test]
    fn a_record_is_found_by_its_own_question(questions in prop::collection::vec(question(), 1..12)) {
        let mut recall = Recall::default();
        let scope = scope();
        for question in &questions {
            let saved = recall.save(kept("a", question), &scope, NOW);
            prop_assert_eq!(saved.is_ok(), !normalise(question).is_empty());
        }
        for question in questions.iter().filter(|q| !normalise(q).is_empty()) {
            let Found::Run { id, by, .. } = recall.ask(asked("a", question), &scope).found else {
                return Err(TestCaseError::fail(question.clone()));
            };
            prop_assert_eq!(by, By::Exact);
            let record = recall.get("a", id).unwrap();
            prop_assert_eq!(normalise(&record.question), normalise(question));
            let list = recall.suggest(asked("a", question), None, None, &scope);
            if !sequence(question).is_empty() && embed(question).is_some() {
                prop_assert!(list.suggestions.iter().any(|s| s.similarity > 0.999), "{question}");
            }
            prop_assert!(recall.suggest(asked("b", question), None, None, &scope).suggestions.is_empty());
        }
    }

    #[test]
    fn what_is_exported_is_imported(records in prop::collection::vec(record(), 0..8)) {
        let lines: Vec<String> = records
            .iter()
            .filter(|r| !normalise(&r.question).is_empty())
            .map(|r| r.to_json().to_string())
            .collect();
        let lines = lines.join("\n");
        let mut first = Recall::default();
        let imported = first.import(lines.as_bytes());
        prop_assert_eq!(imported.bad, []);
        let out = first.export(None);
        let mut second = Recall::default();
        second.import(out.as_bytes());
        prop_assert_eq!(&second.export(None), &out);
        for context in ["a", "b"] {
            prop_assert_eq!(first.list(context), second.list(context));
        }
        // and through a store
        let mut store = MemoryStore::default();
        first.flush(&mut store).unwrap();
        let third = Recall::open(Settings::default(), store.load().unwrap());
        prop_assert_eq!(third.export(None), out);
        prop_assert_eq!(third.pending().changes, []);
    }

    #[test]
    fn any_bytes_are_imported(
        bytes in prop::collection::vec(any::<u8>(), 0..200),
        line in record(),
        cut in any::<prop::sample::Index>(),
    ) {
        let mut recall = Recall::default();
        recall.save(kept("a", "kept before"), &scope(), NOW).unwrap();
        let mut text = line.to_json().to_string().into_bytes();
        text.truncate(cut.index(text.len() + 1));
        text.push(b'\n');
        text.extend(bytes);
        let lines = text.split(|b| *b == b'\n').count();
        let imported = recall.import(&text);
        prop_assert!(imported.bad.iter().all(|b| (1..=lines).contains(&b.line)));
        prop_assert!(recall.len("a") >= 1 && recall.export(None).contains("kept before"));
    }

    #[test]
    fn any_words_are_looked_up(texts in prop::collection::vec(any::<String>(), 1..6)) {
        let mut recall = Recall::default();
        let scope = scope();
        for text in &texts {
            let _ = recall.save(kept("a", text), &scope, NOW);
            recall.ask(asked("a", text), &scope);
        }
    }
}

#[test]
fn what_changed_stays_pending_until_the_store_has_it() {
    struct Full;
    impl Store for Full {
        fn load(&mut self) -> Result<Vec<Record>> {
            Ok(Vec::new())
        }
        fn apply(&mut self, _: &[Change]) -> Result<()> {
            Err(crate::error::Error::Internal("full".into()))
        }
    }
    let mut recall = Recall::default();
    let scope = scope();
    let first = recall.save(kept("a", "one"), &scope, NOW).unwrap();
    assert!(recall.flush(&mut Full).is_err());
    assert_eq!(recall.pending().changes.len(), 1);

    let batch = recall.pending();
    let second = recall.save(kept("a", "two"), &scope, NOW).unwrap();
    assert!(recall.finished("a", first, Ending::Failed, true, &scope));
    recall.confirm(batch.revision);
    // the first one changed again while it was written
    assert_eq!(recall.pending().changes.len(), 2);

    let mut store = MemoryStore::default();
    recall.flush(&mut store).unwrap();
    assert_eq!(recall.pending().changes, []);
    assert!(recall.delete("a", second));
    assert_eq!(recall.pending().changes, [Change::Delete(second)]);
    recall.flush(&mut store).unwrap();
    let opened = Recall::open(Settings::default(), store.load().unwrap());
    assert_eq!(opened.export(None), recall.export(None));
    assert_eq!(opened.get("a", first).map(|r| (r.is_valid, r.usage_count)), Some((false, 1)));
}

#[test]
fn a_vector_brings_back_no_record_that_was_forgotten_elsewhere() {
    let mut store = MemoryStore::default();
    let mut here = Recall::default().with_embedder("other");
    let id = here.save(kept("a", "total by shop"), &scope(), NOW).expect("a question");
    // Until the store has it, it is kept with its vector.
    assert!(here.fill("a", id, &[1.0]));
    assert!(matches!(here.pending().changes[..], [Change::Put(_)]));
    here.flush(&mut store).expect("room");
    assert!(here.fill("a", id, &[0.5]));
    assert!(matches!(here.pending().changes[..], [Change::Renew(_)]));
    here.fill("a", id, &[0.25]);
    store.apply(&[Change::Delete(id)]).expect("room");
    here.flush(&mut store).expect("room");
    assert_eq!(store.load().expect("a store").len(), 0);
    // Who edits it or asks it again wants it kept.
    assert!(
        here.update("a", id, Edit { is_valid: Some(true), ..Edit::default() }, NOW).expect("fine")
    );
    here.flush(&mut store).expect("room");
    assert_eq!(store.load().expect("a store").len(), 1);
}

#[test]
fn other_pages_change_the_same_store() {
    let scope = scope();
    let mut here = Recall::default();
    let mut there = Recall::default();
    let id = here.save(kept("a", "Average gap"), &scope, "2026-01-01").unwrap();
    let same = there.save(kept("a", "average gap?"), &scope, "2026-01-02").unwrap();
    assert_eq!(id, same, "one question has one number on every page");
    assert_eq!(id, Recall::number_of("a", "AVERAGE gap"));
    for change in there.pending().changes {
        here.take_in(change);
    }
    assert_eq!(here.list("a").len(), 1);
    assert_eq!(here.list("a")[0].question, "average gap?");
    // an older record does not replace a newer one
    let old = Record { updated_at: "2025".into(), ..here.list("a")[0].clone() };
    here.take_in(Change::Put(Box::new(old)));
    assert_eq!(here.list("a")[0].updated_at, "2026-01-02");
    here.take_in(Change::Delete(id));
    assert!(here.is_empty("a"));
}

#[test]
fn of_two_records_of_a_question_the_store_keeps_the_one_that_stays() {
    let scope = scope();
    let mut made = Recall::default();
    made.save(kept("a", "average gap"), &scope, "2026-01-02").unwrap();
    let natural = made.list("a")[0].clone();
    let twin = |id, question: &str, time: &str| Record {
        id,
        question: question.into(),
        updated_at: time.into(),
        ..natural.clone()
    };
    let (older, later) = (twin(5, "Average gap?", "2026-01-01"), twin(6, "gap", "2026-01-01"));
    let same = twin(natural.id + 1, "AVERAGE gap", "2026-01-02");
    for (twins, stays) in [
        ([natural.clone(), older.clone()], natural.id),
        ([older.clone(), natural.clone()], natural.id),
        // of the same time it is the same one in any order, on every page
        ([natural.clone(), same.clone()], same.id),
        ([same.clone(), natural.clone()], same.id),
    ] {
        let mut store = MemoryStore::default();
        let put = |record: &Record| Change::Put(Box::new(record.clone()));
        store.apply(&[put(&twins[0]), put(&twins[1]), put(&later)]).unwrap();
        let goes = twins.iter().map(|r| r.id).find(|id| *id != stays).unwrap();
        let mut recall = Recall::open(Settings::default(), twins.clone());
        assert_eq!(recall.pending().changes, [Change::Delete(goes)]);
        recall.flush(&mut store).unwrap();
        // forgotten, the question is not answered by the other one at the next opening
        assert!(recall.delete("a", stays));
        recall.flush(&mut store).unwrap();
        let again = Recall::open(Settings::default(), store.load().unwrap());
        assert_eq!(again.list("a").iter().map(|r| r.id).collect::<Vec<_>>(), [later.id]);
        assert_eq!(again.pending().changes, []);
    }
}

#[test]
fn a_number_that_something_else_has_is_not_forgotten_with_a_twin() {
    let scope = scope();
    let mut recall = Recall::default();
    recall.save(kept("a", "average gap"), &scope, "2026-01-02").unwrap();
    let other = recall.save(kept("b", "average gap"), &scope, "2026-01-02").unwrap();
    recall.confirm(u64::MAX);
    let older =
        Record { id: other, updated_at: "2026-01-01".into(), ..recall.list("a")[0].clone() };
    recall.take_in(Change::Put(Box::new(older)));
    assert_eq!(recall.pending().changes, []);
    assert_eq!(recall.list("b").len(), 1);
}

#[test]
fn a_slot_is_used_again_and_finds_nothing_of_before() {
    let scope = scope();
    let mut recall = Recall::default().with_embedder("none");
    for round in 0..3 {
        let question = format!("wordy question number{round}");
        let id = recall.save(kept("a", &question), &scope, NOW).unwrap();
        recall.save(kept("a", "another one"), &scope, NOW).unwrap();
        assert!(recall.delete("a", id));
        assert_eq!(recall.ask(asked("a", &question), &scope).found, Found::Nothing);
    }
    assert_eq!(recall.len("a"), 1);
}

#[test]
fn a_search_sees_what_was_not_prepared() {
    let scope = scope();
    let mut recall = Recall::default().with_embedder("none");
    let ids: Vec<u64> = ["wordy first question", "wordy second question", "wordy third question"]
        .map(|question| recall.save(kept("a", question), &scope, NOW).unwrap())
        .to_vec();
    assert!(!recall.prepare("a", 2));
    // one that was prepared and one that was not go before they are searched
    assert!(recall.delete("a", ids[0]) && recall.delete("a", ids[2]));
    let offered = recall.suggest(asked("a", "wordy question"), None, None, &scope);
    let found: Vec<u64> = offered.suggestions.iter().map(|s| s.id).collect();
    assert_eq!(found, [ids[1]]);
    assert!(recall.prepare("a", 0) && recall.prepare("no such data set", 0));
}

#[test]
fn a_vector_is_read_as_text_and_as_a_list() {
    let list = r#"{"context_code":"a","question":"q","script":"s","embedding":{"embedder":"x","values":[30000,0]}}"#;
    let record = Record::from_json(&serde_json::from_str(list).unwrap()).unwrap();
    let out = record.to_json();
    assert_eq!(out["embedding"]["values"], "MHUAAA==");
    assert_eq!(Record::from_json(&out).unwrap(), record);
}

#[test]
fn vectors_of_the_built_in_embedder_are_the_same_everywhere() {
    let sum = |question: &str| {
        let vector = embed(question).unwrap();
        assert_eq!(vector.values.len(), DIMENSIONS);
        vector.values.iter().enumerate().map(|(at, v)| at as i64 * i64::from(*v)).sum::<i64>()
    };
    assert_eq!(sum("average gap by weekday"), sum("average gap by weekday"));
    assert!(embed("?").is_none());
    let [a, b, c] = ["average gap by weekday", "mean gap per weekday", "total salary in Riga"]
        .map(|question| embed(question).unwrap());
    assert!(a.cosine(&b) > 0.9 && a.cosine(&c) < 0.5, "{} {}", a.cosine(&b), a.cosine(&c));
}

#[test]
fn shapes_of_other_makers_are_told() {
    for (line, expected) in [
        ("[]", "a record is an object"),
        ("{}", "/context_code: `context_code` is missing"),
        (r#"{"context_code":"a","question":1}"#, "/question: `question` is not what it must be"),
        (
            r#"{"context_code":"a","question":"q","script":"s","id":-1}"#,
            "/id: `id` is not what it must be",
        ),
        (
            r#"{"context_code":"a","question":"q","script":"s","embedding":{"embedder":"x","values":[1]}}"#,
            "/embedding: `embedding` is not what it must be",
        ),
        (
            r#"{"context_code":"a","question":"q","script":"s","embedding":{"embedder":"x","values":"AQ="}}"#,
            "/embedding: `embedding` is not what it must be",
        ),
        (
            r#"{"context_code":"a","question":"?","script":"s"}"#,
            "/question: the question has no words",
        ),
    ] {
        let json = serde_json::from_str(line).unwrap();
        let told = Record::from_json(&json).unwrap_err().to_string();
        assert_eq!(told, expected, "{line}");
    }
    let long = "a ".repeat(MAX_QUESTION);
    assert!(Recall::default().save(kept("a", &long), &scope(), NOW).is_err());
}

/// The phrases that stand in at least one of fifty questions of the pairs, with their weights.
#[test]
fn the_weights_are_what_counting_gives() {
    let text = include_str!("../../tests/recall/pairs.txt");
    let questions: Vec<&str> = text
        .lines()
        .filter_map(|l| {
            let near = l.strip_prefix("! ").and_then(|l| Some(l.split_once(": ")?.1));
            l.strip_prefix("Q: ").or_else(|| l.strip_prefix("= ")).or(near)
        })
        .collect();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for question in &questions {
        let mut terms = meaning::terms(question);
        terms.sort();
        terms.dedup();
        for term in terms {
            *counts.entry(term).or_default() += 1;
        }
    }
    let all = questions.len() as f64;
    let counted: Vec<(String, u8)> = counts
        .into_iter()
        .filter(|(term, count)| *count * 50 >= questions.len() && term.starts_with('~'))
        .map(|(term, count)| (term, (10.0 * (all / count as f64).ln()).round() as u8))
        .collect();
    let held: Vec<(String, u8)> =
        idf::COMMON.iter().map(|(term, weight)| ((*term).to_owned(), *weight)).collect();
    let lines: Vec<String> = counted.iter().map(|(t, w)| format!("    ({t:?}, {w}),")).collect();
    assert_eq!(held, counted, "\n{}", lines.join("\n"));
}

#[test]
fn a_question_waits_for_the_tables_that_it_was_asked_with() {
    use crate::schema::{Column, Kind as Of, TableSchema};
    let table = |name: &str, column: &str| {
        Arc::new(TableSchema::new(name, vec![Column::new(column, Of::Text)]))
    };
    let (people, orders, more) =
        (table("people", "name"), table("orders", "shop"), table("more", "a"));
    let both = Scope::new(&[people.clone(), orders.clone()], "");
    let mut recall = Recall::default().with_embedder("elsewhere");
    let asked = |question| Kept { masked: Some(question), ..kept("a", question) };
    let named = Kept { masked: Some("orders of [hidden]"), ..kept("a", "orders of Anna") };
    recall.save(named, &both, NOW).expect("a question");
    recall.save(asked("how many orders?"), &both, NOW).expect("a question");
    recall
        .save(asked("which shops?"), &Scope::new(std::slice::from_ref(&orders), ""), NOW)
        .expect("a question");
    // What is known of this one is not enough to let it go.
    recall.save(kept("a", "from before"), &both, NOW).expect("a question");
    let leaving = |recall: &Recall, tables: &[Arc<TableSchema>], most| {
        let scope = Scope::new(tables, "");
        let found =
            recall.to_leave("a", most, &scope, |text| Some(text.replace("shops", "[hidden]")));
        let mut texts: Vec<String> = found.texts.into_iter().map(|(_, text)| text).collect();
        texts.sort();
        (texts, found.waiting)
    };
    let all = ["how many orders?", "orders of [hidden]", "which [hidden]?"].map(str::to_owned);
    let there = [people.clone(), orders.clone()];
    assert_eq!(leaving(&recall, &there, 9), (all.to_vec(), 1));
    let (some, waiting) = leaving(&recall, &there, 2);
    assert_eq!((some.len(), waiting), (2, 1));
    // Other tables beside them change nothing; without one of them nobody knows its cells.
    assert_eq!(leaving(&recall, &[more.clone(), people, orders.clone()], 9), (all.to_vec(), 1));
    assert_eq!(leaving(&recall, &[orders], 9), (vec!["which [hidden]?".to_owned()], 3));
    assert_eq!(leaving(&recall, &[], 9), (vec![], 4));
    // A table of the same name that is another one does not do.
    let other = [table("people", "surname"), table("orders", "shop")];
    assert_eq!(leaving(&recall, &other, 9), (vec!["which [hidden]?".to_owned()], 3));
    // Nor does one of the same columns that has other rows: its cells are others.
    let with = |change: fn(&mut TableSchema)| {
        let mut people = table("people", "name").as_ref().clone();
        change(&mut people);
        [Arc::new(people), table("orders", "shop")]
    };
    for other in [
        with(|people| people.rows = 1),
        with(|people| people.columns[0].values = Some(vec!["Anna".into()])),
        with(|people| people.columns[0].nulls = Some(1)),
    ] {
        assert_eq!(leaving(&recall, &other, 9), (vec!["which [hidden]?".to_owned()], 3));
    }
    // Where not all protected cells are known, none leaves.
    assert_eq!(recall.to_leave("a", 9, &both, |_| None), Lacking { texts: vec![], waiting: 4 });
    // A run with other tables tells nothing of those that it was asked with.
    let id = recall.list("a").iter().find(|r| r.masked.is_some()).expect("a record").id;
    let ending = Ending::Answered(LastResult {
        raw: json!(null),
        human: String::new(),
        executed_at: NOW.into(),
        words: None,
    });
    assert!(recall.finished("a", id, ending, true, &Scope::new(std::slice::from_ref(&more), "")));
    assert_eq!(leaving(&recall, &[more], 9).0, Vec::<String>::new());
    // Both fields are kept with the record.
    let record = recall.get("a", id).expect("a record");
    assert_eq!(Record::from_json(&record.to_json()).as_ref(), Ok(record));
    assert_eq!(record.masked.as_deref(), Some("orders of [hidden]"));
    assert_eq!(record.asked_with.len(), 2);
}

#[test]
fn a_query_in_another_version_of_the_language_is_checked_again() {
    use crate::schema::{Column, Kind as Of, TableSchema};
    let bars = TableSchema::new("bars", vec![Column::new("gap", Of::Float)]);
    let scope = Scope::new(&[Arc::new(bars)], "");
    let mut recall = Recall::default();
    for (question, script, fits) in [
        ("average gap", r#"{"table":"bars","select":"mean(gap)"}"#, true),
        ("average of old", r#"{"table":"bars","select":"average_of(gap)"}"#, false),
    ] {
        let id = recall.save(Kept { script, ..kept("a", question) }, &scope, NOW).expect("kept");
        let run = Found::Run { id, by: By::Exact, recheck: false };
        assert_eq!(recall.ask(asked("a", question), &scope).found, run);
        // The tables are the same; only the language it was written in is another one.
        let before = recall.get("a", id).expect("a record").clone();
        recall.take_in(Change::Put(Box::new(Record { language_version: "0".into(), ..before })));
        let answer = recall.ask(asked("a", question), &scope);
        assert_eq!(answer.found == run, fits, "{question}: {answer:?}");
        assert_eq!(answer.unfit.len(), usize::from(!fits));
        assert_eq!(recall.get("a", id).map(|r| r.is_valid), Some(fits));
    }
}

#[test]
fn a_script_of_a_model_is_not_found_where_it_may_not_run() {
    let (closed, open) = (scope(), scope().with_scripts(true));
    let mut recall = Recall::default();
    let script = Kept { kind: Kind::Script, by_model: true, ..kept("a", "shares of the shops") };
    let id = recall.save(script, &open, NOW).expect("a question");
    let near = "shares of the shops of Omsk";
    let mut found = |scope: &Scope| {
        let exact = recall.ask(asked("a", "Shares of the shops?"), scope).found;
        let offered = recall.ask(asked("a", near), scope).found;
        let suggested = recall.suggest(asked("a", near), None, Some(0.0), scope).suggestions;
        (exact, matches!(offered, Found::Nothing), suggested.is_empty())
    };
    assert_eq!(found(&closed), (Found::Nothing, true, true));
    assert!(matches!(found(&open), (Found::Run { id: run, .. }, false, false) if run == id));
    // It is kept as it was, and whose it is with it.
    let record = recall.get("a", id).expect("a record");
    assert!(record.is_valid && record.by_model && record.usage_count == 0);
    assert_eq!(Record::from_json(&record.to_json()).as_ref(), Ok(record));
    // One of the page's own runs under any policy.
    let own = Kept { kind: Kind::Script, ..kept("a", "shares of the shops") };
    recall.save(own, &closed, NOW).expect("a question");
    let found = recall.ask(asked("a", "shares of the shops"), &closed).found;
    assert!(matches!(found, Found::Run { .. }), "{found:?}");
}
