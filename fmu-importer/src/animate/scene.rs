//! Poses of the shapes at each time.

use std::collections::HashMap;

use anyhow::{Context, Result, anyhow};
use fmu_builder::shapes::{self, Shape, ShapeKind};
use mechanics::rotation::{from_cardan, from_quaternion};
use nalgebra::{Matrix3, Rotation3, Vector3, Vector4};

use crate::Trajectory;

/// Largest number of pictures; more would make a page slow and large.
const MAX_PICTURES: usize = 600;

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
    /// True if it has a size of its own, which is drawn however small the mechanism is.
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
        let stride = rows.div_ceil(MAX_PICTURES).max(1);
        let rows: Vec<usize> = (0..rows).step_by(stride).collect();
        let signals = Signals::new(trajectory, shapes)?;
        let mut scene = Self {
            time: rows.iter().map(|row| trajectory.time[*row]).collect(),
            bodies: Vec::new(),
            labels: Vec::new(),
        };
        let is_system = shapes.iter().any(|shape| shapes::numbers(&shape.color).is_some());
        for shape in shapes {
            if shape.condition.as_ref().is_some_and(|name| signals.number(name).is_ok_and(|signal| signal.at(0) <= 0.0))
            {
                continue;
            }
            let color = vector(signals.elements(&shape.color)?, 0);
            let place = signals.place(shape).with_context(|| format!("shape {}", shape.name))?;
            let places: Vec<_> = rows.iter().map(|row| place(*row)).collect();
            scene.bodies.push(Body {
                name: shape.name.clone(),
                kind: shape.kind,
                color: [0, 1, 2].map(|i| color[i].clamp(0.0, 255.0) as u8),
                places: places.clone(),
                is_to_scale: is_system && shapes::numbers(&shape.width).is_none(),
            });
            // The place of a part of a system is that of its first shape.
            if let Some((part, _)) = shape.name.rsplit_once('.') {
                scene.label(part, || places.iter().map(|[along, .., begin]| begin + along / 2.0).collect());
                continue;
            }
            for frame in [Some(&shape.frame), shape.to.as_ref()].into_iter().flatten() {
                let origin = signals.point(frame, None)?;
                scene.label(frame, || rows.iter().map(|row| origin.at(*row)).collect());
            }
        }
        scene.shrink(2.0 * signals.size);
        if let Some(name) = gravity {
            scene.turn(-vector(signals.elements(name)?, 0));
        }
        scene.labels.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(scene)
    }

    fn label(&mut self, name: &str, places: impl FnOnce() -> Vec<Vector3<f64>>) {
        if !self.labels.iter().any(|known| known.name == name) {
            self.labels.push(Label { name: name.to_owned(), places: places() });
        }
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

/// A number along a trajectory.
#[derive(Clone, Copy)]
enum Signal<'a> {
    Constant(f64),
    Column(&'a [f64]),
}

impl Signal<'_> {
    fn at(self, row: usize) -> f64 {
        match self {
            Self::Constant(value) => value,
            Self::Column(values) => values[row],
        }
    }
}

