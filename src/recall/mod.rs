//! Questions asked before: what answered one is kept and found again, so that it is answered at
//! once and without a model. What is kept is a query, a statement, a script, a call of a tool or
//! several calls, never rows.
//!
//! A question is looked up by [`Recall::ask`]: exactly, then by meaning, then by its words. An exact
//! hit runs. Other hits are offered, with what they differ in; only one by words that says the same
//! word for word runs. Numbers, periods, negations, directions and names must agree both ways.
//!
//! Everything is in memory and nothing waits: a host feeds in what a store holds
//! ([`Recall::open`]), and writes out what has changed ([`Recall::pending`]).

mod ask;
mod carried;
mod context;
mod embed;
mod fillers;
mod idf;
mod lines;
mod meaning;
mod normal;
mod over;
mod record;
mod retell;
mod settings;
mod store;
mod text;

#[cfg(test)]
mod tests;

pub use ask::{Answer, Asked, By, Found, Scope, Suggestion, Suggestions, Unfit};
pub use carried::{Before, alone, carries, dated};
pub use embed::{BUILT_IN, DIMENSIONS, embed};
pub use lines::{BadLine, Imported};
pub use normal::{after, normalise};
pub use over::Bar;
pub use record::{
    Embedding, Kind, LANGUAGE_VERSION, LastResult, MAX_DIMENSIONS, MAX_QUESTION, MAX_SCRIPT,
    Record, UNIT,
};
pub use retell::{Later, referring, retold};
pub use settings::{MAX_SUGGESTIONS, Settings};
pub use store::{Batch, Change, MemoryStore, Store};

use crate::error::Result;
use context::Context;
use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// What is to be kept of a question.
#[derive(Debug, Clone, Copy, Default)]
pub struct Kept<'a> {
    /// The data set.
    pub context_code: &'a str,
    /// As it was typed.
    pub question: &'a str,
    /// What `script` is.
    pub kind: Kind,
    /// What answers it.
    pub script: &'a str,
    /// A model wrote the script.
    pub by_model: bool,
    /// The day that its days were counted from, where a model counted them.
    pub of_day: Option<&'a str>,
    /// What several calls stand on, where a model made them one after the other.
    pub over: &'a [String],
    /// What was asked before it, by [`after`], where it answers the question after these alone.
    pub after: Option<&'a str>,
    /// It ran already.
    pub is_valid: bool,
    /// Its vector, where the embedder is not the built-in one.
    pub vector: Option<&'a [f32]>,
    /// The question as it may leave, with protected cells masked; none where they were not looked for.
    pub masked: Option<&'a str>,
}

/// Questions that lack a vector of an embedder elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Lacking {
    /// The numbers of their records, each with the text that may leave.
    pub texts: Vec<(u64, String)>,
    /// How many wait for tables, or for the policy: what of them is protected is not known.
    pub waiting: usize,
}

/// What a person changes about a record.
#[derive(Debug, Clone, Copy, Default)]
pub struct Edit<'a> {
    /// Another query, statement, script or call. It is not valid before it ran.
    pub script: Option<&'a str>,
    /// Lets it be found, or not.
    pub is_valid: Option<bool>,
}

/// How a run of a record ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Ending {
    /// It gave a result.
    Answered(LastResult),
    /// It failed: it is not found any more until it is mended.
    Failed,
    /// It asked the person a question back: nothing is marked or kept.
    Clarify,
}

/// The records of all data sets, and what of them the store does not have yet.
#[derive(Debug)]
pub struct Recall {
    settings: Settings,
    embedder: Arc<str>,
    contexts: HashMap<String, Context>,
    /// The data set of each number.
    places: HashMap<u64, String>,
    /// Numbers of records that changed, with the revision of the last change, and whether it is one
    /// of what the store has already.
    changed: BTreeMap<u64, (u64, bool)>,
    revision: u64,
}

impl Default for Recall {
    fn default() -> Self {
        Self::new(Settings::default())
    }
}

