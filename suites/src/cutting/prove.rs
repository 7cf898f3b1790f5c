//! Whether the switches that were cut from a source do what they say, before a number is shown.
//!
//! The untouched program is searched twice, the patched one once with nothing off, then without each method, and without all of
//! them. Two searches are the same if every iteration has the same nodes, value and move. Left out: what a method is worth.

use crate::cell::was_silent;
use crate::error::Error;
use crate::experiment::Runs;
use crate::program::source::PROOF;
use crate::program::{Build, Program, Switching};
use secateur_engines::{Ask, Go, Notation};
use secateur_record::files::replace;
use secateur_record::sites::{FILE, Sites};
use secateur_switches::{COUNTS, Entries, Rules, entries};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Depths, plies: the deepest at which the untouched program searches no more than [`ENOUGH`] nodes at all positions together.
const DEPTHS: std::ops::RangeInclusive<u32> = 5..=10;
/// See there.
const ENOUGH: u64 = 400_000;
/// The same of programs of discs, which prune later (Edax not below 11 plies) and search more nodes in a second.
const OF_DISCS: (std::ops::RangeInclusive<u32>, u64) = (5..=12, 60_000_000);
/// Where a program says nothing of its searches, or a method changes nothing, deeper ones are tried: to so many plies at most.
const DEEPEST: u32 = 16;
/// No deeper search is begun when those before it took longer in all.
const DEEPER_WITHIN: Duration = Duration::from_secs(60);
/// The depth at which everything is off, plies.
const ALL_OFF: u32 = 5;
/// What one search may take before it counts as hanging.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long a program may take to end that was asked to.
const LEAVES: Duration = Duration::from_secs(5);
/// Nodes that all searches of the methods may take together, as far as the untouched program foretells them: as many more positions are
/// searched than the handful by which the depth is chosen.
const MOST: u64 = 12_000_000;
/// Positions of each stage, at most.
const EACH_STAGE: u64 = 10;
/// A method without which the nodes are more than so many times those with it is doubted.
const OUTLIER: f64 = 20.0;
/// So is an extension without which they are more than so many times those with it, as what cuts or reduces would be...
const GROWS: f64 = 2.0;
/// ... and what cuts or reduces without which they are less than this share, as an extension would be.
const SHRINKS: f64 = 0.5;

/// What the searches of a proof say.
#[derive(Clone, Debug, Default)]
pub struct Proof {
    /// The depth of the searches, plies.
    pub depth: u32,
    /// How many positions were searched.
    pub positions: usize,
    /// Nodes of the untouched program at all of them.
    pub nodes: u64,
    /// Whether the untouched program searched the same twice.
    pub repeats: bool,
    /// Where the patched program with nothing off differs from the untouched, if it does.
    pub differs: Option<String>,
    /// Each method.
    pub methods: Vec<Held>,
    /// All methods off at a small depth: why a search failed, if one did; absent if there is no method.
    pub none: Option<Held>,
}

/// What came of an arm.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Held {
    /// The method that is off.
    pub method: String,
    /// The depth of its searches, plies: that of the proof, or deeper where it changes nothing there.
    pub depth: u32,
    /// Nodes at all positions.
    pub nodes: u64,
    /// Nodes with nothing off.
    pub full_nodes: u64,
    /// How many positions were searched.
    pub positions: usize,
    /// Positions at which the search is another.
    pub changed: usize,
    /// Why a search failed, if one did: a crash, no answer, a move that is not legal.
    pub failed: Option<String>,
    /// Whether a method of this name extends.
    pub extends: bool,
    /// Positions at which the nodes speak against its name: one search that gets out of hand says nothing.
    pub astray: usize,
}

impl Held {
    /// Nodes without the method over nodes with it.
    pub fn factor(&self) -> f64 {
        self.nodes as f64 / self.full_nodes.max(1) as f64
    }

    /// Whether every search was the same without it.
    pub fn is_dead(&self) -> bool {
        self.failed.is_none() && self.changed == 0
    }

    /// Why its nodes speak against its name, if they do: it may be the switch of something else.
    pub fn doubt(&self) -> Option<String> {
        let factor = self.factor();
        if self.failed.is_some() || self.is_dead() {
            return None;
        }
        let mostly = is_astray(self.extends, factor) && 2 * self.astray > self.positions;
        match self.extends {
            _ if factor > OUTLIER => Some(format!("more than {OUTLIER}x")),
            true if mostly => Some(format!("more than {GROWS}x without an extension")),
            false if mostly => Some(format!("less than {SHRINKS}x without what should save nodes")),
            _ => None,
        }
    }
}

