//! The variables of a call.

/// Variables whose values are got.
pub trait Variables {
    /// Returns their value references, always the same.
    fn references(&self) -> &[u32];

    /// Returns the number of their values. An array of FMI 3.0 is one variable with several values.
    fn size(&self) -> usize {
        self.references().len()
    }
}

impl Variables for [u32] {
    fn references(&self) -> &[u32] {
        self
    }
}

impl<const N: usize> Variables for [u32; N] {
    fn references(&self) -> &[u32] {
        self
    }
}

impl Variables for Vec<u32> {
    fn references(&self) -> &[u32] {
        self
    }
}
