//! USI, the Universal Shogi Interface (T. Romstad, "The Universal Shogi Interface, draft 1", 2007, which is UCI for shogi), as the
//! board program Shogidokoro extended it.
//!
//! It is a [`Dialect`] of UCI: other greetings, SFEN, moves with drops, black before white, and a mate in plies, which may have
//! no length. The time for a move is sent as `movetime`, as the draft has it; programs that know the words of Shogidokoro only
//! hang then and get it as byoyomi, where the option `Byoyomi` of this client is `true`. A program is asked whether it is
//! ready before a game and never within one, as Shogidokoro asks: YaneuraOu empties its table then and goes back to the first
//! position. Left out: pondering, `go mate`, `gameover`. A program may resign (`bestmove resign`) and declare a win (`bestmove
//! win`); whether the rules give it one is for the caller.

use super::number::signed;
use super::options::Kind;
use super::uci::{Dialect, Uci, limited};
use crate::observed::{Bound, EngineScore};

/// Moves to a mate whose length a program does not say: more than searches find, so that any length that a program says is shorter.
const UNTOLD: i32 = 128;

static USI: Dialect = Dialect {
    hello: "usi",
    ok: "usiok",
    new_game: "usinewgame",
    position: "sfen",
    players: ['b', 'w'],
    // Shogidokoro sets both whatever a program says.
    assumed: &[
        ("USI_Hash", Kind::Spin { min: 1, max: 1 << 20 }, "Hash"),
        ("USI_Ponder", Kind::Check, "Ponder"),
    ],
    byoyomi: Some("Byoyomi"),
    ready_only_asks: false,
    mv: |text| is_move(text).then(|| text.to_owned()),
    mate,
    such: "7g7f, 8h2b+ or P*5e",
};

/// A program that speaks USI.
pub(super) fn client() -> Uci {
    Uci::new(&USI)
}

/// Whether this is how USI writes a move: two squares and whether the piece promotes, or a piece that is dropped.
fn is_move(text: &str) -> bool {
    let square = |file: u8, rank: u8| matches!((file, rank), (b'1'..=b'9', b'a'..=b'i'));
    match *text.as_bytes() {
        [piece, b'*', file, rank] => b"PLNSGBR".contains(&piece) && square(file, rank),
        [a, b, c, d] | [a, b, c, d, b'+'] => square(a, b) && square(c, d),
        _ => false,
    }
}

/// A mate in so many plies, or one that is only known to be there: a bound.
fn mate(word: &str) -> Result<(EngineScore, Bound), &'static str> {
    match word {
        "+" => Ok((EngineScore::Mate(UNTOLD), Bound::Lower)),
        "-" => Ok((EngineScore::Mate(-UNTOLD), Bound::Upper)),
        // Who mates has the last ply.
        _ => signed(word).map(|plies| {
            let moves = if plies > 0 { plies / 2 + plies % 2 } else { plies / 2 };
            (EngineScore::Mate(limited(moves)), Bound::Exact)
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::super::client::{Client, Said};
    use super::super::observed::Observed;
    use super::super::{Act, Ask, Go};
    use super::*;
    use std::time::Duration;

    #[test]
    fn moves_look_like_moves() {
        for text in ["7g7f", "8h2b+", "P*5e", "1a9i", "R*1i"] {
            assert!(is_move(text), "{text}");
        }
        for text in
            ["", "7g", "0g7f", "7g7j", "7g7f=", "K*5e", "p*5e", "P*5e+", "e2e4", "7g7f++", "win", "\u{e9}7f"]
        {
            assert!(!is_move(text), "{text}");
        }
    }

    #[test]
    fn a_mate_is_told_in_plies_and_may_have_no_length() {
        let mut scores = Vec::new();
        for word in ["1", "3", "5", "-2", "-4", "0", "-0", "+", "-", "x", "2147483647", "-2147483648"] {
            let (mut client, mut observed) = (client(), Observed::default());
            let line = format!("info depth 5 score mate {word} nodes 7 pv P*5e 8h2b+ e2e4 7g7f");
            assert_eq!(client.observe(&line, &mut observed), None);
            let (answer, unread) = observed.answer(Ok("7g7f".to_owned()), Duration::ZERO, None);
            if unread.is_some() {
                scores.push(None);
                continue;
            }
            assert_eq!(answer.infos[0].pv, ["P*5e", "8h2b+"], "a move of chess ends the line");
            scores.push(answer.last().map(|info| (info.score, info.bound)));
        }
        let exact = |moves| Some((Some(EngineScore::Mate(moves)), Bound::Exact));
        let untold = |moves, bound| Some((Some(EngineScore::Mate(moves)), bound));
        let expected = [
            exact(1),
            exact(2),
            exact(3),
            exact(-1),
            exact(-2),
            exact(0),
            exact(0),
            untold(UNTOLD, Bound::Lower),
            untold(-UNTOLD, Bound::Upper),
            None,
            exact(1 << 30),
            exact(-(1 << 30)),
        ];
        assert_eq!(scores, expected);
    }

    #[test]
    fn an_answer_is_a_move_a_resignation_a_claim_or_nothing() {
        let ends = |line: &str| client().observe(line, &mut Observed::default());
        assert_eq!(ends("bestmove 8h2b+ ponder 3a2b"), Some(Said::Move("8h2b+".to_owned())));
        for nothing in ["bestmove (none)", "bestmove"] {
            assert_eq!(ends(nothing), Some(Said::Nothing), "{nothing}");
        }
        assert_eq!(ends("bestmove resign"), Some(Said::Instead(Act::Resigns)));
        assert_eq!(ends("bestmove win"), Some(Said::Instead(Act::ClaimsWin)));
        assert_eq!(ends("bestmove e2e4"), Some(Said::Nonsense("e2e4".to_owned())));
    }

    #[test]
    fn black_comes_first_on_the_clock() {
        let clock = Go::Clock {
            time: [Duration::from_secs(2), Duration::from_secs(1)],
            increment: [Duration::from_millis(20), Duration::ZERO],
            moves_to_go: None,
        };
        assert_eq!(client().go(&Ask::new("", clock)), "go btime 2000 wtime 1000 binc 20 winc 0");
    }
}
