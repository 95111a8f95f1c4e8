//! Frequency responses: absolute values above, phases below.

use anyhow::Result;
use fmu_builder::Destination;
use plotive::des::axis::{Axis, Grid, LogScale, Range, Ticks, ref_id};
use plotive::des::series::{Line, data_inline};
use plotive::des::{Figure, Plot, Series, Subplots};

use super::{figure, ticks};
use crate::linearize::response::{Pair, Response};

const WIDTH: f32 = 1000.0;
const PANEL_HEIGHT: f32 = 220.0;
/// Largest number of curves in a panel, and of pairs of panels.
const MAX_CURVES: usize = 7;
const MAX_PANELS: usize = 3;
/// Smallest part of the largest absolute value that is drawn.
const MIN_DRAWN: f64 = 1e-12;

/// Draws the responses into a file, in the format of its extension: those of one meaning and unit in two panels. Returns
/// the number of responses for which there was no room.
pub fn save(response: &Response, title: &str, file: &Destination) -> Result<usize> {
    let mut groups: Vec<Vec<&Pair>> = Vec::new();
    let mut more = 0;
    for pair in response.pairs.iter().filter(|pair| pair.values.iter().any(|value| value.norm() > 0.0)) {
        let kind = |other: &Pair| (other.quantity, other.unit.clone());
        let has_room = |group: &Vec<&Pair>| kind(group[0]) == kind(pair) && group.len() < MAX_CURVES;
        match groups.iter().position(has_room) {
            Some(group) => groups[group].push(pair),
            None if groups.len() < MAX_PANELS => groups.push(vec![pair]),
            None => more += 1,
        }
    }
    anyhow::ensure!(!groups.is_empty(), "nothing to plot: no output responds to an input");
    let rows = 2 * groups.len();
    let mut subplots = Subplots::new(rows as u32, 1).with_space(8.0);
    for (row, part) in (0..rows).map(|row| (row, row % 2)) {
        let group = &groups[row / 2];
        let curves: Vec<Vec<f64>> = group.iter().map(|pair| curve(pair, part)).collect();
        let largest = curves.iter().flatten().copied().fold(0.0, f64::max);
        let lines =
            group.iter().zip(&curves).map(|(pair, values)| line(response, pair, values, MIN_DRAWN * largest, part));
        let axis = if part == 0 { sizes(group, &curves) } else { phases(group, &curves) };
        let plot = Plot::new(lines.collect())
            .with_x_axis(along(&response.frequencies, row + 1 == rows))
            .with_y_axis(axis.with_grid(Grid::default()))
            .with_insets(None)
            .with_legend(figure::legend());
        subplots = subplots.with_plot((row as u32, 0), plot);
    }
    let height = figure::AROUND + PANEL_HEIGHT * rows as f32;
    let figure = Figure::new(subplots.into()).with_title(title.into()).with_size((WIDTH, height).into());
    super::draw(figure, file)?;
    Ok(more)
}

fn curve(pair: &Pair, part: usize) -> Vec<f64> {
    if part == 0 { pair.values.iter().map(|value| value.norm()).collect() } else { pair.phases() }
}

fn line(response: &Response, pair: &Pair, values: &[f64], floor: f64, part: usize) -> Series {
    let is_shown = |value: f64| ticks::is_drawable(value) && (part == 1 || value > floor);
    let points = response.frequencies.iter().zip(values).filter(|(_, value)| is_shown(**value));
    let (places, values): (Vec<f64>, Vec<f64>) = points.unzip();
    Line::new(data_inline(places), data_inline(values)).with_name(format!("{} to {}", pair.input, pair.output)).into()
}

/// Returns a logarithmic axis of absolute values.
fn sizes(group: &[&Pair], curves: &[Vec<f64>]) -> Axis {
    let largest = curves.iter().flatten().copied().filter(|value| ticks::is_drawable(*value)).fold(0.0, f64::max);
    let least = curves.iter().flatten().copied().filter(|value| *value > MIN_DRAWN * largest).fold(largest, f64::min);
    let range = Range(Some(10_f64.powf(least.log10().floor())), Some(10_f64.powf((largest * 1.01).log10().ceil())));
    let unit = if group[0].unit.is_empty() { String::new() } else { format!(" [{}]", group[0].unit) };
    let title = format!("{}{unit}", group[0].quantity.name());
    Axis::new().with_title(title.into()).with_scale(LogScale::new(10.0, range).into()).with_ticks(Ticks::default())
}

fn phases(group: &[&Pair], curves: &[Vec<f64>]) -> Axis {
    let (scale, places) = ticks::axis(curves.iter().flatten().copied(), (6.0, 0.0), 0.06);
    let title = format!("{} [deg]", group[0].phase_name());
    Axis::new().with_title(title.into()).with_scale(scale).with_ticks(places)
}

fn along(frequencies: &[f64], last: bool) -> Axis {
    let axis = Axis::new().with_grid(Grid::default());
    if !last {
        return axis.with_scale(ref_id("frequency").into()).with_ticks(Ticks::default());
    }
    let scale = LogScale::new(10.0, Range(frequencies.first().copied(), frequencies.last().copied()));
    axis.with_id("frequency").with_title("frequency [Hz]".into()).with_scale(scale.into()).with_ticks(Ticks::default())
}
