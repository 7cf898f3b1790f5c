//! A fixed piece of work: its node count is the signature of a build and its settings, its time their speed.

use super::dialect::Dialect;
use super::info::rate;
use super::output::Output;
use super::time::wall;
use secateur_core::Meter;
use secateur_core::search::{AnySearch, Limits, MAX_DEPTH};
use secateur_positions::builtin;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Depth of a bench of chess that names none, plies.
pub const BENCH_DEPTH: i32 = 8;

/// Searches the positions of a set to `depth`, each from an empty memory, and says how many nodes that took.
/// The sum is the same every time; a stopped bench has none.
pub(super) fn bench<G: Dialect, W: Write>(
    search: &mut dyn AnySearch<G>,
    depth: i32,
    stop: &Arc<AtomicBool>,
    out: &Output<W>,
) -> io::Result<()> {
    let set = match builtin(search.game(), G::BENCH.0) {
        Ok(set) => set,
        Err(error) => return out.error(&error.to_string()),
    };
    let depth = depth.clamp(1, MAX_DEPTH);
    let limits = Limits { depth, stop: Some(Arc::clone(stop)), ..Limits::default() };
    let (mut nodes, begin) = (0, wall());
    for entry in &set.entries {
        let Ok(root) = search.game().parse(&entry.position) else { continue };
        search.forget();
        let outcome = search.go(&root, &[], &limits, &mut |_| ControlFlow::Continue(()));
        if stop.load(Ordering::Relaxed) {
            search.forget();
            return out.note("bench stopped");
        }
        let Meter { seldepth, .. } = outcome.meter;
        let mv = outcome.last().best_move().map_or("-".to_owned(), |mv| search.game().format_move(&root, mv));
        let count = outcome.tally.nodes;
        out.note(&format!("bench {} depth {depth} seldepth {seldepth} nodes {count} move {mv}", entry.id))?;
        nodes += count;
    }
    search.forget();
    out.line(&format!("{nodes} nodes {} nps", rate(nodes, wall() - begin)))
}
