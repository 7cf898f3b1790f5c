//! What Edax understands when it speaks no other protocol (R. Delorme, Edax 4.4 to 4.6; its `help` describes it).
//!
//! A search is `setboard`, `level` or `move-time`, and `go`; it ends with `Edax plays MOVE`. On the way comes a table, `depth
//! | score | time | nodes (N) | N/s | principal variation`, once Edax is set to be talkative, which is done with arguments
//! because some of its options are read only when it starts. A level is a depth up to 10; above, Edax prunes selectively
//! and says so (`12@73%`), and near the end it searches to the end. Options are arguments too: `selectivity = 3` is
//! `-selectivity 3`. The prompt `>` stands before lines that it has nothing to do with. Left out: books, `hint`, `mode`.

use super::client::{Client, Said, Wishes};
use super::discs::{self, Discs, square};
use super::error::Done;
use super::number::{Unread, count, decimal, is_like_one, may_be_one, read};
use super::observed::{Observed, hundredths};
use super::process::Process;
use super::{Abilities, Ask, Fault, Go, Says};
use crate::observed::{Bound, Info};
use std::time::Duration;

/// Bytes of an entry of its table, of which there are a power of two.
const ENTRY: u64 = 24;
/// A level that is no limit.
const DEEP: u32 = 60;
/// What stands in its list of options once.
const LISTED: &str = "search level:";
/// And what stands in the line after that, before the time for a move that it will hold to.
const TIME: &str = "search alloted time:";
/// How long that line may take to come after the one before it.
const NEXT_LINE: Duration = Duration::from_secs(1);
/// It takes no less for a move (`search_time_init` of its search.c: 10 ms less than it is allowed, and 0.1 s at least). As its author
/// left it, it takes a second (`options_bound` of its options.c), which is seen in its list.
const LEAST: Duration = Duration::from_millis(110);
/// What it does before it answers where it finds no book, without a line that would say so.
const BOOK: &str = "Edax makes a book first where it finds none (data/book.dat in its folder), which takes its level minutes: save \
                    one there once (`book save data/book.dat`), or have it begin with a lower `level`";

/// Edax, or what behaves like it.
#[derive(Debug, Default)]
pub(super) struct Edax {
    empties: u32,
}

impl Edax {
    /// Waits until it has done all that it was told: it lists its options, and with them its level.
    fn sync(&self, process: &mut Process) -> Done {
        process.send("options", LISTED)?;
        process.wait(LISTED, |_, line| bare(line).trim().starts_with(LISTED).then_some(()))
    }

    /// Tells it the time for a move.
    ///
    /// # Errors
    /// That it takes more, as it would without a word to us.
    fn allow(&self, process: &mut Process, time: Duration) -> Done {
        process.send(&format!("move-time {}.{:03}", time.as_secs(), time.subsec_millis()), LISTED)?;
        self.sync(process)?;
        let held = |line: &str| {
            let text = line.trim().strip_prefix(TIME)?.trim();
            Some(read(TIME, text, duration))
        };
        match process.wait_at_most(TIME, NEXT_LINE, |_, line| held(line))?.transpose() {
            Err(unread) => Err(Fault::Unread(unread)),
            Ok(Some(held)) if held > time => Err(Fault::Unable {
                what: format!("a time of {} s", time.as_secs_f64()),
                why: format!(
                    "this Edax takes {} s; the subjects edax-4.6 and edax-avx build one that takes less",
                    held.as_secs_f64()
                ),
            }),
            Ok(_) => Ok(()),
        }
    }
}

impl Client for Edax {
    fn arguments(&self, wishes: &Wishes<'_>) -> Done<Vec<String>> {
        let mut list = ["-vv", "-noise", "1", "-width", "250", "-mode", "3"].map(str::to_owned).to_vec();
        let mut add = |name: &str, value: &str| list.extend([format!("-{name}"), value.to_owned()]);
        if let Some(mib) = wishes.default("Hash").and_then(|mib| mib.parse::<u64>().ok()) {
            let entries = (mib << 20) / ENTRY;
            add("hash-table-size", &entries.max(1).ilog2().to_string());
        }
        let usual =
            [("Threads", "n-tasks", "1"), ("OwnBook", "book-usage", "off"), ("Ponder", "ponder", "off")];
        for (name, option, value) in usual {
            if wishes.default(name).is_some() {
                add(option, value);
            }
        }
        for (name, value) in wishes.wanted {
            add(name.trim(), value.trim());
        }
        Ok(list)
    }

