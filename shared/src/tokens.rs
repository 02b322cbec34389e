//! Counting of model tokens.

/// How tokens are counted: the encoding of a model family.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Tokenizer {
    /// `o200k_base`.
    #[default]
    O200kBase,
    /// `cl100k_base`.
    Cl100kBase,
}
