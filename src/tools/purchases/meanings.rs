//! What the arguments of the purchase tools mean, in words for a model.

use crate::error::Text;

/// What an argument of a tool means. In English one name means one thing in every tool; the Russian
/// texts begin as they were specified for each.
pub(super) fn meaning(tool: &str, argument: &str) -> Option<Text> {
    Some(match (tool, argument) {
        ("get_purchase_statistics", "date_from") => text!(
            "first day (YYYY-MM-DD), instead of period_days",
            "Начало периода, вместо period_days."
        ),
        ("get_purchase_statistics", "date_to") => {
            text!("last day (YYYY-MM-DD), instead of today", "Конец периода, вместо сегодня.")
        }
        ("get_receipts", "date_from") => text!(
            "first day (YYYY-MM-DD); without it, from the beginning",
            "Начало периода (YYYY-MM-DD). Если не указано - без ограничения."
        ),
        (_, "date_from") => text!(
            "first day (YYYY-MM-DD); without it, from the beginning",
            "Начало периода. Если не указано - без ограничения."
        ),
        ("get_receipts", "date_to") => text!(
            "last day (YYYY-MM-DD); without it, until today",
            "Конец периода (YYYY-MM-DD). Если не указано - до сегодня."
        ),
        (_, "date_to") => text!(
            "last day (YYYY-MM-DD); without it, until today",
            "Конец периода. Если не указано - до сегодня."
        ),
        ("get_receipts", "shop") => text!(
            "shops whose name holds this",
            "Фильтр по названию магазина (частичное совпадение)."
        ),
        (_, "shop") => {
            text!("shops whose name holds this", "Фильтр по магазину. Частичное совпадение.")
        }
        (_, "order_by") => text!("order of the receipts", "Сортировка результатов."),
        (_, "include_summary") => text!(
            "also the number of receipts, their sum and mean, the period",
            "Включить сводку: общее количество, сумма, средний чек. Также период."
        ),
        (_, "receipt_id") => text!(
            "lines of this receipt alone",
            "ID конкретного чека. Если указан - только позиции этого чека."
        ),
        (_, "item_name") => {
            text!("items whose name holds this", "Поиск по названию товара (частичное совпадение).")
        }
        ("get_items", "product_name") => text!(
            "items of categories whose name holds this, and of those below them",
            "Фильтр по названию категории (частичное совпадение). Вместе с подкатегориями."
        ),
        (_, "product_name") => text!(
            "items of categories whose name holds this, and of those below them",
            "Фильтр по категории продукта. Частичное совпадение, вместе с подкатегориями."
        ),
        (_, "exact_product_name") => text!(
            "product_name is the whole name of a category, not a part of it",
            "product_name – название категории целиком, а не часть его."
        ),
        (_, "group_by_item") => text!(
            "one entry an item, quantities and amounts summed",
            "Группировать по товару с суммированием количества и суммы."
        ),
        (_, "parent_id") => text!(
            "categories right below this one; null or left out: the topmost",
            "ID родительской категории. null = корневые категории. Если не указано - тоже."
        ),
        ("get_products", "search") => {
            text!("names that hold this", "Поиск по названию категории. Частичное совпадение.")
        }
        (_, "search") => {
            text!("names that hold this", "Поиск по названию товара. Частичное совпадение.")
        }
        (_, "include_children") => {
            text!("also the categories one level below", "Включить дочерние категории (1 уровень).")
        }
        (_, "include_items_count") => text!(
            "also how many items are in a category and below it",
            "Включить количество товаров в категории. Вместе с подкатегориями."
        ),
        (_, "product_id") => text!(
            "items of this category and of those below it",
            "Фильтр по категории продукта. По её ID, вместе с подкатегориями."
        ),
        (_, "include_purchase_stats") => {
            text!("also what was bought of each item", "Включить статистику покупок.")
        }
        (_, "label_name") => text!(
            "labels whose name holds this",
            "Фильтр по названию метки (частичное совпадение)."
        ),
        (_, "include_items") => {
            text!("also the items of each label", "Включить список товаров для каждой метки.")
        }
        (_, "items_limit") => text!("the most items of a label", "Максимум товаров на метку."),
        (_, "period_days") => text!(
            "how many days back from today",
            "Период анализа в днях. Считая назад от сегодня."
        ),
        (_, "group_by") => {
            text!("what the statistics are grouped by", "Группировка статистики.")
        }
        (_, "min_purchase_count") => text!(
            "leave out what was bought less often",
            "Минимальное количество покупок для включения."
        ),
        (_, "order_groups_by") => text!(
            "which items or categories come first: bought most often, or for the most money",
            "Что идёт первым: купленное чаще всего или на большую сумму."
        ),
        (_, "include_prediction") => text!(
            "also when each item or category will be bought next",
            "Включить предсказание следующей покупки. Только для товаров и категорий."
        ),
        (_, "days_ahead") => {
            text!("how many days to plan ahead", "На сколько дней вперед планировать.")
        }
        (_, "include_labels") => text!(
            "add items with any of these labels",
            "Включить товары с этими метками. С любой из них."
        ),
        (_, "exclude_labels") => text!(
            "leave out items with any of these labels",
            "Исключить товары с этими метками. С любой из них."
        ),
        (_, "min_confidence") => {
            text!("leave out less certain predictions", "Минимальный уровень уверенности.")
        }
        (_, "budget_limit") => text!(
            "the total price stays within this",
            "Ограничение бюджета. Сумма не превысит его."
        ),
        ("get_receipts", "limit") => text!(
            "the most entries of the list; 10 if left out",
            "Максимальное количество чеков в ответе. Если не указано - 10."
        ),
        ("get_receipt_items", "limit") => text!(
            "the most entries of the list; 50 if left out",
            "Максимальное количество позиций. Если не указано - 50."
        ),
        ("get_items", "limit") => text!(
            "the most entries of the list; 50 if left out",
            "Максимальное количество товаров. Если не указано - 50."
        ),
        ("get_purchase_statistics", "limit") => text!(
            "the most entries of the list; 20 if left out",
            "Топ N позиций. Если не указано - 20."
        ),
        _ => return None,
    })
}
