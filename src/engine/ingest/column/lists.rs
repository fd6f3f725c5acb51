//! Columns of lists: from texts that are lists in JSON, over all of them, to lists of one kind of
//! members.

use super::Finished;
use crate::engine::ingest::internal;
use crate::engine::ingest::json::scan::{self, Walk};
use crate::engine::lists::{Builder, Item};
use crate::error::Result;
use crate::schema::{Kind, Member};
use arrow::array::{AnyDictionaryArray, Array, ArrayRef, AsArray, StringArray};
use arrow::compute::take;
use arrow::datatypes::Int32Type;
use std::sync::Arc;

/// Lists that a dictionary says once are written in every row; at most about this many bytes.
const MOST_BYTES: u64 = 1 << 30;

/// Doubles hold whole numbers exactly up to here.
const EXACT: u64 = 1 << 53;

/// The lists that the texts of a column are; with `wanted`, as the kind of their members. The column
/// as it is where they are no lists of one kind of members that fit together.
pub(crate) fn listed(
    texts: Finished,
    wanted: Option<Member>,
) -> Result<std::result::Result<Finished, Finished>> {
    let Some(member) = member(&texts.arrays, wanted) else { return Ok(Err(texts)) };
    if bytes(&texts.arrays) > MOST_BYTES {
        return Ok(Err(texts));
    }
    let mut done = Finished::new(Kind::List(member));
    done.notes = texts.notes;
    done.nulls = texts.nulls;
    let mut dictionary: Option<(ArrayRef, ArrayRef)> = None;
    for array in texts.arrays {
        let made = match array.as_dictionary_opt::<Int32Type>() {
            None => built(&array, member)?,
            Some(coded) => {
                // All blocks share one dictionary.
                let lists = match &dictionary {
                    Some((known, lists)) if Arc::ptr_eq(known, coded.values()) => lists.clone(),
                    _ => built(coded.values(), member)?,
                };
                dictionary = Some((coded.values().clone(), lists.clone()));
                take(&lists, coded.keys(), None).map_err(|_| internal("lists of a dictionary"))?
            }
        };
        done.memory += made.get_array_memory_size() as u64;
        done.arrays.push(made);
    }
    Ok(Ok(done))
}

/// The texts of an array, which is of text or a dictionary of it.
fn texts(array: &ArrayRef) -> Option<&StringArray> {
    match array.as_any_dictionary_opt() {
        Some(coded) => coded.values().as_string_opt::<i32>(),
        None => array.as_string_opt::<i32>(),
    }
}

/// Bytes that lists take which a dictionary has, in all rows, at most.
fn bytes(arrays: &[ArrayRef]) -> u64 {
    let of_array = |array: &ArrayRef| -> u64 {
        let coded = array.as_dictionary_opt::<Int32Type>();
        let Some((coded, texts)) = coded.zip(texts(array)) else { return 0 };
        let keys = coded.keys().iter().flatten().filter_map(|key| usize::try_from(key).ok());
        // the members of `[1,2]` take four times as much as they are written
        keys.filter(|key| *key < texts.len()).map(|key| 4 * texts.value(key).len() as u64).sum()
    };
    arrays.iter().map(of_array).sum()
}

/// The kinds that members of lists were written as.
#[derive(Default)]
struct Kinds {
    text: bool,
    truth: bool,
    whole: bool,
    /// Numbers that are no whole ones.
    fraction: bool,
    /// Whole numbers that a double does not hold.
    long: bool,
    /// A list, an object or a number that nothing holds.
    other: bool,
}

/// The kind of all members; `None` where they have none in common, or not `wanted`.
fn member(arrays: &[ArrayRef], wanted: Option<Member>) -> Option<Member> {
    let mut kinds = Kinds::default();
    let mut seen: Option<&ArrayRef> = None;
    for array in arrays {
        let coded = array.as_any_dictionary_opt().map(AnyDictionaryArray::values);
        if let (Some(known), Some(values)) = (seen, coded)
            && Arc::ptr_eq(known, values)
        {
            continue;
        }
        seen = coded;
        for text in texts(array)?.iter().flatten() {
            if !each(text, |value| kinds.add(value)) || kinds.other {
                return None;
            }
        }
    }
    kinds.member(wanted)
}

impl Kinds {
    fn add(&mut self, value: &[u8]) {
        match value.first() {
            Some(b'n') => {}
            Some(b'"') => self.text = true,
            Some(b't' | b'f') => self.truth = true,
            Some(b'-' | b'0'..=b'9') => match number(value) {
                Some(Item::Int(i)) => {
                    self.whole = true;
                    self.long |= i.unsigned_abs() > EXACT;
                }
                Some(_) => self.fraction = true,
                None => self.other = true,
            },
            _ => self.other = true,
        }
    }

    fn member(&self, wanted: Option<Member>) -> Option<Member> {
        let number = self.whole || self.fraction;
        let found = match (self.text, self.truth, number) {
            (true, false, false) => Member::Text,
            (false, true, false) => Member::Bool,
            // whoever wants doubles knows what they hold
            (false, false, true) if wanted == Some(Member::Float) => Member::Float,
            (false, false, true) if !self.fraction => Member::Int,
            (false, false, true) if !self.long => Member::Float,
            (false, false, false) => wanted.unwrap_or(Member::Text),
            _ => return None,
        };
        wanted.is_none_or(|wanted| wanted == found).then_some(found)
    }
}

