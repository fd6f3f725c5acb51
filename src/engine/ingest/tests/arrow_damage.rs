//! Arrow IPC that is damaged, or made to do harm: refused, and never the end of the program.

use super::arrow_files::{END, PACKINGS, code, file, keyed, stream, two};
use super::{Options, load_bytes};
use crate::engine::ingest::Format;
use crate::error::{Code, Error};
use arrow::array::{ArrayRef, Int64Array, NullArray, RecordBatch};
use arrow::ipc::CompressionType;
use proptest::prelude::*;
use std::sync::Arc;

#[test]
fn what_is_damaged_is_refused() {
    let stream = stream(&two(18, 9), None);
    let file = file(&two(18, 9), Some(CompressionType::ZSTD));
    assert_eq!(code(&[&stream[..], b"more"].concat()), Code::BrokenFile);
    assert_eq!(code(&[&stream[..], &stream[..]].concat()), Code::BrokenFile);
    assert_eq!(code(b"ARROW2\0\0............"), Code::BrokenFile);
    assert_eq!(code(b"ARROW1\0\0"), Code::BrokenFile);
    assert_eq!(code(END), Code::BrokenFile);
    for cut in [4, 8, 12, 100, 500, file.len() - 7, file.len() - 1] {
        assert_eq!(code(&file[..cut]), Code::BrokenFile, "{cut}");
    }
    for cut in [4, 7, 12, 100, 500, stream.len() - 9] {
        assert_eq!(code(&stream[..cut]), Code::BrokenFile, "{cut}");
    }
    // lengths beyond all bytes
    for length in [[0xff, 0xff, 0xff, 0x7f], [0, 0, 0, 0x80], [0, 0, 0, 0x10]] {
        assert_eq!(code(&[&[0xff; 4][..], &length, b"some bytes"].concat()), Code::BrokenFile);
    }
}

#[test]
fn declared_sizes_are_not_trusted() {
    let zeros: ArrayRef = Arc::new(Int64Array::from(vec![0; 4096]));
    let batch = RecordBatch::try_from_iter([("n", zeros)]).expect("a batch");
    for packing in [CompressionType::LZ4_FRAME, CompressionType::ZSTD] {
        let bytes = stream(std::slice::from_ref(&batch), Some(packing));
        let declared = 32_768u64.to_le_bytes();
        let at = bytes.windows(8).rposition(|w| w == declared).expect("a size");
        for size in [1u64 << 62, 1 << 31, 1 << 24, 32_767, u64::MAX - 5] {
            let mut bytes = bytes.clone();
            bytes[at..at + 8].copy_from_slice(&size.to_le_bytes());
            assert_eq!(code(&bytes), Code::BrokenFile, "{packing:?} {size}");
        }
    }
    let rows =
        RecordBatch::try_from_iter([("none", Arc::new(NullArray::new(1 << 30)) as ArrayRef)]);
    assert_eq!(code(&stream(&[rows.expect("a batch")], None)), Code::BrokenFile);
}

/// Small files of many types in every packing.
fn samples() -> Vec<Vec<u8>> {
    let batches = two(13, 9);
    let all = PACKINGS.iter().flat_map(|p| [stream(&batches, *p), file(&batches, *p)]);
    all.chain([stream(&[keyed(&[Some("a"), None]), keyed(&[Some("b")])], None)]).collect()
}

/// One byte, or several that make the least and greatest of numbers.
fn odd_bytes() -> impl Strategy<Value = Vec<u8>> {
    let several = [i64::MAX, i64::MIN, -1, 0, 1, i64::from(i32::MAX), 1 << 32];
    prop_oneof![
        4 => any::<u8>().prop_map(|byte| vec![byte]),
        1 => any::<u32>().prop_map(|four| four.to_le_bytes().to_vec()),
        1 => prop::sample::select(several.to_vec()).prop_map(|n| n.to_le_bytes().to_vec()),
        1 => prop::sample::select(several.to_vec()).prop_map(|n| (n as i32).to_be_bytes().to_vec()),
    ]
}

fn cases(least: u32) -> ProptestConfig {
    let config = ProptestConfig::default();
    ProptestConfig { cases: config.cases.max(least), ..config }
}

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn damage_is_refused_or_read(
        sample in 0usize..7,
        changes in prop::collection::vec((any::<prop::sample::Index>(), odd_bytes()), 0..4),
        cut in prop::option::weighted(0.2, any::<prop::sample::Index>()),
    ) {
        thread_local! {
            static SAMPLES: Vec<Vec<u8>> = samples();
        }
        let mut bytes = SAMPLES.with(|samples| samples[sample].clone());
        for (place, odd) in changes {
            let place = place.index(bytes.len());
            bytes.iter_mut().skip(place).zip(odd).for_each(|(byte, odd)| *byte = odd);
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        let options = Options { format: Some(Format::Arrow), ..Options::default() };
        match load_bytes(&bytes, &options, 1000) {
            Ok(loaded) => {
                prop_assert!(loaded.table.settle().is_ok());
            }
            Err(e) => prop_assert!(matches!(e, Error::Input(_)), "{e}"),
        }
    }

    #[test]
    fn any_bytes_after_a_mark_are_read_or_refused(
        bytes in prop::collection::vec(any::<u8>(), 0..300),
        file in any::<bool>(),
    ) {
        let start: &[u8] = if file { b"ARROW1\0\0\xff\xff\xff\xff" } else { &[0xff; 4] };
        if let Err(e) = load_bytes(&[start, &[16, 0, 0, 0], &bytes].concat(), &Options::default(), 33) {
            prop_assert!(matches!(e, Error::Input(_)), "{e}");
        }
    }
}
