//! Comparisons with programs that are scripts: what is planned, what is recorded, what goes on.

use super::*;
use crate::instruments::machine::current;
use crate::manifest::{begun, of_plan};
use crate::run::{Ended, run};
use crate::shards::merge::merge;
use crate::shards::shard::Shard;
use crate::speed::asked::peers_of;
use crate::speed::reference::{Reference, walled, work};
use secateur_record::manifest::{FILE, Manifest};
use secateur_record::speed::{LOOP, Measure, OURS, Part};
use secateur_record::store::{RunRows, Store};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

const GO: &str = "echo 'info depth 1 score cp 10 nodes 20 time 1 pv e2e3'; \
                  echo 'info depth 2 score cp 15 nodes 70 time 2 pv e2e4 e8d8'; echo 'bestmove e2e4'";
const SET: &str =
    "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"one\";\n4k3/8/8/8/8/8/4P3/4K2R w K - bm e4; id \"two\";\n";

/// A subject file of a program that answers so, with a switch.
fn subject(dir: &Path, name: &str) -> String {
    let script = format!(
        "[ \"$1\" = compiler ] && {{ printf 'Fake\\n\\nCompiled by sh\\nCompilation settings   include: 64bit SSE2\\n'; exit; }}\n\
         while read -r line; do case \"$line\" in\n uci) echo 'id name {name} 1'\n\
         echo 'option name Prune type check default true'; echo uciok ;;\n isready) echo readyok ;;\n quit) exit ;;\n\
         go*) {GO} ;;\nesac; done\n"
    );
    std::fs::write(dir.join(name), script).unwrap();
    let file = dir.join(format!("{name}.toml"));
    let text = format!(
        "[subject]\ngame = \"chess\"\ncommand = \"sh\"\nargs = [\"{0}\"]\ncompiled = [\"{0}\", \"compiler\"]\n[factor]\nall = \"Prune=false\"\n",
        dir.join(name).display()
    );
    std::fs::write(&file, text).unwrap();
    file.display().to_string()
}

/// What `speed` was asked in tests: one position, two plies, two rounds.
pub(crate) fn asked(peers: &[String]) -> Asked {
    Asked {
        measures: vec![Wanted::Depth],
        games: Vec::new(),
        peers: peers.to_vec(),
        edax: None,
        rounds: 2,
        positions: Some("bratko-kopec".to_owned()),
        limit: Some(1),
        depth: Some(2),
        time: 20_000_000,
        methods: None,
        params: None,
        hash_mib: 2,
        instructions: false,
        smoke: false,
    }
}

fn rows(part: &Part, plan: &crate::matrix::Plan, folder: &Path) -> RunRows {
    let folder = folder.join(part.folder());
    let store = Store::open(&folder, of_plan("r", plan, Vec::new(), 1), current()).unwrap();
    match run(plan, store, 1, None, &Arc::new(AtomicBool::new(false)), &mut |_| {}).unwrap() {
        Ended::Complete(rows) => rows,
        Ended::Stopped { finished } => panic!("stopped after {finished}"),
    }
}

#[test]
fn everybody_takes_turns_and_who_is_not_there_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    std::fs::write(
        dir.join("gone.toml"),
        "[subject]\ngame = \"chess\"\ncommand = \"no-such-engine\"\nget = \"luck\"\n",
    )
    .unwrap();
    let peers = [subject(dir, "fake"), dir.join("gone.toml").display().to_string()];
    let set = dir.join("set.epd");
    std::fs::write(&set, SET).unwrap();
    let asked = Asked { positions: Some(set.display().to_string()), ..asked(&peers) };
    let asked = Asked { games: vec!["chess".to_owned()], limit: None, ..asked };
    let (part, plan) = planned(&asked, (Measure::FullWidth, "chess"), dir).unwrap().unwrap();
    let names: Vec<(&str, &str)> =
        part.contenders.iter().map(|one| (one.name.as_str(), one.arm.as_str())).collect();
    assert_eq!(names, [(OURS, "none"), ("fake", "none"), (LOOP, "")]);
    assert_eq!(part.contenders[1].program, "fake 1");
    assert_eq!(part.contenders[1].note, "Compiled by sh; Compilation settings include: 64bit SSE2");
    // It is not known what it searched in an earlier round.
    let made = &plan.games[0].arms.iter().find(|arm| arm.name == "fake").unwrap().made;
    assert!(
        part.cold && made["isolation"].starts_with("a process for each search, told to forget"),
        "{made:?}"
    );
    assert!(part.missing[0].why.contains("not found") && part.missing[0].why.contains("to get it: luck"));
    let recorded = rows(&part, &plan, dir);
    assert_eq!(recorded.records.len(), 2 * 3 * 2);
    assert!(recorded.records.iter().all(|row| row.error.is_none()), "{:?}", recorded.records);
    let searched = |arm: &str| recorded.records.iter().filter(|row| row.methods == arm).collect::<Vec<_>>();
    assert!(searched("fake").iter().all(|row| row.nodes == Some(70) && row.best_move == "e2e4"));
    assert!(searched(LOOP).iter().all(|row| row.time_ns > 0 && row.nodes == Some(reference::ROUNDS)));
    let manifest = Manifest::read(&dir.join(part.folder())).unwrap();
    assert_eq!(Part::of(&manifest), Some(part.clone()));
    // It goes on with nothing to do, and not without whoever took part.
    let resumed = planned(&asked, (Measure::FullWidth, "chess"), dir).unwrap().unwrap();
    assert_eq!(rows(&resumed.0, &resumed.1, dir).records, recorded.records);
    let without = Asked { peers: peers[1..].to_vec(), ..asked };
    let error = planned(&without, (Measure::FullWidth, "chess"), dir).unwrap_err().to_string();
    assert!(error.contains("found no fake, which took part"), "{error}");
}

