//! The Reals that were set last.

/// The last references of Reals that could be set plainly: importers give the same ones before each step.
pub struct LastSetCache {
    references: Vec<u32>,
    /// The bit of the state, as `access.rs` has it; all bits before the first one.
    state: u16,
}

impl LastSetCache {
    /// For fewer references, comparing is slower than checking their rules.
    const MIN_COUNT: usize = 8;

    /// With capacity for this number of references.
    pub fn with_capacity(most: usize) -> Self {
        Self { references: Vec::with_capacity(most), state: u16::MAX }
    }

    /// Whether these were the last ones, in this state.
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
