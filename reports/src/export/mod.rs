//! Other forms of a report: for papers (LaTeX), for programs (tidy CSV, JSON).
//!
//! The terminal's and the Markdown form are in [`crate::render`], the page in `secateur-reports`.

pub mod csv_json;
pub mod latex;

pub use csv_json::{SCHEMA, csv, json};
pub use latex::latex;
