//! A page that plays the motion, with everything in it, three.js included.

use serde_json::{Value, json};

use crate::animate::picture::{LIGHT, view};
use crate::animate::scene::Scene;

/// Returns the page.
pub fn page(scene: &Scene, title: &str) -> String {
    let (middle, radius) = scene.extent();
    let bodies: Vec<Value> = scene
        .bodies
        .iter()
        .map(|body| {
            let rounded = |value: f64| (value * 1e6 / radius).round() * radius / 1e6;
            let places: Vec<Vec<f64>> = body
                .places
                .iter()
                .map(|axes| axes.iter().flat_map(|axis| axis.iter().map(|value| short(rounded(*value)))).collect())
                .collect();
            json!({
                "kind": body.kind.name(),
                "color": body.color,
                "places": places,
            })
        })
        .collect();
    let data = json!({
        "time": scene.time,
        "middle": [middle.x, middle.y, middle.z],
        "radius": radius,
        "view": view(),
        "light": LIGHT,
        "bodies": bodies,
    });
    // A text in a script must not end the script.
    let data = data.to_string().replace("</", "<\\/");
    let title = title.replace('&', "&amp;").replace('<', "&lt;");
    // The last replacement is not searched for the placeholders of the others.
    let page = include_str!("page.html").replace("{{title}}", &title);
    let page = page.replace("{{licence}}", include_str!("three/LICENSE")).replace("{{data}}", &data);
    page.replace("{{three}}", include_str!("three/three.min.js"))
}

/// Returns a number with few digits.
fn short(value: f64) -> f64 {
    format!("{value:.6e}").parse().unwrap_or(value)
}
