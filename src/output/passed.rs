//! What was passed over in a folder, in words: nothing is left out without being said.

use crate::record::Passed;

/// Counts and nouns, as `2 links, 1 FIFO, 3 hidden names`; `None` when nothing was passed over.
pub fn passed(passed: &Passed) -> Option<String> {
    let parts = [
        (passed.links, "link", "links"),
        (passed.fifos, "FIFO", "FIFOs"),
        (passed.sockets, "socket", "sockets"),
        (passed.devices, "device", "devices"),
        (passed.hidden, "hidden name", "hidden names"),
    ];
    let counted = parts.into_iter().filter(|(count, ..)| *count > 0);
    let words: Vec<String> =
        counted.map(|(count, one, more)| format!("{count} {}", if count == 1 { one } else { more })).collect();
    (!words.is_empty()).then(|| words.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_there_is_of_is_counted_and_the_rest_is_silent() {
        assert_eq!(passed(&Passed::default()), None);
        let one = Passed { hidden: 1, links: 1, fifos: 1, sockets: 1, devices: 1 };
        assert_eq!(passed(&one).unwrap(), "1 link, 1 FIFO, 1 socket, 1 device, 1 hidden name");
        let mut more = Passed { hidden: 2, ..Passed::default() };
        more.add(one);
        assert_eq!(passed(&more).unwrap(), "1 link, 1 FIFO, 1 socket, 1 device, 3 hidden names");
    }
}
