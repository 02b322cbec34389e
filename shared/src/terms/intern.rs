//! Numbers distinct strings: one arena of text and one open table.
//!
//! Not here: what the strings mean. Kept apart from the standard map because this is the innermost
//! loop of a build: one probe per word of source, no allocation per string, everything freed at once.

use std::hash::Hasher;

use rustc_hash::FxHasher;

/// A place in the table for a string that is not in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Vacant {
    slot: usize,
    tag: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    /// The upper half of the hash, to tell most strings apart without looking at their text.
    tag: u32,
    /// The id plus one; 0 is an empty slot.
    next_id: u32,
}

/// Distinct strings, numbered from 0 in order of insertion.
#[derive(Debug, Default)]
pub(super) struct Interner {
    text: String,
    ends: Vec<usize>,
    /// A power of two of slots, at most half of them taken; or none at all.
    slots: Vec<Slot>,
}

impl Interner {
    /// Returns the id of `word`, or where to insert it.
    #[inline]
    pub(super) fn find(&mut self, word: &str) -> Result<u32, Vacant> {
        if (self.ends.len() + 1) * 2 > self.slots.len() {
            self.grow();
        }
        let hash = hash_of(word);
        let tag = (hash >> 32) as u32;
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            let found = self.slots[slot];
            if found.next_id == 0 {
                return Err(Vacant { slot, tag });
            }
            if found.tag == tag && self.get(found.next_id - 1) == word {
                return Ok(found.next_id - 1);
            }
            slot = (slot + 1) & mask;
        }
    }

    /// Adds `word` at the place that the directly preceding [`find`](Self::find) of it returned.
    pub(super) fn insert(&mut self, word: &str, vacant: Vacant) -> u32 {
        self.text.push_str(word);
        self.ends.push(self.text.len());
        self.slots[vacant.slot] = Slot {
            tag: vacant.tag,
            next_id: self.ends.len() as u32,
        };
        self.ends.len() as u32 - 1
    }

    /// Returns the string of `id`, or the empty string where there is none.
    #[inline]
    pub(super) fn get(&self, id: u32) -> &str {
        let id = id as usize;
        let Some(&end) = self.ends.get(id) else {
            return "";
        };
        let start = if id == 0 { 0 } else { self.ends[id - 1] };
        &self.text[start..end]
    }

    /// Returns the number of strings.
    pub(super) fn len(&self) -> u32 {
        self.ends.len() as u32
    }

    fn grow(&mut self) {
        let size = (self.slots.len() * 2).max(1024);
        let mut slots = vec![Slot::default(); size];
        for id in 0..self.len() {
            let hash = hash_of(self.get(id));
            let mut slot = hash as usize & (size - 1);
            while slots[slot].next_id != 0 {
                slot = (slot + 1) & (size - 1);
            }
            slots[slot] = Slot {
                tag: (hash >> 32) as u32,
                next_id: id + 1,
            };
        }
        self.slots = slots;
    }
}

#[inline]
fn hash_of(word: &str) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(word.as_bytes());
    hasher.finish()
}
