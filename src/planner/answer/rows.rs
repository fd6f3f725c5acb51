//! What is told of rows: how many there are, and the first of them.

use super::super::naming::{is_one, title_in};
use super::Writer;
use crate::error::Locale;
use crate::query::check::{CheckedStep, OutputColumn, Role};
use crate::schema::Kind;
use crate::summary::clean;

/// Columns of a row that are told.
const MOST_CELLS: usize = 6;
/// Texts of a row that are told, and of one with a time.
const MOST_TEXTS: usize = 3;
const MOST_TIMED_TEXTS: usize = 2;
/// Rows in an order are told one by one up to this many.
const MOST_ROWS: usize = 5;
/// Of more rows in an order so many.
const FIRST_ROWS: usize = 3;

impl Writer<'_> {
    pub(super) fn table(&mut self) {
        if self.shares() {
            return;
        }
        let rows = self.outcome.rows.len() as u64;
        // the second of an order is the last of the first two: those are no number of rows
        let cut = self.before().any(|step| step.limit().is_some());
        if let Some(before) = self.outcome.rows_before_limit.filter(|_| !cut) {
            self.rows("rows", rows);
            let feminine = self.outcome.query.from().is_none() || self.of_groups();
            match (is_one(Locale::Ru, rows), feminine) {
                (true, true) => self.say(" shown, of ", " показана, всего "),
                (true, false) => self.say(" shown, of ", " показан, всего "),
                (false, _) => self.say(" shown, of ", " показано, всего "),
            }
            self.count("rows_before_limit", before);
        } else {
            self.rows("rows", rows);
            if self.outcome.query.filter().is_some() {
                self.match_of(rows);
                self.count("rows_scanned", self.outcome.rows_scanned);
            }
        }
        self.plain(".");
        let cells = self.telling();
        if cells.is_empty() {
            return;
        }
        self.say(" First: ", " Первая строка: ");
        for (i, &number) in cells.iter().enumerate() {
            let title = self.title(number);
            self.plain(if i == 0 { "" } else { ", " });
            self.plain(&title);
            self.plain(" ");
            self.cell(0, number);
        }
        for row in 1..self.told() {
            if row == 1 {
                self.say("; then ", "; затем ");
            } else {
                self.plain("; ");
            }
            for (i, &number) in cells.iter().enumerate() {
                self.plain(if i == 0 { "" } else { ", " });
                self.cell(row, number);
            }
        }
        self.plain(".");
    }

    /// Rows that are told: of those in an order more than the first.
    fn told(&self) -> usize {
        let rows = self.outcome.rows.len();
        let sorted = self.outcome.query.steps().any(|step| !step.sort().is_empty());
        match rows {
            _ if !sorted => 1,
            ..=MOST_ROWS => rows,
            _ => FIRST_ROWS,
        }
    }

    /// What a column of the result is called.
    fn title(&self, number: usize) -> String {
        let Some(column) = self.outcome.columns.get(number) else { return String::new() };
        let known = self.outcome.query.schema().column(&column.column.name);
        if let (None, Some(title)) = (known, title_in(&column.column.name, self.locale)) {
            return title.to_owned();
        }
        let label = known.and_then(|c| c.label.clone());
        clean(&label.unwrap_or_else(|| self.made(&column.column.name)))
    }

    /// What a column of groups is called beside a number or nothing.
    pub(super) fn key_name(&self, column: &OutputColumn) -> String {
        let known = self.outcome.query.schema().column(&column.column.name);
        clean(known.and_then(|c| c.label.as_ref()).unwrap_or(&column.column.name))
    }

    /// The columns that tell what a row is: time, series, made and sorted ones, those of numbers that
    /// were compared, and a few texts.
    fn telling(&self) -> Vec<usize> {
        // the first of each group are sorted by the step before
        let keys = self.outcome.query.steps().flat_map(CheckedStep::sort);
        let sorted: Vec<&str> = keys.map(|k| k.text.as_str()).collect();
        let compared = self.outcome.query.filter().map(|f| f.expr.columns()).unwrap_or_default();
        let texts = self.told_texts();
        let mut chosen = Vec::new();
        for (number, column) in self.outcome.columns.iter().enumerate() {
            let name = &column.column.name;
            let wanted = match column.role {
                Role::Time | Role::Series | Role::Mapped => true,
                _ if sorted.iter().any(|key| key.trim_matches('`') == name) => true,
                _ if column.column.kind == Kind::Text => texts.contains(&number),
                _ => column.column.kind.is_numeric() && compared.contains(&name.as_str()),
            };
            if wanted && chosen.len() < MOST_CELLS {
                chosen.push(number);
            }
        }
        if chosen.is_empty() {
            chosen.extend((0..self.outcome.columns.len()).take(3));
        }
        chosen
    }

    /// The texts that are told of a row: those before the others that have few values, such as the
    /// name of a sensor; of rows with a time fewer.
    fn told_texts(&self) -> Vec<usize> {
        let timed = self.outcome.columns.iter().any(|c| c.role == Role::Time);
        let texts = self.outcome.columns.iter().enumerate();
        let texts = texts.filter(|(_, c)| c.column.kind == Kind::Text && c.role != Role::Series);
        let mut texts: Vec<usize> = texts.map(|(number, _)| number).collect();
        if timed {
            let listed = |number: &usize| {
                let column = self.outcome.columns.get(*number).map(|c| c.column.name.as_str());
                let known = column.and_then(|name| self.outcome.query.schema().column(name));
                known.is_some_and(|c| c.values.is_some())
            };
            texts.sort_by_key(|number| !listed(number));
        }
        texts.truncate(if timed { MOST_TIMED_TEXTS } else { MOST_TEXTS });
        texts
    }
}
