//! The squares of a set one by one, without the question whether there are more than 64 of them.

use cozy_chess::{BitBoard, Square};

/// The squares of a set, A1 first.
#[inline(always)]
pub(super) fn squares(set: BitBoard) -> impl Iterator<Item = Square> {
    let mut rest = set.0;
    std::iter::from_fn(move || {
        let index = rest.trailing_zeros() as usize;
        (rest != 0).then(|| {
            rest &= rest - 1;
            Square::index_const(index & 63)
        })
    })
}
