//! Which mention a number belongs to: the nearest one in its clause, by order and by the words
//! between; else the one carried from the clause or the sentence before.

use super::lex::{Kind, Token, is_and};
use super::read::Place;
use super::words::{self, has};

/// How far a mention was looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reach {
    /// In the same clause.
    Clause,
    /// In another clause of the sentence.
    Sentence,
    /// In a sentence before.
    Before,
}

/// The mentions that a number belongs to: numbers of `mentions`. Several when the text says the
/// same of all of them.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Link {
    /// The mentions.
    pub targets: Vec<usize>,
    /// How far they were looked for.
    pub reach: Reach,
}

/// What is linked: where it starts and ends, and the last token of what belongs to it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Item {
    /// Where it stands.
    pub place: Place,
    /// Last token that belongs to it.
    pub tail: usize,
}

const LEFT_GLUE: &[&str] = &[
    "of",
    "at",
    "with",
    "was",
    "is",
    "were",
    "are",
    "had",
    "has",
    "have",
    "about",
    "over",
    "a",
    "an",
    "the",
    "by",
    "just",
    "only",
    "around",
    "stands",
    "stood",
    "reached",
    "averaged",
    "averages",
    "came",
    "in",
    "equals",
    "за",
    "в",
    "на",
    "было",
    "был",
    "была",
    "составил",
    "составила",
    "составило",
    "составляет",
    "равно",
    "равен",
    "равна",
    "примерно",
    "около",
    "почти",
    "лишь",
    "только",
    "это",
    "с",
    "со",
];
const RIGHT_GLUE: &[&str] = &[
    "on", "in", "for", "at", "during", "of", "the", "a", "each", "every", "в", "во", "на", "за",
    "по", "у", "для", "is", "was",
];
const LIST_GLUE: &[&str] =
    &["on", "in", "for", "at", "the", "a", "в", "во", "на", "по", "у", "для", "за", "about"];

/// Links every item to mentions. Both lists are in the order of the text.
pub(super) fn link(tokens: &[Token], items: &[Item], mentions: &[Place]) -> Vec<Option<Link>> {
    let linker = Linker { tokens, items, mentions };
    let mut out: Vec<Option<Link>> = vec![None; items.len()];
    linker.respectively(&mut out);
    let mut carried: Vec<usize> = Vec::new();
    let mut next_mention = 0;
    for i in 0..items.len() {
        if out[i].is_none() {
            out[i] = linker.one(i);
        }
        let sentence = linker.sentence(items[i].place);
        // What sentences before this one mentioned last.
        while mentions.get(next_mention).is_some_and(|m| linker.sentence(*m) < sentence) {
            carried = linker.run_of(next_mention);
            next_mention += 1;
        }
        match &out[i] {
            Some(link) => carried.clone_from(&link.targets),
            None if !carried.is_empty() => {
                out[i] = Some(Link { targets: carried.clone(), reach: Reach::Before });
            }
            None => {}
        }
    }
    out
}

struct Linker<'a> {
    tokens: &'a [Token],
    items: &'a [Item],
    mentions: &'a [Place],
}

