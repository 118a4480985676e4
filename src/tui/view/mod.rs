//! The screens.

pub mod attempts;
pub mod diff;
pub mod receipt;
pub mod timeline;
