//! GTP, the Go Text Protocol, version 2 (G. Farneback, 2002), as programs for boards of discs speak it.
//!
//! It knows a move and a time, but neither depth nor nodes, value or line, so a program searches as its arguments say
//! ([`Go::Own`](super::Go::Own)) or for a time. A position can be set up by no command of the protocol; programs have some
//! of their own, and these are known here: `grhino-setup_board SQUARES SIDE` (GRhino), `set_position SQUARES SIDE` and
//! `setboard SQUARES SIDE`. The search is asked with `reg_genmove` where there is such a command, because that leaves the
//! board alone, else with `genmove`. Left out: `loadsgf`, whose files are read by each program in its own way.

use super::client::{Client, Said, Wishes};
use super::discs::{Discs, square};
use super::error::{Done, shown};
use super::observed::Observed;
use super::process::Process;
use super::{Abilities, Ask, Fault, Go};
use std::time::Duration;

/// Commands that take up a position, as 64 squares and a side.
const SETTERS: [&str; 3] = ["grhino-setup_board", "set_position", "setboard"];

/// Most letters of an answer; a list of commands has some hundred.
const LONGEST: usize = 64 * 1024;

/// A program that speaks GTP.
#[derive(Debug, Default)]
pub(super) struct Gtp {
    commands: Vec<String>,
    first_moves: bool,
    /// Its answer has begun with a line of nothing but `=`.
    is_begun: bool,
}

impl Gtp {
    fn has(&self, command: &str) -> bool {
        self.commands.iter().any(|other| other == command)
    }

    fn setter(&self) -> Option<&'static str> {
        SETTERS.into_iter().find(|setter| self.has(setter))
    }

    /// A command that has to succeed.
    fn done(&self, process: &mut Process, line: &str, what: &'static str) -> Done {
        match exchange(process, line)? {
            Ok(_) => Ok(()),
            Err(answer) => {
                Err(Fault::Refused { what, text: shown(&answer), expected: "`=` in answer to it" })
            }
        }
    }
}

impl Client for Gtp {
    fn greet(&mut self, process: &mut Process, wishes: &Wishes<'_>) -> Done<Option<String>> {
        wishes.none()?;
        self.commands = match exchange(process, "list_commands")? {
            Ok(list) => list.split_whitespace().map(str::to_owned).collect(),
            Err(_) => Vec::new(),
        };
        let name = exchange(process, "name")?.ok();
        let mut id = name.map(|name| shown(name.trim())).filter(|name| !name.is_empty());
        if let (Some(id), Ok(version)) = (&mut id, exchange(process, "version")?) {
            *id = shown(format!("{id} {}", version.trim()).trim());
        }
        // One that knows a single size need not have the command.
        if self.commands.is_empty() || self.has("boardsize") {
            self.done(process, "boardsize 8", "a board of 8 x 8")?;
        }
        Ok(id)
    }

    fn abilities(&self) -> Abilities {
        let has_time = self.has("time_settings");
        Abilities {
            time: has_time,
            time_step: Duration::from_secs(1),
            clock: has_time && self.has("time_left"),
            own_limits: true,
            forgets: true,
            ..Abilities::default()
        }
    }

    fn new_game(&mut self, process: &mut Process) -> Done {
        self.done(process, "clear_board", "another game")
    }

    fn prepare(&mut self, process: &mut Process, ask: &Ask<'_>, missing: Option<&[String]>) -> Done {
        let discs = Discs::read(ask.position)?;
        let Some(setter) = self.setter() else {
            let what = "a position".to_owned();
            let why = format!("it has none of the commands {}", SETTERS.join(", "));
            return Err(Fault::Unable { what, why });
        };
        let missing = match missing {
            Some(missing) => missing,
            None => {
                self.done(process, &format!("{setter} {}", discs.text('X', 'O', '-')), "position")?;
                ask.moves
            }
        };
        let on_board = ask.moves.len() - missing.len();
        self.first_moves = discs.first ^ (on_board % 2 == 1);
        for mv in missing {
            self.done(process, &format!("play {} {mv}", colour(self.first_moves)), "move")?;
            self.first_moves = !self.first_moves;
        }
        match ask.go {
            Go::MoveTime(time) => {
                self.done(process, &format!("time_settings 0 {} 1", time.as_secs()), "time")
            }
            Go::Clock { time, increment, .. } => {
                let side = usize::from(!self.first_moves);
                let (left, each) = (time[side].as_secs().max(1), increment[side].as_secs());
                let settings = format!("time_settings {left} {each} {}", u32::from(each > 0));
                self.done(process, &settings, "clock")?;
                let left = format!("time_left {} {left} 0", colour(self.first_moves));
                self.done(process, &left, "clock")
            }
            _ => Ok(()),
        }
    }

    fn go(&self, _: &Ask<'_>) -> String {
        format!("{} {}", self.search(), colour(self.first_moves))
    }

    fn observe(&mut self, line: &str, _: &mut Observed) -> Option<Said> {
        let line = line.trim();
        let end = match line.strip_prefix('?') {
            Some(error) => Said::Refused(error.trim().to_owned()),
            None if self.is_begun => Said::of(line, square(line)),
            // What stands in the lines up to the empty one is the answer too.
            None if line == "=" => {
                self.is_begun = true;
                return None;
            }
            None => {
                let text = line.strip_prefix('=')?.trim();
                Said::of(text, square(text))
            }
        };
        self.is_begun = false;
        Some(end)
    }

    /// The other command leaves the board alone.
    fn plays(&self, _: &str) -> Option<bool> {
        (self.search() == "genmove").then_some(true)
    }

    fn words(&self) -> (&'static str, &'static str, Option<&'static str>) {
        ("an answer to genmove", "d3 or pass", None)
    }
}

impl Gtp {
    /// The command that begins a search.
    fn search(&self) -> &'static str {
        if self.has("reg_genmove") { "reg_genmove" } else { "genmove" }
    }
}

fn colour(first: bool) -> &'static str {
    if first { "black" } else { "white" }
}

/// Says a command and hears the answer: what follows `=`, or else what follows `?`.
///
/// An answer ends with an empty line, which may also be left over from the one before.
fn exchange(process: &mut Process, line: &str) -> Done<Result<String, String>> {
    process.send(line, "an answer")?;
    let mut observed: Option<(bool, String)> = None;
    process
        .wait("an answer", |_, line| match &mut observed {
            None => {
                let good = line.trim_start().strip_prefix('=').map(|text| (true, text));
                let bad = || line.trim_start().strip_prefix('?').map(|text| (false, text));
                observed = good.or_else(bad).map(|(good, text)| (good, text.trim().to_owned()));
                None
            }
            Some(answer) if line.trim().is_empty() => Some(answer.clone()),
            Some((_, text)) => {
                if text.len() < LONGEST {
                    *text += &format!("\n{line}");
                }
                None
            }
        })
        .map(|(good, text)| if good { Ok(text) } else { Err(text) })
}
