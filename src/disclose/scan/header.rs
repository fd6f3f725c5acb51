//! What headers say, in English and Russian.

use super::Personal;

/// Words that stand together in a header, in any order; a word with `*` is the beginning of one.
const HEADERS: &[(Personal, &[&str])] = &[
    (Personal::Email, &["email*"]),
    (Personal::Email, &["e", "mail"]),
    (Personal::Email, &["mail"]),
    (Personal::Email, &["емейл*"]),
    (Personal::Email, &["имейл*"]),
    (Personal::Email, &["почт*"]),
    (Personal::Phone, &["phone*"]),
    (Personal::Phone, &["telephone*"]),
    (Personal::Phone, &["tel"]),
    (Personal::Phone, &["mobile"]),
    (Personal::Phone, &["msisdn"]),
    (Personal::Phone, &["fax"]),
    (Personal::Phone, &["cell", "number"]),
    (Personal::Phone, &["телефон*"]),
    (Personal::Phone, &["тел"]),
    (Personal::Phone, &["мобильн*"]),
    (Personal::Phone, &["сотов*"]),
    (Personal::Card, &["card", "number"]),
    (Personal::Card, &["card", "no"]),
    (Personal::Card, &["card", "num"]),
    (Personal::Card, &["cc", "number"]),
    (Personal::Card, &["cardnumber"]),
    (Personal::Card, &["номер*", "карт*"]),
    (Personal::Iban, &["iban"]),
    (Personal::Iban, &["bank", "account"]),
    (Personal::Iban, &["account", "number"]),
    (Personal::Iban, &["расчетн*", "счет*"]),
    (Personal::Iban, &["номер*", "счет*"]),
    (Personal::Ip, &["ip"]),
    (Personal::Ip, &["ipv4"]),
    (Personal::Ip, &["ipv6"]),
    (Personal::Ip, &["айпи"]),
    (Personal::NationalId, &["ssn"]),
    (Personal::NationalId, &["social", "security"]),
    (Personal::NationalId, &["passport*"]),
    (Personal::NationalId, &["nino"]),
    (Personal::NationalId, &["national", "id"]),
    (Personal::NationalId, &["national", "insurance"]),
    (Personal::NationalId, &["tax", "id"]),
    (Personal::NationalId, &["taxpayer"]),
    (Personal::NationalId, &["pesel"]),
    (Personal::NationalId, &["cpf"]),
    (Personal::NationalId, &["dni"]),
    (Personal::NationalId, &["personal", "code"]),
    (Personal::NationalId, &["driver*", "license"]),
    (Personal::NationalId, &["driver*", "licence"]),
    (Personal::NationalId, &["inn"]),
    (Personal::NationalId, &["snils"]),
    (Personal::NationalId, &["инн"]),
    (Personal::NationalId, &["снилс"]),
    (Personal::NationalId, &["паспорт*"]),
    (Personal::NationalId, &["водительск*"]),
    (Personal::NationalId, &["полис*"]),
    (Personal::Name, &["fio"]),
    (Personal::Name, &["фио"]),
    (Personal::Name, &["surname"]),
    (Personal::Name, &["lastname"]),
    (Personal::Name, &["firstname"]),
    (Personal::Name, &["fullname"]),
    (Personal::Name, &["first", "name"]),
    (Personal::Name, &["last", "name"]),
    (Personal::Name, &["middle", "name"]),
    (Personal::Name, &["full", "name"]),
    (Personal::Name, &["given", "name"]),
    (Personal::Name, &["family", "name"]),
    (Personal::Name, &["maiden", "name"]),
    (Personal::Name, &["customer*", "name"]),
    (Personal::Name, &["client*", "name"]),
    (Personal::Name, &["employee*", "name"]),
    (Personal::Name, &["patient*", "name"]),
    (Personal::Name, &["contact*", "name"]),
    (Personal::Name, &["student*", "name"]),
    (Personal::Name, &["person*", "name"]),
    (Personal::Name, &["user*", "name"]),
    (Personal::Name, &["owner*", "name"]),
    (Personal::Name, &["buyer*", "name"]),
    (Personal::Name, &["driver*", "name"]),
    (Personal::Name, &["passenger*", "name"]),
    (Personal::Name, &["patient"]),
    (Personal::Name, &["employee"]),
    (Personal::Name, &["passenger"]),
    (Personal::Name, &["фамили*"]),
    (Personal::Name, &["имя"]),
    (Personal::Name, &["отчеств*"]),
    (Personal::Name, &["сотрудник*"]),
    (Personal::Name, &["пациент*"]),
    (Personal::Name, &["клиент"]),
    (Personal::Name, &["покупатель"]),
    (Personal::Name, &["заказчик"]),
];

