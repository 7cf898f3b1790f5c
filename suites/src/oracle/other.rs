//! Another program as an oracle: the value of its best move less that of the move chosen, both searched under one budget.
//!
//! Where the program is shown to keep to some moves only (`searchmoves` of UCI), the chosen one is searched so; elsewhere the
//! position after it is, one ply less deep or with the same nodes, and its value is negated. Its own best move has the value of
//! the position and loses nothing. A program that prunes may find another move better than its best, so that the best is the
//! larger of both. Values are the program's own, in its unit; a mate is worth a mate of ours, less its plies. Left out: lines,
//! and what it makes of draws by repetition, for it is told no game.

use super::book::{Book, Row};
use crate::allowance::Allowance;
use crate::cell::is_forced;
use crate::program::ProgramArm;
use crate::subject::{EngineSubject, Task, Valued};
use secateur_core::{AnyGame, Game, Notation, Rules};
use secateur_positions::Fnv;
use secateur_record::manifest::JudgeEntry;

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
        OtherJudge { plan, game, book, subject: plan.arm.subject() }
    }

    /// What the move `mv` of a position loses, in the program's own unit, at least 0; `None` if it cannot be read.
    ///
    /// # Errors
    /// What the program did instead of saying a value. The next judgement has it started again.
    pub(crate) fn regret(
        &mut self,
        task: &Task<'_>,
        allowance: Allowance,
        mv: &str,
    ) -> Result<Option<i32>, String> {
        let Ok(chosen) = self.game.parse_move(task.root, mv) else { return Ok(None) };
        // Many programs answer at once then, and name no value.
        if is_forced(self.game, task.root) {
            return Ok(Some(0));
        }
        let mv = self.game.format_move(task.root, chosen);
        let task = Task { allowance, ..*task };
        let blank = self.blank(&task);
        let (book, game) = (self.book, self.game);
        let best = book.value(blank.clone(), |row| {
            let valued = self.subject.value(&task, &[])?;
            let best_move = game
                .parse_move(task.root, &valued.best_move)
                .map_err(|_| format!("illegal move {}", valued.best_move))?;
            let row = Row { value: valued.value, nodes: valued.nodes, ..row };
            // Of the two that are entered the one that answers is the last: where it stands, the other stands too.
            Ok::<_, String>(vec![Row { mv: game.format_move(task.root, best_move), ..row.clone() }, row])
        })?;
        let value = book.value(Row { mv: mv.clone(), ..blank }, |row| {
            let valued = match self.plan.root_moves {
                true => self.alone(&task, &mv)?,
                false => self.subject.value_after(&task, game, game.play(task.root, chosen))?,
            };
            Ok::<_, String>(vec![Row { value: valued.value, nodes: valued.nodes, ..row }])
        })?;
        Ok(Some(best.max(value) - value))
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
