//! Poses of the shapes at each time.

use std::collections::HashMap;

use anyhow::{Context, Result, anyhow};
use fmu_builder::shapes::{self, Shape, ShapeKind};
use mechanics::rotation::{from_cardan, from_quaternion};
use nalgebra::{Matrix3, Rotation3, Vector3, Vector4};

use crate::Trajectory;

/// Largest number of pictures; more would make a page slow and large.
const PICTURES: usize = 600;

/// Shapes along a trajectory.
pub struct Scene {
    /// The times of the pictures, in s.
    pub time: Vec<f64>,
    /// The shapes.
    pub bodies: Vec<Body>,
    /// Names of frames of a component, or of parts of a system.
    labels: Vec<Label>,
}

/// A shape along a trajectory.
pub struct Body {
    /// Name of the shape; in a system, it begins with that of the part.
    pub name: String,
    /// Kind of the shape.
    pub kind: ShapeKind,
    /// Colour as red, green, blue.
    pub color: [u8; 3],
    /// Axes of the shape at each time, with its length in each direction, and the origin of its unit shape.
    pub places: Vec<[Vector3<f64>; 4]>,
    /// True if it is as large as it is, however small the mechanism is.
    is_to_scale: bool,
}

/// A name along a trajectory.
struct Label {
    name: String,
    /// Position of the name at each time.
    places: Vec<Vector3<f64>>,
}

impl Scene {
    /// Makes the scene; gravity, if there is a variable of its direction, is downwards in the pictures, otherwise -y is.
    pub(super) fn new(shapes: &[Shape], gravity: Option<&str>, trajectory: &Trajectory) -> Result<Self> {
        let rows = trajectory.time.len();
        let stride = rows.div_ceil(PICTURES).max(1);
        let rows: Vec<usize> = (0..rows).step_by(stride).collect();
        let signals = Signals::new(trajectory, shapes)?;
        let mut scene = Self {
            time: rows.iter().map(|row| trajectory.time[*row]).collect(),
            bodies: Vec::new(),
            labels: Vec::new(),
        };
        // Shapes of a system have colors of their own only where they have sizes of their own.
        let is_system = shapes.iter().any(|shape| shapes::numbers(&shape.color).is_some());
        for shape in shapes {
            if shape.condition.as_ref().is_some_and(|name| signals.number(name, 0).is_ok_and(|value| value <= 0.0)) {
                continue;
            }
            let color = signals.vector(&shape.color, 0)?;
            let places = rows.iter().map(|row| signals.place(shape, *row));
            let places: Vec<_> = places.collect::<Result<_>>().with_context(|| format!("shape {}", shape.name))?;
            scene.bodies.push(Body {
                name: shape.name.clone(),
                kind: shape.kind,
                color: [0, 1, 2].map(|i| color[i].clamp(0.0, 255.0) as u8),
                places: places.clone(),
                is_to_scale: is_system && shapes::numbers(&shape.color).is_none(),
            });
            // The place of a part of a system is that of its first shape.
            if let Some((part, _)) = shape.name.rsplit_once('.') {
                scene.label(part, || Ok(places.iter().map(|[along, .., begin]| begin + along / 2.0).collect()))?;
                continue;
            }
            for frame in [Some(&shape.frame), shape.to.as_ref()].into_iter().flatten() {
                scene.label(frame, || rows.iter().map(|row| signals.origin(frame, None, *row)).collect())?;
            }
        }
        scene.shrink(2.0 * signals.size);
        if let Some(name) = gravity {
            scene.turn(-signals.vector(name, 0)?);
        }
        scene.labels.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(scene)
    }

    fn label(&mut self, name: &str, places: impl FnOnce() -> Result<Vec<Vector3<f64>>>) -> Result<()> {
        if !self.labels.iter().any(|known| known.name == name) {
            self.labels.push(Label { name: name.to_owned(), places: places()? });
        }
        Ok(())
    }

