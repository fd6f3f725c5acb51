//! Any table, any policy, any questions.

use super::world::{Heard, Person, World};
use proptest::prelude::*;
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;

const CITIES: [&str; 4] = ["Omsk", "Perm", "Tula", "Orel"];
const DEPTS: [&str; 3] = ["sales", "lab", "yard"];

/// Salaries have twelve digits: one that is told cannot be taken for a count or a mean.
fn person() -> impl Strategy<Value = Person> {
    let salary = prop::option::weighted(0.9, 100_000_000_000_i64..999_999_999_999);
    let sick = prop::option::weighted(0.9, any::<bool>());
    (0..4_usize, 0..3_usize, salary, sick, 1000..9999_u32).prop_map(
        |(c, d, salary, sick, secret)| Person {
            city: CITIES[c],
            dept: DEPTS[d],
            salary,
            sick,
            secret: format!("zq{secret}"),
        },
    )
}

fn policy() -> impl Strategy<Value = Json> {
    let level = prop::sample::select(vec!["schema", "aggregate", "summary", "preview"]);
    (level, 2..5_u64).prop_map(|(level, k)| {
        json!({"level": level, "k": k, "columns": {
            "people.salary": "aggregate", "people.sick": "aggregate", "people.zqsecret": "hidden",
        }})
    })
}

/// Filters over open columns.
fn open_filter() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        (0..4_usize).prop_map(|c| format!("city == \"{}\"", CITIES[c])),
        (0..3_usize).prop_map(|d| format!("dept != \"{}\"", DEPTS[d])),
        (0..14_i64).prop_map(|n| format!("id < {n}")),
        (0..14_i64).prop_map(|n| format!("id == {n}")),
        (0..14_i64).prop_map(|n| format!("id != {n}")),
    ];
    leaf.prop_recursive(2, 6, 2, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a}) and ({b})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a}) or ({b})")),
            inner.prop_map(|a| format!("not ({a})")),
        ]
    })
}

/// Filters over any column.
fn filter() -> impl Strategy<Value = String> {
    let closed = prop_oneof![
        (100_000_000_000_i64..999_999_999_999).prop_map(|x| format!("salary > {x}")),
        Just("sick".to_owned()),
        Just("isnull(salary)".to_owned()),
        (1000..9999_u32).prop_map(|s| format!("zqsecret >= \"zq{s}\"")),
    ];
    prop_oneof![
        6 => open_filter(),
        1 => closed.clone(),
        2 => (open_filter(), closed).prop_map(|(a, b)| format!("({a}) or ({b})")),
    ]
}

fn linear() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "mean(salary)",
        "sum(salary)",
        "count(salary)",
        "pct(sick)",
        "count()",
        "mean(id)",
        "sum(salary) / count()",
        "count_distinct(salary)",
        "std(salary)",
        "var(salary)",
    ])
}

fn any_select() -> impl Strategy<Value = &'static str> {
    prop_oneof![
        3 => linear(),
        1 => prop::sample::select(vec![
            "max(salary)", "min(salary)", "first(salary)", "last(salary)", "median(salary)",
            "std(salary)", "max(zqsecret)", "first(zqsecret)", "count_distinct(zqsecret)",
            "correlation(salary, id)", "sum(if(id == 3, salary, 0))", "pct(salary > 500000000000)",
            "max(city)", "count(zqsecret)",
        ]),
    ]
}

fn query(
    filter: impl Strategy<Value = String>,
    select: impl Strategy<Value = &'static str>,
    keys: &'static [&'static str],
    sorts: &'static [&'static str],
) -> impl Strategy<Value = Json> {
    (
        prop::option::of(filter),
        prop::collection::vec(select, 0..3),
        prop::option::of(prop::sample::select(keys.to_vec())),
        prop::option::of(prop::sample::select(sorts.to_vec())),
        prop::option::of(1..6_u64),
    )
        .prop_map(|(filter, select, key, sort, limit)| {
            let mut query = json!({});
            if let Some(filter) = filter {
                query["where"] = json!(filter);
            }
            let select: Vec<Json> =
                select.iter().enumerate().map(|(i, s)| json!([format!("m{i}"), s])).collect();
            if !select.is_empty() {
                let select: serde_json::Map<String, Json> = select
                    .iter()
                    .map(|pair| (pair[0].as_str().unwrap_or_default().to_owned(), pair[1].clone()))
                    .collect();
                query["select"] = json!(select);
            }
            if let Some(key) = key {
                query["group_by"] = json!(key);
            }
            if let Some(sort) = sort {
                query["sort"] = json!(sort);
            }
            if let Some(limit) = limit {
                query["limit"] = json!(limit);
            }
            query
        })
}

