//! The numbers that prose may name: from the committed runs, matches, fits, pairs and small CSV files; and what `docs` shows of how
//! well a shallow search predicts a deep one: two pictures, and tables.
//!
//! A family of tests (`docs/tests.toml`), which are corrected together (Holm), is a source of numbers like a run. Each of its tests
//! has a name and gives `ratio` or `difference` (with its interval), `p` (corrected for the family), `p-alone` (not corrected) and
//! `n`. The tests of a family are all that were looked at to answer one question, those without a result included.

use crate::cli::evidence::{committed_match, searches_in, without_reserved};
use crate::cli::failure::Failure;
use crate::cli::reading::text_of;
use crate::cli::speed::{folders, is_comparison};
use secateur_arena::play::Ended;
use secateur_base::unknown::Unknown;
use secateur_core::{AnyGame, Evaluation};
use secateur_games::chess::Chess;
use secateur_games::othello::Othello;
use secateur_lab::prose::facts::{Fact, Facts, of_csv, of_fit, of_rows, of_sections, of_table};
use secateur_lab::studies::{check_gains, fits, peer_answers};
use secateur_positions::builtin::is_reserved;
use secateur_positions::{Reading, loaded};
use secateur_record::archive::is_file;
use secateur_record::fitted::Fitted;
use secateur_record::manifest::Solution;
use secateur_reports::evidence::Evidence;
use secateur_reports::table::{Section, Table};
use secateur_reports::{full_of, play, predict, speed};
use secateur_stats::contrast::Searches;
use secateur_stats::group::{Group, groups_of};
use secateur_stats::inference::spread::heterogeneity;
use secateur_stats::inference::{Test, judged};
use secateur_stats::labels::budget_word;
use secateur_stats::measure::{NODES, named};
use secateur_stats::measures::measure_rows;
use secateur_stats::metrics::iterations;
use secateur_stats::pairwise::{ArmOf, paired_test};
use secateur_stats::play::{ScoreTest, against, against_even, match_rows};
use secateur_stats::predict::{Sample, read_kept, read_together};
use secateur_stats::read::read;
use secateur_stats::runs::Runs;
use secateur_stats::solved;
use secateur_suites::manifest;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What examples and other commands printed, each file with the command that made it in its first line.
const PRINTED: &str = "docs/runs/printed";

/// The facts of the sources that were wanted so far, and what their searches took: nothing is read twice.
#[derive(Default)]
pub struct Sources {
    facts: Facts,
    asked: BTreeSet<String>,
    seconds: BTreeMap<String, f64>,
}

impl Sources {
    /// The facts of the sources that are wanted, among others: a folder under docs/runs by its name, a file of
    /// docs/runs/printed by its stem, `fit-othello`, `fit-chess`, `scatter`, `pairs`, a family of docs/tests.toml.
    pub fn facts(&mut self, wanted: &BTreeSet<String>) -> Result<&Facts, Failure> {
        for name in wanted {
            if !self.asked.insert(name.clone()) {
                continue;
            }
            if let Some((source_facts, seconds)) = source(name)? {
                add(&mut self.facts, name, &run_folder(name), source_facts);
                self.seconds.extend(seconds.map(|seconds| (name.clone(), seconds)));
            }
        }
        Ok(&self.facts)
    }

    /// The CPU seconds of the searches of a run, or of the players of a match. Nothing for a folder that is neither.
    pub fn seconds(&self, name: &str) -> Result<Option<f64>, Failure> {
        if self.asked.contains(name) {
            return Ok(self.seconds.get(name).copied());
        }
        let folder = Path::new(RUNS).join(name);
        if is_file(&folder.join("play.toml")) {
            return Ok(Some(of_players(&Ended::read(&folder)?)));
        }
        let is_run = is_file(&folder.join("run.toml"));
        is_run.then(|| Ok(of_searches(&read(&[folder])?))).transpose()
    }
}

