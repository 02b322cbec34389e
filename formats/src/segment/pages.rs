//! Streams of bytes in tables: cut into pieces that fill a page each.
//!
//! A stream wastes nothing however small or large its parts are, where a row a part would leave half a
//! page after each larger one.

use super::codec::Malformed;
use super::schema::Stream;
use rusqlite::Connection;
use std::ops::Range;

/// Bytes of a piece: with its cell it is exactly what fits a page without overflow, whatever its number.
pub(super) const PIECE: u64 = 4056;

/// Appends to one stream.
#[derive(Debug)]
pub(super) struct PageWriter {
    stream: Stream,
    next_page: i64,
    pending: Vec<u8>,
}

impl PageWriter {
    pub(super) fn new(stream: Stream) -> Self {
        PageWriter {
            stream,
            next_page: 0,
            pending: Vec::with_capacity(PIECE as usize),
        }
    }

    /// Returns the number of bytes appended.
    pub(super) fn len(&self) -> u64 {
        self.next_page as u64 * PIECE + self.pending.len() as u64
    }

    pub(super) fn stream(&self) -> Stream {
        self.stream
    }

    pub(super) fn append(&mut self, conn: &Connection, mut bytes: &[u8]) -> rusqlite::Result<()> {
        while !bytes.is_empty() {
            let room = PIECE as usize - self.pending.len();
            let (now, later) = bytes.split_at(room.min(bytes.len()));
            self.pending.extend_from_slice(now);
            bytes = later;
            if self.pending.len() == PIECE as usize {
                self.flush(conn)?;
            }
        }
        Ok(())
    }

    /// Writes the last piece and returns the length of the stream.
    pub(super) fn finish(mut self, conn: &Connection) -> rusqlite::Result<u64> {
        let len = self.len();
        if !self.pending.is_empty() {
            self.flush(conn)?;
        }
        Ok(len)
    }

    fn flush(&mut self, conn: &Connection) -> rusqlite::Result<()> {
        conn.prepare_cached(self.stream.sql().insert)?
            .execute((self.next_page, &self.pending))?;
        self.next_page += 1;
        self.pending.clear();
        Ok(())
    }
}

/// Why a stream could not be read.
#[derive(Debug)]
pub(super) enum ReadError {
    Sql(rusqlite::Error),
    Malformed(Malformed),
}

impl From<rusqlite::Error> for ReadError {
    fn from(error: rusqlite::Error) -> Self {
        ReadError::Sql(error)
    }
}

impl From<Malformed> for ReadError {
    fn from(error: Malformed) -> Self {
        ReadError::Malformed(error)
    }
}

/// Returns the bytes `range` of a stream that is `len` bytes long. The caller has checked `len` against
/// the size of the file.
pub(super) fn read(
    conn: &Connection,
    stream: Stream,
    len: u64,
    range: Range<u64>,
) -> Result<Vec<u8>, ReadError> {
    if range.start > range.end || range.end > len {
        return Err(Malformed("a part lies outside its stream").into());
    }
    let wanted = (range.end - range.start) as usize;
    if wanted == 0 {
        return Ok(Vec::new());
    }
    let (first, last) = (range.start / PIECE, (range.end - 1) / PIECE);
    let mut out = Vec::with_capacity(wanted);
    let mut statement = conn.prepare_cached(stream.sql().select)?;
    let mut rows = statement.query((first as i64, last as i64))?;
    let mut page = first;
    while let Some(row) = rows.next()? {
        let data = row.get_ref(1)?.as_blob().unwrap_or_default();
        let piece_len = PIECE.min(len - page * PIECE) as usize;
        if row.get::<_, i64>(0)? != page as i64 || data.len() != piece_len {
            return Err(Malformed("a stream is cut wrongly").into());
        }
        let skip = range.start.saturating_sub(page * PIECE) as usize;
        let take = (wanted - out.len()).min(piece_len - skip);
        out.extend_from_slice(&data[skip..skip + take]);
        page += 1;
        if page > last {
            break;
        }
    }
    if out.len() == wanted {
        Ok(out)
    } else {
        Err(Malformed("a stream ends early").into())
    }
}
