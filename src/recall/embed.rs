//! The built-in embedder: words, pairs of words and groups of three letters, hashed into 256
//! dimensions, each weighed by how rare it is in questions. It needs no download and gives the same
//! vector everywhere. It finds re-worded questions; that `staff` are `people` it does not know
//! beyond the phrases of the planner.

use super::idf::weight;
use super::meaning::terms;
use super::record::Embedding;
use std::sync::{Arc, LazyLock};

/// Dimensions of the built-in vectors.
pub const DIMENSIONS: usize = 256;

/// What a group of letters counts beside the word that it is of.
const LETTERS: f32 = 0.35;
/// What a pair of words counts beside the words.
const PAIR: f32 = 0.25;

/// The name of the built-in embedder, with what its vectors depend on: they are made again when
/// the phrases of the planner change.
pub static BUILT_IN: LazyLock<Arc<str>> =
    LazyLock::new(|| format!("built-in-2-{:08x}", crate::planner::phrases_hash()).into());

/// The vector of a question; none where nothing of it can be weighed.
pub fn embed(question: &str) -> Option<Embedding> {
    let mut vector = [0.0_f32; DIMENSIONS];
    let terms = terms(question);
    for (at, term) in terms.iter().enumerate() {
        let own = weight(term);
        add(&mut vector, term, own);
        if let Some(next) = terms.get(at + 1) {
            add(&mut vector, &format!("{term} {next}"), PAIR * (own * weight(next)).sqrt());
        }
        if !term.starts_with(['~', '#']) {
            letters(&mut vector, term, own);
        }
    }
    Embedding::new(Arc::clone(&BUILT_IN), &vector)
}

/// Adds the groups of three letters of a word; together they count as much as [`LETTERS`] of it.
fn letters(vector: &mut [f32; DIMENSIONS], word: &str, own: f32) {
    let chars: Vec<char> = std::iter::once('^').chain(word.chars()).chain(['$']).collect();
    let each = LETTERS * own / (chars.len().saturating_sub(2).max(1) as f32).sqrt();
    for group in chars.windows(3) {
        add(vector, &group.iter().collect::<String>(), each);
    }
}

fn add(vector: &mut [f32; DIMENSIONS], feature: &str, weight: f32) {
    let hash = fnv(feature);
    let sign = if hash & (1 << 32) == 0 { 1.0 } else { -1.0 };
    if let Some(value) = vector.get_mut(hash as usize % DIMENSIONS) {
        *value += sign * weight;
    }
}

/// FNV-1a, mixed so that its low bits depend on every letter.
fn fnv(text: &str) -> u64 {
    let hash = text
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |h, b| (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3));
    (hash ^ (hash >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) ^ (hash >> 32)
}
