//! Sentences and the claims that are expected in them.

use super::check_cases;
use super::fixtures::{dict, drops, mondays, shops, weekdays, weekdays_full};

#[test]
fn one_measure_by_weekday() {
    check_cases(
        &[&weekdays()],
        &[
            ("Monday averaged 78.", &[("78", 'v', "")]),
            (
                "The mean gap was 78.0 on Monday and 45.3 on Friday.",
                &[("78.0", 'v', ""), ("45.3", 'v', "")],
            ),
            ("Monday 78, Friday 45.", &[("78", 'v', ""), ("45", 'v', "")]),
            ("78 on Monday and 45 on Friday", &[("78", 'v', ""), ("45", 'v', "")]),
            (
                "The averages are Mon 78, Tue 55, Wed 64.",
                &[("78", 'v', ""), ("55", 'v', ""), ("64", 'v', "")],
            ),
            ("Monday and Friday: 78 and 45.", &[("78", 'v', ""), ("45", 'v', "")]),
            ("Monday averaged 45.", &[("45", 'c', "78")]),
            ("Friday: 67.9", &[("67.9", 'c', "45.3")]),
            ("Monday 45, Friday 78.", &[("45", 'c', "78"), ("78", 'c', "45")]),
            ("On Monday, the average gap reached 78.04 points.", &[("78.04", 'v', "")]),
            ("The average volume on Monday was 78.", &[("78", 'u', "")]),
            ("The median gap on Monday was 78.", &[("78", 'u', "")]),
            ("The average gap is 67.3.", &[("67.3", 'u', "")]),
            ("The average gap in March was 78.", &[("78", 'u', "")]),
            ("On Saturday the average was 78.", &[("78", 'u', "")]),
            ("The averages range from 45 to 78.", &[("45", 'v', ""), ("78", 'v', "")]),
            ("Averages lie in 45–78.", &[("45", 'v', ""), ("78", 'v', "")]),
            ("Averages lie between 40 and 78.", &[("40", 'c', "45"), ("78", 'v', "")]),
            ("Monday was about 80 and Friday nearly 46.", &[("80", 'v', ""), ("46", 'v', "")]),
            ("Monday was about 90.", &[("90", 'c', "78")]),
            ("Monday was over 75.", &[("75", 'v', "")]),
            ("Monday was over 80.", &[("over 80", 'c', "78")]),
            ("Monday was 78%.", &[("78%", 'c', "78")]),
            (
                "Only days with a gap above 50 count: Monday leads with 78.",
                &[("Monday", 'v', ""), ("78", 'v', "")],
            ),
            (
                "Days with a gap above 60: Monday averaged 78.",
                &[("60", 'c', "50"), ("78", 'v', "")],
            ),
            (
                "Of the days where the gap is below 50, Monday averaged 78.",
                &[("below 50", 'c', "above 50"), ("78", 'v', "")],
            ),
            ("1. Monday: 78\n2. Friday: 45", &[("78", 'v', ""), ("45", 'v', "")]),
            ("80 of 500 days matched.", &[("80", 'v', ""), ("500", 'v', "")]),
            ("500 days matched.", &[("500", 'c', "80")]),
            ("There are 5 groups in r1.", &[("5", 'v', "")]),
            (
                "Across all five weekdays, Monday is first with 78.",
                &[("five", 'v', ""), ("78", 'v', "")],
            ),
            ("The gap rose 2.5-fold in version 1.2.3.", &[("2.5", 'u', "")]),
        ],
    );
}

#[test]
fn superlatives() {
    check_cases(
        &[&weekdays()],
        &[
            ("The highest average gap is on Monday (78).", &[("Monday", 'v', ""), ("78", 'v', "")]),
            ("Friday was the lowest.", &[("Friday", 'v', "")]),
            ("Friday was the highest.", &[("Friday", 'c', "Monday")]),
            (
                "Friday has the highest average gap at 78.",
                &[("Friday", 'c', "Monday"), ("78", 'v', "")],
            ),
            (
                "Monday is the highest at 78, and the lowest is 45.",
                &[("Monday", 'v', ""), ("78", 'v', ""), ("45", 'v', "")],
            ),
            (
                "Monday has the largest mean gap (78), while Friday has the smallest (45).",
                &[("Monday", 'v', ""), ("78", 'v', ""), ("Friday", 'v', ""), ("45", 'v', "")],
            ),
            ("The highest average gap is 78.", &[("78", 'v', "")]),
            ("The lowest average gap is 78.", &[("78", 'c', "45")]),
            (
                "Thursday is the second highest with 70.1.",
                &[("Thursday", 'v', ""), ("70.1", 'v', "")],
            ),
            ("Tuesday is the second highest.", &[("Tuesday", 'c', "Thursday")]),
            ("Friday was not the highest.", &[("Friday", 'v', "")]),
            ("Monday is higher than Friday.", &[("higher", 'v', "")]),
            ("Friday is higher than Monday.", &[("higher", 'c', "lower")]),
            ("В понедельник больше всего: 78.", &[("В понедельник", 'v', ""), ("78", 'v', "")]),
            ("Больше всего в пятницу.", &[("в пятницу", 'c', "в понедельник")]),
            (
                "Самый низкий средний гэп — в пятницу (45,3).",
                &[("в пятницу", 'v', ""), ("45,3", 'v', "")],
            ),
            ("Пятница — самая высокая.", &[("Пятница", 'c', "Понедельник")]),
            ("Понедельник выше пятницы.", &[("выше", 'v', "")]),
            ("В понедельник гэп меньше, чем в пятницу.", &[("меньше", 'c', "больше")]),
        ],
    );
}

