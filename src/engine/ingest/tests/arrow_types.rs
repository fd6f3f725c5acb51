//! Arrow columns of every type: what they become, and what is noted.

use super::arrow_files::stream;
use super::{Loaded, NoteCode, Options, load_bytes, values};
use crate::error::{Code, Error};
use crate::schema::{Kind, Member};
use crate::value::Decimal;
use crate::value::Value::{self, Bool, Date, Float, Int, Null, Timestamp};
use arrow::array::*;
use arrow::buffer::{NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow::compute::cast;
use arrow::datatypes::*;
use serde_json::{Value as Json, json};
use std::sync::Arc;

fn text(s: &str) -> Value {
    Value::text(s)
}

fn exact(s: &str) -> Value {
    Value::Decimal(Decimal::parse(s).expect("a decimal"))
}

/// A table of one column `c` and a column of row numbers.
fn load(array: ArrayRef, options: &Json) -> Result<Loaded, Error> {
    let rows: ArrayRef = Arc::new(Int32Array::from_iter_values(0..array.len() as i32));
    let batch = RecordBatch::try_from_iter_with_nullable([("c", array, true), ("row", rows, true)]);
    let options = Options::from_json(options).expect("valid options");
    load_bytes(&stream(&[batch.expect("a batch")], None), &options, 13)
}

fn codes(loaded: &Loaded) -> Vec<NoteCode> {
    loaded.report.notes.iter().map(|note| note.code).collect()
}

fn check(array: impl Array + 'static, kind: Kind, expected: &[Value], notes: &[NoteCode]) {
    check_with(array, &json!({}), kind, expected, notes);
}

fn check_with(
    array: impl Array + 'static,
    options: &Json,
    kind: Kind,
    expected: &[Value],
    notes: &[NoteCode],
) {
    let array: ArrayRef = make_array(array.to_data());
    let name = array.data_type().to_string();
    let loaded = load(array, options).unwrap_or_else(|e| panic!("{name}: {e}"));
    let column = &loaded.table.schema.columns[0];
    assert_eq!(column.kind, kind, "{name}");
    assert_eq!(values(&loaded, 0), expected, "{name}");
    assert_eq!(codes(&loaded), notes, "{name}");
    let nulls = expected.iter().filter(|v| v.is_null()).count() as u64;
    assert_eq!(loaded.report.columns[0].nulls, nulls, "{name}");
    assert!(loaded.report.memory > 0, "{name}");
}

fn as_type(array: impl Array + 'static, arrow: &DataType) -> ArrayRef {
    cast(&array, arrow).expect("castable")
}

#[test]
fn whole_numbers() {
    let ints = [Int(1), Null, Int(-3)];
    for arrow in [DataType::Int8, DataType::Int16, DataType::Int32, DataType::Int64] {
        check(
            as_type(Int64Array::from(vec![Some(1), None, Some(-3)]), &arrow),
            Kind::Int,
            &ints,
            &[],
        );
    }
    check(UInt8Array::from(vec![255]), Kind::Int, &[Int(255)], &[]);
    check(UInt16Array::from(vec![65_535]), Kind::Int, &[Int(65_535)], &[]);
    check(UInt32Array::from(vec![u32::MAX]), Kind::Int, &[Int(u32::MAX.into())], &[]);
    check(UInt64Array::from(vec![7, i64::MAX as u64]), Kind::Int, &[Int(7), Int(i64::MAX)], &[]);
    check(
        UInt64Array::from(vec![Some(7), None, Some(u64::MAX)]),
        Kind::Decimal(0),
        &[exact("7"), Null, exact("18446744073709551615")],
        &[NoteCode::TooBigForInteger],
    );
    let whole =
        Decimal128Array::from(vec![Some(12), None]).with_data_type(DataType::Decimal128(20, 0));
    check(whole, Kind::Int, &[Int(12), Null], &[]);
    let hundreds = Decimal128Array::from(vec![12]).with_data_type(DataType::Decimal128(20, -2));
    check(hundreds, Kind::Int, &[Int(1200)], &[]);
    let big =
        Decimal128Array::from(vec![10i128.pow(30), 1]).with_data_type(DataType::Decimal128(38, 0));
    let wanted = [exact("1000000000000000000000000000000"), exact("1")];
    check(big, Kind::Decimal(0), &wanted, &[NoteCode::TooBigForInteger]);
    let long = Decimal256Array::from(vec![
        Some(i256::from_i128(7)),
        None,
        i256::from_string(&"9".repeat(40)),
    ])
    .with_data_type(DataType::Decimal256(76, 0));
    check(long, Kind::Float, &[Float(7.0), Null, Float(1e40)], &[NoteCode::DecimalAsNumber]);
}

#[test]
fn numbers_with_a_fraction() {
    let floats = [Float(1.5), Null, Float(-0.25)];
    for arrow in [DataType::Float16, DataType::Float32, DataType::Float64] {
        let array = Float64Array::from(vec![Some(1.5), None, Some(-0.25)]);
        check(as_type(array, &arrow), Kind::Float, &floats, &[]);
    }
    for arrow in [
        DataType::Decimal32(9, 2),
        DataType::Decimal64(18, 2),
        DataType::Decimal128(38, 2),
        DataType::Decimal256(76, 2),
    ] {
        let array = as_type(Float64Array::from(vec![Some(1.5), None, Some(-0.25)]), &arrow);
        check(array.clone(), Kind::Decimal(2), &[exact("1.50"), Null, exact("-0.25")], &[]);
        for (kind, wanted, values) in [
            ("number", Kind::Float, [Float(1.5), Null, Float(-0.25)]),
            ("decimal(3)", Kind::Decimal(3), [exact("1.500"), Null, exact("-0.250")]),
            ("text", Kind::Text, [text("1.50"), Null, text("-0.25")]),
        ] {
            check_with(array.clone(), &json!({"types": {"c": kind}}), wanted, &values, &[]);
        }
        for kind in ["decimal(1)", "integer"] {
            assert!(load(array.clone(), &json!({"types": {"c": kind}})).is_err(), "{kind}");
        }
    }
    let whole = as_type(Float64Array::from(vec![Some(2.0), None]), &DataType::Decimal128(9, 2));
    check_with(whole, &json!({"types": {"c": "integer"}}), Kind::Int, &[Int(2), Null], &[]);
    let behind = i256::from_string(&"3".repeat(50));
    for (scale, x) in [(50, 1.0 / 3.0), (20, 3.333_333_333_333_333e29)] {
        let long =
            Decimal256Array::from(vec![behind]).with_data_type(DataType::Decimal256(76, scale));
        check(long, Kind::Float, &[Float(x)], &[NoteCode::DecimalAsNumber]);
    }
}

#[test]
fn text_in_all_its_types() {
    let texts = ["b", "a", "", "b"];
    let wanted = [text("b"), text("a"), text(""), text("b"), Null];
    let array: StringArray = texts.iter().map(Some).chain([None]).collect();
    for arrow in [
        DataType::Utf8,
        DataType::LargeUtf8,
        DataType::Utf8View,
        DataType::Dictionary(Box::new(DataType::Int8), Box::new(DataType::Utf8)),
        DataType::Dictionary(Box::new(DataType::UInt16), Box::new(DataType::LargeUtf8)),
        DataType::Dictionary(Box::new(DataType::Int64), Box::new(DataType::Utf8View)),
    ] {
        check(as_type(array.clone(), &arrow), Kind::Text, &wanted, &[]);
    }
    let loaded = load(Arc::new(array), &json!({})).expect("a table");
    let column = &loaded.table.schema.columns[0];
    assert_eq!(column.values.as_deref(), Some(&[String::new(), "a".into(), "b".into()][..]));
    assert_eq!(loaded.report.columns[0].distinct, Some(3));
    assert_eq!(loaded.table.batches[0].column(0).data_type(), &DataType::Utf8);
    let often = StringArray::from_iter_values((0..100).map(|i| ["x", "y"][i % 2]));
    let loaded = load(Arc::new(often), &json!({})).expect("a table");
    let dictionary = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
    assert_eq!(loaded.table.batches[0].column(0).data_type(), &dictionary);
    let options = json!({"nulls": ["b"]});
    let array = StringArray::from(vec!["b", "", "c"]);
    check_with(array, &options, Kind::Text, &[Null, text(""), text("c")], &[]);
}

#[test]
fn other_values_behind_keys_and_runs() {
    let keys = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Int64));
    let array = as_type(Int64Array::from(vec![Some(5), None, Some(5)]), &keys);
    check(array, Kind::Int, &[Int(5), Null, Int(5)], &[]);
    let ends = Int32Array::from(vec![2, 3, 5]);
    let runs = RunArray::try_new(&ends, &Float64Array::from(vec![Some(1.0), None, Some(2.0)]));
    let wanted = [Float(1.0), Float(1.0), Null, Float(2.0), Float(2.0)];
    check(runs.expect("runs"), Kind::Float, &wanted, &[]);
    let runs = RunArray::try_new(&ends, &StringArray::from(vec![Some("x"), None, Some("y")]));
    let wanted = [text("x"), text("x"), Null, text("y"), text("y")];
    check(runs.expect("runs"), Kind::Text, &wanted, &[]);
}

