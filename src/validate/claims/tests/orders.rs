//! Statements of an order without a number: comparisons, changes, places, superlatives of adjectives
//! that no list has.

use super::check_cases;
use super::fixtures::{f, outcome, weekdays_full};
use super::overlooked::{by_month, by_shop};
use crate::schema::{Column, Kind, TableSchema};
use crate::value::Value;
use serde_json::json;

#[test]
fn comparisons_of_what_stands_between() {
    check_cases(
        &[&by_shop()],
        &[
            ("Kuper had more orders than Zarya.", &[("more", 'v', "")]),
            ("Zarya had more orders than Kuper.", &[("more", 'c', "fewer")]),
            ("Zarya had fewer orders overall than Kuper.", &[("fewer", 'v', "")]),
            ("Kuper had more customers than Zarya.", &[("more", 'u', "")]),
            ("У Kuper больше заказов, чем у Zarya.", &[("больше", 'v', "")]),
            ("У Zarya больше заказов, чем у Kuper.", &[("больше", 'c', "меньше")]),
            ("Amount у Kuper больше amount у Zarya.", &[("больше", 'v', "")]),
            ("Amount у Zarya больше amount у Kuper.", &[("больше", 'c', "меньше")]),
        ],
    );
    check_cases(
        &[&weekdays_full()],
        &[
            ("Compared with Friday, Monday was higher.", &[("higher", 'v', "")]),
            ("Compared with Monday, Friday was higher.", &[("higher", 'c', "lower")]),
            ("The mean gap was lower on Friday than on Monday.", &[("lower", 'v', "")]),
            ("The mean gap was lower on Monday than on Friday.", &[("lower", 'c', "higher")]),
            ("Средний гэп был ниже в пятницу, чем в понедельник.", &[("ниже", 'v', "")]),
            ("По сравнению с пятницей понедельник выше.", &[("выше", 'v', "")]),
        ],
    );
}

#[test]
fn changes_without_a_number() {
    check_cases(
        &[&by_month()],
        &[
            ("The amount rose from March to April.", &[("rose", 'v', "")]),
            ("The amount fell from March to April.", &[("fell", 'c', "rose")]),
            ("Between March and April the amount fell.", &[("fell", 'c', "rose")]),
            ("Compared to November, the amount fell in December.", &[("fell", 'v', "")]),
            ("С ноября по декабрь amount снизился.", &[("снизился", 'v', "")]),
            ("С ноября по декабрь amount вырос.", &[("вырос", 'c', "упал")]),
            ("The amount did not rise from November to December.", &[]),
        ],
    );
}

#[test]
fn members_of_the_first_places() {
    check_cases(
        &[&by_shop()],
        &[
            (
                "The top 3 are Vkusno, Kuper and Zarya.",
                &[("Vkusno", 'v', ""), ("Kuper", 'v', ""), ("Zarya", 'v', "")],
            ),
            (
                "The top three by amount are Vkusno, Kuper and Dixy.",
                &[("Vkusno", 'v', ""), ("Kuper", 'v', ""), ("Dixy", 'c', "Zarya")],
            ),
            (
                "The two largest by amount are Vkusno and Kuper.",
                &[("Vkusno", 'v', ""), ("Kuper", 'v', "")],
            ),
            (
                "The two largest by amount are Vkusno and Lenta.",
                &[("Vkusno", 'v', ""), ("Lenta", 'c', "Kuper")],
            ),
            (
                "Топ-3 по amount: Vkusno, Kuper, Dixy.",
                &[("Vkusno", 'v', ""), ("Kuper", 'v', ""), ("Dixy", 'c', "Zarya")],
            ),
            ("The top 2 are Vkusno, Kuper and Zarya.", &[("2", 'u', "")]),
        ],
    );
}

#[test]
fn places_without_a_number() {
    check_cases(
        &[&weekdays_full()],
        &[
            ("Thursday ranks second by mean gap.", &[("Thursday", 'v', "")]),
            ("Friday ranks second by mean gap.", &[("Friday", 'c', "Thursday")]),
            ("Friday comes last by mean gap.", &[("Friday", 'v', "")]),
            ("Monday comes last by mean gap.", &[("Monday", 'c', "Friday")]),
            ("Четверг второй по среднему гэпу.", &[("Четверг", 'v', "")]),
            ("Пятница вторая по среднему гэпу.", &[("Пятница", 'c', "Четверг")]),
            ("Пятница последняя по среднему гэпу.", &[("Пятница", 'v', "")]),
            ("Понедельник последний по среднему гэпу.", &[("Понедельник", 'c', "Пятница")]),
        ],
    );
}

