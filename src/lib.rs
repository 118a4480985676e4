//! aerscope: a terminal console for folders of AER-1 receipts.

pub mod aer1;
pub mod config;
pub mod folder;
pub mod make;
pub mod output;
pub mod record;
pub mod store;
pub mod text;
#[cfg(feature = "console")]
pub mod tui;
pub mod vectors;
