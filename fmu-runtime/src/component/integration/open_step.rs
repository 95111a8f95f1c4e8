//! A step of the integrator inside which communication steps end.

/// An accepted step, whose end may not have been reached yet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OpenStep {
    /// Time where it begins, in s.
    pub begin: f64,
    /// Its length, in s.
    pub h: f64,
    /// The part of it that ends at the first event; 1 if there is none before its end.
    pub part: f64,
    /// Time at the end of this part, in s.
    pub end: f64,
    /// True if there is a state event at the end.
    pub is_event: bool,
}
