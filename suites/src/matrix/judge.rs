//! Who judges the moves of a plan ([`crate::oracle`]), and with how much.

use crate::allowance::Allowance;
use crate::oracle::ProgramJudge;
use secateur_record::manifest::JudgeEntry;

/// Who judges the moves of a unit, and what it may spend.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Judged {
    /// Index of the judge among those of its game.
    pub judge: usize,
    /// The budget of each of its searches.
    pub allowance: Allowance,
}

/// Who judges the moves of a game.
#[derive(Clone, Debug)]
pub(crate) enum JudgePlan {
    /// Our own search at full width.
    Own,
    /// Another program.
    Program(Box<ProgramJudge>),
}

impl JudgePlan {
    /// What the manifest keeps of another program.
    pub(crate) fn entry(&self) -> Option<&JudgeEntry> {
        match self {
            JudgePlan::Own => None,
            JudgePlan::Program(judge) => Some(&judge.entry),
        }
    }
}
