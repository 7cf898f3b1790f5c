//! Another program as a subject, whatever protocol it speaks.

use super::{Found, Step, Subject, Task};
use crate::allowance::Allowance;
use secateur_core::{AnyGame, AnyPosition, Depth, Moves, Notation, Rules, Score};
use secateur_engines::{
    Act, Answer, Ask, Count, Engine, EngineError, EngineScore, Fault, Go, Info, Says, Spec, manners,
};
use secateur_record::record::{Bound, CounterRow};
use serde::{Deserialize, Deserializer};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// How long an engine may take to start, to set its options and to forget a game, if its patience is no shorter.
const MANNERS: Duration = Duration::from_secs(30);

/// Plies below a judged move after which no forced reply is played any more: a line of checks may have no end.
const MOST_FORCED: u32 = 8;

/// What the searches of a program share. A program that its protocol cannot tell to forget has a process for each search anyway.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Isolation {
    /// A process for many searches, which has to forget before each: what it does not forget it knows, as most do what they
    /// evaluated.
    #[default]
    Run,
    /// A process for each search, whose first search it is.
    Cell,
    /// A process for each search, which searched one ply of the position and was told to forget it: it has its tables and
    /// nothing in them.
    Cold,
}

impl Isolation {
    /// The same in the words of records.
    pub(crate) fn in_words(self) -> &'static str {
        match self {
            Isolation::Run => {
                "a process for many searches, told to forget before each; 1 ply that is not recorded before the first \
                 (none where the protocol cannot tell it to forget: then each search has a process)"
            }
            Isolation::Cell => "a process for each search, which searches nothing before it",
            Isolation::Cold => {
                "a process for each search, told to forget before it; 1 ply that is not recorded before that (none where the \
                 protocol cannot tell it to forget)"
            }
        }
    }

    /// Whether a process may search again.
    pub fn keeps(self) -> bool {
        self == Isolation::Run
    }

    /// Whether a process searches one ply before all else, for some make their tables only when they are first asked.
    pub fn prepares(self) -> bool {
        self != Isolation::Cell
    }
}

/// How long an engine of this patience may take for everything but a search.
pub fn manners_within(patience: Duration) -> Duration {
    MANNERS.min(patience)
}

/// What of a program's work is counted, and how far its search may stray while it is.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Counted {
    /// The function whose instructions are counted, with all that it calls, as callgrind writes its name; `*` stands for
    /// anything. Empty: everything from the line that begins a search to its answer.
    pub symbol: String,
    /// By how much of its nodes the counted search may differ from the recorded one and still be entered, 0 to 1.
    #[serde(deserialize_with = "share")]
    pub within: f64,
    /// What it was compiled with, if its binary does not say.
    pub compiler: String,
}

/// No search has a share that is not a number.
impl Eq for Counted {}

fn share<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    let share = f64::deserialize(deserializer)?;
    if (0.0..=1.0).contains(&share) {
        return Ok(share);
    }
    Err(serde::de::Error::custom(format!("found {share}, expected a share of the nodes from 0 to 1")))
}

/// An arm of another program, ready to be started.
#[derive(Clone, Debug)]
pub struct ProgramArm {
    /// What it is started with.
    pub spec: Spec,
    /// Transposition table, MiB.
    pub hash_mib: u32,
    /// What it may take for a search besides a budget of time.
    pub patience: Duration,
    /// The value of a mate on the board, score units.
    pub mate: i32,
    /// What its searches share.
    pub isolation: Isolation,
    /// Arguments that say a level, as of `Program::level`.
    pub level: Vec<String>,
    /// How its instructions are counted.
    pub counted: Counted,
    /// Whether the time of a search is that of the processor, where it can be known: what else the machine does is not the program's. Not
    /// for comparisons of several programs, of which one may not tell.
    pub counts_cpu: bool,
}

/// An engine, which is started when it is first asked, and again after a search that ended its process.
pub struct EngineSubject {
    arm: ProgramArm,
    /// The rules of its game, where moves are to be judged by the positions after them.
    game: Option<AnyGame>,
    /// Whether it was seen to search other moves than those that it was asked for.
    ignores_moves: bool,
    engine: Option<Box<Engine>>,
    /// The level that the process was started at.
    started_at: Option<u32>,
}

