//! Everyday questions for money: what is spent, saved, earned, sold.

use super::super::stem::parts;
use super::wording::{Asked, GOES};
use crate::schema::{Column, Kind};

impl Asked<'_> {
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
        const PLACE: [&str; 16] = [
            "who did i pay the most",
            "who do i pay the most",
            "who did we pay the most",
            "who gets most of my money",
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
        // the most of it is one of them
        if !place && ["больше", "меньше", "most", "least"].contains(&self.word(to)) {
            return None;
        }
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
        const BEGIN: [&str; 20] = [
            "what is my average spending",
            "what is our average spending",
            "what is the average spending",
            "my average spending",
            "our average spending",
            "what are my average expenses",
            "average expenses",
            "how much do i save",
            "how much do we save",
            "average spend",
            "average spending",
            "how much do i spend on average",
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
        let asked = self.tokens.len() - usize::from(self.tokens.last()?.is_symbol("?"));
        // `average groceries spending per month`
        let spent = asked.checked_sub(3).filter(|&at| at >= 2 && self.word(0) == "average");
        if let Some(at) =
            spent.filter(|&at| ["spending", "spend", "expenses"].contains(&self.word(at)))
            && ["per", "a", "each", "every"].contains(&self.word(at + 1))
            && let Some((_, adjective)) = TIMES.iter().find(|(time, _)| *time == self.word(at + 2))
        {
            let thing = self.tokens.get(1)?.span.start..self.tokens.get(at - 1)?.span.end;
            return Some(format!("average {adjective} {} spending", self.question.get(thing)?));
        }
        let (from, to) = self.phrase(&BEGIN).filter(|(from, _)| *from == 0)?;
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
        let saved = (from..to).any(|i| self.word(i) == "save");
        let what = if saved { "net change" } else { "spending" };
        every.then(|| format!("average {adjective} {what}{thing}"))
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
        // `which region has the highest sales` asks for one, `largest orders by city` for some of each
        const OPENS: [&str; 19] = [
            "what",
            "are",
            "were",
            "my",
            "our",
            "the",
            "show",
            "me",
            "list",
            "give",
            "find",
            "мои",
            "наши",
            "какие",
            "покажи",
            "у",
            "меня",
            "были",
            "все",
        ];
        let opens = (0..from).all(|i| OPENS.contains(&self.word(i)));
        let grouped = ["by", "per", "of", "по"].contains(&self.word(at + 1));
        // what a column is called has a highest value
        let noun = self.tokens.get(at)?.stem.as_str();
        let column = self.named(Kind::is_numeric, &[noun]).is_some();
        if !opens || grouped || column || !large || bare || counted {
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

    /// `сколько было продаж`: their number, not what they came to.
    pub(super) fn number_of_sales(&self) -> Option<String> {
        const SAID: [&str; 8] = [
            "how many sales",
            "number of sales",
            "сколько было продаж",
            "сколько всего продаж",
            "сколько продаж",
            "число продаж",
            "количество продаж",
            "сколько было всего продаж",
        ];
        let (from, to) = self.phrase(&SAID)?;
        let own = |c: &Column| {
            c.kind.is_numeric()
                && parts(&c.name).iter().any(|p| p.starts_with("прода") || p.starts_with("sale"))
        };
        if self.table.columns.iter().any(own) {
            return None;
        }
        self.put(from, to, if self.is_russian() { "число строк" } else { "number of rows" })
    }

    /// `who earns the most`: the row with the highest pay, as names may repeat.
    pub(super) fn best_paid(&self) -> Option<String> {
        const MOST: [(&str, bool); 16] = [
            ("у кого самая большая зарплата", true),
            ("у кого самая высокая зарплата", true),
            ("у кого самая маленькая зарплата", false),
            ("у кого самая низкая зарплата", false),
            ("who earns the most", true),
            ("who earns most", true),
            ("who makes the most", true),
            ("who makes the most money", true),
            ("who is paid the most", true),
            ("who gets paid the most", true),
            ("who earns the least", false),
            ("who is paid the least", false),
            ("who gets paid the least", false),
            ("кто зарабатывает больше всех", true),
            ("кто получает больше всех", true),
            ("кто получает меньше всех", false),
        ];
        let pay = ["salary", "pay", "wage", "compensation", "зарплат", "оклад"];
        let pay = &self.named(Kind::is_numeric, &pay)?.name;
        let (_, high, (from, to)) = MOST
            .iter()
            .filter_map(|(phrase, high)| Some((phrase.len(), high, self.phrase(&[phrase])?)))
            .max_by_key(|(length, ..)| *length)?;
        self.put(
            from,
            to,
            &match (self.is_russian(), high) {
                (false, true) => format!("rows with the highest {pay}"),
                (false, false) => format!("rows with the lowest {pay}"),
                (true, true) => format!("строки с наибольшим {pay}"),
                (true, false) => format!("строки с наименьшим {pay}"),
            },
        )
    }

    /// `best customer`, `top 5 products` of orders: by what came in.
    pub(super) fn top_by_money(&self) -> Option<String> {
        let revenue = super::product::of_quantity_and_price(
            "revenue",
            &super::super::token::tokenise("revenue"),
            self.table,
        )?;
        let revenue = revenue.trim_start_matches("total ");
        let end = self.tokens.len() - usize::from(self.tokens.last()?.is_symbol("?"));
        let noun = self.tokens.get(end.checked_sub(1)?)?;
        let column = self.named(|kind| kind == Kind::Text, &[noun.stem.as_str()])?;
        let words: Vec<&str> = (0..end - 1).map(|i| self.word(i)).collect();
        let known = [
            "who",
            "what",
            "which",
            "is",
            "are",
            "our",
            "my",
            "the",
            "top",
            "best",
            "show",
            "me",
            "кто",
            "наш",
            "мой",
            "топ",
            "лучший",
            "лучшие",
        ];
        let number = words.iter().find_map(|w| w.parse::<u64>().ok());
        let best = words.iter().any(|w| ["top", "best", "топ", "лучший", "лучшие"].contains(w));
        if !best
            || !words.iter().all(|w| known.contains(w) || w.parse::<u64>().is_ok() || *w == "-")
        {
            return None;
        }
        let many = number.is_some()
            || noun.folded.ends_with('s')
            || words.contains(&"топ")
            || words.contains(&"лучшие");
        let number = number.unwrap_or(if many { 10 } else { 1 });
        let name = &column.name;
        Some(if self.is_russian() {
            format!("топ {number} {name} по {revenue}")
        } else {
            format!("top {number} {name} by {revenue}")
        })
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

    /// `какая у меня зарплата`: the rows that say so, not how many they are.
    pub(super) fn salary(&self) -> Option<String> {
        if !self.table.columns.iter().any(|c| c.signed) {
            return None;
        }
        let (from, to) =
            self.phrase(&["какая у меня", "какой у меня", "what is my", "what's my"])?;
        let own = ["salary", "зарплата", "аренда", "rent", "оклад"];
        let last = to + 1 == self.tokens.len() - usize::from(self.tokens.last()?.is_symbol("?"));
        if !own.contains(&self.word(to)) || !last {
            return None;
        }
        self.put(from, to, if self.is_russian() { "все строки:" } else { "all rows with" })
    }
}
