//! Several programs and method sets next to each other, as `bench --subject a,b` asks for them.

use crate::cli::failure::Failure;
use secateur_base::program::name;
use secateur_suites::lineup::{Arm, EngineArm, HASH_MIB, Lineup, OwnArm, PATIENCE, POSITIONS, SUITE};
use secateur_suites::program::Program;
use secateur_suites::setups::arm::split;
use secateur_suites::suite::Allowance;
use std::path::Path;

/// The lineup of these subjects and commands, and of method sets of ours behind them.
pub fn lineup_of(subjects: &[String], methods: Option<&str>, budget: Allowance) -> Result<Lineup, Failure> {
    let mut arms = Vec::new();
    let mut games: Vec<String> = Vec::new();
    for text in subjects {
        let (arm, game) = engine(text)?;
        if let Some(other) = games.iter().find(|other| **other != game) {
            return Err(Failure::input(format!(
                "--subject {text}: found a subject of {game} next to one of {other}, expected one game at a time"
            )));
        }
        games.push(game);
        arms.push(Arm::Engine(arm));
    }
    let own_arm = |methods: &str| Arm::Own(OwnArm { methods: methods.to_owned(), ..OwnArm::default() });
    arms.extend(methods.into_iter().flat_map(|list| split(list, ',')).map(own_arm));
    let patience = Allowance::time(PATIENCE).map_err(Failure::input)?;
    Ok(Lineup {
        name: SUITE.to_owned(),
        game: games.into_iter().next().unwrap_or_else(|| CHESS.to_owned()),
        positions: POSITIONS.to_owned(),
        limit: None,
        reading: Default::default(),
        budget_kind: budget.kind().to_string(),
        budget: budget.amount(),
        repeats: 1,
        hash_mib: HASH_MIB,
        patience_ms: patience.amount() / 1_000_000,
        params: None,
        arms,
    })
}

/// The game of commands.
const CHESS: &str = "chess";

/// The subjects of a list: `toga2,mine.toml:none`. A command with options is one by itself: it may hold commas.
pub fn listed(texts: &[String]) -> Vec<String> {
    let entries = |text: &String| match text.contains(';') {
        true => vec![text.clone()],
        false => split(text, ',').into_iter().map(|word| word.trim().to_owned()).collect(),
    };
    texts.iter().flat_map(entries).collect()
}

/// A subject file and one of its arms, `toga2:none`, or a command with its options, `toga2;NullMove Pruning=Never`; with its game.
fn engine(text: &str) -> Result<(EngineArm, String), Failure> {
    let (subject, switching) = text.split_once(':').unwrap_or((text, "full"));
    if Program::is_subject(subject) {
        let program = Program::load(subject)?;
        let switching = program.arm(switching)?.name;
        let arm = EngineArm {
            subject: Program::lasting(subject, Path::new("")),
            switching,
            ..EngineArm::default()
        };
        return Ok((arm, program.game));
    }
    let mut parts = split(text, ';').into_iter();
    let mut arguments = parts.next().unwrap_or_default().split_whitespace().map(str::to_owned);
    let command = arguments.next().ok_or_else(|| {
        Failure::input(format!(
            "--subject needs a program: a subject file, a name that `{} list subjects` prints, or a command",
            name()
        ))
    })?;
    let command = match std::path::absolute(&command) {
        Ok(path) if command.contains('/') => path.display().to_string(),
        _ => command,
    };
    let mut options = Vec::new();
    for option in parts {
        let Some((name, value)) = option.split_once('=') else {
            return Err(Failure::input(format!("--subject {text}: found `{option}`, expected NAME=VALUE")));
        };
        options.push((name.trim().to_owned(), value.trim().to_owned()));
    }
    Ok((EngineArm { command, args: arguments.collect(), options, ..EngineArm::default() }, CHESS.to_owned()))
}

/// A file by its full path, so that a run can be resumed from another folder; a name as it is.
pub fn lasting(name_or_path: &str) -> String {
    let path = std::path::Path::new(name_or_path);
    match path.extension().map(|_| std::path::absolute(path)) {
        Some(Ok(path)) => path.display().to_string(),
        _ => name_or_path.to_owned(),
    }
}
