//! Readers of suites, parameters, fits, arms and the small languages of the command line.

use super::{Check, Reaction, Target, refusal, same, text};
use secateur_arena::play::Limit;
use secateur_core::prune::{METHODS, MethodSet};
use secateur_record::fitted::Fitted;
use secateur_suites::allowance::Allowance;
use secateur_suites::oracle::Oracle;
use secateur_suites::setups::arm::{Arm, presets};
use secateur_suites::setups::games;
use secateur_suites::setups::setup::Setup;
use secateur_suites::suite::{Suite, Sweep, factorial};
use std::path::Path;

const SUITES: &[&str] = &[
    "name = \"own\"\ndescription = \"d\"\naudit = 8\noracle = \"+2\"\n[params]\nchess = \"jiang\"\n[[block]]\ngame = \"chess\"\n\
     positions = [\"bratko-kopec\", \"my.epd\"]\nlimit = 3\nmethods = [\"none\", \"null-move[verified]+futility\"]\n\
     budgets = [{ depth = 6 }, { time = \"100ms\" }, { nodes = 5_000 }]\nrepeats = 1\nexpect-silent = [\"multi-cut\"]\ninstructions = true\n",
    "name = \"b\"\ndescription = \"\"\n[[block]]\ngame = \"othello\"\npositions = [\"othello-28\"]\nfactorial = [\"mpc[t=1.2]\", \"null-move\", \"futility\"]\n\
     budgets = [{ depth = 12 }]\noracle = 14\n",
];

const ARMS: &[&str] = &[
    "none",
    "all",
    "null-move[verified]+mpc[t=1.2,nesting=1]",
    "mpc[pairs=[[1,3],[2,4]],t=93.3%]+futility",
    "razoring+lmr",
    "capture-probcut[no-pv-guard]",
    "multi-cut[trigger=table]",
    "probcut[guards.pv=false]+null-move[reduction=4,r3]",
];

const SMALL: &[&str] = &[
    "+2",
    "12",
    "500ms",
    "2s",
    "1e6",
    "2+0.02",
    "40/60+0.5",
    "probcut.t=1.0,1.2",
    "null-move=fixed,heinz,verified",
    "mpc.pairs=[[1,3]],[[2,4]]",
    "null-move,mpc[t=1.2],futility",
];

const WORDS: &[&str] = &[
    "none",
    "all",
    "null-move",
    "mpc",
    "probcut",
    "futility",
    "razoring",
    "lmr",
    "multi-cut",
    "verified",
    "t",
    "guards.pv",
    "pairs",
    "[[1,3]]",
    "true",
    "false",
    "depth",
    "nodes",
    "time",
    "chess",
    "othello",
    "name",
    "limit",
    "methods",
    "factorial",
    "budgets",
    "oracle",
    "audit",
    "host",
    "fit",
    "\"both\"",
    "[methods]",
    "[[block]]",
    "{ depth = 1 }",
    "ms",
    "s",
    "%",
];

/// A few lines of each, so that a mutation meets something.
const PARAMS: &[&str] = &[
    "[host]\ntable-mib = 64\naspiration = 50\n[methods.mpc]\nt = 1.5\npairs = [[1, 3], [2, 4]]\nnesting = 1\n[methods.null-move]\nreduction = 3\n",
    "[methods]\nfutility = { frontier = 60, extended = 90 }\n[methods.mpc]\npairs = [[1, 3], [3, 5]]\n",
];

/// [`PARAMS`] and whole files: what every game comes with, and its variants.
fn params_of_games() -> Vec<&'static str> {
    let entries = games::names().into_iter().filter_map(|game| games::entry(game).ok());
    let texts = entries.flat_map(|entry| {
        let variants = entry.data.variants.into_iter().map(|(_, text)| text);
        std::iter::once(entry.data.params).chain(variants)
    });
    PARAMS.iter().copied().chain(texts).collect()
}

const FIT: &str = "[provenance]\ngame = \"chess\"\nevaluation = \"0123456789abcdef\"\ncommand = \"x\"\ndate = \"2026-01-01\"\nseed = 1\n\
    positions = \"p\"\npositions-hash = \"0\"\npositions-count = 3\ndraws = 4\nwalk = 2\nrange = 0\ndepth-none = 6\ndepth-null-move = 0\n\
    [provenance.host]\ntable-mib = 64\n";
const FIT_ROWS: &str = "\n[[samples]]\nbaseline = \"none\"\nstage = \"opening\"\npositions = 1\npairs = 2\ndecisive = 0\nout-of-range = 0\n\n\
    [baselines.none]\nfits = [\n  { stage = 0, shallow = 1, deep = 3, n = 99, a = 0.9, b = 1.25, sigma = 40.5, r = 0.93 },\n\
    { stage = 1, shallow = 2, deep = 4, n = 99, a = 1.1, b = -3.0, sigma = 31.0, r = 0.97 },\n]\nmargins = [\n\
    { stage = 0, depth = 1, n = 50, q50 = 10, q90 = 50, q95 = 70, q99 = 120 },\n]\n";

