//! Through the public doors: the pipeline, the engine, the programs.

mod cli;
mod mcp;
mod program;
