//! Parameter files are read as they are written; what is no fit, stale or out of range is refused in words.

use super::*;
use proptest::prelude::*;
use secateur_core::prune::{Calibration, Fit};
use secateur_games::othello::Othello;
use std::collections::BTreeSet;

const FITTED: &str = "
[provenance]
game = \"chess\"
evaluation = \"00000000000000ff\"
command = \"cargo xtask fit chess\"
date = \"2024-02-29\"
seed = 1
positions = \"chess-fit\"
positions-hash = \"0123456789abcdef\"
positions-count = 2
draws = 1
walk = 4
range = 300
depth-none = 8
depth-null-move = 10
host = {}
[[baselines.none.fits]]
stage = 1
shallow = 4
deep = 8
n = 90
a = 1.02
b = 2.36
sigma = 82.0
r = 0.82
";

fn chess() -> Setup {
    Setup::embedded("chess").expect("embedded").with_fit("chess.fit.toml".as_ref(), FITTED).expect("a fit")
}

fn overlaid(text: &str) -> Result<Setup, String> {
    chess().overlaid("my.toml".as_ref(), text).map(|(setup, _)| setup).map_err(|error| error.to_string())
}

#[test]
fn the_build_knows_its_own_numbers() {
    let ids: BTreeSet<_> =
        games::names().iter().map(|game| Setup::embedded(game).expect("embedded").id()).collect();
    assert_eq!(ids.len(), games::names().len());
    assert!(ids.iter().all(|id| id.len() == 16));
    let error = Setup::embedded("go").expect_err("no such game").to_string();
    assert!(error.contains("`go`") && error.contains("othello, chess"), "{error}");
}

#[test]
fn the_id_is_of_the_numbers_and_not_of_their_form() {
    let base = chess();
    assert_eq!(base.id(), chess().id());
    assert_eq!(base.id(), overlaid("").expect("nothing").id());
    assert_eq!(base.id(), overlaid("[methods]\nprobcut.t = 1 # the same").expect("t").id());
    let mut ids = BTreeSet::from([base.id()]);
    for entry in [
        "[host]\ntable-mib = 17",
        "[host]\ncheck-extension = false",
        "[methods.null-move]\nreduction = 4",
        "[methods.null-move]\nmin-depth = 3",
        "[methods.probcut]\nt = 1.0000000000000002",
        "[methods.probcut]\nt = inf",
        "[methods.probcut]\nsides = \"nearer\"",
        "[methods.mpc]\npairs = [[2, 6], [3, 7], [4, 8], [3, 9]]",
        "[methods.mpc]\npairs = [[2, 6], [3, 7], [4, 8], [4, 10], [3, 9]]",
        "[methods.futility]\nfrontier = 301",
        "[methods.futility]\nfrontier = \"q99\"",
    ] {
        assert!(ids.insert(overlaid(entry).expect(entry).id()), "{entry} leaves the id alone");
    }
    for number in ["82.0", "2.36", "90", "stage = 1", "00ff"] {
        let changed = FITTED.replacen(number, &number.replace(['8', '2', '9', '1', 'f'], "3"), 1);
        let setup = Setup::embedded("chess").expect("embedded");
        let id = setup.with_fit("f".as_ref(), &changed).expect(number).id();
        assert!(ids.insert(id), "another {number} leaves the id alone");
    }
}

#[test]
fn an_overlay_says_where_it_is_wrong() {
    for (text, parts) in [
        (
            "[methods.mpc]\n  tt = 1.0",
            ["line 2, column 3", "`methods.mpc.tt`", "pairs, per-ply, sides, sigma, t"],
        ),
        ("x = 1", ["line 1, column 1", "`x`", "host, methods"]),
        ("[methods.probcut]\nt = \"much\"", ["line 2, column 1", "`methods.probcut.t`", "expected"]),
        ("[methods]\nmpc = 3", ["line 2, column 1", "`methods.mpc`", "table"]),
        ("[host]\ntable-mib = -1", ["line 2, column 1", "`host.table-mib`", "found -1, expected 0 to 65536"]),
        (
            "[host]\naspiration = -1",
            ["line 2, column 1", "`host.aspiration`", "found -1, expected 0 to 30000"],
        ),
        ("[host]\netc-min-depth = -5", ["line 2", "`host.etc-min-depth`", "found -5, expected 0 to 100"]),
        ("[host]\ntable-min-depth = -2147483648", ["line 2", "`host.table-min-depth`", "expected 0 to 100"]),
        ("[[x]]", ["line 1, column 3", "`x`", "expected a number"]),
        (
            "[methods.probcut]\nt = 18446744073709551616",
            ["line 2", "`methods.probcut.t`", "expected a number"],
        ),
        ("[methods.mpc]\npairs = [[1, 18446744073709551615]]", ["line 2", "`methods.mpc.pairs`", "expected"]),
        (
            "[methods.mpc]\npairs = [[1, 2147483647]]",
            ["`methods.mpc.pairs`", "found 2147483647", "to 100000"],
        ),
        (
            "[methods.multi-cut]\nreduction = 2147483647",
            ["`methods.multi-cut.reduction`", "found", "to 100000"],
        ),
        ("[methods.mpc]\nt = ", ["line 2", "^", "my.toml"]),
    ] {
        let error = overlaid(text).expect_err(text);
        assert!(parts.iter().all(|part| error.contains(part)), "{text}: {error}");
    }
}

