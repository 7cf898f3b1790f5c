//! PGN, games of chess, and PDN, games of draughts: every so many plies of each game give a position.
//!
//! `games.rs` tells the games apart. Of the tags only two matter: `FEN`, for a game that does not begin at the beginning,
//! and the one that says of which variant a game is; a game of another variant is a fault. A position is named by its game and
//! ply, and its cluster is the game. Positions that an earlier game gave are left out, and so is the end of a game. Sources:
//! Edwards, *Portable Game Notation Specification and Implementation Guide* (1994); *Portable Draughts Notation* 3.0. Left out:
//! clocks and moves with the squares as letters.

use crate::error::{Fault, Line};
use crate::games::{Games, Place, Record, Token, name};
use crate::heap::{Heap, playable};
use crate::set::Entry;
use crate::text::{bare, unescaped};
use secateur_core::Game;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// How PGN and PDN differ.
#[derive(Clone, Copy)]
pub(crate) struct Form {
    /// What ends a game.
    results: &'static [&'static str],
    /// The tag that says of which variant a game is.
    variant: &'static str,
    /// Values of it that are the game itself, in small letters without blanks and hyphens; messages name the first.
    itself: &'static [&'static str],
    /// Whether only the text before the first comma counts.
    is_list: bool,
}

/// Games of chess.
pub(crate) const PGN: Form = Form {
    results: &["1-0", "0-1", "1/2-1/2", "*"],
    variant: "Variant",
    itself: &["standard", "fromposition", "chess", "normal", "regular", "orthodox", "standardchess", "?", ""],
    is_list: false,
};
/// Games of English draughts. No move goes from a square to itself, or from or to a square 0.
pub(crate) const PDN: Form = Form {
    results: &["1-0", "0-1", "1/2-1/2", "*", "2-0", "0-2", "1-1", "0-0"],
    variant: "GameType",
    itself: &["21"],
    is_list: true,
};

/// Reads all games. A game with an illegal move or position, or with something that is never closed, is a fault and gives
/// nothing.
pub(crate) fn read<G: Game>(heap: &mut Heap<'_, G>, text: &str, form: Form) {
    let mut reader = Reader { heap, text, form, taken: BTreeSet::new() };
    for (number, record) in (1..).zip(Games::new(text, form.results)) {
        reader.heap.tally.games += 1;
        if let Err(fault) = reader.take(&record, number) {
            reader.heap.faults.push(*fault);
        }
    }
}

/// A text of games while it is read.
struct Reader<'r, 'h, G: Game> {
    heap: &'r mut Heap<'h, G>,
    text: &'r str,
    form: Form,
    /// Canonical forms of the positions that were taken.
    taken: BTreeSet<String>,
}

/// A game of a text by its tags, to count results without positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaggedGame {
    /// Line of its first tag or move, from 1.
    pub line: usize,
    /// Its tags: name and value.
    pub tags: BTreeMap<String, String>,
    /// Its moves as they are written.
    pub moves: Vec<String>,
    /// How many of the first moves a book gave: those with the comment `book` behind them, as cutechess and fastchess write it.
    pub book: usize,
    /// What is wrong with how it is written.
    pub fault: Option<String>,
}

/// The games of a PGN text, in their order.
pub fn tagged_games(text: &str) -> Vec<TaggedGame> {
    let of_book = |token: &&Token<'_>| {
        let behind = text[token.place.at + token.text.len()..].trim_start();
        behind.strip_prefix('{').is_some_and(|comment| comment.trim_start().starts_with("book"))
    };
    let one = |record: Record<'_>| {
        let moves: Vec<&Token<'_>> = record.moves.iter().filter(|token| bare(token.text).is_some()).collect();
        let value = |token: &Token<'_>| {
            let name = name(token.text);
            Some((name.to_owned(), tag(token.text, name)?.into_owned()))
        };
        TaggedGame {
            line: record.place().line,
            tags: record.tags.iter().filter_map(value).collect(),
            book: moves.iter().copied().take_while(of_book).count(),
            moves: moves.into_iter().map(|token| token.text.to_owned()).collect(),
            fault: record.fault.map(|(_, message)| message),
        }
    };
    Games::new(text, PGN.results).map(one).collect()
}

impl<G: Game> Reader<'_, '_, G> {
    /// Takes the positions of a game.
    fn take(&mut self, record: &Record<'_>, number: usize) -> Result<(), Box<Fault>> {
        if let Some((place, message)) = &record.fault {
            return Err(self.fault(*place, message.as_str()));
        }
        self.check_beginning(record)?;
        self.check_variant(record)?;
        self.replay(record, number)
    }

