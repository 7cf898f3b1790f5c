//! From the answer of an engine to the rows of the record.

use crate::cell::{Cell, Rows, nanos};
use crate::engine::{Answer, EngineScore, Info};
use crate::pv;
use crate::record::{IterationRow, Record, Sanity};
use secateur_core::Game;
use secateur_core::game::chess::{Chess, MATE};

/// The rows of a search by an engine; a row with an error if the answer cannot be true.
pub(super) fn rows(game: &Chess, cell: &Cell<'_>, answer: &Answer) -> Rows {
    let root = match game.parse(&cell.entry.position) {
        Ok(root) => root,
        Err(error) => return cell.failed(&error.to_string()),
    };
    let Ok(mv) = game.parse_move(&root, &answer.best_move) else {
        return cell.failed(&format!("illegal move {}", answer.best_move));
    };
    // A move from a book comes without a search, and would look like an infinitely fast one.
    let Some(last) = answer.last() else {
        return cell.failed("bestmove without a depth and a score before it");
    };
    let mut line = Vec::new();
    let mut pos = root.clone();
    let mut is_legal = true;
    for text in &last.pv {
        let Ok(mv) = game.parse_move(&pos, text) else {
            is_legal = false;
            break;
        };
        pos = game.play(&pos, mv);
        line.push(mv);
    }
    let sane = if is_legal { pv::verdict(game, &root, &line, last.depth as i32) } else { Sanity::Illegal };
    let record = Record {
        depth: last.depth,
        seldepth: last.seldepth,
        nodes: answer.nodes,
        score: score(last),
        bound: Some(last.bound),
        best_move: game.format_move(&root, mv),
        pv: last.pv.join(" "),
        pv_ok: sane,
        time_ns: nanos(answer.wall),
        ..cell.blank()
    };
    let scored = answer.infos.iter().filter(|info| info.score.is_some());
    Rows { record, iterations: scored.map(|info| iteration(cell, info)).collect(), counters: Vec::new() }
}

fn iteration(cell: &Cell<'_>, info: &Info) -> IterationRow {
    IterationRow {
        depth: info.depth,
        nodes: info.nodes,
        score: score(info),
        best_move: info.pv.first().cloned().unwrap_or_default(),
        time_ns: nanos(info.time),
        ..IterationRow::of(cell.key.clone())
    }
}

/// The value in centipawns, with mates as this program writes them: by plies.
fn score(info: &Info) -> i32 {
    match info.score {
        None => 0,
        Some(EngineScore::Cp(value)) => value.clamp(-MATE, MATE),
        Some(EngineScore::Mate(moves)) if moves > 0 => {
            (MATE + 1).saturating_sub(moves.saturating_mul(2)).max(0)
        }
        Some(EngineScore::Mate(moves)) => moves.saturating_mul(-2).saturating_sub(MATE).min(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_plies() {
        let of = |score| super::score(&Info { score: Some(score), ..Info::default() });
        assert_eq!(of(EngineScore::Mate(1)), MATE - 1);
        assert_eq!(of(EngineScore::Mate(3)), MATE - 5);
        assert_eq!(of(EngineScore::Mate(0)), -MATE);
        assert_eq!(of(EngineScore::Mate(-2)), 4 - MATE);
        assert_eq!(of(EngineScore::Cp(-31)), -31);
        assert_eq!(of(EngineScore::Mate(i32::MAX)), 0);
        assert_eq!(of(EngineScore::Mate(i32::MIN)), 0);
    }
}