/// Whether a search that is so many times as large without a method speaks against a name of its kind.
fn is_astray(extends: bool, factor: f64) -> bool {
    if extends { factor > GROWS } else { factor < SHRINKS }
}

impl Proof {
    /// Whether numbers may be shown: the patched program is the untouched one, and no search failed.
    pub fn holds(&self) -> bool {
        let failed = |held: &Held| held.failed.is_some();
        self.repeats
            && self.differs.is_none()
            && !self.methods.iter().any(failed)
            && !self.none.as_ref().is_some_and(failed)
    }

    /// The proof in sentences, the most important first.
    pub fn sentences(&self) -> Vec<String> {
        let (depth, positions) = (self.depth, self.positions);
        let mut all = Vec::new();
        all.push(match self.repeats {
            true => format!(
                "untouched, searched twice: the same ({} nodes at {positions} positions, depth {depth})",
                self.nodes
            ),
            false => "untouched, searched twice: not the same; no count of it is exact (isolation = \"cell\" in [subject] may help)"
                .to_owned(),
        });
        match &self.differs {
            None => all.push("nothing off: the same nodes, values and moves as untouched".to_owned()),
            Some(place) if self.repeats => {
                all.push(format!("nothing off: not the same as untouched: {place}"));
            }
            Some(place) => {
                all.push(format!("nothing off: differs from untouched, as untouched from itself: {place}"));
            }
        }
        for held in &self.methods {
            let method = &held.method;
            all.push(match &held.failed {
                Some(why) => format!("without {method}: failed: {why}"),
                None if held.is_dead() => format!(
                    "without {method}: the same searches, up to depth {}: its switch changes nothing here (dead)",
                    held.depth
                ),
                None => format!(
                    "without {method}: {:.2}x the nodes, another search at {} of {} positions{}{}",
                    held.factor(),
                    held.changed,
                    held.positions,
                    if held.depth > depth { format!(" (depth {})", held.depth) } else { String::new() },
                    held.doubt().map_or_else(String::new, |why| format!(
                        ": {why}, so it may be something else than its name says"
                    ))
                ),
            });
        }
        match self.none.as_ref().map(|none| &none.failed) {
            None => {}
            Some(None) => {
                all.push(format!("all methods off, depth {ALL_OFF}: searches end with legal moves"))
            }
            Some(Some(why)) => all.push(format!("all methods off, depth {ALL_OFF}: failed: {why}")),
        }
        all
    }

    /// The proof in one sentence without its full stop, for pages.
    pub fn summary(&self) -> String {
        if !self.holds() {
            let is_bad =
                |sentence: &&String| sentence.contains("not the same") || sentence.contains("failed");
            return format!(
                "the switches do not hold: {}",
                self.sentences().iter().find(is_bad).map_or("no search was made", String::as_str)
            );
        }
        let mut text = format!(
            "with nothing off the program searches as its untouched source does ({} positions, depth {}, {} nodes), and without each of {} \
             methods every search ends with a legal move",
            self.positions,
            self.depth,
            self.nodes,
            self.methods.len()
        );
        let mut named = |what: &str, methods: Vec<String>| {
            if !methods.is_empty() {
                text += &format!("; {what} {}", methods.join(", "));
            }
        };
        let dead = self.methods.iter().filter(|held| held.is_dead());
        named("the same searches without", dead.map(|held| held.method.clone()).collect());
        let doubted = self.methods.iter().filter_map(|held| {
            Some(format!("{} ({:.2}x the nodes: {})", held.method, held.factor(), held.doubt()?))
        });
        named("perhaps something else than its name says:", doubted.collect());
        text
    }
}

/// Holds the switches of a program to its untouched source, counts how often each site is entered, and keeps both with the build, for
/// pages. `announce` hears what is searched next.
///
/// # Errors
/// A program whose switches were not cut, that cannot be built or does not start.
pub fn proven(program: &Program, announce: &mut dyn FnMut(&str)) -> Result<(Proof, Sites), Error> {
    let program = program.clone().installed()?;
    let mut sites = super::sites(&program)?;
    let (proof, each_stage) = program.held_to_source(announce)?;
    program.counted_sites(&mut sites, (proof.depth, each_stage), announce)?;
    if let Some(Build { folder, .. }) = &program.build {
        sites.write(&folder.join(FILE))?;
        replace(&folder.join(PROOF), format!("{}\n", proof.summary()).as_bytes())?;
    }
    Ok((proof, sites))
}

