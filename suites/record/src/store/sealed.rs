//! Finished cells as they will stand in the files, made by whoever finished them.
//!
//! Writing a row as text and sealing it takes longer than a tiny search: that is done in the threads that search, and who
//! writes the files has nothing to do but to write. Left out: when that is, which is the runner's.

use super::check::seal_of;
use crate::label::Label;
use crate::record::{Record, Rows};
use crate::row::{text_of, unsealed_of};

/// What turns the rows of a cell into texts with a seal.
#[derive(Clone, Debug)]
pub struct Sealer {
    build: Label,
}

/// A finished cell with its rows as texts.
#[derive(Clone, Debug)]
pub struct Sealed {
    record: Record,
    row: Vec<u8>,
    iterations: Vec<u8>,
    counters: Vec<u8>,
}

impl Sealer {
    /// Seals rows in the name of this build.
    pub(super) fn new(build: &str) -> Sealer {
        Sealer { build: build.into() }
    }

    /// The rows of a cell, sealed together.
    #[must_use]
    pub fn seal(&self, rows: Rows) -> Sealed {
        let mut record = Record { build: self.build, seal: "".into(), ..rows.record };
        let (iterations, counters) = (text_of(&rows.iterations), text_of(&rows.counters));
        let mut row = unsealed_of(&record);
        record.seal = seal_of(&row, &iterations, &counters).into();
        // The seal is the last column, and it is empty where it is not yet known.
        let end = row.pop();
        row.extend_from_slice(record.seal.as_bytes());
        row.extend(end);
        Sealed { record, row, iterations, counters }
    }
}

impl Sealed {
    /// The row of `records.csv`.
    #[must_use]
    pub fn record(&self) -> &Record {
        &self.record
    }

    pub(super) fn row(&self) -> &[u8] {
        &self.row
    }

    pub(super) fn iterations(&self) -> &[u8] {
        &self.iterations
    }

    pub(super) fn counters(&self) -> &[u8] {
        &self.counters
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{CounterRow, Failure, IterationRow};
    use crate::store::Seals;

    /// What is appended is what the writer of whole files would write, with the seal that a reader finds.
    #[test]
    fn a_sealed_text_is_the_row_with_its_seal() {
        let plain = Record { best_move: "d3".into(), pv: "d3 c5".into(), ..Record::default() };
        let quoted = Record { error: Some(Failure::new("said \"no\", twice")), ..plain.clone() };
        for record in [plain, quoted] {
            let iterations = vec![IterationRow { depth: 1, ..IterationRow::default() }; 2];
            let counters = vec![CounterRow { tries: 3, ..CounterRow::default() }];
            let rows = Rows { record, iterations, counters };
            let sealed = Sealer::new("me").seal(rows.clone());
            let mut expected = Record { build: "me".into(), ..rows.record.clone() };
            Seals::new(&rows.iterations, &rows.counters).seal(&mut expected);
            assert_eq!(*sealed.record(), expected);
            assert_eq!(sealed.row(), text_of([&expected]));
            assert_eq!(sealed.iterations(), text_of(&rows.iterations));
            assert_eq!(sealed.counters(), text_of(&rows.counters));
        }
    }
}
