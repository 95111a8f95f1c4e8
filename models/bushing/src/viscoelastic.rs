//! Elements parallel to the springs: Maxwell elements, and friction.

use fmu_runtime::unit::{self, Unit};
use fmu_runtime::{ModelError, Scalar, declared, group};
use mechanics::compliance::{deflection, rates_of_angles};
use mechanics::constant;
use mechanics::euler::{Angles, Sequence};
use mechanics::frame::Relative;
use mechanics::viscoelastic::{COORDINATES, Path, Relaxation, creep, follow_path, relax, walk};
use nalgebra::Vector3;
use ports::{FrameMotion, Orientation};

/// Largest number of Maxwell elements of translation, and of rotation.
pub const MAX_ELEMENTS: usize = 3;

group! {
    /// Elements parallel to the springs, each between a deflection and an inner point.
    pub struct Rubber<T>(o: RubberOptions) {
        group maxwell_T1: Element<T> = o.maxwell(0, 0, T1), "first Maxwell element of translation", name = "";
        group maxwell_T2: Element<T> = o.maxwell(0, 1, T2), "second Maxwell element of translation", name = "";
        group maxwell_T3: Element<T> = o.maxwell(0, 2, T3), "third Maxwell element of translation", name = "";
        group maxwell_R1: Element<T> = o.maxwell(1, 0, R1), "first Maxwell element of rotation", name = "";
        group maxwell_R2: Element<T> = o.maxwell(1, 1, R2), "second Maxwell element of rotation", name = "";
        group maxwell_R3: Element<T> = o.maxwell(1, 2, R3), "third Maxwell element of rotation", name = "";
        group friction_T: Element<T> = o.friction(0, TF), "friction of translation", name = "";
        group friction_R: Element<T> = o.friction(1, RF), "friction of rotation", name = "";
        memory reached_T: Vector3<T>, M, "deflection up to which friction has followed the path";
        memory reached_R: Vector3<T>, RAD, "deflection of the angles up to which friction has followed the path";
        memory steps: T, ONE, "1 where steps follow the path (Co-Simulation), 0 where a solver does";
    }
}

group! {
    /// A viscoelastic element: a spring from the deflection to the inner point, which a damper or friction holds.
    pub struct Element<T>(o: ElementOptions) {
        parameter stiffness: Vector3<T> = o.of.stiffness.start, "stiffness", name = o.of.stiffness.name, text = o.of.stiffness.text,
            unit = o.of.stiffness.unit, min = 0.0, when = o.exists;
        parameter tau_or_limit: Vector3<T> = o.of.limit.start, "relaxation time or largest load", name = o.of.limit.name,
            text = o.of.limit.text, unit = o.of.limit.unit, min = o.of.least, when = o.exists;
        local inner: Vector3<T>, "inner point", name = o.of.inner.name, text = o.of.inner.text, unit = o.of.inner.unit,
            nominal = o.of.inner.start[0], der = o.of.rate.name, when = o.exists;
        local rate: Vector3<T>, "rate of the inner point", name = o.of.rate.name, text = o.of.rate.text,
            unit = o.of.rate.unit, when = o.exists;
    }
}

/// A row of an element. The start of an inner point is its nominal value.
#[derive(Debug)]
struct Row {
    name: &'static str,
    text: &'static str,
    unit: &'static Unit,
    start: [f64; 3],
}

/// The rows of an element.
#[derive(Debug)]
pub struct ElementRows {
    stiffness: Row,
    /// Relaxation times, or largest loads.
    limit: Row,
    least: f64,
    inner: Row,
    rate: Row,
}

/// The smallest relaxation time, in s: FMI can only express minima that are included.
const MIN_TIME_CONSTANT: f64 = 1e-9;

