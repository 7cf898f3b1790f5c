//! Courses of real games, small ones: the same on any number of threads and with or without an interruption, and what is wrong with
//! a file is said with its line and key.

use super::*;
use secateur_suites::setups::setup::Setup;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

const FILE: &str = "\
[tune]
game = \"chess\"
methods = \"modern\"
params = \"modern\"
nodes = 150
iterations = 6
pairs = 2
seed = 3
hash = 1
rate = 0.2
[[parameter]]
name = \"reverse-futility.margin\"
range = [20, 200]
step = 30
[[parameter]]
name = \"lmp.worsening.0\"
range = [1, 8]
step = 1
";

fn written(dir: &Path, text: &str) -> PathBuf {
    let path = dir.join("tune-this.toml");
    std::fs::write(&path, text).unwrap();
    path
}

/// Goes a course, stopped when it has so many iterations.
fn go(file: &Path, dir: &Path, jobs: usize, most: usize) -> Ended {
    let stop = Arc::new(AtomicBool::new(false));
    let job = Job { file, dir, jobs, stop: &stop };
    run(&job, &mut |course| stop.store(course.rows.len() >= most, Ordering::SeqCst)).unwrap()
}

fn text(dir: &Path, name: &str) -> String {
    std::fs::read_to_string(dir.join(name)).unwrap()
}

#[test]
fn a_course_is_the_same_on_any_threads_and_whatever_interrupts_it() {
    let dir = tempfile::tempdir().unwrap();
    let file = written(dir.path(), FILE);
    let [one, two, broken] = ["one", "two", "broken"].map(|name| dir.path().join(name));
    let ended = go(&file, &one, 1, usize::MAX);
    assert!(ended.course.is_complete() && ended.mended.is_empty());
    assert_eq!(go(&file, &two, 2, usize::MAX).course.rows, ended.course.rows);
    assert_eq!(text(&one, COURSE), text(&two, COURSE));
    assert_eq!(text(&one, TUNED), text(&two, TUNED));

    // Stopped behind the second iteration, then killed in the middle of a row.
    let begun = go(&file, &broken, 1, 2);
    assert_eq!((begun.course.rows.len(), begun.course.is_complete()), (2, false));
    let torn = text(&broken, COURSE) + "3,1,";
    std::fs::write(broken.join(COURSE), torn).unwrap();
    let ended = go(&file, &broken, 2, usize::MAX);
    assert_eq!(ended.mended.len(), 1, "{:?}", ended.mended);
    assert_eq!(text(&broken, COURSE), text(&one, COURSE));
    assert_eq!(text(&broken, TUNED), text(&one, TUNED));

    let moved = ended.course.after(6).iter().zip(ended.course.after(0)).any(|(end, start)| *end != start);
    assert!(moved, "{:?}", ended.course.rows);
    assert_eq!(Course::read(&one).unwrap().rows, ended.course.rows);
}

#[test]
fn a_course_by_the_clock_goes_on_where_it_was() {
    let dir = tempfile::tempdir().unwrap();
    let file = written(dir.path(), &FILE.replace("nodes = 150", "tc = \"0.05+0.001\""));
    let out = dir.path().join("out");
    assert_eq!(go(&file, &out, 1, 1).course.rows.len(), 1);
    let ended = go(&file, &out, 2, 2).course;
    assert_eq!(
        (ended.rows.len(), ended.settings.spent()),
        (2, "by the clock, 0.05+0.001 seconds".to_owned())
    );
    assert!(ended.rows.iter().all(|row| row.games.iter().sum::<u32>() == 4), "{:?}", ended.rows);
}

#[test]
fn the_tuned_file_is_one_that_parameters_are_read_from() {
    let dir = tempfile::tempdir().unwrap();
    let file = written(dir.path(), &FILE.replace("iterations = 6", "iterations = 2"));
    let out = dir.path().join("out");
    let ended = go(&file, &out, 1, usize::MAX);
    let tuned = Setup::read("chess", &out.join(TUNED)).unwrap();
    let before = Setup::load("chess", "modern").unwrap();
    assert_eq!(tuned.options, before.options);
    let [margin, worsening] = ended.course.tuned()[..] else { panic!("two parameters") };
    assert_eq!(f64::from(tuned.params.reverse_futility.margin), margin);
    assert_eq!(tuned.params.lmp.worsening[0], worsening);
    let mut others = tuned.params.clone();
    others.reverse_futility.margin = before.params.reverse_futility.margin;
    others.lmp.worsening[0] = before.params.lmp.worsening[0];
    assert_eq!(others, before.params, "nothing else moved");
}

