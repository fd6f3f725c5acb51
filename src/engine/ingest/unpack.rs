//! Compressed files: gzip and zstd are unpacked as they come, everything else passes through.

use super::internal;
use crate::error::{Code, Diagnostic, Error, Result};
use flate2::write::MultiGzDecoder;
use std::io::Write;
use zstd::stream::raw::{Decoder as ZstdDecoder, InBuffer, Operation, OutBuffer};

/// Packed bytes that are unpacked at once: 16 KiB make at most some 16 MiB in gzip.
const PIECE: usize = 16 << 10;
/// Unpacked bytes that zstd hands over at once: a few bytes of it may stand for any number.
const UNPACKED: usize = 128 << 10;
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
    Gzip(Box<MultiGzDecoder<Vec<u8>>>),
    Zstd(Box<Zstd>),
}

/// Frames of zstd, one after another.
struct Zstd {
    /// Takes windows of at most 128 MiB; frames that declare larger ones are an error, and the
    /// size that a frame declares for its content is never allocated.
    decoder: ZstdDecoder<'static>,
    unpacked: Vec<u8>,
    /// A frame has begun and not ended.
    open: bool,
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
            State::Gzip(decoder) => {
                decoder.try_finish().map_err(|_| broken("gzip"))?;
                hand(decoder.get_mut(), sink)
            }
            State::Zstd(zstd) if zstd.open => Err(broken("zstd")),
            State::Unknown | State::Plain | State::Zstd(_) => Ok(()),
        }
    }

    fn start(&mut self, sink: &mut Sink) -> Result<()> {
        let head = std::mem::take(&mut self.head);
        self.state = match head.get(..MAGIC).unwrap_or(&head) {
            [0x1f, 0x8b, ..] => State::Gzip(Box::new(MultiGzDecoder::new(Vec::new()))),
            // a frame, or one to be passed over, which some writers put in front
            [0x28, 0xb5, 0x2f, 0xfd] | [0x50..=0x5f, 0x2a, 0x4d, 0x18] => {
                let decoder = ZstdDecoder::new().map_err(|_| internal("a zstd decoder"))?;
                let unpacked = vec![0; UNPACKED];
                State::Zstd(Box::new(Zstd { decoder, unpacked, open: false }))
            }
            [0x28, 0xb5] | [0x28, 0xb5, 0x2f] => return Err(broken("zstd")),
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
            State::Zstd(zstd) => zstd.push(bytes, sink),
        }
    }
}

