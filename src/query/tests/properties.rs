//! Properties: nothing panics on any input, printing and reading are inverse, the canonical form is
//! a fixed point.

use super::{bars, flights, plain};
use crate::error::Span;
use crate::query::ast::{Arith, Compare, Expr, Node};
use crate::query::{Query, check, format, functions, parse};
use crate::value::{Decimal, MOST_DIGITS};
use proptest::prelude::*;
use serde_json::{Map, Value};

fn bare(node: Node) -> Expr {
    Expr { node, span: Span::default() }
}

/// The tree without its places.
fn stripped(expr: &Expr) -> Expr {
    let go = |e: &Expr| Box::new(stripped(e));
    let all = |list: &[Expr]| list.iter().map(stripped).collect::<Vec<_>>();
    bare(match &expr.node {
        Node::Neg(x) => Node::Neg(go(x)),
        Node::Not(x) => Node::Not(go(x)),
        Node::Arith(op, a, b) => Node::Arith(*op, go(a), go(b)),
        Node::Compare(first, rest) => {
            Node::Compare(go(first), rest.iter().map(|(op, e)| (*op, stripped(e))).collect())
        }
        Node::In { value, list, negated } => {
            Node::In { value: go(value), list: all(list), negated: *negated }
        }
        Node::And(list) => Node::And(all(list)),
        Node::Or(list) => Node::Or(all(list)),
        Node::Call { name, args, .. } => {
            Node::Call { name: name.clone(), name_span: Span::default(), args: all(args) }
        }
        leaf => leaf.clone(),
    })
}

/// A number that neither 64 bits nor a double hold as it is written.
fn decimal() -> impl Strategy<Value = Node> {
    let digits = 10_i128.pow(19)..10_i128.pow(38);
    (digits, 0..=MOST_DIGITS).prop_filter_map("no double", |(digits, scale)| {
        let exact = Decimal::new(digits, scale)?;
        let rough = Decimal::of_f64(exact.to_f64()).filter(|_| scale > 0);
        let same = rough.is_some_and(|rough| rough.compare(exact).is_eq());
        (!same).then_some(Node::Decimal(exact))
    })
}

/// Every tree that the parser can make: `and` in `and` and `or` in `or` are flat.
fn tree() -> impl Strategy<Value = Expr> {
    let name = prop_oneof![
        "[a-zA-Zж_][a-z0-9_]{0,4}",
        "\\PC{0,6}",
        prop::sample::select(vec!["and", "In", "is", "NULL", "desc", "Between", "a`b", ""])
            .prop_map(str::to_owned),
    ];
    let leaf = prop_oneof![
        Just(Node::Null),
        any::<bool>().prop_map(Node::Bool),
        (0..=i64::MAX).prop_map(Node::Int),
        any::<f64>().prop_filter("finite", |x| x.is_finite()).prop_map(|x| Node::Float(x.abs())),
        decimal(),
        "\\PC{0,6}".prop_map(Node::Text),
        any::<String>().prop_map(Node::Text),
        name.prop_map(Node::Column),
    ]
    .prop_map(bare);
    leaf.prop_recursive(5, 40, 4, |inner| {
        let op = prop::sample::select(vec![
            Arith::Add,
            Arith::Sub,
            Arith::Mul,
            Arith::Div,
            Arith::FloorDiv,
            Arith::Mod,
            Arith::Pow,
        ]);
        let compare = prop::sample::select(vec![
            Compare::Lt,
            Compare::Le,
            Compare::Gt,
            Compare::Ge,
            Compare::Eq,
            Compare::Ne,
        ]);
        let flat = |list: Vec<Expr>, or: bool| {
            let mut out = Vec::new();
            for e in list {
                match e.node {
                    Node::Or(inner) if or => out.extend(inner),
                    Node::And(inner) if !or => out.extend(inner),
                    node => out.push(bare(node)),
                }
            }
            if or { Node::Or(out) } else { Node::And(out) }
        };
        let many = |least| prop::collection::vec(inner.clone(), least..4);
        prop_oneof![
            inner.clone().prop_map(|x| Node::Neg(x.into())),
            inner.clone().prop_map(|x| Node::Not(x.into())),
            (op, inner.clone(), inner.clone()).prop_map(|(op, a, b)| Node::Arith(
                op,
                a.into(),
                b.into()
            )),
            (inner.clone(), prop::collection::vec((compare, inner.clone()), 1..3))
                .prop_map(|(a, rest)| Node::Compare(a.into(), rest)),
            (inner.clone(), many(1), any::<bool>()).prop_map(|(x, list, negated)| Node::In {
                value: x.into(),
                list,
                negated
            }),
            (many(2), any::<bool>()).prop_map(move |(list, or)| flat(list, or)),
            ("[a-z_]{1,5}", many(0)).prop_filter_map("no keyword", |(name, args)| {
                let name = format!("f{name}");
                Some(Node::Call { name, name_span: Span::default(), args })
            }),
        ]
        .prop_map(bare)
    })
}

