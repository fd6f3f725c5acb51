//! What a column of each Arrow type becomes.

use crate::schema::{Kind, Member};
use crate::value::MOST_DIGITS;
use arrow::datatypes::DataType;

/// How the values of an Arrow type are taken over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Plan {
    /// No type of its own: nothing but missing values.
    Empty,
    /// Truth values.
    Bool,
    /// Whole numbers of 32 bits.
    Narrow,
    /// Whole numbers of 64 bits.
    Whole,
    /// Whole numbers that may be beyond 64 bits with a sign: decimals then.
    Wide,
    /// Doubles.
    Float,
    /// Decimals with so many digits behind the point; doubles where they have too many in all.
    Decimal(u8),
    /// Decimals with too many digits behind the point, as doubles.
    LongDecimal,
    /// Text.
    Text,
    /// Calendar dates.
    Date,
    /// Moments; with a zone they are in UTC.
    Moment {
        /// The file names a zone.
        zone: bool,
    },
    /// Times of day, as text.
    TimeOfDay,
    /// Lengths of time, as seconds.
    Duration,
    /// Lengths of time in months and days, as text.
    Interval,
    /// Lists and maps, as JSON text, which is read as lists where their members are of a kind that
    /// lists may hold.
    Lists(Option<Member>),
}

impl Plan {
    /// The plan for a type; `None` where it is left out. Structs are taken apart before.
    pub(super) fn of(arrow: &DataType) -> Option<Self> {
        use DataType as T;
        Some(match arrow {
            T::Null => Self::Empty,
            T::Boolean => Self::Bool,
            T::Int8 | T::Int16 | T::Int32 | T::UInt8 | T::UInt16 => Self::Narrow,
            T::UInt32 | T::Int64 => Self::Whole,
            T::UInt64 => Self::Wide,
            T::Float16 | T::Float32 | T::Float64 => Self::Float,
            T::Decimal32(_, scale)
            | T::Decimal64(_, scale)
            | T::Decimal128(_, scale)
            | T::Decimal256(_, scale) => match u8::try_from(*scale) {
                Ok(scale @ 1..=MOST_DIGITS) => Self::Decimal(scale),
                Ok(1..) => Self::LongDecimal,
                Ok(0) | Err(_) => Self::Wide,
            },
            T::Utf8 | T::LargeUtf8 | T::Utf8View => Self::Text,
            T::Date32 | T::Date64 => Self::Date,
            T::Timestamp(_, zone) => Self::Moment { zone: zone.is_some() },
            T::Time32(_) | T::Time64(_) => Self::TimeOfDay,
            T::Duration(_) => Self::Duration,
            T::Interval(_) => Self::Interval,
            T::List(of)
            | T::LargeList(of)
            | T::FixedSizeList(of, _)
            | T::ListView(of)
            | T::LargeListView(of) => Self::Lists(member(of.data_type())),
            T::Map(_, _) => Self::Lists(None),
            T::Dictionary(_, values) => match values.as_ref() {
                // a struct behind keys cannot be taken apart
                T::Struct(_) => Self::Lists(None),
                values => Self::of(values)?,
            },
            T::RunEndEncoded(_, values) => match values.data_type() {
                T::Struct(_) => Self::Lists(None),
                values => Self::of(values)?,
            },
            T::Binary
            | T::LargeBinary
            | T::BinaryView
            | T::FixedSizeBinary(_)
            | T::Struct(_)
            | T::Union(_, _) => return None,
        })
    }

    /// The kind of the column where nothing else was asked for.
    pub(super) fn kind(self) -> Kind {
        match self {
            Self::Bool => Kind::Bool,
            Self::Narrow | Self::Whole | Self::Wide => Kind::Int,
            Self::Float | Self::LongDecimal | Self::Duration => Kind::Float,
            Self::Decimal(scale) => Kind::Decimal(scale),
            Self::Date => Kind::Date,
            Self::Moment { .. } => Kind::Timestamp,
            Self::Empty | Self::Text | Self::TimeOfDay | Self::Interval | Self::Lists(_) => {
                Kind::Text
            }
        }
    }
}

/// What the members are of lists of an Arrow type, as JSON writes them: dates and moments are texts.
fn member(arrow: &DataType) -> Option<Member> {
    Some(match Plan::of(arrow)? {
        Plan::Bool => Member::Bool,
        Plan::Narrow | Plan::Whole => Member::Int,
        // decimals of no digits behind the point keep all of them
        Plan::Wide if arrow.is_integer() => Member::Int,
        Plan::Float => Member::Float,
        Plan::Empty | Plan::Text | Plan::Date | Plan::Moment { .. } | Plan::TimeOfDay => {
            Member::Text
        }
        _ => return None,
    })
}
