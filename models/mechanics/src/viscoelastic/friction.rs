//! The friction element: deflection of its spring after a path.

use crate::{Scalar, constant};

use super::path::Path;

/// Fraction of the reach below which a distance counts as 0, as its sign may be that of rounding.
const NEGLIGIBLE: f64 = 1e-9;

/// Returns the deflection of the spring after a path in one direction over the distance `d`, before which it was `z`.
///
/// Where `d` is 0, paths to both sides have different slopes; the derivative is that of a path with the sign `direction`,
/// and with 0 the mean. So it is linear in the derivative of `d`.
pub fn walk<T: Scalar>(z: T, d: T, reach: T, direction: f64) -> T {
    if d.value().abs() < NEGLIGIBLE * reach.value() {
        let length = T::depending(d.value().abs(), [d], [direction]);
        return z + d - length * z / reach;
    }
    let sign = constant::<T>(d.value().signum());
    z - (sign * reach - z) * (-(sign * d) / reach).exp_m1()
}

/// Returns the speed of the inner point while the deflection changes with the velocity `v`, whose sign is `direction`.
/// Where `v` is 0, that is the side whose derivative is taken, and 0 the mean of both.
pub fn creep<T: Scalar>(z: T, v: T, reach: T, direction: f64) -> T {
    v * constant::<T>(direction) * z / reach
}

/// Returns the deflection of the spring after a path that begins at its own start.
pub fn follow_path(z: f64, path: &Path, reach: f64) -> f64 {
    let mut x = path.at(0.0);
    let mut z = z;
    let turns = path.turns();
    for end in turns.iter().copied().chain([1.0]) {
        let next = path.at(end);
        z = walk(z, next - x, reach, 0.0);
        x = next;
    }
    z
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Dual64;

    proptest! {
        /// Compares with small steps of `z' = x' - |x'| z / reach` by Heun's method.
        #[test]
        fn a_path_is_followed_as_small_steps_do(c in prop::collection::vec(-3.0..3.0_f64, 1..7), z in -1.0..1.0_f64) {
            let path = Path::new(&c);
            const STEPS: u32 = 40_000;
            let mut expected = z;
            for step in 0..STEPS {
                let dx = path.at(f64::from(step + 1) / f64::from(STEPS)) - path.at(f64::from(step) / f64::from(STEPS));
                let rate = |z: f64| dx - dx.abs() * z;
                let first = rate(expected);
                expected += 0.5 * (first + rate(expected + first));
            }
            let found = follow_path(z, &path, 1.0);
            prop_assert!((found - expected).abs() < 1e-6, "{found} {expected}");
        }

        #[test]
        fn its_load_stays_within_the_limit(z in -1.0..1.0_f64, path in prop::collection::vec(-50.0..50.0_f64, 1..20)) {
            let mut z = z;
            for d in path {
                let before = z;
                z = walk(z, d, 1.0, 0.0);
                prop_assert!(z.abs() <= 1.0);
                // Work that is put in is stored or lost: the integral of z over the path.
                let work = d - (z - before) * d.signum();
                prop_assert!(work * d.signum() >= 0.5 * (z * z - before * before) - 1e-12);
            }
        }
    }

    #[test]
    fn where_a_path_begins_the_derivative_is_that_of_its_direction() {
        let dual =
            |d: f64, direction: f64| walk(Dual64::from_re(0.3), Dual64::new(0.0, d), Dual64::from_re(1.0), direction);
        for direction in [1.0, -1.0] {
            let difference = (walk(0.3, direction * 1e-7, 1.0, 0.0) - 0.3) / (direction * 1e-7);
            for d in [1.0, -2.0] {
                let z = dual(d, direction);
                assert!(z.re == 0.3 && (z.eps - d * difference).abs() < 1e-6, "{z}");
            }
        }
        assert_eq!(dual(0.7, 0.0).eps, 0.7);
        assert!((creep(0.3, -2.0, 1.5, -1.0) - 0.4).abs() < 1e-15);
    }
}