/// A fit names another file, whose content must not come back in a message.
#[test]
fn a_file_that_is_no_fit_is_not_shown() {
    let dir = tempfile::tempdir().unwrap();
    let (params, secret) = (dir.path().join("own.toml"), dir.path().join("secret"));
    std::fs::write(&params, "fit = \"secret\"\n").unwrap();
    std::fs::write(&secret, "root:x:0:0\n").unwrap();
    let error = Setup::read("chess", &params).expect_err("no fit").to_string();
    assert!(
        error.contains("did not write it") && error.contains("own.toml") && !error.contains("root"),
        "{error}"
    );
    std::fs::write(&params, "fit = \"absent\"\n").unwrap();
    assert!(matches!(Setup::read("chess", &params), Err(SetupFileError::Record(_))));
}

#[test]
fn an_unknown_variant_is_answered_with_those_of_the_game() {
    let error = Setup::load("chess", "strog").expect_err("no such variant").to_string();
    assert!(
        error.contains("jiang, jiang-strict, modern, plain, strong (chess)") && error.contains("`strong`?"),
        "{error}"
    );
    let error = Setup::load("othello", "modern").expect_err("one of chess").to_string();
    assert!(error.contains("growing, plain, strict, strong (othello), or a .toml file"), "{error}");
    assert!(matches!(Setup::load("chess", "absent.toml"), Err(SetupFileError::Record(_))));
}

proptest! {
    /// No file of parameters makes the reader panic, and numbers that it accepts set up or are refused by name.
    #[test]
    fn no_parameter_file_makes_the_reader_panic(
        lines in proptest::collection::vec(prop_oneof![
            "\\[(host|methods|methods\\.(mpc|lmr|null-move|futility)|x)\\]|\\[\\[(x|host|methods\\.mpc)\\]\\]",
            "(table-mib|aspiration|pairs|t|reduction|min-depth|frontier|drop-after|fit|base) = (-?[0-9]{1,20}|nan|inf|\\[\\[[0-9], [0-9]{1,20}\\]\\]|\"q95\"|\\{ a = 1 \\})",
            "\\PC{0,8}",
        ], 0..6),
    ) {
        let text = lines.join("\n");
        if let Ok(setup) = overlaid(&text) {
            let _ = setup.methods(&"all".parse().unwrap());
        }
    }
}

#[test]
fn a_stale_fit_and_another_game_are_refused() {
    let game = Othello::default();
    assert!(matches!(chess().check(&game), Err(SetupFileError::OtherGame { .. })));
    let mut setup = Setup::embedded("othello").expect("embedded");
    setup.evaluation = Some(game.evaluation_id());
    assert!(setup.check(&game).is_ok());
    setup.evaluation = Some(!game.evaluation_id());
    let error = setup.check(&game).expect_err("stale").to_string();
    assert!(error.contains("`secateur fit othello`"), "{error}");
    setup.evaluation = None;
    assert!(setup.check(&game).is_ok(), "methods without fits need none");
}

#[test]
fn fits_are_written_as_they_are_read() {
    let fitted = Fitted::parse("f".as_ref(), FITTED).expect("a fit");
    let text = fitted.text(&["opening", "middlegame", "endgame"]);
    assert_eq!(Fitted::parse("f".as_ref(), &text).expect(&text), fitted);
    let fit = Fit { stage: 1, shallow: 4, deep: 8, n: 90, a: 1.02, b: 2.36, sigma: 82.0, r: 0.82 };
    assert_eq!(fitted.baselines.none, Calibration { fits: vec![fit], ..Calibration::default() });
    let other = Setup::embedded("othello").expect("embedded");
    assert!(other.with_fit("f".as_ref(), FITTED).is_err(), "a fit of chess for othello");
    assert!(Fitted::parse("f".as_ref(), "[baselines.none]\nfit = []").is_err());
}

