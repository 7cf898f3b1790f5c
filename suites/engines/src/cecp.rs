//! CECP, the protocol of xboard and WinBoard, version 2 (T. Mann and H. G. Muller, "Chess Engine Communication Protocol",
//! 2009; it comes with xboard as `engine-intf.html`).
//!
//! An engine says in `feature` lines what it understands; what it does not mention it is taken not to have. Time goes by
//! whole seconds (`st`), depth by `sd`, which not every engine knows: one that rejects it is never asked again. A budget
//! in nodes does not exist. Left out: engines of the first version, which have no features; pondering, analysis, `exclude`,
//! variants, signals, and `edit` for positions that it cannot tell.

mod said;

use crate::client::{Client, Said, Wishes};
use crate::error::{Done, shown};
use crate::observed::{Act, Observed, is_move_text};
use crate::options::{Advertised, Kind, Setting};
use crate::process::Process;
use crate::{Abilities, Ask, Fault, Go, Says};
use std::time::Duration;

/// How long an engine is waited for that began with its features and does not say that they are all, as the protocol has it.
const FEATURES: Duration = Duration::from_secs(2);
/// How long rejections are listened for where there is no `ping`.
const REJECTIONS: Duration = Duration::from_millis(100);
/// Minutes for a game whose searches end by depth.
const LONG: u32 = 600;
/// A depth that is no limit.
const DEEP: u32 = 99;

/// An engine that speaks CECP.
#[derive(Debug, Default)]
pub(super) struct Cecp {
    id: Option<String>,
    advertised: Advertised,
    features: Vec<(String, String)>,
    pings: u32,
    /// Commands that it rejected.
    unknown: Vec<String>,
    /// A depth was set once; some engines keep to it even after `new`.
    limited: bool,
    /// Nothing was set up since `new`.
    is_new: bool,
    /// What it was told of limits since `new`.
    told: Vec<String>,
    /// Whether it is to move with the black men.
    is_black: bool,
    /// Whether it has moved since `new`.
    has_moved: bool,
    /// Whether it gave the game up after its last move.
    gave_up: bool,
}

impl Cecp {
    fn has(&self, feature: &str) -> bool {
        self.features.iter().rev().find(|(name, _)| name == feature).is_some_and(|(_, value)| value == "1")
    }

    fn denies(&self, feature: &str) -> bool {
        self.features.iter().rev().find(|(name, _)| name == feature).is_some_and(|(_, value)| value == "0")
    }

    fn knows(&self, command: &str) -> bool {
        !self.unknown.iter().any(|other| other == command)
    }

    /// Hears features until the engine says that they are all, or has none to add.
    fn introduce(&mut self, process: &mut Process) -> Done {
        let mut done = process.wait("a feature", |_, line| self.feature(line))?;
        if done.is_none() {
            done =
                process.wait_at_most("feature done=1", FEATURES, |_, line| self.feature(line).flatten())?;
        }
        if done == Some(false) {
            // It is busy, and will say when it is done.
            process.wait("feature done=1", |_, line| self.feature(line).flatten().filter(|done| *done))?;
        }
        for (name, _) in &self.features {
            let answer = if name == "san" { "rejected" } else { "accepted" };
            process.send(&format!("{answer} {name}"), "feature done=1")?;
        }
        Ok(())
    }

    /// Takes in a line, if it is one of features; what it says of being done, if anything.
    fn feature(&mut self, line: &str) -> Option<Option<bool>> {
        let (features, mut done) = (said::features(line), None);
        let is_one = !features.is_empty();
        for (name, value) in features {
            match name {
                "option" => {
                    if let Some((name, kind, default)) = said::option(value) {
                        self.advertised.name(name, kind, default, line.len());
                    }
                }
                "myname" => self.id = Some(shown(value.trim())),
                "done" => done = Some(value == "1"),
                // A broken engine must not fill the memory.
                _ if self.features.len() < 200 => self.features.push((name.to_owned(), shown(value))),
                _ => {}
            }
        }
        is_one.then_some(done)
    }

