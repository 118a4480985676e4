//! aerscope: a terminal console that verifies, follows and explains folders of AER-1 receipts.
//!
//! This is the map of the house. Arrows run one way: the binary's command line → `tui` → [`output`] → [`vectors`] and
//! [`make`] → [`folder`] and [`store`] → [`record`] → [`aer1`]. [`text`] and [`config`] are leaves. `folder` and
//! `store` do not know each other; what they share is in `record`.
//!
//! - [`aer1`] is the standard: bytes in, findings out. It does no I/O and knows no terminal. A verdict comes from
//!   [`aer1::verify`] alone; every machine string is spelled in [`aer1::words`].
//! - [`record`] says which file, in which state, and what changed.
//! - [`folder`] knows what is in a folder: it lists, watches, reads by a protocol that never judges bytes in motion,
//!   and verifies in a few worker threads. The directory is the truth, the kernel's events are hints.
//!   [`folder::walk`] is the same reading without following, for the command line.
//! - [`store`] keeps what has been seen: a compact row a record, totals, retry chains, what only the whole folder can
//!   tell, and the filtered and sorted views.
//! - [`vectors`] runs suites, expected against found; [`make`] is everything that writes documents: the demo gateway,
//!   our own vectors, receipts in bulk.
//! - [`output`] turns findings into sentences and reports. Sentences are made there and nowhere lower.
//! - `tui` (feature `console`) is the console: one loop owns the store and the terminal, `update` is the only way its
//!   state changes, one table of bindings drives keys, footer and help.
//! - [`text`] is the one gate through which foreign text reaches a screen, a pipe or the clipboard.
//!
//! The command line (one file a command) belongs to the binary: `src/main.rs` and `src/cli`.

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
