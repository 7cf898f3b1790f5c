//! Reports of programs whose methods are worth what is known, and of noise.

use super::*;
use secateur_record::play::{Effort, Ended, GameRow, Limit, MatchSettings, PlayFile, PlayerSpec};
use secateur_record::record::Record;
use secateur_stats::fixtures::{manifest, row};
use secateur_stats::worth::Advice;
use std::time::Duration;

fn page(runs: &Runs, played: &[Played]) -> Report {
    super::page(&Evidence::of(runs), played)
}

fn json(runs: &Runs, played: &[Played]) -> String {
    super::json(&Evidence::of(runs), played)
}

/// Of methods `a` and `b`: nodes with both, without `a`, without `b`, with neither, each times a factor by position; what `full`
/// loses, and what it loses without `a`.
fn runs([both, b, a, none]: [u64; 4], positions: u64, regret: [i32; 2]) -> Runs {
    let mut records = Vec::new();
    for position in 0..positions {
        for (arm, nodes) in [
            ("full", both),
            ("full[-a]", b),
            ("full[-b]", a),
            ("full[-a,-b]", none),
            ("none", none),
            ("a", a),
            ("b", b),
        ] {
            let record = row(&position.to_string(), "28", arm, nodes * (position + 1) + position % 3);
            let lost = if arm == "full[-a]" { regret[1] } else { regret[0] };
            records.push(Record { regret: Some(lost), ..record });
        }
    }
    let manifest = manifest("[[game]]\nname = \"othello\"\nbaseline = \"full\"\n");
    Runs { records, manifests: vec![manifest], ..Runs::default() }
}

/// A match of so many pairs, of which the first player wins, draws and loses as many games as said.
pub(crate) fn played(methods: &[&str], [won, drawn, lost]: [usize; 3], sprt: Option<[f64; 2]>) -> Played {
    let player = |methods: &str| PlayerSpec::Methods { methods: methods.to_owned(), params: None };
    let points = [(won, 1.0), (drawn, 0.5), (lost, 0.0)];
    let all = points.into_iter().flat_map(|(games, points)| std::iter::repeat_n(points, games));
    let rows: Vec<GameRow> = all
        .zip(1..)
        .map(|(points, game)| GameRow { game, pair: game.div_ceil(2), points, ..GameRow::default() })
        .collect();
    let players = [player("all"), player("none")];
    let settings = MatchSettings {
        seed: 1,
        margin_ms: 50,
        hash_mib: 16,
        sprt,
        ..MatchSettings::between(players, "chess", rows.len(), Limit::Nodes(5_000))
    };
    let file = PlayFile { distinct_openings: 50, ..PlayFile::of(settings) };
    let ended = Ended { file, rows, mended: Vec::new() };
    Played { methods: methods.iter().map(|name| (*name).to_owned()).collect(), ended }
}

#[test]
fn the_searches_name_what_saves_the_same() {
    let report = page(&runs([1_000, 2_000, 1_000, 4_000], 12, [0, 0]), &[]);
    let table = &report.sections[0].tables[0];
    assert_eq!(
        [&table.rows[0][1], &table.rows[1][1]],
        ["saves", "no saving shown beyond what others save (a most)"]
    );
    let text = report.sections[0].text.join(" ");
    assert!(text.contains("Most nodes are saved by a: without it the program needs 2.00"), "{text}");
    assert!(text.contains("b saves less with the others on (1.00 times) than alone (2.00); most of what is saved twice it shares with a"));
    assert!(!text.contains('`') && !render::markdown(&report).contains('`'), "{text}");
}

/// E7: an estimate without a test that holds makes no sentence.
#[test]
fn noise_makes_no_sentence() {
    let mut runs = runs([1_000, 1_000, 1_000, 1_000], 12, [0, 0]);
    for row in runs.records.iter_mut().filter(|row| row.methods != "full") {
        let place = row.position.parse::<u64>().unwrap() + row.methods.len() as u64;
        row.nodes = row.nodes.map(|nodes| if place.is_multiple_of(2) { nodes * 2 } else { nodes * 6 / 10 });
    }
    let report = page(&runs, &[]);
    let text = &report.sections[0].text;
    assert_eq!(text.len(), 2, "only what is missing and how sure it is: {text:?}");
    for row in &report.sections[0].tables[0].rows {
        assert_eq!(row[1], "undecided");
        assert!(row[3].ends_with('x'), "what could have been shown: {row:?}");
    }
}

