//! Pairing by position: every comparison is made within blocks in which all method sets finished.
//!
//! A block is one position under one budget. Blocks with a missing or failed cell are left out and counted,
//! because the cells that finish last are not a random sample.

use crate::interval::Interval;
use crate::runs::{Runs, each_once};
use secateur_base::MAX_DEPTH;
use secateur_record::games::Traits;
use secateur_record::record::{BudgetKind, Record};
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, HashMap};

/// All complete blocks of one game, suite and budget.
#[derive(Clone, Debug)]
pub struct Group<'a> {
    /// Game.
    pub game: &'a str,
    /// Suite.
    pub suite: &'a str,
    /// What the budget counts.
    pub budget_kind: BudgetKind,
    /// Plies, nodes or nanoseconds.
    pub budget: u64,
    /// Method sets in the order of the records, the baseline first.
    pub methods: Vec<&'a str>,
    /// Complete blocks; `rows[i]` is the row of `methods[i]`.
    pub blocks: Vec<Block<'a>>,
    /// Blocks left out because a cell is missing or failed.
    pub incomplete: usize,
    /// Blocks left out because a program that tells of its searches made none there: one move alone is legal.
    pub unsearched: usize,
    /// Pairs of a measurement and its repetition: the A/A comparison.
    pub repeats: Vec<(&'a Record, &'a Record)>,
    /// What its scores and stages mean.
    pub traits: Traits,
    /// Whether its arms are method sets of this program, and not of another.
    pub is_ours: bool,
    /// Who judged its moves, in words; empty where they were not judged, or the judge is not recorded.
    pub judge: String,
    /// What [`crate::metrics::against_baseline`] found already, by method set and stage.
    pub(crate) compared: RefCell<BTreeMap<(usize, Option<String>), AgainstBaseline>>,
    /// What [`Group::runs`] found already: every measure of a report names them.
    runs: OnceCell<String>,
    /// What [`Group::asks_ties`] found already.
    asks_ties: OnceCell<bool>,
}

/// One position with the rows of all method sets.
#[derive(Clone, Debug)]
pub struct Block<'a> {
    /// Stage of the position.
    pub stage: &'a str,
    /// Source game.
    pub cluster: &'a str,
    /// Rows in the order of [`Group::methods`].
    pub rows: Vec<&'a Record>,
}

impl<'a> Block<'a> {
    /// The baseline's row.
    pub fn base(&self) -> &'a Record {
        self.rows[0]
    }
}