macro_rules! maxwell {
    ($($NAME:ident: $direction:literal $number:literal, $stiffness:expr, $tau:expr, $of:ident;)*) => { $(
        const $NAME: &ElementRows = &ElementRows {
            stiffness: Row {
                name: concat!($direction, "S_maxwell_", $number),
                text: declared(concat!($of!(stiffness), " of Maxwell element ", $number)),
                unit: $of!(N),
                start: $stiffness,
            },
            limit: Row {
                name: concat!($direction, "tau_maxwell_", $number),
                text: declared(concat!("Relaxation times of Maxwell element ", $number, $of!(axes))),
                unit: unit::S,
                start: [$tau; 3],
            },
            least: MIN_TIME_CONSTANT,
            inner: Row {
                name: concat!($of!(inner), "_maxwell_", $number),
                text: declared(concat!("Deflection of the damper of Maxwell element ", $number, $of!(axes))),
                unit: $of!(M),
                start: [$of!(nominal); 3],
            },
            rate: Row {
                name: concat!($of!(rate), "_maxwell_", $number),
                text: declared(concat!("Rate of the deflection of the damper of Maxwell element ", $number, $of!(axes))),
                unit: $of!(M_PER_S),
                start: [0.0; 3],
            },
        };
    )* };
}

macro_rules! friction {
    ($($NAME:ident: $direction:literal, $stiffness:expr, $letter:literal $load:literal, $limit:expr, $of:ident;)*) => { $(
        const $NAME: &ElementRows = &ElementRows {
            stiffness: Row {
                name: concat!($direction, "S_friction"),
                text: declared(concat!($of!(stiffness), " that friction adds to a small deflection")),
                unit: $of!(N),
                start: $stiffness,
            },
            limit: Row {
                name: concat!($direction, $letter, "_friction"),
                text: declared(concat!("Largest ", $load, " of friction", $of!(axes))),
                unit: $of!(LOAD),
                start: $limit,
            },
            least: 0.0,
            inner: Row {
                name: concat!($of!(inner), "_friction"),
                text: declared(concat!("Deflection of what slides in the rubber", $of!(axes))),
                unit: $of!(M),
                start: [$of!(nominal); 3],
            },
            rate: Row {
                name: concat!($of!(rate), "_friction"),
                text: declared(concat!("Rate of the deflection of what slides in the rubber", $of!(axes))),
                unit: $of!(M_PER_S),
                start: [0.0; 3],
            },
        };
    )* };
}

#[rustfmt::skip]
macro_rules! translation {
    (stiffness) => { "Translational stiffness along the axes of frame_a" };
    (axes) => { " along the axes of frame_a" };
    (inner) => { "s" };
    (rate) => { "v" };
    (nominal) => { 1e-3 };
    (N) => { unit::N_PER_M };
    (LOAD) => { unit::N };
    (M) => { unit::M };
    (M_PER_S) => { unit::M_PER_S };
}

#[rustfmt::skip]
macro_rules! rotation {
    (stiffness) => { "Rotational stiffness of the three Euler angles" };
    (axes) => { " of the three Euler angles" };
    (inner) => { "th" };
    (rate) => { "w" };
    (nominal) => { 1e-2 };
    (N) => { unit::NM_PER_RAD };
    (LOAD) => { unit::N_M };
    (M) => { unit::RAD };
    (M_PER_S) => { unit::RAD_PER_S };
}

// A fifth of the springs' defaults, with relaxation times a decade apart; friction that is used up after 0.1 mm and 1 mrad.
maxwell! {
    T1: "T" "1", [9e5, 9e5, 1.6e5], 0.1, translation;
    T2: "T" "2", [9e5, 9e5, 1.6e5], 0.01, translation;
    T3: "T" "3", [9e5, 9e5, 1.6e5], 0.001, translation;
    R1: "R" "1", [520.0, 520.0, 20.0], 0.1, rotation;
    R2: "R" "2", [520.0, 520.0, 20.0], 0.01, rotation;
    R3: "R" "3", [520.0, 520.0, 20.0], 0.001, rotation;
}
friction! {
    TF: "T", [9e5, 9e5, 1.6e5], "F" "force", [90.0, 90.0, 16.0], translation;
    RF: "R", [520.0, 520.0, 20.0], "M" "moment", [0.52, 0.52, 0.02], rotation;
}

/// Options of the elements parallel to the springs, of translation and of rotation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RubberOptions {
    /// Number of Maxwell elements.
    pub maxwell: [usize; 2],
    /// True if there is friction.
    pub friction: [bool; 2],
}

impl RubberOptions {
    /// True if there is any element.
    pub fn exists(self) -> bool {
        self != Self::default()
    }

    fn maxwell(self, kind: usize, number: usize, of: &'static ElementRows) -> ElementOptions {
        ElementOptions { of, exists: number < self.maxwell[kind] }
    }