#[test]
fn dates_and_moments() {
    check(
        Date32Array::from(vec![Some(0), None, Some(19_724)]),
        Kind::Date,
        &[Date(0), Null, Date(19_724)],
        &[],
    );
    check(Date64Array::from(vec![-1, 86_400_000]), Kind::Date, &[Date(-1), Date(1)], &[]);
    check(Date32Array::from(vec![i32::MAX]), Kind::Date, &[Null], &[NoteCode::TimesOutOfRange]);
    let second = [Timestamp(1_000_000), Null];
    check(TimestampSecondArray::from(vec![Some(1), None]), Kind::Timestamp, &second, &[]);
    check(TimestampMillisecondArray::from(vec![Some(1000), None]), Kind::Timestamp, &second, &[]);
    check(
        TimestampMicrosecondArray::from(vec![Some(1_000_000), None]),
        Kind::Timestamp,
        &second,
        &[],
    );
    check(
        TimestampNanosecondArray::from(vec![Some(1_000_000_000), None]),
        Kind::Timestamp,
        &second,
        &[],
    );
    let fine = TimestampNanosecondArray::from(vec![-1, 1999]);
    check(fine, Kind::Timestamp, &[Timestamp(-1), Timestamp(1)], &[NoteCode::FractionCut]);
    let far = TimestampSecondArray::from(vec![i64::MAX, 1]);
    check(far, Kind::Timestamp, &[Null, Timestamp(1_000_000)], &[NoteCode::TimesOutOfRange]);
    let far = TimestampMicrosecondArray::from(vec![i64::MIN, i64::MAX]);
    check(far, Kind::Timestamp, &[Null, Null], &[NoteCode::TimesOutOfRange]);
}

