//! Kotlin bodies that end on the line of their last member, which the grammar does not know: finds the
//! blanks to be line ends.
//!
//! Not here: text in strings and comments, which are left alone.

/// What the scan stands in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    /// A block, or the code of a template within a string.
    Braces,
    Text,
    RawText,
}

/// Returns the places of the blanks directly before a `}` that something else stands before.
pub(super) fn blanks_before_braces(text: &[u8]) -> Vec<usize> {
    let mut found = Vec::new();
    let mut stack: Vec<Inside> = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let step = match stack.last() {
            Some(Inside::Text) => in_text(rest, &mut stack, 1),
            Some(Inside::RawText) => in_text(rest, &mut stack, 3),
            _ if rest.starts_with(b"//") => memchr::memchr(b'\n', rest).unwrap_or(rest.len()),
            _ if rest.starts_with(b"/*") => comment(rest),
            _ if rest.starts_with(b"\"\"\"") => {
                stack.push(Inside::RawText);
                3
            }
            _ => match rest[0] {
                b'"' => {
                    stack.push(Inside::Text);
                    1
                }
                b'\'' => character(rest),
                b'{' => {
                    stack.push(Inside::Braces);
                    1
                }
                b'}' => {
                    stack.pop();
                    if !matches!(stack.last(), Some(Inside::Text | Inside::RawText))
                        && ends_a_member(&text[..at])
                    {
                        found.push(at - 1);
                    }
                    1
                }
                _ => 1,
            },
        };
        at += step.max(1);
    }
    found
}

/// Returns whether `before` ends with a blank behind something on the same line that needs an end.
fn ends_a_member(before: &[u8]) -> bool {
    before.last() == Some(&b' ')
        && !matches!(
            before.trim_ascii_end().last(),
            None | Some(b'{' | b';' | b',')
        )
        && memchr::memrchr(b'\n', before).is_none_or(|end| !before[end..].trim_ascii().is_empty())
}

/// Steps within a string whose end has `quotes` marks.
fn in_text(rest: &[u8], stack: &mut Vec<Inside>, quotes: usize) -> usize {
    match rest[0] {
        b'\\' if quotes == 1 => 2,
        b'$' if rest.get(1) == Some(&b'{') => {
            stack.push(Inside::Braces);
            2
        }
        b'"' if quotes == 1 || rest.starts_with(b"\"\"\"") => {
            stack.pop();
            // `""""` ends with a mark in the text.
            rest.iter()
                .take_while(|byte| **byte == b'"')
                .count()
                .max(1)
                .min(if quotes == 1 { 1 } else { 5 })
        }
        b'\n' if quotes == 1 => {
            stack.pop();
            1
        }
        _ => 1,
    }
}

/// Returns the length of the comment at the start of `rest`; comments nest.
fn comment(rest: &[u8]) -> usize {
    let mut depth = 0u32;
    let mut at = 0;
    while at < rest.len() {
        if rest[at..].starts_with(b"/*") {
            depth += 1;
            at += 2;
        } else if rest[at..].starts_with(b"*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    at
}

/// Returns the length of the character literal at the start of `rest`, or 1 where there is none.
fn character(rest: &[u8]) -> usize {
    let escaped = usize::from(rest.get(1) == Some(&b'\\'));
    let near = &rest[..rest.len().min(12)];
    let close = near
        .iter()
        .skip(2 + escaped)
        .position(|byte| *byte == b'\'');
    close.map_or(1, |close| 3 + escaped + close)
}