/// CPU seconds of both players of a match.
fn of_players(ended: &Ended) -> f64 {
    ended.rows.iter().map(|row| row.first_time_ns + row.second_time_ns).sum::<u64>() as f64 / 1e9
}

/// CPU seconds of all searches of a run.
fn of_searches(runs: &Runs) -> f64 {
    runs.records.iter().map(|record| record.time_ns).sum::<u64>() as f64 / 1e9
}

/// The numbers of the runs and matches with these names in a folder; of those that are there.
pub fn facts_of(folder: &Path, wanted: &BTreeSet<String>) -> Result<Facts, Failure> {
    let mut facts = Facts::default();
    for name in wanted {
        let folder = folder.join(name);
        if let Some((source_facts, _)) = recorded(&folder)? {
            add(&mut facts, name, &folder, source_facts);
        }
    }
    Ok(facts)
}

/// Adds the facts of a source, which is a run where its folder has one.
fn add(facts: &mut Facts, name: &str, folder: &Path, source_facts: Vec<Fact>) {
    match is_file(&folder.join("run.toml")) {
        true => facts.add_run(name, source_facts),
        false => facts.add(name, source_facts),
    }
}

/// Facts, and the CPU seconds of what was searched for them.
type Found = (Vec<Fact>, Option<f64>);

/// `None` for a name that is no source, which whoever asks for it reports with its line.
fn source(name: &str) -> Result<Option<Found>, Failure> {
    let folder = Path::new(RUNS).join(name);
    let printed = Path::new(PRINTED).join(name).with_extension("csv");
    let facts = match name {
        "fit-othello" | "fit-chess" => fit_facts(name)?,
        "scatter" => scatter_facts()?,
        "pairs" => of_table(&roots()?),
        _ if printed.is_file() => of_csv(&text_of(&printed)?).map_err(Failure::at(printed.display()))?,
        _ => match family(name)? {
            Some(facts) => facts,
            None => return recorded(&folder),
        },
    };
    Ok(Some((facts, None)))
}

/// The numbers of a run, a match or a comparison of speed; of a match its measures, too, as `score` or `elo`.
fn recorded(folder: &Path) -> Result<Option<Found>, Failure> {
    if is_file(&folder.join("play.toml")) {
        let seconds = of_players(&Ended::read(folder)?);
        let ended = committed_match(folder)?;
        let mut facts = of_sections(&play::report(&ended).sections);
        facts.extend(of_rows(&match_rows(&ended)));
        return Ok(Some((facts, Some(seconds))));
    }
    if is_comparison(folder) {
        return Ok(Some((of_sections(&speed::ratios(&folders(folder)?)), None)));
    }
    if !is_file(&folder.join("run.toml")) {
        return Ok(None);
    }
    let mut runs = read(&[folder.to_owned()])?;
    let seconds = of_searches(&runs);
    without_reserved(&mut runs);
    let evidence = Evidence::of(&runs);
    let mut facts = of_rows(&measure_rows(&evidence.groups, &evidence.cells));
    facts.extend(of_sections(&full_of(&evidence).sections));
    facts.extend(check_gains::table(&runs).iter().flat_map(of_table));
    facts.extend(peer_answers::table(&runs, &solutions()?).iter().flat_map(of_table));
    Ok(Some((facts, Some(seconds))))
}

/// The solutions of the set that programs search when they are timed to a depth.
pub fn solutions() -> Result<BTreeMap<String, Solution>, Failure> {
    let game = AnyGame::from(Chess::default());
    let set = loaded(&game, "bratko-kopec", Reading::default())?;
    Ok(manifest::solutions(&game, &set.set.entries, &set.positions))
}

/// The pairs, in the order of the panels.
const PAIRS: [&str; 2] = ["docs/runs/scatter/othello-28.csv", "docs/runs/scatter/othello-44.csv"];
/// Read, not compiled in: after a fit the documents are current without another build.
const FIT: &str = "suites/params/othello.fit.toml";
/// That of the host of the papers, next to which it stands.
const CHESS_FIT: &str = "suites/params/chess.plain.fit.toml";
/// Pairs at the positions themselves, as Jiang & Buro 2003 took them.
const ROOTS: [&str; 3] =
    ["docs/runs/pairs/chess-3-5.csv", "docs/runs/pairs/chess-4-8.csv", "docs/runs/pairs/chess-4-6.csv"];
