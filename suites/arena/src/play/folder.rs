//! The folder of a match: appended after every game, resumed without loss, put in order when complete.
//!
//! A game counts when its row stands in `games.csv`. Its transcript (`games.pgn`, [`transcript`]) is written and synced before, so after a
//! crash there may be one transcript too many, never one too few; opening the folder drops it. `play.toml` comes first and
//! vouches for the openings, which are stored so that a match goes on from the same positions whatever becomes of the
//! sampler. A game whose row or transcript is not as it was written is played again, which is said.

use super::file::{GAMES, OPENINGS, PlayFile, SETTINGS, TRANSCRIPTS, tell_lacking};
use super::player::Choice;
use super::record::{self, GameRow, OpeningRow, Written};
use super::referee::Played;
use secateur_base::number::{either, plural};
use secateur_core::Game;
use secateur_engines::EngineScore;
use secateur_record::archive::{is_file, lock, text};
use secateur_record::files::{LOCK, is_left_over, refuse_foreign, replace, sweep};
use secateur_record::ledger::Ledger;
use secateur_record::rows::{csv, header, read};
use secateur_record::seal::{restored, seal};
use secateur_suites::Error;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs::File;
use std::path::{Path, PathBuf};

/// Writes a file unless it holds just that.
fn put(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    if std::fs::read(path).is_ok_and(|old| old == bytes) { Ok(()) } else { Ok(replace(path, bytes)?) }
}

/// The open folder of a match with the one right to write in it.
pub(super) struct Folder {
    dir: PathBuf,
    pub(super) file: PlayFile,
    pub(super) openings: Vec<OpeningRow>,
    pub(super) rows: Vec<GameRow>,
    /// What was not as it was written, in words.
    pub(super) mended: Vec<String>,
    games: Ledger,
    transcripts: Ledger,
    /// Held, not used: closing it gives up the right to write.
    _lock: File,
}

/// Openings, how many of them differ, and how they came about.
type Drawn = (Vec<OpeningRow>, usize, String);

impl Folder {
    /// Begins the match of `file` in `dir`, or goes on with it if the folder holds the same match, perhaps of fewer games; with `retry`
    /// games that a fault ended are dropped. `draw` makes the openings of so many games and says how. A complete match is left as it is.
    pub(super) fn open(
        dir: &Path,
        file: PlayFile,
        retry: bool,
        draw: impl Fn(usize) -> Result<Drawn, Error>,
    ) -> Result<Folder, Error> {
        let mut drawn = None;
        if !is_file(&dir.join(SETTINGS)) {
            refuse_others(dir)?;
            drawn = Some(draw(file.settings.games)?);
        }
        std::fs::create_dir_all(dir).map_err(Error::io(dir))?;
        let lock = lock(dir)?;
        sweep(dir);
        let mut mended = Vec::new();
        let file = match drawn {
            Some(drawn) => begin(dir, file, &drawn)?,
            None => go_on(dir, file, &draw, &mut mended)?,
        };
        let openings: Vec<OpeningRow> = read(&dir.join(OPENINGS))?;
        let (count, pairs) = (openings.len(), file.settings.games / 2);
        if count < pairs {
            let path = dir.join(OPENINGS);
            return Err(Error::Usage(format!(
                "{}: found {}, expected {pairs}",
                path.display(),
                plural(count, "opening")
            )));
        }
        let mut kept = kept(dir, &file, &mut mended)?;
        if retry {
            let all = kept.len();
            kept.retain(|(row, _)| row.at_fault().is_none());
            if kept.len() < all {
                let games = plural(all - kept.len(), "game");
                let are = either(all - kept.len(), "is", "are");
                mended.push(format!("{games} that a fault ended {are} replayed"));
            }
        }
        let file = decided(dir, file, &kept)?;
        let mut rows: Vec<GameRow> = kept.into_iter().map(|(row, _)| row).collect();
        tell_lacking(&mut rows, &openings);
        Ok(Folder {
            games: Ledger::open(&dir.join(GAMES), header::<GameRow>())?,
            transcripts: Ledger::open(&dir.join(TRANSCRIPTS), String::new())?,
            rows,
            dir: dir.to_owned(),
            file,
            openings,
            mended,
            _lock: lock,
        })
    }

