//! Positions of any game by self-play from its start, one a game, taken anywhere in the wanted stage.
//!
//! Every move is one of those that a shallow search finds nearly best, so that games differ and are worth playing. The
//! position is drawn evenly from those of the stage that offer a choice and are not yet decided. Othello and chess have
//! samplers of their own, which know what a balanced opening is and what training reserves.

use super::gather::{Dice, Family, Plan, Player};
use super::{Draft, SampleSettings, provenance};
use secateur_core::game::{self, Game};
use secateur_core::search::Budget;
use secateur_positions::duplicates::canonicals;
use secateur_positions::{Result, Set, builtins, error::Error};
use std::collections::BTreeSet;

/// Seed of the games unless another is chosen.
const SEED: u64 = 1995;
/// Positions of each stage for tests and for fitting unless others are chosen.
const COUNTS: (usize, usize) = (200, 400);
/// Depth of the searches that choose moves unless another is chosen, plies; also of those that say whether a position is decided.
const DEPTH: i32 = 3;
/// Plies after which a game is given up.
const LONGEST: usize = 300;

/// The test set and the fitting set of a game, disjoint in games and positions. `progress` as in [`super::sample`].
pub(super) fn drafts<G: Game>(
    game: &G,
    start: &G::Position,
    settings: &SampleSettings,
    progress: &mut dyn FnMut(&str, usize, usize),
) -> Vec<Draft> {
    let name = game.name();
    let seed = settings.seed.unwrap_or(SEED);
    // Sets of others are no place to draw from, and those that are sampled anew are none of others.
    let sampled = |set: &Set| set.provenance.seed.is_some();
    let others = builtins(game).unwrap_or_default().into_iter().filter(|set| !sampled(set));
    let mut taken: BTreeSet<String> =
        others.flat_map(|set| canonicals(game, &set).unwrap_or_default()).collect();
    let mut draft = |family, short: &str, what: &str, count: usize| {
        let what_is_drawn = format!("{name} {what} positions");
        let mut report = |had, wanted| progress(&what_is_drawn, had, wanted);
        // One of the units that people count in.
        let margin = game.unit().scale;
        let depth = settings.depth.unwrap_or(DEPTH);
        let plan = Plan { slots: vec![count; game.stages().len()], threads: settings.threads };
        let entries = plan.sample(
            (game, family),
            || Player::new(game),
            |player, number, stage| {
                play(player, start, (depth, margin), &mut Dice::new(seed, family, number), stage)
            },
            &mut taken,
            &mut report,
        );
        let described = format!("count={count} depth={depth} margin={margin} longest={LONGEST}");
        Draft {
            name: format!("{name}-{short}"),
            description: format!("Self-play {what} positions of all stages"),
            entries,
            provenance: provenance(game, settings, seed, described),
        }
    };
    vec![
        draft(Family::Test, "test", "test", settings.count.unwrap_or(COUNTS.0)),
        draft(Family::Fit, "fit", "fitting", settings.fit_count.unwrap_or(COUNTS.1)),
    ]
}

/// What games begin from.
///
/// # Errors
/// [`Error::WrongGame`] for a game that does not say so.
pub(super) fn start<G: Game>(game: &G) -> Result<G::Position> {
    let refused = |expected: String| Error::WrongGame {
        set: "sampling".to_owned(),
        found: game.name().to_owned(),
        expected,
    };
    let text = game
        .start()
        .ok_or_else(|| refused("a game that says what it begins from (Game::start)".to_owned()))?;
    game.parse(&text).map_err(|error| refused(format!("a game that can read its start `{text}` ({error})")))
}

