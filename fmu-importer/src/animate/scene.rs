//! Where the shapes are at each time.

use anyhow::{Context, Result};
use fmu_builder::shapes::{Shape, ShapeKind};
use mechanics::rotation::{from_cardan, from_quaternion};
use nalgebra::{Matrix3, Vector3, Vector4};

use crate::Trajectory;

/// More pictures than this would make a page slow and large.
const PICTURES: usize = 600;

/// Shapes along a trajectory.
pub struct Scene {
    /// The times of the pictures, in s.
    pub time: Vec<f64>,
    /// The shapes.
    pub bodies: Vec<Body>,
    /// The origins of the frames that the shapes name, at the first time.
    pub frames: Vec<(String, Vector3<f64>)>,
}

/// A shape along a trajectory.
pub struct Body {
    /// What it looks like.
    pub kind: ShapeKind,
    /// Red, green, blue.
    pub color: [u8; 3],
    /// At each time its axes, as long as it is in these directions, and where its unit shape begins.
    pub places: Vec<[Vector3<f64>; 4]>,
}

impl Scene {
    pub(super) fn new(shapes: &[Shape], trajectory: &Trajectory) -> Result<Self> {
        let rows = trajectory.time.len();
        let stride = rows.div_ceil(PICTURES).max(1);
        let rows: Vec<usize> = (0..rows).step_by(stride).collect();
        let signals = Signals { trajectory };
        let mut scene = Self {
            time: rows.iter().map(|row| trajectory.time[*row]).collect(),
            bodies: Vec::new(),
            frames: Vec::new(),
        };
        for shape in shapes {
            if shape.condition.as_ref().is_some_and(|name| signals.number(name, 0).is_ok_and(|value| value <= 0.0)) {
                continue;
            }
            let color = signals.vector(&shape.color, 0)?;
            let places = rows.iter().map(|row| signals.place(shape, *row));
            let places = places.collect::<Result<_>>().with_context(|| format!("shape {}", shape.name))?;
            scene.bodies.push(Body {
                kind: shape.kind,
                color: [0, 1, 2].map(|i| color[i].clamp(0.0, 255.0) as u8),
                places,
            });
            for frame in [Some(&shape.frame), shape.to.as_ref()].into_iter().flatten() {
                if !scene.frames.iter().any(|(known, _)| known == frame) {
                    scene.frames.push((frame.clone(), signals.vector(&format!("{frame}.r_0"), 0)?));
                }
            }
        }
        scene.shrink();
        scene.frames.sort_by(|one, other| one.0.cmp(&other.0));
        Ok(scene)
    }

    /// Makes shapes thinner that would hide a small mechanism: none is thicker than an eighth of the largest distance
    /// between two frames.
    fn shrink(&mut self) {
        let frames = || self.frames.iter().map(|(_, r)| r);
        let size = frames().flat_map(|one| frames().map(move |other| (one - other).norm())).fold(0.0, f64::max);
        let places = || self.bodies.iter().flat_map(|body| &body.places);
        let thickest = places().flat_map(|[_, y, z, _]| [y.norm(), z.norm()]).fold(0.0, f64::max);
        let factor = size / 8.0 / thickest;
        if size == 0.0 || factor.is_nan() || factor >= 1.0 {
            return;
        }
        for body in self.bodies.iter_mut() {
            for [x, y, z, r] in &mut body.places {
                // What is as short as it is thick is a joint, not a rod from one frame to another.
                if x.norm() <= 2.0 * thickest.max(y.norm()) {
                    *r += *x * (0.5 * (1.0 - factor));
                    *x *= factor;
                }
                *y *= factor;
                *z *= factor;
            }
        }
    }

    /// The middle of all that is ever seen, and the radius of a ball around it.
    pub fn extent(&self) -> (Vector3<f64>, f64) {
        let corners = || {
            self.bodies.iter().flat_map(|body| &body.places).flat_map(|[x, y, z, r]| {
                let reach = Vector3::repeat(y.norm().max(z.norm()) / 2.0);
                [r - reach, r + reach, r + x - reach, r + x + reach]
            })
        };
        let low = corners().fold(Vector3::repeat(f64::MAX), |low, corner| low.inf(&corner));
        let high = corners().fold(Vector3::repeat(f64::MIN), |high, corner| high.sup(&corner));
        ((low + high) / 2.0, (high - low).norm() / 2.0)
    }
}

