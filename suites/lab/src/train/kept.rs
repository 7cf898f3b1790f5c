//! Positions of a generation kept in a file, so that an interrupted training is taken up where it stopped and a
//! regression can be tried again on the same games.
//!
//! The first line says what made the games; then for each game its count of positions and the positions. A game
//! cut short by an interruption, and all after it, are played again.

use super::TrainError;
use std::fmt::Write as _;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// One position that teaches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sample {
    /// The position in the notation of the game.
    pub(crate) position: String,
    /// Result for the side to move: 1, 0 or -1.
    pub(crate) result: i8,
    /// What the search found for the side to move.
    pub(crate) value: i16,
}

impl Sample {
    /// The result as a score from 0 to 1.
    pub(crate) fn outcome(&self) -> f64 {
        (f64::from(self.result) + 1.0) / 2.0
    }
}

/// The games of a generation that are kept, those already read apart.
pub(crate) struct GenerationFile {
    path: Option<PathBuf>,
    games: std::vec::IntoIter<Vec<Sample>>,
}

/// What made the games of a generation.
pub(crate) struct Origin {
    /// Number of the generation.
    pub(crate) generation: u32,
    /// Seed of the games.
    pub(crate) seed: u64,
    /// Nodes of the search for each move.
    pub(crate) nodes: u64,
    /// Id of the evaluation of the players.
    pub(crate) evaluation: u64,
}

impl GenerationFile {
    /// Reads what is kept of a generation in a folder, if there is one; `block` games are kept at a time.
    pub(crate) fn open(
        folder: Option<&Path>,
        origin: &Origin,
        block: u32,
    ) -> Result<GenerationFile, TrainError> {
        let Origin { generation, seed, nodes, evaluation } = origin;
        let none = Vec::new().into_iter();
        let Some(folder) = folder else { return Ok(GenerationFile { path: None, games: none }) };
        let path = folder.join(format!("generation-{generation}.samples"));
        let failed = |error: std::io::Error| kept_error(&path, error.to_string());
        fs::create_dir_all(folder).map_err(failed)?;
        let head = format!("seed {seed} nodes {nodes} evaluation {evaluation:016x}\n");
        let text = if path.exists() { fs::read_to_string(&path).map_err(failed)? } else { String::new() };
        let Some(body) = text.strip_prefix(&head) else {
            if text.is_empty() {
                fs::write(&path, head).map_err(failed)?;
                return Ok(GenerationFile { path: Some(path), games: none });
            }
            let first_line = text.lines().next().unwrap_or_default();
            let message = format!("line 1: found `{first_line}`, expected `{}`", head.trim_end());
            return Err(kept_error(&path, message));
        };
        let (games, whole) = read(body, block as usize);
        fs::write(&path, &text[..head.len() + whole]).map_err(failed)?;
        Ok(GenerationFile { path: Some(path), games: games.into_iter() })
    }

    /// The next games, `count` of them: as they are kept, or played now and kept.
    pub(crate) fn next_or(
        &mut self,
        count: usize,
        play: impl FnOnce() -> Vec<Vec<Sample>>,
    ) -> Result<Vec<Vec<Sample>>, TrainError> {
        if self.games.len() >= count {
            return Ok(self.games.by_ref().take(count).collect());
        }
        // A part of a block is no use: the file ends before it, so that what follows is in order.
        let unplayed = self.games.by_ref().count();
        let Some(path) = &self.path else { return Ok(play()) };
        if unplayed > 0 {
            let message = format!("{unplayed} games more than whole blocks; use the same --games");
            return Err(kept_error(path, message));
        }
        let games = play();
        let mut text = String::new();
        for samples in &games {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "game {}", samples.len());
            for Sample { position, result, value } in samples {
                let _ = writeln!(text, "{result} {value} {position}");
            }
        }
        let file = OpenOptions::new().append(true).open(path);
        let written = file.and_then(|mut file| file.write_all(text.as_bytes()));
        written.map_err(|error| kept_error(path, error.to_string()))?;
        Ok(games)
    }
}

fn kept_error(path: &Path, message: String) -> TrainError {
    TrainError::Kept { path: path.display().to_string(), message }
}

/// The games that are whole, in whole blocks, and how many bytes they take.
fn read(body: &str, block: usize) -> (Vec<Vec<Sample>>, usize) {
    let mut games: Vec<Vec<Sample>> = Vec::new();
    let (mut whole, mut at) = (0, 0);
    let mut blocks = 0;
    let mut lines = body.split_inclusive('\n');
    let mut next = || lines.next().filter(|line| line.ends_with('\n'));
    while let Some(line) = next() {
        at += line.len();
        let Some(count) = line.strip_prefix("game ").and_then(|count| count.trim_end().parse().ok()) else {
            break;
        };
        let mut samples = Vec::new();
        for _ in 0..count {
            let Some(line) = next() else { break };
            at += line.len();
            samples.extend(sample(line));
        }
        if samples.len() != count {
            break;
        }
        games.push(samples);
        if games.len().is_multiple_of(block) {
            (whole, blocks) = (at, games.len());
        }
    }
    // The last block of a generation may be short.
    if at == body.len() && body.ends_with('\n') && games.len() > blocks {
        return (games, at);
    }
    games.truncate(blocks);
    (games, whole)
}

fn sample(line: &str) -> Option<Sample> {
    let mut fields = line.trim_end().splitn(3, ' ');
    let result = fields.next()?.parse().ok()?;
    let value = fields.next()?.parse().ok()?;
    Some(Sample { position: fields.next()?.to_owned(), result, value })
}
