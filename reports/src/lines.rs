//! A search line by line: what each place that prunes, reduces or extends saves or spends.
//!
//! Made of a run with an arm for every site, in which that site alone is off, and of what is known of the sites. Numbers are those
//! of a page of methods: paired by position, tests corrected together, "this run could have shown". Left out: games.

use crate::format::{or_dash, p_words, ratio, ratio_within, share};
use crate::provenance;
use crate::spending::spending;
use crate::table::{Report, Section, Table};
use secateur_record::sites::{Site, Sites};
use secateur_record::table::of_cells;
use secateur_stats::group::{Group, groups_of};
use secateur_stats::inference::Shown;
use secateur_stats::interval::Interval;
use secateur_stats::runs::Runs;
use secateur_stats::worth::{Tests, Worth, correct, level, nodes_between, without, worths};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Title of the table of all lines.
pub const EVERY: &str = "Every line";
/// Title of the lines without an effect.
pub const DEAD: &str = "Lines that changed nothing";
/// Letters of a condition in a table.
const FITS: usize = 60;

/// A line with what is known of it.
#[derive(Clone, Debug)]
pub struct Line<'s> {
    /// The site.
    pub site: &'s Site,
    /// The searches without it, tests corrected.
    pub worth: Worth,
    /// The factor that this run could have shown.
    pub could_have_shown: Option<f64>,
}

impl Line<'_> {
    /// Nodes without it over nodes with everything on.
    pub fn nodes(&self) -> Option<Interval> {
        self.worth.nodes.map(|nodes| nodes.within)
    }

    /// Whether no search was another without it.
    pub fn is_dead(&self) -> bool {
        self.worth.nodes.is_some_and(|nodes| nodes.is_nothing())
            && self.worth.same_move.is_some_and(|same| same.estimate == 1.0)
    }

    /// What the searches show, in one word.
    pub fn word(&self) -> &'static str {
        match self.worth.nodes.map_or(Shown::No, |nodes| nodes.shown()) {
            _ if self.is_dead() => "changes nothing",
            Shown::Above => "saves",
            Shown::Below => "spends",
            Shown::No => "undecided",
        }
    }

    /// Nodes without it: `1.33x`.
    pub fn factor(&self) -> String {
        or_dash(self.nodes().map(|nodes| format!("{}x", ratio(nodes.estimate))))
    }

    /// Its interval, its test and its condition.
    pub fn details(&self) -> String {
        let within = self.nodes().map_or_else(String::new, |nodes| ratio_within(&nodes));
        let p = self.worth.nodes.map_or_else(String::new, |nodes| p_words(Some(nodes.p)));
        format!("{within}; {p}; {}", self.site.condition)
    }

    /// The method that it belongs to, and how.
    pub fn belongs(&self) -> String {
        let Site { method, part_of, .. } = self.site;
        match (method.as_str(), part_of.as_str()) {
            ("", "") => "-".to_owned(),
            ("", part_of) => format!("part of {part_of}"),
            (method, _) => method.to_owned(),
        }
    }
}

/// The lines of a run.
#[derive(Debug)]
pub struct Lines<'g, 'a, 's> {
    /// The searches.
    pub group: &'g Group<'a>,
    /// The lines, those without which the nodes are most first.
    pub lines: Vec<Line<'s>>,
    /// Tests that were corrected together.
    pub tests: Tests,
}

