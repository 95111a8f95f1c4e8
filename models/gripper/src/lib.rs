//! Gripper: a compliant connection between two frames, switched on and off by a signal.

use fmu_runtime::{
    Acausal, AcausalModel, Connector, Context, DefaultExperiment, Diagnostics, Equations, Event, Events, Indicators,
    Inputs, Memory, ModelError, Scalar, Source, Steps, enumeration, model, structure,
};
use mechanics::compliance::{force, loss_power, moment};
use mechanics::euler::{Angles, Sequence};
use mechanics::frame::Relative;
use mechanics::friction::Polynomial;
use nalgebra::{Matrix3, Vector3, convert};
use ports::{AngleMemory, EulerAngles, Frame, MomentLaw, Orientation};

model! {
    /// Massless compliant connection between frame_a and frame_b that a signal switches.
    ///
    /// ```text
    /// T = T_b T_a^T,   r = T_a (r_b - r_a),   v = T_a (v_b - v_a) - w_a x r,   omega = T^T w_b - w_a
    /// theta: Euler angles of T in the sequence [1, 2, 3];   mask: 1 along the axes of TransDir, else 0
    /// state: 1 ON, 2 ON2OFF, 3 OFF, 4 OFF2ON;   t0: when the present ramp began
    /// onoff = 1;   1 - (t - t0) / T;   0;   (t - t0) / T
    /// F = onoff mask (-cT (r - r0) - dT v)           force on the body at frame_b, resolved in frame_a  [N]
    /// M = onoff (-cR (theta - theta0) - dR omega)    moment on it, only with useMoment; see momentLaw   [N.m]
    /// frame_a.f = F,      frame_a.t = M + r x F      cut loads, acting on the component
    /// frame_b.f = -T F,   frame_b.t = -T M
    /// lossPower = onoff (v mask dT v + omega dR omega)   [W]
    /// ```
    ///
    /// r0 and theta0 are zero, or with useInPlace those of the moment when the gripper was switched on.
    /// In the states 2 and 4 active has no effect; it is looked at when the ramp ends. With useActiveLevel it is
    /// activeLevel > 0.5. Valid while cos theta_2 is not zero.
    /// Source: MapleSim help, Multibody, Forces and Moments, Gripper.
    pub struct Gripper<T>(s: Structure, data: Level): Events + Indicators + Steps + Memory + Acausal {
        parameter T: T = 0.1, S, "Duration of the ramps of activation and deactivation; no ramps if at most 1e-12 s", min = 0.0;
        parameter TransDir: Directions = Directions::all, "Axes of frame_a along which forces act";
        tunable   cT: T = 1.0e6, N_PER_M, "Translational stiffness", min = 0.0;
        tunable   dT: T = 1.0e3, NS_PER_M, "Translational damping", min = 0.0;
        parameter useMoment: bool = false, "Whether moments act, too";
        tunable   cR: T = 1.0e4, NM_PER_RAD, "Rotational stiffness of the three Euler angles", min = 0.0;
        tunable   dR: T = 1.0e2, NMS_PER_RAD, "Rotational damping about the axes of frame_a", min = 0.0;
        parameter useInPlace: bool = false, "Whether the pose at switching on is the undeformed one";
        parameter setAngles: SetAngles = SetAngles::keepCurrent, "Undeformed angles with useInPlace";

        group  frame_a: Frame<T> = s.orientation.into(), "Inboard frame", connector = Connector::Frame_a;
        group  frame_b: Frame<T> = s.orientation.into(), "Outboard frame", connector = Connector::Frame_b;
        input  active: bool = false, "Whether the gripper is to hold", when = !s.useActiveLevel;
        input  activeLevel: T, ONE, "Signal that makes the gripper hold while it is above 0.5", when = s.useActiveLevel;

        output state: i32, "1 ON, 2 ON2OFF, 3 OFF, 4 OFF2ON", min = 1.0, max = 4.0;
        output onoff: T, ONE, "Factor of the loads", min = 0.0, max = 1.0;
        output lossPower: T, W, "Power that the dampers turn into heat";

        memory t0: T, S, "Start time of the current ramp";
        memory ends: bool, "whether a ramp ends where the last step ended";
        memory r0: Vector3<T>, M, "Undeformed position of frame_b relative to frame_a, resolved in frame_a";
        memory theta0: Vector3<T>, RAD, "Undeformed Euler angles of frame_b relative to frame_a";
        memory memory: AngleMemory<T>, "Memory of the Euler angles";
        internal angles: EulerAngles<T>, "Angles of frame_b relative to frame_a";
    }
}

structure! {
    /// The structure options of the gripper.
    pub struct Structure {
        orientation: Orientation = Orientation::matrix, "How the orientation of the frames is given";
        momentLaw:   MomentLaw = MomentLaw::literal, "How the moments of the Euler angles act";
        useActiveLevel: bool = false, "A Real input switches, above 0.5, for importers that handle no Boolean inputs";
    }
}

