//! What a program makes of what it is asked, found out once before anything is measured.
//!
//! A protocol has words that a program may not know: some UCI engines ignore `go nodes`, some engines of xboard `sd`. Left
//! to a run, each such search costs the whole patience at every position. Here every budget is tried at one position, the
//! search by depth is repeated, and what came of each is a value with its reason. Nothing is judged beyond that: whether
//! values are good or moves legal is asked elsewhere.

use super::{Abilities, Answer, Ask, Engine, EngineError, Fault, Go, Notation, Says, Spec};
use secateur_record::record::BudgetKind;
use std::time::Duration;

/// What is tried.
#[derive(Clone, Debug)]
pub struct Trial<'a> {
    /// A position with several moves, none of them forced, and no end of the game within reach.
    pub position: &'a str,
    /// Some of its legal moves, to see whether a search keeps to one of them; none to leave that out.
    pub moves: Vec<String>,
    /// Plies that every program searches in a moment.
    pub depth: u32,
    /// Nodes that take a moment. A program that searches many more wherever a fixed share of them is asked too keeps to no number.
    pub nodes: u64,
    /// Time for one move; brought up to a whole step of the protocol.
    pub time: Duration,
    /// What both players have on the clock of a game.
    pub clock: Duration,
    /// What all searches together may take; each that has to be stopped takes 2 s more at most.
    pub patience: Duration,
}

/// Searches of a probe.
const SEARCHES: u32 = 10;
/// No limit of time is tried for longer. Shorter ones are tried as they are: some programs take no less than a second.
const LONGEST: Duration = Duration::from_secs(1);
/// By how much fewer nodes are asked the second time.
const FEWER: u64 = 40;
/// Positions of the middle of a game with two of their moves, by notation.
const FEN: (&str, [&str; 2]) = ("3r1k2/4npp1/1ppr3p/p6P/P2PPPP1/1NR5/5K2/2R5 w - - 0 1", ["f2g3", "c1d1"]);
/// See there. Far from the end, and none that a book has.
const SFEN: (&str, [&str; 2]) =
    ("lnsgkgsnl/1r5b1/1ppppppp1/p7p/9/P7P/1PPPPPPP1/1B5R1/LNSGKGSNL b - 5", ["7g7f", "2g2f"]);
/// See there.
const DISCS: (&str, [&str; 2]) =
    ("---------------------------OX------XOX------OX------X----------- O", ["c5", "e3"]);

impl Trial<'_> {
    /// The usual trial: 6 plies, 20,000 nodes, 0.3 s, a clock of 2 s.
    pub fn usual(notation: Notation, patience: Duration) -> Trial<'static> {
        let (position, two) = match notation {
            Notation::Fen => FEN,
            Notation::Sfen => SFEN,
            Notation::Discs => DISCS,
        };
        let moves = two.map(str::to_owned).to_vec();
        let [time, clock] = [300, 2_000].map(Duration::from_millis);
        Trial { position, moves, depth: 6, nodes: 20_000, time, clock, patience }
    }

    /// The question that tries a limit: of its kind, and as small as it, but no larger than the trial has it.
    fn ask(&self, go: Go, abilities: &Abilities) -> Ask<'_> {
        let step = abilities.time_step.as_nanos().max(1);
        let whole = |time: Duration| {
            let steps = time.as_nanos().div_ceil(step).max(1);
            Duration::from_nanos(u64::try_from(steps * step).unwrap_or(u64::MAX)).max(abilities.least_time)
        };
        let go = match go {
            Go::Depth(plies) => Go::Depth(plies.min(self.depth)),
            Go::Nodes(nodes) => Go::Nodes(nodes.min(self.nodes)),
            Go::MoveTime(time) => Go::MoveTime(whole(time.min(LONGEST))),
            Go::Clock { increment, .. } => {
                Go::Clock { time: [whole(self.clock); 2], increment, moves_to_go: None }
            }
            Go::Own => Go::Own,
        };
        Ask::new(self.position, go)
    }
}

/// What came of one question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It did what it was asked, as these words show.
    Kept(String),
    /// It answered, and says nothing of the search that shows whether it did what it was asked: a book's move, or no numbers.
    Unseen(String),
    /// It has no words for the question, or says so.
    Unable(String),
    /// It searched something else.
    Ignored(String),
    /// It gave no answer to be judged.
    Failed(String),
}

impl Outcome {
    /// Whether the question can be asked in a run: it was kept to.
    pub fn is_kept(&self) -> bool {
        matches!(self, Outcome::Kept(_))
    }

    /// Whether the question must not be asked in a run: it has no words for it, or does something else. What it failed by it may
    /// fail by in every search, each of which says so.
    pub fn is_refused(&self) -> bool {
        matches!(self, Outcome::Unable(_) | Outcome::Ignored(_))
    }

