//! What has a length and two ends, as trips have: how long one takes, and how many end where.

use super::super::dictionary::same_noun;
use super::super::stem::{parts, stem};
use super::super::token::TokenKind;
use super::wording::Asked;
use crate::schema::{Column, Kind};

/// Names of columns with times.
const TIMES: [&str; 16] = [
    "minutes",
    "mins",
    "minute",
    "min",
    "hours",
    "hour",
    "hrs",
    "seconds",
    "secs",
    "second",
    "sec",
    "duration",
    "минуты",
    "часы",
    "секунды",
    "длительность",
];
/// Words of `how long does the average trip take` beside the noun.
const BESIDE: [&str; 38] = [
    "how",
    "long",
    "do",
    "does",
    "did",
    "is",
    "are",
    "was",
    "were",
    "the",
    "a",
    "an",
    "average",
    "typical",
    "usual",
    "usually",
    "typically",
    "take",
    "takes",
    "took",
    "last",
    "lasts",
    "lasted",
    "on",
    "сколько",
    "времени",
    "длится",
    "длятся",
    "длилась",
    "длились",
    "занимает",
    "занимают",
    "занимала",
    "занимали",
    "идет",
    "обычно",
    "в",
    "среднем",
];

impl Asked<'_> {
    /// `how long does the average trip take by vehicle`: the time of it, where one column has that.
    pub(super) fn how_long_it_takes(&self) -> Option<String> {
        let english = (self.word(0), self.word(1)) == ("how", "long");
        let lasts = ["длит", "длил", "занима"];
        let russian = self.word(0) == "сколько" && (1..3).any(|at| self.begins(at, &lasts));
        if !english && !russian {
            return None;
        }
        let timed = |c: &&Column| {
            let words = parts(&c.name);
            let made = words.iter().any(|part| part == "duration");
            c.kind.is_numeric() && (made || TIMES.contains(&c.name.to_lowercase().as_str()))
        };
        let mut times = self.table.columns.iter().filter(timed);
        let time = &times.next().filter(|_| times.next().is_none())?.name;
        let mut noun = None;
        let mut at = if english { 2 } else { 1 };
        while let Some(token) = self.tokens.get(at) {
            // `за`, `by`, `in` begin what is left
            if self.is_row(at) || self.is_noun_of_rows(&token.stem) {
                noun = Some(at);
            } else if !BESIDE.contains(&self.word(at))
                || self.word(at) == "в" && self.word(at + 1) != "среднем"
            {
                break;
            }
            at += 1;
        }
        noun?;
        let from = self.tokens.get(at).map_or(self.question.len(), |t| t.span.start);
        let rest = self.question.get(from..)?;
        let mean = if russian { "среднее" } else { "average" };
        Some(format!("{mean} `{time}` {rest}").trim().to_owned())
    }

    fn is_noun_of_rows(&self, said: &str) -> bool {
        parts(&self.table.name).iter().any(|part| same_noun(&stem(part), said))
    }

    /// `which zone has the most dropoffs` of pickup and dropoff zones: rows by the one that is named.
    pub(super) fn of_either_end(&self) -> Option<String> {
        let text = |c: &&Column| c.kind == Kind::Text;
        let ends: Vec<(String, String, &Column)> = self
            .table
            .columns
            .iter()
            .filter(text)
            .filter_map(|c| match &parts(&c.name)[..] {
                [end, noun] => Some((stem(end), stem(noun), c)),
                _ => None,
            })
            .collect();
        let said = |at: usize| self.tokens.get(at).filter(|t| t.kind == TokenKind::Word);
        let find = |name: &str| {
            (0..self.tokens.len()).find(|&at| said(at).is_some_and(|t| t.stem == name))
        };
        ends.iter().find_map(|(end, noun, column)| {
            let two = ends.iter().filter(|(_, other, _)| other == noun).count() == 2;
            let (named, of) = (find(end)?, find(noun)?);
            let other =
                ends.iter().any(|(other, n, _)| n == noun && other != end && find(other).is_some());
            // `pickup zone` names the column itself
            let plural = self.word(named).ends_with('s');
            if !two || other || !plural || named.abs_diff(of) == 1 {
                return None;
            }
            let put = |at: usize| match at {
                at if at == named => "rows".to_owned(),
                at if at == of => format!("`{}`", column.name),
                _ => self.tokens.get(at).map_or_else(String::new, |t| t.raw.clone()),
            };
            Some((0..self.tokens.len()).map(put).collect::<Vec<_>>().join(" "))
        })
    }

    /// `how much did customer C7 spend`: what came in from them, where nothing is called spending.
    pub(super) fn spent_by(&self) -> Option<String> {
        let at = (1..self.tokens.len())
            .find(|&at| ["spend", "spent", "потратил", "потратила"].contains(&self.word(at)))?;
        let english = (self.word(0), self.word(1)) == ("how", "much")
            && ["did", "has", "have", "does"].contains(&self.word(2))
            && at > 3;
        let place = ["в", "на", "за", "у", "по", "с"].contains(&self.word(2));
        let russian = self.word(0) == "сколько" && at == 1 && self.tokens.len() > 3 && !place;
        let has = |c: &&Column, list: &[&str]| {
            c.kind.is_numeric() && parts(&c.name).iter().any(|part| list.contains(&part.as_str()))
        };
        let columns = || self.table.columns.iter();
        if !english && !russian
            || columns()
                .any(|c| has(&c, &["cost", "spend", "spent", "spending", "expense", "expenses"]))
        {
            return None;
        }
        let money = self.money()?;
        // one's own spending is of everything
        if ["i", "we", "you", "я", "мы", "people"].contains(&self.word(if english { 3 } else { 2 }))
        {
            return None;
        }
        let said = |from: usize, to: usize| {
            let (from, to) =
                (self.tokens.get(from)?.span.start, self.tokens.get(to.checked_sub(1)?)?.span.end);
            self.question.get(from..to)
        };
        let behind = said(at + 1, self.tokens.len()).unwrap_or_default();
        Some(if english {
            format!("total `{money}` for {} {behind}", said(3, at)?)
        } else {
            format!("сумма `{money}` {behind}")
        })
    }

    /// `у кого самая большая продажа`: the row with the most money.
    pub(super) fn whose_biggest(&self) -> Option<String> {
        let most =
            |at: usize| self.begins(at, &["сам"]) && self.begins(at + 1, &["больш", "крупн"]);
        let asked = (self.word(0), self.word(1)) == ("у", "кого") && most(2);
        let noun =
            self.is_row(4) || self.tokens.get(4).is_some_and(|t| self.is_noun_of_rows(&t.stem));
        let ends = self.tokens.iter().skip(5).all(|t| t.kind == TokenKind::Symbol);
        let money = self.money()?;
        (asked && noun && ends).then(|| format!("строки с наибольшим `{money}`"))
    }

    /// The only column of what comes in.
    fn money(&self) -> Option<&str> {
        let named = |c: &&Column| {
            let money = ["revenue", "total", "sales", "amount", "выручка", "сумма"];
            c.kind.is_numeric() && parts(&c.name).iter().any(|part| money.contains(&part.as_str()))
        };
        let mut money = self.table.columns.iter().filter(named);
        money.next().filter(|_| money.next().is_none()).map(|c| c.name.as_str())
    }

    /// `fare distribution`: that of the fare.
    pub(super) fn distributed(&self) -> Option<String> {
        let end = self.tokens.iter().rposition(|t| t.kind == TokenKind::Word)?;
        let said = ["distribution", "histogram"].contains(&self.word(end)) && end > 0;
        let before = self.question.get(..self.tokens.get(end)?.span.start)?.trim();
        (said && self.word(0) != "show").then(|| format!("distribution of {before}"))
    }

    /// `заказы на сумму больше 2000`: dearer ones, where no column is called a sum; `quantity sold` is
    /// the quantity.
    pub(super) fn of_such_a_sum(&self) -> Option<String> {
        const DEARER: [&str; 8] = [
            "с суммой больше",
            "с суммой более",
            "с суммой свыше",
            "на сумму больше",
            "на сумму более",
            "на сумму свыше",
            "с суммой выше",
            "на сумму от",
        ];
        const CHEAPER: [&str; 5] = [
            "с суммой меньше",
            "с суммой менее",
            "на сумму меньше",
            "на сумму менее",
            "на сумму до",
        ];
        if let Some(at) = (1..self.tokens.len()).find(|&at| self.word(at) == "sold") {
            let named = |c: &Column| {
                c.kind.is_numeric() && parts(&c.name).iter().any(|part| part == self.word(at - 1))
            };
            if self.table.columns.iter().any(named) {
                return self.put(at, at + 1, "");
            }
        }
        let own = |c: &Column| parts(&c.name).iter().any(|part| part.starts_with("сумм"));
        let (from, to, said) = self
            .phrase(&DEARER)
            .map(|(from, to)| (from, to, "дороже"))
            .or_else(|| self.phrase(&CHEAPER).map(|(from, to)| (from, to, "дешевле")))?;
        if from == 0 || self.table.columns.iter().any(own) {
            return None;
        }
        self.put(from, to, said)
    }
}

