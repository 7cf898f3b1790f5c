//! Pruning methods.
