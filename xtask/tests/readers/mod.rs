//! Mutated texts for every reader: none may panic, hang, or take in what cannot be; and what is taken in must read back as it is
//! printed. Not covered: the command line itself, and programs of others.
//!
//! The texts are drawn by proptest, which names the shortest that it finds to fail. They are the same each time; more, or others:
//! `PROPTEST_CASES=100000 PROPTEST_RNG_SEED=7 cargo test --release -p xtask --test all readers`.

mod numbers;
mod positions;
mod records;
mod talk;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::{Config, RngSeed, TestRunner};
use secateur_suites::instruments::clock::thread_time;
use std::cell::RefCell;
use std::fmt;
use std::time::Duration;

/// CPU time after which an input counts as one that hangs.
const SLOW: Duration = Duration::from_secs(2);
/// Texts for each reader, unless PROPTEST_CASES gives another number.
const CASES: u32 = 500;
/// Longest text, bytes: what grows is cut.
const LONGEST: usize = 1 << 14;

/// What becomes of a text: whether it was taken in, or what was wrong with how.
type Reaction = Result<bool, String>;

/// Looks at one text.
type Check = Box<dyn FnMut(&[u8]) -> Reaction>;

/// A reader.
struct Target {
    name: &'static str,
    /// Valid texts, all of which must be taken in.
    corpus: Vec<Vec<u8>>,
    /// Words of the grammar.
    tokens: Vec<&'static str>,
    check: Check,
}

impl Target {
    /// Has it read its valid texts, and texts that are nearly valid.
    fn watch(self) {
        let Target { name, corpus, tokens, check } = self;
        let check = RefCell::new(check);
        for text in &corpus {
            let reaction = (check.borrow_mut())(text);
            assert_eq!(reaction, Ok(true), "{name}: a valid text: {}", text.escape_ascii());
        }
        let usual = Config { failure_persistence: None, ..Config::default() };
        let is_set = |name| std::env::var_os(name).is_some();
        let config = Config {
            cases: if is_set("PROPTEST_CASES") { usual.cases } else { CASES },
            rng_seed: if is_set("PROPTEST_RNG_SEED") { usual.rng_seed } else { RngSeed::Fixed(1) },
            ..usual
        };
        let looked = TestRunner::new(config).run(&mutated(corpus, tokens), |text| {
            let before = thread_time();
            (check.borrow_mut())(&text.0).map_err(TestCaseError::fail)?;
            let took = thread_time().saturating_sub(before);
            prop_assert!(took < SLOW, "took {:?} of CPU time", took);
            Ok(())
        });
        looked.unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}

/// A text that a failure shows as it can be typed.
#[derive(Clone)]
struct Text(Vec<u8>);

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.escape_ascii())
    }
}

