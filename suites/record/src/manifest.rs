//! `run.toml`: what made a run, so that it can be repeated, resumed, and told from others.

use crate::archive;
use crate::build::{Build, Counting, Git};
use crate::error::Error;
use crate::games::Traits;
use crate::part::Part;
use crate::peers::{Arm, Lineup};
use crate::record::SCHEMA;
use crate::seal::{of_layout, sealed_toml, unsealed_toml};
use crate::sites::CutEntry;
use secateur_base::{Fnv, MATE, Options};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::io::Read;
use std::path::Path;

/// Name of the file in a run folder.
pub const FILE: &str = "run.toml";

/// The whole file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Manifest {
    /// Name of the run, the `run` of its rows.
    pub run: String,
    /// [`SCHEMA`] of its files.
    pub schema: u32,
    /// When it was begun, UTC.
    pub started: String,
    /// Whether every cell is finished and the files are in the order of the matrix.
    pub complete: bool,
    /// Hash of the cells: [`crate::record::cells_hash`].
    pub cells: String,
    /// Hash of the positions: `Plan::positions_hash` of the suites.
    pub positions: String,
    /// Who counted the instructions of its rows, `callgrind` or `hardware`; empty while none were counted.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub instructions: String,
    /// Hash of the program whose instructions were counted, 16 hex digits; empty while none were.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub counted_binary: String,
    /// What part of a larger run this is; absent of a run that is one by itself.
    pub part: Option<Part>,
    /// Files of rows that an archived run left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dropped: Vec<String>,
    /// What was called, when, on which source; one entry each time the run was begun or resumed.
    pub session: Vec<Session>,
    /// Builds that made rows of it, in the order of their first session.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub build: Vec<Build>,
    /// The games.
    #[serde(default)]
    pub game: Vec<GameEntry>,
    /// The suite as it was run, with every change of the command line in it.
    pub suite: toml::Table,
    /// What `speed` was asked, in every run of its comparison: any of them says how the others go on. Absent of other runs.
    pub comparison: Option<toml::Table>,
}

/// One call of the command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Session {
    /// When, UTC.
    pub started: String,
    /// Command line.
    pub argv: Vec<String>,
    /// Threads.
    pub jobs: usize,
    /// Logical processors that games at a time were bound to, one each; empty where none was.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cores: Vec<usize>,
    /// Sources of the program that was called.
    #[serde(default)]
    pub git: Git,
}

/// The arm that all others are compared with, where a manifest names no other.
pub const BASELINE: &str = "none";

/// What the numbers of one game are.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct GameEntry {
    /// Name of the game.
    pub name: String,
    /// The `params` of its rows by arm.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub arms: BTreeMap<String, String>,
    /// What arms of another program are made of in words, by arm: options, variables, arguments, patches, builds, isolation.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub made: BTreeMap<String, BTreeMap<String, String>>,
    /// The arm that all others are compared with, if it is not [`BASELINE`].
    pub baseline: Option<String>,
    /// Who searched its arms, if it was not this program.
    pub program: Option<ProgramEntry>,
    /// How the instructions of that program were counted, if they were.
    pub counting: Option<Counting>,
    /// Other programs that judged its moves; our own search, which the suite names, is none of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub judge: Vec<JudgeEntry>,
    /// Hash of its evaluation.
    pub evaluation: String,
    /// Options of the host.
    pub host: Options,
    /// What the game's scores and stages mean; older runs do not say it.
    pub traits: Option<Traits>,
    /// Hashes of its position sets by name.
    pub sets: BTreeMap<String, String>,
    /// How many wrong lines of a set were left out (`--skip-bad`), by its name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub skipped: BTreeMap<String, usize>,
    /// With which probability a cut is promised to be right, by arm and method.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub promises: BTreeMap<String, BTreeMap<String, f64>>,
    /// Right and wrong moves of its positions, where their file names them; what `Solved` in a report rests on.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub solutions: BTreeMap<String, Solution>,
}

