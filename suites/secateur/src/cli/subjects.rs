//! `subjects`: other programs with switches, and what they can do; switches cut from a source (`subjects new --source`) are built,
//! compared with the untouched program, and followed by the next command.

use crate::cli::failure::{Failure, Outcome};
use crate::cli::proposing::New;
use crate::cli::reading::text_of;
use crate::cli::running::arms_of;
use crate::cli::say::{message, put, say};
use clap::Subcommand;
use secateur_base::number::{either, plural};
use secateur_base::program::name;
use secateur_base::words::shell_path;
use secateur_record::files::replace;
use secateur_record::sites::Sites;
use secateur_suites::cutting::{Cut, Files, Order, Proof, Removal, cut, proven, removals};
use secateur_suites::program::{Others, Program, ProgramArms};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Arguments of `subjects`.
#[derive(clap::Args)]
#[command(
    after_help = format!("Examples:\n  {me} subjects new ./my-engine\n  {me} subjects new --source ~/src/my-engine\n  {me} subjects patches my-engine.toml\n  {me} subjects list\n  {me} subjects show toga2\n  {me} subjects check my-engine.toml\n  {me} bench --subject toga2 --depth 8", me = name())
)]
pub struct Flags {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Write the subject file of a program: from its options, or from its source, into which switches are cut
    New(New),
    /// List the subjects that are known by name, their methods, and whether they are installed
    List,
    /// Start a subject, try its protocol and its switches, and compare its signature; compare cut switches with the untouched source
    Check {
        /// Name or path of a subject file
        subject: String,
    },
    /// Write one patch per method that removes it, for a simplification test by OpenBench or fishtest
    Patches {
        /// Subject file whose switches were cut from a source
        subject: String,
        /// Write one patch per site too
        #[arg(long)]
        sites: bool,
        /// Folder of the patches [default: the name of the subject file with `.patches`]
        #[arg(long, value_name = "FOLDER")]
        out: Option<PathBuf>,
    },
    /// Print a subject file
    Show {
        /// Name or path of a subject file
        subject: String,
    },
}

impl Flags {
    pub fn run(self) -> Outcome {
        match self.verb {
            Verb::New(new) => new.run(),
            Verb::List => list(),
            Verb::Check { subject } => check(&subject),
            Verb::Patches { subject, sites, out } => patches(&subject, sites, out.as_deref()),
            Verb::Show { subject } => show(&subject),
        }
    }
}

fn list() -> Outcome {
    let mut text = String::new();
    for name in Program::names() {
        let program = Program::load(name)?;
        let factors: Vec<&str> = program.factors.iter().map(|factor| factor.name.as_str()).collect();
        let place = match program.place() {
            Some(path) => path.display().to_string(),
            None if program.built_from.is_some() => {
                format!("not built yet; its first use builds it, which takes: {}", program.get)
            }
            None => format!("not here; to get it: {}", program.get),
        };
        let methods = match factors.as_slice() {
            [] => "no switches: it is searched as it is".to_owned(),
            all => format!("methods: {}", all.join(", ")),
        };
        text += &format!("{name} ({}): {}\n  {methods}\n  {place}\n", program.game, program.about);
    }
    text += "Any subject file of your own is as good: docs/ADDING.md says how to write one.\n";
    say(&text);
    Ok(())
}

/// Says what it can and cannot do; a signature that does not hold is a breach.
fn check(subject: &str) -> Outcome {
    let program = Program::load(subject)?.installed()?;
    let mut text = String::new();
    let ends = if program.factors.is_empty() { &["full"][..] } else { &["full", "none"] };
    let (ends, _) = program.possible(ends.iter().map(|arm| (*arm).to_owned()).collect());
    let mut shows = false;
    for arm in &ends {
        let arm = program.arm(arm)?;
        let probe = program.probe(&arm)?;
        shows |= arm.name == "full" && probe.depth.is_kept() && probe.says.nodes;
        text += &format!("{} {} ({})\n", program.name, arm.name, program.protocol);
        text.extend(probe.sentences().iter().map(|sentence| format!("  {sentence}\n")));
    }
    let usual = arms_of(program.clone(), Others::Off, &ProgramArms::usual(&program))?;
    for (arm, why) in usual.left_out() {
        text += &format!("{arm}: left out: {why}\n");
    }
    for arm in &usual.arms {
        let (_, entry) = program.ready(arm)?;
        if arm.off.is_empty() {
            let off = |method: &String| {
                format!("`{method}` is already off in this program: its switch is what holds anyway\n")
            };
            text.extend(entry.already_off.iter().map(off));
            text.extend(entry.yielded.iter().map(|line| format!("{line}\n")));
        }
    }
    let is_cut = !program.cut.as_os_str().is_empty();
    let mut proof = None;
    if is_cut {
        let (site_proof, sites) = proven(&program, &mut announce)?;
        text += &sentences(&site_proof, &sites);
        proof = Some(site_proof);
    } else if shows && !program.factors.is_empty() {
        let look = program.looked_at()?;
        let plies = look.plies;
        text.extend(look.failed.iter().map(|failed| format!("a search failed: {failed}\n")));
        text.extend(
            look.idle.iter().map(|same| {
                format!("{same} to {plies} plies at a few positions: the switch may do nothing\n")
            }),
        );
    }
    if let Some(signature) = &program.signature {
        announce(&format!("runs its signature: {}", signature.args.join(" ")));
    }
    let signed = program.signed()?;
    if let Some(signed) = &signed {
        text += &format!("signature: {}\n", signed.full);
        let others = [("unpatched", signed.unpatched), ("expected", signed.expected)];
        text.extend(others.iter().filter_map(|(what, nodes)| Some(format!("  {what}: {}\n", (*nodes)?))));
        text.extend(
            signed
                .idle
                .iter()
                .map(|factor| format!("  the same without {factor}: the switch may do nothing\n")),
        );
    }
    say(&text);
    if proof.is_some_and(|proof| !proof.holds()) {
        return Err(Failure::gate(format!("{subject}: its cut switches fail the proof above")));
    }
    match signed.is_some_and(|signed| !signed.holds()) {
        true => {
            Err(Failure::gate(format!("{subject}: the program has another signature than its file says")))
        }
        false => Ok(()),
    }
}

fn show(subject: &str) -> Outcome {
    let program = Program::load(subject)?;
    match Program::text(&program.source) {
        Some(text) => say(text),
        None => say(&text_of(&program.source)?),
    }
    Ok(())
}

/// Cuts, proves and says what came of it. `shows_all` lists what is never switched too.
pub fn run(order: &Order, shows_all: bool) -> Outcome {
    let made = cut(order, &mut announce)?;
    say(&described(&made, shows_all));
    let (proof, sites) = proven(&made.program, &mut announce)?;
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
pub fn announce(line: &str) {
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
        "{} at {} ({}):",
        plural(made.methods.len(), "method"),
        plural(made.sites.site.len(), "site"),
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
            "  {} more {} of {} own (`{} lines`); name {} in {file}",
            made.unnamed,
            either(made.unnamed, "site has no method and a switch", "sites have no method and a switch"),
            either(made.unnamed, "its", "their"),
            name(),
            either(made.unnamed, "it", "them")
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
            "{} of the search {} never switched: --all lists {}",
            plural(made.never.len(), "condition"),
            either(made.never.len(), "is", "are"),
            either(made.never.len(), "it", "them")
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