fn attack() -> impl Strategy<Value = Json> {
    query(
        filter(),
        any_select(),
        &["city", "dept", "id", "sick", "salary", "zqsecret"],
        &["id", "salary desc", "zqsecret", "m0 desc", "city"],
    )
}

/// The whole language: computed columns, windows, shared aggregates, computed and several keys,
/// projections, steps.
fn anything() -> impl Strategy<Value = Json> {
    let maps = vec![
        "salary * 1",
        "if(id == 3, salary, 0)",
        "prev(salary)",
        "cumsum(salary)",
        "mean(salary)",
        "salary - min(salary)",
        "rolling_max(salary, 2)",
        "upper(zqsecret)",
        "zqsecret",
        "id // 5",
        "if(sick, salary, id)",
        "valuewhen(id == 2, salary)",
        "rank(salary)",
        "length(zqsecret)",
    ];
    let selects = vec![
        "mean(x)",
        "max(x)",
        "first(x)",
        "last(x)",
        "sum(x)",
        "median(x)",
        "argmax(x, id)",
        "argmin(city, x)",
        "percentile(x, 0.9)",
        "wavg(salary, id)",
        "mean(salary) - 1",
        "max(if(id == 2, salary, 0))",
        "sum(salary) * 2",
    ];
    let keys = vec![
        json!("x"),
        json!("id // 5"),
        json!(["city", "dept"]),
        json!("if(sick, \"a\", \"b\")"),
        json!(["x", "city"]),
        json!("salary % 7"),
    ];
    let columns =
        vec![json!(["id", "x"]), json!(["x"]), json!(["city", "salary"]), json!(["zqsecret"])];
    let steps = vec![
        json!({"where": "m0 > 1"}),
        json!({"select": "max(m0)"}),
        json!({"select": "count()"}),
        json!({"sort": "m0 desc", "limit": 1}),
        json!({"group_by": "city", "select": "sum(m0)"}),
        json!({"map": {"y": "m0 - prev(m0)"}, "columns": ["y"]}),
        json!({"columns": ["x"]}),
    ];
    fn one<T: Clone + std::fmt::Debug + 'static>(of: Vec<T>) -> impl Strategy<Value = Option<T>> {
        prop::option::of(prop::sample::select(of))
    }
    let extra = (one(maps), one(selects), one(keys), one(columns), one(steps));
    (attack(), extra).prop_map(|(mut query, (map, select, key, columns, step))| {
        if let Some(map) = map {
            query["map"] = json!({"x": map});
        }
        if let Some(select) = select {
            query["select"] = json!({"m0": select});
        }
        if let Some(key) = key {
            query["group_by"] = key;
        }
        if let Some(columns) = columns {
            query["columns"] = columns;
        }
        if let Some(step) = step {
            query["steps"] = json!([step]);
        }
        query
    })
}

/// Questions whose only use of protected columns is under aggregates that rows add up to.
fn honest() -> impl Strategy<Value = Json> {
    query(open_filter(), linear(), &["city", "dept"], &["id", "city desc", "dept", "m0 desc"])
}

/// The sets of people whose salaries some disclosed number adds up.
fn salary_sets(world: &World, heard: &Heard) -> Vec<Vec<usize>> {
    let Some(outcome) = &heard.outcome else { return Vec::new() };
    let reads = |name: &str| {
        let measure = outcome.query.measures().iter().find(|m| m.name == name);
        measure.is_some_and(|m| m.text.contains("salary"))
    };
    let told = heard.cells.iter().filter(|(_, name)| reads(name));
    told.map(|(row, _)| {
        let mut members = heard.members(*row);
        members.retain(|&i| world.people[i].salary.is_some());
        members
    })
    .collect()
}

/// The sets of people that some disclosed aggregate counts.
fn row_sets(heard: &Heard) -> Vec<Vec<usize>> {
    let mut sets: Vec<Vec<usize>> =
        heard.cells.iter().map(|(row, _)| heard.members(*row)).collect();
    if heard.outcome.is_some() && !heard.is_withheld() {
        let all = 0..heard.groups.len();
        sets.push(all.clone().filter(|&i| heard.groups[i] < pinhole::facts::LEFT_OUT).collect());
        // Those that were searched are counted, too.
        sets.push(all.filter(|&i| heard.groups[i] != pinhole::facts::NONE).collect());
    }
    sets
}