/// One game through the wanted stage, and a position drawn from that stage. Moves are found by searches so deep, plies, and may be so far
/// below the best.
fn play<G: Game>(
    player: &mut Player<'_, G>,
    start: &G::Position,
    (depth, margin): (i32, i32),
    dice: &mut Dice,
    stage: usize,
) -> Option<G::Position> {
    let mut keys: Vec<u64> = Vec::new();
    let thrown = |game: &G, pos: &G::Position, dice: &mut Dice| {
        game::thrown(game, pos, |sides| dice.below(sides as usize) as u32)
    };
    let mut pos = thrown(player.game(), start, dice);
    let (mut drawn, mut seen) = (None, 0);
    let ordered = player.game().stages().len() - player.game().recurring();
    while keys.len() < LONGEST {
        let now = player.game().stage(&pos);
        if (stage + 1..ordered).contains(&now) || player.game().drawn(&pos, &keys) {
            break;
        }
        if now == stage && is_open(player, &pos) {
            seen += 1;
            // The n-th position replaces the one held with probability 1/n: all are equally likely.
            if dice.below(seen) == 0 {
                drawn = Some(pos.clone());
            }
        }
        let Some(mv) = player.near_best(&pos, depth, margin, dice) else { break };
        keys.push(player.game().key(&pos));
        let game = player.game();
        pos = thrown(game, &game.play(&pos, mv), dice);
    }
    drawn
}

