//! A benchmark of the check: true sentences over random tables must pass, mutated ones must be
//! caught. Seeds are fixed; the rates are printed.

use super::fixtures::{bars, f, orders, outcome};
use super::run;
use crate::facts::Outcome;
use crate::validate::{Overall, Verdict};
use crate::value::Value;
use chrono::{Days, NaiveDate};
use serde_json::json;
use std::collections::BTreeMap;

/// A small generator with a fixed sequence (splitmix64).
struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    /// Between 0 and 1.
    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn between(&mut self, a: f64, b: f64) -> f64 {
        a + (b - a) * self.unit()
    }
}

/// A table, its template family and what the placeholders may say.
struct World {
    outcome: Outcome,
    /// Per row: placeholder → name in the form that the template asks for.
    names: Vec<BTreeMap<&'static str, String>>,
    /// Per row: placeholder → value.
    values: Vec<BTreeMap<&'static str, f64>>,
    templates: &'static [&'static str],
}

const EN_DAYS: [&str; 5] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"];
const RU_DAYS: [[&str; 3]; 5] = [
    ["понедельник", "в понедельник", "понедельникам"],
    ["вторник", "во вторник", "вторникам"],
    ["среда", "в среду", "средам"],
    ["четверг", "в четверг", "четвергам"],
    ["пятница", "в пятницу", "пятницам"],
];

/// `{e}` … names of the row, `{mean}` … its values, `{f}`, `{mean2}` … of a second row; `{hi}`,
/// `{lo}` the rows with the largest and smallest mean. `[kind:right|wrong]` are words.
const DAY_TEMPLATES: &[&str] = &[
    "On {e}, the [measure:average|largest] gap was {mean}.",
    "{e} averaged {mean}.",
    "{e}: [measure:mean|maximum] gap {mean}, {n} days.",
    "The [measure:mean|max] gap was {mean} on {e} and {mean2} on {f}.",
    "The largest gap on {e} was {max}.",
    "{e} had {n} days with a gap above [stale:50|60].",
    "With a mean gap of {mean}, {e} stands beside {f} at {mean2}.",
    "Mean gap by weekday:\n- {e}: {mean}\n- {f}: {mean2}",
    "The average gap is [sup:highest|lowest] on {hi} ({himean}).",
    "{lo} had the [sup:lowest|highest] average gap, {lomean}.",
    "The average gap on {e} was [bound:over|under] {floor}.",
    "{e} averaged {mean}, [order:more|less] than {below}.",
    "The difference in average gap between {hi} and {lo} is {diff}.",
    "{matched} of {scanned} days had a gap above [stale:50|40].",
    "{n} of the {matched} days were on {e}.",
    "По {dat} [measure:средний|максимальный] гэп составляет {mean}.",
    "{Acc} [measure:средний|максимальный] гэп был {mean}, {acc2} — {mean2}.",
    "{Nom}: в среднем {mean}, дней — {n}.",
    "[sup:Самый высокий|Самый низкий] средний гэп — {hiacc} ({himean}).",
    "Средний гэп [sup:ниже|выше] всего {loacc}: {lomean}.",
    "{Acc} средний гэп [bound:свыше|меньше] {floor}.",
    "При гэпе больше [stale:50|70] {acc} было {n} дней.",
    "Условию отвечают {matched} дней из {scanned}.",
];

const SHOP_TEMPLATES: &[&str] = &[
    "{e} sold for ${sum} in total ({n} orders).",
    "{e}'s total amount was ${sum}, and {f} had ${sum2}.",
    "The [sup:highest|lowest] total amount is at {hi}: ${hisum}.",
    "{e} took {n} orders and {f} took {n2}.",
    "{e}: ${sumk}k in total.",
    "{e} and {f} had total amounts of ${sum} and ${sum2}.",
    "The total amount at {e} was [unit:$|€]{sum}.",
];

const ROW_TEMPLATES: &[&str] = &[
    "On {date} it [direction:fell|rose] {abs}%.",
    "On {long}, the change was {change}%.",
    "{iso}: [direction:down|up] {abs}%.",
    "The change on {iso} was {change}[unit:%| points].",
    "{ru} индекс [direction:упал|вырос] на {abs}%.",
    "The [sup:largest|smallest] drop came on {worst}: {worstchange}%.",
];

