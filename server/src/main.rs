//! The program `leantoken`: runs one command line.

use std::process::ExitCode;

/// The same allocator as in the program that builds: this one builds local snapshots too.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    ExitCode::from(leantoken_server::cli::run(std::env::args_os()))
}
