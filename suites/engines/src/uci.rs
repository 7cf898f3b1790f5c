//! UCI, the Universal Chess Interface (R. Huber and S. Meyer-Kahlen, 2000; the text is spread with many engines).
//!
//! A [`Dialect`] is what a protocol for another game says differently; all else is the same. Left out: pondering and analysis
//! of several lines. `searchmoves` stands last in the line of `go`, because some engines
//! take all that follows it for moves.

use super::client::{Client, Said, Wishes};
use super::error::{Done, shown};
use super::number::{Fields, Unread, count, depth, is_like_one, milliseconds, plain, signed};
use super::observed::{Observed, hundredths};
use super::options::{Advertised, Kind, Setting};
use super::process::Process;
use super::protocol::millis;
use super::{Abilities, Ask, Go, Says, manners};
use crate::observed::{Answer, Bound, EngineScore, Info, move_text};
use std::time::Duration;

/// The words in which a protocol of this family differs from the others.
#[derive(Debug)]
pub(super) struct Dialect {
    /// The greeting.
    pub(super) hello: &'static str,
    /// The end of the answer to it.
    pub(super) ok: &'static str,
    /// What says that the next position is of another game.
    pub(super) new_game: &'static str,
    /// What stands before a position.
    pub(super) position: &'static str,
    /// Letters of the first and the second player in the words of a clock.
    pub(super) players: [char; 2],
    /// Options that every program has, whether it advertises them or not: name, what it takes, and a name by which it may have
    /// one in place of it.
    pub(super) assumed: &'static [(&'static str, Kind, &'static str)],
    /// An option of this client, a switch that is not sent: whether the time for a move is sent as byoyomi.
    pub(super) byoyomi: Option<&'static str>,
    /// Whether `isready` between a position and its search only asks. Where it sets a program up for a game, the position would be lost.
    pub(super) ready_only_asks: bool,
    /// A text as a move, if it looks like one.
    pub(super) mv: fn(&str) -> Option<String>,
    /// A mate as this word behind `mate` says it.
    ///
    /// # Errors
    /// What was expected, in words.
    pub(super) mate: fn(&str) -> Result<(EngineScore, Bound), &'static str>,
    /// Moves as they should look.
    pub(super) such: &'static str,
}

static UCI: Dialect = Dialect {
    hello: "uci",
    ok: "uciok",
    new_game: "ucinewgame",
    position: "fen",
    players: ['w', 'b'],
    assumed: &[],
    byoyomi: None,
    ready_only_asks: true,
    mv: move_text,
    mate: |word| signed(word).map(|moves| (EngineScore::Mate(limited(moves)), Bound::Exact)),
    such: "e2e4 or e7e8q",
};

/// An engine that speaks UCI, or a dialect of it.
#[derive(Debug)]
pub(super) struct Uci {
    dialect: &'static Dialect,
    advertised: Advertised,
    /// Whether the time for a move is sent as byoyomi.
    byoyomi: bool,
}

impl Default for Uci {
    fn default() -> Uci {
        Uci::new(&UCI)
    }
}

impl Uci {
    pub(super) fn new(dialect: &'static Dialect) -> Uci {
        Uci { dialect, advertised: Advertised::default(), byoyomi: false }
    }

    /// Adds the options that need not be advertised. Whether the one of this client is among them.
    fn add_assumed(&mut self) -> bool {
        for (name, kind, other) in self.dialect.assumed {
            if self.advertised.find(name).or(self.advertised.find(other)).is_none() {
                self.advertised.add(name, kind.clone(), None, name.len());
            }
        }
        let byoyomi = self.dialect.byoyomi.filter(|name| self.advertised.find(name).is_none());
        if let Some(name) = byoyomi {
            self.advertised.add(name, Kind::Check, Some("false".to_owned()), name.len());
        }
        byoyomi.is_some()
    }
}

