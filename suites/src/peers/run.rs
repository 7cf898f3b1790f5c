//! Searches the cells of a comparison, one after another on one thread, and writes each when it is there.
//!
//! Arms take turns at every position, another first each time, so that what the machine does beside it falls
//! on all of them alike. Times are wall times for every arm: that is what can be measured of another process.

use super::{EngineArm, Kind, Peers, row, start};
use crate::cell::{Cell, Rows, run_cell_by};
use crate::clock::wall_time;
use crate::engine::{Ask, Engine, EngineError, Go};
use crate::error::Error;
use crate::guests::Ready;
use crate::run::{Ended, Progress};
use crate::store::Store;
use crate::suite::Allowance;
use crate::verify::{difference, small};
use secateur_core::Game;
use secateur_core::game::chess::{Chess, Position};
use secateur_core::search::{Options, Searcher};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Searches every cell that `store` does not have until `stop` is set. Then the search under way is given up, whether it
/// hangs or not; everything before it is written. A cell that an engine fails in is finished too, with its error.
///
/// # Errors
/// The file system.
pub fn run(
    peers: &Peers,
    mut store: Store,
    stop: &Arc<AtomicBool>,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<Ended, Error> {
    verify(peers, &store)?;
    let done = store.finished().clone();
    let (name, total) = (store.run().to_owned(), peers.cells());
    let resumed = peers.keys().filter(|key| done.contains_key(key)).count();
    let mut finished = resumed;
    progress(Progress { finished, resumed, total, last: None });
    let mut players: Vec<Player<'_>> =
        peers.seats.iter().map(|seat| Player::new(peers, &seat.kind, stop)).collect();
    for (seat, entry, repeat) in turns(peers) {
        let key = peers.key(&peers.entries[entry], &peers.seats[seat], repeat);
        if done.contains_key(&key) {
            continue;
        }
        if stop.load(Ordering::Relaxed) {
            return Ok(Ended::Stopped { finished });
        }
        let (entry, root) = (&peers.entries[entry], &peers.roots[entry]);
        let cell = Cell { run: &name, key: &key, entry, allowance: peers.allowance };
        let rows = players[seat].search(&cell, root);
        if stop.load(Ordering::Relaxed) {
            // It may have been cut short, and what is cut short is no result.
            return Ok(Ended::Stopped { finished });
        }
        store.append(std::slice::from_ref(&rows))?;
        finished += 1;
        progress(Progress { finished, resumed, total, last: Some(&rows.record) });
    }
    Ok(Ended::Complete(store.complete(peers.keys())?))
}

/// Whether this program searches what another one recorded in the run: a cell of each of our own arms ([`crate::verify`]).
/// Engines search by themselves, whoever asks them.
fn verify(peers: &Peers, store: &Store) -> Result<(), Error> {
    let foreign = store.foreign();
    let Some(maker) = foreign.first() else { return Ok(()) };
    for seat in &peers.seats {
        let Kind::Own(roster) = &seat.kind else { continue };
        let sample = peers.entries.iter().zip(&peers.roots).find_map(|(entry, root)| {
            let key = peers.key(entry, seat, 0);
            let row = store.finished().get(&key).filter(|row| row.error.is_none())?;
            foreign.iter().any(|maker| maker.id == row.maker).then_some((key, (entry, root)))
        });
        let Some((key, entry)) = sample else { continue };
        let mut search = Chess::default().searcher(roster.switched(), peers.setup.options.clone());
        if let Some(what) = difference(search.as_mut(), &key, entry, &small(store.iterations(), &key)) {
            return Err(Error::OtherTrees { dir: store.dir().to_owned(), maker: maker.program(), what });
        }
    }
    Ok(())
}

/// Indices of seat and entry, and the repeat, in the order of searching.
fn turns(peers: &Peers) -> impl Iterator<Item = (usize, usize, u32)> {
    let (seats, repeats) = (peers.seats.len(), peers.lineup.repeats);
    (0..peers.entries.len()).flat_map(move |entry| {
        (0..repeats).flat_map(move |repeat| {
            (0..seats).map(move |turn| ((turn + entry + repeat as usize) % seats, entry, repeat))
        })
    })
}

/// One who searches.
enum Player<'p> {
    Engine {
        arm: &'p EngineArm,
        hash_mib: u32,
        patience: Duration,
        /// Absent before the first search and after one that ended the process.
        engine: Option<Box<Engine>>,
        game: Box<Chess>,
        stop: &'p Arc<AtomicBool>,
    },
    Own {
        roster: &'p Ready,
        options: &'p Options,
        stop: &'p Arc<AtomicBool>,
        /// Absent before the first search and after one that panicked.
        search: Option<Searcher<'p, Chess>>,
    },
}

impl<'p> Player<'p> {
    fn new(peers: &'p Peers, kind: &'p Kind, stop: &'p Arc<AtomicBool>) -> Player<'p> {
        match kind {
            Kind::Engine(arm) => Player::Engine {
                arm,
                hash_mib: peers.lineup.hash_mib,
                patience: Duration::from_millis(peers.lineup.patience_ms),
                engine: None,
                game: Box::default(),
                stop,
            },
            Kind::Own(roster) => Player::Own { roster, options: &peers.setup.options, stop, search: None },
        }
    }

    fn search(&mut self, cell: &Cell<'_>, root: &Position) -> Rows {
        match self {
            Player::Engine { arm, hash_mib, patience, engine, game, stop } => {
                let answer = asked(arm, *hash_mib, *patience, engine, cell, stop);
                if engine.as_ref().is_some_and(|engine| !engine.is_alive()) {
                    *engine = None;
                }
                match answer {
                    Ok(answer) => row::rows(game, cell, &answer),
                    Err(error) => cell.failed(&error.to_string()),
                }
            }
            Player::Own { roster, options, stop, search } => {
                let found = search
                    .get_or_insert_with(|| Chess::default().searcher(roster.switched(), (*options).clone()));
                let rows = run_cell_by(found.as_mut(), cell, root, wall_time, Some(stop));
                if rows.record.error.is_some() {
                    *search = None;
                }
                rows
            }
        }
    }
}

/// One search by an engine, which is started if it is not there.
fn asked(
    arm: &EngineArm,
    hash_mib: u32,
    patience: Duration,
    engine: &mut Option<Box<Engine>>,
    cell: &Cell<'_>,
    stop: &Arc<AtomicBool>,
) -> Result<crate::engine::Answer, EngineError> {
    let fen = &cell.entry.position;
    let engine = match engine {
        Some(engine) => engine,
        None => {
            let engine = engine.insert(Box::new(start(arm, hash_mib, Some(Arc::clone(stop)))?));
            // Some make their tables only when they are first asked: no position is to pay for that.
            match engine.search(&Ask { fen, moves: &[], go: Go::Depth(1) }, patience) {
                // What it says of this search is asked by nobody.
                Ok(_) | Err(EngineError::Claim { .. }) => {}
                Err(error) => return Err(error),
            }
            engine
        }
    };
    engine.new_game()?;
    let (go, patience) = match cell.allowance {
        Allowance::Depth(plies) => (Go::Depth(plies), patience),
        Allowance::Nodes(nodes) => (Go::Nodes(nodes), patience),
        Allowance::Time(nanos) => {
            let time = Duration::from_nanos(nanos);
            (Go::MoveTime(time), time + patience)
        }
    };
    engine.search(&Ask { fen, moves: &[], go }, patience)
}
