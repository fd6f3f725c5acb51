//! Tools: what a model, a page or a job can call by name, with arguments as JSON.
//!
//! No I/O happens here: [`prepare`] turns a call into a result or into a query for the host to run,
//! and [`finish_query`] turns what came of it into a result. Nothing here fails: an unknown tool,
//! bad arguments and a failed query are results that a model can act on.

mod arguments;
mod bars;
mod data;
mod given;
mod handed;
mod kept;
pub mod purchases;
mod script;
mod source;
mod stats;

pub use handed::Handed;
pub use kept::{KeptCalls, KeptStep};
#[cfg(target_arch = "wasm32")]
pub(crate) use script::barred;
pub use script::{Fault, Refused, ScriptCall, ScriptRun};
pub use source::{SourceCall, key_value};

use crate::disclose::{Cells, Disclosed, Gate, Guard, Policy};
use crate::engine::{Engine, Reads};
use crate::error::{Code, Diagnostic, Error, Locale, closest};
use crate::facts::Outcome;
use crate::query::CheckedQuery;
use crate::query::check::Warning;
use crate::schema::TableSchema;
use crate::summary::{Options, Summary, summarise};
use arguments::Functions;
use purchases::PurchaseCall;
use serde::Serialize;
use serde_json::Value;
use std::cell::RefCell;
use std::sync::Arc;

/// What a model is told of a tool.
#[derive(Debug, Clone, PartialEq)]
pub struct Definition {
    /// The name it is called by.
    pub name: &'static str,
    /// What it is for.
    pub description: &'static str,
    /// JSON Schema of its arguments.
    pub parameters: Value,
    /// How long a call takes.
    pub cost: Cost,
}

/// How long a call of a tool takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Cost {
    /// Less than a moment: no row is read.
    Low,
    /// As long as a query over the tables.
    High,
}

/// What a call depends on beside its arguments.
#[derive(Debug, Clone, Copy)]
pub struct Context<'a> {
    /// The loaded tables.
    pub tables: &'a [Arc<TableSchema>],
    /// What may leave.
    pub policy: &'a Policy,
    /// What has left under the rule of k; without it, what falls under the rule is withheld.
    pub guard: Option<&'a Guard>,
    /// Protected cells that are masked in what the person writes.
    pub cells: Option<&'a Cells>,
    /// How purchases are read; without it there are no tools for them.
    pub purchases: Option<&'a purchases::Settings>,
    /// What is there beside the tables' schemas; without it there are no tools that need it.
    pub host: Option<Host<'a>>,
    /// Whether there is a sandbox for scripts.
    pub scripts: bool,
    /// The results of a conversation, which has no host.
    pub given: Option<Given<'a>>,
    /// The language of texts.
    pub locale: Locale,
}

/// What tools work with that need more than the schemas of tables.
#[derive(Clone, Copy)]
pub struct Host<'a> {
    /// Checks statements, and finds the rows behind results.
    pub engine: &'a RefCell<Engine>,
    /// The results that calls of tools have given.
    pub handed: &'a RefCell<Handed>,
}

/// The results of a conversation.
#[derive(Clone, Copy)]
pub struct Given<'a> {
    /// Those that its calls have given, as far as its model knows them.
    pub handed: &'a Handed,
    /// Those that are at hand.
    pub outcomes: &'a [Arc<Outcome>],
}

impl std::fmt::Debug for Given<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Given").field("handed", self.handed).finish_non_exhaustive()
    }
}

impl std::fmt::Debug for Host<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Host").field("handed", self.handed).finish_non_exhaustive()
    }
}

impl<'a> Context<'a> {
    /// A context that knows of no earlier disclosure, masks nothing and has the tools that need
    /// schemas alone.
    pub fn new(tables: &'a [Arc<TableSchema>], policy: &'a Policy, locale: Locale) -> Self {
        Self {
            tables,
            policy,
            guard: None,
            cells: None,
            purchases: None,
            host: None,
            given: None,
            scripts: false,
            locale,
        }
    }

