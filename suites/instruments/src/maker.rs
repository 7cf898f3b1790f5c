//! The maker of rows that are made here: this program on this computer.

use crate::machine::{binary, build, git, machine};
use secateur_base::Fnv;

pub use secateur_record::maker::Maker;

/// This program on this computer.
#[must_use]
pub fn current() -> Maker {
    let maker = Maker {
        id: String::new(),
        binary: binary().to_owned(),
        build: build(),
        git: git(),
        machine: machine(),
    };
    // Flat structs of texts, numbers and flags have a TOML form.
    let text = toml::to_string(&maker).expect("a maker has a TOML form");
    let id = Fnv::default().bytes(text.as_bytes()).hex()[..8].to_owned();
    Maker { id, ..maker }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_program_on_one_computer_is_one_maker() {
        let (one, two) = (current(), current());
        assert_eq!(one, two);
        assert_eq!((one.id.len(), one.binary.len(), one.build.source.len()), (8, 16, 16));
        let text = toml::to_string(&one).unwrap();
        assert_eq!(toml::from_str::<Maker>(&text).unwrap(), one);
    }
}
