//! A game of another crate, the Connect Four of `examples/own_game`: one line registers it, and every command that takes a game
//! takes it at once.

#[path = "../../../examples/own_game/src/board.rs"]
#[allow(unreachable_pub, dead_code, reason = "of a program, and one that does more")]
mod board;
#[path = "../../../examples/own_game/src/game.rs"]
#[allow(unreachable_pub, reason = "the same")]
mod game;

use std::process::{Command, ExitCode};

/// Set where this program is called by itself, as that of whoever has the game.
const PROGRAM: &str = "SECATEUR_TEST_OWN_GAME";

fn main() -> ExitCode {
    if std::env::var_os(PROGRAM).is_some() {
        secateur::Entry::new(game::ConnectFour).register();
        return secateur::main();
    }
    let dir = tempfile::tempdir().unwrap();
    let done = |line: &str| {
        let mut program = Command::new(std::env::current_exe().unwrap());
        let run = program.args(line.split(' ')).env(PROGRAM, "1").current_dir(dir.path()).output().unwrap();
        let [said, errors] = [run.stdout, run.stderr].map(|text| String::from_utf8(text).unwrap());
        assert!(run.status.success(), "{line}: {errors}");
        said
    };
    let methods = "--methods none,null-move,lmr --depth 3";
    let table = done(&format!("bench --game connect-four --limit 2 {methods} --out run"));
    assert!(table.contains("connect-four, depth 3"), "{table}");
    done("bench --resume run");
    done("positions sample connect-four --count 2 --fit-count 40 --out sets");
    // The list that the sample left says of which game the file is.
    let checked = done("positions check sets/connect-four-test.pos");
    assert!(checked.contains("6 positions of connect-four"), "{checked}");
    done(&format!("bench --positions sets/connect-four-test.pos {methods} --out own"));
    done("play --game connect-four --first null-move --second none --nodes 100 --games 4 --out match");
    done("positions check connect-four-fit");
    let fitted = done("fit connect-four --positions sets/connect-four-fit.pos --out .");
    assert!(fitted.contains("written: ./connect-four.fit.toml"), "{fitted}");
    ExitCode::SUCCESS
}
