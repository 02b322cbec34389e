//! What a ranked query asks for: its terms, its names, and what it wants to see.
//!
//! Not here: looking anything up.

use super::name::NameQuery;
use leantoken_shared::facts::FileClass;
use leantoken_shared::terms::{QueryTerm, fold_name, query_terms, query_words};

/// Most words of a question that are looked at; a pasted page is not a question.
const MAX_WORDS: usize = 48;

/// A query text, taken apart.
#[derive(Debug)]
pub(super) struct Question {
    /// Index terms, each with the number of its word.
    pub(super) terms: Vec<QueryTerm>,
    /// The words as written, without those that say nothing.
    pub(super) words: Vec<Word>,
    /// Two or three adjacent words joined as names would join them, folded.
    pub(super) joined: Vec<String>,
    /// The query as one name, when it is one and nothing else.
    pub(super) name: Option<NameQuery>,
    wanted: Vec<FileClass>,
    wants_legacy: bool,
}

/// One word of a question.
#[derive(Debug)]
pub(super) struct Word {
    /// As written.
    pub(super) text: String,
    /// Its key among names.
    pub(super) folded: String,
    /// Whether it is written like a name of code.
    pub(super) is_identifier: bool,
}

impl Question {
    pub(super) fn new(text: &str) -> Self {
        let mut written = query_words(text);
        written.truncate(MAX_WORDS);
        let terms = query_terms(text)
            .into_iter()
            .filter(|term| (term.group as usize) < written.len())
            .collect();
        let name = is_one_name(text)
            .then(|| NameQuery::new(text).ok())
            .flatten();
        // The first word of a sentence is written large whatever it is.
        let opens = |word: &str| text.trim_start().starts_with(word);
        let words: Vec<Word> = written
            .iter()
            .enumerate()
            .map(|(at, word)| Word {
                text: (*word).to_string(),
                folded: fold_name(word),
                is_identifier: name.is_some() || is_identifier(word, at == 0 && opens(word)),
            })
            .collect();
        let joined = [2, 3]
            .into_iter()
            .flat_map(|n| words.windows(n))
            .flat_map(|words| {
                let parts: Vec<&str> = words.iter().map(|word| word.folded.as_str()).collect();
                [parts.concat(), parts.join("_")]
            })
            .collect();
        let has = |any: &[&str]| words.iter().any(|word| any.contains(&word.folded.as_str()));
        let wanted = ASKED
            .iter()
            .filter(|(words, _)| has(words))
            .map(|(_, class)| *class)
            .collect();
        Question {
            terms,
            joined,
            name,
            wanted,
            wants_legacy: has(LEGACY),
            words,
        }
    }

    /// Returns whether the last word has parts that are words themselves.
    pub(super) fn is_compound(&self) -> bool {
        let last = self.words.len().saturating_sub(1) as u32;
        self.terms
            .iter()
            .any(|term| term.group == last && !term.whole)
    }

    /// Returns whether the question asks for files of a role.
    pub(super) fn wants(&self, class: FileClass) -> bool {
        self.wanted.contains(&class)
    }

    /// Returns what the score of a file is multiplied with because of its role.
    pub(super) fn factor(&self, class: FileClass, path: &str) -> f64 {
        let role = match class {
            _ if self.wanted.contains(&class) => 1.0,
            FileClass::Source => 1.0,
            FileClass::Config => 0.8,
            FileClass::Docs => 0.4,
            FileClass::Example => 0.5,
            FileClass::Test => 0.4,
            FileClass::Vendored => 0.5,
            FileClass::Generated => 0.4,
        };
        let legacy = !self.wants_legacy
            && path
                .split(['/', '.', '_', '-'])
                .any(|part| LEGACY.contains(&part.to_ascii_lowercase().as_str()));
        if legacy { role * 0.6 } else { role }
    }
}

/// Words that ask for files of a role.
const ASKED: &[(&[&str], FileClass)] = &[
    (
        &[
            "test",
            "tests",
            "testing",
            "tested",
            "spec",
            "specs",
            "fixture",
            "fixtures",
            "mock",
            "mocks",
            "benchmark",
            "benchmarks",
            "bench",
        ],
        FileClass::Test,
    ),
    (
        &[
            "doc",
            "docs",
            "documentation",
            "readme",
            "guide",
            "tutorial",
            "changelog",
        ],
        FileClass::Docs,
    ),
    (
        &["example", "examples", "sample", "samples", "demo"],
        FileClass::Example,
    ),
    (&["vendor", "vendored", "bundled"], FileClass::Vendored),
    (&["generated", "minified", "lockfile"], FileClass::Generated),
    (
        &["config", "configuration", "settings", "workflow", "ci"],
        FileClass::Config,
    ),
];

/// Parts of paths that hold what is kept for old callers only.
const LEGACY: &[&str] = &["legacy", "deprecated", "compat", "obsolete", "old"];

/// Whether the whole text is a name, possibly qualified, possibly called.
fn is_one_name(text: &str) -> bool {
    let text = text.trim();
    let text = text.strip_suffix("()").unwrap_or(text);
    let is_part = |c: char| c.is_alphanumeric() || "_$:.#~".contains(c);
    !text.is_empty()
        && (text.chars().all(is_part) || text.contains("operator"))
        && !text.contains(char::is_whitespace)
        && text.contains(char::is_alphanumeric)
}

/// Whether a word among others is written like a name of code.
fn is_identifier(word: &str, is_first: bool) -> bool {
    let mut chars = word.chars();
    let first_upper = chars.next().is_some_and(char::is_uppercase);
    let rest_upper = chars.clone().any(char::is_uppercase);
    let rest_lower = chars.any(char::is_lowercase);
    word.contains(['_', '$'])
        || (rest_upper && rest_lower)
        || (first_upper && rest_lower && !is_first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_questions_are_told_apart() {
        for name in ["parse", "View::open", "go()", "a.b.c", "~Dir", "__init__"] {
            assert!(Question::new(name).name.is_some(), "{name}");
        }
        for text in ["how does it parse", "multi-agent", "a(b, c)", "==>", ""] {
            assert!(Question::new(text).name.is_none(), "{text}");
        }
    }

    #[test]
    fn words_written_like_code_are_names() {
        let question = Question::new("Where does the Deadline stop max_bytes of HTTP in readLine");
        let names = question.words.iter().filter(|word| word.is_identifier);
        let names: Vec<_> = names.map(|word| word.text.as_str()).collect();
        assert_eq!(names, ["Deadline", "max_bytes", "readLine"]);
        assert!(question.joined.contains(&"deadlinestop".to_string()));
    }

    #[test]
    fn tests_step_back_unless_asked_for() {
        let path = "src/a.rs";
        assert!(Question::new("parser").factor(FileClass::Test, path) < 1.0);
        assert_eq!(
            Question::new("tests of the parser").factor(FileClass::Test, path),
            1.0
        );
        assert!(Question::new("parser").factor(FileClass::Source, "src/compat/a.rs") < 1.0);
    }
}
