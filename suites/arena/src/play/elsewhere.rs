//! Games of a program against itself without some of its methods that other tools played, from PGN as cutechess, fastchess and
//! c-chess-cli write it.
//!
//! A player is named by the program and, behind a blank, what it lacks: `Engine` or `Engine full` is the program as it is, `Engine
//! no-null-move`, `Engine no-null-move+lmr` and `Engine full[-null-move]` lack methods. Two games are a pair if they have one opening
//! and the same players with colours reversed. The opening is the tag FEN with the moves that the comment `book` follows. What is
//! no pair is counted by its reason. Left out: games in which both players lack something, and time controls of several stages.

use super::record::GameRow;
use super::referee::Reason;
use super::settings::{Limit, MatchSettings, PlayerSpec};
use super::{Ended, PlayFile};
use secateur_base::number::plural;
use secateur_positions::nearest;
use secateur_positions::pgn::{TaggedGame, tagged_games};
use secateur_suites::Error;
use secateur_suites::program::Program;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What a file of games gives.
#[derive(Debug)]
pub struct Elsewhere {
    /// The matches of the program as it is against the program without these methods, by them; complete, with rows in pairs.
    pub matches: Vec<(Vec<String>, Ended)>,
    /// Games that were read, and for every reason to leave a game out how many there are.
    pub account: String,
}

/// One side of a game: the program's name, and the methods that it lacks.
type Side = (String, Vec<String>);

/// A game with both sides told apart.
struct Read<'t> {
    game: &'t TaggedGame,
    opening: String,
    /// What the player lacks that is not the program as it is.
    methods: Vec<String>,
    /// Whether the program as it is plays White.
    is_white: bool,
    half_points: usize,
    limit: String,
}

