//! Matches with dice: what is thrown, whoever throws, and that games can be played again from what is written down.

use super::tests::{play, settings, timeless};
use super::throws::Throws;
use super::{Limit, MatchSettings};
use secateur_core::game::{Notation, Rules, thrown};
use secateur_games::einstein::Einstein;
use std::path::Path;
use tempfile::tempdir;

/// Layout, throws with their moves, and result of a game.
type Written = (String, Vec<(String, String)>, String);

/// Every game as the transcripts have it.
fn written(dir: &Path) -> Vec<Written> {
    let text = std::fs::read_to_string(dir.join("games.pgn")).unwrap();
    let read = |game: &str| {
        let (head, body) = game.split_once("\n\n").unwrap();
        let start = head.lines().find_map(|line| line.strip_prefix("[Position \"")).unwrap();
        let bare: String =
            body.split('{').map(|part| part.split_once('}').map_or(part, |(_, rest)| rest)).collect();
        let mut tokens: Vec<&str> = bare.split_whitespace().filter(|word| !word.ends_with('.')).collect();
        let result = tokens.pop().unwrap().to_owned();
        let moves = tokens.chunks(2).map(|pair| (pair[0].to_owned(), pair[1].to_owned())).collect();
        (start.trim_end_matches("\"]").to_owned(), moves, result)
    };
    text.split("[Event ").skip(1).map(read).collect()
}

/// Every game, played again with the throws of its pair: the same numbers, legal moves, and the end that the record has. Both games of
/// a pair begin from one layout with one sequence of throws.
#[test]
fn both_games_of_a_pair_have_the_same_layout_and_the_same_throws() {
    let dir = tempdir().unwrap();
    let asked = settings("einstein", "none", "null-move+reverse-futility", 20);
    let ended = play(&asked, dir.path(), 2);
    let games = written(dir.path());
    assert!(ended.file.complete && games.len() == 20);
    assert!(ended.file.throws.contains("ChaCha8"), "{}", ended.file.throws);
    assert_eq!(ended.file.distinct_openings, 10);
    let (mut firsts, mut parted) = (std::collections::BTreeSet::new(), 0);
    for (row, (start, moves, result)) in ended.rows.iter().zip(&games) {
        let (game, mut throws) = (Einstein::default(), Throws::new(asked.seed, row.pair));
        let mut pos = game.parse(start).unwrap();
        assert!(game.awaits(&pos), "a game begins with a throw");
        for (die, mv) in moves {
            pos = thrown(&game, &pos, |sides| throws.below(sides));
            assert_eq!(game.dice(&pos).as_ref(), Some(die), "{row:?}");
            pos = game.play(&pos, game.parse_move(&pos, mv).unwrap());
        }
        let end = game.ending(&pos, 1).expect("played to the end");
        assert_eq!((end.why, moves.len()), (row.reason.as_str(), row.plies));
        assert_eq!(
            (result, result.as_str()),
            (&row.result, if end.winner == Some(0) { "1-0" } else { "0-1" })
        );
    }
    for pair in games.chunks(2) {
        assert_eq!((&pair[0].0, &pair[0].1[0].0), (&pair[1].0, &pair[1].1[0].0));
        firsts.insert(pair[0].1[0].0.clone());
        parted += usize::from(pair[0].1 != pair[1].1);
    }
    assert!(firsts.len() > 1, "pairs have throws of their own");
    assert!(parted > 0, "other players, and no game goes another way");
}

/// To a fixed depth too, and with the seed all is other.
#[test]
fn depth_repeats_and_the_seed_decides() {
    let dir = tempdir().unwrap();
    let asked = MatchSettings { limit: Limit::Depth(2), ..settings("einstein", "lmr", "none", 8) };
    let [one, again] =
        [("one", 1), ("again", 3)].map(|(name, jobs)| play(&asked, &dir.path().join(name), jobs));
    assert_eq!(timeless(&one.rows), timeless(&again.rows));
    let other = play(&MatchSettings { seed: 2, ..asked }, &dir.path().join("other"), 2);
    assert_ne!(timeless(&one.rows), timeless(&other.rows));
    let throws = |seed: u64, pair: usize| {
        let mut throws = Throws::new(seed, pair);
        (0..64).map(|_| throws.below(6)).collect::<Vec<_>>()
    };
    assert_eq!(throws(1, 3), throws(1, 3));
    assert!(throws(1, 3) != throws(1, 4) && throws(1, 3) != throws(2, 3));
    assert!((0..6).all(|number| throws(1, 3).contains(&number)));
}
