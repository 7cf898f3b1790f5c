//! What is said of effects that are known by construction.

use super::*;
use crate::svg::tests::{channels, contrast};
use secateur_record::record::Record;
use secateur_stats::fixtures::{combined as records, row};
use secateur_stats::group::groups;
use secateur_stats::measure::{Measure, NODES};

fn effects_of(records: &[Record], measure: &Measure) -> Effects {
    let groups = groups(records);
    effects(&designs(&groups)[0], measure).unwrap()
}

const SCALE: [u64; 5] = [7, 20, 31, 12, 50];

/// a halves the tree, b makes a fifth of it, c doubles it, whatever else is on.
fn independent(position: u64, bits: usize) -> u64 {
    let factor = [20, 10, 4, 2, 40, 20, 8, 4][bits];
    SCALE[position as usize] * factor
}

#[test]
fn methods_that_prune_the_same_nodes_overlap() {
    // a and b prune the same three quarters; c does nothing.
    let same = |position: u64, bits: usize| SCALE[position as usize] * if bits & 3 == 0 { 100 } else { 25 };
    let records = records(5, same);
    let effects = effects_of(&records, &NODES);
    let ab = effects.interactions[0];
    assert_eq!((ab.first, ab.second), (0, 1));
    assert!((ab.alone.effect.estimate - 4.0_f64.ln()).abs() < 1e-9 && ab.alone.p < 1e-6);
    assert!((effects.factors[0].share.estimate - 0.5).abs() < 1e-9, "twins share alike");
    assert!(effects.factors[0].last.effect.estimate.abs() < 1e-9, "next to its twin it adds nothing");
    let section = section(&groups(&records)).unwrap();
    let beginning = "**a and b** overlap: with a on, b is not shown to save anything, with a speed-up of 1.00 [1.00, 1.00], alone 4.00";
    assert!(section.text[1].starts_with(beginning), "{:?}", section.text);
    assert!(section.text[2].contains("because c leaves the number"), "{:?}", section.text);
    assert_eq!(section.tables[1].rows[0].last().unwrap(), "100 %");
}

#[test]
fn methods_that_help_each_other_have_a_negative_interaction() {
    let help = |position: u64, bits: usize| SCALE[position as usize] * if bits & 3 == 3 { 10 } else { 100 };
    let records = records(5, help);
    assert!(
        (effects_of(&records, &NODES).interactions[0].alone.effect.estimate + 10.0_f64.ln()).abs() < 1e-9
    );
    let text = section(&groups(&records)).unwrap().text;
    let start = "**a and b** help each other: a has a speed-up of 10.0 [10.0, 10.0] with b on, alone 1.00;";
    assert!(text[1].starts_with(start), "{text:?}");
}

#[test]
fn noise_is_not_shown_to_interact() {
    let noisy = |position: u64, bits: usize| {
        let noise = if bits == 3 { [90, 110, 95, 105, 100][position as usize] } else { 100 };
        independent(position, bits) * noise
    };
    let text = section(&groups(&records(5, noisy))).unwrap().text;
    assert!(text[1].starts_with("**a and b** are not shown to interact"), "{text:?}");
}

#[test]
fn the_share_that_both_save_is_said() {
    let nodes = |bits: usize| [1000, 200, 250, 100][bits];
    let mut records = Vec::new();
    for position in 0..4 {
        for (bits, methods) in ["none", "null-move", "mpc[t=1]", "null-move+mpc[t=1]"].into_iter().enumerate()
        {
            records.push(row(&format!("p{position}"), "28", methods, nodes(bits)));
        }
    }
    let text = section(&groups(&records)).unwrap().text.remove(1);
    // ln(5 x 4 / 10) = ln 2 of ln 4 is half.
    let sentence = "50 % of what mpc[t=1] saves, null-move saves too; with null-move on, mpc[t=1] still has a speed-up of 2.00";
    assert!(text.contains(sentence), "{text}");
}

/// What is left of the lesser method: something, nothing, less than nothing, and less than nothing from the start.
#[test]
fn sentences_say_what_a_second_method_is_still_worth() {
    let sentence = |b: u64, both: u64| {
        let nodes = |position: u64, bits: usize| SCALE[position as usize] * [1000, 100, b, both][bits & 3];
        section(&groups(&records(5, nodes))).unwrap().text.swap_remove(1)
    };
    for (b, both, ending) in [
        (
            500,
            80,
            "68 % of what b saves, a saves too; with a on, b still has a speed-up of 1.25 [1.25, 1.25], alone 2.00",
        ),
        (500, 100, "with a on, b is not shown to save anything"),
        (500, 125, "with a on, b makes the tree larger, with a speed-up of 0.80 [0.80, 0.80], alone 2.00"),
        (1250, 250, "b makes the tree larger, with a speed-up of 0.80 alone and 0.40 [0.40, 0.40] with a on"),
        (500, 48, "hardly interact: 20.8 together, 20.0 if each saved"),
        (500, 50, "are not shown to interact: 20.0 together, 20.0 if each saved"),
    ] {
        let text = sentence(b, both);
        assert!(text.starts_with("**a and b** ") && text.contains(ending), "{text}");
    }
}

/// Next to c the two do the opposite of what they do alone, and more of it.
#[test]
fn a_sign_that_company_turns_is_told() {
    let nodes = |position: u64, bits: usize| {
        SCALE[position as usize] * [1000, 500, 500, 350, 1000, 500, 500, 50][bits]
    };
    let text = section(&groups(&records(5, nodes))).unwrap().text;
    assert!(text[1].starts_with("**a and b** overlap"), "{text:?}");
    assert!(
        text[1].contains("With the others on it turns") && text[1].contains("they help each other (I = -0.6"),
        "{text:?}"
    );
}

/// One game at three depths: the interactions are reported once, at the deepest that has positions enough.
#[test]
fn interactions_are_told_at_one_depth_and_the_rest_are_shares_and_costs() {
    let mut all = Vec::new();
    for (depth, positions) in [(8, 5), (12, 4), (14, 2)] {
        let at = |record: Record| Record { budget: depth, regret: (depth == 8).then_some(3), ..record };
        all.extend(records(positions, independent).into_iter().map(at));
    }
    let groups = groups(&all);
    let parts = parts(&groups);
    assert_eq!(
        parts.iter().map(|p| p.title.as_str()).collect::<Vec<_>>(),
        ["othello, depth 8", "othello, depth 12", "othello, depth 14"]
    );
    assert_eq!(parts.iter().map(|p| p.text.len()).collect::<Vec<_>>(), [1, 4, 1]);
    assert!(
        parts[0].text[0].contains("5 positions")
            && parts[0].text[0].ends_with("for the interactions see depth 12.")
    );
    // Shares and regret; shares, interactions and moves; shares.
    assert_eq!(parts.iter().map(|p| p.tables.len()).collect::<Vec<_>>(), [2, 3, 1]);
    assert_eq!(figures(&groups).len(), 1);
    let whole = section(&groups).unwrap();
    assert_eq!((whole.text.len(), whole.tables.len()), (6, 6));
}

/// The ratio that WCAG 2.1 asks of text.
#[test]
fn letters_can_be_read_on_every_cell() {
    for step in -10..=10 {
        let cell = tint(f64::from(step) / 10.0);
        assert!(contrast(channels(&cell), channels(INK)) >= 4.5, "{cell}");
    }
    assert_eq!(tint(0.0), "#ffffff");
}
