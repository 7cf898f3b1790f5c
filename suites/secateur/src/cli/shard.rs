//! `--shard`: a part of a suite, a comparison or a match in a folder of its own, and under its final name when it is finished.

use crate::cli::failure::{Failure, Outcome};
use crate::cli::say::message;
use secateur_record::part::{Part, numbers};
use secateur_reports::format::count;
use secateur_suites::matrix::Plan;
use secateur_suites::shards::costs::Costs;
use secateur_suites::shards::pack::{self, Published};
use secateur_suites::shards::shard::{Shard, cut};
use std::path::{Path, PathBuf};

/// Which part is asked for.
#[derive(clap::Args)]
pub struct Cutting {
    /// Search only this shard: whole position blocks, or pairs of games, in runs/SUITE-3-of-20 unless --out
    /// is given; `merge` joins shards (docs/CLUSTER.md)
    #[arg(long, value_name = "K/N")]
    pub shard: Option<Shard>,
    /// Divide by what units are expected to cost: a file of `cluster`, or an earlier run. The same for all
    /// shards
    #[arg(long, value_name = "FILE", requires = "shard")]
    costs: Option<PathBuf>,
}

/// What is asked of a shard.
#[derive(clap::Args)]
pub struct Sharding {
    #[command(flatten)]
    cutting: Cutting,
    /// Write the finished shard into this folder as one file, in one step
    #[arg(long, value_name = "FOLDER")]
    publish: Option<PathBuf>,
}

impl Cutting {
    /// The part that is asked for.
    pub fn cut(&self, plan: Plan) -> Result<Plan, Failure> {
        let Some(shard) = self.shard else { return Ok(plan) };
        let costs = self.costs.as_deref().map(Costs::read).transpose()?.unwrap_or_default();
        Ok(cut(plan, shard, &costs)?)
    }

    /// The folder of a shard that nobody names.
    pub fn folder(&self, suite: &str) -> Option<PathBuf> {
        self.shard.map(|shard| folder(shard, suite))
    }
}

/// The folder of a shard that nobody names.
pub fn folder(Shard { number, of }: Shard, suite: &str) -> PathBuf {
    PathBuf::from(format!("runs/{suite}-{number}-of-{of}"))
}

impl Sharding {
    /// The part that is asked for.
    pub fn cut(&self, plan: Plan) -> Result<Plan, Failure> {
        if self.publish.is_some() && self.cutting.shard.is_none() && plan.part.is_none() {
            return Err(Failure::input("--publish needs --shard: it publishes a finished shard"));
        }
        self.cutting.cut(plan)
    }

    /// The folder of a shard that nobody names.
    pub fn folder(&self, suite: &str) -> Option<PathBuf> {
        self.cutting.folder(suite)
    }

    /// Publishes a finished shard, if that is asked for and nothing is wrong with it, and says what it is.
    pub fn finish(&self, folder: &Path, part: &Part, failures: Outcome) -> Outcome {
        let units = count(part.take.numbers().len() as u64);
        message(&format!("shard {}: {units} units, finished in {}\n", part.shard, folder.display()));
        failures?;
        let Some(target) = &self.publish else { return Ok(()) };
        let Some(shard) = numbers(&part.shard) else { return Ok(()) };
        let target = target.join(pack::name(shard));
        let what = match pack::publish(folder, &target)? {
            Published::New => "published as",
            Published::Same => "another search of it is there and agrees in every exact column:",
        };
        message(&format!("{what} {}\n", target.display()));
        Ok(())
    }
}
