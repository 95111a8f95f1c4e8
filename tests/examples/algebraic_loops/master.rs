//! Two methods to close the loop within each step.

use std::path::Path;

use anyhow::Result;

use crate::crank::{self, Loop, References};
use crate::part::{Part, Unpacked};

/// The next torque to try, given the last response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// The returned torque itself: a fixed-point iteration.
    GaussSeidel,
    /// The torque at which the linearised loop closes.
    Newton,
}

/// The residual at which the loop counts as closed, in N.m.
pub const TOLERANCE: f64 = 1e-9;
/// Iterations after which a master gives up.
pub const LIMIT: usize = 200;

/// Communication step in s.
pub const STEP: f64 = 2e-3;
/// End of the run in s, after a turn of the crank.
pub const STOP: f64 = 0.6;

/// A communication point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Time in s.
    pub time: f64,
    /// Angle, angular velocity and angular acceleration of the shaft.
    pub motion: [f64; 3],
    /// Torque of the crank on the shaft in N.m.
    pub torque: f64,
    /// Ratio of the coupler's inertia to the shaft's: the factor of an error in a fixed-point iteration.
    pub ratio: f64,
    /// Iterations that closed the loop.
    pub iterations: usize,
}

/// Closes the loop at the end of the step `h`; `None` if the iteration does not converge.
fn close(system: &mut Loop<'_>, method: Method, h: f64) -> Result<Option<Point>> {
    let mut torque = system.torque;
    for iterations in 0..=LIMIT {
        let answer = system.answer(torque, h)?;
        let rest = answer.torque - torque;
        let slope = system.slope(&answer, h)?;
        if rest.abs() <= TOLERANCE {
            system.keep(torque, h)?;
            let (time, motion) = (system.time, answer.motion);
            return Ok(Some(Point { time, motion, torque, ratio: -slope, iterations }));
        }
        torque = match method {
            Method::GaussSeidel => answer.torque,
            Method::Newton => torque + rest / (1.0 - slope),
        };
    }
    Ok(None)
}

/// Runs the crank in steps of `h` until `stop`, or until the method fails.
pub fn run([shaft, linkage]: [&Path; 2], method: Method, h: f64, stop: f64) -> Result<Vec<Point>> {
    let (shaft, linkage) = (Unpacked::new(shaft)?, Unpacked::new(linkage)?);
    let instances = (crank::shaft(&shaft)?, crank::linkage(&linkage)?);
    let mut system = Loop {
        shaft: Part::new(&instances.0)?,
        linkage: Part::new(&instances.1)?,
        references: References::new(&shaft, &linkage),
        time: 0.0,
        torque: 0.0,
    };
    let mut points: Vec<_> = close(&mut system, method, 0.0)?.into_iter().collect();
    while system.time < stop - h / 2.0 && !points.is_empty() {
        let Some(point) = close(&mut system, method, h)? else { break };
        points.push(point);
    }
    Ok(points)
}
