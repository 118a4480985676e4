//! What links records with each other. Links are facts about the whole folder: none of them moves a headline, but for
//! a workflow with a failing step that is present (rules §8).

pub(super) mod attempts;
pub(super) mod commitments;
pub(super) mod copies;
pub(super) mod workflows;
