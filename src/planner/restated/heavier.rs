//! `are males heavier than females`, `насколько самцы тяжелее самок`: the mean of what the adjective is
//! of, of the one and of the other.

use super::wording::Asked;
use crate::planner::stem::{parts, stem as stem_of};
use crate::planner::token::{Token, TokenKind, tokenise};
use crate::schema::{Column, Kind};

/// Adjectives that compare, and beginnings of the names of what they are of.
const HEAVIER: [(&[&str], &[&str]); 6] = [
    (&["heavier", "lighter", "тяжелее", "легче"], &["mass", "weight", "масс", "вес"]),
    (&["longer", "shorter", "длиннее", "короче"], &["length", "duration", "длин", "длительн"]),
    (&["taller", "выше"], &["height", "рост", "высот"]),
    (&["older", "younger", "старше", "младше", "моложе"], &["age", "возраст"]),
    (&["cheaper", "дешевле", "дороже"], &["price", "cost", "цен", "стоим"]),
    (&["deeper", "глубже"], &["depth", "глубин"]),
];
/// Those of them that less of it is.
const LESS: [&str; 10] = [
    "lighter",
    "легче",
    "shorter",
    "короче",
    "younger",
    "младше",
    "моложе",
    "cheaper",
    "дешевле",
    "ниже",
];
/// Words that only ask.
const ASKS: [&str; 24] = [
    "who",
    "which",
    "кто",
    "кого",
    "у",
    "has",
    "have",
    "did",
    "are",
    "is",
    "were",
    "was",
    "do",
    "does",
    "by",
    "how",
    "much",
    "the",
    "насколько",
    "на",
    "сколько",
    "правда",
    "ли",
    "что",
];

/// A word names a column: `flippers` is of `flipper_length_mm`.
fn said_of(column: &Column, token: &Token) -> bool {
    std::iter::once(&column.name).chain(&column.label).chain(&column.synonyms).any(|name| {
        parts(name).iter().any(|part| {
            let part = stem_of(part);
            // `крылья` of `длина крыла`
            part == token.stem || part.chars().count() > 3 && token.stem.starts_with(&part)
        })
    })
}

