//! Values of the outputs of all experiments, as vectors.

/// Values of the outputs of each experiment at the times or frequencies of its rows.
pub type Computed = Vec<Vec<Vec<f64>>>;

/// Adds a multiple of values to others.
pub fn add(values: &mut Computed, others: &Computed, factor: f64) {
    let pairs = values.iter_mut().flatten().flatten().zip(others.iter().flatten().flatten());
    pairs.for_each(|(value, other)| *value += factor * other);
}

/// Multiplies values by a factor.
pub fn scale(values: &mut Computed, factor: f64) {
    values.iter_mut().flatten().flatten().for_each(|value| *value *= factor);
}

/// Returns the square root of the sum of squares.
pub fn norm(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().map(|value| value * value).sum::<f64>().sqrt()
}
