//! Capture ProbCut: a capture that wins enough in a reduced search to clear beta by a margin.
//!
//! Source: Stockfish (Kiiski 2011; Costalba & Garms's version of the same year; quiescence first since 2018; the value less
//! the margin returned since 2023). It shares a name with Buro's ProbCut but has no regression, tests beta only and tries
//! captures only. Guards found the hard way there: the raised bound stays below the proven scores, and the table gets
//! no deeper search than there was. In Othello, which has no captures, it never fires. Left out: singular and excluded
//! moves, which the host does not have.
//! Growth: Stockfish 7a07ac0e7 (Triller, August 2025) let the depth of the check go by the static evaluation, 383358386 (VandeVondele,
//! September 2025) bounded how much deeper it gets, 77d46ff61 (Monroe, February 2026) took it out again.
//! Surplus: adaptive ProbCut, an idea of cj5716: what quiescence finds beyond the raised bound lowers the depth of the check and raises its
//! bound (Viridithas 8bc07064 and Reckless 789de89, `src/search.rs`, both of August 2026). Left out of theirs: the table's word
//! against a check, and a margin that goes by whether the mover improves.

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
    /// quiescence alone; for each such step below beta it is a ply deeper. 0 is never.
    #[serde(default)]
    pub growth: i32,
    /// Most plies by which `growth` makes the reduced search deeper, at least 0; it is never as deep as the node.
    #[serde(default = "one")]
    pub growth_deeper: i32,
    /// What quiescence finds beyond the raised bound.
    #[serde(default)]
    pub surplus: Surplus,
    /// The guards that all methods share. Here a cut is not stored at the node's depth, as in the source, unless this says
    /// so.
    #[serde(default = "unstored")]
    pub guards: Guards,
}

fn one() -> i32 {
    1
}

/// How the reduced search of a capture goes by what quiescence finds beyond the raised bound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Surplus {
    /// Score units beyond the bound for each ply that the search is shallower; 0 switches the form off.
    pub step: i32,
    /// Score units beyond the bound that count for nothing, at least 0.
    pub offset: i32,
    /// Most plies by which the search is shallower, at least 0.
    pub most: i32,
    /// Score units by which the bound rises for each of these plies, at least 0. A search that fails against the higher bound is made
    /// again at the usual depth against the usual bound.
    pub raise: i32,
}

impl Surplus {
    /// Plies that quiescence's value, `beyond` score units above the bound, takes off a search of this depth.
    fn plies(&self, beyond: Score, depth: Depth) -> i32 {
        let Surplus { step, offset, most, .. } = *self;
        let plies = if step > 0 { (beyond.0 - offset) / step } else { 0 };
        plies.clamp(0, most.min(depth.0))
    }
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
        let Params { margin, reduction, min_depth, growth, growth_deeper, surplus, .. } = *params;
        Self::require(
            margin >= 0 && reduction >= 1 && min_depth > reduction && growth >= 0 && growth_deeper >= 0,
            format_args!(
                "margin {margin}, reduction {reduction}, min-depth {min_depth}, growth {growth}, growth-deeper {growth_deeper}: \
                 expected margin, growth and growth-deeper >= 0, reduction >= 1 and min-depth > reduction"
            ),
        )?;
        let Surplus { step, offset, most, raise } = surplus;
        Self::require(
            step >= 0 && offset >= 0 && most >= 0 && raise >= 0,
            format_args!(
                "surplus step {step}, offset {offset}, most {most}, raise {raise}: expected numbers >= 0"
            ),
        )?;
        params.guards.refuse_last::<Self>()?;
        Ok(CaptureProbCut(params.clone()))
    }
}

