//! Responses to harmonic inputs, and dynamic stiffness.

use std::f64::consts::TAU;
use std::io::{self, Write};
use std::iter;

use anyhow::{Result, ensure};
use nalgebra::Complex;
use nalgebra::linalg::balancing::balance_parlett_reinsch;

use super::modes::{ModeKind, Modes};
use super::spectrum::Triangle;
use super::{Channel, Linearization};
use crate::simulate::trajectory::number;

/// Frequencies in Hz without a mode that says better.
const DEFAULT: (f64, f64) = (0.1, 1000.0);
/// Largest number of responses.
const MAX_PAIRS: usize = 64;

/// Responses from each input to each output.
pub struct Response {
    /// The frequencies in Hz, ascending.
    pub frequencies: Vec<f64>,
    /// The responses, by inputs and then by outputs.
    pub pairs: Vec<Pair>,
}

/// A response from an input to an output.
pub struct Pair {
    /// Name of the input.
    pub input: String,
    /// Name of the output.
    pub output: String,
    /// Meaning of the values.
    pub quantity: Quantity,
    /// Unit of the absolute values; empty if it is not known.
    pub unit: String,
    /// A complex value for each frequency.
    pub values: Vec<Complex<f64>>,
}

/// Meaning of a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Output over input.
    Transfer,
    /// Load over displacement, whose phase is the loss angle.
    DynamicStiffness,
}

impl Quantity {
    /// Returns the name of the absolute values.
    pub fn name(self) -> &'static str {
        match self {
            Self::Transfer => "magnitude",
            Self::DynamicStiffness => "dynamic stiffness",
        }
    }
}

impl Pair {
    /// Returns the name of the phase.
    pub fn phase_name(&self) -> &'static str {
        match self.quantity {
            Quantity::Transfer => "phase",
            Quantity::DynamicStiffness => "loss angle",
        }
    }

    /// Returns the phases in degrees, without jumps.
    pub fn phases(&self) -> Vec<f64> {
        let mut turns = 0.0;
        let mut last: Option<f64> = None;
        let phase = |value: &Complex<f64>| {
            let phase = value.arg();
            if let Some(before) = last {
                turns -= ((phase - before) / TAU).round();
            }
            last = Some(phase);
            (phase + turns * TAU).to_degrees()
        };
        self.values.iter().map(phase).collect()
    }
}

/// Returns frequencies on a logarithmic scale, by default around the modes.
pub fn frequencies(modes: &Modes, from: Option<f64>, to: Option<f64>, points: usize) -> Result<Vec<f64>> {
    for (option, value) in [("--from", from), ("--to", to)] {
        if let Some(value) = value {
            ensure!(value.is_finite() && value > 0.0, "{option} must be a positive frequency in Hz, not {value}");
        }
    }
    let rates = || modes.modes.iter().filter(|mode| mode.eigenvalue.norm() > 0.0);
    let slowest = rates().map(|mode| mode.eigenvalue.norm() / TAU).fold(f64::INFINITY, f64::min);
    let oscillations = || rates().filter(|mode| mode.kind == ModeKind::Oscillation);
    let fastest = oscillations().map(|mode| mode.eigenvalue.norm() / TAU).fold(0.0, f64::max);
    let fastest = if fastest > 0.0 { fastest } else { slowest };
    let known = slowest.is_finite();
    let low = from.unwrap_or(if known { decade(0.1 * slowest) } else { DEFAULT.0 });
    let high = to.unwrap_or(if known { decade(10.0 * fastest) } else { DEFAULT.1 });
    let high = if to.is_none() && high <= low { 1e3 * low } else { high };
    ensure!(low < high, "the response would end at {high} Hz, before it begins at {low} Hz: --from must be below --to");
    let ratio = (high / low).ln();
    let inner = (1..points - 1).map(|at| low * (ratio * at as f64 / (points - 1) as f64).exp());
    Ok(iter::once(low).chain(inner).chain([high]).collect())
}

/// Rounds to the nearest of 1, 2 and 5 times a power of ten.
fn decade(value: f64) -> f64 {
    let power = 10_f64.powf(value.log10().floor());
    let away = |factor: &f64| (factor * power / value).ln().abs();
    let factor = [1.0, 2.0, 5.0, 10.0].into_iter().min_by(|one, other| away(one).total_cmp(&away(other)));
    factor.unwrap_or(1.0) * power
}

