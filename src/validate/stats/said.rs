//! What a report says, one line a field, under one heading.

/// The heading of what is wrong.
pub const ERRORS: &str = "Validation errors:";

/// `close_price: reported 17500, actual 17449.5`
pub fn issue(field: &str, reported: &str, actual: &str) -> String {
    format!("{field}: reported {reported}, actual {actual}")
}

/// The heading and one `- issue` a line; empty without issues.
pub fn feedback(issues: &[String]) -> String {
    if issues.is_empty() {
        return String::new();
    }
    format!("{ERRORS}\n- {}", issues.join("\n- "))
}
