//! Shards, merged, are the run on one machine: for any number of them, in any order, any of them, again and again.

use crate::{exact, part, plan, planned, rewritten, rows, searched, shards};
use secateur_record::manifest::Manifest;
use secateur_record::store::RECORDS;
use secateur_suites::shards::costs::Costs;
use secateur_suites::shards::merge::merge;
use secateur_suites::shards::pack::{Published, archive, publish};
use secateur_suites::shards::shard::{EVERY, divide};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::tempdir;

fn files(dir: &Path) -> Vec<Vec<u8>> {
    let files = ["run.toml", RECORDS, "iterations.csv", "counters.csv"];
    files.iter().map(|name| fs::read(dir.join(name)).unwrap()).collect()
}

#[test]
fn shards_merged_are_the_run_in_one_piece() {
    let (dir, plan) = (tempdir().unwrap(), plan());
    let whole = exact(searched(&plan, &dir.path().join("whole")));
    for of in [1, 2, 3, 7] {
        let shards = shards(&plan, dir.path(), of);
        let out = dir.path().join(format!("merged-{of}"));
        let merged = merge(&out, &shards).unwrap();
        assert_eq!((merged.cells, merged.part.lacks()), (plan.len() as u64, None));
        assert!(Manifest::read(&out).unwrap().complete);
        assert!(exact(rows(&out)) == whole, "{of} shards");
        let doubles = divide(&plan, &Costs::default(), of).unwrap().doubles;
        assert_eq!((merged.agreed, doubles.is_empty()), (doubles.len(), of == 1));
        let planted: usize = doubles.iter().map(|unit| plan.units[*unit as usize].cells().count()).sum();
        let cut: usize = shards.iter().map(|shard| rows(shard).records.len()).sum();
        assert_eq!(cut, plan.len() + planted, "nothing is searched twice but planted doubles");
    }
}

/// More parts than keep their buffers: each is opened again where it was left, unit by unit.
#[test]
fn many_parts_are_merged_as_few_are() {
    let (dir, plan) = (tempdir().unwrap(), plan());
    let shards = shards(&plan, dir.path(), 7);
    let out = |way: &str| dir.path().join(way).join("out");
    ["few", "many"].iter().for_each(|way| fs::create_dir(dir.path().join(way)).unwrap());
    merge(&out("few"), &shards).unwrap();
    let many: Vec<PathBuf> = shards.iter().cycle().take(7 * 9).cloned().collect();
    merge(&out("many"), &many).unwrap();
    assert!(files(&out("few")) == files(&out("many")));
    // A row that is wrong is named with its line, however often the file was opened anew.
    let path = shards[3].join(RECORDS);
    let mut lines: Vec<String> = fs::read_to_string(&path).unwrap().lines().map(str::to_owned).collect();
    let last = lines.len();
    lines[last - 1] = lines[last - 1].replacen("chess", "chexx", 1);
    fs::write(&path, lines.join("\n") + "\n").unwrap();
    let error = merge(&out("many"), &many).unwrap_err().to_string();
    assert!(error.contains(&format!("{RECORDS}:{last}:")), "{error}");
    // One field too few.
    lines[last - 1] = lines[last - 1].replacen(',', "", 1);
    fs::write(&path, lines.join("\n") + "\n").unwrap();
    let error = merge(&out("many"), &many).unwrap_err().to_string();
    assert!(error.contains("columns, expected"), "{error}");
}

#[test]
fn neither_order_nor_repetition_nor_way_changes_a_byte() {
    let (dir, plan) = (tempdir().unwrap(), plan());
    let mut shards = shards(&plan, dir.path(), 3);
    // One that overlaps, so that a choice must be made; and the whole, which was not cut.
    let more = dir.path().join("more");
    searched(&part(&plan, 2, 5), &more);
    searched(&plan, &dir.path().join("whole"));
    shards.extend([more, dir.path().join("whole")]);
    let out = |way: &str| dir.path().join(way).join("out");
    ["a", "b", "c"].iter().for_each(|way| fs::create_dir(dir.path().join(way)).unwrap());
    let merged = merge(&out("a"), &shards).unwrap();
    assert_eq!(merged.agreed, plan.units.len(), "the whole has a second search of all");
    shards.reverse();
    shards.push(shards[1].clone());
    merge(&out("b"), &shards).unwrap();
    for shard in &shards {
        // Incomplete until the last but what is there.
        merge(&out("c"), std::slice::from_ref(shard)).unwrap();
    }
    let expected = files(&out("a"));
    assert!(files(&out("b")) == expected, "another order");
    assert!(files(&out("c")) == expected, "one by one");
    assert_eq!(merge(&out("a"), &shards).unwrap(), merged);
    assert!(files(&out("a")) == expected, "again");
}

