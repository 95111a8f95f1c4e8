//! Bushing: three-axis stiffness and damping, translational and rotational, between two frames.

use fmu_runtime::unit::{DEG, RPM};
use fmu_runtime::{
    Connector, Context, Count, DefaultExperiment, Diagnostics, Equations, Memory, ModelError, Number, Scalar, Source,
    enumeration, model, structure,
};
use mechanics::compliance::{about_axes, deflection};
use mechanics::euler::{Axes, Sequence};
use mechanics::frame::Relative;
use nalgebra::Vector3;
use ports::{AngleMemory, EulerAngles, Frame, MomentLaw, Orientation};

pub use coefficients::ReadRows;
pub use spreadsheet::read_text;
pub use varying::{DataSource, Extrapolation, Lookup, Smoothness, TableContent, Varying, VaryingOptions};
use viscoelastic::{MAX_ELEMENTS, deflections};
pub use viscoelastic::{Rubber, RubberOptions};

mod coefficients;
mod curve;
mod picture;
mod sanity_checks;
mod steps;
mod table_rows;
mod varying;
mod viscoelastic;

model! {
    /// Massless bushing between frame_a and frame_b.
    ///
    /// ```text
    /// T = T_b T_a^T,   r = T_a (r_b - r_a),   v = T_a (v_b - v_a) - w_a x r,   omega = T^T w_b - w_a
    /// theta: Euler angles of T in the sequence RotSeq
    /// F = -TS (r - r0) - TD v                     force on the body at frame_b, resolved in frame_a  [N]
    /// m_i = -RS_i (theta_i - theta0_i)            moments of the three angles                        [N.m]
    /// literal: m_i about axis RotSeq[i] of frame_a;   gimbal: M with J^T M = m, J = [axes of rotation]
    /// M = moment of the springs - RD omega        moment on the body at frame_b                      [N.m]
    /// frame_a.f = F,      frame_a.t = M + r x F   cut loads, acting on the component
    /// frame_b.f = -T F,   frame_b.t = -T M
    /// lossPower = v TD v + omega RD omega         [W]
    ///
    /// with maxwell_…, friction_…, for each axis and angle with the deflection x = r - r0 or theta - theta0:
    /// F, m = … - sum of S (x - q)                 S: stiffness of an element, q: its inner point, a state
    /// maxwell:   q' = (x - q) / tau               friction:  q' = |x'| S (x - q) / limit
    /// lossPower = … + sum of S (x - q) q'
    /// ```
    ///
    /// Products with TS, TD, RS, RD are componentwise. With nonlinear_… they are signals, or come from
    /// tables at r - r0, v, theta - theta0 and omega, component by component; theta - theta0 is taken in (-pi, pi]. With
    /// law_… = curve the product is the measured load: positive where it resists a positive r - r0, v, theta - theta0
    /// or omega. Valid away from the singularity of the sequence (cos theta_2 = 0).
    /// Source: MapleSim help, Multibody, Forces and Moments, Bushing.
    pub struct Bushing<T>(s: Structure, data: Data): Steps + Memory {
        parameter RotSeq: [i32; 3] = [1, 2, 3], "Euler angles rotation sequence: neighbouring axes differ", min = 1.0, max = 3.0;
        parameter r0: Vector3<T> = [0.0; 3], M, "Undeformed distance of frame_b with respect to frame_a (expressed in Inboard frame: frame_a)";
        parameter theta0: Vector3<T> = [0.0; 3], RAD, "Undeformed rotation of frame_b with respect to frame_a (expressed using the Euler angles selected by RotSeq)", display = DEG;
        group TS: Varying<T> = s.varying()[0], "Translational stiffness", name = "";
        group TD: Varying<T> = s.varying()[1], "Translational damping", name = "";
        group RS: Varying<T> = s.varying()[2], "Rotational stiffness", name = "";
        group RD: Varying<T> = s.varying()[3], "Rotational damping", name = "";
        parameter extrapolation: Extrapolation = Extrapolation::hold, "How all tables of coefficients are extrapolated", when = s.has(TableContent::coefficient);
        parameter curveExtrapolation: Extrapolation = Extrapolation::linear, "How all curves are extrapolated", when = s.has(TableContent::curve);
        parameter allowNegative: bool = false, "Whether tables may have negative coefficients, and curves loads that do not resist",
            when = s.has(TableContent::coefficient) || s.has(TableContent::curve);
        parameter allowAsymmetry: bool = false, "Whether curves may differ on both sides of 0 without a warning", when = s.has(TableContent::curve);

        group frame_a: Frame<T> = s.orientation.into(), "Inboard frame", connector = Connector::Frame_a;
        group frame_b: Frame<T> = s.orientation.into(), "Outboard frame", connector = Connector::Frame_b;
        output lossPower: T, W, "Power that the dampers turn into heat";
        output r_out:  Vector3<T>, M, "Position of frame_b relative to frame_a, resolved in resolvedFrame", when = s.sensor_T;
        output v_out:  Vector3<T>, M_PER_S, "Velocity of frame_b relative to frame_a, resolved in resolvedFrame", when = s.sensor_Tv;
        output th_out: Vector3<T>, RAD, "Euler angles of frame_b relative to frame_a", display = DEG, when = s.sensor_R;
        output w_out:  Vector3<T>, RAD_PER_S, "Angular velocity of frame_b relative to frame_a, resolved in resolvedFrame",
            display = RPM, when = s.sensor_Rw;

        memory memory: AngleMemory<T>, "Memory of the Euler angles";
        internal angles: EulerAngles<T>, "Angles of frame_b relative to frame_a";
        // The last row, since it takes no room in other structures.
        group rubber: Option<Rubber<T>> = Some(s.rubber()).filter(|rubber| rubber.exists()), "Elements parallel to the springs", name = "";
    }
}