impl<'g, 'a, 's> Lines<'g, 'a, 's> {
    /// Of the first group that has arms without single sites.
    pub fn of(groups: &'g [Group<'a>], sites: &'s Sites) -> Option<Lines<'g, 'a, 's>> {
        let site = |name: &str| sites.site.iter().find(|site| site.name == name);
        let with_sites = |group: &'g Group<'a>| {
            let mut all = worths(group, &[]);
            all.retain(|worth| site(&worth.method).is_some());
            let tests = correct(&mut all);
            (!all.is_empty()).then_some((group, all, tests))
        };
        let (group, all, tests) = groups.iter().find_map(with_sites)?;
        let line = |worth: Worth| {
            let could = worth.nodes.and_then(|nodes| nodes.could_have_shown(level(tests[0])));
            Some(Line { site: site(&worth.method)?, could_have_shown: could, worth })
        };
        let mut lines: Vec<Line<'s>> = all.into_iter().filter_map(line).collect();
        let factor = |line: &Line<'_>| line.nodes().map_or(1.0, |nodes| nodes.estimate);
        lines.sort_by(|one, other| factor(other).total_cmp(&factor(one)));
        Some(Lines { group, lines, tests })
    }

    /// The lines by file and number.
    pub fn beside(&self) -> Beside<'_> {
        let mut all = Beside::new();
        for line in &self.lines {
            all.entry((&line.site.file, line.site.line)).or_default().push(line);
        }
        all
    }

    /// The gates of methods, each with the places within it that leave the node or skip the move.
    fn gates(&self) -> Vec<(&Line<'s>, &Line<'s>, Option<Interval>)> {
        let cuts = |kind: &str| matches!(kind, "return" | "skip" | "case");
        let mut all = Vec::new();
        for cut in self.lines.iter().filter(|line| cuts(&line.site.kind)) {
            let gate = self.lines.iter().find(|line| Some(line.site.number) == cut.site.within);
            let is_gate = |gate: &&Line<'_>| !gate.site.method.is_empty();
            if let Some(gate) = gate.filter(is_gate) {
                let (of_cut, of_gate) = (without(&[&cut.site.name]), without(&[&gate.site.name]));
                all.push((
                    gate,
                    cut,
                    nodes_between(self.group, &of_cut, &of_gate).map(|effect| effect.within),
                ));
            }
        }
        all.sort_by_key(|(gate, ..)| gate.site.number);
        all
    }
}

/// The report: every line, gates against their cuts, terms of reductions, and lines that changed nothing.
pub fn report(runs: &Runs, sites: &Sites) -> Report {
    let groups = groups_of(runs);
    let Some(lines) = Lines::of(&groups, sites) else {
        return Report::new("Line by line: nothing was searched");
    };
    let program = runs.program(lines.group.game).map_or_else(String::new, |program| program.id.clone());
    let mut report = Report::new(&format!("{program} line by line"));
    report.notes.extend(runs.notes.iter().cloned());
    report.notes.push(
        "A line is off alone, everything else is on: what it saves says nothing of what it is worth in games.".to_owned(),
    );
    report.sections =
        [every(&lines), gates(&lines), terms(&lines), dead(&lines)].into_iter().flatten().collect();
    report.sections.push(provenance::section(runs));
    report
}

fn every(lines: &Lines<'_, '_, '_>) -> Option<Section> {
    let table: Table = lines.lines.iter().map(row).collect();
    let tests = lines.tests[0];
    let table = table.noted(format!(
        "Nodes without the line over nodes with everything on, geometric mean over {} positions, 95 % intervals. \"Saves\" and \"spends\" are \
         significant at 5 % after Holm correction of {tests} tests. \"Could have shown\": the factor that this run shows in 80 of 100 \
         repetitions. \"Entered\": how often the condition was true in the searches of the proof.",
        lines.group.blocks.len(),
    ));
    let text = std::iter::once(summary(lines)).chain(spending(lines.group)).collect();
    Some(Section { title: EVERY.to_owned(), text, tables: vec![table] })
}

