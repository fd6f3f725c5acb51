//! The record of what was sent: one entry a request, made before it is sent, each chained to the one
//! before by its hash. No I/O and no clock: the host gives the time and keeps the lines.

use super::{Disclosure, Level, Policy, Withheld, hex, sha256};
use crate::error::{Code, Diagnostic, Error};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Value as Json, json};
use std::fmt;

/// The hash that stands before the first entry.
const NOTHING: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// The exact bytes of a request. In JSON: a text where they are UTF-8 (bodies are), otherwise
/// `{"hex": "…"}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Body(Vec<u8>);

impl Body {
    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// The text, where it is one.
    pub fn text(&self) -> Option<&str> {
        std::str::from_utf8(&self.0).ok()
    }
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Written {
    Text(String),
    Hex { hex: String },
}

impl Serialize for Body {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let written = match self.text() {
            Some(text) => return text.serialize(serializer),
            None => Written::Hex { hex: hex(&self.0) },
        };
        written.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Body {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Written::deserialize(deserializer)? {
            Written::Text(text) => Ok(Self(text.into_bytes())),
            Written::Hex { hex } => {
                unhex(&hex).map(Self).ok_or_else(|| D::Error::custom("not hexadecimal"))
            }
        }
    }
}

fn unhex(hex: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> =
        hex.chars().map(|c| c.to_digit(16).and_then(|d| u8::try_from(d).ok())).collect();
    let digits = digits.filter(|d| d.len() % 2 == 0)?;
    Some(
        digits.chunks(2).map(|pair| pair.iter().fold(0, |byte, digit| byte * 16 + digit)).collect(),
    )
}

/// One request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Its number, from 1.
    pub seq: u64,
    /// When it was recorded: milliseconds since 1970-01-01 UTC.
    pub at: u64,
    /// Where it is sent.
    pub endpoint: String,
    /// The exact bytes.
    pub body: Body,
    /// SHA-256 of the bytes, hexadecimal.
    pub sha256: String,
    /// `hash` of the entry before, zeros for the first.
    pub previous: String,
    /// SHA-256 of the JSON array `[seq, at, endpoint, sha256, previous, policy_hash, level, columns,
    /// results, withheld]` without spaces, hexadecimal; where nothing is withheld, the array ends
    /// before that.
    pub hash: String,
    /// The hash of the policy that the request was made under.
    pub policy_hash: String,
    /// Its level.
    pub level: Level,
    /// Columns (`table.column`) of whose values the request tells something, sorted.
    pub columns: Vec<String>,
    /// Results that it tells of, sorted.
    pub results: Vec<String>,
    /// What it keeps back, and why: kinds and counts, no value and no hidden name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub withheld: Vec<Withheld>,
}

impl Entry {
    fn own_hash(&self) -> String {
        let mut fields = vec![
            json!(self.seq),
            json!(self.at),
            json!(self.endpoint),
            json!(self.sha256),
            json!(self.previous),
            json!(self.policy_hash),
            json!(self.level),
            json!(self.columns),
            json!(self.results),
        ];
        if !self.withheld.is_empty() {
            fields.push(json!(self.withheld));
        }
        sha256(Json::Array(fields).to_string().as_bytes())
    }

    /// True when it is the `seq`th entry, after one with the hash `previous`, and untouched.
    fn holds(&self, seq: u64, previous: &str) -> bool {
        self.seq == seq
            && self.previous == previous
            && self.sha256 == sha256(self.body.bytes())
            && self.hash == self.own_hash()
    }
}

/// The first entry that is not as it was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("ledger entry {seq} is not as it was written")]
pub struct Broken {
    /// Its place in the ledger, from 1.
    pub seq: u64,
}

/// An entry that is not in the ledger yet.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use = "nothing may be sent before it is in the ledger"]
pub struct Draft {
    entry: Entry,
}

impl Draft {
    /// What it says, for the page to approve.
    pub fn entry(&self) -> &Entry {
        &self.entry
    }

