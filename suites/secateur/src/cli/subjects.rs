//! `subjects`: other programs with switches, and what they can do.

use crate::cli::cutting;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::proposing::New;
use crate::cli::say::say;
use clap::Subcommand;
use secateur_base::program::name;
use secateur_suites::cutting::proven;
use secateur_suites::program::{Others, Program, ProgramArms};
use std::path::PathBuf;

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
            Verb::Patches { subject, sites, out } => cutting::patches(&subject, sites, out.as_deref()),
            Verb::Show { subject } => show(&subject),
        }
    }
}

fn list() -> Outcome {
    let mut text = String::new();
    for name in Program::names() {
        let program = Program::load(name)?;
        let factors: Vec<&str> = program.factors.iter().map(|factor| factor.name.as_str()).collect();
        let here = match program.place() {
            Some(path) => path.display().to_string(),
            None if program.built_from.is_some() => {
                format!("not built yet; its first use builds it, which takes: {}", program.get)
            }
            None => format!("not here; to get it: {}", program.get),
        };
        text += &format!(
            "{name} ({}): {}\n  methods: {}\n  {here}\n",
            program.game,
            program.about,
            factors.join(", ")
        );
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
    let usual = ProgramArms::new(program.clone(), Others::Off, &ProgramArms::usual(&program));
    let usual = usual.map_err(|(_, message)| Failure::input(message))?;
    for (arm, why) in usual.left_out() {
        text += &format!("{arm}: left out: {why}\n");
    }
    for arm in &usual.arms {
        let entry = program.starts(arm)?;
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
        let (site_proof, sites) = proven(&program, &mut cutting::told)?;
        text += &cutting::sentences(&site_proof, &sites);
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
        cutting::told(&format!("runs its signature: {}", signature.args.join(" ")));
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
    let text = match Program::text(&program.source) {
        Some(text) => text.to_owned(),
        None => std::fs::read_to_string(&program.source).map_err(Failure::io(program.source.as_ref()))?,
    };
    say(&text);
    Ok(())
}
