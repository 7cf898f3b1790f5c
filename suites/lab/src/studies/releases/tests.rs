//! Releases that need known factors of their nodes, and matches of known points.

use super::*;
use secateur_record::play::{Limit, MatchSettings, PlayFile};
use secateur_stats::fixtures::{manifest, row};

/// A release of a program that needs these factors of its nodes without its methods, with a tilt from position to position, and has
/// another move at each fourth position without its last method.
pub(crate) fn release(number: u32, factors: &[(&str, f64)]) -> Runs {
    let text = format!(
        "[[game]]\nname = \"chess\"\nbaseline = \"full\"\n[game.program]\nname = \"stockfish-{number}\"\n\
         about = \"\"\nid = \"\"\npath = \"\"\nbinary = \"\"\n"
    );
    let mut records = Vec::new();
    for at in 0..8 {
        let search = |arm: &str, nodes: f64| {
            let mut record = row(&format!("p{at}"), "28", arm, nodes.round() as u64);
            record.game = "chess".into();
            record
        };
        records.push(search("full", 1e6));
        for (method, factor) in factors {
            let tilt = 1.0 + 0.02 * f64::from((3 * at + 5 * number) % 7) - 0.06;
            records.push(search(&format!("full[-{method}]"), 1e6 * factor * tilt));
        }
        if let Some(last) = records.last_mut()
            && at % 4 == 0
        {
            last.best_move = "a1a1".into();
        }
    }
    Runs { manifests: vec![manifest(&text)], records, ..Runs::default() }
}

#[test]
fn a_release_has_a_column_and_what_was_published_of_it_another() {
    let mut all = rows(&[release(9, &[("lmr", 2.0), ("see", 1.1)]), release(8, &[("lmr", 3.0)])]);
    assert_eq!(all.iter().map(|row| row.release).collect::<Vec<_>>(), [8, 9, 9], "in order");
    all[1].published = Some(200.0);
    let [table] = tables(&all).try_into().unwrap();
    let text = secateur_reports::render::markdown_table(&table);
    assert!(text.contains("| without | stockfish 8 | stockfish 9 | published, Elo |"), "{text}");
    assert!(text.contains("| lmr | 3.0") && text.contains("| 200 |") && text.contains("(25 %)"), "{text}");
    assert!(text.contains("| see | - | 1.1"), "a release without the method: {text}");
    let others = Release { program: "ethereal".to_owned(), ..all[0].clone() };
    let notes = tables(&[all[0].clone(), others]).iter().map(|table| table.notes.len()).collect::<Vec<_>>();
    assert_eq!(notes, [0, 1], "a table for each program, what all mean below the last");
}

#[test]
fn a_picture_has_what_was_published_below_what_was_searched() {
    let mut all = rows(&[release(8, &[("lmr", 3.0)]), release(9, &[("lmr", 2.0), ("see", 1.1)])]);
    let alone = picture(&all, &[], "stockfish").unwrap();
    let count = |svg: &str, what: &str| svg.matches(what).count();
    assert_eq!((count(&alone, "<circle"), count(&alone, "<g ")), (3, 0), "{alone}");
    all[1].published = Some(200.0);
    let svg = picture(&all, &[], "stockfish").unwrap();
    assert_eq!((count(&svg, "<circle"), count(&svg, "<g "), count(&svg, "without lmr<")), (4, 1, 1), "{svg}");
    assert!(svg.contains("in release 9: lmr 2.0") && svg.contains("see 1.1"), "{svg}");
    assert!(picture(&all, &[], "ethereal").is_none() && picture(&all[1..], &[], "stockfish").is_none());
}

#[test]
fn releases_agree_with_what_was_published_by_the_order_of_their_methods() {
    let release_of = |release: u32, nodes: [f64; 4]| {
        let row = rows(&[self::release(release, &[("lmr", 2.0)])]).remove(0);
        let method = |at: usize| Release {
            method: format!("m{at}"),
            nodes: nodes[at],
            published: Some(10.0 * at as f64),
            ..row.clone()
        };
        (0..4).map(method).collect::<Vec<_>>()
    };
    let all = [release_of(8, [1.0, 2.0, 3.0, 4.0]), release_of(9, [1.0, 3.0, 2.0, 4.0])].concat();
    let [same, near] = agreements(&all).try_into().unwrap();
    // Of 24 orders 2 agree as much or as little as the same one, doubled for two tests; 1 - 6 * 2 / (4 * 15).
    assert!((same.rho - 1.0).abs() < 1e-9 && (same.rho_p - 4.0 / 24.0).abs() < 1e-9, "{same:?}");
    assert!((near.rho - 0.8).abs() < 1e-9 && near.methods == 4, "{near:?}");
}

/// The match of a release against itself without a method: `won` of four pairs won, the others even.
pub(crate) fn games(release: u32, method: &str, won: usize) -> Ended {
    let player = |arm: String| PlayerSpec::Subject {
        subject: format!("docs/stockfish-{release}.toml"),
        arm,
        level: None,
    };
    let players = [player("full".to_owned()), player(format!("full[-{method}]"))];
    let file = PlayFile::of(MatchSettings::between(players, "chess", 8, Limit::Nodes(1)));
    let row = |game: usize| {
        let pair = game / 2;
        let points = if pair < won { 1.0 } else { 0.5 };
        GameRow {
            game: game + 1,
            pair: pair + 1,
            opening: format!("o{pair}"),
            points,
            reason: "checkmate".to_owned(),
            ..GameRow::default()
        }
    };
    Ended { file, rows: (0..8).map(row).collect(), mended: Vec::new() }
}

#[test]
fn what_a_method_is_worth_in_games_is_of_its_release_and_of_whole_matches_without_faults() {
    let mut matches: Vec<Ended> = vec![games(8, "lmr", 2), games(9, "lmr", 1), games(9, "see", 0)];
    let rows = played(&matches);
    let brief = |row: &Played| (row.release, row.method.clone(), row.pairs, row.elo.round());
    let elo = |score: f64| secateur_stats::elo::elo(score).round();
    assert_eq!(
        rows.iter().map(brief).collect::<Vec<_>>(),
        [
            (8, "lmr".to_owned(), 4, elo(0.75)),
            (9, "lmr".to_owned(), 4, elo(0.625)),
            (9, "see".to_owned(), 4, 0.0)
        ]
    );
    let table = played_table(&rows);
    assert_eq!(table.rows.iter().map(|row| &*row[0]).collect::<Vec<_>>(), ["lmr", "see"]);
    assert_eq!(table.rows[1][1], "-", "no match of that release");
    matches[1].rows[0].reason = "time".to_owned();
    matches[2].file.complete = false;
    assert_eq!(played(&matches).len(), 1, "one rests on a fault, one is not whole");
    let drawn = picture(
        &super::rows(&[release(8, &[("lmr", 3.0)]), release(9, &[("lmr", 2.0)])]),
        &rows,
        "stockfish",
    )
    .unwrap();
    assert_eq!(drawn.matches("<circle").count(), 4, "two releases by nodes and two by games: {drawn}");
}
