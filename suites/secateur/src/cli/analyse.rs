//! `analyse`: what is in a position, by our own search: the board, the best moves with their values, a line of each, and what each
//! method does there by itself.

use crate::cli::failure::{Failure, Outcome};
use crate::cli::running::interrupt;
use crate::cli::say::say;
use secateur_arena::analysis::{Analysis, Analyst, Did, Limits, Place, each_alone, forced, places};
use secateur_base::number::{plural, whole};
use secateur_base::program::name;
use secateur_core::{AnyGame, Notation, Rules};
use secateur_reports::format::{count, only_if, ratio};
use secateur_reports::render::terminal;
use secateur_reports::table::{Report, Table};
use secateur_stats::labels::members;
use secateur_suites::allowance::Allowance;
use secateur_suites::instruments::clock::wall_time;
use secateur_suites::instruments::machine::cores;
use secateur_suites::setups::arm::Arm;
use secateur_suites::setups::methods;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Arguments of `analyse`.
#[derive(clap::Args)]
#[command(
    after_help = format!("Examples:\n  {me} analyse kaufman:3 --depth 8\n  {me} analyse kaufman:kaufman.07 --methods all --params strong \
                  --time 10s --lines 3\n  {me} analyse \
                  '---------------------------OX------XO--------------------------- X' --depth 6\n  {me} analyse games.epd:12\n\n\
                  Without methods every value is exact at its depth; with them a move below the first may be worth more than it says. \
                  For a single position, a second table shows each method alone at the same depth: all methods, or those of --methods. \
                  Values are for the side to move; #3 is a forced win in three moves.\n\
                  Exit code 2 for an invalid position, with its place; 4 if it was stopped.", me = name())
)]
pub struct Flags {
    /// A position as a line of a file (FEN, EPD, OBF), `start`, SET:ID, SET:NUMBER, FILE:LINE, or all of a set or a file
    #[arg(allow_hyphen_values = true)]
    position: String,
    /// The game, if the text does not show it
    #[arg(long)]
    game: Option<String>,
    /// Maximum depth, plies
    #[arg(long)]
    depth: Option<i64>,
    /// Maximum nodes per position
    #[arg(long, value_parser = whole)]
    nodes: Option<i64>,
    /// Maximum time per position [default: 3s without --depth and --nodes]
    #[arg(long)]
    time: Option<String>,
    /// Methods of the search, e.g. all, or null-move+lmr
    #[arg(long, default_value = "none")]
    methods: String,
    /// Parameters and host options: a built-in variant, or a .toml file with the entries that differ
    #[arg(long)]
    params: Option<String>,
    /// Number of moves with a value and a line; 0 for all
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=1000))]
    lines: u16,
    /// Print only the moves, not what each method does
    #[arg(long)]
    moves_only: bool,
}

/// The time of a position if nothing is said.
const USUAL: Duration = Duration::from_secs(3);

impl Flags {
    pub fn run(self) -> Outcome {
        let places = places(&self.position, self.game.as_deref())?;
        let Some(first) = places.first() else { return Ok(()) };
        let analyst = Analyst::new(&first.game, &self.methods, self.params.as_deref())?;
        let stop = interrupt("the last complete iteration is what is shown")?;
        let limits = self.limits(&stop)?;
        for place in &places {
            let analysis = analyst.analyse(place, &limits, usize::from(self.lines));
            say(&shown(place, &analysis, &self.methods));
            if places.len() == 1 && !self.moves_only && !stop.load(Ordering::SeqCst) {
                say(&self.alone(place, &analysis, &stop)?);
            }
            if stop.load(Ordering::SeqCst) {
                return Err(Failure::stopped("stopped"));
            }
        }
        Ok(())
    }

    /// What each method does by itself, to the depth that was reached.
    fn alone(&self, place: &Place, reached: &Analysis, stop: &Arc<AtomicBool>) -> Result<String, Failure> {
        let asked = Arm::parse(&self.methods).ok().filter(|_| self.methods != "none");
        let asked: Vec<String> = asked
            .map_or_else(Vec::new, |arm| members(&arm.to_string()).into_iter().map(str::to_owned).collect());
        let names =
            if asked.is_empty() { methods::names() } else { asked.iter().map(String::as_str).collect() };
        let limits = Limits { depth: reached.depth, stop: Some(Arc::clone(stop)), ..Limits::default() };
        let all = each_alone(place, &names, self.params.as_deref(), &limits, cores())?;
        Ok(each_shown(place, &all))
    }

    fn limits(&self, stop: &Arc<AtomicBool>) -> Result<Limits, Failure> {
        let depth = self.depth.map(Allowance::depth).transpose().map_err(Failure::at("--depth"))?;
        let nodes = self.nodes.map(Allowance::nodes).transpose().map_err(Failure::at("--nodes"))?;
        let time = self.time.as_deref().map(Allowance::time).transpose().map_err(Failure::at("--time"))?;
        let usual = (depth.is_none() && nodes.is_none()).then_some(USUAL);
        let time = time.map(|time| Duration::from_nanos(time.amount())).or(usual);
        let most = Limits::default();
        Ok(Limits {
            depth: depth.map_or(most.depth, |depth| depth.amount() as i32),
            nodes: nodes.map_or(most.nodes, Allowance::amount),
            time: time.map(|time| (time, wall_time as fn() -> Duration)),
            stop: Some(Arc::clone(stop)),
        })
    }
}

