//! A fit depends on its seed and not on threads, and serves the methods that need one.

use super::*;
use secateur_core::{Moves, Notation, Rules};
use secateur_games::chess::Chess;
use secateur_games::othello::{Othello, Position};
use secateur_positions::{Entry, Provenance as Origin};
use secateur_suites::setups::setup::SetupFileError;

/// Positions that are `plies` varied plies from the start.
fn walked(game: &Othello, plies: usize, count: usize) -> Vec<Position> {
    (0..count)
        .map(|line| {
            (0..plies).fold(game.start(), |pos, ply| {
                let mut moves = Moves::<Othello>::new();
                game.moves(&pos, &mut moves);
                let index = (line / (1 + ply) + 3 * line + ply) % moves.len().max(1);
                moves.get(index).map_or(pos, |scored| game.play(&pos, scored.mv))
            })
        })
        .collect()
}

fn set(game: &Othello, positions: &[Position]) -> Set {
    let entry = |(index, position): (usize, &Position)| Entry {
        id: format!("t#{index}"),
        position: game.format(position),
        cluster: format!("t#{index}"),
        stage: game.label(position),
        operations: Vec::new(),
        line: index + 1,
    };
    let entries = positions.iter().enumerate().map(entry).collect();
    Set::new("tiny", Othello::NAME, entries, Origin::default())
}

fn tiny() -> FitSettings {
    let standard = FitSettings::standard("othello").expect("a game");
    FitSettings { depth_none: 3, depth_deeper: 0, depth_null_move: 2, ..standard }
}

fn fitted(settings: &FitSettings) -> (Fitted, Vec<Row>) {
    let game = Othello::default();
    let mut positions = walked(&game, 12, 40);
    positions.extend(walked(&game, 56, 6));
    let setup = Setup::embedded("othello").expect("embedded");
    let mut calls = 0;
    let result = fit(&game, &setup, &set(&game, &positions), settings, &mut |done, total| {
        calls += 1;
        assert_eq!((done, total), (calls, 92));
    });
    assert_eq!(calls, 92);
    result.expect("a fit")
}

#[test]
fn threads_change_nothing_and_the_seed_does() {
    let (one, rows) = fitted(&tiny());
    let (two, second_rows) = fitted(&FitSettings { threads: 2, ..tiny() });
    assert_eq!(one, two);
    assert_eq!(rows, second_rows);
    let (other, rows) = fitted(&FitSettings { seed: 7, ..tiny() });
    assert_ne!(rows, second_rows);
    assert_ne!(other.baselines, one.baselines);
}

#[test]
fn values_are_those_of_searches_to_each_depth() {
    let game = Othello::default();
    let (fitted, rows) = fitted(&tiny());
    let mut drawn = std::collections::BTreeSet::new();
    for row in &rows {
        drawn.insert(&row.position);
        let pos = game.parse(&row.position).expect("a position");
        let left = game.remaining(&pos).expect("othello ends") as usize;
        assert_eq!([row.values[0].len(), row.values[1].len()], [left.min(4), left.min(3)]);
        for (depth, &value) in row.values[0].iter().enumerate().skip(1) {
            let reference = secateur_core::search::Search::full_width(game.clone(), Default::default())
                .run(&pos, &secateur_core::search::Budget::Depth(depth as i32));
            assert_eq!(reference.last().score.0, value, "{} at depth {depth}", row.position);
        }
    }
    assert!(drawn.len() > rows.len() / 2, "the same nodes again and again");
    let stage = rows[0].stage;
    assert!(fitted.baselines.none.fit(stage, 1, 3).is_some_and(|fit| fit.r > 0.0 && fit.n >= 30));
    assert!(fitted.baselines.null_move.is_some_and(|fits| fits.fit(stage, 1, 2).is_some()));
    assert_eq!(fitted.provenance.map(|provenance| provenance.positions_count), Some(46));
}

#[test]
fn a_fit_serves_the_methods_that_need_one() {
    let (fitted, _) = fitted(&tiny());
    let path = Path::new("tiny.fit.toml");
    let setup = Setup::embedded("othello").expect("embedded");
    let mut setup = setup.with_fit(path, &fitted.text(Othello::STAGES)).expect("a fit file");
    assert!(setup.check(&Othello::default()).is_ok());
    let game = Othello::default();
    assert!(setup.check_positions(&set(&game, &walked(&game, 12, 40))).is_ok());
    let mut positions = walked(&game, 12, 40);
    positions.extend(walked(&game, 56, 6));
    assert!(matches!(setup.check_positions(&set(&game, &positions)), Err(SetupFileError::FittedOn { .. })));
    setup.params.probcut.shallow = 1;
    setup.params.probcut.deep = 3;
    assert!(setup.methods(&"probcut+futility+razoring".parse().expect("names")).is_ok());
    assert!(setup.methods(&"mpc".parse().expect("a name")).is_err(), "depth 8 was not fitted");
}

#[test]
fn deep_pairs_of_none_are_taken_from_null_move() {
    let (fitted, _) = fitted(&FitSettings { depth_none: 2, depth_null_move: 3, ..tiny() });
    let Baselines { none, null_move } = fitted.baselines;
    let null_move = null_move.expect("searched");
    let deep: Vec<_> = null_move.fits.iter().filter(|fit| fit.deep == 3).collect();
    assert!(!deep.is_empty());
    for fit in deep {
        assert_eq!(none.fit(fit.stage, fit.shallow, fit.deep), Some(fit));
    }
    assert!(none.fits.is_sorted_by_key(|fit| (fit.stage, fit.shallow, fit.deep)));
}

