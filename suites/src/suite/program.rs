//! The part of a suite's block that names another program and its arms.

use super::file::BlockFile;
use crate::place::Place;
use crate::program::{Program, ProgramArms, combinations};
use secateur_positions::Fault;
use toml::Spanned;

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
