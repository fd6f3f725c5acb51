//! `price per km`: what one measure comes to for one of another, of all rows together; `revenue` of a
//! table with one column of money, which is taken for it and said to be.

use super::{Asked, Made, one_of};
use crate::error::{Locale, Text};
use crate::planner::dictionary::same_noun;
use crate::planner::explain;
use crate::planner::follow::put_back;
use crate::planner::restated::product::is_of_one;
use crate::planner::stem::{parts, stem};
use crate::query::{Query, Selected, check, format};
use crate::schema::Column;

/// What units are called in questions and in names of columns.
const UNITS: [&str; 8] = [
    "km kilometre kilometres kilometer kilometers км километр километра",
    "min minute minutes mins мин минута минуту минуты",
    "h hr hour hours ч час часа",
    "kg kilogram kilograms кг килограмм",
    "m metre meter metres meters м метр",
    "l litre liter litres liters л литр",
    "mile miles mi миля милю",
    "day days день дня",
];
/// Names of what is paid for a row.
const PAID: &str = "price amount total sum fare payment paid цена сумма стоимость оплата";
/// Names of any money, and of how many there are.
const MONEY: &str = "price amount total sum fare payment paid sales fee fees cost costs profit tax taxes \
                     discount tip tips salary wage balance budget refund bonus income revenue margin rent \
                     цена сумма стоимость оплата зарплата налог скидка прибыль расход доход баланс \
                     quantity qty units pieces count количество кол штук";
/// Names of money that comes beside what was paid.
const BESIDE_IT: &str = "tip tips чаевые";
/// Names of such money in questions.
const REVENUE: &str = "revenue turnover выручка выручку выручки выручке выручкой оборот оборота";
/// Words for an end of what it adds up to.
const MOST: &str =
    "highest lowest largest smallest biggest наибольшая наименьшая наибольшей наименьшей";
/// Words that say what becomes of the values.
const SAID: &str = "total sum average avg mean median max min maximum minimum highest lowest largest smallest \
                    biggest сумма общая средняя среднюю средней медианная наибольшая наименьшая \
                    максимальная минимальная";