#[test]
fn suites_parameters_fits_and_arguments() {
    let texts = |texts: &[&str]| texts.iter().map(|text| text.as_bytes().to_vec()).collect::<Vec<_>>();
    let target = |name, corpus, check: fn() -> Check| Target {
        name,
        corpus,
        tokens: WORDS.iter().copied().chain(METHODS.iter().copied()).collect(),
        check: check(),
    };
    let mut arms = texts(ARMS);
    arms.extend(presets().iter().map(|preset| format!("{}[{}]", preset.method, preset.name).into_bytes()));
    let all = vec![
        target("suite", texts(SUITES), || Box::new(suite)),
        target("arm", arms, || {
            let params = ["chess", "othello"]
                .map(|game| Setup::embedded(game).expect("the build's own numbers").params);
            Box::new(move |input| {
                let Some(arm) = text(input).and_then(|text| Arm::parse(text).ok()) else { return Ok(false) };
                let printed = arm.to_string();
                let reread = Arm::parse(&printed)
                    .map_err(|error| format!("prints what it does not read: `{printed}`, {error}"))?;
                same("arm", &arm, &reread)?;
                params.iter().for_each(|params| drop(arm.params(params)));
                Ok(true)
            })
        }),
        target("small", texts(SMALL), || Box::new(small)),
        target("params", texts(&params_of_games()), || Box::new(params)),
        target("fit", vec![format!("{FIT}{FIT_ROWS}").into_bytes(), FIT_ROWS.as_bytes().to_vec()], || {
            Box::new(fit)
        }),
    ];
    all.into_iter().for_each(Target::watch);
}

fn suite(input: &[u8]) -> Reaction {
    let Some(text) = text(input) else { return Ok(false) };
    let suite = match Suite::parse(Path::new("fuzz.toml"), text) {
        Ok(suite) => suite,
        Err(error) => return refusal(&error),
    };
    let printed = toml::to_string(&suite).map_err(|error| format!("cannot be printed: {error}"))?;
    let reread = Suite::parse(Path::new("fuzz.toml"), &printed)
        .map_err(|error| format!("prints what it does not read: `{printed}`, {error}"))?;
    same("suite", &suite, &reread)?;
    Ok(true)
}

/// The languages of single arguments.
fn small(input: &[u8]) -> Reaction {
    let Some(text) = text(input) else { return Ok(false) };
    let mut accepted = false;
    if let Ok(oracle) = text.parse::<Oracle>() {
        accepted = true;
        let written = oracle.to_string();
        same("oracle", &Ok(oracle), &written.parse())?;
    }
    accepted |= Allowance::time(text).is_ok();
    if let Ok(limit) = Limit::clock(text) {
        accepted = true;
        let _ = limit.to_string();
    }
    accepted |= Sweep::parse(text).is_ok();
    // Eight arms are 256 sets: enough for a reader, too many for every input.
    accepted |= text.matches(',').count() < 4 && factorial(text).is_ok();
    // A number alone is in no language but that of nodes.
    Ok(accepted || SMALL.contains(&text))
}

fn params(input: &[u8]) -> Reaction {
    let Some(text) = text(input) else { return Ok(false) };
    let mut accepted = false;
    for game in games::names() {
        let Ok(changed) = Setup::parse(game, Path::new("fuzz.toml"), text) else { continue };
        accepted = true;
        // A table of impossible size must have been refused by now or be refused here, not be made.
        let _ = (changed.id(), changed.methods(&all()));
    }
    Ok(accepted)
}

fn fit(input: &[u8]) -> Reaction {
    let Some(text) = text(input) else { return Ok(false) };
    let read = |text: &str| Fitted::parse(Path::new("fuzz.fit.toml"), text);
    let Ok(fitted) = read(text) else { return Ok(false) };
    let setup = Setup {
        baselines: fitted.baselines.clone(),
        ..Setup::embedded("chess").map_err(|error| error.to_string())?
    };
    let _ = setup.methods(&all());
    let calibrations = std::iter::once(&fitted.baselines.none).chain(&fitted.baselines.null_move);
    let stages: Vec<usize> = calibrations.flat_map(|one| one.fits.iter().map(|fit| fit.stage)).collect();
    let names = ["opening", "middlegame", "endgame"];
    // What is printed is rounded, so that it is the second printing that must be like the first. Only fits of
    // stages that exist are ever printed.
    if stages.iter().all(|stage| *stage < names.len()) {
        let printed = fitted.text(&names);
        let reread =
            read(&printed).map_err(|error| format!("prints what it does not read: `{printed}`, {error}"))?;
        same("fit", &printed, &reread.text(&names))?;
    }
    Ok(true)
}

fn all() -> MethodSet {
    "all".parse().expect("a name of a set")
}
