//! Runs in pieces: shards of a suite that any scheduler can run, their merge, and the two schedulers that come along.
//!
//! A shard is a run of some units of a plan, in a folder of its own. No part is trusted: what is merged is held against its
//! seals, against the hash of the cells that there must be, and against the units that were searched twice on purpose. No
//! scheduler of our own: `cluster` writes what Slurm and GNU parallel read. docs/CLUSTER.md is the page for users.

pub mod cluster;
pub mod costs;
mod links;
pub mod matches;
pub mod merge;
pub mod pack;
pub mod shard;

pub use crate::Error;
