//! The programs that are compared with: those of `data/peers.toml`, and any subject file.

use crate::Error;
use crate::error::Unknown;
use crate::program::{Factor, Off, Program};
use secateur_engines::find;
use secateur_record::speed::Missing;
use serde::Deserialize;
use std::path::Path;

use crate::speed::asked::Asked;

/// The list.
const TEXT: &str = include_str!("../../data/speed/peers.toml");
/// The subject files of this package; others are those of the bench.
const FILES: &[(&str, &str)] = &[
    ("stockfish.toml", include_str!("../../data/speed/stockfish.toml")),
    ("ethereal.toml", include_str!("../../data/speed/ethereal.toml")),
    ("crafty.toml", include_str!("../../data/speed/crafty.toml")),
    ("edax.toml", include_str!("../../data/speed/edax.toml")),
];
/// The peer that `--edax` names.
const EDAX: &str = "edax";
/// What it reads next to the binary, by option: its weights, and a book, which it does not play from but would make anew at every
/// start, a search of seconds.
const BESIDE: [(&str, &str); 2] = [("eval-file", "data/eval.dat"), ("book-file", "data/book.dat")];
/// What the name of a binary without selective search ends with.
const FULL: &str = "-full";

/// What is known of a peer.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Known {
    name: String,
    /// The arm that searches the full width.
    full_width: Option<String>,
    /// The depth up to which it searches the full width as it is, plies.
    #[serde(default)]
    full_width_to: u32,
    #[serde(default)]
    why_not_full_width: String,
}

#[derive(Deserialize)]
struct File {
    peer: Vec<Known>,
}

/// A program to compare with.
#[derive(Clone, Debug)]
pub(crate) struct Peer {
    pub(crate) program: Program,
    known: Known,
}

fn known() -> Vec<Known> {
    // A file of this package, which the tests read.
    toml::from_str::<File>(TEXT).expect("data/peers.toml is fit for use").peer
}

/// The names of the peers that are known, the strongest of a game first.
#[must_use]
pub fn names() -> Vec<String> {
    known().into_iter().map(|known| known.name).collect()
}

impl Peer {
    fn load(name_or_path: &str, asked: &Asked) -> Result<Peer, Error> {
        let list = known();
        let Some(known) = list.iter().find(|known| known.name == name_or_path).cloned() else {
            if !Program::is_subject(name_or_path) {
                let names: Vec<&str> = list.iter().map(|known| known.name.as_str()).collect();
                let mut error = Unknown::new("peer", name_or_path, &names);
                error.known.push_str(", or a .toml file");
                return Err(error.into());
            }
            let program = Program::load(name_or_path)?;
            let full_width = (!program.factors.is_empty()).then(|| "none".to_owned());
            let why_not_full_width = "its subject file has no [factor] to switch off".to_owned();
            let name = program.name.clone();
            return Ok(Peer {
                program,
                known: Known { name, full_width, full_width_to: 0, why_not_full_width },
            });
        };
        let file = FILES.iter().find(|(file, _)| file.strip_suffix(".toml") == Some(&known.name));
        let mut program = match file {
            Some((file, text)) => Program::parse(Path::new(file), text)?,
            None => Program::load(&known.name)?,
        };
        if name_or_path == EDAX {
            let path = asked.edax.clone().or_else(|| find(&program.command).ok());
            path.iter().for_each(|path| pointed(&mut program, path));
        }
        Ok(Peer { program, known })
    }

    pub(crate) fn name(&self) -> &str {
        &self.known.name
    }

    /// The arm that searches the full width to this depth; why there is none.
    pub(crate) fn full_width(&self, depth: u32) -> Result<&str, String> {
        match &self.known.full_width {
            Some(arm) if !self.program.factors.is_empty() => Ok(arm),
            _ if depth <= self.known.full_width_to => Ok("full"),
            _ => Err(format!("not at full width: {}", self.known.why_not_full_width)),
        }
    }
}

/// Edax at this path: its weights and its book are taken from next to it, and a build without ProbCut is its arm without selectivity.
fn pointed(program: &mut Program, path: &Path) {
    path.clone_into(&mut program.command);
    for (option, file) in BESIDE {
        let file = path.with_file_name(file);
        if file.is_file() {
            program.options.push((option.to_owned(), file.display().to_string()));
        }
    }
    let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let full = path.with_file_name(name + FULL);
    if full.is_file() {
        let off = Off { command: Some(full), ..Off::default() };
        program.factors.push(Factor { name: "mpc".to_owned(), off });
    }
}

/// The peers of a game that are asked for, and those that cannot be had.
///
/// # Errors
/// A name that is none.
pub(crate) fn found(asked: &Asked, game: &str) -> Result<(Vec<Peer>, Vec<Missing>), Error> {
    let wanted = if asked.peers.is_empty() { names() } else { asked.peers.clone() };
    let (mut peers, mut missing) = (Vec::new(), Vec::new());
    for name in &wanted {
        let peer = Peer::load(name, asked)?;
        if peer.program.game != game || peers.iter().any(|one: &Peer| one.name() == peer.name()) {
            continue;
        }
        let label = peer.name().to_owned();
        match here(peer.program.clone()) {
            Ok(program) => peers.push(Peer { program, ..peer }),
            Err(why) => missing.push(Missing { name: label, why }),
        }
    }
    Ok((peers, missing))
}

/// The program, built if need be; why it is not here.
fn here(program: Program) -> Result<Program, String> {
    let program = program.installed().map_err(|error| error.to_string())?;
    match find(&program.command) {
        Ok(_) => Ok(program),
        Err(error) => Err(format!("{error}; to get it: {}", program.get)),
    }
}
