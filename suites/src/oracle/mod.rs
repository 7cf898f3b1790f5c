//! The oracle: a deeper search that says what a chosen move loses.
//!
//! Source: Junghanns, Schaeffer, Brockington, Björnsson & Marsland 1997, proposed for this question by Jiang & Buro 2003,
//! section 5. Three can be asked: our own search at full width (`+2`, `12`: `own.rs`), which prunes nothing and is
//! exact where a game can solve the position; the arm `full` of the program whose moves are judged, deeper (`full+2`,
//! `full@nodes=200000`); and any other subject (`stockfish-11@nodes=200000`, `toga2:none@12`: `other.rs`). What they found is
//! kept in a book by position, and never searched twice. Left out: an average over several oracles, whose units differ.

mod book;
mod other;
mod own;
#[cfg(all(test, unix))]
mod tests_of_programs;

pub use book::Book;
pub(crate) use other::{OtherJudge, ProgramJudge};
pub(crate) use own::Judge;

use crate::allowance::Allowance;
use crate::error::Unknown;
use crate::program::Program;
use secateur_base::number::whole;
use serde::{Serialize, Serializer};
use std::fmt;
use std::path::Path;
use std::str::FromStr;

/// Who judges, and how far it looks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Oracle {
    /// Who judges.
    pub who: Who,
    /// How far it looks.
    pub reach: Reach,
}

/// Who judges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Who {
    /// Our own search without methods.
    Own,
    /// The program whose moves are judged, with all of its methods.
    Full,
    /// An arm of any program.
    Subject {
        /// Name of a built-in subject file, or a path.
        subject: String,
        /// The arm as it is written.
        arm: String,
    },
}

/// How far an oracle looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// So many plies deeper than a fixed depth.
    Deeper(u32),
    /// So many plies.
    Depth(u32),
    /// So many nodes, as the program counts them.
    Nodes(u64),
}

/// The arm that judges if none is named.
const FULL: &str = "full";
/// Deepest oracle, plies.
const DEEPEST: u32 = 64;

impl Oracle {
    /// What the oracle may spend on a position that was searched with this budget; `None` if the budget names no depth to be
    /// deeper than.
    #[must_use]
    pub fn allowance(&self, allowance: Allowance) -> Option<Allowance> {
        match (self.reach, allowance) {
            (Reach::Depth(depth), _) => Some(Allowance::Depth(depth)),
            (Reach::Nodes(nodes), _) => Some(Allowance::Nodes(nodes)),
            (Reach::Deeper(plies), Allowance::Depth(depth)) => Some(Allowance::Depth(depth + plies)),
            (Reach::Deeper(_), _) => None,
        }
    }

    /// The same with a subject file that is found from anywhere: what was written is relative to `folder`.
    #[must_use]
    pub fn lasting(self, folder: &Path) -> Oracle {
        match self.who {
            Who::Subject { subject, arm } => {
                Oracle { who: Who::Subject { subject: Program::lasting(&subject, folder), arm }, ..self }
            }
            _ => self,
        }
    }
}

impl fmt::Display for Oracle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.who {
            Who::Own => {}
            Who::Full => f.write_str(FULL)?,
            Who::Subject { subject, arm } if arm == FULL => f.write_str(subject)?,
            Who::Subject { subject, arm } => write!(f, "{subject}:{arm}")?,
        }
        match self.reach {
            Reach::Deeper(plies) => write!(f, "+{plies}"),
            Reach::Depth(depth) if self.who == Who::Own => write!(f, "{depth}"),
            Reach::Depth(depth) => write!(f, "@{depth}"),
            Reach::Nodes(nodes) => write!(f, "@nodes={nodes}"),
        }
    }
}

impl Serialize for Oracle {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl FromStr for Oracle {
    type Err = String;

