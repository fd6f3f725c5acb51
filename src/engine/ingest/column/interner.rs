//! The distinct texts of a column and their numbers, given out in order of appearance.

/// The most distinct values a dictionary has.
pub(crate) const MOST: usize = 1 << 16;
/// How many slots are looked at before a table counts as too crowded.
const PROBES: usize = 256;

/// Bits for a number from 1 to [`MOST`].
const NUMBER_BITS: u32 = 17;
const NUMBER: u32 = (1 << NUMBER_BITS) - 1;

/// A set of texts with numbers from 0 on.
#[derive(Debug, Default)]
pub(crate) struct Interner {
    text: Vec<u8>,
    ends: Vec<u32>,
    /// Number plus one in the lower [`NUMBER_BITS`] bits, the rest of the hash above them; 0 is
    /// free. The length is a power of two.
    slots: Vec<u32>,
    last: u32,
}

impl Interner {
    /// How many texts it has.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Bytes in memory.
    pub(crate) fn held(&self) -> usize {
        let numbers = self.ends.capacity() + self.slots.capacity();
        self.text.capacity() + numbers * size_of::<u32>()
    }

    /// The text with a number; empty where there is none.
    pub(crate) fn get(&self, number: usize) -> &[u8] {
        let start = match number.checked_sub(1) {
            Some(before) => self.ends.get(before).copied().unwrap_or_default(),
            None => 0,
        };
        let end = self.ends.get(number).copied().unwrap_or(start);
        self.text.get(start as usize..end as usize).unwrap_or_default()
    }

    /// All texts, by number.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.len()).map(|n| self.get(n))
    }

    /// The number of `text`, a new one if it is new; `None` when there would be too many.
    #[inline]
    pub(crate) fn intern(&mut self, text: &[u8]) -> Option<i32> {
        if !self.ends.is_empty() && same(self.get(self.last as usize), text) {
            return Some(self.last as i32);
        }
        if self.slots.len() < self.len() * 2 + 16 {
            self.grow();
        }
        let hash = hash(text);
        let tag = tag(hash);
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        for _ in 0..PROBES {
            let slot = *self.slots.get(at)?;
            if slot == 0 {
                return self.add(text, at, tag);
            }
            if slot & !NUMBER == tag {
                let number = (slot & NUMBER) - 1;
                if same(self.get(number as usize), text) {
                    self.last = number;
                    return Some(number as i32);
                }
            }
            at = (at + 1) & mask;
        }
        None
    }

    #[cold]
    fn add(&mut self, text: &[u8], slot: usize, tag: u32) -> Option<i32> {
        let end = u32::try_from(self.text.len() + text.len()).ok()?;
        if self.len() >= MOST || end > i32::MAX as u32 {
            return None;
        }
        let number = self.len() as u32;
        self.text.extend_from_slice(text);
        self.ends.push(end);
        *self.slots.get_mut(slot)? = (number + 1) | tag;
        self.last = number;
        Some(number as i32)
    }

    #[cold]
    fn grow(&mut self) {
        let size = (self.slots.len() * 2).max(64);
        let mut slots = vec![0; size];
        for number in 0..self.len() {
            let hash = hash(self.get(number));
            let mut at = hash as usize & (size - 1);
            while slots.get(at).is_some_and(|slot| *slot != 0) {
                at = (at + 1) & (size - 1);
            }
            if let Some(slot) = slots.get_mut(at) {
                *slot = (number as u32 + 1) | tag(hash);
            }
        }
        self.slots = slots;
    }
}

/// The bits of a hash that are kept beside a number.
fn tag(hash: u64) -> u32 {
    (hash >> 32) as u32 & !NUMBER
}

