//! What the built-in sets promise, checked position by position; and the endgame solver of Othello against the results that
//! others published with them.

use secateur_core::{Evaluation, Game, Moves, Notation, Rules};
use secateur_games::othello::endgame::{Discs, Solver};
use secateur_games::{chess::Chess, draughts::Draughts, othello::Othello, shogi::Shogi};
use secateur_positions::duplicates::{canonicals, overlap};
use secateur_positions::{Entry, Set, builtin, builtins, check, list};
use std::collections::BTreeSet;

fn sets<G: Game>(game: &G) -> Vec<Set> {
    builtins(game).unwrap()
}

fn is_fit(set: &Set) -> bool {
    set.name.ends_with("-fit")
}

/// Loads, no position twice up to symmetry, hash and size as the list says.
#[test]
fn every_set_is_clean() {
    for listing in list().unwrap() {
        let game = secateur_games::named(&listing.game).unwrap();
        let report = check(&game, &listing.name).unwrap();
        assert!(report.is_clean(), "{}: {:?}", listing.name, (report.duplicates, report.listed_hash));
        assert_eq!(report.set.provenance, listing.provenance);
    }
}

#[test]
fn bratko_kopec_has_24_positions_with_best_moves() {
    let set = builtin(&Chess::default(), "bratko-kopec").unwrap();
    assert_eq!(set.entries.len(), 24);
    for (index, entry) in set.entries.iter().enumerate() {
        assert_eq!(entry.id, format!("BK.{:02}", index + 1));
        assert!(entry.best_moves().count() > 0);
    }
}

#[test]
fn zugzwang_positions_name_source_and_best_moves() {
    let set = builtin(&Chess::default(), "zugzwang").unwrap();
    assert!(set.entries.len() >= 20);
    for entry in &set.entries {
        assert!(entry.best_moves().count() > 0, "{}", entry.id);
        assert!(entry.operation("c0").is_some_and(|source| !source.is_empty()), "{}", entry.id);
    }
}

/// Every position offers a choice, and none is in check.
fn offers_choice<G: Game>(game: &G, set: &Set) {
    for entry in &set.entries {
        let position = game.parse(&entry.position).unwrap();
        let mut moves = Moves::<G>::new();
        game.moves(&position, &mut moves);
        assert!(moves.len() > 1, "{}", entry.id);
        assert!(!game.in_check(&position), "{}", entry.id);
    }
}

#[test]
fn othello_sets_hold_what_their_names_say() {
    let game = Othello::default();
    for discs in [12, 20, 28, 36, 44] {
        let set = builtin(&game, &format!("othello-{discs}")).unwrap();
        assert!(set.entries.len() >= 500);
        assert_eq!(set.stages(), [(discs.to_string().as_str(), set.entries.len())]);
        for entry in &set.entries {
            let count = entry.position[..64].chars().filter(|&mark| mark != '-').count();
            assert_eq!(count, discs, "{}", entry.id);
        }
        offers_choice(&game, &set);
    }
    let fit = builtin(&game, "othello-fit").unwrap();
    offers_choice(&game, &fit);
    let stages: Vec<String> = fit.stages().iter().map(|(stage, _)| (*stage).to_owned()).collect();
    let wanted = std::iter::once(10).chain((12..=56).step_by(4));
    assert_eq!(stages, wanted.map(|discs: u32| discs.to_string()).collect::<Vec<_>>());
}

#[test]
fn chess_games_cover_the_phases() {
    let game = Chess::default();
    let set = builtin(&game, "chess-games").unwrap();
    let stages = set.stages();
    assert_eq!(stages.iter().map(|(stage, _)| *stage).collect::<Vec<_>>(), Chess::STAGES);
    assert!(stages.iter().all(|&(_, count)| count >= 100), "{stages:?}");
    offers_choice(&game, &set);
    offers_choice(&game, &builtin(&game, "chess-fit").unwrap());
}

