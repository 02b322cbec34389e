//! The stable public error classes.
//!
//! Not here: the errors themselves. Each crate has its own error type and maps it to a
//! [`Category`]; exit codes, HTTP statuses and MCP errors are derived from the category alone.

/// What kind of failure a caller is looking at, and therefore what the caller can do about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Category {
    /// The request is malformed or contradicts itself; correcting it helps, repeating it does not.
    InvalidRequest,
    /// The named file, symbol, snapshot or repository does not exist.
    NotFound,
    /// A declared bound (bytes, files, time of a whole build) was exceeded.
    LimitExceeded,
    /// The deadline of the request passed before an answer was ready.
    Timeout,
    /// Something the answer needs is not there yet, or the environment refuses it; may be retried.
    Unavailable,
    /// A snapshot was written by a version that this one cannot read.
    Incompatible,
    /// A snapshot is damaged or is not what its manifest says.
    Corrupt,
    /// A fault of this program.
    Internal,
}

impl Category {
    /// Returns the stable machine-readable name, as it appears in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Category::InvalidRequest => "invalid_request",
            Category::NotFound => "not_found",
            Category::LimitExceeded => "limit_exceeded",
            Category::Timeout => "timeout",
            Category::Unavailable => "unavailable",
            Category::Incompatible => "incompatible",
            Category::Corrupt => "corrupt",
            Category::Internal => "internal",
        }
    }

    /// Returns the process exit code: 1 nothing found, 2 request or limit, 3 environment, 70 internal.
    pub fn exit_code(self) -> u8 {
        match self {
            Category::NotFound => 1,
            Category::InvalidRequest | Category::LimitExceeded => 2,
            Category::Timeout
            | Category::Unavailable
            | Category::Incompatible
            | Category::Corrupt => 3,
            Category::Internal => 70,
        }
    }

    /// Returns whether repeating the same request later can succeed.
    pub fn is_retryable(self) -> bool {
        matches!(self, Category::Timeout | Category::Unavailable)
    }
}
