//! Othello.
