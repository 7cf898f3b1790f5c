//! A game whose type is known only when the program runs.
//!
//! [`AnyGame`] is a [`Game`] like any other, so whatever is written for games works for one of another crate without being
//! compiled for it. Its positions are pointers and its calls go through a table of functions, far too slow for nodes of a
//! search: its searcher is the one that the game itself was compiled with ([`Game::searcher`]), and only roots, lines and
//! answers pass through here. The compiler rejects a constant of it (`AnyGame::NAME`)
//! in place of the function (`name()`).

use super::{
    Chance, Ending, Evaluation, Force, Game, Has, Hints, Meter, Moves, Notation, Outcomes, ParseError, Rules,
    Scored, Transcript, Unit,
};
use crate::prune::Methods;
use crate::score::{Score, Window};
use crate::search::{Options, Searcher, erased};
use std::any::Any;
use std::fmt::{self, Debug};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A position of whichever game. Cheap to copy.
#[derive(Clone)]
pub struct AnyPosition(Arc<dyn Held>);

/// A move of whichever game: [`Rules::pack`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AnyMove(pub u16);

/// What is behind an [`AnyPosition`].
trait Held: Any + Debug + Send + Sync {
    fn is(&self, other: &dyn Any) -> bool;
}

impl<P: Any + Debug + PartialEq + Send + Sync> Held for P {
    fn is(&self, other: &dyn Any) -> bool {
        other.downcast_ref::<P>().is_some_and(|other| other == self)
    }
}

impl AnyPosition {
    /// A position of a game.
    pub(crate) fn new<P: Any + Debug + PartialEq + Send + Sync>(pos: P) -> AnyPosition {
        AnyPosition(Arc::new(pos))
    }

    /// The position as the game has it.
    ///
    /// # Panics
    /// For a position of another game.
    pub(crate) fn of<P: Any>(&self) -> &P {
        (&*self.0 as &dyn Any).downcast_ref().expect("a position of the game that is asked")
    }
}

impl Debug for AnyPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl PartialEq for AnyPosition {
    fn eq(&self, other: &AnyPosition) -> bool {
        self.0.is(&*other.0)
    }
}

/// A game of any type, with its evaluation.
pub struct AnyGame(Arc<dyn Erased>);

impl AnyGame {
    /// A game.
    pub fn of<G: Game>(game: G) -> AnyGame {
        AnyGame(Arc::new(Typed(Mutex::new(game))))
    }
}

impl Clone for AnyGame {
    fn clone(&self) -> AnyGame {
        AnyGame(Arc::clone(&self.0))
    }
}

impl Debug for AnyGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AnyGame").field(&self.0.name()).finish()
    }
}

/// A game of known type. It may keep caches of its own, and everybody asks this one.
struct Typed<G>(Mutex<G>);

