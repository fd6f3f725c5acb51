//! The one place where texts that leave are made.

use super::mask::Mask;
use super::reads::{literals, names_made, names_read};
use super::schema::name;
use super::{Disclosed, Level, Policy, Provenance};
use crate::error::{Diagnostic, Error, Locale};
use crate::facts::Outcome;
use crate::query::CheckedQuery;
use crate::query::check::{ResultKind, Role, Warning};
use crate::schema::TableSchema;
use crate::summary::{Summary, clean, cut, display};
use crate::value::Value;
use std::sync::Arc;

/// A message or a list of choices in a diagnostic is cut there.
const MOST_CHARACTERS: usize = 600;
const MOST_CHOICES: usize = 20;

/// Makes the pieces that may leave, as a policy allows.
#[derive(Debug, Clone)]
pub struct Gate<'a> {
    policy: &'a Policy,
}

/// What the check of a draft found, for the draft's author.
#[derive(Clone, Copy)]
pub struct Finding<'a> {
    /// The author's own words.
    pub words: &'a str,
    /// The cell or count that says otherwise: the result, its row (`None` for a fact about the
    /// whole), and the column, `rows`, `rows_matched`, `rows_scanned`, `rows_before_limit` or
    /// `stats.<column>.<min|max|mean>`. `None` where no result holds such a fact.
    pub fact: Option<(&'a Outcome, Option<usize>, &'a str)>,
}

impl<'a> Gate<'a> {
    /// A gate that keeps `policy`.
    pub fn new(policy: &'a Policy) -> Self {
        Self { policy }
    }