/// One position per game in the sampled sets: rows are independent.
#[test]
fn sampled_sets_take_one_position_per_game() {
    let sets = secateur_games::all().into_iter().flat_map(|game| sets(&game));
    for set in sets.filter(|set| set.provenance.seed.is_some()) {
        let games: BTreeSet<&str> = set.entries.iter().map(|entry| entry.cluster.as_str()).collect();
        assert_eq!(games.len(), set.entries.len(), "{}", set.name);
    }
}

/// What published sets have in common; none of them was fitted on.
const SHARED: [(&str, &str, &str); 1] = [("bratko-kopec", "kaufman", "BK.22")];

/// Sets share no position and no game, so that nothing is judged on what fitted it.
fn disjoint<G: Game>(game: &G) {
    let sets = sets(game);
    assert_eq!(sets.iter().filter(|set| is_fit(set)).count(), 1);
    for (index, a) in sets.iter().enumerate() {
        assert!(!canonicals(game, a).unwrap().is_empty());
        for b in &sets[index + 1..] {
            let shared_entries =
                SHARED.iter().filter(|(one, other, _)| (*one, *other) == (a.name.as_str(), b.name.as_str()));
            let shared_ids: Vec<&str> = shared_entries.map(|(.., id)| *id).collect();
            assert!(shared_ids.is_empty() || !is_fit(a) && !is_fit(b));
            assert_eq!(overlap(game, a, b).unwrap(), shared_ids, "{} and {}", a.name, b.name);
            let games: BTreeSet<&String> = a.entries.iter().map(|entry| &entry.cluster).collect();
            assert!(b.entries.iter().all(|entry| !games.contains(&entry.cluster)), "{} {}", a.name, b.name);
        }
    }
}

#[test]
fn no_two_othello_sets_share_anything() {
    disjoint(&Othello::default());
}

#[test]
fn no_two_chess_sets_share_anything() {
    disjoint(&Chess::default());
}

#[test]
fn no_two_draughts_sets_share_anything() {
    disjoint(&Draughts::default());
}

#[test]
fn no_two_shogi_sets_share_anything() {
    disjoint(&Shogi::default());
}

/// Whether the side to move mates by checks alone in at most so many plies: every check, every answer, nothing remembered.
fn mates<G: Game>(game: &G, pos: &G::Position, plies: u32) -> bool {
    played(game, pos).any(|next| game.in_check(&next) && mated(game, &next, plies - 1))
}

fn mated<G: Game>(game: &G, pos: &G::Position, plies: u32) -> bool {
    played(game, pos).all(|next| plies > 1 && mates(game, &next, plies - 1))
}

fn played<G: Game>(game: &G, pos: &G::Position) -> impl Iterator<Item = G::Position> {
    let mut moves = Moves::<G>::new();
    game.moves(pos, &mut moves);
    moves.into_iter().map(move |scored| game.play(pos, scored.mv))
}

/// The moves that are said to mate do in so many plies, no other does, and none does sooner.
#[test]
fn mates_of_shogi_are_the_shortest_by_checks() {
    let game = Shogi::default();
    let set = builtin(&game, "shogi-mates").unwrap();
    for plies in [3, 5, 7] {
        let stated = format!("mate in {plies} plies");
        let mut entries =
            set.entries.iter().filter(|entry| entry.operation("c0").as_deref() == Some(&stated)).peekable();
        assert!(entries.peek().is_some(), "{stated}");
        for entry in entries {
            let pos = game.parse(&entry.position).unwrap();
            assert!(!mates(&game, &pos, plies - 2), "{}", entry.id);
            let mut moves = Moves::<Shogi>::new();
            game.moves(&pos, &mut moves);
            let mut keys: Vec<String> = Vec::new();
            for scored in moves {
                let next = game.play(&pos, scored.mv);
                if game.in_check(&next) && mated(&game, &next, plies - 1) {
                    keys.push(game.format_move(&pos, scored.mv));
                }
            }
            let mut stated: Vec<&str> = entry.best_moves().collect();
            keys.sort();
            stated.sort_unstable();
            assert_eq!(keys, stated, "{}", entry.id);
        }
    }
}

