//! What a line of the other side means. Nothing here can fail: what is not understood becomes a note or an
//! unknown command, because the protocol wants such things ignored.

use secateur_core::search::MAX_DEPTH;
use std::time::Duration;

/// One line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Command {
    Uci,
    Debug(bool),
    IsReady,
    SetOption { name: String, value: String },
    NewGame,
    Position { fen: Option<String>, moves: Vec<String> },
    Go(Box<Go>),
    Stop,
    PonderHit,
    Bench(Option<i32>),
    Quit,
    Empty,
    Unknown,
}

/// What `go` asks for. Numbers below zero (a clock that has run over) are zero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Go {
    /// Deepest iteration, plies.
    pub(crate) depth: Option<i32>,
    /// Most nodes.
    pub(crate) nodes: Option<u64>,
    /// Time for this move.
    pub(crate) move_time: Option<Duration>,
    /// Time left on the clocks of White and Black.
    pub(crate) clock: [Option<Duration>; 2],
    /// Time that White and Black get back for every move.
    pub(crate) increment: [Duration; 2],
    /// Time for every move once the clock has run out.
    pub(crate) byoyomi: Duration,
    /// Moves to the next time control; none is the rest of the game.
    pub(crate) moves_to_go: Option<u32>,
    /// Search until told to stop.
    pub(crate) infinite: bool,
    /// The clock begins to run only with `ponderhit`.
    pub(crate) ponder: bool,
    /// Prove a mate in so many moves, at least 1.
    pub(crate) mate: Option<u32>,
    /// Whether it is about a mate, however it was put.
    pub(crate) is_mate: bool,
    /// Moves to search, as they were written; empty for all.
    pub(crate) search_moves: Vec<String>,
    /// What was asked for and is not done, in words.
    pub(crate) notes: Vec<String>,
}

/// Reads one line.
pub(super) fn parse(line: &str) -> Command {
    let mut tokens = line.split_ascii_whitespace();
    let Some(first) = tokens.next() else { return Command::Empty };
    let arguments: Vec<&str> = tokens.collect();
    match first {
        "uci" | "usi" => Command::Uci,
        "debug" => Command::Debug(arguments.first() != Some(&"off")),
        "isready" => Command::IsReady,
        "setoption" => set_option(&arguments),
        "ucinewgame" | "usinewgame" => Command::NewGame,
        "position" => position(&arguments),
        "go" => Command::Go(Box::new(go(&arguments))),
        "stop" => Command::Stop,
        "ponderhit" => Command::PonderHit,
        "bench" => Command::Bench(arguments.first().and_then(|depth| depth.parse().ok())),
        "quit" => Command::Quit,
        _ => Command::Unknown,
    }
}

/// Names and values may hold spaces; `value` parts them.
fn set_option(tokens: &[&str]) -> Command {
    let tokens = tokens.strip_prefix(&["name"]).unwrap_or(tokens);
    let (name, value) = match tokens.iter().position(|word| *word == "value") {
        Some(at) => (&tokens[..at], &tokens[at + 1..]),
        None => (tokens, &[][..]),
    };
    Command::SetOption { name: name.join(" "), value: value.join(" ") }
}

fn position(tokens: &[&str]) -> Command {
    let (place, moves) = match tokens.iter().position(|word| *word == "moves") {
        Some(at) => (&tokens[..at], &tokens[at + 1..]),
        None => (tokens, &[][..]),
    };
    let moves = moves.iter().map(|&word| word.to_owned()).collect();
    match place {
        ["startpos"] => Command::Position { fen: None, moves },
        ["fen" | "sfen", fields @ ..] => Command::Position { fen: Some(fields.join(" ")), moves },
        _ => Command::Unknown,
    }
}

/// Longest mate that is looked for, moves: its last ply is within the deepest iteration.
const MOST_MATE: u32 = MAX_DEPTH as u32 / 2;

/// The words of `go`.
const GO: &str =
    "searchmoves ponder wtime btime winc binc byoyomi movestogo depth nodes mate movetime infinite";

fn is_of_go(word: &&str) -> bool {
    GO.split(' ').any(|other| other == *word)
}

fn go(tokens: &[&str]) -> Go {
    let mut go = Go::default();
    let mut at = 0;
    while let Some(&name) = tokens.get(at) {
        at += 1;
        go.is_mate |= name == "mate";
        match name {
            "infinite" => go.infinite = true,
            "ponder" => go.ponder = true,
            "searchmoves" => {
                let moves = tokens[at..].iter().take_while(|word| !is_of_go(word));
                go.search_moves.extend(moves.map(|&word| word.to_owned()));
                at += tokens[at..].iter().take_while(|word| !is_of_go(word)).count();
                if go.search_moves.is_empty() {
                    go.notes.push("go searchmoves: found no moves: all are searched".to_owned());
                }
            }
            _ if is_of_go(&name) => {
                let text = tokens.get(at).copied().unwrap_or_default();
                match text.parse::<i64>() {
                    Ok(number) => {
                        at += 1;
                        number_of(&mut go, name, number.max(0).unsigned_abs());
                    }
                    Err(_) => go.notes.push(format!("go {name}: found '{text}', expected a number")),
                }
            }
            _ => go.notes.push(format!("go: '{name}' is not known")),
        }
    }
    let has_byoyomi = !go.byoyomi.is_zero();
    let bound = has_byoyomi
        || go.depth.is_some()
        || go.nodes.is_some()
        || go.move_time.is_some()
        || go.mate.is_some();
    go.infinite |= !bound && go.clock == [None, None];
    go
}