    /// Whether it is answered in time at least.
    pub fn is_answered(&self) -> bool {
        matches!(self, Outcome::Kept(_) | Outcome::Unseen(_))
    }

    /// Why, in words.
    pub fn reason(&self) -> &str {
        match self {
            Outcome::Kept(why) | Outcome::Unseen(why) | Outcome::Unable(why) => why,
            Outcome::Ignored(why) | Outcome::Failed(why) => why,
        }
    }
}

/// What of a search was the same when it was made again after a new game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repeats {
    /// All nodes.
    pub nodes: bool,
    /// The move.
    pub best_move: bool,
    /// The last value.
    pub score: bool,
}

/// What a program makes of what it is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    /// What it calls itself.
    pub id: String,
    /// What its protocol and its own word allow.
    pub abilities: Abilities,
    /// What it said of the first search that it answered.
    pub says: Says,
    /// A budget in plies.
    pub depth: Outcome,
    /// A budget in nodes.
    pub nodes: Outcome,
    /// A budget of time.
    pub time: Outcome,
    /// A clock for the game.
    pub clock: Outcome,
    /// A search as its own arguments say, tried where nothing else is possible.
    pub own_limits: Outcome,
    /// A search of one move only.
    pub root_moves: Outcome,
    /// What repeats of the search by depth, or of that without a budget; absent if there were no two.
    pub repeats: Option<Repeats>,
}

impl Probe {
    /// Starts the program and tries it. One that ends in between is started again.
    ///
    /// # Errors
    /// What keeps it from starting the first time; see [`Engine::start`].
    pub fn of(
        spec: &Spec,
        defaults: &[(String, String)],
        trial: &Trial<'_>,
        start: Duration,
    ) -> Result<Probe, EngineError> {
        let mut run = Run::begun(spec, defaults, trial, start)?;
        let (id, abilities) = (run.id(), run.abilities);
        // Some make their tables only when they are first asked; what comes of this search does not matter, unless it ends
        // by force, as all others by depth would.
        let warm = run.ask(Go::Depth(1));
        let plies = Go::Depth(trial.depth);
        let first = match warm {
            Err(error @ EngineError { fault: Fault::Hung { .. } | Fault::Late { .. }, .. }) => Err(error),
            _ => run.ask(plies),
        };
        let repetition = first.is_ok().then(|| run.ask(plies));
        let nodes = run.ask(Go::Nodes(u64::MAX));
        let fewer = nodes.is_ok().then(|| run.ask(Go::Nodes(trial.nodes / FEWER)));
        let [timed, clocked, free] = [Go::MoveTime(trial.time), CLOCK, Go::Own].map(|go| (go, run.ask(go)));
        let own_again = free.1.is_ok().then(|| run.ask(Go::Own));
        let root_moves = run.root_moves(plies, &first);
        let answered = [&first, &free.1, &timed.1, &nodes, &clocked.1]
            .into_iter()
            .find_map(|answer| answer.as_ref().ok());
        let repeats = pair(&first, repetition.as_ref()).or_else(|| pair(&free.1, own_again.as_ref()));
        let says = answered.map(Answer::says).unwrap_or_default();
        let judged = |(go, answer)| outcome(answer, |answer| judge(answer, trial.ask(go, &abilities).go));
        let [time, clock, own_limits] = [timed, clocked, free].map(judged);
        Ok(Probe {
            id,
            abilities,
            says,
            depth: judged((plies, first)),
            nodes: outcome(nodes, |answer| judge_two(answer, trial.nodes, fewer)),
            time,
            clock,
            own_limits,
            root_moves,
            repeats,
        })
    }

    /// What a program makes of one limit. It gets the limit as it is, and searches with no more of it than the trial has; a depth it
    /// only gets.
    ///
    /// # Errors
    /// What keeps it from starting the first time.
    pub fn of_limit(
        spec: &Spec,
        defaults: &[(String, String)],
        trial: &Trial<'_>,
        start: Duration,
        go: Go,
    ) -> Result<Outcome, EngineError> {
        let mut run = Run::begun(spec, defaults, trial, start)?;
        if let Some(Err(error)) =
            run.engine.as_mut().map(|engine| engine.prepare(&Ask::new(trial.position, go)))
        {
            return Ok(outcome(Err(error.of(&spec.name)), |_| Outcome::Kept(String::new())));
        }
        match go {
            Go::Depth(plies) => return Ok(Outcome::Kept(format!("gets {plies} plies"))),
            // Some make their tables only when they are first asked.
            Go::MoveTime(_) => drop(run.ask(Go::Depth(1))),
            _ => {}
        }
        let answer = run.ask(go);
        Ok(outcome(answer, |answer| judge(answer, trial.ask(go, &run.abilities).go)))
    }

