//! The commands through the binary, in one program: each further one would link all of secateur again.

mod analysis;
mod commands;
mod common;
mod compare;
mod engine_repo;
mod evidence;
mod gate;
mod history;
mod input;
mod lineup;
mod output;
mod pages;
mod play;
mod printed;
mod readers;
mod readme;
mod report;
mod runs;
mod shards;
mod solved;
mod speed;
mod subjects;
mod wthor;
