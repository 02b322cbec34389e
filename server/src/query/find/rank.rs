//! Ranked search.
