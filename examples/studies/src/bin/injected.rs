//! Where does one wrong cut reach the root? Full-width searches, each with a single lie.
//!
//! `injected GAME DEPTH LIMIT` searches LIMIT positions of a test set to DEPTH without methods, draws nodes of the last iteration by
//! their ply and expected type, and searches each position again with one of them answered falsely: a node whose value is at
//! least beta says alpha, any other says beta. What is false is known from a search of the node itself. The answer enters the
//! table like any cut, so that other lines meet it too. It prints CSV: by type and ply how often the root's move and value
//! change, and what the move then loses by a full-width search of the same depth, with 95 % intervals (Wilson; over
//! positions). Source of the question: Lim & Lee, Properties of forward pruning in game-tree
//! search, AAAI 2006 (theory).

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use secateur_core::prune::{Asks, Depths, Place, Prune, Verdict};
use secateur_core::score::{Score, Window};
use secateur_core::search::{Budget, Kind, Node, Options, Search};
use secateur_core::{Depth, Game};
use secateur_games::chess::Chess;
use secateur_games::othello::Othello;
use secateur_positions::builtin::{builtin, is_reserved};
use std::error::Error;
use std::io::{Write, stdout};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use studies::mean_within;

/// Plies from the root at which nodes are drawn, and nodes of each ply and type in a position.
const PLIES: usize = 6;
const DRAWN: usize = 2;

/// A node of the last iteration, by its place among those of its ply and type.
struct Drawn<G: Game> {
    place: u64,
    pos: G::Position,
    depth: Depth,
    window: Window,
}

/// What only one thread ever asks for.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A method that counts and draws nodes and, on request, lies once.
struct Liar<G: Game> {
    depth: Depth,
    seen: [[AtomicU64; PLIES]; 2],
    drawn: [[Mutex<Vec<Drawn<G>>>; PLIES]; 2],
    rng: Mutex<ChaCha8Rng>,
    /// Type, ply, place and what is said there.
    lie: Option<(usize, usize, u64, Score)>,
}

impl<G: Game> Liar<G> {
    fn new(depth: Depth, seed: u64, lie: Option<(usize, usize, u64, Score)>) -> Liar<G> {
        let rng = Mutex::new(ChaCha8Rng::seed_from_u64(seed));
        Liar { depth, seen: Default::default(), drawn: Default::default(), rng, lie }
    }

    /// Keeps every node with the same probability: a reservoir.
    fn draw(&self, kind: usize, ply: usize, place: u64, node: &Node<'_, G>) {
        let mut drawn = locked(&self.drawn[kind][ply]);
        let one = || Drawn { place, pos: node.pos.clone(), depth: node.depth, window: node.window };
        if drawn.len() < DRAWN {
            drawn.push(one());
        } else {
            let at = (locked(&self.rng).next_u64() % (place + 1)) as usize;
            if at < DRAWN {
                drawn[at] = one();
            }
        }
    }
}

impl<G: Game> Prune<G> for Liar<G> {
    fn asks(&self) -> Asks {
        Asks { enter: Depths::ALL, ..Asks::default() }
    }

    fn enter(&self, search: &mut Search<'_, G>, _: Place, node: &Node<'_, G>) -> Verdict {
        let kind = match node.path.kind {
            Kind::Cut => 0,
            Kind::All => 1,
            Kind::Pv => return Verdict::Go,
        };
        let ply = node.ply as usize;
        let is_null = node.window.beta.0 - node.window.alpha.0 == 1;
        if search.iteration() != self.depth || !is_null || ply > PLIES {
            return Verdict::Go;
        }
        let place = self.seen[kind][ply - 1].fetch_add(1, Ordering::Relaxed);
        match self.lie {
            None => self.draw(kind, ply - 1, place, node),
            Some((k, p, at, answer)) if (k, p, at) == (kind, ply - 1, place) => return Verdict::Cut(answer),
            Some(_) => {}
        }
        Verdict::Go
    }
}

/// What lies of one type and ply did.
#[derive(Default)]
struct Row {
    lies: usize,
    moves: usize,
    values: usize,
    /// Mean loss of each position, in the unit of the game.
    losses: Vec<f64>,
}

