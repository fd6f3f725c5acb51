//! Money of an account, where what goes out is below zero: what was spent is not the total of all, and
//! neither is the income.

use super::assemble::Table;
use super::lattice::{Lattice, Tag};
use super::sketch::{Cond, Dim, Measure, Operand, Select, Sketch};
use super::stem::{is_cyrillic, parts, stem};
use super::token::Token;
use super::words::{Agg, Cmp};
use crate::error::Locale;
use crate::query::format::name;
use crate::query::{Query, Selected};
use crate::schema::{Column, Kind, TableSchema};

/// Beginnings of words of what goes out.
const OUT: [&str; 18] = [
    "spend",
    "spent",
    "expens",
    "expendit",
    "outgo",
    "payment",
    "платеж",
    "purchas",
    "покупк",
    "потрат",
    "потрач",
    "трат",
    "трачу",
    "расход",
    "израсход",
    "списан",
    "ушло",
    "уход",
];

/// Beginnings of words of what comes in.
const IN: [&str; 11] = [
    "income",
    "earn",
    "receiv",
    "revenue",
    "доход",
    "заработ",
    "зарабат",
    "поступ",
    "получил",
    "зачисл",
    "пришло",
];

/// Beginnings of verbs after which `how much` is of money.
const SPENDING: [&str; 8] =
    ["потрат", "потрач", "трати", "трачу", "уходит", "израсход", "spent", "spend"];

/// What rows are, as they are counted.
const ROWS: [&str; 9] = [
    "заказов",
    "покупок",
    "чеков",
    "операций",
    "транзакций",
    "строк",
    "записей",
    "сделок",
    "платежей",
];

/// What a word for one side adds to the confidence that a sum is meant.
const SAID: f64 = 1.15;
/// What is left of the confidence where what is asked for has no column that it surely is.
const DOUBTFUL: f64 = 0.7;

/// The columns of money that a question may be about: of several the one of its side, where it asks for
/// one side alone.
pub(super) fn money(lattice: &Lattice<'_>) -> Vec<usize> {
    let any = |list: &[&str]| {
        lattice.tokens.iter().any(|t| list.iter().any(|word| t.folded.starts_with(word)))
    };
    let all = lattice.of_money();
    let (out, income) = (any(&OUT), any(&IN));
    let one = if all.len() > 1 && out != income { lattice.taken(out) } else { None };
    one.map_or(all, |column| vec![column])
}

