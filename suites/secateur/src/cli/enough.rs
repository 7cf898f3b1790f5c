//! Which matches need more games, for those who play them.

use secateur_arena::play::{GameRow, Judge};
use secateur_stats::decisions::OpenMatches;

/// Matches as the statistics hear them.
pub struct Enough<'m>(pub OpenMatches<'m>);

impl Judge for Enough<'_> {
    fn hear(&mut self, place: usize, pair: &[GameRow]) {
        self.0.hear(place, pair);
    }

    fn are_open(&mut self) -> Vec<bool> {
        self.0.are_open()
    }
}
