//! The games of a text, as PGN and PDN write them: their tags and moves, without comments, variations and annotations.
//!
//! One pass, whatever is wrong: nothing is looked for twice. What is opened and never closed (a tag, a string, a comment, a
//! variation) is a fault of its game at the place where it was opened. Reading goes on where the next game begins for certain:
//! at a line that begins with a tag, or behind an empty line with the first move. Comments do not nest, and a line that begins
//! with a tag is in none.

use crate::text::string_length;
use std::collections::BTreeSet;

/// A place in a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    /// Its first byte.
    pub(crate) at: usize,
    /// The first byte of its line.
    pub(crate) begin: usize,
    /// Its line, from 1.
    pub(crate) line: usize,
}

/// A tag or a move, and where it begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token<'a> {
    pub(crate) text: &'a str,
    pub(crate) place: Place,
}

/// One game of a text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Record<'a> {
    /// Its tags, brackets included.
    pub(crate) tags: Vec<Token<'a>>,
    /// Its moves, and the words that stand among them.
    pub(crate) moves: Vec<Token<'a>>,
    /// The first thing that is wrong with how it is written.
    pub(crate) fault: Option<(Place, String)>,
}

impl Record<'_> {
    /// Where it begins.
    pub(crate) fn place(&self) -> Place {
        let first = self.tags.iter().chain(&self.moves).next();
        first.map_or(Place { line: 1, ..Place::default() }, |token| token.place)
    }

    fn is_empty(&self) -> bool {
        self.tags.is_empty() && self.moves.is_empty() && self.fault.is_none()
    }
}

/// What is next in a text.
enum Piece<'a> {
    Tag(Token<'a>),
    Word(Token<'a>),
    Fault {
        place: Place,
        message: String,
        /// Whether the game ends with it.
        is_last: bool,
    },
}

/// The games of a text, one after the other.
pub(crate) struct Games<'a> {
    text: &'a str,
    results: &'static [&'static str],
    here: Place,
    /// Lines that begin with a tag.
    tags: Vec<usize>,
    /// Lines with the first move of a game behind an empty one.
    firsts: Vec<usize>,
    /// The next closing brace and the end of the line, as far as they were looked for.
    brace: usize,
    line_end: usize,
    /// Variations that are open.
    open: Vec<Place>,
    /// The tag that began the next game.
    next: Option<Token<'a>>,
}

/// The first of these ascending offsets that is behind `at`, or the end of a text.
fn behind(offsets: &[usize], at: usize, end: usize) -> usize {
    offsets.get(offsets.partition_point(|&offset| offset <= at)).copied().unwrap_or(end)
}

/// Whether a line begins with a tag: a bracket, a name and a string.
fn begins_with_tag(line: &str) -> bool {
    let Some(rest) = line.trim_start().strip_prefix('[') else { return false };
    let name = rest.trim_start();
    let value = name.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
    value.len() < name.len() && value.trim_start().starts_with('"')
}

/// Whether a line begins with the first move of a game.
fn begins_with_first_move(line: &str) -> bool {
    line.trim_start().strip_prefix("1.").is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_digit()))
}

