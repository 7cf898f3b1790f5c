//! Reads a suite file and points at the first thing that is wrong with it.

use super::{Block, Suite, size};
use crate::allowance::Allowance;
use crate::error::Place;
use crate::oracle::Oracle;
use crate::program::{Others, Program, ProgramArms, combinations};
use crate::setups::arm::Arm;
use crate::setups::methods;
use crate::setups::setup::Setup;
use crate::suite;
use secateur_base::Unknown;
use secateur_base::number::Whole;
use secateur_positions::{Fault, Kind, Reading, builtin};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::Path;
use toml::Spanned;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SuiteFile {
    name: Spanned<String>,
    description: String,
    #[serde(default)]
    params: BTreeMap<Spanned<String>, Spanned<String>>,
    audit: Option<Spanned<Whole>>,
    #[serde(default)]
    reading: Reading,
    /// Of every block that names no other.
    oracle: Option<Spanned<OracleFile>>,
    block: Spanned<Vec<Spanned<BlockFile>>>,
}

/// What somebody gives who means a program and not a suite.
#[derive(Deserialize)]
struct SubjectFile {
    subject: Spanned<toml::Table>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct BlockFile {
    pub(super) game: Spanned<String>,
    positions: Spanned<Vec<Spanned<String>>>,
    limit: Option<Spanned<Whole>>,
    #[serde(default)]
    reserved: bool,
    pub(super) methods: Option<Spanned<Vec<Spanned<String>>>>,
    /// The arm that the others are compared with, in place of `none`.
    baseline: Option<Spanned<String>>,
    /// Arms whose every combination is searched, in place of `methods`.
    pub(super) factorial: Option<Spanned<Vec<Spanned<String>>>>,
    /// Another program, by the name or the path of its subject file.
    pub(super) subject: Option<Spanned<String>>,
    /// Its arms, the baseline first; the usual ones if there is nothing.
    pub(super) arms: Option<Spanned<Vec<Spanned<String>>>>,
    pub(super) others: Option<Spanned<Others>>,
    budgets: Spanned<Vec<Spanned<BudgetFile>>>,
    repeats: Option<Spanned<Whole>>,
    #[serde(default)]
    expect_silent: Vec<Spanned<String>>,
    oracle: Option<Spanned<OracleFile>>,
    #[serde(default)]
    instructions: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum BudgetFile {
    Depth(Whole),
    Nodes(Whole),
    Time(String),
    Level(Whole),
}

/// Most repetitions of the baseline.
const MOST_REPEATS: i64 = 1000;

/// `oracle = "+2"`, `oracle = 12` or `oracle = "toga2@12"`.
#[derive(Deserialize)]
#[serde(untagged)]
enum OracleFile {
    Depth(i64),
    Text(String),
}

/// Reads the text of a suite file; `path` is for messages and as the base of relative paths.
pub(super) fn read(path: &Path, text: &str) -> Result<Suite, Box<Fault>> {
    let place = Place { path, text };
    if let Ok(SubjectFile { subject }) = toml::from_str(text) {
        let expected = format!("expected a suite; `--subject {}` takes it", path.display());
        return Err(place.at(&subject, format!("found a subject file, {expected}")));
    }
    let file: SuiteFile = place.read()?;
    let name = file.name.get_ref();
    if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c)) {
        let message = format!("found the name {name:?}, expected letters, digits, `-`, `_` and `.`");
        return Err(place.at(&file.name, message));
    }
    let usual = oracle(&place, file.oracle.as_ref())?;
    let blocks = place.filled("blocks", &file.block)?;
    let blocks = blocks.iter().map(|file| block(&place, file, usual.as_ref())).collect::<Result<_, _>>()?;
    let params =
        file.params.iter().map(|(game, file)| params(&place, game, file)).collect::<Result<_, _>>()?;
    let audit = (&file.audit, 1..=i64::MAX);
    let audit = number(&place, "audit", audit, "one cut in so many, at least 1")?.unwrap_or(0) as u64;
    Ok(Suite {
        name: name.clone(),
        description: file.description,
        params,
        audit,
        reading: file.reading,
        blocks,
    })
}

