//! `ph_list_length` and `ph_list_contains`: how many members a list has, and whether a value is one.

use super::{one, two};
use arrow::array::{Array, ArrayRef, AsArray, BooleanArray, Int64Array, ListArray};
use arrow::datatypes::{DataType, Float64Type, Int64Type};
use datafusion::common::{Result, exec_err};
use datafusion::logical_expr::{
    ColumnarValue, Expr, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};
use std::sync::{Arc, LazyLock};

/// The functions of this file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Lists {
    /// How many members a list has, missing ones among them.
    Length,
    /// A value is a member. Nothing is where it is missing; a missing member is no value.
    Contains,
}

static ALL: LazyLock<[Arc<ScalarUDF>; 2]> = LazyLock::new(|| {
    [Lists::Length, Lists::Contains].map(|l| Arc::new(ScalarUDF::new_from_impl(Function::new(l))))
});

/// Every function of this file.
pub(crate) fn all() -> Vec<Arc<ScalarUDF>> {
    ALL.to_vec()
}

impl Lists {
    /// The function of lists with this name in the language.
    pub(crate) fn named(name: &str) -> Option<Self> {
        match name {
            "length" => Some(Self::Length),
            "contains" => Some(Self::Contains),
            _ => None,
        }
    }

    /// The call of this function. What is looked for is of the members' type; among whole numbers
    /// it may be a double.
    pub(crate) fn call(self, args: Vec<Expr>) -> Expr {
        let [length, contains] = &*ALL;
        match self {
            Self::Length => length.call(args),
            Self::Contains => contains.call(args),
        }
    }
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Function {
    lists: Lists,
    signature: Signature,
}

impl Function {
    fn new(lists: Lists) -> Self {
        let count = match lists {
            Lists::Length => 1,
            Lists::Contains => 2,
        };
        Self { lists, signature: Signature::any(count, Volatility::Immutable) }
    }
}

impl ScalarUDFImpl for Function {
    fn name(&self) -> &'static str {
        match self.lists {
            Lists::Length => "ph_list_length",
            Lists::Contains => "ph_list_contains",
        }
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(match self.lists {
            Lists::Length => DataType::Int64,
            Lists::Contains => DataType::Boolean,
        })
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let rows = args.number_rows;
        let (list, value) = match self.lists {
            Lists::Length => (one(self.name(), &args.args)?, None),
            Lists::Contains => {
                let (list, value) = two(self.name(), &args.args)?;
                (list, Some(value))
            }
        };
        let list = list.to_array(rows)?;
        let Some(list) = list.as_list_opt::<i32>() else {
            return exec_err!("{} takes a list", self.name());
        };
        let made: ArrayRef = match value {
            None => Arc::new(lengths(list)),
            Some(ColumnarValue::Scalar(value)) => Arc::new(found(list, &value.to_array()?, |_| 0)?),
            Some(ColumnarValue::Array(values)) => Arc::new(found(list, values, |row| row)?),
        };
        Ok(ColumnarValue::Array(made))
    }
}

fn lengths(lists: &ListArray) -> Int64Array {
    let length = |row| lists.is_valid(row).then(|| i64::from(lists.value_length(row)));
    (0..lists.len()).map(length).collect()
}

