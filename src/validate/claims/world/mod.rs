//! The results that a text is checked against, as named things: axes with the names on them,
//! measures with the words for them, the parameters of the queries.

mod columns;
mod params;
mod sizes;
mod span;
mod values;
mod view;
mod vocabulary;

use super::lex::{Stems, Token, base_of, is_cyrillic, lower};
use super::names::{Axis, month, quarter, weekday};
use super::words::{self, Agg};
use crate::facts::Outcome;
use crate::value::Value;
pub(super) use columns::name_words;
pub(super) use params::Param;
use std::collections::{HashMap, HashSet};
pub(super) use view::View;
use view::{speaks_of_income, speaks_of_spending};
use vocabulary::same_word;
pub(super) use vocabulary::translations;

/// A column whose cells name the rows.
#[derive(Debug, Clone)]
pub(super) struct NameColumn {
    /// What its names are.
    pub axis: Axis,
    /// Its number in the result.
    pub column: usize,
    /// Its name.
    pub name: String,
    /// A key of the groups.
    pub key: bool,
}

/// A numeric column of a result that a number can be bound to.
#[derive(Debug, Clone)]
pub(super) struct Measure {
    /// Its number in the result.
    pub column: usize,
    /// Its name.
    pub name: String,
    /// The aggregate it is.
    pub agg: Option<Agg>,
    /// What is measured: a key of [`World::bases`]; empty for a count of rows.
    pub base: String,
    /// The unit of its values.
    pub unit: Option<String>,
    /// Made by the query (aggregate, map, sort) and not just carried along.
    pub main: bool,
}

impl Measure {
    /// Its values add up over groups.
    pub fn additive(&self) -> bool {
        matches!(self.agg, Some(Agg::Sum | Agg::Count))
    }

    /// Its values are per cent.
    pub fn percent(&self) -> bool {
        let name = self.name.to_lowercase();
        match &self.unit {
            Some(unit) => unit == "%" || unit.eq_ignore_ascii_case("percent"),
            None => {
                name.split(|c: char| !c.is_alphanumeric()).any(|w| ["pct", "percent"].contains(&w))
            }
        }
    }

    /// Its values are shares between 0 and 1, which people say in per cent.
    pub fn share(&self) -> bool {
        let name = self.name.to_lowercase();
        self.unit.is_none()
            && ["share", "ratio", "fraction", "rate"].iter().any(|w| name.contains(w))
    }
}

/// A text value that a text may name: its words, and the axes it is on.
#[derive(Debug, Clone)]
pub(super) struct TextName {
    /// The words in lower case, each with its stem.
    pub words: Vec<(String, String)>,
    /// Starts with a capital.
    pub capital: bool,
    /// The value in lower case.
    pub name: String,
    /// The columns it occurs in.
    pub axes: Vec<Axis>,
    /// An everyday word, which names the value only in a sentence with the word of its column.
    pub beside: bool,
    /// For a value with digits and signs (`4–4.9`, `7+`): its characters, by which it is found.
    pub spelled: Option<String>,
}

/// The characters of a text by which names with digits are compared: dashes, spaces and decimal
/// commas as one.
pub(super) fn plain_characters(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    let mut digit = false;
    while let Some(c) = chars.next() {
        let next = chars.peek().is_some_and(char::is_ascii_digit);
        match c {
            '–' | '—' | '−' | '‑' => out.push('-'),
            ',' if digit && next => out.push('.'),
            '\u{a0}' | '\u{202f}' => out.push(' '),
            'ё' | 'Ё' => out.push('е'),
            _ => out.extend(c.to_lowercase()),
        }
        digit = c.is_ascii_digit();
    }
    out
}

/// `шесть марок` of `марка`, `пачек` of `пачки`: a vowel comes in where the ending falls away.
fn genitives(word: &str) -> impl Iterator<Item = String> {
    let start = word.strip_suffix("ка").or_else(|| word.strip_suffix("ки"));
    start.into_iter().flat_map(|start| ["ок", "ек"].map(|end| format!("{start}{end}")))
}