structure! {
    /// The structure options of the bushing.
    pub struct Structure {
        orientation:   Orientation = Orientation::matrix, "How the orientation of the frames is given";
        momentLaw:     MomentLaw = MomentLaw::literal, "How the moments of the Euler angles act";
        nonlinear_TS:  bool = false, "Whether the translational stiffness varies";
        DCM_TS:        DataSource = DataSource::inline, "Where a varying translational stiffness comes from";
        law_TS:        TableContent = TableContent::coefficient, "What tables of the translational stiffness contain; curve includes nonlinear_TS";
        nonlinear_TD:  bool = false, "Whether the translational damping varies";
        DCM_TD:        DataSource = DataSource::inline, "Where a varying translational damping comes from";
        law_TD:        TableContent = TableContent::coefficient, "What tables of the translational damping contain; curve includes nonlinear_TD";
        nonlinear_RS:  bool = false, "Whether the rotational stiffness varies";
        DCM_RS:        DataSource = DataSource::inline, "Where a varying rotational stiffness comes from";
        law_RS:        TableContent = TableContent::coefficient, "What tables of the rotational stiffness contain; curve includes nonlinear_RS";
        nonlinear_RD:  bool = false, "Whether the rotational damping varies";
        DCM_RD:        DataSource = DataSource::inline, "Where a varying rotational damping comes from";
        law_RD:        TableContent = TableContent::coefficient, "What tables of the rotational damping contain; curve includes nonlinear_RD";
        maxwell_T:     Count<{ MAX_ELEMENTS as i32 }> = Count(0), "Number of Maxwell elements parallel to each translational spring";
        maxwell_R:     Count<{ MAX_ELEMENTS as i32 }> = Count(0), "Number of Maxwell elements parallel to each rotational spring";
        friction_T:    bool = false, "Adds friction parallel to the translational springs: the stiffness depends on the amplitude";
        friction_R:    bool = false, "Adds friction parallel to the rotational springs";
        sensor_T:      bool = false, "Adds the output r_out";
        sensor_Tv:     bool = false, "Adds the output v_out";
        sensor_R:      bool = false, "Adds the output th_out";
        sensor_Rw:     bool = false, "Adds the output w_out";
        resolvedFrame: ResolvedFrame = ResolvedFrame::frame_a, "Frame in which r_out, v_out and w_out are resolved";
    }
}

