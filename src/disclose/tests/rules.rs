//! The parts of the rule of k by themselves: the audit against a count of every combination, the
//! cells that are masked, what the gate asks a host for.

use super::{assert_clean, bars, checked, guarded, outcome, people, policy, told};
use crate::disclose::audit::{Audit, MOST_SETS};
use crate::disclose::{Cells, Gate, Guard, Policy};
use crate::error::{Code, Diagnostic, Locale, Text};
use crate::facts::{LEFT_OUT, NONE, Outcome, Support};
use crate::query::check_json;
use crate::schema::{Column, Gaps, Kind, TableSchema};
use crate::summary::{Options, summarise};
use proptest::prelude::*;
use serde_json::json;
use std::sync::Arc;

/// Whether each of `sets`, of rows of a table of `rows`, may be disclosed after those before it.
fn allowed(rows: usize, k: u64, missing: &[u32], sets: &[&[usize]]) -> Vec<bool> {
    let mut audit = Audit::new(rows, missing);
    let label = |set: &[usize]| -> Vec<u32> {
        (0..rows).map(|row| if set.contains(&row) { 0 } else { NONE }).collect()
    };
    sets.iter()
        .map(|set| match audit.with(&label(set), k) {
            Some(next) => {
                audit = next;
                true
            }
            None => false,
        })
        .collect()
}

#[test]
fn sets_that_give_a_few_rows_away_are_refused() {
    let all: Vec<usize> = (0..12).collect();
    type Case<'a> = (&'a [u32], &'a [&'a [usize]], &'a [bool]);
    let cases: [Case; 9] = [
        // The whole, and again.
        (&[], &[&all, &all], &[true, true]),
        // A half is the other half too; said again it says no more.
        (&[], &[&all[..6], &all[6..], &all[..6]], &[true, true, true]),
        // Too few, and all but too few.
        (&[], &[&all[..2], &all[2..]], &[false, false]),
        (&[], &[&all[..3], &all[3..]], &[true, true]),
        // Nested by too few, and by enough.
        (&[], &[&all[..6], &all[..7], &all[..9]], &[true, false, true]),
        // Overlapping by one row, outside both of them one: the difference of those two is left.
        (&[], &[&all[..6], &all[5..11]], &[true, false]),
        // Two and two are four rows; then the union leaves two.
        (&[], &[&all[..6], &all[4..10], &all[..10]], &[true, true, false]),
        // Three rows, of which one has a value.
        (&[0, 1], &[&all[..3], &all[..5]], &[false, true]),
        // Rows without a value do not tell sets apart.
        (&[3], &[&all[..3], &all[..4]], &[true, true]),
    ];
    for (missing, sets, expected) in cases {
        assert_eq!(allowed(12, 3, missing, sets), expected, "{sets:?}");
    }
}

#[test]
fn an_audit_has_an_end() {
    // Groups of two, more than are kept: together they are refused, and one at a time in the end.
    let rows = 2 * (MOST_SETS + 2);
    let pairs: Vec<u32> = (0..rows as u32).map(|row| row / 2).collect();
    assert!(Audit::new(rows, &[]).with(&pairs, 2).is_none());
    let few: Vec<u32> = pairs.iter().map(|&p| if p < 200 { p } else { NONE }).collect();
    assert!(Audit::new(rows, &[]).with(&few, 2).is_some());
    assert!(Audit::new(rows, &[]).with(&pairs[1..], 2).is_none());
}

/// The rank of 0/1 sets without some of the rows, over fractions as doubles: the sets are few.
fn rank(sets: &[Vec<usize>], rows: usize, without: &[usize]) -> usize {
    let kept: Vec<usize> = (0..rows).filter(|row| !without.contains(row)).collect();
    let mut matrix: Vec<Vec<f64>> = sets
        .iter()
        .map(|set| kept.iter().map(|row| f64::from(u8::from(set.contains(row)))).collect())
        .collect();
    let mut rank = 0;
    for column in 0..kept.len() {
        let below = rank..matrix.len();
        let Some(found) =
            below.max_by(|&a, &b| matrix[a][column].abs().total_cmp(&matrix[b][column].abs()))
        else {
            break;
        };
        if matrix[found][column].abs() < 1e-9 {
            continue;
        }
        matrix.swap(rank, found);
        let pivot = matrix[rank].clone();
        for row in matrix.iter_mut().skip(rank + 1) {
            let factor = row[column] / pivot[column];
            row.iter_mut().zip(&pivot).for_each(|(cell, by)| *cell -= factor * by);
        }
        rank += 1;
    }
    rank
}

