//! Cuts are drawn and searched again as an audit does it, whatever the number of threads.

use super::*;
use secateur_positions::Provenance;

fn settings() -> CutsSettings {
    CutsSettings {
        positions: "othello-28".to_owned(),
        limit: Some(4),
        methods: "mpc[t=0.8]".to_owned(),
        depth: 8,
        every: 2,
        height: 0,
        within: f64::INFINITY,
        threads: 1,
        command: "the command".to_owned(),
        date: "2000-01-01".to_owned(),
    }
}

fn drawn(settings: &CutsSettings) -> Result<(CutsOrigin, Vec<CutRow>), FitError> {
    let game = games::find("othello").expect("built in");
    let setup = Setup::embedded("othello").expect("embedded");
    let set = secateur_positions::resolve(&game, &settings.positions).expect("built in");
    cuts(&game, &setup, &set, settings, &|_, _| {})
}

#[test]
fn cuts_say_what_was_known_and_do_not_depend_on_threads() {
    let (origin, rows) = drawn(&settings()).expect("cuts");
    assert_eq!((origin.cuts, origin.positions_count), (rows.len(), 3));
    assert_eq!(drawn(&CutsSettings { threads: 2, ..settings() }).expect("cuts").1, rows);
    // Rounding the bound of the check takes at most half a unit from its distance, which is far less than this.
    assert!(rows.iter().all(|row| row.shown > 0.75 && row.distance > 0.75), "cuts lie beyond the threshold");
    assert!(
        rows.iter().all(|row| row.distance >= row.shown - 1e-3),
        "the check is worth at least what it showed"
    );
    let either = |is: fn(&CutRow) -> bool| rows.iter().any(is) && !rows.iter().all(is);
    assert!(either(|row| row.expected) && either(|row| row.high) && either(|row| row.table == 1));
    // The search that decides them remembers what it saw, so that they cost less or more when others are left out.
    let alike = |row: &CutRow| CutRow { nodes: 0, ..row.clone() };
    let (_, few) = drawn(&CutsSettings { height: 5, within: 2.0, ..settings() }).expect("cuts");
    let wanted = rows.iter().filter(|row| row.height >= 5 && row.distance < 2.0).map(alike);
    assert!(!few.is_empty() && few.len() < rows.len() && few.iter().map(alike).eq(wanted));
    assert!(rows.iter().all(|row| row.last.is_some() == (row.iteration > 1) && row.nodes > 0));
}

#[test]
fn as_many_cuts_as_the_counters_say() {
    let (_, rows) = drawn(&CutsSettings { every: 1, ..settings() }).expect("cuts");
    let game = games::find("othello").expect("built in");
    let setup = Setup::embedded("othello").expect("embedded");
    let ready = setup.equip(&Arm::parse("mpc[t=0.8]").expect("known")).expect("fitted");
    let set = secateur_positions::resolve(&game, "othello-28").expect("built in");
    let mut search = game.clone().searcher(&ready, setup.options.clone());
    let drawn = limited(&set, settings().limit).into_iter().map(|index| &set.entries[index]);
    for entry in drawn.filter(|entry| !secateur_positions::builtin::is_reserved(&entry.id)) {
        let root = crate::fit::positions_of(&game, &set, [entry]).expect("positions").remove(0);
        let counted: u64 =
            search.run(&root, &Budget::Depth(8)).tally.active().map(|(.., c)| c.cuts_high + c.cuts_low).sum();
        assert_eq!(rows.iter().filter(|row| row.source == entry.id).count() as u64, counted);
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    for (settings, word) in [
        (CutsSettings { depth: 0, ..settings() }, "depth"),
        (CutsSettings { every: 0, ..settings() }, "every"),
        (CutsSettings { within: f64::NAN, ..settings() }, "within"),
        (CutsSettings { limit: Some(0), ..settings() }, "limit"),
        (CutsSettings { methods: "mcp".to_owned(), ..settings() }, "methods"),
        // Its cuts rest on no model.
        (CutsSettings { methods: "null-move".to_owned(), ..settings() }, "found 0"),
    ] {
        let error = drawn(&settings).expect_err(word).to_string();
        assert!(error.contains(word) || error.starts_with("0 "), "{error}");
    }
    let empty = Set::new("none", "othello", Vec::new(), Provenance::default());
    let game = games::find("othello").expect("built in");
    let setup = Setup::embedded("othello").expect("embedded");
    assert!(matches!(cuts(&game, &setup, &empty, &settings(), &|_, _| {}), Err(FitError::TooFew { .. })));
}
