//! The SVG backend of `plotters`, in which texts have the same size on every computer.

use plotters::prelude::SVGBackend;
use plotters_backend::{BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind};

/// Writes SVG, and estimates texts as `plotters` does without fonts: in WebAssembly it would ask a browser.
pub struct Svg<'a>(pub SVGBackend<'a>);

type Problem<'a> = <SVGBackend<'a> as DrawingBackend>::ErrorType;
type Drawn<'a, T = ()> = Result<T, DrawingErrorKind<Problem<'a>>>;

impl<'a> DrawingBackend for Svg<'a> {
    type ErrorType = Problem<'a>;

    fn estimate_text_size<S: BackendTextStyle>(&self, text: &str, style: &S) -> Drawn<'a, (u32, u32)> {
        let em = style.size() / 1.24 / 1.24;
        Ok(((em * 0.7 * text.len() as f64).round() as u32, (em.round() + (em * 0.24).round()) as u32))
    }

    fn get_size(&self) -> (u32, u32) {
        self.0.get_size()
    }

    fn ensure_prepared(&mut self) -> Drawn<'a> {
        self.0.ensure_prepared()
    }

    fn present(&mut self) -> Drawn<'a> {
        self.0.present()
    }

    fn draw_pixel(&mut self, point: BackendCoord, color: BackendColor) -> Drawn<'a> {
        self.0.draw_pixel(point, color)
    }

    fn draw_line<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, style: &S) -> Drawn<'a> {
        self.0.draw_line(from, to, style)
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        upper_left: BackendCoord,
        bottom_right: BackendCoord,
        style: &S,
        fill: bool,
    ) -> Drawn<'a> {
        self.0.draw_rect(upper_left, bottom_right, style, fill)
    }

    fn draw_path<S: BackendStyle, Points: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: Points,
        style: &S,
    ) -> Drawn<'a> {
        self.0.draw_path(path, style)
    }

    fn draw_circle<S: BackendStyle>(&mut self, center: BackendCoord, extent: u32, style: &S, fill: bool) -> Drawn<'a> {
        self.0.draw_circle(center, extent, style, fill)
    }

    fn fill_polygon<S: BackendStyle, Points: IntoIterator<Item = BackendCoord>>(
        &mut self,
        corners: Points,
        style: &S,
    ) -> Drawn<'a> {
        self.0.fill_polygon(corners, style)
    }

    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, at: BackendCoord) -> Drawn<'a> {
        self.0.draw_text(text, style, at)
    }
}