#[test]
fn a_zone_makes_moments_in_utc() {
    let moments = || TimestampMillisecondArray::from(vec![1_704_205_800_000]);
    let utc = [Timestamp(1_704_205_800_000_000)];
    let berlin = || moments().with_timezone("Europe/Berlin");
    let shown = |array: TimestampMillisecondArray, options: &Json| {
        let loaded = load(Arc::new(array), options).expect("a table");
        let codes = codes(&loaded);
        let table = loaded.table.settle().expect("a table");
        let rows = crate::engine::rows::ArrowRows::new(table.schema.columns.clone(), table.batches);
        (crate::value::Rows::value(&rows, 0, 0).to_string(), codes)
    };
    check(berlin(), Kind::Timestamp, &utc, &[NoteCode::TimesInUtc]);
    check(moments(), Kind::Timestamp, &utc, &[]);
    let zone = json!({"timezone": "America/New_York"});
    let check = |array, options: &Json, time: &str, note| {
        assert_eq!(shown(array, options), (time.to_owned(), vec![note]), "{options}");
    };
    check(berlin(), &zone, "2024-01-02T09:30:00", NoteCode::TimesInZone);
    check(moments(), &zone, "2024-01-02T14:30:00", NoteCode::TimesTakenAsLocal);
    let zone = json!({"timezone": "America/New_York", "timesIn": "utc"});
    check(moments(), &zone, "2024-01-02T09:30:00", NoteCode::TimesInZone);
}