/// What a search by a judge says.
#[derive(Clone, Debug, Default)]
pub(crate) struct Valued {
    /// The value for the side to move.
    pub(crate) value: i32,
    /// Whether it is a mate.
    pub(crate) is_mate: bool,
    /// The best move, as the program writes it.
    pub(crate) best_move: String,
    /// All nodes; 0 where it does not say.
    pub(crate) nodes: u64,
    /// The depth of the value, plies.
    depth: u32,
}

impl EngineSubject {
    /// An engine that plays this arm.
    pub fn new(arm: ProgramArm) -> EngineSubject {
        EngineSubject { arm, game: None, ignores_moves: false, engine: None, started_at: None }
    }

    /// The rules of its game: a program that cannot be asked for some moves only is then asked for the positions after them.
    pub fn by_rules_of(mut self, game: &AnyGame) -> EngineSubject {
        self.game = Some(game.clone());
        self
    }

    /// Starts an engine of this patience with what all engines get; it is not waited for once `stop` is set.
    ///
    /// # Errors
    /// An engine or an option that does not exist, or one that does not answer.
    pub fn start(
        spec: &Spec,
        hash_mib: u32,
        patience: Duration,
        stop: Option<Arc<AtomicBool>>,
    ) -> Result<Engine, EngineError> {
        Engine::start_until(spec, &manners(hash_mib as usize), manners_within(patience), stop)
    }

    /// A process that has forgotten all that it searched, started if there is none that can.
    fn ready(&mut self, task: &Task<'_>) -> Result<&mut Engine, EngineError> {
        let level = if let Allowance::Level(level) = task.allowance { Some(level) } else { None };
        let running = self.engine.take().filter(|_| self.started_at == level);
        let engine = Engine::renewed(running.map(|engine| *engine), || self.started(task, level))?;
        Ok(self.engine.insert(Box::new(engine)))
    }

    /// A new process, at a level if there is one.
    fn started(&mut self, task: &Task<'_>, level: Option<u32>) -> Result<Engine, EngineError> {
        let ProgramArm { hash_mib, patience, .. } = self.arm;
        let mut spec = self.arm.spec.clone();
        if let Some(level) = level {
            spec.args.extend(self.arm.level.iter().map(|word| word.replace("{}", &level.to_string())));
        }
        self.started_at = level;
        let mut engine = EngineSubject::start(&spec, hash_mib, patience, task.stop.cloned())?;
        if self.arm.isolation.prepares() {
            engine.warm(task.position, patience)?;
        }
        Ok(engine)
    }

    /// An iteration; `share` of the time that it tells was that of the processor.
    fn step(&self, info: &Info, share: f64) -> Step {
        Step {
            depth: info.depth,
            nodes: info.nodes,
            qnodes: 0,
            score: score(info, self.arm.mate),
            best_move: info.pv.first().cloned().unwrap_or_default(),
            line: info.pv.join(" "),
            time: info.time.mul_f64(share),
        }
    }

    /// The time of a search, and how much of the wall time that was. A program tells the wall time of its iterations; where the
    /// processor's counts, they get the same share of it as the whole search.
    fn time(&self, answer: &Answer) -> (Duration, f64) {
        match answer.cpu.filter(|_| self.arm.counts_cpu) {
            Some(cpu) => (cpu, (cpu.as_secs_f64() / answer.wall.as_secs_f64().max(1e-9)).min(1.0)),
            None => (answer.wall, 1.0),
        }
    }

