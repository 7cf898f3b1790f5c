//! A program's own signature: the nodes of a fixed set of searches, which its authors count on at every change.
//!
//! Patched with all of its methods on, a program must repeat the signature of the unpatched one: else the patch did more than
//! it says, and no arm is what its name is. Without a method the signature should differ; where it does not, the switch may
//! do nothing.

use super::file::Program;
use super::switching::Switching;
use crate::error::Error;
use crate::shell::run;
use secateur_engines::number::{count, may_be_one, plain};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// The argument that most programs with a signature take, and what the line may contain in which it stands.
const USUAL: (&str, [&str; 4]) = ("bench", ["Nodes searched", "nodes", "Nodes", "NODES"]);
/// How long a program may take for it while it is not known whether it has one.
pub const TRIED_WITHIN: Duration = Duration::from_secs(30);
/// How long a program may take that is said to have one.
const SIGNED_WITHIN: Duration = Duration::from_secs(600);

/// How a program is asked for its signature.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Signature {
    /// Arguments behind those of the program: `bench`.
    pub args: Vec<String>,
    /// What the line contains in which the signature stands: `Nodes searched`. Of several numbers it is the one that is called
    /// nodes.
    pub line: String,
    /// What it must be; 0 where only the unpatched program says.
    #[serde(default)]
    pub nodes: u64,
}

/// A program's signature next to what it must be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signed {
    /// That of the program as it is.
    pub full: u64,
    /// That of the unpatched program, if this one is patched.
    pub unpatched: Option<u64>,
    /// What the subject file says, if it says anything.
    pub expected: Option<u64>,
    /// Factors without which it is the same.
    pub idle: Vec<String>,
}

impl Signed {
    /// Whether the program is what it is said to be.
    pub fn holds(&self) -> bool {
        [self.unpatched, self.expected].into_iter().flatten().all(|nodes| nodes == self.full)
    }
}

impl Program {
    /// Asks for all signatures there are to know, of a program that is [installed](Program::installed); `None` where the file does
    /// not say how.
    ///
    /// # Errors
    /// An unpatched program that cannot be built; one that has no such line.
    pub fn signed(&self) -> Result<Option<Signed>, Error> {
        let Some(signature) = &self.signature else { return Ok(None) };
        let signature_without = |off: BTreeSet<usize>| {
            let spec = self.spec(&Switching { name: String::new(), off, options: Vec::new() })?;
            signature.nodes_of(Command::new(self.located(&spec)?).args(&spec.args).envs(spec.env))
        };
        let full = signature_without(BTreeSet::new())?;
        let patched = self.built_from.as_ref().filter(|source| source.is_patched());
        let unpatched = patched.map(|source| {
            let binary = source.unpatched().program(&format!("{}-unpatched", self.name))?;
            signature.nodes_of(Command::new(binary).args(&self.args))
        });
        let mut idle = Vec::new();
        // Switches that were cut from the source are held to searches anyway.
        let by_hand = self.factors.iter().enumerate().filter(|_| self.cut.as_os_str().is_empty());
        for (index, factor) in by_hand {
            // Options are set in the protocol, which this is not.
            if factor.off.options.is_empty() && signature_without(BTreeSet::from([index]))? == full {
                idle.push(factor.name.clone());
            }
        }
        let expected = Some(signature.nodes).filter(|nodes| *nodes > 0);
        Ok(Some(Signed { full, unpatched: unpatched.transpose()?, expected, idle }))
    }
}

