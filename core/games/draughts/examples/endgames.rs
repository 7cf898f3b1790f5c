//! Builds the endgame database of draughts, counts it, and writes it where it is wanted.
//!
//! `cargo run --release -p secateur-draughts --example endgames -- 5 --verify --out five.sdb`
//!
//! Four pieces take seconds, five some minutes and 200 MB. With `--verify` every value is held against the best over its moves and the
//! positions are counted, a line of CSV for each number of pieces (docs/runs/printed/endgames.csv), and there must be as many as the
//! formula has. Left out: six pieces on this scale of machine, of which there are seventeen times as many.

use secateur_draughts::endgame::{Census, Database, one_sided, positions};
use std::error::Error;
use std::io::Write;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (mut pieces, mut verify, mut out) = (4, false, None);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--verify" => verify = true,
            "--out" => out = Some(arguments.next().ok_or("--out: expected a path")?),
            number => {
                let read: usize = number.parse().map_err(|_| format!("found {number:?}, expected 2 to 6"))?;
                pieces = Some(read).filter(|read| (2..=6).contains(read)).ok_or("expected 2 to 6 pieces")?;
            }
        }
    }
    let begun = Instant::now();
    let mut shown = 0;
    let database = Database::build(pieces, &mut |done, total| {
        let percent = 100 * done / total;
        if percent > shown {
            shown = percent;
            let _ = write!(
                std::io::stderr(),
                "\r{percent} % of {total} numbers, {} s",
                begun.elapsed().as_secs()
            );
        }
    });
    let mut stdout = std::io::stdout();
    let bytes = database.to_bytes();
    writeln!(
        stdout,
        "\n{pieces} pieces: {} bytes, hash {:016x}, {} s",
        bytes.len(),
        database.id(),
        begun.elapsed().as_secs()
    )?;
    if let Some(path) = out {
        std::fs::write(&path, &bytes).map_err(|error| format!("{path}: {error}"))?;
        // What was written is what will be read.
        Database::from_bytes(&std::fs::read(&path)?)?;
    }
    if verify {
        verified(&database, &mut stdout)?;
    }
    Ok(())
}

/// Holds every value against the best over its moves and every count against the formula.
fn verified(database: &Database, stdout: &mut impl Write) -> Result<(), Box<dyn Error>> {
    writeln!(stdout, "pieces,positions,one_sided,won,drawn,lost,wrong")?;
    let mut faults = 0;
    for pieces in 2..=database.pieces() {
        let Census { won, drawn, lost, wrong } = database.check(pieces, &mut |_, _| {});
        let (all, alone) = (positions(pieces as u64), one_sided(pieces as u64));
        writeln!(stdout, "{pieces},{all},{alone},{won},{drawn},{lost},{wrong}")?;
        faults += wrong + all.abs_diff(alone + won + drawn + lost);
    }
    if faults > 0 {
        return Err(
            format!("{faults} positions are missing, or their values not the best over their moves").into()
        );
    }
    Ok(())
}