/// The board, what was searched, and the moves.
fn shown(place: &Place, analysis: &Analysis, methods: &str) -> String {
    let game = &place.game;
    let side = game.sides()[game.side(&place.root)];
    let mut text = format!("{} ({}), {side} to move\n\n", place.entry.id, place.game_name());
    text += &drawn(&place.board());
    let depth = if analysis.is_exact { "to the end".to_owned() } else { format!("depth {}", analysis.depth) };
    let nodes = plural(analysis.nodes as usize, "node");
    text += &format!("\n{depth}, {nodes}, methods: {methods}\n");
    let mut table = Table::default();
    for line in &analysis.lines {
        let mv = line.moves.first().cloned().unwrap_or_default();
        let worth = (game.unit().name, value(game, line.value));
        table.row([("<move", mv), worth, ("<line", line.moves.join(" "))]);
    }
    if analysis.lines.len() < analysis.moves {
        table.notes.push(format!("{} of {}", analysis.lines.len(), plural(analysis.moves, "move")));
    }
    text + &terminal(&Report::of_table("Moves", Vec::new(), table), WIDE)
}

/// What each method did, those that did something, the one that saved most first; the first of them all is `none`.
fn each_shown(place: &Place, all: &[Did]) -> String {
    let Some((none, methods)) = all.split_first() else { return String::new() };
    let game = &place.game;
    let best = |did: &Did| {
        did.analysis
            .lines
            .first()
            .cloned()
            .map(|line| (line.moves.first().cloned().unwrap_or_default(), line.value))
    };
    let unit = game.unit().name;
    let row = |did: &Did| {
        let (mv, worth) = best(did).unwrap_or_default();
        let is_other = best(none).is_some_and(|(first, _)| first != mv);
        let saved = none.analysis.nodes as f64 / did.analysis.nodes.max(1) as f64;
        let number = |n: u64| only_if(n > 0, || count(n));
        [
            ("<method", did.method.clone()),
            ("nodes", count(did.analysis.nodes)),
            ("nodes saved", format!("{}x", ratio(saved))),
            ("<move", if is_other { format!("{mv} (another)") } else { mv }),
            (unit, value(game, worth)),
            ("cuts", number(did.analysis.cuts)),
            ("asked", number(did.analysis.tries)),
        ]
    };
    let does = |did: &&Did| did.analysis.nodes != none.analysis.nodes || did.analysis.cuts > 0;
    let mut shown: Vec<&Did> = methods.iter().filter(does).collect();
    shown.sort_by_key(|did| did.analysis.nodes);
    let mut table: Table = std::iter::once(none).chain(shown).map(row).collect();
    let idle: Vec<&str> = methods.iter().filter(|did| !does(did)).map(|did| did.method.as_str()).collect();
    table
        .notes
        .push(format!("Each by itself, depth {}; only the best move is searched for.", none.analysis.depth));
    table.notes.push("Asked: nodes or moves at which it might have spoken.".to_owned());
    // Names, a few to a line: notes are not wrapped.
    for (at, names) in idle.chunks(4).enumerate() {
        let lead = if at == 0 { "Did nothing here: " } else { "  " };
        table.notes.push(format!("{lead}{}", names.join(", ")));
    }
    terminal(&Report::of_table("What each method does here", Vec::new(), table), WIDE)
}

/// A board with the names of its files and ranks.
fn drawn(rows: &[Vec<char>]) -> String {
    let letters = |row: &[char]| row.iter().map(|square| format!(" {square}")).collect::<String>();
    let files: Vec<char> = ('a'..='z').take(rows.first().map_or(0, Vec::len)).collect();
    let name = |at: usize| rank(rows, at);
    let mut text = String::new();
    for (at, row) in rows.iter().enumerate() {
        text += &format!("{:>3} {}\n", name(at), letters(row));
    }
    if !files.is_empty() {
        text += &format!("    {}\n", letters(&files));
    }
    text
}

/// The number of a row: ranks of pieces count from below, as their texts begin at the top; rows of discs from above.
fn rank(rows: &[Vec<char>], at: usize) -> usize {
    let has_pieces = rows.iter().flatten().any(|square| square.is_ascii_lowercase());
    if has_pieces { rows.len() - at } else { at + 1 }
}

/// Columns of a terminal that everybody has.
pub const WIDE: u16 = 100;

/// A value as people read it, in the unit of the game or as the moves to a forced end: `+1.25`, `-12`, `#3` (a win in three moves), `#-2`.
pub fn value(game: &AnyGame, score: i32) -> String {
    if let Some(plies) = forced(game, score) {
        let moves = (plies.abs() + 1) / 2;
        return format!("#{}", moves * plies.signum());
    }
    let unit = game.unit();
    match score % unit.scale {
        0 => format!("{:+}", score / unit.scale),
        _ => format!("{:+.2}", f64::from(score) / f64::from(unit.scale)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_suites::setups::games;

    #[test]
    fn boards_are_drawn_as_their_players_number_them() {
        let chess: Vec<Vec<char>> = ["k.", ".K"].map(|row| row.chars().collect()).to_vec();
        assert_eq!(drawn(&chess), "  2  k .\n  1  . K\n     a b\n");
        let discs: Vec<Vec<char>> = ["X.", ".O"].map(|row| row.chars().collect()).to_vec();
        assert_eq!(drawn(&discs), "  1  X .\n  2  . O\n     a b\n");
    }

    #[test]
    fn values_are_in_units() {
        // Not those that other tests register.
        for &name in secateur_games::NAMES {
            let game = games::find(name).unwrap();
            let scale = game.unit().scale;
            let text = |score: i32| value(&game, score);
            assert_eq!([text(0), text(-12 * scale), text(scale + scale / 4)], ["+0", "-12", "+1.25"]);
        }
    }
}