    fn friction(self, kind: usize, of: &'static ElementRows) -> ElementOptions {
        ElementOptions { of, exists: self.friction[kind] }
    }
}

/// Options of an [`Element`].
#[derive(Clone, Copy, Debug)]
pub struct ElementOptions {
    of: &'static ElementRows,
    exists: bool,
}

impl Default for ElementOptions {
    fn default() -> Self {
        Self { of: T1, exists: false }
    }
}

/// Returns the deflections of the springs between two frames, of translation and of rotation. The options tell how
/// orientations are given and angles measured.
// Not inlined, and with copies: what is given by reference would have to be in memory in bushings without rubber, too.
#[inline(never)]
pub fn deflections<T: Scalar>(
    (orientation, sequence): (Orientation, Sequence),
    [a, b]: [FrameMotion<T>; 2],
    [r0, theta0]: [Vector3<T>; 2],
    theta1: T,
) -> Result<[Vector3<T>; 2], ModelError> {
    let a = a.frame(orientation, "frame_a")?;
    let b = b.frame(orientation, "frame_b")?;
    let relative = Relative::new(&a, &b);
    let angles = sequence.angles_on_branch(&relative.T, theta1, &theta0);
    Ok([relative.r - r0, deflection(&angles, &theta0)])
}

/// Loads that resist and the power that is lost.
pub struct Resistance<T: Scalar> {
    /// Forces along the axes of frame_a, moments of the three angles.
    pub loads: [Vector3<T>; 2],
    /// Power in W that the elements turn into heat.
    pub loss: T,
}

impl<T: Scalar> Rubber<T> {
    /// Returns the Maxwell elements, of translation and of rotation.
    fn maxwell(&mut self, o: RubberOptions) -> [impl Iterator<Item = &mut Element<T>>; 2] {
        let Self { maxwell_T1, maxwell_T2, maxwell_T3, maxwell_R1, maxwell_R2, maxwell_R3, .. } = self;
        let [translation, rotation]: [[_; MAX_ELEMENTS]; 2] =
            [[maxwell_T1, maxwell_T2, maxwell_T3], [maxwell_R1, maxwell_R2, maxwell_R3]];
        [translation.into_iter().take(o.maxwell[0]), rotation.into_iter().take(o.maxwell[1])]
    }

    /// Returns the friction elements, of translation and of rotation, and the deflections to which they have followed
    /// the path.
    fn friction(&mut self, o: RubberOptions) -> [Option<(&mut Element<T>, &mut Vector3<T>)>; 2] {
        let Self { friction_T, friction_R, reached_T, reached_R, .. } = self;
        let [translation, rotation] = o.friction;
        [translation.then_some((friction_T, reached_T)), rotation.then_some((friction_R, reached_R))]
    }

    /// Puts all elements at rest at deflections.
    pub fn relax(&mut self, o: RubberOptions, x: [Vector3<T>; 2]) {
        for (elements, x) in self.maxwell(o).into_iter().zip(x) {
            elements.for_each(|element| element.inner = x);
        }
        for (friction, x) in self.friction(o).into_iter().zip(x) {
            if let Some((element, reached)) = friction {
                element.inner = x;
                *reached = x;
            }
        }
    }

    /// Computes the loads that resist deflections, which change with the relative motion. `time_derivative` is that of
    /// the context.
    #[inline(never)]
    pub fn resist(
        &mut self,
        o: RubberOptions,
        deflections: [Vector3<T>; 2],
        (relative, sequence, angles): (Relative<T>, Sequence, Angles<T>),
        time_derivative: T,
    ) -> Resistance<T> {
        let turns = o.friction[1];
        let rates = || rates_of_angles(sequence, &angles, &relative.omega);
        let v = [relative.v, if turns { rates() } else { Vector3::zeros() }];
        self.resist_rates(o, deflections, v, time_derivative)
    }

