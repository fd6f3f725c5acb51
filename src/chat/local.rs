//! The conversation without a model: the planner reads the question, the answer is made by
//! template. The same events as with a model; nothing is ever sent.

use super::event::{Action, ChatEvent, DraftStatus, Event, Reading, Usage};
use super::record::Record;
use super::round::blocks;
use super::texts;
use crate::disclose::Policy;
use crate::error::{Code, Error, Locale, Span, Text};
use crate::facts::Outcome;
use crate::planner::bought;
use crate::planner::{self, Plan, Status};
use crate::query::explain::{days_begin, explain};
use crate::query::{CheckedQuery, Query, check};
use crate::schema::TableSchema;
use crate::summary::{Options, summarise};
use crate::tools::{self, Context, Prepared, ToolResult, purchases};
use crate::validate::{Claim, Marked, Overall};
use crate::value::Value;
use chrono::NaiveDate;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

/// A conversation that stays on the device.
pub struct Local {
    locale: Locale,
    /// The table that is meant, where the page says so.
    table: Option<String>,
    number: u64,
    /// How purchases are read; without it questions about them are questions like any other.
    purchases: Option<Rc<purchases::Settings>>,
    running: Option<Running>,
    /// The query of the last answered question, for follow-ups.
    previous: Option<Query>,
    /// The readings of the last question of which none was chosen: what goes on from it goes on from each.
    open: Vec<Query>,
    /// The question that a call answered last, in full, for what changes it.
    bought: Option<String>,
    /// By table, the column of times that the person chose among the readings of a question.
    times: BTreeMap<String, String>,
    /// The readings that were offered last, in the canonical form, with that column.
    offered: Vec<(Json, (String, String))>,
    titled: bool,
}

/// The question whose query or call runs.
struct Running {
    run: u64,
    asked: Asked,
    language: Locale,
    /// How the question was read, to say before the answer.
    read_as: String,
}

enum Asked {
    Query(Box<Query>),
    /// A call of a tool for purchases, with the tables that it was made for.
    Call(Box<bought::Call>, Vec<Arc<TableSchema>>),
}

impl Local {
    /// A conversation without history; `locale` is the page's language, answers come in that of
    /// the question.
    pub fn new(locale: Locale) -> Self {
        Self {
            locale,
            table: None,
            number: 0,
            purchases: None,
            running: None,
            previous: None,
            open: Vec::new(),
            bought: None,
            times: BTreeMap::new(),
            offered: Vec::new(),
            titled: false,
        }
    }

    /// The same, with the tools for purchases where their tables are loaded.
    #[must_use]
    pub fn with_purchases(self, settings: Rc<purchases::Settings>) -> Self {
        Self { purchases: Some(settings), ..self }
    }

    /// A conversation that goes on from `record`: a follow-up changes its last query.
    pub fn reopen(locale: Locale, record: &Record) -> Self {
        let previous = record.last_query().and_then(|query| Query::from_json(query).ok());
        Self { previous, titled: record.title.is_some(), ..Self::new(locale) }
    }

    /// What to keep of it, so that it can be opened again; none while a query runs.
    pub fn record(&self) -> Option<Record> {
        let query = self.previous.as_ref().map(Query::to_json);
        (!self.is_busy()).then(|| Record::on_device(query))
    }

    /// Means this table from now on, or any.
    pub fn set_table(&mut self, table: Option<String>) {
        self.table = table;
    }

    /// True while a query runs.
    pub fn is_busy(&self) -> bool {
        self.running.is_some()
    }

    /// Notes a question that was answered elsewhere: by this query, so that a follow-up can build on
    /// it, or by something that is none, and then what follows is no change of an earlier query.
    pub fn answered(&mut self, query: Option<Query>) {
        if !self.is_busy() {
            if let Some(query) = query.as_ref().map(Query::to_json) {
                let chosen = self.offered.iter().find(|(offered, _)| *offered == query);
                self.times.extend(chosen.map(|(_, time)| time.clone()));
            }
            self.previous = query;
            self.open.clear();
            self.bought = None;
        }
    }