enumeration! {
    /// Axes of frame_a along which the gripper's forces act.
    pub enum Directions {
        all = "x, y and z",
        xAndY = "x and y",
        yAndZ = "y and z",
        zAndX = "z and x",
        onlyX = "x",
        onlyY = "y",
        onlyZ = "z",
    }
}

enumeration! {
    /// Undeformed angles of a gripper that holds things in place.
    pub enum SetAngles {
        keepCurrent = "those at switching on",
        resetToZero = "zero",
    }
}

impl Directions {
    /// Returns 1 for each axis along which forces act, 0 for the others.
    fn mask<T: Scalar>(self) -> Vector3<T> {
        use Directions::*;
        let x = matches!(self, all | xAndY | zAndX | onlyX);
        let y = matches!(self, all | xAndY | yAndZ | onlyY);
        let z = matches!(self, all | yAndZ | zAndX | onlyZ);
        Vector3::new(x, y, z).map(|acts| if acts { T::one() } else { T::zero() })
    }
}

const ON: i32 = 1;
const ON2OFF: i32 = 2;
const OFF: i32 = 3;
const OFF2ON: i32 = 4;

/// Value of `activeLevel` above which the gripper is to hold.
pub struct Level(f64);

impl Default for Level {
    fn default() -> Self {
        Self(0.5)
    }
}

/// Distance of an event indicator below zero at that value: some importers look at the sign of products.
const INDICATOR_OFFSET: f64 = 1e-150;
/// Length in s up to which ramps are omitted.
const AT_ONCE: f64 = 1e-12;
/// Tolerance for the end of a ramp, relative to its length, since importers round their times.
const NEAR: f64 = 1e-9;

impl<T: Scalar> Equations<T> for Gripper<T> {
    const DESCRIPTION: &'static str = "Compliant connection between two frames that a signal switches on and off";
    const ICON: &'static str = include_str!("../icon.svg");
    const EXPERIMENT: DefaultExperiment = DefaultExperiment::until(5.0, 1e-3);
    const PACKAGES: &'static [(&'static str, &'static str)] = &[mechanics::PACKAGE];
    const HAS_MANY_INPUTS: bool = true;

    fn prepare(&self, source: &Source<'_, Structure>) -> Result<Level, ModelError> {
        // Random points for dependencies are between -0.5 and 0.5.
        Ok(if source.is_dependency_analysis() { Level(0.0) } else { Level::default() })
    }

    fn initialise(&mut self, cx: &Context<'_, T, Self>) -> Result<(), ModelError> {
        self.state = if self.is_active(cx) { ON } else { OFF };
        self.t0 = cx.time;
        let now = self.clone();
        self.capture(&now, cx.structure)
    }

    fn evaluate(&mut self, cx: &Context<'_, T, Self>) -> Result<(), ModelError> {
        let (relative, angles) = self.pose(cx.structure)?;
        self.onoff = self.onoff_at(cx);
        let mask = self.TransDir.mask::<T>() * self.onoff;
        let (stiffness, damping) = (mask * self.cT, mask * self.dT);
        let turning = if self.useMoment { self.onoff } else { T::zero() };
        let (angular_stiffness, angular_damping) =
            (Vector3::repeat(turning * self.cR), Vector3::repeat(turning * self.dR));

        let f = force(&relative, &stiffness, &damping, &self.r0);
        let law = cx.structure.momentLaw.into();
        let m = moment(&relative, Sequence::XYZ, &angles, law, &angular_stiffness, &angular_damping, &self.theta0);
        let (load_a, load_b) = relative.cut_loads(&f, &m);
        self.frame_a.load = load_a.into();
        self.frame_b.load = load_b.into();
        self.lossPower = loss_power(&relative, &damping, &angular_damping);
        self.angles = angles.into();
        Ok(())
    }
}

impl<T: Scalar> Events<T> for Gripper<T> {
    fn event(&mut self, cx: &Context<'_, T, Self>, event: &mut Event) -> Result<(), ModelError> {
        let time = cx.time.value();
        if self.ramp_end().is_some() {
            let now = self.clone();
            self.end_ramps(cx, time, &|_| now.clone())?;
        }
        if matches!(self.state, ON | OFF) && self.is_contradicted(self, cx) {
            let now = self.clone();
            let end = self.t0 + self.T;
            let right_after = (end.value() - time).abs() <= self.rounding();
            self.switch(if right_after { end } else { cx.time }, &now, cx.structure)?;
        }
        event.next_time = self.ramp_end();
        // A ramp too short for the resolution of the time.
        event.again = event.next_time.is_some_and(|end| end <= time);
        Ok(())
    }
}

