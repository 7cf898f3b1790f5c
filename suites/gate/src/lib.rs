//! Exact costs: instructions counted by a program of its own, and the gate, which compares them and every tree with
//! the baseline.
//!
//! Benches that people look at are left out: their tools are large (`suites/kernels`).

pub mod doctor;
pub mod exact;
pub mod explain;
pub mod gate;
pub mod instructions;