/// The program without its switches, and where it was built.
pub struct Untouched {
    /// The program.
    pub program: Program,
    /// The folder of its source.
    pub tree: PathBuf,
}

impl Program {
    /// The program as its authors made it, without the patch and without its switches, built if that has not happened yet.
    ///
    /// # Errors
    /// A program that is not built from a patched source; one that cannot be built.
    pub fn untouched(&self) -> Result<Untouched, Error> {
        let source = self.built_from.as_ref().filter(|source| source.is_patched());
        let source = source.ok_or_else(|| {
            Error::Usage(format!(
                "{}: found no patch in [source], expected one to compare with the source without it",
                self.name
            ))
        })?;
        let tree = source.unpatched().built(&format!("{}-unpatched", self.name))?;
        let program = Program {
            command: tree.join(&source.binary),
            built_from: None,
            factors: Vec::new(),
            mask: None,
            name: format!("{}-untouched", self.name),
            cut: PathBuf::new(),
            build: None,
            ..self.clone()
        };
        Ok(Untouched { program, tree })
    }

    /// Holds the switches of a patched program to the untouched one; also how many positions of each stage were searched.
    fn held_to_source(&self, announce: &mut dyn FnMut(&str)) -> Result<(Proof, usize), Error> {
        let quick = |program: Program| Program { patience: PATIENCE.min(program.patience), ..program };
        let patched = quick(self.clone());
        let untouched = quick(self.untouched()?.program);
        let names: Vec<String> = self.factors.iter().map(|factor| factor.name.clone()).collect();
        announce("searching the untouched program twice");
        let is_of_discs = self.protocol.notation() == Notation::Discs;
        let (depths, enough) = if is_of_discs { OF_DISCS } else { (DEPTHS, ENOUGH) };
        let (depth, nodes) = chosen_depth((depths, enough), DEEPER_WITHIN, &mut |depth| {
            let runs = untouched.tried(&["full"], depth, 1)?;
            Ok(match failed(&runs, "full") {
                None => Trial::Searched(runs.nodes("full")),
                Some(why) if runs.rows.records.iter().any(was_silent) => Trial::Silent(why),
                Some(why) => Trial::Failed(why),
            })
        })?
        .map_err(|why| {
            Error::Usage(format!("{}: a search of the untouched program failed: {why}", self.name))
        })?;
        // Twice untouched, once with nothing off, once without each.
        let searches = nodes.max(1) * (names.len() as u64 + 3);
        let each_stage = (MOST / searches).clamp(1, EACH_STAGE) as usize;
        let base = untouched.tried(&["full"], depth, each_stage)?;
        let second = untouched.tried(&["full"], depth, each_stage)?;
        announce(&format!(
            "searching the patched program without each of {} methods at {} positions",
            names.len(),
            base.rows.records.len()
        ));
        let with_each = |names: &[String]| -> Vec<String> {
            let without = names.iter().map(|name| format!("full[-{name}]"));
            std::iter::once("full".to_owned()).chain(without).collect()
        };
        let runs = patched.tried(&with_each(&names), depth, each_stage)?;
        let rules = Rules::standard();
        let held =
            |runs: &Runs, name: &str, arm: &str, depth| held(runs, (name, arm), depth, rules.extends(name));
        let of_method = |name: &String| held(&runs, name, &format!("full[-{name}]"), depth);
        let mut proof = Proof {
            depth,
            positions: base.rows.records.len(),
            nodes: base.nodes("full"),
            repeats: second.trees("full") == base.trees("full"),
            differs: difference(&base, &runs, "full"),
            methods: names.iter().map(of_method).collect(),
            none: None,
        };
        look_deeper(&mut proof.methods, depth, DEEPER_WITHIN, &mut |idle, depth| {
            announce(&format!(
                "searching to depth {depth} without what changes nothing so far: {}",
                idle.join(", ")
            ));
            let arms = with_each(idle);
            let runs = patched.tried(&arms, depth, 1)?;
            let all = idle.iter().zip(&arms[1..]).map(|(method, arm)| held(&runs, method, arm, depth));
            Ok(failed(&runs, "full").is_none().then(|| all.collect()))
        })?;
        if !names.is_empty() {
            announce("searching with all methods off");
            let mut runs = patched.tried(&["none"], ALL_OFF, 1)?;
            // That a legal move is played is enough here.
            runs.rows.records.retain(|row| !was_silent(row));
            proof.none = Some(held(&runs, "none", "none", ALL_OFF));
        }
        Ok((proof, each_stage))
    }

