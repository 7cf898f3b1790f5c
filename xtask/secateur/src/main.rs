//! `secateur`: the commands as an installed program, which works from any folder; everything it needs is compiled in.

fn main() -> std::process::ExitCode {
    secateur_commands::main_of(secateur_commands::Door::Installed)
}
