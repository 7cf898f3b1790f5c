//! What a reader meets first of a run: the answer on a terminal, and the page.
//!
//! Both are pure functions of records, as all reports are, and leave out what few want to know at once: that is in
//! `secateur-reports`, whose tables the page folds below and `report --full` prints.

mod asked;
mod board;
pub mod brief;
pub mod changes;
pub mod html;
mod matrix;
pub mod plots;
mod worth;

use maud::{Markup, html};

/// A text to be copied, with a button that does it.
fn copied(text: &str) -> Markup {
    html! { div.copy { pre { code { (text) } } button type="button" data-copy="" { "copy" } } }
}