#[test]
fn a_judge_says_what_is_right_where_no_author_does() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let judge = [knowing(dir, "judge")];
    let asked = Asked { positions: None, measures: vec![Wanted::Solve], smoke: true, ..asked(&judge) };
    let asked = Asked { games: vec!["chess".to_owned()], ..asked };
    let parts = asked.parts().unwrap();
    assert_eq!(parts.iter().map(|part| part.0).collect::<Vec<_>>(), [Measure::Judge, Measure::Solve]);
    let (part, plan) = planned(&asked, (Measure::Judge, "chess"), dir).unwrap().unwrap();
    assert_eq!((part.contenders.len(), plan.len()), (1, 3));
    let judged = rows(&part, &plan, dir);
    assert!(judged.records.iter().all(|row| row.error.is_none()), "{judged:?}");
    let (part, plan) = planned(&asked, (Measure::Solve, "chess"), dir).unwrap().unwrap();
    assert_eq!((part.judge.as_str(), part.judged.len()), ("judge", 3));
    let manifest = of_plan("r", &plan, Vec::new(), 1);
    for row in &judged.records {
        assert!(manifest.game[0].solutions[&*row.position].best == [row.best_move]);
    }
    // It is asked again to the same positions.
    let resumed = planned(&asked, (Measure::Solve, "chess"), dir).unwrap().unwrap();
    assert_eq!(
        (resumed.1.cells_hash(), resumed.1.positions_hash()),
        (plan.cells_hash(), plan.positions_hash())
    );
}

#[test]
fn every_shard_has_the_judged_positions_and_together_they_are_the_comparison() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let judge = [knowing(dir, "judge")];
    let asked = Asked { positions: None, measures: vec![Wanted::Solve], smoke: true, ..asked(&judge) };
    let asked = Asked { games: vec!["chess".to_owned()], ..asked };
    let folders = [1, 2].map(|number| {
        let (folder, shard) = (dir.join(number.to_string()), Shard { number, of: 2 });
        for measure in [Measure::Judge, Measure::Solve] {
            let (part, plan) = planned(&asked, (measure, "chess"), &folder).unwrap().unwrap();
            rows(&part, &sharded(plan, Some(measure), shard).unwrap(), &folder);
        }
        assert_eq!(begun_as(&folder).unwrap(), Some(shard));
        folder
    });
    let merged = |part: &str| {
        merge(&dir.join("all").join(part), &folders.each_ref().map(|folder| folder.join(part))).unwrap()
    };
    let (judged, solved) = (merged("chess-judge"), merged("chess-solve"));
    assert_eq!((judged.part.lacks(), judged.agreed), (None, judged.part.units as usize));
    assert_eq!((solved.part.lacks(), solved.agreed), (None, 0));
    assert_eq!(begun_as(&dir.join("all")).unwrap(), None);
    let (_, whole) = planned(&asked, (Measure::Solve, "chess"), &dir.join("all")).unwrap().unwrap();
    assert_eq!(Manifest::read(&dir.join("all/chess-solve")).unwrap().cells, whole.cells_hash());
}

/// A program that knows the first move of every position that is judged.
fn knowing(dir: &Path, name: &str) -> String {
    use secateur_core::{AnyGame, Moves, Notation, Rules};
    let game = crate::setups::games::find("chess").unwrap();
    let set = secateur_positions::builtin::builtin(&game, "chess-games").unwrap();
    let case = |entry: &secateur_positions::Entry| {
        let root = game.parse(&entry.position).unwrap();
        let mut moves = Moves::<AnyGame>::new();
        game.moves(&root, &mut moves);
        format!("  *'{}'*) mv={} ;;\n", entry.position, game.format_move(&root, moves[0].mv))
    };
    let cases: String = set.entries.iter().map(case).collect();
    let file = subject(dir, name);
    let script = std::fs::read_to_string(dir.join(name)).unwrap();
    let scripted = script
        .replace(" quit)", &format!(" position*) case \"$line\" in\n{cases}  esac ;;\n quit)"))
        .replace(GO, "echo \"info depth 2 score cp 15 nodes 70 time 2 pv $mv\"; echo \"bestmove $mv\"");
    std::fs::write(dir.join(name), scripted).unwrap();
    file
}

