//! Through the public doors: the pipeline, the engine, the programs.

mod build;
mod cli;
mod mcp;
mod program;
