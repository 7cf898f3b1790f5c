//! Kills at random times: whatever is left must go on to the record of an undisturbed run, and no finished cell or
//! game may be done again. Full disks, and several runs in one place.
//!
//! A full disk is played by a limit on the size of files, which any user may set: a write beyond it fails.

use super::program::{Exact, Of, Program, clocks, end_after, end_orphans, finished};
use super::subject::{JUDGED, RUN, Subject};
use super::{Dice, Judgement, Ledger};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;
use std::{fs, io};

/// Kills `subject` as often as the ledger says.
pub(super) fn kills(program: &Program, subject: Subject, base: &Path, ledger: Ledger<'_>) -> io::Result<()> {
    if let Some(engine) = subject.engine
        && let Err(why) = engine.ready()
    {
        ledger.skip(format!("{}: {why}", engine.name));
        return Ok(());
    }
    let (whole, length, differs) = subject.repeated(program, &base.join("whole"))?;
    if let (Some(engine), Some(what)) = (subject.engine, differs) {
        // What it searches is no question of kills.
        ledger.skip(format!("{} does not repeat itself, undisturbed: {what}", engine.name));
        return Ok(());
    }
    ledger.each(base, |_, dir, dice| kill(program, subject, &whole, length, dir, dice).map(Some))
}

/// That finished cells or games, by their clocks, were done again; how many, and that in words.
fn done_again(before: &BTreeMap<String, String>, main: &Path) -> (u64, Option<String>) {
    let after = clocks(main);
    let lost = before.iter().filter(|(key, clock)| after.get(*key) != Some(clock)).count() as u64;
    (lost, (lost > 0).then(|| format!("{lost} finished cells or games were done again")))
}

fn kill(
    program: &Program,
    subject: Subject,
    whole: &Exact,
    length: Duration,
    dir: &Path,
    dice: &mut Dice,
) -> io::Result<Judgement> {
    subject.prepare(dir)?;
    let main = dir.join(RUN).join(subject.main_file());
    let (mut struck, mut finished_before) = (false, BTreeMap::new());
    // Some are killed again while they go on.
    for _ in 0..1 + usize::from(dice.once_in(3)) + usize::from(dice.once_in(6)) {
        let mut child = program.start(dir, &subject.going_on(dir, dice.once_in(2)))?;
        let time = Duration::from_secs_f64(dice.log_uniform(0.001, length.as_secs_f64() * 1.1));
        let at_once = !dice.once_in(4);
        let alive = end_after(&mut child, time, at_once)?.is_none();
        let ended = finished(child)?;
        end_orphans(dir);
        struck |= alive;
        // Ctrl-C is answered with 4, or by the signal itself before anybody listens; one that comes too late, with 0.
        let heard = matches!(ended.code, None | Some(0 | 4));
        if !heard {
            let wrong = Some(format!("ended with {}", ended.ending()));
            return Ok(Judgement { found: struck, refused: true, wrong, ..Judgement::default() });
        }
        finished_before.extend(clocks(&main));
    }
    let ended = subject.go_on(program, dir, dice.once_in(2))?;
    let refused = (ended.code != Some(0)).then(|| format!("would not go on: {}", ended.ending()));
    let (lost, again) = done_again(&finished_before, &main);
    let judged = Judgement::of(refused, whole.differs(&subject.record(dir, Of::Equals)));
    let repaired = struck && judged.repaired;
    Ok(Judgement { found: struck, repaired, lost, wrong: judged.wrong.or(again), ..judged })
}

