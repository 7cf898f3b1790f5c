//! The nearest of some names to a mistyped one, for error messages.

/// The name with the smallest edit distance (neighbours that changed places count once), if that is at most a third of what was
/// typed; without one, a name that begins with what was typed.
///
/// Of equally near names the first.
#[must_use]
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
    fn only_near_names_are_named() {
        assert_eq!(nearest("otello-12", &["chess", "othello-12", "othello-20"]), Some("othello-12"));
        assert_eq!(nearest("buro", &["jiang-buro-2003", "buro-1995"]), Some("buro-1995"));
        assert_eq!(nearest("benhc", &["match", "bench"]), Some("bench"));
        assert_eq!(nearest("zzz", &["chess", "othello-12"]), None);
        assert_eq!(nearest("x", &[]), None);
    }
}
