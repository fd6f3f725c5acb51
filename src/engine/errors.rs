//! Errors of Arrow and DataFusion, by kind and never by text: their texts quote cells.

use super::memory::Refused;
use super::udf::TooManyDigits;
use crate::error::{Code, Diagnostic, Error, Text};
use crate::value::MOST_DIGITS;
use arrow::error::ArrowError;
use datafusion::error::DataFusionError;

/// The crate's error for one of Arrow's.
pub(crate) fn from_arrow(error: ArrowError) -> Error {
    match error {
        ArrowError::ArithmeticOverflow(_) => integer_overflow(),
        ArrowError::MemoryError(_) => memory_limit(None),
        ArrowError::ExternalError(source) => from_outside(source),
        other => Error::Internal(other.to_string()),
    }
}

/// The crate's error for one of DataFusion's.
pub(crate) fn from_datafusion(error: DataFusionError) -> Error {
    match error {
        DataFusionError::ArrowError(inner, _) => from_arrow(*inner),
        DataFusionError::ResourcesExhausted(text) => memory_limit(Refused::read(&text)),
        DataFusionError::Context(_, inner) | DataFusionError::Diagnostic(_, inner) => {
            from_datafusion(*inner)
        }
        DataFusionError::Shared(inner) => match inner.as_ref() {
            DataFusionError::ResourcesExhausted(text) => memory_limit(Refused::read(text)),
            DataFusionError::ArrowError(arrow, _)
                if matches!(arrow.as_ref(), ArrowError::ArithmeticOverflow(_)) =>
            {
                integer_overflow()
            }
            DataFusionError::External(source) if source.is::<TooManyDigits>() => decimal_overflow(),
            other => Error::Internal(other.to_string()),
        },
        DataFusionError::Collection(list) => match list.into_iter().next() {
            Some(first) => from_datafusion(first),
            None => Error::Internal("an empty list of errors".into()),
        },
        DataFusionError::External(source) => from_outside(source),
        other => Error::Internal(other.to_string()),
    }
}

/// The crate's error for one that was wrapped on its way.
fn from_outside(source: Box<dyn std::error::Error + Send + Sync>) -> Error {
    if source.is::<TooManyDigits>() {
        return decimal_overflow();
    }
    match source.downcast::<DataFusionError>() {
        Ok(inner) => from_datafusion(*inner),
        Err(other) => Error::Internal(other.to_string()),
    }
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
    let mut message = crate::text!(
        "this needs more memory than it may use; filter, group or limit it",
        "на это не хватает отведённой памяти; добавьте фильтр, группировку или предел"
    );
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
            (DataFusionError::Execution("secret".into()), None),
        ] {
            assert_eq!(code(error), wanted);
        }
    }

    #[test]
    fn no_text_of_the_engine_reaches_a_diagnostic() {
        for error in [
            DataFusionError::Execution("cannot cast 'secret'".into()),
            DataFusionError::ResourcesExhausted("secret".into()),
        ] {
            for diagnostic in from_datafusion(error).diagnostics() {
                assert!(!diagnostic.to_string().contains("secret"));
            }
        }
    }
}
