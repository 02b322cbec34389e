//! Asking: mounts snapshots read-only and answers questions about them.
//!
//! Flow: [`cli`] or [`mcp`] → [`api`] (request) → [`service`] → [`snapshot`] and [`view`] → [`query`] →
//! [`render`] or [`api::document`].

pub mod api;
pub mod cli;
pub mod error;
pub mod form;
pub mod mcp;
pub mod query;
pub mod render;
pub mod service;
pub mod settings;
pub mod snapshot;
pub mod view;
