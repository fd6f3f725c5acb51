//! Where a text holds an address that a reader may follow: a link's destination, a bare address, a
//! tag. Nothing is put into one by code: what stands there would leave the page with a click.

use crate::error::Span;

/// The addresses of a text of Markdown, in order, as bytes: rather too much than too little. What
/// stands in the braces of a reference ends none.
pub(super) fn addresses(text: &str) -> Vec<Span> {
    let text = without_references(text);
    let mut found = Vec::new();
    for (at, _) in text.match_indices("](") {
        let end = closing(&text[at + 2..]).map_or(text.len(), |len| at + 2 + len);
        found.push(Span::new(at + 2, end));
    }
    // `[name]: address`
    for (at, _) in text.match_indices("]:") {
        let line = text[..at].rfind('\n').map_or(0, |i| i + 1);
        if text[line..].trim_start_matches([' ', '>']).starts_with('[') {
            let end = text[at..].find('\n').map_or(text.len(), |len| at + len);
            found.push(Span::new(at + 2, end));
        }
    }
    for (at, _) in text.match_indices('<') {
        found.extend(tag(&text[at + 1..]).map(|len| Span::new(at, at + 1 + len)));
    }
    let mut at = 0;
    for word in text.split_inclusive(char::is_whitespace) {
        let lower = word.to_lowercase();
        if ["//", "\\\\", "www.", "href"].iter().any(|sign| lower.contains(sign)) {
            found.push(Span::new(at, at + word.trim_end().len()));
        }
        at += word.len();
    }
    found.sort_by_key(|span| span.start);
    found
}

/// The same text with the inside of each reference as one word of as many bytes.
fn without_references(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(open) = text[at..].find("{{").map(|i| at + i) {
        let Some(close) = text[open..].find("}}").map(|i| open + i + 2) else { break };
        out.push_str(&text[at..open]);
        out.extend(std::iter::repeat_n('_', close - open));
        at = close;
    }
    out.push_str(&text[at..]);
    out
}

/// How far the brackets of a destination go; nothing where its paragraph does not close them.
fn closing(text: &str) -> Option<usize> {
    let paragraph = text.find("\n\n").map_or(text, |end| &text[..end]);
    let angled = paragraph.trim_start().starts_with('<');
    let from = if angled { paragraph.find('>')? } else { 0 };
    let mut open = 0_u32;
    paragraph[from..].char_indices().find_map(|(at, c)| {
        match c {
            '(' => open += 1,
            ')' if open == 0 => return Some(from + at),
            ')' => open -= 1,
            _ => {}
        }
        None
    })
}

/// How far a tag or an address in angle brackets goes.
fn tag(text: &str) -> Option<usize> {
    if !text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/') {
        return None;
    }
    let mut quote = None;
    text.char_indices().find_map(|(at, c)| {
        match (quote, c) {
            (None, '>') => return Some(at),
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), c) if c == open => quote = None,
            _ => {}
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::addresses;

    /// Whether the `X` of a text stands in an address.
    fn holds(text: &str) -> bool {
        let at = text.find('X').expect("a place");
        addresses(text).iter().any(|span| span.start <= at && at < span.end)
    }

    #[test]
    fn places_that_lead_elsewhere() {
        for text in [
            "[open](https://evil.example/?v=X)",
            "[open](https://evil.example/?v={{r1 + r2}}&w=X) and",
            "[open](<https://evil.example/?v=a b X> \"title\")",
            "[open](\n  https://evil.example/?v=X)",
            "[open](/here?v=X)",
            "[open](a(b)c?v=X)",
            "[open](https://evil.example/?v=X",
            "[open][1]\n\n[1]: elsewhere.example/X",
            "> [1]: //elsewhere.example/X",
            "see https://evil.example/?v=X.",
            "see HTTPS://X.evil.example/ there",
            "see www.evil.example/X there",
            "see <https://evil.example/?v=X>",
            "a <a href='//evil.example/?v=X'>link</a>",
            "a <a title='>' href='https:&#47;&#47;evil.example?v=X'>link</a>",
            "a <a\nrel=x href=https:\\\\evil.example?v=X>link</a>",
        ] {
            assert!(holds(text), "{text}");
        }
    }

    #[test]
    fn places_that_do_not() {
        for text in [
            "the mean is X",
            "[the mean](https://docs.example/mean) is X",
            "gaps < 5 and X > 7",
            "a <b and X",
            "| [a](b) | X |",
            "see [1]: X",
            "{{r1}} https://docs.example and X",
            "https://docs.example\nX",
        ] {
            assert!(!holds(text), "{text}");
        }
    }
}
