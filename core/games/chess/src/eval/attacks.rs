//! What each side attacks: read once from the pieces, used by every term that asks who guards what.

use cozy_chess::{BitBoard, Piece};

/// Attack sets of one side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attacks {
    /// By kind of man, pawn to king.
    by: [BitBoard; 6],
    /// By anything.
    pub(super) all: BitBoard,
    /// By two men or more; two men of one kind count where they were added one by one.
    pub(super) twice: BitBoard,
}

impl Attacks {
    pub(super) const NONE: Attacks =
        Attacks { by: [BitBoard::EMPTY; 6], all: BitBoard::EMPTY, twice: BitBoard::EMPTY };

    /// Adds the attacks of a man, or of men of one kind.
    #[inline]
    pub(super) fn add(&mut self, piece: Piece, set: BitBoard) {
        self.by[piece as usize] |= set;
        self.twice |= self.all & set;
        self.all |= set;
    }

    /// Attacks by men of one kind.
    #[inline]
    pub(super) fn by(&self, piece: Piece) -> BitBoard {
        self.by[piece as usize]
    }
}