macro_rules! erased {
    ($($name:ident {
        of the game { $(fn $plain:ident($($arg:ident: $type:ty),*) -> $out:ty;)* }
        of a position { $(fn $at:ident(pos $(, $at_arg:ident: $at_type:ty)*) -> $at_out:ty;)* }
        of a move { $(fn $made:ident(pos, mv) -> $made_out:ty;)* }
        by $game:ident { $(fn $by:ident($($by_arg:ident: $by_type:ty),*) -> $by_out:ty $by_body:block)* }
        and { $($more:tt)* }
    })+) => {
        /// [`Game`] without its types and constants.
        trait Erased: Send + Sync {
            $(
                $(fn $plain(&self, $($arg: $type),*) -> $out;)*
                $(fn $at(&self, pos: &AnyPosition $(, $at_arg: $at_type)*) -> $at_out;)*
                $(fn $made(&self, pos: &AnyPosition, mv: AnyMove) -> $made_out;)*
                $(fn $by(&self, $($by_arg: $by_type),*) -> $by_out;)*
            )+
            fn searcher<'p>(&self, any: AnyGame, methods: &'p Methods, options: Options) -> Searcher<'p, AnyGame>;
        }

        impl<G: Game> Erased for Typed<G> {
            $(
                $(fn $plain(&self, $($arg: $type),*) -> $out { self.game().$plain($($arg),*) })*
                $(fn $at(&self, pos: &AnyPosition $(, $at_arg: $at_type)*) -> $at_out {
                    self.game().$at(pos.of() $(, $at_arg)*)
                })*
                $(fn $made(&self, pos: &AnyPosition, mv: AnyMove) -> $made_out {
                    let game = self.game();
                    game.$made(pos.of(), game.unpack(mv.0))
                })*
                $(fn $by(&self, $($by_arg: $by_type),*) -> $by_out {
                    let $game = &*self.game();
                    $by_body
                })*
            )+
            fn searcher<'p>(&self, any: AnyGame, methods: &'p Methods, options: Options) -> Searcher<'p, AnyGame> {
                let game = self.game().clone();
                erased(game, any, methods, options)
            }
        }

        $(
            impl $name for AnyGame {
                $($more)*
                $(fn $plain(&self, $($arg: $type),*) -> $out { self.0.$plain($($arg),*) })*
                $(fn $at(&self, pos: &AnyPosition $(, $at_arg: $at_type)*) -> $at_out {
                    self.0.$at(pos $(, $at_arg)*)
                })*
                $(fn $made(&self, pos: &AnyPosition, mv: AnyMove) -> $made_out { self.0.$made(pos, mv) })*
                $(fn $by(&self, $($by_arg: $by_type),*) -> $by_out { self.0.$by($($by_arg),*) })*
            }
        )+
    };
}

