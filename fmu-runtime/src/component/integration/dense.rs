//! Dense output of order 4 over a step.

/// Dense output `x0 + theta (dx + (1 - theta) (c0 + theta (c1 + theta c2)))` with `dx = x1 - x0` and `theta` from 0 to
/// 1.
#[derive(Clone, Debug)]
pub struct Dense {
    /// States at the end of the step.
    pub end: Vec<f64>,
    /// The coefficients `c`.
    pub coefficients: [Vec<f64>; 3],
}

impl Dense {
    pub fn new(count: usize) -> Self {
        Self { end: vec![0.0; count], coefficients: std::array::from_fn(|_| vec![0.0; count]) }
    }

    /// Computes the states at `theta` of a step that began at `begin`.
    pub fn states(&self, begin: &[f64], theta: f64, x: &mut [f64]) {
        let [c0, c1, c2] = &self.coefficients;
        for i in 0..x.len() {
            x[i] = state([begin[i], self.end[i]], [c0[i], c1[i], c2[i]], theta);
        }
    }
}

/// Computes a state at `theta` of a step between two values.
#[inline]
pub fn state([begin, end]: [f64; 2], [c0, c1, c2]: [f64; 3], theta: f64) -> f64 {
    begin + theta * (end - begin + (1.0 - theta) * (c0 + theta * (c1 + theta * c2)))
}
