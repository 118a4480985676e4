//! How many records got which headline, and the exit status that follows.

use crate::aer1::report::Headline;

/// Counts per headline.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    counts: [u64; Headline::ALL.len()],
}

/// What a run over records comes to (rules §1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Every record is `verified`, and there is at least one.
    Verified,
    /// At least one record fails.
    Failing,
    /// None fails, but something fell short of `verified`.
    Short,
    /// There was no record to check.
    Nothing,
}

impl Tally {
    /// Counts one record.
    pub fn add(&mut self, headline: Headline) {
        if let Some(n) = self.counts.get_mut(headline as usize) {
            *n = n.saturating_add(1);
        }
    }

    /// Adds another tally.
    pub fn merge(&mut self, other: &Tally) {
        for (mine, theirs) in self.counts.iter_mut().zip(other.counts) {
            *mine = mine.saturating_add(theirs);
        }
    }

    /// How many got this headline.
    pub fn of(&self, headline: Headline) -> u64 {
        self.counts.get(headline as usize).copied().unwrap_or(0)
    }

    /// Everything, records or not.
    pub fn all(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Everything that counts as a record: all but `not_receipt`.
    pub fn records(&self) -> u64 {
        Headline::ALL.iter().filter(|h| **h != Headline::NotReceipt).map(|h| self.of(*h)).sum()
    }

    /// `malformed` and `mismatch`.
    pub fn failing(&self) -> u64 {
        Headline::ALL.iter().filter(|h| h.is_failing()).map(|h| self.of(*h)).sum()
    }

    /// What the run comes to.
    pub fn outcome(&self) -> Outcome {
        let records = self.records();
        if self.failing() > 0 {
            Outcome::Failing
        } else if records == 0 {
            Outcome::Nothing
        } else if self.of(Headline::Verified) == records {
            Outcome::Verified
        } else {
            Outcome::Short
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(headlines: &[Headline]) -> Tally {
        let mut tally = Tally::default();
        headlines.iter().for_each(|h| tally.add(*h));
        tally
    }

    #[test]
    fn outcomes_follow_the_rules() {
        use Headline::*;
        assert_eq!(tally(&[]).outcome(), Outcome::Nothing);
        assert_eq!(tally(&[NotReceipt]).outcome(), Outcome::Nothing, "other files are not counted");
        assert_eq!(tally(&[Verified, NotReceipt]).outcome(), Outcome::Verified);
        assert_eq!(tally(&[Verified, Unreadable]).outcome(), Outcome::Short, "unreadable is counted");
        assert_eq!(tally(&[Unreadable]).outcome(), Outcome::Short);
        for short in [Intact, Unavailable, Unsupported] {
            assert_eq!(tally(&[Verified, short]).outcome(), Outcome::Short, "{short:?}");
        }
        for failing in [Malformed, Mismatch] {
            assert_eq!(tally(&[Verified, Intact, failing]).outcome(), Outcome::Failing, "{failing:?}");
        }
    }

    #[test]
    fn merging_adds() {
        let mut a = tally(&[Headline::Verified, Headline::Mismatch]);
        a.merge(&tally(&[Headline::Verified]));
        assert_eq!((a.of(Headline::Verified), a.records(), a.failing()), (2, 3, 1));
    }
}
