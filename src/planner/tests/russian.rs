//! Questions in Russian, over tables in either language.

use super::*;

/// A harvest, with Russian names.
fn harvest() -> Arc<TableSchema> {
    let mut crop = Column::new("культура", Kind::Text);
    crop.values = Some(["пшеница", "ячмень"].map(str::to_owned).to_vec());
    let mut weight = Column::new("вес", Kind::Float);
    weight.unit = Some("т".into());
    let mut idle = Column::new("простой", Kind::Int);
    idle.unit = Some("min".into());
    let mut schema =
        TableSchema::new("рейсы", vec![Column::new("начало", Kind::Timestamp), crop, weight, idle]);
    schema.rows = 5000;
    schema.time = Some("начало".into());
    Arc::new(schema)
}

fn status(table: &Arc<TableSchema>, question: &str) -> Plan {
    plan(question, std::slice::from_ref(table), &Context::default())
}

#[test]
fn the_words_of_a_question_decide_its_language() {
    let table = harvest();
    for (question, locale) in [
        ("average вес by культура", Locale::En),
        ("what is the total вес of пшеница", Locale::En),
        ("средний вес по культура", Locale::Ru),
        ("show рейсы where вес > 5", Locale::En),
        ("покажи рейсы где вес > 5", Locale::Ru),
        ("зарплата Felix Novak", Locale::Ru),
        ("salary of Иван Петров", Locale::En),
    ] {
        assert_eq!(status(&table, question).language, locale, "{question}");
    }
    assert_eq!(status(&purchases(), "средний amount по shop").language, Locale::Ru);
}

#[test]
fn the_columns_are_named_where_they_are_asked_for() {
    for question in ["какие есть колонки?", "список столбцов", "what columns are there"]
    {
        let plan = status(&purchases(), question);
        assert_eq!(plan.status, Status::Declined, "{question}");
        let message = plan.message.unwrap();
        assert!(message.contains("`quantity`"), "{question}: {message}");
    }
    // a question about what the columns hold is another one
    let plan = status(&purchases(), "какие есть магазины");
    assert!(!plan.message.unwrap_or_default().contains("`quantity`,"));
}

#[test]
fn so_many_rows_are_shown_in_their_order() {
    for question in ["покажи 10 строк", "первые 10 записей", "show 10 rows", "first 10 rows"]
    {
        let plan = status(&purchases(), question);
        let query = plan.query.unwrap_or_else(|| panic!("{question}: {:?}", plan.message));
        assert_eq!(query.to_json(), json!({"limit": 10}), "{question}");
    }
}

#[test]
fn a_larger_unit_is_converted() {
    for question in ["рейсы с простоем больше 2 часов", "рейсы с простоем больше двух часов"]
    {
        let query = status(&harvest(), question).query.expect(question);
        assert_eq!(query.to_json(), json!({"where": "простой > 120"}), "{question}");
    }
}

#[test]
fn what_is_vague_is_not_passed_over() {
    for question in ["сколько рейсов днём", "сколько рейсов на днях", "сколько рейсов с 9 до 12"]
    {
        assert_ne!(status(&harvest(), question).status, Status::Ready, "{question}");
    }
}

#[test]
fn columns_that_are_called_sums_are_none_of_sums() {
    let mut kind = Column::new("город", Kind::Text);
    kind.values = Some(["Осло", "Рим"].map(str::to_owned).to_vec());
    let columns =
        vec![kind, Column::new("дата заказа", Kind::Date), Column::new("сумма", Kind::Float)];
    let mut schema = TableSchema::new("заказы", columns);
    schema.rows = 900;
    schema.time = Some("дата заказа".into());
    let table = Arc::new(schema);
    let asked = suggest(&table, Locale::Ru);
    assert!(asked.iter().any(|q| q == "сумма по месяцам"), "{asked:?}");
    assert!(!asked.iter().any(|q| q.contains("сумма суммы") || q.contains("суммой суммы")));
    let plan = means(&table, "самый дорогой заказ", &json!({"sort": "сумма desc", "limit": 1}));
    assert_eq!(plan.explanation, "строки, по величине суммы, наибольшее");
    let query = Query::from_json(&json!({
        "map": {"month": "monthname()"}, "group_by": "город", "select": "sum(сумма)"
    }))
    .unwrap();
    let told = crate::query::explain::explain(&check(&query, &[table]).unwrap(), Locale::Ru);
    assert!(told.contains("месяц по «дата заказа»"), "{told}");
    assert!(told.contains("Сгруппировать по «город»"), "{told}");
}