    /// Its line, without a line end: what has to be kept.
    pub fn line(&self) -> String {
        // An entry is plain data: numbers and texts.
        serde_json::to_string(&self.entry).unwrap_or_default()
    }
}

/// A request that is in the ledger: the only one whose bytes may be sent.
///
/// ```compile_fail,E0451
/// use pinhole::disclose::{Entry, Recorded};
/// fn forge(entry: Entry) -> Recorded {
///     Recorded { entry }
/// }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recorded {
    entry: Entry,
}

impl Recorded {
    /// What was recorded.
    pub fn entry(&self) -> &Entry {
        &self.entry
    }

    /// The bytes to send.
    pub fn bytes(&self) -> &[u8] {
        self.entry.body.bytes()
    }
}

/// Another entry came in between.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the ledger has gone on since")]
pub struct Stale;

/// The line could not be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the ledger cannot be written")]
pub struct CannotKeep;

/// Where the lines of a ledger are kept. The host has one: a database of the page, or nothing but
/// memory. A host whose store answers later drafts, keeps and commits by itself.
pub trait Keeper {
    /// What it is, for the person: `memory`, `indexeddb`.
    fn name(&self) -> &'static str;

    /// Keeps the line of entry `seq`, in place of one of that number that was never committed.
    ///
    /// # Errors
    /// It could not: then the request is not made.
    fn keep(&mut self, seq: u64, line: &str) -> Result<(), CannotKeep>;
}

/// Keeps nothing beyond the ledger itself, as long as the page.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Memory;

impl Keeper for Memory {
    fn name(&self) -> &'static str {
        "memory"
    }

    fn keep(&mut self, _seq: u64, _line: &str) -> Result<(), CannotKeep> {
        Ok(())
    }
}

fn unavailable() -> Error {
    Error::input(Diagnostic::new(
        Code::LedgerUnavailable,
        crate::text!(
            "the ledger cannot be written, so nothing is sent",
            "журнал нельзя записать, поэтому ничего не отправлено"
        ),
    ))
}

/// The record of what was sent, oldest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ledger {
    entries: Vec<Entry>,
}

impl Ledger {
    /// A ledger without entries.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads back what [`Self::export`] wrote, and verifies it.
    pub fn from_lines(lines: &str) -> Result<Self, Broken> {
        let mut ledger = Self::default();
        for line in lines.lines() {
            let broken = Broken { seq: ledger.next_seq() };
            let entry: Entry = serde_json::from_str(line).map_err(|_| broken)?;
            // A line that reads the same but is written otherwise is not the line that was exported.
            let same = serde_json::to_string(&entry).is_ok_and(|written| written == line);
            if !same || !entry.holds(ledger.next_seq(), ledger.head()) {
                return Err(broken);
            }
            ledger.entries.push(entry);
        }
        Ok(ledger)
    }

    /// A ledger that goes on from lines that were kept. They are taken as they are, so that
    /// [`Self::verify`] can say where they were touched.
    ///
    /// # Errors
    /// A line that is none of a ledger.
    pub fn resume(lines: &[String]) -> Result<Self, Error> {
        let mut ledger = Self::default();
        ledger.extend(lines)?;
        Ok(ledger)
    }

    /// Takes in lines that were kept elsewhere meanwhile.
    ///
    /// # Errors
    /// A line that is none of a ledger.
    pub fn extend(&mut self, lines: &[String]) -> Result<(), Error> {
        for line in lines {
            self.entries.push(serde_json::from_str(line).map_err(|_| unavailable())?);
        }
        Ok(())
    }

    /// Verifies an exported file. Lines cut off its end do not show in the file itself: compare
    /// [`Self::head`] with the last line's `hash`.
    pub fn verify_lines(lines: &str) -> Result<(), Broken> {
        Self::from_lines(lines).map(drop)
    }

