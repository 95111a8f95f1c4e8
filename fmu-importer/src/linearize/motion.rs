//! The shapes of an FMU, displaced along a mode.

use std::f64::consts::TAU;

use anyhow::{Context, Result, bail, ensure};

use super::modes::Mode;
use crate::animate::{Animation, Scene};
use crate::load::Instance;
use crate::{Simulation, Trajectory};

/// Pictures of a period.
const PICTURES: usize = 60;
/// Time in s that a period takes on the page, whatever the frequency.
const PERIOD: f64 = 2.0;
/// Part of a mode by which its effect on shapes is measured.
const SMALL: f64 = 1e-4;

/// Returns one period of a mode in which the largest displacement is a part of the size of all shapes; in the first
/// picture the displacement is the largest.
pub fn along(
    simulation: &Simulation,
    instance: &Instance,
    animation: &Animation,
    (number, mode): (usize, &Mode),
    scale: f64,
) -> Result<Scene> {
    ensure!(
        scale > 0.0 && scale <= 1.0,
        "--scale must be a part of the size of the mechanism, above 0 and at most 1, not {scale}"
    );
    let states = instance.continuous_states()?;
    let sampled = |factor: f64| -> Result<Trajectory> {
        let places = (0..PICTURES + 1).map(|at| {
            let part = at as f64 / PICTURES as f64;
            let (sin, cos) = (TAU * part).sin_cos();
            let moved =
                |(state, shape): (&f64, &nalgebra::Complex<f64>)| state + factor * (shape.re * cos - shape.im * sin);
            (PERIOD * part, states.iter().zip(mode.shape.iter()).map(moved).collect::<Vec<f64>>())
        });
        simulation.sample(instance, places)
    };
    let scene = |factor: f64| animation.scene(&sampled(factor)?);
    let all = || -> Result<Scene> {
        let (rest, small) = (scene(0.0)?, scene(SMALL)?);
        let displacement = largest_displacement(&rest, &small);
        let (_, size) = rest.extent();
        if displacement <= 1e-9 * SMALL * size {
            bail!("mode {number} moves no shape");
        }
        let factor = SMALL * scale * size / displacement;
        scene(factor).context("the FMU cannot be displaced that far along the mode: choose a smaller --scale")
    };
    let result = all();
    instance.set_continuous_states(&states)?;
    result
}

/// Returns the largest distance in m between the ends of a shape in two scenes.
fn largest_displacement(one: &Scene, other: &Scene) -> f64 {
    let bodies = one.bodies.iter().zip(&other.bodies);
    let places = bodies.flat_map(|(one, other)| one.places.iter().zip(&other.places));
    places
        .map(|([along, .., begin], [other_along, .., other_begin])| {
            let moved = other_begin - begin;
            moved.norm().max((moved + other_along - along).norm())
        })
        .fold(0.0, f64::max)
}