impl Linker<'_> {
    fn sentence(&self, p: Place) -> usize {
        self.tokens.get(p.first).map_or(0, |t| t.sentence)
    }

    fn clause(&self, p: Place) -> usize {
        self.tokens.get(p.first).map_or(0, |t| t.clause)
    }

    fn between(&self, a: usize, b: usize) -> &[Token] {
        self.tokens.get(a + 1..b).unwrap_or_default()
    }

    /// Two places are neighbours in a list: separators and small words between them.
    fn in_list(&self, a: usize, b: usize) -> Option<bool> {
        let between = self.between(a, b);
        let mut and = false;
        let mut separated = false;
        for t in between {
            if is_and(t) {
                and = true;
                separated = true;
            } else if t.is(',') || t.is('/') {
                separated = true;
            } else if !(t.is('*')
                || t.is('_')
                || t.is('$')
                || LIST_GLUE.contains(&t.lower.as_str()))
            {
                return None;
            }
        }
        (separated && between.len() <= 5).then_some(and)
    }

    /// Runs of neighbours of at least two, as (first, last) numbers, and whether `and` joins them.
    fn runs(
        &self,
        places: &[(usize, usize)],
        sentence: impl Fn(usize) -> usize,
    ) -> Vec<(usize, usize, bool)> {
        let mut out: Vec<(usize, usize, bool)> = Vec::new();
        for i in 1..places.len() {
            if sentence(i) != sentence(i - 1) {
                continue;
            }
            let Some(and) = self.in_list(places[i - 1].1, places[i].0) else { continue };
            match out.last_mut() {
                Some(run) if run.1 == i - 1 => {
                    run.1 = i;
                    run.2 |= and;
                }
                _ => out.push((i - 1, i, and)),
            }
        }
        out
    }

    fn mention_runs(&self) -> Vec<(usize, usize, bool)> {
        let places: Vec<_> = self.mentions.iter().map(|m| (m.first, m.last)).collect();
        self.runs(&places, |i| self.sentence(self.mentions[i]))
    }

    /// `Monday and Friday: 78 and 45`, `78 and 45 on Monday and Friday`.
    fn respectively(&self, out: &mut [Option<Link>]) {
        let places: Vec<_> = self.items.iter().map(|n| (n.place.first, n.tail)).collect();
        let numbers = self.runs(&places, |i| self.sentence(self.items[i].place));
        let mentions = self.mention_runs();
        for (n0, n1, _) in numbers {
            for &(m0, m1, _) in &mentions {
                if n1 - n0 != m1 - m0
                    || self.sentence(self.mentions[m0]) != self.sentence(self.items[n0].place)
                {
                    continue;
                }
                // Nothing else may stand between the two lists.
                let (from, to) = if self.mentions[m1].last < places[n0].0 {
                    (self.mentions[m1].last, places[n0].0)
                } else if places[n1].1 + 1 < self.mentions[m0].first {
                    (places[n1].1, self.mentions[m0].first)
                } else {
                    continue;
                };
                let free = |p: usize| p <= from || p >= to;
                if self.items.iter().all(|i| free(i.place.first))
                    && self.mentions.iter().all(|m| free(m.first))
                {
                    for k in 0..=(n1 - n0) {
                        out[n0 + k] = Some(Link { targets: vec![m0 + k], reach: Reach::Clause });
                    }
                }
            }
        }
    }

    /// The list that a mention belongs to, where the text says one thing of the whole list.
    fn run_of(&self, mention: usize) -> Vec<usize> {
        for (first, last, and) in self.mention_runs() {
            if !(first..=last).contains(&mention) || !and {
                continue;
            }
            let before = self.mentions[first].first.checked_sub(1);
            let after = self.mentions[last].last + 1;
            let verb_before = before.is_some_and(|b| has(words::COPULAS, self.tokens, b));
            let singular = self.tokens.get(after).is_some_and(|t| {
                ["is", "was", "has", "был", "была", "было"].contains(&t.lower.as_str())
            });
            if !verb_before && !singular {
                return (first..=last).collect();
            }
        }
        vec![mention]
    }

    fn glue(&self, a: usize, b: usize, words: &[&str], marks: &str) -> bool {
        a < b
            && self.between(a, b).iter().all(|t| match t.kind {
                Kind::Punct(c) => marks.contains(c),
                Kind::Word => {
                    words.contains(&t.lower.as_str())
                        || has(words::ABOUT, std::slice::from_ref(t), 0)
                }
                _ => false,
            })
    }

    fn left_tight(&self, mention: usize, item: usize) -> bool {
        self.glue(
            self.mentions[mention].last,
            self.items[item].place.first,
            LEFT_GLUE,
            ":—–-=(*_≈~\"»`|$",
        )
    }

    fn right_tight(&self, mention: usize, item: usize) -> bool {
        self.glue(self.items[item].tail, self.mentions[mention].first, RIGHT_GLUE, "(*_\"«`")
    }

    fn item_between(&self, a: usize, b: usize) -> bool {
        self.items.iter().any(|i| i.place.first > a && i.place.first < b)
    }

    /// The mention of one item, within its sentence.
    fn one(&self, item: usize) -> Option<Link> {
        let it = self.items[item];
        let (clause, sentence) = (self.clause(it.place), self.sentence(it.place));
        let left = (0..self.mentions.len()).rev().find(|&m| {
            self.mentions[m].last < it.place.first && self.clause(self.mentions[m]) == clause
        });
        let right = (0..self.mentions.len()).find(|&m| {
            self.mentions[m].first > it.place.last
                && self.clause(self.mentions[m]) == clause
                && !self.taken_by_later(m, item)
        });
        let own = match (left, right) {
            (Some(l), Some(r)) => Some(self.side(item, l, r)),
            (l, r) => l.or(r),
        };
        if let Some(m) = own {
            return Some(Link { targets: self.run_of(m), reach: Reach::Clause });
        }
        let in_sentence = |m: &usize| self.sentence(self.mentions[*m]) == sentence;
        // What stands in brackets belongs to what stands before them.
        let inside = |p: Place| self.tokens[p.first].inside;
        let earlier = || {
            (0..self.mentions.len())
                .rev()
                .filter(in_sentence)
                .filter(|&m| self.mentions[m].last < it.place.first)
        };
        let before = earlier()
            .find(|&m| !self.comparand(m) && (inside(it.place) || !inside(self.mentions[m])))
            .or_else(|| earlier().find(|&m| inside(it.place) || !inside(self.mentions[m])))
            .or_else(|| earlier().next());
        let after = (0..self.mentions.len()).filter(in_sentence).find(|&m| {
            let at = self.mentions[m];
            at.first > it.place.last
                && !self.item_between(it.place.last, at.first)
                && !self.items.iter().any(|i| self.clause(i.place) == self.clause(at))
        });
        // `With 45, Friday trails`: the clause of the number leads to the next, but not over a
        // semicolon (`July was the wettest, with 94.7; March …`).
        let ends = self.tokens.iter().find(|t| t.clause == clause + 1).is_some_and(|t| t.is(';'));
        let leads = self
            .tokens
            .iter()
            .find(|t| t.clause == clause && t.is_word() && !is_and(t))
            .is_some_and(|t| !ends && ["with", "at", "с", "со"].contains(&t.lower.as_str()));
        // There the next clause begins with its group, whatever else it holds.
        let subject = (0..self.mentions.len()).filter(in_sentence).find(|&m| {
            let at = self.mentions[m];
            at.first > it.place.last
                && self.clause(at) == clause + 1
                && self
                    .tokens
                    .iter()
                    .position(|t| t.clause == clause + 1)
                    .is_some_and(|i| i + 2 >= at.first)
        });
        let m = if leads { subject.or(after).or(before) } else { before.or(after) }?;
        Some(Link { targets: self.run_of(m), reach: Reach::Sentence })
    }

    /// `slower than auth`: what something is compared with is not what is spoken of next.
    fn comparand(&self, mention: usize) -> bool {
        let first = self.mentions[mention].first;
        let sentence = self.sentence(self.mentions[mention]);
        (first.saturating_sub(2)..first).any(|i| {
            self.tokens[i].sentence == sentence
                && ["than", "чем"].contains(&self.tokens[i].lower.as_str())
        })
    }

    /// A later number of the clause stands right behind the mention: `78 with Friday at 45`.
    fn taken_by_later(&self, mention: usize, item: usize) -> bool {
        // `45 (max 88.8)`: what stands in brackets with a number belongs to it.
        let at = self.mentions[mention];
        let opened = self.between(self.items[item].tail, at.first).iter().any(|t| t.is('('));
        if opened
            && self.items.get(item + 1).is_some_and(|next| {
                next.place.first > at.last
                    && !self.between(at.last, next.place.first).iter().any(|t| t.is(')'))
            })
        {
            return true;
        }
        if self.right_tight(mention, item) {
            return false;
        }
        (item + 1..self.items.len()).find(|&i| self.items[i].place.first > at.last).is_some_and(
            |i| self.clause(self.items[i].place) == self.clause(at) && self.left_tight(mention, i),
        )
    }

    /// Left or right, where the clause has both.
    fn side(&self, item: usize, left: usize, right: usize) -> usize {
        let it = self.items[item];
        let (l, r) = (self.left_tight(left, item), self.right_tight(right, item));
        let crowded = self.item_between(self.mentions[left].last, it.place.first);
        match (l, r) {
            (false, true) => right,
            (true, true) => {
                // `Monday 78 Friday 45`, `78 Monday 45 Friday`: the order of the clause decides.
                let clause = self.clause(it.place);
                let first_item = self.items.iter().find(|i| self.clause(i.place) == clause);
                let first_mention = self.mentions.iter().find(|m| self.clause(**m) == clause);
                match (first_item, first_mention) {
                    (Some(i), Some(m)) if i.place.first < m.first => right,
                    _ => left,
                }
            }
            (false, false) if crowded => right,
            _ => left,
        }
    }
}
