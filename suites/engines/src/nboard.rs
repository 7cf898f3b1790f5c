//! The protocol of NBoard, version 2 (C. Welty, 2004-2014; described with NBoard and with NTest).
//!
//! A search is asked with `go`, because that alone has an end that can be told: `=== MOVE/VALUE/SECONDS`. On the way a
//! program may name lines and depths (`search`, as NTest does) and nodes (`nodestats`); one that names neither depth nor
//! line, as Edax, leaves one entry of depth 0. The depth is for the middle of a game, how deep the end is searched
//! is for the program to choose. Left out: `hint`, whose end cannot be told, `learn`, `analyze`, books and contempt.

use super::client::{Client, Said, Wishes};
use super::discs::{self, Discs, square};
use super::error::{Done, shown};
use super::number::{Unread, count, decimal, may_be_one, read};
use super::observed::{Observed, hundredths};
use super::process::Process;
use super::{Abilities, Ask, Go, Says};
use crate::observed::{EngineScore, Info};
use std::time::Duration;

/// A clock that no search comes to the end of, for `go` keeps to what is left of it.
const CLOCK: &str = "99:59:59";

/// A program that speaks the protocol of NBoard.
#[derive(Debug, Default)]
pub(super) struct NBoard {
    id: Option<String>,
    pings: u32,
    depth: u32,
    empties: u32,
}

impl NBoard {
    /// Waits until it has done all that it was told.
    fn sync(&mut self, process: &mut Process) -> Done {
        self.pings += 1;
        let pong = format!("pong {}", self.pings);
        process.send(&format!("ping {}", self.pings), "pong")?;
        process.wait("pong", |_, line| {
            if let Some(name) = line.trim().strip_prefix("set myname ") {
                self.id = Some(shown(name.trim()));
            }
            (line.trim() == pong).then_some(())
        })
    }

    fn set_depth(&mut self, process: &mut Process) -> Done {
        process.send(&format!("set depth {}", self.depth), "pong").map(|_| ())
    }
}

impl Client for NBoard {
    fn greet(&mut self, process: &mut Process, wishes: &Wishes<'_>) -> Done<Option<String>> {
        wishes.none()?;
        process.send("nboard 2", "pong")?;
        // Some make themselves known, and make their tables, only now.
        self.depth = 1;
        self.set_depth(process)?;
        self.sync(process)?;
        // The depth is part of the name that they give themselves.
        Ok(self.id.take().map(|id| id.strip_suffix('1').unwrap_or(&id).to_owned()))
    }

    fn abilities(&self) -> Abilities {
        Abilities {
            depth: true,
            time_step: Duration::from_secs(1),
            forgets: true,
            says: Says::ALL,
            ..Abilities::default()
        }
    }

    /// The protocol has no word for it. A depth that is set anew makes a new player of some programs, and a game from
    /// elsewhere is a new game for the others.
    fn new_game(&mut self, process: &mut Process) -> Done {
        self.set_depth(process)?;
        self.sync(process)
    }

    fn prepare(&mut self, process: &mut Process, ask: &Ask<'_>, missing: Option<&[String]>) -> Done {
        let discs = Discs::read(ask.position)?;
        self.empties = discs.empties().saturating_sub(ask.moves.len() as u32);
        let square = |mv: &String| if mv == "pass" { "PA".to_owned() } else { mv.to_ascii_uppercase() };
        let lines = match missing {
            // The game goes on, and a search has made no move: both players' are sent.
            Some(missing) => missing.iter().map(|mv| format!("move {}", square(mv))).collect(),
            None => vec![format!("set game {}", ggf(&discs, ask.moves.iter().map(square)))],
        };
        if let Go::Depth(plies) = ask.go
            && plies != self.depth
        {
            self.depth = plies;
            self.set_depth(process)?;
        }
        for line in lines {
            process.send(&line, "pong")?;
        }
        self.sync(process)
    }

    fn go(&self, _: &Ask<'_>) -> String {
        "go".to_owned()
    }

    fn observe(&mut self, line: &str, observed: &mut Observed) -> Option<Said> {
        let mut tokens = line.split_whitespace();
        match tokens.next()? {
            // A line of the book has been searched before, if ever.
            "search" => {
                if let Some(info) = observed.read(searched(&tokens.collect::<Vec<_>>(), self.empties)) {
                    observed.tell(info);
                }
                None
            }
            "nodestats" => {
                if let Some(nodes) = observed.read(nodes(&tokens.collect::<Vec<_>>())) {
                    observed.nodes(nodes);
                }
                None
            }
            "===" => {
                let columns: Vec<&str> = tokens.flat_map(|word| word.split('/')).collect();
                let text = *columns.first().unwrap_or(&"");
                let mv = square(text);
                if observed.is_empty()
                    && let (Some(mv), Some(text)) = (&mv, columns.get(1))
                    && let Some(score) = observed.read(value("=== value", text))
                {
                    observed.tell(Info { score, pv: vec![mv.clone()], ..Info::default() });
                }
                Some(Said::of(text, mv))
            }
            _ => None,
        }
    }

    fn deepest(&self, ask: &Ask<'_>) -> Option<u32> {
        if let Go::Depth(plies) = ask.go { Some(plies.max(self.empties)) } else { None }
    }

    fn words(&self) -> (&'static str, &'static str, Option<&'static str>) {
        ("===", "d3 or pass", Some("ping 0"))
    }
}

/// A value in discs. What is worth more to one side if drawn has two, `1.5,-2`; the first is as good as the second.
fn value(field: &'static str, text: &str) -> Result<Option<EngineScore>, Unread> {
    let first = match text.split_once(",") {
        // Else the comma stands before a fraction.
        Some((first, second)) if second.starts_with(['+', '-']) || second.contains('.') => first,
        _ => text,
    };
    let value = read(field, first, decimal)?;
    Ok(Some(hundredths(value * 100.0)))
}

/// The columns behind `search`: line, value, a 0, depth, and free text.
fn searched(columns: &[&str], empties: u32) -> Result<Info, Unread> {
    let column = |at: usize| columns.get(at).copied().unwrap_or_default();
    let score = value("search value", column(1))?;
    read("search, third column", column(2), count)?;
    let depth = read("search depth", column(3), |text| discs::depth(text, empties))?;
    Ok(Info { depth, score, pv: discs::line(column(0)), ..Info::default() })
}

/// The columns behind `nodestats`: nodes and seconds.
fn nodes(columns: &[&str]) -> Result<u64, Unread> {
    let fail = |expected| Unread::new("nodestats nodes", &columns.join(" "), expected);
    match columns {
        [] => Err(fail("nodes and seconds")),
        [nodes, rest @ ..] if rest.len() > 1 || rest.iter().any(|next| may_be_one(nodes, next)) => {
            Err(fail("nodes and seconds, each without a blank in it"))
        }
        [nodes, ..] => count(nodes).map_err(fail),
    }
}

/// A game in the frame of GGF; squares run from a1 to h8 there too.
fn ggf(discs: &Discs, moves: impl Iterator<Item = String>) -> String {
    let board = discs.text('*', 'O', '-');
    let mut game = format!("(;GM[Othello]PC[x]PB[x]PW[x]RE[?]TI[{CLOCK}]TY[8]BO[8 {board}]");
    let mut first = discs.first;
    for mv in moves {
        game += &format!("{}[{mv}]", if first { 'B' } else { 'W' });
        first = !first;
    }
    game + ";)"
}