/// Every stage is there, and no sampled position is one that weights were learnt from.
fn covers_the_stages_and_is_reserved<G: Game>(game: &G) {
    for purpose in ["test", "fit"] {
        let set = builtin(game, &format!("{}-{purpose}", G::NAME)).unwrap();
        let stages = set.stages();
        assert_eq!(stages.iter().map(|(stage, _)| *stage).collect::<Vec<_>>(), G::STAGES);
        offers_choice(game, &set);
        for entry in &set.entries {
            assert!(game.is_reserved(&game.parse(&entry.position).unwrap()), "{}: {}", set.name, entry.id);
        }
    }
}

#[test]
fn draughts_sets_cover_the_stages_and_are_reserved() {
    covers_the_stages_and_is_reserved(&Draughts::default());
}

#[test]
fn shogi_sets_cover_the_stages_and_are_reserved() {
    covers_the_stages_and_is_reserved(&Shogi::default());
}

/// The score that the set gives for its best moves.
fn published(entry: &Entry) -> i32 {
    entry.operations[0].operands.parse().unwrap()
}

/// All positions of some sets.
fn entries(names: &[&str]) -> Vec<Entry> {
    names.iter().flat_map(|name| builtin(&Othello::default(), name).unwrap().entries).collect()
}

/// All positions of the FFO test.
const FFO: &[&str] = &["ffo", "ffo-late"];

/// Solves positions `from..=to` of the FFO test; gives back all nodes.
fn solve(from: usize, to: usize) -> u64 {
    solve_all(&entries(FFO)[from - 1..to])
}

/// Solves positions and holds value and move against what is published; gives back all nodes.
fn solve_all(entries: &[Entry]) -> u64 {
    let game = Othello::default();
    let mut solver = Solver::new(game.clone(), 64);
    let mut nodes = 0;
    for entry in entries {
        let position = game.parse(&entry.position).unwrap();
        let solved = solver.solve(&position, Discs::FULL);
        assert_eq!(solved.score_discs, published(entry), "{}", entry.id);
        let best = game.format_move(&position, solved.best);
        assert!(entry.operation(&best).is_some(), "{}: {best}", entry.id);
        nodes += solved.nodes;
    }
    nodes
}

#[test]
fn entries_are_numbered_and_their_best_moves_agree() {
    let entries = entries(FFO);
    assert_eq!(entries.len(), 59);
    for (index, entry) in entries.iter().enumerate() {
        assert_eq!(entry.id, format!("ffo-{:02}", index + 1));
        let scores = entry.operations.iter().filter(|operation| operation.code != "id");
        assert!(scores.into_iter().all(|operation| operation.operands == entry.operations[0].operands));
    }
}

#[test]
fn positions_of_up_to_19_empty_squares_have_their_published_results() {
    assert!(solve(1, 23) < 10_000_000);
}

/// The usual yardstick of endgame solvers: five positions of 20 to 23 empty squares.
#[test]
#[cfg(not(debug_assertions))]
fn positions_40_to_44_have_their_published_results_within_300_million_nodes() {
    assert!(solve(40, 44) < 300_000_000);
}

/// `cargo test --release -p secateur-positions late_positions -- --ignored`
#[test]
#[ignore = "takes minutes"]
fn late_positions_have_their_published_results() {
    solve(24, 39);
    solve(45, 59);
}

#[test]
fn hard_positions_have_the_results_of_edax() {
    solve_all(&entries(&["hard-20"])[..3]);
}

/// `cargo test --release -p secateur-positions hard_positions -- --ignored`
#[test]
#[ignore = "takes minutes"]
fn all_hard_positions_have_the_results_of_edax() {
    solve_all(&entries(&["hard-20", "hard-25"]));
}