/// Whether a position is new to the evaluation and offers a choice, which no check forces, and nothing about it is proven at the
/// depth of the games.
fn is_open<G: Game>(player: &mut Player<'_, G>, pos: &G::Position) -> bool {
    let game = player.game();
    let quiet = game.is_reserved(pos) && !game.in_check(pos) && player.moves(pos).len() > 1;
    let decisive = player.game().decisive();
    quiet && player.best(pos, &Budget::Depth(DEPTH)).is_some_and(|(_, value)| value.abs() < decisive)
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;
    use crate::setups::games::{self, Entry};
    use secateur_core::game::{Evaluation, Notation, ParseError, Rules};
    use secateur_core::{AnyGame, Moves, Score, Scored};
    use secateur_positions::{check, duplicates::overlap, file};
    use std::result::Result;

    /// Three heaps of stones; who moves takes one to three from one of them, and who cannot has lost.
    #[derive(Clone)]
    struct Heaps {
        /// Whether the game says what it begins from.
        begins: bool,
    }

    #[derive(Clone, Debug, PartialEq)]
    struct Stones([u8; 3], usize);

    fn error(message: &str) -> ParseError {
        ParseError { offset: 0, message: message.to_owned() }
    }

    impl Rules for Heaps {
        type Position = Stones;
        type Move = (u8, u8);

        fn key(&self, pos: &Stones) -> u64 {
            let stones = pos.0.iter().fold(1, |key, &heap| key * 32 + u64::from(heap));
            (stones * 2 + pos.1 as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        }
        fn side(&self, pos: &Stones) -> usize {
            pos.1
        }
        fn moves(&self, pos: &Stones, moves: &mut Moves<Heaps>) {
            let all = (0..3).flat_map(|heap| (1..=pos.0[usize::from(heap)].min(3)).map(move |n| (heap, n)));
            moves.extend(all.map(|mv| Scored { mv, value: 0 }));
        }
        fn play(&self, pos: &Stones, (heap, stones): (u8, u8)) -> Stones {
            let mut next = Stones(pos.0, 1 - pos.1);
            next.0[usize::from(heap)] -= stones;
            next
        }
        fn pack(&self, (heap, stones): (u8, u8)) -> u16 {
            u16::from(heap) * 4 + u16::from(stones)
        }
        fn unpack(&self, bits: u16) -> (u8, u8) {
            ((bits / 4) as u8, (bits % 4) as u8)
        }
        fn outcome(&self, _: &Stones, ply: u32) -> Score {
            Score(ply as i32 - 31_000)
        }
    }

    impl Notation for Heaps {
        fn start(&self) -> Option<String> {
            self.begins.then(|| "11 12 13 0".to_owned())
        }
        fn parse(&self, text: &str) -> Result<Stones, ParseError> {
            let numbers: Vec<u8> = text.split(' ').filter_map(|word| word.parse().ok()).collect();
            match numbers[..] {
                [a, b, c, side @ 0..=1] => Ok(Stones([a, b, c], usize::from(side))),
                _ => Err(error("expected three heaps and a side")),
            }
        }
        fn format(&self, Stones([a, b, c], side): &Stones) -> String {
            format!("{a} {b} {c} {side}")
        }
        fn canonical(&self, pos: &Stones) -> String {
            let mut heaps = pos.0;
            heaps.sort_unstable();
            self.format(&Stones(heaps, 0))
        }
        fn parse_move(&self, _: &Stones, text: &str) -> Result<(u8, u8), ParseError> {
            text.parse().map(|bits| self.unpack(bits)).map_err(|_| error("expected a number"))
        }
        fn format_move(&self, _: &Stones, mv: (u8, u8)) -> String {
            self.pack(mv).to_string()
        }
    }

    impl Evaluation for Heaps {
        const STAGES: &'static [&'static str] = &["many", "few"];

        fn evaluation_id(&self) -> u64 {
            1
        }
        fn stage(&self, pos: &Stones) -> usize {
            usize::from(pos.0.iter().sum::<u8>() < 24)
        }
        fn evaluate(&self, pos: &Stones) -> Score {
            Score(i32::from(pos.0.iter().fold(0, |sum, heap| sum ^ heap)))
        }
    }

    impl Game for Heaps {
        const NAME: &'static str = "heaps";
    }

    fn small(seed: u64, threads: usize) -> SampleSettings {
        SampleSettings {
            seed: Some(seed),
            count: Some(6),
            fit_count: Some(9),
            threads,
            ..SampleSettings::default()
        }
    }

    fn sampled(seed: u64, threads: usize) -> Vec<Draft> {
        let game = AnyGame::of(Heaps { begins: true });
        let start = start(&game).unwrap();
        drafts(&game, &start, &small(seed, threads), &mut |_, had, wanted| assert!(had <= wanted))
    }

    #[test]
    fn the_same_settings_give_the_same_positions_on_any_threads() {
        let one = sampled(1, 1);
        assert_eq!(one, sampled(1, 3));
        assert_ne!(one, sampled(2, 1));
    }

    #[test]
    fn a_registered_game_has_a_test_set_and_a_fitting_set_that_are_disjoint() {
        let folder = tempfile::tempdir().unwrap();
        Entry::new(Heaps { begins: true }).register();
        let game = games::find("heaps").unwrap();
        let made = sample("heaps", &small(1, 2), folder.path(), &mut |_, _, _| ()).unwrap();
        let files: Vec<&str> = made.iter().map(|listing| listing.file.as_str()).collect();
        assert_eq!(files, ["heaps-test.pos", "heaps-fit.pos"]);
        let path = |name: &str| folder.path().join(name);
        let sets: Vec<_> = files.iter().map(|name| file(&game, &path(name)).unwrap()).collect();
        assert_eq!(overlap(&game, &sets[0], &sets[1]).unwrap(), [""; 0]);
        for (set, count) in sets.iter().zip([6, 9]) {
            assert_eq!(set.stages(), [("many", count), ("few", count)]);
            let games: BTreeSet<&str> = set.entries.iter().map(|entry| entry.cluster.as_str()).collect();
            assert_eq!(games.len(), set.entries.len(), "one position a game");
        }
        for name in files {
            let report = check(&game, &path(name).display().to_string()).unwrap();
            assert!(report.is_clean());
        }
    }

    #[test]
    fn a_game_without_a_start_is_refused() {
        let game = AnyGame::of(Heaps { begins: false });
        let error = start(&game).unwrap_err();
        assert_eq!(
            error.to_string(),
            "sampling: found the game \"heaps\", expected a game that says what it begins from (Game::start)"
        );
    }
}
