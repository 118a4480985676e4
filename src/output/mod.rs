//! What leaves the program: sentences, and the formats of `verify`.

pub mod explain;
pub mod sentence;