    /// What makes the texts that leave.
    pub fn gate(&self) -> Gate<'a> {
        let mut gate = Gate::new(self.policy);
        if let Some(guard) = self.guard {
            gate = gate.with_guard(guard);
        }
        if let Some(cells) = self.cells {
            gate = gate.with_cells(cells);
        }
        gate
    }
}

/// A call, ready to go on.
#[derive(Debug, Clone)]
pub enum Prepared {
    /// Nothing has to run.
    Done(ToolResult),
    /// A query has to run; then [`finish_query`].
    Query(QueryCall),
    /// A [`purchases::PurchaseRun`] has to run: it gives the result.
    Purchases(Box<PurchaseCall>),
    /// The rows behind a result have to be counted: it gives the result. Only where the context has
    /// a [`Host`].
    Source(Box<SourceCall>),
    /// A [`ScriptRun`] has to run: it gives the result. Only where the context has scripts and the
    /// policy lets them run.
    Script(ScriptCall),
}

/// A checked query that a call asks for.
#[derive(Debug, Clone)]
pub struct QueryCall {
    /// What to run.
    pub checked: Arc<CheckedQuery>,
    /// List every group in the summary.
    pub all_groups: bool,
    /// What the data is, in the caller's words.
    pub title: Option<String>,
}

/// What came of a call.
#[derive(Debug, Clone)]
pub struct ToolResult {
    /// The tool that was called.
    pub tool: String,
    /// False when it failed: then `error` says why.
    pub ok: bool,
    /// The id of the result that a query gave, or would have given.
    pub result_id: Option<String>,
    /// Its rows.
    pub rows: Option<u64>,
    /// Its summary, as the person sees it.
    pub summary: Option<Box<Summary>>,
    /// Everything that changed the meaning.
    pub warnings: Vec<Warning>,
    /// Everything that is wrong with the call.
    pub error: Vec<Diagnostic>,
    /// The whole result for the person, where the tool has a shape of its own for it. It is evidence
    /// and stays on the device; [`Self::content`] is what a model sees.
    pub output: Option<Box<Value>>,
    /// What a script said as it failed, in its own words. It may quote cells and stays on the device.
    pub said: Option<Box<str>>,
    told: Told,
}

/// What the content for a model is made of. It is made anew for every request, so that it always
/// obeys the policy of the moment.
#[derive(Clone)]
enum Told {
    Tables {
        only: Option<String>,
        functions: Option<Functions>,
    },
    /// A family of functions.
    Functions(Functions),
    /// Questions that tables can answer.
    Questions {
        only: Option<String>,
    },
    Outcome(Arc<Outcome>),
    /// A call of several statements ran.
    Call(Box<CallTold>),
    /// Rows behind a result.
    Source(source::Behind),
    /// Reported numbers against a result.
    Stats(Box<stats::Reported>),
    /// The query ran and failed. Its result would have had this id.
    Failed {
        query: Arc<CheckedQuery>,
        id: Option<String>,
    },
    Problems,
}

/// What came of a call of several statements, or of a script, and all that decides what is told of
/// it.
#[derive(Clone)]
struct CallTold {
    call: Call,
    /// The list, then the totals; none where it failed.
    results: Vec<(Arc<Outcome>, Box<Summary>)>,
    /// The column of the list that names its entries.
    named: Option<&'static str>,
}

/// A call of several statements, as it is known before it runs; or of a script.
#[derive(Debug, Clone)]
pub struct Call {
    /// The ids of its list and of its totals; the one of what a script gives.
    pub ids: Vec<String>,
    /// The columns that the tool may read, however far the call comes; those that a script has read.
    pub reads: Arc<Reads>,
    /// The columns of its totals.
    pub totals: &'static [&'static str],
}

impl std::fmt::Debug for Told {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Tables { .. } => f.write_str("Tables"),
            Self::Functions(family) => write!(f, "Functions({family:?})"),
            Self::Questions { .. } => f.write_str("Questions"),
            Self::Outcome(outcome) => write!(f, "Outcome({})", outcome.id),
            Self::Stats(reported) => write!(f, "Stats({})", reported.id()),
            Self::Source(behind) => write!(f, "Source({})", behind.id()),
            Self::Call(told) => write!(f, "Call({})", told.call.ids.join(", ")),
            Self::Failed { id, .. } => write!(f, "Failed({id:?})"),
            Self::Problems => f.write_str("Problems"),
        }
    }
}

