//! Sets of methods with a name, for those who read arms and those who write tables.
//!
//! In records an arm is spelled out, so that it means the same for ever; in tables a set of a dozen members is its name and what
//! differs. What the methods are, `secateur_core::prune` knows.

/// Sets with a name, and their members in the order of asking: what a playing program of about 2003 would switch on, and one of
/// today. `all` is what `classic` was called when there was no other.
pub const SETS: &[(&str, &str)] = &[
    ("classic", CLASSIC),
    (
        "modern",
        "check-extension+iir+reverse-futility+null-move+small-probcut+singular+lmp+history-pruning+futility+see-pruning+lmr+delta",
    ),
    ("all", CLASSIC),
];
const CLASSIC: &str = "razoring+null-move+mpc+futility+lmr";

/// Sets of fewer members are spelled out.
const LONG: usize = 8;
/// Most differences from a set with which an arm is written by the set's name.
const MOST: usize = 3;

/// The members of a set with a name.
pub fn members(name: &str) -> Option<&'static str> {
    SETS.iter().find(|(listed, _)| *listed == name).map(|(_, members)| *members)
}

/// The names of all sets, `none` the first.
pub fn set_names() -> impl Iterator<Item = &'static str> {
    std::iter::once("none").chain(SETS.iter().map(|(name, _)| *name))
}

/// A text in which every arm that is nearly a long set is written by the set's name: `modern`, `modern[-lmr]`, `modern[+rankcut]`.
pub fn shortened(text: &str) -> String {
    if text.matches('+').count() + 1 < LONG - MOST {
        return text.to_owned();
    }
    let shortened_word = |word: &str| {
        let name = word.trim_end_matches([',', '.', ':', ';']);
        short(name) + &word[name.len()..]
    };
    text.split(' ').map(shortened_word).collect::<Vec<_>>().join(" ")
}

fn short(word: &str) -> String {
    let parts: Vec<&str> = word.split('+').collect();
    for (name, members) in SETS {
        let members: Vec<&str> = members.split('+').collect();
        if members.len() < LONG {
            continue;
        }
        let missing =
            members.iter().filter(|member| !parts.contains(member)).map(|member| format!("-{member}"));
        let more = parts.iter().filter(|part| !members.contains(part)).map(|part| format!("+{part}"));
        let changes: Vec<String> = missing.chain(more).collect();
        match changes.len() {
            0 => return (*name).to_owned(),
            1..=MOST => return format!("{name}[{}]", changes.join(",")),
            _ => {}
        }
    }
    word.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_sets_are_told_by_name_and_short_ones_spelled_out() {
        let modern = members("modern").unwrap();
        assert_eq!(shortened(modern), "modern");
        assert_eq!(shortened(&modern.replace("+lmr", "")), "modern[-lmr]");
        assert_eq!(shortened(&modern.replace("+lmr", "+rankcut")), "modern[-lmr,+rankcut]");
        assert_eq!(shortened(&format!("{modern} next to none, {modern}.")), "modern next to none, modern.");
        for text in [CLASSIC, "none", "1 + 2", "null-move+lmr"] {
            assert_eq!(shortened(text), text);
        }
    }
}