    /// Adds a game: when this returns it survives a crash.
    pub(super) fn add(&mut self, row: GameRow, transcript: &str) -> Result<(), Error> {
        let row = record::sealed(row, transcript, &self.file.identity());
        self.transcripts.add(transcript.as_bytes())?;
        self.games.add(&csv(&[&row], false))?;
        self.rows.push(row);
        Ok(())
    }

    /// The games of earlier sessions that stay whatever is decided: those that cannot be played again alike, and those of a match that
    /// was complete.
    pub(super) fn lasting(&self) -> BTreeSet<usize> {
        let stay = !self.file.settings.limit.repeats() || self.file.complete;
        self.rows.iter().filter(|_| stay).map(|row| row.game).collect()
    }

    /// Puts the games that count in order and, if all are there, marks the match complete.
    pub(super) fn close(
        mut self,
        counts: &dyn Fn(&GameRow) -> bool,
    ) -> Result<(PlayFile, Vec<GameRow>), Error> {
        let mut kept = kept(&self.dir, &self.file, &mut self.mended)?;
        kept.retain(|(row, _)| counts(row));
        write(&self.dir, &kept)?;
        self.file.complete = kept.len() == self.file.games_here().len();
        put(&self.dir.join(SETTINGS), self.file.text().as_bytes())?;
        let mut rows: Vec<GameRow> = kept.into_iter().map(|(row, _)| row).collect();
        if self.file.settings.is_shared() {
            tell_lacking(&mut rows, &read::<OpeningRow>(&self.dir.join(OPENINGS))?);
        }
        Ok((self.file, rows))
    }
}

/// A folder without settings must be empty but for what a kill before the first game leaves.
fn refuse_others(dir: &Path) -> Result<(), Error> {
    let Ok(files) = std::fs::read_dir(dir) else { return Ok(()) };
    let names: Vec<String> =
        files.flatten().map(|file| file.file_name().to_string_lossy().into_owned()).collect();
    let ours = |name: &str| [LOCK, OPENINGS, GAMES, TRANSCRIPTS].contains(&name) || is_left_over(name);
    if !names.iter().all(|name| ours(name)) {
        return Ok(refuse_foreign(dir)?);
    }
    let games = text(&dir.join(GAMES))?.is_some_and(|text| text.lines().count() > 1);
    match games || text(&dir.join(TRANSCRIPTS))?.is_some_and(|text| !text.is_empty()) {
        true => Err(Error::Usage(format!(
            "{}: found games but no {SETTINGS}, which says what they are; put it back",
            dir.display()
        ))),
        false => Ok(()),
    }
}

/// Writes the settings, which vouch for the openings, and then the openings.
fn begin(dir: &Path, mut file: PlayFile, (rows, distinct, how): &Drawn) -> Result<PlayFile, Error> {
    let text = csv(rows, true);
    (file.distinct_openings, file.openings, file.openings_seal) = (*distinct, how.clone(), seal(&text));
    if let Some(part) = &mut file.part {
        part.whole.clone_from(&file.openings_seal);
    }
    replace(&dir.join(SETTINGS), file.text().as_bytes())?;
    replace(&dir.join(OPENINGS), &text)?;
    Ok(file)
}

/// The settings of a match that was begun, with this session; openings that are not as they were are drawn again.
fn go_on(
    dir: &Path,
    mut new: PlayFile,
    draw: &dyn Fn(usize) -> Result<Drawn, Error>,
    mended: &mut Vec<String>,
) -> Result<PlayFile, Error> {
    let mut file = PlayFile::read(dir)?;
    file.same_as(&new, dir)?;
    if file.shard().is_none() && !file.complete {
        // What was merged of some shards goes on as a match in one piece.
        file.part = None;
    }
    let redrawn = || Ok::<_, Error>(csv(&draw(file.settings.games)?.0, true));
    mended.extend(restored(&dir.join(OPENINGS), &file.openings_seal, redrawn)?);
    if new.settings.games > file.settings.games {
        file = grown(dir, file, draw(new.settings.games)?, new.settings.games)?;
    }
    file.session.append(&mut new.session);
    file.settings.margins = new.settings.margins;
    Ok(file)
}