impl Group<'_> {
    /// Whether the budget is a depth, so that node counts are comparable.
    pub fn is_fixed_depth(&self) -> bool {
        self.budget_kind == BudgetKind::Depth
    }

    /// Whether one of its searches finished its position: its value is proven, or it had nothing left to search.
    pub fn is_finished(&self, row: &Record) -> bool {
        is_finished(&self.traits, self.is_ours, row)
    }

    /// Game and budget in words: `chess, depth 8`.
    pub fn heading(&self) -> String {
        format!("{}, {}", self.game, self.budget_label())
    }

    /// The budget in words.
    pub fn budget_label(&self) -> String {
        crate::labels::budget(self.budget_kind, self.budget)
    }

    /// A number of score units in what the game's values are read in: discs, pawns.
    pub fn in_units(&self, i: &Interval) -> Interval {
        i.in_units(f64::from(self.traits.per_unit.max(1)))
    }

    /// The runs that its rows are of, in order of appearance, with `+` between them.
    pub fn runs(&self) -> &str {
        self.runs.get_or_init(|| {
            let rows = self.blocks.iter().flat_map(|block| &block.rows);
            each_once(rows.map(|row| row.run.as_str())).join("+")
        })
    }

    /// Stages present, in the order of the game.
    pub fn stages(&self) -> Vec<&str> {
        let mut stages: Vec<&str> = self.blocks.iter().map(|block| block.stage).collect();
        stages.sort_by_key(|stage| (self.traits.rank(stage), *stage));
        stages.dedup();
        stages
    }

    /// Whether the baseline was asked which moves are as good as its own, and answered for some: not where its protocol or the
    /// run had no way to, and then a move is the same only if it is.
    pub fn asks_ties(&self) -> bool {
        let answered = |block: &Block<'_>| block.rows.iter().any(|row| row.move_tied.is_some());
        *self.asks_ties.get_or_init(|| self.is_fixed_depth() && self.blocks.iter().any(answered))
    }

    /// Whether it was asked and stayed open if the move of a method set at a block is as good as the baseline's: it is
    /// left out of what is said of moves.
    pub fn is_open(&self) -> impl Fn(&Block<'_>, usize) -> bool + use<> {
        let asked = self.asks_ties();
        move |block, method| asked && block.rows[method].is_undecided(block.base())
    }

    /// Positions that are left out of what is said of the moves of a method set.
    pub fn undecided(&self, method: usize) -> usize {
        let is_open = self.is_open();
        self.blocks.iter().filter(|block| is_open(block, method)).count()
    }

    /// Indices of the blocks of which every arm has its instructions counted.
    pub fn counted(&self) -> Vec<usize> {
        let is_counted =
            |&index: &usize| self.blocks[index].rows.iter().all(|row| row.instructions.is_some());
        (0..self.blocks.len()).filter(is_counted).collect()
    }

    /// Indices of the blocks of a stage (all for `None`), clustered by source game.
    pub fn clusters(&self, stage: Option<&str>) -> Vec<Vec<usize>> {
        let cluster = |index: &usize| self.blocks[*index].cluster;
        let is_of = |index: &usize| stage.is_none_or(|stage| self.blocks[*index].stage == stage);
        let mut indices: Vec<usize> = (0..self.blocks.len()).filter(is_of).collect();
        // Stable, and one pass where the positions of a game follow each other in the order of games, as in most runs.
        indices.sort_by(|one, other| cluster(one).cmp(cluster(other)));
        indices.chunk_by(|one, other| cluster(one) == cluster(other)).map(<[usize]>::to_vec).collect()
    }
}

/// What a comparison of one method set with the baseline comes to, in one group or one stage of it: numbers alone, computed in
/// [`crate::metrics`] and kept by the group that they are of.
#[derive(Clone, Debug)]
pub struct AgainstBaseline {
    /// Positions compared.
    pub n: usize,
    /// Mean nodes.
    pub nodes: f64,
    /// Standard deviation of the nodes, n - 1.
    pub nodes_sd: f64,
    /// Ratio of mean nodes, baseline over method (Buro 1995).
    pub speedup_means: Interval,
    /// Geometric mean of the ratios of nodes by position.
    pub speedup_geometric: Interval,
    /// p-value of the geometric speed-up being 1 (Student's paired test), not corrected.
    pub p_nodes: f64,
    /// Share of positions with the baseline's move, ties counted.
    pub same_move: Option<Interval>,
    /// Share of positions with the baseline's value.
    pub same_value: Option<Interval>,
    /// Share of positions with the baseline's value to the nearest whole unit that people read, the resolution of coarser programs.
    pub same_whole: Option<Interval>,
    /// Mean absolute difference of values, in score units, over the positions at which neither value is proven: a mate is no number
    /// of pawns.
    pub value_difference: Interval,
    /// Positions left out of it, because one of the two values is proven (a mate, a win by a table).
    pub proven: usize,
    /// Mean depth of the last completed iteration; at a budget of nodes or time without the finished positions.
    pub depth: f64,
    /// Nodes in probes over all nodes.
    pub probe_share: f64,
    /// Nodes a second of CPU time, all positions together.
    pub nodes_per_second: f64,
    /// Mean nodes to the power 1 / depth (Buro 1995, table 2).
    pub branching: f64,
}

/// Groups the records of runs and pairs them by position; a group without a baseline is left out.
pub fn groups_of(runs: &Runs) -> Vec<Group<'_>> {
    grouped(&runs.records, runs)
}

/// The same for records without a manifest: of their games is known what the table of games says.
pub fn groups(records: &[Record]) -> Vec<Group<'_>> {
    grouped(records, &Runs::default())
}