#[test]
fn superlatives_of_any_adjective() {
    check_cases(
        &[&weekdays_full()],
        &[
            ("The stormiest mean gap was on Monday.", &[("Monday", 'v', "")]),
            ("The stormiest mean gap was on Wednesday.", &[("Wednesday", 'c', "Monday")]),
            ("Самый бурный средний гэп — в понедельник.", &[("в понедельник", 'v', "")]),
            ("Самый бурный средний гэп — в среду.", &[("в среду", 'c', "в понедельник")]),
            ("Наименее бурный средний гэп — в пятницу.", &[("в пятницу", 'v', "")]),
            ("The rest of the interest is on Wednesday.", &[]),
            ("В самом начале недели, в среду, тихо.", &[]),
        ],
    );
}

#[test]
fn the_wrong_name_at_a_place_with_its_number() {
    check_cases(
        &[&weekdays_full()],
        &[
            (
                "The widest gap, 156.2, was seen on Friday.",
                &[("156.2", 'v', ""), ("Friday", 'c', "Monday")],
            ),
            (
                "Самый большой средний гэп у пятницы: 78,04.",
                &[("пятницы", 'c', "понедельника"), ("78,04", 'v', "")],
            ),
            // Its own largest, where the number is what is wrong.
            ("The largest gap on Friday was 156.2.", &[("156.2", 'c', "88.8")]),
            ("The largest gap on Monday was 156.2.", &[("156.2", 'v', "")]),
            // True ones that look alike.
            ("The widest gap, 156.2, was seen on Monday.", &[("156.2", 'v', "")]),
            (
                "Thursday saw the most qualifying days (20).",
                &[("Thursday", 'v', ""), ("20", 'v', "")],
            ),
            (
                "Самый большой средний гэп в понедельник: 78,04.",
                &[("в понедельник", 'v', ""), ("78,04", 'v', "")],
            ),
        ],
    );
}

#[test]
fn of_sums_below_zero_the_largest_is_the_furthest_from_it() {
    let columns = vec![Column::new("category", Kind::Text), Column::new("amount", Kind::Float)];
    let query = json!({"group_by": "category", "select": "sum(amount)"});
    let rows = [("Rent", -22_800.0), ("Groceries", -629.5), ("Transport", -554.0)]
        .map(|(name, sum)| vec![Value::text(name), f(sum)]);
    let spent = outcome("r1", TableSchema::new("bank", columns), &query, rows.to_vec(), 80, 80);
    check_cases(
        &[&spent],
        &[
            ("Transport was the largest category.", &[("Transport", 'c', "Rent")]),
            ("Rent was the largest category.", &[("Rent", 'v', "")]),
            ("Transport was the smallest category.", &[("Transport", 'v', "")]),
            ("Самая крупная категория — Transport.", &[("Transport", 'c', "Rent")]),
            ("Больше всего ушло на Rent.", &[("Rent", 'v', "")]),
        ],
    );
}

#[test]
fn first_and_second_places_without_a_number() {
    let columns = vec![Column::new("shop", Kind::Text), Column::new("amount", Kind::Float)];
    let query = json!({"group_by": "shop", "select": "sum(amount)"});
    let rows = [("Kuper", 311.0), ("Vkusno", 912.0), ("Sever", 155.0), ("Zarya", 78.25)]
        .map(|(name, sum)| vec![Value::text(name), f(sum)]);
    let sold = outcome("r1", TableSchema::new("orders", columns), &query, rows.to_vec(), 80, 80);
    check_cases(
        &[&sold],
        &[
            ("Первое место у Kuper.", &[("Kuper", 'c', "Vkusno")]),
            ("На первом месте — Vkusno.", &[("Vkusno", 'v', "")]),
            ("Второе место занял Sever.", &[("Sever", 'c', "Kuper")]),
            (
                "Первое место занимает Kuper, второе — Vkusno.",
                &[("Kuper", 'c', "Vkusno"), ("Vkusno", 'c', "Kuper")],
            ),
            ("Zarya comes first, then Kuper.", &[("Zarya", 'c', "Vkusno")]),
            ("Second place goes to Sever.", &[("Sever", 'c', "Kuper")]),
            // The last place is one from the other end.
            ("Последнее место у Kuper.", &[("Kuper", 'c', "Zarya")]),
            // Of something that nobody measured.
            ("Первое место по качеству у Sever.", &[("Sever", 'u', "")]),
            // No places.
            ("In the first place, Kuper is small.", &[]),
            ("Kuper was first to open.", &[]),
            ("В первую очередь это Kuper.", &[]),
        ],
    );
}

