//! How well a shallow search predicts a deep one at positions that nothing was fitted on: the pairs that
//! `cargo xtask pairs` wrote, their regression, and whether the fitted model keeps its promise on them.

use crate::interval::{Interval, bootstrap};
use crate::read::{ReadError, read_sidecar};
use secateur_base::Fit;
use secateur_record::fitted::Line;
use secateur_record::games::{self, Traits};
use secateur_record::observations::{Origin, PairRow};
use std::collections::BTreeMap;
use std::path::Path;

/// Half the width of the band in the picture and in the table, in sigmas: Buro's t.
pub const BAND: f64 = 1.5;

/// Pairs of one stage, in a unit for people.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Where they come from.
    pub origin: Origin,
    /// The stage as the game's positions are labelled: the disc count in Othello.
    pub stage: String,
    /// (v', v), in the unit.
    pub points: Vec<(f64, f64)>,
    /// The regression through them; there is one if they have a spread.
    pub line: Line,
    /// Indices of the points of every source game.
    pub clusters: Vec<Vec<usize>>,
}

/// Reads a file of `cargo xtask pairs` and its provenance: one sample a stage, in the order of the stages'
/// names. Values are divided by `unit` (100 makes discs of an Othello score). Stages without a regression are
/// left out.
///
/// # Errors
/// A file that is missing or not of this form, with the line.
pub fn read(path: &Path, unit: f64) -> Result<Vec<Sample>, ReadError> {
    read_kept(path, unit, &|_| true)
}

/// The same of the pairs whose positions, by their ids, are kept.
///
/// # Errors
/// Those of [`read`].
pub fn read_kept(path: &Path, unit: f64, keep: &dyn Fn(&str) -> bool) -> Result<Vec<Sample>, ReadError> {
    let mut pairs = read_pairs(path)?;
    pairs.stages.values_mut().for_each(|rows| rows.retain(|row| keep(&row.source)));
    Ok(pairs.samples(unit))
}

/// The pairs of all stages together whose v' is at most `range` away from 0, in the unit; `None` if they have no regression.
///
/// # Errors
/// Those of [`read`].
pub fn read_together(path: &Path, unit: f64, range: f64) -> Result<Option<Sample>, ReadError> {
    let mut pairs = read_pairs(path)?;
    let all = std::mem::take(&mut pairs.stages).into_values().flatten();
    let near: Vec<PairRow> = all.filter(|row| f64::from(row.shallow).abs() <= range * unit).collect();
    Ok(pairs.sample(&format!("all to {range}"), &near, unit))
}

/// The same in what people read values of the game in, with what is known of the game.
///
/// # Errors
/// Those of [`read`].
pub fn read_for_people(path: &Path) -> Result<(Vec<Sample>, Traits), ReadError> {
    let pairs = read_pairs(path)?;
    let traits = games::traits(&pairs.origin.game).cloned().unwrap_or_default();
    Ok((pairs.samples(f64::from(traits.per_unit.max(1))), traits))
}

/// What a file of pairs says.
struct Pairs {
    origin: Origin,
    /// By the names of their stages.
    stages: BTreeMap<String, Vec<PairRow>>,
}

fn read_pairs(path: &Path) -> Result<Pairs, ReadError> {
    let (origin, rows): (Origin, Vec<PairRow>) = read_sidecar(path)?;
    let mut stages: BTreeMap<String, Vec<PairRow>> = BTreeMap::new();
    rows.into_iter().for_each(|row| stages.entry(row.stage.clone()).or_default().push(row));
    Ok(Pairs { origin, stages })
}

impl Pairs {
    fn samples(&self, unit: f64) -> Vec<Sample> {
        self.stages.iter().filter_map(|(stage, rows)| self.sample(stage, rows, unit)).collect()
    }

    fn sample(&self, stage: &str, rows: &[PairRow], unit: f64) -> Option<Sample> {
        let points: Vec<_> =
            rows.iter().map(|row| (f64::from(row.shallow) / unit, f64::from(row.deep) / unit)).collect();
        let mut clusters = BTreeMap::<&str, Vec<usize>>::new();
        rows.iter()
            .enumerate()
            .for_each(|(index, row)| clusters.entry(&row.cluster).or_default().push(index));
        let line = Line::through(&points)?;
        Some(Sample {
            origin: self.origin.clone(),
            stage: stage.to_owned(),
            points,
            line,
            clusters: clusters.into_values().collect(),
        })
    }
}

impl Sample {
    /// A number of the regression with its bootstrap interval over source games.
    pub fn interval_of(&self, statistic: fn(&Line) -> f64) -> Interval {
        bootstrap(&self.clusters, |drawn| {
            let points: Vec<_> = drawn.iter().map(|&index| self.points[index]).collect();
            Line::through(&points).map_or(f64::NAN, |line| statistic(&line))
        })
    }

    /// The spread around the line through the pairs whose v' is at most `range` away from 0.
    pub fn spread_near(&self, range: f64) -> Interval {
        bootstrap(&self.clusters, |drawn| {
            let near = drawn.iter().map(|&index| self.points[index]).filter(|(x, _)| x.abs() <= range);
            Line::through(&near.collect::<Vec<_>>()).map_or(f64::NAN, |line| line.sigma)
        })
    }

    /// Shares of pairs more than `band` sigma below and above what `fit` predicts.
    pub fn misses(&self, fit: &Fit, unit: f64, band: f64) -> [Interval; 2] {
        let error = |index: usize| {
            let (x, y) = self.points[index];
            (y - fit.a * x - fit.b / unit) / (fit.sigma / unit)
        };
        [-1.0, 1.0].map(|side| {
            bootstrap(&self.clusters, |drawn| {
                let missed = drawn.iter().filter(|&&index| side * error(index) > band).count();
                missed as f64 / drawn.len() as f64
            })
        })
    }
}

