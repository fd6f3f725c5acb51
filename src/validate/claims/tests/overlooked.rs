//! Statements that are easily taken for none, or for another one: a number alone on its line, a place
//! beyond the fifth, scales and currencies in letters, shares and ratios in words, a count of what
//! nobody knows.

use super::super::{Context, check, deliver};
use super::fixtures::{dict, f, orders, outcome, weekdays, weekdays_full};
use super::{check_cases, letter};
use crate::error::{Locale, Span};
use crate::facts::Outcome;
use crate::schema::{Column, Kind, TableSchema};
use crate::validate::Verdict;
use crate::value::Value;
use serde_json::json;

/// Sum of amounts and number of orders by shop.
pub(super) fn by_shop() -> Outcome {
    let rows = [
        ("Kuper", 4100.0, 400),
        ("Vkusno", 4_820_000.0, 2700),
        ("Zarya", 1500.0, 120),
        ("Sever", 1400.0, 125),
        ("Lenta", 1300.0, 130),
        ("Dixy", 1200.0, 135),
        ("Magnit", 1100.0, 510),
    ];
    let rows = rows.iter().map(|(s, x, n)| vec![Value::text(s), f(*x), Value::Int(*n)]).collect();
    let query = json!({"group_by": "shop", "select": "sum(amount), count()"});
    outcome("r1", orders(), &query, rows, 4120, 4120)
}

#[test]
fn a_short_answer_is_no_list() {
    let dict = dict();
    for (question, text, expected) in [
        ("How many days?", "80.", "v"),
        ("How many days?", "17.", "c"),
        ("How many days?", "17. That is the number of days.", "c"),
        ("Сколько дней?", "80.", "v"),
        ("Сколько дней?", "17.", "c"),
        ("How many days?", "1. The mean gap is 67.3\n2. The largest gap is 156.2", "vv"),
        ("Сколько дней?", "2. Средний гэп 67,3\n3. Всего 80 дней", "vv"),
    ] {
        let context = Context { question: Some(question), ..Context::default() };
        let found = check(text, &[&dict], &context);
        let got: String = found.claims.iter().map(|c| letter(c.verdict)).collect();
        assert_eq!(got, expected, "{text} {:?}", found.claims);
    }
}

#[test]
fn places_beyond_the_fifth() {
    check_cases(
        &[&by_shop()],
        &[
            ("Vkusno is the sixth largest by amount.", &[("Vkusno", 'c', "Dixy")]),
            ("Vkusno is the 6th largest by amount.", &[("Vkusno", 'c', "Dixy")]),
            ("Dixy is the sixth largest by amount.", &[("Dixy", 'v', "")]),
            ("Dixy — шестой самый крупный по amount.", &[("Dixy", 'v', "")]),
            ("Vkusno — шестой самый крупный по amount.", &[("Vkusno", 'c', "Dixy")]),
            ("Vkusno is the umpteenth largest by amount.", &[("Vkusno", 'u', "")]),
            ("Vkusno is the twenty-first largest by amount.", &[("Vkusno", 'u', "")]),
            ("Vkusno is the next largest by amount.", &[("Vkusno", 'u', "")]),
            ("Vkusno — предпоследний самый крупный по amount.", &[("Vkusno", 'u', "")]),
            ("Vkusno is by far the largest by amount.", &[("Vkusno", 'v', "")]),
            ("Vkusno is the single largest by amount.", &[("Vkusno", 'v', "")]),
            ("Vkusno is the shop's largest by amount.", &[("Vkusno", 'v', "")]),
        ],
    );
    // Words that only begin like an ordinal.
    check_cases(
        &[&weekdays()],
        &[("В пятницу самый низкий средний гэп.", &[("В пятницу", 'v', "")])],
    );
}

