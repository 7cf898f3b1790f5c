//! `secateur`: the program, which works from any folder; everything it needs is compiled in.

fn main() -> std::process::ExitCode {
    secateur::cli::main()
}
