//! One part made ready: who takes part in which arm, on which positions, with which budget, and which of it a shard takes.
//!
//! Positions that no set has as they are needed (some of a set, and positions of which a judge said the right move) are written into the
//! folder of the comparison, and read from there like any other. Instructions to a full-width depth are runs of one program each, which
//! are then counted as runs of the bench are.

use super::asked::{Asked, Defaults, Endgame, cold, defaults_of, peers_of};
use super::reference::{Reference, VERSION, walled};
use crate::allowance::Allowance;
use crate::ends::EndSubject;
use crate::matrix::{ArmPlan, Plan};
use crate::program::{COMPILED, Others, Program, ProgramArms};
use crate::setups::arm::Arm;
use crate::setups::games;
use crate::shards::costs::Costs;
use crate::shards::shard::{Shard, cut};
use crate::suite::Suite;
use crate::{Error, Experiment};
use secateur_core::AnyGame;
use secateur_positions::builtin::listing;
use secateur_positions::text::quoted;
use secateur_positions::{Entry, Fnv, Kind, Operation, builtin};
use secateur_record::archive::is_file;
use secateur_record::files::replace;
use secateur_record::manifest::{FILE, Manifest};
use secateur_record::part::Take;
use secateur_record::speed::{Contender, INSTRUCTIONS, LOOP, Measure, Missing, OURS, Part, SUITE};
use secateur_record::store::RunRows;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Deeper than any game with an exact end: what a program is asked for that is to search to the end.
const TO_THE_END: u32 = 60;

/// What a part searches, and in which folder below `folder`; `None` of a judge where there is no peer that could be one. What
/// parts before it left there must be finished. Every program is started once.
///
/// # Errors
/// Positions, methods or peers that are none; a peer that took part when the part was begun and is gone; the file system.
pub fn planned(
    asked: &Asked,
    (measure, game): (Measure, &str),
    folder: &Path,
) -> Result<Option<(Part, Plan)>, Error> {
    let usual = defaults_of(game)?;
    let (peers, mut missing) = peers_of(asked, game)?;
    let Some(field) = field(asked, measure, &usual, folder)? else { return Ok(None) };
    let experiment = Experiment::of(game).named(SUITE).table(asked.hash_mib as usize);
    let mut experiment = experiment.over(field.positions, field.limit);
    let is_judge = measure == Measure::Judge;
    let mut contenders = Vec::new();
    if !is_judge {
        let (with_ours, contender) = ours(experiment, asked, measure, &usual)?;
        experiment = with_ours;
        contenders.push(contender);
    }
    for peer in peers {
        if is_judge && !contenders.is_empty() {
            break;
        }
        match ready(&peer, measure, field.allowance, asked.hash_mib) {
            Ok((arm, contender)) => {
                experiment = experiment.ready(arm);
                contenders.push(contender);
            }
            Err(why) => missing.push(Missing { name: peer.name.clone(), why }),
        }
    }
    if contenders.is_empty() {
        return Ok(None);
    }
    if !is_judge {
        experiment = experiment.ready(reference(game)?);
        contenders.push(Contender { name: LOOP.to_owned(), ..Contender::default() });
    }
    let rounds = if is_judge { 1 } else { asked.rounds };
    let mut plan = experiment.budget(Ok(field.allowance)).in_turns(rounds).plan()?;
    let budget = match measure {
        Measure::Endgame => "to the end".to_owned(),
        _ => field.allowance.to_string(),
    };
    let part = Part {
        name: SUITE.to_owned(),
        measure,
        game: game.to_owned(),
        positions: field.described,
        budget,
        rounds,
        hash_mib: asked.hash_mib,
        cold: true,
        judge: field.judge,
        judged: field.judged,
        contenders,
        missing,
    };
    plan.document = toml::Table::try_from(&part).expect("a part has a TOML form");
    plan.comparison = Some(asked.table());
    gone(&part, folder)?;
    Ok(Some((part, plan)))
}

/// What of a part a shard searches: its positions, or all if it is the judge's part, because the next part has the positions
/// that the judge decided.
///
/// # Errors
/// More shards than positions.
pub fn sharded(plan: Plan, measure: Option<Measure>, shard: Shard) -> Result<Plan, Error> {
    if measure == Some(Measure::Judge) {
        let all = (0..).zip(&plan.units).map(|(number, _)| number).collect();
        return Ok(plan.taken(&shard.to_string(), Take::of(all)));
    }
    cut(plan, shard, &Costs::default())
}

