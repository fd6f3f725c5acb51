//! Words that say no more than a column does (`in minutes`, `by type of vehicle`), and values of Latin
//! letters that are written in Russian ones (`в Берлине`).

use super::super::dictionary::same_noun;
use super::super::stem::{is_cyrillic, parts, stem};
use super::super::token::{Token, TokenKind};
use super::super::words::is_known;
use super::abroad;
use super::wording::Asked;
use crate::schema::{Column, Kind};

/// Units after `in`, as they are said and as columns are called by them.
const UNITS: [(&str, &[&str]); 8] = [
    ("minutes", &["minutes", "mins", "min", "minute"]),
    ("минутах", &["minutes", "mins", "min", "minute", "минуты", "минут"]),
    ("hours", &["hours", "hrs", "hour"]),
    ("часах", &["hours", "hrs", "hour", "часы", "часов"]),
    ("seconds", &["seconds", "secs", "sec"]),
    ("секундах", &["seconds", "secs", "sec", "секунды"]),
    ("km", &["km"]),
    ("км", &["km", "км"]),
];
/// Kinds of what a column has.
const KINDS: [&str; 9] =
    ["type", "kind", "types", "типу", "типам", "виду", "видам", "способу", "способам"];

impl Asked<'_> {
    /// The question without words that add nothing to the column they are said of.
    pub(super) fn plainer(&self) -> Option<String> {
        let in_unit = (0..self.tokens.len()).find_map(|at| {
            let (_, names) = UNITS.iter().find(|(said, _)| *said == self.word(at + 1))?;
            let of = |c: &&Column| {
                c.kind.is_numeric() && parts(&c.name).iter().any(|p| names.contains(&p.as_str()))
            };
            let here = ["in", "в"].contains(&self.word(at));
            (here && self.table.columns.iter().any(|c| of(&c))).then_some((at, at + 2))
        });
        let of_kind = || {
            (1..self.tokens.len()).find_map(|at| {
                let by = ["by", "per", "по"].contains(&self.word(at - 1));
                let of = usize::from(self.word(at + 1) == "of");
                let named = KINDS.contains(&self.word(at)) && self.text_column(at).is_none();
                let column =
                    self.text_column(at + 1 + of).is_some() || self.means_a_column(at + 1 + of);
                (by && named && column).then_some((at, at + 1 + of))
            })
        };
        // `payment method` of a column `payment`
        let method = || {
            (1..self.tokens.len()).find_map(|at| {
                let named = ["method", "methods", "type", "types"].contains(&self.word(at));
                (named && self.text_column(at).is_none() && self.text_column(at - 1).is_some())
                    .then_some((at, at + 1))
            })
        };
        let dropped = in_unit.or_else(of_kind).or_else(method);
        let shorter = match dropped {
            Some((from, to)) => self.put(from, to, "")?,
            None => self.in_one_word()?,
        };
        let tokens = super::tokenise(&shorter);
        let next = Asked { question: &shorter, tokens: &tokens, table: self.table };
        Some(next.plainer().or_else(|| next.duration()).unwrap_or(shorter))
    }

    /// `drop-off zone` of a table with `dropoff_zone`.
    fn in_one_word(&self) -> Option<String> {
        (0..self.tokens.len()).find_map(|at| {
            let hyphen = self.tokens.get(at + 1)?.is_symbol("-");
            let second = self.tokens.get(at + if hyphen { 2 } else { 1 })?;
            let first = self.tokens.get(at).filter(|t| t.kind == TokenKind::Word)?;
            let joined = format!("{}{}", first.folded, second.folded);
            let named = |c: &Column| parts(&c.name).contains(&joined);
            let end = at + if hyphen { 3 } else { 2 };
            (second.kind == TokenKind::Word && self.table.columns.iter().any(named))
                .then(|| self.put(at, end, &joined))?
        })
    }

    /// `pie chart of species`: how many rows each has.
    pub(super) fn charted(&self) -> Option<String> {
        const CHART: [&str; 10] = [
            "chart",
            "graph",
            "plot",
            "diagram",
            "график",
            "графике",
            "диаграмма",
            "диаграмму",
            "гистограмма",
            "гистограмму",
        ];
        const AROUND: [&str; 16] = [
            "show",
            "me",
            "draw",
            "make",
            "a",
            "the",
            "of",
            "for",
            "by",
            "pie",
            "bar",
            "покажи",
            "построй",
            "нарисуй",
            "по",
            "круговая",
        ];
        let words = || {
            (0..self.tokens.len()).filter(|&at| {
                !self.word(at).is_empty()
                    && self.tokens.get(at).is_some_and(|t| t.kind != TokenKind::Symbol)
            })
        };
        if !words().any(|at| CHART.contains(&self.word(at))) {
            return None;
        }
        let around =
            |at: &usize| CHART.contains(&self.word(*at)) || AROUND.contains(&self.word(*at));
        let said: Vec<usize> = words().filter(|at| !around(at)).collect();
        let [only] = said[..] else {
            // `monthly revenue chart`, `chart trips per day`: what it is of
            let at = (0..self.tokens.len())
                .find(|&at| ["chart", "graph", "plot"].contains(&self.word(at)))?;
            return self.put(at, at + 1, "").map(|said| said.trim().to_owned());
        };
        let column = &self.text_column(only).filter(|c| c.values.is_some())?.name;
        let number =
            if self.is_russian() { "число строк по" } else { "number of rows by" };
        Some(format!("{number} `{column}`"))
    }

    /// `average tip when there was one`: of the rows where it is above zero.
    pub(super) fn when_there_was(&self) -> Option<String> {
        let (from, to) =
            self.phrase(&["when there was", "where there was", "when there is", "if there was"])?;
        let to = to + usize::from(["a", "an", "any"].contains(&self.word(to)));
        let said = self.tokens.get(to)?;
        let named = |at: usize, c: &Column| {
            self.tokens.get(at).is_some_and(|t| {
                c.kind.is_numeric() && parts(&c.name).iter().any(|part| stem(part) == t.stem)
            })
        };
        let at = if said.folded == "one" { from.checked_sub(1)? } else { to };
        let mut fitting = self.table.columns.iter().filter(|c| named(at, c));
        let column = &fitting.next().filter(|_| fitting.next().is_none())?.name;
        self.put(from, to + 1, &format!("where `{column}` > 0"))
    }

    /// `что лучше всего продаётся в Казани`: which of what is sold, where a column says that.
    pub(super) fn what_sells_best(&self) -> Option<String> {
        let asks = self.word(0) == "что"
            && ["лучше", "хуже"].contains(&self.word(1))
            && self.word(2) == "всего"
            && self.begins(3, &["прода"]);
        const GOODS: [&str; 5] = ["product", "item", "товар", "goods", "продукт"];
        let goods = |c: &&Column| {
            c.kind == Kind::Text
                && parts(&c.name).iter().any(|p| GOODS.iter().any(|g| p.starts_with(g)))
        };
        let mut fitting = self.table.columns.iter().filter(goods);
        let column = &fitting.next().filter(|_| fitting.next().is_none() && asks)?.name;
        self.put(0, 1, &format!("какой `{column}`"))
    }

    /// `average weight of males` of a table with one column of mass.
    pub(super) fn weight(&self) -> Option<String> {
        const WEIGHT: [&str; 6] = ["weight", "weights", "вес", "веса", "весу", "весом"];
        let at = (0..self.tokens.len()).find(|&at| WEIGHT.contains(&self.word(at)))?;
        let own = self.named(Kind::is_numeric, &["weight", "вес"]).is_some();
        let mass = |c: &&Column| c.kind.is_numeric() && parts(&c.name).iter().any(|p| p == "mass");
        let mut fitting = self.table.columns.iter().filter(mass);
        let column = &fitting.next().filter(|_| fitting.next().is_none() && !own)?.name;
        self.put(at, at + 1, &format!("`{column}`"))
    }

    /// A word of the dictionary for a column of text.
    fn means_a_column(&self, at: usize) -> bool {
        let Some(said) = self.tokens.get(at) else { return false };
        self.table
            .columns
            .iter()
            .filter(|c| c.kind == Kind::Text)
            .any(|c| parts(&c.name).iter().any(|part| same_noun(&stem(part), &said.stem)))
    }

    /// `how many different riders`, `top 5 riders by number of trips` of a table with their `rider_id`.
    pub(super) fn by_their_ids(&self) -> Option<String> {
        let of = |token: &Token| {
            // a client by any other name
            let person = |noun: &str| {
                let begins = |list: &[&str], word: &str| list.iter().any(|b| word.starts_with(b));
                begins(&PERSONS, noun) && begins(&CLIENTS, &token.folded)
            };
            let numbers = |c: &&Column| matches!(&parts(&c.name)[..], [noun, id] if id == "id" && (stem(noun) == token.stem || person(noun)));
            let mut fitting = self.table.columns.iter().filter(numbers);
            fitting.next().filter(|_| fitting.next().is_none())
        };
        // they are counted, or the first of them are asked for; what the rows are has no number here
        const COUNTED: [&str; 11] = [
            "different",
            "distinct",
            "unique",
            "many",
            "top",
            "most",
            "сколько",
            "разных",
            "уникальных",
            "топ",
            "больше",
        ];
        let counted = (0..self.tokens.len()).any(|at| COUNTED.contains(&self.word(at)));
        // `trips per rider`
        let grouped = |at: usize| at > 1 && ["per", "by", "each"].contains(&self.word(at - 1));
        let mut words =
            (0..self.tokens.len()).filter(|&at| (counted || grouped(at)) && !self.is_row(at));
        let (token, column) = words.find_map(|at| {
            let token = self.tokens.get(at).filter(|t| t.kind == TokenKind::Word)?;
            Some((token, of(token)?))
        })?;
        let (start, end) = (token.span.start, token.span.end);
        let (before, after) = (self.question.get(..start)?, self.question.get(end..)?);
        Some(format!("{before}`{}`{after}", column.name))
    }

    /// `who has the most trips`, `у кого больше всего поездок`, `у какого rider_id больше всего поездок`: the
    /// column that says who, by the number of its rows.
    pub(super) fn who_has_most(&self) -> Option<String> {
        const ENGLISH: [&str; 6] = ["has", "had", "made", "took", "placed", "did"];
        let words = |from: usize, said: &[&str]| {
            said.iter().enumerate().all(|(n, word)| self.word(from + n) == *word)
        };
        let most = |at: usize| -> Option<usize> {
            [&["больше", "всего"][..], &["больше", "всех"], &["наибольшее", "число"]]
                .into_iter()
                .chain([&["наибольшее", "количество"][..], &["самое", "большое", "число"]])
                .chain([&["самое", "большое", "количество"][..]])
                .find(|said| words(at, said))
                .map(|said| at + said.len())
        };
        let id = |c: &&Column| matches!(&parts(&c.name)[..], [_, id] if id == "id");
        let (whose, rows) = match (self.word(0), self.word(1)) {
            ("who", did) if ENGLISH.contains(&did) && words(2, &["the", "most"]) => (None, 4),
            ("у", "кого") => (None, most(2)?),
            ("у", "какого") => {
                let said = &self.tokens.get(2)?.raw;
                let named = |c: &&Column| c.name.eq_ignore_ascii_case(said);
                (Some(self.table.columns.iter().filter(id).find(named)?), most(3)?)
            }
            _ => return None,
        };
        // they would be whatever they are called, but of one table's only person
        let person = |c: &&Column| match &parts(&c.name)[..] {
            [noun] => c.kind == Kind::Text && PERSONS.contains(&noun.as_str()),
            [noun, of] => ["id", "name"].contains(&of.as_str()) && PERSONS.contains(&noun.as_str()),
            _ => false,
        };
        let mut persons = self.table.columns.iter().filter(person);
        let only = persons.next().filter(|_| persons.next().is_none());
        let noun = &self.tokens.get(rows)?.stem;
        let translated = || parts(&self.table.name).iter().any(|part| same_noun(&stem(part), noun));
        let column = &whose.or(only).filter(|_| self.is_row(rows) || translated())?.name;
        let rest = self.question.get(self.tokens.get(rows)?.span.start..)?;
        Some(if self.word(0) == "who" {
            format!("which `{column}` has the most {rest}")
        } else {
            format!("какой `{column}` сделал больше всего {rest}")
        })
    }

    /// The question with values in the letters that they have in the table, and whether every one of
    /// them is a translation; what only sounds alike may be another name.
    pub(super) fn in_latin(&self) -> Option<(String, bool)> {
        const SHORTEST: usize = 4;
        let mut said = self.question.to_owned();
        let (mut changed, mut sure) = (false, true);
        for (at, token) in self.tokens.iter().enumerate().rev() {
            let word = &token.folded;
            if let Some(value) = abroad::value(token, self.table) {
                // `на машинах`: the word before has no group of its own
                let on = at.checked_sub(1).and_then(|at| self.tokens.get(at));
                let from = on.filter(|t| t.folded == "на").unwrap_or(token).span.start;
                said.replace_range(from..token.span.end, value);
                changed = true;
                continue;
            }
            if token.kind != TokenKind::Word
                || !word.chars().all(|c| is_cyrillic(c) || c == '-')
                || token.stem.chars().count() < SHORTEST
                || is_known(token)
            {
                continue;
            }
            let key = sounds(&token.stem);
            let columns = self.table.columns.iter();
            let values = columns.flat_map(|c| c.values.iter().flatten().map(move |v| (c, v)));
            let mut fitting = values
                .filter(|(_, value)| value.is_ascii() && sounds(&value.to_lowercase()) == key);
            if let (Some((column, value)), None) = (fitting.next(), fitting.next()) {
                said.replace_range(token.span.start..token.span.end, value);
                // letter by letter it is that place
                let place = parts(&column.name).iter().any(|part| PLACES.contains(&part.as_str()));
                sure &= place && letters(&token.stem).is_some_and(|l| l == value.to_lowercase());
                changed = true;
            }
        }
        changed.then_some((said, sure))
    }
}