/// Pieces of expressions, right and wrong, in any order.
pub(super) fn soup() -> impl Strategy<Value = String> + Clone {
    let piece = prop_oneof![
        prop::sample::select(vec![
            "Open",
            "Close",
            "delay",
            "carrier",
            "time",
            "day",
            "x",
            "name",
            "born",
            "gap()",
            "mean(",
            "count()",
            "sum(",
            "if(",
            "round(",
            "prev(",
            "dayname()",
            "(",
            ")",
            "[",
            "]",
            ",",
            ".",
            "+",
            "-",
            "*",
            "/",
            "//",
            "%",
            "**",
            "<",
            "<=",
            "==",
            "=",
            "!=",
            "!",
            "and",
            "or",
            "not",
            "in",
            "NOT",
            "is",
            "null",
            "between",
            "true",
            "1",
            "2.5",
            "1e9",
            "'a'",
            "\"2024-01-01\"",
            "'Fri'",
            "`air time`",
            "`",
            "'",
            "desc",
            "asc",
            "as",
            "n=",
            "&&",
            "≥",
            "?",
            "ж",
            "\u{0}",
        ])
        .prop_map(str::to_owned),
        "\\PC{1,2}",
    ];
    (prop::collection::vec(piece, 0..14), any::<bool>())
        .prop_map(|(pieces, spaced)| pieces.join(if spaced { " " } else { "" }))
}

/// Expressions that are right more often than not.
fn likely() -> impl Strategy<Value = String> + Clone {
    let number = prop::sample::select(vec![
        "delay",
        "distance",
        "`air time`",
        "цена",
        "1",
        "2.5",
        "abs(delay)",
        "round(distance, 1)",
        "if(cancelled, 1, delay)",
        "(delay + 1)",
        "-distance",
        "load_pct",
        "year()",
    ]);
    let condition = prop::sample::select(vec![
        "cancelled",
        "delay > 5",
        "carrier in ['AA', 'BB']",
        "dayname() == 'Fri'",
        "day >= '2024-01-01'",
        "1 < delay <= 3",
        "isnull(delay)",
    ]);
    prop_oneof![
        (number.clone(), prop::sample::select(vec!["+", "*", "/", "%"]), number)
            .prop_map(|(a, op, b)| format!("{a} {op} {b}")),
        (condition.clone(), prop::sample::select(vec!["and", "or"]), condition)
            .prop_map(|(a, op, b)| format!("{a} {op} not {b}")),
        prop::sample::select(vec![
            "day",
            "carrier",
            "delay",
            "delay desc",
            "a + b",
            "air time",
            "dayname()",
            "month(booked)",
            "count()",
            "mean(delay)",
            "max(carrier)",
            "sum(delay) / count()",
            "pct(cancelled)",
            "prev(delay)",
            "mean_delay",
            "count",
            "n",
        ])
        .prop_map(str::to_owned),
    ]
}

