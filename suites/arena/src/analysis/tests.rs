//! Analyses and exact ends against plain minimax, and what a file of rows survives.

use super::*;
use secateur_core::prune::Methods;
use secateur_core::search::Limits;
use secateur_core::{Depth, Game, Moves, Notation, Rules};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The first positions of the endgame test, of which values and all best moves are published.
fn ends(count: usize) -> Vec<Place> {
    places("ffo", None).unwrap().into_iter().take(count).collect()
}

fn how<'a>(stop: &'a Arc<AtomicBool>, keep: Option<&'a Path>) -> Solving<'a> {
    Solving { depth: 5, all_best: false, jobs: 2, keep, stop }
}

fn solved(places: &[Place], how: &Solving<'_>) -> Vec<Row> {
    solve(places, how, &mut |_, _| {}).unwrap()
}

#[test]
fn published_ends_are_right_and_a_wrong_one_is_found() {
    let stop = Arc::default();
    let mut places = ends(4);
    let rows = solved(&places, &how(&stop, None));
    assert_eq!(rows.len(), 4);
    for (place, row) in places.iter().zip(&rows) {
        let (value, best) = place.expected().unwrap();
        assert_eq!((row.value, row.verdict), (Some(value), Verdict::Right), "{row:?}");
        assert!(best.contains(&row.best), "{row:?} {best:?}");
        assert!(row.line.starts_with(&row.best) && row.nodes > 0);
    }
    let all = solved(&places, &Solving { all_best: true, ..how(&stop, None) });
    for (place, row) in places.iter().zip(&all) {
        let mut named: Vec<&str> = row.best.split(' ').collect();
        let (_, mut best) = place.expected().unwrap();
        named.sort_unstable();
        best.sort();
        assert_eq!(named, best, "the file names all best moves of {}", row.id);
    }
    "+16".clone_into(&mut places[0].entry.operations[0].operands);
    let rows = solved(&places, &how(&stop, None));
    assert_eq!((rows[0].verdict, rows[0].expected), (Verdict::Wrong, Some(1600)));
    assert_eq!(rows[1].verdict, Verdict::Right);
}

#[test]
fn what_was_kept_is_not_solved_again_and_a_cut_row_is() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("solved.csv");
    let (stop, places) = (Arc::default(), ends(3));
    let first = solved(&places[..2], &how(&stop, Some(&path)));
    let mut solved_at = Vec::new();
    let rows = solve(&places, &how(&stop, Some(&path)), &mut |at, _| solved_at.push(at)).unwrap();
    assert_eq!((&rows[..2], solved_at), (&first[..], vec![2]));
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(text.lines().count(), 4);
    std::fs::write(&path, &text[..text.len() - 5]).unwrap();
    let re_solved = solved(&places, &how(&stop, Some(&path)));
    let timeless = |rows: Vec<Row>| rows.into_iter().map(|row| Row { time_ns: 0, ..row }).collect::<Vec<_>>();
    assert_eq!(timeless(re_solved), timeless(rows));
    assert_eq!(std::fs::read_to_string(&path).unwrap().lines().count(), 4);
    // A file of something else is left as it is.
    std::fs::write(&path, "mine").unwrap();
    let error = solve(&places, &how(&stop, Some(&path)), &mut |_, _| {}).unwrap_err().to_string();
    assert!(error.contains("expected the columns `id,position,value"), "{error}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "mine");
}

#[test]
fn who_is_told_to_stop_leaves_no_half_result() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("solved.csv");
    let stop = Arc::new(AtomicBool::new(true));
    assert!(solved(&ends(2), &how(&stop, Some(&path))).is_empty());
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "");
}

#[test]
fn a_mate_is_found_and_what_has_none_is_open() {
    let stop = Arc::default();
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("m.epd");
    let text = "6k1/5ppp/8/8/8/8/8/R3K3 w - - dm 1; id \"mate\";\n6k1/5ppp/8/8/8/8/8/R3K3 w - - dm 2; id \"wrong\";\n\
                4k3/8/8/8/8/8/4P3/4K3 w - - id \"open\";\n";
    std::fs::write(&file, text).unwrap();
    let places = places(&file.display().to_string(), None).unwrap();
    let rows = solved(&places, &how(&stop, None));
    let verdicts: Vec<Verdict> = rows.iter().map(|row| row.verdict).collect();
    assert_eq!(verdicts, [Verdict::Right, Verdict::Wrong, Verdict::Open]);
    assert_eq!((rows[0].best.as_str(), rows[0].line.as_str()), ("a1a8", "Ra8#"));
    assert_eq!(forced(&places[0].game, rows[0].value.unwrap()), Some(1));
    assert_eq!(rows[2].value, None);
}