    fn greet(&mut self, process: &mut Process, _: &Wishes<'_>) -> Done<Option<String>> {
        self.sync(process).map_err(|error| match error {
            Fault::Hung { patience, .. } => Fault::Unready { patience, why: BOOK },
            other => other,
        })?;
        // It tells its version to the terminal only.
        Ok(None)
    }

    fn abilities(&self) -> Abilities {
        Abilities {
            depth: true,
            time: true,
            time_step: Duration::from_millis(1),
            least_time: LEAST,
            own_limits: true,
            forgets: true,
            says: Says::ALL,
            ..Abilities::default()
        }
    }

    fn new_game(&mut self, process: &mut Process) -> Done {
        process.send("init", LISTED)?;
        self.sync(process)
    }

    fn prepare(&mut self, process: &mut Process, ask: &Ask<'_>, missing: Option<&[String]>) -> Done {
        let discs = Discs::read(ask.position)?;
        self.empties = discs.empties().saturating_sub(ask.moves.len() as u32);
        let missing = match missing {
            Some(missing) => missing,
            None => {
                process.send(&format!("setboard {}", discs.text('X', 'O', '-')), LISTED)?;
                ask.moves
            }
        };
        if !missing.is_empty() {
            let moves = missing.iter().map(|mv| if mv == "pass" { "PS" } else { mv.as_str() });
            process.send(&format!("play {}", moves.collect::<String>()), LISTED)?;
        }
        match ask.go {
            Go::Depth(plies) => {
                process.send(&format!("level {plies}"), LISTED)?;
            }
            Go::MoveTime(time) => {
                // A level goes on to hold next to a time.
                process.send(&format!("level {DEEP}"), LISTED)?;
                return self.allow(process, time);
            }
            _ => {}
        }
        self.sync(process)
    }

    fn go(&self, _: &Ask<'_>) -> String {
        "go".to_owned()
    }

    fn observe(&mut self, line: &str, observed: &mut Observed) -> Option<Said> {
        let line = bare(line);
        let end = match line.strip_prefix("Edax plays") {
            Some(text) => Some(Said::of(text, square(text.trim()))),
            None => line.contains("*** Game Over ***").then_some(Said::Nothing),
        };
        if end.is_none()
            && let Some(info) = observed.read(row(line, self.empties)).flatten()
        {
            observed.tell(info);
        }
        end
    }

    /// It makes its move on its board.
    fn plays(&self, _: &str) -> Option<bool> {
        Some(true)
    }

    fn deepest(&self, ask: &Ask<'_>) -> Option<u32> {
        if let Go::Depth(plies) = ask.go { Some(plies.max(self.empties)) } else { None }
    }

    fn words(&self) -> (&'static str, &'static str, Option<&'static str>) {
        ("Edax plays", "d3 or pass", Some("stop"))
    }
}

/// A line without the prompts that stand before it.
fn bare(line: &str) -> &str {
    line.trim_start_matches(['>', ' '])
}

/// A time as it writes them: minutes and seconds, with hours before them where there are any.
///
/// # Errors
/// What was expected, in words.
fn duration(text: &str) -> Result<Duration, &'static str> {
    let seconds = text.split(':').try_fold(0.0, |sum, part| Ok(sum * 60.0 + decimal(part)?));
    let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).map_err(|_| ""));
    time.map_err(|_| "a time such as 0:00.120")
}

