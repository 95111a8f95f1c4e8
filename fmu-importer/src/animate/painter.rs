//! The order in which faces are drawn: back to front. Faces that cut each other are split (a BSP tree).

use nalgebra::Vector3;

/// A convex polygon. The observer is at z = infinity.
#[derive(Clone, Debug, PartialEq)]
pub struct Face {
    /// Corners of the polygon.
    pub points: Vec<Vector3<f64>>,
    /// Unit normal to the outside; z is positive where the observer sees the face.
    pub normal: Vector3<f64>,
    /// Fill, a colour or a gradient of SVG.
    pub fill: String,
}

impl Face {
    /// Makes a polygon with its corners counter-clockwise as seen from outside.
    pub fn new(points: Vec<Vector3<f64>>, fill: &str) -> Self {
        let normal = (points[1] - points[0]).cross(&(points[2] - points[0])).normalize();
        Self { points, normal, fill: fill.to_owned() }
    }
}

/// Distance from a plane, times the size of the scene, below which points lie in it.
const THICKNESS: f64 = 1e-9;

/// Returns the faces in the order of drawing. Of faces in one plane, the last is drawn last.
pub fn back_to_front(faces: Vec<Face>) -> Vec<Face> {
    let size = faces.iter().flat_map(|face| &face.points).map(Vector3::amax).fold(0.0, f64::max);
    let mut ordered = Vec::with_capacity(faces.len());
    order(faces, THICKNESS * size, &mut ordered);
    ordered
}

fn order(faces: Vec<Face>, thickness: f64, ordered: &mut Vec<Face>) {
    let Some(first) = faces.first() else { return };
    let (normal, offset) = (first.normal, first.normal.dot(&first.points[0]));
    let [mut behind, mut inside, mut before] = [const { Vec::new() }; 3];
    for face in faces {
        let heights: Vec<f64> = face.points.iter().map(|point| normal.dot(point) - offset).collect();
        let is_before = heights.iter().any(|height| *height > thickness);
        let is_behind = heights.iter().any(|height| *height < -thickness);
        match (is_behind, is_before) {
            (false, false) => inside.push(face),
            (false, true) => before.push(face),
            (true, false) => behind.push(face),
            (true, true) => {
                behind.push(part(&face, &heights, -1.0));
                before.push(part(&face, &heights, 1.0));
            }
        }
    }
    order(behind, thickness, ordered);
    ordered.append(&mut inside);
    order(before, thickness, ordered);
}

/// Returns the part of a face on one side of a plane, given the heights of its corners above it; `sign` is 1 for the
/// part above.
fn part(face: &Face, heights: &[f64], sign: f64) -> Face {
    let mut points = Vec::with_capacity(heights.len() + 1);
    for (i, height) in heights.iter().enumerate() {
        let next = (i + 1) % heights.len();
        if sign * height >= 0.0 {
            points.push(face.points[i]);
        }
        if height * heights[next] < 0.0 {
            points.push(face.points[i].lerp(&face.points[next], height / (height - heights[next])));
        }
    }
    Face { points, ..face.clone() }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn square(centre: [f64; 3], tilt: f64, fill: &str) -> Face {
        let (x, y) = (Vector3::new(tilt.cos(), 0.0, tilt.sin()), Vector3::y());
        let centre = Vector3::from(centre);
        Face::new(vec![centre - x - y, centre + x - y, centre + x + y, centre - x + y], fill)
    }

    /// Returns the height of the plane of a face above a point of the picture, if the face covers it.
    fn height(face: &Face, [x, y]: [f64; 2]) -> Option<f64> {
        let edges = face.points.iter().zip(face.points.iter().cycle().skip(1));
        let is_inside = edges.map(|(a, b)| (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x)).all(|side| side >= 0.0);
        let a = face.points[0];
        is_inside.then(|| a.z - (face.normal.x * (x - a.x) + face.normal.y * (y - a.y)) / face.normal.z)
    }

    #[test]
    fn faces_that_cut_each_other_are_split() {
        let ordered = back_to_front(vec![square([0.0; 3], 0.5, "a"), square([0.0; 3], -0.5, "b")]);
        assert_eq!(ordered.iter().map(|face| face.fill.as_str()).collect::<Vec<_>>(), ["b", "a", "b"]);
    }

    proptest! {
        #[test]
        fn what_is_drawn_last_is_nearest(
            squares in prop::collection::vec((prop::array::uniform3(-1.0..1.0), -1.4..1.4), 1..8),
            point in prop::array::uniform2(-1.0..1.0),
        ) {
            let faces: Vec<Face> = squares.iter().map(|(centre, tilt)| square(*centre, *tilt, "")).collect();
            let nearest = faces.iter().filter_map(|face| height(face, point)).fold(f64::NEG_INFINITY, f64::max);
            let ordered = back_to_front(faces);
            let seen = ordered.iter().rev().find_map(|face| height(face, point)).unwrap_or(f64::NEG_INFINITY);
            prop_assert!(seen == nearest || (seen - nearest).abs() < 1e-6, "{seen} {nearest}");
        }
    }
}
