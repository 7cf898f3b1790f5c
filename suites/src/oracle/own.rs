//! Our own search as an oracle: at full width, some plies deeper than the runs it judges, or exact where a game can solve the
//! position.

use super::book::{Book, Row, program};
use crate::cell::said;
use secateur_core::prune::Methods;
use secateur_core::search::{AnySearch, Budget, Options, Searcher};
use secateur_core::{Depth, Game, Score};
use secateur_positions::Fnv;
use std::convert::Infallible;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The oracle of one thread and game.
pub(crate) struct Judge<'b, G: Game> {
    book: &'b Book,
    search: Searcher<'static, G>,
    id: String,
}

/// Table of the oracle's search, MiB: it looks deeper than the runs it judges, and no value depends on the size.
const TABLE_MIB: usize = 64;

impl<'b, G: Game> Judge<'b, G> {
    /// An oracle with the host options of the runs that it judges.
    #[must_use]
    pub(crate) fn new(game: G, options: &Options, book: &'b Book) -> Judge<'b, G> {
        let mut fnv = Fnv::default();
        fnv.field(&format!("{:016x}", game.evaluation_id()));
        fnv.field(&toml::to_string(options).expect("options have a TOML form"));
        let options = Options { table_mib: options.table_mib.max(TABLE_MIB), ..options.clone() };
        Judge { book, id: fnv.hex(), search: game.searcher(Methods::NONE, options) }
    }

    /// What the move `mv` of a position loses, in the game's score unit, judged at `depth` plies; `None` if the move cannot
    /// be read. A position comes as it is written, which the book knows it by, and as the game has it.
    pub(crate) fn regret(&mut self, (text, root): (&str, &G::Position), depth: u32, mv: &str) -> Option<i32> {
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
        let value = self.value(&position, depth, mv, |search| {
            let solved =
                (depth == 0).then(|| search.game().solved(&search.game().play(root, chosen))).flatten();
            match solved {
                Some(score) => (-score, 0),
                None => search.move_value(root, chosen, Depth(depth as i32)),
            }
        });
        Some(best - value)
    }

    /// The same; a search that panics costs this judgement only.
    pub(crate) fn judged(
        &mut self,
        at: (&str, &G::Position),
        depth: u32,
        mv: &str,
    ) -> Result<Option<i32>, String> {
        catch_unwind(AssertUnwindSafe(|| self.regret(at, depth, mv)))
            .map_err(|panic| format!("panic: {}", said(&*panic)))
    }

    fn value(
        &mut self,
        position: &str,
        depth: u32,
        mv: &str,
        search: impl FnOnce(&mut dyn AnySearch<G>) -> (Score, u64),
    ) -> i32 {
        let row = Row {
            game: self.search.game().name().to_owned(),
            oracle: self.id.clone(),
            program: program().to_owned(),
            position: position.to_owned(),
            depth,
            mv: mv.to_owned(),
            ..Row::default()
        };
        let Ok(value) = self.book.value::<Infallible>(row, |mut row| {
            let (score, nodes) = search(self.search.as_mut());
            (row.value, row.nodes) = (score.0, nodes);
            Ok(vec![row])
        });
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_core::search::minimax;
    use secateur_core::{Moves, Notation, Rules};
    use secateur_games::othello::Othello;

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
                let value = -minimax(&game, &game.play(&root, scored.mv), Depth(3)).0;
                let regret = judge.regret((&position, &root), 4, &text).unwrap();
                assert_eq!(regret, best - value, "{text}");
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
            let value = -minimax(&game, &child, Depth(6)).0;
            let regret = judge.regret((text, &root), 1, &game.format_move(&root, scored.mv));
            assert_eq!(regret, Some(exact - value));
        }
        assert!(moves.len() > 1);
    }
}
