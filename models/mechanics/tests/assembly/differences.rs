//! Velocities and accelerations against central differences of the positions.

use mechanics::motion::Motion;
use nalgebra::{Matrix3, Rotation3};
use proptest::prelude::*;

use crate::mechanism::{Mechanism, Solution, V, for_all};

const H: f64 = 3e-4;

/// Returns the frame at time `t`, from its velocities and accelerations at time 0.
fn later(frame: &Motion<f64>, t: f64) -> Motion<f64> {
    let turn = Rotation3::from_scaled_axis(frame.w * t + frame.z * (t * t / 2.0));
    Motion {
        r_0: frame.r_0 + frame.v_0 * t + frame.a_0 * (t * t / 2.0),
        T: turn.matrix().transpose() * frame.T,
        ..*frame
    }
}

/// Returns the first and the second derivative by five points.
fn derivatives<X>(at: [X; 5]) -> [X; 2]
where
    X: Copy + std::ops::Add<Output = X> + std::ops::Sub<Output = X> + std::ops::Mul<f64, Output = X>,
{
    let [a, b, c, d, e] = at;
    let first = ((d - b) * 8.0 - (e - a)) * (1.0 / (12.0 * H));
    let second = ((b + d) * 16.0 - (a + e) - c * 30.0) * (1.0 / (12.0 * H * H));
    [first, second]
}

fn axial(matrix: Matrix3<f64>) -> V {
    V::new(matrix[(2, 1)] - matrix[(1, 2)], matrix[(0, 2)] - matrix[(2, 0)], matrix[(1, 0)] - matrix[(0, 1)]) / 2.0
}

fn close(found: &[f64], expected: &[f64], what: &str) -> Result<(), TestCaseError> {
    let size = expected.iter().fold(1.0_f64, |size, value| size.max(value.abs()));
    for (found, expected) in found.iter().zip(expected) {
        // The truncation error of the differences grows near the singularities.
        prop_assert!((found - expected).abs() < 1e-5 * size, "{what}: {found} is not {expected}");
    }
    Ok(())
}

fn check_frame(now: &Motion<f64>, at: [Motion<f64>; 5], name: &str) -> Result<(), TestCaseError> {
    let [v, a] = derivatives(at.map(|frame| frame.r_0));
    close(now.v_0.as_slice(), v.as_slice(), &format!("{name}.v_0"))?;
    close(now.a_0.as_slice(), a.as_slice(), &format!("{name}.a_0"))?;
    let [first, second] = derivatives(at.map(|frame| frame.T));
    let skew = -first * now.T.transpose();
    close(now.w.as_slice(), axial(skew).as_slice(), &format!("{name}.w"))?;
    let rate = skew * skew - second * now.T.transpose();
    close(now.z.as_slice(), axial(rate).as_slice(), &format!("{name}.z"))
}

fn around(mechanism: &Mechanism) -> [Solution; 5] {
    [-2.0, -1.0, 0.0, 1.0, 2.0].map(|i| {
        let (a, b) = (later(&mechanism.a, i * H), later(&mechanism.b, i * H));
        mechanism.solve_at(&a, &b, mechanism.length()).unwrap()
    })
}

#[test]
fn velocities_and_accelerations_are_rates_of_the_positions() {
    for_all(500, 1.0, |mechanism| {
        // Differences need a smooth neighbourhood.
        prop_assume!(mechanism.length() > 0.5 && mechanism.x.abs() < 2.9);
        let now = mechanism.solve().unwrap();
        prop_assume!(now.x.v.abs() < 3.0 && now.x.a.abs() < 30.0);
        let at = around(mechanism);
        let [v, a] = derivatives([0, 1, 2, 3, 4].map(|i| at[i].x.x));
        close(&[now.x.v, now.x.a], &[v, a], "coordinate")?;
        check_frame(&now.ib, [0, 1, 2, 3, 4].map(|i| at[i].ib), "frame_ib")?;
        if let Some(im) = now.im {
            check_frame(&im, [0, 1, 2, 3, 4].map(|i| at[i].im.unwrap()), "frame_im")?;
        }
        if let Some(ia) = now.ia {
            check_frame(&ia, [0, 1, 2, 3, 4].map(|i| at[i].ia.unwrap()), "frame_ia")?;
        }
        Ok(())
    });
}
