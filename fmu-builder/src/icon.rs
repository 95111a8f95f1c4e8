//! `model.png`: the component's icon, drawn.

use fmu_runtime::description::Description;
use png::{ColorType, Compression, Encoder, Filter};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

use crate::Error;

const WIDTH: u32 = 80;

/// Draws the icon as a PNG of 80 pixels width.
pub fn icon(description: &Description) -> Result<Vec<u8>, Error> {
    let fail = |reason: String| Error::Icon { component: description.component.clone(), reason };
    let tree = Tree::from_str(&description.icon, &Options::default()).map_err(|error| fail(error.to_string()))?;
    let scale = WIDTH as f32 / tree.size().width();
    let height = (tree.size().height() * scale).round() as u32;
    if !(1..=4 * WIDTH).contains(&height) {
        return Err(fail(format!("{WIDTH} pixels wide it would be {height} high")));
    }
    let mut pixmap = Pixmap::new(WIDTH, height).ok_or_else(|| fail("it has no area".to_owned()))?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixmap.as_mut());
    let mut png = Vec::new();
    let mut encoder = Encoder::new(&mut png, WIDTH, height);
    encoder.set_color(ColorType::Rgba);
    encoder.set_compression(Compression::High);
    // Drawings, unlike photographs, are smaller as they are.
    encoder.set_filter(Filter::NoFilter);
    let written = encoder.write_header().and_then(|mut writer| writer.write_image_data(&pixmap.take_demultiplied()));
    written.map_err(|error| fail(error.to_string()))?;
    Ok(png)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::description;

    #[test]
    fn the_icon_is_a_png_of_80_pixels() {
        let png = icon(&description()).unwrap();
        assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"));
        assert_eq!(png[16..24], [0, 0, 0, 80, 0, 0, 0, 40]);
        assert_eq!(png, icon(&description()).unwrap());
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
