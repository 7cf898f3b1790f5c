//! A set while it is read: the entries so far, the ids that are taken, and what is wrong.

use crate::epd::Read;
use crate::error::{Error, Fault, Line, Result};
use crate::set::{Entry, Operation, Tally};
use crate::text::unquoted;
use secateur_core::Game;
use std::collections::BTreeMap;
use std::path::Path;

/// A set while it is read.
pub(crate) struct Heap<'a, G: Game> {
    pub(crate) game: &'a G,
    pub(crate) name: &'a str,
    pub(crate) path: &'a Path,
    pub(crate) entries: Vec<Entry>,
    /// The same as the game has them, parallel to `entries`.
    pub(crate) positions: Vec<G::Position>,
    /// How often each id was there.
    pub(crate) ids: BTreeMap<String, usize>,
    /// Ids that were there already: how many, the first, and what it is now.
    pub(crate) again: Option<(usize, String, String)>,
    /// What was read and left out, but for what is wrong.
    pub(crate) tally: Tally,
    /// What is wrong, in the order of the file.
    pub(crate) faults: Vec<Fault>,
}

impl<G: Game> Heap<'_, G> {
    /// Reads a text whose lines are positions, and puts wrong lines aside; anything else that is wrong ends the reading.
    pub(crate) fn read_lines(
        &mut self,
        text: &str,
        read: fn(&G, Line<'_>) -> Result<Option<Read<G>>>,
    ) -> Result<()> {
        for (number, text) in (1..).zip(text.lines()) {
            let line = Line { path: self.path, number, text };
            match read(self.game, line).and_then(|read| read.map_or(Ok(()), |read| self.add(line, read))) {
                Err(Error::Line(fault)) => self.faults.push(*fault),
                added => added?,
            }
        }
        Ok(())
    }

    /// Adds what a line says, unless the game is over there.
    fn add(&mut self, line: Line<'_>, read: Read<G>) -> Result<()> {
        if !playable(self.game, &read.position) {
            let start = line.text.len() - line.text.trim_start().len();
            return Err(line.expected(start, "a finished game", "a position with a legal move"));
        }
        let numbered = || format!("{}#{:04}", self.name, self.entries.len() + 1);
        let id = self.distinct(named(&read.operations, "id").unwrap_or_else(numbered));
        self.entries.push(Entry {
            position: self.game.format(&read.position),
            cluster: named(&read.operations, "cluster").unwrap_or_else(|| id.clone()),
            stage: self.game.label(&read.position),
            id,
            operations: read.operations,
            line: line.number,
        });
        self.positions.push(read.position);
        Ok(())
    }

    /// The id, with a number behind it if it was there already.
    fn distinct(&mut self, id: String) -> String {
        let Some(seen) = self.ids.get_mut(&id) else {
            self.ids.insert(id.clone(), 1);
            return id;
        };
        let mut number = *seen + 1;
        let now = loop {
            let now = format!("{id}#{number}");
            if !self.ids.contains_key(&now) {
                break now;
            }
            number += 1;
        };
        self.ids.insert(id.clone(), number);
        self.ids.insert(now.clone(), 1);
        let (count, ..) = self.again.get_or_insert_with(|| (0, id, now.clone()));
        *count += 1;
        now
    }
}

/// Whether there is a move.
pub(crate) fn playable<G: Game>(game: &G, position: &G::Position) -> bool {
    let mut moves = secateur_core::Moves::<G>::new();
    game.moves(position, &mut moves);
    !moves.is_empty()
}

/// The operand of a naming operation, if it is there and not empty.
fn named(operations: &[Operation], code: &str) -> Option<String> {
    let operation = operations.iter().find(|operation| operation.code == code)?;
    Some(unquoted(&operation.operands).into_owned()).filter(|name| !name.is_empty())
}