struct Signals<'a> {
    trajectory: &'a Trajectory,
}

impl Signals<'_> {
    fn number(&self, name: &str, row: usize) -> Result<f64> {
        let column = self.trajectory.column(name).with_context(|| format!("there is no variable {name}"))?;
        Ok(column[row])
    }

    fn elements<const N: usize>(&self, name: &str, row: usize) -> Result<[f64; N]> {
        let mut values = [0.0; N];
        for (i, value) in values.iter_mut().enumerate() {
            *value = self.number(&format!("{name}[{}]", i + 1), row)?;
        }
        Ok(values)
    }

    fn vector(&self, name: &str, row: usize) -> Result<Vector3<f64>> {
        Ok(self.elements::<3>(name, row)?.into())
    }

    /// The matrix from the world to a frame.
    fn rotation(&self, frame: &str, row: usize) -> Result<Matrix3<f64>> {
        if self.trajectory.column(&format!("{frame}.Q[1]")).is_some() {
            let q = Vector4::from(self.elements::<4>(&format!("{frame}.Q"), row)?);
            return Ok(from_quaternion(&q.normalize()).unwrap_or_else(|_| Matrix3::identity()));
        }
        if self.trajectory.column(&format!("{frame}.phi[1]")).is_some() {
            return Ok(from_cardan(&self.vector(&format!("{frame}.phi"), row)?));
        }
        let mut matrix = Matrix3::zeros();
        for (i, j) in (0..3).flat_map(|i| (0..3).map(move |j| (i, j))) {
            matrix[(i, j)] = self.number(&format!("{frame}.R.T[{},{}]", i + 1, j + 1), row)?;
        }
        Ok(matrix)
    }

    fn place(&self, shape: &Shape, row: usize) -> Result<[Vector3<f64>; 4]> {
        let origin = self.vector(&format!("{}.r_0", shape.frame), row)?;
        let rotation = self.rotation(&shape.frame, row)?;
        let width = self.number(&shape.width, row)?;
        let height = shape.height.as_ref().map_or(Ok(width), |name| self.number(name, row))?;
        let resolved = |name: &str| -> Result<Vector3<f64>> { Ok(rotation.tr_mul(&self.vector(name, row)?)) };
        let end = shape.to.as_ref().map(|to| self.vector(&format!("{to}.r_0"), row)).transpose()?;
        if shape.kind == ShapeKind::Sphere {
            let centre = end.map_or(origin, |end| (origin + end) / 2.0);
            // It begins at its side, as the others do.
            return Ok([
                Vector3::x() * width,
                Vector3::y() * width,
                Vector3::z() * width,
                centre - Vector3::x() * (width / 2.0),
            ]);
        }
        let (along, begin) = match (end, &shape.direction) {
            (Some(end), _) => (end - origin, origin),
            (None, Some(direction)) => {
                let length = shape.length.as_ref().map_or(Ok(width), |name| self.number(name, row))?;
                let along = resolved(direction)?.normalize() * length;
                (along, origin - along / 2.0)
            }
            (None, None) => (Vector3::x() * width, origin),
        };
        let wanted = shape.width_direction.as_ref().map_or_else(|| Ok(Vector3::zeros()), |name| resolved(name))?;
        let (y, z) = across(&along, wanted);
        Ok([along, y * width, z * height, begin])
    }
}

/// Unit vectors across `along`, the first one as near to `wanted` as can be.
fn across(along: &Vector3<f64>, wanted: Vector3<f64>) -> (Vector3<f64>, Vector3<f64>) {
    let e = along.try_normalize(1e-300).unwrap_or(Vector3::x());
    let least =
        [Vector3::x(), Vector3::y(), Vector3::z()].into_iter().min_by(|a, b| e.dot(a).abs().total_cmp(&e.dot(b).abs()));
    let flat = |vector: Vector3<f64>| (vector - e * e.dot(&vector)).try_normalize(1e-6);
    let y = flat(wanted).or_else(|| flat(least?)).unwrap_or(Vector3::y());
    (y, e.cross(&y))
}
