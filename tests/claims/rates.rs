//! Measures the check on a corpus: what it says of true sentences, of false ones, and of true ones
//! made false in one place.

use crate::actual::{given, is_of_what_it_names, is_that};
use crate::corpus::{Part, Section, Sentence};
use crate::kinds::{KINDS, kind};
use crate::mutate;
use pinhole::error::Locale;
use pinhole::validate::claims::{Context, check, deliver, sentences};
use pinhole::validate::{Check, Claim, Verdict};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::Range;

/// How many of how many.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Rate {
    /// Hits.
    pub good: usize,
    /// Tries.
    pub all: usize,
}

impl Rate {
    fn count(&mut self, good: bool) {
        self.good += usize::from(good);
        self.all += 1;
    }

    /// As a share; 1 of nothing.
    pub fn share(self) -> f64 {
        if self.all == 0 { 1.0 } else { self.good as f64 / self.all as f64 }
    }
}

/// What was measured.
#[derive(Default)]
pub struct Rates {
    /// True sentences with a claim that was called wrong.
    pub false_alarms: Rate,
    /// True sentences that were delivered with other words.
    pub changed: Rate,
    /// Claims of true sentences that were called wrong.
    pub false_claims: Rate,
    /// The same of the Russian sentences.
    pub russian: Rate,
    /// Numbers of true sentences that were called wrong.
    pub false_numbers: Rate,
    /// Numbers of true sentences that no claim covers.
    pub overlooked: Rate,
    /// Marked places of false sentences that were caught.
    pub written_false: Rate,
    /// Those of them that were contradicted, with an actual value.
    pub written_corrected: Rate,
    /// Those of them that a look for values takes for true: that were caught.
    pub fooling: Rate,
    /// The same, contradicted with an actual value.
    pub fooling_corrected: Rate,
    /// By what is wrong: the false sentences that were caught, and those contradicted with an actual
    /// value.
    pub written_kinds: BTreeMap<&'static str, (Rate, Rate)>,
    /// Those given that are of the entity and the measure that the sentence names.
    pub written_actual: Rate,
    /// By kind of mutation of a number, the actual values given that are the number that stood there.
    pub actual: BTreeMap<String, Rate>,
    /// By kind of mutation, those that were caught; and by the baseline.
    pub caught: BTreeMap<String, (Rate, Rate)>,
    /// Random numbers that were accepted; and by the baseline.
    pub coincidence: (Rate, Rate),
    /// Every miss, in words.
    pub misses: Vec<String>,
    /// Every text that was checked for a number in it, for the check of another program.
    pub cases: Vec<Case>,
}

/// A text with a number.
pub struct Case {
    /// `true`, the kind of mutation, or `random`.
    pub kind: String,
    /// The number of the section.
    pub section: usize,
    /// The text.
    pub text: String,
    /// Where the number stands.
    pub place: Range<usize>,
}

impl Rates {
    fn case(&mut self, kind: &str, section: usize, text: &str, place: &Range<usize>) {
        let (kind, text) = (kind.to_owned(), text.to_owned());
        self.cases.push(Case { kind, section, text, place: place.clone() });
    }
}

/// A small generator with a fixed sequence (splitmix64).
pub struct Rng(pub u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    fn between(&mut self, a: f64, b: f64) -> f64 {
        a + (b - a) * ((self.next() >> 11) as f64 / (1_u64 << 53) as f64)
    }
}

fn run(section: &Section, sentence: &Sentence, text: &str) -> Check {
    let context = Context { question: Some(&sentence.question), locale: Locale::En };
    let results: Vec<_> = section.beside.iter().chain([&section.outcome]).collect();
    check(text, &results, &context)
}

fn bad(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::Contradicted | Verdict::Unverifiable)
}

fn flagged(found: &Check, place: &Range<usize>) -> bool {
    found.claims.iter().any(|c| {
        bad(c.verdict) && c.span.start < place.end.max(place.start + 1) && c.span.end > place.start
    })
}

fn said(found: &Check) -> String {
    found.claims.iter().fold(String::new(), |mut all, c| {
        let by =
            c.formula.clone().or(c.fact.as_ref().map(|f| f.column.clone())).unwrap_or_default();
        let _ = write!(all, "[{} {:?} {:?} {by}] ", c.text, c.verdict, c.actual);
        all
    })
}

