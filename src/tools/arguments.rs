//! Arguments of tools: the JSON Schema a model sees is derived from the structs here, and the same
//! schema checks what it sends, so the two cannot differ.

use crate::error::{Code, Diagnostic, Locale, Text, closest};
use crate::query::check::Timeframe;
use schemars::{JsonSchema, Schema, SchemaGenerator, generate::SchemaSettings, json_schema};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Arguments of `describe_tables`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct DescribeTables {
    pub table: Option<String>,
    pub functions: Option<Functions>,
    pub title: Option<String>,
}

/// Arguments of `function_reference`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct FunctionReference {
    pub family: Functions,
}

/// Arguments of `sql`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SqlArguments {
    pub text: String,
    #[serde(default)]
    #[schemars(schema_with = "list_or_named", default)]
    pub params: Option<Value>,
    #[allow(dead_code, reason = "read from the arguments as they came")]
    pub title: Option<String>,
}

/// Arguments of `suggest_questions`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct SuggestQuestions {
    pub table: Option<String>,
}

/// A family of functions, or all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Functions {
    All,
    Scalar,
    Time,
    Lag,
    Window,
    Cumulative,
    Pattern,
    Price,
    Candle,
    Oscillator,
    Trend,
    Volatility,
    Volume,
    Session,
    Aggregate,
}

/// Arguments of `query` that are no field of the query.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct QueryOptions {
    pub groups: Option<Groups>,
    pub title: Option<String>,
}

/// Which groups of a grouped result the model sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Groups {
    All,
}

/// Arguments of `query`: the fields of a query beside the two options. `Query::from_json` reads
/// the fields, since it can say more about what is wrong with one; only their shape is used here.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "only the shape is used")]
pub(super) struct QueryArguments {
    table: Option<String>,
    session: Option<String>,
    period: Option<String>,
    #[schemars(schema_with = "timeframe", default)]
    from: Option<String>,
    map: Option<BTreeMap<String, String>>,
    r#where: Option<String>,
    group_by: Option<OneOrMore>,
    select: Option<Select>,
    sort: Option<OneOrMore>,
    #[schemars(range(min = 1))]
    limit: Option<u64>,
    columns: Option<OneOrMore>,
    lookback: Option<bool>,
    steps: Option<Vec<Step>>,
    groups: Option<Groups>,
    title: Option<String>,
}

/// A later step of a query: what may stand in it.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "only the shape is used")]
struct Step {
    map: Option<BTreeMap<String, String>>,
    r#where: Option<String>,
    group_by: Option<OneOrMore>,
    select: Option<Select>,
    sort: Option<OneOrMore>,
    #[schemars(range(min = 1))]
    limit: Option<u64>,
    columns: Option<OneOrMore>,
}

#[derive(JsonSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "only the shape is used")]
enum OneOrMore {
    One(String),
    More(Vec<String>),
}

#[derive(JsonSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "only the shape is used")]
enum Select {
    One(String),
    More(Vec<String>),
    Named(BTreeMap<String, String>),
}

/// A list of anything, or anything by name.
fn list_or_named(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"anyOf": [{"type": "array", "items": {}}, {"type": "object"}]})
}

fn timeframe(_: &mut SchemaGenerator) -> Schema {
    let names: Vec<&str> = Timeframe::ALL.iter().map(|t| t.name()).collect();
    json_schema!({"type": "string", "enum": names})
}

