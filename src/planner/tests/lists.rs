//! Columns of lists: they are shown, and nothing groups, compares or sums them.

use super::*;
use crate::schema::Member;

/// Purchases with tags and sizes.
fn tagged() -> Arc<TableSchema> {
    let mut schema = (*purchases()).clone();
    schema.columns.push(Column::new("tags", Kind::List(Member::Text)));
    schema.columns.push(Column::new("sizes", Kind::List(Member::Float)));
    Arc::new(schema)
}

#[test]
fn no_question_makes_a_query_that_fails() {
    let table = tagged();
    for list in ["tags", "sizes"] {
        for question in [
            "show {}",
            "{} of each shop",
            "count by {}",
            "total amount by {}",
            "average {}",
            "sum of {} by shop",
            "max {} in 2024",
            "top 5 {}",
            "which {} has the highest amount",
            "how many {}",
            "how many different {}",
            "list the distinct {}",
            "rows where {} is red",
            "rows where {} > 5",
            "purchases without {}",
            "sort by {}",
            "amount by category and {}",
            "share of each {}",
            "purchases with {} \"red\"",
            "покажи {}",
            "сколько строк по {}",
            "среднее {} по магазинам",
            "топ 5 по {}",
        ] {
            let question = question.replace("{}", list);
            let plan = plan(&question, std::slice::from_ref(&table), &Context::default());
            let readings = plan.readings.iter().map(|reading| &reading.query);
            for query in plan.query.iter().chain(readings) {
                canonical(query, &table);
                assert!(!query.group_by.iter().any(|key| key == list), "{question}");
            }
        }
    }
}

#[test]
fn lists_take_nothing_from_the_questions_beside_them() {
    for question in ["total amount by shop", "how many rows", "top 3 shops by amount in 2024"] {
        let [with, without] =
            [tagged(), purchases()].map(|t| plan(question, &[t], &Context::default()).query);
        assert!(with.is_some() && with == without, "{question}");
    }
}
