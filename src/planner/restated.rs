//! Questions in other words for the same, where those are understood.

mod abroad;
mod duration;
mod heavier;
mod listed;
mod moments;
mod money;
mod plainer;
mod prices;
pub(super) mod product;
pub(super) mod versus;
mod ways;
mod with_most;
mod wording;

use super::token::{TokenKind, tokenise};
use super::{Attempt, Plan, Reading, Status, language, signed};
use crate::schema::TableSchema;
use wording::Asked;

/// How sure what is offered is at most.
const NEARLY: f64 = 0.74;

/// The plan of a question in other words is taken: by which of several dates is still a question then, but
/// no word that nobody typed is one.
pub(super) fn is_better(other: &Attempt, own: &Attempt, question: &str) -> bool {
    let typed = || other.unknown.iter().all(|word| question.contains(word.as_str()));
    let surer = other.plan.confidence > own.plan.confidence;
    match other.plan.status {
        Status::Ready => true,
        Status::Readings => surer && typed(),
        Status::Declined => false,
    }
}

/// What would be run, to be chosen.
pub(super) fn offered(mut attempt: Attempt) -> Attempt {
    attempt.plan = to_choose(attempt.plan);
    attempt
}

/// A plan that is ready, as one that is offered.
pub(crate) fn to_choose(mut plan: Plan) -> Plan {
    plan.status = Status::Readings;
    plan.confidence = plan.confidence.min(NEARLY);
    plan.message = Some(language::choose(plan.language, &[], 1));
    let explanation = std::mem::take(&mut plan.explanation);
    let (confidence, notes) = (plan.confidence, std::mem::take(&mut plan.notes));
    let query = plan.query.take();
    plan.readings =
        query.map(|query| Reading { query, explanation, confidence, notes }).into_iter().collect();
    plan
}

/// Plans that are ready, as one that offers them all.
pub(crate) fn one_of(plans: impl Iterator<Item = Plan>) -> Option<Plan> {
    let mut plans = plans.map(to_choose);
    let mut all = plans.next()?;
    for reading in plans.flat_map(|plan| plan.readings) {
        if !all.readings.iter().any(|r| r.query == reading.query) {
            all.readings.push(reading);
        }
    }
    all.message = Some(language::choose(all.language, &[], all.readings.len()));
    Some(all)
}

/// `show all rows of receipts`, `show the receipts table`: the receipts.
fn rows_of_table(question: &str) -> Option<String> {
    const AROUND: [&str; 19] = [
        "show",
        "list",
        "display",
        "me",
        "all",
        "every",
        "the",
        "rows",
        "records",
        "of",
        "from",
        "table",
        "покажи",
        "выведи",
        "все",
        "всю",
        "строки",
        "таблицы",
        "таблицу",
    ];
    const SAY: [&str; 5] = ["rows", "records", "table", "строки", "таблицу"];
    let tokens = tokenise(question);
    let words = || tokens.iter().filter(|t| t.kind != TokenKind::Symbol);
    let mut other = words().filter(|t| !AROUND.contains(&t.folded.as_str()));
    let (Some(name), None) = (other.next(), other.next()) else { return None };
    // `show as table`, `show that table` are about what was told
    const TOLD: [&str; 13] = [
        "as", "it", "that", "this", "these", "those", "them", "a", "in", "как", "это", "эту", "их",
    ];
    if TOLD.contains(&name.folded.as_str()) {
        return None;
    }
    let leads = ["show", "list", "display", "покажи", "выведи"];
    let led = words().next().is_some_and(|t| leads.contains(&t.folded.as_str()));
    if !led || !words().any(|t| SAY.contains(&t.folded.as_str())) || name.kind != TokenKind::Word {
        return None;
    }
    let show = &name.raw;
    let russian = words().any(|t| t.folded.chars().any(super::stem::is_cyrillic));
    Some(if russian { format!("покажи {show}") } else { format!("show {show}") })
}

fn among(list: &str, word: &str) -> bool {
    list.split(' ').any(|known| known == word)
}

/// Words that say less than they ask for in full: `топ городов` are some of them, as `top cities` are,
/// not the first alone.
pub(super) fn with_ten(question: &str) -> Option<String> {
    if let Some(said) = rows_of_table(question) {
        return Some(said);
    }
    let tokens = tokenise(question);
    // `сколько и на что я потратил`: what it went on says how much
    let word = |at: usize| tokens.get(at).map_or("", |t| t.folded.as_str());
    if [word(0), word(1), word(2), word(3)] == ["сколько", "и", "на", "что"] {
        return question.get(tokens.get(2)?.span.start..).map(str::to_owned);
    }
    // `а сколько это чеков?`
    if let Some(at) = (1..tokens.len()).find(|&at| word(at - 1) == "сколько" && word(at) == "это")
        && tokens.get(at + 1).is_some_and(|t| {
            t.kind == TokenKind::Word && !among("в во за процентов будет же", &t.folded)
        })
    {
        let (before, behind) = (tokens.get(at)?.span.start, tokens.get(at)?.span.end);
        return Some(format!(
            "{}{}",
            question.get(..before)?,
            question.get(behind..)?.trim_start()
        ));
    }
    // `how many items are on an average receipt`
    let on = if word(3) == "are" { 4 } else { 3 };
    let average = among("average typical", word(on + 2));
    if (word(0), word(1)) == ("how", "many")
        && among("on in", word(on))
        && average
        && tokens.len() <= on + 5
    {
        let of = tokens.get(on + 3)?;
        let goods = among("products goods things lines positions", word(2));
        let said = if goods { "items" } else { word(2) };
        return Some(format!("average number of {said} per {}", of.raw));
    }
    let at = tokens.iter().position(|t| t.folded == "топ")?;
    let next = tokens.get(at + 1).filter(|t| t.kind == TokenKind::Word)?;
    const MANY: [&str; 8] = ["ов", "ев", "ей", "ок", "ек", "ий", "ых", "их"];
    if !MANY.iter().any(|ending| next.folded.ends_with(ending)) {
        return None;
    }
    let (before, after) = question.split_at_checked(next.span.start)?;
    Some(format!("{before}10 {after}"))
}

