use super::*;

#[test]
fn places_are_written_and_read_back() {
    for (text, line, element) in
        [("", 0, 0), ("#0", 0, 1), ("#3", 0, 4), (":1", 1, 0), (":12#0", 12, 1), ("#4294967294", 0, u32::MAX)]
    {
        let place = Place::parse(text).unwrap();
        assert_eq!((place.line, place.element), (line, element), "{text}");
        assert_eq!(place.to_string(), text);
        assert_eq!(place.is_whole(), text.is_empty(), "{text}");
        assert_eq!(place.index(), element.checked_sub(1));
    }
    for text in [":0", "#", ":", "#4294967295", ":4294967296", ":-1", "3", "#1#2", ":1:2", "x", " "] {
        assert_eq!(Place::parse(text), None, "{text}");
    }
}

#[test]
fn a_fault_keeps_what_it_is_told() {
    let fault = Fault::of(Class::IdMismatch, "id").found("a").expected("b").at(7);
    assert_eq!((fault.class, fault.member.as_str(), fault.offset), (Class::IdMismatch, "id", Some(7)));
    assert_eq!((fault.found.as_deref(), fault.expected.as_deref()), (Some("a"), Some("b")));
    assert_eq!(Fault::new(Class::IoError), Fault::of(Class::IoError, ""));
}

#[test]
fn a_report_of_one_fault_says_how_far_it_came() {
    for class in Class::ALL {
        let report = Report::of_fault(Place::line(4), Fault::of(*class, "m"));
        assert_eq!((report.place, report.headline, report.class), (Place::line(4), class.headline(), Some(*class)));
        for layer in Layer::ALL {
            let due = match layer.cmp(&class.layer()) {
                std::cmp::Ordering::Less => Check::Passed,
                std::cmp::Ordering::Equal => Check::Failed,
                std::cmp::Ordering::Greater => Check::NotReached,
            };
            assert_eq!(report.check(*layer), due, "{class:?}: {layer:?}");
        }
        assert_eq!(report.speaking(), Some(&Fault::of(*class, "m")));
    }
}

#[test]
fn the_fault_that_speaks_is_the_first_of_the_class() {
    let mut report = Report::empty(Place::WHOLE, Kind::Published, Headline::Mismatch);
    report.faults = vec![
        Fault::of(Class::IdSyntax, "id"),
        Fault::of(Class::DigestMismatch, "output_hash"),
        Fault::of(Class::DigestMismatch, "other"),
    ];
    assert_eq!(report.speaking(), None);
    report.class = Some(Class::DigestMismatch);
    assert_eq!(report.speaking().map(|fault| fault.member.as_str()), Some("output_hash"));
    assert_eq!(report.classes(), [Class::IdSyntax, Class::DigestMismatch]);
}

#[test]
fn the_texts_of_a_record_have_their_names() {
    let mut report = Report::empty(Place::WHOLE, Kind::Published, Headline::Intact);
    assert_eq!(report.texts().count(), 0);
    let text = |text: &str| Some(text.to_owned());
    report.id = text("i");
    report.version = text("v");
    report.tool = text("t");
    report.created_at = text("c");
    report.provenance = text("p");
    report.verification_status = text("w");
    report.status = text("s");
    let due = [
        ("id", "i"),
        ("version", "v"),
        ("tool", "t"),
        ("created_at", "c"),
        ("provenance", "p"),
        ("verification_status", "w"),
        ("status", "s"),
    ];
    assert_eq!(report.texts().collect::<Vec<_>>(), due);
}
