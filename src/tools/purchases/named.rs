//! What a name that is looked for may stand for beside what was meant: a part of a longer word,
//! items that are outside of the category of that name. What matches is what the arguments say,
//! and nothing is added or left out for this: it is said in warnings.

use super::base::Filter;
use super::tree::Tree;
use super::{Done, PurchaseCall, Statement, fold};
use crate::query::check::Warning;
use serde_json::Map;

/// How a name holds a text, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Held {
    /// As whole words.
    Whole,
    /// From the beginning of a word on.
    Begins,
    /// From the middle of a word on.
    Inside,
}

/// How `name` holds `part` where it does so best.
fn held(name: &str, part: &str) -> Option<Held> {
    let (name, part) = (fold(name), fold(part));
    let goes_on = |a: Option<char>, b: Option<char>| {
        a.zip(b).is_some_and(|(a, b)| a.is_alphanumeric() && b.is_alphanumeric())
    };
    let places = name.match_indices(&part).map(|(at, found)| {
        let before = name.get(..at).and_then(|text| text.chars().next_back());
        let after = name.get(at + found.len()..).and_then(|text| text.chars().next());
        if goes_on(before, found.chars().next()) {
            Held::Inside
        } else if goes_on(found.chars().next_back(), after) {
            Held::Begins
        } else {
            Held::Whole
        }
    });
    places.min()
}

/// Of names that hold a text those that may have been meant by nobody: it stands in the middle of a
/// word, or begins a longer one while it is a whole word of others. The forms of a word begin with
/// what is looked for, so they are left alone where no name has it whole.
fn longer<T>(names: impl Iterator<Item = (T, Option<String>)>, part: &str) -> Vec<T> {
    let found: Vec<(T, Held)> =
        names.filter_map(|(of, name)| Some((of, held(name.as_deref()?, part)?))).collect();
    let best = found.iter().map(|(_, held)| *held).min();
    let worse = |held: Held| held == Held::Inside || Some(held) != best;
    found.into_iter().filter(|(_, held)| worse(*held)).map(|(of, _)| of).collect()
}

/// Lists of items whose names hold the text of `item_name` or `search`, and of `product_name`.
pub(super) const ITEMS: &str = "named_items";
pub(super) const LIKE_CATEGORY: &str = "items_like_category";

/// A list of items whose names hold the text of an argument.
pub(super) fn items(call: &PurchaseCall, name: &'static str, part: &str) -> Statement {
    let mut filter = Filter::default();
    filter.holding("i.name", "part", Some(part));
    let template = format!(
        "SELECT {{id i.id}} AS id, {{text i.name}} AS name, {{id i.product_id}} AS product \
         FROM {{items}} i{}",
        filter.sql()
    );
    call.statement(name, &template, filter.params)
}

const SHOPS: &str = "named_shops";

/// A list of the shops of receipts.
pub(super) fn shops(call: &PurchaseCall) -> Statement {
    let template = "SELECT DISTINCT {text r.shop} AS name FROM {receipts} r";
    call.statement(SHOPS, template, Map::new())
}

/// The shops whose names hold the text of `shop`.
pub(super) fn shops_holding(done: &Done, part: Option<&str>) -> Vec<String> {
    let Some(part) = part else { return Vec::new() };
    let names = done.rows(SHOPS).filter_map(|row| row.text("name"));
    names.filter(|name| super::holds(Some(name), part)).collect()
}

/// The items whose names hold the text of an argument.
pub(super) fn items_holding(done: &Done) -> Vec<String> {
    done.rows(ITEMS).filter_map(|row| row.text("id")).collect()
}

/// Whether items are so few that a warning is worth a statement of its own: a search for one letter
/// names them all, and each stands in the statement.
pub(super) fn few(items: &[String]) -> bool {
    (1..=2_000).contains(&items.len())
}

/// The items found that hold a text only as a part of a longer word.
pub(super) fn parts_of_words(done: &Done, part: &str) -> Vec<String> {
    let rows = done.rows(ITEMS).filter_map(|row| Some((row.text("id")?, row.text("name"))));
    longer(rows, part)
}

/// The items that hold the text of a category as words and are of none of these categories.
pub(super) fn outside(done: &Done, part: &str, categories: &[String]) -> Vec<String> {
    let other = done.rows(LIKE_CATEGORY).filter(|row| {
        let product = row.text("product");
        product.is_none_or(|id| categories.binary_search(&id).is_err())
    });
    let named = other.filter(|row| {
        row.text("name").and_then(|name| held(&name, part)).is_some_and(|h| h != Held::Inside)
    });
    named.filter_map(|row| row.text("id")).collect()
}

/// The categories that hold a text as words, with all below them.
pub(super) fn categories(done: &Done, part: &str) -> Vec<String> {
    let tree = Tree::new(done.rows("products"));
    let named = tree.all().filter(|category| {
        let held = category.name.as_deref().and_then(|name| held(name, part));
        held.is_some_and(|held| held != Held::Inside)
    });
    tree.with_descendants(named.filter_map(|category| super::key(&category.id)))
}

/// How many items the lines of receipts name that a filter keeps.
pub(super) fn bought(call: &PurchaseCall, beside: Beside, mut filter: Filter) -> Statement {
    filter.only("NOT b.orphan");
    let template = format!("SELECT count(DISTINCT b.item_id) AS items{}", filter.lines());
    call.statement(beside.name(), &template, filter.params)
}