#[test]
fn derived_numbers() {
    check_cases(
        &[&weekdays()],
        &[
            ("The difference between Monday and Friday is 32.8.", &[("32.8", 'd', "")]),
            ("The difference between Monday and Friday is 42.8.", &[("42.8", 'c', "32.8")]),
            ("Monday is 32.8 higher than Friday.", &[("32.8", 'd', "")]),
            ("Monday is 32.8 points lower than Friday.", &[("32.8", 'c', "-32.8")]),
            ("Monday is 72% higher than Friday.", &[("72%", 'd', "")]),
            ("Monday is 1.7 times as high as Friday.", &[("1.7", 'd', "")]),
            ("Понедельник на 32,8 больше, чем пятница.", &[("32,8", 'd', "")]),
            ("В понедельник в 1,7 раза больше, чем в пятницу.", &[("1,7", 'd', "")]),
        ],
    );
    check_cases(
        &[&weekdays_full()],
        &[
            ("Monday accounts for 21% of the days.", &[("21%", 'd', "")]),
            ("Friday accounts for 21% of the days.", &[("21%", 'c', "20%")]),
            ("Доля понедельника — 21% всех дней.", &[("21%", 'd', "")]),
        ],
    );
}

#[test]
fn russian() {
    check_cases(
        &[&weekdays()],
        &[
            (
                "В понедельник средний гэп — 78,0, в пятницу — 45,3.",
                &[("78,0", 'v', ""), ("45,3", 'v', "")],
            ),
            ("По пятницам в среднем 78.", &[("78", 'c', "45")]),
            (
                "Средний гэп: понедельник 78, вторник 55, среда 64.",
                &[("78", 'v', ""), ("55", 'v', ""), ("64", 'v', "")],
            ),
            ("78 в понедельник и 45 в пятницу", &[("78", 'v', ""), ("45", 'v', "")]),
            ("В пятницу почти 46, в понедельник свыше 75.", &[("46", 'v', ""), ("75", 'v', "")]),
            ("В понедельник свыше 80.", &[("свыше 80", 'c', "78")]),
            ("При гэпе больше 50 в понедельник в среднем 78.", &[("78", 'v', "")]),
            (
                "При гэпе больше 60 в понедельник в среднем 78.",
                &[("60", 'c', "50"), ("78", 'v', "")],
            ),
            ("Условию отвечают 80 дней из 500.", &[("80", 'v', ""), ("500", 'v', "")]),
            ("Всего 80 дней.", &[("80", 'v', "")]),
            ("Всего восемьдесят дней.", &[("восемьдесят", 'v', "")]),
            ("Значения от 45 до 78.", &[("45", 'v', ""), ("78", 'v', "")]),
        ],
    );
}

#[test]
fn several_measures() {
    check_cases(
        &[&weekdays_full()],
        &[
            (
                "Monday: mean 78, max 156.2, 17 days.",
                &[("78", 'v', ""), ("156.2", 'v', ""), ("17", 'v', "")],
            ),
            ("On Monday the average gap was 156.2.", &[("156.2", 'c', "78.0")]),
            (
                "On Monday the largest gap was 156.2 and the average 78.",
                &[("156.2", 'v', ""), ("78", 'v', "")],
            ),
            ("The largest gap on Friday was 156.2.", &[("156.2", 'c', "88.8")]),
            ("The gap on Monday was 78.", &[("78", 'v', "")]),
            ("Friday had sixteen days.", &[("sixteen", 'v', "")]),
            ("Friday had 17 days.", &[("17", 'c', "16")]),
            ("17 of the 80 days were Mondays.", &[("17", 'v', ""), ("80", 'v', "")]),
            ("Thursday had the most days (20).", &[("Thursday", 'v', ""), ("20", 'v', "")]),
            ("Monday had the most days.", &[("Monday", 'c', "Thursday")]),
            ("Monday had the highest mean gap, 78.", &[("Monday", 'v', ""), ("78", 'v', "")]),
            (
                "В понедельник максимальный гэп 156,2, средний 78, всего 17 дней.",
                &[("156,2", 'v', ""), ("78", 'v', ""), ("17", 'v', "")],
            ),
            ("Больше всего дней в четверг — 20.", &[("в четверг", 'v', ""), ("20", 'v', "")]),
            (
                "mean_gap for Monday is 78.04 and max_gap is 88.8.",
                &[("78.04", 'v', ""), ("88.8", 'c', "156.2")],
            ),
        ],
    );
}

