//! How far the shards of a folder are: from the folder what is finished, from the scheduler only what it has not given up.

use super::folder::{Folder, Settings};
use super::slurm::Queued;
use secateur_record::part::Take;
use secateur_record::store::RECORDS;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;

/// Where a shard is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    /// It is published.
    Done,
    /// The scheduler says that it is being searched.
    Running,
    /// The scheduler says that it waits.
    Pending,
    /// It was begun, and nobody has it now.
    Failed,
    /// It was never begun, and nobody has it.
    Missing,
}

/// A shard and where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status {
    /// Its number.
    pub shard: u32,
    /// Where it is.
    pub state: State,
    /// Cells in its run folder that are finished; 0 where it is published.
    pub cells: u64,
}

impl Status {
    /// The shards that nobody has and that are not finished.
    #[must_use]
    pub fn lost(all: &[Status]) -> Take {
        let lost = all.iter().filter(|status| matches!(status.state, State::Failed | State::Missing));
        Take::of(lost.map(|status| status.shard).collect())
    }
}

/// Every shard, with what its scheduler has `queued`.
#[must_use]
pub fn status(folder: &Folder, settings: &Settings, queued: &BTreeMap<u32, Queued>) -> Vec<Status> {
    let done = folder.done(settings.shards);
    let status_of = |shard| {
        let state = match (done.binary_search(&shard).is_ok(), queued.get(&shard)) {
            (true, _) => State::Done,
            (_, Some(Queued::Running)) => State::Running,
            (_, Some(Queued::Pending)) => State::Pending,
            (_, None) if folder.run(shard).exists() => State::Failed,
            (_, None) => State::Missing,
        };
        let cells = if state == State::Done { 0 } else { rows(folder, shard) };
        Status { shard, state, cells }
    };
    (1..=settings.shards).map(status_of).collect()
}

/// Lines of the records of a shard but for the header, without reading what they say.
fn rows(folder: &Folder, shard: u32) -> u64 {
    let Ok(mut file) = File::open(folder.run(shard).join(RECORDS)) else { return 0 };
    let (mut lines, mut buffer) = (0_u64, vec![0; 1 << 16]);
    while let Ok(read @ 1..) = file.read(&mut buffer) {
        lines += buffer[..read].iter().filter(|byte| **byte == b'\n').count() as u64;
    }
    lines.saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn the_folder_says_what_is_done_and_the_scheduler_what_is_not_lost() {
        let dir = tempfile::tempdir().unwrap();
        let folder = Folder::new(dir.path()).unwrap();
        fs::create_dir_all(folder.packs()).unwrap();
        fs::write(folder.pack(1, 6), "").unwrap();
        for shard in [2, 3, 5] {
            fs::create_dir_all(folder.run(shard)).unwrap();
        }
        fs::write(folder.run(3).join(RECORDS), "head\none\ntwo\nhal").unwrap();
        let queued = BTreeMap::from([(1, Queued::Running), (2, Queued::Running), (4, Queued::Pending)]);
        let settings = Settings { shards: 6, ..Settings::default() };
        let statuses = status(&folder, &settings, &queued);
        let states: Vec<State> = statuses.iter().map(|status| status.state).collect();
        use State::{Done, Failed, Missing, Pending, Running};
        assert_eq!(states, [Done, Running, Failed, Pending, Failed, Missing]);
        assert_eq!(statuses[2].cells, 2);
        assert_eq!(Status::lost(&statuses).to_string(), "3,5-6");
    }
}