impl Response {
    /// Computes the responses at frequencies in Hz.
    pub fn of(system: &Linearization, frequencies: Vec<f64>) -> Result<Self> {
        let drives = drives(system);
        let count = drives.len() * system.outputs.len();
        ensure!(count > 0, "there is no frequency response without an input and an output");
        ensure!(
            count <= MAX_PAIRS,
            "{} inputs and {} outputs make {count} frequency responses, more than {MAX_PAIRS}: choose with --inputs and \
             --outputs",
            drives.len(),
            system.outputs.len()
        );
        // In balanced states, rounding is as small as it can be: A = S balanced S^-1.
        let (mut balanced, mut b, mut c) = (system.a.clone(), system.b.clone(), system.c.clone());
        let scale = balance_parlett_reinsch(&mut balanced);
        for (state, factor) in scale.iter().enumerate() {
            b.row_mut(state).scale_mut(1.0 / factor);
            c.column_mut(state).scale_mut(*factor);
        }
        let triangle = Triangle::of(&balanced)?;
        let [b, c, d] = [&b, &c, &system.d].map(|matrix| matrix.map(Complex::from));
        let mut values = vec![Vec::with_capacity(frequencies.len()); count];
        for frequency in &frequencies {
            let s = Complex::new(0.0, TAU * frequency);
            let all = &c * triangle.solve(s, &b) + &d;
            for (at, drive) in drives.iter().enumerate() {
                for output in 0..system.outputs.len() {
                    let value: Complex<f64> =
                        drive.columns.iter().map(|(column, order)| all[(output, *column)] * s.powu(*order)).sum();
                    values[at * system.outputs.len() + output].push(value);
                }
            }
        }
        let pairs = drives.iter().flat_map(|drive| system.outputs.iter().map(move |output| (drive, output)));
        let pairs =
            pairs.zip(values).map(|((drive, output), values)| pair(&system.inputs[drive.input], output, values));
        Ok(Self { frequencies, pairs: pairs.collect() })
    }

    /// Writes a table with the frequencies, whose heading is given, and two columns for each response.
    ///
    /// # Errors
    ///
    /// Those of `writer`.
    pub fn write_csv(&self, heading: &str, writer: impl Write) -> io::Result<()> {
        let mut writer = csv::Writer::from_writer(writer);
        let columns = self.pairs.iter().flat_map(|pair| {
            let (between, unit) = (format!("{} to {}", pair.input, pair.output), &pair.unit);
            let unit = if unit.is_empty() { String::new() } else { format!(" [{unit}]") };
            [format!("{} {between}{unit}", pair.quantity.name()), format!("{} {between} [deg]", pair.phase_name())]
        });
        writer.write_record(iter::once(heading.to_owned()).chain(columns))?;
        let phases: Vec<Vec<f64>> = self.pairs.iter().map(Pair::phases).collect();
        for (row, frequency) in self.frequencies.iter().enumerate() {
            let values =
                self.pairs.iter().zip(&phases).flat_map(|(pair, phases)| [pair.values[row].norm(), phases[row]]);
            writer.write_record(iter::once(*frequency).chain(values).map(number))?;
        }
        writer.flush()
    }
}

/// An input, with the inputs that are its time derivatives.
struct Drive {
    input: usize,
    /// The column of each, with its order.
    columns: Vec<(usize, u32)>,
}

/// Returns the inputs that move by themselves, each with its derivatives.
fn drives(system: &Linearization) -> Vec<Drive> {
    let of = |input: usize| system.inputs[input].derivative_of.as_deref();
    let position = |name: &str| system.inputs.iter().position(|input| input.name == name);
    let mut drives: Vec<Drive> = Vec::new();
    for input in 0..system.inputs.len() {
        let (mut root, mut order) = (input, 0);
        while let Some(next) = of(root).and_then(position).filter(|_| order < 2) {
            (root, order) = (next, order + 1);
        }
        match drives.iter_mut().find(|drive| drive.input == root) {
            Some(drive) => drive.columns.push((input, order)),
            None => drives.push(Drive { input: root, columns: vec![(input, order)] }),
        }
    }
    drives
}

fn pair(input: &Channel, output: &Channel, values: Vec<Complex<f64>>) -> Pair {
    let units = |over: &Channel, under: &Channel| match (&over.unit, &under.unit) {
        (Some(over), Some(under)) if over == under => "1".to_owned(),
        (Some(over), Some(under)) if under.contains(['.', '/']) => format!("{over}/({under})"),
        (Some(over), Some(under)) if under == "1" => over.clone(),
        (Some(over), Some(under)) => format!("{over}/{under}"),
        _ => String::new(),
    };
    let (is_compliance, is_stiffness) = (stiffness(input, output), stiffness(output, input));
    let (quantity, unit, values) = if is_compliance {
        let values = values.into_iter().map(|value| 1.0 / value).collect();
        (Quantity::DynamicStiffness, units(input, output), values)
    } else if is_stiffness {
        // The load on the part that moves is against its motion.
        let sign = if values.first().is_some_and(|value| value.re < 0.0) { -1.0 } else { 1.0 };
        let values = values.into_iter().map(|value| value * sign).collect();
        (Quantity::DynamicStiffness, units(output, input), values)
    } else {
        (Quantity::Transfer, units(output, input), values)
    };
    Pair { input: input.name.clone(), output: output.name.clone(), quantity, unit, values }
}

/// Returns true if the first is the load for the second, a displacement.
fn stiffness(load: &Channel, displacement: &Channel) -> bool {
    let pair = (load.unit.as_deref(), displacement.unit.as_deref());
    matches!(pair, (Some("N"), Some("m")) | (Some("N.m"), Some("rad" | "deg")))
}
