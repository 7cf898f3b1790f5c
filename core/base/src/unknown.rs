//! Names that nothing has: the one error for a mistyped suite, game, method, preset.

use crate::nearest::nearest;

/// A name that nothing has, with those that exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown {kind} `{name}`: {}expected {names}", hint.as_ref().map(|near| format!("did you mean `{near}`? ")).unwrap_or_default())]
pub struct Unknown {
    /// What was to be named: `suite`, `game`, `method`.
    pub kind: &'static str,
    /// The name that was found.
    pub name: String,
    /// The names that exist, in words.
    pub names: String,
    /// The name that looks most like it, if one does.
    pub hint: Option<String>,
}

impl Unknown {
    /// An error about a name that is none of `names`.
    #[must_use]
    pub fn new(kind: &'static str, name: &str, names: &[&str]) -> Unknown {
        Unknown {
            kind,
            name: name.to_owned(),
            names: format!("one of {}", names.join(", ")),
            hint: nearest(name, names).map(str::to_owned),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_offered() {
        let error = Unknown::new("suite", "quik", &["quick", "table2"]).to_string();
        assert_eq!(error, "unknown suite `quik`: did you mean `quick`? expected one of quick, table2");
        assert!(!Unknown::new("suite", "zzz", &["quick"]).to_string().contains("did you mean"));
    }
}
