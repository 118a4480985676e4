//! The standard. Pure: bytes in, findings out. No I/O, no clock but the one handed in, no terminal.

pub mod grammar;
pub mod json;
pub mod report;
pub mod verify;
pub mod words;