    /// Forgets the last question. What is under way is cancelled.
    pub fn clear(&mut self) -> Vec<Action> {
        let out = self.step(Event::Cancel);
        self.previous = None;
        self.open.clear();
        self.bought = None;
        self.times.clear();
        self.offered.clear();
        self.titled = false;
        out
    }

    /// What to do after `event`; never to send something. Events of requests change nothing.
    pub fn step(&mut self, event: Event) -> Vec<Action> {
        let mut out = Vec::new();
        match event {
            Event::Ask { question, tables } => {
                self.cancel(&mut out);
                self.ask(&question, &tables, &mut out);
            }
            Event::ToolDone { run, result, .. } => {
                if let Some(running) = self.running.take_if(|r| r.run == run) {
                    self.ran(running, result, &mut out);
                }
            }
            Event::CallDone { run, result } => {
                if let Some(running) = self.running.take_if(|r| r.run == run) {
                    self.called(running, &result, &mut out);
                }
            }
            Event::Cancel => self.cancel(&mut out),
            _ => {}
        }
        out
    }

    fn cancel(&mut self, out: &mut Vec<Action>) {
        if self.running.take().is_some() {
            fail(Code::Cancelled, texts::cancelled(), out);
        }
    }

    fn ask(&mut self, question: &str, tables: &[Arc<TableSchema>], out: &mut Vec<Action>) {
        let open = std::mem::take(&mut self.open);
        let changed = self.bought.take().and_then(|before| bought::follow(&before, question));
        for asked in changed.iter().map(String::as_str).chain([question]) {
            if let Some(call) = self.bought(asked, tables)
                && self.call(call, tables, out)
            {
                self.bought = Some(asked.to_owned());
                return;
            }
        }
        // `and by shop?` of what was spent is a question over the receipts
        if let Some(asked) = changed {
            let context =
                planner::Context { locale: Some(self.locale), ..planner::Context::default() };
            let plan = self.of_receipts(&asked, tables, &context);
            if let Some((plan, query)) = plan.and_then(|p| p.query.clone().map(|query| (p, query)))
            {
                self.run(&plan, query, tables, out);
                return;
            }
        }
        let context = planner::Context {
            table: self.table.as_deref(),
            previous: self.previous.as_ref(),
            locale: Some(self.locale),
            times: Some(&self.times),
        };
        let plan = self
            .of_receipts(question, tables, &context)
            .unwrap_or_else(|| planner::plan(question, tables, &context));
        let plan = going_on(question, tables, &context, &open, &plan).unwrap_or(plan);
        let ready = plan.query.clone().filter(|_| plan.status == Status::Ready);
        if let Some(query) = ready {
            self.run(&plan, query, tables, out);
        } else {
            self.offered = timed(&plan, tables);
            self.open = plan.readings.iter().map(|r| r.query.clone()).collect();
            let mut plan = plan;
            // of a whole question what goes on from the one before is the last that is meant
            if planner::is_whole(question) {
                plan.readings.sort_by_key(|reading| !reading.notes.is_empty());
            }
            // readings of a question of its own: what follows goes on from no earlier one
            let own = plan.readings.first().is_some_and(|r| r.notes.is_empty());
            let whole = plan.status == Status::Declined && planner::is_whole(question);
            if own || whole || planner::stands_alone(question, tables) {
                self.previous = None;
            }
            offer(&plan, out);
        }
    }

    fn run(
        &mut self,
        plan: &Plan,
        query: Query,
        tables: &[Arc<TableSchema>],
        out: &mut Vec<Action>,
    ) {
        let checked: Arc<CheckedQuery> = match check(&query, tables) {
            Ok(checked) => Arc::new(checked),
            Err(problems) => {
                refuse(&Error::Input(problems), out);
                return;
            }
        };
        self.number += 1;
        let run = self.number;
        if !self.titled {
            self.titled = true;
            out.push(Action::Emit(ChatEvent::Title { title: plan.explanation.clone() }));
        }
        out.push(Action::Emit(ChatEvent::ToolCall {
            id: call_id(run),
            name: tools::QUERY.to_owned(),
            input: checked.canonical().clone(),
            title: Some(plan.explanation.clone()),
        }));
        // the plan's notes say no more than its explanation
        let mut explanation = plan.explanation.clone();
        if let Some(days) = days_begin(&checked, plan.language) {
            explanation.push_str("; ");
            explanation.push_str(&days);
        }
        out.push(Action::RunQuery { run, checked });
        let read_as = texts::read_as(plan.language, &explanation);
        let asked = Asked::Query(Box::new(query));
        self.running = Some(Running { run, asked, language: plan.language, read_as });
    }

