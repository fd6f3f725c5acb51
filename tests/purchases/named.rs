//! What a name matched beside what was meant: parts of longer words, items outside of a category of
//! that name.

use super::beside::{UNDATED, check, household};
use pinhole::disclose::{Guard, Level, Policy};
use serde_json::json;

#[test]
fn parts_of_longer_words_are_said() {
    let world = &mut household();
    let lines = "get_receipt_items";
    // Teapot begins with it while others are tea; Steak has it in the middle. Earl Grey is of a
    // category of that name.
    let wanted = [("outside_name", 1), ("part_of_word", 2), UNDATED];
    let found = check(world, lines, json!({"item_name": "tea", "group_by_item": true}), &wanted);
    assert_eq!((&found["total_items"], &found["grand_total_amount"]), (&json!(4), &json!(50)));
    check(world, lines, json!({"item_name": "TEA"}), &wanted);
    // Under the same filters: in December there were no others, in November no such things.
    let december = json!({"item_name": "tea", "date_from": "2024-12-01"});
    check(world, lines, december, &[("part_of_word", 2), UNDATED]);
    let november = json!({"item_name": "tea", "date_to": "2024-11-30"});
    check(world, lines, november, &[("outside_name", 1), UNDATED]);
    let corner = json!({"item_name": "tea", "shop": "corner"});
    check(world, lines, corner, &[("part_of_word", 1), UNDATED]);
    // Alone it is a part of a word all the same; nothing else has the beginning whole.
    check(world, lines, json!({"item_name": "teak"}), &[("part_of_word", 1), UNDATED]);
    check(world, lines, json!({"item_name": "Teapo"}), &[UNDATED]);
    check(world, lines, json!({"item_name": "green tea"}), &[UNDATED]);
    check(world, lines, json!({"item_name": "coffee"}), &[UNDATED]);

    check(world, "get_items", json!({"search": "tea"}), &[("part_of_word", 2)]);
    check(
        world,
        "get_items",
        json!({"search": "tea", "product_name": "food"}),
        &[("part_of_word", 1)],
    );
    check(world, "get_items", json!({"search": "tea", "shop": "house"}), &[]);
    check(world, "get_items", json!({"search": "milk"}), &[("part_of_word", 1)]);
    // Categories: Tea, and Steaks.
    check(world, "get_items", json!({"product_name": "tea"}), &[("part_of_word", 1)]);
    let wanted = [("outside_category", 2), ("part_of_word", 1), UNDATED];
    check(world, lines, json!({"product_name": "tea"}), &wanted);
    // Shops: Tea house, and Steakery.
    check(world, "get_receipts", json!({"shop": "tea"}), &[("part_of_word", 1), UNDATED]);
    check(world, "get_receipts", json!({"shop": "steak"}), &[UNDATED]);
    check(world, lines, json!({"shop": "TEA"}), &[("part_of_word", 1), UNDATED]);
}

#[test]
fn items_outside_of_a_category_of_that_name_are_said() {
    let world = &mut household();
    let lines = "get_receipt_items";
    // Milk chocolate was bought and is no milk; what was never bought with a date does not count,
    // nor does Buttermilk, where it is a part of a word.
    let wanted = [("outside_category", 1), UNDATED];
    let found =
        check(world, lines, json!({"product_name": "milk", "group_by_item": true}), &wanted);
    assert_eq!(found["grand_total_amount"], json!(20));
    check(world, lines, json!({"product_name": "Milk", "item_name": "3.5%"}), &[UNDATED]);
    check(world, lines, json!({"product_name": "milk", "shop": "tea house"}), &wanted);
    check(world, lines, json!({"product_name": "milk", "date_from": "2024-12-04"}), &[UNDATED]);
    check(world, lines, json!({"product_name": "meat"}), &[UNDATED]);
    // The other way round: Parmalat is milk by its category alone.
    let wanted = [("outside_name", 1), ("part_of_word", 1), UNDATED];
    check(world, lines, json!({"item_name": "milk", "group_by_item": true}), &wanted);
    check(
        world,
        lines,
        json!({"item_name": "milk", "product_name": "milk"}),
        &[("outside_category", 1), UNDATED],
    );

    let statistics = "get_purchase_statistics";
    let wanted = [("outside_category", 1), UNDATED];
    check(world, statistics, json!({"product_name": "milk"}), &wanted);
    check(world, statistics, json!({"product_name": "milk", "group_by": "shop"}), &wanted);
    check(world, statistics, json!({"product_name": "milk", "include_prediction": true}), &wanted);
    let two_days = json!({"product_name": "tea", "period_days": 1});
    check(world, statistics, two_days, &[("part_of_word", 1), UNDATED]);
    check(world, statistics, json!({"product_name": "food"}), &[UNDATED]);
}

#[test]
fn what_a_name_matched_is_told_as_the_results_are() {
    let mut world = household();
    let result = world.call("get_receipt_items", "{\"product_name\": \"milk\"}");
    let mut told = |policy: Policy| {
        world.policy = policy;
        let guard = Guard::new();
        result.content(&world.context(Some(&guard))).as_str().to_owned()
    };
    let open = told(Policy::default());
    assert!(open.contains("are outside of it: 1;"), "{open}");
    for policy in [
        Policy::default().with_level(Level::Aggregate),
        Policy::default().with_level(Level::Schema),
        Policy::default().hide("items", "name"),
        Policy::default().hide("products", "name"),
    ] {
        let withheld = told(policy);
        assert!(!withheld.contains("outside") && !withheld.contains("warning"), "{withheld}");
    }
}
