//! `average flipper length of those`, `what share of them is Gentoo?`, `какая доля из них самки`: of the
//! rows that were asked for before, and of no others; `what percentage is that?` of a number of them.

use super::{Asked, Context, Made, Status, one_of};
use crate::error::{Locale, Text};
use crate::planner::explain;
use crate::planner::follow::{end_of_groups, put_back, taken_out};
use crate::planner::whole::WHICH;
use crate::query::{Query, Selected, check, format};
use crate::schema::TableSchema;

/// Words for the rows of before, the longest first.
const THOSE: [&[&str]; 22] = [
    &["of", "all", "of", "them"],
    &["of", "all", "those"],
    &["among", "them"],
    &["among", "those"],
    &["among", "these"],
    &["of", "them"],
    &["of", "those"],
    &["of", "these"],
    &["for", "those"],
    &["for", "them"],
    &["for", "these"],
    &["in", "those"],
    &["среди", "них"],
    &["среди", "этих"],
    &["из", "них"],
    &["из", "этих"],
    &["для", "них"],
    &["для", "этих"],
    &["у", "них"],
    &["у", "этих"],
    &["по", "ним"],
    &["по", "этим"],
];
/// Questions for what a number of rows is of all.
const THAT: [&str; 22] = [
    "what percentage is that",
    "what percent is that",
    "what share is that",
    "what percentage is it",
    "as a percentage",
    "as a percent",
    "as percentage",
    "in percent",
    "in per cent",
    "as a share",
    "какой это процент",
    "какой процент",
    "какая это доля",
    "сколько это процентов",
    "сколько это в процентах",
    "сколько процентов",
    "в процентах",
    "а в процентах",
    "а сколько это в процентах",
    "а какая это доля",
    "а какая их доля",
    "какая их доля",
];

/// Questions for the number of rows in each group of before.
const HOW_MANY: [&str; 8] = [
    "how many",
    "how many of them",
    "how many of each",
    "how many are there",
    "how many are there of each",
    "сколько их",
    "сколько каждого",
    "сколько в каждой группе",
];

