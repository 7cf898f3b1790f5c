//! The solutions of positions, as their author wrote them, brought to the form of the record: moves as the game writes
//! them. Reading a position file has already refused what is no move.

use secateur_core::{AnyGame, AnyPosition, Evaluation, Notation, Window};
use secateur_positions::Entry;
use std::collections::BTreeMap;

pub use secateur_record::solution::Solution;

/// Moves with what they are worth, `f4=10, Ne5=7`, if that is all that the text is: a promotion has a sign of its own.
fn graded(text: &str) -> Option<Vec<(&str, u32)>> {
    let grade = |item: &str| -> Option<(usize, usize, u32)> {
        let (mv, points) = item.rsplit_once('=')?;
        let start = mv.as_ptr() as usize - text.as_ptr() as usize;
        Some((start, start + mv.len(), points.trim().parse().ok().filter(|points| *points <= 1_000_000)?))
    };
    let items = text.split(',').map(grade).collect::<Option<Vec<_>>>()?;
    Some(items.into_iter().map(|(from, to, points)| (text[from..to].trim(), points)).collect())
}

/// The solutions of the positions of a game that have one, by the position's id; `roots` are the positions as the game
/// has them, parallel to `entries`. Reading a position file has
/// already refused moves that are not legal.
#[must_use]
pub fn solutions(game: &AnyGame, entries: &[Entry], roots: &[AnyPosition]) -> BTreeMap<String, Solution> {
    let mut solutions = BTreeMap::new();
    for (entry, pos) in entries.iter().zip(roots) {
        let written = |text: &str| Some(game.format_move(pos, game.parse_move(pos, text).ok()?));
        let remark = entry.operation("c0").unwrap_or_default();
        let points = graded(&remark).unwrap_or_default();
        let points: Option<BTreeMap<String, u32>> =
            points.into_iter().map(|(mv, points)| Some((written(mv)?, points))).collect();
        let mut solution = Solution {
            best: entry.best_moves().filter_map(written).collect(),
            avoid: entry.avoid_moves().filter_map(written).collect(),
            mate_in: entry
                .operation("dm")
                .filter(|_| game.attainable(0) != Window::FULL)
                .and_then(|moves| moves.parse().ok())
                .filter(|moves| (1..=1000).contains(moves)),
            points: points.unwrap_or_default(),
        };
        if let Some(most) = solution.points.values().copied().max().filter(|_| solution.best.is_empty()) {
            let best = solution.points.iter().filter(|(_, points)| **points == most);
            solution.best = best.map(|(mv, _)| mv.clone()).collect();
        }
        if solution != Solution::default() {
            solutions.insert(entry.id.clone(), solution);
        }
    }
    solutions
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_games::chess::{Chess, MATE};
    use secateur_positions::{Kind, Provenance, builtin, parse};

    fn solutions_of(entries: &[Entry]) -> BTreeMap<String, Solution> {
        let game = AnyGame::of(Chess::default());
        let roots: Vec<_> = entries.iter().map(|entry| game.parse(&entry.position).unwrap()).collect();
        solutions(&game, entries, &roots)
    }

    #[test]
    fn moves_are_written_as_records_write_them() {
        let text = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - bm O-O Rxa8+; am Kd1; id \"a\";\n\
                    4k3/8/8/8/8/8/8/4K2R w K - am O-O; id \"b\";\n\
                    4k3/8/8/8/8/8/8/R3K3 w Q - id \"c\";\n";
        let game = Chess::default();
        let set = parse(&game, Kind::Epd, "s", "s.epd".as_ref(), text, Provenance::default()).unwrap();
        let solutions = solutions_of(&set.entries);
        assert_eq!(solutions.keys().collect::<Vec<_>>(), ["a", "b"]);
        let verdicts = |id: &str| ["e1g1", "a1a8", "e1d1", "h1h2"].map(|mv| solutions[id].accepts(mv));
        assert_eq!(verdicts("a"), [true, true, false, false]);
        assert_eq!(verdicts("b"), [false, true, true, true]);
    }

    #[test]
    fn mates_are_announced_and_moves_have_points() {
        let text = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - dm 1; id \"m\";\n\
                    4k3/P7/8/8/8/8/8/4K3 w - - c0 \"a8=Q=10, a8=R+=7, Kd2 = 2\"; id \"p\";\n\
                    4k3/8/8/8/8/8/8/4K3 w - - c0 \"e=mc2\"; id \"n\";\n\
                    4k3/8/8/8/8/8/8/4K3 w - - c0 \"Qh5=3\"; dm x; id \"i\";\n";
        let game = Chess::default();
        let set = parse(&game, Kind::Epd, "s", "s.epd".as_ref(), text, Provenance::default()).unwrap();
        let solutions = solutions_of(&set.entries);
        assert_eq!(solutions.keys().collect::<Vec<_>>(), ["m", "p"], "what cannot be meant so is a remark");
        let mate = |score| solutions["m"].solves("a1b1", Some(score));
        assert!(mate(MATE - 1) && !mate(MATE - 2) && !mate(900) && !mate(-MATE) && !mate(i32::MAX));
        assert!(Solution { mate_in: Some(3), ..Solution::default() }.solves("", Some(MATE - 5)));
        let points = ["a7a8q", "a7a8r", "e1d2", "e1f1"].map(|mv| solutions["p"].points(mv));
        assert_eq!(points, [Some((10, 10)), Some((7, 10)), Some((2, 10)), Some((0, 10))]);
        assert_eq!(
            (solutions["p"].best.as_slice(), solutions["m"].points("a1b1")),
            (&["a7a8q".to_owned()][..], None)
        );
        assert!(solutions["p"].solves("a7a8q", None) && !solutions["p"].solves("a7a8r", None));
    }

    #[test]
    fn every_bratko_kopec_position_has_a_solution() {
        let set = builtin(&Chess::default(), "bratko-kopec").unwrap();
        let solutions = solutions_of(&set.entries);
        assert_eq!(solutions.len(), 24);
        assert!(solutions.values().all(|solution| !solution.best.is_empty()));
        let moves = |entry: &Entry| entry.best_moves().count();
        assert!(set.entries.iter().all(|entry| solutions[&entry.id].best.len() == moves(entry)));
    }
}