    /// Waits until it has done all that it was told, and hears what it rejects meanwhile, and whether it gave up after its move.
    fn sync(&mut self, process: &mut Process) -> Done<Vec<String>> {
        self.pings += 1;
        let (mut rejections, mut gave_up) = (Vec::new(), false);
        let mut listen = |line: &str| {
            gave_up |= self.end(line.trim()) == Some(Said::Instead(Act::Resigns));
            if rejections.len() < 100
                && let Some(rejected) = rejection(line)
            {
                rejections.push(rejected);
            }
        };
        if self.has("ping") {
            let pong = format!("pong {}", self.pings);
            process.send(&format!("ping {}", self.pings), "pong")?;
            process.wait("pong", |_, line| {
                listen(line);
                (line.trim() == pong).then_some(())
            })?;
        } else {
            process.wait_at_most("pong", REJECTIONS, |_, line| {
                listen(line);
                None::<()>
            })?;
        }
        // What it says of a game that is over is nothing of the next.
        self.gave_up = gave_up && self.has_moved;
        Ok(rejections)
    }

    /// Tells it of a new game: some make a list of all that is sent since, and end when it is full.
    fn begin(&mut self, process: &mut Process) -> Done {
        self.told.clear();
        (self.is_new, self.has_moved) = (true, false);
        for line in ["new", "force", "easy", "post"] {
            process.send(line, "pong")?;
        }
        Ok(())
    }

    /// The prefix of a move.
    fn prefix(&self) -> &'static str {
        if self.has("usermove") { "usermove " } else { "" }
    }

    /// Brings the board to the position: by the moves that are new, or by setting it up at the start of a game.
    fn place(&mut self, process: &mut Process, ask: &Ask<'_>, missing: Option<&[String]>) -> Done {
        let mut lines = match self.has("setboard") {
            true => vec![format!("setboard {}", ask.position)],
            false => commands(ask.position, self.prefix())
                .map_err(|why| Fault::Unable { what: "this position".to_owned(), why: why.to_owned() })?,
        };
        if missing.is_some() {
            lines.clear();
        } else if !self.is_new {
            self.begin(process)?;
        }
        self.is_new = false;
        lines.extend(missing.unwrap_or(ask.moves).iter().map(|mv| format!("{}{mv}", self.prefix())));
        lines.iter().try_for_each(|line| process.send(line, "pong").map(|_| ()))
    }

    /// Says when it is to answer.
    fn limit(&mut self, process: &mut Process, ask: &Ask<'_>) -> Done {
        let mut lines = Vec::new();
        let mut left = [Duration::from_secs(60 * u64::from(LONG)); 2];
        match ask.go {
            Go::MoveTime(time) => lines.push(format!("st {}", time.as_secs())),
            Go::Clock { time, increment, moves_to_go } => {
                let side = usize::from(self.is_black);
                left = [time[side], time[1 - side]];
                let base = time[side].as_secs().max(1);
                let (minutes, seconds) = (base / 60, base % 60);
                let each = increment[side].as_secs_f64();
                lines.push(format!("level {} {minutes}:{seconds:02} {each}", moves_to_go.unwrap_or(0)));
            }
            Go::Own => {}
            _ => lines.push(format!("level 0 {LONG} 0")),
        }
        match ask.go {
            Go::Depth(plies) => {
                self.limited = true;
                lines.push(format!("sd {plies}"));
            }
            _ if self.limited && self.knows("sd") => lines.push(format!("sd {DEEP}")),
            _ => {}
        }
        if !self.denies("time") && !matches!(ask.go, Go::MoveTime(_) | Go::Own) {
            let [own_time, other] = left.map(|time| (time.as_millis() / 10).max(1));
            lines.extend([format!("time {own_time}"), format!("otim {other}")]);
        }
        for line in lines {
            // Said once a game: what is left on the clock is what `time` says.
            let is_clock = line.starts_with("level") && matches!(ask.go, Go::Clock { .. });
            let is_told = |told: &String| *told == line || is_clock && told.starts_with("level");
            if !self.told.iter().any(is_told) {
                process.send(&line, "pong")?;
                if !line.starts_with("time") && !line.starts_with("otim") {
                    self.told.push(line);
                }
            }
        }
        Ok(())
    }

    /// What a line of a search says of its end, if anything: a move, or what is done in place of one.
    fn end(&self, line: &str) -> Option<Said> {
        let mv = line.strip_prefix("move ").or_else(|| line.strip_prefix("My move is"));
        if let Some(text) = mv {
            let text = text.trim_start_matches([':', ' ']).trim();
            return Some(Said::of(text, said::mv(text)));
        }
        match line.split_whitespace().next()? {
            "resign" => Some(Said::Instead(Act::Resigns)),
            // Whoever says that the other has won gives up.
            result @ ("1-0" | "0-1") => {
                let wins = (result == "0-1") == self.is_black;
                Some(Said::Instead(if wins { Act::ClaimsWin } else { Act::Resigns }))
            }
            "1/2-1/2" => Some(Said::Instead(Act::ClaimsDraw)),
            "move" => Some(Said::Nothing),
            _ if rejection(line).is_some_and(|text| text == "go") => Some(Said::Refused(line.to_owned())),
            _ => None,
        }
    }
}

