//! Notes about columns that are not what the file has.

use super::plan::Plan;
use super::prepare::Seen;
use crate::engine::ingest::column::{Finished, Settings, cut_note, zone_note};
use crate::engine::ingest::report::{Note, NoteCode};
use crate::error::Text;

/// Tells that a column is not read.
pub(super) fn left_out(name: &str) -> Note {
    Note::new(
        NoteCode::ColumnLeftOut,
        text!(
            "column `{name}` is left out: its values are bytes or of several types",
            "столбец `{name}` пропущен: его значения — байты или разных типов"
        ),
    )
    .column(name)
}

/// Notes of values that were changed.
pub(super) fn repairs(name: &str, seen: Seen, notes: &mut Vec<Note>) {
    if seen.cut {
        notes.push(cut_note(name));
    }
    if seen.outside {
        let text = text!(
            "times of column `{name}` beyond what can be shown are read as missing",
            "моменты столбца `{name}` вне показуемых прочитаны как пропуски"
        );
        notes.push(Note::new(NoteCode::TimesOutOfRange, text).column(name));
    }
    if seen.big {
        let text = text!(
            "whole numbers of column `{name}` do not fit 64 bits; it is read as doubles",
            "целые числа столбца `{name}` не помещаются в 64 бита; он прочитан как дробный"
        );
        notes.push(Note::new(NoteCode::TooBigForInteger, text).column(name));
    }
}

/// Notes of a kind that is not the file's, and of the clock of its moments.
pub(super) fn kind(name: &str, plan: Plan, settings: Settings, done: &mut Finished) {
    if let Plan::Moment { zone } = plan {
        done.notes.extend(zone_note(name, settings, zone, true, done.utc));
    }
    if let Some((code, text)) = changed(name, plan) {
        done.notes.push(Note::new(code, text).column(name));
    }
}

fn changed(name: &str, plan: Plan) -> Option<(NoteCode, Text)> {
    Some(match plan {
        Plan::Decimal => (
            NoteCode::DecimalAsNumber,
            text!(
                "the decimals of column `{name}` are read as doubles, exact to some 15 digits",
                "десятичные числа столбца `{name}` прочитаны с точностью около 15 цифр"
            ),
        ),
        Plan::TimeOfDay => (
            NoteCode::TimeOfDayAsText,
            text!(
                "the times of day of column `{name}` are read as text",
                "время суток в столбце `{name}` прочитано как текст"
            ),
        ),
        Plan::Duration => (
            NoteCode::DurationInSeconds,
            text!(
                "the durations of column `{name}` are read as seconds",
                "длительности столбца `{name}` прочитаны как секунды"
            ),
        ),
        Plan::Interval => (
            NoteCode::IntervalAsText,
            text!(
                "the intervals of column `{name}` are read as text",
                "интервалы столбца `{name}` прочитаны как текст"
            ),
        ),
        Plan::Lists => (
            NoteCode::ListsAsText,
            text!(
                "the lists of column `{name}` are read as JSON text",
                "списки столбца `{name}` прочитаны как текст JSON"
            ),
        ),
        _ => return None,
    })
}
