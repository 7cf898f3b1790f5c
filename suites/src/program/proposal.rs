//! What a subject file of a program could say, from the options that it advertises.
//!
//! An option is taken for a switch of a method by the words of its name, and the value that switches it off by its kind: a
//! check is false, a choice is `Never`, a number is at the end of its range at which nothing is pruned. That is a guess, and
//! [`Program::looked_at`](super::Program::looked_at) holds it to searches.

use secateur_engines::{Choice, Kind, Protocol};

/// Methods by the words by which options and sources call them, those of several words before those that they contain.
/// Words of at most three letters are looked for as whole words.
pub const WORDS: &[(&str, &[&str])] = &[
    ("null-move", &["nullmove", "nullsearch", "donull", "nullprun", "nmp", "nmr"]),
    ("reverse-futility", &["reversefutility", "staticnull", "betaprun", "rfp"]),
    ("futility", &["futil"]),
    ("delta", &["deltaprun", "deltamargin"]),
    ("razoring", &["razor"]),
    ("mpc", &["multiprobcut", "mpc", "selectivity"]),
    ("probcut", &["probcut"]),
    ("multi-cut", &["multicut"]),
    ("lmr", &["latemovered", "fulldepthmoves", "lmr"]),
    ("lmp", &["latemoveprun", "movecountprun", "lmp"]),
    ("history-pruning", &["historyprun", "historyleaf"]),
    ("see", &["seeprun", "prunesee"]),
];

/// Words of a choice that say that something is off.
const OFF: [&str; 7] = ["never", "off", "none", "no", "disabled", "false", "0"];
/// Words in the name of an option that is on when its method is off.
const NEGATED: [&str; 5] = ["no", "disable", "without", "off", "skip"];
/// A range beyond this is no range.
const WIDE: i64 = 1_000_000_000;

/// A method that a program can be asked to do without.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// The factor.
    pub name: String,
    /// Options with the values that switch it off.
    pub options: Vec<(String, String)>,
    /// Whether the program has these values anyway.
    pub ships_off: bool,
}

impl Proposal {
    /// Its options as a subject file writes them.
    pub fn settings(&self) -> String {
        self.options.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("; ")
    }
}

/// How an option switches a method off, the plainest first: of a method only its plainest options are set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Way {
    Switch,
    Depth,
    Moves,
    Margin,
}

/// The switches among the options of a program, in the order in which it names them.
pub fn proposals(options: &[Choice]) -> Vec<Proposal> {
    let mut by_way: Vec<(Way, Proposal)> = Vec::new();
    for option in options {
        let (Some(name), Some((way, value))) = (method(&option.name), off(option)) else { continue };
        let is_off = option.default.as_deref().is_some_and(|now| now.trim().eq_ignore_ascii_case(&value));
        let setting = (option.name.clone(), value);
        match by_way.iter_mut().find(|(_, proposal)| proposal.name == name) {
            Some((same_way, proposal)) if *same_way == way => {
                proposal.options.push(setting);
                proposal.ships_off &= is_off;
            }
            Some((way_before, _)) if *way_before < way => {}
            Some(before) => *before = (way, Proposal { name, options: vec![setting], ships_off: is_off }),
            None => by_way.push((way, Proposal { name, options: vec![setting], ships_off: is_off })),
        }
    }
    by_way.into_iter().map(|(_, proposal)| proposal).collect()
}

/// What is known of a program by what it speaks, where that has no words for options: the sources of Edax 4.4 to 4.6 ask
/// `depth >= probcut-d` before each ProbCut (`search_probcut` of midgame.c), so none is made at this one.
pub fn of_protocol(protocol: Protocol) -> Vec<Proposal> {
    let options = vec![("probcut-d".to_owned(), "60".to_owned())];
    let probcut = Proposal { name: "probcut".to_owned(), options, ships_off: false };
    if protocol == Protocol::Edax { vec![probcut] } else { Vec::new() }
}

/// The method that a name speaks of, by [`WORDS`]; another kind of pruning by its own words.
pub(super) fn method(name: &str) -> Option<String> {
    let tokens = tokens(name);
    let joined: String = tokens.concat();
    let says = |word: &&str| match word.len() {
        ..=3 => tokens.iter().any(|token| token == word),
        _ => joined.contains(*word),
    };
    if let Some((method, _)) = WORDS.iter().find(|(_, tokens_of_method)| tokens_of_method.iter().any(&says)) {
        return Some((*method).to_owned());
    }
    let prunes = tokens.iter().any(|token| token.starts_with("prun"));
    let named: Vec<&str> =
        tokens.iter().map(String::as_str).filter(|token| !NEGATED.contains(token)).collect();
    (prunes && named.len() > 1).then(|| named.join("-"))
}

/// The words of a name in small letters: between signs, and where a small letter is followed by a large one.
fn tokens(name: &str) -> Vec<String> {
    let letters: Vec<char> = name.chars().collect();
    let mut all = vec![String::new()];
    for (at, &letter) in letters.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| letters[at]);
        let next_small = letters.get(at + 1).is_some_and(|next| next.is_ascii_lowercase());
        let begins = letter.is_ascii_uppercase()
            && before.is_some_and(|before| {
                before.is_ascii_lowercase() || before.is_ascii_uppercase() && next_small
            });
        if !letter.is_ascii_alphanumeric() || begins {
            all.push(String::new());
        }
        if let Some(last) = all.last_mut().filter(|_| letter.is_ascii_alphanumeric()) {
            last.push(letter.to_ascii_lowercase());
        }
    }
    all.retain(|token| !token.is_empty());
    all
}

