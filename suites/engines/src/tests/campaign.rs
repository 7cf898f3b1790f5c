//! Dialogues in all protocols with programs that write their numbers in many ways, name their fields in any order, and move, give
//! up, claim, answer early, twice, late or not at all: no search has a wrong number, and no program that kept to the protocol is blamed.

use super::conduct::ends_with;
use super::talk::{TALKS, Talk};
use super::*;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, RngSeed, TestRunner};

/// Dialogues, unless `PROPTEST_CASES` is set.
const CASES: u32 = 500;
/// Forms of a number in which it is read; those behind them are [`Form::Blank`] and what is not read.
const READ: usize = 13;
/// All of them.
const FORMS: usize = 22;

/// How a program ends a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    Moves,
    /// It says its move a second time.
    Twice,
    /// It says a move of an earlier question before this one is asked.
    Early,
    Resigns,
    Claims,
    Nonsense,
    Late,
    Missing,
    Dies,
}

/// What it says of one depth.
#[derive(Clone, Debug)]
struct Iteration {
    /// Nodes more than at the depth before.
    nodes: u64,
    /// Hundredths.
    score: i64,
    /// Milliseconds, a multiple of 10.
    time: u64,
    /// How it writes depth, nodes, score and time.
    forms: [usize; 4],
    /// By which its fields are sorted.
    order: [u8; 5],
}

#[derive(Clone, Debug)]
struct Dialogue {
    protocol: Protocol,
    iterations: Vec<Iteration>,
    ending: Ending,
}

fn dialogues() -> impl Strategy<Value = Dialogue> {
    use Ending::{Claims, Dies, Early, Late, Missing, Moves, Nonsense, Resigns, Twice};
    let form = || prop_oneof![25 => 0..READ, 1 => READ..FORMS];
    let forms = [form(), form(), form(), form()];
    let iteration = (1..1_200_000_u64, -3_000..3_000_i64, 0..6_u64, forms, any::<[u8; 5]>());
    let iteration = iteration.prop_map(|(nodes, score, time, forms, order)| {
        let time = time * 10;
        Iteration { nodes, score, time, forms, order }
    });
    let ending = prop_oneof![
        60 => Just(Moves), 8 => Just(Twice), 8 => Just(Early), 8 => Just(Resigns), 8 => Just(Claims), 3 => Just(Nonsense),
        2 => Just(Late), 1 => Just(Missing), 2 => Just(Dies)
    ];
    let all = (select(Protocol::ALL.to_vec()), proptest::collection::vec(iteration, 1..5), ending);
    all.prop_map(|(protocol, iterations, ending)| Dialogue { protocol, iterations, ending })
}

fn grouped(value: i64, mark: &str) -> String {
    let digits = value.unsigned_abs().to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().map(|group| std::str::from_utf8(group).unwrap()).collect();
    format!("{}{}", if value < 0 { "-" } else { "" }, groups.join(mark))
}

/// A number as a program writes it in a form, and whether it is to be read. `in_fields` says that a field has one value by the
/// protocol, `is_count` that it has no sign.
fn written(value: i64, form: usize, in_fields: bool, is_count: bool) -> (String, bool) {
    let is_long = value.unsigned_abs() > 999;
    match form {
        0..3 => (value.to_string(), true),
        3 => (grouped(value, ","), true),
        4 => (grouped(value, "_"), true),
        5 => (grouped(value, "'"), true),
        6 => (grouped(value, "\u{2019}"), true),
        7 => (grouped(value, "\u{202f}"), true),
        8 => (format!("{value}.0"), true),
        9 => (format!("({value})"), true),
        10 => (format!("{value},"), true),
        11 if value < 0 => (format!("\u{2212}{}", -value), true),
        11 => (format!("+{value}"), true),
        12 => (format!("\u{1b}[1;32m{value}\u{1b}[0m"), true),
        13 => (grouped(value, " "), in_fields || !is_long),
        // Groups, or thousandths of something.
        14 => (grouped(value, "."), !is_long || value.unsigned_abs() > 999_999),
        15 => (format!("{value}k"), false),
        16 => (format!("{value}.5"), false),
        17 => (format!("{value}e+03"), false),
        18 => (format!("{value}%"), false),
        19 if is_count => (format!("{}{value}", "9".repeat(30)), false),
        20 if is_count && value > 0 => (format!("-{value}"), false),
        // In columns it would be free text.
        21 if in_fields => ("x".to_owned(), false),
        _ => (format!("~{value}"), false),
    }
}