/// Words for those who do something, people or not: the values have to tell. A word with `*` is the
/// beginning of one.
const ROLES: &[&str] = &[
    "менеджер*",
    "продав*",
    "исполнител*",
    "кассир*",
    "водител*",
    "курьер*",
    "врач*",
    "доктор*",
    "преподавател*",
    "учител*",
    "тренер*",
    "куратор*",
    "консультант*",
    "агент*",
    "мастер",
    "руководител*",
    "директор*",
    "начальник*",
    "ответственн*",
    "сотрудни*",
    "работник*",
    "клиент*",
    "покупател*",
    "заказчик*",
    "владел*",
    "автор*",
    "manager*",
    "salesperson*",
    "salesman",
    "salesrep*",
    "seller*",
    "agent*",
    "rep",
    "reps",
    "representative*",
    "consultant*",
    "assignee*",
    "assigned",
    "owner*",
    "driver*",
    "courier*",
    "cashier*",
    "doctor*",
    "physician*",
    "teacher*",
    "instructor*",
    "tutor*",
    "coach*",
    "supervisor*",
    "employee*",
    "customer*",
    "client*",
    "buyer*",
    "author*",
    "person",
];

/// Words for what people have and goods have not. A word with `*` is the beginning of one.
const OF_PEOPLE: &[&str] = &[
    "salary",
    "salaries",
    "wage*",
    "hired",
    "hire",
    "hiring",
    "department",
    "dept",
    "position",
    "job",
    "age",
    "gender",
    "birth*",
    "dob",
    "оклад*",
    "зарплат*",
    "отдел*",
    "должност*",
    "возраст*",
    "рожден*",
    "стаж*",
];

/// Whether a header is of what people have: their pay, their post, an address of theirs.
pub(super) fn tells_of_people(header: &str) -> bool {
    let words = words(header);
    names(header).is_some_and(|holds| matches!(holds, Personal::Email | Personal::Phone))
        || OF_PEOPLE.iter().any(|wanted| is_among(&words, wanted))
}

/// Whether a header says that its column has names, and not of what.
pub(super) fn is_name(header: &str) -> bool {
    matches!(&words(header)[..], [only] if ["name", "names", "имена"].contains(&only.as_str()))
}

/// Whether one of the words is the one wanted, or begins as it.
fn is_among(words: &[String], wanted: &str) -> bool {
    match wanted.strip_suffix('*') {
        Some(start) => words.iter().any(|w| w.starts_with(start)),
        None => words.iter().any(|w| w == wanted),
    }
}

/// Whether the header names who does something.
pub(super) fn names_role(header: &str) -> bool {
    let words = words(header);
    ROLES.iter().any(|wanted| is_among(&words, wanted))
}

/// What the header names, where it names something of people.
pub(super) fn names(header: &str) -> Option<Personal> {
    let words = words(header);
    let has = |wanted: &str| is_among(&words, wanted);
    HEADERS.iter().find(|(_, wanted)| wanted.iter().all(|w| has(w))).map(|(holds, _)| *holds)
}

/// The words of a header in lower case: parted by marks and by capitals within (`firstName`), `ё` as
/// `е`.
fn words(header: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut before = ' ';
    for c in header.chars() {
        let parted = !before.is_alphanumeric()
            || (before.is_lowercase() && c.is_uppercase())
            || before.is_numeric() != c.is_numeric() && before != 'v' && c.is_alphabetic();
        if c.is_alphanumeric() {
            let lower = c.to_lowercase().map(|c| if c == 'ё' { 'е' } else { c });
            match words.last_mut().filter(|_| !parted) {
                Some(word) => word.extend(lower),
                None => words.push(lower.collect()),
            }
        }
        before = c;
    }
    words
}