/// A number that is in its range, if it is written.
fn number(
    place: &Place<'_>,
    name: &str,
    (written, range): (&Option<Spanned<Whole>>, RangeInclusive<i64>),
    expected: &str,
) -> Result<Option<i64>, Box<Fault>> {
    let Some(written) = written else { return Ok(None) };
    match written.get_ref().0 {
        number if range.contains(&number) => Ok(Some(number)),
        number => Err(place.at(written, format!("found {name} {number}, expected {expected}"))),
    }
}

fn oracle(place: &Place<'_>, written: Option<&Spanned<OracleFile>>) -> Result<Option<Oracle>, Box<Fault>> {
    let Some(written) = written else { return Ok(None) };
    let text = match written.get_ref() {
        OracleFile::Depth(plies) => plies.to_string(),
        OracleFile::Text(text) => text.clone(),
    };
    let parsed: Result<Oracle, String> = text.parse();
    parsed.map(|oracle| Some(oracle.lasting(place.folder()))).map_err(|message| place.at(written, message))
}

/// A game and its parameter file, made relative to the suite file's folder unless it is a built-in one.
fn params(
    place: &Place<'_>,
    game: &Spanned<String>,
    file: &Spanned<String>,
) -> Result<(String, String), Box<Fault>> {
    let name = place.game(game)?;
    let text = file.get_ref();
    if Setup::is_named(text) {
        return Ok((name.clone(), text.clone()));
    }
    Ok((name.clone(), place.folder().join(text).display().to_string()))
}

fn block(place: &Place<'_>, whole: &Spanned<BlockFile>, usual: Option<&Oracle>) -> Result<Block, Box<Fault>> {
    let file = whole.get_ref();
    let game = place.game(&file.game)?;
    let mut positions = Vec::new();
    for name in place.filled("positions", &file.positions)? {
        positions.push(position_set(place, game, name)?);
    }
    let limit = number(place, "limit", (&file.limit, 1..=i64::MAX), "at least 1")?;
    let repeats = (&file.repeats, 0..=MOST_REPEATS);
    let repeats = number(place, "repeats", repeats, &format!("0 to {MOST_REPEATS}"))?.unwrap_or(0);
    let program = program(place, file)?;
    let methods = if program.is_some() { Vec::new() } else { methods(place, whole)? };
    let baseline = file.baseline.as_ref().map(|text| baseline(place, text, &methods)).transpose()?;
    let mut budgets = Vec::new();
    for budget in place.filled("budgets", &file.budgets)? {
        let allowance = match budget.get_ref() {
            BudgetFile::Depth(plies) => Allowance::depth(plies.0),
            BudgetFile::Nodes(nodes) => Allowance::nodes(nodes.0),
            BudgetFile::Time(text) => Allowance::time(text),
            BudgetFile::Level(level) => Allowance::level(level.0),
        };
        budgets.push(allowance.map_err(|message| place.at(budget, message))?);
    }
    for name in &file.expect_silent {
        if methods::index(name.get_ref()).is_none() {
            let error = Unknown::new("method", name.get_ref(), &methods::names());
            return Err(place.at(name, error.to_string()));
        }
    }
    let expect_silent = file.expect_silent.iter().map(|name| name.get_ref().clone()).collect();
    Ok(Block {
        game: game.clone(),
        positions,
        limit: limit.map(|limit| limit as usize),
        reserved: file.reserved,
        methods,
        baseline,
        program,
        budgets,
        repeats: repeats as u32,
        expect_silent,
        oracle: oracle(place, file.oracle.as_ref())?.or_else(|| usual.cloned()),
        instructions: file.instructions,
    })
}

