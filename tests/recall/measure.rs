//! What the look-up finds of the questions that ask the same, and what it runs of those that do not.

use super::pairs::{Group, Pairs};
use pinhole::recall::{
    Asked, By, Found, Kept, Kind, MAX_SUGGESTIONS, Recall, Scope, Settings, Suggestions,
};
use std::fmt;

/// What stands in the store when a question is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Store {
    /// The questions asked before.
    Plain,
    /// The same without vectors, so that words alone decide.
    Words,
    /// The questions asked before and every near one beside them.
    Crowded,
}

/// Counts over the pairs of a file.
#[derive(Debug, Clone, Copy, Default)]
pub struct Score {
    /// Questions that ask the same as one in the store.
    pub same: usize,
    /// Of them: those whose record ran.
    pub ran: usize,
    /// Of them: those whose record is the first suggestion.
    pub first: usize,
    /// Of them: those whose record ran or is among the suggestions.
    pub hits: usize,
    /// Of them: those whose vector alone finds the record, near enough and without a difference.
    pub near: usize,
    /// Questions that ask something else than any in the store.
    pub different: usize,
    /// Questions of either sort for which a record of another question ran.
    pub wrong: usize,
    /// Of the different: those that are offered as good as the same.
    pub overrated: usize,
}

impl Score {
    /// The share of what asks the same that runs or is suggested.
    pub fn hit_share(&self) -> f64 {
        self.hits as f64 / self.same.max(1) as f64
    }

    /// The share of what asks the same that the vectors alone find.
    pub fn near_share(&self) -> f64 {
        self.near as f64 / self.same.max(1) as f64
    }

    /// How many records of another question ran, for each question that asks something else; where none
    /// was asked, for each that asks the same.
    pub fn wrong_share(&self) -> f64 {
        let different = if self.different > 0 { self.different } else { self.same };
        self.wrong as f64 / different.max(1) as f64
    }

    fn and(self, other: Self) -> Self {
        Self {
            same: self.same + other.same,
            ran: self.ran + other.ran,
            first: self.first + other.first,
            near: self.near + other.near,
            hits: self.hits + other.hits,
            different: self.different + other.different,
            wrong: self.wrong + other.wrong,
            overrated: self.overrated + other.overrated,
        }
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "hits {:.3} (ran {}, first {}, found {} of {}), by vectors alone {:.3}, wrong answers run {:.4} ({}), of {} different {} offered as sure",
            self.hit_share(),
            self.ran,
            self.first,
            self.hits,
            self.same,
            self.near_share(),
            self.wrong_share(),
            self.wrong,
            self.different,
            self.overrated,
        )
    }
}

const CONTEXT: &str = "pairs";

/// Asks every pair; `told` hears of what is not right.
pub fn measure(pairs: &Pairs, store: Store, mut told: impl FnMut(String)) -> Score {
    let scope = Scope::new(&pairs.tables, "");
    let mut recall = filled(pairs, store, &scope);
    let mut score = Score::default();
    for group in &pairs.groups {
        for question in &group.same {
            score = score.and(same(&mut recall, &scope, group, question, &mut told));
        }
        if store == Store::Crowded {
            continue; // the near ones are in the store themselves
        }
        for near in &group.near {
            let found = ask(&mut recall, &scope, &near.question);
            score.different += 1;
            match found {
                Found::Run { .. } => {
                    score.wrong += 1;
                    told(format!("ran: {} / {}", group.question, near.question));
                }
                Found::Suggest(Suggestions { high_confidence: true, .. }) => {
                    score.overrated += 1;
                    told(format!("sure: {} / {}", group.question, near.question));
                }
                _ => {}
            }
        }
    }
    score
}

fn same(
    recall: &mut Recall,
    scope: &Scope,
    group: &Group,
    question: &str,
    told: &mut impl FnMut(String),
) -> Score {
    let mut score = Score { same: 1, ..Score::default() };
    // All that a search finds, in whatever way; what its vector found first is told as that.
    let asked = Asked { context_code: CONTEXT, question, vector: None, after: None };
    let all = recall.suggest(asked, Some(MAX_SUGGESTIONS), None, scope).suggestions;
    let near = all.iter().find(|s| s.question == group.question);
    score.near = usize::from(near.is_some_and(|s| s.by == By::Semantic && s.differs.is_empty()));
    match ask(recall, scope, question) {
        Found::Run { id, .. } => {
            let right = recall.get(CONTEXT, id).is_some_and(|r| r.question == group.question);
            score.ran = usize::from(right);
            score.hits = usize::from(right);
            score.wrong = usize::from(!right);
            if !right {
                told(format!("ran another: {question}"));
            }
        }
        Found::Suggest(list) => {
            let at = list.suggestions.iter().position(|s| s.question == group.question);
            score.hits = usize::from(at.is_some());
            score.first = usize::from(at == Some(0));
            if at.is_none() {
                told(format!("missed: {} / {question}", group.question));
            }
        }
        Found::Nothing => told(format!("nothing: {} / {question}", group.question)),
    }
    score
}

fn ask(recall: &mut Recall, scope: &Scope, question: &str) -> Found {
    recall.ask(Asked { context_code: CONTEXT, question, vector: None, after: None }, scope).found
}

fn filled(pairs: &Pairs, store: Store, scope: &Scope) -> Recall {
    let mut recall = Recall::new(Settings::default());
    if store == Store::Words {
        recall = recall.with_embedder("none");
    }
    for group in &pairs.groups {
        let near = group.near.iter().map(|n| &n.question).filter(|_| store == Store::Crowded);
        for question in std::iter::once(&group.question).chain(near) {
            let kept = Kept {
                context_code: CONTEXT,
                question,
                kind: Kind::Script,
                script: "async function execute(contextCode) {}",
                is_valid: true,
                vector: None,
                masked: None,
                by_model: false,
                of_day: None,
                over: &[],
                after: None,
            };
            recall.save(kept, scope, "2026-01-01T00:00:00Z").expect("a question of the pairs");
        }
    }
    recall
}
