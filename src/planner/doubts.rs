//! Words that a query may not have taken in: `never`, `only`, `in a row`, a number of rows, a share. Such
//! a query is offered, not run.

use super::assemble::Table;
use super::dictionary::same_noun;
use super::lattice::is_id;
use super::sketch::Measure;
use super::stem::{is_number_of, parts, stem};
use super::token::{Token, TokenKind};
use crate::query::Query;
use crate::query::ast::{Compare, Expr, Node};
use crate::query::parse;
use crate::schema::{Column, Kind, TableSchema};

/// Words that say of a group that all of its rows, or none, are such.
const OF_ALL: [&str; 14] = [
    "never",
    "always",
    "only",
    "every",
    "no",
    "without",
    "everyday",
    "никогда",
    "всегда",
    "только",
    "каждый",
    "каждую",
    "без",
    "ни",
];
/// Words for rows that follow each other.
const IN_A_ROW: [&[&str]; 4] = [&["in", "a", "row"], &["consecutive"], &["подряд"], &["straight"]];
const SHARES: [&str; 9] =
    ["percent", "percentage", "share", "fraction", "proportion", "доля", "доли", "долю", "процент"];
const THEY: [&str; 18] = [
    "they",
    "their",
    "them",
    "he",
    "she",
    "his",
    "her",
    "они",
    "их",
    "он",
    "она",
    "его",
    "ее",
    "него",
    "них",
    "нее",
    "таких",
    "там",
];
const UNITS: [&str; 12] = [
    "unit",
    "piece",
    "item",
    "km",
    "kilometre",
    "kilometer",
    "minute",
    "kg",
    "единицу",
    "штуку",
    "минуту",
    "км",
];

const MONTHS: [&str; 19] = [
    "январ",
    "феврал",
    "март",
    "апрел",
    "мая",
    "май",
    "июн",
    "июл",
    "август",
    "сентябр",
    "октябр",
    "ноябр",
    "декабр",
    "january",
    "february",
    "march",
    "april",
    "june",
    "july",
];
const TIMES: [&str; 8] = ["minute", "hour", "second", "минут", "час", "секунд", "мин", "сек"];
const COMPARE: [&str; 26] = [
    "more",
    "less",
    "fewer",
    "above",
    "below",
    "over",
    "under",
    "higher",
    "lower",
    "greater",
    "exceed",
    "exceeds",
    "exceeded",
    "больше",
    "меньше",
    "выше",
    "ниже",
    "более",
    "менее",
    "превышает",
    "превысил",
    "than",
    "чем",
    "at",
    "дороже",
    "дешевле",
];

/// The question says more than the query does.
pub(super) fn says_more(
    tokens: &[Token],
    query: &Query,
    previous: Option<&Query>,
    schema: &TableSchema,
) -> bool {
    let asked = Asked { tokens, query, schema };
    asked.of_all()
        || asked.of_the_same_period()
        || asked.of_those_who()
        || asked.in_a_row()
        || asked.so_many_rows()
        || asked.of_parts_of_time()
        || asked.of_a_group()
        || asked.share_of_groups()
        || asked.either()
        || asked.per_unit()
        || asked.numbers_for_people()
        || asked.left_out_numbers()
        || asked.by_the_day_of_a_month()
        || asked.of_another_kind()
        || asked.by_each_time()
        || asked.share_of_others()
        || asked.of_a_place()
        || asked.of_single_bars()
        || asked.where_none_is()
        || previous.is_some() && asked.of_them()
}

struct Asked<'a> {
    tokens: &'a [Token],
    query: &'a Query,
    schema: &'a TableSchema,
}