/// The words of another language for a word of a name.
fn in_russian(word: &str) -> impl Iterator<Item = String> {
    let words = translations(word).iter();
    words.flat_map(|w| std::iter::once((*w).to_owned()).chain(genitives(w)))
}

/// Stems of what a word of a name is called in Russian; `alike` are those of the text.
fn translated<'a>(
    stems: &'a Stems,
    alike: &'a HashSet<String>,
    word: &'a str,
) -> impl Iterator<Item = String> + 'a {
    let stem = stems.stem(word);
    let same = alike.iter().filter(move |w| same_word(w, &stem)).cloned();
    in_russian(word).map(|w| stems.stem(&w)).chain(same)
}

/// Whether the words of a name are not enough to find it.
fn has_signs(value: &str) -> bool {
    value.chars().any(|c| c.is_ascii_digit())
        && value.chars().any(|c| !c.is_alphanumeric() && !c.is_whitespace() && c != '_')
}

/// Where each name of each value stands in the lists of names, each known by the word that begins it.
#[derive(Default)]
struct Places(HashMap<(String, String, Words), usize>);

/// The words of a name, each with its stem.
type Words = Vec<(String, String)>;

impl Places {
    /// Notes a name on an axis, once.
    fn note(&mut self, list: &str, names: &mut Vec<TextName>, made: TextName, axis: &Axis) {
        let key = (list.to_owned(), made.name.clone(), made.words.clone());
        let place = *self.0.entry(key).or_insert(names.len());
        if place == names.len() {
            names.push(made);
        }
        if let Some(known) = names.get_mut(place).filter(|known| !known.axes.contains(axis)) {
            known.axes.push(axis.clone());
        }
    }
}

/// Everything a text is checked against.
pub(super) struct World<'a> {
    /// The results, oldest first.
    pub views: Vec<View<'a>>,
    /// Word stem → bases it may mean.
    pub bases: HashMap<String, Vec<String>>,
    /// Bases that some result holds.
    pub held: HashSet<String>,
    /// First word's stem → text values.
    pub texts: HashMap<String, Vec<TextName>>,
    /// Text values with digits and signs.
    pub signed: Vec<TextName>,
    /// Stems of the words that name an axis (`shop`), with the axis.
    pub axis_words: HashMap<String, Axis>,
    /// Stems of the words that name the rows: of the tables, and of counts (`flights`).
    pub count_words: HashSet<String>,
}

