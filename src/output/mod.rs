//! What leaves the program: sentences, and the formats of `verify`.

pub mod explain;
pub mod full;
pub mod jsonl;
pub mod plain;
pub mod pretty;
pub mod sentence;
pub mod tally;