/// Calls `see` with every member of a list as it is written; whether it was a list.
fn each(text: &str, mut see: impl FnMut(&[u8])) -> bool {
    let text = text.as_bytes().trim_ascii();
    if text.first() != Some(&b'[') || scan::check(text).is_err() {
        return false;
    }
    let mut walk = Walk::new(text);
    walk.take(b'[');
    while walk.peek().is_some_and(|byte| byte != b']') {
        see(walk.value());
        walk.take(b',');
    }
    true
}

/// A number: whole where it is written so and fits 64 bits; none where it is whole and does not, or
/// is larger than any double.
fn number(value: &[u8]) -> Option<Item<'static>> {
    let text = std::str::from_utf8(value).ok()?;
    if text.bytes().all(|b| b.is_ascii_digit() || b == b'-') {
        return text.parse().ok().map(Item::Int);
    }
    text.parse().ok().filter(|x: &f64| x.is_finite()).map(Item::Float)
}

/// The lists of an array of text.
fn built(array: &ArrayRef, member: Member) -> Result<ArrayRef> {
    let texts = array.as_string_opt::<i32>().ok_or_else(|| internal("texts of lists"))?;
    let mut builder = Builder::new(member);
    let (mut scratch, mut broken) = (Vec::new(), 0);
    for text in texts {
        let is_list = text.is_some_and(|text| {
            each(text, |value| match value.first() {
                Some(b'"') => {
                    let read = scan::string(value, &mut scratch, &mut broken);
                    builder.add(std::str::from_utf8(read).map_or(Item::Null, Item::Text));
                }
                Some(b't') => builder.add(Item::Bool(true)),
                Some(b'f') => builder.add(Item::Bool(false)),
                _ => builder.add(number(value).unwrap_or(Item::Null)),
            })
        });
        builder.end(is_list)?;
    }
    builder.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::rows::cell;
    use crate::value::Value;

    /// The lists of texts as JSON, and the kind of their members.
    fn read(texts: &[Option<&str>], wanted: Option<Member>) -> Option<(Member, Vec<String>)> {
        let whole: ArrayRef = Arc::new(texts.iter().copied().collect::<StringArray>());
        let keys = (0..texts.len() as i32).rev().map(Some).collect();
        let coded = arrow::array::DictionaryArray::<Int32Type>::try_new(keys, whole.clone());
        let mut found = Vec::new();
        for array in [whole, Arc::new(coded.unwrap())] {
            let texts = Finished { arrays: vec![array], ..Finished::new(Kind::Text) };
            let Ok(done) = listed(texts, wanted).unwrap() else { return None };
            let Kind::List(member) = done.kind else { panic!("{:?}", done.kind) };
            let [array] = done.arrays.as_slice() else { panic!("one array") };
            let cells = (0..array.len()).map(|row| match cell(array, row) {
                Value::Null => "-".to_owned(),
                value => value.to_string(),
            });
            found.push((member, cells.collect::<Vec<_>>()));
        }
        let backwards: Vec<String> = found.pop().unwrap().1.into_iter().rev().collect();
        assert_eq!(found[0].1, backwards);
        found.pop()
    }

    #[test]
    fn members_of_one_kind_make_lists() {
        use Member::{Bool, Float, Int, Text};
        for (texts, member, lists) in [
            ("[1,-2]|[]|[9223372036854775807]", Int, "[1,-2]|[]|[9223372036854775807]"),
            ("[1,null,2.50]|[1e3]", Float, "[1.0,null,2.5]|[1000.0]"),
            ("[-0.0]", Float, "[0.0]"),
            (r#"["a","\u00e9\"","","null"]"#, Text, r#"["a","é\"","","null"]"#),
            (r#" [ "a" , "b, c" ] "#, Text, r#"["a","b, c"]"#),
            ("[true]|[null,false]", Bool, "[true]|[null,false]"),
            ("[]|[null]", Text, "[]|[null]"),
        ] {
            let texts: Vec<Option<&str>> = texts.split('|').map(Some).chain([None]).collect();
            let lists: Vec<String> = lists.split('|').chain(["-"]).map(str::to_owned).collect();
            assert_eq!(read(&texts, None), Some((member, lists)), "{texts:?}");
        }
    }

    #[test]
    fn all_others_stay_text() {
        for text in [
            "[1,\"a\"]",
            "[1,true]",
            "[[1]]",
            "[{}]",
            "[9223372036854775808]",
            "[1e999]",
            "1",
            "{}",
            "[1",
            "[1,]",
            "",
            "\"[1]\"",
            "[9007199254740993,0.5]",
        ] {
            assert_eq!(read(&[Some("[]"), Some(text)], None), None, "{text}");
        }
    }

    #[test]
    fn members_are_of_the_kind_that_is_wanted() {
        let kinds = |text: &str| {
            let of = |member| read(&[Some(text)], Some(member)).map(|found| found.0);
            Member::ALL.into_iter().filter(|member| of(*member).is_some()).collect::<Vec<_>>()
        };
        assert_eq!(kinds("[]"), Member::ALL);
        assert_eq!(kinds("[1]"), [Member::Int, Member::Float]);
        assert_eq!(kinds("[9007199254740993, 2]"), [Member::Int, Member::Float]);
        assert_eq!(kinds("[1.5]"), [Member::Float]);
        assert_eq!(kinds("[true]"), [Member::Bool]);
        assert_eq!(kinds("[\"1\"]"), [Member::Text]);
    }
}
