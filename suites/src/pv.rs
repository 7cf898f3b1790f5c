//! Whether a principal variation can be true: legal moves, long enough, or short for a reason.

use secateur_core::{Game, Moves};

/// What a replay of a line found, in the words of the record.
///
/// `ok`: legal, and at least `depth` plies long. `ok:terminal`, `ok:repetition`: shorter because the game, or
/// a rule of the game, ends it. `illegal`: a move of the line does not exist. `short`: for no reason.
#[must_use]
pub fn verdict<G: Game>(game: &G, root: &G::Position, line: &[G::Move], depth: i32) -> &'static str {
    let mut pos = root.clone();
    let mut keys = Vec::new();
    let mut plies = 0;
    for &mv in line {
        if !legal(game, &pos).iter().any(|scored| scored.mv == mv) {
            return "illegal";
        }
        keys.push(game.key(&pos));
        pos = game.play(&pos, mv);
        plies += game.plies(mv);
    }
    if plies >= depth {
        "ok"
    } else if legal(game, &pos).is_empty() {
        "ok:terminal"
    } else if G::REPETITION && !line.is_empty() && game.drawn(&pos, &keys) {
        "ok:repetition"
    } else {
        "short"
    }
}

fn legal<G: Game>(game: &G, pos: &G::Position) -> Moves<G> {
    let mut moves = Moves::<G>::new();
    game.moves(pos, &mut moves);
    moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_core::game::chess::Chess;
    use secateur_core::game::othello::Othello;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    fn chess(fen: &str, moves: &str, depth: i32) -> &'static str {
        let game = Chess::default();
        let root = game.parse(fen).unwrap();
        let mut pos = root.clone();
        let mut line = Vec::new();
        for text in moves.split_whitespace() {
            line.push(game.parse_move(&pos, text).unwrap());
            pos = game.play(&pos, *line.last().unwrap());
        }
        verdict(&game, &root, &line, depth)
    }

    #[test]
    fn lines_are_long_enough_or_end_for_a_reason() {
        assert_eq!(chess(START, "e2e4 e7e5 g1f3", 3), "ok");
        assert_eq!(chess(START, "e2e4 e7e5 g1f3", 2), "ok", "an extension makes lines longer");
        assert_eq!(chess(START, "e2e4 e7e5 g1f3", 4), "short");
        assert_eq!(chess(START, "", 1), "short");
        assert_eq!(chess(START, "f2f3 e7e5 g2g4 d8h4", 6), "ok:terminal");
        assert_eq!(chess(START, "g1f3 g8f6 f3g1 f6g8", 6), "ok:repetition");
        assert_eq!(chess("8/8/8/8/8/5k2/R7/5K2 w - - 99 90", "a2a3", 3), "ok:repetition");
    }

    #[test]
    fn moves_of_another_position_are_illegal() {
        let game = Chess::default();
        let root = game.parse(START).unwrap();
        let mv = game.parse_move(&root, "e2e4").unwrap();
        assert_eq!(verdict(&game, &root, &[mv, mv], 2), "illegal");
    }

    #[test]
    fn a_forced_pass_is_no_ply() {
        let game = Othello::default();
        // White has no move: black's disc row leaves it nothing to flip until black moves again.
        let root = game.parse("XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXO-- X").unwrap();
        let moves = legal(&game, &root);
        assert_eq!(moves.len(), 1);
        let mv = moves[0].mv;
        assert!(matches!(verdict(&game, &root, &[mv], 1), "ok"));
    }
}
