//! Lines to the other side: whole, flushed, one at a time from either thread; and search results as the protocol writes them.

use super::Dialect;
use secateur_base::MATE;
use secateur_core::Score;
use secateur_core::search::Iteration;
use std::fmt::{self, Write as _};
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Where lines go. Clones write to the same place.
#[derive(Debug)]
pub(super) struct Output<W>(Arc<Mutex<W>>);

impl<W> Clone for Output<W> {
    fn clone(&self) -> Output<W> {
        Output(Arc::clone(&self.0))
    }
}

impl<W: Write> Output<W> {
    pub(super) fn new(writer: W) -> Output<W> {
        Output(Arc::new(Mutex::new(writer)))
    }

    /// Writes one line. A line break inside `text` (from a message of many lines) would begin a command of its
    /// own, so it becomes a space.
    pub(super) fn line(&self, text: &str) -> io::Result<()> {
        let text = text.replace(['\n', '\r'], " ");
        let mut writer = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        writeln!(writer, "{text}")?;
        writer.flush()
    }

    /// Says something in words.
    pub(super) fn note(&self, text: &str) -> io::Result<()> {
        self.line(&format!("info string {text}"))
    }

    /// Says what is wrong.
    pub(super) fn error(&self, text: &str) -> io::Result<()> {
        self.line(&format!("info string error: {text}"))
    }
}

/// A score: `cp N`, or `mate N` as the protocol counts it, negative where the side to move is mated.
pub(super) fn score<G: Dialect>(score: Score) -> String {
    let plies = MATE - score.0.abs();
    if score.abs() < G::DECISIVE {
        format!("cp {}", score.0)
    } else if score.0 > 0 {
        format!("mate {}", G::mate(plies, true))
    } else {
        format!("mate {}", -G::mate(plies, false))
    }
}

/// Nodes a second; 0 for no time at all.
pub(super) fn rate(nodes: u64, time: Duration) -> u64 {
    let nanoseconds = time.as_nanos().max(1);
    u64::try_from(u128::from(nodes) * 1_000_000_000 / nanoseconds).unwrap_or(u64::MAX)
}

/// What an `info` line says of a search besides what it found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    /// All nodes so far.
    pub(super) nodes: u64,
    /// How full the table is, in thousandths, if that is known.
    pub(super) fill: Option<u32>,
    /// Time since the order came.
    pub(super) time: Duration,
}

impl fmt::Display for Effort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "nodes {} nps {}", self.nodes, rate(self.nodes, self.time))?;
        if let Some(fill) = self.fill {
            write!(f, " hashfull {fill}")?;
        }
        write!(f, " time {}", self.time.as_millis())
    }
}

fn depths<M>(last: &Iteration<M>) -> String {
    format!("info depth {} seldepth {}", last.depth, last.seldepth.max(last.depth.unsigned_abs()))
}

/// The line of one completed iteration; `line` is the how many-best variation it is, where several are asked for.
pub(super) fn line<G: Dialect>(
    game: &G,
    root: &G::Position,
    iteration: &Iteration<G::Move>,
    line: Option<usize>,
    effort: Effort,
) -> String {
    let mut text = depths(iteration);
    if let Some(line) = line {
        let _ = write!(text, " multipv {line}");
    }
    let _ = write!(text, " score {} {effort} pv", score::<G>(iteration.score));
    let mut pos = root.clone();
    for &mv in &iteration.pv {
        let _ = write!(text, " {}", game.format_move(&pos, mv));
        pos = game.play(&pos, mv);
    }
    text
}

/// The line of an iteration that found nothing.
pub(super) fn bare<M>(iteration: &Iteration<M>, effort: Effort) -> String {
    format!("{} {effort}", depths(iteration))
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_games::chess::Chess;
    use secateur_games::shogi::Shogi;

    #[test]
    fn a_message_of_two_lines_is_one_line() {
        let output = Output::new(Vec::new());
        output.clone().error("a\nb").unwrap();
        output.note("c").unwrap();
        assert_eq!(*output.0.lock().unwrap(), b"info string error: a b\ninfo string c\n");
    }

    #[test]
    fn usi_counts_the_plies_of_a_mate() {
        for (value, text) in [
            (12, "cp 12"),
            (MATE - 1, "mate 1"),
            (MATE - 3, "mate 3"),
            (-MATE, "mate 0"),
            (4 - MATE, "mate -4"),
        ] {
            assert_eq!(score::<Shogi>(Score(value)), text);
        }
    }

    #[test]
    fn mates_count_moves_with_a_sign() {
        for (value, text) in [
            (12, "cp 12"),
            (-28_999, "cp -28999"),
            (MATE - 1, "mate 1"),
            (MATE - 2, "mate 1"),
            (MATE - 3, "mate 2"),
            (-MATE, "mate 0"),
            (2 - MATE, "mate -1"),
            (4 - MATE, "mate -2"),
            (5 - MATE, "mate -2"),
        ] {
            assert_eq!(score::<Chess>(Score(value)), text);
        }
    }

    #[test]
    fn rates() {
        assert_eq!(rate(1000, Duration::from_millis(500)), 2000);
        assert_eq!(rate(0, Duration::ZERO), 0);
        let effort = Effort { nodes: 1000, fill: None, time: Duration::from_millis(500) };
        assert_eq!(effort.to_string(), "nodes 1000 nps 2000 time 500");
        assert_eq!(Effort { fill: Some(7), ..effort }.to_string(), "nodes 1000 nps 2000 hashfull 7 time 500");
    }
}
