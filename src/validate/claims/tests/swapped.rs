//! Numbers of other groups, by other aggregates and of other measures, in sentences of which a word is
//! not understood.

use super::check_cases;
use super::fixtures::{shops, weekdays, weekdays_full};

#[test]
fn the_number_of_another_group() {
    check_cases(
        &[&weekdays()],
        &[
            ("Traders saw 45.26 points on Monday.", &[("45.26", 'c', "78.04")]),
            ("В пятницу игроки видели 78,04 пункта.", &[("78,04", 'c', "45,26")]),
            // Nobody's number may mean anything.
            ("Traders saw 45.91 points on Monday.", &[("45.91", 'u', "")]),
            // Its own group may be the one that the words lead to.
            ("Monday was wild, and the day after saw 55.1 points.", &[("55.1", 'u', "")]),
        ],
    );
}

#[test]
fn the_number_by_another_aggregate() {
    check_cases(
        &[&weekdays_full()],
        &[("On Monday the average jump was 156.2.", &[("156.2", 'c', "78.0")])],
    );
}

#[test]
fn a_list_goes_on_with_one_column() {
    check_cases(
        &[&shops()],
        &[(
            "On Saturday: Kuper took 9120, Vkusno took 9120.",
            &[("9120", 'c', "5200"), ("9120", 'v', "")],
        )],
    );
}