/// The shard that the comparison in a folder was begun as; `None` if it is a whole one, or none yet.
///
/// # Errors
/// A manifest that cannot be read.
pub fn begun_as(folder: &Path) -> Result<Option<Shard>, Error> {
    for run in Part::folders(folder)? {
        let part = Manifest::read(&folder.join(run))?.part;
        if let Some(shard) = part.and_then(|part| part.shard.parse().ok()) {
            return Ok(Some(shard));
        }
    }
    Ok(None)
}

/// The plan of a part that began in `dir`, as its comparison was asked.
///
/// # Errors
/// Those of [`planned`] and [`Asked::read`].
pub(crate) fn replanned(part: &Part, dir: &Path) -> Result<Plan, Error> {
    let dir = std::path::absolute(dir).map_err(Error::io(dir))?;
    let folder = dir.parent().unwrap_or(&dir);
    let planned = planned(&Asked::read(folder)?, (part.measure, &part.game), folder)?;
    let no_judge = || Error::Usage(format!("{}: found no program that could judge", dir.display()));
    Ok(planned.ok_or_else(no_judge)?.1)
}

/// What is searched, whoever searches.
struct Field {
    positions: Vec<String>,
    limit: Option<usize>,
    allowance: Allowance,
    described: String,
    judge: String,
    judged: BTreeSet<String>,
}

impl Field {
    fn of(positions: &str, limit: Option<usize>, allowance: Allowance) -> Field {
        let described = match limit {
            Some(limit) => format!("{positions}, at most {limit} of each stage"),
            None => positions.to_owned(),
        };
        let positions = vec![positions.to_owned()];
        Field { positions, limit, allowance, described, judge: String::new(), judged: BTreeSet::new() }
    }
}

/// What of a part does not depend on who takes part; `None` if it cannot be.
fn field(
    asked: &Asked,
    measure: Measure,
    defaults: &Defaults,
    folder: &Path,
) -> Result<Option<Field>, Error> {
    let limit = asked.limit.or(asked.smoke.then_some(1));
    let asked_positions = asked.positions.as_deref();
    let to_depth = match measure {
        Measure::FullWidth => defaults.full_width.as_ref(),
        Measure::Depth => defaults.depth.as_ref(),
        _ => None,
    };
    if let Some(usual) = to_depth {
        let depth = asked.depth.unwrap_or(if asked.smoke { usual.smoke } else { usual.depth });
        let allowance = Allowance::depth(i64::from(depth)).map_err(Error::Usage)?;
        let limit = limit.or(asked_positions.is_none().then_some(usual.limit));
        return Ok(Some(Field::of(asked_positions.unwrap_or(&usual.positions), limit, allowance)));
    }
    if let (Measure::Endgame, Some(usual)) = (measure, &defaults.endgame) {
        let end = Allowance::Depth(TO_THE_END);
        if let Some(asked_positions) = asked_positions {
            return Ok(Some(Field::of(asked_positions, limit, end)));
        }
        let file = numbered(&defaults.name, usual, asked.smoke, asked.limit, folder)?;
        let [first, last] = if asked.smoke { usual.smoke } else { [usual.first, usual.last] };
        let described = format!("{} {first} to {last}", usual.positions);
        return Ok(Some(Field { described, ..Field::of(&file.display().to_string(), None, end) }));
    }
    let Some(usual) = &defaults.solve else { return Ok(None) };
    if measure == Measure::Judge {
        let nodes = if asked.smoke { usual.smoke } else { usual.nodes };
        return Ok(Some(Field::of(&usual.judged, limit.or(Some(usual.limit)), Allowance::Nodes(nodes))));
    }
    let time = Allowance::Time(asked.time);
    if let Some(asked_positions) = asked_positions {
        return Ok(Some(Field::of(asked_positions, limit, time)));
    }
    let mut field = Field::of(&usual.positions, limit, time);
    let judging = folder.join(format!("{}-{}", defaults.name, Measure::Judge));
    let judge = begun(&judging)?.and_then(|part| part.contenders.into_iter().next());
    if let Some(Contender { name: judge, .. }) = judge {
        let (file, ids) = judged(&defaults.name, &usual.judged, &judging, folder)?;
        field.described = format!("{}, and {} of {} by a judge", field.described, ids.len(), usual.judged);
        field.positions.push(file.display().to_string());
        (field.judge, field.judged) = (judge, ids);
    }
    Ok(Some(field))
}

/// The part that began in a folder, if one did.
fn begun(folder: &Path) -> Result<Option<Part>, Error> {
    Ok(if is_file(&folder.join(FILE)) { Part::of(&Manifest::read(folder)?) } else { None })
}