/// One change of a text. Places and lengths are taken modulo what there is.
#[derive(Clone, Debug)]
enum Edit {
    /// A byte in the place of another.
    Byte(Index, u8),
    /// One byte of the text in the place of another: boards stay boards.
    Own(Index, Index),
    /// Two bytes exchanged.
    Swap(Index, Index),
    /// A part taken away.
    Cut(Index, usize),
    /// A part once more elsewhere.
    Copy(Index, usize, Index),
    /// A piece that belongs nowhere in particular.
    Insert(Index, &'static str),
    /// The end of another valid text in the place of its own.
    Graft(Index, Index, Index),
    /// Something in the place of a number, or next to it.
    Number(Index, &'static str, bool),
    /// Something in the place of a word, or next to it.
    Word(Index, &'static str, bool),
    /// A line taken away.
    Line(Index),
    /// Two lines exchanged.
    Lines(Index, Index),
    /// A line once more elsewhere.
    Again(Index, Index),
}

/// Valid texts, changed in a few places.
fn mutated(corpus: Vec<Vec<u8>>, tokens: Vec<&'static str>) -> impl Strategy<Value = Text> {
    let tokens = if tokens.is_empty() { PIECES.to_vec() } else { tokens };
    let at = any::<Index>;
    let part = 1..13_usize;
    let edit = prop_oneof![
        (at(), any::<u8>()).prop_map(|(at, byte)| Edit::Byte(at, byte)),
        (at(), at()).prop_map(|(at, from)| Edit::Own(at, from)),
        (at(), at()).prop_map(|(one, two)| Edit::Swap(one, two)),
        (at(), part.clone()).prop_map(|(at, length)| Edit::Cut(at, length)),
        (at(), part, at()).prop_map(|(at, length, to)| Edit::Copy(at, length, to)),
        (at(), select(PIECES)).prop_map(|(at, piece)| Edit::Insert(at, piece)),
        (at(), at(), at()).prop_map(|(at, other, from)| Edit::Graft(at, other, from)),
        (at(), select(NUMBERS), any::<bool>()).prop_map(|(at, number, next)| Edit::Number(at, number, next)),
        (at(), select(tokens), any::<bool>()).prop_map(|(at, word, next)| Edit::Word(at, word, next)),
        at().prop_map(Edit::Line),
        (at(), at()).prop_map(|(one, two)| Edit::Lines(one, two)),
        (at(), at()).prop_map(|(one, to)| Edit::Again(one, to)),
    ];
    (any::<Index>(), vec(edit, 1..6)).prop_map(move |(text, edits)| {
        let mut bytes = text.get(&corpus).clone();
        for edit in &edits {
            change(&mut bytes, edit, &corpus);
        }
        bytes.truncate(LONGEST);
        Text(bytes)
    })
}

fn change(bytes: &mut Vec<u8>, edit: &Edit, corpus: &[Vec<u8>]) {
    let length = bytes.len();
    // A place before a byte or at the end.
    let place = |at: &Index| at.index(length + 1);
    if length == 0 && !matches!(edit, Edit::Insert(..) | Edit::Graft(..)) {
        return;
    }
    match edit {
        Edit::Byte(at, byte) => bytes[at.index(length)] = *byte,
        Edit::Own(at, from) => bytes[at.index(length)] = bytes[from.index(length)],
        Edit::Swap(one, two) => bytes.swap(one.index(length), two.index(length)),
        Edit::Cut(at, more) => drop(bytes.drain(place(at)..(place(at) + more).min(length))),
        Edit::Copy(at, more, to) => {
            let part = bytes[place(at)..(place(at) + more).min(length)].to_vec();
            bytes.splice(place(to)..place(to), part);
        }
        Edit::Insert(at, piece) => drop(bytes.splice(place(at)..place(at), piece.bytes())),
        Edit::Graft(at, other, from) => {
            let other = other.get(corpus);
            bytes.truncate(place(at));
            bytes.extend_from_slice(&other[from.index(other.len() + 1)..]);
        }
        Edit::Number(at, number, next) => replace(bytes, at.index(length), is_number, number, *next),
        Edit::Word(at, word, next) => replace(bytes, at.index(length), is_word, word, *next),
        Edit::Line(..) | Edit::Lines(..) | Edit::Again(..) => {
            let mut lines: Vec<&[u8]> = bytes.split_inclusive(|&byte| byte == b'\n').collect();
            let count = lines.len();
            match edit {
                Edit::Line(one) => drop(lines.remove(one.index(count))),
                Edit::Lines(one, two) => lines.swap(one.index(count), two.index(count)),
                Edit::Again(one, to) => lines.insert(to.index(count), lines[one.index(count)]),
                _ => {}
            }
            *bytes = lines.concat();
        }
    }
}

/// Puts `choice` in the place of the word of such bytes around or after a place, or behind it.
fn replace(bytes: &mut Vec<u8>, at: usize, is_part: fn(u8) -> bool, choice: &str, next: bool) {
    let Some(inside) = bytes[at..].iter().position(|&byte| is_part(byte)).map(|more| at + more) else {
        return;
    };
    let from = bytes[..inside].iter().rposition(|&byte| !is_part(byte)).map_or(0, |at| at + 1);
    let to = bytes[inside..].iter().position(|&byte| !is_part(byte)).map_or(bytes.len(), |at| inside + at);
    bytes.splice(if next { to } else { from }..to, choice.bytes());
}

fn is_number(byte: u8) -> bool {
    byte.is_ascii_digit() || matches!(byte, b'-' | b'.')
}

fn is_word(byte: u8) -> bool {
    !byte.is_ascii_whitespace() && !matches!(byte, b',' | b';' | b'=' | b'[' | b']' | b'"')
}

/// A folder for files that are written over and over: in memory, where there is a place for that.
fn scratch() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).expect("a folder for the inputs")
}

/// The bytes as text; readers of files refuse what is none before they look at it.
fn text(input: &[u8]) -> Option<&str> {
    std::str::from_utf8(input).ok()
}

/// A refusal, whose message must be printable, too.
fn refusal(error: &dyn std::error::Error) -> Reaction {
    if error.to_string().trim().is_empty() { Err("refused without a word".to_owned()) } else { Ok(false) }
}

/// A fault unless two things are equal.
fn same<T: PartialEq + fmt::Debug>(what: &str, one: &T, two: &T) -> Result<(), String> {
    let cut = |thing: &T| format!("{thing:?}").chars().take(300).collect::<String>();
    if one == two { Ok(()) } else { Err(format!("{what}: `{}` became `{}`", cut(one), cut(two))) }
}

/// A fault is reported with a short text that shows it.
#[test]
fn a_fault_is_found_and_told_with_its_text() {
    let target = |check: fn(&[u8]) -> Reaction| Target {
        name: "t",
        corpus: vec![b"12 34".to_vec()],
        tokens: vec!["x"],
        check: Box::new(check),
    };
    target(|_| Ok(true)).watch();
    let fault_of = |check| {
        let payload = std::panic::catch_unwind(|| target(check).watch()).expect_err("a fault");
        payload.downcast_ref::<String>().cloned().unwrap_or_default()
    };
    let long = fault_of(|input| if input.len() > 9 { panic!("long") } else { Ok(true) });
    assert!(long.contains("t: ") && long.contains("long"), "{long}");
    let high = fault_of(|input| if input.contains(&b'x') { Err("an x".to_owned()) } else { Ok(true) });
    assert!(high.contains("an x") && high.contains('x'), "{high}");
    assert!(fault_of(|input| Ok(input != b"12 34")).contains("a valid text"));
}

/// Numbers at which readers go wrong.
const NUMBERS: &[&str] = &[
    "0",
    "-1",
    "1",
    "8",
    "9",
    "64",
    "65",
    "100",
    "255",
    "256",
    "-128",
    "32767",
    "32768",
    "65536",
    "2147483647",
    "-2147483648",
    "4294967296",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "1e308",
    "-1e400",
    "1e-300",
    "nan",
    "inf",
    "-0.0",
    "0x10",
    "1_000",
    "00",
    "+7",
    "١",
];

/// Pieces that belong nowhere in particular.
const PIECES: &[&str] = &[
    " ",
    "\t",
    "\n",
    "\r\n",
    "\r",
    "\0",
    "\u{1b}[31m",
    "\u{202e}",
    "\u{feff}",
    "é",
    "日本",
    "\"",
    "'",
    "\\",
    ",",
    ";",
    ":",
    "=",
    "/",
    "-",
    "[",
    "]",
    "{",
    "}",
    "[[",
    "]]",
    "#",
    "%",
    "..",
    "null",
];
