//! Certainty of the parameters: covariance, intervals, and what the data cannot tell apart.

use nalgebra::{DMatrix, DVector};

/// Part of the largest singular value below which a direction is not determined by the data.
const UNDETERMINED: f64 = 1e-6;

/// Part of a direction from which on a parameter belongs to it.
const SHARE: f64 = 0.1;

/// The 97.5 % quantile of the normal distribution.
const NORMAL: f64 = 1.959_963_984_540_054;

/// Certainty of the quantities that were searched for.
pub struct Certainty {
    /// Standard errors; infinite if the data do not determine the parameter.
    pub errors: Vec<f64>,
    /// The correlations of the errors.
    pub correlation: DMatrix<f64>,
    /// Groups of parameters, by their numbers, of which the data determine a combination only, or nothing.
    pub together: Vec<Vec<usize>>,
}

impl Certainty {
    /// Returns the certainty that follows from derivatives, by columns, of deviations whose variance this is; those that
    /// are `fixed` are at their bounds, and are taken as known.
    pub fn of(columns: &[Vec<f64>], fixed: &[bool], variance: f64) -> Self {
        let count = columns.len();
        let mut errors = vec![0.0; count];
        let mut correlation = DMatrix::identity(count, count);
        let norm = |column: &Vec<f64>| column.iter().map(|value| value * value).sum::<f64>().sqrt();
        let norms: Vec<f64> = columns.iter().map(norm).collect();
        let mut together = Vec::new();
        let mut free = Vec::new();
        for number in (0..count).filter(|number| !fixed[*number]) {
            if norms[number] > 0.0 {
                free.push(number);
            } else {
                errors[number] = f64::INFINITY;
                together.push(vec![number]);
            }
        }
        if free.is_empty() {
            return Self { errors, correlation, together };
        }
        let scaled = free.iter().map(|number| DVector::from_vec(columns[*number].clone()) / norms[*number]);
        let svd = DMatrix::from_columns(&scaled.collect::<Vec<_>>()).svd(false, true);
        let (values, right) = (svd.singular_values, svd.v_t.expect("they were asked for"));
        let largest = values.max();
        let mut covariance = DMatrix::zeros(free.len(), free.len());
        let mut open = vec![false; free.len()];
        for (row, value) in values.iter().enumerate() {
            let direction = right.row(row).transpose();
            if *value > UNDETERMINED * largest {
                covariance += &direction * direction.transpose() / (value * value);
                continue;
            }
            let most = direction.amax();
            let members: Vec<usize> = (0..free.len()).filter(|at| direction[*at].abs() > SHARE * most).collect();
            members.iter().for_each(|at| open[*at] = true);
            together.push(members.into_iter().map(|at| free[at]).collect());
        }
        for (row, number) in free.iter().enumerate() {
            let own: f64 = covariance[(row, row)];
            errors[*number] = if open[row] { f64::INFINITY } else { (variance * own).sqrt() / norms[*number] };
            for (column, other) in free.iter().enumerate() {
                let size = (own * covariance[(column, column)]).sqrt();
                let is_known = row != column && size > 0.0;
                correlation[(*number, *other)] = if is_known { covariance[(row, column)] / size } else { 1.0 };
            }
        }
        Self { errors, correlation, together }
    }
}

/// Returns the 97.5 % quantile of Student's distribution, by Cornish and Fisher's expansion, which is right to 1 % from two
/// degrees of freedom on.
pub fn quantile(degrees: usize) -> f64 {
    let (z, n) = (NORMAL, degrees as f64);
    let powers =
        |coefficients: &[(i32, f64)]| coefficients.iter().map(|(power, factor)| factor * z.powi(*power)).sum::<f64>();
    z + powers(&[(3, 1.0), (1, 1.0)]) / (4.0 * n)
        + powers(&[(5, 5.0), (3, 16.0), (1, 3.0)]) / (96.0 * n.powi(2))
        + powers(&[(7, 3.0), (5, 19.0), (3, 17.0), (1, -15.0)]) / (384.0 * n.powi(3))
        + powers(&[(9, 79.0), (7, 776.0), (5, 1482.0), (3, -1920.0), (1, -945.0)]) / (92160.0 * n.powi(4))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values are those of printed tables.
    #[test]
    fn quantiles_are_those_of_students_distribution() {
        for (degrees, expected, tolerance) in
            [(2, 4.303, 1e-2), (5, 2.571, 1e-3), (10, 2.228, 3e-4), (30, 2.042, 3e-4), (1000, 1.962, 3e-4)]
        {
            let found = quantile(degrees);
            assert!((found / expected - 1.0).abs() < tolerance, "{degrees}: {found}");
        }
    }

    /// A straight line through points: the textbook's errors of slope and intercept, and their correlation.
    #[test]
    fn a_straight_line_has_the_errors_of_the_textbook() {
        let x: Vec<f64> = (0..11).map(f64::from).collect();
        let certainty = Certainty::of(&[vec![1.0; 11], x.clone()], &[false, false], 0.04);
        let (n, mean) = (11.0, 5.0);
        let spread: f64 = x.iter().map(|x| (x - mean) * (x - mean)).sum();
        let expected = [0.2 * (1.0 / n + mean * mean / spread).sqrt(), 0.2 / spread.sqrt()];
        for (found, expected) in certainty.errors.iter().zip(expected) {
            assert!((found / expected - 1.0).abs() < 1e-12, "{found} {expected}");
        }
        let correlation = -mean / (spread / n + mean * mean).sqrt();
        assert!((certainty.correlation[(0, 1)] - correlation).abs() < 1e-12);
        assert!(certainty.together.is_empty());
    }

    #[test]
    fn what_acts_alike_or_not_at_all_is_named() {
        let x: Vec<f64> = (0..11).map(f64::from).collect();
        let doubled: Vec<f64> = x.iter().map(|x| 2.0 * x).collect();
        let columns = [vec![1.0; 11], x, vec![0.0; 11], doubled];
        let certainty = Certainty::of(&columns, &[false; 4], 1.0);
        assert_eq!(certainty.together, [vec![2], vec![1, 3]]);
        assert_eq!(
            certainty.errors.iter().map(|error| error.is_finite()).collect::<Vec<_>>(),
            [true, false, false, false]
        );
        // With one of them at a bound, the other is known.
        let certainty = Certainty::of(&columns, &[false, false, false, true], 1.0);
        assert_eq!(certainty.together, [vec![2]]);
    }
}
