//! What a caller is told when there is no answer: one error type for CLI and MCP.
//!
//! Not here: exit codes and wire shapes, which follow from [`Error::category`] alone. Messages are
//! fragments without a full stop; [`Error::hint`] says what to do.

use crate::query::error::QueryError;
use leantoken_builder::error::BuildError;
use leantoken_formats::error::FormatError;
use leantoken_shared::category::Category;
use serde_json::Value;

/// A request that was not answered.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A field of the request is missing, unknown or has an unusable value.
    #[error("{message}")]
    Request {
        /// The field as the caller names it.
        field: String,
        /// What is wrong.
        message: String,
        /// The values that are allowed, in words; empty when the message says it all.
        allowed: String,
        /// A value that would work, for a corrected request; `Null` means leave the field out.
        suggestion: Value,
    },
    /// There is no directory to answer about.
    #[error("{message}")]
    Root {
        /// Why not.
        message: String,
        /// How to set one.
        hint: String,
    },
    /// The first build of the index is running and the wait is over.
    #[error("the index of {root} is being built: {}", progress(*percent, *n_files))]
    Building {
        /// The root that is built.
        root: String,
        /// Files done, in percent.
        percent: u32,
        /// Files in all; 0 while they are counted.
        n_files: u64,
        /// Seconds after which it is likely done.
        retry_after: u32,
    },
    /// What an earlier attempt to open or build ended with; shared by all who waited for it.
    #[error(transparent)]
    Source(std::sync::Arc<Error>),
    /// Too many requests at once.
    #[error("too many requests are running")]
    Busy,
    /// The snapshot could not be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The snapshot could not be opened.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The question has no answer.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// The question has no answer in an index that holds next to nothing.
    #[error("{error}")]
    Scarce {
        /// Why there is no answer.
        error: Box<QueryError>,
        /// Why the index holds so little, and what to do.
        reason: String,
    },
    /// Output could not be written.
    #[error("cannot write the answer")]
    Output(#[source] std::io::Error),
    /// A fault of this program.
    #[error("internal fault: {0}")]
    Internal(String),
}

impl Error {
    /// Returns the error of `field` with a value that would work.
    pub fn request(field: &str, message: impl Into<String>, suggestion: Value) -> Self {
        Error::Request {
            field: field.into(),
            message: message.into(),
            allowed: String::new(),
            suggestion,
        }
    }

    /// Returns the public class of the error.
    pub fn category(&self) -> Category {
        match self {
            Error::Request { .. } => Category::InvalidRequest,
            Error::Root { .. } | Error::Building { .. } | Error::Busy | Error::Output(_) => {
                Category::Unavailable
            }
            Error::Source(error) => error.category(),
            Error::Build(error) => error.category(),
            Error::Format(error) => error.category(),
            Error::Query(error) => error.category(),
            Error::Scarce { error, .. } => error.category(),
            Error::Internal(_) => Category::Internal,
        }
    }

    /// Returns what the caller can do, where there is something to say.
    pub fn hint(&self) -> Option<String> {
        match self {
            Error::Request { allowed, .. } if !allowed.is_empty() => {
                Some(format!("allowed: {allowed}"))
            }
            Error::Request { field, .. } if field == "paths" => {
                Some("a glob is like src/** or *.rs; [[] and [{] stand for the characters".into())
            }
            Error::Root { hint, .. } => Some(hint.clone()),
            Error::Building { retry_after, .. } => Some(format!("call again in {retry_after} s")),
            Error::Busy => Some("call again in 2 s".into()),
            Error::Query(error) => error.hint(),
            Error::Scarce { reason, .. } => Some(reason.clone()),
            Error::Build(error) => error.hint().map(str::to_owned),
            Error::Source(error) => error.hint(),
            Error::Format(error) => error.hint().map(str::to_owned),
            Error::Internal(_) => Some("report it with the request that led here".into()),
            _ => None,
        }
    }

    /// Returns the field of the request that is at fault.
    pub fn field(&self) -> Option<&str> {
        match self {
            Error::Request { field, .. } => Some(field),
            Error::Query(QueryError::Invalid { field, .. }) => Some(field),
            _ => None,
        }
    }

    /// Returns whether the same request can succeed later without a change by the caller.
    pub fn is_retryable(&self) -> bool {
        match self {
            Error::Building { .. } | Error::Busy => true,
            Error::Source(error) => error.is_retryable(),
            Error::Root { .. } | Error::Output(_) => false,
            _ => self.category().is_retryable(),
        }
    }

    /// Returns the message with the causes behind it, on one line.
    pub fn message(&self) -> String {
        let mut out = self.to_string();
        let mut cause = std::error::Error::source(self);
        while let Some(error) = cause {
            let text = error.to_string();
            if !out.contains(&text) {
                out.push_str(": ");
                out.push_str(&text);
            }
            cause = error.source();
        }
        out
    }
}

fn progress(percent: u32, n_files: u64) -> String {
    match n_files {
        0 => "files are being counted".into(),
        _ => format!("{percent} % of {n_files} files"),
    }
}
