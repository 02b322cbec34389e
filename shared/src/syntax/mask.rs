//! Bytes for the parser in place of the text, where the text as it stands would mislead the grammar.
//!
//! Not here: the walk, which reads names from the text itself. A mask has the length of the text and
//! every byte that it keeps stays in place, so offsets hold.
//!
//! What is masked: a CR that is not part of CRLF becomes LF (a comment would swallow the rest of the
//! file otherwise); in C and C++ some macros become blanks: between `class` and the name
//! (`class ENGINE_API Widget {`), alone on a line before a type, a namespace or an access label, a call
//! that is all of an unindented line, well-known annotations ([`ATTRIBUTE_WORDS`]), and so do conditional branches that tear a statement or block apart
//! ([`branches`]); in Ruby what opens a heredoc within another one ([`heredocs`]), in PHP the qualifiers of names
//! behind `insteadof` ([`traits`]); in Kotlin a blank before `}` becomes LF ([`members`]). Names in blanked macros are still
//! uses: see [`Mask::blanked`].

mod branches;
mod heredocs;
mod members;
mod traits;

use crate::language::Language;
use crate::text::ByteRange;

/// What the parser sees.
#[derive(Default)]
pub(super) struct Mask {
    /// The bytes to parse, or `None` where they are those of the text.
    pub(super) bytes: Option<Vec<u8>>,
    /// Macros that were made blank, in order.
    pub(super) blanked: Vec<ByteRange>,
}

/// Macros of kernels and systems headers that only annotate, and that grammars take for names.
const ATTRIBUTE_WORDS: &[&[u8]] = &[
    b"__always_inline",
    b"__always_unused",
    b"__cold",
    b"__deprecated",
    b"__exit",
    b"__exitdata",
    b"__force",
    b"__hot",
    b"__init",
    b"__initconst",
    b"__initdata",
    b"__iomem",
    b"__kprobes",
    b"__latent_entropy",
    b"__maybe_unused",
    b"__meminit",
    b"__must_check",
    b"__noreturn",
    b"__packed",
    b"__percpu",
    b"__pure",
    b"__rcu",
    b"__read_mostly",
    b"__ref",
    b"__ro_after_init",
    b"__sched",
    b"__unused",
    b"__used",
    b"__user",
    b"__visible",
    b"__weak",
    b"asmlinkage",
];

/// Masks `text` for the grammar of `language`.
pub(super) fn mask(language: Language, text: &str) -> Mask {
    let mut mask = Mask::default();
    if has_lone_cr(text.as_bytes()) {
        let mut bytes = text.as_bytes().to_vec();
        for at in 0..bytes.len() {
            if bytes[at] == b'\r' && bytes.get(at + 1) != Some(&b'\n') {
                bytes[at] = b'\n';
            }
        }
        mask.bytes = Some(bytes);
    }
    if matches!(language, Language::C | Language::Cpp) {
        mask.blanked = macros(text.as_bytes());
        let torn = branches::torn_branches(text.as_bytes());
        if !mask.blanked.is_empty() || !torn.is_empty() {
            let bytes = mask.bytes.get_or_insert_with(|| text.as_bytes().to_vec());
            for range in mask.blanked.iter().chain(&torn) {
                blank(&mut bytes[range.start as usize..range.end as usize]);
            }
        }
    }
    if language == Language::Ruby {
        let nested = heredocs::nested(text.as_bytes());
        if !nested.tags.is_empty() {
            let bytes = mask.bytes.get_or_insert_with(|| text.as_bytes().to_vec());
            for range in nested.tags.iter().chain(&nested.code) {
                blank(&mut bytes[range.start as usize..range.end as usize]);
            }
            mask.blanked = nested.code;
        }
    }
    if language == Language::Php {
        for range in traits::qualifiers(text.as_bytes()) {
            let bytes = mask.bytes.get_or_insert_with(|| text.as_bytes().to_vec());
            blank(&mut bytes[range.start as usize..range.end as usize]);
        }
    }
    if language == Language::Kotlin {
        for at in members::blanks_before_braces(text.as_bytes()) {
            let bytes = mask.bytes.get_or_insert_with(|| text.as_bytes().to_vec());
            bytes[at] = b'\n';
        }
    }
    mask
}

/// Makes everything but line ends blank.
fn blank(bytes: &mut [u8]) {
    for byte in bytes
        .iter_mut()
        .filter(|byte| !matches!(byte, b'\n' | b'\r'))
    {
        *byte = b' ';
    }
}

fn has_lone_cr(bytes: &[u8]) -> bool {
    memchr::memchr_iter(b'\r', bytes).any(|at| bytes.get(at + 1) != Some(&b'\n'))
}

/// Finds the macros to blank, in order.
fn macros(text: &[u8]) -> Vec<ByteRange> {
    let mut found = Vec::new();
    let mut at = 0;
    let mut is_first = true;
    while at < text.len() {
        let byte = text[at];
        if !is_word(byte) {
            is_first = byte == b'\n' || (is_first && is_blank(byte));
            at += 1;
            continue;
        }
        let end = word_end(text, at);
        let word = &text[at..end];
        let blank = if is_first && is_macro_name(word) {
            line_macro(text, at, end)
        } else if matches!(word[0], b'_' | b'a') && ATTRIBUTE_WORDS.contains(&word) {
            Some((at, end))
        } else if matches!(word, b"class" | b"struct" | b"union" | b"enum") {
            record_macro(text, end)
        } else {
            None
        };
        is_first = false;
        at = end;
        if let Some((start, end)) = blank {
            found.push(ByteRange::new(start as u32, end as u32));
            at = end;
        }
    }
    found
}