/// The baseline that a block names: one of its method sets, so that its numbers are checked with theirs.
fn baseline(place: &Place<'_>, text: &Spanned<String>, methods: &[Arm]) -> Result<Arm, Box<Fault>> {
    let arm = Arm::parse(text.get_ref()).map_err(|error| place.at(text, error.to_string()))?;
    if methods.contains(&arm) {
        return Ok(arm);
    }
    Err(place.at(text, format!("found the baseline `{arm}`, expected one of the block's method sets")))
}

/// The arms of a block, from whichever of its two lists is there.
fn methods(place: &Place<'_>, whole: &Spanned<BlockFile>) -> Result<Vec<Arm>, Box<Fault>> {
    let file = whole.get_ref();
    let (list, crossed) = match (&file.methods, &file.factorial) {
        (Some(list), None) => (list, false),
        (None, Some(list)) => (list, true),
        (Some(_), Some(list)) => {
            return Err(place.at(list, "found `factorial` next to `methods`, expected one of them"));
        }
        (None, None) => {
            let message = "found a block without method sets, expected `methods` or `factorial`";
            return Err(place.at(whole, message));
        }
    };
    let setup = Setup::embedded(file.game.get_ref());
    let numbers = setup.map_err(|error| place.at(&file.game, error.to_string()))?.params;
    let mut arms = Vec::new();
    for text in place.filled("methods", list)? {
        let wrong = |message: String| place.at(text, message);
        let arm = Arm::parse(text.get_ref()).map_err(|error| wrong(error.to_string()))?;
        if arms.contains(&arm) {
            return Err(wrong(format!("found `{arm}` again, expected each method set once")));
        }
        arm.params(&numbers).map_err(|error| wrong(error.to_string()))?;
        arms.push(arm);
        if crossed {
            suite::fits(&arms, arms.len() - 1).map_err(wrong)?;
        }
    }
    if !crossed {
        return Ok(arms);
    }
    size(arms.len()).map_err(|message| place.at(list, message))?;
    Ok(suite::combinations(&arms))
}

/// A set's name, checked, or a file's path, made relative to the suite file's folder.
fn position_set(place: &Place<'_>, game: &str, name: &Spanned<String>) -> Result<String, Box<Fault>> {
    let text = name.get_ref();
    let set_game = builtin::game_of(text).map_err(|error| place.at(name, error.to_string()))?;
    if let Some(set_game) = set_game.filter(|set_game| set_game != game) {
        return Err(place.at(name, format!("found a set of {set_game} positions, expected {game}")));
    }
    let is_file = Kind::of(Path::new(text)).is_ok();
    let folder = place.path.parent().filter(|_| is_file);
    Ok(folder.map_or_else(|| text.clone(), |folder| folder.join(text).display().to_string()))
}

