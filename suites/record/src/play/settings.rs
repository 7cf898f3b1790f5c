//! What decides a match: everything that two folders must share to hold games of one match, with what the players may spend on a move and
//! what ends games before their end. The referee applies these rules.

use crate::arm::{FULL, without};
use crate::manifest::BASELINE;
use secateur_base::Reading;
use secateur_base::words::words;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// What the number of games is called among the settings.
pub(super) const GAMES_OF_A_MATCH: &str = "games";

/// The settings of a match.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct MatchSettings {
    /// Name of the game.
    pub game: String,
    /// Games, an even number: pairs with colours swapped.
    pub games: usize,
    /// Seed of the openings: which are drawn, and in which order.
    pub seed: u64,
    /// What both players may spend.
    #[serde(with = "crate::part::as_text")]
    pub limit: Limit,
    /// How many times as much of it, nodes or time, the second player may spend: odds, above 0. Without it as much.
    pub odds: Option<f64>,
    /// How much later than its clock a player may answer, ms of wall time.
    pub margin_ms: u64,
    /// Size of both players' transposition tables, MiB.
    pub hash_mib: usize,
    /// A built-in position set or a file; without one, what the game starts from usually.
    pub openings: Option<String>,
    /// How a file of openings is read: whether wrong lines are left out, and how far apart the positions of a game are.
    #[serde(default, skip_serializing_if = "Reading::is_usual")]
    pub reading: Reading,
    /// Normalised Elo of the two hypotheses of a sequential test that may end the match.
    pub sprt: Option<[f64; 2]>,
    /// Elo above which a method is kept, and Elo below which it is dropped, where that ended its games; no game depends on it.
    pub margins: Option<[f64; 2]>,
    /// Shared games: the methods that either player may lack in a pair of games, drawn at random; none in other matches.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shared: Vec<String>,
    /// What ends games early.
    pub adjudication: Adjudication,
    /// The player whose points are counted.
    pub first: PlayerSpec,
    /// Its opponent.
    pub second: PlayerSpec,
}

/// One of the two players.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum PlayerSpec {
    /// This program with a set of pruning methods.
    Methods {
        /// Names joined by `+`, or `none`.
        methods: String,
        /// A built-in variant of the game's numbers or a file with what differs.
        params: Option<String>,
    },
    /// Another program that speaks UCI.
    Engine {
        /// A path, or the name of an installed program, and its arguments, separated by spaces; quotation marks keep what has
        /// spaces together.
        command: String,
        /// Its options as `NAME=VALUE`.
        #[serde(skip_serializing_if = "Vec::is_empty", default)]
        options: Vec<String>,
    },
    /// A program with switches.
    Subject {
        /// The name or the path of its subject file.
        subject: String,
        /// Which of its methods it has: `full`, `none`, `full[-null-move]`.
        arm: String,
        /// The level that it plays at, whatever the match allows; without one it is held to that.
        level: Option<u32>,
    },
}

/// This program without any method.
impl Default for PlayerSpec {
    fn default() -> PlayerSpec {
        PlayerSpec::Methods { methods: BASELINE.to_owned(), params: None }
    }
}

impl PlayerSpec {
    /// A subject that lacks these methods; as it is without any.
    pub fn lacking<T: AsRef<str>>(subject: &str, methods: &[T]) -> PlayerSpec {
        PlayerSpec::Subject { subject: subject.to_owned(), arm: without(methods), level: None }
    }

    /// Reads a player: a set of methods, `engine:` and a program, or `subject:` and a subject file, with `:` and an arm behind
    /// it unless it has all of its methods, and with `@level=12` if it is to play at a level of its own.
    ///
    /// # Errors
    /// What was found and expected of a level.
    pub fn read(text: &str, params: Option<&str>, options: &[String]) -> Result<PlayerSpec, String> {
        if let Some(subject) = text.strip_prefix("subject:") {
            let (subject, level) = match subject.rsplit_once("@level=") {
                None => (subject, None),
                Some((subject, level)) => {
                    let wrong = |_| format!("{text}: found the level `{level}`, expected a number");
                    (subject, Some(level.parse().map_err(wrong)?))
                }
            };
            let (subject, arm) = subject.split_once(':').unwrap_or((subject, FULL));
            return Ok(PlayerSpec::Subject { subject: subject.to_owned(), arm: arm.to_owned(), level });
        }
        Ok(match text.strip_prefix("engine:") {
            Some(command) => PlayerSpec::Engine { command: command.to_owned(), options: options.to_vec() },
            None => PlayerSpec::Methods { methods: text.to_owned(), params: params.map(str::to_owned) },
        })
    }
}

