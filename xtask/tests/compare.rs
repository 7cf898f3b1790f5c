//! `compare` through the binary: every documented exit code.

mod common;

use common::{bench, file, xtask};
use std::fs;
use std::path::Path;
use tempfile::tempdir;

/// A copy of run `out` under another name, with its texts changed.
fn copy(dir: &Path, name: &str, change: impl Fn(&str, String) -> String) {
    fs::create_dir(dir.join(name)).unwrap();
    for part in ["run.toml", "records.csv"] {
        let text = fs::read_to_string(dir.join("out").join(part)).unwrap();
        file(dir, &format!("{name}/{part}"), &change(part, text));
    }
}

/// Every method set but the baseline with three times the nodes.
fn dearer(part: &str, text: String) -> String {
    if part == "run.toml" {
        return text;
    }
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let headers = reader.headers().unwrap().clone();
    let column = |name: &str| headers.iter().position(|header| header == name).unwrap();
    let (methods, nodes) = (column("methods"), column("nodes"));
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(&headers).unwrap();
    for row in reader.records() {
        let mut row: Vec<String> = row.unwrap().iter().map(str::to_owned).collect();
        if row[methods] != "none" {
            row[nodes] = (3 * row[nodes].parse::<u64>().unwrap()).to_string();
        }
        writer.write_record(&row).unwrap();
    }
    String::from_utf8(writer.into_inner().unwrap()).unwrap()
}

#[test]
fn every_exit_code_is_as_documented() {
    let dir = tempdir().unwrap();
    bench(dir.path(), "out", "2");
    copy(dir.path(), "same", |_, text| text);
    copy(dir.path(), "dear", dearer);
    copy(dir.path(), "torn", |_, text| text.replace("complete = true", "complete = false"));
    let run = |arguments: &[&str], code: i32| {
        let done = xtask(dir.path()).arg("compare").args(arguments).assert().code(code);
        let output = done.get_output();
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
    };
    assert!(run(&["out", "same"], 0).contains("every search came out the same, node for node"));
    assert!(run(&["dear", "out", "--markdown"], 0).contains("**Better in nodes"));
    assert!(run(&["out", "dear"], 3).contains("error: Worse in nodes"));
    assert!(run(&["out", "torn"], 4).contains("torn is not complete"));
    assert!(
        run(&["out", "--methods", "none", "null-move", "--allow", "time"], 0)
            .contains("null-move against none")
    );
    assert!(run(&["out", "dear", "--allow", "nodes"], 0).contains("Worse in nodes"));
    assert!(run(&["out", "dear", "--allow", "node"], 2).contains("expected one of nodes, time"));
    assert!(run(&["out"], 2).contains("--methods"));
    assert!(run(&["out", "--methods", "none", "nul-move"], 2).contains("no records of `nul-move`"));
    assert!(run(&["out", "gone"], 1).contains("gone"));
}
