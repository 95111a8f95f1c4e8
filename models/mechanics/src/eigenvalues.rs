//! Eigenvalues and inverses of matrices of numbers, needed once: they are compiled here, for size.

use nalgebra::{DMatrix, DVector, Matrix3, Schur};

/// Fraction of the largest eigenvalue below which rates may be rounding: of a double eigenvalue 0 the square root of
/// that of the numbers remains.
const ROUNDING: f64 = 1e-6;

/// Returns the coordinate that moves most in the motion that grows fastest, with its rate in 1/s, if one grows. The first half
/// of the states are coordinates, the second their rates.
#[must_use]
pub fn fastest_growth(system: &DMatrix<f64>) -> Option<(usize, f64)> {
    if system.iter().any(|entry| !entry.is_finite()) {
        return None;
    }
    let eigenvalues = Schur::try_new(system.clone(), f64::EPSILON, 10_000)?.complex_eigenvalues();
    let largest = eigenvalues.iter().map(|value| value.re.hypot(value.im)).fold(0.0, f64::max);
    let fastest = eigenvalues.iter().max_by(|one, other| one.re.total_cmp(&other.re))?;
    if fastest.re <= ROUNDING * largest {
        return None;
    }
    // Inverse iteration; for a pair of complex eigenvalues in the plane of their motion.
    let size = system.nrows();
    let shifted = system - DMatrix::identity(size, size) * fastest.re;
    // The product of matrices would bring along its code for each kind of processor, 16 kB.
    let squared = |i, j| (0..size).map(|k| shifted[(i, k)] * shifted[(k, j)]).sum::<f64>();
    let mut matrix = DMatrix::from_fn(size, size, squared) + DMatrix::identity(size, size) * fastest.im.powi(2);
    let scale = matrix.amax().max(f64::MIN_POSITIVE);
    (0..size).for_each(|k| matrix[(k, k)] += 1e-12 * scale);
    let factors = matrix.lu();
    let mut motion = DVector::from_fn(size, |k, _| 1.0 + (0.618_034 * k as f64).fract());
    for _ in 0..3 {
        motion = factors.solve(&motion)?.normalize();
    }
    Some((motion.rows(0, size / 2).iamax(), fastest.re))
}

/// Returns the inverse of a matrix, or the identity if it has none.
#[must_use]
pub fn inverse(matrix: DMatrix<f64>) -> DMatrix<f64> {
    let size = matrix.nrows();
    matrix.try_inverse().unwrap_or_else(|| DMatrix::identity(size, size))
}

/// Returns the principal moments of an inertia tensor, the smallest first.
#[must_use]
pub fn principal_moments(tensor: &Matrix3<f64>) -> [f64; 3] {
    let mut moments: [f64; 3] = tensor.symmetric_eigenvalues().into();
    moments.sort_unstable_by(f64::total_cmp);
    moments
}
