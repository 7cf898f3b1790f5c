//! What a program tells the valgrind that it runs under: that callgrind is to begin to instrument.
//!
//! Callgrind makes all code slow that it instruments, what is not collected as well. Until the first search a program reads
//! positions, parameters and weights, which takes longer than many a search; that runs uninstrumented, at the speed of
//! valgrind alone. Left out: all else that valgrind can be told, the end of a count among it, which callgrind sees itself.

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

    /// That valgrind understands it the tests of callgrind's counts show: without it there are none.
    #[test]
    fn nobody_listens_and_nothing_happens() {
        start_instrumentation();
        assert_eq!(START, 0x4354_0004);
    }
}