/// E8: what is said of regret is what the method adds to that of the program without it, in the unit of the game.
#[test]
fn regret_is_what_the_method_adds() {
    // Both lose a lot, the program without `a` half a disc less.
    let report = page(&runs([1_000, 2_000, 1_500, 4_000], 40, [350, 300]), &[]);
    let table = &report.sections[0].tables[0];
    let at = table.columns.iter().position(|(heading, _)| heading == "regret it adds, discs").unwrap();
    assert!(table.rows[0][at].starts_with("+0.50 [+0.50, +0.50] (p <0.001)"), "{:?}", table.rows[0]);
    assert!(table.rows[1][at].starts_with("+0.00"), "{:?}", table.rows[1]);
    assert_eq!(table.rows[0][1], "saves", "regret has a column, not a word");
    let runs = runs([1_000, 2_000, 1_500, 4_000], 40, [350, 300]);
    let rows = rows(&Evidence::of(&runs), &[]);
    let without = rows.iter().find(|row| row.methods == "a" && row.measure == "regret_without").unwrap();
    assert_eq!(without.estimate, Some(-50.0), "in the unit of the record, as it was");
}

#[test]
fn games_stand_as_openbench_writes_them_and_decide() {
    let with_b = played(&["b"], [60, 30, 10], None);
    let text = block(&with_b);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("Elo   | 190.85 +- ") && lines[0].ends_with(" (95%)"), "{text}");
    assert_eq!(lines[1], "Conf  | N=5000 Threads=1 Hash=16MB");
    assert_eq!(lines[2], "Games | N: 100 W: 60 L: 10 D: 30");
    assert_eq!(lines[3], "Penta | [5, 0, 15, 0, 30]");
    let tested = block(&played(&["b"], [60, 30, 10], Some([0.0, 5.0])));
    assert!(tested.contains("\nSPRT  | N=5000") && tested.contains("(-2.94, 2.94) [0.00, 5.00]"), "{tested}");
    let runs = runs([1_000, 2_000, 1_000, 4_000], 12, [0, 0]);
    let played = [with_b];
    let report = page(&runs, &played);
    // Games first, then searches: two answers to two questions, each in its own table.
    let word = |report: &Report, section: usize, method: &str| {
        let rows = &report.sections[section].tables[0].rows;
        rows.iter().find(|row| row[0] == method).map(|row| row[1].clone()).unwrap_or_default()
    };
    let searched = "no saving shown beyond what others save (a most)";
    assert_eq!(report.sections[0].title, "What to do");
    assert_eq!([0, 1].map(|section| word(&report, section, "b")), ["better with it at N=5000", searched]);
    let mut lost = [self::played(&["a"], [10, 30, 60], None)];
    let of_lost = page(&runs, &lost);
    assert_eq!([0, 1].map(|section| word(&of_lost, section, "a")), ["better without it at N=5000", "saves"]);
    assert_eq!(word(&of_lost, 1, "b"), searched, "the same searches, the same words");
    lost[0].ended.file.settings.limit =
        Limit::Clock { base: Duration::from_secs(1), increment: Duration::from_millis(10) };
    assert_eq!(word(&page(&runs, &lost), 0, "a"), "drop at 1+0.01s");
    lost[0].ended.file.settings.limit = Limit::Nodes(5_000);
    assert!(json(&runs, &lost).contains("In games at N=5000 -190"), "{}", json(&runs, &lost));
    let markdown = markdown(&report, &played);
    assert!(markdown.contains("\n## Games\n\nWith against without b:\n\n```\nElo   | "), "{markdown}");
}

