//! Positions that training never learns from, told by the position itself: all with 12 discs, and one in eight
//! of the others.
//!
//! Position sets are sampled with the evaluation that training makes, so training cannot be told which positions
//! will test it. Instead both obey one rule: training leaves the reserved positions out, and the sampler takes
//! none but reserved ones. Good openings are few, so the disc count at which they end is reserved whole. It
//! leaves out the nodes that searches of those positions meet: any search shares
//! nodes with any game.

use secateur_games::othello::Board;

/// One position in this many is reserved.
pub const SHARE: u64 = 8;
/// Every position with this many discs is reserved.
pub const OPENING_DISCS: u32 = 12;

/// Whether a position, seen by the side to move, is kept for tests and fits. Its mirror images are then, too.
#[must_use]
pub fn reserved(board: Board) -> bool {
    if board.discs() == OPENING_DISCS {
        return true;
    }
    let (player, opponent) = canonical(board);
    let mixed = (player ^ opponent.rotate_left(29).wrapping_mul(0x9E37_79B9_7F4A_7C15))
        .wrapping_mul(0xD6E8_FEB8_6659_FD93);
    (mixed >> 40) % SHARE == 0
}

/// The least of the eight symmetric boards.
pub fn canonical(board: Board) -> (u64, u64) {
    let images = (0..8).map(|symmetry| board.transformed(symmetry));
    images.map(|image| (image.player, image.opponent)).min().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_core::Notation;
    use secateur_games::othello::Othello;
    use secateur_positions::builtins;

    #[test]
    fn every_sampled_position_is_reserved() {
        let game = Othello::default();
        let mut sets = 0;
        for set in builtins(&game).unwrap().iter().filter(|set| set.provenance.seed.is_some()) {
            sets += 1;
            for entry in &set.entries {
                let position = game.parse(&entry.position).unwrap();
                assert!(reserved(position.board()), "{} was open to training", entry.id);
            }
        }
        assert_eq!(sets, 6);
    }
}
