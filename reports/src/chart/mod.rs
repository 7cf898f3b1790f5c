//! The pictures of the HTML report next to those of `trade_off` and [`crate::scatter`]. What is drawn is here, how
//! is in `svg`.

pub(crate) mod depths;
pub(crate) mod latency;
pub mod lines;
pub mod plot;
pub mod scale;
pub(crate) mod speedups;

#[cfg(test)]
mod tests;