impl<T: Scalar> Indicators<T> for Gripper<T> {
    const COUNT: usize = 1;

    fn has_indicators(structure: &Structure) -> bool {
        structure.useActiveLevel
    }

    fn indicators(&self, cx: &Context<'_, T, Self>, indicators: &mut [T]) {
        indicators.fill(self.activeLevel - convert::<f64, T>(cx.data.0) - convert::<f64, T>(INDICATOR_OFFSET));
    }
}

impl<T: Scalar> Steps<T> for Gripper<T> {
    fn advance(&mut self, cx: &Context<'_, T, Self>, inputs: &Inputs<'_, Self>, h: f64) -> Result<(), ModelError> {
        self.settle(cx)?;
        let begin = cx.time.value();
        let at = |time: f64| inputs.at((time - begin).max(0.0).min(h));
        let mut from = begin;
        loop {
            from = self.end_ramps(cx, begin + h, &at)?.unwrap_or(from);
            let Some(s) = self.contradiction(cx, inputs, from - begin, h) else { return Ok(()) };
            from = begin + s;
            self.switch(convert(from), &at(from), cx.structure)?;
        }
    }

    fn advance_to_event(
        &mut self,
        cx: &Context<'_, T, Self>,
        inputs: &Inputs<'_, Self>,
        h: f64,
    ) -> Result<Option<f64>, ModelError> {
        self.settle(cx)?;
        let begin = cx.time.value();
        let end = self.ramp_end().filter(|end| *end <= begin + h + self.rounding());
        if end.is_none() {
            self.advance(cx, inputs, h)?;
        }
        Ok(end.map(|end| end - begin))
    }
}

impl<T: Scalar> Memory<T> for Gripper<T> {
    fn completed_step(&mut self, _cx: &Context<'_, T, Self>, diagnostics: &mut Diagnostics) {
        self.follow_angles(diagnostics);
    }
}

impl<T: Scalar> Acausal<T> for Gripper<T> {
    /// Position, rotation matrix by rows, velocity and angular velocity of frame_a and of frame_b; time, t0, r0, theta0. Cut
    /// loads at frame_a and frame_b, onoff, lossPower; r0 and theta0 of the present pose, if it was captured.
    const LAW: [usize; 2] = [44, 20];

    fn acausal_model(structure: &Structure) -> AcausalModel {
        let mut text = include_str!("gripper.mo").to_owned();
        if structure.useActiveLevel {
            text = text.replace("BooleanInput active ", "RealInput activeLevel(unit = \"1\") ");
            text = text.replace("protected\n", "protected\n  Boolean active = activeLevel > 0.5 \"As an event\";\n");
        }
        AcausalModel { text, without: Vec::new() }
    }

    /// Evaluates the law; the branch is the state.
    fn law(
        &self,
        cx: &Context<'_, T, Self>,
        branch: i32,
        arguments: &[T],
        results: &mut [T],
    ) -> Result<(), ModelError> {
        let mut at = self.clone();
        let mut given = arguments.iter().copied();
        let mut next = || given.next().unwrap_or(T::zero());
        for frame in [&mut at.frame_a, &mut at.frame_b] {
            frame.motion.r_0 = Vector3::from_fn(|_, _| next());
            frame.motion.R_T.0 = Matrix3::from_fn(|_, _| next()).transpose();
            frame.motion.v_0 = Vector3::from_fn(|_, _| next());
            frame.motion.R_w = Vector3::from_fn(|_, _| next());
        }
        let structure = Structure { orientation: Orientation::matrix, ..cx.structure.clone() };
        let cx = Context { time: next(), structure: &structure, data: cx.data };
        (at.state, at.ends, at.t0) = (branch, false, next());
        at.r0 = Vector3::from_fn(|_, _| next());
        at.theta0 = Vector3::from_fn(|_, _| next());
        at.evaluate(&cx)?;
        let now = at.clone();
        at.capture(&now, &structure)?;
        let (a, b) = (&now.frame_a.load, &now.frame_b.load);
        let (loads, captured) = ([a.f, a.t, b.f, b.t], [at.r0, at.theta0]);
        let computed = loads.iter().flatten().chain([&now.onoff, &now.lossPower]).chain(captured.iter().flatten());
        results.iter_mut().zip(computed).for_each(|(result, value)| *result = *value);
        Ok(())
    }
}

impl<T: Scalar> Gripper<T> {
    /// Updates the memory of the Euler angles at the end of a step. While they have no moments, none can jump.
    pub fn follow_angles(&mut self, diagnostics: &mut Diagnostics) {
        if self.useMoment && self.onoff.value() > 0.0 && self.cR.value() > 0.0 {
            self.memory.follow(&self.angles, [1, 2, 3], diagnostics);
        } else {
            self.memory.follow_silently(&self.angles);
        }
    }

