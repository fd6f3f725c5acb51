//! The one place where texts that leave are made.

use super::cells::Cells;
use super::guard::{Decision, Guard, Reason};
use super::mask::Mask;
use super::reads::{Aggregated, Use, literals, names_read, uses};
use super::schema::name;
use super::view::{masked, part_of};
use super::{Disclosed, Level, Policy, Provenance, What, Why, Withheld};
use crate::error::{Diagnostic, Error, Locale};
use crate::facts::{Outcome, Support};
use crate::query::CheckedQuery;
use crate::query::check::{OutputColumn, ResultKind, Warning};
use crate::schema::TableSchema;
use crate::summary::{Options, Summary, clean, cut, inline, preview, summarise};
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

/// A message or a list of choices in a diagnostic is cut there.
const MOST_CHARACTERS: usize = 600;
const MOST_CHOICES: usize = 20;

/// So many names of a list are told, each up to so many characters.
const MOST_NAMES: usize = 5;
const MOST_OF_NAME: usize = 40;

/// Makes the pieces that may leave, as a policy allows.
#[derive(Debug, Clone, Copy)]
pub struct Gate<'a> {
    policy: &'a Policy,
    guard: Option<&'a Guard>,
    cells: Option<&'a Cells>,
}

impl<'a> Gate<'a> {
    /// A gate that keeps `policy`. Without a guard, what falls under the rule of k is withheld.
    pub fn new(policy: &'a Policy) -> Self {
        Self { policy, guard: None, cells: None }
    }

    /// The same with the record of what has been disclosed under the rule of k.
    #[must_use]
    pub fn with_guard(self, guard: &'a Guard) -> Self {
        Self { guard: Some(guard), ..self }
    }

    /// The same with the protected cells that are masked in what the person writes.
    #[must_use]
    pub fn with_cells(self, cells: &'a Cells) -> Self {
        Self { cells: Some(cells), ..self }
    }

