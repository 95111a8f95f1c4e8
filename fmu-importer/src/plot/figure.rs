//! The figure's design.

use plotive::color::Rgba8;
use plotive::des::axis::{Axis, Grid, Ticks, ref_id};
use plotive::des::plot::{LegendPos, PlotLegend};
use plotive::des::series::{Interpolation, Line, data_inline};
use plotive::des::{Figure, Plot, Subplots};
use plotive::style::series::Palette;
use plotive::style::theme::{Theme, ThemePalette};
use plotive::{Style, color};

use super::{Panel, curve, ticks};
use crate::Trajectory;

const WIDTH: f32 = 1000.0;
const PANEL_HEIGHT: f32 = 170.0;
/// Height of title, time axis and padding.
pub const AROUND: f32 = 130.0;
/// Number of points of all curves together, which bounds the size of the file.
const POINTS: usize = 16_000;
/// Width of a panel in pixels.
const SLOTS: usize = 720;

/// Puts the panels on top of each other, over one time axis below the last.
pub fn figure(trajectory: &Trajectory, title: &str, panels: &[Panel]) -> Figure {
    let curves: usize = panels.iter().map(|panel| panel.columns.len()).sum();
    let slots = (POINTS / 2 / curves).min(SLOTS);
    let mut subplots = Subplots::new(panels.len() as u32, 1).with_space(8.0);
    for (row, panel) in panels.iter().enumerate() {
        let lines = (panel.columns.iter()).filter_map(|column| line(trajectory, *column, slots)).map(Into::into);
        let plot = Plot::new(lines.collect())
            .with_x_axis(time_axis(&trajectory.time, row + 1 == panels.len()))
            .with_y_axis(value_axis(trajectory, panel))
            .with_insets(None);
        let plot = match panel.alone() {
            Some(_) => plot,
            None => plot.with_legend(legend()),
        };
        subplots = subplots.with_plot((row as u32, 0), plot);
    }
    let height = AROUND + PANEL_HEIGHT * panels.len() as f32;
    Figure::new(subplots.into()).with_title(title.into()).with_size((WIDTH, height).into())
}

/// Returns a style with Okabe and Ito's colours, which colour-blind people can tell apart, the darker ones first.
pub fn style() -> Style {
    let colours =
        [b"#0072b2", b"#d55e00", b"#009e73", b"#cc79a7", b"#e69f00", b"#56b4e9", b"#000000", b"#8c564b", b"#999999"];
    let theme = ThemePalette {
        foreground: Rgba8::from_hex(b"#222222"),
        grid: Rgba8::from_hex(b"#d9d9d9"),
        legend_border: color::WHITE,
        ..ThemePalette::LIGHT
    };
    let palette = Palette::Custom(colours.map(|colour| Rgba8::from_hex(colour)).to_vec());
    Style::new(Theme::Custom(theme), palette)
}

/// Returns the curve of a column, if it has one.
fn line(trajectory: &Trajectory, column: usize, slots: usize) -> Option<Line> {
    let (time, values) = curve::thin(&trajectory.time, &trajectory.columns[column], slots);
    if time.len() < 2 {
        return None;
    }
    let line = Line::new(data_inline(time), data_inline(values)).with_name(trajectory.names[column].as_str());
    Some(match trajectory.discrete[column] {
        true => line.with_interpolation(Interpolation::StepLate),
        false => line,
    })
}

fn time_axis(time: &[f64], last: bool) -> Axis {
    let (scale, ticks) = ticks::axis(time.iter().copied(), (10.0, 0.0), 0.0);
    let axis = Axis::new().with_grid(Grid::default());
    match last {
        true => axis.with_id("time").with_title("time [s]".into()).with_scale(scale).with_ticks(ticks),
        false => axis.with_scale(ref_id("time").into()).with_ticks(Ticks::default()),
    }
}

fn value_axis(trajectory: &Trajectory, panel: &Panel) -> Axis {
    let values = panel.columns.iter().flat_map(|column| trajectory.columns[*column].iter().copied());
    let least = if panel.discrete { 1.0 } else { 0.0 };
    let (scale, ticks) = ticks::axis(values, (7.0, least), 0.06);
    Axis::new()
        .with_title(panel_title(trajectory, panel).into())
        .with_scale(scale)
        .with_ticks(ticks)
        .with_grid(Grid::default())
}

/// Returns the name and the unit; a name that is also in the legend only if it fits along the axis.
fn panel_title(trajectory: &Trajectory, panel: &Panel) -> String {
    let unit = panel.unit.as_ref().map(|unit| format!("[{unit}]"));
    let name = match (panel.alone(), &panel.name) {
        (Some(column), _) => trajectory.names[column].as_str(),
        (None, Some(name)) if name.len() < 15 => name,
        _ => "",
    };
    let title = format!("{name} {}", unit.unwrap_or_default());
    title.trim().to_owned()
}

/// Returns a legend beside the panel.
pub fn legend() -> PlotLegend {
    PlotLegend::new(LegendPos::OutRight).with_spacing((16.0, 6.0).into())
}
