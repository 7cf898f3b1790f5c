//! What each method of a program saves in each of its releases, next to what its authors published of it.
//!
//! A run has one release; its program is called by the name of its subject file, and a number at the end is the release: `stockfish-11`.
//! The design is docs/studies/generations.md.

use crate::studies::foretell::within;
use crate::studies::slopes::{ends, grouped, in_order, needed};
use secateur_record::play::{Ended, GameRow, PlayerSpec};
use secateur_reports::chart::plot::{Axis, Guide, Look, Plot, Point, Series, brief, stacked};
use secateur_reports::format::{self, or_dash, p_words, ratio, ratio_within, to_four};
use secateur_reports::svg::Panel;
use secateur_reports::table::Table;
use secateur_stats::contrast::Searches;
use secateur_stats::elo::{Pentanomial, elo};
use secateur_stats::growth::{LEFT_OUT, Slope, along_scores};
use secateur_stats::inference::orders::rank_correlation;
use secateur_stats::inference::{correct, holm};
use secateur_stats::interval::Interval;
use secateur_stats::labels::left_out;
use secateur_stats::measure::{MOVES, NODES, TIME};
use secateur_stats::play::{pair_counts, rests_on_faults};
use secateur_stats::runs::Runs;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What a program needs without a method in one release, as it is kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Release {
    program: String,
    release: u32,
    method: String,
    positions: usize,
    nodes: f64,
    nodes_low: Option<f64>,
    nodes_high: Option<f64>,
    time: Option<f64>,
    time_low: Option<f64>,
    time_high: Option<f64>,
    /// Share of positions at which the move is another, 0 to 1.
    moves: Option<f64>,
    /// Elo that its authors say the release loses without it.
    published: Option<f64>,
}

/// What a program loses in games against itself without a method in one release, as it is kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Played {
    program: String,
    release: u32,
    method: String,
    /// Pairs of games, one an opening.
    pairs: u64,
    elo: f64,
    elo_low: Option<f64>,
    elo_high: Option<f64>,
    pentanomial: Option<Pentanomial>,
}

/// What a method of a program is worth in games over all releases that have it, as it is kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Overall {
    program: String,
    method: String,
    from: u32,
    to: u32,
    openings: usize,
    /// Mean score of the program with all methods, less one half.
    score: f64,
    score_low: Option<f64>,
    score_high: Option<f64>,
    elo: f64,
    elo_low: Option<f64>,
    elo_high: Option<f64>,
    /// Corrected for all methods.
    p: f64,
}

/// How what the methods of a release save goes with what was published of them, as it is kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Agreement {
    program: String,
    release: u32,
    methods: usize,
    rho: f64,
    /// Corrected for all releases.
    rho_p: f64,
}

/// What every method saves in every release, by the measures that `compare` and `worth` have.
pub fn rows(runs: &[Runs]) -> Vec<Release> {
    let mut rows = Vec::new();
    for (program, release, entry, group) in in_order(&grouped(runs)) {
        let searches = Searches::of(group);
        for (arm, methods) in group.methods.iter().enumerate().skip(1) {
            let Some(method) = left_out(group.methods[0], methods) else { continue };
            let [nodes, time, moves] =
                [NODES, TIME, MOVES].map(|measure| searches.contrast(&measure, arm, 0).whole());
            let Some(nodes) = nodes else { continue };
            let time = time.map(|time| time.within);
            let (nodes_low, nodes_high) = ends(&nodes.within);
            let (time_low, time_high) = time.as_ref().map_or((None, None), ends);
            rows.push(Release {
                program: program.to_owned(),
                release,
                method: method.to_owned(),
                positions: nodes.n,
                nodes: to_four(nodes.within.estimate),
                nodes_low,
                nodes_high,
                time: time.map(|time| to_four(time.estimate)),
                time_low,
                time_high,
                // The program has its own move everywhere, so the share that it keeps more is the share that changes. No -0.
                moves: moves.map(|moves| to_four(0.0 - moves.within.estimate)),
                published: entry.published.elo.get(method).copied(),
            });
        }
    }
    rows
}

/// The program, the release and the method of a match of a program against itself without that method, if it is whole and does not rest on
/// faults; the others are left out.
fn between(ended: &Ended) -> Option<(&str, u32, &str)> {
    let settings = &ended.file.settings;
    let PlayerSpec::Subject { subject, arm: all, .. } = &settings.first else { return None };
    let PlayerSpec::Subject { arm, .. } = &settings.second else { return None };
    let (program, release) = Path::new(subject).file_stem()?.to_str()?.rsplit_once('-')?;
    let counts = ended.file.complete && !rests_on_faults(&ended.rows);
    counts.then_some((program, release.parse().ok()?, left_out(all, arm)?))
}