/// Reads the games in `text`, a file at `path`.
///
/// # Errors
/// A player whose name ends like an arm and is none; players of several programs of which none is called as the subject; games with
/// more than one time control.
pub fn read(path: &Path, text: &str, program: &Program) -> Result<Elsewhere, Error> {
    let games = tagged_games(text);
    let wrong = |line: usize, what: String| Error::Usage(format!("{}:{line}: {what}", path.display()));
    let mut sides: Vec<[Side; 2]> = Vec::new();
    for game in &games {
        let side = |tag: &str| {
            let name = game.tags.get(tag).map_or("", String::as_str);
            side(name, program).map_err(|what| wrong(game.line, format!("{tag}: {what}")))
        };
        sides.push([side("White")?, side("Black")?]);
    }
    let own_program = own_name(&sides, program).map_err(|what| wrong(1, what))?;
    let mut left_out: BTreeMap<&str, usize> = BTreeMap::new();
    let mut pairs: BTreeMap<Vec<String>, Vec<[Read<'_>; 2]>> = BTreeMap::new();
    let mut waiting: BTreeMap<(String, Vec<String>, bool), Vec<Read<'_>>> = BTreeMap::new();
    for (game, sides) in games.iter().zip(&sides) {
        match one(game, sides, &own_program) {
            Err(why) => *left_out.entry(why).or_default() += 1,
            Ok(mut read) => {
                // Against itself the program has either colour in both games.
                let is_null = read.methods.is_empty();
                let other = (read.opening.clone(), read.methods.clone(), is_null || !read.is_white);
                match waiting.get_mut(&other).filter(|games| !games.is_empty()) {
                    Some(games) => {
                        let before = games.remove(0);
                        if is_null {
                            (read.is_white, read.half_points) = (false, 2 - read.half_points);
                        }
                        pairs.entry(read.methods.clone()).or_default().push([before, read]);
                    }
                    None => {
                        let key = (read.opening.clone(), read.methods.clone(), read.is_white);
                        waiting.entry(key).or_default().push(read);
                    }
                }
            }
        }
    }
    let single: usize = waiting.values().map(Vec::len).sum();
    if single > 0 {
        left_out.insert("without a game of the same opening with colours reversed", single);
    }
    let limits: BTreeSet<&str> = pairs.values().flatten().flatten().map(|read| read.limit.as_str()).collect();
    if limits.len() > 1 {
        let all = limits.into_iter().collect::<Vec<_>>().join("`, `");
        return Err(wrong(
            1,
            format!(
                "found the time controls `{all}`, expected one: games with another clock answer another question"
            ),
        ));
    }
    let limit = limits.first().map(|text| limit(text).map_err(|what| wrong(1, what))).transpose()?;
    let taken: usize = pairs.values().map(|pairs| 2 * pairs.len()).sum();
    let matches = limit.map_or_else(Vec::new, |limit| {
        pairs
            .into_iter()
            .map(|(methods, pairs)| (methods.clone(), ended(path, program, (limit, &methods), &pairs)))
            .collect()
    });
    let left: Vec<String> = left_out.iter().map(|(why, count)| format!("{count} {why}")).collect();
    let left = if left.is_empty() { String::new() } else { format!("; left out: {}", left.join(", ")) };
    let all = plural(games.len(), "game");
    let account = format!("{}: {all}, {taken} of them in pairs{left}", path.display());
    Ok(Elsewhere { matches, account })
}

/// The program's name and what the player lacks.
fn side(name: &str, program: &Program) -> Result<Side, String> {
    let name = name.trim();
    let name = name.strip_suffix(" #2").unwrap_or(name);
    let (engine, arm) = name.rsplit_once(' ').unwrap_or((name, ""));
    let is_arm = arm.starts_with("no-") || arm.starts_with("full");
    if !is_arm {
        return Ok((name.to_owned(), Vec::new()));
    }
    let numbers: BTreeSet<usize> = match arm.strip_prefix("no-") {
        Some(methods) => {
            let number = |method: &str| {
                program.factor(method.trim_start_matches("no-")).map_err(|error| error.to_string())
            };
            methods.split('+').map(number).collect::<Result<_, String>>()?
        }
        None => {
            let arm = program.arm(arm).map_err(|error| error.to_string())?;
            if !arm.options.is_empty() {
                return Err(format!(
                    "`{name}`: found other values of options, expected methods that it lacks"
                ));
            }
            arm.off
        }
    };
    let methods = numbers.into_iter().map(|number| program.factors[number].name.clone()).collect();
    Ok((engine.trim().to_owned(), methods))
}

/// What the program is called in these games: as the subject file is, or the only name that there is.
fn own_name(sides: &[[Side; 2]], program: &Program) -> Result<String, String> {
    let names: BTreeSet<&str> = sides.iter().flatten().map(|(name, _)| name.as_str()).collect();
    let names: Vec<&str> = names.into_iter().collect();
    let subject = Path::new(&program.source)
        .file_stem()
        .map_or(String::new(), |stem| stem.to_string_lossy().into_owned());
    let plain =
        |name: &str| name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase();
    match names[..] {
        [only] => Ok(only.to_owned()),
        [] => Err("found no game".to_owned()),
        _ => {
            let matching: Vec<&str> =
                names.iter().copied().filter(|name| plain(name) == plain(&subject)).collect();
            let [name] = matching[..] else {
                let plains: Vec<String> = names.iter().map(|name| plain(name)).collect();
                let near = nearest(&plain(&subject), &plains.iter().map(String::as_str).collect::<Vec<_>>());
                let near = near.and_then(|near| plains.iter().position(|plain| plain == near));
                let near = near.map_or(".".to_owned(), |at| format!(": did you mean `{}`?", names[at]));
                return Err(format!(
                    "found players called `{}`, expected one program, or one called as the subject `{subject}`{near} What a player lacks \
                     stands behind its name, as in `{subject} no-{}`",
                    names.join("`, `"),
                    program.factors.first().map_or("lmr", |factor| factor.name.as_str())
                ));
            };
            Ok(name.to_owned())
        }
    }
}

/// A game with both sides told apart, or why it is left out.
fn one<'t>(game: &'t TaggedGame, sides: &[Side; 2], program: &str) -> Result<Read<'t>, &'static str> {
    let tag = |name: &str| game.tags.get(name).map_or("", String::as_str);
    if game.fault.is_some() {
        return Err("that cannot be read");
    }
    let [white, black] = sides;
    if white.0 != program || black.0 != program {
        return Err("of other programs");
    }
    let (methods, is_white) = match [white.1.is_empty(), black.1.is_empty()] {
        [true, _] => (black.1.clone(), true),
        [false, true] => (white.1.clone(), false),
        [false, false] => return Err("in which both players lack something"),
    };
    let white_points = match tag("Result") {
        "1-0" => 2,
        "1/2-1/2" => 1,
        "0-1" => 0,
        _ => return Err("without a result"),
    };
    let opening = [tag("FEN"), &game.moves[..game.book].join(" ")].join(" ").trim().to_owned();
    if opening.is_empty() {
        return Err("that do not say their opening, by the tag FEN or moves with the comment `book`");
    }
    let half_points = if is_white { white_points } else { 2 - white_points };
    Ok(Read { game, opening, methods, is_white, half_points, limit: tag("TimeControl").to_owned() })
}

