//! A picture of the first moment as SVG.

use std::fmt::Write;

use nalgebra::{Matrix3, Vector3};

use crate::animate::mesh::Mesh;
use crate::animate::{Scene, is_sphere};

/// Width and height of the picture.
const SIZE: [f64; 2] = [600.0, 340.0];

/// From the world to the picture: x to the right, y up, z to the observer.
pub fn camera() -> Matrix3<f64> {
    let (turn, tilt) = (0.5_f64, 0.35_f64);
    let about_y = Matrix3::new(turn.cos(), 0.0, -turn.sin(), 0.0, 1.0, 0.0, turn.sin(), 0.0, turn.cos());
    let about_x = Matrix3::new(1.0, 0.0, 0.0, 0.0, tilt.cos(), -tilt.sin(), 0.0, tilt.sin(), tilt.cos());
    about_x * about_y
}

/// Where the light comes from, as the observer sees it.
pub const LIGHT: [f64; 3] = [0.37, 0.74, 0.56];

/// The picture.
pub fn picture(scene: &Scene) -> String {
    let camera = camera();
    let place = Placement::new(scene, &camera);
    let mut drawn: Vec<(f64, String)> = Vec::new();
    for body in &scene.bodies {
        let [x, y, z, r] = body.places[0];
        if is_sphere(body.kind) {
            let centre = camera * (r + x * 0.5);
            let [px, py] = place.point(&centre);
            let radius = x.norm() / 2.0 * place.scale;
            let (light, dark) = (shade(body.color, 1.15), shade(body.color, 0.6));
            let id = format!("s{}", drawn.len());
            let text = format!(
                "<radialGradient id=\"{id}\" cx=\".4\" cy=\".3\" r=\".7\"><stop stop-color=\"{light}\"/>\
                 <stop offset=\"1\" stop-color=\"{dark}\"/></radialGradient>\
                 <circle cx=\"{px:.1}\" cy=\"{py:.1}\" r=\"{radius:.1}\" fill=\"url(#{id})\"/>\n"
            );
            drawn.push((centre.z + x.norm() / 2.0, text));
            continue;
        }
        let axes = camera * Matrix3::from_columns(&[x, y, z]);
        let begin = camera * r;
        let mesh = Mesh::of(body.kind);
        let vertices: Vec<_> = mesh.vertices.iter().map(|vertex| begin + axes * vertex).collect();
        for face in &mesh.faces {
            let [a, b, c] = [0, 1, 2].map(|i| vertices[face[i]]);
            let normal = (b - a).cross(&(c - a)).normalize();
            if normal.z <= 0.0 {
                continue;
            }
            let color = shade(body.color, 0.45 + 0.6 * normal.dot(&Vector3::from(LIGHT)).max(0.0));
            let mut points = String::new();
            for i in face {
                let [px, py] = place.point(&vertices[*i]);
                let _ = write!(points, "{px:.1},{py:.1} ");
            }
            let depth = face.iter().map(|i| vertices[*i].z).sum::<f64>() / face.len() as f64;
            let points = points.trim_end();
            drawn.push((depth, format!("<polygon points=\"{points}\" fill=\"{color}\" stroke=\"{color}\"/>\n")));
        }
    }
    drawn.sort_by(|one, other| one.0.total_cmp(&other.0));
    let body: String = drawn.into_iter().map(|(_, text)| text).collect();
    let [width, height] = SIZE;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" stroke-width=\".5\" \
         stroke-linejoin=\"round\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n{body}{}</svg>\n",
        labels(scene, &camera, &place)
    )
}

/// The names of the frames, those at one place together.
fn labels(scene: &Scene, camera: &Matrix3<f64>, place: &Placement) -> String {
    let mut at: Vec<([f64; 2], String)> = Vec::new();
    for (name, r) in &scene.frames {
        let point = place.point(&(camera * r));
        let near = |other: &[f64; 2]| (other[0] - point[0]).hypot(other[1] - point[1]) < 4.0;
        match at.iter_mut().find(|(other, _)| near(other)) {
            Some((_, names)) => names.push_str(&format!(", {name}")),
            None => at.push((point, name.clone())),
        }
    }
    let style = "font-family=\"sans-serif\" font-size=\"13\" fill=\"#222\" stroke=\"#fff\" stroke-width=\"3\" paint-order=\"stroke\"";
    let texts: String = at
        .into_iter()
        .map(|([x, y], names)| {
            // Away from the middle of the picture, where the rods are.
            let (anchor, x) = if x < SIZE[0] / 2.0 { ("end", x - 14.0) } else { ("start", x + 14.0) };
            let y = if y < SIZE[1] / 2.0 { y - 14.0 } else { y + 22.0 };
            format!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{names}</text>\n")
        })
        .collect();
    format!("<g {style}>\n{texts}</g>\n")
}

/// A colour made lighter or darker.
fn shade(color: [u8; 3], factor: f64) -> String {
    let [r, g, b] = color.map(|part| (f64::from(part) * factor).min(255.0) as u8);
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// From what the observer sees to the picture's points.
struct Placement {
    middle: Vector3<f64>,
    scale: f64,
}

impl Placement {
    /// Everything of the first moment is in the picture.
    fn new(scene: &Scene, camera: &Matrix3<f64>) -> Self {
        let first = scene.bodies.iter().flat_map(|body| {
            let [x, y, z, r] = body.places[0];
            let reach = (y.norm() + z.norm()) / 4.0;
            [camera * r, camera * (r + x)]
                .map(|end| [end.add_scalar(reach), end.add_scalar(-reach)])
                .into_iter()
                .flatten()
        });
        let (low, high) = first.fold((Vector3::repeat(f64::MAX), Vector3::repeat(f64::MIN)), |(low, high), corner| {
            (low.inf(&corner), high.sup(&corner))
        });
        let size = high - low;
        let scale = (0.5 * SIZE[0] / size.x.max(1e-9)).min(0.7 * SIZE[1] / size.y.max(1e-9));
        Self { middle: (low + high) / 2.0, scale }
    }

    fn point(&self, seen: &Vector3<f64>) -> [f64; 2] {
        let from_middle = (seen - self.middle) * self.scale;
        [SIZE[0] / 2.0 + from_middle.x, SIZE[1] / 2.0 - from_middle.y]
    }
}