    /// What came of a kind of limit.
    pub fn outcome(&self, go: Go) -> &Outcome {
        match go {
            Go::Depth(_) => &self.depth,
            Go::Nodes(_) => &self.nodes,
            Go::MoveTime(_) => &self.time,
            Go::Clock { .. } => &self.clock,
            Go::Own => &self.own_limits,
        }
    }

    /// What was found, a sentence each.
    pub fn sentences(&self) -> Vec<String> {
        let says = [
            (self.says.depth, "depth"),
            (self.says.nodes, "nodes"),
            (self.says.score, "value"),
            (self.says.line, "line"),
        ];
        let names: Vec<&str> = says.iter().filter(|(is, _)| *is).map(|(_, name)| *name).collect();
        let listed = if names.is_empty() { "nothing but the move".to_owned() } else { names.join(", ") };
        let asked =
            [("depth", &self.depth), ("nodes", &self.nodes), ("time", &self.time), ("clock", &self.clock)];
        // Where the protocol has no search without a budget, none is missed.
        let own_limits = self.abilities.own_limits.then_some(("own limits", &self.own_limits));
        let asked = asked.into_iter().chain(own_limits).chain([("some moves only", &self.root_moves)]);
        let mut all = vec![format!("{} says of a search: {listed}.", self.id)];
        all.extend(asked.map(|(name, outcome)| {
            let verdict = match outcome {
                Outcome::Kept(_) => "kept",
                Outcome::Unseen(_) => "answered, but unseen",
                Outcome::Unable(_) => "cannot be asked",
                Outcome::Ignored(_) => "ignored",
                Outcome::Failed(_) => "failed",
            };
            format!("{name}: {verdict} ({}).", outcome.reason())
        }));
        if let Some(same) = self.repeats {
            let parts = [(same.nodes, "nodes"), (same.best_move, "move"), (same.score, "value")];
            let differing: Vec<&str> = parts.iter().filter(|(is, _)| !is).map(|(_, name)| *name).collect();
            all.push(match differing[..] {
                [] => "The same search after a new game is the same.".to_owned(),
                _ => format!("The same search after a new game differs in: {}.", differing.join(", ")),
            });
        }
        all
    }
}

/// Any clock: what stands on it is for the trial to say.
const CLOCK: Go = Go::Clock { time: [Duration::ZERO; 2], increment: [Duration::ZERO; 2], moves_to_go: None };

/// A probe under way.
struct Run<'a> {
    spec: &'a Spec,
    defaults: &'a [(String, String)],
    trial: &'a Trial<'a>,
    start: Duration,
    engine: Option<Engine>,
    abilities: Abilities,
}

impl<'a> Run<'a> {
    fn begun(
        spec: &'a Spec,
        defaults: &'a [(String, String)],
        trial: &'a Trial<'a>,
        start: Duration,
    ) -> Result<Run<'a>, EngineError> {
        let engine = Engine::start(spec, defaults, start)?;
        let abilities = engine.abilities();
        Ok(Run { spec, defaults, trial, start, engine: Some(engine), abilities })
    }

    fn id(&self) -> String {
        self.engine.as_ref().map_or_else(String::new, |engine| engine.id().to_owned())
    }

    /// One search after a new game, by a program that is started again if need be.
    fn ask(&mut self, go: Go) -> Result<Answer, EngineError> {
        self.search(&self.trial.ask(go, &self.abilities))
    }

    fn search(&mut self, ask: &Ask<'_>) -> Result<Answer, EngineError> {
        let start = || Engine::start(self.spec, self.defaults, self.start);
        let running = match self.engine.take().filter(Engine::is_alive) {
            Some(engine) => engine,
            None => start()?,
        };
        // What cannot be asked costs nothing.
        if let Err(error) = running.can(ask) {
            self.engine = Some(running);
            return Err(error.of(&self.spec.name));
        }
        let mut engine = Engine::renewed(Some(running), start)?;
        let answer = engine.search(ask, self.trial.patience / SEARCHES);
        self.engine = Some(engine);
        answer
    }

    /// Whether a search keeps to one move, another than the best of all.
    fn root_moves(&mut self, go: Go, best: &Result<Answer, EngineError>) -> Outcome {
        let best = match best {
            Ok(answer) => answer.best_move.as_str(),
            Err(EngineError { fault: Fault::Hung { .. }, .. }) => {
                return Outcome::Failed("it ends no search by depth".to_owned());
            }
            Err(_) => "",
        };
        let Some(other) = self.trial.moves.iter().find(|mv| mv.as_str() != best) else {
            return Outcome::Failed("no other move was there to try it with".to_owned());
        };
        let answer = self.search(&self.trial.ask(go, &self.abilities).only(std::slice::from_ref(other)));
        outcome(answer, |answer| {
            if answer.best_move == *other {
                Outcome::Kept(format!("answered {other}, where the best of all is {best}"))
            } else {
                Outcome::Ignored(format!("asked for {other}, answered {}", answer.best_move))
            }
        })
    }
}

