//! The Reals that were set last.

/// The last references of Reals that could be set plainly: importers give the same ones before each step.
pub struct LastSet {
    pub(super) references: Vec<u32>,
    /// The bit of the state, as `access.rs` has it; all bits before the first one.
    pub(super) state: u16,
}

impl LastSet {
    /// For fewer references, comparing is slower than checking their rules.
    const FEWEST: usize = 8;

    /// With capacity for this number of references.
    pub fn with_capacity(most: usize) -> Self {
        Self { references: Vec::with_capacity(most), state: u16::MAX }
    }

    /// Remembers references, if there is room for them.
    #[inline]
    pub(super) fn remember(&mut self, references: &[u32], state: u16) {
        if (Self::FEWEST..=self.references.capacity()).contains(&references.len()) {
            self.references.clear();
            self.references.extend_from_slice(references);
            self.state = state;
        }
    }
}
