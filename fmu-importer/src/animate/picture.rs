//! A picture of one moment as SVG.

use std::f64::consts::{FRAC_PI_2, TAU};
use std::fmt::Write;

use fmu_builder::shapes::ShapeKind;
use nalgebra::{Matrix3, Vector3};

use crate::animate::mesh::Mesh;
use crate::animate::painter::{Face, back_to_front};
use crate::animate::scene::Scene;

/// Width and height of the picture.
const SIZE: [f64; 2] = [600.0, 340.0];

/// Largest number of names in a picture; more would cover it.
const MAX_LABELS: usize = 16;

/// Returns the number of faces around a cylinder or a sphere: fewer where there are many shapes, which would make large
/// files.
const fn sides(shapes: usize) -> usize {
    if shapes <= 12 { 24 } else { 12 }
}

/// Returns the rotation from the world to the picture: x to the right, y up, z to the observer.
pub fn camera() -> Matrix3<f64> {
    let (turn, tilt) = (0.5_f64, 0.35_f64);
    let about_y = Matrix3::new(turn.cos(), 0.0, -turn.sin(), 0.0, 1.0, 0.0, turn.sin(), 0.0, turn.cos());
    let about_x = Matrix3::new(1.0, 0.0, 0.0, 0.0, tilt.cos(), -tilt.sin(), 0.0, tilt.sin(), tilt.cos());
    about_x * about_y
}

/// Returns the direction to the observer.
pub fn view() -> [f64; 3] {
    camera().row(2).transpose().into()
}

/// Direction to the light in the observer's axes.
pub const LIGHT: [f64; 3] = [0.37, 0.74, 0.56];

/// Returns the picture of a row.
pub fn picture(scene: &Scene, row: usize) -> String {
    let camera = camera();
    let place = Placement::new(scene, row, &camera);
    let mut gradients = String::new();
    let mut faces = Vec::new();
    let sides = sides(scene.bodies.len());
    for body in &scene.bodies {
        let [x, y, z, r] = body.places[row];
        let radius = x.norm() / 2.0;
        // A sphere without a size has no faces.
        if body.kind == ShapeKind::Sphere && radius > 0.0 {
            let centre = camera * (r + x * 0.5);
            let id = format!("s{}", faces.len());
            gradients.push_str(&gradient(&id, place.point(&centre), radius * place.scale, body.color));
            faces.extend(hemisphere(&centre, radius, sides, &format!("url(#{id})")));
            continue;
        }
        let axes = camera * Matrix3::from_columns(&[x, y, z]);
        let begin = camera * r;
        let mesh = Mesh::of(body.kind, sides);
        let vertices: Vec<_> = mesh.vertices.iter().map(|vertex| begin + axes * vertex).collect();
        for face in &mesh.faces {
            let face = Face::new(face.iter().map(|i| vertices[*i]).collect(), "");
            if face.normal.z > 0.0 {
                let fill = shade(body.color, 0.45 + 0.6 * face.normal.dot(&Vector3::from(LIGHT)).max(0.0));
                faces.push(Face { fill, ..face });
            }
        }
    }
    let body: String = back_to_front(faces).iter().map(|face| place.polygon(face)).collect();
    let [width, height] = SIZE;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" stroke-width=\".5\" \
         stroke-linejoin=\"round\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n{gradients}{body}{}</svg>\n",
        labels(&scene.labels(row), &camera, &place)
    )
}

/// Returns the half of a sphere that the observer sees: a cap and rings around it.
fn hemisphere(centre: &Vector3<f64>, radius: f64, sides: usize, fill: &str) -> Vec<Face> {
    // The rings lead from the nearest point to the rim.
    let rings = sides / 6;
    let point = |ring: usize, i: usize| {
        let (latitude, longitude) = (FRAC_PI_2 * ring as f64 / rings as f64, TAU * i as f64 / sides as f64);
        let across = latitude.sin();
        centre + Vector3::new(across * longitude.cos(), across * longitude.sin(), latitude.cos()) * radius
    };
    let cap = (0..sides).map(|i| point(1, i)).collect();
    let ring = |ring: usize| {
        (0..sides).map(move |i| vec![point(ring, i), point(ring + 1, i), point(ring + 1, i + 1), point(ring, i + 1)])
    };
    std::iter::once(cap).chain((1..rings).flat_map(ring)).map(|points| Face::new(points, fill)).collect()
}

/// Returns the gradient that fills a sphere, also its parts.
fn gradient(id: &str, [x, y]: [f64; 2], radius: f64, color: [u8; 3]) -> String {
    let (light, dark) = (shade(color, 1.15), shade(color, 0.6));
    let [cx, cy, r] = [x - 0.2 * radius, y - 0.4 * radius, 1.4 * radius];
    format!(
        "<radialGradient id=\"{id}\" gradientUnits=\"userSpaceOnUse\" cx=\"{cx:.1}\" cy=\"{cy:.1}\" r=\"{r:.1}\">\
         <stop stop-color=\"{light}\"/><stop offset=\"1\" stop-color=\"{dark}\"/></radialGradient>\n"
    )
}