impl Signature {
    /// How a program is asked for its signature, if the usual argument makes it say one, twice the same; both at once, for
    /// [`TRIED_WITHIN`] at most.
    ///
    /// # Errors
    /// Why it has none that is known.
    pub fn usual(program: &Path, args: &[String]) -> Result<Signature, String> {
        let (argument, lines) = USUAL;
        // The program is started elsewhere than here.
        let program = std::path::absolute(program).map_err(|error| error.to_string())?;
        let folder = program.parent().unwrap_or(Path::new("."));
        let asked = || {
            let mut command = Command::new(&program);
            let ran = run(command.args(args).arg(argument).current_dir(folder), TRIED_WITHIN);
            let ran = ran.map_err(|error| error.to_string())?;
            match (ran.ended, ran.is_well) {
                (Some(why), _) => Err(why),
                (None, true) => Ok(ran.text),
                (None, false) => Err("it ended with an error".to_owned()),
            }
        };
        let (text, second) = std::thread::scope(|scope| {
            let second = scope.spawn(asked);
            let panicked = |_| Err("its second run ended in a panic".to_owned());
            (asked(), second.join().unwrap_or_else(panicked))
        });
        let (text, second) = (text?, second?);
        // What it says while it searches is no sum.
        let is_sum = |marker: &&str| {
            let line = text.lines().rfind(|line| line.contains(*marker));
            line.is_some_and(|line| !line.trim_start().starts_with("info")) && number(&text, marker).is_ok()
        };
        let line = lines.into_iter().find(is_sum).ok_or("it says no line with its nodes")?;
        match (number(&text, line), number(&second, line)) {
            (Ok(nodes), Ok(same)) if nodes == same && nodes > 0 => {
                Ok(Signature { args: vec![argument.to_owned()], line: line.to_owned(), nodes: 0 })
            }
            _ => Err("its nodes are not the same twice".to_owned()),
        }
    }

    /// Runs a program to its end and reads the number.
    fn nodes_of(&self, command: &mut Command) -> Result<u64, Error> {
        let name = command.get_program().to_string_lossy().into_owned();
        let ran = run(command.args(&self.args), SIGNED_WITHIN)?;
        let read = ran.ended.map_or_else(|| number(&plain(&ran.text), &self.line), Err);
        read.map_err(|message| Error::Usage(format!("{name} {}: {message}", self.args.join(" "))))
    }
}

/// The signature in the last line that contains `marker`, as it is written: OpenBench's `N nodes M nps` in either order,
/// Stockfish's `Nodes searched  : N`, or a line with one number.
///
/// # Errors
/// What was found and expected; two numbers that could both be meant; one that is rounded, or no whole number.
fn number(text: &str, marker: &str) -> Result<u64, String> {
    let Some(line) = text.lines().rfind(|line| line.contains(marker)) else {
        return Err(format!("found no line with `{marker}`, expected its signature"));
    };
    let tokens = words(line);
    let meant = meant(&tokens, &line_words(marker));
    let all = || tokens.iter().filter(|word| word.is_number).collect();
    let candidates: Vec<&Word> = if meant.is_empty() { all() } else { meant };
    let read = |word: &Word| {
        // `2 560` is one number or two.
        let read =
            if word.text.contains(' ') { Err("one number without a blank in it") } else { count(&word.text) };
        read.map_err(|expected| format!("found `{}` in `{}`, expected {expected}", word.text, line.trim()))
    };
    let numbers = candidates.into_iter().map(read).collect::<Result<Vec<u64>, String>>()?;
    match numbers.as_slice() {
        [] => Err(format!("found `{}`, expected a number in it: its signature", line.trim())),
        [first, rest @ ..] if rest.iter().all(|other| other == first) => Ok(*first),
        several => {
            let several: Vec<String> = several.iter().map(ToString::to_string).collect();
            Err(format!(
                "found `{}`, in which {} could each be meant, expected one number, `N nodes` or `nodes: N`",
                line.trim(),
                several.join(" and ")
            ))
        }
    }
}

/// A word of a line.
struct Word {
    /// In small letters, without signs around it.
    text: String,
    /// Whether a count may be meant by it, read or not: no fraction, and no letters but those of a rounded number.
    is_number: bool,
    /// Whether a colon or an equals sign stands between it and the next.
    named: bool,
}