impl Asked<'_> {
    /// `в каком месяце была максимальная выручка`: the month that has most of it, as `самая большая` says.
    pub(super) fn which_is_largest(&self) -> Option<String> {
        const WHICH: [&str; 7] = ["каком", "какой", "какая", "какие", "каких", "какого", "какую"];
        const TIMES: [&str; 8] = ["месяц", "квартал", "год", "день", "дне", "дня", "недел", "час"];
        let at =
            (0..self.tokens.len()).find(|&at| self.begins(at, &["максимальн", "минимальн"]))?;
        let which = (0..at).find(|&i| WHICH.contains(&self.word(i)))?;
        (which + 1..at).find(|&i| self.begins(i, &TIMES) || self.text_column(i).is_some())?;
        let large = self.begins(at, &["макс"]);
        let said = match (self.word(at).chars().last()?, large) {
            ('я', true) => "самая большая",
            ('я', false) => "самая маленькая",
            ('е', true) => "самое большое",
            ('е', false) => "самое маленькое",
            (_, true) => "самый большой",
            (_, false) => "самый маленький",
        };
        self.put(at, at + 1, said)
    }

    /// `how has mean mass changed over the years`: by year.
    pub(super) fn over_the_years(&self) -> Option<String> {
        const BETWEEN: [&str; 8] =
            ["changed", "change", "changes", "evolved", "evolve", "varied", "vary", "developed"];
        let at = (1..self.tokens.len()).find(|&at| {
            ["over", "through"].contains(&self.word(at))
                && self.word(at + 1) == "the"
                && self.word(at + 2) == "years"
        })?;
        let changed = BETWEEN.contains(&self.word(at - 1));
        let end = if changed { at - 1 } else { at };
        let asks = self.word(0) == "how"
            && ["has", "have", "had", "did", "do", "does"].contains(&self.word(1));
        let from = match (asks && changed, changed) {
            (true, _) if self.word(2) == "the" => 3,
            (true, _) => 2,
            (false, false) => 0,
            (false, true) => return None,
        };
        let start = self.tokens.get(from)?.span.start;
        let said = self.question.get(start..self.tokens.get(end)?.span.start)?;
        let behind = self.question.get(self.tokens.get(at + 2)?.span.end..)?;
        Some(format!("{said}by year{behind}"))
    }

    /// `ratio of males to females`: how many of each there are.
    pub(super) fn ratio_of_two(&self) -> Option<String> {
        let words: Vec<&str> = self
            .tokens
            .iter()
            .filter(|t| t.kind != TokenKind::Symbol && t.folded != "the")
            .filter(|t| !["what", "is", "what's", "какое", "каково"].contains(&t.folded.as_str()))
            .map(|t| t.folded.as_str())
            .collect();
        match words[..] {
            ["ratio", "of", one, "to" | "and", other] => Some(format!("how many {one} vs {other}")),
            ["отношение" | "соотношение", one, "к" | "и", other] => {
                Some(format!("сколько {one} против {other}"))
            }
            _ => None,
        }
    }
}
