//! When something will be bought again, how much of it, at what price: from its purchase dates.

use chrono::{Days, NaiveDate};
use serde::{Deserialize, Serialize};

/// What was bought on one day.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Purchase {
    pub date: NaiveDate,
    pub quantity: Option<f64>,
    /// Quantity and amount of the lines that have both.
    pub priced: Option<(f64, f64)>,
}

/// How much a prediction can be relied on.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub(super) enum Confidence {
    Low,
    Medium,
    High,
}

impl Confidence {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }

    fn lowered(self) -> Self {
        match self {
            Self::High => Self::Medium,
            Self::Medium | Self::Low => Self::Low,
        }
    }
}

/// The next purchase, and the numbers that it was made of.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Prediction {
    pub next: NaiveDate,
    pub confidence: Confidence,
    pub quantity: Option<f64>,
    /// Days between two purchases, the newest counting most.
    pub typical_gap: f64,
    /// Sample deviation of the gaps over their mean; nothing where there is one gap.
    pub variation: Option<f64>,
    pub purchase_dates: usize,
    pub last: NaiveDate,
    pub days_since: i64,
}

/// A gap counts half as much as one that is this many purchases newer.
const HALF_LIFE: f64 = 5.0;

/// Past this many typical gaps without a purchase, confidence is lower by one; past the second, the
/// item has lapsed.
const LATE: f64 = 3.0;
const LAPSED: f64 = 6.0;

/// Predicts from purchases in order, one a date, none after `today`. Nothing for an item with one
/// purchase date, or with none for so long that it has lapsed.
pub(super) fn predict(history: &[Purchase], today: NaiveDate, pieces: bool) -> Option<Prediction> {
    let last = history.last()?.date;
    let gaps: Vec<f64> = history
        .iter()
        .zip(history.iter().skip(1))
        .map(|(a, b)| (b.date - a.date).num_days() as f64)
        .collect();
    let typical_gap = typical(&gaps)?;
    let days_since = (today - last).num_days();
    let late = days_since as f64 / typical_gap;
    if late > LAPSED {
        return None;
    }
    let variation = variation(&gaps);
    let dates = history.len();
    let steady = |most: f64| variation.is_some_and(|cv| cv <= most);
    let mut confidence = match dates {
        6.. if steady(0.5) => Confidence::High,
        3.. if steady(1.0) => Confidence::Medium,
        _ => Confidence::Low,
    };
    if late > LATE {
        confidence = confidence.lowered();
    }
    Some(Prediction {
        next: last.checked_add_days(Days::new(days(typical_gap)))?,
        confidence,
        quantity: usual_quantity(history, pieces),
        typical_gap,
        variation,
        purchase_dates: dates,
        last,
        days_since,
    })
}

/// A gap in whole days, half a day rounded up.
pub(super) fn days(gap: f64) -> u64 {
    (gap + 0.5).floor() as u64
}

/// The median quantity of a purchase date, whole where it is counted in pieces.
pub(super) fn usual_quantity(history: &[Purchase], pieces: bool) -> Option<f64> {
    let quantity = median(history.iter().filter_map(|p| p.quantity).collect())?;
    Some(if pieces { quantity.ceil() } else { quantity })
}

/// The latest price of a unit; where it is far from the prices before it, the median of the last
/// three.
pub(super) fn unit_price(history: &[Purchase]) -> Option<f64> {
    let prices: Vec<f64> = history
        .iter()
        .filter_map(|p| p.priced.filter(|(quantity, _)| *quantity > 0.0))
        .map(|(quantity, amount)| amount / quantity)
        .collect();
    let (latest, before) = prices.split_last()?;
    let recent = before.iter().rev().take(3).copied().collect();
    match median(recent) {
        Some(usual) if (latest - usual).abs() > usual * 0.5 => {
            median(prices.iter().rev().take(3).copied().collect())
        }
        _ => Some(*latest),
    }
}

/// The interpolated median of the gaps, oldest first, newer ones weighing more.
fn typical(gaps: &[f64]) -> Option<f64> {
    let newest = gaps.len().checked_sub(1)?;
    let weigh =
        |(place, gap): (usize, &f64)| (*gap, 0.5_f64.powf((newest - place) as f64 / HALF_LIFE));
    let mut weighed: Vec<(f64, f64)> = gaps.iter().enumerate().map(weigh).collect();
    // A stable sort: of equal gaps the older stays first.
    weighed.sort_by(|a, b| a.0.total_cmp(&b.0));
    let total: f64 = weighed.iter().map(|(_, weight)| weight).sum();
    let mut below = 0.0;
    let mut before: Option<(f64, f64)> = None;
    for (gap, weight) in weighed {
        let position = (below + weight / 2.0) / total;
        below += weight;
        if position >= 0.5 {
            return Some(match before {
                Some((lower, at)) if position > at => {
                    lower + (gap - lower) * (0.5 - at) / (position - at)
                }
                _ => gap,
            });
        }
        before = Some((gap, position));
    }
    before.map(|(gap, _)| gap)
}

fn variation(gaps: &[f64]) -> Option<f64> {
    let n = gaps.len() as f64;
    if gaps.len() < 2 {
        return None;
    }
    let mean = gaps.iter().sum::<f64>() / n;
    let squares: f64 = gaps.iter().map(|gap| (gap - mean).powi(2)).sum();
    Some((squares / (n - 1.0)).sqrt() / mean)
}

fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let (lower, upper) = (values.len().checked_sub(1)? / 2, values.len() / 2);
    Some((values.get(lower)? + values.get(upper)?) / 2.0)
}

