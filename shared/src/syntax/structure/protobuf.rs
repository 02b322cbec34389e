//! Protocol buffers: messages, enumerations, services, their members; uses of types; imports.

use super::scan::{behind, line_end, string_end, word_end};
use super::{MAX_DEPTH, Outline};
use crate::facts::{ReferenceKind, SymbolKind};
use crate::text::ByteRange;

/// What a block holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Block {
    Message,
    Enum,
    Service,
    /// Members count as those of the block around it.
    Group,
    Other,
}

struct Open {
    block: Block,
    symbol: Option<u32>,
}

/// A part of a statement: a name with its dots, a string, or a mark.
type Token = ByteRange;

pub(super) fn read(outline: &mut Outline<'_>) {
    let text = outline.text;
    let mut open: Vec<Open> = Vec::new();
    let mut statement: Vec<Token> = Vec::new();
    let mut at = 0;
    while let Some(token) = token(text, at) {
        at = token.end as usize;
        let mark = token.of(text);
        match mark {
            ";" | "{" => {
                let opened = state(outline, &open, &statement, at);
                statement.clear();
                if mark == "{" {
                    open.push(opened);
                }
            }
            "}" => {
                statement.clear();
                if let Some(closed) = open.pop()
                    && closed.block != Block::Group
                {
                    outline.end(closed.symbol, at);
                }
            }
            _ if statement.len() < 64 => statement.push(token),
            _ => {}
        }
    }
    while let Some(closed) = open.pop() {
        outline.end(closed.symbol, text.len());
    }
}

/// Returns the next token from `at` on.
fn token(text: &str, at: usize) -> Option<Token> {
    let bytes = text.as_bytes();
    let mut at = at;
    loop {
        at = super::scan::skip_blanks(text, at);
        let rest = text.get(at..)?;
        if rest.starts_with("//") {
            at = line_end(text, at);
        } else if rest.starts_with("/*") {
            at = behind(text, at + 2, "*/");
        } else {
            break;
        }
    }
    let end = match bytes.get(at)? {
        b'"' | b'\'' => string_end(text, at, true, false),
        byte if byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.') => {
            word_end(text, at, ".")
        }
        _ => at + text[at..].chars().next().map_or(1, char::len_utf8),
    };
    Some(ByteRange::new(at as u32, end as u32))
}

/// Adds what `statement`, which ends at `end`, says, and returns the block that it may open.
fn state(outline: &mut Outline<'_>, open: &[Open], statement: &[Token], end: usize) -> Open {
    let text = outline.text;
    let around = open.last().map(|outer| outer.block);
    let parent = open.last().and_then(|outer| outer.symbol);
    let mut opened = Open {
        block: Block::Other,
        symbol: None,
    };
    let (Some(first), second) = (statement.first(), statement.get(1)) else {
        return opened;
    };
    let is_deep = open.len() >= MAX_DEPTH || around == Some(Block::Other);
    let start = first.start as usize;
    let mut named = |outline: &mut Outline<'_>, block, kind| {
        opened.block = block;
        if let Some(name) = second.filter(|_| !is_deep) {
            opened.symbol = outline.define(kind, parent, *name, start, end);
        }
    };
    match (first.of(text), around) {
        ("message", None | Some(Block::Message | Block::Group)) if statement.len() == 2 => {
            named(outline, Block::Message, SymbolKind::Struct);
        }
        ("enum", None | Some(Block::Message | Block::Group)) if statement.len() == 2 => {
            named(outline, Block::Enum, SymbolKind::Enum);
        }
        ("service", None) => named(outline, Block::Service, SymbolKind::Interface),
        ("rpc", Some(Block::Service)) => {
            named(outline, Block::Other, SymbolKind::Method);
            let method = opened.symbol;
            for pair in statement.windows(2).skip(2) {
                let is_stream = pair[1].of(text) == "stream";
                if matches!(pair[0].of(text), "(" | "stream") && !is_stream {
                    refer(outline, pair[1], method);
                }
            }
        }
        ("extend", _) => {
            opened.block = Block::Message;
            if let Some(name) = second {
                refer(outline, *name, parent);
            }
        }
        ("oneof", Some(Block::Message | Block::Group)) => {
            opened.block = Block::Group;
            opened.symbol = parent;
        }
        ("import", None) => {
            let path = statement.last().unwrap_or(first);
            let is_public = second.is_some_and(|word| word.of(text) == "public");
            let whole = ByteRange::new(first.start, end as u32);
            let path = super::scan::unquoted(text, *path).of(text);
            outline.import(path, is_public, whole);
        }
        ("option" | "reserved" | "extensions" | "syntax" | "package" | "edition", _) => {}
        (_, Some(Block::Enum)) if second.is_some_and(|mark| mark.of(text) == "=") => {
            outline.define(SymbolKind::Variant, parent, *first, start, end);
        }
        (_, Some(Block::Message | Block::Group)) if !is_deep => {
            field(outline, parent, statement, end);
        }
        _ => {}
    }
    opened
}

/// `repeated T name = 1`, `map<K, V> name = 2`.
fn field(outline: &mut Outline<'_>, parent: Option<u32>, statement: &[Token], end: usize) {
    let text = outline.text;
    let equals = statement.iter().position(|token| token.of(text) == "=");
    let Some(name_at) = equals.and_then(|equals| equals.checked_sub(1)) else {
        return;
    };
    let name = statement[name_at];
    let start = statement[0].start as usize;
    if name_at == 0
        || !name
            .of(text)
            .starts_with(|c: char| c.is_alphabetic() || c == '_')
    {
        return;
    }
    let symbol = outline.define(SymbolKind::Field, parent, name, start, end);
    for part in &statement[..name_at] {
        let is_type = part
            .of(text)
            .starts_with(|c: char| c.is_alphabetic() || c == '.');
        let is_word = matches!(part.of(text), "optional" | "required" | "repeated" | "map");
        if is_type && !is_word {
            refer(outline, *part, symbol);
        }
    }
}

/// Adds the use of a type by the last part of its name; the built-in ones are none.
fn refer(outline: &mut Outline<'_>, name: ByteRange, enclosing: Option<u32>) {
    let text = name.of(outline.text);
    let last = text.rsplit('.').next().unwrap_or_default();
    let is_built_in = matches!(
        last,
        "double"
            | "float"
            | "int32"
            | "int64"
            | "uint32"
            | "uint64"
            | "sint32"
            | "sint64"
            | "fixed32"
            | "fixed64"
            | "sfixed32"
            | "sfixed64"
            | "bool"
            | "string"
            | "bytes"
    );
    let is_name = last.starts_with(|c: char| c.is_alphabetic() || c == '_');
    if is_name && !(is_built_in && last.len() == text.len()) {
        let range = ByteRange::new(name.end - last.len() as u32, name.end);
        outline.refer(range, enclosing, ReferenceKind::Type);
    }
}