// Each trait by how its functions are carried over; `by game` says it of those that go by no rule, and `and` is what is not carried. Nothing here is known to the
// compiler: the functions say it, and a constant stops the compiler where it is used.
erased! {
    Rules {
        of the game {
            fn repeats() -> bool;
            fn chances() -> bool;
        }
        of a position {
            fn awaits(pos) -> bool;
            fn key(pos) -> u64;
            fn side(pos) -> usize;
            fn in_check(pos) -> bool;
            fn remaining(pos) -> Option<i32>;
            fn outcome(pos, ply: u32) -> Score;
            fn drawn(pos, keys: &[u64]) -> bool;
            fn ending(pos, seen: usize) -> Option<Ending>;
            fn points(pos) -> Option<[i32; 2]>;
        }
        of a move {
            fn gives_check(pos, mv) -> bool;
        }
        by game {
            fn moves(pos: &AnyPosition, moves: &mut Moves<AnyGame>) -> () {
                let mut typed = Moves::<G>::new();
                game.moves(pos.of(), &mut typed);
                moves.extend(typed.iter().map(|scored| packed(game, scored)));
            }
            fn play(pos: &AnyPosition, mv: AnyMove) -> AnyPosition {
                AnyPosition::new(game.play(pos.of(), game.unpack(mv.0)))
            }
            fn outcomes(pos: &AnyPosition, outcomes: &mut Outcomes<AnyGame>) -> () {
                let mut typed = Outcomes::<G>::new();
                game.outcomes(pos.of(), &mut typed);
                let carried = |outcome: Chance<G::Position>| Chance { weight: outcome.weight, pos: AnyPosition::new(outcome.pos) };
                outcomes.extend(typed.into_iter().map(carried));
            }
            fn unthrown(pos: &AnyPosition) -> Option<AnyPosition> { game.unthrown(pos.of()).map(AnyPosition::new) }
            fn null(pos: &AnyPosition) -> Option<AnyPosition> { game.null(pos.of()).map(AnyPosition::new) }
            fn mirror(pos: &AnyPosition) -> AnyPosition { AnyPosition::new(game.mirror(pos.of())) }
            fn plies(mv: AnyMove) -> i32 { game.plies(game.unpack(mv.0)) }
        }
        and {
            type Position = AnyPosition;
            type Move = AnyMove;

            const REPETITION: bool = panic!("whether a game of any type repeats says `repeats()`");
            const CHANCE: bool = panic!("whether a game of any type knows chance says `chances()`");

            fn pack(&self, mv: AnyMove) -> u16 {
                mv.0
            }
            fn unpack(&self, bits: u16) -> AnyMove {
                AnyMove(bits)
            }
        }
    }
    Notation {
        of the game {
            fn unit() -> Unit;
            fn sides() -> [&'static str; 2];
            fn transcript() -> Transcript;
            fn start() -> Option<String>;
            fn layout(below: &mut dyn FnMut(u32) -> u32) -> Option<String>;
        }
        of a position {
            fn dice(pos) -> Option<String>;
            fn format(pos) -> String;
            fn canonical(pos) -> String;
            fn identity(pos) -> String;
        }
        of a move {
            fn format_move(pos, mv) -> String;
            fn shown(pos, mv) -> String;
        }
        by game {
            fn parse(text: &str) -> Result<AnyPosition, ParseError> { game.parse(text).map(AnyPosition::new) }
            fn parse_move(pos: &AnyPosition, text: &str) -> Result<AnyMove, ParseError> {
                game.parse_move(pos.of(), text).map(|mv| AnyMove(game.pack(mv)))
            }
        }
        and {
            const UNIT: Unit = panic!("the unit of a game of any type is `unit()`");
        }
    }
    Evaluation {
        of the game {
            fn stages() -> &'static [&'static str];
            fn recurring() -> usize;
            fn decisive() -> Score;
            fn evaluation_id() -> u64;
            fn attainable(ply: u32) -> Window;
        }
        of a position {
            fn stage(pos) -> usize;
            fn label(pos) -> String;
            fn evaluate(pos) -> Score;
            fn balance(pos) -> Score;
            fn horizon(pos, window: Window, ply: u32, meter: &mut Meter) -> Score;
            fn is_reserved(pos) -> bool;
            fn is_solvable(pos) -> bool;
            fn solved(pos) -> Option<Score>;
            fn null_plausible(pos) -> bool;
            fn force(pos, of_mover: bool) -> Force;
        }
        of a move {
            fn tactical(pos, mv) -> bool;
            fn gain(pos, mv) -> Score;
            fn exchange(pos, mv) -> Score;
            fn history_index(pos, mv) -> usize;
        }
        by game {
            fn order(pos: &AnyPosition, hints: &Hints<'_, AnyMove>, moves: &mut Moves<AnyGame>) -> () {
                let unpacked = |mv: Option<AnyMove>| mv.map(|mv| game.unpack(mv.0));
                let hints = Hints {
                    depth: hints.depth,
                    table: unpacked(hints.table),
                    killers: hints.killers.map(unpacked),
                    counter: unpacked(hints.counter),
                    history: hints.history,
                };
                let each = |scored: &Scored<AnyMove>| Scored { mv: game.unpack(scored.mv.0), value: scored.value };
                let mut typed: Moves<G> = moves.iter().map(each).collect();
                game.order(pos.of(), &hints, &mut typed);
                *moves = typed.iter().map(|scored| packed(game, scored)).collect();
            }
        }
        and {
            const STAGES: &'static [&'static str] = panic!("the stages of a game of any type are `stages()`");
            const RECURRING: usize = panic!("how many stages of a game of any type recur says `recurring()`");
            const DECISIVE: Score = panic!("the least proven score of a game of any type is `decisive()`");
            const HISTORY: usize = panic!("a game of any type is not searched node by node");
            const COUNTERS: bool = panic!("a game of any type is not searched node by node");
            const STEADY: bool = panic!("a game of any type is not searched node by node");
            const LAST_PLIES: i32 = panic!("a game of any type is not searched node by node");
            const HAS: Has = panic!("a game of any type is not searched node by node");
        }
    }
    Game {
        of the game {
            fn name() -> &'static str;
        }
        of a position {}
        of a move {}
        by game {}
        and {
            const NAME: &'static str = panic!("the name of a game of any type is `name()`");

            fn searcher(self, methods: &Methods, options: Options) -> Searcher<'_, AnyGame> {
                self.0.searcher(self.clone(), methods, options)
            }
        }
    }
}

impl<G: Game> Typed<G> {
    fn game(&self) -> MutexGuard<'_, G> {
        // A game that panicked over one position knows as much of the next.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn packed<G: Game>(game: &G, scored: &Scored<G::Move>) -> Scored<AnyMove> {
    Scored { mv: AnyMove(game.pack(scored.mv)), value: scored.value }
}