/// What each method is worth in each release, by matches of the program against itself without it.
pub fn played(matches: &[Ended]) -> Vec<Played> {
    let of_match = |ended: &Ended| {
        let (program, release, method) = between(ended)?;
        let counts = pair_counts(&ended.rows);
        let elo = counts.score()?.elo();
        let (elo_low, elo_high) = ends(&elo);
        Some(Played {
            program: program.to_owned(),
            release,
            method: method.to_owned(),
            pairs: counts.pairs(),
            elo: to_four(elo.estimate),
            elo_low,
            elo_high,
            pentanomial: Some(counts),
        })
    };
    matches.iter().filter_map(of_match).collect()
}

/// A release, the method that it lacked in its match, and the games.
type OfMatch<'a> = (u32, &'a str, &'a [GameRow]);

/// How what each method is worth in games changes from release to release.
pub fn scores(matches: &[Ended]) -> Vec<(String, Slope)> {
    let mut programs = BTreeMap::<(&str, &str), Vec<OfMatch<'_>>>::new();
    for ended in matches {
        let Some((program, release, method)) = between(ended) else { continue };
        let of_program = programs.entry((program, &ended.file.settings.game)).or_default();
        of_program.push((release, method, &ended.rows));
    }
    let mut slopes = Vec::new();
    for ((program, game), matches) in programs {
        slopes.extend(along_scores(game, &matches).into_iter().map(|slope| (program.to_owned(), slope)));
    }
    slopes
}

/// What each method is worth over all releases, by how its scores change from release to release.
pub fn overall(slopes: &[(String, Slope)]) -> Vec<Overall> {
    let p_values = holm(&slopes.iter().map(|(_, slope)| slope.whole.p).collect::<Vec<_>>());
    let of_method = |((program, slope), p): (&(String, Slope), f64)| {
        let whole = &slope.whole.effect;
        let (score_low, score_high) = ends(whole);
        // An end of an interval of few openings may lie beyond the best score there is.
        let worth = |above_half: f64| to_four(elo((0.5 + above_half).clamp(0.0, 1.0)));
        let (elo_low, elo_high) = whole.has_ends().then(|| (worth(whole.low), worth(whole.high))).unzip();
        Overall {
            program: program.clone(),
            method: slope.method.trim_start_matches(LEFT_OUT).to_owned(),
            from: slope.range.0,
            to: slope.range.1,
            openings: slope.positions,
            score: to_four(whole.estimate),
            score_low,
            score_high,
            elo: worth(whole.estimate),
            elo_low,
            elo_high,
            p,
        }
    };
    slopes.iter().zip(p_values).map(of_method).collect()
}

/// Whether methods that save more nodes were published to be worth more, in every release of which that was published.
pub fn agreements(rows: &[Release]) -> Vec<Agreement> {
    let mut published = BTreeMap::<(&str, u32), Vec<[f64; 2]>>::new();
    for row in rows {
        let Some(elo) = row.published else { continue };
        published.entry((&row.program, row.release)).or_default().push([row.nodes, elo]);
    }
    let of_release = |((program, release), pairs): ((&str, u32), Vec<[f64; 2]>)| {
        let [rho, rho_p] = rank_correlation(&pairs)?;
        Some(Agreement { program: program.to_owned(), release, methods: pairs.len(), rho, rho_p })
    };
    let mut agreements: Vec<Agreement> = published.into_iter().filter_map(of_release).collect();
    correct(agreements.iter_mut().map(|agreement| &mut agreement.rho_p));
    agreements
}

/// A table for each program: a row for each method, a column for each release and for what was published of it.
pub fn tables(rows: &[Release]) -> Vec<Table> {
    let programs: BTreeSet<&str> = rows.iter().map(|row| &*row.program).collect();
    let of_program = |program: &str| rows.iter().filter(|row| row.program == program).collect::<Vec<_>>();
    let mut tables: Vec<Table> = programs.into_iter().map(of_program).map(|rows| table(&rows)).collect();
    if let Some(last) = tables.last_mut() {
        let note = "Nodes without the method over nodes with all methods, geometric means with 95 % intervals over source games. In round \
            brackets: the share of positions at which the program without the method has another move, and the whole program another value for \
            it. Published: Elo that the release loses without the method, as its authors say. A dash: the release has no such method, or \
            nothing was published.";
        last.notes.push(note.to_owned());
    }
    tables
}

