//! Words of the other language for values that columns of text commonly have: sexes, priorities,
//! grades, states. A word that is an everyday adjective too names the value only beside the word of
//! its column.

/// A value and the words for it: those that always name it, and those that do so beside the word of
/// the column.
type Common = (&'static str, &'static [&'static str], &'static [&'static str]);

const COMMON: &[Common] = &[
    ("male", &["самец", "самцы", "мужчина", "мужчины"], &["мужской"]),
    ("female", &["самка", "самки", "женщина", "женщины"], &["женский"]),
    ("urgent", &["срочный"], &[]),
    ("critical", &["критический", "критичный"], &[]),
    ("normal", &[], &["обычный", "нормальный", "средний"]),
    ("medium", &[], &["средний"]),
    ("high", &[], &["высокий"]),
    ("low", &[], &["низкий"]),
    ("north", &["север"], &["северный"]),
    ("south", &["юг"], &["южный"]),
    ("east", &["восток"], &["восточный"]),
    ("west", &["запад"], &["западный"]),
    ("centre", &[], &["центр", "центральный"]),
    ("center", &[], &["центр", "центральный"]),
    ("central", &[], &["центральный"]),
    ("cash", &["наличные"], &[]),
    ("card", &[], &["карта"]),
    ("placebo", &["плацебо"], &[]),
    ("open", &[], &["открытый"]),
    ("closed", &[], &["закрытый"]),
    ("delivered", &["доставленный", "доставлено", "доставлены"], &[]),
    ("returned", &["возвращенный", "возвращено", "возвращены"], &[]),
    ("lost", &["потерянный", "потеряно", "потеряны"], &[]),
    ("cancelled", &["отмененный", "отменено", "отменены"], &[]),
    ("mobile", &["мобильный"], &[]),
    ("new", &[], &["новый"]),
    ("old", &[], &["старый"]),
    ("child", &["ребенок", "дети"], &[]),
    ("adult", &["взрослый", "взрослые"], &[]),
];

/// The words for a value, each with whether it needs the word of the column beside it.
pub(super) fn words_of(value: &str) -> impl Iterator<Item = (&'static str, bool)> {
    let value = value.to_lowercase();
    COMMON.iter().filter(move |(name, ..)| *name == value).flat_map(|(_, plain, beside)| {
        plain.iter().map(|w| (*w, false)).chain(beside.iter().map(|w| (*w, true)))
    })
}
