//! Lexer, parser and printer: precedence, canonical text, and what is said of wrong expressions.

use crate::error::{Code, Diagnostic};
use crate::query::{format, parse};

/// Parses `text` and prints it again.
fn check(text: &str, canonical: &str) {
    match parse(text) {
        Ok(expr) => {
            let printed = format::expr(&expr);
            assert_eq!(printed, canonical, "of {text}");
            let again = parse(&printed).expect("canonical text parses");
            assert_eq!(format::expr(&again), printed, "formatting is idempotent");
        }
        Err(problems) => panic!("{text}: {}", super::shown(&problems)),
    }
}

/// The problems of `text` as `code start..end fix`.
fn wrong(text: &str) -> Vec<(Code, String, Option<String>)> {
    let problems = parse(text).expect_err(text);
    let quoted = |d: &Diagnostic| {
        let span = d.span.expect("a syntax problem has a span");
        text.get(span.start..span.end).expect("the span is in the text").to_owned()
    };
    problems.iter().map(|d| (d.code, quoted(d), d.fix.clone())).collect()
}

#[test]
fn canonical_text() {
    for (text, canonical) in [
        ("1+2*3", "1 + 2 * 3"),
        ("(1+2)*3", "(1 + 2) * 3"),
        ("1-(2-3)", "1 - (2 - 3)"),
        ("(1-2)-3", "1 - 2 - 3"),
        ("a/(b*c)//d%e", "a / (b * c) // d % e"),
        ("2**3**2", "2 ** 3 ** 2"),
        ("(2**3)**2", "(2 ** 3) ** 2"),
        ("-2**2", "-2 ** 2"),
        ("(-2)**2", "(-2) ** 2"),
        ("2**-1", "2 ** -1"),
        ("2 ** -x ** 2", "2 ** -x ** 2"),
        ("- -x", "--x"),
        ("-(a+b)", "-(a + b)"),
        ("a - -b", "a - -b"),
        ("not a and b", "not a and b"),
        ("not (a and b)", "not (a and b)"),
        ("not not a", "not not a"),
        ("not a == b", "not a == b"),
        ("(not a) == b", "(not a) == b"),
        ("a or b and c", "a or b and c"),
        ("(a or b) and c", "(a or b) and c"),
        ("(a and b) and (c and d)", "a and b and c and d"),
        ("1 < x <= 3", "1 < x <= 3"),
        ("(1 < x) == flag", "(1 < x) == flag"),
        ("x in (1,2)", "x in [1, 2]"),
        ("x not in ['a', \"b\"]", "x not in [\"a\", \"b\"]"),
        ("not x in [1]", "not x in [1]"),
        ("x + 1 in [-1, 2.50]", "x + 1 in [-1, 2.5]"),
        ("true and false or null", "true and false or null"),
        ("f()", "f()"),
        ("round( x ,2 )", "round(x, 2)"),
        ("f(g(h(1)))", "f(g(h(1)))"),
        ("`air time` * 2", "`air time` * 2"),
        ("`plain`", "plain"),
        ("`and` + `a``b` + ``", "`and` + `a``b` + ``"),
        ("цена > 5 and 価格 < 3", "цена > 5 and 価格 < 3"),
        (r#"'it\'s' == "say \"x\"""#, r#""it's" == "say \"x\"""#),
        (r#""a\\b\n\t\d""#, r#""a\\b\n\t\\d""#),
        ("\"a = b && c\" == x", "\"a = b && c\" == x"),
        ("1e-3 + .5 + 1. + 1E5", "0.001 + 0.5 + 1.0 + 100000.0"),
        ("1e300", "1e300"),
        ("9223372036854775807", "9223372036854775807"),
        ("9223372036854775808", "9223372036854775808"),
        ("0.10000000000000000001", "0.10000000000000000001"),
        ("1234567890123456789e-2 + 1.50", "12345678901234567.89 + 1.5"),
        ("((((x))))", "x"),
        ("  x\n+\ty ", "x + y"),
        ("order + ascend", "order + ascend"),
    ] {
        check(text, canonical);
    }
}

#[test]
fn every_problem_with_its_place_and_fix() {
    use Code::{CompareNull, SingleEquals, Syntax};
    for (text, expected) in [
        ("a = 1", vec![(SingleEquals, "=", Some("=="))]),
        ("a = 1 and b = 2", vec![(SingleEquals, "=", Some("==")), (SingleEquals, "=", Some("=="))]),
        (
            "a && b || !c",
            vec![
                (Syntax, "&&", Some("and")),
                (Syntax, "||", Some("or")),
                (Syntax, "!", Some("not ")),
            ],
        ),
        ("a <> b", vec![(Syntax, "<>", Some("!="))]),
        ("a === b", vec![(Syntax, "===", Some("=="))]),
        ("a => b", vec![(Syntax, "=>", Some(">="))]),
        ("a ≥ b − 1", vec![(Syntax, "≥", Some(">=")), (Syntax, "−", Some("-"))]),
        ("x ^ 2", vec![(Syntax, "^", Some("**"))]),
        (
            "a AND b Or NOT c",
            vec![
                (Syntax, "AND", Some("and")),
                (Syntax, "Or", Some("or")),
                (Syntax, "NOT", Some("not")),
            ],
        ),
        ("a NOT IN [1]", vec![(Syntax, "NOT", Some("not")), (Syntax, "IN", Some("in"))]),
        ("x.lower() == 'a'", vec![(Syntax, "x.lower()", Some("lower(x)"))]),
        ("x.avg(2)", vec![(Syntax, "x.avg(2)", Some("mean(x, 2)"))]),
        ("x.rolling(5).mean()", vec![(Syntax, "x.rolling(5).mean()", Some("rolling_mean(x, 5)"))]),
        ("df.close > 1", vec![(Syntax, "df.close", Some("close"))]),
        ("close[1]", vec![(Syntax, "close[1]", Some("prev(close, 1)"))]),
        ("close[0]", vec![(Syntax, "close[0]", Some("close"))]),
        ("df[\"air time\"]", vec![(Syntax, "df[\"air time\"]", Some("`air time`"))]),
        ("close[-1]", vec![(Syntax, "close[-1]", None)]),
        ("rolling_mean(x, n=20)", vec![(Syntax, "n=20", Some("20"))]),
        ("unknown(x, size = 2 + 1)", vec![(Syntax, "size = 2 + 1", Some("2 + 1"))]),
        ("if(a = 1, 2, 3)", vec![(SingleEquals, "=", Some("=="))]),
        ("pct(x = 1)", vec![(SingleEquals, "=", Some("=="))]),
        ("count(*)", vec![(Syntax, "count(*)", Some("count()"))]),
        ("x is null", vec![(CompareNull, "x is null", Some("isnull(x)"))]),
        ("a or x IS NOT NULL", vec![(CompareNull, "x IS NOT NULL", Some("not isnull(x)"))]),
        ("x is 5", vec![(Syntax, " is", Some(" =="))]),
        (
            "x between 1 and 2 and y = 1",
            vec![
                (Syntax, "x between 1 and 2", Some("1 <= x <= 2")),
                (SingleEquals, "=", Some("==")),
            ],
        ),
        ("x like 'a%'", vec![(Syntax, "x like 'a%'", Some("starts_with(x, \"a\")"))]),
        ("x like 'a_'", vec![(Syntax, "x like 'a_'", None)]),
        ("x ilike '%a'", vec![(Syntax, "x ilike '%a'", None)]),
        ("a if b else c", vec![(Syntax, "a if b else c", Some("if(b, a, c)"))]),
        ("a if b", vec![(Syntax, "if", None)]),
        (
            "case when a then 1 when b then 2 end",
            vec![(
                Syntax,
                "case when a then 1 when b then 2 end",
                Some("if(a, 1, if(b, 2, null))"),
            )],
        ),
        ("case when a", vec![(Syntax, "case", None)]),
        ("2 * x.diff()", vec![(Syntax, "x.diff()", Some("(x - prev(x))"))]),
        ("x.diff() > 1", vec![(Syntax, "x.diff()", Some("(x - prev(x))"))]),
        ("f(x.diff(), 1)", vec![(Syntax, "x.diff()", Some("x - prev(x)"))]),
        ("mean(x) as y", vec![(Syntax, "as", None)]),
        ("x desc", vec![(Syntax, "desc", None)]),
        ("\"abc", vec![(Syntax, "\"abc", Some("\"abc\""))]),
        ("x == 'abc", vec![(Syntax, "'abc", Some("'abc'"))]),
        ("`abc", vec![(Syntax, "`abc", Some("`abc`"))]),
        ("x == “abc”", vec![(Syntax, "“abc”", Some("\"abc\""))]),
        ("", vec![(Syntax, "", None)]),
        ("   ", vec![(Syntax, "", None)]),
        ("a +", vec![(Syntax, "", None)]),
        ("* a", vec![(Syntax, "*", None)]),
        ("a b", vec![(Syntax, "b", None)]),
        ("(a", vec![(Syntax, "(", None)]),
        ("f(a", vec![(Syntax, "(", None)]),
        ("a)", vec![(Syntax, ")", None)]),
        ("()", vec![(Syntax, "()", None)]),
        ("(a, b)", vec![(Syntax, "(a, b)", None)]),
        ("[1, 2]", vec![(Syntax, "[", None)]),
        ("f(a,)", vec![(Syntax, ",)", Some(")"))]),
        ("f(a b, c d)", vec![(Syntax, "b", None), (Syntax, "d", None)]),
        ("a, b", vec![(Syntax, ",", None)]),
        ("x in 5", vec![(Syntax, "5", Some("[5]"))]),
        ("x in", vec![(Syntax, "in", None)]),
        ("x in []", vec![(Syntax, "]", None)]),
        ("x in [1] == y", vec![(Syntax, "==", None)]),
        ("1 < x in [2]", vec![(Syntax, "in", None)]),
        ("x not 5", vec![(Syntax, "5", None)]),
        ("+x", vec![(Syntax, "+x", Some("x"))]),
        ("a > 50%", vec![(Syntax, "50%", Some("50"))]),
        ("1 + not a", vec![(Syntax, "not a", Some("(not a)"))]),
        ("1_000 + 1", vec![(Syntax, "1_000", Some("1000"))]),
        ("12abc", vec![(Syntax, "12abc", None)]),
        (
            "999999999999999999999999999999999999999",
            vec![(Syntax, "999999999999999999999999999999999999999", None)],
        ),
        ("1e999", vec![(Syntax, "1e999", None)]),
        ("a ? b : c", vec![(Syntax, "?", None)]),
        ("a; b", vec![(Syntax, ";", None)]),
        ("$x", vec![(Syntax, "$", None)]),
        ("x(1)(2)", vec![(Syntax, "x(1)", None)]),
        ("`f`(1)", vec![(Syntax, "`f`", None)]),
        ("a.", vec![(Syntax, "a.", None)]),
    ] {
        let expected: Vec<_> = expected
            .into_iter()
            .map(|(code, span, fix)| (code, span.to_owned(), fix.map(str::to_owned)))
            .collect();
        assert_eq!(wrong(text), expected, "of {text}");
    }
}

#[test]
fn fixes_lead_to_a_right_expression() {
    for (text, mended) in [
        ("a = 1 && !b", "a == 1 and not b"),
        ("x.lower() <> df.y", "lower(x) != y"),
        ("round(x, n=2) ≥ close[3]", "round(x, 2) >= prev(close, 3)"),
        ("x between 1 and 2 AND y is not null", "1 <= x <= 2 and not isnull(y)"),
        ("count(*) > +5", "count() > 5"),
        ("f(a,) == “b”", "f(a) == \"b\""),
    ] {
        let mut mending = text.to_owned();
        let mut problems = parse(text).expect_err(text);
        problems.sort_by_key(|d| std::cmp::Reverse(d.span.map(|s| s.start)));
        for d in problems {
            let (span, fix) = (d.span.expect("span"), d.fix.expect("fix"));
            mending.replace_range(span.start..span.end, &fix);
        }
        assert_eq!(parse(&mending).map(|e| format::expr(&e)), Ok(mended.to_owned()), "{mending}");
    }
}

#[test]
fn bounds_are_errors() {
    let parens = |n: usize| format!("{}x{}", "(".repeat(n), ")".repeat(n));
    let calls = |n: usize| format!("{}x{}", "abs(".repeat(n), ")".repeat(n));
    let sum = |n: usize| vec!["x"; n].join(" + ");
    let nots = |n: usize| format!("{}x", "not ".repeat(n));
    let powers = |n: usize| vec!["x"; n].join(" ** ");
    for (text, right) in [
        (parens(64), true),
        (parens(65), false),
        (parens(5_000), false),
        (calls(63), true),
        (calls(65), false),
        (calls(2_000), false),
        (sum(64), true),
        (sum(65), false),
        (sum(2_000), false),
        (nots(63), true),
        (nots(70), false),
        (nots(2_000), false),
        (powers(64), true),
        (powers(66), false),
        ("-".repeat(9_999), false),
        ("[".repeat(9_999), false),
        ("a[".repeat(4_999), false),
        ("a.b".repeat(3_000), false),
        (vec!["x > 1"; 256].join(" and "), true),
        (vec!["x > 1"; 257].join(" and "), false),
        (vec!["x > 1"; 257].join(" or "), false),
        (vec!["x"; 257].join(" == "), true),
        (vec!["x"; 258].join(" == "), false),
        (format!("x in [{}]", vec!["1"; 2_000].join(", ")), true),
        (format!("{}x{}", "1 or 1 and not 1 < 2 + 3 * -(".repeat(9), ")".repeat(9)), true),
    ] {
        let start: String = text.chars().take(40).collect();
        match parse(&text) {
            Ok(_) => assert!(right, "{start}"),
            Err(problems) => {
                assert!(!right, "{start}: {}", super::shown(&problems));
                assert!(problems.len() <= 20);
            }
        }
    }
    let code = |text: &str| parse(text).expect_err("bound").first().map(|d| d.code);
    assert_eq!(code(&parens(65)), Some(Code::TooDeep));
    assert_eq!(code(&sum(65)), Some(Code::TooDeep));
    assert_eq!(code(&"x".repeat(10_001)), Some(Code::TooLong));
    assert_eq!(code(&vec!["x"; 2_000].join(" or ")), Some(Code::TooMany));
    assert_eq!(code(&vec!["x"; 1_000].join(" < ")), Some(Code::TooMany));
    assert!(parse(&"ж".repeat(10_000)).is_ok(), "the bound counts characters, not bytes");
}
