//! What one question reads: the segments of one snapshot as one set of files.
//!
//! Not here: choosing, fetching and verifying snapshots, and any ranking. A path belongs to the newest
//! segment that lists it as present or hidden; older ones are not live. Live files are numbered in the
//! byte order of their paths, whatever segments they lie in, so that nothing an answer says depends on
//! how a snapshot is cut into segments.
//!
//! Readers hold database connections; they are pooled, one a working thread.

use leantoken_formats::error::FormatError;
use leantoken_formats::layout::{self, BlobRole};
use leantoken_formats::manifest::Manifest;
use leantoken_formats::segment::{
    ChunkRow, FieldLengths, FileRow, NamePosting, Segment, SegmentReader, Skipped, WordHit,
};
use leantoken_shared::facts::FileFacts;
use std::ops::Deref;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// A live file of a view: its place among the sorted live paths.
pub(crate) type FileId = u32;

/// Marks a file of a segment that is not live.
const DEAD: u32 = u32::MAX;

/// The files of one snapshot.
#[derive(Debug)]
pub struct View {
    generation: String,
    manifest: Manifest,
    segments: Vec<Mounted>,
    files: Vec<Place>,
    totals: Totals,
    readers: Mutex<Vec<Vec<SegmentReader>>>,
}

/// A segment and where its files went.
#[derive(Debug)]
struct Mounted {
    segment: Segment,
    /// The live number of each file of the segment, or [`DEAD`].
    live: Vec<FileId>,
}

/// Where a live file is stored.
#[derive(Clone, Copy, Debug)]
struct Place {
    segment: u32,
    local: u32,
}

/// Sums over the live files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Totals {
    /// Chunks.
    pub(crate) n_chunks: u64,
    /// Definitions.
    pub(crate) n_symbols: u64,
    /// Words of text.
    pub(crate) body: u64,
    /// Words of definition names.
    pub(crate) name: u64,
    /// Words of documentation comments.
    pub(crate) doc: u64,
}

impl View {
    /// Opens the snapshot `manifest` whose blobs lie in the snapshot directory `dir`.
    ///
    /// # Errors
    /// When a segment is missing, damaged or of another version.
    pub fn open(dir: &Path, manifest: &Manifest) -> Result<View, FormatError> {
        let segments = manifest
            .segments
            .iter()
            .map(|entry| {
                let file = |role| dir.join(layout::blob(role, &entry.blob(role).hash));
                Segment::open(&file(BlobRole::Core), &file(BlobRole::Text))
            })
            .collect::<Result<Vec<_>, _>>()?;
        Ok(View::over(segments, manifest.clone()))
    }

    /// Lays `segments`, oldest first, over each other.
    fn over(segments: Vec<Segment>, manifest: Manifest) -> View {
        let places = live_places(&segments);
        let mut mounted: Vec<Mounted> = segments
            .into_iter()
            .map(|segment| Mounted {
                live: vec![DEAD; segment.files().len()],
                segment,
            })
            .collect();
        let mut totals = Totals::default();
        for (id, place) in places.iter().enumerate() {
            let home = &mut mounted[place.segment as usize];
            home.live[place.local as usize] = id as FileId;
            let row = &home.segment.files()[place.local as usize];
            let FieldLengths { body, name, doc } = row.lengths;
            totals.n_chunks += u64::from(row.n_chunks);
            totals.n_symbols += u64::from(row.n_symbols);
            totals.body += u64::from(body);
            totals.name += u64::from(name);
            totals.doc += u64::from(doc);
        }
        View {
            generation: manifest.generation().to_string(),
            manifest,
            segments: mounted,
            files: places,
            totals,
            readers: Mutex::default(),
        }
    }

    /// Returns the identity of the snapshot, `b3:…`.
    pub fn generation(&self) -> &str {
        &self.generation
    }

    /// Returns the document that names the snapshot.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Returns the number of live files.
    pub fn n_files(&self) -> u32 {
        self.files.len() as u32
    }

    /// Returns the number of segments.
    pub(crate) fn n_segments(&self) -> usize {
        self.segments.len()
    }

    pub(crate) fn totals(&self) -> Totals {
        self.totals
    }