#[test]
fn times_of_day_durations_and_intervals() {
    let wanted = [text("09:30:00"), Null, text("23:59:59")];
    let seconds = Time32SecondArray::from(vec![Some(34_200), None, Some(86_399)]);
    check(seconds, Kind::Text, &wanted, &[NoteCode::TimeOfDayAsText]);
    let fine = Time64NanosecondArray::from(vec![1_500_000_000, 1, -1]);
    let wanted = [text("00:00:01.5"), text("00:00:00.000000001"), Null];
    check(fine, Kind::Text, &wanted, &[NoteCode::TimesOutOfRange, NoteCode::TimeOfDayAsText]);
    let duration = DurationMillisecondArray::from(vec![Some(1500), None]);
    check(duration.clone(), Kind::Float, &[Float(1.5), Null], &[NoteCode::DurationInSeconds]);
    let loaded = load(Arc::new(duration), &json!({})).expect("a table");
    assert_eq!(loaded.report.columns[0].unit.as_deref(), Some("s"));
    let interval = IntervalYearMonthArray::from(vec![Some(14), None]);
    check(interval, Kind::Text, &[text("1 years 2 mons"), Null], &[NoteCode::IntervalAsText]);
}

#[test]
fn truth_values_and_nothing() {
    check(BooleanArray::from(vec![Some(true), None]), Kind::Bool, &[Bool(true), Null], &[]);
    check(NullArray::new(2), Kind::Text, &[Null, Null], &[NoteCode::EmptyColumn]);
    check(Int64Array::from(vec![None, None]), Kind::Int, &[Null, Null], &[]);
}

