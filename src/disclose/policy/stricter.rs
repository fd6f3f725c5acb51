//! What a conversation may be told, where that is less than the page's policy allows.

use super::{Class, Level, Policy, escape};
use crate::error::{Code, Diagnostic};
use serde_json::Value as Json;
use std::collections::BTreeMap;

/// Rules that hold for one conversation beside those of the page. They never allow more: of each
/// rule the stricter one holds, also where the page's policy changes later.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Stricter {
    level: Option<Level>,
    k: Option<u64>,
    columns: BTreeMap<String, Class>,
}

impl Stricter {
    /// Reads rules that are written as a policy is. What is left out is as the page says.
    ///
    /// # Errors
    /// Everything that a policy cannot be.
    pub fn from_json(json: &Json) -> Result<Self, Vec<Diagnostic>> {
        let read = Policy::from_json(json)?;
        let named = json.get("columns").and_then(Json::as_object).into_iter().flatten();
        let class = |name: &String| read.columns.get(name).copied().unwrap_or_default();
        Ok(Self {
            level: json.get("level").map(|_| read.level),
            k: json.get("k").map(|_| read.k),
            columns: named.map(|(name, _)| (name.clone(), class(name))).collect(),
        })
    }

    /// Every rule that would allow more than `policy` does.
    ///
    /// # Errors
    /// There is one.
    pub fn check(&self, policy: &Policy) -> Result<(), Vec<Diagnostic>> {
        let mut wrong = Vec::new();
        let mut looser = |at: String, message| {
            wrong.push(Diagnostic::new(Code::LooserPolicy, message).at(at));
        };
        if let Some(level) = self.level.filter(|level| *level > policy.level) {
            let (asked, own) = (level.name(), policy.level.name());
            looser(
                "/level".to_owned(),
                crate::text!(
                    "a conversation can be told less than the policy of the page allows, not more: `{asked}` is more than `{own}`",
                    "разговору можно раскрывать меньше, чем разрешает политика страницы, но не больше: `{asked}` больше, чем `{own}`"
                ),
            );
        }
        if let Some(k) = self.k.filter(|k| *k < policy.k) {
            let own = policy.k;
            looser(
                "/k".to_owned(),
                crate::text!(
                    "`k` can be greater than that of the page's policy, not less: {k} is less than {own}",
                    "`k` может быть больше, чем в политике страницы, но не меньше: {k} меньше, чем {own}"
                ),
            );
        }
        for (name, class) in &self.columns {
            let own = policy.columns.get(name).copied().unwrap_or_default();
            if *class < own {
                let (asked, own) = (class.name(), own.name());
                looser(
                    format!("/columns/{}", escape(name)),
                    crate::text!(
                        "a conversation can protect a column more than the policy of the page does, not less: `{name}` is `{own}` there, not `{asked}`",
                        "разговор может защищать столбец сильнее, чем политика страницы, но не слабее: там `{name}` — `{own}`, а не `{asked}`"
                    ),
                );
            }
        }
        if wrong.is_empty() { Ok(()) } else { Err(wrong) }
    }

    /// What holds for the conversation under `policy`.
    #[must_use]
    pub fn of(&self, policy: &Policy) -> Policy {
        let mut columns = policy.columns.clone();
        for (name, class) in self.columns.iter().filter(|(_, class)| **class != Class::Open) {
            let own = columns.entry(name.clone()).or_default();
            *own = (*own).max(*class);
        }
        let level = self.level.map_or(policy.level, |level| level.min(policy.level));
        let k = self.k.map_or(policy.k, |k| k.max(policy.k));
        Policy::build(level, k, columns)
    }
}

#[cfg(test)]
mod tests {
    use super::Stricter;
    use crate::disclose::{Class, Level, Policy};
    use crate::error::Code;
    use proptest::prelude::*;
    use serde_json::{Value as Json, json};

    fn policy(json: &Json) -> Policy {
        Policy::from_json(json).expect("a policy")
    }

    fn stricter(json: &Json) -> Stricter {
        Stricter::from_json(json).expect("rules")
    }

    #[test]
    fn of_each_rule_the_stricter_holds() {
        let page = policy(&json!({"level": "summary", "k": 5,
            "columns": {"t.a": "aggregate", "t.b": "hidden"}}));
        assert_eq!(stricter(&json!({})).of(&page), page);
        let own = stricter(&json!({"level": "aggregate", "k": 9,
            "columns": {"t.a": "hidden", "t.c": "aggregate", "t.d": "open"}}));
        assert_eq!(own.check(&page), Ok(()));
        let both = own.of(&page);
        let expected = json!({"level": "aggregate", "k": 9,
            "columns": {"t.a": "hidden", "t.b": "hidden", "t.c": "aggregate"}});
        assert_eq!(both, policy(&expected));
        assert_eq!(both.hash(), policy(&expected).hash());
        // The page's policy may become stricter than the conversation's own, or looser.
        let now = own.of(&policy(&json!({"level": "schema", "k": 20})));
        assert_eq!((now.level(), now.k()), (Level::Schema, 20));
        let now = own.of(&policy(&json!({"level": "preview", "k": 1})));
        assert_eq!((now.level(), now.k()), (Level::Aggregate, 9));
        assert_eq!(now.class("t", "c"), Class::Aggregate);
    }

    #[test]
    fn what_would_allow_more_is_refused() {
        let page = policy(&json!({"level": "aggregate", "k": 10,
            "columns": {"t.a": "aggregate", "t.b/c": "hidden"}}));
        let own = stricter(&json!({"level": "summary", "k": 9,
            "columns": {"t.a": "open", "t.b/c": "aggregate", "t.d": "open"}}));
        let found = own.check(&page).expect_err("refused");
        assert!(found.iter().all(|problem| problem.code == Code::LooserPolicy));
        let at: Vec<&str> = found.iter().map(|problem| problem.pointer.as_str()).collect();
        assert_eq!(at, ["/level", "/k", "/columns/t.a", "/columns/t.b~1c"]);
        // It would not help where it was not refused.
        assert_eq!(own.of(&page), page);
        let no_policy = Stricter::from_json(&json!({"levle": "schema", "k": 0}));
        assert_eq!(no_policy.map_err(|found| found.len()), Err(2));
    }

    proptest! {
        #[test]
        fn nothing_is_ever_allowed_beyond_the_page(
            a in (0_usize..4, 1_u64..9, prop::collection::vec(0_usize..3, 4)),
            b in (0_usize..4, 1_u64..9, prop::collection::vec(0_usize..3, 4)),
        ) {
            let json = |(level, k, classes): &(usize, u64, Vec<usize>)| {
                let class = |(i, class): (usize, &usize)| {
                    (format!("t.c{i}"), json!(["open", "aggregate", "hidden"][*class]))
                };
                let columns: serde_json::Map<String, Json> =
                    classes.iter().enumerate().map(class).collect();
                let level = ["schema", "aggregate", "summary", "preview"][*level];
                json!({"level": level, "k": k, "columns": columns})
            };
            let (page, own) = (policy(&json(&a)), stricter(&json(&b)));
            let both = own.of(&page);
            prop_assert!(both.level() <= page.level() && both.k() >= page.k());
            for i in 0..4 {
                let name = format!("c{i}");
                prop_assert!(both.class("t", &name) >= page.class("t", &name));
            }
            prop_assert_eq!(own.check(&page).is_ok(), both == policy(&json(&b)));
        }
    }
}
