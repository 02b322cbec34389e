//! The wire: what callers send and what they get, one shape for CLI and MCP.
//!
//! Not here: answering (see `service` and `query`), text output (see `render`). Flow:
//! [`args`] (loose JSON to a request) → [`request`] (request to validated query) … [`document`]
//! (answer to JSON); [`repair`] proposes a call where one was refused. [`catalog`] is the one table of fields, bounds and choices behind all of them.

pub mod args;
pub mod catalog;
pub mod document;
pub mod repair;
pub mod request;
pub mod target;