impl<'a> Asked<'a> {
    /// The columns of numbers in whose names a part begins with one of these.
    fn called<'n>(
        &self,
        names: &'n [&str],
    ) -> impl Iterator<Item = &'a Column> + Clone + use<'a, 'n> {
        let fits = move |part: &String| names.iter().any(|begin| part.starts_with(begin));
        let numeric = self.table.columns.iter().filter(|c| c.kind.is_numeric());
        numeric.filter(move |c| parts(&c.name).iter().any(fits))
    }

    /// The column of text that a word names.
    pub(super) fn text_column(&self, at: usize) -> Option<&'a Column> {
        let said = self.tokens.get(at)?;
        // `острове` of `остров`, whose own end looks like that of a case
        let of = |part: &String| {
            stem_of(part) == said.stem
                || part.chars().count() > 4 && said.folded.starts_with(part.as_str())
        };
        let called = |name: &String| parts(name).iter().any(of);
        let named = |c: &&Column| {
            c.kind == Kind::Text
                && std::iter::once(&c.name).chain(&c.label).chain(&c.synonyms).any(called)
        };
        self.table.columns.iter().find(named)
    }

    /// Where a comparing adjective stands, and the column that it is of.
    fn compared(&self) -> Option<(usize, &'a Column)> {
        let at = (0..self.tokens.len())
            .find(|&at| HEAVIER.iter().any(|(words, _)| words.contains(&self.word(at))))?;
        let (_, names) = HEAVIER.iter().find(|(words, _)| words.contains(&self.word(at)))?;
        let mut fitting = self.called(names);
        // of several the one that a word names: `flippers` of `flipper_length_mm`
        let column = match (fitting.clone().count(), fitting.clone().next()) {
            (0 | 1, only) => only?,
            // not by the adjective itself, which has the stem of `length`
            _ => fitting
                .find(|c| self.tokens.iter().enumerate().any(|(i, t)| i != at && said_of(c, t)))?,
        };
        Some((at, column))
    }

    /// `у какого вида крылья длиннее`, `which species has longer bills`: the group whose mean of it is
    /// the highest.
    pub(super) fn whose_is_longer(&self) -> Option<String> {
        let (at, column) = self.compared()?;
        let which = ["which", "what", "какого", "какой", "каких", "какая", "какие"];
        let which = (0..at).find(|&at| which.contains(&self.word(at)))?;
        let opens = (0..which).all(|at| ["у", "of", "in"].contains(&self.word(at)));
        let group = self.text_column(which + 1)?;
        let known = |at: usize| {
            let token = self.tokens.get(at);
            token.is_some_and(|t| {
                said_of(column, t)
                    || t.is_symbol("?")
                    || ["has", "have", "is", "are", "the", "on", "average", "в", "среднем"]
                        .contains(&t.folded.as_str())
            })
        };
        let all = (which + 2..self.tokens.len()).all(|i| i == at || known(i));
        let (group, column) = (&group.name, &column.name);
        let few = LESS.contains(&self.word(at));
        (opens && all).then(|| match (self.is_russian(), few) {
            (true, false) => format!("`{group}` с наибольшим средним `{column}`"),
            (true, true) => format!("`{group}` с наименьшим средним `{column}`"),
            (false, false) => format!("`{group}` with the highest average `{column}`"),
            (false, true) => format!("`{group}` with the lowest average `{column}`"),
        })
    }

    /// `is volume higher on Mondays`, `are tips higher at night`: the mean at all such times, side by side.
    pub(super) fn higher_at_times(&self) -> Option<String> {
        const HIGHER: [&str; 8] =
            ["higher", "lower", "larger", "smaller", "bigger", "greater", "longer", "better"];
        const TIMES: [(&str, &[&str]); 3] = [
            (
                "weekday",
                &[
                    "monday",
                    "tuesday",
                    "wednesday",
                    "thursday",
                    "friday",
                    "saturday",
                    "sunday",
                    "weekend",
                ],
            ),
            (
                "month",
                &[
                    "winter",
                    "spring",
                    "summer",
                    "autumn",
                    "fall",
                    "january",
                    "february",
                    "march",
                    "april",
                    "june",
                    "july",
                    "august",
                    "september",
                    "october",
                    "november",
                    "december",
                ],
            ),
            ("hour", &["morning", "afternoon", "evening", "night", "noon"]),
        ];
        let is = ["is", "are", "was", "were"].contains(&self.word(0));
        let of = if self.word(1) == "the" { 2 } else { 1 };
        let when = if self.word(of + 3) == "the" { of + 4 } else { of + 3 };
        let end = self.tokens.len() - usize::from(self.tokens.last()?.is_symbol("?"));
        let at = HIGHER.contains(&self.word(of + 1))
            && ["on", "in", "at", "during"].contains(&self.word(of + 2));
        if !(is && at && when + 1 == end) {
            return None;
        }
        let (part, _) = TIMES.iter().find(|(_, names)| self.begins(when, names))?;
        let said = self.tokens.get(of)?;
        // a price is higher than it was before
        let price = |c: &Column| {
            self.table.ohlcv.is_some() && parts(&c.name).iter().all(|part| part != "volume")
        };
        let named = |c: &&Column| c.kind.is_numeric() && !price(c) && said_of(c, said);
        let mut fitting = self.table.columns.iter().filter(named);
        let column = &fitting.next().filter(|_| fitting.next().is_none())?.name;
        Some(format!("average `{column}` by {part}"))
    }

    /// `у кого самые короткие крылья`, `who has the longest bill`: the row that has it.
    pub(super) fn who_has(&self) -> Option<String> {
        const HIGH: [&str; 9] = [
            "longest",
            "largest",
            "biggest",
            "highest",
            "heaviest",
            "длинн",
            "больш",
            "высок",
            "тяжел",
        ];
        const LOW: [&str; 7] =
            ["shortest", "smallest", "lowest", "lightest", "коротк", "маленьк", "низк"];
        let (russian, at) = match (self.word(0), self.word(1), self.word(2)) {
            ("у", "кого", most) if most.starts_with("сам") => (true, 3),
            ("who", "has", "the") => (false, 3),
            ("which", _, "has") if self.word(3) == "the" && self.is_row(1) => (false, 4),
            _ => return None,
        };
        let high = self.begins(at, &HIGH);
        if !high && !self.begins(at, &LOW) {
            return None;
        }
        let mut fitting = self.table.columns.iter().filter(|c| c.kind.is_numeric());
        let named = |c: &Column| {
            (at + 1..self.tokens.len())
                .all(|i| self.tokens.get(i).is_some_and(|t| t.is_symbol("?") || said_of(c, t)))
        };
        let measure = |c: &&Column| {
            named(c) && !(self.begins(at, &["long", "short", "длинн", "коротк"]))
                || named(c)
                    && std::iter::once(&c.name).chain(&c.label).chain(&c.synonyms).any(|name| {
                        parts(name)
                            .iter()
                            .any(|p| ["length", "длин"].iter().any(|l| p.starts_with(l)))
                    })
        };
        let column = fitting.find(measure)?;
        if fitting.any(|c| measure(&c)) {
            return None;
        }
        let column = &column.name;
        Some(match (russian, high) {
            (true, true) => format!("строки с наибольшим `{column}`"),
            (true, false) => format!("строки с наименьшим `{column}`"),
            (false, true) => format!("rows with the highest `{column}`"),
            (false, false) => format!("rows with the lowest `{column}`"),
        })
    }

    /// `range of body mass`, of a table that is none of bars: from the lowest to the highest.
    pub(super) fn range_of(&self) -> Option<String> {
        let (from, to) = self.phrase(&["range of the", "range of", "диапазон"])?;
        let plain = self.table.ohlcv.is_none() && from < 4;
        let own = self.named(Kind::is_numeric, &["range", "диапазон"]).is_some();
        let which =
            if self.is_russian() { "минимум и максимум" } else { "min and max" };
        // `диапазон дат` is another question
        (plain && !own).then(|| self.put(from, to, which))?
    }

    /// `do males weigh more than females`, `who weighs more`: which are heavier; `penguins that weigh more
    /// than 5000`: a bound of the column that is of mass; `how much do males weigh`: its mean.
    pub(super) fn weighs(&self) -> Option<String> {
        const WEIGH: [&str; 8] =
            ["weigh", "weighs", "weighed", "весит", "весят", "весил", "весила", "весили"];
        let at = (0..self.tokens.len()).find(|&at| WEIGH.contains(&self.word(at)))?;
        let mut fitting = self.called(&["mass"]);
        let column = &fitting.next().filter(|_| fitting.next().is_none())?.name;
        let number = |at: usize| {
            self.tokens.get(at).is_some_and(|t| matches!(t.kind, TokenKind::Number { .. }))
        };
        let between = |from: usize, to: usize| {
            let (from, to) = (self.tokens.get(from)?, self.tokens.get(to)?);
            self.question.get(from.span.start..to.span.start)
        };
        let behind = |at: usize| Some(self.question.get(self.tokens.get(at)?.span.start..)?.trim());
        let does = |at: usize| ["do", "does", "did"].contains(&self.word(at));
        let than = ["than", "чем"].contains(&self.word(at + 2));
        // `weigh in 2008` is no bound
        let over = ["over", "above", "under", "below", "exactly"].contains(&self.word(at + 1));
        if !self.is_russian() && (than && number(at + 3) || over && number(at + 2)) {
            let that = ["that", "which", "who"].contains(&self.word(at.checked_sub(1)?));
            return self.put(at - usize::from(that), at + 1, &format!("with `{column}`"));
        }
        let end = ["heaviest", "lightest"].iter().position(|word| self.word(4) == *word);
        if let (true, Some(end)) = (self.word(0) == "how" && self.word(3) == "the", end) {
            let end = ["highest", "lowest"].get(end)?;
            return Some(format!("{end} `{column}` of {}", between(5, at)?));
        }
        // of the heaviest it is no mean
        let superlative = (0..self.tokens.len())
            .any(|at| self.word(at).ends_with("est") || self.begins(at, &["сам"]));
        if self.word(0) == "how" && self.word(1) == "much" && does(2) && at > 3 && !superlative {
            let rest = behind(at + 1).unwrap_or_default().trim_start_matches("on average");
            return Some(format!("average `{column}` of {}{rest}", between(3, at)?));
        }
        if self.word(0) == "сколько" && at == 1 && !superlative {
            return Some(format!(
                "среднее `{column}` {}",
                behind(2)?.trim_start_matches("в среднем")
            ));
        }
        let heavier = match self.word(at + 1) {
            "more" => "heavier",
            "less" => "lighter",
            "больше" => "тяжелее",
            "меньше" => "легче",
            _ => return None,
        };
        // `do males weigh more`
        let end = (at + 2..self.tokens.len())
            .all(|i| self.tokens.get(i).is_some_and(|t| t.kind == TokenKind::Symbol));
        if does(0) && end {
            return Some(format!("are {}{heavier}", between(1, at)?));
        }
        // `do males weigh more than females`
        if does(0) && than {
            return Some(format!("are {}{heavier} than {}", between(1, at)?, behind(at + 3)?));
        }
        let is = if self.is_russian() { "" } else { "is " };
        self.put(at, at + 2, &format!("{is}{heavier}"))
    }

    /// The column of two values one of which is said.
    fn of_two_values(&self, said: &str) -> Option<&'a Column> {
        const NONE: [&str; 4] = ["", "na", "n/a", "none"];
        let said = tokenise(said);
        let [only] = &said[..] else { return None };
        let is = |value: &String| stem_of(&value.to_lowercase()) == only.stem;
        let sex = |c: &Column| {
            ["самц", "самк", "мужчин", "женщин"].iter().any(|w| only.folded.starts_with(w))
                && parts(&c.name).iter().any(|p| ["sex", "gender", "пол"].contains(&p.as_str()))
        };
        self.table.columns.iter().find(|c| {
            let values = c.values.iter().flatten();
            let told: Vec<&String> =
                values.filter(|v| !NONE.contains(&v.to_lowercase().as_str())).collect();
            c.kind == Kind::Text && told.len() == 2 && (told.iter().any(|v| is(v)) || sex(c))
        })
    }

    pub(super) fn heavier(&self) -> Option<String> {
        let (at, column) = self.compared()?;
        let said = |from: usize, to: usize| {
            let words = self.tokens.get(from..to)?.iter();
            let named: Vec<&str> = words
                .filter(|t| !ASKS.contains(&t.folded.as_str()))
                .filter(|t| t.kind != TokenKind::Symbol || t.is_symbol("-"))
                .filter(|t| !said_of(column, t))
                .map(|t| t.raw.as_str())
                .collect();
            (!named.is_empty()).then(|| named.join(" "))
        };
        // `who is heavier, males or females`
        let or = (at + 1..self.tokens.len()).find(|&at| ["or", "или"].contains(&self.word(at)));
        let both = or.and_then(|or| Some((said(at + 1, or)?, said(or + 1, self.tokens.len())?)));
        let column = &column.name;
        if let (Some((one, other)), None) = (both, said(0, at)) {
            return Some(if self.is_russian() {
                format!("среднее `{column}` {one} против {other}")
            } else {
                format!("mean `{column}` {one} vs {other}")
            });
        }
        let than = (at..self.tokens.len()).find(|&at| ["than", "чем"].contains(&self.word(at)));
        // `are males heavier`: than the others
        if than.is_none() && or.is_none() && said(at + 1, self.tokens.len()).is_none() {
            let by = &self.of_two_values(&said(0, at)?)?.name;
            return Some(if self.is_russian() {
                format!("среднее `{column}` по `{by}`")
            } else {
                format!("mean `{column}` by `{by}`")
            });
        }
        // `how much heavier are males than females`
        let one = said(0, at).or_else(|| said(at + 1, than?))?;
        let other = said(than.unwrap_or(at) + 1, self.tokens.len())?;
        // a number behind it is a bound
        if other.chars().any(|c| c.is_ascii_digit()) || than.is_none() && !self.is_russian() {
            return None;
        }
        Some(if self.is_russian() {
            format!("среднее `{column}` {one} против {other}")
        } else {
            format!("mean `{column}` {one} vs {other}")
        })
    }

    /// `heaviest penguin`, `top 5 heaviest`, `самый тяжёлый`: rows by what the adjective is of, where one
    /// column alone is that.
    pub(super) fn heaviest(&self) -> Option<String> {
        const GRADES: [(&[&str], bool, &[&str]); 4] = [
            (&["heaviest", "тяжел"], true, &["mass", "weight", "масс", "вес"]),
            (&["lightest", "легк", "легч"], false, &["mass", "weight", "масс", "вес"]),
            (&["tallest"], true, &["height", "рост", "высот"]),
            (&["deepest", "глубок"], true, &["depth", "глубин"]),
        ];
        const OPENS: [&str; 12] = [
            "who",
            "which",
            "what",
            "is",
            "was",
            "the",
            "show",
            "find",
            "кто",
            "какой",
            "самый",
            "самая",
        ];
        let of = |at: usize| GRADES.iter().find(|(words, ..)| self.begins(at, words));
        let at = (0..self.tokens.len()).find(|&at| of(at).is_some())?;
        let (_, high, names) = of(at)?;
        if self.is_russian() && !(at > 0 && self.begins(at - 1, &["сам"])) {
            return None;
        }
        let mut fitting = self.called(names);
        let column = fitting.next().filter(|_| fitting.next().is_none())?;
        let number = at.checked_sub(1).filter(|&i| self.word(i).parse::<u32>().is_ok());
        let from = number.unwrap_or(at);
        let top = usize::from(from > 0 && self.word(from - 1) == "top");
        let from = from - top;
        let from =
            (0..from).rev().take_while(|&i| OPENS.contains(&self.word(i))).last().unwrap_or(from);
        // what the rows are, and nothing that they are by
        let rows = parts(&self.table.name);
        let noun = self
            .tokens
            .get(at + 1)
            .is_some_and(|t| rows.iter().any(|part| stem_of(part) == t.stem));
        if from > 0 {
            return None;
        }
        let column = &column.name;
        let rows = match (number.map(|i| self.word(i)), self.is_russian()) {
            (Some(number), false) => format!("{number} rows"),
            (Some(number), true) => format!("{number} строк"),
            (None, false) => "rows".to_owned(),
            (None, true) => "строки".to_owned(),
        };
        let end = match (self.is_russian(), *high) {
            (false, true) => "with the highest",
            (false, false) => "with the lowest",
            (true, true) => "с наибольшим",
            (true, false) => "с наименьшим",
        };
        self.put(from, at + 1 + usize::from(noun), &format!("{rows} {end} `{column}`"))
    }

    /// `which island has the most species`: the most of different ones.
    pub(super) fn most_kinds(&self) -> Option<String> {
        const HAS: [&str; 2] = ["has", "have"];
        const MOST: [&str; 4] = ["most", "fewest", "largest", "least"];
        let text = |at: usize| self.text_column(at);
        let (group, kinds, few) = if self.is_russian() {
            // `на каком острове больше всего видов`
            let which = ["каком", "какой", "какая", "каких", "котором"];
            let at = (0..self.tokens.len()).find(|&at| which.contains(&self.word(at)))?;
            let few = self.word(at + 2) == "меньше";
            let all = (few || self.word(at + 2) == "больше")
                && ["всего", "разных"].contains(&self.word(at + 3));
            let last = at + if self.word(at + 4) == "разных" { 5 } else { 4 };
            (text(at + 1)?, text(last).filter(|_| all)?, few)
        } else {
            let at = (0..self.tokens.len()).find(|&at| HAS.contains(&self.word(at)))?;
            let most = if self.word(at + 1) == "the" { at + 2 } else { at + 1 };
            if at == 0 || !MOST.contains(&self.word(most)) {
                return None;
            }
            let few = ["fewest", "least"].contains(&self.word(most));
            let last = if self.word(most + 1) == "different" { most + 2 } else { most + 1 };
            // nothing else is asked
            let ends = self.tokens.get(last + 1).is_none_or(|t| t.is_symbol("?"));
            (text(at - 1)?, text(last).filter(|_| ends)?, few)
        };
        if group.name == kinds.name {
            return None;
        }
        let (group, kinds) = (&group.name, &kinds.name);
        Some(match (self.is_russian(), few) {
            (false, false) => format!("number of different `{kinds}` by `{group}`, largest first"),
            (false, true) => format!("number of different `{kinds}` by `{group}`, smallest first"),
            (true, false) => format!("число разных `{kinds}` по `{group}` по убыванию"),
            (true, true) => format!("число разных `{kinds}` по `{group}` по возрастанию"),
        })
    }

    /// `share of each species in percent`: shares are per cents.
    pub(super) fn shares_in_percent(&self) -> Option<String> {
        const PERCENT: [&str; 6] = [
            "in percent",
            "in per cent",
            "in percentages",
            "as a percentage",
            "as percentages",
            "в процентах",
        ];
        const SHARE: [&str; 5] = ["share", "shares", "доля", "доли", "долю"];
        let (from, to) = self.phrase(&PERCENT)?;
        let shares = (0..from).any(|at| SHARE.contains(&self.word(at)));
        let ends = self.tokens.get(to).is_none_or(|t| t.is_symbol("?"));
        if shares && ends && from > 1 { self.put(from, to, "") } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::super::restated;
    use crate::schema::{Column, Kind, TableSchema};

    #[test]
    fn comparing_adjectives_and_the_most_of_different_ones() {
        let named = |name: &str, label: &str| Column {
            label: Some(label.to_owned()),
            ..Column::new(name, Kind::Text)
        };
        let table = TableSchema::new(
            "penguins",
            vec![
                named("species", "вид"),
                named("island", "остров"),
                Column::new("body_mass_g", Kind::Float),
                Column::new("bill_length_mm", Kind::Float),
                Column::new("flipper_length_mm", Kind::Float),
            ],
        );
        for (question, wanted) in [
            ("are males heavier than females?", Some("mean `body_mass_g` males vs females")),
            (
                "how much heavier are males than females",
                Some("mean `body_mass_g` males vs females"),
            ),
            ("насколько самцы тяжелее самок", Some("среднее `body_mass_g` самцы против самок")),
            (
                "are Gentoo flippers longer than Adelie flippers",
                Some("mean `flipper_length_mm` Gentoo vs Adelie"),
            ),
            // of two lengths neither is named
            ("are males longer than females", None),
            ("are males cheaper than females", None),
            ("who is heavier, males or females?", Some("mean `body_mass_g` males vs females")),
            ("кто тяжелее, самцы или самки", Some("среднее `body_mass_g` самцы против самки")),
            (
                "which species has longer flippers",
                Some("`species` with the highest average `flipper_length_mm`"),
            ),
            ("у какого вида короче bill", Some("`species` с наименьшим средним `bill_length_mm`")),
            ("which species has longer flippers in 2008", None),
            ("какие есть острова", Some("число строк по `island`")),
            ("какие виды на острове Dream?", Some("число строк по `species` на острове Dream?")),
            ("which species live on Dream", Some("number of rows by `species` on Dream")),
            ("какие виды тяжелее 5000", None),
            ("penguins heavier than 5000", None),
            (
                "which island has the most species?",
                Some("number of different `species` by `island`, largest first"),
            ),
            (
                "на каком острове больше всего видов",
                Some("число разных `species` по `island` по убыванию"),
            ),
            ("which island has the most species in 2008", None),
            ("share of each species in percent", Some("share of each species ")),
        ] {
            assert_eq!(restated(question, &table).as_deref(), wanted, "{question}");
        }
    }
}
