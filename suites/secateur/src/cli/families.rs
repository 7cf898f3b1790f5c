//! `docs/tests.toml`: the tests that the documents rest on, in families that are corrected together (Holm).
//!
//! A family is a source of numbers like a run. Each of its tests has a name and gives `ratio` or `difference` (with its interval),
//! `p` (corrected for the family), `p-alone` (not corrected) and `n`. The tests of a family are all that were looked at to answer
//! one question, those without a result included.

use crate::cli::evidence::{committed_match, searches_in};
use crate::cli::failure::Failure;
use secateur_lab::prose::facts::Fact;
use secateur_stats::contrast::Searches;
use secateur_stats::group::{Group, groups_of};
use secateur_stats::inference::spread::heterogeneity;
use secateur_stats::inference::{Judged, Test, judged};
use secateur_stats::interval::Interval;
use secateur_stats::labels::budget_word;
use secateur_stats::measure::{NODES, named};
use secateur_stats::metrics::iterations;
use secateur_stats::paired_test::{ArmOf, paired_test};
use secateur_stats::play::{ScoreTest, against, against_even};
use secateur_stats::runs::Runs;
use secateur_stats::solved::solutions;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

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
    estimate: Interval,
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
    let path = Path::new(FILE);
    if !path.is_file() {
        return Ok(None);
    }
    let text = std::fs::read_to_string(path).map_err(Failure::io(path))?;
    let file: File = toml::from_str(&text).map_err(|error| Failure::input(format!("{FILE}: {error}")))?;
    file.family.iter().find(|family| family.name == name).map(facts_of).transpose()
}

fn facts_of(family: &Family) -> Result<Vec<Fact>, Failure> {
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
    let tests: Vec<Test> = outcomes.iter().map(|outcome| outcome.test).collect();
    let all = family.test.iter().zip(&outcomes).zip(judged(&tests));
    Ok(all.flat_map(|((wanted, outcome), judged)| facts(&wanted.name, outcome, judged)).collect())
}

/// The run of the second arm of a test.
fn second_run<'f>(family: &'f Family, wanted: &'f Wanted) -> &'f str {
    if wanted.second_run.is_empty() { &family.run } else { &wanted.second_run }
}

fn facts(name: &str, outcome: &Outcome, judged: Judged) -> [Fact; 4] {
    [
        Fact::within([name, outcome.what], outcome.estimate),
        Fact::number([name, "p"], judged.p),
        Fact::number([name, "p-alone"], outcome.test.p),
        Fact::number([name, "n"], outcome.n as f64),
    ]
}

/// A test of two arms, of a run each.
fn arms(wanted: &Wanted, runs: [&Runs; 2]) -> Result<Outcome, String> {
    let groups = runs.map(groups_of);
    let (iterations, solutions) = (runs.map(|runs| iterations(&runs.iterations)), solutions(runs[0]));
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
    Ok(Outcome { estimate: estimate.within, test: estimate.test(), n: estimate.n, what })
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
    let ScoreTest { estimate, effect, p, n, .. } = score_test(wanted, &wanted.game, &wanted.against)?;
    Ok(Outcome { estimate, test: Test { effect, p }, n, what: "difference" })
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
        let test = score_test(wanted, one, other)?;
        Ok((test.effect, test.error))
    };
    let differences = wanted.alike.iter().map(difference).collect::<Result<Vec<_>, Failure>>()?;
    let (q, p) = heterogeneity(&differences)
        .ok_or_else(|| Failure::input(format!("{FILE}: {}: expected two or more pairs", wanted.name)))?;
    let n = differences.len();
    Ok(Outcome { estimate: Interval::none(q), test: Test { effect: q, p }, n, what: "q" })
}
