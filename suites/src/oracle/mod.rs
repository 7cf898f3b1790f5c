//! The oracle: a deeper search that says what a chosen move loses.
//!
//! Source: Junghanns, Schaeffer, Brockington, Björnsson & Marsland 1997, proposed for this question by Jiang & Buro 2003,
//! section 5. Three can be asked: our own search at full width (`+2`, `12`), which prunes nothing and is
//! exact where a game can solve the position; the arm `full` of the program whose moves are judged, deeper (`full+2`,
//! `full@nodes=200000`); and any other subject (`stockfish-11@nodes=200000`, `toga2:none@12`). What they found is
//! kept in a book by position, and never searched twice. Left out: an average over several oracles, whose units differ.
//!
//! Another program judges by the value of its best move less that of the move chosen, both searched under one budget. Where the program
//! is shown to keep to some moves only (`searchmoves` of UCI), the chosen one is searched so; elsewhere the position after it is, one ply
//! less deep or with the same nodes, and its value is negated. Its own best move has the value of the position and loses nothing. A
//! program that prunes may find another move better than its best, so that the best is the larger of both. Values are the program's own,
//! in its unit; a mate is worth a mate of ours, less its plies. Left out: lines, and what it makes of draws by repetition, for it gets
//! no game.

mod book;
#[cfg(all(test, unix))]
mod tests_of_programs;

use self::book::{Row, program};
use crate::allowance::Allowance;
use crate::cell::{is_forced, panic_message};
use crate::error::Error;
use crate::program::{Program, ProgramArm};
use crate::subject::{EngineSubject, Task, Valued};
use secateur_base::Unknown;
use secateur_base::number::whole;
use secateur_core::prune::Methods;
use secateur_core::search::{AnySearch, Budget, Options, Searcher};
use secateur_core::{AnyGame, Depth, Game, Notation, Rules, Score};
use secateur_positions::Fnv;
use secateur_record::arm::FULL;
use secateur_record::manifest::JudgeEntry;
use serde::{Serialize, Serializer};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

pub use book::Book;

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

/// Deepest oracle, plies.
const DEEPEST: u32 = 64;

impl Oracle {
    /// What the oracle may spend on a position that was searched with this budget.
    ///
    /// # Errors
    /// A budget that names no depth to be deeper than.
    pub fn allowance(&self, allowance: Allowance) -> Result<Allowance, Error> {
        match (self.reach, allowance) {
            (Reach::Depth(depth), _) => Ok(Allowance::Depth(depth)),
            (Reach::Nodes(nodes), _) => Ok(Allowance::Nodes(nodes)),
            (Reach::Deeper(plies), Allowance::Depth(depth)) => Ok(Allowance::Depth(depth + plies)),
            (Reach::Deeper(_), other) => Err(Error::Usage(format!(
                "oracle {self}: a budget of {} has no depth to be deeper than; give the oracle a depth",
                other.kind()
            ))),
        }
    }

