//! `run_script`: what no one query can say. A sandbox of the host runs the script; what it asks comes
//! here, so that it is known what it has read.
//!
//! A script can put any cell that it has read anywhere: into its result, into an error, into whether
//! there is one, into the time that it takes. So it runs only where the policy protects nothing. Where
//! that is tightened while it runs, it is given no more rows; and then or after, what a model hears of
//! the call is decided by all that the script has read: as much as of a result where all of that may
//! be told, and the same whatever came of it where some may not.

use super::data::read;
use super::purchases;
use super::{Call, CallTold, Context, Cost, Prepared, Told, Tool, ToolResult, arguments};
use crate::disclose::{Policy, depends_on};
use crate::engine::{Engine, Reads, Scripted, Unkept, without_sizes};
use crate::error::{Code, Diagnostic, Error, Locale, Text};
use crate::query::{CheckedQuery, check_json};
use crate::summary::{Options, clean, cut, summarise};
use chrono::NaiveDate;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use std::sync::Arc;

pub(super) const RUN_SCRIPT: Tool = Tool {
    name: "run_script",
    description: [
        "Run JavaScript over the tables, for what one `query` or `sql` cannot say: loops, several \
         queries that build on each other, comparing rows with rows. It has no network, no page and \
         no modules; 5 seconds, 20 queries, 10,000 rows a query. Answers with a summary of what it \
         returns; the person sees all of it.",
        "Выполнить JavaScript над таблицами, если одним `query` или `sql` не обойтись: циклы, \
         несколько запросов один за другим, сравнение строк со строками. Сети, страницы и модулей \
         нет; 5 секунд, 20 запросов, 10 000 строк на запрос. В ответ приходит сводка того, что он \
         вернул, человек видит всё.",
    ],
    brief: Some("Run a script."),
    cost: Cost::High,
    parameters: arguments::schema::<ScriptArguments>,
    prepare,
    needs: &[],
    hosted: false,
};

/// The longest script.
const MOST_CHARACTERS: usize = 20_000;

/// Its arguments.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ScriptArguments {
    #[schemars(length(max = MOST_CHARACTERS))]
    script: String,
    #[allow(dead_code, reason = "read from the arguments as they came")]
    title: Option<String>,
}

/// A script that a model wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptCall {
    /// It.
    pub script: String,
}

fn prepare(json: &str, context: &Context) -> Result<Prepared, Vec<Diagnostic>> {
    if !context.policy.lets_scripts_run() {
        return Err(vec![barred()]);
    }
    let ScriptArguments { script, title: _ } = read(json, context)?;
    Ok(Prepared::Script(ScriptCall { script }))
}

/// Why no script runs: a word on the policy alone.
pub(crate) fn barred() -> Diagnostic {
    let message = text!(
        "scripts run only where the policy protects no column and its level is `summary` or `preview`",
        "скрипты выполняются, только если политика не защищает ни одного столбца, а её уровень – `summary` или `preview`"
    );
    Diagnostic::new(Code::WithheldByPolicy, message)
}

/// A script at work.
#[derive(Debug)]
pub struct ScriptRun {
    call: ScriptCall,
    /// Taken before it runs: whatever it does, later ids are the same.
    id: String,
    reads: Reads,
    /// One of the tables that it has read has rows of several series.
    series: bool,
    /// It was given rows, or could tell that there are none.
    asked: bool,
    /// What it asked in vain, each with whether all of that was its author's own words.
    refused: Vec<(Vec<Diagnostic>, bool)>,
}

/// What a script asked and was not given.
#[derive(Debug, Clone, PartialEq)]
pub struct Refused {
    /// Its number among those of the script.
    pub number: usize,
    /// What the script reads: no more than a model may.
    pub told: String,
    /// Why, for the person.
    pub error: Error,
}

/// Why a script gave nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// A code of scripts, or of the engine.
    pub code: Code,
    /// Where in the script, from 1.
    pub line: Option<usize>,
    /// Where in the line, from 1.
    pub column: Option<usize>,
    /// What it asked in vain, where it did not go on without: its [`Refused::number`].
    pub refused: Option<usize>,
    /// The name that a script uses and does not have, found before it ran.
    pub name: Option<String>,
    /// All that is known of it, for the person.
    pub said: Option<String>,
}

impl Fault {
    /// A failure of the name that the sandbox has for it.
    pub fn named(code: &str) -> Self {
        let known = serde_json::from_value(Value::String(code.to_owned())).ok();
        let of_script = |code: &Code| {
            let name = code.name();
            name.starts_with("script_") || *code == Code::Clarify
        };
        Self::of(known.filter(of_script).unwrap_or(Code::ScriptFailed))
    }

    /// What became of the rows that a script gave; `locale` is the person's.
    pub fn of_rows(error: Error, locale: Locale) -> Self {
        let problems = without_sizes(error).diagnostics();
        let said = problems.iter().map(|d| d.render(locale)).collect::<Vec<_>>().join("\n");
        let code = problems.first().map_or(Code::Internal, |problem| problem.code);
        Self { said: Some(said), ..Self::of(code) }
    }

