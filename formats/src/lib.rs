//! Bytes and SQL: sealed segments, manifests, object names, verification. Local files only.
//!
//! Not here: network, async, parsing of source, ranking. A segment is written once by
//! [`segment::SegmentWriter`], sealed, and from then on only read.

pub mod error;
pub mod layout;
pub mod manifest;
mod platform;
pub mod segment;
pub mod verify;
pub mod version;
