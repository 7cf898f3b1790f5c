//! What an engine says while it searches, and what was observed so far, depth by depth, whatever the protocol.
//!
//! It is bounded: a broken engine must not fill the memory with what it says, nor bring sums of it to overflow.
//!
//! What methods did in a search a program may say line by line: `info string count METHOD tries N cuts N`, with `cuts_high N`,
//! `cuts_low N` and `probes N` where they are known, in any order, after `#` too, which is how comments of CECP begin. The last line of a
//! method counts. A line is one of these if one of the five names stands behind the method; then all of it must be read.
//!
//! Whether what it says can be true is asked because counts go into sums and ratios, where one lie is all that is seen: not whether a
//! claim is right, only whether any program on any computer could make it.

use crate::Says;
use crate::number::{Fields, Unread, count as number};
use std::collections::BTreeMap;
use std::time::Duration;

pub use secateur_record::record::Bound;

/// The value of a search in the engine's own scale, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineScore {
    /// Hundredths of a pawn or of a disc, or what the engine takes for them.
    Cp(i32),
    /// Mate in this many moves; negative if the side to move is mated.
    Mate(i32),
}

/// The last that an engine said of one depth. Numbers it did not say are 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// Depth of the iteration, plies; 0 if it names none.
    pub depth: u32,
    /// Deepest ply reached.
    pub seldepth: u32,
    /// Nodes since the start of the search.
    pub nodes: u64,
    /// Time since the start of the search on the engine's own clock, whole milliseconds.
    pub time: Duration,
    /// The value; absent if it named none for this depth.
    pub score: Option<EngineScore>,
    /// What `score` is.
    pub bound: Bound,
    /// Principal variation as the program writes moves: in UCI form, in SAN, as squares.
    pub pv: Vec<String>,
}

/// What a program did when it was to move. All of it is its right by the protocol; whether a claim holds, the rules say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Act {
    /// It moved.
    #[default]
    Moves,
    /// It gave the game up.
    Resigns,
    /// It says that the rules give it the game.
    ClaimsWin,
    /// It says that the rules make the game a draw.
    ClaimsDraw,
}

/// A finished search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Whether it moved, or what it did instead.
    pub act: Act,
    /// The move, as the program writes moves. It looks like a move; whether it is legal was not checked. Of a program that
    /// did not move, the first move of its last line, or nothing.
    pub best_move: String,
    /// One for each depth that was named, in order of depth. The last may be of an iteration that was not
    /// finished, and may have no score.
    pub infos: Vec<Info>,
    /// All nodes, as the engine counts them: the largest count it named.
    pub nodes: u64,
    /// From the question to the answer, on our clock.
    pub wall: Duration,
    /// Processor time of the program and of what it started, in the same span; absent where it cannot be known (not on
    /// Linux, or the process ended). To 10 ms where threads or processes ended meanwhile.
    pub cpu: Option<Duration>,
    /// What its methods did, if it counts that.
    pub counts: Vec<Count>,
}

impl Answer {
    /// The deepest iteration with a value.
    pub fn last(&self) -> Option<&Info> {
        self.infos.iter().rev().find(|info| info.score.is_some())
    }

    /// What it says of the search besides the move.
    pub fn says(&self) -> Says {
        Says {
            depth: self.infos.iter().any(|info| info.depth > 0),
            nodes: self.nodes > 0,
            score: self.last().is_some(),
            line: self.infos.iter().any(|info| info.pv.len() > 1),
        }
    }
}

/// Whether this is how UCI writes a move: two squares, and what a pawn becomes.
pub fn is_move_text(text: &str) -> bool {
    let square = |file: u8, rank: u8| matches!((file, rank), (b'a'..=b'h', b'1'..=b'8'));
    match *text.as_bytes() {
        [a, b, c, d] => square(a, b) && square(c, d),
        [a, b, c, d, piece] => square(a, b) && square(c, d) && b"qrbn".contains(&piece),
        _ => false,
    }
}

/// A move in the form of UCI, with the letter of what a pawn becomes in either case, as programs of the time before UCI write it.
pub(super) fn move_text(text: &str) -> Option<String> {
    let form = match text.as_bytes() {
        [_, _, _, _, b'Q' | b'R' | b'B' | b'N'] => text.to_ascii_lowercase(),
        _ => text.to_owned(),
    };
    is_move_text(&form).then_some(form)
}

/// Depths that are kept apart.
const MOST_DEPTHS: usize = 512;
/// What counts of nodes are expected to be.
const GROWING: &str = "counts since the search began, which never fall";
/// Moves of a line.
const LONGEST_LINE: usize = 256;
/// From this loss on, in hundredths, a program counts as seeing itself lost.
const LOST: i32 = -1_000;
/// Largest value in hundredths, so that sums and signs of values cannot overflow.
const LARGEST: i32 = 10_000_000;

/// What was observed so far in a search.
#[derive(Debug, Default)]
pub(super) struct Observed {
    depths: BTreeMap<u32, Info>,
    nodes: u64,
    /// The last count that was named without a depth.
    last_nodes: u64,
    counts: Vec<Count>,
    /// The first number that could not be read.
    unread: Option<Unread>,
}

