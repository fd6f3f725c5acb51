//! The rule of k: which part of a result may leave, by the rows behind it and by what has left.
//!
//! Whether something is withheld is decided by rows that open columns choose and, of a protected
//! column, by which rows have a value; never by the values. So a refusal tells nothing of them.

use super::audit::{Audit, MOST_SETS};
use super::reads::{Aggregated, picks_row};
use super::{Level, Policy};
use crate::facts::{Grown, LEFT_OUT, NONE, Outcome, Support};
use crate::query::check::{CheckedQuery, Node, ResultKind};
use crate::schema::TableSchema;
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

/// Why nothing of a result leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reason {
    /// It depends on a hidden column.
    Hidden,
    /// It depends on a protected column otherwise than by a plain aggregate.
    Used,
    /// A statement of SQL: which columns and rows it depends on is not known.
    Sql,
    /// The rows behind it are not known.
    Unknown,
    /// Fewer than k rows.
    Few,
    /// With what has left before, something about fewer than k rows could be computed.
    Close,
}

/// What of a result may leave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Decision {
    /// Everything that the level allows.
    Open,
    /// Its columns.
    Shape,
    /// Some of it.
    Part(Rc<Part>),
    /// Nothing.
    Withheld(Reason),
}

/// What may leave of a result that falls under the rule of k.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Part {
    /// Rows of the result; of a table of rows, none.
    pub rows: Vec<usize>,
    /// Its columns.
    pub columns: Vec<usize>,
    /// Groups that are withheld.
    pub suppressed: u64,
    /// Columns that are withheld for the values that too few rows share.
    pub dropped: Vec<String>,
}

/// What an audit is kept for: a table, a load of it, its bars (timeframe and session); one column, or
/// the rows themselves.
type About = (String, u64, Option<String>, Option<String>);

/// What has been disclosed under the rule of k, of every table. One serves a page: conversations
/// side by side share it.
#[derive(Debug, Default)]
pub struct Guard {
    state: RefCell<State>,
    closed: bool,
}

#[derive(Debug, Default)]
struct State {
    /// The rows behind results that have not been decided on.
    supports: HashMap<String, Support>,
    /// By result and policy.
    decided: HashMap<(String, String), Decision>,
    audits: HashMap<About, Audit>,
    /// Versions of tables that rows were appended to: their record is that of what came of them.
    passed: HashSet<(String, u64)>,
    /// Versions with appended rows whose record holds what was told of the rows before.
    grown: HashSet<(String, u64)>,
    /// Those of them of whose bars nothing is told.
    barless: HashSet<(String, u64)>,
    /// Tables that were loaded again with less of them protected, with the number of the first result
    /// after it and the version from then on.
    opened: HashMap<String, (u64, u64)>,
}

impl Guard {
    /// A guard that knows of nothing disclosed.
    pub fn new() -> Self {
        Self::default()
    }

    /// A guard that has lost its memory: nothing leaves under the rule of k any more, because it may
    /// have left before.
    pub fn closed() -> Self {
        Self { closed: true, ..Self::default() }
    }

    /// Takes in the rows behind a result, before anything is told of it. Without them a result
    /// under the rule of k is withheld.
    pub fn learn(&self, result: &str, support: Support) {
        self.state.borrow_mut().supports.insert(result.to_owned(), support);
    }

    /// Takes in that `schema` is a table with appended rows: what was told of the rows before counts
    /// for it. Until then nothing of it leaves under the rule of k, and from then on nothing more of
    /// the table before. The host tells of every append, in their order: one left out is forgotten
    /// with what was told before it.
    pub fn appended(&self, schema: &TableSchema, grown: &Grown) {
        let mut state = self.state.borrow_mut();
        let version = |number| (schema.name.clone(), number);
        let told = schema.grown_from == Some(grown.from);
        // Of one table two cannot come: what was told of one would be new to the other.
        if !told || !state.passed.insert(version(grown.from)) {
            return;
        }
        let of = |about: &About| about.0 == schema.name && about.1 == grown.from;
        let audits: Vec<(About, Audit)> = state.audits.extract_if(|about, _| of(about)).collect();
        let told = !audits.is_empty() || state.barless.contains(&version(grown.from));
        let mut rows = None;
        for ((name, _, bars, column), audit) in audits {
            if bars.is_none() {
                state.audits.insert((name, schema.version, None, column), audit.grown(grown));
            } else {
                // Bars are made of the rows: what they add up to is told of those.
                rows = Some(Audit::new(grown.before, &[]).grown(grown));
            }
        }
        if let Some(rows) = rows {
            let about = (schema.name.clone(), schema.version, None, None);
            state.audits.entry(about).or_insert(rows);
        }
        // Which bars the rows went into is not known: of these nothing more is told.
        if told {
            state.barless.insert(version(schema.version));
        }
        state.grown.insert(version(schema.version));
    }

