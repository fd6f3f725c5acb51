//! Whole answers as models write them, right and wrong.

use super::check_cases;
use super::fixtures::{dict, drops, shops, weekdays, weekdays_full};

/// Answers as models write them.
#[test]
fn answers() {
    check_cases(
        &[&weekdays_full()],
        &[
            (
                "Gaps are largest on Mondays, averaging 78.0 points across 17 days, and smallest on Fridays (45.3 over 16 days).",
                &[
                    ("Mondays", 'v', ""),
                    ("78.0", 'v', ""),
                    ("17", 'v', ""),
                    ("Fridays", 'v', ""),
                    ("45.3", 'v', ""),
                    ("16", 'v', ""),
                ],
            ),
            (
                "Of the 500 days, 80 had a gap above 50. Monday shows the highest average gap (78.04), followed by Thursday (70.1), Wednesday (63.75), Tuesday (55.2) and Friday (45.26).",
                &[
                    ("500", 'v', ""),
                    ("80", 'v', ""),
                    ("Monday", 'v', ""),
                    ("78.04", 'v', ""),
                    ("70.1", 'v', ""),
                    ("63.75", 'v', ""),
                    ("55.2", 'v', ""),
                    ("45.26", 'v', ""),
                ],
            ),
            (
                "**Monday**\n- mean gap: 78.04\n- largest gap: 156.2\n- days: 17\n\n**Friday**\n- mean gap: 45.26\n- largest gap: 156.2",
                &[
                    ("78.04", 'v', ""),
                    ("156.2", 'v', ""),
                    ("17", 'v', ""),
                    ("45.26", 'v', ""),
                    ("156.2", 'c', "88.8"),
                ],
            ),
            (
                "| dow | mean_gap | max_gap | count |\n|---|---|---|---|\n| Mon | 78.04 | 156.2 | 17 |\n| Fri | 45.26 | 156.2 | 16 |",
                &[
                    ("78.04", 'v', ""),
                    ("156.2", 'v', ""),
                    ("17", 'v', ""),
                    ("45.26", 'v', ""),
                    ("156.2", 'c', "88.8"),
                    ("16", 'v', ""),
                ],
            ),
            ("Thursday comes second at 70.1 on average.", &[("70.1", 'v', "")]),
            (
                "The largest single gap (156.2) occurred on a Monday.",
                &[("156.2", 'v', ""), ("Monday", 'v', "")],
            ),
            (
                "Средний гэп выше всего в понедельник — 78,04 пункта (17 дней), ниже всего в пятницу — 45,26 (16 дней).",
                &[
                    ("в понедельник", 'v', ""),
                    ("78,04", 'v', ""),
                    ("17", 'v', ""),
                    ("в пятницу", 'v', ""),
                    ("45,26", 'v', ""),
                    ("16", 'v', ""),
                ],
            ),
            (
                "Из 500 дней условию отвечают 80. В среду средний гэп 63,75, а максимальный 99,5.",
                &[("500", 'v', ""), ("80", 'v', ""), ("63,75", 'v', ""), ("99,5", 'v', "")],
            ),
            (
                "I looked at 5 weekdays. On Tuesdays there were 12 such days with a mean of 55.2.",
                &[("5", 'v', ""), ("12", 'v', ""), ("55.2", 'v', "")],
            ),
            (
                "Mondays average 78, roughly 1.7 times Friday's 45.",
                &[("78", 'v', ""), ("1.7", 'd', ""), ("45", 'v', "")],
            ),
            ("Average gap on Monday: 78 → Friday: 45.", &[("78", 'v', ""), ("45", 'v', "")]),
        ],
    );
    check_cases(
        &[&shops()],
        &[
            (
                "Vkusno sold the most on Saturday: $9,120 from 88 orders, versus $5,200 (51 orders) at Kuper.",
                &[
                    ("Vkusno", 'v', ""),
                    ("Saturday", 'v', ""),
                    ("$9,120", 'v', ""),
                    ("88", 'v', ""),
                    ("$5,200", 'v', ""),
                    ("51", 'v', ""),
                ],
            ),
            (
                "В субботу больше всего продал Vkusno — 9120 долларов, 88 заказов.",
                &[("В субботу", 'v', ""), ("Vkusno", 'v', ""), ("9120", 'v', ""), ("88", 'v', "")],
            ),
        ],
    );
    check_cases(
        &[&drops()],
        &[
            (
                "There were 4 days with a drop of more than 2.5%. The worst was 2025-04-08, when the index fell 5.06% to close at 17,450.50.",
                &[
                    ("4", 'v', ""),
                    ("2025-04-08", 'v', ""),
                    ("5.06%", 'v', ""),
                    ("17,450.50", 'v', ""),
                ],
            ),
            (
                "Изменения от −5,06% до −2,51%, в среднем −3,65%.",
                &[("−5,06%", 'v', ""), ("−2,51%", 'v', ""), ("−3,65%", 'v', "")],
            ),
            (
                "The change ranged from -5.06% to -2.51%.",
                &[("-5.06%", 'v', ""), ("-2.51%", 'v', "")],
            ),
        ],
    );
    check_cases(
        &[&dict()],
        &[
            (
                "The gap exceeded 50 on 80 days (16% of 500), averaging 67.3 and peaking at 156.2.",
                &[
                    ("80", 'v', ""),
                    ("16%", 'd', ""),
                    ("500", 'v', ""),
                    ("67.3", 'v', ""),
                    ("156.2", 'v', ""),
                ],
            ),
            (
                "Гэп больше 50 был 80 раз из 500 дней: в среднем 67,3, максимум 156,2.",
                &[("80", 'v', ""), ("500", 'v', ""), ("67,3", 'v', ""), ("156,2", 'v', "")],
            ),
            (
                "count = 80, mean = 67.3, max = 156.2",
                &[("80", 'v', ""), ("67.3", 'v', ""), ("156.2", 'v', "")],
            ),
        ],
    );
}

