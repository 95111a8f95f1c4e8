//! Filters that let a band pass, or stop it: each pole of a low pass becomes sections of the second order.

use fmu_runtime::Scalar;
use mechanics::constant;

use super::poles::Pole;
use super::signal::Jet;

/// A section of the second order, with the frequency in the middle of the band, in rad/s.
///
/// ```text
/// x1' = w x2,   x2' = w u - b/w x1 - a x2      denominator s^2 + a s + b
/// y = factor/w x2 of a band that passes,   u + (1 - b/w^2) x1 - a/w x2 of one that is stopped
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Section<T> {
    w: T,
    a: T,
    b: T,
    factor: T,
    stops: bool,
}

/// Returns the sections of a filter from the poles of a low pass of 1 rad/s, with the limits of the band in rad/s.
pub fn sections<T: Scalar>(normalized: &[Pole], [low, high]: [T; 2], stops: bool) -> Vec<Section<T>> {
    let (square, width) = (low * high, high - low);
    let w = square.sqrt();
    let mut sections = Vec::new();
    for pole in normalized {
        // A band that is stopped has the reciprocal poles.
        let pole = if stops { pole.inv() } else { *pole };
        let factor = width * constant::<T>(pole.norm());
        let [re, im] = [pole.re, pole.im].map(|part| width * constant::<T>(part));
        if pole.im == 0.0 {
            sections.push(Section { w, a: -re, b: square, factor, stops });
            continue;
        }
        // The roots of s^2 - p s + w^2.
        let (half, four) = (constant::<T>(0.5), constant::<T>(4.0));
        let (z_re, z_im) = (re * re - im * im - four * square, (re + re) * im);
        let size = (z_re * z_re + z_im * z_im).sqrt();
        // The larger part first, so that no digits cancel.
        let larger = ((size + z_re.abs()) * half).sqrt();
        let other = z_im / (larger + larger);
        let [root_re, root_im] = if z_re.value() > 0.0 { [larger, other] } else { [other, larger] };
        for sign in [T::one(), -T::one()] {
            let [r_re, r_im] = [(re + sign * root_re) * half, (im + sign * root_im) * half];
            sections.push(Section { w, a: -(r_re + r_re), b: r_re * r_re + r_im * r_im, factor, stops });
        }
    }
    sections
}

impl<T: Scalar> Section<T> {
    /// Returns the states that do not change with an input.
    pub fn steady(&self, u: T) -> [T; 2] {
        [self.w * self.w / self.b * u, T::zero()]
    }

    /// Returns the output, and the derivatives of the states.
    pub fn pass(&self, Jet([u, du, ddu]): Jet<T>, [x1, x2]: [T; 2]) -> (Jet<T>, [T; 2]) {
        let Self { w, a, b, factor, stops } = *self;
        let rate = |u: T, [x1, x2]: [T; 2]| [w * x2, w * u - b / w * x1 - a * x2];
        let first = rate(u, [x1, x2]);
        let second = rate(du, first);
        let [one, other] = [Jet([x1, first[0], second[0]]), Jet([x2, first[1], second[1]])];
        let output = if stops {
            Jet([u, du, ddu]) + one.scaled(T::one() - b / (w * w)) - other.scaled(a / w)
        } else {
            other.scaled(factor / w)
        };
        (output, first)
    }
}
