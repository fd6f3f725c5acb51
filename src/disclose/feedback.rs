//! What a model is told of its draft.

use super::guard::{Decision, Guard};
use super::schema::name;
use super::view::part_of;
use super::{Disclosed, Gate, Level, Provenance, What, Why, Withheld};
use crate::error::Locale;
use crate::facts::Outcome;
use crate::query::check::ResultKind;
use crate::summary::{clean, cut, display};
use crate::value::Value;

/// What the check of a draft found, for the draft's author.
#[derive(Clone, Copy)]
pub struct Finding<'a> {
    /// The author's own words.
    pub words: &'a str,
    /// The cell or count that says otherwise: the result, its row (`None` for a fact about the
    /// whole), and the column, `rows`, `rows_matched`, `rows_scanned`, `rows_before_limit` or
    /// `stats.<column>.<min|max|mean>`. `None` where no result holds such a fact.
    pub fact: Option<(&'a Outcome, Option<usize>, &'a str)>,
    /// How the value follows from cells of that result, and what it is: such a fact has no row.
    pub computed: Option<(&'a str, &'a Value)>,
    /// The result whose query had another condition than the author states.
    pub condition: Option<&'a Outcome>,
}

impl Gate<'_> {
    /// What the model is told of its draft: one line a bad claim, with the actual value where the
    /// policy lets the model know it. For a withheld fact the line is the same, right or wrong.
    pub fn feedback(&self, findings: &[Finding], locale: Locale) -> Disclosed {
        let mut provenance = Provenance::default();
        let claim = || Withheld::new(What::Claims, Why::Policy).count(1);
        let lines: Vec<String> = findings
            .iter()
            .map(|finding| {
                let words = cut(&clean(finding.words), 80).replace('"', "'");
                let condition = finding.condition.and_then(|outcome| {
                    let said = self.condition(outcome, locale)?;
                    provenance.add(&self.told_by(outcome));
                    Some(said)
                });
                let said = match finding.fact {
                    _ if condition.is_some() => condition.unwrap_or_default(),
                    // A claim that nothing withheld bears out must not read otherwise than one that
                    // something withheld does.
                    None if self.withholds_some() => {
                        provenance.keep_back(claim());
                        not_disclosed(locale).to_owned()
                    }
                    None => nothing_says(locale).to_owned(),
                    Some((outcome, row, column)) => {
                        let actual = match finding.computed {
                            Some((formula, value)) => self
                                .computed(outcome, column, formula, value, locale)
                                .or_else(|| self.actual(outcome, row, column, locale)),
                            None => self.actual(outcome, row, column, locale),
                        };
                        if let Some(actual) = actual {
                            provenance.add(&self.told_by(outcome));
                            actual
                        } else {
                            provenance.keep_back(claim());
                            not_disclosed(locale).to_owned()
                        }
                    }
                };
                format!("- \"{words}\": {said}")
            })
            .collect();
        self.piece(lines.join("\n"), provenance)
    }

    /// `r1 had another condition: where gap > 50`: of the author's own query, and only where something
    /// of its result may be told.
    fn condition(&self, outcome: &Outcome, locale: Locale) -> Option<String> {
        let query = &outcome.query;
        let told = matches!(self.decide(outcome), Decision::Open | Decision::Part(_));
        if !told || query.schema().computed {
            return None;
        }
        let parts: Vec<String> = query
            .conditions()
            .map(|(name, text)| format!("{name} {}", cut(&clean(&text), 160)))
            .collect();
        if parts.is_empty() {
            return None;
        }
        let (id, parts) = (cut(&clean(&outcome.id), 20), parts.join(", "));
        Some(match locale {
            Locale::En => format!("{id} had another condition: {parts}"),
            Locale::Ru => format!("в {id} другое условие: {parts}"),
        })
    }

    /// `mean_gap[dow=Mon] - mean_gap[dow=Fri] is 10.7`, where every cell of the result may be told.
    fn computed(
        &self,
        outcome: &Outcome,
        column: &str,
        formula: &str,
        value: &Value,
        locale: Locale,
    ) -> Option<String> {
        let rows = outcome.kind() == ResultKind::Table;
        if rows || !matches!(self.decide(outcome), Decision::Open) {
            return None;
        }
        let table = &outcome.query.schema().name;
        if outcome.columns.iter().any(|c| self.policy().protects(table, &c.column.name)) {
            return None;
        }
        let output = outcome.column(column).and_then(|place| outcome.columns.get(place));
        let value = value_text(value, output.is_some_and(|output| output.date_only));
        let formula = cut(&clean(formula), 160);
        Some(match locale {
            Locale::En => format!("{formula} is {value}"),
            Locale::Ru => format!("{formula} — {value}"),
        })
    }

    /// `mean_gap for dow=Fri is 67.3`, or `None` where the policy withholds it.
    fn actual(
        &self,
        outcome: &Outcome,
        row: Option<usize>,
        column: &str,
        locale: Locale,
    ) -> Option<String> {
        match self.decide(outcome) {
            Decision::Shape | Decision::Withheld(_) => None,
            Decision::Open => self.actual_of(outcome, row, column, true, locale),
            Decision::Part(part) if outcome.kind() == ResultKind::Table => {
                let told = row.is_none() && !part.dropped.iter().any(|name| of(column) == *name);
                told.then(|| self.actual_of(outcome, None, column, false, locale)).flatten()
            }
            Decision::Part(part) => {
                let told = part_of(outcome, &part, self.policy().k());
                // A row that is withheld is none.
                let row = match row {
                    Some(row) => Some(part.rows.iter().position(|&r| r == row)?),
                    None => None,
                };
                self.actual_of(&told, row, column, true, locale)
            }
        }
    }

    /// True where the policy may keep some fact from the model.
    pub(crate) fn withholds_some(&self) -> bool {
        self.policy().level() < Level::Summary
            || self.policy().protects_some()
            || self.guard().is_some_and(Guard::opened_some)
    }

    /// The same of a result whose facts may be told; of cells only where `cells` says so.
    fn actual_of(
        &self,
        outcome: &Outcome,
        row: Option<usize>,
        column: &str,
        cells: bool,
        locale: Locale,
    ) -> Option<String> {
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
            let number = outcome.column(of).filter(|_| !self.policy().protects(table, of))?;
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
        let number = outcome.column(column).filter(|_| !self.policy().protects(table, column))?;
        // A fact without a row is of no row of several.
        let row = match row {
            None if outcome.rows.len() > 1 => return None,
            row => row.unwrap_or(0),
        };
        if !cells || !may_tell(outcome, row, number) {
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
}

/// A value within feedback.
fn value_text(value: &Value, date_only: bool) -> String {
    cut(&clean(&display(value, date_only)), 80)
}

/// The column that a fact is about: `stats.gap.max` is about `gap`.
fn of(fact: &str) -> &str {
    let stats = fact.strip_prefix("stats.").and_then(|rest| rest.rsplit_once('.'));
    stats.map_or(fact, |(column, _)| column)
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
    ends && outcome.telling().contains(&column)
}

/// Statistics are told of the columns that a summary tells them of: those made in `map` and those
/// sorted by; of groups, their measures.
fn in_stats(outcome: &Outcome, column: usize) -> bool {
    match outcome.kind() {
        ResultKind::Table => outcome.summed_up().contains(&column),
        _ => outcome.measures().contains(&column),
    }
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