/// The pairs whose stages are also taken together, up to a range of values in centipawns, as Jiang & Buro did: slope and spread
/// depend on the range.
const TOGETHER: [(&str, f64); 2] = [(ROOTS[1], 300.0), ("docs/runs/pairs/chess-4-8-range-1000.csv", 1000.0)];
/// An Othello score is in 1/100 disc.
const UNIT: f64 = 100.0;
const UNIT_NAME: &str = "discs";

/// What documents show of predictions, by the name of the source: predictions with the tails of their errors, or the regressions of
/// these pairs of depths.
pub fn predictions(name: &str, pairs: &[(i32, i32)]) -> Result<Vec<Table>, Failure> {
    match name {
        "scatter" => Ok(scattered()?.1.into()),
        "fit-othello" => Ok(vec![fits::spreads(&fit(FIT)?, Othello::STAGES, UNIT)]),
        "fit-chess" => Ok(vec![fits::of_fit(&fit(CHESS_FIT)?, Chess::STAGES, pairs)]),
        "pairs" => Ok(vec![roots()?]),
        _ => Err(Failure::input(Unknown::new(
            "source",
            name,
            &["scatter", "fit-othello", "fit-chess", "pairs"],
        ))),
    }
}

/// The pictures of predictions, by path.
pub fn pictures() -> Result<[(PathBuf, String); 2], Failure> {
    let chart = fits::chart(&fit(FIT)?.baselines.none, Othello::STAGES, UNIT, UNIT_NAME);
    let scatter = predict::picture(&scattered()?.0, UNIT_NAME);
    Ok([("docs/scatter.svg".into(), scatter), ("docs/sigma.svg".into(), chart)])
}

/// The numbers of a fit, `fit-othello` or `fit-chess`.
fn fit_facts(name: &str) -> Result<Vec<Fact>, Failure> {
    let (path, stages) =
        if name == "fit-chess" { (CHESS_FIT, Chess::STAGES) } else { (FIT, Othello::STAGES) };
    Ok(of_fit(&fit(path)?, stages))
}

/// The regression at the positions themselves.
fn roots() -> Result<Table, Failure> {
    let mut samples = Vec::new();
    for path in ROOTS {
        samples.extend(secateur_stats::predict::read(path.as_ref(), 1.0)?);
    }
    for (path, range) in TOGETHER {
        samples.extend(read_together(path.as_ref(), 1.0, range)?);
    }
    Ok(fits::of_samples(&samples))
}

/// The numbers of the pairs, as the table of them prints them.
fn scatter_facts() -> Result<Vec<Fact>, Failure> {
    let section = Section { tables: scattered()?.1.into(), ..Section::default() };
    Ok(of_sections(&[section]))
}

/// The pairs, and the tables about them.
fn scattered() -> Result<(Vec<Sample>, [Table; 2]), Failure> {
    let fitted = fit(FIT)?;
    let evaluation = fitted.provenance.as_ref().map(|origin| origin.evaluation.as_str());
    let mut samples = Vec::new();
    for path in PAIRS {
        // Rows of before: nothing may have been tuned on their positions.
        samples.extend(read_kept(path.as_ref(), UNIT, &|id| !is_reserved(id))?);
    }
    let model = (Othello::STAGES, &fitted.baselines.none, evaluation);
    let table = predict::table(&samples, model, UNIT);
    let tails = fits::tails(&samples, (Othello::STAGES, &fitted.baselines.none), UNIT);
    Ok((samples, [table, tails]))
}

fn fit(path: &str) -> Result<Fitted, Failure> {
    Fitted::parse(Path::new(path), &text_of(path)?).map_err(Failure::input)
}

