//! PGN, games of chess, and PDN, games of draughts: every so many plies of each game give a position.
//!
//! Tags, comments, variations and annotations are passed over; only `FEN` matters, for a game that does not begin at the
//! beginning. A position is named by its game and ply, and its cluster is the game. Positions that an earlier game gave
//! are left out, and so is the end of a game. PDN has further results and says of which draughts a game is; one of another is a
//! fault. Sources: Edwards, *Portable Game Notation Specification and Implementation Guide* (1994); *Portable Draughts Notation*
//! 3.0. Left out: clocks and moves with the squares as letters.

use crate::error::{Fault, Line};
use crate::heap::{Heap, playable};
use crate::set::Entry;
use secateur_core::Game;
use std::collections::BTreeSet;

/// What a notation of games has of its own.
#[derive(Clone, Copy)]
pub(crate) struct Form {
    /// What ends a game.
    results: &'static [&'static str],
    /// The number of the game in the tag `GameType`, where there is one.
    kind: Option<&'static str>,
}

/// Games of chess.
pub(crate) const PGN: Form = Form { results: &["1-0", "0-1", "1/2-1/2", "*"], kind: None };
/// Games of English draughts. No move goes from a square to itself, or from or to a square 0.
pub(crate) const PDN: Form =
    Form { results: &["1-0", "0-1", "1/2-1/2", "*", "2-0", "0-2", "1-1", "0-0"], kind: Some("21") };

/// A piece of the text and where it begins.
#[derive(Clone, Copy)]
struct Token<'a> {
    text: &'a str,
    at: usize,
}

/// Reads all games. A game with an illegal move or position is a fault, and gives nothing.
pub(crate) fn read<G: Game>(heap: &mut Heap<'_, G>, text: &str, form: Form, every: usize) {
    let mut taken = BTreeSet::new();
    for (number, tokens) in (1..).zip(games(text, form)) {
        let right = check_kind(heap, text, &tokens, form);
        match right.and_then(|()| replay(heap, text, &tokens, number, every, &mut taken)) {
            Ok(kept) => {
                let (entries, positions): (Vec<Entry>, Vec<G::Position>) = kept.into_iter().unzip();
                heap.entries.extend(entries);
                heap.positions.extend(positions);
            }
            Err(fault) => heap.faults.push(*fault),
        }
    }
}

/// The games of a text: their tags and moves, without what is said about them.
fn games(text: &str, form: Form) -> Vec<Vec<Token<'_>>> {
    let mut games = vec![Vec::new()];
    let mut moves = false;
    for token in tokens(text) {
        let tag = token.text.starts_with('[');
        // Tags after moves begin another game, and so does whatever follows a result.
        if tag && moves {
            games.push(Vec::new());
        }
        moves = !tag && (moves || !is_number(token.text));
        if form.results.contains(&token.text) {
            games.push(Vec::new());
            moves = false;
        } else {
            games.last_mut().expect("there is one").push(token);
        }
    }
    games.retain(|game| !game.is_empty());
    games
}

/// Whether a token is a move number: digits and dots.
fn is_number(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}

/// Tags in brackets and words, without comments, variations, annotations and escaped lines.
fn tokens(text: &str) -> Vec<Token<'_>> {
    let (mut tokens, mut at, mut depth) = (Vec::new(), 0, 0_usize);
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let line = rest.find('\n').unwrap_or(rest.len());
        let length = match c {
            '{' => rest.find('}').map_or(rest.len(), |end| end + 1),
            ';' => line,
            '%' if at == 0 || text[..at].ends_with('\n') => line,
            '[' if depth == 0 => {
                // A bracket within quotes does not end the tag; a tag does not go over its line.
                let mut quoted = false;
                let end = rest[..line].char_indices().find(|&(_, c)| {
                    quoted ^= c == '"';
                    c == ']' && !quoted
                });
                let length = end.map_or(line, |(end, _)| end + 1);
                tokens.push(Token { text: &rest[..length], at });
                length
            }
            '(' => {
                depth += 1;
                1
            }
            ')' => {
                depth = depth.saturating_sub(1);
                1
            }
            c if c.is_whitespace() || c == ']' || c == '}' => c.len_utf8(),
            _ => {
                let ends = |c: char| c.is_whitespace() || "{}()[];".contains(c);
                let length = rest.find(ends).unwrap_or(rest.len()).max(c.len_utf8());
                if depth == 0 && c != '$' {
                    words(&rest[..length], at, &mut tokens);
                }
                length
            }
        };
        at += length.max(1);
    }
    tokens
}