    /// Has the program count how often each site is asked and entered, to a depth at positions of each stage: one process a position,
    /// since it says so when it ends.
    fn counted_sites(
        &self,
        sites: &mut Sites,
        (depth, each_stage): (u32, usize),
        announce: &mut dyn FnMut(&str),
    ) -> Result<(), Error> {
        announce("counting how often each site is entered");
        let plan = self.handful(&["full"], depth, each_stage)?.shown()?;
        let folder = tempfile::tempdir().map_err(Error::io(&std::env::temp_dir()))?;
        let file = folder.path().join("counts");
        let mut totals = BTreeMap::<u32, Entries>::new();
        for entry in plan.games.iter().flat_map(|game| &game.entries) {
            let mut spec = self.spec(&Switching::full())?;
            spec.env.push((COUNTS.to_owned(), file.display().to_string()));
            let mut engine = self.start(&spec)?;
            engine.search(&Ask::new(&entry.position, Go::Depth(depth)), PATIENCE)?;
            engine.leave(LEAVES);
            let text = std::fs::read_to_string(&file).unwrap_or_default();
            for (number, entry) in entries(&text).unwrap_or_default().into_iter().enumerate() {
                let total = totals.entry(number as u32).or_default();
                total.asked += entry.asked;
                total.hit += entry.hit;
            }
            // What the next process does not write must not be taken for its own.
            let _ = std::fs::remove_file(&file);
        }
        for site in &mut sites.site {
            let total = totals.get(&site.number);
            (site.asked, site.entered) = (total.map(|total| total.asked), total.map(|total| total.hit));
        }
        Ok(())
    }

    /// Some arms at a handful of positions.
    fn tried<T: AsRef<str>>(&self, arms: &[T], depth: u32, each_stage: usize) -> Result<Runs, Error> {
        self.handful(arms, depth, each_stage)?.run()
    }
}

/// What came of searches to some depth.
enum Trial {
    /// The nodes of all of them.
    Searched(u64),
    /// One played a legal move and said nothing else; in words.
    Silent(String),
    /// One failed; in words.
    Failed(String),
}

/// The depth of a proof, plies, and its nodes: the deepest of `depths` with no more than `enough` nodes. A program that says
/// nothing there is searched deeper, to [`DEEPEST`], as long as nothing took longer than `within`; the inner error is why no
/// depth will do.
fn chosen_depth(
    (depths, enough): (std::ops::RangeInclusive<u32>, u64),
    within: Duration,
    search: &mut dyn FnMut(u32) -> Result<Trial, Error>,
) -> Result<Result<(u32, u64), String>, Error> {
    let (begun, mut chosen) = (Instant::now(), None);
    for depth in *depths.start()..=DEEPEST {
        match search(depth)? {
            Trial::Silent(_) if chosen.is_none() && depth < DEEPEST && begun.elapsed() <= within => {}
            Trial::Silent(why) | Trial::Failed(why) => return Ok(chosen.ok_or(why)),
            Trial::Searched(nodes) if nodes > enough && chosen.is_some() => break,
            Trial::Searched(nodes) => chosen = Some((depth, nodes)),
        }
        if chosen.is_some() && depth >= *depths.end() {
            break;
        }
    }
    Ok(chosen.ok_or_else(|| "nothing was searched".to_owned()))
}

/// What came of searches to a depth without each of these methods; nothing where the program as it is fails.
type Deeper<'a> = dyn FnMut(&[String], u32) -> Result<Option<Vec<Held>>, Error> + 'a;

/// Searches without the methods that change nothing deeper and deeper, to [`DEEPEST`], until they do or it took longer than
/// `within`. `search` says what came of it without each, or nothing where the program as it is fails.
fn look_deeper(
    methods: &mut [Held],
    from: u32,
    within: Duration,
    search: &mut Deeper<'_>,
) -> Result<(), Error> {
    let begun = Instant::now();
    for depth in from + 1..=DEEPEST {
        let idle: Vec<usize> = (0..methods.len()).filter(|at| methods[*at].is_dead()).collect();
        if idle.is_empty() || begun.elapsed() > within {
            break;
        }
        let names: Vec<String> = idle.iter().map(|at| methods[*at].method.clone()).collect();
        let Some(all) = search(&names, depth)? else { break };
        idle.into_iter().zip(all).for_each(|(at, held)| methods[at] = held);
    }
    Ok(())
}

