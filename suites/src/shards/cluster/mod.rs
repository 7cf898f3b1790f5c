//! Cluster folders: where everything is, what every shard reads, and finished shards brought here from another host.
//!
//! A cluster folder lies on a disk that all nodes share. It has the program, the costs by which all shards divide, a script
//! that any scheduler can start with a number, a run folder a shard, and the packs of those that are finished. What is done
//! is read from these packs alone, never from a scheduler's word. [`carry`] copies packs from another host; what
//! comes is put under its name when it is whole. Left out: a scheduler of our own, and nodes that share no disk.

mod schedulers;

use super::pack;
use crate::Error;
use secateur_base::Fnv;
use secateur_base::words::shell_path;
use secateur_record::files::replace;
use secateur_record::seal::{read_sealed_toml, sealed_toml};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

pub use schedulers::{State, Status, Told, most_tasks, parallel, queue, status, submit};

/// Copies the settings and the packs of the cluster folder `from`, `HOST:PATH`, into a folder here; how many packs are new comes
/// back. `copier` is `scp`, or what takes its arguments.
///
/// # Errors
/// The copier is not there or says no; the folder here is of something else; the file system.
pub fn carry(from: &str, folder: &Folder, copier: &str) -> Result<usize, Error> {
    for dir in [folder.path(), &folder.path().join(PACKS)] {
        fs::create_dir_all(dir).map_err(Error::io(dir))?;
    }
    let incoming = tempfile::Builder::new().prefix(".incoming.").suffix(".tmp").tempdir_in(folder.path());
    let incoming = incoming.map_err(Error::io(folder.path()))?;
    fetched(copier, &format!("{from}/cluster.toml"), incoming.path())?;
    let theirs = Folder::new(incoming.path())?.settings()?;
    if folder.file().exists() && folder.settings()? != theirs {
        let what = format!("{from} is a folder of something else");
        return Err(Error::Taken { path: folder.file(), what });
    }
    fetched(copier, &format!("{from}/shards/*.tar"), incoming.path())?;
    let mut new = 0;
    for shard in 1..=theirs.shards {
        let target = folder.pack(shard, theirs.shards);
        let Some(name) = target.file_name() else { continue };
        let source = incoming.path().join(name);
        if source.is_file() && !target.exists() {
            fs::rename(&source, &target).map_err(Error::io(&target))?;
            new += 1;
        }
    }
    let settings = incoming.path().join("cluster.toml");
    if !folder.file().exists() {
        fs::rename(&settings, folder.file()).map_err(Error::io(&settings))?;
    }
    Ok(new)
}

fn fetched(copier: &str, from: &str, to: &Path) -> Result<(), Error> {
    let output = Command::new(copier).args(["-q", "-p", from]).arg(to).output();
    let output = output.map_err(|error| Error::Command(format!("{copier}: {error}")))?;
    let complaint = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    match output.status.success() {
        true => Ok(()),
        false => Err(Error::Command(format!("{copier} {from}: {}: {complaint}", output.status))),
    }
}

/// Who starts the shards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scheduler {
    /// Slurm, as a job array.
    Slurm,
    /// GNU parallel, on this machine or on those that its arguments name.
    Parallel,
    /// Whoever starts `job.sh` with the number of a shard.
    #[default]
    Other,
}

/// `cluster.toml`: what every shard must know.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Settings {
    /// Who starts the shards.
    pub scheduler: Scheduler,
    /// How many there are.
    pub shards: u32,
    /// Threads of each.
    pub jobs: usize,
    /// What `bench` is asked: the suite and its arguments.
    pub bench: Vec<String>,
    /// Where relative paths of these are meant.
    pub from: PathBuf,
    /// Hash of the program, 16 hex digits: no other searches a shard of this folder.
    pub binary: String,
    /// Whether nodes must have valgrind.
    pub valgrind: bool,
    /// CPU seconds that the dearest shard would take if no method saved anything, by what this machine searches in a second.
    pub seconds: u64,
    /// Most shards in one job array of Slurm, as its controller says, at least 1. More shards are several arrays.
    #[serde(default = "usual_array")]
    pub array: u32,
    /// Arguments that the scheduler gets as they are.
    #[serde(default)]
    pub scheduler_arguments: Vec<String>,
    /// What the scheduler calls the jobs.
    pub name: String,
}

fn usual_array() -> u32 {
    schedulers::ARRAY
}

/// The program that all nodes run, from the folder.
const PROGRAM: &str = "bin/secateur";
/// What units are expected to cost.
pub const COSTS: &str = "costs.csv";
/// The script that a scheduler starts.
pub const SCRIPT: &str = "job.sh";
/// What the jobs say.
const LOGS: &str = "logs";
/// Where finished shards are published.
pub const PACKS: &str = "shards";