/// What an answer must say of a depth: depth, nodes, hundredths, milliseconds.
type Truth = (u32, u64, i32, u64);

/// The lines of a search, what they say, and whether all of it is to be read.
fn transcript(dialogue: &Dialogue) -> (String, Vec<Truth>, bool) {
    let (mut text, mut truth, mut is_read, mut nodes) = (String::new(), Vec::new(), true, 0);
    for (index, one) in dialogue.iterations.iter().enumerate() {
        let plies = index as u32 + 1;
        nodes += one.nodes;
        let in_fields = matches!(dialogue.protocol, Protocol::Uci | Protocol::Usi);
        let mut number = |value: i64, which: usize, is_count: bool| {
            // A mark of CECP and Edax that is free text, or none, in a row of columns.
            let form = one.forms[which];
            let (text, read) = written(value, form, in_fields, is_count);
            is_read &= read;
            text
        };
        let (score, count) = (one.score, nodes as i64);
        match dialogue.protocol {
            Protocol::Uci | Protocol::Usi => {
                let pv = if dialogue.protocol == Protocol::Uci { "e2e4 e7e5" } else { "7g7f 3c3d" };
                let mut fields = [
                    format!("depth {}", number(i64::from(plies), 0, true)),
                    format!("nodes {}", number(count, 1, true)),
                    format!("score cp {}", number(score, 2, false)),
                    format!("time {}", number(one.time as i64, 3, true)),
                    format!("pv {pv}"),
                ]
                .into_iter()
                .zip(one.order)
                .collect::<Vec<_>>();
                fields.sort_by_key(|(_, key)| *key);
                let fields: Vec<String> = fields.into_iter().map(|(field, _)| field).collect();
                text += &format!("info string nodes 2,5 of depth x\ninfo {}\n", fields.join(" "));
                truth.push((plies, nodes, score as i32, one.time));
            }
            Protocol::Cecp => {
                let (score_text, time) = (number(score, 2, false), number(one.time as i64 / 10, 3, true));
                let nodes_text = number(count, 1, true);
                text += &format!("# 1 2 3 x\n {plies} {score_text} {time} {nodes_text} e2e4 e7e5\n");
                truth.push((plies, nodes, score as i32, one.time));
            }
            Protocol::NBoard => {
                let nodes_text = number(count, 1, true);
                let value = score as f64 / 100.0;
                text += &format!(
                    "status 1.5k\nsearch e3F4 {value:+.2} 0 {plies} x\nnodestats {nodes_text} 0.01\n"
                );
                truth.push((plies, 0, score as i32, 0));
            }
            Protocol::Edax => {
                let nodes_text = number(count, 1, true);
                let discs = score / 100;
                let seconds = one.time as f64 / 1000.0;
                text += &format!(
                    "[start thinking]\n> {plies}@73%  {discs:+03}        0:{seconds:06.3}      {nodes_text}          e3 F4\n"
                );
                truth.push((plies, nodes, discs as i32 * 100, one.time));
            }
            Protocol::Gtp => {}
        }
    }
    (text, truth, is_read)
}

/// A program that has this dialogue, and the move that it makes.
fn program(dialogue: &Dialogue, dir: &Path, lines: &str) -> (Spec, &'static str) {
    let protocol = dialogue.protocol;
    let talk = TALKS.into_iter().find(|talk| talk.protocol == protocol).unwrap();
    let mv = match protocol.notation() {
        Notation::Fen => "e2e4",
        Notation::Sfen => "7g7f",
        Notation::Discs => "e3",
    };
    let prefix = if protocol == Protocol::Cecp { "move " } else { "" };
    let ends = |word: &str| ends_with(protocol, word);
    let moves = ends(&format!("{prefix}{mv}"));
    let file = dir.join("lines");
    std::fs::write(&file, lines).unwrap();
    let say = format!("cat '{}'", file.display());
    let action = match dialogue.ending {
        Ending::Twice if protocol != Protocol::Gtp => format!("{say}; {moves}; {moves}"),
        Ending::Moves | Ending::Twice | Ending::Early => format!("{say}; {moves}"),
        Ending::Resigns => format!("{say}; {}", ends("resign")),
        Ending::Claims if protocol == Protocol::Cecp => format!("{say}; {}", ends("1-0 {White mates}")),
        Ending::Claims => format!("{say}; {}", ends("win")),
        Ending::Nonsense => format!("{say}; {}", ends(&format!("{prefix}sideways"))),
        Ending::Late => format!("read -r stop; {say}; {moves}"),
        Ending::Missing => say,
        Ending::Dies => format!("{say}; exit 3"),
    };
    let early = match protocol {
        Protocol::Uci | Protocol::Usi => ("isready) ", format!("isready) {}; ", ends("a2a3"))),
        Protocol::Cecp => ("ping*) ", format!("ping*) {}; ", ends("move a2a3"))),
        Protocol::NBoard => ("ping*) ", format!("ping*) {}; ", ends("a1"))),
        Protocol::Edax => ("options) ", format!("options) {}; ", ends("a1"))),
        // An answer that was not asked for is none of its protocol.
        Protocol::Gtp => ("", String::new()),
    };
    let cases = match dialogue.ending {
        Ending::Early if !early.0.is_empty() => talk.cases.replace(early.0, &early.1).leak(),
        _ => talk.cases,
    };
    (Talk { cases, ..talk }.spec(dir, &action), mv)
}