/// Measures a corpus; `random` numbers are put into its sentences.
pub fn measure(sections: &[Section], random: usize) -> Rates {
    let mut rates = Rates::default();
    let mut rng = Rng(7);
    for (number, section) in sections.iter().enumerate() {
        for sentence in &section.sentences {
            let (text, places) = sentence.text(None);
            let found = run(section, sentence, &text);
            let about = |what: &str, text: &str, found: &Check| {
                format!("{what} ({}): {text}\n      {}", section.title, said(found))
            };
            if !sentence.truth {
                for (part, place) in sentence.parts.iter().zip(&places) {
                    if let Part::Wrong(words) = part {
                        let caught = flagged(&found, place);
                        rates.written_false.count(caught);
                        let said = (sentence.question.as_str(), text.as_str());
                        let (mut actual, mut right) = (false, true);
                        for (claim, value) in given(&found, place) {
                            actual = true;
                            right &= is_of_what_it_names(section, said, words, claim, value);
                        }
                        rates.written_corrected.count(actual && right);
                        let kind = kind(section, sentence, words);
                        let (marked, corrected) = rates.written_kinds.entry(kind).or_default();
                        marked.count(caught);
                        corrected.count(actual && right);
                        // A value that stands in the result, or no number at all.
                        let number = words.contains(|c: char| c.is_ascii_digit());
                        if !number || occurs(section, words) {
                            rates.fooling.count(caught);
                            rates.fooling_corrected.count(actual && right);
                        }
                        if actual {
                            rates.written_actual.count(right);
                        }
                        if !right {
                            rates.misses.push(about("actual of another", &text, &found));
                        }
                        if !caught {
                            rates.misses.push(about(
                                &format!("false sentence, {kind}"),
                                &text,
                                &found,
                            ));
                        } else if !actual {
                            rates.misses.push(about(
                                &format!("only marked, {kind}"),
                                &text,
                                &found,
                            ));
                        }
                    }
                }
                continue;
            }
            let alarm = found.claims.iter().any(|c| bad(c.verdict));
            rates.false_alarms.count(alarm);
            let russian = text.to_lowercase().contains(|c| ('а'..='я').contains(&c));
            for claim in &found.claims {
                rates.false_claims.count(bad(claim.verdict));
                if russian {
                    rates.russian.count(bad(claim.verdict));
                }
            }
            if alarm {
                rates.misses.push(about("false alarm", &text, &found));
            }
            let delivered = deliver(&text, &found, Locale::En);
            rates.changed.count(delivered.text != text);
            if delivered.text != text {
                rates.misses.push(about(&format!("changed to {}", delivered.text), &text, &found));
            }
            // What words state is held against the claims of the sentence they stand in.
            let wrong = |found: &Check, text: &str, place: &Range<usize>| {
                let own = sentences(text)
                    .into_iter()
                    .find(|s| s.start <= place.start && place.start < s.end.max(s.start + 1));
                let within =
                    |c: &Claim| own.is_none_or(|s| s.start <= c.span.start && c.span.start < s.end);
                found.claims.iter().filter(|c| bad(c.verdict) && within(c)).count()
            };
            for change in mutate::around(section, sentence, &found) {
                let (changed, at) = sentence.text(Some((change.part, &change.words)));
                let now = run(section, sentence, &changed);
                let caught = if let Some(number) = change.number {
                    flagged(&now, &at[number])
                } else {
                    // Of a part with several sentences the one where the new words differ.
                    let same = common(&text, &changed);
                    let place = same..same + 1;
                    wrong(&now, &changed, &place) > wrong(&found, &text, &place)
                };
                let text = changed;
                let (ours, baseline) = rates.caught.entry(change.kind.to_owned()).or_default();
                ours.count(caught);
                // The numbers are the same.
                baseline.count(false);
                if !caught {
                    rates.misses.push(about(change.kind, &text, &now));
                }
            }
            for (at, part) in sentence.parts.iter().enumerate() {
                let place = &places[at];
                if let Part::Number(..) = part {
                    rates.case("true", number, &text, place);
                    rates.false_numbers.count(flagged(&found, place));
                    let seen = found
                        .claims
                        .iter()
                        .any(|c| c.span.start < place.end && c.span.end > place.start);
                    rates.overlooked.count(!seen);
                    if !seen {
                        rates.misses.push(about(
                            &format!("overlooked {}", part.words()),
                            &text,
                            &found,
                        ));
                    }
                }
                let mut all = mutations(part, &mut rng);
                all.extend(mutate::mutations(section, sentence, at, &found, place, &mut rng));
                for (kind, words) in all {
                    let (changed, at_now) = sentence.text(Some((at, &words)));
                    let now = run(section, sentence, &changed);
                    if matches!(part, Part::Number(..)) {
                        rates.case(family(&kind), number, &changed, &at_now[at]);
                    }
                    if matches!(part, Part::Number(..)) {
                        for (_, value) in given(&now, &at_now[at]) {
                            let right = is_that(value, part.words(), family(&kind));
                            rates.actual.entry(family(&kind).to_owned()).or_default().count(right);
                            if !right {
                                rates.misses.push(about(
                                    &format!("actual {value}, not {}", part.words()),
                                    &changed,
                                    &now,
                                ));
                            }
                        }
                    }
                    let more = || wrong(&now, &changed, &at_now[at]) > wrong(&found, &text, place);
                    let caught =
                        flagged(&now, &at_now[at]) || !matches!(part, Part::Number(..)) && more();
                    let text = changed;
                    let (ours, baseline) =
                        rates.caught.entry(family(&kind).to_owned()).or_default();
                    ours.count(caught);
                    baseline.count(matches!(part, Part::Number(..)) && !occurs(section, &words));
                    if !caught {
                        rates.misses.push(about(&format!("{kind} {words}"), &text, &now));
                    }
                }
            }
        }
    }
    for section in sections {
        for text in mutate::truncated(section) {
            let context = Context { question: None, locale: Locale::En };
            let found = check(&text, &[&section.outcome], &context);
            let caught = found.claims.iter().any(|c| bad(c.verdict));
            let (ours, baseline) = rates.caught.entry("truncated total".to_owned()).or_default();
            ours.count(caught);
            baseline.count(!occurs(section, text.trim_end_matches('.')));
            if !caught {
                rates.misses.push(format!("truncated total ({}): {text}", section.title));
            }
        }
    }
    coincidence(sections, random, &mut rng, &mut rates);
    rates
}

