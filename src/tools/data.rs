//! The tools that need no more than the tables: what there is, queries, questions, functions.

use super::arguments::{
    self, DescribeTables, FunctionReference, Functions, Groups, QueryArguments, QueryOptions,
    SqlArguments, SuggestQuestions,
};
use super::{Context, Cost, Prepared, QueryCall, Told, Tool, ToolResult, given};
use crate::disclose::Disclosed;
use crate::error::{Code, Diagnostic, Error, Locale, closest};
use crate::planner;
use crate::query::check_json;
use crate::query::functions::{self, Family};
use crate::schema::TableSchema;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use std::sync::Arc;

pub(super) const DESCRIBE_TABLES: Tool = Tool {
    name: "describe_tables",
    description: [
        "The loaded tables: columns with types and units, row counts, time range, known values, \
         sessions and gaps of bars. With `functions`, the functions of expressions too.",
        "Загруженные таблицы: столбцы с типами и единицами, число строк, период, известные \
         значения, сессии и пропуски баров. С `functions` – ещё и функции выражений.",
    ],
    brief: Some("Columns and known values of a table, functions of a family."),
    cost: Cost::Low,
    parameters: arguments::schema::<DescribeTables>,
    prepare: prepare_describe,
    needs: &[],
    hosted: false,
};

pub(super) const QUERY: Tool = Tool {
    name: "query",
    description: [
        "Run a query over a table. The steps always run in this order: session, period, from, \
         map, where, group_by, select, sort, limit, columns, then steps. Answers with a summary; the person sees the full result.",
        "Выполнить запрос к таблице. Шаги всегда идут в порядке: session, period, \
         from, map, where, group_by, select, sort, limit, columns, затем steps. В ответ приходит сводка, человек видит результат целиком.",
    ],
    brief: Some("Run a query."),
    cost: Cost::High,
    parameters: arguments::schema::<QueryArguments>,
    prepare: prepare_query,
    needs: &[],
    hosted: false,
};

pub(super) const SQL: Tool = Tool {
    name: "sql",
    description: [
        "Run one read-only SQL statement over the loaded tables: joins, subqueries, windows. \
         Prefer `query` where it can say the same. Answers with a summary; the person sees the \
         full result.",
        "Выполнить один запрос SQL только на чтение к загруженным таблицам: соединения, \
         подзапросы, окна. Где то же умеет `query`, лучше он. В ответ приходит сводка, человек \
         видит результат целиком.",
    ],
    brief: None,
    cost: Cost::High,
    parameters: arguments::schema::<SqlArguments>,
    prepare: prepare_sql,
    needs: &[],
    hosted: true,
};

pub(super) const SUGGEST_QUESTIONS: Tool = Tool {
    name: "suggest_questions",
    description: [
        "Questions that the loaded tables can answer, in the person's words: up to six a table.",
        "Вопросы, на которые загруженные таблицы могут ответить, словами человека: до шести на \
         таблицу.",
    ],
    brief: None,
    cost: Cost::Low,
    parameters: arguments::schema::<SuggestQuestions>,
    prepare: prepare_suggest,
    needs: &[],
    hosted: false,
};

pub(super) const FUNCTION_REFERENCE: Tool = Tool {
    name: "function_reference",
    description: [
        "The functions of expressions in one family, or all: signature, meaning and an example of \
         each.",
        "Функции выражений одного семейства или все: сигнатура, смысл и пример каждой.",
    ],
    brief: None,
    cost: Cost::Low,
    parameters: arguments::schema::<FunctionReference>,
    prepare: prepare_reference,
    needs: &[],
    hosted: false,
};

fn prepare_describe(json: &str, context: &Context) -> Result<Prepared, Vec<Diagnostic>> {
    let DescribeTables { table, functions, .. } = read(json, context)?;
    known(table.as_deref(), context)?;
    let told = Told::Tables { only: table, functions };
    Ok(Prepared::Done(ToolResult::empty(DESCRIBE_TABLES.name, told)))
}