fn table(rows: &[&Release]) -> Table {
    let mut releases = BTreeMap::<u32, bool>::new();
    for row in rows {
        *releases.entry(row.release).or_default() |= row.published.is_some();
    }
    let of_method = |method: &str| {
        let mut cells = vec![("<without".to_owned(), method.to_owned())];
        for (release, is_published) in &releases {
            let row = rows.iter().find(|row| row.release == *release && row.method == method);
            cells.push((format!("{} {release}", rows[0].program), or_dash(row.map(|row| cell(row)))));
            let elo = row.and_then(|row| row.published).map(|elo| elo.to_string());
            cells.extend(is_published.then(|| ("published, Elo".to_owned(), or_dash(elo))));
        }
        cells
    };
    let methods: BTreeSet<&str> = rows.iter().map(|row| &*row.method).collect();
    methods.into_iter().map(of_method).collect()
}

fn cell(row: &Release) -> String {
    let nodes = ratio_within(&Interval::of(row.nodes, row.nodes_low.zip(row.nodes_high)));
    row.moves.map_or(nodes.clone(), |moves| format!("{nodes} ({:.0} %)", 100.0 * moves))
}

/// A row for each method, a column for each release: the Elo that it is worth.
pub fn played_table(rows: &[Played]) -> Table {
    let releases: BTreeSet<(&str, u32)> = rows.iter().map(|row| (&*row.program, row.release)).collect();
    let cells = |method: &str| {
        let elo = |(program, release): &(&str, u32)| {
            let is_it =
                |row: &&Played| (&*row.program, row.release) == (*program, *release) && row.method == method;
            let row = rows.iter().find(is_it);
            let elo = or_dash(row.map(|row| within(Some(row.elo), row.elo_low.zip(row.elo_high), 0)));
            (format!("{program} {release}"), elo)
        };
        let method = ("<without".to_owned(), method.to_owned());
        std::iter::once(method).chain(releases.iter().map(elo)).collect::<Vec<_>>()
    };
    let methods: BTreeSet<&str> = rows.iter().map(|row| &*row.method).collect();
    methods.into_iter().map(cells).collect::<Table>().noted(
        "Elo of the release with all methods over itself without the method, 95 % interval over openings. A dash: no match, or one that rests on faults.",
    )
}

/// A row for each method: what it is worth over all releases.
pub fn overall_table(rows: &[Overall]) -> Table {
    let cells = |row: &Overall| {
        let ends = row.score_low.zip(row.score_high);
        let score = format::within(&Interval::of(row.score, ends), |x| format!("{x:+.3}"));
        let shown_from = needed(ends, row.openings, rows.len())
            .filter(|score| *score < 0.5)
            .map(|score| format!("{:.0}", elo(0.5 + score)));
        [
            ("<program", row.program.clone()),
            ("<without", row.method.clone()),
            ("releases", format!("{} to {}", row.from, row.to)),
            ("n", row.openings.to_string()),
            ("score above one half", score),
            ("Elo", within(Some(row.elo), row.elo_low.zip(row.elo_high), 0)),
            ("p (Holm)", p_words(Some(row.p))),
            ("shown from, Elo", or_dash(shown_from)),
        ]
    };
    rows.iter().map(cells).collect::<Table>().noted(format!(
        "Score, 0 to 1, of the release with all methods against itself without one, less one half: at each opening the mean over the releases that \
         have the method, and of these the mean over openings with its 95 % interval. Student's test over openings, corrected for all {} methods \
         (Holm). Shown from: the Elo, in either direction, that would be shown with this spread between openings.",
        rows.len()
    ))
}

/// A row for each release of which something was published.
pub fn agreement_table(rows: &[Agreement]) -> Table {
    let cells = |row: &Agreement| {
        [
            ("<release", format!("{} {}", row.program, row.release)),
            ("methods", row.methods.to_string()),
            ("rank correlation", format!("{:.2}", row.rho)),
            ("p (Holm)", p_words(Some(row.rho_p))),
        ]
    };
    rows.iter().map(cells).collect::<Table>().noted(
        "Rank correlation (Spearman) of the nodes that a release needs without a method and the Elo that was published of it. p: the share of all \
         orders of its methods that agree as much or as little, corrected for all releases.",
    )
}