    /// The question as a call of a tool for purchases, where it is one and no table is chosen.
    fn bought(&self, question: &str, tables: &[Arc<TableSchema>]) -> Option<bought::Call> {
        let settings = self.purchases.as_deref().filter(|_| self.table.is_none())?;
        let policy = Policy::default();
        let context =
            Context { purchases: Some(settings), ..Context::new(tables, &policy, self.locale) };
        let categories = purchases::categories(&context);
        bought::call(question, purchases::today(&context)?, Some(self.locale), &categories)
    }

    /// The question over the receipts alone, where purchases are loaded and that is a clear one.
    fn of_receipts(
        &self,
        question: &str,
        tables: &[Arc<TableSchema>],
        context: &planner::Context<'_>,
    ) -> Option<Plan> {
        let settings = self.purchases.as_deref().filter(|_| self.table.is_none())?;
        let policy = Policy::default();
        let of =
            Context { purchases: Some(settings), ..Context::new(tables, &policy, self.locale) };
        let (receipts, total) = purchases::receipts(&of)?;
        let goes_on = context.previous.and_then(|query| query.table.as_deref());
        if goes_on.is_some_and(|before| before != receipts) {
            return None;
        }
        if let Some(said) = bought::of_cheap_shops(question, &total) {
            let context = planner::Context { table: Some(&receipts), ..*context };
            return Some(planner::to_choose(planner::plan(&said, tables, &context)));
        }
        let said = bought::of_receipts(question, &total)?;
        let context = planner::Context { table: Some(&receipts), ..*context };
        let mut plan = [said.as_str(), question].into_iter().find_map(|question| {
            Some(planner::plan(question, tables, &context)).filter(|p| p.status == Status::Ready)
        })?;
        if let Some(word) = bought::left_out(question) {
            let (before, behind) = match plan.language {
                Locale::En => (", whatever was bought: “", "” is not told apart"),
                Locale::Ru => (", за все покупки: «", "» отдельно не выделить"),
            };
            plan.explanation.extend([before, &word, behind]);
        }
        Some(plan)
    }

    /// Starts a call; false where the tool is not there.
    fn call(
        &mut self,
        call: bought::Call,
        tables: &[Arc<TableSchema>],
        out: &mut Vec<Action>,
    ) -> bool {
        // All of it stays on the device.
        let policy = Policy::default();
        let context = Context {
            purchases: self.purchases.as_deref(),
            ..Context::new(tables, &policy, call.language)
        };
        let prepared = tools::prepare(call.tool, &call.arguments.to_string(), &context);
        let Prepared::Purchases(prepared) = prepared else { return false };
        self.number += 1;
        let run = self.number;
        if !self.titled {
            self.titled = true;
            out.push(Action::Emit(ChatEvent::Title { title: call.explanation.clone() }));
        }
        out.push(Action::Emit(ChatEvent::ToolCall {
            id: call_id(run),
            name: call.tool.to_owned(),
            input: call.arguments.clone(),
            title: Some(call.explanation.clone()),
        }));
        out.push(Action::RunCall { run, call: prepared });
        let (language, read_as) = (call.language, texts::read_as(call.language, &call.explanation));
        let asked = Asked::Call(Box::new(call), tables.to_vec());
        self.running = Some(Running { run, asked, language, read_as });
        true
    }

    fn called(&mut self, running: Running, result: &ToolResult, out: &mut Vec<Action>) {
        let Asked::Call(call, tables) = running.asked else { return };
        let found = result.found();
        let (Some((list, _)), true) = (found.first(), result.ok) else {
            refuse(&Error::Input(result.error.clone()), out);
            return;
        };
        if let Some(next) = bought::after(&call, list)
            && self.call(next, &tables, out)
        {
            return;
        }
        blocks(&call_id(running.run), &call.arguments, result, running.language, out);
        let totals = found.get(1).map(|(totals, _)| totals.as_ref());
        let mut marked = bought::answer(call.asked, list, totals, running.language);
        if let Some(reach) = self.out_of_reach(&call.arguments, &tables, running.language) {
            marked.text.push_str(&reach);
        }
        // What follows is no change of an earlier query.
        self.previous = None;
        deliver(running.read_as, marked, out);
    }