/// Why a search of an arm failed, if one did.
fn failed(runs: &Runs, arm: &str) -> Option<String> {
    let mut rows = runs.rows.records.iter().filter(|row| row.methods == arm);
    rows.find_map(|row| Some(format!("{}: {}", row.position, row.error.as_ref()?.reason())))
}

/// What came of an arm.
fn held(runs: &Runs, (method, arm): (&str, &str), depth: u32, extends: bool) -> Held {
    let positions: BTreeSet<&str> = runs.rows.records.iter().map(|row| row.position.as_str()).collect();
    let trees = |arm: &str, position: &str| -> Vec<_> {
        runs.trees(arm).into_iter().filter(|tree| tree.0 == position).collect()
    };
    let nodes_at = |arm: &str, position: &str| -> u64 {
        let rows = runs.rows.records.iter().filter(|row| row.methods == arm && row.position == position);
        rows.filter_map(|row| row.nodes).sum()
    };
    let goes_astray = |position: &&&str| {
        is_astray(extends, nodes_at(arm, position) as f64 / nodes_at("full", position).max(1) as f64)
    };
    Held {
        method: method.to_owned(),
        depth,
        astray: positions.iter().filter(goes_astray).count(),
        positions: positions.len(),
        nodes: runs.nodes(arm),
        full_nodes: runs.nodes("full"),
        changed: positions.iter().filter(|position| trees(arm, position) != trees("full", position)).count(),
        failed: failed(runs, arm),
        extends,
    }
}