/// A query object with every field now and then.
fn query(text: impl Strategy<Value = String> + Clone + 'static) -> impl Strategy<Value = Value> {
    let one = text.clone().prop_map(Value::from);
    let list = prop::collection::vec(one.clone(), 0..4).prop_map(Value::from);
    let names = prop::sample::select(vec!["n", "gap", "delay", "m", "1", "a b"]);
    let object = prop::collection::vec((names, one.clone()), 0..4).prop_map(|pairs| {
        Value::Object(pairs.into_iter().map(|(k, v)| (k.to_owned(), v)).collect())
    });
    let texts = prop_oneof![one.clone(), list.clone()];
    let maybe = |s: BoxedStrategy<Value>| prop_oneof![Just(None), s.prop_map(Some)].boxed();
    let fields: Vec<(&str, BoxedStrategy<Option<Value>>)> = vec![
        ("table", maybe(prop_oneof![Just("bars".into()), Just("flights".into())].boxed())),
        ("from", maybe(Just("daily".into()).boxed())),
        ("map", maybe(object.clone().boxed())),
        ("where", maybe(one.boxed())),
        ("group_by", maybe(texts.clone().boxed())),
        ("select", maybe(prop_oneof![texts.clone(), object].boxed())),
        ("sort", maybe(texts.clone().boxed())),
        ("limit", maybe(any::<u8>().prop_map(Value::from).boxed())),
        ("columns", maybe(texts.boxed())),
    ];
    let (keys, strategies): (Vec<_>, Vec<_>) = fields.into_iter().unzip();
    let one = strategies.prop_map(move |values| {
        let pairs = keys.iter().zip(values).filter_map(|(k, v)| Some(((*k).to_owned(), v?)));
        pairs.collect::<Map<_, _>>()
    });
    // later steps have neither table nor timeframe
    let later = one.clone().prop_map(|mut step| {
        step.retain(|field, _| field != "table" && field != "from");
        Value::Object(step)
    });
    (one, prop::collection::vec(later, 0..3)).prop_map(|(mut first, steps)| {
        first.insert("steps".into(), steps.into());
        Value::Object(first)
    })
}

/// Any JSON, with field names of ours among the keys.
fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "\\PC{0,8}".prop_map(Value::from),
        soup().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 5, |inner| {
        let key = prop_oneof![
            prop::sample::select(crate::query::FIELDS.to_vec()).prop_map(str::to_owned),
            "\\PC{0,4}",
        ];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((key, inner), 0..6)
                .prop_map(|pairs| Value::Object(pairs.into_iter().collect())),
        ]
    })
}