/// A table that is named is there.
fn known(table: Option<&str>, context: &Context) -> Result<(), Vec<Diagnostic>> {
    let Some(name) = table.filter(|name| !context.tables.iter().any(|t| t.name == *name)) else {
        return Ok(());
    };
    let names = context.tables.iter().map(|t| t.name.as_str());
    Err(vec![
        Diagnostic::new(
            Code::UnknownTable,
            text!("there is no table `{name}`", "нет таблицы `{name}`"),
        )
        .at("/table")
        .choices(closest(name, names, context.tables.len())),
    ])
}

fn prepare_sql(json: &str, context: &Context) -> Result<Prepared, Vec<Diagnostic>> {
    let SqlArguments { text, params, title: _ } = read(json, context)?;
    let checked = match &context.host {
        Some(host) => host.engine.borrow().check_sql(&text, &params.unwrap_or_default()),
        None => Err(Error::Internal("a statement without an engine".into())),
    };
    let checked = checked.map_err(|error| {
        let of_text = |d: Diagnostic| if d.pointer.is_empty() { d.at("/text") } else { d };
        error.diagnostics().into_iter().map(of_text).collect::<Vec<_>>()
    })?;
    let (checked, title) = (Arc::new(checked), super::title(json));
    Ok(Prepared::Query(QueryCall { checked, all_groups: false, title }))
}

fn prepare_reference(json: &str, context: &Context) -> Result<Prepared, Vec<Diagnostic>> {
    let FunctionReference { family } = read(json, context)?;
    let told = Told::Functions(family);
    Ok(Prepared::Done(ToolResult::empty(FUNCTION_REFERENCE.name, told)))
}

fn prepare_suggest(json: &str, context: &Context) -> Result<Prepared, Vec<Diagnostic>> {
    let SuggestQuestions { table } = read(json, context)?;
    known(table.as_deref(), context)?;
    // The person may ask of every column.
    let asked: Vec<Value> = named(table.as_deref(), context)
        .map(|t| json!({"table": t.name, "questions": planner::suggest(t, context.locale)}))
        .collect();
    let result = ToolResult::empty(SUGGEST_QUESTIONS.name, Told::Questions { only: table });
    Ok(Prepared::Done(ToolResult { output: Some(Box::new(asked.into())), ..result }))
}

/// The table of this name, or all of them.
fn named<'a>(
    only: Option<&'a str>,
    context: &Context<'a>,
) -> impl Iterator<Item = &'a Arc<TableSchema>> {
    context.tables.iter().filter(move |t| only.is_none_or(|name| t.name == name))
}

/// Arguments that fit the schema of `T`, or everything that is wrong with them.
pub(super) fn read<T: DeserializeOwned + JsonSchema>(
    json: &str,
    context: &Context,
) -> Result<T, Vec<Diagnostic>> {
    let schema = arguments::schema::<T>(context.locale);
    let arguments = given::parse(json, &schema)?;
    let problems = arguments::problems(&schema, &arguments);
    if problems.is_empty() { decode(arguments) } else { Err(problems) }
}

fn prepare_query(json: &str, context: &Context) -> Result<Prepared, Vec<Diagnostic>> {
    let schema = arguments::schema::<QueryArguments>(context.locale);
    let mut arguments = given::parse(json, &schema)?;
    let mut options = Map::new();
    for name in ["groups", "title"] {
        if let Some(value) = arguments.shift_remove(name) {
            options.insert(name.to_owned(), value);
        }
    }
    let mut problems = arguments::problems(&schema, &options);
    let checked = match wrapped(&arguments) {
        Some(problem) => Err(vec![problem]),
        None => check_json(&Value::Object(arguments), context.tables),
    };
    match checked {
        Ok(checked) if problems.is_empty() => {
            let QueryOptions { groups, title: _ } = decode(options)?;
            Ok(Prepared::Query(QueryCall {
                checked: Arc::new(checked),
                all_groups: groups == Some(Groups::All),
                title: super::title(json),
            }))
        }
        Ok(_) => Err(problems),
        Err(more) => {
            problems.extend(more);
            Err(problems)
        }
    }
}

/// A model may put the query into a field of its own.
fn wrapped(arguments: &Map<String, Value>) -> Option<Diagnostic> {
    let (name, _) = arguments.iter().find(|(_, v)| v.is_object()).filter(|(name, _)| {
        matches!(name.as_str(), "query" | "arguments" | "args" | "input" | "parameters")
    })?;
    Some(
        Diagnostic::new(
            Code::MalformedArguments,
            text!(
                "the fields of the query are arguments of the call: leave out `{name}` around them",
                "поля запроса – это сами аргументы вызова: уберите `{name}` вокруг них"
            ),
        )
        .at(format!("/{name}")),
    )
}

