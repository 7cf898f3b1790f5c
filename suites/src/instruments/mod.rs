//! Instruments: what is said of a search besides what the search says itself.
//!
//! The time that it took, the program and the computer that made it, whether the processor can run the program at all, which
//! cores games have to themselves, and whether a line can be true. Instructions are counted by `suites/gate`.

pub mod clock;
pub mod machine;
pub mod pv;
