//! Othello positions by self-play: balanced openings that a player might choose, then varied shallow play.
//!
//! Most random positions are lost for one side, and in a lost position every method looks good. So every move is
//! drawn from those that a shallow search finds nearly best, and an opening counts only if a deeper one finds it
//! even: Buro 1995 (section 3) took openings with a winning probability of 0.45 to 0.55 at 10 plies. Positions
//! are reserved ones only, which training never learns from.
//!
//! Training never learns from reserved positions, which the position itself tells: all with 12 discs, and one in eight of the others.
//! Position sets are sampled with the evaluation that training makes, so training cannot be told which positions will test it. Instead
//! both obey one rule: training leaves the reserved positions out, and the sampler takes none but reserved ones. Good openings are few,
//! so the disc count at which they end is reserved whole. The rule leaves out the nodes that searches of those positions meet: any search
//! shares nodes with any game.

use super::gather::{Dice, Family, Plan, Player};
use secateur_core::search::Budget;
use secateur_games::othello::{Board, Othello, Position};
use secateur_positions::Entry;
use std::collections::BTreeSet;

/// How often a game goes back to end on another position, when the one it came to is of no use.
const RETRIES: usize = 40;
/// Plies that it goes back.
const BACK: u32 = 3;

/// A margin that every move is within.
const ANY: i32 = 20_000;

/// Settings of the sampler; the result is a function of them and of the evaluation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OthelloSettings {
    /// Seed of the games.
    pub seed: u64,
    /// Disc counts wanted, from 6 to 60, rising. Openings end, and are weighed, at [`OPENING_DISCS`].
    pub discs: Vec<u32>,
    /// Positions wanted at each disc count.
    pub count: usize,
    /// Largest value of an opening, in 1/100 disc for either side. By the value of a search to `balance_depth`
    /// the side to move wins with probability 0.5 + 0.054 a disc (docs/BIAS.md), so 90 is Buro's limit.
    pub balance: i32,
    /// Depth of that search, plies.
    pub balance_depth: i32,
    /// Depth of the searches that choose moves, plies; at least 2.
    pub depth: i32,
    /// How far below the best a move of the opening may be, in 1/100 disc.
    pub opening_margin: i32,
    /// The same for later moves.
    pub margin: i32,
    /// Threads; they do not change the result.
    pub threads: usize,
}

impl OthelloSettings {
    /// The test sets: 500 positions at each of Buro's five disc counts.
    pub fn test() -> OthelloSettings {
        OthelloSettings {
            seed: 1995,
            discs: vec![12, 20, 28, 36, 44],
            count: 500,
            balance: 90,
            balance_depth: 10,
            depth: 4,
            opening_margin: 500,
            margin: 150,
            threads: 1,
        }
    }

    /// The fitting positions: 60 at 10 discs and at every fourth disc count from 12 on.
    pub fn fit() -> OthelloSettings {
        OthelloSettings {
            discs: std::iter::once(10).chain((12..=56).step_by(4)).collect(),
            count: 60,
            ..OthelloSettings::test()
        }
    }

    /// What decides the result besides seed and evaluation, as one line.
    pub fn describe(&self) -> String {
        let discs: Vec<String> = self.discs.iter().map(u32::to_string).collect();
        let OthelloSettings { count, balance, balance_depth, depth, opening_margin, margin, .. } = self;
        format!(
            "discs={} count={count} balance={balance} balance_depth={balance_depth} depth={depth} opening_margin={opening_margin} \
             margin={margin}",
            discs.join(",")
        )
    }
}

/// Samples positions, one a game, ordered by disc count and then by game; none of `taken` (canonical forms),
/// to which the new ones are added.
///
/// A disc count that cannot be filled stays short. `progress` hears positions had and positions wanted.
pub fn sample_othello(
    game: &Othello,
    family: Family,
    settings: &OthelloSettings,
    taken: &mut BTreeSet<String>,
    progress: &mut dyn FnMut(usize, usize),
) -> Vec<Entry> {
    let plan = Plan { slots: vec![settings.count; settings.discs.len()], threads: settings.threads };
    plan.sample(
        (game, family),
        || Player::new(game),
        |player, number, slot| play(player, family, settings, number, settings.discs[slot]),
        taken,
        progress,
    )
}