#[test]
fn lists_of_one_kind_are_lists_and_others_are_json() {
    let note = &[NoteCode::ListsAsText];
    let lists = || {
        ListArray::from_iter_primitive::<Int32Type, _, _>([
            Some(vec![Some(1), None]),
            None,
            Some(vec![]),
        ])
    };
    let list = |members: &[Value]| Value::List(members.into());
    let wanted = [list(&[Int(1), Null]), Null, list(&[])];
    let whole = Kind::List(Member::Int);
    check(lists(), whole, &wanted, &[]);
    let item = Arc::new(Field::new_list_field(DataType::Int32, true));
    check(as_type(lists(), &DataType::LargeList(item.clone())), whole, &wanted, &[]);
    check(as_type(lists(), &DataType::ListView(item.clone())), whole, &wanted, &[]);
    check(as_type(lists(), &DataType::LargeListView(item.clone())), whole, &wanted, &[]);
    let written = [text("[1,null]"), Null, text("[]")];
    check_with(lists(), &json!({"types": {"c": "text"}}), Kind::Text, &written, &[]);
    let wide = json!({"types": {"c": "list of number"}});
    let numbers = [list(&[Float(1.0), Null]), Null, list(&[])];
    check_with(lists(), &wide, Kind::List(Member::Float), &numbers, &[]);
    let floats = Arc::new(Float64Array::from(vec![1.5, f64::NAN, 2.0, -0.5]));
    let item = Arc::new(Field::new_list_field(DataType::Float64, true));
    let pairs = FixedSizeListArray::new(item, 2, floats, None);
    let numbers = [list(&[Float(1.5), Null]), list(&[Float(2.0), Float(-0.5)])];
    check(pairs, Kind::List(Member::Float), &numbers, &[]);
    for (members, of, wanted) in lists_of_one() {
        let item = Arc::new(Field::new_list_field(members.data_type().clone(), true));
        let offsets = OffsetBuffer::from_lengths([members.len()]);
        let lists = ListArray::new(item, offsets, members, None);
        match of {
            Some(of) => check(lists, Kind::List(of), &[list(&wanted)], &[]),
            None => check(lists, Kind::Text, &wanted, note),
        }
    }
    let mut map = MapBuilder::new(None, StringBuilder::new(), Int32Builder::new());
    map.keys().append_value("a\"b");
    map.values().append_value(1);
    map.append(true).expect("a map");
    check(map.finish(), Kind::Text, &[text(r#"{"a\"b":1}"#)], note);
    let members = StructArray::from(vec![
        (
            Arc::new(Field::new("day", DataType::Date32, true)),
            Arc::new(Date32Array::from(vec![0])) as ArrayRef,
        ),
        (
            Arc::new(Field::new(
                "at",
                DataType::Timestamp(TimeUnit::Second, Some("UTC".into())),
                true,
            )),
            Arc::new(TimestampSecondArray::from(vec![0]).with_timezone("UTC")),
        ),
        (
            Arc::new(Field::new("tags", DataType::Utf8, true)),
            Arc::new(StringArray::from(vec!["x\ny"])),
        ),
    ]);
    let item = Arc::new(Field::new_list_field(members.data_type().clone(), true));
    let offsets = OffsetBuffer::new(vec![0, 1].into());
    let lists = ListArray::new(item, offsets, Arc::new(members), None);
    let wanted = r#"[{"day":"1970-01-01","at":"1970-01-01T00:00:00Z","tags":"x\ny"}]"#;
    check(lists, Kind::Text, &[text(wanted)], note);
}

/// The members of one list, what they become, and the values; of those that no list holds, the text.
fn lists_of_one() -> Vec<(ArrayRef, Option<Member>, Vec<Value>)> {
    let texts = StringArray::from(vec![Some("a\"b"), None]);
    let dictionary = as_type(texts.clone(), &keys());
    let large = i64::MAX as u64;
    vec![
        (Arc::new(texts), Some(Member::Text), vec![text("a\"b"), Null]),
        (dictionary, Some(Member::Text), vec![text("a\"b"), Null]),
        (Arc::new(BooleanArray::from(vec![true])), Some(Member::Bool), vec![Bool(true)]),
        (Arc::new(Float32Array::from(vec![0.1])), Some(Member::Float), vec![Float(0.1)]),
        (Arc::new(UInt64Array::from(vec![large])), Some(Member::Int), vec![Int(i64::MAX)]),
        (Arc::new(UInt64Array::from(vec![large + 1])), None, vec![text("[9223372036854775808]")]),
        (Arc::new(Date32Array::from(vec![1])), Some(Member::Text), vec![text("1970-01-02")]),
        (Arc::new(NullArray::new(1)), Some(Member::Text), vec![Null]),
        (
            as_type(Int32Array::from(vec![1]), &DataType::Decimal128(10, 2)),
            None,
            vec![text("[1.00]")],
        ),
    ]
}

fn keys() -> DataType {
    DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8))
}

#[test]
fn structs_are_taken_apart() {
    let inner = StructArray::from(vec![(
        Arc::new(Field::new("y", DataType::Utf8, true)),
        Arc::new(StringArray::from(vec![Some("p"), Some("q"), None])) as ArrayRef,
    )]);
    let outer = StructArray::new(
        Fields::from(vec![
            Field::new("x", DataType::Int64, true),
            Field::new("in", inner.data_type().clone(), true),
            Field::new("raw", DataType::Binary, true),
        ]),
        vec![
            Arc::new(Int64Array::from(vec![1, 2, 3])),
            Arc::new(inner),
            Arc::new(BinaryArray::from(vec![b"a".as_slice(), b"b", b"c"])),
        ],
        Some(NullBuffer::from(vec![true, false, true])),
    );
    let loaded = load(Arc::new(outer), &json!({})).expect("a table");
    let names: Vec<_> = loaded.table.schema.columns.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["c.x", "c.in.y", "row"]);
    assert_eq!(values(&loaded, 0), [Int(1), Null, Int(3)]);
    assert_eq!(values(&loaded, 1), [text("p"), Null, Null]);
    assert_eq!(codes(&loaded), [NoteCode::ColumnLeftOut]);
}

#[test]
fn what_is_no_value_is_left_out() {
    let binary = [b"ab".as_slice()];
    let fields = UnionFields::from_fields(vec![
        Field::new("a", DataType::Int32, true),
        Field::new("b", DataType::Utf8, true),
    ]);
    let union = UnionArray::try_new(
        fields,
        ScalarBuffer::from(vec![0i8]),
        Some(ScalarBuffer::from(vec![0i32])),
        vec![Arc::new(Int32Array::from(vec![1])), Arc::new(StringArray::from(vec!["x"]))],
    );
    let arrays: Vec<ArrayRef> = vec![
        Arc::new(BinaryArray::from(binary.to_vec())),
        Arc::new(LargeBinaryArray::from(binary.to_vec())),
        Arc::new(BinaryViewArray::from(binary.to_vec())),
        Arc::new(FixedSizeBinaryArray::try_from_iter(binary.iter()).expect("bytes")),
        Arc::new(union.expect("a union")),
        Arc::new(StructArray::new_empty_fields(1, None)),
    ];
    for array in arrays {
        let name = array.data_type().to_string();
        let loaded = load(array.clone(), &json!({})).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(loaded.table.schema.columns.len(), 1, "{name}");
        assert_eq!(values(&loaded, 0), [Int(0)], "{name}");
        assert_eq!(codes(&loaded), [NoteCode::ColumnLeftOut], "{name}");
        let batch =
            RecordBatch::try_from_iter_with_nullable([("c", array, true)]).expect("a batch");
        let Err(Error::Input(problems)) =
            load_bytes(&stream(&[batch], None), &Options::default(), 100)
        else {
            panic!("{name}: no column is a table")
        };
        assert_eq!(problems[0].code, Code::NotATable, "{name}");
    }
}