/// The table, the Markdown, the JSON and the page say the same: only games by time say what to keep.
#[test]
fn games_at_equal_nodes_or_depth_never_say_what_to_keep() {
    let runs = runs([1_000, 2_000, 1_000, 4_000], 12, [0, 0]);
    let mut played = [played(&["a"], [10, 30, 60], None), played(&["b"], [60, 30, 10], None)];
    let clock = Limit::Clock { base: Duration::from_secs(1), increment: Duration::from_millis(10) };
    for (limit, [lost, won], [class_lost, class_won]) in [
        (clock, ["drop", "keep"], ["drop", "keep"]),
        (Limit::MoveTime(Duration::from_millis(50)), ["drop", "keep"], ["drop", "keep"]),
        (Limit::Nodes(5_000), ["better-without", "better-with"], ["saves", "no-saving-beyond-others"]),
        (Limit::Depth(6), ["better-without", "better-with"], ["saves", "no-saving-beyond-others"]),
    ] {
        played.iter_mut().for_each(|one| one.ended.file.settings.limit = limit);
        let report = page(&runs, &played);
        let text = markdown(&report, &played);
        let value: serde_json::Value = serde_json::from_str(&json(&runs, &played)).unwrap();
        let html = crate::page::html::page(
            &runs,
            crate::page::html::Extras { played: played.to_vec(), ..Default::default() },
        );
        for (at, (key, class)) in [(lost, class_lost), (won, class_won)].into_iter().enumerate() {
            let verdict = match key {
                "better-with" => "better with it",
                "better-without" => "better without it",
                word => word,
            };
            assert_eq!(value["methods"][at]["games"], key, "{limit}");
            let words = value["methods"][at]["games_words"].as_str().unwrap();
            assert!(words.starts_with(&format!("{verdict} at ")), "{limit}: {words}");
            let cell = &report.sections[0].tables[0].rows[at][1];
            assert!(cell == words && text.contains(words), "{limit}: {words}, {cell}");
            let entry = format!("<li class=\"{class}\"><strong class=\"method\">{}<", ["a", "b"][at]);
            assert!(html.contains(&entry) && html.contains(words), "{limit}: {entry}");
        }
    }
}

/// The null run stands next to the games, in every form, and warns where it is off; games lost on time are counted and bounded.
#[test]
fn the_program_against_itself_and_games_lost_on_time_are_told() {
    let runs = runs([1_000, 2_000, 1_000, 4_000], 12, [0, 0]);
    let reported = |null: [usize; 3], late: usize| {
        let mut all = [played(&["a"], [90, 60, 50], None), played(&[], null, None)];
        for one in &mut all {
            one.ended.file.settings.limit =
                Limit::Clock { base: Duration::from_secs(1), increment: Duration::from_millis(10) };
        }
        all[0].ended.rows.iter_mut().take(late).for_each(|row| row.reason = "time".to_owned());
        let report = page(&runs, &all);
        let extras = crate::page::html::Extras { played: all.to_vec(), ..Default::default() };
        let html = crate::page::html::page(&runs, extras);
        let value: serde_json::Value = serde_json::from_str(&json(&runs, &all)).unwrap();
        let text = report.sections[0].text.join(" ");
        for line in &report.sections[0].text {
            let escaped = line.replace('<', "&lt;");
            assert!(html.contains(&escaped) && markdown(&report, &all).contains(&escaped), "{line}");
            assert!(value["games"]["words"].as_array().unwrap().contains(&line.as_str().into()), "{line}");
        }
        assert!(markdown(&report, &all).contains("\nThe program against itself:\n\n```\nElo   | "));
        assert!(value["measures"].as_array().unwrap().iter().any(|row| row["methods"] == "null run"));
        (text, value["games"].clone(), report)
    };
    let (text, games, _) = reported([32, 20, 28], 1);
    assert!(
        text.contains("Null run, the program against itself: +")
            && text.contains("no difference, as it should be"),
        "{text}"
    );
    assert!(
        text.contains("Lost on time: 1 of 280 games (0.4 %)") && text.contains("more than 1.0 %"),
        "{text}"
    );
    assert_eq!((&games["lost_on_time"], &games["null_run"]["games"]), (&1.into(), &80.into()));
    assert!(games["null_run"]["elo"]["low"].as_f64().unwrap() < 0.0, "{games}");
    let (text, ..) = reported([60, 15, 5], 0);
    assert!(text.contains("the harness favours a player"), "{text}");
    // Beyond its bound the match has no result, and nothing is advised.
    let (text, _, report) = reported([32, 20, 28], 3);
    assert!(
        text.contains("Lost on time: 3 of 280 games") && report.sections[0].tables.is_empty(),
        "{report:?}"
    );
}