impl Asked<'_> {
    /// The only column of money, which is what was paid for a row; the only one beside tips and such.
    fn paid(&self) -> Option<&Column> {
        let named = |c: &Column, list: &str| parts(&c.name).iter().any(|part| one_of(list, part));
        let mut money = self.money().filter(|c| !named(c, BESIDE_IT));
        let only = money.next().filter(|_| money.next().is_none())?;
        let paid = named(only, PAID) && !only.signed && !is_of_one(&only.name);
        (paid && self.table.ohlcv.is_none()).then_some(only)
    }

    fn money(&self) -> impl Iterator<Item = &Column> {
        let named = |c: &Column| parts(&c.name).iter().any(|part| one_of(MONEY, part));
        self.table.columns.iter().filter(move |c| c.kind.is_numeric() && named(c))
    }

    /// Why it is that column, in both languages.
    fn why(&self, paid: &Column) -> Text {
        let others = self.money().filter(|c| c.name != paid.name).map(|c| c.name.as_str());
        let others: Vec<&str> = others.collect();
        if others.is_empty() {
            return text!("it is the only column of money", "это единственный столбец с деньгами");
        }
        let (en, ru) = (others.join(", "), others.join("», «"));
        text!("without {en}", "без «{ru}»")
    }

    /// `сколько заказов и на какую сумму`, `number of orders and total amount`: both of it.
    pub(super) fn count_and_money(&self) -> Option<Made> {
        const MONEY: [(&str, &[&str]); 12] = [
            ("выручка", &["и", "на", "какую", "сумму"]),
            ("выручка", &["и", "на", "какую", "общую", "сумму"]),
            ("выручка", &["и", "какая", "сумма"]),
            ("выручка", &["и", "какова", "сумма"]),
            ("выручка", &["и", "общая", "сумма"]),
            ("выручка", &["и", "их", "сумма"]),
            ("выручка", &["и", "сумма"]),
            ("revenue", &["and", "for", "how", "much"]),
            ("revenue", &["and", "the", "total", "amount"]),
            ("revenue", &["and", "total", "amount"]),
            ("revenue", &["and", "total", "value"]),
            ("revenue", &["and", "their", "total"]),
        ];
        let word = |at: usize| self.tokens.get(at).map_or("", |t| t.folded.as_str());
        let counts =
            (0..3).any(|at| one_of("сколько количество число many number count", word(at)));
        let at_phrase = |at: usize, phrase: &[&str]| {
            phrase.iter().enumerate().all(|(n, said)| word(at + n) == *said)
        };
        let (at, revenue, phrase) = (1..self.tokens.len()).find_map(|at| {
            let (revenue, phrase) = MONEY.iter().find(|(_, phrase)| at_phrase(at, phrase))?;
            Some((at, *revenue, *phrase))
        })?;
        // `и сумма налога` is of another column
        let behind = word(at + phrase.len());
        let ends = behind.is_empty() || one_of("? по by per за в in for during of", behind);
        if !counts || !ends {
            return None;
        }
        let (before, after) = (self.said(0, at), self.said(at + phrase.len(), self.tokens.len()));
        let and = word(at);
        let money = match (self.paid(), self.is_russian()) {
            (Some(paid), true) => format!("сумма {}", format::name(&paid.name)),
            (Some(paid), false) => format!("total {}", format::name(&paid.name)),
            (None, _) => revenue.to_owned(),
        };
        let query = self.ready(format!("{before} {and} {money} {after}").trim());
        let both = query.filter(|query| query.select.len() == 2);
        if let Some(query) = both {
            let said = self.told(&query)?;
            return Some(Made::Query(query, said));
        }
        // half of it is no answer
        let query = self.ready(&self.said(0, self.tokens.len()))?;
        let said = self.told(&query)?;
        (query.select.len() < 2).then_some(Made::Offered(query, said))
    }

    /// The question with a column in the place of a word, where it is understood so.
    fn with_total(&self, from: usize, to: usize, name: &str) -> Option<Query> {
        let before = self.said(0, from);
        let said = from.checked_sub(1).and_then(|at| self.tokens.get(at));
        let most = said.is_some_and(|t| one_of(MOST, &t.folded));
        let said = said.is_some_and(|t| one_of(SAID, &t.folded));
        let by = from.checked_sub(1).and_then(|at| self.tokens.get(at));
        let by = by.is_some_and(|t| t.folded == "по");
        let total = match (said, self.is_russian()) {
            (true, _) => "",
            (false, true) if by => "сумме",
            (false, true) => "сумма",
            (false, false) => "total",
        };
        let behind = self.said(to, self.tokens.len());
        self.ready(&format!("{before} {total} {name} {behind}")).or_else(|| {
            // `city with the highest revenue`: what it adds up to
            let total = if self.is_russian() { "суммой" } else { "total" };
            most.then(|| self.ready(&format!("{before} {total} {name} {behind}")))?
        })
    }

    /// `which city earns the most`, `самый прибыльный город`: by what was paid in it.
    fn earns_most(&self) -> Option<Made> {
        const EARNS: [&str; 14] = [
            "earns the most money",
            "earns most money",
            "earns the most",
            "earns most",
            "makes the most money",
            "makes most money",
            "brings in the most money",
            "brings in the most",
            "brings in most",
            "brings the most money",
            "brings the most",
            "приносит больше всего денег",
            "приносит больше всего",
            "зарабатывает больше всего",
        ];
        const BEST: [&str; 4] = ["profitable", "lucrative", "прибыльн", "доходн"];
        let word = |at: usize| self.tokens.get(at).map_or("", |t| t.folded.as_str());
        let end = self.tokens.len() - usize::from(self.tokens.last()?.is_symbol("?"));
        let paid = self.paid()?;
        let name = format::name(&paid.name);
        let words = self.said(0, end).to_lowercase();
        let verb = EARNS.iter().find_map(|phrase| words.strip_suffix(phrase));
        let best = (1..end).find(|&at| {
            BEST.iter().any(|begin| word(at).starts_with(begin))
                && (word(at - 1) == "most" || word(at - 1).starts_with("сам"))
        });
        let subject = match (verb, best) {
            (Some(subject), _) => subject.trim().to_owned(),
            (None, Some(at)) => {
                let before = (0..at - 1)
                    .all(|i| one_of("what is the which a show me какой какая какое", word(i)));
                // `which city is the most profitable`
                let behind = self.said(at + 1, end);
                match (behind.is_empty(), before) {
                    (false, true) => behind,
                    (true, _) => {
                        let kept =
                            (0..at - 1).filter(|&i| !one_of("is the самый самая самое", word(i)));
                        kept.map(word).collect::<Vec<_>>().join(" ")
                    }
                    _ => return None,
                }
            }
            _ => return None,
        };
        let subject = subject
            .trim_start_matches("which ")
            .trim_start_matches("what ")
            .trim_start_matches("какой ")
            .trim_start_matches("какая ")
            .to_owned();
        let asked = if self.is_russian() {
            format!("{subject} с наибольшей суммой {name}")
        } else {
            format!("{subject} with the highest total {name}")
        };
        let query = self.ready(&asked).filter(|_| !self.goes_well())?;
        let checked = check(&query, self.tables).ok()?;
        let [en, ru] = [Locale::En, Locale::Ru].map(|l| explain::of_query(&checked, false, l));
        let (en, ru, name) = (en?, ru?, &paid.name);
        let Text { en: why, ru: because_ru } = self.why(paid);
        let said = text!("{en} (by {name}: {why})", "{ru} (по «{name}»: {because_ru})");
        let made = Made::Query(query, said);
        // what is left of it as a profit is not known
        Some(if verb.is_some() { made } else { made.offered() })
    }

    pub(super) fn revenue(&self) -> Option<Made> {
        if let Some(made) = self.earns_most() {
            return Some(made);
        }
        let mut named = (0..self.tokens.len())
            .filter(|&at| self.tokens.get(at).is_some_and(|t| one_of(REVENUE, &t.folded)));
        let (Some(at), None) = (named.next(), named.next()) else { return None };
        let paid = self.paid()?;
        if self.previous.is_some() && crate::planner::follow::goes_on(self.tokens)
            || self.goes_well()
        {
            return None;
        }
        let query = self.with_total(at, at + 1, &format::name(&paid.name))?;
        let checked = check(&query, self.tables).ok()?;
        let [en, ru] = [Locale::En, Locale::Ru].map(|l| explain::of_query(&checked, false, l));
        let (en, ru, name) = (en?, ru?, &paid.name);
        let Text { en: why, ru: because_ru } = self.why(paid);
        let said = text!(
            "{en} ({name} taken for the revenue: {why})",
            "{ru} (за выручку взят «{name}»: {because_ru})"
        );
        let made = Made::Query(query, said);
        // `revenue` alone may be that of the rows that were asked for
        Some(if self.leans() && self.tokens.len() < 3 { made.offered() } else { made })
    }

    pub(super) fn ratio(&self) -> Option<Made> {
        let word = |at: usize| self.tokens.get(at).map_or("", |t| t.folded.as_str());
        let mut pers = (1..self.tokens.len()).filter(|&at| ["per", "за", "на"].contains(&word(at)));
        let (Some(per), None) = (pers.next(), pers.next()) else { return None };
        let unit_said = word(per + 1);
        let list = UNITS.iter().find(|list| one_of(list, unit_said))?;
        let mut of = self.table.columns.iter().filter(|c| {
            c.kind.is_numeric() && parts(&c.name).iter().any(|part| one_of(list, part))
        });
        let (Some(of), None) = (of.next(), of.next()) else { return None };
        let paid = self.paid()?;
        let at = per - 1;
        let called = one_of(REVENUE, word(at))
            || one_of("cost стоимость", word(at))
            || parts(&paid.name).iter().any(|part| {
                let (part, said) = (stem(part), stem(word(at)));
                part == said || same_noun(&part, &said)
            });
        let mean = at > 0 && one_of("average avg mean средняя среднюю", word(at - 1));
        let plain = (0..at).all(|i| {
            one_of("what is the a show me какая какова покажи", word(i)) || mean && i + 1 == at
        });
        if !called || !plain || of.name == paid.name || self.goes_well() {
            return None;
        }
        let rest = self.said(per + 2, self.tokens.len());
        let total = if self.is_russian() { "сумма" } else { "total" };
        let [money, unit] = [&paid.name, &of.name].map(|name| format::name(name));
        let mut query = self.ready(&format!("{total} {money} {rest}"))?;
        if query.select != [format!("sum({money})").as_str().into()]
            || !query.steps.is_empty()
            || !query.sort.is_empty()
        {
            return None;
        }
        let alias = Some(format!("{}_per_{}", paid.name, of.name));
        query.select = vec![Selected { alias, text: format!("sum({money}) / sum({unit})") }];
        let gaps = [paid, of].into_iter().filter(|c| c.nulls.is_some_and(|n| n > 0));
        for column in gaps {
            let there = format!("not isnull({})", format::name(&column.name));
            query.filter = Some(put_back(query.filter.as_deref(), &there)?);
        }
        let plain =
            Query { select: vec![format!("sum({money})").as_str().into()], ..query.clone() };
        let checked = check(&plain, self.tables).ok()?;
        let [en, ru] = [Locale::En, Locale::Ru].map(|l| explain::of_query(&checked, false, l));
        let (en, ru, by) = (en?, ru?, &of.name);
        let said = text!("{en}, divided by the total of {by}", "{ru}, делённая на сумму {by}");
        let made = Made::Query(query, said);
        // the mean of what it is for each row is another number, and a day or an hour may be of the clock
        let clock = one_of("day days день дня h hr hour hours ч час часа", unit_said)
            && self.table.columns.iter().any(|c| c.kind.is_time());
        Some(if mean || clock { made.offered() } else { made })
    }
}
