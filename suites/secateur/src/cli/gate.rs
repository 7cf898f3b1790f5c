//! `gate`: exact quantities against a baseline; a table, and exit code 3 on a regression.

use crate::cli::failure::{Failure, Outcome};
use crate::cli::history;
use crate::cli::reading::{in_checkout, jobs};
use crate::cli::report::width;
use crate::cli::running::{self, How, arms_of, interrupt, note, quick_of};
use crate::cli::say::{message, say};
use secateur_base::program::name;
use secateur_base::visible::visible_json;
use secateur_gate::exact;
use secateur_gate::gate::{Answer, Question, judge, measure};
use secateur_gate::instructions::Source;
use secateur_record::manifest::Manifest;
use secateur_record::record::BudgetKind;
use secateur_reports::{gate as table, render};
use secateur_stats::read::from_rows;
use secateur_stats::worth::FULL;
use secateur_suites::Experiment;
use secateur_suites::allowance::Allowance;
use secateur_suites::instruments::machine::cores;
use secateur_suites::matrix::Plan;
use secateur_suites::program::{Others, Program, ProgramArms};
use secateur_suites::suite::{Block, Overrides, Suite};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// The baseline of this project's suite, from the root of the repository.
const BASELINE: &str = "suites/gate/baseline.toml";
/// Plies of the searches of a program that comes without a suite, and positions of each stage: seconds for most programs.
const DEPTH: i64 = 6;
const LIMIT: usize = 4;

/// Arguments of `gate`.
#[derive(clap::Args)]
#[command(
    after_help = format!("Examples:\n  {me} gate\n  {me} gate --update-baseline\n  {me} gate --markdown >> \
                        $GITHUB_STEP_SUMMARY\n  {me} gate --subject my-engine.toml --baseline my-engine-baseline.toml\n  \
                  {me} gate --suite my-suite.toml --baseline my-baseline.toml\n  \
                  {me} gate --suite my-suite.toml --baseline my-baseline.toml --update-baseline\n\nExit codes: 0 no regression, 3 a regression. What the baseline does not \
                        contain, for example after a change of compiler, is no regression.", me = name())
)]
pub struct Flags {
    /// Check your own suite file instead: of any program, or of our search on other positions
    #[arg(long, value_name = "FILE", requires = "baseline", group = "held")]
    suite: Option<String>,
    /// Check a program by its subject file: as it is and without each of its methods, at a few positions of
    /// the suite `quick`
    #[arg(long, value_name = "SUBJECT", requires = "baseline", group = "held")]
    subject: Option<String>,
    /// Use these positions for --subject: a built-in set, or a file
    #[arg(long, requires = "subject")]
    positions: Option<String>,
    /// Depth of the searches of --subject, plies
    #[arg(long, value_name = "PLIES", requires = "subject", default_value_t = DEPTH)]
    depth: i64,
    /// Compare with this file: nodes, every depth, value and move, and, where the suite counts them, the
    /// instructions of this toolchain. Written if it is missing
    #[arg(long, value_name = "FILE", requires = "held")]
    baseline: Option<PathBuf>,
    /// Accept instructions that differ by this many per cent, plus the variation measured now and when the baseline was written
    #[arg(long, value_name = "PERCENT", requires = "held", value_parser = percent)]
    tolerance: Option<f64>,
    /// Keep the run in this folder, for `report`
    #[arg(long, value_name = "FOLDER", requires = "held")]
    out: Option<PathBuf>,
    /// Accept that this arm of another program searches the same tree as another arm: its switch changes
    /// nothing at these positions; repeatable
    #[arg(long, value_name = "ARM", requires = "held")]
    same: Vec<String>,
    /// Add the measurements to the history in this folder, one CSV file per commit (`history show` reads it)
    #[arg(long, value_name = "FOLDER")]
    history: Option<PathBuf>,
    /// Write the measurements into the baseline, and print what changed. Keeps counts of other compilers if node counts are the same
    #[arg(long, alias = "bless")]
    update_baseline: bool,
    /// Processes under valgrind at once [default: all cores]; counts do not depend on it
    #[arg(long, value_parser = jobs)]
    jobs: Option<usize>,
    /// Print the checks as JSON
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
    /// Print the table as Markdown
    #[arg(long)]
    markdown: bool,
}