/// What stands out, in a sentence.
fn summary(lines: &Lines<'_, '_, '_>) -> String {
    let named = |line: &Line<'_>| {
        let factor = line.nodes().map_or(f64::NAN, |nodes| nodes.estimate);
        format!("{} ({}, {}x)", place(line.site), line.belongs(), ratio(factor))
    };
    let lines_of = |word: &str| lines.lines.iter().filter(|line| line.word() == word).collect::<Vec<_>>();
    let (saves, spends, dead) = (lines_of("saves"), lines_of("spends"), lines_of("changes nothing"));
    let mut text = format!(
        "{}: of {} lines, {} save nodes, {} spend nodes and {} change nothing; the rest is undecided.",
        lines.group.heading(),
        lines.lines.len(),
        saves.len(),
        spends.len(),
        dead.len()
    );
    if let Some(most) = saves.first() {
        text += &format!(" The most is saved by {}.", named(most));
    }
    if let Some(most) = spends.last() {
        text += &format!(" The most is spent by {}.", named(most));
    }
    text
}

fn row(line: &Line<'_>) -> [(&'static str, String); 8] {
    [
        ("<line", place(line.site)),
        ("<method", line.belongs()),
        ("nodes when off", within(line.nodes())),
        ("<shown", line.word().to_owned()),
        ("could have shown", or_dash(line.could_have_shown.map(|factor| format!("{}x", ratio(factor))))),
        ("moves changed", or_dash(line.worth.same_move.map(|same| share(1.0 - same.estimate)))),
        ("entered", count(line.site.entered)),
        ("<condition", shortened(&line.site.condition)),
    ]
}

fn within(factor: Option<Interval>) -> String {
    or_dash(factor.as_ref().map(ratio_within))
}

fn count(count: Option<u64>) -> String {
    or_dash(count.map(secateur_stats::labels::count))
}

/// File and line, the file without its folders: a table is narrow, and the page has the rest.
fn place(site: &Site) -> String {
    format!("{}:{}", site.file.rsplit('/').next().unwrap_or_default(), site.line)
}

fn gates(lines: &Lines<'_, '_, '_>) -> Option<Section> {
    let row = |(gate, cut, probe): (&Line<'_>, &Line<'_>, Option<Interval>)| {
        [
            ("<method", gate.belongs()),
            ("<gate", place(gate.site)),
            ("gate off", within(gate.nodes())),
            ("<cut", format!("{} {}", place(cut.site), shortened(&cut.site.condition))),
            ("cut off, probe on", within(cut.nodes())),
            ("what the probe costs", within(probe)),
        ]
    };
    let table = lines.gates().into_iter().map(row).collect::<Table>().noted(
        "With its gate off a method neither probes nor cuts. With its cut off it probes for nothing. The last column is the second over the \
         first, paired by position: the nodes of the probes and of what follows from them. A line's own effect is in the table above.",
    );
    Section::of_table("What a method's probe costs and what its cut gains", Vec::new(), table)
}

fn terms(lines: &Lines<'_, '_, '_>) -> Option<Section> {
    let is_term =
        |line: &&Line<'_>| matches!(line.site.kind.as_str(), "term" | "choice" | "depth" | "reduction");
    let mut table: Table = lines.lines.iter().filter(is_term).map(row).collect();
    // Neither what could have been shown nor how often: the table of every line has both.
    table.keep_columns(|heading| !["could have shown", "entered"].contains(&heading));
    if let Some((condition, _)) = table.columns.last_mut() {
        "term".clone_into(condition);
    }
    Section::of_table("Terms of reductions and extensions", Vec::new(), table)
}

fn dead(lines: &Lines<'_, '_, '_>) -> Option<Section> {
    let row = |line: &Line<'_>| {
        let why = match (line.site.asked, line.site.entered) {
            (Some(0), _) => "never asked",
            (_, Some(0)) => "never true",
            (_, Some(_)) => "true, and nothing follows from it",
            _ => "-",
        };
        [
            ("<line", place(line.site)),
            ("<method", line.belongs()),
            ("asked", count(line.site.asked)),
            ("true", count(line.site.entered)),
            ("<why", why.to_owned()),
            ("<condition", shortened(&line.site.condition)),
        ]
    };
    let table: Table = lines.lines.iter().filter(|line| line.is_dead()).map(row).collect();
    let note = "At these positions and this depth; another depth may reach them.";
    Section::of_table(DEAD, Vec::new(), table.noted(note))
}