#[test]
fn scales_of_every_spelling() {
    check_cases(
        &[&by_shop()],
        &[
            ("The amount of Vkusno was $4.82m.", &[("$4.82m", 'v', "")]),
            ("The amount of Vkusno was 4.82m USD.", &[("4.82m", 'v', "")]),
            ("The amount of Vkusno was 4.82 millions.", &[("4.82 millions", 'v', "")]),
            ("The amount of Vkusno was $4.82mm.", &[("$4.82mm", 'v', "")]),
            ("The amount of Vkusno was $0.00482bln.", &[("$0.00482bln", 'v', "")]),
            ("The amount of Kuper was $4.1к.", &[("$4.1к", 'v', "")]),
            ("The amount of Vkusno was $4.92m.", &[("$4.92m", 'c', "$4.82m")]),
            ("Amount у Vkusno — 4,82М.", &[("4,82М", 'v', "")]),
            ("Amount у Kuper — 4,1к.", &[("4,1к", 'v', "")]),
            ("Amount у Vkusno — 4,82 миллионами.", &[("4,82 миллионами", 'v', "")]),
            ("Amount у Vkusno — 4,92М.", &[("4,92М", 'c', "4,82М")]),
            // Letters that say nobody knows what are no part that may be replaced.
            ("The amount of Vkusno was $4.82z.", &[("$4.82", 'u', "")]),
            ("The amount of Kuper was 4100q.", &[("4100", 'u', "")]),
            ("Amount у Kuper — 4100ж.", &[("4100", 'u', "")]),
        ],
    );
    let shops = by_shop();
    for (text, expected) in [
        ("The amount of Vkusno was $4.92m.", "The amount of Vkusno was $4.82m."),
        ("The amount of Kuper was 4200q.", "The amount of Kuper was 4200q."),
        ("Amount у Kuper — 4200ж.", "Amount у Kuper — 4200ж."),
    ] {
        let found = check(text, &[&shops], &Context::default());
        assert_eq!(deliver(text, &found, Locale::En).text, expected);
    }
    // Of a length the letter is a unit.
    let columns = vec![Column::new("shop", Kind::Text), Column::new("depth", Kind::Float)];
    let query = json!({"group_by": "shop", "select": "max(depth)"});
    let rows = vec![vec![Value::text("Kuper"), f(4.8)], vec![Value::text("Lenta"), f(3.1)]];
    let depths = outcome("r1", TableSchema::new("wells", columns), &query, rows, 9, 9);
    check_cases(&[&depths], &[("The depth at Kuper was 4.8m.", &[("4.8", 'v', "")])]);
}

#[test]
fn a_count_of_what_nobody_knows() {
    let columns = vec![Column::new("shop", Kind::Text), Column::new("units", Kind::Int)];
    let query = json!({"group_by": "shop", "select": "sum(units), count()"});
    let row = |s: &str, x, n| vec![Value::text(s), Value::Int(x), Value::Int(n)];
    let rows = vec![row("Kuper", 900, 80), row("Vkusno", 300, 20)];
    let mut schema = TableSchema::new("sales", columns);
    schema.synonyms = vec!["продажи".to_owned()];
    let sales = outcome("r1", schema, &query, rows, 100, 100);
    check_cases(
        &[&sales],
        &[
            ("Kuper sold 80 bicycles.", &[("80", 'u', "")]),
            ("Kuper sold 80 red bicycles.", &[("80", 'u', "")]),
            ("There were 100 bicycles.", &[("100", 'u', "")]),
            ("Kuper sold 900 bicycles.", &[("900", 'v', "")]),
            ("Kuper sold 900 units in 80 sales.", &[("900", 'v', ""), ("80", 'v', "")]),
            ("Kuper had 80 orders.", &[("80", 'v', "")]),
            ("Kuper had 80 of them.", &[("80", 'v', "")]),
            ("Kuper продал 80 велосипедов.", &[("80", 'u', "")]),
            ("Kuper продал 80 красных велосипедов.", &[("80", 'u', "")]),
            ("У Kuper 80 записей.", &[("80", 'v', "")]),
        ],
    );
    // Where the question calls them so, they are.
    for question in ["How many bicycles did each shop sell?", "Сколько велосипедов продано?"]
    {
        let text = if question.is_ascii() {
            "Kuper had 80 bicycles."
        } else {
            "У Kuper 80 велосипедов."
        };
        let context = Context { question: Some(question), ..Context::default() };
        let found = check(text, &[&sales], &context);
        assert_eq!(letter(found.claims[0].verdict), 'v', "{text} {:?}", found.claims);
    }
}

#[test]
fn shares_and_millions_in_words() {
    check_cases(
        &[&weekdays_full()],
        &[
            ("Half of the days were on Monday.", &[("Half", 'u', "")]),
            ("A fifth of the days were on Monday.", &[("A fifth", 'u', "")]),
            ("A fifth of the days were on Friday.", &[("A fifth", 'd', "")]),
            ("One in five days had a gap above 50.", &[("One in five", 'u', "")]),
            ("Every third day had a gap above 50.", &[("Every third", 'u', "")]),
            ("Треть дней — понедельники.", &[("Треть", 'u', "")]),
            ("Каждый третий день был с гэпом больше 50.", &[("Каждый третий", 'u', "")]),
            ("It was so in the second half of the year.", &[]),
            ("Есть две причины.", &[]),
            ("There are two reasons.", &[]),
        ],
    );
    check_cases(
        &[&by_shop()],
        &[
            ("The amount of Vkusno was five million.", &[("five million", 'v', "")]),
            ("The amount of Vkusno was six million.", &[("six million", 'c', "4820000")]),
            ("Amount у Vkusno — пять миллионов.", &[("пять миллионов", 'v', "")]),
            ("Amount у Vkusno — шесть миллионов.", &[("шесть миллионов", 'c', "4820000")]),
            ("The amount of Vkusno was a billion.", &[("a billion", 'c', "4820000")]),
        ],
    );
}