impl Client for Cecp {
    fn greet(&mut self, process: &mut Process, wishes: &Wishes<'_>) -> Done<Option<String>> {
        process.send("xboard", "feature done=1")?;
        process.send("protover 2", "feature done=1")?;
        self.introduce(process)?;
        // What the protocol has commands of its own for is an option like any other.
        for (feature, name) in [("memory", "Hash"), ("smp", "Threads")] {
            if self.has(feature) && self.advertised.find(name).is_none() {
                self.advertised.add(name, Kind::Spin { min: 1, max: i64::from(u32::MAX) }, None, name.len());
            }
        }
        for setting in self.advertised.settings(wishes)? {
            process.send(&self.command(&setting), "pong")?;
        }
        self.new_game(process)?;
        Ok(self.id.take())
    }

    fn abilities(&self) -> Abilities {
        Abilities {
            depth: self.knows("sd"),
            time: self.knows("st"),
            time_step: Duration::from_secs(1),
            clock: self.knows("level"),
            own_limits: true,
            forgets: !self.denies("reuse"),
            says: Says::ALL,
            ..Abilities::default()
        }
    }

    fn options(&self) -> Option<&Advertised> {
        Some(&self.advertised)
    }

    fn new_game(&mut self, process: &mut Process) -> Done {
        self.begin(process)?;
        self.sync(process).map(|_| ())
    }

    fn prepare(&mut self, process: &mut Process, ask: &Ask<'_>, missing: Option<&[String]>) -> Done {
        // The first player is the one that FEN calls `w`.
        let begins_black = ask.position.split_whitespace().nth(1) == Some("b");
        self.is_black = begins_black ^ (ask.moves.len() % 2 == 1);
        self.place(process, ask, missing)?;
        self.limit(process, ask)?;
        let rejections = self.sync(process)?;
        let refused =
            |what, text: &str, expected| Err(Fault::Refused { what, text: text.to_owned(), expected });
        for text in rejections {
            let command = text.split_whitespace().next().unwrap_or_default();
            let is_move = |mv: &String| text.split_whitespace().any(|word| word == mv);
            match command {
                "sd" | "st" | "level" => {
                    self.unknown.push(command.to_owned());
                    let why = format!("it does not know `{command}`");
                    return Err(Fault::Unable { what: ask.go.in_words().to_owned(), why });
                }
                "setboard" | "edit" => return refused("position", &text, "one that it can set up"),
                _ if text.to_lowercase().contains("position") => {
                    return refused("position", &text, "one that it can set up");
                }
                _ if ask.moves.iter().any(is_move) => return refused("move", &text, "a move that it takes"),
                _ => {}
            }
        }
        Ok(())
    }

    fn plays(&self, mv: &str) -> Option<bool> {
        Some(is_move_text(mv))
    }

    fn gave_up(&self) -> bool {
        self.gave_up
    }

    fn go(&self, _: &Ask<'_>) -> String {
        "go".to_owned()
    }

    fn observe(&mut self, line: &str, observed: &mut Observed) -> Option<Said> {
        let line = line.trim();
        let end = self.end(line);
        match &end {
            Some(end) => self.has_moved |= matches!(end, Said::Move(_)),
            None => {
                let info = observed.read(said::thinking(line)).flatten();
                info.into_iter().for_each(|info| observed.tell(info));
            }
        }
        end
    }

    /// It would answer moves from now on.
    fn decide(&mut self, process: &mut Process) -> Done {
        process.send("force", "pong").map(|_| ())
    }

    fn words(&self) -> (&'static str, &'static str, Option<&'static str>) {
        ("move", "e2e4, e7e8q or Nf3", Some("?"))
    }
}

impl Cecp {
    /// The command of a setting.
    fn command(&self, setting: &Setting) -> String {
        let value = setting.value.as_deref();
        match (setting.name.as_str(), value) {
            ("Hash", Some(mib)) if self.has("memory") => format!("memory {mib}"),
            ("Threads", Some(number)) if self.has("smp") => format!("cores {number}"),
            (name, None) => format!("option {name}"),
            (name, Some("true")) => format!("option {name}=1"),
            (name, Some("false")) => format!("option {name}=0"),
            (name, Some(value)) => format!("option {name}={value}"),
        }
    }
}