/// The kind of mutation that a mark of the corpus stands for: the twelve of the benchmark, and
/// bounds.
fn family(kind: &str) -> &str {
    match kind {
        "measure" => "column",
        "sup" => "superlative",
        "dir" | "order" | "sign" => "direction",
        "pp" => "percent and points",
        "stale" => "stale filter",
        "truncated" => "truncated total",
        "about" | "ratio" | "spelled" => "digit",
        "bound" => "bound (beyond the twelve)",
        other => other,
    }
}

/// How many bytes two texts have in common at their start.
fn common(a: &str, b: &str) -> usize {
    a.char_indices()
        .zip(b.chars())
        .find(|((_, x), y)| x != y)
        .map_or(a.len().min(b.len()), |((at, _), _)| at)
}

/// What a part can be changed into, by kind.
fn mutations(part: &Part, rng: &mut Rng) -> Vec<(String, String)> {
    match part {
        Part::Choice(kind, _, wrong) => vec![(kind.clone(), wrong.clone())],
        Part::Number(text, about) => {
            let places: Vec<usize> = text
                .bytes()
                .enumerate()
                .filter(|(_, b)| b.is_ascii_digit())
                .map(|(i, _)| i)
                .collect();
            let Some((&first, &last)) = places.first().zip(places.last()) else {
                return spelled(text).map(|w| ("spelled".to_owned(), w)).into_iter().collect();
            };
            let with = |at: usize, digit: u8| {
                let digit = char::from(b'0' + digit % 10);
                format!("{}{digit}{}", &text[..at], &text[at + 1..])
            };
            let old = |at: usize| text.as_bytes()[at] - b'0';
            if *about {
                let up = if old(first) == 9 { 5 } else { old(first) + 1 };
                return vec![("about".into(), with(first, up))];
            }
            let at = places[rng.below(places.len())];
            let mut new = (old(at) + 1 + rng.below(9) as u8) % 10;
            if at == first && new == 0 {
                new = if old(at) == 1 { 2 } else { 1 };
            }
            let mut all = vec![("digit".to_owned(), with(at, new))];
            // The last digit is one off: a wrong rounding.
            if text[..last].contains(['.', ',']) && text.len() == last + 1 && old(last) < 9 {
                all.push(("rounding".to_owned(), with(last, old(last) + 1)));
            }
            all
        }
        Part::Plain(_) | Part::Wrong(_) => Vec::new(),
    }
}

/// Another number word of the same form.
fn spelled(word: &str) -> Option<String> {
    let pairs = [
        ("three", "four"),
        ("five", "seven"),
        ("six", "eight"),
        ("seven", "nine"),
        ("two", "three"),
        ("four", "six"),
        ("twelve", "eleven"),
        ("три", "четыре"),
        ("трёх", "пяти"),
        ("пять", "шесть"),
        ("два", "три"),
        ("две", "три"),
        ("четыре", "пять"),
        ("семь", "восемь"),
    ];
    pairs.iter().find(|(a, _)| *a == word).map(|(_, b)| (*b).to_owned())
}

