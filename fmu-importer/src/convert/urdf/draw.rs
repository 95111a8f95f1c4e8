//! Shapes of links.

use std::collections::BTreeSet;

use nalgebra::Vector3;

use super::mesh::{Packages, bounding_box};
use super::names::Names;
use super::robot::Link;
use super::text::Text;
use super::visual::{Color, Form, Visual};
use super::xml::Origin;

/// Writes the shapes of links, and remembers what is not drawn as it is.
#[derive(Debug)]
pub struct Draw<'a> {
    packages: &'a Packages,
    boxes: usize,
    left_out: Vec<(String, String)>,
}

/// A shape as a part has it.
struct Shape {
    kind: &'static str,
    /// Where it is, with its axes along length and width.
    origin: Origin,
    middle: Vector3<f64>,
    along: Vector3<f64>,
    across: Vector3<f64>,
    sizes: [f64; 3],
}

impl<'a> Draw<'a> {
    /// Makes one that finds meshes there.
    pub fn new(packages: &'a Packages) -> Self {
        Self { packages, boxes: 0, left_out: Vec::new() }
    }

    /// Writes the shapes of a link, whose frame is this connector.
    pub fn link(&mut self, text: &mut Text, names: &mut Names, link: &Link, frame: &str) {
        for visual in &link.visuals {
            let Some(shape) = self.shape(visual) else { continue };
            let name = names.take(&format!("{}_shape", link.name), "");
            text.part(&name, "FixedShape");
            if shape.kind != "box" {
                text.word("shapeType", shape.kind);
            }
            let along = shape.origin.turned(&shape.along);
            let begin = shape.origin.xyz + shape.origin.turned(&shape.middle) - along * (shape.sizes[0] / 2.0);
            for (key, value, default) in [
                ("r_shape", begin, Vector3::zeros()),
                ("lengthDirection", along, Vector3::x()),
                ("widthDirection", shape.origin.turned(&shape.across), Vector3::y()),
            ] {
                let value = value.map(rounded);
                if value != default && (key != "widthDirection" || shape.kind == "box") {
                    text.vector(key, &value);
                }
            }
            let keys: &[&str] = match shape.kind {
                "box" => &["length", "width", "height"],
                "cylinder" => &["length", "width"],
                _ => &["length"],
            };
            keys.iter().zip(shape.sizes).for_each(|(key, size)| text.number(key, rounded(size)));
            if let Some(Color([red, green, blue])) = visual.color {
                text.key("color", format_args!("[{red}, {green}, {blue}]"));
            }
            text.word("frame_a", frame);
        }
    }

    /// Returns the shape that is drawn, if there is one.
    fn shape(&mut self, visual: &Visual) -> Option<Shape> {
        let (x, y, z) = (Vector3::x(), Vector3::y(), Vector3::z());
        let shape = |kind, middle, along, across, sizes| {
            Some(Shape { kind, origin: visual.origin, middle, along, across, sizes })
        };
        match &visual.form {
            Form::Box(size) => shape("box", Vector3::zeros(), x, y, (*size).into()),
            Form::Cylinder([radius, length]) => shape("cylinder", Vector3::zeros(), z, y, [*length, 2.0 * radius, 0.0]),
            Form::Sphere(radius) => shape("sphere", Vector3::zeros(), x, y, [2.0 * radius, 0.0, 0.0]),
            Form::Mesh(file, scale) => {
                let found = self.packages.find(file).ok_or_else(|| "not found".to_owned());
                match found.and_then(|path| bounding_box(&path)) {
                    Ok(corners) => {
                        let [one, other] = corners.map(|corner| corner.component_mul(scale));
                        self.boxes += 1;
                        shape("box", (one + other) / 2.0, x, y, (other - one).abs().into())
                    }
                    Err(why) => {
                        self.left_out.push((file.clone(), why));
                        None
                    }
                }
            }
            Form::Other(name) => {
                self.left_out.push((format!("<{name}>"), "no box, cylinder, sphere or mesh".to_owned()));
                None
            }
        }
    }

    /// Returns notes on what is not drawn as it is.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.boxes > 0 {
            notes.push(format!("{} meshes are drawn as their bounding boxes", self.boxes));
        }
        let reasons: BTreeSet<_> = self.left_out.iter().map(|(_, why)| why).collect();
        for why in reasons {
            let files: BTreeSet<_> =
                self.left_out.iter().filter(|(_, other)| other == why).map(|(file, _)| file).collect();
            let first = files.first().map_or("", |file| file.as_str());
            let others = if files.len() > 1 { format!(" and {} others", files.len() - 1) } else { String::new() };
            let packages = why == "not found" && first.starts_with("package://");
            let hint = if packages { "; --package NAME=FOLDER says where a package is" } else { "" };
            notes.push(format!("{first}{others}: {why}, so it is not drawn{hint}"));
        }
        notes
    }
}

/// Returns a number to nine decimals, which are enough to look at.
fn rounded(value: f64) -> f64 {
    (value * 1e9).round() / 1e9
}