/// Another program, whose arms a game's rows are of.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct ProgramEntry {
    /// Name of its subject file.
    pub name: String,
    /// What the file says of it.
    pub about: String,
    /// What it calls itself.
    pub id: String,
    /// Where it was found, or what it was built from.
    pub path: String,
    /// Hash of the binary, 16 hex digits.
    pub binary: String,
    /// What others measured of its methods in games.
    #[serde(default, skip_serializing_if = "Published::is_empty")]
    pub published: Published,
    /// What its protocol has no words for, of `depth`, `nodes`, `value` and `line`: its rows have none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub untold: Vec<String>,
    /// Methods whose switch is the program's own default: they are off in every arm.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub already_off: Vec<String>,
    /// Usual options that it does not take, and what it has instead, a sentence each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub yielded: Vec<String>,
    /// Usual arms that cannot exist, with the reason.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub left_out: BTreeMap<String, String>,
    /// How its switches came into its source, where this program put them there.
    pub cut: Option<CutEntry>,
}

impl ProgramEntry {
    /// Whether this is the same program, whatever was proved of its switches.
    pub fn is_same(&self, other: &ProgramEntry) -> bool {
        let unproved = |entry: &ProgramEntry| {
            let cut = entry.cut.clone().map(|cut| CutEntry { proof: String::new(), ..cut });
            ProgramEntry { cut, ..entry.clone() }
        };
        unproved(self) == unproved(other)
    }
}

impl GameEntry {
    /// What an arm is made of here and there, as far as that is not the same: in words where both runs say it, else the hashes.
    /// `None` of an arm that only one of them has, and of equals.
    pub fn arm_differs(&self, other: &GameEntry, arm: &str) -> Option<[String; 2]> {
        let (ours, theirs) = (self.arms.get(arm)?, other.arms.get(arm)?);
        if ours == theirs {
            return None;
        }
        let (Some(one), Some(two)) = (self.made.get(arm), other.made.get(arm)) else {
            return Some([ours.clone(), theirs.clone()]);
        };
        let whats: BTreeSet<&String> =
            one.keys().chain(two.keys()).filter(|what| one.get(*what) != two.get(*what)).collect();
        let differing = |facts: &BTreeMap<String, String>| {
            let described =
                |what: &&String| format!("{what}: {}", facts.get(*what).map_or("none", String::as_str));
            whats.iter().map(described).collect::<Vec<_>>().join(", ")
        };
        // What is not said in words may differ all the same.
        if whats.is_empty() {
            Some([ours.clone(), theirs.clone()])
        } else {
            Some([differing(one), differing(two)])
        }
    }
}

/// Elo values of a program's methods that others published.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Published {
    /// Who measured them, when and how.
    pub source: String,
    /// By method: what the program is said to lose without it.
    pub elo: BTreeMap<String, f64>,
}

impl Published {
    /// Whether none were published.
    pub fn is_empty(&self) -> bool {
        self.elo.is_empty()
    }
}

/// Another program as the judge of moves.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct JudgeEntry {
    /// As the suite writes it: `stockfish-11@nodes=200000`.
    pub oracle: String,
    /// Its arm.
    pub arm: String,
    /// Identity of the arm, as of one that is searched, 16 hex digits.
    pub params: String,
    /// How it is asked for the value of a move: `alone`, or by the position `after` it.
    pub moves: String,
    /// What the arm is made of in words.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub made: BTreeMap<String, String>,
    /// The program.
    pub program: ProgramEntry,
}

impl Manifest {
    /// What every page says of programs whose switches were cut automatically, judges and the arms of a lineup among them, each once.
    pub fn cuts(&self) -> Vec<String> {
        let mut entries: Vec<(String, &CutEntry)> = Vec::new();
        for game in &self.game {
            let programs = game.program.iter().chain(game.judge.iter().map(|judge| &judge.program));
            entries
                .extend(programs.filter_map(|program| Some((program.name.clone(), program.cut.as_ref()?))));
        }
        let lineup = self.lineup();
        let arms = lineup.iter().flat_map(|lineup| &lineup.arms).filter_map(Arm::engine);
        entries.extend(arms.filter_map(|arm| Some((arm.subject_name(), arm.cut.as_deref()?))));
        let sentences = entries.into_iter().map(|(name, cut)| format!("{name}: {cut}"));
        sentences.collect::<BTreeSet<String>>().into_iter().collect()
    }