fn days(rng: &mut Rng) -> World {
    let mut names = Vec::new();
    let mut values: Vec<BTreeMap<&'static str, f64>> = Vec::new();
    let mut rows = Vec::new();
    let mut matched = 0;
    for i in 0..5 {
        let (mean, n) = (rng.between(51.0, 99.0), 5 + rng.below(40));
        let max = mean + rng.between(20.0, 90.0);
        matched += n;
        rows.push(vec![Value::text(&EN_DAYS[i][..3]), f(mean), f(max), Value::Int(n as i64)]);
        let capital = |s: &str| super::super::names::capitalised(s);
        names.push(BTreeMap::from([
            ("e", EN_DAYS[i].to_owned()),
            ("acc", RU_DAYS[i][1].to_owned()),
            ("Acc", capital(RU_DAYS[i][1])),
            ("Nom", capital(RU_DAYS[i][0])),
            ("dat", RU_DAYS[i][2].to_owned()),
        ]));
        values.push(BTreeMap::from([("mean", mean), ("max", max), ("n", n as f64)]));
    }
    let scanned = matched + 100 + rng.below(400);
    for v in &mut values {
        v.insert("matched", matched as f64);
        v.insert("scanned", scanned as f64);
    }
    let outcome = outcome(
        "r1",
        bars(),
        &json!({"from": "daily", "map": {"gap": "abs(open - prev(close))", "dow": "dayname()"},
            "where": "gap > 50", "group_by": "dow", "select": "mean(gap), max(gap), count()"}),
        rows,
        scanned as u64,
        matched as u64,
    );
    World { outcome, names, values, templates: DAY_TEMPLATES }
}

fn shops(rng: &mut Rng) -> World {
    let all = ["Kuper", "Vkusno", "North Mall", "Globus", "Azbuka"];
    let (mut names, mut values, mut rows) = (Vec::new(), Vec::new(), Vec::new());
    let mut matched = 0;
    for shop in all {
        let (sum, n) = (rng.between(1_000.0, 90_000.0), 20 + rng.below(900));
        matched += n;
        rows.push(vec![Value::text(shop), f(sum), Value::Int(n as i64)]);
        names.push(BTreeMap::from([("e", shop.to_owned())]));
        values.push(BTreeMap::from([("sum", sum), ("n", n as f64), ("sumk", sum / 1000.0)]));
    }
    let outcome = outcome(
        "r1",
        orders(),
        &json!({"group_by": "shop", "select": "sum(amount), count()"}),
        rows,
        matched as u64,
        matched as u64,
    );
    World { outcome, names, values, templates: SHOP_TEMPLATES }
}

fn table(rng: &mut Rng) -> World {
    let months = [
        "января",
        "февраля",
        "марта",
        "апреля",
        "мая",
        "июня",
        "июля",
        "августа",
        "сентября",
        "октября",
        "ноября",
        "декабря",
    ];
    let (mut names, mut values, mut rows) = (Vec::new(), Vec::new(), Vec::new());
    let start = NaiveDate::from_ymd_opt(2024, 1, 2).unwrap_or_default();
    for i in 0..8_u64 {
        let date = start + Days::new(i * 31 + rng.below(25) as u64);
        let change = -rng.between(2.5, 9.9);
        rows.push(vec![
            date.and_hms_opt(0, 0, 0).map_or(Value::Null, Value::from_datetime),
            f(rng.between(15_000.0, 22_000.0)),
            f(change),
        ]);
        let month = months[chrono::Datelike::month0(&date) as usize];
        names.push(BTreeMap::from([
            ("date", date.format("%-d %B %Y").to_string()),
            ("long", date.format("%B %-d, %Y").to_string()),
            ("iso", date.format("%Y-%m-%d").to_string()),
            ("ru", format!("{} {month} {} года", date.format("%-d"), date.format("%Y"))),
        ]));
        values.push(BTreeMap::from([("change", change), ("abs", change.abs())]));
    }
    let outcome = outcome(
        "r1",
        bars(),
        &json!({"from": "daily", "map": {"change_pct": "(close / prev(close) - 1) * 100"},
            "where": "change_pct < -2.5", "columns": ["timestamp", "close", "change_pct"]}),
        rows,
        500,
        8,
    );
    World { outcome, names, values, templates: ROW_TEMPLATES }
}