    /// The same with a subject file that is found from anywhere: what was written is relative to `folder`.
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

/// A judge at work, of one thread and game.
pub(crate) trait Judging {
    /// What the move `mv` of the position of a task loses by a search with its budget, in the unit of who judges, at least 0; `None`
    /// if the move cannot be read.
    ///
    /// # Errors
    /// Why there is no judgement, which costs no other. A program is started again for the next.
    fn judged(&mut self, task: &Task<'_>, mv: &str) -> Result<Option<i32>, String>;
}

/// A program that judges, started once and found able.
#[derive(Clone, Debug)]
pub(crate) struct ProgramJudge {
    /// What it is, as an arm that is searched.
    pub(crate) arm: ProgramArm,
    /// Whether it keeps to some moves only.
    pub(crate) root_moves: bool,
    /// What the manifest keeps of it.
    pub(crate) entry: JudgeEntry,
}

/// The same at work, of one thread and game.
pub(crate) struct OtherJudge<'b> {
    plan: &'b ProgramJudge,
    game: &'b AnyGame,
    book: &'b Book,
    subject: EngineSubject,
}

impl<'b> OtherJudge<'b> {
    /// A judge that is not started before it is asked.
    pub(crate) fn new(plan: &'b ProgramJudge, game: &'b AnyGame, book: &'b Book) -> OtherJudge<'b> {
        OtherJudge { plan, game, book, subject: EngineSubject::new(plan.arm.clone()) }
    }

    /// The row of the best move, without its value. The budget is part of who says it.
    fn blank(&self, task: &Task<'_>) -> Row {
        let entry = &self.plan.entry;
        let mut fnv = Fnv::default();
        fnv.field(&entry.params).field(&entry.moves).field(&task.allowance.to_string());
        let depth = if let Allowance::Depth(plies) = task.allowance { plies } else { 0 };
        Row {
            game: self.game.name().to_owned(),
            oracle: fnv.hex(),
            program: entry.program.binary.clone(),
            position: Fnv::default().field(task.position).hex(),
            depth,
            ..Row::default()
        }
    }

    /// The value of one move, by a search of nothing else.
    fn alone(&mut self, task: &Task<'_>, mv: &str) -> Result<Valued, String> {
        let valued = self.subject.value(task, &[mv.to_owned()])?;
        match valued.best_move == mv {
            true => Ok(valued),
            false => Err(format!("asked for {mv} alone, it answered {}", valued.best_move)),
        }
    }
}

impl Judging for OtherJudge<'_> {
    fn judged(&mut self, task: &Task<'_>, mv: &str) -> Result<Option<i32>, String> {
        let Ok(chosen) = self.game.parse_move(task.root, mv) else { return Ok(None) };
        // Many programs answer at once then, and name no value.
        if is_forced(self.game, task.root) {
            return Ok(Some(0));
        }
        let mv = self.game.format_move(task.root, chosen);
        let blank = self.blank(task);
        let (book, game) = (self.book, self.game);
        let best = book.value(blank.clone(), |row| {
            let valued = self.subject.value(task, &[])?;
            let best_move = game
                .parse_move(task.root, &valued.best_move)
                .map_err(|_| format!("illegal move {}", valued.best_move))?;
            let row = Row { value: valued.value, nodes: valued.nodes, ..row };
            // Of the two that are entered the one that answers is the last: where it stands, the other stands too.
            Ok::<_, String>(vec![Row { mv: game.format_move(task.root, best_move), ..row.clone() }, row])
        })?;
        let value = book.value(Row { mv: mv.clone(), ..blank }, |row| {
            let valued = match self.plan.root_moves {
                true => self.alone(task, &mv)?,
                false => self.subject.value_after(task, game, game.play(task.root, chosen))?,
            };
            Ok::<_, String>(vec![Row { value: valued.value, nodes: valued.nodes, ..row }])
        })?;
        Ok(Some(best.max(value) - value))
    }
}

/// The oracle of one thread and game.
pub(crate) struct Judge<'b, G: Game> {
    book: &'b Book,
    search: Searcher<'static, G>,
    id: String,
    /// Ends a search, whose value is then not entered.
    stop: Option<Arc<AtomicBool>>,
}

/// Table of the oracle's search, MiB: it looks deeper than the runs it judges, and no value depends on the size.
const TABLE_MIB: usize = 64;

