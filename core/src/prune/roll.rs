//! Who is in a search, as the compiler sees it: which counter and which marks belong to which method.
//!
//! A method knows its name and nothing of its neighbours; the set of methods that a search is compiled for gives every
//! member its place when it is compiled. So a method from another crate stands beside ours without a number of its own.

/// The methods of a search in the order of asking ([`super::Prune::ROLL`]).
#[derive(Clone, Copy, Debug)]
pub enum Roll {
    /// No method.
    Nobody,
    /// One method, whichever asks.
    Whoever,
    /// A method.
    One {
        /// [`super::Method::NAME`].
        name: &'static str,
        /// [`super::Method::MARKS`].
        marks: u32,
    },
    /// Two rolls, the first first.
    Both(&'static Roll, &'static Roll),
}

/// Where a method stands in a [`Roll`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Which of the methods it is, from 0.
    pub index: usize,
    /// The bit for nodes inside its probes; 0 without marks.
    pub mark: u32,
    /// The bit for nodes inside its probes inside its probes; 0 with less than two marks.
    pub inner: u32,
}

/// Marks that there are room for ([`crate::search::Path::inside`]).
const ROOM: u32 = u32::BITS;
/// Marks of one method.
const MOST: u32 = 2;

impl Roll {
    /// How many methods there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        match self {
            Roll::Nobody => 0,
            Roll::Whoever | Roll::One { .. } => 1,
            Roll::Both(a, b) => a.len() + b.len(),
        }
    }

    /// Whether there is no method.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many marks all methods need together.
    ///
    /// # Panics
    /// At compile time, if that is more than there is room for.
    #[must_use]
    pub const fn marks(&self) -> u32 {
        let marks = match self {
            Roll::Nobody => 0,
            Roll::Whoever => MOST,
            Roll::One { marks, .. } => *marks,
            Roll::Both(a, b) => a.marks() + b.marks(),
        };
        assert!(marks <= ROOM, "more marks than a path has room for");
        marks
    }

    /// The place of a method with so many marks.
    ///
    /// # Panics
    /// At compile time, if the method is not in here.
    #[must_use]
    pub const fn place(&self, name: &str, marks: u32) -> Place {
        match self.find(name, 0, 0) {
            Some((index, first)) => {
                let mark = if marks > 0 { 1 << first } else { 0 };
                let inner = if marks > 1 { 2 << first } else { 0 };
                Place { index, mark, inner }
            }
            None => panic!("a method must be in the roster of the search that asks it"),
        }
    }

    /// Index and first mark of a method, behind so many methods and marks.
    const fn find(&self, name: &str, index: usize, mark: u32) -> Option<(usize, u32)> {
        match self {
            Roll::Nobody => None,
            Roll::Whoever => Some((index, mark)),
            Roll::One { name: own, .. } => {
                if same_name(own, name) {
                    Some((index, mark))
                } else {
                    None
                }
            }
            Roll::Both(a, b) => match a.find(name, index, mark) {
                None => b.find(name, index + a.len(), mark + a.marks()),
                found => found,
            },
        }
    }
}

/// `==` of texts, at compile time.
pub(super) const fn same_name(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::AnyGame;
    use crate::prune::{METHODS, Prune, Roster};

    /// Methods that behave differently inside their own probes.
    const MARKED: [&str; 8] = [
        "chinook",
        "null-move",
        "probcut",
        "mpc",
        "capture-probcut",
        "multi-cut",
        "singular",
        "chance-probcut",
    ];

    /// In the roster of the house: the index in [`METHODS`], and no bit twice.
    #[test]
    fn every_method_has_a_place_of_its_own() {
        let roll = <Roster as Prune<AnyGame>>::ROLL;
        assert_eq!(roll.len(), METHODS.len());
        let mut taken = 0_u32;
        for (index, name) in METHODS.iter().enumerate() {
            let marks = if *name == "mpc" { 2 } else { 1 };
            let place = roll.place(name, marks);
            assert_eq!(place.index, index);
            if !MARKED.contains(name) {
                continue;
            }
            for bit in [place.mark, place.inner].into_iter().take(marks as usize) {
                assert_eq!((bit.count_ones(), taken & bit), (1, 0), "{name}");
                taken |= bit;
            }
        }
        assert_eq!(taken.count_ones(), roll.marks());
    }

    #[test]
    fn a_method_of_somebody_else_comes_after_ours() {
        const THEIRS: &Roll = &Roll::One { name: "theirs", marks: 1 };
        const BOTH: &Roll = &Roll::Both(<Roster as Prune<AnyGame>>::ROLL, THEIRS);
        let place = BOTH.place("theirs", 1);
        assert_eq!(place.index, METHODS.len());
        assert_eq!(place.mark, 1 << <Roster as Prune<AnyGame>>::ROLL.marks());
        assert_eq!(BOTH.place("mpc", 2), <Roster as Prune<AnyGame>>::ROLL.place("mpc", 2));
    }
}
