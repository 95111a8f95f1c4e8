//! Motions in space that may be states: a position, and an orientation as a quaternion.
//!
//! Angular velocities are not rates of coordinates. Instead, a search for a start at rest changes `turn`, a rotation from
//! the start values, by the rotation vector.

use fmu_runtime::structure::Setting;
use fmu_runtime::unit::DEG;
use fmu_runtime::{InitialValue, Scalar, Structure, group};
use mechanics::constant;
use mechanics::euler::Sequence;
use mechanics::rotation::{from_any_quaternion, quaternion_rate, to_quaternion, turned};
use mechanics::tree::Pose;
use nalgebra::{Matrix3, Vector3};
use ports::Quaternion;

use super::super::movement::{StartOptions, visit_steady};
use crate::part::{InitialCondition, Kinematics};

/// The moving frame of a motion in space.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Moves {
    /// frame_a of a body, seen from the world frame.
    #[default]
    Body,
    /// frame_b of a joint, seen from its frame_a.
    Joint,
}

impl Moves {
    const fn pick<V: Copy>(self, body: V, joint: V) -> V {
        match self {
            Self::Body => body,
            Self::Joint => joint,
        }
    }
}

/// Options of the start values of a motion in space.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FreeStructure {
    moves: Moves,
    r: StartOptions,
    v: StartOptions,
    steady: bool,
}

impl FreeStructure {
    /// Makes the options of frame_b of a joint, which may start at rest.
    pub fn of_joint(steady: bool) -> Self {
        Self { moves: Moves::Joint, steady, ..Self::default() }
    }

    /// Makes the options of a wheel, whose rotation is that of a body.
    pub fn of_wheel() -> Self {
        Self::default()
    }

    /// Returns the options of the rows; `has_states` is true if the motion is free.
    pub fn rows(self, has_states: bool) -> FreeOptions {
        FreeOptions { structure: self, has_states }
    }
}

impl Structure for FreeStructure {
    fn visit(&mut self, visit: &mut dyn FnMut(&'static str, &'static str, &mut dyn Setting)) {
        let pick = |body, joint| self.moves.pick(body, joint);
        let r = pick(["r_0.initial", "r_0.nominal"], ["r_rel_a.initial", "r_rel_a.nominal"]);
        let v = pick(["v_0.initial", "v_0.nominal"], ["v_rel_a.initial", "v_rel_a.nominal"]);
        self.r.visit(r, visit);
        self.v.visit(v, visit);
        visit_steady(&mut self.steady, visit);
    }
}

/// Options of the rows of a motion in space.
#[derive(Clone, Copy, Debug, Default)]
pub struct FreeOptions {
    structure: FreeStructure,
    has_states: bool,
}

impl FreeOptions {
    const fn pick<V: Copy>(self, body: V, joint: V) -> V {
        self.structure.moves.pick(body, joint)
    }

