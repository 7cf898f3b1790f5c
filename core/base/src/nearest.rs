//! The nearest of some names to a mistyped one, for error messages.

/// The name with the smallest edit distance, if that is at most a third of what was typed.
///
/// Of equally near names the first.
#[must_use]
pub fn nearest<'a>(typed: &str, names: &[&'a str]) -> Option<&'a str> {
    let far = typed.chars().count().div_ceil(3);
    let (distance, name) =
        names.iter().map(|name| (distance(typed, name), *name)).min_by_key(|(distance, _)| *distance)?;
    (distance <= far).then_some(name)
}

/// Edit distance: insertions, deletions and replacements (Levenshtein 1965).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        for (a, b, expected) in [("", "abc", 3), ("kitten", "sitting", 3), ("abc", "abc", 0), ("ab", "ba", 2)]
        {
            assert_eq!(distance(a, b), expected, "{a} {b}");
            assert_eq!(distance(b, a), expected, "{b} {a}");
        }
    }

    #[test]
    fn only_near_names_are_named() {
        assert_eq!(nearest("otello-12", &["chess", "othello-12", "othello-20"]), Some("othello-12"));
        assert_eq!(nearest("zzz", &["chess", "othello-12"]), None);
        assert_eq!(nearest("x", &[]), None);
    }
}
