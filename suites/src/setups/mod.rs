//! Games, methods and their numbers by name: what an arm of our own search is before anybody plans anything.
//!
//! Games and methods of other crates are registered here with those of this workspace. An arm is read here and equipped
//! with its numbers, which are files for people to read and change. Left out: what is searched with them, which is a suite.

pub mod arm;
pub mod games;
pub mod methods;
pub mod numbers;
pub mod setup;