    /// Computes the loads that resist deflections `x` with the rates `v`, and the rates of the inner points.
    #[inline(never)]
    fn resist_rates(
        &mut self,
        o: RubberOptions,
        x: [Vector3<T>; 2],
        v: [Vector3<T>; 2],
        time_derivative: T,
    ) -> Resistance<T> {
        let mut resistance = Resistance { loads: [Vector3::zeros(); 2], loss: T::zero() };
        let follows = self.steps.value() > 0.5;
        let passes = time_derivative.tangent() != 0.0;
        for (kind, elements) in self.maxwell(o).into_iter().enumerate() {
            for element in elements {
                let gap = x[kind] - element.inner;
                element.rate = gap.component_div(&element.tau_or_limit);
                let load = element.stiffness.component_mul(&gap);
                resistance.loss += load.dot(&element.rate);
                resistance.loads[kind] += load;
            }
        }
        for (kind, friction) in self.friction(o).into_iter().enumerate() {
            let Some((element, reached)) = friction else { continue };
            for axis in 0..3 {
                let Some(reach) = element.reach(axis) else {
                    element.rate[axis] = T::zero();
                    continue;
                };
                let (at, v) = (x[kind][axis], v[kind][axis]);
                let from = if follows { reached[axis] } else { at };
                let before = from - element.inner[axis];
                // In a step the path moves the inner point, not time.
                let before = if passes && follows { constant(before.value()) } else { before };
                let along = if passes { at.tangent() } else { v.value() };
                let z = walk(before, at - from, reach, sign(along));
                // From the left, a velocity that is 0 has had the sign opposite to its rate.
                let was = if passes && v.value() == 0.0 { -v.tangent() } else { v.value() };
                let rate = creep(z, v, reach, sign(was));
                let load = element.stiffness[axis] * z;
                element.rate[axis] = rate;
                resistance.loss += load * rate;
                resistance.loads[kind][axis] += load;
            }
        }
        resistance
    }

    /// Moves the inner points over `h` in s at rest.
    pub fn wait(&mut self, o: RubberOptions, x: [Vector3<f64>; 2], h: f64) {
        for (elements, x) in self.maxwell(o).into_iter().zip(x) {
            for element in elements {
                element.move_inner(|axis, q, tau| relax(q, x[axis], h, tau));
            }
        }
    }

    /// Moves the inner points over `h` in s along paths.
    pub fn follow(&mut self, o: RubberOptions, h: f64, paths: &[Path; COORDINATES]) {
        let (translation, rotation) = paths.split_at(3);
        for (elements, paths) in self.maxwell(o).into_iter().zip([translation, rotation]) {
            for element in elements {
                element.move_inner(|axis, q, tau| Relaxation::new(h, tau).after(q, &paths[axis]));
            }
        }
        for (friction, paths) in self.friction(o).into_iter().zip([translation, rotation]) {
            let Some((element, reached)) = friction else { continue };
            for axis in 0..3 {
                let (begin, end) = (paths[axis].at(0.0), paths[axis].at(1.0));
                if let Some(reach) = element.reach(axis) {
                    let z = follow_path(begin - element.inner[axis].value(), &paths[axis], reach.value());
                    element.inner[axis] = nalgebra::convert(end - z);
                }
                reached[axis] = nalgebra::convert(end);
            }
        }
    }

    /// Follows a jump to deflections, as if it were a path in one direction.
    pub fn jump(&mut self, o: RubberOptions, x: [Vector3<f64>; 2]) {
        for (friction, x) in self.friction(o).into_iter().zip(x) {
            let Some((element, reached)) = friction else { continue };
            for axis in 0..3 {
                let to: T = nalgebra::convert(x[axis]);
                if let Some(reach) = element.reach(axis) {
                    let from = reached[axis];
                    element.inner[axis] = to - walk(from - element.inner[axis], to - from, reach, 0.0);
                }
                reached[axis] = to;
            }
        }
    }
}

impl<T: Scalar> Element<T> {
    /// Returns the distance over which friction builds up along an axis, if there is friction.
    fn reach(&self, axis: usize) -> Option<T> {
        let (stiffness, limit) = (self.stiffness[axis], self.tau_or_limit[axis]);
        (stiffness.value() > 0.0 && limit.value() > 0.0).then(|| limit / stiffness)
    }

    fn move_inner(&mut self, after: impl Fn(usize, f64, f64) -> f64) {
        for axis in 0..3 {
            self.inner[axis] =
                nalgebra::convert(after(axis, self.inner[axis].value(), self.tau_or_limit[axis].value()));
        }
    }
}

/// Returns the sign of a number; 0 has none.
fn sign(number: f64) -> f64 {
    if number == 0.0 { 0.0 } else { number.signum() }
}
