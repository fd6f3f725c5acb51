//! Columns whose cells are thousands or millions of something (`gross_mln`, a unit `млн ₽`): `38.5 million`
//! is what such a cell has as 38.5.

use super::{Measure, View, World, name_words};
use crate::validate::claims::number::{Number, scale_of};

impl Measure {
    /// How much one is of what it measures: a million for `gross_mln`.
    fn size(&self) -> f64 {
        let unit = self.unit.iter().flat_map(|unit| name_words(unit));
        let mut words = unit.chain(name_words(&self.base)).chain(name_words(&self.name));
        words.find_map(|word| scale_of(&word)).unwrap_or(1.0)
    }
}

impl World<'_> {
    /// A number with its scale as the cells have it, where a column of that size holds it and no other
    /// number of the results comes near it.
    pub fn as_held(&self, number: &Number) -> Option<Number> {
        let of = |test: &dyn Fn(&View, &Measure) -> bool| {
            self.views.iter().any(|v| v.measures.iter().any(|m| test(v, m)))
        };
        let scaled = number.scale > 1.0 && !number.percent;
        let sized = scaled && of(&|_, m| m.size() == number.scale);
        let near = |x: f64| x.abs() * 2.0 > number.value.abs();
        let plain = |view: &View, m: &Measure| {
            m.size() == 1.0
                && view.totals(m.column, &view.all_rows()).is_some_and(|(sum, _)| near(sum))
        };
        let rows = || self.views.iter().any(|v| near(v.outcome.rows_scanned as f64));
        (sized && !of(&plain) && !rows()).then(|| Number {
            value: number.value / number.scale,
            other: None,
            scale: 1.0,
            ..number.clone()
        })
    }
}