    /// Refuses a game of which it is not certain where it begins: one with two positions, or one that says that it has one and
    /// names none.
    fn check_beginning(&self, record: &Record<'_>) -> Result<(), Box<Fault>> {
        let all = |name: &str| -> Vec<(Cow<'_, str>, Place)> {
            record.tags.iter().filter_map(|token| Some((tag(token.text, name)?, token.place))).collect()
        };
        let (positions, set_up) = (all("FEN"), all("SetUp"));
        // Other tags are not read for this.
        let is_asked = |text: &str| {
            ["FEN", "SetUp", "Variant", "GameType"].iter().any(|asked| name(text).eq_ignore_ascii_case(asked))
        };
        let bare = record.tags.iter().find(|token| is_asked(token.text) && !token.text.contains('"'));
        if let Some(Token { text, place }) = bare {
            let message = format!("found a tag without a value in quotes, expected [{} \"...\"]", name(text));
            return Err(self.fault(*place, message));
        }
        if let [(first, _), others @ ..] = &positions[..] {
            let second = others.iter().find(|(position, _)| position != first);
            return second.map_or(Ok(()), |(_, place)| {
                Err(self.fault(*place, "found a second FEN in one game, expected one"))
            });
        }
        let says = set_up.iter().find(|(value, _)| value.trim() == "1");
        says.map_or(Ok(()), |(_, place)| {
            let message = "found SetUp \"1\" without a FEN, expected the position that the game begins with";
            Err(self.fault(*place, message))
        })
    }

    /// Refuses a game that says that it is another one.
    fn check_variant(&self, record: &Record<'_>) -> Result<(), Box<Fault>> {
        let Form { variant, itself, is_list, .. } = self.form;
        let Some((value, place)) = tagged(record, variant) else { return Ok(()) };
        let name = if is_list { value.split(',').next().unwrap_or_default() } else { &value };
        let name: String = name.chars().filter(|c| !c.is_whitespace() && *c != '-').collect();
        let name = name.to_lowercase();
        if itself.contains(&name.as_str()) {
            return Ok(());
        }
        let (game, itself) = (self.heap.game.name(), itself[0]);
        let shuffled = ["960", "fischer", "frc"].iter().any(|part| name.contains(part));
        let why = if shuffled { ": Chess960 is not supported" } else { "" };
        let message = format!(
            "found {variant} {value:?}{why}, expected {game} (`{itself}`); --skip-bad leaves such games out"
        );
        Err(self.fault(place, message))
    }

    /// Takes every so many positions of one game.
    fn replay(&mut self, record: &Record<'_>, number: usize) -> Result<(), Box<Fault>> {
        let (game, every) = (self.heap.game, self.heap.tally.every);
        let beginning = || (Cow::Owned(game.start().unwrap_or_default()), record.place());
        let (fen, place) = tagged(record, "FEN").unwrap_or_else(beginning);
        let mut position = game.parse(&fen).map_err(|error| self.fault(place, error.message))?;
        let cluster = format!("{}#{number:04}", self.heap.name);
        let (mut plies, mut kept, mut new, mut repeated) = (0, Vec::new(), BTreeSet::new(), 0);
        for Token { text: word, place } in &record.moves {
            let Some(word) = bare(word) else { continue };
            let mv = game.parse_move(&position, word).map_err(|error| self.fault(*place, error.message))?;
            position = game.play(&position, mv);
            plies += 1;
            if plies % every != 0 || !playable(game, &position) {
                continue;
            }
            let form = game.canonical(&position);
            if self.taken.contains(&form) || !new.insert(form) {
                repeated += 1;
                continue;
            }
            let entry = Entry {
                id: format!("{cluster}/{plies}"),
                position: game.format(&position),
                cluster: cluster.clone(),
                stage: game.label(&position),
                operations: Vec::new(),
                line: place.line,
            };
            kept.push((entry, position.clone()));
        }
        // A game that is left out keeps nothing from the others.
        self.taken.extend(new);
        let tally = &mut self.heap.tally;
        tally.short += usize::from(plies < every);
        tally.longest = tally.longest.max(plies);
        tally.repeated += repeated;
        for (entry, position) in kept {
            self.heap.entries.push(entry);
            self.heap.positions.push(position);
        }
        Ok(())
    }

    fn fault(&self, place: Place, message: impl Into<String>) -> Box<Fault> {
        let line = self.text[place.begin..].lines().next().unwrap_or_default();
        Line { path: self.heap.path, number: place.line, text: line }
            .fault_of(place.at - place.begin, message)
    }
}

/// The value of the first tag of this name, and where the tag begins.
fn tagged<'a>(record: &Record<'a>, name: &str) -> Option<(Cow<'a, str>, Place)> {
    record.tags.iter().find_map(|token| Some((tag(token.text, name)?, token.place)))
}