/// A match that goes on to more games than it was begun with: its openings are the first of the new ones, and its rows say which
/// match they were of.
fn grown(dir: &Path, mut file: PlayFile, drawn: Drawn, games: usize) -> Result<PlayFile, Error> {
    let path = dir.join(OPENINGS);
    let old: Vec<OpeningRow> = read(&path)?;
    if drawn.0.get(..old.len()) != Some(&old) {
        return Err(Error::Usage(format!(
            "{}: the openings of {games} games do not begin with the {} that are here; ask for {} games, or play in another folder",
            path.display(),
            old.len(),
            file.settings.games
        )));
    }
    file.grown.push(file.identity());
    (file.settings.games, file.complete) = (games, false);
    begin(dir, file, &drawn)
}

/// Rows that are as they were written with their transcripts, in order; what is not is put into words.
fn kept(dir: &Path, file: &PlayFile, mended: &mut Vec<String>) -> Result<Vec<(GameRow, String)>, Error> {
    let (path, transcript_path) = (dir.join(GAMES), dir.join(TRANSCRIPTS));
    let Written { games, damages, table, transcripts } = record::read(dir, &file.identities())?;
    if file.complete && table.is_empty() {
        return Err(Error::Usage(format!(
            "{}: empty or missing in a complete match; put it back",
            path.display()
        )));
    }
    if transcripts.is_none_or(|text| text.is_empty()) && table.lines().count() > 1 {
        return Err(Error::Usage(format!(
            "{}: empty or missing next to games; put it back",
            transcript_path.display()
        )));
    }
    mended.extend(damages.iter().map(|(line, what)| format!("{}, line {line}: {what}", path.display())));
    let (wanted, mut kept) = (file.games_here(), Vec::new());
    for record::Game { row, line, transcript } in games {
        match transcript {
            Some(text) if wanted.binary_search(&row.game).is_ok() => kept.push((row, text)),
            _ => mended.push(format!(
                "{}: the transcript of game {} ({GAMES}, line {line}) is missing or not as it was written",
                transcript_path.display(),
                row.game
            )),
        }
    }
    if file.complete && kept.len() < wanted.len() {
        let missing = wanted.len() - kept.len();
        mended.push(format!("{} {} replayed", plural(missing, "game"), either(missing, "is", "are")));
    }
    kept.sort_by_key(|(row, _)| row.game);
    Ok(kept)
}

/// Brings the files to what was kept. Only a complete match of which everything was kept stays complete; of any other it is
/// said before anything is dropped that it is not.
fn decided(dir: &Path, mut file: PlayFile, kept: &[(GameRow, String)]) -> Result<PlayFile, Error> {
    if file.complete && kept.len() == file.games_here().len() {
        file = PlayFile { session: file.session[..file.session.len() - 1].to_vec(), ..file };
    } else {
        file.complete = false;
    }
    put(&dir.join(SETTINGS), file.text().as_bytes())?;
    write(dir, kept)?;
    Ok(file)
}

/// Writes rows and transcripts in the order of the games.
fn write(dir: &Path, kept: &[(GameRow, String)]) -> Result<(), Error> {
    let transcripts: String = kept.iter().map(|(_, text)| text.as_str()).collect();
    let rows: Vec<GameRow> = kept.iter().map(|(row, _)| row.clone()).collect();
    put(&dir.join(TRANSCRIPTS), transcripts.as_bytes())?;
    put(&dir.join(GAMES), record::table(&rows).as_bytes())
}

/// Length of the longest line, as the standard asks.
const WIDTH: usize = 79;

/// What the head of a transcript says besides the game.
pub(super) struct Head<'a> {
    /// Number of the game, from 1.
    pub(super) number: usize,
    /// Names of the players of side 0 and side 1.
    pub(super) players: [&'a str; 2],
    pub(super) opening: &'a str,
    pub(super) result: &'a str,
    pub(super) limit: &'a str,
    /// Day, `YYYY-MM-DD`.
    pub(super) date: &'a str,
}

