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
            let bend = c0[i] + theta * (c1[i] + theta * c2[i]);
            x[i] = begin[i] + theta * (self.end[i] - begin[i] + (1.0 - theta) * bend);
        }
    }
}
