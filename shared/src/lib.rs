//! Values and pure functions that every other crate stands on.
//!
//! Not here: files, network, clock, environment, SQL, async. Nothing in this crate performs I/O.
//!
//! The flow of one file runs through [`syntax::Analyzer`] (text to facts), [`chunk`] (facts to
//! line-aligned pieces) and [`terms`] (text to searchable words). Everything that depends on more
//! than one file is answered elsewhere, at query time.

pub mod category;
pub mod chunk;
pub mod digest;
pub mod facts;
pub mod grams;
pub mod language;
pub mod path;
pub mod syntax;
pub mod terms;
pub mod text;
pub mod tokens;