/// Arguments that passed their schema, as the struct it was derived from.
fn decode<T: DeserializeOwned>(arguments: Map<String, Value>) -> Result<T, Vec<Diagnostic>> {
    serde_json::from_value(Value::Object(arguments)).map_err(|_| {
        vec![Diagnostic::new(
            Code::MalformedArguments,
            text!("the arguments cannot be read", "аргументы не читаются"),
        )]
    })
}

/// What `describe_tables` tells: the tables as the policy allows, and functions where asked for.
pub(super) fn describe(
    only: Option<&str>,
    functions: Option<Functions>,
    context: &Context,
) -> Disclosed {
    let gate = context.gate();
    let tables: Vec<_> = named(only, context).cloned().collect();
    let mut pieces = vec![gate.description(&tables, context.locale)];
    if tables.is_empty() {
        pieces.push(gate.generated(no_table, context.locale));
    }
    if let Some(make) = functions.map(reference) {
        pieces.push(gate.generated(make, context.locale));
    }
    gate.join(&pieces, "\n")
}

fn no_table(locale: Locale) -> String {
    text!("no table is loaded", "не загружено ни одной таблицы").get(locale).to_owned()
}

/// What `function_reference` tells.
pub(super) fn functions_of(family: Functions, context: &Context) -> Disclosed {
    context.gate().generated(reference(family), context.locale)
}

/// What `suggest_questions` tells: questions about what of the tables the policy shows.
pub(super) fn questions(only: Option<&str>, context: &Context) -> Disclosed {
    let gate = context.gate();
    let tables: Vec<_> = named(only, context).cloned().collect();
    if tables.is_empty() {
        return gate.generated(no_table, context.locale);
    }
    gate.questions(&tables, planner::suggest, context.locale)
}

/// The reference of a family, from the function table.
fn reference(which: Functions) -> fn(Locale) -> String {
    match which {
        Functions::All => functions::reference,
        Functions::Scalar => |locale| family(Family::Scalar, locale),
        Functions::Time => |locale| family(Family::Time, locale),
        Functions::Lag => |locale| family(Family::Lag, locale),
        Functions::Window => |locale| family(Family::Window, locale),
        Functions::Cumulative => |locale| family(Family::Cumulative, locale),
        Functions::Pattern => |locale| family(Family::Pattern, locale),
        Functions::Price => |locale| family(Family::Price, locale),
        Functions::Candle => |locale| family(Family::Candle, locale),
        Functions::Oscillator => |locale| family(Family::Oscillator, locale),
        Functions::Trend => |locale| family(Family::Trend, locale),
        Functions::Volatility => |locale| family(Family::Volatility, locale),
        Functions::Volume => |locale| family(Family::Volume, locale),
        Functions::Session => |locale| family(Family::Session, locale),
        Functions::Aggregate => |locale| family(Family::Aggregate, locale),
    }
}

