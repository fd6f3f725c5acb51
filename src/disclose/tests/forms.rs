//! Forms of protected names in what is typed: cases, possessives, words of a name alone; and ordinary
//! words that stay.

use crate::disclose::{Cells, Gate, Message, Policy};

fn names(cells: &[&str]) -> Cells {
    let mut known = Cells::new();
    for cell in cells {
        known.insert_name(cell);
    }
    known
}

fn sent(cells: &Cells, typed: &str) -> String {
    let policy = Policy::default();
    Gate::new(&policy).with_cells(cells).typed_by_person(typed).as_str().to_owned()
}

const PEOPLE: [&str; 10] = [
    "Зайцев Сергей Петрович",
    "Новиков Иван Ильич",
    "Соколовская Мария Павловна",
    "Соколов Павел Игоревич",
    "Кравец Лев Семёнович",
    "Толстой Фёдор",
    "Шевченко О. И.",
    "Роза Вера Марковна",
    "John Smith",
    "Grace Price",
];

#[test]
fn names_are_masked_in_any_case_form() {
    let cells = names(&PEOPLE);
    for (typed, expected) in [
        ("какой оклад у Зайцев Сергей?", "какой оклад у [hidden]?"),
        ("какой оклад у Зайцева Сергея?", "какой оклад у [hidden]?"),
        ("какой оклад у зайцева сергея петровича?", "какой оклад у [hidden]?"),
        ("сравни с Сергеем Зайцевым", "сравни с [hidden]"),
        ("сколько получает Соколов?", "сколько получает [hidden]?"),
        ("напиши Новикову Ивану", "напиши [hidden]"),
        ("о Соколовской, Марии и Павле", "о [hidden], [hidden] и [hidden]"),
        ("доход Соколовского", "доход [hidden]"),
        ("Зайцевы и Новиковы", "[hidden] и [hidden]"),
        ("у Кравца, у Льва, у Семёновича", "у [hidden], у [hidden], у [hidden]"),
        ("у Федора Толстого", "у [hidden]"),
        ("без Шевченко О. И.", "без [hidden]."),
        ("ЗАЙЦЕВУ СКОЛЬКО ПЛАТЯТ", "[hidden] СКОЛЬКО ПЛАТЯТ"),
        ("what is Smith's salary", "what is [hidden]'s salary"),
        ("do the Smiths or JOHN earn more", "do the [hidden] or [hidden] earn more"),
        ("is smith older", "is [hidden] older"),
    ] {
        assert_eq!(sent(&cells, typed), expected);
        // What is kept as it was sent stays so.
        assert_eq!(sent(&cells, expected), expected);
    }
}

#[test]
fn ordinary_words_stay() {
    let mut cells = names(&PEOPLE);
    cells.know("Средний оклад");
    for typed in [
        "какой средний оклад по отделам в марте",
        "цены роз и марки в левом столбце, в том числе по году",
        "что такое толстые журналы",
        "average price by rose colour",
        "Price by month, smithy and johnny",
        "Средние оклады по городам",
        "сколько зайцеобразных и новинок, ивановка, соколята",
    ] {
        assert_eq!(sent(&cells, typed), typed);
    }
    for (typed, expected) in [
        // A capital inside a sentence, or a name beside it, tells.
        ("does Price earn more?", "does [hidden] earn more?"),
        ("у Розы", "у [hidden]"),
        ("у розы веры марковны", "у [hidden]"),
        ("what of grace smith", "what of [hidden]"),
    ] {
        assert_eq!(sent(&cells, typed), expected);
    }
}

#[test]
fn cells_of_other_columns_are_masked_in_other_forms_too() {
    let mut cells = Cells::new();
    for cell in ["Сахарный диабет", "Москва", "Red Apple", "Зайцев Сергей", "ann@x.org", "нет"]
    {
        cells.insert(cell);
    }
    for (typed, expected) in [
        ("у кого нет сахарного диабета", "у кого [hidden] [hidden]"),
        ("сахарная свёкла и диабетики", "сахарная свёкла и диабетики"),
        ("живут в Москве", "живут в [hidden]"),
        ("живут в москве", "живут в [hidden]"),
        ("red apples, red pears", "[hidden], red pears"),
        ("an apple", "an apple"),
        ("у зайцева", "у [hidden]"),
        ("anns", "anns"),
    ] {
        assert_eq!(sent(&cells, typed), expected);
    }
}

