//! The forms that an entry of the phrases stands for.

/// Forms of the word that makes a Russian adjective a superlative, by gender, number and case.
const SUPERLATIVE: [&str; 11] = [
    "самый",
    "самая",
    "самое",
    "самые",
    "самых",
    "самой",
    "самую",
    "самым",
    "самыми",
    "самого",
    "самом",
];

/// A form of the list; `самый` before the beginning of an adjective stands for all its forms, and
/// `[a/b] [c/d]` for each of the first followed by each of the second.
pub(super) fn declined(form: &'static str) -> Vec<Vec<&'static str>> {
    let lists = form.strip_prefix('[').and_then(|f| f.strip_suffix(']')?.split_once("] ["));
    if let Some((first, second)) = lists {
        let pairs = first.split('/').flat_map(|a| second.split('/').map(move |b| (a, b)));
        return pairs.map(|(a, b)| a.split(' ').chain(b.split(' ')).collect()).collect();
    }
    let rest = form.strip_prefix("самый ").filter(|rest| rest.ends_with('*'));
    match rest {
        Some(rest) => SUPERLATIVE.iter().map(|&word| vec![word, rest]).collect(),
        None => vec![form.split(' ').collect()],
    }
}

#[cfg(test)]
mod tests {
    use super::declined;

    #[test]
    fn a_form_stands_for_all_it_says() {
        assert_eq!(declined("by date"), [["by", "date"]]);
        assert_eq!(declined("самый редк*").len(), 11);
        assert_eq!(
            declined("[newest/most recent] [first/on top]"),
            [
                vec!["newest", "first"],
                vec!["newest", "on", "top"],
                vec!["most", "recent", "first"],
                vec!["most", "recent", "on", "top"],
            ]
        );
    }
}
