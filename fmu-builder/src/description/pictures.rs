//! Diagrams of the tables and curves of an FMU.
//!
//! The library samples its curves itself; here they are only drawn. Texts stay texts, so that the drawing is small and the
//! same on every computer.

use fmu_exchange::Picture;

/// Draws the diagrams below each other as an SVG document, if there are any and programs are to draw.
#[cfg(not(feature = "drawing"))]
pub fn svg(_: &[Picture]) -> Option<String> {
    None
}

#[cfg(feature = "drawing")]
pub use drawn::svg;

#[cfg(feature = "drawing")]
mod drawn {
    use std::fmt::Display;
    use std::ops::Range;

    use fmu_exchange::Curve;
    use plotters::coord::Shift;
    use plotters::prelude::*;
    use plotters::style::text_anchor::{HPos, Pos, VPos};

    use super::super::svg::Svg;
    use super::Picture;
    use crate::text::number::number;

    /// Width and height of a diagram in pixels.
    const SIZE: (u32, u32) = (720, 340);

    /// Positions are integers, in fractions of a pixel.
    const PARTS: u32 = 5;

    /// Largest number of points of a curve that are drawn as dots.
    const MAX_DOTS: usize = 160;

    /// Colours that colour-blind people can tell apart, by Okabe and Ito.
    const COLOURS: [RGBColor; 4] =
        [RGBColor(0, 114, 178), RGBColor(213, 94, 0), RGBColor(0, 158, 115), RGBColor(204, 121, 167)];

    type Area<'a> = DrawingArea<Svg<'a>, Shift>;
    type Drawn = Result<(), Box<dyn std::error::Error>>;

    /// Draws the diagrams below each other as an SVG document, if there are any and programs are to draw.
    pub fn svg(pictures: &[Picture]) -> Option<String> {
        let (width, height) = (SIZE.0, SIZE.1 * pictures.len() as u32);
        let mut text = String::new();
        if pictures.is_empty() || draw(pictures, (width * PARTS, height * PARTS), &mut text).is_err() {
            return None;
        }
        let inside = text.find("viewBox")?;
        Some(format!("<svg width=\"{width}\" height=\"{height}\" role=\"img\" {}", &text[inside..]))
    }

    fn draw(pictures: &[Picture], size: (u32, u32), text: &mut String) -> Drawn {
        let root = Svg(SVGBackend::with_string(text, size)).into_drawing_area();
        root.fill(&WHITE)?;
        for (picture, area) in pictures.iter().zip(root.split_evenly((pictures.len(), 1))) {
            diagram(picture, &area)?;
        }
        Ok(root.present()?)
    }

    fn diagram(picture: &Picture, area: &Area<'_>) -> Drawn {
        let drawn = |curve: &Curve| curve.line.iter().chain(&curve.points).copied().collect::<Vec<_>>();
        let all: Vec<_> = picture.curves.iter().flat_map(drawn).filter(is_drawable).collect();
        let x = range(all.iter().map(|point| point[0]), 0.0);
        let y = range(all.iter().map(|point| point[1]), 0.06);
        let mut chart = ChartBuilder::on(area)
            .caption(&picture.title, font(15))
            .margin(10 * PARTS)
            .x_label_area_size(42 * PARTS)
            .y_label_area_size(78 * PARTS)
            .build_cartesian_2d(x.clone(), y.clone())?;
        chart
            .configure_mesh()
            .x_desc(axis(&picture.argument))
            .y_desc(axis(&picture.value))
            .x_labels(9)
            .y_labels(7)
            .x_label_formatter(&|value| label(*value, &x))
            .y_label_formatter(&|value| label(*value, &y))
            .label_style(font(12))
            .axis_desc_style(font(13))
            .light_line_style(TRANSPARENT)
            .bold_line_style(RGBColor(217, 217, 217).stroke_width(PARTS))
            .axis_style(BLACK.stroke_width(PARTS))
            .set_all_tick_mark_size(4 * PARTS)
            .draw()?;
        for (curve, colour) in picture.curves.iter().zip(COLOURS.into_iter().cycle()) {
            let style = |colour: RGBAColor, width: u32| colour.stroke_width(width * PARTS / 2);
            let [before, inside, after] = parts(curve);
            for beyond in [before, after] {
                chart.draw_series(LineSeries::new(coordinates(beyond), style(colour.mix(0.45), 2)))?;
            }
            chart.draw_series(LineSeries::new(coordinates(inside), style(colour.to_rgba(), 3)))?;
            if curve.points.len() <= MAX_DOTS {
                let dot = |point| Circle::new(point, 2 * PARTS + PARTS / 2, colour.filled());
                chart.draw_series(coordinates(&curve.points).map(dot))?;
            }
        }
        if picture.curves.len() > 1 {
            legend(&picture.curves, &chart.plotting_area().strip_coord_spec())?;
        }
        Ok(())
    }

