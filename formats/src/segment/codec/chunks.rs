//! The chunks of one file.
//!
//! Chunk: a byte of flags, then varints: (gap to the chunk before and step of lines unless it simply
//! follows), byte length, further lines, (symbol + 1 if any), words of the body, (words of names and
//! documentation unless both are 0).

use super::{Decoded, Input, Malformed, flag, put};
use crate::segment::{ChunkRow, FieldLengths};
use leantoken_shared::facts::Chunk;
use leantoken_shared::text::ByteRange;

/// Starts at the byte and line after the chunk before.
const FOLLOWS: u8 = 1;
const HAS_SYMBOL: u8 = 2;
/// No words but those of the body.
const BODY_ONLY: u8 = 4;

/// What the chunks of a file must fit in.
#[derive(Clone, Copy, Debug)]
pub(in crate::segment) struct Bounds {
    pub(in crate::segment) n_chunks: u32,
    pub(in crate::segment) text_len: u32,
    pub(in crate::segment) n_symbols: u32,
}

/// Appends `rows`, or says which rule they break.
pub(in crate::segment) fn encode(
    out: &mut Vec<u8>,
    rows: &[ChunkRow],
    bounds: Bounds,
) -> Decoded<()> {
    let (mut last_byte, mut last_line) = (0, 0);
    for row in rows {
        let chunk = &row.chunk;
        if chunk.range.start < last_byte
            || chunk.range.end < chunk.range.start
            || chunk.range.end > bounds.text_len
            || chunk.start_line < last_line
            || chunk.end_line < chunk.start_line
            || chunk.symbol.is_some_and(|at| at >= bounds.n_symbols)
        {
            return Err(Malformed("chunks out of order or outside the text"));
        }
        let (gap, step) = (chunk.range.start - last_byte, chunk.start_line - last_line);
        let lengths = &row.lengths;
        let follows = gap == 0 && step == 1;
        let body_only = lengths.name == 0 && lengths.doc == 0;
        out.push(
            flag(follows, FOLLOWS)
                | flag(chunk.symbol.is_some(), HAS_SYMBOL)
                | flag(body_only, BODY_ONLY),
        );
        if !follows {
            put(out, gap);
            put(out, step);
        }
        put(out, chunk.range.len());
        put(out, chunk.end_line - chunk.start_line);
        if let Some(at) = chunk.symbol {
            put(out, at);
        }
        put(out, lengths.body);
        if !body_only {
            put(out, lengths.name);
            put(out, lengths.doc);
        }
        (last_byte, last_line) = (chunk.range.end, chunk.end_line);
    }
    Ok(())
}

pub(in crate::segment) fn decode(bytes: &[u8], bounds: Bounds) -> Decoded<Vec<ChunkRow>> {
    let mut input = Input::new(bytes);
    let n = bounds.n_chunks as usize;
    if n > bytes.len() {
        return Err(Malformed("more chunks than data"));
    }
    let mut rows = Vec::with_capacity(n);
    let (mut last_byte, mut last_line) = (0, 0);
    for _ in 0..n {
        let row = take_row(&mut input, last_byte, last_line)?;
        (last_byte, last_line) = (row.chunk.range.end, row.chunk.end_line);
        if last_byte > bounds.text_len {
            return Err(Malformed("chunk outside the text"));
        }
        if row.chunk.symbol.is_some_and(|at| at >= bounds.n_symbols) {
            return Err(Malformed("chunk of an unknown definition"));
        }
        rows.push(row);
    }
    input.finish()?;
    Ok(rows)
}

fn take_row(input: &mut Input<'_>, last_byte: u32, last_line: u32) -> Decoded<ChunkRow> {
    let add = |a: u32, b: u32| a.checked_add(b).ok_or(Malformed("number too large"));
    let flags = input.byte()?;
    let (gap, step) = if flags & FOLLOWS != 0 {
        (0, 1)
    } else {
        (input.u32()?, input.u32()?)
    };
    let start = add(last_byte, gap)?;
    let end = add(start, input.u32()?)?;
    let start_line = add(last_line, step)?;
    let end_line = add(start_line, input.u32()?)?;
    let symbol = (flags & HAS_SYMBOL != 0).then(|| input.u32()).transpose()?;
    let body = input.u32()?;
    let (name, doc) = if flags & BODY_ONLY != 0 {
        (0, 0)
    } else {
        (input.u32()?, input.u32()?)
    };
    Ok(ChunkRow {
        chunk: Chunk {
            range: ByteRange::new(start, end),
            start_line,
            end_line,
            symbol,
        },
        lengths: FieldLengths { body, name, doc },
    })
}
