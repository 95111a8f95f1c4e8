//! Motions of the two frames, and the corresponding loads.

use fmu_tests::api::Status;
use fmu_tests::finished::{Fmu, Instance};
use mechanics::compliance::{MomentRule, force, loss_power, moment};
use mechanics::euler::Sequence;
use mechanics::frame::{Frame, Relative};
use nalgebra::{Matrix3, Rotation3, Vector3};
use proptest::prelude::*;

use crate::schedule::Schedule;

/// The inputs of a gripper with cardan angles; both frames, three elements each.
pub const INPUTS: [&str; 8] = [
    "frame_a.r_0", "frame_a.phi", "frame_a.v_0", "frame_a.R.w", "frame_b.r_0", "frame_b.phi", "frame_b.v_0",
    "frame_b.R.w",
];

/// The loads, with the number of elements.
pub const LOADS: [(&str, usize); 5] =
    [("frame_a.f", 3), ("frame_a.t", 3), ("frame_b.f", 3), ("frame_b.t", 3), ("lossPower", 1)];

/// Values of the inputs.
pub type Point = [Vector3<f64>; 8];

/// Inputs that are linear between points at equal distances in time.
#[derive(Clone, Debug)]
pub struct Motion {
    /// Time between two points, in s.
    pub h: f64,
    /// Points of the motion.
    pub points: Vec<Point>,
}

impl Motion {
    /// Returns the slopes of a piece.
    pub fn rates(&self, piece: usize) -> Point {
        std::array::from_fn(|i| (self.points[piece + 1][i] - self.points[piece][i]) / self.h)
    }

    /// Returns the values at a time after the start of a piece.
    pub fn after(&self, piece: usize, s: f64) -> Point {
        let rates = self.rates(piece);
        std::array::from_fn(|i| self.points[piece][i] + rates[i] * s)
    }

    /// Returns the values at a time.
    pub fn at(&self, time: f64) -> Point {
        let piece = ((time / self.h).floor() as usize).min(self.points.len() - 2);
        self.after(piece, time - piece as f64 * self.h)
    }
}

/// Returns motions of two frames with less than a quarter turn between them.
pub fn motions(pieces: usize) -> impl Strategy<Value = Motion> {
    let vector = |size: f64| prop::array::uniform3(-size..size).prop_map(Vector3::from);
    let point =
        (vector(2.0), vector(1.0), vector(1.0), vector(1.0), vector(0.2), vector(0.3), vector(1.0), vector(1.0));
    let point = point.prop_map(|(r, phi, v, w, dr, dphi, dv, dw)| [r, phi, v, w, r + dr, phi + dphi, v + dv, w + dw]);
    (0.01..0.2, prop::collection::vec(point, pieces + 1)).prop_map(|(h, points)| Motion { h, points })
}

/// The parameters of a gripper.
#[derive(Clone, Copy, Debug)]
pub struct Data {
    pub trans_dir: usize,
    pub stiffness: f64,
    pub damping: f64,
    pub use_moment: bool,
    pub angular_stiffness: f64,
    pub angular_damping: f64,
    pub use_in_place: bool,
    pub reset_to_zero: bool,
}

/// Factors of the forces along x, y, z in each of the seven choices of TransDir: 1 if they act.
pub const MASKS: [[f64; 3]; 7] = [
    [1.0, 1.0, 1.0],
    [1.0, 1.0, 0.0],
    [0.0, 1.0, 1.0],
    [1.0, 0.0, 1.0],
    [1.0, 0.0, 0.0],
    [0.0, 1.0, 0.0],
    [0.0, 0.0, 1.0],
];

/// The default parameters of the gripper.
pub const DEFAULTS: Data = Data {
    trans_dir: 0,
    stiffness: 1e6,
    damping: 1e3,
    use_moment: false,
    angular_stiffness: 1e4,
    angular_damping: 1e2,
    use_in_place: false,
    reset_to_zero: false,
};

/// Returns all combinations with random coefficients.
pub fn data() -> impl Strategy<Value = Data> {
    let flags = (any::<bool>(), any::<bool>(), any::<bool>());
    let coefficients = (1e3..1e6, 1.0..1e3, 1e2..1e4, 1.0..1e2);
    (0..7_usize, flags, coefficients).prop_map(|(trans_dir, flags, coefficients)| Data {
        trans_dir,
        stiffness: coefficients.0,
        damping: coefficients.1,
        use_moment: flags.0,
        angular_stiffness: coefficients.2,
        angular_damping: coefficients.3,
        use_in_place: flags.1,
        reset_to_zero: flags.2,
    })
}