    /// Which dates there are receipts of, where none is of those that are asked for.
    fn out_of_reach(
        &self,
        arguments: &Json,
        tables: &[Arc<TableSchema>],
        language: Locale,
    ) -> Option<String> {
        let settings = self.purchases.as_deref()?;
        let policy = Policy::default();
        let of =
            Context { purchases: Some(settings), ..Context::new(tables, &policy, self.locale) };
        let (receipts, _) = purchases::receipts(&of)?;
        let (first, last) = tables.iter().find(|t| t.name == receipts)?.dates()?;
        let [first, last] = [first, last].map(|day| Value::Date(day).date());
        let (first, last) = (first?, last?);
        let day = |name: &str| arguments.get(name)?.as_str()?.parse::<NaiveDate>().ok();
        let before = day("date_to").is_some_and(|to| to < first);
        let after = day("date_from").is_some_and(|from| from > last);
        (before || after).then(|| match language {
            Locale::En => format!(" The receipts are of {first} to {last}."),
            Locale::Ru => {
                let [first, last] = [first, last].map(|day| day.format("%d.%m.%Y"));
                format!(" Чеки есть с {first} по {last}.")
            }
        })
    }

    fn ran(
        &mut self,
        running: Running,
        result: Result<Arc<Outcome>, Error>,
        out: &mut Vec<Action>,
    ) {
        let Asked::Query(query) = running.asked else { return };
        let outcome = match result {
            Ok(outcome) => outcome,
            Err(error) => {
                refuse(&error, out);
                return;
            }
        };
        let summary = summarise(&outcome, &Options::default());
        out.push(Action::Emit(ChatEvent::DataBlock {
            id: call_id(running.run),
            tool: tools::QUERY.to_owned(),
            input: outcome.query.canonical().clone(),
            result_id: outcome.id.clone(),
            rows: outcome.rows.len() as u64,
            summary: summary.to_json_in(running.language),
            output: None,
        }));
        self.previous = Some(*query);
        let marked = planner::answer(&outcome, running.language);
        deliver(running.read_as, marked, out);
    }
}

fn deliver(read_as: String, marked: Marked, out: &mut Vec<Action>) {
    let Marked { text, claims } = after(read_as, marked);
    answer(text, claims, None, out);
}

/// An answer by template that says first how the question was read: `Understood as: ...`.
pub fn answer_by_template(outcome: &Outcome, language: Locale) -> Marked {
    let explanation = explain(&outcome.query, language);
    after(texts::read_as(language, &explanation), planner::answer(outcome, language))
}

/// The same in words of a model that hold of the result.
pub fn answer_in_words(outcome: &Outcome, words: Marked, language: Locale) -> Marked {
    after(texts::read_as(language, &explain(&outcome.query, language)), words)
}

/// An answer after how the question was read.
pub(super) fn after(read_as: String, marked: Marked) -> Marked {
    let offset = read_as.len();
    let claims = marked.claims.into_iter().map(|claim| Claim {
        span: Span::new(claim.span.start + offset, claim.span.end + offset),
        ..claim
    });
    Marked { claims: claims.collect(), text: read_as + &marked.text }
}

fn call_id(run: u64) -> String {
    format!("local_{run}")
}

/// The readings of a plan by one of several columns of times, as they are and in the canonical form,
/// with that column.
fn timed(plan: &Plan, tables: &[Arc<TableSchema>]) -> Vec<(Json, (String, String))> {
    let forms = |query: &Query| {
        let time = planner::time_of(query, tables)?;
        let checked = check(query, tables).ok()?;
        let whole = Query::from_json(checked.canonical()).ok()?;
        Some([(query.to_json(), time.clone()), (whole.to_json(), time)])
    };
    plan.readings.iter().filter_map(|reading| forms(&reading.query)).flatten().collect()
}

