//! Wounds: what disks, editors and half-finished copies do to one file.

use crate::stress::dice::Dice;
use std::fmt;

/// One wound. Places are byte offsets or line numbers from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wound {
    Missing,
    Emptied,
    CutAt(usize),
    BitFlipped(usize, u8),
    ByteEdited(usize, u8),
    RowGone(usize),
    RowDoubled(usize),
    RowsSwapped(usize, usize),
    /// One digit of a row became another.
    DigitChanged(usize, u8),
}

/// How many kinds there are.
pub(super) const KINDS: usize = 9;

impl Wound {
    /// A wound of this kind that changes these bytes; `None` if the bytes offer no place for it.
    pub(super) fn draw(kind: usize, dice: &mut Dice, bytes: &[u8]) -> Option<Wound> {
        if bytes.is_empty() {
            return (kind == 0).then_some(Wound::Missing);
        }
        let rows = lines(bytes).len();
        let wound = match kind {
            0 => Wound::Missing,
            1 => Wound::Emptied,
            2 => Wound::CutAt(dice.below(bytes.len())),
            3 => Wound::BitFlipped(dice.below(bytes.len()), dice.below(8) as u8),
            4 => Wound::ByteEdited(dice.below(bytes.len()), *dice.pick(b"0129aeX,.;-\" \n")),
            5 => Wound::RowGone(dice.below(rows)),
            6 => Wound::RowDoubled(dice.below(rows)),
            7 => Wound::RowsSwapped(dice.below(rows), dice.below(rows)),
            _ => {
                let head = lines(bytes)[0].len();
                let digits: Vec<usize> =
                    (head..bytes.len()).filter(|&at| bytes[at].is_ascii_digit()).collect();
                if digits.is_empty() {
                    return None;
                }
                let at = *dice.pick(&digits);
                Wound::DigitChanged(at, b'0' + (bytes[at] - b'0' + 1 + dice.below(9) as u8) % 10)
            }
        };
        Some(wound).filter(|wound| wound.apply(bytes).as_deref() != Some(bytes))
    }

    /// What is left of the bytes; `None` if the file is gone.
    pub(super) fn apply(self, bytes: &[u8]) -> Option<Vec<u8>> {
        let mut rows = lines(bytes);
        let mut edited = bytes.to_vec();
        match self {
            Wound::Missing => return None,
            Wound::Emptied => return Some(Vec::new()),
            Wound::CutAt(at) => edited.truncate(at),
            Wound::BitFlipped(at, bit) => edited[at] ^= 1 << bit,
            Wound::ByteEdited(at, byte) | Wound::DigitChanged(at, byte) => edited[at] = byte,
            Wound::RowGone(row) => {
                rows.remove(row);
                return Some(rows.concat());
            }
            Wound::RowDoubled(row) => {
                rows.insert(row, rows[row]);
                return Some(rows.concat());
            }
            Wound::RowsSwapped(one, two) => {
                rows.swap(one, two);
                return Some(rows.concat());
            }
        }
        Some(edited)
    }

    /// Whether all that it does is to take rows away, as a kill before they were written would have.
    pub(super) fn only_removes(self) -> bool {
        matches!(self, Wound::Missing | Wound::Emptied | Wound::CutAt(_) | Wound::RowGone(_))
    }
}

impl fmt::Display for Wound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Wound::Missing => f.write_str("missing"),
            Wound::Emptied => f.write_str("emptied"),
            Wound::CutAt(at) => write!(f, "cut at byte {at}"),
            Wound::BitFlipped(at, bit) => write!(f, "bit {bit} of byte {at} flipped"),
            Wound::ByteEdited(at, byte) => write!(f, "byte {at} made {:?}", char::from(*byte)),
            Wound::RowGone(row) => write!(f, "line {} gone", row + 1),
            Wound::RowDoubled(row) => write!(f, "line {} doubled", row + 1),
            Wound::RowsSwapped(one, two) => write!(f, "lines {} and {} swapped", one + 1, two + 1),
            Wound::DigitChanged(at, digit) => write!(f, "digit at byte {at} made {}", char::from(*digit)),
        }
    }
}

/// The lines with their ends.
fn lines(bytes: &[u8]) -> Vec<&[u8]> {
    bytes.split_inclusive(|&byte| byte == b'\n').collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &[u8] = b"a,b\n1,2\n3,4\n5,6\n";

    #[test]
    fn every_kind_of_wound_changes_the_file() {
        let mut names = std::collections::BTreeSet::new();
        for number in 0..900 {
            let mut dice = Dice::new(1, "wound", number);
            let Some(wound) = Wound::draw(number as usize % KINDS, &mut dice, FILE) else { continue };
            assert_ne!(wound.apply(FILE).as_deref(), Some(FILE), "{wound}");
            names.insert(wound.to_string().split(' ').next().map(str::to_owned));
        }
        assert!(names.len() >= 7, "{names:?}");
    }

    #[test]
    fn wounds_do_what_they_say() {
        let text = |wound: Wound| wound.apply(FILE).map(|bytes| String::from_utf8(bytes).unwrap());
        assert_eq!(text(Wound::Missing), None);
        assert_eq!(text(Wound::RowGone(1)).unwrap(), "a,b\n3,4\n5,6\n");
        assert_eq!(text(Wound::RowDoubled(3)).unwrap(), "a,b\n1,2\n3,4\n5,6\n5,6\n");
        assert_eq!(text(Wound::RowsSwapped(1, 3)).unwrap(), "a,b\n5,6\n3,4\n1,2\n");
        assert_eq!(text(Wound::CutAt(5)).unwrap(), "a,b\n1");
        assert_eq!(text(Wound::DigitChanged(4, b'7')).unwrap(), "a,b\n7,2\n3,4\n5,6\n");
    }

    #[test]
    fn an_empty_file_can_only_be_lost() {
        let drawn = |kind| Wound::draw(kind, &mut Dice::new(1, "x", 0), b"");
        assert_eq!(drawn(0), Some(Wound::Missing));
        assert!((1..KINDS).all(|kind| drawn(kind).is_none()));
    }
}
