//! What a game of another crate must keep for the search host to be right about it.
//!
//! To be called from a test of that crate. Left out: whether the rules are those of the game, which only their author can
//! know (count the nodes of its tree), and whether its evaluation is any good.

use secateur_core::game::Outcomes;
use secateur_core::prune::Methods;
use secateur_core::search::{Budget, Options, minimax};
use secateur_core::{AnyGame, Depth, Game, Moves, Notation};
use std::collections::BTreeMap;

/// The first promise that a game breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken(pub String);

impl std::fmt::Display for Broken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Broken {}

/// Holds a game to its promises at positions, one a line of `texts`, and at all that follow within two plies: texts and packed
/// moves are read back, keys tell positions apart, a mirrored position is worth the same, the evaluation stays below what is
/// decisive, no move takes longer than [`secateur_core::Rules::remaining`] says, and a full-width search of `depth` plies is
/// minimax.
///
/// # Errors
/// The first promise that is broken, and where.
pub fn game<G: Game>(game: &G, texts: &str, depth: i32) -> Result<(), Broken> {
    let mut keys = BTreeMap::new();
    // Through the door by which a game comes into an experiment.
    let any = AnyGame::of(game.clone());
    let mut search = any.clone().searcher(Methods::NONE, Options { table_mib: 1, ..Options::default() });
    for text in texts.lines().filter(|line| !line.trim().is_empty()) {
        let root = game.parse(text).map_err(|error| Broken(format!("{text}: {error}")))?;
        follow(game, &root, 2, &mut keys)?;
        let erased = any.parse(text).map_err(|error| Broken(format!("{text}: {error}")))?;
        for iteration in search.run(&erased, &Budget::Depth(depth)).iterations {
            let expected = minimax(game, &root, Depth(iteration.depth));
            holds(iteration.score == expected, || {
                format!(
                    "{text}: {} plies are worth {}, minimax says {}",
                    iteration.depth, iteration.score.0, expected.0
                )
            })?;
        }
    }
    Ok(())
}

fn holds(promise: bool, otherwise: impl Fn() -> String) -> Result<(), Broken> {
    if promise { Ok(()) } else { Err(Broken(otherwise())) }
}

/// The promises of one position, and of those that follow.
fn follow<G: Game>(
    game: &G,
    pos: &G::Position,
    plies: u32,
    keys: &mut BTreeMap<u64, String>,
) -> Result<(), Broken> {
    let text = game.format(pos);
    let broken = |what: &str| format!("{text}: {what}");
    // Counters of moves stand in texts and not in keys.
    let canonical = game.canonical(pos);
    let first = keys.entry(game.key(pos)).or_insert_with(|| canonical.clone());
    holds(*first == canonical, || broken(&format!("has the key of {first}")))?;
    let (stage, stages) = (game.stage(pos), game.stages().len());
    holds(stage < stages, || broken(&format!("stage {stage} of {stages}")))?;
    let mut moves = Moves::<G>::new();
    game.moves(pos, &mut moves);
    if moves.is_empty() && !game.awaits(pos) {
        return Ok(());
    }
    let (worth, other) = (game.evaluate(pos), game.evaluate(&game.mirror(pos)));
    holds(worth.abs() < game.decisive(), || broken(&format!("an evaluation of {} is decisive", worth.0)))?;
    holds(worth == other, || broken(&format!("worth {}, mirrored {}", worth.0, other.0)))?;
    holds(game.canonical(pos) == game.canonical(&game.mirror(pos)), || {
        broken("its mirror has another canonical text")
    })?;
    let read = game.parse(&text).map_err(|error| Broken(broken(&format!("not read back: {error}"))))?;
    holds(read == *pos, || broken("read back as another position"))?;
    if game.awaits(pos) {
        return throws(game, pos, plies, keys);
    }
    for scored in &moves {
        let (mv, bits) = (scored.mv, game.pack(scored.mv));
        let name = game.format_move(pos, mv);
        holds(bits != 0 && game.unpack(bits) == mv, || broken(&format!("{name} is not unpacked as packed")))?;
        holds(game.parse_move(pos, &name).as_ref() == Ok(&mv), || {
            broken(&format!("{name} is not read back"))
        })?;
        holds(game.history_index(pos, mv) < G::HISTORY, || {
            broken(&format!("{name} has no place in the history"))
        })?;
        let child = game.play(pos, mv);
        let left = game.remaining(pos).zip(game.remaining(&child));
        holds(left.is_none_or(|(before, after)| after < before || game.plies(mv) == 0), || {
            broken(&format!("after {name} no fewer moves remain"))
        })?;
        if plies > 0 {
            follow(game, &child, plies - 1, keys)?;
        }
    }
    Ok(())
}

