//! What writes: receipts from parts, the demo gateway, folders for benchmarks, and our own vectors.
//!
//! Everything here is deterministic: the same arguments give the same bytes on every machine. Only the gateway takes
//! times from a clock, and that clock is handed in.

pub mod bulk;
pub mod corpus;
pub mod gateway;
pub mod json;
pub mod payload;
pub mod random;
pub mod receipt;