impl Asked<'_> {
    fn word(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |t| t.folded.as_str())
    }

    fn has(&self, list: &[&str]) -> bool {
        self.tokens.iter().any(|t| list.contains(&t.folded.as_str()))
    }

    fn is_of_rows(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|t| {
            parts(&self.schema.name).iter().chain(&self.schema.synonyms).any(|part| {
                let part = stem(part);
                part == t.stem || same_noun(&part, &t.stem)
            })
        })
    }

    fn selects(&self, begin: &str) -> bool {
        self.query.select.iter().any(|selected| selected.text.starts_with(begin))
    }

    /// Columns that the condition on rows compares with a number, and that number.
    fn bounds(&self) -> Vec<(String, f64)> {
        let mut out = Vec::new();
        self.compared(&mut |column, sign, right| {
            let number = crate::query::format::expr(right).parse::<f64>();
            // what comes and what goes is told by its sign
            if let (Ok(number), false) = (number, matches!(sign, Compare::Ne))
                && number != 0.0
            {
                out.push((column.to_owned(), number));
            }
        });
        out
    }

    /// Every comparison of a column in the condition on rows, and in what a share is of.
    fn compared(&self, each: &mut dyn FnMut(&str, Compare, &Expr)) {
        fn walk(expr: &Expr, each: &mut dyn FnMut(&str, Compare, &Expr)) {
            match &expr.node {
                Node::And(list) | Node::Or(list) => list.iter().for_each(|one| walk(one, each)),
                Node::Call { args: list, .. } => list.iter().for_each(|one| walk(one, each)),
                Node::Not(one) => walk(one, each),
                Node::Compare(left, rest) => {
                    if let Node::Column(name) = &left.node {
                        for (sign, right) in rest {
                            each(name, *sign, right);
                        }
                    }
                }
                _ => {}
            }
        }
        let texts = self.query.filter.iter().chain(self.query.select.iter().map(|s| &s.text));
        texts.filter_map(|text| parse(text).ok()).for_each(|expr| walk(&expr, each));
    }

    /// `average one-minute range` is not that of days.
    fn of_single_bars(&self) -> bool {
        const BAR: [&str; 7] = ["bar", "bars", "range", "move", "candle", "change", "volume"];
        let minute = |at: usize| {
            self.word(at).starts_with("минутн")
                || self.word(at) == "minute"
                    && (BAR.contains(&self.word(at + 1))
                        || at > 0 && ["one", "1", "-"].contains(&self.word(at - 1)))
        };
        let days = ["daily", "weekly", "monthly"];
        let day = self.query.from.as_deref().is_some_and(|from| days.contains(&from));
        day && self.schema.ohlcv.is_some() && (0..self.tokens.len()).any(minute)
    }

    /// `на каком острове нет Gentoo` is not of rows without an island.
    fn where_none_is(&self) -> bool {
        let which = |at: usize| {
            ["which", "what"].contains(&self.word(at))
                || self.word(at).starts_with("как")
                    && at.checked_sub(1).is_some_and(|b| ["на", "в", "у"].contains(&self.word(b)))
        };
        let empty = self.query.filter.as_deref().is_some_and(|f| f.contains("isnull("));
        empty && self.has(&["нет", "no"]) && (0..self.tokens.len().min(4)).any(which)
    }

    /// `how many riders never used a bike` counts those with a row of another vehicle.
    fn of_all(&self) -> bool {
        let filter = self.query.filter.as_deref().unwrap_or_default();
        let both = filter.contains(" in [")
            && (self.has(&["both", "оба", "обе"])
                || self.tokens.iter().filter(|t| t.folded == "и").count() > 1);
        self.selects("count_distinct(") && !filter.is_empty() && (self.has(&OF_ALL) || both)
    }

    /// `average tip of those who gave one` is not that of all.
    fn of_those_who(&self) -> bool {
        let those = |at: usize| ["those", "тех", "те", "теми"].contains(&self.word(at));
        let who = |at: usize| {
            ["who", "that", "which", "кто", "которые", "которых", "у", "где"]
                .contains(&self.word(at))
        };
        let said = (0..self.tokens.len()).any(|at| those(at) && (who(at + 1) || who(at + 2)));
        said && self.query.filter.is_none() && self.query.steps.is_empty()
    }

    /// `2024 against the same period of 2023`, where the frames do not say which days that is.
    fn of_the_same_period(&self) -> bool {
        let days = self.query.period.as_ref().is_some_and(|p| p.contains(':'))
            || self.query.filter.as_ref().is_some_and(|f| f.contains("date("));
        !days && super::frames::same_period_is_said(|at| self.word(at), self.tokens.len())
    }

    fn in_a_row(&self) -> bool {
        let words: Vec<&str> = self.tokens.iter().map(|t| t.folded.as_str()).collect();
        let said = IN_A_ROW.iter().any(|run| words.windows(run.len()).any(|here| here == *run));
        said && !self.query.to_json().to_string().contains("streak")
    }

    /// `more than 60 orders` bounds no amount.
    fn so_many_rows(&self) -> bool {
        let bounds = self.bounds();
        (0..self.tokens.len()).any(|at| {
            let number = match self.tokens.get(at).map(|t| &t.kind) {
                Some(TokenKind::Number { value, unit: None, .. }) => *value,
                _ => return false,
            };
            let told = self.is_of_rows(at + 1)
                || ["items", "products", "goods", "lines", "товаров", "позиций", "продуктов"]
                    .contains(&self.word(at + 1));
            told && bounds.iter().any(|(_, bound)| (bound - number).abs() <= 1.0)
        })
    }

    /// `how many days had revenue above 20000` is of what a day came to.
    fn of_parts_of_time(&self) -> bool {
        let parts = ["date(", "month", "week(", "year(", "hour(", "quarter(", "dayname("];
        let counted = self.query.select.iter().any(|selected| {
            let of = selected.text.strip_prefix("count_distinct(");
            of.is_some_and(|of| parts.iter().any(|part| of.starts_with(part)))
        });
        let adds_up = |(name, _): &(String, f64)| self.adds_up(name);
        // `days when revenue was above 20000`, `дни без возвратов`
        const DAYS: [&str; 9] =
            ["days", "months", "weeks", "дни", "дней", "месяцы", "месяцев", "недели", "недель"];
        let listed = (0..3).any(|at| DAYS.contains(&self.word(at)))
            && self.query.select.is_empty()
            && self.query.group_by.is_empty()
            && self.schema.ohlcv.is_none();
        counted && self.bounds().iter().any(adds_up)
            || listed && (self.bounds().iter().any(adds_up) || self.has(&["without", "без"]))
    }

    /// `customers with more than 5000 in total revenue`, `riders who rode on more than one day`.
    fn of_a_group(&self) -> bool {
        let Some(group) = self.subject() else { return false };
        let apart = self.query.group_by.contains(&crate::query::format::name(&group.name));
        let bounds = self.bounds();
        let bounded =
            |(name, _): &(String, f64)| self.adds_up(name) || is_id(name) && !self.is_said(name);
        bounds.iter().any(|bound| bounded(bound) && (!apart || bound.0 != group.name))
            && !self.says_each()
    }

    /// `orders of more than 500 each`.
    fn says_each(&self) -> bool {
        self.has(&["each", "single", "каждый", "каждая"])
    }

    fn adds_up(&self, name: &str) -> bool {
        let column = self.schema.columns.iter().position(|c| c.name == name);
        column.is_some_and(|column| Table::new(self.schema).adds_up(Measure::Column(column)))
    }

    /// The whole name of the column stands in the question.
    fn is_said(&self, name: &str) -> bool {
        self.tokens.iter().any(|t| t.folded == name.to_lowercase())
    }

    /// What the question is about, where it is no name of the rows: a column that tells rows apart.
    fn subject(&self) -> Option<&Column> {
        const LEADS: [&str; 15] = [
            "how",
            "many",
            "number",
            "of",
            "which",
            "what",
            "who",
            "list",
            "show",
            "the",
            "сколько",
            "какие",
            "какой",
            "число",
            "покажи",
        ];
        let at = (0..self.tokens.len()).find(|&at| !LEADS.contains(&self.word(at)))?;
        let listed = self.tokens.get(at + 1).is_some_and(|t| t.is_symbol(","));
        self.told_apart_by(at).filter(|_| !listed)
    }

    fn told_apart_by(&self, at: usize) -> Option<&Column> {
        let noun = self.tokens.get(at).filter(|t| t.kind == TokenKind::Word)?;
        if self.is_of_rows(at) {
            return None;
        }
        let named = |column: &&Column| {
            (column.kind == Kind::Text || is_id(&column.name))
                && parts(&column.name).iter().any(|part| {
                    let part = stem(part);
                    part == noun.stem || same_noun(&part, &noun.stem)
                })
        };
        let mut named = self.schema.columns.iter().filter(named);
        named.next().filter(|_| named.next().is_none())
    }

    /// `what percentage of customers returned something` is no share of rows; nor is a list one.
    fn share_of_groups(&self) -> bool {
        let Some(at) = (0..self.tokens.len()).find(|&at| SHARES.contains(&self.word(at))) else {
            return false;
        };
        let of = if self.word(at + 1) == "of" { at + 2 } else { at + 1 };
        let plural =
            self.word(of).ends_with('s') || self.tokens.get(of).is_some_and(|t| t.raw != t.stem);
        let rows = self.query.select.iter().any(|s| s.text.starts_with("pct("));
        let group = self.told_apart_by(of).is_some() && plural;
        let list = self.query.select.is_empty()
            && self.query.columns.is_empty()
            && self.query.steps.is_empty();
        rows && group && self.query.group_by.is_empty() || list && of == at + 2
    }

    /// `to Castle or from Castle`: one of both was taken.
    fn either(&self) -> bool {
        const BEHIND: [&str; 14] = [
            "more",
            "less",
            "fewer",
            "higher",
            "lower",
            "above",
            "below",
            "so",
            "not",
            "over",
            "any",
            "больше",
            "меньше",
            "нет",
        ];
        let or = (1..self.tokens.len()).any(|at| {
            ["or", "или"].contains(&self.word(at)) && !BEHIND.contains(&self.word(at + 1))
        });
        let text = self.query.to_json().to_string();
        let period =
            self.query.period.as_deref().is_some_and(|p| p.contains(':') || p.contains(','));
        let apart = !self.query.group_by.is_empty() || self.query.select.len() > 1;
        or && !period
            && !apart
            && self.query.filter.is_some()
            && ![" or ", " in [", "if(", "if (", ">= ", "<= "]
                .iter()
                .any(|sign| text.contains(sign))
    }

    /// `revenue per unit` is no revenue by how many units there are.
    fn per_unit(&self) -> bool {
        let per = (1..self.tokens.len()).any(|at| {
            ["per", "на", "за"].contains(&self.word(at))
                && (UNITS.contains(&self.word(at + 1)) || self.number(at + 1).is_some())
        });
        let numbers = self.query.group_by.iter().any(|key| {
            self.schema.columns.iter().any(|c| {
                crate::query::format::name(&c.name) == *key
                    && c.kind.is_numeric()
                    && ["quantity", "qty", "units", "km", "minutes", "kg", "количество"]
                        .iter()
                        .any(|part| parts(&c.name).iter().any(|p| p == part))
            })
        });
        per && numbers
    }

    fn number(&self, at: usize) -> Option<&Column> {
        let noun = self.tokens.get(at)?;
        self.schema.columns.iter().find(|c| {
            c.kind == Kind::Float && parts(&c.name).iter().any(|part| stem(part) == noun.stem)
        })
    }

    /// What numbers people or orders is added up, or looked through for a word.
    fn numbers_for_people(&self) -> bool {
        self.schema.columns.iter().filter(|c| is_id(&c.name) || is_number_of(&c.name)).any(|c| {
            let name = crate::query::format::name(&c.name);
            let made = ["sum", "mean", "median", "std"]
                .iter()
                .any(|agg| self.query.select.iter().any(|s| s.text == format!("{agg}({name})")));
            let filter = self.query.filter.as_deref().unwrap_or_default();
            let looked = filter.contains("contains(") && filter.contains(&name);
            (made || looked) && !self.is_said(&c.name)
        })
    }

    /// `от 2 до 4` of which one bound was taken, `exactly 3` that became more than 3.
    fn left_out_numbers(&self) -> bool {
        let bounds = self.bounds();
        if bounds.is_empty() {
            return false;
        }
        let text = self.query.to_json().to_string();
        let number = |at: usize| match self.tokens.get(at).map(|t| &t.kind) {
            Some(TokenKind::Number { value, unit: None, year: false }) => Some(*value),
            _ => None,
        };
        let kept = |value: f64| {
            text.contains(&format!("{value}"))
                || bounds.iter().any(|(_, bound)| {
                    [1e3, 1e6, 1e9, 60.0, 0.01, 100.0, -1.0]
                        .iter()
                        .any(|scale| (bound - value * scale).abs() < 1e-9 * bound.abs().max(1.0))
                })
        };
        let range = (0..self.tokens.len()).any(|at| {
            let from = ["from", "between", "от", "с", "между"].contains(&self.word(at));
            let to = ["to", "and", "до", "по", "и"].contains(&self.word(at + 2));
            from && to
                && number(at + 1).zip(number(at + 3)).is_some_and(|(a, b)| !kept(a) || !kept(b))
        });
        let exactly = self.has(&["exactly", "ровно"]) && !text.contains("== ");
        range || exactly
    }

    /// `до 1 июня` bounds no amount by 1.
    fn by_the_day_of_a_month(&self) -> bool {
        let bounds = self.bounds();
        (0..self.tokens.len()).any(|at| {
            let value = match self.tokens.get(at).map(|t| &t.kind) {
                Some(TokenKind::Number { value, unit: None, .. }) => *value,
                _ => return false,
            };
            let month = MONTHS.iter().any(|month| self.word(at + 1).starts_with(month));
            month && bounds.iter().any(|(_, bound)| *bound == value)
        })
    }

    /// Minutes of a distance, the age of a salary, a measure held against another one without a word
    /// that compares.
    fn of_another_kind(&self) -> bool {
        let bounds = self.bounds();
        let about = |name: &str, list: &[&str]| {
            parts(name).iter().any(|part| list.iter().any(|begin| part.starts_with(begin)))
        };
        let timed = (0..self.tokens.len()).any(|at| {
            let value = match self.tokens.get(at).map(|t| &t.kind) {
                Some(TokenKind::Number { value, .. }) => *value,
                _ => return false,
            };
            let time = TIMES.iter().any(|time| self.word(at + 1).starts_with(time));
            let of_space =
                |name: &str| about(name, &["km", "mile", "fare", "price", "distance", "км"]);
            time && bounds.iter().any(|(name, bound)| *bound == value && of_space(name))
        });
        let age = ["age", "year", "born", "birth", "возраст", "год", "лет", "day", "дн"];
        let aged = self.has(&["younger", "older", "моложе", "старше"])
            && !bounds.is_empty()
            && !bounds.iter().any(|(name, _)| about(name, &age));
        let mut sides = false;
        self.compared(&mut |_, sign, right| {
            let ordered = !matches!(sign, Compare::Eq | Compare::Ne);
            let own = |name: &String| self.schema.column(name).is_some();
            sides |= ordered && matches!(&right.node, Node::Column(name) if own(name));
        });
        let compares =
            self.has(&COMPARE) || self.tokens.iter().any(|t| t.is_symbol(">") || t.is_symbol("<"));
        timed || aged || sides && !compares && self.schema.ohlcv.is_none()
    }

    /// `what share of returned orders are toys` is no share of the toys, nor of all rows.
    fn share_of_others(&self) -> bool {
        const VERBS: [&str; 12] = [
            "are", "is", "were", "was", "had", "have", "has", "come", "comes", "came", "works",
            "paid",
        ];
        let share = (0..self.tokens.len()).find(|&at| SHARES.contains(&self.word(at)));
        let told = self.query.select.iter().find_map(|s| s.text.strip_prefix("pct("));
        let (Some(share), Some(told)) = (share, told) else { return false };
        let verb = (share + 2..self.tokens.len()).find(|&at| VERBS.contains(&self.word(at)));
        let Some(verb) = verb.filter(|_| self.word(share + 1) == "of") else { return false };
        let filter = self.query.filter.as_deref().unwrap_or_default().to_lowercase();
        let behind = (verb + 1..self.tokens.len()).any(|at| {
            self.word(at).len() > 2 && filter.contains(&format!("\"{}\"", self.word(at)))
        });
        let before = share + 3 < verb;
        told.contains(" and ") && before || behind
    }

    /// `сколько покупателей из Германии`: where they are from is no name of theirs.
    fn of_a_place(&self) -> bool {
        let mut of = false;
        self.compared(&mut |name, sign, right| {
            let Node::Text(text) = &right.node else { return };
            let free = self.schema.column(name).is_some_and(|c| c.values.is_none());
            let from = (1..self.tokens.len()).any(|at| {
                self.tokens.get(at).is_some_and(|t| t.raw == *text)
                    && ["из", "в", "from", "in"].contains(&self.word(at - 1))
            });
            of |= free && from && matches!(sign, Compare::Eq);
        });
        of
    }

    /// `среднемесячная выручка` is no mean of rows.
    fn by_each_time(&self) -> bool {
        let each = ["среднемесячн", "среднедневн", "среднегодов", "среднесуточн", "средненедельн"];
        let said = self.tokens.iter().any(|t| each.iter().any(|begin| t.folded.starts_with(begin)));
        said && self.query.steps.is_empty() && self.schema.ohlcv.is_none()
    }

    /// `how many orders did they make` of the whole table: of whom is lost.
    fn of_them(&self) -> bool {
        let Query { filter, period, steps, group_by, .. } = self.query;
        let all = filter.is_none() && period.is_none() && steps.is_empty() && group_by.is_empty();
        all && self.query.limit.is_none() && self.has(&THEY)
    }
}
