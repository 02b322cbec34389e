//! Sorted keys with their postings, in blocks.
//!
//! Most keys have a posting of a few bytes, so a row each would cost more than it holds. A block holds
//! about [`BLOCK`] bytes of entries; only its first key stands in the `key` table, and a larger
//! posting has a block of its own, so that a lookup reads little besides what it wants.
//!
//! Entry: a byte `shared:4 suffix:4` (how much of the key before is shared, how long the rest is; 15
//! is continued by a varint), the rest of the key, a varint `length << 1 | packed`, the posting.

use super::codec::{Input, Malformed, put};
use super::pages::{self, PageWriter, ReadError};
use super::schema::{INSERT_KEY, SELECT_BLOCK, SELECT_BLOCKS, Stream};
use rusqlite::{Connection, Rows};

/// About how long a block is.
const BLOCK: usize = 4096;

/// Longest key.
const MAX_KEY: usize = 4096;

/// Appends entries in order of their keys.
#[derive(Debug)]
pub(super) struct KeyedWriter {
    pages: PageWriter,
    block: Vec<u8>,
    first: Vec<u8>,
    last: Vec<u8>,
}

impl KeyedWriter {
    pub(super) fn new(stream: Stream) -> Self {
        KeyedWriter {
            pages: PageWriter::new(stream),
            block: Vec::with_capacity(2 * BLOCK),
            first: Vec::new(),
            last: Vec::new(),
        }
    }

    /// Adds an entry; `key` is greater than the one before. Longer keys than can be stored are left
    /// out: nobody looks for them.
    pub(super) fn add(
        &mut self,
        conn: &Connection,
        key: &[u8],
        packed: bool,
        posting: &[u8],
    ) -> rusqlite::Result<()> {
        if key.len() > MAX_KEY {
            return Ok(());
        }
        if !self.block.is_empty() && self.block.len() + key.len() + posting.len() > BLOCK {
            self.end_block(conn)?;
        }
        if self.block.is_empty() {
            self.first.clear();
            self.first.extend_from_slice(key);
            self.last.clear();
        }
        let shared = self
            .last
            .iter()
            .zip(key)
            .take_while(|(a, b)| a == b)
            .count();
        let suffix = &key[shared..];
        self.block
            .push((shared.min(15) << 4 | suffix.len().min(15)) as u8);
        for long in [shared, suffix.len()] {
            if long >= 15 {
                put(&mut self.block, (long - 15) as u64);
            }
        }
        self.block.extend_from_slice(suffix);
        put(
            &mut self.block,
            (posting.len() as u64) << 1 | u64::from(packed),
        );
        self.block.extend_from_slice(posting);
        self.last.truncate(shared);
        self.last.extend_from_slice(suffix);
        Ok(())
    }

    /// Writes what is left and returns the length of the stream.
    pub(super) fn finish(mut self, conn: &Connection) -> rusqlite::Result<u64> {
        self.end_block(conn)?;
        self.pages.finish(conn)
    }

    fn end_block(&mut self, conn: &Connection) -> rusqlite::Result<()> {
        if self.block.is_empty() {
            return Ok(());
        }
        let start = self.pages.len() as i64;
        conn.prepare_cached(INSERT_KEY)?.execute((
            self.pages.stream().code(),
            &self.first,
            start,
        ))?;
        self.pages.append(conn, &self.block)?;
        self.block.clear();
        Ok(())
    }
}

/// One entry of a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<'a> {
    pub(super) key: &'a [u8],
    pub(super) packed: bool,
    pub(super) posting: &'a [u8],
}

/// Calls `visit` with the entries of `block` in order until it returns `false`; returns whether it
/// never did.
fn each_entry(
    block: &[u8],
    mut visit: impl FnMut(Entry<'_>) -> Result<bool, ReadError>,
) -> Result<bool, ReadError> {
    let mut input = Input::new(block);
    let mut key = Vec::new();
    while !input.is_empty() {
        let head = input.byte()?;
        let (mut shared, mut suffix) = (u64::from(head >> 4), u64::from(head & 15));
        for long in [&mut shared, &mut suffix] {
            if *long == 15 {
                *long = input.u64()?.saturating_add(15);
            }
        }
        if shared > key.len() as u64 || suffix > (MAX_KEY as u64).saturating_sub(shared) {
            return Err(Malformed("key too long").into());
        }
        let suffix = input.take(suffix as usize)?;
        if key.get(shared as usize..).is_some_and(|rest| rest > suffix) {
            return Err(Malformed("keys out of order").into());
        }
        key.truncate(shared as usize);
        key.extend_from_slice(suffix);
        let tagged = input.u64()?;
        let len = usize::try_from(tagged >> 1).map_err(|_| Malformed("posting too long"))?;
        let entry = Entry {
            key: &key,
            packed: tagged & 1 != 0,
            posting: input.take(len)?,
        };
        if !visit(entry)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// A stream of entries to look in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Keyed<'c> {
    pub(super) conn: &'c Connection,
    pub(super) stream: Stream,
    pub(super) len: u64,
}

impl Keyed<'_> {
    /// Returns the value of `found` for the entry of `key`, if there is one.
    pub(super) fn find<T>(
        &self,
        key: &[u8],
        found: impl FnOnce(Entry<'_>) -> Result<T, ReadError>,
    ) -> Result<Option<T>, ReadError> {
        let Some(start) = self.block_of(key)? else {
            return Ok(None);
        };
        let end = {
            let mut statement = self.conn.prepare_cached(SELECT_BLOCKS)?;
            next_offset(&mut statement.query((self.stream.code(), key))?)?
        };
        let block = self.read(start, end)?;
        let (mut found, mut value) = (Some(found), None);
        each_entry(&block, |entry| {
            if entry.key == key
                && let Some(found) = found.take()
            {
                value = Some(found(entry)?);
            }
            Ok(entry.key < key)
        })?;
        Ok(value)
    }

    /// Calls `visit` with every entry from `key` on, in order, until it returns `false`.
    pub(super) fn scan(
        &self,
        key: &[u8],
        mut visit: impl FnMut(Entry<'_>) -> bool,
    ) -> Result<(), ReadError> {
        let mut each = |entry: Entry<'_>| Ok(entry.key < key || visit(entry));
        let mut start = self.block_of(key)?;
        let mut statement = self.conn.prepare_cached(SELECT_BLOCKS)?;
        let mut rows = statement.query((self.stream.code(), key))?;
        loop {
            let end = next_offset(&mut rows)?;
            if let Some(start) = start
                && !each_entry(&self.read(start, end)?, &mut each)?
            {
                return Ok(());
            }
            if end.is_none() {
                return Ok(());
            }
            start = end;
        }
    }

    /// Returns where the block begins that holds `key` if any does.
    fn block_of(&self, key: &[u8]) -> Result<Option<u64>, ReadError> {
        let mut statement = self.conn.prepare_cached(SELECT_BLOCK)?;
        next_offset(&mut statement.query((self.stream.code(), key))?)
    }

    /// Reads one block. Ends before starts are refused, so that a scan reads no byte twice.
    fn read(&self, start: u64, end: Option<u64>) -> Result<Vec<u8>, ReadError> {
        let range = start..end.unwrap_or(self.len);
        pages::read(self.conn, self.stream, self.len, range)
    }
}

fn next_offset(rows: &mut Rows<'_>) -> Result<Option<u64>, ReadError> {
    match rows.next()? {
        Some(row) => match u64::try_from(row.get::<_, i64>(0)?) {
            Ok(offset) => Ok(Some(offset)),
            Err(_) => Err(Malformed("negative offset").into()),
        },
        None => Ok(None),
    }
}