impl<'a> Games<'a> {
    /// The games of a text; `results` are the words that end one.
    pub(crate) fn new(text: &'a str, results: &'static [&'static str]) -> Games<'a> {
        let (mut tags, mut firsts, mut at, mut is_behind_empty) = (Vec::new(), Vec::new(), 0, true);
        for line in text.split_inclusive('\n') {
            work::done(line.len());
            if begins_with_tag(line) {
                tags.push(at);
            } else if is_behind_empty && begins_with_first_move(line) {
                firsts.push(at);
            }
            is_behind_empty = line.trim().is_empty();
            at += line.len();
        }
        let first = Place { line: 1, ..Place::default() };
        Games {
            text,
            results,
            here: first,
            tags,
            firsts,
            brace: 0,
            line_end: 0,
            open: Vec::new(),
            next: None,
        }
    }

    /// Where the next game begins for certain behind a place.
    fn next_game(&self, at: usize) -> usize {
        behind(&self.tags, at, self.text.len()).min(behind(&self.firsts, at, self.text.len()))
    }

    /// Goes on to an offset.
    fn go_to(&mut self, at: usize) {
        let passed = &self.text[self.here.at..at];
        work::done(passed.len());
        if let Some(last) = passed.rfind('\n') {
            self.here.line += passed.matches('\n').count();
            self.here.begin = self.here.at + last + 1;
        }
        self.here.at = at;
    }

    /// What stands from here to the end of the line.
    fn line(&mut self) -> &'a str {
        let rest = &self.text[self.here.at..];
        if self.line_end <= self.here.at {
            self.line_end = self.here.at + rest.find('\n').unwrap_or(rest.len());
            work::done(self.line_end - self.here.at);
        }
        &rest[..self.line_end - self.here.at]
    }

    fn pass_line(&mut self) {
        let length = self.line().len();
        self.go_to(self.here.at + length);
    }

    /// Whether the comment that begins here holds a game with a comment of its own, so that the brace closes that one.
    fn holds_a_game(&self) -> bool {
        let first = behind(&self.firsts, self.here.at, self.text.len());
        let inner = self.text.get(first..self.brace).unwrap_or_default();
        let opening = inner.find('{');
        work::done(opening.unwrap_or(inner.len()));
        opening.is_some()
    }

    /// Whether the parenthesis here stands behind a move number, as old books have it: `1) e4`.
    fn is_behind_number(&self) -> bool {
        let before = &self.text[self.here.begin..self.here.at];
        let digits = before.bytes().rev().take_while(u8::is_ascii_digit).count();
        digits > 0 && !before[..before.len() - digits].ends_with(|c: char| !c.is_whitespace())
    }

    /// The fault of what is open at a place and never closed; reading goes on at the next game.
    fn unclosed(&mut self, place: Place, what: &str, end: char, resume: usize) -> Piece<'a> {
        self.open.clear();
        self.go_to(resume);
        let until = match resume == self.text.len() {
            true => "the end of the file".to_owned(),
            false => format!("the game in line {}", self.here.line),
        };
        let message = format!("found a {what} without end, expected `{end}` before {until}");
        Piece::Fault { place, message, is_last: true }
    }

    /// The next piece of the text; `is_to_come` where the moves of the game are still to come.
    fn piece(&mut self, is_to_come: bool) -> Option<Piece<'a>> {
        loop {
            let (here, size) = (self.here, self.text.len());
            if let Some(&first) = self.open.first() {
                let limit = self.next_game(first.at);
                if here.at >= limit {
                    return Some(self.unclosed(first, "variation", ')', limit.max(here.at)));
                }
            }
            let rest = &self.text[here.at..];
            let c = rest.chars().next()?;
            match c {
                '{' => {
                    if self.brace <= here.at {
                        self.brace = rest.find('}').map_or(size, |end| here.at + end);
                        work::done(self.brace - here.at);
                    }
                    let tags = behind(&self.tags, here.at, size);
                    if self.brace >= tags || self.holds_a_game() {
                        // The first move behind the tags of a game is its own.
                        let resume = if is_to_come { tags } else { self.next_game(here.at) };
                        return Some(self.unclosed(here, "comment", '}', resume));
                    }
                    self.go_to(self.brace + 1);
                }
                ';' => self.pass_line(),
                '%' if here.at == here.begin => self.pass_line(),
                '[' if self.open.is_empty() => return Some(self.tag()),
                '(' => {
                    self.open.push(here);
                    self.go_to(here.at + 1);
                }
                ')' if self.open.pop().is_some() => self.go_to(here.at + 1),
                ')' if self.is_behind_number() => self.go_to(here.at + 1),
                ')' | '}' | ']' if self.open.is_empty() => {
                    self.go_to(here.at + 1);
                    let message = format!("found `{c}`, which closes nothing");
                    return Some(Piece::Fault { place: here, message, is_last: false });
                }
                '$' => {
                    let digits = rest[1..].bytes().take_while(u8::is_ascii_digit).count();
                    self.go_to(here.at + 1 + digits);
                }
                c if c.is_whitespace() => self.go_to(here.at + c.len_utf8()),
                c => {
                    let ends = |c: char| c.is_whitespace() || "{}()[];$".contains(c);
                    let length = rest.find(ends).unwrap_or(rest.len()).max(c.len_utf8());
                    self.go_to(here.at + length);
                    let number = number_length(&rest[..length]);
                    if self.open.is_empty() && number < length {
                        let place = Place { at: here.at + number, ..here };
                        return Some(Piece::Word(Token { text: &rest[number..length], place }));
                    }
                }
            }
        }
    }

    /// The tag that begins here. It does not go over its line, and a bracket within its string does not end it.
    fn tag(&mut self) -> Piece<'a> {
        let (place, line) = (self.here, self.line());
        let at = |offset: usize| Place { at: place.at + offset, ..place };
        let mut offset = 1;
        while let Some(next) = line[offset..].find(['"', ']']) {
            offset += next;
            if line[offset..].starts_with(']') {
                self.go_to(place.at + offset + 1);
                let text = &line[..=offset];
                if text[1..].trim_start().starts_with(|c: char| c.is_ascii_alphanumeric()) {
                    return Piece::Tag(Token { text, place });
                }
                let message = "found a bracket, expected a tag as [Event \"x\"]".to_owned();
                return Piece::Fault { place, message, is_last: false };
            }
            let Some(length) = string_length(&line[offset..]) else {
                self.go_to(place.at + line.len());
                let message = "found a string without end, expected a closing quote".to_owned();
                return Piece::Fault { place: at(offset), message, is_last: false };
            };
            offset += length;
        }
        self.go_to(place.at + line.len());
        let message = "found a tag without end, expected `]` in its line".to_owned();
        Piece::Fault { place, message, is_last: false }
    }
}

