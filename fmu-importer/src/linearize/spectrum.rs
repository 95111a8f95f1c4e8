//! Eigenvalues with right and left eigenvectors, apart from those that are zero.
//!
//! Free bodies give zero eigenvalues in Jordan chains (position, then velocity), which rounding would spread over a circle
//! whose radius is the square root of the rounding error. So the null space is split off first, level by level: what is
//! left has no zero eigenvalue.

use anyhow::{Context, Result};
use nalgebra::linalg::balancing::balance_parlett_reinsch;
use nalgebra::{Complex, DMatrix, DVector, Schur};

/// Element in 1/s or 1/s2 below which it is rounding in any row.
const NEGLIGIBLE: f64 = 1e-14;
/// Number of QR steps for each eigenvalue; more mean that there is no convergence.
const STEPS: usize = 60;

/// The eigenvalues of a matrix, a complex pair as the one with a positive imaginary part.
pub struct Spectrum {
    /// Base of the states at which nothing changes, one column each.
    pub rest: DMatrix<f64>,
    /// The eigenvalues that are not zero.
    pub pairs: Vec<Eigen>,
}

/// An eigenvalue and its vectors.
pub struct Eigen {
    /// The eigenvalue in rad/s.
    pub value: Complex<f64>,
    /// The vector with A v = λ v, whose largest element is 1.
    pub right: DVector<Complex<f64>>,
    /// The vector with l A = λ l, and l v = 1.
    pub left: DVector<Complex<f64>>,
}

impl Spectrum {
    /// Computes the spectrum; elements below `rounding` times the largest one of their row are zero, and singular values
    /// below that part of the largest one.
    pub fn of(matrix: &DMatrix<f64>, rounding: f64) -> Result<Self> {
        let count = matrix.nrows();
        // Balancing would make rounding errors as large as the other elements.
        let mut balanced = matrix.clone();
        for mut row in balanced.row_iter_mut() {
            let largest = row.amax();
            row.apply(|element| {
                if element.abs() < (rounding * largest).max(NEGLIGIBLE) {
                    *element = 0.0;
                }
            });
        }
        let matrix = &balanced.clone();
        // matrix = S balanced S^-1
        let scale = balance_parlett_reinsch(&mut balanced);
        let staircase = Staircase::of(&balanced, rounding);
        let pairs = staircase.pairs(matrix, &scale).context("the eigenvalues of A cannot be computed")?;
        let rest = staircase.base.columns(0, staircase.zeros.first().copied().unwrap_or(0)).into_owned();
        let rest = DMatrix::from_fn(count, rest.ncols(), |row, column| rest[(row, column)] * scale[row]);
        Ok(Self { rest: sparse(rest), pairs })
    }
}

/// An orthogonal base in which the matrix is block triangular: the zero eigenvalues come first.
struct Staircase {
    base: DMatrix<f64>,
    /// Number of zero eigenvalues in chains of at least one, two, … elements.
    zeros: Vec<usize>,
    /// The matrix in this base.
    matrix: DMatrix<f64>,
}

impl Staircase {
    fn of(matrix: &DMatrix<f64>, rounding: f64) -> Self {
        let count = matrix.nrows();
        let mut found = Self { base: DMatrix::identity(count, count), zeros: Vec::new(), matrix: matrix.clone() };
        let largest = matrix.clone().svd(false, false).singular_values.iter().copied().fold(0.0, f64::max);
        loop {
            let begin: usize = found.zeros.iter().sum();
            let rest = count - begin;
            if rest == 0 {
                return found;
            }
            let block = found.matrix.view((begin, begin), (rest, rest)).into_owned();
            let svd = block.svd(false, true);
            let Some(vectors) = svd.v_t else { return found };
            let (zero, others): (Vec<usize>, Vec<usize>) =
                (0..rest).partition(|at| svd.singular_values[*at] <= rounding * largest);
            if zero.is_empty() {
                return found;
            }
            // The null space first.
            let order: Vec<usize> = zero.iter().chain(&others).copied().collect();
            let mut turn = DMatrix::identity(count, count);
            for (column, from) in order.iter().enumerate() {
                turn.view_mut((begin, begin + column), (rest, 1)).copy_from(&vectors.row(*from).transpose());
            }
            found.matrix = turn.tr_mul(&found.matrix) * &turn;
            found.matrix.view_mut((begin, begin), (rest, zero.len())).fill(0.0);
            found.base *= turn;
            found.zeros.push(zero.len());
        }
    }

