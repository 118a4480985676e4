use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::*;

#[test]
fn the_committed_folder_is_what_is_made() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors");
    let made: BTreeMap<String, Vec<u8>> = make().into_iter().collect();
    let mut there = BTreeSet::new();
    for entry in std::fs::read_dir(&dir).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let bytes = std::fs::read(&path).unwrap();
        assert_eq!(
            made.get(&name).map(|b| String::from_utf8_lossy(b)),
            Some(String::from_utf8_lossy(&bytes)),
            "{name}: run `aerscope make vectors vectors` after a change"
        );
        there.insert(name);
    }
    assert_eq!(there, made.into_keys().collect());
}

#[test]
fn every_class_a_file_can_have_is_there() {
    // These need a file system, and are tested where they arise.
    let elsewhere = [Class::IoError, Class::NotAFile, Class::TooLarge];
    let mut maker = Maker::default();
    all(&mut maker);
    let there: BTreeSet<Class> = maker.entries.iter().filter_map(|e| e.verdict.class).collect();
    for class in Class::ALL {
        assert_eq!(there.contains(class), !elsewhere.contains(class), "{}", class.as_str());
    }
    let headlines: BTreeSet<Headline> = maker.entries.iter().map(|e| e.verdict.headline).collect();
    assert_eq!(headlines.len(), Headline::ALL.len() - 1, "all but unreadable");
}

#[test]
fn names_are_unique_and_twins_are_accepted() {
    let mut maker = Maker::default();
    all(&mut maker);
    let names: BTreeSet<&String> = maker.files.iter().map(|(name, _)| name).collect();
    assert_eq!(names.len(), maker.files.len());
    let accepted: BTreeSet<&String> = maker
        .entries
        .iter()
        .filter(|e| matches!(e.verdict.class, None | Some(Class::ChainHistorical)) && e.verdict.kind != Kind::None)
        .map(|e| &e.file)
        .collect();
    let mut rows = BTreeSet::new();
    for entry in &maker.entries {
        assert!(names.contains(&entry.file), "{}", entry.file);
        assert!(rows.insert((&entry.file, &entry.record, entry.json().compact())), "{} twice", entry.file);
        assert!(!entry.why.is_empty() && entry.why.ends_with('.'), "{}: {}", entry.file, entry.why);
        match &entry.twin {
            Some(twin) => assert!(accepted.contains(twin) && *twin != entry.file, "{}: {twin}", entry.file),
            None => {
                let rejected = entry.verdict.class.is_some_and(|c| c.headline().is_failing());
                assert!(!rejected || entry.file.starts_with("order-"), "{} has no twin", entry.file);
            }
        }
    }
    let expected: BTreeSet<&String> = maker.entries.iter().map(|e| &e.file).collect();
    assert_eq!(expected, names, "every file has a row");
    for (i, (name, bytes)) in maker.files.iter().enumerate() {
        for (other, same) in maker.files.iter().skip(i + 1) {
            assert!(bytes != same, "{name} and {other} are the same file");
        }
    }
}
