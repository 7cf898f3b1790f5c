//! Schedulers of others: what they are told, and what came of it.
//!
//! A cluster folder lies on a disk that all nodes share. It has the program, the costs by which all shards divide, a script
//! that any scheduler can start with a number, a run folder a shard, and the packs of those that are finished. What is done
//! is read from these packs alone, never from a scheduler's word. Left out: a scheduler of our own, and disks that nodes do
//! not share; packs may be carried by whatever carries files.

mod carry;
mod folder;
mod parallel;
mod slurm;
mod status;

pub use carry::carry;
pub use folder::{Folder, Scheduler, Settings};
pub use parallel::parallel;
pub use slurm::{Queued, Told, most_tasks, queue, submit};
pub use status::{State, Status, status};
