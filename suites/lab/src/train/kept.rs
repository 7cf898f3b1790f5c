//! Positions of a generation kept in a folder, so that an interrupted training is taken up where it stopped and a
//! regression can be tried again on the same games.
//!
//! A file a block of games, written whole. The first line says what made the games; then for each game its count of positions and the
//! positions. A block that is not whole is played again.

use super::TrainError;
use secateur_record::files::replaced;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

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

/// What made the games of a generation, and where they are kept.
pub(crate) struct Kept<'a> {
    /// The folder, if they are.
    pub(crate) folder: Option<&'a Path>,
    /// Number of the generation.
    pub(crate) generation: u32,
    /// Seed of the games.
    pub(crate) seed: u64,
    /// Nodes of the search for each move.
    pub(crate) nodes: u64,
    /// Id of the evaluation of the players.
    pub(crate) evaluation: u64,
}

impl Kept<'_> {
    /// The games of these numbers: as they are kept, or played now and kept.
    pub(crate) fn or_played(
        &self,
        numbers: &[u32],
        play: impl FnOnce() -> Vec<Vec<Sample>>,
    ) -> Result<Vec<Vec<Sample>>, TrainError> {
        let Kept { generation, seed, nodes, evaluation, .. } = self;
        let Some(folder) = self.folder else { return Ok(play()) };
        let path = folder.join(format!("generation-{generation}-{}.samples", numbers[0]));
        let error = |message: String| TrainError::Kept { path: path.display().to_string(), message };
        let failed = |io: std::io::Error| error(io.to_string());
        let head = format!("seed {seed} nodes {nodes} evaluation {evaluation:016x}");
        if path.exists() {
            let text = fs::read_to_string(&path).map_err(failed)?;
            let (first_line, body) = text.split_once('\n').unwrap_or((&text, ""));
            if first_line != head {
                return Err(error(format!("line 1: found `{first_line}`, expected `{head}`")));
            }
            match read(body) {
                Some(games) if games.len() == numbers.len() => return Ok(games),
                Some(games) if games.len() > numbers.len() => {
                    let (found, expected) = (games.len(), numbers.len());
                    return Err(error(format!(
                        "found {found} games, expected {expected}: use the same --games"
                    )));
                }
                _ => {}
            }
        }
        let games = play();
        let mut text = head + "\n";
        for samples in &games {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "game {}", samples.len());
            for Sample { position, result, value } in samples {
                let _ = writeln!(text, "{result} {value} {position}");
            }
        }
        fs::create_dir_all(folder).map_err(failed)?;
        replaced(&path, text.as_bytes()).map_err(failed)?;
        Ok(games)
    }
}

/// The games of a block; `None` of one that is not whole.
fn read(body: &str) -> Option<Vec<Vec<Sample>>> {
    let mut games = Vec::new();
    let mut lines = body.strip_suffix('\n')?.lines();
    while let Some(line) = lines.next() {
        let count: usize = line.strip_prefix("game ")?.parse().ok()?;
        games.push((0..count).map(|_| sample(lines.next()?)).collect::<Option<_>>()?);
    }
    Some(games)
}

fn sample(line: &str) -> Option<Sample> {
    let mut fields = line.splitn(3, ' ');
    let result = fields.next()?.parse().ok()?;
    let value = fields.next()?.parse().ok()?;
    Some(Sample { position: fields.next()?.to_owned(), result, value })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One position a game.
    fn games(count: usize) -> Vec<Vec<Sample>> {
        let one = |game: usize| vec![Sample { position: format!("p {game}"), result: 1, value: 7 }];
        (0..count).map(one).collect()
    }

    #[test]
    fn a_block_is_taken_as_it_was_kept_played_again_if_it_is_cut_off_and_never_made_shorter() {
        let dir = tempfile::tempdir().unwrap();
        let kept = Kept { folder: Some(dir.path()), generation: 0, seed: 1, nodes: 5, evaluation: 9 };
        let file = dir.path().join("generation-0-0.samples");
        assert_eq!(kept.or_played(&[0, 1], || games(2)).unwrap(), games(2));
        assert_eq!(kept.or_played(&[0, 1], || panic!("they are kept")).unwrap(), games(2));
        let error = kept.or_played(&[0], || games(1)).unwrap_err().to_string();
        assert!(error.contains("found 2 games, expected 1: use the same --games"), "{error}");
        let whole = fs::read_to_string(&file).unwrap();
        fs::write(&file, &whole[..whole.len() - 4]).unwrap();
        assert_eq!(kept.or_played(&[0, 1], || games(2)).unwrap(), games(2));
        assert_eq!(fs::read_to_string(&file).unwrap(), whole);
        let other = Kept { seed: 2, ..kept };
        assert!(other.or_played(&[0, 1], || games(2)).unwrap_err().to_string().contains("line 1: found"));
    }
}