    /// Returns names and their positions in a row: frames of a component, parts of a system.
    pub fn labels(&self, row: usize) -> Vec<(&str, Vector3<f64>)> {
        self.labels.iter().map(|label| (label.name.as_str(), label.places[row])).collect()
    }

    /// Returns the row of the picture nearest to a time in s.
    pub fn row(&self, time: f64) -> usize {
        let away = |row: &usize| (self.time[*row] - time).abs();
        (0..self.time.len()).min_by(|one, other| away(one).total_cmp(&away(other))).unwrap_or(0)
    }

    /// Makes shapes thinner that would hide a small mechanism: none is thicker than an eighth of its size.
    fn shrink(&mut self, size: f64) {
        let places = || self.bodies.iter().filter(|body| !body.is_to_scale).flat_map(|body| &body.places);
        let thickest = places().flat_map(|[_, y, z, _]| [y.norm(), z.norm()]).fold(0.0, f64::max);
        let factor = size / 8.0 / thickest;
        if factor.is_nan() || factor >= 1.0 {
            return;
        }
        for body in self.bodies.iter_mut().filter(|body| !body.is_to_scale) {
            for [x, y, z, r] in &mut body.places {
                // A shape that is as short as it is thick is a joint, not a rod from one frame to another.
                if x.norm() <= 2.0 * thickest.max(y.norm()) {
                    *r += *x * (0.5 * (1.0 - factor));
                    *x *= factor;
                }
                *y *= factor;
                *z *= factor;
            }
        }
    }

    /// Turns everything so that this direction is upwards in the pictures, whose y-axis is.
    fn turn(&mut self, upwards: Vector3<f64>) {
        let Some(rotation) = Rotation3::rotation_between(&upwards, &Vector3::y()) else { return };
        if rotation == Rotation3::identity() {
            return;
        }
        let places = self.bodies.iter_mut().flat_map(|body| &mut body.places).flatten();
        let labels = self.labels.iter_mut().flat_map(|label| &mut label.places);
        places.chain(labels).for_each(|place| *place = rotation * *place);
    }

    /// Returns the middle of all that is ever seen, and the radius of a ball around it.
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
    /// Values of the variables by their names.
    columns: HashMap<&'a str, &'a [f64]>,
    /// Half the largest distance between two places, in m.
    size: f64,
}

impl<'a> Signals<'a> {
    fn new(trajectory: &'a Trajectory, shapes: &[Shape]) -> Result<Self> {
        let columns = trajectory.names.iter().map(String::as_str).zip(trajectory.columns.iter().map(Vec::as_slice));
        let signals = Self { columns: columns.collect(), size: 1.0 };
        let mut places = Vec::new();
        for shape in shapes {
            let frames = [Some(&shape.frame), shape.to.as_ref()];
            for frame in frames.into_iter().flatten() {
                places.push(signals.vector(&format!("{frame}.r_0"), 0)?);
            }
            if let Some(at) = shape.at.as_ref().filter(|at| shapes::numbers(at).is_none()) {
                places.push(signals.origin(&shape.frame, Some(at), 0)?);
            }
        }
        let distances = places.iter().flat_map(|one| places.iter().map(move |other| (one - other).norm()));
        let size = distances.fold(0.0, f64::max) / 2.0;
        Ok(Self { size: if size > 0.0 { size } else { 1.0 }, ..signals })
    }

    /// Returns the origin of a frame, or a place in it.
    fn origin(&self, frame: &str, at: Option<&String>, row: usize) -> Result<Vector3<f64>> {
        let origin = self.vector(&format!("{frame}.r_0"), row)?;
        let Some(at) = at else { return Ok(origin) };
        let unit = shapes::numbers(at).map_or(1.0, |_| self.size);
        Ok(origin + self.rotation(frame, row)?.tr_mul(&self.vector(at, row)?) * unit)
    }

    /// Returns a length in m.
    fn length(&self, name: &str, row: usize) -> Result<f64> {
        shapes::numbers(name).map_or_else(|| self.number(name, row), |numbers| Ok(numbers[0] * self.size))
    }