/// This program as an arm: its search for exact ends where those are asked and the game has one, else the host.
fn ours(
    experiment: Experiment,
    asked: &Asked,
    measure: Measure,
    defaults: &Defaults,
) -> Result<(Experiment, Contender), Error> {
    let contender =
        |arm: &str| Contender { name: OURS.to_owned(), arm: arm.to_owned(), ..Contender::default() };
    if measure == Measure::Endgame
        && let Some(arm) = solver(&defaults.name, asked.hash_mib)?
    {
        return Ok((experiment.ready(arm), contender("its search for exact ends")));
    }
    let methods = match measure {
        Measure::FullWidth | Measure::Endgame => "none",
        _ => asked.methods.as_deref().unwrap_or(&defaults.methods),
    };
    let playing =
        Some(defaults.params.as_str()).filter(|params| asked.methods.is_none() && !params.is_empty());
    let params = asked.params.as_deref().or(playing).filter(|_| methods != "none");
    if measure == Measure::Solve {
        let arm = walled(&defaults.name, params, &Arm::parse(methods)?, OURS, asked.hash_mib as usize)?;
        return Ok((experiment.ready(arm), contender(methods)));
    }
    let experiment = match params {
        Some(params) => experiment.params(params),
        None => experiment,
    };
    Ok((experiment.arm_as(Arm::parse(methods)?, OURS), contender(methods)))
}

/// A peer as an arm, started once; why it cannot take part.
fn ready(
    peer: &Program,
    measure: Measure,
    allowance: Allowance,
    hash_mib: u32,
) -> Result<(ArmPlan, Contender), String> {
    let arm = match (measure, allowance) {
        (Measure::FullWidth, Allowance::Depth(depth)) => peer.full_width_to(depth)?,
        _ => "full",
    };
    let text = |error: Error| error.to_string();
    let program = cold(peer);
    let switching = program.arm(arm).map_err(text)?;
    let (arm, entry) = program.lined_up(&switching, hash_mib, allowance).map_err(text)?;
    let name = peer.name.clone();
    let (program, binary) = (entry.id, entry.binary);
    let compiled = arm.made.get(COMPILED).cloned();
    let cut = entry.cut.map(|cut| cut.to_string().trim_end_matches('.').to_owned());
    let note = compiled.into_iter().chain(entry.yielded).chain(cut).collect::<Vec<_>>().join("; ");
    let contender = Contender { name: name.clone(), program, binary, arm: switching.name, note };
    Ok((ArmPlan { name, ..arm }, contender))
}

/// Our own search for exact ends as an arm, in a game that has one.
fn solver(game: &str, hash_mib: u32) -> Result<Option<ArmPlan>, Error> {
    let game = games::find(game)?;
    let made = move |game: &AnyGame| EndSubject::new(game, hash_mib as usize);
    if made(&game).is_none() {
        return Ok(None);
    }
    let params = Fnv::default().field(OURS).field(EndSubject::VERSION).bytes(&hash_mib.to_le_bytes()).hex();
    Ok(Some(ArmPlan::other(OURS, &params, move || {
        Box::new(made(&game).expect("a game that had a search for ends has it still"))
    })))
}

/// The loop as an arm.
fn reference(game: &str) -> Result<ArmPlan, Error> {
    let game = games::find(game)?;
    let params = Fnv::default().field(LOOP).field(VERSION).hex();
    Ok(ArmPlan::other(LOOP, &params, move || Box::new(Reference::new(game.clone()))))
}

/// Whether whoever took part when the part was begun does so still.
fn gone(part: &Part, folder: &Path) -> Result<(), Error> {
    let folder = folder.join(part.folder());
    let Some(begun) = begun(&folder)? else { return Ok(()) };
    let is_here = |name: &str| part.contenders.iter().any(|contender| contender.name == name);
    match begun.contenders.iter().find(|contender| !is_here(&contender.name)) {
        None => Ok(()),
        Some(Contender { name, .. }) => {
            let why = part.missing.iter().find(|missing| missing.name == *name);
            let why = why.map_or("it is not asked for", |missing| missing.why.as_str());
            Err(Error::Usage(format!(
                "{}: found no {name}, which took part when this was begun: {why}",
                folder.display()
            )))
        }
    }
}

/// Some of a built-in set by their numbers, `limit` of them at most.
///
/// # Errors
/// The file system, or a set that is none.
pub(crate) fn numbered(
    game: &str,
    wanted: &Endgame,
    smoke: bool,
    limit: Option<usize>,
    folder: &Path,
) -> Result<PathBuf, Error> {
    let set = builtin::builtin(&games::find(game)?, &wanted.positions)?;
    let [first, last] = if smoke { wanted.smoke } else { [wanted.first, wanted.last] };
    let of_range = set.entries.iter().skip(first.saturating_sub(1)).take(last + 1 - first);
    let entries: Vec<Entry> = of_range.take(limit.unwrap_or(usize::MAX)).cloned().collect();
    written(&entries, &wanted.positions, &folder.join("endgame"))
}