impl Recall {
    /// No records, the built-in embedder.
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            embedder: Arc::clone(&BUILT_IN),
            contexts: HashMap::new(),
            places: HashMap::new(),
            changed: BTreeMap::new(),
            revision: 0,
        }
    }

    /// The records of a store. Two of one question become one, the later.
    pub fn open(settings: Settings, records: impl IntoIterator<Item = Record>) -> Self {
        let mut recall = Self::new(settings);
        for record in records {
            recall.take_in(Change::Put(Box::new(record)));
        }
        recall
    }

    /// Takes vectors of this maker from now on. Those of others stay and are not looked at.
    #[must_use]
    pub fn with_embedder(mut self, name: impl Into<Arc<str>>) -> Self {
        self.embedder = name.into();
        self
    }

    /// The settings in force.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    fn has_built_in(&self) -> bool {
        self.embedder == *BUILT_IN
    }

    /// Keeps what answers a question; what was kept for it before is replaced. `now` is the moment
    /// as the host writes it.
    pub fn save(&mut self, kept: Kept<'_>, scope: &Scope, now: &str) -> Result<u64> {
        let script = scope.named(kept.kind, kept.script);
        record::sized(kept.question, &script).map_err(|problem| *problem)?;
        let searched = kept.after.is_none();
        let vector = searched.then(|| self.vector(kept.question, kept.vector)).flatten();
        let key = normal::key(kept.question, kept.after);
        let before = self.of_key(kept.context_code, &key).cloned();
        let mut record = before.unwrap_or_else(|| Record {
            context_code: kept.context_code.to_owned(),
            after: kept.after.map(str::to_owned),
            created_at: now.to_owned(),
            ..Record::default()
        });
        if record.script != script || record.kind != kept.kind {
            // what another query gave is no result of this one
            record.last_result = None;
        }
        kept.question.clone_into(&mut record.question);
        script.as_ref().clone_into(&mut record.script);
        record.kind = kept.kind;
        record.by_model = kept.by_model;
        record.of_day = kept.of_day.map(str::to_owned);
        record.over = kept.over.to_vec();
        now.clone_into(&mut record.updated_at);
        record.is_valid = kept.is_valid;
        if vector.is_some() {
            record.embedding = vector;
        }
        record.masked = kept.masked.filter(|text| *text != kept.question).map(str::to_owned);
        record.asked_with = kept.masked.map(|_| scope.prints().to_vec()).unwrap_or_default();
        scope.fingerprint().clone_into(&mut record.schema_fingerprint);
        scope.policy_hash().clone_into(&mut record.policy_hash);
        LANGUAGE_VERSION.clone_into(&mut record.language_version);
        if record.id == 0 {
            record.id = self.free_id(&record);
        }
        let id = record.id;
        self.keep(record);
        Ok(id)
    }

    /// The record with this number, if it is of this data set.
    pub fn get(&self, context_code: &str, id: u64) -> Option<&Record> {
        self.contexts.get(context_code)?.get(id)
    }

    /// The records of a data set, last changed first.
    pub fn list(&self, context_code: &str) -> Vec<&Record> {
        let mut records: Vec<&Record> =
            self.contexts.get(context_code).into_iter().flat_map(Context::records).collect();
        records.sort_by(|a, b| b.updated_at.cmp(&a.updated_at).then_with(|| a.id.cmp(&b.id)));
        records
    }

    /// The number of records of a data set.
    pub fn len(&self, context_code: &str) -> usize {
        self.contexts.get(context_code).map_or(0, Context::len)
    }

    /// True when a data set has no record.
    pub fn is_empty(&self, context_code: &str) -> bool {
        self.len(context_code) == 0
    }

    /// Changes a record; false where this data set has none with that number.
    pub fn update(
        &mut self,
        context_code: &str,
        id: u64,
        edit: Edit<'_>,
        now: &str,
    ) -> Result<bool> {
        if let Some(script) = edit.script {
            let question = self.get(context_code, id).map(|r| r.question.as_str());
            record::sized(question.unwrap_or("a"), script).map_err(|problem| *problem)?;
        }
        Ok(self.change(context_code, id, |record| {
            if let Some(script) = edit.script
                && record.script != script
            {
                script.clone_into(&mut record.script);
                record.is_valid = false;
                record.last_result = None;
                // whoever wrote it by hand meant the days that it names, and any rows; what was
                // asked before it was asked of the rows of then
                if record.after.is_none() {
                    record.of_day = None;
                    record.over.clear();
                }
            }
            record.is_valid = edit.is_valid.unwrap_or(record.is_valid);
            now.clone_into(&mut record.updated_at);
        }))
    }

    /// Forgets a record; false where this data set has none with that number.
    pub fn delete(&mut self, context_code: &str, id: u64) -> bool {
        let Some(context) = self.contexts.get_mut(context_code) else { return false };
        if context.remove(id).is_none() {
            return false;
        }
        if context.len() == 0 {
            self.contexts.remove(context_code);
        }
        self.places.remove(&id);
        self.touch(id);
        true
    }

    /// Takes note of how a run ended; `cached` when it was run from here, which counts as a use.
    /// False where this data set has no such record.
    pub fn finished(
        &mut self,
        context_code: &str,
        id: u64,
        ending: Ending,
        cached: bool,
        scope: &Scope,
    ) -> bool {
        self.change(context_code, id, |record| {
            record.usage_count += u64::from(cached);
            match ending {
                Ending::Answered(mut result) => {
                    record.is_valid = true;
                    if cached && result.words.is_none() {
                        // What answered it is the same, and so are the words.
                        result.words = record.last_result.take().and_then(|last| last.words);
                    }
                    record.last_result = Some(result);
                    scope.fingerprint().clone_into(&mut record.schema_fingerprint);
                    scope.policy_hash().clone_into(&mut record.policy_hash);
                    LANGUAGE_VERSION.clone_into(&mut record.language_version);
                }
                Ending::Failed => record.is_valid = false,
                Ending::Clarify => {}
            }
        })
    }

    /// At most so many questions without a vector of the embedder in use, with their numbers.
    pub fn without_vector(&self, context_code: &str, most: usize) -> Vec<(u64, &str)> {
        let lacking = self.lacking(context_code);
        lacking.take(most).map(|r| (r.id, r.question.as_str())).collect()
    }

    /// Records that a search by meaning does not find for want of a vector.
    fn lacking(&self, context_code: &str) -> impl Iterator<Item = &Record> {
        let records = self.contexts.get(context_code).into_iter().flat_map(Context::records);
        records.filter(|r| {
            let lacks = r.embedding.as_ref().is_none_or(|e| e.embedder != self.embedder);
            lacks && r.is_searched()
        })
    }

    /// At most so many questions without a vector of the embedder in use, as they may leave: as they
    /// were masked when they were asked, and masked again by `mask`, which knows the protected cells of
    /// the tables that are loaded; nothing where it does not know them all. A question that was asked
    /// with other tables waits for these: a cell of theirs would not be known for one.
    pub fn to_leave(
        &self,
        context_code: &str,
        most: usize,
        scope: &Scope,
        mask: impl Fn(&str) -> Option<String>,
    ) -> Lacking {
        let mut found = Lacking::default();
        for record in self.lacking(context_code) {
            let there = |print: &String| scope.prints().binary_search(print).is_ok();
            let known = !record.asked_with.is_empty() && record.asked_with.iter().all(there);
            if known && found.texts.len() >= most {
                continue;
            }
            let text = record.masked.as_deref().unwrap_or(&record.question);
            match known.then(|| mask(text)).flatten() {
                Some(text) => found.texts.push((record.id, text)),
                None => found.waiting += 1,
            }
        }
        found
    }

    /// Gives a record its vector; false where there is no such record or the vector is zero.
    pub fn fill(&mut self, context_code: &str, id: u64, vector: &[f32]) -> bool {
        let Some(embedding) = Embedding::new(Arc::clone(&self.embedder), vector) else {
            return false;
        };
        self.renew(context_code, id, |record| record.embedding = Some(embedding))
    }

    /// Gives at most so many records of a data set the vector of the built-in embedder that they
    /// lack, and says how many; 0 means that nothing is left to do.
    pub fn fill_built_in(&mut self, context_code: &str, most: usize) -> usize {
        if !self.has_built_in() {
            return 0;
        }
        let lacking: Vec<(u64, Option<Embedding>)> = self
            .without_vector(context_code, usize::MAX)
            .into_iter()
            .map(|(id, question)| (id, embed(question)))
            .filter(|(_, embedding)| embedding.is_some())
            .take(most)
            .collect();
        let count = lacking.len();
        for (id, embedding) in lacking {
            self.renew(context_code, id, |record| record.embedding = embedding);
        }
        count
    }

    /// What the store does not have yet. It stays until it is confirmed, so that a store that is
    /// full or blocked loses nothing.
    pub fn pending(&self) -> Batch {
        let changes = self
            .changed
            .iter()
            .map(|(id, (_, known))| match self.places.get(id).and_then(|c| self.get(c, *id)) {
                Some(record) if *known => Change::Renew(Box::new(record.clone())),
                Some(record) => Change::Put(Box::new(record.clone())),
                None => Change::Delete(*id),
            })
            .collect();
        Batch { revision: self.revision, changes }
    }

    /// The store has everything up to this revision; what changed since stays pending.
    pub fn confirm(&mut self, revision: u64) {
        self.changed.retain(|_, (changed, _)| *changed > revision);
    }

    /// Writes out what has changed; where that fails it stays pending.
    pub fn flush(&mut self, store: &mut dyn Store) -> Result<()> {
        let batch = self.pending();
        if !batch.changes.is_empty() {
            store.apply(&batch.changes)?;
        }
        self.confirm(batch.revision);
        Ok(())
    }

    /// Takes in a change that the store has already: a record as it was kept, or what another page
    /// changed. Of two records of one question the later stays, of the same time that with the
    /// greater number; the store is told to forget the other, which would answer the next time.
    pub fn take_in(&mut self, change: Change) {
        match change {
            Change::Put(record) | Change::Renew(record) => {
                let mut record = *record;
                let before = self.of_key(&record.context_code, &record.key());
                let before = before.map(|r| (r.id, r.updated_at.cmp(&record.updated_at)));
                match before.map(|(id, time)| (id, time.then(id.cmp(&record.id)))) {
                    Some((id, Ordering::Greater)) => {
                        // a number that something else has is not to be forgotten
                        if id != record.id && !self.places.contains_key(&record.id) {
                            self.touch(record.id);
                        }
                        return;
                    }
                    Some((id, _)) if id != record.id => {
                        self.forget(id);
                        self.touch(id);
                    }
                    _ => {}
                }
                let elsewhere =
                    self.places.get(&record.id).is_some_and(|code| *code != record.context_code);
                if record.id == 0 || elsewhere {
                    record.id = self.free_id(&record);
                }
                self.place(record);
            }
            Change::Delete(id) => self.forget(id),
        }
    }

    /// The number that a record of this question has, unless it came with one of its own or another
    /// question has it. A store can be asked for it before all of it was read.
    pub fn number_of(context_code: &str, question: &str) -> u64 {
        normal::id(context_code, &normalise(question))
    }

    /// The record with this key.
    fn of_key(&self, context_code: &str, key: &str) -> Option<&Record> {
        self.contexts.get(context_code)?.of_key(key)
    }

    fn vector(&self, question: &str, given: Option<&[f32]>) -> Option<Embedding> {
        match given {
            Some(vector) => Embedding::new(Arc::clone(&self.embedder), vector),
            None if self.has_built_in() => embed(question),
            None => None,
        }
    }

    /// The number that a new record gets: its own where it has one that is free.
    fn free_id(&self, record: &Record) -> u64 {
        if record.id != 0 && !self.places.contains_key(&record.id) {
            return record.id;
        }
        let mut id = normal::id(&record.context_code, &record.key());
        while self.places.contains_key(&id) {
            id = if id + 1 < 1 << 53 { id + 1 } else { 1 };
        }
        id
    }

    fn place(&mut self, mut record: Record) {
        if let Some(embedding) = &mut record.embedding
            && embedding.embedder == self.embedder
        {
            // one name for all, so that a search need not look at it
            embedding.embedder = Arc::clone(&self.embedder);
        }
        self.places.insert(record.id, record.context_code.clone());
        self.contexts.entry(record.context_code.clone()).or_default().put(record);
    }

    fn forget(&mut self, id: u64) {
        let Some(code) = self.places.remove(&id) else { return };
        if let Some(context) = self.contexts.get_mut(&code) {
            context.remove(id);
        }
    }

    /// Takes in a record that the store does not have.
    fn keep(&mut self, record: Record) {
        self.touch(record.id);
        self.place(record);
    }

    /// Changes anything of a record but its question and number.
    fn change(&mut self, context_code: &str, id: u64, change: impl FnOnce(&mut Record)) -> bool {
        let Some(record) = self.contexts.get_mut(context_code).and_then(|c| c.get_mut(id)) else {
            return false;
        };
        change(record);
        self.touch(id);
        true
    }

    /// Changes what follows from a record: nobody asked for that, and it keeps none.
    fn renew(&mut self, context_code: &str, id: u64, change: impl FnOnce(&mut Record)) -> bool {
        let known = self.changed.get(&id).is_none_or(|(_, known)| *known);
        let changed = self.change(context_code, id, change);
        if let Some((_, renewed)) = self.changed.get_mut(&id) {
            *renewed = known;
        }
        changed
    }

    fn touch(&mut self, id: u64) {
        self.revision += 1;
        self.changed.insert(id, (self.revision, false));
    }
}