    fn number(&self, name: &str, row: usize) -> Result<f64> {
        let column = self.columns.get(name).with_context(|| format!("there is no variable {name}"))?;
        Ok(column[row])
    }

    fn elements<const N: usize>(&self, name: &str, row: usize) -> Result<[f64; N]> {
        if let Some(numbers) = shapes::numbers(name) {
            return numbers.try_into().map_err(|_| anyhow!("{name} must have {N} numbers"));
        }
        let mut values = [0.0; N];
        for (i, value) in values.iter_mut().enumerate() {
            *value = self.number(&format!("{name}[{}]", i + 1), row)?;
        }
        Ok(values)
    }

    fn vector(&self, name: &str, row: usize) -> Result<Vector3<f64>> {
        Ok(self.elements::<3>(name, row)?.into())
    }

    /// Returns the matrix from the world to a frame.
    fn rotation(&self, frame: &str, row: usize) -> Result<Matrix3<f64>> {
        if self.columns.contains_key(format!("{frame}.Q[1]").as_str()) {
            let q = Vector4::from(self.elements::<4>(&format!("{frame}.Q"), row)?);
            return Ok(from_quaternion(&q.normalize()).unwrap_or_else(|_| Matrix3::identity()));
        }
        if self.columns.contains_key(format!("{frame}.phi[1]").as_str()) {
            return Ok(from_cardan(&self.vector(&format!("{frame}.phi"), row)?));
        }
        let mut matrix = Matrix3::zeros();
        for (i, j) in (0..3).flat_map(|i| (0..3).map(move |j| (i, j))) {
            matrix[(i, j)] = self.number(&format!("{frame}.R.T[{},{}]", i + 1, j + 1), row)?;
        }
        Ok(matrix)
    }

    fn place(&self, shape: &Shape, row: usize) -> Result<[Vector3<f64>; 4]> {
        let origin = self.origin(&shape.frame, None, row)?;
        let place = || self.origin(&shape.frame, shape.at.as_ref(), row);
        let width = self.length(&shape.width, row)?;
        let height = shape.height.as_ref().map_or(Ok(width), |name| self.length(name, row))?;
        let resolved = |name: &str| -> Result<Vector3<f64>> {
            Ok(self.rotation(&shape.frame, row)?.tr_mul(&self.vector(name, row)?))
        };
        let end = shape.to.as_ref().map(|to| self.vector(&format!("{to}.r_0"), row)).transpose()?;
        if shape.kind == ShapeKind::Sphere {
            let centre = end.map_or_else(place, |end| Ok((origin + end) / 2.0))?;
            // A sphere begins at its side, as the other shapes do.
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
                let length = shape.length.as_ref().map_or(Ok(width), |name| self.length(name, row))?;
                let along = resolved(direction)?.normalize() * length;
                (along, place()? - along / 2.0)
            }
            (None, None) => (place()? - origin, origin),
        };
        let wanted = shape.width_direction.as_ref().map_or_else(|| Ok(Vector3::zeros()), |name| resolved(name))?;
        let (y, z) = across(&along, wanted);
        Ok([along, y * width, z * height, begin])
    }
}

/// Returns unit vectors across `along`, the first one as near to `wanted` as can be.
fn across(along: &Vector3<f64>, wanted: Vector3<f64>) -> (Vector3<f64>, Vector3<f64>) {
    let e = along.try_normalize(1e-300).unwrap_or(Vector3::x());
    let least =
        [Vector3::x(), Vector3::y(), Vector3::z()].into_iter().min_by(|a, b| e.dot(a).abs().total_cmp(&e.dot(b).abs()));
    let flat = |vector: Vector3<f64>| (vector - e * e.dot(&vector)).try_normalize(1e-6);
    let y = flat(wanted).or_else(|| flat(least?)).unwrap_or(Vector3::y());
    (y, e.cross(&y))
}
