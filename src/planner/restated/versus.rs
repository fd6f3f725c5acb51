//! `did I spend more in 2024 than in 2023`: asked as what it was in each of the years, which stand side
//! by side in the answer.

use super::super::token::{Token, TokenKind};
use crate::query::Query;

/// Words that compare.
const MORE: [&str; 10] =
    ["more", "less", "fewer", "higher", "lower", "больше", "меньше", "выше", "ниже", "менее"];
/// Words before what is compared with.
const THAN: [&str; 2] = ["than", "чем"];
/// Words between two of which either may be the answer.
const OR: [&str; 2] = ["or", "или"];
/// Words that go with a year that is left out.
const IN: [&str; 3] = ["in", "в", "во"];

/// Words that a question begins with which is answered by yes or no.
const WHETHER: [&str; 9] = ["did", "do", "does", "is", "was", "were", "are", "has", "have"];
/// Beginnings of Russian words of questions for more than that.
const OTHER: [&str; 8] = ["котор", "где", "как", "кто", "кого", "сколько", "насколько", "чьи"];

/// `by how much did revenue grow in 2025`: against the year before, which is not said.
pub(in super::super) fn of_the_year_before(question: &str, tokens: &[Token]) -> Option<String> {
    const GREW: [&str; 11] = [
        "grow",
        "grew",
        "increas",
        "decreas",
        "fell",
        "drop",
        "chang",
        "вырос",
        "упал",
        "сниз",
        "измен",
    ];
    const SAID: [&str; 12] = [
        "from",
        "to",
        "since",
        "than",
        "vs",
        "versus",
        "compared",
        "с",
        "от",
        "до",
        "сравнению",
        "к",
    ];
    let much =
        |word: &str| ["much", "сколько", "насколько", "percent", "процентов"].contains(&word);
    let word = |at: usize| tokens.get(at).map_or("", |t| t.folded.as_str());
    let any = |is: &dyn Fn(&str) -> bool| (0..tokens.len()).any(|at| is(word(at)));
    if !any(&much)
        || !any(&|word| GREW.iter().any(|begin| word.starts_with(begin)))
        || any(&|word| SAID.contains(&word))
    {
        return None;
    }
    let year = |t: &Token| match t.kind {
        TokenKind::Number { value, year: true, .. } => Some(value as i64),
        _ => None,
    };
    let mut named = tokens.iter().enumerate().filter_map(|(at, t)| Some((at, year(t)?)));
    let ((at, number), None) = (named.next()?, named.next()) else { return None };
    let russian = tokens.iter().any(|t| t.folded.chars().any(|c| ('а'..='я').contains(&c)));
    let noun = ["год", "году", "года"].contains(&word(at + 1));
    let end = tokens.get(if noun { at + 1 } else { at })?.span.end;
    let with = if russian { "по сравнению с" } else { "compared to" };
    let (before, after) = (question.get(..end)?, question.get(end..)?);
    Some(format!("{before} {with} {}{after}", number - 1))
}

