//! The console.

pub mod app;
pub mod detail;
pub mod inbox;
pub mod input;
pub mod keys;
pub mod prompt;
pub mod signals;
pub mod term;
pub mod theme;
pub mod view;
