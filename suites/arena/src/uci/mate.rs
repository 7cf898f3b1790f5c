//! `go mate`: is there a mate in so many moves? Found out without any method, so that a yes is a proof and a no is one too.
//!
//! Only values above a mate one move later matter, so nearly every position is left at the first move that avoids the
//! mate; what is searched is still the full width. Iterations grow, so the shortest mate is found first. Left out: how long
//! one side can put a mate off that is not there, and being mated.

use super::dialect::Dialect;
use super::info;
use super::think::{Answer, Teller};
use secateur_base::MATE;
use secateur_core::prune::Methods;
use secateur_core::search::{Limits, News, Options, Scope};
use secateur_core::{Score, Window};
use std::io::{self, Write};
use std::ops::ControlFlow;

/// Most memory of a proof, MiB: it has a table of its own next to that of the search.
const MOST_TABLE: usize = 64;

/// Looks for a mate in `moves` (at least 1) for the side to move; nothing if there is none, which is said, or if a limit came
/// first. `table_mib` is the size of the search's own table.
pub(super) fn prove<G: Dialect, W: Write>(
    teller: &mut Teller<'_, G, W>,
    moves: u32,
    table_mib: usize,
) -> io::Result<Option<Answer<G::Move>>> {
    let task = teller.task;
    let plies = 2 * moves as i32 - 1;
    let options = Options { table_mib: table_mib.min(MOST_TABLE), ..Options::default() };
    let mut search = G::default().searcher(Methods::NONE, options);
    let limits = teller.limits();
    let limits = Limits { depth: limits.depth.min(plies), ..limits };
    let alpha = Score(MATE - plies - 1);
    let scope = Scope { moves: task.moves.clone(), lines: 1, window: Window { alpha, ..Window::FULL } };
    let (mut proven, mut shortest, mut depth, mut written) = (None, false, 0, Ok(()));
    let outcome = search.analyse(&task.root, &task.before, &limits, &scope, &mut |news| {
        match news {
            News::Turn { depth, mv, number } if written.is_ok() => written = teller.turn(depth, mv, number),
            News::Turn { .. } => {}
            News::Line { iteration, fill, .. } => {
                depth = iteration.depth;
                // Quiescence sees mates that are longer than the iteration; a shorter one may come yet.
                shortest = iteration.score > alpha && iteration.depth >= MATE - iteration.score.0;
                let effort = teller.effort(iteration.nodes, Some(fill));
                if iteration.score > alpha {
                    proven =
                        Some(Answer { best: iteration.best_move(), reply: iteration.pv.get(1).copied() });
                    written = teller.out.line(&info::line(teller.game, &task.root, iteration, None, effort));
                } else {
                    // A value that is only a bound would be read as a value.
                    written = teller.out.line(&info::bare(iteration, effort));
                }
            }
        }
        if !shortest && written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    written?;
    teller.ended(outcome.tally.nodes)?;
    if proven.is_none() && depth == plies {
        teller.out.note(&format!("no mate in {moves}"))?;
    }
    Ok(proven)
}
