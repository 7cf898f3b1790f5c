//! What is understood of lines that an engine said, without an engine: for whoever tests the readers.

use super::client::{Client, Wishes};
use super::info::Answer;
use super::number::{Unread, plain};
use super::observed::Observed;
use super::options::Advertised;
use super::uci::{Uci, setoption};
use super::{EngineError, manners};
use std::time::Duration;

/// What a search told with these lines; the move is a null move.
///
/// # Errors
/// The first number that cannot be read.
pub fn answer<'l>(lines: impl IntoIterator<Item = &'l str>) -> Result<Answer, Unread> {
    let (mut client, mut observed) = (Uci::default(), Observed::default());
    for line in lines {
        let line = plain(line);
        observed.count(&line);
        client.observe(&line, &mut observed);
    }
    let (answer, unread) = observed.answer(Ok("0000".to_owned()), Duration::ZERO, None);
    unread.map_or(Ok(answer), Err)
}

/// The commands that would set the usual options and `wanted` ones of an engine that introduced itself with these lines.
///
/// # Errors
/// An option that it does not have, or a value that it does not take.
pub fn settings<'l>(
    lines: impl IntoIterator<Item = &'l str>,
    wanted: &[(String, String)],
) -> Result<Vec<String>, EngineError> {
    let mut advertised = Advertised::default();
    lines.into_iter().for_each(|line| advertised.observe(&plain(line)));
    let (name, defaults) = ("engine", manners(16));
    let settings =
        advertised.settings(&Wishes { name, wanted, defaults: &defaults, table_is_asked: false })?;
    Ok(settings.iter().map(setoption).collect())
}
