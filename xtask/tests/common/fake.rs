//! Programs that tests pretend to be: scripts that speak a protocol, with their subject files and positions.

use super::file;
use std::path::Path;

/// Writes a program that can be started into a folder.
#[cfg(unix)]
pub(crate) fn executable(dir: &Path, name: &str, text: &str) {
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(file(dir, name, text), mode).unwrap();
}

/// A program whose nodes are 100, times 2 for every method that is off; `hang` at the position whose white king stands on h1.
pub(crate) const SCRIPT: &str = "#!/bin/sh\nn=100; hang=0\nbits=${ABLATE:-0}\n[ $((bits & 1)) = 1 ] && n=$((n*2))\n\
    [ $((bits & 2)) = 2 ] && n=$((n*2))\n[ \"$1\" = bench ] && echo \"Nodes searched: $n\" && exit\n\
    while read -r line; do case \"$line\" in\n uci) echo 'id name Fake 1'; \
    echo 'option name Margin type spin default 3 min 1 max 9'; echo uciok ;;\n isready) echo readyok ;;\n quit) exit ;;\n\
    position*7K*) hang=1 ;;\n position*) hang=0 ;;\n\
    go*) [ $hang = 1 ] && sleep 1000\n echo \"info depth 2 score cp 15 nodes $n time 2 pv e2e4\"\n\
    echo 'info string count lmr tries 10 cuts 4'; echo 'bestmove e2e4' ;;\nesac; done\n";

pub(crate) const SUBJECT: &str = "[subject]\nabout = \"A fake\"\ngame = \"chess\"\ncommand = \"./fake\"\nmask = \"ABLATE\"\n\
    patience = \"4s\"\n[signature]\nargs = [\"bench\"]\nline = \"Nodes searched\"\nnodes = 100\n\
    [factor]\nnull-move = { bits = 1 }\nlmr = { bits = 2 }\n";

pub(crate) const SET: &str =
    "4k3/8/8/8/8/8/4P3/4K3 w - - id \"one\";\n4k3/7p/8/8/8/8/4P3/4K3 w - - id \"two\";\n";

/// Two positions of shogi in which 7g7f can be played.
pub(crate) const SHOGI: &str = "lnsgkgsnl/1r5b1/1ppppppp1/p7p/9/P7P/1PPPPPPP1/1B5R1/LNSGKGSNL b - 5; id \"edges\";\n\
    lnsgkgsnl/1r5b1/p1ppppppp/1p7/9/7P1/PPPPPPP1P/1B5R1/LNSGKGSNL b - 3; id \"rooks\";\n";

#[cfg(unix)]
pub(crate) fn set_up(dir: &Path) {
    executable(dir, "fake", SCRIPT);
    file(dir, "mine.toml", SUBJECT);
    file(dir, "set.epd", SET);
}

pub(crate) fn output_of(run: &assert_cmd::assert::Assert) -> String {
    let output = run.get_output();
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}
