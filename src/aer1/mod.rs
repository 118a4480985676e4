//! The standard. Pure: bytes in, findings out. No I/O, no clock but the one handed in, no terminal.
//!
//! [`verify`] takes the bytes of a file; `lines` says how to read them, [`json`] reads them losslessly; `document` says which records they hold;
//! `receipt`, `timeline` and `workflow` check one record each, with `binding`, `anchor` and [`grammar`], and `headline` decides which fault speaks;
//! [`report`] is what comes out, in the stable [`words`].

mod anchor;
mod binding;
mod document;
pub mod grammar;
mod headline;
pub mod json;
mod lines;
mod receipt;
pub mod report;
mod timeline;
pub mod verify;
pub mod words;
mod workflow;

pub use receipt::KNOWN_VERSIONS;
pub use workflow::{id_leaf, merkle_root, output_leaf};
