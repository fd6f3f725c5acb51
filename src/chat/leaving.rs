//! Questions that leave for an embedder elsewhere.

use crate::disclose::{Disclosure, Gate, Message};

/// What leaves of questions, in their order, and its body: the list of their texts in JSON.
pub fn leaving(questions: &[String], gate: &Gate) -> (Disclosure, Vec<u8>) {
    let texts = questions.iter().map(|question| Message::User(gate.typed_by_person(question)));
    let disclosure = gate.request(gate.constant(""), Vec::new(), texts.collect());
    let texts: Vec<&str> = disclosure
        .messages()
        .iter()
        .filter_map(|message| match message {
            Message::User(text) => Some(text.as_str()),
            _ => None,
        })
        .collect();
    let body = serde_json::to_vec(&texts).unwrap_or_default();
    (disclosure, body)
}

/// A question as it may leave.
pub fn masked(question: &str, gate: &Gate) -> String {
    gate.typed_by_person(question).as_str().to_owned()
}

#[cfg(test)]
mod tests {
    use super::{leaving, masked};
    use crate::disclose::{Cells, Gate, Policy};

    #[test]
    fn questions_leave_masked_and_in_their_order() {
        let mut cells = Cells::new();
        cells.insert("Anna Petrova");
        let policy = Policy::default();
        let gate = Gate::new(&policy).with_cells(&cells);
        let asked = ["how much does anna petrova earn?", "how many?"].map(str::to_owned);
        let (disclosure, body) = leaving(&asked, &gate);
        let body = String::from_utf8(body).unwrap_or_default();
        assert_eq!(body, r#"["how much does [hidden] earn?","how many?"]"#);
        assert_eq!(disclosure.messages().len(), 2);
        assert!(disclosure.tools().is_empty() && disclosure.system().as_str().is_empty());
        let once = masked(&asked[0], &gate);
        assert_eq!(once, "how much does [hidden] earn?");
        assert_eq!(masked(&once, &gate), once);
        assert_eq!(leaving(&[], &gate).1, b"[]");
    }
}
