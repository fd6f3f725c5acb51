//! `max drawdown` of bars: the deepest fall of the close below the highest close before it; `compare 2022
//! and 2023`: what the bars of both years are.

use super::{Asked, Made, begins, one_of};
use crate::planner::token::TokenKind;
use crate::query::{Query, Selected, format};

/// Words beside the one for a drawdown.
const BESIDE: &str = "what is was the max maximum maximal biggest largest deepest worst in for during of a \
                      daily show me какая какова была максимальная максимальную наибольшая наибольшую \
                      самая большая глубокая за в покажи году год года";

impl Asked<'_> {
    pub(super) fn drawdown(&self) -> Option<Made> {
        let bars = self.table.ohlcv.as_ref().filter(|_| self.table.series.is_none())?;
        let word = |at: usize| self.tokens.get(at).map_or("", |t| t.folded.as_str());
        let at = (0..self.tokens.len()).find(|&at| begins(&["drawdown", "просадк"], word(at)))?;
        if !(0..at).all(|i| one_of(BESIDE, word(i))) || self.previous.is_some() && at == 0 {
            return None;
        }
        let rest = self.said(at + 1, self.tokens.len());
        // a fall of one day is said in words of days
        let day = (at + 1..self.tokens.len()).any(|i| one_of("day день дневная", word(i)));
        let period = if rest.is_empty() { None } else { self.period_of(&rest) };
        if day || !rest.is_empty() && period.is_none() {
            return None;
        }
        let close = format::name(&bars.close);
        let query = Query {
            from: Some("daily".to_owned()),
            period,
            // it is of the closes of that time alone
            lookback: Some(false),
            map: vec![(
                "drawdown_pct".to_owned(),
                format!("({close} / cummax({close}) - 1) * 100"),
            )],
            select: vec!["min(drawdown_pct)".into()],
            ..Query::default()
        };
        Some(Made::Query(
            query,
            text!(
                "deepest fall of a daily close below the highest close before it, in %",
                "самое глубокое падение дневного закрытия от наибольшего закрытия до него, в %"
            ),
        ))
    }

    /// `how much did the market rise`, `насколько вырос рынок за всё время`: from the first open to the
    /// last close.
    pub(super) fn whole_change(&self) -> Option<Made> {
        const MOVES: [&str; 22] = [
            "rise",
            "rose",
            "risen",
            "grow",
            "grew",
            "grown",
            "gain",
            "gained",
            "fall",
            "fell",
            "fallen",
            "drop",
            "dropped",
            "change",
            "changed",
            "move",
            "moved",
            "вырос",
            "упал",
            "изменил",
            "подорож",
            "подешев",
        ];
        const BESIDE: &str = "how much by did has have the market price prices it index stock in total overall over all \
                              whole entire period time of data go up down percent per cent % from first to last day на сколько \
                              насколько рынок цена цены индекс акция за все весь период время процентов данных в \
                              целом как с первого по последний день many what was is total return change in for during в";
        let bars = self.table.ohlcv.as_ref()?;
        let word = |at: usize| self.tokens.get(at).map_or("", |t| t.folded.as_str());
        let moves = |word: &str| {
            MOVES[..17].contains(&word) || MOVES[17..].iter().any(|begin| word.starts_with(begin))
        };
        let russian = self.is_russian();
        let asks = if russian {
            word(0) == "насколько" || word(0) == "на" && word(1) == "сколько"
        } else {
            let first = if one_of("what what's", word(0)) { 2 } else { 0 };
            let first = first + usize::from(word(first) == "the");
            word(0) == "how" && word(1) == "much"
                || word(0) == "by" && word(1) == "how"
                || matches!(
                    (word(first), word(first + 1)),
                    ("total", "return") | ("price", "change")
                )
        };
        let up =
            (0..self.tokens.len()).any(|at| word(at) == "go" && one_of("up down", word(at + 1)));
        let up = up || (0..self.tokens.len()).any(|at| word(at) == "return");
        let moved = up || (0..self.tokens.len()).any(|at| moves(word(at)));
        let known = |at: usize| {
            let said = word(at);
            moves(said)
                || one_of(BESIDE, said)
                || self.tokens.get(at).is_some_and(|t| t.is_symbol("?"))
        };
        if !asks || !moved || self.table.series.is_some() {
            return None;
        }
        if let (Some(volume), true) = (
            &bars.volume,
            (0..self.tokens.len()).any(|at| begins(&["volum", "объем", "объём"], word(at))),
        ) {
            return self.volume_changed(&format::name(volume));
        }
        // what is left says which dates, or more
        let rest: Vec<&str> = (0..self.tokens.len())
            .filter(|&at| !known(at))
            .filter_map(|at| self.tokens.get(at).map(|t| t.raw.as_str()))
            .collect();
        let period = if rest.is_empty() {
            None
        } else {
            let highest =
                if russian { "максимум закрытия за" } else { "highest close in" };
            let dated = self.ready(&format!("{highest} {}", rest.join(" ")))?;
            let plain = dated.filter.is_none() && dated.map.is_empty() && dated.group_by.is_empty();
            Some(dated.period.filter(|_| plain && dated.session.is_none())?)
        };
        let [open, close] = [&bars.open, &bars.close].map(|name| format::name(name));
        let query = Query {
            select: [
                ("first_open", format!("first({open})")),
                ("last_close", format!("last({close})")),
                ("change_pct", format!("(last({close}) / first({open}) - 1) * 100")),
            ]
            .map(|(alias, text)| Selected { alias: Some(alias.to_owned()), text })
            .into(),
            period: period.clone(),
            ..Query::default()
        };
        let Some(period) = period else {
            let said = text!(
                "from the first open to the last close of all the data, with the change in %",
                "от первого открытия до последнего закрытия во всех данных, с изменением в %"
            );
            return Some(Made::Query(query, said));
        };
        // since it began, or since the close before it
        let mut ways = vec![(
            query,
            text!(
                "from the first open to the last close of {period}, with the change in %",
                "от первого открытия до последнего закрытия за {period}, с изменением в %"
            ),
        )];
        let of = match period.len() {
            4 => Some(("yearly", ["year", "года"])),
            7 if !period.contains(['Q', 'H']) => Some(("monthly", ["month", "месяца"])),
            _ => None,
        };
        if let Some((bars, [en, ru])) = of {
            let query = Query {
                from: Some(bars.to_owned()),
                period: Some(period.clone()),
                map: vec![("change_pct".to_owned(), "change_pct()".to_owned())],
                ..Query::default()
            };
            let said = text!(
                "the bar of {period}, with the change in % from the close of the {en} before",
                "бар за {period}, с изменением в % от закрытия предыдущего {ru}"
            );
            ways.push((query, said));
        }
        Some(Made::Several(ways))
    }

    /// `how much did volume grow in 2024`: what it was in that year and in the one before.
    fn volume_changed(&self, volume: &str) -> Option<Made> {
        let mut years = self.tokens.iter().filter_map(|t| match t.kind {
            TokenKind::Number { value, year: true, .. } => Some(value as i32),
            _ => None,
        });
        let (Some(year), None) = (years.next(), years.next()) else { return None };
        let sum = format!("sum_{}", volume.trim_matches('`'));
        let change = [
            ("change".to_owned(), format!("{sum} - prev({sum})")),
            ("change_pct".to_owned(), format!("({sum} / prev({sum}) - 1) * 100")),
        ];
        self.explained(Query {
            period: Some(format!("{}:{year}", year - 1)),
            map: vec![("year".to_owned(), "year()".to_owned())],
            group_by: vec!["year".to_owned()],
            select: vec![format!("sum({volume})").as_str().into()],
            steps: vec![Query { map: change.into(), ..Query::default() }],
            ..Query::default()
        })
    }

    /// The period that words name, and nothing else.
    fn period_of(&self, rest: &str) -> Option<String> {
        let russian = self.is_russian();
        let rows = if russian { "число строк" } else { "number of rows" };
        let query = self.ready(&format!("{rows} {rest}"))?;
        let plain = Query { period: query.period.clone(), ..Query::default() };
        let same = Query { select: Vec::new(), table: None, ..query.clone() } == plain;
        query.period.filter(|_| same)
    }

    pub(super) fn years_of_bars(&self) -> Option<Made> {
        self.table.ohlcv.as_ref()?;
        if self.previous.is_some() {
            return None;
        }
        let word = |at: usize| self.tokens.get(at).map_or("", |t| t.folded.as_str());
        let from = usize::from(one_of("compare сравни сравните сравнить", word(0)));
        let year = |at: usize| {
            let said = &self.tokens.get(at)?.raw;
            let four = said.len() == 4 && said.chars().all(|c| c.is_ascii_digit());
            said.parse::<u32>().ok().filter(|y| four && (1900..2100).contains(y))
        };
        let joins = if from == 1 {
            "and with to vs versus и с против"
        } else {
            "vs versus против"
        };
        let (one, other) = (year(from)?, year(from + 2)?);
        let end = self.tokens.get(from + 3).is_none_or(|t| t.is_symbol("?"));
        if !one_of(joins, word(from + 1)) || !end || one == other {
            return None;
        }
        let (first, last) = (one.min(other), one.max(other));
        let mut query = Query {
            from: Some("yearly".to_owned()),
            period: Some(format!("{first}:{last}")),
            map: vec![("change_pct".to_owned(), "change_pct()".to_owned())],
            ..Query::default()
        };
        if last > first + 1 {
            query.filter = Some(format!("year() in [{first}, {last}]"));
        }
        Some(Made::Offered(
            query,
            text!(
                "bars of the years {first} and {last}, with the change in % from the year before",
                "бары {first} и {last} годов, с изменением в % к предыдущему году"
            ),
        ))
    }
}
