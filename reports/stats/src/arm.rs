//! The text of a column `methods`: names joined by `+`, each perhaps with changes in brackets.
//!
//! Reports take the text as it stands. Only what counts methods one by one looks inside.

pub use secateur_record::arm::name;

use secateur_record::arm::split;

/// The members of a method set as they are written; none of `none`. A `+` inside brackets does not divide.
#[must_use]
pub fn members(methods: &str) -> Vec<&str> {
    if methods == secateur_record::manifest::BASELINE {
        return Vec::new();
    }
    split(methods, '+')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_hold_together() {
        assert_eq!(members("null-move[r=3+1]+mpc"), ["null-move[r=3+1]", "mpc"]);
        assert_eq!(members("a+b+c"), ["a", "b", "c"]);
        assert!(members("none").is_empty());
        assert_eq!(members("a]+b"), ["a]", "b"], "what is no arm at least does not panic");
        assert_eq!([name("null-move[verified]"), name("mpc")], ["null-move", "mpc"]);
    }
}
