//! Capture ProbCut: a capture that wins enough in a reduced search to clear beta by a margin.
//!
//! Source: Stockfish (Kiiski 2011; Costalba & Garms's version of the same year; quiescence first since 2018; the value less
//! the margin returned since 2023; a check whose depth goes by the evaluation since 2025). It shares a name with Buro's ProbCut but has no regression, tests beta only and tries
//! captures only. Guards found the hard way there: the raised bound stays below the proven scores, and the table is told of
//! no deeper search than there was. In Othello, which has no captures, it never fires. Left out: singular and excluded
//! moves, which the host does not have.

use super::{Asks, Calibration, Depths, Guards, Method, Place, Prune, SetupError, Verdict, pick_in_order};
use crate::game::{Game, Moves};
use crate::score::{Depth, Score, Window};
use crate::search::{Claim, Kind, Node, Search};
use serde::{Deserialize, Serialize};

/// Parameters of capture ProbCut.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Params {
    /// How far above beta the reduced search must come, score units; 32,000 and more switches the method off.
    pub margin: i32,
    /// Plies by which the reduced search is shallower than the node, at least 1; the capture is one of them.
    pub reduction: i32,
    /// Least depth, plies; more than `reduction`, so that there is a search.
    pub min_depth: i32,
    /// Score units by which the static evaluation exceeds beta for each ply that the reduced search is shallower yet, down to
    /// quiescence alone; as far below beta it is a ply deeper, once. 0 is never.
    #[serde(default)]
    pub growth: i32,
    /// The guards that all methods share. Here a cut is not stored at the node's depth, as in the source, unless this says
    /// so.
    #[serde(default = "unstored")]
    pub guards: Guards,
}

fn unstored() -> Guards {
    Guards { store: false, ..Guards::default() }
}

/// ProbCut of captures.
#[derive(Clone, Debug)]
pub struct CaptureProbCut(Params);

impl Method for CaptureProbCut {
    const NAME: &'static str = "capture-probcut";
    const MARKS: u32 = 1;
    type Params = Params;

    fn new(params: &Params, _: &Calibration, _: usize) -> Result<Self, SetupError> {
        let Params { margin, reduction, min_depth, growth, .. } = *params;
        if margin < 0 || reduction < 1 || min_depth <= reduction || growth < 0 {
            let message = format!(
                "margin {margin}, reduction {reduction}, min-depth {min_depth}, growth {growth}: \
                 expected margin and growth >= 0, reduction >= 1 and min-depth > reduction"
            );
            return Err(SetupError { method: Self::NAME, message });
        }
        params.guards.refuse_last(Self::NAME)?;
        Ok(CaptureProbCut(params.clone()))
    }
}

impl<G: Game> Prune<G> for CaptureProbCut {
    fn asks(&self) -> Asks {
        let Params { margin, min_depth, guards, .. } = &self.0;
        Asks {
            branch: Depths::from(*min_depth),
            sensitive_from: Depth(if *margin >= Score::INFINITE.0 { i32::MAX } else { *min_depth }),
            ..Asks::guarded::<Self>(guards)
        }
    }

    #[inline]
    fn branch(
        &self,
        search: &mut Search<'_, G>,
        place: Place,
        node: &Node<'_, G>,
        moves: &mut Moves<G>,
    ) -> Verdict {
        let Params { margin, ref guards, .. } = self.0;
        let raised = Score(node.window.beta.0 + margin);
        if raised >= G::DECISIVE || node.path.is_inside(place.mark) || guards.bar(node, &search.game) {
            return Verdict::Go;
        }
        self.try_captures(search, place, node, moves, raised)
    }
}

impl CaptureProbCut {
    /// Depth of the reduced search at a node of this depth whose static evaluation lies `ahead` of beta, plies.
    fn reduced(&self, depth: Depth, ahead: Score) -> Depth {
        let Params { reduction, growth, .. } = self.0;
        let more = if growth > 0 { (ahead.0 / growth).max(-1) } else { 0 };
        Depth((depth.0 - reduction - more).clamp(0, depth.0 - 1))
    }

    #[inline(never)]
    fn try_captures<G: Game>(
        &self,
        search: &mut Search<'_, G>,
        place: Place,
        node: &Node<'_, G>,
        moves: &mut Moves<G>,
        raised: Score,
    ) -> Verdict {
        let evaluation = node.evaluation(&search.game);
        let lacking = Score(raised.0 - evaluation.0);
        let depth = self.reduced(node.depth, Score(evaluation.0 - node.window.beta.0));
        let path = node.path.probe(place.mark, Kind::All);
        for index in 0..moves.len() {
            let mv = pick_in_order::<G>(moves, index);
            if !search.game.tactical(node.pos, mv) || !search.game.exchange_reaches(node.pos, mv, lacking) {
                continue;
            }
            search.count(place, node).tries += 1;
            let child = search.game.play(node.pos, mv);
            let window = -Window::at_least(raised);
            let mut value = search.probe_child(place, node, Some(mv), &child, Depth(0), window, path);
            if value >= raised && depth.0 > 0 {
                value = search.probe_child(place, node, Some(mv), &child, depth, window, path);
            }
            if search.is_stopped() {
                return Verdict::Go;
            }
            if value >= raised {
                let beta = node.window.beta;
                // Less the margin it is still a bound of the search that was made, and no mate that nobody has proven.
                let score = Score(value.0 - self.0.margin).min(G::DECISIVE - Score(1)).max(beta);
                return self.0.guards.cut(search, place, node, Claim::AtLeast(beta), score);
            }
        }
        Verdict::Go
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_check_is_shallower_the_farther_the_evaluation_is_ahead() {
        let depths = |growth| {
            let params = Params { margin: 100, reduction: 3, min_depth: 4, growth, guards: unstored() };
            let method = CaptureProbCut::new(&params, &Calibration::default(), 1).unwrap();
            [-900, -150, -149, 0, 149, 150, 300, 900].map(|ahead| method.reduced(Depth(6), Score(ahead)).0)
        };
        assert_eq!(depths(0), [3; 8]);
        assert_eq!(depths(150), [4, 4, 3, 3, 3, 2, 1, 0]);
        let params = Params { margin: 100, reduction: 1, min_depth: 2, growth: 10, guards: unstored() };
        let method = CaptureProbCut::new(&params, &Calibration::default(), 1).unwrap();
        assert_eq!(method.reduced(Depth(2), Score(-500)), Depth(1), "the capture is a ply");
        assert!(CaptureProbCut::new(&Params { growth: -1, ..params }, &Calibration::default(), 1).is_err());
    }
}