impl<'b, G: Game> Judge<'b, G> {
    /// An oracle with the host options of the runs that it judges.
    pub(crate) fn new(game: G, options: &Options, book: &'b Book) -> Judge<'b, G> {
        let mut fnv = Fnv::default();
        fnv.field(&format!("{:016x}", game.evaluation_id()));
        fnv.field(&toml::to_string(options).expect("options have a TOML form"));
        let options = Options { table_mib: options.table_mib.max(TABLE_MIB), ..options.clone() };
        Judge { book, id: fnv.hex(), search: game.searcher(Methods::NONE, options), stop: None }
    }

    /// What the move `mv` of a position loses, in the game's score unit, judged at `depth` plies; `None` if the move cannot
    /// be read or the search was stopped. A position comes as it is written, which the book knows it by, and as the game has it.
    pub(crate) fn regret(&mut self, (text, root): (&str, &G::Position), depth: u32, mv: &str) -> Option<i32> {
        let chosen = self.search.game().parse_move(root, mv).ok()?;
        let depth = if self.search.game().is_solvable(root) { 0 } else { depth };
        let mut fnv = Fnv::default();
        let position = fnv.field(text).hex();
        let best = self.value(&position, depth, "", |search| match search.game().solved(root) {
            Some(score) => (score, 0),
            None => {
                let outcome = search.run(root, &Budget::Depth(depth as i32));
                (outcome.last().score, outcome.tally.nodes)
            }
        })?;
        let value = self.value(&position, depth, mv, |search| {
            let solved =
                (depth == 0).then(|| search.game().solved(&search.game().play(root, chosen))).flatten();
            match solved {
                Some(score) => (-score, 0),
                None => search.move_value(root, chosen, Depth(depth as i32)),
            }
        })?;
        Some(best - value)
    }

    fn value(
        &mut self,
        position: &str,
        depth: u32,
        mv: &str,
        search: impl FnOnce(&mut dyn AnySearch<G>) -> (Score, u64),
    ) -> Option<i32> {
        let row = Row {
            game: self.search.game().name().to_owned(),
            oracle: self.id.clone(),
            program: program().to_owned(),
            position: position.to_owned(),
            depth,
            mv: mv.to_owned(),
            ..Row::default()
        };
        let searched = |mut row: Row| {
            let (score, nodes) = search(self.search.as_mut());
            (row.value, row.nodes) = (score.0, nodes);
            match &self.stop {
                Some(stop) if stop.load(Ordering::Relaxed) => Err(()),
                _ => Ok(vec![row]),
            }
        };
        self.book.value(row, searched).ok()
    }
}

impl Judging for Judge<'_, AnyGame> {
    fn judged(&mut self, task: &Task<'_>, mv: &str) -> Result<Option<i32>, String> {
        let Allowance::Depth(depth) = task.allowance else {
            return Err("our own search judges at a depth".to_owned());
        };
        self.stop = task.stop.cloned();
        self.search.heed(self.stop.clone());
        // A search that panics costs this judgement only.
        catch_unwind(AssertUnwindSafe(|| self.regret((task.position, task.root), depth, mv)))
            .map_err(|panic| format!("panic: {}", panic_message(&*panic)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_core::search::minimax;
    use secateur_core::{Moves, Notation, Rules};
    use secateur_games::othello::Othello;

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
        let allowance_of = |text: &str, allowance| text.parse::<Oracle>().unwrap().allowance(allowance).ok();
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

    /// Every move loses what plain minimax says; asked again, nothing is searched.
    #[test]
    fn regret_is_that_of_minimax_and_searched_once() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("oracle.csv");
        let game = Othello::default();
        let start = "---------------------------OX------XO--------------------------- X";
        let mut root = game.parse(start).unwrap();
        for mv in ["d3", "c5", "d6"] {
            root = game.play(&root, game.parse_move(&root, mv).unwrap());
        }
        let position = game.format(&root);
        let mut moves = Moves::<Othello>::new();
        game.moves(&root, &mut moves);
        let best = minimax(&game, &root, Depth(4)).0;
        let mut losses = Vec::new();
        for round in 0..2 {
            let book = Book::open(&path);
            let mut judge = Judge::new(game.clone(), &Options::default(), &book);
            for scored in &moves {
                let text = game.format_move(&root, scored.mv);
                let value = -minimax(&game, &game.play(&root, scored.mv), Depth(3)).0;
                let regret = judge.regret((&position, &root), 4, &text).unwrap();
                assert_eq!(regret, best - value, "{text}");
                losses.push(regret);
            }
            let searched = if round == 0 { moves.len() as u64 + 1 } else { 0 };
            assert_eq!(book.used().1, searched);
        }
        assert!(losses.contains(&0) && losses.iter().any(|loss| *loss > 0));
    }

    /// A search that was stopped judges nothing, and the book does not hear of it.
    #[test]
    fn a_stopped_judge_says_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let book = Book::open(&dir.path().join("oracle.csv"));
        let game = AnyGame::from(Othello::default());
        let text = "---------------------------OX------XO--------------------------- X";
        let root = game.parse(text).unwrap();
        let mut judge = Judge::new(game.clone(), &Options::default(), &book);
        let stop = Arc::new(AtomicBool::new(true));
        let clock = || std::time::Duration::ZERO;
        let task =
            Task { position: text, root: &root, allowance: Allowance::Depth(40), clock, stop: Some(&stop) };
        assert_eq!((judge.judged(&task, "d3").unwrap(), book.used().1), (None, 0));
        let task = Task { allowance: Allowance::Depth(2), stop: None, ..task };
        assert_eq!((judge.judged(&task, "d3").unwrap(), book.used().1), (Some(0), 2));
    }

    /// Near the end the oracle is exact, whatever depth it is asked for.
    #[test]
    fn near_the_end_the_oracle_is_exact() {
        let dir = tempfile::tempdir().unwrap();
        let book = Book::open(&dir.path().join("oracle.csv"));
        let game = Othello::default();
        // Six empty squares, white to move.
        let text = "XXXXXXXOXXXXXXOOXXXXXOXOXXXXOXXOXXXOXXXOXXOXXXXO--OOOOOO----OOOO X";
        let root = game.parse(text).unwrap();
        let mut judge = Judge::new(game.clone(), &Options::default(), &book);
        let mut moves = Moves::<Othello>::new();
        game.moves(&root, &mut moves);
        let exact = minimax(&game, &root, Depth(6)).0;
        for scored in &moves {
            let child = game.play(&root, scored.mv);
            let value = -minimax(&game, &child, Depth(6)).0;
            let regret = judge.regret((text, &root), 1, &game.format_move(&root, scored.mv));
            assert_eq!(regret, Some(exact - value));
        }
        assert!(moves.len() > 1);
    }
}
