//! The third step: the method of each place, by the rules.

mod evidence;
mod settle;
mod survey;

use crate::find::{Place, Program};
use crate::rules::Rules;
use crate::site::Survey;

/// What a place is, before the survey reports it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// A switch of its method.
    Site,
    /// Part of a method, with a switch of its own.
    Part,
    /// No method is known.
    Unnamed,
    /// It only holds others.
    Holds,
    /// Never to be switched.
    Never,
    /// Not reported.
    Nothing,
}

/// A place with what is made of it.
pub(crate) struct Named {
    pub(crate) place: Place,
    pub(crate) verdict: Verdict,
    /// The method, or nothing.
    pub(crate) method: String,
    /// What speaks for it, or why it is never switched.
    pub(crate) evidence: Vec<String>,
    /// The points of all methods that it could be, the most first.
    pub(crate) points: Vec<(String, f64)>,
    /// Whether the shape of the code, and not words alone, says so.
    pub(crate) shaped: bool,
    /// Whether a comment or a name says so.
    pub(crate) worded: bool,
}

impl Named {
    pub(crate) fn is_site_of(&self, method: &str) -> bool {
        self.verdict == Verdict::Site && self.method == method
    }

    pub(crate) fn decide(&mut self, verdict: Verdict, method: &str, because: impl Into<String>) {
        self.verdict = verdict;
        method.clone_into(&mut self.method);
        self.evidence = vec![because.into()];
    }
}

/// The places around one, the nearest first.
pub(crate) fn around(places: &[Named], index: usize) -> impl Iterator<Item = usize> + '_ {
    std::iter::successors(places[index].place.around, |outer| places[*outer].place.around)
}

pub(crate) fn named(
    parsed: &crate::parse::Parsed,
    program: &Program<'_>,
    places: Vec<Place>,
    rules: &Rules,
) -> Survey {
    let mut named = evidence::named(program, places, rules);
    settle::reasons(&mut named);
    settle::pickers(program, &mut named);
    settle::reductions_around_others(&mut named);
    settle::words_around_shapes(&mut named);
    settle::unconditional(program, &mut named);
    settle::nested(&mut named);
    settle::table_cuts(program, &mut named);
    settle::gates_around_others(&mut named);
    settle::gates_of_reductions(&mut named);
    settle::parts_of_reductions(program, &mut named);
    survey::survey(parsed, program, &named, rules)
}
