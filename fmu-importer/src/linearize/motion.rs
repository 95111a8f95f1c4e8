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
    let sampled = |factor: f64, begin: usize| -> Result<Trajectory> {
        let places = (0..PICTURES + 1).map(|at| {
            let part = at as f64 / PICTURES as f64;
            let (sin, cos) = (TAU * (at + begin) as f64 / PICTURES as f64).sin_cos();
            let moved =
                |(state, shape): (&f64, &nalgebra::Complex<f64>)| state + factor * (shape.re * cos - shape.im * sin);
            (PERIOD * part, states.iter().zip(mode.shape.iter()).map(moved).collect::<Vec<f64>>())
        });
        simulation.sample(instance, places)
    };
    let scene = |factor: f64, begin: usize| animation.scene(&sampled(factor, begin)?);
    let all = || -> Result<Scene> {
        let (rest, small) = (scene(0.0, 0)?, scene(SMALL, 0)?);
        let (displacement, begin) = largest_displacement(&rest, &small);
        let (_, size) = rest.extent();
        if displacement <= 1e-9 * SMALL * size {
            bail!("mode {number} moves no shape");
        }
        let factor = SMALL * scale * size / displacement;
        scene(factor, begin).context("the FMU cannot be displaced that far along the mode: choose a smaller --scale")
    };
    let result = all();
    instance.set_continuous_states(&states)?;
    result
}

/// Returns the largest distance in m between the ends of a shape in two scenes, and the picture that has it.
fn largest_displacement(one: &Scene, other: &Scene) -> (f64, usize) {
    let mut largest = (0.0, 0);
    for (one, other) in one.bodies.iter().zip(&other.bodies) {
        for (picture, (rest, moved)) in one.places.iter().zip(&other.places).enumerate() {
            let ([along, .., begin], [moved_along, .., moved_begin]) = (rest, moved);
            let start = moved_begin - begin;
            let distance = start.norm().max((start + moved_along - along).norm());
            // The first of those that differ by rounding only.
            if distance > largest.0 * (1.0 + 1e-6) {
                largest = (distance, picture);
            }
        }
    }
    largest
}
