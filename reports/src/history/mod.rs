//! Exact quantities over commits: a small table a commit, and the commits at which something stepped.
//!
//! A folder of plain CSV, one file a commit: it lives in a branch, two commits never touch the same file, a merge of two
//! branches is the union of their files, git shows what changed, and anything reads it. An index or a database would be
//! worth it at millions of rows; a thousand commits of thirty arms are some ten megabytes. Kept are quantities that repeat
//! exactly (nodes, instructions of one toolchain, moves and values kept), so that a step is no question of statistics: it is any
//! change beyond a tolerance. Left out: times, which belong to a machine and a moment.

mod folder;
mod points;
mod report;
mod steps;

pub use folder::{Commit, HistoryError, add, data, read};
pub use points::{INSTRUCTIONS, Point, points_of};
pub use report::{figures, report};
pub use steps::{Level, Series, Step, series};
