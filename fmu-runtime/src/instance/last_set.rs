//! The Reals that the importer set last.

/// The last references of Reals that could be set without further checks: importers give the same ones before each
/// step.
pub struct LastSetCache {
    references: Vec<u32>,
    /// Bit of the state, as `settable` in `access.rs` returns it; all bits before the first call.
    state: u16,
}

impl LastSetCache {
    /// Number of references below which comparing is slower than checking their rules.
    const MIN_COUNT: usize = 8;

    /// Makes an empty memory with capacity for this number of references.
    pub fn with_capacity(most: usize) -> Self {
        Self { references: Vec::with_capacity(most), state: u16::MAX }
    }

    /// Returns true if these were the last references, in this state.
    #[inline(always)]
    pub(super) fn has(&self, references: &[u32], state: u16) -> bool {
        references.len() >= Self::MIN_COUNT && self.state == state && self.references == references
    }

    /// Remembers references, if they are enough and there is room for them.
    #[inline(always)]
    pub(super) fn remember(&mut self, references: &[u32], state: u16) {
        if references.len() >= Self::MIN_COUNT && references.len() <= self.references.capacity() {
            self.references.clear();
            self.references.extend_from_slice(references);
            self.state = state;
        }
    }
}