#[test]
fn without_a_judge_the_published_solutions_are_left() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let gone = dir.join("gone.toml");
    std::fs::write(&gone, "[subject]\ngame = \"chess\"\ncommand = \"no-such-engine\"\n").unwrap();
    let asked = asked(&[gone.display().to_string()]);
    let asked = Asked { positions: None, smoke: true, games: vec!["chess".to_owned()], ..asked };
    assert!(planned(&asked, (Measure::Judge, "chess"), dir).unwrap().is_none());
    let (part, plan) = planned(&asked, (Measure::Solve, "chess"), dir).unwrap().unwrap();
    assert!(part.judge.is_empty() && part.judged.is_empty());
    // One of each stage.
    assert!(plan.games[0].entries.iter().all(|entry| entry.id.starts_with("kaufman")));
}

#[test]
fn endgames_are_those_of_their_numbers() {
    let dir = tempfile::tempdir().unwrap();
    let asked = Asked { positions: None, limit: None, peers: vec!["edax".to_owned()], ..asked(&[]) };
    let edax = Some(dir.path().join("edax"));
    for (smoke, first, count) in [(false, "ffo-40", 10), (true, "ffo-01", 3)] {
        let asked = Asked { smoke, edax: edax.clone(), ..asked.clone() };
        let (part, plan) = planned(&asked, (Measure::Endgame, "othello"), dir.path()).unwrap().unwrap();
        let entries = &plan.games[0].entries;
        assert_eq!((entries[0].id.as_str(), entries.len()), (first, count));
        assert!(part.missing[0].why.contains("not found"), "{:?}", part.missing);
    }
}

#[test]
fn methods_and_parameters_that_are_not_there_are_told_before_anything_is_searched() {
    let asked = asked(&["toga2".to_owned()]);
    assert!(asked.parts().is_ok());
    let [params, methods] = ["strog", "mpcc"].map(|name| Some(name.to_owned()));
    let wrong = |asked: Asked| asked.parts().unwrap_err().to_string();
    assert!(wrong(Asked { params, ..asked.clone() }).contains("did you mean `strong`?"));
    assert!(wrong(Asked { methods, ..asked }).contains("did you mean `mpc`?"));
}

#[test]
fn what_is_asked_is_kept_and_read() {
    let dir = tempfile::tempdir().unwrap();
    let asked = asked(&["toga2".to_owned()]);
    let folder = dir.path().join("out");
    asked.opens(&folder).unwrap();
    let run = folder.join("chess-depth");
    std::fs::create_dir_all(&run).unwrap();
    let path = run.join(FILE);
    let manifest = |comparison| Manifest { comparison, ..begun("r", Vec::new(), 1) }.text();
    std::fs::write(&path, manifest(None)).unwrap();
    assert!(Asked::read(&folder).unwrap_err().to_string().contains("no comparison"));
    std::fs::write(&path, manifest(Some(asked.table()))).unwrap();
    assert_eq!(Asked::read(&folder).unwrap(), asked);
    asked.opens(&folder).unwrap();
    let other = Asked { rounds: 3, ..asked.clone() };
    assert!(other.opens(&folder).unwrap_err().to_string().contains("other settings"));
    let more = toml::Table::from_iter([("more".to_owned(), 1.into())]);
    std::fs::write(&path, manifest(Some(more))).unwrap();
    assert!(Asked::read(&folder).unwrap_err().to_string().contains("comparison: unknown field `more`"));
    std::fs::write(&path, manifest(Some(asked.table()))).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("rounds = 2", "rounds = 3")).unwrap();
    assert!(Asked::read(&folder).unwrap_err().to_string().contains("not as it was written"));
}

#[test]
fn names_that_are_none_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let plan = |asked: &Asked| planned(asked, (Measure::Depth, "chess"), dir.path()).map(drop);
    let error = plan(&asked(&["toga".to_owned()])).unwrap_err().to_string();
    assert!(error.contains("did you mean `toga2`?"), "{error}");
    let methods = Some("nul-move".to_owned());
    let error = plan(&Asked { methods, ..asked(&["crafty".to_owned()]) }).unwrap_err().to_string();
    assert!(error.contains("did you mean `null-move`?"), "{error}");
    let asked = asked(&[]);
    assert!(Asked { games: vec!["go".to_owned()], positions: None, ..asked.clone() }.parts().is_err());
    let wrong = Asked { games: vec!["othello".to_owned()], ..asked };
    assert!(wrong.parts().unwrap_err().to_string().contains("found positions of chess"));
}