    /// The entry of a request that is about to be made: `body` is the exact bytes, made of
    /// `disclosure`. It is not in the ledger yet: the page may look at it and refuse it, and its
    /// line has to be kept first; then [`Self::commit`].
    pub fn draft(
        &self,
        at_ms: u64,
        endpoint: &str,
        body: &[u8],
        disclosure: &Disclosure,
        policy: &Policy,
    ) -> Draft {
        let mut entry = Entry {
            seq: self.next_seq(),
            at: at_ms,
            endpoint: endpoint.to_owned(),
            body: Body(body.to_vec()),
            sha256: sha256(body),
            previous: self.head().to_owned(),
            hash: String::new(),
            policy_hash: policy.hash().to_owned(),
            level: policy.level(),
            columns: disclosure.disclosed_columns().iter().cloned().collect(),
            results: disclosure.disclosed_results().iter().cloned().collect(),
            withheld: disclosure.withheld().to_vec(),
        };
        entry.withheld.sort();
        entry.hash = entry.own_hash();
        Draft { entry }
    }

    /// Takes in an entry whose line has been kept, and gives out the bytes that may now be sent.
    ///
    /// # Errors
    /// Another entry was taken in since the draft was made: it has to be made anew.
    pub fn commit(&mut self, draft: Draft) -> Result<Recorded, Stale> {
        if !draft.entry.holds(self.next_seq(), self.head()) {
            return Err(Stale);
        }
        self.entries.push(draft.entry.clone());
        Ok(Recorded { entry: draft.entry })
    }

    /// Drafts an entry, has `keeper` keep its line, and takes it in. Without a kept line there is
    /// nothing to send.
    ///
    /// # Errors
    /// The keeper could not.
    pub fn record(
        &mut self,
        at_ms: u64,
        endpoint: &str,
        body: &[u8],
        (disclosure, policy): (&Disclosure, &Policy),
        keeper: &mut dyn Keeper,
    ) -> Result<Recorded, Error> {
        let draft = self.draft(at_ms, endpoint, body, disclosure, policy);
        keeper.keep(draft.entry.seq, &draft.line()).map_err(|CannotKeep| unavailable())?;
        self.commit(draft).map_err(|Stale| unavailable())
    }

    /// Records a request in memory alone.
    pub fn append(
        &mut self,
        at_ms: u64,
        endpoint: &str,
        body: &[u8],
        disclosure: &Disclosure,
        policy: &Policy,
    ) -> Entry {
        let entry = self.draft(at_ms, endpoint, body, disclosure, policy).entry;
        self.entries.push(entry.clone());
        entry
    }

    /// The entries after the one with number `seq`: what a watcher that has seen so far is told.
    pub fn since(&self, seq: u64) -> &[Entry] {
        let seen = usize::try_from(seq).unwrap_or(usize::MAX).min(self.entries.len());
        self.entries.get(seen..).unwrap_or_default()
    }

    /// The entries, oldest first.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The hash of the last entry; zeros for an empty ledger.
    pub fn head(&self) -> &str {
        self.entries.last().map_or(NOTHING, |entry| entry.hash.as_str())
    }

    /// A forger's view, for tests.
    #[cfg(test)]
    pub(super) fn entries_mut(&mut self) -> &mut [Entry] {
        &mut self.entries
    }

    fn next_seq(&self) -> u64 {
        self.entries.len() as u64 + 1
    }

    /// Checks every entry and the chain.
    pub fn verify(&self) -> Result<(), Broken> {
        let mut previous = NOTHING;
        for (entry, seq) in self.entries.iter().zip(1..) {
            if !entry.holds(seq, previous) {
                return Err(Broken { seq });
            }
            previous = &entry.hash;
        }
        Ok(())
    }

    /// One line of JSON an entry, each with its line end.
    pub fn export(&self) -> String {
        self.to_string()
    }
}

/// The exported form.
impl fmt::Display for Ledger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for entry in &self.entries {
            let line = serde_json::to_string(entry).map_err(|_| fmt::Error)?;
            writeln!(f, "{line}")?;
        }
        Ok(())
    }
}
