//! Counting of model tokens. The only place that names the tokenizer crates.
//!
//! Not here: cutting an answer to a budget. A vocabulary takes some tens of milliseconds to load, so
//! each is loaded on first need, or ahead of it by [`Tokenizer::warm`]. Counts are exact: the same as
//! the reference encoder's for text in which nothing is a special token.

use bpe_openai::Tokenizer as Encoding;

/// How tokens are counted: the encoding of a model family.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Tokenizer {
    /// `o200k_base`.
    #[default]
    O200kBase,
    /// `cl100k_base`.
    Cl100kBase,
}

impl Tokenizer {
    /// All encodings, the default one first.
    pub const ALL: [Tokenizer; 2] = [Tokenizer::O200kBase, Tokenizer::Cl100kBase];

    /// Returns the stable name.
    pub fn as_str(self) -> &'static str {
        match self {
            Tokenizer::O200kBase => "o200k_base",
            Tokenizer::Cl100kBase => "cl100k_base",
        }
    }

    /// Returns the encoding with the stable name `name`.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.as_str() == name)
    }

    /// Returns the number of tokens of `text`.
    pub fn count(self, text: &str) -> u32 {
        if text.is_empty() {
            return 0;
        }
        u32::try_from(self.encoding().count(text)).unwrap_or(u32::MAX)
    }

    /// Returns whether `text` has at most `max` tokens, without counting all of it where the answer
    /// is plain earlier.
    pub fn is_within(self, text: &str, max: u32) -> bool {
        // Every token stands for one byte or more.
        let max = max as usize;
        if text.len() <= max {
            return true;
        }
        let encoding = self.encoding();
        encoding
            .count_till_limit(&encoding.normalize(text), max)
            .is_some()
    }

    /// Loads the vocabulary, so that the next count need not.
    pub fn warm(self) {
        self.encoding();
    }

    fn encoding(self) -> &'static Encoding {
        match self {
            Tokenizer::O200kBase => bpe_openai::o200k_base(),
            Tokenizer::Cl100kBase => bpe_openai::cl100k_base(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use tiktoken_rs::CoreBPE;

    fn oracle(tokenizer: Tokenizer) -> &'static CoreBPE {
        match tokenizer {
            Tokenizer::O200kBase => tiktoken_rs::o200k_base_singleton(),
            Tokenizer::Cl100kBase => tiktoken_rs::cl100k_base_singleton(),
        }
    }

    fn check(text: &str) {
        for tokenizer in Tokenizer::ALL {
            let expected = oracle(tokenizer).encode_ordinary(text).len() as u32;
            assert_eq!(tokenizer.count(text), expected, "{tokenizer:?} {text:?}");
            assert!(tokenizer.is_within(text, expected));
            if let Some(less) = expected.checked_sub(1) {
                assert!(!tokenizer.is_within(text, less), "{tokenizer:?} {text:?}");
            }
        }
    }

    #[test]
    fn counts_equal_the_reference() {
        for text in [
            "",
            " ",
            "\n\n\n \t  \r\n\r\n   x",
            "fn main() {\n    println!(\"{}\", 1_000_000);\n}\n",
            "It's they'll WE'RE 12345678 3.14",
            "größe имя файла 設定ファイル 🙂👩‍👩‍👧 e\u{301}",
            "<|endoftext|><|fim_prefix|> <|im_start|>",
            "\u{0}\u{1}\u{feff}\u{2028}",
            "a-very/long/path/to/some_file.rs:120:9",
        ] {
            check(text);
        }
        check(&"=".repeat(3000));
        check(&" ".repeat(3000));
        check(&"\n".repeat(300));
        check(include_str!("tokens.rs"));
    }

    #[test]
    fn names_lead_back() {
        for tokenizer in Tokenizer::ALL {
            assert_eq!(Tokenizer::from_name(tokenizer.as_str()), Some(tokenizer));
        }
        assert_eq!(Tokenizer::from_name("gpt2"), None);
        assert_eq!(Tokenizer::ALL[0], Tokenizer::default());
    }

    proptest! {
        #[test]
        fn counts_equal_the_reference_on_anything(
            text in prop::collection::vec(
                prop_oneof!["\\PC{0,12}", "[a-zA-Z]{1,12}", "[ \\t\\r\\n]{1,6}", "[0-9]{1,7}", "['’!-/]{1,4}"],
                0..12,
            )
        ) {
            check(&text.concat());
        }
    }
}
