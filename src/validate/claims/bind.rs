//! What each number is about: its names, aggregate, measure and the words around, collected for
//! `resolve`.

use super::link::{Item, Link, Reach, link};
use super::names::{Axis, Name};
use super::rank::of_shown;
use super::read::{Counted, End, Mark, Num, Part, Place, Reading, Superlative};
use super::resolve::{About, Need};
use super::words::{self, Agg, find, has};
use super::world::World;

/// Every link of every number (or superlative) of a text.
pub(super) struct Links {
    /// Per group of axes: the mentions on them, and the link of each item into that list.
    names: Vec<(Vec<usize>, Vec<Option<Link>>)>,
    aggs: Vec<Option<Link>>,
    bases: Vec<Option<Link>>,
    superlatives: Vec<Option<Link>>,
    results: Vec<Option<Link>>,
}

impl Links {
    /// Links `items` to everything that the text mentions.
    pub fn new(reading: &Reading, items: &[Item]) -> Self {
        let mut groups: Vec<(Vec<Axis>, Vec<usize>)> = Vec::new();
        for (i, m) in reading.mentions.iter().enumerate() {
            match groups.iter_mut().find(|(axes, _)| *axes == m.axes) {
                Some((_, list)) => list.push(i),
                None => groups.push((m.axes.clone(), vec![i])),
            }
        }
        let tokens = &reading.tokens;
        let names = groups
            .into_iter()
            .map(|(_, list)| {
                let places: Vec<Place> = list.iter().map(|&m| reading.mentions[m].place).collect();
                let links = link(tokens, items, &places);
                (list, links)
            })
            .collect();
        let places = |all: Vec<Place>| link(tokens, items, &all);
        Self {
            names,
            aggs: places(reading.aggs.iter().map(|a| a.place).collect()),
            bases: places(reading.bases.iter().map(|b| b.place).collect()),
            superlatives: places(reading.superlatives.iter().map(|s| s.place).collect()),
            results: places(reading.results.iter().map(|r| r.place).collect()),
        }
    }

    /// The mentions of an item per group of axes, with their reach.
    pub fn mentions(&self, item: usize) -> Vec<(Vec<usize>, Reach)> {
        self.names
            .iter()
            .filter_map(|(list, links)| {
                let link = links.get(item)?.as_ref()?;
                Some((
                    link.targets.iter().filter_map(|t| list.get(*t).copied()).collect(),
                    link.reach,
                ))
            })
            .collect()
    }
}

/// A parameter of the query that the text states: where, and of which results.
pub(super) type StatedParam = (Place, Vec<usize>);

/// Collects needs.
pub(super) struct Binder<'a> {
    pub world: &'a World<'a>,
    pub reading: &'a Reading,
    pub params: &'a [StatedParam],
    /// The numbers that are claims, by their place in `reading.numbers`.
    pub claims: &'a [usize],
    pub links: Links,
}

impl<'a> Binder<'a> {
    /// Links the numbers `claims` of the reading.
    pub fn new(
        world: &'a World<'a>,
        reading: &'a Reading,
        params: &'a [StatedParam],
        claims: &'a [usize],
    ) -> Self {
        let items: Vec<Item> = claims
            .iter()
            .map(|&n| Item { place: reading.numbers[n].place, tail: reading.numbers[n].tail })
            .collect();
        Self { world, reading, params, claims, links: Links::new(reading, &items) }
    }