/// The sketch with a condition on the sign of the money that it adds up, where the words ask for one
/// side of an account; and with money in place of a count where they say that it was spent.
pub(super) fn narrowed(
    mut sketch: Sketch,
    tokens: &[Token],
    money: &[usize],
    schema: &TableSchema,
) -> Sketch {
    let any =
        |list: &[&str]| tokens.iter().any(|t| list.iter().any(|word| t.folded.starts_with(word)));
    // `сколько пришло` is of money where it comes in by a side or a column of its own
    let came = |column: usize| {
        schema.columns.get(column).is_some_and(|c| {
            let own = |part: &String| IN.iter().any(|begin| part.starts_with(begin));
            c.signed || parts(&c.name).iter().any(own)
        })
    };
    let received = any(&["пришло", "поступил", "received"]);
    if (any(&SPENDING) || received && matches!(*money, [only] if came(only)))
        && !any(&["раз", "time", "often", "част", "number", "число", "количеств"])
        && let [Select::Count] = sketch.select[..]
        && let [only] = *money
        && !sketch.groups.contains(&Dim::Column(only))
    {
        sketch.select = vec![Select::Agg(Agg::Sum, Measure::Column(only))];
    }
    // how much was spent, or came in, is no number of rows where nobody knows the money
    else if (any(&SPENDING) || any(&["пришло", "поступил"]))
        && tokens.iter().any(|t| ["сколько", "much"].contains(&t.folded.as_str()))
        && !any(&["раз", "time", "often", "част", "number", "число", "количеств"])
        && !tokens.iter().any(|t| ROWS.contains(&t.folded.as_str()))
        && matches!(sketch.select[..], [Select::Count | Select::CountDistinct(_)])
    {
        sketch.quality *= DOUBTFUL;
    }
    // `количество заказов`: their number, not the sum of a column that is called a quantity
    let counted = tokens.windows(2).any(|two| {
        let quantity = two.first().is_some_and(|t| t.folded.starts_with("количеств"));
        quantity && two.last().is_some_and(|t| ROWS.contains(&t.folded.as_str()))
    });
    if counted && matches!(sketch.select[..], [Select::Agg(Agg::Sum, Measure::Column(_))]) {
        sketch.select = vec![Select::Count];
    }
    let (out, income) = (any(&OUT), any(&IN));
    if out == income {
        // of both sides together a part is no share
        let signed = |c: &usize| schema.columns.get(*c).is_some_and(|c| c.signed);
        if sketch
            .select
            .iter()
            .any(|s| matches!(s, Select::Part(Measure::Column(c), _) if signed(c)))
        {
            sketch.quality *= DOUBTFUL;
        }
        // `top 5 merchants` of a statement: those that most went to
        if let [Select::Agg(Agg::Sum, Measure::Column(column))] = sketch.select[..]
            && !out
            && sketch.ranked
            && !sketch.groups.is_empty()
            && schema.columns.get(column).is_some_and(|c| c.signed && !is_named(c, tokens))
            && !sketch.filters.iter().any(|c| bounds(c, column))
        {
            let below = Cond::Compare(Measure::Column(column), Cmp::Lt, Operand::Number(0.0));
            sketch.filters.push(below);
            sketch.descending = !sketch.descending;
        }
        // `transactions over 500` may as well be those below -500
        if !out && sketch.filters.iter().any(|c| bounds_unnamed(c, tokens, schema)) {
            sketch.quality *= DOUBTFUL;
        }
        return sketch;
    }
    if out && on_what(tokens) {
        sketch = by_what(sketch, money, schema);
    }
    if out {
        let signed =
            |c: &usize| schema.columns.get(*c).is_some_and(|c| c.signed && !is_named(c, tokens));
        let signed: Vec<usize> = money.iter().copied().filter(signed).collect();
        sketch.filters = sketch.filters.into_iter().map(|c| below_zero(c, &signed)).collect();
    }
    let of_money = |measure: &Measure| match measure {
        Measure::Column(column) if money.contains(column) => Some(*column),
        _ => None,
    };
    let ordered = sketch.order.as_ref().and_then(of_money);
    let measured = sketch.select.iter().find_map(|select| match select {
        Select::Agg(Agg::Sum | Agg::Mean | Agg::Max | Agg::Min | Agg::Median, measure) => {
            of_money(measure)
        }
        // a share in what was spent is none in the total of both sides
        Select::Part(measure, _) => of_money(measure),
        _ => None,
    });
    let Some(column) = measured.or(ordered) else { return sketch };
    let known = |c: &Cond| bounds(c, column);
    let signed = schema.columns.get(column).is_some_and(|c| c.signed && !is_named(c, tokens));
    if !signed || sketch.filters.iter().any(known) {
        return sketch;
    }
    // what it is of is said plainly: one side of all that there is
    if matches!(sketch.select[..], [] | [Select::Agg(Agg::Sum, _) | Select::Part(..)]) {
        sketch.quality = (sketch.quality * SAID).min(1.0);
    }
    let cmp = if out { Cmp::Lt } else { Cmp::Gt };
    sketch.filters.push(Cond::Compare(Measure::Column(column), cmp, Operand::Number(0.0)));
    if out {
        // the largest expense is the furthest below zero
        if sketch.order.is_some() || sketch.ranked {
            sketch.descending = !sketch.descending;
        }
        for select in &mut sketch.select {
            if let Select::Agg(agg @ (Agg::Max | Agg::Min), _) = select {
                *agg = if *agg == Agg::Max { Agg::Min } else { Agg::Max };
            }
        }
        sketch = as_row(sketch, tokens);
    }
    sketch
}

/// A condition on the numbers of a column.
fn bounds(cond: &Cond, column: usize) -> bool {
    let of = |leaf: &&Cond| matches!(leaf, Cond::Compare(Measure::Column(of), ..) if *of == column);
    cond.leaves().iter().any(of)
}

