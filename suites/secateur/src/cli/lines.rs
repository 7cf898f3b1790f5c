//! `lines`: a search line by line, each place that prunes, reduces or extends off alone.
//!
//! Every site is an arm of one run, which the same command goes on with; the page is made of its record.

use crate::cli::failure::{Failure, Outcome};
use crate::cli::report::columns;
use crate::cli::running::{ORACLE_BOOK, Searching, arms_of, interrupt, quick_of, unnamed_folder};
use crate::cli::say::{message, put, say};
use secateur_base::program::name;
use secateur_record::manifest::Manifest;
use secateur_record::sites::{FILE, Site, Sites};
use secateur_reports::page::html::of_lines;
use secateur_reports::{lines, render};
use secateur_stats::read::from_rows;
use secateur_suites::allowance::Allowance;
use secateur_suites::cutting::{by_site, sites, texts};
use secateur_suites::matrix::Plan;
use secateur_suites::program::{Others, Program};
use std::path::Path;

/// Arguments of `lines`.
#[derive(clap::Args)]
#[command(
    after_help = format!("Examples:\n  {me} lines my-engine.toml --depth 10\n  {me} lines my-engine.toml --depth 12 --of lmr,null-move --positions kaufman\n\n\
                  The switches must have been cut from the source: {me} subjects new ./my-engine --source DIR.\n\
                  With --out the same command resumes a run.", me = name())
)]
pub struct Flags {
    /// Subject file whose switches were cut from a source
    subject: String,
    /// Search to this depth, in plies as the program counts them, instead of that of the suite `quick`
    #[arg(long)]
    depth: Option<i64>,
    /// Search only the lines of these methods, or with these names
    #[arg(long, value_name = "METHODS", value_delimiter = ',')]
    of: Vec<String>,
    #[command(flatten)]
    searching: Searching,
}

impl Flags {
    pub fn run(self) -> Outcome {
        let program = Program::load(&self.subject)?;
        let sites = sites(&program)?;
        let wanted = self.wanted(&sites)?;
        let arms: Vec<String> = std::iter::once("full".to_owned())
            .chain(wanted.iter().map(|site| format!("full[-{}]", site.name)))
            .collect();
        let lined = arms_of(by_site(&program, &wanted), Others::Off, &arms)?;
        let depth = self.depth.map(Allowance::depth).transpose().map_err(Failure::at("--depth"))?;
        let changes = self.searching.changes(depth);
        let plan = Plan::new(quick_of(lined, changes)?)?;
        self.searching.announce(&program, &plan);
        let folder = self.searching.out.clone().unwrap_or_else(|| unnamed_folder(None, "lines"));
        let searches = folder.join("searches");
        let stop = interrupt("what is under way is given up")?;
        let (rows, judged) =
            self.searching.search(&plan, [&folder, &searches], Path::new(ORACLE_BOOK), &stop)?;
        sites.write(&folder.join(FILE))?;
        let runs = from_rows(&searches, rows, Manifest::read(&searches)?)?;
        let report = lines::report(&runs, &sites);
        // A source that is gone leaves a page without it.
        let source = texts(&program, &sites).unwrap_or_default();
        for (file, text) in [
            ("lines.md", render::markdown(&report)),
            ("lines.html", of_lines(&runs, &sites, &source)),
            ("lines.csv", lines::csv(&runs, &sites)),
            ("lines.json", lines::json(&runs, &sites)),
        ] {
            put(&folder.join(file), text)?;
        }
        let mut shown = report;
        shown.sections.retain(|section| section.title != secateur_reports::provenance::TITLE);
        say(&render::terminal(&shown, columns(self.searching.wide)));
        message(&format!("\npage: {}\n", folder.join("lines.html").display()));
        judged
    }

    /// The sites that are asked for.
    fn wanted(&self, sites: &Sites) -> Result<Vec<Site>, Failure> {
        let is_of = |site: &Site, name: &String| [&site.method, &site.part_of, &site.name].contains(&name);
        for name in &self.of {
            if !sites.site.iter().any(|site| is_of(site, name)) {
                let names: Vec<&str> = sites.site.iter().map(|site| site.method.as_str()).collect();
                let error = secateur_base::Unknown::new("method or line", name, &names);
                return Err(Failure::input(format!("--of: {error}")));
            }
        }
        let is_wanted = |site: &&Site| self.of.is_empty() || self.of.iter().any(|name| is_of(site, name));
        Ok(sites.site.iter().filter(is_wanted).cloned().collect())
    }
}
