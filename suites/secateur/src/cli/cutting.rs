//! `subjects new --source`: switches cut from a source, built, held to the untouched program, and what is to be done next.

use crate::cli::failure::{Failure, Outcome};
use crate::cli::put::put;
use crate::cli::say::{message, say};
use secateur_base::program::name;
use secateur_base::words::shell_path;
use secateur_record::files::replace;
use secateur_record::sites::Sites;
use secateur_suites::cutting::{Cut, Files, Order, Proof, Removal, cut, proven, removals};
use secateur_suites::program::Program;
use std::fmt::Write as _;
use std::path::Path;

/// Cuts, proves and says what came of it. `shows_all` lists what is never switched too.
pub fn run(order: &Order, shows_all: bool) -> Outcome {
    let made = cut(order, &mut told)?;
    say(&described(&made, shows_all));
    let (proof, sites) = proven(&made.program, &mut told)?;
    say(&sentences(&proof, &sites));
    if !proof.holds() {
        return Err(Failure::gate(format!(
            "{}: its switches fail the proof above, so its numbers would mean nothing: set `method = \"none\"` in {} at the failing sites and \
             run this again",
            made.files.subject.display(),
            made.files.sites.display()
        )));
    }
    say(&next(&made, &proof));
    Ok(())
}

/// What is done, before it is done.
pub fn told(line: &str) {
    message(&format!("{line}\n"));
}

/// The proof, for people.
pub fn sentences(proof: &Proof, sites: &Sites) -> String {
    let idle = sites.site.iter().filter(|site| site.entered == Some(0)).count();
    let lines = proof.sentences().into_iter().map(|sentence| format!("  {sentence}\n"));
    let idle = format!("  sites that these searches never entered: {idle} of {}\n", sites.site.len());
    std::iter::once("proof:\n".to_owned()).chain(lines).chain([idle]).collect()
}

/// The list of methods, and what is to be known of it.
fn described(made: &Cut, shows_all: bool) -> String {
    let mut text = String::new();
    let file = made.files.sites.display();
    let _ = writeln!(
        text,
        "{} methods at {} sites ({}):",
        made.methods.len(),
        made.sites.site.len(),
        if made.is_kept {
            format!("as {file} says")
        } else {
            "found automatically: read the list, above all what is likely".to_owned()
        }
    );
    for (method, sure, places) in &made.methods {
        let sure = if sure.is_empty() { "as edited" } else { sure };
        let _ = writeln!(text, "  {method}: {sure}: {}", places.join(", "));
    }
    if made.unnamed > 0 {
        let _ = writeln!(
            text,
            "  {} more sites have no method and a switch of their own (`{} lines`); name them in {file}",
            made.unnamed,
            name()
        );
    }
    for (place, why) in &made.without {
        let _ = writeln!(text, "left out: {place}: {why}");
    }
    for gone in &made.gone {
        let _ = writeln!(text, "no longer in the source: {gone}");
    }
    for warning in &made.warnings {
        let _ = writeln!(text, "note: {warning}");
    }
    if shows_all {
        text += "never switched:\n";
        for (place, condition, why) in &made.never {
            let _ = writeln!(text, "  {place}: {why}: {condition}");
        }
    } else if !made.never.is_empty() {
        let _ = writeln!(
            text,
            "{} conditions of the search are never switched: --all lists them",
            made.never.len()
        );
    }
    text
}

/// What was written, and the next command.
fn next(made: &Cut, proof: &Proof) -> String {
    let Files { subject, patch, sites, builds, .. } = &made.files;
    let (me, depth) = (name(), proof.depth);
    format!(
        "written: {}, {}, {}; builds: {}\nedit `method` in {} (a name, or \"none\") and call this again: the patch follows\nnext:\n  {me} worth \
         {} --depth {depth} --with-others\n  {me} lines {} --depth {depth}\n",
        subject.display(),
        patch.display(),
        sites.display(),
        builds.display(),
        sites.display(),
        shell_path(subject),
        shell_path(subject)
    )
}

/// Writes one patch a method that removes it, or one a site too.
pub fn patches(subject: &str, each_site: bool, out: Option<&Path>) -> Outcome {
    let program = Program::load(subject)?;
    let all = removals(&program, each_site)?;
    let folder = out.map_or_else(|| Files::of(Path::new(subject)).patches, Path::to_owned);
    std::fs::create_dir_all(&folder).map_err(Failure::io(&folder))?;
    let mut text = String::new();
    for Removal { name: what, sites, patch } in all {
        let path = folder.join(format!("remove-{what}.patch"));
        let places: Vec<String> =
            sites.iter().map(|site| format!("{} `{}`", site.place(), site.condition)).collect();
        let head = format!(
            "Subject: Remove {what}\n\nA simplification test: {what} is switched off for good at\n  {}\nTest it with the bounds that the instance uses for simplifications.\nThe \
             condition stays in the text with a constant in front of it; once the test has passed, delete the \
             code.\n---\n",
            places.join("\n  ")
        );
        replace(&path, &[head.as_bytes(), &patch].concat())?;
        let _ = writeln!(text, "{}: {}", path.display(), places.join("; "));
    }
    if text.is_empty() {
        return Err(Failure::input(format!("{subject}: has no method to remove")));
    }
    put(&folder.join("README.md"), format!("{}\n{text}", HOW.trim_start()))?;
    say(&text);
    Ok(())
}

/// What to do with the patches.
const HOW: &str = "
# One patch for each method

Each is a simplification test: `git apply FILE` in the source, commit on a branch of its own, and submit the branch against the base with the
bounds of a simplification.
";