impl ToolResult {
    /// What the model sees of it, as the policy allows.
    pub fn content(&self, context: &Context) -> Disclosed {
        let gate = context.gate();
        match (&self.told, &self.summary) {
            (Told::Tables { only, functions }, _) => {
                data::describe(only.as_deref(), *functions, context)
            }
            (Told::Functions(family), _) => data::functions_of(*family, context),
            (Told::Questions { only }, _) => data::questions(only.as_deref(), context),
            (Told::Outcome(outcome), Some(summary)) => {
                gate.summary(outcome, summary, context.locale)
            }
            (Told::Call(told), _) => {
                let Call { ids, reads, totals } = &told.call;
                if let Some(withheld) = gate.withheld_call(reads, ids, totals, context.locale) {
                    return withheld;
                }
                if !self.ok {
                    let (tables, locale) = (context.tables, context.locale);
                    return gate.failed_call(reads, ids, &self.error, tables, locale);
                }
                let named = told.named;
                let told = told.results.iter().enumerate().map(|(place, (outcome, summary))| {
                    let named = named.filter(|_| place == 0);
                    gate.listed(outcome, summary, named, context.locale)
                });
                gate.join(&told.collect::<Vec<_>>(), "\n")
            }
            (Told::Stats(reported), _) => reported.told(context),
            (Told::Source(behind), _) => behind.told(&self.error, context),
            (Told::Failed { query, id }, _) => {
                let told = gate.failure(query, id.as_deref(), context.locale);
                told.unwrap_or_else(|| {
                    gate.diagnostics(&self.error, context.tables, context.locale)
                })
            }
            _ => gate.diagnostics(&self.error, context.tables, context.locale),
        }
    }

    /// Whether the model hears that the call failed. A failure that would tell it something of
    /// values that are withheld looks to it like a result that is withheld.
    pub fn fails_openly(&self, context: &Context) -> bool {
        match &self.told {
            Told::Failed { query, id } => {
                context.gate().failure(query, id.as_deref(), context.locale).is_none()
            }
            // Of a result that is withheld it hears what it hears of one that never was.
            Told::Stats(_) => false,
            Told::Source(behind) => !self.ok && behind.is_open(context),
            Told::Call(told) => {
                !self.ok && !context.gate().withholds_call(&told.call.reads, &told.call.ids)
            }
            _ => !self.ok,
        }
    }

    /// What the model sees of it in later turns: a reminder, where the content was long.
    pub fn later(&self, context: &Context) -> Disclosed {
        let content = self.content(context);
        if content.as_str().chars().count() <= KEPT {
            return content;
        }
        context.gate().replacement(&self.tool, self.rows, self.result_id.as_deref())
    }

    /// The query of a call that, as far as the model hears of it, gave a result.
    pub fn query_told(&self, context: &Context) -> Option<Arc<CheckedQuery>> {
        match &self.told {
            Told::Outcome(outcome) => Some(Arc::clone(&outcome.query)),
            // Of what is withheld it does not hear whether there is a query.
            Told::Call(told) => {
                let withheld = context.gate().withholds_call(&told.call.reads, &told.call.ids);
                let list = told.results.first().filter(|_| !withheld);
                list.map(|(outcome, _)| Arc::clone(&outcome.query))
            }
            Told::Failed { query, .. } if !self.fails_openly(context) => Some(Arc::clone(query)),
            _ => None,
        }
    }

    /// The outcome of a query that succeeded.
    pub fn outcome(&self) -> Option<&Arc<Outcome>> {
        match &self.told {
            Told::Outcome(outcome) => Some(outcome),
            Told::Call(call) => call.results.first().map(|(outcome, _)| outcome),
            _ => None,
        }
    }

