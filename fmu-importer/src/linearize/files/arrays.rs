//! A linear system as named arrays.

use nalgebra::{Complex, DMatrix};

use crate::linearize::{Channel, Linearization};

/// An array of two dimensions, or a list of texts.
pub enum Array {
    /// A matrix.
    Real(DMatrix<f64>),
    /// A complex matrix.
    Complex(DMatrix<Complex<f64>>),
    /// A list of texts.
    Texts(Vec<String>),
}

/// Returns matrices, operating point, names and modes, by names that are allowed in MATLAB.
pub fn arrays(system: &Linearization) -> Vec<(&'static str, Array)> {
    let real = |matrix: &DMatrix<f64>| Array::Real(matrix.clone());
    let names = |channels: &[Channel]| Array::Texts(channels.iter().map(|channel| channel.name.clone()).collect());
    let units = |channels: &[Channel]| {
        Array::Texts(channels.iter().map(|channel| channel.unit.clone().unwrap_or_default()).collect())
    };
    let column = |values: Vec<f64>| Array::Real(DMatrix::from_column_slice(values.len(), 1, &values));
    let values = |channels: &[Channel]| column(channels.iter().map(|channel| channel.value).collect());
    let modes = &system.modes.modes;
    let eigenvalues = DMatrix::from_fn(modes.len(), 1, |mode, _| modes[mode].eigenvalue);
    let shapes = DMatrix::from_fn(system.states.len(), modes.len(), |state, mode| modes[mode].shape[state]);
    let participation =
        DMatrix::from_fn(system.states.len(), modes.len(), |state, mode| modes[mode].participation[state]);
    let discrete = &system.discrete;
    vec![
        ("A", real(&system.a)),
        ("B", real(&system.b)),
        ("C", real(&system.c)),
        ("D", real(&system.d)),
        ("x0", values(&system.states)),
        ("u0", values(&system.inputs)),
        ("y0", values(&system.outputs)),
        ("dx0", column(system.derivatives.clone())),
        ("time", column(vec![system.time])),
        ("x_names", names(&system.states)),
        ("u_names", names(&system.inputs)),
        ("y_names", names(&system.outputs)),
        ("x_units", units(&system.states)),
        ("u_units", units(&system.inputs)),
        ("y_units", units(&system.outputs)),
        ("discrete_names", Array::Texts(discrete.iter().map(|variable| variable.name.clone()).collect())),
        ("discrete_values", column(discrete.iter().map(|variable| variable.value).collect())),
        ("eigenvalues", Array::Complex(eigenvalues)),
        ("mode_kinds", Array::Texts(modes.iter().map(|mode| mode.kind.name().to_owned()).collect())),
        ("mode_frequencies", column(modes.iter().map(|mode| mode.frequency()).collect())),
        ("mode_shapes", Array::Complex(shapes)),
        ("participation", Array::Real(participation)),
        ("model", Array::Texts(vec![system.model.clone()])),
        ("derivatives", Array::Texts(vec![system.origin.clone()])),
    ]
}