/// Where committed runs are.
pub const RUNS: &str = "docs/runs";
/// Where the families stand.
const FILE: &str = "docs/tests.toml";

/// A family as the file has it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Family {
    /// The source's name in documents.
    name: String,
    /// The question that its tests answer together.
    #[allow(dead_code, reason = "for the reader of the file, who must not go without")]
    question: String,
    /// The run whose arms are compared, for tests that name none.
    #[serde(default)]
    run: String,
    test: Vec<Wanted>,
}

/// A test as the file has it: of two arms of a run, or of one or two matches.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Wanted {
    name: String,
    /// Which searches of the run: its game, suite and budget, as many of them as tell the group from others.
    #[serde(default)]
    of: String,
    /// The same for the second arm, where its budget is another.
    #[serde(default)]
    second_of: String,
    /// The run of the second arm, where that is another with the same positions.
    #[serde(default)]
    second_run: String,
    #[serde(default)]
    first: String,
    #[serde(default)]
    second: String,
    /// The stage of the positions; all of them by default.
    #[serde(default)]
    stage: String,
    /// What the arms are compared by.
    #[serde(default)]
    measure: String,
    /// The folder of a match, instead of arms: its first player against an even score.
    #[serde(default, rename = "match")]
    game: String,
    /// Another match, against which the score of the first is held, opening by opening.
    #[serde(default)]
    against: String,
    /// Pairs of matches from the same openings, instead of arms: whether their scores differ alike in all (Cochran's Q).
    #[serde(default)]
    alike: Vec<[String; 2]>,
}

/// What a test found before it is corrected.
struct Outcome {
    test: Test,
    n: usize,
    what: &'static str,
}

/// The folder of a committed run or match, by its name.
pub fn run_folder(name: &str) -> PathBuf {
    Path::new(RUNS).join(name)
}

/// The facts of a family of the file; `None` if it has no family of this name.
pub fn family(name: &str) -> Result<Option<Vec<Fact>>, Failure> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct File {
        #[serde(default)]
        family: Vec<Family>,
    }
    if !Path::new(FILE).is_file() {
        return Ok(None);
    }
    let file: File = toml::from_str(&text_of(FILE)?).map_err(Failure::at(FILE))?;
    file.family.iter().find(|family| family.name == name).map(facts_of_family).transpose()
}

fn facts_of_family(family: &Family) -> Result<Vec<Fact>, Failure> {
    let mut runs: BTreeMap<&str, Runs> = BTreeMap::new();
    for wanted in family.test.iter().filter(|wanted| wanted.game.is_empty() && wanted.alike.is_empty()) {
        for run in [&*family.run, second_run(family, wanted)] {
            if !runs.contains_key(run) {
                runs.insert(run, searches_in(&run_folder(run))?);
            }
        }
    }
    let mut outcomes = Vec::new();
    for wanted in &family.test {
        let wrong =
            |message: String| Failure::input(format!("{FILE}: {}, {}: {message}", family.name, wanted.name));
        outcomes.push(match &*wanted.game {
            "" if !wanted.alike.is_empty() => alike(wanted)?,
            "" => arms(wanted, [&runs[&*family.run], &runs[second_run(family, wanted)]]).map_err(wrong)?,
            _ => games(wanted)?,
        });
    }
    let tests = judged(outcomes.iter().map(|outcome| outcome.test).collect());
    let all = family.test.iter().zip(&outcomes).zip(tests);
    Ok(all.flat_map(|((wanted, outcome), judged)| facts(&wanted.name, outcome, judged)).collect())
}

/// The run of the second arm of a test.
fn second_run<'f>(family: &'f Family, wanted: &'f Wanted) -> &'f str {
    if wanted.second_run.is_empty() { &family.run } else { &wanted.second_run }
}

