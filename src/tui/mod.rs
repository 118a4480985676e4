//! The console.

pub mod theme;
