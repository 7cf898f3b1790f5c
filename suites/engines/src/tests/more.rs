//! What UCI engines tell more, and what they are asked more.

use super::*;

/// A good script that counts.
const COUNTING: &str = "echo 'info string count null-move tries 10 cuts 3'; \
                        echo 'info string count null-move tries 40 cuts 9 probes 200'; \
                        echo 'info string count nothing'; echo 'info depth 2 score cp 1 nodes 90 pv d2d4'; \
                        echo 'bestmove d2d4'";

#[test]
fn methods_are_counted() {
    let (_, answer) = searched(COUNTING, PATIENCE);
    let counts = answer.unwrap().counts;
    assert_eq!(counts.len(), 1);
    assert_eq!((counts[0].method.as_str(), counts[0].tries, counts[0].cuts), ("null-move", 40, 9));
    assert_eq!((counts[0].probes, counts[0].cuts_high), (Some(200), None));
}

#[test]
#[cfg(target_os = "linux")]
fn processor_time_is_that_of_the_search_and_its_children() {
    let work = "n=0; while [ $n -lt 100000 ]; do n=$((n+1)); done";
    let (_, idle) = searched(&format!("sleep 0.3; {GO}"), PATIENCE);
    let (_, own) = searched(&format!("{work}; {GO}"), PATIENCE);
    let (_, child) = searched(&format!("sh -c '{work}'; {GO}"), PATIENCE);
    let idle = idle.unwrap();
    assert!(idle.cpu.unwrap() < Duration::from_millis(100) && idle.wall >= Duration::from_millis(300));
    for answer in [own.unwrap(), child.unwrap()] {
        let cpu = answer.cpu.unwrap();
        assert!(cpu >= Duration::from_millis(10), "{cpu:?}");
        assert!(cpu <= answer.wall + Duration::from_millis(30), "{cpu:?} {:?}", answer.wall);
    }
    // What has ended is not measured, and its answer counts all the same.
    let (_, answer) = searched(&format!("{GO}; exit 0"), PATIENCE);
    assert_eq!(answer.unwrap().best_move, "d2d4");
}

#[test]
fn a_search_may_be_of_some_moves() {
    let dir = tempfile::tempdir().unwrap();
    let mut engine = Engine::start(&script(dir.path(), HELLO, GO), &[], PATIENCE).unwrap();
    let moves = text(&[("e2e4", ""), ("d2d4", "")]).into_iter().map(|(mv, _)| mv).collect::<Vec<_>>();
    engine.search(&ask(Go::Depth(2)).only(&moves), PATIENCE).unwrap();
    assert!(heard(dir.path()).ends_with("go depth 2 searchmoves e2e4 d2d4\n"));
}

#[test]
fn programs_with_blanks_in_their_paths_are_started() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("my engines (new)");
    std::fs::create_dir(&folder).unwrap();
    let spec = script(&folder, HELLO, GO);
    let path = folder.join("fake engine");
    std::fs::write(&path, format!("#!/bin/sh\nexec sh '{}'\n", spec.args[0])).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    let spec = Spec { command: path.clone(), args: Vec::new(), ..spec };
    assert_eq!(Engine::start(&spec, &[], PATIENCE).unwrap().id(), "Fake 1");
    let text = path.display().to_string();
    assert_eq!(call(&text), (path.clone(), Vec::new()));
    assert_eq!(
        call(&format!("'{text}' -x \"a b\" c")),
        (path, ["-x", "a b", "c"].map(str::to_owned).to_vec())
    );
    assert_eq!(call(" sh  -c exit "), ("sh".into(), vec!["-c".to_owned(), "exit".to_owned()]));
}