#[test]
fn what_is_missing_is_said_and_can_be_searched_here() {
    let (dir, plan) = (tempdir().unwrap(), plan());
    let shards = shards(&plan, dir.path(), 4);
    let out = dir.path().join("out");
    let merged = merge(&out, &[shards[2].clone(), shards[0].clone()]).unwrap();
    let lacks = merged.part.lacks().unwrap();
    assert!(lacks.contains("2 shards are missing: 2/4, 4/4"), "{lacks}");
    let there = rows(&out);
    let whole_units = [&shards[0], &shards[2]].map(|shard| rows(shard).records.len());
    assert_eq!(there.records.len(), whole_units.iter().sum::<usize>());
    fs::write(out.join("notes.txt"), "mine").unwrap();
    merge(&out, &[shards[1].clone()]).unwrap();
    assert!(out.join("notes.txt").exists(), "what is not ours stays");
    // It is an interrupted run like any other.
    let merged = searched(&plan, &out);
    assert_eq!(merged.records.len(), plan.len());
    assert!(exact(merged) == exact(searched(&plan, &dir.path().join("whole"))));
    assert!(Manifest::read(&out).unwrap().part.is_none());
}

#[test]
fn a_killed_shard_is_left_out_goes_on_and_is_merged() {
    let (dir, plan) = (tempdir().unwrap(), plan());
    let shards = shards(&plan, dir.path(), 2);
    let text = fs::read_to_string(shards[1].join(RECORDS)).unwrap();
    let whole = exact(rows(&shards[1]));
    fs::write(shards[1].join(RECORDS), &text[..text.len() / 2]).unwrap();
    rewritten(&shards[1], |manifest| manifest.complete = false);
    let out = dir.path().join("out");
    let merged = merge(&out, &shards).unwrap();
    assert_eq!(merged.unfinished, [shards[1].display().to_string()]);
    assert!(merged.part.lacks().is_some());
    let part = plan.clone().part_of(&Manifest::read(&shards[1]).unwrap(), &shards[1]).unwrap();
    assert!(exact(searched(&part, &shards[1])) == whole);
    assert_eq!(merge(&out, &shards).unwrap().part.lacks(), None);
    assert!(merge(&dir.path().join("none"), &[]).is_err());
}

#[test]
fn a_pack_is_a_folder_and_who_comes_second_must_have_found_the_same() {
    let (dir, plan) = (tempdir().unwrap(), plan());
    let shards = shards(&plan, dir.path(), 2);
    let packs: Vec<PathBuf> = ["1", "2"].map(|name| dir.path().join("packs").join(name)).to_vec();
    for (shard, pack) in shards.iter().zip(&packs) {
        assert_eq!(publish(shard, pack).unwrap(), Published::New);
        assert_eq!(publish(shard, pack).unwrap(), Published::Same);
    }
    let before = fs::read(&packs[0]).unwrap();
    let second = dir.path().join("1-of-2-again");
    searched(&part(&plan, 1, 2), &second);
    assert_eq!(publish(&second, &packs[0]).unwrap(), Published::Same, "but for clocks");
    crate::forged(&second, |rows| rows.records[0].qnodes += 1, |_| ());
    let error = publish(&second, &packs[0]).unwrap_err().to_string();
    assert!(error.contains("is not the same") && error.contains("qnodes"), "{error}");
    assert!(publish(&shards[1], &packs[0]).is_err(), "another shard");
    assert!(fs::read(&packs[0]).unwrap() == before);
    assert_eq!(fs::read_dir(dir.path().join("packs")).unwrap().count(), 2, "nothing is left over");
    let out = ["a", "b"].map(|way| dir.path().join(way).join("out"));
    ["a", "b"].iter().for_each(|way| fs::create_dir(dir.path().join(way)).unwrap());
    merge(&out[0], &shards).unwrap();
    merge(&out[1], &packs).unwrap();
    assert!(files(&out[0]) == files(&out[1]));
}