#[test]
fn deeper_searches_change_no_other_pair() {
    let (plain, rows) = fitted(&tiny());
    let (deeper, more) = fitted(&FitSettings { depth_deeper: 4, deeper_share: 2, ..tiny() });
    assert_eq!(rows.len(), more.len());
    let mut longer = 0;
    for (row, more) in rows.iter().zip(&more) {
        assert_eq!(more.values[0][..row.values[0].len()], row.values[0]);
        assert_eq!(more.values[1], row.values[1], "the other baseline goes no deeper");
        longer += usize::from(more.values[0].len() > row.values[0].len());
    }
    assert!((rows.len() / 3..=rows.len() / 2 + 1).contains(&longer), "{longer} of {}", rows.len());
    let shallow = |fitted: &Fitted| {
        let fits = &fitted.baselines.none.fits;
        fits.iter().filter(|fit| fit.deep <= 3).cloned().collect::<Vec<_>>()
    };
    assert_eq!(shallow(&plain), shallow(&deeper));
    assert!(deeper.baselines.none.fits.iter().any(|fit| fit.deep == 4));
}

#[test]
fn bad_settings_are_refused() {
    let game = Othello::default();
    let positions = set(&game, &walked(&game, 12, 3));
    let setup = Setup::embedded("othello").expect("embedded");
    for settings in [
        FitSettings { draws: 0, ..tiny() },
        FitSettings { walk: 0, ..tiny() },
        FitSettings { depth_none: 0, ..tiny() },
        FitSettings { deeper_share: 0, ..tiny() },
        FitSettings { limit: Some(0), ..tiny() },
        FitSettings { range: -1, ..tiny() },
    ] {
        let result = fit(&game, &setup, &positions, &settings, &mut |_, _| {});
        assert!(matches!(result, Err(FitError::Setting { .. })));
    }
    let result = fit(&game, &setup, &positions, &tiny(), &mut |_, _| {});
    assert!(matches!(result, Err(FitError::TooFew { .. })));
    assert!(matches!(FitSettings::standard("go"), Err(FitError::Setup(SetupFileError::Unknown(_)))));
}

#[test]
fn a_limit_takes_from_every_stage() {
    let game = Othello::default();
    let mut positions = walked(&game, 12, 5);
    positions.extend(walked(&game, 20, 3));
    let set = set(&game, &positions);
    let lines = |limit| limited(&set, limit).iter().map(|entry| entry.line).collect::<Vec<_>>();
    assert_eq!(lines(Some(2)), [1, 2, 6, 7]);
    assert_eq!(lines(Some(4)), [1, 2, 3, 4, 6, 7, 8]);
    assert_eq!(lines(None).len(), 8);
}

/// Without this, a build could measure with numbers of another evaluation. It fails after a training:
/// run `cargo xtask fit GAME`.
#[test]
fn embedded_fits_belong_to_the_embedded_evaluations() {
    let othello = Setup::embedded("othello").expect("embedded");
    let chess = Setup::embedded("chess").expect("embedded");
    assert!(othello.evaluation.is_some() && chess.evaluation.is_some());
    othello.check(&Othello::default()).expect("a fresh fit of othello");
    chess.check(&Chess::default()).expect("a fresh fit of chess");
}

/// What a variant of the parameters names as its fit is made with the variant.
#[test]
fn a_variant_is_fitted_with_its_own_host() {
    let out = tempfile::tempdir().expect("a folder");
    let tiny = FitSettings { params: Some("plain".to_owned()), limit: Some(30), ..tiny() };
    let settings = FitSettings { positions: "othello-fit".to_owned(), draws: 1, ..tiny };
    let summary = run("othello", &settings, out.path(), &mut |_, _| {}).expect("a fit");
    assert_eq!(summary.path, out.path().join("othello.plain.fit.toml"));
    let text = std::fs::read_to_string(&summary.path).expect("the file");
    assert!(text.contains("table-values = false"), "{text}");
}

/// What a game writes of its positions is text like any other: a spreadsheet must not run it, and a terminal not obey it.
#[test]
fn raw_values_leave_as_a_table_in_which_nothing_hides() {
    let row = |position: &str| collect::Row {
        source: 3,
        position: position.to_owned(),
        stage: 1,
        balance: -7,
        values: vec![vec![1, -2], vec![4]],
    };
    let rows = [row("--XO,-- X"), row("=cmd\u{1b}[2J\u{202e}")];
    let text = super::collect::csv(&rows, &["none", "null-move"], &["a", "b"]);
    let expected = [
        "baseline,source,stage,position,balance,v0,v1",
        "none,3,b,\"'--XO,-- X\",-7,1,-2",
        "null-move,3,b,\"'--XO,-- X\",-7,4,",
        "none,3,b,'=cmd\\u{1b}[2J\\u{202e},-7,1,-2",
        "null-move,3,b,'=cmd\\u{1b}[2J\\u{202e},-7,4,",
    ];
    assert_eq!(text.lines().collect::<Vec<_>>(), expected);
}
