//! The whole pipeline from a tree to a sealed snapshot.