#[test]
fn a_form_is_sent_where_the_person_confirms_it() {
    let mut cells = names(&PEOPLE);
    let typed = "напиши Новикову Ивану о Зайцеве";
    assert_eq!(cells.found(typed), ["Новикову Ивану", "Зайцеве"]);
    cells.confirm("Новикову Ивану");
    assert_eq!(sent(&cells, typed), "напиши Новикову Ивану о [hidden]");
    assert_eq!(sent(&cells, "напиши Новикову"), "напиши [hidden]");
    cells.confirm("Зайцеве");
    assert_eq!(sent(&cells, typed), typed);
}

/// Every form of every name of a table, in questions asked in turn: no request holds one.
#[test]
fn no_request_holds_a_form_of_a_protected_name() {
    let surnames = ["Зайцев", "Новиков", "Пушкин", "Голицын", "Воробьёв"];
    let given = [("Сергей", "Сергея Сергею Сергеем Сергее"), ("Иван", "Ивана Ивану Иваном Иване")];
    let cells: Vec<String> =
        surnames.iter().flat_map(|s| given.map(|(g, _)| format!("{s} {g} Петрович"))).collect();
    let cells = names(&cells.iter().map(String::as_str).collect::<Vec<_>>());
    let policy = Policy::default();
    let gate = Gate::new(&policy).with_cells(&cells);
    let mut asked = Vec::new();
    for surname in surnames {
        for ending in ["", "а", "у", "ым", "е", "ой", "ы", "ых", "ыми"] {
            for form in
                given.iter().flat_map(|(g, forms)| std::iter::once(*g).chain(forms.split(' ')))
            {
                asked.push(format!("сколько у {surname}{ending}?"));
                asked.push(format!("а {form} {}{ending}, {form}", surname.to_lowercase()));
                asked.push(format!("{surname}{ending} {form} Петровичу: {{\"where\":\"fio == \\\"{surname}{ending}\\\"\"}}"));
            }
        }
    }
    let typed = asked.iter().map(|question| Message::User(gate.typed_by_person(question)));
    let request = gate.request(gate.constant(""), vec![], typed.collect());
    for message in request.messages() {
        let Message::User(text) = message else { continue };
        let lower = text.as_str().to_lowercase();
        for root in ["зайц", "новик", "пушк", "голиц", "вороб", "петр", "серг", "иван"]
        {
            assert!(!lower.contains(root), "{lower}");
        }
    }
}

/// A column that the scanner finds by its header and its surnames: the first request lists none.
#[test]
fn surnames_of_a_flagged_column_are_not_in_the_schema() {
    use crate::disclose::{Sample, scan};
    use crate::error::Locale;
    use crate::schema::{Column, Kind, TableSchema};
    let surnames = ["Иванов", "Кузнецова", "Петров", "Соколова"].map(str::to_owned);
    let cities = ["Омск", "Пермь"].map(str::to_owned);
    let column = |name: &str, values: &[String]| Column {
        values: Some(values.to_vec()),
        ..Column::new(name, Kind::Text)
    };
    let columns = vec![column("Менеджер", &surnames), column("Город", &cities)];
    let samples: Vec<Sample> = columns
        .iter()
        .map(|c| Sample { name: &c.name, kind: c.kind, values: c.values.as_deref().unwrap_or(&[]) })
        .collect();
    let policy = Policy::default().with_flags("sales", &scan(&samples));
    let tables = [std::sync::Arc::new(TableSchema::new("sales", columns.clone()))];
    let mut cells = Cells::new();
    for surname in &surnames {
        cells.insert_name(surname);
    }
    let gate = Gate::new(&policy).with_cells(&cells);
    let typed = gate.typed_by_person("сколько продала Кузнецова, а сколько у Петрова и соколовой?");
    let request =
        gate.request(gate.schema(&tables, Locale::Ru), vec![], vec![Message::User(typed)]);
    let said = format!("{} {:?}", request.system().as_str(), request.messages()).to_lowercase();
    for root in ["иванов", "кузнецов", "петров", "соколов", "менеджер"]
    {
        assert!(!said.contains(root), "{said}");
    }
    assert!(said.contains("омск"), "{said}");
}
