//! What one question reads: the segments of one snapshot as one set of files.

/// The files of one snapshot.
#[derive(Debug)]
pub struct View {
    generation: String,
}

impl View {
    /// Returns the identity of the snapshot, `b3:…`.
    pub fn generation(&self) -> &str {
        &self.generation
    }
}