impl Client for Uci {
    fn greet(&mut self, process: &mut Process, wishes: &Wishes<'_>) -> Done<Option<String>> {
        let Dialect { hello, ok, byoyomi, .. } = *self.dialect;
        let mut id = None;
        process.send(hello, ok)?;
        process.wait(ok, |_, line| {
            if let Some(name) = line.strip_prefix("id name ") {
                id = Some(shown(name.trim()));
            }
            self.advertised.observe(line);
            is(line, ok).then_some(())
        })?;
        let has_own = self.add_assumed();
        for setting in self.advertised.settings(wishes)? {
            if has_own && byoyomi == Some(setting.name.as_str()) {
                self.byoyomi = setting.value.as_deref() == Some("true");
            } else {
                process.send(&setoption(&setting), "readyok")?;
            }
        }
        ready(process)?;
        Ok(id)
    }

    fn abilities(&self) -> Abilities {
        Abilities {
            depth: true,
            nodes: true,
            time: true,
            time_step: Duration::from_millis(1),
            clock: true,
            forgets: true,
            root_moves: true,
            says: Says::ALL,
            ..Abilities::default()
        }
    }

    fn options(&self) -> Option<&Advertised> {
        Some(&self.advertised)
    }

    fn new_game(&mut self, process: &mut Process) -> Done {
        process.send(self.dialect.new_game, "readyok")?;
        ready(process)
    }

    fn prepare(&mut self, process: &mut Process, ask: &Ask<'_>, _: Option<&[String]>) -> Done {
        let mut position = format!("position {} {}", self.dialect.position, ask.position);
        if !ask.moves.is_empty() {
            position += &format!(" moves {}", ask.moves.join(" "));
        }
        process.send(&position, "readyok")?;
        // An answer to an earlier question must not be taken for the answer to this one.
        if self.dialect.ready_only_asks { ready(process) } else { Ok(()) }
    }

    fn go(&self, ask: &Ask<'_>) -> String {
        let [first, second] = self.dialect.players;
        let mut text = match &ask.go {
            Go::Depth(plies) => format!("go depth {plies}"),
            Go::Nodes(nodes) => format!("go nodes {nodes}"),
            Go::MoveTime(time) if self.byoyomi => {
                format!("go {first}time 0 {second}time 0 byoyomi {}", millis(*time))
            }
            Go::MoveTime(time) => format!("go movetime {}", millis(*time)),
            Go::Clock { time, increment, moves_to_go } => {
                let [time, increment] = [time.map(millis), increment.map(|time| time.as_millis())];
                let mut text = format!("go {first}time {} {second}time {}", time[0], time[1]);
                text += &format!(" {first}inc {} {second}inc {}", increment[0], increment[1]);
                if let Some(moves) = moves_to_go {
                    text += &format!(" movestogo {moves}");
                }
                text
            }
            Go::Own => "go".to_owned(),
        };
        if !ask.only.is_empty() {
            text += &format!(" searchmoves {}", ask.only.join(" "));
        }
        text
    }

    fn observe(&mut self, line: &str, observed: &mut Observed) -> Option<Said> {
        let (first, rest) = line.trim_start().split_once(char::is_whitespace).unwrap_or((line.trim(), ""));
        let mut tokens = rest.split_whitespace();
        match first {
            "info" => {
                match observed.read(parse(rest, self.dialect)).flatten() {
                    Some((Some(depth), info)) => observed.tell(Info { depth, ..info }),
                    Some((None, info)) => observed.nodes(info.nodes),
                    None => {}
                }
                None
            }
            "bestmove" => {
                let text = tokens.next().unwrap_or("");
                Some(Said::of(text, (self.dialect.mv)(text)))
            }
            _ => None,
        }
    }

    fn words(&self) -> (&'static str, &'static str, Option<&'static str>) {
        ("bestmove", self.dialect.such, Some("stop"))
    }
}

/// The command of a setting.
pub(super) fn setoption(setting: &Setting) -> String {
    let name = &setting.name;
    match &setting.value {
        None => format!("setoption name {name}"),
        Some(value) => format!("setoption name {name} value {value}"),
    }
}

fn ready(process: &mut Process) -> Done {
    process.send("isready", "readyok")?;
    process.wait("readyok", |_, line| is(line, "readyok").then_some(()))
}

/// Whether a line is this one word.
fn is(line: &str, word: &str) -> bool {
    line.trim() == word
}

