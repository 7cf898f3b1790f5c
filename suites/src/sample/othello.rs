//! Othello positions by self-play: random openings that turn out balanced, then varied shallow play.
//!
//! Random plies make games differ, but most random positions are lost for one side, and in a lost position
//! every method looks good. So an opening counts only if a shallow search finds it about even, and later
//! moves are drawn from those that are nearly best (Buro 1995, section 5, used balanced openings too).

use super::dice::{Dice, Family};
use super::gather::Plan;
use super::player::Player;
use secateur_core::Game;
use secateur_core::game::othello::{Othello, Position, Square};
use secateur_core::search::Budget;
use secateur_positions::{Entry, Operation};
use std::collections::BTreeSet;

/// Settings of the sampler; the result is a function of them and of the evaluation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OthelloSettings {
    /// Seed of the games.
    pub seed: u64,
    /// Disc counts wanted, from 6 to 60; [`OthelloSettings::opening_discs`] and [`OthelloSettings::balance`]
    /// say which of them are random and which are played.
    pub discs: Vec<u32>,
    /// Positions wanted at each disc count.
    pub count: usize,
    /// Discs on the board when random moves end.
    pub opening_discs: u32,
    /// Largest value of an opening, in 1/100 disc for either side.
    pub balance: i32,
    /// Depth of all searches, plies; at least 2.
    pub depth: i32,
    /// How far below the best a move may be and still be played, in 1/100 disc.
    pub margin: i32,
    /// Threads; they do not change the result.
    pub threads: usize,
}

impl OthelloSettings {
    /// The test sets: 240 positions at each of Buro's five disc counts.
    #[must_use]
    pub fn test() -> OthelloSettings {
        OthelloSettings {
            seed: 1995,
            discs: vec![12, 20, 28, 36, 44],
            count: 240,
            opening_discs: 12,
            balance: 600,
            depth: 4,
            margin: 150,
            threads: 1,
        }
    }

    /// The fitting positions: 60 at every fourth disc count.
    #[must_use]
    pub fn fit() -> OthelloSettings {
        OthelloSettings { discs: (8..=56).step_by(4).collect(), count: 60, ..OthelloSettings::test() }
    }

    /// What decides the result besides seed and evaluation, as one line.
    #[must_use]
    pub fn describe(&self) -> String {
        let discs: Vec<String> = self.discs.iter().map(u32::to_string).collect();
        format!(
            "discs={} count={} opening_discs={} balance={} depth={} margin={}",
            discs.join(","),
            self.count,
            self.opening_discs,
            self.balance,
            self.depth,
            self.margin
        )
    }
}

/// Samples positions, one a game, ordered by disc count and then by game; none of `taken` (canonical forms),
/// to which the new ones are added.
///
/// A disc count that cannot be filled stays short. `progress` hears positions had and positions wanted.
#[must_use]
pub fn sample_othello(
    game: &Othello,
    family: super::Purpose,
    settings: &OthelloSettings,
    taken: &mut BTreeSet<String>,
    progress: &mut dyn FnMut(usize, usize),
) -> Vec<Entry> {
    let family = family.family();
    let plan = Plan { slots: vec![settings.count; settings.discs.len()], threads: settings.threads };
    let mut found: Vec<(usize, u64, Position)> = Vec::new();
    plan.gather(
        || Player::new(game),
        |player, number, slot| play(player, family, settings, number, settings.discs[slot]),
        |number, slot, pos| {
            let fresh = taken.insert(game.canonical(&pos));
            if fresh {
                found.push((slot, number, pos));
            }
            fresh
        },
        progress,
    );
    found.sort_by_key(|&(slot, number, _)| (settings.discs[slot], number));
    found.iter().map(|(_, number, pos)| entry(game, family, *number, pos)).collect()
}

/// The position as an entry without a name of its own.
pub(super) fn entry<G: Game>(game: &G, family: Family, number: u64, pos: &G::Position) -> Entry {
    let cluster = format!("{}/{number:06}", family.name());
    let operands = if G::NAME == Othello::NAME { cluster.clone() } else { format!("\"{cluster}\"") };
    Entry {
        id: String::new(),
        position: game.format(pos),
        cluster,
        stage: game.label(pos),
        operations: vec![Operation { code: "cluster".to_owned(), operands }],
        line: 0,
    }
}

/// One game up to the wanted number of discs, and the position there if it offers a choice.
fn play(
    player: &mut Player<Othello>,
    family: Family,
    settings: &OthelloSettings,
    number: u64,
    discs: u32,
) -> Option<Position> {
    let mut dice = Dice::new(settings.seed, family, number);
    let mut pos = player.game().start();
    let opening = discs.min(settings.opening_discs);
    while pos.board().discs() < opening {
        let mv = dice.pick(&player.moves(&pos))?;
        pos = player.game().play(&pos, mv);
    }
    if opening == settings.opening_discs {
        let (_, value) = player.best(&pos, &Budget::Depth(settings.depth))?;
        if value.abs().0 > settings.balance {
            return None;
        }
    }
    while pos.board().discs() < discs {
        let mv = player.near_best(&pos, settings.depth, settings.margin, &mut dice)?;
        pos = player.game().play(&pos, mv);
    }
    let moves = player.moves(&pos);
    (moves.len() > 1 && moves[0] != Square::PASS).then_some(pos)
}

#[cfg(test)]
mod tests {
    use super::super::Purpose;
    use super::*;

    fn small(threads: usize) -> OthelloSettings {
        let discs = vec![8, 12, 20];
        OthelloSettings { discs, count: 4, depth: 2, threads, ..OthelloSettings::test() }
    }

    fn sampled(settings: &OthelloSettings, purpose: Purpose, taken: &mut BTreeSet<String>) -> Vec<Entry> {
        sample_othello(&Othello::default(), purpose, settings, taken, &mut |_, _| ())
    }

    #[test]
    fn the_same_settings_give_the_same_positions_on_any_threads() {
        let one = sampled(&small(1), Purpose::Test, &mut BTreeSet::new());
        assert_eq!(one.len(), 12);
        assert_eq!(one, sampled(&small(3), Purpose::Test, &mut BTreeSet::new()));
        let other = OthelloSettings { seed: 2, ..small(1) };
        assert_ne!(one, sampled(&other, Purpose::Test, &mut BTreeSet::new()));
    }

    #[test]
    fn positions_are_new_balanced_and_offer_a_choice() {
        let mut taken = BTreeSet::new();
        let test = sampled(&small(1), Purpose::Test, &mut taken);
        assert_eq!(taken.len(), test.len());
        let fit = sampled(&small(1), Purpose::Fit, &mut taken);
        assert_eq!(taken.len(), test.len() + fit.len(), "a position was taken twice");
        let game = Othello::default();
        let mut player = Player::new(&game);
        for entry in test.iter().chain(&fit) {
            let pos = game.parse(&entry.position).unwrap();
            assert_eq!(entry.stage, pos.board().discs().to_string());
            assert!(player.moves(&pos).len() > 1);
            if entry.stage == "12" {
                let (_, value) = player.best(&pos, &Budget::Depth(2)).unwrap();
                assert!(value.abs().0 <= 600);
            }
        }
    }
}