impl Data {
    /// Sets these parameters of an instance.
    pub fn set(&self, instance: &Instance<'_>) {
        let values = [
            ("TransDir", self.trans_dir as f64 + 1.0),
            ("cT", self.stiffness),
            ("dT", self.damping),
            ("useMoment", f64::from(self.use_moment)),
            ("cR", self.angular_stiffness),
            ("dR", self.angular_damping),
            ("useInPlace", f64::from(self.use_in_place)),
            ("setAngles", 1.0 + f64::from(self.reset_to_zero)),
        ];
        for (name, value) in values {
            assert_eq!(instance.set(name, &[value]), Status::Ok, "{name}");
        }
    }

    /// Returns the loads at a point, with the offsets of another one.
    pub fn loads(&self, onoff: f64, at: &Relative<f64>, captured: &Relative<f64>) -> Vec<f64> {
        let angles = |relative: &Relative<f64>| Sequence::XYZ.angles(&relative.T, 0.0);
        let (mut r0, mut theta0) = (Vector3::zeros(), Vector3::zeros());
        if self.use_in_place {
            r0 = captured.r;
            theta0 = if self.reset_to_zero { theta0 } else { angles(captured).theta };
        }
        let mask = Vector3::from(MASKS[self.trans_dir]);
        let (stiffness, damping) = (mask * self.stiffness, mask * self.damping);
        let moments = f64::from(self.use_moment);
        let angular_stiffness = Vector3::repeat(moments * self.angular_stiffness);
        let angular_damping = Vector3::repeat(moments * self.angular_damping);
        let f = force(at, &stiffness, &damping, &r0);
        let m =
            moment(at, Sequence::XYZ, &angles(at), MomentRule::Literal, &angular_stiffness, &angular_damping, &theta0);
        let (load_a, load_b) = at.cut_loads(&(f * onoff), &(m * onoff));
        let loss = onoff * loss_power(at, &damping, &angular_damping);
        let vectors = [load_a.f, load_a.t, load_b.f, load_b.t];
        vectors.iter().flat_map(|vector| vector.iter().copied()).chain([loss]).collect()
    }
}

/// Returns the matrix from the world to a frame of cardan angles.
pub fn matrix(phi: &Vector3<f64>) -> Matrix3<f64> {
    let unit = [Vector3::x_axis(), Vector3::y_axis(), Vector3::z_axis()];
    let turns = unit.iter().zip(phi.iter()).map(|(axis, angle)| Rotation3::from_axis_angle(axis, *angle));
    turns.fold(Rotation3::identity(), |product, turn| product * turn).matrix().transpose()
}

/// Returns the two frames of a point.
pub fn frames(point: &Point) -> [Frame<f64>; 2] {
    [0, 4].map(|i| Frame { r_0: point[i], T: matrix(&point[i + 1]), v_0: point[i + 2], w: point[i + 3] })
}

/// Returns the motion of frame_b relative to frame_a.
pub fn relative(point: &Point) -> Relative<f64> {
    let [a, b] = frames(point);
    Relative::new(&a, &b)
}

/// Returns the values of a point, one after the other.
pub fn flat(point: &Point) -> Vec<f64> {
    point.iter().flat_map(|vector| vector.iter().copied()).collect()
}

/// A gripper whose orientations are given by cardan angles, with its references looked up.
pub struct Gripper<'a> {
    pub instance: Instance<'a>,
    inputs: Vec<u32>,
    loads: Vec<u32>,
    others: [u32; 2],
}

/// Results recorded at a communication point.
#[derive(Clone, Debug)]
pub struct Row {
    pub state: f64,
    pub onoff: f64,
    pub loads: Vec<f64>,
}

impl<'a> Gripper<'a> {
    pub fn new(instance: Instance<'a>) -> Self {
        let references = |names: &[&str]| names.iter().flat_map(|name| instance.references(name)).collect::<Vec<_>>();
        let (inputs, loads) = (references(&INPUTS), references(&LOADS.map(|(name, _)| name)));
        let others = references(&["state", "onoff"]).try_into().unwrap();
        Self { instance, inputs, loads, others }
    }

