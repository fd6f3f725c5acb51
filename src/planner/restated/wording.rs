//! Everyday wordings, each told in the words of the grammar: `where does my money go` is spending by
//! category, `repeat customers` those with more than one row, `who is the oldest` the row with the
//! highest age. A question that none of them fits is left as it is.

use super::super::stem::{is_cyrillic, parts, stem};
use super::super::token::{Token, TokenKind};
use crate::schema::{Column, Kind, TableSchema};

/// Where money goes, asked in so many words.
const GOES: [&str; 14] = [
    "where does my money go",
    "where does the money go",
    "where does all my money go",
    "where does our money go",
    "where did my money go",
    "where did the money go",
    "what does my money go on",
    "where is my money going",
    "what do i spend money on",
    "what do i spend my money on",
    "куда уходят деньги",
    "куда уходят мои деньги",
    "на что уходят деньги",
    "куда деваются деньги",
];

/// A question as it was asked, and the table it is asked of.
pub(super) struct Asked<'a> {
    pub question: &'a str,
    pub tokens: &'a [Token],
    pub table: &'a TableSchema,
}

impl<'a> Asked<'a> {
    fn word(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |t| t.folded.as_str())
    }

    fn is_russian(&self) -> bool {
        self.tokens.iter().any(|t| t.folded.chars().any(is_cyrillic))
    }

    /// Where one of the phrases stands: its first word, and the one behind its last.
    fn phrase(&self, list: &[&str]) -> Option<(usize, usize)> {
        (0..self.tokens.len()).find_map(|at| {
            let lengths = list.iter().filter_map(|phrase| {
                let words: Vec<&str> = phrase.split(' ').collect();
                let here = (at..).zip(&words).all(|(i, word)| self.word(i) == *word);
                here.then_some(words.len())
            });
            lengths.max().map(|length| (at, at + length))
        })
    }

    /// `where does my money go` among receipts: by category.
    pub(super) fn by_category(&self) -> Option<String> {
        let (from, to) = self.phrase(&GOES)?;
        let russian = self.is_russian();
        self.put(
            from,
            to,
            if russian {
                "расходы по категориям"
            } else {
                "spending by category"
            },
        )
    }

    fn begins(&self, at: usize, list: &[&str]) -> bool {
        list.iter().any(|begin| self.word(at).starts_with(begin))
    }

    /// The question with other words in the place of those from one to another.
    fn put(&self, from: usize, to: usize, words: &str) -> Option<String> {
        let start = self.tokens.get(from)?.span.start;
        let end = self.tokens.get(to.checked_sub(1)?)?.span.end;
        let (before, after) = (self.question.get(..start)?, self.question.get(end..)?);
        Some(format!("{before}{words}{after}"))
    }

    fn named(&self, kind: impl Fn(Kind) -> bool, list: &[&str]) -> Option<&'a Column> {
        let fits = |part: &String| list.iter().any(|begin| part.starts_with(begin));
        self.table.columns.iter().find(|c| kind(c.kind) && parts(&c.name).iter().any(fits))
    }

    /// `where does my money go`, `где я трачу больше всего`: spending by what it was for, or by whom it
    /// went to.
    pub(super) fn where_money_goes(&self) -> Option<String> {
        const FOR: [&str; 5] = ["categor", "kind", "type", "категор", "стать"];
        const TO: [&str; 12] = [
            "merchant",
            "shop",
            "store",
            "payee",
            "vendor",
            "description",
            "counterpart",
            "магазин",
            "получател",
            "описан",
            "контрагент",
            "продав",
        ];
        const PLACE: [&str; 12] = [
            "where do i spend the most",
            "where do i spend most",
            "where did i spend the most",
            "where did i spend most",
            "where do we spend the most",
            "где я трачу больше всего",
            "где трачу больше всего",
            "где мы тратим больше всего",
            "где тратим больше всего",
            "где я потратил больше всего",
            "где я потратила больше всего",
            "где больше всего трачу",
        ];
        if !self.table.columns.iter().any(|c| c.signed) {
            return None;
        }
        let texts = |list| self.named(|kind| kind == Kind::Text, list);
        let (place, (from, to)) = match self.phrase(&GOES) {
            Some(found) => (false, found),
            None => (true, self.phrase(&PLACE)?),
        };
        let column = if place {
            texts(&TO).or_else(|| texts(&FOR))
        } else {
            texts(&FOR).or_else(|| texts(&TO))
        };
        let column = &column?.name;
        self.put(
            from,
            to,
            &match (self.is_russian(), place) {
                (false, false) => format!("spending by {column}"),
                (false, true) => format!("top 10 {column} by spending"),
                (true, false) => format!("расходы по {column}"),
                (true, true) => format!("топ 10 {column} по расходам"),
            },
        )
    }

    /// `how much do I spend a week`, `сколько я трачу на такси в месяц`: on average.
    pub(super) fn each_time(&self) -> Option<String> {
        const BEGIN: [&str; 8] = [
            "how much do i spend",
            "how much do we spend",
            "what do i spend",
            "how much money do i spend",
            "сколько я трачу",
            "сколько мы тратим",
            "сколько тратим",
            "сколько трачу",
        ];
        const TIMES: [(&str, &str); 4] =
            [("day", "daily"), ("week", "weekly"), ("month", "monthly"), ("year", "yearly")];
        let (from, to) = self.phrase(&BEGIN).filter(|(from, _)| *from == 0)?;
        let asked = self.tokens.len() - usize::from(self.tokens.last()?.is_symbol("?"));
        let last = asked.checked_sub(1).filter(|last| *last > to)?;
        if self.is_russian() {
            let each = ["неделю", "месяц", "день", "год"].contains(&self.word(last));
            let in_time = each && self.word(last - 1) == "в";
            return if in_time { self.put(from, to, "средние траты") } else { None };
        }
        let every = ["per", "a", "each", "every"].contains(&self.word(last - 1));
        let (_, adjective) = TIMES.iter().find(|(time, _)| *time == self.word(last))?;
        let end = self.tokens.get(last - 2).map(|t| t.span.end)?;
        let thing = self.question.get(self.tokens.get(to - 1)?.span.end..end)?;
        every.then(|| format!("average {adjective} spending{thing}"))
    }

    /// `what are my biggest expenses`: some of them, as they are more than one.
    pub(super) fn several(&self) -> Option<String> {
        const LARGE: [&str; 6] =
            ["biggest", "largest", "крупнейшие", "highest", "smallest", "крупные"];
        const ROWS: [&str; 12] = [
            "expenses",
            "transactions",
            "payments",
            "purchases",
            "orders",
            "sales",
            "траты",
            "расходы",
            "покупки",
            "платежи",
            "продажи",
            "операции",
        ];
        let number = |at: usize| self.word(at).chars().any(|c| c.is_ascii_digit());
        let at = (0..self.tokens.len()).find(|&at| ROWS.contains(&self.word(at)))?;
        let before = at.checked_sub(1)?;
        let large =
            LARGE.contains(&self.word(before)) || self.begins(before, &["больши", "крупны"]);
        // `самые большие траты`
        let from =
            if before > 0 && self.word(before - 1) == "самые" { before - 1 } else { before };
        let bare = self.word(before).starts_with("больши") && from == before;
        let counted = from > 0 && number(from - 1);
        if !large || bare || counted {
            return None;
        }
        let russian = self.is_russian();
        let small = self.word(before) == "smallest";
        self.put(
            from,
            at,
            if russian {
                "топ 10"
            } else if small {
                "10 smallest"
            } else {
                "10 largest"
            },
        )
    }

    /// `top customers by revenue`: ten of them, as they are more than one.
    pub(super) fn ten_at_the_top(&self) -> Option<String> {
        let at = (0..self.tokens.len()).find(|&at| self.word(at) == "top")?;
        let next = self.tokens.get(at + 1).filter(|t| t.kind == TokenKind::Word)?;
        let by = (at + 2..self.tokens.len()).any(|i| self.word(i) == "by");
        let many = next.folded.ends_with('s') && !next.folded.ends_with("ss");
        if by && many { self.put(at, at + 1, "top 10") } else { None }
    }

    /// `the oldest employee`, `самый молодой сотрудник`: the row with the highest or lowest age.
    pub(super) fn by_age(&self) -> Option<String> {
        const AGE: [&str; 2] = ["age", "возраст"];
        const WHO: [&str; 16] = [
            "employee",
            "employees",
            "person",
            "people",
            "worker",
            "customer",
            "patient",
            "member",
            "passenger",
            "student",
            "player",
            "сотрудник",
            "работник",
            "человек",
            "клиент",
            "пациент",
        ];
        let age = &self.named(Kind::is_numeric, &AGE)?.name;
        let at = (0..self.tokens.len())
            .find(|&at| self.begins(at, &["oldest", "youngest", "старш", "молод", "пожил"]))?;
        let low = self.begins(at, &["young", "молод"]);
        let who = WHO.contains(&self.word(at + 1));
        let last = at + 1 == self.tokens.len()
            || self.tokens.get(at + 1).is_some_and(|t| t.is_symbol("?"));
        // `oldest order` is the earliest
        let to = if who {
            at + 2
        } else if last {
            at + 1
        } else {
            return None;
        };
        let opens = ["who", "is", "the", "our", "кто", "самый", "самая", "show", "find"];
        let from =
            (0..at).rev().take_while(|&i| opens.contains(&self.word(i))).last().unwrap_or(at);
        self.put(
            from,
            to,
            &match (self.is_russian(), low) {
                (false, false) => format!("rows with the highest {age}"),
                (false, true) => format!("rows with the lowest {age}"),
                (true, false) => format!("строки с наибольшим {age}"),
                (true, true) => format!("строки с наименьшим {age}"),
            },
        )
    }

    /// `who was hired most recently`, `newest hires`, `кого приняли последним`: the latest rows of a
    /// table whose date is of that.
    pub(super) fn most_recent(&self) -> Option<String> {
        const EVENT: [&str; 12] = [
            "hire",
            "hired",
            "joined",
            "join",
            "hires",
            "joiners",
            "signed",
            "registered",
            "принят",
            "нанят",
            "пришел",
            "пришла",
        ];
        self.table.time.as_ref()?;
        let at = (0..self.tokens.len()).find(|&at| EVENT.contains(&self.word(at)))?;
        let any = |list: &[&str]| (0..self.tokens.len()).any(|i| list.contains(&self.word(i)));
        let late = any(&[
            "recently",
            "newest",
            "latest",
            "last",
            "recent",
            "последним",
            "последней",
            "недавно",
        ]);
        let early = any(&["first", "earliest", "longest", "первым", "первой", "раньше"]);
        let known = any(&[
            "who",
            "was",
            "is",
            "were",
            "the",
            "most",
            "our",
            "person",
            "people",
            "employee",
            "employees",
            "кто",
            "кого",
            "был",
            "была",
            "всех",
            "самый",
            "самым",
        ]);
        let other = |i: usize| {
            let said = self.word(i);
            !EVENT.contains(&said)
                && ![
                    "recently",
                    "newest",
                    "latest",
                    "last",
                    "recent",
                    "first",
                    "earliest",
                    "who",
                    "was",
                    "is",
                    "were",
                    "the",
                    "most",
                    "our",
                    "person",
                    "people",
                    "employee",
                    "employees",
                    "show",
                    "list",
                    "последним",
                    "последней",
                    "недавно",
                    "первым",
                    "первой",
                    "кто",
                    "кого",
                    "был",
                    "была",
                    "всех",
                    "?",
                    "to",
                    "be",
                ]
                .contains(&said)
        };
        let (true, true) = (late != early, known || at > 0) else { return None };
        if (0..self.tokens.len()).any(other) {
            return None;
        }
        let many =
            ["hires", "joiners"].contains(&self.word(at)) || any(&["employees", "people", "were"]);
        Some(
            match (self.is_russian(), late, many) {
                (false, true, true) => "last 10 rows",
                (false, true, false) => "last row",
                (false, false, true) => "first 10 rows",
                (false, false, false) => "first row",
                (true, true, _) => "последняя строка",
                (true, false, _) => "первая строка",
            }
            .to_owned(),
        )
    }

    /// `repeat customers`, `which customers ordered more than once`: those with more than one row.
    pub(super) fn repeated(&self) -> Option<String> {
        const ONCE: [&str; 5] = [
            "ordered more than once",
            "bought more than once",
            "came more than once",
            "purchased more than once",
            "more than once",
        ];
        let text =
            |i: usize| self.named(|kind| kind == Kind::Text, &[self.tokens.get(i)?.stem.as_str()]);
        let (from, to, noun) = if let Some(at) = (0..self.tokens.len()).find(|&at| {
            ["repeat", "returning", "repeated", "постоянные", "повторные"].contains(&self.word(at))
        }) {
            (at, at + 2, at + 1)
        } else {
            let (from, to) = self.phrase(&ONCE)?;
            let noun = (0..from).find(|&i| text(i).is_some())?;
            (noun, to, noun)
        };
        let column = &text(noun)?.name;
        let which = from > 0 && ["which", "what"].contains(&self.word(from - 1));
        let from = if which { from - 1 } else { from };
        self.put(
            from,
            to,
            &if self.is_russian() {
                format!("{column} с числом строк больше 1")
            } else {
                format!("{column} with more than 1 row")
            },
        )
    }

    /// `refund rate by country`: the share of the rows with the one value that the word is of.
    pub(super) fn rate(&self) -> Option<String> {
        let rates = ["rate", "ratio", "percentage"];
        let at = (1..self.tokens.len()).find(|&at| rates.contains(&self.word(at)))?;
        let noun = self.tokens.get(at - 1)?.stem.as_str();
        // a column of its own says it already
        if noun.chars().count() < 4 || self.named(Kind::is_numeric, &[noun]).is_some() {
            return None;
        }
        let values = self.table.columns.iter().flat_map(|c| c.values.iter().flatten());
        let mut fits = values.filter(|value| value.to_lowercase().starts_with(noun));
        let (Some(value), None) = (fits.next(), fits.next()) else { return None };
        self.put(at - 1, at + 1, &format!("share of {value}"))
    }

    /// `how long does it take to close a ticket`: the mean time from one of the table's dates to the
    /// other.
    pub(super) fn how_long(&self) -> Option<String> {
        const ASKS: [&str; 12] = [
            "how long does it take to",
            "how long did it take to",
            "how long do we take to",
            "how long does",
            "how long do",
            "how long did",
            "how many days does it take to",
            "сколько времени занимает",
            "сколько времени уходит на",
            "как долго",
            "сколько дней занимает",
            "сколько дней уходит на",
        ];
        let (from, to) = self.phrase(&ASKS)?;
        let mut times = self.table.columns.iter().filter(|c| c.kind.is_time());
        let (Some(first), Some(second), None) = (times.next(), times.next(), times.next()) else {
            return None;
        };
        // what it takes is the last word but for a filter: `to close a ticket`, `does shipping take`
        let small = [
            "a", "an", "the", "to", "take", "takes", "order", "orders", "ticket", "tickets", "it",
            "on", "average",
        ];
        let mut end = to + 1;
        while small.contains(&self.word(end)) {
            end += 1;
        }
        let rest = self.question.get(self.tokens.get(end - 1)?.span.end..)?.trim();
        let rest = rest.trim_end_matches('?').trim();
        let head = self.question.get(..self.tokens.get(from)?.span.start)?;
        if !rest.is_empty()
            && !["by", "for", "in", "per", "по", "в"]
                .iter()
                .any(|w| rest.starts_with(&format!("{w} ")))
        {
            return None;
        }
        let mean = if self.is_russian() {
            "среднее число дней между"
        } else {
            "average days from"
        };
        let with = if self.is_russian() { "и" } else { "to" };
        Some(format!("{head}{mean} {} {with} {} {rest}", first.name, second.name).trim().to_owned())
    }

    /// `в каком месяце выручка была максимальной`: the month with most of it, not that of one row.
    pub(super) fn of_the_most(&self) -> Option<String> {
        let at = (0..self.tokens.len()).find(|&at| {
            [
                "максимальной",
                "максимальным",
                "наибольшей",
                "наибольшим",
                "самой большой",
                "минимальной",
                "минимальным",
                "наименьшей",
                "наименьшим",
                "самой высокой",
            ]
            .contains(&self.word(at))
        })?;
        let low = self.begins(at, &["мин", "наимен"]);
        let was = at.checked_sub(1).filter(|&i| ["была", "был", "было"].contains(&self.word(i)))?;
        let asks = ["в", "во"].contains(&self.word(0)) && self.begins(1, &["как"]);
        let of = self
            .question
            .get(self.tokens.get(was - 1)?.span.start..self.tokens.get(was - 1)?.span.end)?;
        if !asks || was < 4 {
            return None;
        }
        let words = format!("{} {of}", if low { "самая маленькая" } else { "самая большая" });
        self.put(was - 1, at + 1, &words)
    }

    /// `сколько было продаж`: their number, not what they came to.
    pub(super) fn number_of_sales(&self) -> Option<String> {
        const SAID: [&str; 6] = [
            "сколько было продаж",
            "сколько всего продаж",
            "сколько продаж",
            "число продаж",
            "количество продаж",
            "сколько было всего продаж",
        ];
        let (from, to) = self.phrase(&SAID)?;
        let own = |c: &Column| {
            c.kind.is_numeric() && parts(&c.name).iter().any(|p| p.starts_with("прода"))
        };
        if self.table.columns.iter().any(own) {
            return None;
        }
        self.put(from, to, "число строк")
    }

    /// `gender pay gap`: the mean of the pay of each.
    pub(super) fn pay_gap(&self) -> Option<String> {
        let (from, to) =
            self.phrase(&["gender pay gap", "gender wage gap", "gender salary gap", "pay gap"])?;
        let pay = &self
            .named(Kind::is_numeric, &["salary", "pay", "wage", "income", "compensation"])?
            .name;
        let gender = &self.named(|kind| kind == Kind::Text, &["gender", "sex"])?.name;
        let from = (0..from)
            .rev()
            .take_while(|&i| ["is", "the", "what", "there", "a"].contains(&self.word(i)))
            .last()
            .unwrap_or(from);
        self.put(from, to, &format!("average {pay} by {gender}"))
    }

    /// `net by month` of an account: what is left of both sides.
    pub(super) fn net(&self) -> Option<String> {
        if !self.table.columns.iter().any(|c| c.signed) {
            return None;
        }
        let at = (0..self.tokens.len()).find(|&at| ["net", "сальдо"].contains(&self.word(at)))?;
        let next =
            ["by", "per", "in", "for", "по", "за", "в", "?", ""].contains(&self.word(at + 1));
        let words =
            if self.is_russian() { "чистое изменение" } else { "net change" };
        if next { self.put(at, at + 1, words) } else { None }
    }

    /// `longest open ticket`: those that are not closed, from the first; `longest ticket`: by the time
    /// from one date to the other.
    pub(super) fn longest(&self) -> Option<String> {
        const OPEN: [&str; 9] = [
            "open",
            "unresolved",
            "pending",
            "unclosed",
            "unshipped",
            "undelivered",
            "unpaid",
            "открытый",
            "открытые",
        ];
        let mut times = self.table.columns.iter().filter(|c| c.kind.is_time());
        let (Some(first), Some(second), None) = (times.next(), times.next(), times.next()) else {
            return None;
        };
        let gaps = |c: &Column| c.nulls.is_some_and(|nulls| nulls > 0);
        if self.table.time.is_some() || gaps(first) || !gaps(second) {
            return None;
        }
        let (first, second) = (&first.name, &second.name);
        // `which tickets took the longest`, `slowest ticket`
        let extreme = |at: usize| match self.word(at) {
            "longest" | "slowest" => Some(true),
            "shortest" | "fastest" | "quickest" => Some(false),
            _ => None,
        };
        let extremes = (0..self.tokens.len()).find_map(|at| Some((at, extreme(at)?)));
        let old = |at: &usize| self.begins(*at, &["oldest", "старейш"]);
        let at = extremes.map(|(at, _)| at).or_else(|| (0..self.tokens.len()).find(old))?;
        let is_word = |at: usize| self.tokens.get(at).is_some_and(|t| t.kind == TokenKind::Word);
        if OPEN.contains(&self.word(at + 1)) {
            let to = if is_word(at + 2) { at + 3 } else { at + 2 };
            let rest = self.question.get(self.tokens.get(to - 1)?.span.end..)?;
            let plain = rest.trim().trim_end_matches('?').is_empty();
            return plain.then(|| {
                if self.is_russian() {
                    format!("строки, где {second} пусто, по возрастанию {first}")
                } else {
                    format!("rows where {second} is empty sorted by {first}")
                }
            });
        }
        let (_, long) = extremes?;
        // the longest of something else is not that time
        let took = (0..at).any(|i| ["took", "take", "takes"].contains(&self.word(i)));
        let one = self.is_row(at + 1) && !is_word(at + 2);
        let highest = if long { "highest" } else { "lowest" };
        (one || took && !is_word(at + 1))
            .then(|| format!("rows with the {highest} days from {first} to {second}"))
    }

    /// The word names the table's rows.
    fn is_row(&self, at: usize) -> bool {
        let said = self.tokens.get(at).map_or("", |t| t.stem.as_str());
        parts(&self.table.name).iter().any(|part| stem(part) == said)
    }

    /// `most volatile hour`, `самый волатильный час`: the one with the highest volatility.
    pub(super) fn most_volatile(&self) -> Option<String> {
        self.table.ohlcv.as_ref()?;
        let at = (1..self.tokens.len()).find(|&at| self.begins(at, &["volatile", "волатильн"]))?;
        let said = ["most", "least"].contains(&self.word(at - 1))
            || self.begins(at - 1, &["сам", "наиб", "наим"]);
        let part = ["hour", "weekday", "day", "month", "session", "час", "день", "месяц", "сессия"];
        if !said || !part.contains(&self.word(at + 1)) {
            return None;
        }
        let low = self.word(at - 1) == "least" || self.begins(at - 1, &["наим"]);
        let of = self.tokens.get(at + 1)?.raw.as_str();
        self.put(
            at - 1,
            at + 2,
            &match (self.is_russian(), low) {
                (false, false) => format!("{of} with the highest volatility"),
                (false, true) => format!("{of} with the lowest volatility"),
                (true, false) => format!("{of} с наибольшей волатильностью"),
                (true, true) => format!("{of} с наименьшей волатильностью"),
            },
        )
    }
}
