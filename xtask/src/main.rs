//! `cargo xtask`: the commands as developers of this repository call them, built with whatever was changed last.

fn main() -> std::process::ExitCode {
    secateur_commands::main_of(secateur_commands::Door::Cargo)
}