    fn of(code: Code) -> Self {
        Self { code, line: None, column: None, refused: None, name: None, said: None }
    }
}

impl ScriptRun {
    /// Takes the id of its result, where the policy in force lets it run.
    ///
    /// # Errors
    /// The result of a call that is refused: nothing has run.
    pub fn start(
        call: ScriptCall,
        policy: &Policy,
        engine: &mut Engine,
    ) -> Result<Self, Box<ToolResult>> {
        if !policy.lets_scripts_run() {
            return Err(Box::new(ToolResult::failed(RUN_SCRIPT.name, vec![barred()])));
        }
        let id = engine.take_id();
        let (reads, refused) = (Reads::new(), Vec::new());
        Ok(Self { call, id, reads, series: false, asked: false, refused })
    }

    /// The script.
    pub fn script(&self) -> &str {
        &self.call.script
    }

    /// Checks what the script asks: a query, or a statement with its parameters in a list. Needs a
    /// [`super::Host`].
    ///
    /// # Errors
    /// What the script is told instead of rows.
    pub fn ask(
        &mut self,
        statement: bool,
        asked: &Value,
        context: &Context,
    ) -> Result<Arc<CheckedQuery>, Refused> {
        self.goes_on(context)?;
        let checked = match (statement, context.host) {
            (false, _) => check_json(asked, context.tables).map_err(Error::from),
            (true, None) => Err(Error::Internal("a statement without an engine".into())),
            (true, Some(host)) => {
                let text = asked.get(0).and_then(Value::as_str).unwrap_or_default();
                let params = asked.get(1).cloned().unwrap_or_default();
                host.engine.borrow().check_sql(text, &params)
            }
        };
        let checked = match checked {
            Ok(checked) => Arc::new(checked),
            Err(error) => {
                // The script may pass on the names that the refusal lists.
                for table in context.tables {
                    let names = table.columns.iter().map(|column| &column.name);
                    let open = names.filter(|name| !context.policy.protects(&table.name, name));
                    self.reads.extend(open.map(|name| (table.name.clone(), name.clone())));
                }
                return Err(self.refuse(error, context));
            }
        };
        // Before it runs: that it fails tells something, too.
        self.asked = true;
        self.reads.extend(depends_on(&checked));
        self.series |= if checked.sql().is_some() {
            checked.sql_series()
        } else {
            checked.schema().series.is_some()
        };
        Ok(checked)
    }

    /// The day that counts as today, where the policy lets it be told. Where it is the date of the latest
    /// receipt, the script has read that column.
    pub fn day(&mut self, context: &Context) -> Option<NaiveDate> {
        let (day, _) = purchases::told_day(context)?;
        self.reads.extend(purchases::day_column(context));
        Some(day)
    }

    /// Whether the script is given what it asked: to be looked at before its query is checked, and
    /// again before it gets the rows.
    ///
    /// # Errors
    /// The policy was tightened since it began.
    pub fn goes_on(&mut self, context: &Context) -> Result<(), Refused> {
        if context.policy.lets_scripts_run() {
            return Ok(());
        }
        Err(self.refuse(barred().into(), context))
    }

    /// What the script asked failed as it ran.
    pub fn refuse(&mut self, error: Error, context: &Context) -> Refused {
        let error = without_sizes(error);
        let problems = error.diagnostics();
        let told = context.gate().diagnostics(&problems, context.tables, context.locale);
        self.refused.push((problems, !self.asked));
        Refused { number: self.refused.len() - 1, told: told.as_str().to_owned(), error }
    }

    /// The result of the call.
    pub fn finish(self, ended: Result<Unkept, Fault>, engine: &mut Engine) -> ToolResult {
        match ended {
            Ok(rows) if self.asked => self.gave(rows, engine),
            // What no query had a part in proves nothing: an answer could be checked against itself.
            Ok(_) => self.failed(vec![asked_nothing()], None),
            Err(fault) => {
                let problems = self.problems(&fault);
                self.failed(problems, fault.said)
            }
        }
    }

    fn gave(self, rows: Unkept, engine: &mut Engine) -> ToolResult {
        let Self { call: ScriptCall { script }, id, reads, series, .. } = self;
        let scripted = Scripted { text: script, reads: reads.clone(), series };
        let outcome = engine.keep_script(rows, id.clone(), Some(scripted));
        let summary = Box::new(summarise(&outcome, &Options::default()));
        let call = Call { ids: vec![id.clone()], reads: Arc::new(reads), totals: &[] };
        let (rows, warnings) = (outcome.rows.len() as u64, summary.warnings().to_vec());
        let results = vec![(outcome, summary.clone())];
        let told = Told::Call(Box::new(CallTold { call, results, named: None }));
        ToolResult {
            result_id: Some(id),
            rows: Some(rows),
            summary: Some(summary),
            warnings,
            ..ToolResult::empty(RUN_SCRIPT.name, told)
        }
    }

