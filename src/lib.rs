//! aerscope: a terminal console for folders of AER-1 receipts.

pub mod aer1;
pub mod config;
pub mod make;
pub mod output;
pub mod record;
pub mod text;
pub mod vectors;
