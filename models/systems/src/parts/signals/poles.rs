//! Poles of filters with the cut-off frequency 1 rad/s.

use std::f64::consts::PI;

use fmu_runtime::enumeration;
use nalgebra::Complex;

enumeration! {
    /// Characteristics of filters.
    pub enum AnalogFilter {
        CriticalDamping = "all poles are the same real one",
        Bessel = "the most even delay",
        Butterworth = "the most even amplitude",
        ChebyshevI = "steep, with ripple in the pass band",
    }
}

/// Amplitude at the cut-off frequency of a normalized filter: -3 dB.
const AT_CUT_OFF: f64 = 0.707_945_784_384_137_9;

/// Number of steps of bisection, and of the search for zeros: more than double precision needs.
const STEPS: usize = 200;

/// A pole in rad/s: a real one, or one of a conjugate pair, with its imaginary part above 0.
pub type Pole = Complex<f64>;

/// Returns the poles of a low pass; real ones first.
pub fn poles(kind: AnalogFilter, order: usize, ripple: f64, normalized: bool) -> Vec<Pole> {
    let n = order as f64;
    let pairs = || (0..order / 2).map(|i| PI * (2 * i + 1) as f64 / (2.0 * n));
    let middle = |pole: f64| (order % 2 == 1).then_some(Pole::new(pole, 0.0));
    let mut poles: Vec<Pole> = match kind {
        AnalogFilter::CriticalDamping => vec![Pole::new(-1.0, 0.0); order],
        AnalogFilter::Butterworth => {
            middle(-1.0).into_iter().chain(pairs().map(|at| Pole::new(-at.sin(), at.cos()))).collect()
        }
        AnalogFilter::ChebyshevI => {
            let depth = (1.0 / (10.0_f64.powf(0.1 * ripple) - 1.0).sqrt()).asinh() / n;
            let (sinh, cosh) = (depth.sinh(), depth.cosh());
            let pairs = pairs().map(|at| Pole::new(-sinh * at.sin(), cosh * at.cos()));
            middle(-sinh).into_iter().chain(pairs).collect()
        }
        AnalogFilter::Bessel => bessel(order),
    };
    // The amplitude of a Butterworth filter is 1/sqrt(2), with the library.
    if normalized && kind != AnalogFilter::Butterworth {
        let w = cut_off(&poles);
        poles.iter_mut().for_each(|pole| *pole /= w);
    }
    poles
}

/// Returns the zeros of the reverse Bessel polynomial, by the method of Durand and Kerner.
fn bessel(order: usize) -> Vec<Pole> {
    // The coefficient of s^k, where that of the highest power is 1: (2 n - k)! / (2^(n - k) k! (n - k)!).
    let mut coefficients = vec![1.0];
    for k in (0..order).rev() {
        let (n, k) = (order as f64, k as f64);
        let above = coefficients[coefficients.len() - 1];
        coefficients.push(above * (2.0 * n - k) * (k + 1.0) / (2.0 * (n - k)));
    }
    let value = |s: Pole| coefficients.iter().fold(Pole::new(0.0, 0.0), |sum, c| sum * s + c);
    let size = coefficients[order].powf(1.0 / order as f64);
    let mut zeros: Vec<Pole> =
        (0..order).map(|i| Pole::from_polar(size, 0.4 + 2.0 * PI * i as f64 / order as f64)).collect();
    for _ in 0..STEPS {
        for i in 0..order {
            let others =
                (0..order).filter(|j| *j != i).fold(Pole::new(1.0, 0.0), |product, j| product * (zeros[i] - zeros[j]));
            let step = value(zeros[i]) / others;
            zeros[i] -= step;
        }
    }
    // Only one of each pair; in odd orders one is real.
    zeros.sort_by(|one, other| one.im.abs().total_cmp(&other.im.abs()));
    let (real, pairs) = zeros.split_at(order % 2);
    let real = real.iter().map(|pole| Pole::new(pole.re, 0.0));
    real.chain(pairs.iter().copied().filter(|pole| pole.im > 0.0)).collect()
}

/// Returns the highest frequency with the amplitude of the cut-off.
fn cut_off(poles: &[Pole]) -> f64 {
    let amplitude = |w: f64| {
        let one = |pole: &Pole| {
            let at = |pole: Pole| pole.norm() / (Pole::new(0.0, w) - pole).norm();
            if pole.im == 0.0 { at(*pole) } else { at(*pole) * at(pole.conj()) }
        };
        poles.iter().map(one).product::<f64>()
    };
    let mut high = 1.0;
    while amplitude(high) > AT_CUT_OFF {
        high *= 2.0;
    }
    let mut low = 0.5 * high;
    while amplitude(low) < AT_CUT_OFF {
        low *= 0.5;
    }
    for _ in 0..STEPS {
        let middle = 0.5 * (low + high);
        if amplitude(middle) > AT_CUT_OFF { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}