impl<G: Game> Prune<G> for CaptureProbCut {
    fn asks(&self) -> Asks {
        let Params { margin, min_depth, guards, .. } = &self.0;
        Asks {
            branch: Depths::from(*min_depth),
            sensitive: Depths::from(*min_depth).when(*margin < Score::INFINITE.0),
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
        let Params { reduction, growth, growth_deeper, .. } = self.0;
        let less = if growth > 0 { (ahead.0 / growth).max(-growth_deeper) } else { 0 };
        Depth((depth.0 - reduction - less).clamp(0, depth.0 - 1))
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
            let mut reach = |depth: Depth, bound: Score| {
                let window = -Window::at_least(bound);
                search.probe_child(place, node, Some(mv), &child, depth, window, path)
            };
            let mut value = reach(Depth(0), raised);
            let mut bound = raised;
            let less = self.0.surplus.plies(Score(value.0 - raised.0), depth);
            if value >= raised && depth.0 > less {
                bound = Score(raised.0 + less * self.0.surplus.raise).min(G::DECISIVE - Score(1));
                value = reach(Depth(depth.0 - less), bound);
                if value < bound && bound > raised {
                    bound = raised;
                    value = reach(depth, bound);
                }
            }
            if search.is_stopped() {
                return Verdict::Go;
            }
            if value >= bound {
                let beta = node.window.beta;
                // Less what was asked beyond beta it is still a bound of the search that was made, and no unproven mate.
                let score = Score(value.0 - (bound.0 - beta.0)).min(G::DECISIVE - Score(1)).max(beta);
                return self.0.guards.cut(search, place, node, Claim::AtLeast(beta), score);
            }
        }
        Verdict::Go
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn params() -> Params {
        Params {
            margin: 100,
            reduction: 3,
            min_depth: 4,
            growth: 0,
            growth_deeper: 1,
            surplus: Surplus::default(),
            guards: unstored(),
        }
    }

    fn made(params: &Params) -> Result<CaptureProbCut, SetupError> {
        CaptureProbCut::new(params, &Calibration::default(), 1)
    }

    #[test]
    fn the_check_is_shallower_the_farther_the_evaluation_is_ahead() {
        let depths = |growth, growth_deeper| {
            let method = made(&Params { growth, growth_deeper, ..params() }).unwrap();
            [-900, -300, -150, -149, 0, 149, 150, 300, 900]
                .map(|ahead| method.reduced(Depth(6), Score(ahead)).0)
        };
        assert_eq!(depths(0, 1), [3; 9]);
        assert_eq!(depths(150, 1), [4, 4, 4, 3, 3, 3, 2, 1, 0]);
        assert_eq!(depths(150, 99), [5, 5, 4, 3, 3, 3, 2, 1, 0], "as far as the capture's own ply");
        assert_eq!(depths(150, 0), [3, 3, 3, 3, 3, 3, 2, 1, 0]);
        let narrow = Params { reduction: 1, min_depth: 2, growth: 10, ..params() };
        assert_eq!(made(&narrow).unwrap().reduced(Depth(2), Score(-500)), Depth(1), "the capture is a ply");
        assert!(made(&Params { growth: -1, ..params() }).is_err());
        assert!(made(&Params { growth_deeper: -1, ..params() }).is_err());
    }

    #[test]
    fn the_more_quiescence_finds_the_shallower_is_the_check() {
        let surplus = Surplus { step: 100, offset: 30, most: 3, raise: 80 };
        let plies = |surplus: Surplus, depth| {
            [-500, 0, 129, 130, 229, 230, 330, 900].map(|beyond| surplus.plies(Score(beyond), Depth(depth)))
        };
        assert_eq!(plies(surplus, 6), [0, 0, 0, 1, 1, 2, 3, 3]);
        assert_eq!(plies(surplus, 2), [0, 0, 0, 1, 1, 2, 2, 2]);
        assert_eq!(plies(Surplus { step: 0, ..surplus }, 6), [0; 8]);
        for surplus in [
            Surplus { step: -1, ..surplus },
            Surplus { offset: -1, ..surplus },
            Surplus { most: -1, ..surplus },
            Surplus { raise: -1, ..surplus },
        ] {
            let error = made(&Params { surplus, ..params() }).unwrap_err();
            assert!(error.to_string().contains("expected numbers >= 0"), "{error}");
        }
    }
}