const PRIME: u64 = 1_000_000_007;

/// The rank of 0/1 vectors over `people`, without the places in `left_out`.
fn rank(sets: &[Vec<usize>], people: usize, left_out: &[usize]) -> usize {
    let mut rows: Vec<Vec<u64>> = sets
        .iter()
        .map(|set| {
            (0..people).map(|i| u64::from(set.contains(&i) && !left_out.contains(&i))).collect()
        })
        .collect();
    let mut rank = 0;
    for column in 0..people {
        let Some(found) = (rank..rows.len()).find(|&r| rows[r][column] != 0) else { continue };
        rows.swap(rank, found);
        let pivot = rows[rank].clone();
        let inverse = power(pivot[column], PRIME - 2);
        for row in rows.iter_mut().skip(rank + 1) {
            let factor = row[column] * inverse % PRIME;
            for (cell, by) in row.iter_mut().zip(&pivot) {
                *cell = (*cell + PRIME - factor * by % PRIME) % PRIME;
            }
        }
        rank += 1;
    }
    rank
}

fn power(mut base: u64, mut exponent: u64) -> u64 {
    let mut result = 1;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = result * base % PRIME;
        }
        base = base * base % PRIME;
        exponent >>= 1;
    }
    result
}

/// Every choice of `n` of `0..people`.
fn choices(people: usize, n: usize) -> Vec<Vec<usize>> {
    if n == 0 {
        return vec![Vec::new()];
    }
    let fewer = choices(people, n - 1);
    let grow = |chosen: &Vec<usize>| {
        let from = chosen.last().map_or(0, |last| last + 1);
        (from..people).map(|next| [chosen.as_slice(), &[next]].concat()).collect::<Vec<_>>()
    };
    fewer.iter().flat_map(grow).collect()
}

/// True when some combination of `sets` depends on fewer than `k` people.
fn gives_away(sets: &[Vec<usize>], people: usize, k: u64) -> bool {
    let all = rank(sets, people, &[]);
    let fewer = usize::try_from(k).expect("small") - 1;
    choices(people, fewer.min(people)).iter().any(|few| rank(sets, people, few) < all)
}

/// What the feedback would name: the people behind each row, and the column. The place of a row
/// among rows that are not told shows nowhere.
fn told_of(heard: &Heard) -> BTreeSet<(Vec<usize>, String)> {
    heard.cells.iter().map(|(row, column)| (heard.members(*row), column.clone())).collect()
}