/// A time control as PGN writes it: `10+0.1`, `60`, and our own `tc 1+0.01` and `nodes 5000`.
fn limit(text: &str) -> Result<Limit, String> {
    text.parse().or_else(|_| Limit::clock(text)).map_err(|_| {
        format!("found the time control `{text}`, expected seconds and an increment, as in 10+0.1")
    })
}

/// Why a game ended, as far as the tag Termination says that a player was at fault.
fn fault(game: &TaggedGame) -> Option<Reason> {
    let text = game.tags.get("Termination").map_or(String::new(), |text| text.to_lowercase());
    let faults = [
        ("time", Reason::Time),
        ("illegal", Reason::IllegalMove),
        ("disconnect", Reason::Crash),
        ("crash", Reason::Crash),
        ("abandoned", Reason::Crash),
        ("stall", Reason::Hang),
        ("hang", Reason::Hang),
    ];
    // A rule of a game is none of them: `stalemate` is no stalled player.
    let is_it = |(word, _): &&(&str, Reason)| {
        text.split(|c: char| !c.is_alphanumeric())
            .any(|one| one == *word || one == format!("{word}ed") || one == format!("{word}s"))
    };
    faults.iter().find(is_it).map(|(_, reason)| *reason)
}

/// The pairs of some methods as a match.
fn ended(
    path: &Path,
    program: &Program,
    (limit, methods): (Limit, &[String]),
    pairs: &[[Read<'_>; 2]],
) -> Ended {
    let players =
        [PlayerSpec::lacking::<&str>(&program.source, &[]), PlayerSpec::lacking(&program.source, methods)];
    let settings = MatchSettings {
        hash_mib: program.hash_mib as usize,
        ..MatchSettings::between(players, &program.game, 2 * pairs.len(), limit)
    };
    let row = |(at, read): (usize, &Read<'_>)| GameRow {
        game: at + 1,
        pair: at / 2 + 1,
        opening: read.opening.clone(),
        first_side: if read.is_white { "white" } else { "black" }.to_owned(),
        points: read.half_points as f64 / 2.0,
        result: read.game.tags.get("Result").cloned().unwrap_or_default(),
        reason: fault(read.game).map_or_else(|| "elsewhere".to_owned(), |reason| reason.to_string()),
        plies: read.game.moves.len(),
        detail: read.game.tags.get("Termination").cloned().unwrap_or_default(),
        ..GameRow::default()
    };
    let rows: Vec<GameRow> = pairs.iter().flatten().enumerate().map(row).collect();
    let openings: BTreeSet<&str> = rows.iter().map(|row| row.opening.as_str()).collect();
    let date = pairs.iter().flatten().find_map(|read| read.game.tags.get("Date").cloned());
    let file = PlayFile {
        started: date.unwrap_or_default(),
        openings: format!("those of {}", path.display()),
        distinct_openings: openings.len(),
        ..PlayFile::of(settings)
    };
    Ended { file, rows, mended: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SUBJECT: &str = "[subject]\ngame = \"chess\"\ncommand = \"./fake\"\nmask = \"ABLATE\"\n[factor]\n\
        null-move = { bits = 1 }\nlmr = { bits = 2 }\n";

    fn game(white: &str, black: &str, fen: &str, result: &str) -> String {
        let fen = if fen.is_empty() { String::new() } else { format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n") };
        format!(
            "[Event \"x\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n{fen}[TimeControl \"8+0.08\"]\n\n\
             1. e4 {{book}} e5 {{book}} 2. Nf3 {{+0.1/9 0.1s}} {result}\n\n"
        )
    }

    fn read_of(text: &str) -> Result<Elsewhere, Error> {
        let program = Program::parse(Path::new("toy.toml"), SUBJECT).unwrap();
        read(Path::new("games.pgn"), text, &program)
    }

    #[test]
    fn pairs_are_found_by_opening_and_what_is_none_is_counted() {
        let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
        let other = fen.replace("4P3", "3P4");
        let text = [
            game("Toy 1.0", "Toy 1.0 no-lmr", fen, "1-0"),
            game("Toy 1.0 full", "Toy 1.0 full[-null-move]", fen, "0-1"),
            // A game of the same opening between others stands between the two of a pair.
            game("Toy 1.0 no-lmr", "Toy 1.0", fen, "1/2-1/2"),
            game("Toy 1.0 no-null-move", "Toy 1.0", fen, "0-1"),
            // From a book, and with a fault.
            game("Toy 1.0", "Toy 1.0 no-lmr", "", "1-0")
                .replace("[TimeControl", "[Termination \"time forfeit\"]\n[TimeControl"),
            game("Toy 1.0 no-lmr", "Toy 1.0", "", "1-0"),
            game("Toy 1.0", "Toy 1.0 no-lmr", &other, "1-0"),
            game("Toy 1.0 no-lmr", "Toy 1.0 no-null-move", &other, "1-0"),
            game("Toy 1.0", "Toy 1.0 no-lmr+null-move", &other, "*"),
            game("Toy 1.0", "Toy 1.0 no-lmr", "", "1-0").replace(" {book}", ""),
            // The null run, of which the first game was won by the first player and the second by the second.
            game("Toy 1.0", "Toy 1.0", fen, "1-0"),
            game("Toy 1.0", "Toy 1.0 full #2", fen, "1-0"),
        ]
        .concat();
        let elsewhere = read_of(&text).unwrap();
        let rows = |at: usize| -> Vec<(usize, &str, f64, &str)> {
            let rows = elsewhere.matches[at].1.rows.iter();
            rows.map(|row| (row.pair, row.first_side.as_str(), row.points, row.reason.as_str())).collect()
        };
        assert_eq!(
            elsewhere.matches.iter().map(|(methods, _)| methods.join("+")).collect::<Vec<_>>(),
            ["", "lmr", "null-move"]
        );
        assert_eq!(rows(0).iter().map(|row| row.2).collect::<Vec<_>>(), [1.0, 0.0]);
        assert_eq!(
            rows(1),
            [
                (1, "white", 1.0, "elsewhere"),
                (1, "black", 0.5, "elsewhere"),
                (2, "white", 1.0, "time"),
                (2, "black", 0.0, "elsewhere")
            ]
        );
        assert_eq!(rows(2), [(1, "white", 0.0, "elsewhere"), (1, "black", 1.0, "elsewhere")]);
        let file = &elsewhere.matches[1].1.file;
        assert_eq!((file.settings.limit.to_string().as_str(), file.distinct_openings), ("tc 8+0.08", 2));
        assert_eq!(
            elsewhere.account,
            "games.pgn: 12 games, 8 of them in pairs; left out: 1 in which both players lack something, 1 that do not say their \
             opening, by the tag FEN or moves with the comment `book`, 1 without a game of the same opening with colours reversed, \
             1 without a result"
        );
    }

    #[test]
    fn names_that_could_be_something_else_are_refused_with_the_nearest() {
        let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
        let refused = |text: &str| read_of(text).unwrap_err().to_string();
        let error = refused(&game("Toy", "Toy no-nul-move", fen, "1-0"));
        assert!(
            error.contains("games.pgn:1: Black: unknown method `nul-move`: did you mean `null-move`?"),
            "{error}"
        );
        let error = refused(&game("Toi", "Tou no-lmr", fen, "1-0"));
        assert!(
            error.contains("found players called `Toi`, `Tou`") && error.contains("did you mean `Toi`?"),
            "{error}"
        );
        // Of several the one that is called as the subject.
        let both = game("Toy", "Rival", fen, "1-0") + &game("toy", "Rival", fen, "1-0");
        assert!(refused(&both).contains("expected one program"));
        let elsewhere =
            read_of(&(game("Toy", "Rival", fen, "1-0") + &game("Toy", "Toy no-lmr", fen, "1-0"))).unwrap();
        assert!(
            elsewhere.matches.is_empty() && elsewhere.account.contains("1 of other programs"),
            "{}",
            elsewhere.account
        );
        let pair = |tc: &str, fen: &str| {
            let games = game("Toy", "Toy no-lmr", fen, "1-0") + &game("Toy no-lmr", "Toy", fen, "1-0");
            games.replace("8+0.08", tc)
        };
        let error = refused(&(pair("8+0.08", fen) + &pair("60+1", &fen.replace("4P3", "3P4"))));
        assert!(error.contains("time controls `60+1`, `8+0.08`, expected one"), "{error}");
        assert!(refused(&pair("40/60", fen)).contains("time control `40/60`"));
    }
}