/// One game up to the wanted number of discs, and the position there.
fn play(
    player: &mut Player<'_, Othello>,
    family: Family,
    settings: &OthelloSettings,
    number: u64,
    discs: u32,
) -> Option<Position> {
    let mut dice = Dice::new(settings.seed, family, number);
    let mut line = vec![player.game().start()];
    if discs < OPENING_DISCS {
        // So early good moves leave only a handful of positions.
        grow(player, settings, ANY, &mut dice, &mut line, discs)?;
    } else {
        grow(player, settings, settings.opening_margin, &mut dice, &mut line, OPENING_DISCS)?;
        let (_, value) = player.best(line.last()?, &Budget::Depth(settings.balance_depth))?;
        if value.abs().0 > settings.balance {
            return None;
        }
    }
    let opening = line.len();
    for _ in 0..RETRIES {
        let end = grow(player, settings, settings.margin, &mut dice, &mut line, discs);
        if let Some(pos) = end.filter(|pos| is_wanted(player, pos)) {
            return Some(pos);
        }
        if line.len() == opening {
            return None;
        }
        let back = line.iter().position(|pos| pos.board().discs() + BACK >= discs).unwrap_or(0);
        line.truncate((back + 1).max(opening));
    }
    None
}

/// Plays on to `discs` discs; none if the game ends before.
fn grow(
    player: &mut Player<'_, Othello>,
    settings: &OthelloSettings,
    margin: i32,
    dice: &mut Dice,
    line: &mut Vec<Position>,
    discs: u32,
) -> Option<Position> {
    loop {
        let pos = *line.last()?;
        if pos.board().discs() >= discs {
            return Some(pos);
        }
        let mv = player.near_best(&pos, settings.depth, margin, dice)?;
        line.push(pos.play(mv));
    }
}

/// A position with a choice that training has not seen.
fn is_wanted(player: &Player<'_, Othello>, pos: &Position) -> bool {
    // A forced pass is the only move.
    player.moves(pos).len() > 1 && reserved(pos.board())
}

/// One position in this many is reserved.
pub const RESERVED_SHARE: u64 = 8;
/// Every position with this many discs is reserved.
pub const OPENING_DISCS: u32 = 12;

/// Whether a position, seen by the side to move, is kept for tests and fits. Its mirror images are then, too.
pub fn reserved(board: Board) -> bool {
    if board.discs() == OPENING_DISCS {
        return true;
    }
    let (player, opponent) = canonical(board);
    let mixed = (player ^ opponent.rotate_left(29).wrapping_mul(0x9E37_79B9_7F4A_7C15))
        .wrapping_mul(0xD6E8_FEB8_6659_FD93);
    (mixed >> 40) % RESERVED_SHARE == 0
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

    fn small(threads: usize) -> OthelloSettings {
        let discs = vec![10, 12, 20];
        OthelloSettings { discs, count: 4, depth: 2, balance_depth: 2, threads, ..OthelloSettings::test() }
    }

    fn sampled(settings: &OthelloSettings, family: Family, taken: &mut BTreeSet<String>) -> Vec<Entry> {
        sample_othello(&Othello::default(), family, settings, taken, &mut |_, _| ())
    }

    #[test]
    fn the_same_settings_give_the_same_positions_on_any_threads() {
        let one = sampled(&small(1), Family::Test, &mut BTreeSet::new());
        assert_eq!(one.len(), 12);
        assert_eq!(one, sampled(&small(3), Family::Test, &mut BTreeSet::new()));
        let other = OthelloSettings { seed: 2, ..small(1) };
        assert_ne!(one, sampled(&other, Family::Test, &mut BTreeSet::new()));
    }

    #[test]
    fn positions_are_new_balanced_and_offer_a_choice() {
        let mut taken = BTreeSet::new();
        let test = sampled(&small(1), Family::Test, &mut taken);
        assert_eq!(taken.len(), test.len());
        let fit = sampled(&small(1), Family::Fit, &mut taken);
        assert_eq!(taken.len(), test.len() + fit.len(), "a position was taken twice");
        let game = Othello::default();
        let mut player = Player::new(&game);
        for entry in test.iter().chain(&fit) {
            let pos = game.parse(&entry.position).unwrap();
            assert_eq!(entry.stage, pos.board().discs().to_string());
            assert!(player.moves(&pos).len() > 1);
            assert!(reserved(pos.board()), "training may have seen it");
            if entry.stage == "12" {
                let (_, value) = player.best(&pos, &Budget::Depth(2)).unwrap();
                assert!(value.abs().0 <= 90);
            }
        }
    }

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
