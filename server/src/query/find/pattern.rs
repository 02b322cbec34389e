//! A query text as a line matcher and as a plan over grams.
//!
//! Not here: running either. Both come from one pattern with one set of flags, so that the plan speaks
//! of the very language the matcher accepts: line by line, `^` and `$` at line ends, LF and CRLF alike,
//! Unicode classes and case.

use crate::query::error::QueryError;
use crate::query::grams::{self, GramQuery};
use crate::query::request::{CaseMode, Search, SearchMode};
use grep_regex::{ErrorKind, RegexMatcher, RegexMatcherBuilder};
use regex_syntax::ParserBuilder;
use regex_syntax::ast::{self, Ast, Visitor};

/// Largest compiled program and cache of lazy states, in bytes.
const MAX_PROGRAM_BYTES: usize = 10 << 20;
/// Deepest nesting of a pattern.
const MAX_NESTING: u32 = 200;

/// A compiled query text.
pub(crate) struct Pattern {
    pub(crate) matcher: RegexMatcher,
    pub(crate) plan: GramQuery,
    /// Whether it matches the empty string anywhere, and so every line.
    pub(crate) every_line: bool,
}

impl Pattern {
    /// Compiles the text of a search in text or regex mode.
    pub(crate) fn new(search: &Search) -> Result<Self, QueryError> {
        let is_regex = search.mode == SearchMode::Regex;
        if search.text.is_empty() {
            return Err(QueryError::invalid("query", "it is empty"));
        }
        if search.text.contains(['\n', '\r']) {
            return Err(QueryError::AcrossLines);
        }
        let pattern = if is_regex {
            search.text.clone()
        } else {
            regex_syntax::escape(&search.text)
        };
        let ast = ast::parse::ParserBuilder::new()
            .nest_limit(MAX_NESTING)
            .build()
            .parse(&pattern)
            .map_err(|error| {
                let at = error.span().start.column;
                invalid(&format!("{} at character {at}", error.kind()))
            })?;
        let fold_case = match search.case {
            CaseMode::Sensitive => false,
            CaseMode::Insensitive => true,
            CaseMode::Smart => !has_upper_case(&ast),
        };
        let hir = ParserBuilder::new()
            .case_insensitive(fold_case)
            .multi_line(true)
            .crlf(true)
            .utf8(false)
            .line_terminator(b'\n')
            .nest_limit(MAX_NESTING)
            .build()
            .parse(&pattern)
            .map_err(|error| match error {
                regex_syntax::Error::Translate(error) => {
                    let at = error.span().start.column;
                    invalid(&format!("{} at character {at}", error.kind()))
                }
                error => invalid(&error.to_string()),
            })?;
        let properties = hir.properties();
        let mut builder = RegexMatcherBuilder::new();
        builder
            .case_insensitive(fold_case)
            .multi_line(true)
            .crlf(true)
            .size_limit(MAX_PROGRAM_BYTES)
            .dfa_size_limit(MAX_PROGRAM_BYTES)
            .nest_limit(MAX_NESTING);
        let matcher = builder
            .build(&pattern)
            // A comment at the end of a verbose pattern must not swallow what is put behind it.
            .or_else(|error| builder.build(&format!("{pattern}\n")).map_err(|_| error))
            .map_err(|error| match error.kind() {
                // Line ends are the only letters that the matcher refuses.
                ErrorKind::NotAllowed(_) => QueryError::AcrossLines,
                _ => invalid(&error.to_string()),
            })?;
        Ok(Pattern {
            matcher,
            plan: grams::plan(&hir),
            every_line: properties.minimum_len() == Some(0) && properties.look_set().is_empty(),
        })
    }
}

fn invalid(reason: &str) -> QueryError {
    // Long reasons repeat the pattern; the first lines say enough.
    let reason: String = reason.chars().take(300).collect();
    QueryError::invalid(
        "query",
        format!("the regular expression is not valid: {reason}"),
    )
}

/// Returns whether a literal text that found nothing would say more as a regular expression.
pub(crate) fn looks_like_regex(text: &str) -> bool {
    let operators = ["|", ".*", ".+", "\\", "[", "(?", "^", "$", "+", "{"];
    operators.iter().any(|op| text.contains(op)) && regex_syntax::parse(text).is_ok()
}