    /// What the claim number `item` is about: one need for each group that the text says it of,
    /// with the mentions it stands on.
    pub fn needs(&self, item: usize) -> Vec<(Need, Vec<usize>)> {
        let num = &self.reading.numbers[self.claims[item]];
        let mut need = self.common(item, num.place, &self.links);
        need.percent = num.number.percent;
        need.counted = num.counted;
        need.range = num.range;
        // Money is no number of rows.
        let counts = need.agg.is_some_and(|(agg, _)| agg == Agg::Count);
        if need.paid && counts && num.number.unit.is_some() {
            need.agg = None;
        }
        // `6,120 units`: the noun of the number is its measure.
        let own = |p: Place| {
            p.first > num.place.last
                && (p.first <= num.tail || p.first == num.place.last + 1)
                && num.counted != Some(Counted::Rows)
        };
        if let Some(b) = self.reading.bases.iter().find(|b| own(b.place)) {
            let mut what = b.what.clone();
            // `conceded 29 goals`: the verb before it may be the measure.
            let verb =
                self.reading.bases.iter().find(|v| {
                    v.place.last < num.place.first && v.place.last + 2 >= num.place.first
                });
            // A verb that is the name of a column is that column, whatever its noun may be as well.
            let named = |v: &Mark<Vec<String>>| {
                let word = self.reading.tokens[v.place.first].lower.as_str();
                let mut measures = self.world.views.iter().flat_map(|view| &view.measures);
                word.ends_with("ed")
                    && measures.any(|m| m.name.to_lowercase() == word && v.what.contains(&m.base))
            };
            if let Some(v) = verb.filter(|v| named(v)) {
                what.clone_from(&v.what);
            } else {
                what.extend(verb.into_iter().flat_map(|v| v.what.clone()));
            }
            need.base = Some((what, Reach::Clause));
        }
        let carried = self.links.bases[item].as_ref().and_then(|link| link.targets.first());
        let carried = carried.and_then(|&t| self.reading.bases.get(t));
        if carried.is_some_and(|b| {
            self.reading.is_of_another(b.place, num)
                && need.base.as_ref().is_some_and(|(what, _)| *what == b.what)
        }) {
            need.base = None;
        }
        // A gap of 3.4 points is none of `up_gaps_pct`.
        if let Some((what, _)) = &mut need.base
            && !num.number.percent
        {
            let measures = || self.world.views.iter().flat_map(|v| &v.measures);
            let other = |b: &String| measures().any(|m| m.base == *b && !m.percent());
            if what.iter().any(other) {
                what.retain(other);
            }
        }
        self.superlative(item, num, &mut need);
        match num.part {
            Some(Part::Denominator(of)) => {
                let about_group = self.claims.iter().position(|&n| n == of).is_some_and(|i| {
                    self.links.mentions(i).iter().any(|(_, r)| *r == Reach::Clause)
                });
                // `4 of 212 are shown`: of those that were found.
                need.denominator = Some(!about_group && !need.shown);
                need.counted = num.counted.or(Some(Counted::Rows));
                need.shown = false;
                return vec![(need, Vec::new())];
            }
            Some(Part::Numerator) if num.counted == Some(Counted::Groups) => need.shown = true,
            _ => {}
        }
        self.with_names(item, num, need)
    }

    fn superlative(&self, item: usize, num: &Num, need: &mut Need) {
        let reading = self.reading;
        let Some(link) = self.links.superlatives[item].as_ref() else { return };
        let Some(mark) = link.targets.first().and_then(|t| reading.superlatives.get(*t)) else {
            return;
        };
        let clause = reading.clause(mark.place);
        let own = match link.reach {
            Reach::Clause => true,
            Reach::Sentence => {
                !self.claims.iter().any(|&n| reading.clause(reading.numbers[n].place) == clause)
                    && mark.place.first < num.place.first
            }
            Reach::Before => false,
        };
        if own && !mark.what.negated && !mark.what.odd {
            need.superlative = Some(mark.what);
            need.superlative_names = names_aggregate(reading, mark.place, mark.what);
        }
    }

    /// Aggregate, measure and the words around a place.
    pub fn common(&self, item: usize, place: Place, links: &Links) -> Need {
        let reading = self.reading;
        let clause = reading.clause(place);
        let first =
            |link: &Option<Link>| link.as_ref().and_then(|l| Some((*l.targets.first()?, l.reach)));
        let mut agg = first(&links.aggs[item]).map(|(t, reach)| (reading.aggs[t].what, reach));
        let mut base =
            first(&links.bases[item]).map(|(t, reach)| (reading.bases[t].what.clone(), reach));
        // In a table the head of the column says it.
        if let Some(head) = reading.column_head(place) {
            agg = reading
                .aggs
                .iter()
                .find(|a| head.contains(&a.place.first))
                .map(|a| (a.what, Reach::Clause));
            if agg.is_none() && head.clone().any(|i| words::counted(&reading.tokens, i).is_some()) {
                agg = Some((words::Agg::Count, Reach::Clause));
            }
            base = reading
                .bases
                .iter()
                .find(|b| head.contains(&b.place.first))
                .map(|b| (b.what.clone(), Reach::Clause));
            // Heads that are names (`Female | Male`) leave it to the line over the table.
            let named = reading.mentions.iter().any(|m| head.contains(&m.place.first));
            let over = reading.tokens.get(head.start).map_or(0, |t| t.sentence).checked_sub(1);
            if let Some(over) = over.filter(|_| named && base.is_none()) {
                let of = |p: Place| reading.sentence(p) == over;
                base = reading
                    .bases
                    .iter()
                    .rfind(|b| of(b.place))
                    .map(|b| (b.what.clone(), Reach::Sentence));
            }
        }
        let position = (0..reading.tokens.len())
            .filter(|&i| reading.tokens[i].clause == clause)
            .find_map(|i| find(words::POSITIONS, &reading.tokens, i).map(|(p, _)| p));
        let sentence = reading.sentence(place);
        let of_shown = self.world.views.iter().any(|v| of_shown(reading, sentence, v));
        Need {
            agg,
            base,
            position,
            overall: reading.clause_has(clause, words::OVERALL),
            total: reading.clause_has(clause, words::TOTAL),
            shown: reading.clause_has(clause, words::SHOWN),
            scanned: reading.clause_has(clause, words::SCANNED),
            of_shown: of_shown || reading.clause_has(clause, words::SHOWN),
            whole: !of_shown
                && [words::EVERY, words::OVERALL]
                    .into_iter()
                    .any(|t| reading.sentence_has(sentence, t)),
            paid: words::paid(&reading.tokens, clause)
                && !reading.superlatives.iter().any(|s| reading.clause(s.place) == clause),
            views: self.views(place, first(&links.results[item])),
            ..Need::default()
        }
    }

