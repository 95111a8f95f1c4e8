//! `resources/shapes.json`: what a viewer draws, in terms of the FMU's variables.
//!
//! ```json
//! { "version": 1, "shapes": [
//!   { "name": "rod1", "type": "cylinder", "frame": "frame_ia", "to": "frame_im", "width": "rod1Diameter",
//!     "color": "rod1Color", "specularCoefficient": "specularCoefficient" } ] }
//! ```
//!
//! All values but `name` and `type` are names in the FMU. A frame `F` has its position `F.r_0[3]` in
//! the world and its orientation as `F.R.T[3,3]` (from the world to the frame), `F.Q[4]` (scalar
//! last) or `F.phi[3]` (about x, y', z''). A shape with `to` lies between the origins of two frames, a
//! sphere in the middle of them; otherwise its middle is at the origin of `frame` and it is `length`
//! long along `direction[3]`, resolved in the frame. `width` is the diameter of a cylinder or sphere;
//! a shape with `if` is drawn where that variable is positive;
//! a box has its `width` along `widthDirection[3]` and a `height`. `color[3]` is red, green, blue from
//! 0 to 255. World gravity is along -y.

use fmu_runtime::description::{Shape, ShapeKind};
use serde_json::{Map, Value, json};

/// Where it is in the archive.
pub const ENTRY: &str = "resources/shapes.json";

/// The document.
pub fn json(shapes: &[Shape]) -> String {
    let shapes: Vec<Value> = shapes.iter().map(shape).collect();
    format!("{:#}\n", json!({ "version": 1, "shapes": shapes }))
}

fn shape(shape: &Shape) -> Value {
    let kind = match shape.kind {
        ShapeKind::Cylinder => "cylinder",
        ShapeKind::Sphere => "sphere",
        ShapeKind::Box => "box",
    };
    let entries = [
        ("name", Some(&*shape.name)),
        ("type", Some(kind)),
        ("frame", Some(&*shape.frame)),
        ("to", shape.to.as_deref()),
        ("direction", shape.direction.as_deref()),
        ("length", shape.length.as_deref()),
        ("width", Some(&*shape.width)),
        ("widthDirection", shape.width_direction.as_deref()),
        ("height", shape.height.as_deref()),
        ("if", shape.condition.as_deref()),
        ("color", Some(&*shape.color)),
        ("specularCoefficient", Some(&*shape.specular_coefficient)),
    ];
    let given = entries.into_iter().filter_map(|(key, value)| Some((key.to_owned(), Value::from(value?))));
    Value::Object(given.collect::<Map<_, _>>())
}

/// The shapes of a document; the error says what is wrong with it.
pub fn read(text: &str) -> Result<Vec<Shape>, String> {
    let document: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    if document["version"] != 1 {
        return Err(format!("version is {}, but only 1 is known", document["version"]));
    }
    let shapes = document["shapes"].as_array().ok_or("there is no list of shapes")?;
    shapes.iter().map(parse).collect()
}

fn parse(value: &Value) -> Result<Shape, String> {
    let optional = |key: &str| value[key].as_str().map(|text| text.to_owned().into());
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

    #[test]
    fn shapes_are_read_back() {
        let shapes = vec![
            Shape::sphere("mass", "frame_a", ["d", "c"]).to("frame_b").only_if("m"),
            Shape::axis("pin", "frame_a", ["n", "l", "d", "c"]),
            Shape::slide("slide", ["frame_a", "frame_b"], ["n", "w", "h", "c"]),
        ];
        assert_eq!(read(&json(&shapes)).unwrap(), shapes);
        assert!(json(&shapes).contains("\"widthDirection\": \"n\""));
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
