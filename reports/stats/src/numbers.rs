//! Every number of a report by one name, one unit and one definition: what terminal, pages, CSV, JSON, LaTeX and documents call it.
//!
//! `docs/MEASURES.md` and the `datapackage.json` of run folders are made from this table. Definitions at length, with their
//! intervals and tests, are in docs/METHODOLOGY.md.

use crate::measure::{Unit, divided};

/// A number that reports print.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number {
    /// Its name in CSV, JSON and the marks of documents.
    pub csv: &'static str,
    /// The name that older reports had, which marks may still use.
    pub former: &'static str,
    /// Its name in headings.
    pub name: &'static str,
    /// What it is in.
    pub unit: Unit,
    /// What it is.
    pub definition: &'static str,
}

macro_rules! numbers {
    ($($constant:ident = ($csv:literal, $former:literal, $name:literal, $unit:ident, $definition:literal);)+) => {
        $(
            #[doc = $definition]
            pub const $constant: Number = Number {
                csv: $csv,
                former: $former,
                name: $name,
                unit: Unit::$unit,
                definition: $definition,
            };
        )+
        /// All numbers of searches and matches alone.
        pub const ALL: &[Number] = &[$($constant),+];
    };
}

numbers! {
    NODES = ("nodes_mean", "", "nodes", Nodes, "Mean nodes of a search, quiescence, probes and re-searches included.");
    NODES_SD = ("nodes_sd", "", "(SD)", Nodes, "Standard deviation of the nodes, with n - 1.");
    DEPTH = ("depth_mean", "", "depth", Plies, "Mean depth of the last completed iteration; at a budget of nodes or time without the positions that a search finished.");
    BRANCHING = ("branching", "", "b", None, "Branching factor: mean nodes to the power of 1 / depth.");
    PROBE_SHARE = ("probe_share", "", "in probes", Share, "Nodes within the searches that methods begin, each counted once, over all nodes.");
    NODES_PER_SECOND = ("nodes_per_second", "", "nodes/s", NodesASecond, "Nodes over CPU time, all positions together; printed in millions (Mnodes/s).");
    SAME_MOVE = ("same_move", "", "same move", Share, "Positions with the baseline's move, or one that the baseline values alike.");
    SAME_VALUE = ("same_value", "", "same value", Share, "Positions with the baseline's value.");
    SAME_WHOLE = ("same_value_to_one", "", "same to 1.00", Share, "Positions with the baseline's value to the nearest whole unit of the game.");
    VALUE_DIFFERENCE = ("value_difference", "", "|dv|", OfGame, "Mean distance of the value from the baseline's, over the positions at which neither is proven (a mate, a win by a table).");
    PROVEN = ("values_proven", "", "proven", Count, "Positions left out of |dv|, because one of the two values is proven.");
    NODES_SAVED = ("nodes_saved", "speedup_geometric", "nodes saved", Times, "Nodes of the baseline over nodes of the method set, the geometric mean over positions, at a fixed depth.");
    NODES_SAVED_MEANS = ("nodes_saved_means", "speedup_means", "nodes saved (means)", Times, "Mean nodes of the baseline over mean nodes of the method set: large searches decide.");
    TIME_SAVED = ("time_saved", "", "time saved", Times, "CPU time of the baseline over that of the method set, the geometric mean over positions, at a fixed depth.");
    INSTRUCTIONS_SAVED = ("instructions_saved", "", "instructions saved", Times, "Instructions of the baseline over those of the method set, the geometric mean over the positions at which every arm has a count.");
    PLIES_GAINED = ("plies_gained", "", "plies gained", Plies, "Fractional depth less the baseline's at a budget of nodes or time, the mean over positions that neither finished.");
    REGRET = ("regret", "", "regret", OfGame, "Mean loss of the moves by the oracle: its value of its own move less its value of the move chosen.");
    REGRET_EXCESS = ("regret_excess", "", "regret over the baseline", OfGame, "Mean regret less the baseline's.");
    BLUNDERS = ("regret_blunders", "", "blunders", Share, "Positions at which the move loses more than one unit of the game (a disc, a pawn).");
    THROWN = ("regret_results_thrown_away", "", "result thrown away", Share, "Positions at which the move gives up a proven win, or a draw, that another keeps.");
    NODES_WITHOUT = ("nodes_without", "", "nodes without it", Times, "Of `worth`: nodes of a program without the method over nodes of the program as it is, geometric.");
    NODES_ALONE = ("nodes_alone", "", "nodes alone", Times, "Of `worth`: nodes of the program with no method over nodes with this one alone, geometric.");
    NODES_WITHOUT_BOTH = ("nodes_without_both", "", "nodes without both", Times, "Of `worth`: nodes without two methods over what they would be if each were missed by itself, geometric; above 1 both save some of the same.");
    TIME_WITHOUT = ("time_without", "", "time without it", Times, "Of `worth`: time without the method over time of the program as it is.");
    INSTRUCTIONS_WITHOUT = ("instructions_without", "", "instructions without it", Times, "Of `worth`: instructions without the method over those of the program as it is, geometric.");
    REGRET_WITHOUT = ("regret_without", "", "regret without it", None, "Of `worth`: mean regret without the method less that of the program as it is.");
    SOLVED_WITHOUT = ("solved_without", "", "solved without it", Share, "Of `worth`: share of the positions with a solution that are solved without the method, less that of the program as it is.");
    OVERLAP = ("ln_overlap", "", "overlap", Logarithm, "Of `worth`: what the method saves alone and not with the others on.");
    GAMES_WON = ("games_won", "", "won", Count, "Games that the first player won.");
    GAMES_DRAWN = ("games_drawn", "", "drawn", Count, "Drawn games.");
    GAMES_LOST = ("games_lost", "", "lost", Count, "Games that the first player lost.");
    GAMES_REPEATED = ("games_repeated", "", "repeated", Count, "Games of pairs that begin as an earlier pair did; in no other number.");
    FAULTS_FIRST = ("faults_first", "", "faults of the first player", Count, "Games that a fault of the first player ended.");
    FAULTS_SECOND = ("faults_second", "", "faults of the second player", Count, "Games that a fault of the second player ended.");
    SCORE = ("score", "", "score", Share, "Mean points of the first player a game, over openings.");
    ELO = ("elo", "", "Elo", Elo, "Elo difference at which that score is expected.");
    PLIES_DEEPER = ("plies_deeper", "", "plies deeper", Plies, "Mean depth of the first player's searches in a game less that of the second's, the mean over openings.");
    NORMALISED_ELO = ("normalised_elo", "", "normalised Elo", Elo, "Distance of the score from one half in standard deviations of a game, times 800 / ln 10.");
}

