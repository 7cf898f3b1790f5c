//! What came of the trials: counts for a table, and a sentence for each trial that went wrong.

/// Counts of one kind of trial.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// What was done to what: `kill bench`, `damage play`.
    pub kind: String,
    /// Trials.
    pub tried: u64,
    /// Trials in which the fault struck (a kill came in time, the disk did fill up) or the damage was noticed.
    pub found: u64,
    /// Trials after which the record is the one of an undisturbed run.
    pub repaired: u64,
    /// Trials after which the program would not go on.
    pub refused: u64,
    /// Trials after which other numbers were taken for good ones.
    pub accepted: u64,
    /// Finished cells or games that had to be done again or are gone.
    pub lost: u64,
}

/// One trial that went wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    /// What was done and what happened.
    pub what: String,
    /// The arguments of `cargo xtask` that do it again.
    pub again: String,
}

/// Everything that was tried.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// One for each kind.
    pub tallies: Vec<Tally>,
    /// In the order of the trials; empty if all is well.
    pub failures: Vec<Failure>,
    /// Programs of somebody else that are not tried, each with why: they are not here, or do not repeat themselves.
    pub left_out: Vec<String>,
}

/// The trials of one kind under way.
pub(super) struct Ledger<'a> {
    pub(super) tally: Tally,
    /// How many are to be tried.
    pub(super) trials: u64,
    outcome: &'a mut Outcome,
    seed: u64,
    /// The one trial that was asked for.
    only: Option<u64>,
}

impl<'a> Ledger<'a> {
    pub(super) fn new(
        kind: &str,
        trials: u64,
        seed: u64,
        only: Option<u64>,
        outcome: &'a mut Outcome,
    ) -> Self {
        Ledger { tally: Tally { kind: kind.to_owned(), ..Tally::default() }, trials, outcome, seed, only }
    }

    /// The numbers of the trials.
    pub(super) fn numbers(&self) -> impl Iterator<Item = u64> + use<> {
        let (first, end) = self.only.map_or((0, self.trials), |number| (number, number + 1));
        first..end
    }

    /// Notes a trial that went wrong.
    pub(super) fn fail(&mut self, number: u64, what: &str) {
        let kind = self.tally.kind.replace(' ', "-");
        let again = format!("torture --seed {} --only {kind}:{number}", self.seed);
        self.outcome.failures.push(Failure { what: format!("{}: {what}", self.tally.kind), again });
    }

    /// Says why nothing is tried, once.
    pub(super) fn skip(self, what: String) {
        if !self.outcome.left_out.contains(&what) {
            self.outcome.left_out.push(what);
        }
        self.close();
    }

    /// Enters the counts.
    pub(super) fn close(self) {
        self.outcome.tallies.push(self.tally);
    }
}
