//! Matches: two players, paired openings with colours swapped, every game recorded when it ends.
//!
//! A saving in nodes says nothing about strength; games do. A player is a set of methods of this program, searched in
//! process, or an installed UCI engine. This runs matches and records them; what the points mean is counted by the
//! reports. Tournaments of more than two players are left out.

mod adjudicate;
mod external;
mod file;
mod folder;
mod ledger;
mod limit;
mod opening;
mod player;
mod record;
mod referee;
mod rules;
mod run;
mod settings;
#[cfg(test)]
mod tests;
mod transcript;
#[cfg(test)]
mod wounds;

pub use adjudicate::{Adjudication, DrawRule, Resign};
pub use file::{PlayFile, SETTINGS};
pub use limit::Limit;
pub use player::{Choice, Lapse, Player, Searcher, Turn, Value};
pub use record::{GameRow, OpeningRow};
pub use rules::{End, Reason};
pub use run::{Ended, Job, run};
pub use settings::{PlayerSpec, Settings};