proptest! {
    #[test]
    fn no_combination_of_what_is_allowed_depends_on_one_or_two_rows(
        sets in prop::collection::vec(prop::collection::vec(any::<bool>(), 9), 1..8),
    ) {
        let sets: Vec<Vec<usize>> =
            sets.iter().map(|set| (0..9).filter(|&row| set[row]).collect()).collect();
        let asked: Vec<&[usize]> = sets.iter().map(Vec::as_slice).collect();
        let told = allowed(9, 3, &[], &asked);
        let mut known: Vec<Vec<usize>> = vec![(0..9).collect()];
        known.extend(sets.iter().zip(&told).filter(|(_, told)| **told).map(|(set, _)| set.clone()));
        let all = rank(&known, 9, &[]);
        for one in 0..9 {
            for other in one + 1..9 {
                prop_assert_eq!(rank(&known, 9, &[one, other]), all, "{:?}", &known);
            }
        }
    }

    #[test]
    fn masking_leaves_no_protected_cell(before in any::<String>(), after in any::<String>()) {
        let mut cells = Cells::new();
        cells.insert("zq-ann@x.org");
        let text = format!("{before} zq-ann@x.org {after}");
        let policy = Policy::default();
        let said = Gate::new(&policy).with_cells(&cells).typed_by_person(&text);
        prop_assert!(!said.as_str().contains("zq-ann@x.org"));
    }
}

#[test]
fn protected_cells_are_masked_in_what_is_typed() {
    let mut cells = Cells::new();
    for cell in ["ann@x.org", "Anna Petrova", "+7 912 345-67-89", "1234567.5", "42", "no"] {
        cells.insert(cell);
    }
    let cases = [
        ("who is ann@x.org?", "who is [hidden]?"),
        ("ANNA  PETROVA, Anna", "[hidden], [hidden]"),
        ("call 79123456789 or 8912", "call [hidden] or 8912"),
        ("above 1234567.5", "above [hidden]"),
        ("{\"where\":\"mail == \\\"ann@x.org\\\"\"}", "{\"where\":\"mail == \\\"[hidden]\\\"\"}"),
        // Too short to say anything.
        ("42 or no", "42 or no"),
        ("annual", "annual"),
    ];
    let policy = Policy::default();
    for (typed, sent) in cases {
        let gate = Gate::new(&policy).with_cells(&cells);
        assert_eq!(gate.typed_by_person(typed).as_str(), sent);
        // The model knows its own words: a mask in them would tell it which are cells.
        assert_eq!(gate.model_words(typed).as_str(), typed);
        assert_eq!(Gate::new(&policy).typed_by_person(typed).as_str(), typed);
    }
    assert_eq!(cells.found("ann@x.org and Anna Petrova"), ["ann@x.org", "Anna Petrova"]);
    cells.confirm("anna petrova");
    let gate = Gate::new(&policy).with_cells(&cells);
    assert_eq!(gate.typed_by_person("Anna Petrova").as_str(), "Anna Petrova");
}

#[test]
fn a_host_is_asked_for_rows_where_the_rule_of_k_holds() {
    let aggregated =
        policy(json!({"columns": {"people.height": "aggregate", "people.zqmail": "hidden"}}));
    let everywhere = policy(json!({"level": "aggregate"}));
    let schema = policy(json!({"level": "schema", "columns": {"people.height": "aggregate"}}));
    let cases = [
        (json!({"select": "mean(height)"}), Some(vec!["height"]), Some(vec![])),
        (json!({"select": "count()"}), None, Some(vec![])),
        (json!({"where": "height > 5", "select": "count()"}), None, Some(vec![])),
        (json!({"select": "max(zqmail)"}), None, Some(vec![])),
    ];
    for (query, wanted, at_level_aggregate) in cases {
        let query = checked(&people(), query);
        let names = |policy: &Policy| -> Option<Vec<String>> {
            Gate::new(policy).asks_for_support(&query).map(|names| names.into_iter().collect())
        };
        let owned = |names: Option<Vec<&str>>| -> Option<Vec<String>> {
            names.map(|names| names.into_iter().map(str::to_owned).collect())
        };
        assert_eq!(names(&aggregated), owned(wanted));
        assert_eq!(names(&everywhere), owned(at_level_aggregate));
        assert_eq!(names(&schema), None);
    }
}

