//! `gate`: exact quantities against what was blessed; a table, and exit code 3 on a breach.

use crate::failure::{Failure, Outcome};
use crate::reading::jobs;
use crate::report::width;
use crate::say::{complain, say};
use secateur_gate::gate::{Answer, Baseline, Compiler, judge, measure};
use secateur_instruments::machine::cores;
use secateur_reports::{gate as table, render};
use secateur_suites::Experiment;
use secateur_suites::exact::{bless, compare};
use secateur_suites::record::BudgetKind;
use secateur_suites::suite::{Block, Suite};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Where the baselines are, from the root of the repository.
const FOLDER: &str = "suites/gate";

/// Arguments of `gate`.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  cargo xtask gate\n  cargo xtask gate --bless\n  cargo xtask gate --markdown >> \
                        $GITHUB_STEP_SUMMARY\n  cargo xtask gate --suite my-suite.toml --baseline my-baseline.toml\n\nExit codes: 0 no breach, 3 a breach. What is not blessed, for example \
                        after a change of compiler, is no breach."
)]
pub(crate) struct Flags {
    /// A suite file of your own instead, whoever searches in it: another program, or ours on other positions
    #[arg(long, value_name = "FILE", requires = "baseline")]
    suite: Option<String>,
    /// What that suite is held to: nodes, and every depth, value and move. Written where it is not there yet
    #[arg(long, value_name = "FILE", requires = "suite")]
    baseline: Option<PathBuf>,
    /// Make what is measured now the baseline, and print what changed
    #[arg(long)]
    bless: bool,
    /// Processes under valgrind at once; all cores by default. Counts do not depend on it
    #[arg(long, value_parser = jobs)]
    jobs: Option<usize>,
    /// The checks as JSON
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
    /// The table as Markdown
    #[arg(long)]
    markdown: bool,
}

impl Flags {
    pub(crate) fn run(self) -> Outcome {
        if let (Some(suite), Some(baseline)) = (&self.suite, &self.baseline) {
            return self.hold(suite, baseline);
        }
        let folder = Path::new(FOLDER);
        if !folder.is_dir() {
            return Err(Failure::input(format!(
                "{FOLDER}: no such folder here; the gate runs in the root of the repository"
            )));
        }
        let compiler = Compiler::current();
        let baseline = Baseline::read(folder)?;
        let start = Instant::now();
        let measured = measure(self.jobs.unwrap_or_else(cores))?;
        let checks = judge(&measured, &baseline, &compiler);
        complain(&format!(
            "measured in {:.0} s of wall time, which is no part of the gate\n",
            start.elapsed().as_secs_f64()
        ));
        if self.bless {
            baseline.blessed(&measured, &compiler).write(folder)?;
            say(&table::difference(&checks));
            complain(&format!("blessed: {FOLDER}; the lines above belong into the message of the commit\n"));
        } else if self.json {
            let text = serde_json::to_string_pretty(&checks).map_err(Failure::system)?;
            say(&format!("{text}\n"));
        } else {
            let report = table::report(&checks);
            say(&if self.markdown { render::markdown(&report) } else { render::terminal(&report, width()) });
        }
        // A blessing answers for trees, costs and accuracy; what must be true without one stays a breach.
        let blessable = ["signature", "instructions", "accuracy"];
        let breach = |check: &&secateur_gate::gate::Question| {
            check.verdict == Answer::Breach && !(self.bless && blessable.contains(&check.what))
        };
        let breaches = checks.iter().filter(breach).count();
        if breaches > 0 {
            return Err(Failure::gate(table::summary(&checks)));
        }
        if !self.bless && checks.iter().any(|check| check.verdict == Answer::Unblessed) {
            complain("something is not blessed; if it is right: cargo xtask gate --bless\n");
        }
        complain(&format!("{}\n", table::summary(&checks)));
        Ok(())
    }

    /// Searches a suite and compares it with what was blessed of it.
    fn hold(&self, suite: &str, baseline: &Path) -> Outcome {
        let suite = Suite::load(suite)?;
        let timed = |block: &Block| block.budgets.iter().any(|budget| budget.kind() == BudgetKind::Time);
        if suite.blocks.iter().any(timed) {
            return Err(Failure::input(
                "found a budget of time, expected depths and nodes: a gate compares what repeats",
            ));
        }
        let runs = Experiment::from(suite).jobs(self.jobs.unwrap_or_else(cores)).run()?;
        let failed = runs.rows.records.iter().find_map(|row| Some((row, row.error.as_ref()?)));
        if let Some((row, error)) = failed {
            let (position, methods) = (&row.position, &row.methods);
            return Err(Failure::gate(format!("{position} {methods}: {}", error.reason())));
        }
        let is_new = self.bless || !baseline.exists();
        if is_new {
            bless(&runs, baseline)?;
            complain(&format!("blessed: {}\n", baseline.display()));
            return Ok(());
        }
        let breaches = compare(&runs, baseline)?;
        if breaches.is_empty() {
            complain(&format!("{} searches as they were blessed\n", runs.rows.records.len()));
            return Ok(());
        }
        Err(Failure::gate(format!("not as it was blessed:\n{}", breaches.join("\n"))))
    }
}