/// `how much did I save in 2025`: what came in less what went out, in words that are understood.
pub(super) fn of_savings(question: &str, tokens: &[Token], schema: &TableSchema) -> Option<String> {
    const SAVED: [&str; 8] =
        ["save", "saved", "накопил", "накопила", "накопили", "сэкономил", "сэкономила", "отложил"];
    let asks = |t: &Token| ["how", "сколько"].contains(&t.folded.as_str());
    if !tokens.first().is_some_and(asks) || !schema.columns.iter().any(|c| c.signed) {
        return None;
    }
    let saved = tokens.iter().find(|t| SAVED.contains(&t.folded.as_str()))?;
    let rest = question.get(saved.span.end..)?;
    let russian = saved.folded.chars().any(is_cyrillic);
    Some(format!("{}{rest}", if russian { "чистое изменение" } else { "net change" }))
}

/// `biggest expense`: the row that tells what it was for, not its sum alone.
fn as_row(mut sketch: Sketch, tokens: &[Token]) -> Sketch {
    let superlative = |t: &Token| {
        const SUPERLATIVES: [&str; 4] = ["biggest", "largest", "greatest", "smallest"];
        SUPERLATIVES.contains(&t.folded.as_str()) || t.folded.starts_with("сам")
    };
    if let [Select::Agg(agg @ (Agg::Max | Agg::Min), measure)] = sketch.select[..]
        && sketch.groups.is_empty()
        && sketch.then.is_none()
        && sketch.order.is_none()
        && tokens.iter().any(superlative)
    {
        sketch.select.clear();
        sketch.order = Some(measure);
        sketch.descending = agg == Agg::Max;
        sketch.limit = Some(1);
    }
    sketch
}

/// `what did I spend most on`, `на что я потратил больше всего`: it asks for what, not for how much.
fn on_what(tokens: &[Token]) -> bool {
    let word = |at: usize| tokens.get(at).map_or("", |t| t.folded.as_str());
    let any = |list: &[&str]| tokens.iter().any(|t| list.contains(&t.folded.as_str()));
    let english = ["what", "which"].contains(&word(0)) && any(&["most", "least"]) && any(&["on"]);
    let russian = word(0) == "на" && word(1) == "что" && any(&["всего"]);
    english || russian
}

/// The sum of each of what the only column of texts says, the greatest first, in place of one number;
/// where there are several such columns, none is surely meant.
fn by_what(mut sketch: Sketch, money: &[usize], schema: &TableSchema) -> Sketch {
    let texts: Vec<usize> = (0..schema.columns.len())
        .filter(|&i| schema.columns.get(i).is_some_and(|c| c.kind == Kind::Text))
        .collect();
    let one =
        |select: &Select| matches!(select, Select::Agg(_, Measure::Column(c)) if money.contains(c));
    let [money] = *money else { return sketch };
    let plain = sketch.groups.is_empty() && sketch.then.is_none() && sketch.columns.is_empty();
    if !plain || !sketch.select.iter().all(one) {
        return sketch;
    }
    // money goes on kinds of things first
    let kind = |&i: &usize| {
        const KINDS: [&str; 6] = ["category", "kind", "type", "категория", "статья", "вид"];
        let names = schema.columns.get(i).map(|c| parts(&c.name)).unwrap_or_default();
        names.iter().any(|part| KINDS.contains(&part.as_str()))
    };
    let kinds: Vec<usize> = texts.iter().copied().filter(kind).collect();
    let (([text], _) | (_, [text])) = (&texts[..], &kinds[..]) else {
        sketch.quality *= DOUBTFUL;
        return sketch;
    };
    let text = *text;
    sketch.select = vec![Select::Agg(Agg::Sum, Measure::Column(money))];
    sketch.groups = vec![Dim::Column(text)];
    sketch.order = None;
    sketch.ranked = true;
    sketch.descending = true;
    sketch
}

