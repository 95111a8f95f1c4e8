//! Faces of unit shapes: along x from 0 to 1, and from -1/2 to 1/2 in y and z.

use std::f64::consts::TAU;

use fmu_builder::shapes::ShapeKind;
use nalgebra::Vector3;

/// Polygons by the positions of their vertices, counter-clockwise as seen from outside.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    pub vertices: Vec<Vector3<f64>>,
    pub faces: Vec<Vec<usize>>,
}

impl Mesh {
    /// Makes the mesh of a kind of shape, a cylinder with this number of sides; a sphere has none.
    pub fn of(kind: ShapeKind, sides: usize) -> Self {
        match kind {
            ShapeKind::Sphere => Self { vertices: Vec::new(), faces: Vec::new() },
            ShapeKind::Cylinder => {
                let around = |i: usize| TAU * i as f64 / sides as f64;
                Self::prism(&(0..sides).map(|i| (0.5 * around(i).cos(), 0.5 * around(i).sin())).collect::<Vec<_>>())
            }
            ShapeKind::Box => Self::prism(&[(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]),
        }
    }

    /// Makes a prism with this outline in y and z, counter-clockwise as seen from x.
    fn prism(outline: &[(f64, f64)]) -> Self {
        let n = outline.len();
        let vertices = [0.0, 1.0].iter().flat_map(|x| outline.iter().map(|(y, z)| Vector3::new(*x, *y, *z))).collect();
        let side = |i: usize| vec![i, (i + 1) % n, (i + 1) % n + n, i + n];
        let ends = [(0..n).rev().collect(), (n..2 * n).collect()];
        Self { vertices, faces: (0..n).map(side).chain(ends).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faces_look_outwards() {
        for kind in [ShapeKind::Cylinder, ShapeKind::Box] {
            let mesh = Mesh::of(kind, 24);
            let middle = Vector3::new(0.5, 0.0, 0.0);
            for face in &mesh.faces {
                let [a, b, c] = [0, 1, 2].map(|i| mesh.vertices[face[i]]);
                assert!((b - a).cross(&(c - a)).dot(&(a - middle)) > 0.0, "{kind:?} {face:?}");
            }
        }
    }
}