fn family(family: Family, locale: Locale) -> String {
    let lines: Vec<String> = functions::all()
        .filter(|f| f.family == family)
        .map(|f| format!("  {}: {}; {}", f.signature(), f.meaning(locale), f.example))
        .collect();
    format!("{}:\n{}", family.title(locale), lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::super::{Context, Prepared, brief, definitions, finish_query, prepare, title};
    use super::{QUERY, arguments, arguments::QueryArguments};
    use crate::disclose::{Level, Policy};
    use crate::error::{Code, Error, Locale};
    use crate::query::Query;
    use crate::schema::{Column, Kind, TableSchema};
    use proptest::prelude::*;
    use serde_json::{Value, json};
    use std::sync::Arc;

    fn tables() -> Vec<Arc<TableSchema>> {
        let shop = Column { values: Some(vec!["Kuper".into()]), ..Column::new("shop", Kind::Text) };
        let columns = vec![shop, Column::new("amount", Kind::Float)];
        vec![
            Arc::new(TableSchema { rows: 900, ..TableSchema::new("receipts", columns) }),
            Arc::new(TableSchema::new("other", vec![Column::new("a", Kind::Int)])),
        ]
    }

    fn run(name: &str, json: &str, policy: &Policy) -> Prepared {
        let tables = tables();
        prepare(name, json, &Context::new(&tables, policy, Locale::En))
    }

    /// The content for the model, or the canonical query that has to run.
    fn check(name: &str, json: &str) -> String {
        let (policy, tables) = (Policy::default(), tables());
        match run(name, json, &policy) {
            Prepared::Query(call) => {
                format!("{} all={} {:?}", call.checked.canonical(), call.all_groups, call.title)
            }
            Prepared::Done(result) => {
                assert_eq!(result.ok, result.error.is_empty());
                let context = Context::new(&tables, &policy, Locale::En);
                result.content(&context).as_str().to_owned()
            }
            Prepared::Purchases(_) | Prepared::Source(_) | Prepared::Script(_) => {
                panic!("{name} is no tool of this context")
            }
        }
    }

    #[test]
    fn queries_are_checked() {
        assert_eq!(
            check(
                "query",
                r#"{"table":"receipts","select":"sum(amount)","group_by":"shop","groups":"all","title":" Sum  by\nshop "}"#
            ),
            r#"{"table":"receipts","group_by":"shop","select":"sum(amount)"} all=true Some("Sum by shop")"#
        );
        let wrong = check(
            "query",
            r#"{"table":"receipts","where":"amuont > ","selct":"count()","groups":"most","title":5}"#,
        );
        for part in [
            "/groups: `most` is not one of the choices; valid: all",
            "/title: must be of type string",
            "selct",
        ] {
            assert!(wrong.contains(part), "{part} in {wrong}");
        }
        assert!(
            check("query", "{\"query\":{\"table\":\"receipts\"}}")
                .contains("leave out `query` around them")
        );
        assert!(check("query", "[1]").contains("must be a JSON object"));
        assert!(check("query", "{\"table\"").contains("line 1"));
        assert!(check("query", "").contains("receipts"), "two tables: which one?");
    }

    #[test]
    fn unknown_tools_say_which_there_are() {
        assert_eq!(
            check("describe", "{}"),
            "Error:\n- there is no tool `describe`; valid: describe_tables, query, function_reference, suggest_questions"
        );
    }

    #[test]
    fn tables_are_described_as_the_policy_allows() {
        let all = check("describe_tables", "{\"functions\":\"aggregate\"}");
        for part in ["`receipts`", "900", "\"Kuper\"", "`other`", "median(", "pct("] {
            assert!(all.contains(part), "{part} in {all}");
        }
        assert!(!check("describe_tables", "{\"table\":\"other\"}").contains("receipts"));
        assert_eq!(
            check("describe_tables", "{\"table\":\"reciepts\"}"),
            "Error:\n- /table: there is no table `reciepts`; valid: receipts, other"
        );
        let strict = Policy::default().with_level(Level::Schema).hide("receipts", "amount");
        let Prepared::Done(result) = run("describe_tables", "{}", &strict) else { panic!() };
        let tables = tables();
        let context = Context::new(&tables, &strict, Locale::En);
        let told = result.content(&context);
        assert!(!told.as_str().contains("Kuper") && !told.as_str().contains("amount"));
    }

    #[test]
    fn the_schema_is_what_the_query_reads() {
        let schema = arguments::schema::<QueryArguments>(Locale::En);
        let example = json!({
            "table": "receipts", "from": "daily", "map": {"x": "amount"}, "where": "x > 1",
            "group_by": ["shop"], "select": {"s": "sum(x)"}, "sort": "s desc", "limit": 1,
            "columns": ["s"], "session": "RTH", "period": "2024-03:", "lookback": false,
            "steps": [{"map": {"y": "s * 2"}, "where": "y > 1", "limit": 5}],
        });
        for (name, _) in schema["properties"].as_object().expect("properties") {
            if name == "groups" || name == "title" {
                continue;
            }
            let value = example.get(name).unwrap_or_else(|| panic!("an example of `{name}`"));
            let field = Value::Object([(name.clone(), value.clone())].into_iter().collect());
            assert!(Query::from_json(&field).is_ok(), "{field}");
        }
        assert!(arguments::problems(&schema, example.as_object().expect("an object")).is_empty());
    }

    fn definitions_in(locale: Locale) -> Vec<super::super::Definition> {
        let policy = Policy::default();
        definitions(&Context::new(&[], &policy, locale))
    }

    #[test]
    fn definitions_in_both_languages() {
        let (en, ru) = (definitions_in(Locale::En), definitions_in(Locale::Ru));
        assert_eq!(
            en.iter().map(|d| d.name).collect::<Vec<_>>(),
            ["describe_tables", "query", "suggest_questions", "function_reference"]
        );
        for (en, ru) in en.iter().zip(&ru) {
            assert_eq!(en.name, ru.name);
            assert_ne!(en.description, ru.description);
            assert_ne!(en.parameters, ru.parameters);
        }
        assert_eq!(en[1].name, QUERY.name);
    }

    #[test]
    fn brief_definitions_are_the_same_tools() {
        let (full, brief) =
            (definitions_in(Locale::En), brief(&Context::new(&[], &Policy::default(), Locale::En)));
        // What a conversation has anyway is not sent with every request.
        assert_eq!(brief.iter().map(|d| d.name).collect::<Vec<_>>(), ["describe_tables", "query"]);
        for (full, brief) in full.iter().zip(&brief) {
            assert_eq!(full.name, brief.name);
            assert!(brief.description.len() < full.description.len());
            let names = |d: &super::super::Definition| -> Vec<String> {
                d.parameters["properties"]
                    .as_object()
                    .expect("properties")
                    .keys()
                    .cloned()
                    .collect()
            };
            assert_eq!(names(full), names(brief));
            let text = brief.parameters.to_string();
            assert!(!text.contains("description") && !text.contains("enum"), "{text}");
            assert!(text.len() * 2 < full.parameters.to_string().len(), "{text}");
        }
        // Of several forms the most general.
        let query = &brief[1].parameters["properties"];
        assert_eq!(query["group_by"], json!({"type": "array", "items": {"type": "string"}}));
        assert_eq!(query["select"], json!({"type": "object"}));
        assert_eq!(query["steps"], json!({"type": "array", "items": {"type": "object"}}));
    }

    #[test]
    fn failures_are_results() {
        let (policy, tables) = (Policy::default(), tables());
        let query = serde_json::json!({"table": "receipts", "select": "count()"});
        let query = Arc::new(crate::query::check_json(&query, &tables).expect("a query"));
        let result = finish_query(&query, None, Err(Error::Cancelled), false);
        assert!(!result.ok);
        assert_eq!(result.error[0].code, Code::Cancelled);
        let result = finish_query(&query, None, Err(Error::Internal("cell 7".into())), false);
        let context = Context::new(&tables, &policy, Locale::En);
        assert!(!result.content(&context).as_str().contains('7'));
    }

    #[test]
    fn titles() {
        for (json, want) in [
            ("{\"title\":\"a b\"}", Some("a b")),
            ("{\"title\":\" \"}", None),
            ("{\"title\":1}", None),
            ("{", None),
        ] {
            assert_eq!(title(json).as_deref(), want, "{json}");
        }
        assert_eq!(
            title(&json!({"title": "x".repeat(200)}).to_string()).map(|t| t.len()),
            Some(80)
        );
    }

    proptest! {
        #[test]
        fn arbitrary_arguments_never_panic(json in "\\PC{0,60}") {
            for tool in ["query", "describe_tables", "suggest_questions", "function_reference"] {
                check(tool, &json);
            }
        }

        #[test]
        fn arbitrary_fields_never_panic(
            field in "table|from|map|where|group_by|select|sort|limit|columns|groups|title|functions|x",
            value in "null|true|1|-1|1.5|\"[a-z<(]{0,5}\"|\\[1\\]|\\[\"a\"\\]|\\{\"a\":\"1\"\\}|\\{\\}",
        ) {
            for tool in ["query", "describe_tables"] {
                check(tool, &format!("{{\"{field}\":{value},\"table\":\"receipts\"}}"));
                check(tool, &format!("{{\"{field}\":{value}}}"));
            }
        }
    }
}