enumeration! {
    /// Frame in which the sensors are resolved.
    pub enum ResolvedFrame {
        frame_a = "the inboard frame",
        frame_b = "the outboard frame",
        world = "the world frame",
    }
}

impl Structure {
    /// Returns the options of TS, TD, RS and RD: constant, a signal or from tables.
    fn varying(&self) -> [VaryingOptions; 4] {
        [
            (varying::TS, self.nonlinear_TS, self.DCM_TS, self.law_TS),
            (varying::TD, self.nonlinear_TD, self.DCM_TD, self.law_TD),
            (varying::RS, self.nonlinear_RS, self.DCM_RS, self.law_RS),
            (varying::RD, self.nonlinear_RD, self.DCM_RD, self.law_RD),
        ]
        .map(|(of, nonlinear, source, law)| {
            let varies = nonlinear || law == TableContent::curve && source != DataSource::signal;
            VaryingOptions { of, source: varies.then_some(source), law }
        })
    }

    /// Returns the options of the elements parallel to the springs.
    pub fn rubber(&self) -> RubberOptions {
        RubberOptions {
            maxwell: [self.maxwell_T, self.maxwell_R].map(|Count(count)| count.unsigned_abs() as usize),
            friction: [self.friction_T, self.friction_R],
        }
    }

    /// Returns the options without elements parallel to the springs.
    pub fn without_rubber(&self) -> Self {
        let none = Count(0);
        Self { maxwell_T: none, maxwell_R: none, friction_T: false, friction_R: false, ..self.clone() }
    }

    fn has(&self, law: TableContent) -> bool {
        self.varying().iter().any(|varying| varying.has(law))
    }
}

/// The data prepared from the parameters.
#[derive(Debug, Default)]
pub struct Data {
    sequence: Sequence,
    /// Tables in which the loads of TS, TD, RS and RD are looked up.
    lookups: [Lookup; 4],
}

impl<T: Scalar> Equations<T> for Bushing<T> {
    const DESCRIPTION: &'static str =
        "Translational and rotational stiffness and damping in three directions between two frames";
    const ICON: &'static str = include_str!("../icon.svg");
    const EXPERIMENT: DefaultExperiment = DefaultExperiment::until(10.0, 1e-3);
    const PACKAGES: &'static [(&'static str, &'static str)] = &[mechanics::PACKAGE, spreadsheet::PACKAGE];
    const HAS_MANY_INPUTS: bool = true;

