//! What was found in studies and experiments that this repository keeps: rows of committed tables, their tables and pictures.

pub mod check_gains;
pub mod evaluation;
pub mod fits;
pub mod forecast;
pub mod foretell;
pub mod how_many;
pub mod peer_answers;
pub mod releases;
pub mod slopes;
pub mod transfer;