    // Not inlined, to keep the library small.
    #[inline(never)]
    fn pose(&self, s: &Structure) -> Result<(Relative<T>, Angles<T>), ModelError> {
        let a = self.frame_a.motion.frame(s.orientation, "frame_a")?;
        let b = self.frame_b.motion.frame(s.orientation, "frame_b")?;
        let relative = Relative::new(&a, &b);
        Ok((relative, Sequence::XYZ.angles(&relative.T, self.memory.theta1)))
    }

    /// Returns the factor of the loads. A solver may try times outside the ramp.
    fn onoff_at(&self, cx: &Context<'_, T, Self>) -> T {
        // Uses max and min: the panic of clamp would pull the formatting of floats into the library.
        // The compiler may divide in all states, also where there are no ramps.
        let duration = self.T.max(convert(AT_ONCE));
        let passed = || ((cx.time - self.t0) / duration).max(T::zero()).min(T::one());
        // The derivative from the left is still that of the ramp.
        let last = || if self.ends { cx.time_derivative() / duration } else { T::zero() };
        match self.state {
            ON => T::one() + last(),
            ON2OFF => T::one() - passed(),
            OFF2ON => passed(),
            _ => T::zero() - last(),
        }
    }

    /// Returns the end of the current ramp, in s, if there is one.
    fn ramp_end(&self) -> Option<f64> {
        matches!(self.state, ON2OFF | OFF2ON).then(|| self.t0.value() + self.T.value())
    }

    /// True if the gripper is to hold.
    fn is_active(&self, cx: &Context<'_, T, Self>) -> bool {
        if cx.structure.useActiveLevel { self.activeLevel.value() > cx.data.0 } else { self.active }
    }

    /// True if the inputs of `at` ask for the opposite of the current state, or of the state at the end of the ramp.
    fn is_contradicted(&self, at: &Self, cx: &Context<'_, T, Self>) -> bool {
        at.is_active(cx) != matches!(self.state, ON | OFF2ON)
    }

    /// Finds the time in a step `h`, after `from`, at which the level begins to ask for the opposite of ON or OFF, in
    /// s.
    fn contradiction(&self, cx: &Context<'_, T, Self>, inputs: &Inputs<'_, Self>, from: f64, h: f64) -> Option<f64> {
        if !cx.structure.useActiveLevel || inputs.order() == 0 || self.ramp_end().is_some() {
            return None;
        }
        let side = if self.state == ON { 1.0 } else { -1.0 };
        let mut level = Polynomial::constant(side * (inputs.at(0.0).activeLevel.value() - cx.data.0));
        for power in 1..=inputs.order() {
            level.set(power as usize, side * inputs.coefficients(power).activeLevel.value());
        }
        let after = level.shifted(from).first_below_zero(h - from)?;
        Some(from + after).filter(|s| *s < h)
    }

    /// Returns the time in s by which equal times may differ.
    fn rounding(&self) -> f64 {
        NEAR * self.T.value()
    }

    /// Ends the ramps that are due up to a time, each at its own end, where `active` is evaluated again; not at
    /// the last instant, since it may change there. `inputs` gives the variables with the inputs at a time. Returns the end
    /// of the last one, in s.
    fn end_ramps(
        &mut self,
        cx: &Context<'_, T, Self>,
        until: f64,
        inputs: &dyn Fn(f64) -> Self,
    ) -> Result<Option<f64>, ModelError> {
        self.ends = false;
        let mut last = None;
        while let Some(end) = self.ramp_end().filter(|end| *end <= until + self.rounding()) {
            self.state = if self.state == ON2OFF { OFF } else { ON };
            self.ends = end >= until - self.rounding();
            last = Some(end);
            if !self.ends {
                let at = inputs(end);
                if self.is_contradicted(&at, cx) {
                    self.switch(convert(end), &at, cx.structure)?;
                }
            }
        }
        Ok(last)
    }

    /// Starts to switch over at a time, with the inputs of `at`.
    fn switch(&mut self, time: T, at: &Self, s: &Structure) -> Result<(), ModelError> {
        let at_once = self.T.value() <= AT_ONCE;
        if self.state == OFF {
            self.capture(at, s)?;
            self.state = if at_once { ON } else { OFF2ON };
        } else {
            self.state = if at_once { OFF } else { ON2OFF };
        }
        self.t0 = time;
        Ok(())
    }

    /// Captures the undeformed pose from the inputs of `at`.
    fn capture(&mut self, at: &Self, s: &Structure) -> Result<(), ModelError> {
        self.r0 = Vector3::zeros();
        self.theta0 = Vector3::zeros();
        if self.useInPlace {
            let (relative, angles) = at.pose(s)?;
            self.r0 = relative.r;
            if self.setAngles == SetAngles::keepCurrent {
                self.theta0 = angles.theta;
            }
        }
        Ok(())
    }
}