#[test]
fn rows_that_do_not_fit_the_result_withhold_it() {
    let policy = policy(json!({"k": 2, "columns": {"people.height": "aggregate"}}));
    let told = |support: Support| {
        let guard = Guard::new();
        let result =
            outcome(&people(), json!({"select": "mean(height)"}), json!([[170.5]]), (4, 4), None);
        guard.learn("r1", support);
        let gate = Gate::new(&policy).with_guard(&guard);
        let summary = summarise(&result, &Options::default());
        gate.summary(&result, &summary, Locale::En).as_str().contains("170.5")
    };
    let right = Support {
        groups: vec![0; 4],
        counted: vec![("mean_height".to_owned(), vec![4])],
        missing: vec![("height".to_owned(), vec![])],
        ..Support::default()
    };
    assert!(told(right.clone()));
    assert!(!told(Support { groups: vec![0; 3], ..right.clone() }));
    assert!(!told(Support { groups: vec![0, 0, 0, NONE], ..right.clone() }));
    assert!(!told(Support { groups: vec![0, 0, 0, LEFT_OUT], ..right.clone() }));
    assert!(!told(Support { missing: Vec::new(), ..right.clone() }));
    assert!(!told(Support { counted: Vec::new(), ..right.clone() }));
    assert!(!told(Support { missing: vec![("height".to_owned(), vec![0, 1, 2])], ..right }));
}

#[test]
fn protection_follows_use_through_steps_and_shared_aggregates() {
    let policy =
        policy(json!({"columns": {"people.height": "aggregate", "people.zqmail": "hidden"}}));
    let cases = [
        (json!({"select": "mean(height)"}), false),
        (
            json!({"group_by": "city", "steps": [{"where": "count > 5", "select": "count()"}]}),
            false,
        ),
        (json!({"select": "percentile(height, 0.5)"}), false),
        (json!({"select": "argmax(city, height)"}), true),
        (json!({"select": "wavg(height, `zq age`)"}), true),
        (json!({"map": {"r": "rank(height)"}, "select": "count()"}), true),
        (json!({"map": {"m": "mean(height)"}, "select": "count()"}), true),
        (json!({"where": "height > mean(height)", "select": "count()"}), true),
        (
            json!({"group_by": "city", "select": "mean(height)", "steps": [{"where": "mean_height > 170"}]}),
            true,
        ),
        (
            json!({"group_by": "city", "select": "mean(height)", "steps": [{"select": "max(mean_height)"}]}),
            true,
        ),
        (json!({"map": {"tall": "height > 170"}, "steps": [{"group_by": "tall"}]}), true),
        (
            json!({"group_by": "city", "select": "count_distinct(zqmail)", "steps": [{"columns": ["city"]}]}),
            true,
        ),
        (json!({"sort": "height", "limit": 1, "steps": [{"select": "first(city)"}]}), true),
    ];
    for (query, withheld) in cases {
        let checked = checked(&people(), query.clone());
        assert_eq!(Gate::new(&policy).withholds(&checked), withheld, "{query}");
    }
}

#[test]
fn previews_show_open_columns_alone() {
    let rows = json!([["zq-ann@x.org", "Omsk", 7, 170.5], ["zq-bob@x.org", "Perm", 8, 180.5]]);
    let result = outcome(&people(), json!({}), rows, (2, 2), None);
    let summary = summarise(&result, &Options::default());
    let closed =
        json!({"people.zqmail": "hidden", "people.zq age": "hidden", "people.height": "aggregate"});
    for (level, previewed) in [("summary", false), ("preview", true)] {
        let policy = policy(json!({"level": level, "columns": closed}));
        let text = Gate::new(&policy).summary(&result, &summary, Locale::En).as_str().to_owned();
        assert_eq!(text.contains("PREVIEW (first 2 rows):\ncity\nOmsk\nPerm"), previewed, "{text}");
        assert!(
            !text.contains("zq") && !text.contains("170.5") && !text.contains("height"),
            "{text}"
        );
    }
}

/// `people` with one value of the hidden column in place of its values.
fn people_with(cell: &str) -> Arc<TableSchema> {
    let mut schema = (*people()).clone();
    schema.columns[0].values = Some(vec![cell.to_owned()]);
    Arc::new(schema)
}