impl Asked<'_> {
    pub(super) fn those(&self) -> Option<Made> {
        let before = self.previous?;
        if before.table.as_ref().is_some_and(|name| *name != self.table.name) {
            return None;
        }
        if let Some(share) = self.share_of_all(before) {
            return Some(share);
        }
        if let Some(number) = self.how_many_of_each(before) {
            return Some(number);
        }
        let words: Vec<&str> = self.tokens.iter().map(|t| t.folded.as_str()).collect();
        let (from, mut to) = THOSE.iter().find_map(|said| {
            let at = words.windows(said.len()).position(|window| window == *said)?;
            Some((at, at + said.len()))
        })?;
        // `for those with no discount` says which
        let relative = words.get(to - 1).is_some_and(|w| one_of("those тех", w));
        if relative && words.get(to).is_some_and(|w| WHICH.contains(w)) {
            return None;
        }
        let all = self.said(0, self.tokens.len());
        if end_of_groups(&all, self.previous, || self.tables.iter()).is_some() {
            return None;
        }
        // `which of them is the highest` asks for one of what was told
        let which = ["which", "who", "какой", "какая", "какое", "кто", "какие"];
        if from == 1 && words.first().is_some_and(|w| which.contains(w)) {
            return None;
        }
        // `of those penguins`
        if self.tokens.get(to).is_some_and(|t| self.is_of_rows(&t.stem)) {
            to += 1;
        }
        let end = words.len() - usize::from(words.last() == Some(&"?"));
        let mut rest =
            [self.said(0, from), self.said(to.min(end), end)].join(" ").trim().to_owned();
        for lead in ["and ", "а ", "и "] {
            rest = rest.strip_prefix(lead).unwrap_or(&rest).to_owned();
        }
        // `what share is by car`
        let plain = rest.replace(" is by ", " is ").replace(" are by ", " are ");
        let alone = Context { previous: None, table: Some(&self.table.name), ..*self.context };
        let plan = super::super::plan(&plain, self.tables, &alone);
        let combined = |query: &Query, said: &str| -> Option<(Query, Text)> {
            let (query, rows) = of_rows(before, query, self.table)?;
            let checked = check(&query, self.tables).ok()?;
            let [en, ru] = [Locale::En, Locale::Ru].map(|l| explain::of_query(&checked, false, l));
            if let (Some(en), Some(ru)) = (en, ru) {
                return Some((query, Text { en, ru }));
            }
            let rows = check(&rows, self.tables).ok()?;
            let rows = explain::of_query(&rows, false, plan.language)?;
            let told = match plan.language {
                Locale::En => format!("{said}; of those asked for before: {rows}"),
                Locale::Ru => format!("{said}; из тех, что спрошены раньше: {rows}"),
            };
            Some((query, Text { en: told.clone(), ru: told }))
        };
        match plan.status {
            Status::Ready => combined(plan.query.as_ref()?, &plan.explanation)
                .map(|(query, said)| Made::Query(query, said)),
            Status::Readings => {
                let all: Vec<_> = plan
                    .readings
                    .iter()
                    .filter_map(|r| combined(&r.query, &r.explanation))
                    .collect();
                (!all.is_empty()).then_some(Made::Several(all))
            }
            Status::Declined => None,
        }
    }

    /// `and how many of them?`, `сколько таких заказов?` after what each group or all of them come to: the
    /// rows of each, or all.
    fn how_many_of_each(&self, before: &Query) -> Option<Made> {
        let end = self.tokens.len() - usize::from(self.tokens.last()?.is_symbol("?"));
        let said = self.said(0, end).to_lowercase();
        let said = ["and ", "а ", "и "].iter().find_map(|lead| said.strip_prefix(lead));
        let said = said.map_or_else(|| self.said(0, end).to_lowercase(), str::to_owned);
        let whole = !before.select.is_empty() && before.limit.is_none() && before.steps.is_empty();
        // a filter alone leaves some rows, of which the question may be
        let narrowed = !before.group_by.is_empty()
            || before.filter.is_some()
            || before.period.is_some()
            || before.session.is_some();
        if !whole || !narrowed || !HOW_MANY.contains(&said.as_str()) && !self.counts_such() {
            return None;
        }
        let count = Selected { alias: None, text: "count()".to_owned() };
        let query = Query { select: vec![count], sort: Vec::new(), ..before.clone() };
        let checked = check(&query, self.tables).ok()?;
        let [en, ru] = [Locale::En, Locale::Ru].map(|l| explain::of_query(&checked, false, l));
        Some(Made::Query(query, Text { en: en?, ru: ru? }))
    }

    /// `how many such orders`, `сколько таких поездок`, `and how many days?`.
    fn counts_such(&self) -> bool {
        const SUCH: &str = "such таких of them those these of are is there were было";
        let words: Vec<&str> = self.tokens.iter().map(|t| t.folded.as_str()).collect();
        let words = words.strip_suffix(&["?"]).unwrap_or(&words);
        let led = matches!(words, ["and" | "а" | "и", ..]);
        let from = usize::from(led);
        let rest = match words.get(from..) {
            Some(["how", "many", ..]) => from + 2,
            Some(["сколько", ..]) => from + 1,
            _ => return false,
        };
        let row = |at: usize| {
            self.tokens.get(at).is_some_and(|t| self.is_of_rows(&t.stem))
                || ["days", "дней"].contains(&words[at]) && self.table.ohlcv.is_some()
        };
        let all = (rest..words.len()).all(|at| one_of(SUCH, words[at]) || row(at));
        let such = (rest..words.len()).any(|at| one_of(SUCH, words[at]));
        all && rest < words.len() && (such || led)
    }

    /// `what percentage is that?` after how many rows meet a condition.
    fn share_of_all(&self, before: &Query) -> Option<Made> {
        let end = self.tokens.len() - usize::from(self.tokens.last()?.is_symbol("?"));
        let said = self.said(0, end).to_lowercase();
        let said = said.strip_prefix("and ").unwrap_or(&said);
        let [only] = &before.select[..] else { return None };
        let counts = only.text == "count()";
        let sum = only.text.strip_prefix("sum(").and_then(|text| text.strip_suffix(')'));
        let plain = before.group_by.is_empty() && before.steps.is_empty() && before.limit.is_none();
        let filter = before.filter.as_ref().filter(|_| plain && THAT.contains(&said))?;
        let query = Query {
            filter: None,
            select: vec![Selected {
                alias: Some("share_pct".to_owned()),
                text: match sum {
                    _ if counts => format!("pct({filter})"),
                    Some(of) => format!("sum(if({filter}, {of}, 0)) / sum({of}) * 100"),
                    None => return None,
                },
            }],
            ..before.clone()
        };
        if let Some(of) = sum {
            let said = text!(
                "share of the rows where {filter} in the sum of {of}, in %",
                "доля строк, где {filter}, в сумме {of}, в %"
            );
            return Some(Made::Query(query, said));
        }
        let rows = check(&Query { select: Vec::new(), ..before.clone() }, self.tables).ok()?;
        let [en, ru] = [Locale::En, Locale::Ru].map(|l| explain::of_query(&rows, false, l));
        let (en, ru) = (en?, ru?);
        let said = text!("share of these in all, in %: {en}", "доля этих строк во всех, в %: {ru}");
        Some(Made::Query(query, said))
    }
}

