//! Points of COLLADA files (.dae).
//!
//! Source: the specification of COLLADA 1.4.1, on asset, geometry, source, node and its transformations.

use std::collections::BTreeMap;

use nalgebra::{Matrix4, Point3, Rotation3, Unit, Vector3};
use roxmltree::{Document, Node, ParsingOptions};

/// Returns the points of all geometries, where the scene has them, in m and with z upwards.
pub fn points(content: &[u8]) -> Result<Vec<Vector3<f64>>, String> {
    let text = String::from_utf8_lossy(content);
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let document = Document::parse_with_options(&text, options).map_err(|error| error.to_string())?;
    let root = document.root_element();
    let named = |name: &'static str| document.descendants().filter(move |node| node.has_tag_name_of(name));
    let of_geometry = |node: Node<'_, '_>| Some((node.attribute("id")?.to_owned(), corners(node)));
    let geometries: BTreeMap<_, _> = named("geometry").filter_map(of_geometry).collect();
    let mut points = Vec::new();
    for instance in named("instance_geometry") {
        let url = instance.attribute("url").unwrap_or_default().trim_start_matches('#');
        let transforms = instance.ancestors().filter(|node| node.has_tag_name_of("node")).map(transform);
        // Those of outer nodes act last.
        let whole = transforms.fold(Matrix4::identity(), |inner, outer| outer * inner);
        let of_instance = geometries.get(url).into_iter().flatten();
        points.extend(of_instance.map(|point| whole.transform_point(&Point3::from(*point)).coords));
    }
    let asset = |name: &'static str| {
        let asset = root.children().find(|node| node.has_tag_name_of("asset"))?;
        asset.children().find(|node| node.has_tag_name_of(name))
    };
    let meter = asset("unit").and_then(|unit| unit.attribute("meter")?.parse().ok()).unwrap_or(1.0);
    let upwards = asset("up_axis").and_then(|axis| axis.text()).unwrap_or("Y_UP").trim().to_owned();
    let turned = |p: Vector3<f64>| match upwards.as_str() {
        "X_UP" => Vector3::new(-p.y, p.x, p.z),
        "Y_UP" => Vector3::new(p.x, -p.z, p.y),
        _ => p,
    };
    Ok(points.into_iter().map(|point| turned(point) * meter).collect())
}

/// Names of elements, whatever their namespace is.
trait Named {
    fn has_tag_name_of(&self, name: &str) -> bool;
}

impl Named for Node<'_, '_> {
    fn has_tag_name_of(&self, name: &str) -> bool {
        self.is_element() && self.tag_name().name() == name
    }
}

fn numbers(node: Node<'_, '_>) -> Vec<f64> {
    node.text().unwrap_or_default().split_whitespace().filter_map(|word| word.parse().ok()).collect()
}

/// Returns the corners of a geometry: the source of its input POSITION.
fn corners(geometry: Node<'_, '_>) -> Vec<Vector3<f64>> {
    let inside = |name: &'static str| geometry.descendants().filter(move |node| node.has_tag_name_of(name));
    let position = inside("input").find(|input| input.attribute("semantic") == Some("POSITION"));
    let wanted = position.and_then(|input| input.attribute("source")).unwrap_or_default().trim_start_matches('#');
    let Some(source) = inside("source").find(|source| source.attribute("id") == Some(wanted)) else {
        return Vec::new();
    };
    let array = source.descendants().find(|node| node.has_tag_name_of("float_array"));
    let stride = source.descendants().find_map(|node| node.attribute("stride")?.parse().ok()).unwrap_or(3).max(3);
    let values = array.map(numbers).unwrap_or_default();
    values.chunks_exact(stride).map(|corner| Vector3::new(corner[0], corner[1], corner[2])).collect()
}

/// Returns the transformation of a node, whose first element acts last.
fn transform(node: Node<'_, '_>) -> Matrix4<f64> {
    node.children().filter(Node::is_element).fold(Matrix4::identity(), |whole, element| {
        let one = match (element.tag_name().name(), &numbers(element)[..]) {
            ("matrix", rows) if rows.len() == 16 => Matrix4::from_row_slice(rows),
            ("translate", &[x, y, z]) => Matrix4::new_translation(&Vector3::new(x, y, z)),
            ("scale", &[x, y, z]) => Matrix4::new_nonuniform_scaling(&Vector3::new(x, y, z)),
            ("rotate", &[x, y, z, angle]) => {
                let axis = Unit::try_new(Vector3::new(x, y, z), 0.0);
                axis.map_or_else(Matrix4::identity, |axis| {
                    Rotation3::from_axis_angle(&axis, angle.to_radians()).to_homogeneous()
                })
            }
            _ => Matrix4::identity(),
        };
        whole * one
    })
}