/// What is wrong in a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Change {
    Nothing,
    Digit,
    Rounding,
    Random,
    Entity,
    Word(&'static str),
}

/// The sentence of a template, and the text of the number that was changed; `None` where the
/// template has no place for the change.
fn sentence(
    world: &World,
    template: &str,
    change: Change,
    rng: &mut Rng,
) -> Option<(String, String)> {
    let rows = world.values.len();
    let first = rng.below(rows);
    let second = (first + 1 + rng.below(rows - 1)) % rows;
    let key = ["mean", "sum", "change"].into_iter().find(|k| world.values[0].contains_key(k))?;
    let by = |more: bool| {
        (0..rows).max_by(|a, b| {
            let order = world.values[*a][key].total_cmp(&world.values[*b][key]);
            if more { order } else { order.reverse() }
        })
    };
    let (hi, lo) = (by(true)?, by(false)?);
    // A row below the first by the measure, for comparisons.
    let below = (0..rows).find(|r| world.values[*r][key] < world.values[first][key]);
    if template.contains("{below}") && below.is_none() {
        return None;
    }
    let russian = super::super::lex::is_cyrillic(template);
    let mut out = String::new();
    let mut changed = String::new();
    let mut rest = template;
    while let Some(at) = rest.find(['{', '[']) {
        out.push_str(&rest[..at]);
        let close = if rest.as_bytes()[at] == b'{' { '}' } else { ']' };
        let end = rest.find(close)?;
        let inner = &rest[at + 1..end];
        rest = &rest[end + 1..];
        if close == ']' {
            let (kind, words) = inner.split_once(':')?;
            let (right, wrong) = words.split_once('|')?;
            let wrong_now = matches!(change, Change::Word(k) if k == kind) && changed.is_empty();
            out.push_str(if wrong_now { wrong } else { right });
            if wrong_now {
                changed = kind.to_owned();
            }
            continue;
        }
        let (row, name) = match inner {
            "f" => (second, "e"),
            "below" => (below?, "e"),
            "hi" => (hi, "e"),
            "lo" => (lo, "e"),
            "hiacc" => (hi, "acc"),
            "loacc" => (lo, "acc"),
            "himean" => (hi, "mean"),
            "hisum" => (hi, "sum"),
            "lomean" => (lo, "mean"),
            "worst" => (lo, "iso"),
            "worstchange" => (lo, "change"),
            other => match other.strip_suffix('2') {
                Some(n) => (second, n),
                None => (first, other),
            },
        };
        if let Some(text) = world.names[row].get(name) {
            // Another group in place of the right one.
            let text = if change == Change::Entity && changed.is_empty() {
                let other = (row + 1 + rng.below(rows - 1)) % rows;
                // Two groups of a pair may not just change places with themselves.
                if other == second && template.contains("{f}") || template.contains("{below}") {
                    return None;
                }
                changed = "name".into();
                &world.names[other][name]
            } else {
                text
            };
            out.push_str(text);
            continue;
        }
        let value = match name {
            "diff" => world.values[hi][key] - world.values[lo][key],
            "floor" => (world.values[row][key] / 5.0).floor() * 5.0,
            _ => *world.values[row].get(name)?,
        };
        let whole = ["n", "matched", "scanned", "floor"].contains(&name);
        let decimals = if whole { 0 } else { 1 + rng.below(2) };
        let mut text = format!("{value:.decimals$}");
        if changed.is_empty() && name != "floor" {
            let mutated = match change {
                Change::Digit => Some(digit(&text, rng)),
                Change::Rounding => (!whole).then(|| {
                    format!("{:.decimals$}", value + 6.0 * 10f64.powi(-(decimals as i32)))
                }),
                Change::Random => Some(random(world, rng)),
                _ => None,
            };
            if let Some(m) = mutated {
                changed.clone_from(&m);
                text = m;
            }
        }
        if russian {
            text = text.replace('.', ",");
            changed = changed.replace('.', ",");
        }
        out.push_str(&text);
    }
    out.push_str(rest);
    (change == Change::Nothing || !changed.is_empty()).then_some((out, changed))
}