/// What goes on from readings of which none was chosen: each of them, changed so, to be chosen from.
fn going_on(
    question: &str,
    tables: &[Arc<TableSchema>],
    context: &planner::Context<'_>,
    open: &[Query],
    alone: &Plan,
) -> Option<Plan> {
    let ready = alone.status == Status::Ready;
    let whole = || planner::stands_alone(question, tables) || ready && planner::is_whole(question);
    if open.is_empty() || whole() {
        return None;
    }
    let changed = open.iter().filter_map(|query| {
        let context = planner::Context { previous: Some(query), ..*context };
        let plan = planner::plan(question, tables, &context);
        let other = plan.query != alone.query && plan.query.as_ref() != Some(query);
        (plan.status == Status::Ready && other).then_some(plan)
    });
    planner::one_of(changed)
}

/// Readings to choose from, or what was not understood.
fn offer(plan: &Plan, out: &mut Vec<Action>) {
    let message = plan
        .message
        .clone()
        .unwrap_or_else(|| texts::not_understood().get(plan.language).to_owned());
    let readings: Vec<Reading> = plan
        .readings
        .iter()
        .map(|r| Reading {
            query: r.query.to_json(),
            explanation: r.explanation.clone(),
            confidence: r.confidence,
        })
        .collect();
    if !readings.is_empty() {
        out.push(Action::Emit(ChatEvent::Readings { readings }));
    }
    answer(message, Vec::new(), Some(Code::NotUnderstood), out);
}

fn answer(text: String, claims: Vec<Claim>, ended: Option<Code>, out: &mut Vec<Action>) {
    let done = ended.is_none();
    out.push(Action::Emit(ChatEvent::Text { delta: text.clone() }));
    if done {
        let (answer, claims) = (text.clone(), claims.clone());
        out.push(Action::Emit(ChatEvent::Claims { answer, claims }));
        out.push(Action::Emit(ChatEvent::Draft { n: 1, status: DraftStatus::Final }));
    }
    out.push(Action::Emit(ChatEvent::Done {
        answer: text,
        claims,
        verdict: Overall::Ok,
        ended,
        usage: Usage::default(),
    }));
    out.push(Action::Finish);
}

/// The query cannot be run: the person hears why.
fn refuse(error: &Error, out: &mut Vec<Action>) {
    let problems = error.diagnostics();
    let code = problems.first().map_or(Code::Internal, |d| d.code);
    let lines = |locale| problems.iter().map(|d| d.render(locale)).collect::<Vec<_>>().join("\n");
    let message = Text { en: lines(Locale::En), ru: lines(Locale::Ru) };
    fail(code, message, out);
}