    /// Returns the eigenvalues that are not zero, of the matrix that S balances.
    fn pairs(&self, matrix: &DMatrix<f64>, scale: &DVector<f64>) -> Result<Vec<Eigen>> {
        let count = self.matrix.nrows();
        let begin: usize = self.zeros.iter().sum();
        let rest = count - begin;
        if rest == 0 {
            return Ok(Vec::new());
        }
        let block = self.matrix.view((begin, begin), (rest, rest)).into_owned();
        let triangle = Triangle::of(&block)?;
        let size = block.norm();
        let (base, complex) = (self.base.map(Complex::from), matrix.map(Complex::from));
        let mut pairs = Vec::new();
        for at in 0..rest {
            let rough = triangle.values[at];
            if rough.im < -f64::EPSILON * 1e3 * size {
                continue;
            }
            let right = &triangle.base * triangle.right(at);
            let left = &triangle.base * triangle.left(at);
            // In the base of the staircase: the part in the null space follows from the eigenvalue.
            let coupled = self.matrix.view((0, begin), (begin, rest)).map(Complex::from) * &right;
            let upper = self.matrix.view((0, 0), (begin, begin)).map(Complex::from);
            let upper = DMatrix::identity(begin, begin) * rough - upper;
            let above = upper.solve_upper_triangular(&coupled).unwrap_or_else(|| DVector::zeros(begin));
            let mut whole = DVector::zeros(count);
            whole.rows_mut(0, begin).copy_from(&above);
            whole.rows_mut(begin, rest).copy_from(&right);
            let mut dual = DVector::zeros(count);
            dual.rows_mut(begin, rest).copy_from(&left);
            let right = (&base * whole).zip_map(scale, |element, factor| element * factor);
            let left = (&base * dual).zip_map(scale, |element, factor| element.conj() / factor);
            pairs.push(refined(&complex, right, left));
        }
        let tiny = 1e-12 * size;
        for pair in &mut pairs {
            if pair.value.im.abs() <= tiny {
                pair.value.im = 0.0;
            }
        }
        pairs.sort_by(|one, other| one.value.norm().total_cmp(&other.value.norm()));
        Ok(pairs)
    }
}

/// Returns an eigenvalue from its vectors, whose error is the product of those of the vectors, and the vectors scaled.
fn refined(matrix: &DMatrix<Complex<f64>>, right: DVector<Complex<f64>>, left: DVector<Complex<f64>>) -> Eigen {
    let largest = right.iter().copied().max_by(|one, other| one.norm().total_cmp(&other.norm())).unwrap_or_default();
    let right = right / largest;
    let product = left.tr_dot_plain(&right);
    let left = left / product;
    let image = matrix * &right;
    Eigen { value: left.tr_dot_plain(&image), right, left }
}

/// The product of two vectors without conjugation.
trait PlainProduct {
    fn tr_dot_plain(&self, other: &Self) -> Complex<f64>;
}

impl PlainProduct for DVector<Complex<f64>> {
    fn tr_dot_plain(&self, other: &Self) -> Complex<f64> {
        self.iter().zip(other.iter()).map(|(one, other)| one * other).sum()
    }
}

/// A complex Schur form.
pub struct Triangle {
    /// The unitary base.
    pub base: DMatrix<Complex<f64>>,
    /// The eigenvalues.
    pub values: Vec<Complex<f64>>,
    /// The triangle.
    pub matrix: DMatrix<Complex<f64>>,
    /// Size of a divisor that is rounding.
    least: f64,
}

impl Triangle {
    /// Computes the Schur form of a real matrix.
    pub fn of(matrix: &DMatrix<f64>) -> Result<Self> {
        let count = matrix.nrows();
        if count == 0 {
            let empty = || DMatrix::zeros(0, 0);
            return Ok(Self { base: empty(), values: Vec::new(), matrix: empty(), least: 0.0 });
        }
        let size = matrix.norm().max(f64::MIN_POSITIVE);
        // Steps of the QR algorithm do not converge for eigenvalues of equal size, such as those of undamped oscillators,
        // unless these are shifted.
        let shift = Complex::new(0.0131, 0.3171) * size;
        let shifted = matrix.map(Complex::from) + DMatrix::identity(count, count) * shift;
        let schur = Schur::try_new(shifted, f64::EPSILON, STEPS * count.max(10));
        let (base, mut triangle) = schur.context("the QR algorithm does not converge")?.unpack();
        for at in 0..count {
            triangle[(at, at)] -= shift;
        }
        let values = triangle.diagonal().iter().copied().collect();
        let least = f64::EPSILON * triangle.norm();
        Ok(Self { base, values, matrix: triangle, least })
    }

