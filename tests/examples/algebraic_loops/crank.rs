//! A shaft that turns a crank with coupler and rocker: two FMUs in an algebraic loop.
//!
//! The Brake contains the inertia of the shaft: it takes the torque of the crank and returns the motion
//! of the shaft. JointSSR contains the mass of the coupler: it takes the motion of the crank's pin and
//! returns the force there. Each needs an acceleration or a torque of the other one at the same time.

use anyhow::Result;
use nalgebra::{Vector3, vector};

use crate::part::{Part, Unpacked};

type V = Vector3<f64>;

/// Length of the crank in m.
pub const CRANK: f64 = 0.3;
/// Position of the shaft, in m; the rocker turns about (-1, 1, 0), and both rods are 1 m long.
pub const SHAFT: V = V::new(-0.3, 0.0, 0.0);
/// Mass of the coupler in kg.
pub const MASS: f64 = 10.0;
/// Inertia of the shaft in kg.m2.
pub const INERTIA: f64 = 0.8;
/// Torque of the brake in N.m.
pub const FRICTION: f64 = 2.0;
/// Angle and angular velocity of the shaft at the start, in rad and rad/s.
pub const START: [f64; 2] = [std::f64::consts::FRAC_PI_2, 12.0];

/// Starts the Brake.
pub fn shaft(fmu: &Unpacked) -> Result<fmu_importer::Instance> {
    let [phi, w] = START;
    let friction = [("fn_max", 2.0 * FRICTION), ("f_normalized", 1.0)];
    fmu.start(&[&friction[..], &[("J_a", INERTIA), ("phi_a_start", phi), ("w_a_start", w)]].concat())
}

/// Starts JointSSR.
pub fn linkage(fmu: &Unpacked) -> Result<fmu_importer::Instance> {
    let pin = SHAFT + CRANK * vector![START[0].cos(), START[0].sin(), 0.0];
    fmu.start(&[("rod1Mass", MASS), ("frame_a.r_0[1]", pin.x), ("frame_a.r_0[2]", pin.y)])
}

/// Value references in the order of use.
pub struct References {
    torque: Vec<u32>,
    motion: Vec<u32>,
    acceleration: Vec<u32>,
    pin: Vec<u32>,
    force: Vec<u32>,
}

impl References {
    pub fn new(shaft: &Unpacked, linkage: &Unpacked) -> Self {
        Self {
            torque: shaft.references(&["flange_b.tau"]),
            motion: shaft.references(&["flange_b.phi", "flange_b.w", "flange_b.a"]),
            acceleration: shaft.references(&["flange_b.a"]),
            pin: linkage.references(&["frame_a.r_0", "frame_a.v_0", "frame_a.a_0"]),
            force: linkage.references(&["frame_a.f"]),
        }
    }
}

/// Both FMUs at a communication point, with the torque of the crank on the shaft there.
pub struct Loop<'i> {
    pub shaft: Part<'i>,
    pub linkage: Part<'i>,
    pub references: References,
    pub time: f64,
    pub torque: f64,
}

/// The response of the FMUs to a torque.
pub struct Answer {
    /// Angle, angular velocity and angular acceleration of the shaft.
    pub motion: [f64; 3],
    /// The torque returned by the linkage, in N.m.
    pub torque: f64,
    /// The force on the linkage, in N.
    force: V,
}

impl Loop<'_> {
    /// The response if the torque varies linearly to `torque` within the step `h`; with `h = 0` no step
    /// is made.
    pub fn answer(&self, torque: f64, h: f64) -> Result<Answer> {
        let at = &self.references;
        let (shaft, linkage) = (self.shaft.fmi, self.linkage.fmi);
        self.shaft.back()?;
        self.linkage.back()?;
        if h > 0.0 {
            shaft.set_reals(&at.torque, &[self.torque])?;
            shaft.set_slopes(&at.torque, &[(torque - self.torque) / h])?;
            shaft.do_step(self.time, h)?;
        } else {
            shaft.set_reals(&at.torque, &[torque])?;
        }
        let motion: [f64; 3] = self.shaft.get(&at.motion)?;
        linkage.set_reals(&at.pin, &pin(motion))?;
        if h > 0.0 {
            linkage.do_step(self.time, h)?;
        }
        let force: V = self.linkage.get::<3>(&at.force)?.into();
        let [along, _] = directions(motion[0]);
        Ok(Answer { motion, force, torque: -(CRANK * along).cross(&force).z })
    }

    /// The derivative of the returned torque by the torque at the end of the step: the product of the FMUs'
    /// directional derivatives. Under a linearly growing torque, the angle of an inertia changes by h^2/6 and
    /// its velocity by h/2 of the change of its acceleration.
    pub fn slope(&self, answer: &Answer, h: f64) -> Result<f64> {
        let at = &self.references;
        let [a]: [f64; 1] = self.shaft.derivative(&at.acceleration, &at.torque, &[1.0])?;
        let change = [a * h * h / 6.0, a * h / 2.0, a];
        let seeds = pin_change(answer.motion, change);
        let force: V = self.linkage.derivative::<3>(&at.force, &at.pin, &seeds)?.into();
        let [along, across] = directions(answer.motion[0]);
        Ok(-CRANK * (along.cross(&force) + across.cross(&answer.force) * change[0]).z)
    }

    /// Accepts the step.
    pub fn keep(&mut self, torque: f64, h: f64) -> Result<()> {
        (self.time, self.torque) = (self.time + h, torque);
        self.shaft.keep()?;
        self.linkage.keep()
    }
}

/// Unit vectors along the crank and across it.
fn directions(phi: f64) -> [V; 2] {
    let (sin, cos) = phi.sin_cos();
    [vector![cos, sin, 0.0], vector![-sin, cos, 0.0]]
}

fn joined(vectors: [V; 3]) -> Vec<f64> {
    vectors.iter().flat_map(|vector| vector.iter().copied()).collect()
}

/// Position, velocity and acceleration of the crank's pin.
fn pin([phi, w, a]: [f64; 3]) -> Vec<f64> {
    let [along, across] = directions(phi);
    joined([SHAFT + along * CRANK, across * (CRANK * w), (across * a - along * (w * w)) * CRANK])
}

/// Their derivatives by the shaft's motion.
fn pin_change([phi, w, a]: [f64; 3], [d_phi, d_w, d_a]: [f64; 3]) -> Vec<f64> {
    let [along, across] = directions(phi);
    let position = across * d_phi;
    let velocity = across * d_w - along * (w * d_phi);
    let acceleration = across * (d_a - w * w * d_phi) - along * (a * d_phi + 2.0 * w * d_w);
    joined([position, velocity, acceleration].map(|vector| vector * CRANK))
}
