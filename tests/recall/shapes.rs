//! Requests and responses as a service of this kind has them (`shapes.json`), with its names mapped
//! to ours.

use pinhole::recall::{Asked, By, Ending, Found, Kept, Kind, LastResult, Recall, Scope, Settings};
use serde_json::{Value, json};

fn shapes() -> Value {
    serde_json::from_str(include_str!("shapes.json")).unwrap()
}

/// The question and the data set of a request.
fn request<'a>(shapes: &'a Value, name: &str) -> (&'a str, &'a str) {
    let request = &shapes[name];
    (request["contextCode"].as_str().unwrap(), request["question"].as_str().unwrap())
}

fn asked<'a>((context_code, question): (&'a str, &'a str), vector: Option<&'a [f32]>) -> Asked<'a> {
    Asked { context_code, question, vector, after: None }
}

#[test]
fn settings_have_their_defaults() {
    let names = shapes()["settings"].clone();
    let ours = serde_json::to_value(Settings::default()).unwrap();
    assert_eq!(ours["suggest_limit"], names["NATURAL_QUERY_SUGGEST_LIMIT"]);
    assert_eq!(ours["similarity_threshold"], names["NATURAL_QUERY_SIMILARITY_THRESHOLD"]);
    assert_eq!(ours["auto_use_threshold"], names["NATURAL_QUERY_AUTO_USE_THRESHOLD"]);
    assert_eq!(ours["fulltext_threshold"], json!(0.1));
}

#[test]
fn a_suggestion_has_every_field_of_the_response() {
    let shapes = shapes();
    let scope = Scope::default();
    let mut recall = Recall::default().with_embedder("given");
    let imported = recall.import(shapes["kept"].to_string().as_bytes());
    assert_eq!((imported.added, imported.bad), (1, Vec::new()));
    // a host fills in the vector that the record lacks
    let lacking: Vec<u64> = recall.without_vector("CARL", 10).iter().map(|(id, _)| *id).collect();
    assert_eq!(lacking, [42]);
    assert!(recall.fill("CARL", 42, &[1.0, 0.0]));

    let vector = [0.97_f32, (1.0_f32 - 0.97 * 0.97).sqrt()];
    let wanted = asked(request(&shapes, "suggest_request"), Some(&vector));
    let response = serde_json::to_value(recall.suggest(wanted, None, None, &scope)).unwrap();
    let expected = &shapes["suggest_response"];
    assert_eq!(response["high_confidence"], expected["high_confidence"]);
    let list = response["suggestions"].as_array().unwrap();
    let wanted = expected["suggestions"].as_array().unwrap();
    assert_eq!(list.len(), wanted.len());
    for (suggestion, wanted) in list.iter().zip(wanted) {
        for (name, value) in wanted.as_object().unwrap() {
            match (value.as_f64(), suggestion[name].as_f64()) {
                (Some(a), Some(b)) => assert!((a - b).abs() < 1e-4, "{name}: {a} {b}"),
                _ => assert_eq!(&suggestion[name], value, "{name}"),
            }
        }
    }
}

#[test]
fn a_question_is_answered_from_here_the_second_time() {
    let shapes = shapes();
    let scope = Scope::default();
    let mut recall = Recall::default();
    let (context_code, question) = request(&shapes, "request");
    let wanted = asked((context_code, question), None);
    assert_eq!(recall.ask(wanted, &scope).found, Found::Nothing);
    let script = "async function execute(contextCode) { return []; }";
    let kept = Kept { context_code, question, kind: Kind::Script, script, ..Kept::default() };
    let id = recall.save(kept, &scope, "2024-01-15T10:00:00.000Z").unwrap();
    assert_eq!(recall.ask(wanted, &scope).found, Found::Nothing, "it has not run yet");
    let result = LastResult {
        raw: json!([{ "source": "api_auct", "target": "helper_fn", "type": "calls" }]),
        human: "Функция api_auct вызывает helper_fn".into(),
        executed_at: "2024-01-15T10:00:01.000Z".into(),
        words: None,
    };
    assert!(recall.finished(context_code, id, Ending::Answered(result.clone()), false, &scope));
    let again = recall.ask(asked((context_code, "какие функции вызывает API_auct"), None), &scope);
    assert_eq!(again.found, Found::Run { id, by: By::Exact, recheck: false });
    assert!(recall.finished(context_code, id, Ending::Answered(result), true, &scope));
    let record = recall.get(context_code, id).unwrap();
    assert_eq!((record.usage_count, record.is_valid), (1, true));
    assert_eq!(record.last_result.as_ref().unwrap().raw[0]["target"], "helper_fn");
    // the id of the response is one that JavaScript holds exactly
    assert!(id < 1 << 53);
    // and another data set knows nothing of it
    assert_eq!(recall.ask(asked(("OTHER", question), None), &scope).found, Found::Nothing);
    assert!(recall.get("OTHER", id).is_none());
}
