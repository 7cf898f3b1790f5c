//! A method of your own: the plausible-move widths of Greenblatt's program, linked into secateur's chess.
//!
//! Source: Greenblatt, Eastlake & Crocker 1967 ("The Greenblatt chess program"), Shannon's type B (1950): only the
//! first so many moves of the order are searched, fewer the farther from the root; in tournaments 15 at the first two
//! plies, 9 at the next two, then 7. His generator ranked moves by their plausibility; here the host's order does,
//! captures and checks are always searched (his program went after them in other ways), and so are all moves at the
//! root and on the principal variation. `none`, the method, null move and both are searched, with counters and an
//! audit of one cut in sixteen. Left out: a table apart for every ply. A transposition between plies of one iteration,
//! which null moves make, can bring a value with the width of another ply.

use secateur::prelude::*;
use serde::{Deserialize, Serialize};
use std::error::Error;

/// How many moves are searched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
struct Widths {
    /// One and two plies from the root.
    near: usize,
    /// Three and four plies from it.
    middle: usize,
    /// Farther away.
    far: usize,
    /// The guards that all methods share.
    guards: Guards,
}

impl Default for Widths {
    fn default() -> Widths {
        Widths { near: 15, middle: 9, far: 7, guards: Guards::default() }
    }
}

/// The method.
#[derive(Clone, Debug)]
struct Plausible(Widths);

impl Method for Plausible {
    const NAME: &'static str = "plausible";
    type Params = Widths;

    fn new(params: &Widths, _: &Calibration, _: usize) -> Result<Plausible, SetupError> {
        let message = || "a width of 0: expected at least one move".to_owned();
        let empty = [params.near, params.middle, params.far].contains(&0);
        (!empty)
            .then(|| Plausible(params.clone()))
            .ok_or_else(|| SetupError { method: Plausible::NAME, message: message() })
    }
}

// method begins
impl<G: Game> Prune<G> for Plausible {
    fn asks(&self) -> Asks {
        Asks { skip: Depths::ALL, ..Asks::guarded::<Self>(&self.0.guards) }
    }

    fn plan(&self, search: &mut Search<'_, G>, _: Place, node: &Node<'_, G>, _: Score) -> SkipPlan {
        if self.0.guards.bar_whatever_bound(node, &search.game) {
            return SkipPlan::NONE;
        }
        SkipPlan::from(match node.ply {
            0 => return SkipPlan::NONE,
            1 | 2 => self.0.near,
            3 | 4 => self.0.middle,
            _ => self.0.far,
        })
    }

    fn skip(
        &self,
        search: &mut Search<'_, G>,
        place: Place,
        node: &Node<'_, G>,
        alpha: Score,
        mv: G::Move,
        _: usize,
    ) -> Option<Score> {
        if self.0.guards.bar_bound::<G>(alpha)
            || search.game.tactical(node.pos, mv)
            || search.game.gives_check(node.pos, mv)
        {
            return None;
        }
        search.count(place, node).tries += 1;
        search.claim_move(place, node, mv, alpha);
        Some(alpha)
    }
}
// method ends

fn main() -> Result<(), Box<dyn Error>> {
    // glue begins
    Registration::<Plausible>::new().game::<Chess>().register();
    let experiment = Experiment::of("chess").positions("bratko-kopec").limit(4).depth(6).audit(16);
    let runs = experiment.clone().factorial("null-move,plausible").run()?;
    println!("{}", report::full(&runs));
    // glue ends

    let cuts = |arm: &str| {
        let of_arm =
            runs.rows.counters.iter().filter(|row| row.methods == arm && row.method == Plausible::NAME);
        of_arm.fold((0, 0), |sum, row| (sum.0 + row.cuts_low, sum.1 + row.audited))
    };
    for arm in ["plausible", "null-move+plausible"] {
        let (cuts, audited) = cuts(arm);
        assert!(cuts > 1_000 && audited > 0, "{arm}: {cuts} cuts, {audited} audited");
    }
    assert_eq!(cuts("none"), (0, 0), "off is absent");
    // Wider than any position of chess is as good as no method, node for node.
    let wide = "plausible[near=250,middle=250,far=250]";
    let all = experiment.arms(["none", wide]).run()?;
    assert!(!all.trees(wide).is_empty());
    assert_eq!(all.trees(wide), all.trees("none"));
    assert_eq!(all.trees("none"), runs.trees("none"));
    Ok(())
}
