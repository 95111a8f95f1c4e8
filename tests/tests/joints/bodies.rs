//! Rigid bodies of the mechanisms around an assembly, as in Modelica.Mechanics.MultiBody.Parts.

use std::f64::consts::PI;

use mechanics::frame::Load;
use mechanics::motion::Motion;
use nalgebra::{Matrix3, Vector3};

use crate::drive::V;

/// World gravity, in m/s2.
pub const G: V = Vector3::new(0.0, -9.80665, 0.0);

/// Density of boxes and cylinders, in kg/m3.
const DENSITY: f64 = 7700.0;

/// A rigid body fixed in a frame.
pub struct Body {
    pub m: f64,
    /// Centre of mass, resolved in the frame.
    pub r_cm: V,
    /// Inertia about the centre of mass, resolved in the frame.
    pub inertia: Matrix3<f64>,
}

impl Body {
    /// Makes a `Body` with its default inertias.
    pub fn point(m: f64, r_cm: V) -> Self {
        Self { m, r_cm, inertia: Matrix3::identity() * 0.001 }
    }

    /// Makes a `BodyCylinder` of a diameter along `r`.
    pub fn cylinder(r: V, diameter: f64) -> Self {
        let (length, radius) = (r.norm(), diameter / 2.0);
        let m = DENSITY * PI * radius * radius * length;
        let across = m * (length * length + 3.0 * radius * radius) / 12.0;
        Self::along(m, r, m * radius * radius / 2.0, across)
    }

    /// Makes a `BodyBox` along `r` with width and height of a twentieth of its length.
    pub fn bar(r: V) -> Self {
        let (length, width) = (r.norm(), r.norm() / 20.0);
        let m = DENSITY * length * width * width;
        Self::along(m, r, m * (width * width + width * width) / 12.0, m * (length * length + width * width) / 12.0)
    }

    fn along(m: f64, r: V, own: f64, across: f64) -> Self {
        let e = r.normalize();
        let plane = e * e.transpose();
        Self { m, r_cm: r / 2.0, inertia: plane * own + (Matrix3::identity() - plane) * across }
    }

    /// Returns the load of the body on its support: weight and inertia force, resolved in the frame.
    pub fn load(&self, frame: &Motion<f64>) -> Load<f64> {
        let centre = frame.translated(&self.r_cm);
        let f = frame.T * (G - centre.a_0) * self.m;
        let spin = self.inertia * frame.z + frame.w.cross(&(self.inertia * frame.w));
        Load { f, t: self.r_cm.cross(&f) - spin }
    }
}
