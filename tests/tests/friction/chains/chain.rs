//! Shafts with clutches and brakes between them.

/// Location of the inertia of a shaft.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Owner {
    /// The inertia is in the element on the left: that one takes torques, the other one motion.
    Left,
    /// The inertia is in the element on the right.
    Right,
    /// The inertia is in the master: both elements take motion.
    Master,
}

/// Shafts with an element between each two of them. Sliding friction does not depend on the speed.
#[derive(Clone, Debug)]
pub struct Chain {
    pub inertias: Vec<f64>,
    pub speeds: Vec<f64>,
    /// Sliding torques at f_normalized = 1.
    pub tau0: Vec<f64>,
    pub peaks: Vec<f64>,
    /// Normal forces of the elements and torques on the shafts, each for an interval.
    pub loads: Vec<(Vec<f64>, Vec<f64>)>,
    /// Length of an interval in s.
    pub interval: f64,
    /// True for elements that are brakes with a moving support.
    pub brakes: Vec<bool>,
}

/// Returns true for the sides of element `k` whose motion is given.
pub fn given(owners: &[Owner], k: usize) -> [bool; 2] {
    [owners[k] != Owner::Right, owners[k + 1] != Owner::Left]
}
