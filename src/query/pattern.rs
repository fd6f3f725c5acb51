//! Regular expressions of `matches`, compiled the same way by the checker and the engine.

use regex::{Regex, RegexBuilder};

/// The most bytes a compiled pattern takes: `\\w{1000}` and the like are refused, not run.
const MOST_BYTES: usize = 1 << 20;

/// The compiled pattern, or what is wrong with it in a few words.
pub(crate) fn regex(pattern: &str) -> Result<Regex, String> {
    RegexBuilder::new(pattern).size_limit(MOST_BYTES).build().map_err(|error| match error {
        regex::Error::CompiledTooBig(_) => "too big".to_owned(),
        // the last line says it, those before it draw an arrow
        other => {
            let text = other.to_string();
            let last = text.lines().last().unwrap_or_default();
            last.strip_prefix("error: ").unwrap_or(last).to_owned()
        }
    })
}

#[cfg(test)]
mod tests {
    use super::regex;

    #[test]
    fn patterns_compile_or_say_why() {
        for (pattern, wrong) in [
            ("^[A-Z]+$", None),
            ("(?i)ёл", None),
            ("(", Some("unclosed group")),
            ("[z-a]", Some("invalid character class range, the start must be <= the end")),
            ("(?=a)", Some("look-around, including look-ahead and look-behind, is not supported")),
            ("(\\w{100}){1000}", Some("too big")),
        ] {
            assert_eq!(regex(pattern).err().as_deref(), wrong, "{pattern}");
        }
    }
}