    /// The results that a place speaks of: by id, or by a parameter that only they have.
    fn views(&self, place: Place, named: Option<(usize, Reach)>) -> Option<(Vec<usize>, Reach)> {
        let reading = self.reading;
        if let Some((t, reach)) = named {
            let id = &reading.results[t].what;
            let views = (0..self.world.views.len())
                .filter(|&i| self.world.views[i].outcome.id == *id)
                .collect();
            return Some((views, reach));
        }
        let sentence = reading.sentence(place);
        let same = |p: &&StatedParam| reading.sentence(p.0) == sentence;
        let own = self
            .params
            .iter()
            .filter(same)
            .rfind(|p| p.0.first < place.first)
            .or_else(|| self.params.iter().find(same));
        if let Some((_, views)) = own {
            return Some((views.clone(), Reach::Sentence));
        }
        self.params
            .iter()
            .rfind(|p| p.0.first < place.first)
            .map(|(_, views)| (views.clone(), Reach::Before))
    }

    /// `conceded 34 goals, Liverpool 41`: the other things that the clause measures from which the
    /// measure of a number was carried.
    pub fn beside_base(&self, num: &Num, need: &Need) -> Vec<String> {
        let Some((what, Reach::Sentence)) = &need.base else { return Vec::new() };
        let reading = self.reading;
        let sentence = reading.sentence(num.place);
        let from = reading.bases.iter().rfind(|b| {
            b.what == *what
                && b.place.last < num.place.first
                && reading.sentence(b.place) == sentence
        });
        let Some(clause) = from.map(|b| reading.clause(b.place)) else { return Vec::new() };
        let same = reading.bases.iter().filter(|b| reading.clause(b.place) == clause);
        same.flat_map(|b| &b.what).filter(|b| !what.contains(b)).cloned().collect()
    }

    fn with_names(&self, item: usize, num: &Num, need: Need) -> Vec<(Need, Vec<usize>)> {
        let reading = self.reading;
        let clause = reading.clause(num.place);
        let sentence = reading.sentence(num.place);
        let overall = need.overall
            && !(0..reading.tokens.len()).any(|i| {
                // `всего` and `total` next to a name are its total.
                reading.tokens[i].clause == clause
                    && reading.mentions.iter().any(|m| m.place.first == i)
            });
        let chosen = need.superlative.is_some() && !need.superlative_names || need.range.is_some();
        let own_superlative =
            reading.superlatives.iter().any(|s| reading.clause(s.place) == clause);
        let bullet = reading
            .tokens
            .iter()
            .find(|t| t.sentence == sentence)
            .is_some_and(|t| t.is('-') || t.is('*') || t.is('•') || t.is('|'));
        let back = reading.sentence_has(sentence, words::BACK);
        // A column whose head is a name (`Female | Male`) is of that name.
        let head = reading.column_head(num.place);
        let of_head: Vec<usize> = (0..reading.mentions.len())
            .filter(|&m| {
                head.as_ref().is_some_and(|h| h.contains(&reading.mentions[m].place.first))
            })
            .collect();
        let mut links = self.links.mentions(item);
        for &m in &of_head {
            let axes = &reading.mentions[m].axes;
            links.retain(|(list, _)| {
                list.first().is_none_or(|t| reading.mentions[*t].axes != *axes)
            });
            links.push((vec![m], Reach::Clause));
        }
        let said_total = need.total;
        let mut out = vec![(need, Vec::new())];
        for (targets, reach) in links {
            let Some(first) = targets.first().and_then(|t| reading.mentions.get(*t)) else {
                continue;
            };
            let place = reading.clause(first.place);
            let busy =
                self.claims.iter().any(|&n| reading.clause(reading.numbers[n].place) == place)
                    || reading.superlatives.iter().any(|s| reading.clause(s.place) == place);
            let drop = match reach {
                Reach::Clause => false,
                Reach::Sentence => {
                    // `in total there were 150 orders, and pending was the rarest`
                    let whole = said_total && busy && first.place.first > num.place.last;
                    overall
                        || whole
                        || chosen && own_superlative && busy
                        || num.range.is_some() && busy
                }
                Reach::Before => {
                    overall
                        || chosen
                        || num.part.is_some()
                        || num.counted.is_some_and(|c| c != Counted::Perhaps) && !back && !bullet
                }
            };
            if drop {
                continue;
            }
            let mut next = Vec::new();
            for (need, used) in &out {
                for &t in &targets {
                    let m = &reading.mentions[t];
                    let mut need = need.clone();
                    need.names.push(About { axes: m.axes.clone(), name: m.name.clone(), reach });
                    let mut used = used.clone();
                    used.push(t);
                    next.push((need, used));
                }
            }
            out = next;
        }
        out
    }