/// How an option of a method switches it off, if that can be told.
fn off(option: &Choice) -> Option<(Way, String)> {
    let tokens = tokens(&option.name);
    let has = |marks: &[&str]| tokens.iter().any(|token| marks.contains(&token.as_str()));
    let negated = has(&NEGATED);
    match &option.kind {
        Kind::Check => Some((Way::Switch, negated.to_string())),
        Kind::Combo(values) => {
            let never = |value: &&String| OFF.contains(&value.to_lowercase().as_str());
            values.iter().find(never).map(|value| (Way::Switch, value.clone()))
        }
        Kind::Spin { min: 0, max: 1 } => Some((Way::Switch, u8::from(negated).to_string())),
        Kind::Spin { min, max } if *min < -WIDE || *max > WIDE => {
            has(&["enable", "enabled", "use"]).then(|| (Way::Switch, "0".to_owned()))
        }
        Kind::Spin { min, max } => {
            let (least, most) = (min.to_string(), max.to_string());
            if has(&["depth", "plies"]) && has(&["min", "minimum"]) {
                Some((Way::Depth, most))
            } else if has(&["depth", "plies"]) && *min <= 0 {
                Some((Way::Depth, least))
            } else if has(&["moves", "count"]) {
                Some((Way::Moves, most))
            } else if has(&["margin", "threshold"]) {
                Some((Way::Margin, most))
            } else {
                None
            }
        }
        Kind::Text | Kind::Button | Kind::Unread(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choice(name: &str, kind: Kind, default: &str) -> Choice {
        Choice { name: name.to_owned(), kind, default: Some(default.to_owned()) }
    }

    fn combo(values: &[&str]) -> Kind {
        Kind::Combo(values.iter().map(|value| (*value).to_owned()).collect())
    }

    fn in_words(options: &[Choice]) -> Vec<String> {
        let written =
            |p: &Proposal| format!("{}: {}{}", p.name, p.settings(), if p.ships_off { " (off)" } else { "" });
        proposals(options).iter().map(written).collect()
    }

    /// Options of Toga II and Glaurung, whose files were written by hand.
    #[test]
    fn the_switches_of_known_programs_are_those_of_their_files() {
        let spin = |min, max| Kind::Spin { min, max };
        let toga = [
            choice("Hash", spin(4, 1024), "16"),
            choice("NullMove Pruning", combo(&["Always", "Fail High", "Never"]), "Always"),
            choice("NullMove Reduction", spin(1, 4), "3"),
            choice("Verification Search", combo(&["Always", "Endgame", "Never"]), "Always"),
            choice("History Pruning", Kind::Check, "true"),
            choice("History Threshold", spin(0, 100), "70"),
            choice("Futility Pruning", Kind::Check, "false"),
            choice("Futility Margin", spin(0, 500), "100"),
            choice("Delta Pruning", Kind::Check, "true"),
            choice("Piece Activity", spin(0, 400), "100"),
        ];
        let expected = [
            "null-move: NullMove Pruning=Never",
            "history-pruning: History Pruning=false",
            "futility: Futility Pruning=false (off)",
            "delta: Delta Pruning=false",
        ];
        assert_eq!(in_words(&toga), expected);
        let glaurung = [
            choice("Full Depth Moves (PV nodes)", spin(1, 100), "14"),
            choice("Full Depth Moves (non-PV nodes)", spin(1, 100), "3"),
            choice("Futility Margin 0", spin(0, 1000), "50"),
            choice("Futility Pruning (Main Search)", Kind::Check, "true"),
            choice("Futility Pruning (Quiescence Search)", Kind::Check, "true"),
            choice("Maximum Razoring Depth", spin(0, 4), "3"),
            choice("Razoring Margin", spin(150, 600), "300"),
            choice("Minimum Split Depth", spin(4, 7), "4"),
        ];
        let expected = [
            "lmr: Full Depth Moves (PV nodes)=100; Full Depth Moves (non-PV nodes)=100",
            "futility: Futility Pruning (Main Search)=false; Futility Pruning (Quiescence Search)=false",
            "razoring: Maximum Razoring Depth=0",
        ];
        assert_eq!(in_words(&glaurung), expected);
    }

    #[test]
    fn a_name_is_read_by_its_words_and_a_value_by_its_kind() {
        let spin = |min, max| Kind::Spin { min, max };
        let options = [
            choice("UseNMP", Kind::Check, "true"),
            choice("RFPDepth", spin(0, 20), "8"),
            choice("RFPMargin", spin(0, 200), "80"),
            choice("Disable LMR", Kind::Check, "false"),
            choice("LMPMinDepth", spin(1, 12), "3"),
            choice("ProbCut", spin(0, 1), "1"),
            choice("Lazy Pruning", Kind::Check, "true"),
            choice("Multi-Cut", combo(&["on", "Off"]), "on"),
            // What is no pruning, and what cannot be told.
            choice("Seed", spin(0, 100), "1"),
            choice("LMRBase", spin(0, 200), "75"),
            choice("Overseer", Kind::Check, "true"),
        ];
        let expected = [
            "null-move: UseNMP=false",
            "reverse-futility: RFPDepth=0",
            "lmr: Disable LMR=true",
            "lmp: LMPMinDepth=12",
            "probcut: ProbCut=0",
            "lazy-pruning: Lazy Pruning=false",
            "multi-cut: Multi-Cut=Off",
        ];
        assert_eq!(in_words(&options), expected);
    }
}
