//! The record of what was sent: one entry a request, made before it is sent, each chained to the one
//! before by its hash. No I/O and no clock: the host gives the time and keeps the lines.

use super::{Disclosure, Level, Policy, hex, sha256};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
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
    /// results]` without spaces, hexadecimal.
    pub hash: String,
    /// The hash of the policy that the request was made under.
    pub policy_hash: String,
    /// Its level.
    pub level: Level,
    /// Columns (`table.column`) of whose values the request tells something, sorted.
    pub columns: Vec<String>,
    /// Results that it tells of, sorted.
    pub results: Vec<String>,
}

impl Entry {
    fn own_hash(&self) -> String {
        let fields = serde_json::json!([
            self.seq,
            self.at,
            self.endpoint,
            self.sha256,
            self.previous,
            self.policy_hash,
            self.level,
            self.columns,
            self.results,
        ]);
        sha256(fields.to_string().as_bytes())
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

    /// Verifies an exported file. Lines cut off its end do not show in the file itself: compare
    /// [`Self::head`] with the last line's `hash`.
    pub fn verify_lines(lines: &str) -> Result<(), Broken> {
        Self::from_lines(lines).map(drop)
    }

    /// Records a request that is about to be sent: `body` is the exact bytes, made of `disclosure`.
    pub fn append(
        &mut self,
        at_ms: u64,
        endpoint: &str,
        body: &[u8],
        disclosure: &Disclosure,
        policy: &Policy,
    ) -> Entry {
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
        };
        entry.hash = entry.own_hash();
        self.entries.push(entry.clone());
        entry
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