/// The question for both years, where this one compares something in two of them.
pub(in super::super) fn of_both_years(tokens: &[Token]) -> Option<String> {
    let word = |at: usize| tokens.get(at).map_or("", |t| t.folded.as_str());
    let find = |list: &[&str]| (0..tokens.len()).find(|&at| list.contains(&word(at)));
    let (more, than) = (find(&MORE)?, find(&THAN).or_else(|| find(&OR))?);
    let year = |t: &Token| matches!(t.kind, TokenKind::Number { year: true, .. });
    let years: Vec<usize> =
        (0..tokens.len()).filter(|&at| tokens.get(at).is_some_and(year)).collect();
    let [first, second] = years[..] else { return None };
    // the one it is compared with is said last
    let apart = first < than && more < than && than < second;
    if !apart || tokens.iter().skip(second + 1).any(|t| t.kind != TokenKind::Symbol) {
        return None;
    }
    let russian = ["чем", "или"].contains(&word(than));
    // `how many more`, `cities that sold more` ask for a difference, or for those of which it is true
    let asks_whether = if russian {
        let other = |t: &Token| OTHER.iter().any(|begin| t.folded.starts_with(begin));
        word(0) != "на" && !tokens.iter().any(other)
    } else {
        WHETHER.contains(&word(0))
    };
    if !asks_whether {
        return None;
    }
    let mut words: Vec<&str> = Vec::new();
    for (at, token) in tokens.iter().enumerate().take(than) {
        let noun = at == first + 1 && ["год", "году", "года"].contains(&word(at));
        let left_out = at == more
            || at == first
            || noun
            || (at + 1 == first && IN.contains(&word(at)))
            || token.kind == TokenKind::Symbol;
        match (at, word(at)) {
            _ if left_out => {}
            (0, "did" | "do" | "does") => words.push("how much did"),
            (0, "are" | "were") if word(1) == "there" => words.push("how many"),
            (1, "there") | (0, "is" | "was" | "were" | "has" | "have") => {}
            _ => words.push(&token.raw),
        }
    }
    if words.is_empty() {
        return None;
    }
    let (one, other) = (&tokens.get(first)?.raw, &tokens.get(second)?.raw);
    let said = words.join(" ");
    Some(if russian {
        format!("{said} по годам в {one} и {other}")
    } else {
        format!("{said} by year in {one} and {other}")
    })
}

/// The later of two years that are compared (`больше чем 2022`) was taken for an amount.
pub(in super::super) fn bounds_a_year(tokens: &[Token], query: Option<&Query>) -> bool {
    let year = |t: &Token| matches!(t.kind, TokenKind::Number { year: true, .. });
    let mut years = tokens.iter().filter(|t| year(t));
    let (Some(_), Some(other), None) = (years.next(), years.next(), years.next()) else {
        return false;
    };
    let compared = tokens.iter().any(|t| MORE.contains(&t.folded.as_str()));
    let filter = query.and_then(|query| query.filter.as_deref()).unwrap_or_default();
    compared
        && ["> ", "< ", ">= ", "<= "]
            .iter()
            .any(|sign| filter.contains(&format!("{sign}{}", other.raw)))
}

