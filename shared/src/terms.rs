//! Words, split the way programmers write them. The index and the query both split here.
//!
//! Not here: what a word weighs (the engine decides) and where its occurrences are stored.
//!
//! A *word* is a run of letters, digits, `_` and `$`. A word with several parts (`parseHTTPRequest`,
//! `max_bytes`, `utf8`) yields its whole form and then each part; a word with one part yields that
//! part alone. Terms are lower case; parts are reduced to a light English stem, whole forms are not.
//! Of scripts without blanks between words each two letters in a row are a part.
//! Numbers yield one term however they are written (`10_000`, `0xFF`), and text that is no language
//! at all (hashes, base64) is not cut into pieces or is dropped.
//!
//! Invariant: [`Splitter::split`] and [`query_terms`] yield the same terms for the same text, stop
//! words aside. Bounds: a term has at most [`MAX_TERM_BYTES`] bytes; of a word longer than
//! [`MAX_WORD_BYTES`] only the beginning counts. A change here changes the analysis version.

mod intern;
mod parts;
mod stem;
#[cfg(test)]
mod tests;

use self::intern::Interner;

/// Most bytes of one term; longer ones are cut at a character.
pub const MAX_TERM_BYTES: usize = 64;

/// Most bytes of one word that are looked at.
const MAX_WORD_BYTES: usize = 512;

/// Index of a term of one [`Splitter`], numbered in order of first use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TermId(pub u32);

/// Splits text into terms and numbers them. Work on a distinct word is done once.
#[derive(Debug, Default)]
pub struct Splitter {
    /// The words seen, as written.
    words: Interner,
    /// Where the terms of each word end in `lists`.
    list_ends: Vec<u32>,
    lists: Vec<TermId>,
    terms: Interner,
}

impl Splitter {
    /// Returns a splitter that knows no term.
    pub fn new() -> Self {
        Self::default()
    }

    /// Calls `each` for every term occurrence of `text`, in order.
    pub fn split(&mut self, text: &str, mut each: impl FnMut(TermId)) {
        each_word(text, |word| {
            let id = match self.words.find(word) {
                Ok(id) => id,
                Err(vacant) => {
                    let id = self.words.insert(word, vacant);
                    let (lists, terms) = (&mut self.lists, &mut self.terms);
                    parts::each_term(word, |term, _| {
                        lists.push(TermId(match terms.find(term) {
                            Ok(id) => id,
                            Err(vacant) => terms.insert(term, vacant),
                        }));
                    });
                    self.list_ends.push(self.lists.len() as u32);
                    id
                }
            } as usize;
            let start = match id.checked_sub(1) {
                Some(before) => self.list_ends[before],
                None => 0,
            };
            for term in &self.lists[start as usize..self.list_ends[id] as usize] {
                each(*term);
            }
        });
    }

    /// Returns the text of `id`; an id that is not of this splitter gives the empty string.
    pub fn term(&self, id: TermId) -> &str {
        self.terms.get(id.0)
    }

    /// Returns the number of distinct terms; their ids are `0..n_terms()`.
    pub fn n_terms(&self) -> u32 {
        self.terms.len()
    }

    /// Forgets all words and terms and gives their memory back; ids start at 0 again.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}

/// One term of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryTerm {
    /// The term, as the [`Splitter`] yields it.
    pub term: String,
    /// Whether it stands for a whole word rather than for one of several parts of it.
    pub whole: bool,
    /// Which word of the query it came from, counted from 0.
    pub group: u32,
}

/// Returns the distinct terms of a query in order of first use. Common English words that say nothing
/// about code are left out unless the query has nothing else.
pub fn query_terms(text: &str) -> Vec<QueryTerm> {
    let kept = collect_terms(text, |word| !is_stop_word(word));
    if kept.is_empty() {
        collect_terms(text, |_| true)
    } else {
        kept
    }
}

/// Returns the words that [`query_terms`] keeps of `text`, as written and in order: the word of group
/// `n` is the `n`th.
pub fn query_words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    each_word(text, |word| words.push(word));
    if words.iter().any(|word| !is_stop_word(word)) {
        words.retain(|word| !is_stop_word(word));
    }
    words
}

/// Returns the key under which symbol and reference names are found whatever their case.
pub fn fold_name(name: &str) -> String {
    if name.is_ascii() {
        name.to_ascii_lowercase()
    } else {
        // Letter by letter: a key must not depend on what follows a letter, as a final sigma does.
        name.chars().flat_map(char::to_lowercase).collect()
    }
}

fn collect_terms(text: &str, keep: impl Fn(&str) -> bool) -> Vec<QueryTerm> {
    let mut found: Vec<QueryTerm> = Vec::new();
    let mut group = 0;
    each_word(text, |word| {
        if !keep(word) {
            return;
        }
        parts::each_term(word, |term, whole| {
            match found.iter_mut().find(|t| t.term == term) {
                Some(known) => known.whole |= whole,
                None => found.push(QueryTerm {
                    term: term.to_owned(),
                    whole,
                    group,
                }),
            }
        });
        group += 1;
    });
    found
}

/// Words of questions; sorted.
const STOP_WORDS: &[&str] = &[
    "a", "about", "all", "an", "and", "any", "are", "as", "at", "be", "been", "being", "but", "by",
    "can", "could", "did", "do", "does", "doing", "done", "for", "from", "gets", "had", "has",
    "have", "how", "i", "if", "in", "into", "is", "it", "its", "me", "my", "of", "on", "or", "our",
    "please", "should", "so", "some", "than", "that", "the", "their", "them", "then", "there",
    "these", "they", "this", "those", "to", "was", "we", "were", "what", "when", "where", "which",
    "while", "who", "whose", "why", "will", "with", "would", "you", "your",
];

fn is_stop_word(word: &str) -> bool {
    word.len() <= 6
        && STOP_WORDS
            .binary_search(&word.to_ascii_lowercase().as_str())
            .is_ok()
}

/// Not part of a word.
const BREAK: u8 = 0;
/// Part of a word.
const WORD: u8 = 1;
/// Part of a character beyond ASCII, which must be looked at.
const WIDE: u8 = 2;

const CLASSES: [u8; 256] = {
    let mut classes = [BREAK; 256];
    let mut byte = 0;
    while byte < 256 {
        let b = byte as u8;
        if b >= 0x80 {
            classes[byte] = WIDE;
        } else if b.is_ascii_alphanumeric() || b == b'_' || b == b'$' {
            classes[byte] = WORD;
        }
        byte += 1;
    }
    classes
};

/// Calls `each` for every word of `text`, in order.
#[inline]
fn each_word<'t>(text: &'t str, mut each: impl FnMut(&'t str)) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if CLASSES[usize::from(bytes[at])] == BREAK {
            at += 1;
            continue;
        }
        let end = word_end(text, at);
        if end == at {
            at += char_at(text, at).len_utf8();
            continue;
        }
        let cut = text.floor_char_boundary(end.min(at + MAX_WORD_BYTES));
        each(&text[at..cut]);
        at = end;
    }
}

/// Returns where the word that starts at `at` ends; `at` itself where none starts.
#[inline]
fn word_end(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    let mut end = at;
    while end < bytes.len() {
        match CLASSES[usize::from(bytes[end])] {
            WORD => end += 1,
            BREAK => break,
            _ => {
                let c = char_at(text, end);
                if !c.is_alphanumeric() {
                    break;
                }
                end += c.len_utf8();
            }
        }
    }
    end
}

fn char_at(text: &str, at: usize) -> char {
    // Callers stand on a character of the text; NUL is never part of a word and one byte long.
    text[at..].chars().next().unwrap_or('\0')
}
