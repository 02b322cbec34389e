//! Where a page ended: an opaque text that only fits the same question over the same snapshot.
//!
//! Form: skip `-` 16 digits over generation and request `-` 8 digits over the whole. It
//! protects from mix-ups, not from forgery: a forged cursor can only skip.

use super::error::QueryError;
use super::request::Operation;
use leantoken_shared::digest::ContentHash;

/// Returns the cursor that continues `operation` over snapshot `generation` behind `skip` items.
pub fn encode(operation: &Operation, generation: &str, skip: u32) -> String {
    let generation_digest = digest(&[generation.as_bytes()]);
    let request = digest(&[request_text(operation).as_bytes()]);
    format!(
        "{skip}-{}{}-{}",
        generation_digest,
        request,
        check(skip, &generation_digest, &request)
    )
}

/// Returns how many items of `operation` over snapshot `generation` the holder of `cursor` has seen.
///
/// # Errors
/// [`QueryError::Invalid`] when the cursor is malformed or belongs to another request or snapshot.
pub fn decode(cursor: &str, operation: &Operation, generation: &str) -> Result<u32, QueryError> {
    let malformed = || QueryError::invalid("cursor", "it is not a cursor of this program");
    let mut parts = cursor.splitn(3, '-');
    let skip: u32 = parts
        .next()
        .and_then(|s| s.parse().ok())
        .ok_or_else(malformed)?;
    let (generation_digest, request) = parts
        .next()
        .and_then(|ids| ids.split_at_checked(8))
        .ok_or_else(malformed)?;
    if parts.next() != Some(check(skip, generation_digest, request).as_str()) {
        return Err(malformed());
    }
    if request != digest(&[request_text(operation).as_bytes()]) {
        let reason = "it belongs to another request; repeat the request it came from";
        return Err(QueryError::invalid("cursor", reason));
    }
    if generation_digest != digest(&[generation.as_bytes()]) {
        let reason = "it belongs to another state of the index; ask again without it";
        return Err(QueryError::invalid("cursor", reason));
    }
    Ok(skip)
}

/// The request without its page size, which may change from page to page.
fn request_text(operation: &Operation) -> String {
    let mut operation = operation.clone();
    match &mut operation {
        Operation::Search(search) => search.limit = 0,
        Operation::Files(files) => files.limit = 0,
        Operation::Outline(outline) => outline.limit = 0,
        Operation::Read(_) | Operation::Status => {}
    }
    format!("{operation:?}")
}

fn check(skip: u32, generation: &str, request: &str) -> String {
    digest(&[
        &skip.to_le_bytes(),
        generation.as_bytes(),
        request.as_bytes(),
    ])
}

fn digest(parts: &[&[u8]]) -> String {
    let mut hex = ContentHash::of(&parts.concat()).hex();
    hex.truncate(8);
    hex
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::request::{Files, FilesView};
    use leantoken_shared::path::PathSet;

    fn glob(pattern: &str, limit: u32) -> Operation {
        Operation::Files(Files {
            view: FilesView::Glob,
            paths: PathSet::new(&[pattern], &[] as &[&str]).unwrap(),
            limit,
        })
    }

    fn reason(cursor: &str, operation: &Operation, generation: &str) -> String {
        decode(cursor, operation, generation)
            .unwrap_err()
            .to_string()
    }

    #[test]
    fn fits_only_its_own_request_and_snapshot() {
        let cursor = encode(&glob("*.rs", 5), "b3:aa", 17);
        assert_eq!(decode(&cursor, &glob("*.rs", 5), "b3:aa").unwrap(), 17);
        assert_eq!(decode(&cursor, &glob("*.rs", 9), "b3:aa").unwrap(), 17);
        assert!(reason(&cursor, &glob("*.py", 5), "b3:aa").contains("another request"));
        assert!(reason(&cursor, &glob("*.rs", 5), "b3:bb").contains("another state"));
        for bad in [
            "",
            "x",
            "17",
            "17-",
            "18-é",
            "-1-2-3",
            &cursor.replace("17-", "18-"),
        ] {
            assert!(
                reason(bad, &glob("*.rs", 5), "b3:aa").contains("not a cursor"),
                "{bad}"
            );
        }
    }
}
