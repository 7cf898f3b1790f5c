//! What other programs say to us, and whole dialogues with our own engine.

use super::{Check, Reaction, Target, positions, text};
use secateur_arena::uci::serve;
use secateur_engines::{commands, is_move_text, replayed};
use std::io::{self, BufReader, PipeWriter, Write, pipe};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

/// Longest wait for a line; a search is asked to stop long before.
const PATIENCE: Duration = Duration::from_secs(30);
/// Lines of a dialogue that are said; more would only cost time.
const LINES: usize = 12;
/// Settings after which a new session is begun.
const SETTINGS: usize = 40;
/// Largest number where memory follows it, MiB.
const HASH: usize = 8;

const INFOS: &[&str] = &[
    "info depth 1 seldepth 3 score cp 19 time 0 nodes 4 pv b1a3\ninfo depth 2 score mate -3 lowerbound nodes 200 time 5 pv b1c3 g8f6\n\
     info depth 3 currmove e2e4 currmovenumber 1\ninfo nodes 300 nps 1 hashfull 0 tbhits 0\ninfo string depth 9 score cp 3\n",
    "info depth 12 seldepth 20 multipv 1 score cp -31 upperbound nodes 123456 nps 999 time 88 pv e2e4 e7e5 g1f3\ninfo refutation d1h5\n",
];
const OPTIONS: &[&str] = &[
    "id name x\noption name Hash type spin default 16 min 4 max 1024\noption name OwnBook type check default true\n\
     option name NullMove Pruning type combo default Fail High var Always var Fail High var Never\noption name Book File type string default <empty>\n\
     option name Clear Hash type button\nuciok\n",
];
const TALK: &[&str] = &[
    "uci\nisready\nposition startpos moves e2e4 e7e5\ngo nodes 40\nucinewgame\n",
    "setoption name null-move.reduction value 2\nposition fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 moves e1g1\ngo depth 2\nstop\n",
    "debug on\nsetoption name mpc value false\nsetoption name mpc.t value 1.2\nposition fen 8/8/8/3k4/8/3K4/3P4/8 w - - 0 1\ngo wtime 20 btime 20 winc 1 movestogo 3\nponderhit\n",
    "setoption name Methods value none\nposition fen 8/PPP4k/8/8/8/8/4Kppp/8 w - - 0 1\ngo infinite\nisready\nstop\ngo mate 1\n",
    "setoption name host.check-extension value true\nsetoption name Params value jiang\nsetoption name Clear Hash\ngo movetime 3\nbench 1\n",
];
const WORDS: &[&str] = &[
    "info",
    "depth",
    "score",
    "cp",
    "mate",
    "nodes",
    "pv",
    "e2e4",
    "e7e8q",
    "0000",
    "option",
    "name",
    "type",
    "spin",
    "check",
    "combo",
    "var",
    "default",
    "min",
    "max",
    "button",
    "string",
    "position",
    "startpos",
    "fen",
    "moves",
    "go",
    "infinite",
    "ponder",
    "movetime",
    "wtime",
    "searchmoves",
    "stop",
    "ponderhit",
    "ucinewgame",
    "isready",
    "setoption",
    "value",
    "none",
    "all",
    "strong",
    "lmr.min_depth",
    "mpc.pairs",
    "[[1,3]]",
    "host.aspiration",
    "-",
];

#[test]
fn what_engines_and_boards_say() {
    let target = |name, texts: &[&str], check: fn() -> Check| Target {
        name,
        corpus: texts.iter().map(|text| text.as_bytes().to_vec()).collect(),
        tokens: WORDS.to_vec(),
        check: check(),
    };
    let all = vec![
        target("engine-info", INFOS, || Box::new(infos)),
        target("engine-options", OPTIONS, || Box::new(options)),
        target("uci", TALK, || {
            let mut session: Option<Session> = None;
            Box::new(move |input| {
                let mut current = match session.take() {
                    Some(old) if old.settings.len() < SETTINGS => old,
                    _ => Session::new()?,
                };
                let verdict = current.talk(&String::from_utf8_lossy(input));
                // A session that went wrong is of no more use.
                if verdict.is_ok() {
                    session = Some(current);
                }
                verdict
            })
        }),
    ];
    all.into_iter().for_each(Target::watch);
}

fn infos(input: &[u8]) -> Reaction {
    let text = String::from_utf8_lossy(input);
    let Ok(answer) = replayed(text.lines()) else { return Ok(false) };
    // An engine may lie, but not fill the memory.
    if answer.infos.len() > 512 {
        return Err(format!("kept `{}` depths", answer.infos.len()));
    }
    for info in &answer.infos {
        if info.pv.len() > 256 || !info.pv.iter().all(|word| is_move_text(word)) {
            return Err(format!("took in the line `{}`", info.pv.join(" ")));
        }
    }
    Ok(answer.last().is_some())
}

fn options(input: &[u8]) -> Reaction {
    let text = String::from_utf8_lossy(input);
    let wanted = |value: &str| [("NullMove Pruning".to_owned(), value.to_owned())];
    let mut accepted = false;
    for value in ["Never", "fail high", "true", "7", ""] {
        match commands(text.lines(), &wanted(value)) {
            Ok(lines) if lines.iter().any(|line| line.contains(['\n', '\r'])) => {
                return Err(format!("would say two lines at once: `{lines:?}`"));
            }
            Ok(_) => accepted = true,
            Err(error) => drop(error.to_string()),
        }
    }
    Ok(accepted)
}

