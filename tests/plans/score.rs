//! Asks every question of a set and counts what came of it.

use super::corpus::{Answer, Case, Set};
use super::meaning::meaning;
use pinhole::planner::{Context, Plan, Status, plan};
use std::fmt;

/// What came of one question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Result {
    /// The right query ran.
    Right,
    /// The right query is among the readings that are offered.
    Offered,
    /// Nothing ran, and nothing should have.
    Unrun,
    /// Nothing ran though there is a query; it is not among the readings either.
    Missed,
    /// A wrong query ran unasked.
    Wrong,
}

/// Counts of results.
#[derive(Debug, Clone, Copy, Default)]
pub struct Score {
    /// Questions that have a query.
    pub queries: usize,
    pub right: usize,
    pub offered: usize,
    pub missed: usize,
    /// Questions that must not run.
    pub unrunnable: usize,
    pub unrun: usize,
    /// Wrong queries that ran, of both kinds.
    pub wrong: usize,
}

impl Score {
    pub fn add(&mut self, case: &Case, result: Result) {
        let count = match result {
            Result::Right => &mut self.right,
            Result::Offered => &mut self.offered,
            Result::Missed => &mut self.missed,
            Result::Unrun => &mut self.unrun,
            Result::Wrong => &mut self.wrong,
        };
        *count += 1;
        let unrunnable = !case.answers.iter().any(|a| matches!(a, Answer::Query(_)));
        // one that may be left unrun counts with these where it was
        if unrunnable || result == Result::Unrun {
            self.unrunnable += 1;
        } else {
            self.queries += 1;
        }
    }

    pub fn and(self, other: Self) -> Self {
        Self {
            queries: self.queries + other.queries,
            right: self.right + other.right,
            offered: self.offered + other.offered,
            missed: self.missed + other.missed,
            unrunnable: self.unrunnable + other.unrunnable,
            unrun: self.unrun + other.unrun,
            wrong: self.wrong + other.wrong,
        }
    }

    pub fn all(self) -> usize {
        self.queries + self.unrunnable
    }

    /// Share of the questions that have a query for which it ran.
    pub fn right_share(self) -> f64 {
        self.right as f64 / self.queries.max(1) as f64
    }

    /// Share of all questions for which a wrong query ran.
    pub fn wrong_share(self) -> f64 {
        self.wrong as f64 / self.all().max(1) as f64
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{:4} questions: right {}/{} ({:.3}), offered {}, missed {}; rightly not run {}/{}; wrong run unasked {} ({:.3})",
            self.all(),
            self.right,
            self.queries,
            self.right_share(),
            self.offered,
            self.missed,
            self.unrun,
            self.unrunnable,
            self.wrong,
            self.wrong_share(),
        )
    }
}

/// Asks one question.
pub fn ask(set: &Set, case: &Case) -> (Result, Plan) {
    let context = Context { previous: case.previous.as_ref(), ..Context::default() };
    let plan = plan(&case.question, std::slice::from_ref(&set.schema), &context);
    let means = |query| meaning(query, &set.schema);
    let mut wanted = Vec::new();
    let mut may_stay = false;
    for answer in &case.answers {
        match answer {
            Answer::Query(query) => match means(query) {
                Ok(meaning) => wanted.push(meaning),
                Err(problem) => panic!("line {}: {problem}", case.line),
            },
            Answer::Unrun => may_stay = true,
        }
    }
    let fits = |query| means(query).is_ok_and(|m| wanted.contains(&m));
    let result = match (plan.status, &plan.query) {
        (Status::Ready, Some(query)) if fits(query) => Result::Right,
        (Status::Ready, _) => Result::Wrong,
        _ if may_stay => Result::Unrun,
        _ if plan.readings.iter().any(|r| fits(&r.query)) => Result::Offered,
        _ => Result::Missed,
    };
    (result, plan)
}

/// Asks every question of a set; `each` sees what came of it.
pub fn score(set: &Set, mut each: impl FnMut(&Case, Result, &Plan)) -> Score {
    let mut score = Score::default();
    for case in &set.cases {
        let (result, plan) = ask(set, case);
        each(case, result, &plan);
        score.add(case, result);
    }
    score
}