    const fn der(self, name: &'static str) -> &'static str {
        if self.has_states { name } else { "" }
    }

    fn starts(self, of: StartOptions) -> bool {
        self.has_states && of.initial == InitialValue::ignore
    }
}

group! {
    /// A position with its rates.
    pub struct FreeTranslation<T>(o: FreeOptions) {
        parameter r_start: Vector3<T>, M, "Position at the start", name = o.pick("r_0_start", "r_rel_a_start"),
            text = o.pick("Position of frame_a at the start, resolved in the world frame",
                          "Position of frame_b at the start, resolved in frame_a"),
            when = o.starts(o.structure.r);
        parameter v_start: Vector3<T>, M_PER_S, "Velocity at the start", name = o.pick("v_0_start", "v_rel_a_start"),
            text = o.pick("Velocity of frame_a at the start, resolved in the world frame",
                          "Velocity of frame_b seen from frame_a at the start, resolved there"),
            when = o.starts(o.structure.v) && !o.structure.steady;
        output r: Vector3<T>, M, "Position", name = o.pick("r_0", "r_rel_a"),
            text = o.pick("Position of frame_a, resolved in the world frame", "Position of frame_b, resolved in frame_a"),
            der = o.der(o.pick("v_0", "v_rel_a")), initial = o.structure.r.initial, nominal = o.structure.r.nominal.0;
        output v: Vector3<T>, M_PER_S, "Velocity", name = o.pick("v_0", "v_rel_a"),
            text = o.pick("Velocity of frame_a, resolved in the world frame",
                          "Velocity of frame_b seen from frame_a: rate of r_rel_a"),
            der = o.der(o.pick("a_0", "a_rel_a")), initial = o.structure.v.initial, nominal = o.structure.v.nominal.0;
        output a: Vector3<T>, M_PER_S2, "Acceleration", name = o.pick("a_0", "a_rel_a"),
            text = o.pick("Acceleration of frame_a, resolved in the world frame",
                          "Acceleration of frame_b seen from frame_a: rate of v_rel_a");
    }
}

group! {
    /// ```text
    /// Q' = 1/2 Q o (w, 0) + 1/2 sqrt(w.w + (1e-6 1/s)^2) (1 - Q.Q) Q
    /// ```
    pub struct FreeRotation<T>(o: FreeOptions) {
        parameter sequence_start: [i32; 3] = [1, 2, 3], "Axes of the rotations by angles_start", min = 1.0, max = 3.0,
            when = o.has_states;
        parameter angles_start: Vector3<T>, RAD, "Angles at the start", display = DEG,
            text = o.pick("Angles of frame_a at the start, about axes of the world frame and of the frames turned so far",
                          "Angles of frame_b at the start, about axes of frame_a and of the frames turned so far"),
            when = o.has_states;
        parameter w_start: Vector3<T>, RAD_PER_S, "Angular velocity at the start", name = o.pick("w_0_start", "w_rel_a_start"),
            text = o.pick("Angular velocity of frame_a at the start, resolved in the world frame",
                          "Angular velocity of frame_b with respect to frame_a at the start, resolved in frame_a"),
            when = o.has_states && !o.structure.steady;
        output Q: Quaternion<T>, ONE, "Quaternion", der = o.der("der_Q"), when = o.has_states,
            text = o.pick("Quaternion of the rotation from the world frame to frame_a, scalar part last",
                          "Quaternion of the rotation from frame_a to frame_b, scalar part last");
        output der_Q: Quaternion<T>, PER_S, "Derivative of Q", when = o.has_states;
        output w: Vector3<T>, RAD_PER_S, "Angular velocity", name = o.pick("w_a", "w_rel_b"),
            text = o.pick("Angular velocity of frame_a, resolved in it",
                          "Angular velocity of frame_b with respect to frame_a, resolved in frame_b"),
            der = o.der(o.pick("z_a", "z_rel_b"));
        output z: Vector3<T>, RAD_PER_S2, "Angular acceleration", name = o.pick("z_a", "z_rel_b"),
            text = o.pick("Angular acceleration of frame_a, resolved in it", "Rate of w_rel_b");
        memory turn: Vector3<T>, RAD, "Rotation from the start values, which a search for a start at rest changes",
            when = o.has_states;
    }
}

group! {
    /// Position and orientation.
    pub struct Free<T>(o: FreeOptions) {
        group translation: FreeTranslation<T> = o, "", name = "";
        group rotation: FreeRotation<T> = o, "", name = "";
    }
}

/// Angular velocity in rad/s that brings a quaternion's length back to 1 at this rate where the frame is at rest.
const SLOW: f64 = 1e-6;

impl<T: Scalar> FreeRotation<T> {
    /// See [`crate::part::Part::problem`].
    pub fn problem(&self) -> Option<String> {
        Sequence::new(self.sequence_start).err().map(|error| format!("sequence_start is {error}"))
    }

    fn rotation_start(&self) -> Matrix3<T> {
        Sequence::new(self.sequence_start).unwrap_or_default().rotation(&self.angles_start)
    }

    /// Returns the rotation from the first to the second frame, none if the quaternion has no direction.
    pub fn rotation(&self) -> Option<Matrix3<T>> {
        from_any_quaternion(&self.Q.0)
    }

    /// See [`crate::part::Part::start`], for one of three directions.
    pub fn start(&self, i: usize) -> [T; 2] {
        [T::zero(), (self.rotation_start() * self.w_start)[i]]
    }

    /// See [`crate::part::Part::own`].
    pub fn own(&self, i: usize) -> [T; 3] {
        [self.turn[i], self.w[i], T::zero()]
    }

    /// See [`crate::part::Part::set_own`].
    pub fn set_own(&mut self, i: usize, [x, v]: [T; 2]) {
        (self.turn[i], self.w[i]) = (x, v);
        self.Q = Quaternion(turned(&to_quaternion(&self.rotation_start()), &self.turn));
    }

