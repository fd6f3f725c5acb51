//! A sandbox for scripts: QuickJS, which has nothing of this machine but the rows that it asks for.

use pinhole::engine::{Engine, Execution, Unkept};
use pinhole::error::Error;
use pinhole::tools::{Context, Fault, Refused, ScriptCall, ScriptRun, ToolResult};
use rquickjs::{CatchResultExt, CaughtError, Ctx, Function, Object, Runtime};
use serde_json::Value as Json;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// What a script may take: as much as in a page. Waiting for rows takes none of its time.
const TIME: Duration = if cfg!(test) { Duration::from_secs(1) } else { Duration::from_secs(5) };
const MEMORY: usize = 32 << 20;
const STACK: usize = 256 << 10;
const MOST_QUERIES: usize = 20;
const MOST_ROWS: usize = 10_000;

/// What a script finds when it starts, and how it is answered: what it asks waits in a list.
const PRELUDE: &str = r#"(() => {
  const { parse, stringify } = JSON;
  const Failure = Error;
  const asked = [];
  let ended;
  const ask = (kind, query) =>
    new Promise((give, refuse) => asked.push({ what: stringify([kind, query]), give, refuse }));
  const sql = (text, params = []) => ask("sql", [text, params]);
  globalThis.db = Object.freeze({ query: (query) => ask("query", query), sql });
  return {
    start(execute) {
      const run = async () => execute("");
      run().then(
        (value) => { ended = stringify({ gave: value }); },
        (error) => { ended = stringify({ threw: String(error) }); },
      ).catch((error) => { ended = stringify({ threw: String(error) }); });
    },
    next: () => (asked.length > 0 ? asked[0].what : undefined),
    give: (rows) => asked.shift().give(parse(rows)),
    refuse: (why) => asked.shift().refuse(new Failure(why)),
    end: () => ended,
  };
})()"#;

/// Why a script is given no rows.
enum Vain {
    /// It may go on without them.
    Refused(Refused),
    /// It may not.
    Over(Fault),
}

/// Runs a script and sees it through.
pub fn run(call: ScriptCall, engine: &RefCell<Engine>, context: &Context) -> ToolResult {
    let started = ScriptRun::start(call, context.policy, &mut engine.borrow_mut());
    let mut script = match started {
        Ok(script) => script,
        Err(refused) => return *refused,
    };
    let ended = rows(&mut script, engine, context);
    script.finish(ended, &mut engine.borrow_mut())
}

fn rows(
    script: &mut ScriptRun,
    engine: &RefCell<Engine>,
    context: &Context,
) -> Result<Unkept, Fault> {
    let text = script.script().to_owned();
    let mut asked = 0;
    let gave = sandbox(&text, &mut |what| {
        asked += 1;
        if asked > MOST_QUERIES {
            return Err(Vain::Over(Fault::named("script_queries")));
        }
        answer(script, what, engine, context)
    })?;
    let bytes = match &gave {
        Json::Null => return Err(Fault::named("script_no_result")),
        Json::Array(list) if list.is_empty() => Vec::new(),
        gave => gave.to_string().into_bytes(),
    };
    let started = engine.borrow_mut().start_rows(&bytes);
    started.and_then(Execution::finish).map_err(|e| Fault::of_rows(e, context.locale))
}

/// Rows in JSON for what a script asks: a query, or a statement with its parameters.
fn answer(
    script: &mut ScriptRun,
    what: &str,
    engine: &RefCell<Engine>,
    context: &Context,
) -> Result<String, Vain> {
    let (kind, asked): (String, Json) = serde_json::from_str(what).unwrap_or_default();
    let checked = script.ask(kind == "sql", &asked, context).map_err(Vain::Refused)?;
    let started = engine.borrow_mut().start_for_script(&checked);
    let found = started
        .and_then(Execution::finish)
        .map_err(|error: Error| Vain::Refused(script.refuse(error, context)))?;
    let outcome = found.outcome();
    let n = outcome.rows.len();
    if n > MOST_ROWS {
        // A part of the rows would pass for all of them.
        return Err(Vain::Over(Fault::named("script_rows")));
    }
    Ok(Json::Array((0..n).map(|at| super::row(outcome, at)).collect()).to_string())
}

