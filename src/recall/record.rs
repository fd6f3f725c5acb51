//! A question that was asked before, with what answered it.

use super::normal;
use crate::error::{Code, Diagnostic};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value as Json};
use std::sync::Arc;

/// The version of the query language that records are written in. A record of another version is
/// checked again before it runs.
pub const LANGUAGE_VERSION: &str = "1";

/// The longest question, in bytes.
pub const MAX_QUESTION: usize = 8_000;
/// The longest query, statement or script, in bytes.
pub const MAX_SCRIPT: usize = 400_000;
/// The most numbers of an embedding.
pub const MAX_DIMENSIONS: usize = 8_192;

/// What answers a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A query in JSON.
    #[default]
    Query,
    /// A SQL statement.
    Sql,
    /// A script.
    Script,
    /// A call of a tool: its name and its arguments in JSON.
    Tool,
    /// Several calls in their order: queries, scripts and calls of tools, in JSON.
    Calls,
}

/// The names of kinds in records.
const KINDS: [&str; 5] = ["query", "sql", "script", "tool", "calls"];

impl Kind {
    fn of(name: &str) -> Option<Self> {
        Some(match name {
            "query" => Self::Query,
            "sql" => Self::Sql,
            "script" => Self::Script,
            "tool" => Self::Tool,
            "calls" => Self::Calls,
            _ => return None,
        })
    }
}

/// What the last successful run gave: a summary, never the rows.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LastResult {
    /// The summary.
    pub raw: Json,
    /// The answer in words.
    pub human: String,
    /// When it ran, as the host writes moments.
    pub executed_at: String,
    /// The words of a model's answer, with references in place of its numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
}

/// The direction of a question, with who made it: vectors of different makers are not compared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Embedding {
    /// Name and version of the embedder.
    pub embedder: Arc<str>,
    /// A vector of length [`UNIT`]; as text, because a list of numbers takes a host many times as
    /// long to copy: Base64 of its numbers, the lower byte first.
    #[serde(serialize_with = "as_text")]
    pub values: Vec<i16>,
}

/// The length of a stored vector: sums of products of two of them stay within 32 bits.
pub const UNIT: f32 = 30_000.0;

impl Embedding {
    /// Takes in a vector of any length other than zero.
    pub fn new(embedder: impl Into<Arc<str>>, vector: &[f32]) -> Option<Self> {
        let length = vector.iter().map(|v| v * v).sum::<f32>().sqrt();
        (length.is_finite() && length > 0.0 && vector.len() <= MAX_DIMENSIONS).then(|| Self {
            embedder: embedder.into(),
            values: vector.iter().map(|v| (v / length * UNIT).round() as i16).collect(),
        })
    }

    /// The cosine of the angle between two vectors of the same maker; 0 for others.
    pub fn cosine(&self, other: &Self) -> f64 {
        let same = Arc::ptr_eq(&self.embedder, &other.embedder) || self.embedder == other.embedder;
        if same { self.product(other) } else { 0.0 }
    }

    /// The same without a look at the makers.
    fn product(&self, other: &Self) -> f64 {
        let (a, b) = (&self.values, &other.values);
        if a.len() != b.len() {
            return 0.0;
        }
        f64::from(dot(a, b)) / f64::from(UNIT * UNIT)
    }
}

/// The sum of products of the numbers of two vectors, modulo 2^32.
fn dot(a: &[i16], b: &[i16]) -> i32 {
    let (a, rest_a) = a.as_chunks::<LANES>();
    let (b, rest_b) = b.as_chunks::<LANES>();
    lanes(a, b).wrapping_add(one_by_one(rest_a, rest_b))
}

fn one_by_one(a: &[i16], b: &[i16]) -> i32 {
    let products = a.iter().zip(b).map(|(x, y)| i32::from(*x) * i32::from(*y));
    products.fold(0, i32::wrapping_add)
}

/// Numbers in a register of wasm.
const LANES: usize = 8;

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
fn lanes(a: &[[i16; LANES]], b: &[[i16; LANES]]) -> i32 {
    one_by_one(a.as_flattened(), b.as_flattened())
}

/// Eight at a time, in two sums of which neither waits for the other: the compiler makes no such loop
/// of the plain one where it builds for size.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
fn lanes(a: &[[i16; LANES]], b: &[[i16; LANES]]) -> i32 {
    use std::arch::wasm32::{
        i16x8, i32x4_add, i32x4_dot_i16x8, i32x4_extract_lane, i32x4_splat, v128,
    };
    let load =
        |[a, b, c, d, e, f, g, h]: &[i16; LANES]| -> v128 { i16x8(*a, *b, *c, *d, *e, *f, *g, *h) };
    let add = |sum, x, y| i32x4_add(sum, i32x4_dot_i16x8(load(x), load(y)));
    let ((a, rest_a), (b, rest_b)) = (a.as_chunks::<2>(), b.as_chunks::<2>());
    let (mut even, mut odd) = (i32x4_splat(0), i32x4_splat(0));
    for ([a, c], [b, d]) in a.iter().zip(b) {
        even = add(even, a, b);
        odd = add(odd, c, d);
    }
    for (x, y) in rest_a.iter().zip(rest_b) {
        even = add(even, x, y);
    }
    let sums = i32x4_add(even, odd);
    i32x4_extract_lane::<0>(sums)
        .wrapping_add(i32x4_extract_lane::<1>(sums))
        .wrapping_add(i32x4_extract_lane::<2>(sums))
        .wrapping_add(i32x4_extract_lane::<3>(sums))
}

