//! The oracle: a deeper full-width search that says what a chosen move loses.
//!
//! Source: Junghanns, Schaeffer, Brockington, Björnsson & Marsland 1997, proposed for this question by Jiang & Buro 2003,
//! section 5. Regret is the oracle's value of its own best move less its value of the chosen one. The oracle is `none`
//! some plies deeper than the runs it judges, or exact where a game can solve the position. Its values are kept in a
//! book by position, and never searched twice. Left out: an oracle that prunes, which would favour its own kind.

mod book;

pub use book::Book;

use crate::allowance::Allowance;
use book::{Row, program};
use secateur_core::search::{AnySearch, Budget, Methods, Options, Searcher};
use secateur_core::{Depth, Game, Score};
use secateur_positions::Fnv;
use serde::{Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// How deep the oracle looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Oracle {
    /// So many plies deeper than a fixed depth.
    Deeper(u32),
    /// So many plies.
    Depth(u32),
}

impl Oracle {
    /// Depth of the oracle for searches with this budget, plies; `None` if the budget names no depth to be deeper than.
    #[must_use]
    pub fn depth(self, allowance: Allowance) -> Option<u32> {
        match (self, allowance) {
            (Oracle::Depth(depth), _) => Some(depth),
            (Oracle::Deeper(plies), Allowance::Depth(depth)) => Some(depth + plies),
            (Oracle::Deeper(_), _) => None,
        }
    }
}

impl fmt::Display for Oracle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Oracle::Deeper(plies) => write!(f, "+{plies}"),
            Oracle::Depth(depth) => write!(f, "{depth}"),
        }
    }
}

impl Serialize for Oracle {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl FromStr for Oracle {
    type Err = String;

    fn from_str(text: &str) -> Result<Oracle, String> {
        let wrong =
            || format!("found the oracle `{text}`, expected plies deeper (`+2`) or a depth (`12`), 1 to 64");
        let (number, make): (&str, fn(u32) -> Oracle) = match text.strip_prefix('+') {
            Some(plies) => (plies, Oracle::Deeper),
            None => (text, Oracle::Depth),
        };
        let plies = number.parse::<u32>().ok().filter(|plies| (1..=64).contains(plies));
        plies.map(make).ok_or_else(wrong)
    }
}

/// The oracle of one thread and game.
pub struct Judge<'b, G: Game> {
    book: &'b Book,
    search: Searcher<'static, G>,
    id: String,
}

/// Table of the oracle's search, MiB: it looks deeper than the runs it judges, and no value depends on the size.
const TABLE_MIB: usize = 64;