fn words(line: &str) -> Vec<Word> {
    let mut all: Vec<Word> = Vec::new();
    // `Nodes:5` is two words, and the sign belongs to the first.
    for part in line.replace(':', " : ").replace('=', " = ").split_whitespace() {
        if [":", "="].contains(&part) {
            if let Some(last) = all.last_mut() {
                last.named = true;
            }
            continue;
        }
        let bare = part.trim_matches(|c: char| !c.is_alphanumeric());
        let before = &part[..part.find(bare).unwrap_or(0)];
        // A sign that makes another number of it is kept.
        let sign =
            before.rfind(['-', '~', '<', '>']).filter(|_| bare.starts_with(digit)).map(|at| &before[at..]);
        let text = format!("{}{}", sign.unwrap_or_default(), bare.to_lowercase());
        let may_be_one =
            |last: &&mut Word| !last.named && may_be_one(last.text.rsplit(' ').next().unwrap_or(""), &text);
        match all.last_mut().filter(may_be_one) {
            Some(last) => last.text += &format!(" {text}"),
            None if !text.is_empty() => all.push(Word { is_number: is_number(&text), text, named: false }),
            None => {}
        }
    }
    all
}

fn digit(letter: char) -> bool {
    letter.is_ascii_digit()
}

/// Whether a count may be meant: whole numbers and what looks like a rounded one, but neither fractions, which are times, nor
/// `3s` and `64bit`.
fn is_number(text: &str) -> bool {
    let letters: String = text.chars().filter(|letter| letter.is_alphabetic()).collect();
    // A point is that of a fraction, unless three digits follow, which may be thousands.
    let is_fraction = text.rsplit_once('.').is_some_and(|(_, digits)| digits.len() != 3);
    let is_rounded = ["k", "m", "g", "e"].contains(&&*letters);
    let begins = text.trim_start_matches(['-', '~', '<', '>']).starts_with(digit);
    begins && (count(text).is_ok() || is_rounded || letters.is_empty() && !is_fraction)
}

/// The words of a marker, to be found again in its line.
fn line_words(marker: &str) -> Vec<String> {
    words(marker).into_iter().map(|word| word.text).collect()
}

