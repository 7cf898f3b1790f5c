//! Razoring: near the horizon, a hopeless node is searched less.
//!
//! Limited: Heinz 1998 ("Extended futility pruning", limited razoring). At depth 3, if balance + margin <= alpha, the depth
//! becomes 2, where futility may go on. His program does not razor with three or fewer opposing pieces; that guard is left out
//! here, so in such endings this form is bolder than his. A blog of 2007 (Pettersson) has the evaluation and about a queen in
//! place of balance and margin. Into quiescence (chess programs since Birmingham & Kent 1977; the modern form that Stockfish
//! has): up to a depth, if evaluation + margin < beta, the quiescence search decides, and cuts if it stays below beta too.
//! Truncation (Cake, Fierz 2001: `cakepp.c` 1.20 and its `switches.h`): at every depth, a node whose balance lies outside the
//! window by a margin is searched half plies less, as is every such node after it, and all of that is given back as soon as the
//! balance is within again. There the plies are fractions, what is given back may carry a line over its horizon, and a game with
//! few pieces is not truncated at all; here whole plies count, a line never passes its horizon, and pieces are not counted. Left
//! out: deep razoring (Heinz's outlook, depths above 3).

use super::futility::{Base, Reach};
use super::{Asks, Calibration, Depths, Guards, Method, Place, Prune, SetupError, Verdict};
use crate::game::Game;
use crate::score::{Depth, Score, Window};
use crate::search::{Claim, Kind, Node, PLIES, Search};
use serde::{Deserialize, Serialize};

/// The depth at which a node is razored by the limited form, plies.
const DEPTH: Depth = Depth(3);
/// A cell for each ply: half plies that the line to the node, and the node, were truncated by.
const CELLS: usize = PLIES;

/// Parameters of razoring.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Params {
    /// Margin of the limited form at depth 3: score units, or a fitted quantile.
    pub margin: Reach,
    /// What that margin is added to.
    #[serde(default)]
    pub base: Base,
    /// Margins at depths 1, 2 and so on of the form that drops into quiescence, score units; empty switches it off.
    #[serde(default)]
    pub quiescence: Vec<i32>,
    /// The form that truncates.
    #[serde(default)]
    pub truncation: Truncation,
    /// The guards that all methods share.
    #[serde(default)]
    pub guards: Guards,
}

/// The form that truncates at every depth and gives back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Truncation {
    /// How far outside the window the balance lies where a node is truncated, score units; 32,000 and more switches the form off.
    pub margin: i32,
    /// Half plies by which it is, at least 0.
    pub half_plies: i32,
}

impl Default for Truncation {
    fn default() -> Truncation {
        Truncation { margin: Score::INFINITE.0, half_plies: 3 }
    }
}

/// Razoring: limited, into quiescence, and truncation.
#[derive(Clone, Debug)]
pub struct Razoring {
    margins: Vec<i32>,
    params: Params,
}

impl Method for Razoring {
    const NAME: &'static str = "razoring";
    const CELLS: usize = CELLS;
    type Params = Params;

    fn new(params: &Params, calibration: &Calibration, stages: usize) -> Result<Self, SetupError> {
        let margins = params.margin.by_stage::<Self>(DEPTH.0, calibration, stages)?;
        for margin in &params.quiescence {
            Self::require(*margin >= 0, format_args!("quiescence margin {margin}: expected at least 0"))?;
        }
        let Truncation { margin, half_plies } = params.truncation;
        Self::require(
            margin >= 0 && half_plies >= 0,
            format_args!("truncation margin {margin}, half-plies {half_plies}: expected at least 0"),
        )?;
        Ok(Razoring { margins, params: params.clone() })
    }
}

impl<G: Game> Prune<G> for Razoring {
    fn asks(&self) -> Asks {
        let truncates = Depths::ALL.when(self.params.truncation.margin < Score::INFINITE.0);
        let drops = self.params.quiescence.len() as i32;
        let least = if drops > 0 { 1 } else { DEPTH.0 };
        Asks {
            approach: truncates,
            enter: Depths { from: least, to: drops.max(DEPTH.0) },
            extend: truncates,
            ..Asks::guarded::<Self>(&self.params.guards)
        }
    }