/// The depth and the rest of an `info` line, whose fields come in any order; nothing if it is about a second-best variation. What
/// is no field is left out: engines write many things of their own, and moves behind `refutation` and `currline`.
fn parse(line: &str, dialect: &Dialect) -> Result<Option<(Option<u32>, Info)>, Unread> {
    let (mut plies, mut variation, mut info) = (None, 1, Info::default());
    let mut fields = Fields::new(line);
    while let Some(name) = fields.name() {
        match name {
            "depth" => plies = Some(fields.once("info depth", plies, depth)?),
            "seldepth" => info.seldepth = fields.read("info seldepth", depth)?,
            // Counts grow, in a line too.
            "nodes" => info.nodes = info.nodes.max(fields.read("info nodes", count)?),
            "time" => {
                let before = Some(info.time).filter(|time| !time.is_zero());
                info.time = fields.once("info time", before, milliseconds)?;
            }
            "multipv" => variation = fields.read("info multipv", count)?,
            // A value of no unit.
            "score" if is_like_one(fields.peek()) => {
                fields.read("info score", |_| Err::<(), _>("`cp` or `mate` before the number"))?;
            }
            "cp" => info.score = Some(hundredths(fields.read("info cp", signed)? as f64)),
            "mate" => {
                let (mate, bound) = fields.read("info mate", dialect.mate)?;
                info.score = Some(mate);
                if bound != Bound::Exact {
                    info.bound = bound;
                }
            }
            "lowerbound" => info.bound = Bound::Lower,
            "upperbound" => info.bound = Bound::Upper,
            "pv" => info.pv = fields.moves(dialect.mv),
            // Free text to the end of the line.
            "string" => break,
            _ => {}
        }
    }
    Ok((variation <= 1).then_some((plies, info)))
}

/// A mate as far away as can be held: those beyond are as impossible.
pub(super) fn limited(moves: i64) -> i32 {
    i32::try_from(moves).unwrap_or(if moves < 0 { i32::MIN } else { i32::MAX })
}

/// What is understood of a search of which an engine said these lines, for whoever tests the readers; the move is a null move.
///
/// # Errors
/// The first number that cannot be read.
pub fn replayed<'l>(lines: impl IntoIterator<Item = &'l str>) -> Result<Answer, Unread> {
    let (mut client, mut observed) = (Uci::default(), Observed::default());
    for line in lines {
        let line = plain(line);
        observed.count(&line);
        client.observe(&line, &mut observed);
    }
    let (answer, unread) = observed.answer(Ok("0000".to_owned()), Duration::ZERO, None);
    unread.map_or(Ok(answer), Err)
}

