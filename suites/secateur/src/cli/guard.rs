//! A child of this program that is this program too ends with it, however it ends.
//!
//! The child is told whose it is and asks the system itself to be ended when its parent is gone: nothing has to run in a dying
//! process, and nothing between fork and exec. It is in a process group of its own, so that one Ctrl-C is one: who waits for it
//! passes it on. Left out: programs of others, which their engines' own guard ends.

use std::process::{Command, ExitCode, Stdio};

/// The variable by which a child is told.
const PARENT: &str = "SECATEUR_PARENT";

/// Makes a command of this program a child that ends with this process.
pub fn bind(command: &mut Command) {
    command.env(PARENT, std::process::id().to_string()).stdin(Stdio::null());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
}

/// To be called when the program begins: an exit code if its parent is gone already.
#[cfg(target_os = "linux")]
pub fn follow() -> Result<(), ExitCode> {
    use rustix::process::{Pid, Signal, getppid, set_parent_process_death_signal, test_kill_process};
    let Some(parent) = std::env::var(PARENT).ok().and_then(|text| text.parse().ok()).and_then(Pid::from_raw)
    else {
        return Ok(());
    };
    if getppid() == Some(parent) {
        // What cannot be asked for is not there; then the child is an ordinary one.
        let _ = set_parent_process_death_signal(Some(Signal::TERM));
    }
    // Of a child's child the variable names another process, which is there.
    if test_kill_process(parent).is_ok() { Ok(()) } else { Err(ExitCode::FAILURE) }
}

#[cfg(not(target_os = "linux"))]
pub fn follow() -> Result<(), ExitCode> {
    Ok(())
}

/// Asks a child to end as Ctrl-C does.
pub fn interrupt(child: &std::process::Child) {
    #[cfg(unix)]
    if let Some(pid) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
        // One that has ended needs no asking.
        let _ = rustix::process::kill_process(pid, rustix::process::Signal::INT);
    }
}
