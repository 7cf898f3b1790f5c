//! Whether what an engine says of its search can be true.
//!
//! Its counts go into sums and ratios, where one lie is all that is seen. Nothing here asks whether a claim is right, only
//! whether any program on any computer could make it.

use super::{Answer, EngineScore};
use std::time::Duration;

/// Deepest iteration of any known engine, plies, and some more: Stockfish ends at 245.
const DEEPEST: u32 = 256;
/// The same for the deepest ply of any line, where quiescence and extensions come on top.
const DEEPEST_LINE: u32 = 1024;
/// More nodes a second than one thread of any processor can have.
const FASTEST: f64 = 1e10;
/// The shortest time that is told apart from none, since an answer may be there before we look.
const SHORTEST: Duration = Duration::from_millis(1);
/// How much later its clock may be than ours.
const SLACK: Duration = Duration::from_secs(1);
/// Longest mate, moves: the longest known one with seven men takes 549.
const LONGEST_MATE: u32 = 1000;

/// What cannot be true of an answer, in words. `deepest` is the deepest iteration that the question allows, plies.
pub(super) fn impossible(answer: &Answer, deepest: Option<u32>) -> Option<String> {
    let wall = answer.wall.max(SHORTEST);
    let most = wall.as_secs_f64() * FASTEST;
    if answer.nodes as f64 > most {
        return Some(format!("{} nodes in {:.3} s", answer.nodes, wall.as_secs_f64()));
    }
    answer.infos.iter().find_map(|info| {
        let mate = match info.score {
            Some(EngineScore::Mate(moves)) => moves.unsigned_abs(),
            _ => 0,
        };
        match deepest.filter(|asked| info.depth > *asked && info.score.is_some()) {
            Some(asked) => Some(format!("depth {} where {asked} was asked", info.depth)),
            None if info.depth > DEEPEST => Some(format!("depth {}", info.depth)),
            None if info.seldepth > DEEPEST_LINE => Some(format!("seldepth {}", info.seldepth)),
            None if info.time > wall * 2 + SLACK => {
                Some(format!("time {} ms in {:.3} s", info.time.as_millis(), wall.as_secs_f64()))
            }
            None if mate > LONGEST_MATE => Some(format!("mate in {mate}")),
            None => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::super::{Act, Info};
    use super::*;

    fn error_of(info: Info) -> Option<String> {
        let score = info.score.or(Some(EngineScore::Cp(1)));
        let nodes = info.nodes;
        let answer = Answer {
            act: Act::Moves,
            best_move: "e2e4".to_owned(),
            infos: vec![Info { score, ..info }],
            nodes,
            wall: Duration::from_millis(100),
            cpu: None,
            counts: Vec::new(),
        };
        impossible(&answer, Some(256))
    }

    #[test]
    fn the_last_possible_claim_passes_and_the_next_does_not() {
        type Claim = fn(u64) -> Info;
        let claims: [(Claim, u64, &str); 4] = [
            (|x| Info { depth: x as u32, ..Info::default() }, 256, "depth 257 where 256 was asked"),
            (|x| Info { seldepth: x as u32, ..Info::default() }, 1024, "seldepth 1025"),
            (|x| Info { nodes: x, ..Info::default() }, 1_000_000_000, "1000000001 nodes in 0.100 s"),
            (|x| Info { time: Duration::from_millis(x), ..Info::default() }, 1200, "time 1201 ms"),
        ];
        for (info, most, beginning) in claims {
            assert_eq!(error_of(info(most)), None);
            let error = error_of(info(most + 1)).unwrap();
            assert!(error.starts_with(beginning), "{error}");
        }
        for mate in [i32::MIN, -1001, 1001, i32::MAX] {
            assert!(error_of(Info { score: Some(EngineScore::Mate(mate)), ..Info::default() }).is_some());
        }
        assert!(error_of(Info { nodes: u64::MAX, ..Info::default() }).is_some());
    }

    #[test]
    fn depth_is_free_where_it_was_not_asked() {
        let answer = |depth| Answer {
            act: Act::Moves,
            best_move: "e2e4".to_owned(),
            infos: vec![Info { depth, ..Info::default() }],
            nodes: 0,
            wall: Duration::ZERO,
            cpu: None,
            counts: Vec::new(),
        };
        assert_eq!(impossible(&answer(99), None), None);
        assert!(impossible(&answer(257), None).is_some());
    }
}
