//! Cosines of vectors, on every processor the same.

use pinhole::recall::Embedding;

/// Compares the cosines of vectors of many lengths with those that doubles give.
pub fn check() {
    for dimensions in (1..40).chain([255, 256, 257, 1536, 8192]) {
        let vector = |seed: usize| -> Vec<f32> {
            let number = |at: usize| ((at * 7919 + seed * 104_729) % 2003) as f32 - 1001.0;
            (0..dimensions).map(number).collect()
        };
        for (first, second) in [(1, 1), (1, 2), (3, 4)] {
            let (a, b) = (vector(first), vector(second));
            let sum = |a: &[f32], b: &[f32]| -> f64 {
                a.iter().zip(b).map(|(x, y)| f64::from(*x) * f64::from(*y)).sum()
            };
            let expected = sum(&a, &b) / (sum(&a, &a) * sum(&b, &b)).sqrt();
            let made = |vector: &[f32]| Embedding::new("test", vector).expect("a vector");
            let found = made(&a).cosine(&made(&b));
            // Numbers are kept to a thirty-thousandth.
            let off = (dimensions as f64).sqrt() / 30_000.0;
            assert!((found - expected).abs() <= off, "{dimensions}: {found} for {expected}");
        }
    }
}
