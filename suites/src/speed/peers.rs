//! The programs that are compared with: those of `data/speed/games.toml`, or any subjects.

use crate::Error;
use crate::program::Program;
use crate::speed::asked::Asked;
use crate::speed::defaults;
use crate::subject::Isolation;
use secateur_engines::find;
use secateur_record::speed::Missing;

/// The program that `--edax` names.
const EDAX: &str = "edax";

/// The programs of a game that are asked for, and those that cannot be had.
///
/// # Errors
/// A name that is none.
pub(crate) fn found(asked: &Asked, game: &str) -> Result<(Vec<Program>, Vec<Missing>), Error> {
    let wanted = if asked.peers.is_empty() { defaults::of(game)?.subjects } else { asked.peers.clone() };
    let (mut programs, mut missing) = (Vec::new(), Vec::new());
    for name in &wanted {
        let program = Program::load(name)?;
        if program.game != game || programs.iter().any(|one: &Program| one.name == program.name) {
            continue;
        }
        let name = program.name.clone();
        match here(program, asked) {
            Ok(program) => programs.push(program),
            Err(why) => missing.push(Missing { name, why }),
        }
    }
    Ok((programs, missing))
}

/// The same program, none of whose searches knows what another one left in its caches: our own are emptied before each.
pub(crate) fn cold(peer: &Program) -> Program {
    let isolation = if peer.isolation.prepares() { Isolation::Cold } else { peer.isolation };
    Program { isolation, ..peer.clone() }
}

/// The program at the binary that is asked for, or installed, built if need be, with what lies next to it; why it is not here.
fn here(program: Program, asked: &Asked) -> Result<Program, String> {
    let program = match asked.edax.as_ref().filter(|_| program.source == EDAX) {
        Some(path) => program.at(path),
        None => program.installed().map_err(|error| error.to_string())?,
    };
    match find(&program.command) {
        Ok(_) => Ok(program),
        Err(error) => Err(format!("{error}; to get it: {}", program.get)),
    }
}
