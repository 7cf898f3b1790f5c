//! The record of secateur: rows, manifests, seals and stores, and every type of data that a report reads.
//!
//! Whoever runs writes these files, whoever reports reads them, and neither needs the other: nothing here searches, knows a
//! rule of a game, or asks the computer what it is. The package `secateur-suites` keeps these modules under the names that
//! they had in it.

pub mod archive;
pub mod arm;
pub mod build;
pub mod columns;
pub mod error;
pub mod files;
pub mod fitted;
pub mod games;
pub mod gate;
pub mod label;
pub mod ledger;
pub mod manifest;
pub mod observations;
pub mod part;
pub mod peers;
pub mod play;
pub mod record;
pub mod rows;
pub mod seal;
pub mod sites;
pub mod speed;
pub mod store;
pub mod stream;
pub mod table;

pub use error::{Blame, Error};
