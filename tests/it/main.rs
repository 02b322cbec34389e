//! Through the public doors: the pipeline, the engine, the programs.

#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot go on fails where it stands"
)]

mod build;
mod cli;
mod hostile;
mod mcp;
mod program;
