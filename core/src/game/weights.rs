//! Weight files of evaluations: four bytes that name the game and the version of the layout, then the numbers, compressed. What they
//! mean is each game's own.
//!
//! Small numbers of either sign are written as small ones without, all low bytes before all high ones: that compresses well.

use miniz_oxide::{deflate::compress_to_vec, inflate::decompress_to_vec_with_limit};
use secateur_base::Fnv;

/// Why bytes are no weight file, or numbers no weights.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WeightsError {
    /// The first bytes are not those of a weight file of this game and layout.
    #[error("not a weight file of {game}, layout {layout}")]
    Foreign {
        /// The game.
        game: &'static str,
        /// The version of its layout.
        layout: u8,
    },
    /// The rest does not unpack.
    #[error("the weight file is damaged: {0}")]
    Damaged(String),
    /// There are more or fewer weights than the evaluation has.
    #[error("found {count} weights, expected {expected}")]
    Length {
        /// Weights found.
        count: usize,
        /// Weights of the evaluation.
        expected: usize,
    },
    /// A weight is too large.
    #[error("a weight is {weight}, expected at most {most} either way")]
    Large {
        /// The weight.
        weight: i16,
        /// The largest.
        most: i16,
    },
}

/// The layout of a game's weight files.
#[derive(Clone, Copy, Debug)]
pub struct WeightFile {
    /// The game, as errors name it.
    pub game: &'static str,
    /// The first bytes; the last of them is the version of the layout.
    pub magic: [u8; 4],
}

impl WeightFile {
    /// The `count` numbers of a file.
    ///
    /// # Errors
    /// If the bytes are no such file, are damaged, or hold another number of weights.
    pub fn read(&self, bytes: &[u8], count: usize) -> Result<Vec<i16>, WeightsError> {
        let foreign = WeightsError::Foreign { game: self.game, layout: self.magic[3] };
        let packed = bytes.strip_prefix(&self.magic).ok_or(foreign)?;
        let planes = decompress_to_vec_with_limit(packed, 2 * count + 1)
            .map_err(|error| WeightsError::Damaged(error.to_string()))?;
        if planes.len() != 2 * count {
            return Err(WeightsError::Length { count: planes.len() / 2, expected: count });
        }
        let (low, high) = planes.split_at(count);
        Ok(low.iter().zip(high).map(|(&low, &high)| unfold(u16::from_le_bytes([low, high]))).collect())
    }

    /// A file with these numbers.
    pub fn write(&self, weights: impl Iterator<Item = i16> + Clone) -> Vec<u8> {
        let byte = |at: usize| weights.clone().map(move |weight| fold(weight).to_le_bytes()[at]);
        let planes: Vec<u8> = byte(0).chain(byte(1)).collect();
        [&self.magic[..], &compress_to_vec(&planes, 9)].concat()
    }
}

/// What tells weights apart: FNV-1a of the numbers, low bytes first.
pub fn weights_id(weights: impl Iterator<Item = i16>) -> u64 {
    let mut hash = Fnv::default();
    weights.for_each(|weight| _ = hash.bytes(&weight.to_le_bytes()));
    hash.value()
}

fn fold(weight: i16) -> u16 {
    ((weight << 1) ^ (weight >> 15)) as u16
}

fn unfold(folded: u16) -> i16 {
    (folded >> 1) as i16 ^ -((folded & 1) as i16)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: WeightFile = WeightFile { game: "nim", magic: *b"nim\x02" };

    #[test]
    fn what_is_written_is_read_and_what_is_damaged_is_refused() {
        let weights = [0, 1, -1, 300, i16::MAX, i16::MIN];
        let bytes = FILE.write(weights.into_iter());
        assert_eq!(FILE.read(&bytes, weights.len()).as_deref(), Ok(&weights[..]));
        let foreign = WeightsError::Foreign { game: "nim", layout: 2 };
        assert_eq!(FILE.read(b"GIF89a", weights.len()), Err(foreign));
        assert!(matches!(FILE.read(&bytes[..bytes.len() - 3], weights.len()), Err(WeightsError::Damaged(_))));
        assert_eq!(FILE.read(&bytes, 7), Err(WeightsError::Length { count: 6, expected: 7 }));
    }
}
