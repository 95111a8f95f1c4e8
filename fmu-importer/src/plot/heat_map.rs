//! Heat maps: results over two parameters as colours.

use anyhow::{Result, ensure};
use fmu_builder::Destination;
use plotive::des::axis::Axis;
use plotive::des::colorbar::{ColorBar, Pos};
use plotive::des::series::{Area, Scatter, data_inline};
use plotive::des::{Figure, Plot, Series, Subplots};
use plotive::style::series::{Fill, Marker};

use super::{colours, family, figure, ticks};

const WIDTH: f32 = 900.0;
const PANEL_HEIGHT: f32 = 380.0;

/// Panels on top of each other.
pub struct HeatMap {
    /// Title above all panels.
    pub title: String,
    /// Parameters along and up: their names with units, and their values in any order.
    pub axes: [(String, Vec<f64>); 2],
    /// For each panel its title, and for each value along those for the values up; what is not finite stays empty.
    pub panels: Vec<(String, Vec<Vec<f64>>)>,
}

/// Draws a heat map into a file, in the format of its extension.
pub fn save(map: &HeatMap, file: &Destination) -> Result<()> {
    let mut values = map.panels.iter().flat_map(|(_, columns)| columns).flatten();
    ensure!(values.any(|value| ticks::is_drawable(*value)), "nothing to plot: no run has results");
    let [along, up] = [0, 1].map(|axis| Places::new(&map.axes[axis].1));
    let rows = map.panels.len();
    let mut subplots = Subplots::new(rows as u32, 1).with_space(8.0);
    for (row, (title, columns)) in map.panels.iter().enumerate() {
        let axis =
            |at: usize, places: &Places| places.axis(if at == 0 && row + 1 < rows { "" } else { &map.axes[at].0 });
        let plot = Plot::new(cells(columns, &along, &up))
            .with_x_axis(axis(0, &along))
            .with_y_axis(axis(1, &up))
            .with_insets(None)
            .with_colorbar(ColorBar::new(Pos::Right).with_title(title.as_str().into()));
        subplots = subplots.with_plot((row as u32, 0), plot);
    }
    let height = figure::AROUND + PANEL_HEIGHT * rows as f32;
    let figure = Figure::new(subplots.into()).with_title(map.title.as_str().into()).with_size((WIDTH, height).into());
    super::draw(figure, file)
}

/// Returns a rectangle for each cell, and two points in the colours of the ends, after which the colour bar is made.
fn cells(columns: &[Vec<f64>], along: &Places, up: &Places) -> Vec<Series> {
    let drawable = columns.iter().flatten().copied().filter(|value| ticks::is_drawable(*value));
    let (min, max) =
        drawable.fold((f64::INFINITY, f64::NEG_INFINITY), |(min, max), value| (min.min(value), max.max(value)));
    let (min, max) = if min > max { (0.0, 1.0) } else { ticks::widened(min, max) };
    let mut series = Vec::new();
    for (column, values) in columns.iter().enumerate() {
        for (row, value) in values.iter().enumerate().filter(|(_, value)| ticks::is_drawable(**value)) {
            let ([left, right], [low, high]) = (along.edges[column], up.edges[row]);
            let colour = colours::at((value - min) / (max - min));
            let area = Area::new(data_inline(vec![left, right]), data_inline(vec![high; 2]), low.into());
            series.push(area.with_fill(Fill::Solid { color: colour.into(), opacity: None }).into());
        }
    }
    let (x, y) = (along.edges[0][0], up.edges[0][0]);
    let ends = Scatter::new(data_inline(vec![x; 2]), data_inline(vec![y; 2]))
        .with_marker(Marker::default().with_size(0.01))
        .with_colors(data_inline(vec![min, max]), colours::map().into());
    series.push(ends.into());
    series
}

/// The places of the cells along an axis.
struct Places {
    /// The ends of each cell, in the order of the values: half-way to the next one.
    edges: Vec<[f64; 2]>,
    range: (f64, f64),
    is_logarithmic: bool,
}

impl Places {
    fn new(values: &[f64]) -> Self {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        sorted.dedup();
        let is_logarithmic = family::ratio(&sorted).is_some();
        let to = |value: f64| if is_logarithmic { value.ln() } else { value };
        let back = |place: f64| if is_logarithmic { place.exp() } else { place };
        let places: Vec<f64> = sorted.iter().map(|value| to(*value)).collect();
        let last = places.len() - 1;
        // The outer cells reach as far to the outside; a single one has a width of its own size.
        let half =
            |a: usize, b: usize| if last == 0 { 0.5 * places[0].abs().max(1.0) } else { 0.5 * (places[b] - places[a]) };
        let ends = |at: usize| {
            let low = places[at] - if at == 0 { half(0, last.min(1)) } else { half(at - 1, at) };
            let high = places[at] + if at == last { half(last.max(1) - 1, last) } else { half(at, at + 1) };
            [back(low), back(high)]
        };
        let place = |value: &f64| sorted.iter().position(|other| other == value).unwrap_or_default();
        let edges = values.iter().map(|value| ends(place(value))).collect();
        Self { edges, range: (ends(0)[0], ends(last)[1]), is_logarithmic }
    }

    fn axis(&self, title: &str) -> Axis {
        let (low, high) = self.range;
        let (scale, ticks) = match self.is_logarithmic {
            true => ticks::logarithmic(low, high),
            false => ticks::axis([low, high].into_iter(), (8.0, 0.0), 0.0),
        };
        Axis::new().with_title(title.into()).with_scale(scale).with_ticks(ticks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_meet_half_way() {
        let places = Places::new(&[1.0, 4.0, 2.0]);
        assert!(places.is_logarithmic);
        let root = 2.0_f64.sqrt();
        for ([low, high], value) in places.edges.iter().zip([1.0, 4.0, 2.0]) {
            assert!((low * root - value).abs() < 1e-12 && (high / root - value).abs() < 1e-12, "{low} to {high}");
        }
        assert_eq!(Places::new(&[1.0, 2.0, 4.5]).edges, [[0.5, 1.5], [1.5, 3.25], [3.25, 5.75]]);
        assert_eq!(Places::new(&[10.0]).edges, [[5.0, 15.0]]);
    }
}