impl<'a> World<'a> {
    /// Reads the results. `text` is what will be checked: of large results only the values that
    /// can occur in it are kept.
    pub fn new(outcomes: &[&'a Outcome], text: &str, stems: &Stems) -> Self {
        let mut world = World {
            views: outcomes.iter().map(|o| View::new(o)).collect(),
            bases: HashMap::new(),
            held: HashSet::new(),
            texts: HashMap::new(),
            signed: Vec::new(),
            axis_words: HashMap::new(),
            count_words: HashSet::new(),
        };
        let text = text.to_lowercase().replace('ё', "е");
        // The Russian words of the text, by their stems.
        let words: HashSet<&str> =
            text.split(|c: char| !c.is_alphabetic()).filter(|w| is_cyrillic(w)).collect();
        let words: HashSet<String> = words.into_iter().map(|w| stems.stem(w)).collect();
        world.read_bases(stems, &words);
        world.read_count_words(stems, &words);
        world.read_texts(&text, stems);
        let earned = speaks_of_income(&text);
        let spending = speaks_of_spending(&text);
        for view in &mut world.views {
            view.earned = earned;
            let schema = view.outcome.query.schema();
            view.paid = spending
                || schema
                    .columns
                    .iter()
                    .flat_map(|c| c.synonyms.iter().chain([&c.name]))
                    .any(|word| speaks_of_spending(&word.to_lowercase()));
        }
        world
    }

    fn read_bases(&mut self, stems: &Stems, alike: &HashSet<String>) {
        // `loan period` does not make `loans` a period where a count has that name.
        let measures = self.views.iter().flat_map(|v| &v.measures);
        let counts = measures.filter(|m| m.agg == Some(Agg::Count));
        let counts: HashSet<String> = counts.map(|m| stems.stem(&m.name.to_lowercase())).collect();
        // `чек` of `total_receipts` is a row of the table of receipts, and no number of them; neither is
        // `товар`, which may be one of the items as well, one of `total_products`.
        let rows = self.views.iter().flat_map(|v| name_words(&v.outcome.query.schema().name));
        let rows: Vec<String> = rows.collect();
        let rows: HashSet<String> =
            rows.iter().flat_map(|word| translated(stems, alike, word)).collect();
        let mut add = |base: &str, words: &str| {
            let whole = name_words(words);
            for word in name_words(words) {
                if whole.len() > 1 && counts.contains(&stems.stem(&word)) {
                    continue;
                }
                if Agg::of_name(&word).is_some() && words.contains('_')
                    || ["pct", "percent", "usd", "id", "of", "the", "x"].contains(&word.as_str())
                {
                    continue;
                }
                let own = std::iter::once(word.clone()).chain(genitives(&word));
                let other = translated(stems, alike, &word).filter(|w| !rows.contains(w));
                for stem in own.map(|w| stems.stem(&w)).chain(other) {
                    let list = self.bases.entry(stem).or_default();
                    if !list.iter().any(|b| b == base) {
                        list.push(base.to_owned());
                    }
                }
            }
        };
        for view in &self.views {
            let schema = view.outcome.query.schema();
            for column in schema.columns.iter().filter(|c| c.kind.is_numeric()) {
                let base = column.name.to_lowercase();
                // `product_id` is a key: what it leads to it does not measure.
                let key = name_words(&column.name).last().is_some_and(|word| word == "id");
                if key || view.names.iter().any(|n| n.name == column.name) {
                    continue;
                }
                // `51.3 GWh`: a unit that no list has says by itself what is measured.
                for unit in column.unit.iter().filter(|unit| !words::is_unit(unit)) {
                    add(&base, &unit.to_lowercase());
                }
                add(&base, &column.name);
                for words in column.label.iter().chain(&column.synonyms) {
                    add(&base, words);
                }
            }
            for measure in &view.measures {
                self.held.insert(measure.base.clone());
                add(&measure.base, &measure.base);
                if measure.agg != Some(Agg::Count) || !measure.base.is_empty() {
                    add(&measure.base, &measure.name);
                }
                for words in view
                    .outcome
                    .columns
                    .get(measure.column)
                    .iter()
                    .flat_map(|c| c.column.label.iter().chain(&c.column.synonyms))
                {
                    add(&measure.base, words);
                }
            }
        }
        for view in &self.views {
            for n in &view.names {
                // `14 purchases`, where a date is that of the last one and a column counts them: no dates.
                let measured =
                    |stem: &String| n.axis == Axis::Date && self.bases.contains_key(stem);
                for word in name_words(&n.name) {
                    let words = std::iter::once((word.clone(), true));
                    for (word, own) in words.chain(in_russian(&word).map(|w| (w, false))) {
                        let stem = stems.stem(&word);
                        if own && !measured(&stem) {
                            self.axis_words.insert(stem, n.axis.clone());
                        } else if !own && !self.bases.contains_key(&stem) {
                            self.axis_words.entry(stem).or_insert(n.axis.clone());
                        }
                    }
                }
                let schema = view.outcome.query.schema();
                if let Some(c) = schema.column(&n.name) {
                    for word in c.label.iter().chain(&c.synonyms).flat_map(|w| name_words(w)) {
                        for word in genitives(&word) {
                            self.axis_words.insert(stems.stem(&word), n.axis.clone());
                        }
                        self.axis_words.insert(stems.stem(&word), n.axis.clone());
                    }
                }
            }
        }
    }

    /// The measured things that the adjective at a token compares by.
    pub fn hinted(&self, tokens: &[Token], at: usize, stems: &Stems) -> Vec<String> {
        let words = words::hint(tokens, at).unwrap_or_default();
        let mut out: Vec<String> = words
            .iter()
            .filter_map(|w| self.bases.get(&stems.stem(&lower(w))))
            .flatten()
            .filter(|b| self.held.contains(*b) && !b.is_empty())
            .cloned()
            .collect();
        out.extend(self.of_adjective(tokens, at));
        out.sort();
        out.dedup();
        out
    }

    /// What an adjective that no list has is made of: `the windiest` compares by the wind.
    fn of_adjective(&self, tokens: &[Token], at: usize) -> Vec<String> {
        let Some(root) = words::root(tokens, at) else { return Vec::new() };
        let made_of = |stem: &String| {
            let rest = root.strip_prefix(stem.as_str()).or_else(|| {
                // `ветреный` of `ветер`: the last vowel falls out.
                let (last, start) = (stem.chars().last()?, stem.strip_suffix(|_: char| true)?);
                let start = start.strip_suffix(['е', 'о'])?;
                root.strip_prefix(start)?.strip_prefix(last)
            });
            stem.chars().count() > 2 && rest.is_some_and(|rest| rest.chars().count() < 4)
        };
        let bases = self.bases.iter().filter(|(stem, _)| made_of(stem)).flat_map(|(_, b)| b);
        bases.filter(|b| self.held.contains(*b) && !b.is_empty()).cloned().collect()
    }

    fn read_count_words(&mut self, stems: &Stems, alike: &HashSet<String>) {
        for view in &self.views {
            let table = name_words(&view.outcome.query.schema().name);
            let counts = view.measures.iter().filter(|m| m.agg == Some(Agg::Count));
            let own = table.into_iter().chain(counts.flat_map(|m| name_words(&m.name)));
            let own: Vec<String> = own.filter(|w| Agg::of_name(w).is_none()).collect();
            let of_word = |word: &String| {
                let stem = stems.stem(word);
                let same = alike.iter().filter(|w| same_word(w, &stem)).cloned();
                in_russian(word).chain(same.collect::<Vec<_>>()).collect::<Vec<_>>()
            };
            // `energy` is no name of a row.
            let others = own.iter().filter(|w| w.ends_with('s')).flat_map(of_word);
            let others: Vec<String> = others.collect();
            for word in own.into_iter().chain(others) {
                let stem = stems.stem(&word);
                let other = Agg::of_name(&word).is_some()
                    || self.bases.contains_key(&stem)
                    || self.axis_words.contains_key(&stem);
                if word.chars().count() > 2 && !other {
                    self.count_words.insert(stem);
                }
            }
        }
    }

    fn read_texts(&mut self, text: &str, stems: &Stems) {
        // The first letters of the words of the text: a quick way to skip most values.
        let starts: HashSet<String> = text
            .split(|c: char| !c.is_alphanumeric())
            .filter(|w| !w.is_empty())
            .map(|w| w.chars().take(3).collect())
            .collect();
        // Where each name of each value stands in its list.
        let mut places = Places::default();
        let mut add = |value: &str, (word, beside): (&str, bool), axis: &Axis| -> bool {
            let name = value.to_lowercase();
            let small = word.to_lowercase().replace('ё', "е");
            // The first of several words stands before a space.
            let foreign = small.as_bytes().first().is_some_and(|byte| !byte.is_ascii());
            let whole = foreign && small.chars().all(char::is_alphanumeric);
            let base = if whole { base_of(&small) } else { None };
            let start: String = base
                .unwrap_or(&small)
                .chars()
                .skip_while(|c| !c.is_alphanumeric())
                .take_while(|c| c.is_alphanumeric())
                .take(3)
                .collect();
            // A short value may be declined into a longer word.
            let short = start.chars().count() < 3;
            if !(starts.contains(&start) || short && starts.iter().any(|s| s.starts_with(&start))) {
                return false;
            }
            let words: Vec<(String, String)> = word
                .split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '\''))
                .filter(|w| !w.is_empty())
                .map(lower)
                .map(|w| (w.clone(), stems.stem(&w)))
                .collect();
            let Some((own, first)) = words.first() else { return false };
            let spelled = has_signs(word).then(|| plain_characters(word));
            let list = match &spelled {
                Some(_) => &mut self.signed,
                None => self.texts.entry(first.clone()).or_default(),
            };
            let base = base_of(own).filter(|base| base != first && spelled.is_none());
            let base = base.map(str::to_owned);
            let listed = if spelled.is_none() { first.clone() } else { String::new() };
            let made = TextName {
                capital: word.starts_with(char::is_uppercase),
                words,
                name,
                axes: Vec::new(),
                beside,
                spelled,
            };
            places.note(&listed, list, made.clone(), axis);
            if let Some(base) = base {
                places.note(&base, self.texts.entry(base.clone()).or_default(), made, axis);
            }
            true
        };
        for view in &self.views {
            for (at, n) in view.names.iter().enumerate() {
                if !matches!(n.axis, Axis::Named(_)) {
                    continue;
                }
                // One pass: the values that the text may name, each with its rows.
                let mut lists: Vec<(String, Vec<usize>)> = Vec::new();
                let mut of_name: HashMap<String, usize> = HashMap::new();
                let labels = view.outcome.rows.labels(n.column);
                let column = view.outcome.query.schema().column(&n.name);
                let others: Vec<(&str, &str)> =
                    column.iter().flat_map(|column| column.other_words()).collect();
                let of_label = labels.texts.iter().map(|text| {
                    let name = text.to_lowercase();
                    let mut named = add(text, (text, false), &n.axis);
                    for (word, _) in others.iter().filter(|(_, value)| **value == **text) {
                        named |= add(text, (word, false), &n.axis);
                    }
                    for word in values::words_of(text) {
                        named |= add(text, word, &n.axis);
                    }
                    named.then(|| {
                        *of_name.entry(name).or_insert_with_key(|name| {
                            lists.push((name.clone(), Vec::new()));
                            lists.len() - 1
                        })
                    })
                });
                let of_label: Vec<Option<usize>> = of_label.collect();
                let mut counts = vec![0; of_label.len()];
                for code in &labels.codes {
                    if let Some(count) = counts.get_mut(*code as usize) {
                        *count += 1;
                    }
                }
                for (list, count) in of_label.iter().zip(counts) {
                    if let Some((_, rows)) = list.and_then(|l| lists.get_mut(l)) {
                        rows.reserve(count);
                    }
                }
                for (row, code) in labels.codes.iter().enumerate() {
                    let list = of_label.get(*code as usize).copied().flatten();
                    if let Some((_, rows)) = list.and_then(|l| lists.get_mut(l)) {
                        rows.push(row);
                    }
                }
                for (name, rows) in lists {
                    view.note(at, name, rows);
                }
            }
            for (axis, names) in &view.fixed {
                for (_, value) in names {
                    if let (Axis::Named(_), Value::Text(s)) = (axis, value) {
                        add(s, (s, false), axis);
                    }
                }
            }
            for c in &view.outcome.query.schema().columns {
                let axis = Axis::Named(c.name.to_lowercase());
                for value in c.values.iter().flatten() {
                    if weekday(&value.to_lowercase()).is_none()
                        && month(&value.to_lowercase()).is_none()
                        && quarter(&value.to_lowercase()).is_none()
                    {
                        add(value, (value, false), &axis);
                    }
                }
                for (word, value) in c.other_words() {
                    add(value, (word, false), &axis);
                }
            }
        }
    }
}