struct Lines(Sender<String>, Vec<u8>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.1.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let line = String::from_utf8_lossy(&std::mem::take(&mut self.1)).trim_end().to_owned();
        self.0.send(line).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}

/// A session of our engine, used for many dialogues, as a program with a board would.
struct Session {
    to: PipeWriter,
    from: Receiver<String>,
    /// What was set in earlier dialogues: they go on, because a new session costs more than a hundred dialogues.
    settings: Vec<String>,
}

impl Session {
    /// A session with a small table: the usual one would cost more than a dialogue.
    fn new() -> Result<Session, String> {
        let ((lines, to), (answers, from)) = (pipe().map_err(|error| error.to_string())?, channel());
        std::thread::spawn(move || {
            // Why it ended is seen by who waits for its answers.
            let _ = serve(BufReader::new(lines), Lines(answers, Vec::new()));
        });
        let session = Session { to, from, settings: Vec::new() };
        session.say("setoption name Hash value 1")?;
        Ok(session)
    }

    fn say(&self, line: &str) -> Result<(), String> {
        let bytes: Vec<u8> = line.bytes().filter(|byte| *byte != b'\n').take(4000).chain([b'\n']).collect();
        (&self.to).write_all(&bytes).map_err(|_| format!("the session ended at `{line}`"))
    }

    /// The lines up to one that begins with `word`.
    fn until(&self, word: &str, asked: &str) -> Result<Vec<String>, String> {
        let mut lines = Vec::new();
        loop {
            let line = self
                .from
                .recv_timeout(PATIENCE)
                .map_err(|error| format!("no {word} ({error}) after `{asked}`"))?;
            let is_last = line.starts_with(word);
            lines.push(line);
            if is_last {
                return Ok(lines);
            }
        }
    }

    /// Has a dialogue; what went wrong is reported with the settings of then.
    fn talk(&mut self, dialogue: &str) -> Reaction {
        let verdict =
            self.spoken(dialogue).map_err(|what| format!("{what}, set before: {:?}", self.settings));
        let set =
            dialogue.lines().filter(|line| line.trim_start().starts_with("setoption") && is_harmless(line));
        self.settings.extend(set.map(str::to_owned));
        verdict
    }

    /// Says the lines one after another; every search must answer `stop` with a move.
    fn spoken(&self, dialogue: &str) -> Reaction {
        let mut understood = true;
        for line in dialogue.lines().filter(|line| is_harmless(line)).take(LINES) {
            let command = line.split_ascii_whitespace().next().unwrap_or_default();
            self.say(line)?;
            if matches!(command, "go" | "bench") {
                self.say("stop")?;
            }
            let mut lines = Vec::new();
            if command == "go" {
                lines = self.until("bestmove", line)?;
                let best = lines.last().and_then(|line| line.split(' ').nth(1)).unwrap_or_default();
                if best != "0000" && !is_move_text(best) {
                    return Err(format!("answered `{best}` to `{line}`"));
                }
            }
            self.say("isready")?;
            lines.extend(self.until("readyok", line)?);
            let refused = lines.iter().any(|line| line.contains("error"));
            understood &= !refused;
            if command == "position" && !refused {
                told_to_be(line)?;
            }
        }
        Ok(understood)
    }
}

/// A fault if a position that was taken in cannot be.
fn told_to_be(line: &str) -> Result<(), String> {
    let tokens: Vec<&str> = line.split_ascii_whitespace().collect();
    let ["position", "fen", rest @ ..] = &tokens[..] else { return Ok(()) };
    let fields: Vec<&str> = rest.iter().take_while(|word| **word != "moves").copied().collect();
    positions::judge_chess(&fields.join(" ")).map_or(Ok(()), |why| Err(format!("took in {why}: `{line}`")))
}

/// Whether a line asks for no more memory, files or time than a fuzzer has: tables of any size are allowed, and
/// `params` may name any file of the machine.
fn is_harmless(line: &str) -> bool {
    let tokens: Vec<&str> = line.split_ascii_whitespace().collect();
    let has = |part: &str| tokens.iter().any(|word| word.to_lowercase().contains(part));
    let small = |word: &&str| word.parse::<f64>().map_or(true, |number| number.abs() <= HASH as f64);
    let first = tokens.first().copied().unwrap_or_default();
    let file = has("params") && tokens.iter().any(|word| word.contains('/') || word.contains('.'));
    !["quit", "uci", "isready"].contains(&first)
        && !file
        && (!(has("hash") || has("mib")) || tokens.iter().all(small))
        && text(line.as_bytes()).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dialogues_are_answered() {
        let mut session = Session::new().unwrap();
        for dialogue in TALK {
            session.talk(dialogue).unwrap();
        }
        assert_eq!(session.talk("position fen 8/8/8/8 w - -\nnonsense"), Ok(false));
    }

    #[test]
    fn what_would_harm_the_fuzzer_is_not_said() {
        for line in ["quit", "setoption name Hash value 4096", "setoption name Params value /etc/passwd"] {
            assert!(!is_harmless(line), "{line}");
        }
        assert!(is_harmless("setoption name Hash value 2") && is_harmless("position startpos moves e2e4"));
    }
}