/// The value of every move at full width is that of minimax after it, in both games.
#[test]
fn every_move_has_its_value_and_the_best_comes_first() {
    for (text, depth) in [("bratko-kopec:2", 3), ("othello-12:5", 3)] {
        let place = &places(text, None).unwrap()[0];
        let game = &place.game;
        let analyst = Analyst::new(game, "none", None).unwrap();
        let limits = Limits { depth, ..Limits::default() };
        let analysis = analyst.analyse(place, &limits, 0);
        let mut moves = Moves::<secateur_core::AnyGame>::new();
        game.moves(&place.root, &mut moves);
        assert_eq!((analysis.depth, analysis.lines.len()), (depth, moves.len()));
        assert!(analysis.lines.is_sorted_by(|one, other| one.value >= other.value));
        let plain = game.clone().searcher(
            Methods::NONE,
            secateur_suites::setups::setup::Setup::embedded(game.name()).unwrap().options,
        );
        for line in &analysis.lines {
            let mv = game.parse_move(&place.root, &line.moves[0]).unwrap();
            let left = depth - game.plies(mv);
            let value = -plain.minimax(&game.play(&place.root, mv), Depth(left)).0;
            assert_eq!(line.value, value, "{line:?}");
        }
        let one = analyst.analyse(place, &limits, 1);
        assert_eq!(one.lines[0].value, analysis.lines[0].value);
    }
}

/// What a method does by itself is what a search with it alone does: the nodes and the value of that search, and `none` cuts nothing.
#[test]
fn each_method_is_shown_by_its_own_search() {
    let place = &places("kaufman:3", None).unwrap()[0];
    let limits = Limits { depth: 5, ..Limits::default() };
    let all = each_alone(place, &["null-move", "nonsense", "lmr", "futility"], None, &limits, 2).unwrap();
    let names: Vec<&str> = all.iter().map(|did| did.method.as_str()).collect();
    assert_eq!(names, ["none", "null-move", "lmr", "futility"]);
    assert_eq!((all[0].analysis.tries, all[0].analysis.cuts), (0, 0));
    for did in &all[1..] {
        let alone = Analyst::new(&place.game, &did.method, None).unwrap().analyse(place, &limits, 1);
        assert_eq!(did.analysis, alone);
        assert!(did.analysis.cuts > 0 && did.analysis.tries >= did.analysis.cuts, "{did:?}");
        assert!(did.analysis.nodes < all[0].analysis.nodes, "{did:?}");
    }
    assert_eq!(all, each_alone(place, &["null-move", "lmr", "futility"], None, &limits, 1).unwrap());
}

#[test]
fn positions_are_found_however_they_are_named() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("two.obf");
    let board = "---------------------------OX------XO--------------------------- X";
    std::fs::write(&file, format!("% two\n{board}; d3:+0; % id=first\n{board};\n")).unwrap();
    let file = file.display().to_string();
    let ids = |text: &str, game| -> Vec<String> {
        places(text, game).unwrap().into_iter().map(|place| place.entry.id).collect()
    };
    assert_eq!(ids(&file, None), ["first", "two#0002"]);
    assert_eq!(ids(&format!("{file}:3"), None), ["two#0002"]);
    assert_eq!(ids(&format!("{file}:first"), None), ["first"]);
    assert_eq!(ids("kaufman:kaufman.03", None), ids("kaufman:3", None));
    assert_eq!(ids(board, None), ["position"]);
    assert_eq!(ids("start", Some("chess")), ["position"]);
    assert_eq!(places("start", Some("chess")).unwrap()[0].board()[0], "rnbqkbnr".chars().collect::<Vec<_>>());
    let row = |text: &str, row: usize| places(text, None).unwrap()[0].board()[row].iter().collect::<String>();
    // Digits are blue's stones, and no runs of empty squares.
    let stones = places("..CBA/...ED/6...F/45.../123.. b 3", Some("einstein")).unwrap();
    let shown: Vec<String> = stones[0].board().iter().map(|row| row.iter().collect()).collect();
    assert_eq!(shown, ["..CBA", "...ED", "6...F", "45...", "123.."]);
    assert_eq!(
        (row(board, 3).as_str(), row("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", 6).as_str()),
        ("...OX...", "....P...")
    );
}

#[test]
fn what_is_no_position_is_told_with_its_place() {
    let refusal = |text: &str, game: Option<&str>| places(text, game).unwrap_err().to_string();
    assert!(refusal("start", None).contains("--game"));
    assert!(refusal("nonsense", None).contains("expected a position"));
    assert!(refusal("4k3/8/8/8/8/8/9/4K3 w - - 0 1", None).contains("position:1:"));
    assert!(refusal(&"-".repeat(63), None).contains("position:1:"));
    assert!(refusal("7k/5Q2/6K1/8/8/8/8/8 b - -", None).contains("a finished game"));
    assert!(refusal("kaufmann:3", None).contains("did you mean the set `kaufman`?"));
    assert!(refusal("kaufman:99", None).contains("expected 1 to 25"));
    assert!(refusal("kaufman", Some("othello")).contains("found positions of chess"));
    assert!(refusal("start", Some("go")).contains("go"));
}
