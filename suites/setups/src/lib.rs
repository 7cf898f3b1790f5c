//! Games, methods and their numbers by name: what an arm of our own search is before anybody plans anything.
//!
//! Games and guest methods of other crates are registered here beside those of the house. An arm is read here and equipped
//! with its numbers, which are files for people to read and change. Left out: what is searched with them, which is a suite.

pub mod about;
pub mod arm;
pub mod games;
pub mod guests;
pub mod numbers;
mod presets;
pub mod ranges;
pub mod ready;
pub mod setup;
