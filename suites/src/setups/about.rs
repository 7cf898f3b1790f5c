//! What each method does, in a sentence: data for lists of names. docs/METHODS.md describes them whole.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// What a method does, one sentence; `None` of a method of another crate, which is described by the crate that has it.
///
/// # Panics
/// Never in a build whose tests pass: the file is part of the build.
#[must_use]
pub fn about(method: &str) -> Option<&'static str> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct File {
        about: BTreeMap<String, String>,
    }
    static ABOUT: OnceLock<BTreeMap<String, String>> = OnceLock::new();
    let about = ABOUT.get_or_init(|| {
        let file: File =
            toml::from_str(include_str!("../../params/methods.toml")).expect("the file of methods");
        file.about
    });
    about.get(method).map(String::as_str)
}

#[cfg(test)]
mod tests {
    use super::about;
    use secateur_core::prune::METHODS;

    #[test]
    fn every_method_has_a_sentence() {
        for method in METHODS.iter().chain(&["none"]) {
            let sentence = about(method).unwrap_or_else(|| panic!("{method} is not in params/methods.toml"));
            assert!(sentence.len() > 20 && !sentence.ends_with('.'), "{method}: {sentence}");
        }
        assert_eq!(about("nobody's"), None);
    }
}