/// One digit changed to another.
fn digit(text: &str, rng: &mut Rng) -> String {
    let places: Vec<usize> =
        text.bytes().enumerate().filter(|(_, b)| b.is_ascii_digit()).map(|(i, _)| i).collect();
    let at = places[rng.below(places.len())];
    let old = text.as_bytes()[at] - b'0';
    let mut new = (old + 1 + rng.below(9) as u8) % 10;
    if at == 0 && new == 0 {
        new = if old == 1 { 2 } else { 1 };
    }
    format!("{}{new}{}", &text[..at], &text[at + 1..])
}

/// A number from the range of the table, log-uniform, with 3 or 4 significant digits.
fn random(world: &World, rng: &mut Rng) -> String {
    let all: Vec<f64> =
        world.values.iter().flat_map(|v| v.values().map(|x| x.abs().max(1.0))).collect();
    let (low, high) = all.iter().fold((f64::MAX, 0.0_f64), |(a, b), x| (a.min(*x), b.max(*x)));
    let x = (rng.between(low.ln(), high.ln())).exp();
    let digits = 3 + rng.below(2) as i32;
    let decimals = (digits - 1 - x.log10().floor() as i32).max(0) as usize;
    format!("{x:.decimals$}")
}

/// Share of `n` sentences with `change` that are caught at the changed claim (passed, for true
/// ones).
fn rate(change: Change, n: usize, examples: &mut Vec<String>) -> (usize, usize) {
    let mut rng = Rng(42);
    let (mut good, mut all) = (0, 0);
    let mut tries = 0;
    while all < n && tries < 100 * n {
        tries += 1;
        let world = match rng.below(3) {
            0 => days(&mut rng),
            1 => shops(&mut rng),
            _ => table(&mut rng),
        };
        let template = world.templates[rng.below(world.templates.len())];
        let Some((text, changed)) = sentence(&world, template, change, &mut rng) else { continue };
        let found = run(&text, &[&world.outcome]);
        let bad = |v: Verdict| matches!(v, Verdict::Contradicted | Verdict::Unverifiable);
        let ok = match change {
            Change::Nothing => found.verdict == Overall::Ok,
            Change::Digit | Change::Rounding | Change::Random => {
                found.claims.iter().any(|c| bad(c.verdict) && c.text.contains(&changed))
            }
            _ => found.verdict == Overall::Rewrite,
        };
        all += 1;
        good += usize::from(ok);
        if !ok {
            examples.push(format!(
                "{change:?}: {text}\n      {:?}",
                found.claims.iter().map(|c| (&c.text, c.verdict, &c.actual)).collect::<Vec<_>>()
            ));
        }
    }
    (good, all)
}

#[test]
fn benchmark() {
    let n = 300;
    let mut failed = Vec::new();
    let mut examples = Vec::new();
    println!("change | caught (passed for Nothing) | of");
    for (change, least) in [
        (Change::Nothing, 0.98),
        (Change::Digit, 0.97),
        (Change::Rounding, 0.97),
        (Change::Random, 0.99),
        (Change::Entity, 0.97),
        (Change::Word("measure"), 0.97),
        (Change::Word("sup"), 0.97),
        (Change::Word("direction"), 0.97),
        (Change::Word("bound"), 0.97),
        (Change::Word("order"), 0.97),
        (Change::Word("stale"), 0.97),
        (Change::Word("unit"), 0.97),
    ] {
        let (good, all) = rate(change, n, &mut examples);
        let rate = good as f64 / all.max(1) as f64;
        println!("{change:?} | {rate:.4} | {all}");
        if rate < least || all < n / 2 {
            failed.push(change);
        }
    }
    for e in examples.iter().take(60) {
        println!("{e}");
    }
    assert!(failed.is_empty(), "{failed:?}");
}