fn vector(signals: [Signal<'_>; 3], row: usize) -> Vector3<f64> {
    signals.map(|signal| signal.at(row)).into()
}

/// The orientation of a frame along a trajectory.
#[derive(Clone, Copy)]
enum Orientation<'a> {
    Quaternion([Signal<'a>; 4]),
    Cardan([Signal<'a>; 3]),
    /// By rows.
    Matrix([Signal<'a>; 9]),
}

impl Orientation<'_> {
    /// Returns a vector of the frame, resolved in the world.
    fn resolved(self, vector_in_frame: [Signal<'_>; 3], row: usize) -> Vector3<f64> {
        let from_world = match self {
            Self::Quaternion(signals) => {
                let q = Vector4::from(signals.map(|signal| signal.at(row)));
                from_quaternion(&q.normalize()).unwrap_or_else(|_| Matrix3::identity())
            }
            Self::Cardan(angles) => from_cardan(&vector(angles, row)),
            Self::Matrix(elements) => Matrix3::from_row_iterator(elements.map(|signal| signal.at(row))),
        };
        from_world.tr_mul(&vector(vector_in_frame, row))
    }
}

/// A point along a trajectory.
#[derive(Clone, Copy)]
struct Point<'a> {
    /// The origin of its frame.
    origin: [Signal<'a>; 3],
    /// Orientation of the frame, and the place of the point in it with its unit in m.
    offset: Option<(Orientation<'a>, [Signal<'a>; 3], f64)>,
}

impl Point<'_> {
    fn at(self, row: usize) -> Vector3<f64> {
        let offset = self.offset.map(|(orientation, place, unit)| orientation.resolved(place, row) * unit);
        vector(self.origin, row) + offset.unwrap_or_default()
    }
}

/// The variables of a trajectory by their names.
struct Signals<'a> {
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
                places.push(signals.point(frame, None)?.at(0));
            }
            if let Some(at) = shape.at.as_ref().filter(|at| shapes::numbers(at).is_none()) {
                places.push(signals.point(&shape.frame, Some(at))?.at(0));
            }
        }
        let distances = places.iter().flat_map(|one| places.iter().map(move |other| (one - other).norm()));
        let size = distances.fold(0.0, f64::max) / 2.0;
        Ok(Self { size: if size > 0.0 { size } else { 1.0 }, ..signals })
    }

    /// Returns the origin of a frame, or a place in it.
    fn point(&self, frame: &str, at: Option<&String>) -> Result<Point<'a>> {
        let origin = self.elements(&format!("{frame}.r_0"))?;
        let offset = |at: &String| -> Result<_> {
            let unit = shapes::numbers(at).map_or(1.0, |_| self.size);
            Ok((self.orientation(frame)?, self.elements(at)?, unit))
        };
        Ok(Point { origin, offset: at.map(offset).transpose()? })
    }

    /// Returns a length in m.
    fn length(&self, name: &str) -> Result<Signal<'a>> {
        shapes::numbers(name).map_or_else(|| self.number(name), |numbers| Ok(Signal::Constant(numbers[0] * self.size)))
    }

    fn number(&self, name: &str) -> Result<Signal<'a>> {
        let column = self.columns.get(name).with_context(|| format!("there is no variable {name}"))?;
        Ok(Signal::Column(column))
    }

    fn elements<const N: usize>(&self, name: &str) -> Result<[Signal<'a>; N]> {
        if let Some(numbers) = shapes::numbers(name) {
            let numbers: [f64; N] = numbers.try_into().map_err(|_| anyhow!("{name} must have {N} numbers"))?;
            return Ok(numbers.map(Signal::Constant));
        }
        self.all(std::array::from_fn(|i| format!("{name}[{}]", i + 1)))
    }

    fn all<const N: usize>(&self, names: [String; N]) -> Result<[Signal<'a>; N]> {
        let mut signals = [Signal::Constant(0.0); N];
        for (signal, name) in signals.iter_mut().zip(names) {
            *signal = self.number(&name)?;
        }
        Ok(signals)
    }

    fn orientation(&self, frame: &str) -> Result<Orientation<'a>> {
        let has = |name: String| self.columns.contains_key(name.as_str());
        Ok(if has(format!("{frame}.Q[1]")) {
            Orientation::Quaternion(self.elements(&format!("{frame}.Q"))?)
        } else if has(format!("{frame}.phi[1]")) {
            Orientation::Cardan(self.elements(&format!("{frame}.phi"))?)
        } else {
            Orientation::Matrix(self.all(std::array::from_fn(|i| format!("{frame}.R.T[{},{}]", i / 3 + 1, i % 3 + 1)))?)
        })
    }

    /// Returns the place of a shape in a row: its axes with their lengths, and the origin of its unit shape.
    fn place(&self, shape: &Shape) -> Result<impl Fn(usize) -> [Vector3<f64>; 4] + use<'a>> {
        let begin = self.point(&shape.frame, None)?;
        let width = self.length(&shape.width)?;
        let height = shape.height.as_ref().map_or(Ok(width), |name| self.length(name))?;
        let end = match &shape.to {
            Some(frame) => self.point(frame, None)?,
            None => self.point(&shape.frame, shape.at.as_ref())?,
        };
        let has_end = shape.to.is_some();
        let is_sphere = shape.kind == ShapeKind::Sphere;
        let in_frame = |name: &String| -> Result<_> { Ok((self.orientation(&shape.frame)?, self.elements(name)?)) };
        let direction = shape.direction.as_ref().filter(|_| !has_end && !is_sphere).map(in_frame).transpose()?;
        let length = shape.length.as_ref().filter(|_| direction.is_some());
        let length = length.map_or(Ok(width), |name| self.length(name))?;
        let wide = shape.width_direction.as_ref().filter(|_| !is_sphere).map(in_frame).transpose()?;
        Ok(move |row| {
            let [width, height, length] = [width, height, length].map(|length| length.at(row));
            let [begin, end] = [begin, end].map(|point| point.at(row));
            if is_sphere {
                // A sphere begins at its side, as the other shapes do.
                let centre = if has_end { (begin + end) / 2.0 } else { end };
                let radius = Vector3::x() * (width / 2.0);
                return [Vector3::x() * width, Vector3::y() * width, Vector3::z() * width, centre - radius];
            }
            let (along, begin) = match direction {
                Some((orientation, direction)) => {
                    let along = orientation.resolved(direction, row).normalize() * length;
                    (along, end - along / 2.0)
                }
                None => (end - begin, begin),
            };
            let wanted = wide.map(|(orientation, direction)| orientation.resolved(direction, row));
            let (y, z) = across(&along, wanted.unwrap_or_default());
            [along, y * width, z * height, begin]
        })
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