/// Heavy tails as they were measured, and an estimate that is wrong by a factor of two either way: the last shard takes no more
/// than three times the one in the middle, for as many shards as the outlook says.
#[test]
fn shards_are_even_enough_though_costs_have_heavy_tails_and_estimates_are_wrong() {
    let plan = planned(
        "name = \"t\"\ndescription = \"d\"\n[[block]]\ngame = \"othello\"\npositions = [\"othello-28\", \"othello-36\"]\n\
         methods = [\"none\"]\nbudgets = [{ depth = 12 }]\n",
    );
    let dir = tempdir().unwrap();
    let mut text = "game,position,budget_kind,budget,nodes\n".to_owned();
    let mut real = Vec::new();
    for (at, unit) in plan.units.iter().enumerate() {
        // The median 600, 1 in 100 above 30,000 and none above 44,000, in a scrambled order.
        let order = at * 389 % plan.units.len();
        let share = (order as f64 + 0.5) / plan.units.len() as f64;
        let cost = (600.0 * (0.88 * (share / (1.0 - share)).ln()).exp()).min(44_000.0);
        let wrong = [0.5, 0.7, 1.0, 1.4, 2.0][at % 5];
        real.push(cost);
        let position = &plan.games[unit.game].entries[unit.entry].id;
        text += &format!("othello,{position},depth,12,{}\n", (cost * wrong) as u64);
    }
    let file = dir.path().join("costs.csv");
    fs::write(&file, text).unwrap();
    let costs = Costs::read(&file).unwrap();
    let measured = |count| {
        let division = divide(&plan, &costs, count).unwrap();
        let load = |shard: &Vec<u32>| shard.iter().map(|unit| real[*unit as usize]).sum::<f64>();
        let mut loads: Vec<f64> = division.shards.iter().map(load).collect();
        loads.sort_by(f64::total_cmp);
        (loads[loads.len() - 1] / loads[loads.len() / 2], division.outlook(&plan, &costs))
    };
    let useful = measured(20).1.useful;
    assert!(useful >= 20, "{useful}");
    for count in [2, 20, useful / 2] {
        let (uneven, outlook) = measured(count);
        assert!(uneven <= 3.0 && outlook.uneven <= 3.0, "{count} shards: {uneven}, {outlook:?}");
    }
    let (uneven, outlook) = measured(5 * useful);
    assert!(outlook.uneven > 3.0 && outlook.useful == useful, "{uneven}, {outlook:?}");
}

/// One unit in 64 is in two shards, whatever the number of shards; all others are in one.
#[test]
fn units_are_dealt_once_and_planted_doubles_twice() {
    let plan = planned(
        "name = \"t\"\ndescription = \"d\"\n[[block]]\ngame = \"othello\"\npositions = [\"othello-28\", \"othello-36\"]\n\
         methods = [\"none\"]\nbudgets = [{ depth = 1 }, { depth = 2 }, { depth = 3 }, { time = \"1ms\" }]\n",
    );
    let units = plan.units.len();
    let mut doubles = Vec::new();
    for of in [2, 20, 333] {
        let division = divide(&plan, &Costs::default(), of).unwrap();
        let mut times = vec![0; units];
        division.shards.iter().flatten().for_each(|unit| times[*unit as usize] += 1);
        let twice =
            (0..).zip(&times).filter(|(_, times)| **times == 2).map(|(unit, _)| unit).collect::<Vec<u32>>();
        assert_eq!((twice.clone(), times.iter().filter(|times| **times == 0).count()), (division.doubles, 0));
        assert!(division.shards.iter().all(|shard| !shard.is_empty()));
        doubles.push(twice);
        let (least, most) = (division.loads.iter().min().unwrap(), division.loads.iter().max().unwrap());
        assert!(*most <= 2 * least, "{of}: {least} to {most}");
    }
    assert!(doubles.windows(2).all(|pair| pair[0] == pair[1]), "which units does not depend on the shards");
    let expected = units as f64 * 0.75 / EVERY as f64;
    let doubled = doubles[0].len() as f64;
    assert!((doubled - expected).abs() < 4.0 * expected.sqrt(), "{doubled} instead of about {expected}");
    let is_timed =
        |unit: &u32| plan.units[*unit as usize].allowance.kind() == secateur_record::record::BudgetKind::Time;
    assert!(!doubles[0].iter().any(is_timed), "what a clock decides shows nothing");
    assert!(divide(&plan, &Costs::default(), units as u32 + 1).is_err());
}

#[test]
fn an_archive_says_what_it_lacks_and_keeps_every_row() {
    let (dir, plan) = (tempdir().unwrap(), plan());
    let whole = searched(&plan, &dir.path().join("whole"));
    let [from, out] = ["whole", "archive"].map(|name| dir.path().join(name));
    let named = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
    let refused = archive(&out, &from, &named(&[RECORDS])).unwrap_err().to_string();
    assert!(refused.contains("records.csv") && !out.exists(), "{refused}");
    assert_eq!(archive(&out, &from, &named(&["counters.csv"])).unwrap(), Some(plan.len()));
    assert_eq!(Manifest::read(&out).unwrap().dropped, ["counters.csv"]);
    assert!(!out.join("counters.csv").exists());
    let kept = rows(&out);
    let exact = |rows: &[secateur_record::record::Record]| {
        rows.iter().map(|row| (row.key(), row.nodes, row.score, row.pv.clone())).collect::<Vec<_>>()
    };
    assert!(kept.counters.is_empty() && kept.iterations == whole.iterations);
    assert!(exact(&kept.records) == exact(&whole.records));
    // What is left out once stays left out, and a file that comes back is no part of the run.
    archive(&dir.path().join("less"), &out, &named(&["iterations.csv"])).unwrap();
    assert_eq!(Manifest::read(&dir.path().join("less")).unwrap().dropped, ["iterations.csv", "counters.csv"]);
    fs::copy(from.join("counters.csv"), out.join("counters.csv")).unwrap();
    assert!(secateur_record::store::RunRows::read(&out).is_err());
}
