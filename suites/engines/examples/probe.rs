//! What a program makes of what it is asked: `probe PROTOCOL PROGRAM [ARGUMENT..]`.
//!
//! Every budget is tried at one position of the middle of a game, and what came of each is printed with one answer. It is
//! for whoever has a new program or writes a new client; runs probe by themselves.

#![allow(clippy::print_stdout)]

use secateur_engines::{Ask, Engine, Go, Probe, Protocol, Spec, Trial, manners};
use std::error::Error;
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(30);

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(protocol), Some(program)) = (arguments.next(), arguments.next()) else {
        return Err(
            format!("usage: probe PROTOCOL PROGRAM [ARGUMENT..]; protocols: {:?}", Protocol::ALL).into()
        );
    };
    let protocol: Protocol = protocol.parse()?;
    let (name, command) = (program.clone(), program.into());
    let spec = Spec { name, protocol, command, args: arguments.collect(), ..Spec::default() };
    let trial = Trial::usual(protocol.notation(), PATIENCE);
    let probe = Probe::of(&spec, &manners(16), &trial, PATIENCE)?;
    for sentence in probe.sentences() {
        println!("{sentence}");
    }
    let go = match (probe.depth.is_kept(), probe.time.is_kept()) {
        (true, _) => Go::Depth(6),
        (false, true) => Go::MoveTime(Duration::from_secs(1)),
        _ => Go::Own,
    };
    let mut engine = Engine::start(&spec, &manners(16), PATIENCE)?;
    println!("{:#?}", engine.search(&Ask::new(trial.position, go), PATIENCE)?);
    Ok(())
}