impl Observed {
    /// Nodes that were named without a depth.
    pub(super) fn nodes(&mut self, nodes: u64) {
        if nodes == 0 {
            return;
        }
        if nodes < self.last_nodes {
            let counts = format!("{nodes} behind {}", self.last_nodes);
            self.unread.get_or_insert(Unread::new("nodes", &counts, GROWING));
        }
        self.last_nodes = nodes;
        self.nodes = self.nodes.max(nodes);
    }

    /// That a deeper iteration names fewer nodes than one before it, if one does: then it counts each by itself, or its counter ran
    /// over, and the largest count is not that of the search.
    fn fallen(&self) -> Option<Unread> {
        let mut before: Option<&Info> = None;
        for info in self.depths.values().filter(|info| info.nodes > 0) {
            if let Some(before) = before.filter(|before| before.nodes > info.nodes) {
                let counts = format!(
                    "{} at depth {} behind {} at depth {}",
                    info.nodes, info.depth, before.nodes, before.depth
                );
                return Some(Unread::new("nodes", &counts, GROWING));
            }
            before = Some(info);
        }
        None
    }

    /// Takes in a line of any protocol that counts what a method did.
    pub(super) fn count(&mut self, line: &str) {
        let counted = observe(line, &mut self.counts);
        self.read(counted);
    }

    /// What was read of a line, if all of it could be: else the search has no answer that could be kept.
    pub(super) fn read<T>(&mut self, line: Result<T, Unread>) -> Option<T> {
        match line {
            Ok(value) => Some(value),
            Err(unread) => {
                self.unread.get_or_insert(unread);
                None
            }
        }
    }

    /// Whether anything was said of any depth.
    pub(super) fn is_empty(&self) -> bool {
        self.depths.is_empty()
    }

    /// Takes in what was said of a depth. A later word may leave out what an earlier one said.
    pub(super) fn tell(&mut self, info: Info) {
        self.nodes = self.nodes.max(info.nodes);
        let depth = info.depth;
        if self.depths.len() >= MOST_DEPTHS && !self.depths.contains_key(&depth) {
            return;
        }
        let kept = self.depths.entry(depth).or_insert_with(|| Info { depth, ..Info::default() });
        kept.seldepth = kept.seldepth.max(info.seldepth);
        kept.nodes = kept.nodes.max(info.nodes);
        kept.time = kept.time.max(info.time);
        if info.score.is_some() {
            (kept.score, kept.bound) = (info.score, info.bound);
        }
        if !info.pv.is_empty() {
            kept.pv = info.pv;
            kept.pv.truncate(LONGEST_LINE);
        }
    }

    /// Whether the last value says that the game is lost.
    pub(super) fn is_lost(&self) -> bool {
        let last = self.depths.values().rev().find_map(|info| info.score);
        last.is_some_and(|score| match score {
            EngineScore::Mate(moves) => moves <= 0,
            EngineScore::Cp(value) => value <= LOST,
        })
    }

    /// All of it, with the move, or what was done in place of one, and the first number that could not be read: then nothing is
    /// kept but the move.
    pub(super) fn answer(
        mut self,
        mv: Result<String, Act>,
        wall: Duration,
        cpu: Option<Duration>,
    ) -> (Answer, Option<Unread>) {
        let unread = self.unread.take().or_else(|| self.fallen());
        if unread.is_some() {
            self = Observed::default();
        }
        let infos: Vec<Info> = self.depths.into_values().collect();
        let first = || infos.iter().rev().find_map(|info| info.pv.first().cloned());
        let (act, best_move) = match mv {
            Ok(mv) => (Act::Moves, mv),
            Err(act) => (act, first().unwrap_or_default()),
        };
        (Answer { act, best_move, infos, nodes: self.nodes, wall, cpu, counts: self.counts }, unread)
    }
}

/// A value in hundredths, kept within bounds.
pub(super) fn hundredths(value: f64) -> EngineScore {
    // A cast of a float saturates.
    EngineScore::Cp((value.round() as i32).clamp(-LARGEST, LARGEST))
}

/// What one method did in a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// The method, in the words of the program.
    pub method: String,
    /// How often it was tried.
    pub tries: u64,
    /// How often it cut.
    pub cuts: u64,
    /// Cuts that say the value is at least beta.
    pub cuts_high: Option<u64>,
    /// Cuts that say the value is at most alpha.
    pub cuts_low: Option<u64>,
    /// Nodes of its own searches.
    pub probes: Option<u64>,
}

/// Methods that are kept apart, and letters of a name: a broken engine must not fill the memory with them.
const MOST: usize = 256;
/// See there.
const LONGEST: usize = 64;

/// What stands behind a method, each with its number.
const NAMES: [&str; 5] = ["tries", "cuts", "cuts_high", "cuts_low", "probes"];