    /// Draws names of curves beside samples of their lines, at the top: the legend of `plotters` is as wide as its fonts
    /// say, for which it would ask a browser in WebAssembly.
    fn legend(curves: &[Curve], area: &Area<'_>) -> Drawn {
        let parts = PARTS as i32;
        let [margin, sample, row] = [6, 22, 17].map(|length| length * parts);
        let style = font(13).color(&BLACK).pos(Pos::new(HPos::Left, VPos::Center));
        let widths = curves.iter().map(|curve| area.estimate_text_size(&curve.name, &style).map(|size| size.0));
        let text = widths.collect::<Result<Vec<_>, _>>()?.into_iter().max().unwrap_or_default() as i32;
        let left = (area.dim_in_pixel().0 as i32 - text - sample) / 2;
        let corners =
            [(left - margin, margin), (left + sample + text + margin, 2 * margin + row * curves.len() as i32)];
        area.draw(&Rectangle::new(corners, WHITE.mix(0.8).filled()))?;
        for (at, (curve, colour)) in (0..).zip(curves.iter().zip(COLOURS.into_iter().cycle())) {
            let y = margin + row * at + row / 2 + margin / 2;
            area.draw(&PathElement::new([(left, y), (left + sample - margin, y)], colour.stroke_width(3 * PARTS / 2)))?;
            area.draw(&Text::new(curve.name.as_ref(), (left + sample, y), style.clone()))?;
        }
        Ok(())
    }

    fn font(size: u32) -> FontDesc<'static> {
        ("sans-serif", size * PARTS).into_font()
    }

    /// Splits a line into its parts before, between and after the points.
    fn parts(curve: &Curve) -> [&[[f64; 2]]; 3] {
        let (Some([first, _]), Some([last, _])) = (curve.points.first(), curve.points.last()) else {
            return Default::default();
        };
        let line = &curve.line;
        let begin = line.partition_point(|[argument, _]| argument < first);
        let end = line.partition_point(|[argument, _]| argument <= last).max(begin);
        [&line[..(begin + 1).min(line.len())], &line[begin..end], &line[end.saturating_sub(1)..]]
    }

    /// Returns the points of a line without those that a neighbour's straight line covers.
    fn coordinates(points: &[[f64; 2]]) -> impl Iterator<Item = (f64, f64)> {
        let drawable: Vec<_> = points.iter().filter(|point| is_drawable(point)).map(|[x, y]| (*x, *y)).collect();
        let kept = |at: usize| {
            let (Some(before), Some(after)) = (at.checked_sub(1), drawable.get(at + 1)) else { return true };
            let ((x0, y0), (x, y), (x1, y1)) = (drawable[before], drawable[at], *after);
            let straight = y0 + (y1 - y0) * ((x - x0) / (x1 - x0));
            (straight - y).abs() > 1e-9 * (y0.abs() + y1.abs())
        };
        let kept: Vec<_> = (0..drawable.len()).filter(|at| kept(*at)).map(|at| drawable[at]).collect();
        kept.into_iter()
    }

    /// Returns true if a point can be drawn: differences of larger numbers overflow.
    fn is_drawable(point: &[f64; 2]) -> bool {
        point.iter().all(|coordinate| coordinate.abs() < 1e300)
    }

    /// Returns the range of all values with a margin on both sides, which is never empty.
    fn range(values: impl Iterator<Item = f64>, margin: f64) -> Range<f64> {
        let (low, high) =
            values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), one| (low.min(one), high.max(one)));
        let size = low.abs().max(high.abs());
        match high - low {
            width if width > 1e-9 * size => low - margin * width..high + margin * width,
            _ if size > 0.0 && size.is_finite() => low - 0.1 * size..high + 0.1 * size,
            _ => -1.0..1.0,
        }
    }

    fn axis([quantity, unit]: &[impl Display; 2]) -> String {
        match unit.to_string().as_str() {
            "1" => quantity.to_string(),
            unit => format!("{quantity} [{unit}]"),
        }
    }

    /// Returns a number beside an axis of a range, without the rounding error of a multiple of a step.
    fn label(value: f64, range: &Range<f64>) -> String {
        let is_zero = value.abs() < 1e-9 * (range.end - range.start);
        number(if is_zero { 0.0 } else { format!("{value:.9e}").parse().unwrap_or(value) })
    }
}

