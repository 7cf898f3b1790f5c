//! The counts of valgrind's callgrind: its command line and its file of parts.
//!
//! Instrumentation begins when the first cell is about to be searched, as the program itself asks for ([`start_instrumentation`]).
//! Collection is on only inside `measured_search`, and a part is written whenever that returns, so one process
//! counts many cells. A count of 0 means that the function was not found (inlined, or stripped): that, and parts
//! that are not as many as the cells, are refused.
//!
//! Callgrind makes all code slow that it instruments, what is not collected as well. Until the first search a program reads positions,
//! parameters and weights, which takes longer than many a search; that runs uninstrumented, at the speed of valgrind alone. Of what a
//! program can tell valgrind only this request is here; callgrind sees the end of a count itself.

use super::{Count, program};
use std::path::Path;
use std::process::Command;

/// What valgrind calls the counted function. The whole name: a part is not written for a pattern.
const FUNCTION: &str = "secateur_gate::instructions::measured::measured_search";

/// glibc moves this threshold when large blocks are freed, and clears what it then reuses, so that a count would
/// depend on the cells before; set, it stays.
const TUNABLES: &str = "glibc.malloc.mmap_threshold=65536";

/// Whether valgrind is there.
///
/// # Errors
/// How to install it, on one line.
pub(crate) fn available() -> Result<(), String> {
    let version = Command::new("valgrind").arg("--version").output();
    match version {
        Ok(output) if output.status.success() => Ok(()),
        _ => Err("valgrind is not installed (Debian, Ubuntu: apt install valgrind)".to_owned()),
    }
}

/// Counts the instructions of cells in one process.
pub(crate) fn count(program: &Path, suite: &str, cells: &[usize]) -> Result<Vec<Count>, String> {
    counted(program, cells, |command, _| program::finished(command.arg(suite).arg(program::names(cells))))
}

/// Counts cells with a program that `run` has answer as `cell` does; next to its command it is given a folder for what it needs.
pub(super) fn counted(
    program: &Path,
    cells: &[usize],
    run: impl FnOnce(&mut Command, &Path) -> Result<String, String>,
) -> Result<Vec<Count>, String> {
    let folder = program::scratch()?;
    let file = folder.path().join("callgrind.out");
    let answer = run(&mut command(&file, program), folder.path())?;
    join(&program::counts(&answer)?, &parts(&read(&file)?)?, cells)
}

pub(super) fn read(file: &Path) -> Result<String, String> {
    std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))
}

/// `program` under callgrind, with a part for each call of the counted function in `file`.
pub(crate) fn command(file: &Path, program: &Path) -> Command {
    let mut command = Command::new("valgrind");
    command
        .args(["--tool=callgrind", "--cache-sim=no", "--branch-sim=no", "--collect-atstart=no"])
        .args(["--combine-dumps=yes", "--dump-line=no", "--vgdb=no"])
        .arg(if IS_KNOWN { "--instr-atstart=no" } else { "--instr-atstart=yes" })
        .arg(format!("--toggle-collect={FUNCTION}"))
        .arg(format!("--dump-after={FUNCTION}"))
        .arg(format!("--callgrind-out-file={}", file.display()))
        .arg(program)
        .env("GLIBC_TUNABLES", TUNABLES);
    command
}

/// The `totals:` of each part that a return of the counted function wrote, in order.
///
/// Format: callgrind's manual, "Callgrind Format Specification". The last part is that of the end of the program.
pub(crate) fn parts(text: &str) -> Result<Vec<u64>, String> {
    let mut counts = Vec::new();
    let mut triggered = false;
    for line in text.lines() {
        if line.starts_with("part:") {
            triggered = false;
        } else if let Some(trigger) = line.strip_prefix("desc: Trigger:") {
            triggered = !trigger.contains("Program termination");
        } else if let Some(total) = line.strip_prefix("totals:").filter(|_| triggered) {
            let count = total.trim().parse();
            counts.push(count.map_err(|_| format!("callgrind: found `{line}`, expected `totals: NUMBER`"))?);
        }
    }
    Ok(counts)
}