/// The promises of a position before a throw, and of all that may come of it.
fn throws<G: Game>(
    game: &G,
    pos: &G::Position,
    plies: u32,
    keys: &mut BTreeMap<u64, String>,
) -> Result<(), Broken> {
    let text = game.format(pos);
    let broken = |what: &str| format!("{text}: {what}");
    let mut outcomes = Outcomes::<G>::new();
    game.outcomes(pos, &mut outcomes);
    let weights: u64 = outcomes.iter().map(|outcome| u64::from(outcome.weight)).sum();
    holds(game.chances(), || broken("a throw in a game that says it knows no chance"))?;
    holds(!outcomes.is_empty(), || broken("a throw without an outcome"))?;
    holds(outcomes.iter().all(|outcome| outcome.weight > 0), || broken("an outcome that never happens"))?;
    holds(weights <= 10_000, || broken(&format!("weights of {weights} together, more than 10,000")))?;
    for outcome in &outcomes {
        let side = game.side(&outcome.pos);
        holds(side == game.side(pos), || broken("a throw changes the side to move"))?;
        holds(game.unthrown(&outcome.pos).is_none_or(|before| before == *pos), || {
            broken("does not come back from before the throw")
        })?;
        follow(game, &outcome.pos, plies, keys)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{Chess, Einstein, Othello};
    use crate::{Entry, Evaluation, Experiment, Notation, ParseError, Rules, Score, Scored, fit};
    use secateur_core::game::Chance;

    /// A pile from which one or two are taken; who cannot has lost. With a fault, if there is one.
    #[derive(Clone, Debug)]
    struct Pile(&'static str);

    impl Rules for Pile {
        type Position = (u8, u8);
        type Move = u8;

        const CHANCE: bool = true;

        fn chances(&self) -> bool {
            self.0 != "no chance"
        }
        fn awaits(&self, pos: &(u8, u8)) -> bool {
            pos.0 == 7
                && ["no chance", "an outcome", "never", "10,000", "the side", "come back"].contains(&self.0)
        }
        fn outcomes(&self, pos: &(u8, u8), outcomes: &mut Outcomes<Self>) {
            let weight = [("never", 0), ("10,000", 10_001)].iter().find(|(fault, _)| *fault == self.0);
            let side = if self.0 == "the side" { 1 - pos.1 } else { pos.1 };
            let outcome = Chance { weight: weight.map_or(1, |(_, weight)| *weight), pos: (6, side) };
            outcomes.extend(Some(outcome).filter(|_| self.0 != "an outcome"));
        }
        fn unthrown(&self, pos: &(u8, u8)) -> Option<(u8, u8)> {
            (self.0 == "come back").then_some((8, pos.1))
        }
        fn key(&self, pos: &(u8, u8)) -> u64 {
            if self.0 == "key" { 7 } else { u64::from(pos.0) << 1 | u64::from(pos.1) }
        }
        fn side(&self, pos: &(u8, u8)) -> usize {
            pos.1.into()
        }
        fn remaining(&self, pos: &(u8, u8)) -> Option<i32> {
            Some(if self.0 == "remain" { 9 } else { pos.0.into() })
        }
        fn mirror(&self, pos: &(u8, u8)) -> (u8, u8) {
            (pos.0, 1 - pos.1)
        }
        fn moves(&self, pos: &(u8, u8), moves: &mut Moves<Self>) {
            moves.extend((1..=pos.0.min(2)).map(|mv| Scored { mv, value: 0 }));
        }
        fn play(&self, pos: &(u8, u8), mv: u8) -> (u8, u8) {
            (pos.0 - mv, 1 - pos.1)
        }
        fn pack(&self, mv: u8) -> u16 {
            if self.0 == "packed" { 1 } else { mv.into() }
        }
        fn unpack(&self, bits: u16) -> u8 {
            bits as u8
        }
        fn null(&self, pos: &(u8, u8)) -> Option<(u8, u8)> {
            Some((pos.0, 1 - pos.1))
        }
        fn outcome(&self, _: &(u8, u8), _: u32) -> Score {
            Score(-30_000)
        }
    }

    impl Notation for Pile {
        fn parse(&self, text: &str) -> Result<(u8, u8), ParseError> {
            let bad =
                || ParseError { offset: 0, message: format!("found {text:?}, expected a number and a side") };
            let (pile, side) = text.split_once(' ').ok_or_else(bad)?;
            let side = if self.0 == "another position" { 0 } else { side.parse().map_err(|_| bad())? };
            Ok((pile.parse().map_err(|_| bad())?, side))
        }
        fn format(&self, pos: &(u8, u8)) -> String {
            format!("{} {}", pos.0, pos.1)
        }
        fn canonical(&self, pos: &(u8, u8)) -> String {
            if self.0 == "canonical" { self.format(pos) } else { pos.0.to_string() }
        }
        fn parse_move(&self, _: &(u8, u8), text: &str) -> Result<u8, ParseError> {
            let bad = |_| ParseError { offset: 0, message: format!("found {text:?}, expected a number") };
            text.parse::<u8>().map(|mv| mv + u8::from(self.0 == "read back")).map_err(bad)
        }
        fn format_move(&self, _: &(u8, u8), mv: u8) -> String {
            mv.to_string()
        }
    }

    impl Evaluation for Pile {
        fn evaluation_id(&self) -> u64 {
            1
        }
        fn stage(&self, _: &(u8, u8)) -> usize {
            usize::from(self.0 == "stage")
        }
        fn evaluate(&self, pos: &(u8, u8)) -> Score {
            let worth = i32::from(pos.0 % 3) * 100 + i32::from(pos.0) * 37 % 16;
            Score(match self.0 {
                "decisive" => 30_000,
                "mirrored" => worth + i32::from(pos.1),
                _ => worth,
            })
        }
        fn history_index(&self, _: &(u8, u8), mv: u8) -> usize {
            if self.0 == "history" { Pile::HISTORY } else { mv.into() }
        }
    }

    impl Game for Pile {
        const NAME: &'static str = "pile";
    }

    #[test]
    fn games_that_keep_their_promises_pass() {
        let start = "---------------------------OX------XO--------------------------- X";
        game(&Othello::default(), start, 3).unwrap();
        game(&Chess::default(), "8/8/8/3k4/8/3K4/3P4/8 w - - 0 1", 3).unwrap();
        game(&Einstein::default(), "..CBA/...ED/6...F/45.../123.. b 3\n...../..1../.2B../.A.../..... r -", 3)
            .unwrap();
        game(&Pile(""), "9 0\n8 1", 6).unwrap();
    }

    #[test]
    fn every_broken_promise_is_told() {
        for fault in [
            "key",
            "stage",
            "remain",
            "decisive",
            "mirrored",
            "packed",
            "another position",
            "read back",
            "history",
            "canonical",
            "no chance",
            "an outcome",
            "never",
            "10,000",
            "the side",
            "come back",
        ] {
            let broken = game(&Pile(fault), "9 0\n8 1", 2).unwrap_err().to_string();
            assert!(broken.contains(fault), "{fault}: {broken}");
        }
        let broken = game(&Pile(""), "nothing", 1).unwrap_err();
        assert!(broken.to_string().starts_with("nothing: "), "{broken}");
    }

    #[test]
    fn a_game_from_elsewhere_has_positions_and_a_fit_in_two_calls() {
        let entry = Entry::new(Pile("")).positions("piles", "20 0\n21 1\n23 0").unwrap();
        assert!(entry.clone().positions("piles", "7 0").is_err(), "the name is taken");
        assert!(entry.clone().positions("bad", "7").unwrap_err().to_string().contains("expected a number"));
        let more: Vec<String> = (24..90).map(|pile| format!("{pile} 0")).collect();
        entry.positions("more-piles", &more.join("\n")).unwrap().register();
        let experiment = Experiment::of("pile").positions("piles").depth(6).arms(["none", "probcut"]);
        assert!(experiment.run().unwrap_err().to_string().contains("fit"));
        fit("pile", "more-piles", 6).unwrap();
        let runs = experiment.run().unwrap();
        assert_eq!(runs.trees("none").len(), 18);
        assert!(runs.nodes("probcut") > 0);
        let refitted = Experiment::of("pile").positions("more-piles").depth(2).run();
        assert!(refitted.unwrap_err().to_string().contains("more-piles"), "it was fitted on");
    }
}