/// More answers, in other turns of phrase.
#[test]
fn held_out() {
    check_cases(
        &[&weekdays_full()],
        &[
            (
                "On average, Monday gaps run to 78 points, versus just 45 on Fridays.",
                &[("78", 'v', ""), ("45", 'v', "")],
            ),
            (
                "Monday tops the list with an average of 78.04; Friday is last with 45.26.",
                &[("Monday", 'v', ""), ("78.04", 'v', ""), ("45.26", 'v', "")],
            ),
            (
                "Looking at days where the gap was above 50, Tuesday's mean was 55.2 and its maximum 120.",
                &[("55.2", 'v', ""), ("120", 'v', "")],
            ),
            (
                "The maximum gap was 156.2 (Monday); the minimum of the averages was 45.26 (Friday).",
                &[("156.2", 'v', ""), ("Monday", 'v', ""), ("45.26", 'v', ""), ("Friday", 'v', "")],
            ),
            (
                "Wednesday: 15 days, 63.75 on average, 99.5 at most.",
                &[("15", 'v', ""), ("63.75", 'v', ""), ("99.5", 'v', "")],
            ),
            (
                "The average gap on Monday is 78.04, which is higher than on any other weekday.",
                &[("78.04", 'v', "")],
            ),
            (
                "Mondays and Thursdays stand out, with average gaps of 78 and 70.",
                &[("78", 'v', ""), ("70", 'v', "")],
            ),
            (
                "Friday's gaps were the smallest, at 45 points on average.",
                &[("Friday", 'v', ""), ("45", 'v', "")],
            ),
            (
                "Чаще всего такие дни случались в четверг (20 раз), реже всего — во вторник (12 раз).",
                &[
                    ("в четверг", 'v', ""),
                    ("20", 'v', ""),
                    ("во вторник", 'v', ""),
                    ("12", 'v', ""),
                ],
            ),
            ("Во вторник среднее 55,2 при максимуме 120.", &[("55,2", 'v', ""), ("120", 'v', "")]),
            (
                "Понедельник лидирует со средним гэпом 78,04.",
                &[("Понедельник", 'v', ""), ("78,04", 'v', "")],
            ),
            (
                "Меньше всего средний гэп в пятницу: около 45 пунктов.",
                &[("в пятницу", 'v', ""), ("45", 'v', "")],
            ),
        ],
    );
    check_cases(
        &[&weekdays()],
        &[
            (
                "By weekday, the average gap was 78.0 (Mon), 55.2 (Tue), 63.8 (Wed), 70.1 (Thu) and 45.3 (Fri).",
                &[
                    ("78.0", 'v', ""),
                    ("55.2", 'v', ""),
                    ("63.8", 'v', ""),
                    ("70.1", 'v', ""),
                    ("45.3", 'v', ""),
                ],
            ),
            (
                "Gaps shrink through the week: Monday's 78 drops to 45 by Friday.",
                &[("78", 'v', ""), ("45", 'v', "")],
            ),
            (
                "Monday's average gap of 78 is the highest, Friday's 45 the lowest.",
                &[("Monday", 'v', ""), ("78", 'v', ""), ("Friday", 'v', ""), ("45", 'v', "")],
            ),
            (
                "The weekday with the highest average gap is Monday, at 78.04.",
                &[("Monday", 'v', ""), ("78.04", 'v', "")],
            ),
            (
                "На понедельник приходится самый большой средний гэп — 78.",
                &[("понедельник", 'v', ""), ("78", 'v', "")],
            ),
        ],
    );
    check_cases(
        &[&shops()],
        &[
            (
                "Kuper on Tuesday was the weakest: only 3 orders worth $310.50.",
                &[("Kuper", 'v', ""), ("Tuesday", 'v', ""), ("3", 'v', ""), ("$310.50", 'v', "")],
            ),
            (
                "On Saturdays, Vkusno made 9.1k and Kuper 5.2k.",
                &[("9.1k", 'v', ""), ("5.2k", 'v', "")],
            ),
            ("Сумма заказов Ленты в понедельник — 1,2 тыс. долларов.", &[("1,2 тыс.", 'v', "")]),
        ],
    );
    check_cases(
        &[&drops()],
        &[
            (
                "Four days fell by more than 2.5%: 2025-04-08 (-5.06%), 2024-12-18 (-3.6%), 2024-08-05 (-3.43%) and 2024-09-03 (-2.51%).",
                &[
                    ("Four", 'v', ""),
                    ("-5.06%", 'v', ""),
                    ("-3.6%", 'v', ""),
                    ("-3.43%", 'v', ""),
                    ("-2.51%", 'v', ""),
                ],
            ),
            (
                "Самое сильное падение — 8 апреля 2025 года: −5,06%.",
                &[("8 апреля 2025 года", 'v', ""), ("−5,06%", 'v', "")],
            ),
        ],
    );
}