/// The transcript of a game as text that other programs read, with an empty line at its end.
///
/// Chess is standard PGN (Edwards 1994) with the opening's position as FEN; after every move a comment has value,
/// depth, time and nodes. Draughts is PDN 3.0 in the same layout, with its game type, and `1-0` where black, which begins, has won, as
/// draughts programs write it. Othello has no such standard: the same layout, with X and O for the sides, the discs as
/// result, and the position as this program writes it. In a game with dice the throw stands before its move.
pub(super) fn transcript<G: Game>(game: &G, head: &Head<'_>, played: &Played<G>) -> String {
    let sides = game.sides().map(|side| {
        let mut letters = side.chars();
        let first = letters.next().map(|letter| letter.to_ascii_uppercase());
        first.into_iter().chain(letters).collect::<String>()
    });
    let termination = match played.end.detail.as_str() {
        "" => played.end.reason.to_string(),
        detail => format!("{}: {detail}", played.end.reason),
    };
    let round = head.number.to_string();
    let date = head.date.replace('-', ".");
    let start = game.format(&played.start);
    let plies = played.plies.len().to_string();
    let form = game.transcript();
    let tags = [
        ("Event", "secateur match"),
        ("Site", "?"),
        ("Date", &date),
        ("Round", &round),
        (&sides[0], head.players[0]),
        (&sides[1], head.players[1]),
        ("Result", head.result),
        ("SetUp", "1"),
        (form.position, &start),
        ("Opening", head.opening),
        ("PlyCount", &plies),
        ("TimeControl", head.limit),
        ("Termination", &termination),
    ];
    let mut text = String::new();
    for (name, value) in tags.into_iter().chain(form.tags.iter().copied()) {
        let value = value.replace(['\\', '"', '\n', '\r'], " ");
        let _ = writeln!(text, "[{name} \"{value}\"]");
    }
    text.push('\n');
    text + &wrapped(&moves(game, played), head.result) + "\n"
}

/// The words of the moves: numbers, moves, comments.
fn moves<G: Game>(game: &G, played: &Played<G>) -> Vec<String> {
    let mut number = full_move(game, &played.start);
    let mut tokens = Vec::new();
    for (index, ply) in played.plies.iter().enumerate() {
        let side = game.side(&ply.from);
        if side == 0 {
            tokens.push(format!("{number}."));
        } else if index == 0 || played.plies[index - 1].choice.is_some() {
            // After a comment the number is said again.
            tokens.push(format!("{number}..."));
        }
        tokens.extend(game.dice(&ply.from));
        tokens.push(game.shown(&ply.from, ply.mv));
        tokens.extend(ply.choice.iter().flat_map(comment));
        number += side;
    }
    tokens
}

/// Number of the next move: what the position says (chess), or 1.
fn full_move<G: Game>(game: &G, pos: &G::Position) -> usize {
    game.format(pos).split(' ').nth(5).and_then(|number| number.parse().ok()).unwrap_or(1)
}

/// `{+0.34/9 0.123s 20001n}` as words.
fn comment(choice: &Choice) -> [String; 3] {
    let value = match choice.value {
        Some(EngineScore::Cp(score)) => format!("{:+.2}", f64::from(score) / 100.0),
        Some(EngineScore::Mate(moves)) if moves < 0 => format!("-M{}", -moves),
        Some(EngineScore::Mate(moves)) => format!("+M{moves}"),
        None => "?".to_owned(),
    };
    [
        format!("{{{value}/{}", choice.depth),
        format!("{:.3}s", choice.wall.as_secs_f64()),
        format!("{}n}}", choice.nodes),
    ]
}

fn wrapped(tokens: &[String], result: &str) -> String {
    let mut text = String::new();
    let mut column = 0;
    for word in tokens.iter().map(String::as_str).chain([result]) {
        if column > 0 && column + 1 + word.len() > WIDTH {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text += word;
        column += word.len();
    }
    text + "\n"
}
