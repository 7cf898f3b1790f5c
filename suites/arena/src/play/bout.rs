//! Single games without a record, for whoever plays many between players that change from game to game: a tuner.
//!
//! The same searchers, referee and openings as in a match. Left out: other programs, transcripts.

use super::limit::Limit;
use super::opening::openings;
use super::player::{Player, Searcher};
use super::record::OpeningRow;
use super::referee::Referee;
use super::throws::Throws;
use super::{Adjudication, Reason};
use secateur_core::Game;
use secateur_core::prune::Methods;
use secateur_core::search::Options;
use secateur_positions::Reading;
use secateur_suites::Error;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// How late a move by the clock may come: both players are this program, so what makes them late is the machine.
const LATE: Duration = Duration::from_secs(2);

/// What holds for every game.
#[derive(Clone, Debug)]
pub struct Bout {
    /// What each player may spend.
    pub limit: Limit,
    /// Where the throws of games with dice come from: with the opening, so that both games of a pair have the same.
    pub seed: u64,
    /// What ends games early.
    pub adjudication: Adjudication,
    /// Gives up the games under way soon after it is set.
    pub stop: Arc<AtomicBool>,
}

/// Openings as a match draws them: one for each of `pairs` pairs of games, or as many as there are; fewer pairs have the first of
/// them.
///
/// # Errors
/// A set that cannot be had or has no position to play from.
pub fn draw<G: Game>(
    game: &G,
    set: Option<&str>,
    seed: u64,
    pairs: usize,
    threads: usize,
) -> Result<Vec<OpeningRow>, Error> {
    openings(game, (set, Reading::default()), seed, pairs, threads)
}

impl Bout {
    /// The points (1, 0.5 or 0) of the first of two players, which has side `first`, in the game from `opening`; `None` if
    /// games are given up. Without a clock it depends on nothing else, and repeats exactly.
    ///
    /// # Errors
    /// An opening that the game cannot read; a game that a fault ended, which is an error of this program.
    pub fn points<G: Game>(
        &self,
        game: &G,
        opening: &OpeningRow,
        first: usize,
        players: [(&Methods, &Options); 2],
    ) -> Result<Option<f64>, Error> {
        let wrong = |what: &str| Error::Usage(format!("{}: {what}", opening.opening));
        let start = game.parse(&opening.position).map_err(|error| wrong(&error.to_string()))?;
        let [mut one, mut two] = players.map(|(ready, options)| {
            Searcher::new(game.clone(), ready, options.clone(), Arc::clone(&self.stop))
        });
        let mut players: [&mut dyn Player<G>; 2] = [&mut one, &mut two];
        players.rotate_left(first);
        let referee = Referee {
            limits: [self.limit; 2],
            margin: LATE,
            adjudication: self.adjudication,
            stop: &self.stop,
        };
        let mut throws = Throws::of_opening(self.seed, &opening.position);
        let played = referee.play(game, start, players, &mut |sides| throws.below(sides));
        let Some(played) = played else { return Ok(None) };
        if Reason::is_fault(played.end.reason) {
            return Err(wrong(&format!("{}: {}", played.end.reason, played.end.detail)));
        }
        Ok(Some(played.end.winner.map_or(0.5, |winner| if winner == first { 1.0 } else { 0.0 })))
    }
}