/// The commands that would set the usual options and `wanted` ones of an engine that introduced itself with these lines.
///
/// # Errors
/// An option that it does not have, or a value that it does not take.
pub fn commands<'l>(
    lines: impl IntoIterator<Item = &'l str>,
    wanted: &[(String, String)],
) -> Done<Vec<String>> {
    let mut advertised = Advertised::default();
    lines.into_iter().for_each(|line| advertised.observe(&plain(line)));
    let defaults = manners(16);
    let settings = advertised.settings(&Wishes { wanted, defaults: &defaults, table_is_asked: false })?;
    Ok(settings.iter().map(setoption).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn observed(lines: &[&str]) -> Answer {
        replayed(lines.iter().copied()).unwrap()
    }

    #[test]
    fn the_last_word_on_each_depth_is_kept() {
        let answer = observed(&[
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
    fn what_is_no_field_is_left_out() {
        let answer = observed(&[
            "info string depth 9 score cp 3 nodes 2,5",
            "info depth 4 multipv 2 score cp 3 pv e2e4",
            "inform depth 5 score cp 3 nodes z",
            "info depth 1 score nps inf hashfull 3% pv",
            "info depth 2 score wdl 1 2 3 currline 1 e2e4 d7d5 refutation d1h5 xx pv e2e4 xx d2d4",
        ]);
        assert_eq!(answer.infos.iter().map(|info| info.depth).collect::<Vec<_>>(), [1, 2]);
        assert_eq!((answer.infos[1].score, answer.nodes), (None, 0));
        assert_eq!(answer.infos[1].pv, ["e2e4"]);
        assert_eq!(answer.last(), None);
    }

    #[test]
    fn fields_come_in_any_order_and_a_line_ends_at_the_first_word_that_is_no_move() {
        for line in [
            "info depth 4 seldepth 9 time 3 nodes 2560 pv e2e4 e7e5 score cp 13 upperbound",
            "info pv e2e4 e7e5 depth 4 score upperbound cp 13 nodes 2560 time 3 seldepth 9",
            "info multipv 1 nodes 2,560 score cp +13 upperbound pv: e2e4 e7e5 (12%) time=3 seldepth: 9, depth 4.",
            "info nodes 2 560 hashfull 5 upperbound cp 13 pv e2e4 e7e5 string seldepth 9",
        ] {
            let answer = observed(&[line, "info depth 4 seldepth 9 time 3"]);
            let info = Info {
                depth: 4,
                seldepth: 9,
                nodes: 2560,
                time: Duration::from_millis(3),
                score: Some(EngineScore::Cp(13)),
                bound: Bound::Upper,
                pv: vec!["e2e4".to_owned(), "e7e5".to_owned()],
            };
            if line.contains("string") {
                assert_eq!((answer.nodes, answer.infos[0].score), (2560, None), "{line}");
            } else {
                assert_eq!((answer.nodes, answer.infos), (2560, vec![info]), "{line}");
            }
        }
    }

    #[test]
    fn a_number_that_cannot_be_read_fails_the_search_whatever_comes_before_and_after() {
        for (field, text) in [
            ("depth", "x"),
            ("depth", ""),
            ("seldepth", "-"),
            ("nodes", "2.56k"),
            ("nodes", "-2147483648"),
            ("nodes", "18446744073709551616"),
            ("time", "0.5"),
            ("multipv", "a"),
            ("cp", "0.13"),
            ("score", "13"),
            ("mate", "x"),
        ] {
            let line = format!("info depth 3 {field} {text}");
            for lines in
                [["info depth 3 score cp 1 nodes 640 time 1", &line], [&line, "info depth 3 nodes 640"]]
            {
                let error = replayed(lines).unwrap_err();
                assert_eq!((error.field, error.text.as_str()), (&*format!("info {field}"), text), "{line}");
            }
        }
    }

    #[test]
    fn two_values_of_one_field_are_none() {
        for (line, field) in [
            ("info depth 4 score cp 13 nodes 2560 depth 1", "info depth"),
            ("info time 5 depth 4 score cp 13 time 6", "info time"),
        ] {
            assert_eq!(replayed([line]).unwrap_err().field, field, "{line}");
        }
        for line in [
            "info depth 4 nodes 2560 score cp 13 nodes 2,560 depth 4",
            "info nodes 5 depth 4 score cp 13 nodes 2560",
        ] {
            assert_eq!(observed(&[line]).nodes, 2560, "{line}");
        }
    }

    #[test]
    fn counts_that_fall_are_not_those_of_the_whole_search() {
        let lines = ["info depth 1 score cp 1 nodes 640", "info depth 2 score cp 1 nodes 160"];
        assert_eq!(replayed(lines).unwrap_err().text, "160 at depth 2 behind 640 at depth 1");
        let untold = ["info nodes 640", "info depth 1 score cp 1", "info nodes 639"];
        assert!(replayed(untold).is_err());
        // The best line is often said again at the end, with what it had then; 0 says nothing.
        let said_again =
            ["info depth 2 score cp 1 nodes 160", "info depth 2 score cp 1 nodes 120", "info nodes 0"];
        assert_eq!(observed(&said_again).nodes, 160);
    }

    #[test]
    fn a_pawn_becomes_what_its_letter_says_in_either_case() {
        let answer = observed(&["info depth 1 score cp 1 nodes 9 pv a7a8Q h7h8n E2E4"]);
        assert_eq!(answer.infos[0].pv, ["a7a8q", "h7h8n"]);
    }

    #[test]
    fn what_is_kept_is_bounded() {
        let line = "e2e4 ".repeat(2_000);
        let lines: Vec<String> =
            (0..2_000).map(|depth| format!("info depth {depth} score cp -2147483648 pv {line}")).collect();
        let answer = replayed(lines.iter().map(String::as_str)).unwrap();
        assert_eq!((answer.infos.len(), answer.infos[0].pv.len()), (512, 256));
        assert_eq!(answer.infos[0].score, Some(EngineScore::Cp(-10_000_000)));
    }
}