impl<'b, G: Game> Judge<'b, G> {
    /// An oracle with the host options of the runs that it judges.
    #[must_use]
    pub fn new(game: G, options: &Options, book: &'b Book) -> Judge<'b, G> {
        let mut fnv = Fnv::default();
        fnv.field(&format!("{:016x}", game.evaluation_id()));
        fnv.field(&toml::to_string(options).expect("options have a TOML form"));
        let options = Options { table_mib: options.table_mib.max(TABLE_MIB), ..options.clone() };
        Judge { book, id: fnv.hex(), search: game.searcher(Methods::None, options) }
    }

    /// What the move `mv` of a position loses, in the game's score unit, judged at `depth` plies; `None` if the move cannot
    /// be read. A position comes as it is written, which the book knows it by, and as the game has it.
    pub fn regret(&mut self, (text, root): (&str, &G::Position), depth: u32, mv: &str) -> Option<i32> {
        let chosen = self.search.game().parse_move(root, mv).ok()?;
        let depth = if self.search.game().is_solvable(root) { 0 } else { depth };
        let mut fnv = Fnv::default();
        let position = fnv.field(text).hex();
        let best = self.value(&position, depth, "", |search| match search.game().solved(root) {
            Some(score) => (score, 0),
            None => {
                let outcome = search.run(root, &Budget::Depth(depth as i32));
                (outcome.last().score, outcome.tally.nodes)
            }
        });
        let own = self.value(&position, depth, mv, |search| {
            let solved =
                (depth == 0).then(|| search.game().solved(&search.game().play(root, chosen))).flatten();
            match solved {
                Some(score) => (-score, 0),
                None => search.move_value(root, chosen, Depth(depth as i32)),
            }
        });
        Some(best - own)
    }

    fn value(
        &mut self,
        position: &str,
        depth: u32,
        mv: &str,
        search: impl FnOnce(&mut dyn AnySearch<G>) -> (Score, u64),
    ) -> i32 {
        let mut row = Row {
            game: self.search.game().name().to_owned(),
            oracle: self.id.clone(),
            program: program().to_owned(),
            position: position.to_owned(),
            depth,
            mv: mv.to_owned(),
            ..Row::default()
        };
        if let Some(value) = self.book.get(&row.key()) {
            return value;
        }
        let (score, nodes) = search(self.search.as_mut());
        (row.value, row.nodes) = (score.0, nodes);
        let value = row.value;
        self.book.put(row);
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_core::search::minimax;
    use secateur_core::{Moves, Notation, Rules};
    use secateur_games::othello::Othello;

    #[test]
    fn oracles_are_read_as_written() {
        for text in ["+2", "12"] {
            assert_eq!(text.parse::<Oracle>().unwrap().to_string(), text);
        }
        for wrong in ["", "+", "+0", "0", "65", "2.5", "-1"] {
            assert!(wrong.parse::<Oracle>().is_err(), "{wrong}");
        }
        assert_eq!(Oracle::Deeper(2).depth(Allowance::Depth(8)), Some(10));
        assert_eq!(Oracle::Deeper(2).depth(Allowance::Nodes(8)), None);
    }

    /// Every move loses what plain minimax says; asked again, nothing is searched.
    #[test]
    fn regret_is_that_of_minimax_and_searched_once() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("oracle.csv");
        let game = Othello::default();
        let start = "---------------------------OX------XO--------------------------- X";
        let mut root = game.parse(start).unwrap();
        for mv in ["d3", "c5", "d6"] {
            root = game.play(&root, game.parse_move(&root, mv).unwrap());
        }
        let position = game.format(&root);
        let mut moves = Moves::<Othello>::new();
        game.moves(&root, &mut moves);
        let best = minimax(&game, &root, Depth(4)).0;
        let mut losses = Vec::new();
        for round in 0..2 {
            let book = Book::open(&path);
            let mut judge = Judge::new(game.clone(), &Options::default(), &book);
            for scored in &moves {
                let text = game.format_move(&root, scored.mv);
                let own = -minimax(&game, &game.play(&root, scored.mv), Depth(3)).0;
                let regret = judge.regret((&position, &root), 4, &text).unwrap();
                assert_eq!(regret, best - own, "{text}");
                losses.push(regret);
            }
            let searched = if round == 0 { moves.len() as u64 + 1 } else { 0 };
            assert_eq!(book.used().1, searched);
        }
        assert!(losses.contains(&0) && losses.iter().any(|loss| *loss > 0));
    }

    /// Near the end the oracle is exact, whatever depth it is asked for.
    #[test]
    fn near_the_end_the_oracle_is_exact() {
        let dir = tempfile::tempdir().unwrap();
        let book = Book::open(&dir.path().join("oracle.csv"));
        let game = Othello::default();
        // Six empty squares, white to move.
        let text = "XXXXXXXOXXXXXXOOXXXXXOXOXXXXOXXOXXXOXXXOXXOXXXXO--OOOOOO----OOOO X";
        let root = game.parse(text).unwrap();
        let mut judge = Judge::new(game.clone(), &Options::default(), &book);
        let mut moves = Moves::<Othello>::new();
        game.moves(&root, &mut moves);
        let exact = minimax(&game, &root, Depth(6)).0;
        for scored in &moves {
            let child = game.play(&root, scored.mv);
            let own = -minimax(&game, &child, Depth(6)).0;
            let regret = judge.regret((text, &root), 1, &game.format_move(&root, scored.mv));
            assert_eq!(regret, Some(exact - own));
        }
        assert!(moves.len() > 1);
    }
}
