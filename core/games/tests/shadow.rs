//! A searcher that is asked at the nodes of another (`Search::would`) changes nothing there, and says what it would say in
//! the other's place.

mod common;

use common::{eager, random_positions};
use secateur_core::prune::{
    Asks, Calibration, Method, MultiCut, NullMove, Prune, ReverseFutility, Roll, Switched, Verdict,
};
use secateur_core::search::{Budget, Node, Options, Search};
use secateur_core::{Depth, Game, Moves};
use secateur_games::chess::Chess;
use std::cell::{Cell, RefCell};

type Three = (Switched<ReverseFutility>, (Switched<NullMove>, Switched<MultiCut>));

/// One of the three methods switched on, by its place.
fn three(on: usize) -> Three {
    fn switched<M: Method>(params: &M::Params, on: bool) -> Switched<M> {
        let method = M::new(params, &Calibration::default(), 1).expect("parameters in range");
        Switched { method: on.then_some(method), guards: M::guards(params) }
    }
    let params = eager();
    (
        switched(&params.reverse_futility, on == 0),
        (switched(&params.null_move, on == 1), switched(&params.multi_cut, on == 2)),
    )
}

/// A method with a shadow that is asked at each of its nodes.
struct Watched<'a> {
    real: &'a Three,
    shadow: RefCell<Search<'a, Chess, Three>>,
    /// Nodes at which both were asked, the shadow cut, and both said the same.
    asked: Cell<[u64; 3]>,
}

impl Watched<'_> {
    fn compare<P: Prune<Chess>>(&self, search: &Search<'_, Chess, P>, node: &Node<'_, Chess>, said: Verdict) {
        let verdict = self.shadow.borrow_mut().would(search, node);
        let [asked, cut, same] = self.asked.get();
        let cuts = matches!(verdict, Verdict::Cut(_));
        self.asked.set([asked + 1, cut + u64::from(cuts), same + u64::from(verdict == said)]);
    }
}

impl Prune<Chess> for Watched<'_> {
    const ROLL: &'static Roll = <Three as Prune<Chess>>::ROLL;

    fn enter<P: Prune<Chess>>(&self, search: &mut Search<'_, Chess, P>, node: &Node<'_, Chess>) -> Verdict {
        let verdict = self.real.enter(search, node);
        self.compare(search, node, verdict);
        verdict
    }

    fn branch<P: Prune<Chess>>(
        &self,
        search: &mut Search<'_, Chess, P>,
        node: &Node<'_, Chess>,
        moves: &mut Moves<Chess>,
    ) -> Verdict {
        self.real.branch(search, node, moves)
    }

    fn asks(&self) -> Asks {
        Prune::<Chess>::asks(self.real).or(Asks { line: true, evaluations: true, ..Asks::default() })
    }

    fn sensitive_from(&self) -> Depth {
        Prune::<Chess>::sensitive_from(self.real)
    }

    fn acts_from(&self) -> Depth {
        Prune::<Chess>::acts_from(self.real)
    }

    fn branches(&self) -> bool {
        Prune::<Chess>::branches(self.real)
    }
}

const START: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// Searches with `real` and asks `other` at every node; the sums of [`Watched::asked`].
fn asked(real: usize, other: usize) -> [u64; 3] {
    let (game, real, other) = (Chess::default(), three(real), three(other));
    let options = Options { table_mib: 1, ..Options::default() };
    let shadow = RefCell::new(Search::new(game.clone(), &other, options.clone()));
    let watched = Watched { real: &real, shadow, asked: Cell::default() };
    for pos in random_positions(&game, START, 8, 17) {
        let depth = Budget::Depth(4);
        let alone = Search::new(game.clone(), &real, options.clone()).run(&pos, &depth);
        let found = Search::new(game.clone(), &watched, options.clone()).run(&pos, &depth);
        assert_eq!(found.iterations, alone.iterations, "{}", game.name());
        assert_eq!(found.tally.nodes, alone.tally.nodes);
        let counted = |tally: &secateur_core::search::Tally| tally.active().collect::<Vec<_>>();
        assert_eq!(counted(&found.tally), counted(&alone.tally));
    }
    watched.asked.get()
}

/// What goes by the node alone says the same in the shadow, at every node: cuts, claims and all.
#[test]
fn a_method_without_probes_is_its_own_shadow() {
    let [nodes, cuts, same] = asked(0, 0);
    assert_eq!(same, nodes);
    assert!(cuts > 1_000, "{cuts} of {nodes}");
}

/// Other methods are asked too, at `enter` and `branch`, with searches of their own.
#[test]
fn other_methods_are_asked_without_a_trace() {
    for (real, other) in [(0, 1), (0, 2), (1, 0), (1, 2), (2, 1)] {
        let [nodes, cuts, _] = asked(real, other);
        assert!(cuts > 100 && cuts < nodes, "{real}, {other}: {cuts} of {nodes}");
    }
}