fn pair(first: &Result<Answer, EngineError>, again: Option<&Result<Answer, EngineError>>) -> Option<Repeats> {
    let (Ok(first), Some(Ok(again))) = (first, again) else { return None };
    let score = |answer: &Answer| answer.last().and_then(|info| info.score);
    Some(Repeats {
        nodes: first.nodes == again.nodes,
        best_move: first.best_move == again.best_move,
        score: score(first) == score(again),
    })
}

fn outcome(answer: Result<Answer, EngineError>, judge: impl FnOnce(&Answer) -> Outcome) -> Outcome {
    let error = match answer {
        Ok(answer) => return judge(&answer),
        Err(error) => error,
    };
    let text = error.to_string();
    match error.fault {
        Fault::Unable { why, .. } => Outcome::Unable(why),
        Fault::Refused { .. } => Outcome::Unable(text),
        // A search that does not end by itself has not understood where it is to end.
        Fault::Late { .. } | Fault::Hung { .. } | Fault::Claim(_) => Outcome::Ignored(text),
        _ => Outcome::Failed(text),
    }
}

/// Whether an answer shows that a limit was kept to.
fn judge(answer: &Answer, go: Go) -> Outcome {
    match go {
        Go::Depth(asked) => judge_depth(answer, asked),
        Go::Nodes(asked) => judge_nodes(answer, asked),
        Go::MoveTime(asked) => judge_time(answer, asked),
        Go::Clock { time: [left, _], .. } => {
            let measured = format!("{} used, where the clock had {}", seconds(answer.wall), seconds(left));
            if answer.wall > left { Outcome::Ignored(measured) } else { Outcome::Kept(measured) }
        }
        Go::Own => Outcome::Unseen(format!("answers within {}", seconds(answer.wall))),
    }
}

fn judge_depth(answer: &Answer, asked: u32) -> Outcome {
    let depth = answer.infos.iter().filter(|info| info.score.is_some()).map(|info| info.depth).max();
    match depth {
        Some(depth) if depth >= asked => Outcome::Kept(format!("ended with depth {depth} of {asked}")),
        Some(0) | None => Outcome::Unseen("it names no depth, as with a move from a book".to_owned()),
        Some(depth) => Outcome::Ignored(format!("ended with depth {depth}, where {asked} was asked")),
    }
}

fn judge_nodes(answer: &Answer, asked: u64) -> Outcome {
    let nodes = answer.nodes;
    let measured = format!("{nodes} nodes, where {asked} were asked");
    match nodes {
        0 => Outcome::Unseen("it names no nodes, as with a move from a book".to_owned()),
        _ if nodes >= asked / 10 && BudgetKind::Nodes.allows(asked, nodes) => Outcome::Kept(measured),
        _ => Outcome::Ignored(measured),
    }
}

/// The same of two numbers: who spends one and the same, and more than the smaller allows, keeps to neither.
fn judge_two(answer: &Answer, asked: u64, fewer: Option<Result<Answer, EngineError>>) -> Outcome {
    let few = asked / FEWER;
    match fewer {
        Some(Ok(other)) if other.nodes >= answer.nodes && !BudgetKind::Nodes.allows(few, other.nodes) => {
            Outcome::Ignored(format!(
                "{} nodes, where {asked} were asked, and {} where {few} were",
                answer.nodes, other.nodes
            ))
        }
        Some(Err(error @ EngineError { fault: Fault::Late { .. } | Fault::Hung { .. }, .. })) => {
            Outcome::Ignored(error.to_string())
        }
        _ => judge_nodes(answer, asked),
    }
}

/// An engine may answer before its time is over, but not long after. Long before, it may have had something else in mind.
fn judge_time(answer: &Answer, asked: Duration) -> Outcome {
    let measured = format!("{}, where {} were asked", seconds(answer.wall), seconds(asked));
    match answer.wall {
        wall if !BudgetKind::Time.allows(nanos(asked), nanos(wall)) => Outcome::Ignored(measured),
        wall if wall < asked / 10 => Outcome::Unseen(measured),
        _ => Outcome::Kept(measured),
    }
}

fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

fn seconds(time: Duration) -> String {
    format!("{:.3} s", time.as_secs_f64())
}