    /// Returns the table row of a live file.
    pub(crate) fn row(&self, file: FileId) -> &FileRow {
        let place = self.files[file as usize];
        &self.segments[place.segment as usize].segment.files()[place.local as usize]
    }

    /// Returns the path of a live file.
    pub(crate) fn path(&self, file: FileId) -> &str {
        self.row(file).path.as_str()
    }

    /// Returns all live files in path order.
    pub(crate) fn ids(&self) -> std::ops::Range<FileId> {
        0..self.n_files()
    }

    /// Returns the live file at `path`.
    pub(crate) fn find(&self, path: &str) -> Option<FileId> {
        let at = self.position(path);
        (at < self.n_files() && self.path(at) == path).then_some(at)
    }

    /// Returns the live files below the directory `path` (all for the empty path).
    pub(crate) fn below(&self, path: &str) -> std::ops::Range<FileId> {
        if path.is_empty() {
            return self.ids();
        }
        // '0' is the character after '/'.
        self.position(&format!("{path}/"))..self.position(&format!("{path}0"))
    }

    /// Returns what was left out of the index at `path` or above it, and why; for a bare file name, the
    /// first file of that name.
    ///
    /// # Errors
    /// When the list cannot be read.
    pub(crate) fn left_out(&self, path: &str) -> Result<Option<Skipped>, FormatError> {
        // The newest segment lists all of them.
        let Some(newest) = self.segments.last() else {
            return Ok(None);
        };
        let is_above = |skipped: &Skipped| {
            let rest = path.strip_prefix(skipped.path.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let is_named = |skipped: &Skipped| {
            let folders = skipped.path.strip_suffix(path);
            !path.is_empty() && folders.is_some_and(|folders| folders.ends_with('/'))
        };
        let skipped = newest.segment.skipped()?;
        let found = skipped.iter().find(|skipped| is_above(skipped));
        let found = found.or_else(|| skipped.iter().find(|skipped| is_named(skipped)));
        Ok(found.cloned())
    }

    /// Returns the first live file whose path is not less than `path`.
    fn position(&self, path: &str) -> FileId {
        let (mut low, mut high) = (0, self.n_files());
        while low < high {
            let middle = low + (high - low) / 2;
            if self.path(middle) < path {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    /// Returns a reader of this view for one thread.
    ///
    /// # Errors
    /// When the files of a segment can no longer be opened.
    pub(crate) fn reader(&self) -> Result<Reader<'_>, FormatError> {
        let pooled = self
            .readers
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop();
        let readers = match pooled {
            Some(readers) => readers,
            None => self
                .segments
                .iter()
                .map(|mounted| mounted.segment.reader())
                .collect::<Result<_, _>>()?,
        };
        Ok(Reader {
            view: self,
            readers,
        })
    }
}

/// The places of the live files in path order.
fn live_places(segments: &[Segment]) -> Vec<Place> {
    let mut newest: Vec<(&str, u32, Option<u32>)> = Vec::new();
    for (at, segment) in segments.iter().enumerate() {
        let at = at as u32;
        let present = segment.files().iter().enumerate();
        newest.extend(present.map(|(local, row)| (row.path.as_str(), at, Some(local as u32))));
        newest.extend(
            segment
                .hidden()
                .iter()
                .map(|path| (path.as_str(), at, None)),
        );
    }
    // Newest first among equal paths; a path that is both present and hidden in one segment is there.
    newest.sort_unstable_by(|a, b| (a.0, b.1, b.2).cmp(&(b.0, a.1, a.2)));
    newest.dedup_by(|later, first| later.0 == first.0);
    newest
        .into_iter()
        .filter_map(|(_, segment, local)| local.map(|local| Place { segment, local }))
        .collect()
}

/// The connections of one thread, over all segments; goes back to the pool when dropped.
pub(crate) struct Reader<'v> {
    view: &'v View,
    readers: Vec<SegmentReader>,
}

impl Drop for Reader<'_> {
    fn drop(&mut self) {
        let readers = std::mem::take(&mut self.readers);
        self.view
            .readers
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(readers);
    }
}

impl Deref for Reader<'_> {
    type Target = View;

    fn deref(&self) -> &View {
        self.view
    }
}

impl Reader<'_> {
    fn home(&self, file: FileId) -> (&SegmentReader, u32) {
        let place = self.view.files[file as usize];
        (&self.readers[place.segment as usize], place.local)
    }