    /// The policy that it keeps.
    pub fn policy(&self) -> &'a Policy {
        self.policy
    }

    pub(super) fn guard(&self) -> Option<&'a Guard> {
        self.guard
    }

    pub(super) fn piece(&self, text: String, provenance: Provenance) -> Disclosed {
        Disclosed::new(text, self.policy, provenance)
    }

    fn plain(&self, text: impl Into<String>) -> Disclosed {
        self.piece(text.into(), Provenance::default())
    }

    /// A text that tells of nothing, and keeps something back.
    fn keeping(&self, text: String, withheld: impl IntoIterator<Item = Withheld>) -> Disclosed {
        self.piece(text, Provenance::default().without(withheld))
    }

    /// A text that may name columns of `tables` without telling of their values.
    fn naming<'t>(
        &self,
        text: String,
        tables: impl IntoIterator<Item = &'t Arc<TableSchema>>,
        withheld: impl IntoIterator<Item = Withheld>,
    ) -> Disclosed {
        let tables = tables.into_iter().map(|table| table.name.clone()).collect();
        let told = Provenance { tables, ..Provenance::default() };
        self.piece(text, told.without(withheld))
    }

    /// A text of the program.
    pub fn constant(&self, text: &'static str) -> Disclosed {
        self.plain(text)
    }

    /// A text that code makes of the language alone (a function reference): a plain function can
    /// hold no data.
    pub fn generated(&self, make: fn(Locale) -> String, locale: Locale) -> Disclosed {
        self.plain(make(locale))
    }

    /// What the person typed: verbatim, but for protected cells that the gate was given.
    pub fn typed_by_person(&self, text: &str) -> Disclosed {
        let text = self.cells.map_or_else(|| text.to_owned(), |cells| cells.mask(text));
        let masked = Withheld::masks(&text, What::Words, Why::Cell);
        self.keeping(text, masked)
    }

    /// The model's own words or arguments, replayed to the endpoint that wrote them: verbatim. Never
    /// what was delivered in their place, and nothing masked: a mask would tell the model which of
    /// its guesses are cells.
    pub fn model_words(&self, text: &str) -> Disclosed {
        self.plain(text)
    }

    /// Pieces one after another, `separator` between those that are not empty.
    pub fn join(&self, pieces: &[Disclosed], separator: &'static str) -> Disclosed {
        Disclosed::join(pieces, separator, self.policy)
    }

    /// True when nothing of a query's result leaves, whatever its rows: it depends on a hidden
    /// column, or on a protected one otherwise than by plain aggregates; SQL on any protected one.
    pub fn withholds(&self, query: &CheckedQuery) -> bool {
        self.aggregated(query).is_err()
    }

    /// True where all of a query's result may be told as its summary tells it: it depends on no
    /// protected column, and the level lets results be told. The rows do not matter.
    pub fn opens(&self, query: &CheckedQuery) -> bool {
        let open = self.aggregated(query).is_ok_and(|aggregated| aggregated.is_empty());
        open && self.policy.level() >= Level::Summary
    }

    /// Where what leaves of a query's result is up to the rows behind it: the protected columns
    /// under its aggregates. The host then tells the guard of the rows, by [`Guard::learn`], before
    /// anything is told of the result.
    pub fn asks_for_support(&self, query: &CheckedQuery) -> Option<BTreeSet<String>> {
        let aggregated = self.aggregated(query).ok()?;
        let falls_under_k = match self.policy.level() {
            Level::Schema => false,
            Level::Aggregate => true,
            Level::Summary | Level::Preview => !aggregated.is_empty(),
        };
        falls_under_k.then(|| aggregated.into_iter().flat_map(|a| a.columns).collect())
    }

    /// Tells the guard of the rows behind a result.
    pub fn learn(&self, result: &str, support: Support) {
        if let Some(guard) = self.guard {
            guard.learn(result, support);
        }
    }

    /// The members of `select` that aggregate protected columns, or why nothing leaves.
    fn aggregated(&self, query: &CheckedQuery) -> Result<Vec<Aggregated>, Reason> {
        if query.schema().computed {
            // Any cell that a script has read may stand in any column, and in the names of columns.
            let known = query.sql().is_some() && self.policy.level() >= Level::Summary;
            let open = || query.sql_reads().all(|(table, name)| !self.policy.protects(table, name));
            return if known && open() { Ok(Vec::new()) } else { Err(Reason::Unknown) };
        }
        if query.sql().is_some() {
            // How many rows stand behind a value of SQL is not known.
            let protected =
                query.sql_reads().any(|(table, name)| self.policy.protects(table, name));
            let told = !protected && self.policy.level() != Level::Aggregate;
            return if told { Ok(Vec::new()) } else { Err(Reason::Sql) };
        }
        let table = &query.schema().name;
        if uses(query, |name| self.policy.hides(table, name)) != Use::None {
            return Err(Reason::Hidden);
        }
        match uses(query, |name| self.policy.protects(table, name)) {
            Use::None => Ok(Vec::new()),
            Use::Aggregated(aggregated) => Ok(aggregated),
            Use::Otherwise => Err(Reason::Used),
        }
    }

    /// What is told of a query that failed as it ran, where that it failed would tell something of
    /// values that are withheld: the same as of a result of which nothing leaves. `id` is the one
    /// that the result would have had.
    pub fn failure(
        &self,
        query: &CheckedQuery,
        id: Option<&str>,
        locale: Locale,
    ) -> Option<Disclosed> {
        if id.is_some_and(|id| self.is_past(query, id)) {
            return Some(self.withheld(id.unwrap_or_default(), Reason::Unknown, locale));
        }
        let id = id.unwrap_or_default();
        match self.aggregated(query) {
            Err(reason) => Some(self.withheld(id, reason, locale)),
            Ok(_) if self.policy.level() == Level::Schema => {
                Some(self.shape(query, query.output(), id, locale))
            }
            Ok(_) => self.asks_for_support(query).map(|_| self.withheld(id, Reason::Few, locale)),
        }
    }

    /// What is told of a call of several statements of which nothing leaves, whether it ended or
    /// failed, and whatever it found: what it may read decides, never how far it came. `None` where
    /// its results, or why it failed, are told.
    /// The ids of its list and of its totals are known before it runs, and so are the columns of the
    /// totals: a reference can name them.
    pub fn withheld_call(
        &self,
        reads: &BTreeSet<(String, String)>,
        ids: &[String],
        columns: &[&'static str],
        locale: Locale,
    ) -> Option<Disclosed> {
        if !self.withholds_call(reads, ids) {
            return None;
        }
        let list = ids.first().map(String::as_str).unwrap_or_default();
        let said = self.withheld(list, Reason::Sql, locale);
        let (Some(totals), false) = (ids.get(1), columns.is_empty()) else { return Some(said) };
        let (totals, columns) = (cut(&clean(totals), 20), columns.join(", "));
        let kept_back = Withheld::new(What::Result, Reason::Sql).of(&*totals);
        let more = match locale {
            Locale::En => format!("; its totals are {totals}: {columns}"),
            Locale::Ru => format!("; его итоги – {totals}: {columns}"),
        };
        Some(self.join(&[said, self.keeping(more, [kept_back])], ""))
    }

    /// True when nothing of a call of several statements leaves that may read these columns, and
    /// whose results have these ids.
    pub fn withholds_call(&self, reads: &BTreeSet<(String, String)>, ids: &[String]) -> bool {
        let open = reads.iter().all(|(table, column)| !self.policy.protects(table, column));
        let past = ids.iter().any(|id| {
            let tables = reads.iter().map(|(table, _)| table.as_str());
            self.guard.is_some_and(|guard| guard.is_past(id, tables))
        });
        !(open && self.policy.level() >= Level::Summary) || past
    }

    /// True of a result of a table that was loaded again since, with less of it protected.
    fn is_past(&self, query: &CheckedQuery, id: &str) -> bool {
        let own = (query.sql().is_none()).then(|| query.schema().name.as_str());
        let tables = own.into_iter().chain(query.sql_reads().map(|(table, _)| table));
        self.guard.is_some_and(|guard| guard.is_past(id, tables))
    }

    /// What of a result may leave.
    pub(super) fn decide(&self, outcome: &Outcome) -> Decision {
        if self.is_past(&outcome.query, &outcome.id) {
            return Decision::Withheld(Reason::Unknown);
        }
        let aggregated = match self.aggregated(&outcome.query) {
            Ok(aggregated) => aggregated,
            Err(reason) => return Decision::Withheld(reason),
        };
        let level = self.policy.level();
        if level == Level::Schema {
            return Decision::Shape;
        }
        if aggregated.is_empty() && level >= Level::Summary {
            return Decision::Open;
        }
        match self.guard {
            Some(guard) => guard.decide(self.policy, outcome, &aggregated),
            None => Decision::Withheld(Reason::Unknown),
        }
    }

    /// What of a result a model's claims may be checked against so that it hears of the check: what
    /// the policy lets it know. `None` where that is nothing, or statistics alone.
    pub fn checkable(&self, outcome: &Outcome) -> Option<Outcome> {
        match self.decide(outcome) {
            Decision::Shape | Decision::Withheld(_) => None,
            Decision::Open => {
                let protected = self.protected_columns(outcome.query.schema());
                let open = |&c: &usize| {
                    let column = outcome.columns.get(c);
                    column.is_some_and(|o| !protected.contains(&o.column.name))
                };
                let columns: Vec<usize> = (0..outcome.columns.len()).filter(open).collect();
                Some(self.redacted(&masked(outcome, &columns, |_| true)))
            }
            Decision::Part(_) if outcome.kind() == ResultKind::Table => None,
            Decision::Part(part) => {
                let told = masked(outcome, &part.columns, |row| part.rows.contains(&row));
                Some(self.redacted(&told))
            }
        }
    }

    /// The summary of a result as the policy allows. At level `schema` only what kind of result it
    /// is; at level `aggregate`, and of protected columns at any level, only what at least k rows
    /// stand behind; at level `preview` the first rows besides.
    pub fn summary(&self, outcome: &Outcome, summary: &Summary, locale: Locale) -> Disclosed {
        if !summary.is_of(outcome) {
            return self.withheld(&outcome.id, Reason::Unknown, locale);
        }
        match self.decide(outcome) {
            Decision::Withheld(reason) => self.withheld(&outcome.id, reason, locale),
            Decision::Shape => self.shape(&outcome.query, &outcome.columns, &outcome.id, locale),
            Decision::Open => {
                let mut text = self.allowed(outcome, summary, &[]).model_text(locale);
                if self.policy.level() == Level::Preview && outcome.kind() == ResultKind::Table {
                    text.push('\n');
                    text.push_str(&self.preview(outcome, locale));
                }
                self.piece(text, self.told_by(outcome))
            }
            Decision::Part(part) => {
                let told = part_of(outcome, &part, self.policy.k());
                let options = Options { all_groups: summary.lists_groups() };
                let mut allowed = self.allowed(&told, &summarise(&told, &options), &part.dropped);
                if outcome.kind() == ResultKind::Table {
                    allowed = allowed.without_ends();
                }
                let allowed = allowed.with_suppressed(part.suppressed);
                let told = self.told_by(outcome).without(part.kept_back(outcome));
                self.piece(allowed.model_text(locale), told)
            }
        }
    }

    /// The summary of a list, with the first of the names in a column of it, each once, in its order.
    pub fn listed(
        &self,
        outcome: &Outcome,
        summary: &Summary,
        column: Option<&str>,
        locale: Locale,
    ) -> Disclosed {
        let told = self.summary(outcome, summary, locale);
        let column = column.and_then(|name| Some((name, outcome.column(name)?)));
        let Some((title, place)) = column.filter(|(title, _)| {
            let protected = self.policy.protects(&outcome.query.schema().name, title);
            // The first rows, at level `preview`, name them already.
            self.policy.level() == Level::Summary && !protected
        }) else {
            return told;
        };
        if !matches!(self.decide(outcome), Decision::Open) || !summary.is_of(outcome) {
            return told;
        }
        let mut seen: HashSet<String> = HashSet::new();
        let mut names = Vec::new();
        for row in 0..outcome.rows.len() {
            let value = outcome.value(row, place);
            if !value.is_null() && seen.insert(value.to_string()) && names.len() < MOST_NAMES {
                names.push(inline(&value, MOST_OF_NAME));
            }
        }
        if names.is_empty() {
            return told;
        }
        if seen.len() > names.len() {
            let more = seen.len() - names.len();
            names.push(match locale {
                Locale::En => format!("+{more} more"),
                Locale::Ru => format!("+ещё {more}"),
            });
        }
        let line = format!("  {}: {}", clean(title), names.join(", "));
        self.join(&[told, self.piece(line, self.told_by(outcome))], "\n")
    }

    /// A summary without what protected columns and those in `dropped` say of themselves.
    fn allowed(&self, outcome: &Outcome, summary: &Summary, dropped: &[String]) -> Summary {
        let schema = outcome.query.schema();
        let mut protected = self.protected_columns(schema);
        protected.extend_from_slice(dropped);
        let mask = Mask::new(self.policy, std::slice::from_ref(schema));
        summary.without(&protected, |warning| Warning {
            code: warning.code,
            message: crate::error::Text {
                en: mask.text(&warning.message.en),
                ru: mask.text(&warning.message.ru),
            },
        })
    }

    /// The first rows and the values of open columns.
    fn preview(&self, outcome: &Outcome, locale: Locale) -> String {
        let table = &outcome.query.schema().name;
        let columns: Vec<usize> = (0..outcome.columns.len())
            .filter(|&c| {
                let output = outcome.columns.get(c);
                output.is_some_and(|o| !self.policy.protects(table, &o.column.name))
            })
            .collect();
        preview(outcome, &columns, locale)
    }

    /// What a summary tells of: the columns that it depends on and those that name its rows.
    pub(super) fn told_by(&self, outcome: &Outcome) -> Provenance {
        let schema = outcome.query.schema();
        let mut names = names_read(&outcome.query);
        if outcome.kind() == ResultKind::Table {
            let told = if self.policy.level() == Level::Preview {
                (0..outcome.columns.len()).collect()
            } else {
                outcome.naming()
            };
            let told = told.into_iter().filter_map(|c| outcome.columns.get(c));
            names.extend(told.map(|c| c.column.name.clone()));
        }
        let columns = if schema.computed {
            // The names that a script gives to columns may be cells.
            outcome.query.sql_reads().map(|(table, name)| format!("{table}.{name}")).collect()
        } else {
            names
                .iter()
                .filter(|n| schema.column(n).is_some() && !self.policy.hides(&schema.name, n))
                .map(|n| format!("{}.{n}", schema.name))
                .collect()
        };
        Provenance { columns, results: [outcome.id.clone()].into(), ..Provenance::default() }
    }

    fn protected_columns(&self, schema: &TableSchema) -> Vec<String> {
        let all = schema.columns.iter().map(|c| &c.name);
        all.filter(|name| self.policy.protects(&schema.name, name)).cloned().collect()
    }

    fn withheld(&self, id: &str, reason: Reason, locale: Locale) -> Disclosed {
        let id = cut(&clean(id), 20);
        let k = self.policy.k();
        let said = match locale {
            Locale::En => {
                format!("Result: shown to the user as {id}; the policy withholds it from you")
            }
            Locale::Ru => {
                format!("Результат: показан пользователю как {id}; политика не раскрывает его вам")
            }
        };
        let why = match (reason, locale) {
            (Reason::Hidden | Reason::Sql | Reason::Unknown, _) => String::new(),
            (Reason::Used, Locale::En) => {
                ": a protected column may stand alone under an aggregate, nowhere else".to_owned()
            }
            (Reason::Used, Locale::Ru) => {
                ": защищённый столбец может стоять только один под агрегатом".to_owned()
            }
            (Reason::Few, Locale::En) => format!(": fewer than {k} rows stand behind it"),
            (Reason::Few, Locale::Ru) => format!(": за ним меньше {k} строк"),
            (Reason::Close, Locale::En) => {
                format!(": with earlier results it would tell of fewer than {k} rows")
            }
            (Reason::Close, Locale::Ru) => {
                format!(": вместе с прежними он рассказал бы меньше чем о {k} строках")
            }
        };
        self.keeping(said + &why, [Withheld::new(What::Result, reason).of(id)])
    }

    /// Level `schema`: columns and kinds, no value and no count. Warnings of the check come from the
    /// query alone and are told; those of the run come from the data.
    fn shape(
        &self,
        query: &CheckedQuery,
        columns: &[OutputColumn],
        id: &str,
        locale: Locale,
    ) -> Disclosed {
        let schema = query.schema();
        let id = cut(&clean(id), 20);
        let mut columns: Vec<String> = columns
            .iter()
            .filter(|c| !self.policy.hides(&schema.name, &c.column.name))
            .map(|c| format!("{} ({})", name(&c.column.name), c.column.kind.name()))
            .collect();
        if columns.len() > MOST_CHOICES {
            let more = columns.len() - MOST_CHOICES;
            columns.truncate(MOST_CHOICES);
            columns.push(format!("+{more} more"));
        }
        let columns = columns.join(", ");
        let mask = Mask::new(self.policy, std::slice::from_ref(schema));
        let mut text = match locale {
            Locale::En => format!(
                "Result: shown to the user as {id}, columns {columns}; the policy withholds its values from you"
            ),
            Locale::Ru => format!(
                "Результат: показан пользователю как {id}, столбцы {columns}; политика не раскрывает вам значения"
            ),
        };
        for warning in query.warnings() {
            text.push_str(match locale {
                Locale::En => "\n  warning: ",
                Locale::Ru => "\n  предупреждение: ",
            });
            text.push_str(&clean(&mask.text(warning.message.get(locale))));
        }
        let level = Withheld::new(What::Result, Why::Level).of(id);
        self.naming(text, [schema], [level])
    }

    /// Problems of an input, one a line. Hidden names and values that may not be listed are taken
    /// out of messages, choices and fixes; `tables` are all that are loaded.
    pub fn diagnostics(
        &self,
        diagnostics: &[Diagnostic],
        tables: &[Arc<TableSchema>],
        locale: Locale,
    ) -> Disclosed {
        let mask = Mask::new(self.policy, tables);
        let mut kept_back = None;
        let mut text = String::from(match locale {
            Locale::En => "Error:",
            Locale::Ru => "Ошибка:",
        });
        for diagnostic in diagnostics {
            let mut told = mask.diagnostic(diagnostic);
            let whole = told.choices.len() == diagnostic.choices.len();
            told.choices.truncate(MOST_CHOICES);
            text.push_str("\n- ");
            text.push_str(&cut(&clean(&told.render(locale)), MOST_CHARACTERS));
            if !whole || (&told.message, &told.fix) != (&diagnostic.message, &diagnostic.fix) {
                kept_back = Some(Withheld::new(What::Names, Why::Policy));
            }
        }
        self.naming(text, tables, kept_back)
    }

    /// Why a call of several statements failed that may read these columns, and whose results would
    /// have had these ids: that it did tells of the columns.
    pub fn failed_call(
        &self,
        reads: &BTreeSet<(String, String)>,
        ids: &[String],
        diagnostics: &[Diagnostic],
        tables: &[Arc<TableSchema>],
        locale: Locale,
    ) -> Disclosed {
        let open = reads.iter().filter(|(table, column)| !self.policy.hides(table, column));
        let columns = open.map(|(table, column)| format!("{table}.{column}")).collect();
        let results = ids.iter().cloned().collect();
        let about = Provenance { columns, results, ..Provenance::default() };
        self.diagnostics(diagnostics, tables, locale).telling_of(&about)
    }

    /// An error: its diagnostics, or a code without detail.
    pub fn error(&self, error: &Error, tables: &[Arc<TableSchema>], locale: Locale) -> Disclosed {
        self.diagnostics(&error.diagnostics(), tables, locale)
    }

    /// What stands for a long tool result in later turns. `rows` and `id` for tools that made a
    /// result; the count is a result value and is left out at level `schema`.
    pub fn replacement(&self, tool: &str, rows: Option<u64>, id: Option<&str>) -> Disclosed {
        let tool = cut(&clean(tool), 64);
        let Some(id) = id else { return self.plain(format!("[{tool}: call again]")) };
        let id = cut(&clean(id), 20);
        let told = self.policy.level() >= Level::Summary && !self.policy.protects_some();
        let rows = rows.filter(|_| told);
        let count = rows.map(|n| format!("{n} ")).unwrap_or_default();
        let text =
            format!("[{tool}: {count}rows shown to the user as {id} – query again for details]");
        let mut provenance = Provenance::default();
        if rows.is_some() {
            provenance.results.insert(id);
        }
        self.piece(text, provenance)
    }

    /// How many rows stand behind a result, or behind one of its groups. Nothing of them but that.
    pub fn behind(&self, outcome: &Outcome, group: bool, rows: u64, locale: Locale) -> Disclosed {
        if !self.opens(&outcome.query) {
            return self.unavailable(&outcome.id, locale);
        }
        let id = cut(&clean(&outcome.id), 20);
        let text = match (locale, group) {
            (Locale::En, false) => format!("Rows behind {id}: {rows}; the user can open them"),
            (Locale::En, true) => {
                format!("Rows behind this group of {id}: {rows}; the user can open them")
            }
            (Locale::Ru, false) => {
                format!("Строк за {id}: {rows}; пользователь может их открыть")
            }
            (Locale::Ru, true) => {
                format!("Строк за этой группой {id}: {rows}; пользователь может их открыть")
            }
        };
        self.piece(text, self.told_by(outcome))
    }

    /// What code makes of numbers that a model reports, in its own words, and of a result all of which
    /// may be told. `make` sees of the result what a model may know, and a plain function can hold
    /// nothing else.
    pub fn reported<W>(
        &self,
        outcome: &Outcome,
        words: &W,
        make: fn(&Outcome, &W, Locale) -> String,
        locale: Locale,
    ) -> Disclosed {
        match self.checkable(outcome).filter(|_| self.opens(&outcome.query)) {
            Some(known) => self.piece(make(&known, words, locale), self.told_by(outcome)),
            None => self.unavailable(&outcome.id, locale),
        }
    }

    /// What is told of a result that is withheld, failed, is no longer there or never was: which of
    /// these it is would tell of values that are withheld.
    pub fn unavailable(&self, id: &str, locale: Locale) -> Disclosed {
        let id = cut(&clean(id), 20);
        let kept_back = Withheld::new(What::Result, Reason::Unknown).of(&*id);
        let said = match locale {
            Locale::En => format!(
                "Not available: {id} is no result that you were told in full, or it is too long ago"
            ),
            Locale::Ru => {
                format!(
                    "Недоступно: {id} – не результат, который вам раскрыли целиком, или это было давно"
                )
            }
        };
        self.keeping(said, [kept_back])
    }

    /// What stands for a turn that was answered without the model.
    pub fn on_device(&self, query: &CheckedQuery) -> Disclosed {
        let text = self.canonical_on_device(query);
        if text.as_str().is_empty() {
            return self.constant("[answered on the device]");
        }
        let pieces = [self.constant("[answered on the device: "), text, self.constant("]")];
        self.join(&pieces, "")
    }

    /// The canonical form of a query that the model wrote, so that a follow-up can change one field
    /// of it; empty where it may not be shown. Its values are the model's own words, as in
    /// [`Self::model_words`].
    pub fn canonical(&self, query: &CheckedQuery) -> Disclosed {
        if query.sql().is_some() || self.withholds(query) {
            return self.constant("");
        }
        self.naming(clean(&query.canonical().to_string()), [query.schema()], None)
    }

    /// The same of a query that the device answered. It holds what the person typed, and values that
    /// code has looked up: with a protected cell among them it is not shown.
    pub fn canonical_on_device(&self, query: &CheckedQuery) -> Disclosed {
        let of_before = self.guard.is_some_and(|guard| guard.is_of_before(query));
        if of_before || self.holds_cells(query) { self.constant("") } else { self.canonical(query) }
    }

    /// Whether a text or a number of a query is a protected cell.
    fn holds_cells(&self, query: &CheckedQuery) -> bool {
        let mask = Mask::new(self.policy, std::slice::from_ref(query.schema()));
        let written = query.canonical().to_string();
        let cells = |text: &str| -> Vec<String> {
            let found = self.cells.map(|cells| cells.found(text)).unwrap_or_default();
            found.into_iter().map(str::to_owned).collect()
        };
        let numbers = cells(&written);
        numbers.iter().any(|found| found.contains(|c: char| c.is_ascii_digit()))
            || literals(query)
                .iter()
                .any(|text| mask.is_protected_value(text) || !cells(text).is_empty())
    }
}
