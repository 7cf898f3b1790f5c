//! The values of the best moves of a position, each with its line.

use super::Place;
use secateur_core::prune::Methods;
use secateur_core::search::{Limits, News, Scope};
use secateur_core::{AnyGame, AnyMove, AnyPosition, Game, Moves, Notation, Rules};
use secateur_suites::Error;
use secateur_suites::pool::each;
use secateur_suites::setups::arm::Arm;
use secateur_suites::setups::setup::Setup;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

/// Who analyses: our search with some methods.
#[derive(Debug)]
pub struct Analyst {
    game: AnyGame,
    setup: Setup,
    ready: Methods,
}

/// A move with what it is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Value for the side to move, score units.
    pub value: i32,
    /// The line as people write it, the move first.
    pub moves: Vec<String>,
}

/// What is in a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Analysis {
    /// Depth of the last iteration of which every line is complete, plies.
    pub depth: i32,
    /// All nodes.
    pub nodes: u64,
    /// The best moves, the best first.
    pub lines: Vec<Line>,
    /// Legal moves, those without a line among them.
    pub moves: usize,
    /// Whether the values are those of the end of the game, because it was searched to the end without pruning.
    pub is_exact: bool,
    /// How often a method was asked where it might have spoken.
    pub tries: u64,
    /// How often one cut.
    pub cuts: u64,
}

/// What one method did by itself at a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Did {
    /// The method, or `none`.
    pub method: String,
    /// Its search: the best move alone.
    pub analysis: Analysis,
}

/// What each of these methods does by itself at a position, to a depth, `none` before them all; those that cannot be set up in this
/// game are left out. Searches stand in the order of the names, whatever the number of `jobs`.
///
/// # Errors
/// A variant or a file of parameters that is none.
pub fn each_alone(
    place: &Place,
    methods: &[&str],
    params: Option<&str>,
    limits: &Limits,
    jobs: usize,
) -> Result<Vec<Did>, Error> {
    let none = Analyst::new(&place.game, "none", params)?;
    let mut analysts = vec![("none", none)];
    let able = methods.iter().filter_map(|name| Some((*name, Analyst::new(&place.game, name, params).ok()?)));
    analysts.extend(able);
    let mut searched = vec![None; analysts.len()];
    let work = |(method, analyst): &(&str, Analyst)| Did {
        method: (*method).to_owned(),
        analysis: analyst.analyse(place, limits, 1),
    };
    each(&analysts, jobs, &AtomicBool::new(false), work, |at, did| {
        searched[at] = Some(did);
        Ok(())
    })?;
    Ok(searched.into_iter().flatten().collect())
}

impl Analyst {
    /// Our search of a game with these methods, and a variant or a file of parameters if one is named.
    ///
    /// # Errors
    /// A method or a file that is none.
    pub fn new(game: &AnyGame, methods: &str, params: Option<&str>) -> Result<Analyst, Error> {
        let name = game.name();
        let setup = Setup::chosen(name, params)?;
        setup.check(game)?;
        let arm = Arm::parse(methods)?;
        let ready = setup.equip(&arm).map_err(|source| Error::Method { game: name.to_owned(), source })?;
        Ok(Analyst { game: game.clone(), setup, ready })
    }

    /// The best `lines` moves of a position, all of them for 0, within these limits.
    pub fn analyse(&self, place: &Place, limits: &Limits, lines: usize) -> Analysis {
        let (game, root) = (&self.game, &place.root);
        let mut moves = Moves::<AnyGame>::new();
        game.moves(root, &mut moves);
        let all = moves.len();
        let wanted = if lines == 0 { all } else { lines.min(all) };
        let scope = Scope { lines: wanted, ..Scope::default() };
        let mut search = game.clone().searcher(&self.ready, self.setup.options.clone());
        let mut analysis = Analysis { moves: all, ..Analysis::default() };
        let mut under_way: Vec<Line> = Vec::new();
        let outcome = search.analyse(root, &[], limits, &scope, &mut |news| {
            if let News::Line { iteration: line, line: number, .. } = news {
                if number == 1 {
                    under_way.clear();
                }
                under_way.push(Line { value: line.score.0, moves: shown(game, root, &line.pv) });
                // Until one iteration is complete its lines are all there is.
                if number == wanted || analysis.depth <= 1 {
                    (analysis.depth, analysis.nodes) = (line.depth, line.nodes);
                    analysis.lines.clone_from(&under_way);
                    analysis.lines.sort_by_key(|line| -line.value);
                }
            }
            ControlFlow::Continue(())
        });
        analysis.nodes = outcome.tally.nodes;
        for (.., counter) in outcome.tally.active() {
            analysis.tries += counter.tries;
            analysis.cuts += counter.cuts_high + counter.cuts_low;
        }
        let to_the_end = game.remaining(root).is_some_and(|plies| analysis.depth >= plies);
        analysis.is_exact = to_the_end && analysis.lines.len() == wanted;
        analysis
    }
}

/// A line as people write it.
pub(super) fn shown(game: &AnyGame, root: &AnyPosition, line: &[AnyMove]) -> Vec<String> {
    let mut at = root.clone();
    let mut moves = Vec::new();
    for &mv in line {
        moves.push(game.shown(&at, mv));
        at = game.play(&at, mv);
    }
    moves
}