    fn failed(self, error: Vec<Diagnostic>, said: Option<String>) -> ToolResult {
        let said = said.map(String::into_boxed_str);
        let Self { id, reads, asked, .. } = self;
        if !asked && reads.is_empty() {
            // Nothing of the tables has a part in it.
            return ToolResult { said, ..ToolResult::failed(RUN_SCRIPT.name, error) };
        }
        let call = Call { ids: vec![id.clone()], reads: Arc::new(reads), totals: &[] };
        let told = Told::Call(Box::new(CallTold { call, results: Vec::new(), named: None }));
        ToolResult {
            ok: false,
            error,
            said,
            result_id: Some(id),
            ..ToolResult::empty(RUN_SCRIPT.name, told)
        }
    }

    /// What may be told of a failure where all that the script has read may be: what kind it is of,
    /// and where. What the script says of it may quote cells.
    fn problems(&self, fault: &Fault) -> Vec<Diagnostic> {
        let mut message = message(fault.code);
        if let Some(name) = fault.name.as_ref().filter(|name| self.script().contains(*name)) {
            let name = cut(&clean(name), 40);
            let Text { en, ru } = message;
            message = text!("{en}: `{name}`", "{ru}: `{name}`");
        }
        if let Some((line, column)) = self.place(fault) {
            let Text { en, ru } = message;
            message = text!(
                "{en} (line {line}, column {column})",
                "{ru} (строка {line}, столбец {column})"
            );
        }
        let mut problems = vec![Diagnostic::new(fault.code, message).at("/script")];
        let refused = fault.refused.and_then(|number| self.refused.get(number));
        let Some((why, own_words)) = refused else { return problems };
        problems.extend(why.iter().map(|problem| {
            if *own_words {
                return problem.clone();
            }
            // The script may have put cells into what it asked.
            let code = problem.code;
            let message = text!("what it asked failed: {code}", "её запрос не выполнен: {code}");
            Diagnostic::new(code, message)
        }));
        problems
    }

    /// Where a failure is, if there is such a place in the script.
    fn place(&self, fault: &Fault) -> Option<(usize, usize)> {
        let (line, column) = (fault.line?, fault.column.unwrap_or(1));
        let text = self.script().lines().nth(line.checked_sub(1)?)?;
        (column <= text.encode_utf16().count() + 1).then_some((line, column))
    }
}

/// Why the rows of a script are no result.
fn asked_nothing() -> Diagnostic {
    let message = text!(
        "the script asked nothing of the data: what it returns has to come of its queries",
        "скрипт ничего не спросил у данных: то, что он возвращает, должно следовать из его запросов"
    );
    Diagnostic::new(Code::ScriptNoResult, message).at("/script")
}

fn message(code: Code) -> Text {
    match code {
        Code::Clarify => text!(
            "the script asks the person something, and they see what",
            "скрипт спрашивает человека, и человек это видит"
        ),
        Code::ScriptNoExecute => text!(
            "the script has no function `execute`: write `async function execute()`",
            "в скрипте нет функции `execute`: напишите `async function execute()`"
        ),
        Code::ScriptForbidden => text!(
            "the script uses what scripts do not have",
            "скрипт использует то, чего в скриптах нет"
        ),
        Code::ScriptSyntax => text!("the script cannot be read", "скрипт не читается"),
        Code::ScriptUndefined => {
            text!("a name in the script is not defined", "имя в скрипте не определено")
        }
        Code::ScriptMissing => text!(
            "the script reads a property of something that is not there",
            "скрипт берёт свойство у того, чего нет"
        ),
        Code::ScriptTime => {
            text!("the script worked for too long", "скрипт работал слишком долго")
        }
        Code::ScriptMemory => {
            text!("the script needs too much memory", "скрипту не хватило памяти")
        }
        Code::ScriptStack => text!(
            "the functions of the script call each other too deeply",
            "функции скрипта вызывают друг друга слишком глубоко"
        ),
        Code::ScriptQueries => {
            text!("the script asked too many queries", "скрипт выполнил слишком много запросов")
        }
        Code::ScriptRows => text!(
            "a query of the script gave too many rows: let the query aggregate them",
            "запрос скрипта дал слишком много строк: агрегируйте их в запросе"
        ),
        Code::ScriptTooLarge => text!(
            "the script returned more than 500 columns or 2,000,000 cells",
            "скрипт вернул больше 500 столбцов или 2 000 000 ячеек"
        ),
        Code::ScriptEndlessWait => text!(
            "the script waits for something that never comes",
            "скрипт ждёт того, что никогда не наступит"
        ),
        Code::ScriptNoResult => text!("the script returned nothing", "скрипт ничего не вернул"),
        Code::ScriptThrew => text!(
            "the script threw an error; its text is for the person",
            "скрипт бросил ошибку; её текст – для человека"
        ),
        Code::ScriptFailed => text!("the script could not be run", "скрипт не удалось выполнить"),
        _ => {
            text!("what the script returned is no result", "то, что вернул скрипт, – не результат")
        }
    }
}