/// Returns whether a literal of the pattern is an upper-case letter; `\W`, `\S` and the like are not.
fn has_upper_case(pattern: &Ast) -> bool {
    struct UpperCase(bool);
    impl Visitor for UpperCase {
        type Output = bool;
        type Err = std::convert::Infallible;

        fn finish(self) -> Result<bool, Self::Err> {
            Ok(self.0)
        }

        fn visit_pre(&mut self, node: &Ast) -> Result<(), Self::Err> {
            if let Ast::Literal(literal) = node {
                self.0 |= literal.c.is_uppercase();
            }
            Ok(())
        }

        fn visit_class_set_item_pre(&mut self, item: &ast::ClassSetItem) -> Result<(), Self::Err> {
            self.0 |= match item {
                ast::ClassSetItem::Literal(literal) => literal.c.is_uppercase(),
                ast::ClassSetItem::Range(range) => {
                    range.start.c.is_uppercase() || range.end.c.is_uppercase()
                }
                _ => false,
            };
            Ok(())
        }
    }
    match ast::visit(pattern, UpperCase(false)) {
        Ok(found) => found,
        Err(never) => match never {},
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grep_matcher::Matcher;
    use leantoken_shared::path::PathSet;

    fn pattern(text: &str, mode: SearchMode, case: CaseMode) -> Result<Pattern, QueryError> {
        Pattern::new(&Search {
            text: text.into(),
            mode,
            paths: PathSet::all(),
            case,
            kinds: Vec::new(),
            limit: 1,
            context_lines: 0,
        })
    }

    fn hit(text: &str, case: CaseMode, line: &str) -> bool {
        let pattern = pattern(text, SearchMode::Regex, case).unwrap();
        pattern.matcher.is_match(line.as_bytes()).unwrap()
    }

    #[test]
    fn smart_case_looks_at_literals_only() {
        assert!(hit("name", CaseMode::Smart, "NAME"));
        assert!(!hit("Name", CaseMode::Smart, "name"));
        assert!(hit(r"\Sname", CaseMode::Smart, "xNAME"));
        assert!(!hit("[A-B]x", CaseMode::Smart, "ax"));
        assert!(hit("привет", CaseMode::Insensitive, "ПРИВЕТ"));
        assert!(hit("k", CaseMode::Insensitive, "\u{212A}"));
    }

    #[test]
    fn comments_of_verbose_patterns_end_with_them() {
        assert!(hit("(?x) n a me  # the name", CaseMode::Smart, "-name-"));
        assert!(!hit("name # x", CaseMode::Smart, "name"));
    }

    #[test]
    fn a_broken_pattern_says_where_and_why() {
        let error = |text| match pattern(text, SearchMode::Regex, CaseMode::Smart) {
            Ok(_) => String::new(),
            Err(error) => error.to_string(),
        };
        let unclosed = error("foo|Bar(");
        assert!(
            unclosed.contains("unclosed group at character 8"),
            "{unclosed}"
        );
        assert!(
            error(r"\p{nothing}").contains("at character 1"),
            "{}",
            error(r"\p{nothing}")
        );
        assert!(error("").contains("query") && error("a\nb").contains("line end"));
        assert!(
            error(r"(?:\pL{500}){500}").contains("limit"),
            "{}",
            error(r"(?:\pL{500}){500}")
        );
        assert!(error(&"(".repeat(300)).contains("query"));
    }

    #[test]
    fn what_spans_lines_is_looked_for_by_one_of_them() {
        for text in ["a\\nb", "a\nb", "[\\n]b", "(?:a|b\\n)"] {
            let error = pattern(text, SearchMode::Regex, CaseMode::Smart)
                .err()
                .unwrap();
            assert!(
                error.hint().unwrap().contains("one of the lines"),
                "{error}"
            );
        }
    }

    #[test]
    fn literals_are_literal() {
        for text in [
            "go()",
            "a\"b",
            "*",
            "x : quick",
            "^quick",
            "std::vec",
            "foo|bar",
            "a\\b",
        ] {
            let pattern = pattern(text, SearchMode::Text, CaseMode::Smart).unwrap();
            assert!(
                pattern
                    .matcher
                    .is_match(format!("-{text}-").as_bytes())
                    .unwrap()
            );
            assert!(!pattern.matcher.is_match(b"foo quick x vec go").unwrap());
        }
        assert!(looks_like_regex("foo|bar") && !looks_like_regex("go()"));
    }
}
