//! Stored bytes to values and back.
//!
//! Decoders are total: any bytes give a value or [`Malformed`]. They never allocate more than a fixed
//! multiple of their input (or a declared cap), and every number that comes out is in the range that
//! the caller gave.

pub(super) mod chunks;
pub(super) mod facts;
pub(super) mod files;
pub(super) mod paths;
pub(super) mod postings;
#[cfg(test)]
mod tests;

/// Why bytes are not a value of their type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Malformed(pub(super) &'static str);

/// What a decoder yields.
pub(super) type Decoded<T> = Result<T, Malformed>;

/// Appends `n` as a little-endian base-128 varint.
pub(super) fn put(out: &mut Vec<u8>, n: impl Into<u64>) {
    let mut n = n.into();
    while n >= 0x80 {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}

/// Returns the number of bytes [`put`] appends.
pub(super) fn varint_len(n: u64) -> usize {
    (70 - (n | 1).leading_zeros() as usize) / 7
}

/// Returns `bit` where `on`, else 0: flags of one byte are joined with `|`.
pub(super) fn flag(on: bool, bit: u8) -> u8 {
    if on { bit } else { 0 }
}

/// Appends the length of `text` and its bytes.
pub(super) fn put_str(out: &mut Vec<u8>, text: &str) {
    put(out, text.len() as u64);
    out.extend_from_slice(text.as_bytes());
}

/// Bytes being decoded.
#[derive(Clone, Debug)]
pub(super) struct Input<'a> {
    rest: &'a [u8],
}

impl<'a> Input<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Input { rest: bytes }
    }

    pub(super) fn len(&self) -> usize {
        self.rest.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    pub(super) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    #[inline]
    pub(super) fn byte(&mut self) -> Decoded<u8> {
        let (first, rest) = self.rest.split_first().ok_or(Malformed("unexpected end"))?;
        self.rest = rest;
        Ok(*first)
    }

    #[inline]
    pub(super) fn u64(&mut self) -> Decoded<u64> {
        let first = self.byte()?;
        if first < 0x80 {
            return Ok(u64::from(first));
        }
        let mut n = u64::from(first & 0x7f);
        let mut shift = 7;
        loop {
            let byte = self.byte()?;
            if shift == 63 && byte > 1 {
                return Err(Malformed("number too large"));
            }
            n |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(n);
            }
            shift += 7;
            if shift > 63 {
                return Err(Malformed("number too long"));
            }
        }
    }

    #[inline]
    pub(super) fn u32(&mut self) -> Decoded<u32> {
        u32::try_from(self.u64()?).map_err(|_| Malformed("number too large"))
    }

    #[inline]
    pub(super) fn take(&mut self, len: usize) -> Decoded<&'a [u8]> {
        let (taken, rest) = self
            .rest
            .split_at_checked(len)
            .ok_or(Malformed("unexpected end"))?;
        self.rest = rest;
        Ok(taken)
    }

    /// Reads a count of things that take at least one byte each, so that it may size an allocation.
    pub(super) fn count(&mut self) -> Decoded<usize> {
        let n = self.u64()?;
        match usize::try_from(n) {
            Ok(n) if n <= self.rest.len() => Ok(n),
            _ => Err(Malformed("count exceeds the data")),
        }
    }

    pub(super) fn str(&mut self) -> Decoded<&'a str> {
        let len = self.count()?;
        std::str::from_utf8(self.take(len)?).map_err(|_| Malformed("text is not UTF-8"))
    }

    pub(super) fn finish(&self) -> Decoded<()> {
        if self.rest.is_empty() {
            Ok(())
        } else {
            Err(Malformed("bytes left over"))
        }
    }
}
