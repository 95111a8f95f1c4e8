//! A page that plays the motion, with everything in it.

use serde_json::{Value, json};

use crate::animate::mesh::Mesh;
use crate::animate::picture::{LIGHT, camera};
use crate::animate::{Scene, is_sphere};

/// The page.
pub fn page(scene: &Scene, title: &str) -> String {
    let (middle, radius) = scene.extent();
    let bodies: Vec<Value> = scene
        .bodies
        .iter()
        .map(|body| {
            let mesh = Mesh::of(body.kind);
            let rounded = |value: f64| (value * 1e6 / radius).round() * radius / 1e6;
            let places: Vec<Vec<f64>> = body
                .places
                .iter()
                .map(|axes| axes.iter().flat_map(|axis| axis.iter().map(|value| short(rounded(*value)))).collect())
                .collect();
            json!({
                "sphere": is_sphere(body.kind),
                "color": body.color,
                "vertices": mesh.vertices.iter().map(|vertex| [vertex.x, vertex.y, vertex.z].map(short)).collect::<Vec<_>>(),
                "faces": mesh.faces,
                "places": places,
            })
        })
        .collect();
    let data = json!({
        "time": scene.time,
        "middle": [middle.x, middle.y, middle.z],
        "radius": radius,
        "camera": camera().transpose().as_slice(),
        "light": LIGHT,
        "bodies": bodies,
    });
    // In a script, a text may not end it.
    let data = data.to_string().replace("</", "<\\/");
    let title = title.replace('&', "&amp;").replace('<', "&lt;");
    include_str!("page.html").replace("{{title}}", &title).replace("{{data}}", &data)
}

/// A number with few digits.
fn short(value: f64) -> f64 {
    format!("{value:.6e}").parse().unwrap_or(value)
}