/// Whole answers that are right: none of these claims may be doubted.
#[test]
fn right_answers() {
    use super::super::{Context, check};
    use crate::validate::Overall;
    let (full, shop, drop, values) = (weekdays_full(), shops(), drops(), dict());
    for (outcome, text) in [
        (&full, "Friday has the smallest average gap, only 45, yet its largest was 88.8."),
        (&full, "Days: Monday 17, Tuesday 12, Wednesday 15, Thursday 20, Friday 16."),
        (&full, "Average: Monday 78, Tuesday 55. Maximum: Monday 156, Tuesday 120."),
        (&full, "Between 2023 and 2025, Monday averaged 78."),
        (&full, "Friday had 16 of the 80 days, or 20%."),
        (&full, "Step 1: I computed the gap. Step 2: I grouped it."),
        (&full, "The top 3 average gaps are Monday (78), Thursday (70) and Wednesday (64)."),
        (&full, "Monday: 78.04 avg, 156.2 max, 17 count"),
        (&full, "On Monday the gap averaged 78 points (max 156.2), on Friday 45 (max 88.8)."),
        (&full, "В понедельник было 17 таких дней, в четверг — 20."),
        (&full, "Больше всего таких дней было в четверг: 20 против 12 во вторник."),
        (&full, "Максимум в 156,2 пункта пришелся на понедельник."),
        (&full, "Понедельник: среднее 78,04, максимум 156,2, дней 17."),
        (&full, "Разница между понедельником и пятницей по среднему гэпу — 32,8 пункта."),
        (&full, "Средний гэп понедельника на 72% выше, чем пятницы."),
        (&shop, "Kuper earned 4100 on Monday, 310.5 on Tuesday and 5200 on Saturday."),
        (&shop, "Kuper's best day was Saturday ($5,200)."),
        (&shop, "Saturday's leader is Vkusno: 88 orders."),
        (&shop, "На Vkusno в субботу пришлось 88 заказов на сумму 9 120."),
        (&shop, "Vkusno took $15,770.25 overall."),
        (&shop, "Total: 4120 orders out of 9000."),
        (&drop, "First is 2025-04-08 with a close of 17,450.5."),
        (&drop, "The mean drop is 3.65%, the smallest drop 2.51%."),
        (&drop, "It closed at 17,900.25 on August 5, 2024, down 3.43%."),
        (&drop, "Худший день — 8 апреля 2025: минус 5,06%."),
        (&values, "Only 80 days out of the 500 had a gap larger than 50 (mean 67.31)."),
        (&values, "There were 80 of them; they average 67.3."),
        (&values, "Таких дней 80, средний гэп 67,3, наибольший — 156,2."),
    ] {
        let found = check(text, &[outcome], &Context::default());
        assert_eq!(found.verdict, Overall::Ok, "{text}\n{found:?}");
    }
}