    #[inline]
    fn approach(&self, search: &mut Search<'_, G>, place: Place, node: &mut Node<'_, G>, _: bool) {
        let before = pending(search, place, node);
        let after = self.truncated(search, node, before);
        let counter = search.count(place, node);
        counter.tries += 1;
        if after > before {
            counter.cuts_low += 1;
        }
        node.depth = Depth((node.depth.0 + before / 2 - after / 2).max(1));
        note(search, place, node, after);
    }

    /// Says again what the moves of the node begin from: a search of the same node in between has said what it begins from.
    #[inline]
    fn extend(
        &self,
        search: &mut Search<'_, G>,
        place: Place,
        node: &Node<'_, G>,
        _: G::Move,
        _: usize,
    ) -> i32 {
        let before = pending(search, place, node);
        let after = self.truncated(search, node, before);
        note(search, place, node, after);
        0
    }

    #[inline]
    fn enter(&self, search: &mut Search<'_, G>, place: Place, node: &Node<'_, G>) -> Verdict {
        let drops = node.depth.0 as usize <= self.params.quiescence.len();
        if !(drops || node.depth == DEPTH) || self.params.guards.bar(node, &search.game) {
            return Verdict::Go;
        }
        if drops && let Verdict::Cut(score) = self.drop(search, place, node) {
            return Verdict::Cut(score);
        }
        if node.depth == DEPTH { self.shorten(search, place, node) } else { Verdict::Go }
    }
}

/// Half plies by which the line to a node was truncated.
#[inline]
fn pending<G: Game>(search: &mut Search<'_, G>, place: Place, node: &Node<'_, G>) -> i32 {
    search.learnt(place)[node.ply as usize - 1]
}

/// Notes what the line below a node was truncated by. Behind its last ply nothing can be given back.
#[inline]
fn note<G: Game>(search: &mut Search<'_, G>, place: Place, node: &Node<'_, G>, half_plies: i32) {
    search.learnt(place)[node.ply as usize] = if node.depth.0 > 1 { half_plies } else { 0 };
}

impl Razoring {
    /// Half plies by which a line is truncated from this node on: more outside the window, none within, and as many as `before`
    /// where a guard stands.
    #[inline]
    fn truncated<G: Game>(&self, search: &Search<'_, G>, node: &Node<'_, G>, before: i32) -> i32 {
        if self.params.guards.bar(node, &search.game) {
            return before;
        }
        let (balance, Truncation { margin, half_plies }) =
            (node.balance(&search.game).0, self.params.truncation);
        let Window { alpha, beta } = node.window;
        if balance < alpha.0 - margin || balance > beta.0 + margin { before + half_plies } else { 0 }
    }

    /// The limited form.
    #[inline]
    fn shorten<G: Game>(&self, search: &mut Search<'_, G>, place: Place, node: &Node<'_, G>) -> Verdict {
        let margin = self.margins[node.stage(&search.game)];
        if margin >= Score::INFINITE.0 {
            return Verdict::Go;
        }
        search.count(place, node).tries += 1;
        let alpha = node.window.alpha;
        if self.params.base.value(node, &search.game).0 + margin > alpha.0 {
            return Verdict::Go;
        }
        search.claim(place, node, Claim::AtMost(alpha));
        Verdict::Shorten(DEPTH - 1)
    }

    /// The form that asks quiescence. Only in a null window: in an open one its value would have to be exact.
    fn drop<G: Game>(&self, search: &mut Search<'_, G>, place: Place, node: &Node<'_, G>) -> Verdict {
        let alpha = node.window.alpha;
        let margin = self.params.quiescence[node.depth.0 as usize - 1];
        if !node.window.is_null() || node.evaluation(&search.game).0 + margin > alpha.0 {
            return Verdict::Go;
        }
        search.count(place, node).tries += 1;
        let path = node.path.probe(0, Kind::All);
        let value = search.probe_here(place, node, Depth(0), Window::at_most(alpha), path);
        if value > alpha {
            return Verdict::Go;
        }
        self.params.guards.cut(search, place, node, Claim::AtMost(alpha), value)
    }
}
