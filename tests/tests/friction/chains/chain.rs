//! Shafts with clutches and brakes between them.

/// Where the inertia of a shaft is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Owner {
    /// In the element on the left: that one takes torques, the other one motion.
    Left,
    /// In the element on the right.
    Right,
    /// In the master: both elements take motion.
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
    /// In s.
    pub interval: f64,
    /// Which elements are brakes with a moving support.
    pub brakes: Vec<bool>,
}

/// The sides of element `k` whose motion is given.
pub fn given(owners: &[Owner], k: usize) -> [bool; 2] {
    [owners[k] != Owner::Right, owners[k + 1] != Owner::Left]
}