/// A cluster folder.
#[derive(Clone, Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// The folder at a path, which is made absolute: nodes begin elsewhere.
    ///
    /// # Errors
    /// The file system.
    pub fn new(dir: &Path) -> Result<Folder, Error> {
        Ok(Folder(std::path::absolute(dir).map_err(Error::io(dir))?))
    }

    /// The path.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The run folder of a shard.
    pub fn run(&self, shard: u32) -> PathBuf {
        self.0.join("runs").join(shard.to_string())
    }

    /// The pack of a finished shard.
    pub fn pack(&self, shard: u32, shards: u32) -> PathBuf {
        self.0.join(PACKS).join(pack::name((shard, shards)))
    }

    /// Shards that are finished.
    pub fn done(&self, shards: u32) -> Vec<u32> {
        (1..=shards).filter(|shard| self.pack(*shard, shards).is_file()).collect()
    }

    /// The settings.
    fn file(&self) -> PathBuf {
        self.0.join("cluster.toml")
    }

    /// A name for the jobs of this folder that no other folder has.
    pub fn name(&self) -> String {
        let path = self.0.to_string_lossy();
        let last = self.0.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let plain: String = last.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        format!("secateur-{plain}-{}", &Fnv::default().bytes(path.as_bytes()).hex()[..8])
    }

    /// Reads the settings.
    ///
    /// # Errors
    /// A folder that was not prepared; a file that is not as it was written.
    pub fn settings(&self) -> Result<Settings, Error> {
        Ok(read_sealed_toml(&self.file())?.0)
    }

    /// Whether shards of these settings may be searched here: nothing was begun with others. How long they are expected to
    /// take may have changed, and how many the scheduler takes at once.
    ///
    /// # Errors
    /// Settings of something else, or that cannot be read.
    pub fn may_hold(&self, settings: &Settings) -> Result<(), Error> {
        let runs = self.0.join("runs");
        let is_begun = fs::read_dir(&runs).is_ok_and(|mut runs| runs.next().is_some());
        if !self.file().exists() || !is_begun {
            return Ok(());
        }
        let old = self.settings()?;
        if (Settings { seconds: old.seconds, array: old.array, ..settings.clone() }) == old {
            return Ok(());
        }
        let what = "shards were begun with other settings or by another program; resume with `cluster retry`, or choose \
                    another folder";
        Err(Error::Taken { path: self.file(), what: what.to_owned() })
    }

    /// Puts the program into the folder, and the one that counts instructions, if it is wanted, where the first looks for it.
    ///
    /// # Errors
    /// The file system; another program that shards were begun with.
    pub fn install(&self, program: &Path, counter: Option<&Path>) -> Result<(), Error> {
        for folder in [
            self.0.join("bin"),
            self.0.join(LOGS),
            self.0.join(PACKS),
            self.0.join("runs"),
            self.0.join("books"),
        ] {
            fs::create_dir_all(&folder).map_err(Error::io(&folder))?;
        }
        copied(program, &self.0.join(PROGRAM))?;
        let Some(counter) = counter else { return Ok(()) };
        copied(counter, &self.0.join("bin").join(counter.file_name().unwrap_or_default()))
    }

    /// Writes the settings and the script.
    ///
    /// # Errors
    /// The file system; a folder that was prepared for something else.
    pub fn prepare(&self, settings: &Settings) -> Result<(), Error> {
        self.may_hold(settings)?;
        replace(&self.file(), sealed_toml(settings).as_bytes())?;
        Ok(replace(&self.0.join(SCRIPT), self.script_text(settings).as_bytes())?)
    }

    /// The script: the number of the shard is its argument, or what Slurm or Kubernetes put into the environment. The tasks of
    /// a further job array count from where the one before ended: `--behind 1000`.
    fn script_text(&self, settings: &Settings) -> String {
        include_str!("../../../data/cluster/job.txt")
            .replace("{from}", &shell_path(&settings.from))
            .replace("{program}", &shell_path(&self.0.join(PROGRAM)))
            .replace("{folder}", &shell_path(&self.0))
    }
}

/// Copies a program, whole or not at all: it may be running under its name.
fn copied(program: &Path, target: &Path) -> Result<(), Error> {
    let temporary = target.with_extension(format!("{}.tmp", std::process::id()));
    fs::copy(program, &temporary).map_err(Error::io(program))?;
    fs::rename(&temporary, target).map_err(Error::io(target))
}

