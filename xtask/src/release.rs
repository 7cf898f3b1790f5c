//! `release`: what a version changed, in words and in exact quantities, and giving the sources a new version.
//!
//! The words are those of CHANGELOG.md, which people write; what no one can forget to write is read off: the arms whose trees the
//! gate blessed anew since the version before. Left out: building, tagging and publishing. The first two are commands of others,
//! which `cut` names; the last is done by the workflow at a tag.

use crate::failure::{Failure, Outcome};
use crate::put::put;
use crate::say::say;
use secateur_instruments::clock::day;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::SystemTime;

const CHANGELOG: &str = "CHANGELOG.md";
const BASELINE: &str = "suites/gate/baseline.toml";
const UNRELEASED: &str = "Unreleased";

/// Arguments of `release`.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  cargo xtask release notes\n  cargo xtask release notes 0.2.0\n  cargo xtask release cut 0.2.0"
)]
pub(crate) struct Flags {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(clap::Subcommand)]
enum Verb {
    /// Print what a version changed: its part of the changelog, and whose trees moved since the version before
    Notes {
        /// The version, e.g. 0.2.0; without it, what is not released yet
        version: Option<Version>,
    },
    /// Give what is not released yet a version: changelog, manifests, citation; commits nothing
    Cut {
        /// The version, above the present one
        version: Version,
    },
}

impl Flags {
    pub(crate) fn run(self) -> Outcome {
        match self.verb {
            Verb::Notes { version } => {
                let name = version.map_or_else(|| UNRELEASED.to_owned(), |version| version.to_string());
                say(&notes(&text_of(CHANGELOG)?, &name, &blessed)?);
                Ok(())
            }
            Verb::Cut { version } => cut(version),
        }
    }
}

/// A version of the sources: major, minor, patch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Version([u32; 3]);

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Version([major, minor, patch]) = self;
        write!(f, "{major}.{minor}.{patch}")
    }
}

impl std::str::FromStr for Version {
    type Err = String;

    fn from_str(text: &str) -> Result<Version, String> {
        let parts: Vec<Option<u32>> = text.split('.').map(|part| part.parse().ok()).collect();
        match parts[..] {
            [Some(major), Some(minor), Some(patch)] => Ok(Version([major, minor, patch])),
            _ => Err(format!("found `{text}`, expected three numbers such as 0.2.0")),
        }
    }
}

/// Reads a file of the checkout that the command is called in.
fn text_of(path: &str) -> Result<String, Failure> {
    std::fs::read_to_string(path)
        .map_err(|error| Failure::input(format!("{path}: {error}; expected a checkout of the sources here")))
}

/// What the gate had blessed at a version, or has now. `None` where its tag is not at hand.
fn blessed(version: &str) -> Option<String> {
    if version == UNRELEASED {
        return std::fs::read_to_string(BASELINE).ok();
    }
    let done = Command::new("git").args(["show", &format!("v{version}:{BASELINE}")]).output().ok()?;
    done.status.success().then(|| String::from_utf8_lossy(&done.stdout).into_owned())
}

/// The parts of a changelog in its order: what each is called, without its date, and its text.
fn parts(changelog: &str) -> Vec<(&str, &str)> {
    let mut parts = Vec::new();
    for part in changelog.split("\n## ").skip(1) {
        let (heading, text) = part.split_once('\n').unwrap_or((part, ""));
        parts.push((heading.split_whitespace().next().unwrap_or_default(), text.trim()));
    }
    parts
}

/// The notes of a version, whose exact quantities `blessed` finds.
fn notes(changelog: &str, name: &str, blessed: &dyn Fn(&str) -> Option<String>) -> Result<String, Failure> {
    let parts = parts(changelog);
    let Some(at) = parts.iter().position(|&(heading, _)| heading == name) else {
        let known: Vec<&str> = parts.iter().map(|&(heading, _)| heading).collect();
        let known = known.join(", ");
        return Err(Failure::input(format!("{CHANGELOG}: found no part `{name}`, expected one of {known}")));
    };
    let mut text = format!("{}\n\n### Exact quantities\n", parts[at].1);
    // Before its tag is set, a version that was just cut is what is here.
    let now = blessed(name).or_else(|| if at <= 1 { blessed(UNRELEASED) } else { None });
    match (parts.get(at + 1), now) {
        (None, _) => text.push_str("There is no version before this one to compare with.\n"),
        (Some(&(before, _)), now) => match (blessed(before), now) {
            (Some(then), Some(now)) => text.push_str(&moved(&then, &now)?),
            (None, _) => {
                let _ =
                    writeln!(text, "Not compared: the tag `v{before}` is not at hand (`git fetch --tags`).");
            }
            (_, None) => {
                let _ =
                    writeln!(text, "Not compared: the tag `v{name}` is not at hand (`git fetch --tags`).");
            }
        },
    }
    Ok(text)
}