#[cfg(all(test, feature = "drawing"))]
mod tests {
    use fmu_exchange::Curve;

    use super::*;

    fn picture(points: Vec<[f64; 2]>, value: &dyn Fn(f64) -> f64) -> Picture {
        Picture {
            title: "Stiffness <along> x".into(),
            argument: ["Displacement".into(), "m".into()],
            value: ["Coefficient".into(), "1".into()],
            curves: vec![Curve::of("x", points.clone(), f64::NEG_INFINITY, value), Curve::of("y", points, 0.0, value)],
        }
    }

    #[test]
    fn a_diagram_names_axes_and_curves_and_has_its_points() {
        let parabola = picture(vec![[-1.0, 1.0], [0.0, 0.0], [2.0, 4.0]], &|x| x * x);
        let drawing = svg(&[parabola.clone(), parabola]).unwrap();
        assert!(drawing.starts_with("<svg width=\"720\" height=\"680\" role=\"img\" viewBox=\"0 0 3600 3400\""));
        for (text, times) in [
            ("Stiffness &lt;along&gt; x", 2),
            ("Displacement [m]", 2),
            ("\nCoefficient\n", 2),
            ("\nx\n", 2),
            ("<circle", 12),
        ] {
            assert_eq!(drawing.matches(text).count(), times, "{text}");
        }
        assert!(drawing.trim_end().ends_with("</svg>"));
        assert_eq!(svg(&[]), None);
    }

    #[test]
    fn straight_lines_and_many_rows_are_small() {
        let line = svg(&[picture((0..100).map(|row| [f64::from(row), f64::from(row)]).collect(), &|x| x)]).unwrap();
        assert!(line.len() < 25_000, "{}", line.len());
        let rows = (0..5000).map(|row| [f64::from(row), 0.0]).collect();
        let noise = svg(&[picture(rows, &|x| (1e5 * x).sin())]).unwrap();
        assert!(!noise.contains("<circle") && noise.len() < 25_000, "{}", noise.len());
    }

    #[test]
    fn whatever_the_numbers_there_is_a_diagram() {
        for (points, value) in [
            (vec![[0.0, 0.0]], 0.0),
            (vec![[0.0, 1.7e308], [1.0, -1.7e308]], 1.7e308),
            (vec![[1e-300, 5e6]], 5e6),
            (vec![], 0.0),
        ] {
            assert!(svg(&[picture(points, &|_| value)]).unwrap().contains("</svg>"));
        }
    }
}