/// The rows that a query was about, whatever it told of them.
fn rows_of(before: &Query) -> Option<Query> {
    let mut all = before.clone();
    while all.steps.last().is_some_and(|step| !step.select.is_empty()) {
        all.steps.pop();
    }
    let aggregates = |query: &Query| !query.select.is_empty() || !query.group_by.is_empty();
    if all.steps.iter().any(aggregates) {
        return None;
    }
    if aggregates(&all) {
        // the first of some groups are none of the rows
        if all.limit.is_some() || !all.steps.is_empty() {
            return None;
        }
        all.select.clear();
        all.group_by.clear();
        all.sort.clear();
    }
    all.columns.clear();
    Some(all)
}

/// What a query asks, of the rows of one before it: `how many are male?` after those that are female
/// is of all of which that was asked.
fn of_rows(before: &Query, query: &Query, table: &TableSchema) -> Option<(Query, Query)> {
    let mut all = rows_of(before)?;
    for column in &table.columns {
        let name = format::name(&column.name);
        let says = |part: &str| {
            part.starts_with(&format!("{name} == ")) || part.starts_with(&format!("{name} in ["))
        };
        let share = |text: &str| text.strip_prefix("pct(").is_some_and(says);
        let again = query.filter.iter().any(|f| f.split(" and ").any(says))
            || query.select.iter().any(|s| share(&s.text));
        let taken = all.filter.as_deref().filter(|_| again).and_then(|f| taken_out(f, says));
        if let Some((_, kept)) = taken {
            all.filter = kept;
        }
    }
    let rows = all.clone();
    let other = |one: &Option<String>, new: &Option<String>| new.is_some() && one != new;
    if (all.session.is_some() || all.limit.is_some() || !all.steps.is_empty())
        && other(&all.session, &query.session)
    {
        return None;
    }
    if all.limit.is_some() || !all.steps.is_empty() {
        // of the first of an order: what comes of those is a step of its own
        if query.from.is_some() && query.from != all.from || query.period.is_some() {
            return None;
        }
        let step = Query { table: None, from: None, session: None, ..query.clone() };
        let (step, more) = (Query { steps: Vec::new(), ..step }, query.steps.clone());
        // what is made of each row is made already
        let map = step.map.iter().filter(|made| !all.map.contains(made)).cloned().collect();
        all.steps.push(Query { map, ..step });
        all.steps.extend(more);
        return Some((all, rows));
    }
    all.sort.clear();
    if query.from.is_some() && all.from.is_some() && query.from != all.from {
        return None;
    }
    if query.period.is_some() && all.period.is_some() && query.period != all.period {
        return None;
    }
    let mut made = all.map.clone();
    made.extend(query.map.iter().filter(|one| !all.map.contains(one)).cloned());
    let filter = match (&all.filter, &query.filter) {
        (old, Some(new)) => Some(put_back(old.as_deref(), new)?),
        (old, None) => old.clone(),
    };
    let query = Query {
        table: all.table.or_else(|| query.table.clone()),
        session: all.session.or_else(|| query.session.clone()),
        period: all.period.or_else(|| query.period.clone()),
        from: all.from.or_else(|| query.from.clone()),
        map: made,
        filter,
        lookback: all.lookback.or(query.lookback),
        ..query.clone()
    };
    Some((query, rows))
}