/// Whose trees moved between two baselines of the gate, in words.
fn moved(then: &str, now: &str) -> Result<String, Failure> {
    let read = |text: &str| {
        let games: toml::Table =
            toml::from_str(text).map_err(|error| Failure::input(format!("{BASELINE}: {error}")))?;
        let mut arms = std::collections::BTreeMap::new();
        for (game, of) in games {
            for (arm, row) in of.as_table().into_iter().flatten() {
                let signature = row.get("signature").map(ToString::to_string);
                arms.insert(format!("{game} `{arm}`"), signature);
            }
        }
        Ok::<_, Failure>(arms)
    };
    let (then, now) = (read(then)?, read(now)?);
    let both = then.keys().filter(|&arm| now.contains_key(arm)).count();
    let list = |what: &str, arms: Vec<&String>| {
        let names: Vec<&str> = arms.iter().map(|arm| arm.as_str()).collect();
        if names.is_empty() { String::new() } else { format!("- {what}: {}\n", names.join(", ")) }
    };
    let other: Vec<&String> =
        then.keys().filter(|&arm| now.get(arm).is_some_and(|s| s != &then[arm])).collect();
    let mut text = format!(
        "{} of {both} arms that the gate knows in both versions search another tree; runs of those are not comparable across them.\n",
        other.len()
    );
    text.push_str(&list("Another tree", other));
    text.push_str(&list("New", now.keys().filter(|&arm| !then.contains_key(arm)).collect()));
    text.push_str(&list("Gone", then.keys().filter(|&arm| !now.contains_key(arm)).collect()));
    Ok(text)
}

/// Gives the sources here a version.
fn cut(version: Version) -> Outcome {
    let manifest = text_of("Cargo.toml")?;
    let before = present(&manifest)?;
    if version <= before {
        return Err(Failure::input(format!("found version {version}, expected one above {before}")));
    }
    let changelog = closed(&text_of(CHANGELOG)?, version, &day(SystemTime::now()))?;
    put(Path::new(CHANGELOG), changelog)?;
    for path in ["Cargo.toml", "examples/Cargo.toml"] {
        put(Path::new(path), renumbered(&text_of(path)?, before, version))?;
    }
    put(Path::new("CITATION.cff"), cited(&text_of("CITATION.cff")?, version, &day(SystemTime::now())))?;
    say(&format!(
        "{before} is {version} in {CHANGELOG}, Cargo.toml, examples/Cargo.toml and CITATION.cff. Then:\n  cargo update --workspace --offline\n  \
         cargo xtask ci && cargo xtask gate\n  git commit --all --message 'release: {version}' && git tag v{version} && git push --tags\n"
    ));
    Ok(())
}

/// The version that a manifest of the workspace gives its packages.
fn present(manifest: &str) -> Result<Version, Failure> {
    let table: toml::Table =
        toml::from_str(manifest).map_err(|error| Failure::input(format!("Cargo.toml: {error}")))?;
    let version = table.get("workspace").and_then(|w| w.get("package")).and_then(|p| p.get("version"));
    let found = version.and_then(toml::Value::as_str).ok_or_else(|| {
        Failure::input(
            "Cargo.toml: found no workspace.package.version, expected a checkout of the sources here",
        )
    })?;
    found.parse().map_err(|error| Failure::input(format!("Cargo.toml: {error}")))
}

/// A manifest with the new version where the old one stands: the packages ask for each other exactly.
fn renumbered(manifest: &str, before: Version, version: Version) -> String {
    let ours = |line: &str| line.starts_with("version = ") || line.starts_with("secateur");
    let line = |line: &str| {
        if ours(line) { line.replace(&before.to_string(), &version.to_string()) } else { line.to_owned() }
    };
    manifest.lines().map(|text| line(text) + "\n").collect()
}