/// Who has a number of their own, and what they are called.
const PERSONS: [&str; 9] =
    ["rider", "user", "customer", "client", "member", "passenger", "buyer", "guest", "subscriber"];
const CLIENTS: [&str; 7] =
    ["client", "customer", "user", "клиент", "пользовател", "покупател", "пассажир"];

/// Names of columns of places.
const PLACES: [&str; 9] =
    ["city", "town", "country", "region", "location", "place", "город", "страна", "регион"];

/// A word of at least five letters that are written by one Latin letter each.
fn letters(word: &str) -> Option<String> {
    const FROM: &str = "абвгдезийклмнопрстуфх";
    const TO: &str = "abvgdeziyklmnoprstufh";
    let one = |letter: char| {
        let at = FROM.chars().position(|l| l == letter)?;
        TO.chars().nth(at)
    };
    word.chars().map(one).collect::<Option<String>>().filter(|w| w.len() >= 5)
}

/// A word in the letters that names have in common in both alphabets: what is said alike is alike.
fn sounds(word: &str) -> String {
    let mut out = String::new();
    let mut letters = word.chars().peekable();
    while let Some(letter) = letters.next() {
        let next = letters.peek().copied().unwrap_or(' ');
        let said = match letter {
            'а' | 'a' => "a",
            'б' | 'b' => "b",
            'в' | 'v' | 'w' => "v",
            'г' | 'g' | 'х' | 'h' | 'ч' => "g",
            'д' | 'd' => "d",
            'е' | 'ё' | 'э' | 'e' => "e",
            'ж' | 'j' => "j",
            'з' | 's' | 'z' | 'ц' | 'ш' | 'щ' | 'с' => "s",
            'и' | 'й' | 'ы' | 'i' | 'y' => "i",
            'c' if matches!(next, 'h' | 'k') => "",
            'c' if matches!(next, 'e' | 'i' | 'y') => "s",
            'к' | 'k' | 'q' | 'c' => "k",
            'л' | 'l' => "l",
            'м' | 'm' => "m",
            'н' | 'n' => "n",
            'о' | 'o' => "o",
            'п' | 'p' => "p",
            'р' | 'r' => "r",
            // `ts` and `tz` of one sound
            't' if matches!(next, 's' | 'z') => "",
            'т' | 't' => "t",
            'у' | 'u' => "u",
            'ф' | 'f' => "f",
            'ю' => "iu",
            'я' => "ia",
            'x' => "ks",
            _ => "",
        };
        // of two alike one is said
        if !said.is_empty() && !out.ends_with(said) {
            out.push_str(said);
        }
    }
    // a case may have taken a vowel from the end
    out.trim_end_matches(['a', 'e', 'i', 'o', 'u']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::super::{in_latin, meant, restated};
    use super::sounds;
    use crate::planner::stem::{fold, stem};
    use crate::schema::{Column, Kind, TableSchema};

    #[test]
    fn names_of_both_alphabets_sound_alike() {
        for (russian, latin) in [
            ("Берлине", "berlin"),
            ("Гамбурга", "hamburg"),
            ("Лейпциге", "leipzig"),
            ("Дрездене", "dresden"),
            ("Лондоне", "london"),
            ("Оттаве", "ottawa"),
            ("Ольга", "olga"),
        ] {
            assert_eq!(sounds(&stem(&fold(russian))), sounds(latin), "{russian} {latin}");
        }
        for (russian, latin) in [("Берлине", "bern"), ("Париже", "prague"), ("Кёльне", "kiel")]
        {
            assert_ne!(sounds(&stem(&fold(russian))), sounds(latin), "{russian} {latin}");
        }
    }

    #[test]
    fn who_has_the_most_rows() {
        let columns = vec![
            Column::new("rider_id", Kind::Int),
            Column::new("price_eur", Kind::Float),
            Column::new("trip_id", Kind::Int),
        ];
        let table = TableSchema::new("trips", columns);
        for (question, wanted) in [
            ("у кого больше всего поездок?", Some("какой `rider_id` сделал больше всего поездок?")),
            (
                "у какого rider_id наибольшее число поездок в 2024 году",
                Some("какой `rider_id` сделал больше всего поездок в 2024 году"),
            ),
            (
                "who took the most trips in May?",
                Some("which `rider_id` has the most trips in May?"),
            ),
            ("у кого больше всего денег?", None),
            ("у какого price_eur больше всего поездок?", None),
        ] {
            assert_eq!(meant(question, &table).as_deref(), wanted, "{question}");
        }
        let two = vec![Column::new("rider_id", Kind::Int), Column::new("user", Kind::Text)];
        assert_eq!(meant("who has the most trips", &TableSchema::new("trips", two)), None);
    }

    #[test]
    fn words_that_a_column_says() {
        let city = Column {
            values: Some(vec!["Berlin".to_owned(), "Hamburg".to_owned()]),
            ..Column::new("city", Kind::Text)
        };
        let columns = vec![
            city,
            Column::new("vehicle", Kind::Text),
            Column::new("minutes", Kind::Int),
            Column::new("price_eur", Kind::Float),
        ];
        let table = TableSchema::new("trips", columns);
        for (question, wanted) in [
            (
                "средняя длительность в минутах по типу vehicle",
                Some("средняя `minutes`  по  vehicle"),
            ),
            ("average price by type of vehicle", Some("average price by  vehicle")),
        ] {
            assert_eq!(restated(question, &table).as_deref(), wanted, "{question}");
        }
        for (question, wanted) in [
            ("поездки в Берлине", Some("поездки в Berlin")),
            ("Берлин и Гамбург", Some("Berlin и Hamburg")),
            ("поездки в Риме", None),
        ] {
            assert_eq!(
                in_latin(question, &table).map(|(said, _)| said).as_deref(),
                wanted,
                "{question}"
            );
        }
    }
}