/// Instructions are exact: they are counted without a search by the clock next to them, and where such searches are, too.
#[test]
fn instructions_are_a_measure_of_their_own() {
    let dir = tempfile::tempdir().unwrap();
    let peers = [subject(dir.path(), "fake")];
    let only = Asked { measures: vec![Wanted::Instructions], ..asked(&peers) };
    assert!(only.is_counted() && only.parts().unwrap().is_empty());
    let both = Asked { measures: vec![Wanted::FullWidth, Wanted::Instructions], ..only.clone() };
    assert_eq!(both.parts().unwrap(), [(Measure::FullWidth, "chess".to_owned())]);
    assert!(!Asked { measures: vec![Wanted::FullWidth], ..only.clone() }.is_counted());
    let (all, left) = countings(&only).unwrap();
    let names: Vec<&str> = all.iter().map(|counting| counting.folder.as_str()).collect();
    assert_eq!(names, ["chess-instructions-secateur", "chess-instructions-fake"]);
    assert!(
        left.is_empty()
            && all.iter().all(|counting| counting.plan.units.iter().all(|unit| unit.instructions))
    );
    let alone = Asked { peers: vec!["ethereal".to_owned()], ..only };
    assert!(countings(&alone).unwrap().0.is_empty(), "alone there is no ratio");
}

/// Every name in the data of this package is one.
#[test]
fn what_is_compared_by_default_exists() {
    let all = Asked { positions: None, measures: Vec::new(), ..asked(&[]) };
    assert_eq!(all.parts().unwrap().len(), 4 + 3);
    for game in ["chess", "othello"] {
        peers_of(&all, game).unwrap();
    }
}

/// The work of the loop is what it was when it was called version 1.
#[test]
fn the_loop_does_the_same_work_everywhere() {
    let table: Vec<u64> = (0..2048).map(|at: u64| at.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
    assert_eq!(work(&table, 0), 1);
    assert_eq!(work(&table, 1000), work(&table, 1000));
    assert_ne!(work(&table, 1000), work(&table, 1001));
    let game = crate::setups::games::find("othello").unwrap();
    let root =
        secateur_core::Notation::parse(&game, &secateur_core::Notation::start(&game).unwrap()).unwrap();
    let task = crate::subject::Task {
        position: "",
        root: &root,
        allowance: crate::allowance::Allowance::Depth(1),
        clock: crate::instruments::clock::thread_time,
        stop: None,
    };
    let searched = crate::subject::Subject::search(&mut Reference::new(game), &task).unwrap();
    assert_eq!(searched.iterations[0].nodes, reference::ROUNDS);
}

/// Under a limit of wall time our search is the same search: to a depth it visits the same nodes.
#[test]
fn our_search_by_wall_time_is_our_search() {
    use crate::subject::{Task, searched};
    let game = crate::setups::games::find("chess").unwrap();
    let position = secateur_core::Notation::start(&game).unwrap();
    let root = secateur_core::Notation::parse(&game, &position).unwrap();
    let arm = crate::setups::arm::Arm::parse("null-move").unwrap();
    let plan = walled("chess", None, &arm, OURS, 1).unwrap();
    let crate::matrix::Source::Other(make) = &plan.source else { panic!("another's arm") };
    let task = Task {
        position: &position,
        root: &root,
        allowance: crate::allowance::Allowance::Depth(5),
        clock: crate::instruments::clock::thread_time,
        stop: None,
    };
    let mut walled = (make.0)();
    let first = walled.search(&task).unwrap();
    let mut setup = crate::setups::setup::Setup::embedded("chess").unwrap();
    setup.options.table_mib = 1;
    let ready = setup.equip(&arm).unwrap();
    let mut host = secateur_core::Game::searcher(game, &ready, setup.options.clone());
    let plain = searched(host.as_mut(), &task).unwrap();
    let nodes = |result: &crate::subject::Found| {
        result.iterations.iter().map(|step| (step.nodes, step.best_move.clone())).collect::<Vec<_>>()
    };
    assert_eq!(nodes(&first), nodes(&plain));
    assert_eq!(nodes(&walled.search(&task).unwrap()), nodes(&plain), "its table is another search's");
    assert!(first.time.is_some_and(|time| first.iterations.iter().all(|step| step.time <= time)));
    let brief = Task { allowance: crate::allowance::Allowance::Time(20_000_000), ..task };
    assert!(!(make.0)().search(&brief).unwrap().iterations.is_empty());
}
