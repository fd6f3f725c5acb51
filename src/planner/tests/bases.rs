//! The rows that a share or a mean is of: stated where they are known, and no others.

use super::answers::outcome;
use super::*;
use crate::error::Locale;
use crate::planner::answer;
use crate::value::Value;
use serde_json::{Value as Json, json};

fn told(table: &Arc<TableSchema>, query: &Json, counts: (u64, u64), locale: Locale) -> String {
    answer(&outcome(table, query, vec![vec![Value::Float(53.02)]], counts, None), locale).text
}

/// Purchases of which some have no shop and some no quantity.
fn gaps() -> Arc<TableSchema> {
    let mut table = (*purchases()).clone();
    for column in table.columns.iter_mut().filter(|c| c.name == "shop" || c.name == "quantity") {
        column.nulls = Some(3);
    }
    Arc::new(table)
}

#[test]
fn the_first_day_has_no_change_and_is_in_no_share() {
    for (map, filter, select, base) in [
        // the first day is not among those of which this is known
        (json!({"moved": "change()"}), None, "pct(moved > 0)", None),
        (json!({"gap": "gap()"}), None, "pct(gap > 20)", None),
        (json!({"gap": "gap()"}), None, "mean(gap)", None),
        (json!({}), None, "pct(close > open)", Some("(780 days)")),
        (json!({}), None, "mean(close)", Some("(780 days)")),
        // a filter has left it out
        (json!({"gap": "gap()"}), Some("gap > 20"), "mean(gap)", Some("(413 of 780 days)")),
        (json!({"gap": "gap()"}), Some("gap > 20"), "pct(gap > 30)", Some("(413 days)")),
        (json!({"moved": "change()"}), Some("moved > 0"), "mean(moved)", Some("(413 of 780 days)")),
    ] {
        let mut query = json!({"from": "daily", "map": map, "select": {"share_pct": select}});
        let matched = filter.map_or(780, |filter| {
            query["where"] = json!(filter);
            413
        });
        let text = told(&bars(), &query, (matched, 780), Locale::En);
        match base {
            Some(base) => assert!(text.contains(base), "{select}: {text}"),
            None => assert!(!text.contains('('), "{select}: {text}"),
        }
    }
}

#[test]
fn rows_without_a_value_are_said_to_be_left_out_where_they_are() {
    let always = Some("Rows with no value of shop are left out.");
    let perhaps = Some(
        "Rows with no value of shop are left out where the rest of the condition does not decide.",
    );
    for (select, note, base) in [
        ("pct(shop == \"Kuper\")", always, false),
        ("pct(not contains(shop, \"K\"))", always, false),
        ("pct(shop in (\"Kuper\", \"Lenta\") and shop != \"Lenta\")", always, false),
        ("pct(category == \"food\" and shop == \"Kuper\")", perhaps, false),
        ("pct(category == \"food\" or shop == \"Kuper\")", perhaps, false),
        ("pct(isnull(shop))", None, true),
        ("pct(coalesce(shop, \"none\") == \"Kuper\")", None, true),
        ("pct(category == \"food\")", None, true),
    ] {
        let query = json!({"select": {"share_pct": select}});
        let text = told(&gaps(), &query, (500, 500), Locale::En);
        assert_eq!(text.contains("(500 rows)"), base, "{select}: {text}");
        match note {
            Some(note) => assert!(text.ends_with(note), "{select}: {text}"),
            None => assert!(!text.contains("left out"), "{select}: {text}"),
        }
    }
    let query = json!({"select": {"share_pct": "pct(category == \"food\" and shop == \"Kuper\")"}});
    let text = told(&gaps(), &query, (500, 500), Locale::Ru);
    let note = "в столбце «shop» не учтены там, где остальное условие ничего не решает.";
    assert!(text.ends_with(note), "{text}");
    // none of the rows that a filter leaves is without a shop
    let query =
        json!({"where": "not isnull(shop)", "select": {"share_pct": "pct(shop == \"Kuper\")"}});
    let text = told(&gaps(), &query, (497, 500), Locale::En);
    assert!(text.contains("(497 rows)") && !text.contains("left out"), "{text}");
}