    /// Returns the right eigenvector in the base of the triangle.
    fn right(&self, at: usize) -> DVector<Complex<f64>> {
        let count = self.values.len();
        let mut vector = DVector::zeros(count);
        vector[at] = Complex::new(1.0, 0.0);
        for row in (0..at).rev() {
            let sum: Complex<f64> = (row + 1..=at).map(|column| self.matrix[(row, column)] * vector[column]).sum();
            vector[row] = sum / self.distance(self.values[at] - self.values[row]);
        }
        vector.normalize()
    }

    /// Returns the left eigenvector, conjugated, in the base of the triangle.
    fn left(&self, at: usize) -> DVector<Complex<f64>> {
        let count = self.values.len();
        let mut vector = DVector::zeros(count);
        vector[at] = Complex::new(1.0, 0.0);
        for row in at + 1..count {
            let sum: Complex<f64> = (at..row).map(|column| self.matrix[(column, row)] * vector[column]).sum();
            vector[row] = sum / self.distance(self.values[at] - self.values[row]);
        }
        vector.map(|element| element.conj()).normalize()
    }

    /// Keeps a divisor away from zero: equal eigenvalues have almost parallel vectors.
    fn distance(&self, divisor: Complex<f64>) -> Complex<f64> {
        if divisor.norm() < self.least { Complex::new(self.least, 0.0) } else { divisor }
    }

    /// Solves (s - A) x = b.
    pub fn solve(&self, s: Complex<f64>, b: &DMatrix<Complex<f64>>) -> DMatrix<Complex<f64>> {
        let mut x = self.base.ad_mul(b);
        for row in (0..self.values.len()).rev() {
            let divisor = self.distance(s - self.values[row]);
            for column in 0..x.ncols() {
                let sum: Complex<f64> =
                    (row + 1..self.values.len()).map(|at| self.matrix[(row, at)] * x[(at, column)]).sum();
                x[(row, column)] = (x[(row, column)] + sum) / divisor;
            }
        }
        &self.base * x
    }
}