/// What an argument means. One name means one thing in every tool.
fn meaning(argument: &str) -> Option<Text> {
    Some(match argument {
        "table" => text!("table name", "имя таблицы"),
        "functions" => {
            text!("also list the functions of this family", "показать и функции этого семейства")
        }
        "text" => text!(
            "one SELECT, or WITH … SELECT, over the loaded tables",
            "один SELECT или WITH … SELECT к загруженным таблицам"
        ),
        "params" => text!(
            "values of $1, $2 as a list, of $name as an object",
            "значения $1, $2 списком или $имя объектом"
        ),
        "result" => text!(
            "the id of a result that these tools gave, like r1",
            "номер результата, который дали эти инструменты, вида r1"
        ),
        "key" => text!(
            "of one group: the value of every group key by name",
            "одной группы: значение каждого ключа групп по имени"
        ),
        "stats" => text!(
            "what is reported, by field: a column of the result, or of bars open_price, close_price, max_price, min_price, total_volume, trading_days, change_pct, change_points",
            "что сообщается, по полям: столбец результата или для баров open_price, close_price, max_price, min_price, total_volume, trading_days, change_pct, change_points"
        ),
        "row" => text!(
            "the one row that is meant: values of its columns, such as the period",
            "одна строка, о которой речь: значения её столбцов, например период"
        ),
        "intent" => text!(
            "what the question is after: numbers of the data, how often a pattern occurs, an explanation",
            "о чём вопрос: числа данных, частота паттерна, объяснение"
        ),
        "attempts" => {
            text!("drafts rejected so far", "сколько черновиков уже отклонено")
        }
        "script" => text!(
            "async function execute() {{ … }}: plain JavaScript over the rows of await db.query({{…}}) and await db.sql(text, params); a list of objects that it returns is the result",
            "async function execute() {{ … }}: обычный JavaScript над строками await db.query({{…}}) и await db.sql(text, params); список объектов, который она вернёт, и есть результат"
        ),
        "family" => text!("the family, or \"all\"", "семейство или \"all\""),
        "title" => {
            text!("3 to 6 words that describe the data", "3–6 слов о том, что это за данные")
        }
        "session" => {
            text!("keep bars of this session of the table", "оставить бары этой сессии таблицы")
        }
        "period" => text!(
            "dates: 2024, 2024-Q1, 2024-03:2024-05, last_month, last_10",
            "даты: 2024, 2024-Q1, 2024-03:2024-05, last_month, last_10"
        ),
        "lookback" => text!(
            "false: windows start empty at the period's first row",
            "false: окна начинаются пустыми с первой строки периода"
        ),
        "from" => {
            text!("resample bars to this timeframe first", "сначала свести бары к этому таймфрейму")
        }
        "map" => text!(
            "new columns: name -> expression, in order",
            "новые столбцы: имя -> выражение, по порядку"
        ),
        "where" => text!("keep rows where this is true", "оставить строки, где это верно"),
        "group_by" => text!("group keys", "ключи групп"),
        "select" => {
            text!("aggregates; an object gives them names", "агрегаты; объект даёт им имена")
        }
        "sort" => text!("\"name\" or \"name desc\"", "\"имя\" или \"имя desc\""),
        "limit" => text!("number of final rows", "число строк в итоге"),
        "columns" => text!("columns of the final table", "столбцы итоговой таблицы"),
        "steps" => text!(
            "queries that run on the output of the step before: groups of groups, changes between groups",
            "запросы к тому, что дал предыдущий шаг: группы групп, изменения между группами"
        ),
        "groups" => {
            text!("\"all\" lists every group, up to 24", "\"all\" перечисляет все группы, до 24")
        }
        _ => return None,
    })
}

/// The JSON Schema of `T` as models like it: inline, without titles and formats, every argument
/// described in `locale`.
pub(super) fn schema<T: JsonSchema>(locale: Locale) -> Value {
    let mut schema = derived::<T>();
    clean(&mut schema, &["$schema", "title", "format", "default", "description"]);
    if let Some(properties) = schema["properties"].as_object_mut() {
        for (name, property) in properties {
            if let (Some(property), Some(text)) = (property.as_object_mut(), meaning(name)) {
                property.insert("description".into(), text.get(locale).into());
            }
        }
    }
    schema
}

/// The JSON Schema of `T` as it is derived, but for metadata and the sizes of numbers: defaults and
/// the formats of texts stay.
pub(super) fn schema_with_defaults<T: JsonSchema>() -> Value {
    let mut schema = derived::<T>();
    clean(&mut schema, &["$schema", "title", "description"]);
    for property in schema["properties"].as_object_mut().into_iter().flat_map(Map::values_mut) {
        let Some(property) = property.as_object_mut() else { continue };
        if property.get("format").is_some_and(|format| format != "date") {
            property.shift_remove("format");
        }
        if property.get("default").is_some_and(Value::is_null) {
            property.shift_remove("default");
        }
    }
    schema
}

fn derived<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|s| s.inline_subschemas = true);
    settings.into_generator().into_root_schema_for::<T>().to_value()
}

/// The JSON Schema of `T` as it is written: of the formats those of texts alone.
pub(super) fn output_schema<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let settings = settings.with(|s| s.inline_subschemas = true);
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    plain(&mut schema);
    schema
}

/// Drops titles and the sizes of numbers.
fn plain(schema: &mut Value) {
    match schema {
        Value::Object(map) => {
            map.retain(|key, value| match key.as_str() {
                "title" => !value.is_string(),
                "format" => value == "date",
                _ => true,
            });
            map.values_mut().for_each(plain);
        }
        Value::Array(list) => list.iter_mut().for_each(plain),
        _ => {}
    }
}

/// What of a schema a prompt that explains the arguments leaves to say: their names and types, of
/// several forms the last, which is the most general.
pub(super) fn brief(schema: &Value, choices: bool) -> Value {
    let mut brief = form(schema);
    let properties = schema["properties"].as_object().into_iter().flatten();
    let properties = properties.map(|(name, property)| {
        let mut form = form(property);
        if let Some(names) = property.get("enum").filter(|_| choices) {
            form.insert("enum".into(), names.clone());
        }
        (name.clone(), Value::Object(form))
    });
    brief.insert("properties".into(), Value::Object(properties.collect()));
    Value::Object(brief)
}