/// No hidden name or cell was told, and no salary that fewer than `k` people have.
fn nothing_protected(world: &World, k: u64) -> Result<(), TestCaseError> {
    for text in &world.told {
        prop_assert!(!text.contains("zq") && !text.contains("ZQ"), "{text}");
        for person in &world.people {
            let Some(salary) = person.salary else { continue };
            let shared = world.people.iter().filter(|p| p.salary == Some(salary)).count();
            prop_assert!(shared as u64 >= k || !text.contains(&salary.to_string()), "{text}");
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn no_protected_value_or_hidden_name_is_told(
        people in prop::collection::vec(person(), 1..40),
        policy in policy(),
        queries in prop::collection::vec(attack(), 1..12),
    ) {
        let k = policy["k"].as_u64().expect("k");
        let mut world = World::by_hand(people, &policy);
        world.schema();
        for query in &queries {
            world.ask(query);
        }
        nothing_protected(&world, k)?;
    }

    #[test]
    fn no_combination_of_disclosed_sums_depends_on_few_people(
        people in prop::collection::vec(person(), 4..14),
        policy in policy(),
        queries in prop::collection::vec(prop_oneof![3 => honest(), 1 => attack()], 1..14),
    ) {
        let k = policy["k"].as_u64().expect("k");
        let mut world = World::by_hand(people, &policy);
        let valued: Vec<usize> =
            (0..world.people.len()).filter(|&i| world.people[i].salary.is_some()).collect();
        let (mut salaries, mut rows) = (vec![valued], vec![(0..world.people.len()).collect()]);
        for query in &queries {
            let heard = world.ask(query);
            salaries.extend(salary_sets(&world, &heard));
            rows.extend(row_sets(&heard));
        }
        let people = world.people.len();
        // The whole is taken as known beforehand; a table of fewer than k gives itself away.
        if salaries[0].len() as u64 >= k {
            prop_assert!(!gives_away(&salaries, people, k), "{salaries:?}");
        } else {
            prop_assert_eq!(salaries.len(), 1);
        }
        if policy["level"] == "aggregate" && people as u64 >= k {
            prop_assert!(!gives_away(&rows, people, k), "{rows:?}");
        }
    }

    #[test]
    fn no_combination_over_appended_rows_depends_on_few_people(
        tables in prop::collection::vec(
            (
                prop::collection::vec(person(), 1..7),
                prop::collection::vec(prop_oneof![3 => honest(), 1 => attack()], 0..6),
            ),
            2..5,
        ),
        policy in policy(),
    ) {
        let k = policy["k"].as_u64().expect("k");
        let mut tables = tables.into_iter();
        let (people, mut queries) = tables.next().expect("a table");
        let mut world = World::by_hand(people, &policy);
        let (mut salaries, mut rows) = (Vec::new(), Vec::new());
        loop {
            for query in &queries {
                let heard = world.ask(query);
                salaries.extend(salary_sets(&world, &heard));
                rows.extend(row_sets(&heard));
            }
            let Some((more, next)) = tables.next() else { break };
            world.append(more);
            queries = next;
        }
        let people = world.people.len();
        prop_assert!(!gives_away(&salaries, people, k), "{salaries:?}");
        if policy["level"] == "aggregate" {
            prop_assert!(!gives_away(&rows, people, k), "{rows:?}");
        }
    }

    #[test]
    fn what_is_told_does_not_depend_on_hidden_cells(
        people in prop::collection::vec((person(), 1000..9999_u32), 1..30),
        policy in policy(),
        queries in prop::collection::vec(attack(), 1..10),
    ) {
        let one: Vec<Person> = people.iter().map(|(p, _)| p.clone()).collect();
        let other = people.iter().map(|(p, secret)| Person { secret: format!("zq{secret}"), ..p.clone() });
        let mut worlds = [World::by_hand(one, &policy), World::by_hand(other.collect(), &policy)];
        let told = worlds.each_mut().map(|world| {
            world.schema();
            for query in &queries {
                world.ask(query);
            }
            world.told.clone()
        });
        // A claim was made of every row, and a hidden filter lets through as many as it likes: of
        // feedback each line counts once.
        let [a, b] = told.map(|told| {
            let (feedback, rest): (Vec<String>, Vec<String>) =
                told.into_iter().partition(|text| text.starts_with("- "));
            (rest, feedback.into_iter().collect::<BTreeSet<String>>())
        });
        prop_assert_eq!(a, b);
    }

    #[test]
    fn a_refusal_does_not_depend_on_protected_cells(
        people in prop::collection::vec((person(), 100_000_000_000_i64..999_999_999_999, any::<bool>()), 1..30),
        policy in policy(),
        queries in prop::collection::vec(honest(), 1..12),
    ) {
        let one: Vec<Person> = people.iter().map(|(p, _, _)| p.clone()).collect();
        let other = people.iter().map(|(p, salary, sick)| Person {
            salary: p.salary.map(|_| *salary),
            sick: p.sick.map(|_| *sick),
            ..p.clone()
        });
        let mut worlds = [World::by_hand(one, &policy), World::by_hand(other.collect(), &policy)];
        for query in &queries {
            let [a, b] = worlds.each_mut().map(|world| world.ask(query));
            prop_assert_eq!(a.is_withheld(), b.is_withheld(), "{} {}", a.text, b.text);
            // Which groups `limit` lets through is their order, which is told with their values.
            if query.get("limit").is_none() {
                prop_assert_eq!(told_of(&a), told_of(&b), "{} {}", a.text, b.text);
            }
            prop_assert_eq!(a.cells.len(), b.cells.len(), "{} {}", a.text, b.text);
            if a.outcome.is_none() || a.is_withheld() {
                prop_assert_eq!(a.text, b.text);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_engine_tells_no_protected_value_whatever_is_asked(
        people in prop::collection::vec(person(), 1..40),
        policy in policy(),
        queries in prop::collection::vec(anything(), 1..16),
    ) {
        let k = policy["k"].as_u64().expect("k");
        let mut world = World::new(people, &policy);
        for query in &queries {
            world.ask_engine(query);
        }
        nothing_protected(&world, k)?;
    }

    #[test]
    fn the_engine_names_the_same_rows(
        people in prop::collection::vec(person(), 1..40),
        policy in policy(),
        queries in prop::collection::vec(prop_oneof![honest(), attack()], 1..12),
    ) {
        let mut world = World::new(people, &policy);
        for query in &queries {
            world.ask(query);
        }
    }
}
