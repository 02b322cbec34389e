//! Why a question has no answer.
//!
//! Messages are fragments that read after "cannot answer: "; [`QueryError::hint`] says what to do.

use super::find::near;
use crate::view::View;
use leantoken_formats::error::FormatError;
use leantoken_shared::category::Category;

/// Most paths that are suggested.
const MAX_NEAREST: usize = 3;

/// A question that cannot be answered, with what the caller can do about it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum QueryError {
    /// A field of the request has a value that cannot be used.
    #[error("invalid {field}: {reason}")]
    Invalid {
        /// The field of the request.
        field: &'static str,
        /// What is wrong with its value.
        reason: String,
    },
    /// What is looked for spans lines; no other mode would find it either.
    #[error("invalid query: it holds a line end; lines are searched one by one")]
    AcrossLines,
    /// What the request names is not in the view.
    #[error("{what} is not in the index")]
    NotFound {
        /// What was looked for, with its kind: `file 'a/b.rs'`.
        what: String,
        /// What is there instead, nearest first.
        nearest: Vec<String>,
    },
    /// The tree held what the request names, but the index does not.
    #[error("'{path}' was left out of the index: {reason}")]
    LeftOut {
        /// The path.
        path: String,
        /// The stable name of the reason.
        reason: &'static str,
    },
    /// A name means more than one definition.
    #[error("'{name}' is ambiguous; it means {}", choices.join(", "))]
    Ambiguous {
        /// The name as asked.
        name: String,
        /// The definitions it can mean, each as a target of a read: `path#qualified name`.
        choices: Vec<String>,
    },
    /// The budget cannot hold even the smallest answer.
    #[error("the budget is too small: the smallest answer needs {needed} {unit}")]
    BudgetTooSmall {
        /// The smallest budget that works for this very request.
        needed: u32,
        /// `tokens` or `bytes`.
        unit: &'static str,
    },
    /// The deadline passed.
    #[error("the deadline passed before the answer was ready")]
    Timeout,
    /// The caller took the question back.
    #[error("the request was cancelled")]
    Cancelled,
    /// The snapshot cannot be read.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// Stored facts contradict each other.
    #[error("the snapshot contradicts itself: {0}")]
    Corrupt(String),
}

impl QueryError {
    /// Returns the error of a field with an unusable value.
    pub fn invalid(field: &'static str, reason: impl Into<String>) -> Self {
        QueryError::Invalid {
            field,
            reason: reason.into(),
        }
    }

    /// Returns the error of a path that the view does not have.
    pub(crate) fn no_path(view: &View, what: String, path: &str) -> Self {
        match view.left_out(path) {
            Ok(None) => QueryError::NotFound {
                what,
                nearest: near::paths(view, path, MAX_NEAREST),
            },
            Ok(Some(skipped)) => QueryError::LeftOut {
                path: skipped.path,
                reason: skipped.reason.as_str(),
            },
            Err(error) => error.into(),
        }
    }

    /// Returns the public class of the error.
    pub fn category(&self) -> Category {
        match self {
            QueryError::Invalid { .. } | QueryError::AcrossLines | QueryError::Ambiguous { .. } => {
                Category::InvalidRequest
            }
            QueryError::NotFound { .. } | QueryError::LeftOut { .. } => Category::NotFound,
            QueryError::BudgetTooSmall { .. } => Category::LimitExceeded,
            QueryError::Timeout | QueryError::Cancelled => Category::Timeout,
            QueryError::Format(error) => error.category(),
            QueryError::Corrupt(_) => Category::Corrupt,
        }
    }

    /// Returns what the caller can do, where there is something to say.
    pub fn hint(&self) -> Option<String> {
        match self {
            QueryError::Invalid { field, .. } => Some(remedy(field).into()),
            QueryError::AcrossLines => {
                Some("a match lies within one line; search for one of the lines".into())
            }
            QueryError::NotFound { nearest, .. } if !nearest.is_empty() => {
                Some(format!("nearest: {}", nearest.join(", ")))
            }
            QueryError::NotFound { .. } => Some("look it up with search".into()),
            QueryError::Ambiguous { .. } => Some("give one of them back as the target".into()),
            QueryError::BudgetTooSmall { needed, unit } => {
                Some(format!("ask for at least {needed} {unit}"))
            }
            QueryError::Timeout => Some("narrow the paths or the pattern, or ask again".into()),
            QueryError::Cancelled | QueryError::LeftOut { .. } => None,
            QueryError::Format(error) => error.hint().map(str::to_owned),
            QueryError::Corrupt(_) => Some("build the snapshot again".into()),
        }
    }
}

fn remedy(field: &str) -> &'static str {
    match field {
        "query" => "write a backslash before what is meant literally, or search with mode text",
        "cursor" => "ask without the cursor",
        "lines" => "give lines that the file has",
        _ => "see what the field may be with --help",
    }
}