    /// Takes in that a table was loaded again and less of it is protected than was before: what the
    /// policy says now is said of the new rows. Results before number `next` that read the table of
    /// this name, and what code asked of it before it had `version`, are withheld from now on.
    pub fn opened(&self, table: &str, next: u64, version: u64) {
        self.state.borrow_mut().opened.insert(table.to_owned(), (next, version));
    }

    /// Whether some table was.
    pub(super) fn opened_some(&self) -> bool {
        !self.state.borrow().opened.is_empty()
    }

    /// Whether a query is of a table before it was loaded again with less of it protected. Of SQL
    /// the versions of its tables are not known.
    pub(super) fn is_of_before(&self, query: &CheckedQuery) -> bool {
        let state = self.state.borrow();
        let schema = query.schema();
        if query.sql().is_some() {
            return query.sql_reads().any(|(table, _)| state.opened.contains_key(table));
        }
        let opened = state.opened.get(&schema.name);
        opened.is_some_and(|(_, version)| schema.version < *version)
    }

    /// Whether a result came of a table that was loaded again since, with less of it protected.
    pub(super) fn is_past<'t>(&self, id: &str, mut tables: impl Iterator<Item = &'t str>) -> bool {
        let state = self.state.borrow();
        // What is computed for the check of a result is of the rows behind that.
        let computed = ["whole:", "all:"].into_iter().find_map(|of| id.strip_prefix(of));
        let own = computed.unwrap_or(id);
        let number = || own.strip_prefix('r').and_then(|id| id.parse::<u64>().ok());
        // Facts of the schema are of the tables as they are.
        !id.starts_with("schema:")
            && tables.any(|table| {
                let opened = state.opened.get(table);
                opened.is_some_and(|(next, _)| number().is_none_or(|own| own < *next))
            })
    }

    /// What may leave of `outcome`. The first answer stands: a result is decided on once a policy.
    pub(super) fn decide(
        &self,
        policy: &Policy,
        outcome: &Outcome,
        aggregated: &[Aggregated],
    ) -> Decision {
        if self.closed {
            return Decision::Withheld(Reason::Close);
        }
        let mut state = self.state.borrow_mut();
        let key = (outcome.id.clone(), policy.hash().to_owned());
        if let Some(decided) = state.decided.get(&key) {
            return decided.clone();
        }
        let decision = match state.supports.remove(&outcome.id) {
            None => return Decision::Withheld(Reason::Unknown),
            Some(support) => {
                let case = Case { policy, outcome, aggregated, support: &support };
                let judged = match state.knows(&outcome.query) {
                    Ok(()) => case.judge(&mut state.audits),
                    Err(reason) => Err(reason),
                };
                match judged {
                    Ok(part) => Decision::Part(Rc::new(part)),
                    Err(reason) => Decision::Withheld(reason),
                }
            }
        };
        state.decided.insert(key, decision.clone());
        decision
    }
}

impl State {
    /// Whether the record is of this version of a table.
    fn knows(&self, query: &CheckedQuery) -> Result<(), Reason> {
        let schema = query.schema();
        let version = (schema.name.clone(), schema.version);
        let of_bars = query.from().is_some() && self.barless.contains(&version);
        if of_bars || self.passed.contains(&version) {
            return Err(Reason::Close);
        }
        if schema.grown_from.is_some() && !self.grown.contains(&version) {
            return Err(Reason::Unknown);
        }
        Ok(())
    }
}

/// A result that falls under the rule of k.
struct Case<'a> {
    policy: &'a Policy,
    outcome: &'a Outcome,
    aggregated: &'a [Aggregated],
    support: &'a Support,
}

