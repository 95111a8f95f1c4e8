//! The law of an axis: a spring, Maxwell elements and friction beside it.

use std::f64::consts::TAU;

use mechanics::viscoelastic::{friction_stiffness, maxwell_stiffness};

/// A Maxwell element.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Maxwell {
    /// In N/m or N.m/rad.
    pub stiffness: f64,
    /// Relaxation time in s.
    pub tau: f64,
}

/// Friction after Dahl.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Friction {
    /// In N/m or N.m/rad.
    pub stiffness: f64,
    /// The largest load in N or N.m.
    pub limit: f64,
}

/// What resists a deflection of an axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Law {
    /// The static stiffness in N/m or N.m/rad.
    pub stiffness: f64,
    /// From the slowest to the fastest.
    pub maxwell: Vec<Maxwell>,
    /// If there is any.
    pub friction: Option<Friction>,
}

impl Law {
    /// Dynamic stiffness in N/m or N.m/rad and loss angle in rad, at a frequency in Hz and an amplitude in m or rad: those of
    /// the first harmonic of the load.
    pub fn dynamic(&self, frequency: f64, amplitude: f64) -> [f64; 2] {
        let elements =
            self.maxwell.iter().map(|element| maxwell_stiffness(element.stiffness, element.tau, TAU * frequency));
        let friction = self
            .friction
            .iter()
            .map(|friction| friction_stiffness(friction.stiffness, friction.limit / friction.stiffness, amplitude));
        let [storage, loss] = elements
            .chain(friction)
            .fold([self.stiffness, 0.0], |[storage, loss], added| [storage + added[0], loss + added[1]]);
        [storage.hypot(loss), loss.atan2(storage)]
    }
}
