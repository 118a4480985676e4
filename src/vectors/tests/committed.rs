//! The folder `vectors/` of the repository, as it lies there.

use super::super::*;

#[test]
fn the_committed_folder_agrees() {
    let dir = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors");
    let suite = Suite::open(&dir).unwrap();
    assert_eq!(suite.layout, Layout::Manifest);
    assert!(run(&suite, &Options::default()).iter().all(|o| o.agrees));
}