/// Wrong answers in which no single value is off by a digit: none may pass.
#[test]
fn wrong_answers() {
    use super::super::{Context, check};
    use crate::validate::Overall;
    let (full, one, shop, drop, values) = (weekdays_full(), weekdays(), shops(), drops(), dict());
    for (outcome, text) in [
        (&full, "On Monday the mean gap was 17."),
        (&full, "Monday had 80 days."),
        (&full, "80 days were Mondays."),
        (&full, "Monday: max 78.04, mean 156.2."),
        (&full, "Thursday has the largest mean gap."),
        (&full, "The mean gap was 45.26 on Monday and 78.04 on Friday."),
        (&full, "Friday accounts for 17 of the 80 days."),
        (&full, "The gap above 50 occurred on 500 days."),
        (&full, "Average gap on Wednesday: 70.1."),
        (&full, "В среду средний гэп 70,1."),
        (&full, "Максимальный гэп в пятницу — 45,26."),
        (&one, "The total gap on Monday was 78."),
        (&one, "The average gap on Mondays in March was 78."),
        (&one, "On average the gap is 78."),
        (&one, "Monday averaged 78k."),
        (&one, "Monday and Friday both averaged 78."),
        (&one, "Monday is 2.7 times as high as Friday."),
        (&one, "Monday's average is under 78, about 45."),
        (&shop, "Kuper sold 88 orders on Saturday."),
        (&shop, "Vkusno's amount on Saturday was 88."),
        (&shop, "В Kuper в субботу сумма 9 120."),
        (&shop, "Vkusno took $9,120 overall."),
        (&shop, "There were 9000 orders."),
        (&drop, "The mean change is -5.06%."),
        (&drop, "The close on 2024-08-05 was 17,450.5."),
        (&drop, "On 2025-04-08 it rose by 5.06%."),
        (&values, "The maximum gap is 67.3."),
        (&values, "There were 500 days with a gap above 50."),
        (&values, "80 days had a gap above 55."),
    ] {
        let found = check(text, &[outcome], &Context::default());
        assert_eq!(found.verdict, Overall::Rewrite, "{text}\n{found:?}");
    }
}

/// An answer may name a value by any of its words.
#[test]
fn other_words_for_values() {
    let mut known = shops();
    let mut schema = known.query.schema().as_ref().clone();
    let words = |of: &[&str]| of.iter().map(|&w| w.to_owned()).collect::<Vec<_>>();
    for column in schema.columns.iter_mut().filter(|c| c.name == "shop") {
        column.value_synonyms = vec![
            ("Kuper".to_owned(), words(&["Купер", "the green shop"])),
            ("Лента".to_owned(), words(&["Ribbon"])),
        ];
    }
    known.query = std::sync::Arc::new(known.query.with_schema(schema));
    check_cases(
        &[&known],
        &[
            ("В Купере в субботу сумма 5200.", &[("5200", 'v', "")]),
            ("On Saturday Ribbon took 1500.", &[("1500", 'v', "")]),
            ("В Купере в субботу сумма 9120.", &[("9120", 'c', "5200")]),
        ],
    );
}