    fn from_str(text: &str) -> Result<Oracle, String> {
        let wrong = || {
            format!(
                "found the oracle `{text}`, expected plies deeper (`+2`) or a depth (`12`), 1 to {DEEPEST}, of our own search; or \
                 a program before them: `full+2`, `toga2@12`, `stockfish-11@nodes=200000`, `toga2:none@10`"
            )
        };
        let (who, reach) = match (text.rsplit_once('@'), text.rsplit_once('+')) {
            (Some((who, reach)), _) => (who, at(reach)),
            (None, Some((who, plies))) => (who, plies_of(plies).map(Reach::Deeper)),
            (None, None) => ("", plies_of(text).map(Reach::Depth)),
        };
        let reach = reach.ok_or_else(wrong)?;
        let (subject, arm) = who.rsplit_once(':').unwrap_or((who, FULL));
        let who = match subject {
            "" if text.starts_with('@') || !who.is_empty() => return Err(wrong()),
            "" => Who::Own,
            FULL if arm == FULL => Who::Full,
            subject if Program::is_subject(subject) && !arm.is_empty() => {
                Who::Subject { subject: subject.to_owned(), arm: arm.to_owned() }
            }
            subject => {
                let unknown = Unknown::new("subject", subject, &Program::names());
                return Err(format!("{}; {unknown}, or a .toml file", wrong()));
            }
        };
        Ok(Oracle { who, reach })
    }
}

/// What follows `@`: `12`, `depth=12`, `nodes=200k`.
fn at(text: &str) -> Option<Reach> {
    match text.split_once('=') {
        Some(("nodes", nodes)) => {
            let nodes = u64::try_from(whole(nodes).ok()?).ok()?;
            (nodes > 0).then_some(Reach::Nodes(nodes))
        }
        Some(("depth", plies)) => plies_of(plies).map(Reach::Depth),
        Some(_) => None,
        None => plies_of(text).map(Reach::Depth),
    }
}

fn plies_of(text: &str) -> Option<u32> {
    let plain = text.bytes().all(|letter| letter.is_ascii_digit());
    text.parse::<u32>().ok().filter(|plies| plain && (1..=DEEPEST).contains(plies))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn oracles_are_read_as_written() {
        let all = [
            "+2",
            "12",
            "full+2",
            "full@12",
            "full@nodes=200000",
            "toga2@nodes=1",
            "toga2:none@10",
            "a/b c.toml:full[-x,Y Z=3]+1",
        ];
        for text in all {
            assert_eq!(text.parse::<Oracle>().unwrap().to_string(), text);
        }
        for (other, text) in [("toga2@nodes=2e5", "toga2@nodes=200000"), ("full@depth=9", "full@9")] {
            assert_eq!(other.parse::<Oracle>().unwrap().to_string(), text);
        }
        let wrong = ["", "+", "+0", "0", "65", "2.5", "-1", "@12", "full", "toga2", "full@", "full@0"];
        let more = ["full@nodes=0", "full@time=1s", "toga2:@3", ":none@3", "12+2", "toga3@12", "full:none@3"];
        for wrong in wrong.into_iter().chain(more) {
            assert!(wrong.parse::<Oracle>().is_err_and(|error| error.contains("expected")), "{wrong}");
        }
        let error = "toga3@12".parse::<Oracle>().unwrap_err();
        assert!(error.contains("did you mean `toga2`?"), "{error}");
    }

    #[test]
    fn an_oracle_is_deeper_than_a_depth_only() {
        let allowance_of = |text: &str, allowance| text.parse::<Oracle>().unwrap().allowance(allowance);
        assert_eq!(allowance_of("+2", Allowance::Depth(8)), Some(Allowance::Depth(10)));
        assert_eq!(allowance_of("full+2", Allowance::Nodes(8)), None);
        assert_eq!(allowance_of("full@nodes=7", Allowance::Time(8)), Some(Allowance::Nodes(7)));
        assert_eq!(allowance_of("12", Allowance::Level(3)), Some(Allowance::Depth(12)));
    }

    #[test]
    fn a_subject_file_is_found_from_anywhere() {
        let path =
            |text: &str| text.parse::<Oracle>().unwrap().lasting(Path::new("/some/folder")).to_string();
        assert_eq!(path("own.toml@3"), "/some/folder/own.toml@3");
        assert_eq!(path("toga2@3"), "toga2@3");
    }
}
