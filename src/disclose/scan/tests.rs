//! Published examples of each form, near misses, headers in two languages, ordinary columns.

use super::*;
use proptest::prelude::*;

/// What a column with this name and these values is flagged for.
fn check(name: &str, values: &[&str]) -> Option<(Personal, By)> {
    let values: Vec<String> = values.iter().map(|v| (*v).to_owned()).collect();
    let found = scan(&[Sample { name, kind: Kind::Text, values: &values }]);
    found.first().map(|flag| (flag.holds, flag.by))
}

#[test]
fn values_that_tell_of_people() {
    use Personal::{Card, Email, Iban, Ip, Name, NationalId, Phone};
    // Examples that the standards, the authorities or the encyclopedias give.
    let cases: [(Personal, &[&str]); 30] = [
        (Email, &["ann@example.org"]),
        (Email, &["ask Ann <ann.b+c@mail.example.co.uk>, please"]),
        (Email, &["почта: иван@пример.рф"]),
        (Phone, &["+7 (912) 345-67-89"]),
        (Phone, &["+442079460958"]),
        (Phone, &["(212) 555-0123"]),
        (Phone, &["89123456789", "79213456780", "8 912 345 67 80"]),
        (Phone, &["212-555-0123", "415-555-0199", "1-800-555-0100"]),
        (Card, &["4111 1111 1111 1111", "5555555555554444", "378282246310005"]),
        (Iban, &["GB82 WEST 1234 5698 7654 32"]),
        (Iban, &["DE89370400440532013000"]),
        (Iban, &["fr1420041010050500013m02606"]),
        (Ip, &["192.168.0.1", "10.0.0.17:8080", "2001:db8::1"]),
        (Ip, &["10.0.0.0/8", "8.8.8.8", "1.1.1.1"]),
        (NationalId, &["078-05-1120"]),
        (NationalId, &["112-233-445 95"]),
        (NationalId, &["11223344595", "08765430300", "11223344595"]),
        (NationalId, &["7707083893", "7830002293", "500100732259"]),
        (NationalId, &["45 08 123456", "4510 654321", "46 12 000001"]),
        (NationalId, &["QQ 12 34 56 C", "AB123456C"]),
        (NationalId, &["12345678Z"]),
        (NationalId, &["X1234567L"]),
        (NationalId, &["111.444.777-35"]),
        (NationalId, &["11010519491231002X"]),
        (NationalId, &["RSSMRA85T10A562S"]),
        (NationalId, &["44051401359", "44051401359", "02070803628"]),
        (NationalId, &["2 55 08 14 168 025 38", "255081416802538", "255081416802538"]),
        (NationalId, &["86095742719", "65929970489", "47036892816"]),
        (Name, &["Иванов Иван Иванович", "Петрова Анна Сергеевна", "Сидоров Пётр Ильич"]),
        (Name, &["Алиев Али Гейдар оглы", "Иванова Мария Петровна", "Ким Олег Юрьевич"]),
    ];
    for (holds, values) in cases {
        assert_eq!(check("x", values), Some((holds, By::Content)), "{values:?}");
    }
}

#[test]
fn check_digits_are_checked() {
    for values in [
        ["4111 1111 1111 1112", "5555555555554445", "378282246310006"],
        ["GB82 WEST 1234 5698 7654 33", "DE89370400440532013001", "XX00"],
        ["7707083894", "7830002294", "500100732258"],
        ["44051401358", "02070803627", "44051401357"],
        ["12345678A", "X1234567A", "12345678"],
        ["111.444.777-36", "111.111.111-11", "1.4"],
        ["110105194912310021", "11010519491231002Y", "1"],
        ["666-12-3456", "000-12-3456", "900-12-3456"],
        ["BG123456A", "AB123456E", "AB12345C"],
        ["86095742710", "65929970480", "47036892811"],
        ["256.1.1.1", "1.2.3", "1.2.3.4.5"],
        ["a@b", "@ann", "ann@ example"],
    ] {
        assert_eq!(check("x", &values), None, "{values:?}");
    }
}

