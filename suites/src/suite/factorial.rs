//! A factorial experiment: every combination of several arms, each of one method.
//!
//! A suite file and the command line name the arms; what comes out is an ordinary list of method sets, and nothing
//! after this knows how the list was made. Left out: fractions of the 2^k combinations, which confound effects.

use crate::error::Error;
use crate::setups::arm::{Arm, split};
use crate::subsets::{size, subsets};

/// Reads the list of a command line, `null-move[r3],mpc,futility`, and crosses it.
///
/// # Errors
/// An arm that cannot be read, or a list that cannot be crossed, with what was expected.
pub fn factorial(list: &str) -> Result<Vec<Arm>, Error> {
    let arms: Vec<Arm> = split(list, ',').into_iter().map(Arm::parse).collect::<Result<_, _>>()?;
    let refused = size(arms.len()).err().or_else(|| (0..arms.len()).find_map(|at| fits(&arms, at).err()));
    match refused {
        Some(message) => Err(Error::Usage(format!("--factorial {list}: {message}"))),
        None => Ok(combinations(&arms)),
    }
}

/// Whether the arm at `at` can be crossed with those before it; else what was found and expected.
pub(super) fn fits(arms: &[Arm], at: usize) -> Result<(), String> {
    let arm = &arms[at];
    if arm.set.indices().count() != 1 {
        return Err(format!("found `{arm}`, expected one method in each arm: they are crossed"));
    }
    match arms[..at].iter().find(|other| other.set == arm.set) {
        Some(other) => Err(format!("found `{arm}` next to `{other}`, expected every method once")),
        None => Ok(()),
    }
}

/// All combinations of arms that [`fits`] lets pass: `none` first, then by size, those of one size in the order of the
/// arms.
pub(super) fn combinations(arms: &[Arm]) -> Vec<Arm> {
    let joined = |set: Vec<usize>| set.into_iter().fold(Arm::default(), |joined, at| joined.with(&arms[at]));
    subsets(arms.len()).into_iter().map(joined).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::{Block, Suite};

    fn names(arms: &[Arm]) -> Vec<String> {
        arms.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn every_combination_is_there_once_and_in_order() {
        let arms = factorial("futility,null-move[r3],mpc[pairs=[[1,3],[2,4]],t=1]").unwrap();
        let mpc = "mpc[pairs=[[1,3],[2,4]],t=1]";
        let expected = [
            "none".to_owned(),
            "futility".to_owned(),
            "null-move[r3]".to_owned(),
            mpc.to_owned(),
            // Names are in the order of asking, sets in the order that was given.
            "null-move[r3]+futility".to_owned(),
            format!("{mpc}+futility"),
            format!("null-move[r3]+{mpc}"),
            format!("null-move[r3]+{mpc}+futility"),
        ];
        assert_eq!(names(&arms), expected);
    }

    /// The list that stood in the suite before it could be written short.
    #[test]
    fn the_built_in_suite_is_the_list_of_before() {
        let list = "none, razoring, null-move, mpc, multi-cut, futility, razoring+null-move, razoring+mpc, \
            razoring+multi-cut, razoring+futility, null-move+mpc, null-move+multi-cut, null-move+futility, \
            mpc+multi-cut, mpc+futility, multi-cut+futility, razoring+null-move+mpc, \
            razoring+null-move+multi-cut, razoring+null-move+futility, razoring+mpc+multi-cut, \
            razoring+mpc+futility, razoring+multi-cut+futility, null-move+mpc+multi-cut, null-move+mpc+futility, \
            null-move+multi-cut+futility, mpc+multi-cut+futility, razoring+null-move+mpc+multi-cut, \
            razoring+null-move+mpc+futility, razoring+null-move+multi-cut+futility, \
            razoring+mpc+multi-cut+futility, null-move+mpc+multi-cut+futility, \
            razoring+null-move+mpc+multi-cut+futility";
        let suite = Suite::load("factorial").unwrap();
        let main = &suite.blocks[..2];
        for block in main {
            assert_eq!(names(&block.methods), list.split(", ").collect::<Vec<_>>(), "{}", block.game);
        }
        let rest = |b: &Block| format!("{} {:?} {:?} {}", b.game, b.limit, b.budgets, b.positions.join(" "));
        let expected = [
            "othello Some(40) [Depth(12)] othello-12 othello-20 othello-28 othello-36 othello-44",
            "chess Some(67) [Depth(8)] chess-games",
        ];
        assert_eq!(main.iter().map(rest).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn what_cannot_be_crossed_says_why() {
        for (list, message) in [
            ("mpc", "found a list of 1, expected 2 to 8 arms"),
            ("", "unknown method"),
            ("mpc,mpd", "did you mean `mpc`?"),
            ("mpc,none", "found `none`, expected one method"),
            ("mpc,null-move+futility", "found `null-move+futility`, expected one method"),
            ("mpc,futility,mpc[t=1]", "found `mpc[t=1]` next to `mpc`, expected every method once"),
        ] {
            let error = factorial(list).unwrap_err().to_string();
            assert!(error.contains(message), "{list}: {error}");
        }
        assert!(size(2).is_ok() && size(8).is_ok() && size(9).is_err());
    }
}