    pub fn set(&self, point: &Point) {
        assert_eq!(self.instance.fmi.set_real(&self.inputs, &flat(point)), Status::Ok);
    }

    pub fn set_rates(&self, rates: &Point) {
        let orders = vec![1; self.inputs.len()];
        assert_eq!(self.instance.fmi.set_real_input_derivatives(&self.inputs, &orders, &flat(rates)), Status::Ok);
    }

    pub fn set_active(&self, active: bool) {
        assert_eq!(self.instance.set("active", &[f64::from(active)]), Status::Ok);
    }

    pub fn row(&self) -> Row {
        let real = |references: &[u32]| {
            let (status, values) = self.instance.fmi.get_real(references);
            assert_eq!(status, Status::Ok, "{:?}", self.instance.fmi.messages());
            values
        };
        let (status, state) = self.instance.fmi.get_integer(&self.others[..1]);
        assert_eq!(status, Status::Ok);
        Row { state: state[0].into(), onoff: real(&self.others[1..])[0], loads: real(&self.loads) }
    }

    /// Sets parameters and inputs at the start, before initialisation.
    pub fn prepare(&self, data: &Data, motion: &Motion, schedule: &Schedule) {
        data.set(&self.instance);
        assert_eq!(self.instance.set("T", &[schedule.ramp]), Status::Ok);
        self.set(&motion.points[0]);
        self.set_active(schedule.active);
    }

    /// Runs a motion in Co-Simulation, each piece in equal steps; returns a row for each end of a piece.
    pub fn run(&self, data: &Data, motion: &Motion, schedule: &Schedule, steps: u32) -> Vec<Row> {
        self.prepare(data, motion, schedule);
        self.instance.initialise();
        let pieces = 0..motion.points.len() - 1;
        let rows = pieces.map(|piece| {
            let (begin, end) = (piece as f64 * motion.h, (piece + 1) as f64 * motion.h);
            self.set_active(schedule.active_at(begin));
            let time =
                |step: u32| if step == steps { end } else { begin + motion.h * f64::from(step) / f64::from(steps) };
            for step in 0..steps {
                self.set(&motion.after(piece, time(step) - begin));
                self.set_rates(&motion.rates(piece));
                self.instance.step(time(step), time(step + 1) - time(step));
            }
            self.row()
        });
        rows.collect()
    }
}

/// Returns the expected result of a run.
pub fn expected(data: &Data, motion: &Motion, schedule: &Schedule) -> Vec<Row> {
    let row = |piece: usize| {
        let time = piece as f64 * motion.h;
        let (state, onoff) = schedule.at(time);
        let captured = relative(&motion.at(schedule.captured_at(time)));
        Row { state, onoff, loads: data.loads(onoff, &relative(&motion.points[piece]), &captured) }
    };
    (1..motion.points.len()).map(row).collect()
}

/// Compares onoff to 1e-12, and each kind of load to 1e-12 of its largest magnitude; loads of springs on nearly
/// captured positions and angles, to 1e-12 m and 1e-12 rad.
pub fn assert_same(data: &Data, found: &[Row], expected: &[Row]) {
    assert_eq!(found.len(), expected.len());
    let unit_load = data.stiffness + f64::from(data.use_moment) * data.angular_stiffness;
    let mut first = 0;
    for (name, count) in LOADS {
        let range = first..first + count;
        first += count;
        let all = expected.iter().flat_map(|row| &row.loads[range.clone()]);
        let size = all.fold(unit_load, |size, value| size.max(value.abs()));
        for (found, expected) in found.iter().zip(expected) {
            for i in range.clone() {
                let (found_load, expected_load) = (found.loads[i], expected.loads[i]);
                let near = (found_load - expected_load).abs() <= 1e-12 * size;
                assert!(near, "{name} of {size:e}: {found_load} is not {expected_load}\n{found:?}\n{expected:?}");
            }
        }
    }
    for (found, expected) in found.iter().zip(expected) {
        assert_eq!(found.state, expected.state, "{found:?}\n{expected:?}");
        assert!((found.onoff - expected.onoff).abs() <= 1e-12, "{found:?}\n{expected:?}");
    }
}

/// Makes a gripper whose orientations are given by cardan angles.
pub fn with_cardan_angles() -> Fmu {
    Fmu::new("gripper", &["orientation=cardan"])
}