/// Runs a script in a machine of its own: what it returned.
fn sandbox(text: &str, ask: &mut dyn FnMut(&str) -> Result<String, Vain>) -> Result<Json, Fault> {
    let none = |_: rquickjs::Error| Fault::named("script_failed");
    let runtime = Runtime::new().map_err(none)?;
    runtime.set_memory_limit(MEMORY);
    runtime.set_max_stack_size(STACK);
    let machine = rquickjs::Context::full(&runtime).map_err(none)?;
    let until = Rc::new(Cell::new(Instant::now() + TIME));
    let limit = until.clone();
    runtime.set_interrupt_handler(Some(Box::new(move || Instant::now() > limit.get())));
    let ended = machine.with(|ctx| match within(&ctx, text, &until, ask).catch(&ctx) {
        Ok(ended) => ended,
        Err(thrown) => Err(fault(&thrown)),
    });
    if Instant::now() > until.get() { Err(Fault::named("script_time")) } else { ended }
}

fn within<'js>(
    ctx: &Ctx<'js>,
    text: &str,
    until: &Cell<Instant>,
    ask: &mut dyn FnMut(&str) -> Result<String, Vain>,
) -> rquickjs::Result<Result<Json, Fault>> {
    let host: Object<'js> = ctx.eval(PRELUDE)?;
    let of = |name: &str| host.get::<_, Function<'js>>(name);
    let (start, next, give, refuse, end) =
        (of("start")?, of("next")?, of("give")?, of("refuse")?, of("end")?);
    ctx.eval::<rquickjs::Value<'js>, _>(text)?;
    let named = "typeof execute === 'function' ? execute : undefined";
    let Some(execute) = ctx.eval::<Option<Function<'js>>, _>(named)? else {
        return Ok(Err(Fault::named("script_no_execute")));
    };
    start.call::<_, ()>((execute,))?;
    let mut vain: Vec<Refused> = Vec::new();
    loop {
        // Promises that never end are jobs without end.
        while Instant::now() < until.get() && ctx.execute_pending_job() {}
        if let Some(ended) = end.call::<_, Option<String>>(())? {
            return Ok(end_of(&ended, &vain));
        }
        let Some(what) = next.call::<_, Option<String>>(())? else {
            return Ok(Err(Fault::named("script_endless_wait")));
        };
        let waits = Instant::now();
        let answer = ask(&what);
        until.set(until.get() + waits.elapsed());
        match answer {
            Ok(rows) => give.call::<_, ()>((rows,))?,
            Err(Vain::Refused(refused)) => {
                refuse.call::<_, ()>((refused.told.clone(),))?;
                vain.push(refused);
            }
            Err(Vain::Over(fault)) => return Ok(Err(fault)),
        }
    }
}

/// What a script returned, or why it gave nothing.
fn end_of(ended: &str, vain: &[Refused]) -> Result<Json, Fault> {
    let mut ended: Json = serde_json::from_str(ended).unwrap_or_default();
    let Some(threw) = ended["threw"].as_str() else { return Ok(ended["gave"].take()) };
    // It did not go on without what it asked in vain.
    let refused = vain.iter().rfind(|refused| threw.ends_with(&refused.told));
    Err(Fault {
        refused: refused.map(|refused| refused.number),
        said: Some(threw.to_owned()),
        ..Fault::named("script_threw")
    })
}

/// What went wrong before the script had anything to wait for.
fn fault(thrown: &CaughtError) -> Fault {
    let CaughtError::Exception(exception) = thrown else { return Fault::named("script_threw") };
    let name: String = exception.as_object().get("name").unwrap_or_default();
    let code = if name == "SyntaxError" { "script_syntax" } else { "script_threw" };
    Fault { said: exception.message(), ..Fault::named(code) }
}
