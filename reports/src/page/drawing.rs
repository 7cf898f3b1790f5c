//! What pictures of boards have in common: the size of a square, and how a move is drawn. Left out: boards and pieces.

use std::fmt::Write;

/// Width of a square.
pub(crate) const CELL: f64 = 24.0;

/// A move over the middles of squares, the first with whole lines, the second with broken ones.
pub(crate) fn draw_move(svg: &mut String, way: &[(f64, f64)], index: usize) {
    let (colour, dash) = if index == 0 { ("#0072b2", "") } else { ("#d55e00", ";stroke-dasharray:5 3") };
    for step in way.windows(2) {
        let ((x1, y1), (x2, y2)) = (step[0], step[1]);
        let _ = writeln!(
            svg,
            "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" style=\"stroke:{colour};stroke-width:3.5{dash}\"/>"
        );
    }
    if let Some((x, y)) = way.last() {
        let radius = if index == 0 { 10.5 } else { 7.5 };
        let _ = writeln!(
            svg,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" style=\"fill:none;stroke:{colour};stroke-width:3{dash}\"/>"
        );
    }
}