    /// The direction that the words around a number state, and the word's place where it stands
    /// before the number.
    pub fn direction(&self, num: &Num) -> Option<(bool, Option<usize>)> {
        let tokens = &self.reading.tokens;
        let first = num.bound.map_or(num.place.first, |(_, at)| at);
        let clause = tokens[num.place.first].clause;
        let level = first.checked_sub(1).is_some_and(|i| {
            ["to", "at", "from", "до", "с", "на"].contains(&tokens[i].lower.as_str())
                && tokens[i].lower != "на"
        });
        if level {
            return None;
        }
        for i in (0..first).rev().take(5) {
            if tokens[i].clause != clause
                || self.claims.iter().any(|&n| self.reading.numbers[n].place.first == i)
            {
                break;
            }
            if self.reading.mentions.iter().any(|m| (m.place.first..=m.place.last).contains(&i)) {
                continue;
            }
            if let Some(((up, _), _)) = find(words::DIRECTIONS, tokens, i) {
                let next = tokens.get(i + 1).map_or("", |t| t.lower.as_str());
                if ["on", "to", "from", "between"].contains(&next) || self.is_measure(i) {
                    return None;
                }
                return Some((up, Some(i)));
            }
        }
        let after = num.tail + 1;
        if let Some(((up, _), _)) = find(words::DIRECTIONS, tokens, after)
            && !self.is_measure(after)
            && tokens[after].clause == clause
            && !has(words::COPULAS, tokens, after)
            && tokens
                .get(after + 1)
                .is_none_or(|t| !["to", "from", "on", "до", "с"].contains(&t.lower.as_str()))
        {
            return Some((up, None));
        }
        None
    }

    /// A word of a measure or of a name (`lost` parcels) says no direction.
    fn is_measure(&self, at: usize) -> bool {
        let within = |p: Place| (p.first..=p.last).contains(&at);
        self.reading.bases.iter().any(|b| within(b.place))
            || self.reading.mentions.iter().any(|m| within(m.place))
    }
}

/// `largest gap`, `maximum`: the superlative may be the name of an aggregate; `больше всего`, an adverb,
/// is not.
pub(super) fn names_aggregate(reading: &Reading, place: Place, what: Superlative) -> bool {
    // `leads on revenue` is no aggregate of it; the `top score` may be one.
    let behind = reading.bases.iter().any(|b| b.place.first == place.last + 1);
    let leads = what.end == End::Leads && !behind;
    !leads && !is_adverb(reading, place) && of_a_measure(reading, place, what)
}

/// What is measured stands right behind a superlative, or the superlative is a noun.
pub(super) fn of_a_measure(reading: &Reading, place: Place, what: Superlative) -> bool {
    let near = |p: Place| p.first > place.last && p.first <= place.last + 2;
    // `the widest range on average`: behind what is measured.
    let clause = reading.clause(place);
    let mean = |a: &Mark<Agg>| {
        let to = a.place.first.min(place.last + 6);
        matches!(a.what, Agg::Mean | Agg::Median)
            && reading.clause(a.place) == clause
            && (place.last + 1..place.last + 6).contains(&a.place.first)
            && !reading.numbers.iter().any(|n| (place.last..to).contains(&n.place.first))
    };
    let other = reading.aggs.iter().any(|a| near(a.place) || mean(a));
    let owned = ["its", "their", "его", "ее", "их"].contains(&reading.word_before(place.first));
    !other && (owned || !what.adjective || reading.bases.iter().any(|b| near(b.place)))
}

/// `больше всего`, `хуже всех`.
pub(super) fn is_adverb(reading: &Reading, place: Place) -> bool {
    let last = reading.tokens.get(place.last).map_or("", |t| t.lower.as_str());
    place.first < place.last && ["всего", "всех", "других"].contains(&last)
}

/// The name that another mention is corrected to.
pub(super) fn renamed(need: &Need, from: &Name, to: &Name) -> Need {
    let mut need = need.clone();
    for about in &mut need.names {
        if about.name == *from {
            about.name = to.clone();
            about.reach = Reach::Clause;
        }
    }
    need
}
