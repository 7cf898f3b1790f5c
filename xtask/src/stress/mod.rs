//! What is done to secateur on purpose, to see that it loses nothing and believes nothing that is wrong.
//!
//! [`faults`] kills, damages and starves the real program and looks at what is left of its records. It draws from a seed and
//! says how to see each failure again. What mutated texts do to readers is tested in `xtask/tests/readers`.

pub(crate) mod dice;
pub(crate) mod faults;
