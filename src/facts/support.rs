//! The rows behind a result: what the rules of small groups and of differencing count on.

use crate::query::check::{Node, Typed};

/// The label of a row that the query does not look at: it is outside its period or session.
pub const NONE: u32 = u32::MAX;

/// The label of a row that `where` left out.
pub const LEFT_OUT: u32 = u32::MAX - 1;

/// Which rows of a table stand behind which row of a result. The engine makes it where a policy asks
/// for it; it stays on the device.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Support {
    /// By row of the table (of all its bars, where the query is about bars): the number of the row
    /// of the result that it went into, [`LEFT_OUT`] or [`NONE`]. The rows of the result come
    /// first; those that `limit` cut have the numbers after them. Of a table of rows, 0 for rows
    /// that are shown and 1 for those cut.
    pub groups: Vec<u32>,
    /// By measure and row of the result, cut rows included: how many rows went into the value, that
    /// is, rows where none of the arguments is null.
    pub counted: Vec<(String, Vec<u64>)>,
    /// By measure that gives the value of a row (`max(x)`) and row of the result: how many of the
    /// rows behind it hold that very value.
    pub shared: Vec<(String, Vec<u64>)>,
    /// By column of the table that the policy protects and the query aggregates: the rows without a
    /// value, ascending.
    pub missing: Vec<(String, Vec<u32>)>,
}

impl Support {
    /// How many rows went into each row of the result, cut ones included.
    pub fn sizes(&self) -> Vec<u64> {
        let mut sizes = Vec::new();
        for &group in self.groups.iter().filter(|&&group| group < LEFT_OUT) {
            let group = group as usize;
            if sizes.len() <= group {
                sizes.resize(group + 1, 0);
            }
            if let Some(size) = sizes.get_mut(group) {
                *size += 1;
            }
        }
        sizes
    }

    /// How many rows entered `where`.
    pub fn scanned(&self) -> u64 {
        self.groups.iter().filter(|&&group| group != NONE).count() as u64
    }

    /// The rows without a value of a protected column; `None` where that is not known.
    pub fn missing(&self, column: &str) -> Option<&[u32]> {
        self.missing.iter().find(|(name, _)| name == column).map(|(_, rows)| rows.as_slice())
    }

    /// How many rows went into a measure's value in a row of the result.
    pub fn counted(&self, measure: &str, row: usize) -> Option<u64> {
        self.counted.iter().find(|(name, _)| name == measure)?.1.get(row).copied()
    }

    /// How many rows hold the value that a measure shows in a row of the result.
    pub fn shared(&self, measure: &str, row: usize) -> Option<u64> {
        self.shared.iter().find(|(name, _)| name == measure)?.1.get(row).copied()
    }
}

/// Aggregates whose value is that of a row, or lies between two.
const GIVING: [&str; 6] = ["min", "max", "first", "last", "median", "percentile"];

/// The plain column of which the whole expression gives the value of a row (`max(x)`), or a value
/// between two rows' (`median(x)`).
pub fn gives_value_of(expr: &Typed) -> Option<&str> {
    let Node::Call { function, args } = &expr.node else { return None };
    let (first, rest) = args.split_first()?;
    let constant = rest.iter().all(|arg| matches!(arg.node, Node::Literal(_)));
    match &first.node {
        Node::Column(name) if GIVING.contains(&function.name) && constant => Some(name),
        _ => None,
    }
}
