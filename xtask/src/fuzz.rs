//! `fuzz`: mutated texts for every reader of this program.

use crate::stress::fuzz::{self, Found, FuzzSettings};
use secateur::cli::failure::{Failure, Outcome};
use secateur::cli::report::width;
use secateur::cli::say::{message, say};
use secateur_reports::format::count;
use secateur_reports::render;
use secateur_reports::table::{Report, Section, Table};
use std::time::Duration;

/// Arguments of `fuzz`.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  cargo xtask fuzz\n  cargo xtask fuzz --inputs 2000 --seconds 60\n  \
                  cargo xtask fuzz --target epd --seed 7 --number 1234\n\nExit code 3: a reader panicked, hung, or took in \
                  what cannot be.")]
pub(crate) struct Flags {
    /// Inputs for each target
    #[arg(long, default_value_t = 100_000)]
    inputs: u64,
    /// Wall time of all targets together, seconds
    #[arg(long, default_value_t = 86_400)]
    seconds: u64,
    /// One target alone
    #[arg(long, value_name = "NAME")]
    target: Option<String>,
    /// Seed of all inputs
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// One input of a target alone
    #[arg(long, requires = "target")]
    number: Option<u64>,
}

impl Flags {
    pub(crate) fn run(self) -> Outcome {
        let time = Duration::from_secs(self.seconds);
        let Flags { inputs, target, seed, number, .. } = self;
        if let Some(name) = &target {
            let names = fuzz::names();
            if !names.contains(&name.as_str()) {
                return Err(Failure::input(format!("--target {name}: expected one of {}", names.join(", "))));
            }
        }
        let found = fuzz::run(&FuzzSettings { seed, inputs, time, target, number }, &mut |found| {
            found.failures.iter().for_each(|failure| message(&format!("{failure}\n")));
        });
        say(&render::terminal(&report(&found, seed), width()));
        match found.iter().map(|found| found.failures.len()).sum::<usize>() {
            0 => Ok(()),
            failures => Err(Failure::gate(format!("{failures} failures"))),
        }
    }
}

fn report(found: &[Found], seed: u64) -> Report {
    let mut table = Table::new(&["<target", ">inputs", ">accepted", ">inputs/s", ">failures"]);
    for Found { target, inputs, accepted, time, failures } in found {
        let rate = *inputs as f64 / time.as_secs_f64().max(1e-9);
        let numbers = [count(*inputs), count(*accepted), count(rate as u64), failures.len().to_string()];
        table.push(std::iter::once(target.clone()).chain(numbers).collect());
    }
    let all: u64 = found.iter().map(|found| found.inputs).sum();
    let mut report = Report::new("secateur fuzz");
    let title = format!("Seed {seed}, {} inputs", count(all));
    report.sections.push(Section { title, text: Vec::new(), tables: vec![table] });
    report
}