#[test]
fn counts_that_a_tool_tells_are_counts() {
    let columns = vec![
        Column::new("product_name", Kind::Text),
        Column::new("purchase_count", Kind::Int),
        Column::new("total_quantity", Kind::Float),
        Column::new("total_amount", Kind::Float),
        Column::new("percent_of_total", Kind::Float),
        Column::new("avg_days_between", Kind::Float),
        Column::new("last_purchase", Kind::Date),
    ];
    let row = |name: &str, count: i64, rest: [f64; 4], last: i32| {
        let mut row = vec![Value::text(name), Value::Int(count)];
        row.extend(rest.map(f));
        row.push(Value::Date(last));
        row
    };
    let rows = vec![
        row("Корм для кошки", 14, [96.0, 3877.88, 5.9, 6.31], 20077),
        row("Йогурт", 14, [90.0, 3000.32, 4.56, 6.54], 20080),
        row("Картофель", 14, [23.001, 852.76, 1.3, 6.85], 20084),
        row("Твёрдый сыр", 13, [3.379, 2711.76, 4.12, 6.83], 20077),
    ];
    let table = TableSchema::new("items", columns);
    let told = outcome("r1", table, &json!({}), rows, 384, 3266);
    let text = "Корм для кошки – 14 покупок на 3 877,88 ₽, доля 5,9%.";
    let english = "Корм для кошки: 14 purchases, 5.9% of the total.";
    check_cases(
        &[&told],
        &[
            (text, &[("14", 'v', ""), ("3 877,88 ₽", 'v', ""), ("5,9%", 'v', "")]),
            (english, &[("14", 'v', ""), ("5.9%", 'v', "")]),
        ],
    );
}

#[test]
fn the_total_of_a_tool_beside_its_groups_is_the_total() {
    let columns = vec![
        Column::new("item_name", Kind::Text),
        Column::new("product_name", Kind::Text),
        Column::new("purchase_count", Kind::Int),
        Column::new("total_quantity", Kind::Float),
        Column::new("total_amount", Kind::Float),
        Column::new("avg_days_between", Kind::Float),
        Column::new("last_purchase", Kind::Date),
    ];
    let row = |names: [&str; 2], count: i64, rest: [f64; 3], last: i32| {
        let mut row: Vec<Value> = names.map(Value::text).to_vec();
        row.push(Value::Int(count));
        row.extend(rest.map(f));
        row.push(Value::Date(last));
        row
    };
    let rows = vec![
        row(["Сыр Российский", "Твёрдый сыр"], 3, [0.938, 737.96, 10.0], 20077),
        row(["Йогурт Ягодка", "Йогурт"], 2, [15.0, 478.5, 14.0], 20071),
    ];
    let list = outcome("r1", TableSchema::new("items", columns), &json!({}), rows, 384, 3266);
    let columns = vec![
        Column::new("total_unique_items", Kind::Int),
        Column::new("total_spent", Kind::Float),
        Column::new("product_id", Kind::Int),
    ];
    let table = TableSchema::new("items", columns);
    let query = json!({"columns": ["total_unique_items", "total_spent"]});
    let row = vec![vec![Value::Int(16), f(3889.7)]];
    let all = outcome("r2", table, &query, row, 384, 3266);
    check_cases(
        &[&list, &all],
        &[("На молочные продукты за месяц ушло 3 889,70 ₽.", &[("3 889,70 ₽", 'v', "")])],
    );
}