/// Takes in a line if it counts.
///
/// # Errors
/// A line that counts and cannot be read, or one of too many methods.
fn observe(line: &str, counts: &mut Vec<Count>) -> Result<(), Unread> {
    let Some(count) = parse(line)? else { return Ok(()) };
    match counts.iter().position(|other| other.method == count.method) {
        Some(at) => counts[at] = count,
        None if counts.len() < MOST => counts.push(count),
        None => return Err(Unread::new("count", &count.method, "at most 256 methods")),
    }
    Ok(())
}

fn parse(line: &str) -> Result<Option<Count>, Unread> {
    let line = line.trim_start().trim_start_matches('#').trim_start();
    let Some((method, rest)) = line
        .strip_prefix("info string count ")
        .and_then(|text| text.trim_start().split_once(char::is_whitespace))
    else {
        return Ok(None);
    };
    let mut fields = Fields::new(rest);
    let (mut tries, mut cuts, mut count) = (None, None, Count::default());
    let mut is_first = true;
    while let Some(name) = fields.name() {
        let Some(name) = NAMES.into_iter().find(|listed| *listed == name) else {
            // Free text that begins like a count.
            return if is_first {
                Ok(None)
            } else {
                Err(Unread::new("count", name, "tries, cuts, cuts_high, cuts_low or probes"))
            };
        };
        is_first = false;
        let value = Some(fields.read("count", number)?);
        match name {
            "tries" => tries = value,
            "cuts" => cuts = value,
            "cuts_high" => count.cuts_high = value,
            "cuts_low" => count.cuts_low = value,
            _ => count.probes = value,
        }
    }
    if method.len() > LONGEST || !method.bytes().all(|letter| letter.is_ascii_graphic()) {
        return Err(Unread::new("count", method, "the name of a method, at most 64 letters"));
    }
    let missing = || Unread::new("count", method, "its tries and its cuts");
    let (tries, cuts) = (tries.ok_or_else(missing)?, cuts.ok_or_else(missing)?);
    Ok(Some(Count { method: method.to_owned(), tries, cuts, ..count }))
}

/// Deepest iteration of any known engine, plies, and some more: Stockfish ends at 245.
const DEEPEST: u32 = 256;
/// The same for the deepest ply of any line, where quiescence and extensions come on top.
const DEEPEST_LINE: u32 = 1024;
/// More nodes a second than one thread of any processor can have.
const FASTEST: f64 = 1e10;
/// The shortest time that differs from none, since an answer may be there before we look.
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
    use super::*;

    #[test]
    fn the_last_line_of_a_method_counts_and_free_text_does_not() {
        let mut counts = Vec::new();
        for line in [
            "info string count null-move tries 10 cuts 3",
            "info string count lmr tries: 5, cuts=1 cuts_low 1",
            "# info string count null-move cuts_high 7 tries 20 cuts 7 probes 9'000",
            "info string count",
            "info string count of moves: 20",
            "info string counting tries 1 cuts 3",
        ] {
            assert_eq!(observe(line, &mut counts), Ok(()), "{line}");
        }
        let null = Count {
            method: "null-move".to_owned(),
            tries: 20,
            cuts: 7,
            cuts_high: Some(7),
            cuts_low: None,
            probes: Some(9_000),
        };
        let lmr =
            Count { method: "lmr".to_owned(), tries: 5, cuts: 1, cuts_low: Some(1), ..Count::default() };
        assert_eq!(counts, [null, lmr]);
    }

    #[test]
    fn a_count_that_cannot_be_read_is_no_free_text() {
        for (line, message) in [
            ("info string count null-move tries 99", "found `null-move`, expected its tries and its cuts"),
            ("info string count null-move tries x cuts 3", "found `x`"),
            ("info string count null-move tries 1 cuts -3", "found `-3`"),
            ("info string count null-move tries 1.5k cuts 3", "found `1.5k`"),
            ("info string count null-move tries 1 cuts 3 more 4", "found `more`"),
            ("info string count null-move tries 1 cuts", "found nothing"),
            ("info string count \u{1b}[31m tries 1 cuts 3", "expected the name of a method"),
        ] {
            let error = observe(line, &mut Vec::new()).unwrap_err().to_string();
            assert!(error.contains(message), "{line}: {error}");
        }
    }

    #[test]
    fn what_is_kept_is_bounded() {
        let mut counts = Vec::new();
        let mut observe = |n| observe(&format!("info string count m{n} tries 1 cuts 1"), &mut counts);
        assert_eq!((0..1_000).filter(|n| observe(*n).is_err()).count(), 1_000 - MOST);
        let name = "x".repeat(LONGEST + 1);
        assert!(parse(&format!("info string count {name} tries 1 cuts 1")).is_err());
    }

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

    #[test]
    fn moves_look_like_moves() {
        for text in ["e2e4", "a7a8q", "h1h8"] {
            assert!(is_move_text(text), "{text}");
        }
        for text in ["", "e2", "e2e9", "i2e4", "e7e8k", "e2-e4", "O-O", "(none)", "e2e4qq", "\u{e9}2e4"] {
            assert!(!is_move_text(text), "{text}");
        }
    }
}
