//! Where games are played: matches between two players, and the engine for programs that speak UCI.
//!
//! Both search as long as a clock allows, which a run of the bench does not. Other engines are spoken to by
//! `secateur-suites`.

pub mod play;
pub mod uci;
