//! The databases of two and three pieces, whole: counts that others published, and every value.

use super::*;
use crate::{Draughts, Position};
use secateur_core::Score;
use secateur_core::game::{Evaluation, Notation};
use std::sync::{Arc, LazyLock};

static THREE: LazyLock<Arc<Database>> = LazyLock::new(|| Arc::new(Database::build(3, &mut |_, _| {})));

/// What is numbered here is as many as the formula has, which has Chinook's numbers.
#[test]
fn there_are_as_many_positions_as_chinook_has() {
    for pieces in 2..=4 {
        let boards = Slice::all(pieces).into_iter().map(|slice| {
            // Which men stand on one square is decided by the men alone.
            let [men, other] = [slice.mover[0], slice.other[0]];
            let holes = Slice { mover: [men, 0], other: [other, 0] };
            let boards = (0..holes.len()).filter(|&rank| holes.board(rank).is_some()).count();
            (boards * (slice.len() / holes.len())) as u64
        });
        let all = pieces as u64;
        assert_eq!(boards.sum::<u64>() + one_sided(all), super::positions(all), "{pieces} pieces");
    }
}

#[test]
fn every_value_is_the_best_over_the_moves() {
    let mut positions = 0;
    for pieces in [2, 3] {
        let census = THREE.check(pieces, &mut |_, _| {});
        assert_eq!(census.wrong, 0, "{pieces} pieces: {census:?}");
        assert!(census.won > 0 && census.drawn > 0 && census.lost > 0);
        positions += census.won + census.drawn + census.lost;
    }
    let all = |pieces| super::positions(pieces) - one_sided(pieces);
    assert_eq!(positions, all(2) + all(3));
    let damaged =
        Database { values: THREE.values.iter().map(|byte| byte ^ 1).collect(), ..(**THREE).clone() };
    assert!(damaged.check(2, &mut |_, _| {}).wrong > 0);
}

#[test]
fn well_known_endings_have_their_values() {
    let game = Draughts::default().with_database(Arc::clone(&THREE));
    let value = |fen: &str| game.solved(&game.parse(fen).expect("a position"));
    assert_eq!(value("B:WK32:BK15,K18"), Some(Score(29_000)));
    assert_eq!(value("W:WK32:BK15,K18"), Some(Score(-29_000)));
    assert_eq!(value("B:WK32:BK1"), Some(Score::ZERO));
    assert_eq!(value("B:W9,14:B5"), Some(Score(-29_000)));
    let many = game.parse("B:WK32,K31,K30:BK1").expect("a position");
    assert!(!game.is_solvable(&many) && game.solved(&many).is_none());
    let five = game.parse("B:WK32,K31,K30:BK1,2").expect("a position");
    assert!(!Draughts::default().is_solvable(&five) && Draughts::default().is_solvable(&many));
    assert_eq!(Draughts::default().solved(&five), None);
}

/// What a deep search finds is what the database has.
#[test]
fn searches_find_the_values() {
    use secateur_core::prune::Methods;
    use secateur_core::search::{Budget, Options};
    use secateur_core::{Game, Rules};
    let game = Draughts::default().with_database(Arc::clone(&THREE));
    let options = Options { table_mib: 1, ..Options::default() };
    let mut search = game.clone().searcher(Methods::NONE, options);
    let mut random = secateur_base::random::SplitMix(3);
    let (mut won, slices) = (0, Slice::all(3));
    for _ in 0..60 {
        let slice = slices[random.below(slices.len())];
        let Some(board) = slice.board(random.below(slice.len())) else { continue };
        let pos = Position::new(board, true, 0);
        if !pos.board().is_mobile() || game.drawn(&pos, &[]) {
            continue;
        }
        let score = search.run(&pos, &Budget::Depth(9)).last().score;
        if score.abs() >= Draughts::DECISIVE {
            let value = game.solved(&pos).expect("three pieces");
            assert_eq!(value.0.signum(), score.0.signum(), "{}", game.format(&pos));
            won += 1;
        }
    }
    assert!(won > 10, "{won}");
}

#[test]
fn bytes_are_read_back_and_damage_is_found() {
    let database = Database::build(2, &mut |done, total| assert!(done <= total));
    let bytes = database.to_bytes();
    assert_eq!(Database::from_bytes(&bytes), Ok(database));
    assert_eq!(Database::from_bytes(b"sdw"), Err(DatabaseError::Magic));
    let cut = Database::from_bytes(&bytes[..bytes.len() - 1]);
    assert!(matches!(cut, Err(DatabaseError::Length { .. })), "{cut:?}");
    let mut damaged = bytes;
    *damaged.last_mut().expect("bytes") ^= 1;
    assert_eq!(Database::from_bytes(&damaged), Err(DatabaseError::Damaged));
}
