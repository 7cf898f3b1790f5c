//! Names that nothing has: the one error for a mistyped suite, game, method, preset, and the name that was probably meant.

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
    pub fn new(kind: &'static str, name: &str, names: &[&str]) -> Unknown {
        Unknown {
            kind,
            name: name.to_owned(),
            names: format!("one of {}", names.join(", ")),
            hint: nearest(name, names).map(str::to_owned),
        }
    }
}

/// The name with the smallest edit distance (neighbours that changed places count once), if that is at most a third of what was
/// typed; without one, a name that begins with what was typed.
///
/// Of equally near names the first.
pub fn nearest<'a>(typed: &str, names: &[&'a str]) -> Option<&'a str> {
    let far = typed.chars().count().div_ceil(3);
    let all = names.iter().map(|name| (strsim::osa_distance(typed, name), *name));
    let near = all.min_by_key(|(distance, _)| *distance).filter(|(distance, _)| *distance <= far);
    let begins = || names.iter().copied().find(|name| typed.len() > 1 && name.starts_with(typed));
    near.map(|(_, name)| name).or_else(begins)
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

    #[test]
    fn only_near_names_are_named() {
        assert_eq!(nearest("otello-12", &["chess", "othello-12", "othello-20"]), Some("othello-12"));
        assert_eq!(nearest("buro", &["jiang-buro-2003", "buro-1995"]), Some("buro-1995"));
        assert_eq!(nearest("benhc", &["match", "bench"]), Some("bench"));
        assert_eq!(nearest("zzz", &["chess", "othello-12"]), None);
        assert_eq!(nearest("x", &[]), None);
    }
}
