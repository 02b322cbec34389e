//! Text to facts. The only place that names the parser.
//!
//! Not here: reading files, and anything that crosses files. [`Analyzer::analyze`] is a pure function
//! of text and language; it never fails: broken source gives fewer facts and a note.
//!
//! A text is parsed once and its tree walked once: [`mask`] says what the parser sees, [`grammar`] what
//! to do at each kind of node, [`walk`] does it, [`languages`] know what a node means. Markdown has a
//! reader of its own, and so have formats that need no grammar ([`structure`]). Whatever goes past the [`AnalysisLimits`] is indexed as text, or as far as the
//! walk went, with a note.

mod grammar;
mod languages;
mod markdown;
mod mask;
mod structure;
mod walk;

use crate::facts::{FileFacts, Note, Reference, ReferenceKind};
use crate::language::Language;
use grammar::Grammar;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};
use tree_sitter::{ParseOptions, Parser, Tree};

/// Bounds on the work spent on one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnalysisLimits {
    /// Larger texts are not parsed.
    pub max_parse_bytes: u32,
    /// Most syntax nodes visited.
    pub max_nodes: u32,
    /// Deepest nesting visited.
    pub max_depth: u32,
    /// Most wall time for the parse of one file, in milliseconds.
    pub max_parse_ms: u64,
    /// A file whose longest line has more bytes than this is taken for generated and not parsed.
    pub max_line_bytes: u32,
}

impl AnalysisLimits {
    /// The limits every build uses unless told otherwise; a part of the analysis version.
    pub const STANDARD: AnalysisLimits = AnalysisLimits {
        max_parse_bytes: 4 * 1024 * 1024,
        max_nodes: 4_000_000,
        max_depth: 1_000,
        max_parse_ms: 5_000,
        max_line_bytes: 20_000,
    };
}

/// Turns texts into facts. Holds a parser for reuse, one value a thread.
pub struct Analyzer {
    limits: AnalysisLimits,
    parser: Parser,
    language: Option<Language>,
}

impl Analyzer {
    /// Returns an analyzer with the given limits.
    pub fn new(limits: AnalysisLimits) -> Self {
        Analyzer {
            limits,
            parser: Parser::new(),
            language: None,
        }
    }

    /// Returns what `text` says by itself.
    pub fn analyze(&mut self, language: Language, text: &str) -> FileFacts {
        let grammar = grammar::grammar(language);
        let mut facts = FileFacts::default();
        let reader = structure::reader(language);
        if grammar.is_none() && reader.is_none() && language != Language::Markdown {
            return facts;
        }
        if text.len() > self.limits.max_parse_bytes as usize {
            facts.notes.add(Note::TooLargeToParse);
            return facts;
        }
        if longest_line(text) > self.limits.max_line_bytes as usize {
            facts.notes.add(Note::LongLines);
            return facts;
        }
        let Some(grammar) = grammar else {
            return match reader {
                Some(reader) => structure::facts(reader, text),
                None => markdown::facts(text),
            };
        };
        let mask = mask::mask(language, text);
        let bytes = mask.bytes.as_deref().unwrap_or(text.as_bytes());
        let Some(tree) = self.parse(language, grammar, bytes) else {
            facts.notes.add(Note::ParseTimeout);
            return facts;
        };
        let mut facts = walk::walk(&tree, text, bytes, grammar, &self.limits);
        if !mask.blanked.is_empty() {
            add_blanked_uses(&mut facts, text, &mask);
        }
        if tree.root_node().has_error() {
            facts.notes.add(Note::SyntaxErrors);
        }
        facts
    }

    /// Parses `bytes`, or returns `None` when the time is over.
    fn parse(&mut self, language: Language, grammar: &Grammar, bytes: &[u8]) -> Option<Tree> {
        if self.language != Some(language) {
            self.language = None;
            self.parser.set_language(grammar.language()).ok()?;
            self.language = Some(language);
        }
        let end = Instant::now() + Duration::from_millis(self.limits.max_parse_ms);
        let mut progress = |_: &tree_sitter::ParseState| {
            if Instant::now() < end {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        };
        let tree = self.parser.parse_with_options(
            &mut |at, _| bytes.get(at..).unwrap_or_default(),
            None,
            Some(ParseOptions::new().progress_callback(&mut progress)),
        );
        if tree.is_none() {
            self.parser.reset();
        }
        tree
    }
}

/// Adds the names in macros that the parser did not see.
fn add_blanked_uses(facts: &mut FileFacts, text: &str, mask: &mask::Mask) {
    for blanked in &mask.blanked {
        mask::names_in(text, *blanked, |range, is_called| {
            facts.references.push(Reference {
                name: facts.names.intern(range.of(text)),
                range,
                enclosing: None,
                kind: match is_called {
                    true => ReferenceKind::Call,
                    false => ReferenceKind::Other,
                },
            });
        });
    }
    facts
        .references
        .sort_by_key(|reference| reference.range.start);
}

fn longest_line(text: &str) -> usize {
    let mut start = 0;
    let mut longest = 0;
    for end in memchr::memchr_iter(b'\n', text.as_bytes()) {
        longest = longest.max(end - start);
        start = end + 1;
    }
    longest.max(text.len() - start)
}

#[cfg(test)]
mod tests;