/// How many items a filter keeps, bought or not.
pub(super) fn listed(call: &PurchaseCall, beside: Beside, filter: Filter) -> Statement {
    let template = format!("SELECT count(*) AS items FROM {{items}} i{}", filter.sql());
    call.statement(beside.name(), &template, filter.params)
}

/// What is counted beside what a call asks for: statements of its second step.
#[derive(Clone, Copy)]
pub(super) enum Beside {
    /// Items found that hold the text of `item_name` or `search` as a part of a longer word.
    Parts,
    /// Items that hold the text of `product_name` and are outside of its categories.
    Outside,
    /// Items of categories that hold the text of `item_name`, without it in their own name.
    Within,
}

impl Beside {
    const ALL: [Self; 3] = [Self::Parts, Self::Outside, Self::Within];

    fn name(self) -> &'static str {
        match self {
            Self::Parts => "beside_parts",
            Self::Outside => "beside_outside",
            Self::Within => "beside_within",
        }
    }

    fn warning(self, n: u64) -> Warning {
        let (code, message) = match self {
            Self::Parts => (
                "part_of_word",
                text!(
                    "items found that hold the name looked for only as a part of a longer word: {n}; they count",
                    "найденных товаров, где искомое – лишь часть более длинного слова: {n}; они учтены"
                ),
            ),
            Self::Outside => (
                "outside_category",
                text!(
                    "items bought that hold the name of the category in their own and are outside of it: {n}; they do not count; ask for the item by its name to find them",
                    "купленных товаров с этим словом в названии, но вне этой категории: {n}; они не учтены; их найдёт вопрос с названием товара"
                ),
            ),
            Self::Within => (
                "outside_name",
                text!(
                    "items bought that are in a category of that name and have another of their own: {n}; they do not count; ask for the category by its name to find them",
                    "купленных товаров из категории с таким названием, но с другим своим: {n}; они не учтены; их найдёт вопрос с названием категории"
                ),
            ),
        };
        Warning { code, message }
    }
}

/// Warnings of all that was counted beside what a call asks for, and of categories and shops that
/// hold the texts of its arguments as parts of longer words.
pub(super) fn warnings(done: &Done, product: Option<&str>, shop: Option<&str>) -> Vec<Warning> {
    let counted = Beside::ALL.into_iter().filter_map(|beside| {
        let n = done.first(beside.name())?.count("items");
        (n > 0).then(|| beside.warning(n))
    });
    let categories = product.map_or(0, |part| {
        let tree = Tree::new(done.rows("products"));
        longer(tree.all().map(|category| ((), category.name.clone())), part).len()
    });
    let shops = shop
        .map_or(0, |part| longer(done.rows(SHOPS).map(|row| ((), row.text("name"))), part).len());
    let categories = (categories > 0).then(|| {
        text!(
            "categories found that hold the name looked for only as a part of a longer word: {categories}; what is in them counts",
            "найденных категорий, где искомое – лишь часть более длинного слова: {categories}; их товары учтены"
        )
    });
    let shops = (shops > 0).then(|| {
        text!(
            "shops found that hold the name looked for only as a part of a longer word: {shops}; they count",
            "найденных магазинов, где искомое – лишь часть более длинного слова: {shops}; они учтены"
        )
    });
    let parts = categories.into_iter().chain(shops);
    counted.chain(parts.map(|message| Warning { code: "part_of_word", message })).collect()
}

#[cfg(test)]
mod tests {
    use super::{Held, held, longer};

    #[test]
    fn words_and_parts_of_words() {
        for (name, part, wanted) in [
            ("Tea", "tea", Some(Held::Whole)),
            ("Green tea, 20 bags", "TEA", Some(Held::Whole)),
            ("Teapot", "tea", Some(Held::Begins)),
            ("Steak", "tea", Some(Held::Inside)),
            ("Steak tea", "tea", Some(Held::Whole)),
            ("Steak teapot", "tea", Some(Held::Begins)),
            ("Coffee", "tea", None),
            ("Молоко Parmalat 3.5% 1л", "молоко", Some(Held::Whole)),
            ("Молоком", "молок", Some(Held::Begins)),
            ("сыр плавленый", "сыр", Some(Held::Whole)),
            ("Сырок", "сыр", Some(Held::Begins)),
            ("Полусыр", "сыр", Some(Held::Inside)),
            ("На ёлку", "елк", Some(Held::Begins)),
            ("Мёд", "мёд", Some(Held::Whole)),
            ("Соль 3.5%", "3.5%", Some(Held::Whole)),
            ("Соль 13.5%", "3.5%", Some(Held::Inside)),
            ("Сок 1л", "1л", Some(Held::Whole)),
            ("a-b", "-", Some(Held::Whole)),
        ] {
            assert_eq!(held(name, part), wanted, "{part} in {name}");
        }
    }

    #[test]
    fn the_forms_of_a_word_are_meant_where_no_name_has_it_whole() {
        let of = |names: &[&str], part: &str| {
            let named = names.iter().map(|name| ((*name).to_owned(), Some((*name).to_owned())));
            longer(named.chain([("?".to_owned(), None)]), part)
        };
        let goods = ["Сыр Пармезан", "сыр плавленый", "Сырок", "Полусыр", "Хлеб"];
        assert_eq!(of(&goods, "сыр"), ["Сырок", "Полусыр"]);
        assert_eq!(of(&["Молоко", "Молоком", "Немолоко"], "молок"), ["Немолоко"]);
        assert_eq!(of(&["Steak"], "tea"), ["Steak"]);
        assert_eq!(of(&["Tea", "tea bags"], "tea"), Vec::<String>::new());
    }
}