/// Checks against three tables; what passes must be a fixed point of its canonical form.
fn check_all(value: &Value) -> Result<(), TestCaseError> {
    let Ok(query) = Query::from_json(value) else { return Ok(()) };
    let again = Query::from_json(&query.to_json());
    prop_assert!(again.is_ok(), "its own JSON is read: {}", query.to_json());
    let tables = [bars(), flights(), plain()];
    let _ = check(&query, &tables);
    for table in tables {
        let query = Query { table: Some(table.name.clone()), ..query.clone() };
        let Ok(checked) = check(&query, std::slice::from_ref(&table)) else { continue };
        let canonical = Query::from_json(checked.canonical());
        prop_assert!(canonical.is_ok(), "{}", checked.canonical());
        let Ok(again) = canonical.and_then(|q| check(&q, &[table])) else {
            return Err(TestCaseError::fail(format!("{} is right", checked.canonical())));
        };
        prop_assert_eq!(again.canonical(), checked.canonical());
        prop_assert_eq!(again.output(), checked.output());
        prop_assert!(again.steps().eq(checked.steps()), "{}", checked.canonical());
        super::explained::tells_everything(&checked);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_parses_or_not(text in any::<String>()) {
        let _ = parse(&text);
    }

    #[test]
    fn pieces_parse_or_not(text in soup()) {
        match parse(&text) {
            Ok(tree) => {
                let printed = format::expr(&tree);
                let again = parse(&printed);
                prop_assert_eq!(again.map(|e| stripped(&e)), Ok(stripped(&tree)), "{}", printed);
            }
            Err(problems) => {
                prop_assert!(!problems.is_empty());
                for d in problems {
                    if let Some(span) = d.span {
                        prop_assert!(text.get(span.start..span.end).is_some(), "{:?} of {}", span, text);
                    }
                }
            }
        }
    }

    #[test]
    fn printing_and_reading_are_inverse(tree in tree()) {
        let printed = format::expr(&tree);
        let again = parse(&printed);
        prop_assert_eq!(again.map(|e| stripped(&e)), Ok(tree), "{}", printed);
    }

    #[test]
    fn names_and_strings_read_back(text in any::<String>()) {
        prop_assume!(text.chars().count() < 4_000);
        let name = parse(&format::name(&text)).map(|e| e.node);
        prop_assert_eq!(name, Ok(Node::Column(text.clone())));
        let string = parse(&format::string(&text)).map(|e| e.node);
        prop_assert_eq!(string, Ok(Node::Text(text)));
    }

    #[test]
    fn any_json_is_a_query_or_not(value in json()) {
        check_all(&value)?;
    }

    #[test]
    fn likely_queries(value in query(likely())) {
        check_all(&value)?;
    }

    #[test]
    fn unlikely_queries(value in query(soup())) {
        check_all(&value)?;
    }
}

/// Every form in which a constant can be written.
fn written() -> impl Strategy<Value = String> {
    let escaped = prop::collection::vec(
        prop_oneof![
            3 => any::<char>().prop_map(|c| match c {
                '\\' => "\\\\".to_owned(),
                '"' | '\'' => format!("\\{c}"),
                c => c.to_string(),
            }),
            1 => prop::sample::select(vec!["\\n", "\\r", "\\t", "\\\"", "\\'", "\\\\", "\\d", "\\ж"])
                .prop_map(str::to_owned),
        ],
        0..12,
    )
    .prop_map(|pieces| pieces.concat());
    prop_oneof![
        "[0-9]{1,18}",
        "[0-9]{1,10}\\.[0-9]{0,12}",
        "\\.[0-9]{1,12}",
        "[0-9]{1,6}(\\.[0-9]{0,4})?[eE][+-]?[0-9]{1,2}",
        Just("9223372036854775807".to_owned()),
        Just("5e-324".to_owned()),
        Just("1.7976931348623157e308".to_owned()),
        prop::sample::select(vec!["true", "false", "null"]).prop_map(str::to_owned),
        escaped.clone().prop_map(|inner| format!("\"{inner}\"")),
        escaped.prop_map(|inner| format!("'{inner}'")),
        any::<String>().prop_map(|name| format!("`{}`", name.replace('`', "``"))),
        "[\\p{L}_][\\p{L}\\p{N}_]{0,8}",
    ]
}

/// Operators around something, each with what it adds to the nesting.
const AROUND: &[(&str, &str)] = &[
    ("(", ") ** 2"),
    ("2 ** ", ""),
    ("-", ""),
    ("2 ** -", ""),
    ("(-", ") ** 2"),
    ("not ", ""),
    ("not (", " and p)"),
    ("(", " or p) and q"),
    ("(", " and p) or q"),
    ("1 - (", ")"),
    ("(", ") / 2"),
    ("1 < (", ") <= 2"),
    ("((1 < ", ") in [true])"),
    ("(", ") not in [\"a\", null]"),
    ("x in [1, (", ")]"),
    ("f(", ", 1)"),
    ("if(p, g(", "), 1)"),
    ("((", "))"),
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn written_constants_and_names_print_and_read(text in written()) {
        let word = text.to_lowercase();
        prop_assume!(!["and", "or", "not", "in"].contains(&word.as_str()));
        let tree = parse(&text);
        prop_assert!(tree.is_ok(), "{:?}: {:?}", text, tree);
        let tree = tree.map(|e| stripped(&e)).expect("checked above");
        let printed = format::expr(&tree);
        let again = parse(&printed).map(|e| stripped(&e));
        prop_assert_eq!(again, Ok(tree.clone()), "{} as {}", text, printed);
        prop_assert_eq!(format::expr(&tree), printed);
    }

    /// What parses at the bound prints to what parses at the bound, whatever is nested in what.
    #[test]
    fn the_deepest_trees_print_and_read(
        around in prop::collection::vec(prop::sample::select(AROUND), 1..70),
        repeated in prop::sample::select(AROUND),
        times in 0..66usize,
    ) {
        let mut text = "x".to_owned();
        for (before, after) in around.iter().chain(std::iter::repeat_n(&repeated, times)) {
            text = format!("{before}{text}{after}");
            let Ok(tree) = parse(&text) else { break };
            let printed = format::expr(&tree);
            let again = parse(&printed).map(|e| stripped(&e));
            prop_assert_eq!(again, Ok(stripped(&tree)), "{} as {}", text, printed);
        }
    }
}

#[test]
fn the_bound_is_reached_by_every_operator() {
    for (before, after) in AROUND {
        let nested = |n: usize| format!("{}x{}", before.repeat(n), after.repeat(n));
        let most = (1..=70).take_while(|n| parse(&nested(*n)).is_ok()).last().unwrap_or(0);
        assert!((20..=64).contains(&most), "{before}x{after}: {most}");
        let problems = parse(&nested(70)).expect_err("too deep");
        assert!(problems.iter().any(|d| d.code == crate::error::Code::TooDeep), "{before}x{after}");
    }
}

#[test]
fn every_function_prints_and_reads() {
    for function in functions::all() {
        let printed = parse(function.example).map(|e| format::expr(&e));
        assert_eq!(printed, Ok(function.example.to_owned()));
    }
}