    /// The ids of the results that a query or a call gave, or would have given where it failed, each
    /// with what was found.
    fn ids(&self) -> Vec<(&str, Option<&Arc<Outcome>>)> {
        match &self.told {
            Told::Outcome(outcome) => vec![(&outcome.id, Some(outcome))],
            Told::Failed { id, .. } => id.iter().map(|id| (id.as_str(), None)).collect(),
            Told::Call(told) => {
                let found = |place: usize| told.results.get(place).map(|(outcome, _)| outcome);
                let ids = told.call.ids.iter().enumerate();
                ids.map(|(place, id)| (id.as_str(), found(place))).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The call of several statements that it is of.
    pub fn call(&self) -> Option<&Call> {
        match &self.told {
            Told::Call(told) => Some(&told.call),
            _ => None,
        }
    }

    /// What a call of several statements found, with the summaries for the person: its list, then
    /// its totals; nothing where it failed.
    pub fn found(&self) -> &[(Arc<Outcome>, Box<Summary>)] {
        match &self.told {
            Told::Call(told) => &told.results,
            _ => &[],
        }
    }

    /// Everything that it found: the list of a purchase tool, then its totals.
    pub fn outcomes(&self) -> Vec<&Arc<Outcome>> {
        match &self.told {
            Told::Outcome(outcome) => vec![outcome],
            Told::Call(call) => call.results.iter().map(|(outcome, _)| outcome).collect(),
            _ => Vec::new(),
        }
    }

    /// A call that came to nothing.
    pub(crate) fn failed(tool: &str, error: Vec<Diagnostic>) -> Self {
        Self { ok: false, error, ..Self::empty(tool, Told::Problems) }
    }

    fn empty(tool: &str, told: Told) -> Self {
        Self {
            tool: tool.to_owned(),
            ok: true,
            result_id: None,
            rows: None,
            summary: None,
            warnings: Vec::new(),
            error: Vec::new(),
            output: None,
            said: None,
            told,
        }
    }
}

/// The name of the tool that runs statements of SQL.
pub const SQL: &str = data::SQL.name;

/// The name of the tool that runs queries.
pub const QUERY: &str = data::QUERY.name;

/// The name of the tool that runs scripts.
pub const RUN_SCRIPT: &str = script::RUN_SCRIPT.name;

/// The name of the tool that checks reported numbers.
pub const CHECK_STATS: &str = stats::CHECK_STATS.name;

/// Contents up to this many characters are kept in later turns.
const KEPT: usize = 500;

/// An entry of the registry.
struct Tool {
    name: &'static str,
    /// English, Russian.
    description: [&'static str; 2],
    /// The same in the fewest words; none where conversations do without the tool: its definition
    /// would go with every request.
    brief: Option<&'static str>,
    cost: Cost,
    parameters: fn(Locale) -> Value,
    prepare: fn(&str, &Context) -> Result<Prepared, Vec<Diagnostic>>,
    /// The tables of purchases that it needs.
    needs: &'static [&'static str],
    /// Whether it needs a [`Host`].
    hosted: bool,
}

impl Tool {
    /// Whether a call of it can be answered: a tool whose tables are missing says so, but without a
    /// word on purchases there is none for them.
    fn is_there(&self, context: &Context) -> bool {
        let talks = context.given.is_some() && self.brief.is_some();
        (self.needs.is_empty() || context.purchases.is_some())
            && (!self.hosted || context.host.is_some() || talks)
            && (self.name != RUN_SCRIPT || context.scripts)
    }
}

/// Every tool.
const TOOLS: &[Tool] = &[
    data::DESCRIBE_TABLES,
    data::QUERY,
    data::SQL,
    source::SOURCE_ROWS,
    stats::CHECK_STATS,
    data::SUGGEST_QUESTIONS,
    data::FUNCTION_REFERENCE,
    script::RUN_SCRIPT,
    purchases::GET_RECEIPTS,
    purchases::GET_RECEIPT_ITEMS,
    purchases::GET_PRODUCTS,
    purchases::GET_ITEMS,
    purchases::GET_LABELS,
    purchases::GET_PURCHASE_STATISTICS,
    purchases::GENERATE_SHOPPING_LIST,
];

/// The tools that can be called: those for purchases where their tables are there, that for scripts
/// where the policy lets them run.
fn offered<'a>(context: &'a Context<'a>) -> impl Iterator<Item = &'static Tool> + 'a {
    let there = |tool: &&Tool| {
        tool.is_there(context)
            && purchases::offered(tool.needs, context)
            && (tool.name != RUN_SCRIPT || offers_scripts(context))
    };
    TOOLS.iter().filter(there)
}

/// Whether a model may write scripts as things are.
pub fn offers_scripts(context: &Context) -> bool {
    context.scripts && context.policy.lets_scripts_run()
}

/// Whether the tables are there that most tools for purchases need.
pub fn offers_purchases(context: &Context) -> bool {
    offered(context).any(|tool| !tool.needs.is_empty())
}

/// The list for a model.
pub fn definitions(context: &Context) -> Vec<Definition> {
    let locale = context.locale;
    offered(context)
        .map(|tool| Definition {
            name: tool.name,
            description: match (locale, tool.description) {
                (Locale::En, [text, _]) | (Locale::Ru, [_, text]) => text,
            },
            parameters: (tool.parameters)(locale),
            cost: tool.cost,
        })
        .collect()
}

/// The list for a conversation, in the fewest words, since it goes with every request: what they mean
/// is in the prompt. What the tools that are left out give, a conversation has anyway.
pub fn brief(context: &Context) -> Vec<Definition> {
    let brief = |tool: &'static Tool| {
        Some(Definition {
            name: tool.name,
            description: tool.brief?,
            parameters: arguments::brief(&(tool.parameters)(Locale::En), !tool.needs.is_empty()),
            cost: tool.cost,
        })
    };
    offered(context).filter_map(brief).collect()
}

/// Makes a call ready: all that is wrong with it at once, or what has to run.
pub fn prepare(name: &str, arguments: &str, context: &Context) -> Prepared {
    let Some(tool) = TOOLS.iter().find(|t| t.name == name && t.is_there(context)) else {
        return Prepared::Done(ToolResult::failed(name, vec![unknown_tool(name, context)]));
    };
    (tool.prepare)(arguments, context)
        .unwrap_or_else(|problems| Prepared::Done(ToolResult::failed(name, problems)))
}

fn unknown_tool(name: &str, context: &Context) -> Diagnostic {
    Diagnostic::new(
        Code::UnknownTool,
        text!("there is no tool `{name}`", "нет инструмента `{name}`"),
    )
    .choices(closest(name, offered(context).map(|t| t.name), TOOLS.len()))
}

/// The result of a query that has run, or failed to; `id` is the one that its result has or would
/// have had.
pub fn finish_query(
    query: &Arc<CheckedQuery>,
    id: Option<String>,
    result: Result<Arc<Outcome>, Error>,
    all_groups: bool,
) -> ToolResult {
    let tool = if query.sql().is_some() { SQL } else { QUERY };
    match result {
        Ok(outcome) => {
            let summary = summarise(&outcome, &Options { all_groups });
            ToolResult {
                result_id: Some(outcome.id.clone()),
                rows: Some(outcome.rows.len() as u64),
                warnings: summary.warnings().to_vec(),
                summary: Some(Box::new(summary)),
                ..ToolResult::empty(tool, Told::Outcome(outcome))
            }
        }
        Err(error) => ToolResult {
            ok: false,
            error: error.diagnostics(),
            // A reminder of it in later turns is that of a result.
            result_id: id.clone(),
            ..ToolResult::empty(tool, Told::Failed { query: Arc::clone(query), id })
        },
    }
}

/// The title that a call carries, one line of at most 80 characters.
pub fn title(arguments: &str) -> Option<String> {
    let arguments = given::object(arguments).ok()?;
    let words: Vec<&str> = arguments
        .get("title")?
        .as_str()?
        .split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|w| !w.is_empty())
        .collect();
    let title: String = words.join(" ").chars().take(80).collect();
    (!title.is_empty()).then_some(title)
}
