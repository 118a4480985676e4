//! What writes: receipts from parts, redacted projections, snapshots, the demo gateway, folders for benchmarks, and our
//! own vectors.
//!
//! What is made is deterministic: the same arguments give the same bytes on every machine. Only the gateway takes times
//! from a clock, and that clock is handed in; only [`place`] chooses a name at random, which no file keeps.

pub mod bulk;
pub mod corpus;
pub mod gateway;
pub mod json;
pub mod payload;
pub mod place;
pub mod random;
pub mod receipt;
pub mod redact;
pub mod snapshot;
