//! Errors over costs, both in logarithmic scales.

use anyhow::Result;
use fmu_builder::Destination;
use plotive::des::axis::{Axis, Grid, LogScale, Range, Ticks, ref_id};
use plotive::des::series::{Line, data_inline};
use plotive::des::{Figure, Plot, Subplots};
use plotive::style::series::Marker;

use super::figure;

const WIDTH: f32 = 1000.0;
const PANEL_HEIGHT: f32 = 280.0;
/// Error at which results without any error are drawn: below rounding.
const NO_ERROR: f64 = 1e-16;

/// A curve: its name and its points, cost and error.
pub type Curve = (String, Vec<[f64; 2]>);

/// Panels on top of each other, over one axis of costs.
pub struct Cost {
    /// Title above all panels.
    pub title: String,
    /// Name of the cost, with its unit.
    pub along: String,
    /// For each panel its title, and its curves, the same in all panels.
    pub panels: Vec<(String, Vec<Curve>)>,
}

/// Draws errors over costs into a file, in the format of its extension.
pub fn save(cost: &Cost, file: &Destination) -> Result<()> {
    let rows = cost.panels.len();
    let mut subplots = Subplots::new(rows as u32, 1).with_space(8.0);
    let costs = cost.panels.iter().flat_map(|(_, curves)| curves).flat_map(|(_, points)| points).map(|point| point[0]);
    let along = decades(costs);
    for (row, (title, curves)) in cost.panels.iter().enumerate() {
        let lines = curves.iter().map(|(name, points)| {
            let (costs, errors): (Vec<_>, Vec<_>) =
                points.iter().map(|[cost, error]| (*cost, error.max(NO_ERROR))).unzip();
            let line = Line::new(data_inline(costs), data_inline(errors)).with_marker(Marker::default());
            line.with_name(name.as_str()).into()
        });
        let errors = curves.iter().flat_map(|(_, points)| points).map(|point| point[1].max(NO_ERROR));
        let axis = Axis::new().with_grid(Grid::default());
        let below = match row + 1 == rows {
            true => axis
                .with_id("along")
                .with_title(cost.along.as_str().into())
                .with_scale(along.into())
                .with_ticks(Ticks::default()),
            false => axis.with_scale(ref_id("along").into()).with_ticks(Ticks::default()),
        };
        let beside = Axis::new()
            .with_title(title.as_str().into())
            .with_scale(decades(errors).into())
            .with_ticks(Ticks::default())
            .with_grid(Grid::default());
        let plot = Plot::new(lines.collect()).with_x_axis(below).with_y_axis(beside).with_insets(None);
        subplots = subplots.with_plot((row as u32, 0), plot.with_legend(figure::legend()));
    }
    let height = figure::AROUND + PANEL_HEIGHT * rows as f32;
    let figure = Figure::new(subplots.into()).with_title(cost.title.as_str().into()).with_size((WIDTH, height).into());
    super::draw(figure, file)
}

/// Returns a scale of whole powers of ten around all values.
fn decades(values: impl Iterator<Item = f64>) -> LogScale {
    let (least, most) = values
        .map(f64::log10)
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), value| (least.min(value), most.max(value)));
    LogScale::new(10.0, Range(Some(10_f64.powf(least.floor())), Some(10_f64.powf(most.ceil()))))
}