/// The model's guesses come back to it as it wrote them: what is a cell reads like what is none.
#[test]
fn a_guess_reads_the_same_whether_it_is_a_cell() {
    let guess = "zq-ann@x.org";
    let wrong = [
        json!({"table": guess}),
        json!({"columns": [guess, "nothing"]}),
        json!({"where": format!("city = \"{guess}\"")}),
        json!({"where": format!("city == \"{guess}\" + 1")}),
        json!({"where": format!("height == \"{guess}\"")}),
        json!({"map": {guess: "1"}, "where": "zq_ann_x_orh > 1"}),
        json!({"map": {guess: "1"}, "sort": "1 + 1"}),
        json!({"map": {"x": "dayname()"}, "period": guess}),
        json!({guess: 1}),
    ];
    for level in ["schema", "summary", "preview"] {
        let policy = policy(json!({"level": level, "columns": {"people.zqmail": "hidden"}}));
        let gate = Gate::new(&policy);
        let said = |cell: &str| -> Vec<String> {
            let people = people_with(cell);
            let tables = std::slice::from_ref(&people);
            let mut said: Vec<String> = wrong
                .iter()
                .map(|query| {
                    let problems = check_json(query, tables).expect_err("it is wrong");
                    gate.diagnostics(&problems, tables, Locale::En).as_str().to_owned()
                })
                .collect();
            // A query that runs: its warning quotes the filter, and it is told again later on.
            let query = json!({"where": format!("city == \"{guess}\""), "select": "count()"});
            let none = outcome(&people, query, json!([[0]]), (0, 42), None);
            said.push(told(&gate, &none, Locale::En).as_str().to_owned());
            said.push(gate.canonical(&none.query).as_str().to_owned());
            said
        };
        let (is_cell, is_none) = (said(guess), said("zq-bob@x.org"));
        assert_eq!(is_cell, is_none);
        assert!(is_cell.iter().filter(|text| text.contains(guess)).count() > 6, "{is_cell:?}");
    }
    // What the person asked on the device is theirs: with a cell in it, it does not leave.
    let policy = policy(json!({"columns": {"people.zqmail": "hidden"}}));
    let gate = Gate::new(&policy);
    let asked = checked(&people_with(guess), json!({"where": format!("city == \"{guess}\"")}));
    assert_eq!(gate.on_device(&asked).as_str(), "[answered on the device]");
    assert_eq!(gate.canonical_on_device(&asked).as_str(), "");
}

#[test]
fn nothing_of_what_a_script_made_leaves() {
    // Even the name of a column may be a cell.
    let columns = vec![Column::new("zq-ann@x.org", Kind::Int), Column::new("zqmail", Kind::Text)];
    let mut schema = TableSchema::new("script", columns);
    schema.computed = true;
    let schema = Arc::new(schema);
    let rows = json!([[1, "zq-bob@x.org"], [2, null]]);
    let result = outcome(&schema, json!({}), rows, (2, 2), None);
    for level in ["schema", "aggregate", "summary", "preview"] {
        let policy = policy(json!({"level": level}));
        let gate = Gate::new(&policy);
        for locale in [Locale::En, Locale::Ru] {
            let text = told(&gate, &result, locale);
            assert!(text.as_str().contains("r1"), "{}", text.as_str());
            assert!(!text.as_str().contains("zq"), "{level}: {}", text.as_str());
        }
        assert!(gate.checkable(&result).is_none());
        assert_eq!(gate.on_device(&result.query).as_str(), "[answered on the device]");
        let mut made = bars().as_ref().clone();
        made.gaps = Some(Gaps::default());
        let of_file = gate.description(&[Arc::new(made.clone())], Locale::En);
        made.computed = true;
        let of_script = gate.description(&[Arc::new(made)], Locale::En);
        assert_eq!(of_file.as_str().contains("gaps"), ["summary", "preview"].contains(&level));
        assert!(!of_script.as_str().contains("gaps"), "{level}");
    }
}

#[test]
fn cells_of_a_table_that_is_not_there_are_not_known() {
    let given = policy(json!({"columns": {"people.zq age": "hidden", "a.b": "aggregate"}}));
    let of = |name: &str, column: &str| {
        Arc::new(TableSchema::new(name, vec![Column::new(column, Kind::Text)]))
    };
    let (a, people) = (of("a", "b"), of("people", "zq age"));
    assert!(given.protects_beside(&[]) && given.protects_beside(std::slice::from_ref(&people)));
    for other in [of("peopl", "zq age"), of("people.", "zq age"), of("people", "age")] {
        assert!(given.protects_beside(&[a.clone(), other.clone()]), "{}", other.name);
    }
    assert!(!given.protects_beside(&[a, people, of("more", "x")]));
    assert!(!Policy::default().protects_beside(&[]));
}