impl<'a> Iterator for Games<'a> {
    type Item = Record<'a>;

    fn next(&mut self) -> Option<Record<'a>> {
        let (mut record, mut names) = (Record::default(), BTreeSet::new());
        if let Some(tag) = self.next.take() {
            names.insert(name(tag.text));
            record.tags.push(tag);
        }
        let text = self.text;
        let is_parted = |before: &Record<'_>, tag: &Token<'_>| {
            let last = before.tags.last().map_or(tag.place.at, |last| last.place.at + last.text.len());
            text.get(last..tag.place.at).unwrap_or_default().matches('\n').count() > 1
        };
        while let Some(piece) = self.piece(record.moves.is_empty() && !record.tags.is_empty()) {
            match piece {
                // Tags behind moves begin another game, and so does a tag that is there already behind an empty line.
                Piece::Tag(token)
                    if !record.moves.is_empty()
                        || !names.insert(name(token.text)) && is_parted(&record, &token) =>
                {
                    self.next = Some(token);
                    return Some(record);
                }
                Piece::Tag(token) => record.tags.push(token),
                // And so does whatever follows a result.
                Piece::Word(token) if self.results.contains(&token.text) => {
                    if !record.is_empty() {
                        return Some(record);
                    }
                }
                Piece::Word(token) => record.moves.push(token),
                Piece::Fault { place, message, is_last } => {
                    record.fault.get_or_insert((place, message));
                    if is_last {
                        return Some(record);
                    }
                }
            }
        }
        (!record.is_empty()).then_some(record)
    }
}

/// The name of a tag.
pub(crate) fn name(tag: &str) -> &str {
    tag.trim_start_matches('[')
        .split(|c: char| c.is_whitespace() || c == '"')
        .find(|name| !name.is_empty())
        .unwrap_or("")
}

/// Length of the move number with which a word begins: `12.` of `12.e4`; all of a word of digits and dots.
fn number_length(word: &str) -> usize {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let dots = word[digits..].bytes().take_while(|byte| *byte == b'.').count();
    if dots > 0 || digits == word.len() { digits + dots } else { 0 }
}

/// What a reader does, counted for the test that it does not grow faster than the text.
mod work {
    #[cfg(test)]
    thread_local! {
        pub(super) static BYTES: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
    }

    /// So many bytes were looked at.
    #[inline]
    pub(super) fn done(_bytes: usize) {
        #[cfg(test)]
        BYTES.with(|bytes| bytes.set(bytes.get() + _bytes));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RESULTS: &[&str] = &["1-0", "*"];

    fn read(text: &str) -> Vec<Record<'_>> {
        Games::new(text, RESULTS).collect()
    }

    fn moves(record: &Record<'_>) -> String {
        record.moves.iter().map(|token| token.text).collect::<Vec<_>>().join(" ")
    }

