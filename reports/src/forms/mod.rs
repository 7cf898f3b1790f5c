//! Other forms of a report: for papers (LaTeX), for programs (tidy CSV, JSON).
//!
//! The terminal's and the Markdown form are in [`crate::render`], the page in [`crate::html`].

pub mod latex;
pub mod tidy;

pub use latex::latex;
pub use tidy::{csv, json};
