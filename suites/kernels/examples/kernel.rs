//! Does kernels once each and prints what they did, for callgrind by hand.
//!
//! `valgrind --tool=callgrind --collect-atstart=no --toggle-collect=kernel::measured_kernel
//! --dump-after=kernel::measured_kernel --combine-dumps=yes target/release/examples/kernel "chess plain" "chess none"`

use secateur_benches::kernels::kernel;
use std::hint::black_box;
use std::io::{Write, stdout};

#[inline(never)]
fn measured_kernel(work: &mut dyn FnMut() -> u64) -> u64 {
    black_box(work())
}

fn main() -> std::io::Result<()> {
    for name in std::env::args().skip(1) {
        let mut work = kernel(&name);
        writeln!(stdout(), "{name}: {} units", measured_kernel(&mut work))?;
    }
    Ok(())
}
