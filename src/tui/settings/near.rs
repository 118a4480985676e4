//! The word that was probably meant.

/// The known word that is nearest to what was written, if one is near.
pub(super) fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    let word: Vec<char> = word.to_lowercase().replace('_', "-").chars().take(40).collect();
    let most = (word.len() / 2).clamp(1, 3);
    let near = known.iter().map(|one| (distance(&word, one), *one)).min_by_key(|(far, _)| *far)?;
    (near.0 <= most).then_some(near.1)
}

/// How many characters must be changed, added or taken away.
fn distance(a: &[char], b: &str) -> usize {
    let b: Vec<char> = b.replace('_', "-").chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut next = vec![i + 1];
        for ((y, diagonal), above) in b.iter().zip(&row).zip(row.iter().skip(1)) {
            let left = next.last().copied().unwrap_or(0);
            next.push((diagonal + usize::from(x != y)).min(above + 1).min(left + 1));
        }
        row = next;
    }
    row.last().copied().unwrap_or(0)
}
