//! Writing to people and programs: results on standard output, everything else on standard error.
//!
//! Nothing that leaves here hides or turns what stands around it. Output that was lost, on a full disk or a closed descriptor,
//! is remembered, and the program does not end well; a reader that has had enough (`| head`) is no failure.

use clap::error::ErrorKind;
use secateur_base::visible::visible_lines;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// Why some of standard output was lost.
static LOST: OnceLock<String> = OnceLock::new();

/// Writes a result.
pub fn say(text: &str) {
    let text = visible_lines(text);
    let mut out = io::stdout().lock();
    keep(out.write_all(text.as_bytes()).and_then(|()| out.flush()));
}

/// Writes a message about the work. Names and paths of others may be in it.
pub fn message(text: &str) {
    let _ = io::stderr().lock().write_all(visible_lines(text).as_bytes());
}

/// Writes what the parser of the command line has to say, help or an error.
pub fn parsed(error: &clap::Error) -> ExitCode {
    if error.kind() == ErrorKind::ValueValidation {
        message(&in_words(&error.render().to_string()));
    } else {
        let printed = error.print();
        if !error.use_stderr() {
            keep(printed.and_then(|()| io::stdout().flush()));
        }
    }
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => ended(ExitCode::SUCCESS),
        _ => ExitCode::from(2),
    }
}

/// What the standard library says of a number, in the words of a user.
fn in_words(error: &str) -> String {
    let replacements = [
        ("invalid digit found in string", "expected a whole number"),
        ("cannot parse integer from empty string", "expected a whole number, found no text"),
        ("number too large to fit in target type", "the number is too large"),
        ("number too small to fit in target type", "the number is too small"),
        ("invalid float literal", "expected a number"),
        ("cannot parse float from empty string", "expected a number, found no text"),
    ];
    replacements.iter().fold(error.to_owned(), |text, (from, to)| text.replace(from, to))
}

/// How the program ends that was to end with this code: not well if output was lost. A verdict stays one.
pub fn ended(code: ExitCode) -> ExitCode {
    let Some(why) = LOST.get() else { return code };
    message(&format!("error: standard output: {why}\n"));
    if code == ExitCode::SUCCESS { ExitCode::FAILURE } else { code }
}

/// Remembers the first failure of standard output.
fn keep(written: io::Result<()>) {
    let closed = || Err(io::Error::other("it was closed when the program began"));
    let written = if is_closed() { closed() } else { written };
    if let Err(error) = written
        && error.kind() != io::ErrorKind::BrokenPipe
    {
        let _ = LOST.set(error.to_string());
    }
}

/// Whether standard output was closed when the program began. Before `main` Rust opens `/dev/null` in its place, which takes
/// everything; so it is looked at before that.
fn is_closed() -> bool {
    CLOSED.load(Ordering::Relaxed)
}

static CLOSED: AtomicBool = AtomicBool::new(false);

#[cfg(target_os = "linux")]
extern "C" fn look() {
    CLOSED.store(rustix::io::fcntl_getfd(io::stdout()).is_err(), Ordering::Relaxed);
}

// SAFETY: what stands in this section is called once, before `main`, with arguments that a function without any ignores. It
// asks the system about a descriptor and keeps the answer.
#[cfg(target_os = "linux")]
#[used]
#[unsafe(link_section = ".init_array")]
static LOOK: extern "C" fn() = look;
