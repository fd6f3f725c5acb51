//! `ph_matches` and `ph_substr`: regular expressions and pieces of text.

use super::integer;
use crate::query::pattern;
use arrow::array::{ArrayRef, AsArray, BooleanArray, StringArray};
use arrow::datatypes::{DataType, Int64Type};
use datafusion::common::{DataFusionError, Result, ScalarValue, exec_err};
use datafusion::logical_expr::{
    ColumnarValue, Expr, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};
use std::sync::{Arc, LazyLock};

/// The functions of this file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Text {
    /// A regular expression, a constant, is found somewhere.
    Matches,
    /// The characters from a place on, so many.
    Substr,
}

const TEXTS: [Text; 2] = [Text::Matches, Text::Substr];

static ALL: LazyLock<Vec<Arc<ScalarUDF>>> = LazyLock::new(|| {
    TEXTS.into_iter().map(|t| Arc::new(ScalarUDF::new_from_impl(Function::new(t)))).collect()
});

/// Every function of this file.
pub(crate) fn all() -> Vec<Arc<ScalarUDF>> {
    ALL.clone()
}

impl Text {
    /// The call of this function.
    pub(crate) fn call(self, args: Vec<Expr>) -> Expr {
        match TEXTS.iter().position(|t| *t == self).and_then(|i| ALL.get(i)) {
            Some(function) => function.call(args),
            None => ScalarUDF::new_from_impl(Function::new(self)).call(args),
        }
    }
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Function {
    text: Text,
    signature: Signature,
}

impl Function {
    fn new(text: Text) -> Self {
        let types = match text {
            Text::Matches => vec![DataType::Utf8; 2],
            Text::Substr => vec![DataType::Utf8, DataType::Int64, DataType::Int64],
        };
        Self { text, signature: Signature::exact(types, Volatility::Immutable) }
    }
}

impl ScalarUDFImpl for Function {
    fn name(&self) -> &'static str {
        match self.text {
            Text::Matches => "ph_matches",
            Text::Substr => "ph_substr",
        }
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(match self.text {
            Text::Matches => DataType::Boolean,
            Text::Substr => DataType::Utf8,
        })
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let made: ArrayRef = match (self.text, args.args.as_slice()) {
            (Text::Matches, [s, ColumnarValue::Scalar(ScalarValue::Utf8(Some(pattern)))]) => {
                let regex = pattern::regex(pattern).map_err(DataFusionError::Execution)?;
                let s = s.to_array(args.number_rows)?;
                let s = s.as_string::<i32>().iter();
                Arc::new(s.map(|s| s.map(|s| regex.is_match(s))).collect::<BooleanArray>())
            }
            (Text::Substr, [s, start, len]) => {
                let s = s.to_array(args.number_rows)?;
                let s = s.as_string::<i32>();
                match (constant(start), constant(len)) {
                    (Some(start), Some(len)) => Arc::new(
                        s.iter().map(|s| s.map(|s| piece(s, start, len))).collect::<StringArray>(),
                    ),
                    _ => pieces(
                        s,
                        &start.to_array(args.number_rows)?,
                        &len.to_array(args.number_rows)?,
                    ),
                }
            }
            _ => return exec_err!("{} takes other arguments", self.name()),
        };
        Ok(ColumnarValue::Array(made))
    }
}

fn constant(x: &ColumnarValue) -> Option<i64> {
    match x {
        ColumnarValue::Scalar(x) => integer(x),
        ColumnarValue::Array(_) => None,
    }
}

fn pieces(s: &StringArray, start: &ArrayRef, len: &ArrayRef) -> ArrayRef {
    let [start, len] = [start, len].map(AsArray::as_primitive::<Int64Type>);
    let rows = s.iter().zip(start).zip(len);
    Arc::new(rows.map(|((s, start), len)| Some(piece(s?, start?, len?))).collect::<StringArray>())
}

/// The characters at the places `start`, …, `start + len - 1`, counted from 1, that exist.
fn piece(s: &str, start: i64, len: i64) -> &str {
    let end = start.saturating_add(len.max(0)).max(1);
    let begin = start.max(1);
    let at = |place: i64| {
        let skip = usize::try_from(place - 1).unwrap_or(usize::MAX);
        s.char_indices().nth(skip).map_or(s.len(), |(at, _)| at)
    };
    s.get(at(begin)..at(end.max(begin))).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::piece;

    #[test]
    fn pieces_count_characters_from_one() {
        for (start, len, wanted) in [
            (1, 2, "Ёл"),
            (3, 10, "ка"),
            (0, 2, "Ё"),
            (-5, 7, "Ё"),
            (5, 1, ""),
            (2, 0, ""),
            (2, -3, ""),
            (-9, 3, ""),
            (2, i64::MAX, "лка"),
            (i64::MIN, i64::MAX, ""),
            (i64::MAX, 1, ""),
        ] {
            assert_eq!(piece("Ёлка", start, len), wanted, "{start} {len}");
        }
    }
}
