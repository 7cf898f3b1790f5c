//! Where no condition holds late-move reductions: the assignments of what is subtracted from the depth of searches.

use std::collections::BTreeSet;

use super::{Named, Verdict};
use crate::find::{Candidate, Comments, Facts, Lexicon, Place, Program, Role, Searching, flat, is_constant};
use crate::parse::{Id, Syntax};
use crate::site::Kind;

pub(super) fn unconditional(program: &Program<'_>, places: &mut Vec<Named>, lexicon: &Lexicon<'_>) {
    for (search, searching) in program.searching.iter().enumerate() {
        let has_condition = places
            .iter()
            .any(|place| place.place.search == search && place.is_site_of("lmr") && place.shaped);
        if searching.role != Role::Search || has_condition {
            continue;
        }
        let Some(main_loop) = searching.main_loop else { continue };
        let tree = searching.tree;
        let subtracted = subtracted(searching, main_loop, lexicon);
        let (mut new, mut seen) = (Vec::new(), BTreeSet::new());
        for (id, target, value) in &searching.assignments {
            let Some(value) = value.filter(|_| tree.contains(main_loop, *id) && subtracted.contains(target))
            else {
                continue;
            };
            let plain = tree.assigned(*id).is_some_and(|assigned| matches!(assigned.operator, "=" | "init"));
            let taken =
                places.iter().any(|place| place.place.search == search && place.place.candidate.node == *id);
            if plain && !taken && !is_constant(&tree.text(value)) && seen.insert(*id) {
                new.push(site(search, *id, value, neutral(program, searching, main_loop, target), target));
            }
        }
        places.extend(new);
    }
}

/// The variables that are subtracted from the depth of searches of moves, or are called reductions.
fn subtracted(searching: &Searching<'_>, main_loop: Id, lexicon: &Lexicon<'_>) -> BTreeSet<String> {
    let tree = searching.tree;
    let mut names = BTreeSet::new();
    for (_, argument) in searching.depth_arguments.iter().filter(|(call, _)| tree.contains(main_loop, **call))
    {
        for id in tree.walk(*argument).filter(|id| tree.is(*id, Syntax::Binary) && tree.operator(*id) == "-")
        {
            let Some(right) = tree.field(id, "right") else { continue };
            let is_plain = |name: &String| {
                let name_flat = flat(name);
                !name_flat.contains("ext")
                    && !name_flat.contains("depth")
                    && !name_flat.contains("ply")
                    && name.bytes().any(|byte| byte.is_ascii_lowercase())
            };
            names.extend(tree.operands(right).into_iter().filter(is_plain));
        }
    }
    let in_loop = searching.assignments.iter().filter(|(id, ..)| tree.contains(main_loop, *id));
    names.extend(
        in_loop
            .filter(|(_, target, _)| lexicon.is(target, "reduction-name"))
            .map(|(_, target, _)| target.clone()),
    );
    names
}

/// What is subtracted where nothing is reduced: a ply, where that is within the sum of the other searches.
fn neutral(program: &Program<'_>, searching: &Searching<'_>, main_loop: Id, target: &str) -> &'static str {
    let packed = |searching: &Searching<'_>, argument: Id| searching.tree.packed(argument);
    let everywhere: Vec<String> = program
        .searching
        .iter()
        .flat_map(|other| other.depth_arguments.values().map(|argument| packed(other, *argument)))
        .collect();
    let minus = format!("-{target}");
    let without: Vec<String> = everywhere
        .iter()
        .filter(|text| text.contains(&minus))
        .map(|text| text.replace(&minus, "").replace("-()", ""))
        .collect();
    let takes_ply =
        |text: &String| ["-1", "-(1", "-ONE_PLY", "-one_ply"].iter().any(|ply| text.contains(ply));
    let here =
        searching.depth_arguments.iter().filter(|(call, _)| searching.tree.contains(main_loop, **call));
    let ends_with_ply = here
        .map(|(_, argument)| packed(searching, *argument))
        .any(|text| text.ends_with("-1") || text.to_ascii_uppercase().ends_with("-ONE_PLY"));
    let whole = without.iter().any(|text| everywhere.contains(text) || takes_ply(text));
    if !without.is_empty() && !whole && ends_with_ply { "1" } else { "0" }
}

fn site(search: usize, node: Id, value: Id, neutral: &'static str, target: &str) -> Named {
    let candidate = Candidate {
        node,
        condition: value,
        asked: None,
        body: value,
        kind: Kind::Reduction,
        direct: BTreeSet::new(),
        deep: BTreeSet::new(),
        reason: None,
        keeps: false,
        neutral,
    };
    let facts = Facts {
        set: BTreeSet::from(["in-loop".to_owned()]),
        asked: Vec::new(),
        body: Vec::new(),
        called: Vec::new(),
        target: target.to_owned(),
    };
    Named {
        place: Place { search, candidate, comments: Comments::default(), facts, around: None },
        verdict: Verdict::Site,
        method: "lmr".to_owned(),
        evidence: vec!["a reduction without a condition".to_owned()],
        points: vec![("lmr".to_owned(), 6.0)],
        shaped: true,
        worded: false,
    }
}
