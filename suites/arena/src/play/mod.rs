//! Matches: two players, paired openings with colours swapped, every game recorded when it ends.
//!
//! A saving in nodes says nothing about strength; games do. A player is a set of methods of this program, searched in
//! process, or an installed UCI engine. This runs matches and records them; what the points mean is counted by the
//! reports. Tournaments of more than two players are left out.

mod adjudicate;
mod begin;
pub mod bout;
mod contest;
#[cfg(test)]
mod damages;
mod deal;
pub mod elsewhere;
mod external;
mod folder;
mod opening;
mod player;
mod referee;
mod rules;
mod run;
#[cfg(test)]
mod shards;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_conduct;
#[cfg(test)]
mod tests_dice;
#[cfg(test)]
mod tests_together;
mod throws;
mod transcript;

pub use adjudicate::{Adjudication, DrawRule, Resign};
pub use contest::Job;
pub use deal::Judge;
pub use opening::drawn as drawn_openings;
pub use player::{Choice, Lapse, Player, Searcher, Turn, Value};
pub use rules::{End, Reason};
pub use run::{Together, run, run_together};
pub use secateur_record::play::{
    Ended, GameRow, Limit, MatchSettings, OpeningRow, PlayFile, PlayerSpec, SETTINGS,
};

use secateur_record::play::{file, ledger, limit, record, settings};
