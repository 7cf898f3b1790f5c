//! Finished shards of a cluster folder on another host, brought here by `scp`.
//!
//! What comes is put under its name when it is whole, and what has the name already stays: a merge holds every row against its
//! seal, wherever it was carried. Left out: disks that nodes do not share; there, whoever starts a shard carries its pack.

use super::folder::Folder;
use crate::shards::error::Error;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Copies the settings and the packs of the cluster folder `from`, `HOST:PATH`, into a folder here; how many packs are new comes
/// back. `copier` is `scp`, or what takes its arguments.
///
/// # Errors
/// The copier is not there or says no; the folder here is of something else; the file system.
pub fn carry(from: &str, folder: &Folder, copier: &str) -> Result<usize, Error> {
    for dir in [folder.path(), &folder.packs()] {
        fs::create_dir_all(dir).map_err(Error::io(dir))?;
    }
    let incoming = tempfile::Builder::new().prefix(".incoming.").suffix(".tmp").tempdir_in(folder.path());
    let incoming = incoming.map_err(Error::io(folder.path()))?;
    copied(copier, &format!("{from}/cluster.toml"), incoming.path())?;
    let theirs = Folder::new(incoming.path())?.settings()?;
    if folder.file().exists() && folder.settings()? != theirs {
        let what = format!("{from} is a folder of something else");
        return Err(Error::Taken { path: folder.file(), what });
    }
    copied(copier, &format!("{from}/shards/*.tar"), incoming.path())?;
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

fn copied(copier: &str, from: &str, to: &Path) -> Result<(), Error> {
    let output = Command::new(copier).args(["-q", "-p", from]).arg(to).output();
    let output = output.map_err(|error| Error::Command(format!("{copier}: {error}")))?;
    let complaint = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    match output.status.success() {
        true => Ok(()),
        false => Err(Error::Command(format!("{copier} {from}: {}: {complaint}", output.status))),
    }
}

#[cfg(test)]
mod tests {
    use super::super::folder::Settings;
    use super::*;
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
        fs::create_dir_all(far.packs()).unwrap();
        far.prepare(&settings).unwrap();
        let from = format!("host:{}", far.path().display());
        let here = Folder::new(&dir.path().join("here")).unwrap();
        assert!(carry(&from, &here, &copier).is_err(), "nothing is finished");
        for shard in [1, 3] {
            fs::write(far.pack(shard, 3), format!("pack {shard}")).unwrap();
        }
        assert_eq!(carry(&from, &here, &copier).unwrap(), 2);
        fs::write(far.pack(2, 3), "pack 2").unwrap();
        fs::write(far.pack(1, 3), "another").unwrap();
        assert_eq!(carry(&from, &here, &copier).unwrap(), 1);
        assert_eq!((here.done(3), here.settings().unwrap()), (vec![1, 2, 3], settings.clone()));
        assert_eq!(fs::read_to_string(here.pack(1, 3)).unwrap(), "pack 1", "the first stays");
        assert_eq!(fs::read_dir(here.path()).unwrap().count(), 2, "nothing is left over");
        far.prepare(&Settings { shards: 4, ..settings }).unwrap();
        assert!(carry(&from, &here, &copier).unwrap_err().to_string().contains("something else"));
        assert!(carry(&from, &here, "no-such-copier").unwrap_err().to_string().contains("no-such-copier"));
    }
}
