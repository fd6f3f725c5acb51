//! The words around each number: unit, what it counts, hedge, bound, range, `80 of 500`.

use super::{Counted, Num, Part, Reader};
use crate::validate::claims::lex::Token;
use crate::validate::claims::names::Axis;
use crate::validate::claims::number::Sign;
use crate::validate::claims::words::{self, find, has};

fn lead_is_article(tokens: &[Token], at: usize) -> bool {
    const ARTICLES: &[&str] =
        &["the", "all", "your", "my", "our", "these", "those", "всех", "ваших", "этих"];
    at > 0 && ARTICLES.contains(&tokens[at - 1].lower.as_str())
}

impl Reader<'_> {
    /// The words around each number.
    pub(super) fn connect(&mut self) {
        for n in 0..self.out.numbers.len() {
            self.after(n);
            self.before(n);
        }
        for n in 0..self.out.numbers.len() {
            self.pair(n);
        }
        for n in 1..self.out.numbers.len() {
            self.inherit(n);
        }
        // The kilowatts of kilowatt-hours are no measure.
        let numbers = &self.out.numbers;
        let within = |at: usize| {
            numbers.iter().any(|n| n.number.unit.is_some() && n.place.last < at && at < n.tail)
        };
        self.out.bases.retain(|b| !within(b.place.last));
    }

    /// `Kuper took 893 orders and Azbuka 129`: what the first counts, the second counts.
    fn inherit(&mut self, n: usize) {
        let (last, num) = (&self.out.numbers[n - 1], &self.out.numbers[n]);
        let clause = self.out.clause(num.place);
        let named = self.out.aggs.iter().any(|a| self.out.clause(a.place) == clause)
            || self.out.bases.iter().any(|b| self.out.clause(b.place) == clause);
        let bare = num.number.decimals == 0
            && num.counted.is_none()
            && num.number.unit.is_none()
            && !num.number.percent
            && !num.times;
        if bare
            && !named
            && last.counted == Some(Counted::Rows)
            && last.part.is_none()
            && self.out.clause(last.place) != clause
            && self.out.sentence(last.place) == self.out.sentence(num.place)
        {
            self.out.numbers[n].counted = Some(Counted::Rows);
        }
    }

    fn after(&mut self, n: usize) {
        let mut num = self.out.numbers[n].clone();
        let mut at = num.place.last + 1;
        let tokens = &self.out.tokens;
        // Emphasis marks and the hyphen of `20-day`.
        while tokens
            .get(at)
            .is_some_and(|t| t.is('*') || t.is('_') || t.is('`') || t.is('-') && t.glued)
        {
            at += 1;
        }
        let word = |i: usize| tokens.get(i).map_or("", |t| t.lower.as_str());
        if let Some((points, len)) = find(words::PERCENT, tokens, at) {
            num.number.percent |= !points;
            num.number.points |= points;
            at += len;
            num.tail = at - 1;
        }
        let ratio = [
            "as",
            "higher",
            "more",
            "larger",
            "greater",
            "lower",
            "less",
            "that",
            "the",
            "smaller",
            "bigger",
            "выше",
            "больше",
            "ниже",
            "меньше",
        ];
        let before = self.out.word_before(num.place.first);
        let named = |i: usize| self.out.mentions.iter().any(|m| m.place.first == i);
        let factor = before == "of"
            && num.place.first >= 2
            && ["factor", "multiple"].contains(&word(num.place.first - 2));
        if factor
            || (word(at) == "times" && (ratio.contains(&word(at + 1)) || named(at + 1)))
            || word(at) == "x"
            || tokens.get(at).is_some_and(|t| t.is('×'))
            || word(at) == "fold"
            || word(at).starts_with("раз") && before == "в"
        {
            num.times = true;
            num.tail = if factor { num.tail } else { at };
        } else if !num.number.percent && num.number.unit.is_none() {
            let scale = match word(at + 1) {
                "c" | "с" => Some("°C"),
                "f" => Some("°F"),
                _ => None,
            };
            let parts = || find(words::PARTS, tokens, at).filter(|_| num.number.decimals > 0);
            // `кВт⋅ч`
            let dotted = || {
                let dot = tokens.get(at + 1).is_some_and(|t| t.is('⋅') || t.is('·'));
                let pair = [tokens.get(at)?.clone(), tokens.get(at + 2)?.clone()];
                let (unit, len) = find(words::UNITS, &pair, 0).filter(|_| dot)?;
                (len == 2).then_some((unit, 3))
            };
            // `412,500 t`, where a column is in `t`.
            let declared = || {
                let said = tokens.get(at).filter(|t| t.is_word() && !t.glued)?.lower.as_str();
                let joined = tokens.get(at + 1).is_some_and(|t| t.is('-') && t.glued);
                let mut measures = self.world.views.iter().flat_map(|v| &v.measures);
                let own = measures.any(|m| m.unit.as_deref() == Some(said)) && !joined;
                words::UNITS.iter().find(|(_, u)| own && *u == said).map(|(_, u)| (*u, 1))
            };
            if let Some(unit) = scale.filter(|_| tokens.get(at).is_some_and(|t| t.is('°'))) {
                num.number.unit = Some(unit);
                num.tail = at + 1;
            } else if let Some((unit, len)) =
                dotted().or_else(|| find(words::UNITS, tokens, at)).or_else(parts).or_else(declared)
            {
                num.number.unit = Some(unit);
                num.tail = at + len - 1;
            } else if num.number.decimals == 0 || num.number.scale > 1.0 {
                self.counted(&mut num, at);
            }
        }
        self.out.numbers[n] = num;
    }

    fn counted(&self, num: &mut Num, at: usize) {
        let tokens = &self.out.tokens;
        let word = |i: usize| tokens.get(i).map_or("", |t| t.lower.as_str());
        if matches!((word(at), word(at + 1)), ("of", "them" | "these" | "those") | ("из", "них"))
        {
            num.counted = Some(Counted::Rows);
            num.tail = at + 1;
            return;
        }
        // The noun may have one adjective before it.
        for start in at..=at + 1 {
            let Some(t) = tokens.get(start).filter(|t| t.is_word()) else { return };
            if start > at
                && (self.used[start - 1]
                    || has(words::COPULAS, tokens, start - 1)
                    || tokens[start - 1].lower.len() < 4)
            {
                return;
            }
            let on_axis = self.world.axis_words.contains_key(&t.stem);
            let plural_day = self.out.mentions.iter().any(|m| {
                m.place.first == start
                    && m.axes == [Axis::Weekday]
                    && (t.lower.ends_with("days")
                        || ["ов", "ц"].iter().any(|e| t.lower.ends_with(e))
                        || t.lower == "сред"
                        || t.lower == "воскресений"
                        || t.lower == "суббот")
            });
            if let Some((counted, len)) = find(words::GROUPS, tokens, start)
                .map(|((), len)| (Counted::Groups, len))
                .or_else(|| (on_axis && !self.used[start]).then_some((Counted::Groups, 1)))
                .or_else(|| plural_day.then_some((Counted::Rows, 1)))
                .or_else(|| {
                    words::counted(tokens, start)
                        .filter(|_| !self.is_held_base(&t.stem))
                        .map(|len| (Counted::Rows, len))
                })
                .or_else(|| {
                    (start == at && self.is_held_base(&t.stem) && num.number.scale == 1.0)
                        .then_some((Counted::Perhaps, 1))
                })
            {
                num.counted = Some(counted);
                num.tail = if plural_day { num.tail } else { start + len - 1 };
                return;
            }
        }
    }

    fn before(&mut self, n: usize) {
        let num = &self.out.numbers[n];
        let tokens = &self.out.tokens;
        let mut end = num.place.first;
        let mut about = num.about;
        let mut bound = None;
        // Walk left over hedges, bounds, articles and marks.
        'walk: while end > 0 {
            for len in (1..=4).rev() {
                let Some(start) = end.checked_sub(len) else { continue };
                if tokens[start].sentence != tokens[num.place.first].sentence {
                    continue;
                }
                if find(words::ABOUT, tokens, start).is_some_and(|((), l)| l == len) {
                    about = true;
                    end = start;
                    continue 'walk;
                }
                if let Some((up, l)) = find(words::BOUNDS, tokens, start)
                    && (l == len || l + 1 == len && tokens[end - 1].is(','))
                    && bound.is_none()
                {
                    bound = Some((up, start));
                    end = start;
                    continue 'walk;
                }
            }
            let t = &tokens[end - 1];
            if t.is('~') || t.is('≈') || t.is('≃') {
                about = true;
            } else if (t.is('>') || t.is('≥') || t.is('<') || t.is('≤')) && bound.is_none() {
                bound = Some((t.is('>') || t.is('≥'), end - 1));
            } else if !(t.is('*')
                || t.is('_')
                || t.is('`')
                || t.is('=') && end > 1 && (tokens[end - 2].is('>') || tokens[end - 2].is('<'))
                || ["a", "the", "на", "в"].contains(&t.lower.as_str()) && bound.is_none() && !about)
            {
                break;
            }
            end -= 1;
        }
        // `4 and above`, `30 и больше`
        let after = num.tail + 1;
        let word = |i: usize| tokens.get(i).map_or("", |t| t.lower.as_str());
        if bound.is_none() && ["and", "or", "и", "или"].contains(&word(after)) {
            let up = ["above", "more", "up", "over", "higher", "later", "выше", "больше", "более"];
            let down = ["below", "less", "under", "fewer", "lower", "ниже", "меньше", "менее"];
            let ends = tokens.get(after + 2).is_none_or(|t| t.lower != "than" && t.lower != "чем");
            if ends && up.contains(&word(after + 1)) {
                bound = Some((true, num.place.first));
            } else if ends && down.contains(&word(after + 1)) {
                bound = Some((false, num.place.first));
            }
        }
        let negated = bound.is_none()
            && end > 0
            && has(words::NOT, tokens, end - 1)
            && tokens[end - 1].clause == tokens[num.place.first].clause;
        let inclusive = bound.is_some_and(|(_, at)| has(words::INCLUSIVE, &self.out.tokens, at));
        let num = &mut self.out.numbers[n];
        (num.about, num.bound, num.negated) = (about, bound, negated);
        num.inclusive = inclusive;
    }

    /// Ranges and `80 of 500`.
    fn pair(&mut self, n: usize) {
        let num = &self.out.numbers[n];
        let tokens = &self.out.tokens;
        // `Of the 1,840 parcels over 2 kg, 1,465 …`: the bound belongs to the whole.
        let whole = num.counted.is_some()
            && num.place.first > 0
            && ["the", "of", "из", "all"].contains(&self.out.word_before(num.place.first));
        let skipped =
            usize::from(whole && self.out.numbers.get(n + 1).is_some_and(|x| x.bound.is_some()));
        let Some(next) = self.out.numbers.get(n + skipped + 1) else { return };
        if tokens[num.place.first].sentence != tokens[next.place.first].sentence {
            return;
        }
        // `Of the 500 days, 80 had a gap`, `Из 500 дней 80 …`
        let opener =
            num.place.first.checked_sub(1 + usize::from(lead_is_article(tokens, num.place.first)));
        if num.part.is_none()
            && num.counted.is_some()
            && next.number.decimals == 0
            && next.number.value <= num.number.value
            && opener.is_some_and(|i| {
                let out = i > 0 && tokens[i - 1].lower == "out";
                let first = i - usize::from(out);
                ["of", "из"].contains(&tokens[i].lower.as_str())
                    && (first == 0 || tokens[first - 1].clause != tokens[i].clause)
            })
        {
            let counted = num.counted;
            self.out.numbers[n].part = Some(Part::Denominator(n + skipped + 1));
            let next = &mut self.out.numbers[n + skipped + 1];
            next.part = Some(Part::Numerator);
            next.counted = counted;
            return;
        }
        if skipped > 0 {
            return;
        }
        let from =
            if num.number.percent || num.counted.is_none() { num.place.last } else { num.tail };
        let mut between: Vec<&Token> =
            tokens.get(from + 1..next.place.first).unwrap_or_default().iter().collect();
        between.retain(|t| !t.is('*') && !t.is('_'));
        let lead = self.out.word_before(num.place.first);
        let dash =
            between.len() == 1 && ['-', '–', '—', '−', '…'].iter().any(|c| between[0].is(*c));
        let to = between.len() == 1
            && (["to", "до"].contains(&between[0].lower.as_str())
                && (["from", "от", "с", "ranges", "range", "ranging"].contains(&lead)
                    || num.place.first > 0 && tokens[num.place.first - 1].is('('))
                || ["and", "и"].contains(&between[0].lower.as_str())
                    && ["between", "между"].contains(&lead));
        if (dash || to) && num.number.value < next.number.value && num.range.is_none() {
            let sign = next.number.sign;
            self.out.numbers[n].range = Some(false);
            let next = &mut self.out.numbers[n + 1];
            next.range = Some(true);
            // `45-78`: the hyphen is no minus.
            if sign == Sign::None {
                next.number.value = next.number.value.abs();
            }
            return;
        }
        let of = match between.as_slice() {
            [t] if t.is('/') => {
                num.number.decimals + next.number.decimals == 0
                    && num.number.value <= next.number.value
            }
            [t] => ["of", "из"].contains(&t.lower.as_str()),

            [a, b] => {
                a.lower == "of" && ["the", "all"].contains(&b.lower.as_str())
                    || a.lower == "out" && b.lower == "of"
            }
            [a, b, c] => a.lower == "out" && b.lower == "of" && c.lower == "the",
            _ => false,
        };
        // `52,410 readings out of 105,120`: nouns that nobody knows.
        let of = of
            || num.number.decimals == 0
                && match between.as_slice() {
                    [.., a, the] if a.lower == "among" => the.lower == "the" && between.len() <= 5,
                    [noun, a] => noun.is_word() && a.lower == "из",
                    [x, y, a] => x.is_word() && y.is_word() && a.lower == "из",
                    [noun, a, b, ..] if between.len() <= 4 => {
                        noun.is_word()
                            && a.lower == "out"
                            && b.lower == "of"
                            && between[3..].iter().all(|t| t.lower == "the")
                    }
                    _ => false,
                };
        if of && num.number.percent && next.number.decimals == 0 && !next.number.percent {
            let next = &mut self.out.numbers[n + 1];
            next.part = Some(Part::Denominator(n));
            next.counted = Some(Counted::Rows);
            return;
        }
        if of && !num.number.percent {
            let counted = next
                .counted
                .filter(|c| *c != Counted::Perhaps)
                .or(num.counted)
                .unwrap_or(Counted::Rows);
            let first = &mut self.out.numbers[n];
            first.part = Some(Part::Numerator);
            first.counted = Some(counted);
            let second = &mut self.out.numbers[n + 1];
            second.part = Some(Part::Denominator(n));
            second.counted = Some(counted);
        }
    }
}