impl Zstd {
    fn push(&mut self, bytes: &[u8], sink: &mut Sink) -> Result<()> {
        let mut packed = InBuffer::around(bytes);
        let mut full = false;
        while packed.pos() < bytes.len() || full {
            let mut out = OutBuffer::around(self.unpacked.as_mut_slice());
            let wanted = self.decoder.run(&mut packed, &mut out).map_err(|_| broken("zstd"))?;
            let written = out.pos();
            self.open = wanted > 0;
            full = self.open && written == UNPACKED;
            sink(self.unpacked.get(..written).unwrap_or_default())?;
        }
        Ok(())
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

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bytes).expect("memory");
        encoder.finish().expect("memory")
    }

    fn zstd(bytes: &[u8]) -> Vec<u8> {
        ::zstd::encode_all(bytes, 3).expect("memory")
    }

    /// What comes out of `bytes` in pieces of `step`, and the largest piece of it.
    fn unpack(bytes: &[u8], step: usize) -> Result<(Vec<u8>, usize)> {
        let mut unpack = Unpack::default();
        let (mut out, mut largest) = (Vec::new(), 0);
        let mut sink = |piece: &[u8]| {
            out.extend_from_slice(piece);
            largest = largest.max(piece.len());
            Ok(())
        };
        for piece in bytes.chunks(step.max(1)) {
            unpack.push(piece, &mut sink)?;
        }
        unpack.finish(&mut sink)?;
        Ok((out, largest))
    }

    fn text() -> Vec<u8> {
        (0..2000u32)
            .flat_map(|i| format!("{i},{}\n", i.wrapping_mul(2_654_435_761)).into_bytes())
            .collect()
    }

    #[test]
    fn pieces_do_not_matter() {
        let text = text();
        let members = [gzip(&text), gzip(b""), gzip(b"more\n")].concat();
        let skippable = b"\x50\x2a\x4d\x18\x03\0\0\0abc";
        let frames = [skippable.to_vec(), zstd(&text), zstd(b""), zstd(b"more\n")].concat();
        let whole = [text.as_slice(), b"more\n"].concat();
        for packed in [members, frames] {
            for step in [1, 7, 4096, usize::MAX] {
                assert_eq!(unpack(&packed, step).map(|u| u.0), Ok(whole.clone()));
            }
        }
        for plain in [&b""[..], b"a", b"(", b"abc", b"a,b\n"] {
            assert_eq!(unpack(plain, 1).map(|u| u.0), Ok(plain.to_vec()));
        }
    }

    #[test]
    fn a_cut_at_any_byte_is_told() {
        let text = text();
        for (name, packed) in [("gzip", gzip(&text)), ("zstd", zstd(&text))] {
            for end in 2..packed.len() {
                let cut = packed.get(..end).unwrap_or_default();
                for step in [1000, usize::MAX] {
                    assert_eq!(
                        unpack(cut, step).map(|u| u.1),
                        Err(broken(name)),
                        "{name} cut at {end}"
                    );
                }
            }
        }
    }

    #[test]
    fn what_follows_the_last_member_is_told() {
        for tail in [&b"\x1f"[..], b"x", b"\0\0\0\0", b"\x28\xb5", b"a,b\n1,2\n"] {
            for (name, packed) in [("gzip", gzip(&text())), ("zstd", zstd(&text()))] {
                for step in [1, usize::MAX] {
                    let bytes = [packed.as_slice(), tail].concat();
                    assert_eq!(
                        unpack(&bytes, step).map(|u| u.1),
                        Err(broken(name)),
                        "{name} before {tail:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn damage_is_told() {
        let mut checked = ::zstd::Encoder::new(Vec::new(), 3).expect("memory");
        checked.include_checksum(true).expect("a parameter");
        checked.write_all(&text()).expect("memory");
        let checked = checked.finish().expect("memory");
        for (name, mut packed) in [("gzip", gzip(&text())), ("zstd", checked)] {
            let middle = packed.len() / 2;
            for byte in packed.iter_mut().skip(middle).take(64) {
                *byte ^= 0x55;
            }
            assert_eq!(unpack(&packed, 999).map(|u| u.1), Err(broken(name)));
        }
    }

    #[test]
    fn what_a_frame_declares_is_not_allocated() {
        // content of 2^62 bytes in a window of 128 MiB, then of 2^41 bytes
        let declared = |window: u8| {
            let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0b1100_0000, window];
            frame.extend((1u64 << 62).to_le_bytes());
            frame
        };
        assert_eq!(unpack(&declared(0b1000_1000), 5), Err(broken("zstd")));
        assert_eq!(unpack(&declared(0b1111_1000), 5), Err(broken("zstd")));
        // one window as large as the content
        let mut single = vec![0x28, 0xb5, 0x2f, 0xfd, 0b1110_0000];
        single.extend((1u64 << 40).to_le_bytes());
        assert_eq!(unpack(&single, 5), Err(broken("zstd")));
    }

    #[test]
    fn a_bomb_comes_out_in_bounded_pieces() {
        let zeros = vec![0; 100 << 20];
        let packed = zstd(&zeros);
        assert!(packed.len() < PIECE, "{}", packed.len());
        let (out, largest) = unpack(&packed, usize::MAX).expect("sound");
        assert_eq!((out.len(), largest), (zeros.len(), UNPACKED));
        let packed = gzip(&zeros);
        let (out, largest) = unpack(&packed, usize::MAX).expect("sound");
        assert_eq!(out.len(), zeros.len());
        assert!(largest < 20 << 20, "{largest}");
    }
}
