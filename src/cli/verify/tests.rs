use super::*;

#[test]
fn lists_are_one_a_line_or_with_nul() {
    let names =
        |bytes: &[u8]| -> Vec<String> { split_list(bytes).iter().map(|p| p.to_string_lossy().into_owned()).collect() };
    assert_eq!(names(b"a\nb c\r\n\nd"), ["a", "b c", "d"]);
    assert_eq!(names(b"a\nb\0c\r\0"), ["a\nb", "c\r"]);
    assert!(names(b"").is_empty());
}

#[test]
fn expectations_reach_the_options() {
    let args = Args { correlation: vec!["x".into()], profile: Some(Profile::Anchored), ..Args::default() };
    assert_eq!(args.options().correlation, ["x"]);
    assert_eq!(args.options().profile, Profile::Anchored);
    assert_eq!(Args::default().options().correlation, Options::default().correlation);
    assert!(Args::default().options().now.is_some(), "later times are told");
}
