//! 50,000 questions of a data set, and how long it takes to find one of them again.

use pinhole::recall::{Asked, Embedding, Kept, Recall, Scope, Settings, embed};
use std::hint::black_box;
use std::time::Instant;

const RECORDS: usize = 50_000;
const ASKED: usize = 200;
const CONTEXT: &str = "speed";

/// A question like no other: measures, groups, conditions and numbers in turn.
fn question(number: usize) -> String {
    const MEASURES: [&str; 10] = [
        "average amount",
        "total sales",
        "median price",
        "number of orders",
        "highest volume",
        "средний чек",
        "сумма продаж",
        "доля возвратов",
        "максимальный объём",
        "число заказов",
    ];
    const GROUPS: [&str; 10] = [
        "by shop",
        "per weekday",
        "by month",
        "by category",
        "in each city",
        "по магазинам",
        "по дням недели",
        "по месяцам",
        "по категориям",
        "в каждом городе",
    ];
    let pick = |list: &[&'static str; 10], by: usize| list[(number / by) % 10];
    format!(
        "{} {} where value is above {}",
        pick(&MEASURES, 1),
        pick(&GROUPS, 10),
        number / 100 + 1
    )
}

fn asked(question: &str) -> Asked<'_> {
    Asked { context_code: CONTEXT, question, vector: None, after: None }
}

fn milliseconds(mut times: Vec<u128>) -> String {
    times.sort_unstable();
    let at = |share: usize| times[(times.len() - 1) * share / 100] as f64 / 1e6;
    format!(
        "least {:.3} ms, median {:.3} ms, 95 of 100 under {:.3} ms, at most {:.3} ms",
        at(0),
        at(50),
        at(95),
        at(100)
    )
}

fn time(mut run: impl FnMut(usize)) -> String {
    let times = (0..ASKED)
        .map(|at| {
            let start = Instant::now();
            run(at * (RECORDS / ASKED) + 7);
            start.elapsed().as_nanos()
        })
        .collect();
    milliseconds(times)
}

/// Lines that tell how long it takes.
pub fn speed() -> Vec<String> {
    let scope = Scope::default();
    let mut recall = Recall::new(Settings::default());
    for number in 0..RECORDS {
        let question = question(number);
        let kept = Kept {
            context_code: CONTEXT,
            question: &question,
            script: "{}",
            is_valid: true,
            ..Kept::default()
        };
        recall.save(kept, &scope, "2026-01-01T00:00:00Z").expect("a question");
    }
    let mut lines = vec![format!("{RECORDS} records")];
    let records: Vec<_> = recall.list(CONTEXT).into_iter().cloned().collect();
    let start = Instant::now();
    black_box(Recall::open(Settings::default(), records));
    lines.push(format!("open: {:.2} ms", start.elapsed().as_secs_f64() * 1e3));
    lines.push(format!(
        "exact: {}",
        time(|at| {
            black_box(recall.ask(asked(&question(at)), &scope));
        })
    ));
    lines.push(format!(
        "suggest: {}",
        time(|at| {
            // like many in the store, and none of them
            let near = format!("please tell {}{at}", question(at));
            black_box(recall.suggest(asked(&near), None, None, &scope));
        })
    ));
    let vectors: Vec<Embedding> = (0..RECORDS).filter_map(|n| embed(&question(n))).collect();
    lines.push(format!(
        "vectors alone: {}",
        time(|at| {
            let nearest = vectors.iter().map(|v| v.cosine(&vectors[at])).fold(0.0, f64::max);
            black_box(nearest);
        })
    ));
    lines
}
