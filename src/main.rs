//! aerscope: a terminal console that verifies, follows and explains folders of AER-1 receipts.

mod cli;

fn main() -> std::process::ExitCode {
    cli::run(std::env::args_os()).into()
}
