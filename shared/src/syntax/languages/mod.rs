//! One file a language: what the kinds of its grammar mean.

pub(super) mod c;
pub(super) mod cpp;
pub(super) mod csharp;
pub(super) mod ecmascript;
pub(super) mod go;
pub(super) mod java;
pub(super) mod python;
pub(super) mod rust;

#[cfg(test)]
pub(super) mod fixture;
