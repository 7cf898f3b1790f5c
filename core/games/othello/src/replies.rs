//! What the moves of a board turn, and the replies that they leave: for one move after the other, so that the discs stay in vector registers.

use super::board::Board;
use super::flips::{bit, turned};
use super::four::Four;
use super::mobility::reached;

/// A board whose moves are looked at.
#[derive(Clone, Copy)]
pub(super) struct Looked {
    ours: Four,
    theirs: Four,
    empty: u64,
}

impl Looked {
    #[inline(always)]
    pub(super) fn new(board: Board) -> Looked {
        let [ours, theirs] = [board.player, board.opponent].map(Four::splat);
        Looked { ours, theirs, empty: board.empty() }
    }

    /// The discs that a legal move to the square of this index (0..=63) turns, and where the other side may then play.
    #[inline(always)]
    pub(super) fn after(self, square: usize) -> (u64, u64) {
        let Looked { ours, theirs, empty } = self;
        let word = turned(square, ours, theirs);
        let (all, placed) = (Four::of(word), bit(square));
        let replies = reached(theirs ^ all, ours | all | Four::splat(placed)).union() & (empty ^ placed);
        (word.bits(), replies)
    }
}

#[cfg(test)]
mod tests {
    use super::super::board::squares;
    use super::super::board::tests::random_boards;
    use super::*;

    #[test]
    fn a_look_tells_what_playing_the_move_does() {
        for board in random_boards(2_000) {
            for square in squares(board.moves()) {
                let turned = board.flips(square);
                let expected = (turned, board.after(square, turned).moves());
                assert_eq!(Looked::new(board).after(square.index()), expected, "{board:?} {square}");
            }
        }
    }
}
