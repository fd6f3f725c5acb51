//! What is said where no row or group is left to tell of.

use super::Writer;

impl Writer<'_> {
    /// Says why there is nothing.
    pub(super) fn empty(&mut self) {
        let schema = self.outcome.query.schema();
        let period = self.outcome.query.frame().period().is_some();
        if self.outcome.rows_matched > 0 && self.of_groups() {
            self.say(
                "No group meets the condition; rows that the groups are made of: ",
                "Ни одна группа не соответствует условию; строк в группах: ",
            );
            self.count("rows_matched", self.outcome.rows_matched);
            self.plain(".");
        } else if self.outcome.rows_matched > 0 {
            // of what a step made
            self.say(
                "The condition leaves nothing of the ",
                "Условию ничего не соответствует. Строк, из которых выбиралось: ",
            );
            self.count("rows_matched", self.outcome.rows_matched);
            self.say(" rows behind it.", ".");
        } else if self.outcome.rows_scanned > 0 {
            self.say("The filter matches nothing: ", "Условию ничего не соответствует: ");
            self.count("rows_matched", self.outcome.rows_matched);
            self.of_rows("rows_scanned", self.outcome.rows_scanned);
            self.plain(".");
        } else if self.outcome.query.steps().count() > 1 {
            // what the last step read was left by those before it, whatever rows there are
            self.say(
                "The conditions leave nothing to tell of.",
                "По этим условиям ничего не осталось.",
            );
        } else if period {
            self.say("There are no rows for these dates.", "За эти даты строк нет.");
        } else {
            self.say("There are no rows.", "Строк нет.");
        }
        let about_time = period
            || self.outcome.query.filter().is_some_and(|f| {
                schema.time.as_ref().is_some_and(|t| f.expr.columns().contains(&t.as_str()))
            });
        if about_time {
            self.covers();
        }
    }
}
