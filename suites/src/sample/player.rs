//! A shallow searcher that plays both sides of sampled games: the host, by default without any pruning method.

use super::dice::Dice;
use secateur_core::prune::Methods;
use secateur_core::search::{Budget, Options, Searcher};
use secateur_core::{Game, Moves, Score};

/// Plays one game at a time; owns a search and its small table.
pub struct Player<'p, G: Game> {
    search: Searcher<'p, G>,
}

impl<'p, G: Game> Player<'p, G> {
    /// A player without any method, with a table of 1 MiB.
    #[must_use]
    pub fn new(game: &G) -> Self {
        Player::with(game, Methods::NONE, Options { table_mib: 1, ..Options::default() })
    }

    /// A player that prunes.
    #[must_use]
    pub fn with(game: &G, methods: &'p Methods, options: Options) -> Self {
        Player { search: game.clone().searcher(methods, options) }
    }

    /// The game that it plays.
    #[must_use]
    pub fn game(&self) -> &G {
        self.search.game()
    }

    /// The legal moves in the game's order.
    #[must_use]
    pub fn moves(&self, pos: &G::Position) -> Vec<G::Move> {
        let mut moves = Moves::<G>::new();
        self.game().moves(pos, &mut moves);
        moves.iter().map(|scored| scored.mv).collect()
    }

    /// Best move and its value; `None` at the end of a game.
    pub fn best(&mut self, pos: &G::Position, budget: &Budget) -> Option<(G::Move, Score)> {
        let outcome = self.search.run(pos, budget);
        let last = outcome.last();
        Some((last.best_move()?, last.score))
    }

    /// Every move with its value, searched `depth` plies deep (the move itself is one of them).
    fn values(&mut self, pos: &G::Position, depth: i32) -> Vec<(G::Move, Score)> {
        let moves = self.moves(pos);
        let mut value = |mv: G::Move| {
            let child = self.game().play(pos, mv);
            let over = self.moves(&child).is_empty() && !self.game().awaits(&child);
            let score = if over {
                -self.game().outcome(&child, 1)
            } else {
                -self.search.run(&child, &Budget::Depth((depth - 1).max(1))).last().score
            };
            (mv, score)
        };
        moves.into_iter().map(&mut value).collect()
    }

    /// One of the moves whose value is within `margin` of the best, each as likely. `depth` of at least 2.
    pub fn near_best(
        &mut self,
        pos: &G::Position,
        depth: i32,
        margin: i32,
        dice: &mut Dice,
    ) -> Option<G::Move> {
        let values = self.values(pos, depth);
        let best = values.iter().map(|&(_, score)| score).max()?;
        let near: Vec<G::Move> =
            values.iter().filter(|&&(_, score)| score.0 >= best.0 - margin).map(|&(mv, _)| mv).collect();
        dice.pick(&near)
    }
}

#[cfg(test)]
mod tests {
    use super::super::dice::Family;
    use super::*;
    use secateur_core::{Notation, Rules};
    use secateur_games::othello::Othello;
    use std::collections::BTreeSet;

    /// With no margin the move is a best one; with a huge one every move comes up.
    #[test]
    fn the_margin_is_kept() {
        let game = Othello::default();
        let mut player = Player::new(&game);
        let mut dice = Dice::new(3, Family::Test, 0);
        let mut pos = game.start();
        for _ in 0..7 {
            let moves = player.moves(&pos);
            let strict = player.near_best(&pos, 3, 0, &mut dice).unwrap();
            let (_, value) = player.best(&pos, &Budget::Depth(3)).unwrap();
            let reply = player.best(&game.play(&pos, strict), &Budget::Depth(2)).unwrap();
            assert_eq!(-reply.1, value);
            pos = game.play(&pos, moves[moves.len() / 2]);
        }
        let all: BTreeSet<String> = (0..200)
            .filter_map(|_| player.near_best(&pos, 2, 20_000, &mut dice))
            .map(|mv| game.format_move(&pos, mv))
            .collect();
        assert_eq!(all.len(), player.moves(&pos).len());
    }
}