/// `how much more revenue in 2024 than in 2023`, `на сколько расходы в 2024 больше, чем в 2023`: the
/// change from the one year to the other.
pub(in super::super) fn of_difference(tokens: &[Token]) -> Option<String> {
    const ASKS: [&str; 12] =
        ["by", "how", "much", "is", "was", "were", "are", "did", "do", "does", "there", "на"];
    const ALSO_MORE: [&str; 4] = ["larger", "bigger", "greater", "smaller"];
    const OWN: [&str; 6] = ["i", "we", "you", "я", "мы", "the"];
    const SPENT: [&str; 8] =
        ["spend", "spent", "потратил", "потратила", "потратили", "потрачено", "тратил", "тратили"];
    let word = |at: usize| tokens.get(at).map_or("", |t| t.folded.as_str());
    let find = |is: &dyn Fn(&str) -> bool| (0..tokens.len()).find(|&at| is(word(at)));
    let compares = |word: &str| MORE.contains(&word) || ALSO_MORE.contains(&word);
    let year = |t: &Token| matches!(t.kind, TokenKind::Number { year: true, .. });
    let years: Vec<usize> =
        (0..tokens.len()).filter(|&at| tokens.get(at).is_some_and(year)).collect();
    let [first, second] = years[..] else { return None };
    let more = find(&compares)?;
    // `больше 2023`, in the genitive
    let genitive = ["больше", "меньше", "выше", "ниже", "менее"].contains(&word(more));
    let bare = || (genitive && more + 1 == second).then_some(more);
    let than = find(&|word| THAN.contains(&word)).or_else(bare)?;
    let noun = |at: usize| ["год", "году", "года"].contains(&word(at));
    let end = second + 1 + usize::from(noun(second + 1));
    let last = tokens.iter().skip(end).all(|t| t.kind == TokenKind::Symbol);
    if !(first < than && more <= than && than < second && last) {
        return None;
    }
    let russian = than == more || word(than) == "чем";
    let asks = match (word(0), word(1), word(2)) {
        ("by", "how", "much")
        | ("by", "what", "percent" | "percentage")
        | ("how", "much" | "many", _) => !russian,
        ("на", "сколько", _) | ("насколько", ..) => russian,
        _ => false,
    };
    if !asks {
        return None;
    }
    let counts = word(1) == "many";
    let left = |at: usize| {
        let said = word(at);
        let place = IN.contains(&said) && at + 1 == first;
        let year = at == first || at == first + 1 && noun(at);
        let also = [
            "many",
            "what",
            "percent",
            "percentage",
            "сколько",
            "насколько",
            "процентов",
            "процента",
        ];
        let asks = ASKS.contains(&said) || also.contains(&said);
        let own = OWN.contains(&said);
        let symbol = tokens.get(at).is_none_or(|t| t.kind == TokenKind::Symbol);
        at != more && !place && !year && !asks && !own && !symbol
    };
    let words: Vec<&str> = (0..than)
        .filter(|&at| left(at))
        .map(|at| match word(at) {
            said if SPENT.contains(&said) => {
                if russian {
                    "расходов"
                } else {
                    "spending"
                }
            }
            _ => tokens.get(at).map_or("", |t| t.raw.as_str()),
        })
        .collect();
    if words.is_empty() {
        return None;
    }
    let (one, other) = (&tokens.get(first)?.raw, &tokens.get(second)?.raw);
    let said = words.join(" ");
    Some(match (russian, counts) {
        (true, _) => format!("изменение {said} в {one} по сравнению с {other}"),
        (false, true) => format!("change of number of {said} from {other} to {one}"),
        (false, false) => format!("change of {said} from {other} to {one}"),
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::token::tokenise;
    use super::*;

    #[test]
    fn what_is_compared_is_asked_for_in_both_years() {
        for (question, expected) in [
            (
                "did I spend more in 2024 than in 2023?",
                Some("how much did I spend by year in 2024 and 2023"),
            ),
            ("was revenue higher in 2024 than 2023", Some("revenue by year in 2024 and 2023")),
            ("я потратил в 2024 больше, чем в 2023?", Some("я потратил по годам в 2024 и 2023")),
            ("выручка 2023 года больше чем 2022?", Some("выручка по годам в 2023 и 2022")),
            ("how many more orders in 2024 than in 2023", None),
            ("на сколько больше заказов в 2024, чем в 2023", None),
            ("города, где продали больше в 2024, чем в 2023", None),
            ("orders over 500 in 2024", None),
            ("more than 5 orders in 2024 and 2023", None),
        ] {
            assert_eq!(of_both_years(&tokenise(question)).as_deref(), expected, "{question}");
        }
    }

    #[test]
    fn how_much_more_is_a_change() {
        for (question, expected) in [
            (
                "how much more revenue in 2024 than in 2023?",
                Some("change of revenue from 2023 to 2024"),
            ),
            (
                "by how much was revenue higher in 2024 than in 2023",
                Some("change of revenue from 2023 to 2024"),
            ),
            (
                "how many more trips in 2024 than in 2023",
                Some("change of number of trips from 2023 to 2024"),
            ),
            (
                "how much more did I spend in 2024 than in 2023",
                Some("change of spending from 2023 to 2024"),
            ),
            (
                "на сколько расходы в 2024 больше, чем в 2023 году",
                Some("изменение расходы в 2024 по сравнению с 2023"),
            ),
            (
                "насколько больше я потратил в 2024, чем в 2023",
                Some("изменение расходов в 2024 по сравнению с 2023"),
            ),
            (
                "на сколько процентов выручка 2024 больше 2023?",
                Some("изменение выручка в 2024 по сравнению с 2023"),
            ),
            (
                "by what percent was revenue in 2024 higher than in 2023",
                Some("change of revenue from 2023 to 2024"),
            ),
            (
                "насколько выручка 2023 года больше чем 2022?",
                Some("изменение выручка в 2023 по сравнению с 2022"),
            ),
            ("did I spend more in 2024 than in 2023", None),
            ("how many shops sold more than 5 in 2024 and 2023", None),
        ] {
            assert_eq!(of_difference(&tokenise(question)).as_deref(), expected, "{question}");
        }
    }
}
