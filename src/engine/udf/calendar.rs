//! `ph_year` and its like: parts of dates and timestamps by plain arithmetic on days and
//! microseconds, and the names of weekdays and months.

use super::one;
use crate::engine::tables::{DAY_MICROS, days};
use crate::query::check::Domain;
use arrow::array::{Array, ArrayRef, AsArray, Int32Array, StringArray};
use arrow::datatypes::{DataType, Int32Type, TimeUnit, TimestampMicrosecondType};
use datafusion::common::{Result, ScalarValue, exec_err};
use datafusion::logical_expr::{
    ColumnarValue, Expr, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};
use std::sync::{Arc, LazyLock};

/// The functions of this file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Part {
    /// The year.
    Year,
    /// 1 to 4.
    Quarter,
    /// 1 to 12.
    Month,
    /// 1 to 31.
    Day,
    /// Monday = 0.
    Weekday,
    /// 0 to 23.
    Hour,
    /// 0 to 59.
    Minute,
    /// The calendar date.
    Date,
    /// January = 0: the place of a month's name in its domain.
    MonthCode,
    /// The name of a weekday from Monday = 0.
    WeekdayName,
    /// The name of a month from January = 0.
    MonthName,
    /// 1 to 53: the week of ISO 8601.
    Week,
    /// The time of the day as text, `HH:MM`; 00:00 for dates.
    Time,
}

const PARTS: [Part; 13] = [
    Part::Year,
    Part::Quarter,
    Part::Month,
    Part::Day,
    Part::Weekday,
    Part::Hour,
    Part::Minute,
    Part::Date,
    Part::MonthCode,
    Part::WeekdayName,
    Part::MonthName,
    Part::Week,
    Part::Time,
];

static ALL: LazyLock<Vec<Arc<ScalarUDF>>> = LazyLock::new(|| {
    PARTS.into_iter().map(|p| Arc::new(ScalarUDF::new_from_impl(Function::new(p)))).collect()
});

/// Every function of this file.
pub(crate) fn all() -> Vec<Arc<ScalarUDF>> {
    ALL.clone()
}

impl Part {
    /// The call of this function.
    pub(crate) fn call(self, x: Expr) -> Expr {
        match PARTS.iter().position(|p| *p == self).and_then(|i| ALL.get(i)) {
            Some(function) => function.call(vec![x]),
            None => ScalarUDF::new_from_impl(Function::new(self)).call(vec![x]),
        }
    }

    /// The type of its values.
    pub(crate) fn result_type(self) -> DataType {
        match self {
            Self::WeekdayName | Self::MonthName | Self::Time => DataType::Utf8,
            Self::Date => DataType::Date32,
            _ => DataType::Int32,
        }
    }

    /// The function that names the codes of a domain.
    pub(crate) fn names(domain: Domain) -> Self {
        match domain {
            Domain::Weekday => Self::WeekdayName,
            Domain::Month => Self::MonthName,
        }
    }

    /// The function that gives a date's code in a domain.
    pub(crate) fn code(domain: Domain) -> Self {
        match domain {
            Domain::Weekday => Self::Weekday,
            Domain::Month => Self::MonthCode,
        }
    }
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Function {
    part: Part,
    signature: Signature,
}

impl Function {
    fn new(part: Part) -> Self {
        let signature = match part {
            Part::WeekdayName | Part::MonthName => {
                Signature::exact(vec![DataType::Int32], Volatility::Immutable)
            }
            _ => Signature::uniform(
                1,
                vec![DataType::Timestamp(TimeUnit::Microsecond, None), DataType::Date32],
                Volatility::Immutable,
            ),
        };
        Self { part, signature }
    }
}

impl ScalarUDFImpl for Function {
    fn name(&self) -> &'static str {
        match self.part {
            Part::Year => "ph_year",
            Part::Quarter => "ph_quarter",
            Part::Month => "ph_month",
            Part::Day => "ph_day",
            Part::Weekday => "ph_weekday",
            Part::Hour => "ph_hour",
            Part::Minute => "ph_minute",
            Part::Date => "ph_date",
            Part::MonthCode => "ph_month_code",
            Part::WeekdayName => "ph_weekday_name",
            Part::MonthName => "ph_month_name",
            Part::Week => "ph_week",
            Part::Time => "ph_time",
        }
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(self.part.result_type())
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        match one(self.name(), &args.args)? {
            ColumnarValue::Array(x) => Ok(ColumnarValue::Array(self.apply(x)?)),
            ColumnarValue::Scalar(x) => {
                let array = self.apply(&x.to_array()?)?;
                Ok(ColumnarValue::Scalar(ScalarValue::try_from_array(&array, 0)?))
            }
        }
    }
}

impl Function {
    fn apply(&self, x: &ArrayRef) -> Result<ArrayRef> {
        match self.part {
            Part::WeekdayName => return Ok(names(x, Domain::Weekday)),
            Part::MonthName => return Ok(names(x, Domain::Month)),
            Part::Hour => return clock(x, DAY_MICROS / 24, 24),
            Part::Minute => return clock(x, DAY_MICROS / 1440, 60),
            Part::Time => return times(x),
            _ => {}
        }
        let Some(days) = days(x) else {
            return exec_err!("{} takes a date or a timestamp", self.name());
        };
        if self.part == Part::Date {
            return Ok(Arc::new(days));
        }
        let array: Int32Array = match self.part {
            Part::Year => days.unary(|d| civil(d).0),
            Part::Quarter => days.unary(|d| (civil(d).1 + 2) / 3),
            Part::Month => days.unary(|d| civil(d).1),
            Part::MonthCode => days.unary(|d| civil(d).1 - 1),
            Part::Day => days.unary(|d| civil(d).2),
            Part::Week => days.unary(iso_week),
            // 1970-01-01 was a Thursday.
            _ => days.unary(|d| (i64::from(d) + 3).rem_euclid(7) as i32),
        };
        Ok(Arc::new(array))
    }
}