/// Whether the value at the place for a row is a member of its list.
fn found(
    lists: &ListArray,
    wanted: &ArrayRef,
    place: impl Fn(usize) -> usize,
) -> Result<BooleanArray> {
    let members = lists.values();
    let any = |is: &dyn Fn(usize, usize) -> bool| -> BooleanArray {
        let offsets = lists.value_offsets();
        let row = |row: usize| {
            let place = place(row);
            if lists.is_null(row) || wanted.is_null(place) {
                return None;
            }
            let (from, to) = (*offsets.get(row)? as usize, *offsets.get(row + 1)? as usize);
            Some((from..to).any(|member| members.is_valid(member) && is(member, place)))
        };
        (0..lists.len()).map(row).collect()
    };
    Ok(match (members.data_type(), wanted.data_type()) {
        (_, DataType::Null) => BooleanArray::new_null(lists.len()),
        (DataType::Utf8, DataType::Utf8) => {
            let (members, wanted) = (members.as_string::<i32>(), wanted.as_string::<i32>());
            any(&|member, place| members.value(member) == wanted.value(place))
        }
        (DataType::Boolean, DataType::Boolean) => {
            let (members, wanted) = (members.as_boolean(), wanted.as_boolean());
            any(&|member, place| members.value(member) == wanted.value(place))
        }
        (DataType::Int64, DataType::Int64) => {
            let members = members.as_primitive::<Int64Type>();
            let wanted = wanted.as_primitive::<Int64Type>();
            any(&|member, place| members.value(member) == wanted.value(place))
        }
        (DataType::Int64, DataType::Float64) => {
            let members = members.as_primitive::<Int64Type>();
            let wanted = wanted.as_primitive::<Float64Type>();
            any(&|member, place| same(members.value(member), wanted.value(place)))
        }
        (DataType::Float64, DataType::Float64) => {
            let members = members.as_primitive::<Float64Type>();
            let wanted = wanted.as_primitive::<Float64Type>();
            any(&|member, place| members.value(member) == wanted.value(place))
        }
        _ => return exec_err!("ph_list_contains takes a value like the members of the list"),
    })
}

/// Exactly the same number: a double does not hold every whole one.
fn same(whole: i64, number: f64) -> bool {
    const BEYOND: f64 = 9_223_372_036_854_775_808.0;
    number.fract() == 0.0 && (-BEYOND..BEYOND).contains(&number) && number as i64 == whole
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::lists::array_of;
    use crate::schema::Member;
    use crate::value::Value;
    use arrow::array::{Float64Array, StringArray};

    fn lists(member: Member, json: &str) -> ArrayRef {
        let rows: Vec<serde_json::Value> = serde_json::from_str(json).unwrap();
        let value = |v: &serde_json::Value| match v {
            serde_json::Value::String(text) => Value::text(text),
            serde_json::Value::Number(n) => {
                n.as_i64().map_or_else(|| Value::float(n.as_f64().unwrap()), Value::Int)
            }
            _ => Value::Null,
        };
        let row = |row: &serde_json::Value| {
            let members = row.as_array();
            members.map_or(Value::Null, |members| Value::List(members.iter().map(value).collect()))
        };
        array_of(member, rows.iter().map(row)).unwrap()
    }

    fn flags(found: &BooleanArray) -> String {
        let flag = |x: Option<bool>| match x {
            Some(true) => '1',
            Some(false) => '0',
            None => '-',
        };
        found.iter().map(flag).collect()
    }

    #[test]
    fn members_are_found_in_slices_too() {
        let array = lists(Member::Text, r#"[["a"],["b",null,"a"],null,[],[null],["ab"]]"#);
        for (from, wanted) in [(0, "11-000"), (1, "1-000"), (3, "000")] {
            let array = array.slice(from, array.len() - from);
            let a: ArrayRef = Arc::new(StringArray::from(vec!["a"]));
            assert_eq!(flags(&found(array.as_list(), &a, |_| 0).unwrap()), wanted);
        }
        let each: ArrayRef = Arc::new(StringArray::from(vec![
            Some("a"),
            None,
            Some("a"),
            Some("a"),
            None,
            Some("ab"),
        ]));
        assert_eq!(flags(&found(array.as_list(), &each, |row| row).unwrap()), "1--0-1");
        let lengths = lengths(array.slice(1, 4).as_list());
        assert_eq!(lengths.iter().collect::<Vec<_>>(), [Some(3), None, Some(0), Some(1)]);
    }

    #[test]
    fn numbers_are_found_exactly() {
        let array = lists(Member::Int, "[[9007199254740993],[2],[9223372036854775807],[0]]");
        for (x, wanted) in [
            (9_007_199_254_740_992.0, "0000"),
            (2.0, "0100"),
            (2.5, "0000"),
            (9_223_372_036_854_775_808.0, "0000"),
            (-0.0, "0001"),
        ] {
            let x: ArrayRef = Arc::new(Float64Array::from(vec![x]));
            assert_eq!(flags(&found(array.as_list(), &x, |_| 0).unwrap()), wanted, "{x:?}");
        }
        let x: ArrayRef = Arc::new(StringArray::from(vec!["2"]));
        assert!(found(array.as_list(), &x, |_| 0).is_err());
    }
}