/// `how many desks were sold`: the sum of the quantities of their rows, not the number of these.
pub(super) fn sold(mut sketch: Sketch, lattice: &Lattice<'_>, table: &Table<'_>) -> Sketch {
    let any = |is: &dyn Fn(usize) -> bool| (0..lattice.tokens.len()).any(is);
    // `what sold best` asks of what, which no column says
    let what = lattice.tokens.first().is_some_and(|t| ["what", "что"].contains(&t.folded.as_str()));
    let most = |select: &Select| matches!(select, Select::Agg(Agg::Max | Agg::Min, _));
    if what
        && sketch.groups.is_empty()
        && sketch.select.iter().any(most)
        && any(&|at| lattice.is_sold(at))
    {
        sketch.quality *= DOUBTFUL;
    }
    // `who sold the most`: money or pieces rather than rows, and nothing says which
    let measured =
        || lattice.taken(false).is_some() || table.numeric().iter().any(|&m| table.is_quantity(m));
    if sketch.select == [Select::Count]
        && (sketch.ranked || sketch.limit.is_some())
        && !sketch.groups.is_empty()
        && any(&|at| lattice.is_sold(at))
        && measured()
    {
        sketch.quality *= DOUBTFUL;
    }
    let rows = |at: usize| lattice.at(at).iter().any(|m| m.tag == Tag::Table && m.quality >= 1.0);
    if sketch.select == [Select::Count]
        && any(&|at| lattice.is_counted_sale(at))
        && !any(&rows)
        && let Some(&measure) = table.numeric().iter().find(|&&m| table.is_quantity(m))
    {
        sketch.select = vec![Select::Agg(Agg::Sum, measure)];
    }
    sketch
}

/// `income and expenses by month`: the sum of each side, not of both together.
pub(super) fn both_sides(
    query: &mut Query,
    sketch: &Sketch,
    tokens: &[Token],
    schema: &TableSchema,
) -> bool {
    let any =
        |list: &[&str]| tokens.iter().any(|t| list.iter().any(|word| t.folded.starts_with(word)));
    let [Select::Agg(Agg::Sum, Measure::Column(column))] = sketch.select[..] else { return false };
    let Some(column) = schema.columns.get(column).filter(|c| c.signed) else { return false };
    let plain = sketch.then.is_none() && sketch.having.is_none() && !sketch.ranked;
    if !(any(&OUT) && any(&IN) && plain) || is_named(column, tokens) {
        return false;
    }
    let name = name(&column.name);
    let side = |alias: &str, sign: &str| Selected {
        alias: Some(alias.to_owned()),
        text: format!("sum(if({name} {sign} 0, {name}, 0))"),
    };
    let russian = tokens.iter().any(|t| t.folded.chars().any(is_cyrillic));
    let (income, spending) =
        if russian { ("доходы", "расходы") } else { ("income", "spending") };
    query.select = vec![side(income, ">"), side(spending, "<")];
    true
}

/// The words of a question for both sides.
pub(super) fn in_words(explanation: &str, locale: Locale) -> String {
    match locale {
        Locale::En => format!("income (above 0) and spending (below 0) apart: {explanation}"),
        Locale::Ru => format!("доходы (больше 0) и расходы (меньше 0) отдельно: {explanation}"),
    }
}

/// Bounds on what goes out, which is below zero: `expenses over 100` are less than -100, and those
/// below 50 between -50 and nothing.
fn below_zero(cond: Cond, signed: &[usize]) -> Cond {
    cond.map(&|leaf| match leaf {
        Cond::Compare(Measure::Column(column), cmp, Operand::Number(bound))
            if bound > 0.0 && signed.contains(&column) =>
        {
            let of =
                |cmp, number| Cond::Compare(Measure::Column(column), cmp, Operand::Number(number));
            let turned = of(cmp.mirrored(), -bound);
            match cmp {
                Cmp::Lt | Cmp::Le => Cond::All(vec![turned, of(Cmp::Lt, 0.0)]),
                _ => turned,
            }
        }
        other => other,
    })
}