impl Case<'_> {
    fn judge(&self, audits: &mut HashMap<About, Audit>) -> Result<Part, Reason> {
        let Self { outcome, support, .. } = self;
        let sizes = support.sizes();
        let known = support.scanned() == outcome.rows_scanned
            && sizes.iter().sum::<u64>() == outcome.rows_matched;
        // What the rows of a later step stand for in the table is not told.
        if !known || outcome.query.steps().count() > 1 {
            return Err(Reason::Unknown);
        }
        if outcome.rows_matched < self.k() {
            return Err(Reason::Few);
        }
        if self.every_row_counts() && self.rows_by_picked() {
            return Err(Reason::Few);
        }
        if outcome.kind() == ResultKind::Table {
            return self.table(&sizes, audits);
        }
        let columns = self.protected();
        let mut by_column = Vec::with_capacity(columns.len());
        for &column in &columns {
            let missing = support.missing(column).ok_or(Reason::Unknown)?;
            by_column.push(self.sizes_without(&sizes, missing));
        }
        let shown = self.shown(&sizes, &by_column)?;
        // An order tells something of the groups that `limit` cuts: they are told of, too.
        let mut told = shown.clone();
        if sizes.len() > shown.len() && self.sorts_by_protected() {
            told.resize(sizes.len(), true);
        }
        self.audit(&told, &columns, audits)?;
        let rows: Vec<usize> = (0..shown.len()).filter(|&g| shown.get(g) == Some(&true)).collect();
        let suppressed = (shown.len() - rows.len()) as u64;
        let (columns, dropped) = self.columns(&rows);
        let told = |c: &usize| outcome.measures().contains(c);
        if !columns.iter().any(told) {
            return Err(Reason::Few);
        }
        Ok(Part { rows, columns, suppressed, dropped })
    }

    fn k(&self) -> u64 {
        self.policy.k()
    }

    /// At level `aggregate` every result falls under the rule; else those of protected columns.
    fn every_row_counts(&self) -> bool {
        self.policy.level() == Level::Aggregate
    }

    /// Computed columns, filters or keys hold what an aggregate picked from a row.
    fn rows_by_picked(&self) -> bool {
        let query = &self.outcome.query;
        let mut named = query.map().iter().chain(query.filter()).chain(query.keys());
        named.any(|named| picks_row(&named.expr))
    }

    fn protected(&self) -> BTreeSet<&str> {
        self.aggregated.iter().flat_map(|a| &a.columns).map(String::as_str).collect()
    }

    /// Rows, told of by statistics over all of them.
    fn table(&self, sizes: &[u64], audits: &mut HashMap<About, Audit>) -> Result<Part, Reason> {
        let outcome = self.outcome;
        let rows = outcome.rows.len() as u64;
        if sizes.first().copied().unwrap_or(0) != rows {
            return Err(Reason::Unknown);
        }
        if rows < self.k() {
            return Err(Reason::Few);
        }
        let audit = self.audit_of(None, &[], audits)?;
        let shown = |group| if group < LEFT_OUT { group } else { NONE };
        let audit = audit.with(&self.labels(shown), self.k()).ok_or(Reason::Close)?;
        let audit = self.counts(&audit)?;
        audits.insert(self.about(None), audit);
        let summed_up = outcome.summed_up();
        let may_count = |c: &usize| {
            let nulls = outcome.rows.stats(*c).nulls as u64;
            nulls == 0 || (nulls >= self.k() && rows.saturating_sub(nulls) >= self.k())
        };
        let (columns, dropped): (Vec<usize>, Vec<usize>) =
            (0..outcome.columns.len()).partition(|c| !summed_up.contains(c) || may_count(c));
        Ok(Part { columns, dropped: self.names(&dropped), ..Part::default() })
    }

    /// The sizes of the groups without the rows in `missing`.
    fn sizes_without(&self, sizes: &[u64], missing: &[u32]) -> Vec<u64> {
        let mut sizes = sizes.to_vec();
        for &row in missing {
            let group = self.support.groups.get(row as usize).filter(|&&group| group < LEFT_OUT);
            if let Some(size) = group.and_then(|&group| sizes.get_mut(group as usize)) {
                *size = size.saturating_sub(1);
            }
        }
        sizes
    }

    /// Which groups may be told of, by their sizes alone.
    fn shown(&self, sizes: &[u64], by_column: &[Vec<u64>]) -> Result<Vec<bool>, Reason> {
        let outcome = self.outcome;
        let mut shown = Vec::with_capacity(outcome.rows.len());
        for group in 0..outcome.rows.len() {
            shown.push(!self.is_small(group, sizes, by_column)?);
        }
        // Which groups come first by a protected measure says something of those that do not count.
        let cut = sizes.len() > outcome.rows.len();
        if cut && self.sorts_by_protected() {
            for group in 0..sizes.len() {
                if self.is_small(group, sizes, by_column)? {
                    return Err(Reason::Few);
                }
            }
        }
        let rows = std::iter::once(sizes).filter(|_| self.every_row_counts());
        for sizes in rows.chain(by_column.iter().map(Vec::as_slice)) {
            self.complement(sizes, &mut shown);
        }
        if shown.contains(&true) { Ok(shown) } else { Err(Reason::Few) }
    }

    /// A total minus the groups that are shown is the rest: it must have k rows too. While it has
    /// not, the next smallest group is withheld; of groups of one size the first by its name, since
    /// their order in the result may be that of a protected measure.
    fn complement(&self, sizes: &[u64], shown: &mut [bool]) {
        loop {
            let told = |group: usize| shown.get(group) == Some(&true);
            let rest: u64 =
                sizes.iter().enumerate().filter(|(g, _)| !told(*g)).map(|(_, size)| size).sum();
            if rest == 0 || rest >= self.k() {
                return;
            }
            let next = sizes.iter().enumerate().filter(|(g, _)| told(*g));
            let next = next.min_by_key(|(group, size)| (**size, self.name(*group)));
            let Some(next) = next.and_then(|(g, _)| shown.get_mut(g)) else { return };
            *next = false;
        }
    }

    /// The keys of a group as text.
    fn name(&self, group: usize) -> Vec<String> {
        let keys = self.outcome.keys().into_iter();
        keys.map(|column| self.outcome.value(group, column).to_string()).collect()
    }

    fn is_small(
        &self,
        group: usize,
        sizes: &[u64],
        by_column: &[Vec<u64>],
    ) -> Result<bool, Reason> {
        let k = self.k();
        let size = |sizes: &[u64]| sizes.get(group).copied().unwrap_or(0);
        let rows = size(sizes);
        if rows < k || by_column.iter().any(|sizes| size(sizes) < k) {
            return Ok(true);
        }
        for measure in self.outcome.query.measures() {
            let protected = self.aggregated.iter().find(|a| a.measure == measure.name);
            if measure.expr.columns().is_empty() || !self.every_row_counts() && protected.is_none()
            {
                continue;
            }
            let counted = self.support.counted(&measure.name, group).ok_or(Reason::Unknown)?;
            let without = rows.saturating_sub(counted);
            if counted < k || (counts_values(measure) && (1..k).contains(&without)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn sorts_by_protected(&self) -> bool {
        let mut names = self.outcome.query.sort().iter().flat_map(|key| key.expr.columns());
        names.any(|name| self.aggregated.iter().any(|a| a.measure == name))
    }

    fn labels(&self, label: impl Fn(u32) -> u32) -> Vec<u32> {
        self.support.groups.iter().map(|&group| label(group)).collect()
    }

    /// An audit with the numbers of rows that are told beside everything: those that entered `where`
    /// and those that left it.
    fn counts(&self, audit: &Audit) -> Result<Audit, Reason> {
        let scanned = self.labels(|group| if group == NONE { NONE } else { 0 });
        let matched = self.labels(|group| if group < LEFT_OUT { 0 } else { NONE });
        let audit = audit.with(&scanned, self.k()).ok_or(Reason::Close)?;
        audit.with(&matched, self.k()).ok_or(Reason::Close)
    }

    /// Refuses what would let something be computed together with earlier disclosures; else adds it
    /// to them.
    fn audit(
        &self,
        shown: &[bool],
        columns: &BTreeSet<&str>,
        audits: &mut HashMap<About, Audit>,
    ) -> Result<(), Reason> {
        if shown.iter().filter(|shown| **shown).count() > MOST_SETS {
            return Err(Reason::Close);
        }
        let told =
            |&group: &u32| if shown.get(group as usize) == Some(&true) { group } else { NONE };
        let groups: Vec<u32> = self.support.groups.iter().map(told).collect();
        let mut next = Vec::new();
        if self.every_row_counts() {
            let audit = self.audit_of(None, &[], audits)?;
            let audit = audit.with(&groups, self.k()).ok_or(Reason::Close)?;
            next.push((self.about(None), self.counts(&audit)?));
        }
        if !columns.is_empty() {
            // Columns may say the same in other words (a salary in two currencies): the rows with a
            // value that any of them was told of are one record.
            let mut audit = self.audit_of(Some(ANY), &[], audits)?.into_owned();
            for column in columns {
                let missing = self.support.missing(column).ok_or(Reason::Unknown)?;
                let mut valued = groups.clone();
                for &row in missing {
                    if let Some(group) = valued.get_mut(row as usize) {
                        *group = NONE;
                    }
                }
                audit = audit.with(&valued, self.k()).ok_or(Reason::Close)?;
            }
            next.push((self.about(Some(ANY)), audit));
        }
        for column in columns {
            let missing = self.support.missing(column).ok_or(Reason::Unknown)?;
            let before = self.audit_of(Some(column), missing, audits)?;
            let audit = before.with(&groups, self.k()).ok_or(Reason::Close)?;
            if audit.rank() > before.rank() {
                self.apart_from_the_whole(&groups, missing)?;
            }
            next.push((self.about(Some(column)), audit));
        }
        audits.extend(next);
        Ok(())
    }

    /// Of a table that grew by fewer than k rows the whole is not taken as told; still no set
    /// that says something new may differ from it by fewer.
    fn apart_from_the_whole(&self, groups: &[u32], missing: &[u32]) -> Result<(), Reason> {
        if self.outcome.query.schema().grown_from.is_none() {
            return Ok(());
        }
        let all = (groups.len() - missing.len()) as u64;
        let mut sizes: HashMap<u32, u64> = HashMap::new();
        for (row, &group) in groups.iter().enumerate().filter(|(_, group)| **group != NONE) {
            let valued = u32::try_from(row).is_ok_and(|row| missing.binary_search(&row).is_err());
            *sizes.entry(group).or_default() += u64::from(valued);
        }
        let close = |size: &u64| (1..self.k()).contains(&all.saturating_sub(*size));
        if sizes.values().any(close) { Err(Reason::Close) } else { Ok(()) }
    }

    fn about(&self, column: Option<&str>) -> About {
        let query = &self.outcome.query;
        let schema = query.schema();
        let bars = query.from().map(|timeframe| {
            let session = query.frame().session().map(|s| s.name.as_str()).unwrap_or_default();
            format!("{} {session}", timeframe.name())
        });
        (schema.name.clone(), schema.version, bars, column.map(str::to_owned))
    }

    /// The audit so far. Only rows that a result of the same table counted can be compared.
    fn audit_of<'s>(
        &self,
        column: Option<&str>,
        missing: &[u32],
        audits: &'s HashMap<About, Audit>,
    ) -> Result<Cow<'s, Audit>, Reason> {
        let rows = self.support.groups.len();
        let has_grown = self.outcome.query.schema().grown_from.is_some();
        match audits.get(&self.about(column)) {
            Some(audit) if audit.rows() != rows => Err(Reason::Unknown),
            Some(audit) if has_grown && column != Some(ANY) => {
                Ok(Cow::Owned(audit.clone().without(missing).whole(self.k())))
            }
            Some(audit) => Ok(Cow::Borrowed(audit)),
            // Of no column is the sum of the whole table known before it is told.
            None if column == Some(ANY) => Ok(Cow::Owned(Audit::of_nothing(rows))),
            None => Ok(Cow::Owned(Audit::new(rows, missing))),
        }
    }

    /// The columns that may be told of for these rows, and the names of the others: values of rows
    /// that fewer than k of them share.
    fn columns(&self, rows: &[usize]) -> (Vec<usize>, Vec<String>) {
        let is_shared = |name: &str| {
            rows.iter().all(|&row| self.support.shared(name, row).is_some_and(|n| n >= self.k()))
        };
        let measures = self.outcome.query.measures();
        // At level `aggregate` no value of a chosen row is told, of an open column either.
        let picks = |name: &str| {
            let measure = measures.iter().find(|m| m.name == name);
            self.every_row_counts() && measure.is_some_and(|m| picks_row(&m.expr))
        };
        let gives = |name: &str| {
            let found = self.aggregated.iter().find(|a| a.measure == name);
            picks(name) || found.is_some_and(|a| a.gives_row_value) && !is_shared(name)
        };
        // What `columns` computes from such a value gives it away as well.
        let projected = self.outcome.query.columns().unwrap_or_default();
        let withheld = |name: &str| {
            let made = projected.iter().filter(|named| named.name == name);
            gives(name) || made.flat_map(|named| named.expr.columns()).any(gives)
        };
        let name = |c: usize| self.outcome.columns.get(c).map_or("", |o| o.column.name.as_str());
        let (columns, dropped): (Vec<usize>, Vec<usize>) =
            (0..self.outcome.columns.len()).partition(|&c| !withheld(name(c)));
        (columns, self.names(&dropped))
    }

    fn names(&self, columns: &[usize]) -> Vec<String> {
        let columns = columns.iter().filter_map(|&c| self.outcome.columns.get(c));
        columns.map(|o| o.column.name.clone()).collect()
    }
}

/// What stands for all protected columns of a table. No column has an empty name.
const ANY: &str = "";

/// True where a measure says how many rows have a value.
fn counts_values(measure: &crate::query::check::Named) -> bool {
    let mut counts = false;
    measure.expr.visit(&mut |part| {
        if let Node::Call { function, args } = &part.node {
            counts |= function.name == "count" && !args.is_empty();
        }
    });
    counts
}
