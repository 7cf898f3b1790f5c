//! Training depends on its seeds and not on threads, and sees no built-in position.

use super::*;
use secateur_core::Rules;

fn small(threads: usize) -> TrainSettings {
    let play = SelfPlay { games: 24, seed: 5, threads, generations: 2 };
    TrainSettings { play, nodes: 150, ..TrainSettings::default() }
}

#[test]
fn threads_and_keeping_change_nothing_and_seeds_do() {
    let mut told = 0;
    let one = train(&small(1), &mut |_| told += 1).expect("valid settings");
    let folder = tempfile::tempdir().expect("a folder");
    let kept = TrainSettings { keep: Some(folder.path().join("kept")), ..small(3) };
    let three = train(&kept, &mut |_| {}).expect("valid settings");
    assert_eq!(one.bytes, three.bytes);
    assert_eq!(one.provenance, three.provenance);
    assert!(told > 2);
    // Taken up from what was kept, and after half of it was lost.
    for share in [1, 2] {
        let file = folder.path().join("kept/generation-1.samples");
        let text = std::fs::read_to_string(&file).expect("kept positions");
        std::fs::write(&file, &text[..text.len() / share]).expect("a writable folder");
        assert_eq!(train(&kept, &mut |_| {}).expect("valid settings").bytes, one.bytes);
    }
    let mut other = small(1);
    other.play.seed = 6;
    assert_ne!(train(&other, &mut |_| {}).expect("valid settings").bytes, one.bytes);
    other.keep = kept.keep;
    let error = train(&other, &mut |_| {}).expect_err("kept for another seed");
    assert!(error.to_string().contains("generation-0.samples"), "{error}");
}

#[test]
fn settings_out_of_range_are_named() {
    let mut few = small(1);
    few.play.games = 3;
    let error = train(&few, &mut |_| {}).expect_err("too few games");
    assert_eq!(error.to_string(), "games is 3, expected 20 to 100,000,000");
    assert!(train(&TrainSettings { trust: 101, ..small(1) }, &mut |_| {}).is_err());
}

#[test]
fn built_in_positions_are_forbidden_and_their_children_are_not() {
    let game = Chess::default();
    let forbidden = forbidden(&game).unwrap();
    let forbids = |position| is_forbidden(&forbidden, &game, &Sample { position, result: 0, value: 0 });
    let mut kept = 0;
    for entry in secateur_positions::builtin(&game, "chess-fit").unwrap().entries {
        let pos = game.parse(&entry.position).unwrap();
        assert!(forbids(game.format(&pos)));
        assert!(forbids(game.format(&game.mirror(&pos))));
        kept += usize::from(game.null(&pos).is_some_and(|other| !forbids(game.format(&other))));
    }
    assert!(kept > 100);
}

/// An evaluation of material alone knows no squares.
#[test]
fn groups_that_are_left_out_are_nothing() {
    let groups = |names: &[&str]| Some(names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
    let trained =
        train(&TrainSettings { groups: groups(&["men"]), ..small(2) }, &mut |_| {}).expect("valid settings");
    let params =
        EvalParams::parse(std::str::from_utf8(&trained.bytes).expect("text")).expect("an evaluation");
    let men = EvalParams::group("men").expect("a group").range();
    for (index, value) in params.values().iter().enumerate() {
        let is_nothing = (value.middlegame(), value.endgame()) == (0, 0);
        assert!(men.contains(&index) || EvalParams::steers(index) || is_nothing, "{index}");
    }
    assert!(trained.provenance.contains("--groups men"));
    let wrong = TrainSettings { groups: groups(&["pawns"]), ..small(1) };
    assert!(
        train(&wrong, &mut |_| {})
            .expect_err("no such group")
            .to_string()
            .contains("found the group `pawns`")
    );
}
