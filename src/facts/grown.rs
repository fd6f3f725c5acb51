//! Where the rows of a table are after others were appended to it.

/// What became of a table's rows when others were appended: the host tells the guard of it, so that
/// what was told of the rows before is weighed together with what is asked of them now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grown {
    /// The version of the table that they were appended to.
    pub from: u64,
    /// How many rows that had.
    pub before: usize,
    /// How many there are now.
    pub rows: usize,
    /// By row of then, its place now; `None` where the rows of then come first, in their order.
    places: Option<Vec<u32>>,
}

impl Grown {
    /// Rows appended after the others.
    pub fn new(from: u64, before: usize, rows: usize) -> Self {
        Self { from, before, rows, places: None }
    }

    /// The same once all rows are in another order: by row of now, which it was.
    #[must_use]
    pub fn reordered(mut self, order: &[u32]) -> Self {
        let mut now = vec![0; order.len()];
        for (place, &row) in order.iter().enumerate() {
            if let Some(now) = now.get_mut(row as usize) {
                *now = place as u32;
            }
        }
        let before = 0..self.before;
        let places = before.filter_map(|row| now.get(self.place(row)).copied()).collect();
        self.places = Some(places);
        self
    }

    /// Where row number `row` of then is now.
    pub fn place(&self, row: usize) -> usize {
        match &self.places {
            Some(places) => places.get(row).map_or(usize::MAX, |&place| place as usize),
            None => row,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_found_again() {
        let check = |grown: &Grown, expected: &[usize]| {
            let places: Vec<usize> = (0..grown.before).map(|row| grown.place(row)).collect();
            assert_eq!(places, expected);
        };
        let grown = Grown::new(1, 3, 5);
        check(&grown, &[0, 1, 2]);
        // The fourth goes first, the fifth between the first two.
        let sorted = grown.reordered(&[3, 0, 4, 1, 2]);
        check(&sorted, &[1, 3, 4]);
        check(&sorted.reordered(&[4, 3, 2, 1, 0]), &[3, 1, 0]);
    }
}