#[test]
fn kinds_can_be_asked_for() {
    let with = |kind: &str| json!({"types": {"c": kind}});
    let day = 86_400_000_000;
    check_with(
        Int64Array::from(vec![Some(5), None]),
        &with("text"),
        Kind::Text,
        &[text("5"), Null],
        &[],
    );
    check_with(Int64Array::from(vec![5]), &with("number"), Kind::Float, &[Float(5.0)], &[]);
    check_with(
        Float64Array::from(vec![Some(5.0), Some(f64::NAN)]),
        &with("integer"),
        Kind::Int,
        &[Int(5), Null],
        &[],
    );
    check_with(
        Int64Array::from(vec![0, 1]),
        &with("boolean"),
        Kind::Bool,
        &[Bool(false), Bool(true)],
        &[],
    );
    check_with(StringArray::from(vec!["1.5"]), &with("number"), Kind::Float, &[Float(1.5)], &[]);
    check_with(
        StringArray::from(vec!["2024-01-02"]),
        &with("date"),
        Kind::Date,
        &[Date(19_724)],
        &[],
    );
    check_with(
        Date32Array::from(vec![1]),
        &with("timestamp"),
        Kind::Timestamp,
        &[Timestamp(day)],
        &[],
    );
    check_with(
        TimestampMicrosecondArray::from(vec![day]),
        &with("date"),
        Kind::Date,
        &[Date(1)],
        &[],
    );
    check_with(UInt64Array::from(vec![7]), &with("integer"), Kind::Int, &[Int(7)], &[]);
    check_with(
        Int64Array::from(vec![1_704_205_800]),
        &with("timestamp"),
        Kind::Timestamp,
        &[Timestamp(1_704_205_800_000_000)],
        &[NoteCode::EpochTime],
    );
    let arrays: [(ArrayRef, &str); 5] = [
        (Arc::new(Float64Array::from(vec![1.5])), "integer"),
        (Arc::new(StringArray::from(vec!["x"])), "number"),
        (Arc::new(BooleanArray::from(vec![true])), "date"),
        (Arc::new(UInt64Array::from(vec![u64::MAX])), "integer"),
        (Arc::new(TimestampMicrosecondArray::from(vec![day + 1])), "date"),
    ];
    for (array, kind) in arrays {
        let Err(Error::Input(problems)) = load(array, &with(kind)) else { panic!("{kind}") };
        assert_eq!((problems[0].code, problems[0].pointer.as_str()), (Code::BadOption, "/types/c"));
    }
}

#[test]
fn numbers_named_as_time_are_times() {
    let batch = |name: &str| {
        let array: ArrayRef = Arc::new(Int64Array::from(vec![1_704_205_800_000]));
        RecordBatch::try_from_iter_with_nullable([(name, array, true)]).expect("a batch")
    };
    let kind = |name: &str, options: &Json| {
        let options = Options::from_json(options).expect("valid options");
        let loaded = load_bytes(&stream(&[batch(name)], None), &options, 64).expect("a table");
        (loaded.table.schema.columns[0].kind, loaded.table.schema.time)
    };
    assert_eq!(kind("time", &json!({})), (Kind::Timestamp, Some("time".to_owned())));
    assert_eq!(kind("x", &json!({})), (Kind::Int, None));
    assert_eq!(kind("x", &json!({"time": "x"})), (Kind::Timestamp, Some("x".to_owned())));
    assert_eq!(kind("time", &json!({"time": false})), (Kind::Int, None));
    assert_eq!(kind("time", &json!({"types": {"time": "integer"}})), (Kind::Int, None));
}
