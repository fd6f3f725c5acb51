//! What can be wrong with a file of JSON.

use super::scan::Place;
use crate::error::{Code, Diagnostic, Error};

/// The most columns a table has.
pub(super) const MOST_COLUMNS: usize = 10_000;

/// There is nothing in the file.
pub(super) fn empty() -> Diagnostic {
    Diagnostic::new(Code::EmptyInput, text!("the file is empty", "файл пуст"))
}

/// There is JSON, but no table in it.
pub(super) fn no_rows() -> Diagnostic {
    Diagnostic::new(
        Code::EmptyInput,
        text!("the file has no rows with values", "в файле нет строк со значениями"),
    )
}

/// The text breaks the rules of JSON here.
pub(super) fn broken(place: Place) -> Diagnostic {
    let Place { line, column } = place;
    Diagnostic::new(
        Code::BrokenFile,
        text!(
            "this is not valid JSON: line {line}, character {column}",
            "это не JSON: строка {line}, знак {column}"
        ),
    )
}

/// A line breaks the rules of JSON here.
pub(super) fn bad_line(place: Place) -> Diagnostic {
    let Place { line, column } = place;
    Diagnostic::new(
        Code::BadRow,
        text!(
            "line {line} is not valid JSON, from character {column} on",
            "строка {line} — не JSON, начиная со знака {column}"
        ),
    )
    .fix("onBadRow: \"skip\"")
}

/// The text ends inside a value.
pub(super) fn cut_off(start: Place) -> Diagnostic {
    let line = start.line;
    Diagnostic::new(
        Code::BrokenFile,
        text!(
            "the file is cut off: what begins on line {line} has no end",
            "файл обрывается: то, что начато в строке {line}, не закончено"
        ),
    )
}

/// There is something after the end.
pub(super) fn trailing(place: Place) -> Diagnostic {
    let Place { line, column } = place;
    Diagnostic::new(
        Code::BrokenFile,
        text!(
            "there is something after the end of the JSON: line {line}, character {column}",
            "после конца JSON что-то есть: строка {line}, знак {column}"
        ),
    )
}

/// It is not clear which list is the table.
pub(super) fn several(names: &[&str]) -> Diagnostic {
    let names = names.join("`, `");
    Diagnostic::new(
        Code::NotATable,
        text!(
            "several lists could be the table: `{names}`",
            "таблицей могут быть несколько списков: `{names}`"
        ),
    )
}

/// A long object without rows.
pub(super) fn no_list() -> Diagnostic {
    Diagnostic::new(
        Code::NotATable,
        text!(
            "the file is one object without a list of objects in it",
            "файл — один объект, и списка объектов в нём нет"
        ),
    )
}

/// A value is longer than any row.
pub(super) fn endless(start: Place) -> Diagnostic {
    let line = start.line;
    Diagnostic::new(
        Code::NotATable,
        text!(
            "the value that begins on line {line} is too long for a row",
            "значение, начатое в строке {line}, слишком длинно для строки таблицы"
        ),
    )
}

/// The objects have more fields than a table has columns.
pub(super) fn too_many() -> Error {
    Diagnostic::new(
        Code::NotATable,
        text!(
            "the objects have more than {MOST_COLUMNS} different fields, too many for columns",
            "у объектов больше {MOST_COLUMNS} разных полей, для столбцов это слишком много"
        ),
    )
    .into()
}

/// Objects within objects within objects.
pub(super) fn too_deep() -> Error {
    Diagnostic::new(
        Code::TooDeep,
        text!("the objects are nested too deeply", "вложенность объектов слишком велика"),
    )
    .into()
}