/// The program of a block with its arms, if it names one.
pub(super) fn program(place: &Place<'_>, file: &BlockFile) -> Result<Option<ProgramArms>, Box<Fault>> {
    let Some(subject) = &file.subject else {
        return match (&file.arms, &file.others) {
            (Some(arms), _) => Err(place.at(arms, "found `arms` without a `subject`, expected `methods`")),
            (None, Some(others)) => Err(place.at(others, "found `others` without a `subject`")),
            (None, None) => Ok(None),
        };
    };
    if let Some(methods) = &file.methods {
        return Err(place.at(methods, "found `methods` next to `subject`, expected `arms` or `factorial`"));
    }
    let source = Program::lasting(subject.get_ref(), place.folder());
    let program = Program::load(&source).map_err(|error| place.at(subject, error.to_string()))?;
    if program.game != *file.game.get_ref() {
        let message = format!("found a subject of {}, expected {}", program.game, file.game.get_ref());
        return Err(place.at(subject, message));
    }
    let texts = |list: &Spanned<Vec<Spanned<String>>>| -> Vec<String> {
        list.get_ref().iter().map(|text| text.get_ref().clone()).collect()
    };
    let (arms, list) = match (&file.arms, &file.factorial) {
        (Some(_), Some(list)) => {
            return Err(place.at(list, "found `factorial` next to `arms`, expected one of them"));
        }
        (Some(list), None) => (texts(list), Some(list)),
        (None, Some(list)) => (combinations(&texts(list)).map_err(|message| place.at(list, message))?, None),
        (None, None) => (ProgramArms::usual(&program), None),
    };
    let others = file.others.as_ref().map(|others| *others.get_ref()).unwrap_or_default();
    let lined =
        ProgramArms::new(program, others, &arms).map_err(|(at, message)| match (list, &file.factorial) {
            (Some(list), _) => place.at(&list.get_ref()[at], message),
            (None, Some(list)) => place.at(list, message),
            (None, None) => place.at(subject, message),
        })?;
    Ok(Some(lined))
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"name = "own"
description = "d"
[[block]]
game = "chess"
positions = ["bratko-kopec", "my.epd"]
limit = 3
methods = ["none", "null-move+futility"]
budgets = [{ depth = 6 }, { time = "100ms" }, { nodes = 5_000 }]
expect-silent = ["multi-cut"]
instructions = true
"#;

    #[test]
    fn a_suite_file_is_read() {
        let suite = read(Path::new("some/own.toml"), GOOD).unwrap();
        let block = &suite.blocks[0];
        assert_eq!(block.positions, ["bratko-kopec", "some/my.epd"]);
        assert_eq!(
            block.budgets,
            [Allowance::Depth(6), Allowance::Time(100_000_000), Allowance::Nodes(5_000)]
        );
        assert_eq!((block.limit, block.repeats, block.instructions), (Some(3), 0, true));
        assert_eq!(block.methods[1].to_string(), "null-move+futility");
    }

    #[test]
    fn the_wrong_place_is_shown() {
        let cases = [
            ("limit = 3", "limit = 0", (6, 9), "expected at least 1"),
            ("limit = 3", "limits = 3", (6, 1), "unknown field `limits`, expected one of"),
            ("\"none\", ", "\"noone\", ", (7, 12), "did you mean `none`?"),
            ("\"none\", ", "\"none\", \"none\", ", (7, 20), "found `none` again"),
            ("depth = 6", "depth = 600", (8, 12), "found depth 600, expected 1 to 64 plies"),
            ("depth = 6", "dept = 6", (8, 14), "expected one of `depth`, `nodes`, `time`"),
            ("100ms", "100", (8, 27), "`500ms`"),
            ("\"chess\"", "\"ches\"", (4, 8), "did you mean `chess`?"),
            ("\"bratko-kopec\"", "\"bratko\"", (5, 14), "unknown position set"),
            ("\"my.epd\"", "\"my.obf\"", (5, 30), "found a set of othello positions, expected chess"),
            ("instructions = true", "instructions = 1", (10, 16), "expected a boolean"),
            ("[\"multi-cut\"]", "[\"mpd\"]", (9, 18), "did you mean `mpc`?"),
            ("\"own\"", "\"o w n\"", (1, 8), "expected letters"),
            ("description = \"d\"\n", "", (1, 1), "missing field `description`"),
            ("limit = 3", "limit = ", (6, 9), ""),
            ("limit = 3", "baseline = \"futility\"", (6, 12), "expected one of the block's method sets"),
        ];
        for (from, to, place, message) in cases {
            let error = read(Path::new("own.toml"), &GOOD.replace(from, to)).expect_err(to);
            assert_eq!((error.line, error.column), place, "{error}");
            assert!(error.message.contains(message), "{error}");
            assert!(!error.text.is_empty());
        }
    }

    /// Whoever leaves members out of a set compares with the set; searching everything without any method would cost most.
    #[test]
    fn a_block_may_name_its_baseline_and_then_nothing_is_searched_without_methods() {
        let list = "methods = [\"none\", \"null-move+futility\"]";
        let left_out = "baseline = \"lmr+lmp\"\nmethods = [\"lmr\", \"lmr+lmp\"]";
        let text =
            GOOD.replace(list, left_out).replace(", \"my.epd\"", "").replace("instructions = true", "");
        let suite = read(Path::new("own.toml"), &text).unwrap();
        let written = toml::to_string(&suite).unwrap();
        assert_eq!(read(Path::new("own.toml"), &written).unwrap(), suite);
        let plan = crate::matrix::Plan::new(suite).unwrap();
        let names: Vec<&str> = plan.games[0].arms.iter().map(|arm| arm.name.as_str()).collect();
        assert_eq!(names, ["lmp+lmr", "lmr"]);
    }

    /// Runs of before, and suites with one question, have the key at the head.
    #[test]
    fn an_oracle_at_the_head_is_that_of_every_block_without_its_own() {
        let second = GOOD.split_once("[[block]]").unwrap().1;
        let both = format!("{GOOD}\n[[block]]{second}oracle = 12\n");
        let oracles = |text: &str| -> Vec<Option<String>> {
            let suite = read(Path::new("own.toml"), text).unwrap();
            suite.blocks.iter().map(|block| block.oracle.as_ref().map(ToString::to_string)).collect()
        };
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(oracles(&both), [None, some("12")]);
        assert_eq!(oracles(&format!("oracle = \"+2\"\n{both}")), [some("+2"), some("12")]);
        for (text, place) in
            [(format!("oracle = 65\n{GOOD}"), (1, 10)), (format!("{GOOD}oracle = \"2+\"\n"), (11, 10))]
        {
            let error = read(Path::new("own.toml"), &text).expect_err(&text);
            assert_eq!((error.line, error.column), place, "{error}");
            assert!(error.message.contains("expected plies deeper"), "{error}");
        }
    }

    #[test]
    fn a_factorial_block_is_all_combinations_and_has_no_list_of_methods() {
        let list = "methods = [\"none\", \"null-move+futility\"]";
        let crossed = |to: &str| read(Path::new("own.toml"), &GOOD.replace(list, to));
        let suite = crossed("factorial = [\"mpc\", \"futility\"]").unwrap();
        let names: Vec<String> = suite.blocks[0].methods.iter().map(ToString::to_string).collect();
        assert_eq!(names, ["none", "mpc", "futility", "mpc+futility"]);
        let cases = [
            (
                format!("{list}\nfactorial = [\"mpc\", \"futility\"]"),
                (8, 13),
                "next to `methods`, expected one",
            ),
            (String::new(), (3, 1), "expected `methods` or `factorial`"),
            ("factorial = [\"mpc\"]".to_owned(), (7, 13), "found a list of 1, expected 2 to 8 arms"),
            ("factorial = []".to_owned(), (7, 13), "expected at least one"),
            ("factorial = [\"mpc\", \"none\"]".to_owned(), (7, 21), "expected one method in each arm"),
            (
                "factorial = [\"mpc\", \"mpc[t=1]\"]".to_owned(),
                (7, 21),
                "next to `mpc`, expected every method",
            ),
            ("factorial = [\"mpc\", \"mpc\"]".to_owned(), (7, 21), "found `mpc` again"),
        ];
        for (to, place, message) in cases {
            let error = crossed(&to).expect_err(&to);
            assert_eq!((error.line, error.column), place, "{error}");
            assert!(error.message.contains(message), "{error}");
        }
    }

    #[test]
    fn a_suite_without_blocks_is_refused() {
        for text in ["name = \"a\"\ndescription = \"\"\n", "name = \"a\"\ndescription = \"\"\nblock = []\n"] {
            assert!(read(Path::new("a.toml"), text).is_err());
        }
    }
}
