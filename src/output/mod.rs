//! What leaves the program: sentences, and the formats of `verify`.

pub mod explain;
pub mod full;
pub mod html;
pub mod jsonl;
pub mod junit;
pub mod markdown;
pub mod passed;
pub mod plain;
pub mod pretty;
pub mod sentence;
pub mod spool;
pub mod states;
pub mod tally;