/// Whether a search of this game finished its position: its value is proven, it ended although budget was left, or it came to
/// the deepest iteration there is. What another program leaves of its time or nodes says nothing: most do not begin an iteration
/// that they would not end.
pub(crate) fn is_finished(game: &Traits, is_ours: bool, row: &Record) -> bool {
    let spent = match row.budget_kind {
        BudgetKind::Depth => row.depth.map(u64::from),
        BudgetKind::Nodes if is_ours => row.nodes,
        BudgetKind::Time if is_ours => Some(row.time_ns),
        // How far a level goes is not known.
        BudgetKind::Nodes | BudgetKind::Time | BudgetKind::Level => None,
    };
    is_proven(game, row)
        || spent.is_some_and(|spent| spent < row.budget)
        || row.depth.is_some_and(|depth| depth >= MAX_DEPTH as u32)
}

/// Whether the value of a search is proven: a mate, a win by a table.
pub(crate) fn is_proven(game: &Traits, row: &Record) -> bool {
    row.score.is_some_and(|score| game.is_proven(score))
}

fn grouped<'a>(records: &'a [Record], runs: &Runs) -> Vec<Group<'a>> {
    let mut order = Vec::new();
    let mut by_budget = BTreeMap::<_, Vec<&Record>>::new();
    for record in records {
        let key = (&*record.game, &*record.suite, record.budget_kind, record.budget);
        if !by_budget.contains_key(&key) {
            order.push(key);
        }
        by_budget.entry(key).or_default().push(record);
    }
    order.into_iter().filter_map(|key| group(key, &by_budget[&key], runs)).collect()
}