/// A word, without the move number that may stand before it: `12.e4`.
fn words<'a>(text: &'a str, at: usize, tokens: &mut Vec<Token<'a>>) {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let number = digits + (text[digits..].len() - text[digits..].trim_start_matches('.').len());
    let cut = if text[digits..].starts_with('.') { number } else { 0 };
    if cut > 0 {
        tokens.push(Token { text: &text[..cut], at });
    }
    if cut < text.len() {
        tokens.push(Token { text: &text[cut..], at: at + cut });
    }
}

/// Refuses a game that says that it is another one.
fn check_kind<G: Game>(
    heap: &Heap<'_, G>,
    text: &str,
    tokens: &[Token<'_>],
    form: Form,
) -> Result<(), Box<Fault>> {
    let said = tokens.iter().find_map(|token| Some((tag(token.text, "GameType")?, token.at)));
    let (Some(kind), Some((found, at))) = (form.kind, said) else { return Ok(()) };
    if found.split(',').next().is_some_and(|number| number.trim() == kind) {
        return Ok(());
    }
    let message = format!("found GameType {found:?}, expected {kind}, {}", heap.game.name());
    Err(fault(heap, text, at, message))
}

/// The positions of one game.
fn replay<G: Game>(
    heap: &Heap<'_, G>,
    text: &str,
    tokens: &[Token<'_>],
    number: usize,
    every: usize,
    taken: &mut BTreeSet<String>,
) -> Result<Vec<(Entry, G::Position)>, Box<Fault>> {
    let game = heap.game;
    let fen = tokens.iter().find_map(|token| Some((tag(token.text, "FEN")?, token.at)));
    let beginning = game.start().unwrap_or_default();
    let (fen, at) = fen.unwrap_or((&beginning, tokens[0].at));
    let mut position = game.parse(fen).map_err(|error| fault(heap, text, at, error.message))?;
    let cluster = format!("{}#{number:04}", heap.name);
    let (mut ply, mut entries, mut new) = (0, Vec::new(), BTreeSet::new());
    for token in tokens.iter().filter(|token| !token.text.starts_with('[') && !is_number(token.text)) {
        // Annotations may stand alone.
        let word = token.text.trim_end_matches(['!', '?']);
        if word.is_empty() || matches!(word, "e.p." | "ep" | "+-" | "-+" | "+/-" | "-/+" | "=" | "N") {
            continue;
        }
        let mv =
            game.parse_move(&position, word).map_err(|error| fault(heap, text, token.at, error.message))?;
        position = game.play(&position, mv);
        ply += 1;
        if ply % every != 0 || !playable(game, &position) {
            continue;
        }
        let form = game.canonical(&position);
        if taken.contains(&form) || !new.insert(form) {
            continue;
        }
        let entry = Entry {
            id: format!("{cluster}/{ply}"),
            position: game.format(&position),
            cluster: cluster.clone(),
            stage: game.label(&position),
            operations: Vec::new(),
            line: place(text, token.at).0,
        };
        entries.push((entry, position.clone()));
    }
    // A game that is left out keeps nothing from the others.
    taken.extend(new);
    Ok(entries)
}

/// The value of a tag, if it is the one of this name.
fn tag<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let rest = text.strip_prefix('[')?.trim_start().strip_prefix(name)?;
    rest.starts_with([' ', '\t', '"']).then_some(())?;
    let value = rest.split_once('"')?.1;
    Some(value.rsplit_once('"').map_or(value, |(value, _)| value))
}

/// Line, from 1, its begin and its text.
fn place(text: &str, at: usize) -> (usize, usize, &str) {
    let begin = text[..at].rfind('\n').map_or(0, |end| end + 1);
    (text[..at].matches('\n').count() + 1, begin, text[begin..].lines().next().unwrap_or_default())
}

fn fault<G: Game>(heap: &Heap<'_, G>, text: &str, at: usize, message: String) -> Box<Fault> {
    let (number, begin, text) = place(text, at);
    Line { path: heap.path, number, text }.fault_of(at - begin, message)
}

#[cfg(test)]
mod tests {
    use crate::load::{Kind, Reading, parse_as};
    use crate::{Provenance, Result, Set};
    use proptest::prelude::*;
    use secateur_core::Notation;
    use secateur_games::chess::Chess;
    use secateur_games::draughts::Draughts;

    fn load(text: &str, every: usize, skip_bad: bool) -> Result<Set> {
        let reading = Reading { skip_bad, every };
        parse_as(&Chess::default(), Kind::Pgn, "g", "g.pgn".as_ref(), text, Provenance::default(), reading)
    }

    const GAME: &str = "[Event \"a ] b\"]\n[Result \"1-0\"]\n\n1.e4 e5 2. Nf3 {a (comment) [x} Nc6 $1\n\
        (2... d6 {b} (2... f5 3. xx)) 3.Bb5! a6 ; to the end (\n% escaped 1-0\n4. Ba4 Nf6 5. O-O 1-0\n";

    #[test]
    fn every_so_many_plies_give_a_position() {
        let set = load(GAME, 4, false).unwrap();
        let ids: Vec<&str> = set.entries.iter().map(|entry| entry.id.as_str()).collect();
        assert_eq!(ids, ["g#0001/4", "g#0001/8"]);
        assert!(set.entries.iter().all(|entry| entry.cluster == "g#0001"));
        assert!(set.entries[0].position.starts_with("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w"));
        assert_eq!((set.entries[0].line, load(GAME, 1, false).unwrap().entries.len()), (4, 9));
    }

    #[test]
    fn games_begin_at_tags_and_after_results_and_give_no_position_twice() {
        let second = "1. d4 d5 *\n[FEN \"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1\"]\n1. O-O-O+ Ke7";
        let set = load(&format!("{GAME}{GAME}\n{second}"), 2, false).unwrap();
        let ids: Vec<&str> = set.entries.iter().map(|entry| entry.id.as_str()).collect();
        assert_eq!(ids, ["g#0001/2", "g#0001/4", "g#0001/6", "g#0001/8", "g#0003/2", "g#0004/2"]);
    }

    const DRAUGHTS: &str = "[Event \"a\"]\n[GameType \"21,B,8,8,N1,0\"]\n[Result \"1-1\"]\n1. 11-15 23-18 {a comment} 2. 8-11 27-23\n\
        3.4-8 23-19 4. 10x14 19x10 5. 14x23 26x19 1-1\n\n[FEN \"W:W22:B11,18.\"]\n1... 22x15x8 *\n";

    fn load_pdn(text: &str) -> Result<Set> {
        let (game, reading) = (Draughts::default(), Reading { every: 1, ..Reading::default() });
        parse_as(&game, Kind::Pdn, "g", "g.pdn".as_ref(), text, Provenance::default(), reading)
    }

    /// A step written as a capture, a result that no game of chess has, and a game from another position.
    #[test]
    fn games_of_draughts_are_read() {
        let set = load_pdn(DRAUGHTS).unwrap();
        let ids: Vec<&str> = set.entries.iter().map(|entry| entry.id.as_str()).collect();
        assert_eq!((ids.len(), ids[0], ids[9], set.game.as_str()), (10, "g#0001/1", "g#0001/10", "draughts"));
        assert_eq!(
            set.entries[1].position,
            "B:W18,21,22,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12,15"
        );
        let error = load_pdn(&DRAUGHTS.replace("21,B", "20,W")).unwrap_err();
        assert_eq!(error.place(), Some((2, 1)), "{error}");
        assert!(
            error.to_string().contains("found GameType \"20,W,8,8,N1,0\", expected 21, draughts"),
            "{error}"
        );
        let error = load_pdn(&DRAUGHTS.replace("27-23", "27-22")).unwrap_err();
        assert_eq!(error.place(), Some((4, 36)), "{error}");
    }

    #[test]
    fn a_game_with_an_illegal_move_is_a_fault_and_can_be_left_out() {
        let text = format!("1. e4 e5 2. Ke3 *\n{GAME}");
        let error = load(&text, 2, false).unwrap_err();
        assert_eq!(error.place(), Some((1, 13)), "{error}");
        let set = load(&text, 2, true).unwrap();
        assert_eq!((set.entries[0].id.as_str(), set.skipped.len()), ("g#0002/2", 1));
        assert!(load("[FEN \"8/8/8/3kK3/8/8/8/8 w - -\"]\n1. Kf5", 1, false).is_err());
        assert!(load("", 1, false).is_err());
    }

    proptest! {
        /// No text makes the reader panic, and what it gives are positions.
        #[test]
        fn what_is_read_are_positions(
            words in proptest::collection::vec(prop_oneof![
                "1\\.|e4|e5|Nf3|Nc6|1\\.e4|\\{|\\}|\\(|\\)|;|%|\n|\\[|\\]|\"|\\[FEN \"|1-0|\\*|\\$3|!\\?",
                "\\PC{0,4}",
            ], 0..20),
            gap in "[ \n]?",
        ) {
            let text = words.join(&gap);
            if let Ok(set) = load(&text, 1, true) {
                for entry in &set.entries {
                    let game = Chess::default();
                    let again = game.parse(&entry.position).expect(&text);
                    prop_assert_eq!(game.format(&again), entry.position.clone());
                }
            }
        }
    }
}