/// Has a dialogue; what is wrong with how it was understood.
fn held(dialogue: &Dialogue) -> Result<(), String> {
    let dir = tempfile::tempdir().unwrap();
    let (lines, truth, is_read) = transcript(dialogue);
    let (spec, mv) = program(dialogue, dir.path(), &lines);
    let patience = if matches!(dialogue.ending, Ending::Late | Ending::Missing) { SHORT } else { PATIENCE };
    let mut engine = Engine::start(&spec, &manners(16), PATIENCE).map_err(|error| error.to_string())?;
    let talk = TALKS.into_iter().find(|talk| talk.protocol == dialogue.protocol).unwrap();
    let ask =
        Ask { go: if dialogue.protocol == Protocol::Gtp { Go::Own } else { Go::Depth(4) }, ..talk.ask() };
    let answer = engine.search(&ask, patience);
    let wrong = |expected: &str| Err(format!("expected {expected}, found {answer:?} of\n{lines}"));
    let act = match dialogue.ending {
        Ending::Nonsense if matches!(answer, Err(EngineError { fault: Fault::BadMove { .. }, .. })) => {
            return Ok(());
        }
        Ending::Late | Ending::Missing
            if matches!(answer, Err(EngineError { fault: Fault::Late { .. } | Fault::Hung { .. }, .. })) =>
        {
            return Ok(());
        }
        Ending::Dies if matches!(answer, Err(EngineError { fault: Fault::Died { .. }, .. })) => return Ok(()),
        Ending::Nonsense | Ending::Late | Ending::Missing | Ending::Dies => return wrong("its own error"),
        Ending::Resigns => Act::Resigns,
        Ending::Claims => Act::ClaimsWin,
        Ending::Moves | Ending::Twice | Ending::Early => Act::Moves,
    };
    let answer = match &answer {
        Err(EngineError { fault: Fault::Unread(_), .. }) if !is_read => return Ok(()),
        Ok(answer) if is_read => answer,
        _ => return wrong(if is_read { "an answer" } else { "that a number cannot be read" }),
    };
    let millis = |info: &Info| info.time.as_millis() as u64;
    let cp = |info: &Info| match info.score {
        Some(EngineScore::Cp(value)) => value,
        other => panic!("{other:?}"),
    };
    let iterations: Vec<Truth> =
        answer.infos.iter().map(|info| (info.depth, info.nodes, cp(info), millis(info))).collect();
    let nodes = if truth.is_empty() { 0 } else { dialogue.iterations.iter().map(|one| one.nodes).sum() };
    let best_move = if act == Act::Moves { mv } else { &*answer.best_move };
    let lines_hold = answer.infos.iter().all(|info| info.pv.len() == 2);
    match (
        iterations == truth,
        answer.nodes == nodes,
        answer.act == act,
        answer.best_move == best_move,
        lines_hold,
    ) {
        (true, true, true, true, true) => Ok(()),
        _ => wrong(&format!("{act:?} {best_move}, {nodes} nodes, {truth:?}")),
    }
}

#[test]
fn no_number_is_wrong_and_nobody_is_blamed_who_kept_to_the_protocol() {
    let usual = Config { failure_persistence: None, max_shrink_iters: 200, ..Config::default() };
    let is_set = |name| std::env::var_os(name).is_some();
    let config = Config {
        cases: if is_set("PROPTEST_CASES") { usual.cases } else { CASES },
        rng_seed: if is_set("PROPTEST_RNG_SEED") { usual.rng_seed } else { RngSeed::Fixed(1) },
        ..usual
    };
    let looked =
        TestRunner::new(config).run(&dialogues(), |dialogue| held(&dialogue).map_err(TestCaseError::fail));
    looked.unwrap_or_else(|error| panic!("{error}"));
}