/// A change of the query before that asks for the other side of the account: its condition turns.
pub(super) fn turned(mut query: Query, tokens: &[Token], schema: &TableSchema) -> Query {
    let any =
        |list: &[&str]| tokens.iter().any(|t| list.iter().any(|word| t.folded.starts_with(word)));
    let (out, income) = (any(&OUT), any(&IN));
    if out != income
        && let Some(filter) = &mut query.filter
    {
        for column in schema.columns.iter().filter(|c| c.signed) {
            let side = |sign: &str| format!("{} {sign} 0", name(&column.name));
            let (below, above) = (side("<"), side(">"));
            *filter =
                if out { filter.replace(&above, &below) } else { filter.replace(&below, &above) };
        }
    }
    // `and spending by month?` after the total of all that went in and out
    if out != income && query.steps.is_empty() {
        let read =
            |text: &str, column: &Column| text.contains(&format!("({})", name(&column.name)));
        let of = schema.columns.iter().filter(|c| c.signed && !is_named(c, tokens));
        let mut of = of.filter(|c| query.select.iter().any(|s| read(&s.text, c)));
        let known = |c: &&Column| {
            query.filter.as_ref().is_some_and(|f| f.contains(&format!("{} ", name(&c.name))))
        };
        if let Some(column) = of.find(|c| !known(c)) {
            let side = format!("{} {} 0", name(&column.name), if out { "<" } else { ">" });
            query.filter = Some(match query.filter.take() {
                Some(filter) => format!("({filter}) and {side}"),
                None => side,
            });
        }
    }
    query
}

/// `and in Bergen?` after the share of Oslo in a sum: the share of Bergen, not that of Oslo among the
/// rows of Bergen, which is nothing.
pub(super) fn of_another(mut query: Query, before: &Query, schema: &TableSchema) -> Query {
    let Some(filter) = query.filter.clone() else { return query };
    for column in schema.columns.iter().filter(|c| c.kind == Kind::Text) {
        let is = format!("{} == ", name(&column.name));
        let Some(at) = filter.rfind(&is) else { continue };
        let value = quoted(&filter[at + is.len()..]);
        let known = before.filter.as_ref().is_some_and(|old| old.contains(&is));
        let asked = format!("if({is}");
        for selected in &mut query.select {
            let Some(start) = selected.text.find(&asked).map(|i| i + asked.len()) else { continue };
            let (Some(new), Some(old)) = (value, quoted(&selected.text[start..])) else { continue };
            if !known {
                selected.text.replace_range(start..start + old.len(), new);
                query.filter.clone_from(&before.filter);
            }
        }
    }
    query
}

/// The quoted text that stands first.
fn quoted(text: &str) -> Option<&str> {
    let mut escaped = false;
    let rest = text.strip_prefix('"')?;
    let end = rest.char_indices().find(|&(_, c)| {
        let ends = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        ends
    })?;
    text.get(..end.0 + 2)
}

/// A bound above zero on money that goes below it, which no word of the question names.
fn bounds_unnamed(cond: &Cond, tokens: &[Token], schema: &TableSchema) -> bool {
    let unnamed = |column: &Column| {
        let names = std::iter::once(&column.name).chain(&column.label).chain(&column.synonyms);
        let mut own = names.flat_map(|name| parts(name)).map(|part| stem(&part));
        !own.any(|part| tokens.iter().any(|t| t.stem == part))
    };
    cond.leaves().iter().any(|leaf| match leaf {
        Cond::Compare(Measure::Column(column), Cmp::Gt | Cmp::Ge, Operand::Number(bound)) => {
            let column = schema.columns.get(*column).filter(|c| c.signed);
            *bound > 0.0 && column.is_some_and(unnamed)
        }
        _ => false,
    })
}

/// The word of the question that asks for one side is the column's own name: `spending` of such a
/// column is all of it.
fn is_named(column: &Column, tokens: &[Token]) -> bool {
    let names = std::iter::once(&column.name).chain(&column.label).chain(&column.synonyms);
    let side = |part: &String| OUT.iter().chain(&IN).any(|begin| part.starts_with(begin));
    let mut own = names.flat_map(|name| parts(name)).filter(side).map(|part| stem(&part));
    own.any(|part| tokens.iter().any(|t| t.stem == part))
}
