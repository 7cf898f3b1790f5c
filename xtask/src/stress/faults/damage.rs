//! Damages: what disks, editors and half-finished copies do to one file.

use crate::stress::dice::Dice;
use std::fmt;

/// One damage. Places are byte offsets or line numbers from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Damage {
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

impl Damage {
    /// A damage of this kind that changes these bytes; `None` if the bytes offer no place for it.
    pub(super) fn draw(kind: usize, dice: &mut Dice, bytes: &[u8]) -> Option<Damage> {
        if bytes.is_empty() {
            return (kind == 0).then_some(Damage::Missing);
        }
        let rows = lines(bytes).len();
        let damage = match kind {
            0 => Damage::Missing,
            1 => Damage::Emptied,
            2 => Damage::CutAt(dice.below(bytes.len())),
            3 => Damage::BitFlipped(dice.below(bytes.len()), dice.below(8) as u8),
            4 => Damage::ByteEdited(dice.below(bytes.len()), *dice.pick(b"0129aeX,.;-\" \n")),
            5 => Damage::RowGone(dice.below(rows)),
            6 => Damage::RowDoubled(dice.below(rows)),
            7 => Damage::RowsSwapped(dice.below(rows), dice.below(rows)),
            _ => {
                let head = lines(bytes)[0].len();
                let digits: Vec<usize> =
                    (head..bytes.len()).filter(|&at| bytes[at].is_ascii_digit()).collect();
                if digits.is_empty() {
                    return None;
                }
                let at = *dice.pick(&digits);
                Damage::DigitChanged(at, b'0' + (bytes[at] - b'0' + 1 + dice.below(9) as u8) % 10)
            }
        };
        Some(damage).filter(|damage| damage.apply(bytes).as_deref() != Some(bytes))
    }

    /// What is left of the bytes; `None` if the file is gone.
    pub(super) fn apply(self, bytes: &[u8]) -> Option<Vec<u8>> {
        let mut rows = lines(bytes);
        let mut edited = bytes.to_vec();
        match self {
            Damage::Missing => return None,
            Damage::Emptied => return Some(Vec::new()),
            Damage::CutAt(at) => edited.truncate(at),
            Damage::BitFlipped(at, bit) => edited[at] ^= 1 << bit,
            Damage::ByteEdited(at, byte) | Damage::DigitChanged(at, byte) => edited[at] = byte,
            Damage::RowGone(row) => {
                rows.remove(row);
                return Some(rows.concat());
            }
            Damage::RowDoubled(row) => {
                rows.insert(row, rows[row]);
                return Some(rows.concat());
            }
            Damage::RowsSwapped(one, two) => {
                rows.swap(one, two);
                return Some(rows.concat());
            }
        }
        Some(edited)
    }

    /// Whether all that it does is to take rows away, as a kill before they were written would have.
    pub(super) fn only_removes(self) -> bool {
        matches!(self, Damage::Missing | Damage::Emptied | Damage::CutAt(_) | Damage::RowGone(_))
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Damage::Missing => f.write_str("missing"),
            Damage::Emptied => f.write_str("emptied"),
            Damage::CutAt(at) => write!(f, "cut at byte {at}"),
            Damage::BitFlipped(at, bit) => write!(f, "bit {bit} of byte {at} flipped"),
            Damage::ByteEdited(at, byte) => write!(f, "byte {at} made {:?}", char::from(*byte)),
            Damage::RowGone(row) => write!(f, "line {} gone", row + 1),
            Damage::RowDoubled(row) => write!(f, "line {} doubled", row + 1),
            Damage::RowsSwapped(one, two) => write!(f, "lines {} and {} swapped", one + 1, two + 1),
            Damage::DigitChanged(at, digit) => write!(f, "digit at byte {at} made {}", char::from(*digit)),
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
    fn every_kind_of_damage_changes_the_file() {
        let mut names = std::collections::BTreeSet::new();
        for number in 0..900 {
            let mut dice = Dice::new(1, "damage", number);
            let Some(damage) = Damage::draw(number as usize % KINDS, &mut dice, FILE) else { continue };
            assert_ne!(damage.apply(FILE).as_deref(), Some(FILE), "{damage}");
            names.insert(damage.to_string().split(' ').next().map(str::to_owned));
        }
        assert!(names.len() >= 7, "{names:?}");
    }

    #[test]
    fn damages_do_what_they_say() {
        let text = |damage: Damage| damage.apply(FILE).map(|bytes| String::from_utf8(bytes).unwrap());
        assert_eq!(text(Damage::Missing), None);
        assert_eq!(text(Damage::RowGone(1)).unwrap(), "a,b\n3,4\n5,6\n");
        assert_eq!(text(Damage::RowDoubled(3)).unwrap(), "a,b\n1,2\n3,4\n5,6\n5,6\n");
        assert_eq!(text(Damage::RowsSwapped(1, 3)).unwrap(), "a,b\n5,6\n3,4\n1,2\n");
        assert_eq!(text(Damage::CutAt(5)).unwrap(), "a,b\n1");
        assert_eq!(text(Damage::DigitChanged(4, b'7')).unwrap(), "a,b\n7,2\n3,4\n5,6\n");
    }

    #[test]
    fn an_empty_file_can_only_be_lost() {
        let drawn = |kind| Damage::draw(kind, &mut Dice::new(1, "x", 0), b"");
        assert_eq!(drawn(0), Some(Damage::Missing));
        assert!((1..KINDS).all(|kind| drawn(kind).is_none()));
    }
}