    /// See [`crate::part::Part::set_outputs`]; its positions begin with number `first`.
    pub fn set_outputs(&mut self, motion: &Kinematics<'_, T>, first: usize) {
        self.w = Vector3::from_fn(|i, _| motion.v(first + i));
        self.z = Vector3::from_fn(|i, _| motion.a(first + i));
        let Quaternion(q) = self.Q;
        let rate = (self.w.norm_squared() + constant::<T>(SLOW * SLOW)).sqrt();
        let restoring = q * (rate * (T::one() - q.norm_squared()) * constant::<T>(0.5));
        self.der_Q = Quaternion(quaternion_rate(&q, &self.w) + restoring);
    }
}

impl<T: Scalar> Free<T> {
    /// See [`crate::part::Multibody::pose`].
    pub fn pose(&self) -> Option<Pose<T>> {
        self.rotation.rotation().map(|rotation| Pose { r: self.translation.r, T: rotation })
    }

    /// See [`crate::part::Part::start`].
    pub fn start(&self, structure: &FreeStructure, own: usize) -> [T; 2] {
        let FreeTranslation { r_start, v_start, r, v, .. } = &self.translation;
        match own {
            0..3 => [structure.r.pick(r[own], r_start[own]), structure.v.pick(v[own], v_start[own])],
            _ => self.rotation.start(own - 3),
        }
    }

    /// See [`crate::part::Part::initial_conditions`].
    pub fn initial_conditions(
        &self,
        structure: &FreeStructure,
        _first: usize,
        rests: bool,
    ) -> Vec<InitialCondition<T>> {
        let pick = |body, joint| structure.moves.pick(body, joint);
        let r = pick(["r_0[1]", "r_0[2]", "r_0[3]"], ["r_rel_a[1]", "r_rel_a[2]", "r_rel_a[3]"]);
        let v = pick(["v_0[1]", "v_0[2]", "v_0[3]"], ["v_rel_a[1]", "v_rel_a[2]", "v_rel_a[3]"]);
        let a = pick(["a_0[1]", "a_0[2]", "a_0[3]"], ["a_rel_a[1]", "a_rel_a[2]", "a_rel_a[3]"]);
        let (w, z) = (pick(W_A, W_REL_B), pick(Z_A, Z_REL_B));
        let mut all = Vec::new();
        for i in 0..3 {
            all.push(InitialCondition::of(i, (r[i], 0), self.translation.r[i], structure.r.wanted()));
            all.push(InitialCondition::of(i, (v[i], 1), self.translation.v[i], structure.v.wanted()));
            if rests || structure.steady {
                all.extend(InitialCondition::at_rest(i, [v[i], a[i]]));
                all.extend(InitialCondition::at_rest(i + 3, [w[i], z[i]]));
            }
        }
        all
    }

    /// See [`crate::part::Part::own`].
    pub fn own(&self, own: usize) -> [T; 3] {
        match own {
            0..3 => [self.translation.r[own], self.translation.v[own], T::zero()],
            _ => self.rotation.own(own - 3),
        }
    }

    /// See [`crate::part::Part::set_own`].
    pub fn set_own(&mut self, own: usize, [x, v]: [T; 2]) {
        match own {
            0..3 => (self.translation.r[own], self.translation.v[own]) = (x, v),
            _ => self.rotation.set_own(own - 3, [x, v]),
        }
    }

    /// See [`crate::part::Part::set_velocity`].
    pub fn set_velocity(&mut self, own: usize, velocity: T) {
        match own {
            0..3 => self.translation.v[own] = velocity,
            _ => self.rotation.w[own - 3] = velocity,
        }
    }

    /// See [`crate::part::Part::set_outputs`].
    pub fn set_outputs(&mut self, motion: &Kinematics<'_, T>) {
        self.translation.a = Vector3::from_fn(|i, _| motion.a(i));
        self.rotation.set_outputs(motion, 3);
    }
}

/// Names of the variables of bodies for messages.
pub const W_A: [&str; 3] = ["w_a[1]", "w_a[2]", "w_a[3]"];
pub const Z_A: [&str; 3] = ["z_a[1]", "z_a[2]", "z_a[3]"];
/// Names of the variables of joints for messages.
pub const W_REL_B: [&str; 3] = ["w_rel_b[1]", "w_rel_b[2]", "w_rel_b[3]"];
pub const Z_REL_B: [&str; 3] = ["z_rel_b[1]", "z_rel_b[2]", "z_rel_b[3]"];
