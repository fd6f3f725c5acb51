//! Notes about columns that are not what the file has.

use super::plan::Plan;
use super::prepare::Seen;
use crate::engine::ingest::column::{Finished, Settings, big_note, cut_note, zone_note};
use crate::engine::ingest::report::{Note, NoteCode};
use crate::error::Text;
use crate::value::MOST_DIGITS;

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
    if seen.long {
        let text = text!(
            "numbers of column `{name}` have more than {MOST_DIGITS} digits; it is read as doubles, exact to some 15",
            "в числах столбца `{name}` больше {MOST_DIGITS} цифр; он прочитан с точностью около 15"
        );
        notes.push(Note::new(NoteCode::DecimalAsNumber, text).column(name));
    } else if seen.big {
        notes.push(big_note(name));
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
        _ => return None,
    })
}
