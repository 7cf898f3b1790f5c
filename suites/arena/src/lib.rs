//! Where games are played and positions looked into: matches between two players, the engine for programs that speak UCI,
//! analyses and exact ends.
//!
//! All search as long as somebody allows, which a run of the bench does not. Other engines are spoken to by
//! `secateur-suites`.

pub mod analysis;
pub mod play;
pub mod uci;
