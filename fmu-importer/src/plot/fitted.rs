//! Measured outputs over time or frequency, with the curves before and after a fit, and the deviations that are left.

use anyhow::Result;
use fmu_builder::Destination;
use plotive::des::axis::{Axis, Grid, Ticks, ref_id};
use plotive::des::series::{Line, Scatter, data_inline};
use plotive::des::{Figure, Plot, Series, Subplots};
use plotive::style::series::{Color, IndexColor, Marker};

use super::{curve, figure, ticks};

const WIDTH: f32 = 1000.0;
const CURVES_HEIGHT: f32 = 220.0;
/// Largest number of outputs that are drawn.
const MAX_OUTPUTS: usize = 6;
/// Number of points of a curve, in half.
const SLOTS: usize = 500;
/// Number of measured points that are drawn.
const POINTS: usize = 120;

/// An output of an experiment.
pub struct Output<'a> {
    /// Name of the output, with its experiment if there are several.
    pub name: String,
    /// Its unit.
    pub unit: Option<&'a str>,
    /// Quantity along which it was measured, with its unit.
    pub along: &'a str,
    /// Places of the rows along it.
    pub places: &'a [f64],
    /// Measured values; NaN where there is none.
    pub measured: &'a [f64],
    /// Values with the start values of the parameters.
    pub before: &'a [f64],
    /// Values with the parameters that were found.
    pub after: &'a [f64],
}

/// Draws two panels for each output into a file, in the format of its extension; returns the number of outputs for which there
/// was no room.
pub fn save(outputs: &[Output<'_>], title: &str, file: &Destination) -> Result<usize> {
    let drawn = &outputs[..outputs.len().min(MAX_OUTPUTS)];
    let rows = 2 * drawn.len();
    let mut subplots = Subplots::new(rows as u32, 1).with_space(8.0);
    for (row, output) in (0..rows).map(|row| (row, &drawn[row / 2])) {
        let is_last_of_output = row % 2 == 1;
        let plot = Plot::new(if is_last_of_output { deviations(output) } else { curves(output) })
            .with_x_axis(along(output, row, is_last_of_output))
            .with_y_axis(values(output, is_last_of_output))
            .with_insets(None)
            .with_legend(figure::legend());
        subplots = subplots.with_plot((row as u32, 0), plot);
    }
    let height = figure::AROUND + CURVES_HEIGHT * rows as f32;
    let figure = Figure::new(subplots.into()).with_title(title.into()).with_size((WIDTH, height).into());
    super::draw(figure, file)?;
    Ok(outputs.len() - drawn.len())
}

fn known<'a>(output: &'a Output<'_>, of: impl Fn(usize) -> f64 + 'a) -> (Vec<f64>, Vec<f64>) {
    let rows: Vec<usize> = (0..output.places.len()).filter(|row| !output.measured[*row].is_nan()).collect();
    let every = rows.len().div_ceil(POINTS).max(1);
    rows.into_iter().step_by(every).map(|row| (output.places[row], of(row))).unzip()
}

fn curves(output: &Output<'_>) -> Vec<Series> {
    let (times, values) = known(output, |row| output.measured[row]);
    let marker = Marker::new_with_color(Color::Index(IndexColor(2)));
    let points = Scatter::new(data_inline(times), data_inline(values)).with_name("measured").with_marker(marker);
    let line = |name: &str, values: &[f64], colour: usize| -> Series {
        let (times, values) = curve::thin(output.places, values, SLOTS);
        let line = Line::new(data_inline(times), data_inline(values)).with_name(name);
        line.with_stroke(Color::Index(IndexColor(colour)).into()).into()
    };
    vec![points.into(), line("before", output.before, 8), line("after", output.after, 0)]
}

fn deviations(output: &Output<'_>) -> Vec<Series> {
    let (times, values) = known(output, |row| output.after[row] - output.measured[row]);
    let marker = Marker::new_with_color(Color::Index(IndexColor(1)));
    vec![Scatter::new(data_inline(times), data_inline(values)).with_name("deviation").with_marker(marker).into()]
}

fn along(output: &Output<'_>, row: usize, last: bool) -> Axis {
    let (scale, ticks) = ticks::axis(output.places.iter().copied(), (10.0, 0.0), 0.0);
    let axis = Axis::new().with_grid(Grid::default());
    let id = format!("time {}", row / 2);
    match last {
        true => axis.with_id(&id).with_title(output.along.into()).with_scale(scale).with_ticks(ticks),
        false => axis.with_scale(ref_id(&id).into()).with_ticks(Ticks::default()),
    }
}

fn values(output: &Output<'_>, of_deviations: bool) -> Axis {
    let rows = (0..output.places.len()).filter(|row| !output.measured[*row].is_nan());
    let all: Vec<f64> = match of_deviations {
        true => rows.map(|row| output.after[row] - output.measured[row]).collect(),
        false => rows.flat_map(|row| [output.measured[row], output.before[row], output.after[row]]).collect(),
    };
    let (scale, ticks) = ticks::axis(all.into_iter(), (5.0, 0.0), 0.08);
    let unit = output.unit.map(|unit| format!(" [{unit}]")).unwrap_or_default();
    let name = if of_deviations { "deviation" } else { output.name.as_str() };
    let title = format!("{name}{unit}");
    Axis::new().with_title(title.as_str().into()).with_scale(scale).with_ticks(ticks).with_grid(Grid::default())
}