/// The stage with this label: of the same name, or a range such as `d28-31` around the label's number.
pub fn stage_of(stages: &[&str], label: &str) -> Option<usize> {
    let holds = |name: &str| {
        let (low, high) = name.trim_start_matches(|c: char| !c.is_ascii_digit()).split_once('-')?;
        let (low, high, number) = (low.parse().ok()?, high.parse().ok()?, label.parse::<u32>().ok()?);
        Some((low..=high).contains(&number))
    };
    stages.iter().position(|name| *name == label || holds(name) == Some(true))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{STAGES, model, pairs_file, put_pairs};
    use secateur_record::seal::sealed_with;

    #[test]
    fn misses_are_those_of_the_model_and_on_their_side() {
        let dir = tempfile::tempdir().unwrap();
        let samples = read(&pairs_file(dir.path()), 100.0).unwrap();
        assert_eq!((samples.len(), samples[0].clusters.len()), (1, 10));
        let shares = |sigma: f64| {
            let model = model(sigma);
            samples[0].misses(&model.fits[0], 100.0, BAND).map(|i| (60.0 * i.estimate).round())
        };
        assert_eq!(shares(100.0), [10.0, 10.0], "2 discs are more than 1.5 sigma of 1");
        assert_eq!(shares(150.0), [0.0, 0.0], "and less than 1.5 sigma of 1.5");
        let line = samples[0].line;
        assert!((line.a - 1.0).abs() < 0.01 && line.sigma > 1.0 && line.sigma < 1.3, "{line:?}");
    }

    #[test]
    fn r2_lies_in_its_interval() {
        let dir = tempfile::tempdir().unwrap();
        let sample = read(&pairs_file(dir.path()), 100.0).unwrap().remove(0);
        let r2 = sample.interval_of(|line| line.r * line.r);
        assert!(r2.low < r2.estimate && r2.estimate < r2.high && r2.high < 1.0, "{r2:?}");
        assert!((r2.estimate - sample.line.r.powi(2)).abs() < 1e-12);
    }

    #[test]
    fn stages_are_found_by_number_or_name() {
        assert_eq!(stage_of(STAGES, "28").map(|stage| STAGES[stage]), Some("d28-31"));
        assert_eq!(stage_of(STAGES, "31"), stage_of(STAGES, "28"));
        assert_eq!(stage_of(&["opening", "endgame"], "endgame"), Some(1));
        assert_eq!(stage_of(&["opening", "endgame"], "28"), None);
    }

    #[test]
    fn broken_files_show_the_line() {
        let dir = tempfile::tempdir().unwrap();
        let path = pairs_file(dir.path());
        let text = std::fs::read_to_string(&path).unwrap();
        put_pairs(&path, &text.replacen("p3,game/0,28,-2700", "p3,game/0,28,x", 1));
        let error = |path: &Path| read(path, 100.0).unwrap_err().to_string();
        assert!(error(&path).contains(".csv:5:"), "{}", error(&path));
        let table = std::fs::read(&path).unwrap();
        let other = sealed_with("game = \"othello\"\nplies = 2\nx = 1\n", &table);
        std::fs::write(path.with_extension("toml"), other).unwrap();
        assert!(error(&path).contains(".toml:"), "{}", error(&path));
        assert!(read(&dir.path().join("absent.csv"), 100.0).is_err_and(|error| error.is_io()));
    }

    /// A source game has positions in several stages, and is one observation.
    #[test]
    fn stages_together_keep_their_games_and_their_range() {
        let dir = tempfile::tempdir().unwrap();
        let path = pairs_file(dir.path());
        let text = std::fs::read_to_string(&path).unwrap();
        let other = |(at, line): (usize, &str)| {
            if at % 2 == 0 { line.replace(",28,", ",44,") } else { line.to_owned() }
        };
        put_pairs(&path, &text.lines().enumerate().map(other).map(|line| line + "\n").collect::<String>());
        assert_eq!(read(&path, 100.0).unwrap().len(), 2);
        let all = read_together(&path, 100.0, 100.0).unwrap().unwrap();
        assert_eq!((all.stage.as_str(), all.points.len(), all.clusters.len()), ("all to 100", 60, 10));
        let near = read_together(&path, 100.0, 9.0).unwrap().unwrap();
        assert_eq!((near.points.len(), near.clusters.len()), (19, 4));
        assert!(near.points.iter().all(|(x, _)| x.abs() <= 9.0));
    }

    #[test]
    fn damages_of_files_are_found() {
        let dir = tempfile::tempdir().unwrap();
        let path = pairs_file(dir.path());
        let toml = path.with_extension("toml");
        let (whole, table) = (std::fs::read_to_string(&toml).unwrap(), std::fs::read(&path).unwrap());
        assert_eq!(read(&path, 100.0).unwrap()[0].points.len(), 60);
        // Another value of one pair, one pair less, another depth.
        let text = String::from_utf8(table.clone()).unwrap();
        let less: String = text.lines().take(60).map(|line| format!("{line}\n")).collect();
        for other in [text.replacen(",28,0,", ",28,1,", 1), less] {
            assert_ne!(other, text);
            std::fs::write(&path, other).unwrap();
            assert!(read(&path, 100.0).unwrap_err().to_string().contains("not as it was written"));
        }
        std::fs::write(&path, &table).unwrap();
        std::fs::write(&toml, whole.replace("deep = 8", "deep = 6")).unwrap();
        assert!(read(&path, 100.0).unwrap_err().to_string().contains("not as it was written"));
        std::fs::write(&toml, whole.split_once('\n').unwrap().1).unwrap();
        assert!(read(&path, 100.0).unwrap_err().to_string().contains("found no seal"));
    }
}