#[cfg(test)]
mod tests {
    use super::Settings;
    use super::*;
    use secateur_record::error::damages;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn packs_come_once_and_not_into_the_folder_of_something_else() {
        let dir = tempfile::tempdir().unwrap();
        // In place of a copier: the path behind the host is one of this machine.
        let copier = dir.path().join("copier");
        fs::write(&copier, "#!/bin/sh\nexec cp ${3#host:} \"$4\"\n").unwrap();
        fs::set_permissions(&copier, fs::Permissions::from_mode(0o755)).unwrap();
        let copier = copier.to_string_lossy().into_owned();
        let far = Folder::new(&dir.path().join("far")).unwrap();
        let settings = Settings { shards: 3, name: far.name(), ..Settings::default() };
        fs::create_dir_all(far.path().join(PACKS)).unwrap();
        far.prepare(&settings).unwrap();
        let from = format!("host:{}", far.path().display());
        let near = Folder::new(&dir.path().join("here")).unwrap();
        assert!(carry(&from, &near, &copier).is_err(), "nothing is finished");
        for shard in [1, 3] {
            fs::write(far.pack(shard, 3), format!("pack {shard}")).unwrap();
        }
        assert_eq!(carry(&from, &near, &copier).unwrap(), 2);
        fs::write(far.pack(2, 3), "pack 2").unwrap();
        fs::write(far.pack(1, 3), "another").unwrap();
        assert_eq!(carry(&from, &near, &copier).unwrap(), 1);
        assert_eq!((near.done(3), near.settings().unwrap()), (vec![1, 2, 3], settings.clone()));
        assert_eq!(fs::read_to_string(near.pack(1, 3)).unwrap(), "pack 1", "the first stays");
        assert_eq!(fs::read_dir(near.path()).unwrap().count(), 2, "nothing is left over");
        far.prepare(&Settings { shards: 4, ..settings }).unwrap();
        assert!(carry(&from, &near, &copier).unwrap_err().to_string().contains("something else"));
        assert!(carry(&from, &near, "no-such-copier").unwrap_err().to_string().contains("no-such-copier"));
    }

    #[test]
    fn settings_are_read_as_written_and_not_changed_under_a_shard() {
        let dir = tempfile::tempdir().unwrap();
        let folder = Folder::new(&dir.path().join("it's")).unwrap();
        let program = dir.path().join("xtask");
        fs::write(&program, "a program").unwrap();
        let counter = dir.path().join("cell");
        fs::write(&counter, "a program").unwrap();
        folder.install(&program, Some(&counter)).unwrap();
        let settings = Settings {
            shards: 3,
            bench: vec!["quick".to_owned()],
            name: folder.name(),
            ..Settings::default()
        };
        folder.prepare(&settings).unwrap();
        assert_eq!(folder.settings().unwrap(), settings);
        for copy in [folder.path().join(PROGRAM), folder.path().join("bin/cell")] {
            assert_eq!(fs::read_to_string(copy).unwrap(), "a program");
        }
        let more = Settings { shards: 4, ..settings.clone() };
        folder.prepare(&more).unwrap();
        fs::write(folder.pack(2, 4), "").unwrap();
        fs::create_dir(folder.run(2)).unwrap();
        assert_eq!(folder.done(4), [2]);
        assert!(matches!(folder.prepare(&settings), Err(Error::Taken { .. })));
        folder.prepare(&Settings { seconds: 9, ..more }).unwrap();
        let text = fs::read_to_string(folder.path().join(SCRIPT)).unwrap();
        assert!(text.contains("it'\\''s' \"$shard\"") && text.contains("SLURM_ARRAY_TASK_ID"), "{text}");
        // What the script starts, by argument, as a task of an array and of a further one, and by Kubernetes.
        fs::write(folder.path().join(PROGRAM), "#!/bin/sh\necho $4\n").unwrap();
        fs::set_permissions(folder.path().join(PROGRAM), fs::Permissions::from_mode(0o755)).unwrap();
        let job = Settings { seconds: 9, from: dir.path().to_owned(), ..folder.settings().unwrap() };
        fs::write(folder.path().join(SCRIPT), folder.script_text(&job)).unwrap();
        for (arguments, variable, shard) in [
            (&["7"][..], "SLURM_ARRAY_TASK_ID", "7"),
            (&[], "SLURM_ARRAY_TASK_ID", "3"),
            (&["--behind", "1000"], "SLURM_ARRAY_TASK_ID", "1003"),
            (&[], "JOB_COMPLETION_INDEX", "4"),
        ] {
            let mut command = std::process::Command::new("sh");
            command.arg(folder.path().join(SCRIPT)).args(arguments).env(variable, "3");
            let output = command.output().unwrap();
            assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), shard, "{output:?}");
        }
        let good = fs::read(folder.file()).unwrap();
        let unsealed = good[good.iter().position(|byte| *byte == b'\n').unwrap() + 1..].to_vec();
        for bytes in damages(&good).chain([unsealed]) {
            fs::write(folder.file(), &bytes).unwrap();
            assert!(folder.settings().is_err(), "{}", String::from_utf8_lossy(&bytes));
        }
    }
}
