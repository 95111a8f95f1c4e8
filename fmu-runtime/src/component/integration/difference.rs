//! Derivatives by differences, for systems that have no exact ones.

use crate::component::model_error::ModelError;

/// Point at which a function is differentiated.
#[derive(Clone, Copy, Debug)]
pub struct Point<'a> {
    /// Time in s.
    pub t: f64,
    /// States.
    pub x: &'a [f64],
    /// Nominal values of the states.
    pub nominals: &'a [f64],
    /// Times in s between which the inputs are smooth; the function is not evaluated outside.
    pub span: (f64, f64),
}

/// Sets `result` to the derivative of `values` in the direction `along_t`, in s, and `along_x`.
///
/// # Errors
///
/// Those of `values`, a function of time and states.
pub fn difference(
    point: Point<'_>,
    (along_t, along_x): (f64, &[f64]),
    result: &mut [f64],
    mut values: impl FnMut(f64, &[f64], &mut [f64]) -> Result<(), ModelError>,
) -> Result<(), ModelError> {
    let Point { t, x, nominals, span: (begin, end) } = point;
    // Half of the digits: the error of the difference is as large as that of rounding.
    let part = f64::EPSILON.sqrt();
    let sizes = x.iter().zip(nominals).map(|(x, nominal)| x.abs().max(*nominal));
    // Rates at which the sizes are passed through in the unit of the direction, so that nothing divides by zero.
    let of_time = if along_t == 0.0 { 0.0 } else { along_t.abs() / (end - begin).max(f64::MIN_POSITIVE) };
    let fastest = sizes.zip(along_x).map(|(size, along)| along.abs() / size).fold(of_time, f64::max);
    if !(fastest.is_finite() && fastest > 0.0 && end > begin) {
        result.fill(0.0);
        return Ok(());
    }
    let h = part / fastest;
    let h = if t + h * along_t > end { -h } else { h };
    let near: Vec<_> = x.iter().zip(along_x).map(|(x, along)| x + h * along).collect();
    let mut here = vec![0.0; result.len()];
    values(t, x, &mut here)?;
    values(t + h * along_t, &near, result)?;
    for (result, here) in result.iter_mut().zip(here) {
        *result = (*result - here) / h;
    }
    Ok(())
}