/// What it rejects, in its words: `Error (REASON): COMMAND`, `Illegal move: MOVE` and what looks like it.
fn rejection(line: &str) -> Option<String> {
    let line = line.trim();
    if let Some(text) = line.strip_prefix("tellusererror ") {
        return Some(shown(text));
    }
    let is_rejection = ["Error", "Illegal move", "Invalid move"].iter().any(|start| line.starts_with(start));
    let (_, rejected) = line.split_once(':').filter(|_| is_rejection)?;
    Some(shown(rejected.trim()))
}

/// The commands after `new` and `force` that lead to a position, or why none do. `prefix` stands before moves.
///
/// `edit` sets a position up piece by piece and knows no side to move, no rights to castle and no pawn that may be taken in passing.
/// The side is given, as xboard does, by a move made before; a position whose rights do not follow from where kings and rooks stand,
/// or where a pawn has just gone two squares, cannot be told at all, and is refused rather than searched as another.
fn commands(fen: &str, prefix: &str) -> Result<Vec<String>, &'static str> {
    let fields: Vec<&str> = fen.split_whitespace().collect();
    let [board, side, castling, passing, ..] = fields[..] else { return Err("it is no FEN") };
    let pieces = pieces(board).ok_or("it is no FEN")?;
    let at = |piece: char, square: &str| pieces.iter().any(|(p, s)| *p == piece && s == square);
    let rights = [('K', 'R', "h1"), ('Q', 'R', "a1"), ('k', 'r', "h8"), ('q', 'r', "a8")];
    let differs = rights.iter().any(|(right, rook, corner)| {
        let (king, home) = if right.is_ascii_uppercase() { ('K', "e1") } else { ('k', "e8") };
        (at(king, home) && at(*rook, corner)) != castling.contains(*right)
    });
    if differs {
        return Err("its rights to castle cannot be told without `setboard`");
    }
    if passing != "-" {
        return Err("a pawn that can be taken in passing cannot be told without `setboard`");
    }
    let mut all = Vec::new();
    if side == "b" {
        all.push(format!("{prefix}a2a3"));
    }
    all.extend(["edit", "#"].map(str::to_owned));
    let pieces_of = |white: bool| {
        let same_color = pieces.iter().filter(move |(piece, _)| piece.is_ascii_uppercase() == white);
        same_color.map(|(piece, square)| format!("{}{square}", piece.to_ascii_uppercase()))
    };
    all.extend(pieces_of(true));
    all.push("c".to_owned());
    all.extend(pieces_of(false));
    all.push(".".to_owned());
    Ok(all)
}

/// Pieces with their squares, as the first field of a FEN has them.
fn pieces(board: &str) -> Option<Vec<(char, String)>> {
    let mut all = Vec::new();
    let rows: Vec<&str> = board.split('/').collect();
    if rows.len() != 8 {
        return None;
    }
    for (row, rank) in rows.iter().zip((1..=8).rev()) {
        let mut file = 0;
        for letter in row.chars() {
            match letter {
                '1'..='8' => file += letter as u8 - b'0',
                _ if "KQRBNPkqrbnp".contains(letter) => {
                    all.push((letter, format!("{}{rank}", char::from(b'a' + file))));
                    file += 1;
                }
                _ => return None,
            }
            if file > 8 {
                return None;
            }
        }
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_told_piece_by_piece_or_refused() {
        let lines = commands("4k3/7p/8/8/8/8/4P3/4K2R b K - 0 1", "").unwrap();
        assert_eq!(lines, ["a2a3", "edit", "#", "Pe2", "Ke1", "Rh1", "c", "Ke8", "Ph7", "."]);
        for (fen, why) in [
            ("4k3/8/8/8/8/8/4P3/4K2R w - - 0 1", "castle"),
            ("4k3/8/8/8/8/8/4P3/4K3 w K - 0 1", "castle"),
            ("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1", "passing"),
            ("4k3/8 w - - 0 1", "no FEN"),
            ("9/8/8/8/8/8/8/8 w - - 0 1", "no FEN"),
            ("4k3", "no FEN"),
        ] {
            assert!(commands(fen, "").unwrap_err().contains(why), "{fen}");
        }
    }
}
