//! Asking: mounts snapshots read-only and answers questions about them.

pub mod query;
pub mod snapshot;