    /// One search, with what the program can say of one; of a process that is there to be asked again, or of none.
    fn answered(&mut self, task: &Task<'_>, only: &[String]) -> Result<(Answer, Says), EngineError> {
        let (go, patience) = (task.allowance.go(), self.arm.patience);
        let patience = if let Go::MoveTime(time) = go { time + patience } else { patience };
        let ask = Ask::new(task.position, go).only(only);
        let answer = self.ready(task).and_then(|engine| engine.search(&ask, patience));
        let says = self.engine.as_ref().map(|engine| engine.abilities().says);
        if self.engine.as_ref().is_some_and(|engine| !self.arm.isolation.keeps() || !engine.is_alive()) {
            self.engine = None;
        }
        answer.map(|answer| (answer, says.unwrap_or_default()))
    }

    /// The value of a position, of all its moves or of some only: the last that is not a mere bound, if there is one.
    ///
    /// # Errors
    /// What the program did instead of saying one.
    pub(crate) fn value(&mut self, task: &Task<'_>, only: &[String]) -> Result<Valued, String> {
        let (answer, _) = self.answered(task, only).map_err(|error| error.to_string())?;
        self.valued(&answer)
    }

    fn valued(&self, answer: &Answer) -> Result<Valued, String> {
        let exact = answer.infos.iter().rev().find(|info| info.score.is_some() && info.bound == Bound::Exact);
        let last = exact.or(answer.last()).ok_or("it named no value")?;
        Ok(Valued {
            value: score(last, self.arm.mate),
            is_mate: matches!(last.score, Some(EngineScore::Mate(_))),
            best_move: answer.best_move.clone(),
            nodes: answer.nodes,
            depth: last.depth,
        })
    }

    /// The value of the move that led to `pos`, by a search of that position and after the passes that follow, one ply less
    /// deep. Where one move alone is legal then, many programs answer at once and name no value: the position after that reply
    /// has the same.
    ///
    /// # Errors
    /// What the program did instead of saying one.
    pub(crate) fn value_after(
        &mut self,
        task: &Task<'_>,
        game: &AnyGame,
        mut pos: AnyPosition,
    ) -> Result<Valued, String> {
        let (mut sign, mut plies, mut shallower) = (-1, 1, 1);
        loop {
            while let Some(pass) = game.forced(&pos) {
                pos = game.play(&pos, pass);
                (sign, plies) = (-sign, plies + 1);
            }
            let allowance = match task.allowance {
                Allowance::Depth(depth) => Allowance::Depth(depth.saturating_sub(shallower).max(1)),
                other => other,
            };
            let mut moves = Moves::<AnyGame>::new();
            game.moves(&pos, &mut moves);
            if moves.is_empty() || game.drawn(&pos, &[]) {
                let value = if moves.is_empty() { game.outcome(&pos, plies).0 } else { 0 };
                return Ok(Valued { value: sign * value, depth: u32::MAX, ..Valued::default() });
            }
            let text = game.format(&pos);
            let (answer, _) = self
                .answered(&Task { position: &text, root: &pos, allowance, ..*task }, &[])
                .map_err(|error| error.to_string())?;
            match (self.valued(&answer), &moves[..]) {
                (Err(_), [reply]) if shallower < MOST_FORCED => {
                    pos = game.play(&pos, reply.mv);
                    (sign, plies, shallower) = (-sign, plies + 1, shallower + 1);
                }
                (info, _) => {
                    let info = info?;
                    // A mate is further away from the root than from here.
                    let away = if info.is_mate { info.value.signum() * plies as i32 } else { 0 };
                    let (value, depth) = (sign * (info.value - away), info.depth.saturating_add(shallower));
                    return Ok(Valued { value, depth, ..info });
                }
            }
        }
    }

    /// The value of one move, searched alone where the program can be asked for that and is seen to keep to it, and else by the
    /// position after it. Nothing where it says none.
    fn value_of(&mut self, task: &Task<'_>, mv: &str) -> Option<Valued> {
        if !self.ignores_moves {
            match self.answered(task, &[mv.to_owned()]) {
                Ok((answer, _)) if answer.best_move == mv => return self.valued(&answer).ok(),
                // Programs that do not know the words search all moves.
                Ok(_) | Err(EngineError { fault: Fault::Unable { .. }, .. }) => self.ignores_moves = true,
                Err(_) => return None,
            }
        }
        let game = self.game.clone().filter(|_| task.allowance != Allowance::Depth(1))?;
        let mv = game.parse_move(task.root, mv).ok()?;
        self.value_after(task, &game, game.play(task.root, mv)).ok()
    }
}

