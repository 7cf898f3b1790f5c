//! Exact ends: the search of a game that has one of its own for them, next to the host.
//!
//! Othello has one. Its results are those of a search that prunes nothing, and it reads no clock. Left out: a way to interrupt it,
//! so that whoever asks waits for the answer.

use crate::subject::{Found, Step, Subject, Task};
use secateur_core::{AnyGame, AnyPosition, Game, Notation, Rules};
use secateur_games::othello::Othello;
use secateur_games::othello::endgame::{Discs, Solver};

/// The end of a game under best play.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct End {
    /// Value for the side to move, score units.
    pub value: i32,
    /// Best play to the end, as records write moves; never empty in a game that is not over.
    pub line: Vec<String>,
    /// Nodes.
    pub nodes: u64,
}

/// Whoever finds exact ends of a game. What it finds does not depend on what it found before.
pub struct Ends(Solver);

impl Ends {
    /// The search for exact ends of a game, with a table of so many MiB; `None` of a game that has none but the host.
    pub fn of(game: &AnyGame, table_mib: usize) -> Option<Ends> {
        (game.name() == Othello::NAME).then(|| Ends(Solver::new(Othello::default(), table_mib)))
    }

    /// The exact end of a position as its game writes it.
    ///
    /// # Errors
    /// A text that is no position.
    pub fn end(&mut self, position: &str) -> Result<End, String> {
        let game = Othello::default();
        let root = game.parse(position).map_err(|error| error.to_string())?;
        let solved = self.0.solve(&root, Discs::FULL);
        let (mut at, mut line) = (root, Vec::new());
        for mv in solved.pv {
            line.push(game.format_move(&at, mv));
            at = game.play(&at, mv);
        }
        Ok(End { value: solved.score_discs * game.unit().scale, line, nodes: solved.nodes })
    }
}

/// Exact ends as a subject: one iteration, to the end, whatever the budget.
pub struct EndSubject {
    game: AnyGame,
    ends: Ends,
}

impl EndSubject {
    /// What stands for it in a plan: another search for ends is another thing.
    pub const VERSION: &'static str = "ends-4";

    /// The search for exact ends of a game, if it has one.
    pub fn new(game: &AnyGame, table_mib: usize) -> Option<EndSubject> {
        Some(EndSubject { game: game.clone(), ends: Ends::of(game, table_mib)? })
    }
}

impl Subject for EndSubject {
    fn search(&mut self, task: &Task<'_>) -> Result<Found, String> {
        let mut searched = task.begin();
        let begun = (task.clock)();
        let end = self.ends.end(task.position)?;
        let time = (task.clock)().saturating_sub(begun);
        let depth = left(&self.game, task.root);
        let (line, best_move) = (end.line.join(" "), end.line.first().cloned().unwrap_or_default());
        let (score, nodes) = (end.value, end.nodes);
        searched.iterations.push(Step { depth, nodes, score, best_move, line, time, ..Step::default() });
        searched.time = Some(time);
        Ok(searched)
    }
}

/// Moves to the end, at least one.
fn left(game: &AnyGame, root: &AnyPosition) -> u32 {
    game.remaining(root).map_or(1, |plies| plies.max(1) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setups::games::find;
    use secateur_core::prune::Methods;
    use secateur_core::search::Budget;
    use secateur_positions::builtin;

    /// What it finds is what the host finds without methods, to the end.
    #[test]
    fn ends_are_those_of_the_host() {
        let game = find(Othello::NAME).unwrap();
        let options = crate::setups::setup::Setup::embedded(Othello::NAME).unwrap().options;
        let mut host = game.clone().searcher(Methods::NONE, options);
        let mut ends = Ends::of(&game, 1).unwrap();
        for entry in builtin(&game, "ffo").unwrap().entries.iter().take(3) {
            let root = game.parse(&entry.position).unwrap();
            let plain = host.run(&root, &Budget::Depth(60));
            let end = ends.end(&entry.position).unwrap();
            assert_eq!(end.value, plain.last().score.0, "{}", entry.id);
            assert!(!end.line.is_empty() && end.nodes > 0);
        }
        assert!(ends.end("nothing").is_err());
    }
}
