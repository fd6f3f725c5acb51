//! What the members of a list are.

use super::Kind;

/// The kind of the members of a list: every list of a column has the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Member {
    /// Whole numbers of 64 bits.
    Int,
    /// Doubles.
    Float,
    /// True and false.
    Bool,
    /// Text.
    Text,
}

impl Member {
    /// Each of them.
    pub const ALL: [Self; 4] = [Self::Int, Self::Float, Self::Bool, Self::Text];

    /// The member of this kind, where a list may hold such.
    pub fn of(kind: Kind) -> Option<Self> {
        Self::ALL.into_iter().find(|member| member.kind() == kind)
    }

    /// The kind of one member.
    pub fn kind(self) -> Kind {
        match self {
            Self::Int => Kind::Int,
            Self::Float => Kind::Float,
            Self::Bool => Kind::Bool,
            Self::Text => Kind::Text,
        }
    }

    /// The name of lists of such, in messages and schemas.
    pub(super) fn of_lists(self) -> &'static str {
        match self {
            Self::Int => "list of integer",
            Self::Float => "list of number",
            Self::Bool => "list of boolean",
            Self::Text => "list of text",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_lists_are_read_as_they_are_written() {
        for member in Member::ALL {
            let kind = Kind::List(member);
            assert_eq!(kind.to_string().parse(), Ok(kind));
            assert_eq!(kind.name(), format!("list of {}", member.kind().name()));
            assert!(kind.is_list() && !kind.is_numeric() && !kind.is_time());
        }
        for wrong in ["list", "list()", "list(date)", "list(list(int))", "list(int", "list(text))"]
        {
            assert_eq!(wrong.parse::<Kind>(), Err(()), "{wrong}");
        }
    }
}
