//! Why an item stands on a shopping list, in a sentence made from the numbers.

use super::predict::Prediction;
use crate::error::Locale;

/// The sentence of an item that is predicted.
pub(super) fn predicted(made: &Prediction, locale: Locale) -> String {
    let gap = (made.typical_gap * 10.0).round() / 10.0;
    let (dates, since) = (made.purchase_dates as u64, made.days_since.unsigned_abs());
    match locale {
        Locale::En => {
            let every =
                if gap == 1.0 { "every day".to_owned() } else { format!("every {gap} days") };
            let last = match since {
                0 => "last today".to_owned(),
                1 => "last yesterday".to_owned(),
                n => format!("last {n} days ago"),
            };
            format!("bought about {every}, {last} ({dates} purchase dates)")
        }
        Locale::Ru => {
            let every = if gap == 1.0 {
                "каждый день".to_owned()
            } else if gap.fract() == 0.0 {
                format!("каждые {gap} {}", russian(gap as u64, ["день", "дня", "дней"]))
            } else {
                format!("каждые {} дня", gap.to_string().replace('.', ","))
            };
            let last = match since {
                0 => "последняя покупка сегодня".to_owned(),
                1 => "последняя покупка вчера".to_owned(),
                n => {
                    format!("последняя покупка {n} {} назад", russian(n, ["день", "дня", "дней"]))
                }
            };
            let dates = format!("{dates} {}", russian(dates, ["дата", "даты", "дат"]));
            format!("покупаете примерно {every}, {last} ({dates} покупки)")
        }
    }
}

/// The sentence of an item that is there for its label, with the days since it was last bought.
pub(super) fn labelled(label: &str, since: Option<i64>, locale: Locale) -> String {
    match (locale, since) {
        (Locale::En, Some(n)) => {
            format!("added for the label \"{label}\": no prediction, last bought {n} days ago")
        }
        (Locale::En, None) => format!("added for the label \"{label}\": never bought"),
        (Locale::Ru, Some(n)) => {
            let days = russian(n.unsigned_abs(), ["день", "дня", "дней"]);
            format!(
                "добавлено по метке «{label}»: прогноза нет, последняя покупка {n} {days} назад"
            )
        }
        (Locale::Ru, None) => format!("добавлено по метке «{label}»: ещё не покупали"),
    }
}

/// The form of a word after a number.
fn russian(n: u64, [one, few, many]: [&'static str; 3]) -> &'static str {
    match n % 10 {
        1 if n % 100 != 11 => one,
        2..=4 if !(12..=14).contains(&(n % 100)) => few,
        _ => many,
    }
}

#[cfg(test)]
mod tests {
    use super::{labelled, predicted};
    use crate::error::Locale::{En, Ru};
    use crate::tools::purchases::predict::{Confidence, Prediction};
    use chrono::NaiveDate;

    #[test]
    fn reasons() {
        let date = NaiveDate::from_ymd_opt(2024, 12, 1).expect("a date");
        let made = |typical_gap: f64, days_since: i64, purchase_dates: usize| Prediction {
            next: date,
            confidence: Confidence::High,
            quantity: None,
            typical_gap,
            variation: None,
            purchase_dates,
            last: date,
            days_since,
        };
        for (made, en, ru) in [
            (
                made(3.75, 5, 24),
                "bought about every 3.8 days, last 5 days ago (24 purchase dates)",
                "покупаете примерно каждые 3,8 дня, последняя покупка 5 дней назад (24 даты покупки)",
            ),
            (
                made(1.0, 0, 2),
                "bought about every day, last today (2 purchase dates)",
                "покупаете примерно каждый день, последняя покупка сегодня (2 даты покупки)",
            ),
            (
                made(21.0, 1, 5),
                "bought about every 21 days, last yesterday (5 purchase dates)",
                "покупаете примерно каждые 21 день, последняя покупка вчера (5 дат покупки)",
            ),
            (
                made(12.0, 2, 11),
                "bought about every 12 days, last 2 days ago (11 purchase dates)",
                "покупаете примерно каждые 12 дней, последняя покупка 2 дня назад (11 дат покупки)",
            ),
        ] {
            assert_eq!(predicted(&made, En), en);
            assert_eq!(predicted(&made, Ru), ru);
        }
        assert_eq!(labelled("x", None, En), "added for the label \"x\": never bought");
        assert!(labelled("x", Some(3), Ru).ends_with("последняя покупка 3 дня назад"));
    }
}