#[test]
fn headers_that_tell_of_people() {
    use Personal::{Card, Email, Iban, Ip, Name, NationalId, Phone};
    let cases = [
        ("E-mail", Email),
        ("customerEmail", Email),
        ("Эл. почта", Email),
        ("phone_number", Phone),
        ("Телефон клиента", Phone),
        ("моб. тел", Phone),
        ("card number", Card),
        ("Номер карты", Card),
        ("IBAN", Iban),
        ("Расчётный счёт", Iban),
        ("client_ip", Ip),
        ("IPv4", Ip),
        ("ssn", NationalId),
        ("ИНН", NationalId),
        ("СНИЛС", NationalId),
        ("Серия паспорта", NationalId),
        ("passportNo", NationalId),
        ("national_id", NationalId),
        ("first_name", Name),
        ("lastName", Name),
        ("ФИО", Name),
        ("Фамилия", Name),
        ("Customer Name", Name),
        ("Отчество", Name),
        ("Сотрудник", Name),
    ];
    for (header, holds) in cases {
        assert_eq!(check(header, &[]), Some((holds, By::Header)), "{header}");
    }
    for header in [
        "id",
        "name",
        "price",
        "city",
        "shop",
        "ship",
        "trip",
        "inning",
        "telling",
        "card_type",
        "sum",
        "Город",
        "Товар",
        "Наименование",
        "клиентов",
        "recipient",
    ] {
        assert_eq!(check(header, &[]), None, "{header}");
    }
}

#[test]
fn values_speak_against_a_header() {
    let cases: [(&str, &[&str], bool); 8] = [
        ("email", &["sent", "bounced", "sent"], false),
        ("email", &["n/a", "ann at x@y", "b@c"], true),
        ("phone", &["12", "7", "3"], false),
        ("phone", &["555 0123", "555 0124"], true),
        ("Имя", &["Анна", "Пётр"], true),
        ("имя", &["файл_1.csv", "файл_2.csv"], false),
        ("card number", &["**** 1111", "**** 2222"], true),
        ("inn", &["Red Lion", "Crown"], false),
    ];
    for (header, values, flagged) in cases {
        assert_eq!(check(header, values).is_some(), flagged, "{header} {values:?}");
    }
}

#[test]
fn those_who_do_something_are_people_where_the_values_are() {
    let people: [&[&str]; 7] = [
        &["Иванов", "Кузнецова", "Петров", "Соколова"],
        &["Соколовский", "Шевченко", "Ковальчук", "Саакян"],
        &["Анна", "Сергей", "Ольга"],
        &["Зайцев С.П.", "Ким О. И."],
        &["Mary Johnson", "Robert Miller", "unknown"],
        &["J. Smith", "A. Jones"],
        &["Ivanova", "Petrov", "Sidorenko"],
    ];
    let others: [&[&str]; 8] = [
        &[],
        &["A1", "B2"],
        &["Acme Ltd", "Globex Corporation", "Initech LLC"],
        &["ООО Иванов", "ИП Петров"],
        &["Red Apple", "Best Price", "Green Hill"],
        &["c1", "c2", "c3"],
        &["Отдел закупок", "Склад", "Магазин"],
        &["Иванов", "B2", "C3", "D4"],
    ];
    for header in [
        "Менеджер",
        "Продавец",
        "Исполнитель",
        "Ответственный за сделку",
        "Кассир",
        "Врач",
        "Преподаватель",
        "Куратор",
        "Автор",
        "manager",
        "salesperson",
        "Seller",
        "agent",
        "sales_rep",
        "assignee",
        "owner",
        "driver",
        "doctor",
        "teacher",
        "customer",
        "client",
    ] {
        for values in people {
            let flagged = Some((Personal::Name, By::Header));
            assert_eq!(check(header, values), flagged, "{header} {values:?}");
        }
        for values in others {
            assert_eq!(check(header, values), None, "{header} {values:?}");
        }
    }
    // Where the header is about something else, surnames are places and goods as well.
    for header in ["Город", "Товар", "city", "species", "report", "shop"] {
        assert_eq!(check(header, people[0]), None, "{header}");
    }
}

