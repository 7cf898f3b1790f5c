//! Real programs where they are installed; skipped aloud where they are not.

#![allow(clippy::print_stderr)]

use super::*;

/// Programs with what is known of them: arguments, whether they know depth, nodes and time.
const PROGRAMS: [(Protocol, &str, &[&str], [bool; 3]); 9] = [
    (Protocol::Uci, "toga2", &[], [true, false, true]),
    (Protocol::Uci, "glaurung", &[], [true, true, true]),
    (Protocol::Uci, "gnuchess", &["--uci"], [true, false, true]),
    (Protocol::Usi, "fairy-stockfish", &[], [true, true, true]),
    (Protocol::Cecp, "fairymax", &[], [true, false, false]),
    (Protocol::Cecp, "phalanx", &[], [false, false, true]),
    (Protocol::Cecp, "sjeng", &[], [true, false, true]),
    (Protocol::Cecp, "hoichess", &["--xboard"], [true, false, true]),
    (Protocol::Gtp, "gtp-rhino", &["-l", "1"], [false, false, false]),
];

#[test]
fn real_programs_are_as_they_are_known() {
    for (protocol, program, args, [depth, nodes, time]) in PROGRAMS {
        if find(Path::new(program)).is_err() {
            eprintln!("skipped: {program} is not installed");
            continue;
        }
        let spec = Spec {
            name: program.to_owned(),
            protocol,
            command: program.into(),
            args: args.iter().map(|word| (*word).to_owned()).collect(),
            ..Spec::default()
        };
        let mut moves = Vec::new();
        let trial = Trial::usual(protocol.notation(), &mut moves, PATIENCE);
        let probe = Probe::of(&spec, &manners(16), &trial, PATIENCE).unwrap();
        let report = probe.sentences().join("\n");
        assert_eq!(probe.depth.is_kept(), depth, "{program}: {report}");
        assert_eq!(probe.nodes.is_kept(), nodes, "{program}: {report}");
        assert!(probe.time.is_answered() && (!time || probe.time.is_kept()), "{program}: {report}");
        assert!(protocol == Protocol::Gtp || probe.says == Says::ALL, "{program}: {report}");
    }
}
