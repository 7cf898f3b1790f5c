//! What is done to secateur on purpose, to see that it loses nothing and believes nothing that is wrong.
//!
//! [`faults`] kills, damages and starves the real program and looks at what is left of its records; [`fuzz`] gives
//! mutated texts to every reader. Both draw from a seed and say how to see each failure again. Nothing else needs this
//! crate; what should hold in every build is tested where it is written.

pub(crate) mod dice;
pub(crate) mod faults;
pub(crate) mod fuzz;
