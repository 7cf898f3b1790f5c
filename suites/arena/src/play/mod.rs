//! Matches: two players, paired openings with colours swapped, every game recorded when it ends.
//!
//! A saving in nodes says nothing about strength; games do. A player is a set of methods of this program, searched in
//! process, or an installed UCI engine. This runs matches and records them; what the points mean is counted by the
//! reports. Tournaments of more than two players are left out.

mod contest;
pub mod elsewhere;
mod folder;
mod opening;
mod player;
mod referee;
mod run;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_conduct;
#[cfg(test)]
mod tests_folder;

pub use contest::{Bout, Job};
pub use opening::{drawn as drawn_openings, openings as openings_of};
pub use run::{Judge, Together, run, run_together};
pub use secateur_record::play::{
    Adjudication, DrawRule, Ended, GameRow, Limit, MatchSettings, OpeningRow, PlayFile, PlayerSpec, Resign,
    SETTINGS,
};

use secateur_record::play::{file, record, settings};