fn join(lines: &[Count], parts: &[u64], cells: &[usize]) -> Result<Vec<Count>, String> {
    if parts.len() != cells.len() {
        return Err(format!(
            "callgrind wrote {} counts for {} cells: was the counted function inlined?",
            parts.len(),
            cells.len()
        ));
    }
    let pairs = cells.iter().zip(lines).zip(parts);
    let counts = pairs.map(|((&cell, line), &instructions)| match line.cell == cell && instructions > 0 {
        true => Ok(Count { instructions, ..*line }),
        false => Err(format!("callgrind counted {instructions} instructions for cell {cell}")),
    });
    counts.collect()
}

/// Whether this processor's way to talk to valgrind is known here. Where it is not, everything is instrumented from the start.
pub(super) const IS_KNOWN: bool = cfg!(any(target_arch = "x86_64", target_arch = "aarch64"));

/// `VG_USERREQ__START_INSTRUMENTATION`: the fifth request of the tool `CT`.
const START: u64 = u64::from_be_bytes([0, 0, 0, 0, b'C', b'T', 0, 4]);

/// Has callgrind instrument from here on; does nothing where no valgrind listens.
pub(crate) fn start_instrumentation() {
    // The request and its five arguments.
    let asked = [START, 0, 0, 0, 0, 0];
    request(&asked);
}

/// Valgrind looks for rotations that amount to nothing, before an instruction that does nothing, with the address of what is
/// asked in one register and room for the answer in another ("Valgrind Manual", The Client Request mechanism; `valgrind.h`).
#[cfg(target_arch = "x86_64")]
fn request(asked: &[u64; 6]) {
    // SAFETY: to a processor these instructions change no register but the flags; valgrind reads `asked`, which lives on, and
    // answers in the register that is given up.
    unsafe {
        std::arch::asm!(
            "rol rdi, 3",
            "rol rdi, 13",
            "rol rdi, 61",
            "rol rdi, 51",
            "xchg rbx, rbx",
            in("rax") asked.as_ptr(),
            inout("rdx") 0_u64 => _,
            options(nostack),
        );
    }
}

/// The same in the registers of this processor.
#[cfg(target_arch = "aarch64")]
fn request(asked: &[u64; 6]) {
    // SAFETY: as above; 128 bits of rotation leave x12 as it was.
    unsafe {
        std::arch::asm!(
            "ror x12, x12, #3",
            "ror x12, x12, #13",
            "ror x12, x12, #51",
            "ror x12, x12, #61",
            "orr x10, x10, x10",
            in("x4") asked.as_ptr(),
            inout("x3") 0_u64 => _,
            options(nostack),
        );
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn request(_: &[u64; 6]) {}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "# callgrind format\nversion: 1\n\npart: 1\n\n\
        desc: Timerange: Basic block 0 - 9\ndesc: Trigger: --dump-after=secateur::measured_search\n\n\
        events: Ir\nfn=f\n10 5\ntotals: 1234\n\n\
        part: 2\n\ndesc: Trigger: --dump-after=secateur::measured_search\nevents: Ir\n\ntotals: 99\n\n\
        part: 3\n\ndesc: Trigger: Program termination\nevents: Ir\nsummary: 0\n\ntotals: 0\n";

    fn lines(cells: &[usize]) -> Vec<Count> {
        cells.iter().map(|&cell| Count { cell, nodes: 10 + cell as u64, instructions: 0 }).collect()
    }

    #[test]
    fn each_return_of_the_function_is_a_count() {
        assert_eq!(parts(FILE).unwrap(), [1234, 99]);
        let counts = join(&lines(&[4, 7]), &[1234, 99], &[4, 7]).unwrap();
        assert_eq!(counts[1], Count { cell: 7, nodes: 17, instructions: 99 });
        assert!(parts(&FILE.replace("totals: 99", "totals: x")).is_err());
    }

    #[test]
    fn counts_that_cannot_be_right_are_refused() {
        assert!(join(&lines(&[4, 7]), &[1234], &[4, 7]).unwrap_err().contains("1 counts for 2 cells"));
        assert!(join(&lines(&[4, 7]), &[1234, 0], &[4, 7]).unwrap_err().contains("counted 0"));
        assert!(join(&lines(&[7, 4]), &[1234, 99], &[4, 7]).is_err());
    }

    /// That valgrind understands it the tests of callgrind's counts show: without it there are none.
    #[test]
    fn nobody_listens_and_nothing_happens() {
        start_instrumentation();
        assert_eq!(START, 0x4354_0004);
    }
}
