//! Postings: which files, chunks and definitions hold a key.
//!
//! - *Hits* (words): a varint a chunk, `gap << 2 | code`, the gap being the chunks skipped since the
//!   last hit. Code 0: once in the body; 1: twice; 2: a varint of uses less 3 follows; 3: a byte of
//!   `body:3 name:2 doc:3` follows, a full part being continued by a varint.
//! - *Files*: in the plain form a varint gap each; in the packed form a count, a byte `k` and Rice
//!   codes with `k` low bits, gaps in unary: with `k = 0` that is a bitmap.
//! - *Names*: a varint a file, `gap << 1 | several`, then a definition, or a count and definitions by gap.

use super::{Decoded, Input, Malformed, put, varint_len};

/// How often a word stands in a chunk. Counts saturate: no ranking tells 300 uses from 255.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::segment) struct Uses {
    pub(in crate::segment) body: u16,
    pub(in crate::segment) name: u8,
    pub(in crate::segment) doc: u8,
}

pub(in crate::segment) fn put_hit(out: &mut Vec<u8>, gap: u32, uses: Uses) {
    let gap = u64::from(gap) << 2;
    match uses {
        Uses {
            body: body @ 1..,
            name: 0,
            doc: 0,
        } => match body {
            1 => put(out, gap),
            2 => put(out, gap | 1),
            _ => {
                put(out, gap | 2);
                put(out, body - 3);
            }
        },
        Uses { body, name, doc } => {
            put(out, gap | 3);
            out.push((body.min(7) << 5) as u8 | name.min(3) << 3 | doc.min(7));
            if body >= 7 {
                put(out, body - 7);
            }
            if name >= 3 {
                put(out, name - 3);
            }
            if doc >= 7 {
                put(out, doc - 7);
            }
        }
    }
}

/// Reads a hit: its gap and its uses.
#[inline]
pub(in crate::segment) fn take_hit(input: &mut Input<'_>) -> Decoded<(u64, Uses)> {
    let tagged = input.u64()?;
    let mut uses = Uses {
        body: 1,
        name: 0,
        doc: 0,
    };
    match tagged & 3 {
        0 => {}
        1 => uses.body = 2,
        2 => uses.body = more(input, 3)?,
        _ => {
            let packed = input.byte()?;
            uses.body = u16::from(packed >> 5);
            uses.name = packed >> 3 & 3;
            uses.doc = packed & 7;
            if uses.body == 7 {
                uses.body = more(input, 7)?;
            }
            if uses.name == 3 {
                uses.name = more(input, 3)?;
            }
            if uses.doc == 7 {
                uses.doc = more(input, 7)?;
            }
        }
    }
    Ok((tagged >> 2, uses))
}

fn more<T: TryFrom<u64>>(input: &mut Input<'_>, base: u64) -> Decoded<T> {
    let n = input.u64()?.saturating_add(base);
    T::try_from(n).map_err(|_| Malformed("number too large"))
}

/// Appends strictly ascending `files` in the smaller form; returns whether it is the packed one.
pub(in crate::segment) fn put_files(out: &mut Vec<u8>, files: &[u32]) -> bool {
    let plain: usize = gaps(files).map(|gap| varint_len(gap.into())).sum();
    let n = files.len();
    if n >= 4 {
        let sum: u64 = gaps(files).map(u64::from).sum();
        let k = (sum / n as u64).max(1).ilog2();
        let bits: u64 = gaps(files).map(|gap| u64::from((gap >> k) + 1 + k)).sum();
        if varint_len(n as u64) + 1 + bits.div_ceil(8) as usize <= plain {
            put(out, n as u64);
            out.push(k as u8);
            put_rice(out, files, k);
            return true;
        }
    }
    for gap in gaps(files) {
        put(out, gap);
    }
    false
}

/// Returns how many numbers lie between each file and the one before.
fn gaps(files: &[u32]) -> impl Iterator<Item = u32> {
    let mut next = 0;
    files.iter().map(move |file| {
        let gap = file - next;
        next = file + 1;
        gap
    })
}

fn put_rice(out: &mut Vec<u8>, files: &[u32], k: u32) {
    let (mut word, mut used) = (0u64, 0u32);
    let mut push = |value: u64, bits: u32| {
        word |= value << used;
        used += bits;
        while used >= 8 {
            out.push(word as u8);
            word >>= 8;
            used -= 8;
        }
    };
    for gap in gaps(files) {
        let mut zeros = gap >> k;
        while zeros >= 32 {
            push(0, 32);
            zeros -= 32;
        }
        push(1 << zeros, zeros + 1);
        push(u64::from(gap) & ((1 << k) - 1), k);
    }
    // Padding is shorter than any code can be misread for: the count says where to stop.
    push(0, 7);
}

