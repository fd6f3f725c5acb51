//! The answer while it is being written: what of it may be shown already.

use crate::error::{Code, Diagnostic, Error, Result};
use crate::validate::claims::{may_claim, sentences};
use crate::validate::{Check, Verdict};

/// What is held back of an answer that has not been checked as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Hold {
    /// Sentences that claim something, until each is checked.
    #[default]
    Numbers,
    /// Nothing: the page marks it as not yet checked.
    None,
    /// All of it.
    Answer,
}

impl Hold {
    /// Every choice.
    pub const ALL: [Self; 3] = [Self::Numbers, Self::None, Self::Answer];

    /// The name in options.
    pub fn name(self) -> &'static str {
        match self {
            Self::Numbers => "numbers",
            Self::None => "none",
            Self::Answer => "answer",
        }
    }

    /// The choice named `name`.
    ///
    /// # Errors
    /// `bad_option` with the names there are.
    pub fn named(name: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|h| h.name() == name).ok_or_else(|| {
            Error::input(
                Diagnostic::new(
                    Code::BadOption,
                    text!("`hold` cannot be `{name}`", "`hold` не может быть `{name}`"),
                )
                .at("/hold")
                .choices(Self::ALL.map(Self::name)),
            )
        })
    }
}

/// Beyond this many bytes of a draft sentences with claims wait for the check of the whole: each
/// costs a check of all that stands before it.
const MOST_CHECKED: usize = 16 << 10;

/// A draft, and how much of it is shown. Only whole sentences are shown, in order: a sentence that
/// is held holds what follows it.
#[derive(Debug, Default)]
pub(super) struct Draft {
    hold: Hold,
    text: String,
    /// Bytes of `text` that are shown.
    shown: usize,
    /// A sentence did not pass: the rest waits for the check of the whole.
    blocked: bool,
}

impl Draft {
    pub(super) fn new(hold: Hold) -> Self {
        Self { hold, ..Self::default() }
    }

    /// Everything that was written.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// What the person has seen of it.
    pub(super) fn shown(&self) -> &str {
        self.text.get(..self.shown).unwrap_or_default()
    }

    /// Appends, and gives what can be shown now. `check` checks the beginning of an answer.
    pub(super) fn push(&mut self, delta: &str, check: impl Fn(&str) -> Check) -> Option<String> {
        self.text.push_str(delta);
        match self.hold {
            Hold::Answer => None,
            Hold::None => self.show(self.before_references()),
            Hold::Numbers => {
                let end = self.harmless(false, check);
                self.show(end)
            }
        }
    }

    /// The draft turns out to be a remark before a tool call: what of it can be shown. A sentence
    /// with a claim that did not pass never is.
    pub(super) fn close(&mut self, check: impl Fn(&str) -> Check) -> Option<String> {
        let end = match self.hold {
            Hold::None => self.before_references(),
            Hold::Numbers | Hold::Answer => self.harmless(true, check),
        };
        self.show(end)
    }

    /// Up to the first reference: what it stands for is filled in when the draft is complete.
    fn before_references(&self) -> usize {
        let end = self.text.find("{{").unwrap_or(self.text.len());
        // Half of one may be all that has come.
        if end == self.text.len() && self.text.ends_with('{') { end - 1 } else { end }
    }

    /// Up to where every sentence claims nothing, or nothing wrong. The last sentence may still
    /// grow, so it counts only when the draft is `closed`.
    fn harmless(&mut self, closed: bool, check: impl Fn(&str) -> Check) -> usize {
        let mut end = self.shown;
        if self.blocked {
            return end;
        }
        let rest = self.text.get(self.shown..).unwrap_or_default();
        let spans = sentences(rest);
        let mut next = spans.iter().skip(1).map(|s| s.start);
        for span in &spans {
            // Up to the next sentence, so that the space between them is shown too.
            let stop = match next.next() {
                Some(start) => start,
                None if closed => rest.len(),
                None => break,
            };
            let (Some(sentence), Some(so_far)) =
                (rest.get(span.start..span.end), self.text.get(..self.shown + stop))
            else {
                break;
            };
            if sentence.contains("{{") {
                self.blocked = true;
                break;
            }
            if may_claim(sentence) {
                let from = self.shown + span.start;
                let passes = |c: &crate::validate::Claim| {
                    c.span.end <= from || matches!(c.verdict, Verdict::Verified | Verdict::Derived)
                };
                if so_far.len() > MOST_CHECKED || !check(so_far).claims.iter().all(passes) {
                    self.blocked = true;
                    break;
                }
            }
            end = self.shown + stop;
        }
        end
    }