/// The positions of a finished part whose moves a judge says, with these as their solutions, and their names.
///
/// # Errors
/// The file system; a part that is not finished.
pub(crate) fn judged(
    game: &str,
    set: &str,
    part: &Path,
    folder: &Path,
) -> Result<(PathBuf, BTreeSet<String>), Error> {
    let (rows, ..) = RunRows::read(part)?;
    let all = builtin::builtin(&games::find(game)?, set)?.entries;
    let with_move = |mut entry: Entry| {
        let row = rows.records.iter().find(|row| row.position == entry.id && row.error.is_none())?;
        let is_solution = |code: &str| ["bm", "am"].contains(&code);
        entry.operations.retain(|operation| !is_solution(&operation.code));
        entry.operations.push(Operation { code: "bm".to_owned(), operands: row.best_move.to_string() });
        Some(entry)
    };
    let entries: Vec<Entry> = all.into_iter().filter_map(with_move).collect();
    if entries.is_empty() {
        return Err(Error::Usage(format!("{}: the judge said no move", part.display())));
    }
    let ids = entries.iter().map(|entry| entry.id.clone()).collect();
    Ok((written(&entries, set, &folder.join("judged"))?, ids))
}

/// Writes positions of a set in the format that the set has, under the names that they have there.
fn written(entries: &[Entry], set: &str, path: &Path) -> Result<PathBuf, Error> {
    let kind = Kind::of(Path::new(&listing(set)?.file))?;
    let path = path.with_extension(kind.ending());
    let line = |entry: &Entry| {
        let mut entry = entry.clone();
        if entry.operation("id").is_none() {
            let name = if kind == Kind::Epd { quoted(&entry.id) } else { entry.id.clone() };
            entry.operations.push(Operation { code: "id".to_owned(), operands: name });
        }
        kind.write(&entry) + "\n"
    };
    let text: String = entries.iter().map(line).collect();
    std::fs::create_dir_all(path.parent().unwrap_or(&path)).map_err(Error::io(&path))?;
    replace(&path, text.as_bytes())?;
    Ok(path)
}

/// A run of one program whose instructions are to be counted.
#[derive(Debug)]
pub struct Counting {
    /// The name of its folder.
    pub folder: String,
    /// What it searches.
    pub plan: Plan,
}

/// The runs to be counted: this program at full width, and every peer that can be searched so; with those that cannot, and why.
///
/// # Errors
/// Positions or peers that are none.
pub fn countings(asked: &Asked) -> Result<(Vec<Counting>, Vec<Missing>), Error> {
    let (mut all, mut left) = (Vec::new(), Vec::new());
    for game in asked.games()? {
        let Some(usual) = defaults_of(&game)?.full_width else { continue };
        let depth = asked.depth.unwrap_or(if asked.smoke { usual.smoke } else { usual.depth });
        let limit = asked.limit.or(asked.smoke.then_some(1)).unwrap_or(usual.limit);
        let positions = asked.positions.clone().unwrap_or(usual.positions);
        // Names and numbers, which a TOML string and an integer can be.
        let text = format!(
            "name = \"{SUITE}\"\ndescription = \"Instructions at full width\"\n[[block]]\ngame = \"{game}\"\npositions = [{}]\n\
             limit = {limit}\nmethods = [\"none\"]\nbudgets = [{{ depth = {depth} }}]\ninstructions = true\n",
            toml::Value::from(positions.clone())
        );
        let plan = Plan::new(Suite::parse(Path::new(SUITE), &text)?)?;
        let counting = |name: &str, mut plan: Plan| {
            plan.comparison = Some(asked.table());
            Counting { folder: format!("{game}-{INSTRUCTIONS}-{name}"), plan }
        };
        let mut of_game = vec![counting(OURS, plan)];
        let (peers, missing) = peers_of(asked, &game)?;
        left.extend(missing);
        for peer in peers {
            let name = peer.name.clone();
            let plan = peer.full_width_to(depth).and_then(|arm| {
                let arms = ProgramArms::new(cold(&peer), Others::Off, &[arm]);
                let arms = arms.map_err(|(_, message)| message)?;
                let experiment = Experiment::of(&game).named(SUITE).positions(&positions).limit(limit);
                experiment.program(arms).depth(depth).instructions().plan().map_err(|error| error.to_string())
            });
            match plan {
                Ok(plan) => of_game.push(counting(&name, plan)),
                Err(why) => left.push(Missing { name, why }),
            }
        }
        // Alone there is no ratio.
        if of_game.len() > 1 {
            all.append(&mut of_game);
        }
    }
    Ok((all, left))
}