impl Subject for EngineSubject {
    fn search(&mut self, task: &Task<'_>) -> Result<Found, String> {
        let (answer, says) = self.answered(task, &[]).map_err(|error| error.to_string())?;
        let last = answer.last().cloned().unwrap_or_default();
        if answer.best_move.is_empty() {
            let did = match answer.act {
                Act::Resigns => "resigned",
                Act::ClaimsWin | Act::ClaimsDraw | Act::Moves => "claimed the end of the game",
            };
            return Err(format!("it {did}, and named no move"));
        }
        let unsearched = answer.last().is_none() && says.score;
        let scored = answer.infos.iter().filter(|info| info.score.is_some());
        let (time, share) = self.time(&answer);
        Ok(Found {
            iterations: scored.map(|info| self.step(info, share)).collect(),
            best_move: Some(answer.best_move.clone()),
            nodes: Some(answer.nodes).filter(|_| !unsearched),
            unsearched,
            seldepth: last.seldepth,
            bound: last.bound,
            time: Some(time),
            counters: answer.counts.iter().map(counted).collect(),
            ..Found::default()
        })
    }

    /// Whatever process is there, or none: a search is the same in every one.
    fn reaches(&mut self, task: &Task<'_>, mv: &str, depth: Depth, bound: Score) -> Option<bool> {
        let plies = u32::try_from(depth.0).ok()?;
        let valued = self.value_of(&Task { allowance: Allowance::Depth(plies), ..*task }, mv)?;
        (valued.depth >= plies).then_some(valued.value >= bound.0)
    }
}

/// What a method did, as the program says it: of no depth, because it names none.
fn counted(count: &Count) -> CounterRow {
    let high = count.cuts_high.unwrap_or_else(|| count.cuts.saturating_sub(count.cuts_low.unwrap_or(0)));
    CounterRow {
        method: (&count.method).into(),
        tries: count.tries,
        cuts_high: high,
        cuts_low: count.cuts_low.unwrap_or_else(|| count.cuts.saturating_sub(high)),
        probe_nodes: count.probes.unwrap_or(0),
        ..CounterRow::default()
    }
}

/// The value in centipawns, with mates as this program writes them: by plies.
fn score(info: &Info, mate: i32) -> i32 {
    match info.score {
        None => 0,
        Some(EngineScore::Cp(value)) => value.clamp(-mate, mate),
        Some(EngineScore::Mate(moves)) if moves > 0 => {
            (mate + 1).saturating_sub(moves.saturating_mul(2)).max(0)
        }
        Some(EngineScore::Mate(moves)) => moves.saturating_mul(-2).saturating_sub(mate).min(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_games::chess::MATE;

    #[test]
    fn a_share_is_a_share() {
        let read = |text: &str| toml::from_str::<Counted>(text);
        assert_eq!(read("").unwrap(), Counted::default());
        assert_eq!(read("symbol = \"*search*\"\nwithin = 0.05").unwrap().within, 0.05);
        for (text, message) in [
            ("within = 1.5", "from 0 to 1"),
            ("within = nan", "from 0 to 1"),
            ("symbols = 3", "unknown field"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
    }

    #[test]
    fn mates_are_counted_in_plies() {
        let score_of = |score| super::score(&Info { score: Some(score), ..Info::default() }, MATE);
        assert_eq!(score_of(EngineScore::Mate(1)), MATE - 1);
        assert_eq!(score_of(EngineScore::Mate(3)), MATE - 5);
        assert_eq!(score_of(EngineScore::Mate(0)), -MATE);
        assert_eq!(score_of(EngineScore::Mate(-2)), 4 - MATE);
        assert_eq!(score_of(EngineScore::Cp(-31)), -31);
        assert_eq!(score_of(EngineScore::Mate(i32::MAX)), 0);
        assert_eq!(score_of(EngineScore::Mate(i32::MIN)), 0);
    }
}
