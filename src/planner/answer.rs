//! The answer to a planned question: a text by template in the question's language. Code puts every
//! number in, with the fact it comes from, so the text is right by construction.

mod known;
mod none;
mod rows;
mod shares;

use self::known::Known;
use super::naming::{
    AGGREGATES, GROUPS, Noun, agg_of, called, capital, counted_in, end_of_time, english,
    grouped_by, in_groups, is_code, is_one, made_of_bars, name_in, named, noun_of,
    number_of_different, of_russian, part_of_time, pointed, russian, shortened, unit_in,
};
use super::stem::is_cyrillic;
use super::words::Agg;
use crate::error::{Locale, Span};
use crate::facts::Outcome;
use crate::query::check::{CheckedStep, Domain, Node, OutputColumn, ResultKind, Role};
use crate::query::explain::{words, years_together};
use crate::schema::Kind;
use crate::summary::{clean, display};
use crate::validate::{Claim, FactRef, Marked, Verdict};
use crate::value::Value;
use std::cmp::Ordering;

/// Groups are listed one by one up to this many.
const MOST_GROUPS: usize = 7;
/// Groups that share an extreme are named up to this many.
const MOST_TIED: usize = 3;
/// Measures beside the first whose ends are told.
const MOST_OTHERS: usize = 2;

/// The answer to a planned question in `locale`, from the result of its query.
pub fn answer(outcome: &Outcome, locale: Locale) -> Marked {
    let mut writer = Writer { outcome, locale, marked: Marked::default() };
    match outcome.kind() {
        _ if nothing(outcome) => writer.empty(),
        ResultKind::Scalar | ResultKind::Dict => writer.values(),
        ResultKind::Grouped => {
            writer.groups();
            writer.left_out(&outcome.measures());
        }
        ResultKind::Table => {
            writer.table();
            writer.left_out(&[]);
        }
    }
    writer.marked
}

/// True when no row was left to tell of.
fn nothing(outcome: &Outcome) -> bool {
    match outcome.kind() {
        // how many groups there are, of none, is a number
        ResultKind::Scalar | ResultKind::Dict => {
            outcome.rows_matched == 0 && !known::counts_groups(outcome)
        }
        ResultKind::Grouped | ResultKind::Table => outcome.rows.is_empty(),
    }
}

struct Writer<'a> {
    outcome: &'a Outcome,
    locale: Locale,
    marked: Marked,
}

