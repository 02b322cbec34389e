//! Where snapshots come from: here the local one of a working tree, kept in the user's cache.
//!
//! Not here: writing the cache (the builder does) and opening segments (the view does).
//! [`local::ensure`] returns a snapshot that is in place and speaks for the tree as it was looked at a
//! moment ago.

pub mod local;
#[cfg(test)]
mod tests;