/// With margins the intervals hold at all times, and what is undecided says how many games decide it.
#[test]
fn margins_decide_at_all_times_and_every_form_says_so() {
    let runs = runs([1_000, 2_000, 1_000, 4_000], 12, [0, 0]);
    let fixed = [played(&["a"], [360, 120, 120], None), played(&["b"], [60, 50, 50], None)];
    let mut margins = fixed.clone();
    for one in &mut margins {
        one.ended.file.settings.margins = Some([3.0, 5.0]);
        one.ended.file.settings.limit =
            Limit::Clock { base: Duration::from_secs(1), increment: Duration::from_millis(10) };
    }
    let report = page(&runs, &margins);
    let rows = &report.sections[0].tables[0].rows;
    assert_eq!(rows[0][1], "keep at 1+0.01s");
    assert!(
        rows[1][1].starts_with("play on: about ") && rows[1][1].ends_with(" games more decide it"),
        "{rows:?}"
    );
    assert!(
        report.sections[0].tables[0].notes[0]
            .contains("more than 3 Elo; drop: shown to be worth less than 5 Elo")
    );
    let low = |played: &[Played]| {
        let value: serde_json::Value = serde_json::from_str(&json(&runs, played)).unwrap();
        value["methods"][0]["games_elo"]["low"].as_f64().unwrap()
    };
    assert!(low(&margins) > 3.0 && low(&margins) < low(&fixed), "wider than of a fixed number of games");
    let value: serde_json::Value = serde_json::from_str(&json(&runs, &margins)).unwrap();
    assert_eq!(
        (&value["methods"][1]["games"], &value["games"]["margins"][1]),
        (&"play-on".into(), &5.0.into())
    );
    margins[0].ended.file.settings.limit = Limit::Nodes(500);
    assert_eq!(page(&runs, &margins).sections[0].tables[0].rows[0][1], "better with it at N=500");
}

/// A program that crashes loses games, which say nothing of what its method is worth.
#[test]
fn games_that_ended_by_faults_decide_nothing() {
    let runs = runs([1_000, 2_000, 1_000, 4_000], 12, [0, 0]);
    let mut crashed = played(&["a"], [10, 30, 60], None);
    crashed.ended.rows.iter_mut().step_by(2).for_each(|row| row.reason = "crash".to_owned());
    let played = [crashed];
    let report = page(&runs, &played);
    let table = &report.sections[0].tables[0];
    assert_eq!(table.rows[0][1], "saves", "and no column of games");
    assert!(table.columns.iter().all(|(heading, _)| heading != "Elo"), "{:?}", table.columns);
    let note = "Games without a: 50 of 100 games ended by faults";
    assert!(report.notes.iter().any(|text| text.starts_with(note)), "{:?}", report.notes);
    assert!(block(&played[0]).starts_with("Elo   | -\n"), "{}", block(&played[0]));
}

/// An extension spends nodes on purpose: what is shown to need more of them, and not to choose worse moves, is not called useless.
#[test]
fn what_spends_nodes_is_left_to_games() {
    // Without `b` the program needs half of the nodes.
    let verdicts = |regret| {
        page(&runs([2_000, 4_000, 1_000, 3_000], 12, [regret, regret]), &[]).sections[0].tables[0].clone()
    };
    assert_eq!(verdicts(0).rows[1][1], "spends");
    let mut worse = runs([2_000, 4_000, 1_000, 3_000], 12, [300, 300]);
    worse.records.iter_mut().filter(|row| row.methods == "full[-b]").for_each(|row| row.regret = Some(0));
    let report = &page(&worse, &[]);
    assert_eq!(
        report.sections[0].tables[0].rows[1][1], "spends",
        "whatever its moves lose: games weigh the two"
    );
    assert!(json(&worse, &[]).contains("moves lose more with it"), "the reason says so");
}