/// The provenance aside, whose host options may get company.
#[test]
fn the_embedded_fits_are_as_written() {
    let numbers = |text: &str| text.split_once("[[samples]]").map(|(_, numbers)| numbers.to_owned());
    // Not those that other tests register.
    for &game in secateur_games::NAMES {
        let entry = games::entry(game).expect("a game");
        let (text, stages) = (entry.data.fit, secateur_core::Evaluation::stages(&entry.game));
        let fitted = Fitted::parse(game.as_ref(), text).expect("embedded");
        assert!(numbers(text).is_some());
        assert!(numbers(&fitted.text(stages)) == numbers(text), "{game}.fit.toml was changed by hand");
    }
}

#[test]
fn a_table_that_no_machine_has_is_refused() {
    assert!(has_room(1).is_ok());
    assert!(has_room(usize::MAX).is_err() && has_room(usize::MAX >> 21).is_err());
}

/// The usual host of chess and the plain one have fits of their own: what belongs together is found together.
#[test]
fn a_variant_brings_the_fit_that_it_names() {
    let usual = Setup::embedded("chess").expect("embedded");
    let plain = Setup::load("chess", "plain").expect("a variant");
    assert!(usual.options.check_extension && !plain.options.check_extension);
    // As text: a fit of too few pairs has no r, which is not equal to itself.
    let fit = |setup: &Setup| format!("{:?}", setup.baselines);
    assert_ne!(fit(&usual), fit(&plain));
    assert_eq!(fit(&plain), fit(&Setup::load("chess", "jiang").expect("a variant")));
    assert_eq!(plain.evaluation, usual.evaluation);
}

#[test]
fn a_method_without_a_section_has_the_usual_numbers() {
    let usual = completed(USUAL).unwrap().methods;
    let numbers = completed("[methods.etc]\nmin-depth = 9\n").unwrap().methods;
    assert_eq!((numbers.etc.min_depth, numbers.mpc.pairs.len()), (9, usual.mpc.pairs.len()));
    // Of a method that no file here knows, its own.
    assert!(!USUAL.contains("[methods.iir]") && numbers.iir.min_depth == 4);
    // What is wrong has a place all the same.
    let error = completed("[methods.etc]\nmin-depth = \"x\"\n").unwrap_err().to_string();
    assert!(error.contains("line 2"), "{error}");
    let error = completed("[methods.etcc]\nmin-depth = 9\n").unwrap_err().to_string();
    assert!(error.contains("etcc"), "{error}");
}

fn id(setup: &Setup, arm: &str) -> String {
    setup.arm_id(&Arm::parse(arm).unwrap()).unwrap()
}

#[test]
fn an_arm_is_what_it_is_made_of() {
    let usual = Setup::embedded("chess").unwrap();
    let changed = |entry: &str| usual.clone().overlaid("f".as_ref(), entry).unwrap().0;
    let other_null = changed("[methods.null-move]\nreduction = 4");
    for arm in ["none", "mpc", "futility+lmr"] {
        assert_eq!(id(&usual, arm), id(&other_null, arm), "{arm}");
    }
    for arm in ["null-move", "null-move+mpc"] {
        assert_ne!(id(&usual, arm), id(&other_null, arm), "{arm}");
    }
    let other_host = changed("[host]\ncheck-extension = false");
    assert_ne!(id(&usual, "none"), id(&other_host, "none"));
    // The same numbers in other words are the same arm.
    let reduction = usual.params.null_move.reduction;
    assert_eq!(id(&usual, "null-move"), id(&usual, &format!("null-move[reduction={reduction}]")));
    assert_ne!(id(&usual, "null-move"), id(&usual, "null-move[no-mate-guard]"));
}

#[test]
fn fits_belong_to_the_arms_that_use_them() {
    let usual = Setup::embedded("chess").unwrap();
    let mut refitted = usual.clone();
    refitted.baselines.none.fits.iter_mut().for_each(|fit| fit.sigma += 1.0);
    refitted
        .baselines
        .null_move
        .iter_mut()
        .flat_map(|fitted| &mut fitted.fits)
        .for_each(|fit| fit.sigma += 1.0);
    for (arm, uses) in
        [("none", false), ("null-move", false), ("multi-cut", false), ("mpc", true), ("probcut", true)]
    {
        assert_eq!(id(&usual, arm) != id(&refitted, arm), uses, "{arm}");
    }
    // Othello has no material: its margins are fitted.
    let othello = Setup::embedded("othello").unwrap();
    let mut refitted = othello.clone();
    refitted.baselines.none.fits.iter_mut().for_each(|fit| fit.sigma += 1.0);
    assert_ne!(id(&othello, "futility"), id(&refitted, "futility"));
}