/// Reads files below `n_files`.
pub(in crate::segment) fn decode_files(
    bytes: &[u8],
    packed: bool,
    n_files: u32,
) -> Decoded<Vec<u32>> {
    let mut input = Input::new(bytes);
    if packed {
        return decode_rice(&mut input, n_files);
    }
    let mut files = Vec::with_capacity(bytes.len().min(n_files as usize));
    let mut next = 0u64;
    while !input.is_empty() {
        let file = next.saturating_add(input.u64()?);
        files.push(in_range(file, n_files)?);
        next = file + 1;
    }
    Ok(files)
}

#[inline]
fn in_range(file: u64, n_files: u32) -> Decoded<u32> {
    if file < u64::from(n_files) {
        Ok(file as u32)
    } else {
        Err(Malformed("file number out of range"))
    }
}

fn decode_rice(input: &mut Input<'_>, n_files: u32) -> Decoded<Vec<u32>> {
    let n = input.u64()?;
    let k = u32::from(input.byte()?);
    if n > u64::from(n_files) || k > 31 {
        return Err(Malformed("more files than there are"));
    }
    // A code has at least one bit.
    if n > input.len() as u64 * 8 {
        return Err(Malformed("count exceeds the data"));
    }
    let mut files = Vec::with_capacity(n as usize);
    let mut bits = Bits::new(input.rest());
    let mut next = 0u64;
    for _ in 0..n {
        let zeros = bits.unary(n_files)?;
        let gap = zeros << k | bits.low(k)?;
        let file = next + gap;
        files.push(in_range(file, n_files)?);
        next = file + 1;
    }
    Ok(files)
}

/// Bits from the lowest of each byte up.
struct Bits<'a> {
    rest: &'a [u8],
    word: u64,
    held: u32,
}

impl<'a> Bits<'a> {
    fn new(rest: &'a [u8]) -> Self {
        Bits {
            rest,
            word: 0,
            held: 0,
        }
    }

    #[inline]
    fn fill(&mut self) {
        while self.held <= 56 {
            let Some((first, rest)) = self.rest.split_first() else {
                return;
            };
            self.word |= u64::from(*first) << self.held;
            self.held += 8;
            self.rest = rest;
        }
    }

    /// Returns the number of zeros before the next one bit; at most `max`.
    #[inline]
    fn unary(&mut self, max: u32) -> Decoded<u64> {
        let mut zeros = 0u64;
        loop {
            self.fill();
            if self.word != 0 {
                let run = self.word.trailing_zeros();
                self.word = self.word >> run >> 1;
                self.held -= run + 1;
                return Ok(zeros + u64::from(run));
            }
            if self.held == 0 || zeros > u64::from(max) {
                return Err(Malformed("unexpected end"));
            }
            zeros += u64::from(self.held);
            self.held = 0;
        }
    }

    #[inline]
    fn low(&mut self, n: u32) -> Decoded<u64> {
        self.fill();
        if self.held < n {
            return Err(Malformed("unexpected end"));
        }
        let value = self.word & ((1 << n) - 1);
        self.word >>= n;
        self.held -= n;
        Ok(value)
    }
}

/// Appends the definitions (ascending, at least one) of one file.
pub(in crate::segment) fn put_definitions(out: &mut Vec<u8>, gap: u32, symbols: &[u32]) {
    let several = symbols.len() > 1;
    put(out, u64::from(gap) << 1 | u64::from(several));
    if several {
        put(out, symbols.len() as u64);
    }
    for gap in gaps(symbols) {
        put(out, gap);
    }
}

/// Reads one file's definitions into `symbols`; returns the gap.
pub(in crate::segment) fn take_definitions(
    input: &mut Input<'_>,
    symbols: &mut Vec<u32>,
) -> Decoded<u64> {
    let tagged = input.u64()?;
    let n = if tagged & 1 != 0 { input.count()? } else { 1 };
    symbols.clear();
    let mut next = 0u64;
    for _ in 0..n {
        let at = next.saturating_add(input.u64()?);
        symbols.push(u32::try_from(at).map_err(|_| Malformed("number too large"))?);
        next = at + 1;
    }
    Ok(tagged >> 1)
}