/// A row of the table: depth, value, time, nodes, perhaps nodes a second, line. No row is what has no value with a sign, no
/// colon in its time, or no depth before both.
fn row(line: &str, empties: u32) -> Result<Option<Info>, Unread> {
    let columns: Vec<&str> = line.split_whitespace().collect();
    let [plies, columns @ ..] = columns.as_slice() else { return Ok(None) };
    let (mark, value, columns) = match columns {
        [mark @ ("<" | ">" | "?"), value, rest @ ..] => (*mark, *value, rest),
        [word, rest @ ..] => {
            let (mark, value) = word.split_at(word.find(|letter| !"<>?".contains(letter)).unwrap_or(0));
            (mark, value, rest)
        }
        [] => return Ok(None),
    };
    // Values always have a sign: without it this is a row of the board.
    let is_value = value.starts_with(['+', '-']) && is_like_one(value);
    let [time, columns @ ..] = columns else { return Ok(None) };
    if !is_like_one(plies) || !is_value || !time.contains(':') {
        return Ok(None);
    }
    let depth = read("row, depth", plies, |text| discs::depth(text, empties))?;
    let score = Some(hundredths(read("row, score", value, decimal)? * 100.0));
    let time = read("row, time", time, duration)?;
    let is_number = |word: &&&str| is_like_one(word);
    let numbers: Vec<&str> = columns.iter().take_while(is_number).copied().collect();
    let nodes = match numbers.as_slice() {
        // It leaves the column empty where it has searched none.
        [] if columns.first().is_none_or(|next| square(next).is_some()) => 0,
        [] => return Err(Unread::new("row, nodes", columns[0], "nodes")),
        [nodes] => read("row, nodes", nodes, count)?,
        [nodes, speed] if !may_be_one(nodes, speed) || !line.contains(&format!("{nodes} {speed}")) => {
            read("row, nodes", nodes, count)?
        }
        several => {
            return Err(Unread::new(
                "row, nodes",
                &several.join(" "),
                "nodes and nodes a second, without blanks in them",
            ));
        }
    };
    let pv = discs::line(&columns[numbers.len()..].concat());
    let bound = match mark {
        "<" => Bound::Upper,
        ">" => Bound::Lower,
        _ => Bound::Exact,
    };
    Ok(Some(Info { depth, nodes, time, score, bound, pv, ..Info::default() }))
}

#[cfg(test)]
mod tests {
    use super::super::EngineScore;
    use super::*;

    #[test]
    fn rows_are_told_from_the_rest() {
        let full =
            row("15@73%  -01        0:00.120       1266635   10555292 d3 C5 f6 D2 b5", 40).unwrap().unwrap();
        assert_eq!((full.depth, full.score, full.nodes), (15, Some(EngineScore::Cp(-100)), 1_266_635));
        assert_eq!((full.time, full.pv.len()), (Duration::from_millis(120), 5));
        let bound = row("   6   <+12        1:00.500             6            d3", 40).unwrap().unwrap();
        assert_eq!((bound.bound, bound.nodes, bound.pv), (Bound::Upper, 6, vec!["d3".to_owned()]));
        assert_eq!(bound.time, Duration::from_millis(60_500));
        for line in [
            " depth|score|       time   |  nodes (N)  |   N/s    | principal variation",
            "------+-----+--------------+-------------+----------+----------------------",
            "1 - - - - - - - - 1         0:00.000       1 |  |  |  |  |  |  |  |  | 1",
            "3 - - - . - - - - 3",
            "[start thinking (id.1)]",
            "",
        ] {
            assert_eq!(row(line, 40), Ok(None), "{line}");
        }
    }

    #[test]
    fn a_row_is_read_whole_or_not_at_all() {
        let nodes = |text: &str| {
            row(&format!("15@73%  -01        0:00.120       {text} d3 C5"), 40).unwrap().map(|row| row.nodes)
        };
        assert_eq!(
            (nodes("1,266,635   10,555,292"), nodes("20             900"), nodes("")),
            (Some(1_266_635), Some(20), Some(0))
        );
        for (line, field, text) in [
            ("1,5  -01  0:00.120  1266635  10555292 d3", "row, depth", "1,5"),
            ("15@x%  -01  0:00.120  1266635  10555292 d3", "row, depth", "15@x%"),
            ("15  -01x  0:00.120  1266635  10555292 d3", "row, score", "-01x"),
            ("15  -01  0:00.x  1266635  10555292 d3", "row, time", "0:00.x"),
            ("15  -01  0:00.120  1.27M  10555292 d3", "row, nodes", "1.27M"),
            ("15  -01  0:00.120  1 266 635  10555292 d3", "row, nodes", "1 266 635 10555292"),
            ("15  -01  0:00.120  1 266 d3", "row, nodes", "1 266"),
        ] {
            let unread = row(line, 40).unwrap_err();
            assert_eq!((unread.field, unread.text.as_str()), (field, text), "{line}");
        }
    }
}
