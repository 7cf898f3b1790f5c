//! How the instructions of a program of somebody else were counted, and how far the counts can be trusted, in words.

use secateur_record::counting::Counting;
use secateur_stats::runs::Runs;

/// The sentences on the counts of a game; `None` where our own search was counted, or nobody.
pub(crate) fn words(runs: &Runs, game: &str) -> Option<String> {
    let program_of = |entry: &secateur_record::manifest::GameEntry| {
        Some((entry.program.as_ref()?.name.clone(), entry.counting.clone()?))
    };
    let (manifest, (name, counting)) =
        runs.manifests.iter().find_map(|manifest| Some((manifest, program_of(manifest.game(game)?)?)))?;
    let rows = runs.records.iter().filter(|row| row.run == manifest.run && row.game == game);
    let spread = counting.spread(rows).map_or_else(
        || "no search was counted twice".to_owned(),
        |spread| {
            format!(
                "of {} searches counted twice the counts differ by {} (median), {} at most",
                spread.pairs,
                percent(spread.median),
                percent(spread.largest)
            )
        },
    );
    Some(format!("{} {spread}.{}", what(&name, &counting), odd(&counting)))
}

fn what(name: &str, counting: &Counting) -> String {
    let part = match counting.symbol.as_str() {
        "" => "from the line that begins a search to its answer".to_owned(),
        symbol => format!("within `{symbol}`"),
    };
    format!(
        "Instructions: of {name} as {} counts them {part}, all threads and processes together;",
        counting.tool
    )
}

fn odd(counting: &Counting) -> String {
    let (entered, left): (Vec<_>, Vec<_>) = counting.odd.iter().partition(|odd| odd.entered);
    let mut text = String::new();
    if let Some(first) = left.first() {
        text += &format!(
            " {} searches have no count (the first: {}, {}).",
            left.len(),
            first.position,
            first.why
        );
    }
    if let Some(first) = entered.first() {
        let why = "have the count of a search of other nodes, which the subject file allows";
        text += &format!(" {} searches {why} (the first: {}, {}).", entered.len(), first.position, first.why);
    }
    text
}

/// A small share: two counts of one search often agree to a few instructions in a million.
fn percent(share: f64) -> String {
    if share > 0.0 && share < 5e-7 {
        "less than 0.0001 %".to_owned()
    } else {
        format!("{:.4} %", 100.0 * share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_record::counting::{Again, Odd};
    use secateur_record::manifest::{GameEntry, Manifest, ProgramEntry};
    use secateur_record::record::{BudgetKind, Record};

    #[test]
    fn the_spread_and_what_has_no_count_are_said() {
        let row = Record {
            run: "r".into(),
            game: "chess".into(),
            position: "a".into(),
            methods: "full".into(),
            budget_kind: BudgetKind::Depth,
            budget: 4,
            instructions: Some(1_000),
            ..Record::default()
        };
        let again = Again {
            position: "a".to_owned(),
            methods: "full".to_owned(),
            budget_kind: BudgetKind::Depth,
            budget: 4,
            instructions: 1_010,
        };
        let odd = |entered| Odd {
            position: "b".to_owned(),
            methods: "full".to_owned(),
            budget_kind: BudgetKind::Depth,
            budget: 4,
            repeat: 0,
            why: "other nodes".to_owned(),
            entered,
        };
        let counting = Counting {
            tool: "valgrind-3".to_owned(),
            again: vec![again],
            odd: vec![odd(false), odd(true), odd(true)],
            ..Counting::default()
        };
        let program = Some(ProgramEntry { name: "mine".to_owned(), ..ProgramEntry::default() });
        let game =
            GameEntry { name: "chess".to_owned(), program, counting: Some(counting), ..GameEntry::default() };
        let manifest = Manifest { run: "r".to_owned(), game: vec![game], ..Manifest::default() };
        let runs = Runs { manifests: vec![manifest], records: vec![row], ..Runs::default() };
        let text = words(&runs, "chess").unwrap();
        for part in [
            "of mine as valgrind-3",
            "1 searches counted twice",
            "0.9950 % at most",
            "1 searches have no count",
            "2 searches have the",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert_eq!(words(&runs, "othello"), None);
        assert_eq!((percent(1e-8), percent(0.0)), ("less than 0.0001 %".to_owned(), "0.0000 %".to_owned()));
    }
}