/// What the picture is read by, below it.
pub const CAPTION: &str = "Above: nodes that each release of Stockfish needs to the same depth without one of its methods, over its nodes with all of \
    them; 95 % intervals over source games. Above 1 the method saves nodes. In the middle: Elo of the whole program over itself without the method, in \
    games by one short clock. Below: Elo that its authors published as lost without the same method, at the release nearest in date. Lines are set \
    apart sideways so that none hides another.";

/// What a program needs without each of its methods, release by release, below it what it loses in games, and what was published
/// of them; none of fewer than two releases.
pub fn picture(rows: &[Release], played: &[Played], program: &str) -> Option<String> {
    let rows: Vec<&Release> = rows.iter().filter(|row| row.program == program).collect();
    let releases = || rows.iter().map(|row| row.release);
    let (first, last) = (releases().min()?, releases().max()?);
    if first == last {
        return None;
    }
    let methods: BTreeSet<&str> = rows.iter().map(|row| &*row.method).collect();
    let across = Axis::whole("release", first, last);
    let series = |points: &dyn Fn(&str) -> Vec<Point>| -> Vec<Series> {
        let of_method = |method: &&str| Series { name: format!("without {method}"), points: points(method) };
        methods.iter().map(of_method).collect()
    };
    let searched = |value: fn(&Release) -> Option<Interval>| {
        series(&|method| {
            let of_method = rows.iter().filter(|row| row.method == method);
            of_method.filter_map(|row| Some(Point::new(row.release, value(row)?))).collect()
        })
    };
    let lost = |heading, look, elo: &[f64], series| Plot {
        panel: Panel { width: 560.0, height: 230.0 },
        heading,
        across: across.clone(),
        upwards: Axis::linear("Elo lost without the method", elo.iter().copied().chain([0.0])),
        look,
        guides: Vec::new(),
        series,
    };
    let nodes = rows.iter().map(|row| row.nodes);
    let saved = Plot {
        panel: Panel { width: 560.0, height: 330.0 },
        heading: &format!("{program} without each of its methods"),
        across: across.clone(),
        upwards: brief("nodes without the method over nodes with all", nodes.chain([1.0])),
        look: Look::Joined,
        guides: vec![Guide::At(1.0)],
        series: searched(|row| Some(Interval::of(row.nodes, row.nodes_low.zip(row.nodes_high)))),
    };
    let played: Vec<&Played> = played.iter().filter(|row| row.program == program).collect();
    let elo = played.iter().flat_map(|row| [Some(row.elo), row.elo_low, row.elo_high]).flatten();
    let of_games = series(&|method| {
        let point =
            |row: &&&Played| Point::new(row.release, Interval::of(row.elo, row.elo_low.zip(row.elo_high)));
        played.iter().filter(|row| row.method == method).map(|row| point(&row)).collect()
    });
    let elo: Vec<f64> = elo.collect();
    let in_games = Plot {
        guides: vec![Guide::At(0.0)],
        ..lost("what it loses in games by a short clock", Look::Joined, &elo, of_games)
    };
    let elo: Vec<f64> = rows.iter().filter_map(|row| row.published).collect();
    let of_authors = searched(|row| row.published.map(Interval::none));
    let published = lost("what its authors published", Look::Apart, &elo, of_authors);
    let newest = rows.iter().filter(|row| row.release == last);
    let newest: Vec<String> = newest.map(|row| format!("{} {}", row.method, ratio(row.nodes))).collect();
    let description =
        format!("nodes without it over nodes with all, in release {last}: {}.", newest.join("; "));
    let below = [(in_games, !played.is_empty()), (published, !elo.is_empty())];
    let below = below.into_iter().filter_map(|(plot, has_points)| has_points.then_some(plot));
    let plots: Vec<Plot<'_>> = std::iter::once(saved).chain(below).collect();
    Some(stacked(&plots, "What each method saves, release by release", &description))
}

#[cfg(test)]
pub(crate) mod tests {
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
        assert!(
            text.contains("| lmr | 3.0") && text.contains("| 200 |") && text.contains("(25 %)"),
            "{text}"
        );
        assert!(text.contains("| see | - | 1.1"), "a release without the method: {text}");
        let others = Release { program: "ethereal".to_owned(), ..all[0].clone() };
        let notes =
            tables(&[all[0].clone(), others]).iter().map(|table| table.notes.len()).collect::<Vec<_>>();
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
        assert_eq!(
            (count(&svg, "<circle"), count(&svg, "<g "), count(&svg, "without lmr<")),
            (4, 1, 1),
            "{svg}"
        );
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
}
