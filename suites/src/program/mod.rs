//! Another program as a subject, with its pruning methods as switches.
//!
//! A subject file says how a program is started and what the absence of each method means: an option, a bit of a variable,
//! an argument, another binary ([`mod@file`]). A [`Switching`] is an arm of it: what is left out ([`Program::arm`]). From
//! both comes what an engine is started with ([`Program::spec`]). Left out: programs side by side, which is what
//! [`crate::lineup`] is for.

pub mod ablate;
mod clash;
pub mod file;
pub mod proposal;
mod signature;
pub(crate) mod source;
mod switching;
#[cfg(test)]
mod tests;
pub mod tree;

pub(crate) use self::switching::COMPILED;
pub use crate::subject::{Counted, ProgramArm};
pub use file::{Factor, FullWidth, Off, Program, options};
pub use signature::{Signature, Signed, TRIED_WITHIN};
pub use source::{Build, Origin, Source, Surveyed, ToCut};
pub use switching::{Others, ProgramArms, Switching, combinations, left_out};