/// Returns the names, those at one place together, each at a free place.
fn labels(labels: &[(&str, Vector3<f64>)], camera: &Matrix3<f64>, place: &Placement) -> String {
    let mut at: Vec<([f64; 2], String)> = Vec::new();
    for (name, r) in labels.iter().filter(|_| labels.len() <= MAX_LABELS) {
        let point = place.point(&(camera * r));
        let near = |other: &[f64; 2]| (other[0] - point[0]).hypot(other[1] - point[1]) < 4.0;
        match at.iter_mut().find(|(other, _)| near(other)) {
            Some((_, names)) => names.push_str(&format!(", {name}")),
            None => at.push((point, (*name).to_owned())),
        }
    }
    let style = "font-family=\"sans-serif\" font-size=\"13\" fill=\"#222\" stroke=\"#fff\" stroke-width=\"3\" paint-order=\"stroke\"";
    let mut taken: Vec<Label> = Vec::new();
    for (point, names) in &at {
        let all = || candidates(*point, names);
        let free = all().find(|label| label.is_inside() && !taken.iter().any(|other| label.meets(other)));
        taken.extend(free.or_else(|| all().next()));
    }
    let texts: String = taken.iter().zip(&at).map(|(label, (point, names))| label.text(*point, names)).collect();
    format!("<g {style}>\n{texts}</g>\n")
}

/// A text in the picture: it begins or ends at x, its baseline is at y.
struct Label {
    x: f64,
    y: f64,
    begins: bool,
    width: f64,
}

/// Returns the possible places of a text at a point of the picture, the best first.
fn candidates([x, y]: [f64; 2], text: &str) -> impl Iterator<Item = Label> {
    // Texts lead away from the middle of the picture, where the rods are.
    let (right, below) = (x >= SIZE[0] / 2.0, y >= SIZE[1] / 2.0);
    // Wide fonts have letters as wide as this.
    let width = 8.0 * text.len() as f64;
    (0..8).flat_map(move |ring| {
        [(right, below), (right, !below), (!right, below), (!right, !below)].into_iter().map(move |(right, below)| {
            Label {
                x: x + if right { 14.0 } else { -14.0 },
                y: y + if below { 22.0 + 16.0 * f64::from(ring) } else { -14.0 - 16.0 * f64::from(ring) },
                begins: right,
                width,
            }
        })
    })
}

impl Label {
    fn left(&self) -> f64 {
        if self.begins { self.x } else { self.x - self.width }
    }

    fn is_inside(&self) -> bool {
        self.left() >= 0.0 && self.left() + self.width <= SIZE[0] && self.y >= 13.0 && self.y <= SIZE[1] - 4.0
    }

    fn meets(&self, other: &Self) -> bool {
        let apart = self.left() + self.width < other.left() || other.left() + other.width < self.left();
        !apart && (self.y - other.y).abs() < 14.0
    }

    fn text(&self, [x, y]: [f64; 2], text: &str) -> String {
        let Self { x: end, y: base, .. } = self;
        let anchor = if self.begins { "start" } else { "end" };
        let text = format!("<text x=\"{end:.1}\" y=\"{base:.1}\" text-anchor=\"{anchor}\">{text}</text>\n");
        // A text that is further away has a line.
        let near = if *base < y { y - base <= 14.0 } else { base - y <= 22.0 };
        if near {
            return text;
        }
        let foot = if *base < y { base + 3.0 } else { base - 12.0 };
        format!("<path d=\"M{x:.1},{y:.1} {end:.1},{foot:.1}\" stroke=\"#888\" stroke-width=\"1\"/>\n{text}")
    }
}

/// Returns a colour made lighter or darker.
fn shade(color: [u8; 3], factor: f64) -> String {
    let [r, g, b] = color.map(|part| (f64::from(part) * factor).min(255.0) as u8);
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// The transformation from the observer's coordinates to the points of the picture.
struct Placement {
    middle: Vector3<f64>,
    scale: f64,
}

impl Placement {
    /// Makes a transformation with which all shapes of this moment are in the picture.
    fn new(scene: &Scene, row: usize, camera: &Matrix3<f64>) -> Self {
        let corners = scene.bodies.iter().flat_map(|body| {
            let [x, y, z, r] = body.places[row];
            let reach = (y.norm() + z.norm()) / 4.0;
            [camera * r, camera * (r + x)]
                .map(|end| [end.add_scalar(reach), end.add_scalar(-reach)])
                .into_iter()
                .flatten()
        });
        let (low, high) = corners
            .fold((Vector3::repeat(f64::MAX), Vector3::repeat(f64::MIN)), |(low, high), corner| {
                (low.inf(&corner), high.sup(&corner))
            });
        let size = high - low;
        let scale = (0.5 * SIZE[0] / size.x.max(1e-9)).min(0.7 * SIZE[1] / size.y.max(1e-9));
        Self { middle: (low + high) / 2.0, scale }
    }

    /// Returns a face, with a border in its own colour that closes the gap to the next one.
    fn polygon(&self, face: &Face) -> String {
        let mut points = String::new();
        for point in &face.points {
            let [x, y] = self.point(point);
            let _ = write!(points, "{x:.1},{y:.1} ");
        }
        format!("<polygon points=\"{}\" fill=\"{fill}\" stroke=\"{fill}\"/>\n", points.trim_end(), fill = face.fill)
    }

    fn point(&self, seen: &Vector3<f64>) -> [f64; 2] {
        let from_middle = (seen - self.middle) * self.scale;
        [SIZE[0] / 2.0 + from_middle.x, SIZE[1] / 2.0 - from_middle.y]
    }
}