/// Year, month and day of a day since 1970 in the Gregorian calendar, by eras of 400 years that
/// begin in March (so that the leap day is the last of its year).
pub(crate) fn civil(day: i32) -> (i32, i32, i32) {
    let shifted = i64::from(day) + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march_month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year as i32, month as i32, day as i32)
}

/// Days since 1970 of a year, month and day in the Gregorian calendar: the way back of [`civil`].
pub(crate) fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let year_of_era = year.rem_euclid(400);
    let of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + of_year;
    era * 146_097 + of_era - 719_468
}

/// The week of ISO 8601: that of the year which its Thursday is in.
fn iso_week(day: i32) -> i32 {
    let day = i64::from(day);
    let thursday = day - (day + 3).rem_euclid(7) + 3;
    let (year, ..) = civil(thursday as i32);
    ((thursday - days_from_civil(i64::from(year), 1, 1)) / 7 + 1) as i32
}

/// The time of the day of each row as text.
fn times(x: &ArrayRef) -> Result<ArrayRef> {
    let minute = DAY_MICROS / 1440;
    let minutes = clock(x, minute, 1440)?;
    let minutes = minutes.as_primitive::<Int32Type>().iter();
    let text = |m: i32| format!("{:02}:{:02}", m / 60, m % 60);
    Ok(Arc::new(minutes.map(|m| m.map(text)).collect::<StringArray>()))
}

/// The clock's count of `unit` microseconds, from 0 to below `count`; 0 for dates.
fn clock(x: &ArrayRef, unit: i64, count: i64) -> Result<ArrayRef> {
    let array: Int32Array = match x.data_type() {
        DataType::Timestamp(TimeUnit::Microsecond, _) => x
            .as_primitive::<TimestampMicrosecondType>()
            .unary(|us| us.div_euclid(unit).rem_euclid(count) as i32),
        DataType::Date32 => {
            x.as_primitive::<arrow::datatypes::Date32Type>().unary::<_, Int32Type>(|_| 0)
        }
        other => return exec_err!("no clock in {other}"),
    };
    Ok(Arc::new(array))
}

/// The names of codes; a code outside the domain has none.
fn names(codes: &ArrayRef, domain: Domain) -> ArrayRef {
    let codes = codes.as_primitive::<Int32Type>();
    let name = |code: i32| usize::try_from(code).ok().and_then(|i| domain.values().get(i).copied());
    Arc::new(codes.iter().map(|code| code.and_then(name)).collect::<StringArray>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::array::{Date32Array, TimestampMicrosecondArray};
    use chrono::{Datelike, NaiveDate, Timelike};

    fn value(part: Part, x: ArrayRef) -> String {
        let array = Function::new(part).apply(&x).unwrap();
        ScalarValue::try_from_array(&array, 0).unwrap().to_string()
    }

    #[test]
    fn parts_agree_with_the_calendar() {
        let epoch = NaiveDate::from_ymd_opt(1970, 1, 1).unwrap();
        for day in (-800_000..800_000).step_by(373).chain(-1000..1000) {
            let date = epoch + chrono::Duration::days(i64::from(day));
            let x: ArrayRef = Arc::new(Date32Array::from(vec![day]));
            for (part, wanted) in [
                (Part::Year, date.year()),
                (Part::Quarter, date.month().div_ceil(3) as i32),
                (Part::Month, date.month() as i32),
                (Part::Day, date.day() as i32),
                (Part::Weekday, date.weekday().num_days_from_monday() as i32),
                (Part::Hour, 0),
                (Part::Week, date.iso_week().week() as i32),
            ] {
                assert_eq!(value(part, x.clone()), wanted.to_string(), "{part:?} of {date}");
            }
            let (year, month, of_month) = civil(day);
            let back = days_from_civil(year.into(), month.into(), of_month.into());
            assert_eq!(back, i64::from(day), "{date}");
        }
    }

    #[test]
    fn clocks_run_forwards_before_1970_too() {
        for micros in [-1, -3_600_000_001, 0, 59_999_999, 1_700_000_123_456_789] {
            let time = chrono::DateTime::from_timestamp_micros(micros).unwrap();
            let x: ArrayRef = Arc::new(TimestampMicrosecondArray::from(vec![micros]));
            assert_eq!(value(Part::Hour, x.clone()), time.hour().to_string(), "{time}");
            assert_eq!(value(Part::Minute, x.clone()), time.minute().to_string(), "{time}");
            let text = time.format("%H:%M").to_string();
            assert_eq!(value(Part::Time, x.clone()), text, "{time}");
            assert_eq!(value(Part::Day, x), time.day().to_string(), "{time}");
        }
    }

    #[test]
    fn codes_have_names() {
        let codes: ArrayRef = Arc::new(Int32Array::from(vec![Some(0), Some(6), None, Some(99)]));
        let weekdays = names(&codes, Domain::Weekday);
        let weekdays: Vec<_> = weekdays.as_string::<i32>().iter().collect();
        assert_eq!(weekdays, [Some("Mon"), Some("Sun"), None, None]);
        let months = names(&codes, Domain::Month);
        assert_eq!(months.as_string::<i32>().value(1), "Jul");
    }
}