#[test]
fn a_name_is_of_a_person_beside_what_people_have() {
    let check = |beside: &str, values: &[&str]| {
        let values: Vec<String> = values.iter().map(|&v| v.to_owned()).collect();
        let name = Sample { name: "name", kind: Kind::Text, values: &values };
        let beside = Sample { name: beside, kind: Kind::Text, values: &[] };
        scan(&[name, beside]).iter().any(|flag| flag.column == "name")
    };
    let people = ["Anna Meyer", "Ben Meyer", "Carla Novak", "Omar Haddad"];
    for beside in ["salary", "hire_date", "Department", "email", "оклад", "Дата рождения"]
    {
        assert!(check(beside, &people), "{beside}");
        assert!(check(beside, &["Волкова Мария", "Попова Анна"]), "{beside}");
        assert!(!check(beside, &["Blue Pen", "Desk", "Paper A4"]), "{beside}");
    }
    for beside in ["price", "population", "Наименование"] {
        assert!(!check(beside, &people), "{beside}");
    }
}

#[test]
fn ordinary_columns_stay_open() {
    let numbers: Vec<String> = (1..500).map(|i| i.to_string()).collect();
    let prices: Vec<String> = (1..500).map(|i| format!("{}.{:02}", i * 7, i % 100)).collect();
    let ids: Vec<String> = (0..500_u64).map(|i| (10_000_000_000 + i * 7919).to_string()).collect();
    let millis: Vec<String> =
        (0..500_u64).map(|i| (1_700_000_000_000 + i * 60_000).to_string()).collect();
    let long: Vec<String> =
        (0..500_u64).map(|i| (4_000_000_000_000_000 + i * 7919).to_string()).collect();
    let words: Vec<String> =
        ["New York", "Los Angeles", "Red Apple", "Moscow"].map(String::from).to_vec();
    let versions: Vec<String> = (0..50).map(|i| format!("1.{i}.3")).collect();
    let times: Vec<String> = (0..50).map(|i| format!("2024-01-{:02} 10:00", i % 28 + 1)).collect();
    for values in [&numbers, &prices, &ids, &millis, &long, &words, &versions, &times] {
        for kind in [Kind::Text, Kind::Int, Kind::Float] {
            let found = scan(&[Sample { name: "x", kind, values }]);
            assert_eq!(found, [], "{:?}", values.first());
        }
    }
}

#[test]
fn one_in_ten_is_enough_and_the_share_is_told() {
    let mut values = vec!["call back".to_owned(); 9];
    values.push("write to ann@example.org".to_owned());
    let found = scan(&[Sample { name: "note", kind: Kind::Text, values: &values }]);
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].holds, found[0].percent), (Personal::Email, 10));
    values.extend(vec!["again".to_owned(); 10]);
    assert_eq!(scan(&[Sample { name: "note", kind: Kind::Text, values: &values }]), []);
    let json = serde_json::to_value(&found[0]).unwrap();
    assert_eq!(
        json,
        serde_json::json!({"column": "note", "holds": "email", "by": "content", "percent": 10})
    );
    assert!(Personal::Email.text().ru.contains("почты"));
}

#[test]
fn what_is_flagged_is_hidden_until_it_is_opened() {
    let values = ["ann@example.org".to_owned()];
    let samples = ["mail", "other"].map(|name| Sample { name, kind: Kind::Text, values: &values });
    let flags = scan(&samples);
    let policy =
        Policy::default().with_class("t", "other", Class::Aggregate).with_flags("t", &flags);
    assert!(policy.hides("t", "mail") && !policy.hides("u", "mail"));
    // What the person has said of a column stands.
    assert_eq!(policy.class("t", "other"), Class::Aggregate);
    assert_eq!(policy.open("t", "mail").class("t", "mail"), Class::Open);
}

proptest! {
    #[test]
    fn any_text_is_looked_at_without_a_panic(name in any::<String>(), values in prop::collection::vec(any::<String>(), 0..4)) {
        let _flags = scan(&[Sample { name: &name, kind: Kind::Text, values: &values }]);
    }

    #[test]
    fn any_number_is_looked_at_without_a_panic(values in prop::collection::vec("[0-9XYZ .-]{0,20}", 0..4)) {
        let _flags = scan(&[Sample { name: "x", kind: Kind::Text, values: &values }]);
    }
}