fn number_of(go: &mut Go, name: &str, number: u64) {
    let time = Duration::from_millis(number);
    let depth = |plies: u64| Some(i32::try_from(plies).unwrap_or(i32::MAX));
    match name {
        "depth" => go.depth = depth(number),
        "nodes" => go.nodes = Some(number),
        "movetime" => go.move_time = Some(time),
        "wtime" => go.clock[0] = Some(time),
        "btime" => go.clock[1] = Some(time),
        "winc" => go.increment[0] = time,
        "binc" => go.increment[1] = time,
        "byoyomi" => go.byoyomi = time,
        "movestogo" => go.moves_to_go = u32::try_from(number).ok().filter(|&moves| moves > 0),
        "mate" => match u32::try_from(number) {
            Ok(moves @ 1..=MOST_MATE) => go.mate = Some(moves),
            _ => go.notes.push(format!("go mate: found {number}, expected 1 to {MOST_MATE}")),
        },
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_go(line: &str) -> Go {
        match parse(line) {
            Command::Go(go) => *go,
            other => panic!("{line}: {other:?}"),
        }
    }

    fn ms(number: u64) -> Duration {
        Duration::from_millis(number)
    }

    #[test]
    fn options_have_names_and_values_with_spaces() {
        let set = |name: &str, value: &str| Command::SetOption { name: name.into(), value: value.into() };
        assert_eq!(parse("setoption name Clear Hash"), set("Clear Hash", ""));
        assert_eq!(parse(" setoption  name mpc.pairs value [[2, 6]] "), set("mpc.pairs", "[[2, 6]]"));
        assert_eq!(parse("setoption"), set("", ""));
    }

    #[test]
    fn positions_have_a_place_and_moves() {
        let at = |fen: Option<&str>, moves: &[&str]| Command::Position {
            fen: fen.map(str::to_owned),
            moves: moves.iter().map(|&mv| mv.to_owned()).collect(),
        };
        assert_eq!(parse("position startpos"), at(None, &[]));
        assert_eq!(parse("position startpos moves e2e4 e7e5"), at(None, &["e2e4", "e7e5"]));
        assert_eq!(parse("position fen 8/8 w - - moves a1a2"), at(Some("8/8 w - -"), &["a1a2"]));
        assert_eq!(parse("position sfen 9/9 b - 1 moves P*5e"), at(Some("9/9 b - 1"), &["P*5e"]));
        assert_eq!(parse("position"), Command::Unknown);
        assert_eq!(parse("position startposition"), Command::Unknown);
    }

    #[test]
    fn go_takes_its_words_in_any_order() {
        let go = parse_go("go wtime 1000 btime -7 movestogo 3 binc 5 winc 10 depth 4");
        assert_eq!(go.clock, [Some(ms(1000)), Some(ms(0))]);
        assert_eq!((go.increment, go.moves_to_go, go.depth), ([ms(10), ms(5)], Some(3), Some(4)));
        assert!(!go.infinite && go.notes.is_empty());
        assert_eq!(parse_go("go nodes 77").nodes, Some(77));
        assert_eq!(parse_go("go movetime 50").move_time, Some(ms(50)));
        assert!(parse_go("go infinite").infinite && parse_go("go").infinite);
        let ponder = parse_go("go ponder wtime 9 btime 9");
        assert!(ponder.ponder && !ponder.infinite && ponder.clock == [Some(ms(9)); 2]);
        assert!(parse_go("go ponder").infinite && !parse_go("go ponder depth 3").infinite);
        let mate = parse_go("go mate 3");
        assert!((mate.mate, mate.depth, mate.infinite) == (Some(3), None, false) && mate.notes.is_empty());
        let some = parse_go("go searchmoves e2e4 d2d4 depth 3");
        assert_eq!((some.search_moves, some.depth), (vec!["e2e4".to_owned(), "d2d4".to_owned()], Some(3)));
        assert_eq!(parse_go("go depth 3 searchmoves a2a3").search_moves, ["a2a3"]);
        let byoyomi = parse_go("go btime 0 wtime 0 byoyomi 150");
        assert!((byoyomi.byoyomi, byoyomi.clock) == (ms(150), [Some(ms(0)); 2]) && !byoyomi.infinite);
        assert!(parse_go("go mate infinite").is_mate && !byoyomi.is_mate);
    }

    #[test]
    fn what_go_does_not_know_is_noted_and_the_rest_is_read() {
        let go = parse_go("go searchmoves depth x nodes 5 foo mate 0");
        assert_eq!((go.depth, go.nodes, go.mate), (None, Some(5), None));
        let begins =
            ["go searchmoves: found no", "go depth: found 'x'", "go: 'x'", "go: 'foo'", "go mate: found 0"];
        assert_eq!(go.notes.len(), begins.len());
        assert!(go.notes.iter().zip(begins).all(|(note, begin)| note.starts_with(begin)), "{:?}", go.notes);
        assert!(go.infinite || go.nodes.is_some());
        assert_eq!(parse_go("go mate 1000").notes.len(), 1);
        assert!(parse_go("go mate 1000").infinite, "a mate that is not looked for is no limit");
    }

    #[test]
    fn other_lines() {
        assert_eq!(parse("  "), Command::Empty);
        assert_eq!(parse("Quit"), Command::Unknown);
        assert_eq!(parse("debug on"), Command::Debug(true));
        assert_eq!(parse("debug off"), Command::Debug(false));
        assert_eq!((parse("bench"), parse("bench 6")), (Command::Bench(None), Command::Bench(Some(6))));
    }
}