/// A quick hash of short texts: eight bytes at a time, in words of 64 bits, since WebAssembly has no
/// product of 128.
#[inline]
fn hash(text: &[u8]) -> u64 {
    const K: u64 = 0x9e37_79b9_7f4a_7c15;
    let fold = |x: u64| {
        // by 29, not 32: the halves of a short text may be alike, and would take each other away
        let product = (x ^ (x >> 29)).wrapping_mul(K);
        product ^ (product >> 32)
    };
    let start = K ^ text.len() as u64;
    let (words, _) = text.as_chunks::<8>();
    if let Some(last) = text.last_chunk::<8>() {
        // the last eight bytes may overlap those before
        let all = words.iter().fold(start, |h, word| fold(h ^ u64::from_le_bytes(*word)));
        return fold(all ^ u64::from_le_bytes(*last));
    }
    fold(start ^ short(text))
}

/// Up to seven bytes as one number; different for texts of one length that differ.
#[inline]
fn short(text: &[u8]) -> u64 {
    if let (Some(a), Some(b)) = (text.first_chunk::<4>(), text.last_chunk::<4>()) {
        return u64::from(u32::from_le_bytes(*a)) << 32 | u64::from(u32::from_le_bytes(*b));
    }
    text.iter().fold(0, |n, b| n << 8 | u64::from(*b))
}

/// Equality without a call for texts of up to sixteen bytes.
#[inline]
fn same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    match (a.first_chunk::<8>(), b.first_chunk::<8>()) {
        (Some(x), Some(y)) if a.len() <= 16 => x == y && a.last_chunk::<8>() == b.last_chunk::<8>(),
        (Some(_), _) => a == b,
        _ => short(a) == short(b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_order_of_appearance() {
        let mut interner = Interner::default();
        for (text, number) in [("b", 0), ("a", 1), ("b", 0), ("", 2), ("a", 1), ("a", 1), ("", 2)] {
            assert_eq!(interner.intern(text.as_bytes()), Some(number), "{text}");
        }
        assert_eq!(interner.iter().collect::<Vec<_>>(), [&b"b"[..], b"a", b""]);
    }

    #[test]
    fn tells_all_lengths_apart() {
        let text = "abcdefghijklmnopqrstuvwxyz";
        let mut interner = Interner::default();
        let mut number = 0;
        for length in 0..=text.len() {
            let original = text.get(..length).unwrap_or_default();
            assert_eq!(interner.intern(original.as_bytes()), Some(number), "{original}");
            number += 1;
            for changed in 0..length {
                let mut other = original.as_bytes().to_vec();
                other.iter_mut().skip(changed).take(1).for_each(|b| *b = b'X');
                assert_eq!(interner.intern(&other), Some(number), "{changed} of {original}");
                number += 1;
            }
        }
    }

    #[test]
    fn texts_of_one_make_do_not_crowd() {
        let letters: Vec<char> = ('A'..='Z').collect();
        let pairs = || letters.iter().flat_map(|a| letters.iter().map(move |b| format!("{a}{b}")));
        let makes: [Vec<String>; 6] = [
            (0..10_000).map(|i| format!("{i:04}")).collect(),
            (0..10_000).map(|i| format!("{i:04}{i:04}")).collect(),
            (0..10_000).map(|i| format!("{i:08}")).collect(),
            pairs().map(|pair| format!("ED{pair}")).collect(),
            pairs().flat_map(|pair| (0..90).map(move |i| format!("{pair}{i:02}"))).collect(),
            (0..60_000).map(|i| format!("{i:04x}")).collect(),
        ];
        for texts in makes {
            let mut interner = Interner::default();
            for (number, text) in texts.iter().enumerate() {
                assert_eq!(interner.intern(text.as_bytes()), Some(number as i32), "{text}");
            }
        }
    }

    #[test]
    fn has_a_limit() {
        let mut interner = Interner::default();
        for i in 0..MOST {
            assert_eq!(interner.intern(format!("value {i}").as_bytes()), Some(i as i32));
        }
        assert_eq!(interner.intern(b"one more"), None);
        assert_eq!(interner.intern(b"value 77"), Some(77));
        assert_eq!(interner.get(77), b"value 77");
        assert_eq!(interner.len(), MOST);
    }
}
