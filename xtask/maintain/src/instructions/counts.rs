//! The calls that are counted.

/// The kinds of calls in the order of `tests/sequences/src/calls.rs`. A step includes setting all inputs and
/// reading all outputs; a state is saved and restored.
pub const CALLS: [&str; 6] = ["get 1", "get 50", "set 1", "set 50", "step", "state"];

/// Instructions of an FMU's calls.
#[derive(Clone, Debug, PartialEq)]
pub struct Counts {
    /// Name of the FMU.
    pub component: String,
    /// Instructions of each call, in the order of [`CALLS`].
    pub counts: [u64; CALLS.len()],
}