impl fmt::Display for PlayerSpec {
    /// The name in tables and transcripts.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayerSpec::Methods { methods, params: None } => f.write_str(methods),
            PlayerSpec::Methods { methods, params: Some(params) } => write!(f, "{methods} ({params})"),
            PlayerSpec::Subject { subject, arm, level } => {
                let name = subject.rsplit('/').next().unwrap_or(subject).trim_end_matches(".toml");
                write!(f, "{name} {arm}")?;
                level.map_or(Ok(()), |level| write!(f, " level {level}"))
            }
            PlayerSpec::Engine { command, options } => {
                let words = words(command);
                let program = words.first().map_or("", String::as_str);
                f.write_str(program.rsplit('/').next().unwrap_or(program))?;
                if options.is_empty() { Ok(()) } else { write!(f, " ({})", options.join(", ")) }
            }
        }
    }
}

impl MatchSettings {
    /// A match of so many games with nothing else asked: no margin, no table, nothing that ends a game early.
    pub fn between(
        [first, second]: [PlayerSpec; 2],
        game: &str,
        games: usize,
        limit: Limit,
    ) -> MatchSettings {
        MatchSettings { game: game.to_owned(), games, limit, first, second, ..MatchSettings::default() }
    }

    /// Names of the two players, told apart even where they are the same.
    pub fn names(&self) -> [String; 2] {
        let (first, second) = (self.first.to_string(), self.second.to_string());
        if self.is_shared() {
            return [("first", first), ("second", second)].map(|(side, name)| format!("{name}, {side} side"));
        }
        let twin = first == second;
        [first, if twin { format!("{second} #2") } else { second }]
    }

    /// Whether either player lacks methods at random, other ones in every pair of games.
    pub fn is_shared(&self) -> bool {
        !self.shared.is_empty()
    }

    /// The same of a match that nothing ends before its last game.
    pub fn without_end(&self) -> MatchSettings {
        MatchSettings { sprt: None, margins: None, ..self.clone() }
    }

    /// What the first and the second player may spend.
    pub fn limits(&self) -> [Limit; 2] {
        [self.limit, self.odds.map_or(self.limit, |odds| self.limit.times(odds))]
    }

    /// What the players may spend, in words: `nodes 20000`, `nodes 20000, the second player 2 times as much`.
    pub fn budget(&self) -> String {
        let more =
            self.odds.map_or_else(String::new, |odds| format!(", the second player {odds} times as much"));
        format!("{}{more}", self.limit)
    }

    /// Every setting by name, in words, for finding what differs.
    pub fn described(&self) -> Vec<(&'static str, String)> {
        // Every one of these types was read from TOML, so it has a form there.
        let toml = |value: Result<toml::Value, _>| {
            value.map_or_else(|_: toml::ser::Error| String::new(), |v| v.to_string())
        };
        // Told with the player, since a match that is not shared has no such setting.
        let lacking = match self.is_shared() {
            true => format!(", either side without some of {}", self.shared.join(", ")),
            false => String::new(),
        };
        vec![
            ("game", self.game.clone()),
            (GAMES_OF_A_MATCH, self.games.to_string()),
            ("seed", self.seed.to_string()),
            ("limit", self.limit.to_string()),
            ("odds", self.odds.map_or_else(|| "none".to_owned(), |odds| odds.to_string())),
            ("time margin", format!("{} ms", self.margin_ms)),
            ("hash", format!("{} MiB", self.hash_mib)),
            ("openings", self.openings.clone().unwrap_or_else(|| "as usual".to_owned())),
            ("reading of the openings", toml(toml::Value::try_from(self.reading))),
            ("adjudication", toml(toml::Value::try_from(self.adjudication))),
            ("sequential test", self.sprt.map_or_else(|| "none".to_owned(), |[a, b]| format!("{a},{b}"))),
            ("first player", toml(toml::Value::try_from(&self.first))),
            ("second player", toml(toml::Value::try_from(&self.second)) + &lacking),
        ]
    }
}

/// Both players see a decisive score for the same side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Resign {
    /// Moves of each side in a row.
    pub moves: u32,
    /// Least score, centipawns or 1/100 disc.
    pub score: i32,
}

/// Both players see an even score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawRule {
    /// Moves of each side that must have been played.
    pub after: u32,
    /// Moves of each side in a row.
    pub moves: u32,
    /// Largest score for either side, centipawns or 1/100 disc.
    pub score: i32,
}

