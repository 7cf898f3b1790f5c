//! Every option is set and read back; what cannot be set up is refused with a reason.

use super::*;
use secateur_games::chess::Chess;

fn settings() -> UciSettings {
    UciSettings::full_strength::<Chess>().expect("the build's own numbers")
}

#[test]
fn every_option_can_be_set_to_what_it_is() {
    let settings = settings();
    let entries = settings.entries();
    assert!(entries.len() > METHODS.len() + 15);
    for Entry { name, kind, .. } in &entries {
        let value = settings.value(name).unwrap_or_default();
        let same = settings.with::<Chess>(name, &value).expect(name);
        assert!(same == settings, "{name} = {value}, {kind:?}");
        let twice = entries.iter().filter(|other| plain(&other.name) == plain(name)).count();
        assert_eq!(twice, 1, "{name}");
    }
}

#[test]
fn every_option_can_be_set_to_something_else_and_read_back() {
    // Numbers of a method that is off are free of the limits of its other numbers.
    let free = UciSettings { methods: MethodSet::NONE, ..settings() };
    for Entry { name, kind, target } in free.entries() {
        let other = match (&target, &kind) {
            (Target::Params | Target::ClearHash, _) => continue,
            (Target::Methods, _) => "futility".to_owned(),
            (_, Kind::Check(on)) => (!on).to_string(),
            (_, Kind::Spin(value, _)) => (value + 1).to_string(),
            _ => continue,
        };
        let changed = free.with::<Chess>(&name.to_uppercase(), &other).expect(&name);
        assert_eq!(changed.value(&name), Some(other), "{name}");
        assert!(changed != free, "{name}");
    }
}

#[test]
fn texts_are_toml_or_stand_for_themselves() {
    for (name, value, read_back) in [
        ("mpc.t", "1.5", "1.5"),
        ("mpc.t", "2", "2.0"),
        ("mpc.t", "inf", "inf"),
        ("mpc.sides", "both", "both"),
        ("mpc.pairs", "[[4, 8]]", "[[4, 8]]"),
        ("probcut.growing", "[{ from = 5, shallow = 2, deep = 6 }]", "[{ deep = 6, from = 5, shallow = 2 }]"),
        ("futility.frontier", "q95", "q95"),
        ("host.ordering", "static", "static"),
        ("Hash", "5", "5"),
        ("MoveOverhead", "77", "77"),
    ] {
        let free = UciSettings { methods: MethodSet::NONE, ..settings() };
        let changed = free.with::<Chess>(name, value).expect(name);
        let same = |text: &str| read(text) == read(&changed.value(name).unwrap());
        assert!(same(read_back), "{name}: {:?}", changed.value(name));
    }
}

#[test]
fn what_cannot_be_set_up_is_refused_with_a_reason() {
    for (name, value, reason) in [
        ("nothing", "1", "unknown option"),
        ("Hash", "0", "expected 1 to"),
        ("Hash", "many", "expected 1 to"),
        ("mpc", "yes", "expected true or false"),
        ("Methods", "null-move+nul", "unknown method `nul`"),
        ("Params", "/no/such.toml", "no/such.toml"),
        ("null-move.reduction", "-1", "null-move: reduction -1"),
        ("null-move.reduction", "x", "null-move.reduction = x"),
        ("singular.min-depth", "1", "singular: min-depth 1"),
        ("host.check-extension", "7", "host.check-extension = 7"),
    ] {
        let error = settings().with::<Chess>(name, value).map(|_| ()).expect_err(name);
        assert!(error.contains(reason) && !error.is_empty(), "{name}: {error}");
    }
}

#[test]
fn a_parameter_file_keeps_the_size_of_the_table() {
    let file = tempfile::NamedTempFile::with_suffix(".toml").unwrap();
    std::fs::write(file.path(), "[host]\ntable-mib = 2\n[methods.null-move]\nreduction = 3\n").unwrap();
    let path = file.path().display().to_string();
    let changed = settings().with::<Chess>("Hash", "9").unwrap().with::<Chess>("Params", &path).unwrap();
    assert_eq!(changed.value("Hash").as_deref(), Some("9"));
    assert_eq!(changed.value("null-move.reduction").as_deref(), Some("3"));
    assert_eq!(changed.value("Params"), Some(path));
    let back = changed.with::<Chess>("Params", FULL_STRENGTH.params).unwrap();
    assert!(back.with::<Chess>("Hash", &settings().value("Hash").unwrap()).unwrap() == settings());
    let usual = back.with::<Chess>("Params", "<empty>").unwrap();
    assert_eq!(usual.value("Params").as_deref(), Some(""));
}

#[test]
fn names_hide_the_words_that_part_an_option_line() {
    let name = |text: &str| name_of(&text.split('/').map(str::to_owned).collect::<Vec<_>>());
    assert_eq!(name("methods/null-move/min-depth"), "null-move.min_depth");
    assert_eq!(name("host/table-min-depth"), "host.table-min_depth");
    assert_eq!(name("methods/lmr/max"), "lmr_max");
    assert_eq!(name("methods/mpc/t"), "mpc.t");
    let free = UciSettings { methods: MethodSet::NONE, ..settings() };
    for spelling in ["null-move.min_depth", "null-move.min-depth", "Null-Move.Min-Depth"] {
        assert_eq!(
            free.with::<Chess>(spelling, "3").unwrap().value("null-move.min_depth").as_deref(),
            Some("3")
        );
    }
    for Entry { name, .. } in settings().entries() {
        let parts = name.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
        assert!(parts.into_iter().all(|word| !RESERVED.contains(&word)), "{name}");
    }
}