    fn modelica(_: &Structure) -> &'static str {
        include_str!("initial.mo")
    }

    fn validate_configuration(&self, _: &Structure, diagnostics: &mut Diagnostics) -> Result<(), ModelError> {
        self.sequence()?;
        self.singular_rest().into_iter().for_each(|warning| diagnostics.warn(warning));
        Ok(())
    }

    fn prepare(&self, source: &Source<'_, Structure>) -> Result<Data, ModelError> {
        self.prepare_with(source, spreadsheet::read)
    }

    fn initialise(&mut self, cx: &Context<'_, T, Self>) -> Result<(), ModelError> {
        if let Some(rubber) = &mut self.rubber {
            let frames = [self.frame_a.motion.clone(), self.frame_b.motion.clone()];
            let options = (cx.structure.orientation, cx.data.sequence);
            let deflections = deflections(options, frames, [self.r0, self.theta0], self.memory.theta1)?;
            rubber.relax(cx.structure.rubber(), deflections);
        }
        Ok(())
    }

    fn evaluate(&mut self, cx: &Context<'_, T, Self>) -> Result<(), ModelError> {
        let s = cx.structure;
        let a = self.frame_a.motion.frame(s.orientation, "frame_a")?;
        let b = self.frame_b.motion.frame(s.orientation, "frame_b")?;
        let relative = Relative::new(&a, &b);
        let angles = cx.data.sequence.angles_on_branch(&relative.T, self.memory.theta1, &self.theta0);

        let [ts, td, rs, rd] = &cx.data.lookups;
        let time_derivative = cx.time_derivative();
        let mut spring_force = self.TS.load(ts, s.nonlinear_TS, time_derivative, &(relative.r - self.r0));
        let damper_force = self.TD.load(td, s.nonlinear_TD, time_derivative, &relative.v);
        let mut spring_moments = self.RS.load(rs, s.nonlinear_RS, time_derivative, &deflection(&angles, &self.theta0));
        let damper_moment = self.RD.load(rd, s.nonlinear_RD, time_derivative, &relative.omega);
        self.lossPower = relative.v.dot(&damper_force) + relative.omega.dot(&damper_moment);
        if let Some(rubber) = &mut self.rubber {
            let x = [relative.r - self.r0, deflection(&angles, &self.theta0)];
            let resistance = rubber.resist(s.rubber(), x, (relative, cx.data.sequence, angles), time_derivative);
            spring_force += resistance.loads[0];
            spring_moments += resistance.loads[1];
            self.lossPower += resistance.loss;
        }
        let force = -spring_force - damper_force;
        let moment = about_axes(cx.data.sequence, &angles, s.momentLaw.into(), &-spring_moments) - damper_moment;
        let (load_a, load_b) = relative.cut_loads(&force, &moment);
        self.frame_a.load = load_a.into();
        self.frame_b.load = load_b.into();

        let resolve = |vector: Vector3<T>| match s.resolvedFrame {
            ResolvedFrame::frame_a => vector,
            ResolvedFrame::frame_b => relative.T * vector,
            ResolvedFrame::world => a.T.transpose() * vector,
        };
        self.r_out = resolve(relative.r);
        self.v_out = resolve(relative.v);
        self.w_out = resolve(relative.omega);
        self.th_out = angles.theta;
        self.angles = angles.into();
        Ok(())
    }
}

impl<T: Scalar> Memory<T> for Bushing<T> {
    fn completed_step(&mut self, _cx: &Context<'_, T, Self>, diagnostics: &mut Diagnostics) {
        self.memory.follow(&self.angles, self.RotSeq, diagnostics);
    }
}

/// Angle in rad to the singularity of the Euler angles below which an undeformed pose counts as singular.
const SINGULAR_REST: f64 = 1e-3;

impl<T: Scalar> Bushing<T> {
    /// Returns a warning if the Euler angles of the undeformed pose are singular.
    pub fn singular_rest(&self) -> Option<String> {
        let theta2 = self.theta0[1].value();
        let sequence = self.sequence().ok()?;
        if sequence.distance_from_singularity(theta2) > SINGULAR_REST {
            return None;
        }
        let axes = Axes(self.RotSeq);
        Some(if sequence.is_proper() {
            format!("RotSeq = {axes} is singular at theta_2 = 0, the undeformed pose; three different axes avoid that")
        } else {
            format!(
                "theta0[2] = {} rad is where the Euler angles in the sequence {axes} are singular: there the first and the third \
                 angle cannot be told apart, so the moments in the undeformed pose are not 0; another RotSeq, or frames that are \
                 turned against each other by a FixedRotation, avoid that",
                Number(theta2)
            )
        })
    }

    fn sequence(&self) -> Result<Sequence, ModelError> {
        Sequence::new(self.RotSeq).map_err(|wrong| ModelError::invalid(format!("RotSeq is {wrong}")))
    }
}
