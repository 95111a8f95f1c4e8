//! The component's icon, drawn: `model.png`, and the same for FMI 3's folder of icons.

use fmu_runtime::description::Description;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

use crate::Error;

/// Width of `model.png` in pixels.
const WIDTH: u32 = 80;

/// A drawing in pixels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Icon {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// The file.
    pub png: Vec<u8>,
}

/// Draws the icon with a width of 80 pixels.
///
/// # Errors
///
/// When the component's icon is no SVG document, or too high.
pub fn icon(description: &Description) -> Result<Icon, Error> {
    draw(description, WIDTH)
}

/// Draws the icon with any width.
pub(crate) fn draw(description: &Description, width: u32) -> Result<Icon, Error> {
    let fail = |reason: String| Error::Icon { component: description.component.clone(), reason };
    let tree = Tree::from_str(&description.icon, &Options::default()).map_err(|error| fail(error.to_string()))?;
    let scale = width as f32 / tree.size().width();
    let height = (tree.size().height() * scale).round() as u32;
    if !(1..=4 * width).contains(&height) {
        return Err(fail(format!("{width} pixels wide it would be {height} high")));
    }
    let mut pixmap = Pixmap::new(width, height).ok_or_else(|| fail("it has no area".to_owned()))?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixmap.as_mut());
    let png = encode(pixmap).map_err(|error| fail(error.to_string()))?;
    Ok(Icon { width, height, png })
}

/// Drawings with few colours are smallest without a filter.
fn encode(pixmap: Pixmap) -> Result<Vec<u8>, png::EncodingError> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, pixmap.width(), pixmap.height());
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    encoder.set_filter(png::Filter::NoFilter);
    encoder.write_header()?.write_image_data(&pixmap.take_demultiplied())?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::description;

    #[test]
    fn the_icon_is_a_png_of_80_pixels() {
        let icon = icon(&description()).unwrap();
        assert!(icon.png.starts_with(b"\x89PNG\r\n\x1a\n"));
        assert_eq!(icon.png[16..24], [0, 0, 0, 80, 0, 0, 0, 40]);
        assert_eq!((icon.width, icon.height), (80, 40));
        assert_eq!(icon, super::icon(&description()).unwrap());
    }

    #[test]
    fn the_pixels_are_those_of_the_drawing() {
        let drawn = Pixmap::decode_png(&icon(&description()).unwrap().png).unwrap();
        let colour = |x, y| {
            let pixel = drawn.pixel(x, y).unwrap().demultiply();
            (pixel.red(), pixel.green(), pixel.blue(), pixel.alpha())
        };
        assert_eq!(colour(40, 20), (0x11, 0x22, 0x33, 255));
        assert_eq!(colour(40, 5).3, 0);
    }

    #[test]
    fn no_drawing_is_refused() {
        let mut broken = description();
        broken.icon = "<svg".to_owned();
        assert!(icon(&broken).unwrap_err().to_string().starts_with("icon of Spring: "));
        broken.icon = "<svg xmlns='http://www.w3.org/2000/svg' width='1' height='100'/>".to_owned();
        assert_eq!(icon(&broken).unwrap_err().to_string(), "icon of Spring: 80 pixels wide it would be 8000 high");
    }
}
