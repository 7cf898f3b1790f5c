//! The build of rows that are made here: this program on this computer.
//!
//! Finding out takes a while (the program's file is hashed, another program is asked for its version) and gives the same as
//! long as the process lives: it is done once, and by whom it is wanted soon, next to other work.

use crate::instruments::machine::{binary, compilation, git, machine};
use secateur_base::Fnv;
use std::sync::OnceLock;

pub use secateur_record::build::Build;

/// This program on this computer.
#[must_use]
pub fn current() -> Build {
    static CURRENT: OnceLock<Build> = OnceLock::new();
    CURRENT.get_or_init(found).clone()
}

/// Begins to find out what [`current`] will be asked for.
pub fn prepare() {
    // Nobody waits for it: who asks too early finds out himself, or waits in `current`.
    drop(std::thread::spawn(current));
}

fn found() -> Build {
    let build = Build {
        id: String::new(),
        binary: binary().to_owned(),
        compiled: compilation(),
        git: git(),
        machine: machine(),
    };
    // Flat structs of texts, numbers and flags have a TOML form.
    let text = toml::to_string(&build).expect("a build has a TOML form");
    let id = Fnv::default().bytes(text.as_bytes()).hex()[..8].to_owned();
    Build { id, ..build }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_program_on_one_computer_is_one_build() {
        prepare();
        let (one, two) = (current(), found());
        assert_eq!(one, two);
        assert_eq!((one.id.len(), one.binary.len(), one.compiled.source.len()), (8, 16, 16));
        let text = toml::to_string(&one).unwrap();
        assert_eq!(toml::from_str::<Build>(&text).unwrap(), one);
    }
}
