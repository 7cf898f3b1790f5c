//! One damage in a file that a later command believes and that is no run or match by itself: courses of `tune`, histories,
//! tables of solved positions, the searches of `worth`. The command must come to what it came to before, or refuse.

use super::damages::{Damage, KINDS};
use super::program::{Exact, Of, Program};
use super::{Judgement, Ledger};
use crate::examples::mirror;
use std::path::Path;
use std::{fs, io};

/// A kind of file that is kept.
#[derive(Clone, Copy)]
pub(super) struct Kept {
    pub(super) name: &'static str,
    /// Files that the commands need, with their texts.
    inputs: &'static [(&'static str, &'static str)],
    /// Commands that make it, in the folder of a trial.
    made: &'static [&'static [&'static str]],
    /// The command that believes it.
    read: &'static [&'static str],
    /// What is damaged.
    files: &'static [&'static str],
    /// What the command came to.
    state: fn(&Path, &str) -> Exact,
}

const TUNED: &str = "[tune]\ngame = \"chess\"\nmethods = \"modern\"\nparams = \"modern\"\nnodes = 60\niterations = 4\npairs = 1\n\
    seed = 3\nhash = 1\nrate = 0.2\n[[parameter]]\nname = \"reverse-futility.margin\"\nrange = [20, 200]\nstep = 30\n";

const MATES: &str = "6k1/5ppp/8/8/8/8/8/R3K3 w - - dm 1; id \"one\";\n6k1/5ppp/8/8/8/8/8/R3K3 w - - dm 2; id \"wrong\";\n\
    4k3/8/8/8/8/8/4P3/4K3 w - - id \"open\";\n7k/8/5K1Q/8/8/8/8/8 b - - id \"two\";\n";

const SUITE: &str = "name = \"small\"\ndescription = \"d\"\n[[block]]\ngame = \"othello\"\npositions = [\"othello-28\"]\nlimit = 3\n\
    methods = [\"futility\"]\nbudgets = [{ depth = 4 }]\n";

/// A program with two switches and nothing behind them.
const FAKE: &str = "#!/bin/sh\nn=100\nbits=${ABLATE:-0}\n[ $((bits & 1)) = 1 ] && n=$((n*2))\n[ $((bits & 2)) = 2 ] && n=$((n*2))\n\
    while read -r line; do case \"$line\" in\n uci) echo 'id name Fake 1'; echo uciok ;;\n isready) echo readyok ;;\n quit) exit ;;\n \
    go*) echo \"info depth 2 score cp 15 nodes $n time 2 pv e2e4\"; echo 'bestmove e2e4' ;;\nesac; done\n";

const SUBJECT: &str = "[subject]\nabout = \"A fake\"\ngame = \"chess\"\ncommand = \"./fake\"\nmask = \"ABLATE\"\n[factor]\n\
    null-move = { bits = 1 }\nlmr = { bits = 2 }\n";

const SET: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - id \"one\";\n4k3/7p/8/8/8/8/4P3/4K3 w - - id \"two\";\n";

/// Name of the program that is a script.
const SCRIPT: &str = "fake";