/// Returns the macro between a record's keyword, which ends at `from`, and its name.
fn record_macro(text: &[u8], from: usize) -> Option<(usize, usize)> {
    let mut start = skip_blanks(text, from);
    let first = &text[start..word_end(text, start)];
    if matches!(first, b"class" | b"struct") {
        start = skip_blanks(text, start + first.len());
    }
    let mut end = word_end(text, start);
    if !is_macro_name(&text[start..end]) {
        return None;
    }
    if text.get(end) == Some(&b'(') {
        end = closing_paren(text, end)?;
    }
    let name = skip_blanks(text, end);
    let name_end = word_end(text, name);
    let is_name = name > end && name_end > name && !text[name].is_ascii_digit();
    let opens = is_name
        && text[name..name_end] != *b"final"
        && text[name_end..].iter().find(|byte| {
            !matches!(byte, b':' | b',' | b'<' | b'>' | b'.' | b'_')
                && !is_blank(**byte)
                && !is_word(**byte)
        }) == Some(&b'{');
    opens.then_some((start, end))
}

/// Returns the macro `start..end` with its arguments where it is all of its line and no statement.
fn line_macro(text: &[u8], start: usize, end: usize) -> Option<(usize, usize)> {
    let is_call = text.get(end) == Some(&b'(');
    let is_indented = start > 0 && text[start - 1] != b'\n';
    let end = if is_call {
        closing_paren(text, end)?
    } else {
        end
    };
    let rest = skip_blanks_in_line(text, end);
    if !matches!(text.get(rest), Some(b'\n' | b'\r')) {
        return None;
    }
    let next = skip_blanks(text, rest);
    let next_word = &text[next..word_end(text, next)];
    let opens_declaration = matches!(
        next_word,
        b"class"
            | b"struct"
            | b"union"
            | b"enum"
            | b"namespace"
            | b"template"
            | b"typedef"
            | b"public"
            | b"private"
            | b"protected"
    );
    // What goes on after the macro (`= 1;`, `.x`) makes it part of something longer.
    let stands_alone = text.get(next).is_none_or(|byte| {
        is_word(*byte) || matches!(byte, b'{' | b'}' | b'#' | b'/' | b'[' | b'~')
    });
    let is_statement = is_call && !is_indented && stands_alone;
    ((opens_declaration && !(is_call && is_indented)) || is_statement).then_some((start, end))
}

/// Returns the place after the parenthesis that closes the one at `open`, on the same line.
fn closing_paren(text: &[u8], open: usize) -> Option<usize> {
    let mut depth = 0u32;
    for (at, byte) in text.iter().enumerate().skip(open) {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 1 => return Some(at + 1),
            b')' => depth -= 1,
            b'\n' => return None,
            _ => {}
        }
    }
    None
}

/// Returns whether `word` is spelled like a macro: capitals, digits and underscores, two at least.
fn is_macro_name(word: &[u8]) -> bool {
    word.len() > 1
        && word.iter().any(u8::is_ascii_uppercase)
        && !word
            .iter()
            .any(|byte| byte.is_ascii_lowercase() || !byte.is_ascii())
        && !word[0].is_ascii_digit()
}

fn is_word(byte: u8) -> bool {
    byte == b'_' || byte.is_ascii_alphanumeric() || !byte.is_ascii()
}

fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace()
}

fn word_end(text: &[u8], start: usize) -> usize {
    let rest = text[start..].iter().take_while(|byte| is_word(**byte));
    start + rest.count()
}

fn skip_blanks(text: &[u8], start: usize) -> usize {
    let rest = text[start..].iter().take_while(|byte| is_blank(**byte));
    start + rest.count()
}

fn skip_blanks_in_line(text: &[u8], start: usize) -> usize {
    let rest = text[start..].iter();
    start
        + rest
            .take_while(|byte| is_blank(**byte) && **byte != b'\n')
            .count()
}

/// Calls `each` for every name in `range` with whether a parenthesis follows it.
pub(super) fn names_in(text: &str, range: ByteRange, mut each: impl FnMut(ByteRange, bool)) {
    let bytes = text.as_bytes();
    let mut at = range.start as usize;
    let mut quote = None;
    while at < range.end as usize {
        let byte = bytes[at];
        if quote.is_some() || !is_word(byte) {
            match (quote, byte) {
                (None, b'"' | b'\'') => quote = Some(byte),
                (Some(_), b'\\') => at += 1,
                (Some(open), byte) if open == byte => quote = None,
                _ => {}
            }
            at += 1;
            continue;
        }
        let end = word_end(bytes, at).min(range.end as usize);
        if !byte.is_ascii_digit() {
            let called = bytes.get(end) == Some(&b'(');
            each(ByteRange::new(at as u32, end as u32), called);
        }
        at = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_mask_only_makes_blanks_and_line_ends(
            text in "([A-Z_]{1,4}|class |struct |#if A|#else|#endif|[(){}:;\"'/*é \n\r]){0,60}"
        ) {
            let mask = mask(Language::Cpp, &text);
            let bytes = mask.bytes.unwrap_or_else(|| text.clone().into_bytes());
            prop_assert_eq!(bytes.len(), text.len());
            for (seen, real) in bytes.iter().zip(text.bytes()) {
                prop_assert!(*seen == real || *seen == b' ' || (matches!(real, b'\r' | b' ') && *seen == b'\n'));
            }
            prop_assert!(mask.blanked.is_sorted_by(|a, b| a.end <= b.start));
        }
    }
}