/// Returns another base of the space of the columns, with as many zeros as elimination makes.
pub fn sparse(mut base: DMatrix<f64>) -> DMatrix<f64> {
    let (rows, columns) = base.shape();
    let mut used = Vec::new();
    for column in 0..columns {
        let mut free: Vec<usize> = (0..rows).filter(|row| !used.contains(row)).collect();
        free.sort_by(|one, other| base[(*other, column)].abs().total_cmp(&base[(*one, column)].abs()));
        let Some(pivot) = free.first().copied().filter(|row| base[(*row, column)] != 0.0) else { continue };
        used.push(pivot);
        let factor = base[(pivot, column)];
        base.column_mut(column).scale_mut(1.0 / factor);
        for other in (0..columns).filter(|other| *other != column) {
            let factor = base[(pivot, other)];
            let eliminated = base.column(other) - base.column(column) * factor;
            base.set_column(other, &eliminated);
        }
    }
    let largest = base.amax();
    base.apply(|element| {
        if element.abs() < 1e-10 * largest {
            *element = 0.0;
        }
    });
    base
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;

    /// Returns the matrix of equal masses with springs between them, and with `walls` at both ends, and with damping that is
    /// a multiple of the stiffness.
    fn chain(masses: usize, walls: bool, stiffness: f64, damping: f64) -> DMatrix<f64> {
        let mut a = DMatrix::zeros(2 * masses, 2 * masses);
        for i in 0..masses {
            a[(i, masses + i)] = 1.0;
            let mut link = |other: Option<usize>| {
                for (column, value) in [(0, stiffness), (masses, damping * stiffness)] {
                    a[(masses + i, column + i)] -= value;
                    if let Some(other) = other {
                        a[(masses + i, column + other)] += value;
                    }
                }
            };
            if walls || i > 0 {
                link(i.checked_sub(1));
            }
            if walls || i + 1 < masses {
                link(Some(i + 1).filter(|next| *next < masses));
            }
        }
        a
    }

    fn check(a: &DMatrix<f64>, spectrum: &Spectrum) {
        let a = a.map(Complex::from);
        for Eigen { value, right, left } in &spectrum.pairs {
            let size = a.norm() * right.norm();
            assert!((&a * right - right * *value).norm() < 1e-12 * size, "{value}");
            assert!(
                (left.transpose() * &a - left.transpose() * *value).norm() < 1e-12 * a.norm() * left.norm(),
                "{value}"
            );
            assert!((left.tr_dot_plain(right) - 1.0).norm() < 1e-12);
        }
    }

    #[test]
    fn chains_between_walls_have_the_frequencies_of_the_closed_form() {
        for masses in [1, 2, 3, 8, 20] {
            let (c, d): (f64, f64) = (4e6, 1e-5);
            let a = chain(masses, true, c, d);
            let spectrum = Spectrum::of(&a, 1e-12).unwrap();
            check(&a, &spectrum);
            assert_eq!((spectrum.rest.ncols(), spectrum.pairs.len()), (0, masses));
            for (k, pair) in (1..).zip(&spectrum.pairs) {
                let omega = 2.0 * c.sqrt() * (f64::from(k) * PI / (2.0 * (masses as f64 + 1.0))).sin();
                let expected = Complex::new(-0.5 * d * omega * omega, omega * (1.0 - (0.5 * d * omega).powi(2)).sqrt());
                assert!((pair.value - expected).norm() < 1e-12 * 2.0 * c.sqrt(), "{} {expected}", pair.value);
            }
        }
    }

    #[test]
    fn free_chains_have_one_rest_and_no_small_frequency() {
        for masses in [2, 5, 12] {
            let a = chain(masses, false, 1e8, 0.0);
            let spectrum = Spectrum::of(&a, 1e-12).unwrap();
            check(&a, &spectrum);
            assert_eq!((spectrum.rest.ncols(), spectrum.pairs.len()), (1, masses - 1));
            // All masses move alike.
            let expected = DMatrix::from_fn(2 * masses, 1, |row, _| if row < masses { 1.0 } else { 0.0 });
            assert!((&spectrum.rest - expected).norm() < 1e-12);
            for (k, pair) in (1..).zip(&spectrum.pairs) {
                let omega = 2e4 * (f64::from(k) * PI / (2.0 * masses as f64)).sin();
                assert!((pair.value - Complex::new(0.0, omega)).norm() < 1e-12 * 2e4, "{} {omega}", pair.value);
            }
        }
    }

    /// For this matrix the QR algorithm without a shift does not converge: all eigenvalues have the size 1.
    #[test]
    fn cyclic_permutations_converge() {
        let a = DMatrix::from_fn(8, 8, |row, column| f64::from(u8::from(row == (column + 1) % 8)));
        let spectrum = Spectrum::of(&a, 1e-12).unwrap();
        check(&a, &spectrum);
        let mut angles: Vec<f64> = spectrum.pairs.iter().map(|pair| pair.value.arg() * 4.0 / PI).collect();
        angles.sort_by(f64::total_cmp);
        let expected = [0.0, 1.0, 2.0, 3.0, 4.0];
        assert!(
            angles.len() == 5 && angles.iter().zip(expected).all(|(one, other)| (one - other).abs() < 1e-12),
            "{angles:?}"
        );
    }

    #[test]
    fn a_triangle_solves_for_any_frequency() {
        let a = chain(6, true, 1e4, 1e-4);
        let triangle = Triangle::of(&a).unwrap();
        let b = DMatrix::from_fn(12, 2, |row, column| Complex::from((row * 2 + column) as f64 - 7.0));
        for omega in [0.0, 3.0, 90.0, 1e5] {
            let s = Complex::new(0.0, omega);
            let x = triangle.solve(s, &b);
            let rest = &x * s - a.map(Complex::from) * &x - &b;
            assert!(rest.norm() < 1e-12 * (x.norm() * (omega + a.norm())), "{omega}: {}", rest.norm());
        }
    }
}