/// The measures of a factorial experiment: what stands before and after the name of what is measured, and the definition, in which
/// `{}` stands for what is measured.
pub const EFFECTS: [(&str, &str, &str); 7] = [
    ("", "_saved_alone", "Saving of a method with all others off, in {}."),
    ("", "_saved_mean", "Saving of a method, the mean over all combinations of the others, in {}."),
    ("", "_saved_last", "Saving of a method with all others on, in {}."),
    ("", "_saved_shapley", "The part of a method in what all save together (Shapley), in {}."),
    (
        "share_of_",
        "_saved_shapley",
        "That part over the whole, in {}; only where all together are shown to save.",
    ),
    (
        "interaction_",
        "",
        "What two methods save one by one beyond what they save together, all others off, in {}.",
    ),
    ("interaction_", "_mean", "The same, the mean over all combinations of the others, in {}."),
];

/// The names of all measures of a factorial experiment.
pub fn crossed() -> Vec<String> {
    let each = |(before, after, _): &(&str, &str, &str)| {
        divided()
            .map(|measure| {
                let what = measure.cost_name();
                // A share of a saving has no logarithm in its name.
                let share = !before.is_empty() && after.ends_with("shapley");
                let what = if share { what.trim_start_matches("ln_") } else { &what };
                format!("{before}{what}{after}")
            })
            .collect::<Vec<_>>()
    };
    EFFECTS.iter().flat_map(each).collect()
}

/// The number of this name in CSV.
pub fn named(csv: &str) -> Option<&'static Number> {
    ALL.iter().find(|measure| measure.csv == csv)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// One name, one quantity; and no former name is the name of something else.
    #[test]
    fn no_two_measures_share_a_name() {
        let crossed = crossed();
        let names: Vec<&str> = ALL.iter().map(|m| m.csv).chain(crossed.iter().map(String::as_str)).collect();
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
        let headings: BTreeSet<&str> = ALL.iter().map(|measure| measure.name).collect();
        assert_eq!(headings.len(), ALL.len());
        assert!(ALL.iter().all(|measure| !names.contains(&measure.former)));
        assert!(
            names.contains(&"share_of_nodes_saved_shapley") && names.contains(&"interaction_ln_time_mean")
        );
    }
}
