//! Errors of Arrow and DataFusion, by kind and never by text: their texts quote cells.

use super::memory::Refused;
use super::udf::TooManyDigits;
use crate::error::{Code, Diagnostic, Error, Text};
use crate::value::MOST_DIGITS;
use arrow::error::ArrowError;
use datafusion::error::DataFusionError;

/// What DataFusion says where a subquery stands for one value and has several.
const SEVERAL_ROWS: &str = "Scalar subquery returned more than one row";

/// The crate's error for one of Arrow's.
pub(crate) fn from_arrow(error: ArrowError) -> Error {
    of_arrow(&error).unwrap_or_else(|| Error::Internal(error.to_string()))
}

/// The crate's error for one of DataFusion's.
pub(crate) fn from_datafusion(error: DataFusionError) -> Error {
    of_datafusion(&error).unwrap_or_else(|| Error::Internal(error.to_string()))
}

fn of_arrow(error: &ArrowError) -> Option<Error> {
    match error {
        ArrowError::ArithmeticOverflow(_) => Some(integer_overflow()),
        ArrowError::MemoryError(_) => Some(memory_limit(None)),
        ArrowError::ExternalError(source) => of_outside(source.as_ref()),
        _ => None,
    }
}

fn of_datafusion(error: &DataFusionError) -> Option<Error> {
    match error {
        DataFusionError::ArrowError(inner, _) => match inner.as_ref() {
            // Only SQL casts what may not fit, and only its forms can be beyond the engine.
            ArrowError::CastError(_) | ArrowError::ParseError(_) => Some(cast_failed()),
            ArrowError::IoError(..) => Some(memory_limit(None)),
            inner => of_arrow(inner),
        },
        DataFusionError::NotImplemented(_) => Some(not_run()),
        // The one error of a run that has neither a kind of its own nor a cell in its text.
        DataFusionError::Execution(text) if text == SEVERAL_ROWS => Some(several_rows()),
        DataFusionError::ResourcesExhausted(text) => Some(memory_limit(Refused::read(text))),
        // Nothing else of a run reads or writes: its disk has no room.
        DataFusionError::IoError(_) => Some(memory_limit(None)),
        DataFusionError::Context(_, inner) | DataFusionError::Diagnostic(_, inner) => {
            of_datafusion(inner)
        }
        DataFusionError::Shared(inner) => of_datafusion(inner),
        DataFusionError::Collection(list) => list.first().and_then(of_datafusion),
        DataFusionError::External(source) => of_outside(source.as_ref()),
        _ => None,
    }
}