/// The question in other words, whatever its own would be understood as: those say another thing than
/// people mean by them.
pub(super) fn meant(question: &str, table: &TableSchema) -> Option<String> {
    let tokens = tokenise(question);
    let asked = Asked { question, tokens: &tokens, table };
    asked
        .where_money_goes()
        .or_else(|| asked.how_long_it_takes())
        .or_else(|| asked.of_either_end())
        .or_else(|| asked.whose_biggest())
        .or_else(|| asked.spent_by())
        .or_else(|| asked.distributed())
        .or_else(|| asked.of_such_a_sum())
        .or_else(|| asked.several())
        .or_else(|| asked.rows_per())
        .or_else(|| asked.hours_of_clock())
        .or_else(|| asked.best_paid())
        .or_else(|| asked.which_is_largest())
        .or_else(|| asked.higher_at_times())
        .or_else(|| asked.weighs())
        .or_else(|| asked.when_there_was())
        .or_else(|| asked.what_sells_best())
        .or_else(|| asked.more_volatile())
        .or_else(|| asked.who_has())
        .or_else(|| asked.who_has_most())
        .or_else(|| asked.with_the_most())
        .or_else(|| asked.time_of_the_day())
        .or_else(|| asked.each_time())
        .or_else(|| asked.number_of_sales())
        .or_else(|| asked.of_the_most())
        .or_else(|| asked.longest())
        .or_else(|| asked.salary())
        .or_else(|| asked.most_volatile())
        .or_else(|| asked.price_on_a_day())
        .or_else(|| asked.price_now())
        .or_else(|| asked.both_ends())
        .or_else(|| asked.best_time())
        .or_else(|| asked.high_less_low())
        .or_else(|| asked.traded())
        .or_else(|| asked.deepest_fall())
}

/// `поездки в Берлине` of a table with Berlin: the question with the value as it is written there.
pub(super) fn in_latin(question: &str, table: &TableSchema) -> Option<(String, bool)> {
    let tokens = tokenise(question);
    Asked { question, tokens: &tokens, table }.in_latin()
}

/// `а только на машинах?`: the value, though the word may be for the column, too.
pub(super) fn only_a_value(question: &str, table: &TableSchema) -> Option<String> {
    let only = tokenise(question).iter().any(|t| ["только", "лишь"].contains(&t.folded.as_str()));
    let (said, sure) = in_latin(question, table).filter(|_| only)?;
    sure.then_some(said)
}

/// `where does my money go` of receipts: by category.
pub(super) fn by_category(question: &str) -> Option<String> {
    let tokens = tokenise(question);
    let table = &TableSchema::new("", Vec::new());
    Asked { question, tokens: &tokens, table }.by_category()
}

/// `average spend per week`, of whatever is spent: the mean of what each week comes to.
pub(super) fn each_time(question: &str) -> Option<String> {
    let tokens = tokenise(question);
    let table = &TableSchema::new("", Vec::new());
    Asked { question, tokens: &tokens, table }.each_time()
}

/// The question in words that are understood over this table.
pub(super) fn restated(question: &str, table: &TableSchema) -> Option<String> {
    let tokens = tokenise(question);
    let asked = Asked { question, tokens: &tokens, table };
    let revenue = product::of_quantity_and_price(question, &tokens, table);
    // said in both ways where it holds both
    if let Some(revenue) = revenue {
        let tokens = tokenise(&revenue);
        let asked = Asked { question: &revenue, tokens: &tokens, table };
        return Some(asked.ten_at_the_top().unwrap_or(revenue));
    }
    asked
        .ten_at_the_top()
        .or_else(|| signed::of_savings(question, &tokens, table))
        .or_else(|| asked.by_age())
        .or_else(|| asked.most_recent())
        .or_else(|| asked.repeated())
        .or_else(|| asked.rate())
        .or_else(|| asked.how_long())
        .or_else(|| asked.pay_gap())
        .or_else(|| asked.net())
        .or_else(|| asked.range_of())
        .or_else(|| asked.whose_is_longer())
        .or_else(|| asked.heavier())
        .or_else(|| asked.over_the_years())
        .or_else(|| asked.ratio_of_two())
        .or_else(|| asked.listed())
        .or_else(|| asked.both_counted())
        .or_else(|| asked.heaviest())
        .or_else(|| asked.plainer())
        .or_else(|| asked.duration())
        .or_else(|| asked.most_kinds())
        .or_else(|| asked.shares_in_percent())
        .or_else(|| asked.top_by_money())
        .or_else(|| asked.by_their_ids())
        .or_else(|| asked.weight())
        .or_else(|| asked.charted())
}