fn study<G: Game>(game: &G, set: &str, depth: i32, limit: usize) -> Result<(), Box<dyn Error>> {
    let options = Options { table_mib: 4, ..Options::default() };
    let set = builtin(game, set)?;
    let step = (set.entries.len() / limit).max(1);
    let mut rows: [[Row; PLIES]; 2] = Default::default();
    let scale = f64::from(game.unit().scale);
    let drawn = set.entries.iter().step_by(step).take(limit).enumerate();
    for (seed, entry) in drawn.filter(|(_, entry)| !is_reserved(&entry.id)) {
        let root = game.parse(&entry.position)?;
        let mut plain = Search::full_width(game.clone(), options.clone());
        let truth = plain.run(&root, &Budget::Depth(depth));
        let liar = Liar::new(Depth(depth), seed as u64, None);
        let counted = Search::new(game.clone(), &[&liar], options.clone()).run(&root, &Budget::Depth(depth));
        // A method that says nothing is none, node for node; otherwise places would mean nothing.
        assert_eq!(counted.tally.nodes, truth.tally.nodes, "{}", entry.position);
        let (Some(best), value) = (truth.last().best_move(), truth.last().score) else { continue };
        for (kind, of_kind) in rows.iter_mut().enumerate() {
            for (ply, row) in of_kind.iter_mut().enumerate() {
                let drawn = std::mem::take(&mut *locked(&liar.drawn[kind][ply]));
                let mut lost = Vec::new();
                for Drawn { place, pos, depth: draft, window } in drawn {
                    let exact =
                        Search::full_width(game.clone(), options.clone()).run(&pos, &Budget::Depth(draft.0));
                    let answer = if exact.last().score >= window.beta { window.alpha } else { window.beta };
                    let lie = Liar::new(Depth(depth), 0, Some((kind, ply, place, answer)));
                    let outcome =
                        Search::new(game.clone(), &[&lie], options.clone()).run(&root, &Budget::Depth(depth));
                    let Some(mv) = outcome.last().best_move() else { continue };
                    row.lies += 1;
                    row.moves += usize::from(mv != best);
                    row.values += usize::from(outcome.last().score != value);
                    let worth = if mv == best { value } else { plain.move_value(&root, mv, Depth(depth)) };
                    lost.push(f64::from(value.0 - worth.0) / scale);
                }
                if !lost.is_empty() {
                    row.losses.push(lost.iter().sum::<f64>() / lost.len() as f64);
                }
            }
        }
    }
    for (kind, rows) in ["cut", "all"].iter().zip(&rows) {
        for (ply, row) in rows.iter().enumerate().filter(|(_, row)| row.lies >= 30) {
            print(&format!("{},{kind},{}", game.name(), ply + 1), row)?;
        }
    }
    Ok(())
}

fn print(names: &str, row: &Row) -> Result<(), Box<dyn Error>> {
    let (moves, values) = (wilson(row.moves, row.lies), wilson(row.values, row.lies));
    let numbers = [moves, values, mean_within(&row.losses)].concat();
    let numbers: Vec<String> = numbers.iter().map(|x| format!("{x:.4}")).collect();
    writeln!(stdout(), "{names},{},{}", row.lies, numbers.join(","))?;
    Ok(())
}

/// A share with its 95 % Wilson interval.
fn wilson(successes: usize, trials: usize) -> [f64; 3] {
    const Z: f64 = 1.96;
    let (p, n) = (successes as f64 / trials as f64, trials as f64);
    let centre = (p + Z * Z / (2.0 * n)) / (1.0 + Z * Z / n);
    let half = Z * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt() / (1.0 + Z * Z / n);
    [p, centre - half, centre + half]
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [game, depth, limit] = &args[..] else { return Err("expected GAME DEPTH LIMIT".into()) };
    let (depth, limit) = (depth.parse()?, limit.parse()?);
    writeln!(
        stdout(),
        "# cargo run --release --manifest-path examples/studies/Cargo.toml --bin injected -- {}",
        args.join(" ")
    )?;
    writeln!(
        stdout(),
        "game,type,ply,lies,move,move_low,move_high,value,value_low,value_high,loss,loss_low,loss_high"
    )?;
    match game.as_str() {
        "othello" => study(&Othello::default(), "othello-28", depth, limit),
        "chess" => study(&Chess::default(), "chess-games", depth, limit),
        other => Err(format!("found the game `{other}`, expected othello or chess").into()),
    }
}