    /// Reads the manifest of a run folder.
    ///
    /// # Errors
    /// The file system, or the place that is wrong.
    pub fn read(dir: &Path) -> Result<Manifest, Error> {
        let path = dir.join(FILE);
        let file = archive::open(&path).map_err(Error::unreadable(&path))?;
        let text = text_of(&path, file).map_err(Error::unreadable(&path))?;
        Manifest::parse(&path, &text)
    }

    /// Reads the text of a manifest; `path` is for messages.
    ///
    /// # Errors
    /// The place that is wrong.
    pub fn parse(path: &Path, text: &str) -> Result<Manifest, Error> {
        let manifest: Manifest = unsealed_toml(path, text)?;
        of_layout(path, text, manifest.schema, SCHEMA)?;
        Ok(manifest)
    }

    /// The text of the file, sealed.
    pub fn text(&self) -> String {
        sealed_toml(self)
    }

    /// What the numbers of the game of this name are.
    pub fn game(&self, name: &str) -> Option<&GameEntry> {
        self.game.iter().find(|game| game.name == name)
    }

    /// The arm that all others of a game are compared with.
    pub fn baseline(&self, game: &str) -> &str {
        self.game(game).and_then(|game| game.baseline.as_deref()).unwrap_or(BASELINE)
    }

    /// The comparison with other programs that this is a run of; `None` of a run of anything else.
    pub fn lineup(&self) -> Option<Lineup> {
        self.suite.clone().try_into().ok()
    }

    /// Whether a file of rows was left out.
    pub fn drops(&self, file: &str) -> bool {
        self.dropped.iter().any(|dropped| dropped == file)
    }

    /// Hash of the solutions of all games, 16 hex digits.
    fn solutions_hash(&self) -> String {
        let mut fnv = Fnv::default();
        for (id, solution) in self.game.iter().flat_map(|game| &game.solutions) {
            fnv.field(id).field(&solution.best.join(" ")).field(&solution.avoid.join(" "));
            fnv.bytes(solution.graded().as_bytes());
        }
        fnv.hex()
    }

    /// Refuses to go on with a run of something else: rows of both would stand side by side.
    ///
    /// # Errors
    /// [`Error::Differs`] with the first difference.
    pub fn same_as(&self, new: &Manifest, dir: &Path) -> Result<(), Error> {
        Error::differs(dir, self.difference(new, false))
    }

    /// The first thing in which another run is of something else, as (what, here, there); of two `parts` of one run their
    /// cells may differ.
    pub fn difference(&self, new: &Manifest, parts: bool) -> Option<(&'static str, String, String)> {
        // Of the arms that both have: which arms there are is a question of the cells.
        let params = |one: &Manifest, other: &Manifest| {
            let unlike = |game: &GameEntry| {
                let theirs = other.game(&game.name)?;
                let differing = |arm: &String| {
                    game.arm_differs(theirs, arm).map(|[own, _]| format!("`{arm}` with {own}"))
                };
                Some(game.arms.keys().filter_map(differing).collect::<Vec<_>>())
            };
            one.game.iter().filter_map(unlike).flatten().collect::<Vec<_>>().join("; ")
        };
        let games = |manifest: &Manifest, what: fn(&GameEntry) -> &str| {
            let ids: Vec<String> =
                manifest.game.iter().map(|game| format!("{} {}", game.name, what(game))).collect();
            ids.join(", ")
        };
        let shard = |manifest: &Manifest| {
            let part = manifest.part.as_ref().filter(|part| !part.shard.is_empty());
            part.map_or("none".to_owned(), |part| part.shard.clone())
        };
        // Parts of one run differ in their cells, and in nothing else.
        let cells = [("shard", shard(self), shard(new)), ("cells", self.cells.clone(), new.cells.clone())];
        let first = [
            ("schema", self.schema.to_string(), new.schema.to_string()),
            ("parameters", params(self, new), params(new, self)),
        ];
        let others = [
            ("positions", self.positions.clone(), new.positions.clone()),
            ("evaluations", games(self, |g| &g.evaluation), games(new, |g| &g.evaluation)),
            ("solutions", self.solutions_hash(), new.solutions_hash()),
            ("audit", in_words(self.suite.get("audit")), in_words(new.suite.get("audit"))),
            ("oracle", self.oracles(), new.oracles()),
            ("judges", self.judges(), new.judges()),
        ];
        let cells = cells.into_iter().filter(|_| !parts);
        let differs = |(_, found, expected): &(_, String, String)| found != expected;
        first.into_iter().chain(cells).chain(others).find(differs)
    }

