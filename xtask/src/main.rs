//! The commands of secateur: parse, dispatch, exit code.

fn main() {}
