//! One file a language: what the kinds of its grammar mean.
//!
//! Not here: how a tree is walked (see [`walk`](super::walk)). A language is a table of rules by kind
//! name, and functions that the walk calls at the nodes that matter; they see a node before its
//! children, add definitions and imports, and mark the leaves whose use they know. None of them may
//! recurse over the tree or look at parents through the parser: the walk keeps the path.

pub(super) mod bash;
pub(super) mod c;
pub(super) mod cpp;
pub(super) mod csharp;
pub(super) mod ecmascript;
pub(super) mod elixir;
pub(super) mod go;
pub(super) mod java;
pub(super) mod kotlin;
pub(super) mod lua;
pub(super) mod php;
pub(super) mod python;
pub(super) mod ruby;
pub(super) mod rust;
pub(super) mod scala;
pub(super) mod swift;

#[cfg(test)]
pub(super) mod fixture;
