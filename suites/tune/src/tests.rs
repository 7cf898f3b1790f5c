//! Courses of real games, small ones: the same on any number of threads and with or without an interruption, and what is wrong with
//! a file is said with its line and key.

use super::*;
use secateur_suites::setup::Setup;
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
    let mut rest = tuned.params.clone();
    rest.reverse_futility.margin = before.params.reverse_futility.margin;
    rest.lmp.worsening[0] = before.params.lmp.worsening[0];
    assert_eq!(rest, before.params, "nothing else moved");
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
    let said = fails(&other);
    assert!(said.contains("seed 3, expected 4"), "{said}");
    let file = written(dir.path(), FILE);
    let row = text(&out, COURSE);
    let (head, rest) = row.split_once("\n1,").unwrap();
    let values = rest.splitn(4, ',').last().unwrap();
    for (games, words) in [("9,0,0", "found 9 games, expected 4"), ("0,a,4", "drawn: found `a`")] {
        std::fs::write(out.join(COURSE), format!("{head}\n1,{games},{values}")).unwrap();
        let said = fails(&file);
        assert!(said.contains(words) && said.contains("course.csv:2"), "{said}");
    }
    let shifted = values.replacen(|c: char| c.is_ascii_digit(), "7777", 1);
    let games = rest.splitn(4, ',').take(3).collect::<Vec<_>>().join(",");
    std::fs::write(out.join(COURSE), format!("{head}\n1,{games},{shifted}")).unwrap();
    let said = fails(&file);
    assert!(said.contains("which the results lead to") && said.contains("course.csv:2"), "{said}");
}

#[test]
fn what_is_wrong_with_a_file_is_said_with_line_and_key() {
    let dir = tempfile::tempdir().unwrap();
    let stop = Arc::new(AtomicBool::new(true));
    for (from, to, line, words) in [
        ("nodes = 150", "nodess = 150", 5, "unknown field `nodess`"),
        ("nodes = 150", "nodes = 0", 5, "nodes: found 0"),
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
        let said = run(&job, &mut |_| ()).unwrap_err().to_string();
        assert!(said.contains(words) && said.contains(&format!("tune-this.toml:{line}:")), "{to}: {said}");
    }
    assert!(!dir.path().join("out").exists(), "nothing is begun before all is right");
}