    /// Other programs that judge, in words.
    fn judges(&self) -> String {
        let judges = self.game.iter().flat_map(|game| &game.judge);
        let described: Vec<String> =
            judges.map(|judge| format!("{} {} {}", judge.oracle, judge.params, judge.moves)).collect();
        described.join(", ")
    }

    /// The oracle of every block, in words. Older manifests have one at the head of the suite, for all blocks; a run of
    /// peers has no blocks, and no oracle.
    fn oracles(&self) -> String {
        let head = self.suite.get("oracle");
        let oracle = |block: &toml::Value| in_words(block.get("oracle").or(head));
        let blocks = self.suite.get("block").and_then(toml::Value::as_array);
        let mut oracles: Vec<String> = blocks.into_iter().flatten().map(oracle).collect();
        if oracles.iter().all(|oracle| *oracle == oracles[0]) {
            oracles.truncate(1);
        }
        oracles.join(", ")
    }
}

/// Most bytes of a manifest: that of a hundred thousand positions has less. What is larger is damage.
const MOST: u64 = 64 << 20;

/// The text of a manifest, which is refused before it is read if it is too long for one.
pub(crate) fn text_of(path: &Path, from: impl Read) -> io::Result<String> {
    let mut text = String::new();
    from.take(MOST + 1).read_to_string(&mut text)?;
    match text.len() as u64 > MOST {
        true => Err(io::Error::new(
            io::ErrorKind::InvalidData,
            format!("{}: found more than {MOST} bytes, expected the manifest of a run", path.display()),
        )),
        false => Ok(text),
    }
}

/// A value of a suite in words.
fn in_words(value: Option<&toml::Value>) -> String {
    value.map_or("none".to_owned(), ToString::to_string)
}

/// What a position's author says of its moves: EPD `bm`, `am` and `dm`, and points in `c0` (`c0 "f4=10, Ne5=7"`, as the Strategic
/// Test Suite has them). They are written as records write moves, so that a report counts solved positions without the position
/// file and without the rules.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Solution {
    /// The best moves; none if only moves to avoid are known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub best: Vec<String>,
    /// The moves to avoid.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub avoid: Vec<String>,
    /// There is a mate in so many moves: solved is the position when that is announced, whatever the move.
    pub mate_in: Option<u32>,
    /// What moves are worth in points; all others are worth nothing. Empty where moves are not graded.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub points: BTreeMap<String, u32>,
}

impl Solution {
    /// Whether a move, as the game writes it, solves the position: one of the best, if any are named, and none
    /// to avoid.
    pub fn accepts(&self, mv: &str) -> bool {
        let among = |moves: &[String]| moves.iter().any(|other| other == mv);
        (self.best.is_empty() || among(&self.best)) && !among(&self.avoid)
    }

    /// Whether a move and its value for the side to move, in the game's score unit, solve the position. A program that names
    /// no value announces no mate.
    pub fn solves(&self, mv: &str, score: Option<i32>) -> bool {
        match self.mate_in {
            // The side to move mates with the last of 2n - 1 plies.
            Some(moves) => {
                score.is_some_and(|score| score <= MATE && i64::from(MATE - score) < 2 * i64::from(moves))
            }
            None => self.accepts(mv),
        }
    }

    /// The points of a move and the most that any move gets; none where moves are not graded.
    pub fn points(&self, mv: &str) -> Option<(u32, u32)> {
        let most = self.points.values().copied().max()?;
        Some((self.points.get(mv).copied().unwrap_or(0), most))
    }

    /// Mate and points in words, for a hash; empty where there are none.
    pub fn graded(&self) -> String {
        let mate = self.mate_in.map(|moves| format!("mate in {moves};"));
        let points = self.points.iter().map(|(mv, points)| format!("{mv}={points};"));
        mate.into_iter().chain(points).collect()
    }
}