fn group<'a>(
    key: (&'a str, &'a str, BudgetKind, u64),
    records: &[&'a Record],
    runs: &Runs,
) -> Option<Group<'a>> {
    let (game, suite, budget_kind, budget) = key;
    let mut methods: Vec<&str> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    // The rows of a position by method, in the order of their first row.
    let mut positions: Vec<Vec<Option<&Record>>> = Vec::new();
    let mut repetitions = BTreeMap::new();
    for record in records {
        if record.repeat > 0 {
            repetitions.insert((&*record.position, &*record.methods, record.repeat), *record);
            continue;
        }
        let method = methods.iter().position(|method| *method == record.methods).unwrap_or_else(|| {
            methods.push(&record.methods);
            methods.len() - 1
        });
        let place = *places.entry(&record.position).or_insert_with(|| {
            positions.push(Vec::with_capacity(methods.len()));
            positions.len() - 1
        });
        let rows = &mut positions[place];
        rows.resize(rows.len().max(method + 1), None);
        rows[method] = Some(*record);
    }
    let baseline = runs.baseline(game);
    let baseline = methods.iter().position(|method| *method == baseline)?;
    let order: Vec<usize> = {
        let mut order: Vec<usize> = (0..methods.len()).collect();
        order[..=baseline].rotate_right(1);
        order
    };
    let good = |place: usize, method: usize| {
        positions[place].get(method).copied().flatten().filter(|row: &&Record| row.error.is_none())
    };
    let mut blocks = Vec::new();
    for place in 0..positions.len() {
        let rows: Option<Vec<&Record>> = order.iter().map(|&method| good(place, method)).collect();
        if let Some(rows) = rows {
            blocks.push(Block { stage: &rows[0].stage, cluster: &rows[0].cluster, rows });
        }
    }
    let incomplete = positions.len() - blocks.len();
    let whole = blocks.len();
    let is_searched = |block: &Block<'_>| !block.rows.iter().any(|row| row.is_unsearched());
    // Of a program that never tells nothing is left out.
    if blocks.iter().any(is_searched) {
        blocks.retain(is_searched);
    }
    let unsearched = whole - blocks.len();
    let repeats = repetitions
        .into_iter()
        .filter_map(|((position, method, _), again)| {
            let method = methods.iter().position(|member| *member == method)?;
            Some((good(*places.get(position)?, method)?, again))
        })
        .filter(|(row, _)| unsearched == 0 || !row.is_unsearched())
        .collect();
    let methods = order.iter().map(|&method| methods[method]).collect();
    Some(Group {
        game,
        suite,
        budget_kind,
        budget,
        methods,
        blocks,
        incomplete,
        unsearched,
        repeats,
        traits: runs.traits(game),
        is_ours: runs.is_ours(game),
        judge: runs.judge(game),
        compared: RefCell::default(),
        runs: OnceCell::new(),
        asks_ties: OnceCell::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::row;
    use secateur_record::manifest::{GameEntry, Manifest};
    use secateur_record::record::{Failure, SCHEMA};

    #[test]
    fn a_block_with_a_missing_or_failed_cell_is_left_out() {
        let mut failed = row("c", "28", "mpc", 1);
        failed.error = Some(Failure::new("panic"));
        let records = [
            row("a", "28", "mpc", 10),
            row("a", "28", "none", 20),
            row("b", "28", "none", 20),
            row("c", "28", "none", 20),
            failed,
        ];
        let groups = groups(&records);
        assert_eq!(groups.len(), 1);
        assert_eq!(groups[0].methods, ["none", "mpc"], "the baseline comes first");
        assert_eq!(groups[0].blocks.len(), 1);
        assert_eq!(groups[0].incomplete, 2);
    }

    #[test]
    fn a_forced_move_without_a_search_is_left_out_unless_nothing_is_ever_told() {
        let mute = |position: &str, method: &str| Record {
            depth: None,
            nodes: None,
            score: None,
            bound: None,
            ..row(position, "28", method, 1)
        };
        let searched = ["none", "mpc"].map(|method| row("a", "28", method, 10));
        let forced = ["none", "mpc"].map(|method| mute("b", method));
        let repetition = Record { repeat: 1, ..mute("b", "none") };
        let all: Vec<Record> = searched.into_iter().chain(forced.clone()).chain([repetition]).collect();
        let group = &groups(&all)[0];
        assert_eq!((group.blocks.len(), group.unsearched, group.incomplete), (1, 1, 0));
        assert!(group.repeats.is_empty());
        let group = &groups(&forced)[0];
        assert_eq!((group.blocks.len(), group.unsearched), (1, 0));
    }

    #[test]
    fn stages_come_in_the_order_of_a_game() {
        let records = [row("a", "36", "none", 1), row("b", "8", "none", 1), row("c", "12", "none", 1)];
        assert_eq!(groups(&records)[0].stages(), ["8", "12", "36"]);
        let named = |game: &str| {
            ["endgame", "opening"].map(|stage| Record { game: game.into(), ..row(stage, stage, "none", 1) })
        };
        assert_eq!(groups(&named("chess"))[0].stages(), ["opening", "endgame"]);
        assert_eq!(groups(&named("draughts"))[0].stages(), ["endgame", "opening"], "nobody knows");
    }

    #[test]
    fn what_a_manifest_says_of_a_game_is_believed() {
        let stages = ["late", "early"];
        let record_at = |stage: &&str| Record { game: "draughts".into(), ..row(stage, stage, "none", 1) };
        let traits = Traits { stages: stages.map(str::to_owned).into(), ..Traits::default() };
        let game = GameEntry { name: "draughts".to_owned(), traits: Some(traits), ..GameEntry::default() };
        let manifest = Manifest { schema: SCHEMA, game: vec![game], ..Manifest::default() };
        // As it is after it was written and read.
        let manifest = Manifest::parse("run.toml".as_ref(), &manifest.text()).unwrap();
        let records = stages.iter().map(record_at).collect();
        let runs = Runs { records, manifests: vec![manifest], ..Runs::default() };
        assert_eq!(groups_of(&runs)[0].stages(), stages);
        assert_eq!(groups(&runs.records)[0].stages(), ["early", "late"]);
    }

    #[test]
    fn repetitions_are_paired_and_do_not_count_as_positions() {
        let mut repetition = row("a", "28", "none", 20);
        repetition.repeat = 1;
        let records = [row("a", "28", "none", 20), repetition];
        let groups = groups(&records);
        assert_eq!(groups[0].blocks.len(), 1);
        assert_eq!(groups[0].repeats.len(), 1);
    }
}
