use super::*;

/// A reader that hands out its parts one at a time.
struct Parts(Vec<Vec<u8>>);

impl io::Read for Parts {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.first_mut() {
            None => Ok(0),
            Some(part) => {
                let n = part.len().min(buffer.len());
                buffer[..n].copy_from_slice(&part[..n]);
                part.drain(..n);
                if part.is_empty() {
                    self.0.remove(0);
                }
                Ok(n)
            }
        }
    }
}

/// Everything that was cut, as number and text; `None` for a line over the limit.
fn lines(parts: &[&str], limit: u64) -> (Vec<(u32, Option<String>)>, usize) {
    let reader = BufReader::new(Parts(parts.iter().map(|p| p.as_bytes().to_vec()).collect()));
    let (permits, permit) = sync_channel(1000);
    let (batches, work) = sync_channel(1000);
    for _ in 0..1000 {
        permits.send(()).unwrap();
    }
    cut(Box::new(reader), limit, &permit, &batches).unwrap();
    drop(batches);
    let mut out = Vec::new();
    let mut count = 0;
    for (expected, batch) in work.iter().enumerate() {
        assert_eq!(batch.number, expected as u64, "batches are numbered in order");
        count += 1;
        for line in &batch.lines {
            let text = line.range.clone().map(|r| String::from_utf8(batch.bytes[r].to_vec()).unwrap());
            out.push((line.number, text));
        }
    }
    (out, count)
}

fn some(all: &[&str]) -> Vec<(u32, Option<String>)> {
    all.iter().zip(1..).map(|(t, n)| (n, Some((*t).to_owned()))).collect()
}

#[test]
fn lines_are_cut_wherever_the_reads_end() {
    let whole = "a\n\nbc\ndef";
    for at in 0..=whole.len() {
        let (head, tail) = whole.split_at(at);
        let parts: Vec<&str> = [head, tail].into_iter().filter(|p| !p.is_empty()).collect();
        assert_eq!(lines(&parts, 100).0, some(&["a", "", "bc", "def"]), "read in {parts:?}");
    }
    assert_eq!(lines(&["a\n"], 100).0, some(&["a"]), "no line after the last break");
    assert!(lines(&[], 100).0.is_empty());
}

#[test]
fn a_line_that_is_there_is_not_held_back() {
    assert_eq!(lines(&["a\n", "b\n", "c"], 100).1, 3, "one batch a read");
}

#[test]
fn a_line_over_the_limit_is_skipped_and_counted() {
    for parts in [vec!["abc\nabcdef\nab"], vec!["abc\nab", "cd", "ef\nab"]] {
        let want = vec![(1, Some("abc".to_owned())), (2, None), (3, Some("ab".to_owned()))];
        assert_eq!(lines(&parts, 3).0, want, "{parts:?}");
    }
    assert_eq!(lines(&["abcdef"], 3).0, vec![(1, None)], "the last line too");
}

#[test]
fn batches_stay_small() {
    let line = "x".repeat(1000) + "\n";
    let (out, count) = lines(&[&line.repeat(1000)], 1 << 20);
    assert_eq!(out.len(), 1000);
    assert!(count >= 4, "{count} batches of about {BATCH} bytes");
}
