//! The opening lines that chess self-play starts from, so that games differ and look like games.

use secateur_core::Game;

/// The lines as text: one a line, `ECO name: moves`; `#` starts a comment.
const LINES: &str = include_str!("openings.txt");

/// Positions of each line from the start position to its end.
///
/// # Panics
/// If a line is illegal, which the tests rule out.
#[must_use]
pub fn lines<G: Game>(game: &G) -> Vec<Vec<G::Position>> {
    let start = game.start().expect("a game with openings says what it begins from");
    let line = |text: &str| {
        let mut played = vec![game.parse(&start).expect("the start position is legal")];
        let (_, moves) = text.split_once(':').expect("a name and a colon");
        for word in moves.split_whitespace() {
            let pos = played.last().expect("never empty");
            let mv = game.parse_move(pos, word).unwrap_or_else(|error| panic!("{text}: {word}: {error}"));
            played.push(game.play(pos, mv));
        }
        played
    };
    texts().map(line).collect()
}

/// Names of the lines, in the same order.
#[must_use]
pub fn names() -> Vec<&'static str> {
    texts().map(|text| text.split_once(':').map_or(text, |(name, _)| name)).collect()
}

fn texts() -> impl Iterator<Item = &'static str> {
    LINES.lines().filter(|text| !text.starts_with('#') && !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_core::Notation;
    use secateur_games::chess::Chess;
    use std::collections::BTreeSet;

    #[test]
    fn lines_are_legal_distinct_and_short() {
        let game = Chess::default();
        let lines = lines(&game);
        assert!(lines.len() >= 60);
        let ends: BTreeSet<String> = lines.iter().map(|line| game.canonical(&line[line.len() - 1])).collect();
        assert_eq!(ends.len(), lines.len(), "two lines lead to one position");
        assert!(lines.iter().all(|line| (7..=13).contains(&line.len())));
    }
}