/// Nodes at one depth are not strength: what was not played or judged is said next to the verdicts, with what would add it.
#[test]
fn what_verdicts_do_not_rest_on_is_said() {
    let text_of = |runs: &Runs, played: &[Played]| {
        let sections = page(runs, played).sections;
        sections
            .iter()
            .find(|section| section.title.contains("positions"))
            .map_or(String::new(), |one| one.text.join(" "))
    };
    let judged = runs([1_000, 2_000, 1_000, 4_000], 12, [0, 0]);
    let text = text_of(&judged, &[]);
    assert!(text.contains("not whether to keep it: no game was played. --games 200"), "{text}");
    assert!(!text.contains("to play first"), "no study of this game: {text}");
    let mut chess = judged.clone();
    chess.records.iter_mut().for_each(|row| row.game = "chess".into());
    chess.manifests[0].game[0].name = "chess".to_owned();
    assert!(
        text_of(&chess, &[]).contains("Games to play first: without a, b, in this order."),
        "{}",
        text_of(&chess, &[])
    );
    let mut bare = judged.clone();
    bare.records.iter_mut().for_each(|row| row.regret = None);
    let text = text_of(&bare, &[]);
    assert!(text.contains("no game was played, and the moves that changed were not judged"), "{text}");
    assert!(text.contains("--oracle full+2"), "{text}");
    let legend = &page(&bare, &[]).sections[0].tables[0].notes[0];
    assert!(
        legend.contains("Same move") && !legend.contains("Regret"),
        "only columns that are there: {legend}"
    );
    let one = played(&["a"], [60, 30, 10], None);
    let text = text_of(&judged, std::slice::from_ref(&one));
    assert!(text.contains("no game that counts was played without b."), "{text}");
    let text = text_of(&judged, &[one, played(&["b"], [60, 30, 10], None)]);
    assert!(!text.contains("not whether to keep"), "{text}");
    let mut nodes = bare;
    nodes.records.iter_mut().for_each(|row| row.budget_kind = secateur_record::record::BudgetKind::Nodes);
    let text = text_of(&nodes, &[]);
    assert!(text.contains("At this budget the arms do not spend the same"), "{text}");
    assert!(text.contains("searches by full, full[-a], full[-b], full[-a,-b] and 3 more arms"), "{text}");
    nodes.records.iter_mut().for_each(|row| (row.budget, row.nodes) = (5_000, Some(5_000)));
    let text = text_of(&nodes, &[]);
    assert!(!text.contains("Not within this budget"), "{text}");
    assert!(
        text.contains("At this budget every arm spends the same, so searches say nothing of savings"),
        "{text}"
    );
}

/// The JSON has what the searches show in one word, and says why.
#[test]
fn a_tool_reads_the_same_words() {
    let value: serde_json::Value =
        serde_json::from_str(&json(&runs([1_000, 2_000, 1_000, 4_000], 12, [0, 0]), &[])).unwrap();
    let methods = value["methods"].as_array().unwrap();
    assert_eq!(
        (&methods[0]["searches"], &methods[1]["searches"]),
        (&"saves".into(), &"no-saving-beyond-others".into())
    );
    assert_eq!((&methods[1]["covered_by"], &methods[1]["positions"]), (&"a".into(), &12.into()));
    assert!(
        methods[0]["reason"].as_str().unwrap().contains("2.00") && methods[0]["games"].is_null(),
        "{methods:?}"
    );
    assert!(
        value["tests"][0]["nodes"].as_u64().unwrap() == 1 && value["measures"].as_array().unwrap().len() > 8
    );
}

/// On a narrow terminal columns are left out; what the searches show is the answer and stays.
#[test]
fn a_narrow_terminal_keeps_what_the_searches_show() {
    let runs = runs([100, 200, 150, 400], 20, [10, 10]);
    let text = crate::page::brief::of_worth(&Evidence::of(&runs), &[], 60).unwrap();
    let heading = text.lines().find(|line| line.starts_with("method")).unwrap_or_default();
    assert!(heading.contains("searches show") && text.contains("no room for"), "{text}");
}

