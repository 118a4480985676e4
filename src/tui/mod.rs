//! The console.

pub mod detail;
pub mod theme;
pub mod view;
