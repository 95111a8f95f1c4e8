//! Power balance, and cut loads from virtual power.

use mechanics::motion::Motion;
use proptest::prelude::*;

use crate::mechanism::{Mechanism, V, for_all};

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |largest, value| value.abs().max(largest))
}

#[test]
fn all_power_that_flows_in_flows_out() {
    for_all(10_000, 1.0, |mechanism| {
        let solution = mechanism.solve().unwrap();
        let mut powers = mechanism.inner_powers(&solution, &mechanism.a, &solution);
        powers.push(mechanism.a.power(&solution.loads.a));
        powers.push(mechanism.b.power(&solution.loads.b));
        let total: f64 = powers.iter().sum();
        prop_assert!(total.abs() <= 1e-12 * largest(&powers), "{total:e} of {powers:?}");
        Ok(())
    });
}

/// Returns one of the twelve virtual motions of the outer frames.
fn virtual_motion(mechanism: &Mechanism, i: usize) -> [Motion<f64>; 2] {
    let still = |frame: &Motion<f64>| Motion { v_0: V::zeros(), w: V::zeros(), ..*frame };
    let mut frames = [still(&mechanism.a), still(&mechanism.b)];
    let frame = &mut frames[i / 6];
    if i % 6 < 3 {
        frame.v_0[i % 3] = 1.0;
    } else {
        frame.w[i % 3] = 1.0;
    }
    frames
}

#[test]
fn cut_loads_do_the_virtual_power_of_all_others() {
    for_all(500, 1.0, |mechanism| {
        let solution = mechanism.solve().unwrap();
        let loads = [solution.loads.a, solution.loads.b];
        let size = loads.iter().map(|load| load.f.norm() + load.t.norm()).fold(1.0, f64::max);
        for i in 0..12 {
            let [a, b] = virtual_motion(mechanism, i);
            let moved = mechanism.solve_at(&a, &b, mechanism.length()).unwrap();
            let power: f64 = mechanism.inner_powers(&moved, &a, &solution).iter().sum();
            let load = if i % 6 < 3 {
                let frame = [&mechanism.a, &mechanism.b][i / 6];
                (frame.T.transpose() * loads[i / 6].f)[i % 3]
            } else {
                loads[i / 6].t[i % 3]
            };
            prop_assert!((load + power).abs() < 1e-12 * size, "motion {i}: {load} against {power}");
        }
        Ok(())
    });
}

/// A rod 1 that lengthens does work against its compressive force.
#[test]
fn rod_force_does_the_virtual_work_of_a_longer_rod() {
    for_all(200, 1.0, |mechanism| {
        if mechanism.kind == crate::mechanism::Kind::Ups {
            return Ok(());
        }
        let solution = mechanism.solve().unwrap();
        let h = 2e-6 * mechanism.length();
        let at = |length: f64| mechanism.solve_at(&mechanism.a, &mechanism.b, length).unwrap();
        let (long, short) = (at(mechanism.length() + h), at(mechanism.length() - h));
        // The motion of the inner frames due to the lengthening, as a velocity.
        let rate = |long: &Motion<f64>, short: &Motion<f64>, middle: &Motion<f64>| {
            let spin = -(long.T - short.T) * middle.T.transpose() / (2.0 * h);
            let w = V::new(spin[(2, 1)], spin[(0, 2)], spin[(1, 0)]);
            Motion { v_0: (long.r_0 - short.r_0) / (2.0 * h), w, ..*middle }
        };
        let (im, ib) = (solution.im.unwrap(), solution.ib);
        let grown_im = rate(&long.im.unwrap(), &short.im.unwrap(), &im);
        let grown_ib = rate(&long.ib, &short.ib, &ib);
        let mut work = grown_im.power(&mechanism.inner.im) + grown_ib.power(&mechanism.inner.ib);
        let slope = (long.x.x - short.x.x) / (2.0 * h);
        prop_assert!((slope * solution.loads.aux - 1.0).abs() < 1e-5, "{slope} against {}", solution.loads.aux);
        work += mechanism.inner.drive * slope;
        if let (Some(ia), Some(long), Some(short)) = (solution.ia, long.ia, short.ia) {
            work += rate(&long, &short, &ia).power(&mechanism.ia);
        }
        // The force is that between frame_a and the mass: the rod lengthens there.
        let pushed = Motion { v_0: (im.r_0 - mechanism.a.r_0).normalize(), ..mechanism.a };
        work += mechanism.mass.power(&pushed, &grown_im);
        let f_rod = solution.loads.f_rod;
        prop_assert!((f_rod + work).abs() < 1e-5 * (1.0 + f_rod.abs()), "{f_rod} against {work}");
        Ok(())
    });
}

#[test]
fn the_library_s_rod_force_of_joint_ssp_leaves_power_over() {
    for_all(200, 1.0, |mechanism| {
        if mechanism.kind != crate::mechanism::Kind::Ssp || mechanism.mass.m < 0.1 {
            return Ok(());
        }
        let mut neglected = mechanism.clone();
        neglected.mass.neglected = true;
        let [right, wrong] = [mechanism, &neglected].map(|mechanism| mechanism.solve().unwrap().loads);
        // The missing force along the axis must be supplied from elsewhere.
        let axis = mechanism.e;
        prop_assert!((axis.dot(&right.b.f) - mechanism.inner.drive).abs() < 1e-12 * (1.0 + right.b.f.norm()));
        prop_assert!((axis.dot(&wrong.b.f) - mechanism.inner.drive).abs() > 1e-9);
        Ok(())
    });
}