/// The numbers that are called nodes, or else by the marker: behind the name where names stand first, before it where units stand
/// last.
fn meant<'w>(tokens: &'w [Word], marker: &[String]) -> Vec<&'w Word> {
    let is_nodes = |word: &Word| ["nodes", "node"].contains(&word.text.as_str());
    let ends_marker = |at: usize| {
        let begin = (at + 1).checked_sub(marker.len()).filter(|_| !marker.is_empty());
        begin.is_some_and(|begin| tokens[begin..=at].iter().map(|word| &word.text).eq(marker))
    };
    let searched = |at: usize| at > 0 && tokens[at].text == "searched" && is_nodes(&tokens[at - 1]);
    let is_nodes_name = |at: usize| !tokens[at].is_number && (is_nodes(&tokens[at]) || searched(at));
    // `time 5 nodes 12 nps 7` names first; in `7 nodes 5 nps` the name comes last.
    let names_first = tokens.last().is_some_and(|word| word.is_number);
    let (mut nearest, mut by_marker) = (Vec::new(), Vec::new());
    for (at, word) in tokens.iter().enumerate() {
        if !word.is_number {
            continue;
        }
        let before = tokens[..at].iter().rposition(|before| !before.is_number);
        // Of two numbers behind a name without a sign either could be meant.
        let is_next = |name: usize| if tokens[name].named { name + 1 == at } else { names_first };
        let named = before.is_some_and(|name| is_nodes_name(name) && is_next(name));
        let counted = !names_first && tokens.get(at + 1).is_some_and(|next| is_nodes(next) && !next.named);
        if named || counted {
            nearest.push(word);
        } else if before.is_some_and(|name| ends_marker(name) && is_next(name)) {
            by_marker.push(word);
        }
    }
    // Behind a heading such as `OVERALL:` stands whatever a program puts first.
    if nearest.is_empty() { by_marker } else { nearest }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_that_is_called_nodes_is_the_signature() {
        for (text, marker, nodes) in [
            ("4712710 nodes 1323423 nps", "nodes", 4_712_710),
            ("1323423 nps 4712710 nodes", "nodes", 4_712_710),
            ("info string bench: 4712710 nodes 1323423 nps", "nps", 4_712_710),
            ("Bench: 7 nodes 5 nps", "nodes", 7),
            ("OVERALL:    4503 ms      10408355 nodes    2311426 nps", "OVERALL", 10_408_355),
            (
                "Nodes searched  : 12\nTotal time (ms) : 99\nNodes searched  : 5156767\nNodes/second: 3\n",
                "Nodes searched",
                5_156_767,
            ),
            ("===\nNodes searched: 12 (3 s)", "Nodes searched", 12),
            ("Nodes 5132900", "Nodes", 5_132_900),
            ("time 5 nodes 12 nps 7", "nodes", 12),
            ("NPS: 9, nodes: 12, time: 5", "nodes", 12),
            ("bench 12345", "bench", 12_345),
            ("Bench signature = 12345 on x86-64", "signature", 12_345),
            ("12345 total", "total", 12_345),
            ("4,712,710 nodes 1,323,423 nps", "nodes", 4_712_710),
            ("Nodes searched  : 5'156'767", "Nodes searched", 5_156_767),
            ("Nodes searched: 2560.", "Nodes searched", 2_560),
            ("signature 12345 in 37ms on x86-64 64bit", "signature", 12_345),
            // Fractions are no nodes.
            ("signature 12345 in 0.37 s", "signature", 12_345),
        ] {
            assert_eq!(number(text, marker), Ok(nodes), "{text}");
        }
    }

    /// What is said while it searches is no signature, and neither is what changes from call to call.
    #[cfg(unix)]
    #[test]
    fn a_program_is_asked_for_the_usual_signature() {
        use std::os::unix::fs::PermissionsExt as _;
        let dir = tempfile::tempdir().unwrap();
        let signature_of = |name: &str, text: &str| {
            let path = dir.path().join(name);
            std::fs::write(&path, format!("#!/bin/sh\n[ \"$1\" = bench ] || exit 1\n{text}\n")).unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
            Signature::usual(&path, &[]).map(|signature| (signature.args, signature.line))
        };
        let bench = || vec!["bench".to_owned()];
        let text = "echo info depth 1 nodes 12 nps 3; echo 'Nodes : 34'; echo NPS : 5";
        assert_eq!(signature_of("one", text), Ok((bench(), "Nodes".to_owned())));
        assert_eq!(signature_of("two", "echo 34 nodes 5 nps"), Ok((bench(), "nodes".to_owned())));
        assert_eq!(signature_of("reads", "cat; echo 34 nodes 5 nps"), Ok((bench(), "nodes".to_owned())));
        for (name, text, why) in [
            ("three", "echo info depth 1 nodes 12", "no line with its nodes"),
            ("four", "echo $$ nodes", "not the same twice"),
            ("five", "echo 3 nodes; exit 2", "ended with an error"),
            ("endless", "yes unknown command: 3 nodes", "said more than 32 MiB"),
        ] {
            let error = signature_of(name, text).unwrap_err();
            assert!(error.contains(why), "{error}");
        }
    }

    #[test]
    fn two_numbers_that_could_be_meant_and_none_are_refused() {
        for (text, marker, message) in [
            ("bench 12 34", "bench", "12 and 34 could each be meant"),
            ("total 12 of 34 done", "total", "12 and 34 could each be meant"),
            ("Nodes: 12, qnodes 3, 34 nodes in all", "Nodes", "12 and 34 could each be meant"),
            ("Nodes searched: -", "Nodes searched", "expected a number"),
            ("Nodes searched: 2.5k time: 37", "Nodes searched", "found `2.5k`"),
            ("Nodes searched: 2.56e+06 time: 37", "Nodes searched", "found `2.56e+06`"),
            ("Nodes searched: 2.560 time: 37", "Nodes searched", "found `2.560`"),
            ("Nodes searched: 2 560 time: 37", "Nodes searched", "found `2 560`"),
            ("Nodes searched: -2147483648 time: 37", "Nodes searched", "found `-2147483648`"),
            ("Nodes searched: ~2560 time: 37", "Nodes searched", "found `~2560`"),
            ("2 560 123 nodes 37 nps", "nodes", "found `2 560 123`"),
            ("", "Nodes", "no line with `Nodes`"),
        ] {
            let error = number(text, marker).expect_err(text);
            assert!(error.contains(message), "{error}");
        }
    }
}