/// The crate's error for one that was wrapped on its way.
fn of_outside(source: &(dyn std::error::Error + Send + Sync + 'static)) -> Option<Error> {
    if source.is::<TooManyDigits>() {
        return Some(decimal_overflow());
    }
    of_datafusion(source.downcast_ref::<DataFusionError>()?)
}

/// A value is none of the type that a statement casts it to.
fn cast_failed() -> Error {
    Error::input(Diagnostic::new(
        Code::CastFailed,
        crate::text!(
            "a value does not fit the type that it is cast to; `TRY_CAST` gives null there",
            "значение не подходит к типу, к которому его приводят; `TRY_CAST` даст там null"
        ),
    ))
}

/// A subquery that stands for a value has several.
fn several_rows() -> Error {
    Error::input(Diagnostic::new(
        Code::SqlRejected,
        crate::text!(
            "a subquery that stands for one value gives several rows; aggregate it or add `LIMIT 1`",
            "подзапрос стоит на месте одного значения, а даёт несколько строк; агрегируйте его или добавьте `LIMIT 1`"
        ),
    ))
}

/// A statement is read-only SQL, and yet nothing that DataFusion can run.
fn not_run() -> Error {
    Error::input(Diagnostic::new(
        Code::SqlRejected,
        crate::text!(
            "a statement of this form cannot be run; a subquery may compare with the rows outside by `=` alone",
            "запрос такого вида выполнить нельзя; подзапрос может сравнивать с внешними строками только через `=`"
        ),
    ))
}

/// A whole number left the 64 bits.
pub(crate) fn integer_overflow() -> Error {
    Error::input(Diagnostic::new(
        Code::IntegerOverflow,
        crate::text!(
            "a whole number grew beyond 64 bits; multiply by `1.0` to compute in floating point",
            "целое число вышло за 64 бита; умножьте на `1.0`, чтобы считать с плавающей точкой"
        ),
    ))
}

/// A decimal left its digits.
pub(crate) fn decimal_overflow() -> Error {
    let most = MOST_DIGITS;
    Error::input(Diagnostic::new(
        Code::DecimalOverflow,
        crate::text!(
            "a decimal grew beyond {most} digits; divide by `1` to compute in floating point",
            "в десятичном числе стало больше {most} цифр; разделите на `1`, чтобы считать с плавающей точкой"
        ),
    ))
}

/// More memory is needed than there may be. The sizes are for the person: they tell of the data.
pub(crate) fn memory_limit(refused: Option<Refused>) -> Error {
    let message = crate::text!(
        "this needs more memory than it may use; filter, group or limit it",
        "на это не хватает отведённой памяти; добавьте фильтр, группировку или предел"
    );
    sized(message, refused)
}

/// The same for rows that are read.
pub(crate) fn load_limit(error: &DataFusionError) -> Error {
    let refused = match error {
        DataFusionError::ResourcesExhausted(text) => Refused::read(text),
        _ => None,
    };
    let message = crate::text!(
        "the rows need more memory than is left; choose fewer `columns`, drop tables or give more `memoryLimit`",
        "строкам не хватает отведённой памяти; выберите меньше столбцов (`columns`), уберите таблицы или поднимите `memoryLimit`"
    );
    sized(message, refused)
}

fn sized(mut message: Text, refused: Option<Refused>) -> Error {
    if let Some(Refused { wanted, limit }) = refused {
        let (wanted, limit) = (wanted.div_ceil(1 << 20), limit >> 20);
        message = Text {
            en: format!("{} ({wanted} MiB with all that is held, of {limit} MiB)", message.en),
            ru: format!("{} ({wanted} МиБ вместе со всем занятым, из {limit} МиБ)", message.ru),
        };
    }
    Error::input(Diagnostic::new(Code::MemoryLimit, message))
}

/// The error as the model may see it.
pub fn without_sizes(error: Error) -> Error {
    match error {
        Error::Input(list) if list.iter().any(|d| d.code == Code::MemoryLimit) => {
            memory_limit(None)
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(error: DataFusionError) -> Option<Code> {
        match from_datafusion(error) {
            Error::Input(list) => list.first().map(|d| d.code),
            _ => None,
        }
    }

    #[test]
    fn errors_map_by_kind_through_their_wrappers() {
        let overflow = || DataFusionError::from(ArrowError::ArithmeticOverflow("9 secret".into()));
        let memory = || DataFusionError::ResourcesExhausted("secret".into());
        let digits = || DataFusionError::External(Box::new(TooManyDigits));
        let cast = || DataFusionError::from(ArrowError::CastError("'secret'".into()));
        for (error, wanted) in [
            (overflow(), Some(Code::IntegerOverflow)),
            (overflow().context("in a plan"), Some(Code::IntegerOverflow)),
            (memory(), Some(Code::MemoryLimit)),
            (digits(), Some(Code::DecimalOverflow)),
            (digits().context("in a plan"), Some(Code::DecimalOverflow)),
            (DataFusionError::Shared(std::sync::Arc::new(digits())), Some(Code::DecimalOverflow)),
            (
                DataFusionError::from(ArrowError::ExternalError(Box::new(digits()))),
                Some(Code::DecimalOverflow),
            ),
            (DataFusionError::External(Box::new(memory())), Some(Code::MemoryLimit)),
            (
                DataFusionError::from(ArrowError::ExternalError(Box::new(memory()))),
                Some(Code::MemoryLimit),
            ),
            (DataFusionError::Shared(std::sync::Arc::new(overflow())), Some(Code::IntegerOverflow)),
            (cast().context("in a plan"), Some(Code::CastFailed)),
            (DataFusionError::NotImplemented("secret".into()), Some(Code::SqlRejected)),
            (DataFusionError::Execution(SEVERAL_ROWS.into()), Some(Code::SqlRejected)),
            (DataFusionError::Execution("secret".into()), None),
        ] {
            assert_eq!(code(error), wanted);
        }
    }

    #[test]
    fn no_text_of_the_engine_reaches_a_diagnostic() {
        for error in [
            DataFusionError::Execution("cannot cast 'secret'".into()),
            DataFusionError::from(ArrowError::CastError("cannot cast 'secret'".into())),
            DataFusionError::NotImplemented("secret".into()),
            DataFusionError::ResourcesExhausted("secret".into()),
        ] {
            for diagnostic in from_datafusion(error).diagnostics() {
                assert!(!diagnostic.to_string().contains("secret"));
            }
        }
    }
}
