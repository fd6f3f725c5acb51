//! `какие есть острова`, `which species live on Dream`: the values of a column, with how many rows have
//! each.

use super::wording::Asked;

impl Asked<'_> {
    pub(super) fn listed(&self) -> Option<String> {
        const WHICH: [&str; 4] = ["what", "which", "какие", "какая"];
        const PLACED: [&str; 9] = ["on", "in", "at", "from", "на", "в", "во", "из", "у"];
        const ARE: [&str; 17] = [
            "live",
            "lives",
            "are",
            "is",
            "occur",
            "exist",
            "found",
            "there",
            "can",
            "be",
            "there",
            "живут",
            "есть",
            "встречаются",
            "обитают",
            "имеются",
            "бывают",
        ];
        let which = WHICH.contains(&self.word(0));
        let early = usize::from(["есть", "имеются", "бывают"].contains(&self.word(1)));
        let column = self.text_column(1 + early).filter(|_| which)?;
        let mut rest = 2 + early;
        let mut said = early > 0;
        while ARE.contains(&self.word(rest)) {
            said = true;
            rest += 1;
        }
        let by = if self.is_russian() { "число строк по" } else { "number of rows by" };
        let name = &column.name;
        let end = self.tokens.len() - usize::from(self.tokens.last()?.is_symbol("?"));
        if rest == end {
            return said.then(|| format!("{by} `{name}`"));
        }
        let placed = PLACED.contains(&self.word(rest)) && (said || self.is_russian());
        let behind = self.question.get(self.tokens.get(rest)?.span.start..)?;
        placed.then(|| format!("{by} `{name}` {behind}"))
    }
}