    /// The policy that it keeps.
    pub fn policy(&self) -> &'a Policy {
        self.policy
    }

    pub(super) fn piece(&self, text: String, provenance: Provenance) -> Disclosed {
        Disclosed::new(text, self.policy, provenance)
    }

    fn plain(&self, text: impl Into<String>) -> Disclosed {
        self.piece(text.into(), Provenance::default())
    }

    /// A text that may name columns of `tables` without telling of their values.
    fn naming<'t>(
        &self,
        text: String,
        tables: impl IntoIterator<Item = &'t Arc<TableSchema>>,
    ) -> Disclosed {
        let tables = tables.into_iter().map(|table| table.name.clone()).collect();
        self.piece(text, Provenance { tables, ..Provenance::default() })
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

    /// What the person typed, verbatim.
    pub fn typed_by_person(&self, text: &str) -> Disclosed {
        self.plain(text)
    }

    /// The model's own words or arguments, replayed verbatim. Never what was delivered in their place.
    pub fn model_words(&self, text: &str) -> Disclosed {
        self.plain(text)
    }

    /// Pieces one after another, `separator` between those that are not empty.
    pub fn join(&self, pieces: &[Disclosed], separator: &'static str) -> Disclosed {
        Disclosed::join(pieces, separator, self.policy)
    }

    /// True when a query depends on a hidden column: then nothing of its result leaves.
    pub fn withholds(&self, query: &CheckedQuery) -> bool {
        if query.sql().is_some() {
            // What a statement reads is not told apart: one hidden column withholds all of them.
            return self.policy.hides_some();
        }
        let table = &query.schema().name;
        let hidden = |name: &str| self.policy.hides(table, name);
        names_read(query).iter().any(|name| hidden(name)) || names_made(query).any(hidden)
    }

    /// The summary of a result as the policy allows: its text at level `summary`, only what kind of
    /// result it is at level `schema`, and for a query that depends on a hidden column only that
    /// the person sees it.
    pub fn summary(&self, outcome: &Outcome, summary: &Summary, locale: Locale) -> Disclosed {
        if self.withholds(&outcome.query) || !summary.is_of(outcome) {
            return self.withheld(outcome, locale);
        }
        if self.policy.level() < Level::Summary {
            return self.shape(outcome, locale);
        }
        let schema = outcome.query.schema();
        let hidden: Vec<String> = self.hidden_columns(schema);
        let mask = Mask::new(self.policy, std::slice::from_ref(schema));
        let allowed = summary.without(&hidden, |warning| Warning {
            code: warning.code,
            message: crate::error::Text {
                en: mask.text(&warning.message.en),
                ru: mask.text(&warning.message.ru),
            },
        });
        self.piece(allowed.model_text(locale), self.told_by(outcome))
    }

    /// What a summary tells of: the columns that it depends on and those that name its rows.
    fn told_by(&self, outcome: &Outcome) -> Provenance {
        let schema = outcome.query.schema();
        let mut names = names_read(&outcome.query);
        if outcome.kind() == ResultKind::Table {
            let named = outcome
                .columns
                .iter()
                .filter(|c| matches!(c.role, Role::Time | Role::Series) || is_entity(c))
                .map(|c| c.column.name.clone());
            names.extend(named);
        }
        let columns = names
            .iter()
            .filter(|n| schema.column(n).is_some() && !self.policy.hides(&schema.name, n))
            .map(|n| format!("{}.{n}", schema.name))
            .collect();
        Provenance { columns, results: [outcome.id.clone()].into(), ..Provenance::default() }
    }

    fn hidden_columns(&self, schema: &TableSchema) -> Vec<String> {
        let hidden = schema.columns.iter().filter(|c| self.policy.hides(&schema.name, &c.name));
        hidden.map(|c| c.name.clone()).collect()
    }

    fn withheld(&self, outcome: &Outcome, locale: Locale) -> Disclosed {
        let id = cut(&clean(&outcome.id), 20);
        self.plain(match locale {
            Locale::En => {
                format!("Result: shown to the user as {id}; the policy withholds it from you")
            }
            Locale::Ru => {
                format!("Результат: показан пользователю как {id}; политика не раскрывает его вам")
            }
        })
    }

    /// Level `schema`: columns and kinds, no value and no count. Warnings of the check come from the
    /// query alone and are told; those of the run come from the data.
    fn shape(&self, outcome: &Outcome, locale: Locale) -> Disclosed {
        let schema = outcome.query.schema();
        let id = cut(&clean(&outcome.id), 20);
        let mut columns: Vec<String> = outcome
            .columns
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
        let mut text = match locale {
            Locale::En => format!(
                "Result: shown to the user as {id}, columns {columns}; the policy withholds its values from you"
            ),
            Locale::Ru => format!(
                "Результат: показан пользователю как {id}, столбцы {columns}; политика не раскрывает вам значения"
            ),
        };
        for warning in outcome.query.warnings() {
            text.push_str(match locale {
                Locale::En => "\n  warning: ",
                Locale::Ru => "\n  предупреждение: ",
            });
            text.push_str(&clean(warning.message.get(locale)));
        }
        self.naming(text, [schema])
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
        let mut text = String::from(match locale {
            Locale::En => "Error:",
            Locale::Ru => "Ошибка:",
        });
        for diagnostic in diagnostics {
            let mut told = mask.diagnostic(diagnostic);
            told.choices.truncate(MOST_CHOICES);
            text.push_str("\n- ");
            text.push_str(&cut(&clean(&told.render(locale)), MOST_CHARACTERS));
        }
        self.naming(text, tables)
    }

    /// An error: its diagnostics, or a code without detail.
    pub fn error(&self, error: &Error, tables: &[Arc<TableSchema>], locale: Locale) -> Disclosed {
        self.diagnostics(&error.diagnostics(), tables, locale)
    }

    /// What the model is told of its draft: one line a bad claim, with the actual value where the
    /// policy lets the model know it. For a withheld fact the line is the same, right or wrong.
    pub fn feedback(&self, findings: &[Finding], locale: Locale) -> Disclosed {
        let mut provenance = Provenance::default();
        let lines: Vec<String> = findings
            .iter()
            .map(|finding| {
                let words = cut(&clean(finding.words), 80).replace('"', "'");
                let said = match finding.fact {
                    None => nothing_says(locale).to_owned(),
                    Some((outcome, row, column)) => match self.actual(outcome, row, column, locale)
                    {
                        Some(actual) => {
                            provenance.add(&self.told_by(outcome));
                            actual
                        }
                        None => not_disclosed(locale).to_owned(),
                    },
                };
                format!("- \"{words}\": {said}")
            })
            .collect();
        self.piece(lines.join("\n"), provenance)
    }

    /// `mean_gap for dow=Fri is 67.3`, or `None` where the policy withholds it.
    fn actual(
        &self,
        outcome: &Outcome,
        row: Option<usize>,
        column: &str,
        locale: Locale,
    ) -> Option<String> {
        if self.policy.level() < Level::Summary || self.withholds(&outcome.query) {
            return None;
        }
        let table = &outcome.query.schema().name;
        let count = match column {
            "rows" => Some(outcome.rows.len() as u64),
            "rows_matched" => Some(outcome.rows_matched),
            "rows_scanned" => Some(outcome.rows_scanned),
            "rows_before_limit" => {
                Some(outcome.rows_before_limit.unwrap_or(outcome.rows.len() as u64))
            }
            _ => None,
        };
        let is = match locale {
            Locale::En => "is",
            Locale::Ru => "—",
        };
        if let (Some(count), None) = (count, outcome.column(column)) {
            return Some(format!("{column} {is} {count}"));
        }
        if let Some(rest) = column.strip_prefix("stats.") {
            let (of, which) = rest.rsplit_once('.')?;
            let number = outcome.column(of).filter(|_| !self.policy.hides(table, of))?;
            if !in_stats(outcome, number) {
                return None;
            }
            let stats = outcome.rows.stats(number);
            let value = match which {
                "min" => stats.min,
                "max" => stats.max,
                "mean" => stats.mean,
                _ => return None,
            };
            let output = outcome.columns.get(number).filter(|c| c.column.kind.is_numeric())?;
            let value = display(&value, output.date_only);
            return Some(format!("{which} {} {is} {value}", name(of)));
        }
        let number = outcome.column(column).filter(|_| !self.policy.hides(table, column))?;
        let row = row.unwrap_or(0);
        if !may_tell(outcome, row, number) {
            return None;
        }
        let cell = |c: usize| {
            let output = outcome.columns.get(c)?;
            Some((&output.column.name, value_text(&outcome.value(row, c), output.date_only)))
        };
        let keys: Vec<String> = outcome
            .keys()
            .into_iter()
            .filter(|&key| key != number)
            .filter_map(|key| cell(key).map(|(n, v)| format!("{}={v}", cut(&clean(n), 80))))
            .collect();
        let (of, value) = cell(number)?;
        let of = cut(&clean(of), 80);
        Some(match (keys.is_empty(), locale) {
            (true, _) => format!("{of} {is} {value}"),
            (false, Locale::En) => format!("{of} for {} is {value}", keys.join(", ")),
            (false, Locale::Ru) => format!("{of} для {} — {value}", keys.join(", ")),
        })
    }

    /// What stands for a long tool result in later turns. `rows` and `id` for tools that made a
    /// result; the count is a result value and is left out at level `schema`.
    pub fn replacement(&self, tool: &str, rows: Option<u64>, id: Option<&str>) -> Disclosed {
        let tool = cut(&clean(tool), 64);
        let Some(id) = id else { return self.plain(format!("[{tool}: call again]")) };
        let id = cut(&clean(id), 20);
        let rows = rows.filter(|_| self.policy.level() >= Level::Summary);
        let count = rows.map(|n| format!("{n} ")).unwrap_or_default();
        let text =
            format!("[{tool}: {count}rows shown to the user as {id} – query again for details]");
        let mut provenance = Provenance::default();
        if rows.is_some() {
            provenance.results.insert(id);
        }
        self.piece(text, provenance)
    }

    /// What stands for a turn that was answered without the model.
    pub fn on_device(&self, query: &CheckedQuery) -> Disclosed {
        match self.canonical_text(query) {
            Some(text) => {
                self.naming(format!("[answered on the device: {text}]"), [query.schema()])
            }
            None => self.constant("[answered on the device]"),
        }
    }

    /// The canonical form of a query, so that a follow-up can change one field of it; empty where
    /// it may not be shown.
    pub fn canonical(&self, query: &CheckedQuery) -> Disclosed {
        match self.canonical_text(query) {
            Some(text) => self.naming(text, [query.schema()]),
            None => self.constant(""),
        }
    }

    /// A query may hold values that code has looked up for the person: those leave only where the
    /// schema would list them.
    fn canonical_text(&self, query: &CheckedQuery) -> Option<String> {
        if query.sql().is_some() {
            return None;
        }
        let mask = Mask::new(self.policy, std::slice::from_ref(query.schema()));
        let protected = literals(query).iter().any(|literal| mask.is_protected_value(literal));
        (!self.withholds(query) && !protected).then(|| clean(&query.canonical().to_string()))
    }
}

