//! What leaves the program: sentences, and the formats of `verify`.

pub mod explain;
pub mod jsonl;
pub mod plain;
pub mod sentence;
pub mod tally;
