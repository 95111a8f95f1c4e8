//! Dynamic stiffness and loss angle over frequency, measured and fitted.

use anyhow::Result;
use fmu_builder::Destination;
use plotive::des::axis::{Axis, Grid, LogScale, Range, Ticks, ref_id};
use plotive::des::series::{Line, Scatter, data_inline};
use plotive::des::{Figure, Plot, Series, Subplots};
use plotive::style::series::{Color, IndexColor, Marker};

use super::{figure, ticks};
use crate::fit::{AxisKind, Law, Measured};

const WIDTH: f32 = 1000.0;
const PANEL_HEIGHT: f32 = 220.0;
/// Number of points of a fitted curve.
const POINTS: usize = 200;

/// Measurements and the fitted law, drawn in two panels.
pub struct Fitted<'a> {
    /// Names of the axes.
    pub name: String,
    /// Kind of the axes.
    pub kind: AxisKind,
    /// Measured points.
    pub measured: &'a Measured,
    /// Law of the curves.
    pub law: &'a Law,
}

/// Draws measured points and fitted curves, a colour for each amplitude, into a file, in the format of its extension.
pub fn save(fits: &[Fitted<'_>], title: &str, file: &Destination) -> Result<()> {
    let rows = 2 * fits.len();
    let mut subplots = Subplots::new(rows as u32, 1).with_space(8.0);
    let frequencies = || fits.iter().flat_map(|fit| fit.measured.rows.iter().map(|row| row.frequency));
    let range = [frequencies().fold(f64::INFINITY, f64::min), frequencies().fold(0.0, f64::max)];
    for (position, fit) in fits.iter().enumerate() {
        let stiffness = match fit.kind {
            AxisKind::Translation => ("stiffness [N/mm]", 1e-3),
            AxisKind::Rotation => ("stiffness [N.m/rad]", 1.0),
        };
        for (part, (what, factor)) in [stiffness, ("loss angle [deg]", 1.0_f64.to_degrees())].into_iter().enumerate() {
            let row = 2 * position + part;
            let values = fit.measured.rows.iter().map(|row| [row.stiffness, row.angle][part] * factor);
            let (scale, places) = ticks::axis(values, (6.0, 0.0), 0.1);
            let title = format!("{}: {what}", fit.name);
            let values = Axis::new().with_title(title.as_str().into()).with_scale(scale).with_ticks(places);
            let plot = Plot::new(series(fit, part, factor, range))
                .with_x_axis(along(range, row + 1 == rows))
                .with_y_axis(values.with_grid(Grid::default()))
                .with_insets(None)
                .with_legend(figure::legend());
            subplots = subplots.with_plot((row as u32, 0), plot);
        }
    }
    let height = figure::AROUND + PANEL_HEIGHT * rows as f32;
    let figure = Figure::new(subplots.into()).with_title(title.into()).with_size((WIDTH, height).into());
    super::draw(figure, file)
}

/// Returns points and a curve for each amplitude.
fn series(fit: &Fitted<'_>, part: usize, factor: f64, [low, high]: [f64; 2]) -> Vec<Series> {
    let amplitudes = fit.measured.amplitudes();
    let mut all: Vec<Series> = Vec::new();
    for (position, amplitude) in amplitudes.iter().enumerate() {
        let colour = Color::Index(IndexColor(position));
        let until = amplitudes.get(position + 1).copied().unwrap_or(f64::INFINITY);
        let rows = fit.measured.rows.iter().filter(|row| (*amplitude..until).contains(&row.amplitude));
        let (places, values): (Vec<f64>, Vec<f64>) =
            rows.map(|row| (row.frequency, [row.stiffness, row.angle][part] * factor)).unzip();
        let points = Scatter::new(data_inline(places), data_inline(values));
        all.push(points.with_marker(Marker::new_with_color(colour)).into());
        let places: Vec<f64> =
            (0..POINTS).map(|point| low * (high / low).powf(point as f64 / (POINTS - 1) as f64)).collect();
        let values: Vec<f64> = places.iter().map(|at| fit.law.dynamic(*at, *amplitude)[part] * factor).collect();
        let name = match fit.kind {
            AxisKind::Translation => format!("{} mm", short(1e3 * amplitude)),
            AxisKind::Rotation => format!("{} deg", short(amplitude.to_degrees())),
        };
        let line = Line::new(data_inline(places), data_inline(values)).with_name(name);
        all.push(line.with_stroke(colour.into()).into());
    }
    all
}

fn along([low, high]: [f64; 2], last: bool) -> Axis {
    let axis = Axis::new().with_grid(Grid::default());
    if !last {
        return axis.with_scale(ref_id("frequency").into()).with_ticks(Ticks::default());
    }
    let scale = LogScale::new(10.0, Range(Some(0.9 * low), Some(1.1 * high)));
    axis.with_id("frequency").with_title("frequency [Hz]".into()).with_scale(scale.into()).with_ticks(Ticks::default())
}

/// Returns a value with three digits.
fn short(value: f64) -> f64 {
    format!("{value:.2e}").parse().unwrap_or(value)
}
