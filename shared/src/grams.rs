//! Case-folded byte trigrams: what a text holds and what a query must hold, by one function.
//!
//! Folding is ASCII only (`A`-`Z` to `a`-`z`); other bytes stand for themselves. A gram never holds
//! CR or LF, because a match never crosses a line end.

/// Three folded bytes.
pub type Gram = [u8; 3];

/// Returns `byte` folded.
pub fn fold(byte: u8) -> u8 {
    byte.to_ascii_lowercase()
}

/// Each byte folded.
const FOLDED: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = (byte as u8).to_ascii_lowercase();
        byte += 1;
    }
    table
};

/// Calls `visit` with every gram of `text` in order of position, repeats included.
#[inline]
pub fn grams(text: &[u8], mut visit: impl FnMut(Gram)) {
    let (mut first, mut second) = (0, 0);
    // How many bytes since the last line end, up to 2.
    let mut held = 0;
    for byte in text {
        let third = FOLDED[usize::from(*byte)];
        if third == b'\n' || third == b'\r' {
            held = 0;
        } else if held == 2 {
            visit([first, second, third]);
        } else {
            held += 1;
        }
        (first, second) = (second, third);
    }
}
#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Vec<String> {
        let mut out = Vec::new();
        grams(text.as_bytes(), |gram| {
            out.push(String::from_utf8_lossy(&gram).into_owned());
        });
        out
    }

    #[test]
    fn grams_fold_and_stop_at_line_ends() {
        assert_eq!(of("ABcd"), ["abc", "bcd"]);
        assert_eq!(of("abc\ndef\r\nxy"), ["abc", "def"]);
        assert_eq!(of("ab"), [""; 0]);
        assert_eq!(of("aß")[0].len(), "aß".len());
    }
}