impl Flags {
    pub fn run(self) -> Outcome {
        if let Some(baseline) = self.baseline.clone() {
            let suite = match (&self.suite, &self.subject) {
                (Some(suite), _) => Suite::load(suite)?,
                (_, Some(subject)) => suite_of(subject, self.positions.clone(), self.depth)?,
                (None, None) => {
                    return Err(Failure::input("--baseline needs --suite or --subject"));
                }
            };
            return self.hold(suite, &baseline);
        }
        let path = Path::new(BASELINE);
        if !path.is_file() {
            in_checkout("gate").map_err(|refused| {
                refused.with(
                    "; for your own program: gate --subject SUBJECT --baseline FILE, for your own suite: gate --suite SUITE --baseline FILE",
                )
            })?;
        }
        let baseline = exact::Baseline::read(path)?;
        let start = Instant::now();
        let measured = measure(self.jobs.unwrap_or_else(cores))?;
        let checks = judge(&measured, &baseline);
        message(&format!(
            "measured in {:.0} s of wall time, which is no part of the gate\n",
            start.elapsed().as_secs_f64()
        ));
        let now = measured.exact();
        if let Some(history) = &self.history {
            history::keep_measured(history, &now)?;
        }
        if self.update_baseline {
            baseline.updated(&now).write(path)?;
        }
        let mut explained = baseline.explained(&now);
        explained.extend(self.history.as_deref().and_then(|history| history::stepped(history, &checks)));
        self.tell(&checks, &explained, BASELINE)
    }

    /// Prints the answers, or what changed in the baseline, and ends with the verdict.
    fn tell(&self, checks: &[Question], explained: &[String], baseline: &str) -> Outcome {
        if self.update_baseline {
            say(&table::difference(checks));
            message(&format!("baseline written: {baseline}; put the lines above into the commit message\n"));
        } else if self.json {
            let text = serde_json::to_string_pretty(checks).map_err(Failure::system)?;
            say(&visible_json(&format!("{text}\n")));
        } else {
            let report = table::report(checks, explained);
            say(&if self.markdown { render::markdown(&report) } else { render::terminal(&report, width()) });
        }
        // An update accepts trees, costs and accuracy; what must be true without one stays a breach.
        let updatable = ["signature", "instructions", "accuracy"];
        let breach = |check: &&Question| {
            check.verdict == Answer::Regression && !(self.update_baseline && updatable.contains(&check.what))
        };
        if checks.iter().any(|check| breach(&check)) {
            return Err(Failure::gate(table::summary(checks)));
        }
        if !self.update_baseline && checks.iter().any(|check| check.verdict == Answer::NotInBaseline) {
            message(
                "the baseline lacks something; if the numbers are right, add it: the same command with --update-baseline\n",
            );
        }
        message(&format!("{}\n", table::summary(checks)));
        Ok(())
    }