/// The value of a tag, if it is the one of this name.
fn tag<'a>(text: &'a str, name: &str) -> Option<Cow<'a, str>> {
    let rest = text.strip_prefix('[')?.trim_start();
    let (tag_name, rest) = rest.split_at_checked(name.len())?;
    // Programs write `[Fen ...]` too.
    tag_name.eq_ignore_ascii_case(name).then_some(())?;
    rest.starts_with([' ', '\t', '"']).then_some(())?;
    let value = rest.split_once('"')?.1;
    Some(unescaped(value.rsplit_once('"').map_or(value, |(value, _)| value)))
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

    #[test]
    fn a_game_is_told_by_its_tags_and_its_book() {
        let text = "[White \"A \\\"x\\\" full\"]\n[Result \"1-0\"]\n\n1. e4 {book} e5 { book } 2. Nf3 {+0.31/9 0.1s} Nc6 $1 1-0\n1. d4 (";
        let games = super::tagged_games(text);
        assert_eq!((games[0].line, games[0].book, games[0].tags["White"].as_str()), (1, 2, "A \"x\" full"));
        assert_eq!((games[0].moves.join(" "), games[0].fault.as_deref()), ("e4 e5 Nf3 Nc6".to_owned(), None));
        assert!(games[1].fault.is_some() && games[1].line == 5, "{games:?}");
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
            error.to_string().contains("found GameType \"20,W,8,8,N1,0\", expected draughts (`21`)"),
            "{error}"
        );
        let error = load_pdn(&DRAUGHTS.replace("27-23", "27-22")).unwrap_err();
        assert_eq!(error.place(), Some((4, 36)), "{error}");
    }

    /// Messages say what was read and left out, and why nothing was taken.
    #[test]
    fn what_was_read_and_left_out_is_counted() {
        let text = format!("{GAME}{GAME}\n1. d4 *\n1. e4 (\n\n[Event \"x\"]\n\n1. e4 *\n");
        let set = load(&text, 4, true).unwrap();
        assert_eq!(
            set.account(),
            "read 5 games in 21 lines, left out 1 wrong game; took 2 positions, left out 2 that earlier moves had given; \
             2 games of fewer than 4 plies (--every takes fewer)"
        );
        assert!(
            set.notes()[0].starts_with("g: a wrong game left out: g.pgn:17:7: found a variation without end")
        );
        assert!(set.notes().iter().any(|note| note.contains("read 5 games")));
        let error = load("1. e4 e5 *\n1. d4 *", 8, false).unwrap_err().to_string();
        assert!(
            error.contains("found no game of 8 plies") && error.contains("--every 2 takes that"),
            "{error}"
        );
        assert!(
            load("[Event \"a\"]\n\n*", 8, false).unwrap_err().to_string().contains("1 games without a move")
        );
    }

    /// PGN says of which variant a game is as PDN does.
    #[test]
    fn games_of_other_variants_are_refused() {
        let game = |variant: &str| load(&format!("[Event \"a\"]\n[Variant \"{variant}\"]\n{GAME}"), 4, false);
        for variant in ["Standard", "From Position", "chess", "?", ""] {
            assert_eq!(game(variant).unwrap().entries.len(), 2, "{variant}");
        }
        let error = game("Antichess").unwrap_err();
        assert_eq!(error.place(), Some((2, 1)));
        assert!(
            error.to_string().contains("found Variant \"Antichess\", expected chess (`standard`)"),
            "{error}"
        );
        for variant in ["Chess960", "Fischerandom", "fischer-random"] {
            let error = game(variant).unwrap_err().to_string();
            assert!(error.contains("Chess960 is not supported"), "{error}");
        }
    }

    /// A game that begins elsewhere must not be played from the beginning because its position was overlooked.
    #[test]
    fn where_a_game_begins_is_certain_or_the_game_is_a_fault() {
        let (one, other) = ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "4k3/8/8/8/8/8/3PP3/4K3 w - - 0 1");
        let game = |tags: &str| load(&format!("{tags}\n\n1. e4 *\n"), 1, false);
        let starts = |set: Set| set.entries[0].position.starts_with("4k3/8/8/8/4P3/8/8/4K3 b");
        for tags in [
            format!("[FEN \"{one}\"]"),
            format!("[fen \"{one}\"]"),
            format!("[SetUp \"1\"]\n[FEN \"{one}\"]"),
            format!("[FEN \"{one}\"]\n[Event \"a\"]\n[Event \"b\"]\n[FEN \"{one}\"]"),
        ] {
            let set = game(&tags).unwrap();
            assert_eq!((set.tally.games, starts(set)), (1, true), "{tags}");
        }
        for (tags, place, message) in [
            ("[Event \"a\"]\n[SetUp \"1\"]".to_owned(), (2, 1), "SetUp \"1\" without a FEN"),
            (format!("[FEN {one}]"), (1, 1), "a value in quotes"),
            (format!("[FEN \"{one}\"]\n[FEN \"{other}\"]"), (2, 1), "a second FEN"),
        ] {
            let error = game(&tags).unwrap_err();
            assert_eq!(error.place(), Some(place), "{error}");
            assert!(error.to_string().contains(message), "{error}");
        }
        // Behind an empty line the same tag is of another game.
        let two = format!("[FEN \"{one}\"]\n\n[FEN \"{other}\"]\n\n1. e4 *\n");
        assert_eq!(load(&two, 1, false).unwrap().tally.games, 2);
        // What looks like a tag among moves is none.
        assert!(
            load("1. e4 [%csl Ga1] e5 2. Nf3 *\n", 1, false)
                .unwrap_err()
                .to_string()
                .contains("found a bracket")
        );
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
                    let reread = game.parse(&entry.position).expect(&text);
                    prop_assert_eq!(game.format(&reread), entry.position.clone());
                }
            }
        }
    }
}
