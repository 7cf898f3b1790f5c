//! The commands through the binary, in one program: each further one would link all of secateur again.

mod analysis;
mod commands;
mod common;
mod counts;
mod engine_repo;
mod evidence;
mod gate;
mod input;
mod output;
mod pages;
mod play;
mod programs;
mod readers;
mod report;
mod runs;
mod shards;
mod speed;
mod subjects;
mod worth;
mod wthor;