/// The type of a value.
fn form(schema: &Value) -> Map<String, Value> {
    let forms = schema["anyOf"].as_array();
    let schema = forms.and_then(|forms| forms.last()).unwrap_or(schema);
    let mut out = Map::new();
    if let Some(kind) = schema.get("type") {
        out.insert("type".into(), kind.clone());
    }
    // Of a list what it holds: servers refuse one that does not say.
    if let Some(items) = schema.get("items") {
        out.insert("items".into(), Value::Object(form(items)));
    }
    out
}

/// Drops what says nothing to a model: metadata, number formats, and `null` as a way to leave an
/// argument out (it is accepted all the same).
fn clean(schema: &mut Value, drop: &[&str]) {
    match schema {
        Value::Object(map) => {
            for &key in drop {
                // An argument may be called `title`: only a text here is metadata.
                if map.get(key).is_some_and(|v| v.is_string() || v.is_null() || key == "default") {
                    map.shift_remove(key);
                }
            }
            if let Some(Value::Array(types)) = map.get_mut("type") {
                // Where more than one type is left, null is one that means something.
                if types.len() == 2 {
                    types.retain(|t| t != "null");
                }
                if let [only] = types.as_slice() {
                    let only = only.clone();
                    map.insert("type".into(), only);
                }
            }
            let mut inner = None;
            if let Some(Value::Array(choices)) = map.get_mut("anyOf") {
                choices.retain(|c| c["type"] != "null");
                if let [Value::Object(only)] = choices.as_slice() {
                    inner = Some(only.clone());
                }
            }
            if let Some(inner) = inner {
                map.shift_remove("anyOf");
                map.extend(inner);
            }
            if let Some(Value::Array(values)) = map.get_mut("enum") {
                values.retain(|v| !v.is_null());
            }
            map.values_mut().for_each(|value| clean(value, drop));
        }
        Value::Array(list) => list.iter_mut().for_each(|value| clean(value, drop)),
        _ => {}
    }
}

/// Everything in `arguments` that `schema` does not allow.
pub(super) fn problems(schema: &Value, arguments: &Map<String, Value>) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    let empty = Map::new();
    let properties = schema["properties"].as_object().unwrap_or(&empty);
    for (name, value) in arguments {
        match properties.get(name) {
            Some(property) => value_problems(property, value, &pointer("", name), &mut out),
            None => out.push(unknown(name, properties)),
        }
    }
    for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        if !arguments.contains_key(name) {
            out.push(
                Diagnostic::new(
                    Code::MalformedArguments,
                    text!("missing argument `{name}`", "нет аргумента `{name}`"),
                )
                .at(pointer("", name)),
            );
        }
    }
    out
}

/// An argument that the tool does not have.
pub(super) fn unknown(name: &str, properties: &Map<String, Value>) -> Diagnostic {
    Diagnostic::new(
        Code::MalformedArguments,
        text!("unknown argument `{name}`", "неизвестный аргумент `{name}`"),
    )
    .at(pointer("", name))
    .choices(closest(name, properties.keys().map(String::as_str), properties.len()))
}