pub(super) const ALL: [Kept; 4] = [
    Kept {
        name: "tune",
        inputs: &[("this.toml", TUNED)],
        made: &[&["tune", "this.toml", "--out", "course"]],
        read: &["tune", "this.toml", "--out", "course"],
        files: &["course/tune.toml", "course/course.csv", "course/openings.csv"],
        state: |dir, said| {
            let files = ["course.csv", "openings.csv", "tuned.toml"];
            let texts =
                files.map(|name| fs::read_to_string(dir.join("course").join(name)).unwrap_or_default());
            Exact::of(texts.into_iter().chain([said.to_owned()]))
        },
    },
    Kept {
        name: "history",
        inputs: &[("small.toml", SUITE)],
        made: &[
            &["bench", "small.toml", "--out", "run"],
            &["history", "add", "kept", "run", "--commit", "aaaa", "--date", "2026-01-01T00:00:00Z"],
            &["history", "add", "kept", "run", "--commit", "bbbb", "--date", "2026-01-02T00:00:00Z"],
        ],
        read: &["history", "show", "kept", "--csv"],
        files: &["kept/20260101T000000Z-aaaa.csv", "kept/20260102T000000Z-bbbb.csv"],
        state: |_, said| Exact::of([said.to_owned()]),
    },
    Kept {
        name: "solve",
        inputs: &[("mates.epd", MATES)],
        made: &[],
        read: &["solve", "mates.epd", "--depth", "3", "--out", "solved.csv"],
        files: &["solved.csv"],
        state: |dir, _| {
            // But for the clock, and for the seal over it.
            let text = fs::read_to_string(dir.join("solved.csv")).unwrap_or_default();
            let bare = |line: &str| line.rsplitn(3, ',').last().unwrap_or_default().to_owned();
            Exact::of(text.lines().map(bare))
        },
    },
    Kept {
        name: "worth",
        inputs: &[(SCRIPT, FAKE), ("mine.toml", SUBJECT), ("set.epd", SET)],
        made: &[],
        read: &["worth", "mine.toml", "--positions", "set.epd", "--depth", "2", "--out", "worth"],
        files: &[
            "worth/searches/run.toml",
            "worth/searches/records.csv",
            "worth/searches/iterations.csv",
            "worth/searches/counters.csv",
        ],
        state: |dir, _| {
            let files = &["run.toml", "records.csv", "iterations.csv", "counters.csv"];
            Exact::read(&dir.join("worth/searches"), files, Of::Same)
        },
    },
];

/// Damages files of a kind as often as the ledger says.
pub(super) fn damages(program: &Program, kept: Kept, base: &Path, ledger: Ledger<'_>) -> io::Result<()> {
    let home = base.join("whole");
    prepare(kept, &home)?;
    for arguments in kept.made.iter().chain([&kept.read]) {
        let ended = program.run(&home, arguments, true)?;
        // Three of the four positions are solved, and one value is wrong on purpose.
        if !matches!(ended.code, Some(0 | 3 | 4)) {
            return Err(io::Error::other(format!("undamaged {}: {}", kept.name, ended.ending())));
        }
    }
    let reread = program.run(&home, kept.read, false)?;
    let (code, whole) = (reread.code, (kept.state)(&home, &reread.said));
    ledger.each(base, |number, dir, dice| {
        let file = *dice.pick(kept.files);
        let bytes = fs::read(home.join(file))?;
        let damage = Damage::draw(number as usize % KINDS, dice, &bytes);
        // No reader could tell that a commit is missing.
        let damage = damage.filter(|damage| damage.left.is_some() || kept.name != "history");
        let Some(damage) = damage else { return Ok(None) };
        mirror(&home, dir)?;
        damage.put(&dir.join(file))?;
        let ended = program.run(dir, kept.read, false)?;
        let refused = ended.code != code;
        let repaired = !refused && (kept.state)(dir, &ended.said) == whole;
        let accepted = !refused && !repaired;
        let unclean = ended.unclean().filter(|_| refused).map(|ending| format!("no clean refusal: {ending}"));
        let wrong = if accepted { Some("it was believed".to_owned()) } else { unclean };
        let wrong = wrong.map(|what| format!("{file}, {}: {what}", damage.what));
        Ok(Some(Judgement { found: !accepted, repaired, refused, accepted, lost: 0, wrong }))
    })
}

/// Makes the folder of a trial.
fn prepare(kept: Kept, dir: &Path) -> io::Result<()> {
    fs::create_dir_all(dir)?;
    for (name, text) in kept.inputs {
        let path = dir.join(name);
        fs::write(&path, text)?;
        #[cfg(unix)]
        if *name == SCRIPT {
            fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
        }
    }
    Ok(())
}
