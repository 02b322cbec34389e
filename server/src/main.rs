//! The program `leantoken`: runs one command line.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(leantoken_server::cli::run(std::env::args_os()))
}
