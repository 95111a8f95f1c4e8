//! Families of curves: results over a parameter, a curve for each value of another.

use anyhow::{Result, ensure};
use fmu_builder::Destination;
use plotive::color::Rgba8;
use plotive::des::axis::{Axis, Grid, Ticks, ref_id};
use plotive::des::series::{Line, data_inline};
use plotive::des::{Figure, Plot, Subplots};
use plotive::style::series::{Marker, Stroke};

use super::{colours, figure, ticks};

/// Largest number of curves with colours that are told apart one by one; more of them have an order of colours.
const MAX_DISTINCT_CURVES: usize = 7;
/// Lines of a legend beside a panel.
const LINES: usize = 8;
const WIDTH: f32 = 1000.0;
const PANEL_HEIGHT: f32 = 200.0;

/// Panels on top of each other, over one axis.
pub struct Family {
    /// Title above all panels.
    pub title: String,
    /// Name of the parameter along the axis, with its unit.
    pub along: String,
    /// Positions of the points along the axis.
    pub places: Vec<f64>,
    /// The names of the curves, the same in all panels; none if there is one curve.
    pub names: Vec<String>,
    /// For each panel its title, and the values of each curve; values that are not finite are left out.
    pub panels: Vec<(String, Vec<Vec<f64>>)>,
}

/// Draws a family into a file, in the format of its extension.
pub fn save(family: &Family, file: &Destination) -> Result<()> {
    let is_curve = |values: &Vec<f64>| values.iter().filter(|value| ticks::is_drawable(**value)).count() > 1;
    ensure!(
        family.panels.iter().flat_map(|(_, curves)| curves).any(is_curve),
        "nothing to plot: fewer than two runs of a curve have results"
    );
    let rows = family.panels.len();
    let mut subplots = Subplots::new(rows as u32, 1).with_space(8.0);
    for (row, (title, curves)) in family.panels.iter().enumerate() {
        let lines = curves.iter().enumerate().filter_map(|(at, values)| {
            let points = family.places.iter().zip(values).filter(|(_, value)| ticks::is_drawable(**value));
            let (places, values): (Vec<f64>, Vec<f64>) = points.unzip();
            if places.len() < 2 {
                return None;
            }
            let line = Line::new(data_inline(places), data_inline(values));
            let line = match colour(family, at) {
                Some(colour) => line.with_marker(colour.into()).with_stroke(Stroke::solid(colour.into())),
                None => line.with_marker(Marker::default()),
            };
            Some(match family.names.get(at) {
                Some(name) => line.with_name(name.as_str()).into(),
                None => line.into(),
            })
        });
        let (scale, ticks) = ticks::axis(curves.iter().flatten().copied(), (5.0, 0.0), 0.06);
        let values = Axis::new().with_title(title.as_str().into()).with_scale(scale).with_ticks(ticks);
        let plot = Plot::new(lines.collect())
            .with_x_axis(along(family, row + 1 == rows))
            .with_y_axis(values.with_grid(Grid::default()))
            .with_insets(None);
        let columns = family.names.len().div_ceil(LINES);
        let plot = match columns {
            0 => plot,
            _ => plot.with_legend(figure::legend().with_columns(columns as u32)),
        };
        subplots = subplots.with_plot((row as u32, 0), plot);
    }
    let height = figure::AROUND + PANEL_HEIGHT * rows as f32;
    let figure =
        Figure::new(subplots.into()).with_title(family.title.as_str().into()).with_size((WIDTH, height).into());
    super::draw(figure, file)
}

/// Returns the colour of one of many curves.
fn colour(family: &Family, curve: usize) -> Option<Rgba8> {
    let last = family.names.len().saturating_sub(1);
    (last >= MAX_DISTINCT_CURVES).then(|| colours::at(curve as f64 / last as f64))
}

fn along(family: &Family, last: bool) -> Axis {
    let (scale, ticks) = match ratio(&family.places).map(|ratio| ratio.powf(0.2)) {
        Some(margin) => ticks::logarithmic(family.places[0] / margin, family.places[family.places.len() - 1] * margin),
        None => ticks::axis(family.places.iter().copied(), (8.0, 0.0), 0.03),
    };
    let axis = Axis::new().with_grid(Grid::default());
    match last {
        true => axis.with_id("along").with_title(family.along.as_str().into()).with_scale(scale).with_ticks(ticks),
        false => axis.with_scale(ref_id("along").into()).with_ticks(Ticks::default()),
    }
}

/// Returns the ratio of places of which each is the same multiple of the one before.
pub fn ratio(places: &[f64]) -> Option<f64> {
    let [first, second, _, ..] = places else { return None };
    let ratio = second / first;
    let even = places.windows(2).all(|pair| (pair[1] / pair[0] / ratio - 1.0).abs() < 1e-6);
    (*first > 0.0 && even && ratio >= 1.1).then_some(ratio)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_point_makes_no_picture() {
        let folder = tempfile::tempdir().unwrap();
        let file = Destination::new(&folder.path().join("plot.svg")).unwrap();
        let family = |values: Vec<f64>| Family {
            title: "Clutch".to_owned(),
            along: "J_a [kg.m2]".to_owned(),
            places: vec![1.0, 2.0, 3.0],
            names: Vec::new(),
            panels: vec![("max(w)".to_owned(), vec![values])],
        };
        let message = save(&family(vec![f64::NAN, 5.0, f64::NAN]), &file).unwrap_err().to_string();
        assert_eq!(message, "nothing to plot: fewer than two runs of a curve have results");
        save(&family(vec![1.0, f64::NAN, 2.0]), &file).unwrap();
    }

    #[test]
    fn even_ratios_make_a_logarithmic_axis() {
        assert!(ratio(&[1.0, 10.0, 100.0]).is_some());
        for places in [&[1.0, 2.0][..], &[1.0, 2.0, 3.0], &[-1.0, -10.0, -100.0], &[5.0, 5.0, 5.0]] {
            assert!(ratio(places).is_none(), "{places:?}");
        }
    }
}