impl Writer<'_> {
    fn pick(&self, en: &'static str, ru: &'static str) -> &'static str {
        match self.locale {
            Locale::En => en,
            Locale::Ru => ru,
        }
    }

    fn say(&mut self, en: &'static str, ru: &'static str) {
        let text = self.pick(en, ru);
        self.marked.text.push_str(text);
    }

    fn plain(&mut self, text: &str) {
        self.marked.text.push_str(text);
    }

    /// Writes a value and claims it.
    fn claim(&mut self, shown: &str, fact: FactRef) {
        let start = self.marked.text.len();
        self.marked.text.push_str(shown);
        self.marked.claims.push(Claim {
            span: Span::new(start, start + shown.len()),
            text: shown.to_owned(),
            verdict: Verdict::Verified,
            actual: None,
            fact: Some(fact),
            formula: None,
            operands: Vec::new(),
            replaced: None,
        });
    }

    /// A count of the whole result: `rows`, `rows_matched`, `rows_scanned`, `rows_before_limit`.
    fn count(&mut self, name: &str, count: u64) {
        let fact = FactRef {
            result: self.outcome.id.clone(),
            row: None,
            key: Vec::new(),
            column: name.to_owned(),
            value: Value::Int(i64::try_from(count).unwrap_or(i64::MAX)),
        };
        self.claim(&in_groups(&count.to_string(), self.locale), fact);
    }

    /// A count with the noun for rows: `80 days`.
    fn rows(&mut self, name: &str, count: u64) {
        self.count(name, count);
        self.plain(" ");
        let noun = self.row_noun(count);
        self.plain(noun);
    }

    /// The whole after a part of it: ` of 500 rows`, in Russian in the genitive.
    fn of_rows(&mut self, name: &str, count: u64) {
        self.say(" of ", " из ");
        self.count(name, count);
        self.plain(" ");
        let noun = match self.locale {
            Locale::En => self.row_noun(count),
            Locale::Ru => of_russian(count, self.noun().ru),
        };
        self.plain(noun);
    }

    /// Rows of the last step are groups of the one before.
    fn of_groups(&self) -> bool {
        self.before().any(|step| step.kind() == ResultKind::Grouped)
    }

    /// The steps before the last one.
    fn before(&self) -> impl Iterator<Item = &CheckedStep> {
        let steps = self.outcome.query.steps();
        let before = steps.clone().count().saturating_sub(1);
        steps.take(before)
    }

    /// The last step puts groups together.
    fn aggregates_groups(&self) -> bool {
        self.of_groups() && self.outcome.query.steps().last().is_some_and(CheckedStep::aggregates)
    }

    /// What the first step counts.
    fn counted(&self) -> Noun {
        noun_of(self.outcome.query.from())
    }

    /// The columns of the groups' keys: those of the result, or of the step that made its rows.
    fn keys(&self) -> Vec<usize> {
        let own = self.outcome.keys();
        if !own.is_empty() || self.outcome.kind() != ResultKind::Table {
            return own;
        }
        let step = self.before().filter(|step| step.kind() == ResultKind::Grouped).last();
        let keys = step.into_iter().flat_map(CheckedStep::output).filter(|c| c.role == Role::Key);
        keys.filter_map(|key| self.outcome.column(&key.column.name)).collect()
    }

    fn noun(&self) -> Noun {
        if self.of_groups() { GROUPS } else { noun_of(self.outcome.query.from()) }
    }

    fn row_noun(&self, count: u64) -> &'static str {
        let noun = self.noun();
        match self.locale {
            Locale::En => english(count, noun.en),
            Locale::Ru => russian(count, noun.ru),
        }
    }

    /// `5 days match, of 20`: the verb agrees with the number.
    fn match_of(&mut self, count: u64) {
        if is_one(self.locale, count) {
            self.say(" matches, of ", " подходит, всего ");
        } else {
            self.say(" match, of ", " подходят, всего ");
        }
    }

    /// A cell: numbers and moments are claims, text is not.
    fn cell(&mut self, row: usize, number: usize) {
        let Some(column) = self.outcome.columns.get(number) else { return };
        let value = self.outcome.value(row, number);
        match &value {
            Value::Null => self.say("no value", "нет значения"),
            Value::Bool(true) => self.say("yes", "да"),
            Value::Bool(false) => self.say("no", "нет"),
            Value::Text(text) => {
                let text = named(column, text, self.locale);
                self.plain(&text);
            }
            Value::List(_) => {
                let text = named(column, &value.to_string(), self.locale);
                self.plain(&text);
            }
            _ => {
                let mut shown = display(&shortened(&value, column), column.date_only);
                // a number of the data's own may be a year or a number of a row
                if column.column.kind.is_numeric() {
                    let counted = match &column.role {
                        Role::Measure { column: Some(of), aggregate } => {
                            *aggregate == Some("count_distinct") || !is_code(of)
                        }
                        Role::Measure { .. } => true,
                        Role::Mapped => !is_code(&column.column.name),
                        // with a fraction it is neither
                        _ => column.column.kind != Kind::Int && !is_code(&column.column.name),
                    };
                    let write = if counted { in_groups } else { pointed };
                    shown = write(&shown, self.locale);
                }
                let unit = column.column.unit.clone();
                let fact = FactRef {
                    result: self.outcome.id.clone(),
                    row: Some(row),
                    key: self.keys_of(row),
                    column: column.column.name.clone(),
                    value,
                };
                self.claim(&shown, fact);
                match unit.as_deref() {
                    Some("%") => self.plain("%"),
                    Some(unit) if column.column.kind.is_numeric() => {
                        self.plain(" ");
                        self.plain(&unit_in(&clean(unit), self.locale));
                    }
                    _ => {}
                }
            }
        }
    }

    /// The group keys of a row, as claims hold them: name and shown value.
    fn keys_of(&self, row: usize) -> Vec<(String, String)> {
        self.outcome
            .keys()
            .into_iter()
            .filter_map(|i| {
                let column = self.outcome.columns.get(i)?;
                let value = self.outcome.value(row, i);
                Some((column.column.name.clone(), display(&value, column.date_only)))
            })
            .collect()
    }

    /// The group of a row in words: `Monday`, `Kuper, food`.
    fn label(&self, row: usize) -> String {
        let keys = self.keys();
        let parts: Vec<String> = keys
            .into_iter()
            .filter_map(|i| {
                let column = self.outcome.columns.get(i)?;
                Some(match self.outcome.value(row, i) {
                    Value::Null => {
                        let none = self.pick("(empty)", "(пусто)");
                        format!("{} {none}", self.key_name(column))
                    }
                    Value::Text(text) => named(column, &text, self.locale),
                    value if self.month(column, &value).is_some() => {
                        self.month(column, &value).unwrap_or_default().to_owned()
                    }
                    value if self.behind_time(column).is_some() => {
                        let behind = self.behind_time(column).unwrap_or_default();
                        format!("{}{behind}", display(&value, false))
                    }
                    // a bare number says nothing of what it counts
                    value if column.column.kind.is_numeric() => {
                        format!("{} {}", self.key_name(column), display(&value, false))
                    }
                    value => display(&value, column.date_only),
                })
            })
            .collect();
        parts.join(", ")
    }

    /// What stands behind the number of a year, a quarter or a week in Russian, where the planner made
    /// the column.
    fn behind_time(&self, column: &OutputColumn) -> Option<&'static str> {
        let known = self.outcome.query.schema().column(&column.column.name).is_some();
        let russian = self.locale == Locale::Ru && column.column.kind.is_numeric() && !known;
        part_of_time(column).filter(|_| russian).map(|(_, behind)| behind)
    }

    /// The name of the month that a number in a column of the planner's own is.
    fn month(&self, column: &OutputColumn, value: &Value) -> Option<&'static str> {
        let name = column.column.name.as_str();
        let made = name == "month" && self.outcome.query.schema().column(name).is_none();
        let number = value.as_f64().filter(|n| made && (1.0..=12.0).contains(n))?;
        name_in(Domain::Month, number as usize - 1, self.locale)
    }

    /// The second column of a measure of two.
    fn second(&self, measure: &str) -> Option<&str> {
        let all = self.outcome.query.measures();
        let made = all.iter().find(|made| made.name == measure)?;
        match &made.expr.node {
            Node::Call { args, .. } => match &args.get(1)?.node {
                Node::Column(name) => Some(name),
                _ => None,
            },
            _ => None,
        }
    }

    /// A measure in words: `mean of gap`.
    fn measure(&self, number: usize) -> String {
        self.outcome.columns.get(number).map_or_else(String::new, |column| self.measured(column))
    }

    /// The same of a column of any step.
    fn measured(&self, column: &OutputColumn) -> String {
        let source = |name: &str| {
            let known = self.outcome.query.schema().column(name);
            if let (None, Some([_, of])) = (known, made_of_bars(name, self.locale)) {
                return of.to_owned();
            }
            let labelled = known.and_then(|c| c.label.clone());
            let text = clean(&labelled.unwrap_or_else(|| self.made(name)));
            // `сумма температуры`, `сумма «Осадки, мм»`
            match known.filter(|_| self.locale == Locale::Ru && text.chars().any(is_cyrillic)) {
                Some(column) => clean(&called(column, Locale::Ru).of),
                None => text,
            }
        };
        match &column.role {
            Role::Measure { aggregate: Some("count"), column: None } => {
                self.number_of(&if self.aggregates_groups() { GROUPS } else { self.counted() })
            }
            Role::Measure { aggregate: Some("count_distinct"), column: Some(name) } => {
                let known = self.outcome.query.schema().column(name);
                let raw = known.map(|c| clean(c.label.as_ref().unwrap_or(&c.name)));
                number_of_different(&raw.unwrap_or_else(|| source(name)), self.locale)
            }
            Role::Measure { aggregate: Some(aggregate), column: Some(name) } => {
                match AGGREGATES.iter().find(|a| a.function() == *aggregate) {
                    Some(agg @ (Agg::Min | Agg::Max)) if column.column.kind.is_time() => {
                        end_of_time(*agg, &self.made(name), self.locale)
                    }
                    Some(agg) => {
                        let known = self.outcome.query.schema().column(name);
                        let raw = known.map(|c| c.label.as_ref().unwrap_or(&c.name));
                        // a name that stands as it is: `сумма столбца «сумма»`
                        let sum = raw.filter(|raw| {
                            let own = raw.to_lowercase().starts_with("сумм");
                            own && !raw.contains(char::is_whitespace)
                        });
                        let text = sum.map_or_else(|| source(name), |raw| clean(raw));
                        agg_of(*agg, &text, self.locale)
                    }
                    None if *aggregate == "correlation" => {
                        let of = self.pick("correlation of", "корреляция");
                        let other = self.second(&column.column.name).map(source);
                        let and = other.map(|o| format!("{}{o}", self.pick(" and ", " и ")));
                        format!("{of} {}{}", source(name), and.unwrap_or_default())
                    }
                    None if *aggregate == "pct" => {
                        let of = self.pick("share of rows where", "доля строк, где");
                        format!("{of} {}", source(name))
                    }
                    None => match self.percentile(&column.column.name) {
                        Some(agg) => agg_of(agg, &source(name), self.locale),
                        None => format!("{aggregate} {}", source(name)),
                    },
                }
            }
            _ if self.computed(column).is_some() => self.computed(column).unwrap_or_default(),
            _ => match column.column.name.as_str() {
                "share_pct" if self.share_words(column).is_some() => {
                    self.share_words(column).unwrap_or_default()
                }
                "share_pct" if self.is_share_of_rows(column) => {
                    self.pick("share of rows", "доля строк").to_owned()
                }
                "share_pct" => self.pick("share", "доля").to_owned(),
                "correlation" => self.pick("correlation", "корреляция").to_owned(),
                "spread" => {
                    self.pick("highest less lowest", "разница максимума и минимума").to_owned()
                }
                other => counted_in(other, self.outcome.query.schema(), self.locale)
                    .unwrap_or_else(|| clean(other)),
            },
        }
    }

    /// An aggregate of what is computed of each row, in words.
    fn computed(&self, column: &OutputColumn) -> Option<String> {
        let before = self.before().flat_map(CheckedStep::measures);
        let mut all = self.outcome.query.measures().iter().chain(before);
        let made = all.find(|made| made.name == column.column.name)?;
        let Node::Call { function, args } = &made.expr.node else { return None };
        let agg = AGGREGATES.iter().find(|agg| agg.function() == function.name)?;
        let [of] = &args[..] else { return None };
        let text = words(of, self.locale).replace('`', "");
        let told = !text.chars().any(|c| c.is_ascii_digit());
        told.then(|| agg_of(*agg, &text, self.locale))
    }

    /// A column that a step before made, in words: `sum_total` is the total of `total`.
    fn made(&self, name: &str) -> String {
        let made = self.before().flat_map(CheckedStep::output).find(|column| {
            column.column.name == name && matches!(column.role, Role::Measure { .. })
        });
        // what a step before counts is no group of its own
        let counts = |column: &OutputColumn| {
            matches!(column.role, Role::Measure { aggregate: Some("count"), column: None })
        };
        match made {
            Some(column) if counts(column) => self.number_of(&self.counted()),
            Some(column) => self.measured(column),
            None => name.to_owned(),
        }
    }

    fn number_of(&self, noun: &Noun) -> String {
        match self.locale {
            Locale::En => format!("number of {}", english(0, noun.en)),
            Locale::Ru => format!("число {}", russian(0, noun.ru)),
        }
    }

    /// `(80 of 500 rows)`: the rows that the measures are of, where that is known of all of them.
    fn coverage(&mut self) {
        let known = Known::new(self.outcome);
        let mut measures = self.outcome.query.measures().iter();
        if measures.any(|made| known.is_of_fewer(&made.expr)) {
            return;
        }
        let (matched, scanned) = (self.outcome.rows_matched, self.outcome.rows_scanned);
        let mut columns = self.outcome.columns.iter();
        self.plain(" (");
        if matched == scanned {
            self.rows("rows_scanned", scanned);
        } else if columns.any(|column| self.is_share_of_rows(column)) {
            // beside a share the two would read as its part and its whole
            self.rows("rows_matched", matched);
        } else {
            self.count("rows_matched", matched);
            self.of_rows("rows_scanned", scanned);
        }
        self.plain(")");
    }

    fn values(&mut self) {
        let measures = self.outcome.measures();
        // `how many`: the number first
        if let [only] = measures[..]
            && self.is_count(only)
        {
            self.cell(0, only);
            self.plain(" ");
            let noun = self.row_noun(self.outcome.rows_matched);
            self.plain(noun);
            if self.outcome.query.filter().is_some() {
                self.match_of(self.outcome.rows_matched);
                self.count("rows_scanned", self.outcome.rows_scanned);
            }
            self.plain(".");
            self.left_out(&[]);
            return;
        }
        for (i, &number) in measures.iter().enumerate() {
            if i > 0 {
                self.plain("; ");
            }
            let words = self.measure(number);
            let words = if i == 0 { capital(&words) } else { words };
            self.plain(&words);
            self.plain(": ");
            self.cell(0, number);
        }
        self.coverage();
        self.plain(".");
        self.empty_periods();
        self.left_out(&measures);
    }

    fn is_count(&self, number: usize) -> bool {
        self.outcome.columns.get(number).is_some_and(|c| {
            matches!(c.role, Role::Measure { aggregate: Some("count"), column: None })
        })
    }

    fn groups(&mut self) {
        let rows = self.outcome.rows.len();
        let measures = self.outcome.measures();
        let keys: Vec<String> = self
            .outcome
            .keys()
            .into_iter()
            .filter_map(|i| {
                let column = self.outcome.columns.get(i)?;
                let known = self.outcome.query.schema().column(&column.column.name);
                Some(grouped_by(column, known, self.locale))
            })
            .collect();
        let words: Vec<String> = measures.iter().map(|&m| self.measure(m)).collect();
        self.plain(&capital(&words.join(", ")));
        self.say(" by ", " по ");
        let and = self.pick(" and ", " и ");
        let keys = match &keys[..] {
            [one, other] => format!("{one}{and}{other}"),
            _ => keys.join(", "),
        };
        self.plain(&keys);
        self.plain(", ");
        self.count("rows", rows as u64);
        // the third of an order is the last of the first three: those are not all of the groups
        let limited = self.before().any(|step| step.limit().is_some());
        let of = self.outcome.rows_before_limit.filter(|_| !limited);
        if let Some(before) = of {
            self.say(" of ", " из ");
            self.count("rows_before_limit", before);
        }
        self.plain(" ");
        let shown = of.unwrap_or(rows as u64);
        let noun = match self.locale {
            Locale::En => english(shown, ["group", "groups"]),
            Locale::Ru if of.is_some() => of_russian(shown, GROUPS.ru),
            Locale::Ru => russian(shown, GROUPS.ru),
        };
        self.plain(noun);
        if rows <= MOST_GROUPS {
            for row in 0..rows {
                self.plain(if row == 0 { ": " } else { "; " });
                let label = self.label(row);
                self.plain(&label);
                // a dash before a sign would be two of them
                let below = measures.first().is_some_and(|&measure| {
                    self.outcome.value(row, measure).as_f64().is_some_and(|n| n < 0.0)
                });
                for (i, &measure) in measures.iter().enumerate() {
                    self.plain(match (i, below) {
                        (0, true) => " (",
                        (0, false) => " – ",
                        _ => ", ",
                    });
                    self.cell(row, measure);
                }
                self.plain(if below { ")" } else { "" });
            }
        }
        self.plain(".");
        let number =
            |&&m: &&usize| self.outcome.columns.get(m).is_some_and(|c| c.column.kind.is_numeric());
        let first = measures.first().filter(number);
        // Of a list that a limit cut, all of which stands here, the ends are no ends of the groups.
        let cut = self.outcome.rows_before_limit.is_some();
        if let Some(&first) = first
            && rows > 1
            && !(cut && rows <= MOST_GROUPS)
        {
            let several = measures.iter().filter(|m| number(m)).count() > 1;
            let words = several.then(|| capital(&self.measure(first)));
            self.extremes(first, cut, words.as_deref());
            // what is not told group by group is told of each measure
            let others = measures.iter().filter(|m| **m != first && number(m)).take(MOST_OTHERS);
            for &other in others.filter(|_| rows > MOST_GROUPS) {
                let words = capital(&self.measure(other));
                self.extremes(other, cut, Some(&words));
            }
        }
        self.weeks_at_the_ends();
        if years_together(&self.outcome.query) && !cut {
            self.years_together();
        }
        if let Some(&first) = first.filter(|_| rows > 1 && !cut) {
            self.cut_ends(first);
        }
        self.other_year();
    }

    /// Which groups are highest and lowest by a measure, `of_these` that a limit left; groups without a
    /// key are none.
    fn extremes(&mut self, measure: usize, of_these: bool, words: Option<&str>) {
        let keys = self.keys();
        let rows: Vec<usize> = (0..self.outcome.rows.len())
            .filter(|&row| {
                !self.outcome.value(row, measure).is_null()
                    && keys.iter().all(|&k| !self.outcome.value(row, k).is_null())
            })
            .collect();
        let by = |a: &&usize, b: &&usize| {
            self.outcome.value(**a, measure).total_cmp(&self.outcome.value(**b, measure))
        };
        let (Some(&high), Some(&low)) = (rows.iter().max_by(by), rows.iter().min_by(by)) else {
            return;
        };
        // a group without a key beyond the ends of the others
        let beyond = (0..self.outcome.rows.len()).any(|row| {
            let value = self.outcome.value(row, measure);
            !rows.contains(&row)
                && !value.is_null()
                && (value.total_cmp(&self.outcome.value(high, measure)) == Ordering::Greater
                    || value.total_cmp(&self.outcome.value(low, measure)) == Ordering::Less)
        });
        let same = |row: usize, other: usize| {
            self.outcome.value(row, measure).total_cmp(&self.outcome.value(other, measure))
                == Ordering::Equal
        };
        if same(high, low) {
            if words.is_some() {
                return;
            }
            if rows.len() > 1 && of_these {
                self.say(" These groups are equal.", " Эти группы равны.");
            } else if rows.len() > 1 {
                self.say(" All groups are equal.", " Все группы равны.");
            }
            return;
        }
        let of = |row: usize| rows.iter().copied().filter(|&r| same(r, row)).collect::<Vec<_>>();
        let (highest, lowest) = (of(high), of(low));
        // of what is below zero the highest is the least
        let below = rows
            .iter()
            .all(|&row| self.outcome.value(row, measure).as_f64().is_some_and(|n| n < 0.0));
        let (highest, lowest) = if below { (lowest, highest) } else { (highest, lowest) };
        if let Some(words) = words {
            self.plain(" ");
            self.plain(words);
            if below {
                self.say(", furthest below zero: ", ", дальше всего от нуля: ");
            } else {
                self.say(", highest: ", ", больше всего: ");
            }
        } else if below {
            self.say(" Furthest below zero: ", " Дальше всего от нуля: ");
        } else if of_these {
            self.say(" Highest of these: ", " Больше всего из них: ");
        } else {
            self.say(" Highest: ", " Больше всего: ");
        }
        self.extreme(&highest, measure);
        if below {
            self.say("; closest to it: ", "; ближе всего к нему: ");
        } else {
            self.say("; lowest: ", "; меньше всего: ");
        }
        self.extreme(&lowest, measure);
        if beyond {
            self.say(", the empty group aside", ", не считая пустой группы");
        }
        self.plain(".");
    }

    fn extreme(&mut self, rows: &[usize], measure: usize) {
        for (i, &row) in rows.iter().take(MOST_TIED).enumerate() {
            // `a, b and c`, or `a, b, c and others`
            match i {
                0 => {}
                _ if i + 1 == rows.len() => self.say(" and ", " и "),
                _ => self.plain(", "),
            }
            let label = self.label(row);
            self.plain(&label);
        }
        if rows.len() > MOST_TIED {
            self.say(" and others", " и другие");
        }
        if let Some(&row) = rows.first() {
            self.plain(" (");
            self.cell(row, measure);
            self.plain(")");
        }
    }
}