fn as_text<S: Serializer>(values: &[i16], serializer: S) -> Result<S::Ok, S::Error> {
    let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
    serializer.serialize_str(&STANDARD.encode(bytes))
}

/// The numbers of a vector from text, or from a list as other programs write it.
fn numbers(values: &Json) -> Option<Vec<i16>> {
    match values {
        Json::String(text) => {
            let bytes = STANDARD.decode(text).ok()?;
            let (pairs, rest) = bytes.as_chunks::<2>();
            rest.is_empty().then(|| pairs.iter().map(|pair| i16::from_le_bytes(*pair)).collect())
        }
        Json::Array(list) => {
            list.iter().map(|v| v.as_i64().and_then(|v| i16::try_from(v).ok())).collect()
        }
        _ => None,
    }
}

/// A question asked before.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Record {
    /// Its number.
    pub id: u64,
    /// The data set that it belongs to; others never see it.
    pub context_code: String,
    /// As it was last asked.
    pub question: String,
    /// What `script` is.
    pub kind: Kind,
    /// What answers it: a query in JSON, a statement, a script, or one or several calls in JSON.
    pub script: String,
    /// A model wrote the script.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub by_model: bool,
    /// The day that counted as today as a model wrote days into a call: on another one `last month` is
    /// another month, and the record is not found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of_day: Option<String>,
    /// What several calls stand on, where each may follow from what an earlier one found: the tables
    /// that were loaded, each with a hash of all its rows, and what else they go by. Over anything else
    /// the record is not found. Empty where whoever wrote them meant them for any rows.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub over: Vec<String>,
    /// What was asked before it, by [`super::after`], where its question means something else after
    /// other questions: it answers that question after these alone, and no search finds it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// When it was first kept.
    pub created_at: String,
    /// When it was last changed.
    pub updated_at: String,
    /// How often it was run from here.
    pub usage_count: u64,
    /// It ran, and did not fail since: others are not found.
    pub is_valid: bool,
    /// What the last successful run gave.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_result: Option<LastResult>,
    /// For the search by meaning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub embedding: Option<Embedding>,
    /// The question as it may leave, where protected cells of the tables in `asked_with` are masked in
    /// it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub masked: Option<String>,
    /// The tables that were loaded as it was asked: their protected cells were looked for. None where
    /// that is not known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub asked_with: Vec<String>,
    /// The tables that it was last checked against.
    pub schema_fingerprint: String,
    /// The policy that its result was made under.
    pub policy_hash: String,
    /// The language that it is written in.
    pub language_version: String,
    /// Fields of a newer version, which are kept as they are.
    #[serde(flatten)]
    pub more: Map<String, Json>,
}

impl Record {
    /// Reads a record. Fields that it does not know are kept.
    pub fn from_json(json: &Json) -> Result<Self, Box<Diagnostic>> {
        let Json::Object(object) = json else {
            return Err(Box::new(Diagnostic::new(
                Code::NotAnObject,
                text!("a record is an object", "запись — это объект"),
            )));
        };
        let mut fields = Fields(object.clone());
        let record = Self {
            id: fields.count("id")?,
            context_code: fields.needed("context_code")?,
            question: fields.needed("question")?,
            kind: match fields.text("kind")? {
                None => Kind::Query,
                Some(name) => {
                    Kind::of(&name).ok_or_else(|| Box::new(wrong("kind").choices(KINDS)))?
                }
            },
            script: fields.needed("script")?,
            by_model: fields.flag("by_model")?,
            of_day: fields.text("of_day")?,
            over: fields.texts("over")?,
            after: fields.text("after")?,
            created_at: fields.text("created_at")?.unwrap_or_default(),
            updated_at: fields.text("updated_at")?.unwrap_or_default(),
            usage_count: fields.count("usage_count")?,
            is_valid: fields.flag("is_valid")?,
            last_result: fields.object("last_result")?.map(last_result).transpose()?,
            embedding: fields.object("embedding")?.map(embedding).transpose()?,
            masked: fields.text("masked")?,
            asked_with: fields.texts("asked_with")?,
            schema_fingerprint: fields.text("schema_fingerprint")?.unwrap_or_default(),
            policy_hash: fields.text("policy_hash")?.unwrap_or_default(),
            language_version: fields.text("language_version")?.unwrap_or_default(),
            more: fields.0,
        };
        sized(&record.question, &record.script)?;
        sized(record.masked.as_deref().unwrap_or("a"), "")?;
        Ok(record)
    }