#[test]
fn currencies_in_letters() {
    check_cases(
        &[&by_shop()],
        &[
            ("The amount of Kuper was USD4,100.", &[("USD4,100", 'v', "")]),
            ("The amount of Kuper was USD500.", &[("USD500", 'c', "USD4100")]),
            ("The amount of Vkusno was USD4.82m.", &[("USD4.82m", 'v', "")]),
            ("The amount of Kuper was EUR4100.", &[("EUR4100", 'c', "4100")]),
            ("The amount of Kuper was Rs500.", &[("Rs500", 'u', "")]),
            ("Amount у Kuper — RUB4,82.", &[("RUB4,82", 'u', "")]),
        ],
    );
}

/// Sum of amounts by month.
pub(super) fn by_month() -> Outcome {
    let rows = [(1, 400.0), (2, 300.0), (3, 310.0), (4, 455.0), (11, 500.0), (12, 250.0)];
    let rows = rows.iter().map(|(m, x)| vec![Value::Int(*m), f(*x)]).collect();
    let query = json!({"group_by": "month(at)", "select": {"amount": "sum(amount)"}});
    outcome("r1", orders(), &query, rows, 900, 900)
}

#[test]
fn ratios_in_words() {
    check_cases(
        &[&by_month()],
        &[
            ("In December the amount halved.", &[("halved", 'd', "")]),
            ("The amount halved from November to December.", &[("halved", 'd', "")]),
            ("The amount quadrupled from March to April.", &[("quadrupled", 'u', "")]),
            ("The amount rose tenfold from March to April.", &[("tenfold", 'u', "")]),
            ("С ноября по декабрь amount удвоился.", &[("удвоился", 'u', "")]),
            ("С февраля по апрель amount вырос в полтора раза.", &[("в полтора раза", 'd', "")]),
            ("С февраля по апрель amount вырос вчетверо.", &[("вчетверо", 'u', "")]),
        ],
    );
}

#[test]
fn no_number_that_may_be_false_is_put_under_a_right_name() {
    let columns = vec![Column::new("department", Kind::Text), Column::new("salary", Kind::Int)];
    let query = json!({"group_by": "department", "select": "mean(salary)"});
    let rows =
        [("Sales", 71_250.5), ("Engineering", 77_941.25), ("HR", 64_000.0), ("IT", 70_120.0)]
            .map(|(name, mean)| vec![Value::text(name), f(mean)]);
    let means = outcome("r1", TableSchema::new("people", columns), &query, rows.to_vec(), 80, 80);
    for (text, expected) in [
        (
            "Sales earns 99,999 on average, the highest of 4 departments.",
            "Engineering earns 77,941 on average, the highest of 4 departments.",
        ),
        ("Sales earns the most on average.", "Engineering earns the most on average."),
        (
            "Sales earns the most on average, with 12 bonuses.",
            "Sales [correct: Engineering] earns the most on average, with 12 bonuses.",
        ),
    ] {
        let found = check(text, &[&means], &Context::default());
        assert_eq!(deliver(text, &found, Locale::En).text, expected);
    }
}

/// A right value in an address would leave the page with a click.
#[test]
fn nothing_is_corrected_in_an_address() {
    let shops = by_shop();
    let said = "The amount of Vkusno was $4.92m.";
    for text in [
        format!("[details](<https://evil.example/ {said}>)"),
        format!("[details][1]\n\n[1]: https://evil.example/ {said}"),
    ] {
        let mut found = check(said, &[&shops], &Context::default());
        assert!(found.claims.iter().any(|c| c.verdict == Verdict::Contradicted));
        let offset = text.find(said).expect("what was said");
        for claim in &mut found.claims {
            claim.span = Span::new(claim.span.start + offset, claim.span.end + offset);
        }
        assert_eq!(deliver(&text, &found, Locale::En).text, text);
    }
}