/// Runs out of space, then goes on with enough.
pub(super) fn full_disks(
    program: &Program,
    subject: Subject,
    base: &Path,
    ledger: Ledger<'_>,
) -> io::Result<()> {
    let whole_dir = base.join("whole");
    let (whole, _) = subject.reference(program, &whole_dir)?;
    let sizes =
        subject.files.iter().map(|name| fs::metadata(whole_dir.join(RUN).join(name)).map_or(0, |m| m.len()));
    let most = sizes.max().unwrap_or(1).div_ceil(512);
    ledger.each(base, |_, dir, dice| {
        subject.prepare(dir)?;
        let main = dir.join(RUN).join(subject.main_file());
        // A limit of nothing at all, too.
        let blocks = dice.log_uniform(1.0, most as f64 + 1.0) as u64 - u64::from(dice.once_in(8));
        let cramped = program.run_cramped(dir, &subject.begin(), blocks)?;
        let before = clocks(&main);
        let ended = subject.go_on(program, dir, dice.once_in(2))?;
        let (lost, again) = done_again(&before, &main);
        let struck = cramped.code != Some(0);
        let refused =
            (ended.code != Some(0)).then(|| format!("did not resume with enough space: {}", ended.ending()));
        let judged = Judgement::of(refused, whole.differs(&subject.record(dir, Of::Equals)));
        let is_clean = !struck || cramped.code == Some(1) && cramped.unclean().is_none();
        let unclean = (!is_clean).then(|| format!("not exit 1 with a message, but {}", cramped.ending()));
        let wrong = unclean.or(judged.wrong).or(again);
        let wrong = wrong.map(|what| format!("files of at most {blocks} blocks: {what}"));
        let repaired = struck && judged.repaired;
        Ok(Some(Judgement { found: struck, repaired, lost, wrong, ..judged }))
    })
}

/// Two at once in one folder: one does the work, the other is refused or comes when all is done.
pub(super) fn two_at_once(
    program: &Program,
    subject: Subject,
    base: &Path,
    ledger: Ledger<'_>,
) -> io::Result<()> {
    let (whole, length) = subject.reference(program, &base.join("whole"))?;
    ledger.each(base, |_, dir, dice| {
        subject.prepare(dir)?;
        let first = program.start(dir, &subject.begin())?;
        std::thread::sleep(Duration::from_secs_f64(dice.log_uniform(0.0005, length.as_secs_f64())));
        let second = finished(program.start(dir, &subject.begin())?)?;
        let ends = [finished(first)?, second];
        let refused = ends.iter().find(|ended| ended.code == Some(4));
        let worked = ends.iter().filter(|ended| ended.code == Some(0)).count();
        let is_explained = refused.is_none_or(|ended| ended.complained.contains("writing here"));
        let is_refused = refused.is_some();
        let unclean = (worked + usize::from(is_refused) != 2 || worked == 0 || !is_explained)
            .then(|| format!("ended with {} and with {}", ends[0].ending(), ends[1].ending()));
        let judged = Judgement::of(None, whole.differs(&subject.record(dir, Of::Equals)));
        let wrong = unclean.or(judged.wrong);
        Ok(Some(Judgement { found: is_refused, refused: is_refused, wrong, ..judged }))
    })
}

/// Four runs begin together and share a book of oracle values.
pub(super) fn one_book(program: &Program, base: &Path, ledger: Ledger<'_>) -> io::Result<()> {
    let (whole, _) = JUDGED.reference(program, &base.join("whole"))?;
    ledger.each(base, |_, dir, _| {
        let rooms = ["a", "b", "c", "d"].map(|name| dir.join(name));
        let begin = JUDGED.begin().into_iter();
        let arguments: Vec<&str> =
            begin.map(|word| if word == "book.csv" { "../book.csv" } else { word }).collect();
        rooms.iter().try_for_each(|room| JUDGED.prepare(room))?;
        let runs: Vec<_> =
            rooms.iter().map(|room| program.start(room, &arguments)).collect::<io::Result<_>>()?;
        let ends: Vec<_> = runs.into_iter().map(finished).collect::<io::Result<_>>()?;
        let records: Vec<Exact> = rooms.iter().map(|room| JUDGED.record(room, Of::Equals)).collect();
        let died =
            ends.iter().find(|ended| ended.code != Some(0)).map(|ended| format!("one {}", ended.ending()));
        let differs = records.iter().find_map(|record| whole.differs(record));
        Ok(Some(Judgement::of(died, differs)))
    })
}
