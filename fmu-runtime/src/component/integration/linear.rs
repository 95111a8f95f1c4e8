//! Linear equations, dense: a factorisation in place, without allocating.

/// Factors of a square matrix, computed without allocating.
#[derive(Clone, Debug)]
pub struct Factors {
    count: usize,
    /// Elements of the factors, row by row.
    matrix: Vec<f64>,
    pivots: Vec<usize>,
}

impl Factors {
    pub fn new(count: usize) -> Self {
        Self { count, matrix: vec![0.0; count * count], pivots: vec![0; count] }
    }

    /// Factorises the matrix with the element `element(i, j)` in row `i` and column `j`; false if it is singular.
    pub fn factorise(&mut self, element: impl Fn(usize, usize) -> f64) -> bool {
        let n = self.count;
        let a = &mut self.matrix;
        for i in 0..n {
            for j in 0..n {
                a[i * n + j] = element(i, j);
            }
        }
        for k in 0..n {
            let pivot = (k..n).max_by(|p, q| a[p * n + k].abs().total_cmp(&a[q * n + k].abs())).unwrap_or(k);
            self.pivots[k] = pivot;
            if a[pivot * n + k] == 0.0 || !a[pivot * n + k].is_finite() {
                return false;
            }
            if pivot != k {
                for j in 0..n {
                    a.swap(k * n + j, pivot * n + j);
                }
            }
            let (above, below) = a.split_at_mut((k + 1) * n);
            let upper = &above[k * n..];
            for row in below.chunks_exact_mut(n) {
                let factor = row[k] / upper[k];
                row[k] = factor;
                for j in k + 1..n {
                    row[j] -= factor * upper[j];
                }
            }
        }
        true
    }

    /// Replaces `b` by the solution `x` of `A x = b`.
    pub fn solve(&self, b: &mut [f64]) {
        let n = self.count;
        for k in 0..n {
            b.swap(k, self.pivots[k]);
        }
        for i in 1..n {
            let row = &self.matrix[i * n..i * n + i];
            b[i] -= row.iter().zip(&*b).map(|(a, x)| a * x).sum::<f64>();
        }
        for i in (0..n).rev() {
            let row = &self.matrix[i * n + i..(i + 1) * n];
            let rest: f64 = row[1..].iter().zip(&b[i + 1..]).map(|(a, x)| a * x).sum();
            b[i] = (b[i] - rest) / row[0];
        }
    }
}