fn shortened(condition: &str) -> String {
    match condition.char_indices().nth(FITS) {
        Some((end, _)) => format!("{} ..", &condition[..end]),
        None => condition.to_owned(),
    }
}

/// The name of a column, and its value of a line.
type Column = (&'static str, fn(&Lines<'_, '_, '_>, &Line<'_>) -> Value);

/// What a line is exported as, unrounded.
const COLUMNS: [Column; 20] = [
    ("site", |_, line| json!(line.site.name)),
    ("number", |_, line| json!(line.site.number)),
    ("file", |_, line| json!(line.site.file)),
    ("line", |_, line| json!(line.site.line)),
    ("function", |_, line| json!(line.site.function)),
    ("kind", |_, line| json!(line.site.kind)),
    ("method", |_, line| json!(line.site.method)),
    ("part_of", |_, line| json!(line.site.part_of)),
    ("certainty", |_, line| json!(line.site.certainty)),
    ("nodes", |_, line| json!(line.nodes().map(|nodes| nodes.estimate))),
    ("nodes_low", |_, line| json!(line.nodes().map(|nodes| nodes.low))),
    ("nodes_high", |_, line| json!(line.nodes().map(|nodes| nodes.high))),
    ("p", |_, line| json!(line.worth.nodes.map(|nodes| nodes.p))),
    ("shown", |_, line| json!(line.word())),
    ("could_have_shown", |_, line| json!(line.could_have_shown)),
    ("same_move", |_, line| json!(line.worth.same_move.map(|same| same.estimate))),
    ("positions", |lines, _| json!(lines.group.blocks.len())),
    ("asked", |_, line| json!(line.site.asked)),
    ("entered", |_, line| json!(line.site.entered)),
    ("condition", |_, line| json!(line.site.condition)),
];

/// Every line, unrounded, one to a row.
pub fn csv(runs: &Runs, sites: &Sites) -> String {
    let cell = |(_, value): (&str, Value)| match value {
        Value::Null => String::new(),
        Value::String(text) => text,
        value => value.to_string(),
    };
    of_cells(COLUMNS.map(|(name, _)| name), numbers(runs, sites).into_iter().map(|row| row.map(cell)))
}

/// The same for a tool.
pub fn json(runs: &Runs, sites: &Sites) -> String {
    let Report { title, notes, .. } = report(runs, sites);
    let lines: Vec<BTreeMap<&str, Value>> = numbers(runs, sites).into_iter().map(BTreeMap::from).collect();
    format!("{:#}\n", json!({ "layout": 1, "title": title, "notes": notes, "lines": lines }))
}

fn numbers(runs: &Runs, sites: &Sites) -> Vec<[(&'static str, Value); COLUMNS.len()]> {
    let groups = groups_of(runs);
    let lines = Lines::of(&groups, sites);
    let each = lines.iter().flat_map(|lines| lines.lines.iter().map(move |line| (lines, line)));
    each.map(|(lines, line)| COLUMNS.map(|(name, value)| (name, value(lines, line)))).collect()
}

/// The lines by their places, with their files: what stands next to the source.
pub type Beside<'l> = BTreeMap<(&'l str, u32), Vec<&'l Line<'l>>>;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::html::of_lines;
    use secateur_stats::fixtures::{manifest, row};

    fn site(name: &str, line: u32, method: &str, part_of: &str, within: Option<u32>) -> Site {
        Site {
            name: name.to_owned(),
            number: line,
            method: method.to_owned(),
            part_of: part_of.to_owned(),
            kind: if within.is_some() { "return" } else { "gate" }.to_owned(),
            file: "src/search.c".to_owned(),
            line,
            condition: format!("depth > {line} <b>"),
            within,
            asked: Some(9),
            entered: Some(0),
            ..Site::default()
        }
    }

    /// A gate at line 2 whose cut is at line 4, a line 6 that spends, and a line 8 that nothing follows from.
    fn measured() -> (Runs, Sites) {
        let mut records = Vec::new();
        for position in 0..12 {
            for (arm, nodes) in [
                ("full", 1000),
                ("full[-search-2]", 1300),
                ("full[-search-4]", 1700),
                ("full[-search-6]", 500),
                ("full[-search-8]", 1000),
            ] {
                let noise = if nodes == 1000 { 0 } else { position * 7 % 5 };
                records.push(row(&position.to_string(), "28", arm, nodes * (position + 1) + noise));
            }
        }
        let manifest = manifest("[[game]]\nname = \"othello\"\nbaseline = \"full\"\n");
        let notes = vec!["mine: its switches were cut from its source <b>".to_owned()];
        let runs = Runs { records, manifests: vec![manifest], notes, ..Runs::default() };
        let sites = vec![
            site("search-2", 2, "null-move", "", None),
            site("search-4", 4, "", "null-move", Some(2)),
            site("search-6", 6, "", "", None),
            site("search-8", 8, "lmr", "", None),
        ];
        (runs, Sites { files: vec!["src/search.c".to_owned()], site: sites })
    }

    #[test]
    fn each_line_has_its_nodes_and_a_gate_stands_against_its_cut() {
        let (runs, sites) = measured();
        let report = report(&runs, &sites);
        let cells = |title: &str| {
            let section = report.sections.iter().find(|section| section.title == title);
            section.map_or_else(Vec::new, |section| section.tables[0].rows.clone())
        };
        let every = cells(EVERY);
        let rows: Vec<(&str, &str, &str)> =
            every.iter().map(|row| (row[0].as_str(), row[1].as_str(), row[3].as_str())).collect();
        assert_eq!(
            rows,
            [
                ("search.c:4", "part of null-move", "saves"),
                ("search.c:2", "null-move", "saves"),
                ("search.c:8", "lmr", "changes nothing"),
                ("search.c:6", "-", "spends")
            ]
        );
        assert!(every[0][2].starts_with("1.70 ["), "{every:?}");
        let gate = cells("What a method's probe costs and what its cut gains");
        assert_eq!(gate.len(), 1);
        // 1700 over 1300: what is searched for nothing where the cut is off.
        assert!(gate[0][5].starts_with("1.31 ["), "{gate:?}");
        let dead = cells(DEAD);
        assert_eq!((dead.len(), dead[0][0].as_str(), dead[0][4].as_str()), (1, "search.c:8", "never true"));
        let sentence = &report.sections[0].text[0];
        assert!(sentence.contains("2 save nodes, 1 spend nodes and 1 change nothing"), "{sentence}");
    }

    #[test]
    fn numbers_are_exported_unrounded_and_the_page_has_the_source() {
        let (runs, sites) = measured();
        let text = csv(&runs, &sites);
        assert_eq!(text.lines().count(), 5);
        assert!(text.starts_with("site,number,file,line,function,kind,method"), "{text}");
        let json: serde_json::Value = serde_json::from_str(&json(&runs, &sites)).unwrap();
        assert_eq!(json["lines"][0]["site"], "search-4");
        assert_eq!(json["notes"][0], runs.notes[0], "what was proved of the switches");
        assert!((json["lines"][0]["nodes"].as_f64().unwrap() - 1.7).abs() < 0.01);
        let lines: Vec<String> = (1..=60).map(|line| format!("if (x < {line}) return;")).collect();
        let source = BTreeMap::from([("src/search.c".to_owned(), lines.join("\n"))]);
        let page = of_lines(&runs, &sites, &source);
        assert!(
            page.contains("if (x &lt; 4) return;") && page.contains(">1.70x<"),
            "the line and what it saves"
        );
        assert!(!page.contains("if (x &lt; 40) return;"), "far from any site");
        assert!(page.contains("its switches were cut from its source") && !page.contains("<b>"));
    }
}
