//! What was found in studies and experiments that this repository keeps: rows of committed tables, their tables and pictures.

pub mod check_gains;
pub mod dice;
pub mod effort;
pub mod evaluation;
pub mod fits;
pub mod forecast;
pub mod foretell;
pub mod how_many;
pub mod left_out;
pub mod peer_answers;
pub mod published;
pub mod releases;
pub mod slopes;
pub mod transfer;