    fn show(&mut self, end: usize) -> Option<String> {
        let more = self.text.get(self.shown..end).filter(|t| !t.is_empty())?.to_owned();
        self.shown = end;
        Some(more)
    }
}

#[cfg(test)]
mod tests {
    use super::{Draft, Hold};
    use crate::error::Span;
    use crate::validate::{Check, Claim, Overall, Verdict};

    /// Passes every number but 13.
    fn check(text: &str) -> Check {
        let claims = text
            .match_indices(|c: char| c.is_ascii_digit())
            .map(|(at, _)| Claim {
                span: Span::new(at, at + 1),
                text: text[at..=at].to_owned(),
                verdict: if text.contains("13") {
                    Verdict::Contradicted
                } else {
                    Verdict::Verified
                },
                actual: None,
                fact: None,
                formula: None,
                operands: Vec::new(),
                replaced: None,
            })
            .collect();
        Check { claims, verdict: Overall::Ok, feedback: String::new() }
    }

    fn shown(hold: Hold, text: &str, step: usize, close: bool) -> String {
        let mut draft = Draft::new(hold);
        let chars: Vec<char> = text.chars().collect();
        for part in chars.chunks(step) {
            let before = draft.shown().to_owned();
            let more = draft.push(&part.iter().collect::<String>(), check).unwrap_or_default();
            assert_eq!(before + &more, draft.shown());
        }
        if close {
            draft.close(check);
        }
        assert_eq!(draft.text(), text);
        draft.shown().to_owned()
    }

    #[test]
    fn what_is_shown_does_not_depend_on_the_pieces() {
        let plain = "Let me see. That is clear. The rest";
        let good = "Here it is. There were 5 days. That is clear. And so";
        let bad = "Here it is. There were 13 days. That is clear. And so";
        for step in [1, 2, 3, 7, 100] {
            let check = |hold, text, close, want: &str| {
                assert_eq!(shown(hold, text, step, close), want, "{text} by {step}");
            };
            check(Hold::Numbers, plain, false, "Let me see. That is clear. ");
            check(Hold::Numbers, plain, true, plain);
            check(Hold::Numbers, good, false, "Here it is. There were 5 days. That is clear. ");
            check(Hold::Numbers, bad, false, "Here it is. ");
            check(Hold::Numbers, bad, true, "Here it is. ");
            check(Hold::None, bad, false, bad);
            check(Hold::Answer, plain, false, "");
            check(Hold::Answer, plain, true, plain);
            check(Hold::Answer, bad, true, "Here it is. ");
            // References are filled in at the end.
            let reference = "Here it is. The mean is {{r1.mean}}. That is clear. And so";
            check(Hold::Numbers, reference, false, "Here it is. ");
            check(Hold::None, reference, false, "Here it is. The mean is ");
            check(Hold::None, reference, true, "Here it is. The mean is ");
            check(Hold::None, "A set {1}.", false, "A set {1}.");
        }
    }

    #[test]
    fn a_long_draft_is_checked_as_a_whole() {
        let text = "There were 5 days. ".repeat(2000);
        let mut draft = Draft::new(Hold::Numbers);
        let checks = std::cell::Cell::new(0);
        let count = |_: &str| {
            checks.set(checks.get() + 1);
            Check { claims: Vec::new(), verdict: Overall::Ok, feedback: String::new() }
        };
        draft.push(&text, count);
        assert!(draft.shown().len() <= super::MOST_CHECKED && draft.shown().len() > 16_000);
        assert!(checks.get() < 1000);
    }

    #[test]
    fn names() {
        for hold in Hold::ALL {
            assert_eq!(Hold::named(hold.name()), Ok(hold));
        }
        assert!(Hold::named("x").is_err());
    }
}