/// Puts numbers drawn log-uniformly from the table's range into true sentences.
fn coincidence(sections: &[Section], n: usize, rng: &mut Rng, rates: &mut Rates) {
    let places: Vec<(usize, &Section, &Sentence, usize)> = sections
        .iter()
        .enumerate()
        .flat_map(|(n, s)| s.sentences.iter().filter(|x| x.truth).map(move |x| (n, s, x)))
        .flat_map(|(n, s, x)| {
            (0..x.parts.len())
                .filter(|&i| matches!(&x.parts[i], Part::Number(t, _) if t.contains(|c: char| c.is_ascii_digit())))
                .map(move |i| (n, s, x, i))
        })
        .collect();
    for _ in 0..n {
        let (number, section, sentence, at) = places[rng.below(places.len())];
        let all = numbers(section);
        let (low, high) = all
            .iter()
            .map(|x| x.abs())
            .filter(|x| *x > 0.0)
            .fold((f64::MAX, 0.0_f64), |(a, b), x| (a.min(x), b.max(x)));
        let x = rng.between(low.ln(), high.ln()).exp();
        // Three or four significant digits, of large numbers too.
        let after = 2 + rng.below(2) as i32 - x.log10().floor() as i32;
        let x = (x * 10f64.powi(after)).round() / 10f64.powi(after);
        let decimals = after.max(0) as usize;
        let mut words = format!("{x:.decimals$}");
        if sentence.parts[at].words().contains(',') && decimals > 0 {
            words = words.replace('.', ",");
        }
        let (text, places) = sentence.text(Some((at, &words)));
        rates.case("random", number, &text, &places[at]);
        let found = run(section, sentence, &text);
        let accepted = !flagged(&found, &places[at]);
        rates.coincidence.0.count(accepted);
        rates.coincidence.1.count(occurs(section, &words));
        if accepted && rates.misses.len() < 1000 {
            rates.misses.push(format!(
                "random {words} ({}): {text}\n      {}",
                section.title,
                said(&found)
            ));
        }
    }
}

/// Every number of a result.
fn numbers(section: &Section) -> Vec<f64> {
    let o = &section.outcome;
    let mut all = vec![o.rows_matched as f64, o.rows_scanned as f64, o.rows.len() as f64];
    for row in 0..o.rows.len() {
        all.extend((0..o.columns.len()).filter_map(|c| o.value(row, c).as_f64()));
    }
    all
}

/// The baseline: a number is right when some value of the result, rounded as it is, equals it.
fn occurs(section: &Section, words: &str) -> bool {
    let digits: String =
        words.chars().filter(|c| c.is_ascii_digit() || ".,".contains(*c)).collect();
    let point = digits.rfind(['.', ',']).filter(|i| digits.len() - i != 4);
    let decimals = point.map_or(0, |i| digits.len() - i - 1);
    let plain: String = digits
        .char_indices()
        .filter(|(i, c)| c.is_ascii_digit() || Some(*i) == point)
        .map(|(_, c)| if c == ',' { '.' } else { c })
        .collect();
    let Ok(x) = plain.parse::<f64>() else { return true };
    numbers(section)
        .iter()
        .any(|v| (v.abs() - x).abs() <= 0.5 * 10f64.powi(-(decimals as i32)) + 1e-9)
}

/// The table of rates.
pub fn print(title: &str, rates: &Rates) -> String {
    let mut out = format!("{title}\n");
    let mut row = |name: &str, ours: Rate, baseline: Option<Rate>| {
        let of = |r: Rate| format!("{:.4} ({} of {})", r.share(), r.good, r.all);
        let _ =
            writeln!(out, "  {name:<54} {:<26} {}", of(ours), baseline.map(of).unwrap_or_default());
    };
    row("true sentences called wrong", rates.false_alarms, None);
    row("true sentences changed when delivered", rates.changed, None);
    row("true claims called wrong", rates.false_claims, None);
    row("… of Russian sentences", rates.russian, None);
    row("true numbers called wrong", rates.false_numbers, None);
    row("true numbers overlooked", rates.overlooked, None);
    row("false sentences caught", rates.written_false, None);
    row("… and contradicted with the actual value", rates.written_corrected, None);
    row("false sentences that fool a look for values, caught", rates.fooling, None);
    row("… and contradicted with the actual value", rates.fooling_corrected, None);
    for kind in KINDS {
        let (caught, corrected) = rates.written_kinds.get(kind).copied().unwrap_or_default();
        row(&format!("false sentences of {kind}, caught"), caught, None);
        row("… and contradicted with the actual value", corrected, None);
    }
    row("actual values that are of what is named", rates.written_actual, None);
    for (kind, rate) in &rates.actual {
        row(&format!("actual values that are the right ones: {kind}"), *rate, None);
    }
    let (mut ours, mut baseline) = (Rate::default(), Rate::default());
    for (kind, (a, b)) in &rates.caught {
        row(&format!("caught: {kind}"), *a, Some(*b));
        ours = Rate { good: ours.good + a.good, all: ours.all + a.all };
        baseline = Rate { good: baseline.good + b.good, all: baseline.all + b.all };
    }
    row("caught: all mutations", ours, Some(baseline));
    row("random numbers accepted", rates.coincidence.0, Some(rates.coincidence.1));
    out
}