    /// What is never closed costs its own game alone, and the fault is at the place where it was opened.
    #[test]
    fn what_is_never_closed_ends_with_its_game() {
        let next = "\n\n[Event \"b\"]\n\n1. d4 d5 {x} (1... c5) 1-0\n";
        let tagless = "\n\n1. d4 d5 {x} (1... c5) 1-0\n";
        for (open, line, column, message) in [
            ("[Event \"a\"]\n\n1. e4 (1. d4 1-0", 3, 7, "a variation without end, expected `)`"),
            ("[Event \"a\"]\n\n1. e4 (1. d4 (1. c4) e5", 3, 7, "a variation without end"),
            ("[Event \"a\"]\n\n1. e4 { text\n more", 3, 7, "a comment without end, expected `}`"),
            ("[Event \"a\"]\n\n1. e4 (1. d4 {text) 1-0", 3, 14, "a comment without end"),
            ("[Event \"a]\n[Round \"1\"]\n\n1. e4 1-0", 1, 8, "a string without end"),
            ("[Event \"a\\\"]\n\n1. e4 1-0", 1, 8, "a string without end"),
            ("[Event \"a\"\n\n1. e4 1-0", 1, 1, "a tag without end"),
            ("[Event\n\n1. e4 1-0", 1, 1, "a tag without end"),
            ("1. e4) e5 1-0", 1, 6, "`)`, which closes nothing"),
            ("1. e4 text} e5 1-0", 1, 11, "`}`, which closes nothing"),
        ] {
            for next in [next, tagless] {
                let text = format!("{open}{next}");
                let records = read(&text);
                assert_eq!(records.len(), 2, "{text}: {records:?}");
                let (place, fault) = records[0].fault.as_ref().expect(&text);
                assert_eq!((place.line, place.at - place.begin + 1), (line, column), "{text}");
                assert!(fault.contains(message), "{text}: {fault}");
                assert!(records[1].fault.is_none() && moves(&records[1]) == "d4 d5", "{text}");
            }
        }
        let records = read("1. e4 { text\n\n1. d4 d5 *\n");
        assert_eq!((records.len(), moves(&records[1])), (2, "d4 d5".to_owned()), "no brace follows");
        assert!(records[0].fault.as_ref().unwrap().1.contains("before the game in line 3"));
        assert!(read("1. e4 (").remove(0).fault.unwrap().1.contains("before the end of the file"));
    }

    #[test]
    fn annotations_touch_moves_and_strings_hold_brackets() {
        let records = read("[Event \"a \\\"b ] c\\\" d\"]\n1. e4 e5$1 2.Nf3!$2$3 $4Nc6 1) d4 *");
        assert_eq!((records.len(), moves(&records[0])), (1, "e4 e5 Nf3! Nc6 d4".to_owned()));
        assert_eq!(records[0].tags[0].text, "[Event \"a \\\"b ] c\\\" d\"]");
    }

    #[test]
    fn a_tag_that_is_there_already_begins_a_game() {
        let records = read("[Event \"a\"]\n[FEN \"x\"]\n\n[Event \"b\"]\n\n1. e4 *");
        assert_eq!(records.iter().map(|record| record.tags.len()).collect::<Vec<_>>(), [2, 1]);
    }

    /// Twice the text is twice the work, also where everything is open or all of it is one line.
    #[test]
    fn work_grows_as_the_text_does() {
        let game = "[Event \"a\"]\n[Site \"b\"]\n\n1. e4 {text} e5 (1... c5 (1... e6)) 2. Nf3$1 Nc6 1-0\n\n";
        for game in [
            game.to_owned(),
            game.replace('\n', " "),
            game.replace("{text}", "{text"),
            game.replace("))", ")"),
            game.replace("1-0", "{"),
            game.replace("b\"]", "b"),
            "1. e4 ( e5 *\n\n".to_owned(),
            "1. e4 { e5 *\n\n".to_owned(),
            "1. e4 ( ( { e5 *\n".to_owned(),
        ] {
            let work = |games: usize| {
                let text = game.repeat(games);
                work::BYTES.set(0);
                let records: usize = read(&text).iter().map(|record| record.place().line.min(1)).sum();
                assert!(records > 0);
                (work::BYTES.get(), text.len())
            };
            let ((one, size), (two, _)) = (work(500), work(1000));
            assert!(two <= 2 * one + size / 100 && one <= 5 * size, "{one} and {two} for {size}: {game}");
        }
    }
}