/// What ends games early.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Adjudication {
    /// Decisive scores.
    pub resign: Option<Resign>,
    /// Even scores.
    pub draw: Option<DrawRule>,
    /// Moves of each side after which the game is a draw.
    pub max_moves: Option<u32>,
}

impl Adjudication {
    /// What testing frameworks of chess use (OpenBench: win 3 moves 400, draw from move 40, 8 moves 10), and an end to
    /// games that go on and on.
    pub fn openbench() -> Adjudication {
        Adjudication {
            resign: Some(Resign { moves: 3, score: 400 }),
            draw: Some(DrawRule { after: 40, moves: 8, score: 10 }),
            max_moves: Some(300),
        }
    }
}

/// What both players may spend. Only the first two repeat exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Plies of every search.
    Depth(u32),
    /// Nodes of every search.
    Nodes(u64),
    /// Wall time of every search.
    MoveTime(Duration),
    /// A clock for the whole game.
    Clock {
        /// Wall time at the start.
        base: Duration,
        /// Added after every move.
        increment: Duration,
    },
}

/// Nothing at all.
impl Default for Limit {
    fn default() -> Limit {
        Limit::Depth(0)
    }
}

impl Limit {
    /// Reads a clock: seconds, and seconds a move, as in `2+0.02` or `60`.
    ///
    /// # Errors
    /// What was found and what was expected.
    pub fn clock(text: &str) -> Result<Limit, String> {
        let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
        let seconds = |part: &str| {
            let number = part.trim().parse::<f64>().ok().filter(|s| (0.0..=1e6).contains(s));
            number.map(Duration::from_secs_f64)
        };
        match (seconds(base), seconds(increment)) {
            (Some(base), Some(increment)) if !base.is_zero() => Ok(Limit::Clock { base, increment }),
            _ => Err(format!("`{text}`: expected seconds and an increment, as in 2+0.02")),
        }
    }

    /// So many times as much of it, nodes or time; a depth has no multiple and stays.
    pub fn times(self, odds: f64) -> Limit {
        match self {
            Limit::Depth(plies) => Limit::Depth(plies),
            Limit::Nodes(nodes) => Limit::Nodes((nodes as f64 * odds).round().max(1.0) as u64),
            Limit::MoveTime(time) => Limit::MoveTime(time.mul_f64(odds)),
            Limit::Clock { base, increment } => {
                Limit::Clock { base: base.mul_f64(odds), increment: increment.mul_f64(odds) }
            }
        }
    }

    /// Whether a match with this limit repeats exactly.
    pub fn repeats(&self) -> bool {
        matches!(self, Limit::Depth(_) | Limit::Nodes(_))
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::Depth(plies) => write!(f, "depth {plies}"),
            Limit::Nodes(nodes) => write!(f, "nodes {nodes}"),
            Limit::MoveTime(time) => write!(f, "movetime {}", time.as_secs_f64()),
            Limit::Clock { base, increment } => {
                write!(f, "tc {}+{}", base.as_secs_f64(), increment.as_secs_f64())
            }
        }
    }
}

impl FromStr for Limit {
    type Err = String;

    /// Reads what [`Limit`] prints: `depth 8`, `nodes 20000`, `movetime 0.1`, `tc 2+0.02`.
    fn from_str(text: &str) -> Result<Limit, String> {
        let wrong =
            || format!("`{text}`: expected depth N, nodes N, movetime SECONDS or tc SECONDS+INCREMENT");
        let (kind, amount) = text.split_once(' ').ok_or_else(wrong)?;
        match kind {
            "depth" => amount.parse().ok().filter(|&plies| plies > 0).map(Limit::Depth).ok_or_else(wrong),
            "nodes" => amount.parse().ok().filter(|&nodes| nodes > 0).map(Limit::Nodes).ok_or_else(wrong),
            "movetime" => match Limit::clock(amount) {
                Ok(Limit::Clock { base, increment: Duration::ZERO }) => Ok(Limit::MoveTime(base)),
                _ => Err(wrong()),
            },
            "tc" => Limit::clock(amount),
            _ => Err(wrong()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_read_what_they_print() {
        for text in ["depth 8", "nodes 20000", "movetime 0.1", "tc 2+0.02", "tc 60+0"] {
            assert_eq!(text.parse::<Limit>().unwrap().to_string(), text);
        }
        for text in
            ["", "depth", "depth 0", "nodes -1", "tc 0+1", "tc x", "tc 1+-1", "movetime 1+1", "tc NaN"]
        {
            assert!(text.parse::<Limit>().is_err(), "{text}");
        }
    }
}
