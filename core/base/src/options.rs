//! Host options, and the two numbers by which scores and depths are read: what a search is made with besides its methods,
//! and what a record tells of it. The host is in `secateur_core::search`. And how a file of positions is read, which a record
//! keeps as well.

use serde::{Deserialize, Serialize};

/// Deepest iteration of any search.
pub const MAX_DEPTH: i32 = 64;

/// Being mated at ply `p` from the root is worth `p - MATE`, centipawns.
pub const MATE: i32 = 30_000;

/// Host options: everything besides methods that changes node counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Options {
    /// Size of the transposition table, MiB.
    pub table_mib: usize,
    /// Least depth at which the table is asked and written.
    pub table_min_depth: i32,
    /// Let stored values answer nodes. Off, the table only remembers good moves: the plain search of Buro
    /// 1995, which searches transpositions again.
    pub table_values: bool,
    /// Least depth of enhanced transposition cut-offs (Schaeffer & Plaat 1996): before any move is searched,
    /// a child that the table already refutes cuts. 0 is off. Sound: no value changes.
    pub etc_min_depth: i32,
    /// Search one ply deeper when in check (chess only).
    pub check_extension: bool,
    /// How moves are ordered.
    pub ordering: Ordering,
    /// What to do about a missing table move.
    pub missing: Missing,
    /// Least depth at which [`Options::missing`] applies, at nodes not expected to fail low; 0 is never.
    pub missing_from: i32,
    /// Half the width of the first window of an iteration, around the value before, score units; 0 opens every
    /// window fully. Changes no value of a full-width search.
    pub aspiration: i32,
    /// Plies from one iteration to the next, 1 or 2: at 2 the iterations have the parity of the last one, as in Edax, whose evaluation
    /// judges odd and even depths apart. Changes no value of a full-width search.
    pub iteration_step: i32,
    /// At which depths stored values may answer. [`Drafts::AtLeast`] gives up that `none` is minimax.
    pub drafts: Drafts,
    /// Whether quiescence tries captures that lose by exchange (chess only), which it leaves out as it is. Another value at the
    /// horizon, so another minimax.
    pub losing_captures: bool,
    /// How chance nodes are searched, in a game that has any. Changes no value. Written only where it is not the usual, so that
    /// games without chance know nothing of it.
    #[serde(skip_serializing_if = "Star::is_usual")]
    pub star: Star,
}

/// How a chance node learns early that its value lies outside the window (Ballard 1983).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Star {
    /// Outcome by outcome, each in the window that its own part of the mean leaves it.
    #[default]
    One,
    /// One move of every outcome first, whose value is a lower bound of the outcome's; then as before.
    Two,
}

impl Star {
    fn is_usual(&self) -> bool {
        *self == Star::default()
    }
}

/// What the host does at a node for which the table has no first move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Missing {
    /// Orders the moves as well as it can.
    #[default]
    Nothing,
    /// Searches the node two plies shallower first (internal iterative deepening). Changes no value of a full-width
    /// search.
    Deepen,
    /// Searches the node one ply shallower instead (internal iterative reduction), in the hope that the next
    /// iteration finds a table move. No full-width search any more.
    Shorten,
}

/// How much the host lets a game spend on ordering moves. Values stay as they are; node counts do not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ordering {
    /// As much as pays: the game may play moves and look at what follows, the more the deeper the search.
    #[default]
    Looking,
    /// What is known without playing a move: table move, killers, history and the move itself, as in the programs
    /// of Buro's time. Chess, whose ordering never looks, is the same with either.
    Static,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            table_mib: 16,
            table_min_depth: 2,
            table_values: true,
            etc_min_depth: 0,
            check_extension: false,
            ordering: Ordering::Looking,
            missing: Missing::Nothing,
            missing_from: 0,
            aspiration: 0,
            iteration_step: 1,
            drafts: Drafts::Exact,
            losing_captures: false,
            star: Star::One,
        }
    }
}

/// At which depths a stored value may answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Drafts {
    /// At the depth it was searched to. A position keeps an entry for each depth.
    #[default]
    Exact,
    /// At that depth and any lesser one, and whether found inside a probe or after a null move or not, as playing
    /// programs do. A position keeps its latest entry.
    AtLeast,
}

/// How a file is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Reading {
    /// Goes on without wrong lines, and without games with an illegal move; the `skipped` of the set has them.
    pub skip_bad: bool,
    /// Plies from one position of a game to the next, at least 1.
    pub every: usize,
}

impl Reading {
    /// Plies between positions of a game, where nothing else was asked for: far enough apart to differ, near enough to
    /// give some ten positions a game.
    pub const EVERY: usize = 8;

    /// Whether it is the usual one.
    pub fn is_usual(&self) -> bool {
        *self == Reading::default()
    }
}

impl Default for Reading {
    fn default() -> Reading {
        Reading { skip_bad: false, every: Reading::EVERY }
    }
}
