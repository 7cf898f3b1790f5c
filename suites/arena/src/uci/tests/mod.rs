//! Scripted sessions, through pipes in memory: what is written is waited for, so no test depends on time.

mod analysis;
mod protocol;
mod searches;

use super::serve;
use std::io::{self, BufReader, PipeWriter, Write, pipe};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// Longest wait for a line before a test fails; far beyond what any line here takes.
const PATIENCE: Duration = Duration::from_secs(60);
const MATED: &str = "position fen 4R1k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1";

/// Passes lines on when they are flushed, as a real pipe shows them.
struct Lines(Sender<String>, Vec<u8>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.1.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let line = String::from_utf8(std::mem::take(&mut self.1)).expect("UTF-8");
        let line = line.strip_suffix('\n').expect("whole lines only").to_owned();
        self.0.send(line).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}

struct Talk {
    to: Option<PipeWriter>,
    from: Option<Receiver<String>>,
    session: JoinHandle<()>,
}

impl Talk {
    fn new() -> Talk {
        Talk::begun("setoption name Hash value 1")
    }

    /// A session whose first line this is.
    fn begun(line: &str) -> Talk {
        let ((lines, to), (answers, from)) = (pipe().expect("a pipe"), channel());
        let session = std::thread::spawn(move || {
            serve(BufReader::new(lines), Lines(answers, Vec::new())).expect("a session");
        });
        let talk = Talk { to: Some(to), from: Some(from), session };
        talk.say(line);
        talk
    }

    fn say(&self, line: &str) {
        let mut to = self.to.as_ref().expect("not yet ended");
        to.write_all(format!("{line}\n").as_bytes()).expect("a session that reads");
    }

    /// The lines up to the first that begins with `word`, that one included.
    fn until(&self, word: &str) -> Vec<String> {
        let from = self.from.as_ref().expect("not yet ended");
        let mut lines = Vec::new();
        loop {
            let line = from.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("no '{word}' after {lines:?}"));
            let is_last = line.starts_with(word);
            lines.push(line);
            if is_last {
                return lines;
            }
        }
    }

    fn ask(&self, line: &str, word: &str) -> Vec<String> {
        self.say(line);
        self.until(word)
    }

    /// The answer to `go`, without the reply that is expected.
    fn best(&self, go: &str) -> String {
        let line = self.ask(go, "bestmove").pop().expect("a line");
        line.split(" ponder ").next().expect("a part").to_owned()
    }

    /// The lines up to the first that holds `word`, that one included.
    fn until_holding(&self, word: &str) -> Vec<String> {
        let mut lines = self.until("");
        while !lines.last().is_some_and(|line| line.contains(word)) {
            lines.extend(self.until(""));
        }
        lines
    }

    /// Everything that is said in answer to `line` when no search goes on.
    fn answer(&self, line: &str) -> Vec<String> {
        self.say(line);
        let mut lines = self.ask("isready", "readyok");
        lines.pop();
        lines
    }

    /// What is still said until the session has ended by itself.
    fn end(mut self) -> Vec<String> {
        self.to = None;
        let lines = self.from.take().expect("not yet ended").iter().collect();
        self.session.join().expect("no panic");
        lines
    }
}

fn field(line: &str, name: &str) -> String {
    let mut tokens = line.split(' ').skip_while(|word| *word != name);
    tokens.nth(1).unwrap_or_else(|| panic!("no {name} in {line}")).to_owned()
}
