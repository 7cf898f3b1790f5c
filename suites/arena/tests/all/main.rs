//! What needs the program `secateur-uci`, in one program of tests: each further one would link the arena again.

mod shared_games;
mod uci_program;