    /// Returns the text of a live file.
    pub(crate) fn text(&self, file: FileId) -> Result<String, FormatError> {
        let (reader, local) = self.home(file);
        reader.text(local)
    }

    /// Returns the facts of a live file.
    pub(crate) fn facts(&self, file: FileId) -> Result<FileFacts, FormatError> {
        let (reader, local) = self.home(file);
        reader.facts(local)
    }

    /// Returns the chunks of a live file.
    pub(crate) fn chunks(&self, file: FileId) -> Result<Vec<ChunkRow>, FormatError> {
        let (reader, local) = self.home(file);
        reader.chunks(local)
    }

    /// Calls `visit` for each chunk of a live file that holds `term`; each file's chunks come in order.
    pub(crate) fn word(
        &self,
        term: &str,
        mut visit: impl FnMut(FileId, WordHit),
    ) -> Result<(), FormatError> {
        for (mounted, reader) in self.view.segments.iter().zip(&self.readers) {
            reader.word(term, |local, hit| {
                let file = mounted.live[local as usize];
                if file != DEAD {
                    visit(file, hit);
                }
            })?;
        }
        Ok(())
    }

    /// Returns the live files whose path holds the word, ascending.
    pub(crate) fn path_word(&self, term: &str) -> Result<Vec<FileId>, FormatError> {
        self.merged(|reader| reader.path_word(term))
    }

    /// Returns the live files that use the folded name, ascending.
    pub(crate) fn reference_name(&self, folded: &str) -> Result<Vec<FileId>, FormatError> {
        self.merged(|reader| reader.reference_name(folded))
    }

    /// Returns the live files that hold the gram, ascending.
    pub(crate) fn gram(&self, gram: [u8; 3]) -> Result<Vec<FileId>, FormatError> {
        self.merged(|reader| reader.gram(gram))
    }

    /// Returns the definitions whose name folds to `folded`, ascending by live file.
    pub(crate) fn symbol_name(&self, folded: &str) -> Result<Vec<NamePosting>, FormatError> {
        let mut out = Vec::new();
        for (mounted, reader) in self.view.segments.iter().zip(&self.readers) {
            for posting in reader.symbol_name(folded)? {
                let file = mounted.live[posting.file as usize];
                if file != DEAD {
                    out.push(NamePosting { file, ..posting });
                }
            }
        }
        out.sort_unstable_by_key(|posting| posting.file);
        Ok(out)
    }

    /// Returns the first `limit` folded names from `prefix` on; names of dead files may be among them.
    pub(crate) fn symbol_names_from(
        &self,
        prefix: &str,
        limit: usize,
    ) -> Result<Vec<String>, FormatError> {
        let mut out = Vec::new();
        for reader in &self.readers {
            out.extend(reader.symbol_names_from(prefix, limit)?);
        }
        out.sort_unstable();
        out.dedup();
        out.truncate(limit);
        Ok(out)
    }

    /// Calls `visit` with every folded name, possibly twice, names of dead files included.
    pub(crate) fn all_symbol_names(&self, mut visit: impl FnMut(&str)) -> Result<(), FormatError> {
        for reader in &self.readers {
            reader.all_symbol_names(&mut visit)?;
        }
        Ok(())
    }

    fn merged(
        &self,
        lookup: impl Fn(&SegmentReader) -> Result<Vec<u32>, FormatError>,
    ) -> Result<Vec<FileId>, FormatError> {
        let mut out = Vec::new();
        for (mounted, reader) in self.view.segments.iter().zip(&self.readers) {
            let live = lookup(reader)?
                .into_iter()
                .map(|local| mounted.live[local as usize]);
            out.extend(live.filter(|file| *file != DEAD));
        }
        // Local order is path order, so one segment is sorted already.
        if self.readers.len() > 1 {
            out.sort_unstable();
        }
        Ok(out)
    }
}