#[test]
fn a_table_loaded_again_opens_nothing_of_the_one_before() {
    let before =
        policy(json!({"columns": {"people.zq age": "hidden", "people.city": "aggregate"}}));
    let fewer =
        policy(json!({"columns": {"people.zq age": "aggregate", "people.city": "aggregate"}}));
    let more = policy(json!({"columns": {"people.zq age": "hidden", "people.city": "hidden"}}));
    assert!(fewer.opens_of("people", &before) && !before.opens_of("people", &fewer));
    assert!(!more.opens_of("people", &before) && !before.opens_of("people", &before));
    assert!(Policy::default().opens_of("people", &before));
    assert!(!Policy::default().opens_of("towns", &before));

    let (now, guard) = (Policy::default(), Guard::new());
    let gate = Gate::new(&now).with_guard(&guard);
    let found = |id: &str| {
        let query = json!({"select": "max(`zq age`)"});
        let one = outcome(&people(), query, json!([[97]]), (42, 42), None);
        Outcome { id: id.to_owned(), ..one }
    };
    let is_told = |id: &str| told(&gate, &found(id), Locale::En).as_str().contains("97");
    assert!(is_told("r1"));
    let asked = checked(&people(), json!({"where": "height > 97", "select": "count()"}));
    assert!(gate.on_device(&asked).as_str().contains("97") && !gate.withholds_some());
    guard.opened("people", 7, people().version + 1);
    // References and the form of what the device asked are handled as where something is hidden.
    assert!(gate.withholds_some());
    assert_eq!(gate.on_device(&asked).as_str(), "[answered on the device]");
    // What code computed for the check of a result is of the rows behind that.
    let computed = [("whole:r6", false), ("whole:r7", true), ("all:r6", false), ("all:r7", true)];
    let own = [("r1", false), ("r6", false), ("r7", true), ("r12", true), ("x", false)];
    for (id, open) in own.into_iter().chain(computed) {
        let one = found(id);
        assert_eq!(is_told(id), open, "{id}");
        assert_eq!(gate.checkable(&one).is_some(), open, "{id}");
        assert_eq!(gate.failure(&one.query, Some(id), Locale::En).is_none(), open, "{id}");
        let reads = [("people".to_owned(), "city".to_owned())].into();
        let ids = [id.to_owned(), "r99".to_owned()];
        assert_eq!(!gate.withholds_call(&reads, &ids), open, "{id}");
    }
    // Results of other tables are told as they were.
    let query = json!({"select": "count()"});
    let other = outcome(&crate::summary::fixture::bars(), query, json!([[80]]), (80, 500), None);
    assert!(told(&gate, &other, Locale::En).as_str().contains("80"));
}

/// Other words for values are as good as the values.
#[test]
fn words_for_values_leave_where_the_values_do() {
    let mut schema = (*people()).clone();
    let words = |value: &str, word: &str| vec![(value.to_owned(), vec![word.to_owned()])];
    schema.columns[0].value_synonyms = words("zq-ann@x.org", "zqsynonym");
    schema.columns[1].value_synonyms = words("Omsk", "Омск");
    let mut many = Column::new("many", Kind::Text);
    many.value_synonyms = words("zq-bob@x.org", "zqlabel");
    schema.columns.push(many);
    let tables = [Arc::new(schema)];
    let told = |policy: &Policy| Gate::new(policy).schema(&tables, Locale::En);
    let summary = told(&guarded());
    assert_clean(&summary);
    assert!(summary.as_str().contains("values \"Omsk\" (also called \"Омск\"), \"Perm\""));
    for json in [
        json!({"level": "schema", "columns": {"people.zqmail": "hidden", "people.zq age": "hidden"}}),
        json!({"columns": {"people.zqmail": "hidden", "people.zq age": "hidden", "people.city": "aggregate"}}),
    ] {
        let policy = policy(json);
        let piece = told(&policy);
        assert_clean(&piece);
        assert!(!piece.as_str().contains("Омск") && !piece.as_str().contains("Omsk"));
        // Nor by way of a suggestion.
        let choices = ["Омск", "zqsynonym", "zqlabel", "\"zq-bob@x.org\""];
        let diagnostic =
            Diagnostic::new(Code::TypeMismatch, Text::same("no such")).choices(choices);
        let piece = Gate::new(&policy).diagnostics(&[diagnostic], &tables, Locale::En);
        assert_clean(&piece);
        assert!(!piece.as_str().contains("Омск"));
    }
}
