//! Content hashes: the only place that names the hash function (BLAKE3, 256 bits).

use std::fmt;
use std::str::FromStr;

/// The BLAKE3 digest of some bytes. Its text form is `b3:` and 64 lower-case hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContentHash(pub [u8; 32]);

impl ContentHash {
    /// Returns the digest of `bytes`.
    pub fn of(bytes: &[u8]) -> Self {
        ContentHash(*blake3::hash(bytes).as_bytes())
    }

    /// Returns the 64 hexadecimal digits without the `b3:` prefix, as used in file names.
    pub fn hex(&self) -> String {
        let mut out = String::with_capacity(64);
        for byte in self.0 {
            for nibble in [byte >> 4, byte & 15] {
                out.push(char::from_digit(u32::from(nibble), 16).unwrap_or('0'));
            }
        }
        out
    }

    /// Parses 64 lower-case hexadecimal digits; anything else is `None`.
    pub fn from_hex(hex: &str) -> Option<Self> {
        let bytes = hex.as_bytes();
        if bytes.len() != 64 {
            return None;
        }
        let nibble = |b: u8| match b {
            b'0'..=b'9' => Some(b - b'0'),
            b'a'..=b'f' => Some(b - b'a' + 10),
            _ => None,
        };
        let mut out = [0u8; 32];
        for (slot, pair) in out.iter_mut().zip(bytes.chunks_exact(2)) {
            *slot = (nibble(pair[0])? << 4) | nibble(pair[1])?;
        }
        Some(ContentHash(out))
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "b3:{}", self.hex())
    }
}

impl fmt::Debug for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for ContentHash {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        text.strip_prefix("b3:").and_then(Self::from_hex).ok_or(())
    }
}

/// Feeds bytes in pieces and yields the same digest as [`ContentHash::of`] over their concatenation.
#[derive(Default)]
pub struct Hasher(blake3::Hasher);

impl Hasher {
    /// Returns a hasher that has seen nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds `bytes` to what is hashed.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Returns the digest of everything seen.
    pub fn finish(&self) -> ContentHash {
        ContentHash(*self.0.finalize().as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_form_round_trips_and_rejects_other_spellings() {
        let hash = ContentHash::of(b"abc");
        assert_eq!(hash.to_string().parse(), Ok(hash));
        assert!(hash.hex().parse::<ContentHash>().is_err());
        assert!(ContentHash::from_hex(&hash.hex().to_uppercase()).is_none());
        let mut hasher = Hasher::new();
        hasher.update(b"a");
        hasher.update(b"bc");
        assert_eq!(hasher.finish(), hash);
    }
}
