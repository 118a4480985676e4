//! The word that was probably meant.

use crate::store::query::distance;

/// The known word that is nearest to what was written, if one is near.
pub(super) fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    // Hyphens and underlines are not told apart.
    let word: String = word.to_lowercase().replace('_', "-").chars().take(40).collect();
    let most = (word.chars().count() / 2).clamp(1, 3);
    let near = known.iter().map(|one| (distance(&word, &one.replace('_', "-")), *one)).min_by_key(|(far, _)| *far)?;
    (near.0 <= most).then_some(near.1)
}
