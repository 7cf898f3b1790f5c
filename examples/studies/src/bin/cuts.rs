//! What predicts that a cut breaks? The cuts of docs/POSTERIOR.md, from which `cargo xtask docs` makes its tables.
//!
//! `cuts GAME --positions SET --out FILE.csv` searches the positions of a set with a method that checks, and its cuts again, one by one. Where
//! they come from is written next to FILE as .toml. Options: `--limit N`, at most so many positions of each stage; `--methods SET`, with the
//! lowest threshold that the cuts can tell about [mpc[t=0.8]]; `--depth PLIES` of the searches [12]; `--every N`, one cut in so many is searched
//! again [16]; `--height PLIES`, cuts of nodes with fewer plies to the horizon are left out [5]; `--within SD`, so are those whose estimate
//! lies this many standard deviations beyond the bound, of which hardly any breaks [3].

use secateur_base::words::{shell_path, shell_word};
use secateur_suites::instruments::clock::day;
use secateur_suites::instruments::machine::cores;
use std::collections::BTreeMap;
use std::error::Error;
use std::io::{Write, stderr, stdout};
use std::path::PathBuf;
use std::str::FromStr;
use std::time::SystemTime;
use studies::cuts::{COMMAND, CutsSettings, run};

/// The options with their values.
struct Options(BTreeMap<String, String>);

impl Options {
    /// The value of an option, which is then read.
    fn take<T: FromStr<Err: Error + 'static>>(&mut self, name: &str) -> Result<Option<T>, Box<dyn Error>> {
        let value = self.0.remove(name).map(|text| text.parse::<T>());
        value.transpose().map_err(|error| format!("{name}: {error}").into())
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let game = args.next().ok_or("expected GAME --positions SET --out FILE.csv")?;
    let args: Vec<String> = args.collect();
    let (pairs, []) = args.as_chunks::<2>() else { return Err("expected a value for every option".into()) };
    let mut options = Options(pairs.iter().cloned().map(|[name, value]| (name, value)).collect());
    let out: PathBuf = options.take("--out")?.ok_or("expected --out FILE.csv")?;
    if out.extension().is_none_or(|extension| extension != "csv") {
        return Err(format!("--out {}: expected a .csv file", out.display()).into());
    }
    let mut settings = CutsSettings {
        positions: options.take("--positions")?.ok_or("expected --positions SET")?,
        limit: options.take("--limit")?,
        methods: options.take("--methods")?.unwrap_or_else(|| "mpc[t=0.8]".to_owned()),
        depth: options.take("--depth")?.unwrap_or(12),
        every: options.take("--every")?.unwrap_or(16),
        height: options.take("--height")?.unwrap_or(5),
        within: options.take("--within")?.unwrap_or(3.0),
        threads: cores(),
        command: String::new(),
        date: day(SystemTime::now()),
    };
    if let Some(unknown) = options.0.keys().next() {
        return Err(
            format!("found the option `{unknown}`, which the head of this program does not name").into()
        );
    }
    settings.command = command(&game, &settings, &shell_path(&out));
    let told = |done, wanted| drop(write!(stderr(), "\r{done} of {wanted} positions searched"));
    let origin = run(&game, &settings, &out, &told)?;
    let (cuts, methods, positions) = (origin.cuts, origin.methods, origin.positions_count);
    writeln!(
        stdout(),
        "\n{cuts} cuts of {methods} in {positions} positions of {}, searched again",
        origin.positions
    )?;
    Ok(writeln!(stdout(), "written: {}", out.display())?)
}

/// The command with everything that the result depends on.
fn command(game: &str, settings: &CutsSettings, out: &str) -> String {
    let CutsSettings { positions, limit, methods, depth, every, height, within, .. } = settings;
    let limit = limit.map_or(String::new(), |limit| format!(" --limit {limit}"));
    let (positions, methods) = (shell_word(positions), shell_word(methods));
    format!(
        "{COMMAND} {game} --positions {positions}{limit} --methods {methods} --depth {depth} --every {every} --height {height} --within {within} --out {out}"
    )
}