#[test]
fn another_course_is_not_continued_and_a_changed_row_is_not_believed() {
    let dir = tempfile::tempdir().unwrap();
    let file = written(dir.path(), FILE);
    let out = dir.path().join("out");
    go(&file, &out, 1, 1);
    let stop = Arc::new(AtomicBool::new(false));
    let fails = |file: &Path| {
        let job = Job { file, dir: &out, jobs: 1, stop: &stop };
        run(&job, &mut |_| ()).unwrap_err().to_string()
    };
    let other = written(dir.path(), &FILE.replace("seed = 3", "seed = 4"));
    let message = fails(&other);
    assert!(message.contains("seed 3, expected 4"), "{message}");
    let file = written(dir.path(), FILE);
    let whole = text(&out, COURSE);
    let (head, row) = whole.trim_end().split_once('\n').unwrap();
    let cells: Vec<&str> = row.split(',').collect();
    // Sealed again, which no accident does.
    let with = |at: usize, cell: &str| {
        let mut cells = cells[..cells.len() - 1].to_vec();
        cells[at] = cell;
        let row = cells.join(",");
        let kept = text(&out, "tune.toml");
        let kept = secateur_record::seal::unsealed("tune.toml".as_ref(), &kept).unwrap();
        // When it was begun is no part of what a course is.
        let undated = kept.split_inclusive('\n').map(|line| match line.starts_with("started = ") {
            true => "started = \"\"\n",
            false => line,
        });
        let identity = secateur_record::seal::seal(undated.collect::<String>().as_bytes());
        let seal = secateur_record::seal::seal(format!("{row}\n{identity}").as_bytes());
        std::fs::write(out.join(COURSE), format!("{head}\n{row},{seal}\n")).unwrap();
        fails(&file)
    };
    for (at, cell, part) in [
        (1, "9", "games, expected 4"),
        (2, "a", "drawn: found `a`"),
        (4, "7777", "which the results lead to"),
        (0, "2", "iteration: found 2, expected 1"),
    ] {
        let message = with(at, cell);
        assert!(message.contains(part) && message.contains("course.csv:2"), "{message}");
    }
}

#[test]
fn what_is_wrong_with_a_file_is_said_with_line_and_key() {
    let dir = tempfile::tempdir().unwrap();
    let stop = Arc::new(AtomicBool::new(true));
    for (from, to, line, part) in [
        ("nodes = 150", "nodess = 150", 5, "unknown field `nodess`"),
        ("nodes = 150", "nodes = 0", 5, "nodes: found 0"),
        ("nodes = 150", "tc = \"soon\"", 5, "tc: `soon`: expected seconds"),
        ("nodes = 150", "nodes = 150\ntc = \"1+0.01\"", 6, "tc: found `nodes` as well"),
        ("nodes = 150\n", "", 1, "found neither `nodes` nor `tc`"),
        ("rate = 0.2", "rate = 0.0", 10, "rate: found 0, expected a number above 0"),
        ("game = \"chess\"", "game = \"ches\"", 2, "game: unknown game `ches`"),
        ("\"modern\"\nparams", "\"modrn\"\nparams", 3, "methods: unknown method `modrn`"),
        ("params = \"modern\"", "params = \"modrn\"", 4, "params: unknown variant"),
        ("params = \"modern\"", "params = \"plain\"", 4, "params: found parameters with a fit of their own"),
        ("reverse-futility.margin", "reverse-futility.margn", 12, "name: found no `reverse-futility.margn`"),
        (
            "reverse-futility.margin",
            "reverse-futility.guards.pv",
            12,
            "expected a parameter that is a number",
        ),
        (
            "reverse-futility.margin",
            "capture-probcut.margin",
            12,
            "name: `capture-probcut.margin` changes nothing",
        ),
        ("range = [20, 200]", "range = [90, 200]", 13, "range: `reverse-futility.margin` begins at 85"),
        (
            "range = [20, 200]",
            "range = [20.5, 200]",
            13,
            "range: `reverse-futility.margin` is a whole number",
        ),
        ("range = [20, 200]", "range = [-300, 200]", 13, "range: `reverse-futility.margin` cannot be -300"),
        ("range = [20, 200]", "range = [200, 20]", 13, "range: found [200, 20]"),
        ("step = 30", "step = 0.4", 14, "step: `reverse-futility.margin` is a whole number"),
        ("step = 30", "step = 100", 14, "step: found 100, expected more than 0 and at most 90"),
        ("step = 1\n", "step = 1\nstart = 9\n", 19, "start: found 9"),
        ("lmp.worsening.0", "reverse-futility.margin", 16, "name: found `reverse-futility.margin` twice"),
    ] {
        assert!(FILE.contains(from), "{from}");
        let file = written(dir.path(), &FILE.replacen(from, to, 1));
        let job = Job { file: &file, dir: &dir.path().join("out"), jobs: 1, stop: &stop };
        let error = run(&job, &mut |_| ()).unwrap_err().to_string();
        assert!(error.contains(part) && error.contains(&format!("tune-this.toml:{line}:")), "{to}: {error}");
    }
    assert!(!dir.path().join("out").exists(), "nothing is begun before all is right");
}

