//! `resources/shapes.json`: shapes for viewers, in terms of the FMU's variables.
//!
//! ```json
//! { "version": 1, "shapes": [
//!   { "name": "rod1", "type": "cylinder", "frame": "frame_ia", "to": "frame_im", "width": "rod1Diameter",
//!     "color": "rod1Color", "specularCoefficient": "specularCoefficient" } ] }
//! ```
//!
//! All values but `name` and `type` are names in the FMU. A frame `F` has its position `F.r_0[3]` in
//! the world and its orientation as `F.R.T[3,3]` (from the world to the frame), `F.Q[4]` (scalar
//! last) or `F.phi[3]` (about x, y', z''); without an orientation none is needed. A shape with `to` lies between the
//! origins of two frames, a sphere in the middle of them; otherwise its middle is at the origin of `frame` and it is
//! `length` long along `direction[3]`, resolved in the frame. With `at[3]`, a place resolved in the frame, this is the
//! middle; a cylinder without `direction` lies between the origin and this place. `width` is the diameter of a cylinder or
//! sphere; a shape with `if` is drawn where that variable is positive;
//! a box has its `width` along `widthDirection[3]` and a `height`. `color[3]` is red, green, blue from
//! 0 to 255. World gravity is along -y, or along `n` of the part whose axes are shapes.
//!
//! Shapes of systems have numbers in place of names, as parts have no settings of their looks: `"color": [255, 0, 0]`.
//! Lengths given as numbers are multiples of half the size of the mechanism, which is the largest distance between any two
//! of all `frame`, `to` and `at` at the start (in m if there is none). Only shapes with sizes of their own have the name of a
//! variable as `color`.

use serde_json::{Map, Value, json};

/// Path of the document in the archive.
pub const ENTRY: &str = "resources/shapes.json";

/// A shape with its keys.
pub type Entries = Vec<(String, String)>;

/// The form of a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShapeKind {
    /// A cylinder of the diameter `width`.
    Cylinder,
    /// A sphere of the diameter `width`.
    Sphere,
    /// A box.
    Box,
}

impl ShapeKind {
    /// Returns the name of the form in the document.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cylinder => "cylinder",
            Self::Sphere => "sphere",
            Self::Box => "box",
        }
    }
}

/// A shape as a viewer needs it; the fields are the keys of the file.
#[allow(missing_docs)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    pub name: String,
    pub kind: ShapeKind,
    pub frame: String,
    pub to: Option<String>,
    pub at: Option<String>,
    pub direction: Option<String>,
    pub length: Option<String>,
    pub width: String,
    pub width_direction: Option<String>,
    pub height: Option<String>,
    pub condition: Option<String>,
    pub color: String,
    pub specular_coefficient: String,
}

/// Writes the document.
pub fn json(shapes: &[Entries]) -> String {
    let object = |entries: &Entries| -> Map<String, Value> {
        entries.iter().map(|(key, value)| (key.clone(), entry(value))).collect()
    };
    let shapes: Vec<_> = shapes.iter().map(object).collect();
    format!("{:#}\n", json!({ "version": 1, "shapes": shapes }))
}

/// Returns a name, a number or a vector of numbers as JSON.
fn entry(text: &str) -> Value {
    let number = serde_json::from_str(text).ok().filter(|value: &Value| value.is_number() || value.is_array());
    number.unwrap_or_else(|| Value::from(text))
}

/// Returns the numbers that are given instead of the name of a variable.
pub fn numbers(value: &str) -> Option<Vec<f64>> {
    let number = || serde_json::from_str(value).ok().map(|number| vec![number]);
    serde_json::from_str(value).ok().or_else(number)
}

/// Reads the shapes of a document.
pub fn read(text: &str) -> Result<Vec<Shape>, String> {
    let document: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    if document["version"] != 1 {
        return Err(format!("version is {}, but only 1 is known", document["version"]));
    }
    let shapes = document["shapes"].as_array().ok_or("there is no list of shapes")?;
    shapes.iter().map(parse).collect()
}

fn parse(value: &Value) -> Result<Shape, String> {
    let optional = |key: &str| match &value[key] {
        Value::String(name) => Some(name.clone()),
        Value::Null => None,
        numbers => Some(numbers.to_string()),
    };
    let needed = |key: &str| optional(key).ok_or_else(|| format!("a shape has no {key}: {value}"));
    let kind = match value["type"].as_str() {
        Some("cylinder") => ShapeKind::Cylinder,
        Some("sphere") => ShapeKind::Sphere,
        Some("box") => ShapeKind::Box,
        _ => return Err(format!("type is {}, but must be \"cylinder\", \"sphere\" or \"box\"", value["type"])),
    };
    Ok(Shape {
        name: needed("name")?,
        kind,
        frame: needed("frame")?,
        to: optional("to"),
        at: optional("at"),
        direction: optional("direction"),
        length: optional("length"),
        width: needed("width")?,
        width_direction: optional("widthDirection"),
        height: optional("height"),
        condition: optional("if"),
        color: needed("color")?,
        specular_coefficient: needed("specularCoefficient")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the shapes declared by a component, for the description.
    fn entries(shape: fmu_exchange::Shape<'_>) -> Entries {
        shape.0.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn what_a_component_declares_is_read_back() {
        let shapes = [
            fmu_exchange::Shape::sphere("mass", "frame_a", ["d", "c"]).to("frame_b").only_if("m"),
            fmu_exchange::Shape::axis("pin", "frame_a", ["n", "l", "d", "c"]),
            fmu_exchange::Shape::slide("slide", ["frame_a", "frame_b"], ["n", "w", "h", "c"]),
        ];
        let [mass, pin, slide]: [Shape; 3] = read(&json(&shapes.map(entries))).unwrap().try_into().unwrap();
        assert_eq!(
            (mass.kind, mass.to.as_deref(), mass.condition.as_deref()),
            (ShapeKind::Sphere, Some("frame_b"), Some("m"))
        );
        assert_eq!(
            (pin.kind, pin.direction.as_deref(), pin.length.as_deref()),
            (ShapeKind::Cylinder, Some("n"), Some("l"))
        );
        assert_eq!(
            (slide.kind, slide.width_direction.as_deref(), slide.height.as_deref()),
            (ShapeKind::Box, Some("n"), Some("h"))
        );
        assert_eq!((slide.name.as_str(), slide.width.as_str(), slide.color.as_str()), ("slide", "w", "c"));
    }

    #[test]
    fn what_is_no_such_document_is_told() {
        assert!(read("{").is_err());
        assert_eq!(read("{\"version\": 2}").unwrap_err(), "version is 2, but only 1 is known");
        assert_eq!(read("{\"version\": 1}").unwrap_err(), "there is no list of shapes");
        let shape = |text: &str| read(&format!("{{\"version\": 1, \"shapes\": [{text}]}}")).unwrap_err();
        assert_eq!(shape("{\"type\": \"cone\"}"), "type is \"cone\", but must be \"cylinder\", \"sphere\" or \"box\"");
        assert!(shape("{\"type\": \"box\"}").starts_with("a shape has no name"));
    }
}
