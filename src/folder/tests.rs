//! The folder thread on real temporary folders. Outcomes are waited for with a deadline; nothing waits a fixed time.

mod scene;

mod edited;
mod follow;