/// A changelog whose unreleased part has become a version.
fn closed(changelog: &str, version: Version, day: &str) -> Result<String, Failure> {
    let name = version.to_string();
    let parts = parts(changelog);
    let unreleased = parts.iter().find(|&&(heading, _)| heading == UNRELEASED);
    match unreleased {
        None => Err(Failure::input(format!("{CHANGELOG}: found no part `{UNRELEASED}`, expected one"))),
        Some((_, "")) => Err(Failure::input(format!("{CHANGELOG}: found nothing under `{UNRELEASED}`"))),
        _ if parts.iter().any(|&(heading, _)| heading == name) => {
            Err(Failure::input(format!("{CHANGELOG}: found a part `{name}` already")))
        }
        _ => {
            let heading = format!("## {UNRELEASED}\n");
            Ok(changelog.replacen(&heading, &format!("{heading}\n## {name} ({day})\n"), 1))
        }
    }
}

/// A citation of the new version.
fn cited(citation: &str, version: Version, day: &str) -> String {
    let mut text = String::new();
    for line in citation.lines().filter(|line| !line.starts_with("date-released:")) {
        if line.starts_with("version:") {
            let _ = writeln!(text, "version: {version}\ndate-released: {day}");
        } else {
            let _ = writeln!(text, "{line}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = "# Changelog\n\n## Unreleased\n\n- New.\n\n## 0.1.0\n\nFirst.\n";

    fn arm(game: &str, arm: &str, signature: &str) -> String {
        format!("[{game}.{arm}]\nnodes = 1\nsignature = \"{signature}\"\n")
    }

    #[test]
    fn notes_name_the_arms_whose_trees_moved() {
        let then = arm("chess", "none", "a") + &arm("chess", "lmr", "b") + &arm("chess", "mpc", "c");
        let now = arm("chess", "none", "a") + &arm("chess", "lmr", "x") + &arm("draughts", "none", "d");
        let blessed = |version: &str| Some(if version == UNRELEASED { now.clone() } else { then.clone() });
        let text = notes(LOG, UNRELEASED, &blessed).unwrap();
        assert!(text.starts_with("- New.\n") && text.contains("1 of 2 arms"), "{text}");
        assert!(
            text.contains("- Another tree: chess `lmr`\n- New: draughts `none`\n- Gone: chess `mpc`"),
            "{text}"
        );
        let same = moved(&then, &then).unwrap();
        assert!(same.starts_with("0 of 3 arms") && !same.contains("- "), "{same}");
    }

    #[test]
    fn what_cannot_be_compared_is_said() {
        let text = notes(LOG, UNRELEASED, &|version| (version == UNRELEASED).then(String::new)).unwrap();
        assert!(text.contains("the tag `v0.1.0` is not at hand"), "{text}");
        assert!(notes(LOG, "0.1.0", &|_| None).unwrap().contains("no version before"));
        assert!(notes(LOG, "0.3.0", &|_| None).is_err());
    }

    #[test]
    fn the_unreleased_part_becomes_a_version_once() {
        let version: Version = "0.2.0".parse().unwrap();
        let after = closed(LOG, version, "2026-01-02").unwrap();
        assert!(after.contains("## Unreleased\n\n## 0.2.0 (2026-01-02)\n\n- New.\n"), "{after}");
        assert_eq!(parts(&after), [("Unreleased", ""), ("0.2.0", "- New."), ("0.1.0", "First.")]);
        assert!(closed(&after, "0.3.0".parse().unwrap(), "").is_err(), "there is nothing to release");
        assert!(closed(LOG, "0.1.0".parse().unwrap(), "").is_err(), "it is there");
    }

    #[test]
    fn the_version_of_others_stays() {
        let (from, to) = ("0.1.0".parse().unwrap(), "0.2.0".parse().unwrap());
        let manifest = "[workspace.package]\nversion = \"0.1.0\"\n[workspace.dependencies]\nsecateur = { path = \"x\", version = \"=0.1.0\" }\nother = \"0.1.0\"\n";
        let after = renumbered(manifest, from, to);
        assert_eq!(present(&after).unwrap(), to);
        assert!(after.contains("\"=0.2.0\"") && after.contains("other = \"0.1.0\""), "{after}");
        let cited = cited("title: x\nversion: 0.1.0\ndate-released: 2020-01-01\n", to, "2026-01-02");
        assert_eq!(cited, "title: x\nversion: 0.2.0\ndate-released: 2026-01-02\n");
        assert!("0.2".parse::<Version>().is_err() && "0.2.x".parse::<Version>().is_err() && to > from);
    }
}