/// What a course is made of, byte by byte: a damaged one is refused, or mended to the same.
#[test]
fn no_damage_of_a_course_is_believed() {
    let dir = tempfile::tempdir().unwrap();
    let file = written(dir.path(), &FILE.replace("iterations = 6", "iterations = 3"));
    let out = dir.path().join("out");
    let whole = go(&file, &out, 2, 2).course;
    assert_eq!(whole.rows.len(), 2);
    let stop = Arc::new(AtomicBool::new(true));
    let resumed = || run(&Job { file: &file, dir: &out, jobs: 1, stop: &stop }, &mut |_| ());
    let (mut refused, mut mended) = (0, 0);
    for name in ["tune.toml", COURSE, "openings.csv"] {
        let path = out.join(name);
        let good = std::fs::read(&path).unwrap();
        let flip = |at: usize| {
            let mut bytes = good.clone();
            bytes[at] ^= 1 << (at % 8);
            bytes
        };
        // Openings have one seal over all of them, and drawing them again takes a while. 3 is prime to the 8 bits of a byte.
        let step = if name == "openings.csv" { 111 } else { 3 };
        let flips = (0..good.len()).step_by(step).map(flip);
        let cuts = (0..good.len()).step_by(5 * step).map(|at| good[..at].to_vec());
        for damaged in flips.chain(cuts) {
            std::fs::write(&path, &damaged).unwrap();
            match resumed() {
                Err(error) => {
                    let message = error.to_string();
                    assert!(message.contains(name), "{message}");
                    refused += 1;
                }
                Ok(ended) => {
                    // What is missing at the end is played again.
                    assert_eq!(ended.course.rows, whole.rows[..ended.course.rows.len()], "{name}");
                    assert!(name != "tune.toml" && ended.course.settings == whole.settings);
                    assert!(name == COURSE || std::fs::read(&path).unwrap() == good);
                    mended += 1;
                }
            }
            if let Ok(read) = Course::read(&out) {
                assert_eq!(read.rows, whole.rows[..read.rows.len()], "{name}");
            }
        }
        std::fs::write(&path, &good).unwrap();
    }
    assert!(refused > 300 && mended > 8, "{refused} refused, {mended} mended");
    for name in [COURSE, "tune.toml"] {
        let good = std::fs::read(out.join(name)).unwrap();
        std::fs::write(out.join(name), "").unwrap();
        assert!(resumed().is_err(), "{name} was emptied");
        std::fs::write(out.join(name), good).unwrap();
    }
    assert_eq!(go(&file, &out, 2, usize::MAX).course.rows.len(), 3);
}

/// A full disk leaves any prefix of what a course begins with.
#[test]
fn a_folder_that_was_only_begun_is_taken_up() {
    let dir = tempfile::tempdir().unwrap();
    let file = written(dir.path(), &FILE.replace("iterations = 6", "iterations = 1"));
    let whole = dir.path().join("whole");
    go(&file, &whole, 1, 0);
    let all = ["lock", "tune.toml", "openings.csv", "asked.toml", COURSE];
    for count in 0..=all.len() {
        let out = dir.path().join(format!("out-{count}"));
        std::fs::create_dir(&out).unwrap();
        for name in &all[..count] {
            std::fs::copy(whole.join(name), out.join(name)).unwrap();
        }
        std::fs::write(out.join("course.csv.77.tmp"), "iter").unwrap();
        assert_eq!(go(&file, &out, 1, 1).course.rows.len(), 1, "{:?}", &all[..count]);
    }
}

/// A course that somebody wrote by hand is refused where it leads nowhere, and does not end the program.
#[test]
fn numbers_that_lead_nowhere_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let file = written(dir.path(), FILE);
    let out = dir.path().join("out");
    go(&file, &out, 1, 1);
    let good = text(&out, "tune.toml");
    let good = good.split_once('\n').unwrap().1;
    for (from, to, part) in [
        ("least = 20.0", "least = 500.0", "range: found [500, 200]"),
        ("least = 20.0", "least = nan", "range: found"),
        ("start = 85.0", "start = 10.0", "start: found 10"),
        ("pairs = 2", "pairs = 0", "0 pairs"),
        ("iterations = 6", "iterations = 0", "0 iterations"),
        ("rate = 0.2", "rate = -1.0", "rate: found -1"),
    ] {
        assert!(good.contains(from), "{from}");
        std::fs::write(out.join("tune.toml"), secateur_record::seal::sealed(&good.replacen(from, to, 1)))
            .unwrap();
        let message = Course::read(&out).unwrap_err().to_string();
        assert!(message.contains(part) && message.contains("tune.toml"), "{to}: {message}");
    }
}

#[test]
fn rows_under_the_settings_of_another_course_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let [one, other] = ["one", "other"].map(|name| dir.path().join(name));
    go(&written(dir.path(), FILE), &one, 1, 1);
    // The same parameters, openings and seed, so that the same results lead to the same place.
    go(&written(dir.path(), &FILE.replace("nodes = 150", "nodes = 151")), &other, 1, 1);
    assert_eq!(Course::read(&one).unwrap().rows.len(), 1);
    for name in ["tune.toml", "openings.csv"] {
        std::fs::copy(other.join(name), one.join(name)).unwrap();
    }
    let message = Course::read(&one).unwrap_err().to_string();
    assert!(message.contains("course.csv:2") && message.contains("of another course"), "{message}");
}