    /// What it is found by: the same for two records of which the later takes the other's place.
    pub(super) fn key(&self) -> String {
        normal::key(&self.question, self.after.as_deref())
    }

    /// Whether a question like its own finds it.
    pub(super) fn is_searched(&self) -> bool {
        self.after.is_none()
    }

    /// The object that [`Record::from_json`] reads.
    pub fn to_json(&self) -> Json {
        serde_json::to_value(self).unwrap_or_default()
    }
}

/// Refuses what is too long, and a question without a word.
pub(super) fn sized(question: &str, script: &str) -> Result<(), Box<Diagnostic>> {
    for (name, text, most) in [("question", question, MAX_QUESTION), ("script", script, MAX_SCRIPT)]
    {
        if text.len() > most {
            let long =
                text!("`{name}` is longer than {most} bytes", "`{name}` длиннее {most} байт");
            return Err(Box::new(Diagnostic::new(Code::TooLong, long).at(format!("/{name}"))));
        }
    }
    if super::normalise(question).is_empty() {
        let empty = text!("the question has no words", "в вопросе нет слов");
        return Err(Box::new(Diagnostic::new(Code::EmptyInput, empty).at("/question")));
    }
    Ok(())
}

/// The fields of an object that are not read yet; null is the same as absent.
struct Fields(Map<String, Json>);

impl Fields {
    fn take(&mut self, name: &str) -> Option<Json> {
        self.0.shift_remove(name).filter(|v| !v.is_null())
    }

    fn text(&mut self, name: &str) -> Result<Option<String>, Box<Diagnostic>> {
        match self.take(name) {
            None => Ok(None),
            Some(Json::String(text)) => Ok(Some(text)),
            Some(_) => Err(Box::new(wrong(name))),
        }
    }

    fn flag(&mut self, name: &str) -> Result<bool, Box<Diagnostic>> {
        match self.take(name) {
            None => Ok(false),
            Some(Json::Bool(is)) => Ok(is),
            Some(_) => Err(Box::new(wrong(name))),
        }
    }

    fn texts(&mut self, name: &str) -> Result<Vec<String>, Box<Diagnostic>> {
        let text = |item: Json| match item {
            Json::String(text) => Ok(text),
            _ => Err(Box::new(wrong(name))),
        };
        match self.take(name) {
            None => Ok(Vec::new()),
            Some(Json::Array(list)) => list.into_iter().map(text).collect(),
            Some(_) => Err(Box::new(wrong(name))),
        }
    }

    fn needed(&mut self, name: &str) -> Result<String, Box<Diagnostic>> {
        self.text(name)?.ok_or_else(|| {
            let missing = text!("`{name}` is missing", "не хватает `{name}`");
            Box::new(Diagnostic::new(Code::WrongFieldType, missing).at(format!("/{name}")))
        })
    }

    fn count(&mut self, name: &str) -> Result<u64, Box<Diagnostic>> {
        match self.take(name) {
            None => Ok(0),
            Some(value) => {
                value.as_u64().filter(|v| *v < 1 << 53).ok_or_else(|| Box::new(wrong(name)))
            }
        }
    }

    fn object(&mut self, name: &str) -> Result<Option<Fields>, Box<Diagnostic>> {
        match self.take(name) {
            None => Ok(None),
            Some(Json::Object(object)) => Ok(Some(Fields(object))),
            Some(_) => Err(Box::new(wrong(name))),
        }
    }
}

fn wrong(name: &str) -> Diagnostic {
    Diagnostic::new(
        Code::WrongFieldType,
        text!("`{name}` is not what it must be", "`{name}` не того вида"),
    )
    .at(format!("/{name}"))
}

fn last_result(mut fields: Fields) -> Result<LastResult, Box<Diagnostic>> {
    Ok(LastResult {
        raw: fields.take("raw").unwrap_or_default(),
        human: fields.text("human")?.unwrap_or_default(),
        executed_at: fields.text("executed_at")?.unwrap_or_default(),
        words: fields.text("words")?,
    })
}

fn embedding(mut fields: Fields) -> Result<Embedding, Box<Diagnostic>> {
    let embedder = fields.needed("embedder")?;
    let values = fields.take("values").and_then(|values| numbers(&values));
    let values =
        values.filter(|v| v.len() <= MAX_DIMENSIONS).ok_or_else(|| Box::new(wrong("embedding")))?;
    // what is longer than one vector would pass for a likeness above 1
    let length = values.iter().map(|v| i64::from(*v) * i64::from(*v)).sum::<i64>() as f64;
    let unit = f64::from(UNIT);
    if (length.sqrt() - unit).abs() > unit * 0.01 {
        return Err(Box::new(wrong("embedding")));
    }
    Ok(Embedding { embedder: embedder.into(), values })
}
