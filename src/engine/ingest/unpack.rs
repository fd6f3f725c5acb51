//! Compressed files: gzip and zstd are unpacked as they come, everything else passes through.

use super::internal;
use crate::error::{Code, Diagnostic, Error, Result};
use flate2::write::MultiGzDecoder;
use std::io::Write;
use zstd::stream::write::Decoder as ZstdDecoder;

/// Packed bytes that are unpacked at once: 16 KiB make at most some 16 MiB in gzip.
const PIECE: usize = 16 << 10;
/// Bytes that tell the packing.
const MAGIC: usize = 4;

/// Unpacks a file that comes in pieces.
#[derive(Default)]
pub(super) struct Unpack {
    /// The first bytes, while they are too few.
    head: Vec<u8>,
    state: State,
}

#[derive(Default)]
enum State {
    #[default]
    Unknown,
    Plain,
    Gzip(MultiGzDecoder<Vec<u8>>),
    Zstd(Box<ZstdDecoder<'static, Vec<u8>>>),
}

/// Takes unpacked bytes.
pub(super) type Sink<'a> = dyn FnMut(&[u8]) -> Result<()> + 'a;

impl Unpack {
    /// The packing's name in the report; none where the file is not packed.
    pub(super) fn name(&self) -> Option<&'static str> {
        match self.state {
            State::Unknown | State::Plain => None,
            State::Gzip(_) => Some("gzip"),
            State::Zstd(_) => Some("zstd"),
        }
    }

    /// Takes the next bytes of the file, cut anywhere.
    pub(super) fn push(&mut self, bytes: &[u8], sink: &mut Sink) -> Result<()> {
        if !matches!(self.state, State::Unknown) {
            return self.run(bytes, sink);
        }
        self.head.extend_from_slice(bytes);
        if self.head.len() < MAGIC { Ok(()) } else { self.start(sink) }
    }

    /// The end of the file.
    pub(super) fn finish(&mut self, sink: &mut Sink) -> Result<()> {
        if matches!(self.state, State::Unknown) {
            self.start(sink)?;
        }
        match &mut self.state {
            State::Unknown | State::Plain => Ok(()),
            State::Gzip(decoder) => {
                decoder.try_finish().map_err(|_| broken("gzip"))?;
                hand(decoder.get_mut(), sink)
            }
            State::Zstd(decoder) => {
                decoder.flush().map_err(|_| broken("zstd"))?;
                hand(decoder.get_mut(), sink)
            }
        }
    }

    fn start(&mut self, sink: &mut Sink) -> Result<()> {
        let head = std::mem::take(&mut self.head);
        self.state = match head.get(..MAGIC).unwrap_or(&head) {
            [0x1f, 0x8b, ..] => State::Gzip(MultiGzDecoder::new(Vec::new())),
            [0x28, 0xb5, 0x2f, 0xfd] => {
                let decoder = ZstdDecoder::new(Vec::new());
                State::Zstd(Box::new(decoder.map_err(|_| internal("a zstd decoder"))?))
            }
            _ => State::Plain,
        };
        self.run(&head, sink)
    }

    fn run(&mut self, bytes: &[u8], sink: &mut Sink) -> Result<()> {
        match &mut self.state {
            State::Unknown | State::Plain => sink(bytes),
            State::Gzip(decoder) => bytes.chunks(PIECE).try_for_each(|piece| {
                decoder.write_all(piece).map_err(|_| broken("gzip"))?;
                hand(decoder.get_mut(), sink)
            }),
            State::Zstd(decoder) => bytes.chunks(PIECE).try_for_each(|piece| {
                decoder.write_all(piece).map_err(|_| broken("zstd"))?;
                hand(decoder.get_mut(), sink)
            }),
        }
    }
}

/// Hands what is unpacked on.
fn hand(unpacked: &mut Vec<u8>, sink: &mut Sink) -> Result<()> {
    let done = sink(unpacked);
    unpacked.clear();
    done
}

fn broken(packing: &str) -> Error {
    Diagnostic::new(
        Code::BrokenFile,
        text!(
            "the {packing} data is damaged or ends too early",
            "данные {packing} повреждены или обрываются"
        ),
    )
    .into()
}
