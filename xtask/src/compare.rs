//! `compare`: two runs, or two method sets, paired by position; a verdict and an exit code.

use crate::failure::{Failure, Outcome};
use crate::report::width;
use crate::say::say;
use secateur_reports::compare::{Conclusion, conclude, conclude_whole};
use secateur_reports::render;
use secateur_stats::compare::{Quantity, Side, Unsliced, side_by_side, sliced};
use secateur_stats::read::{large, read};
use std::path::PathBuf;
use std::slice::from_ref;

/// Arguments of `compare`.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  cargo xtask compare runs/before runs/after\n  cargo xtask compare runs/quick \
                        --methods null-move null-move+mpc\n  cargo xtask compare runs/before runs/after --allow nodes\n\nExit codes: 0 better or not shown to differ, 3 shown to be \
                        worse in something that is not allowed, 4 not comparable"
)]
pub(crate) struct Flags {
    /// The run that there was, and the new one; one alone with --methods
    #[arg(required = true, num_args = 1..=2)]
    runs: Vec<PathBuf>,
    /// Compare these two method sets: the first of the first run with the second of the second
    #[arg(long, num_args = 2, value_names = ["OLD", "NEW"])]
    methods: Vec<String>,
    /// Compare although parameters or evaluations differ
    #[arg(long)]
    across: bool,
    /// May be worse: nodes, time, depth, moves, values, dv, regret or solved; may be given again
    #[arg(long, value_name = "WHAT", value_parser = what)]
    allow: Vec<Quantity>,
    /// Markdown instead of the terminal's form
    #[arg(long)]
    markdown: bool,
}

impl Flags {
    pub(crate) fn run(self) -> Outcome {
        if self.runs.len() == 1 && self.methods.is_empty() {
            return Err(Failure::input("one run: name a second, or two method sets with --methods OLD NEW"));
        }
        let concluded = if large(&self.runs) { self.of_large() } else { self.of_rows() }?;
        let report = &concluded.report;
        say(&if self.markdown { render::markdown(report) } else { render::terminal(report, width()) });
        match concluded.worse.iter().all(|worse| self.allow.contains(worse)) {
            true => Ok(()),
            false => Err(Failure::gate(concluded.line)),
        }
    }

    fn methods(&self, side: usize) -> Option<&str> {
        self.methods.get(side).map(String::as_str)
    }

    /// Some arms at a time.
    fn of_large(&self) -> Result<Conclusion, Failure> {
        let whole =
            sliced(&self.runs, [0, 1].map(|side| self.methods(side)), self.across).map_err(|error| {
                match error {
                    Unsliced::Read(error) => Failure::from(error),
                    Unsliced::Incomparable(error) => Failure::from(error),
                }
            })?;
        let names: Vec<String> = self.runs.iter().map(|run| run.display().to_string()).collect();
        Ok(conclude_whole([&names[0], &names[names.len() - 1]], &whole))
    }

    fn of_rows(&self) -> Result<Conclusion, Failure> {
        let names: Vec<String> = self.runs.iter().map(|run| run.display().to_string()).collect();
        let sides: Vec<_> = self.runs.iter().map(|run| read(from_ref(run))).collect::<Result<_, _>>()?;
        let last = sides.len() - 1;
        let side = |run: usize, side: usize| Side {
            name: &names[run],
            runs: &sides[run],
            methods: self.methods(side),
        };
        Ok(conclude(&side_by_side(side(0, 0), side(last, 1), self.across)?))
    }
}

/// A measure by its name.
fn what(name: &str) -> Result<Quantity, String> {
    let known = || Quantity::ALL.map(Quantity::name).join(", ");
    Quantity::ALL
        .into_iter()
        .find(|what| what.name() == name)
        .ok_or_else(|| format!("expected one of {}", known()))
}