    /// Searches a suite and compares it with its baseline.
    fn hold(self, suite: Suite, baseline: &Path) -> Outcome {
        let timed = |block: &Block| block.budgets.iter().any(|budget| budget.kind() == BudgetKind::Time);
        if suite.blocks.iter().any(timed) {
            return Err(Failure::input(
                "found a budget of time, expected depths and nodes: a gate compares only what repeats exactly",
            ));
        }
        let plan = Plan::new(suite.clone())?;
        note(&plan);
        let scratch = tempfile::tempdir().map_err(Failure::system)?;
        // The last folder is the name of the run.
        let folder = self.out.clone().unwrap_or_else(|| scratch.path().join(&plan.suite.name));
        let jobs = self.jobs.unwrap_or_else(cores);
        let experiment = Experiment::from(suite).jobs(jobs);
        let mut runs = experiment.run_plan(&plan, &folder)?;
        let failed = runs.rows.records.iter().find_map(|row| Some((row, row.error.as_ref()?)));
        if let Some((row, error)) = failed {
            let (position, methods) = (&row.position, &row.methods);
            return Err(Failure::gate(format!("{position} {methods}: {}", error.reason())));
        }
        let uncounted = uncounted(&plan);
        if uncounted.is_none() {
            let stop = interrupt("what is being counted is given up")?;
            let how = How { jobs, retry: true, ..How::new(&stop, "the same command") };
            runs.rows = running::count_instructions(&plan, &folder, how, runs.rows)?;
            runs.manifest = Manifest::read(&folder)?;
        }
        if let Some(history) = &self.history {
            let runs = from_rows(&folder, runs.rows.clone(), runs.manifest.clone())?;
            history::keep_run(history, &runs)?;
        }
        let (now, expected) = (exact::measured(&runs), exact::Baseline::read(baseline)?);
        let checks =
            exact::judge(&now, &expected, self.tolerance.unwrap_or(exact::TOLERANCE), uncounted.as_deref());
        // A program may take up what an earlier process left, or memory that was never set: before a baseline is written or a
        // regression reported, the suite is searched twice.
        let updates = self.update_baseline || !baseline.exists();
        let breached = |check: &Question| check.verdict == Answer::Regression && check.what == "signature";
        let unrepeated = if plan.suite.blocks.iter().any(|block| block.program.is_some())
            && (updates || checks.iter().any(breached))
        {
            now.unrepeated(&exact::measured(&experiment.run_plan(&plan, &scratch.path().join("again"))?))
        } else {
            Vec::new()
        };
        if updates {
            unrepeated.iter().for_each(|difference| message(&format!("note: {difference}\n")));
            let unsaid = expected.unsaid(&now, &self.same);
            if let Some(first) = unsaid.first() {
                message(&unsaid.iter().map(|same| format!("{same}\n")).collect::<String>());
                return Err(Failure::gate(format!(
                    "the baseline was not written: {first}, so its switch changes nothing; if that is right, name the arm with --same"
                )));
            }
            expected.updated(&now).write(baseline)?;
            return Flags { update_baseline: true, ..self }.tell(
                &checks,
                &[],
                &baseline.display().to_string(),
            );
        }
        let mut explained: Vec<String> = unrepeated.into_iter().map(|difference| difference + ".").collect();
        explained.extend(expected.explained(&now));
        explained.extend(self.history.as_deref().and_then(|history| history::stepped(history, &checks)));
        explained.extend(
            since(baseline).filter(|_| checks.iter().any(|check| check.verdict == Answer::Regression)),
        );
        self.tell(&checks, &explained, "")
    }
}

/// What a program without a suite is checked by: as it is and without each of its methods, at a few positions.
fn suite_of(subject: &str, positions: Option<String>, depth: i64) -> Result<Suite, Failure> {
    let program = Program::load(subject)?;
    let mut arms = ProgramArms::usual(&program);
    arms.retain(|arm| arm.starts_with(FULL));
    let lined = arms_of(program, Others::Off, &arms)?;
    let limit = positions.is_none().then_some(LIMIT);
    let budget = Some(Allowance::depth(depth).map_err(Failure::at("--depth"))?);
    let changes = Overrides { positions, limit, budget, ..Overrides::default() };
    let mut suite = quick_of(lined, changes)?;
    suite.name = "gate".to_owned();
    Ok(suite)
}

/// Which commit wrote the baseline, and how many there are since, where git knows the file.
fn since(baseline: &Path) -> Option<String> {
    let folder = baseline.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let git = |args: &[&str]| {
        let done = Command::new("git").arg("-C").arg(folder).args(args).output().ok()?;
        let text = String::from_utf8_lossy(&done.stdout).trim().to_owned();
        (done.status.success() && !text.is_empty()).then_some(text)
    };
    let name = baseline.file_name()?.to_string_lossy().into_owned();
    let commit = git(&["log", "-1", "--format=%h", "--", &name])?;
    let later = git(&["rev-list", "--count", &format!("{commit}..HEAD")])?;
    let commits = if later == "1" { "1 commit".to_owned() } else { format!("{later} commits") };
    Some(format!(
        "The baseline was written in commit {commit}, {commits} ago: `git log {commit}..` lists them."
    ))
}

/// Why instructions are not counted that a suite asks for; `None` if they are, or if none are asked for.
fn uncounted(plan: &Plan) -> Option<String> {
    let asked = plan.units.iter().any(|unit| unit.instructions);
    Source::Callgrind.check().err().filter(|_| asked)
}

/// A part of a count from per cents.
fn percent(text: &str) -> Result<f64, String> {
    let value = text.parse::<f64>().ok().filter(|percent| (0.0..=100.0).contains(percent));
    value.map(|percent| percent / 100.0).ok_or_else(|| "expected 0 to 100".to_owned())
}
