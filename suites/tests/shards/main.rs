//! Shards and their merge: what is put together is the run in one piece, and what does not belong together is refused.

mod common;
mod merge;
mod refused;