fn facts(name: &str, outcome: &Outcome, judged: Test) -> [Fact; 4] {
    [
        Fact::within([name, outcome.what], outcome.test.effect),
        Fact::number([name, "p"], judged.p),
        Fact::number([name, "p-alone"], outcome.test.p),
        Fact::number([name, "n"], outcome.n as f64),
    ]
}

/// A test of two arms, of a run each.
fn arms(wanted: &Wanted, runs: [&Runs; 2]) -> Result<Outcome, String> {
    let groups = runs.map(groups_of);
    let (iterations, solutions) = (runs.map(|runs| iterations(&runs.iterations)), solved::solutions(runs[0]));
    let second = if wanted.second_of.is_empty() { &wanted.of } else { &wanted.second_of };
    let arm = |run: usize, group_words: &str, name: &str| {
        let (group, method) = arm(&groups[run], group_words, name)?;
        let searches = Searches::of(group).with_iterations(&iterations[run]).with_solutions(&solutions);
        Ok::<_, String>(ArmOf { searches, method })
    };
    let arms = [arm(0, &wanted.of, &wanted.first)?, arm(1, second, &wanted.second)?];
    let measure = named(&wanted.measure)?;
    let budgets = arms.map(|arm| (arm.searches.group.budget_kind, arm.searches.group.budget));
    if budgets[0] != budgets[1] && *measure == NODES {
        return Err("nodes at different budgets cannot be compared: expected `nodes_saved`".to_owned());
    }
    let stage = Some(&*wanted.stage).filter(|stage| !stage.is_empty());
    let estimate = paired_test(arms, measure, stage)?;
    let what = if measure.is_difference() { "difference" } else { "ratio" };
    // A ratio has no sign: only the p-value is asked of this test.
    let test = Test { effect: estimate.within, p: estimate.p };
    Ok(Outcome { test, n: estimate.n, what })
}

fn arm<'g, 'a>(groups: &'g [Group<'a>], block: &str, name: &str) -> Result<(&'g Group<'a>, usize), String> {
    let is = |group: &&Group<'_>, word: &str| {
        [group.game, group.suite].contains(&word) || budget_word(group.budget_kind, group.budget) == word
    };
    let named: Vec<&Group<'a>> =
        groups.iter().filter(|group| block.split_whitespace().all(|word| is(group, word))).collect();
    let [group] = named.as_slice() else {
        return Err(format!("`{block}`: found {} groups of searches, expected one", named.len()));
    };
    let method = group
        .methods
        .iter()
        .position(|member| *member == name)
        .ok_or_else(|| format!("arm `{name}`: expected one of {}", group.methods.join(", ")))?;
    Ok((group, method))
}

/// A test of a match, or of two matches from the same openings.
fn games(wanted: &Wanted) -> Result<Outcome, Failure> {
    let ScoreTest { test, n, .. } = score_test(wanted, &wanted.game, &wanted.against)?;
    Ok(Outcome { test, n, what: "difference" })
}

fn score_test(wanted: &Wanted, game: &str, other: &str) -> Result<ScoreTest, Failure> {
    let ended = |name: &str| committed_match(&run_folder(name));
    let one = ended(game)?;
    let test = match other {
        "" => against_even(&one.rows),
        other => against(&one.rows, &ended(other)?.rows),
    };
    test.ok_or_else(|| Failure::input(format!("{FILE}: {}: too few games to test", wanted.name)))
}

/// Whether the scores of two matches differ alike in all pairs of matches.
fn alike(wanted: &Wanted) -> Result<Outcome, Failure> {
    let difference = |[one, other]: &[String; 2]| {
        let score = score_test(wanted, one, other)?;
        Ok((score.test.effect.estimate, score.error))
    };
    let differences = wanted.alike.iter().map(difference).collect::<Result<Vec<_>, Failure>>()?;
    let (q, p) = heterogeneity(&differences)
        .ok_or_else(|| Failure::input(format!("{FILE}: {}: expected two or more pairs", wanted.name)))?;
    let n = differences.len();
    Ok(Outcome { test: Test::of(q, p), n, what: "q" })
}
