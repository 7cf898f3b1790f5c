//! What an engine says while it searches, depth by depth.

use std::collections::BTreeMap;
use std::time::Duration;

pub use secateur_record::record::Bound;

/// The value of a search in the engine's own scale, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineScore {
    /// Centipawns, or what the engine takes for them.
    Cp(i32),
    /// Mate in this many moves; negative if the side to move is mated.
    Mate(i32),
}

/// The last that an engine said of one depth. Numbers it did not say are 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// Depth of the iteration, plies.
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
    /// Principal variation, moves in UCI form.
    pub pv: Vec<String>,
}

/// A finished search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The move, in UCI form. It looks like a move; whether it is legal was not checked.
    pub best_move: String,
    /// One for each depth that was named, in order of depth. The last may be of an iteration that was not
    /// finished, and may have no score.
    pub infos: Vec<Info>,
    /// All nodes, as the engine counts them: the largest count it named.
    pub nodes: u64,
    /// From `go` to `bestmove`, on our clock.
    pub wall: Duration,
}

impl Answer {
    /// The deepest iteration with a value.
    #[must_use]
    pub fn last(&self) -> Option<&Info> {
        self.infos.iter().rev().find(|info| info.score.is_some())
    }
}

/// Whether this is how UCI writes a move: two squares, and what a pawn becomes.
#[must_use]
pub fn is_move_text(text: &str) -> bool {
    let square = |file: u8, rank: u8| matches!((file, rank), (b'a'..=b'h', b'1'..=b'8'));
    match *text.as_bytes() {
        [a, b, c, d] => square(a, b) && square(c, d),
        [a, b, c, d, piece] => square(a, b) && square(c, d) && b"qrbn".contains(&piece),
        _ => false,
    }
}

/// What was heard so far in a search.
#[derive(Debug, Default)]
pub(super) struct Heard {
    depths: BTreeMap<u32, Info>,
    nodes: u64,
}

/// Depths that are kept apart, and moves of a line: a broken engine must not fill the memory with them.
const MOST_DEPTHS: usize = 512;
/// See there.
const LONGEST_LINE: usize = 256;
/// Largest value in centipawns, so that sums and signs of values cannot overflow.
const LARGEST: i32 = 10_000_000;

impl Heard {
    /// Takes in a line if it is an `info` line about the first variation.
    pub(super) fn hear(&mut self, line: &str) {
        let mut words = line.split_whitespace();
        if words.next() != Some("info") {
            return;
        }
        let Some((depth, said)) = parse(words) else { return };
        self.nodes = self.nodes.max(said.nodes);
        let Some(depth) = depth else { return };
        if self.depths.len() >= MOST_DEPTHS && !self.depths.contains_key(&depth) {
            return;
        }
        let kept = self.depths.entry(depth).or_insert_with(|| Info { depth, ..Info::default() });
        // A later line may leave out what an earlier one said.
        kept.seldepth = kept.seldepth.max(said.seldepth);
        kept.nodes = kept.nodes.max(said.nodes);
        kept.time = kept.time.max(said.time);
        if said.score.is_some() {
            (kept.score, kept.bound) = (said.score, said.bound);
        }
        if !said.pv.is_empty() {
            kept.pv = said.pv;
        }
    }

    pub(super) fn answer(self, best_move: String, wall: Duration) -> Answer {
        Answer { best_move, infos: self.depths.into_values().collect(), nodes: self.nodes, wall }
    }
}

/// The depth and the rest of an `info` line; nothing if it is about a second-best variation. What cannot be
/// read is left out: engines write many things of their own.
fn parse<'a>(mut words: impl Iterator<Item = &'a str>) -> Option<(Option<u32>, Info)> {
    let (mut depth, mut info) = (None, Info::default());
    while let Some(word) = words.next() {
        match word {
            "depth" => depth = words.next().and_then(|word| word.parse().ok()),
            "seldepth" => info.seldepth = number(words.next()),
            "nodes" => info.nodes = number(words.next()),
            "time" => info.time = Duration::from_millis(number(words.next())),
            "multipv" if number::<u32>(words.next()) > 1 => return None,
            "cp" => {
                let value = words.next().and_then(|word| word.parse::<i32>().ok());
                info.score = value.map(|value| EngineScore::Cp(value.clamp(-LARGEST, LARGEST)));
            }
            "mate" => info.score = words.next().and_then(|w| w.parse().ok()).map(EngineScore::Mate),
            "lowerbound" => info.bound = Bound::Lower,
            "upperbound" => info.bound = Bound::Upper,
            "pv" => {
                let moves = words.by_ref().take_while(|word| is_move_text(word)).take(LONGEST_LINE);
                info.pv = moves.map(str::to_owned).collect();
                break;
            }
            // Free text and lists of moves to the end of the line.
            "string" | "refutation" | "currline" => break,
            _ => {}
        }
    }
    Some((depth, info))
}

fn number<T: std::str::FromStr + Default>(word: Option<&str>) -> T {
    word.and_then(|word| word.parse().ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(lines: &[&str]) -> Answer {
        let mut heard = Heard::default();
        lines.iter().for_each(|line| heard.hear(line));
        heard.answer("e2e4".to_owned(), Duration::ZERO)
    }

    #[test]
    fn the_last_word_on_each_depth_is_kept() {
        let answer = heard(&[
            "info depth 1 seldepth 3 score cp 19 time 0 nodes 4 pv b1a3",
            "info depth 1 seldepth 3 score cp 47 time 1 nodes 5 pv b1c3 g8f6",
            "info depth 1 seldepth 9 time 2 nodes 141 nps 0",
            "info depth 2 score mate -3 lowerbound nodes 200 time 5 pv b1c3",
            "info depth 3 currmove e2e4 currmovenumber 1",
            "info nodes 300 nps 1 hashfull 0",
        ]);
        assert_eq!(answer.infos.len(), 3);
        let first = &answer.infos[0];
        assert_eq!((first.depth, first.seldepth, first.nodes), (1, 9, 141));
        assert_eq!((first.score, first.time), (Some(EngineScore::Cp(47)), Duration::from_millis(2)));
        assert_eq!(first.pv, ["b1c3", "g8f6"]);
        let last = answer.last().unwrap();
        assert_eq!((last.depth, last.score, last.bound), (2, Some(EngineScore::Mate(-3)), Bound::Lower));
        assert_eq!(answer.nodes, 300);
    }

    #[test]
    fn nonsense_is_left_out() {
        let answer = heard(&[
            "info depth x score cp y nodes z",
            "info depth",
            "info string depth 9 score cp 3",
            "info depth 4 multipv 2 score cp 3 pv e2e4",
            "inform depth 5 score cp 3",
            "info depth 2 score cp 99999999999 nodes 18446744073709551616 pv e2e4 xx d2d4",
        ]);
        assert_eq!(answer.infos.len(), 1);
        assert_eq!((answer.infos[0].score, answer.infos[0].nodes), (None, 0));
        assert_eq!(answer.infos[0].pv, ["e2e4"]);
        assert_eq!(answer.last(), None);
    }

    #[test]
    fn what_is_kept_is_bounded() {
        let mut heard = Heard::default();
        let line = "e2e4 ".repeat(2_000);
        for depth in 0..2_000 {
            heard.hear(&format!("info depth {depth} score cp -2147483648 pv {line}"));
        }
        let answer = heard.answer("e2e4".to_owned(), Duration::ZERO);
        assert_eq!((answer.infos.len(), answer.infos[0].pv.len()), (MOST_DEPTHS, LONGEST_LINE));
        assert_eq!(answer.infos[0].score, Some(EngineScore::Cp(-LARGEST)));
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