/// A value within feedback.
fn value_text(value: &Value, date_only: bool) -> String {
    cut(&clean(&display(value, date_only)), 80)
}

/// A text column of the table itself may name the first and last row.
fn is_entity(column: &crate::query::check::OutputColumn) -> bool {
    column.role == Role::Source && column.column.kind == crate::schema::Kind::Text
}

/// Aggregates and group keys are told; of rows only what a summary tells: the first and the last.
fn may_tell(outcome: &Outcome, row: usize, column: usize) -> bool {
    if row >= outcome.rows.len() {
        return false;
    }
    if outcome.kind() != ResultKind::Table {
        return true;
    }
    let ends = row == 0 || row + 1 == outcome.rows.len();
    ends && outcome.columns.get(column).is_some_and(|c| {
        matches!(c.role, Role::Time | Role::Series | Role::Mapped)
            || outcome.query.sort().iter().any(|key| key.text == c.column.name)
    })
}

/// Statistics are told of the columns that a summary tells them of: those made in `map` and those
/// sorted by; of groups, their measures.
fn in_stats(outcome: &Outcome, column: usize) -> bool {
    outcome.columns.get(column).is_some_and(|c| match outcome.kind() {
        ResultKind::Table => {
            c.role == Role::Mapped
                || outcome.query.sort().iter().any(|key| key.text == c.column.name)
        }
        _ => matches!(c.role, Role::Measure { .. }),
    })
}

fn nothing_says(locale: Locale) -> &'static str {
    match locale {
        Locale::En => "no result says this; query for it or leave it out",
        Locale::Ru => "ни один результат этого не говорит; запросите или уберите",
    }
}

fn not_disclosed(locale: Locale) -> &'static str {
    match locale {
        Locale::En => "this value is not disclosed; leave it out",
        Locale::Ru => "это значение не раскрывается; уберите его",
    }
}