#[test]
fn two_keys() {
    check_cases(
        &[&shops()],
        &[
            (
                "Vkusno on Saturday had $9,120 from 88 orders.",
                &[("$9,120", 'v', ""), ("88", 'v', "")],
            ),
            ("Kuper on Saturday had $9,120.", &[("$9,120", 'c', "$5,200")]),
            (
                "Vkusno on Monday: amount 3900.25, orders: 37.",
                &[("3900.25", 'v', ""), ("37", 'v', "")],
            ),
            ("Kuper's total amount on Tuesday was €310.5.", &[("€310.5", 'c', "310.5")]),
            (
                "The highest amount was at Vkusno on Saturday: 9.12k.",
                &[("Vkusno", 'v', ""), ("Saturday", 'v', ""), ("9.12k", 'v', "")],
            ),
            (
                "The highest amount was at Kuper on Saturday.",
                &[("Kuper", 'c', "Vkusno"), ("Saturday", 'v', "")],
            ),
            ("В Ленте в субботу сумма 1 500, 17 заказов.", &[("1 500", 'v', ""), ("17", 'v', "")]),
            ("В Ленте в субботу сумма 9 120.", &[("9 120", 'c', "1 500")]),
            ("Kuper's orders in total: 94.", &[("94", 'd', "")]),
        ],
    );
}

#[test]
fn values_without_groups() {
    check_cases(
        &[&dict()],
        &[
            (
                "80 days had a gap above 50; the average was 67.3 and the largest 156.2.",
                &[("80", 'v', ""), ("67.3", 'v', ""), ("156.2", 'v', "")],
            ),
            ("The average gap was 156.2.", &[("156.2", 'c', "67.3")]),
            ("On Monday the average gap was 67.3.", &[("67.3", 'u', "")]),
            ("16% of the days had a gap above 50.", &[("16%", 'd', "")]),
            ("26% of the days had a gap above 50.", &[("26%", 'c', "16%")]),
            ("80 дней с гэпом больше 50, в среднем 67,3.", &[("80", 'v', ""), ("67,3", 'v', "")]),
        ],
    );
    check_cases(
        &[&mondays()],
        &[
            ("There were 17 Mondays.", &[("17", 'v', "")]),
            ("There were 17 such days.", &[("17", 'v', "")]),
            ("On Friday there were 17 days.", &[("Friday", 'c', "Monday"), ("17", 'c', "17")]),
            ("17 of 500.", &[("17", 'v', ""), ("500", 'v', "")]),
        ],
    );
}

#[test]
fn rows() {
    check_cases(
        &[&drops()],
        &[
            (
                "The largest drop was −5.06% on 2025-04-08.",
                &[("−5.06%", 'v', ""), ("2025-04-08", 'v', "")],
            ),
            ("On April 8, 2025 it fell 5.06%.", &[("5.06%", 'v', "")]),
            ("On April 8, 2025 it rose 5.06%.", &[("rose 5.06%", 'c', "fell 5.06%")]),
            ("On 3 September 2024 it fell 5.06%.", &[("5.06%", 'c', "2.51%")]),
            ("8 апреля 2025 года индекс упал на 5,06%.", &[("5,06%", 'v', "")]),
            (
                "8 апреля 2025 года индекс вырос на 5,06%.",
                &[("вырос на 5,06%", 'c', "упал на 5,06%")],
            ),
            (
                "There are 4 such days; the mean change is -3.65%.",
                &[("4", 'v', ""), ("-3.65%", 'v', "")],
            ),
            ("The change was 5.06 points on 2025-04-08.", &[("5.06 points", 'c', "-5.06%")]),
            ("The close on 2025-04-08 was 17,450.5.", &[("17,450.5", 'v', "")]),
            ("On 2025-04-09 it fell 5.06%.", &[("2025-04-09", 'u', ""), ("5.06%", 'u', "")]),
            ("The worst day was 2024-08-05.", &[("2024-08-05", 'c', "2025-04-08")]),
            ("Days with a change below -2.5%: 4.", &[("4", 'v', "")]),
        ],
    );
}

#[test]
fn question_and_several_results() {
    use super::super::{Context, check};
    use crate::error::Locale;
    use crate::validate::{Overall, Verdict};
    let full = weekdays_full();
    let context = Context { question: Some("average gap by weekday"), locale: Locale::En };
    let found = check("Monday: 78.", &[&full], &context);
    assert_eq!(found.claims[0].verdict, Verdict::Verified, "{found:?}");
    assert_eq!(found.claims[0].span.start, 8);
    let (a, b) = (dict(), weekdays());
    let found =
        check("Overall 80 days average 67.3; Monday averages 78.", &[&a, &b], &Context::default());
    assert_eq!(found.verdict, Overall::Ok, "{found:?}");
    let found = check("Friday averages 67.9.", &[&b], &Context::default());
    assert_eq!(found.feedback, "- \"67.9\": mean_gap for dow=Fri is 45.26");
    let ru = Context { locale: Locale::Ru, ..Context::default() };
    let found = check("В пятницу 67,9.", &[&b], &ru);
    assert_eq!(found.feedback, "- \"67,9\": mean_gap для dow=Fri равно 45.26");
}