/// Units of which there are no parts, folded.
const PIECES: [&str; 22] = [
    "шт",
    "штука",
    "штук",
    "штуки",
    "уп",
    "упак",
    "упаковка",
    "пачка",
    "пач",
    "бут",
    "бутылка",
    "банка",
    "pc",
    "pcs",
    "piece",
    "pieces",
    "ea",
    "each",
    "pack",
    "packs",
    "bottle",
    "item",
];

/// Whether a unit is counted in pieces.
pub(super) fn in_pieces(unit: Option<&str>) -> bool {
    let folded = super::fold(unit.unwrap_or_default());
    let folded = folded.trim().trim_end_matches('.');
    PIECES.contains(&folded)
}

#[cfg(test)]
mod tests {
    use super::{Confidence, Prediction, Purchase, in_pieces, predict, typical, unit_price};
    use chrono::{Days, NaiveDate};

    fn day(n: u64) -> NaiveDate {
        NaiveDate::from_ymd_opt(2024, 1, 1).unwrap() + Days::new(n)
    }

    fn bought(days: &[u64]) -> Vec<Purchase> {
        let on =
            |n: &u64| Purchase { date: day(*n), quantity: Some(1.5), priced: Some((1.5, 3.0)) };
        days.iter().map(on).collect()
    }

    fn check(days: &[u64], today: u64, wanted: Option<(u64, Confidence)>) {
        let found = predict(&bought(days), day(today), true);
        let found = found.map(|Prediction { next, confidence, .. }| (next, confidence));
        assert_eq!(found, wanted.map(|(n, c)| (day(n), c)), "{days:?} on {today}");
    }

    #[test]
    fn the_next_date_follows_the_gaps() {
        use Confidence::{High, Low, Medium};
        check(&[], 5, None);
        check(&[0], 5, None);
        check(&[0, 7], 8, Some((14, Low)));
        check(&[0, 7, 14], 15, Some((21, Medium)));
        check(&[0, 7, 14, 21, 28], 30, Some((35, Medium)));
        check(&[0, 7, 14, 21, 28, 35], 36, Some((42, High)));
        // Three typical gaps without a purchase, and a day more; six, and a day more.
        check(&[0, 7, 14, 21, 28, 35], 35 + 21, Some((42, High)));
        check(&[0, 7, 14, 21, 28, 35], 35 + 22, Some((42, Medium)));
        check(&[0, 7, 14, 21, 28, 35], 35 + 42, Some((42, Medium)));
        check(&[0, 7, 14, 21, 28, 35], 35 + 43, None);
        // Gaps that vary: 1, 30, 1, 30, 1 vary by 1.26 of their mean. The newest 1 stands at 0.474,
        // the oldest 30 at 0.689: 4.5 days less a little at one half.
        check(&[0, 1, 31, 32, 62, 63], 64, Some((67, Low)));
        // Half a day rounds up: gaps 2 and 3, the newer weighs more.
        check(&[0, 3, 5], 5, Some((7, Medium)));
        check(&[0, 2, 5], 5, Some((8, Medium)));
        // Three and six times a gap of 2.47 days, which is not taken for the 2 that it is rounded to.
        check(&[0, 3, 5], 5 + 7, Some((7, Medium)));
        check(&[0, 3, 5], 5 + 8, Some((7, Low)));
        check(&[0, 3, 5], 5 + 14, Some((7, Low)));
        check(&[0, 3, 5], 5 + 15, None);
        // Gaps of 4, 10, 4, 10 and 4 days vary by 0.51 of their mean: too much for high confidence.
        check(&[0, 4, 14, 18, 28, 32], 33, Some((37, Medium)));
    }

    #[test]
    fn the_newest_gaps_weigh_most() {
        assert_eq!(typical(&[]), None);
        assert_eq!(typical(&[4.0]), Some(4.0));
        assert_eq!(typical(&[4.0, 4.0, 4.0]), Some(4.0));
        // Weights 0.8706 and 1: positions 0.2327 and 0.7327.
        let found = typical(&[2.0, 10.0]).unwrap();
        assert!((found - (2.0 + 8.0 * (0.5 - 0.232_706) / 0.5)).abs() < 1e-3, "{found}");
        assert!(typical(&[10.0, 2.0]).unwrap() < 6.0);
    }

    #[test]
    fn quantities_and_prices() {
        let history = bought(&[0, 7]);
        assert_eq!(predict(&history, day(8), true).unwrap().quantity, Some(2.0));
        assert_eq!(predict(&history, day(8), false).unwrap().quantity, Some(1.5));
        let priced = |prices: &[f64]| {
            let on = |(n, price): (usize, &f64)| Purchase {
                date: day(n as u64),
                quantity: Some(2.0),
                priced: Some((2.0, price * 2.0)),
            };
            unit_price(&prices.iter().enumerate().map(on).collect::<Vec<_>>())
        };
        assert_eq!(priced(&[]), None);
        assert_eq!(priced(&[10.0]), Some(10.0));
        assert_eq!(priced(&[10.0, 15.0]), Some(15.0));
        assert_eq!(priced(&[10.0, 15.5]), Some(12.75));
        assert_eq!(priced(&[100.0, 10.0, 11.0, 12.0, 40.0]), Some(12.0));
        assert_eq!(priced(&[10.0, 10.0, 10.0, 4.9]), Some(10.0));
    }

    #[test]
    fn units() {
        for (unit, wanted) in
            [("шт", true), ("ШТ.", true), ("pcs", true), ("кг", false), ("л", false), ("", false)]
        {
            assert_eq!(in_pieces(Some(unit)), wanted, "{unit}");
        }
        assert!(!in_pieces(None));
    }
}