/// Games in which the first side lacks `a`, the second `b`, or one side both, so many pairs of each.
fn shared(pairs: usize) -> Played {
    let mut played = played(&[], [8 * pairs, 0, 0], None);
    played.ended.file.settings.shared = ["a", "b"].map(str::to_owned).to_vec();
    let sides: [[&[&str]; 2]; 4] = [[&["a"], &[]], [&[], &["a"]], [&["b"], &[]], [&["a", "b"], &[]]];
    for row in &mut played.ended.rows {
        row.lacking = sides[row.pair % 4].map(|side| side.iter().map(|name| (*name).to_owned()).collect());
        // Who lacks `a` loses a game in three pairs of five; what lacks `b` alone draws.
        let loses = row.game % 2 == 0 && row.pair % 5 < 3 && row.pair % 4 != 2;
        row.points = if !loses {
            0.5
        } else if row.pair % 4 == 1 {
            1.0
        } else {
            0.0
        };
    }
    played
}

/// Every method's Elo and every pair's beyond their sum are on the page, in Markdown and in JSON, and none of it is read off the score of
/// a side.
#[test]
fn shared_games_say_every_method_and_every_two() {
    let runs = runs([100, 200, 110, 400], 12, [0, 0]);
    let all = [shared(80)];
    let evidence = Evidence::of(&runs);
    let judged = Judged::of(&evidence, &all);
    let said = |method: &str| judged.played(method).unwrap().said.unwrap();
    assert_eq!(said("a").0, Advice::BetterWith, "{:?}", judged.each);
    let b = said("b").1;
    assert!(b.low < 0.0 && b.high > 0.0, "a method with no effect: {b:?}");
    assert_eq!(judged.sums().len(), 1);
    let report = page(&runs, &all);
    let titles: Vec<&str> = report.sections.iter().map(|section| section.title.as_str()).collect();
    assert!(titles.contains(&words::TITLE) && titles.contains(&"Do Elo values add up?"), "{titles:?}");
    let text = markdown(&report, &all);
    assert!(
        text.contains("Shared games: in 640 games each side lacked") && !text.contains("Penta"),
        "{text}"
    );
    let json: serde_json::Value = serde_json::from_str(&json(&runs, &all)).unwrap();
    assert_eq!(json["games"]["pairs"][0]["methods"], serde_json::json!(["a", "b"]));
    assert!(
        json["games"]["pairs"][0]["beyond_their_sum"]["low"].is_f64()
            && json["games"]["shared"]["games"] == 640
    );
    let rows = rows(&evidence, &all);
    let elos: Vec<&str> =
        rows.iter().filter(|row| row.measure == "elo").map(|row| row.methods.as_str()).collect();
    assert_eq!(elos, ["a", "b"]);
    assert!(rows.iter().any(|row| row.methods == "shared games" && row.measure == "faults_first"));
    // Next to matches of single methods both ways are laid side by side; without them there is nothing to compare.
    assert!(agreement(&judged).is_none());
    let [one, two] = [played(&["a"], [70, 10, 20], None), played(&["b"], [30, 40, 30], None)];
    let all = [one, two, shared(80)];
    let both = agreement(&Judged::of(&evidence, &all)).unwrap();
    assert_eq!(both.tables[0].rows.len(), 2);
    assert!(
        both.text[0].contains("One by one, 200 games") && both.text[0].contains("shared, 640 games"),
        "{both:?}"
    );
}

/// A program that keeps a reserve plays at a short clock as if it had none, and the page says so.
#[test]
fn how_much_of_its_clock_a_program_used_is_on_the_page() {
    let page_of = |milliseconds: u64| {
        let mut played = played(&["a"], [10, 10, 10], None);
        let [base, increment] = [200, 2].map(Duration::from_millis);
        played.ended.file.settings.limit = Limit::Clock { base, increment };
        let effort =
            Effort { moves: 50, depths: 250, time: Duration::from_millis(milliseconds), ..Effort::default() };
        played.ended.rows.iter_mut().for_each(|row| row.set_effort(effort, effort));
        markdown(&page(&runs([100, 200, 110, 400], 12, [0, 0]), std::slice::from_ref(&played)), &[])
    };
    let (short, long) = (page_of(30), page_of(210));
    assert!(
        short.contains("10.0 % of its clock, at a mean depth of 5.0 plies. It keeps a reserve"),
        "{short}"
    );
    assert!(
        long.contains("70.0 % of its clock, at a mean depth of 5.0 plies.") && !long.contains("reserve"),
        "{long}"
    );
}