/// Where an arm of two runs first differs, in words.
fn difference(one: &Runs, other: &Runs, arm: &str) -> Option<String> {
    if let Some(failed) = failed(other, arm) {
        return Some(failed);
    }
    let (one, other) = (one.trees(arm), other.trees(arm));
    let at = (0..one.len().max(other.len())).find(|&at| one.get(at) != other.get(at))?;
    let tree_text = |tree: Option<&crate::experiment::Iterated<'_>>| {
        tree.map_or_else(
            || "nothing".to_owned(),
            |(position, depth, nodes, score, best)| {
                format!("{position}, depth {depth}: {nodes} nodes, value {score}, {best}")
            },
        )
    };
    Some(format!("found {}; expected {}", tree_text(other.get(at)), tree_text(one.get(at))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(method: &str, nodes: u64, changed: usize, failed: Option<&str>) -> Held {
        let failed = failed.map(str::to_owned);
        let extends = Rules::standard().extends(method);
        let astray = if is_astray(extends, nodes as f64 / 1000.0) { changed } else { 0 };
        let (method, depth) = (method.to_owned(), 7);
        Held { method, depth, nodes, full_nodes: 1000, positions: 9, changed, failed, extends, astray }
    }

    fn proof(methods: Vec<Held>) -> Proof {
        Proof {
            depth: 7,
            positions: 9,
            nodes: 1000,
            repeats: true,
            methods,
            none: Some(Held::default()),
            differs: None,
        }
    }

    #[test]
    fn a_dead_switch_and_an_outlier_are_named_and_a_failure_forbids_numbers() {
        let good = proof(vec![
            held("lmr", 2500, 9, None),
            held("razoring", 1000, 0, None),
            held("pvs", 20_001, 9, None),
            Held { depth: 12, positions: 3, ..held("iir", 1500, 1, None) },
        ]);
        assert!(good.holds());
        let text = good.sentences().join("\n");
        for sentence in [
            "without lmr: 2.50x the nodes, another search at 9 of 9 positions",
            "without razoring: the same searches, up to depth 7: its switch changes nothing here (dead)",
            "without iir: 1.50x the nodes, another search at 1 of 3 positions (depth 12)",
            "without pvs: 20.00x the nodes, another search at 9 of 9 positions: more than 20x, so it may be something else",
            "all methods off, depth 5: searches end with legal moves",
        ] {
            assert!(text.contains(sentence), "{sentence}: {text}");
        }
        let summary = good.summary();
        assert!(
            summary.contains("(9 positions, depth 7, 1000 nodes), and without each of 4 methods"),
            "{summary}"
        );
        assert!(summary.contains("; the same searches without razoring; "), "{summary}");
        assert!(summary.ends_with("says: pvs (20.00x the nodes: more than 20x)"), "{summary}");
        let crashed = proof(vec![held("see", 0, 0, Some("p1: ended at once"))]);
        assert!(!crashed.holds() && crashed.summary().ends_with("without see: failed: p1: ended at once"));
        let other = Proof { differs: Some("p2, depth 3".to_owned()), ..proof(Vec::new()) };
        assert!(!other.holds() && other.summary().contains("not the same as untouched: p2, depth 3"));
        let chance = Proof { repeats: false, ..proof(Vec::new()) };
        assert!(!chance.holds() && chance.summary().contains("searched twice: not the same"));
        let all_off = Proof { none: Some(held("none", 0, 0, Some("hangs"))), ..proof(Vec::new()) };
        assert!(!all_off.holds() && all_off.summary().contains("all methods off, depth 5: failed: hangs"));
    }

    /// What takes a reduction along is no extension, whatever its name.
    #[test]
    fn nodes_that_speak_against_a_name_are_named_and_forbid_nothing() {
        let doubt = |method: &str, nodes| held(method, nodes, 9, None).doubt();
        for (method, nodes) in
            [("check-extension", 2001), ("singular", 2001), ("extension", 2001), ("lmr", 20_001)]
        {
            assert!(doubt(method, nodes).is_some_and(|why| why.contains("more than")), "{method}");
        }
        for method in ["see", "null-move", "history"] {
            assert!(doubt(method, 499).is_some_and(|why| why.contains("less than 0.5x")), "{method}");
        }
        for (method, nodes) in
            [("check-extension", 2000), ("check-extension", 100), ("lmr", 2500), ("see", 500)]
        {
            assert_eq!(doubt(method, nodes), None, "{method}");
        }
        assert_eq!(held("singular", 9000, 9, Some("crashed")).doubt(), None);
        // One position of nine that needs many nodes says nothing.
        assert_eq!(held("see", 300, 4, None).doubt(), None);
        let whole = proof(vec![held("check-extension", 2400, 9, None)]);
        let doubted = "check-extension (2.40x the nodes: more than 2x without an extension)";
        assert!(whole.holds() && whole.summary().ends_with(doubted), "{}", whole.summary());
    }

    #[test]
    fn a_program_that_says_nothing_of_shallow_searches_is_searched_deeper() {
        let chosen = |silent_to: u32, within: Duration| {
            let mut depths = Vec::new();
            let chosen = chosen_depth((5..=10, 1000), within, &mut |depth| {
                depths.push(depth);
                Ok(match depth <= silent_to {
                    true => Trial::Silent("says nothing".to_owned()),
                    false => Trial::Searched(u64::from(depth) * 110),
                })
            });
            (chosen.unwrap(), depths)
        };
        assert_eq!(chosen(0, DEEPER_WITHIN), (Ok((9, 990)), vec![5, 6, 7, 8, 9, 10]));
        assert_eq!(chosen(11, DEEPER_WITHIN), (Ok((12, 1320)), (5..=12).collect()));
        assert_eq!(chosen(99, DEEPER_WITHIN), (Err("says nothing".to_owned()), (5..=DEEPEST).collect()));
        assert_eq!(chosen(11, Duration::ZERO).0, Err("says nothing".to_owned()));
        let crash =
            chosen_depth((5..=10, 1000), DEEPER_WITHIN, &mut |_| Ok(Trial::Failed("crashed".to_owned())));
        assert_eq!(crash.unwrap(), Err("crashed".to_owned()));
    }

    #[test]
    fn a_method_that_changes_nothing_is_looked_at_deeper() {
        let mut methods =
            vec![held("lmr", 2500, 9, None), held("iir", 1000, 0, None), held("see", 1000, 0, None)];
        let mut asked = Vec::new();
        look_deeper(&mut methods, 14, DEEPER_WITHIN, &mut |idle, depth| {
            asked.push((idle.to_vec(), depth));
            let deep = |name: &String| Held { depth, ..held(name, 1000, usize::from(name == "iir"), None) };
            Ok(Some(idle.iter().map(deep).collect()))
        })
        .unwrap();
        let names = |all: &[&str]| all.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        assert_eq!(asked, [(names(&["iir", "see"]), 15), (names(&["see"]), DEEPEST)]);
        assert!(!methods[1].is_dead() && methods[1].depth == 15);
        assert!(methods[2].is_dead() && methods[2].depth == DEEPEST && methods[0].depth == 7);
        look_deeper(&mut methods, 5, Duration::from_secs(9), &mut |_, _| Ok(None)).unwrap();
        assert!(methods[2].is_dead());
    }
}