fn value_problems(schema: &Value, value: &Value, at: &str, out: &mut Vec<Diagnostic>) {
    if let Some(choices) = schema["anyOf"].as_array() {
        let fits = |choice: &Value| {
            let mut trial = Vec::new();
            value_problems(choice, value, at, &mut trial);
            trial.is_empty()
        };
        if !choices.iter().any(fits) {
            let kinds: Vec<&str> = choices.iter().filter_map(|c| c["type"].as_str()).collect();
            out.push(wrong_type(at, &kinds.join(" | ")));
        }
        return;
    }
    if let Some(kinds) = schema["type"].as_array() {
        let mut kinds = kinds.iter().filter_map(Value::as_str);
        if !kinds.clone().any(|kind| is_of(value, kind)) {
            let kinds: Vec<&str> = kinds.by_ref().collect();
            out.push(wrong_type(at, &kinds.join(" | ")));
        }
        return;
    }
    let kind = schema["type"].as_str().unwrap_or_default();
    if !is_of(value, kind) {
        out.push(wrong_type(at, kind));
        return;
    }
    if let Some(allowed) = schema["enum"].as_array()
        && !allowed.contains(value)
    {
        let written = value.as_str().unwrap_or_default();
        out.push(
            Diagnostic::new(
                Code::MalformedArguments,
                text!("`{written}` is not one of the choices", "`{written}` нет среди вариантов"),
            )
            .at(at)
            .choices(closest(
                written,
                allowed.iter().filter_map(Value::as_str),
                allowed.len(),
            )),
        );
    }
    let mut bad = |code, message| out.push(Diagnostic::new(code, message).at(at));
    if let Some(least) = schema["minimum"].as_i64()
        && value.as_f64().is_some_and(|x| x < least as f64)
    {
        bad(
            Code::MalformedArguments,
            text!("must be at least {least}", "должно быть не меньше {least}"),
        );
    }
    if let Some(most) = schema["maximum"].as_i64()
        && value.as_f64().is_some_and(|x| x > most as f64)
    {
        bad(
            Code::MalformedArguments,
            text!("must be at most {most}", "должно быть не больше {most}"),
        );
    }
    if let Some(most) = schema["maxLength"].as_u64()
        && value.as_str().is_some_and(|text| text.chars().count() as u64 > most)
    {
        bad(Code::TooLong, text!("is longer than {most} characters", "длиннее {most} символов"));
    }
    if schema["pattern"] == NOT_BLANK
        && value.as_str().is_some_and(|text| text.chars().all(is_blank))
    {
        bad(
            Code::MalformedArguments,
            text!("must not be empty: leave it out", "не должно быть пустым: не указывайте его"),
        );
    }
    for (i, item) in value.as_array().into_iter().flatten().enumerate() {
        if let Some(items) = schema.get("items") {
            value_problems(items, item, &pointer(at, &i.to_string()), out);
        }
    }
    if let (Some(members), Some(rule)) = (value.as_object(), schema.get("additionalProperties")) {
        for (name, member) in members {
            value_problems(rule, member, &pointer(at, name), out);
        }
    }
}

/// The only pattern that arguments have: a text that says something.
const NOT_BLANK: &str = r"\S";

/// What `\s` stands for in the patterns of JSON Schema.
fn is_blank(c: char) -> bool {
    c == '\u{FEFF}' || c.is_whitespace() && c != '\u{85}'
}

/// Whether a value is of a type of JSON Schema.
fn is_of(value: &Value, kind: &str) -> bool {
    match kind {
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        _ => true,
    }
}

fn wrong_type(at: &str, kind: &str) -> Diagnostic {
    Diagnostic::new(
        Code::MalformedArguments,
        text!("must be of type {kind}", "должно иметь тип {kind}"),
    )
    .at(at)
}

/// The JSON pointer of a member.
pub(super) fn pointer(at: &str, name: &str) -> String {
    format!("{at}/{}", name.replace('~', "~0").replace('/', "~1"))
}

#[cfg(test)]
mod tests {
    use super::{DescribeTables, QueryArguments, Timeframe, problems, schema};
    use crate::error::Locale;
    use serde_json::json;

    #[test]
    fn schemas_are_plain_and_described() {
        for locale in [Locale::En, Locale::Ru] {
            for schema in [schema::<DescribeTables>(locale), schema::<QueryArguments>(locale)] {
                assert_eq!(schema["type"], "object", "{schema}");
                assert_eq!(schema["additionalProperties"], false);
                assert!(schema.get("required").is_none(), "{schema}");
                let text = schema.to_string();
                for noise in ["$schema", "$ref", "null", "format", "\"default\""] {
                    assert!(!text.contains(noise), "{noise} in {text}");
                }
                for (name, property) in schema["properties"].as_object().expect("properties") {
                    assert!(property["description"].is_string(), "{name}");
                    assert!(property.get("type").is_some() || property.get("anyOf").is_some());
                }
            }
        }
        let query = schema::<QueryArguments>(Locale::En);
        assert_eq!(
            query["properties"]["from"]["enum"],
            json!(Timeframe::ALL.iter().map(|t| t.name()).collect::<Vec<_>>())
        );
        assert_eq!(query["properties"]["groups"]["enum"], json!(["all"]));
        assert_eq!(query["properties"]["limit"]["minimum"], 1);
    }

    #[test]
    fn all_problems_at_once() {
        let schema = schema::<DescribeTables>(Locale::En);
        let check = |args: serde_json::Value, want: &[&str]| {
            let args = args.as_object().cloned().expect("an object");
            let got: Vec<String> =
                problems(&schema, &args).iter().map(ToString::to_string).collect();
            assert_eq!(got, want);
        };
        check(json!({"table": "a", "functions": "time", "title": "b"}), &[]);
        check(
            json!({"tabel": "a", "table": 1, "functions": "tim", "title": ["x"]}),
            &[
                "/tabel: unknown argument `tabel`; valid: table, title, functions",
                "/table: must be of type string",
                "/functions: `tim` is not one of the choices; valid: time, volatility, price, trend, window, volume, pattern, cumulative, oscillator, all, scalar, lag, candle, session, aggregate",
                "/title: must be of type string",
            ],
        );
    }
}