fn fail(code: Code, message: Text, out: &mut Vec<Action>) {
    out.push(Action::Emit(ChatEvent::Error { code, message, detail: None }));
    out.push(Action::Finish);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{Column, Kind};

    /// Minute bars.
    fn bars() -> Arc<TableSchema> {
        let mut columns = vec![Column::new("timestamp", Kind::Timestamp)];
        columns.extend(["open", "high", "low", "close"].map(|n| Column::new(n, Kind::Float)));
        let mut schema = TableSchema::new("bars", columns);
        schema.time = Some("timestamp".into());
        schema.interval = Some(60);
        Arc::new(schema)
    }

    /// What is said before the answer to `question`.
    fn read_as(question: &str) -> String {
        let mut local = Local::new(Locale::En);
        local.step(Event::Ask { question: question.into(), tables: vec![bars()] });
        local.running.expect("a query runs").read_as
    }

    #[test]
    fn an_answer_says_once_how_it_was_read() {
        for (question, expected) in [
            ("average gap", "Understood as: mean of gap, on daily bars\n\n"),
            ("средний гэп", "Понято так: среднее гэпа, по дневным барам\n\n"),
            ("max close", "Understood as: highest close\n\n"),
        ] {
            assert_eq!(read_as(question), expected);
        }
    }

    /// Orders with two dates, none of them the table's own.
    fn orders() -> Arc<TableSchema> {
        let mut city = Column::new("city", Kind::Text);
        city.values = Some(vec!["Berlin".into(), "Oslo".into()]);
        let columns = vec![
            Column::new("order_date", Kind::Date),
            Column::new("ship_date", Kind::Date),
            city,
            Column::new("sales", Kind::Float),
        ];
        Arc::new(TableSchema { rows: 900, ..TableSchema::new("orders", columns) })
    }

    #[test]
    fn a_date_that_was_chosen_is_kept() {
        let mut local = Local::new(Locale::En);
        let ask = |local: &mut Local, question: &str| {
            let asked = Event::Ask { question: question.into(), tables: vec![orders()] };
            let actions = local.step(asked);
            local.step(Event::Cancel);
            actions
        };
        let title = |actions: &[Action]| {
            actions.iter().find_map(|action| match action {
                Action::Emit(ChatEvent::ToolCall { title, .. }) => title.clone(),
                _ => None,
            })
        };
        let offered = ask(&mut local, "sales by month").into_iter().find_map(|a| match a {
            Action::Emit(ChatEvent::Readings { readings }) => Some(readings),
            _ => None,
        });
        let readings = offered.expect("readings");
        let chosen = readings.iter().find(|r| r.explanation.contains("ship_date"));
        local.answered(Query::from_json(&chosen.expect("a reading").query).ok());
        // a question between for no date
        local.answered(Some(Query::default()));
        let expected = [
            ("total sales by year", "total of sales, by year (ship_date)"),
            ("сумма sales по кварталам", "сумма sales, по кварталам (ship_date; все годы вместе)"),
            ("total sales by order date year", "total of sales, by year (order_date)"),
            ("total sales by year", "total of sales, by year (ship_date)"),
        ];
        for (question, said) in expected {
            let actions = ask(&mut local, question);
            assert_eq!(title(&actions).as_deref(), Some(said), "{question}");
        }
        local.clear();
        assert_eq!(title(&ask(&mut local, "sales by year")), None);
    }

    #[test]
    fn what_follows_open_readings_changes_each_of_them() {
        let mut local = Local::new(Locale::En);
        let mut offered = |question: &str| -> Vec<String> {
            let asked = Event::Ask { question: question.into(), tables: vec![orders()] };
            let actions = local.step(asked).into_iter();
            let readings = actions.filter_map(|action| match action {
                Action::Emit(ChatEvent::Readings { readings }) => Some(readings),
                _ => None,
            });
            readings.flatten().map(|reading| reading.explanation).collect()
        };
        let first = offered("total sales by month");
        let berlin = offered("only Berlin");
        assert!(first.len() > 1 && first.len() == berlin.len(), "{first:?} {berlin:?}");
        assert!(berlin.iter().all(|said| said.contains("Berlin")), "{berlin:?}");
        // a question of its own goes on from none
        assert!(offered("average sales by city").is_empty());
    }

    #[test]
    fn days_that_begin_in_the_evening_are_said() {
        let mut schema = Arc::unwrap_or_clone(bars());
        schema.market = crate::schema::Market::preset("futures-us-index").expect("a preset");
        let schema = Arc::new(schema);
        let read = |question: &str| {
            let mut local = Local::new(Locale::En);
            local.step(Event::Ask { question: question.into(), tables: vec![schema.clone()] });
            local.running.expect("a query runs").read_as
        };
        let days = "trading days, which begin at 18:00 of the day before";
        assert!(read("average close in March 2023").contains(days));
        assert!(!read("max close").contains("trading days"));
    }

    #[test]
    fn a_follow_up_builds_on_what_was_answered_elsewhere() {
        let mut local = Local::new(Locale::En);
        let query = serde_json::json!({"table": "bars", "select": "max(close)"});
        let mut follow = |answered| {
            local.answered(answered);
            let asked = Event::Ask { question: "and the lowest?".into(), tables: vec![bars()] };
            let actions = local.step(asked);
            local.step(Event::Cancel);
            actions.iter().find_map(|action| match action {
                Action::RunQuery { checked, .. } => Some(checked.canonical()["select"].to_string()),
                _ => None,
            })
        };
        let query = Query::from_json(&query).expect("a query");
        let ran = follow(Some(query));
        assert!(ran.as_ref().is_some_and(|select| select.contains("min(close)")), "{ran:?}");
        // What a call of a tool answered is no query to change, and neither is the one before it.
        assert_eq!(follow(None), None);
    }
}
