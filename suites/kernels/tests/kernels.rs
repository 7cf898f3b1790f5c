//! Every kernel works, and the search by hand visits the tree of the host without methods.

use secateur_benches::plain::Plain;
use secateur_benches::{HOSTS, METHODS, PARTS, POSITIONS, TIMES, kernel};
use secateur_core::Game;
use secateur_core::search::{Budget, Options, Search};
use secateur_games::{chess::Chess, othello::Othello};

#[test]
fn every_kernel_works_and_full_width_is_one_tree() {
    for game in [Othello::NAME, Chess::NAME] {
        let units = |what: &str| kernel(&format!("{game} {what}"))();
        let trees: Vec<u64> = HOSTS.iter().map(|host| units(host)).collect();
        assert!(trees.iter().all(|&nodes| nodes == trees[0] && nodes > 1_000), "{game}: {trees:?}");
        assert!(METHODS.iter().all(|methods| units(methods) > 0));
        assert!(PARTS.iter().all(|part| units(part) >= (TIMES * POSITIONS) as u64));
    }
}

fn same_as_the_host<G: Game>(game: &G, set: &str, depth: i32) {
    let options = Options::default();
    let mut host = Search::full_width(game.clone(), options.clone());
    let mut plain = Plain::new(game.clone(), options.table_mib);
    for entry in secateur_positions::builtin(game, set).unwrap().entries.iter().step_by(7).take(6) {
        let root = game.parse(&entry.position).unwrap();
        let outcome = host.run(&root, &Budget::Depth(depth));
        assert_eq!(plain.run(&root, depth), outcome.last().score, "{}", entry.id);
        assert_eq!(plain.nodes, outcome.tally.nodes, "{}", entry.id);
        assert_eq!(plain.line(), outcome.last().pv, "{}", entry.id);
        assert_eq!(plain.seldepth(), outcome.last().seldepth, "{}", entry.id);
    }
}

#[test]
fn the_tree_is_that_of_the_host_without_methods() {
    same_as_the_host(&Othello::default(), "othello-28", 7);
    same_as_the_host(&Othello::default(), "othello-44", 8);
    same_as_the_host(&Chess::default(), "bratko-kopec", 5);
}
