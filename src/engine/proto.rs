//! Plans that travel: every logical plan of the golden cases goes through DataFusion's protobuf form
//! and gives the same result, so that a plan can run elsewhere one day.
//!
//! What a plan only refers to, the rows of a table and the counters of relays, stays here and goes
//! by number.

use super::arrange::{Key, arrange, keys};
use super::relay::{Counter, parts, relay, relay_first};
use arrow::datatypes::SchemaRef;
use datafusion::catalog::TableProvider;
use datafusion::common::{DataFusionError, Result, TableReference};
use datafusion::execution::TaskContext;
use datafusion::execution::session_state::SessionState;
use datafusion::functions::{core, datetime, string, unicode};
use datafusion::functions_aggregate::all_default_aggregate_functions;
use datafusion::functions_window::all_default_window_functions;
use datafusion::logical_expr::{AggregateUDF, Extension, LogicalPlan, ScalarUDF, WindowUDF};
use datafusion_proto::bytes::{
    logical_plan_from_bytes_with_extension_codec, logical_plan_to_bytes_with_extension_codec,
};
use datafusion_proto::logical_plan::LogicalExtensionCodec;
use std::cell::Cell;
use std::sync::{Arc, Mutex, PoisonError};

thread_local! {
    /// How many plans have travelled on this thread; `None` while plans stay at home.
    static TRAVELLED: Cell<Option<u64>> = const { Cell::new(None) };
}

/// The plan after a journey through bytes, where plans travel.
pub(super) fn travelled(plan: &LogicalPlan, state: &SessionState) -> Result<LogicalPlan> {
    let Some(count) = TRAVELLED.get() else { return Ok(plan.clone()) };
    let codec = Luggage::default();
    let bytes = logical_plan_to_bytes_with_extension_codec(plan, &codec)?;
    let context = TaskContext::from(state);
    let arrived = logical_plan_from_bytes_with_extension_codec(&bytes, &context, &codec)?;
    assert_eq!(arrived.display_indent().to_string(), plan.display_indent().to_string());
    TRAVELLED.set(Some(count + 1));
    Ok(arrived)
}

/// What does not travel, by number.
#[derive(Debug, Default)]
struct Luggage {
    tables: Mutex<Vec<Arc<dyn TableProvider>>>,
    counters: Mutex<Vec<Counter>>,
}

fn left<T: Clone>(things: &Mutex<Vec<T>>, number: Option<&str>) -> Result<T> {
    let things = things.lock().unwrap_or_else(PoisonError::into_inner);
    let number = number.and_then(|n| n.parse::<usize>().ok());
    let thing = number.and_then(|n| things.get(n)).cloned();
    thing.ok_or_else(|| DataFusionError::Plan("nothing was left under this number".into()))
}

fn leave<T>(things: &Mutex<Vec<T>>, thing: T) -> usize {
    let mut things = things.lock().unwrap_or_else(PoisonError::into_inner);
    things.push(thing);
    things.len() - 1
}

fn unknown(name: &str) -> DataFusionError {
    DataFusionError::Plan(format!("no function {name}"))
}

impl LogicalExtensionCodec for Luggage {
    fn try_encode(&self, node: &Extension, buffer: &mut Vec<u8>) -> Result<()> {
        let text = if let Some((counter, first)) = parts(node.node.as_ref()) {
            let first = first.map_or_else(String::new, |n| n.to_string());
            format!("relay {} {first}", leave(&self.counters, counter))
        } else if let Some(keys) = keys(node.node.as_ref()) {
            let keys = keys.iter().map(|k| format!(" {} {}", k.column, k.descending));
            format!("arrange{}", keys.collect::<String>())
        } else {
            return Err(DataFusionError::Plan("a step that cannot travel".into()));
        };
        buffer.extend(text.into_bytes());
        Ok(())
    }

    fn try_decode(
        &self,
        buffer: &[u8],
        inputs: &[LogicalPlan],
        _: &TaskContext,
    ) -> Result<Extension> {
        let text = String::from_utf8_lossy(buffer);
        let mut words = text.split(' ');
        let input = inputs.first().cloned();
        let input = input.ok_or_else(|| DataFusionError::Plan("a step without an input".into()))?;
        let plan = if words.next() == Some("relay") {
            let counter = left(&self.counters, words.next())?;
            match words.next().and_then(|n| n.parse().ok()) {
                Some(first) => relay_first(input, counter, first),
                None => relay(input, counter),
            }
        } else {
            let words: Vec<&str> = words.collect();
            let keys = words
                .chunks_exact(2)
                .map(|pair| Key { column: pair[0].to_owned(), descending: pair[1] == "true" });
            arrange(input, keys.collect())
        };
        match plan {
            LogicalPlan::Extension(extension) => Ok(extension),
            _ => Err(DataFusionError::Plan("a step that is none of ours".into())),
        }
    }

    fn try_encode_table_provider(
        &self,
        _: &TableReference,
        table: Arc<dyn TableProvider>,
        buffer: &mut Vec<u8>,
    ) -> Result<()> {
        buffer.extend(leave(&self.tables, table).to_string().into_bytes());
        Ok(())
    }

    fn try_decode_table_provider(
        &self,
        buffer: &[u8],
        _: &TableReference,
        _: SchemaRef,
        _: &TaskContext,
    ) -> Result<Arc<dyn TableProvider>> {
        left(&self.tables, std::str::from_utf8(buffer).ok())
    }

    fn try_decode_udf(&self, name: &str, _: &[u8]) -> Result<Arc<ScalarUDF>> {
        let all = [core::functions(), datetime::functions(), string::functions()];
        let all = all.into_iter().flatten().chain(unicode::functions());
        let ours = super::udf::scalars();
        all.chain(ours).find(|f| f.name() == name).ok_or_else(|| unknown(name))
    }

    fn try_decode_udaf(&self, name: &str, _: &[u8]) -> Result<Arc<AggregateUDF>> {
        let all = super::udf::aggregates().into_iter().chain(all_default_aggregate_functions());
        all.into_iter().find(|f| f.name() == name).ok_or_else(|| unknown(name))
    }

    fn try_decode_udwf(&self, name: &str, _: &[u8]) -> Result<Arc<WindowUDF>> {
        let all = super::udf::windows().into_iter().chain(all_default_window_functions());
        all.into_iter().find(|f| f.name() == name).ok_or_else(|| unknown(name))
    }
}

#[path = "../../tests/golden/runner.rs"]
#[allow(missing_docs, dead_code, reason = "the golden cases run here on travelled plans")]
mod runner;

#[test]
fn golden_queries_run_on_plans_that_travelled() {
    TRAVELLED.set(Some(0));
    let mut wrong = Vec::new();
    for (name, text) in runner::FILES {
        let different = runner::differences(name, text);
        wrong.extend(different.into_iter().map(|(expected, got)| (name, expected, got)));
    }
    let travelled = TRAVELLED.replace(None);
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(travelled.is_some_and(|n| n > 300), "only {travelled:?} plans travelled");
}
