//! The component's icon, rendered as `model.png` and for the icon folder of FMI 3.

use std::collections::BTreeMap;

#[cfg(feature = "drawing")]
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use crate::description::Description;
#[cfg(feature = "drawing")]
use resvg::tiny_skia::{Pixmap, Transform};
#[cfg(feature = "drawing")]
use resvg::usvg::{Options, Tree};

use crate::error::Error;

/// Width of `model.png` in pixels.
const WIDTH: u32 = 80;

/// A drawing in pixels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Icon {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Content of the PNG file.
    pub png: Vec<u8>,
}

/// Draws the icon with a width of 80 pixels.
///
/// # Errors
///
/// When the component's icon is not an SVG document, or too high.
pub fn icon(description: &Description) -> Result<Icon, Error> {
    draw(description, WIDTH)
}

/// Cache of drawings: all FMUs of a component have the same icon.
static DRAWN: Mutex<BTreeMap<(String, u32), Icon>> = Mutex::new(BTreeMap::new());

/// Draws the icon with any width, once for each width.
pub(crate) fn draw(description: &Description, width: u32) -> Result<Icon, Error> {
    let fail = |reason: String| Error::Icon { component: description.component.clone(), reason };
    // The lock is held while drawing, so that no other thread draws the same.
    let mut drawn = DRAWN.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (description.icon.clone(), width);
    if let Some(icon) = drawn.get(&key) {
        return Ok(icon.clone());
    }
    let icon = draw_anew(&description.icon, width).map_err(fail)?;
    Ok(drawn.entry(key).or_insert(icon).clone())
}

#[cfg(not(feature = "drawing"))]
fn draw_anew(_: &str, _: u32) -> Result<Icon, String> {
    Err("it cannot be drawn by a program without the feature \"drawing\"".to_owned())
}

#[cfg(feature = "drawing")]
fn draw_anew(svg: &str, width: u32) -> Result<Icon, String> {
    let tree = Tree::from_str(svg, &Options::default()).map_err(|error| error.to_string())?;
    let scale = width as f32 / tree.size().width();
    let height = (tree.size().height() * scale).round() as u32;
    if !(1..=4 * width).contains(&height) {
        return Err(format!("{width} pixels wide it would be {height} high"));
    }
    let mut pixmap = Pixmap::new(width, height).ok_or("it has no area")?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixmap.as_mut());
    let png = encode(pixmap).map_err(|error| error.to_string())?;
    Ok(Icon { width, height, png })
}

/// Encodes a drawing: with few colours it is smallest without a filter, and with a palette if that suffices.
#[cfg(feature = "drawing")]
fn encode(pixmap: Pixmap) -> Result<Vec<u8>, png::EncodingError> {
    let (width, height) = (pixmap.width(), pixmap.height());
    let pixels = pixmap.take_demultiplied();
    let pixels = pixels.as_chunks::<4>().0;
    // Translucent colours come first, since only they need an opacity.
    let colours: BTreeSet<[u8; 4]> = pixels.iter().map(|[r, g, b, a]| [*a, *r, *g, *b]).collect();
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    encoder.set_filter(png::Filter::NoFilter);
    if colours.len() > 256 {
        encoder.set_color(png::ColorType::Rgba);
        encoder.write_header()?.write_image_data(pixels.as_flattened())?;
        return Ok(bytes);
    }
    let numbers: BTreeMap<[u8; 4], u8> = colours.iter().copied().zip(0..=255).collect();
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_palette(colours.iter().flat_map(|colour| colour[1..].to_vec()).collect::<Vec<u8>>());
    encoder.set_trns(colours.iter().map(|colour| colour[0]).filter(|opacity| *opacity < 255).collect::<Vec<u8>>());
    let indices: Vec<u8> = pixels.iter().map(|[r, g, b, a]| numbers[&[*a, *r, *g, *b]]).collect();
    encoder.write_header()?.write_image_data(&indices)?;
    Ok(bytes)
}

#[cfg(all(test, feature = "drawing"))]
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
    fn the_pixels_are_those_of_the_drawing_with_few_and_with_many_colours() {
        let mut drawing = description();
        for many in [false, true] {
            if many {
                drawing.icon = drawing.icon.replace(
                    "<path",
                    "<linearGradient id='g'><stop stop-color='#f00'/><stop offset='1' stop-color='#00f' \
                     stop-opacity='.1'/></linearGradient><path d='M0 0h20v9z' fill='url(#g)'/><path",
                );
            }
            let tree = Tree::from_str(&drawing.icon, &Options::default()).unwrap();
            let mut expected = Pixmap::new(800, 400).unwrap();
            resvg::render(&tree, Transform::from_scale(40.0, 40.0), &mut expected.as_mut());
            let png = draw(&drawing, 800).unwrap().png;
            assert_eq!(png[25], if many { 6 } else { 3 }, "colour type");
            assert!(Pixmap::decode_png(&png).unwrap() == expected);
        }
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
