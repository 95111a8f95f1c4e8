//! Shapes of a link.

use std::collections::BTreeMap;

use nalgebra::Vector3;

use super::xml::{Element, Origin};

/// Red, green and blue from 0 to 255.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Color(pub [u8; 3]);

/// A form, about its origin.
#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    /// Lengths along x, y and z, in m.
    Box(Vector3<f64>),
    /// Radius and length along z, in m.
    Cylinder([f64; 2]),
    /// Radius in m.
    Sphere(f64),
    /// Path of the file, and factors along x, y and z.
    Mesh(String, Vector3<f64>),
    /// A form that is not in the format, by its name.
    Other(String),
}

/// A shape of a link.
#[derive(Clone, Debug)]
pub struct Visual {
    /// Where it is in the frame of the link.
    pub origin: Origin,
    /// Its form.
    pub form: Form,
    /// Its color, if it has one.
    pub color: Option<Color>,
}

impl Color {
    /// Returns the color of a material, if it has one.
    pub fn of(material: Element<'_>) -> Result<Option<Self>, String> {
        let Some((element, text)) = material.first("color").and_then(|color| Some((color, color.attribute("rgba")?)))
        else {
            return Ok(None);
        };
        let parts: Vec<f64> = text.split_whitespace().filter_map(|part| part.parse().ok()).collect();
        match parts[..] {
            [red, green, blue, _] if parts.iter().all(|part| (0.0..=1.0).contains(part)) => {
                Ok(Some(Self([red, green, blue].map(|part| (part * 255.0).round() as u8))))
            }
            _ => Err(element.problem(&format!("rgba = \"{text}\""), "must be four numbers from 0 to 1")),
        }
    }
}

impl Visual {
    /// Reads a shape with the materials of the robot.
    pub fn read(element: Element<'_>, materials: &BTreeMap<&str, Color>) -> Result<Self, String> {
        let geometry = element.first("geometry").and_then(|geometry| geometry.elements().next());
        let form = geometry.ok_or_else(|| {
            element.problem("there is no geometry", "write <geometry> with a box, cylinder, sphere or mesh inside")
        })?;
        let form = match form.name() {
            "box" => {
                form.needed("size")?;
                let size = form.vector("size")?.unwrap_or_default();
                if size.min() < 0.0 {
                    return Err(
                        form.problem(&format!("size = \"{}\"", form.needed("size")?), "lengths must be at least 0 m")
                    );
                }
                Form::Box(size)
            }
            "cylinder" => Form::Cylinder([form.size("radius", "m")?, form.size("length", "m")?]),
            "sphere" => Form::Sphere(form.size("radius", "m")?),
            "mesh" => {
                let scale = form.vector("scale")?.unwrap_or_else(|| Vector3::repeat(1.0));
                Form::Mesh(form.needed("filename")?.to_owned(), scale)
            }
            other => Form::Other(other.to_owned()),
        };
        let color = match element.first("material") {
            Some(material) => match Color::of(material)? {
                None => material.attribute("name").and_then(|name| materials.get(name).copied()),
                own => own,
            },
            None => None,
        };
        Ok(Self { origin: element.origin()?, form, color })
    }
}
